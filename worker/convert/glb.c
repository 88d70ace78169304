/* The writer of converted scenes. The JSON is built by Jansson, the binary
 * chunk grows beside it.
 *
 * Every function appends to a list and returns the index. None returns an
 * error: the first fault is kept in the writer, all that follows does nothing
 * of use, and glb_finish reports it. Indices are those of the finished file,
 * since nothing is ever taken out again. */
#include "proto/array.h"
#include "proto/utf8.h"
#include "worker/convert/glb_internal.h"
#include "worker/gltf/gltf.h"
#include "worker/math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

glb *glb_new(void)
{
    glb *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    json_t **const parts[] = {
        &g->nodes,    &g->meshes,   &g->materials, &g->textures,
        &g->images,   &g->samplers, &g->accessors, &g->views,
        &g->cameras,  &g->lights,   &g->top,       &g->lines,
        &g->warnings, &g->credits,  &g->used,      &g->required};
    bool ok = (g->root = json_object()) != NULL;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        ok = (*parts[i] = json_array()) != NULL && ok;
    if (ok)
        return g;
    glb_free(g);
    return NULL;
}

/* Does not free what glb_finish handed over. */
void glb_free(glb *g)
{
    if (!g)
        return;
    json_t *const parts[] = {
        g->root,   g->nodes,    g->meshes,    g->materials, g->textures,
        g->images, g->samplers, g->accessors, g->views,     g->cameras,
        g->lights, g->top,      g->lines,     g->warnings,  g->credits,
        g->used,   g->required};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        json_decref(parts[i]);
    free(g->bin);
    free(g);
}

/* Keeps the first fault. */
static void glb_no_memory(glb *g)
{
    if (!g->fault.code)
        etna_fail(&g->fault, ETNA_E_NOMEM, "no memory for the converted scene");
}

/* GLB_NONE and a fault that sticks when memory ends, so callers check once, in
 * glb_finish. */
uint32_t glb_append(glb *g, json_t *list, json_t *item)
{
    if (json_array_append_new(list, item) != 0) {
        glb_no_memory(g);
        return GLB_NONE;
    }
    return (uint32_t)json_array_size(list) - 1;
}

/* Takes `value`; NULL counts as out of memory. */
void glb_set(glb *g, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        glb_no_memory(g);
}

/* `text` as valid UTF-8: bytes that are none are read as Latin-1. malloc'd,
 * NULL: no memory. */
static char *glb_text(const char *text)
{
    size_t size = strlen(text);
    char *out = malloc(2 * size + 1);
    if (out)
        out[etna_utf8_repair(text, size, out)] = 0;
    return out;
}

/* NULL: out of memory. */
static json_t *glb_text_json(const char *text)
{
    char *clean = glb_text(text);
    json_t *json = clean ? json_string(clean) : NULL;
    free(clean);
    return json;
}

/* Told in the file, for import to report; bounded in number. */
void glb_say(glb *g, bool warning, const char *format, ...)
{
    char text[512];
    va_list args;
    json_t *list = warning ? g->warnings : g->lines;
    g->converted = true;
    if (json_array_size(list) >= SAID_MAX)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    glb_append(g, list, glb_text_json(text));
}

/* ---- the binary chunk ---- */

/* Room in the binary chunk at a multiple of four, with a view of it. NULL: the
 * fault says why. The pointer is valid until the next call. */
uint8_t *glb_grow(glb *g, size_t size, int target, uint32_t *ret_view)
{
    size_t begin = (g->bin_size + 3) & ~(size_t)3;
    if (g->fault.code)
        return NULL;
    if (size > BIN_MAX - begin) {
        etna_fail(&g->fault, ETNA_E_LIMIT,
                  "the converted scene is larger than %zu bytes", BIN_MAX);
        return NULL;
    }
    assert(g->bin_size <= g->bin_room);
    if (begin + size > g->bin_room) {
        size_t room = g->bin_room ? g->bin_room : 1 << 16;
        while (room < begin + size)
            room += room / 2;
        uint8_t *bin = realloc(g->bin, room);
        if (!bin) {
            glb_no_memory(g);
            return NULL;
        }
        g->bin = bin;
        g->bin_room = room;
    }
    memset(g->bin + g->bin_size, 0, begin - g->bin_size);
    g->bin_size = begin + size;
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                             (json_int_t)begin, "byteLength", (json_int_t)size);
    if (view && target)
        glb_set(g, view, "target", json_integer(target));
    *ret_view = glb_append(g, g->views, view);
    return g->bin + begin;
}

/* Borrowed from the list; NULL after a fault. */
static json_t *glb_accessor(
    glb *g, uint32_t view, int component, uint32_t count, const char *type)
{
    json_t *a = json_pack("{s:I, s:i, s:I, s:s}", "bufferView",
                          (json_int_t)view, "componentType", component, "count",
                          (json_int_t)count, "type", type);
    glb_append(g, g->accessors, a);
    return g->fault.code ? NULL : a;
}

/* The box around points, as an accessor tells it. */
static void glb_bounds(glb *g,
                       json_t *accessor,
                       const float *values,
                       uint32_t count)
{
    double low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            double v = (double)values[3 * (size_t)i + k];
            if (i == 0 || v < low[k])
                low[k] = v;
            if (i == 0 || v > high[k])
                high[k] = v;
        }
    }
    glb_set(g, accessor, "min", json_pack("[f,f,f]", low[0], low[1], low[2]));
    glb_set(g, accessor, "max",
            json_pack("[f,f,f]", high[0], high[1], high[2]));
}

/* Floats as an attribute of a primitive; `wide` numbers a vertex. */
static void attribute(glb *g,
                      json_t *attributes,
                      const char *key,
                      const float *values,
                      uint32_t count,
                      uint32_t wide)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    uint32_t view = 0;
    assert(wide >= 1 && wide <= 4);
    size_t size = (size_t)count * wide * sizeof *values;
    uint8_t *to = glb_grow(g, size, 34962, &view);
    if (!to)
        return;
    memcpy(to, values, size);
    json_t *a = glb_accessor(g, view, 5126, count, types[wide]);
    glb_set(g, attributes, key,
            json_integer((json_int_t)json_array_size(g->accessors) - 1));
    if (a && strcmp(key, "POSITION") == 0)
        glb_bounds(g, a, values, count);
}

/* ---- what a scene is made of ---- */

/* The encoded bytes as they are; they are copied. */
uint32_t glb_picture(glb *g, const char *mime, const void *data, size_t size)
{
    uint32_t view = 0;
    uint8_t *to = glb_grow(g, size, 0, &view);
    if (!to)
        return GLB_NONE;
    if (size)
        memcpy(to, data, size);
    return glb_append(g, g->images,
                      json_pack("{s:s, s:I}", "mimeType", mime, "bufferView",
                                (json_int_t)view));
}

/* Linear filters with mipmaps (9729, 9987), repeating (10497) where nothing
 * else is said. */
static json_t *glb_put_texture(glb *g, const glb_material *m)
{
    uint32_t s = m->wrap_s ? m->wrap_s : 10497;
    uint32_t t = m->wrap_t ? m->wrap_t : 10497;
    uint32_t sampler = glb_append(
        g, g->samplers,
        json_pack("{s:i, s:i, s:I, s:I}", "magFilter", 9729, "minFilter", 9987,
                  "wrapS", (json_int_t)s, "wrapT", (json_int_t)t));
    uint32_t index =
        glb_append(g, g->textures,
                   json_pack("{s:I, s:I}", "sampler", (json_int_t)sampler,
                             "source", (json_int_t)m->picture));
    json_t *info = json_pack("{s:I}", "index", (json_int_t)index);
    if (info && m->transformed) {
        glb_uses(g, g->used, "KHR_texture_transform");
        glb_set(g, info, "extensions",
                json_pack("{s:{s:[f,f], s:[f,f]}}", "KHR_texture_transform",
                          "offset", m->offset[0], m->offset[1], "scale",
                          m->scale[0], m->scale[1]));
    }
    return info;
}

/* Doubly sided: older formats do not say, and a wall seen from behind would be
 * missing. */
uint32_t glb_add_material(glb *g, const glb_material *m)
{
    json_t *look =
        json_pack("{s:[f,f,f,f], s:f, s:f}", "baseColorFactor", m->colour[0],
                  m->colour[1], m->colour[2], m->colour[3], "metallicFactor",
                  0.0, "roughnessFactor", 0.8);
    if (look && m->picture != GLB_NONE)
        glb_set(g, look, "baseColorTexture", glb_put_texture(g, m));
    json_t *json =
        json_pack("{s:o, s:b}", "pbrMetallicRoughness", look, "doubleSided", 1);
    if (json && m->name[0])
        glb_set(g, json, "name", glb_text_json(m->name));
    if (json && (m->blend || m->cutout))
        glb_set(g, json, "alphaMode", json_string(m->blend ? "BLEND" : "MASK"));
    return glb_append(g, g->materials, json);
}

/* Empty until glb_primitive fills it; a name of "" is left out. */
uint32_t glb_mesh(glb *g, const char *name)
{
    json_t *mesh = json_pack("{s:[]}", "primitives");
    if (mesh && name[0])
        glb_set(g, mesh, "name", glb_text_json(name));
    return glb_append(g, g->meshes, mesh);
}

/* 34963 is ELEMENT_ARRAY_BUFFER, 5125 an unsigned int. */
void glb_primitive(glb *g, uint32_t mesh, const glb_triangles *t)
{
    json_t *attributes = json_object();
    json_t *primitive;
    uint32_t view = 0;
    size_t size = (size_t)t->triangle_count * 3 * sizeof *t->index;
    attribute(g, attributes, "POSITION", t->position, t->vertex_count, 3);
    if (t->normal)
        attribute(g, attributes, "NORMAL", t->normal, t->vertex_count, 3);
    if (t->uv)
        attribute(g, attributes, "TEXCOORD_0", t->uv, t->vertex_count, 2);
    if (t->colour)
        attribute(g, attributes, "COLOR_0", t->colour, t->vertex_count, 4);
    uint8_t *to = glb_grow(g, size, 34963, &view);
    if (!to) {
        json_decref(attributes);
        return;
    }
    memcpy(to, t->index, size);
    glb_accessor(g, view, 5125, t->triangle_count * 3, "SCALAR");
    primitive = json_pack("{s:o, s:I}", "attributes", attributes, "indices",
                          (json_int_t)json_array_size(g->accessors) - 1);
    if (primitive && t->material != GLB_NONE)
        glb_set(g, primitive, "material", json_integer(t->material));
    glb_append(g,
               json_object_get(json_array_get(g->meshes, mesh), "primitives"),
               primitive);
}

/* Each name stands once in the list. */
void glb_uses(glb *g, json_t *list, const char *extension)
{
    size_t i;
    json_t *known;
    json_array_foreach(list, i, known)
    {
        if (strcmp(json_string_value(known), extension) == 0)
            return;
    }
    glb_append(g, list, json_string(extension));
}

/* Below `parent`, or at the top for GLB_NONE. Takes `node`. */
uint32_t glb_add_node(glb *g, uint32_t parent, json_t *node)
{
    json_t *list = g->top;
    uint32_t index = glb_append(g, g->nodes, node);
    if (parent != GLB_NONE) {
        json_t *above = json_array_get(g->nodes, parent);
        if (!(list = json_object_get(above, "children"))) {
            list = json_array();
            glb_set(g, above, "children", list);
        }
    }
    glb_append(g, list, json_integer(index));
    return index;
}

/* The identity is not written. A number that is not finite is the document's
 * fault. */
static void glb_node_matrix(glb *g,
                            json_t *node,
                            const char *name,
                            const double matrix[16])
{
    bool is_identity = true, is_finite = true;
    for (int i = 0; i < 16; i++) {
        is_identity = is_identity && matrix[i] == (i % 5 == 0);
        is_finite = is_finite && isfinite(matrix[i]);
    }
    if (is_identity)
        return;
    if (!is_finite && !g->fault.code) {
        etna_fail(
            &g->fault, ETNA_E_INPUT,
            "the transform of node \"%.100s\" holds a number that is not finite",
            name);
    }
    json_t *numbers = json_array();
    for (int i = 0; i < 16; i++)
        glb_append(g, numbers, json_real(matrix[i]));
    glb_set(g, node, "matrix", numbers);
}

/* `matrix` by columns, NULL for none. */
uint32_t glb_node(glb *g,
                  uint32_t parent,
                  const char *name,
                  const double matrix[16],
                  uint32_t mesh)
{
    json_t *node = json_object();
    if (node && name[0])
        glb_set(g, node, "name", glb_text_json(name));
    if (node && mesh != GLB_NONE)
        glb_set(g, node, "mesh", json_integer(mesh));
    if (node && matrix)
        glb_node_matrix(g, node, name, matrix);
    return glb_add_node(g, parent, node);
}

/* Half angles make the quaternion of a turn. */
static double sin_half(double angle)
{
    double s, c;
    math_sincos(angle / 2, &s, &c);
    return s;
}

static double cos_half(double angle)
{
    double s, c;
    math_sincos(angle / 2, &s, &c);
    return c;
}

/* The yaw about Y as a quaternion. */
uint32_t glb_object(glb *g, const glb_standing *o)
{
    json_t *node = json_pack("{s:o, s:[f,f,f], s:[f,f,f,f]}", "name",
                             glb_text_json(o->name), "translation", o->at[0],
                             o->at[1], o->at[2], "rotation", 0.0,
                             sin_half(o->yaw), 0.0, cos_half(o->yaw));
    bool scaled = o->scale[0] != 1 || o->scale[1] != 1 || o->scale[2] != 1;
    if (node && scaled)
        glb_set(g, node, "scale",
                json_pack("[f,f,f]", o->scale[0], o->scale[1], o->scale[2]));
    if (node && o->mesh != GLB_NONE)
        glb_set(g, node, "mesh", json_integer(o->mesh));
    uint32_t index = glb_add_node(g, GLB_NONE, node);
    if (o->front || o->is_static)
        glb_tell(g, index, o->front, o->is_static);
    return index;
}

/* What import reads back as the object's own: its front and whether it
 * stays. */
void glb_tell(glb *g, uint32_t node, const char *front, bool is_static)
{
    json_t *said = json_object();
    if (front)
        glb_set(g, said, "front", json_string(front));
    if (is_static)
        glb_set(g, said, "static", json_true());
    glb_set(g, json_array_get(g->nodes, node), "extras",
            json_pack("{s:o}", "etna", said));
}

/* Takes `lens`. */
static void glb_put_camera(
    glb *g, uint32_t node, const char *name, const char *type, json_t *lens)
{
    json_t *json = json_pack("{s:s, s:o}", "type", type, type, lens);
    if (json && name[0])
        glb_set(g, json, "name", glb_text_json(name));
    uint32_t index = glb_append(g, g->cameras, json);
    glb_set(g, json_array_get(g->nodes, node), "camera", json_integer(index));
}

/* `yfov` in radians; aspect 0 leaves it to whoever draws. */
void glb_perspective(glb *g,
                     uint32_t node,
                     const char *name,
                     double yfov,
                     double aspect,
                     double znear)
{
    json_t *lens = json_pack("{s:f, s:f}", "yfov", yfov, "znear", znear);
    if (lens && aspect > 0)
        glb_set(g, lens, "aspectRatio", json_real(aspect));
    glb_put_camera(g, node, name, "perspective", lens);
}

/* Half the width and height of what is seen; from the camera on, as znear may
 * be 0. */
void glb_orthographic(glb *g,
                      uint32_t node,
                      const char *name,
                      double xmag,
                      double ymag,
                      double zfar)
{
    glb_put_camera(g, node, name, "orthographic",
                   json_pack("{s:f, s:f, s:f, s:f}", "xmag", xmag, "ymag", ymag,
                             "znear", 0.0, "zfar", zfar));
}

/* The inner cone is four fifths of the outer one, as specs give one angle. */
void glb_light(glb *g, uint32_t node, const glb_lamp *l)
{
    json_t *json = json_pack("{s:s, s:[f,f,f], s:f}", "type", l->kind, "color",
                             l->colour[0], l->colour[1], l->colour[2],
                             "intensity", l->intensity);
    if (json && l->cone > 0) {
        glb_set(g, json, "spot",
                json_pack("{s:f, s:f}", "innerConeAngle", l->cone * 0.8,
                          "outerConeAngle", l->cone));
    }
    uint32_t index = glb_append(g, g->lights, json);
    glb_uses(g, g->used, "KHR_lights_punctual");
    glb_set(g, json_array_get(g->nodes, node), "extensions",
            json_pack("{s:{s:I}}", "KHR_lights_punctual", "light",
                      (json_int_t)index));
}

/* Equal ones once. */
void glb_credit(glb *g, const glb_author *a)
{
    size_t i;
    json_t *known;
    json_t *row = json_object();
    glb_set(g, row, "model", glb_text_json(a->model));
    glb_set(g, row, "library", glb_text_json(a->collection));
    glb_set(g, row, "author", glb_text_json(a->author));
    glb_set(g, row, "licence", glb_text_json(a->licence));
    json_array_foreach(g->credits, i, known)
    {
        if (json_equal(known, row)) {
            json_decref(row);
            return;
        }
    }
    glb_append(g, g->credits, row);
}

/* ---- the file ---- */

/* Empty lists are not allowed in glTF. */
static void set_list(glb *g, const char *key, json_t *list)
{
    if (json_array_size(list))
        glb_set(g, g->root, key, json_incref(list));
}

/* "Chair by Ann (CC-BY); Lamp by Bob (CC-0)": what glTF has one line for. */
static json_t *copyright(const json_t *credits)
{
    size_t i, room = 1, at = 0;
    json_t *row;
    json_array_foreach(credits, i, row) room += 600;
    char *text = malloc(room);
    if (!text)
        return NULL;
    json_array_foreach(credits, i, row)
    {
        const char *author = json_string_value(json_object_get(row, "author"));
        int n = snprintf(text + at, room - at, "%s%.150s%s%.150s (%.200s)",
                         i ? "; " : "",
                         json_string_value(json_object_get(row, "model")),
                         author && *author ? " by " : "", author ? author : "",
                         json_string_value(json_object_get(row, "licence")));
        at += n > 0 && (size_t)n < room - at ? (size_t)n : 0;
    }
    /* what was cut within a character is mended */
    json_t *json = glb_text_json(text);
    free(text);
    return json;
}

/* The root from the lists; those that are empty are left out. Credits stand
 * twice: as the one line that any viewer shows, and whole for us. */
static void glb_assemble(glb *g)
{
    json_t *asset = json_pack("{s:s, s:s}", "version", "2.0", "generator",
                              "Etna " ETNA_VERSION);
    json_t *extras = json_object();
    if (g->converted) {
        glb_set(g, extras, "etna_converted",
                json_pack("{s:O, s:O}", "lines", g->lines, "warnings",
                          g->warnings));
    }
    if (json_array_size(g->credits)) {
        glb_set(g, asset, "copyright", copyright(g->credits));
        glb_set(g, extras, "etna_credits", json_incref(g->credits));
    }
    if (json_object_size(extras))
        glb_set(g, asset, "extras", json_incref(extras));
    json_decref(extras);
    glb_set(g, g->root, "asset", asset);
    set_list(g, "extensionsUsed", g->used);
    set_list(g, "extensionsRequired", g->required);
    if (json_array_size(g->lights)) {
        glb_set(
            g, g->root, "extensions",
            json_pack("{s:{s:O}}", "KHR_lights_punctual", "lights", g->lights));
    }
    glb_set(g, g->root, "scene", json_integer(0));
    glb_set(g, g->root, "scenes",
            json_array_size(g->top) ? json_pack("[{s:O}]", "nodes", g->top)
                                    : json_pack("[{}]"));
    set_list(g, "nodes", g->nodes);
    set_list(g, "meshes", g->meshes);
    set_list(g, "materials", g->materials);
    set_list(g, "textures", g->textures);
    set_list(g, "images", g->images);
    set_list(g, "samplers", g->samplers);
    set_list(g, "cameras", g->cameras);
    set_list(g, "accessors", g->accessors);
    set_list(g, "bufferViews", g->views);
    if (g->bin_size)
        glb_set(g, g->root, "buffers",
                json_pack("[{s:I}]", "byteLength", (json_int_t)g->bin_size));
}

/* The header and the two chunks into `out`, which has room for them. Sizes in
 * bytes, `text` and `bin` with their padding; bin 0: no binary chunk. */
static void glb_write(const glb *g,
                      const char *json,
                      size_t length,
                      size_t text,
                      size_t bin,
                      uint8_t *out)
{
    memcpy(out, "glTF\2\0\0\0", 8);
    gltf_put_u32(out + 8, 20 + text + (bin ? 8 + bin : 0));
    gltf_put_u32(out + 12, text);
    memcpy(out + 16, "JSON", 4);
    memcpy(out + 20, json, length);
    memset(out + 20 + length, ' ', text - length);
    if (!bin)
        return;
    gltf_put_u32(out + 20 + text, bin);
    memcpy(out + 24 + text, "BIN\0", 4);
    memcpy(out + 28 + text, g->bin, g->bin_size);
    memset(out + 28 + text + g->bin_size, 0, bin - g->bin_size);
}

/* All that went wrong before comes out here. */
etna_code glb_finish(glb *g,
                     uint8_t **ret_data,
                     size_t *ret_size,
                     etna_error *err)
{
    glb_assemble(g);
    size_t length =
        g->fault.code ? 0 : json_dumpb(g->root, NULL, 0, JSON_COMPACT);
    char *json = length ? malloc(length) : NULL;
    if (!json || json_dumpb(g->root, json, length, JSON_COMPACT) != length)
        glb_no_memory(g);
    if (g->fault.code) {
        free(json);
        return etna_fail(err, g->fault.code, "%s", g->fault.text);
    }
    size_t text = (length + 3) & ~(size_t)3;
    size_t bin = (g->bin_size + 3) & ~(size_t)3;
    size_t size = 20 + text + (bin ? 8 + bin : 0);
    uint8_t *out = size <= UINT32_MAX ? malloc(size) : NULL;
    if (out) {
        glb_write(g, json, length, text, bin, out);
        *ret_data = out;
        *ret_size = size;
    }
    free(json);
    return out ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM,
                           "no memory for a converted scene of %zu bytes",
                           size);
}
