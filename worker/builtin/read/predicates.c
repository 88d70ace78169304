/* See predicates.h. */
#include "proto/array.h"
#include "worker/builtin/read/predicates_internal.h"

#include <string.h>

const char *const predicates_sides[PREDICATES_SIDES] = {"left", "right",
                                                        "front", "back"};
const char *const predicates_slots[PREDICATES_SLOTS] = {"plate", "right",
                                                        "left", "far"};
const char *const predicates_aligns[PREDICATES_ALIGNS] = {"", "top", "middle",
                                                          "bottom", "height"};

static const char *const kinds[RELATION_COUNT] = {
    [RELATION_ON] = "on",           [RELATION_IN] = "in",
    [RELATION_UNDER] = "under",     [RELATION_ABOVE] = "above",
    [RELATION_BESIDE] = "beside",   [RELATION_LEFT] = "left_of",
    [RELATION_RIGHT] = "right_of",  [RELATION_FRONT] = "front_of",
    [RELATION_BEHIND] = "behind",   [RELATION_BETWEEN] = "between",
    [RELATION_AGAINST] = "against", [RELATION_MIDDLE] = "middle",
    [RELATION_CORNER] = "corner",   [RELATION_EDGE] = "edge",
    [RELATION_TOWARD] = "toward",   [RELATION_AWAY] = "away",
    [RELATION_PLACE] = "old_place", [RELATION_SWAP] = "swapped",
    [RELATION_OFF] = "off",         [RELATION_TURN] = "turned_by",
    [RELATION_TURNED] = "facing",   [RELATION_LINE] = "aligned",
    [RELATION_SHIFT] = "moved_by",  [RELATION_AT] = "at",
    [RELATION_TUCK] = "tucked",     [RELATION_STACK] = "stacked",
    [RELATION_AROUND] = "around",   [RELATION_GROUP] = "grouped",
    [RELATION_SETTING] = "set",     [RELATION_LEVEL] = "level_with",
    [RELATION_OVER] = "over",       [RELATION_END] = "end"};

const char *predicates_kind(builtin_relation relation)
{
    return (unsigned)relation < RELATION_COUNT && kinds[relation]
               ? kinds[relation]
               : "";
}

builtin_relation predicates_relation(const char *kind)
{
    for (int i = 0; kind && i < RELATION_COUNT; i++) {
        if (kinds[i] && strcmp(kinds[i], kind) == 0)
            return (builtin_relation)i;
    }
    return RELATION_COUNT;
}

typedef struct row { /* the first failure sticks */
    const builtin_facts *facts;
    json_t *json, *things, *roles, *numbers;
    bool failed;
} row;

static void predicate_put(row *r, json_t *into, const char *key, json_t *value)
{
    if (json_object_set_new(into, key, value) != 0)
        r->failed = true;
}

static void predicate_add(row *r, json_t *into, json_t *value)
{
    if (json_array_append_new(into, value) != 0)
        r->failed = true;
}

/* A predicate's JSON with its parts; a failure is noted and told at the end. */
static row row_new(const builtin_facts *facts, builtin_relation relation)
{
    row r = {.facts = facts,
             .json = json_object(),
             .things = json_array(),
             .roles = json_array()};
    r.numbers = json_object();
    predicate_put(&r, r.json, "kind", json_string(predicates_kind(relation)));
    predicate_put(&r, r.json, "things", r.things);
    predicate_put(&r, r.json, "roles", r.roles);
    predicate_put(&r, r.json, "numbers", r.numbers);
    return r;
}

static void add_list(row *r,
                     const char *role,
                     const uint32_t *objects,
                     uint32_t count)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < count; i++) {
        if (objects[i] < r->facts->object_count)
            predicate_add(r, names,
                          json_string(r->facts->objects[objects[i]].name));
    }
    predicate_add(r, r->things, names);
    predicate_add(r, r->roles, json_string(role));
}

static void add_one(row *r, const char *role, uint32_t object)
{
    if (object < r->facts->object_count)
        add_list(r, role, &object, 1);
}

static void put_sides(row *r, unsigned sides)
{
    if (!sides)
        return;
    json_t *list = json_array();
    for (unsigned i = 0; i < 4; i++) {
        if (sides >> i & 1)
            predicate_add(r, list, json_string(predicates_sides[i]));
    }
    predicate_put(r, r->json, "sides", list);
}

static void put_vector(row *r, const char *key, const double v[3])
{
    predicate_put(r, r->numbers, key,
                  json_pack("[f,f,f]", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0));
}

/* Only what differs from a move without it. */
static void put_numbers(row *r, const builtin_move *move)
{
    if (move->gap >= 0)
        predicate_put(r, r->numbers, "gap_m", json_real(move->gap));
    if (move->relation == RELATION_TURN)
        predicate_put(r, r->numbers, "turn_deg", json_real(move->turn));
    if (move->level)
        predicate_put(r, r->numbers, "level", json_integer(move->level));
    if (move->relation == RELATION_LINE && move->spacing >= 0)
        predicate_put(r, r->numbers, "spacing_m", json_real(move->spacing));
    if (move->relation == RELATION_SHIFT)
        put_vector(r, "shift_m", move->shift);
    if (move->relation == RELATION_AT)
        put_vector(r, "at_m", move->at);
    if (move->align == ALIGN_HEIGHT)
        predicate_put(r, r->numbers, "height_m", json_real(move->at[2]));
    if (move->has_yaw)
        predicate_put(r, r->numbers, "yaw_deg", json_real(move->yaw_deg));
    if (move->objects.need < move->objects.count)
        predicate_put(r, r->numbers, "need", json_integer(move->objects.need));
}

/* Only those that are true. */
static void put_flags(row *r, const builtin_move *move)
{
    const struct {
        const char *name;
        bool is;
    } flags[] = {{"hung", move->hung},
                 {"exact", move->exact},
                 {"goes", move->goes},
                 {"gap_most", move->bound == BOUND_MOST},
                 {"gap_least", move->bound == BOUND_LEAST},
                 {"alone", move->alone},
                 {"even", move->even},
                 {"abreast", move->abreast},
                 {"in_order", move->row_count > 0}};
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        if (flags[i].is)
            predicate_put(r, r->json, flags[i].name, json_true());
    }
}

static void put_facing(row *r, const builtin_move *move)
{
    if (move->facing == FACING_NONE)
        return;
    predicate_put(r, r->json, "facing",
                  json_string(move->facing == FACING_TO ? "to" : "back"));
    if (move->faced == BUILTIN_CAMERA)
        add_list(r, "faced_camera", NULL, 0);
    add_one(r, "faced", move->faced);
}

/* A condition in the form of a predicate. */
static json_t *condition_of(const builtin_facts *facts,
                            const builtin_condition *condition,
                            bool *failed)
{
    row r = row_new(facts, condition->relation);
    add_one(&r, "reference", condition->reference);
    add_one(&r, "second", condition->second);
    if (condition->gap >= 0)
        predicate_put(&r, r.numbers, "gap_m", json_real(condition->gap));
    if (condition->bound == BOUND_MOST)
        predicate_put(&r, r.json, "gap_most", json_true());
    if (condition->bound == BOUND_LEAST)
        predicate_put(&r, r.json, "gap_least", json_true());
    if (condition->denied)
        predicate_put(&r, r.json, "denied", json_true());
    put_sides(&r, condition->sides);
    if (r.failed)
        *failed = true;
    return r.json;
}

static void put_also(row *r, const builtin_move *move)
{
    if (!move->also_count)
        return;
    json_t *list = json_array();
    for (uint32_t i = 0; i < move->also_count; i++)
        predicate_add(r, list,
                      condition_of(r->facts, &move->also[i], &r->failed));
    predicate_put(r, r->json, "also", list);
}

static void put_places(row *r, const builtin_move *move)
{
    if (move->relation == RELATION_SETTING &&
        (size_t)move->slot < PREDICATES_SLOTS)
        predicate_put(r, r->json, "slot",
                      json_string(predicates_slots[move->slot]));
    if (move->align != ALIGN_NONE && (size_t)move->align < PREDICATES_ALIGNS)
        predicate_put(r, r->json, "align",
                      json_string(predicates_aligns[move->align]));
}

/* span: bytes of the sentence; the whole of it where the move has none. */
static json_t *predicate_of(const builtin_facts *facts,
                            const builtin_move *move,
                            size_t size,
                            bool *failed)
{
    row r = row_new(facts, move->relation);
    bool in_order = move->row_count > 0;
    bool has_span = move->span[1] > move->span[0] && move->span[1] <= size;
    add_list(&r, "moved", in_order ? move->row : move->objects.objects,
             in_order ? move->row_count : move->objects.count);
    add_one(&r, "reference", move->reference);
    add_one(&r, "second", move->second);
    add_one(&r, "support", move->support);
    if (move->each.count)
        add_list(&r, "each", move->each.objects, move->each.count);
    if (move->each_number > 1)
        predicate_put(&r, r.numbers, "each_number",
                      json_integer(move->each_number));
    if (move->there.count)
        add_list(&r, "there", move->there.objects, move->there.count);
    put_facing(&r, move);
    put_numbers(&r, move);
    predicate_put(&r, r.json, "span",
                  json_pack("[I,I]", (json_int_t)(has_span ? move->span[0] : 0),
                            (json_int_t)(has_span ? move->span[1] : size)));
    put_sides(&r, move->sides);
    put_places(&r, move);
    put_also(&r, move);
    put_flags(&r, move);
    if (r.failed)
        *failed = true;
    return r.json;
}

/* The meaning of a sentence as the journal and `etna read` have it; NULL: out
 * of memory. */
json_t *predicates_of(const builtin_facts *facts,
                      const builtin_reading *reading,
                      size_t size)
{
    json_t *list = json_array();
    bool failed = list == NULL;
    for (uint32_t i = 0; !failed && i < reading->count; i++) {
        json_t *one = predicate_of(facts, &reading->moves[i], size, &failed);
        if (json_array_append_new(list, one) != 0)
            failed = true;
    }
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}
