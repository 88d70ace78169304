/* A tree of boxes over an object's triangles, by the binned surface area
 * heuristic; plain halving of the centres' order below a depth that only
 * hostile geometry reaches, so that every walk's stack is bounded. No hash, no
 * pointer order: the same tree everywhere. */
#include "worker/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

/* bins of an axis; the depth from which runs are halved */
enum {
    BINS = 12,
    SAH_DEPTH = 34
};

typedef struct item {
    box3 box;
    uint32_t triangle;
} item;

typedef struct build {
    item *items;
    bvh_link *nodes;
    uint32_t node_count;
} build;

static void box_add(box3 *a, const box3 *b)
{
    a->min = v3_min(a->min, b->min);
    a->max = v3_max(a->max, b->max);
}
/* Twice the centre: only compared. */
static double item_centre(const item *i, int axis)
{
    return v3_get(i->box.min, axis) + v3_get(i->box.max, axis);
}
static double half_area(const box3 *b)
{
    vec3 d = v3_sub(b->max, b->min);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

/* Ties by the triangle's number: one order everywhere, whatever qsort is. */
static int compare_axis(const item *a, const item *b, int axis)
{
    double ca = item_centre(a, axis);
    double cb = item_centre(b, axis);
    if (ca < cb)
        return -1;
    if (ca > cb)
        return 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}
static int compare_x(const void *a, const void *b)
{
    return compare_axis(a, b, 0);
}
static int compare_y(const void *a, const void *b)
{
    return compare_axis(a, b, 1);
}
static int compare_z(const void *a, const void *b)
{
    return compare_axis(a, b, 2);
}

static uint32_t bin_of(double c, double low, double scale)
{
    double k = (c - low) * scale;
    if (k < 0)
        return 0;
    return k >= BINS - 1 ? BINS - 1 : (uint32_t)k;
}

typedef struct bin_sum {
    box3 box; /* of nothing while count is 0 */
    uint32_t count;
} bin_sum;

static inline void bin_join(bin_sum *b, const box3 *box, uint32_t count)
{
    if (count == 0)
        return;
    if (b->count)
        box_add(&b->box, box);
    else
        b->box = *box;
    b->count += count;
}

/* The best plane of one axis; INFINITY when none parts the run. */
static double bin_cost(const item *items,
                       uint32_t count,
                       int axis,
                       double low,
                       double high,
                       uint32_t *ret_bin)
{
    bin_sum bins[BINS] = {{{{0, 0, 0}, {0, 0, 0}}, 0}};
    double right_cost[BINS];
    double scale = BINS / (high - low);
    double best = INFINITY;
    if (!(high > low) || !isfinite(scale))
        return INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = bin_of(item_centre(&items[i], axis), low, scale);
        bin_join(&bins[b], &items[i].box, 1);
    }
    bin_sum sum = {.count = 0};
    for (uint32_t b = BINS - 1; b > 0; b--) {
        bin_join(&sum, &bins[b].box, bins[b].count);
        right_cost[b] = sum.count ? half_area(&sum.box) * sum.count : INFINITY;
    }
    sum.count = 0;
    for (uint32_t b = 0; b + 1 < BINS; b++) {
        bin_join(&sum, &bins[b].box, bins[b].count);
        double cost = sum.count
                          ? half_area(&sum.box) * sum.count + right_cost[b + 1]
                          : INFINITY;
        if (cost < best) {
            best = cost;
            *ret_bin = b;
        }
    }
    return best;
}

/* Parts items[0..count) and says how many go left: by the heuristic, else in
 * halves. A run whose centres are all in one place has no plane that parts it:
 * it is halved by order. */
static uint32_t items_part(item *items, uint32_t count, uint32_t depth)
{
    vec3 low = {INFINITY, INFINITY, INFINITY};
    vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        vec3 c = v3_add(items[i].box.min, items[i].box.max);
        low = v3_min(low, c);
        high = v3_max(high, c);
    }
    int axis = -1, widest = 0;
    uint32_t bin = 0;
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        uint32_t b = 0;
        double cost =
            depth < SAH_DEPTH
                ? bin_cost(items, count, k, v3_get(low, k), v3_get(high, k), &b)
                : INFINITY;
        if (cost < best) {
            best = cost;
            axis = k;
            bin = b;
        }
        if (v3_get(high, k) - v3_get(low, k) >
            v3_get(high, widest) - v3_get(low, widest))
            widest = k;
    }
    if (axis < 0) {
        static int (*const compare[])(const void *, const void *) = {
            compare_x, compare_y, compare_z};
        qsort(items, count, sizeof *items, compare[widest]);
        return count / 2;
    }
    double scale = BINS / (v3_get(high, axis) - v3_get(low, axis));
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bin_of(item_centre(&items[i], axis), v3_get(low, axis), scale) <=
            bin) {
            item swap = items[i];
            items[i] = items[left];
            items[left++] = swap;
        }
    return left;
}

/* An explicit stack: the depth is SAH_DEPTH and as much again by halving. */
static void bvh_grow(build *b, uint32_t count)
{
    struct {
        uint32_t node, first, count, depth;
    } stack[BVH_STACK];
    uint32_t top = 0;
    b->node_count = 1;
    stack[top].node = stack[top].first = stack[top].depth = 0;
    stack[top++].count = count;
    while (top > 0) {
        top--;
        uint32_t node = stack[top].node;
        uint32_t first = stack[top].first;
        uint32_t n = stack[top].count;
        uint32_t depth = stack[top].depth;
        if (n <= BVH_LEAF) {
            b->nodes[node].first = first;
            b->nodes[node].count = n;
            continue;
        }
        uint32_t left = items_part(b->items + first, n, depth);
        if (left == 0 || left == n)
            left = n / 2;
        b->nodes[node].first = b->node_count;
        b->nodes[node].count = 0;
        for (uint32_t k = 0; k < 2; k++) {
            stack[top].node = b->node_count + k;
            stack[top].first = k ? first + left : first;
            stack[top].count = k ? n - left : left;
            stack[top++].depth = depth + 1;
        }
        b->node_count += 2;
    }
}

/* `index` is put into the tree's order, so a leaf's triangles lie together; on
 * failure it is as it was. */
etna_code bvh_build(const vec3 *vertex,
                    uint32_t *index,
                    uint32_t count,
                    bvh_link **ret_links,
                    uint32_t *ret_count,
                    etna_error *err)
{
    build b = {.items = malloc(((size_t)count + 1) * sizeof(item)),
               .nodes = malloc((2 * (size_t)count + 1) * sizeof(bvh_link))};
    uint32_t *order = malloc((3 * (size_t)count + 1) * sizeof *order);
    if (!b.items || !b.nodes || !order) {
        free(b.items);
        free(b.nodes);
        free(order);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for a tree over %u triangles",
                         count);
    }
    for (uint32_t i = 0; i < count; i++) {
        vec3 p = vertex[index[3 * (size_t)i]];
        vec3 q = vertex[index[3 * (size_t)i + 1]];
        vec3 r = vertex[index[3 * (size_t)i + 2]];
        b.items[i].box =
            (box3){v3_min(p, v3_min(q, r)), v3_max(p, v3_max(q, r))};
        b.items[i].triangle = i;
    }
    if (count > 0) {
        bvh_grow(&b, count);
        for (uint32_t i = 0; i < count; i++)
            memcpy(order + 3 * (size_t)i,
                   index + 3 * (size_t)b.items[i].triangle, 3 * sizeof *order);
        memcpy(index, order, 3 * (size_t)count * sizeof *order);
    }
    free(order);
    free(b.items);
    bvh_link *fitting =
        realloc(b.nodes, ((size_t)b.node_count + 1) * sizeof *fitting);
    if (!fitting) {
        free(b.nodes);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for a tree over %u triangles",
                         count);
    }
    *ret_links = fitting;
    *ret_count = b.node_count;
    return ETNA_OK;
}

/* Children have greater numbers than their parents, so one pass from the end is
 * enough. */
void bvh_fit(const bvh_link *links,
             uint32_t count,
             const vec3 *vertex,
             const uint32_t *index,
             bvh_node *nodes)
{
    for (uint32_t i = count; i-- > 0;) {
        bvh_node *n = &nodes[i];
        n->first = links[i].first;
        n->count = links[i].count;
        if (n->count == 0) {
            n->box = nodes[n->first].box;
            box_add(&n->box, &nodes[n->first + 1].box);
            continue;
        }
        const uint32_t *t = index + 3 * (size_t)n->first;
        n->box = (box3){vertex[t[0]], vertex[t[0]]};
        for (uint32_t k = 1; k < 3 * n->count; k++) {
            n->box.min = v3_min(n->box.min, vertex[t[k]]);
            n->box.max = v3_max(n->box.max, vertex[t[k]]);
        }
    }
}
