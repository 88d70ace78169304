/* See predicates.h. */
#include "worker/model/predicates.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { THINGS_MAX = 256, ALSO_MAX = 8, LEVEL_MAX = 64 };
#define METRES_MAX 1000.0

static const char *const kinds[RELATION_COUNT] = {
    [RELATION_ON] = "on",           [RELATION_IN] = "in",           [RELATION_UNDER] = "under",
    [RELATION_ABOVE] = "above",     [RELATION_BESIDE] = "beside",   [RELATION_LEFT] = "left_of",
    [RELATION_RIGHT] = "right_of",  [RELATION_FRONT] = "front_of",  [RELATION_BEHIND] = "behind",
    [RELATION_BETWEEN] = "between", [RELATION_AGAINST] = "against", [RELATION_MIDDLE] = "middle",
    [RELATION_CORNER] = "corner",   [RELATION_EDGE] = "edge",       [RELATION_TOWARD] = "toward",
    [RELATION_AWAY] = "away",       [RELATION_PLACE] = "old_place", [RELATION_SWAP] = "swapped",
    [RELATION_OFF] = "off",         [RELATION_TURN] = "turned_by",  [RELATION_TURNED] = "facing",
    [RELATION_LINE] = "aligned",    [RELATION_SHIFT] = "moved_by",  [RELATION_AT] = "at",
    [RELATION_TUCK] = "tucked",     [RELATION_STACK] = "stacked",   [RELATION_AROUND] = "around",
    [RELATION_GROUP] = "grouped",   [RELATION_SETTING] = "set",     [RELATION_LEVEL] = "level_with",
    [RELATION_OVER] = "over",       [RELATION_END] = "end"};

const char *predicates_kind(builtin_relation relation)
{
    return (unsigned)relation < RELATION_COUNT && kinds[relation] ? kinds[relation] : "";
}

typedef struct row { /* the first failure sticks */
    const builtin_facts *facts;
    json_t *json, *things, *roles, *numbers;
    bool failed;
} row;

static void put(row *r, json_t *into, const char *key, json_t *value)
{
    if (json_object_set_new(into, key, value) != 0) r->failed = true;
}

static void add(row *r, json_t *into, json_t *value)
{
    if (json_array_append_new(into, value) != 0) r->failed = true;
}

static row row_new(const builtin_facts *facts, builtin_relation relation)
{
    row r = {.facts = facts, .json = json_object(), .things = json_array(), .roles = json_array()};
    r.numbers = json_object();
    put(&r, r.json, "kind", json_string(predicates_kind(relation)));
    put(&r, r.json, "things", r.things);
    put(&r, r.json, "roles", r.roles);
    put(&r, r.json, "numbers", r.numbers);
    return r;
}

static void add_list(row *r, const char *role, const uint32_t *objects, uint32_t count)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < count; i++) {
        if (objects[i] < r->facts->object_count) add(r, names, json_string(r->facts->objects[objects[i]].name));
    }
    add(r, r->things, names);
    add(r, r->roles, json_string(role));
}

static void add_one(row *r, const char *role, uint32_t object)
{
    if (object < r->facts->object_count) add_list(r, role, &object, 1);
}

static const char *const side_names[] = {"left", "right", "front", "back"};
static const char *const slot_names[] = {"plate", "right", "left", "far"};
static const char *const align_names[] = {"", "top", "middle", "bottom"};
enum { SIDES = 4, SLOTS = 4, ALIGNS = 4 };

static void put_sides(row *r, unsigned sides)
{
    if (!sides) return;
    json_t *list = json_array();
    for (unsigned i = 0; i < 4; i++) {
        if (sides >> i & 1) add(r, list, json_string(side_names[i]));
    }
    put(r, r->json, "sides", list);
}

static void put_vector(row *r, const char *key, const double v[3])
{
    put(r, r->numbers, key, json_pack("[f,f,f]", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0));
}

static void put_numbers(row *r, const builtin_move *move)
{
    if (move->gap >= 0) put(r, r->numbers, "gap_m", json_real(move->gap));
    if (move->relation == RELATION_TURN) put(r, r->numbers, "turn_deg", json_real(move->turn));
    if (move->level) put(r, r->numbers, "level", json_integer(move->level));
    if (move->relation == RELATION_LINE && move->spacing >= 0)
        put(r, r->numbers, "spacing_m", json_real(move->spacing));
    if (move->relation == RELATION_SHIFT) put_vector(r, "shift_m", move->shift);
    if (move->relation == RELATION_AT) put_vector(r, "at_m", move->at);
    if (move->has_yaw) put(r, r->numbers, "yaw_deg", json_real(move->yaw_deg));
    if (move->objects.need < move->objects.count) put(r, r->numbers, "need", json_integer(move->objects.need));
}

static void put_flags(row *r, const builtin_move *move)
{
    const struct {
        const char *name;
        bool is;
    } flags[] = {{"hung", move->hung},   {"exact", move->exact}, {"goes", move->goes},
                 {"alone", move->alone}, {"even", move->even},   {"in_order", move->row_count > 0}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i].is) put(r, r->json, flags[i].name, json_true());
    }
}

static void put_facing(row *r, const builtin_move *move)
{
    if (move->facing == FACING_NONE) return;
    put(r, r->json, "facing", json_string(move->facing == FACING_TO ? "to" : "back"));
    if (move->faced == BUILTIN_CAMERA) add_list(r, "faced_camera", NULL, 0);
    add_one(r, "faced", move->faced);
}

static json_t *condition_of(const builtin_facts *facts, const builtin_condition *condition, bool *failed)
{
    row r = row_new(facts, condition->relation);
    add_one(&r, "reference", condition->reference);
    add_one(&r, "second", condition->second);
    if (condition->gap >= 0) put(&r, r.numbers, "gap_m", json_real(condition->gap));
    put_sides(&r, condition->sides);
    if (r.failed) *failed = true;
    return r.json;
}

static void put_also(row *r, const builtin_move *move)
{
    if (!move->also_count) return;
    json_t *list = json_array();
    for (uint32_t i = 0; i < move->also_count; i++) add(r, list, condition_of(r->facts, &move->also[i], &r->failed));
    put(r, r->json, "also", list);
}

static void put_places(row *r, const builtin_move *move)
{
    if (move->relation == RELATION_SETTING && (size_t)move->slot < SLOTS)
        put(r, r->json, "slot", json_string(slot_names[move->slot]));
    if (move->align != ALIGN_NONE && (size_t)move->align < ALIGNS)
        put(r, r->json, "align", json_string(align_names[move->align]));
}

static json_t *predicate_of(const builtin_facts *facts, const builtin_move *move, size_t size, bool *failed)
{
    row r = row_new(facts, move->relation);
    bool in_order = move->row_count > 0;
    bool has_span = move->span[1] > move->span[0] && move->span[1] <= size;
    add_list(&r, "moved", in_order ? move->row : move->objects.objects,
             in_order ? move->row_count : move->objects.count);
    add_one(&r, "reference", move->reference);
    add_one(&r, "second", move->second);
    add_one(&r, "support", move->support);
    if (move->each.count) add_list(&r, "each", move->each.objects, move->each.count);
    if (move->there.count) add_list(&r, "there", move->there.objects, move->there.count);
    put_facing(&r, move);
    put_numbers(&r, move);
    put(&r, r.json, "span",
        json_pack("[I,I]", (json_int_t)(has_span ? move->span[0] : 0), (json_int_t)(has_span ? move->span[1] : size)));
    put_sides(&r, move->sides);
    put_places(&r, move);
    put_also(&r, move);
    put_flags(&r, move);
    if (r.failed) *failed = true;
    return r.json;
}

json_t *predicates_of(const builtin_facts *facts, const builtin_reading *reading, size_t size)
{
    json_t *list = json_array();
    bool failed = list == NULL;
    for (uint32_t i = 0; !failed && i < reading->count; i++) {
        json_t *one = predicate_of(facts, &reading->moves[i], size, &failed);
        if (json_array_append_new(list, one) != 0) failed = true;
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* ---- the answer of a model ---- */

typedef struct checker {
    const predicates_scope *scope;
    etna_error *err;
    etna_code code; /* the first that was wrong */
    size_t at;      /* predicate, from 1 */
} checker;

__attribute__((format(printf, 2, 3))) static bool wrong(checker *c, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (c->code == ETNA_OK) c->code = etna_fail(c->err, ETNA_E_INPUT, "predicate %zu: %s", c->at, text);
    return false;
}

static bool no_memory(checker *c)
{
    if (c->code == ETNA_OK) c->code = etna_fail(c->err, ETNA_E_NOMEM, "out of memory for a meaning");
    return false;
}

static bool set(checker *c, json_t *into, const char *key, json_t *value)
{
    return json_object_set_new(into, key, value) == 0 || no_memory(c);
}

static builtin_relation relation_of(const char *kind)
{
    for (int i = 0; kind && i < RELATION_COUNT; i++) {
        if (kinds[i] && strcmp(kinds[i], kind) == 0) return (builtin_relation)i;
    }
    return RELATION_COUNT;
}

static bool is_among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; word && i < count; i++) {
        if (*words[i] && strcmp(words[i], word) == 0) return true;
    }
    return false;
}

static bool is_thing(const checker *c, const char *name)
{
    for (uint32_t i = 0; i < c->scope->thing_count; i++) {
        if (strcmp(c->scope->things[i], name) == 0) return true;
    }
    return false;
}

static bool check_names(checker *c, const json_t *names)
{
    size_t i;
    json_t *one;
    if (!json_is_array(names) || json_array_size(names) > THINGS_MAX)
        return wrong(c, "things must hold lists of at most %d names", THINGS_MAX);
    json_array_foreach(names, i, one)
    {
        const char *name = json_string_value(one);
        if (!name) return wrong(c, "a thing must be a name");
        if (!is_thing(c, name)) return wrong(c, "there is no thing \"%.80s\"; use the names of the task", name);
    }
    return true;
}

static bool check_things(checker *c, const json_t *from, bool moves, json_t *into)
{
    static const char *const roles[] = {"moved", "reference", "second", "support",
                                        "each",  "there",     "faced",  "faced_camera"};
    const json_t *things = json_object_get(from, "things"), *said = json_object_get(from, "roles");
    size_t count = json_array_size(things);
    if (count > sizeof roles / sizeof *roles || count != json_array_size(said))
        return wrong(c, "things and roles must be lists of one length, of at most %zu", sizeof roles / sizeof *roles);
    for (size_t i = 0; i < count; i++) {
        const char *role = json_string_value(json_array_get(said, i));
        const json_t *names = json_array_get(things, i);
        if (!is_among(role, roles, sizeof roles / sizeof *roles))
            return wrong(c, "there is no role \"%.40s\"", role ? role : "");
        if ((strcmp(role, "moved") == 0) != (moves && i == 0))
            return wrong(c, "the first things, and only these, are moved");
        if (!check_names(c, names)) return false;
        bool one = strcmp(role, "reference") == 0 || strcmp(role, "second") == 0 || strcmp(role, "support") == 0 ||
                   strcmp(role, "faced") == 0;
        if (one && json_array_size(names) != 1) return wrong(c, "the role %s takes one thing", role);
        if (i == 0 && moves && json_array_size(names) == 0) return wrong(c, "nothing is moved");
    }
    if (moves && count == 0) return wrong(c, "nothing is moved");
    return set(c, into, "things", json_deep_copy(things)) && set(c, into, "roles", json_deep_copy(said));
}

static bool is_number(const json_t *value, double least, double most)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= least && number <= most;
}

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
                 {"shift_m", -METRES_MAX, METRES_MAX, 3},
                 {"at_m", -METRES_MAX, METRES_MAX, 3}};
    const json_t *numbers = json_object_get(from, "numbers");
    json_t *kept = json_object();
    bool ok = kept ? set(c, into, "numbers", kept) : no_memory(c);
    for (size_t i = 0; ok && i < sizeof known / sizeof *known; i++) {
        const json_t *value = json_object_get(numbers, known[i].key);
        if (!value || json_is_null(value)) continue;
        bool fits =
            known[i].count ? json_array_size(value) == known[i].count : is_number(value, known[i].least, known[i].most);
        for (size_t k = 0; fits && k < known[i].count; k++)
            fits = is_number(json_array_get(value, k), known[i].least, known[i].most);
        ok = fits ? set(c, kept, known[i].key, json_deep_copy(value))
                  : wrong(c, "%s is not a number that it can be", known[i].key);
    }
    return ok;
}

static bool check_words(checker *c, const json_t *from, json_t *into)
{
    static const char *const facings[] = {"to", "back"}, *const flags[] = {"hung",  "exact", "goes",
                                                                           "alone", "even",  "in_order"};
    const struct {
        const char *key;
        const char *const *words;
        size_t count;
    } choices[] = {{"facing", facings, 2}, {"slot", slot_names, SLOTS}, {"align", align_names, ALIGNS}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof choices / sizeof *choices; i++) {
        const json_t *value = json_object_get(from, choices[i].key);
        if (!value || json_is_null(value)) continue;
        bool is_known = is_among(json_string_value(value), choices[i].words, choices[i].count);
        ok = is_known ? set(c, into, choices[i].key, json_deep_copy(value))
                      : wrong(c, "%s has no such word", choices[i].key);
    }
    for (size_t i = 0; ok && i < sizeof flags / sizeof *flags; i++) {
        if (json_is_true(json_object_get(from, flags[i]))) ok = set(c, into, flags[i], json_true());
    }
    const json_t *sides = json_object_get(from, "sides");
    for (size_t i = 0; ok && i < json_array_size(sides); i++) {
        if (i >= SIDES || !is_among(json_string_value(json_array_get(sides, i)), side_names, SIDES))
            ok = wrong(c, "sides are left, right, front, back");
    }
    return ok && (json_array_size(sides) == 0 || set(c, into, "sides", json_deep_copy(sides)));
}

static bool check_kind(checker *c, const json_t *from, json_t *into)
{
    const char *kind = json_string_value(json_object_get(from, "kind"));
    if (relation_of(kind) == RELATION_COUNT) return wrong(c, "there is no kind \"%.40s\"", kind ? kind : "");
    return set(c, into, "kind", json_string(kind));
}

/* The span [from, to) of `text`; what is none is left out. */
static bool check_span(checker *c, const json_t *span, const char *text, json_t *into)
{
    json_int_t from = json_integer_value(json_array_get(span, 0)), to = json_integer_value(json_array_get(span, 1));
    bool fits = json_array_size(span) == 2 && from >= 0 && to > from && (size_t)to <= strlen(text);
    if (!fits) from = 0, to = (json_int_t)strlen(text);
    return set(c, into, "span", json_pack("[I,I]", from, to));
}

static bool check_also(checker *c, const json_t *from, json_t *into)
{
    const json_t *also = json_object_get(from, "also");
    size_t count = json_array_size(also);
    if (count == 0) return true;
    if (count > ALSO_MAX) return wrong(c, "also holds more than %d", ALSO_MAX);
    json_t *list = json_array();
    bool ok = list ? set(c, into, "also", list) : no_memory(c);
    for (size_t i = 0; ok && i < count; i++) {
        const json_t *one = json_array_get(also, i);
        json_t *kept = json_object();
        ok = kept && json_array_append_new(list, kept) == 0;
        ok = ok ? check_kind(c, one, kept) && check_things(c, one, false, kept) && check_numbers(c, one, kept) &&
                      check_words(c, one, kept)
                : no_memory(c);
    }
    return ok;
}

static bool check_predicate(checker *c, const json_t *from, json_t *into)
{
    const predicates_scope *scope = c->scope;
    json_int_t item = json_integer_value(json_object_get(from, "item"));
    if (!json_is_object(from)) return wrong(c, "it is no object");
    if (!scope->is_list) item = 1;
    if (item < 1 || item > (json_int_t)scope->sentence_count)
        return wrong(c, "item must be the number of an instruction, 1 to %u", scope->sentence_count);
    bool ok = check_kind(c, from, into) && check_things(c, from, true, into) && check_numbers(c, from, into) &&
              check_span(c, json_object_get(from, "span"), scope->sentences[item - 1], into) &&
              check_words(c, from, into) && check_also(c, from, into);
    return ok && (!scope->is_list || set(c, into, "item", json_integer(item)));
}

static bool check_unread(checker *c, const json_t *from, json_t *list)
{
    size_t count = json_array_size(from);
    bool ok = true;
    for (size_t i = 0; ok && i < count && i < BUILTIN_MOVES_MAX; i++) {
        const json_t *text = json_object_get(json_array_get(from, i), "text");
        json_t *kept = json_object();
        ok = (kept && json_array_append_new(list, kept) == 0) || no_memory(c);
        if (!ok || !json_is_string(text)) continue;
        ok = check_span(c, json_object_get(json_array_get(from, i), "span"), c->scope->sentences[0], kept) &&
             set(c, kept, "text", json_deep_copy(text));
    }
    return ok;
}

etna_code predicates_check(const json_t *answer, const predicates_scope *scope, json_t **ret, etna_error *err)
{
    checker c = {.scope = scope, .err = err};
    const json_t *from = json_object_get(answer, "predicates");
    size_t count = json_array_size(from);
    if (!json_is_array(from)) return etna_fail(err, ETNA_E_INPUT, "there is no list \"predicates\"");
    if (count > BUILTIN_MOVES_MAX)
        return etna_fail(err, ETNA_E_INPUT, "it holds %zu predicates, at most %d are read", count, BUILTIN_MOVES_MAX);
    json_t *whole = json_object(), *list = json_array(), *unread = json_array();
    bool ok = whole && json_object_set_new(whole, "predicates", list) == 0;
    ok = (json_object_set_new(whole, "unread", unread) == 0 && ok) || no_memory(&c);
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

/* ---- back to moves ---- */

typedef struct reader {
    const builtin_facts *facts;
    etna_arena *arena;
    etna_error *err;
    etna_code code;
} reader;

static uint32_t object_named(reader *r, const char *name)
{
    for (uint32_t i = 0; name && i < r->facts->object_count; i++) {
        if (strcmp(r->facts->objects[i].name, name) == 0) return i;
    }
    if (r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_INPUT, "the scene has no thing \"%.80s\"", name ? name : "");
    return BUILTIN_NONE;
}

/* The list of that role, in its order; *ret_count 0: there is none. */
static uint32_t *objects_of(reader *r, const json_t *from, const char *role, uint32_t *ret_count)
{
    const json_t *things = json_object_get(from, "things"), *roles = json_object_get(from, "roles"), *names = NULL;
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *said = json_string_value(json_array_get(roles, i));
        if (said && strcmp(said, role) == 0) names = json_array_get(things, i);
    }
    uint32_t count = (uint32_t)json_array_size(names);
    uint32_t *objects = etna_arena_alloc(r->arena, count, sizeof *objects);
    if (!objects && r->code == ETNA_OK) r->code = etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; objects && i < count; i++)
        objects[i] = object_named(r, json_string_value(json_array_get(names, i)));
    *ret_count = r->code == ETNA_OK ? count : 0;
    return objects;
}

static uint32_t one_of(reader *r, const json_t *from, const char *role)
{
    uint32_t count, *objects = objects_of(r, from, role, &count);
    return count ? objects[0] : BUILTIN_NONE;
}

/* Ascending, each once. */
static builtin_set set_of(reader *r, const uint32_t *objects, uint32_t count)
{
    uint32_t *sorted = etna_arena_alloc(r->arena, count, sizeof *sorted), used = 0;
    if (!sorted && r->code == ETNA_OK) r->code = etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; sorted && i < count; i++) {
        uint32_t at = used;
        while (at > 0 && sorted[at - 1] > objects[i]) at--;
        if (at > 0 && sorted[at - 1] == objects[i]) continue;
        memmove(sorted + at + 1, sorted + at, (used - at) * sizeof *sorted);
        sorted[at] = objects[i];
        used++;
    }
    return (builtin_set){.count = used, .objects = sorted, .need = used};
}

static double number_or(const json_t *from, const char *key, double otherwise)
{
    const json_t *value = json_object_get(json_object_get(from, "numbers"), key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static void vector_or_zero(const json_t *from, const char *key, double ret[3])
{
    const json_t *value = json_object_get(json_object_get(from, "numbers"), key);
    for (size_t i = 0; i < 3; i++) ret[i] = json_number_value(json_array_get(value, i));
}

static unsigned sides_of(const json_t *from)
{
    const json_t *list = json_object_get(from, "sides");
    unsigned sides = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        for (unsigned k = 0; k < SIDES; k++) {
            const char *said = json_string_value(json_array_get(list, i));
            if (said && strcmp(said, side_names[k]) == 0) sides |= 1u << k;
        }
    }
    return sides;
}

/* Its place among the words; 0 where none is said. */
static unsigned word_of(const json_t *from, const char *key, const char *const *words, unsigned count)
{
    const char *said = json_string_value(json_object_get(from, key));
    for (unsigned i = 0; said && i < count; i++) {
        if (strcmp(said, words[i]) == 0) return i;
    }
    return 0;
}

static bool has_role(const json_t *from, const char *role)
{
    const json_t *roles = json_object_get(from, "roles");
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *said = json_string_value(json_array_get(roles, i));
        if (said && strcmp(said, role) == 0) return true;
    }
    return false;
}

static void read_facing(reader *r, const json_t *from, builtin_move *move)
{
    const char *facing = json_string_value(json_object_get(from, "facing"));
    if (!facing) return;
    move->facing = strcmp(facing, "to") == 0 ? FACING_TO : FACING_BACK;
    move->faced = has_role(from, "faced_camera") ? BUILTIN_CAMERA : one_of(r, from, "faced");
    bool faces_nothing = move->faced == BUILTIN_NONE && move->relation == RELATION_TURNED;
    if (faces_nothing && r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_INPUT, "it does not say what is to be faced");
}

static void read_moved(reader *r, const json_t *from, builtin_move *move)
{
    uint32_t count, *objects = objects_of(r, from, "moved", &count);
    move->objects = set_of(r, objects, count);
    double need = number_or(from, "need", move->objects.count);
    if (need < move->objects.count) move->objects.need = (uint32_t)need;
    if (json_is_true(json_object_get(from, "in_order"))) {
        move->row = objects;
        move->row_count = count;
    }
    objects = objects_of(r, from, "each", &count);
    move->each = set_of(r, objects, count);
    objects = objects_of(r, from, "there", &count);
    move->there = set_of(r, objects, count);
}

static void read_also(reader *r, const json_t *from, builtin_move *move)
{
    const json_t *also = json_object_get(from, "also");
    uint32_t count = (uint32_t)json_array_size(also);
    builtin_condition *conditions = etna_arena_alloc(r->arena, count, sizeof *conditions);
    if (!conditions && r->code == ETNA_OK) r->code = etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; conditions && i < count; i++) {
        const json_t *one = json_array_get(also, i);
        conditions[i] = (builtin_condition){.relation = relation_of(json_string_value(json_object_get(one, "kind"))),
                                            .reference = one_of(r, one, "reference"),
                                            .second = one_of(r, one, "second"),
                                            .sides = sides_of(one),
                                            .gap = number_or(one, "gap_m", -1)};
    }
    move->also = conditions;
    move->also_count = r->code == ETNA_OK ? count : 0;
}

static builtin_move move_of(reader *r, const json_t *from)
{
    const json_t *span = json_object_get(from, "span");
    json_int_t item = json_integer_value(json_object_get(from, "item"));
    builtin_move move = {.relation = relation_of(json_string_value(json_object_get(from, "kind"))),
                         .reference = one_of(r, from, "reference"),
                         .second = one_of(r, from, "second"),
                         .support = one_of(r, from, "support"),
                         .faced = BUILTIN_NONE,
                         .sides = sides_of(from),
                         .gap = number_or(from, "gap_m", -1),
                         .turn = number_or(from, "turn_deg", 0),
                         .level = (uint32_t)number_or(from, "level", 0),
                         .spacing = number_or(from, "spacing_m", -1),
                         .yaw_deg = number_or(from, "yaw_deg", 0),
                         .slot = (builtin_slot)word_of(from, "slot", slot_names, SLOTS),
                         .align = (builtin_align)word_of(from, "align", align_names, ALIGNS),
                         .instruction = item > 0 ? (uint32_t)item - 1 : 0};
    vector_or_zero(from, "shift_m", move.shift);
    vector_or_zero(from, "at_m", move.at);
    move.has_yaw = json_is_number(json_object_get(json_object_get(from, "numbers"), "yaw_deg"));
    move.hung = json_is_true(json_object_get(from, "hung"));
    move.exact = json_is_true(json_object_get(from, "exact"));
    move.goes = json_is_true(json_object_get(from, "goes"));
    move.alone = json_is_true(json_object_get(from, "alone"));
    move.even = json_is_true(json_object_get(from, "even"));
    for (size_t i = 0; i < 2; i++) move.span[i] = (uint32_t)json_integer_value(json_array_get(span, i));
    read_moved(r, from, &move);
    read_facing(r, from, &move);
    read_also(r, from, &move);
    return move;
}

etna_code predicates_read(const json_t *predicates, const builtin_facts *facts, etna_arena *arena, builtin_reading *ret,
                          etna_error *err)
{
    reader r = {.facts = facts, .arena = arena, .err = err};
    size_t count = json_array_size(predicates);
    if (count > BUILTIN_MOVES_MAX)
        return etna_fail(err, ETNA_E_INPUT, "a meaning of more than %d parts", BUILTIN_MOVES_MAX);
    builtin_reading *reading = etna_arena_alloc(arena, 1, sizeof *reading);
    if (!reading) return etna_fail(err, ETNA_E_NOMEM, "out of memory for a meaning");
    reading->count = (uint32_t)count;
    for (uint32_t i = 0; i < reading->count && r.code == ETNA_OK; i++)
        reading->moves[i] = move_of(&r, json_array_get(predicates, i));
    if (r.code == ETNA_OK) *ret = *reading;
    return r.code;
}
