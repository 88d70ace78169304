/* Warm scenes: imported scenes with their BVHs, shared by the jobs of a process
 * and kept while memory allows, so that the second task on a scene costs no
 * import. Thread-safe. */
#ifndef ETNA_WORKER_JOBS_SCENE_CACHE_H
#define ETNA_WORKER_JOBS_SCENE_CACHE_H

#include "proto/lru.h"
#include "worker/jobs/job.h"
#include "worker/jobs/solve_cache.h"
#include "worker/jobs/view_cache.h"
#include "worker/probe/probe.h"
#include "worker/view/view.h"

typedef struct cached_scene {
    /* its key: the hash of the bundle's blob; its bytes are estimated */
    lru_entry kept;
    scene *scene;
    space_shared *shared;
    probe_shared *probes;
    space_support_state start; /* who stands on what at S_0 */
    uint8_t *bundle;           /* for export; owned */
    size_t bundle_size;
    view_cache *seen;
    solve_cache *solved;
    /* Camera "auto", and the last "auto:..." that was asked for: found by many
     * rays; "" at first. */
    char derived_for[2][VIEW_REQUEST_SIZE];
    scene_camera derived[2];
    /* camera "cutaway", "top" or "orbit:...", likewise */
    char cut_for[VIEW_REQUEST_SIZE];
    scene_camera cut;
} cached_scene;

/* The warm scene of that hash, pinned, or NULL. Pair with
 * scene_cache_release. */
cached_scene *scene_cache_acquire(job_shared *shared, const etna_hash *hash);
/* Imports `bundle` (taken over in every case), enters it pinned and evicts the
 * least recently used scenes that nobody pins above the memory bound. When
 * another job has entered the same scene meanwhile, or is just about it, that
 * one is returned: a scene that several tasks want at once is imported once. */
etna_code scene_cache_import(job_shared *shared,
                             const etna_hash *hash,
                             uint8_t *bundle,
                             size_t size,
                             cached_scene **ret_scene,
                             etna_error *err);
uint32_t scene_cache_imports(job_shared *shared); /* begun so far; for tests */
uint32_t scene_cache_threads(const job_shared *shared); /* as they were set */
struct image_cache *scene_cache_images(job_shared *shared); /* image_cache.h */
/* The camera of a request that view_read_cutaway() reads, and its mask onto
 * `sp`, which stands at S_0. */
etna_code scene_cache_cutaway(job_shared *shared,
                              cached_scene *scene,
                              const char *request,
                              space *sp,
                              scene_camera *ret_camera,
                              etna_error *err);
/* The camera of a request that begins with "auto" (view_choose_camera); `sp`
 * stands at S_0. */
etna_code scene_cache_derive(job_shared *shared,
                             cached_scene *scene,
                             const char *request,
                             const space *sp,
                             scene_camera *ret_camera,
                             etna_error *err);
/* NULL is fine */
void scene_cache_release(job_shared *shared, cached_scene *scene);

#endif
