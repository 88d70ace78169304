/* Makes things of loose parts: a sweep over their boxes finds pairs, their
 * triangles say whether the two touch, and union-find joins those that do. The
 * order of the tests changes only how many of them are needed. */
#include "worker/cli/loose_clusters.h"
#include "worker/math/union_find.h"

#include <stdlib.h>
#include <string.h>

enum {
    BODY = 4 /* triangles: the fewest that enclose something */
};

/* metres: "resting on" of METHODS.md 1 */
#define LEVEL 0.01
/* height over the narrower side: what is more slender does not stand by
 * itself */
#define SLENDER 5.0

/* The loose parts are `count` objects from `first` on. */
typedef struct finding {
    space *sp;
    const scene_object *objects; /* of the first */
    uint32_t first, count;
    uint32_t *up; /* union-find; a root is its set's least */
} finding;

static double touch_of(const scene_object *a, const scene_object *b)
{
    double x = scene_longest_side(a);
    double y = scene_longest_side(b);
    double limit = 0.01 * math_min(x, y);
    return math_clamp(limit, 1e-4, 5e-3);
}

static bool stands_on(const scene_object *upper, const scene_object *lower)
{
    double narrow = math_min(upper->box.half.x, upper->box.half.y);
    return fabs(upper->min.z - lower->max.z) < LEVEL &&
           upper->box.half.x * upper->box.half.y <=
               1.0001 * lower->box.half.x * lower->box.half.y &&
           upper->box.half.z <= SLENDER * narrow;
}

static bool clusters_boxes_meet(const scene_object *a,
                                const scene_object *b,
                                double by)
{
    vec3 above = v3_sub(a->min, b->max);
    vec3 below = v3_sub(b->min, a->max);
    vec3 apart = v3_max(above, below);
    return apart.x <= by && apart.y <= by && apart.z <= by;
}

/* Parts that touch are one thing, unless one stands on the other: then they are
 * two. */
static etna_code try_pair(finding *f, uint32_t a, uint32_t b, etna_error *err)
{
    const scene_object *x = &f->objects[a];
    const scene_object *y = &f->objects[b];
    double touch = touch_of(x, y);
    bool near = false;
    bool is_one = union_find_root(f->up, a) == union_find_root(f->up, b);
    if (is_one || !clusters_boxes_meet(x, y, touch))
        return ETNA_OK;
    if (stands_on(x, y) || stands_on(y, x))
        return ETNA_OK;
    etna_code code =
        space_near(f->sp, f->first + (uint32_t)(x - f->objects),
                   f->first + (uint32_t)(y - f->objects), touch, &near, err);
    if (code == ETNA_OK && near)
        union_find_join(f->up, a, b);
    return code;
}

typedef struct edge { /* along x */
    double x;
    uint32_t i;
} edge;

static int clusters_edge_compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

/* Sorted along x, so that only pairs with overlapping ranges are asked. */
static etna_code clusters_sweep(finding *f, edge *order, etna_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        f->up[i] = i;
        if (!f->objects[i].is_static)
            order[n++] = (edge){f->objects[i].min.x, i};
    }
    qsort(order, n, sizeof *order, clusters_edge_compare);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1;
             k < n && order[k].x <= f->objects[order[i].i].max.x + 5e-3; k++) {
            etna_code code = try_pair(f, order[i].i, order[k].i, err);
            if (code != ETNA_OK)
                return code;
        }
    }
    return ETNA_OK;
}

/* Numbers by lowest member; what has too few triangles for a body gets none. */
static uint32_t number_clusters(finding *f,
                                uint32_t *triangles,
                                uint32_t *cluster_of)
{
    uint32_t clusters = 0;
    memset(triangles, 0, (size_t)f->count * sizeof *triangles);
    for (uint32_t i = 0; i < f->count; i++)
        triangles[union_find_root(f->up, i)] += f->objects[i].triangle_count;
    for (uint32_t i = 0; i < f->count; i++) {
        /* at most i, so it has its number */
        uint32_t root = union_find_root(f->up, i);
        bool thing = !f->objects[i].is_static && triangles[root] >= BODY;
        if (!thing)
            cluster_of[i] = SCENE_NONE;
        else
            cluster_of[i] = root == i ? clusters++ : cluster_of[root];
    }
    return clusters;
}

/* cluster_of[i]: number of the part's cluster, by its lowest member. */
etna_code cluster_find(space *sp,
                       uint32_t first,
                       uint32_t count,
                       uint32_t *cluster_of,
                       uint32_t *ret_clusters,
                       etna_error *err)
{
    finding f = {.sp = sp,
                 .objects = space_scene(sp)->objects + first,
                 .first = first,
                 .count = count};
    edge *order = malloc(((size_t)count + 1) * sizeof *order);
    uint32_t *triangles = malloc(((size_t)count + 1) * sizeof *triangles);
    f.up = malloc(((size_t)count + 1) * sizeof *f.up);
    etna_code code = order && triangles && f.up
                         ? clusters_sweep(&f, order, err)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "out of memory for %u loose parts", count);
    if (code == ETNA_OK)
        *ret_clusters = number_clusters(&f, triangles, cluster_of);
    free(order);
    free(triangles);
    free(f.up);
    return code;
}
