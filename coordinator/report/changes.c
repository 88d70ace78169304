/* Reads the JSON chunk of the result's GLB itself, since this program links no
 * glTF code: only nodes' names and two lists are wanted. The file may come over
 * the wire, so every size is checked. */
#include "coordinator/report/changes.h"
#include "coordinator/report/field.h"
#include "proto/hash.h"

#include <stdlib.h>
#include <string.h>

static uint32_t changes_read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

/* The JSON chunk, if it mentions a change; NULL: it does not, or this is no
 * GLB. The words are searched first, as most results have none and parsing a
 * scene of many nodes takes a while. */
static json_t *changes_read(const uint8_t *file, size_t size)
{
    if (size < 20 || memcmp(file, "glTF", 4) != 0)
        return NULL;
    size_t text = changes_read_u32(file + 12);
    if (text > size - 20)
        return NULL;
    bool tells = memmem(file + 20, text, "etna_added", 10) ||
                 memmem(file + 20, text, "etna_removed", 12);
    return tells ? json_loadb((const char *)file + 20, text, 0, NULL) : NULL;
}

/* A text for each node that was brought in: "floor lamp: Lamp, Scopia catalog,
 * CC-BY-3.0". */
static json_t *changes_added(const json_t *root)
{
    json_t *list = json_array();
    json_t *node;
    size_t i;
    json_array_foreach(json_object_get(root, "nodes"), i, node)
    {
        const json_t *told =
            json_object_get(json_object_get(node, "extras"), "etna");
        const char *library = field_string(told, "library");
        if (!json_object_get(told, "asset"))
            continue;
        const char *untold = field_string(told, "untold");
        json_array_append_new(
            list, json_sprintf("%s: %s%s%s, %s%s%s", field_string(node, "name"),
                               field_string(told, "name"), *library ? ", " : "",
                               library, field_string(told, "licence"),
                               *untold ? "; nothing tells whether it is: " : "",
                               untold));
    }
    return list;
}

/* The names of nodes that were taken out. */
static json_t *changes_removed(const json_t *root)
{
    json_t *list = json_array();
    json_t *index;
    const json_t *extras =
        json_object_get(json_object_get(root, "asset"), "extras");
    size_t i;
    json_array_foreach(json_object_get(extras, "etna_removed"), i, index)
    {
        json_int_t at = json_integer_value(index);
        const json_t *node =
            at < 0 ? NULL
                   : json_array_get(json_object_get(root, "nodes"), (size_t)at);
        const char *name = field_string(node, "name");
        json_array_append_new(list,
                              *name ? json_string(name)
                                    : json_sprintf("node %lld", (long long)at));
    }
    return list;
}

json_t *changes_told(const json_t *document, output_fetch fetch, void *context)
{
    json_t *same = (json_t *)(uintptr_t)document;
    const char *blob =
        json_string_value(json_object_get(document, "result_blob"));
    etna_hash hash;
    uint8_t *data = NULL;
    size_t size = 0;
    if (!blob || !etna_hash_parse(blob, &hash) ||
        fetch(context, &hash, &data, &size, NULL))
        return json_incref(same);
    json_t *root = changes_read(data, size);
    free(data);
    if (!root)
        return json_incref(same);
    json_t *copy = json_copy(same);
    json_t *added = changes_added(root);
    json_t *removed = changes_removed(root);
    if (copy && json_array_size(added))
        json_object_set(copy, "brought_in", added);
    if (copy && json_array_size(removed))
        json_object_set(copy, "taken_out", removed);
    json_decref(added);
    json_decref(removed);
    json_decref(root);
    return copy;
}
