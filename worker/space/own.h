/* What the files of this room share and nobody else may use.
 *
 *   shared (one per scene, any thread)            space (one thread at a time)
 *     tracer   Embree device, per-mesh proposals     stage   Embree instances, one per part
 *     body     per object: welded triangles, BVH     posed   per object: motion, vertices, BVH boxes at its pose
 *
 * Everything below a slot is built when first asked for, once, under one of the shared locks, and published by an
 * atomic pointer. */
#ifndef ETNA_WORKER_SPACE_OWN_H
#define ETNA_WORKER_SPACE_OWN_H

#include "worker/space/space.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SPACE_TOUCH 1e-5      /* metres: closer than this is contact, not a cut (METHOD.md 6) */
#define SPACE_DEPTH_STEP 1e-3 /* metres of a march step */
#define SPACE_DEPTH_STEPS 50  /* up to 0.05 m */
#define SPACE_NOISE 1e-9      /* metres: rounding of world coordinates; a vertex this near a plane is on it */

typedef struct box3 {
    vec3 min, max;
} box3;

static inline bool box3_meet(const box3 *a, const box3 *b, double margin)
{
    return a->min.x <= b->max.x + margin && b->min.x <= a->max.x + margin && a->min.y <= b->max.y + margin &&
           b->min.y <= a->max.y + margin && a->min.z <= b->max.z + margin && b->min.z <= a->max.z + margin;
}
static inline box3 box3_moved(const box3 *a, vec3 by)
{
    return (box3){v3_add(a->min, by), v3_add(a->max, by)};
}

/* ---- bvh.c ---- */
typedef struct bvh_node {
    box3 box;
    uint32_t first; /* leaf: first triangle; else the left child, the right one follows; children come after parents */
    uint32_t count; /* triangles of a leaf; 0: inner */
} bvh_node;

enum { BVH_LEAF = 4, BVH_DEPTH_MAX = 62, BVH_STACK = 4 * BVH_DEPTH_MAX };

/* A tree over `count` triangles of `index`/`vertex`; reorders `index` (3 per triangle) so that leaves are runs, by a
 * fixed rule. Caller frees *ret_nodes. */
etna_code bvh_build(const vec3 *vertex, uint32_t *index, uint32_t count, bvh_node **ret_nodes, uint32_t *ret_count,
                    etna_error *err);
/* The same tree's boxes for other vertices. */
void bvh_refit(bvh_node *nodes, uint32_t count, const vec3 *vertex, const uint32_t *index);

/* ---- underside.c ---- */
typedef struct foot { /* a point of an object's underside */
    vec3 at;
    double above; /* metres above it at which another's surface still counts */
} foot;
typedef struct underside { /* follows from the object and its pose alone */
    uint32_t count;
    foot points[];
} underside;
enum { UNDERSIDE_GRID = 16, UNDERSIDE_POINTS_MAX = 2 * UNDERSIDE_GRID * UNDERSIDE_GRID };
#define UNDERSIDE_REACH 0.01 /* metres: another's surface that near holds a point up */
/* Where the object stands now; owned by the space. */
etna_code underside_find(space *sp, uint32_t object, const underside **ret, etna_error *err);
/* The point at world (x, y) of the object whose box stands there; false when it is not there. */
bool underside_foot(const space *sp, uint32_t object, const scene_box *box, double x, double y, foot *ret);

/* ---- body.c: an object's triangles at its base pose, in the world ---- */
typedef struct body {
    uint32_t vertex_count, triangle_count, node_count;
    vec3 *vertex;    /* welded where bits are equal */
    vec3 *shrunk;    /* drawn SPACE_TOUCH inward from every side of the object's box */
    uint32_t *index; /* 3 per triangle, in the tree's order */
    bvh_node *nodes;
    uint32_t piece_count;
    uint32_t *piece; /* one vertex of each connected piece, ascending */
    bool closed;     /* every edge is walked as often forth as back */
    vec3 centre_of_mass;
    atomic_int hollow;         /* 0 not known, 1 no, 2 yes; see cut.c */
    _Atomic(underside *) feet; /* at the base pose; NULL until asked for */
} body;
etna_code body_build(const scene *s, uint32_t object, body **ret, etna_error *err);
void body_free(body *b);

/* ---- triangle.c: the fixed tests, in double ---- */
typedef struct ray_shear { /* Woop's shear of a ray: neighbours agree about their common edge */
    vec3 origin;
    int kx, ky, kz;
    double sx, sy, sz;
} ray_shear;
ray_shear ray_shear_make(vec3 origin, vec3 direction);
/* True when the line meets the triangle (edges belong to it; one without area is never met). *ret_t in units of the
 * direction's length, of any sign; *ret_edge: how near it passes the line of an edge, as a share of the triangle (0:
 * through). */
bool triangle_ray(const ray_shear *ray, vec3 a, vec3 b, vec3 c, double *ret_t, double *ret_edge);
/* Do they properly cut? A vertex within SPACE_NOISE of a plane counts as above it; touching is no cut. */
bool triangle_cut(const vec3 a[3], const vec3 b[3]);
/* Squared distance. */
double triangle_distance2(const vec3 a[3], const vec3 b[3]);
/* Least t >= 0 at which `inner` (drawn inward a little, so that what only slides along is not met) moved by t·direction
 * meets `b`, reported for the true vertices `a` and clamped at 0; false when not before `limit`. */
bool triangle_sweep(const vec3 a[3], const vec3 inner[3], const vec3 b[3], vec3 direction, double limit, double *ret_t);
/* Signed solid angle of the triangle seen from p, over 4 pi. */
double triangle_winding(vec3 p, vec3 a, vec3 b, vec3 c);

/* ---- tracer.c: Embree proposes ---- */
typedef struct tracer tracer;
typedef struct stage stage;
etna_code tracer_new(const scene *s, const char *config, tracer **ret, etna_error *err);
void tracer_free(tracer *t);
etna_code stage_new(tracer *t, stage **ret, etna_error *err);
void stage_free(stage *st);
void stage_move(stage *st, uint32_t object, const affine *motion, bool moved); /* takes effect at the next cast */
bool stage_ready(stage *st); /* all is committed: threads may ask stage_shaded. False: no memory */
bool stage_shaded(const stage *st, const space_light *light, const bool *hidden, vec3 from, vec3 direction,
                  double reach, uint32_t *ret_part);
bool stage_cast(stage *st, const space_ray *ray, const bool *hidden, space_hit *ret); /* hidden: NULL, or per object */

/* ---- space.c ---- */
enum { SPACE_LOCKS = 16 };
struct space_shared {
    atomic_uint references;
    scene *scene;
    tracer *tracer;
    _Atomic(body *) *bodies; /* per object */
    atomic_bool cut_marked;
    pthread_mutex_t locks[SPACE_LOCKS];
};
/* As space_share, with Embree's device string, as "isa=sse2", for tests. */
etna_code space_share_with(scene *s, const char *config, space_shared **ret_shared, etna_error *err);
etna_code shared_body(space_shared *shared, uint32_t object, body **ret, etna_error *err);

typedef struct posed { /* an object as it stands; at the base pose it borrows the body's arrays */
    arrange_pose pose;
    affine motion;
    bool moved; /* the pose is not the base pose */
    bool fresh; /* vertex, shrunk, nodes and box are of this pose */
    box3 box;   /* of the true vertices when fresh, else a safe one */
    body *body; /* NULL until asked for */
    const vec3 *vertex, *shrunk;
    const bvh_node *nodes;
    vec3 *own_vertex, *own_shrunk;
    bvh_node *own_nodes;
    underside *own_feet; /* when moved; NULL until asked for */
} posed;

struct space {
    space_shared *shared;
    posed *posed; /* per object */
    stage *stage;
    bool *hidden; /* per object, or NULL */
};
/* space_cast that meets hidden objects too. */
bool space_cast_all(const space *sp, const space_ray *ray, space_hit *ret_hit);
/* Brings the object's triangles to where it stands. */
etna_code space_posed(space *sp, uint32_t object, posed **ret, etna_error *err);

/* ---- cut.c: do two posed objects overlap when the first is moved by `by`? ---- */
typedef struct cut_cache { /* the pair of triangles that cut last, tried first; zero to begin */
    bool known[2];
    uint32_t a[2], b[2];
} cut_cache;
etna_code cut_overlap(space *sp, uint32_t a, uint32_t b, vec3 by, cut_cache *cache, bool *ret, etna_error *err);
/* Mean unit normals of the triangles of a and of b that cut one another; zero when there is none. */
etna_code cut_normals(space *sp, uint32_t a, uint32_t b, vec3 *ret_a, vec3 *ret_b, etna_error *err);
/* Are the true triangles of two objects closer than `limit`? */
etna_code cut_within(space *sp, uint32_t a, uint32_t b, double limit, bool *ret, etna_error *err);

#endif
