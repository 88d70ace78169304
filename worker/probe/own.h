/* What the files of worker/probe share among themselves: welded adjacency, face sets, the 2D helpers. Not for others. */
#ifndef ETNA_WORKER_PROBE_OWN_H
#define ETNA_WORKER_PROBE_OWN_H

#include "worker/probe/probe.h"

/* Which triangles of a mesh share an edge once its vertices are welded at 1e-5 of its diagonal. Immutable once made. */
typedef struct probe_adjacency {
    uint32_t *weld;  /* per vertex: the lowest vertex it is one with */
    uint32_t *edge;  /* 3 per triangle; SCENE_NONE where welding closed the edge */
    uint32_t *first; /* edge_count + 1: into `faces` */
    uint32_t *faces; /* triangles at each edge, ascending */
    uint32_t edge_count;
} probe_adjacency;
etna_code probe_adjacency_make(const scene_mesh *mesh, probe_adjacency *ret, etna_error *err);
void probe_adjacency_free(probe_adjacency *adjacency);

typedef struct probe_upward { /* a set of faces that look up at the base pose, and at any: poses only turn about Z */
    uint32_t face; /* f of its name */
    double area;
} probe_upward;

enum { PROBE_UPWARD_MAX = 16 }; /* sets kept per object, the largest */

/* The cached adjacency of a mesh; owned by `shared`. */
etna_code probe_mesh_adjacency(probe_shared *shared, uint32_t mesh, const probe_adjacency **ret, etna_error *err);
/* The cached upward sets of an object, area descending; owned by `shared`. */
etna_code probe_object_upward(probe_shared *shared, uint32_t object, const probe_upward **ret, uint32_t *ret_count, etna_error *err);
etna_code probe_upward_find(probe_shared *shared, uint32_t object, probe_upward *ret, uint32_t *ret_count, etna_error *err); /* uncached */
const scene *probe_scene(const probe_shared *shared);
/* What was grown before, per object (bounded: a miss only costs the growth). *ret->faces is NULL when nothing is known, else
 * the caller's copy. */
struct probe_set;
etna_code probe_recall_set(probe_shared *shared, uint32_t object, uint32_t face, struct probe_set *ret, etna_error *err);
etna_code probe_keep_set(probe_shared *shared, uint32_t object, uint32_t face, const struct probe_set *set, etna_error *err);
uint32_t probe_recall_name(probe_shared *shared, uint32_t object, uint32_t face); /* f, or SCENE_NONE */
etna_code probe_keep_name(probe_shared *shared, uint32_t object, uint32_t face, uint32_t f, etna_error *err);

/* ---- faces of an object, at the base pose ---- */
typedef struct probe_face {
    uint32_t part, triangle;
    vec3 corner[3];
    vec3 normal; /* outward by the file's winding, unit; zero when it has no area */
    double area;
} probe_face;
bool probe_face_get(const scene *s, uint32_t object, uint32_t face, probe_face *ret); /* false: out of range */

/* A set of faces of one object, ascending. */
typedef struct probe_set {
    uint32_t count;
    uint32_t *faces; /* malloc'd */
} probe_set;
/* Grown from `face` by neighbours and near islands (METHOD.md 4). ETNA_E_INPUT when the face has no area. */
etna_code probe_grow(probe_shared *shared, uint32_t object, uint32_t face, probe_set *ret, etna_error *err);
/* The set that names the plane of a probe at `face`, and its f. */
etna_code probe_named_set(probe_shared *shared, uint32_t object, uint32_t face, probe_set *ret, uint32_t *ret_f, etna_error *err);
bool probe_set_has(const probe_set *set, uint32_t face);

void probe_name_face(const scene *s, uint32_t object, uint32_t face, char name[PROBE_NAME_SIZE]);
void probe_name_up(const scene *s, uint32_t object, char name[PROBE_NAME_SIZE]);
etna_code probe_plane_face(probe_shared *shared, const space *sp, const scene_camera *camera, uint32_t object, uint32_t f,
                           const probe_set *set, etna_arena *arena, probe_plane *ret, etna_error *err);
etna_code probe_plane_up(probe_shared *shared, const space *sp, const scene_camera *camera, uint32_t object, etna_arena *arena,
                         probe_plane *ret, etna_error *err);

/* ---- maps (surface.c) ---- */
/* Height, cell, origin, columns and rows of s->plane's map; `turn` takes the world to a frame whose z looks away from the plane (NULL: Z
 * is up already). False when the plane is too large to be a place: a map of it would have no cells worth the name. */
bool probe_surface_extent(probe_surface *s, const affine *turn);
/* Its cells, in the same frame. */
etna_code probe_surface_fill(probe_shared *shared, const space *sp, const probe_surface_options *options, const affine *turn,
                             probe_surface *s, etna_arena *arena, etna_error *err);

/* ---- the plane ---- */
/* Convex hull by Andrew's chain: counter-clockwise, no three corners in a line, about PROBE_HULL_MAX corners at most.
 * Sorts `points`; `hull` has room for count + 1. Returns the number of corners, 0 when the points have no area. */
enum { PROBE_HULL_MAX = 64 };
uint32_t probe_hull(vec2 *points, uint32_t count, vec2 *hull);
/* Sides of the least-area rectangle round a convex polygon. */
void probe_rectangle(const vec2 *hull, uint32_t count, double *ret_across, double *ret_width);
bool probe_in_triangle(const vec2 t[3], vec2 p); /* counter-clockwise, border included */

#endif
