#include "place.h"

#include "referee/crowd.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEIGHTS_MAX = 64,
    TURNS = 4,
    STRIDE = 7919,
    FOOTINGS_MAX = 250,
    WAYS_MAX = 60
};
static const double grid = 0.05, above = 0.0004;

relation relation_of(const char *word)
{
    static const char *const words[RELATIONS] = {"on", "in", "under", "beside"};
    for (int r = 0; r < RELATIONS; r++) {
        if (strcmp(word, words[r]) == 0)
            return (relation)r;
    }
    return RELATIONS;
}

typedef struct seeking {
    const pair *pair;
    relation relation;
    /* a piece's, where it stands; the thing's about its own middle, turned */
    solid *own;
    const solid **solids; /* a piece's */
    bool *is_what, *is_where;
    extent what, where;
    air open;
    double heights[HEIGHTS_MAX];
    size_t height_count;
    int footings, ways; /* asked for at this height and turn */
} seeking;

static bool piece_is(const piece *p, const char *name)
{
    return strcmp(p->name, name) == 0 || strcmp(p->root, name) == 0;
}

static extent marked_extent(const seeking *s, const bool *is_marked)
{
    extent e = extent_empty();
    for (size_t i = 0; i < s->pair->count; i++) {
        if (is_marked[i])
            extent_join(&e, &s->own[i].box);
    }
    return e;
}

static void height_add(seeking *s, double z)
{
    for (size_t i = 0; i < s->height_count; i++) {
        if (fabs(s->heights[i] - z) < 0.003)
            return;
    }
    if (s->height_count < HEIGHTS_MAX)
        s->heights[s->height_count++] = z;
}

/* Of what is put on or into something, the heights of its level triangles; else
 * where that something stands. */
static void heights_find(seeking *s)
{
    bool is_at_foot =
        s->relation == RELATION_UNDER || s->relation == RELATION_BESIDE;
    if (is_at_foot)
        height_add(s, s->where.lo.z);
    for (size_t i = 0; i < s->pair->count && !is_at_foot; i++) {
        for (size_t t = 0; t < s->own[i].triangles && s->is_where[i]; t++) {
            const point *c = s->own[i].corners + 3 * t;
            point normal =
                point_cross(point_less(c[1], c[0]), point_less(c[2], c[0]));
            bool is_level = fabs(normal.z) > 0.98 * point_length(normal) &&
                            point_length(normal) > 1e-4;
            if (is_level)
                height_add(s, c[0].z);
        }
    }
}

/* METHODS.md's measures, by boxes; what it rests on is asked of the
 * triangles. */
static bool relation_holds(const seeking *s, point at)
{
    point size = extent_size(&s->what);
    double half = fmax(size.x, size.y) / 2;
    const extent *y = &s->where;
    double dx =
        fmax(fmax(y->lo.x - at.x - size.x / 2, at.x - size.x / 2 - y->hi.x), 0);
    double dy =
        fmax(fmax(y->lo.y - at.y - size.y / 2, at.y - size.y / 2 - y->hi.y), 0);
    bool inside = at.x - size.x / 2 >= y->lo.x && at.x + size.x / 2 <= y->hi.x;
    inside =
        inside && at.y - size.y / 2 >= y->lo.y && at.y + size.y / 2 <= y->hi.y;
    bool over =
        at.x > y->lo.x && at.x < y->hi.x && at.y > y->lo.y && at.y < y->hi.y;
    bool beneath = at.z + size.z < y->hi.z - 0.002;
    double gap = hypot(dx, dy);
    switch (s->relation) {
    case RELATION_ON: return true;
    case RELATION_IN:
        return inside && (extent_size(y).z <= 0.1 || at.z < y->hi.z - 0.02);
    case RELATION_UNDER: return over && beneath;
    default: return gap > 0 && gap <= 0.12 + 0.75 * half;
    }
}

/* What costs most is asked last, and so many times at most. */
static bool place_is_good(seeking *s, const crowd *c, point at)
{
    if (s->footings == FOOTINGS_MAX || s->ways == WAYS_MAX)
        return false;
    if (!relation_holds(s, at) || crowd_pierces(c, at, SIZE_MAX))
        return false;
    point middle = {at.x, at.y, at.z + extent_size(&s->what).z / 2};
    for (size_t j = 0; j < c->count; j++) {
        if (!s->is_what[j] && solid_holds(s->solids[j], middle))
            return false;
    }
    s->footings++;
    bool needs_where = s->relation == RELATION_ON || s->relation == RELATION_IN;
    footing f = crowd_footing(c, at, s->is_where);
    bool rests = f.is_held && f.is_balanced && (f.is_on_other || !needs_where);
    if (!rests)
        return false;
    s->ways++;
    return crowd_is_reached(c, at, &s->open);
}

/* STRIDE is a prime: where it does not divide their number, all cells are
 * met. */
static bool places_try(seeking *s, const crowd *c, point *ret)
{
    point size = extent_size(&s->what);
    double more = s->relation == RELATION_BESIDE
                      ? 0.12 + 1.75 * fmax(size.x, size.y) / 2
                      : 0;
    extent e = {point_less(s->where.lo, (point){more, more, 0}),
                point_add(s->where.hi, (point){more, more, 0})};
    int columns = (int)(extent_size(&e).x / grid) + 1;
    int rows = (int)(extent_size(&e).y / grid) + 1;
    for (size_t h = 0; h < s->height_count; h++) {
        s->footings = s->ways = 0;
        /* all cells, neighbours far apart in time */
        for (int i = 0; i < rows * columns; i++) {
            int k = (int)((int64_t)i * STRIDE % (rows * columns));
            double x = e.lo.x + (k % columns + 0.5) * grid;
            double y = e.lo.y + ((double)(k / columns) + 0.5) * grid;
            point at = {x, y, s->heights[h] + above};
            *ret = at;
            if (place_is_good(s, c, at))
                return true;
        }
    }
    return false;
}

/* Makes the thing's solids about the middle of its bottom, turned by so many
 * quarters. */
static bool what_turn(seeking *s, extent stood, int quarters)
{
    static const double cosines[TURNS] = {1, 0, -1, 0};
    double c = cosines[quarters], n = cosines[(quarters + 3) % TURNS];
    point middle = extent_middle(&stood);
    motion to_middle = motion_identity();
    to_middle.t = (point){-middle.x, -middle.y, -stood.lo.z};
    const motion turn = {{{c, -n, 0}, {n, c, 0}, {0, 0, 1}}, {0, 0, 0}};
    motion by = motion_after(&turn, &to_middle);
    for (size_t i = 0; i < s->pair->count; i++) {
        if (!s->is_what[i])
            continue;
        motion at = motion_after(&by, &s->pair->pieces[i].before);
        solid_free(&s->own[i]);
        if (!solid_make(&s->pair->pieces[i], &at, &s->own[i]))
            return false;
    }
    s->what = marked_extent(s, s->is_what);
    return true;
}

static place_verdict seeking_run(seeking *s, point *ret_at)
{
    crowd c = {s->solids, s->pair->count, s->is_what, NULL};
    extent stood = marked_extent(s, s->is_what);
    s->where = marked_extent(s, s->is_where);
    if (!air_make(s->solids, s->pair->count, s->is_what, &s->open))
        return PLACE_NO_MEMORY;
    if (!crowd_is_reached(&c, (point){0, 0, 0}, &s->open))
        return PLACE_SHUT_IN;
    heights_find(s);
    for (int turn = 0; turn < TURNS; turn++) {
        if (!what_turn(s, stood, turn))
            return PLACE_NO_MEMORY;
        if (places_try(s, &c, ret_at))
            return PLACE_FOUND;
    }
    return PLACE_NONE;
}

place_verdict place_find(const pair *p,
                         relation r,
                         const char *what,
                         const char *where,
                         point *ret_at)
{
    size_t n = p->count + 1;
    seeking s = {.pair = p, .relation = r};
    s.own = calloc(n, sizeof *s.own);
    s.solids = calloc(n, sizeof *s.solids);
    s.is_what = calloc(n, sizeof *s.is_what);
    s.is_where = calloc(n, sizeof *s.is_where);
    bool good = s.own && s.solids && s.is_what && s.is_where;
    size_t whats = 0, wheres = 0;
    point at = {0, 0, 0};
    for (size_t i = 0; good && i < p->count; i++) {
        s.solids[i] = &s.own[i];
        s.is_what[i] = piece_is(&p->pieces[i], what);
        s.is_where[i] = piece_is(&p->pieces[i], where);
        whats += s.is_what[i];
        wheres += s.is_where[i];
        good = solid_make(&p->pieces[i], &p->pieces[i].before, &s.own[i]);
    }
    place_verdict verdict = !good             ? PLACE_NO_MEMORY
                            : whats && wheres ? PLACE_FOUND
                                              : PLACE_UNKNOWN;
    if (verdict == PLACE_FOUND)
        verdict = seeking_run(&s, &at);
    for (size_t i = 0; s.own && i < p->count; i++)
        solid_free(&s.own[i]);
    air_free(&s.open);
    free(s.own);
    free(s.solids);
    free(s.is_what);
    free(s.is_where);
    if (verdict == PLACE_FOUND)
        *ret_at = at;
    return verdict;
}
