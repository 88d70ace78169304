/* What lies at one place and which triangles share an edge: asked of every mesh before the first ray and the first cut,
 * so by hashing and counting. Numbers follow the order of first appearance, never the hash. */
#include "worker/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double x)
{
    uint64_t b;
    x += 0.0; /* -0 is the same place as 0 */
    memcpy(&b, &x, sizeof b);
    return b;
}

static uint64_t hash_of(vec3 p)
{
    uint64_t h = bits_of(p.x) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32 ^ bits_of(p.y)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ h >> 32 ^ bits_of(p.z)) * 0x94d049bb133111ebull;
    return h ^ h >> 32;
}

bool weld_places(const vec3 *at, uint32_t count, uint32_t **ret_place, uint32_t **ret_first, uint32_t *ret_count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count) size *= 2;
    uint32_t *table = calloc(size, sizeof *table); /* number + 1, or 0 */
    uint32_t *place = malloc(((size_t)count + 1) * sizeof *place), *first = malloc(((size_t)count + 1) * sizeof *first);
    if (!table || !place || !first) {
        free(table);
        free(place);
        free(first);
        return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t slot = hash_of(at[i]) & (size - 1);
        for (; table[slot]; slot = (slot + 1) & (size - 1)) {
            vec3 p = at[first[table[slot] - 1]];
            if (p.x == at[i].x && p.y == at[i].y && p.z == at[i].z) break;
        }
        if (!table[slot]) {
            first[n++] = i;
            table[slot] = n;
        }
        place[i] = table[slot] - 1;
    }
    free(table);
    *ret_place = place;
    if (ret_first)
        *ret_first = first;
    else
        free(first);
    *ret_count = n;
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const weld_edge *p = a, *q = b;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

/* They come by corner; a handful is the rule, but a fan's hub may have millions. */
static void sort_edges(weld_edge *edges, uint32_t count)
{
    if (count > 24) {
        qsort(edges, count, sizeof *edges, compare_edges);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        weld_edge e = edges[i];
        uint32_t k = i;
        for (; k > 0 && edges[k - 1].high > e.high; k--) edges[k] = edges[k - 1];
        edges[k] = e;
    }
}

bool weld_edges(const uint32_t *index, uint32_t triangles, uint32_t places, uint32_t **ret_first, weld_edge **ret_edges)
{
    uint32_t *first = calloc((size_t)places + 2, sizeof *first), n = 3 * triangles;
    weld_edge *edges = malloc(((size_t)n + 1) * sizeof *edges);
    if (!first || !edges) {
        free(first);
        free(edges);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = index[i], b = index[i % 3 == 2 ? i - 2 : i + 1];
        if (a != b) first[(a < b ? a : b) + 2]++;
    }
    for (uint32_t i = 2; i < places + 2; i++) first[i] += first[i - 1];
    for (uint32_t i = 0; i < n; i++) { /* first[p + 1] runs from p's first to p + 1's first */
        uint32_t a = index[i], b = index[i % 3 == 2 ? i - 2 : i + 1];
        if (a != b) edges[first[(a < b ? a : b) + 1]++] = (weld_edge){a < b ? b : a, i};
    }
    for (uint32_t p = 0; p < places; p++) sort_edges(edges + first[p], first[p + 1] - first[p]);
    *ret_first = first;
    *ret_edges = edges;
    return true;
}
