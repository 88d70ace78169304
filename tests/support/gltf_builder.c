/* Scenes for tests without files: text for the JSON chunk is appended part by
 * part, numbers go to the binary chunk. */
#include "tests/support/gltf_builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t size, capacity;
} text;

struct gltf_builder {
    text nodes, materials, meshes, cameras, accessors, views, bin, extra;
    uint32_t node_count, material_count, mesh_count, camera_count,
        accessor_count;
    uint32_t *parents;
};

static void *checked(void *memory)
{
    if (!memory) {
        abort();
    }
    return memory;
}

static void append(text *t, const void *data, size_t size)
{
    if (t->size + size + 1 > t->capacity) {
        t->capacity = (t->size + size + 1) * 2;
        t->data = checked(realloc(t->data, t->capacity));
    }
    if (size) {
        memcpy(t->data + t->size, data, size);
    }
    t->size += size;
    t->data[t->size] = 0;
}

static void print(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void print(text *t, const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line) {
        abort();
    }
    append(t, line, (size_t)n);
}

static void print_numbers(text *t,
                          const char *key,
                          const double *values,
                          int count)
{
    if (!values) {
        return;
    }
    print(t, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        print(t, "%s%.17g", i ? "," : "", values[i]);
    }
    print(t, "]");
}

gltf_builder *gltf_builder_new(void)
{
    return checked(calloc(1, sizeof(gltf_builder)));
}

void gltf_builder_free(gltf_builder *b)
{
    if (!b) {
        return;
    }
    free(b->nodes.data);
    free(b->materials.data);
    free(b->meshes.data);
    free(b->cameras.data);
    free(b->accessors.data);
    free(b->views.data);
    free(b->bin.data);
    free(b->extra.data);
    free(b->parents);
    free(b);
}

uint32_t gltf_builder_material(
    gltf_builder *b, const char *name, double red, double green, double blue)
{
    print(
        &b->materials,
        "%s{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.17g,%.17g,%.17g,1]}}",
        b->material_count ? "," : "", name, red, green, blue);
    return b->material_count++;
}

uint32_t gltf_builder_accessor(gltf_builder *b,
                               const void *data,
                               size_t size,
                               uint32_t component_type,
                               uint32_t count,
                               const char *type)
{
    print(&b->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
          b->accessor_count ? "," : "", b->bin.size, size);
    append(&b->bin, data, size);
    while (b->bin.size % 4) {
        append(&b->bin, "", 1);
    }
    print(
        &b->accessors,
        "%s{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"",
        b->accessor_count ? "," : "", b->accessor_count, component_type, count,
        type);
    if (component_type == 5126 && strcmp(type, "VEC3") == 0 &&
        size >= (size_t)count * 12 && count) {
        float low[3] = {0}, high[3] = {0}; /* POSITION must have min and max */
        for (uint32_t i = 0; i < count; i++) {
            float p[3];
            memcpy(p, (const char *)data + 12 * (size_t)i, sizeof p);
            for (int k = 0; k < 3; k++) {
                low[k] = i && low[k] < p[k] ? low[k] : p[k];
                high[k] = i && high[k] > p[k] ? high[k] : p[k];
            }
        }
        if (isfinite(low[0] + low[1] + low[2] + high[0] + high[1] + high[2])) {
            print(&b->accessors,
                  ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]",
                  (double)low[0], (double)low[1], (double)low[2],
                  (double)high[0], (double)high[1], (double)high[2]);
        }
    }
    print(&b->accessors, "}");
    return b->accessor_count++;
}

static uint32_t add_mesh(gltf_builder *b,
                         const char *name,
                         uint32_t position,
                         uint32_t normal,
                         uint32_t index,
                         uint32_t material)
{
    print(&b->meshes,
          "%s{\"name\":\"%s\",\"primitives\":[{\"attributes\":{\"POSITION\":%u",
          b->mesh_count ? "," : "", name, position);
    if (normal != GLTF_NONE) {
        print(&b->meshes, ",\"NORMAL\":%u", normal);
    }
    print(&b->meshes, "}");
    if (index != GLTF_NONE) {
        print(&b->meshes, ",\"indices\":%u", index);
    }
    if (material != GLTF_NONE) {
        print(&b->meshes, ",\"material\":%u", material);
    }
    print(&b->meshes, "}]}");
    return b->mesh_count++;
}

uint32_t gltf_builder_mesh(gltf_builder *b,
                           const char *name,
                           const float *positions,
                           uint32_t vertex_count,
                           const uint32_t *indices,
                           uint32_t index_count,
                           uint32_t material)
{
    uint32_t p = gltf_builder_accessor(b, positions, (size_t)vertex_count * 12,
                                       5126, vertex_count, "VEC3");
    uint32_t i =
        index_count ? gltf_builder_accessor(b, indices, (size_t)index_count * 4,
                                            5125, index_count, "SCALAR")
                    : GLTF_NONE;
    return add_mesh(b, name, p, GLTF_NONE, i, material);
}

uint32_t gltf_builder_box_mesh(gltf_builder *b, vec3 size, uint32_t material)
{
    /* file: x, up, depth */
    double half[3] = {size.x / 2, size.z / 2, size.y / 2};
    float position[24 * 3], normal[24 * 3];
    uint32_t index[36], v = 0, n = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            int u = (axis + 1) % 3, w = (axis + 2) % 3;
            static const int around[4][2] = {
                {-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
            for (int k = 0; k < 4; k++) {
                position[3 * (v + (uint32_t)k) + (uint32_t)axis] =
                    (float)(side * half[axis]);
                position[3 * (v + (uint32_t)k) + (uint32_t)u] =
                    (float)(around[k][0] * half[u]);
                position[3 * (v + (uint32_t)k) + (uint32_t)w] =
                    (float)(around[k][1] * half[w]);
                for (int c = 0; c < 3; c++) {
                    normal[3 * (v + (uint32_t)k) + (uint32_t)c] =
                        c == axis ? (float)side : 0;
                }
            }
            static const uint32_t front[6] = {0, 1, 2, 0, 2, 3},
                                  back[6] = {0, 2, 1, 0, 3, 2};
            for (int k = 0; k < 6; k++) {
                index[n++] = v + (side > 0 ? front[k] : back[k]);
            }
            v += 4;
        }
    }
    uint32_t p =
        gltf_builder_accessor(b, position, sizeof position, 5126, 24, "VEC3");
    uint32_t q =
        gltf_builder_accessor(b, normal, sizeof normal, 5126, 24, "VEC3");
    uint32_t i =
        gltf_builder_accessor(b, index, sizeof index, 5125, 36, "SCALAR");
    return add_mesh(b, "box", p, q, i, material);
}

gltf_builder_node gltf_builder_node_default(const char *name)
{
    return (gltf_builder_node){.name = name,
                               .parent = GLTF_NONE,
                               .mesh = GLTF_NONE,
                               .camera = GLTF_NONE};
}

/* Members are kept apart by a newline per node; "children" is added when the
 * GLB is made. */
uint32_t gltf_builder_add_node(gltf_builder *b, const gltf_builder_node *node)
{
    uint32_t index = b->node_count++;
    b->parents =
        checked(realloc(b->parents, b->node_count * sizeof *b->parents));
    b->parents[index] = node->parent;
    print(&b->nodes, "{\"name\":\"%s\"", node->name);
    if (node->mesh != GLTF_NONE) {
        print(&b->nodes, ",\"mesh\":%u", node->mesh);
    }
    if (node->camera != GLTF_NONE) {
        print(&b->nodes, ",\"camera\":%u", node->camera);
    }
    print_numbers(&b->nodes, "translation", node->translation, 3);
    print_numbers(&b->nodes, "rotation", node->rotation, 4);
    print_numbers(&b->nodes, "scale", node->scale, 3);
    print_numbers(&b->nodes, "matrix", node->matrix, 16);
    if (node->extra) {
        print(&b->nodes, ",%s", node->extra);
    }
    append(&b->nodes, "\n", 1);
    return index;
}

uint32_t gltf_builder_box(gltf_builder *b,
                          const char *name,
                          vec3 centre,
                          vec3 size,
                          double yaw_degrees,
                          uint32_t material)
{
    double half = yaw_degrees * MATH_PI / 360;
    double translation[3] = {centre.x, centre.z, -centre.y},
           rotation[4] = {0, sin(half), 0, cos(half)};
    gltf_builder_node node = gltf_builder_node_default(name);
    node.mesh = gltf_builder_box_mesh(b, size, material);
    node.translation = translation;
    node.rotation = yaw_degrees != 0 ? rotation : NULL;
    return gltf_builder_add_node(b, &node);
}

uint32_t gltf_builder_camera(gltf_builder *b,
                             const char *name,
                             vec3 position,
                             vec3 target,
                             double yfov_degrees,
                             double aspect)
{
    vec3 eye = v3(position.x, position.z, -position.y),
         at = v3(target.x, target.z, -target.y);
    vec3 z = v3_normal(v3_sub(eye, at)), x = v3_cross(v3(0, 1, 0), z);
    x = v3_length(x) > 1e-9 ? v3_normal(x) : v3(1, 0, 0);
    vec3 y = v3_cross(z, x);
    double matrix[16] = {x.x, x.y, x.z, 0, y.x,   y.y,   y.z,   0,
                         z.x, z.y, z.z, 0, eye.x, eye.y, eye.z, 1};
    print(
        &b->cameras,
        "%s{\"type\":\"perspective\",\"perspective\":{\"yfov\":%.17g,\"aspectRatio\":%.17g,\"znear\":0.01}}",
        b->camera_count ? "," : "", yfov_degrees * MATH_PI / 180, aspect);
    gltf_builder_node node = gltf_builder_node_default(name);
    node.camera = b->camera_count++;
    node.matrix = matrix;
    return gltf_builder_add_node(b, &node);
}

void gltf_builder_root_members(gltf_builder *b, const char *json)
{
    append(&b->extra, ",", 1);
    append(&b->extra, json, strlen(json));
}

static void add_array(text *json, const char *key, const text *items)
{
    if (items->size) {
        print(json, ",\"%s\":[", key);
        append(json, items->data, items->size);
        append(json, "]", 1);
    }
}

static void add_nodes(text *json, const gltf_builder *b)
{
    append(json, ",\"nodes\":[", 10);
    const char *at = b->nodes.data;
    for (uint32_t i = 0; i < b->node_count; i++) {
        const char *end = strchr(at, '\n');
        append(json, i ? "," : "", i ? 1 : 0);
        append(json, at, (size_t)(end - at));
        bool first = true;
        for (uint32_t c = 0; c < b->node_count; c++) {
            if (b->parents[c] == i) {
                print(json, first ? ",\"children\":[%u" : ",%u", c);
                first = false;
            }
        }
        print(json, first ? "}" : "]}");
        at = end + 1;
    }
    append(json, "],\"scene\":0,\"scenes\":[{\"nodes\":[", 32);
    bool first = true;
    for (uint32_t i = 0; i < b->node_count; i++) {
        if (b->parents[i] == GLTF_NONE) {
            print(json, first ? "%u" : ",%u", i);
            first = false;
        }
    }
    append(json, "]}]", 3);
}

uint8_t *gltf_builder_glb(const gltf_builder *b, size_t *ret_size)
{
    text json = {0};
    print(&json, "{\"asset\":{\"version\":\"2.0\"}");
    if (b->node_count) {
        add_nodes(&json, b);
    }
    add_array(&json, "meshes", &b->meshes);
    add_array(&json, "materials", &b->materials);
    add_array(&json, "cameras", &b->cameras);
    add_array(&json, "accessors", &b->accessors);
    add_array(&json, "bufferViews", &b->views);
    if (b->bin.size) {
        print(&json, ",\"buffers\":[{\"byteLength\":%zu}]", b->bin.size);
    }
    if (b->extra.size) {
        append(&json, b->extra.data, b->extra.size);
    }
    append(&json, "}", 1);
    uint8_t *glb = gltf_wrap_glb(json.data, b->bin.data, b->bin.size, ret_size);
    free(json.data);
    return glb;
}

static void put_u32(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

uint8_t *gltf_wrap_glb(const char *json,
                       const void *bin,
                       size_t bin_size,
                       size_t *ret_size)
{
    size_t text_size = strlen(json), padded = (text_size + 3) & ~(size_t)3,
           bin_padded = (bin_size + 3) & ~(size_t)3;
    size_t size = 20 + padded + (bin ? 8 + bin_padded : 0);
    uint8_t *glb = checked(calloc(1, size));
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, size);
    put_u32(glb + 12, padded);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', padded);
    memcpy(glb + 20, json, text_size);
    if (bin) {
        put_u32(glb + 20 + padded, bin_padded);
        memcpy(glb + 24 + padded, "BIN\0", 4);
        memcpy(glb + 28 + padded, bin, bin_size);
    }
    *ret_size = size;
    return glb;
}
