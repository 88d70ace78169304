/* Where there is room. A surface's map of what is free over each cell is read at the height of the thing to be placed,
 * without the thing itself, its load and what would make room; a window as large as its footprint (the world-axis
 * rectangle of its box, rounded up to cells) slides over the map; a summed-area table says in four look-ups whether a
 * window is all free, a chamfer transform how far the next occupied cell is. Windows are weighed by taste and the best
 * few that lie apart from each other are handed out.
 *
 * Integers and sums in a fixed order only, so that a place is the same on every machine. */
#include "worker/builtin/builtin.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum { WINDOWS_MAX = 20000, FAR = 1 << 20, CLEAR_TALL = 160 /* centimetres: open above */ };

typedef struct cells { /* a surface's map, decoded */
    const builtin_surface *surface;
    uint32_t columns, rows;
    uint32_t *sums;  /* (columns + 1) x (rows + 1): free cells below and left */
    uint32_t *reach; /* per cell: a fifth of a cell times the way to the next one that is not free */
} cells;

typedef struct window {
    builtin_spot spot;
    double worth;
} window;

/* Half sides of the world-axis rectangle around the box's footprint. */
static void half_sides(const builtin_object *object, double ret[2])
{
    double hx = fabs(object->heading[0]), hy = fabs(object->heading[1]);
    ret[0] = hy * object->half[0] + hx * object->half[1];
    ret[1] = hx * object->half[0] + hy * object->half[1];
}

/* Of the thing that is to be placed, as it would stand. */
static void wished_sides(const builtin_facts *facts, const builtin_wish *wish, double ret[2])
{
    double half[2];
    half_sides(&facts->objects[wish->object], half);
    ret[0] = half[wish->turned ? 1 : 0];
    ret[1] = half[wish->turned ? 0 : 1];
}

builtin_rect builtin_footprint(const builtin_object *object, double x, double y, double margin)
{
    double half[2];
    half_sides(object, half);
    return (builtin_rect){{x - half[0] - margin, y - half[1] - margin}, {x + half[0] + margin, y + half[1] + margin}};
}

double builtin_top_with_load(const builtin_facts *facts, uint32_t object)
{
    double top = facts->objects[object].centre[2] + facts->objects[object].half[2];
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        if (i != object && !o->is_static && o->by_count > 0 && builtin_is_above(facts, i, object))
            top = math_max(top, o->centre[2] + o->half[2]);
    }
    return top;
}

bool builtin_rects_meet(const builtin_rect *a, const builtin_rect *b)
{
    for (int k = 0; k < 2; k++) {
        if (a->low[k] >= b->high[k] || a->high[k] <= b->low[k]) return false;
    }
    return true;
}

bool builtin_is_in_the_way(const builtin_facts *facts, uint32_t other, uint32_t object, const double at[3])
{
    const builtin_object *o = &facts->objects[object], *b = &facts->objects[other];
    if (other == object || b->centre[2] + b->half[2] < at[2] + 0.005 ||
        b->centre[2] - b->half[2] > at[2] + 2 * o->half[2])
        return false;
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0), its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    return builtin_rects_meet(&own, &its);
}

static uint32_t cell_at(double metres, double cell, uint32_t count)
{
    double index = floor(metres / cell);
    if (!(index > 0)) return 0;
    return index < count ? (uint32_t)index : count;
}

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
            if (builtin_is_clear(s, column, row, BUILTIN_CLEAR_LEAST)) return true;
        }
    }
    return false;
}

static bool is_taken(const builtin_surface *s, const builtin_wish *wish, uint32_t column, uint32_t row)
{
    double x0 = s->origin[0] + column * s->cell, y0 = s->origin[1] + row * s->cell;
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        const builtin_rect *r = &wish->taken[i];
        if (x0 < r->high[0] && x0 + s->cell > r->low[0] && y0 < r->high[1] && y0 + s->cell > r->low[1]) return true;
    }
    return false;
}

static uint32_t sum_at(const cells *c, uint32_t column, uint32_t row)
{
    return c->sums[(size_t)row * (c->columns + 1) + column];
}

static uint32_t free_in(const cells *c, uint32_t column, uint32_t row, uint32_t width, uint32_t depth)
{
    return sum_at(c, column + width, row + depth) - sum_at(c, column, row + depth) - sum_at(c, column + width, row) +
           sum_at(c, column, row);
}

static uint32_t reach_at(const cells *c, int64_t column, int64_t row)
{
    if (column < 0 || row < 0 || column >= c->columns || row >= c->rows) return 0;
    return c->reach[(size_t)row * c->columns + (size_t)column];
}

static void shorten(cells *c, uint32_t column, uint32_t row, int dc, int dr, uint32_t way)
{
    uint32_t *own = &c->reach[(size_t)row * c->columns + column];
    uint32_t other = reach_at(c, (int64_t)column + dc, (int64_t)row + dr) + way;
    if (other < *own) *own = other;
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

/* What the map tells is rounded down, and as low as anything within the cell: that is room enough to spare. */
static uint32_t clear_for(double height)
{
    const double forgiven = 1e-4; /* metres */
    double centimetres = ceil(100 * (height - forgiven));
    if (!(centimetres < BUILTIN_CLEAR_MOST)) return BUILTIN_CLEAR_MOST;
    return centimetres < BUILTIN_CLEAR_LEAST ? BUILTIN_CLEAR_LEAST : (uint32_t)centimetres;
}

/* Would it be away when the thing comes to its place: the thing itself, its load, what makes room with its own load? */
static bool is_away(const builtin_facts *facts, const builtin_wish *wish, uint32_t object)
{
    bool goes = object == wish->object || builtin_is_above(facts, object, wish->object);
    for (uint32_t n = 0; n < wish->ignored_count && !goes; n++)
        goes = object == wish->ignored[n] || builtin_is_above(facts, object, wish->ignored[n]);
    return goes;
}

static bool decode(const builtin_facts *facts, const builtin_surface *s, const builtin_wish *wish, double height,
                   etna_arena *arena, cells *ret)
{
    const uint32_t need = clear_for(height);
    cells c = {.surface = s, .columns = s->columns, .rows = s->rows};
    c.sums = etna_arena_alloc(arena, (size_t)(s->columns + 1) * (s->rows + 1), sizeof *c.sums);
    c.reach = etna_arena_alloc(arena, (size_t)s->columns * s->rows, sizeof *c.reach);
    uint8_t *clear = etna_arena_alloc(arena, (size_t)s->columns * s->rows + 1, 1);
    bool *away = etna_arena_alloc(arena, facts->object_count + 1u, sizeof *away);
    if (!c.sums || !c.reach || !clear || !away) return false;
    for (uint32_t i = 0; i < s->map.layer_count; i++)
        away[s->map.layers[i].object] = is_away(facts, wish, s->map.layers[i].object);
    builtin_map_without(&s->map, s->columns, s->rows, away, clear);
    for (uint32_t j = 0; j < s->rows; j++) {
        uint32_t line = 0;
        for (uint32_t i = 0; i < s->columns; i++) {
            bool is_free = clear[(size_t)j * s->columns + i] >= need && !is_taken(s, wish, i, j);
            line += is_free;
            c.sums[(size_t)(j + 1) * (s->columns + 1) + i + 1] = sum_at(&c, i + 1, j) + line;
            c.reach[(size_t)j * s->columns + i] = is_free ? FAR : 0;
        }
    }
    spread(&c);
    *ret = c;
    return true;
}

/* ---- weighing ---- */

typedef struct hider { /* a thing that may stand between the camera and a surface */
    const double *box; /* in the image */
    double depth;      /* of its middle */
} hider;

typedef struct hiders {
    hider *list;
    uint32_t count;
} hiders;

/* The surface's corners in the image; the whole image when one is behind the camera. */
static void image_bounds(const builtin_facts *facts, const builtin_surface *s, double low[2], double high[2])
{
    low[0] = low[1] = 1;
    high[0] = high[1] = 0;
    for (int i = 0; i < 4; i++) {
        const double corner[3] = {s->origin[0] + (i % 2 ? s->columns * s->cell : 0),
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

static bool find_hiders(const builtin_facts *facts, const builtin_wish *wish, const builtin_surface *s,
                        etna_arena *arena, hiders *ret)
{
    double low[2], high[2];
    image_bounds(facts, s, low, high);
    ret->list = etna_arena_alloc(arena, facts->object_count + 1u, sizeof *ret->list);
    ret->count = 0;
    for (uint32_t i = 0; ret->list && i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        if (!o->visible || o->is_static || i == wish->object || i == wish->reference) continue;
        if (o->image_box[2] < low[0] || o->image_box[0] > high[0] || o->image_box[3] < low[1] ||
            o->image_box[1] > high[1])
            continue;
        double image[2], depth;
        if (builtin_project(facts, o->centre, image, &depth)) ret->list[ret->count++] = (hider){o->image_box, depth};
    }
    return ret->list != NULL;
}

/* Around the thing's box in the image where it would stand; false when part of it is behind the camera. */
static bool image_of(const builtin_facts *facts, const builtin_wish *wish, const double at[3], double low[2],
                     double high[2])
{
    double half[2], image[2];
    wished_sides(facts, wish, half);
    low[0] = low[1] = 1e9;
    high[0] = high[1] = -1e9;
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {at[0] + (i & 1 ? half[0] : -half[0]), at[1] + (i & 2 ? half[1] : -half[1]),
                                  at[2] + (i & 4 ? 2 * facts->objects[wish->object].half[2] : 0)};
        if (!builtin_project(facts, corner, image, NULL)) return false;
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], image[k]);
            high[k] = math_max(high[k], image[k]);
        }
    }
    return true;
}

/* The share of the thing that others which stand nearer to the camera would hide. By image boxes, so rough: a taste, not
 * a rule. */
static double hidden_share(const builtin_facts *facts, const builtin_wish *wish, const hiders *things,
                           const double at[3], double depth)
{
    double low[2], high[2], share = 0;
    if (!image_of(facts, wish, at, low, high)) return 0;
    double area = math_max((high[0] - low[0]) * (high[1] - low[1]), 1e-12);
    for (uint32_t i = 0; i < things->count; i++) {
        const hider *h = &things->list[i];
        double x = math_min(high[0], h->box[2]) - math_max(low[0], h->box[0]),
               y = math_min(high[1], h->box[3]) - math_max(low[1], h->box[1]);
        if (h->depth < depth && x > 0 && y > 0) share += x * y / area;
    }
    return math_min(share, 1);
}

/* Half the surface's diagonal, at most half a metre: how far from a given-up place another one counts as new. */
static double new_from(const builtin_surface *s)
{
    double x = s->columns * s->cell, y = s->rows * s->cell;
    return math_min(0.5, 0.5 * sqrt(x * x + y * y));
}

static double apart(const double a[2], const double b[2])
{
    double dx = a[0] - b[0], dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

/* Metres from the spot to the nearest given-up place at its height; large when there is none. */
static double from_given_up(const builtin_facts *facts, const builtin_wish *wish, const builtin_spot *spot)
{
    double nearest = 1e9;
    for (uint32_t i = 0; i < wish->avoid_count; i++) {
        double bottom = wish->avoid[i][2] - facts->objects[wish->object].half[2];
        if (fabs(bottom - spot->point[2]) < 0.1) nearest = math_min(nearest, apart(wish->avoid[i], spot->point));
    }
    return nearest;
}

static double worth_of(const builtin_facts *facts, const builtin_wish *wish, const builtin_surface *s,
                       const builtin_spot *spot, double hidden, double step)
{
    const double middle[2] = {s->origin[0] + s->columns * s->cell / 2, s->origin[1] + s->rows * s->cell / 2};
    double diagonal = s->cell * sqrt((double)s->columns * s->columns + (double)s->rows * s->rows);
    double central = apart(spot->point, middle) / math_max(diagonal, 1e-6), worth = 0;
    switch (wish->taste) {
    case TASTE_TIGHT: worth = -math_min(spot->clear, 2) + 0.1 * central; break;
    case TASTE_NEAR: worth = math_min(spot->clear, 0.1) * 5 - apart(spot->point, wish->near); break;
    default: worth = math_min(spot->clear, 0.2) * 5 - central; break;
    }
    worth -= 0.25 * hidden;
    double given_up = from_given_up(facts, wish, spot);
    if (given_up <= step) worth -= 100 - given_up;
    return worth;
}

/* ---- sliding ---- */

typedef struct slide {
    const builtin_facts *facts;
    const builtin_wish *wish;
    const cells *map;
    uint32_t surface, width, depth; /* cells */
    double step;
    hiders hiders;
    window *windows;
    uint32_t count; /* free windows that show in the image, all of them */
    uint32_t kept;
} slide;

/* How many of the ignored things stand where the thing would. */
static uint32_t blockers_at(const slide *s, const builtin_spot *spot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->wish->ignored_count; i++)
        count += builtin_is_in_the_way(s->facts, s->wish->ignored[i], s->wish->object, spot->point);
    return count;
}

static void weigh(slide *s, uint32_t column, uint32_t row)
{
    const builtin_surface *surface = s->map->surface;
    builtin_spot spot = {.surface = s->surface};
    spot.point[0] = surface->origin[0] + (column + s->width / 2.0) * surface->cell;
    spot.point[1] = surface->origin[1] + (row + s->depth / 2.0) * surface->cell;
    spot.point[2] = surface->height;
    double depth = 0;
    bool ahead = builtin_project(s->facts, spot.point, spot.image, &depth);
    bool shows = ahead && spot.image[0] > 0.02 && spot.image[0] < 0.98 && spot.image[1] > 0.02 && spot.image[1] < 0.98;
    double misfit = s->wish->move ? builtin_misfit(s->facts, s->wish->move, s->wish->object, spot.point) : 0;
    if (misfit > 0) return;
    s->count++;
    if (s->kept == WINDOWS_MAX) return;
    uint32_t reach = reach_at(s->map, column + s->width / 2, row + s->depth / 2);
    double half = math_max(s->width, s->depth) / 2.0 * surface->cell;
    spot.clear = math_max(reach * surface->cell / 5.0 - half, 0);
    double hidden = shows ? hidden_share(s->facts, s->wish, &s->hiders, spot.point, depth) : 0.5; /* a small taste */
    spot.hidden = hidden > 0.5;
    double worth = worth_of(s->facts, s->wish, surface, &spot, hidden, s->step);
    if (s->wish->move && s->wish->move->relation != RELATION_ON && s->wish->move->relation != RELATION_IN) {
        double near = s->wish->taste == TASTE_NEAR ? apart(spot.point, s->wish->near) : 0;
        if (s->wish->move->gap < 0) near += 0.5 * builtin_gap(s->facts, s->wish->move, s->wish->object, spot.point);
        if (s->wish->move->relation == RELATION_BESIDE) /* any side: rather the one it stands at already */
            near += 0.1 * math_min(apart(spot.point, s->facts->objects[s->wish->object].centre), 2);
        worth = worth < -50 ? worth - 4 * misfit : -4 * misfit + 2 * math_min(spot.clear, 0.05) - 0.6 * hidden - near;
    }
    if (s->wish->ignored_cost > 0) worth -= s->wish->ignored_cost * blockers_at(s, &spot);
    s->windows[s->kept++] = (window){spot, worth};
}

/* All windows, or every n-th column and row of a large map. */
static void slide_over(slide *s)
{
    const cells *map = s->map;
    if (s->width > map->columns || s->depth > map->rows) return;
    uint32_t columns = map->columns - s->width + 1, rows = map->rows - s->depth + 1, stride = 1;
    while ((uint64_t)((columns + stride - 1) / stride) * ((rows + stride - 1) / stride) > WINDOWS_MAX) stride++;
    for (uint32_t j = 0; j < rows; j += stride) {
        for (uint32_t i = 0; i < columns; i += stride) {
            if (free_in(map, i, j, s->width, s->depth) == s->width * s->depth) weigh(s, i, j);
        }
    }
}

static uint32_t pick(const slide *s, double distance, builtin_spot *ret)
{
    uint32_t count = 0;
    while (count < BUILTIN_SPOTS_MAX) {
        const window *best = NULL;
        for (uint32_t i = 0; i < s->kept; i++) {
            const window *w = &s->windows[i];
            if (best && w->worth <= best->worth) continue;
            bool close = false;
            for (uint32_t k = 0; k < count && !close; k++) close = apart(w->spot.point, ret[k].point) < distance;
            if (!close) best = w;
        }
        if (!best) break;
        ret[count++] = best->spot;
    }
    return count;
}

static uint32_t cells_for(double side, double cell)
{
    double count = ceil(side / cell - 0.05); /* a twentieth of a cell over the edge is within NoOverhang's 95 % */
    return count < 1 ? 1 : count > 2 * BUILTIN_SIDE_MAX ? 2 * BUILTIN_SIDE_MAX : (uint32_t)count;
}

/* The spots of one surface; *ret_room: how many windows are free. */
static etna_code spots_of(const builtin_facts *facts, const builtin_wish *wish, uint32_t index, etna_arena *arena,
                          builtin_spot *ret, uint32_t *ret_count, uint32_t *ret_room, etna_error *err)
{
    const builtin_surface *surface = &facts->surfaces[index];
    const builtin_object *object = &facts->objects[wish->object];
    cells map;
    slide s = {.facts = facts, .wish = wish, .map = &map, .surface = index, .step = new_from(surface)};
    s.windows = etna_arena_alloc(arena, WINDOWS_MAX, sizeof *s.windows);
    double height = builtin_top_with_load(facts, wish->object) - (object->centre[2] - object->half[2]);
    if (!s.windows || !decode(facts, surface, wish, height, arena, &map) ||
        !find_hiders(facts, wish, surface, arena, &s.hiders)) {
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while looking for a place");
    }
    double half[2];
    wished_sides(facts, wish, half);
    s.width = cells_for(2 * half[0], surface->cell);
    s.depth = cells_for(2 * half[1], surface->cell);
    slide_over(&s);
    *ret_room = s.count;
    *ret_count = pick(&s, math_max(2 * surface->cell, 0.75 * (half[0] + half[1])), ret);
    return ETNA_OK;
}

/* Does anything stand on the reference that would not make room? */
static bool bears_another(const builtin_facts *facts, const builtin_wish *wish)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    for (uint32_t i = 0; i < reference->on_count; i++) {
        bool away = reference->on[i] == wish->object;
        for (uint32_t n = 0; n < wish->ignored_count && !away; n++) away = wish->ignored[n] == reference->on[i];
        if (!away) return true;
    }
    return false;
}

/* A thing larger than what it is to stand on: over the middle, when nothing is there. */
static bool centre_spot(const builtin_facts *facts, const builtin_wish *wish, uint32_t index, builtin_spot *ret)
{
    const builtin_surface *s = &facts->surfaces[index];
    const builtin_object *reference = &facts->objects[wish->reference];
    double half[2], sum[2] = {0, 0};
    wished_sides(facts, wish, half);
    bool too_large =
        2 * math_min(half[0], half[1]) > s->width - 4 * s->cell || 2 * math_max(half[0], half[1]) > s->width;
    if (bears_another(facts, wish)) return false;
    bool far_too_large =
        2 * math_min(half[0], half[1]) > s->width; /* on a wide surface only what cannot stand within it at all */
    if (!too_large || (s->width >= 0.5 && !far_too_large) || s->corner_count < 3) return false;
    if (s->width < 0.4 * 2 * math_min(half[0], half[1])) return false; /* a tray on a bottle's neck */
    /* A rim around the surface that the thing is too large to stand within: a lid in a cup. A plate's is low, and plates
     * nest: how deep, the true shapes will say. A seat's back is none. */
    double rim = reference->centre[2] + reference->half[2] - s->height,
           height = 2 * facts->objects[wish->object].half[2];
    if (!builtin_is_seat(reference) && rim > math_max(0.03, 0.25 * height)) return false;
    for (uint32_t i = 0; i < s->corner_count; i++) {
        sum[0] += s->corners[i][0];
        sum[1] += s->corners[i][1];
    }
    *ret = (builtin_spot){.point = {sum[0] / s->corner_count, sum[1] / s->corner_count, s->height},
                          .surface = index,
                          .centre_only = true};
    for (uint32_t i = 0; i < wish->taken_count; i++) {
        const builtin_rect *r = &wish->taken[i];
        if (ret->point[0] > r->low[0] && ret->point[0] < r->high[0] && ret->point[1] > r->low[1] &&
            ret->point[1] < r->high[1])
            return false;
    }
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move || builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}

/* A thing whose top is no flat surface: the top of its box, and the tools will say what it is worth. */
static bool top_spot(const builtin_facts *facts, const builtin_wish *wish, builtin_spot *ret)
{
    const builtin_object *reference = &facts->objects[wish->reference];
    if (bears_another(facts, wish) || wish->taken_count > 0) return false;
    *ret =
        (builtin_spot){.point = {reference->centre[0], reference->centre[1], reference->centre[2] + reference->half[2]},
                       .surface = BUILTIN_NONE};
    builtin_project(facts, ret->point, ret->image, NULL);
    return !wish->move || builtin_misfit(facts, wish->move, wish->object, ret->point) <= 0;
}

static double overlap_of(double low_a, double high_a, double low_b, double high_b)
{
    return math_max(math_min(high_a, high_b) - math_max(low_a, low_b), 0);
}

static uint32_t clear_count(const builtin_surface *s, uint32_t centimetres)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)s->columns * s->rows; i++) count += s->map.clear[i] >= centimetres;
    return count;
}

/* Is most of what is free on the surface free as high up as people need it? */
static bool is_open_above(const builtin_surface *s)
{
    return 2 * clear_count(s, CLEAR_TALL) > clear_count(s, BUILTIN_CLEAR_LEAST);
}

/* The surface of a seat with most room to sit on; NULL: none is known. */
static const builtin_surface *seat_surface(const builtin_facts *facts, uint32_t object)
{
    const builtin_surface *seat = NULL;
    uint32_t most_free = 0;
    if (!builtin_is_seat(&facts->objects[object])) return NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || !is_open_above(s)) continue;
        uint32_t own = clear_count(s, CLEAR_TALL);
        if (own <= most_free) continue;
        most_free = own;
        seat = s;
    }
    return seat;
}

bool builtin_seat_middle(const builtin_facts *facts, uint32_t object, double ret[2], builtin_rect *ret_open)
{
    const double level = 0.05; /* metres: the cushions of a sofa are one seat */
    const builtin_surface *seat = seat_surface(facts, object);
    double sum[2] = {0, 0};
    uint32_t count = 0;
    if (!seat) return false;
    *ret_open = (builtin_rect){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || !is_open_above(s) || fabs(s->height - seat->height) > level) continue;
        for (uint32_t cell = 0; cell < s->rows * s->columns; cell++) {
            const uint32_t column = cell % s->columns, row = cell / s->columns;
            if (!builtin_is_clear(s, column, row, CLEAR_TALL)) continue;
            const double at[2] = {s->origin[0] + (column + 0.5) * s->cell, s->origin[1] + (row + 0.5) * s->cell};
            for (int k = 0; k < 2; k++) {
                sum[k] += at[k];
                ret_open->low[k] = math_min(ret_open->low[k], at[k]);
                ret_open->high[k] = math_max(ret_open->high[k], at[k]);
            }
            count++;
        }
    }
    for (int k = 0; k < 2; k++) ret[k] = sum[k] / count;
    return true;
}

/* Does the surface lie inside its thing, as a cupboard's boards do: under another of its surfaces that covers nearly
 * all of it? A seat between arms and a back is open above, though a box about the arms takes it in. */
static bool is_inside(const builtin_facts *facts, uint32_t index)
{
    const builtin_surface *s = &facts->surfaces[index];
    if (is_open_above(s)) return false;
    double width = s->columns * s->cell, depth = s->rows * s->cell;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *t = &facts->surfaces[i];
        if (t->object != s->object || t->height < s->height + 0.03 || t->shut) continue;
        double x = overlap_of(s->origin[0], s->origin[0] + width, t->origin[0], t->origin[0] + t->columns * t->cell);
        double y = overlap_of(s->origin[1], s->origin[1] + depth, t->origin[1], t->origin[1] + t->rows * t->cell);
        if (x * y > 0.8 * width * depth) return true;
    }
    return false;
}

/* Of a thing's surfaces the highest that has at least half as much room as the one with most: a table's top, not its
 * shelf. What lies inside it only when that is asked, or is all there is for what was asked. */
etna_code builtin_spots(const builtin_facts *facts, const builtin_wish *wish, builtin_spot *ret, uint32_t *ret_count,
                        etna_error *err)
{
    enum { SURFACES = 16 };
    builtin_spot spots[SURFACES][BUILTIN_SPOTS_MAX], centre = {0};
    uint32_t counts[SURFACES] = {0}, rooms[SURFACES] = {0}, index[SURFACES], used = 0, roomiest = 0, open_roomiest = 0;
    bool inside[SURFACES] = {false}, any = false, centred = false;
    for (uint32_t i = 0; i < facts->surface_count && used < SURFACES; i++) {
        if (facts->surfaces[i].object != wish->reference) continue;
        any = true;
        if (facts->surfaces[i].shut) continue;
        etna_arena scratch = ETNA_ARENA_INIT;
        etna_code code = spots_of(facts, wish, i, &scratch, spots[used], &counts[used], &rooms[used], err);
        etna_arena_free(&scratch);
        if (code != ETNA_OK) return code;
        if (!centred) centred = centre_spot(facts, wish, i, &centre);
        if (rooms[used] > roomiest) roomiest = rooms[used];
        index[used++] = i;
    }
    uint32_t best = SURFACES;
    bool hollow = !builtin_is_seat(&facts->objects[wish->reference]); /* nothing is put beneath a cushion's cover */
    bool into = wish->move && (wish->move->relation == RELATION_IN || wish->move->relation == RELATION_UNDER);
    for (uint32_t i = 0; i < used && !into; i++) {
        if (is_inside(facts, index[i]))
            inside[i] = true;
        else if (rooms[i] > open_roomiest)
            open_roomiest = rooms[i];
    }
    if (open_roomiest > 0) roomiest = open_roomiest;
    for (uint32_t i = 0; i < used; i++) {
        bool hidden = inside[i] && (open_roomiest > 0 || !wish->move || !hollow);
        if (counts[i] == 0 || 2 * (uint64_t)rooms[i] < roomiest || hidden) continue;
        if (best == SURFACES || facts->surfaces[index[i]].height > facts->surfaces[index[best]].height) best = i;
    }
    *ret_count = 0;
    if (best < SURFACES) {
        *ret_count = counts[best];
        memcpy(ret, spots[best], counts[best] * sizeof *ret);
    } else if (any ? centred : top_spot(facts, wish, &centre)) {
        *ret_count = 1;
        ret[0] = centre;
    }
    return ETNA_OK;
}
