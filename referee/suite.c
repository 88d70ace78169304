/* See suite.h. */
#include "referee/suite.h"
#include "referee/json_line.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELD_MAX = 200,
    TEXT_MAX = 4000
};

typedef struct suite_reader {
    const char *path, *text;
    size_t size;
    etna_arena *arena;
    etna_error *err;
    char field[FIELD_MAX]; /* what is being read, as "scenes[3].steps[0]" */
    size_t field_length;
} suite_reader;

/* ---- kinds ---- */

enum {
    TAKES_LEAST = 1,
    TAKES_MOST = 2,
    TAKES_DEGREES = 4,
    TAKES_SINCE = 8,
    TAKES_PLACE = 16,
    TAKES_BY = 32,
    TAKES_ALONG = 64
};

static const struct predicate_row {
    const char *word;
    uint32_t least_things, most_things;
    unsigned takes;
    double least, most; /* unless said otherwise */
} rows[PREDICATE_KINDS] = {
    [PREDICATE_ON] = {"on", 2, 2, TAKES_MOST, 0, 0.02},
    [PREDICATE_INSIDE] = {"inside", 2, 2, 0, 0, 0},
    [PREDICATE_UNDER] = {"under", 2, 2, 0, 0, 0},
    [PREDICATE_HUNG] = {"hung on", 2, 2, TAKES_MOST, 0, 0.02},
    [PREDICATE_NEXT] = {"next to", 2, 2, TAKES_MOST, 0, 0.5},
    [PREDICATE_NEAR] = {"near", 2, 2, TAKES_MOST, 0, 1},
    [PREDICATE_BETWEEN] = {"between", 3, 3, TAKES_MOST, 0, 0.35},
    [PREDICATE_CORNER] = {"in the corner of", 2, 2, TAKES_MOST, 0, 0.5},
    [PREDICATE_MIDDLE] = {"in the middle of", 2, 2, TAKES_MOST, 0, 1.0 / 6},
    [PREDICATE_LEFT] = {"left of", 2, 2, TAKES_LEAST, 0, 0},
    [PREDICATE_RIGHT] = {"right of", 2, 2, TAKES_LEAST, 0, 0},
    [PREDICATE_BEFORE] = {"before", 2, 2, TAKES_LEAST, 0, 0},
    [PREDICATE_BEHIND] = {"behind", 2, 2, TAKES_LEAST, 0, 0},
    [PREDICATE_FACING] = {"facing", 2, 2, TAKES_MOST, 0, 30},
    [PREDICATE_DISTANCE] = {"distance", 2, 2, TAKES_LEAST | TAKES_MOST, 0,
                            INFINITY},
    [PREDICATE_FORMER] = {"at the former place of", 2, 2,
                          TAKES_MOST | TAKES_SINCE, 0, 0.25},
    [PREDICATE_TURNED] = {"turned by", 1, 1,
                          TAKES_MOST | TAKES_DEGREES | TAKES_SINCE, 0, 12},
    [PREDICATE_OVER] = {"over", 2, 2, 0, 0, 0},
    [PREDICATE_FOOT] = {"foot of", 1, 1, TAKES_LEAST | TAKES_MOST, -INFINITY,
                        INFINITY},
    [PREDICATE_AT] = {"at", 1, 1, TAKES_MOST | TAKES_PLACE, 0, 0.15},
    [PREDICATE_SHIFTED] = {"shifted", 1, 1, TAKES_MOST | TAKES_BY | TAKES_SINCE,
                           0, 0.05},
    [PREDICATE_MOVED] = {"moved", 1, 1, TAKES_LEAST | TAKES_SINCE, 0.05, 0},
    [PREDICATE_STILL] = {"still", 1, SUITE_THINGS_MAX, TAKES_MOST | TAKES_SINCE,
                         0, 0.01},
    [PREDICATE_STILL_BUT] = {"still but", 0, SUITE_THINGS_MAX,
                             TAKES_MOST | TAKES_SINCE, 0, 0.01},
    [PREDICATE_SIDE] = {"a side at", 1, 1, TAKES_MOST | TAKES_PLACE, 0, 0.05},
    [PREDICATE_DIRECTION] = {"in direction from", 2, 2,
                             TAKES_MOST | TAKES_ALONG, 0, 45},
    [PREDICATE_BEYOND] = {"beyond", 2, 2, TAKES_LEAST | TAKES_ALONG, 0.02, 0},
    [PREDICATE_HEADING] = {"heading", 1, 1, TAKES_MOST | TAKES_DEGREES, 0, 12},
    [PREDICATE_NEARER] = {"nearer to", 3, 3, 0, 0, 0},
    [PREDICATE_LINE] = {"in line with", 3, SUITE_THINGS_MAX, TAKES_MOST, 0,
                        0.06},
    [PREDICATE_SPACED] = {"evenly spaced with", 3, SUITE_THINGS_MAX, TAKES_MOST,
                          0, 0.08},
    [PREDICATE_TOGETHER] = {"together with", 2, SUITE_THINGS_MAX, TAKES_MOST, 0,
                            1},
    [PREDICATE_NOT] = {"not", 0, 0, 0, 0, 0},
    [PREDICATE_ANY] = {"any", 0, 0, 0, 0, 0},
    [PREDICATE_ALL] = {"all", 0, 0, 0, 0, 0},
    [PREDICATE_COUNT] = {"count", 0, 0, TAKES_LEAST | TAKES_MOST, 0, 1000},
};

const char *predicate_word(predicate_kind kind)
{
    return rows[kind].word;
}

static bool predicate_has_parts(predicate_kind kind)
{
    return kind == PREDICATE_NOT || kind == PREDICATE_ANY ||
           kind == PREDICATE_ALL || kind == PREDICATE_COUNT;
}

/* ---- where ---- */

static etna_code __attribute__((format(printf, 2, 3)))
suite_fail(const suite_reader *r, const char *format, ...)
{
    char why[300];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return etna_fail(r->err, ETNA_E_INPUT, "%.200s, line %u: %s%s%s", r->path,
                     json_line_of(r->text, r->size, r->field), r->field,
                     *r->field ? ": " : "", why);
}

static etna_code suite_no_memory(const suite_reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "%.200s: out of memory", r->path);
}

/* Into a part; suite_leave with what this gave goes back. */
static size_t suite_enter(suite_reader *r, const char *key)
{
    size_t before = r->field_length;
    snprintf(r->field + before, sizeof r->field - before, "%s%s",
             before ? "." : "", key);
    r->field_length = strlen(r->field);
    return before;
}

static size_t suite_enter_index(suite_reader *r, size_t index)
{
    size_t before = r->field_length;
    snprintf(r->field + before, sizeof r->field - before, "[%zu]", index);
    r->field_length = strlen(r->field);
    return before;
}

static void suite_leave(suite_reader *r, size_t before)
{
    r->field_length = before;
    r->field[before] = 0;
}

/* ---- plain members ---- */

static etna_code suite_check_keys(suite_reader *r,
                                  const json_t *object,
                                  const char *const *known)
{
    if (!json_is_object(object))
        return suite_fail(r, "wants an object");
    for (void *at = json_object_iter((json_t *)(uintptr_t)object); at;
         at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
        const char *key = json_object_iter_key(at);
        size_t i = 0;
        while (known[i] && strcmp(key, known[i]) != 0)
            i++;
        if (!known[i])
            return suite_fail(r, "knows no field \"%.60s\"", key);
    }
    return ETNA_OK;
}

/* A text that is there and not empty; without `is_needed` also none, *ret
 * NULL. */
static etna_code suite_read_text(suite_reader *r,
                                 const json_t *object,
                                 const char *key,
                                 bool is_needed,
                                 const char **ret)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    *ret = NULL;
    if (!value && !is_needed)
        return ETNA_OK;
    size_t before = suite_enter(r, key);
    bool is_good = text && *text && strlen(text) <= TEXT_MAX;
    etna_code code =
        is_good ? ETNA_OK
                : suite_fail(r, "wants a text of 1 to %d bytes", (int)TEXT_MAX);
    if (!code)
        *ret = etna_arena_strdup(r->arena, text);
    if (!code && !*ret)
        code = suite_no_memory(r);
    suite_leave(r, before);
    return code;
}

/* One of two words; none where it is not said: the first. */
static etna_code suite_read_choice(suite_reader *r,
                                   const json_t *object,
                                   const char *key,
                                   const char *first,
                                   const char *second,
                                   bool *ret_second)
{
    const char *text = NULL;
    etna_code code = suite_read_text(r, object, key, false, &text);
    *ret_second = text && strcmp(text, second) == 0;
    if (code || !text || *ret_second || strcmp(text, first) == 0)
        return code;
    size_t before = suite_enter(r, key);
    code = suite_fail(r, "is \"%s\" or \"%s\"", first, second);
    suite_leave(r, before);
    return code;
}

static etna_code suite_read_number(suite_reader *r,
                                   const json_t *object,
                                   const char *key,
                                   double least,
                                   double most,
                                   double *ret)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return ETNA_OK;
    double number = json_number_value(value);
    size_t before = suite_enter(r, key);
    bool is_good = json_is_number(value) && number >= least && number <= most;
    etna_code code =
        is_good ? ETNA_OK
                : suite_fail(r, "wants a number from %g to %g", least, most);
    if (!code)
        *ret = number;
    suite_leave(r, before);
    return code;
}

/* ---- predicates ---- */

static etna_code suite_read_things(suite_reader *r,
                                   const json_t *list,
                                   predicate *ret)
{
    const struct predicate_row *row = &rows[ret->kind];
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count < row->least_things ||
        count > row->most_things) {
        if (row->least_things != row->most_things)
            return suite_fail(r, "wants a list of things' names");
        return suite_fail(r, "wants a list of %u thing%s", row->least_things,
                          row->least_things == 1 ? "" : "s");
    }
    ret->things = etna_arena_alloc(r->arena, count + 1, sizeof *ret->things);
    if (!ret->things)
        return suite_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        size_t before = suite_enter_index(r, i);
        if (!name || !*name || strlen(name) > 200)
            return suite_fail(r, "wants a thing's name");
        suite_leave(r, before);
        ret->things[i] = etna_arena_strdup(r->arena, name);
        if (!ret->things[i])
            return suite_no_memory(r);
    }
    ret->thing_count = (uint32_t)count;
    return ETNA_OK;
}

static etna_code suite_read_predicates(suite_reader *r,
                                       const json_t *list,
                                       int depth,
                                       predicate **ret,
                                       uint32_t *ret_count);
static etna_code suite_read_predicate(suite_reader *r,
                                      const json_t *object,
                                      int depth,
                                      predicate *ret);

static etna_code suite_read_parts(suite_reader *r,
                                  const json_t *value,
                                  int depth,
                                  predicate *ret)
{
    if (depth >= SUITE_DEPTH_MAX)
        return suite_fail(r, "is nested deeper than %d", (int)SUITE_DEPTH_MAX);
    if (ret->kind != PREDICATE_NOT) {
        etna_code code = suite_read_predicates(r, value, depth + 1, &ret->parts,
                                               &ret->part_count);
        return !code && !ret->part_count
                   ? suite_fail(r, "wants at least one predicate")
                   : code;
    }
    ret->parts = etna_arena_alloc(r->arena, 1, sizeof *ret->parts);
    ret->part_count = 1;
    return ret->parts ? suite_read_predicate(r, value, depth + 1, ret->parts)
                      : suite_no_memory(r);
}

static etna_code suite_find_kind(suite_reader *r,
                                 const json_t *object,
                                 predicate_kind *ret)
{
    size_t found = 0;
    if (!json_is_object(object))
        return suite_fail(
            r, "wants a predicate, as {\"on\": [\"mug\", \"table\"]}");
    for (int k = 0; k < PREDICATE_KINDS; k++) {
        if (!json_object_get(object, rows[k].word))
            continue;
        *ret = (predicate_kind)k;
        found++;
    }
    if (found == 1)
        return ETNA_OK;
    return suite_fail(
        r, found ? "holds two predicates: each wants braces of its own"
                 : "holds no predicate that is known: see SUITE.md");
}

/* [x, y] or [x, y, z], metres of the world; null: any. */
static etna_code suite_read_place(suite_reader *r,
                                  const json_t *object,
                                  const char *key,
                                  predicate *ret)
{
    const json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list);
    size_t said = 0;
    bool is_needed =
        (rows[ret->kind].takes & (TAKES_PLACE | TAKES_BY | TAKES_ALONG)) != 0;
    for (int k = 0; k < 3; k++)
        ret->place[k] = (double)NAN;
    if (!is_needed)
        return ETNA_OK;
    size_t before = suite_enter(r, key);
    bool is_good = count == 2 || count == 3;
    for (size_t k = 0; is_good && k < count; k++) {
        const json_t *one = json_array_get(list, k);
        if (json_is_null(one))
            continue;
        ret->place[k] = json_number_value(one);
        is_good = json_is_number(one) && fabs(ret->place[k]) <= 100000;
        said++;
    }
    if (!is_good || !said)
        return suite_fail(
            r, "wants [x, y] or [x, y, z] in metres, null where any will do");
    suite_leave(r, before);
    return ETNA_OK;
}

/* What its `most` counts. */
static bool predicate_turns(predicate_kind kind)
{
    return kind == PREDICATE_FACING || kind == PREDICATE_TURNED ||
           kind == PREDICATE_HEADING || kind == PREDICATE_DIRECTION;
}

/* The member that says where, or which way. */
static const char *predicate_place_key(predicate_kind kind)
{
    if (rows[kind].takes & TAKES_ALONG)
        return "along";
    return rows[kind].takes & TAKES_BY ? "by" : "place";
}

/* Metres, or degrees, or for the middle a share, or how many. */
static etna_code suite_read_limits(suite_reader *r,
                                   const json_t *object,
                                   predicate *ret)
{
    const struct predicate_row *row = &rows[ret->kind];
    const char *since = NULL;
    double most = predicate_turns(ret->kind) ? 180 : 1000;
    ret->least = row->least;
    ret->most = row->most;
    double least = ret->kind == PREDICATE_FOOT ? -1000 : 0;
    etna_code code =
        suite_read_place(r, object, predicate_place_key(ret->kind), ret);
    if (!code)
        code = suite_read_number(r, object, "least", least, 1000, &ret->least);
    if (!code)
        code = suite_read_number(r, object, "most", least, most, &ret->most);
    if (!code)
        code =
            suite_read_number(r, object, "degrees", -360, 360, &ret->degrees);
    if (!code)
        code = suite_read_text(r, object, "since", false, &since);
    if (code)
        return code;
    if (row->takes & TAKES_DEGREES && !json_object_get(object, "degrees"))
        return suite_fail(r, "wants \"degrees\", counter-clockwise from above");
    if (row->takes & TAKES_LEAST && row->takes & TAKES_MOST &&
        !(ret->least <= ret->most))
        return suite_fail(r, "\"least\" is more than \"most\"");
    ret->since_step = since && strcmp(since, "step") == 0;
    if (!since || ret->since_step || strcmp(since, "start") == 0)
        return ETNA_OK;
    return suite_fail(r, "\"since\" is \"start\" or \"step\"");
}

static etna_code suite_check_predicate_keys(suite_reader *r,
                                            const json_t *object,
                                            predicate_kind kind)
{
    const struct predicate_row *row = &rows[kind];
    const char *known[8] = {row->word};
    size_t at = 1;
    if (row->takes & TAKES_LEAST)
        known[at++] = "least";
    if (row->takes & TAKES_MOST)
        known[at++] = "most";
    if (row->takes & TAKES_DEGREES)
        known[at++] = "degrees";
    if (row->takes & TAKES_SINCE)
        known[at++] = "since";
    if (row->takes & TAKES_PLACE)
        known[at++] = "place";
    if (row->takes & TAKES_BY)
        known[at++] = "by";
    if (row->takes & TAKES_ALONG)
        known[at++] = "along";
    return suite_check_keys(r, object, known);
}

static etna_code suite_read_predicate(suite_reader *r,
                                      const json_t *object,
                                      int depth,
                                      predicate *ret)
{
    *ret = (predicate){.kind = PREDICATE_ON};
    etna_code code = suite_find_kind(r, object, &ret->kind);
    if (!code)
        code = suite_check_predicate_keys(r, object, ret->kind);
    if (!code)
        code = suite_read_limits(r, object, ret);
    if (code)
        return code;
    const json_t *value = json_object_get(object, rows[ret->kind].word);
    size_t before = suite_enter(r, rows[ret->kind].word);
    bool has_parts = predicate_has_parts(ret->kind);
    code = has_parts ? suite_read_parts(r, value, depth, ret)
                     : suite_read_things(r, value, ret);
    if (!code)
        suite_leave(r, before);
    return code;
}

static etna_code suite_read_predicates(suite_reader *r,
                                       const json_t *list,
                                       int depth,
                                       predicate **ret,
                                       uint32_t *ret_count)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > SUITE_PREDICATES_MAX)
        return suite_fail(r, "wants a list of at most %d predicates",
                          (int)SUITE_PREDICATES_MAX);
    *ret = etna_arena_alloc(r->arena, count + 1, sizeof **ret);
    if (!*ret)
        return suite_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        size_t before = suite_enter_index(r, i);
        etna_code code =
            suite_read_predicate(r, json_array_get(list, i), depth, &(*ret)[i]);
        if (code)
            return code;
        suite_leave(r, before);
    }
    *ret_count = (uint32_t)count;
    return ETNA_OK;
}

/* ---- scenes ---- */

static etna_code suite_read_step(suite_reader *r,
                                 const json_t *object,
                                 suite_step *ret)
{
    static const char *const known[] = {"text", "after", NULL};
    etna_code code = suite_check_keys(r, object, known);
    if (!code)
        code = suite_read_text(r, object, "text", true, &ret->text);
    if (code)
        return code;
    size_t before = suite_enter(r, "after");
    code = suite_read_predicates(r, json_object_get(object, "after"), 0,
                                 &ret->after, &ret->after_count);
    if (!code && !ret->after_count)
        code = suite_fail(
            r, "wants at least one predicate: nothing is never done");
    if (!code)
        suite_leave(r, before);
    return code;
}

static etna_code suite_read_steps(suite_reader *r,
                                  const json_t *object,
                                  suite_scene *ret)
{
    const json_t *list = json_object_get(object, "steps");
    size_t count = json_array_size(list);
    if (!list && json_object_get(object, "goal"))
        return ETNA_OK;
    size_t before = suite_enter(r, "steps");
    if (!json_is_array(list) || count == 0 || count > SUITE_STEPS_MAX)
        return suite_fail(r, "wants a list of 1 to %d steps",
                          (int)SUITE_STEPS_MAX);
    ret->steps = etna_arena_alloc(r->arena, count, sizeof *ret->steps);
    if (!ret->steps)
        return suite_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        size_t in = suite_enter_index(r, i);
        etna_code code =
            suite_read_step(r, json_array_get(list, i), &ret->steps[i]);
        if (code)
            return code;
        suite_leave(r, in);
    }
    ret->step_count = (uint32_t)count;
    suite_leave(r, before);
    return ETNA_OK;
}

static etna_code suite_read_goal(suite_reader *r,
                                 const json_t *object,
                                 suite_scene *ret)
{
    const json_t *goal = json_object_get(object, "goal");
    if (!goal)
        return ETNA_OK;
    size_t before = suite_enter(r, "goal");
    etna_code code = suite_read_step(r, goal, &ret->goal);
    if (!code)
        suite_leave(r, before);
    return code;
}

static etna_code suite_read_front(suite_reader *r,
                                  const char *thing,
                                  const json_t *value,
                                  suite_front *ret)
{
    static const char *const axes[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    const char *word = json_string_value(value);
    for (int i = 0; word && i < 6; i++) {
        if (strcmp(word, axes[i]) != 0)
            continue;
        ret->thing = etna_arena_strdup(r->arena, thing);
        ret->along[i / 2] = i % 2 ? -1 : 1;
        return ret->thing ? ETNA_OK : suite_no_memory(r);
    }
    return suite_fail(
        r,
        "the front of \"%.60s\" is one of +X, -X, +Y, -Y, +Z, -Z, of its node's own axes",
        thing);
}

static etna_code suite_read_fronts(suite_reader *r,
                                   const json_t *object,
                                   suite_scene *ret)
{
    json_t *fronts = json_object_get(object, "fronts");
    const char *thing;
    json_t *value;
    if (!fronts)
        return ETNA_OK;
    size_t before = suite_enter(r, "fronts");
    if (!json_is_object(fronts))
        return suite_fail(r, "wants an object: things' names and axes");
    ret->fronts = etna_arena_alloc(r->arena, json_object_size(fronts) + 1,
                                   sizeof *ret->fronts);
    if (!ret->fronts)
        return suite_no_memory(r);
    json_object_foreach(fronts, thing, value)
    {
        etna_code code =
            suite_read_front(r, thing, value, &ret->fronts[ret->front_count++]);
        if (code)
            return code;
    }
    suite_leave(r, before);
    return ETNA_OK;
}

/* A scene's name becomes a part of a folder's. */
static etna_code suite_check_name(suite_reader *r, const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t size = strlen(name);
    if (size <= SUITE_NAME_MAX / 2 && strspn(name, plain) == size &&
        *name != '-')
        return ETNA_OK;
    suite_enter(r, "name");
    return suite_fail(
        r,
        "is no plain name: letters, digits, _ and -, a letter, digit or _ first, at most %d",
        SUITE_NAME_MAX / 2);
}

/* Metres, as a text: `etna run --unit` takes it. */
static etna_code suite_read_unit(suite_reader *r,
                                 const json_t *object,
                                 const char **ret)
{
    const double most = 1e6; /* as that does */
    etna_code code = suite_read_text(r, object, "unit", false, ret);
    if (code || !*ret)
        return code;
    char *end = NULL;
    double metres = strtod(*ret, &end);
    if (!*end && metres > 0 && metres <= most)
        return ETNA_OK;
    suite_enter(r, "unit");
    return suite_fail(r, "wants the metres of one unit, as \"0.01\"");
}

static etna_code suite_read_up(suite_reader *r,
                               const json_t *object,
                               const char **ret)
{
    etna_code code = suite_read_text(r, object, "up", false, ret);
    if (code || !*ret || strcmp(*ret, "Y") == 0 || strcmp(*ret, "Z") == 0)
        return code;
    suite_enter(r, "up");
    return suite_fail(r, "is \"Y\" or \"Z\"");
}

static etna_code suite_read_scene(suite_reader *r,
                                  const json_t *object,
                                  suite_scene *ret)
{
    static const char *const known[] = {"name", "scene",  "camera", "unit",
                                        "up",   "split",  "level",  "steps",
                                        "goal", "fronts", NULL};
    etna_code code = suite_check_keys(r, object, known);
    if (!code)
        code = suite_read_text(r, object, "name", true, &ret->name);
    if (!code)
        code = suite_check_name(r, ret->name);
    if (!code)
        code = suite_read_text(r, object, "scene", true, &ret->scene);
    if (!code)
        code = suite_read_text(r, object, "camera", false, &ret->camera);
    if (!code)
        code = suite_read_unit(r, object, &ret->unit);
    if (!code)
        code = suite_read_up(r, object, &ret->up);
    if (!code)
        code =
            suite_read_choice(r, object, "split", "dev", "test", &ret->is_test);
    if (!code)
        code = suite_read_choice(r, object, "level", "easy", "hard",
                                 &ret->is_hard);
    if (!code)
        code = suite_read_steps(r, object, ret);
    if (!code)
        code = suite_read_goal(r, object, ret);
    return code ? code : suite_read_fronts(r, object, ret);
}

static etna_code suite_check_names(suite_reader *r, const suite *s)
{
    for (uint32_t i = 0; i < s->scene_count; i++) {
        const suite_scene *first = suite_find(s, s->scenes[i].name);
        if (first == &s->scenes[i])
            continue;
        suite_enter(r, "scenes");
        suite_enter_index(r, i);
        return suite_fail(r, "the name %.60s is that of scenes[%u], too",
                          first->name, (unsigned)(first - s->scenes));
    }
    return ETNA_OK;
}

static etna_code suite_read_scenes(suite_reader *r,
                                   const json_t *list,
                                   suite *ret)
{
    size_t count = json_array_size(list);
    size_t before = suite_enter(r, "scenes");
    if (!json_is_array(list) || count == 0 || count > SUITE_SCENES_MAX)
        return suite_fail(r, "wants a list of 1 to %d scenes",
                          (int)SUITE_SCENES_MAX);
    ret->scenes = etna_arena_alloc(r->arena, count, sizeof *ret->scenes);
    if (!ret->scenes)
        return suite_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        size_t in = suite_enter_index(r, i);
        etna_code code =
            suite_read_scene(r, json_array_get(list, i), &ret->scenes[i]);
        if (code)
            return code;
        ret->task_count += ret->scenes[i].step_count;
        suite_leave(r, in);
    }
    ret->scene_count = (uint32_t)count;
    suite_leave(r, before);
    return suite_check_names(r, ret);
}

static etna_code suite_read_whole(suite_reader *r,
                                  const json_t *object,
                                  suite *ret)
{
    static const char *const known[] = {"schema", "name", "scenes", NULL};
    const char *schema = NULL;
    etna_code code = suite_check_keys(r, object, known);
    if (!code)
        code = suite_read_text(r, object, "schema", true, &schema);
    if (!code && strcmp(schema, "etna.suite/1") != 0) {
        suite_enter(r, "schema");
        return suite_fail(r, "is not \"etna.suite/1\"");
    }
    if (!code)
        code = suite_read_text(r, object, "name", true, &ret->name);
    return code ? code
                : suite_read_scenes(r, json_object_get(object, "scenes"), ret);
}

etna_code suite_parse(const char *path,
                      const char *text,
                      size_t size,
                      etna_arena *arena,
                      suite *ret,
                      etna_error *err)
{
    suite_reader r = {
        .path = path, .text = text, .size = size, .arena = arena, .err = err};
    suite found = {.name = NULL};
    json_error_t why;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!object)
        return etna_fail(err, ETNA_E_INPUT,
                         "%.200s, line %d, column %d: %.150s", path, why.line,
                         why.column, why.text);
    etna_code code = suite_read_whole(&r, object, &found);
    json_decref(object);
    if (!code)
        *ret = found;
    return code;
}

/* The whole file, malloc'd; NULL with `err` set: it is not to be had. */
static char *suite_load(const char *path, size_t *ret_size, etna_error *err)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        etna_fail(err, ETNA_E_INPUT, "%.300s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = malloc(SUITE_BYTES_MAX + 1);
    size_t size = text ? fread(text, 1, SUITE_BYTES_MAX + 1, file) : 0;
    int why = ferror(file) ? errno : 0;
    fclose(file);
    etna_code code = ETNA_OK;
    if (!text)
        code = etna_fail(err, ETNA_E_NOMEM, "%.300s: out of memory", path);
    if (!code && why)
        code = etna_fail(err, ETNA_E_INPUT, "%.300s: %s", path, strerror(why));
    if (!code && size > SUITE_BYTES_MAX)
        code = etna_fail(err, ETNA_E_INPUT, "%.300s: is larger than %d bytes",
                         path, (int)SUITE_BYTES_MAX);
    if (code) {
        free(text);
        return NULL;
    }
    *ret_size = size;
    return text;
}

etna_code suite_read(const char *path,
                     etna_arena *arena,
                     suite *ret,
                     etna_error *err)
{
    size_t size = 0;
    char *text = suite_load(path, &size, err);
    if (!text)
        return err->code;
    etna_code code = suite_parse(path, text, size, arena, ret, err);
    free(text);
    return code;
}

etna_code suite_fail_at(const char *path,
                        const char *field,
                        const char *why,
                        etna_error *err)
{
    size_t size = 0;
    char *text = suite_load(path, &size, err);
    if (!text)
        return err->code;
    unsigned line = json_line_of(text, size, field);
    free(text);
    return etna_fail(err, ETNA_E_INPUT, "%.200s, line %u: %s: %s", path, line,
                     field, why);
}

const suite_scene *suite_find(const suite *s, const char *name)
{
    for (uint32_t i = 0; i < s->scene_count; i++) {
        if (strcmp(s->scenes[i].name, name) == 0)
            return &s->scenes[i];
    }
    return NULL;
}

/* ---- words ---- */

static void __attribute__((format(printf, 4, 5)))
say_add(char *to, size_t size, size_t *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (*at < size)
        vsnprintf(to + *at, size - *at, format, args);
    va_end(args);
    *at = strnlen(to, size);
}

void predicate_say(const predicate *p, char *to, size_t size)
{
    const struct predicate_row *row = &rows[p->kind];
    size_t at = 0;
    if (!size)
        return;
    *to = 0;
    if (p->thing_count && row->least_things)
        say_add(to, size, &at, "%s ", p->things[0]);
    say_add(to, size, &at, "%s", row->word);
    if (row->takes & TAKES_DEGREES)
        say_add(to, size, &at, " %g degrees", p->degrees);
    if (p->kind == PREDICATE_COUNT)
        say_add(to, size, &at, " %g to %g of", p->least, p->most);
    for (uint32_t i = row->least_things ? 1 : 0; i < p->thing_count; i++)
        say_add(to, size, &at, "%s %s",
                i > (row->least_things ? 1 : 0) ? "," : "", p->things[i]);
    for (uint32_t i = 0; i < p->part_count; i++) {
        char part[300];
        predicate_say(&p->parts[i], part, sizeof part);
        say_add(to, size, &at, "%s%s", i ? "; " : " ", part);
    }
}
