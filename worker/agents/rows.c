/* See rows.h: the rows in what a model wrote, wherever they stand. row_form.c
 * makes one of them. */
#include "proto/array.h"
#include "worker/agents/heads.h"
#include "worker/agents/loose.h"
#include "worker/agents/markup.h"
#include "worker/agents/plain.h"
#include "worker/agents/point.h"
#include "worker/agents/rows_internal.h"
#include "worker/provider/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    INNER_MAX = 4096 /* bytes of a row within a text */
};

static void rows_walk(rows *r, const json_t *list);
static void walk_object(rows *r, const json_t *object);

/* Vector2(0.5, 0.25), Plane("Desk_1"): how many parts of the list only say what
 * the rest is, 0 or 1. */
static size_t arguments_call_name(const json_t *list)
{
    static const char *const names[] = {"plane", "object", "surface", "target",
                                        NULL};
    const char *name = json_string_value(json_array_get(list, 0));
    const json_t *next = json_array_get(list, 1);
    const json_t *last = json_array_get(list, 2);
    size_t size = json_array_size(list);
    double number;
    if (!name || size < 2)
        return 0;
    bool is_pair = size == 3 && loose_number(next, NULL, &number) &&
                   loose_number(last, NULL, &number);
    bool is_point = is_pair || (size == 2 && point_is_place(next));
    bool is_callable =
        !strpbrk(name, " _") && !rows_is_pixel_word(json_array_get(list, 0));
    if (is_point)
        return is_callable;
    return size == 2 && json_is_string(next) && loose_is_one(name, names);
}

/* [0.5, 0.25] (normalized). */
static bool arguments_is_remark(const json_t *list)
{
    static const char *const words[] = {"normalized",    "normalised",
                                        "approximately", "approx",
                                        "relative",      NULL};
    const char *said = json_string_value(json_array_get(list, 0));
    return said && json_array_size(list) == 1 && loose_is_one(said, words);
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
    rows_fail(r, ETNA_E_INPUT, what);
}

/* Members that only hold rows. */
static bool is_wrapper(const char *name)
{
    name += *name == '/'; /* "[/constraint]" */
    static const char *const names[] = {"constraints", "constraint", "answer",
                                        "result",      "output",     "list",
                                        "items"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (loose_same(name, names[i]))
            return true;
    }
    return false;
}

static bool begins_row(const json_t *value)
{
    return rows_kind_of(value) || rows_kind_of(json_array_get(value, 0)) ||
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
    constraint_kind kind = rows_kind_of(json_array_get(list, at));
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
    return name && loose_is_one(dot ? dot + 1 : name, names);
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
        if (rows_kind_of(value)) {
            i = walk_row(r, list, i);
            continue;
        }
        if (json_is_array(value)) {
            if (!walk_subject(r, value))
                rows_walk(r, value);
        } else if (json_is_object(value)) {
            walk_object(r, value);
        } else if (!text) {
            rows_fail(
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
        for (size_t i = 0; i < COUNT_OF(types); i++)
            is_type = is_type || loose_same(name, types[i]);
        if (is_type && !kind && rows_kind_of(value)) {
            kind = rows_kind_of(value);
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

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

/* A row that stands under its number. */
static void walk_numbered(rows *r, const json_t *value)
{
    json_t *list = json_pack("[O]", value);
    if (list)
        rows_walk(r, list);
    if (!list)
        rows_fail(r, ETNA_E_NOMEM, "out of memory for constraints");
    json_decref(list);
}

/* A member that is no constraint: the wrapper of some; beside one, what is
 * thought of them says nothing else. */
static void walk_member(rows *r,
                        const json_t *object,
                        const char *name,
                        const json_t *value)
{
    bool is_remark =
        heads_is_remark(name) || (!is_container(value) && has_wrapper(object));
    const json_t *named =
        json_is_object(value) ? loose_member(value, "name") : value;
    if (heads_is_subject(name) && json_is_string(named)) {
        const arguments a = {.count = 1,
                             .values = {(json_t *)(uintptr_t)named}};
        rows_emit(r, CONSTRAINT_OBJECT_NAME, &a);
    } else if (is_numbered(name) && is_container(value)) {
        walk_numbered(r, value);
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
            rows_kind_named(name) == CONSTRAINT_OBJECT_NAME)
            return true;
        if (is_wrapper(name) && says_subject(inner))
            return true;
    }
    json_array_foreach((json_t *)(uintptr_t)value, i, inner)
    {
        if (rows_kind_of(json_array_get(inner, 0)) == CONSTRAINT_OBJECT_NAME)
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
    const json_t *name = loose_member(object, "name");
    const json_t *found = NULL;
    for (size_t i = 0; i < COUNT_OF(keys) && !found; i++)
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
        constraint_kind kind = rows_kind_named(name);
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
    return rows_kind_named(name) || rows_kind_with_suffix(name);
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
    if (is_call || is_invented)
        return true;
    return is_kind(name) || is_wrapper(name) || is_taker(name);
}

/* Strict JSON: an array of arrays, or arrays with commas between. NULL: it is
 * none. */
static json_t *read_strictly(const char *text, size_t size)
{
    json_t *value = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_array(value) && !rows_kind_of(json_array_get(value, 0)))
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
        if (rows_kind_of(json_array_get(row, 0)) != CONSTRAINT_OBJECT_NAME)
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
        rows_fail(&r, ETNA_E_NOMEM, "out of memory for constraints");
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
    constraint_kind kind = rows_kind_of(json_array_get(row, 0));
    json_array_foreach((json_t *)(uintptr_t)list, i, other)
    {
        bool same_kind = rows_kind_of(json_array_get(other, 0)) == kind;
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
        const bool is_kind = ends_line && rows_kind_of(json_array_get(row, 0));
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
