/* Reads two glTF files into a pair. The geometry is the second one's: a part that was cut off a mesh is a node there,
 * and stood where the node of the first stood that has its corners. */
#include "pair.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, COUNT_MAX = 20000000 };

typedef struct file {
    json_t *json;
    unsigned char **buffers;
    size_t *lengths;
    size_t buffer_count;
    motion *world; /* a node */
    size_t *root;  /* a node; SIZE_MAX: not in the scene */
    size_t node_count;
    char *error; /* of 256 */
} file;

static bool __attribute__((format(printf, 2, 3))) file_fail(file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(f->error, 256, format, args);
    va_end(args);
    return false;
}

static unsigned char *bytes_read(const char *path, size_t *ret_length)
{
    FILE *in = fopen(path, "rb");
    unsigned char *bytes = NULL;
    long length = -1;
    if (in && fseek(in, 0, SEEK_END) == 0) length = ftell(in);
    if (length >= 0) {
        rewind(in);
        bytes = malloc((size_t)length + 1);
    }
    if (bytes && fread(bytes, 1, (size_t)length, in) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (in) fclose(in);
    *ret_length = bytes ? (size_t)length : 0;
    return bytes;
}

static size_t json_count(const json_t *object, const char *key, size_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0) return otherwise;
    return (size_t)json_integer_value(value);
}

static bool buffers_read(file *f, const char *path, unsigned char *own, size_t own_length)
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
    if (count == 0) free(own);
    for (size_t i = 0; i < count; i++) {
        const char *uri = json_string_value(json_object_get(json_array_get(list, i), "uri"));
        if (!uri && i == 0) {
            f->buffers[0] = own;
            f->lengths[0] = own_length;
            continue;
        }
        if (i == 0) free(own);
        bool is_plain = uri && !strchr(uri, '/') && strncmp(uri, "data:", 5) != 0;
        if (!is_plain) continue; /* missed only if something is in it */
        char beside[4096];
        const char *slash = strrchr(path, '/');
        int folder = slash ? (int)(slash - path) + 1 : 0;
        snprintf(beside, sizeof beside, "%.*s%s", folder, path, uri);
        f->buffers[i] = bytes_read(beside, &f->lengths[i]);
    }
    return true;
}

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool file_parse(file *f, const char *path)
{
    size_t length = 0;
    unsigned char *bytes = bytes_read(path, &length);
    if (!bytes) return file_fail(f, "%.150s cannot be read", path);
    unsigned char *own = NULL;
    size_t own_length = 0;
    json_error_t why;
    if (length >= 20 && memcmp(bytes, "glTF", 4) == 0) {
        size_t text = word_at(bytes + 12);
        if (text > length - 20) text = length - 20;
        f->json = json_loadb((const char *)bytes + 20, text, 0, &why);
        size_t at = 20 + text;
        if (f->json && length - at > 8) {
            own_length = word_at(bytes + at);
            if (own_length > length - at - 8) own_length = length - at - 8;
            own = malloc(own_length + 1);
            if (own) memcpy(own, bytes + at + 8, own_length);
        }
    } else {
        f->json = json_loadb((const char *)bytes, length, 0, &why);
    }
    free(bytes);
    if (f->json) return buffers_read(f, path, own, own_length);
    return file_fail(f, "%.150s is no glTF: %.80s", path, why.text);
}

static void file_close(file *f)
{
    for (size_t i = 0; i < f->buffer_count; i++) free(f->buffers[i]);
    free(f->buffers);
    free(f->lengths);
    free(f->world);
    free(f->root);
    json_decref(f->json);
}

/* ---- nodes ---- */

static void numbers_read(const json_t *list, double *to, size_t count)
{
    if (json_array_size(list) != count) return;
    for (size_t i = 0; i < count; i++) to[i] = json_number_value(json_array_get(list, i));
}

static motion motion_of(const double t[3], const double q[4], const double s[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    motion a = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                 {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                 {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}},
                {t[0], t[1], t[2]}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] *= s[j];
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
        return (motion){{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}}, {v[12], v[13], v[14]}};
    }
    numbers_read(json_object_get(node, "translation"), t, 3);
    numbers_read(json_object_get(node, "rotation"), q, 4);
    numbers_read(json_object_get(node, "scale"), s, 3);
    return motion_of(t, q, s);
}

static bool node_place(file *f, size_t node, const motion *above, size_t root, int depth)
{
    if (node >= f->node_count || depth > DEPTH_MAX) return file_fail(f, "its nodes are no tree");
    const json_t *json = json_array_get(json_object_get(f->json, "nodes"), node);
    motion own = node_motion(json);
    f->world[node] = motion_after(above, &own);
    f->root[node] = root;
    const json_t *children = json_object_get(json, "children");
    for (size_t i = 0; i < json_array_size(children); i++) {
        json_int_t child = json_integer_value(json_array_get(children, i));
        if (!node_place(f, (size_t)child, &f->world[node], root, depth + 1)) return false;
    }
    return true;
}

static bool file_place(file *f)
{
    f->node_count = json_array_size(json_object_get(f->json, "nodes"));
    f->world = calloc(f->node_count + 1, sizeof *f->world);
    f->root = calloc(f->node_count + 1, sizeof *f->root);
    if (!f->world || !f->root) return file_fail(f, "out of memory");
    for (size_t i = 0; i < f->node_count; i++) f->root[i] = SIZE_MAX;
    const json_t *scenes = json_object_get(f->json, "scenes");
    const json_t *roots = json_object_get(json_array_get(scenes, json_count(f->json, "scene", 0)), "nodes");
    const motion upright = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}}; /* glTF is Y up */
    for (size_t i = 0; i < json_array_size(roots); i++) {
        json_int_t node = json_integer_value(json_array_get(roots, i));
        if (!node_place(f, (size_t)node, &upright, (size_t)node, 0)) return false;
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

static double component_read(const unsigned char *p, size_t type, bool normalised)
{
    uint32_t half = type == 5120 || type == 5121 ? p[0] : (uint32_t)p[0] | (uint32_t)p[1] << 8;
    float number = 0;
    switch (type) {
    case 5120: return normalised ? fmax((int8_t)half / 127.0, -1) : (int8_t)half;
    case 5121: return normalised ? half / 255.0 : half;
    case 5122: return normalised ? fmax((int16_t)half / 32767.0, -1) : (int16_t)half;
    case 5123: return normalised ? half / 65535.0 : half;
    case 5125: return word_at(p);
    default: memcpy(&number, p, sizeof number); return (double)number;
    }
}

/* `width` numbers an element, allocated; NULL: `error` says why. */
static double *accessor_read(file *f, size_t index, size_t width, size_t *ret_count)
{
    const json_t *a = json_array_get(json_object_get(f->json, "accessors"), index);
    size_t view_index = json_count(a, "bufferView", SIZE_MAX);
    const json_t *view = json_array_get(json_object_get(f->json, "bufferViews"), view_index);
    if (!view || json_object_get(a, "sparse")) {
        file_fail(f, "accessor %zu is not plain", index);
        return NULL;
    }
    size_t type = json_count(a, "componentType", 0);
    size_t count = json_count(a, "count", 0);
    size_t size = component_size(type) * width;
    size_t stride = json_count(view, "byteStride", size);
    size_t offset = json_count(a, "byteOffset", 0) + json_count(view, "byteOffset", 0);
    size_t buffer = json_count(view, "buffer", SIZE_MAX);
    bool has_bytes = buffer < f->buffer_count && f->buffers[buffer];
    bool is_sane = size > 0 && count > 0 && count <= COUNT_MAX && stride <= 4096;
    if (!has_bytes || !is_sane || offset + (count - 1) * stride + size > f->lengths[buffer]) {
        file_fail(f, "accessor %zu has no bytes here", index);
        return NULL;
    }
    double *out = malloc(count * width * sizeof *out);
    bool normalised = json_is_true(json_object_get(a, "normalized"));
    for (size_t i = 0; out && i < count * width; i++) {
        const unsigned char *p = f->buffers[buffer] + offset + i / width * stride + i % width * component_size(type);
        out[i] = component_read(p, type, normalised);
    }
    if (!out) file_fail(f, "out of memory");
    *ret_count = count;
    return out;
}

/* ---- triangles ---- */

typedef struct soup {
    point *corners;
    size_t count; /* of corners */
} soup;

/* Corner i of triangle t in the order of mode 4 (list), 5 (strip) or 6 (fan). */
static size_t corner_index(size_t mode, size_t t, size_t i)
{
    if (mode == 4) return 3 * t + i;
    if (mode == 5) return t + i;
    return i == 0 ? 0 : t + i;
}

static bool primitive_read(file *f, const json_t *primitive, soup *to)
{
    size_t mode = json_count(primitive, "mode", 4);
    if (mode < 4) return true; /* points and lines have no surface */
    size_t count = 0, vertices = 0;
    double *index = NULL;
    double *at =
        accessor_read(f, json_count(json_object_get(primitive, "attributes"), "POSITION", SIZE_MAX), 3, &vertices);
    if (!at) return false;
    count = vertices;
    bool good = true;
    if (json_object_get(primitive, "indices")) {
        index = accessor_read(f, json_count(primitive, "indices", SIZE_MAX), 1, &count);
        good = index != NULL;
    }
    size_t triangles = mode == 4 ? count / 3 : count < 2 ? 0 : count - 2;
    point *more = good ? realloc(to->corners, (to->count + 3 * triangles + 1) * sizeof *more) : NULL;
    if (more) to->corners = more;
    if (good && !more) good = file_fail(f, "out of memory");
    for (size_t k = 0; good && k < 3 * triangles; k++) {
        size_t i = corner_index(mode, k / 3, k % 3);
        size_t vertex = index ? (size_t)index[i] : i;
        if (vertex >= vertices) {
            good = file_fail(f, "an index has no vertex");
            break;
        }
        to->corners[to->count++] = (point){at[3 * vertex], at[3 * vertex + 1], at[3 * vertex + 2]};
    }
    free(at);
    free(index);
    return good;
}

static bool mesh_read(file *f, size_t mesh, soup *ret)
{
    *ret = (soup){NULL, 0};
    const json_t *json = json_array_get(json_object_get(f->json, "meshes"), mesh);
    const json_t *primitives = json_object_get(json, "primitives");
    for (size_t i = 0; i < json_array_size(primitives); i++) {
        const json_t *primitive = json_array_get(primitives, i);
        const json_t *extensions = json_object_get(primitive, "extensions");
        bool good = !json_object_get(extensions, "KHR_draco_mesh_compression");
        if (!good) file_fail(f, "its geometry is compressed");
        if (good && primitive_read(f, primitive, ret)) continue;
        free(ret->corners);
        *ret = (soup){NULL, 0};
        return false;
    }
    return true;
}

/* ---- instances ---- */

static const json_t *node_instancing(const json_t *node)
{
    return json_object_get(json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"),
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
        if (accessor == SIZE_MAX) continue;
        values[k] = accessor_read(f, accessor, widths[k], &here);
        good = good && values[k];
        if (here < count) count = here;
    }
    motion *out = good && count < SIZE_MAX ? calloc(count + 1, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) {
        double t[3] = {0, 0, 0};
        double q[4] = {0, 0, 0, 1};
        double s[3] = {1, 1, 1};
        if (values[0]) memcpy(t, values[0] + 3 * i, sizeof t);
        if (values[1]) memcpy(q, values[1] + 4 * i, sizeof q);
        if (values[2]) memcpy(s, values[2] + 3 * i, sizeof s);
        out[i] = motion_of(t, q, s);
    }
    for (int k = 0; k < 3; k++) free(values[k]);
    *ret_count = out ? count : 0;
    return out;
}

/* ---- the pair ---- */

static int corner_compare(const void *a, const void *b)
{
    const point *p = a;
    const point *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    return 0;
}

static bool soup_has_all(const soup *in, const soup *of)
{
    point *sorted = malloc((in->count + 1) * sizeof *sorted);
    if (!sorted) return false;
    memcpy(sorted, in->corners, in->count * sizeof *sorted);
    qsort(sorted, in->count, sizeof *sorted, corner_compare);
    bool all = true;
    for (size_t i = 0; i < of->count && all; i++) {
        all = bsearch(&of->corners[i], sorted, in->count, sizeof *sorted, corner_compare) != NULL;
    }
    free(sorted);
    return all;
}

/* The node of `f` whose mesh has all corners of `part`; SIZE_MAX: none. */
static size_t node_with(file *f, const soup *part)
{
    size_t found = SIZE_MAX;
    for (size_t n = 0; n < f->node_count && found == SIZE_MAX; n++) {
        const json_t *node = json_array_get(json_object_get(f->json, "nodes"), n);
        size_t mesh = json_count(node, "mesh", SIZE_MAX);
        soup all;
        if (mesh == SIZE_MAX || !mesh_read(f, mesh, &all)) continue;
        if (all.count >= part->count && soup_has_all(&all, part)) found = n;
        free(all.corners);
    }
    return found;
}

static char *node_name(const file *f, size_t n, size_t instance, size_t instances)
{
    const json_t *node = json_array_get(json_object_get(f->json, "nodes"), n);
    const char *name = json_string_value(json_object_get(node, "name"));
    size_t mesh = json_count(node, "mesh", SIZE_MAX);
    const json_t *meshes = json_object_get(f->json, "meshes");
    if (!name) name = json_string_value(json_object_get(json_array_get(meshes, mesh), "name"));
    char text[300];
    snprintf(text, sizeof text, "%.200s", name ? name : "");
    if (!name) snprintf(text, sizeof text, "node %zu", n);
    size_t length = strlen(text);
    if (instances > 1) snprintf(text + length, sizeof text - length, " [%zu]", instance);
    return strdup(text);
}

static bool pair_add(pair *p, const soup *mesh, const file *f, size_t n, size_t i, size_t count, motion before,
                     motion after)
{
    if ((p->count & (p->count + 1)) == 0) {
        piece *more = realloc(p->pieces, (2 * p->count + 2) * sizeof *more);
        if (!more) return false;
        p->pieces = more;
    }
    piece *to = &p->pieces[p->count];
    *to = (piece){.triangles = mesh->count / 3, .before = before, .after = after};
    to->corners = malloc((mesh->count + 1) * sizeof *to->corners);
    to->name = node_name(f, n, i, count);
    to->root = node_name(f, f->root[n], 0, 1);
    p->count++;
    if (!to->corners || !to->name || !to->root) return false;
    memcpy(to->corners, mesh->corners, mesh->count * sizeof *to->corners);
    return true;
}

/* All instances of node n of the result. */
static bool pair_add_node(pair *p, file *before, file *after, size_t n, const soup *mesh)
{
    const json_t *nodes = json_object_get(before->json, "nodes");
    size_t old = n < before->node_count && before->root[n] != SIZE_MAX ? n : node_with(before, mesh);
    if (old == SIZE_MAX) return true; /* it was not there before: nothing to compare it with */
    size_t count = 0, old_count = 0;
    motion *now = instances_read(after, json_array_get(json_object_get(after->json, "nodes"), n), &count);
    motion *then = instances_read(before, json_array_get(nodes, old), &old_count);
    bool good = now && then;
    if (!good && !after->error[0]) file_fail(after, "its instances cannot be read");
    for (size_t i = 0; good && i < count; i++) {
        size_t k = i < old_count ? i : 0;
        motion to = motion_after(&after->world[n], &now[i]);
        motion from = motion_after(&before->world[old], &then[k]);
        good = pair_add(p, mesh, after, n, i, count, from, to);
        if (!good) file_fail(after, "out of memory");
    }
    free(now);
    free(then);
    return good;
}

bool pair_read(const char *before_path, const char *after_path, pair *ret, char error[static 256])
{
    pair p = {NULL, 0};
    file before = {.error = error};
    file after = {.error = error};
    error[0] = '\0';
    bool good = file_parse(&before, before_path) && file_place(&before) && file_parse(&after, after_path);
    good = good && file_place(&after);
    for (size_t n = 0; good && n < after.node_count; n++) {
        const json_t *node = json_array_get(json_object_get(after.json, "nodes"), n);
        size_t mesh = json_count(node, "mesh", SIZE_MAX);
        if (after.root[n] == SIZE_MAX || mesh == SIZE_MAX) continue;
        soup triangles;
        good = mesh_read(&after, mesh, &triangles);
        if (good && triangles.count) good = pair_add_node(&p, &before, &after, n, &triangles);
        free(triangles.corners);
    }
    file_close(&before);
    file_close(&after);
    if (good) *ret = p;
    if (!good) pair_free(&p);
    return good;
}

void pair_free(pair *p)
{
    for (size_t i = 0; p && i < p->count; i++) {
        free(p->pieces[i].name);
        free(p->pieces[i].root);
        free(p->pieces[i].corners);
    }
    if (p) free(p->pieces);
    if (p) *p = (pair){NULL, 0};
}
