/* Shared and own parts of a space: lifecycle, poses, and each object's
 * triangles brought to where it stands.
 *
 * A scene's geometry is the same for all who look at it, so it is built once
 * (space_shared, counted by references): shapes, trees, undersides, the Embree
 * meshes. A space is one arrangement of it: a pose for each object and what
 * follows from that, which is made when it is asked for and forgotten when the
 * object moves. A space is used by one thread at a time; the shared part by
 * any, with a lock for each group of objects. Where memory is bounded, what
 * nobody uses is let go between two questions. */
#include "worker/space/space_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* `config`: more for Embree's device, for tests of other vector widths. */
etna_code space_share_with(scene *s,
                           const char *config,
                           space_shared **ret_shared,
                           etna_error *err)
{
    space_shared *shared = calloc(1, sizeof *shared);
    if (!shared)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    atomic_init(&shared->references, 1);
    for (int i = 0; i < SPACE_LOCKS; i++)
        pthread_mutex_init(&shared->locks[i], NULL);
    pthread_mutex_init(&shared->cache_lock, NULL);
    pthread_mutex_init(&shared->air_lock, NULL);
    pthread_mutex_init(&shared->level_lock, NULL);
    /* 20 M triangles would be 2 GB of them, a house's are 20 MB */
    shared->posed_mesh_idle_max = budget_share(s, BUDGET_STANDS);
    shared->held_max = shared->posed_mesh_idle_max / 2;
    shared->scene = scene_ref(s);
    size_t n = (size_t)s->object_count + 1;
    shared->geometries = calloc(n, sizeof *shared->geometries);
    shared->shapes = calloc(n, sizeof *shared->shapes);
    shared->undersides = calloc(n, sizeof *shared->undersides);
    shared->stands = calloc(n, sizeof *shared->stands);
    shared->shape_of = malloc(n * sizeof *shared->shape_of);
    shared->shape_first = malloc(n * sizeof *shared->shape_first);
    etna_code code = ETNA_OK;
    bool has_objects =
        shared->geometries && shared->undersides && shared->stands;
    bool has_shapes = shared->shapes && shared->shape_of && shared->shape_first;
    if (!has_objects || !has_shapes)
        code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         s->object_count);
    if (!code)
        code = shape_group(s, shared->shape_of, shared->shape_first,
                           &shared->shape_count, err);
    if (!code)
        shared_bound(shared, budget_share(s, BUDGET_SHAPES));
    if (!code)
        code = embree_shared_new(s, config, &shared->embree_shared, err);
    if (code) {
        space_shared_free(shared);
        return code;
    }
    *ret_shared = shared;
    return ETNA_OK;
}

/* *ret_shared is the caller's to release; the scene is borrowed and must
 * outlive it. */
etna_code space_share(scene *s, space_shared **ret_shared, etna_error *err)
{
    return space_share_with(s, NULL, ret_shared, err);
}

/* One more user. */
static space_shared *space_shared_ref(space_shared *shared)
{
    atomic_fetch_add(&shared->references, 1);
    return shared;
}

/* The last reference frees; spaces hold one each. */
void space_shared_free(space_shared *shared)
{
    if (!shared || atomic_fetch_sub(&shared->references, 1) != 1)
        return;
    for (uint32_t i = 0; i < shared->scene->object_count; i++) {
        if (shared->geometries)
            object_geometry_free(atomic_load(&shared->geometries[i]));
        if (shared->stands)
            posed_mesh_free(shared->stands[i]);
    }
    shared_shapes_free(shared);
    embree_shared_free(shared->embree_shared);
    for (int i = 0; i < SPACE_LOCKS; i++)
        pthread_mutex_destroy(&shared->locks[i]);
    pthread_mutex_destroy(&shared->cache_lock);
    pthread_mutex_destroy(&shared->air_lock);
    pthread_mutex_destroy(&shared->level_lock);
    for (uint32_t i = 0; i < AIRS_KEPT; i++)
        space_air_free(shared->airs[i]);
    scene_free(shared->scene);
    free(shared->geometries);
    free(shared->shapes);
    free(shared->undersides);
    free(shared->stands);
    free(shared->shape_of);
    free(shared->shape_first);
    free(shared);
}

/* Built by whoever asks first; others wait for it. It stays. */
etna_code shared_geometry(space_shared *shared,
                          uint32_t object,
                          object_geometry **ret,
                          etna_error *err)
{
    object_geometry *b =
        atomic_load_explicit(&shared->geometries[object], memory_order_acquire);
    shape *sh = NULL;
    etna_code code = b ? ETNA_OK : shared_shape(shared, object, &sh, err);
    if (!b && !code) {
        pthread_mutex_lock(&shared->locks[object % SPACE_LOCKS]);
        b = atomic_load_explicit(&shared->geometries[object],
                                 memory_order_acquire);
        if (!b && (code = object_geometry_build(shared->scene, object, sh, &b,
                                                err)) == ETNA_OK)
            atomic_store_explicit(&shared->geometries[object], b,
                                  memory_order_release);
        pthread_mutex_unlock(&shared->locks[object % SPACE_LOCKS]);
    }
    shared_shape_release(shared, sh);
    if (code == ETNA_OK)
        *ret = b;
    return code;
}

/* What the object holds of triangles; its own posed mesh is kept to be filled
 * anew. */
static void space_let_go(space *sp, object_state *p)
{
    if (p->base) {
        shared_posed_mesh_release(sp->shared, p->base);
        sp->held_bytes -= p->bytes;
        p->bytes = 0;
    }
    shared_shape_release(sp->shared, p->shape);
    p->base = NULL;
    p->shape = NULL;
    p->vertex = p->shrunk = NULL;
    winding_aid_free(p->aid);
    p->aid = NULL;
    p->nodes = NULL;
    p->fresh = false;
}

/* What followed from its pose. */
static void space_forget(space *sp, object_state *p)
{
    space_let_go(sp, p);
    posed_mesh_free(p->own);
    p->own = NULL;
    sp->held_bytes -= p->bytes;
    p->bytes = 0;
}

/* At the base pose exactly, an object has no motion: `moved` compares bits, so
 * that undoing a move brings back the very vertices. */
static void object_state_stand(const scene *s,
                               object_state *p,
                               uint32_t object,
                               const arrange_pose *pose)
{
    const scene_object *o = &s->objects[object];
    arrange_pose base = scene_base_pose(o);
    p->pose = *pose;
    p->moved = memcmp(&base, pose, sizeof base) != 0;
    p->motion = p->moved ? scene_motion(o, pose) : affine_identity();
    free(p->own_underside);
    p->own_underside = NULL;
    p->box = (box3){o->min, o->max};
    if (p->moved) {
        scene_box box = scene_box_at(o, pose);
        vec3 corner[8];
        scene_box_corners(&box, corner);
        p->box = (box3){corner[0], corner[0]};
        for (int i = 1; i < 8; i++) {
            p->box.min = v3_min(p->box.min, corner[i]);
            p->box.max = v3_max(p->box.max, corner[i]);
        }
    }
    /* Corners and vertices are rounded on different ways here; a nanometre
     * covers it. */
    p->box.min = v3_sub(p->box.min, v3(SPACE_NOISE, SPACE_NOISE, SPACE_NOISE));
    p->box.max = v3_add(p->box.max, v3(SPACE_NOISE, SPACE_NOISE, SPACE_NOISE));
}

/* Without rays. */
etna_code space_new_bare(space_shared *shared,
                         space **ret_space,
                         etna_error *err)
{
    const scene *s = shared->scene;
    space *sp = calloc(1, sizeof *sp);
    if (!sp)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    sp->shared = space_shared_ref(shared);
    sp->patience = shared->shape_cache_max;
    sp->object_state =
        calloc((size_t)s->object_count + 1, sizeof *sp->object_state);
    etna_code code =
        sp->object_state
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                        s->object_count);
    sp->queue = malloc(((size_t)s->object_count + 1) * sizeof *sp->queue);
    if (!code && !sp->queue)
        code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         s->object_count);
    if (!code)
        code = broad_phase_new(s, &sp->broad_phase, err);
    if (code) {
        space_free(sp);
        return code;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        arrange_pose base = scene_base_pose(&s->objects[i]);
        object_state_stand(s, &sp->object_state[i], i, &base);
    }
    *ret_space = sp;
    return ETNA_OK;
}

/* Once per scene: the first space is asked, while all stands as in the file. */
static etna_code take_level(space *sp, etna_error *err)
{
    space_shared *shared = sp->shared;
    etna_code code = ETNA_OK;
    pthread_mutex_lock(&shared->level_lock);
    if (!shared->level_known)
        code = level_find(sp, &shared->level, err);
    shared->level_known = code == ETNA_OK;
    sp->level = shared->level;
    pthread_mutex_unlock(&shared->level_lock);
    return code;
}

/* All objects stand as the scene has them. */
etna_code space_new(space_shared *shared, space **ret_space, etna_error *err)
{
    space *sp = NULL;
    etna_code code = space_new_bare(shared, &sp, err);
    if (!code)
        code = embree_scene_new(shared->embree_shared, &sp->embree_scene, err);
    if (!code)
        code = take_level(sp, err);
    if (code) {
        space_free(sp);
        return code;
    }
    *ret_space = sp;
    return ETNA_OK;
}

/* NULL is fine. */
void space_free(space *sp)
{
    if (!sp)
        return;
    embree_scene_free(sp->embree_scene);
    free(sp->underside);
    for (uint32_t i = 0;
         sp->object_state && i < sp->shared->scene->object_count; i++) {
        space_forget(sp, &sp->object_state[i]);
        free(sp->object_state[i].own_underside);
    }
    broad_phase_free(sp->broad_phase);
    free(sp->queue);
    free(sp->object_state);
    free(sp->hidden);
    space_shared_free(sp->shared);
    free(sp);
}

/* Borrowed. */
const scene *space_scene(const space *sp)
{
    return sp->shared->scene;
}
/* A guest waits where it was parked until somebody places it. */
bool space_is_aside(const space *sp, uint32_t object)
{
    const scene_object *o = &sp->shared->scene->objects[object];
    if (o->stray || !o->guest)
        return o->stray;
    const arrange_pose base = scene_base_pose(o);
    const arrange_pose *now = space_pose(sp, object);
    bool waits = base.yaw == now->yaw;
    for (int k = 0; k < 3; k++)
        waits = waits && base.position[k] == now->position[k];
    return waits;
}

/* Valid until the object is moved. */
const arrange_pose *space_pose(const space *sp, uint32_t object)
{
    assert(object < sp->shared->scene->object_count);
    return &sp->object_state[object].pose;
}

scene_box space_box(const space *sp, uint32_t object)
{
    return scene_box_at(&sp->shared->scene->objects[object],
                        space_pose(sp, object));
}

/* Poses are bounded as positions of files are: beyond them distances lose their
 * digits. A pose of the same bits costs nothing. */
etna_code space_move(space *sp,
                     uint32_t object,
                     const arrange_pose *pose,
                     etna_error *err)
{
    const scene *s = sp->shared->scene;
    if (object >= s->object_count)
        return etna_fail(err, ETNA_E_INTERNAL, "space: object %u of %u", object,
                         s->object_count);
    for (int i = 0; i < 3; i++)
        if (!isfinite(pose->position[i]) || fabs(pose->position[i]) > 1e9)
            return etna_fail(
                err, ETNA_E_INPUT,
                "space: \"%s\" cannot stand there: the position is not a number within 1e9 m",
                s->objects[object].name);
    if (!isfinite(pose->yaw) || fabs(pose->yaw) > 1e6)
        return etna_fail(
            err, ETNA_E_INPUT,
            "space: \"%s\" cannot stand so: the yaw is not a number of radians",
            s->objects[object].name);
    if (memcmp(&sp->object_state[object].pose, pose, sizeof *pose) == 0)
        return ETNA_OK;
    space_let_go(sp, &sp->object_state[object]);
    object_state_stand(s, &sp->object_state[object], object, pose);
    broad_phase_moved(sp->broad_phase, object);
    if (sp->embree_scene)
        embree_scene_move(sp->embree_scene, object,
                          &sp->object_state[object].motion,
                          sp->object_state[object].moved);
    return ETNA_OK;
}

/* Stops at the first that fails; the space then stands between the two. */
etna_code space_restore(space *sp, const snapshot *snap, etna_error *err)
{
    if (snap->object_count != sp->shared->scene->object_count)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: a snapshot of %u objects for a scene of %u",
                         snap->object_count, sp->shared->scene->object_count);
    for (uint32_t i = 0; i < snap->object_count; i++) {
        etna_code code = space_move(sp, i, &snap->poses[i], err);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* Is it time to let some go? */
static bool has_too_many_shapes(const space *sp)
{
    return sp->shared->bounded &&
           atomic_load_explicit(&sp->shared->shape_cache_bytes,
                                memory_order_relaxed) > sp->patience;
}

/* Lets go of the longest held until what is held fits, but of nothing that was
 * asked for lately. */
static void space_make_room(space *sp)
{
    for (uint32_t tries = sp->queue_count;
         tries > 0 &&
         (sp->held_bytes > sp->shared->held_max || has_too_many_shapes(sp));
         tries--) {
        uint32_t n = sp->shared->scene->object_count;
        uint32_t object = sp->queue[sp->queue_first];
        object_state *p = &sp->object_state[object];
        sp->queue_first = (sp->queue_first + 1) % n;
        sp->queue_count--;
        if (sp->clock - p->used < SPACE_RECENT) {
            sp->queue[(sp->queue_first + sp->queue_count++) % n] = object;
            continue;
        }
        space_forget(sp, p);
        p->queued = false;
    }
    if (!sp->shared->bounded)
        return;
    /* Where others hold what is too much, do not let go of all again at every
     * question. */
    size_t left = atomic_load_explicit(&sp->shared->shape_cache_bytes,
                                       memory_order_relaxed);
    size_t most = sp->shared->shape_cache_max;
    if (left > sp->patience || left <= most)
        sp->patience = left > most ? left + most / 8 : most;
}

/* Vertices of an object at its base pose are shared; moved ones are the space's
 * own. */
static etna_code space_bring(space *sp,
                             uint32_t object,
                             object_state *p,
                             etna_error *err)
{
    const shape *sh = NULL;
    posed_mesh *st = NULL;
    if (!p->moved)
        space_forget(sp, p);
    etna_code code = shared_tree(sp->shared, object, &sh, err);
    if (!code && !p->moved) {
        code = shared_posed_mesh(sp->shared, object, &st, err);
        if (!code)
            p->base = st;
    } else if (!code) {
        if (!p->own)
            code = posed_mesh_new(sp->shared->scene, object, sh, &p->own, err);
        st = p->own;
        if (!code)
            posed_mesh_fill(sp->shared->scene, sh, &p->motion, st);
    }
    if (code) {
        shared_shape_release(sp->shared, sh);
        return code;
    }
    sp->held_bytes += st->item.bytes - p->bytes;
    p->bytes = st->item.bytes;
    p->shape = sh;
    p->vertex = st->vertex;
    p->shrunk = st->shrunk;
    p->nodes = st->nodes;
    p->fresh = true;
    return ETNA_OK;
}

/* *ret is valid until the next call for any object: what was not asked for
 * lately is let go. */
etna_code space_posed(space *sp,
                      uint32_t object,
                      object_state **ret,
                      etna_error *err)
{
    object_state *p = &sp->object_state[object];
    p->used = ++sp->clock;
    if (!p->fresh) {
        etna_code code = space_bring(sp, object, p, err);
        if (code)
            return code;
        if (!p->queued) {
            uint32_t n = sp->shared->scene->object_count;
            sp->queue[(sp->queue_first + sp->queue_count++) % n] = object;
            p->queued = true;
        }
        space_make_room(sp);
    }
    *ret = p;
    return ETNA_OK;
}

/* What is hidden casts no shadow and stops no ray; NULL hides nothing. The list
 * is copied. */
etna_code space_hide(space *sp, const bool *hidden, etna_error *err)
{
    size_t n = sp->shared->scene->object_count;
    bool *copy = hidden ? malloc(n + 1) : NULL;
    if (hidden && !copy)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %zu objects",
                         n);
    if (hidden)
        memcpy(copy, hidden, n * sizeof *copy);
    free(sp->hidden);
    sp->hidden = copy;
    return ETNA_OK;
}

/* NULL: nothing. */
const bool *space_hidden(const space *sp)
{
    return sp->hidden;
}

/* False: it meets nothing. */
bool space_cast(const space *sp, const space_ray *ray, space_hit *ret_hit)
{
    return embree_scene_cast(sp->embree_scene, ray, sp->hidden, ret_hit);
}

/* How many met something. */
uint32_t space_cast_many(const space *sp,
                         const space_ray *rays,
                         uint32_t count,
                         space_hit *ret_hits)
{
    return embree_scene_cast_many(sp->embree_scene, rays, count, sp->hidden,
                                  ret_hits);
}

/* What is hidden is met, too. */
bool space_cast_all(const space *sp, const space_ray *ray, space_hit *ret_hit)
{
    return embree_scene_cast(sp->embree_scene, ray, NULL, ret_hit);
}

/* Before shadows are asked for by many threads. */
etna_code space_light_ready(const space *sp, etna_error *err)
{
    return embree_scene_ready(sp->embree_scene)
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM,
                           "space: no memory to cast shadows");
}

/* *ret_part is what stands in the light. */
bool space_shaded(const space *sp,
                  const space_light *light,
                  vec3 from,
                  vec3 direction,
                  double reach,
                  uint32_t *ret_part)
{
    return embree_scene_shaded(sp->embree_scene, light, sp->hidden, from,
                               direction, reach, ret_part);
}

/* Exact, by triangles. */
etna_code space_near(
    space *sp, uint32_t a, uint32_t b, double limit, bool *ret, etna_error *err)
{
    return intersect_within(sp, a, b, limit, ret, err);
}
