/* One row: which constraint it names, what its words mean, and its arguments in
 * the places where worker/solve wants them. A row that already has its form is
 * taken as it stands, so that what was read before is read the same. */
#include "worker/agents/loose.h"
#include "worker/agents/point.h"
#include "worker/agents/rows_internal.h"

#include <string.h>
#include <strings.h>

enum {
    EXECUTOR_ROWS_MAX = 64
};

void rows_fail(rows *r, etna_code code, const char *what)
{
    if (r->code != ETNA_OK)
        return;
    r->code = etna_fail(r->err, code, "%s", what);
}

constraint_kind rows_kind_named(const char *name)
{
    for (int kind = 1; name && kind < CONSTRAINT_KIND_COUNT; kind++) {
        if (loose_same(name, constraint_kind_name(kind)))
            return (constraint_kind)kind;
    }
    return name && loose_same(name, "CloseToPixel") ? CONSTRAINT_CLOSE_TO_PIX
                                                    : 0;
}

constraint_kind rows_kind_with_suffix(const char *name)
{
    static const char suffix[] = "constraint";
    char short_name[32];
    size_t size = name ? strlen(name) : 0;
    size_t most = sizeof suffix - 1;
    if (size <= most || size - most >= sizeof short_name ||
        strcasecmp(name + size - most, suffix) != 0)
        return 0;
    memcpy(short_name, name, size - most);
    short_name[size - most] = 0;
    return rows_kind_named(short_name);
}

constraint_kind rows_kind_of(const json_t *value)
{
    constraint_kind kind = rows_kind_named(json_string_value(value));
    return kind ? kind : rows_kind_with_suffix(json_string_value(value));
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
    const char *said = json_string_value(value);
    const char *dot = said ? strrchr(said, '.') : NULL;
    const char *meant = word_meaning(words, said);
    if (!meant && dot)
        meant = word_meaning(words, dot + 1);
    return meant ? meant : word_meaning(words, word_meaning(other_words, said));
}

bool rows_is_pixel_word(const json_t *value)
{
    return meaning_of(pixel_words, value) != NULL;
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

/* Where among the arguments a point stands, as itself or as the middle of a
 * box, and of how many of them it is; 0: there is none, or boxes are refused,
 * which is noted. */
static uint32_t arguments_find_point(rows *r,
                                     const arguments *a,
                                     double ret[2],
                                     point_unit *ret_unit,
                                     uint32_t *ret_at)
{
    for (uint32_t i = 0; i < a->count; i++) {
        json_t *next = i + 1 < a->count ? a->values[i + 1] : NULL;
        uint32_t used = point_read(a->values[i], next, ret, ret_unit);
        *ret_at = i;
        if (used > 0)
            return used;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (!point_read_box(a->values[i], ret))
            continue;
        *ret_at = i;
        if (scale_takes_box(r->scale, r->code == ETNA_OK ? r->err : NULL))
            return 1;
        r->code = ETNA_E_INPUT;
        break;
    }
    return 0;
}

/* A point from one argument or two; brings it to 0..1. What stood as a pair of
 * shares already goes back unchanged, so that its digits stay. */
static json_t *take_point(rows *r, arguments *a)
{
    double point[2];
    point_unit unit = POINT_PLAIN;
    uint32_t at = 0;
    const uint32_t used = arguments_find_point(r, a, point, &unit, &at);
    if (used == 0)
        return NULL;
    const double written[2] = {point[0], point[1]};
    if (!scale_point(r->scale, point, unit,
                     r->code == ETNA_OK ? r->err : NULL)) {
        r->code = ETNA_E_INPUT;
        return NULL;
    }
    bool same = written[0] == point[0] && written[1] == point[1];
    json_t *first = a->values[at];
    const bool is_pair =
        json_array_size(first) == 2 && json_is_number(json_array_get(first, 0));
    const bool as_it_is = same && used == 1 && is_pair;
    json_t *value =
        as_it_is ? json_incref(first) : json_pack("[f,f]", point[0], point[1]);
    for (uint32_t i = 0; i < used; i++)
        a->values[at + i] = NULL;
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
    const char *text = json_string_value(value);
    const char *meant;
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
    const json_t *x = loose_member(value, "x");
    const json_t *y = loose_member(value, "y");
    const json_t *z = loose_member(value, "z");
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
    const arguments opened = place_open(written);
    const arguments *a = &opened;
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
        /* an object may be named "none"; names are only looked up later, so
         * this counts in turns alone, which name no object */
        const bool reads_none = text && is_turn && loose_is_one(text, words);
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

void rows_emit(rows *r, constraint_kind kind, const arguments *all)
{
    json_t *values[4] = {NULL};
    json_t *row = NULL;
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
        rows_fail(r, ETNA_E_NOMEM, "out of memory for constraints");
}
