/* Walls: upright planes that the camera sees, with their maps of free cells. A
 * plane of a thin wall's far side has a name too, but that name means its inner
 * side; so walls are found as a probe would find them, by rays through the
 * image, not by going through faces. The map is a support surface's, in a frame
 * that is turned until the wall's normal is its Z. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>

enum {
    COLUMNS = 48,
    ROWS = 36,
    SETS_MAX = 256
};

#define WALL_REACH 0.3  /* metres before the wall */
#define LEAST_AREA 0.05 /* m2 */
#define UPRIGHT 0.05    /* of a normal's z */

typedef struct found_wall {
    uint32_t object, f;
    probe_set set;
} found_wall;

typedef struct search {
    probe_shared *shared;
    const space *space;
    const scene_camera *camera;
    found_wall *walls;
    uint32_t count;
} search;

/* Whether this ray's plane is found already; it saves the growth, and most rays
 * hit a wall that is. */
static bool is_known(const search *w, uint32_t object, uint32_t face)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->walls[i].object == object &&
            (w->walls[i].f == face || probe_set_has(&w->walls[i].set, face)))
            return true;
    return false;
}

/* Two faces can lead to one named plane although neither is in the other's
 * set. */
static bool wall_search_has(const search *w, uint32_t object, uint32_t f)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->walls[i].object == object && w->walls[i].f == f)
            return true;
    return false;
}

/* One ray. Only walls that are part of the building or cannot be moved: a
 * poster does not hang on a cupboard. */
static etna_code wall_search_look(search *w,
                                  double x,
                                  double y,
                                  etna_error *err)
{
    const scene *s = probe_scene(w->shared);
    space_ray ray = {.t_min = 0,
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    space_hit hit;
    camera_ray(w->camera, x, y, &ray.origin, &ray.direction);
    if (!space_cast(w->space, &ray, &hit) || fabs(hit.normal.z) > UPRIGHT)
        return ETNA_OK;
    if (!s->objects[hit.object].is_static && !s->objects[hit.object].immovable)
        return ETNA_OK;
    uint32_t face = probe_face_of(s, hit.part, hit.triangle);
    if (is_known(w, hit.object, face))
        return ETNA_OK;
    found_wall next = {.object = hit.object};
    etna_code code =
        probe_named_set(w->shared, hit.object, face, &next.set, &next.f, err);
    if (code == ETNA_E_INPUT) /* a sliver without a plane */
        return ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (wall_search_has(w, next.object, next.f)) {
        probe_set_free(&next.set);
        return ETNA_OK;
    }
    w->walls[w->count++] = next;
    return ETNA_OK;
}

/* The order of the answer does not depend on where the camera stood. */
static int found_wall_compare(const void *a, const void *b)
{
    const found_wall *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return (x->f > y->f) - (x->f < y->f);
}

/* The wall's plane and its map. `right` is to the right for who stands before
 * the wall and looks at it; the map's frame is right, up, and the normal, whose
 * small slope is levelled out. *ret_usable false: too small, leaning, or of no
 * extent; that is no failure. */
static etna_code found_wall_measure(const search *w,
                                    const found_wall *from,
                                    etna_arena *arena,
                                    probe_wall *ret,
                                    bool *ret_usable,
                                    etna_error *err)
{
    *ret_usable = false;
    probe_plane *plane = &ret->map.plane;
    etna_code code =
        probe_plane_face(w->shared, w->space, w->camera, from->object, from->f,
                         &from->set, true, arena, plane, err);
    if (code == ETNA_E_INPUT) /* no area after all */
        return ETNA_OK;
    if (code != ETNA_OK || plane->area < LEAST_AREA ||
        fabs(plane->normal.z) > UPRIGHT)
        return code;
    double length = sqrt(plane->normal.x * plane->normal.x +
                         plane->normal.y * plane->normal.y);
    ret->normal = v3(plane->normal.x / length, plane->normal.y / length, 0);
    ret->right = v3(-ret->normal.y, ret->normal.x, 0);
    const affine turn = {{{ret->right.x, ret->right.y, 0},
                          {0, 0, 1},
                          {ret->normal.x, ret->normal.y, 0}},
                         {0, 0, 0}};
    if (!probe_surface_extent(&ret->map, &turn))
        return ETNA_OK;
    probe_surface_options options = probe_surface_options_default();
    options.clearance = options.reach = WALL_REACH;
    *ret_usable = true;
    return probe_surface_fill(w->shared, w->space, &options, &turn, &ret->map,
                              arena, err);
}

/* Looks along a grid of rays, and sorts what it finds. */
static etna_code wall_search_run(search *w, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0;
         code == ETNA_OK && i < COLUMNS * ROWS && w->count < SETS_MAX; i++)
        code = wall_search_look(w, (i % COLUMNS + 0.5) / COLUMNS,
                                (i / COLUMNS + 0.5) / ROWS, err);
    if (code == ETNA_OK)
        qsort(w->walls, w->count, sizeof *w->walls, found_wall_compare);
    return code;
}

/* At most PROBE_WALLS_MAX; `ret` is in the arena. */
etna_code probe_walls(probe_shared *shared,
                      const space *sp,
                      const scene_camera *camera,
                      etna_arena *arena,
                      probe_wall **ret,
                      uint32_t *ret_count,
                      etna_error *err)
{
    search w = {.shared = shared, .space = sp, .camera = camera};
    probe_wall *out = etna_arena_alloc(arena, PROBE_WALLS_MAX, sizeof *out);
    w.walls = calloc(SETS_MAX, sizeof *w.walls);
    etna_code code = out && w.walls
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM, "no memory for walls");
    uint32_t count = 0;
    if (code == ETNA_OK)
        code = wall_search_run(&w, err);
    for (uint32_t i = 0;
         code == ETNA_OK && i < w.count && count < PROBE_WALLS_MAX; i++) {
        bool usable;
        code = found_wall_measure(&w, &w.walls[i], arena, &out[count], &usable,
                                  err);
        count += usable;
    }
    for (uint32_t i = 0; i < w.count; i++)
        probe_set_free(&w.walls[i].set);
    free(w.walls);
    if (code != ETNA_OK)
        return code;
    *ret = out;
    *ret_count = count;
    return ETNA_OK;
}
