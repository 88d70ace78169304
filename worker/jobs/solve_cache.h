/* The last solves of a warm scene that no seed matters to: with a Place, the
 * four branches of a plan ask the very same. The first computes, the others
 * wait for it and take its answer, the same bits. Thread-safe. */
#ifndef ETNA_WORKER_JOBS_SOLVE_CACHE_H
#define ETNA_WORKER_JOBS_SOLVE_CACHE_H

#include "worker/solve/solve.h"

typedef struct solve_cache solve_cache; /* of one warm scene */

/* ETNA_E_NOMEM. */
etna_code solve_cache_new(solve_cache **ret, etna_error *err);
/* NULL is fine; nobody uses it any more. */
void solve_cache_free(solve_cache *cache);

/* What solve_run says of the request, where `sp` stands at the snapshot of that
 * hash. `constraints` is the text of the request's; its start and rules are as
 * that snapshot and the rules have them. A failure is not kept. */
etna_code solve_cache_run(solve_cache *cache,
                          const etna_hash *at,
                          const char *constraints,
                          space *sp,
                          probe_shared *probes,
                          const solve_request *request,
                          solve_result *ret,
                          etna_error *err);
/* How many were computed; for tests. */
uint32_t solve_cache_computed(solve_cache *cache);

#endif
