#include "worker/jobs/solve_cache.h"
#include "proto/canon.h"
#include "proto/lru.h"
#include "worker/jobs/view_cache.h"

#include <pthread.h>
#include <stdlib.h>

/* of a plan and of what its retries ask, for a few runs at once */
enum {
    SOLVES_MAX = 16
};

/* One answer, or the place where it will be. Who waits for it holds a pin, so
 * that it is not evicted meanwhile. */
typedef struct cached_solve {
    lru_entry kept;
    pthread_mutex_t making; /* guards all below */
    bool ready;
    solve_result result;
} cached_solve;

/* `lock` guards the list and the count, and is never held while something is
 * solved: requests of different keys are solved side by side. */
struct solve_cache {
    pthread_mutex_t lock;
    lru_map list; /* of cached_solve, by count */
    uint32_t computed;
};

etna_code solve_cache_new(solve_cache **ret, etna_error *err)
{
    solve_cache *cache = calloc(1, sizeof *cache);
    if (!cache || pthread_mutex_init(&cache->lock, NULL)) {
        free(cache);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for solves");
    }
    *ret = cache;
    return ETNA_OK;
}

static void cached_solve_destroy(lru_item *item)
{
    cached_solve *own = (cached_solve *)item;
    pthread_mutex_destroy(&own->making);
    free(own);
}

void solve_cache_free(solve_cache *cache)
{
    if (!cache)
        return;
    lru_destroy(lru_map_clear(&cache->list), cached_solve_destroy);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

uint32_t solve_cache_computed(solve_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    const uint32_t computed = cache->computed;
    pthread_mutex_unlock(&cache->lock);
    return computed;
}

/* With a Place nothing is descended, so that no seed matters. */
static bool solve_is_seedless(const solve_request *request)
{
    const constraint_list *list = request->constraints;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].kind == CONSTRAINT_PLACE)
            return true;
    }
    return false;
}

/* The given-up edits, of which the solver asks object, plane and pose. */
static void solve_key_given_up(canon_writer *w, const solve_request *request)
{
    canon_u32(w, request->given_up_count);
    for (uint32_t i = 0; i < request->given_up_count; i++) {
        const arrange_given_up *row = &request->given_up[i];
        canon_text(w, row->object ? row->object : "");
        canon_text(w, row->plane ? row->plane : "");
        for (int k = 0; k < 3; k++)
            canon_f64(w, row->pose.position[k]);
        canon_f64(w, row->pose.yaw);
    }
}

/* Of all that the answer depends on but the seed. A field of solve_request that
 * comes to change the answer must come in here, too: else two requests get the
 * answer of one. */
static bool solve_key(const etna_hash *at,
                      const char *constraints,
                      const solve_request *request,
                      etna_hash *ret)
{
    etna_hash sight;
    canon_writer w = {0};
    if (!sight_key(at, request->camera, &sight))
        return false;
    canon_hash(&w, &sight);
    canon_text(&w, constraints);
    solve_key_given_up(&w, request);
    canon_u8(&w, request->any_place);
    canon_u8(&w, request->paper_solver);
    canon_u8(&w, request->allow_faults);
    canon_u8(&w, request->rules && request->rules->paper_collision);
    canon_u8(&w, request->rules && request->rules->paper_floating);
    const bool ok = !w.failed;
    *ret = etna_hash_bytes(w.data, ok ? w.size : 0);
    canon_writer_free(&w);
    return ok;
}

/* Each entry has a lock of its own, held while it is computed: who asks for the
 * same waits for it, and who asks for another does not. */
static cached_solve *cached_solve_new(const etna_hash *key)
{
    cached_solve *own = calloc(1, sizeof *own);
    if (own && pthread_mutex_init(&own->making, NULL)) {
        free(own);
        return NULL;
    }
    if (own)
        own->kept = (lru_entry){.item.bytes = 1, .key = *key};
    return own;
}

/* The entry of that key, pinned; a new one is not ready yet. NULL: out of
 * memory. */
static cached_solve *solve_cache_enter(solve_cache *cache, const etna_hash *key)
{
    pthread_mutex_lock(&cache->lock);
    cached_solve *own = (cached_solve *)lru_map_pin(&cache->list, key);
    if (!own) {
        own = cached_solve_new(key);
        if (own)
            lru_map_add(&cache->list, &own->kept);
    }
    lru_item *gone = lru_map_trim(&cache->list, SOLVES_MAX);
    pthread_mutex_unlock(&cache->lock);
    lru_destroy(gone, cached_solve_destroy);
    return own;
}

/* The entry may be evicted from now on. `computed` only counts, for tests. */
static void solve_cache_leave(solve_cache *cache,
                              cached_solve *own,
                              bool computed)
{
    pthread_mutex_lock(&cache->lock);
    cache->computed += computed;
    lru_unpin(&cache->list.lru, &own->kept.item);
    pthread_mutex_unlock(&cache->lock);
}

/* After a failure the next one that waits solves it anew, so that each tells an
 * error of its own. */
etna_code solve_cache_run(solve_cache *cache,
                          const etna_hash *at,
                          const char *constraints,
                          space *sp,
                          probe_shared *probes,
                          const solve_request *request,
                          solve_result *ret,
                          etna_error *err)
{
    etna_hash key;
    if (!solve_is_seedless(request) || !request->camera)
        return solve_run(sp, probes, request, ret, err);
    cached_solve *own = solve_key(at, constraints, request, &key)
                            ? solve_cache_enter(cache, &key)
                            : NULL;
    if (!own)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a solve");
    pthread_mutex_lock(&own->making);
    const bool computes = !own->ready;
    etna_code code = ETNA_OK;
    if (computes)
        code = solve_run(sp, probes, request, &own->result, err);
    own->ready = code == ETNA_OK;
    if (own->ready)
        *ret = own->result;
    pthread_mutex_unlock(&own->making);
    solve_cache_leave(cache, own, computes);
    return code;
}
