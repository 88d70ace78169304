#include "referee/solid.h"

#include <stdlib.h>

enum {
    LEAF = 4,
    STACK = 256
};

/* ---- the tree ---- */

static extent triangle_extent(const point *c)
{
    extent e = extent_empty();
    for (int i = 0; i < 3; i++)
        extent_grow(&e, c[i]);
    return e;
}

typedef struct key {
    double at;
    uint32_t triangle;
} key;

typedef struct building {
    const point *from; /* the corners as they came */
    key *order;
    solid *to;
    uint32_t used;
} building;

static int key_compare(const void *a, const void *b)
{
    const key *p = a;
    const key *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static double axis_of(point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static int longest_axis(const extent *e)
{
    point size = extent_size(e);
    if (size.x >= size.y && size.x >= size.z)
        return 0;
    return size.y >= size.z ? 1 : 2;
}

/* Halves by the order of the middles along the longest side. The depth is at
 * most the logarithm of the count. */
static void tree_build(building *b, uint32_t first, uint32_t count)
{
    solid_node *node = &b->to->nodes[b->used++];
    extent middles = extent_empty();
    node->box = extent_empty();
    for (uint32_t i = first; i < first + count; i++) {
        extent e = triangle_extent(b->from + 3 * (size_t)b->order[i].triangle);
        extent_join(&node->box, &e);
        extent_grow(&middles, extent_middle(&e));
    }
    node->first = first;
    node->count = count;
    if (count <= LEAF)
        return;
    int axis = longest_axis(&middles);
    for (uint32_t i = first; i < first + count; i++) {
        extent e = triangle_extent(b->from + 3 * (size_t)b->order[i].triangle);
        b->order[i].at = axis_of(extent_middle(&e), axis);
    }
    qsort(b->order + first, count, sizeof *b->order, key_compare);
    node->count = 0;
    tree_build(b, first, count / 2);
    node->first = b->used;
    tree_build(b, first + count / 2, count - count / 2);
}

/* ---- closed surfaces ---- */

/* an edge of a triangle: its ends in order, and whose it is */
typedef struct side {
    uint32_t low, high, triangle;
} side;

typedef struct corner {
    point at;
    uint32_t index;
} corner;

static int corner_compare(const void *a, const void *b)
{
    const corner *p = a;
    const corner *q = b;
    if (p->at.x != q->at.x)
        return p->at.x < q->at.x ? -1 : 1;
    if (p->at.y != q->at.y)
        return p->at.y < q->at.y ? -1 : 1;
    if (p->at.z != q->at.z)
        return p->at.z < q->at.z ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static int side_compare(const void *a, const void *b)
{
    const side *p = a;
    const side *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

/* The number that stands for i's set; paths are halved on the way. */
static uint32_t set_find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Equal corners get one number. */
static void corners_number(corner *corners, uint32_t count, uint32_t *number)
{
    qsort(corners, count, sizeof *corners, corner_compare);
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        point apart = i > 0 ? point_less(corners[i].at, corners[i - 1].at)
                            : (point){0, 0, 0};
        bool is_new = apart.x != 0 || apart.y != 0 || apart.z != 0;
        last = is_new ? i : last;
        number[corners[i].index] = last;
    }
}

/* Of closing_find(): what is known of `count` triangles. */
typedef struct closing {
    uint32_t count;
    corner *corners;
    uint32_t *number; /* of each corner, equal where corners are */
    side *sides;
    uint32_t *parent; /* of each triangle, in its set */
    bool *is_open;    /* some edge of it has an odd number of triangles */
} closing;

/* False: out of memory; free it all the same. */
static bool closing_alloc(closing *c)
{
    size_t corners = 3 * (size_t)c->count;
    c->corners = malloc(corners * sizeof *c->corners);
    c->number = malloc(corners * sizeof *c->number);
    c->sides = malloc(corners * sizeof *c->sides);
    c->parent = malloc(c->count * sizeof *c->parent);
    c->is_open = calloc(c->count, sizeof *c->is_open);
    bool has_corners = c->corners && c->number && c->sides;
    return has_corners && c->parent && c->is_open;
}

static void closing_free(closing *c)
{
    free(c->corners);
    free(c->number);
    free(c->sides);
    free(c->parent);
    free(c->is_open);
}

/* In the order in which sides of the same two corners follow one another. */
static void closing_sort_sides(closing *c, const point *local)
{
    uint32_t corners = 3 * c->count;
    for (uint32_t i = 0; i < corners; i++)
        c->corners[i] = (corner){local[i], i};
    corners_number(c->corners, corners, c->number);
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t a = c->number[i];
        uint32_t b = c->number[i % 3 == 2 ? i - 2 : i + 1];
        c->sides[i] = (side){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(c->sides, corners, sizeof *c->sides, side_compare);
}

/* Triangles of one edge are of one set; an odd number of them leaves it open,
 * but at the "edge" between equal corners of a triangle without area. */
static void closing_join(closing *c)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < c->count; i++)
        c->parent[i] = i;
    for (uint32_t i = 0; i < 3 * c->count; i = to) {
        const side *first = &c->sides[i];
        for (to = i + 1; to < 3 * c->count; to++) {
            const side *next = &c->sides[to];
            if (next->low != first->low || next->high != first->high)
                break;
            c->parent[set_find(c->parent, next->triangle)] =
                set_find(c->parent, first->triangle);
        }
        if ((to - i) % 2 && first->low != first->high)
            c->is_open[first->triangle] = true;
    }
}

/* Marks which triangles close a solid. A set of triangles joined by edges is
 * closed when each of its edges has an even number of them: two where sheets
 * meet, four where two solids touch along an edge. Corners count as one where
 * they are equal to the last bit, since files repeat a corner for each normal.
 * False: out of memory. */
static bool closing_find(solid *s, const point *local)
{
    closing c = {.count = (uint32_t)s->triangles};
    bool good = closing_alloc(&c);
    if (good) {
        closing_sort_sides(&c, local);
        closing_join(&c);
    }
    for (uint32_t i = 0; good && i < c.count; i++) {
        if (c.is_open[i])
            c.is_open[set_find(c.parent, i)] = true;
    }
    for (uint32_t i = 0; good && i < c.count; i++) {
        s->is_closing[i] = !c.is_open[set_find(c.parent, i)];
        s->has_closed = s->has_closed || s->is_closing[i];
    }
    closing_free(&c);
    return good;
}

bool solid_make(const piece *p, const motion *at, solid *ret)
{
    solid s = {.triangles = p->triangles, .box = extent_empty()};
    size_t count = p->triangles;
    point *local = malloc((3 * count + 1) * sizeof *local);
    point *world = malloc((3 * count + 1) * sizeof *world);
    key *order = malloc((count + 1) * sizeof *order);
    s.corners = malloc((3 * count + 1) * sizeof *s.corners);
    s.nodes = malloc((2 * count + 1) * sizeof *s.nodes);
    s.is_closing = calloc(count + 1, sizeof *s.is_closing);
    const bool has_lists = s.corners && s.nodes && s.is_closing;
    bool good = count > 0 && local && world && order && has_lists;
    for (size_t i = 0; good && i < 3 * count; i++)
        world[i] = motion_apply(at, p->corners[i]);
    for (size_t i = 0; good && i < count; i++)
        order[i] = (key){0, (uint32_t)i};
    building b = {world, order, &s, 0};
    if (good)
        tree_build(&b, 0, (uint32_t)count);
    for (size_t i = 0; good && i < 3 * count; i++) {
        size_t from = 3 * (size_t)order[i / 3].triangle + i % 3;
        s.corners[i] = world[from];
        local[i] = p->corners[from];
    }
    good = good && closing_find(&s, local);
    for (size_t i = 0; good && i < count; i++) {
        const point *c = s.corners + 3 * i;
        double area = point_length(point_cross(point_less(c[1], c[0]),
                                               point_less(c[2], c[0]))) /
                      2;
        point middle =
            point_times(point_add(point_add(c[0], c[1]), c[2]), 1.0 / 3);
        s.centre = point_add(s.centre, point_times(middle, area));
        s.area += area;
    }
    if (good)
        s.box = s.nodes[0].box;
    s.centre =
        s.area > 0 ? point_times(s.centre, 1 / s.area) : extent_middle(&s.box);
    free(local);
    free(world);
    free(order);
    if (good)
        *ret = s;
    if (!good)
        solid_free(&s);
    return good;
}

void solid_free(solid *s)
{
    if (!s)
        return;
    free(s->corners);
    free(s->nodes);
    free(s->is_closing);
    *s = (solid){NULL,      0, NULL, {{0, 0, 0}, {0, 0, 0}},
                 {0, 0, 0}, 0, NULL, false};
}

/* ---- where triangles meet ---- */

/* Where the edge from p to q goes through triangle c, but not in its plane. */
static bool edge_meets(point p, point q, const point *c, point *ret)
{
    point along = point_less(q, p);
    point e1 = point_less(c[1], c[0]);
    point e2 = point_less(c[2], c[0]);
    point h = point_cross(along, e2);
    double det = point_dot(e1, h);
    double size = point_length(along) * point_length(e1) * point_length(e2);
    if (!(fabs(det) > 1e-12 * size))
        return false;
    point from = point_less(p, c[0]);
    double u = point_dot(from, h) / det;
    if (u < 0 || u > 1)
        return false;
    point k = point_cross(from, e1);
    double v = point_dot(along, k) / det;
    if (v < 0 || u + v > 1)
        return false;
    double t = point_dot(e2, k) / det;
    if (t < 0 || t > 1)
        return false;
    *ret = point_add(p, point_times(along, t));
    return true;
}

typedef struct piercing {
    const solid *a, *b;
    point shift;
    solid_meeting *meeting;
    void *context;
    bool has_met, is_over;
} piercing;

static void piercing_tell(piercing *x, point where)
{
    x->has_met = true;
    x->is_over = !x->meeting || !x->meeting(x->context, where);
}

static void triangles_pierce(piercing *x, size_t i, size_t j)
{
    point a[3];
    const point *b = x->b->corners + 3 * j;
    for (int k = 0; k < 3; k++)
        a[k] = point_add(x->a->corners[3 * i + (size_t)k], x->shift);
    for (int k = 0; k < 3 && !x->is_over; k++) {
        point where;
        int next = (k + 1) % 3;
        if (edge_meets(a[k], a[next], b, &where))
            piercing_tell(x, where);
        if (!x->is_over && edge_meets(b[k], b[next], a, &where))
            piercing_tell(x, where);
    }
}

static void leaves_pierce(piercing *x, const solid_node *p, const solid_node *q)
{
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        extent e = triangle_extent(x->a->corners + 3 * (size_t)i);
        for (uint32_t j = q->first; j < q->first + q->count && !x->is_over;
             j++) {
            extent f = triangle_extent(x->b->corners + 3 * (size_t)j);
            if (extent_meets(&e, x->shift, 0, &f))
                triangles_pierce(x, i, j);
        }
    }
}

static double extent_bulk(const extent *e)
{
    point size = extent_size(e);
    return size.x + size.y + size.z;
}

bool solid_pierces(const solid *a,
                   point shift,
                   const solid *b,
                   solid_meeting *meeting,
                   void *context)
{
    piercing x = {a, b, shift, meeting, context, false, false};
    uint32_t stack[STACK][2] = {{0, 0}};
    size_t depth = 1;
    while (depth > 0 && !x.is_over) {
        depth--;
        uint32_t i = stack[depth][0];
        uint32_t j = stack[depth][1];
        const solid_node *p = &a->nodes[i];
        const solid_node *q = &b->nodes[j];
        if (!extent_meets(&p->box, shift, 0, &q->box))
            continue;
        if (p->count && q->count) {
            leaves_pierce(&x, p, q);
            continue;
        }
        bool halves_a = !p->count && (q->count || extent_bulk(&p->box) >
                                                      extent_bulk(&q->box));
        /* the depth of both trees together is far below STACK */
        for (int k = 0; k < 2; k++) {
            uint32_t of_a = k ? p->first : i + 1;
            uint32_t of_b = k ? q->first : j + 1;
            stack[depth][0] = halves_a ? of_a : i;
            stack[depth][1] = halves_a ? j : of_b;
            depth++;
        }
    }
    return x.has_met;
}

bool solid_meets_edge(const solid *s, point p, point q, point *ret)
{
    extent e = extent_empty();
    extent_grow(&e, p);
    extent_grow(&e, q);
    uint32_t stack[STACK] = {0};
    size_t depth = 1;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        const solid_node *node = &s->nodes[at];
        if (!extent_meets(&e, (point){0, 0, 0}, 0, &node->box))
            continue;
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            if (edge_meets(p, q, s->corners + 3 * (size_t)i, ret))
                return true;
        }
        if (node->count)
            continue;
        stack[depth++] = at + 1;
        stack[depth++] = node->first;
    }
    return false;
}

/* ---- within ---- */

static double solid_angle(const point *c, point p)
{
    point a = point_less(c[0], p);
    point b = point_less(c[1], p);
    point d = point_less(c[2], p);
    double la = point_length(a);
    double lb = point_length(b);
    double ld = point_length(d);
    double top = point_dot(a, point_cross(b, d));
    double bottom = la * lb * ld + point_dot(a, b) * ld + point_dot(b, d) * la +
                    point_dot(d, a) * lb;
    return 2 * atan2(top, bottom);
}

bool solid_holds(const solid *s, point p)
{
    if (!s->has_closed || !extent_has(&s->box, p))
        return false;
    double sum = 0;
    for (size_t i = 0; i < s->triangles; i++) {
        if (s->is_closing[i])
            sum += solid_angle(s->corners + 3 * i, p);
    }
    return fabs(sum) > 2 * 3.14159265358979;
}

point solid_sample(const solid *s, size_t i, size_t of)
{
    const point *c = s->corners + 3 * (i * s->triangles / of);
    return point_times(point_add(point_add(c[0], c[1]), c[2]), 1.0 / 3);
}
