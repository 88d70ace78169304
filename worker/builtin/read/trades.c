/* Trades behind moves of the same text. "Put the salt on the shelf, then swap it
 * with the vase" ends with the vase on the shelf and the salt where the vase is
 * now: whoever trades takes over what was asked of the other. So a trade becomes
 * what it comes to, and no place is asked for that nothing is to stand at. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/reader.h"
#include "worker/builtin/read/set.h"

#include <string.h>

static const char *const trade_too_hard =
    "what is put somewhere and trades places then is to be said in two steps";

/* Does the move ask for nothing but where all its things stand now? */
static bool move_is_so(const reader *r, const builtin_move *m)
{
    bool all = m->relation == RELATION_ON && m->also_count == 0 &&
               m->each.count == 0 && m->level == 0;
    for (uint32_t i = 0; i < m->objects.count && all; i++)
        all = builtin_stands_on(r->facts, m->objects.objects[i], m->reference);
    return all;
}

/* Where it looks is another matter than where it is. */
static bool move_is_turn(const builtin_move *m)
{
    return bit_is_in(m->relation, BIT(RELATION_TURN) | BIT(RELATION_TURNED));
}

static bool move_has_one(const builtin_move *m, uint32_t object)
{
    return set_has(&m->objects, object) ||
           (m->relation == RELATION_SWAP && m->reference == object);
}

/* "The vase and the salt, both on the table: swap them" tells where they are.
 * *at: of the trade. */
static void trade_drop_told(reader *r, uint32_t *at)
{
    const builtin_reading *reading = r->reading;
    const builtin_move trade = reading->moves[*at];
    for (uint32_t k = *at; k > r->first_move; k--) {
        const builtin_move *m = &reading->moves[k - 1];
        const bool has_any = move_has_one(m, trade.reference) ||
                             move_has_one(m, trade.objects.objects[0]);
        if (!has_any || move_is_turn(m) || !move_is_so(r, m))
            continue;
        move_drop(r, k - 1);
        (*at)--;
    }
}

/* A place in the scene that one thing has alone, whatever it is. */
static bool move_is_for_one(const builtin_move *m)
{
    const uint32_t placing =
        BIT(RELATION_ON) | BIT(RELATION_IN) | BIT(RELATION_UNDER) |
        BIT(RELATION_BESIDE) | BIT(RELATION_LEFT) | BIT(RELATION_RIGHT) |
        BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) | BIT(RELATION_BETWEEN) |
        BIT(RELATION_AGAINST) | BIT(RELATION_MIDDLE) | BIT(RELATION_CORNER) |
        BIT(RELATION_EDGE) | BIT(RELATION_PLACE) | BIT(RELATION_END);
    return bit_is_in(m->relation, placing) && m->objects.count == 1 &&
           m->each.count == 0 && m->there.count == 0 && m->leaves.count == 0;
}

/* Is its place told by one of the two that trade? */
static bool move_is_by(const builtin_move *m, uint32_t object)
{
    bool by = m->second == object || m->support == object ||
              (m->reference == object && m->relation != RELATION_PLACE);
    for (uint32_t i = 0; i < m->also_count; i++)
        by =
            by || m->also[i].reference == object || m->also[i].second == object;
    return by;
}

/* The earlier move that says where the thing comes to be; BUILTIN_NONE: it is
 * where it is. *ret_is_clear: nothing else is asked of it or by it. */
static uint32_t trade_placed_by(const reader *r,
                                uint32_t at,
                                uint32_t object,
                                bool *ret_is_clear)
{
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = r->first_move; i < at; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool has = move_has_one(m, object) && !move_is_turn(m);
        const bool again = has && found != BUILTIN_NONE;
        if (move_is_by(m, object) || again || (has && !move_is_for_one(m)))
            *ret_is_clear = false;
        if (has)
            found = i;
    }
    return found;
}

static builtin_move trade_to_place(reader *r,
                                   const builtin_move *trade,
                                   uint32_t object,
                                   uint32_t place)
{
    builtin_move m = *trade;
    m.relation = RELATION_PLACE;
    m.objects = set_one(r, object);
    m.reference = place;
    return m;
}

/* Room for one more at that place. */
static etna_code trade_insert(reader *r, uint32_t at, const builtin_move *m)
{
    builtin_reading *reading = r->reading;
    if (reading->count == BUILTIN_MOVES_MAX)
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "it asks for more than %d moves",
                             BUILTIN_MOVES_MAX);
    memmove(&reading->moves[at + 1], &reading->moves[at],
            (reading->count - at) * sizeof reading->moves[0]);
    reading->moves[at] = *m;
    reading->count++;
    return ETNA_OK;
}

/* Each goes to where the other is. */
static etna_code trade_part(reader *r, uint32_t at)
{
    const builtin_move trade = r->reading->moves[at];
    const uint32_t one = trade.objects.objects[0];
    const uint32_t other = trade.reference;
    const builtin_move second = trade_to_place(r, &trade, other, one);
    r->reading->moves[at] = trade_to_place(r, &trade, one, other);
    return trade_insert(r, at + 1, &second);
}

/* Earlier trades of either, taken apart. *at: of the trade. */
static etna_code trade_part_earlier(reader *r, uint32_t *at)
{
    const builtin_move trade = r->reading->moves[*at];
    for (uint32_t i = r->first_move; i < *at; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool meets = move_has_one(m, trade.objects.objects[0]) ||
                           move_has_one(m, trade.reference);
        if (m->relation != RELATION_SWAP || m->objects.count != 1 || !meets)
            continue;
        etna_code code = trade_part(r, i);
        if (code != ETNA_OK)
            return code;
        (*at)++;
    }
    return ETNA_OK;
}

/* Each of the two takes over what places the other, or else its place. */
static etna_code trade_take_over(reader *r, uint32_t at)
{
    builtin_reading *reading = r->reading;
    const builtin_move trade = reading->moves[at];
    const uint32_t pair[2] = {trade.objects.objects[0], trade.reference};
    uint32_t placed[2];
    bool is_clear = true;
    for (int k = 0; k < 2; k++)
        placed[k] = trade_placed_by(r, at, pair[k], &is_clear);
    if (placed[0] == BUILTIN_NONE && placed[1] == BUILTIN_NONE)
        return ETNA_OK;
    for (int k = 0; k < 2; k++) {
        const builtin_move *m =
            placed[k] == BUILTIN_NONE ? NULL : &reading->moves[placed[k]];
        /* it would come back to where it is */
        if (m && m->relation == RELATION_PLACE && m->reference == pair[1 - k])
            is_clear = false;
    }
    if (!is_clear || placed[0] == placed[1])
        return reader_refuse(r, CODE_UNREAD, NULL, "%s", trade_too_hard);
    move_drop(r, at);
    for (int k = 0; k < 2; k++) {
        const builtin_set other = set_one(r, pair[1 - k]);
        const builtin_move m = trade_to_place(r, &trade, pair[1 - k], pair[k]);
        etna_code code = ETNA_OK;
        if (placed[k] == BUILTIN_NONE)
            code = trade_insert(r, at, &m);
        else
            reading->moves[placed[k]].objects = other;
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code moves_check_trades(reader *r)
{
    const builtin_reading *reading = r->reading;
    for (uint32_t i = r->first_move; i < reading->count; i++) {
        if (reading->moves[i].relation != RELATION_SWAP ||
            reading->moves[i].objects.count == 0)
            continue;
        trade_drop_told(r, &i);
        etna_code code = trade_part_earlier(r, &i);
        if (code == ETNA_OK)
            code = trade_take_over(r, i);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
