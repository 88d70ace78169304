/* How the meshes that Embree was given go again (tracer.h: proposal). A stage holds those that its rays have come to,
 * so none goes while a ray may be in it. When all together are more than the scene's bound, the stage that is asked
 * next waits until no ray is under way in it, lets go of what was entered longest ago, and casts at boxes there as at
 * the beginning; what no stage holds is freed. Proposals follow from the mesh alone and never decide (cast.c), so no
 * answer depends on what is there. A scene that fits its bound whatever happens pays nothing for this. */
#include "worker/space/tracer.h"

#include <stdlib.h>

/* ---- bytes ---- */
/* Per triangle: its fan's three numbers, its proposal's corners and number, and about what Embree makes of them. */
enum { TRIANGLE_BYTES = 260, VERTEX_BYTES = 12 };

size_t proposal_bytes(const scene_mesh *m)
{
    return sizeof(proposal) + (size_t)m->triangle_count * TRIANGLE_BYTES + (size_t)m->vertex_count * VERTEX_BYTES;
}

void tracer_bound(tracer *t, size_t bytes)
{
    size_t all = 0;
    for (uint32_t m = 0; m < t->scene->mesh_count; m++) all += proposal_bytes(&t->scene->meshes[m]);
    t->most = bytes;
    t->bounded = all > bytes;
}

size_t tracer_bytes(tracer *t) { return atomic_load_explicit(&t->bytes, memory_order_relaxed); }

/* ---- holding ---- */
bool stage_hold_new(stage *st)
{
    if (!st->tracer->bounded) return true;
    st->held = calloc((size_t)st->tracer->scene->mesh_count + 1, sizeof *st->held);
    atomic_init(&st->patience, st->tracer->most);
    return st->held != NULL;
}

/* Under the tracer's room lock, as all that asks for holders. What stands for the lack of memory is all tracers' own. */
static void let_hold(proposal *p, int change)
{
    if (p->bytes) p->holders += (uint32_t)change;
}

void stage_hold_free(stage *st)
{
    tracer *t = st->tracer;
    if (!st->held) return;
    pthread_mutex_lock(&t->room);
    for (uint32_t m = 0; m < t->scene->mesh_count; m++)
        if (atomic_load_explicit(&st->held[m], memory_order_relaxed)) let_hold(tracer_look(t, m), -1);
    pthread_mutex_unlock(&t->room);
    free(st->held);
}

static void hold(stage *st, uint32_t mesh, proposal *p)
{
    if (atomic_load_explicit(&st->held[mesh], memory_order_relaxed)) return;
    let_hold(p, 1);
    atomic_store_explicit(&st->held[mesh], true, memory_order_release);
}

static bool holds(const stage *st, uint32_t mesh)
{
    return atomic_load_explicit(&st->held[mesh], memory_order_acquire);
}

proposal *stage_held(const stage *st, uint32_t mesh)
{
    return !st->held || holds(st, mesh) ? tracer_look(st->tracer, mesh) : NULL;
}

proposal *stage_look(stage *st, uint32_t mesh)
{
    tracer *t = st->tracer;
    if (st->held && !holds(st, mesh)) {
        if (!tracer_look(t, mesh)) return NULL;
        pthread_mutex_lock(&t->room);
        proposal *p = tracer_look(t, mesh); /* it may have gone since */
        if (p) hold(st, mesh, p);
        pthread_mutex_unlock(&t->room);
        if (!p) return NULL;
    }
    return stage_met(st, mesh);
}

proposal *stage_proposal(stage *st, uint32_t mesh)
{
    tracer *t = st->tracer;
    proposal *p = stage_look(st, mesh);
    if (p || !st->held) return p ? p : tracer_proposal(t, mesh);
    pthread_mutex_lock(&t->locks[mesh % SPACE_LOCKS]); /* who builds it holds it: another stage may be letting go */
    if (!(p = stage_look(st, mesh))) {
        p = tracer_build(t, mesh);
        pthread_mutex_lock(&t->room);
        atomic_store_explicit(&t->proposals[mesh], p, memory_order_release);
        hold(st, mesh, p);
        pthread_mutex_unlock(&t->room);
        atomic_fetch_add_explicit(&t->bytes, p->bytes, memory_order_relaxed);
        /* A hundredth of the bound is an age: what is younger is not told apart. */
        if (atomic_fetch_add_explicit(&t->since, p->bytes, memory_order_relaxed) > t->most / 100) {
            atomic_store_explicit(&t->since, 0, memory_order_relaxed);
            atomic_fetch_add_explicit(&t->clock, 1, memory_order_relaxed);
        }
        (void)stage_met(st, mesh);
    }
    pthread_mutex_unlock(&t->locks[mesh % SPACE_LOCKS]);
    return p;
}

/* ---- letting go ---- */
typedef struct aged {
    unsigned used;
    uint32_t mesh;
} aged;

static int compare_aged(const void *a, const void *b)
{
    const aged *p = a, *q = b;
    if (p->used != q->used) return p->used < q->used ? -1 : 1;
    return p->mesh < q->mesh ? -1 : p->mesh > q->mesh;
}

/* What this stage can do without until three quarters of the bound are left, the longest unused first: meshes that it
 * holds, or nobody. The room lock is held. NULL: no memory. */
static aged *list_old(const stage *st, uint32_t *ret_count)
{
    tracer *t = st->tracer;
    uint32_t count = 0, taken = 0;
    size_t left = tracer_bytes(t);
    aged *list = malloc(((size_t)t->scene->mesh_count + 1) * sizeof *list);
    if (!list) return NULL;
    for (uint32_t m = 0; m < t->scene->mesh_count; m++) {
        proposal *p = tracer_look(t, m);
        if (p && p->bytes && (holds(st, m) || p->holders == 0))
            list[count++] = (aged){atomic_load_explicit(&p->used, memory_order_relaxed), m};
    }
    qsort(list, count, sizeof *list, compare_aged);
    while (taken < count && left > t->most - t->most / 4) {
        const proposal *p = tracer_look(t, list[taken].mesh);
        if (p->holders == holds(st, list[taken++].mesh)) left -= p->bytes < left ? p->bytes : left;
    }
    *ret_count = taken;
    return list;
}

/* The stage holds them no longer; what then nobody holds goes. */
static void release(stage *st, const aged *list, const bool *was_held, uint32_t count)
{
    tracer *t = st->tracer;
    proposal *gone = NULL;
    pthread_mutex_lock(&t->room);
    for (uint32_t i = 0; i < count; i++) {
        proposal *p = tracer_look(t, list[i].mesh);
        if (!p) continue; /* held by nobody, and another stage was faster */
        if (was_held[i]) let_hold(p, -1);
        if (p->holders > 0) continue;
        atomic_store_explicit(&t->proposals[list[i].mesh], NULL, memory_order_release);
        atomic_fetch_sub_explicit(&t->bytes, p->bytes, memory_order_relaxed);
        p->next = gone;
        gone = p;
    }
    pthread_mutex_unlock(&t->room);
    while (gone) {
        proposal *next = gone->next;
        proposal_free(gone);
        gone = next;
    }
}

/* No ray is under way in this stage. Without memory to do it, all stays. */
static void let_go(stage *st)
{
    tracer *t = st->tracer;
    uint32_t count = 0;
    pthread_mutex_lock(&t->room);
    aged *list = list_old(st, &count);
    pthread_mutex_unlock(&t->room);
    bool *was_held = list ? calloc((size_t)count + 1, sizeof *was_held) : NULL;
    for (uint32_t i = 0; was_held && i < count; i++)
        was_held[i] = atomic_exchange_explicit(&st->held[list[i].mesh], false, memory_order_relaxed);
    bool done = was_held && stage_rebuild(st); /* the old top is what still casts at them */
    for (uint32_t i = 0; was_held && !done && i < count; i++)
        atomic_store_explicit(&st->held[list[i].mesh], was_held[i], memory_order_release);
    if (done) release(st, list, was_held, count);
    free(was_held);
    free(list);
    size_t left = tracer_bytes(t); /* others hold what is too much: do not ask again at every ray */
    atomic_store_explicit(&st->patience, left > t->most ? left + t->most / 8 : t->most, memory_order_relaxed);
}

/* ---- coming and going ---- */
static bool too_much(const stage *st)
{
    return tracer_bytes(st->tracer) > atomic_load_explicit(&st->patience, memory_order_relaxed);
}

void stage_begin_held(stage *st)
{
    if (too_much(st)) {
        pthread_rwlock_wrlock(&st->gate);
        if (too_much(st)) let_go(st);
        pthread_rwlock_unlock(&st->gate);
    }
    pthread_rwlock_rdlock(&st->gate);
}
