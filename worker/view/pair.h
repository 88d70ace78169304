/* Two doubles at once, by the compiler's vectors: SSE2 where the processor has
 * it, else what it has. Each number is rounded alone, so the bits are the same
 * everywhere. A result of a comparison has a bit a number, the first one
 * lowest; with a NaN it is 0. */
#ifndef ETNA_WORKER_VIEW_PAIR_H
#define ETNA_WORKER_VIEW_PAIR_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_mask
    /* of a comparison: all bits of a number, or none */
    __attribute__((vector_size(16)));
typedef uint32_t pair_words __attribute__((vector_size(16)));

static inline pair pair_set(double both)
{
    return (pair){both, both};
}
static inline pair pair_load(const double *from)
{
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}
static inline void pair_store(double *to, pair p)
{
    memcpy(to, &p, sizeof p);
}
static inline pair pair_add(pair a, pair b)
{
    return a + b;
}
static inline pair pair_mul(pair a, pair b)
{
    return a * b;
}
static inline int pair_bits(pair_mask mask)
{
#ifdef __SSE2__
    /* one instruction, which compilers do not find by themselves */
    return _mm_movemask_pd((__m128d)mask);
#else
    return (int)(mask[0] & 1) | (int)(mask[1] & 2);
#endif
}
static inline int pair_less(pair a, pair b)
{
    return pair_bits((pair_mask)(a < b));
}
static inline int pair_at_least_0(pair p)
{
    return pair_bits((pair_mask)(p >= pair_set(0)));
}
static inline void pair_store_4(uint32_t *to, uint32_t each)
{
    pair_words four = {each, each, each, each};
    memcpy(to, &four, sizeof four);
}

#endif
