/* Sets of things, as phrases mean them: objects ascend, and `need` of them are
 * meant. Lists live in the reader's arena. */
#ifndef ETNA_WORKER_BUILTIN_READ_SET_H
#define ETNA_WORKER_BUILTIN_READ_SET_H

#include "worker/builtin/read/reader.h"

/* Looks through all of it: sets are small. */
bool set_has(const builtin_set *set, uint32_t object);
/* Does a move of the reading, from that one on, have the thing? */
bool reading_moves(const builtin_reading *reading,
                   uint32_t from,
                   uint32_t object);
/* Does one have any of the set? */
bool reading_moves_any(const builtin_reading *reading,
                       uint32_t from,
                       const builtin_set *set);
/* Is all of the part in the whole? An empty part is. */
bool set_is_within(const builtin_set *part, const builtin_set *whole);
/* The thing alone, needed. It borrows the reader's list of indices and
 * allocates nothing. */
builtin_set set_one(const reader *r, uint32_t object);
/* All of both are needed. ETNA_E_NOMEM. */
etna_code set_union(reader *r,
                    const builtin_set *a,
                    const builtin_set *b,
                    builtin_set *ret);
/* What is not in `but`; as many are needed as before, where so many are left.
 * `ret` may be `set`. ETNA_E_NOMEM. */
etna_code set_without(reader *r,
                      const builtin_set *set,
                      const builtin_set *but,
                      builtin_set *ret);

/* All things of the scene that pass. ETNA_E_NOMEM. */
typedef bool set_test(const reader *r, uint32_t object, const void *context);
/* All objects of the scene that pass. */
etna_code set_filter(reader *r,
                     set_test *test,
                     const void *context,
                     builtin_set *ret);

/* The first of those with the least rank; BUILTIN_NONE: the set is empty, or
 * all are INFINITY. */
typedef double set_rank(const reader *r, uint32_t object, const void *context);
/* BUILTIN_NONE: every rank is INFINITY. */
uint32_t set_least(const reader *r,
                   const builtin_set *set,
                   set_rank *rank,
                   const void *context);
/* Sorts a list by rank, least first; what differs by no more than `slack` stays
 * in its order. */
void set_sort(const reader *r,
              uint32_t *list,
              uint32_t count,
              double slack,
              set_rank *rank,
              const void *context);
/* A set of the list's first things, which ascend in it. ETNA_E_NOMEM. */
etna_code set_of_first(reader *r,
                       const uint32_t *list,
                       uint32_t count,
                       builtin_set *ret);
/* The one that is nearest to a thing. */
uint32_t set_nearest(const reader *r, const builtin_set *set, uint32_t object);
/* One of `from` for each of the set, in turn the nearest that is left; `from`
 * has as many. ETNA_E_NOMEM. */
etna_code set_deal(reader *r,
                   const builtin_set *set,
                   const builtin_set *from,
                   builtin_set *ret);
builtin_set set_all(const reader *r); /* the scene's things */
/* All of them that are not in the set. ETNA_E_NOMEM. */
etna_code set_others(reader *r, const builtin_set *set, builtin_set *ret);

#endif
