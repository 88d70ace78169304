/* A GLB's JSON and chunk, taken apart and put together again with compressed
 * views. */
#include "tests/support/press.h"
#include "tests/support/gltf_builder.h"

#include <jansson.h>
#include <meshoptimizer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file {
    json_t *root;
    uint8_t *bin;
    size_t size;
} file;

static void must(bool ok)
{
    if (!ok) {
        abort();
    }
}

static uint32_t u32_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static file take_apart(const uint8_t *glb, size_t size)
{
    must(size >= 28);
    size_t json_size = u32_at(glb + 12),
           bin_size = u32_at(glb + 20 + json_size);
    file f = {.root = json_loadb((const char *)glb + 20, json_size, 0, NULL),
              .bin = malloc(bin_size),
              .size = bin_size};
    must(f.root && f.bin && 28 + json_size + bin_size <= size);
    memcpy(f.bin, glb + 28 + json_size, bin_size);
    return f;
}

static uint8_t *put_together(file *f, size_t *ret_size)
{
    json_t *buffer = json_array_get(json_object_get(f->root, "buffers"), 0);
    must(json_object_set_new(buffer, "byteLength",
                             json_integer((json_int_t)f->size)) == 0);
    char *text = json_dumps(f->root, JSON_COMPACT);
    must(text != NULL);
    uint8_t *glb = gltf_wrap_glb(text, f->bin, f->size, ret_size);
    free(text);
    free(f->bin);
    json_decref(f->root);
    return glb;
}

static size_t append(file *f, const uint8_t *data, size_t size)
{
    size_t begin = (f->size + 3) & ~(size_t)3;
    uint8_t *grown = realloc(f->bin, begin + size);
    must(grown != NULL);
    memset(grown + f->size, 0, begin - f->size);
    memcpy(grown + begin, data, size);
    f->bin = grown;
    f->size = begin + size;
    return begin;
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static size_t element_size(const json_t *accessor)
{
    json_int_t component = number(accessor, "componentType");
    const char *type = json_string_value(json_object_get(accessor, "type"));
    size_t one = component <= 5121 ? 1 : component <= 5123 ? 2 : 4;
    return one * (strcmp(type, "SCALAR") == 0 ? 1 : (size_t)(type[3] - '0'));
}

static const uint8_t *elements(const file *f,
                               const json_t *accessor,
                               size_t *ret_stride)
{
    const json_t *view = json_array_get(json_object_get(f->root, "bufferViews"),
                                        (size_t)number(accessor, "bufferView"));
    json_int_t stride = number(view, "byteStride");
    *ret_stride = stride ? (size_t)stride : element_size(accessor);
    return f->bin + number(view, "byteOffset") + number(accessor, "byteOffset");
}

/* ---- Draco ---- */

/* A copy of the accessor without bytes, with another count; its index. */
static json_int_t bare_accessor(file *f, json_int_t old, uint32_t count)
{
    json_t *list = json_object_get(f->root, "accessors"),
           *copy = json_deep_copy(json_array_get(list, (size_t)old));
    json_object_del(copy, "bufferView");
    json_object_del(copy, "byteOffset");
    must(json_object_set_new(copy, "count", json_integer(count)) == 0 &&
         json_array_append_new(list, copy) == 0);
    return (json_int_t)json_array_size(list) - 1;
}

static void press_primitive(file *f,
                            json_t *primitive,
                            const press_options *options)
{
    enum {
        MOST = 8
    };
    json_t *accessors = json_object_get(f->root, "accessors"),
           *attributes = json_object_get(primitive, "attributes"), *value;
    json_t *list =
        json_array_get(accessors, (size_t)number(primitive, "indices"));
    press_attribute given[MOST];
    size_t count = 0, stride, size;
    uint32_t points = 0, triangles = (uint32_t)number(list, "count") / 3,
             made_points, made_triangles;
    uint32_t *index = calloc(3 * (size_t)triangles + 1, sizeof *index);
    const uint8_t *from = elements(f, list, &stride);
    const char *key;
    must(index != NULL);
    for (size_t i = 0; i < 3 * (size_t)triangles; i++) {
        memcpy(&index[i], from + i * stride, stride);
    }
    json_object_foreach(attributes, key, value)
    {
        const json_t *a =
            json_array_get(accessors, (size_t)json_integer_value(value));
        must(count < MOST);
        given[count] = (press_attribute){
            .semantic = key, .component = (uint32_t)number(a, "componentType")};
        given[count].data = elements(f, a, &given[count].stride);
        given[count].components =
            (uint32_t)(element_size(a) / (given[count].component <= 5121 ? 1
                                          : given[count].component <= 5123
                                              ? 2
                                              : 4));
        points = (uint32_t)number(a, "count");
        count++;
    }
    uint8_t *data =
        press_draco_mesh(given, count, points, index, triangles, options, &size,
                         &made_points, &made_triangles);
    json_t *view = json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset",
                             (json_int_t)append(f, data, size), "byteLength",
                             (json_int_t)size);
    json_t *views = json_object_get(f->root, "bufferViews"),
           *ids = json_object();
    must(view && ids && json_array_append_new(views, view) == 0);
    count = 0;
    json_object_foreach(attributes, key, value)
    {
        must(json_integer_set(value, bare_accessor(f, json_integer_value(value),
                                                   made_points)) == 0 &&
             json_object_set_new(ids, key, json_integer((json_int_t)count++)) ==
                 0);
    }
    must(json_object_set_new(
             primitive, "indices",
             json_integer(bare_accessor(f, number(primitive, "indices"),
                                        3 * made_triangles))) == 0);
    must(json_object_set_new(
             primitive, "extensions",
             json_pack("{s:{s:I,s:o}}", "KHR_draco_mesh_compression",
                       "bufferView", (json_int_t)json_array_size(views) - 1,
                       "attributes", ids)) == 0);
    free(data);
    free(index);
}

static void declare(file *f, const char *name)
{
    static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
    for (int i = 0; i < 2; i++) {
        json_t *list = json_object_get(f->root, lists[i]);
        if (!list) {
            list = json_array();
            must(json_object_set_new(f->root, lists[i], list) == 0);
        }
        must(json_array_append_new(list, json_string(name)) == 0);
    }
}

uint8_t *press_draco(const uint8_t *glb,
                     size_t size,
                     const press_options *options,
                     size_t *ret_size)
{
    file f = take_apart(glb, size);
    json_t *mesh, *primitive;
    size_t i, k;
    json_array_foreach(json_object_get(f.root, "meshes"), i, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
        {
            const json_t *mode = json_object_get(primitive, "mode");
            if (json_object_get(primitive, "indices") &&
                (!mode || json_integer_value(mode) == 4)) {
                press_primitive(&f, primitive, options);
            }
        }
    }
    declare(&f, "KHR_draco_mesh_compression");
    return put_together(&f, ret_size);
}

/* ---- meshopt ---- */

static size_t encode_indices(const uint8_t *from,
                             size_t count,
                             size_t stride,
                             bool triangles,
                             uint8_t **ret)
{
    unsigned int *index = calloc(count + 1, sizeof *index);
    size_t bound = triangles ? meshopt_encodeIndexBufferBound(count, 65536)
                             : meshopt_encodeIndexSequenceBound(count, 65536);
    uint8_t *out = malloc(bound);
    must(index && out);
    for (size_t i = 0; i < count; i++) {
        memcpy(&index[i], from + i * stride, stride);
    }
    size_t size = triangles
                      ? meshopt_encodeIndexBuffer(out, bound, index, count)
                      : meshopt_encodeIndexSequence(out, bound, index, count);
    must(size > 0);
    free(index);
    *ret = out;
    return size;
}

static size_t encode_vertices(const uint8_t *from,
                              size_t count,
                              size_t stride,
                              uint8_t **ret)
{
    size_t bound = meshopt_encodeVertexBufferBound(count, stride);
    uint8_t *out = malloc(bound);
    must(out != NULL);
    size_t size = meshopt_encodeVertexBuffer(out, bound, from, count, stride);
    must(size > 0);
    *ret = out;
    return size;
}

static void press_view(file *f,
                       json_t *view,
                       size_t stride,
                       bool is_index,
                       const press_options *options,
                       json_int_t *held)
{
    size_t begin = (size_t)number(view, "byteOffset"),
           length = (size_t)number(view, "byteLength"), count = length / stride;
    bool triangles = is_index && options->triangles && count % 3 == 0;
    uint8_t *data;
    if (length % stride != 0 || (!is_index && stride % 4 != 0) || count == 0) {
        return;
    }
    size_t size =
        is_index
            ? encode_indices(f->bin + begin, count, stride, triangles, &data)
            : encode_vertices(f->bin + begin, count, stride, &data);
    memset(f->bin + begin, 0xee, length);
    json_t *ext = json_pack(
        "{s:i,s:I,s:I,s:I,s:I,s:s}", "buffer", 0, "byteOffset",
        (json_int_t)append(f, data, size), "byteLength", (json_int_t)size,
        "byteStride", (json_int_t)stride, "count", (json_int_t)count, "mode",
        !is_index   ? "ATTRIBUTES"
        : triangles ? "TRIANGLES"
                    : "INDICES");
    must(ext && json_object_set_new(view, "buffer", json_integer(1)) == 0 &&
         json_object_set_new(view, "byteOffset", json_integer(*held)) == 0 &&
         json_object_set_new(view, "extensions",
                             json_pack("{s:o}",
                                       options->apart
                                           ? "KHR_meshopt_compression"
                                           : "EXT_meshopt_compression",
                                       ext)) == 0);
    *held += (json_int_t)((length + 3) & ~(size_t)3);
    free(data);
}

uint8_t *press_meshopt(const uint8_t *glb,
                       size_t size,
                       const press_options *options,
                       size_t *ret_size)
{
    const char *name =
        options->apart ? "KHR_meshopt_compression" : "EXT_meshopt_compression";
    file f = take_apart(glb, size);
    json_t *accessors = json_object_get(f.root, "accessors"),
           *views = json_object_get(f.root, "bufferViews"), *mesh, *primitive;
    size_t i, k, count = json_array_size(views);
    json_int_t held = 0;
    /* of each view: 1 vertices, 2 indices */
    uint8_t *kind = calloc(count + 1, 1);
    size_t *stride = calloc(count + 1, sizeof *stride);
    must(kind && stride);
    json_array_foreach(json_object_get(f.root, "meshes"), i, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
        {
            const char *key;
            json_t *value, *indices = json_object_get(primitive, "indices");
            json_object_foreach(json_object_get(primitive, "attributes"), key,
                                value)
            {
                const json_t *a = json_array_get(
                    accessors, (size_t)json_integer_value(value));
                size_t view = (size_t)number(a, "bufferView");
                (void)elements(&f, a, &stride[view]);
                kind[view] = 1;
            }
            if (indices) {
                const json_t *a = json_array_get(
                    accessors, (size_t)json_integer_value(indices));
                (void)elements(&f, a, &stride[(size_t)number(a, "bufferView")]);
                kind[(size_t)number(a, "bufferView")] = 2;
            }
        }
    }
    for (i = 0; i < count; i++) {
        if (kind[i]) {
            press_view(&f, json_array_get(views, i), stride[i], kind[i] == 2,
                       options, &held);
        }
    }
    must(json_array_append_new(json_object_get(f.root, "buffers"),
                               json_pack("{s:I,s:{s:{s:b}}}", "byteLength",
                                         held, "extensions", name, "fallback",
                                         1)) == 0);
    declare(&f, name);
    free(kind);
    free(stride);
    return put_together(&f, ret_size);
}
