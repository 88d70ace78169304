/* Hanging. A wall's map of free cells is searched with a window as large as the
 * thing's back, its own cells counted as free; where the move holds (above the
 * sofa, left of the window) places are weighed by what a person would do: above
 * something in its middle and a hand's width over it, beside something at its
 * height, on a bare wall at the height of the eye. Only what is flat and
 * upright is hung, or hangs already: a thing is turned about the vertical only.
 *
 * On a wall, s runs to the right of who looks at it and t up, both in
 * metres. */
#include "worker/builtin/hang.h"
#include "proto/array.h"
#include "worker/builtin/place/exact.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const double touch = 0.02, eye = 1.5, within_reach = 1.0,
                    apart_least = 0.15;
/* How much wider than thick a thing is that hangs, and how thick it may be at
 * most (half). */
static const double flatness = 0.3, thick = 0.12;

/* What is beyond 0. */
static double over(double value)
{
    return value > 0 ? value : 0;
}

/* ---- what is where on a wall ---- */

/* of a box along a wall, and how far before it (negative: behind) */
typedef struct extent {
    double low[2], high[2], near, far;
} extent;

/* The thing's box on the wall: along it, up, and from the wall outward. */
static extent extent_of(const builtin_wall *w, const builtin_object *o)
{
    const double across[2] = {-o->heading[1], o->heading[0]};
    double along_right =
        o->half[0] * fabs(across[0] * w->right[0] + across[1] * w->right[1]) +
        o->half[1] *
            fabs(o->heading[0] * w->right[0] + o->heading[1] * w->right[1]);
    double along_normal =
        o->half[0] * fabs(across[0] * w->normal[0] + across[1] * w->normal[1]) +
        o->half[1] *
            fabs(o->heading[0] * w->normal[0] + o->heading[1] * w->normal[1]);
    double s = o->centre[0] * w->right[0] + o->centre[1] * w->right[1];
    double depth =
        o->centre[0] * w->normal[0] + o->centre[1] * w->normal[1] - w->offset;
    return (extent){{s - along_right, builtin_foot(o)},
                    {s + along_right, builtin_top(o)},
                    depth - along_normal,
                    depth + along_normal};
}

/* Corners go counterclockwise. */
static bool in_hull(const builtin_wall *w, double s, double t)
{
    for (uint32_t i = 0; i < w->corner_count; i++) {
        const double *a = w->corners[i];
        const double *b = w->corners[(i + 1) % w->corner_count];
        if ((b[0] - a[0]) * (t - a[1]) - (b[1] - a[1]) * (s - a[0]) < 0)
            return false;
    }
    return w->corner_count >= 3;
}

/* A thing may be a wall on several sides. */
static bool has_wall(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->wall_count; i++) {
        if (builtin_is_wall_of(facts, i, object))
            return true;
    }
    return false;
}

/* The wall it is attached to, the nearest within `touch`; BUILTIN_NONE:
 * none. */
uint32_t builtin_hangs_on(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    uint32_t best = BUILTIN_NONE;
    double nearest = touch;
    for (uint32_t i = 0; i < facts->wall_count && o->attached; i++) {
        extent e = extent_of(&facts->walls[i], o);
        bool on_it =
            in_hull(&facts->walls[i], (e.low[0] + e.high[0]) / 2, o->centre[2]);
        if (facts->walls[i].object == object || !on_it ||
            fabs(e.near) > nearest)
            continue;
        nearest = fabs(e.near);
        best = i;
    }
    return best;
}

/* ---- what hangs ---- */

/* Is the side with the heading the thin one? */
static bool thin_along(const builtin_object *o)
{
    return o->half[1] <= o->half[0];
}

/* A floor lamp is as thin as a picture, in both ways. */
static bool is_pole(const builtin_object *o)
{
    const double square = 1.5;                   /* times as wide as deep */
    const double high = 0.3, slender = flatness; /* metres; of its height */
    const double wide = builtin_half_longer(o);
    return o->half[2] >= high && wide <= slender * o->half[2] &&
           wide < square * builtin_half_shorter(o);
}

bool builtin_is_flat(const builtin_object *o)
{
    if (is_pole(o))
        return false;
    const double wide = math_max(builtin_half_longer(o), o->half[2]);
    return builtin_half_shorter(o) <= math_min(flatness * wide, thick);
}

/* A coil of hose whose hook the file has not, or that cuts into its wall: nothing
 * bears it, and what is below it is not near. */
static bool hangs_in_air(const builtin_facts *facts, uint32_t object)
{
    const double high = 0.5; /* metres */
    const builtin_object *o = &facts->objects[object];
    bool is_over = false;
    if (!o->hovering || o->by_count > 0)
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double over = builtin_foot(o) - s->height;
        if (s->object == object || over <= -high ||
            !builtin_spans(s, o->centre[0], o->centre[1]))
            continue;
        if (over < high)
            return false;
        is_over = true;
    }
    return is_over;
}

/* NULL: it can be hung. */
const char *builtin_why_not_hung(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    if (o->attached || hangs_in_air(facts, object))
        return NULL;
    if (o->half[2] < flatness * builtin_half_longer(o))
        return "it lies flat, and the built-in agent turns things about the vertical only: it cannot be set upright";
    if (!builtin_is_flat(o))
        return "it is not flat as a picture is, and does not hang yet";
    return NULL;
}

/* Beside, under or between what hangs: what hangs itself hangs there, too. */
static bool relation_is_along(builtin_relation relation)
{
    static const builtin_relation along[] = {
        RELATION_LEFT,  RELATION_RIGHT,   RELATION_BESIDE, RELATION_AGAINST,
        RELATION_UNDER, RELATION_BETWEEN, RELATION_MIDDLE};
    for (size_t i = 0; i < COUNT_OF(along); i++) {
        if (relation == along[i])
            return true;
    }
    return false;
}

/* Is it a wall, high enough for the flat thing to hang on? */
static bool object_can_hang_on(const builtin_facts *facts,
                               uint32_t object,
                               uint32_t on)
{
    if (!has_wall(facts, on) || facts->objects[on].half[2] <= 0.5)
        return false;
    return builtin_why_not_hung(facts, object) == NULL;
}

/* Whether the move hangs the thing up. "Beside the picture" does so for what
 * hangs already. */
bool builtin_is_hung(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object)
{
    if (move->relation == RELATION_AT)
        return move->hung;
    if (move->relation == RELATION_LEVEL)
        return true;
    bool never = move->relation >= RELATION_PLACE;
    /* what hangs already slides along its wall */
    const bool slides =
        facts->objects[object].attached &&
        (move->relation == RELATION_TOWARD || move->relation == RELATION_AWAY);
    if (never || slides)
        return false;
    if (move->hung || move->relation == RELATION_ABOVE)
        return true;
    const uint32_t on =
        move->support != BUILTIN_NONE ? move->support : move->reference;
    if (on >= facts->object_count)
        return false;
    if (move->support != BUILTIN_NONE || move->relation == RELATION_ON)
        return object_can_hang_on(facts, object, on);
    if (!facts->objects[object].attached || !relation_is_along(move->relation))
        return false;
    return has_wall(facts, on) || facts->objects[on].attached ||
           facts->objects[on].is_static;
}

/* ---- where ---- */

/* +1 where the wall's right is the picture's right, too. */
static int hang_way_right(const builtin_facts *facts,
                          const builtin_wall *w,
                          double s,
                          double t)
{
    double image[2][2];
    for (int i = 0; i < 2; i++) {
        double at = s + (i ? 0.1 : -0.1);
        const double point[3] = {at * w->right[0] + w->offset * w->normal[0],
                                 at * w->right[1] + w->offset * w->normal[1],
                                 t};
        if (!builtin_project(facts, point, image[i], NULL))
            return 1;
    }
    return image[1][0] >= image[0][0] ? 1 : -1;
}

/* How far beside, on the wall: to the right for way 1, to the left for -1;
 * negative: they overlap. */
static double gap_beside(const extent *e, double s, double half, int way)
{
    return way > 0 ? s - half - e->high[0] : e->low[0] - s - half;
}

/* Metres beyond what was asked, or beyond what is usual. */
static double off_gap(const builtin_move *move,
                      double gap,
                      double least_gap,
                      double most_gap)
{
    if (move->gap >= 0 && move->bound == BOUND_MOST)
        return over(-gap) + over(gap - move->gap);
    if (move->gap >= 0 && move->bound == BOUND_LEAST)
        return over(move->gap - gap);
    if (move->gap >= 0)
        return over(fabs(gap - move->gap) - 0.03);
    return over(least_gap - gap) + over(gap - most_gap);
}

/* 0: along the wall, 1: up. */
static double middle(const extent *e, int k)
{
    return (e->low[k] + e->high[k]) / 2;
}

/* Along the wall, half way from the reference to the second one. */
static double hang_half_way(const builtin_facts *facts,
                            const builtin_move *move,
                            const builtin_wall *w)
{
    const extent e = extent_of(w, &facts->objects[move->reference]);
    const extent other = extent_of(w, &facts->objects[move->second]);
    return (middle(&e, 0) + middle(&other, 0)) / 2;
}

/* The place along the wall that "exactly above", "exactly under" and "centred
 * between" mean. */
static bool hang_middle_asked(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t wall,
                              double *ret)
{
    const builtin_wall *w = &facts->walls[wall];
    const bool upright =
        move->relation == RELATION_ABOVE || move->relation == RELATION_UNDER;
    const bool between = move->relation == RELATION_BETWEEN &&
                         move->second < facts->object_count;
    if (!move->exact || move->reference >= facts->object_count)
        return false;
    if (!upright && !between)
        return false;
    const extent e = extent_of(w, &facts->objects[move->reference]);
    *ret = between ? hang_half_way(facts, move, w) : middle(&e, 0);
    return true;
}

/* The height of its centre that an alignment asks for ("level with", "as high
 * as the top of"). */
bool builtin_aligned_height(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object,
                            double *ret)
{
    if (move->align == ALIGN_HEIGHT)
        *ret = move->at[2];
    if (move->align == ALIGN_HEIGHT)
        return true;
    if (move->align == ALIGN_NONE || move->reference >= facts->object_count)
        return false;
    const builtin_object *o = &facts->objects[object];
    const builtin_object *ref = &facts->objects[move->reference];
    double sign = move->align == ALIGN_TOP ? 1 : 0;
    if (move->align == ALIGN_BOTTOM)
        sign = -1;
    *ret = ref->centre[2] + sign * (ref->half[2] - o->half[2]);
    return true;
}

static double hang_misfit_of(const builtin_facts *facts,
                             const builtin_move *move,
                             uint32_t object,
                             uint32_t wall,
                             const double at[2]);

/* 0: fits; else how far off, in metres. Conditions that are denied count the
 * other way round. `at`: metres to the right and up on the wall. */
static double builtin_hang_misfit(const builtin_facts *facts,
                                  const builtin_move *move,
                                  uint32_t object,
                                  uint32_t wall,
                                  const double at[2])
{
    double worst = hang_misfit_of(facts, move, object, wall, at);
    double height;
    for (uint32_t i = 0; i < move->also_count; i++) {
        builtin_move part = builtin_condition_move(move, &move->also[i]);
        const double misfit = hang_misfit_of(facts, &part, object, wall, at);
        const double denied = misfit > 0 ? -misfit : 0.1;
        worst = math_max(worst, move->also[i].denied ? denied : misfit);
    }
    if (builtin_aligned_height(facts, move, object, &height))
        worst = math_max(worst, fabs(at[1] - height) - 0.02);
    return worst;
}

/* How far above or under the middle of what is `breadth` wide will do: "above"
 * allows a quarter of it to either side, "exactly above" a hand's tremor. */
static double middle_slack(const builtin_move *move, double breadth)
{
    return move->exact ? 0.02 : math_max(0.25 * breadth, 0.1);
}

/* Off the middle of the wall itself, where that is meant. */
static double hang_off_wall(const builtin_move *move,
                            const builtin_wall *w,
                            const double at[2])
{
    if (move->relation != RELATION_MIDDLE)
        return 0;
    return over(fabs(at[0] - w->origin[0] - w->columns * w->cell / 2) -
                0.1 * w->columns * w->cell);
}

/* Off the middle between the reference and the second one, where "centred" allows
 * a hand's tremor. */
static double hang_off_between(const builtin_facts *facts,
                               const builtin_move *move,
                               const builtin_wall *w,
                               const extent *e,
                               const double at[2])
{
    const double half_way = hang_half_way(facts, move, w);
    const double way = 2 * fabs(half_way - middle(e, 0));
    const double slack = move->exact ? 0.02 : math_max(0.15 * way, 0.05);
    return over(fabs(at[0] - half_way) - slack);
}

/* Is it on the wall that a relation names, as "in the middle of the wall" does?
 * What is to be above or beside a door is not on the door, however much that is
 * a wall in itself. */
static bool wall_is_meant(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t wall)
{
    const double broad = 1.5; /* metres */
    const builtin_wall *w = &facts->walls[wall];
    const builtin_relation relation = move->relation;
    if (move->reference >= facts->object_count)
        return true;
    if (!builtin_is_wall_of(facts, wall, move->reference))
        return false;
    if (relation == RELATION_BESIDE)
        return w->columns * w->cell > broad;
    const bool above = relation == RELATION_ABOVE || relation == RELATION_UNDER;
    return !above && relation != RELATION_LEFT && relation != RELATION_RIGHT;
}

/* One relation to one reference, in the plane of the wall. */
static double hang_misfit_of(const builtin_facts *facts,
                             const builtin_move *move,
                             uint32_t object,
                             uint32_t wall,
                             const double at[2])
{
    const builtin_wall *w = &facts->walls[wall];
    const builtin_object *o = &facts->objects[object];
    if (wall_is_meant(facts, move, wall))
        return hang_off_wall(move, w, at);
    extent e = extent_of(w, &facts->objects[move->reference]);
    double far_off = over(e.near - within_reach);
    double half = builtin_half_longer(o);
    double breadth = e.high[0] - e.low[0];
    double left_gap = gap_beside(&e, at[0], half, -1);
    double right_gap = gap_beside(&e, at[0], half, 1);
    const double off_middle = fabs(at[0] - middle(&e, 0));
    switch (move->relation) {
    case RELATION_ABOVE:
        return far_off + over(off_middle - middle_slack(move, breadth)) +
               off_gap(move, at[1] - o->half[2] - e.high[1], 0.02, 1.5);
    case RELATION_UNDER:
        return far_off + over(off_middle - middle_slack(move, breadth)) +
               off_gap(move, e.low[1] - at[1] - o->half[2], 0.02, 1.5);
    case RELATION_LEFT:
    case RELATION_RIGHT: {
        const int right = hang_way_right(facts, w, middle(&e, 0), at[1]);
        const bool is_right = (right > 0) == (move->relation == RELATION_RIGHT);
        return far_off +
               off_gap(move, is_right ? right_gap : left_gap, 0.01, 1.5);
    }
    case RELATION_BESIDE:
    case RELATION_AGAINST:
        return far_off +
               off_gap(move, math_max(left_gap, right_gap), 0.01, 0.6);
    case RELATION_BETWEEN:
        return move->second >= facts->object_count
                   ? 1
                   : far_off + hang_off_between(facts, move, w, &e, at);
    /* the reference is no wall */
    case RELATION_ON: return move->support == BUILTIN_NONE ? 10 : 0;
    default:
        return far_off + off_gap(move, math_max(left_gap, right_gap), -1, 1);
    }
}

/* May the thing hang on that wall? */
static bool is_meant(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t wall)
{
    if (move->support != BUILTIN_NONE)
        return builtin_is_wall_of(facts, wall, move->support);
    if (move->reference < facts->object_count &&
        (move->relation == RELATION_ON ||
         (has_wall(facts, move->reference) &&
          facts->objects[move->reference].half[2] > 1))) {
        bool beside_it = move->relation != RELATION_ON &&
                         move->relation != RELATION_MIDDLE &&
                         move->relation != RELATION_AGAINST;
        return beside_it || builtin_is_wall_of(facts, wall, move->reference);
    }
    return true;
}

/* Within 2 cm. */
bool builtin_hangs_as_asked(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object)
{
    uint32_t wall = builtin_hangs_on(facts, object);
    if (wall == BUILTIN_NONE || !is_meant(facts, move, wall))
        return false;
    extent e = extent_of(&facts->walls[wall], &facts->objects[object]);
    return builtin_hang_misfit(facts, move, object, wall,
                               (double[2]){middle(&e, 0), middle(&e, 1)}) <=
           0.02;
}

/* ---- free places ---- */

typedef struct board { /* a wall's map while it is searched */
    const builtin_wall *wall;
    uint32_t index;
    uint32_t *sums; /* (columns + 1) x (rows + 1): free cells below and left */
} board;

/* Is it the other, or does it go along with that? */
static bool thing_goes_with(const builtin_facts *facts,
                            uint32_t thing,
                            uint32_t other)
{
    return other != BUILTIN_NONE &&
           (thing == other || builtin_is_above(facts, thing, other));
}

/* Free cells of the wall as running sums, so that a rectangle's are counted by
 * four look-ups. False: out of memory. */
static bool fill_board(const builtin_facts *facts,
                       uint32_t wall,
                       const builtin_hanging *asked,
                       etna_arena *arena,
                       board *ret)
{
    const builtin_wall *w = &facts->walls[wall];
    size_t line = w->columns + 1u;
    *ret = (board){.wall = w,
                   .index = wall,
                   .sums = etna_arena_alloc(arena, line * (w->rows + 1u),
                                            sizeof(uint32_t))};
    uint8_t *clear =
        etna_arena_alloc(arena, (size_t)w->columns * w->rows + 1, 1);
    bool *away =
        etna_arena_alloc(arena, facts->object_count + 1u, sizeof *away);
    if (!ret->sums || !clear || !away)
        return false;
    for (uint32_t i = 0; i < w->map.layer_count; i++) {
        /* itself and what goes along are not in its way */
        const uint32_t thing = w->map.layers[i].object;
        away[thing] = thing_goes_with(facts, thing, asked->object) ||
                      thing_goes_with(facts, thing, asked->without);
    }
    builtin_map_without(&w->map, w->columns, w->rows, away, clear);
    for (uint32_t j = 0; j < w->rows; j++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < w->columns; i++) {
            count += clear[(size_t)j * w->columns + i] >= BUILTIN_CLEAR_WALL;
            ret->sums[(j + 1) * line + i + 1] =
                ret->sums[j * line + i + 1] + count;
        }
    }
    return true;
}

/* By sums over rectangles, so that a window costs four reads. */
static bool all_free(const board *b,
                     uint32_t column,
                     uint32_t row,
                     uint32_t width,
                     uint32_t height)
{
    size_t line = b->wall->columns + 1u;
    const uint32_t *low = b->sums + row * line + column;
    const uint32_t *high = low + height * line;
    return high[width] - high[0] - low[width] + low[0] == width * height;
}

/* How high what is to hang above the reference begins: over what stands on
 * that, too, where no gap is said. */
static double above_least(const builtin_facts *facts,
                          const builtin_move *move,
                          double gap)
{
    const builtin_object *ref = &facts->objects[move->reference];
    const bool said = move->gap >= 0;
    return gap + (said ? builtin_top(ref)
                       : builtin_top_with_load(facts, move->reference));
}

/* Where along the wall it hangs now; false: it does not hang on that wall. */
static bool hangs_along(const builtin_facts *facts,
                        const builtin_wall *w,
                        uint32_t object,
                        double *ret)
{
    const builtin_object *o = &facts->objects[object];
    if (!o->attached || builtin_hangs_on(facts, object) != w->object)
        return false;
    *ret = o->centre[0] * w->right[0] + o->centre[1] * w->right[1];
    return true;
}

/* What a person would rather: the less the better. */
static double cost_of(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const board *b,
                      const double at[2])
{
    const builtin_wall *w = b->wall;
    const builtin_object *o = &facts->objects[object];
    double height = o->attached ? o->centre[2] : w->origin[1] + eye;
    double centre = w->origin[0] + w->columns * w->cell / 2;
    bool other =
        move->reference < facts->object_count && move->reference != w->object;
    if (!other) {
        /* what hangs there already goes no further than it must */
        (void)hangs_along(facts, w, object, &centre);
        return fabs(at[1] - height) + 0.3 * fabs(at[0] - centre);
    }
    extent e = extent_of(w, &facts->objects[move->reference]);
    double gap = move->gap >= 0 ? move->gap : 0.2;
    double depth = over(e.near);
    if (e.low[1] > w->origin[1] + 0.5)
        height = middle(&e, 1);
    double beside = math_max(gap_beside(&e, at[0], builtin_half_longer(o), -1),
                             gap_beside(&e, at[0], builtin_half_longer(o), 1));
    switch (move->relation) {
    case RELATION_ABOVE:
        return depth + 2 * fabs(at[0] - middle(&e, 0)) +
               fabs(at[1] - o->half[2] - above_least(facts, move, gap));
    case RELATION_UNDER:
        return depth + 2 * fabs(at[0] - middle(&e, 0)) +
               fabs(e.low[1] - at[1] - o->half[2] - gap);
    case RELATION_BETWEEN:
        return depth + fabs(at[0] - hang_half_way(facts, move, w)) +
               fabs(at[1] - height);
    default: return depth + fabs(beside - gap) + fabs(at[1] - height);
    }
}

/* By picture boxes and depths of their middles: rough, as only the taste of a
 * place depends on it. */
static bool is_hidden(const builtin_facts *facts,
                      uint32_t object,
                      const double image[2],
                      double depth)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        double middle_image[2], other;
        if (i == object || !o->visible || o->is_static)
            continue;
        const vec2 low = {o->image_box[0], o->image_box[1]};
        const vec2 high = {o->image_box[2], o->image_box[3]};
        if (!v2_within((vec2){image[0], image[1]}, low, high))
            continue;
        if (builtin_project(facts, o->centre, middle_image, &other) &&
            other < depth)
            return true;
    }
    return false;
}

/* A hook and what it costs; the list is kept in order. */
typedef struct ranked {
    builtin_hook hook;
    double cost;
} ranked;

/* Metres. */
static double way_between(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Too near to be another try. */
static bool ranked_are_near(const ranked *a, const ranked *b)
{
    return way_between(a->hook.point, b->hook.point) < apart_least;
}

/* Drops what is worse than `next` and near it. Returns how many are left. */
static uint32_t ranked_drop_worse(ranked *list,
                                  uint32_t count,
                                  const ranked *next)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].cost > next->cost && ranked_are_near(&list[i], next))
            continue;
        list[kept++] = list[i];
    }
    return kept;
}

/* Keeps the list ascending by cost and its places apart from each other. */
static void offer(ranked *list, uint32_t *count, const ranked *next)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (list[i].cost <= next->cost && ranked_are_near(&list[i], next))
            return;
    }
    uint32_t kept = ranked_drop_worse(list, *count, next);
    if (kept == BUILTIN_SPOTS_MAX && list[kept - 1].cost <= next->cost) {
        *count = kept;
        return;
    }
    if (kept == BUILTIN_SPOTS_MAX)
        kept--;
    uint32_t at = kept++;
    for (; at > 0 && list[at - 1].cost > next->cost; at--)
        list[at] = list[at - 1];
    list[at] = *next;
    *count = kept;
}

typedef struct hanging { /* what is asked of a place */
    const builtin_facts *facts;
    const builtin_hanging *asked;
} hanging;

static bool hang_is_in_picture(const double image[2])
{
    const double rim = 0.01; /* of the picture */
    const double low = math_min(image[0], image[1]);
    const double high = math_max(image[0], image[1]);
    return low >= rim && high <= 1 - rim;
}

/* One place of the board into the list. Given-up places come after all others,
 * the farther the better. */
static void hang_weigh(const hanging *h,
                       const board *b,
                       const double at[2],
                       ranked *list,
                       uint32_t *count)
{
    const builtin_wall *w = b->wall;
    if (builtin_hang_misfit(h->facts, h->asked->move, h->asked->object,
                            b->index, at) > 0)
        return;
    double out =
        w->offset + builtin_half_shorter(&h->facts->objects[h->asked->object]);
    double depth;
    ranked next = {
        .hook = {.wall = b->index,
                 .at = {at[0], at[1]},
                 .point = {at[0] * w->right[0] + out * w->normal[0],
                           at[0] * w->right[1] + out * w->normal[1], at[1]}}};
    double *image = next.hook.image;
    bool shows = builtin_project(h->facts, next.hook.point, image, &depth) &&
                 hang_is_in_picture(image);
    next.cost = cost_of(h->facts, h->asked->move, h->asked->object, b, at) +
                (shows ? 0 : 0.3); /* rather where it is seen */
    if (*count == BUILTIN_SPOTS_MAX && next.cost > list[*count - 1].cost)
        return; /* what follows only adds */
    if (shows && is_hidden(h->facts, h->asked->object, image, depth))
        next.cost += 0.3;
    for (uint32_t i = 0; i < h->asked->avoid_count; i++) {
        double way = way_between(h->asked->avoid[i], next.hook.point);
        if (way < 0.3)
            next.cost += 10 - way;
    }
    offer(list, count, &next);
}

/* Weighs every place of the board that has `width` x `height` free cells. */
static void hang_try_cells(const hanging *h,
                           const board *b,
                           double width,
                           double height,
                           ranked *list,
                           uint32_t *count)
{
    const builtin_wall *w = b->wall;
    double aligned = 0, middle_at = 0;
    const bool level = builtin_aligned_height(h->facts, h->asked->move,
                                              h->asked->object, &aligned);
    const bool centred =
        hang_middle_asked(h->facts, h->asked->move, b->index, &middle_at);
    for (uint32_t row = 0; row + (uint32_t)height <= w->rows; row++) {
        for (uint32_t column = 0; column + (uint32_t)width <= w->columns;
             column++) {
            double at[2] = {w->origin[0] + (column + width / 2) * w->cell,
                            w->origin[1] + (row + height / 2) * w->cell};
            if (level && fabs(at[1] - aligned) <= w->cell)
                at[1] = aligned;
            if (centred && fabs(at[0] - middle_at) <= w->cell)
                at[0] = middle_at;
            if (all_free(b, column, row, (uint32_t)width, (uint32_t)height))
                hang_weigh(h, b, at, list, count);
        }
    }
}

/* At most BUILTIN_SPOTS_MAX, the best first. Every cell of every wall that is
 * meant is tried; two cells are to spare in width and height. */
etna_code builtin_hooks(const builtin_facts *facts,
                        const builtin_hanging *asked,
                        etna_arena *arena,
                        builtin_hook *ret,
                        uint32_t *ret_count,
                        etna_error *err)
{
    const builtin_object *o = &facts->objects[asked->object];
    const hanging h = {.facts = facts, .asked = asked};
    ranked list[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->wall_count; i++) {
        const builtin_wall *w = &facts->walls[i];
        if (!is_meant(facts, asked->move, i) || w->object == asked->object)
            continue;
        double width = ceil(2 * builtin_half_longer(o) / w->cell) + 1;
        double height = ceil(2 * o->half[2] / w->cell) + 1;
        board b;
        if (width > w->columns || height > w->rows)
            continue;
        if (!fill_board(facts, i, asked, arena, &b))
            return etna_fail(
                err, ETNA_E_NOMEM,
                "out of memory while looking for a place on a wall");
        hang_try_cells(&h, &b, width, height, list, &count);
    }
    for (uint32_t i = 0; i < count; i++)
        ret[i] = list[i].hook;
    *ret_count = count;
    return ETNA_OK;
}

/* Its back to the wall: by how it hung before, else by its thin side. */
double builtin_hang_yaw(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t wall)
{
    const builtin_object *o = &facts->objects[object];
    const double *normal = facts->walls[wall].normal;
    uint32_t own = builtin_hangs_on(facts, object);
    if (own != BUILTIN_NONE)
        return o->yaw_deg +
               builtin_turn_between(facts->walls[own].normal, normal);
    if (thin_along(o))
        return builtin_yaw_toward(o, normal);
    const double across[2] = {-o->heading[1], o->heading[0]};
    const double other[2] = {o->heading[1], -o->heading[0]};
    bool nearer = across[0] * normal[0] + across[1] * normal[1] >= 0;
    return o->yaw_deg + builtin_turn_between(nearer ? across : other, normal);
}

/* ---- the executor's part ---- */

/* For JSON; NULL: out of memory. */
static const char *quoted(builtin_talk *talk, const char *name)
{
    json_t *value = json_string(name);
    const char *text = text_json(talk->arena, value, JSON_COMPACT);
    json_decref(value);
    return text;
}

/* How the thing is to be turned: its back or front to the wall, by what touches
 * it now; a thin side by a turn that brings it there. */
static const char *turn_words(builtin_talk *talk,
                              const builtin_wall *w,
                              const builtin_object *o,
                              const builtin_wall *hangs_on,
                              const char *plane)
{
    if (!thin_along(o)) {
        static const int degrees[4] = {0, 90, 180, 270};
        const double across[4][2] = {{-o->heading[1], o->heading[0]},
                                     {-o->heading[0], -o->heading[1]},
                                     {o->heading[1], -o->heading[0]},
                                     {o->heading[0], o->heading[1]}};
        int best = 0;
        double along = -1;
        for (int i = 0; i < 4; i++) {
            double c =
                fabs(across[i][0] * w->normal[0] + across[i][1] * w->normal[1]);
            if (c <= along + 1e-9)
                continue;
            along = c;
            best = i;
        }
        return etna_arena_printf(talk->arena, ",\n[\"Rotate\", %d]",
                                 degrees[best]);
    }
    bool front = hangs_on && o->heading[0] * hangs_on->normal[0] +
                                     o->heading[1] * hangs_on->normal[1] <
                                 -0.7;
    return etna_arena_printf(talk->arena, ",\n[\"%s\", %s]",
                             front ? "BackTo" : "FaceTo", plane);
}

/* The hook that is nearest to a pixel, across and along together. */
static uint32_t hook_nearest(const builtin_hook *hooks,
                             uint32_t count,
                             const double pixel[2])
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < count; i++) {
        double a = fabs(hooks[i].image[0] - pixel[0]) +
                   fabs(hooks[i].image[1] - pixel[1]);
        double b = fabs(hooks[nearest].image[0] - pixel[0]) +
                   fabs(hooks[nearest].image[1] - pixel[1]);
        if (a < b)
            nearest = i;
    }
    return nearest;
}

/* Constraints for the solver in the words of a model's answer. After a refusal
 * the next hook is taken. */
etna_code builtin_hang_constrain(builtin_talk *talk,
                                 const builtin_move *move,
                                 uint32_t object,
                                 const double coordinate[2],
                                 model_reply *ret,
                                 etna_error *err)
{
    const builtin_facts *facts = &talk->facts;
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    uint32_t own = builtin_hangs_on(facts, object);
    const double(*avoid)[3] = NULL;
    uint32_t avoid_count = 0;
    etna_code code =
        builtin_given_up(talk, "avoid", object, &avoid, &avoid_count, err);
    const builtin_hanging asked = {.move = move,
                                   .object = object,
                                   .avoid = avoid,
                                   .avoid_count = avoid_count,
                                   .without = BUILTIN_NONE};
    if (code == ETNA_OK)
        code = builtin_hooks(facts, &asked, talk->arena, hooks, &count, err);
    if (code != ETNA_OK)
        return code;
    if (count == 0)
        return builtin_say(
            talk, ret, err,
            "There is no free place on a wall where it can hang as asked.");
    const uint32_t nearest = hook_nearest(hooks, count, coordinate);
    /* after a refusal another place */
    const builtin_hook *hook = &hooks[(nearest + talk->refusals) % count];
    const builtin_wall *w = &facts->walls[hook->wall];
    const char *plane = quoted(talk, w->plane);
    const char *name = quoted(talk, facts->objects[object].name);
    const char *turn =
        plane
            ? turn_words(talk, w, &facts->objects[object],
                         own == BUILTIN_NONE ? NULL : &facts->walls[own], plane)
            : NULL;
    if (!plane || !name || !turn)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while executing");
    return builtin_say(
        talk, ret, err,
        "It hangs on %s.\n\n[constraints]\n[\"ObjectName\", %s],\n[\"CloseToPix\", \"center\", [%.4f, %.4f]],\n[\"Contact\", \"side\", "
        "%s]%s\n[end of constraints]\n<completion>\n",
        plane, name, hook->image[0], hook->image[1], plane, turn);
}
