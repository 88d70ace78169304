/* Probe: what an agent can ask of a scene with a pixel, an area or a plane's
 * name (METHODS.md 4), and the support surfaces of the facts (METHODS.md 3).
 * Planes are grown on the triangles at the base pose and carried along by their
 * object's pose, so a plane keeps its name when its object moves.
 *
 * Faces: an object's triangles are counted over all its parts in order, from 0.
 * Names: `<object>_<face>` (or `<object>#<face>` where an object bears that
 * name), `<object>_up` (`<object>#up`), and for input also `ray:x,y`.
 * Everything returned lives in the caller's arena. World frame, metres; images
 * normalised, (0,0) top left. */
#ifndef ETNA_WORKER_PROBE_PROBE_H
#define ETNA_WORKER_PROBE_PROBE_H

#include "proto/arena.h"
#include "worker/space/space.h"

/* metres between planks that are one surface, as where planes are grown
 * (METHODS.md 4) */
#define PROBE_GAP_MAX 0.02
/* The same of one object: the boards of a floor lie farther apart. */
double probe_gap_of(const scene *s, uint32_t object);
enum {
    PROBE_NAME_SIZE = ARRANGE_NAME_MAX + 16
}; /* an object's name, '_' or '#', ten digits, NUL */

/* Per scene: each mesh's welded adjacency and each object's upward planes, made
 * when first needed. Thread-safe. */
typedef struct probe_shared probe_shared;
/* Keeps a reference to the scene. */
etna_code probe_share(scene *s, probe_shared **ret_shared, etna_error *err);
void probe_shared_free(probe_shared *shared); /* NULL is fine */

typedef struct probe_plane {
    char name[PROBE_NAME_SIZE];
    uint32_t object;
    uint32_t face; /* f of the name; SCENE_NONE for `_up` */
    vec3 normal;   /* unit; f's turned toward the camera, `_up`: +Z */
    vec3 origin;   /* area centroid of the faces: the 2D frame's zero */
    /* unit; u x v = normal: point = origin + x u + y v (+ h normal) */
    vec3 u, v;
    /* max over vertices of q . normal: the plane's position along the normal
     * (Contact) */
    double offset;
    uint32_t vertex_count;
    /* the face set's corners, each welded one once; `_up`: the box's top
     * corners; NULL: only counted */
    const vec3 *vertices;
    uint32_t hull_count;
    /* convex hull in the frame, counter-clockwise, >= 3 corners, no three in a
     * line */
    const vec2 *hull;
    uint32_t triangle_count;
    /* 3 per triangle, in the frame, counter-clockwise: the real polygon. `_up`:
     * the faces flat within 1 cm of the top, or the whole rectangle when those
     * are under 20 %. NULL: only counted */
    const vec2 *triangles;
    double area; /* of the triangles; `_up`: of the box's top */
    /* longer and shorter side of the hull's least-area rectangle */
    double across, width;
    /* `_up`: share of the top that is flat within 1 cm of it, 0..1; others:
     * 1 */
    double flat_share;
    /* `_up` with a flat share under 0.2: the largest upward plane's name, else
     * "" */
    char better[PROBE_NAME_SIZE];
} probe_plane;

/* The plane of that name. ETNA_E_INPUT with a text an agent can act on: no such
 * object, face out of range, the name is an object's, a ray that meets nothing,
 * a face without area. The camera only turns the normal (and aims `ray:`). */
etna_code probe_plane_by_name(probe_shared *shared,
                              const space *sp,
                              const scene_camera *camera,
                              const char *name,
                              etna_arena *arena,
                              probe_plane *ret,
                              etna_error *err);
/* The plane a probe at face `face` of `object` answers with (METHODS.md 4's
 * rule for f). Same errors. Its vertices and triangles are only counted: a
 * probe may name a scan of millions; who needs them asks by that name. */
etna_code probe_plane_at(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         uint32_t object,
                         uint32_t face,
                         etna_arena *arena,
                         probe_plane *ret,
                         etna_error *err);

/* The ray through image point (x, y): ray_probe of one coordinate. */
typedef struct probe_hit {
    bool hit;
    uint32_t object, face;
    vec3 point;
    vec3 normal; /* of the hit face, turned toward the ray's origin */
    char plane[PROBE_NAME_SIZE];
    vec3 plane_normal;
} probe_hit;
/* `count` coordinates (2 doubles each) into ret[count]. ETNA_E_INPUT: a
 * coordinate outside [0, 1] or not finite, named by its number. */
etna_code probe_rays(probe_shared *shared,
                     const space *sp,
                     const scene_camera *camera,
                     const double *coordinates,
                     uint32_t count,
                     probe_hit *ret,
                     etna_error *err);
/* The number of a hit's face within its object. */
uint32_t probe_face_of(const scene *s, uint32_t part, uint32_t triangle);

/* list_all_object_in_view: objects with a pixel touched by `area` = x1, y1, x2,
 * y2, ascending. `ids` is an instance map, row 0 at the top, SCENE_NONE where
 * there is nothing. `seen` has room for object_count entries. ETNA_E_INPUT: an
 * area that is not finite, empty, turned round or wholly outside the image. */
etna_code probe_list(const uint32_t *ids,
                     uint32_t width,
                     uint32_t height,
                     const double area[4],
                     uint32_t object_count,
                     uint32_t *seen,
                     uint32_t *ret_count,
                     etna_error *err);

/* ---- support surfaces (METHODS.md 3 Facts) ---- */
/* what one thing that could be taken away leaves free over a surface */
typedef struct probe_layer {
    uint32_t object;
    uint32_t column, row, columns, rows; /* of the cells that it is over */
    /* per cell of these, as probe_surface.clear */
    const float *clear;
    const struct probe_layer *next; /* of the next higher object */
} probe_layer;

typedef struct probe_surface {
    probe_plane plane;
    /* world z of the plane's highest vertex: a flat bottom comes to rest there
     * or, where it curves, below */
    double height;
    /* side of a cell: 0.02 m, doubled until the map has at most PROBE_CELLS_MAX
     * cells */
    double cell;
    /* world x, y of the map's corner; cell (i, j) covers origin + cell * [i,
     * i+1] x [j, j+1] */
    double origin[2];
    uint32_t columns, rows;
    /* bit i of row j: free[(j * columns + i) / 8] >> ((j * columns + i) %
     * 8) & 1 */
    const uint8_t *free;
    /* per cell: metres up to the lowest triangle above it, INFINITY: none; 0:
     * not on the polygon */
    const float *clear;
    const float *fixed; /* the same without what the layers are of */
    /* of movable objects over it, ascending; NULL: there is none */
    const probe_layer *layers;
    uint32_t free_count;
    bool shut; /* there are places, and a hand comes to none of them */
} probe_surface;

typedef struct probe_surface_options {
    uint32_t cookie;
    /* 0.02: a cell is free when nothing is within this height above it */
    double clearance;
    double least_area; /* 0.001 m2 */
    /* INFINITY: what begins farther above takes no room */
    double reach;
    uint32_t per_object; /* 4, the largest */
    /* SCENE_NONE; else as if this object were not there */
    uint32_t skip_object;
    /* 0 is 1: what is found once for good is found on so many, the same bits
     * for any number */
    uint32_t threads;
    /* NULL; else what a hand cannot come to is no place (METHODS.md 6,
     * Reach) */
    const space_air *air;
} probe_surface_options;
probe_surface_options probe_surface_options_default(void);

enum {
    PROBE_CELLS_MAX = 1 << 20,
    PROBE_SURFACES_MAX = 1024
};

/* All upward planes (normal z > 0.98) that have a name with an upward normal
 * under this camera, by (object, area descending, face). A surface above the
 * camera is listed as `<object>_up` when it is the top of its box, else left
 * out: its face name would mean the downward side (METHODS.md 4). */
etna_code probe_surfaces(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         const probe_surface_options *options,
                         etna_arena *arena,
                         probe_surface **ret,
                         uint32_t *ret_count,
                         etna_error *err);

/* ---- walls: upright places things can hang on ---- */
/* map coordinates (s, t) are the world point s right + t Z + map.height
 * normal */
typedef struct probe_wall {
    /* height: along the normal; origin: s, t of the low corner; columns along
     * `right`, rows upward */
    probe_surface map;
    /* unit, horizontal; right as one sees it who looks at the wall */
    vec3 normal, right;
} probe_wall;

enum {
    PROBE_WALLS_MAX = 64
};

/* Upright planes of static and immovable objects that the camera sees (a grid
 * of rays finds them), by (object, face): of at least 0.05 m2. A cell is free
 * when nothing begins within 0.3 m before it: a sofa at the wall hides what
 * hangs behind it. */
etna_code probe_walls(probe_shared *shared,
                      const space *sp,
                      const scene_camera *camera,
                      etna_arena *arena,
                      probe_wall **ret,
                      uint32_t *ret_count,
                      etna_error *err);

#endif
