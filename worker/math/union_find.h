/* Sets of numbers that are joined one by one (union-find). A root is the least
 * number of its set, so that what the sets are does not depend on the order of
 * the joins. */
#ifndef ETNA_WORKER_MATH_UNION_FIND_H
#define ETNA_WORKER_MATH_UNION_FIND_H

#include <stdint.h>

/* The root of v's set. At the start each number is its own parent; paths are
 * halved on the way. */
static inline uint32_t union_find_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Makes one set of the two. */
static inline void union_find_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    uint32_t root_a = union_find_root(parent, a);
    uint32_t root_b = union_find_root(parent, b);
    if (root_a < root_b)
        parent[root_b] = root_a;
    else
        parent[root_a] = root_b;
}

#endif
