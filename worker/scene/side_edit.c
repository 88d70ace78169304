/* Editing a side file: read whole, one member changed, written whole. */
#include "worker/scene/scene_internal.h"
#include "worker/scene/side.h"

#include <stdlib.h>
#include <string.h>

etna_code side_of_bundle(const uint8_t *bundle,
                         size_t size,
                         const char **ret,
                         size_t *ret_size,
                         etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    bundle_view view;
    etna_code code = bundle_open(bundle, size, &arena, &view, err);
    if (code == ETNA_OK) {
        *ret = (const char *)view.side;
        *ret_size = view.side ? view.side_size : 0;
    }
    etna_arena_free(&arena);
    return code;
}

etna_code scene_loose(const scene *s,
                      uint32_t object,
                      uint32_t **ret_label,
                      uint32_t *ret_count,
                      etna_error *err)
{
    const scene_object *o = &s->objects[object];
    return components_find(s->meshes, s->parts + o->first_part, o->part_count,
                           ret_label, ret_count, err);
}

/* ---- texts ---- */

static etna_code side_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "no memory for the side file");
}

/* An empty text is an empty object: there was no side file. */
static etna_code side_edit_text(const char *side,
                                size_t size,
                                json_t **ret,
                                etna_error *err)
{
    if (side && size) {
        return gltf_parse_json(side, size, "side file", ret, err);
    }
    *ret = json_object();
    return *ret ? ETNA_OK : side_no_memory(err);
}

/* Takes the document. */
static etna_code write_text(json_t *root, char **ret, etna_error *err)
{
    char *text =
        root ? json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(root);
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        free(text);
        return side_no_memory(err);
    }
    memcpy(line + length, "\n", 2);
    *ret = line;
    return ETNA_OK;
}

/* The member, made when it is not there; NULL when memory ends or it is no
 * object. Borrowed. */
static json_t *object_member(json_t *root, const char *key)
{
    json_t *member = json_object_get(root, key);
    if (!member && json_object_set_new(root, key, json_object()) == 0) {
        member = json_object_get(root, key);
    }
    return json_is_object(member) ? member : NULL;
}

etna_code side_without_groups(const char *side,
                              size_t size,
                              bool splits,
                              char **ret_text,
                              etna_error *err)
{
    json_t *root = NULL;
    etna_code code = side_edit_text(side, size, &root, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (splits) {
        json_object_del(root, "splits");
    }
    json_object_del(root, "groups");
    return write_text(root, ret_text, err);
}

/* ---- splits ---- */

/* Clusters as lists of loose parts; SCENE_NONE stays with the rest. */
static json_t *make_parts(uint32_t component_count,
                          const uint32_t *cluster_of,
                          uint32_t cluster_count)
{
    json_t *parts = json_array();
    bool ok = parts != NULL;
    for (uint32_t c = 0; ok && c < cluster_count; c++) {
        json_t *part = json_pack("{s:[]}", "loose");
        ok = part && json_array_append_new(parts, part) == 0;
    }
    for (uint32_t i = 0; ok && i < component_count; i++) {
        if (cluster_of[i] != SCENE_NONE) {
            json_t *part = json_array_get(parts, cluster_of[i]);
            ok = part && json_array_append_new(json_object_get(part, "loose"),
                                               json_integer(i)) == 0;
        }
    }
    if (!ok) {
        json_decref(parts);
    }
    return ok ? parts : NULL;
}

/* What a person wrote of a part holds for the part that has the same loose
 * parts now. */
static bool keep_members(json_t *parts, const json_t *old)
{
    const json_t *before = json_object_get(old, "parts");
    for (size_t i = 0; i < json_array_size(parts); i++) {
        json_t *part = json_array_get(parts, i);
        json_t *components = json_object_get(part, "loose");
        const json_t *first = json_array_get(components, 0);
        for (size_t k = 0; k < json_array_size(before); k++) {
            json_t *known = json_array_get(before, k);
            json_t *list = json_object_get(known, "loose");
            if (json_equal(json_array_get(list, 0), first) &&
                json_equal(list, components) &&
                json_object_update_missing(part, known) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* No cluster: the split is taken back. */
etna_code side_with_split(const char *side,
                          size_t size,
                          const char *object,
                          uint32_t component_count,
                          const uint32_t *cluster_of,
                          uint32_t cluster_count,
                          char **ret_text,
                          etna_error *err)
{
    json_t *root = NULL, *splits, *parts, *entry;
    etna_code code = side_edit_text(side, size, &root, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (!(splits = object_member(root, "splits"))) {
        json_decref(root);
        return etna_fail(err, ETNA_E_INPUT,
                         "side file: \"splits\" is not an object");
    }
    if (cluster_count == 0) {
        json_object_del(splits, object);
        if (json_object_size(splits) == 0) {
            json_object_del(root, "splits");
        }
        return write_text(root, ret_text, err);
    }
    parts = make_parts(component_count, cluster_of, cluster_count);
    bool ok = parts && keep_members(parts, json_object_get(splits, object));
    entry = ok ? json_pack("{s:I, s:O}", "of", (json_int_t)component_count,
                           "parts", parts)
               : NULL;
    json_decref(parts);
    if (!entry || json_object_set_new(splits, object, entry) != 0) {
        json_decref(root);
        return side_no_memory(err);
    }
    return write_text(root, ret_text, err);
}

/* ---- groups ---- */

static bool side_list_has(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *member = json_string_value(json_array_get(list, i));
        if (member && strcmp(member, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_member(json_t *list, const char *name)
{
    return side_list_has(list, name) ||
           json_array_append_new(list, json_string(name)) == 0;
}

/* The members, with those of groups in the place of the groups. NULL when
 * memory ends. */
static json_t *gather_members(const json_t *groups,
                              const char *const *members,
                              uint32_t count)
{
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        const json_t *inner = json_object_get(groups, members[i]);
        for (size_t k = 0; ok && k < json_array_size(inner); k++) {
            const char *name = json_string_value(json_array_get(inner, k));
            ok = !name || add_member(list, name);
        }
        ok = ok && (inner || add_member(list, members[i]));
    }
    if (!ok) {
        json_decref(list);
    }
    return ok ? list : NULL;
}

/* An object is in one group: what joins a new one leaves its old one, and a
 * group of nobody goes. */
static void leave_groups(json_t *groups, const json_t *members)
{
    const char *key;
    json_t *list;
    void *next;
    json_object_foreach_safe(groups, next, key, list)
    {
        for (size_t i = json_array_size(list); i-- > 0;) {
            const char *name = json_string_value(json_array_get(list, i));
            if (name && side_list_has(members, name)) {
                json_array_remove(list, i);
            }
        }
        if (json_array_size(list) == 0) {
            json_object_del(groups, key);
        }
    }
}

/* A group of that name is replaced; `count` 0 dissolves it. */
etna_code side_with_group(const char *side,
                          size_t size,
                          const char *name,
                          const char *const *members,
                          uint32_t count,
                          char **ret_text,
                          etna_error *err)
{
    json_t *root = NULL, *groups;
    etna_code code = side_edit_text(side, size, &root, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (!(groups = object_member(root, "groups"))) {
        json_decref(root);
        return etna_fail(err, ETNA_E_INPUT,
                         "side file: \"groups\" is not an object");
    }
    json_t *list = gather_members(groups, members, count);
    if (list) {
        leave_groups(groups, list);
        json_object_del(groups, name);
    }
    bool ok = list && (count == 0 || json_object_set(groups, name, list) == 0);
    json_decref(list);
    if (json_object_size(groups) == 0) {
        json_object_del(root, "groups");
    }
    if (!ok) {
        json_decref(root);
        return side_no_memory(err);
    }
    return write_text(root, ret_text, err);
}
