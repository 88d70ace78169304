/* The generator's GLB writer (see glb.h). JSON members grow as texts, one per
 * glTF array; they are joined at the end. */
#include "glb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t size;
    int items;
} text;

struct glb {
    text materials, meshes, nodes, cameras, accessors, views, textures, images;
    uint8_t *bin;
    size_t bin_size;
    /* glTF texture and image index + 1; 0: not used yet */
    int image_of[TEXTURE_KINDS];
    /* per material: what its texture is across, 0 without one */
    double *metres;
};

glb *glb_new(void)
{
    glb *g = shapes_grow(NULL, sizeof *g);
    memset(g, 0, sizeof *g);
    return g;
}

void glb_free(glb *g)
{
    if (!g)
        return;
    text *texts[] = {&g->materials, &g->meshes, &g->nodes,    &g->cameras,
                     &g->accessors, &g->views,  &g->textures, &g->images};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]->data);
    free(g->bin);
    free(g->metres);
    free(g);
}

__attribute__((format(printf, 2, 3))) static void say(text *t,
                                                      const char *format,
                                                      ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (size < 0 || size >= (int)sizeof line)
        abort();
    t->data = shapes_grow(t->data, t->size + (size_t)size + 1);
    memcpy(t->data + t->size, line, (size_t)size + 1);
    t->size += (size_t)size;
}

static int next_item(text *t)
{
    if (t->items > 0)
        say(t, ",\n");
    return t->items++;
}

static int add_view(glb *g, const void *data, size_t size, int target)
{
    int index = next_item(&g->views);
    say(&g->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
        g->bin_size, size);
    say(&g->views, target ? ",\"target\":%d}" : "}", target);
    size_t padded = (size + 3) & ~(size_t)3;
    g->bin = shapes_grow(g->bin, g->bin_size + padded);
    memset(g->bin + g->bin_size, 0, padded);
    memcpy(g->bin + g->bin_size, data, size);
    g->bin_size += padded;
    return index;
}

/* The glTF index of a texture; its picture is written when it is first asked
 * for. */
static int texture_index(glb *g, texture_kind kind)
{
    if (g->image_of[kind] == 0) {
        uint8_t *png;
        size_t size = texture_png(kind, &png);
        int view = add_view(g, png, size, 0);
        free(png);
        next_item(&g->images);
        say(&g->images,
            "{\"name\":\"%s\",\"mimeType\":\"image/png\",\"bufferView\":%d}",
            texture_name(kind), view);
        int index = next_item(&g->textures);
        say(&g->textures, "{\"source\":%d}", index);
        g->image_of[kind] = index + 1;
    }
    return g->image_of[kind] - 1;
}

typedef struct finish {
    double colour[4], roughness, metal, glow;
    int texture; /* a texture_kind, or -1 */
} finish;

static int add_material(glb *g, const char *name, const finish *f)
{
    int picture =
            f->texture < 0 ? -1 : texture_index(g, (texture_kind)f->texture),
        index = next_item(&g->materials);
    g->metres = shapes_grow(g->metres, (size_t)(index + 1) * sizeof *g->metres);
    g->metres[index] =
        f->texture < 0 ? 0 : texture_metres((texture_kind)f->texture);
    const double *c = f->colour;
    say(&g->materials,
        "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.9g,%.9g,%.9g,%.9g]",
        name, c[0], c[1], c[2], c[3]);
    if (picture >= 0)
        say(&g->materials, ",\"baseColorTexture\":{\"index\":%d}", picture);
    say(&g->materials, ",\"metallicFactor\":%.9g,\"roughnessFactor\":%.9g}",
        f->metal, f->roughness);
    if (f->glow > 0)
        say(&g->materials, ",\"emissiveFactor\":[%.9g,%.9g,%.9g]",
            f->glow * c[0], f->glow * c[1], f->glow * c[2]);
    if (c[3] < 1)
        say(&g->materials, ",\"alphaMode\":\"BLEND\"");
    say(&g->materials, "}");
    return index;
}

int glb_material(
    glb *g, const char *name, double red, double green, double blue)
{
    return add_material(g, name,
                        &(finish){{red, green, blue, 1}, 0.8, 0, 0, -1});
}

int glb_textured(glb *g,
                 const char *name,
                 double red,
                 double green,
                 double blue,
                 texture_kind texture)
{
    return add_material(
        g, name, &(finish){{red, green, blue, 1}, 0.8, 0, 0, (int)texture});
}

int glb_metal(glb *g, const char *name, double red, double green, double blue)
{
    return add_material(g, name,
                        &(finish){{red, green, blue, 1}, 0.35, 0.6, 0, -1});
}

int glb_glass(glb *g,
              const char *name,
              double red,
              double green,
              double blue,
              double alpha)
{
    return add_material(g, name,
                        &(finish){{red, green, blue, alpha}, 0.1, 0, 0, -1});
}

int glb_glowing(glb *g, const char *name, double red, double green, double blue)
{
    return add_material(g, name,
                        &(finish){{red, green, blue, 1}, 0.8, 0, 0.5, -1});
}

static int add_positions(glb *g, const shape *s)
{
    float low[3] = {INFINITY, INFINITY, INFINITY},
          high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 3 * s->vertex_count; i++) {
        low[i % 3] = s->position[i] < low[i % 3] ? s->position[i] : low[i % 3];
        high[i % 3] =
            s->position[i] > high[i % 3] ? s->position[i] : high[i % 3];
    }
    int view = add_view(g, s->position, s->vertex_count * 12, 34962),
        index = next_item(&g->accessors);
    say(&g->accessors,
        "{\"bufferView\":%d,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],\"max\":[%."
        "9g,%.9g,%.9g]}",
        view, s->vertex_count, (double)low[0], (double)low[1], (double)low[2],
        (double)high[0], (double)high[1], (double)high[2]);
    return index;
}

static int add_normals(glb *g, const shape *s)
{
    int view = add_view(g, s->normal, s->vertex_count * 12, 34962),
        index = next_item(&g->accessors);
    say(&g->accessors,
        "{\"bufferView\":%d,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}",
        view, s->vertex_count);
    return index;
}

/* Texture coordinates: the shape's metres in pictures of `metres` across. */
static int add_uv(glb *g, const shape *s, double metres)
{
    float *uv = shapes_grow(NULL, s->vertex_count * 8);
    for (uint32_t i = 0; i < 2 * s->vertex_count; i++)
        uv[i] = (float)((double)s->uv[i] / metres);
    int view = add_view(g, uv, s->vertex_count * 8, 34962),
        index = next_item(&g->accessors);
    free(uv);
    say(&g->accessors,
        "{\"bufferView\":%d,\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"}",
        view, s->vertex_count);
    return index;
}

static int add_indices(glb *g, const shape *s)
{
    uint16_t *narrow = shapes_grow(NULL, s->index_count * sizeof *narrow);
    for (uint32_t i = 0; i < s->index_count; i++)
        narrow[i] = (uint16_t)s->index[i];
    if (s->vertex_count > 65535)
        abort();
    int view = add_view(g, narrow, s->index_count * 2, 34963),
        index = next_item(&g->accessors);
    free(narrow);
    say(&g->accessors,
        "{\"bufferView\":%d,\"componentType\":5123,\"count\":%u,\"type\":\"SCALAR\"}",
        view, s->index_count);
    return index;
}

void glb_object(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double yaw,
                shape *shapes,
                const int *materials,
                int count)
{
    int mesh = next_item(&g->meshes);
    say(&g->meshes, "{\"name\":\"%s\",\"primitives\":[", name);
    for (int i = 0; i < count; i++) {
        int position = add_positions(g, &shapes[i]),
            normal = add_normals(g, &shapes[i]),
            index = add_indices(g, &shapes[i]);
        double metres = g->metres[materials[i]];
        say(&g->meshes, "%s{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
            i ? "," : "", position, normal);
        if (metres > 0)
            say(&g->meshes, ",\"TEXCOORD_0\":%d",
                add_uv(g, &shapes[i], metres));
        say(&g->meshes, "},\"indices\":%d,\"material\":%d}", index,
            materials[i]);
        shape_free(&shapes[i]);
    }
    say(&g->meshes, "]}");
    next_item(&g->nodes);
    say(&g->nodes,
        "{\"name\":\"%s\",\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g]", name,
        mesh, x, y, z);
    if (yaw != 0) {
        double s, c;
        shapes_sincos(yaw * 3.14159265358979323846 / 360, &s, &c);
        say(&g->nodes, ",\"rotation\":[0,%.9g,0,%.9g]", s, c);
    }
    say(&g->nodes, "}");
}

static void unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

void glb_camera(glb *g,
                const char *name,
                const double eye[3],
                const double target[3],
                double yfov_degrees)
{
    double back[3] = {eye[0] - target[0], eye[1] - target[1],
                      eye[2] - target[2]};
    unit(back);
    double right[3] = {back[2], 0, -back[0]}; /* up x back */
    unit(right);
    double up[3] = {back[1] * right[2] - back[2] * right[1],
                    back[2] * right[0] - back[0] * right[2],
                    back[0] * right[1] - back[1] * right[0]};
    int camera = next_item(&g->cameras);
    say(&g->cameras,
        "{\"name\":\"%s\",\"type\":\"perspective\",\"perspective\":{\"yfov\":%.9g,\"aspectRatio\":1.33333333,\"znear\":"
        "0.05,\"zfar\":100}}",
        name, yfov_degrees * 3.14159265358979323846 / 180);
    next_item(&g->nodes);
    say(&g->nodes,
        "{\"name\":\"%s\",\"camera\":%d,\"matrix\":[%.9g,%.9g,%.9g,0,%.9g,%.9g,%.9g,0,%.9g,%.9g,%.9g,0,%.9g,%.9g,%.9g,"
        "1]}",
        name, camera, right[0], right[1], right[2], up[0], up[1], up[2],
        back[0], back[1], back[2], eye[0], eye[1], eye[2]);
}

static void join(text *all, const char *key, const text *part)
{
    if (part->items == 0)
        return;
    size_t room = part->size + strlen(key) + 16;
    all->data = shapes_grow(all->data, all->size + room);
    all->size += (size_t)snprintf(all->data + all->size, room,
                                  ",\n\"%s\":[\n%s]", key, part->data);
}

static void put32(FILE *file, size_t value)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(value >> (8 * i) & 255), file);
}

void glb_write(const glb *g, const char *folder, const char *name)
{
    text all = {0};
    say(&all, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"etna "
              "scene-generator\"},\n\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int i = 0; i < g->nodes.items; i++)
        say(&all, i ? ",%d" : "%d", i);
    say(&all, "]}]");
    join(&all, "nodes", &g->nodes);
    join(&all, "cameras", &g->cameras);
    join(&all, "materials", &g->materials);
    join(&all, "textures", &g->textures);
    join(&all, "images", &g->images);
    join(&all, "meshes", &g->meshes);
    join(&all, "accessors", &g->accessors);
    join(&all, "bufferViews", &g->views);
    say(&all, ",\n\"buffers\":[{\"byteLength\":%zu}]}", g->bin_size);
    while (all.size % 4)
        say(&all, " ");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr,
                "scene-generator: cannot write %s: make the folder first\n",
                path);
        exit(1);
    }
    put32(file, 0x46546C67);
    put32(file, 2);
    put32(file, 12 + 8 + all.size + 8 + g->bin_size);
    put32(file, all.size);
    put32(file, 0x4E4F534A);
    fwrite(all.data, 1, all.size, file);
    put32(file, g->bin_size);
    put32(file, 0x004E4942);
    fwrite(g->bin, 1, g->bin_size, file);
    int bad = ferror(file);
    if (fclose(file) != 0 || bad) {
        fprintf(stderr,
                "scene-generator: cannot write all of %s: is the disk full?\n",
                path);
        exit(1);
    }
    free(all.data);
}
