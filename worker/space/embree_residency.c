/* Which meshes Embree has a tree of, where all at once would be more than the
 * scene's budget. An Embree scene pins those that its rays have come to, so
 * none is evicted while a ray may be in it. When all together are more than the
 * budget, the scene that is asked next waits until no ray is under way in it,
 * unpins what was entered longest ago, and casts at boxes there as at the
 * beginning; what no scene pins is freed. What Embree is given follows from the
 * mesh alone and never decides (ray.c), so no answer depends on what is there.
 * A scene within its budget pays nothing for this.
 *
 * The order is by ages and not by proto/lru.h: every ray uses meshes, and a ray
 * may not take a lock. */
#include "worker/space/embree.h"

#include <stdlib.h>

/* ---- bytes ---- */
/* Per triangle: its fan's three numbers, its Embree mesh's corners and number,
 * and about what Embree makes of them. */
enum {
    TRIANGLE_BYTES = 260,
    VERTEX_BYTES = 12
};

/* An estimate: Embree does not say what it took. */
size_t embree_mesh_bytes(const scene_mesh *m)
{
    return sizeof(embree_mesh) + (size_t)m->triangle_count * TRIANGLE_BYTES +
           (size_t)m->vertex_count * VERTEX_BYTES;
}

/* `bounded` false: all fits, and nobody ever counts. */
void embree_shared_bound(embree_shared *t, size_t bytes)
{
    size_t all = 0;
    for (uint32_t m = 0; m < t->scene->mesh_count; m++)
        all += embree_mesh_bytes(&t->scene->meshes[m]);
    t->most = bytes;
    t->bounded = all > bytes;
}

size_t embree_shared_bytes(embree_shared *t)
{
    return atomic_load_explicit(&t->bytes, memory_order_relaxed);
}

/* ---- holding ---- */
bool residency_new(embree_scene *st)
{
    if (!st->embree_shared->bounded)
        return true;
    st->resident = calloc((size_t)st->embree_shared->scene->mesh_count + 1,
                          sizeof *st->resident);
    atomic_init(&st->trim_above, st->embree_shared->most);
    return st->resident != NULL;
}

/* Under the residency lock, as all that asks for pins. What stands for the lack
 * of memory is all scenes' own. */
static void residency_count(embree_mesh *p, int change)
{
    if (p->bytes)
        p->pins += (uint32_t)change;
}

void residency_free(embree_scene *st)
{
    embree_shared *t = st->embree_shared;
    if (!st->resident)
        return;
    pthread_mutex_lock(&t->residency_lock);
    for (uint32_t m = 0; m < t->scene->mesh_count; m++)
        if (atomic_load_explicit(&st->resident[m], memory_order_relaxed))
            residency_count(embree_shared_mesh(t, m), -1);
    pthread_mutex_unlock(&t->residency_lock);
    free(st->resident);
}

/* Released after the count, so whoever sees it resident may cast at it. */
static void residency_add(embree_scene *st, uint32_t mesh, embree_mesh *p)
{
    if (atomic_load_explicit(&st->resident[mesh], memory_order_relaxed))
        return;
    residency_count(p, 1);
    atomic_store_explicit(&st->resident[mesh], true, memory_order_release);
}

static bool residency_has(const embree_scene *st, uint32_t mesh)
{
    return atomic_load_explicit(&st->resident[mesh], memory_order_acquire);
}

embree_mesh *residency_mesh(const embree_scene *st, uint32_t mesh)
{
    return !st->resident || residency_has(st, mesh)
               ? embree_shared_mesh(st->embree_shared, mesh)
               : NULL;
}

/* Double check under the lock: between the look and the lock it may have been
 * evicted. */
embree_mesh *residency_pin(embree_scene *st, uint32_t mesh)
{
    embree_shared *t = st->embree_shared;
    if (st->resident && !residency_has(st, mesh)) {
        if (!embree_shared_mesh(t, mesh))
            return NULL;
        pthread_mutex_lock(&t->residency_lock);
        /* it may have gone since */
        embree_mesh *p = embree_shared_mesh(t, mesh);
        if (p)
            residency_add(st, mesh, p);
        pthread_mutex_unlock(&t->residency_lock);
        if (!p)
            return NULL;
    }
    return embree_scene_met(st, mesh);
}

embree_mesh *residency_build(embree_scene *st, uint32_t mesh)
{
    embree_shared *t = st->embree_shared;
    embree_mesh *p = residency_pin(st, mesh);
    if (p || !st->resident)
        return p ? p : embree_shared_mesh_make(t, mesh);
    /* who builds it holds it: another Embree scene may be letting go */
    pthread_mutex_lock(&t->locks[mesh % SPACE_LOCKS]);
    if (!(p = residency_pin(st, mesh))) {
        p = embree_shared_build(t, mesh);
        pthread_mutex_lock(&t->residency_lock);
        atomic_store_explicit(&t->meshes[mesh], p, memory_order_release);
        residency_add(st, mesh, p);
        pthread_mutex_unlock(&t->residency_lock);
        atomic_fetch_add_explicit(&t->bytes, p->bytes, memory_order_relaxed);
        /* A hundredth of the bound is an age: what is younger is not told
         * apart. */
        if (atomic_fetch_add_explicit(&t->since, p->bytes,
                                      memory_order_relaxed) > t->most / 100) {
            atomic_store_explicit(&t->since, 0, memory_order_relaxed);
            atomic_fetch_add_explicit(&t->clock, 1, memory_order_relaxed);
        }
        (void)embree_scene_met(st, mesh);
    }
    pthread_mutex_unlock(&t->locks[mesh % SPACE_LOCKS]);
    return p;
}

/* ---- letting go ---- */
typedef struct aged {
    unsigned used;
    uint32_t mesh;
} aged;

/* Ties by number, for a total order. */
static int compare_aged(const void *a, const void *b)
{
    const aged *p = a, *q = b;
    if (p->used != q->used)
        return p->used < q->used ? -1 : 1;
    return p->mesh < q->mesh ? -1 : p->mesh > q->mesh;
}

/* What this Embree scene can do without until three quarters of the bound are
 * left, the longest unused first: meshes that it holds, or nobody. The
 * residency lock is held. NULL: no memory. */
static aged *residency_list_old(const embree_scene *st, uint32_t *ret_count)
{
    embree_shared *t = st->embree_shared;
    uint32_t count = 0, taken = 0;
    size_t left = embree_shared_bytes(t);
    aged *list = malloc(((size_t)t->scene->mesh_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    for (uint32_t m = 0; m < t->scene->mesh_count; m++) {
        embree_mesh *p = embree_shared_mesh(t, m);
        bool is_built = p && p->bytes;
        if (is_built && (residency_has(st, m) || p->pins == 0))
            list[count++] =
                (aged){atomic_load_explicit(&p->used, memory_order_relaxed), m};
    }
    qsort(list, count, sizeof *list, compare_aged);
    while (taken < count && left > t->most - t->most / 4) {
        const embree_mesh *p = embree_shared_mesh(t, list[taken].mesh);
        if (p->pins == residency_has(st, list[taken++].mesh))
            left -= p->bytes < left ? p->bytes : left;
    }
    *ret_count = taken;
    return list;
}

/* The Embree scene holds them no longer; what then nobody holds goes. */
static void residency_release(embree_scene *st,
                              const aged *list,
                              const bool *was_held,
                              uint32_t count)
{
    embree_shared *t = st->embree_shared;
    embree_mesh *gone = NULL;
    pthread_mutex_lock(&t->residency_lock);
    for (uint32_t i = 0; i < count; i++) {
        embree_mesh *p = embree_shared_mesh(t, list[i].mesh);
        if (!p)
            continue; /* held by nobody, and another Embree scene was faster */
        if (was_held[i])
            residency_count(p, -1);
        if (p->pins > 0)
            continue;
        atomic_store_explicit(&t->meshes[list[i].mesh], NULL,
                              memory_order_release);
        atomic_fetch_sub_explicit(&t->bytes, p->bytes, memory_order_relaxed);
        p->next = gone;
        gone = p;
    }
    pthread_mutex_unlock(&t->residency_lock);
    while (gone) {
        embree_mesh *next = gone->next;
        embree_mesh_free(gone);
        gone = next;
    }
}

/* No ray is under way in this Embree scene. Without memory to do it, all
 * stays. */
static void residency_trim(embree_scene *st)
{
    embree_shared *t = st->embree_shared;
    uint32_t count = 0;
    pthread_mutex_lock(&t->residency_lock);
    aged *list = residency_list_old(st, &count);
    pthread_mutex_unlock(&t->residency_lock);
    bool *was_held = list ? calloc((size_t)count + 1, sizeof *was_held) : NULL;
    for (uint32_t i = 0; was_held && i < count; i++)
        was_held[i] = atomic_exchange_explicit(&st->resident[list[i].mesh],
                                               false, memory_order_relaxed);
    /* the old top-level tree is what still casts at them */
    bool done = was_held && embree_scene_rebuild(st);
    for (uint32_t i = 0; was_held && !done && i < count; i++)
        atomic_store_explicit(&st->resident[list[i].mesh], was_held[i],
                              memory_order_release);
    if (done)
        residency_release(st, list, was_held, count);
    free(was_held);
    free(list);
    /* others hold what is too much: do not ask again at every ray */
    size_t left = embree_shared_bytes(t);
    atomic_store_explicit(&st->trim_above,
                          left > t->most ? left + t->most / 8 : t->most,
                          memory_order_relaxed);
}

/* ---- coming and going ---- Read without the lock; what it decides is checked
 * again under it. */
static bool residency_is_exceeded(const embree_scene *st)
{
    return embree_shared_bytes(st->embree_shared) >
           atomic_load_explicit(&st->trim_above, memory_order_relaxed);
}

/* Shared by all questions, exclusive for who evicts: embree_scene_begin
 * and embree_scene_end bracket each of them. */
void residency_begin(embree_scene *st)
{
    if (residency_is_exceeded(st)) {
        pthread_rwlock_wrlock(&st->trim_lock);
        if (residency_is_exceeded(st))
            residency_trim(st);
        pthread_rwlock_unlock(&st->trim_lock);
    }
    pthread_rwlock_rdlock(&st->trim_lock);
}
