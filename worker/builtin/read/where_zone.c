/* Is a thing in a zone, as phrases say it of what stands there: "the chair in
 * the back left corner", "the candle at the left end of the table"? A zone is a
 * corner, an edge or the middle of its owner's footprint, seen as the picture
 * has it. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/builtin/read/where_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <stdlib.h>

/* of an owner's footprint: right and away, from its middle */
typedef struct plan {
    double axes[2][2], extent[2];
    double at[2]; /* of the thing */
} plan;

/* -1, 0 or 1 along each axis: two are a corner, one an edge, none the middle */
typedef struct spot {
    int signs[2];
} spot;

/* The object's place in the owner's axes. */
static plan plan_make(const reader *r, uint32_t object, uint32_t owner)
{
    const builtin_object *base = object_at(r, owner);
    const double *at = object_at(r, object)->centre;
    plan p = {.at = {0, 0}};
    side_axes(r->facts, base, p.axes);
    for (int axis = 0; axis < 2; axis++) {
        p.extent[axis] = builtin_extent(base, p.axes[axis]);
        for (int k = 0; k < 2; k++)
            p.at[axis] += (at[k] - base->centre[k]) * p.axes[axis][k];
    }
    return p;
}

/* Metres to the spot; INFINITY where the thing is not on its half of the
 * owner. */
static double plan_way(const plan *p, const spot *s)
{
    /* of the extent: nearer the middle is on neither side */
    const double half = 0.2;
    const bool middle = s->signs[0] == 0 && s->signs[1] == 0;
    double sum = 0;
    for (int axis = 0; axis < 2; axis++) {
        const double off = s->signs[axis] * p->extent[axis] - p->at[axis];
        const bool on_side =
            s->signs[axis] * p->at[axis] > half * p->extent[axis];
        if (s->signs[axis] && !on_side)
            return INFINITY;
        if (middle && fabs(off) > p->extent[axis] / 2)
            return INFINITY;
        if (middle || s->signs[axis])
            sum += off * off;
    }
    return sqrt(sum);
}

/* Is the spot where these sides of the picture are? */
static bool spot_is_at(const spot *s, unsigned sides)
{
    const unsigned right = s->signs[0] > 0 ? LEXICON_RIGHT : LEXICON_LEFT;
    const unsigned away = s->signs[1] > 0 ? LEXICON_BACK : LEXICON_FRONT;
    const unsigned is = (s->signs[0] ? right : 0) | (s->signs[1] ? away : 0);
    return (sides & ~is) == 0;
}

static uint32_t zone_kind(const chart_node *where, unsigned sides)
{
    const unsigned across = LEXICON_LEFT | LEXICON_RIGHT;
    const unsigned along = LEXICON_FRONT | LEXICON_BACK;
    const chart_node *zone = chart_child(where, "$zone");
    if (sides & LEXICON_MIDDLE)
        return ZONE_MIDDLE;
    if ((sides & across) && (sides & along))
        return ZONE_CORNER;
    return zone ? zone->value : ZONE_EDGE;
}

/* Metres to the nearest of the owner's spots that the words may mean. */
static double zone_way(const reader *r,
                       uint32_t object,
                       uint32_t owner,
                       uint32_t kind,
                       unsigned sides)
{
    const plan p = plan_make(r, object, owner);
    const int wanted = kind == ZONE_CORNER ? 2 : kind != ZONE_MIDDLE;
    const unsigned said =
        sides & (LEXICON_LEFT | LEXICON_RIGHT | LEXICON_FRONT | LEXICON_BACK);
    double least = INFINITY;
    for (int i = 0; i < 9; i++) {
        const spot s = {{i % 3 - 1, i / 3 - 1}};
        const int count = abs(s.signs[0]) + abs(s.signs[1]);
        if (count == wanted && spot_is_at(&s, said))
            least = math_min(least, plan_way(&p, &s));
    }
    return least;
}

/* Metres to the corner of the room; farther than this is in no corner. */
static double corner_way(const reader *r,
                         uint32_t object,
                         uint32_t ground,
                         unsigned sides)
{
    const double reach = 1.5;
    const double way = zone_way(r, object, ground, ZONE_CORNER, sides);
    return way < reach ? way : INFINITY;
}

/* Stands on the owner, or by it. */
static bool object_is_at(const reader *r, uint32_t object, uint32_t owner)
{
    const double reach = 0.8; /* metres */
    return builtin_is_above(r->facts, object, owner) ||
           object_way(r, object, owner) < reach;
}

bool where_zone_is_told(const reader *r, const chart_node *where)
{
    const chart_node *zone = chart_child(where, "$zone");
    const bool corner = zone && zone->value == ZONE_CORNER;
    return zone_owner(where) || chart_child(where, "NEAREST") ||
           (corner && refer_floor(r->facts) != BUILTIN_NONE);
}

/* Has it words, and none of them a noun's? */
static bool phrase_is_nameless(reader *r, const chart_node *phrase)
{
    match_query query;
    return node_is(phrase, "THING") && phrase_lacks_noun(r, phrase, &query) &&
           !query.generic;
}

/* *ret: how far it is from the zone of the nearest owner. */
etna_code where_zone_holds(reader *r,
                           const chart_node *where,
                           uint32_t object,
                           unsigned sides,
                           double *ret)
{
    const chart_node *owner = zone_owner(where);
    const chart_node *own = chart_child(where, "$end_own");
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    const reader_memory memory = r->memory;
    const uint32_t cost = r->cost;
    builtin_set of = {0};
    if (chart_child(where, "NEAREST"))
        return reader_refuse_unread(r, where);
    if (!owner || phrase_means_room(r, owner)) {
        *ret = corner_way(r, object, refer_floor(r->facts), sides);
        return ETNA_OK;
    }
    if (phrase_is_nameless(r, owner))
        /* "the back | right | corner": its sides are no thing's */
        return ETNA_OK;
    etna_code code = refer_things(r, owner, &scope, &of);
    r->memory = memory;
    r->cost = cost;
    for (uint32_t i = 0; i < of.count && code == ETNA_OK; i++) {
        const uint32_t base = of.objects[i];
        if (base == object || !object_is_at(r, object, base))
            continue;
        const unsigned seen =
            own ? side_in_picture(r, base, own->value) : sides;
        *ret = math_min(
            *ret, zone_way(r, object, base, zone_kind(where, seen), seen));
    }
    return code;
}
