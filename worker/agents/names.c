/* See names.h. */
#include "worker/agents/names.h"

#include "proto/array.h"
#include "worker/agents/plain.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The only object whose folded name `fits`; SCENE_NONE: none, or several. */
typedef bool name_fits(const char *folded, const char *wanted);

/* Names are folded (plain_name): case, accents and separators do not count. Two
 * that fit are none, since one would be a guess. */
static uint32_t only_object(const scene *s, const char *wanted, name_fits *fits)
{
    uint32_t found = SCENE_NONE, count = 0;
    for (uint32_t i = 0; i < s->object_count && count < 2; i++) {
        etna_arena scratch = ETNA_ARENA_INIT;
        const char *folded = plain_name(s->objects[i].name, &scratch);
        if (folded && fits(folded, wanted)) {
            found = i;
            count++;
        }
        etna_arena_free(&scratch);
    }
    return count == 1 ? found : SCENE_NONE;
}

static bool is_same(const char *folded, const char *wanted)
{
    return strcmp(folded, wanted) == 0;
}

/* Blanks do not count. */
static const char *next_letter(const char *at)
{
    return at + strspn(at, " ");
}

/* "redbottle" for "red bottle". */
static bool is_same_joined(const char *folded, const char *wanted)
{
    folded = next_letter(folded);
    wanted = next_letter(wanted);
    while (*folded && *folded == *wanted) {
        folded = next_letter(folded + 1);
        wanted = next_letter(wanted + 1);
    }
    return !*folded && !*wanted;
}

/* Behind "plane: ", "name=" or "object ", which says what it is. */
static const char *behind_kind(const char *wanted)
{
    static const char *const kinds[] = {"plane", "object", "surface", "target",
                                        "name"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t size = strlen(kinds[i]);
        bool is_kind = strncmp(wanted, kinds[i], size) == 0 && wanted[size] &&
                       strchr(":= ", wanted[size]);
        if (is_kind)
            return wanted + size + strspn(wanted + size, ":= ");
    }
    return wanted;
}

/* Without what it is and an article before the name, and a remark in brackets
 * behind it: "the red bottle (id: 7)". */
static const char *name_core(const char *wanted, etna_arena *arena)
{
    wanted = behind_kind(wanted);
    bool has_article = strncmp(wanted, "the ", 4) == 0;
    const char *from = has_article ? wanted + 4 : wanted;
    const char *remark = strstr(from, " (");
    size_t size = strlen(from);
    bool has_remark = remark && remark > from && from[size - 1] == ')';
    return etna_arena_strndup(arena, from,
                              has_remark ? (size_t)(remark - from) : size);
}

/* From the exact name to looser and looser ones; SCENE_NONE: none, or several
 * are meant. */
uint32_t names_object(const scene *s, const char *name)
{
    uint32_t exact = scene_find_object(s, name);
    if (exact != SCENE_NONE)
        return exact;
    etna_arena scratch = ETNA_ARENA_INIT;
    const char *wanted = plain_name(name, &scratch);
    uint32_t found =
        wanted && *wanted ? only_object(s, wanted, is_same) : SCENE_NONE;
    if (wanted && *wanted && found == SCENE_NONE) {
        const char *core = name_core(wanted, &scratch);
        if (core && *core)
            found = only_object(s, core, is_same);
        if (core && *core && found == SCENE_NONE)
            found = only_object(s, core, is_same_joined);
    }
    etna_arena_free(&scratch);
    return found;
}

/* Whether what was said can be this name. */
bool names_mean(const char *said, const char *name)
{
    etna_arena scratch = ETNA_ARENA_INIT;
    const char *wanted = plain_name(said, &scratch);
    const char *folded = plain_name(name, &scratch);
    const char *core = wanted ? name_core(wanted, &scratch) : NULL;
    bool same = folded && wanted && is_same(folded, wanted);
    if (folded && core)
        same = same || is_same(folded, core);
    etna_arena_free(&scratch);
    return same;
}

/* NULL: it is spelt well, or no object. */
static json_t *spell_object(const scene *s, const char *name)
{
    uint32_t object = names_object(s, name);
    bool other =
        object != SCENE_NONE && strcmp(s->objects[object].name, name) != 0;
    return other ? json_string(s->objects[object].name) : NULL;
}

/* ---- planes ---- */

/* What the top of an object is called. */
static bool says_top(const char *rest)
{
    static const char *const words[] = {
        "up",       "top",      "top surface", "upper surface",
        "top face", "top side", "upper side"};
    return WORD_IS_OF(rest, words);
}

/* Behind "the top of the ": the object's name. NULL: it does not begin so. */
static const char *behind_top(const char *wanted)
{
    static const char *const heads[] = {"top of ", "top surface of ",
                                        "upper surface of ", "top face of "};
    if (strncmp(wanted, "the ", 4) == 0)
        wanted += 4;
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        size_t size = strlen(heads[i]);
        if (strncmp(wanted, heads[i], size) != 0)
            continue;
        wanted += size;
        return strncmp(wanted, "the ", 4) == 0 ? wanted + 4 : wanted;
    }
    return NULL;
}

/* What stands behind the object's name in a plane's: "up" or a number. NULL: it
 * is no plane of the object's. */
static const char *plane_rest(const char *folded, const char *wanted)
{
    const char *named = behind_top(wanted);
    if (named && strcmp(named, folded) == 0)
        return "up";
    size_t size = strlen(folded);
    bool begins = size > 0 && strncmp(folded, wanted, size) == 0 &&
                  (wanted[size] == ' ' || wanted[size] == '#');
    const char *rest = begins ? wanted + size + 1 : "";
    bool is_number = *rest && rest[strspn(rest, "0123456789")] == 0;
    if (says_top(rest))
        return "up";
    return is_number ? rest : NULL;
}

static bool is_plane_of(const char *folded, const char *wanted)
{
    return plane_rest(folded, wanted) != NULL;
}

/* Is the part before the last '#' or '_' an object's name? Then the plane is
 * spelt well, whatever it is. */
static bool is_spelt(const scene *s, const char *name)
{
    const char *at =
        strrchr(name, '#') ? strrchr(name, '#') : strrchr(name, '_');
    char object[ARRANGE_NAME_MAX + 1];
    if (!at || (size_t)(at - name) >= sizeof object)
        return false;
    memcpy(object, name, (size_t)(at - name));
    object[at - name] = 0;
    bool known = scene_find_object(s, object) != SCENE_NONE;
    return known && (strcmp(at + 1, "up") == 0 ||
                     at[1 + strspn(at + 1, "0123456789")] == 0);
}

/* The name of one of the object's planes as the scene spells it, by what follows
 * the object in `wanted`; NULL: nothing does. */
static json_t *spell_plane_of(const scene *s,
                              uint32_t object,
                              const char *name,
                              const char *wanted,
                              etna_arena *scratch)
{
    const char *folded = plain_name(s->objects[object].name, scratch);
    const char *rest = folded ? plane_rest(folded, wanted) : NULL;
    const char *sign = strchr(name, '#') ? "#" : "_";
    if (!rest)
        return NULL;
    /* "Desk Top" may be an object */
    if (strcmp(rest, "up") == 0 && names_object(s, name) != SCENE_NONE)
        return NULL;
    return json_sprintf("%s%s%s", s->objects[object].name, sign, rest);
}

/* The plane's name as the scene spells it, a new string; NULL: it stays. */
static json_t *spell_plane(const scene *s, const char *name)
{
    bool stays = is_spelt(s, name) || strncmp(name, "ray:", 4) == 0 ||
                 scene_find_object(s, name) != SCENE_NONE;
    if (stays)
        return NULL;
    etna_arena scratch = ETNA_ARENA_INIT;
    const char *wanted = plain_name(name, &scratch);
    uint32_t object = wanted ? only_object(s, wanted, is_plane_of) : SCENE_NONE;
    /* "plane 3" may be one of a plane's */
    if (wanted && object == SCENE_NONE) {
        wanted = name_core(wanted, &scratch);
        object = wanted ? only_object(s, wanted, is_plane_of) : SCENE_NONE;
    }
    json_t *spelt = NULL;
    if (object != SCENE_NONE)
        spelt = spell_plane_of(s, object, name, wanted, &scratch);
    etna_arena_free(&scratch);
    /* beside a Place an object will do */
    return spelt ? spelt : spell_object(s, name);
}

static json_t *spell_target(const scene *s, const char *name)
{
    if (strcmp(name, "camera") == 0)
        return NULL;
    json_t *spelt = spell_object(s, name);
    if (!spelt && scene_find_object(s, name) == SCENE_NONE)
        spelt = spell_plane(s, name);
    bool is_camera = !spelt && strcasecmp(name, "camera") == 0 &&
                     names_object(s, name) == SCENE_NONE;
    return is_camera ? json_string("camera") : spelt;
}

/* ---- rows ---- */

static const struct {
    const char *kind;
    size_t at;
    json_t *(*spell)(const scene *s, const char *name);
} places[] = {{"ObjectName", 1, spell_object}, {"Distance", 1, spell_object},
              {"Contact", 2, spell_plane},     {"NoOverhang", 2, spell_plane},
              {"FaceTo", 1, spell_target},     {"BackTo", 1, spell_target}};

/* The name of the row's kind, at its place; false: it stays as it is. */
static bool spell_row(const scene *s, json_t *row)
{
    const char *kind = json_string_value(json_array_get(row, 0));
    for (size_t i = 0; kind && i < COUNT_OF(places); i++) {
        if (strcmp(kind, places[i].kind) != 0)
            continue;
        const char *name = json_string_value(json_array_get(row, places[i].at));
        json_t *spelt = name && strlen(name) <= ARRANGE_NAME_MAX
                            ? places[i].spell(s, name)
                            : NULL;
        return spelt && json_array_set_new(row, places[i].at, spelt) == 0;
    }
    return false;
}

/* "none" where no object has that name: the row says that there is nothing to
 * say. */
static bool names_nothing(const scene *s, const json_t *row)
{
    static const char *const kinds[] = {"FaceTo", "BackTo", "Distance"};
    static const char *const words[] = {"none", "null", "n/a"};
    const char *kind = json_string_value(json_array_get(row, 0));
    const char *name = json_string_value(json_array_get(row, 1));
    bool is_kind = false, is_none = false;
    for (size_t i = 0; kind && name && i < COUNT_OF(kinds); i++)
        is_kind = is_kind || strcmp(kind, kinds[i]) == 0;
    for (size_t i = 0; is_kind && i < COUNT_OF(words); i++)
        is_none = is_none || strcasecmp(name, words[i]) == 0;
    return is_none && names_object(s, name) == SCENE_NONE;
}

/* A reason where a camera's name may stand. True: it is away. */
static bool drop_camera_reason(const scene *s, json_t *row)
{
    enum {
        CAMERA = 3
    };
    const char *kind = json_string_value(json_array_get(row, 0));
    const char *said = json_string_value(json_array_get(row, CAMERA));
    const bool by_pixel = kind && strcmp(kind, "CloseToPix") == 0;
    const bool is_prose = said && plain_is_prose(said);
    const bool is_reason =
        by_pixel && is_prose && scene_find_camera(s, said) == SCENE_NONE;
    return is_reason && json_array_remove(row, CAMERA) == 0;
}

/* Rows without what says nothing. True: something is away. */
static bool names_tidy(const scene *s, json_t *rows)
{
    bool changed = false;
    for (size_t i = json_array_size(rows); i > 0; i--) {
        json_t *row = json_array_get(rows, i - 1);
        changed = drop_camera_reason(s, row) || changed;
        bool is_away =
            names_nothing(s, row) && json_array_remove(rows, i - 1) == 0;
        changed = changed || is_away;
    }
    return changed;
}

/* Constraints (JSON, as executor_read left them) with names as the scene spells
 * them. *ret is `constraints` itself where nothing changes. */
etna_code names_spell(const scene *s,
                      const char *constraints,
                      etna_arena *arena,
                      const char **ret,
                      etna_error *err)
{
    json_t *rows = json_loads(constraints, 0, NULL);
    json_t *row;
    bool changed = names_tidy(s, rows);
    size_t i;
    json_array_foreach(rows, i, row) changed = spell_row(s, row) || changed;
    const char *text =
        changed ? text_json(arena, rows, JSON_COMPACT) : constraints;
    json_decref(rows);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for constraints");
    *ret = text;
    return ETNA_OK;
}
