/* What the files of this room share and nobody else may use.
 *
 *   shared (one per scene, any thread)               space (one thread at a time)
 *     embree_shared   device, a mesh as Embree sees it   embree_scene   instances, one per part
 *     shape           per geometry: welding, tree        object_state   per object: motion, its triangles there
 *     geometry        per object: closed, middle         broad_phase    a tree over the objects' boxes
 *     posed_mesh      per object: at the base pose
 *
 * Everything below a slot is built when first asked for, once, under one of the
 * shared locks, and published by an atomic pointer. Posed meshes are the large
 * part: a space pins those it looks at, and the others are evicted when they
 * are more than their budget (posed_mesh.c). Shapes and undersides at the base
 * pose are evicted where all of them would be more than theirs (shape_cache.c).
 * All follow from the scene alone, so an eviction changes no answer. */
#ifndef ETNA_WORKER_SPACE_SPACE_INTERNAL_H
#define ETNA_WORKER_SPACE_SPACE_INTERNAL_H

#include "proto/lru.h"
#include "worker/math/weld.h"
#include "worker/space/budget.h"
#include "worker/space/ray.h"
#include "worker/space/space.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SPACE_TOUCH \
    1e-5 /* metres: closer than this is contact, not a cut (METHODS.md 6) */
#define SPACE_DEPTH_STEP 1e-3 /* metres of a march step */
#define SPACE_DEPTH_STEPS 50  /* up to 0.05 m */
#define SPACE_NOISE \
    1e-9 /* metres: rounding of world coordinates; a vertex this near a plane is on it */

typedef struct box3 {
    vec3 min, max;
} box3;
typedef struct object_state object_state;

static inline bool box3_meet(const box3 *a, const box3 *b, double margin)
{
    if (a->min.x > b->max.x + margin || b->min.x > a->max.x + margin)
        return false;
    if (a->min.y > b->max.y + margin || b->min.y > a->max.y + margin)
        return false;
    return a->min.z <= b->max.z + margin && b->min.z <= a->max.z + margin;
}
static inline box3 box3_of_triangle(const vec3 t[3])
{
    return (box3){v3_min(t[0], v3_min(t[1], t[2])),
                  v3_max(t[0], v3_max(t[1], t[2]))};
}
static inline box3 box3_moved(const box3 *a, vec3 by)
{
    return (box3){v3_add(a->min, by), v3_add(a->max, by)};
}

/* ---- bvh.c ---- */
typedef struct bvh_node {
    box3 box;
    /* leaf: first triangle; else the left child, the right one follows;
     * children come after parents */
    uint32_t first;
    uint32_t count; /* triangles of a leaf; 0: inner */
} bvh_node;

enum {
    BVH_LEAF = 4,
    BVH_DEPTH_MAX = 62,
    BVH_STACK = 4 * BVH_DEPTH_MAX
};

/* Of two nodes that meet and are not both leaves: is it a's children that are
 * looked at next? The larger box is opened. */
static inline bool bvh_opens_first(const bvh_node *a, const bvh_node *b)
{
    vec3 size_a = v3_sub(a->box.max, a->box.min);
    vec3 size_b = v3_sub(b->box.max, b->box.min);
    return b->count ||
           (!a->count && v3_dot(size_a, size_a) >= v3_dot(size_b, size_b));
}

typedef struct bvh_link { /* a node without its box */
    uint32_t first, count;
} bvh_link;

/* A tree over `count` triangles of `index`/`vertex`; reorders `index` (3 per
 * triangle) so that leaves are runs, by a fixed rule. Caller frees
 * *ret_links. */
etna_code bvh_build(const vec3 *vertex,
                    uint32_t *index,
                    uint32_t count,
                    bvh_link **ret_links,
                    uint32_t *ret_count,
                    etna_error *err);
/* The tree's nodes for vertices where they stand. */
void bvh_fit(const bvh_link *links,
             uint32_t count,
             const vec3 *vertex,
             const uint32_t *index,
             bvh_node *nodes);

/* ---- edges.c: which triangles share an edge; by counting, because sorting was
 * the cost ---- */
/* corner k of a triangle and the next one, at two places */
typedef struct weld_edge {
    uint32_t high, corner; /* corner = 3 * triangle + k */
} weld_edge;
/* The edges of triangles (3 places each), by lower place: edges[first[low] ..
 * first[low + 1]), there by (high, corner). Edges of one place are left out.
 * Caller frees both. False when memory is at its end. */
bool weld_edges(const uint32_t *index,
                uint32_t triangles,
                uint32_t places,
                uint32_t **ret_first,
                weld_edge **ret_edges);

/* ---- underside.c ---- */
typedef struct underside_sample { /* a point of an object's underside */
    vec3 at;
    double above; /* metres above it at which another's surface still counts */
} underside_sample;
typedef struct underside { /* follows from the object and its pose alone */
    uint32_t count;
    underside_sample points[];
} underside;
enum {
    UNDERSIDE_GRID = 16,
    UNDERSIDE_POINTS_MAX = 2 * UNDERSIDE_GRID * UNDERSIDE_GRID
};
#define UNDERSIDE_REACH \
    0.01 /* metres: another's surface that near holds a point up */
/* An underside at the base pose as it is kept: in a quarter of the memory, since
 * what follows from the object and the cell is left out (underside.c). Behind it
 * stand double[reals], uint32_t[vertices] and uint16_t[count]; where it is
 * `whole`, the points. */
typedef struct cached_underside {
    lru_item item;
    uint32_t count, reals, vertices;
    uint32_t whole;
} cached_underside;
/* Where the object stands now; the space's, and good until the next is asked
 * for. */
etna_code underside_find(space *sp,
                         uint32_t object,
                         const underside **ret,
                         etna_error *err);
/* The same into u, which has room for UNDERSIDE_POINTS_MAX, and past the cache.
 * `by_rays`: by rays alone, for tests. */
etna_code underside_make(
    space *sp, uint32_t object, bool by_rays, underside *u, etna_error *err);
/* The point at world (x, y) of the object whose box stands there; false when it
 * is not there. */
bool underside_sample_at(const space *sp,
                         uint32_t object,
                         const scene_box *box,
                         double x,
                         double y,
                         underside_sample *ret);

/* ---- air.c ---- */
double air_cell(const space_air *air); /* metres */
enum {
    AIRS_KEPT = 8
};

/* ---- load.c ---- */
/* Metres: what lies farther below a hovering thing is not what it hovers on. A
 * sofa 5 cm above its carpet hangs on that carpet as far as a person can tell;
 * a chandelier 1.2 m above a table does not hang on the book taken from the
 * table. */
#define LOAD_GAP 0.10
/* Does `object`, which nothing supports, hover close over `carrier` or, over
 * nothing, lie wholly within its box? */
bool load_hovers_on(const space *sp, uint32_t object, uint32_t carrier);

/* ---- contact.c: exactly where one object's surface is over another's ---- */
/* A convex piece (<= CONTACT_CORNERS corners, world) of a triangle of the
 * object that has a triangle of another between `below` under it and `above`
 * over it. True ends the walk. */
enum {
    CONTACT_CORNERS = 12,
    CONTACT_PAIRS_MAX = 1 << 18
};
typedef bool (*contact_visit)(void *context,
                              const vec3 *corner,
                              uint32_t count);
/* Every such piece, in the trees' order; after CONTACT_PAIRS_MAX pairs of
 * triangles the walk ends. */
etna_code contact_walk(space *sp,
                       uint32_t object,
                       uint32_t other,
                       double below,
                       double above,
                       contact_visit visit,
                       void *context,
                       etna_error *err);

/* ---- shape.c: what all objects of one geometry share ---- Objects are of one
 * shape when they have the same meshes, equally mirrored, in the same places to
 * one another (to rounding). The first of them in the scene's order stands for
 * all: which vertices are one, which triangles make a piece, whether the whole
 * is closed and how the tree branches is found where that one stands. Positions
 * are never shared: every test is on the object's own vertices in the world, in
 * double, as if there were no sharing. */
typedef struct shape {
    lru_item item;
    uint32_t object; /* the first of its kind */
    uint32_t vertex_count, triangle_count, piece_count;
    /* per vertex: the first of the object's mesh vertices, all parts in order,
     * that is at it */
    uint32_t *source;
    /* 3 per triangle; in the tree's order once there is one */
    uint32_t *index;
    uint32_t *piece; /* one vertex of each connected piece */
    /* per vertex: a number of what triangles wider than a line join; NULL: all
     * are one */
    uint32_t *lump;
    bool closed; /* every edge is walked as often forth as back */
    atomic_bool has_tree;
    uint32_t node_count;
    bvh_link *links;
} shape;
/* ret_shape[i]: the number of object i's shape; numbers are dense, in order of
 * their first object: ret_first[number]. Both have room for object_count. */
etna_code shape_group(const scene *s,
                      uint32_t *ret_shape,
                      uint32_t *ret_first,
                      uint32_t *ret_count,
                      etna_error *err);
/* Without the tree. */
etna_code shape_build(const scene *s,
                      uint32_t object,
                      shape **ret,
                      etna_error *err);
/* under the shape's lock */
etna_code shape_grow_tree(const scene *s, shape *sh, etna_error *err);
void shape_free(shape *sh);

/* ---- posed_mesh.c: an object's triangles where it stands ---- */
typedef struct posed_mesh {
    lru_item item; /* of the shared ones; bytes: of all */
    vec3 *vertex;  /* of the shape's vertices, in the world */
    /* drawn SPACE_TOUCH inward from every side of the object's box */
    vec3 *shrunk;
    bvh_node *nodes; /* boxes of the true vertices */
    uint32_t object;
} posed_mesh;
/* `motion` NULL: at the base pose. */
etna_code posed_mesh_new(const scene *s,
                         uint32_t object,
                         const shape *sh,
                         posed_mesh **ret,
                         etna_error *err);
void posed_mesh_fill(const scene *s,
                     const shape *sh,
                     const affine *motion,
                     posed_mesh *st);
/* NULL is fine. */
void posed_mesh_free(posed_mesh *st);
/* The shared one at the base pose; pair with shared_posed_mesh_release. */
etna_code shared_posed_mesh(space_shared *shared,
                            uint32_t object,
                            posed_mesh **ret,
                            etna_error *err);
void shared_posed_mesh_release(space_shared *shared, posed_mesh *st);

/* ---- winding.c: is a point within a mesh that need not be closed? ---- */
typedef struct winding_moment { /* of a node of the tree */
    vec3 area;                  /* sum of the triangles' area vectors */
    double size;                /* sum of their areas */
} winding_moment;
/* what makes the question quick; of vertices within SPACE_TOUCH of those asked
 * about */
typedef struct winding_aid {
    uint32_t rim_count;
    /* 2 vertices an edge: what closes the mesh again when joined to any one
     * point; NULL: too many */
    uint32_t *rim;
    winding_moment *moments; /* per node; NULL where there is a rim */
} winding_aid;
typedef struct winding_mesh {
    const shape *shape;
    const bvh_node *nodes;
    const vec3 *vertex;
    const winding_aid *aid; /* NULL: all triangles are asked */
} winding_mesh;
/* NULL: no memory. */
winding_aid *winding_aid_make(const shape *sh,
                              const bvh_node *nodes,
                              const vec3 *vertex);
void winding_aid_free(winding_aid *aid); /* NULL is fine */
/* Is the winding number of p at least a half, either way round? */
bool winding_within(vec3 p, const winding_mesh *m);

/* ---- object_geometry.c: what an object has of its own beside its vertices
 * ---- */
typedef struct object_geometry {
    bool closed;         /* the shape is */
    vec3 centre_of_mass; /* at the base pose */
    atomic_int hollow;   /* 0 not known, 1 no, 2 yes; see intersect.c */
} object_geometry;
etna_code object_geometry_build(const scene *s,
                                uint32_t object,
                                const shape *sh,
                                object_geometry **ret,
                                etna_error *err);
void object_geometry_free(object_geometry *b);

/* ---- level.c: where things stand in a file without a floor ---- */
typedef struct space_level {
    bool there;
    double height; /* metres, world */
    box3 box;      /* what it reaches along x and y */
} space_level;
/* Of a space at the base poses. */
etna_code level_find(space *sp, space_level *ret, etna_error *err);
/* Does the file have a floor, and so no level? */
bool level_has_floor(const space *sp);
/* Metres from a point down to the level; INFINITY where there is none.
 * Negative: it is below. */
double level_drop(const space *sp, vec3 at);

/* ---- broad_phase.c: which objects' boxes are near; grows with those that are,
 * not with those that are far ---- */
typedef struct broad_phase broad_phase;
etna_code broad_phase_new(const scene *s, broad_phase **ret, etna_error *err);
void broad_phase_free(broad_phase *c);
/* its box is another now */
void broad_phase_moved(broad_phase *c, uint32_t object);
/* Objects whose boxes come within `margin` of `box`, ascending; *ret stays
 * valid until the next call. */
etna_code broad_phase_near(broad_phase *c,
                           const object_state *all,
                           const box3 *box,
                           double margin,
                           const uint32_t **ret,
                           uint32_t *ret_count,
                           etna_error *err);

/* ---- triangle.c: the fixed tests, in double ---- */
/* Do they properly cut? A vertex within SPACE_NOISE of a plane counts as above
 * it; touching is no cut. */
bool triangle_cut(const vec3 a[3], const vec3 b[3]);
/* Squared distance. */
double triangle_distance2(const vec3 a[3], const vec3 b[3]);
/* Least t >= 0 at which `inner` (drawn inward a little, so that what only
 * slides along is not met) moved by t·direction meets `b`, reported for the
 * true vertices `a` and clamped at 0; false when not before `limit`. */
bool triangle_sweep(const vec3 a[3],
                    const vec3 inner[3],
                    const vec3 b[3],
                    vec3 direction,
                    double limit,
                    double *ret_t);
/* Is it wider than what triangle_cut takes for a line, also when it is shrunk to
 * a tenth? */
bool triangle_wide(vec3 a, vec3 b, vec3 c);
/* The triangle's point nearest to p; it may be as thin as a line. */
vec3 triangle_nearest(vec3 p, vec3 a, vec3 b, vec3 c);
/* Signed solid angle of the triangle seen from p, over 4 pi. */
double triangle_winding(vec3 p, vec3 a, vec3 b, vec3 c);

/* ---- embree_shared.c, embree_scene.c, ray.c, batch.c, occlusion.c: Embree
 * proposes ---- */
typedef struct embree_shared embree_shared;
typedef struct embree_scene embree_scene;
/* Embree's device and, when first asked for, a tree per mesh. `config`: its
 * device string, or NULL. ETNA_E_NOMEM. */
etna_code embree_shared_new(const scene *s,
                            const char *config,
                            embree_shared **ret,
                            etna_error *err);
void embree_shared_free(embree_shared *t);
/* of how many meshes Embree has a tree */
uint32_t embree_shared_built(embree_shared *t);
/* About how much memory Embree's trees may take. One question may need more and
 * gets it. Called before the first Embree scene is made. */
void embree_shared_bound(embree_shared *t, size_t bytes);
/* What its trees take now, about. */
size_t embree_shared_bytes(embree_shared *t);
/* For tests: as if memory ended for every tree not built yet. */
void embree_shared_lose(embree_shared *t);
etna_code embree_scene_new(embree_shared *t,
                           embree_scene **ret,
                           etna_error *err);
void embree_scene_free(embree_scene *st);
void embree_scene_move(embree_scene *st,
                       uint32_t object,
                       const affine *motion,
                       bool moved); /* takes effect at the next cast */
/* All is committed: threads may ask embree_scene_shaded. False: no memory. */
bool embree_scene_ready(embree_scene *st);
bool embree_scene_shaded(embree_scene *st,
                         const space_light *light,
                         const bool *hidden,
                         vec3 from,
                         vec3 direction,
                         double reach,
                         uint32_t *ret_part);
bool embree_scene_cast(embree_scene *st,
                       const space_ray *ray,
                       const bool *hidden,
                       space_hit *ret); /* hidden: NULL, or per object */
uint32_t embree_scene_cast_many(embree_scene *st,
                                const space_ray *rays,
                                uint32_t count,
                                const bool *hidden,
                                space_hit *ret);

/* ---- space.c ---- */
enum {
    SPACE_LOCKS = 16
};
struct space_shared {
    atomic_uint references;
    scene *scene;
    embree_shared *embree_shared;
    uint32_t shape_count;
    /* per object; the first object of each shape */
    uint32_t *shape_of, *shape_first;
    _Atomic(shape *) *shapes;
    _Atomic(object_geometry *) *geometries; /* per object */
    /* per object at the base pose; NULL until asked for */
    _Atomic(cached_underside *) *undersides;
    atomic_bool cut_marked;
    pthread_mutex_t locks[SPACE_LOCKS];
    /* shapes and undersides may go: set before anybody asks for one */
    bool bounded;
    size_t shape_cache_max; /* bytes of them, about */
    /* of what follows; never while waiting for `locks` */
    pthread_mutex_t cache_lock;
    lru shape_cache; /* shapes and undersides, where bounded */
    /* of that list, to be read without the lock */
    atomic_size_t shape_cache_bytes;
    posed_mesh **stands; /* per object, or NULL */
    /* of them; those that no space holds take no more than
     * posed_mesh_idle_max */
    lru posed_mesh_cache;
    size_t posed_mesh_idle_max;
    /* bytes of posed meshes that one space holds at once, as far as it can */
    size_t held_max;
    pthread_mutex_t level_lock; /* of what follows */
    bool level_known;
    space_level level;
    pthread_mutex_t air_lock; /* of what follows */
    space_air *airs[AIRS_KEPT];
    uint32_t air_next; /* the oldest, replaced next */
};
/* As space_share, with Embree's device string, as "isa=sse2", for tests. */
etna_code space_share_with(scene *s,
                           const char *config,
                           space_shared **ret_shared,
                           etna_error *err);
/* The object's geometry, made when first asked for; lives as long as `shared`.
 * ETNA_E_NOMEM. */
etna_code shared_geometry(space_shared *shared,
                          uint32_t object,
                          object_geometry **ret,
                          etna_error *err);

/* ---- shape_cache.c: shapes and undersides, evicted where memory is
 * bounded ---- */
/* About how much memory they may take; no bound where all of the scene's take
 * less. Called before anybody asks for one. */
void shared_bound(space_shared *shared, size_t bytes);
/* The object's shape, pinned until shared_shape_release: with its tree, or for
 * those who need none. ETNA_E_NOMEM. */
etna_code shared_tree(space_shared *shared,
                      uint32_t object,
                      const shape **ret,
                      etna_error *err);
etna_code shared_shape(space_shared *shared,
                       uint32_t object,
                       shape **ret,
                       etna_error *err);
/* NULL is fine */
void shared_shape_release(space_shared *shared, const shape *sh);
/* The object's cached underside, pinned until shared_underside_release; NULL:
 * there is none. */
const cached_underside *shared_underside(space_shared *shared, uint32_t object);
void shared_underside_release(space_shared *shared,
                              const cached_underside *cached);
void shared_underside_keep(space_shared *shared,
                           uint32_t object,
                           cached_underside *cached); /* takes it */
void shared_shapes_free(space_shared *shared);

struct object_state { /* an object as it stands */
    arrange_pose pose;
    affine motion;
    bool moved; /* the pose is not the base pose */
    bool fresh; /* what follows is of this pose */
    bool queued;
    box3 box; /* of the true vertices, or a little more */
    uint64_t used;
    size_t bytes; /* of what it holds */
    const shape *shape;
    const vec3 *vertex, *shrunk;
    const bvh_node *nodes;
    winding_aid *aid; /* of these vertices; NULL until asked for */
    /* where `fresh`, one of them is not NULL; `own` may be one of an earlier pose,
     * to be filled anew */
    posed_mesh *own, *base;
    underside *own_underside; /* when moved; NULL until asked for */
};

struct space {
    space_shared *shared;
    object_state *object_state; /* per object */
    embree_scene *embree_scene;
    bool *hidden; /* per object, or NULL */
    broad_phase *broad_phase;
    space_level level;
    uint64_t clock; /* of uses, not of time */
    size_t held_bytes;
    /* bytes of shapes and undersides above which this space unpins its own */
    size_t patience;
    /* of the object at its base pose that was asked about last; NULL until
     * then */
    underside *underside;
    /* a ring of objects that hold posed meshes */
    uint32_t *queue, queue_first, queue_count;
};
/* A space that knows collision and no ray: no mesh is given to Embree. */
etna_code space_new_bare(space_shared *shared,
                         space **ret_space,
                         etna_error *err);
/* space_cast that meets hidden objects too. */
bool space_cast_all(const space *sp, const space_ray *ray, space_hit *ret_hit);
/* Brings the object's triangles to where it stands. They are there until
 * SPACE_RECENT other objects were asked for. */
enum {
    SPACE_RECENT = 8
};
etna_code space_posed(space *sp,
                      uint32_t object,
                      object_state **ret,
                      etna_error *err);

/* ---- intersect.c: do two posed objects overlap when the first is moved by
 * `by`? ---- */
/* the pair of triangles that cut last, tried first; zero to begin */
typedef struct intersect_cache {
    bool known[2];
    uint32_t a[2], b[2];
    /* moved by less than this, one lies wholly in the other */
    double inside[2];
} intersect_cache;
/* `by`: metres in the world. ETNA_E_NOMEM; `cache` is of this pair alone. */
etna_code intersect_overlap(space *sp,
                            uint32_t a,
                            uint32_t b,
                            vec3 by,
                            intersect_cache *cache,
                            bool *ret,
                            etna_error *err);
/* Mean unit normals of the triangles of a and of b that cut one another; zero
 * when there is none. */
etna_code cut_normals(space *sp,
                      uint32_t a,
                      uint32_t b,
                      vec3 *ret_a,
                      vec3 *ret_b,
                      etna_error *err);
/* Are the true triangles of two objects closer than `limit`? */
etna_code intersect_within(space *sp,
                           uint32_t a,
                           uint32_t b,
                           double limit,
                           bool *ret,
                           etna_error *err);
/* The winding number of p by one ray; false when the mesh is not closed or the
 * ray grazes an edge. */
bool intersect_winding(const object_state *object, vec3 p, double *ret);
/* Holds the object another whole one, or a camera, at the start? */
etna_code intersect_hollow(space_shared *shared,
                           uint32_t object,
                           bool *ret,
                           etna_error *err);

/* ---- overlap_bound.c: what surely overlaps ---- */
typedef struct overlap_proof {
    /* a moved by no more than this, along whatever direction, overlaps b as
     * intersect_overlap says; 0: not known */
    double way;
    /* what follows is known: both are solid, and a point common to both is an
     * overlap */
    bool solid;
    vec3 middle;  /* deep in both */
    double share; /* of the room around it that is in b */
} overlap_proof;
/* Ends looking when `way` is `enough`. `hint`: triangles that cut where both
 * stand. */
etna_code overlap_lower_bound(space *sp,
                              uint32_t a,
                              uint32_t b,
                              const intersect_cache *hint,
                              double enough,
                              overlap_proof *ret,
                              etna_error *err);
/* Does a moved by `by` surely overlap b? False where the proof does not
 * tell. */
etna_code overlap_still(space *sp,
                        uint32_t a,
                        uint32_t b,
                        const overlap_proof *proof,
                        vec3 by,
                        bool *ret,
                        etna_error *err);

/* How deep a thing of that extent (metres) may stand in the floor, or be in the
 * wall at its side, and still be a thing on it or at it: trees and sloppily
 * placed furniture are. */
static inline double space_sunk_most(double extent)
{
    const double most = 0.1; /* metres, and of the extent */
    return extent < 1 ? most * extent : most;
}

#endif
