/* Which triangles share an edge: asked of every mesh before the first ray and
 * the first cut, so by counting. */
#include "worker/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

static int weld_edge_compare(const void *a, const void *b)
{
    const weld_edge *p = a, *q = b;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

/* They come by corner; a handful is the rule, but a fan's hub may have
 * millions. */
static void sort_edges(weld_edge *edges, uint32_t count)
{
    if (count > 24) {
        qsort(edges, count, sizeof *edges, weld_edge_compare);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        weld_edge e = edges[i];
        uint32_t k = i;
        for (; k > 0 && edges[k - 1].high > e.high; k--)
            edges[k] = edges[k - 1];
        edges[k] = e;
    }
}

/* An edge belongs to its lower corner: a counting sort by it, then each
 * corner's few edges by the higher one. Edges of a corner with itself are left
 * out. False: no memory. */
bool weld_edges(const uint32_t *index,
                uint32_t triangles,
                uint32_t places,
                uint32_t **ret_first,
                weld_edge **ret_edges)
{
    uint32_t *first = calloc((size_t)places + 2, sizeof *first);
    uint32_t n = 3 * triangles;
    weld_edge *edges = malloc(((size_t)n + 1) * sizeof *edges);
    if (!first || !edges) {
        free(first);
        free(edges);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = index[i];
        uint32_t b = index[i % 3 == 2 ? i - 2 : i + 1];
        if (a != b)
            first[(a < b ? a : b) + 2]++;
    }
    for (uint32_t i = 2; i < places + 2; i++)
        first[i] += first[i - 1];
    /* first[p + 1] runs from p's first to p + 1's first */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = index[i];
        uint32_t b = index[i % 3 == 2 ? i - 2 : i + 1];
        uint32_t low = a < b ? a : b;
        uint32_t high = a < b ? b : a;
        if (a != b)
            edges[first[low + 1]++] = (weld_edge){high, i};
    }
    for (uint32_t p = 0; p < places; p++)
        sort_edges(edges + first[p], first[p + 1] - first[p]);
    *ret_first = first;
    *ret_edges = edges;
    return true;
}
