/* Where things are, as phrases say it of them: "the cup on the tray", "the
 * chair next to the door". Boxes and supports of the scene as it stands; metres
 * of way where several answer and the nearest is meant. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/reader.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/builtin/read/where_internal.h"
#include "worker/math/vec.h"

#include <math.h>

/* The box in the world: an upright hull of its footprint. */
static void object_bounds(const builtin_object *o,
                          double ret_low[3],
                          double ret_high[3])
{
    builtin_rect footprint = builtin_rect_of(o);
    for (int k = 0; k < 2; k++) {
        ret_low[k] = footprint.low[k];
        ret_high[k] = footprint.high[k];
    }
    ret_low[2] = builtin_foot(o);
    ret_high[2] = builtin_top(o);
}

/* The gap between two boxes and a little of their middles' distance, so that of
 * two that touch the nearer middle wins. */
double where_between(const builtin_object *a, const builtin_object *b)
{
    double a_low[3], a_high[3];
    double b_low[3], b_high[3];
    double gap = 0;
    double apart = 0;
    object_bounds(a, a_low, a_high);
    object_bounds(b, b_low, b_high);
    for (int k = 0; k < 3; k++) {
        double way =
            math_max(math_max(a_low[k] - b_high[k], b_low[k] - a_high[k]), 0);
        double middles = a->centre[k] - b->centre[k];
        gap += way * way;
        apart += middles * middles;
    }
    return sqrt(gap) + 0.05 * sqrt(apart);
}

/* Metres; < 0: none are said. `like`: whose unit a number without one has, "20
 * to 30 cm". */
static double amount_metres(const chart_node *amount, const chart_node *like)
{
    static const char *const units[] = {"$unit", "$hardly", "$no_touch"};
    const chart_node *bit = chart_child(amount, "$bit");
    const chart_node *number = chart_child(amount, "$num");
    const chart_node *unit = NULL;
    for (size_t i = 0; !unit && i < COUNT_OF(units); i++)
        unit = chart_child(amount, units[i]);
    if (!unit)
        unit = chart_find(like, "$unit");
    if (bit)
        return bit->value ? bit->value / 1000.0 : -1;
    double value = number ? number->value / 1000.0 : 1;
    if (node_is(amount, "HALF"))
        value += 0.5;
    return unit ? value * (unit->value / 1e6) : -1;
}

/* The first amount; ret_most (may be NULL) the last, for "20 to 30 cm". -1:
 * none. */
double where_metres(const reader *r, const chart_node *dist, double *ret_most)
{
    (void)r;
    double first = -1;
    double last = -1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < dist->child_count; i++) {
        const chart_node *c = dist->children[i];
        if (!node_is(c, "AMOUNT") && !node_is(c, "HALF"))
            continue;
        last = amount_metres(c, dist);
        if (count++ == 0)
            first = last;
    }
    if (ret_most)
        *ret_most = last;
    return first;
}

/* ---- on and in ---- */

/* It stands on the ground, or on a carpet there: what stands on a table is not
 * on the floor. */
static bool object_is_on_ground(const reader *r,
                                uint32_t object,
                                uint32_t ground)
{
    const double carpet = 0.02; /* metres of half height */
    const builtin_object *o = object_at(r, object);
    if (builtin_stands_on(r->facts, object, ground))
        return true;
    for (uint32_t i = 0; i < o->by_count; i++) {
        bool flat = object_at(r, o->by[i])->half[2] < carpet;
        if (flat && builtin_stands_on(r->facts, o->by[i], ground))
            return true;
    }
    return false;
}

/* Lies between the sides of what moves and its rim. */
static bool object_is_inside(const builtin_object *o, const builtin_object *b)
{
    const double slack = 0.05; /* metres */
    double reach = builtin_half_longer(b) + slack;
    if (b->is_static || fabs(o->centre[2] - b->centre[2]) >= b->half[2])
        return false;
    return fabs(o->centre[0] - b->centre[0]) <= reach &&
           fabs(o->centre[1] - b->centre[1]) <= reach;
}

/* Hangs on a wall or a column. */
static bool object_hangs_by(const builtin_object *o, const builtin_object *b)
{
    /* metres; the first two of half a side */
    const double thin = 0.3, high = 0.5, near = 0.6;
    bool upright =
        b->is_static && b->half[2] > high && builtin_half_shorter(b) < thin;
    return upright && o->attached && where_between(o, b) < near;
}

/* Stands on it, hangs on it, or lies in it. */
static bool object_is_on(const reader *r, uint32_t object, uint32_t base)
{
    const builtin_object *o = object_at(r, object);
    const builtin_object *b = object_at(r, base);
    bool ground = object_is_ground(r, base);
    if (ground ? object_is_on_ground(r, object, base)
               : builtin_is_above(r->facts, object, base))
        return true;
    return object_is_inside(o, b) || object_hangs_by(o, b);
}

/* ---- relations: metres of way, INFINITY where it does not hold ---- */

/* metres */
static const double REACH_BESIDE = 1.2, REACH_NEAR = 2.5, REACH_AGAINST = 0.5;

static double way_if(bool holds, double way)
{
    return holds ? way : INFINITY;
}

static double way_within(const reader *r,
                         uint32_t object,
                         uint32_t of,
                         double reach)
{
    double way = object_way(r, object, of);
    return way_if(way < reach, way);
}

/* Stands or hangs on it: what merely hangs beside or between its parts does
 * not. */
static double way_on(const reader *r, uint32_t object, uint32_t of)
{
    bool fixed = object_at(r, of)->is_static;
    return way_if(fixed ? object_is_on(r, object, of)
                        : builtin_is_above(r->facts, object, of),
                  0);
}

static double way_in(const reader *r, uint32_t object, uint32_t of)
{
    return way_if(object_is_on(r, object, of), 0);
}

/* The plate before the next chair is not at this one: what stands on something
 * is at the nearest of several seats of one kind. */
static bool object_is_at_next_seat(const reader *r,
                                   uint32_t object,
                                   uint32_t of)
{
    const double clearly = 0.05; /* metres */
    if (!object_is_seat(r, of) || object_is_seat(r, object) ||
        object_is_on_floor(r, object))
        return false;
    const double way = object_way(r, object, of);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const bool alike =
            i != of && i != object && object_is_seat(r, i) &&
            kinds_id_distance(&r->kinds[i], &r->kinds[of]) < KINDS_STEP;
        if (alike && object_way(r, object, i) < way - clearly)
            return true;
    }
    return false;
}

/* A sofa is not beside the cushion that lies on it, nor the cushion beside the
 * sofa. */
static double way_beside(const reader *r, uint32_t object, uint32_t of)
{
    if (builtin_is_above(r->facts, object, of) ||
        builtin_is_above(r->facts, of, object) ||
        object_is_at_next_seat(r, object, of))
        return INFINITY;
    return way_within(r, object, of, REACH_BESIDE);
}

/* Who sits at a table reaches it. */
static double way_at(const reader *r, uint32_t object, uint32_t of)
{
    const double seated = 0.8; /* metres */
    if (object_is_on(r, object, of))
        return 0;
    if (object_is_at_next_seat(r, object, of))
        return INFINITY;
    const bool sits = object_is_seat(r, object) && object_bears_things(r, of);
    return sits ? way_within(r, object, of, seated) : way_beside(r, object, of);
}

bool where_is_before_seat(const reader *r, uint32_t object, uint32_t seat)
{
    return object != seat && !object_is_on_floor(r, object) &&
           !builtin_is_above(r->facts, object, seat) &&
           isfinite(way_at(r, object, seat));
}

/* "The counter with the stove" bears it, where one does; those beside that are
 * the counters by it. */
static double way_with(const reader *r, uint32_t object, uint32_t of)
{
    return builtin_is_above(r->facts, of, object)
               ? 0
               : way_at(r, object, of) + WAY_WITH_BESIDE;
}

/* "The chairs from the table" stand by it, "the salt from the table" on it. */
static double way_from(const reader *r, uint32_t object, uint32_t of)
{
    const double wide = 0.5; /* metres, half: no bed */
    const builtin_object *o = object_at(r, object);
    const bool chair =
        object_is_seat(r, object) && builtin_half_longer(o) < wide;
    const bool stands_by =
        chair || object_is_wall_like(r, of) || !object_bears_things(r, of);
    return stands_by ? way_at(r, object, of) : way_in(r, object, of);
}

static double way_against(const reader *r, uint32_t object, uint32_t of)
{
    return way_within(r, object, of, REACH_AGAINST);
}

static double way_near(const reader *r, uint32_t object, uint32_t of)
{
    return way_within(r, object, of, REACH_NEAR);
}

/* What a thing stands on is not around it. */
static double way_around(const reader *r, uint32_t object, uint32_t of)
{
    return builtin_is_above(r->facts, of, object) ? INFINITY
                                                  : way_near(r, object, of);
}

/* Out of reach, the farther the better. */
static double way_away(const reader *r, uint32_t object, uint32_t of)
{
    const double far = 1000; /* metres: no scene is as wide */
    const double way = object_way(r, object, of);
    return way < REACH_BESIDE ? INFINITY : math_max(far - way, 0);
}

/* Seen from above, is its middle about over the other? */
static bool object_is_over(const builtin_object *o, const builtin_object *b)
{
    double reach = b->half[0] + b->half[1];
    return fabs(o->centre[0] - b->centre[0]) < reach &&
           fabs(o->centre[1] - b->centre[1]) < reach;
}

/* Behind or below what hangs on a wall is that wall, wherever the other walls
 * have their middles. False: it is about no wall, or hangs on none. */
static bool way_is_to_own_wall(const reader *r,
                               uint32_t object,
                               uint32_t of,
                               double *ret)
{
    const uint32_t own = builtin_hangs_on(r->facts, of);
    if (own == BUILTIN_NONE || !builtin_is_wall(object_at(r, object)))
        return false;
    *ret = way_if(builtin_is_wall_of(r->facts, own, object), 0);
    return true;
}

static double way_under(const reader *r, uint32_t object, uint32_t of)
{
    double own;
    if (way_is_to_own_wall(r, object, of, &own))
        return own;
    const builtin_object *o = object_at(r, object);
    const builtin_object *b = object_at(r, of);
    bool lower = o->centre[2] < builtin_top(b) - 0.02;
    bool under = lower && object_is_over(o, b) && !object_is_on(r, of, object);
    return way_if(under, object_way(r, object, of));
}

static double way_above(const reader *r, uint32_t object, uint32_t of)
{
    const builtin_object *o = object_at(r, object);
    const builtin_object *b = object_at(r, of);
    bool higher = o->centre[2] > builtin_top(b);
    return way_if(higher && object_is_over(o, b), object_way(r, object, of));
}

/* Metres of its middle to the right of the other's in the picture. */
static double object_right_of(const reader *r, uint32_t object, uint32_t of)
{
    const double *right = r->facts->right;
    const double *own = object_at(r, object)->centre;
    const double *other = object_at(r, of)->centre;
    return (own[0] - other[0]) * right[0] + (own[1] - other[1]) * right[1];
}

/* Metres of its middle beyond the other's, as who looks sees it; also when
 * looking straight down. */
static double object_beyond(const reader *r, uint32_t object, uint32_t of)
{
    const builtin_facts *facts = r->facts;
    const double ahead[2] = {-facts->right[1], facts->right[0]};
    double forward = 0;
    double away = 0;
    for (int k = 0; k < 2; k++) {
        forward += (facts->forward[k] + facts->up[k]) * ahead[k];
        away +=
            (object_at(r, object)->centre[k] - object_at(r, of)->centre[k]) *
            ahead[k];
    }
    return forward < 0 ? -away : away;
}

static double way_aside(const reader *r,
                        uint32_t object,
                        uint32_t of,
                        double aside)
{
    const double least = 0.02; /* metres */
    return aside > least ? way_within(r, object, of, REACH_NEAR) : INFINITY;
}

static double way_left(const reader *r, uint32_t object, uint32_t of)
{
    return way_aside(r, object, of, -object_right_of(r, object, of));
}

static double way_right(const reader *r, uint32_t object, uint32_t of)
{
    return way_aside(r, object, of, object_right_of(r, object, of));
}

static double way_before(const reader *r, uint32_t object, uint32_t of)
{
    return way_aside(r, object, of, -object_beyond(r, object, of));
}

static double way_behind(const reader *r, uint32_t object, uint32_t of)
{
    double own;
    if (way_is_to_own_wall(r, object, of, &own))
        return own;
    return way_aside(r, object, of, object_beyond(r, object, of));
}

/* Before the other's front, where that is known. */
static double way_opposite(const reader *r, uint32_t object, uint32_t of)
{
    const double reach = 4, cosine = 0.8; /* metres */
    double front[2], way = 0, along = 0;
    if (of >= r->facts->object_count || !builtin_front_of(r->facts, of, front))
        return INFINITY;
    for (int k = 0; k < 2; k++) {
        const double apart =
            object_at(r, object)->centre[k] - object_at(r, of)->centre[k];
        along += apart * front[k];
        way += apart * apart;
    }
    way = sqrt(way);
    return way_if(way < reach && along > cosine * way, way);
}

typedef double way_measure(const reader *r, uint32_t object, uint32_t of);

static way_measure *const measures[] = {
    [REL_ON] = way_on,         [REL_IN] = way_in,
    [REL_OFF] = way_in,        [REL_FROM] = way_from,
    [REL_WITH] = way_with,     [REL_TO] = way_at,
    [REL_AT] = way_at,         [REL_OVER_TO] = way_at,
    [REL_UNDER] = way_under,   [REL_ABOVE] = way_above,
    [REL_OVER] = way_above,    [REL_LEFT] = way_left,
    [REL_RIGHT] = way_right,   [REL_FRONT] = way_before,
    [REL_BEHIND] = way_behind, [REL_AGAINST] = way_against,
    [REL_NEAR] = way_near,     [REL_AROUND] = way_around,
    [REL_AWAY] = way_away,     [REL_FARTHER] = way_away,
    [REL_BESIDE] = way_beside, [REL_ALONG] = way_against,
    [REL_AMONG] = way_near,    [REL_OPPOSITE] = way_opposite};

/* NULL: what stands so nobody knows, as what is "toward the door". */
static way_measure *relation_measure(lexicon_relation relation)
{
    const bool listed = (size_t)relation < COUNT_OF(measures);
    return listed ? measures[relation] : NULL;
}

/* To the nearest of several. */
static double way_to_set(const reader *r,
                         lexicon_relation relation,
                         uint32_t object,
                         const builtin_set *of)
{
    way_measure *measure = relation_measure(relation);
    double least = INFINITY;
    for (uint32_t i = 0; measure && i < of->count; i++) {
        if (of->objects[i] != object)
            least = math_min(measure(r, object, of->objects[i]), least);
    }
    return least;
}

/* ---- phrases ---- */

static const chart_node *where_last(const chart_node *where)
{
    return where->children[where->child_count - 1];
}

static bool relation_leaves(lexicon_relation relation)
{
    return relation == REL_FROM || relation == REL_IN || relation == REL_OFF;
}

static bool object_is_on_level(const reader *r,
                               uint32_t object,
                               uint32_t owner,
                               uint32_t level)
{
    const builtin_object *o = object_at(r, object);
    if (!builtin_is_above(r->facts, object, owner))
        return false;
    return builtin_off_level(r->facts, owner, level, builtin_foot(o)) <= 0;
}

/* "The plates by threes": no things that they could be near to. */
static bool phrase_is_mere_number(const chart_node *what)
{
    return what->child_count == 1 && node_is(what->children[0], "NUMBER");
}

/* REL_BESIDE: no word says which. */
static lexicon_relation relation_said(const chart_node *where)
{
    const chart_node *rel = chart_child(where, "$rel");
    return rel ? (lexicon_relation)rel->value : REL_BESIDE;
}

/* What a relation says a thing is at: found once, and then asked of each
 * candidate. */
static etna_code relation_find(reader *r, where_found *ret)
{
    const chart_node *where = ret->where;
    const chart_node *what = where_last(where);
    if (phrase_is_pronoun(what, PRON_ME) ||
        phrase_is_pronoun(what, PRON_EACH_OTHER))
        return ETNA_OK;
    if (phrase_is_mere_number(what))
        return ETNA_OK;
    if (!relation_measure(relation_said(where)))
        return reader_refuse(
            r, CODE_UNREAD, where,
            "\"%s\": what \"%s\" tells of a thing is not known",
            reader_said(r, where), reader_said(r, chart_child(where, "$rel")));
    uint32_t cost = r->cost;
    etna_code code =
        refer_level(r, what, NULL, &ret->is_level, &ret->owner, &ret->level);
    if (code != ETNA_OK || ret->is_level)
        return code;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    reader_memory memory = r->memory;
    code = refer_things(r, what, &scope, &ret->of);
    r->memory = memory;
    r->cost = cost;
    ret->is_found = code == ETNA_OK;
    return code;
}

static double relation_way(const reader *r,
                           const where_found *found,
                           uint32_t object)
{
    const lexicon_relation relation = relation_said(found->where);
    if (found->is_level)
        return way_if(object_is_on_level(r, object, found->owner, found->level),
                      0);
    if (!found->is_found)
        return INFINITY;
    const double way = way_to_set(r, relation, object, &found->of);
    const bool leaves = !isfinite(way) && relation_leaves(relation);
    return leaves && phrase_means_room(r, where_last(found->where)) ? 0 : way;
}

/* How far the object is from what a phrase of nearness names; INFINITY: the
 * phrase is no such. Memory and cost stay as they were. */
etna_code where_way(reader *r,
                    const chart_node *where,
                    uint32_t object,
                    double *ret_metres)
{
    const uint32_t near =
        BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_AT) | BIT(REL_AGAINST);
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true, .any = true};
    const chart_node *rel =
        node_is(where, "REL") ? chart_child(where, "$rel") : NULL;
    const bool is_near = rel && bit_is_in(rel->value, near);
    builtin_set of = {0};
    *ret_metres = INFINITY;
    if (!is_near || chart_child(where, "DIST"))
        return ETNA_OK;
    const reader_memory memory = r->memory;
    const uint32_t cost = r->cost;
    etna_code code = refer_things(r, where_last(where), &scope, &of);
    r->memory = memory;
    r->cost = cost;
    for (uint32_t i = 0; i < of.count && code == ETNA_OK; i++) {
        if (of.objects[i] < r->facts->object_count && of.objects[i] != object)
            *ret_metres =
                math_min(*ret_metres, object_way(r, object, of.objects[i]));
    }
    return code;
}

/* All sides that are said: "back left" are two. */
static unsigned where_sides(const chart_node *where)
{
    unsigned sides = 0;
    for (uint32_t i = 0; i < where->child_count; i++) {
        if (node_is(where->children[i], "$side"))
            sides |= where->children[i]->value;
    }
    const chart_node *deep = sides ? NULL : chart_find(where, "$side");
    return deep ? deep->value : sides;
}

/* "On the left", "in the back corner": as a rank, for the caller keeps what is
 * nearest. */
static etna_code side_holds(reader *r,
                            const chart_node *where,
                            uint32_t object,
                            double *ret)
{
    static const struct {
        unsigned side;
        int axis; /* of the picture: x from the left, y from the top */
        bool far; /* its far end comes first */
    } sides[] = {{LEXICON_LEFT, 0, false},
                 {LEXICON_RIGHT, 0, true},
                 {LEXICON_BACK, 1, false},
                 {LEXICON_FRONT, 1, true}};
    /* so that "within half a metre of the best" keeps the best alone */
    const double scale = 100;
    const unsigned said = where_sides(where);
    const builtin_object *o = object_at(r, object);
    *ret = 0;
    if (!o->visible)
        return ETNA_OK;
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        double at = 0.5 * (o->image_box[sides[i].axis] +
                           o->image_box[sides[i].axis + 2]);
        if (said & sides[i].side)
            *ret += scale * (sides[i].far ? 1 - at : at);
    }
    return ETNA_OK;
}

static etna_code zone_holds(reader *r,
                            const chart_node *where,
                            uint32_t object,
                            double *ret)
{
    if (!where_zone_is_told(r, where))
        return side_holds(r, where, object, ret);
    return where_zone_holds(r, where, object, where_sides(where), ret);
}

/* Is its middle about as high as the two are? A mirror on the wall behind what
 * stands on a counter is between none of that. */
static bool is_level_with(const builtin_object *o,
                          const builtin_object *a,
                          const builtin_object *b)
{
    const double slack = 0.1; /* metres */
    const double low = math_min(builtin_foot(a), builtin_foot(b));
    const double high = math_max(builtin_top(a), builtin_top(b));
    return o->centre[2] >= low - slack && o->centre[2] <= high + slack;
}

/* INFINITY stays where it does not hold. */
static etna_code between_holds(reader *r,
                               const chart_node *where,
                               uint32_t object,
                               double *ret)
{
    const double reach = 0.6; /* metres from the line between the two */
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    etna_code code = refer_things(r, where_last(where), &scope, &of);
    if (code != ETNA_OK || of.count != 2)
        return code;
    const double *a = object_at(r, of.objects[0])->centre;
    const double *b = object_at(r, of.objects[1])->centre;
    const double *p = object_at(r, object)->centre;
    double dx = b[0] - a[0];
    double dy = b[1] - a[1];
    double length = dx * dx + dy * dy;
    if (!(length > 0))
        return ETNA_OK;
    double t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length;
    double aside =
        fabs((p[0] - a[0]) * -dy + (p[1] - a[1]) * dx) / sqrt(length);
    const bool level =
        is_level_with(object_at(r, object), object_at(r, of.objects[0]),
                      object_at(r, of.objects[1]));
    *ret = way_if(level && t > 0 && t < 1 && aside < reach, aside);
    return ETNA_OK;
}

/* "The lid of the teapot". */
static etna_code owner_holds(reader *r,
                             const chart_node *where,
                             uint32_t object,
                             double *ret)
{
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    etna_code code = refer_things(r, where_last(where), &scope, &of);
    if (code == ETNA_OK)
        *ret = way_to_set(r, REL_TO, object, &of);
    return code;
}

etna_code where_find(reader *r, const chart_node *where, where_found *ret)
{
    while (node_is(where, "EXACT"))
        where = where_last(where);
    *ret = (where_found){.where = where};
    return node_is(where, "REL") ? relation_find(r, ret) : ETNA_OK;
}

/* How well the place holds for the object; INFINITY: it does not. */
etna_code where_found_holds(reader *r,
                            const where_found *found,
                            uint32_t object,
                            double *ret_way)
{
    static const struct {
        const char *node;
        etna_code (*holds)(reader *r,
                           const chart_node *where,
                           uint32_t object,
                           double *ret);
    } places[] = {{"BETWEEN", between_holds},
                  {"ZONE", zone_holds},
                  {"SIDE", side_holds},
                  {"ENDOWN", zone_holds},
                  {"OF", owner_holds}};
    *ret_way = INFINITY;
    if (node_is(found->where, "REL"))
        *ret_way = relation_way(r, found, object);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (node_is(found->where, places[i].node))
            return places[i].holds(r, found->where, object, ret_way);
    }
    return ETNA_OK;
}

etna_code where_holds(reader *r,
                      const chart_node *where,
                      uint32_t object,
                      double *ret_way)
{
    where_found found;
    etna_code code = where_find(r, where, &found);
    *ret_way = INFINITY;
    return code == ETNA_OK ? where_found_holds(r, &found, object, ret_way)
                           : code;
}
