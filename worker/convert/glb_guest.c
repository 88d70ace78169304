/* Indices of one document become those of another.
 *
 * A guest is an asset's GLB that a scene takes in. glb_guest_take copies its
 * geometry, materials and pictures to the end of the host's lists, once, and
 * raises every index in the copies by the length of the list it points into;
 * glb_guest_place then makes nodes of them, as often as the asset stands in the
 * scene. What cannot be carried along (skins, instancing, pictures in other
 * files, unknown required extensions) refuses the guest with a text that begins
 * with "its", to which the caller puts the asset's name. */
#include "worker/convert/glb_guest.h"
#include "proto/array.h"
#include "worker/convert/glb_internal.h"
#include "worker/gltf/gltf.h"
#include "worker/scene/scene.h"

#include <stdlib.h>
#include <string.h>

/* Levels of a guest's nodes below one another. */
enum {
    DEPTH_MAX = 200
};

/* The bases (view, image, ...) are the lengths of the host's lists before; the
 * counts are the guest's, which its indices are checked against. `bare`:
 * without materials. */
typedef struct taking {
    glb *g;
    glb_guest *guest;
    bool bare;
    uint32_t view, view_count, accessor_count, image, image_count, sampler,
        sampler_count, texture, texture_count, material_count, mesh_count;
    etna_error *err;
} taking;

static uint32_t guest_count_of(const json_t *root, const char *key)
{
    /* bounded: json_check_bounds */
    return (uint32_t)json_array_size(json_object_get(root, key));
}

/* ---- one index ---- */

/* `key` of the object, when it is there, is raised by `base`. */
static etna_code raise_index(json_t *object,
                             const char *key,
                             uint32_t count,
                             uint32_t base,
                             const char *where,
                             etna_error *err)
{
    json_t *value = json_object_get(object, key);
    json_int_t index = json_integer_value(value);
    if (!value)
        return ETNA_OK;
    if (!json_is_integer(value) || index < 0 || index >= (json_int_t)count) {
        return etna_fail(err, ETNA_E_INPUT,
                         "\"%s\" of one of its %s is no index of what it has",
                         key, where);
    }
    return json_object_set_new(object, key, json_integer(index + base)) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for its %s", where);
}

/* Every member is an index into one list: attributes, and morph targets. */
static etna_code raise_all(json_t *object,
                           uint32_t count,
                           uint32_t base,
                           const char *where,
                           etna_error *err)
{
    const char *key;
    json_t *value;
    void *next;
    etna_code code = ETNA_OK;
    json_object_foreach_safe(object, next, key, value)
    {
        if (code == ETNA_OK)
            code = raise_index(object, key, count, base, where, err);
    }
    return code;
}

/* ---- lists ---- */

/* Changes a copied item to what it has to be in the host. */
typedef etna_code (*change)(taking *t, json_t *item);

/* Appends copies of what the guest has in that list, each changed. */
static etna_code taking_list(taking *t,
                             const char *key,
                             json_t *to,
                             change each)
{
    size_t i;
    json_t *item;
    etna_code code = ETNA_OK;
    json_array_foreach(json_object_get(t->guest->root, key), i, item)
    {
        json_t *copy = json_is_object(item) ? json_deep_copy(item) : NULL;
        if (!json_is_object(item))
            return etna_fail(t->err, ETNA_E_INPUT, "one of its %s is no object",
                             key);
        if (!copy)
            return etna_fail(t->err, ETNA_E_NOMEM, "no memory for its %s", key);
        glb_append(t->g, to, copy);
        if ((code = each(t, copy)) != ETNA_OK)
            return code;
    }
    return code;
}

/* Members that the host has no use for. */
static void guest_forget(json_t *item, const char *first, const char *second)
{
    json_object_del(item, first);
    json_object_del(item, second);
}

/* A sparse one names two more views, one of which is not in its own member. */
static etna_code take_accessor(taking *t, json_t *item)
{
    json_t *sparse = json_object_get(item, "sparse");
    guest_forget(item, "extensions", "extras");
    etna_code code = raise_index(item, "bufferView", t->view_count, t->view,
                                 "accessors", t->err);
    static const char *const parts[] = {"indices", "values"};
    for (int i = 0; code == ETNA_OK && sparse && i < 2; i++) {
        code = raise_index(json_object_get(sparse, parts[i]), "bufferView",
                           t->view_count, t->view, "accessors", t->err);
    }
    return code;
}

/* A picture in a file beside the guest would be looked for beside the host. */
static etna_code take_image(taking *t, json_t *item)
{
    const char *uri = json_string_value(json_object_get(item, "uri"));
    guest_forget(item, "extensions", "extras");
    if (uri && strncmp(uri, "data:", 5) != 0) {
        return etna_fail(
            t->err, ETNA_E_INPUT,
            "its picture \"%.100s\" is a file of its own; pack it into the GLB",
            uri);
    }
    return raise_index(item, "bufferView", t->view_count, t->view, "images",
                       t->err);
}

/* Names nothing, so it is copied as it is. */
static etna_code take_sampler(taking *t, json_t *item)
{
    (void)t;
    guest_forget(item, "extensions", "extras");
    return ETNA_OK;
}

/* Extensions such as KHR_texture_basisu have a source of their own. */
static etna_code taking_texture(taking *t, json_t *item)
{
    const char *name;
    json_t *extension;
    etna_code code = raise_index(item, "sampler", t->sampler_count, t->sampler,
                                 "textures", t->err);
    if (code == ETNA_OK)
        code = raise_index(item, "source", t->image_count, t->image, "textures",
                           t->err);
    json_object_foreach(json_object_get(item, "extensions"), name, extension)
    {
        if (code == ETNA_OK)
            code = raise_index(extension, "source", t->image_count, t->image,
                               "textures", t->err);
    }
    return code;
}

/* Every member called "...Texture" speaks of a texture, in whatever extension
 * it stands. The bounds of the text (JSON_DEPTH_MAX) are those of this walk. */
static etna_code take_textures_of(taking *t, json_t *object)
{
    const char *key;
    json_t *value;
    etna_code code = ETNA_OK;
    json_object_foreach(object, key, value)
    {
        size_t n = strlen(key);
        if (code != ETNA_OK || !json_is_object(value) ||
            strcmp(key, "extras") == 0)
            continue;
        if (n >= 7 && strcmp(key + n - 7, "Texture") == 0) {
            code = raise_index(value, "index", t->texture_count, t->texture,
                               "materials", t->err);
        } else {
            code = take_textures_of(t, value);
        }
    }
    return code;
}

/* Its attributes, indices, material and morph targets. Compressed geometry was
 * refused by import; variants of materials are left out. */
static etna_code taking_mesh(taking *t, json_t *item)
{
    size_t i, k;
    json_t *primitive, *target;
    etna_code code = ETNA_OK;
    json_object_del(item, "extensions");
    json_array_foreach(json_object_get(item, "primitives"), i, primitive)
    {
        json_object_del(
            primitive,
            /* compressed geometry is refused by import; variants stay
             * outside */
            "extensions");
        if (t->bare)
            json_object_del(primitive, "material");
        code =
            raise_all(json_object_get(primitive, "attributes"),
                      t->accessor_count, t->guest->accessor, "meshes", t->err);
        if (code == ETNA_OK)
            code = raise_index(primitive, "indices", t->accessor_count,
                               t->guest->accessor, "meshes", t->err);
        if (code == ETNA_OK)
            code = raise_index(primitive, "material", t->material_count,
                               t->guest->material, "meshes", t->err);
        json_array_foreach(json_object_get(primitive, "targets"), k, target)
        {
            if (code == ETNA_OK)
                code = raise_all(target, t->accessor_count, t->guest->accessor,
                                 "meshes", t->err);
        }
        if (code != ETNA_OK)
            return code;
    }
    return code;
}

/* ---- the binary chunk ---- */

/* Without overflow: both are checked before they are added. */
static bool view_is_within(const json_t *view, size_t size)
{
    json_int_t offset = json_integer_value(json_object_get(view, "byteOffset"));
    json_int_t length = json_integer_value(json_object_get(view, "byteLength"));
    if (offset < 0 || length < 0 || (size_t)offset > size)
        return false;
    return (size_t)length <= size - (size_t)offset;
}

/* All of it at once: views may overlap, and copies of each would let a small
 * file grow large. */
static etna_code take_views(taking *t, const gltf_chunks *chunks)
{
    size_t i;
    json_t *view;
    json_t *buffers = json_object_get(t->guest->root, "buffers");
    uint32_t whole = 0;
    if (json_array_size(buffers) > 1 ||
        json_object_get(json_array_get(buffers, 0), "uri")) {
        return etna_fail(
            t->err, ETNA_E_INPUT,
            "its buffers are not the GLB's own chunk; pack them into the GLB");
    }
    size_t begin = 0;
    if (chunks->bin_size) {
        uint8_t *to = glb_grow(t->g, chunks->bin_size, 0, &whole);
        if (!to)
            return ETNA_OK; /* the fault sticks */
        memcpy(to, chunks->bin, chunks->bin_size);
        begin = (size_t)json_integer_value(
            json_object_get(json_array_get(t->g->views, whole), "byteOffset"));
        json_array_remove(t->g->views, whole);
    }
    t->view = (uint32_t)json_array_size(t->g->views);
    json_array_foreach(json_object_get(t->guest->root, "bufferViews"), i, view)
    {
        json_int_t offset =
            json_integer_value(json_object_get(view, "byteOffset"));
        json_t *copy = json_is_object(view) ? json_copy(view) : NULL;
        if (!copy || !view_is_within(view, chunks->bin_size) ||
            json_object_get(view, "extensions")) {
            json_decref(copy);
            return etna_fail(
                t->err, ETNA_E_INPUT,
                "its buffer view %zu is compressed or leads out of its buffer",
                i);
        }
        glb_set(t->g, copy, "buffer", json_integer(0));
        glb_set(t->g, copy, "byteOffset",
                json_integer((json_int_t)begin + offset));
        glb_append(t->g, t->g->views, copy);
    }
    return ETNA_OK;
}

/* ---- extensions ---- */

/* Those whose members are carried along. */
static bool guest_carries(const char *name)
{
    static const char *const begins[] = {"KHR_materials_", "KHR_texture_",
                                         "EXT_texture_",
                                         "KHR_mesh_quantization"};
    for (size_t i = 0;
         strcmp(name, "KHR_materials_variants") != 0 && i < COUNT_OF(begins);
         i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return false;
}

/* Carries an extension along, where it can be; a required one that cannot
 * refuses the guest, but for lights, which are left out. */
static etna_code take_extension(taking *t, const char *text, bool required)
{
    const bool known = text && guest_carries(text);
    const bool light = text && strcmp(text, "KHR_lights_punctual") == 0;
    if (known && !t->bare)
        glb_uses(t->g, required ? t->g->required : t->g->used, text);
    if (!required || known || light)
        return ETNA_OK;
    return etna_fail(
        t->err, ETNA_E_INPUT,
        "it needs the extension %.60s, which cannot be composed; export it without",
        text ? text : "without a name");
}

/* Required ones last: they are in both lists, and only the second refuses. */
static etna_code take_extensions(taking *t)
{
    static const char *const keys[] = {"extensionsUsed", "extensionsRequired"};
    for (int i = 0; i < 2; i++) {
        size_t k;
        json_t *name;
        json_array_foreach(json_object_get(t->guest->root, keys[i]), k, name)
        {
            etna_code code = take_extension(t, json_string_value(name), i > 0);
            if (code != ETNA_OK)
                return code;
        }
    }
    return ETNA_OK;
}

/* ---- nodes ---- */

/* The roots of the scene that it shows; the first where it does not say. A
 * guest without scenes has none and brings nothing. */
static etna_code find_roots(glb_guest *guest, etna_error *err)
{
    json_t *scenes = json_object_get(guest->root, "scenes");
    json_int_t chosen =
        json_integer_value(json_object_get(guest->root, "scene"));
    json_t *list = json_object_get(
        json_array_get(scenes, chosen < 0 ? 0 : (size_t)chosen), "nodes");
    json_t *index;
    size_t i;
    guest->node_count = guest_count_of(guest->root, "nodes");
    guest->walked = calloc(guest->node_count + 1u, sizeof *guest->walked);
    guest->roots = calloc(json_array_size(list) + 1, sizeof *guest->roots);
    if (!guest->walked || !guest->roots)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    json_array_foreach(list, i, index)
    {
        json_int_t at = json_integer_value(index);
        if (!json_is_integer(index) || at < 0 ||
            at >= (json_int_t)guest->node_count) {
            return etna_fail(err, ETNA_E_INPUT,
                             "its scene names a node that it does not have");
        }
        guest->roots[guest->root_count++] = (uint32_t)at;
    }
    return ETNA_OK;
}

/* NULL: no such node. */
static const json_t *node_of(const glb_guest *guest, uint32_t index)
{
    return json_array_get(json_object_get(guest->root, "nodes"), index);
}

/* Then the asset's mesh can be shown by the object's own node, without one
 * below it. */
bool glb_guest_single(const glb_guest *guest, uint32_t *ret_mesh)
{
    static const char *const more[] = {"children", "matrix", "translation",
                                       "rotation", "scale",  "skin",
                                       "weights"};
    const json_t *node =
        guest->root_count == 1 ? node_of(guest, guest->roots[0]) : NULL;
    json_int_t mesh = json_integer_value(json_object_get(node, "mesh"));
    if (!json_object_get(node, "mesh") || mesh < 0 ||
        mesh >= guest_count_of(guest->root, "meshes"))
        return false;
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        if (json_object_get(node, more[i]))
            return false;
    }
    *ret_mesh = guest->mesh + (uint32_t)mesh;
    return true;
}

/* What `etna` told of the asset's only root; NULL: nothing. */
const char *glb_guest_front(const glb_guest *guest)
{
    const json_t *node =
        guest->root_count == 1 ? node_of(guest, guest->roots[0]) : NULL;
    return gltf_text(json_object_get(json_object_get(node, "extras"), "etna"),
                     "front");
}

/* A walk over the guest's nodes. The stack has grown where it had to; a level
 * deeper than DEPTH_MAX refuses the guest. */
typedef struct placing {
    glb *g;
    glb_guest *guest;
    struct {
        uint32_t node, parent, depth;
    } * stack;
    size_t top, room;
    etna_error *err;
} placing;

/* A node is walked once: a second parent or a cycle refuses the guest. */
static etna_code placing_push(placing *p,
                              uint32_t node,
                              uint32_t parent,
                              uint32_t depth)
{
    if (p->guest->walked[node] || depth > DEPTH_MAX) {
        return etna_fail(
            p->err, ETNA_E_INPUT,
            "its node %u has two parents, or its nodes nest deeper than %d",
            node, DEPTH_MAX);
    }
    if (p->top == p->room) {
        size_t room = p->room ? 2 * p->room : 64;
        void *grown = realloc(p->stack, room * sizeof *p->stack);
        if (!grown)
            return etna_fail(p->err, ETNA_E_NOMEM, "no memory for its nodes");
        p->stack = grown;
        p->room = room;
    }
    p->guest->walked[node] = true;
    p->stack[p->top].node = node;
    p->stack[p->top].parent = parent;
    p->stack[p->top++].depth = depth;
    return ETNA_OK;
}

/* In their order in the file; indices among them are still the guest's. */
static void copy_node_members(glb *g, const json_t *node, json_t *copy)
{
    static const char *const kept[] = {"name",        "mesh",     "matrix",
                                       "translation", "rotation", "scale",
                                       "weights"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)node, key, value)
    {
        for (size_t i = 0; i < COUNT_OF(kept); i++) {
            if (strcmp(key, kept[i]) == 0)
                glb_set(g, copy, key, json_deep_copy(value));
        }
    }
}

/* Makes the host's node of one of the guest's and puts its children upon the
 * stack, the last first, so that nodes keep their order. */
static etna_code placing_visit(placing *p,
                               uint32_t node,
                               uint32_t parent,
                               uint32_t depth)
{
    const json_t *own = node_of(p->guest, node);
    if (!json_is_object(own))
        return etna_fail(p->err, ETNA_E_INPUT, "its node %u is no object",
                         node);
    if (json_object_get(own, "skin") ||
        json_object_get(json_object_get(own, "extensions"),
                        "EXT_mesh_gpu_instancing")) {
        return etna_fail(
            p->err, ETNA_E_INPUT,
            "its node %u is skinned or instanced; make a plain mesh of it",
            node);
    }
    json_t *copy = json_object();
    json_t *children = json_object_get(own, "children");
    if (copy)
        copy_node_members(p->g, own, copy);
    uint32_t index = glb_add_node(p->g, parent, copy);
    etna_code code =
        raise_index(copy, "mesh", guest_count_of(p->guest->root, "meshes"),
                    p->guest->mesh, "nodes", p->err);
    for (size_t i = json_array_size(children); code == ETNA_OK && i > 0; i--) {
        const json_t *child = json_array_get(children, i - 1);
        json_int_t at = json_integer_value(child);
        if (!json_is_integer(child) || at < 0 ||
            at >= (json_int_t)p->guest->node_count) {
            return etna_fail(p->err, ETNA_E_INPUT,
                             "its node %u has a child that is not there", node);
        }
        code = placing_push(p, (uint32_t)at, index, depth + 1);
    }
    return code;
}

/* Each placing makes new nodes of the same meshes. */
etna_code glb_guest_place(glb *g,
                          glb_guest *guest,
                          uint32_t parent,
                          etna_error *err)
{
    placing p = {.g = g, .guest = guest, .err = err};
    etna_code code = ETNA_OK;
    memset(guest->walked, 0, guest->node_count * sizeof *guest->walked);
    if (json_array_size(g->nodes) + guest->node_count > SCENE_NODES_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "the scene would have more than %d nodes",
                         SCENE_NODES_MAX);
    }
    for (uint32_t i = guest->root_count; code == ETNA_OK && i > 0; i--)
        code = placing_push(&p, guest->roots[i - 1], parent, 0);
    while (code == ETNA_OK && p.top > 0) {
        p.top--;
        code = placing_visit(&p, p.stack[p.top].node, p.stack[p.top].parent,
                             p.stack[p.top].depth);
    }
    free(p.stack);
    return code;
}

/* ---- the whole ---- */

/* Materials and what they name, each after what it names. */
static etna_code take_looks(taking *t)
{
    etna_code code = taking_list(t, "images", t->g->images, take_image);
    if (code == ETNA_OK)
        code = taking_list(t, "samplers", t->g->samplers, take_sampler);
    if (code == ETNA_OK)
        code = taking_list(t, "textures", t->g->textures, taking_texture);
    if (code == ETNA_OK)
        code = taking_list(t, "materials", t->g->materials, take_textures_of);
    return code;
}

/* The bases are taken before anything is appended: what refers to them is
 * raised by them. */
static etna_code take_all(taking *t, const gltf_chunks *chunks)
{
    glb *g = t->g;
    const json_t *root = t->guest->root;
    etna_code code = take_extensions(t);
    t->view_count = guest_count_of(root, "bufferViews");
    t->accessor_count = guest_count_of(root, "accessors");
    t->image_count = guest_count_of(root, "images");
    t->sampler_count = guest_count_of(root, "samplers");
    t->texture_count = guest_count_of(root, "textures");
    t->material_count = t->bare ? 0 : guest_count_of(root, "materials");
    if (code == ETNA_OK)
        code = take_views(t, chunks);
    t->guest->accessor = (uint32_t)json_array_size(g->accessors);
    t->image = (uint32_t)json_array_size(g->images);
    t->sampler = (uint32_t)json_array_size(g->samplers);
    t->texture = (uint32_t)json_array_size(g->textures);
    t->guest->material = (uint32_t)json_array_size(g->materials);
    t->guest->mesh = (uint32_t)json_array_size(g->meshes);
    if (code == ETNA_OK)
        code = taking_list(t, "accessors", g->accessors, take_accessor);
    if (code == ETNA_OK && !t->bare)
        code = take_looks(t);
    if (code == ETNA_OK)
        code = taking_list(t, "meshes", g->meshes, taking_mesh);
    return code == ETNA_OK ? find_roots(t->guest, t->err) : code;
}

/* The host is changed even on failure, as far as it came: the caller throws it
 * away then. `data` is not needed any more afterwards. */
etna_code glb_guest_take(glb *g,
                         const uint8_t *data,
                         size_t size,
                         bool bare,
                         glb_guest *ret,
                         etna_error *err)
{
    glb_guest guest = {0};
    taking t = {.g = g, .guest = &guest, .bare = bare, .err = err};
    gltf_chunks chunks = {0};
    etna_code code = gltf_split(data, size, &chunks, err);
    if (code == ETNA_OK && !chunks.glb)
        code = etna_fail(err, ETNA_E_INPUT, "it is no GLB");
    if (code == ETNA_OK)
        code = gltf_parse_json(chunks.json, chunks.json_size, "its JSON",
                               &guest.root, err);
    if (code == ETNA_OK)
        code = take_all(&t, &chunks);
    if (code == ETNA_OK)
        guest.copyright =
            gltf_text(json_object_get(guest.root, "asset"), "copyright");
    if (code != ETNA_OK) {
        glb_guest_free(&guest);
        return code;
    }
    *ret = guest;
    return ETNA_OK;
}

/* Also of an empty one; the host keeps what it took. */
void glb_guest_free(glb_guest *guest)
{
    json_decref(guest->root);
    free(guest->roots);
    free(guest->walked);
    *guest = (glb_guest){0};
}

/* An empty text counts as none. */
static const char *text_or(const json_t *object,
                           const char *key,
                           const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : otherwise;
}

/* At most a thousand rows: a guest may have been composed itself. */
void glb_guest_credit(glb *g, const glb_guest *guest, const char *name)
{
    const json_t *asset = json_object_get(guest->root, "asset");
    json_t *list =
        json_object_get(json_object_get(asset, "extras"), "etna_credits");
    json_t *row;
    size_t i;
    json_array_foreach(list, i, row)
    {
        if (i >= 1000)
            return;
        const glb_author author = {
            text_or(row, "model", name), text_or(row, "library", ""),
            text_or(row, "author", ""), text_or(row, "licence", "not said")};
        glb_credit(g, &author);
    }
    if (json_array_size(list))
        return;
    const glb_author author = {
        name, "", "",
        guest->copyright && *guest->copyright ? guest->copyright : "not said"};
    glb_credit(g, &author);
}
