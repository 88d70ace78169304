/* What the files of worker/probe share among themselves: welded adjacency, face
 * sets, the 2D helpers. Not for others. */
#ifndef ETNA_WORKER_PROBE_PROBE_INTERNAL_H
#define ETNA_WORKER_PROBE_PROBE_INTERNAL_H

#include "worker/probe/probe.h"

/* Which triangles of a mesh share an edge once its vertices are welded at 1e-5
 * of its diagonal, and patches of them. Side 3 t + k is triangle t's from its
 * corner k to the next. Immutable once made. */
typedef struct probe_adjacency {
    uint32_t *weld; /* per vertex: the lowest vertex it is one with */
    /* per side: the next one of its edge, ascending and round; itself where it
     * is alone, SCENE_NONE where welding closed the edge */
    uint32_t *next;
    uint32_t edge_count;
    /* connected triangles that look about one way; each triangle is in one */
    uint32_t patch_count;
    uint32_t *patch;       /* per triangle */
    uint32_t *patch_start; /* patch_count + 1: into patch_faces */
    uint32_t *patch_faces; /* triangles, patch by patch */
    uint32_t *rim_start;   /* patch_count + 1: into rim */
    /* sides whose edges may lead out of the patch; NULL when there are none */
    uint32_t *rim;
} probe_adjacency;
/* The welded neighbours of a mesh's sides. Free with probe_adjacency_free.
 * ETNA_E_NOMEM. */
etna_code probe_adjacency_make(const scene_mesh *mesh,
                               probe_adjacency *ret,
                               etna_error *err);
/* NULL is fine, and so is a half made one. */
void probe_adjacency_free(probe_adjacency *adjacency);
/* The patches of an adjacency whose ring is there; on failure what was made is
 * in `a`, for probe_patches_free. */
etna_code probe_patches_make(const scene_mesh *mesh,
                             probe_adjacency *a,
                             etna_error *err);
void probe_patches_free(probe_adjacency *a);

/* a set of faces that look up at the base pose, and at any: poses only turn
 * about Z */
typedef struct probe_upward {
    uint32_t face; /* f of its name */
    double area;
} probe_upward;

enum {
    PROBE_UPWARD_MAX = 16
}; /* sets kept per object, the largest */

/* The cached adjacency of a mesh; owned by `shared`, and there until
 * probe_mesh_release (NULL is fine). */
etna_code probe_mesh_adjacency(probe_shared *shared,
                               uint32_t mesh,
                               const probe_adjacency **ret,
                               etna_error *err);
/* Once for each get. */
void probe_mesh_release(probe_shared *shared,
                        uint32_t mesh,
                        const probe_adjacency *adjacency);
/* of what is kept and may go, about */
size_t probe_shared_bytes(probe_shared *shared);
/* The cached upward sets of an object, area descending; owned by `shared`. */
etna_code probe_object_upward(probe_shared *shared,
                              uint32_t object,
                              const probe_upward **ret,
                              uint32_t *ret_count,
                              etna_error *err);
/* Uncached. */
etna_code probe_upward_find(probe_shared *shared,
                            uint32_t object,
                            probe_upward *ret,
                            uint32_t *ret_count,
                            etna_error *err);
const scene *probe_scene(const probe_shared *shared);
/* What was grown before, per object (bounded: a miss only costs the growth).
 * ret->faces is NULL when nothing is known, else another share of the kept
 * set. */
struct probe_set;
/* All zero: it is not remembered; else the caller's (probe_set_free). */
void probe_recall_set(probe_shared *shared,
                      uint32_t object,
                      uint32_t face,
                      struct probe_set *ret);
/* Takes a share of its own; the caller's stays the caller's. ETNA_E_NOMEM,
 * which costs only the growth next time. */
etna_code probe_keep_set(probe_shared *shared,
                         uint32_t object,
                         uint32_t face,
                         const struct probe_set *set,
                         etna_error *err);
uint32_t probe_recall_name(probe_shared *shared,
                           uint32_t object,
                           uint32_t face); /* f, or SCENE_NONE */
etna_code probe_keep_name(probe_shared *shared,
                          uint32_t object,
                          uint32_t face,
                          uint32_t f,
                          etna_error *err);

/* ---- faces of an object, at the base pose ---- */
typedef struct probe_face {
    uint32_t part, triangle;
    vec3 corner[3];
    /* outward by the file's winding, unit; zero when it has no area */
    vec3 normal;
    double area;
} probe_face;
bool probe_face_get(const scene *s,
                    uint32_t object,
                    uint32_t face,
                    probe_face *ret); /* false: out of range */

/* A set of faces of one object, ascending. Shared: each probe_set is one share
 * of its block. */
typedef struct probe_set {
    uint32_t count;
    const uint32_t *faces;
    struct probe_set_block *block;
} probe_set;
/* A set with room for `count` faces, to be filled through *ret_faces before
 * anybody else has it; false: no memory. */
bool probe_set_new(uint32_t count, probe_set *ret, uint32_t **ret_faces);
/* Another share of the same faces, for probe_set_free. */
probe_set probe_set_share(const probe_set *set);
void probe_set_free(probe_set *set); /* drops a share; an empty one is fine */
/* Grown from `face` by neighbours and near islands (METHODS.md 4). ETNA_E_INPUT
 * when the face has no area. */
etna_code probe_grow(probe_shared *shared,
                     uint32_t object,
                     uint32_t face,
                     probe_set *ret,
                     etna_error *err);
/* The set that names the plane of a probe at `face`, and its f. */
etna_code probe_named_set(probe_shared *shared,
                          uint32_t object,
                          uint32_t face,
                          probe_set *ret,
                          uint32_t *ret_f,
                          etna_error *err);
/* By bisection. */
bool probe_set_has(const probe_set *set, uint32_t face);

/* "OBJECT_FACE" and "OBJECT_up" ("OBJECT#up" where an object has that name), as
 * probe_plane_by_name() reads them. */
void probe_name_face(const scene *s,
                     uint32_t object,
                     uint32_t face,
                     char name[PROBE_NAME_SIZE]);
void probe_name_up(const scene *s, uint32_t object, char name[PROBE_NAME_SIZE]);
/* The plane of a set; without its vertices and triangles unless it is to be
 * `whole`. */
etna_code probe_plane_face(probe_shared *shared,
                           const space *sp,
                           const scene_camera *camera,
                           uint32_t object,
                           uint32_t f,
                           const probe_set *set,
                           bool whole,
                           etna_arena *arena,
                           probe_plane *ret,
                           etna_error *err);
/* The top of the object's box as a plane, and how much of it is flat; in the
 * arena. ETNA_E_INPUT: it has no area. */
etna_code probe_plane_up(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         uint32_t object,
                         etna_arena *arena,
                         probe_plane *ret,
                         etna_error *err);

/* ---- many faces at a time (plane_simd.c) ---- */
/* plane_simd_width.c: by this machine; the results are the same bits */
bool probe_lanes_wide(void);
/* ret_alike[t] of a part's triangle t: has area, and its normal a cosine to
 * `normal` of at least `cosine`. Returns how many; *margin is lowered to the
 * least distance of any such cosine from it. */
uint32_t probe_lanes_alike(const scene *s,
                           uint32_t part,
                           vec3 normal,
                           double cosine,
                           uint8_t *ret_alike,
                           double *margin);
/* Adds middle * area and area of faces (numbers within the object; the part's
 * first is `base`), in their order. */
void probe_lanes_sum(const scene *s,
                     uint32_t part,
                     const uint32_t *faces,
                     uint32_t base,
                     uint32_t count,
                     vec3 *sum,
                     double *area);
/* Vertices of the part's mesh in the world, moved. */
void probe_lanes_place(const scene *s,
                       uint32_t part,
                       const affine *motion,
                       const uint32_t *vertices,
                       uint32_t count,
                       vec3 *ret);
/* Faces of the part, moved, in the plane's frame: 3 points each,
 * counter-clockwise. */
void probe_lanes_triangles(const scene *s,
                           uint32_t part,
                           const affine *motion,
                           const uint32_t *faces,
                           uint32_t base,
                           uint32_t count,
                           const probe_plane *plane,
                           vec2 *ret);
/* Box of each triangle of the part in the frame of origin, u and v: x from, to,
 * y from, to. */
void probe_lanes_boxes(const scene *s,
                       uint32_t part,
                       const uint32_t *triangles,
                       uint32_t count,
                       const vec3 frame[3],
                       double (*ret)[4]);
/* Vertices of the plane in its frame; returns the highest along its normal. */
double probe_lanes_flat(const probe_plane *p,
                        const vec3 *vertices,
                        uint32_t count,
                        vec2 *ret);
/* The most that x * a + y * b is; -INFINITY when there are no points. */
double probe_lanes_most(const vec2 *points, uint32_t count, double a, double b);
/* The points that are not inside (a x + b y + c >= 0) of every edge, in order;
 * `ret` may be `points`. Returns how many. */
uint32_t probe_lanes_outer(const vec2 *points,
                           uint32_t count,
                           const double (*edges)[3],
                           uint32_t edge_count,
                           vec2 *ret);

/* ---- over gaps (plane_bridge.c) ---- */
/* a face in the frame of the one a plane grows from */
typedef struct probe_flat {
    uint32_t part, triangle; /* part counted from the object's first */
    vec2 at[3];
    double height[3];
} probe_flat;
/* Is some point of b within `gap` across and 5 mm up or down of a? */
bool probe_flat_near(const probe_flat *a, const probe_flat *b, double gap);
/* x from, to, y from, to */
void probe_flat_box(const probe_flat *f, double ret[4]);

/* A face in a cell, with the heights between which it lies, each rounded away
 * from the other: those too high or too low are passed over without a look at
 * the face. */
typedef struct probe_grid_item {
    uint32_t number;
    float low, high;
} probe_grid_item;

/* over faces in the frame's plane; all zero is empty */
typedef struct probe_grid {
    uint32_t *cell_first;               /* per cell and one: into cell_item */
    probe_grid_item *cell_item, *large; /* large: those over very many cells */
    /* of each cell and of the large ones, those still to be asked: the first
     * ones */
    uint32_t *cell_count, large_left;
    uint32_t large_count, columns, rows;
    vec2 low;
    double inverse;
    double gap; /* metres: how far off is near */
} probe_grid;
bool probe_grid_make(const probe_flat *items,
                     uint32_t count,
                     double gap,
                     probe_grid *ret); /* count > 0; false: no memory */
void probe_grid_free(probe_grid *grid);
/* The face's heights grown by what still is near: of an item that does not
 * reach between them probe_flat_near is false. */
void probe_flat_reach(const probe_flat *f, float *ret_low, float *ret_high);
/* Columns from, to, rows from, to of the cells with items that could be near
 * what lies within `box`: x from, to, y from, to. Returns how many items there
 * were at first, the large ones among them. */
uint64_t probe_grid_range(const probe_grid *grid,
                          const double box[4],
                          uint32_t ret_range[4]);

/* ---- maps (surface.c) ---- */
/* Height, cell, origin, columns and rows of s->plane's map; `turn` takes the
 * world to a frame whose z looks away from the plane (NULL: Z is up already).
 * False when the plane is too large to be a place: a map of it would have no
 * cells worth the name. */
bool probe_surface_extent(probe_surface *s, const affine *turn);
/* Its cells, in the same frame. */
etna_code probe_surface_fill(probe_shared *shared,
                             const space *sp,
                             const probe_surface_options *options,
                             const affine *turn,
                             probe_surface *s,
                             etna_arena *arena,
                             etna_error *err);

/* ---- what a hand can come to (shut.c) ---- */
struct cells_map;
/* on[cell] becomes 0 where what is free over the plane of `object` is shut off
 * from open air: inside of a closed cupboard, on the roof of a room. `fixed`:
 * per cell what is free over it without movable things; less than `least` is no
 * place. Movable things shut nothing off but what is their own: they can be
 * taken away. *ret_shut: there were places, and none is left. ETNA_E_NOMEM. */
etna_code probe_leave_out_shut(const struct cells_map *map,
                               const space *sp,
                               const space_air *air,
                               uint32_t object,
                               const float *fixed,
                               double least,
                               uint8_t *on,
                               bool *ret_shut,
                               etna_error *err);

/* ---- the plane ---- */
/* Convex hull by Andrew's chain: counter-clockwise, no three corners in a line,
 * about PROBE_HULL_MAX corners at most. Changes `points`; `hull` has room for
 * count + 1. Returns the number of corners, 0 when the points have no area. */
enum {
    PROBE_HULL_MAX = 64
};
/* Counter-clockwise corners, at most PROBE_HULL_MAX, 0 where they span no area.
 * Sorts `points`; hull has room for count + 1. */
uint32_t probe_hull(vec2 *points, uint32_t count, vec2 *hull);
/* Before a hull of many points: takes out those deep inside of the polygon
 * through the outermost, in eight directions, of those seen (any of them; the
 * more, the better). */
typedef struct probe_sieve {
    vec2 outermost[8];
    double most[8], edges[8][3];
    uint32_t edge_count; /* 0: nothing can be taken out */
} probe_sieve;
/* Begins with nothing seen; then sees points of the same frame, as often as
 * wanted. */
void probe_sieve_begin(probe_sieve *sieve);
/* Between _begin and _end, for as many chunks as there are. */
void probe_sieve_see(probe_sieve *sieve, const vec2 *points, uint32_t count);
/* enough were seen; without any, nothing is taken out */
void probe_sieve_end(probe_sieve *sieve);
uint32_t probe_sieve_keep(const probe_sieve *sieve,
                          const vec2 *points,
                          uint32_t count,
                          vec2 *ret); /* `ret` may be `points` */
/* Sides of the least-area rectangle round a convex polygon. */
void probe_rectangle(const vec2 *hull,
                     uint32_t count,
                     double *ret_across,
                     double *ret_width);
/* counter-clockwise, border included */
bool probe_in_triangle(const vec2 t[3], vec2 p);

#endif
