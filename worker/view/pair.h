/* Two doubles at once: by SSE2 where the processor has it, else one after the other. Both round each number alone, so the
 * bits are the same. A result of a comparison has a bit a number, the first one lowest; with a NaN it is 0. */
#ifndef ETNA_WORKER_VIEW_PAIR_H
#define ETNA_WORKER_VIEW_PAIR_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>

typedef __m128d pair;

static inline pair pair_set(double both) { return _mm_set1_pd(both); }
static inline pair pair_load(const double *from) { return _mm_loadu_pd(from); }
static inline void pair_store(double *to, pair p) { _mm_storeu_pd(to, p); }
static inline pair pair_add(pair a, pair b) { return _mm_add_pd(a, b); }
static inline pair pair_mul(pair a, pair b) { return _mm_mul_pd(a, b); }
static inline int pair_less(pair a, pair b) { return _mm_movemask_pd(_mm_cmplt_pd(a, b)); }
static inline int pair_at_least_0(pair p) { return _mm_movemask_pd(_mm_cmpge_pd(p, _mm_setzero_pd())); }
static inline void pair_store_4(uint32_t *to, uint32_t each)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_set1_epi32((int)each));
}
#else

typedef struct pair {
    double first, second;
} pair;

static inline pair pair_set(double both) { return (pair){both, both}; }
static inline pair pair_load(const double *from) { return (pair){from[0], from[1]}; }
static inline void pair_store(double *to, pair p)
{
    to[0] = p.first;
    to[1] = p.second;
}
static inline pair pair_add(pair a, pair b) { return (pair){a.first + b.first, a.second + b.second}; }
static inline pair pair_mul(pair a, pair b) { return (pair){a.first * b.first, a.second * b.second}; }
static inline int pair_less(pair a, pair b) { return (a.first < b.first) | (a.second < b.second) << 1; }
static inline int pair_at_least_0(pair p) { return (p.first >= 0) | (p.second >= 0) << 1; }
static inline void pair_store_4(uint32_t *to, uint32_t each)
{
    for (int i = 0; i < 4; i++) to[i] = each;
}
#endif

#endif
