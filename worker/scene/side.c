/* The side file SCENE.etna.json: what a person knows about a scene and the
 * scene's file cannot say.
 *
 *   {"unit": 0.01, "up": "Z",                      metres per unit; "Y" or "Z"
 *    "static": ["sink"], "movable": ["rug"],       overrule what import decides
 *    "splits": {"terrain": {"of": 457,             its loose parts: triangles that share no corner with others,
 *        "parts": [{"name": "rock",                numbered by lowest triangle. Each entry is an object of its own;
 *                   "loose": [3, 7]}]}},           what no entry names stays "terrain". `etna scene split` writes it
 *    "groups": {"altar": ["table", "rock"]},       objects that move as one. `etna scene group` writes it
 *    "names": {"Object_7": "red bottle"},          shown instead of the file's
 *    "fronts": {"sofa": "-Z"},                     the node's own axis that is its front
 *    "descriptions": {"vase": "..."}, "categories": {"vase": "decoration"},
 *    "cameras": [{"name", "position", "target", "yfov_deg", "aspect"}]}
 *
 * A file that Etna wrote tells all of it in asset.extras.etna_scene (record.c),
 * as the scene was read that it was made from; the side file overrules it,
 * member by member. A node of the file itself can tell two of these, in its
 * extras: {"etna": {"front": "+Z", "static": true}}, as what `etna scene
 * compose` writes does; the side file overrules it.
 *
 * Objects are named as `etna scene info` lists them; a renamed one goes by its
 * new name in every other member. First objects are renamed, then split, then
 * grouped, then all else is said of what came out. */
#include "proto/array.h"
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

typedef enum member_kind {
    MEMBER_NUMBER,
    MEMBER_TEXT,
    MEMBER_NAMES,
    MEMBER_TEXTS,
    MEMBER_OBJECTS,
    MEMBER_LIST
} member_kind;

static const struct member {
    const char *key;
    member_kind kind;
    const char *form;
} members[] = {
    {"unit", MEMBER_NUMBER, "a number: the metres of one unit"},
    {"up", MEMBER_TEXT, "\"Y\" or \"Z\""},
    {"static", MEMBER_NAMES, "a list of names"},
    {"movable", MEMBER_NAMES, "a list of names"},
    {"names", MEMBER_TEXTS, "an object of texts: {\"old name\": \"new name\"}"},
    {"fronts", MEMBER_TEXTS, "an object of axes: {\"name\": \"+X\", ...}"},
    {"descriptions", MEMBER_TEXTS, "an object of texts: {\"name\": \"text\"}"},
    {"categories", MEMBER_TEXTS, "an object of texts: {\"name\": \"text\"}"},
    {"splits", MEMBER_OBJECTS,
     "an object: {\"name\": {\"of\": loose parts, \"parts\": [...]}}"},
    {"division", MEMBER_OBJECTS, "an object, as an export writes it"},
    {"groups", MEMBER_OBJECTS, "an object: {\"name\": [names of its members]}"},
    {"cameras", MEMBER_LIST,
     "a list of {\"name\", \"position\", \"target\", \"yfov_deg\", \"aspect\"}"},
};

static bool all_texts(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!json_is_string(json_array_get(list, i))) {
            return false;
        }
    }
    return json_is_array(list);
}

static etna_code check_texts(const struct member *member,
                             json_t *object,
                             etna_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value)) {
            return etna_fail(err, ETNA_E_INPUT,
                             "side file: \"%s\" of \"%.100s\" is no text",
                             member->key, key);
        }
    }
    return json_is_object(object)
               ? ETNA_OK
               : etna_fail(err, ETNA_E_INPUT, "side file: \"%s\" is not %s",
                           member->key, member->form);
}

static etna_code check_member(const struct member *member,
                              json_t *value,
                              etna_error *err)
{
    bool ok = true;
    switch (member->kind) {
    case MEMBER_NUMBER: ok = json_is_number(value); break;
    case MEMBER_TEXT: ok = json_is_string(value); break;
    case MEMBER_NAMES: ok = all_texts(value); break;
    case MEMBER_TEXTS: return check_texts(member, value, err);
    case MEMBER_OBJECTS: ok = json_is_object(value); break;
    case MEMBER_LIST: ok = json_is_array(value); break;
    }
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_INPUT, "side file: \"%s\" is not %s",
                          member->key, member->form);
}

/* A member that is not known stays in the file and is said: it may be a slip of
 * the pen, or of a later version. */
static etna_code side_check_members(importer *m, etna_error *err)
{
    const char *key;
    json_t *value;
    if (!m->side) {
        return ETNA_OK;
    }
    json_object_foreach(m->side, key, value)
    {
        size_t i = 0;
        while (i < COUNT_OF(members) && strcmp(members[i].key, key) != 0) {
            i++;
        }
        if (i == COUNT_OF(members)) {
            report_warning(
                m, "The side file's \"%.100s\" is not known; it is left alone.",
                key);
            continue;
        }
        etna_code code = check_member(&members[i], value, err);
        if (code != ETNA_OK) {
            return code;
        }
    }
    return ETNA_OK;
}

/* The file's unit and up axis, where it says them. */
static etna_code side_read_frame(const json_t *side,
                                 double *metres_per_unit,
                                 char *up,
                                 etna_error *err)
{
    const json_t *unit = json_object_get(side, "unit");
    const json_t *axis = json_object_get(side, "up");
    double metres = json_number_value(unit);
    if (unit && !(metres >= 1e-9 && metres <= 1e9)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "side file: \"unit\" is metres per unit, between 1e-9 and 1e9");
    }
    const char *letter = json_string_value(axis);
    bool is_axis =
        letter && (strcmp(letter, "Y") == 0 || strcmp(letter, "Z") == 0);
    if (axis && !is_axis) {
        return etna_fail(err, ETNA_E_INPUT,
                         "side file: \"up\" is \"Y\" or \"Z\"");
    }
    if (unit)
        *metres_per_unit = metres;
    if (axis)
        *up = letter[0];
    return ETNA_OK;
}

/* An order of who says it: the flags of the command, then the side file, then
 * the file itself, then the sizes of its things, then glTF's own. */
etna_code side_read(importer *m, etna_error *err)
{
    /* an edited copy is read as like is */
    etna_code code = record_read(&m->doc, !m->like, &m->side, err);
    if (code != ETNA_OK) {
        return code;
    }
    /* An edited copy comes without the original's side file, but its numbers
     * are the original's. */
    const double guessed = m->guessed_unit > 0 ? m->guessed_unit : 1;
    double metres = m->like ? m->like->metres_per_unit : 0;
    char axis = m->like ? m->like->up : 'Y';
    code = side_read_frame(m->side, &metres, &axis, err);
    if (code != ETNA_OK)
        return code;
    bundle_view *told = &m->doc.bundle; /* the user's own word, which rules */
    if (!told->up)
        told->up = axis;
    if (told->metres_per_unit > 0)
        metres = told->metres_per_unit;
    m->unit_is_said = metres > 0;
    m->s->metres_per_unit = metres > 0 ? metres : guessed;
    m->s->unit_is_guessed = !m->unit_is_said && m->guessed_unit > 0;
    m->s->up = told->up;
    return side_check_members(m, err);
}

/* A name that is not there is a warning and no error: a side file outlives the
 * scene's edits. */
scene_object *side_find(importer *m, const char *name)
{
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (m->objects[i].name && strcmp(m->objects[i].name, name) == 0) {
            return &m->objects[i];
        }
    }
    report_warning(
        m, "The side file speaks of \"%s\", which is no object of the scene.",
        name);
    return NULL;
}

/* The axis that a text names; zero when it names none. */
static vec3 front_axis(const char *front)
{
    static const char *const names[] = {"+X", "-X", "+Y", "-Y", "+Z",
                                        "-Z", "X",  "Y",  "Z"};
    static const vec3 axes[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                                {1, 0, 0},  {0, 1, 0},  {0, 0, 1}};
    for (size_t i = 0; front && i < COUNT_OF(axes); i++) {
        if (strcmp(front, names[i]) == 0) {
            return axes[i];
        }
    }
    return v3(0, 0, 0);
}

const json_t *side_told(const importer *m, uint32_t node)
{
    return json_object_get(
        json_object_get(json_array_get(m->doc.nodes, node), "extras"), "etna");
}

vec3 side_front(const importer *m, const scene_object *o)
{
    vec3 front =
        front_axis(gltf_text(json_object_get(m->side, "fronts"), o->name));
    bool whole = o->instance == SCENE_NONE &&
                 !m->own->bases[m->sources[o->first_part].base].split;
    return v3_length(front) > 0 || !whole
               ? front
               : front_axis(gltf_text(side_told(m, o->node), "front"));
}

bool side_front_is_seen(const importer *m, const scene_object *o)
{
    bool is_said = json_is_string(
        json_object_get(json_object_get(m->side, "fronts"), o->name));
    const char *source = gltf_text(side_told(m, o->node), "front_source");
    return !is_said && source && strcmp(source, "caption") == 0;
}

static etna_code check_fronts(importer *m, etna_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(m->side, "fronts"), key, value)
    {
        (void)side_find(m, key);
        if (v3_length(front_axis(json_string_value(value))) == 0) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: \"fronts\" of \"%.100s\" is \"%.40s\"; it is one of +X, -X, +Y, -Y, +Z, -Z",
                key, json_string_value(value));
        }
    }
    return ETNA_OK;
}

static bool side_has_object(const importer *m, const char *name)
{
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (strcmp(m->objects[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Twice: what a split makes can be renamed too. The first time, a name that is
 * not there is left for the second. */
static etna_code rename_objects(importer *m,
                                bool again,
                                bool *done,
                                etna_error *err)
{
    const char *key;
    json_t *value;
    json_t *names = json_object_get(m->side, "names");
    size_t at = 0;
    json_object_foreach(names, key, value)
    {
        if (!done[at] && (again || side_has_object(m, key))) {
            scene_object *o = side_find(m, key);
            const char *name =
                clean_name(m, json_string_value(value), ARRANGE_NAME_MAX);
            if (o && name && *name) {
                o->name = name;
            }
            m->no_memory = m->no_memory || !name;
            done[at] = true;
        }
        at++;
    }
    return names_make(m, err); /* unique again */
}

/* "movable" does not overrule what an export could not write back. */
static void set_static(importer *m, const char *member, bool is_static)
{
    const json_t *list = json_object_get(m->side, member);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        scene_object *o = name ? side_find(m, name) : NULL;
        if (!o || (o->immovable && !is_static)) {
            continue;
        }
        o->is_static = is_static;
        o->said_movable = !is_static;
        if (is_static) {
            /* without memory it is so untold */
            (void)object_set_static(m->own, o, "named so in the side file");
            continue;
        }
        const char *why = etna_arena_printf(
            &m->own->arena, "%s; movable: named so in the side file", o->why);
        o->static_why = NULL;
        o->why = why ? why : o->why;
    }
}

static void set_texts(importer *m, const char *member, bool category)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(m->side, member), key, value)
    {
        scene_object *o = side_find(m, key);
        const char *text = o && json_is_string(value)
                               ? clean_name(m, json_string_value(value), 1000)
                               : NULL;
        if (text) {
            *(category ? &o->category : &o->description) = text;
        }
    }
}

/* Names are made after each step, since the next step goes by them. */
static etna_code side_divide(importer *m, etna_error *err)
{
    bool *renamed =
        calloc(json_object_size(json_object_get(m->side, "names")) + 1,
               sizeof *renamed);
    etna_code code = renamed ? ETNA_OK
                             : etna_fail(err, ETNA_E_NOMEM,
                                         "no memory for the side file's names");
    if (code == ETNA_OK)
        code = record_divide(m, err);
    if (code == ETNA_OK)
        code = names_make(m, err);
    if (code == ETNA_OK)
        code = rename_objects(m, false, renamed, err);
    if (code == ETNA_OK)
        code = divide_split(m, err);
    if (code == ETNA_OK)
        code = names_make(m, err);
    if (code == ETNA_OK)
        code = rename_objects(m, true, renamed, err);
    if (code == ETNA_OK)
        code = divide_group(m, err);
    if (code == ETNA_OK)
        code = names_make(m, err);
    free(renamed);
    return code;
}

etna_code side_apply(importer *m, etna_error *err)
{
    if (!m->side) {
        return ETNA_OK;
    }
    /* like's division and names hold */
    etna_code code = m->like ? ETNA_OK : side_divide(m, err);
    if (code == ETNA_OK && (code = check_fronts(m, err)) == ETNA_OK) {
        set_static(m, "static", true);
        set_texts(m, "descriptions", false);
        set_texts(m, "categories", true);
    }
    return code;
}

void side_release(importer *m)
{
    set_static(m, "movable", false);
}
