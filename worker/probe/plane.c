/* A plane's geometry from its faces, where its object stands now; and the top
 * of a box as a plane. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

#define TOP_SLACK 0.01 /* METHODS.md 4: flat within 1 cm of the top */
#define TOP_LEAST 0.2  /* share of the top that must be flat */
#define OPEN_LEAST \
    0.1 /* of the largest upward plane: less is not worth naming instead */
#define OPEN_ABOVE 1e-3 /* m */
#define OPEN_SAMPLES 64
#define TOP_GRID 64 /* cells a side on which the share is counted */

/* vertices at a time; one of so many chunks */
enum {
    CHUNK = 1024,
    SAMPLE = 16
};

typedef struct building {
    const scene *scene;
    const space *space;
    affine motion;
    etna_arena *arena;
} building;

static etna_code plane_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "no memory for a plane");
}

/* The world's point as u and v of the plane, metres from its origin. */
static vec2 plane_in_frame(const probe_plane *p, vec3 q)
{
    vec3 d = v3_sub(q, p->origin);
    return (vec2){v3_dot(d, p->u), v3_dot(d, p->v)};
}

/* u is the world's X laid into the plane (Y for a plane that nearly faces X), v
 * completes a right-handed frame with the normal. So u is the same for all
 * planes of one direction. */
static void set_frame(probe_plane *p)
{
    vec3 axis = fabs(p->normal.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    p->u = v3_normal(v3_add_scaled(axis, p->normal, -v3_dot(axis, p->normal)));
    p->v = v3_cross(p->normal, p->u);
}

/* A sheet has no outside; the side that is seen is meant. `at` is a point of
 * the plane. */
static void turn_to_camera(probe_plane *p, const scene_camera *camera, vec3 at)
{
    vec3 toward = camera->orthographic ? v3_scale(camera->forward, -1)
                                       : v3_sub(camera->position, at);
    if (v3_dot(toward, p->normal) < 0)
        p->normal = v3_scale(p->normal, -1);
}

/* The set's faces of one part of its object, from[0..count). */
typedef struct span {
    uint32_t part, base; /* in the scene; the part's first face */
    const uint32_t *faces;
    uint32_t count;
} span;

/* The next part that has any, false at the end; `at` all zero but for the
 * object's first part before. */
static bool next_span(const scene *s, const probe_set *set, span *at)
{
    const uint32_t *all = set->faces;
    const uint32_t *end = all + set->count;
    const uint32_t *from = at->faces ? at->faces + at->count : all;
    if (from == end)
        return false;
    for (uint32_t triangles;
         *from >=
         at->base +
             (triangles = s->meshes[s->parts[at->part].mesh].triangle_count);) {
        at->base += triangles;
        at->part++;
    }
    uint32_t past =
        at->base + s->meshes[s->parts[at->part].mesh].triangle_count;
    uint32_t low = 0;
    uint32_t high = (uint32_t)(end - from);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (from[middle] < past)
            low = middle + 1;
        else
            high = middle;
    }
    at->faces = from;
    at->count = low;
    return true;
}

/* The first corner of each welded vertex of the span, in file order. `seen` is
 * all zero, per vertex of the mesh. */
static uint32_t list_vertices(const scene_mesh *mesh,
                              const probe_adjacency *a,
                              const span *of,
                              uint8_t *seen,
                              uint32_t *ret)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t *index =
            mesh->index + 3 * (size_t)(of->faces[i] - of->base);
        /* what is written too much is written over */
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = a->weld[index[k]];
            ret[n] = index[k];
            n += !seen[vertex];
            seen[vertex] = 1;
        }
    }
    return n;
}

/* vertices of the parts' meshes, part by part */
typedef struct corner_list {
    uint32_t *vertices, *counts; /* counts: per part of the object */
    uint32_t count;
} corner_list;

/* Appends the welded vertices of one part's faces. Room for the worst case is
 * reserved first; the pinned adjacency is given back in any case. */
static etna_code add_vertices(const building *b,
                              probe_shared *shared,
                              const span *of,
                              corner_list *list,
                              uint32_t *ret_count,
                              etna_error *err)
{
    const scene_mesh *mesh = &b->scene->meshes[b->scene->parts[of->part].mesh];
    const probe_adjacency *a;
    etna_code code =
        probe_mesh_adjacency(shared, b->scene->parts[of->part].mesh, &a, err);
    if (code != ETNA_OK)
        return code;
    size_t room = 3 * (size_t)of->count < mesh->vertex_count
                      ? 3 * (size_t)of->count
                      : mesh->vertex_count;
    uint32_t *more =
        realloc(list->vertices, (list->count + room + 1) * sizeof *more);
    uint8_t *seen = calloc((size_t)mesh->vertex_count + 1, 1);
    list->vertices = more ? more : list->vertices;
    if (more && seen) {
        *ret_count = list_vertices(mesh, a, of, seen, more + list->count);
        list->count += *ret_count;
    }
    free(seen);
    probe_mesh_release(shared, b->scene->parts[of->part].mesh, a);
    return more && seen ? ETNA_OK : plane_no_memory(err);
}

/* Welded corners of the set, each once, in file order; the caller frees the
 * list's arrays, on failure too. */
static etna_code list_corners(const building *b,
                              probe_shared *shared,
                              const probe_set *set,
                              probe_plane *p,
                              corner_list *list,
                              etna_error *err)
{
    const scene_object *o = &b->scene->objects[p->object];
    list->counts = calloc((size_t)o->part_count + 1, sizeof *list->counts);
    etna_code code = list->counts ? ETNA_OK : plane_no_memory(err);
    for (span at = {.part = o->first_part};
         code == ETNA_OK && next_span(b->scene, set, &at);)
        code = add_vertices(b, shared, &at, list,
                            &list->counts[at.part - o->first_part], err);
    p->vertex_count = list->count;
    return code;
}

/* Places all listed corners in the world, part by part, since each part has its
 * own mesh and matrix. */
static etna_code collect_vertices(const building *b,
                                  const corner_list *list,
                                  probe_plane *p,
                                  etna_error *err)
{
    const scene_object *o = &b->scene->objects[p->object];
    vec3 *out = etna_arena_alloc(b->arena, list->count, sizeof *out);
    if (!out)
        return plane_no_memory(err);
    for (uint32_t part = 0, from = 0; part < o->part_count;
         from += list->counts[part++])
        probe_lanes_place(b->scene, o->first_part + part, &b->motion,
                          list->vertices + from, list->counts[part],
                          out + from);
    p->vertices = out;
    return ETNA_OK;
}

/* Centre of the set's faces weighted by area, in the world; *ret_area in m2. A
 * motion is rigid, so the area of the base pose holds. */
static vec3 building_centroid(const building *b,
                              const probe_set *set,
                              uint32_t object,
                              double *ret_area)
{
    span at = {.part = b->scene->objects[object].first_part};
    vec3 sum = v3(0, 0, 0);
    double area = 0;
    while (next_span(b->scene, set, &at))
        probe_lanes_sum(b->scene, at.part, at.faces, at.base, at.count, &sum,
                        &area);
    *ret_area = area;
    return affine_point(&b->motion, v3_scale(sum, 1 / area));
}

/* Counter-clockwise in the frame, whichever way the face winds: the plane may
 * have been turned to the camera. */
static void put_triangle(const probe_plane *p, const vec3 corner[3], vec2 *out)
{
    vec2 a = plane_in_frame(p, corner[0]);
    vec2 c = plane_in_frame(p, corner[1]);
    vec2 d = plane_in_frame(p, corner[2]);
    bool turned = (c.x - a.x) * (d.y - a.y) - (c.y - a.y) * (d.x - a.x) < 0;
    out[0] = a;
    out[1] = turned ? d : c;
    out[2] = turned ? c : d;
}

/* For those who lay the plane over cells or look whether a point is on it. */
static etna_code collect_triangles(const building *b,
                                   const probe_set *set,
                                   probe_plane *p,
                                   etna_error *err)
{
    span at = {.part = b->scene->objects[p->object].first_part};
    vec2 *out = etna_arena_alloc(b->arena, 3 * (size_t)set->count, sizeof *out);
    vec2 *next = out;
    if (!out)
        return plane_no_memory(err);
    for (; next_span(b->scene, set, &at); next += 3 * (size_t)at.count)
        probe_lanes_triangles(b->scene, at.part, &b->motion, at.faces, at.base,
                              at.count, p, next);
    p->triangles = out;
    return ETNA_OK;
}

/* ---- the hull ---- */
/* over a plane's vertices, some at a time, wherever they are */
typedef struct walk {
    const building *b;
    const probe_plane *p;
    const corner_list *list; /* when p has none */
    /* part of the object; its first vertex in the list; the next one */
    uint32_t part, from, at;
    vec3 room[CHUNK];
    vec2 points[CHUNK]; /* in the frame */
    double highest;
} walk;

/* The highest point seen is kept on purpose: a second walk sees the same
 * points. */
static void rewind_walk(walk *w)
{
    w->part = w->from = w->at = 0;
}

/* Leaves out most of what comes, but not the last ones. */
static void walk_skip(walk *w)
{
    uint32_t left = w->p->vertex_count - w->at;
    uint32_t jump = (SAMPLE - 1) * CHUNK;
    if (left > jump + CHUNK)
        w->at += jump;
    else if (left > CHUNK)
        w->at += left - CHUNK;
}

/* How many come next, 0 at the end. */
static uint32_t walk_step(walk *w)
{
    const scene_object *o = &w->b->scene->objects[w->p->object];
    uint32_t count = w->p->vertex_count - w->at;
    const vec3 *vertices = w->room;
    if (!w->p->vertices) {
        while (count > 0 && w->at >= w->from + w->list->counts[w->part])
            w->from += w->list->counts[w->part++];
        count = count > 0 ? w->from + w->list->counts[w->part] - w->at : 0;
    }
    count = count < CHUNK ? count : CHUNK;
    if (count == 0)
        return 0;
    if (w->p->vertices)
        vertices = w->p->vertices + w->at;
    else
        probe_lanes_place(w->b->scene, o->first_part + w->part, &w->b->motion,
                          w->list->vertices + w->at, count, w->room);
    double highest = probe_lanes_flat(w->p, vertices, count, w->points);
    w->highest = math_max(highest, w->highest);
    w->at += count;
    return count;
}

/* The points that could be corners of the hull; malloc'd. Some of all say
 * already what lies deep inside; those left say it again. */
static etna_code outer_points(walk *w,
                              vec2 **ret,
                              uint32_t *ret_count,
                              etna_error *err)
{
    probe_sieve sieve;
    size_t room = 0;
    uint32_t n;
    probe_sieve_begin(&sieve);
    for (rewind_walk(w); w->p->vertex_count > CHUNK && (n = walk_step(w)) > 0;
         walk_skip(w))
        probe_sieve_see(&sieve, w->points, n);
    probe_sieve_end(&sieve);
    *ret = NULL;
    *ret_count = 0;
    for (rewind_walk(w); (n = walk_step(w)) > 0; *ret_count += n) {
        n = probe_sieve_keep(&sieve, w->points, n, w->points);
        if (*ret_count + (size_t)n >= room) {
            room = 2 * (*ret_count + (size_t)n) + 64;
            vec2 *more = realloc(*ret, room * sizeof *more);
            if (!more)
                return plane_no_memory(err);
            *ret = more;
        }
        memcpy(*ret + *ret_count, w->points, n * sizeof **ret);
    }
    if (*ret_count > CHUNK) {
        probe_sieve_begin(&sieve);
        probe_sieve_see(&sieve, *ret, *ret_count);
        probe_sieve_end(&sieve);
        *ret_count = probe_sieve_keep(&sieve, *ret, *ret_count, *ret);
    }
    return ETNA_OK;
}

/* The hull, and from it the offset (the highest point along the normal: what
 * stands on the plane touches there) and the rectangle. ETNA_E_INPUT when the
 * corners span no area, with the plane's name, as an agent has to choose
 * another one. */
static etna_code building_finish(const building *b,
                                 const corner_list *list,
                                 probe_plane *p,
                                 etna_error *err)
{
    walk *w = malloc(sizeof *w);
    vec2 *points = NULL, *hull = NULL;
    uint32_t count = 0;
    if (!w)
        return plane_no_memory(err);
    w->b = b;
    w->p = p;
    w->list = list;
    w->highest = -INFINITY;
    etna_code code = outer_points(w, &points, &count, err);
    if (code == ETNA_OK && !(hull = malloc(((size_t)count + 1) * sizeof *hull)))
        code = plane_no_memory(err);
    if (code == ETNA_OK) {
        p->offset = w->highest;
        p->hull_count = probe_hull(points, count, hull);
        if (p->hull_count < 3)
            code = etna_fail(
                err, ETNA_E_INPUT,
                "plane \"%s\" has no area; probe the image for another one",
                p->name);
    }
    if (code == ETNA_OK && !(p->hull = etna_arena_memdup(
                                 b->arena, hull, p->hull_count * sizeof *hull)))
        code = plane_no_memory(err);
    if (code == ETNA_OK)
        probe_rectangle(p->hull, p->hull_count, &p->across, &p->width);
    free(w);
    free(points);
    free(hull);
    return code;
}

/* How the object moved from its base pose to where this space has it. */
static building building_begin(const probe_shared *shared,
                               const space *sp,
                               uint32_t object,
                               etna_arena *arena)
{
    const scene *s = probe_scene(shared);
    return (building){
        .scene = s,
        .space = sp,
        .arena = arena,
        .motion = scene_motion(&s->objects[object], space_pose(sp, object))};
}

/* The order matters: the normal is turned to the camera before the frame is
 * made of it, and the frame needs the origin. `set` must have been grown from f
 * or contain it. */
etna_code probe_plane_face(probe_shared *shared,
                           const space *sp,
                           const scene_camera *camera,
                           uint32_t object,
                           uint32_t f,
                           const probe_set *set,
                           bool whole,
                           etna_arena *arena,
                           probe_plane *ret,
                           etna_error *err)
{
    building b = building_begin(shared, sp, object, arena);
    probe_plane p = {.object = object, .face = f, .flat_share = 1};
    probe_face face;
    if (!probe_face_get(b.scene, object, f, &face) || !(face.area > 0))
        return etna_fail(err, ETNA_E_INPUT,
                         "face %u of object \"%s\" has no area", f,
                         b.scene->objects[object].name);
    probe_name_face(b.scene, object, f, p.name);
    p.normal = v3_normal(affine_dir(&b.motion, face.normal));
    vec3 middle =
        v3_scale(v3_add(v3_add(face.corner[0], face.corner[1]), face.corner[2]),
                 1.0 / 3);
    turn_to_camera(&p, camera, affine_point(&b.motion, middle));
    p.origin = building_centroid(&b, set, object, &p.area);
    set_frame(&p);
    p.triangle_count = set->count;
    corner_list list = {0};
    etna_code code = list_corners(&b, shared, set, &p, &list, err);
    if (code == ETNA_OK && whole)
        code = collect_vertices(&b, &list, &p, err);
    if (code == ETNA_OK && whole)
        code = collect_triangles(&b, set, &p, err);
    if (code == ETNA_OK)
        code = building_finish(&b, &list, &p, err);
    free(list.vertices);
    free(list.counts);
    if (code == ETNA_OK)
        *ret = p;
    return code;
}

/* ---- the top of a box ---- Z of the triangle over a point of the plane's
 * frame, by its barycentric weights; no bound is checked here. */
static double height_over(const vec3 corner[3], const vec2 flat[3], vec2 at)
{
    double whole = (flat[1].x - flat[0].x) * (flat[2].y - flat[0].y) -
                   (flat[1].y - flat[0].y) * (flat[2].x - flat[0].x);
    double w1 = (at.x - flat[0].x) * (flat[2].y - flat[0].y) -
                (at.y - flat[0].y) * (flat[2].x - flat[0].x);
    double w2 = (flat[1].x - flat[0].x) * (at.y - flat[0].y) -
                (flat[1].y - flat[0].y) * (at.x - flat[0].x);
    return whole != 0 ? corner[0].z + (w1 * (corner[1].z - corner[0].z) +
                                       w2 * (corner[2].z - corner[0].z)) /
                                          whole
                      : -INFINITY;
}

/* Marks the cells of the top whose centre has this triangle within 1 cm of the
 * top. */
static void mark_top(const probe_plane *p,
                     const scene_box *box,
                     const vec3 corner[3],
                     uint8_t *cells)
{
    double least = box->centre.z + box->half.z - TOP_SLACK;
    if (corner[0].z < least && corner[1].z < least && corner[2].z < least)
        return;
    vec2 flat[3], turned[3];
    int low[2] = {TOP_GRID, TOP_GRID};
    int high[2] = {-1, -1};
    for (int k = 0; k < 3; k++) {
        flat[k] = plane_in_frame(p, corner[k]);
        double at[2] = {(flat[k].x / box->half.x + 1) / 2 * TOP_GRID,
                        (flat[k].y / box->half.y + 1) / 2 * TOP_GRID};
        for (int axis = 0; axis < 2; axis++) {
            int cell = (int)math_clamp(at[axis], 0, TOP_GRID - 1);
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell > high[axis] ? cell : high[axis];
        }
    }
    memcpy(turned, flat, sizeof turned);
    if ((flat[1].x - flat[0].x) * (flat[2].y - flat[0].y) -
            (flat[1].y - flat[0].y) * (flat[2].x - flat[0].x) <
        0) {
        turned[1] = flat[2];
        turned[2] = flat[1];
    }
    for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
            vec2 at = {((x + 0.5) / TOP_GRID * 2 - 1) * box->half.x,
                       ((y + 0.5) / TOP_GRID * 2 - 1) * box->half.y};
            if (probe_in_triangle(turned, at) &&
                height_over(corner, flat, at) >= least)
                cells[y * TOP_GRID + x] = 1;
        }
}

/* The whole top of the box, as two triangles; NULL: out of memory. */
static vec2 *box_top(const building *b, const scene_box *box)
{
    vec2 c[4] = {{-box->half.x, -box->half.y},
                 {box->half.x, -box->half.y},
                 {box->half.x, box->half.y},
                 {-box->half.x, box->half.y}};
    vec2 two[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
    return etna_arena_memdup(b->arena, two, sizeof two);
}

/* How much of the box's top the object fills within TOP_SLACK of it, on a grid.
 * A table's is near 1, a chair's 0.1 (its back). Where enough is flat those
 * faces are the triangles of the plane, so that nothing is placed beside them;
 * else the whole rectangle stands in. */
static etna_code flat_share(const building *b,
                            const scene_box *box,
                            probe_plane *p,
                            etna_error *err)
{
    uint8_t cells[TOP_GRID * TOP_GRID] = {0};
    double least = box->centre.z + box->half.z - TOP_SLACK;
    vec2 *flat = NULL;
    uint32_t count = 0, room = 0, marked = 0;
    probe_face face;
    for (uint32_t f = 0; probe_face_get(b->scene, p->object, f, &face); f++) {
        vec3 corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = affine_point(&b->motion, face.corner[k]);
        mark_top(p, box, corner, cells);
        double lowest =
            math_min(corner[0].z, math_min(corner[1].z, corner[2].z));
        if (lowest < least || fabs(face.normal.z) < 0.5)
            continue;
        if (count == room) {
            room = room ? 2 * room : 64;
            vec2 *more = realloc(flat, 3 * (size_t)room * sizeof *more);
            if (!more) {
                free(flat);
                return plane_no_memory(err);
            }
            flat = more;
        }
        put_triangle(p, corner, flat + 3 * (size_t)count++);
    }
    for (int i = 0; i < TOP_GRID * TOP_GRID; i++)
        marked += cells[i];
    p->flat_share = (double)marked / (TOP_GRID * TOP_GRID);
    if (p->flat_share >= TOP_LEAST && count > 0) {
        p->triangles =
            etna_arena_memdup(b->arena, flat, 3 * (size_t)count * sizeof *flat);
        p->triangle_count = count;
    } else {
        p->triangles = box_top(b, box);
        p->triangle_count = 2;
    }
    free(flat);
    return p->triangles ? ETNA_OK : plane_no_memory(err);
}

/* How much of an upward plane nothing of its own object covers, in m2. */
static etna_code open_area(probe_shared *shared,
                           const building *b,
                           uint32_t object,
                           const probe_upward *upward,
                           double *ret,
                           etna_error *err)
{
    probe_set set;
    uint32_t f;
    double open = 0, all = 0;
    etna_code code =
        probe_named_set(shared, object, upward->face, &set, &f, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < set.count; i += 1 + set.count / OPEN_SAMPLES) {
        probe_face face;
        space_hit hit;
        probe_face_get(b->scene, object, set.faces[i], &face);
        vec3 middle = v3_scale(
            v3_add(v3_add(face.corner[0], face.corner[1]), face.corner[2]),
            1.0 / 3);
        space_ray up = {.origin = affine_point(&b->motion, middle),
                        .direction = {0, 0, 1},
                        .t_min = OPEN_ABOVE,
                        .t_max = INFINITY,
                        .skip_object = SCENE_NONE,
                        .only_object = object};
        all += face.area;
        open += space_cast(b->space, &up, &hit) ? 0 : face.area;
    }
    probe_set_free(&set);
    *ret = all > 0 ? open / all * upward->area : 0;
    return ETNA_OK;
}

/* The upward plane a person would name: the largest that lies open. A bed's
 * slats are larger than what is flat of its cover, but nobody puts anything
 * there. Where next to nothing lies open (a bookcase), the largest. */
static etna_code find_better(probe_shared *shared,
                             const building *b,
                             uint32_t object,
                             char name[PROBE_NAME_SIZE],
                             etna_error *err)
{
    const probe_upward *sets;
    uint32_t count, best = 0;
    double widest = 0;
    etna_code code = probe_object_upward(shared, object, &sets, &count, err);
    if (code != ETNA_OK || count == 0)
        return code;
    for (uint32_t i = 0; i < count; i++) {
        double open = 0;
        code = open_area(shared, b, object, &sets[i], &open, err);
        if (code != ETNA_OK)
            return code;
        if (open > widest) {
            widest = open;
            best = i;
        }
    }
    probe_name_face(b->scene, object,
                    sets[widest >= OPEN_LEAST * sets[0].area ? best : 0].face,
                    name);
    return ETNA_OK;
}

/* Its frame is the box's: u and v along the sides. Where less than TOP_LEAST is
 * flat, `better` names the plane that was probably meant; the answer still is
 * the one asked for. */
etna_code probe_plane_up(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         uint32_t object,
                         etna_arena *arena,
                         probe_plane *ret,
                         etna_error *err)
{
    (void)camera; /* `_up` looks up under every camera */
    building b = building_begin(shared, sp, object, arena);
    scene_box box = space_box(sp, object);
    probe_plane p = {
        .object = object, .face = SCENE_NONE, .normal = v3(0, 0, 1)};
    probe_name_up(b.scene, object, p.name);
    if (!(box.half.x > 0) || !(box.half.y > 0))
        return etna_fail(
            err, ETNA_E_INPUT,
            "the top of object \"%s\" has no area; probe the image for a plane",
            b.scene->objects[object].name);
    double s, c;
    math_sincos(box.yaw, &s, &c);
    p.u = v3(c, s, 0);
    p.v = v3(-s, c, 0);
    p.origin = v3(box.centre.x, box.centre.y, box.centre.z + box.half.z);
    p.area = 4 * box.half.x * box.half.y;
    vec3 corners[8];
    scene_box_corners(&box, corners);
    p.vertices = etna_arena_memdup(arena, corners + 4, 4 * sizeof *corners);
    p.vertex_count = 4;
    etna_code code =
        p.vertices ? flat_share(&b, &box, &p, err) : plane_no_memory(err);
    if (code == ETNA_OK)
        code = building_finish(&b, NULL, &p, err);
    if (code == ETNA_OK && p.flat_share < TOP_LEAST)
        code = find_better(shared, &b, object, p.better, err);
    if (code == ETNA_OK)
        *ret = p;
    return code;
}
