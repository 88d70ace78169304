/* Checked predicates -> moves of a scene. */
#include "worker/builtin/read/predicates_internal.h"

#include <string.h>

typedef struct reader {
    const builtin_facts *facts;
    etna_arena *arena;
    etna_error *err;
    etna_code code;
} reader;

static uint32_t object_named(reader *r, const char *name)
{
    for (uint32_t i = 0; name && i < r->facts->object_count; i++) {
        if (strcmp(r->facts->objects[i].name, name) == 0)
            return i;
    }
    if (r->code == ETNA_OK)
        r->code =
            etna_fail(r->err, ETNA_E_INPUT, "the scene has no thing \"%.80s\"",
                      name ? name : "");
    return BUILTIN_NONE;
}

/* The list of that role, in its order; *ret_count 0: there is none. */
static uint32_t *objects_of(reader *r,
                            const json_t *from,
                            const char *role,
                            uint32_t *ret_count)
{
    const json_t *things = json_object_get(from, "things");
    const json_t *roles = json_object_get(from, "roles");
    const json_t *names = NULL;
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *said = json_string_value(json_array_get(roles, i));
        if (said && strcmp(said, role) == 0)
            names = json_array_get(things, i);
    }
    uint32_t count = (uint32_t)json_array_size(names);
    uint32_t *objects = etna_arena_alloc(r->arena, count, sizeof *objects);
    if (!objects && r->code == ETNA_OK)
        r->code =
            etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; objects && i < count; i++)
        objects[i] =
            object_named(r, json_string_value(json_array_get(names, i)));
    *ret_count = r->code == ETNA_OK ? count : 0;
    return objects;
}

static uint32_t one_of(reader *r, const json_t *from, const char *role)
{
    uint32_t count;
    uint32_t *objects = objects_of(r, from, role, &count);
    return count ? objects[0] : BUILTIN_NONE;
}

/* Ascending, each once. */
static builtin_set set_of(reader *r, const uint32_t *objects, uint32_t count)
{
    uint32_t *sorted = etna_arena_alloc(r->arena, count, sizeof *sorted);
    uint32_t used = 0;
    if (!sorted && r->code == ETNA_OK)
        r->code =
            etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; sorted && i < count; i++) {
        uint32_t at = used;
        while (at > 0 && sorted[at - 1] > objects[i])
            at--;
        if (at > 0 && sorted[at - 1] == objects[i])
            continue;
        memmove(sorted + at + 1, sorted + at, (used - at) * sizeof *sorted);
        sorted[at] = objects[i];
        used++;
    }
    return (builtin_set){.count = used, .objects = sorted, .need = used};
}

static double number_or(const json_t *from, const char *key, double otherwise)
{
    const json_t *value =
        json_object_get(json_object_get(from, "numbers"), key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static void vector_or_zero(const json_t *from, const char *key, double ret[3])
{
    const json_t *value =
        json_object_get(json_object_get(from, "numbers"), key);
    for (size_t i = 0; i < 3; i++)
        ret[i] = json_number_value(json_array_get(value, i));
}

/* Bits of SIDE_*. */
static unsigned sides_of(const json_t *from)
{
    const json_t *list = json_object_get(from, "sides");
    unsigned sides = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        for (unsigned k = 0; k < PREDICATES_SIDES; k++) {
            const char *said = json_string_value(json_array_get(list, i));
            if (said && strcmp(said, predicates_sides[k]) == 0)
                sides |= 1u << k;
        }
    }
    return sides;
}

/* Its place among the words; 0 where none is said. */
static unsigned word_of(const json_t *from,
                        const char *key,
                        const char *const *words,
                        unsigned count)
{
    const char *said = json_string_value(json_object_get(from, key));
    for (unsigned i = 0; said && i < count; i++) {
        if (strcmp(said, words[i]) == 0)
            return i;
    }
    return 0;
}

static builtin_bound bound_of(const json_t *from)
{
    if (json_is_true(json_object_get(from, "gap_most")))
        return BOUND_MOST;
    return json_is_true(json_object_get(from, "gap_least")) ? BOUND_LEAST
                                                            : BOUND_NONE;
}

static bool has_role(const json_t *from, const char *role)
{
    const json_t *roles = json_object_get(from, "roles");
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *said = json_string_value(json_array_get(roles, i));
        if (said && strcmp(said, role) == 0)
            return true;
    }
    return false;
}

static void read_facing(reader *r, const json_t *from, builtin_move *move)
{
    const char *facing = json_string_value(json_object_get(from, "facing"));
    if (!facing)
        return;
    move->facing = strcmp(facing, "to") == 0 ? FACING_TO : FACING_BACK;
    move->faced = has_role(from, "faced_camera") ? BUILTIN_CAMERA
                                                 : one_of(r, from, "faced");
    bool faces_nothing =
        move->faced == BUILTIN_NONE && move->relation == RELATION_TURNED;
    if (faces_nothing && r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_INPUT,
                            "it does not say what is to be faced");
}

/* Moved things, with order, "each" and "there". */
static void read_moved(reader *r, const json_t *from, builtin_move *move)
{
    uint32_t count;
    uint32_t *objects = objects_of(r, from, "moved", &count);
    move->objects = set_of(r, objects, count);
    double need = number_or(from, "need", move->objects.count);
    if (need < move->objects.count)
        move->objects.need = (uint32_t)need;
    if (json_is_true(json_object_get(from, "in_order"))) {
        move->row = objects;
        move->row_count = count;
    }
    objects = objects_of(r, from, "each", &count);
    move->each = set_of(r, objects, count);
    const double each_number = number_or(from, "each_number", 0);
    move->each_number = (uint32_t)each_number;
    if (each_number * count > move->objects.count && each_number > 1 &&
        r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_INPUT,
                            "each_number asks for more things than are moved");
    objects = objects_of(r, from, "there", &count);
    move->there = set_of(r, objects, count);
}

/* predicates_check has bounded the list. */
static void read_also(reader *r, const json_t *from, builtin_move *move)
{
    const json_t *also = json_object_get(from, "also");
    uint32_t count = (uint32_t)json_array_size(also);
    builtin_condition *conditions =
        etna_arena_alloc(r->arena, count, sizeof *conditions);
    if (!conditions && r->code == ETNA_OK)
        r->code =
            etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a meaning");
    for (uint32_t i = 0; conditions && i < count; i++) {
        const json_t *one = json_array_get(also, i);
        conditions[i] = (builtin_condition){
            .relation = predicates_relation(
                json_string_value(json_object_get(one, "kind"))),
            .reference = one_of(r, one, "reference"),
            .second = one_of(r, one, "second"),
            .sides = sides_of(one),
            .gap = number_or(one, "gap_m", -1),
            .bound = bound_of(one),
            .denied = json_is_true(json_object_get(one, "denied"))};
    }
    move->also = conditions;
    move->also_count = r->code == ETNA_OK ? count : 0;
}

/* The inverse of predicate_of; what is missing has its neutral value. */
static builtin_move move_of(reader *r, const json_t *from)
{
    const json_t *span = json_object_get(from, "span");
    json_int_t item = json_integer_value(json_object_get(from, "item"));
    builtin_move move = {
        .relation = predicates_relation(
            json_string_value(json_object_get(from, "kind"))),
        .reference = one_of(r, from, "reference"),
        .second = one_of(r, from, "second"),
        .support = one_of(r, from, "support"),
        .faced = BUILTIN_NONE,
        .sides = sides_of(from),
        .gap = number_or(from, "gap_m", -1),
        .bound = bound_of(from),
        .turn = number_or(from, "turn_deg", 0),
        .level = (uint32_t)number_or(from, "level", 0),
        .spacing = number_or(from, "spacing_m", -1),
        .yaw_deg = number_or(from, "yaw_deg", 0),
        .slot = (builtin_slot)word_of(from, "slot", predicates_slots,
                                      PREDICATES_SLOTS),
        .align = (builtin_align)word_of(from, "align", predicates_aligns,
                                        PREDICATES_ALIGNS),
        .instruction = item > 0 ? (uint32_t)item - 1 : 0};
    vector_or_zero(from, "shift_m", move.shift);
    vector_or_zero(from, "at_m", move.at);
    if (move.align == ALIGN_HEIGHT)
        move.at[2] = number_or(from, "height_m", 0);
    move.has_yaw = json_is_number(
        json_object_get(json_object_get(from, "numbers"), "yaw_deg"));
    move.hung = json_is_true(json_object_get(from, "hung"));
    move.exact = json_is_true(json_object_get(from, "exact"));
    move.goes = json_is_true(json_object_get(from, "goes"));
    move.alone = json_is_true(json_object_get(from, "alone"));
    move.even = json_is_true(json_object_get(from, "even"));
    move.abreast = json_is_true(json_object_get(from, "abreast"));
    for (size_t i = 0; i < 2; i++)
        move.span[i] = (uint32_t)json_integer_value(json_array_get(span, i));
    read_moved(r, from, &move);
    read_facing(r, from, &move);
    read_also(r, from, &move);
    return move;
}

/* From checked JSON back to a reading. Objects are found by name in the facts
 * of now. */
etna_code predicates_read(const json_t *predicates,
                          const builtin_facts *facts,
                          etna_arena *arena,
                          builtin_reading *ret,
                          etna_error *err)
{
    reader r = {.facts = facts, .arena = arena, .err = err};
    size_t count = json_array_size(predicates);
    if (count > BUILTIN_MOVES_MAX)
        return etna_fail(err, ETNA_E_INPUT, "a meaning of more than %d parts",
                         BUILTIN_MOVES_MAX);
    builtin_reading *reading = etna_arena_alloc(arena, 1, sizeof *reading);
    if (!reading)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a meaning");
    reading->count = (uint32_t)count;
    for (uint32_t i = 0; i < reading->count && r.code == ETNA_OK; i++)
        reading->moves[i] = move_of(&r, json_array_get(predicates, i));
    if (r.code == ETNA_OK)
        *ret = *reading;
    return r.code;
}
