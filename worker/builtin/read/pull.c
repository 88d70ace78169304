/* "Pull the chair out", "pull the sofa back 20 cm": who pulls stands behind it,
 * or before what it has its back to, and not behind the picture. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* "Into the room": away from the wall behind it, whoever moves it. */
static bool way_is_inward(const clause *c, const chart_node *dir)
{
    return reader_word_is(c->r, dir->end - 1, "room");
}

bool clause_pulls(const clause *c)
{
    const chart_node *verb = chart_find(c->said, "$verb");
    const chart_node *dir = chart_find(c->d.shift, "$dir");
    const bool added = c->d.second_shift && !clause_splits_shift(c);
    if (dir && !added && way_is_inward(c, dir))
        return true;
    if (added || !verb || !dir || dir->end - dir->first != 1)
        return false;
    return reader_lists(c->r, verb->first, "pull: pulls") &&
           reader_lists(c->r, dir->first, "pull: out");
}

/* The table that it stands at, and no low one before a sofa; BUILTIN_NONE: at
 * none. */
static uint32_t pull_table(const reader *r, uint32_t object)
{
    const double low = 0.3; /* metres, half a table's height */
    double least = 0.5;
    uint32_t table = BUILTIN_NONE;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i == object || !object_is_table(r, i) ||
            object_at(r, i)->half[2] < low)
            continue;
        const double way = object_way(r, i, object);
        if (way < least) {
            least = way;
            table = i;
        }
    }
    return table;
}

static void pull_way(const reader *r, uint32_t object, double ret[3])
{
    const uint32_t table = pull_table(r, object);
    double front[2];
    const bool looks = builtin_is_seat(object_at(r, object)) &&
                       builtin_front_of(r->facts, object, front);
    if (table != BUILTIN_NONE && !looks) {
        shift_toward(r, object, table, 1, true, ret);
        return;
    }
    if (table == BUILTIN_NONE &&
        builtin_front_from_wall(r->facts, object, front)) {
        ret[0] = front[0];
        ret[1] = front[1];
    } else if (looks) {
        ret[0] = -front[0];
        ret[1] = -front[1];
    } else {
        direction_way(r, DIR_FRONT, ret);
    }
    ret[2] = 0;
}

/* "Into the room" is away from a wall: of something that stands at one. */
static bool pull_is_from_walls(const clause *c)
{
    const reader *const r = c->r;
    bool from = true;
    for (uint32_t i = 0; i < c->movers.count && from; i++) {
        const uint32_t object = c->movers.objects[i];
        double front[2];
        from = object_is_on_floor(r, object) &&
               builtin_front_from_wall(r->facts, object, front);
    }
    return from;
}

etna_code clause_pull(const clause *c)
{
    const reader *r = c->r;
    const chart_node *far = chart_find(
        clause_splits_shift(c) ? c->d.second_shift : c->d.shift, "DIST");
    const bool inward = way_is_inward(c, chart_find(c->d.shift, "$dir"));
    etna_code code = ETNA_OK;
    if (inward && !pull_is_from_walls(c))
        return clause_refuse(c, "from which wall that is is not clear");
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++) {
        const uint32_t object = c->movers.objects[i];
        const double metres = shift_metres(r, far, object);
        builtin_move m = move_plain(c, RELATION_SHIFT);
        m.objects = set_one(c->r, object);
        pull_way(r, object, m.shift);
        for (int k = 0; k < 3; k++)
            m.shift[k] *= metres;
        code = move_face(c, &m);
        if (code == ETNA_OK)
            code = move_add(c->r, &m);
    }
    return code;
}
