/* Is what a model answered in the reader's place made of predicates? What is
 * wrong is told in words that can be sent back; what is right is copied, field
 * by field, and nothing else. */
#include "worker/builtin/read/predicates_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    THINGS_MAX = 256,
    ALSO_MAX = 8,
    LEVEL_MAX = 64
};
#define METRES_MAX 1000.0

/* Stops at the first thing that is wrong and names the predicate. */
typedef struct checker {
    const predicates_scope *scope;
    etna_error *err;
    etna_code code; /* the first that was wrong */
    size_t at;      /* predicate, from 1 */
} checker;

__attribute__((format(printf, 2, 3))) static bool wrong(checker *c,
                                                        const char *format,
                                                        ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (c->code == ETNA_OK)
        c->code =
            etna_fail(c->err, ETNA_E_INPUT, "predicate %zu: %s", c->at, text);
    return false;
}

static bool no_memory(checker *c)
{
    if (c->code == ETNA_OK)
        c->code =
            etna_fail(c->err, ETNA_E_NOMEM, "out of memory for a meaning");
    return false;
}

static bool checker_set(checker *c,
                        json_t *into,
                        const char *key,
                        json_t *value)
{
    return json_object_set_new(into, key, value) == 0 || no_memory(c);
}

static bool is_among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; word && i < count; i++) {
        if (*words[i] && strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

static bool is_thing(const checker *c, const char *name)
{
    for (uint32_t i = 0; i < c->scope->thing_count; i++) {
        if (strcmp(c->scope->things[i], name) == 0)
            return true;
    }
    return false;
}

/* Only names that the reader was sent. */
static bool check_names(checker *c, const json_t *names)
{
    size_t i;
    json_t *one;
    if (!json_is_array(names) || json_array_size(names) > THINGS_MAX)
        return wrong(c, "things must hold lists of at most %d names",
                     THINGS_MAX);
    json_array_foreach(names, i, one)
    {
        const char *name = json_string_value(one);
        if (!name)
            return wrong(c, "a thing must be a name");
        if (!is_thing(c, name))
            return wrong(
                c, "there is no thing \"%.80s\"; use the names of the task",
                name);
    }
    return true;
}

static const struct {
    const char *name;
    bool is_one; /* names one thing */
} roles[] = {{"moved", false},  {"reference", true},    {"second", true},
             {"support", true}, {"each", false},        {"there", false},
             {"faced", true},   {"faced_camera", false}};
enum {
    ROLES = sizeof roles / sizeof *roles
};

/* Its index; ROLES: there is none of that name. */
static size_t role_find(const char *name)
{
    size_t i = 0;
    while (name && i < ROLES && strcmp(roles[i].name, name) != 0)
        i++;
    return name ? i : (size_t)ROLES;
}

/* One list of names, of things that are `moved`. */
static bool check_role(checker *c,
                       const char *name,
                       const json_t *names,
                       bool moved)
{
    size_t role = role_find(name);
    if (role == ROLES)
        return wrong(c, "there is no role \"%.40s\"", name ? name : "");
    if ((role == 0) != moved)
        return wrong(c, "the first things, and only these, are moved");
    if (!check_names(c, names))
        return false;
    if (roles[role].is_one && json_array_size(names) != 1)
        return wrong(c, "the role %s takes one thing", name);
    return !moved || json_array_size(names) > 0 || wrong(c, "nothing is moved");
}

/* moves: the first role must be the moved ones. */
static bool check_things(checker *c,
                         const json_t *from,
                         bool moves,
                         json_t *into)
{
    const json_t *things = json_object_get(from, "things");
    const json_t *said = json_object_get(from, "roles");
    size_t count = json_array_size(things);
    if (count > ROLES || count != json_array_size(said))
        return wrong(
            c, "things and roles must be lists of one length, of at most %d",
            ROLES);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(said, i));
        if (!check_role(c, name, json_array_get(things, i), moves && i == 0))
            return false;
    }
    if (moves && count == 0)
        return wrong(c, "nothing is moved");
    return checker_set(c, into, "things", json_deep_copy(things)) &&
           checker_set(c, into, "roles", json_deep_copy(said));
}

static bool is_number(const json_t *value, double least, double most)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= least && number <= most;
}

/* Unknown members are dropped, known ones must lie in their range. */
static bool check_numbers(checker *c, const json_t *from, json_t *into)
{
    static const struct {
        const char *key;
        double least, most;
        size_t count; /* of a list; 0: a number */
    } known[] = {{"gap_m", 0, METRES_MAX, 0},
                 {"turn_deg", -360, 360, 0},
                 {"level", 1, LEVEL_MAX, 0},
                 {"spacing_m", 0, METRES_MAX, 0},
                 {"yaw_deg", -360, 360, 0},
                 {"need", 1, THINGS_MAX, 0},
                 {"height_m", -METRES_MAX, METRES_MAX, 0},
                 {"shift_m", -METRES_MAX, METRES_MAX, 3},
                 {"at_m", -METRES_MAX, METRES_MAX, 3}};
    const json_t *numbers = json_object_get(from, "numbers");
    json_t *kept = json_object();
    bool ok = kept ? checker_set(c, into, "numbers", kept) : no_memory(c);
    for (size_t i = 0; ok && i < sizeof known / sizeof *known; i++) {
        const json_t *value = json_object_get(numbers, known[i].key);
        if (!value || json_is_null(value))
            continue;
        bool fits = known[i].count
                        ? json_array_size(value) == known[i].count
                        : is_number(value, known[i].least, known[i].most);
        for (size_t k = 0; fits && k < known[i].count; k++)
            fits = is_number(json_array_get(value, k), known[i].least,
                             known[i].most);
        ok = fits ? checker_set(c, kept, known[i].key, json_deep_copy(value))
                  : wrong(c, "%s is not a number that it can be", known[i].key);
    }
    return ok;
}

/* Words of fixed lists. */
static bool check_choices(checker *c, const json_t *from, json_t *into)
{
    static const char *const facings[] = {"to", "back"};
    const struct {
        const char *key;
        const char *const *words;
        size_t count;
    } choices[] = {{"facing", facings, 2},
                   {"slot", predicates_slots, PREDICATES_SLOTS},
                   {"align", predicates_aligns, PREDICATES_ALIGNS}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const json_t *value = json_object_get(from, choices[i].key);
        if (!value || json_is_null(value))
            continue;
        if (!is_among(json_string_value(value), choices[i].words,
                      choices[i].count))
            return wrong(c, "%s has no such word", choices[i].key);
        if (!checker_set(c, into, choices[i].key, json_deep_copy(value)))
            return false;
    }
    return true;
}

static bool check_flags(checker *c, const json_t *from, json_t *into)
{
    static const char *const flags[] = {"hung",     "exact",     "goes",
                                        "alone",    "even",      "in_order",
                                        "gap_most", "gap_least", "denied"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        bool said = json_is_true(json_object_get(from, flags[i]));
        if (said && !checker_set(c, into, flags[i], json_true()))
            return false;
    }
    return true;
}

/* At most each once. */
static bool check_sides(checker *c, const json_t *from, json_t *into)
{
    const json_t *sides = json_object_get(from, "sides");
    size_t count = json_array_size(sides);
    for (size_t i = 0; i < count; i++) {
        bool known = is_among(json_string_value(json_array_get(sides, i)),
                              predicates_sides, PREDICATES_SIDES);
        if (i >= PREDICATES_SIDES || !known)
            return wrong(c, "sides are left, right, front, back");
    }
    return count == 0 || checker_set(c, into, "sides", json_deep_copy(sides));
}

static bool check_words(checker *c, const json_t *from, json_t *into)
{
    return check_choices(c, from, into) && check_flags(c, from, into) &&
           check_sides(c, from, into);
}

static bool check_kind(checker *c, const json_t *from, json_t *into)
{
    const char *kind = json_string_value(json_object_get(from, "kind"));
    if (predicates_relation(kind) == RELATION_COUNT)
        return wrong(c, "there is no kind \"%.40s\"", kind ? kind : "");
    return checker_set(c, into, "kind", json_string(kind));
}

/* The span [from, to) of `text`; what is none is left out. */
static bool check_span(checker *c,
                       const json_t *span,
                       const char *text,
                       json_t *into)
{
    json_int_t size = (json_int_t)strlen(text);
    json_int_t from = json_integer_value(json_array_get(span, 0));
    json_int_t to = json_integer_value(json_array_get(span, 1));
    bool within = from >= 0 && to > from && to <= size;
    if (!within || json_array_size(span) != 2) {
        from = 0;
        to = size;
    }
    return checker_set(c, into, "span", json_pack("[I,I]", from, to));
}

static bool check_meaning(checker *c,
                          const json_t *from,
                          bool moves,
                          json_t *into)
{
    return check_kind(c, from, into) && check_things(c, from, moves, into) &&
           check_numbers(c, from, into);
}

/* Conditions are checked as predicates without movers. */
static bool check_also(checker *c, const json_t *from, json_t *into)
{
    const json_t *also = json_object_get(from, "also");
    size_t count = json_array_size(also);
    if (count == 0)
        return true;
    if (count > ALSO_MAX)
        return wrong(c, "also holds more than %d", ALSO_MAX);
    json_t *list = json_array();
    bool ok = list ? checker_set(c, into, "also", list) : no_memory(c);
    for (size_t i = 0; ok && i < count; i++) {
        const json_t *one = json_array_get(also, i);
        json_t *kept = json_object();
        ok = kept && json_array_append_new(list, kept) == 0;
        if (!ok)
            return no_memory(c);
        ok = check_meaning(c, one, false, kept) && check_words(c, one, kept);
    }
    return ok;
}

/* In a list, item says to which instruction it belongs. */
static bool check_predicate(checker *c, const json_t *from, json_t *into)
{
    const predicates_scope *scope = c->scope;
    json_int_t item = json_integer_value(json_object_get(from, "item"));
    if (!json_is_object(from))
        return wrong(c, "it is no object");
    if (!scope->is_list)
        item = 1;
    if (item < 1 || item > (json_int_t)scope->sentence_count)
        return wrong(c, "item must be the number of an instruction, 1 to %u",
                     scope->sentence_count);
    const char *text = scope->sentences[item - 1];
    bool ok = check_meaning(c, from, true, into) &&
              check_span(c, json_object_get(from, "span"), text, into);
    ok = ok && check_words(c, from, into) && check_also(c, from, into);
    return ok && (!scope->is_list ||
                  checker_set(c, into, "item", json_integer(item)));
}

/* What the reader said it did not understand. */
static bool check_unread(checker *c, const json_t *from, json_t *list)
{
    size_t count = json_array_size(from);
    bool ok = true;
    for (size_t i = 0; ok && i < count && i < BUILTIN_MOVES_MAX; i++) {
        const json_t *text = json_object_get(json_array_get(from, i), "text");
        json_t *kept = json_object();
        ok = (kept && json_array_append_new(list, kept) == 0) || no_memory(c);
        if (!ok || !json_is_string(text))
            continue;
        ok = check_span(c, json_object_get(json_array_get(from, i), "span"),
                        c->scope->sentences[0], kept) &&
             checker_set(c, kept, "text", json_deep_copy(text));
    }
    return ok;
}

/* What a model answered, checked against the scene and the sentences, and
 * copied without anything else; *ret is a new reference. */
etna_code predicates_check(const json_t *answer,
                           const predicates_scope *scope,
                           json_t **ret,
                           etna_error *err)
{
    checker c = {.scope = scope, .err = err};
    const json_t *from = json_object_get(answer, "predicates");
    size_t count = json_array_size(from);
    if (!json_is_array(from))
        return etna_fail(err, ETNA_E_INPUT, "there is no list \"predicates\"");
    if (count > BUILTIN_MOVES_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "it holds %zu predicates, at most %d are read", count,
                         BUILTIN_MOVES_MAX);
    json_t *whole = json_object(), *list = json_array(), *unread = json_array();
    bool ok = whole && json_object_set_new(whole, "predicates", list) == 0;
    ok = (json_object_set_new(whole, "unread", unread) == 0 && ok) ||
         no_memory(&c);
    for (size_t i = 0; ok && i < count; i++) {
        json_t *kept = json_object();
        c.at = i + 1;
        ok = (kept && json_array_append_new(list, kept) == 0) || no_memory(&c);
        ok = ok && check_predicate(&c, json_array_get(from, i), kept);
    }
    ok = ok && check_unread(&c, json_object_get(answer, "unread"), unread);
    if (ok) {
        *ret = whole;
        return ETNA_OK;
    }
    json_decref(whole);
    return c.code;
}
