/* Which of the free places is tried first: before a table's side and not at its
 * end, as the thing will be turned there, with room for what comes later, and
 * abreast of what came before. */
#include "worker/builtin/plan/standing_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* Does the thing stand there about as far along that side as another does? */
static bool standing_is_abreast(const planner *p,
                                const builtin_move *move,
                                uint32_t object,
                                const double at[3],
                                const double other[3])
{
    double way[2] = {0, 0};
    builtin_side_axis(p->facts, move, way);
    const double along =
        (at[0] - other[0]) * way[0] + (at[1] - other[1]) * way[1];
    return fabs(along) <= builtin_extent(&p->facts->objects[object], way);
}

/* Of the thing's places the first that is abreast of another one (NULL: the
 * first); NULL: there is no such place. */
static const builtin_spot *standing_first_abreast(const planner *p,
                                                  const builtin_move *move,
                                                  uint32_t object,
                                                  const builtin_spot *spots,
                                                  uint32_t count,
                                                  const double *other)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!other ||
            standing_is_abreast(p, move, object, spots[i].point, other))
            return &spots[i];
    }
    return NULL;
}

/* Metres along the reference's side, off its middle. */
static double standing_off_middle(const planner *p,
                                  const builtin_move *move,
                                  const double at[3])
{
    const double *middle = p->facts->objects[move->reference].centre;
    double way[2] = {0, 0};
    builtin_side_axis(p->facts, move, way);
    return (at[1] - middle[1]) * way[0] - (at[0] - middle[0]) * way[1];
}

typedef struct room { /* for those that come later */
    bool abreast;     /* asked: beside the first and not behind it */
    bool on_rugs;     /* asked: half on them will do, as for the first */
    bool is_there;
    double off;  /* metres: the middle of all, off that of the side */
    double rest; /* and the middle of those, with a sign */
} room;

/* Is there room for `rest` (things that go to the same place later) when
 * `first` stands at `spot`? */
static etna_code standing_leaves_room(const planner *p,
                                      uint32_t reference,
                                      const builtin_move *move,
                                      uint32_t first,
                                      const builtin_spot *spot,
                                      const uint32_t *rest,
                                      uint32_t count,
                                      room *ret)
{
    builtin_rect taken[BUILTIN_MOVES_MAX];
    uint32_t used = 0;
    const double own =
        ret->abreast ? standing_off_middle(p, move, spot->point) : 0;
    double off = own;
    taken[used++] = builtin_footprint(&p->facts->objects[first], spot->point[0],
                                      spot->point[1], 0.005);
    ret->is_there = false;
    for (uint32_t i = 0; i < count && used < BUILTIN_MOVES_MAX; i++) {
        builtin_wish wish = {.object = rest[i],
                             .reference = reference,
                             .taste = TASTE_TIGHT,
                             .taken = taken,
                             .taken_count = used,
                             .move = move,
                             .on_rugs = ret->on_rugs};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK)
            return code;
        const builtin_spot *next = standing_first_abreast(
            p, move, rest[i], spots, found, ret->abreast ? spot->point : NULL);
        if (!next)
            return ETNA_OK;
        off += ret->abreast ? standing_off_middle(p, move, next->point) : 0;
        taken[used++] = builtin_footprint(
            &p->facts->objects[rest[i]], next->point[0], next->point[1], 0.005);
    }
    ret->is_there = true;
    ret->off = fabs(off) / used;
    ret->rest = (off - own) / math_max(1, used - 1);
    return ETNA_OK;
}

/* The i-th of them comes to that place; what was there and behind it moves
 * on. */
static void standing_move_up(standing *s, uint32_t i, uint32_t to)
{
    const builtin_spot one = s->spots[i];
    memmove(&s->spots[to + 1], &s->spots[to], (i - to) * sizeof *s->spots);
    s->spots[to] = one;
}

/* At a long table nobody sits at the end who may sit at a side. */
static bool standing_is_at_end(const standing *s, const double way[2])
{
    const double longer = 1.6; /* than broad */
    const builtin_object *table = &s->p->facts->objects[s->move->faced];
    const double across[2] = {-way[1], way[0]};
    return builtin_extent(table, way) > longer * builtin_extent(table, across);
}

/* Is the table's middle about where it looks? */
static bool standing_is_opposite(const standing *s,
                                 const double at[3],
                                 const double way[2])
{
    const double about = 0.866; /* cosine */
    double middle[2];
    if (!builtin_facing_way(s->p->facts, s->move, at, middle))
        return false;
    return way[0] * middle[0] + way[1] * middle[1] >= about;
}

void standing_prefer_sides(standing *s)
{
    enum {
        OPPOSITE,
        ASIDE,
        AT_END,
        RANKS
    };
    uint32_t before[RANKS] = {0}; /* how many are of that rank or a better */
    double way[2];
    for (uint32_t i = 0; i < s->found && s->move->facing == FACING_TO; i++) {
        const double *at = s->spots[i].point;
        if (!builtin_way_across_table(s->p->facts, s->move, at, way))
            continue;
        const int side = standing_is_opposite(s, at, way) ? OPPOSITE : ASIDE;
        const int rank = standing_is_at_end(s, way) ? AT_END : side;
        standing_move_up(s, i, before[rank]);
        for (int k = rank; k < RANKS; k++)
            before[k]++;
    }
}

etna_code standing_as_faced(standing *s, builtin_facts facts[FACED_ROUNDS])
{
    const builtin_move *move = s->move;
    if (move->facing == FACING_NONE || !seek_is_beside(s->p->facts, move))
        return ETNA_OK;
    for (int i = 0; i < FACED_ROUNDS && s->found > 0 && !s->wish.turned; i++) {
        planner turned;
        double way[2];
        const double *at = s->spots[0].point;
        if (!builtin_way_across_table(s->p->facts, move, at, way) &&
            !builtin_facing_way(s->p->facts, move, at, way))
            return ETNA_OK;
        standing there = *s;
        there.as_placed = &facts[i];
        etna_code code =
            seek_as_turned(s->p, s->object, way, &turned, &facts[i]);
        if (code == ETNA_OK)
            code = builtin_spots(&facts[i], &there.wish, there.spots,
                                 &there.found, s->p->err);
        if (code != ETNA_OK || there.found == 0)
            return code;
        standing_prefer_sides(&there);
        *s = there;
    }
    return ETNA_OK;
}

/* Would the thing and the rest of them pass each other on their way there, the
 * left one to the right? */
static bool standing_crosses(const standing *s, const double at[3], double rest)
{
    const double apart = 0.1; /* metres */
    const builtin_facts *facts = s->p->facts;
    double now =
        standing_off_middle(s->p, s->move, facts->objects[s->object].centre);
    for (uint32_t i = 0; i < s->rest_count; i++)
        now -= standing_off_middle(s->p, s->move,
                                   facts->objects[s->rest[i]].centre) /
               s->rest_count;
    const double then = standing_off_middle(s->p, s->move, at) - rest;
    return fabs(now) > apart && fabs(then) > apart && (now < 0) != (then < 0);
}

/* Those first that leave room for the rest, from the `done`th on, and of these
 * those about the side's middle; *ret: how many do, and are done. */
static etna_code standing_sort_by(standing *s,
                                  const planner *faced,
                                  bool abreast,
                                  uint32_t done,
                                  uint32_t *ret)
{
    const double crossed = 0.15; /* metres off the middle that it is worth */
    double offs[BUILTIN_SPOTS_MAX];
    uint32_t front = done;
    for (uint32_t i = done; i < s->found; i++) {
        room there = {.abreast = abreast, .on_rugs = s->wish.on_rugs};
        etna_code code =
            standing_leaves_room(faced, s->wish.reference, s->move, s->object,
                                 &s->spots[i], s->rest, s->rest_count, &there);
        if (code != ETNA_OK)
            return code;
        if (!there.is_there)
            continue;
        if (abreast && standing_crosses(s, s->spots[i].point, there.rest))
            there.off += crossed;
        uint32_t at = front++;
        for (; at > done && offs[at - 1] > there.off; at--)
            offs[at] = offs[at - 1];
        offs[at] = there.off;
        standing_move_up(s, i, at);
    }
    *ret = front;
    return ETNA_OK;
}

/* Is it asked for at one side of a thing: before it, to the left of it? */
static bool standing_is_at_side(const standing *s)
{
    return s->move->relation >= RELATION_LEFT &&
           s->move->relation <= RELATION_BEHIND &&
           s->move->reference < s->p->facts->object_count;
}

/* Planner and facts in which the thing and the rest look as they will there:
 * askew, they would take more room than they need. */
static etna_code standing_all_faced(const standing *s,
                                    planner *ret,
                                    builtin_facts *facts)
{
    const builtin_move *move = s->move;
    const double *at = s->spots[0].point;
    double way[2];
    *ret = *s->p;
    *facts = *s->as_placed;
    ret->facts = facts;
    if (move->facing == FACING_NONE || s->found == 0)
        return ETNA_OK;
    if (!builtin_way_across_table(s->p->facts, move, at, way) &&
        !builtin_facing_way(s->p->facts, move, at, way))
        return ETNA_OK;
    for (uint32_t i = 0; i < s->rest_count; i++) {
        etna_code code = seek_as_turned(ret, s->rest[i], way, ret, facts);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code standing_sort(standing *s, uint32_t *ret)
{
    planner faced;
    builtin_facts facts;
    uint32_t front = 0;
    *ret = 0;
    if (s->rest_count == 0)
        return ETNA_OK;
    etna_code code = standing_all_faced(s, &faced, &facts);
    if (code == ETNA_OK && standing_is_at_side(s))
        code = standing_sort_by(s, &faced, true, 0, &front);
    if (code == ETNA_OK)
        code = standing_sort_by(s, &faced, false, front, ret);
    return code;
}

/* Does another of the move's things stand at that side already, abreast of
 * which this one would be? */
static bool standing_has_mate(const standing *s, const double at[3])
{
    const builtin_facts *facts = s->p->facts;
    const builtin_set *all = &s->move->objects;
    for (uint32_t i = 0; i < all->count; i++) {
        const builtin_object *mate = &facts->objects[all->objects[i]];
        const double there[3] = {mate->centre[0], mate->centre[1],
                                 builtin_foot(mate)};
        if (all->objects[i] == s->object || !mate->moved)
            continue;
        if (builtin_misfit(facts, s->move, all->objects[i], there) <= 0 &&
            standing_is_abreast(s->p, s->move, s->object, at, there))
            return true;
    }
    return false;
}

void standing_join_mates(standing *s)
{
    uint32_t front = 0;
    if (!standing_is_at_side(s))
        return;
    for (uint32_t i = 0; i < s->found; i++) {
        if (standing_has_mate(s, s->spots[i].point))
            standing_move_up(s, i, front++);
    }
}
