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
#include "worker/builtin/place/exact.h"
#include "worker/builtin/place/habit.h"
#include "worker/math/footprint.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    SITES_MAX = 20000,
    FAR = 1 << 20,
    CLEAR_TALL = 160 /* centimetres: open above */
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

/* Half sides of the world-axis rectangle around the box's footprint. */
static void half_sides(const builtin_object *object, double ret[2])
{
    double hx = fabs(object->heading[0]), hy = fabs(object->heading[1]);
    ret[0] = hy * object->half[0] + hx * object->half[1];
    ret[1] = hx * object->half[0] + hy * object->half[1];
}

/* 0: they overlap. */
double builtin_rects_apart(const builtin_rect *a, const builtin_rect *b)
{
    double x = math_max(
               math_max(a->low[0] - b->high[0], b->low[0] - a->high[0]), 0),
           y = math_max(
               math_max(a->low[1] - b->high[1], b->low[1] - a->high[1]), 0);
    return sqrt(x * x + y * y);
}

/* Large and static: what rooms stand on. */
bool builtin_is_ground(const builtin_object *object)
{
    const double wide = 1; /* metres of half a side */
    return object->is_static && object->half[0] > wide &&
           object->half[1] > wide;
}

/* Along the axes, `margin` wider on every side. */
builtin_rect builtin_footprint(const builtin_object *object,
                               double x,
                               double y,
                               double margin)
{
    double half[2];
    half_sides(object, half);
    return (builtin_rect){{x - half[0] - margin, y - half[1] - margin},
                          {x + half[0] + margin, y + half[1] + margin}};
}

/* Of the thing and all it carries. */
double builtin_top_with_load(const builtin_facts *facts, uint32_t object)
{
    double top =
        facts->objects[object].centre[2] + facts->objects[object].half[2];
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const bool is_carried = !o->is_static && o->by_count > 0;
        if (i != object && is_carried && builtin_is_above(facts, i, object))
            top = math_max(top, o->centre[2] + o->half[2]);
    }
    return top;
}

/* Touching is no overlap. */
bool builtin_rects_meet(const builtin_rect *a, const builtin_rect *b)
{
    for (int k = 0; k < 2; k++) {
        if (a->low[k] >= b->high[k] || a->high[k] <= b->low[k])
            return false;
    }
    return true;
}

double builtin_layer_clear(const builtin_surface *s,
                           uint32_t object,
                           double x,
                           double y)
{
    double column = floor((x - s->origin[0]) / s->cell);
    double line = floor((y - s->origin[1]) / s->cell);
    for (uint32_t i = 0; i < s->map.layer_count; i++) {
        const builtin_layer *l = &s->map.layers[i];
        double u = column - l->column;
        double v = line - l->row;
        const bool across = u >= 0 && u < l->columns,
                   along = v >= 0 && v < l->rows;
        if (l->object == object && across && along)
            return 0.01 * l->clear[(size_t)v * l->columns + (size_t)u];
    }
    return INFINITY;
}

/* Does a thing leave so much room over the surface within the rectangle? */
static bool layer_leaves(const builtin_surface *s,
                         uint32_t object,
                         const builtin_rect *r,
                         double height)
{
    const double most = 0.01 * BUILTIN_CLEAR_MOST;
    height = math_min(height, most);
    for (double x = r->low[0]; x < r->high[0] + s->cell; x += s->cell) {
        for (double y = r->low[1]; y < r->high[1] + s->cell; y += s->cell) {
            if (builtin_layer_clear(s, object, x, y) < height)
                return false;
        }
    }
    return true;
}

bool builtin_is_beneath_there(const builtin_facts *facts,
                              uint32_t object,
                              const builtin_rect *r,
                              double bottom,
                              double height)
{
    const double level = 0.02, lower = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    if (o->centre[2] - o->half[2] > bottom - lower)
        return false;
    const double x = (r->low[0] + r->high[0]) / 2;
    const double y = (r->low[1] + r->high[1]) / 2;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const bool is_there = s->object != object && s->cell > 0 &&
                              fabs(s->height - bottom) < level;
        if (is_there && builtin_spans(s, x, y))
            return layer_leaves(s, object, r, height);
    }
    return false;
}

/* By boxes, but for what stands lower: of a chair that is pushed in, the box
 * reaches over the table and the back does not. */
bool builtin_is_in_the_way(const builtin_facts *facts,
                           uint32_t other,
                           uint32_t object,
                           const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *b = &facts->objects[other];
    if (other == object || b->centre[2] + b->half[2] < at[2] + 0.005 ||
        b->centre[2] - b->half[2] > at[2] + 2 * o->half[2])
        return false;
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0),
                 its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    if (!builtin_rects_meet(&own, &its))
        return false;
    return !builtin_is_beneath_there(facts, other, &own, at[2], 2 * o->half[2]);
}

/* Within [0, count]. */
static uint32_t cell_at(double metres, double cell, uint32_t count)
{
    double index = floor(metres / cell);
    if (!(index > 0))
        return 0;
    return index < count ? (uint32_t)index : count;
}

/* Some cell within the rectangle is free. */
bool builtin_is_free_near(const builtin_surface *s, const builtin_rect *rect)
{
    uint32_t first[2], end[2];
    const uint32_t count[2] = {s->columns, s->rows};
    for (int k = 0; k < 2; k++) {
        first[k] = cell_at(rect->low[k] - s->origin[k], s->cell, count[k]);
        end[k] = cell_at(rect->high[k] - s->origin[k], s->cell, count[k]);
    }
    for (uint32_t row = first[1]; row < end[1]; row++) {
        for (uint32_t column = first[0]; column < end[0]; column++) {
            if (builtin_is_clear(s, column, row, BUILTIN_CLEAR_LEAST))
                return true;
        }
    }
    return false;
}

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
    return goes;
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
            c.reach[cell] = clear[cell] ? FAR : 0;
        }
    }
    footprint_add_up(&c.sums, clear);
    spread(&c);
    *ret = c;
    return true;
}

/* ---- weighing ---- */

/* a thing that may stand between the camera and a surface */
typedef struct hider {
    const double *box; /* in the image */
    double depth;      /* of its middle */
} hider;

/* Things that may stand before a surface in the picture. */
typedef struct hiders {
    hider *list;
    uint32_t count;
} hiders;

/* The surface's corners in the image; the whole image when one is behind the
 * camera. */
static void image_bounds(const builtin_facts *facts,
                         const builtin_surface *s,
                         double low[2],
                         double high[2])
{
    low[0] = low[1] = 1;
    high[0] = high[1] = 0;
    for (int i = 0; i < 4; i++) {
        const double corner[3] = {
            s->origin[0] + (i % 2 ? s->columns * s->cell : 0),
            s->origin[1] + (i / 2 ? s->rows * s->cell : 0), s->height};
        double image[2];
        if (!builtin_project(facts, corner, image, NULL)) {
            low[0] = low[1] = 0;
            high[0] = high[1] = 1;
            return;
        }
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], image[k]);
            high[k] = math_max(high[k], image[k]);
        }
    }
}

/* Movable things whose picture box meets the surface's: only these can hide a
 * place on it. */
static bool find_hiders(const builtin_facts *facts,
                        const builtin_wish *wish,
                        const builtin_surface *s,
                        etna_arena *arena,
                        hiders *ret)
{
    double low[2], high[2];
    image_bounds(facts, s, low, high);
    ret->list =
        etna_arena_alloc(arena, facts->object_count + 1u, sizeof *ret->list);
    ret->count = 0;
    for (uint32_t i = 0; ret->list && i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const bool is_spoken_of = i == wish->object || i == wish->reference;
        const bool across =
            o->image_box[2] >= low[0] && o->image_box[0] <= high[0];
        const bool along =
            o->image_box[3] >= low[1] && o->image_box[1] <= high[1];
        if (!o->visible || o->is_static || is_spoken_of)
            continue;
        if (!across || !along)
            continue;
        double image[2], depth;
        if (builtin_project(facts, o->centre, image, &depth))
            ret->list[ret->count++] = (hider){o->image_box, depth};
    }
    return ret->list != NULL;
}

/* Around the thing's box in the image where it would stand; false when part of
 * it is behind the camera. */
static bool image_of(const builtin_facts *facts,
                     const builtin_wish *wish,
                     const double at[3],
                     double low[2],
                     double high[2])
{
    double half[2], image[2];
    half_sides(&facts->objects[wish->object], half);
    low[0] = low[1] = 1e9;
    high[0] = high[1] = -1e9;
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {
            at[0] + (i & 1 ? half[0] : -half[0]),
            at[1] + (i & 2 ? half[1] : -half[1]),
            at[2] + (i & 4 ? 2 * facts->objects[wish->object].half[2] : 0)};
        if (!builtin_project(facts, corner, image, NULL))
            return false;
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], image[k]);
            high[k] = math_max(high[k], image[k]);
        }
    }
    return true;
}

/* The share of the thing that others which stand nearer to the camera would
 * hide. By image boxes, so rough: a taste, not a rule. */
static double hidden_share(const builtin_facts *facts,
                           const builtin_wish *wish,
                           const hiders *things,
                           const double at[3],
                           double depth)
{
    double low[2], high[2], share = 0;
    if (!image_of(facts, wish, at, low, high))
        return 0;
    double area = math_max((high[0] - low[0]) * (high[1] - low[1]), 1e-12);
    for (uint32_t i = 0; i < things->count; i++) {
        const hider *h = &things->list[i];
        double x = math_min(high[0], h->box[2]) - math_max(low[0], h->box[0]),
               y = math_min(high[1], h->box[3]) - math_max(low[1], h->box[1]);
        if (h->depth < depth && x > 0 && y > 0)
            share += x * y / area;
    }
    return math_min(share, 1);
}

/* Half the surface's diagonal, at most half a metre: how far from a given-up
 * place another one counts as new. */
static double new_from(const builtin_surface *s)
{
    double x = s->columns * s->cell, y = s->rows * s->cell;
    return math_min(0.5, 0.5 * sqrt(x * x + y * y));
}

/* Metres. */
static double apart(const double a[2], const double b[2])
{
    double dx = a[0] - b[0], dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

/* Metres from the spot to the nearest given-up place at its height; large when
 * there is none. */
static double from_given_up(const builtin_facts *facts,
                            const builtin_wish *wish,
                            const builtin_spot *spot)
{
    double nearest = 1e9;
    for (uint32_t i = 0; i < wish->avoid_count; i++) {
        double bottom =
            wish->avoid[i][2] - facts->objects[wish->object].half[2];
        if (fabs(bottom - spot->point[2]) < 0.1)
            nearest = math_min(nearest, apart(wish->avoid[i], spot->point));
    }
    return nearest;
}

/* Higher is better, in metres or so: room around a place, nearness to the
 * middle or to a point, and that it is seen. A given-up place loses 100, so
 * that it comes after all others. */
static double worth_of(const builtin_facts *facts,
                       const builtin_wish *wish,
                       const builtin_surface *s,
                       const builtin_spot *spot,
                       double hidden,
                       double step)
{
    const double middle[2] = {s->origin[0] + s->columns * s->cell / 2,
                              s->origin[1] + s->rows * s->cell / 2};
    double diagonal = s->cell * sqrt((double)s->columns * s->columns +
                                     (double)s->rows * s->rows);
    double central = apart(spot->point, middle) / math_max(diagonal, 1e-6),
           worth = 0;
    switch (wish->taste) {
    case TASTE_TIGHT: worth = -math_min(spot->clear, 2) + 0.1 * central; break;
    case TASTE_NEAR:
        worth = math_min(spot->clear, 0.1) * 5 - apart(spot->point, wish->near);
        break;
    default: worth = math_min(spot->clear, 0.2) * 5 - central; break;
    }
    worth -= 0.25 * hidden;
    double given_up = from_given_up(facts, wish, spot);
    if (given_up <= step)
        worth -= 100 - given_up;
    return worth;
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
    half_sides(o, sides);
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
    double near =
        s->wish->taste == TASTE_NEAR ? apart(spot->point, s->wish->near) : 0;
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
        worth_of(s->facts, s->wish, s->map->surface, spot, hidden, s->step);
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
    double hidden =
        shows ? hidden_share(s->facts, s->wish, &s->hiders, spot.point, depth)
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
                close = apart(w->spot.point, ret[k].point) < distance;
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

/* The spots of one surface; *ret_room: at how many places there is room. */
static etna_code spots_of(const builtin_facts *facts,
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
               .step = new_from(surface)};
    double sides[2];
    s.habit = habit_make(facts, wish);
    half_sides(object, sides);
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
    double height = builtin_top_with_load(facts, wish->object) -
                    (object->centre[2] - object->half[2]);
    bool ok = s.sites && s.covered.from && s.covered.to;
    ok = ok && counts &&
         decode(facts, surface, wish, height, pad, squeezed, arena, &map);
    if (!ok || !find_hiders(facts, wish, surface, arena, &s.hiders))
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

/* A thing larger than what it is to stand on: over the middle, when nothing is
 * there. */
static bool centre_spot(const builtin_facts *facts,
                        const builtin_wish *wish,
                        uint32_t index,
                        builtin_spot *ret)
{
    const builtin_surface *s = &facts->surfaces[index];
    const builtin_object *reference = &facts->objects[wish->reference];
    double half[2], sum[2] = {0, 0};
    half_sides(&facts->objects[wish->object], half);
    bool too_large = 2 * math_min(half[0], half[1]) > s->width - 4 * s->cell ||
                     2 * math_max(half[0], half[1]) > s->width;
    if (bears_another(facts, wish))
        return false;
    bool far_too_large = 2 * math_min(half[0], half[1]) >
                         /* on a wide surface only what cannot stand within it
                          * at all */
                         s->width;
    const bool is_wide = s->width >= 0.5 && !far_too_large;
    if (!too_large || is_wide || s->corner_count < 3)
        return false;
    if (s->width < 0.4 * 2 * math_min(half[0], half[1]))
        return false; /* a tray on a bottle's neck */
    /* A rim around the surface that the thing is too large to stand within: a
     * lid in a cup. A plate's is low, and plates nest: how deep, the true
     * shapes will say. A seat's back is none. */
    double rim = reference->centre[2] + reference->half[2] - s->height,
           height = 2 * facts->objects[wish->object].half[2];
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
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        const builtin_rect *r = &wish->taken[i];
        const bool across =
            ret->point[0] > r->low[0] && ret->point[0] < r->high[0];
        if (across && ret->point[1] > r->low[1] && ret->point[1] < r->high[1])
            return false;
    }
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move ||
           builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}

/* A thing whose top is no flat surface: the top of its box, and the tools will
 * say what it is worth. */
static bool top_spot(const builtin_facts *facts,
                     const builtin_wish *wish,
                     builtin_spot *ret)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    if (bears_another(facts, wish) || wish->taken_count > 0)
        return false;
    *ret = (builtin_spot){.point = {reference->centre[0], reference->centre[1],
                                    reference->centre[2] + reference->half[2]},
                          .surface = BUILTIN_NONE};
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move ||
           builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}

/* 0 where they do not. */
static double overlap_of(double low_a,
                         double high_a,
                         double low_b,
                         double high_b)
{
    return math_max(math_min(high_a, high_b) - math_max(low_a, low_b), 0);
}

/* Cells with so much room above. */
static uint32_t clear_count(const builtin_surface *s, uint32_t centimetres)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)s->columns * s->rows; i++)
        count += s->map.clear[i] >= centimetres;
    return count;
}

/* Is most of what is free on the surface free as high up as people need it? */
static bool is_open_above(const builtin_surface *s)
{
    return 2 * clear_count(s, CLEAR_TALL) > clear_count(s, BUILTIN_CLEAR_LEAST);
}

/* The surface of a seat with most room to sit on; NULL: none is known. */
static const builtin_surface *seat_surface(const builtin_facts *facts,
                                           uint32_t object)
{
    const builtin_surface *seat = NULL;
    uint32_t most_free = 0;
    if (!builtin_is_seat(&facts->objects[object]))
        return NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || !is_open_above(s))
            continue;
        uint32_t own = clear_count(s, CLEAR_TALL);
        if (own <= most_free)
            continue;
        most_free = own;
        seat = s;
    }
    return seat;
}

/* Of all cushions at the seat's height. False: it has no seat. */
bool builtin_seat_middle(const builtin_facts *facts,
                         uint32_t object,
                         double ret[2],
                         builtin_rect *ret_open)
{
    const double level = 0.05; /* metres: the cushions of a sofa are one seat */
    const builtin_surface *seat = seat_surface(facts, object);
    double sum[2] = {0, 0};
    uint32_t count = 0;
    if (!seat)
        return false;
    *ret_open = (builtin_rect){.low = {INFINITY, INFINITY},
                               .high = {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || !is_open_above(s) ||
            fabs(s->height - seat->height) > level)
            continue;
        for (uint32_t cell = 0; cell < s->rows * s->columns; cell++) {
            const uint32_t column = cell % s->columns, row = cell / s->columns;
            if (!builtin_is_clear(s, column, row, CLEAR_TALL))
                continue;
            const double at[2] = {s->origin[0] + (column + 0.5) * s->cell,
                                  s->origin[1] + (row + 0.5) * s->cell};
            for (int k = 0; k < 2; k++) {
                sum[k] += at[k];
                ret_open->low[k] = math_min(ret_open->low[k], at[k]);
                ret_open->high[k] = math_max(ret_open->high[k], at[k]);
            }
            count++;
        }
    }
    for (int k = 0; k < 2; k++)
        ret[k] = sum[k] / count;
    return true;
}

/* Does the one surface cover nearly all of the other, some way above it? */
static bool surface_covers(const builtin_surface *t, const builtin_surface *s)
{
    if (t->object != s->object || t->height < s->height + 0.03 || t->shut)
        return false;
    const double width = s->columns * s->cell, depth = s->rows * s->cell;
    const double x =
        overlap_of(s->origin[0], s->origin[0] + width, t->origin[0],
                   t->origin[0] + t->columns * t->cell);
    const double y = overlap_of(s->origin[1], s->origin[1] + depth,
                                t->origin[1], t->origin[1] + t->rows * t->cell);
    return x * y > 0.8 * width * depth;
}

/* Does the surface lie inside its thing, as a cupboard's boards do: under
 * another of its surfaces that covers nearly all of it? A seat between arms and
 * a back is open above, though a box about the arms takes it in. */
static bool is_inside(const builtin_facts *facts, uint32_t index)
{
    const builtin_surface *s = &facts->surfaces[index];
    if (is_open_above(s))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (surface_covers(&facts->surfaces[i], s))
            return true;
    }
    return false;
}

/* Of a thing that is to be put into another: does the surface lie under the
 * bottom that is meant, as the slats under a crib's mattress do? That bottom is
 * open above and within the thing; a cupboard's roof is not. */
static bool is_under_bottom(const builtin_facts *facts,
                            const builtin_wish *wish,
                            uint32_t index)
{
    if (wish->move->level > 0)
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *t = &facts->surfaces[i];
        if (!surface_covers(t, &facts->surfaces[index]) || !is_open_above(t))
            continue;
        const double at[3] = {t->origin[0] + t->columns * t->cell / 2,
                              t->origin[1] + t->rows * t->cell / 2, t->height};
        if (builtin_misfit(facts, wish->move, wish->object, at) <= 0)
            return true;
    }
    return false;
}

enum {
    SURFACES = 16
};

typedef struct levels { /* the surfaces of one thing, and the places on each */
    uint32_t used, index[SURFACES];
    builtin_spot spots[SURFACES][BUILTIN_SPOTS_MAX];
    uint32_t counts[SURFACES], rooms[SURFACES];
    bool any; /* it has surfaces, if only such as no hand comes to */
} levels;

/* The surfaces of the reference that may be meant, each with its spots. shut:
 * no hand comes there. */
static etna_code levels_fill(const builtin_facts *facts,
                             const builtin_wish *wish,
                             bool squeezed,
                             levels *ret,
                             etna_error *err)
{
    *ret = (levels){0};
    for (uint32_t i = 0; i < facts->surface_count && ret->used < SURFACES;
         i++) {
        if (facts->surfaces[i].object != wish->reference)
            continue;
        ret->any = true;
        if (facts->surfaces[i].shut)
            continue;
        if (wish->move &&
            builtin_is_below_top(facts, wish->move, wish->reference,
                                 facts->surfaces[i].height))
            continue;
        const uint32_t at = ret->used++;
        etna_arena scratch = ETNA_ARENA_INIT;
        etna_code code =
            spots_of(facts, wish, i, squeezed, &scratch, ret->spots[at],
                     &ret->counts[at], &ret->rooms[at], err);
        etna_arena_free(&scratch);
        if (code != ETNA_OK)
            return code;
        ret->index[at] = i;
    }
    return ETNA_OK;
}

/* Of its whole map. */
double builtin_surface_area(const builtin_surface *s)
{
    return s->cell * s->columns * s->cell * s->rows;
}

/* The height at which one works at a table or counter: the highest broad
 * surface within reach, not a shelf above it. */
bool builtin_worktop(const builtin_facts *facts,
                     uint32_t object,
                     double *ret_height)
{
    const double lowest = 0.35, highest = 1.2; /* metres over its foot */
    const builtin_object *base = &facts->objects[object];
    double broadest = 0;
    bool found = false;
    if (!builtin_is_table(base))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == object && !s->shut)
            broadest = math_max(broadest, builtin_surface_area(s));
    }
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double over = s->height - (base->centre[2] - base->half[2]);
        bool is_reached = over >= lowest && over <= highest;
        if (s->object != object || s->shut || !is_reached)
            continue;
        if (builtin_surface_area(s) < 0.5 * broadest ||
            (found && s->height <= *ret_height))
            continue;
        *ret_height = s->height;
        found = true;
    }
    return found;
}

/* "On the shelf" means its top, unless a board is named. */
bool builtin_is_below_top(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t base,
                          double height)
{
    const double level = 0.03; /* metres */
    double top;
    const bool bare = move->level == 0 && (move->relation == RELATION_ON ||
                                           move->relation == RELATION_MIDDLE);
    return bare && builtin_worktop(facts, base, &top) && height < top - level;
}

/* At a table or a workbench the top where hands are, however much lies there:
 * not the one over it. SURFACES: it has no such top with room. */
static uint32_t levels_worktop(const builtin_facts *facts,
                               const builtin_wish *wish,
                               const levels *l)
{
    const double level = 0.03; /* metres */
    double top;
    if (!wish->move || wish->move->relation == RELATION_IN ||
        wish->move->relation == RELATION_UNDER)
        return SURFACES;
    if (!builtin_worktop(facts, wish->reference, &top))
        return SURFACES;
    for (uint32_t i = 0; i < l->used; i++) {
        if (l->counts[i] > 0 &&
            fabs(facts->surfaces[l->index[i]].height - top) < level)
            return i;
    }
    return SURFACES;
}

/* The most room that one level has, of those that are not inside the thing, if
 * there is one, and no roof. */
static uint32_t levels_roomiest(const levels *l,
                                const bool *inside,
                                const bool *roof,
                                bool *ret_open)
{
    uint32_t open = 0, all = 0;
    for (uint32_t i = 0; i < l->used; i++) {
        if (roof[i])
            continue;
        all = l->rooms[i] > all ? l->rooms[i] : all;
        if (!inside[i])
            open = l->rooms[i] > open ? l->rooms[i] : open;
    }
    *ret_open = open > 0;
    return open > 0 ? open : all;
}

/* Is it the roof of what has boards below it, where eyes do not see? People put
 * things onto a bookcase's boards who say "on the bookcase", and name its top
 * where they mean that. */
static bool levels_is_roof(const builtin_facts *facts,
                           const builtin_wish *wish,
                           const levels *l,
                           uint32_t at)
{
    const double eyes = 1.6; /* metres over its foot */
    const builtin_object *base = &facts->objects[wish->reference];
    const double highest = base->centre[2] - base->half[2] + eyes;
    const bool any = wish->near_foot != NULL;
    const bool bare = wish->move ? wish->move->level == 0 : any;
    if (!bare || facts->surfaces[l->index[at]].height <= highest)
        return false;
    for (uint32_t i = 0; i < l->used; i++) {
        if (l->counts[i] > 0 && facts->surfaces[l->index[i]].height <= highest)
            return true;
    }
    return false;
}

/* The higher one, or the one that is nearer to the height that is wished for. */
static bool levels_prefers(const builtin_facts *facts,
                           const builtin_wish *wish,
                           uint32_t one,
                           uint32_t other)
{
    const double height = facts->surfaces[one].height,
                 than = facts->surfaces[other].height;
    if (!wish->near_foot)
        return height > than;
    return fabs(height - *wish->near_foot) < fabs(than - *wish->near_foot);
}

/* The highest (levels_prefers) that has at least half as much room as the one
 * with most: a table's top, not its shelf. What lies inside the thing only when that is
 * asked, or is all there is for what was asked. SURFACES: none has room. */
static uint32_t levels_choose(const builtin_facts *facts,
                              const builtin_wish *wish,
                              const levels *l)
{
    /* nothing is put beneath a cushion's cover, but on a bench's lower board */
    bool hollow = !builtin_is_seat(&facts->objects[wish->reference]) ||
                  (wish->move && wish->move->level > 0);
    builtin_relation relation = wish->move ? wish->move->relation : RELATION_ON;
    bool into = relation == RELATION_IN || relation == RELATION_UNDER;
    bool inside[SURFACES] = {false}, roof[SURFACES] = {false}, has_open;
    for (uint32_t i = 0; i < l->used; i++) {
        roof[i] = levels_is_roof(facts, wish, l, i);
        inside[i] = !into && is_inside(facts, l->index[i]);
        if (relation == RELATION_IN)
            inside[i] = is_under_bottom(facts, wish, l->index[i]);
    }
    uint32_t roomiest = levels_roomiest(l, inside, roof, &has_open);
    const bool is_meant = wish->move || wish->near_foot;
    bool may_be_inside = !has_open && is_meant && hollow;
    uint32_t best = levels_worktop(facts, wish, l);
    if (best < SURFACES)
        return best;
    for (uint32_t i = 0; i < l->used; i++) {
        bool hidden = roof[i] || (inside[i] && !may_be_inside);
        if (l->counts[i] == 0 || 2 * (uint64_t)l->rooms[i] < roomiest || hidden)
            continue;
        if (best == SURFACES ||
            levels_prefers(facts, wish, l->index[i], l->index[best]))
            best = i;
    }
    return best;
}

/* Over the middle of one of its surfaces, or of its box where it has none. */
static bool levels_find_middle(const builtin_facts *facts,
                               const builtin_wish *wish,
                               const levels *l,
                               builtin_spot *ret)
{
    if (!l->any)
        return top_spot(facts, wish, ret);
    for (uint32_t i = 0; i < l->used; i++) {
        if (centre_spot(facts, wish, l->index[i], ret))
            return true;
    }
    return false;
}

/* First places with room around them, and only where there are none squeezed
 * ones. */
static etna_code spots_find(const builtin_facts *facts,
                            const builtin_wish *wish,
                            builtin_spot *ret,
                            uint32_t *ret_count,
                            etna_error *err)
{
    *ret_count = 0;
    for (int squeezed = 0; squeezed < 2 && *ret_count == 0; squeezed++) {
        levels l;
        etna_code code = levels_fill(facts, wish, squeezed > 0, &l, err);
        if (code != ETNA_OK)
            return code;
        const uint32_t best = levels_choose(facts, wish, &l);
        if (best < SURFACES) {
            *ret_count = l.counts[best];
            memcpy(ret, l.spots[best], l.counts[best] * sizeof *ret);
        } else if (levels_find_middle(facts, wish, &l, &ret[0])) {
            *ret_count = 1;
        }
    }
    return ETNA_OK;
}

/* The facts with one object turned; shares everything else. */
etna_code builtin_turned(const builtin_facts *facts,
                         uint32_t object,
                         double degrees,
                         etna_arena *arena,
                         builtin_facts *ret,
                         etna_error *err)
{
    builtin_object *objects = etna_arena_memdup(
        arena, facts->objects, facts->object_count * sizeof *objects);
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while turning a thing");
    builtin_object *o = &objects[object];
    double heading[2];
    builtin_heading_at(o, o->yaw_deg + degrees, heading);
    memcpy(o->heading, heading, sizeof heading);
    o->yaw_deg += degrees;
    *ret = *facts;
    ret->objects = objects;
    return ETNA_OK;
}

/* wish->turned: the thing is thought of as turned by a quarter, when it does
 * not fit as it stands. */
etna_code builtin_spots(const builtin_facts *facts,
                        const builtin_wish *wish,
                        builtin_spot *ret,
                        uint32_t *ret_count,
                        etna_error *err)
{
    const double quarter = 90;
    if (!wish->turned)
        return spots_find(facts, wish, ret, ret_count, err);
    etna_arena scratch = ETNA_ARENA_INIT;
    builtin_facts turned;
    etna_code code =
        builtin_turned(facts, wish->object, quarter, &scratch, &turned, err);
    if (code == ETNA_OK)
        code = spots_find(&turned, wish, ret, ret_count, err);
    etna_arena_free(&scratch);
    return code;
}
