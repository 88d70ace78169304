/* Shared and own parts of a space: lifecycle, poses, and each object's triangles brought to where it stands. */
#include "worker/space/own.h"

#include <stdlib.h>
#include <string.h>

etna_code space_share_with(scene *s, const char *config, space_shared **ret_shared, etna_error *err)
{
    space_shared *shared = calloc(1, sizeof *shared);
    if (!shared) return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    atomic_init(&shared->references, 1);
    for (int i = 0; i < SPACE_LOCKS; i++) pthread_mutex_init(&shared->locks[i], NULL);
    shared->scene = scene_ref(s);
    shared->bodies = calloc((size_t)s->object_count + 1, sizeof *shared->bodies);
    etna_code code = ETNA_OK;
    if (!shared->bodies) code = etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects", s->object_count);
    if (!code) code = tracer_new(s, config, &shared->tracer, err);
    if (code) {
        space_shared_free(shared);
        return code;
    }
    *ret_shared = shared;
    return ETNA_OK;
}

etna_code space_share(scene *s, space_shared **ret_shared, etna_error *err)
{
    return space_share_with(s, NULL, ret_shared, err);
}

space_shared *space_shared_ref(space_shared *shared)
{
    atomic_fetch_add(&shared->references, 1);
    return shared;
}

void space_shared_free(space_shared *shared)
{
    if (!shared || atomic_fetch_sub(&shared->references, 1) != 1) return;
    for (uint32_t i = 0; shared->bodies && i < shared->scene->object_count; i++)
        body_free(atomic_load(&shared->bodies[i]));
    tracer_free(shared->tracer);
    for (int i = 0; i < SPACE_LOCKS; i++) pthread_mutex_destroy(&shared->locks[i]);
    scene_free(shared->scene);
    free(shared->bodies);
    free(shared);
}

etna_code shared_body(space_shared *shared, uint32_t object, body **ret, etna_error *err)
{
    body *b = atomic_load_explicit(&shared->bodies[object], memory_order_acquire);
    etna_code code = ETNA_OK;
    if (!b) {
        pthread_mutex_lock(&shared->locks[object % SPACE_LOCKS]);
        b = atomic_load_explicit(&shared->bodies[object], memory_order_acquire);
        if (!b && (code = body_build(shared->scene, object, &b, err)) == ETNA_OK)
            atomic_store_explicit(&shared->bodies[object], b, memory_order_release);
        pthread_mutex_unlock(&shared->locks[object % SPACE_LOCKS]);
    }
    if (code == ETNA_OK) *ret = b;
    return code;
}

static void stand(const scene *s, posed *p, uint32_t object, const arrange_pose *pose)
{
    const scene_object *o = &s->objects[object];
    arrange_pose base = scene_base_pose(o);
    p->pose = *pose;
    p->moved = memcmp(&base, pose, sizeof base) != 0;
    p->motion = p->moved ? scene_motion(o, pose) : affine_identity();
    p->fresh = false;
    free(p->own_feet);
    p->own_feet = NULL;
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
    /* Corners and vertices are rounded on different ways here; a nanometre covers it. */
    p->box.min = v3_sub(p->box.min, v3(SPACE_NOISE, SPACE_NOISE, SPACE_NOISE));
    p->box.max = v3_add(p->box.max, v3(SPACE_NOISE, SPACE_NOISE, SPACE_NOISE));
}

etna_code space_new(space_shared *shared, space **ret_space, etna_error *err)
{
    const scene *s = shared->scene;
    space *sp = calloc(1, sizeof *sp);
    if (!sp) return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    sp->shared = space_shared_ref(shared);
    sp->posed = calloc((size_t)s->object_count + 1, sizeof *sp->posed);
    etna_code code =
        sp->posed ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects", s->object_count);
    if (!code) code = stage_new(shared->tracer, &sp->stage, err);
    if (code) {
        space_free(sp);
        return code;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        arrange_pose base = scene_base_pose(&s->objects[i]);
        stand(s, &sp->posed[i], i, &base);
    }
    *ret_space = sp;
    return ETNA_OK;
}

void space_free(space *sp)
{
    if (!sp) return;
    stage_free(sp->stage);
    for (uint32_t i = 0; sp->posed && i < sp->shared->scene->object_count; i++) {
        free(sp->posed[i].own_vertex);
        free(sp->posed[i].own_shrunk);
        free(sp->posed[i].own_nodes);
        free(sp->posed[i].own_feet);
    }
    free(sp->posed);
    free(sp->hidden);
    space_shared_free(sp->shared);
    free(sp);
}

const scene *space_scene(const space *sp)
{
    return sp->shared->scene;
}
const arrange_pose *space_pose(const space *sp, uint32_t object)
{
    return &sp->posed[object].pose;
}

etna_code space_move(space *sp, uint32_t object, const arrange_pose *pose, etna_error *err)
{
    const scene *s = sp->shared->scene;
    if (object >= s->object_count)
        return etna_fail(err, ETNA_E_INTERNAL, "space: object %u of %u", object, s->object_count);
    for (int i = 0; i < 3; i++)
        if (!isfinite(pose->position[i]) || fabs(pose->position[i]) > 1e9)
            return etna_fail(err, ETNA_E_INPUT,
                             "space: \"%s\" cannot stand there: the position is not a number within 1e9 m",
                             s->objects[object].name);
    if (!isfinite(pose->yaw) || fabs(pose->yaw) > 1e6)
        return etna_fail(err, ETNA_E_INPUT, "space: \"%s\" cannot stand so: the yaw is not a number of radians",
                         s->objects[object].name);
    if (memcmp(&sp->posed[object].pose, pose, sizeof *pose) == 0) return ETNA_OK;
    stand(s, &sp->posed[object], object, pose);
    stage_move(sp->stage, object, &sp->posed[object].motion, sp->posed[object].moved);
    return ETNA_OK;
}

etna_code space_restore(space *sp, const snapshot *snap, etna_error *err)
{
    if (snap->object_count != sp->shared->scene->object_count)
        return etna_fail(err, ETNA_E_INTERNAL, "space: a snapshot of %u objects for a scene of %u", snap->object_count,
                         sp->shared->scene->object_count);
    for (uint32_t i = 0; i < snap->object_count; i++) {
        etna_code code = space_move(sp, i, &snap->poses[i], err);
        if (code) return code;
    }
    return ETNA_OK;
}

/* The body's arrays, carried by the object's motion. */
static etna_code carry(posed *p, const scene_object *o, etna_error *err)
{
    const body *b = p->body;
    if (!p->own_vertex) {
        p->own_vertex = malloc(((size_t)b->vertex_count + 1) * sizeof(vec3));
        p->own_shrunk = malloc(((size_t)b->vertex_count + 1) * sizeof(vec3));
        p->own_nodes = malloc(((size_t)b->node_count + 1) * sizeof(bvh_node));
        if (!p->own_vertex || !p->own_shrunk || !p->own_nodes) {
            free(p->own_vertex);
            free(p->own_shrunk);
            free(p->own_nodes);
            p->own_vertex = p->own_shrunk = NULL;
            p->own_nodes = NULL;
            return etna_fail(err, ETNA_E_NOMEM, "space: no memory to move the %u vertices of \"%s\"", b->vertex_count,
                             o->name);
        }
        memcpy(p->own_nodes, b->nodes, b->node_count * sizeof(bvh_node));
    }
    for (uint32_t i = 0; i < b->vertex_count; i++) p->own_vertex[i] = affine_point(&p->motion, b->vertex[i]);
    for (uint32_t i = 0; i < b->vertex_count; i++) p->own_shrunk[i] = affine_point(&p->motion, b->shrunk[i]);
    bvh_refit(p->own_nodes, b->node_count, p->own_vertex, b->index);
    p->vertex = p->own_vertex;
    p->shrunk = p->own_shrunk;
    p->nodes = p->own_nodes;
    return ETNA_OK;
}

etna_code space_posed(space *sp, uint32_t object, posed **ret, etna_error *err)
{
    posed *p = &sp->posed[object];
    if (!p->fresh) {
        etna_code code = p->body ? ETNA_OK : shared_body(sp->shared, object, &p->body, err);
        if (!code && p->moved) code = carry(p, &sp->shared->scene->objects[object], err);
        if (code) return code;
        if (!p->moved) {
            p->vertex = p->body->vertex;
            p->shrunk = p->body->shrunk;
            p->nodes = p->body->nodes;
        }
        p->fresh = true;
    }
    *ret = p;
    return ETNA_OK;
}

etna_code space_hide(space *sp, const bool *hidden, etna_error *err)
{
    size_t n = sp->shared->scene->object_count;
    bool *copy = hidden ? malloc(n + 1) : NULL;
    if (hidden && !copy) return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %zu objects", n);
    if (hidden) memcpy(copy, hidden, n * sizeof *copy);
    free(sp->hidden);
    sp->hidden = copy;
    return ETNA_OK;
}

const bool *space_hidden(const space *sp)
{
    return sp->hidden;
}

bool space_cast(const space *sp, const space_ray *ray, space_hit *ret_hit)
{
    return stage_cast(sp->stage, ray, sp->hidden, ret_hit);
}

bool space_cast_all(const space *sp, const space_ray *ray, space_hit *ret_hit)
{
    return stage_cast(sp->stage, ray, NULL, ret_hit);
}

etna_code space_light_ready(const space *sp, etna_error *err)
{
    return stage_ready(sp->stage) ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "space: no memory to cast shadows");
}

bool space_shaded(const space *sp, const space_light *light, vec3 from, vec3 direction, double reach,
                  uint32_t *ret_part)
{
    return stage_shaded(sp->stage, light, sp->hidden, from, direction, reach, ret_part);
}

etna_code space_near(space *sp, uint32_t a, uint32_t b, double limit, bool *ret, etna_error *err)
{
    return cut_within(sp, a, b, limit, ret, err);
}
