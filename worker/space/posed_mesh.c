/* Posed meshes: an object's vertices in the world, with the boxes of its
 * shape's tree around them. They are most of what collision needs of memory and
 * take no longer to make than to multiply. A space pins those it looks at; of
 * the others the one unused for longest is evicted first. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

void posed_mesh_free(posed_mesh *st)
{
    if (!st)
        return;
    free(st->vertex);
    free(st->shrunk);
    free(st->nodes);
    free(st);
}

/* Room only; posed_mesh_fill computes it. */
etna_code posed_mesh_new(const scene *s,
                         uint32_t object,
                         const shape *sh,
                         posed_mesh **ret,
                         etna_error *err)
{
    posed_mesh *st = calloc(1, sizeof *st);
    if (st) {
        st->object = object;
        st->vertex =
            malloc(((size_t)sh->vertex_count + 1) * sizeof *st->vertex);
        st->shrunk =
            malloc(((size_t)sh->vertex_count + 1) * sizeof *st->shrunk);
        st->nodes = malloc(((size_t)sh->node_count + 1) * sizeof *st->nodes);
        st->item.bytes = (size_t)sh->vertex_count * 2 * sizeof(vec3) +
                         (size_t)sh->node_count * sizeof(bvh_node);
    }
    bool has_vertices = st && st->vertex && st->shrunk;
    if (!has_vertices || !st->nodes) {
        posed_mesh_free(st);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the %u vertices of \"%s\"",
                         sh->vertex_count, s->objects[object].name);
    }
    *ret = st;
    return ETNA_OK;
}

/* toward the middle of the object's box at its base pose, along its axes */
typedef struct drawing {
    vec3 centre, share;
    double sin, cos;
} drawing;

/* As a share of the distance from the middle, so that every side comes in by
 * SPACE_TOUCH; what is thinner collapses onto its middle plane. */
static drawing drawing_of(const scene_box *box)
{
    drawing d = {.centre = box->centre};
    math_sincos(box->yaw, &d.sin, &d.cos);
    d.share.x = box->half.x > SPACE_TOUCH ? SPACE_TOUCH / box->half.x : 1;
    d.share.y = box->half.y > SPACE_TOUCH ? SPACE_TOUCH / box->half.y : 1;
    d.share.z = box->half.z > SPACE_TOUCH ? SPACE_TOUCH / box->half.z : 1;
    return d;
}

static vec3 posed_mesh_draw_in(const drawing *w, vec3 p)
{
    vec3 d = v3_sub(p, w->centre);
    double x = (w->cos * d.x + w->sin * d.y) * w->share.x;
    double y = (w->cos * d.y - w->sin * d.x) * w->share.y;
    return v3_sub(p, v3(w->cos * x - w->sin * y, w->sin * x + w->cos * y,
                        d.z * w->share.z));
}

/* By `motion` from the base pose (NULL: there). Drawn in before it is moved:
 * the same vertices wherever it stands. */
void posed_mesh_fill(const scene *s,
                     const shape *sh,
                     const affine *motion,
                     posed_mesh *st)
{
    const scene_object *o = &s->objects[st->object];
    const scene_part *part = &s->parts[o->first_part];
    drawing in = drawing_of(&o->box);
    uint32_t begin = 0;
    for (uint32_t i = 0; i < sh->vertex_count; i++) {
        /* sources ascend */
        while (sh->source[i] - begin >= s->meshes[part->mesh].vertex_count) {
            begin += s->meshes[part->mesh].vertex_count;
            part++;
        }
        vec3 at = scene_vertex(s, part, sh->source[i] - begin);
        st->vertex[i] = motion ? affine_point(motion, at) : at;
        if (!st->shrunk)
            continue;
        vec3 inner = posed_mesh_draw_in(&in, at);
        st->shrunk[i] = motion ? affine_point(motion, inner) : inner;
    }
    if (st->nodes)
        bvh_fit(sh->links, sh->node_count, st->vertex, sh->index, st->nodes);
}

/* ---- the shared ones ---- */
/* Pinned; NULL: it is not there. */
static posed_mesh *posed_mesh_pin(space_shared *shared, uint32_t object)
{
    pthread_mutex_lock(&shared->cache_lock);
    posed_mesh *st = shared->stands[object];
    if (st)
        lru_pin(&shared->posed_mesh_cache, &st->item);
    pthread_mutex_unlock(&shared->cache_lock);
    return st;
}

/* Pinned; pair with shared_posed_mesh_release. */
etna_code shared_posed_mesh(space_shared *shared,
                            uint32_t object,
                            posed_mesh **ret,
                            etna_error *err)
{
    const shape *sh = NULL;
    posed_mesh *st = posed_mesh_pin(shared, object);
    etna_code code = st ? ETNA_OK : shared_tree(shared, object, &sh, err);
    if (!st && !code) {
        pthread_mutex_lock(&shared->locks[object % SPACE_LOCKS]);
        st = posed_mesh_pin(shared, object);
        if (!st && (code = posed_mesh_new(shared->scene, object, sh, &st,
                                          err)) == ETNA_OK) {
            posed_mesh_fill(shared->scene, sh, NULL, st);
            pthread_mutex_lock(&shared->cache_lock);
            lru_add(&shared->posed_mesh_cache, &st->item);
            shared->stands[object] = st;
            pthread_mutex_unlock(&shared->cache_lock);
        }
        pthread_mutex_unlock(&shared->locks[object % SPACE_LOCKS]);
    }
    shared_shape_release(shared, sh);
    if (!code)
        *ret = st;
    return code;
}

static void posed_mesh_forget(void *owner, lru_item *item)
{
    space_shared *shared = owner;
    shared->stands[((const posed_mesh *)item)->object] = NULL;
}

static void posed_mesh_destroy(lru_item *item)
{
    posed_mesh_free((posed_mesh *)item);
}

void shared_posed_mesh_release(space_shared *shared, posed_mesh *st)
{
    lru *cache = &shared->posed_mesh_cache;
    pthread_mutex_lock(&shared->cache_lock);
    lru_unpin(cache, &st->item);
    /* The limit is on those that no space holds. */
    lru_item *gone = lru_trim(
        cache, shared->posed_mesh_idle_max + (cache->bytes - cache->idle),
        posed_mesh_forget, shared);
    pthread_mutex_unlock(&shared->cache_lock);
    lru_destroy(gone, posed_mesh_destroy);
}
