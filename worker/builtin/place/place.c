/* Where there is room. A surface's map of what is free over each cell is read
 * at the height of the thing to be placed, without the thing itself, its load
 * and what would make room; the footprint of its box, turned as the thing is,
 * slides over the map (footprint.h) and stands where all its cells are free; a
 * chamfer transform says how far the next occupied cell is. Places are weighed
 * by taste and the best few that lie apart from each other are handed out. The
 * footprint is grown to whole cells first, so that the solver will find it as
 * free as the map does. Where that has no place, it is laid to the nearest
 * cells: what has a centimetre to spare between two things is squeezed in, and
 * the true shapes will say.
 *
 * Integers and sums in a fixed order only, so that a place is the same on every
 * machine. */
#include "worker/builtin/place/habit.h"
#include "worker/builtin/place/place_internal.h"
#include "worker/builtin/relation.h"
#include "worker/math/footprint.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    SITES_MAX = 20000,
    FAR = 1 << 20
};

typedef struct cells { /* a surface's map, decoded */
    const builtin_surface *surface;
    uint32_t columns, rows;
    footprint_sums sums; /* of free cells */
    /* per cell: a fifth of a cell times the way to the next one that is not
     * free */
    uint32_t *reach;
} cells;

typedef struct site { /* where the thing would be free */
    builtin_spot spot;
    double worth;
} site;

/* Does something that is to stand there take any of the cell (`squeezed`: its
 * middle)? */
static bool is_taken(const builtin_surface *s,
                     const builtin_wish *wish,
                     uint32_t column,
                     uint32_t row,
                     bool squeezed)
{
    const double half = squeezed ? 0 : s->cell / 2;
    const double x = s->origin[0] + (column + 0.5) * s->cell;
    const double y = s->origin[1] + (row + 0.5) * s->cell;
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        const builtin_rect *r = &wish->taken[i];
        bool wide = x - half < r->high[0] && x + half > r->low[0];
        bool deep = y - half < r->high[1] && y + half > r->low[1];
        if (wide && deep)
            return true;
    }
    return false;
}

/* 0 beyond the map: its edge is as good as a wall. */
static uint32_t reach_at(const cells *c, int64_t column, int64_t row)
{
    const bool in_columns = column >= 0 && column < c->columns;
    const bool in_rows = row >= 0 && row < c->rows;
    if (!in_columns || !in_rows)
        return 0;
    return c->reach[(size_t)row * c->columns + (size_t)column];
}

/* By way of a neighbour. */
static void shorten(
    cells *c, uint32_t column, uint32_t row, int dc, int dr, uint32_t way)
{
    uint32_t *own = &c->reach[(size_t)row * c->columns + column];
    uint32_t other = reach_at(c, (int64_t)column + dc, (int64_t)row + dr) + way;
    if (other < *own)
        *own = other;
}

/* Two passes of the 5-7 chamfer. */
static void spread(cells *c)
{
    for (uint32_t j = 0; j < c->rows; j++) {
        for (uint32_t i = 0; i < c->columns; i++) {
            shorten(c, i, j, -1, 0, 5);
            shorten(c, i, j, 0, -1, 5);
            shorten(c, i, j, -1, -1, 7);
            shorten(c, i, j, 1, -1, 7);
        }
    }
    for (uint32_t j = c->rows; j-- > 0;) {
        for (uint32_t i = c->columns; i-- > 0;) {
            shorten(c, i, j, 1, 0, 5);
            shorten(c, i, j, 0, 1, 5);
            shorten(c, i, j, 1, 1, 7);
            shorten(c, i, j, -1, 1, 7);
        }
    }
}

/* What the map tells is rounded down, and as low as anything within the cell:
 * that is room enough to spare. */
static uint32_t clear_for(double height)
{
    const double forgiven = 1e-4; /* metres */
    double centimetres = ceil(100 * (height - forgiven));
    if (!(centimetres < BUILTIN_CLEAR_MOST))
        return BUILTIN_CLEAR_MOST;
    return centimetres < BUILTIN_CLEAR_LEAST ? BUILTIN_CLEAR_LEAST
                                             : (uint32_t)centimetres;
}

/* So thin that what stands half on it is steady. */
static bool is_thin_rug(const builtin_object *o)
{
    const double thin = 0.01, wide = 0.6; /* metres */
    return !o->is_static && 2 * o->half[2] < thin &&
           2 * builtin_half_shorter(o) > wide;
}

/* Would it be away when the thing comes to its place: the thing itself, its
 * load, what makes room with its own load? */
static bool is_away(const builtin_facts *facts,
                    const builtin_wish *wish,
                    uint32_t object)
{
    bool goes =
        object == wish->object || builtin_is_above(facts, object, wish->object);
    for (uint32_t n = 0; n < wish->ignored_count && !goes; n++)
        goes = object == wish->ignored[n] ||
               builtin_is_above(facts, object, wish->ignored[n]);
    return goes || (wish->on_rugs && is_thin_rug(&facts->objects[object]));
}

enum {
    PIT_MOST = 6 /* cells */
};

/* The cells without room that hang together with one of them, up to one more
 * than a pit has; INT32_MAX of them where they reach the map's edge, or what is
 * taken. `bare`: what is free where nothing else stands. */
static uint32_t pit_gather(const cells *c,
                           const uint8_t *bare,
                           const uint8_t *clear,
                           uint32_t first,
                           uint32_t ret[PIT_MOST + 1])
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t count = 0;
    ret[count++] = first;
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t column = ret[at] % c->columns;
        const uint32_t row = ret[at] / c->columns;
        const bool inner_column = column > 0 && column + 1 < c->columns;
        const bool inner_row = row > 0 && row + 1 < c->rows;
        if (!inner_column || !inner_row)
            return INT32_MAX;
        for (int k = 0; k < 4; k++) {
            const uint32_t next = (row + (uint32_t)ways[k][1]) * c->columns +
                                  column + (uint32_t)ways[k][0];
            if (bare[next] && !clear[next])
                return INT32_MAX;
            bool known = bare[next];
            for (uint32_t i = 0; i < count && !known; i++)
                known = ret[i] == next;
            if (known)
                continue;
            if (count == PIT_MOST + 1)
                return count;
            ret[count++] = next;
        }
    }
    return count;
}

/* Buttons and seams of a seat bear nothing, and nothing falls into them: pits of
 * the thing itself that are no larger than a coin or two count as free where all
 * around them is. `bare` as above. */
static void pits_fill(const cells *c, const uint8_t *bare, uint8_t *clear)
{
    const uint32_t count = c->columns * c->rows;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pit[PIT_MOST + 1];
        if (bare[i] || clear[i])
            continue;
        const uint32_t size = pit_gather(c, bare, clear, i, pit);
        for (uint32_t k = 0; size <= PIT_MOST && k < size; k++)
            clear[pit[k]] = 1;
    }
}

/* Fills the pits of a decoded map; `need` as for its cells. False: out of
 * memory. */
static bool decode_pits(const builtin_surface *s,
                        uint32_t need,
                        const cells *c,
                        etna_arena *arena,
                        uint8_t *clear)
{
    const size_t count = (size_t)s->columns * s->rows;
    uint8_t *bare = etna_arena_alloc(arena, count + 1, 1);
    if (!bare)
        return false;
    for (size_t i = 0; i < count; i++)
        bare[i] = s->map.fixed[i] >= need;
    pits_fill(c, bare, clear);
    return true;
}

/* `pad`: cells that the thing's footprint reaches from its middle. */
static bool decode(const builtin_facts *facts,
                   const builtin_surface *s,
                   const builtin_wish *wish,
                   double height,
                   uint32_t pad,
                   bool squeezed,
                   etna_arena *arena,
                   cells *ret)
{
    const uint32_t need = clear_for(height);
    cells c = {.surface = s, .columns = s->columns, .rows = s->rows};
    c.sums = (footprint_sums){.columns = s->columns,
                              .rows = s->rows,
                              .pad = pad,
                              .stride = s->columns + 2 * pad + 1};
    c.sums.sums = etna_arena_alloc(arena, (size_t)c.sums.stride * s->rows,
                                   sizeof *c.sums.sums);
    c.reach =
        etna_arena_alloc(arena, (size_t)s->columns * s->rows, sizeof *c.reach);
    uint8_t *clear =
        etna_arena_alloc(arena, (size_t)s->columns * s->rows + 1, 1);
    bool *away =
        etna_arena_alloc(arena, facts->object_count + 1u, sizeof *away);
    const bool has_cells = c.sums.sums && c.reach;
    if (!has_cells || !clear || !away)
        return false;
    for (uint32_t i = 0; i < s->map.layer_count; i++)
        away[s->map.layers[i].object] =
            is_away(facts, wish, s->map.layers[i].object);
    builtin_map_without(&s->map, s->columns, s->rows, away, clear);
    for (uint32_t j = 0; j < s->rows; j++) {
        for (uint32_t i = 0; i < s->columns; i++) {
            const size_t cell = (size_t)j * s->columns + i;
            clear[cell] =
                clear[cell] >= need && !is_taken(s, wish, i, j, squeezed);
        }
    }
    if (squeezed && !decode_pits(s, need, &c, arena, clear))
        return false;
    for (size_t i = 0; i < (size_t)s->columns * s->rows; i++)
        c.reach[i] = clear[i] ? FAR : 0;
    footprint_add_up(&c.sums, clear);
    spread(&c);
    *ret = c;
    return true;
}

/* ---- the shape ---- */

/* Cells that a side takes: all that it touches, or as many as it is long. */
static double shape_cells(double side, double cell, bool squeezed)
{
    /* a twentieth of a cell over the edge is within NoOverhang's 95 % */
    double count =
        squeezed ? floor(side / cell + 0.5) : ceil(side / cell - 0.05);
    return count < 1 ? 1 : count;
}

typedef struct shape { /* a rectangle to be laid over a map, in cells */
    double half[2];    /* along `way`, and across it */
    double way[2];
    /* where in its cell its middle is; 0.5: in the cell's own */
    double middle[2];
} shape;

/* The rectangle of the thing's box. What stands straight takes whole cells: of
 * an even number of them its middle is on a corner. */
static shape shape_measure(const builtin_object *o, double cell, bool squeezed)
{
    const double askew = 0.03; /* radians */
    shape ret = {.way = {1, 0}, .middle = {0.5, 0.5}};
    double sides[2];
    place_half_sides(o, sides);
    if (math_min(fabs(o->heading[0]), fabs(o->heading[1])) > askew) {
        const double grown =
            squeezed ? 0 : 0.5 * (fabs(o->heading[0]) + fabs(o->heading[1]));
        memcpy(ret.way, o->heading, sizeof ret.way);
        for (int k = 0; k < 2; k++)
            /* a box's half[1] is along its heading */
            ret.half[k] = o->half[1 - k] / cell + grown;
        return ret;
    }
    for (int k = 0; k < 2; k++) {
        const double count = shape_cells(2 * sides[k], cell, squeezed);
        ret.half[k] = count / 2;
        ret.middle[k] = fmod(count, 2) == 0 ? 0 : 0.5;
    }
    return ret;
}

/* `rows`: so many above and below the middle the lists have room for. */
static void shape_lay(const shape *r, int rows, footprint *ret)
{
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    vec2 corner[4];
    for (int k = 0; k < 4; k++) {
        const double along = signs[k][0] * r->half[0];
        const double across = signs[k][1] * r->half[1];
        corner[k].x =
            along * r->way[0] - across * r->way[1] + r->middle[0] - 0.5;
        corner[k].y =
            along * r->way[1] + across * r->way[0] + r->middle[1] - 0.5;
    }
    ret->first = -rows;
    ret->count = 2 * rows + 1;
    footprint_open(ret);
    for (int k = 0; k < 4; k++)
        footprint_add_edge(ret, corner[k], corner[(k + 1) % 4]);
    footprint_close(ret);
}

/* ---- sliding ---- */

typedef struct slide {
    const builtin_facts *facts;
    const builtin_wish *wish;
    const cells *map;
    uint32_t surface;
    shape rectangle;
    footprint covered;
    double radius; /* metres: half the longer side of the rectangle about it */
    bool squeezed;
    double step;
    habit habit;
    hiders hiders;
    site *sites;
    uint32_t count; /* all that are free */
    uint32_t kept;
} slide;

/* How many of the ignored things stand where the thing would. */
static uint32_t blockers_at(const slide *s, const builtin_spot *spot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->wish->ignored_count; i++)
        count += builtin_is_in_the_way(s->facts, s->wish->ignored[i],
                                       s->wish->object, spot->point);
    return count;
}

/* Well within the picture: its edge hides half of what stands there. */
static bool is_in_picture(const double image[2])
{
    for (int k = 0; k < 2; k++) {
        if (image[k] <= 0.02 || image[k] >= 0.98)
            return false;
    }
    return true;
}

/* How well it is near what it is to be by; of a corner also how well it shows
 * there. */
static double site_weigh_relation(const slide *s,
                                  const builtin_spot *spot,
                                  double misfit,
                                  double hidden)
{
    const builtin_move *move = s->wish->move;
    const double steep = move->relation == RELATION_CORNER ? 1.5 : 4;
    double near = s->wish->taste == TASTE_NEAR
                      ? place_apart(spot->point, s->wish->near)
                      : 0;
    if (move->gap < 0)
        near += 0.5 * builtin_gap(s->facts, move, s->wish->object, spot->point);
    return -steep * misfit + 2 * math_min(spot->clear, 0.05) - 0.6 * hidden -
           near;
}

/* The relation's misfit is negative inside of what is meant, and deeper is
 * better. */
static double site_weigh(const slide *s,
                         const builtin_spot *spot,
                         double misfit,
                         double hidden)
{
    const builtin_move *move = s->wish->move;
    double worth =
        place_worth(s->facts, s->wish, s->map->surface, spot, hidden, s->step);
    const bool given_up = worth < -50;
    const bool anywhere =
        !move || move->relation == RELATION_ON || move->relation == RELATION_IN;
    if (!anywhere)
        worth = given_up ? worth - 4 * misfit
                         : site_weigh_relation(s, spot, misfit, hidden);
    if (!given_up)
        worth -= habit_cost(&s->habit, spot->point);
    if (s->wish->ignored_cost > 0)
        worth -= s->wish->ignored_cost * blockers_at(s, spot);
    return worth;
}

/* One place of the slide: it is counted even when it cannot be kept, since the
 * count says how free a surface is. */
static void weigh(slide *s, uint32_t column, uint32_t row)
{
    const builtin_surface *surface = s->map->surface;
    builtin_spot spot = {.surface = s->surface};
    spot.point[0] =
        surface->origin[0] + (column + s->rectangle.middle[0]) * surface->cell;
    spot.point[1] =
        surface->origin[1] + (row + s->rectangle.middle[1]) * surface->cell;
    spot.point[2] = surface->height;
    double depth = 0;
    bool ahead = builtin_project(s->facts, spot.point, spot.image, &depth);
    bool shows = ahead && is_in_picture(spot.image);
    double misfit = s->wish->move ? builtin_misfit(s->facts, s->wish->move,
                                                   s->wish->object, spot.point)
                                  : 0;
    if (misfit > 0)
        return;
    s->count++;
    if (s->kept == SITES_MAX)
        return;
    uint32_t reach = reach_at(s->map, column, row);
    spot.clear = math_max(reach * surface->cell / 5.0 - s->radius, 0);
    spot.squeezed = s->squeezed;
    double hidden = shows ? place_hidden_share(s->facts, s->wish, &s->hiders,
                                               spot.point, depth)
                          : 0.5; /* a small taste */
    spot.hidden = hidden > 0.5;
    const double worth = site_weigh(s, &spot, misfit, hidden);
    s->sites[s->kept++] = (site){spot, worth};
}

/* Every n-th column and row. `counts`: room for a row. */
static void slide_by(slide *s, uint32_t stride, int32_t *counts)
{
    const cells *map = s->map;
    for (uint32_t j = 0; j < map->rows; j += stride) {
        footprint_count_row(&s->covered, &map->sums, j, counts);
        for (uint32_t i = 0; i < map->columns; i += stride) {
            if (counts[i] == s->covered.area)
                weigh(s, i, j);
        }
    }
}

/* All places; of a large map every n-th column and row, and all where none of
 * these will do: along a wall there are few. */
static void slide_over(slide *s, int32_t *counts)
{
    const cells *map = s->map;
    uint32_t stride = 1;
    while ((uint64_t)((map->columns + stride - 1) / stride) *
               ((map->rows + stride - 1) / stride) >
           SITES_MAX)
        stride++;
    slide_by(s, stride, counts);
    if (stride > 1 && s->count == 0 && s->wish->move)
        slide_by(s, 1, counts);
}

/* The best, then the best of those that are `distance` away from all picked:
 * variety rather than a row of neighbours. */
static uint32_t pick(const slide *s, double distance, builtin_spot *ret)
{
    uint32_t count = 0;
    while (count < BUILTIN_SPOTS_MAX) {
        const site *best = NULL;
        for (uint32_t i = 0; i < s->kept; i++) {
            const site *w = &s->sites[i];
            if (best && w->worth <= best->worth)
                continue;
            bool close = false;
            for (uint32_t k = 0; k < count && !close; k++)
                close = place_apart(w->spot.point, ret[k].point) < distance;
            if (!close)
                best = w;
        }
        if (!best)
            break;
        ret[count++] = best->spot;
    }
    return count;
}

/* Of squeezed places the best few: the true shapes may refuse them all. */
enum {
    SQUEEZED_MAX = 2
};

etna_code place_spots_of(const builtin_facts *facts,
                         const builtin_wish *wish,
                         uint32_t index,
                         bool squeezed,
                         etna_arena *arena,
                         builtin_spot *ret,
                         uint32_t *ret_count,
                         uint32_t *ret_room,
                         etna_error *err)
{
    const builtin_surface *surface = &facts->surfaces[index];
    const builtin_object *object = &facts->objects[wish->object];
    cells map;
    slide s = {.facts = facts,
               .wish = wish,
               .map = &map,
               .surface = index,
               .squeezed = squeezed,
               .step = place_new_from(surface)};
    double sides[2];
    s.habit = habit_make(facts, wish);
    place_half_sides(object, sides);
    s.radius = math_max(sides[0], sides[1]);
    s.rectangle = shape_measure(object, surface->cell, squeezed);
    const double reach = sqrt(s.rectangle.half[0] * s.rectangle.half[0] +
                              s.rectangle.half[1] * s.rectangle.half[1]);
    *ret_count = *ret_room = 0;
    if (reach > surface->columns + (double)surface->rows)
        return ETNA_OK; /* larger than it any way round */
    const uint32_t pad = (uint32_t)reach + 2;
    s.sites = etna_arena_alloc(arena, SITES_MAX, sizeof *s.sites);
    s.covered.from =
        etna_arena_alloc(arena, 2 * pad + 1, sizeof *s.covered.from);
    s.covered.to = etna_arena_alloc(arena, 2 * pad + 1, sizeof *s.covered.to);
    int32_t *counts =
        etna_arena_alloc(arena, surface->columns + 1u, sizeof *counts);
    double height =
        builtin_top_with_load(facts, wish->object) - builtin_foot(object);
    bool ok = s.sites && s.covered.from && s.covered.to;
    ok = ok && counts &&
         decode(facts, surface, wish, height, pad, squeezed, arena, &map);
    if (!ok || !place_find_hiders(facts, wish, surface, arena, &s.hiders))
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while looking for a place");
    shape_lay(&s.rectangle, (int)pad, &s.covered);
    if (s.covered.area > 0)
        slide_over(&s, counts);
    *ret_room = s.count;
    *ret_count = pick(
        &s, math_max(2 * surface->cell, 0.75 * (sides[0] + sides[1])), ret);
    if (squeezed && *ret_count > SQUEEZED_MAX)
        *ret_count = SQUEEZED_MAX;
    return ETNA_OK;
}

/* Does anything stand on the reference that would not make room? */
static bool bears_another(const builtin_facts *facts, const builtin_wish *wish)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    for (uint32_t i = 0; i < reference->on_count; i++) {
        bool away = reference->on[i] == wish->object;
        for (uint32_t n = 0; n < wish->ignored_count && !away; n++)
            away = wish->ignored[n] == reference->on[i];
        if (!away)
            return true;
    }
    return false;
}

/* Is the thing too large to stand within the surface, and not so large that it
 * would fall off? On a wide surface only what cannot stand within it at all. */
static bool surface_is_overhung(const builtin_surface *s,
                                const builtin_object *object)
{
    double half[2];
    place_half_sides(object, half);
    const double shorter = 2 * math_min(half[0], half[1]);
    const double longer = 2 * math_max(half[0], half[1]);
    if (s->width < 0.4 * shorter)
        return false; /* a tray on a bottle's neck */
    if (s->width >= 0.5)
        return shorter > s->width;
    return shorter > s->width - 4 * s->cell || longer > s->width;
}

/* Is something else to stand at the point? */
static bool point_is_taken(const builtin_wish *wish, const double point[2])
{
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        const builtin_rect *r = &wish->taken[i];
        const bool across = point[0] > r->low[0] && point[0] < r->high[0];
        if (across && point[1] > r->low[1] && point[1] < r->high[1])
            return true;
    }
    return false;
}

bool place_centre_spot(const builtin_facts *facts,
                       const builtin_wish *wish,
                       uint32_t index,
                       builtin_spot *ret)
{
    const builtin_surface *s = &facts->surfaces[index];
    const builtin_object *reference = &facts->objects[wish->reference];
    double sum[2] = {0, 0};
    if (bears_another(facts, wish) || s->corner_count < 3)
        return false;
    if (!surface_is_overhung(s, &facts->objects[wish->object]))
        return false;
    /* A rim around the surface that the thing is too large to stand within: a
     * lid in a cup. A plate's is low, and plates nest: how deep, the true
     * shapes will say. A seat's back is none. */
    double rim = builtin_top(reference) - s->height;
    double height = 2 * facts->objects[wish->object].half[2];
    if (!builtin_is_seat(reference) && rim > math_max(0.03, 0.25 * height))
        return false;
    for (uint32_t i = 0; i < s->corner_count; i++) {
        sum[0] += s->corners[i][0];
        sum[1] += s->corners[i][1];
    }
    *ret = (builtin_spot){.point = {sum[0] / s->corner_count,
                                    sum[1] / s->corner_count, s->height},
                          .surface = index,
                          .centre_only = true};
    if (point_is_taken(wish, ret->point))
        return false;
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move ||
           builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}

/* From above, along the axes. */
static builtin_rect surface_rect(const builtin_surface *s)
{
    builtin_rect ret = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < s->corner_count; i++) {
        for (int k = 0; k < 2; k++) {
            ret.low[k] = math_min(ret.low[k], s->corners[i][k]);
            ret.high[k] = math_max(ret.high[k], s->corners[i][k]);
        }
    }
    return ret;
}

/* The rectangle that the two surfaces share when the gap between them is closed;
 * false: they are not level, or not side by side. *ret_k: the axis across the
 * seam. */
static bool surfaces_meet(const builtin_surface *a,
                          const builtin_surface *b,
                          builtin_rect *ret,
                          int *ret_k)
{
    const double step = 0.03, gap = 0.1; /* metres */
    const builtin_rect one = surface_rect(a);
    const builtin_rect other = surface_rect(b);
    if (a->object != b->object || b->corner_count < 3 ||
        fabs(a->height - b->height) > step)
        return false;
    for (int k = 0; k < 2; k++) {
        const double apart =
            math_max(other.low[k] - one.high[k], one.low[k] - other.high[k]);
        const double shared = math_min(one.high[1 - k], other.high[1 - k]) -
                              math_max(one.low[1 - k], other.low[1 - k]);
        const double breadth = one.high[1 - k] - one.low[1 - k];
        if (apart < -gap || apart > gap || shared < 0.8 * breadth)
            continue;
        ret->low[k] = math_min(one.low[k], other.low[k]);
        ret->high[k] = math_max(one.high[k], other.high[k]);
        ret->low[1 - k] = math_max(one.low[1 - k], other.low[1 - k]);
        ret->high[1 - k] = math_min(one.high[1 - k], other.high[1 - k]);
        *ret_k = k;
        return true;
    }
    return false;
}

/* Is the thing free of all that stands on the reference and stays there? */
static bool rect_is_free(const builtin_facts *facts,
                         const builtin_wish *wish,
                         const builtin_rect *rect)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    for (uint32_t i = 0; i < reference->on_count; i++) {
        const builtin_rect other =
            builtin_rect_of(&facts->objects[reference->on[i]]);
        if (!is_away(facts, wish, reference->on[i]) &&
            builtin_rects_apart(rect, &other) <= 0)
            return false;
    }
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        if (builtin_rects_apart(rect, &wish->taken[i]) <= 0)
            return false;
    }
    return true;
}

bool place_seam_spot(const builtin_facts *facts,
                     const builtin_wish *wish,
                     uint32_t index,
                     builtin_spot *ret)
{
    const builtin_surface *s = &facts->surfaces[index];
    const builtin_object *o = &facts->objects[wish->object];
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        builtin_rect whole;
        int k = 0;
        if (i == index || !surfaces_meet(s, &facts->surfaces[i], &whole, &k))
            continue;
        const double middle[2] = {0.5 * (whole.low[0] + whole.high[0]),
                                  0.5 * (whole.low[1] + whole.high[1])};
        const builtin_rect own = builtin_footprint(o, middle[0], middle[1], 0);
        const bool fits =
            own.low[0] >= whole.low[0] && own.high[0] <= whole.high[0] &&
            own.low[1] >= whole.low[1] && own.high[1] <= whole.high[1];
        *ret = (builtin_spot){.point = {middle[0], middle[1], s->height},
                              .surface = index,
                              .squeezed = true};
        if (!fits || !rect_is_free(facts, wish, &own))
            continue;
        builtin_project(facts, ret->point, ret->image, NULL);
        if (!wish->move ||
            builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0)
            return true;
    }
    return false;
}

bool place_top_spot(const builtin_facts *facts,
                    const builtin_wish *wish,
                    builtin_spot *ret)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    if (bears_another(facts, wish) || wish->taken_count > 0)
        return false;
    *ret = (builtin_spot){.point = {reference->centre[0], reference->centre[1],
                                    builtin_top(reference)},
                          .surface = BUILTIN_NONE};
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move ||
           builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}
