/* Stands: an object's vertices in the world, where it stands, with the boxes of its shape's tree around them. They are
 * most of what collision needs of memory, and made anew in the time it takes to multiply, so they are kept as long as
 * memory is there: a space holds what it looks at; what no space holds waits in a list, the oldest to go first. */
#include "worker/space/own.h"

#include <stdlib.h>

void stand_free(stand *st)
{
    if (!st) return;
    free(st->vertex);
    free(st->shrunk);
    free(st->nodes);
    free(st);
}

etna_code stand_new(const scene *s, uint32_t object, const shape *sh, stand **ret, etna_error *err)
{
    stand *st = calloc(1, sizeof *st);
    if (st) {
        st->object = object;
        st->vertex = malloc(((size_t)sh->vertex_count + 1) * sizeof *st->vertex);
        st->shrunk = malloc(((size_t)sh->vertex_count + 1) * sizeof *st->shrunk);
        st->nodes = malloc(((size_t)sh->node_count + 1) * sizeof *st->nodes);
        st->kept.bytes = (size_t)sh->vertex_count * 2 * sizeof(vec3) + (size_t)sh->node_count * sizeof(bvh_node);
    }
    if (!st || !st->vertex || !st->shrunk || !st->nodes) {
        stand_free(st);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for the %u vertices of \"%s\"", sh->vertex_count,
                         s->objects[object].name);
    }
    *ret = st;
    return ETNA_OK;
}

typedef struct drawing { /* toward the middle of the object's box at its base pose, along its axes */
    vec3 centre, share;
    double sin, cos;
} drawing;

static drawing drawing_of(const scene_box *box)
{
    drawing d = {.centre = box->centre};
    math_sincos(box->yaw, &d.sin, &d.cos);
    d.share.x = box->half.x > SPACE_TOUCH ? SPACE_TOUCH / box->half.x : 1;
    d.share.y = box->half.y > SPACE_TOUCH ? SPACE_TOUCH / box->half.y : 1;
    d.share.z = box->half.z > SPACE_TOUCH ? SPACE_TOUCH / box->half.z : 1;
    return d;
}

static vec3 draw_in(const drawing *w, vec3 p)
{
    vec3 d = v3_sub(p, w->centre);
    double x = (w->cos * d.x + w->sin * d.y) * w->share.x, y = (w->cos * d.y - w->sin * d.x) * w->share.y;
    return v3_sub(p, v3(w->cos * x - w->sin * y, w->sin * x + w->cos * y, d.z * w->share.z));
}

void stand_fill(const scene *s, const shape *sh, const affine *motion, stand *st)
{
    const scene_object *o = &s->objects[st->object];
    const scene_part *part = &s->parts[o->first_part];
    drawing in = drawing_of(&o->box);
    uint32_t begin = 0;
    for (uint32_t i = 0; i < sh->vertex_count; i++) {
        while (sh->source[i] - begin >= s->meshes[part->mesh].vertex_count) { /* sources ascend */
            begin += s->meshes[part->mesh].vertex_count;
            part++;
        }
        vec3 at = scene_vertex(s, part, sh->source[i] - begin);
        st->vertex[i] = motion ? affine_point(motion, at) : at;
        if (!st->shrunk) continue;
        vec3 inner = draw_in(&in, at);
        st->shrunk[i] = motion ? affine_point(motion, inner) : inner;
    }
    if (st->nodes) bvh_fit(sh->links, sh->node_count, st->vertex, sh->index, st->nodes);
}

/* ---- the shared ones ---- */
/* Pinned; NULL: it is not there. */
static stand *stand_pin(space_shared *shared, uint32_t object)
{
    pthread_mutex_lock(&shared->room);
    stand *st = shared->stands[object];
    if (st) lru_pin(&shared->standing, &st->kept);
    pthread_mutex_unlock(&shared->room);
    return st;
}

etna_code shared_stand(space_shared *shared, uint32_t object, stand **ret, etna_error *err)
{
    const shape *sh = NULL;
    stand *st = stand_pin(shared, object);
    etna_code code = st ? ETNA_OK : shared_tree(shared, object, &sh, err);
    if (!st && !code) {
        pthread_mutex_lock(&shared->locks[object % SPACE_LOCKS]);
        st = stand_pin(shared, object);
        if (!st && (code = stand_new(shared->scene, object, sh, &st, err)) == ETNA_OK) {
            stand_fill(shared->scene, sh, NULL, st);
            pthread_mutex_lock(&shared->room);
            lru_add(&shared->standing, &st->kept);
            shared->stands[object] = st;
            pthread_mutex_unlock(&shared->room);
        }
        pthread_mutex_unlock(&shared->locks[object % SPACE_LOCKS]);
    }
    shared_shape_release(shared, sh);
    if (!code) *ret = st;
    return code;
}

static void stand_forget(void *owner, lru_item *item)
{
    space_shared *shared = owner;
    shared->stands[((const stand *)item)->object] = NULL;
}

static void stand_destroy(lru_item *item) { stand_free((stand *)item); }

void shared_stand_release(space_shared *shared, stand *st)
{
    lru *cache = &shared->standing;
    pthread_mutex_lock(&shared->room);
    lru_unpin(cache, &st->kept);
    /* The limit is on those that no space holds. */
    lru_item *gone = lru_trim(cache, shared->idle_max + (cache->bytes - cache->idle), stand_forget, shared);
    pthread_mutex_unlock(&shared->room);
    lru_destroy(gone, stand_destroy);
}
