/* Shapes and undersides at the base pose: built when first asked for, once,
 * shared by all who ask. Where all of a scene could be more than their budget,
 * who uses one pins it, and what is unused for longest is evicted. A scene
 * within its budget pays nothing for this. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

enum {
    CACHED_SHAPE,
    CACHED_UNDERSIDE
};
/* What a shape has of a triangle and of a vertex, and the most that an
 * underside usually takes. */
enum {
    TRIANGLE_BYTES = 3 * 4 + sizeof(bvh_link),
    VERTEX_BYTES = 8,
    FEET_BYTES = 8192
};

/* Before anybody asks for a shape. */
void shared_bound(space_shared *shared, size_t bytes)
{
    const scene *s = shared->scene;
    size_t all = s->object_count * (size_t)FEET_BYTES;
    for (uint32_t i = 0; i < shared->shape_count; i++) {
        const scene_object *o = &s->objects[shared->shape_first[i]];
        all += sizeof(shape) + o->triangle_count * (size_t)TRIANGLE_BYTES;
        for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++)
            all +=
                s->meshes[s->parts[p].mesh].vertex_count * (size_t)VERTEX_BYTES;
    }
    shared->shape_cache_max = bytes;
    shared->bounded = all > bytes;
}

/* ---- eviction: under the cache's lock, but for shape_cache_destroy ---- */

static void shape_cache_forget(void *owner, lru_item *item)
{
    space_shared *shared = owner;
    if (item->kind == CACHED_SHAPE)
        atomic_store_explicit(&shared->shapes[item->number], NULL,
                              memory_order_relaxed);
    else
        atomic_store_explicit(&shared->undersides[item->number], NULL,
                              memory_order_relaxed);
}

/* What it returns is freed outside of the lock. */
static lru_item *shape_cache_trim(space_shared *shared)
{
    lru_item *gone = lru_trim(&shared->shape_cache, shared->shape_cache_max,
                              shape_cache_forget, shared);
    atomic_store_explicit(&shared->shape_cache_bytes, shared->shape_cache.bytes,
                          memory_order_relaxed);
    return gone;
}

/* An lru's destroyer. */
static void shape_cache_destroy(lru_item *item)
{
    if (item->kind == CACHED_SHAPE)
        shape_free((shape *)item);
    else
        free(item);
}

/* What goes is freed outside of the lock. */
static void shape_cache_unpin(space_shared *shared, lru_item *item)
{
    pthread_mutex_lock(&shared->cache_lock);
    lru_unpin(&shared->shape_cache, item);
    lru_item *gone = shape_cache_trim(shared);
    pthread_mutex_unlock(&shared->cache_lock);
    lru_destroy(gone, shape_cache_destroy);
}

/* Nobody asks any more. */
void shared_shapes_free(space_shared *shared)
{
    for (uint32_t i = 0; shared->undersides && i < shared->scene->object_count;
         i++)
        free(atomic_load(&shared->undersides[i]));
    for (uint32_t i = 0; shared->shapes && i < shared->shape_count; i++)
        shape_free(atomic_load(&shared->shapes[i]));
}

/* ---- shapes ---- Pinned where the scene is bounded; else shapes stay for ever
 * and a plain load does. */
static shape *take_shape(space_shared *shared, uint32_t number)
{
    if (!shared->bounded)
        return atomic_load_explicit(&shared->shapes[number],
                                    memory_order_acquire);
    pthread_mutex_lock(&shared->cache_lock);
    shape *sh =
        atomic_load_explicit(&shared->shapes[number], memory_order_relaxed);
    if (sh)
        lru_pin(&shared->shape_cache, &sh->item);
    pthread_mutex_unlock(&shared->cache_lock);
    return sh;
}

/* From here on others see it. */
static void publish_shape(space_shared *shared, uint32_t number, shape *sh)
{
    sh->item.kind = CACHED_SHAPE;
    sh->item.number = number;
    if (shared->bounded)
        pthread_mutex_lock(&shared->cache_lock);
    if (shared->bounded)
        lru_add(&shared->shape_cache, &sh->item);
    atomic_store_explicit(&shared->shapes[number], sh, memory_order_release);
    lru_item *gone = shared->bounded ? shape_cache_trim(shared) : NULL;
    if (shared->bounded)
        pthread_mutex_unlock(&shared->cache_lock);
    lru_destroy(gone, shape_cache_destroy);
}

/* Pinned where memory is bounded: shared_shape_release. */
etna_code shared_shape(space_shared *shared,
                       uint32_t object,
                       shape **ret,
                       etna_error *err)
{
    uint32_t number = shared->shape_of[object];
    shape *sh = take_shape(shared, number);
    etna_code code = ETNA_OK;
    if (!sh) {
        pthread_mutex_lock(&shared->locks[number % SPACE_LOCKS]);
        sh = take_shape(shared, number);
        /* Always where the first of them stands, whoever is asked for first. */
        if (!sh &&
            (code = shape_build(shared->scene, shared->shape_first[number], &sh,
                                err)) == ETNA_OK)
            publish_shape(shared, number, sh);
        pthread_mutex_unlock(&shared->locks[number % SPACE_LOCKS]);
    }
    if (code == ETNA_OK)
        *ret = sh;
    return code;
}

/* Its links are more of the same shape. */
static void count_tree(space_shared *shared, shape *sh)
{
    if (!shared->bounded)
        return;
    pthread_mutex_lock(&shared->cache_lock);
    lru_grow(&shared->shape_cache, &sh->item,
             sh->node_count * sizeof *sh->links);
    lru_item *gone = shape_cache_trim(shared);
    pthread_mutex_unlock(&shared->cache_lock);
    lru_destroy(gone, shape_cache_destroy);
}

/* The tree is made only for who needs it. */
etna_code shared_tree(space_shared *shared,
                      uint32_t object,
                      const shape **ret,
                      etna_error *err)
{
    shape *sh = NULL;
    etna_code code = shared_shape(shared, object, &sh, err);
    if (code)
        return code;
    if (!atomic_load_explicit(&sh->has_tree, memory_order_acquire)) {
        pthread_mutex_t *lock =
            &shared->locks[shared->shape_of[object] % SPACE_LOCKS];
        pthread_mutex_lock(lock);
        if (!atomic_load_explicit(&sh->has_tree, memory_order_acquire)) {
            code = shape_grow_tree(shared->scene, sh, err);
            if (!code)
                count_tree(shared, sh);
        }
        pthread_mutex_unlock(lock);
    }
    if (code) {
        shared_shape_release(shared, sh);
        return code;
    }
    *ret = sh;
    return ETNA_OK;
}

/* NULL is fine. */
void shared_shape_release(space_shared *shared, const shape *sh)
{
    if (!sh || !shared->bounded)
        return;
    shape_cache_unpin(shared,
                      &atomic_load_explicit(&shared->shapes[sh->item.number],
                                            memory_order_relaxed)
                           ->item);
}

/* ---- undersides ---- NULL: it is not there. NULL: not made yet. */
const cached_underside *shared_underside(space_shared *shared, uint32_t object)
{
    if (!shared->bounded)
        return atomic_load_explicit(&shared->undersides[object],
                                    memory_order_acquire);
    pthread_mutex_lock(&shared->cache_lock);
    cached_underside *cached =
        atomic_load_explicit(&shared->undersides[object], memory_order_relaxed);
    if (cached)
        lru_pin(&shared->shape_cache, &cached->item);
    pthread_mutex_unlock(&shared->cache_lock);
    return cached;
}

/* Of what shared_underside gave. */
void shared_underside_release(space_shared *shared,
                              const cached_underside *cached)
{
    if (!shared->bounded)
        return;
    shape_cache_unpin(
        shared, &atomic_load_explicit(&shared->undersides[cached->item.number],
                                      memory_order_relaxed)
                     ->item);
}

/* Two threads may both find it: they find the same, and one keeps it. */
void shared_underside_keep(space_shared *shared,
                           uint32_t object,
                           cached_underside *cached)
{
    cached_underside *none = NULL;
    cached->item.kind = CACHED_UNDERSIDE;
    cached->item.number = object;
    if (!shared->bounded) {
        if (!atomic_compare_exchange_strong(&shared->undersides[object], &none,
                                            cached))
            free(cached);
        return;
    }
    pthread_mutex_lock(&shared->cache_lock);
    bool mine = atomic_load_explicit(&shared->undersides[object],
                                     memory_order_relaxed) == NULL;
    if (mine) {
        atomic_store_explicit(&shared->undersides[object], cached,
                              memory_order_relaxed);
        lru_add(&shared->shape_cache, &cached->item);
        lru_unpin(&shared->shape_cache, &cached->item);
    }
    lru_item *gone = shape_cache_trim(shared);
    pthread_mutex_unlock(&shared->cache_lock);
    lru_destroy(gone, shape_cache_destroy);
    if (!mine)
        free(cached);
}
