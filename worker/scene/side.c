/* The side file SCENE.etna.json: what a person knows about a scene and the scene's file cannot say.
 *
 *   {"unit": 0.01, "up": "Z",                      metres per unit; "Y" or "Z"
 *    "static": ["sink"], "movable": ["rug"],       overrule what import decides
 *    "names": {"Object_7": "red bottle"},          shown instead of the file's
 *    "fronts": {"sofa": "-Z"},                     the node's own axis that is its front
 *    "descriptions": {"vase": "..."}, "categories": {"vase": "decoration"},
 *    "cameras": [{"name", "position", "target", "yfov_deg", "aspect"}]}
 *
 * Objects are named as `etna scene info` lists them; a renamed one goes by its new name in every other member. */
#include "worker/scene/private.h"

#include <stdlib.h>
#include <string.h>

etna_code side_read(making *m, etna_error *err)
{
    if (m->doc.bundle.side) {
        etna_code code =
            gltf_parse_json((const char *)m->doc.bundle.side, m->doc.bundle.side_size, "side file", &m->side, err);
        if (code != ETNA_OK) {
            return code;
        }
    }
    const json_t *unit = json_object_get(m->side, "unit"), *up = json_object_get(m->side, "up");
    double metres = json_number_value(unit);
    const char *axis = json_string_value(up);
    if (unit && !(metres >= 1e-9 && metres <= 1e9)) {
        return etna_fail(err, ETNA_E_INPUT, "side file: \"unit\" is metres per unit, between 1e-9 and 1e9");
    }
    if (up && (!axis || (strcmp(axis, "Y") != 0 && strcmp(axis, "Z") != 0))) {
        return etna_fail(err, ETNA_E_INPUT, "side file: \"up\" is \"Y\" or \"Z\"");
    }
    m->s->metres_per_unit = m->doc.bundle.metres_per_unit > 0 ? m->doc.bundle.metres_per_unit : unit ? metres : 1;
    if (!m->doc.bundle.up) {
        m->doc.bundle.up = axis ? axis[0] : 'Y';
    }
    static const char *const later[] = {"groups", "splits"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        if (json_object_get(m->side, later[i])) {
            report_warning(m, "The side file's \"%s\" is not read by this version.", later[i]);
        }
    }
    return ETNA_OK;
}

static scene_object *find(making *m, const char *name)
{
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (m->objects[i].name && strcmp(m->objects[i].name, name) == 0) {
            return &m->objects[i];
        }
    }
    report_warning(m, "The side file speaks of \"%s\", which is no object of the scene.", name);
    return NULL;
}

vec3 side_front(const making *m, const char *name)
{
    static const char *const names[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z", "X", "Y", "Z"};
    static const vec3 axes[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1},
                                {0, 0, -1}, {1, 0, 0},  {0, 1, 0}, {0, 0, 1}};
    const char *front = gltf_text(json_object_get(m->side, "fronts"), name);
    for (size_t i = 0; front && i < sizeof axes / sizeof *axes; i++) {
        if (strcmp(front, names[i]) == 0) {
            return axes[i];
        }
    }
    return v3(0, 0, 0);
}

static etna_code rename_objects(making *m, etna_error *err)
{
    const char *key;
    json_t *value, *names = json_object_get(m->side, "names");
    if (!names) {
        return ETNA_OK;
    }
    json_object_foreach(names, key, value)
    {
        const char *wanted = json_string_value(value);
        scene_object *o = find(m, key);
        if (!wanted) {
            return etna_fail(err, ETNA_E_INPUT, "side file: the name of \"%.100s\" is no text", key);
        }
        const char *name = clean_name(m, wanted, ARRANGE_NAME_MAX);
        if (o && name && *name) {
            o->name = name;
        }
        m->no_memory = m->no_memory || !name;
    }
    return names_make(m, err); /* unique again */
}

static void set_static(making *m, const char *member, bool is_static)
{
    const json_t *list = json_object_get(m->side, member);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        scene_object *o = name ? find(m, name) : NULL;
        if (!o || (o->immovable && !is_static)) {
            continue;
        }
        const char *why = etna_arena_printf(&m->own->arena, "%s; %s: named so in the side file", o->why,
                                            is_static ? "static" : "movable");
        o->is_static = is_static;
        o->why = why ? why : o->why;
    }
}

static void set_texts(making *m, const char *member, bool category)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(m->side, member), key, value)
    {
        scene_object *o = find(m, key);
        const char *text = o && json_is_string(value) ? clean_name(m, json_string_value(value), 1000) : NULL;
        if (text) {
            *(category ? &o->category : &o->description) = text;
        }
    }
}

etna_code side_apply(making *m, etna_error *err)
{
    if (!m->side) {
        return ETNA_OK;
    }
    etna_code code = rename_objects(m, err);
    if (code == ETNA_OK) {
        set_static(m, "static", true);
        set_texts(m, "descriptions", false);
        set_texts(m, "categories", true);
    }
    return code;
}

void side_release(making *m)
{
    set_static(m, "movable", false);
}
