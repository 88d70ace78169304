/* "Flip the order of the books": of a pile the lowest comes to the top, of what
 * stands in a row the first comes last. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

/* The things along that way, the first first. */
static uint32_t *flip_sorted(reader *r,
                             const builtin_set *things,
                             const double way[3])
{
    uint32_t *const row = etna_arena_memdup(
        r->arena, things->objects, things->count * sizeof *things->objects);
    if (!row)
        return NULL;
    for (uint32_t i = 1; i < things->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const double *const low = object_at(r, row[k - 1])->centre;
            const double *const high = object_at(r, row[k])->centre;
            double ahead = 0;
            for (int axis = 0; axis < 3; axis++)
                ahead += way[axis] * (high[axis] - low[axis]);
            if (ahead >= 0)
                break;
            const uint32_t own = row[k];
            row[k] = row[k - 1];
            row[k - 1] = own;
        }
    }
    return row;
}

/* Does each stand above the one before? */
static bool flip_is_pile(const reader *r, const uint32_t *row, uint32_t count)
{
    bool pile = count > 1;
    for (uint32_t i = 1; i < count; i++)
        pile = pile && builtin_is_above(r->facts, row[i], row[i - 1]);
    return pile;
}

/* The way in which the things are spread most. */
static void flip_way(const reader *r, const builtin_set *things, double ret[3])
{
    double widest = -1;
    for (uint32_t i = 0; i < things->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const double *const a = object_at(r, things->objects[i])->centre;
            const double *const b = object_at(r, things->objects[k])->centre;
            const double dx = a[0] - b[0], dy = a[1] - b[1];
            if (dx * dx + dy * dy <= widest)
                continue;
            widest = dx * dx + dy * dy;
            ret[0] = dx;
            ret[1] = dy;
        }
    }
}

static etna_code flip_pile(const clause *c, const uint32_t *row)
{
    reader *const r = c->r;
    const builtin_object *const lowest = object_at(r, row[0]);
    const uint32_t count = c->movers.count;
    builtin_move m = move_plain(c, RELATION_STACK);
    uint32_t *const flipped =
        etna_arena_alloc(r->arena, count, sizeof *flipped);
    if (!flipped)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < count; i++)
        flipped[i] = row[count - 1 - i];
    m.row = flipped;
    m.row_count = count;
    m.support = lowest->by_count > 0 ? lowest->by[0] : BUILTIN_NONE;
    return move_add(r, &m);
}

/* The first with the last, the second with the last but one. */
static etna_code flip_row(const clause *c, const uint32_t *row)
{
    const uint32_t count = c->movers.count;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count / 2 && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_SWAP);
        m.objects = set_one(c->r, row[i]);
        m.reference = row[count - 1 - i];
        code = move_add(c->r, &m);
    }
    return code;
}

etna_code clause_flip_order(clause *c)
{
    static const double up[3] = {0, 0, 1};
    reader *const r = c->r;
    double way[3] = {0, 0, 0};
    etna_code code = movers_find(c, c->things, &c->movers);
    if (code != ETNA_OK)
        return code;
    if (c->movers.count < 2 || c->movers.need != c->movers.count)
        return clause_refuse(c, "the order of which things is not clear");
    const uint32_t *row = flip_sorted(r, &c->movers, up);
    if (!row)
        return reader_no_memory(r);
    if (flip_is_pile(r, row, c->movers.count)) {
        code = flip_pile(c, row);
    } else {
        flip_way(r, &c->movers, way);
        row = flip_sorted(r, &c->movers, way);
        code = row ? flip_row(c, row) : reader_no_memory(r);
    }
    r->memory.last = r->memory.named = c->movers;
    return code;
}
