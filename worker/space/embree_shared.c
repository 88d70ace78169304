/* What all Embree scenes of a scene share for rays: the Embree device, and per
 * mesh what Embree is given of it (embree_mesh.c), built when a ray first
 * enters the box of a part of it: most meshes of a large scene are behind
 * others. */
#include "worker/space/embree.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory ended: a cast has no way to say so, and "nothing is met" would be a
 * verdict. So all triangles are tried. */
static embree_mesh untold;

embree_mesh *embree_shared_build(embree_shared *t, uint32_t mesh)
{
    embree_mesh *p = embree_mesh_build(t->device, &t->scene->meshes[mesh],
                                       t->margin_local[mesh]);
    atomic_fetch_add_explicit(&t->built, 1, memory_order_relaxed);
    if (!p)
        return &untold;
    p->bytes = embree_mesh_bytes(&t->scene->meshes[mesh]);
    return p;
}

/* Two threads that come at once: one builds, the other waits. */
embree_mesh *embree_shared_mesh_make(embree_shared *t, uint32_t mesh)
{
    embree_mesh *p = embree_shared_mesh(t, mesh);
    if (p)
        return p;
    pthread_mutex_lock(&t->locks[mesh % SPACE_LOCKS]);
    p = embree_shared_mesh(t, mesh);
    if (!p) {
        p = embree_shared_build(t, mesh);
        atomic_store_explicit(&t->meshes[mesh], p, memory_order_release);
    }
    pthread_mutex_unlock(&t->locks[mesh % SPACE_LOCKS]);
    return p;
}

uint32_t embree_shared_built(embree_shared *t)
{
    return atomic_load_explicit(&t->built, memory_order_relaxed);
}

void embree_shared_lose(embree_shared *t)
{
    for (uint32_t m = 0; m < t->scene->mesh_count; m++)
        if (!embree_shared_mesh(t, m))
            atomic_store_explicit(&t->meshes[m], &untold, memory_order_release);
}

/* ---- flat parts ---- */
/* A part scaled to nothing along one direction is a real thing in real files (a
 * carpet as a flattened box), but Embree needs an inverse. So its lost
 * direction gets a little height: `height` metres per unit along the plane's
 * normal. False when the part is a line or a point. A part that is not flat is
 * left as it is. */
bool embree_thicken(const affine *a, double height, affine *ret)
{
    affine inverse;
    vec3 column[3], row[3];
    vec3 normal = {0, 0, 0};
    vec3 lost = {0, 0, 0};
    *ret = *a;
    for (int i = 0; i < 3; i++) {
        column[i] = v3(a->m[0][i], a->m[1][i], a->m[2][i]);
        row[i] = v3(a->m[i][0], a->m[i][1], a->m[i][2]);
    }
    /* Against the columns' lengths, because a flat part turned by a yaw has a
     * determinant of rounding. */
    double volume =
        v3_length(column[0]) * v3_length(column[1]) * v3_length(column[2]);
    if (fabs(affine_det(a)) > 1e-9 * volume && affine_inverse(a, &inverse))
        return true;
    for (int i = 0; i < 3; i++) {
        vec3 c = v3_cross(column[i], column[(i + 1) % 3]);
        vec3 r = v3_cross(row[i], row[(i + 1) % 3]);
        normal = v3_dot(c, c) > v3_dot(normal, normal) ? c : normal;
        lost = v3_dot(r, r) > v3_dot(lost, lost) ? r : lost;
    }
    if (height <= 0) /* as much as the others have */
        height = sqrt(v3_length(normal));
    normal = v3_scale(v3_normal(normal), height);
    lost = v3_normal(lost);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ret->m[i][k] += v3_get(normal, i) * v3_get(lost, k);
    return affine_inverse(ret, &inverse);
}

/* ---- what is shared ---- */
/* The farthest from 0 that a coordinate within the bounds is. */
static double largest_coordinate(vec3 min, vec3 max)
{
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        largest = math_max(fabs(v3_get(min, axis)), largest);
        largest = math_max(fabs(v3_get(max, axis)), largest);
    }
    return largest;
}

/* How far rounding to float can move a ray against a triangle: a few units in
 * the last place of the largest coordinate. */
static void find_margins(embree_shared *t)
{
    const scene *s = t->scene;
    double reach = math_max(largest_coordinate(s->min, s->max), 1);
    t->margin = 2e-5 > 4e-6 * reach ? 2e-5 : 4e-6 * reach;
    for (uint32_t m = 0; m < s->mesh_count; m++)
        t->margin_local[m] = 0;
    for (uint32_t p = 0; p < s->part_count; p++) {
        const scene_part *part = &s->parts[p];
        const scene_mesh *m = &s->meshes[part->mesh];
        affine whole, inverse;
        if (!embree_thicken(&part->to_world, 0, &whole) ||
            !affine_inverse(&whole, &inverse))
            continue;
        double sum = 0;
        double size = largest_coordinate(m->min, m->max);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                sum += inverse.m[i][k] * inverse.m[i][k];
        }
        double local = sqrt(sum) * t->margin + 4e-6 * size;
        /* squeezed a millionfold: as large as itself is large enough */
        local = math_min(local, size);
        t->margin_local[part->mesh] =
            math_max(local, t->margin_local[part->mesh]);
    }
}

etna_code embree_shared_new(const scene *s,
                            const char *config,
                            embree_shared **ret,
                            etna_error *err)
{
    char text[128];
    /* One thread: our own pool is the parallelism, and a library's hidden
     * threads would outlive forks and limits. */
    if (config)
        snprintf(text, sizeof text, "threads=1,%s", config);
    else
        snprintf(text, sizeof text, "threads=1");
    embree_shared *t = calloc(1, sizeof *t);
    if (!t)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    for (int i = 0; i < SPACE_LOCKS; i++)
        pthread_mutex_init(&t->locks[i], NULL);
    pthread_mutex_init(&t->residency_lock, NULL);
    t->scene = s;
    t->margin_local =
        calloc((size_t)s->mesh_count + 1, sizeof *t->margin_local);
    t->meshes = calloc((size_t)s->mesh_count + 1, sizeof *t->meshes);
    t->device = rtcNewDevice(text);
    if (!t->margin_local || !t->meshes || !t->device) {
        enum RTCError why =
            t->device ? RTC_ERROR_OUT_OF_MEMORY : rtcGetDeviceError(NULL);
        embree_shared_free(t);
        return etna_fail(err,
                         why == RTC_ERROR_OUT_OF_MEMORY ? ETNA_E_NOMEM
                                                        : ETNA_E_INTERNAL,
                         "space: Embree gives no device for \"%s\" (error %d)",
                         text, (int)why);
    }
    find_margins(t);
    embree_shared_bound(t, budget_share(s, BUDGET_RAYS));
    *ret = t;
    return ETNA_OK;
}

void embree_shared_free(embree_shared *t)
{
    if (!t)
        return;
    for (uint32_t m = 0; t->meshes && m < t->scene->mesh_count; m++)
        if (embree_shared_mesh(t, m) != &untold)
            embree_mesh_free(embree_shared_mesh(t, m));
    if (t->device)
        rtcReleaseDevice(t->device);
    for (int i = 0; i < SPACE_LOCKS; i++)
        pthread_mutex_destroy(&t->locks[i]);
    pthread_mutex_destroy(&t->residency_lock);
    free(t->margin_local);
    free(t->meshes);
    free(t);
}
