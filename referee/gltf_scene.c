/* See gltf_scene.h. Files are hostile: each index, offset and count is held
 * against what is there. */
#include "referee/gltf_scene.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    DEPTH_MAX = 64,
    COUNT_MAX = 20000000,
    FILE_MAX = 1 << 30,
    STRIDE_MAX = 4096
};

typedef struct file {
    json_t *json;
    unsigned char **buffers;
    size_t *lengths;
    size_t buffer_count;
    gltf_scene *scene;
    size_t corners; /* of all meshes so far */
    char *error;    /* of 256 */
} file;

static bool __attribute__((format(printf, 2, 3)))
file_fail(file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->error, 256, format, args);
    va_end(args);
    return false;
}

/* NULL: it is no file, too large, or not to be read. */
static unsigned char *bytes_read(const char *path, size_t *ret_length)
{
    struct stat st;
    *ret_length = 0;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
        return NULL;
    FILE *in = fopen(path, "rbe");
    unsigned char *bytes = in ? malloc((size_t)st.st_size + 1) : NULL;
    if (bytes)
        *ret_length = fread(bytes, 1, (size_t)st.st_size, in);
    if (in)
        fclose(in);
    return bytes;
}

static size_t json_count(const json_t *object,
                         const char *key,
                         size_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return otherwise;
    return (size_t)json_integer_value(value);
}

/* A buffer that lies in a file of its own, beside this one. */
static void buffer_read_beside(file *f,
                               const char *path,
                               size_t i,
                               const char *uri)
{
    char beside[4096];
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    bool is_plain = !strchr(uri, '/') && strncmp(uri, "data:", 5) != 0;
    if (!is_plain)
        return; /* missed only if something is in it */
    snprintf(beside, sizeof beside, "%.*s%s", folder, path, uri);
    f->buffers[i] = bytes_read(beside, &f->lengths[i]);
}

/* Takes over `own`, the bytes within the file. */
static bool buffers_read(file *f,
                         const char *path,
                         unsigned char *own,
                         size_t own_length)
{
    const json_t *list = json_object_get(f->json, "buffers");
    size_t count = json_array_size(list);
    f->buffers = calloc(count + 1, sizeof *f->buffers);
    f->lengths = calloc(count + 1, sizeof *f->lengths);
    if (!f->buffers || !f->lengths) {
        free(own);
        return file_fail(f, "out of memory");
    }
    f->buffer_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *uri =
            json_string_value(json_object_get(json_array_get(list, i), "uri"));
        if (uri)
            buffer_read_beside(f, path, i, uri);
        if (uri || i > 0)
            continue;
        f->buffers[0] = own;
        f->lengths[0] = own_length;
        own = NULL;
    }
    free(own);
    return true;
}

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* The bytes behind the JSON of a GLB. */
static unsigned char *own_read(const unsigned char *bytes,
                               size_t length,
                               size_t at,
                               size_t *ret_length)
{
    *ret_length = 0;
    if (length < at || length - at <= 8)
        return NULL;
    size_t size = word_at(bytes + at);
    if (size > length - at - 8)
        size = length - at - 8;
    unsigned char *own = malloc(size + 1);
    if (own)
        memcpy(own, bytes + at + 8, size);
    if (own)
        *ret_length = size;
    return own;
}

static bool file_parse(file *f, const char *path)
{
    size_t length = 0;
    unsigned char *bytes = bytes_read(path, &length);
    if (!bytes)
        return file_fail(f, "it cannot be read, or is larger than 1 GiB");
    unsigned char *own = NULL;
    size_t own_length = 0;
    json_error_t why = {.text = ""};
    if (length >= 20 && memcmp(bytes, "glTF", 4) == 0) {
        size_t text = word_at(bytes + 12);
        if (text > length - 20)
            text = length - 20;
        f->json = json_loadb((const char *)bytes + 20, text, 0, &why);
        if (f->json)
            own = own_read(bytes, length, 20 + text, &own_length);
    } else {
        f->json = json_loadb((const char *)bytes, length, 0, &why);
    }
    free(bytes);
    if (json_is_object(f->json))
        return buffers_read(f, path, own, own_length);
    free(own);
    return file_fail(f, "it is no glTF: %.80s", why.text);
}

static void file_close(file *f)
{
    for (size_t i = 0; i < f->buffer_count; i++)
        free(f->buffers[i]);
    free(f->buffers);
    free(f->lengths);
    json_decref(f->json);
}

/* ---- nodes ---- */

static void numbers_read(const json_t *list, double *to, size_t count)
{
    if (json_array_size(list) != count)
        return;
    for (size_t i = 0; i < count; i++)
        to[i] = json_number_value(json_array_get(list, i));
}

static motion motion_of(const double t[3], const double q[4], const double s[3])
{
    double x = q[0];
    double y = q[1];
    double z = q[2];
    double w = q[3];
    motion a = {
        {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
         {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
         {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}},
        {t[0], t[1], t[2]}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            a.m[i][j] *= s[j];
    }
    return a;
}

static motion node_motion(const json_t *node)
{
    double t[3] = {0, 0, 0};
    double q[4] = {0, 0, 0, 1};
    double s[3] = {1, 1, 1};
    const json_t *matrix = json_object_get(node, "matrix");
    if (json_array_size(matrix) == 16) {
        double v[16];
        numbers_read(matrix, v, 16);
        return (motion){
            {{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}},
            {v[12], v[13], v[14]}};
    }
    numbers_read(json_object_get(node, "translation"), t, 3);
    numbers_read(json_object_get(node, "rotation"), q, 4);
    numbers_read(json_object_get(node, "scale"), s, 3);
    return motion_of(t, q, s);
}

/* A node has one place: one that is reached twice is no tree's. */
static bool node_place(
    file *f, size_t node, size_t parent, const motion *above, int depth)
{
    gltf_scene *s = f->scene;
    if (node >= s->node_count || depth > DEPTH_MAX ||
        s->nodes[node].root != SIZE_MAX)
        return file_fail(f, "its nodes are no tree, or deeper than %d",
                         (int)DEPTH_MAX);
    const json_t *json =
        json_array_get(json_object_get(f->json, "nodes"), node);
    motion own = node_motion(json);
    gltf_node *n = &s->nodes[node];
    n->world = motion_after(above, &own);
    n->parent = parent;
    n->root = parent == SIZE_MAX ? node : s->nodes[parent].root;
    if (!motion_is_finite(&n->world))
        return file_fail(f, "node %zu stands nowhere", node);
    const json_t *children = json_object_get(json, "children");
    for (size_t i = 0; i < json_array_size(children); i++) {
        const json_t *child = json_array_get(children, i);
        size_t number = json_is_integer(child)
                            ? (size_t)json_integer_value(child)
                            : SIZE_MAX;
        if (!node_place(f, number, node, &n->world, depth + 1))
            return false;
    }
    return true;
}

static char *node_name(const file *f, size_t n)
{
    const json_t *node = json_array_get(json_object_get(f->json, "nodes"), n);
    const json_t *mesh = json_array_get(json_object_get(f->json, "meshes"),
                                        json_count(node, "mesh", SIZE_MAX));
    const char *name = json_string_value(json_object_get(node, "name"));
    char number[32];
    if (!name)
        name = json_string_value(json_object_get(mesh, "name"));
    snprintf(number, sizeof number, "node %zu", n);
    return strndup(name ? name : number, 200);
}

static bool nodes_read(file *f)
{
    gltf_scene *s = f->scene;
    const json_t *list = json_object_get(f->json, "nodes");
    size_t count = json_array_size(list);
    if (count > GLTF_NODES_MAX)
        return file_fail(f, "it has over %d nodes", (int)GLTF_NODES_MAX);
    s->nodes = calloc(count + 1, sizeof *s->nodes);
    if (!s->nodes)
        return file_fail(f, "out of memory");
    s->node_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *node = json_array_get(list, i);
        size_t mesh = json_count(node, "mesh", SIZE_MAX);
        size_t camera = json_count(node, "camera", SIZE_MAX);
        s->nodes[i] = (gltf_node){.parent = SIZE_MAX, .root = SIZE_MAX};
        s->nodes[i].mesh = mesh < s->mesh_count ? mesh : SIZE_MAX;
        s->nodes[i].camera = camera < s->camera_count ? camera : SIZE_MAX;
        s->nodes[i].name = node_name(f, i);
        if (!s->nodes[i].name)
            return file_fail(f, "out of memory");
    }
    return true;
}

static bool nodes_place(file *f)
{
    const json_t *scenes = json_object_get(f->json, "scenes");
    const json_t *roots = json_object_get(
        json_array_get(scenes, json_count(f->json, "scene", 0)), "nodes");
    /* glTF is Y up */
    const motion upright = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}};
    for (size_t i = 0; i < json_array_size(roots); i++) {
        const json_t *root = json_array_get(roots, i);
        size_t number =
            json_is_integer(root) ? (size_t)json_integer_value(root) : SIZE_MAX;
        if (!node_place(f, number, SIZE_MAX, &upright, 0))
            return false;
    }
    return true;
}

/* ---- cameras ---- */

static bool cameras_read(file *f)
{
    gltf_scene *s = f->scene;
    const json_t *list = json_object_get(f->json, "cameras");
    size_t count = json_array_size(list);
    s->cameras = calloc(count + 1, sizeof *s->cameras);
    if (!s->cameras)
        return file_fail(f, "out of memory");
    s->camera_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *camera = json_array_get(list, i);
        const json_t *perspective = json_object_get(camera, "perspective");
        const json_t *flat = json_object_get(camera, "orthographic");
        const char *name = json_string_value(json_object_get(camera, "name"));
        s->cameras[i] = (gltf_camera){
            .name = strndup(name ? name : "", 200),
            .is_perspective = perspective != NULL,
            .yfov = json_number_value(json_object_get(perspective, "yfov")),
            .aspect =
                json_number_value(json_object_get(perspective, "aspectRatio")),
            .xmag = json_number_value(json_object_get(flat, "xmag")),
            .ymag = json_number_value(json_object_get(flat, "ymag"))};
        if (!s->cameras[i].name)
            return file_fail(f, "out of memory");
    }
    return true;
}

/* ---- numbers ---- */

static size_t component_size(size_t type)
{
    switch (type) {
    case 5120:
    case 5121: return 1;
    case 5122:
    case 5123: return 2;
    case 5125:
    case 5126: return 4;
    default: return 0;
    }
}

static double component_read(const unsigned char *p,
                             size_t type,
                             bool normalised)
{
    uint32_t half = type == 5120 || type == 5121
                        ? p[0]
                        : (uint32_t)p[0] | (uint32_t)p[1] << 8;
    float number = 0;
    switch (type) {
    case 5120:
        return normalised ? fmax((int8_t)half / 127.0, -1) : (int8_t)half;
    case 5121: return normalised ? half / 255.0 : half;
    case 5122:
        return normalised ? fmax((int16_t)half / 32767.0, -1) : (int16_t)half;
    case 5123: return normalised ? half / 65535.0 : half;
    case 5125: return word_at(p);
    default: memcpy(&number, p, sizeof number); return (double)number;
    }
}

/* Where the elements of an accessor begin; NULL: `error` says why. */
static const unsigned char *accessor_find(
    file *f, size_t index, size_t size, size_t *ret_count, size_t *ret_stride)
{
    const json_t *a =
        json_array_get(json_object_get(f->json, "accessors"), index);
    const json_t *view = json_array_get(json_object_get(f->json, "bufferViews"),
                                        json_count(a, "bufferView", SIZE_MAX));
    bool is_pressed = json_object_get(json_object_get(view, "extensions"),
                                      "EXT_meshopt_compression") != NULL;
    if (!view || json_object_get(a, "sparse") || is_pressed) {
        file_fail(f, "accessor %zu is not plain: decompress the file", index);
        return NULL;
    }
    size_t count = json_count(a, "count", 0);
    size_t stride = json_count(view, "byteStride", size);
    size_t own = json_count(a, "byteOffset", 0);
    size_t offset = json_count(view, "byteOffset", 0);
    size_t buffer = json_count(view, "buffer", SIZE_MAX);
    bool has_bytes = buffer < f->buffer_count && f->buffers[buffer];
    size_t length = has_bytes ? f->lengths[buffer] : 0;
    bool is_sane =
        size > 0 && count > 0 && count <= COUNT_MAX && stride <= STRIDE_MAX;
    bool is_within =
        own <= length && offset <= length && own + offset <= length;
    if (!is_sane || !is_within ||
        own + offset + (count - 1) * stride + size > length) {
        file_fail(f, "accessor %zu has no bytes here", index);
        return NULL;
    }
    *ret_count = count;
    *ret_stride = stride;
    return f->buffers[buffer] + own + offset;
}

/* `width` numbers an element, allocated; NULL: `error` says why. */
static double *accessor_read(file *f,
                             size_t index,
                             size_t width,
                             size_t *ret_count)
{
    const json_t *a =
        json_array_get(json_object_get(f->json, "accessors"), index);
    size_t type = json_count(a, "componentType", 0);
    size_t step = component_size(type);
    size_t count = 0, stride = 0;
    const unsigned char *from =
        accessor_find(f, index, step * width, &count, &stride);
    if (!from)
        return NULL;
    double *out = malloc(count * width * sizeof *out);
    bool normalised = json_is_true(json_object_get(a, "normalized"));
    bool finite = true;
    for (size_t i = 0; out && i < count * width; i++) {
        out[i] = component_read(from + i / width * stride + i % width * step,
                                type, normalised);
        finite = finite && isfinite(out[i]);
    }
    if (!out)
        file_fail(f, "out of memory");
    if (out && !finite)
        file_fail(f, "accessor %zu holds what is no number", index);
    if (out && finite) {
        *ret_count = count;
        return out;
    }
    free(out);
    return NULL;
}

/* ---- triangles ---- */

/* Corner i of triangle t in the order of mode 4 (list), 5 (strip) or 6
 * (fan). */
static size_t corner_index(size_t mode, size_t t, size_t i)
{
    if (mode == 4)
        return 3 * t + i;
    if (mode == 5)
        return t + i;
    return i == 0 ? 0 : t + i;
}

static size_t triangle_count(size_t mode, size_t corners)
{
    if (mode == 4)
        return corners / 3;
    return corners < 2 ? 0 : corners - 2;
}

/* Behind those that `to` has. */
static bool triangles_add(file *f,
                          gltf_mesh *to,
                          size_t mode,
                          const double *at,
                          size_t vertices,
                          const double *index,
                          size_t count)
{
    size_t more = 3 * triangle_count(mode, count);
    f->corners += more;
    if (f->corners > GLTF_CORNERS_MAX)
        return file_fail(f, "it has over %d triangles",
                         (int)GLTF_CORNERS_MAX / 3);
    point *grown =
        realloc(to->corners, (to->corner_count + more + 1) * sizeof *grown);
    if (!grown)
        return file_fail(f, "out of memory");
    to->corners = grown;
    for (size_t k = 0; k < more; k++) {
        size_t i = corner_index(mode, k / 3, k % 3);
        double vertex = index ? index[i] : (double)i;
        if (!(vertex >= 0 && vertex < (double)vertices))
            return file_fail(f, "an index has no vertex");
        const double *p = at + 3 * (size_t)vertex;
        grown[to->corner_count++] = (point){p[0], p[1], p[2]};
    }
    return true;
}

static bool primitive_read(file *f, const json_t *primitive, gltf_mesh *to)
{
    size_t mode = json_count(primitive, "mode", 4);
    if (mode < 4)
        return true; /* points and lines have no surface */
    if (json_object_get(json_object_get(primitive, "extensions"),
                        "KHR_draco_mesh_compression"))
        return file_fail(f, "its geometry is compressed: decompress the file");
    size_t count = 0, vertices = 0;
    bool has_indices = json_object_get(primitive, "indices") != NULL;
    size_t position = json_count(json_object_get(primitive, "attributes"),
                                 "POSITION", SIZE_MAX);
    double *at = accessor_read(f, position, 3, &vertices);
    double *index =
        at && has_indices
            ? accessor_read(f, json_count(primitive, "indices", SIZE_MAX), 1,
                            &count)
            : NULL;
    bool good = at && (index || !has_indices);
    good = good && triangles_add(f, to, mode, at, vertices, index,
                                 has_indices ? count : vertices);
    free(at);
    free(index);
    return good;
}

static bool meshes_read(file *f)
{
    gltf_scene *s = f->scene;
    const json_t *list = json_object_get(f->json, "meshes");
    size_t count = json_array_size(list);
    s->meshes = calloc(count + 1, sizeof *s->meshes);
    if (!s->meshes)
        return file_fail(f, "out of memory");
    s->mesh_count = count;
    for (size_t m = 0; m < count; m++) {
        const json_t *primitives =
            json_object_get(json_array_get(list, m), "primitives");
        for (size_t i = 0; i < json_array_size(primitives); i++) {
            if (!primitive_read(f, json_array_get(primitives, i),
                                &s->meshes[m]))
                return false;
        }
    }
    return true;
}

/* ---- instances ---- */

static const json_t *node_instancing(const json_t *node)
{
    return json_object_get(json_object_get(json_object_get(node, "extensions"),
                                           "EXT_mesh_gpu_instancing"),
                           "attributes");
}

/* The frames of a node's instances within it, or one that is the node's own. */
static motion *instances_read(file *f, const json_t *node, size_t *ret_count)
{
    static const char *const names[3] = {"TRANSLATION", "ROTATION", "SCALE"};
    static const size_t widths[3] = {3, 4, 3};
    const json_t *attributes = node_instancing(node);
    double *values[3] = {NULL, NULL, NULL};
    size_t count = attributes ? SIZE_MAX : 1;
    bool good = true;
    for (int k = 0; attributes && k < 3; k++) {
        size_t here = 0;
        size_t accessor = json_count(attributes, names[k], SIZE_MAX);
        if (accessor == SIZE_MAX)
            continue;
        values[k] = accessor_read(f, accessor, widths[k], &here);
        good = good && values[k];
        if (here < count)
            count = here;
    }
    motion *out =
        good && count < SIZE_MAX ? calloc(count + 1, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) {
        double t[3] = {0, 0, 0};
        double q[4] = {0, 0, 0, 1};
        double s[3] = {1, 1, 1};
        if (values[0])
            memcpy(t, values[0] + 3 * i, sizeof t);
        if (values[1])
            memcpy(q, values[1] + 4 * i, sizeof q);
        if (values[2])
            memcpy(s, values[2] + 3 * i, sizeof s);
        out[i] = motion_of(t, q, s);
    }
    for (int k = 0; k < 3; k++)
        free(values[k]);
    *ret_count = out ? count : 0;
    return out;
}

/* A mesh counts as often as it stands somewhere. */
static bool instances_place(file *f)
{
    gltf_scene *s = f->scene;
    size_t corners = 0;
    for (size_t n = 0; n < s->node_count; n++) {
        gltf_node *node = &s->nodes[n];
        if (node->root == SIZE_MAX || node->mesh == SIZE_MAX)
            continue;
        const json_t *json =
            json_array_get(json_object_get(f->json, "nodes"), n);
        node->instances = instances_read(f, json, &node->instance_count);
        if (!node->instances)
            return f->error[0] ? false
                               : file_fail(f, "its instances cannot be read");
        corners += node->instance_count * s->meshes[node->mesh].corner_count;
        if (corners > GLTF_CORNERS_MAX)
            return file_fail(f, "it shows over %d triangles",
                             (int)GLTF_CORNERS_MAX / 3);
    }
    return true;
}

bool gltf_scene_read(const char *path, gltf_scene *ret, char error[static 256])
{
    gltf_scene s = {.nodes = NULL};
    file f = {.scene = &s, .error = error};
    error[0] = '\0';
    bool good = file_parse(&f, path) && cameras_read(&f) && meshes_read(&f) &&
                nodes_read(&f);
    good = good && nodes_place(&f) && instances_place(&f);
    file_close(&f);
    if (good)
        *ret = s;
    if (!good)
        gltf_scene_free(&s);
    return good;
}

void gltf_scene_free(gltf_scene *s)
{
    for (size_t i = 0; i < s->node_count; i++) {
        free(s->nodes[i].name);
        free(s->nodes[i].instances);
    }
    for (size_t i = 0; i < s->mesh_count; i++)
        free(s->meshes[i].corners);
    for (size_t i = 0; i < s->camera_count; i++)
        free(s->cameras[i].name);
    free(s->nodes);
    free(s->meshes);
    free(s->cameras);
    *s = (gltf_scene){.nodes = NULL};
}

size_t gltf_scene_find(const gltf_scene *s, const char *name, bool *ret_several)
{
    size_t found = SIZE_MAX;
    *ret_several = false;
    for (size_t i = 0; i < s->node_count; i++) {
        const gltf_node *n = &s->nodes[i];
        if (n->root == SIZE_MAX || strcmp(n->name, name) != 0)
            continue;
        /* A thing and a part of it may bear one name: the upper one is
         * meant. */
        if (found != SIZE_MAX && gltf_scene_is_below(s, i, found))
            continue;
        if (found != SIZE_MAX && !gltf_scene_is_below(s, found, i))
            *ret_several = true;
        found = i;
    }
    return *ret_several ? SIZE_MAX : found;
}

size_t gltf_scene_camera(const gltf_scene *s, const char *name, size_t from)
{
    for (size_t i = from; i < s->node_count; i++) {
        const gltf_node *n = &s->nodes[i];
        if (n->root == SIZE_MAX || n->camera == SIZE_MAX)
            continue;
        if (!name || strcmp(n->name, name) == 0 ||
            strcmp(s->cameras[n->camera].name, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

bool gltf_scene_is_below(const gltf_scene *s, size_t node, size_t above)
{
    while (node != SIZE_MAX && node != above)
        node = s->nodes[node].parent;
    return node == above;
}
