/* See rows.h. A row that already has its form is taken as it stands, so that
 * what was read before is read the same. */
#include "worker/agents/rows.h"

#include "worker/agents/heads.h"
#include "worker/agents/loose.h"
#include "worker/agents/markup.h"
#include "worker/agents/plain.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"
#include "worker/solve/constraint.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    ARGUMENTS_MAX = 8,
    INNER_MAX = 4096,
    EXECUTOR_ROWS_MAX = 64
};

typedef struct rows {
    json_t *out;
    picture_scale *scale;
    etna_error *err;
    etna_code code;
    unsigned nested;
    /* what moves, once it is known: what a row says of that is no part of it */
    const char *subject;
} rows;

/* The first failure is kept. */
static void fail_rows(rows *r, etna_code code, const char *what)
{
    if (r->code != ETNA_OK)
        return;
    r->code = etna_fail(r->err, code, "%s", what);
}

/* 0: no constraint is called so. */
static constraint_kind kind_named(const char *name)
{
    for (int kind = 1; name && kind < CONSTRAINT_KIND_COUNT; kind++) {
        if (loose_same(name, constraint_kind_name(kind)))
            return (constraint_kind)kind;
    }
    return name && loose_same(name, "CloseToPixel") ? CONSTRAINT_CLOSE_TO_PIX
                                                    : 0;
}

/* "ContactConstraint" is a Contact. */
static constraint_kind kind_with_suffix(const char *name)
{
    static const char suffix[] = "constraint";
    char short_name[32];
    size_t size = name ? strlen(name) : 0, most = sizeof suffix - 1;
    if (size <= most || size - most >= sizeof short_name ||
        strcasecmp(name + size - most, suffix) != 0)
        return 0;
    memcpy(short_name, name, size - most);
    short_name[size - most] = 0;
    return kind_named(short_name);
}

static constraint_kind kind_of(const json_t *value)
{
    constraint_kind kind = kind_named(json_string_value(value));
    return kind ? kind : kind_with_suffix(json_string_value(value));
}

/* ---- the words of a row ---- */

typedef struct word {
    const char *said, *meant;
} word;

static const word pixel_words[] = {{"center", "center"},
                                   {"centre", "center"},
                                   {"middle", "center"},
                                   {"centroid", "center"},
                                   {"down", "down"},
                                   {"downward", "down"},
                                   {"bottom center", "down"},
                                   {"bottom centre", "down"},
                                   {"center bottom", "down"},
                                   {"bottom face", "down"},
                                   {"bottom", "down"},
                                   {"base", "down"},
                                   {"-z", "down"},
                                   {"underside", "down"},
                                   {NULL, NULL}},
                  contact_words[] = {{"down", "down"},
                                     {"bottom", "down"},
                                     {"base", "down"},
                                     {"bottom face", "down"},
                                     {"bottom surface", "down"},
                                     {"underside", "down"},
                                     {"bottom side", "down"},
                                     {"downward", "down"},
                                     {"downwards", "down"},
                                     {"below", "down"},
                                     {"-z", "down"},
                                     {"+z", "up"},
                                     {"upward", "up"},
                                     {"upwards", "up"},
                                     {"top side", "up"},
                                     {"sideways", "side"},
                                     {"side", "side"},
                                     {"side face", "side"},
                                     {"up", "up"},
                                     {"top", "up"},
                                     {"top face", "up"},
                                     {"top surface", "up"},
                                     {NULL, NULL}},
                  overhang_words[] = {{"down", "down"},
                                      {"bottom", "down"},
                                      {"downward", "down"},
                                      {"below", "down"},
                                      {"-z", "down"},
                                      {"base", "down"},
                                      {"bottom face", "down"},
                                      {"bottom side", "down"},
                                      {"bottom surface", "down"},
                                      {"underside", "down"},
                                      {NULL, NULL}},
                  mode_words[] = {
                      {"full_only", "full_only"},    {"full", "full_only"},
                      {"fullonly", "full_only"},     {"fully", "full_only"},
                      {"full overlap", "full_only"}, {"whole", "full_only"},
                      {"center", "center"},          {"centre", "center"},
                      {"center_only", "center"},     {NULL, NULL}};
/* The same in other languages, for whichever table knows what is meant. */
static const word other_words[] = {{"\u5e95\u90e8", "down"},
                                   {"\u5e95\u9762", "down"},
                                   {"\u5411\u4e0b", "down"},
                                   {"\u4e0b", "down"},
                                   {"\u4e2d\u5fc3", "center"},
                                   {"\u4e2d\u592e", "center"},
                                   {"\u9876\u90e8", "up"},
                                   {"\u9876\u9762", "up"},
                                   {"\u5411\u4e0a", "up"},
                                   {"\u4e0a", "up"},
                                   {"\u4fa7\u9762", "side"},
                                   {"unten", "down"},
                                   {"unterseite", "down"},
                                   {"mitte", "center"},
                                   {"oben", "up"},
                                   {"seite", "side"},
                                   {"bas", "down"},
                                   {"dessous", "down"},
                                   {"haut", "up"},
                                   {"abajo", "down"},
                                   {"arriba", "up"},
                                   {"centro", "center"},
                                   {"lado", "side"},
                                   {NULL, NULL}};
static const loose_unit lengths[] =
    {{"m", 1},      {"metre", 1},          {"metres", 1},
     {"meter", 1},  {"meters", 1},         {"cm", 0.01},
     {"mm", 0.001}, {"centimetres", 0.01}, {"centimeters", 0.01},
     {NULL, 0}},
                        angles[] = {{"deg", 1},
                                    {"degree", 1},
                                    {"degrees", 1},
                                    {"\u00b0", 1},
                                    {"rad", 180 / 3.14159265358979323846},
                                    {"radians", 180 / 3.14159265358979323846},
                                    {NULL, 0}};

typedef enum slot_kind {
    SLOT_END = 0,
    SLOT_WORD,
    SLOT_NAME,
    SLOT_POINT,
    SLOT_NUMBER,
    SLOT_CAMERA
} slot_kind;

typedef struct slot {
    slot_kind kind;
    const word *words; /* WORD */
    /* WORD: what is meant where none is said; NULL: one must be */
    const char *otherwise;
    const loose_unit *units; /* NUMBER */
} slot;

static const slot forms[CONSTRAINT_KIND_COUNT][4] = {
    [CONSTRAINT_OBJECT_NAME] = {{.kind = SLOT_NAME}},
    [CONSTRAINT_CLOSE_TO_PIX] = {{.kind = SLOT_WORD, .words = pixel_words},
                                 {.kind = SLOT_POINT},
                                 {.kind = SLOT_CAMERA}},
    [CONSTRAINT_CONTACT] = {{.kind = SLOT_WORD, .words = contact_words},
                            {.kind = SLOT_NAME}},
    [CONSTRAINT_NO_OVERHANG] = {{.kind = SLOT_WORD,
                                 .words = overhang_words,
                                 .otherwise = "down"},
                                {.kind = SLOT_NAME},
                                {.kind = SLOT_WORD, .words = mode_words}},
    [CONSTRAINT_DISTANCE] = {{.kind = SLOT_NAME},
                             {.kind = SLOT_NUMBER, .units = lengths}},
    [CONSTRAINT_FACE_TO] = {{.kind = SLOT_NAME}},
    [CONSTRAINT_BACK_TO] = {{.kind = SLOT_NAME}},
    [CONSTRAINT_ROTATE] = {{.kind = SLOT_NUMBER, .units = angles}},
    [CONSTRAINT_HEADING] = {{.kind = SLOT_NUMBER, .units = angles}},
};

/* ---- filling a row's slots ---- */

typedef struct arguments {
    uint32_t count;
    uint32_t nulls;                /* beside them */
    json_t *values[ARGUMENTS_MAX]; /* borrowed; NULL: taken */
} arguments;

/* NULL: the table does not know it. */
static const char *word_meaning(const word *words, const char *said)
{
    for (; said && words->said; words++) {
        if (loose_same(said, words->said))
            return words->meant;
    }
    return NULL;
}

/* "Direction.DOWN" is the word behind its dot. */
static const char *meaning_of(const word *words, const json_t *value)
{
    const char *said = json_string_value(value),
               *dot = said ? strrchr(said, '.') : NULL;
    const char *meant = word_meaning(words, said);
    if (!meant && dot)
        meant = word_meaning(words, dot + 1);
    return meant ? meant : word_meaning(words, word_meaning(other_words, said));
}

/* The first argument the slot's table knows, wherever it stands; taken
 * arguments become NULL. New reference. */
static json_t *arguments_take_word(const slot *s, arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const char *meant = meaning_of(s->words, a->values[i]);
        if (!meant)
            continue;
        a->values[i] = NULL;
        return json_string(meant);
    }
    return s->otherwise ? json_string(s->otherwise) : NULL;
}

/* The first text that is left. New reference, NULL: none. */
static json_t *arguments_take_name(arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (!json_is_string(a->values[i]))
            continue;
        json_t *name = json_incref(a->values[i]);
        a->values[i] = NULL;
        return name;
    }
    return NULL;
}

/* In the slot's own unit (metres, degrees). New reference, NULL: none. */
static json_t *arguments_take_number(const slot *s, arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        double number;
        if (!loose_number(a->values[i], s->units, &number))
            continue;
        json_t *kept = json_is_number(a->values[i]) ? json_incref(a->values[i])
                                                    : json_real(number);
        a->values[i] = NULL;
        return kept;
    }
    return NULL;
}

/* A point from one argument or two; brings it to 0..1. What stood as a pair of
 * shares already goes back unchanged, so that its digits stay. */
static json_t *take_point(rows *r, arguments *a)
{
    double point[2];
    point_unit unit = POINT_PLAIN;
    uint32_t at = 0, used = 0;
    for (; at < a->count && used == 0; at++) {
        json_t *next = at + 1 < a->count ? a->values[at + 1] : NULL;
        used = point_read(a->values[at], next, point, &unit);
    }
    for (uint32_t i = 0; i < a->count && used == 0; i++) {
        if (!point_read_box(a->values[i], point))
            continue;
        if (!scale_takes_box(r->scale, r->code == ETNA_OK ? r->err : NULL)) {
            r->code = ETNA_E_INPUT;
            return NULL;
        }
        at = i + 1;
        used = 1;
    }
    if (used == 0)
        return NULL;
    const double written[2] = {point[0], point[1]};
    if (!scale_point(r->scale, point, unit,
                     r->code == ETNA_OK ? r->err : NULL)) {
        r->code = ETNA_E_INPUT;
        return NULL;
    }
    bool same = written[0] == point[0] && written[1] == point[1];
    json_t *first = a->values[at - 1];
    const bool is_pair =
        json_array_size(first) == 2 && json_is_number(json_array_get(first, 0));
    const bool as_it_is = same && used == 1 && is_pair;
    json_t *value =
        as_it_is ? json_incref(first) : json_pack("[f,f]", point[0], point[1]);
    for (uint32_t i = 0; i < used; i++)
        a->values[at - 1 + i] = NULL;
    return value;
}

/* NULL: there is nothing for it. */
static json_t *take_slot(rows *r, const slot *s, arguments *a)
{
    switch (s->kind) {
    case SLOT_WORD: return arguments_take_word(s, a);
    case SLOT_NAME:
    case SLOT_CAMERA: return arguments_take_name(a);
    case SLOT_POINT: return take_point(r, a);
    case SLOT_NUMBER: return arguments_take_number(s, a);
    case SLOT_END: break;
    }
    return NULL;
}

static bool arguments_are_taken(const arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->values[i])
            return false;
    }
    return true;
}

/* Words before names, whatever the order they were written in: a name is what
 * is left. */
static bool fill_slots(rows *r,
                       constraint_kind kind,
                       arguments *a,
                       json_t *values[4])
{
    for (int names = 0; names < 2; names++) {
        for (uint32_t i = 0; i < 4 && forms[kind][i].kind != SLOT_END; i++) {
            bool is_name = forms[kind][i].kind == SLOT_NAME ||
                           forms[kind][i].kind == SLOT_CAMERA;
            if (is_name == (names == 1))
                values[i] = take_slot(r, &forms[kind][i], a);
            bool is_missing = is_name == (names == 1) && !values[i] &&
                              forms[kind][i].kind != SLOT_CAMERA;
            if (is_missing)
                return false;
        }
    }
    return arguments_are_taken(a);
}

/* NULL: out of memory. */
static json_t *rows_row_of(constraint_kind kind, json_t *const values[4])
{
    json_t *row = json_pack("[s]", constraint_kind_name(kind));
    bool ok = row != NULL;
    for (int i = 0; ok && i < 4; i++)
        ok = !values[i] || json_array_append(row, values[i]) == 0;
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

/* As it was written, for worker/solve to say what is wrong with it. */
static json_t *row_as_written(constraint_kind kind, const arguments *a)
{
    json_t *row = json_pack("[s]", constraint_kind_name(kind));
    for (uint32_t i = 0; row && i < a->count; i++)
        loose_append(&row, json_incref(a->values[i]));
    return row;
}

/* Is the value what the slot takes, as it stands? A point never is: it may be
 * of several values. */
static bool slot_takes(const slot *s, const json_t *value)
{
    const char *text = json_string_value(value), *meant;
    switch (s->kind) {
    case SLOT_WORD:
        meant = meaning_of(s->words, value);
        return meant && strcmp(meant, text) == 0;
    case SLOT_NAME:
    case SLOT_CAMERA: return text != NULL;
    case SLOT_NUMBER: return json_is_number(value);
    default: return s->kind != SLOT_POINT;
    }
}

/* Is every argument of the kind and in the place that worker/solve wants? */
static bool has_form(constraint_kind kind, const arguments *a)
{
    uint32_t i = 0;
    for (; i < 4 && forms[kind][i].kind != SLOT_END && i < a->count; i++) {
        if (!slot_takes(&forms[kind][i], a->values[i]))
            return false;
    }
    return i == a->count && (i == 4 || forms[kind][i].kind == SLOT_END);
}

/* Metres that were written as texts, in a Place's lists and beside them. New
 * reference. */
static json_t *rows_metres(const json_t *value)
{
    double number;
    json_t *list, *inner;
    size_t i;
    const json_t *x = loose_member(value, "x"), *y = loose_member(value, "y"),
                 *z = loose_member(value, "z");
    bool is_place = x && y && z && json_object_size(value) == 3;
    if (is_place) {
        list = json_array();
        loose_append(&list, rows_metres(x));
        loose_append(&list, rows_metres(y));
        loose_append(&list, rows_metres(z));
        return list;
    }
    if (json_is_string(value) && loose_number(value, lengths, &number))
        return json_real(number);
    if (!json_is_array(value))
        return json_deep_copy(value);
    list = json_array();
    json_array_foreach((json_t *)(uintptr_t)value, i, inner)
    {
        loose_append(&list, rows_metres(inner));
    }
    return list;
}

/* x, y and z without a list of their own: how many arguments they are, 3 or
 * 0. */
static uint32_t place_is_flat(const arguments *a)
{
    double number;
    uint32_t count = 0;
    while (count < a->count && loose_number(a->values[count], lengths, &number))
        count++;
    return count == a->count && (count == 3 || count == 4) ? 3 : 0;
}

/* [[x, y, z], slack] as the one argument: what is in it are the arguments. */
static arguments place_open(const arguments *a)
{
    arguments ret = *a;
    const json_t *list = a->count == 1 ? a->values[0] : NULL;
    bool is_nested = json_is_array(json_array_get(list, 0)) ||
                     loose_member(json_array_get(list, 0), "x");
    if (!is_nested || json_array_size(list) > ARGUMENTS_MAX)
        return ret;
    ret.count = (uint32_t)json_array_size(list);
    for (uint32_t i = 0; i < ret.count; i++)
        ret.values[i] = json_array_get(list, i);
    return ret;
}

/* Place is kept as it was written but for its brackets and numbers in text. */
static json_t *place_row(const arguments *written)
{
    const arguments opened = place_open(written), *a = &opened;
    json_t *row = json_pack("[s]", constraint_kind_name(CONSTRAINT_PLACE));
    uint32_t flat = place_is_flat(a);
    json_t *place = flat ? json_array() : NULL;
    for (uint32_t i = 0; i < flat; i++)
        loose_append(&place, rows_metres(a->values[i]));
    if (flat && row)
        loose_append(&row, place);
    for (uint32_t i = flat; row && i < a->count; i++)
        loose_append(&row, rows_metres(a->values[i]));
    return row;
}

/* The very same constraint, said twice, is one. */
static bool rows_has(const rows *r, const json_t *row)
{
    for (size_t i = 0; i < json_array_size(r->out); i++) {
        if (json_equal(json_array_get(r->out, i), row))
            return true;
    }
    return false;
}

static bool rows_is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (loose_same(name, *names))
            return true;
    }
    return false;
}

/* ["FaceTo", null], ["Rotate", ""]: a template's row that was filled to say
 * that there is none. */
static bool is_left_out(constraint_kind kind, const arguments *a)
{
    static const char *const words[] = {"none", "null", "n/a", NULL};
    bool is_turn = kind == CONSTRAINT_ROTATE;
    bool is_other = kind == CONSTRAINT_FACE_TO || kind == CONSTRAINT_BACK_TO ||
                    kind == CONSTRAINT_DISTANCE;
    bool says_none = a->nulls > 0;
    if (!is_turn && !is_other)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const char *text = json_string_value(a->values[i]);
        /* a name that reads "none" may be an object's, which is known only
         * behind here */
        const bool reads_none = text && is_turn && rows_is_one_of(text, words);
        const bool is_none = reads_none || (text && !*text);
        says_none = says_none || is_none;
        bool is_said = is_turn ? !is_none : text && *text;
        if (is_said)
            return false;
    }
    return says_none;
}

/* Three words or more. */
static bool rows_is_sentence(const char *text)
{
    unsigned words = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        text += strcspn(text, " ");
        words++;
    }
    return words > 2;
}

/* Without the reason that is said behind all that a row has: ["Contact",
 * "down", "Desk_1", "it stands on the desk"]. */
static void drop_reason(constraint_kind kind, arguments *a)
{
    uint32_t slots = 0;
    while (slots < 4 && forms[kind][slots].kind != SLOT_END)
        slots++;
    const char *last =
        a->count > slots ? json_string_value(a->values[a->count - 1]) : NULL;
    bool is_reason = kind != CONSTRAINT_PLACE && last && rows_is_sentence(last);
    if (is_reason)
        a->count--;
}

/* Models repeat what moves in every row: ["Contact", "Cup", "down",
 * "Desk_1"]. */
static arguments without_subject(const rows *r,
                                 constraint_kind kind,
                                 const arguments *a)
{
    arguments rest = {.count = 0, .nulls = a->nulls};
    bool is_it = kind == CONSTRAINT_OBJECT_NAME || !r->subject;
    for (uint32_t i = 0; i < a->count; i++) {
        const char *name = json_string_value(a->values[i]);
        if (is_it || !name || !loose_same(name, r->subject))
            rest.values[rest.count++] = a->values[i];
    }
    return rest;
}

/* One row to the output: what has the form is kept as it is, what can be
 * brought to it is, and all else goes through as written, so that worker/solve
 * says what is wrong with it. */
static void rows_emit(rows *r, constraint_kind kind, const arguments *all)
{
    json_t *values[4] = {NULL}, *row = NULL;
    arguments kept = without_subject(r, kind, all);
    const arguments *a = &kept;
    if (is_left_out(kind, all))
        return;
    drop_reason(kind, &kept);
    arguments rest = kept;
    bool filled = kind != CONSTRAINT_PLACE && !has_form(kind, a) &&
                  fill_slots(r, kind, &rest, values);
    if (kind == CONSTRAINT_PLACE) {
        row = place_row(a);
    } else {
        row = filled ? rows_row_of(kind, values) : row_as_written(kind, a);
    }
    for (int i = 0; i < 4; i++)
        json_decref(values[i]);
    if (row && json_array_size(r->out) <= EXECUTOR_ROWS_MAX &&
        rows_has(r, row)) {
        json_decref(row);
        return;
    }
    if (!row || json_array_append_new(r->out, row) != 0)
        fail_rows(r, ETNA_E_NOMEM, "out of memory for constraints");
}

/* ---- finding the rows ---- */

static void rows_walk(rows *r, const json_t *list);
static void walk_object(rows *r, const json_t *object);

/* Vector2(0.5, 0.25), Plane("Desk_1"): how many parts of the list only say what
 * the rest is, 0 or 1. */
static size_t arguments_call_name(const json_t *list)
{
    static const char *const names[] = {"plane", "object", "surface", "target",
                                        NULL};
    const char *name = json_string_value(json_array_get(list, 0));
    const json_t *next = json_array_get(list, 1),
                 *last = json_array_get(list, 2);
    size_t size = json_array_size(list);
    double number;
    if (!name || size < 2)
        return 0;
    bool is_pair = size == 3 && loose_number(next, NULL, &number) &&
                   loose_number(last, NULL, &number);
    bool is_point = is_pair || (size == 2 && point_is_place(next));
    bool is_callable = !strpbrk(name, " _") &&
                       !meaning_of(pixel_words, json_array_get(list, 0));
    if (is_point)
        return is_callable;
    return size == 2 && json_is_string(next) && rows_is_one_of(name, names);
}

/* [0.5, 0.25] (normalized). */
static bool arguments_is_remark(const json_t *list)
{
    static const char *const words[] = {"normalized",    "normalised",
                                        "approximately", "approx",
                                        "relative",      NULL};
    const char *said = json_string_value(json_array_get(list, 0));
    return said && json_array_size(list) == 1 && rows_is_one_of(said, words);
}

static void arguments_collect_list(arguments *a, json_t *list);

/* Flattens objects and lists, but for those that are a point. */
static void arguments_collect(arguments *a, json_t *value)
{
    const char *name;
    json_t *inner;
    double number;
    double box[2];
    bool is_point = json_is_array(value)
                        ? json_is_number(json_array_get(value, 0))
                        : loose_member(value, "x") != NULL;
    is_point = is_point ||
               loose_number(json_array_get(value, 0), NULL, &number) ||
               point_is_place(value);
    is_point =
        is_point || (json_is_object(value) && point_read_box(value, box));
    if (json_is_object(value) && !is_point) {
        json_object_foreach(value, name, inner)
        {
            if (!heads_is_remark(name))
                arguments_collect(a, inner);
        }
    } else if (json_is_array(value) && !is_point) {
        arguments_collect_list(a, value);
    } else if (json_is_null(value)) {
        a->nulls++;
    } else if (a->count < ARGUMENTS_MAX) {
        a->values[a->count++] = value;
    }
}

static void arguments_collect_list(arguments *a, json_t *list)
{
    if (arguments_is_remark(list))
        return;
    for (size_t i = arguments_call_name(list); i < json_array_size(list); i++)
        arguments_collect(a, json_array_get(list, i));
}

/* A text within the list that is itself a row: "Contact(down, P)". */
static void walk_text(rows *r, const char *text)
{
    json_t *inner = NULL;
    size_t size = strlen(text);
    bool has_brackets = strpbrk(text, "([") != NULL;
    const bool may_nest = has_brackets && size < INNER_MAX && r->nested == 0;
    if (may_nest && loose_list(text, size, NULL, &inner, NULL) == ETNA_OK) {
        r->nested++;
        rows_walk(r, inner);
        r->nested--;
        json_decref(inner);
        return;
    }
    char what[160];
    snprintf(what, sizeof what,
             "\"%.60s\" in the [constraints] block is no constraint", text);
    for (char *c = what; *c; c++)
        *c = *c >= 0x20 && *c < 0x7f ? *c : '?';
    fail_rows(r, ETNA_E_INPUT, what);
}

/* Members that only hold rows. */
static bool is_wrapper(const char *name)
{
    name += *name == '/'; /* "[/constraint]" */
    static const char *const names[] = {"constraints", "constraint", "answer",
                                        "result",      "output",     "list",
                                        "items"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (loose_same(name, names[i]))
            return true;
    }
    return false;
}

static bool begins_row(const json_t *value)
{
    return kind_of(value) || kind_of(json_array_get(value, 0)) ||
           json_is_object(value);
}

/* An object that says a point. */
static bool value_is_point(json_t *value)
{
    double box[2];
    if (!json_is_object(value))
        return false;
    return loose_member(value, "x") || point_is_place(value) ||
           point_read_box(value, box);
}

/* A row whose name stands at `at` of the list, with what follows it up to the
 * next. Returns where that is. */
static size_t walk_row(rows *r, const json_t *list, size_t at)
{
    arguments a = {.count = 0};
    constraint_kind kind = kind_of(json_array_get(list, at));
    size_t i = at + 1;
    for (; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        const bool is_first_object = json_is_object(value) && i == at + 1;
        if (begins_row(value) && !value_is_point(value) && !is_first_object)
            break;
        if (kind == CONSTRAINT_PLACE) {
            if (a.count < ARGUMENTS_MAX)
                a.values[a.count++] = value;
        } else {
            arguments_collect(&a, value);
        }
    }
    rows_emit(r, kind, &a);
    return i;
}

/* solver.add(Contact(..)): what is called there only takes rows. */
static bool is_taker(const char *name)
{
    static const char *const names[] = {
        "add", "append", "add_constraint", "constrain", "require", NULL};
    const char *dot = name ? strrchr(name, '.') : NULL;
    return name && rows_is_one_of(dot ? dot + 1 : name, names);
}

/* ["Object", "Cup"]. */
static bool walk_subject(rows *r, const json_t *list)
{
    const char *key = json_string_value(json_array_get(list, 0));
    json_t *name = json_array_get(list, 1);
    const bool is_pair =
        key && json_array_size(list) == 2 && json_is_string(name);
    if (!is_pair || !heads_is_subject(key))
        return false;
    const arguments a = {.count = 1, .values = {name}};
    rows_emit(r, CONSTRAINT_OBJECT_NAME, &a);
    return true;
}

/* Finds rows at any depth of lists and objects. A value that belongs to no row
 * is refused: it might have been part of one. */
static void rows_walk(rows *r, const json_t *list)
{
    for (size_t i = 0; r->code == ETNA_OK && i < json_array_size(list);) {
        json_t *value = json_array_get(list, i);
        const char *text = json_string_value(value);
        if (kind_of(value)) {
            i = walk_row(r, list, i);
            continue;
        }
        if (json_is_array(value)) {
            if (!walk_subject(r, value))
                rows_walk(r, value);
        } else if (json_is_object(value)) {
            walk_object(r, value);
        } else if (!text) {
            fail_rows(
                r, ETNA_E_INPUT,
                "the [constraints] block holds a value that is in no constraint");
        } else if (!is_wrapper(text) && !(i == 0 && is_taker(text))) {
            walk_text(r, text);
        }
        i++;
    }
}

/* {"type": "Contact", ...} : the rest of its members are the arguments. */
static bool walk_typed(rows *r, const json_t *object)
{
    const char *name;
    json_t *value;
    arguments a = {.count = 0};
    constraint_kind kind = 0;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        static const char *const types[] = {"type",           "name",
                                            "constraint",     "kind",
                                            "function",       "constraint_type",
                                            "constraint_name"};
        bool is_type = false;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            is_type = is_type || loose_same(name, types[i]);
        if (is_type && !kind && kind_of(value)) {
            kind = kind_of(value);
        } else if (!heads_is_remark(name)) {
            arguments_collect(&a, value);
        }
    }
    if (kind)
        rows_emit(r, kind, &a);
    return kind != 0;
}

/* Not [x, y] pairs. */
static bool is_list_of_rows(const json_t *value)
{
    const json_t *first = json_array_get(value, 0);
    return json_is_array(first) && !json_is_number(json_array_get(first, 0));
}

static bool has_wrapper(const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (is_wrapper(name))
            return true;
    }
    return false;
}

/* "1", "constraint_2": a member that counts its rows. */
static bool is_numbered(const char *name)
{
    static const char prefix[] = "constraint";
    if (strncasecmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    name += strspn(name, " _-#");
    return *name && name[strspn(name, "0123456789")] == 0;
}

/* A member that is no constraint: the wrapper of some; beside one, what is
 * thought of them says nothing else. */
static void walk_member(rows *r,
                        const json_t *object,
                        const char *name,
                        const json_t *value)
{
    bool is_remark = heads_is_remark(name) ||
                     (!json_is_array(value) && !json_is_object(value) &&
                      has_wrapper(object));
    const json_t *named =
        json_is_object(value) ? loose_member(value, "name") : value;
    if (heads_is_subject(name) && json_is_string(named)) {
        const arguments a = {.count = 1,
                             .values = {(json_t *)(uintptr_t)named}};
        rows_emit(r, CONSTRAINT_OBJECT_NAME, &a);
    } else if (is_numbered(name) &&
               (json_is_array(value) || json_is_object(value))) {
        json_t *list = json_pack("[O]", value);
        if (list)
            rows_walk(r, list);
        if (!list)
            fail_rows(r, ETNA_E_NOMEM, "out of memory for constraints");
        json_decref(list);
    } else if (!is_wrapper(name)) {
        if (!is_remark)
            walk_text(r, name);
    } else if (json_is_array(value)) {
        rows_walk(r, value);
    } else if (json_is_object(value)) {
        walk_object(r, value);
    } else if (json_is_string(value)) {
        walk_text(r, json_string_value(value));
    }
}

/* Does the list or the object say itself what moves? */
static bool says_subject(const json_t *value)
{
    const char *name;
    json_t *inner;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)value, name, inner)
    {
        if (heads_is_subject(name) ||
            kind_named(name) == CONSTRAINT_OBJECT_NAME)
            return true;
        if (is_wrapper(name) && says_subject(inner))
            return true;
    }
    json_array_foreach((json_t *)(uintptr_t)value, i, inner)
    {
        if (kind_of(json_array_get(inner, 0)) == CONSTRAINT_OBJECT_NAME)
            return true;
    }
    return false;
}

/* {"name": "place_object", "arguments": {..}}: a call, of which the arguments
 * are meant. NULL: it is none. Borrowed. */
static const json_t *called_with(const json_t *object)
{
    static const char *const keys[] = {"arguments", "parameters", "args",
                                       "input"};
    const json_t *name = loose_member(object, "name"), *found = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !found; i++)
        found = loose_member(object, keys[i]);
    bool is_call =
        json_is_string(name) && json_is_object(found) && says_subject(found);
    return is_call ? found : NULL;
}

/* {"Contact": ["down", P]}, one or several of each, or {"constraints": ...}. */
static void walk_object(rows *r, const json_t *object)
{
    const char *name;
    json_t *value;
    if (walk_typed(r, object))
        return;
    const json_t *called = called_with(object);
    object = called ? called : object;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        constraint_kind kind = kind_named(name);
        if (!kind) {
            walk_member(r, object, name, value);
            continue;
        }
        size_t several = is_list_of_rows(value) ? json_array_size(value) : 1;
        for (size_t i = 0; i < several; i++) {
            arguments a = {.count = 0};
            arguments_collect(
                &a, is_list_of_rows(value) ? json_array_get(value, i) : value);
            rows_emit(r, kind, &a);
        }
    }
}

static bool is_kind(const char *name)
{
    return kind_named(name) || kind_with_suffix(name);
}

/* Does a line of the block begin with a constraint's name? Others, outside
 * brackets, are prose. */
static bool is_head(const char *text, size_t size)
{
    char name[32];
    size_t used = 0;
    const size_t most = size < sizeof name - 1 ? size : sizeof name - 1;
    while (used < most && text[used] && !strchr(" :=(,\n\"'", text[used])) {
        name[used] = text[used];
        used++;
    }
    name[used] = 0;
    /* of an unknown one it is told that it is none */
    bool is_call = used > 0 && used + 1 < size && text[used] == '(' &&
                   text_is_in(text[used + 1], "\"'");
    bool is_invented =
        used < size && text_is_in(text[used], ":=(") && heads_is_invented(name);
    return is_kind(name) || is_wrapper(name) || is_taker(name) || is_call ||
           is_invented;
}

/* Strict JSON: an array of arrays, or arrays with commas between. NULL: it is
 * none. */
static json_t *read_strictly(const char *text, size_t size)
{
    json_t *value = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_array(value) && !kind_of(json_array_get(value, 0)))
        return value;
    json_decref(value);
    return NULL;
}

/* Markup to lines, then lines to rows. */
static etna_code read_loosely(const char *text,
                              size_t size,
                              json_t **ret,
                              etna_error *err)
{
    size_t plain_size = 0;
    char *lines = markup_lines(text, size, is_kind, &plain_size);
    if (!lines)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for constraints");
    etna_code code = loose_list(lines, plain_size, is_head, ret, err);
    free(lines);
    return code;
}

/* What the ObjectName row of `list` names; NULL: there is none, or several.
 * Borrowed. */
static const char *subject_of(const json_t *list)
{
    const char *found = NULL;
    const json_t *row;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)list, i, row)
    {
        if (kind_of(json_array_get(row, 0)) != CONSTRAINT_OBJECT_NAME)
            continue;
        if (found)
            return NULL;
        found = json_string_value(json_array_get(row, 1));
    }
    return found;
}

/* The rows of what was read, twice: what moves is known after the first time.
 * Takes the reference of `list`. */
static etna_code rows_of_list(json_t *list,
                              picture_scale *scale,
                              json_t **ret,
                              etna_error *err)
{
    picture_scale first = *scale;
    rows r = {.out = json_array(), .scale = &first};
    if (r.out)
        rows_walk(&r, list);
    json_t *before = r.out;
    r = (rows){.out = json_array(),
               .scale = scale,
               .err = err,
               .subject = subject_of(before)};
    if (!r.out || !before)
        fail_rows(&r, ETNA_E_NOMEM, "out of memory for constraints");
    rows_walk(&r, list);
    json_decref(before);
    json_decref(list);
    if (r.code == ETNA_OK) {
        *ret = r.out;
        return ETNA_OK;
    }
    json_decref(r.out);
    return r.code;
}

/* The usual reader: strict JSON first, else loosely. *ret is an array of rows,
 * new. */
etna_code rows_read(const char *text,
                    size_t size,
                    picture_scale *scale,
                    json_t **ret,
                    etna_error *err)
{
    json_t *list = read_strictly(text, size);
    if (!list) {
        etna_error what = {0};
        etna_code code = read_loosely(text, size, &list, &what);
        if (code == ETNA_E_INPUT)
            return etna_fail(
                err, code,
                "the [constraints] block is not a list of JSON arrays (%s)",
                what.text);
        if (code != ETNA_OK)
            return etna_fail(err, code, "%s", what.text);
    }
    return rows_of_list(list, scale, ret, err);
}

/* By the constraints' names in the text, whatever stands between (heads.h). */
etna_code rows_read_by_names(const char *text,
                             size_t size,
                             picture_scale *scale,
                             json_t **ret,
                             etna_error *err)
{
    json_t *list = NULL;
    etna_code code = heads_read(text, size, is_kind, &list, err);
    return code == ETNA_OK ? rows_of_list(list, scale, ret, err) : code;
}

/* Is there a row of the kind that says something else? There may be several
 * distances. */
static bool has_another(const json_t *list, const json_t *row)
{
    const json_t *other;
    size_t i;
    constraint_kind kind = kind_of(json_array_get(row, 0));
    json_array_foreach((json_t *)(uintptr_t)list, i, other)
    {
        bool same_kind = kind_of(json_array_get(other, 0)) == kind;
        if (same_kind && kind != CONSTRAINT_DISTANCE && !json_equal(other, row))
            return true;
    }
    return false;
}

/* "`["ObjectName", "Cup"]`" at `at`: the row between the ticks. 0: there is
 * none; else where it ends. */
static size_t ticked_row(const char *text, size_t size, size_t at, json_t **ret)
{
    size_t length = 0;
    bool opens = at + 1 < size && text[at] == '`' && text[at + 1] == '[';
    if (!opens || !loose_value(text + at + 1, size - at - 1, ret, &length))
        return 0;
    size_t end = at + 1 + length;
    bool is_row = end < size && text[end] == '`' && json_is_array(*ret);
    if (is_row)
        return end + 1;
    json_decref(*ret);
    *ret = NULL;
    return 0;
}

/* Rows that stand in prose between ticks. Two of a kind that differ are unsure:
 * one may be an example. */
etna_code rows_read_ticked(const char *text,
                           size_t size,
                           picture_scale *scale,
                           json_t **ret,
                           etna_error *err)
{
    json_t *list = json_array();
    bool is_unsure = false;
    for (size_t at = 0; list && at < size && !is_unsure;) {
        json_t *row = NULL;
        size_t end = ticked_row(text, size, at, &row);
        bool ends_line = end && (end == size || text[end] == '\n');
        const bool is_kind = ends_line && kind_of(json_array_get(row, 0));
        is_unsure = end && (!is_kind || has_another(list, row));
        if (end && !is_unsure)
            loose_append(&list, json_incref(row));
        json_decref(row);
        at = end ? end : at + 1;
    }
    if (!list)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for constraints");
    if (is_unsure || json_array_size(list) == 0) {
        json_decref(list);
        return etna_fail(err, ETNA_E_INPUT,
                         "there are no constraints, or several of a kind");
    }
    return rows_of_list(list, scale, ret, err);
}
