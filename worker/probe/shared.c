/* What all probes of a scene share: made when first asked for, then never changed. Two threads that miss at once both make
 * it and the first to publish wins: the result is the same, and nobody waits for another's large mesh. */
#include "worker/probe/own.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct upward_entry {
    uint32_t count;
    probe_upward sets[PROBE_UPWARD_MAX];
} upward_entry;

struct probe_shared {
    scene *scene;
    atomic_uint references;
    pthread_mutex_t lock;       /* over the two tables' pointers */
    probe_adjacency **meshes;   /* mesh_count */
    upward_entry **upward;      /* object_count */
};

etna_code probe_share(scene *s, probe_shared **ret_shared, etna_error *err)
{
    probe_shared *shared = calloc(1, sizeof *shared);
    if (shared) {
        shared->meshes = calloc((size_t)s->mesh_count + 1, sizeof(probe_adjacency *));
        shared->upward = calloc((size_t)s->object_count + 1, sizeof(upward_entry *));
    }
    if (!shared || !shared->meshes || !shared->upward || pthread_mutex_init(&shared->lock, NULL) != 0) {
        if (shared) {
            free(shared->meshes);
            free(shared->upward);
        }
        free(shared);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to probe a scene of %u objects", s->object_count);
    }
    atomic_init(&shared->references, 1);
    shared->scene = s->own ? scene_ref(s) : s; /* built by hand, for a test: nothing to count */
    *ret_shared = shared;
    return ETNA_OK;
}

probe_shared *probe_shared_ref(probe_shared *shared)
{
    atomic_fetch_add(&shared->references, 1);
    return shared;
}

void probe_shared_free(probe_shared *shared)
{
    if (!shared || atomic_fetch_sub(&shared->references, 1) != 1)
        return;
    for (uint32_t i = 0; i < shared->scene->mesh_count; i++) {
        probe_adjacency_free(shared->meshes[i]);
        free(shared->meshes[i]);
    }
    for (uint32_t i = 0; i < shared->scene->object_count; i++)
        free(shared->upward[i]);
    free(shared->meshes);
    free(shared->upward);
    pthread_mutex_destroy(&shared->lock);
    if (shared->scene->own)
        scene_free(shared->scene);
    free(shared);
}

const scene *probe_scene(const probe_shared *shared) { return shared->scene; }

etna_code probe_mesh_adjacency(probe_shared *shared, uint32_t mesh, const probe_adjacency **ret, etna_error *err)
{
    pthread_mutex_lock(&shared->lock);
    probe_adjacency *there = shared->meshes[mesh];
    pthread_mutex_unlock(&shared->lock);
    if (!there) {
        probe_adjacency *made = calloc(1, sizeof *made);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for the adjacency of a mesh");
        etna_code code = probe_adjacency_make(&shared->scene->meshes[mesh], made, err);
        if (code != ETNA_OK) {
            free(made);
            return code;
        }
        pthread_mutex_lock(&shared->lock);
        there = shared->meshes[mesh];
        if (!there)
            there = shared->meshes[mesh] = made;
        pthread_mutex_unlock(&shared->lock);
        if (there != made) {
            probe_adjacency_free(made);
            free(made);
        }
    }
    *ret = there;
    return ETNA_OK;
}

etna_code probe_object_upward(probe_shared *shared, uint32_t object, const probe_upward **ret, uint32_t *ret_count, etna_error *err)
{
    pthread_mutex_lock(&shared->lock);
    upward_entry *there = shared->upward[object];
    pthread_mutex_unlock(&shared->lock);
    if (!there) {
        upward_entry *made = calloc(1, sizeof *made);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for the surfaces of an object");
        etna_code code = probe_upward_find(shared, object, made->sets, &made->count, err);
        if (code != ETNA_OK) {
            free(made);
            return code;
        }
        pthread_mutex_lock(&shared->lock);
        there = shared->upward[object];
        if (!there)
            there = shared->upward[object] = made;
        pthread_mutex_unlock(&shared->lock);
        if (there != made)
            free(made);
    }
    *ret = there->sets;
    *ret_count = there->count;
    return ETNA_OK;
}
