/* What is the same for every task that looks at one snapshot through one
 * camera: the instance map, what stands on what, the facts. Four branches look
 * at S_{k-1}, three polls at each branch's result, the next plan at the
 * winner's: it is made once a process and remembered with the warm scene, the
 * last few of them. Thread-safe; who comes second waits for the first. */
#ifndef ETNA_WORKER_JOBS_VIEW_CACHE_H
#define ETNA_WORKER_JOBS_VIEW_CACHE_H

#include "worker/agents/facts.h"

typedef struct view_cache view_cache; /* of one warm scene */

typedef struct seen {
    uint32_t width, height;
    const uint32_t *ids;
    const view_colour *colours; /* per object, from the same drawing */
    const space_support_state *support;
    struct cached_view *own;
} seen;

/* What it makes is made on so many threads (0 is 1), the same for any number.
 * ETNA_E_NOMEM. */
etna_code view_cache_new(uint32_t threads,
                         view_cache **ret_table,
                         etna_error *err);
/* NULL is fine; nobody uses it any more */
void view_cache_free(view_cache *table);

/* The seen of `snap` (of that hash) through `camera`; `sp` is the caller's own
 * and stands there, `start` is S_0's and outlives the table. `hash` and `snap`
 * NULL: of the scene as its file has it, without support. Made here when it is
 * new. Pair with view_cache_release. */
etna_code view_cache_acquire(view_cache *table,
                             space *sp,
                             const etna_hash *hash,
                             const snapshot *snap,
                             const scene_camera *camera,
                             const space_support_state *start,
                             seen **ret_seen,
                             etna_error *err);
void view_cache_release(view_cache *table, seen *s); /* NULL is fine */

/* A name for what is seen of the snapshot of that hash (NULL: of none) through
 * the camera. False: out of memory. */
bool sight_key(const etna_hash *hash,
               const scene_camera *camera,
               etna_hash *ret_key);

/* Where a run began that goes on from the end of another: S_0 is that snapshot,
 * not the scene as its file has it. */
typedef struct view_began {
    etna_hash hash;
    const snapshot *snap;
    const space_support_state *support; /* who stood on what there */
} view_began;

/* The facts, without checks or with those of one edit: one text for all who are
 * told the same at a time, as hundreds of conversations wait with it. `began`
 * NULL: S_0 is the scene as its file has it. `first`: S_0's colours, or NULL
 * where `s` is of S_0. `cameras`: that of `s`, and the scene's usual one
 * (facts.h), the same for all of a camera. `any_place`, `brief`: as facts.h's.
 * Pair with view_cache_release_facts, before the table is freed. */
typedef struct cached_facts cached_facts;
etna_code view_cache_facts(view_cache *table,
                           seen *s,
                           const space *sp,
                           probe_shared *probes,
                           const scene_camera *const cameras[2],
                           const facts_checks *checks,
                           const view_began *began,
                           const view_colour *first,
                           bool any_place,
                           bool brief,
                           cached_facts **ret_facts,
                           etna_error *err);
/* NUL-terminated */
const char *cached_facts_json(const cached_facts *text);
/* NULL is fine */
void view_cache_release_facts(view_cache *table, cached_facts *text);

#endif
