/* A side file stays beside the file it was written for, and a unit given with
 * the command is gone with it; what moved then lies in a file whose numbers,
 * names and objects nobody can tell. So a result says in its own text how the
 * scene was read that it was made from (record.c reads it). A scene that needed
 * no such word gets none. */
#include "proto/array.h"
#include "worker/scene/export_internal.h"

#include <stdlib.h>
#include <string.h>

/* The node that shows this part in the written file, as an entry of "objects";
 * NULL when memory ends. */
static json_t *record_node(const exporting *x, uint32_t part)
{
    const struct scene_private *own = x->s->own;
    const scene_base *base = &own->bases[own->sources[part].base];
    for (uint32_t i = 0; base->split && i < x->changes.piece_count; i++) {
        const piece_change *piece = &x->changes.pieces[i];
        if (part >= piece->first_part &&
            part < piece->first_part + piece->part_count) {
            return json_integer((json_int_t)x->doc.node_count +
                                (json_int_t)i); /* as export_pieces adds them */
        }
    }
    return base->instance == SCENE_NONE
               ? json_integer(base->node)
               : json_pack("[i,i]", (int)base->node, (int)base->instance);
}

static bool record_list_has(const json_t *list, const json_t *entry)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), entry)) {
            return true;
        }
    }
    return false;
}

/* `taken` is of each base: an object has its own node already. */
static json_t *record_object(const exporting *x,
                             const scene_object *o,
                             bool *taken)
{
    json_t *list = json_array();
    for (uint32_t p = o->first_part; list && p < o->first_part + o->part_count;
         p++) {
        uint32_t base = x->s->own->sources[p].base;
        if (p > o->first_part && base == x->s->own->sources[p - 1].base &&
            !x->s->own->bases[base].split) {
            continue;
        }
        json_t *entry = record_node(x, p);
        bool is_old = entry && (json_is_array(entry) ||
                                json_integer_value(entry) <
                                    (json_int_t)x->doc.node_count);
        bool known = record_list_has(list, entry);
        if (!known && is_old) {
            known = taken[base];
            taken[base] = true;
        }
        if (!entry || (!known && json_array_append(list, entry) != 0)) {
            json_decref(entry);
            json_decref(list);
            return NULL;
        }
        json_decref(entry);
    }
    return list;
}

static json_t *record_objects(const exporting *x)
{
    json_t *objects = json_object();
    bool *taken = calloc((size_t)x->s->own->base_count + 1, sizeof *taken);
    bool ok = objects && taken;
    for (uint32_t i = 0; ok && i < x->s->object_count; i++) {
        json_t *list = record_object(x, &x->s->objects[i], taken);
        ok = list &&
             json_object_set_new(objects, x->s->objects[i].name, list) == 0;
    }
    free(taken);
    if (!ok) {
        json_decref(objects);
        return NULL;
    }
    return objects;
}

/* Nodes that were objects of their own mesh and opened at the same time must be
 * read so again. */
static json_t *record_division(const exporting *x)
{
    json_t *objects = record_objects(x);
    json_t *own = json_array();
    bool ok = objects && own;
    for (uint32_t i = 0; ok && i < x->s->own->node_count; i++) {
        if (x->s->own->nodes[i].division_rule == FATE_OWN_MESH_THEN_OPEN) {
            ok = json_array_append_new(own, json_integer(i)) == 0;
        }
    }
    json_t *division =
        ok ? json_pack("{s:O, s:O}", "objects", objects, "own", own) : NULL;
    json_decref(objects);
    json_decref(own);
    return division;
}

/* Unit and axis are written where they are not glTF's own, or were written
 * before; and a metre where the next reader would take it for another. */
static bool record_frame(const exporting *x, json_t *record)
{
    const scene *s = x->s;
    bool ok = true;
    const bool is_other = s->metres_per_unit != 1 || s->unit_is_doubtful;
    if (is_other || json_object_get(record, "unit")) {
        ok = json_object_set_new(record, "unit",
                                 json_real(s->metres_per_unit)) == 0;
    }
    if (s->up != 'Y' || json_object_get(record, "up")) {
        ok = ok &&
             json_object_set_new(record, "up", json_stringn(&s->up, 1)) == 0;
    }
    return ok;
}

bool export_division_rests_on_places(const exporting *x)
{
    const struct scene_private *own = x->s->own;
    for (uint32_t i = 0; i < x->changes.node_count; i++) {
        uint32_t at = own->nodes[x->changes.nodes[i].node].parent;
        for (; at != GLTF_NONE; at = own->nodes[at].parent) {
            if (own->nodes[at].opened_by_place)
                return true;
        }
    }
    return false;
}

/* What is known of the scene, with its objects by nodes where more than the
 * file's own nodes told which they are; where nothing moved, as it was told. */
static bool record_fill(const exporting *x, json_t *record)
{
    bool moved = x->changes.node_count + x->changes.instance_count +
                     x->changes.piece_count >
                 0;
    if (!moved)
        return record_frame(x, record);
    static const char *const dividing[] = {"splits", "groups", "names",
                                           "division"};
    bool divided = x->must_divide;
    for (size_t i = 0; i < COUNT_OF(dividing); i++) {
        divided = divided || json_object_get(record, dividing[i]);
        (void)json_object_del(record, dividing[i]); /* -1: it is not there */
    }
    bool ok = record_frame(x, record);
    if (!divided || !ok)
        return ok;
    return json_object_set_new(record, "division", record_division(x)) == 0;
}

/* Into asset.extras, which every reader keeps and none interprets. */
static bool record_write(exporting *x, const json_t *record)
{
    const char *text = x->doc.chunks.json;
    const json_t *said =
        json_object_get(json_object_get(x->doc.root, "asset"), "extras");
    json_span asset, extras;
    char *value = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER);
    export_text whole = {0};
    bool has_extras = json_is_object(said);
    if (value && json_member(text, x->root, "asset", &asset)) {
        if (!said) {
            export_text_add(&whole, "{\"etna_scene\":%s}", value);
            json_edit_set(&x->edits, text, asset, "extras",
                          whole.text ? whole.text : "{}");
        } else if (has_extras && json_member(text, asset, "extras", &extras)) {
            json_edit_set(&x->edits, text, extras, "etna_scene", value);
            /* else there is no room for it in this file, and it is read as
             * before */
        }
    }
    bool ok = value && !whole.failed;
    free(value);
    free(whole.text);
    return ok;
}

etna_code export_record(exporting *x, etna_error *err)
{
    json_t *record = NULL;
    etna_code code = record_read(&x->doc, true, &record, err);
    if (code != ETNA_OK) {
        return code;
    }
    record = record ? record : json_object();
    bool ok = record && record_fill(x, record);
    ok = ok && (json_object_size(record) == 0 || record_write(x, record));
    json_decref(record);
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM,
                          "no memory for what the result says of its scene");
}
