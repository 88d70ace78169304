/* Accessors that several Draco primitives share though each has data of its
 * own. Only the document changes: the file's text stays, and an export writes
 * from that. */
#include "worker/gltf/gltf.h"

#include <string.h>

/* Of one of the file's accessors: the Draco bufferView that fills it, and the
 * view that fills its last copy; both + 1, 0: none. Primitives that share data
 * come one after the other, so the last copy is the one that fits. */
typedef struct fill {
    uint32_t view, copy_view, copy;
} fill;

typedef struct sharing {
    gltf_doc *doc;
    fill *fills;
    uint32_t room; /* of copied_from */
} sharing;

static etna_code copies_grow(sharing *s, uint32_t count, etna_error *err)
{
    if (count < s->room)
        return ETNA_OK;
    uint32_t room = s->room ? s->room * 2 : 64;
    uint32_t *more = etna_arena_alloc(&s->doc->arena, room, sizeof *more);
    if (!more)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u accessors", room);
    if (count > 0)
        memcpy(more, s->doc->copied_from, count * sizeof *more);
    s->doc->copied_from = more;
    s->room = room;
    return ETNA_OK;
}

static etna_code accessor_copy(sharing *s,
                               uint32_t accessor,
                               uint32_t *ret,
                               etna_error *err)
{
    gltf_doc *doc = s->doc;
    uint32_t count = doc->accessor_count - doc->own_accessor_count;
    if (doc->accessor_count >= GLTF_LIST_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "accessors with the copies of shared ones are more than the %d this reads",
            (int)GLTF_LIST_MAX);
    etna_code code = copies_grow(s, count, err);
    if (code != ETNA_OK)
        return code;
    json_t *copy = json_copy(json_array_get(doc->accessors, accessor));
    if (json_array_append_new(doc->accessors, copy) != 0)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an accessor");
    doc->copied_from[count] = accessor;
    *ret = doc->accessor_count++;
    return ETNA_OK;
}

/* The accessor that `object` names by `key` is filled from `view`: another one
 * is named when the file's is filled from elsewhere. */
static etna_code member_part(
    sharing *s, json_t *object, const char *key, uint32_t view, etna_error *err)
{
    uint32_t accessor;
    if (gltf_index(object, key, s->doc->own_accessor_count, "", &accessor,
                   NULL) != ETNA_OK ||
        accessor == GLTF_NONE ||
        json_object_get(json_array_get(s->doc->accessors, accessor),
                        "bufferView"))
        return ETNA_OK;
    fill *f = &s->fills[accessor];
    if (!f->view)
        f->view = view + 1;
    if (f->view == view + 1)
        return ETNA_OK;
    if (f->copy_view != view + 1) {
        etna_code code = accessor_copy(s, accessor, &f->copy, err);
        if (code != ETNA_OK)
            return code;
        f->copy_view = view + 1;
    }
    return json_object_set_new(object, key, json_integer(f->copy)) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for an accessor");
}

/* What is wrong with a primitive is told when it is decoded, not here. */
static etna_code primitive_part(sharing *s, json_t *primitive, etna_error *err)
{
    const json_t *extension =
        gltf_extension(primitive, "KHR_draco_mesh_compression");
    json_t *attributes = json_object_get(primitive, "attributes");
    /* iterating takes it as not constant */
    json_t *named = json_object_get(extension, "attributes");
    const char *key;
    json_t *id;
    uint32_t view;
    if (!gltf_draco_only(s->doc, primitive) ||
        gltf_index(extension, "bufferView", s->doc->view_count, "", &view,
                   NULL) != ETNA_OK ||
        view == GLTF_NONE)
        return ETNA_OK;
    etna_code code = member_part(s, primitive, "indices", view, err);
    json_object_foreach(named, key, id)
    {
        (void)id;
        if (code == ETNA_OK)
            code = member_part(s, attributes, key, view, err);
    }
    return code;
}

etna_code gltf_part_shared(gltf_doc *doc, etna_error *err)
{
    sharing s = {.doc = doc};
    etna_code code = ETNA_OK;
    doc->own_accessor_count = doc->accessor_count;
    s.fills =
        etna_arena_alloc(&doc->arena, doc->accessor_count, sizeof *s.fills);
    if (!s.fills)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u accessors",
                         doc->accessor_count);
    for (uint32_t i = 0; i < doc->mesh_count; i++) {
        const json_t *list =
            json_object_get(json_array_get(doc->meshes, i), "primitives");
        for (size_t k = 0; code == ETNA_OK && k < json_array_size(list); k++)
            code = primitive_part(&s, json_array_get(list, k), err);
    }
    return code;
}

uint32_t gltf_file_accessor(const gltf_doc *doc, uint32_t index)
{
    return index < doc->own_accessor_count
               ? index
               : doc->copied_from[index - doc->own_accessor_count];
}
