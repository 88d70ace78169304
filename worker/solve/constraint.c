/* Reading constraint arrays. A table of forms drives it, so that what is
 * accepted and what the error says agree. */
#include "worker/solve/constraint.h"

#include "proto/arrange.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 64 << 10,
    NAME_MAX_BYTES = ARRANGE_NAME_MAX + 15
};

typedef struct constraint_form {
    const char *name, *form;
    size_t length;   /* items, the name included */
    size_t optional; /* more items that may follow */
} constraint_form;

static const constraint_form forms[CONSTRAINT_KIND_COUNT] = {
    [CONSTRAINT_OBJECT_NAME] = {"ObjectName", "[\"ObjectName\", name]", 2, 0},
    [CONSTRAINT_CLOSE_TO_PIX] =
        {"CloseToPix", "[\"CloseToPix\", \"center\" or \"down\", [x, y]]", 3,
         1},
    [CONSTRAINT_CONTACT] =
        {"Contact", "[\"Contact\", \"down\", \"side\" or \"up\", plane]", 3, 0},
    [CONSTRAINT_NO_OVERHANG] =
        {"NoOverhang",
         "[\"NoOverhang\", \"down\", plane, \"full_only\" or \"center\"]", 4,
         0},
    [CONSTRAINT_DISTANCE] = {"Distance", "[\"Distance\", other object, metres]",
                             3, 0},
    [CONSTRAINT_FACE_TO] = {"FaceTo",
                            "[\"FaceTo\", object, plane or \"camera\"]", 2, 0},
    [CONSTRAINT_BACK_TO] = {"BackTo",
                            "[\"BackTo\", object, plane or \"camera\"]", 2, 0},
    [CONSTRAINT_ROTATE] = {"Rotate", "[\"Rotate\", degrees]", 2, 0},
    [CONSTRAINT_PLACE] =
        {"Place",
         "[\"Place\", [x, y, z]], then perhaps metres of slack or [x, y, z] of a segment's end",
         2, 1},
    [CONSTRAINT_HEADING] = {"Heading", "[\"Heading\", degrees]", 2, 0},
};

/* As it is written; "?" for none. */
const char *constraint_kind_name(constraint_kind kind)
{
    return kind > 0 && kind < CONSTRAINT_KIND_COUNT ? forms[kind].name : "?";
}

typedef struct reading {
    uint32_t number; /* from 1 */
    etna_arena *arena;
    etna_error *err;
    const constraint_form *form;
} reading;

/* Always with the form that is right: the next attempt of an agent should
 * succeed. */
static etna_code constraint_refuse(const reading *r, const char *what)
{
    return etna_fail(r->err, ETNA_E_INPUT,
                     "constraint %u (%s): %s; the form is %s", r->number,
                     r->form->name, what, r->form->form);
}

/* Copied to the arena, since the JSON goes. */
static etna_code constraint_read_name(const reading *r,
                                      const json_t *value,
                                      const char **ret)
{
    if (!json_is_string(value))
        return constraint_refuse(r, "the name is not a string");
    size_t size = json_string_length(value);
    const char *text = json_string_value(value);
    if (size == 0 || size > NAME_MAX_BYTES || strlen(text) != size)
        return constraint_refuse(
            r, "the name is empty, too long or holds a zero character");
    /* names are told back in one-line texts */
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return constraint_refuse(r, "the name holds a control character");
    char *copy = etna_arena_strndup(r->arena, text, size);
    if (!copy)
        return etna_fail(r->err, ETNA_E_NOMEM, "no memory for constraints");
    *ret = copy;
    return ETNA_OK;
}

/* One of up to three words; a NULL word is not allowed there. */
static etna_code constraint_read_face(const reading *r,
                                      const json_t *value,
                                      const char *const words[3],
                                      const constraint_face faces[3],
                                      constraint_face *ret)
{
    const char *text = json_string_value(value);
    for (int i = 0; text && i < 3; i++)
        if (words[i] && strcmp(text, words[i]) == 0) {
            *ret = faces[i];
            return ETNA_OK;
        }
    return constraint_refuse(r, "its second word is not one of those allowed");
}

/* Within low .. high; `what` says the range. NaN and infinity cannot come from
 * JSON but fail the comparison as well. */
static etna_code constraint_read_number(const reading *r,
                                        const json_t *value,
                                        double low,
                                        double high,
                                        const char *what,
                                        double *ret)
{
    if (!json_is_number(value))
        return constraint_refuse(r, what);
    double number = json_number_value(value);
    if (!(number >= low && number <= high))
        return constraint_refuse(r, what);
    *ret = number;
    return ETNA_OK;
}

/* Shares of the image. */
static etna_code read_pixel(const reading *r,
                            const json_t *value,
                            double ret[2])
{
    if (!json_is_array(value) || json_array_size(value) != 2)
        return constraint_refuse(r, "the coordinate is not [x, y]");
    for (size_t i = 0; i < 2; i++) {
        etna_code code = constraint_read_number(
            r, json_array_get(value, i), 0, 1,
            "x and y are numbers from 0 to 1, (0, 0) is the top left", &ret[i]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Metres of the world. */
static etna_code constraint_read_point(const reading *r,
                                       const json_t *value,
                                       double ret[3])
{
    if (!json_is_array(value) || json_array_size(value) != 3)
        return constraint_refuse(r, "the place is not [x, y, z]");
    for (size_t i = 0; i < 3; i++) {
        etna_code code = constraint_read_number(
            r, json_array_get(value, i), -CONSTRAINT_PLACE_FARTHEST,
            CONSTRAINT_PLACE_FARTHEST,
            "x, y and z are numbers of metres in the world, at most 1000000",
            &ret[i]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* [x, y, z], then perhaps slack (a disc of places) or a second point (a segment
 * of them). */
static etna_code read_place(const reading *r,
                            const json_t *array,
                            constraint *c)
{
    const json_t *more = json_array_get(array, 2);
    etna_code code =
        constraint_read_point(r, json_array_get(array, 1), c->point);
    if (code != ETNA_OK || !more)
        return code;
    c->to_end = json_is_array(more);
    if (c->to_end)
        return constraint_read_point(r, more, c->end);
    return constraint_read_number(
        r, more, 0, CONSTRAINT_SLACK_MOST,
        "the slack is not a number of metres from 0 to 100", &c->value);
}

static const constraint_face contact_faces[3] = {FACE_DOWN, FACE_SIDE, FACE_UP};

/* The plane's name is read by the caller, as in a Contact. */
static etna_code read_overhang(const reading *r,
                               const json_t *face,
                               const json_t *mode,
                               constraint *c)
{
    static const char *const words[3] = {"down", NULL, NULL};
    etna_code code =
        constraint_read_face(r, face, words, contact_faces, &c->face);
    if (code != ETNA_OK)
        return code;
    const char *name = json_string_value(mode);
    c->full_only = name && strcmp(name, "full_only") == 0;
    bool is_center = name && strcmp(name, "center") == 0;
    return c->full_only || is_center
               ? ETNA_OK
               : constraint_refuse(r,
                                   "the mode is neither full_only nor center");
}

/* What follows the name, by the kind; the count was checked against the
 * form. */
static etna_code read_items(const reading *r,
                            const json_t *array,
                            constraint *c)
{
    static const char *const pixel_words[3] = {"center", "down", NULL};
    static const char *const contact_words[3] = {"down", "side", "up"};
    static const constraint_face pixel_faces[3] = {FACE_CENTER, FACE_DOWN,
                                                   FACE_NONE};
    const json_t *first = json_array_get(array, 1);
    const json_t *second = json_array_get(array, 2);
    const json_t *third = json_array_get(array, 3);
    etna_code code = ETNA_OK;
    switch (c->kind) {
    case CONSTRAINT_CLOSE_TO_PIX:
        code =
            constraint_read_face(r, first, pixel_words, pixel_faces, &c->face);
        if (code == ETNA_OK)
            code = read_pixel(r, second, c->pixel);
        return code == ETNA_OK && third
                   ? constraint_read_name(r, third, &c->camera)
                   : code;
    case CONSTRAINT_CONTACT:
        code = constraint_read_face(r, first, contact_words, contact_faces,
                                    &c->face);
        return code == ETNA_OK ? constraint_read_name(r, second, &c->name)
                               : code;
    case CONSTRAINT_NO_OVERHANG:
        code = read_overhang(r, first, third, c);
        return code == ETNA_OK ? constraint_read_name(r, second, &c->name)
                               : code;
    case CONSTRAINT_DISTANCE:
        code = constraint_read_name(r, first, &c->name);
        if (code != ETNA_OK)
            return code;
        return constraint_read_number(
            r, second, 0, 10000,
            "the distance is not a number of metres from 0 to 10000",
            &c->value);
    case CONSTRAINT_PLACE: return read_place(r, array, c);
    case CONSTRAINT_ROTATE:
    case CONSTRAINT_HEADING:
        return constraint_read_number(
            r, first, -3600, 3600,
            "the angle is not a number of degrees from -3600 to 3600",
            &c->value);
    default: /* a name and nothing else */
        return constraint_read_name(r, first, &c->name);
    }
}

/* May a message repeat it? */
static bool constraint_name_is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c <= 0x20 || *c >= 0x7f)
            return false;
    return strlen(name) <= 40;
}

/* number: from 1, for messages. */
static etna_code read_one(const json_t *array,
                          uint32_t number,
                          etna_arena *arena,
                          constraint *ret,
                          etna_error *err)
{
    const char *name = json_is_array(array)
                           ? json_string_value(json_array_get(array, 0))
                           : NULL;
    if (!name)
        return etna_fail(
            err, ETNA_E_INPUT,
            "constraint %u is not an array that starts with its name, as [\"ObjectName\", \"...\"]",
            number);
    for (int kind = 1; kind < CONSTRAINT_KIND_COUNT; kind++) {
        if (strcmp(name, forms[kind].name) != 0)
            continue;
        reading r = {
            .number = number, .arena = arena, .err = err, .form = &forms[kind]};
        size_t size = json_array_size(array);
        size_t least = forms[kind].length;
        if (size < least || size > least + forms[kind].optional)
            return constraint_refuse(&r, "the number of items is wrong");
        ret->kind = (constraint_kind)kind;
        return read_items(&r, array, ret);
    }
    bool plain = constraint_name_is_plain(name);
    return etna_fail(
        err, ETNA_E_INPUT,
        "constraint %u is named \"%s\"; known are ObjectName, CloseToPix, Contact, NoOverhang, Distance, FaceTo, BackTo, Rotate, Place, Heading",
        number, plain ? name : "?");
}

/* Which may be written how often, and which exclude each other. Read once here,
 * so that the solver can rely on it. */
static etna_code check_counts(const constraint_list *list, etna_error *err)
{
    uint32_t count[CONSTRAINT_KIND_COUNT] = {0};
    for (uint32_t i = 0; i < list->count; i++)
        count[list->items[i].kind]++;
    if (count[CONSTRAINT_OBJECT_NAME] != 1)
        return etna_fail(
            err, ETNA_E_INPUT,
            "there are %u ObjectName constraints; write exactly one: %s",
            count[CONSTRAINT_OBJECT_NAME], forms[CONSTRAINT_OBJECT_NAME].form);
    if (count[CONSTRAINT_PLACE] > 1)
        return etna_fail(err, ETNA_E_INPUT,
                         "there are %u Place constraints; write at most one",
                         count[CONSTRAINT_PLACE]);
    if (count[CONSTRAINT_PLACE] && count[CONSTRAINT_CLOSE_TO_PIX])
        return etna_fail(
            err, ETNA_E_INPUT,
            "CloseToPix and Place both say where; write one of the two");
    if (!count[CONSTRAINT_PLACE] && count[CONSTRAINT_CLOSE_TO_PIX] == 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "there is no CloseToPix constraint; write at least one: %s",
            forms[CONSTRAINT_CLOSE_TO_PIX].form);
    if (count[CONSTRAINT_ROTATE] > 1)
        return etna_fail(err, ETNA_E_INPUT,
                         "there are %u Rotate constraints; write at most one",
                         count[CONSTRAINT_ROTATE]);
    if (count[CONSTRAINT_HEADING] > 1)
        return etna_fail(err, ETNA_E_INPUT,
                         "there are %u Heading constraints; write at most one",
                         count[CONSTRAINT_HEADING]);
    bool turned = count[CONSTRAINT_ROTATE] || count[CONSTRAINT_FACE_TO] ||
                  count[CONSTRAINT_BACK_TO];
    if (count[CONSTRAINT_HEADING] && turned)
        return etna_fail(
            err, ETNA_E_INPUT,
            "Heading says the yaw itself; write no Rotate, FaceTo or BackTo beside it");
    return ETNA_OK;
}

/* Nothing of *ret is set on failure. */
static etna_code read_list(const json_t *root,
                           etna_arena *arena,
                           constraint_list *ret,
                           etna_error *err)
{
    size_t count = json_array_size(root);
    if (count > CONSTRAINTS_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "there are %zu constraints; at most %d are read",
                         count, CONSTRAINTS_MAX);
    constraint *items = etna_arena_alloc(arena, count, sizeof *items);
    if (!items)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for constraints");
    constraint_list list = {.count = (uint32_t)count, .items = items};
    for (uint32_t i = 0; i < count; i++) {
        etna_code code =
            read_one(json_array_get(root, i), i + 1, arena, &items[i], err);
        if (code != ETNA_OK)
            return code;
        if (items[i].kind == CONSTRAINT_OBJECT_NAME)
            list.object = items[i].name;
    }
    etna_code code = check_counts(&list, err);
    if (code == ETNA_OK)
        *ret = list;
    return code;
}

/* JSON's white space. */
static bool constraint_is_space(char c)
{
    return c && strchr(" \t\n\r", c);
}

/* Is the trimmed text an array of arrays already? Models also write its items
 * alone, one a line, and a comma behind. */
static bool constraint_is_array(const char *text, size_t size)
{
    if (size < 2 || text[0] != '[')
        return false;
    size_t inner = 1;
    while (inner < size && constraint_is_space(text[inner]))
        inner++;
    return inner < size && (text[inner] == '[' || text[inner] == ']');
}

/* The text as JSON, within brackets where it has none. *ret NULL: it is no
 * JSON, and *error says why. */
static etna_code constraint_load(const char *text,
                                 size_t size,
                                 json_t **ret,
                                 json_error_t *error,
                                 etna_error *err)
{
    while (size > 0 && constraint_is_space(*text)) {
        text++;
        size--;
    }
    while (size > 0 && constraint_is_space(text[size - 1]))
        size--;
    if (constraint_is_array(text, size)) {
        *ret = json_loadb(text, size, JSON_REJECT_DUPLICATES, error);
        return ETNA_OK;
    }
    if (size > 0 && text[size - 1] == ',')
        size--;
    char *copy = malloc(size + 2);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for constraints");
    copy[0] = '[';
    if (size > 0)
        memcpy(copy + 1, text, size);
    copy[size + 1] = ']';
    *ret = json_loadb(copy, size + 2, JSON_REJECT_DUPLICATES, error);
    free(copy);
    return ETNA_OK;
}

/* The names in *ret live in the arena. Everything that is wrong is ETNA_E_INPUT
 * with the number of the constraint. */
etna_code constraint_parse(const char *text,
                           size_t size,
                           etna_arena *arena,
                           constraint_list *ret,
                           etna_error *err)
{
    if (size > TEXT_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the constraints are %zu bytes long; at most %d are read", size,
            TEXT_MAX);
    json_error_t error;
    json_t *root;
    etna_code code = constraint_load(text, size, &root, &error, err);
    if (code != ETNA_OK)
        return code;
    /* it quotes the input, cut anywhere */
    for (char *c = error.text; !root && *c; c++)
        *c = *c >= 0x20 && *c < 0x7f ? *c : '?';
    if (!root)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the constraints are not a JSON array of arrays: line %d, column %d: %s",
            error.line, error.column, error.text);
    code = json_is_array(root)
               ? read_list(root, arena, ret, err)
               : etna_fail(err, ETNA_E_INPUT,
                           "the constraints are not a JSON array of arrays");
    json_decref(root);
    return code;
}
