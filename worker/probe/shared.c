/* What all probes of a scene share: made when first asked for, then never changed. Two threads that miss at once both
 * make it and the first to publish wins: the result is the same, and nobody waits for another's large mesh. */
#include "worker/probe/own.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_SETS = 64, MEMORY_FACES = 1 << 20 }; /* per object */

typedef struct memory {   /* of an object: what was grown and named */
    uint32_t count, held; /* sets; faces in them */
    uint32_t face[MEMORY_SETS];
    probe_set set[MEMORY_SETS];
    uint32_t *names; /* per face: f + 1, 0 unknown */
} memory;

typedef struct upward_entry {
    uint32_t count;
    probe_upward sets[PROBE_UPWARD_MAX];
} upward_entry;

struct probe_shared {
    scene *scene;
    atomic_uint references;
    pthread_mutex_t lock;     /* over the tables' pointers */
    probe_adjacency **meshes; /* mesh_count */
    upward_entry **upward;    /* object_count */
    memory **memories;        /* object_count; their contents are under the lock too */
};

etna_code probe_share(scene *s, probe_shared **ret_shared, etna_error *err)
{
    probe_shared *shared = calloc(1, sizeof *shared);
    if (shared) {
        shared->meshes = calloc((size_t)s->mesh_count + 1, sizeof(probe_adjacency *));
        shared->upward = calloc((size_t)s->object_count + 1, sizeof(upward_entry *));
        shared->memories = calloc((size_t)s->object_count + 1, sizeof(memory *));
    }
    if (!shared || !shared->meshes || !shared->upward || !shared->memories ||
        pthread_mutex_init(&shared->lock, NULL) != 0) {
        if (shared) {
            free(shared->meshes);
            free(shared->upward);
            free(shared->memories);
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

static void free_memory(memory *m)
{
    if (!m) return;
    for (uint32_t i = 0; i < m->count; i++) probe_set_free(&m->set[i]);
    free(m->names);
    free(m);
}

void probe_shared_free(probe_shared *shared)
{
    if (!shared || atomic_fetch_sub(&shared->references, 1) != 1) return;
    for (uint32_t i = 0; i < shared->scene->mesh_count; i++) {
        probe_adjacency_free(shared->meshes[i]);
        free(shared->meshes[i]);
    }
    for (uint32_t i = 0; i < shared->scene->object_count; i++) {
        free(shared->upward[i]);
        free_memory(shared->memories[i]);
    }
    free(shared->memories);
    free(shared->meshes);
    free(shared->upward);
    pthread_mutex_destroy(&shared->lock);
    if (shared->scene->own) scene_free(shared->scene);
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
        if (!made) return etna_fail(err, ETNA_E_NOMEM, "no memory for the adjacency of a mesh");
        etna_code code = probe_adjacency_make(&shared->scene->meshes[mesh], made, err);
        if (code != ETNA_OK) {
            free(made);
            return code;
        }
        pthread_mutex_lock(&shared->lock);
        there = shared->meshes[mesh];
        if (!there) there = shared->meshes[mesh] = made;
        pthread_mutex_unlock(&shared->lock);
        if (there != made) {
            probe_adjacency_free(made);
            free(made);
        }
    }
    *ret = there;
    return ETNA_OK;
}

etna_code probe_object_upward(probe_shared *shared, uint32_t object, const probe_upward **ret, uint32_t *ret_count,
                              etna_error *err)
{
    pthread_mutex_lock(&shared->lock);
    upward_entry *there = shared->upward[object];
    pthread_mutex_unlock(&shared->lock);
    if (!there) {
        upward_entry *made = calloc(1, sizeof *made);
        if (!made) return etna_fail(err, ETNA_E_NOMEM, "no memory for the surfaces of an object");
        etna_code code = probe_upward_find(shared, object, made->sets, &made->count, err);
        if (code != ETNA_OK) {
            free(made);
            return code;
        }
        pthread_mutex_lock(&shared->lock);
        there = shared->upward[object];
        if (!there) there = shared->upward[object] = made;
        pthread_mutex_unlock(&shared->lock);
        if (there != made) free(made);
    }
    *ret = there->sets;
    *ret_count = there->count;
    return ETNA_OK;
}

/* ---- sets ---- */
struct probe_set_block {
    atomic_uint shares;
    uint32_t faces[];
};

bool probe_set_new(uint32_t count, probe_set *ret, uint32_t **ret_faces)
{
    struct probe_set_block *block = malloc(
        sizeof *block + ((size_t)count + 1) * sizeof block->faces[0]); /* one more, for who fills it without branches */
    if (!block) return false;
    atomic_init(&block->shares, 1);
    *ret = (probe_set){.count = count, .faces = block->faces, .block = block};
    *ret_faces = block->faces;
    return true;
}

probe_set probe_set_share(const probe_set *set)
{
    if (set->block) atomic_fetch_add(&set->block->shares, 1);
    return *set;
}

void probe_set_free(probe_set *set)
{
    if (set->block && atomic_fetch_sub(&set->block->shares, 1) == 1) free(set->block);
    *set = (probe_set){0};
}

/* ---- what was grown before ---- */
/* The object's memory, made when missing; NULL when there is none to be had. Under the lock. */
static memory *memory_of(probe_shared *shared, uint32_t object)
{
    if (!shared->memories[object]) shared->memories[object] = calloc(1, sizeof(memory));
    return shared->memories[object];
}

static etna_code no_memory(etna_error *err) { return etna_fail(err, ETNA_E_NOMEM, "no memory to remember a plane"); }

static const probe_set *set_of(const memory *m, uint32_t face)
{
    for (uint32_t i = 0; m && i < m->count; i++)
        if (m->face[i] == face) return &m->set[i];
    return NULL;
}

void probe_recall_set(probe_shared *shared, uint32_t object, uint32_t face, probe_set *ret)
{
    *ret = (probe_set){0};
    pthread_mutex_lock(&shared->lock);
    const probe_set *there = set_of(shared->memories[object], face);
    if (there) *ret = probe_set_share(there);
    pthread_mutex_unlock(&shared->lock);
}

etna_code probe_keep_set(probe_shared *shared, uint32_t object, uint32_t face, const probe_set *set, etna_error *err)
{
    pthread_mutex_lock(&shared->lock);
    memory *m = memory_of(shared, object);
    if (m && m->count < MEMORY_SETS && set->count <= MEMORY_FACES - m->held && !set_of(m, face)) {
        m->set[m->count] = probe_set_share(set);
        m->face[m->count++] = face;
        m->held += set->count;
    }
    pthread_mutex_unlock(&shared->lock);
    return m ? ETNA_OK : no_memory(err);
}

uint32_t probe_recall_name(probe_shared *shared, uint32_t object, uint32_t face)
{
    pthread_mutex_lock(&shared->lock);
    const memory *m = shared->memories[object];
    uint32_t f = m && m->names && face < shared->scene->objects[object].triangle_count ? m->names[face] : 0;
    pthread_mutex_unlock(&shared->lock);
    return f ? f - 1 : SCENE_NONE;
}

etna_code probe_keep_name(probe_shared *shared, uint32_t object, uint32_t face, uint32_t f, etna_error *err)
{
    uint32_t count = shared->scene->objects[object].triangle_count;
    if (face >= count) return ETNA_OK;
    pthread_mutex_lock(&shared->lock);
    memory *m = memory_of(shared, object);
    if (m && !m->names) m->names = calloc(count, sizeof *m->names);
    bool kept = m && m->names;
    if (kept) m->names[face] = f + 1;
    pthread_mutex_unlock(&shared->lock);
    return kept ? ETNA_OK : no_memory(err);
}
