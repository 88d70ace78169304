/* What an export writes into its file about how the scene was read
 * (export_record.c), read again:
 *
 *   "asset": {"version": "2.0", "extras": {"etna_scene": {
 *       "unit": 0.01, "up": "Z", "fronts": {...}, ...      members of a side file, as it had them
 *       "division": {"objects": {"king": [3, 12],          in place of its "splits", "groups" and "names": the nodes
 *                                "tree 4": [[7, 3]]},      that are an object, each with all below it; of instances
 *                    "own": [5]}}}}                        node and instance. "own": its mesh alone, without the nodes
 *                                                          below
 *
 * A node with a mesh that no object has shows nothing that could be arranged:
 * what was left where all was cut away. */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

etna_code record_read(const gltf_doc *doc,
                      bool text_too,
                      json_t **ret,
                      etna_error *err)
{
    const json_t *extras =
        json_object_get(json_object_get(doc->root, "asset"), "extras");
    json_t *told = text_too ? json_object_get(extras, "etna_scene") : NULL;
    json_t *side = NULL;
    if (doc->bundle.side) {
        const char *text = (const char *)doc->bundle.side;
        etna_code code = gltf_parse_json(text, doc->bundle.side_size,
                                         "side file", &side, err);
        if (code != ETNA_OK) {
            return code;
        }
    }
    bool ok = true;
    if (json_is_object(told)) {
        side = side ? side : json_object();
        ok = side && json_object_update_missing(side, told) == 0;
    }
    if (!ok) {
        json_decref(side);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for what the file says of its objects");
    }
    *ret = side;
    return ETNA_OK;
}

/* A whole number from 0 up to and without `end`. */
static bool record_number(const json_t *value, json_int_t end, uint32_t *ret)
{
    const json_int_t n = json_integer_value(value);
    const bool is = json_is_integer(value) && n >= 0 && n < end;
    if (is)
        *ret = (uint32_t)n;
    return is;
}

/* An entry's node, and instance or SCENE_NONE; false when it is none of the
 * file's. */
static bool record_entry(const importer *m,
                         const json_t *entry,
                         uint32_t *ret_node,
                         uint32_t *ret_instance)
{
    const json_t *node =
        json_is_array(entry) ? json_array_get(entry, 0) : entry;
    const json_t *instance =
        json_is_array(entry) ? json_array_get(entry, 1) : NULL;
    *ret_node = 0;
    *ret_instance = SCENE_NONE;
    const bool is_node =
        record_number(node, (json_int_t)m->own->node_count, ret_node);
    const bool is_instance =
        !instance ||
        record_number(instance, (json_int_t)SCENE_NONE, ret_instance);
    return is_node && is_instance;
}

static etna_code record_malformed(const char *name, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_INPUT,
        "\"division\" of \"%.100s\" is no list of the file's nodes", name);
}

/* What the record names is whole, or its own mesh alone where "own" has it
 * too. */
etna_code record_rules(const importer *m, division_rule *ret, etna_error *err)
{
    const json_t *division = json_object_get(m->side, "division");
    const json_t *own = json_object_get(division, "own");
    const char *name;
    json_t *list;
    uint32_t node, instance;
    json_object_foreach(json_object_get(division, "objects"), name, list)
    {
        for (size_t i = 0; i < json_array_size(list); i++) {
            if (!record_entry(m, json_array_get(list, i), &node, &instance)) {
                return record_malformed(name, err);
            }
            ret[node] = FATE_WHOLE;
        }
    }
    for (size_t i = 0; i < json_array_size(own); i++) {
        if (!record_entry(m, json_array_get(own, i), &node, &instance)) {
            return record_malformed("own", err);
        }
        ret[node] =
            ret[node] == FATE_WHOLE ? FATE_OWN_MESH_THEN_OPEN : ret[node];
    }
    return ETNA_OK;
}

/* The object that an entry is of; SCENE_NONE: none is, as the file is now. */
static uint32_t record_object_of(const importer *m,
                                 const json_t *entry,
                                 const uint32_t *object_of)
{
    uint32_t node, instance;
    if (!record_entry(m, entry, &node, &instance) ||
        object_of[node] == SCENE_NONE)
        return SCENE_NONE;
    uint32_t at = object_of[node] + (instance != SCENE_NONE ? instance : 0);
    if (at < object_of[node] || at >= m->s->object_count)
        return SCENE_NONE;
    bool is_it =
        m->objects[at].node == node && m->objects[at].instance == instance;
    return is_it ? at : SCENE_NONE;
}

/* The objects of one name get its number; the first says which they are when it
 * is alone. False: no memory. */
static bool record_name(importer *m,
                        const char *name,
                        const json_t *list,
                        const uint32_t *object_of,
                        uint32_t number,
                        uint32_t *group_of,
                        uint32_t *ret_found)
{
    scene_object *first = NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t at = record_object_of(m, json_array_get(list, i), object_of);
        if (at == SCENE_NONE || group_of[at])
            continue;
        first = first ? first : &m->objects[at];
        group_of[at] = number;
        ++*ret_found;
    }
    if (*ret_found != 1)
        return true;
    const char *clean = clean_name(m, name, ARRANGE_NAME_MAX);
    first->name = clean && *clean ? clean : first->name;
    group_of[first - m->objects] = 0; /* as it is */
    return clean != NULL;
}

/* Of each node of the file its first object; SCENE_NONE: it has none. */
static void record_index_nodes(const importer *m, uint32_t *ret_object_of)
{
    for (uint32_t i = 0; i < m->own->node_count; i++)
        ret_object_of[i] = SCENE_NONE;
    for (uint32_t i = m->s->object_count; i-- > 0;)
        ret_object_of[m->objects[i].node] = i;
}

etna_code record_divide(importer *m, etna_error *err)
{
    json_t *objects =
        json_object_get(json_object_get(m->side, "division"), "objects");
    json_t *list;
    uint32_t count = (uint32_t)json_object_size(objects);
    uint32_t number = 0;
    const char *name;
    if (count == 0) {
        return ETNA_OK;
    }
    /* of a node: its first */
    uint32_t *object_of =
        malloc(((size_t)m->own->node_count + 1) * sizeof *object_of);
    uint32_t *group_of =
        calloc((size_t)m->s->object_count + 1, sizeof *group_of);
    uint32_t *members = calloc((size_t)count + 1, sizeof *members);
    const char **names = calloc((size_t)count + 1, sizeof *names);
    bool ok = object_of && group_of && members;
    ok = ok && names;
    if (ok)
        record_index_nodes(m, object_of);
    json_object_foreach(objects, name, list)
    {
        names[++number] = name;
        ok = ok && record_name(m, name, list, object_of, number, group_of,
                               &members[number]);
        if (!ok)
            break;
    }
    etna_code code =
        ok ? divide_join(m, group_of, count, names, members, err)
           : etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects", count);
    free(object_of);
    free(group_of);
    free(members);
    free(names);
    return code;
}
