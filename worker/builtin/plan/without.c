/* What of several things is done without: where one toy does not fit into the
 * box, a person puts the others in and says which did not. Of such a part the
 * planner says which thing it is about, and the run goes on without that one. */
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <string.h>

/* Is it asked of each of its things by itself? Of a row or a pile nothing is
 * left out. */
static bool relation_is_of_each(builtin_relation relation)
{
    static const bool of_each[RELATION_COUNT] = {
        [RELATION_ON] = true,      [RELATION_IN] = true,
        [RELATION_UNDER] = true,   [RELATION_BESIDE] = true,
        [RELATION_AGAINST] = true, [RELATION_OFF] = true,
        [RELATION_TUCK] = true,    [RELATION_TURN] = true,
        [RELATION_TURNED] = true};
    return of_each[relation];
}

/* The clause and the thing of a row of what was left out; false: it is a part
 * as a whole. */
static bool without_read(const planner *p,
                         const json_t *row,
                         uint32_t clause[2],
                         uint32_t *ret_object)
{
    const json_int_t thing = json_integer_value(json_object_get(row, "thing"));
    const json_t *span = json_object_get(row, "span");
    if (thing < 1 || thing > (json_int_t)p->facts->object_count)
        return false;
    for (size_t k = 0; k < 2; k++)
        clause[k] = (uint32_t)json_integer_value(json_array_get(span, k));
    *ret_object = (uint32_t)thing - 1;
    return true;
}

bool planner_is_of_thing(const struct json_t *row)
{
    return json_integer_value(json_object_get(row, "thing")) > 0;
}

static bool without_is_any(const planner *p, const builtin_move *move)
{
    const json_t *rows = json_object_get(p->talk->task, "left_out");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        uint32_t clause[2] = {0, 0};
        uint32_t object = BUILTIN_NONE;
        if (without_read(p, json_array_get(rows, i), clause, &object) &&
            memcmp(clause, move->clause, sizeof clause) == 0)
            return true;
    }
    return false;
}

void planner_speak_of_thing(planner *p,
                            const builtin_move *move,
                            uint32_t object)
{
    const bool all = move->objects.need == move->objects.count;
    const bool is_each = relation_is_of_each(move->relation) && all &&
                         move->each.count == 0 && move->row_count == 0;
    const bool several = move->objects.count > 1 || without_is_any(p, move);
    p->thing = 0;
    if (!is_each || !several || p->list_mode || p->measures ||
        move->clause[1] <= move->clause[0])
        return;
    p->thing = object + 1;
    memcpy(p->part, move->clause, sizeof p->part);
}

/* ETNA_E_NOMEM. */
static etna_code move_go_without(planner *p,
                                 builtin_move *move,
                                 uint32_t object)
{
    const builtin_set *all = &move->objects;
    uint32_t *kept =
        etna_arena_alloc(p->talk->arena, all->count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return planner_no_memory(p);
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->objects[i] != object)
            kept[count++] = all->objects[i];
    }
    const uint32_t gone = all->count - count;
    move->objects = (builtin_set){
        .count = count, .objects = kept, .need = all->need - gone};
    return ETNA_OK;
}

/* Out of all moves of its clause; a move that has nothing left is dropped. */
static etna_code reading_go_without(planner *p,
                                    const uint32_t clause[2],
                                    uint32_t object)
{
    builtin_reading *reading = &p->reading;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        builtin_move *move = &reading->moves[i];
        const bool is_there =
            memcmp(clause, move->clause, sizeof move->clause) == 0 &&
            move->objects.need == move->objects.count;
        etna_code code = is_there ? move_go_without(p, move, object) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        if (move->objects.count == 0)
            continue;
        if (count != i)
            reading->moves[count] = *move;
        count++;
    }
    reading->count = count;
    return ETNA_OK;
}

etna_code planner_go_without(planner *p)
{
    const json_t *rows = json_object_get(p->talk->task, "left_out");
    etna_code code = ETNA_OK;
    for (size_t i = 0; i < json_array_size(rows) && code == ETNA_OK; i++) {
        uint32_t clause[2] = {0, 0};
        uint32_t object = BUILTIN_NONE;
        if (without_read(p, json_array_get(rows, i), clause, &object))
            code = reading_go_without(p, clause, object);
    }
    return code;
}
