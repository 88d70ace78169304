/* Is what a model answered in the reader's place made of predicates? What is
 * wrong is told in words that can be sent back; what is right is copied, field
 * by field, and nothing else. */
#include "proto/array.h"
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
    return word && *word && word_is_of(word, words, count);
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
    ROLES = COUNT_OF(roles)
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

/* The first place of a role; the list's length: it is not there. */
static size_t role_at(const json_t *said, const char *name)
{
    size_t i = 0;
    const size_t count = json_array_size(said);
    while (i < count) {
        const char *one = json_string_value(json_array_get(said, i));
        if (one && strcmp(one, name) == 0)
            break;
        i++;
    }
    return i;
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
        if (role_at(said, name) < i)
            return wrong(c, "the role %s is there twice", name);
    }
    if (moves && count == 0)
        return wrong(c, "nothing is moved");
    if (count == 0)
        return wrong(c, "a place needs things and roles: the role reference");
    return checker_set(c, into, "things", json_deep_copy(things)) &&
           checker_set(c, into, "roles", json_deep_copy(said));
}

/* Models write null or [] for what they leave out. */
static bool is_said(const json_t *value)
{
    bool is_empty = json_is_array(value) && json_array_size(value) == 0;
    return value && !is_empty && !json_is_null(value);
}

static bool is_number(const json_t *value, double least, double most)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= least && number <= most;
}

static const struct known_number {
    const char *key;
    double least, most;
    size_t count; /* of a list; 0: a number */
    bool is_whole;
} known_numbers[] = {{"gap_m", 0, METRES_MAX, 0, false},
                     {"turn_deg", -360, 360, 0, false},
                     {"level", 1, LEVEL_MAX, 0, true},
                     {"spacing_m", 0, METRES_MAX, 0, false},
                     {"yaw_deg", -360, 360, 0, false},
                     {"need", 1, THINGS_MAX, 0, true},
                     {"each_number", 1, THINGS_MAX, 0, true},
                     {"height_m", -METRES_MAX, METRES_MAX, 0, false},
                     {"shift_m", -METRES_MAX, METRES_MAX, 3, false},
                     {"at_m", -METRES_MAX, METRES_MAX, 3, false}};
enum {
    KNOWN_NUMBERS = COUNT_OF(known_numbers)
};

/* NULL: there is none of that name. */
static const struct known_number *number_find(const char *key)
{
    for (size_t i = 0; i < KNOWN_NUMBERS; i++) {
        if (strcmp(known_numbers[i].key, key) == 0)
            return &known_numbers[i];
    }
    return NULL;
}

static bool number_fits(const struct known_number *known, const json_t *value)
{
    double number = json_number_value(value);
    if (!known->count)
        return is_number(value, known->least, known->most) &&
               (!known->is_whole || number == (double)(long)number);
    bool fits = json_array_size(value) == known->count;
    for (size_t k = 0; fits && k < known->count; k++)
        fits = is_number(json_array_get(value, k), known->least, known->most);
    return fits;
}

/* A number of a name that is not known is a wish that would be lost: 20 as
 * "gap_cm" is no gap. */
static bool check_numbers(checker *c, json_t *from, json_t *into)
{
    json_t *numbers = json_object_get(from, "numbers");
    json_t *kept = json_object();
    json_t *value;
    const char *key;
    bool ok = kept ? checker_set(c, into, "numbers", kept) : no_memory(c);
    if (ok && is_said(numbers) && !json_is_object(numbers))
        return wrong(c, "numbers must be an object of names and numbers");
    json_object_foreach(numbers, key, value)
    {
        const struct known_number *known = number_find(key);
        if (!ok || !is_said(value))
            continue;
        if (!known)
            return wrong(c,
                         "numbers have no \"%.40s\"; lengths are in metres "
                         "and turns in degrees, under the names given",
                         key);
        ok = number_fits(known, value)
                 ? checker_set(c, kept, key, json_deep_copy(value))
                 : wrong(c, "%s is not a number that it can be", key);
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
    for (size_t i = 0; i < COUNT_OF(choices); i++) {
        const json_t *value = json_object_get(from, choices[i].key);
        if (!is_said(value))
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
    static const char *const flags[] = {
        "hung",     "exact",    "goes",      "alone",  "even",
        "in_order", "gap_most", "gap_least", "denied", "abreast"};
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        const json_t *value = json_object_get(from, flags[i]);
        if (is_said(value) && !json_is_boolean(value))
            return wrong(c, "%s is true or left out", flags[i]);
        if (json_is_true(value) && !checker_set(c, into, flags[i], json_true()))
            return false;
    }
    return true;
}

/* At most each once. */
static bool check_sides(checker *c, const json_t *from, json_t *into)
{
    const json_t *sides = json_object_get(from, "sides");
    size_t count = json_array_size(sides);
    if (is_said(sides) && !json_is_array(sides))
        return wrong(c, "sides must be a list");
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

/* What a kind cannot be without; every other kind is told by a reference. */
typedef struct kind_needs {
    builtin_relation relation;
    const char *roles[2], *number;
} kind_needs;

static const kind_needs needs[] = {
    {RELATION_BETWEEN, {"reference", "second"}, NULL},
    {RELATION_TURN, {NULL, NULL}, "turn_deg"},
    {RELATION_SHIFT, {NULL, NULL}, "shift_m"},
    {RELATION_AT, {NULL, NULL}, "at_m"},
    {RELATION_TURNED, {NULL, NULL}, NULL},
    {RELATION_LINE, {NULL, NULL}, NULL},
    {RELATION_STACK, {NULL, NULL}, NULL},
    {RELATION_GROUP, {NULL, NULL}, NULL}};

static kind_needs needs_of(builtin_relation relation)
{
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        if (needs[i].relation == relation)
            return needs[i];
    }
    return (kind_needs){relation, {"reference", NULL}, NULL};
}

/* A row, pile or group of one thing alone asks for nothing. */
static bool check_company(checker *c, builtin_relation relation, json_t *into)
{
    const json_t *things = json_object_get(into, "things");
    bool joins = relation == RELATION_LINE || relation == RELATION_STACK ||
                 relation == RELATION_GROUP;
    bool is_alone = json_array_size(things) == 1 &&
                    json_array_size(json_array_get(things, 0)) == 1;
    return !joins || !is_alone ||
           wrong(c, "a row, pile or group takes more than one thing");
}

/* What is left out would be filled with nothing, and a wish for nothing is
 * fulfilled at once. */
static bool check_needs(checker *c, bool moves, json_t *into)
{
    const char *kind = json_string_value(json_object_get(into, "kind"));
    const json_t *said = json_object_get(into, "roles");
    const json_t *numbers = json_object_get(into, "numbers");
    const kind_needs need = needs_of(predicates_relation(kind));
    if (!moves && !need.roles[0])
        return wrong(c, "%s is no place, and also holds places", kind);
    for (size_t i = 0; i < 2 && need.roles[i]; i++) {
        if (role_at(said, need.roles[i]) == json_array_size(said))
            return wrong(c, "%s needs things of the role %s", kind,
                         need.roles[i]);
    }
    if (need.number && !json_object_get(numbers, need.number))
        return wrong(c, "%s needs the number %s", kind, need.number);
    return check_company(c, need.relation, into);
}

static bool check_meaning(checker *c, json_t *from, bool moves, json_t *into)
{
    return check_kind(c, from, into) && check_things(c, from, moves, into) &&
           check_numbers(c, from, into) && check_needs(c, moves, into);
}

/* Which way a front looks, and how high a hung thing hangs. */
static bool check_aims(checker *c, const json_t *into)
{
    const char *kind = json_string_value(json_object_get(into, "kind"));
    const char *align = json_string_value(json_object_get(into, "align"));
    const json_t *said = json_object_get(into, "roles");
    const json_t *numbers = json_object_get(into, "numbers");
    const size_t count = json_array_size(said);
    bool faces = json_object_get(into, "facing") != NULL;
    bool is_faced =
        role_at(said, "faced") < count || role_at(said, "faced_camera") < count;
    bool must_face = predicates_relation(kind) == RELATION_TURNED;
    bool has_height = json_object_get(numbers, "height_m") != NULL;
    if (must_face && !faces)
        return wrong(c, "facing needs \"facing\": \"to\" or \"back\"");
    if (faces != is_faced)
        return wrong(c, "\"facing\" and the role faced or faced_camera go "
                        "together");
    return !align || strcmp(align, "height") != 0 || has_height ||
           wrong(c, "align height needs the number height_m");
}

/* Conditions are checked as predicates without movers. */
static bool check_also(checker *c, const json_t *from, json_t *into)
{
    const json_t *also = json_object_get(from, "also");
    size_t count = json_array_size(also);
    if (is_said(also) && !json_is_array(also))
        return wrong(c, "also must be a list");
    if (count == 0)
        return true;
    if (count > ALSO_MAX)
        return wrong(c, "also holds more than %d", ALSO_MAX);
    json_t *list = json_array();
    bool ok = list ? checker_set(c, into, "also", list) : no_memory(c);
    for (size_t i = 0; ok && i < count; i++) {
        json_t *one = json_array_get(also, i);
        json_t *kept = json_object();
        ok = kept && json_array_append_new(list, kept) == 0;
        if (!ok)
            return no_memory(c);
        ok = check_meaning(c, one, false, kept) && check_words(c, one, kept);
    }
    return ok;
}

/* A height alone is one that the thing is aligned to. */
static bool check_height(checker *c, json_t *into)
{
    bool has_height =
        json_object_get(json_object_get(into, "numbers"), "height_m") != NULL;
    return !has_height || json_object_get(into, "align") ||
           checker_set(c, into, "align", json_string("height"));
}

static bool check_use(checker *c, const json_t *into)
{
    predicates_text unused;
    return !predicates_is_unused(into, &unused) || wrong(c, "%s", unused.text);
}

/* In a list, item says to which instruction it belongs. */
static bool check_predicate(checker *c, json_t *from, json_t *into)
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
    ok = ok && check_words(c, from, into) && check_height(c, into);
    ok = ok && check_aims(c, into) && check_also(c, from, into);
    ok = ok && check_use(c, into);
    return ok && (!scope->is_list ||
                  checker_set(c, into, "item", json_integer(item)));
}

/* What the reader said it did not understand. */
static bool check_unread(checker *c, const json_t *from, json_t *list)
{
    size_t count = json_array_size(from);
    bool ok = true;
    if (is_said(from) && !json_is_array(from)) {
        c->code = etna_fail(c->err, ETNA_E_INPUT,
                            "unread must be a list of {\"span\", \"text\"}");
        return false;
    }
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

/* Each predicate into `list`, which the caller owns. */
static bool check_all(checker *c, const json_t *from, json_t *list)
{
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(from); i++) {
        json_t *kept = json_object();
        c->at = i + 1;
        ok = (kept && json_array_append_new(list, kept) == 0) || no_memory(c);
        ok = ok && check_predicate(c, json_array_get(from, i), kept);
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
    json_t *whole = json_object();
    json_t *list = json_array();
    json_t *unread = json_array();
    bool ok = whole && json_object_set_new(whole, "predicates", list) == 0;
    ok = (json_object_set_new(whole, "unread", unread) == 0 && ok) ||
         no_memory(&c);
    ok = ok && check_all(&c, from, list) &&
         check_unread(&c, json_object_get(answer, "unread"), unread);
    if (ok) {
        *ret = whole;
        return ETNA_OK;
    }
    json_decref(whole);
    return c.code;
}
