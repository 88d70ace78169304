/* What goes on from the text before, whose last move stands before this text's:
 * "a bit more", "the other one too", "undo that". Where a thing stood before
 * that text is told of the thing itself (builtin_object.was_elsewhere). */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/builtin/relation.h"

#include <math.h>

const builtin_move *move_before(const reader *r)
{
    return r->first_move > 0 ? &r->reading->moves[r->first_move - 1] : NULL;
}

/* ---- which way, where none is said ---- */

static bool way_scale(double way[3])
{
    const double length =
        sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (length < 1e-6)
        return false;
    for (int k = 0; k < 3; k++)
        way[k] /= length;
    return true;
}

/* "Left of the lamp" goes on to the left, "before the desk" on away from the
 * desk. */
static bool way_of_side(const reader *r,
                        const builtin_move *m,
                        uint32_t object,
                        double ret[3])
{
    if (bit_is_in(m->relation, BIT(RELATION_LEFT) | BIT(RELATION_RIGHT)))
        direction_way(r, m->relation == RELATION_LEFT ? DIR_LEFT : DIR_RIGHT,
                      ret);
    else
        shift_toward(r, object, m->reference, 1, true, ret);
    return way_scale(ret);
}

/* "a bit further": the unit way of the move before; false: it had none. */
bool way_onward(const reader *r, uint32_t object, double ret[3])
{
    const builtin_move *m = move_before(r);
    if (!m || r->reading->count > r->first_move)
        return false;
    if (m->relation == RELATION_SHIFT) {
        memcpy(ret, m->shift, sizeof m->shift);
        return way_scale(ret);
    }
    if (m->reference >= r->facts->object_count || m->reference == object)
        return false;
    if (bit_is_in(m->relation, RELATIONS_SIDE))
        return way_of_side(r, m, object, ret);
    if (!bit_is_in(m->relation, BIT(RELATION_TOWARD) | BIT(RELATION_AWAY)))
        return false;
    shift_toward(r, object, m->reference, 1, m->relation == RELATION_AWAY, ret);
    return way_scale(ret);
}

bool clause_turns_on(const clause *c)
{
    const builtin_move *m = move_before(c->r);
    const chart_node *shift = c->d.shift;
    bool turned = m && m->relation == RELATION_TURN &&
                  c->r->reading->count == c->r->first_move;
    const bool measured =
        shift && (chart_find(shift, "$num") || chart_find(shift, "$dir"));
    return turned && !measured && !c->d.angle;
}

etna_code clause_turn_on(const clause *c)
{
    const double bit = 15; /* degrees */
    builtin_move m = move_plain(c, RELATION_TURN);
    m.turn = move_before(c->r)->turn < 0 ? -bit : bit;
    return move_add(c->r, &m);
}

/* ---- once more ---- */

/* "again": only steps can be repeated, a place is reached once. */
etna_code clause_redo(clause *c)
{
    const uint32_t steps = BIT(RELATION_SHIFT) | BIT(RELATION_TURN);
    const builtin_move *before = move_before(c->r);
    bool step = before && c->r->reading->count == c->r->first_move &&
                bit_is_in(before->relation, steps);
    if (!step)
        return clause_refuse(c, "what is to be done again is not clear");
    builtin_move m = *before;
    reader_span(c->r, c->said, m.span);
    m.instruction = 0;
    return move_add(c->r, &m);
}

/* ---- back ---- */

bool set_was_elsewhere(const reader *r, const builtin_set *things)
{
    bool all = things->count > 0 && things->need == things->count;
    for (uint32_t i = 0; i < things->count && all; i++)
        all = object_at(r, things->objects[i])->was_elsewhere;
    return all;
}

/* To where `place` stood earlier, for "put it back". */
etna_code thing_put_where(const clause *c, uint32_t object, uint32_t place)
{
    const builtin_object *old = object_at(c->r, place);
    builtin_move m = move_plain(c, RELATION_AT);
    m.objects = set_one(c->r, object);
    m.hung = old->attached && object_at(c->r, object)->attached;
    memcpy(m.at, old->earlier, sizeof m.at);
    if (!m.hung) {
        m.at[2] -= old->half[2];
        m.at[2] = builtin_foot_height(c->r->facts, place, m.at);
    }
    m.has_yaw = object == place;
    m.yaw_deg = old->earlier_yaw_deg;
    return move_add(c->r, &m);
}

static bool object_is_upon(const reader *r,
                           uint32_t object,
                           const builtin_set *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        if (things->objects[i] != object &&
            builtin_is_above(r->facts, object, things->objects[i]))
            return true;
    }
    return false;
}

/* What carries others of them first: these go along. */
etna_code things_put_back(const clause *c, const builtin_set *things)
{
    etna_code code = ETNA_OK;
    for (int upon = 0; upon < 2; upon++) {
        for (uint32_t i = 0; i < things->count && code == ETNA_OK; i++) {
            const uint32_t object = things->objects[i];
            if (object_is_upon(c->r, object, things) == upon)
                code = thing_put_where(c, object, object);
        }
    }
    return code;
}

static bool object_was_elsewhere(const reader *r,
                                 uint32_t object,
                                 const void *context)
{
    (void)context;
    return object_at(r, object)->was_elsewhere;
}

/* Everything the text before has moved. */
etna_code clause_undo(clause *c)
{
    builtin_set moved;
    etna_code code = set_filter(c->r, object_was_elsewhere, NULL, &moved);
    if (code != ETNA_OK)
        return code;
    if (moved.count == 0 || c->r->reading->count > c->r->first_move)
        return clause_refuse(c, "what is to be undone is not clear");
    c->movers = moved;
    code = things_put_back(c, &moved);
    c->r->memory.last = c->r->memory.named = moved;
    return code;
}
