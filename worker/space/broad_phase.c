/* Which objects stand near: a tree over their boxes, so that a question about
 * one costs nothing for those far away. What moved since the tree was grown is
 * kept in a list beside it; when that is long, the tree is grown anew. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

enum {
    LEAF_OBJECTS = 8, /* at most in a leaf */
    STACK_NODES = 64, /* of a walk: halving keeps the depth below 32 */
    /* so many may have moved before the tree is grown anew */
    LOOSE_MIN = 32
};

typedef struct broad_phase_node {
    box3 box;
    /* leaf: into order; inner (count 0): first is the left child, the right one
     * follows */
    uint32_t first, count;
} broad_phase_node;

struct broad_phase {
    uint32_t n, node_count, loose_count;
    broad_phase_node *nodes;
    uint32_t *order, *loose, *found;
    bool *is_loose;
    bool grown;
};

typedef struct keyed {
    double at;
    uint32_t object;
} keyed;

/* All memory at once: moving an object never allocates. */
etna_code broad_phase_new(const scene *s, broad_phase **ret, etna_error *err)
{
    size_t n = (size_t)s->object_count + 1;
    broad_phase *c = calloc(1, sizeof *c);
    if (c) {
        c->n = s->object_count;
        c->nodes = malloc(2 * n * sizeof *c->nodes);
        c->order = malloc(n * sizeof *c->order);
        c->loose = malloc(n * sizeof *c->loose);
        c->found = malloc(n * sizeof *c->found);
        c->is_loose = calloc(n, sizeof *c->is_loose);
    }
    bool has_tree = c && c->nodes && c->order;
    bool has_lists = has_tree && c->loose && c->found;
    if (!has_lists || !c->is_loose) {
        broad_phase_free(c);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         s->object_count);
    }
    *ret = c;
    return ETNA_OK;
}

void broad_phase_free(broad_phase *c)
{
    if (!c)
        return;
    free(c->nodes);
    free(c->order);
    free(c->loose);
    free(c->found);
    free(c->is_loose);
    free(c);
}

void broad_phase_moved(broad_phase *c, uint32_t object)
{
    if (!c->grown || c->is_loose[object])
        return;
    c->is_loose[object] = true;
    c->loose[c->loose_count++] = object;
}

static int compare_keyed(const void *a, const void *b)
{
    const keyed *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->object > q->object) - (p->object < q->object);
}

static box3 box_of_run(const broad_phase *c,
                       const object_state *all,
                       uint32_t first,
                       uint32_t count)
{
    box3 box = all[c->order[first]].box;
    for (uint32_t i = first + 1; i < first + count; i++) {
        box.min = v3_min(box.min, all[c->order[i]].box.min);
        box.max = v3_max(box.max, all[c->order[i]].box.max);
    }
    return box;
}

/* Halves along the longest side of where the centres are. */
static void broad_phase_halve(broad_phase *c,
                              const object_state *all,
                              keyed *keys,
                              uint32_t first,
                              uint32_t count)
{
    vec3 low = {INFINITY, INFINITY, INFINITY};
    vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = first; i < first + count; i++) {
        const box3 *b = &all[c->order[i]].box;
        vec3 m = v3_add(b->min, b->max);
        low = v3_min(low, m);
        high = v3_max(high, m);
    }
    vec3 d = v3_sub(high, low);
    int axis = d.y >= d.z ? 1 : 2;
    if (d.x >= d.y && d.x >= d.z)
        axis = 0;
    for (uint32_t i = 0; i < count; i++) {
        const box3 *b = &all[c->order[first + i]].box;
        keys[i] = (keyed){v3_get(b->min, axis) + v3_get(b->max, axis),
                          c->order[first + i]};
    }
    qsort(keys, count, sizeof *keys, compare_keyed);
    for (uint32_t i = 0; i < count; i++)
        c->order[first + i] = keys[i].object;
}

/* Halved by count, so the depth is bounded by the number of objects whatever
 * their places. */
static etna_code broad_phase_grow(broad_phase *c,
                                  const object_state *all,
                                  etna_error *err)
{
    struct {
        uint32_t node, first, count;
    } stack[STACK_NODES];
    uint32_t top = 0;
    keyed *keys = malloc(((size_t)c->n + 1) * sizeof *keys);
    if (!keys)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        c->order[i] = i;
        c->is_loose[i] = false;
    }
    c->loose_count = c->node_count = 0;
    if (c->n) {
        c->node_count = 1;
        stack[top].node = stack[top].first = 0;
        stack[top++].count = c->n;
    }
    while (top > 0) {
        top--;
        uint32_t node = stack[top].node;
        uint32_t first = stack[top].first;
        uint32_t count = stack[top].count;
        c->nodes[node] =
            (broad_phase_node){box_of_run(c, all, first, count), first, count};
        if (count <= LEAF_OBJECTS)
            continue;
        broad_phase_halve(c, all, keys, first, count);
        c->nodes[node].first = c->node_count;
        c->nodes[node].count = 0;
        for (uint32_t k = 0; k < 2; k++) {
            stack[top].node = c->node_count + k;
            stack[top].first = k ? first + count / 2 : first;
            stack[top++].count = k ? count - count / 2 : count / 2;
        }
        c->node_count += 2;
    }
    c->grown = true;
    free(keys);
    return ETNA_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a;
    uint32_t q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* Writes the objects of the tree that are near to c->found; how many. Those
 * that moved since it was grown are loose. */
static uint32_t broad_phase_query_tree(broad_phase *c,
                                       const object_state *all,
                                       const box3 *box,
                                       double margin)
{
    uint32_t stack[STACK_NODES], top = 0, n = 0;
    if (c->node_count)
        stack[top++] = 0;
    while (top > 0) {
        const broad_phase_node *node = &c->nodes[stack[--top]];
        if (!box3_meet(&node->box, box, margin))
            continue;
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            uint32_t o = c->order[i];
            if (!c->is_loose[o] && box3_meet(&all[o].box, box, margin))
                c->found[n++] = o;
        }
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = node->first + 1;
        }
    }
    return n;
}

/* Ascending, which is what makes results independent of the tree's shape. *ret
 * is valid until the next call. */
etna_code broad_phase_near(broad_phase *c,
                           const object_state *all,
                           const box3 *box,
                           double margin,
                           const uint32_t **ret,
                           uint32_t *ret_count,
                           etna_error *err)
{
    if (!c->grown || c->loose_count > LOOSE_MIN + c->n / 16) {
        etna_code code = broad_phase_grow(c, all, err);
        if (code)
            return code;
    }
    uint32_t n = broad_phase_query_tree(c, all, box, margin);
    for (uint32_t i = 0; i < c->loose_count; i++)
        if (box3_meet(&all[c->loose[i]].box, box, margin))
            c->found[n++] = c->loose[i];
    qsort(c->found, n, sizeof *c->found, compare_numbers);
    *ret = c->found;
    *ret_count = n;
    return ETNA_OK;
}
