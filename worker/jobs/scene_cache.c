/* The cache of warm scenes, under one lock; importing happens outside of it.
 *
 * A scene costs seconds to import and megabytes to keep, and most tasks are
 * about the one before: so scenes stay, with their space and planes, as far as
 * memory goes, the one that was not used for longest leaving first. Whoever
 * uses one holds it pinned. When several want a scene that is not there, one
 * imports it and the others wait; one that fails leaves the next to try. */
#include "worker/jobs/scene_cache.h"
#include "worker/jobs/image_cache.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a scene that is being imported; on the stack of who does it */
typedef struct coming {
    etna_hash hash;
    struct coming *next;
} coming;

struct job_shared {
    pthread_mutex_t lock;
    pthread_cond_t came; /* an import has ended */
    coming *coming;
    uint32_t imports;
    lru_map scenes;
    size_t memory; /* bytes of them */
    uint32_t threads;
    image_cache *pictures;
};

/* `memory_bytes` bound what is kept beside what is in use. */
etna_code job_shared_new(size_t memory_bytes,
                         job_shared **ret_shared,
                         etna_error *err)
{
    job_shared *shared = calloc(1, sizeof *shared);
    if (!shared)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the table of scenes");
    bool locks = !pthread_mutex_init(&shared->lock, NULL);
    if (!locks || pthread_cond_init(&shared->came, NULL)) {
        if (locks)
            pthread_mutex_destroy(&shared->lock);
        free(shared);
        return etna_fail(err, ETNA_E_NOMEM,
                         "cannot make a lock for the table of scenes");
    }
    shared->pictures = image_cache_new();
    if (!shared->pictures) {
        pthread_cond_destroy(&shared->came);
        pthread_mutex_destroy(&shared->lock);
        free(shared);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the table of pictures");
    }
    shared->memory = memory_bytes;
    shared->threads = 1;
    *ret_shared = shared;
    return ETNA_OK;
}

/* Before anybody works. */
void job_shared_use_threads(job_shared *shared, uint32_t threads)
{
    shared->threads = threads;
}

struct image_cache *scene_cache_images(job_shared *shared)
{
    return shared->pictures;
}

/* What one piece of work may use. */
uint32_t scene_cache_threads(const job_shared *shared)
{
    return shared->threads;
}

/* An lru's destroyer. */
static void scene_cache_destroy(lru_item *item)
{
    cached_scene *entry = (cached_scene *)item;
    solve_cache_free(entry->solved);
    view_cache_free(entry->seen);
    space_support_free(&entry->start);
    probe_shared_free(entry->probes);
    space_shared_free(entry->shared);
    scene_free(entry->scene);
    free(entry->bundle);
    free(entry);
}

/* NULL is fine. */
void job_shared_free(job_shared *shared)
{
    if (!shared)
        return;
    lru_destroy(lru_map_clear(&shared->scenes), scene_cache_destroy);
    image_cache_free(shared->pictures);
    pthread_cond_destroy(&shared->came);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
}

/* The most recently used first. */
uint32_t job_shared_warm(job_shared *shared, etna_hash *ret, uint32_t room)
{
    pthread_mutex_lock(&shared->lock);
    uint32_t count = lru_map_keys(&shared->scenes, ret, room);
    pthread_mutex_unlock(&shared->lock);
    return count;
}

/* NULL: it has to be imported. */
cached_scene *scene_cache_acquire(job_shared *shared, const etna_hash *hash)
{
    pthread_mutex_lock(&shared->lock);
    cached_scene *entry = (cached_scene *)lru_map_pin(&shared->scenes, hash);
    pthread_mutex_unlock(&shared->lock);
    return entry;
}

/* Vertices, indices, adjacency and trees of a mesh come to about 250 bytes a
 * triangle; what of them stands in the world to be cut against is kept by
 * worker/space up to half a gigabyte; a texel has 4. */
static size_t scene_cost(const scene *s, size_t bundle_size)
{
    const size_t standing_max = (size_t)512 << 20;
    size_t cost = bundle_size + 4096;
    size_t standing = 0;
    for (uint32_t m = 0; m < s->mesh_count; m++) {
        cost += 250 * (size_t)s->meshes[m].triangle_count +
                48 * (size_t)s->meshes[m].vertex_count;
    }
    for (uint32_t o = 0; o < s->object_count; o++)
        standing += 100 * (size_t)s->objects[o].triangle_count;
    cost += standing < standing_max ? standing : standing_max;
    for (uint32_t t = 0; t < s->texture_count; t++) {
        if (s->textures[t].rgba)
            cost += 4 * (size_t)s->textures[t].width * s->textures[t].height;
    }
    return cost;
}

/* Everything that is the same for all tasks on a scene: geometry, static parts,
 * and what stands on what at S_0. On failure what was made stays in the entry;
 * scene_cache_destroy frees any part of it. */
static etna_code open_entry(cached_scene *entry,
                            uint32_t threads,
                            etna_error *err)
{
    const space_rules rules = {0};
    space *sp = NULL;
    etna_code code = scene_import_hashed(entry->bundle, entry->bundle_size,
                                         &entry->kept.key, &entry->scene, err);
    if (code == ETNA_OK)
        code = space_share(entry->scene, &entry->shared, err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(entry->shared, err);
    if (code == ETNA_OK)
        code = probe_share(entry->scene, &entry->probes, err);
    if (code == ETNA_OK)
        code = space_new(entry->shared, &sp, err);
    if (code == ETNA_OK)
        code =
            space_support_compute(sp, &rules, NULL, NULL, &entry->start, err);
    if (code == ETNA_OK)
        code = view_cache_new(threads, &entry->seen, err);
    if (code == ETNA_OK)
        code = solve_cache_new(&entry->solved, err);
    space_free(sp);
    return code;
}

/* For tests: a scene is imported once. */
uint32_t scene_cache_imports(job_shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    uint32_t imports = shared->imports;
    pthread_mutex_unlock(&shared->lock);
    return imports;
}

/* Under the lock. */
static bool is_coming(const job_shared *shared, const etna_hash *hash)
{
    const coming *one = shared->coming;
    while (one && !etna_hash_equal(&one->hash, hash))
        one = one->next;
    return one != NULL;
}

/* The scene, pinned, after whoever imports it just now; NULL: it is the
 * caller's to import, who ends with end_import. */
static cached_scene *begin_import(job_shared *shared, coming *own)
{
    pthread_mutex_lock(&shared->lock);
    cached_scene *there;
    while (
        !(there = (cached_scene *)lru_map_pin(&shared->scenes, &own->hash)) &&
        is_coming(shared, &own->hash))
        pthread_cond_wait(&shared->came, &shared->lock);
    if (!there) {
        own->next = shared->coming;
        shared->coming = own;
        shared->imports++;
    }
    pthread_mutex_unlock(&shared->lock);
    return there;
}

/* `entry` NULL: it has failed. */
static void end_import(job_shared *shared, coming *own, cached_scene *entry)
{
    pthread_mutex_lock(&shared->lock);
    coming **at = &shared->coming;
    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    if (entry)
        lru_map_add(&shared->scenes, &entry->kept);
    lru_item *gone = lru_map_trim(&shared->scenes, shared->memory);
    pthread_cond_broadcast(&shared->came);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, scene_cache_destroy);
}

/* Takes the bundle, on failure too. */
etna_code scene_cache_import(job_shared *shared,
                             const etna_hash *hash,
                             uint8_t *bundle,
                             size_t size,
                             cached_scene **ret_scene,
                             etna_error *err)
{
    coming own = {.hash = *hash};
    cached_scene *entry = begin_import(shared, &own);
    if (entry) {
        free(bundle);
        *ret_scene = entry;
        return ETNA_OK;
    }
    entry = calloc(1, sizeof *entry);
    if (!entry) {
        end_import(shared, &own, NULL);
        free(bundle);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a scene");
    }
    entry->kept.key = *hash;
    entry->bundle = bundle;
    entry->bundle_size = size;
    etna_code code = open_entry(entry, shared->threads, err);
    if (code != ETNA_OK) {
        end_import(shared, &own, NULL);
        scene_cache_destroy(&entry->kept.item);
        return code;
    }
    entry->kept.item.bytes = scene_cost(entry->scene, size);
    end_import(shared, &own, entry);
    *ret_scene = entry;
    return ETNA_OK;
}

/* NULL is fine. */
void scene_cache_release(job_shared *shared, cached_scene *entry)
{
    if (!entry)
        return;
    pthread_mutex_lock(&shared->lock);
    lru_unpin(&shared->scenes.lru, &entry->kept.item);
    lru_item *gone = lru_map_trim(&shared->scenes, shared->memory);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, scene_cache_destroy);
}

/* Two slots: "auto" is asked for by every task, an "auto:..." by those of one
 * run. Slot 0 holds the former. */
etna_code scene_cache_derive(job_shared *shared,
                             cached_scene *entry,
                             const char *request,
                             const space *sp,
                             scene_camera *ret_camera,
                             etna_error *err)
{
    const int slot = strcmp(request, "auto") != 0;
    pthread_mutex_lock(&shared->lock);
    bool there = strcmp(entry->derived_for[slot], request) == 0;
    scene_camera camera = entry->derived[slot];
    pthread_mutex_unlock(&shared->lock);
    /* two at once find the same one */
    etna_code code =
        there ? ETNA_OK
              : view_choose_camera(sp, NULL, 0, request, &camera, err);
    if (code != ETNA_OK)
        return code;
    pthread_mutex_lock(&shared->lock);
    entry->derived[slot] = camera;
    snprintf(entry->derived_for[slot], sizeof entry->derived_for[slot], "%s",
             request);
    pthread_mutex_unlock(&shared->lock);
    *ret_camera = camera;
    return ETNA_OK;
}

/* The camera that a request made last is remembered, as all of a run's pictures
 * ask for the same. */
etna_code scene_cache_cutaway(job_shared *shared,
                              cached_scene *entry,
                              const char *request,
                              space *sp,
                              scene_camera *ret_camera,
                              etna_error *err)
{
    view_cut_request asked;
    if (!view_read_cutaway(entry->scene, request, &asked) ||
        strlen(request) >= sizeof entry->cut_for)
        return etna_fail(
            err, ETNA_E_USAGE,
            "no camera \"%.80s\": orbit:AZIMUTH,ELEVATION wants degrees",
            request);
    pthread_mutex_lock(&shared->lock);
    bool there = strcmp(entry->cut_for, request) == 0;
    scene_camera camera = entry->cut;
    pthread_mutex_unlock(&shared->lock);
    etna_code code = there ? view_cutaway_hide(sp, &camera, err)
                           : view_cutaway(sp, &asked, &camera, err);
    if (code != ETNA_OK)
        return code;
    pthread_mutex_lock(&shared->lock);
    entry->cut = camera;
    snprintf(entry->cut_for, sizeof entry->cut_for, "%s", request);
    pthread_mutex_unlock(&shared->lock);
    *ret_camera = camera;
    return ETNA_OK;
}
