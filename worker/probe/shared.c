/* What all probes of a scene share: made when first asked for, then never
 * changed. Two threads that miss at once both make it and the first to publish
 * wins: the result is the same, and nobody waits for another's large mesh.
 * Adjacency and what was grown go again when they are more than their share of
 * the scene's bound (space/budget.h), the longest unused first; the upward
 * sets, some 300 bytes an object, stay. */
#include "proto/lru.h"
#include "worker/probe/starts.h"
#include "worker/space/budget.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_SETS = 64,
    MEMORY_FACES = 1 << 20
}; /* per object */

enum {
    KIND_MESH,
    KIND_MEMORY
};

#define STARTS_MOST \
    ((size_t)192 << 20) /* bytes: a large house's maps, twice over */

typedef struct kept_mesh {
    lru_item kept;
    probe_adjacency adjacency;
} kept_mesh;

typedef struct memory {   /* of an object: what was grown and named */
    lru_item kept;        /* has no users but under the lock */
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
    pthread_mutex_t lock;  /* over the tables' pointers */
    kept_mesh **meshes;    /* mesh_count */
    upward_entry **upward; /* object_count */
    /* object_count; their contents are under the lock too */
    memory **memories;
    starts_table *starts;
    lru kept;    /* meshes and memories */
    size_t most; /* bytes of them, about */
};

/* The tables only, as they are when probe_share fails half way. */
static void shared_delete(probe_shared *shared)
{
    starts_table_free(shared->starts);
    free(shared->memories);
    free(shared->meshes);
    free(shared->upward);
    free(shared);
}

/* Makes the empty tables and splits the scene's bound: a share for maps
 * (starts.c), the rest for adjacency and sets. Takes a reference to the
 * scene. */
etna_code probe_share(scene *s, probe_shared **ret_shared, etna_error *err)
{
    size_t most = budget_share(s, BUDGET_PLANES);
    size_t starts_most = most / 2 < STARTS_MOST ? most / 2 : STARTS_MOST;
    probe_shared *shared = calloc(1, sizeof *shared);
    if (shared) {
        shared->meshes = calloc((size_t)s->mesh_count + 1, sizeof(kept_mesh *));
        shared->upward =
            calloc((size_t)s->object_count + 1, sizeof(upward_entry *));
        shared->memories =
            calloc((size_t)s->object_count + 1, sizeof(memory *));
        shared->starts = starts_table_new(starts_most);
    }
    bool has_tables = shared && shared->meshes && shared->upward;
    bool is_whole = has_tables && shared->memories && shared->starts;
    if (!is_whole || pthread_mutex_init(&shared->lock, NULL) != 0) {
        if (shared)
            shared_delete(shared);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory to probe a scene of %u objects",
                         s->object_count);
    }
    shared->most = most - starts_most;
    /* built by hand, for a test: nothing to count */
    shared->scene = s->own ? scene_ref(s) : s;
    *ret_shared = shared;
    return ETNA_OK;
}

starts_table *probe_starts(const probe_shared *shared)
{
    return shared->starts;
}

static void free_memory(memory *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->count; i++)
        probe_set_free(&m->set[i]);
    free(m->names);
    free(m);
}

/* NULL is fine. */
static void free_mesh(kept_mesh *m)
{
    if (m)
        probe_adjacency_free(&m->adjacency);
    free(m);
}

/* Everything must have been released before: pinned adjacency would dangle. */
void probe_shared_free(probe_shared *shared)
{
    if (!shared)
        return;
    for (uint32_t i = 0; i < shared->scene->mesh_count; i++)
        free_mesh(shared->meshes[i]);
    for (uint32_t i = 0; i < shared->scene->object_count; i++) {
        free(shared->upward[i]);
        free_memory(shared->memories[i]);
    }
    pthread_mutex_destroy(&shared->lock);
    if (shared->scene->own)
        scene_free(shared->scene);
    shared_delete(shared);
}

const scene *probe_scene(const probe_shared *shared)
{
    return shared->scene;
}

/* ---- going ---- Called by the list under the lock: the entry leaves its table
 * before it is freed outside of the lock. */
static void shared_forget(void *owner, lru_item *item)
{
    probe_shared *shared = owner;
    if (item->kind == KIND_MESH)
        shared->meshes[item->number] = NULL;
    else
        shared->memories[item->number] = NULL;
}

/* What is too much, off the tables; for lru_destroy when the lock is not held
 * any more. Under the lock. */
static lru_item *shared_trim(probe_shared *shared)
{
    return lru_trim(&shared->kept, shared->most, shared_forget, shared);
}

static void shared_destroy(lru_item *item)
{
    if (item->kind == KIND_MESH)
        free_mesh((kept_mesh *)item);
    else
        free_memory((memory *)item);
}

size_t probe_shared_bytes(probe_shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    size_t bytes = shared->kept.bytes;
    pthread_mutex_unlock(&shared->lock);
    return bytes + starts_table_bytes(shared->starts);
}

/* ---- adjacency ---- The arrays of an adjacency: one word per vertex, three
 * per triangle for the rings, two for its patch and its place in it, two starts
 * per patch, and the rim. */
static size_t bytes_of(const scene_mesh *mesh, const probe_adjacency *a)
{
    uint32_t rim = a->rim_start ? a->rim_start[a->patch_count] : 0;
    return sizeof(kept_mesh) +
           (mesh->vertex_count + 5 * (size_t)mesh->triangle_count +
            2 * (size_t)a->patch_count + rim) *
               sizeof(uint32_t);
}

/* NULL: not made yet, or gone again. */
static kept_mesh *shared_pin_mesh(probe_shared *shared, uint32_t mesh)
{
    pthread_mutex_lock(&shared->lock);
    kept_mesh *there = shared->meshes[mesh];
    if (there)
        lru_pin(&shared->kept, &there->kept);
    pthread_mutex_unlock(&shared->lock);
    return there;
}

/* Made outside of the lock, so that others may go on with other meshes
 * meanwhile. Pinned until probe_mesh_release. */
etna_code probe_mesh_adjacency(probe_shared *shared,
                               uint32_t mesh,
                               const probe_adjacency **ret,
                               etna_error *err)
{
    assert(mesh < shared->scene->mesh_count);
    kept_mesh *there = shared_pin_mesh(shared, mesh);
    if (!there) {
        kept_mesh *made = calloc(1, sizeof *made);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM,
                             "no memory for the adjacency of a mesh");
        etna_code code = probe_adjacency_make(&shared->scene->meshes[mesh],
                                              &made->adjacency, err);
        if (code != ETNA_OK) {
            free(made);
            return code;
        }
        made->kept = (lru_item){
            .bytes = bytes_of(&shared->scene->meshes[mesh], &made->adjacency),
            .number = mesh,
            .kind = KIND_MESH};
        pthread_mutex_lock(&shared->lock);
        there = shared->meshes[mesh];
        if (there)
            lru_pin(&shared->kept, &there->kept);
        else
            lru_add(&shared->kept,
                    &(there = shared->meshes[mesh] = made)->kept);
        /* Freed after the unlock: to free a large adjacency takes
         * milliseconds. */
        lru_item *gone = shared_trim(shared);
        pthread_mutex_unlock(&shared->lock);
        lru_destroy(gone, shared_destroy);
        if (there != made)
            free_mesh(made);
    }
    *ret = &there->adjacency;
    return ETNA_OK;
}

void probe_mesh_release(probe_shared *shared,
                        uint32_t mesh,
                        const probe_adjacency *adjacency)
{
    if (!adjacency)
        return;
    pthread_mutex_lock(&shared->lock);
    lru_unpin(&shared->kept, &shared->meshes[mesh]->kept);
    lru_item *gone = shared_trim(shared);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, shared_destroy);
}

/* Never goes again, so it is not pinned and the pointer holds as long as
 * `shared`. */
etna_code probe_object_upward(probe_shared *shared,
                              uint32_t object,
                              const probe_upward **ret,
                              uint32_t *ret_count,
                              etna_error *err)
{
    assert(object < shared->scene->object_count);
    pthread_mutex_lock(&shared->lock);
    upward_entry *there = shared->upward[object];
    pthread_mutex_unlock(&shared->lock);
    if (!there) {
        upward_entry *made = calloc(1, sizeof *made);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM,
                             "no memory for the surfaces of an object");
        etna_code code =
            probe_upward_find(shared, object, made->sets, &made->count, err);
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

/* ---- sets ---- */
struct probe_set_block {
    atomic_uint shares;
    uint32_t faces[];
};

/* The faces are written by the caller through ret_faces, before anybody else
 * sees the set. */
bool probe_set_new(uint32_t count, probe_set *ret, uint32_t **ret_faces)
{
    /* one more, for who fills it without branches */
    struct probe_set_block *block =
        malloc(sizeof *block + ((size_t)count + 1) * sizeof block->faces[0]);
    if (!block)
        return false;
    atomic_init(&block->shares, 1);
    *ret = (probe_set){.count = count, .faces = block->faces, .block = block};
    *ret_faces = block->faces;
    return true;
}

/* Another owner of the same faces; each calls probe_set_free. A set of no block
 * (all zero) stays so. */
probe_set probe_set_share(const probe_set *set)
{
    if (set->block)
        atomic_fetch_add(&set->block->shares, 1);
    return *set;
}

void probe_set_free(probe_set *set)
{
    if (set->block && atomic_fetch_sub(&set->block->shares, 1) == 1)
        free(set->block);
    *set = (probe_set){0};
}

/* ---- what was grown before ---- */
/* The object's memory, held, made when missing; NULL when there is none to be
 * had. Under the lock. */
static memory *take_memory(probe_shared *shared, uint32_t object)
{
    memory *m = shared->memories[object];
    if (m) {
        lru_pin(&shared->kept, &m->kept);
    } else if ((m = shared->memories[object] = calloc(1, sizeof *m))) {
        m->kept = (lru_item){
            .bytes = sizeof *m, .number = object, .kind = KIND_MEMORY};
        lru_add(&shared->kept, &m->kept);
    }
    return m;
}

/* It is the one used last. NULL is fine. Under the lock, and what goes is for
 * lru_destroy. */
static lru_item *leave_memory(probe_shared *shared, memory *m)
{
    if (m)
        lru_unpin(&shared->kept, &m->kept);
    return shared_trim(shared);
}

static etna_code memory_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "no memory to remember a plane");
}

/* At most MEMORY_SETS: a plain search is quick enough. */
static const probe_set *memory_find_set(const memory *m, uint32_t face)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->face[i] == face)
            return &m->set[i];
    return NULL;
}

/* All zero when it is not remembered; else the caller's to free. */
void probe_recall_set(probe_shared *shared,
                      uint32_t object,
                      uint32_t face,
                      probe_set *ret)
{
    assert(object < shared->scene->object_count);
    *ret = (probe_set){0};
    pthread_mutex_lock(&shared->lock);
    memory *m = shared->memories[object] ? take_memory(shared, object) : NULL;
    const probe_set *there = m ? memory_find_set(m, face) : NULL;
    if (there)
        *ret = probe_set_share(there);
    lru_item *gone = leave_memory(shared, m);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, shared_destroy);
}

/* A full memory keeps nothing new; that costs time, not correctness. Two
 * threads may bring the same set. */
etna_code probe_keep_set(probe_shared *shared,
                         uint32_t object,
                         uint32_t face,
                         const probe_set *set,
                         etna_error *err)
{
    assert(object < shared->scene->object_count && set->block);
    pthread_mutex_lock(&shared->lock);
    memory *m = take_memory(shared, object);
    bool has_room =
        m && m->count < MEMORY_SETS && set->count <= MEMORY_FACES - m->held;
    if (has_room && !memory_find_set(m, face)) {
        m->set[m->count] = probe_set_share(set);
        m->face[m->count++] = face;
        m->held += set->count;
        lru_grow(&shared->kept, &m->kept, set->count * sizeof set->faces[0]);
    }
    lru_item *gone = leave_memory(shared, m);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, shared_destroy);
    return m ? ETNA_OK : memory_no_memory(err);
}

/* The face that names the plane of this face; SCENE_NONE: not known. */
uint32_t probe_recall_name(probe_shared *shared, uint32_t object, uint32_t face)
{
    assert(object < shared->scene->object_count);
    pthread_mutex_lock(&shared->lock);
    memory *m = shared->memories[object] ? take_memory(shared, object) : NULL;
    uint32_t f =
        m && m->names && face < shared->scene->objects[object].triangle_count
            ? m->names[face]
            : 0;
    lru_item *gone = leave_memory(shared, m);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, shared_destroy);
    return f ? f - 1 : SCENE_NONE;
}

/* A word per face of the object, reserved with the first name. Names are stored
 * plus one, so that zero, as calloc leaves it, means unknown. */
etna_code probe_keep_name(probe_shared *shared,
                          uint32_t object,
                          uint32_t face,
                          uint32_t f,
                          etna_error *err)
{
    assert(object < shared->scene->object_count);
    uint32_t count = shared->scene->objects[object].triangle_count;
    if (face >= count)
        return ETNA_OK;
    pthread_mutex_lock(&shared->lock);
    memory *m = take_memory(shared, object);
    if (m && !m->names && (m->names = calloc(count, sizeof *m->names)))
        lru_grow(&shared->kept, &m->kept, count * sizeof *m->names);
    bool known = m && m->names;
    if (known)
        m->names[face] = f + 1;
    lru_item *gone = leave_memory(shared, m);
    pthread_mutex_unlock(&shared->lock);
    lru_destroy(gone, shared_destroy);
    return known ? ETNA_OK : memory_no_memory(err);
}
