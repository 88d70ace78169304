/* The planes that open a building (see section.h). */
#include "worker/view/section.h"
#include "proto/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 100,
    DIRECTIONS = 16,
    PASSES = 16,
    HITS_MAX = 4096,
    AGREE = 3
};

/* metres: as METHODS.md 1 Static says */
static const double wall_height = 1.8, wall_thin = 0.3;
/* |normal.z| of a wall, at most */
static const double upright = 0.25;
static const double embedded =
    0.15; /* metres that a centre may lie in a wall: a door's, a switch's */
/* Metres before the wall, so that its own triangles are behind the cut. */
static const double spare = 0.005;

typedef struct inside { /* what a building encloses */
    uint32_t count;
    vec3 *points; /* centres of the movable objects */
    double *tops;
} inside;

typedef struct wall {
    vec3 normal;
    double offset;
    uint32_t hits;
} wall;

typedef struct seeking {
    const space *sp;
    const scene *s;
    inside in;
    bool *is_shell;
    wall *walls;
    uint32_t wall_count;
    double *ceilings;
    uint32_t ceiling_count;
} seeking;

/* What can be moved is inside; where nothing can, everything is. */
static bool section_counts(const scene_object *o, bool any_movable)
{
    return !scene_is_aside(o) && (!any_movable || !o->is_static);
}

/* Caller frees both arrays of *ret. */
static etna_code inside_find(const scene *s, inside *ret, etna_error *err)
{
    bool any = false;
    for (uint32_t i = 0; i < s->object_count; i++)
        any = any || section_counts(&s->objects[i], true);
    inside in = {.points = malloc((s->object_count + 1u) * sizeof *in.points),
                 .tops = malloc((s->object_count + 1u) * sizeof *in.tops)};
    if (!in.points || !in.tops) {
        free(in.points);
        free(in.tops);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the walls around %u objects",
                         s->object_count);
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        if (!section_counts(o, any))
            continue;
        in.points[in.count] = o->box.centre;
        in.tops[in.count++] = o->max.z;
    }
    *ret = in;
    return ETNA_OK;
}

/* At least half of what is inside lies over or under it. */
static bool section_spans(const inside *in, const scene_object *o)
{
    uint32_t within = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        vec3 p = in->points[i];
        within += v2_within((vec2){p.x, p.y}, (vec2){o->min.x, o->min.y},
                            (vec2){o->max.x, o->max.y});
    }
    return 2 * (uint64_t)within >= in->count;
}

/* A building's: an upright sheet as high as a wall, or something that most of
 * the inside is within, over or under. A wardrobe is neither, and stays. */
static bool section_is_shell(const inside *in, const scene_object *o)
{
    if (!o->is_static || o->stray || o->static_by_cut)
        return false;
    double thin = math_min(o->box.half.x, o->box.half.y);
    bool sheet = 2 * o->box.half.z >= wall_height && 2 * thin < wall_thin;
    return sheet || section_spans(in, o);
}

/* The first of the building that a ray meets, whatever stands before it. */
static bool section_cast(const seeking *f,
                         vec3 from,
                         vec3 direction,
                         space_hit *ret)
{
    space_ray ray = {from, direction, 0, INFINITY, SCENE_NONE, SCENE_NONE};
    for (int i = 0; i < PASSES; i++) {
        if (!space_cast(f->sp, &ray, ret))
            return false;
        if (ret->object >= f->s->object_count || f->is_shell[ret->object])
            return true;
        ray.t_min = ret->t + 1e-6 + 1e-9 * ret->t;
    }
    return false;
}

/* Hits with nearly one normal (5.7 degrees) and within 5 cm are one wall; it is
 * cut at the innermost of them. */
static void wall_add(seeking *f, const space_hit *hit)
{
    vec3 flat = v3_normal(v3(hit->normal.x, hit->normal.y, 0));
    if (!(fabs(hit->normal.z) < upright))
        return;
    double offset = v3_dot(flat, hit->point);
    for (uint32_t i = 0; i < f->wall_count; i++) {
        wall *w = &f->walls[i];
        if (!(v3_dot(w->normal, flat) > 0.995) ||
            !(fabs(w->offset - offset) < 0.05))
            continue;
        w->hits++;
        w->offset = math_max(offset, w->offset);
        return;
    }
    if (f->wall_count < HITS_MAX)
        f->walls[f->wall_count++] = (wall){flat, offset, 1};
}

/* From at most about POINTS_MAX things: upward for ceilings, and around for
 * walls. The half step keeps rays off the axes, where they would run along
 * walls. */
static void section_look(seeking *f)
{
    uint32_t stride = f->in.count / POINTS_MAX + 1;
    for (uint32_t i = 0; i < f->in.count; i += stride) {
        vec3 p = f->in.points[i];
        space_hit hit;
        if (section_cast(f, v3(p.x, p.y, f->in.tops[i] + 1e-3), v3(0, 0, 1),
                         &hit) &&
            hit.normal.z < -upright)
            f->ceilings[f->ceiling_count++] = hit.point.z;
        for (int k = 0; k < DIRECTIONS; k++) {
            double sine, cosine;
            math_sincos((k + 0.5) * 2 * MATH_PI / DIRECTIONS, &sine, &cosine);
            if (section_cast(f, p, v3(cosine, sine, 0), &hit))
                wall_add(f, &hit);
        }
    }
}

/* All is on its inner side, but for one thing of twenty: what stands before the
 * door does not keep the house shut. */
static bool wall_encloses(const seeking *f, const wall *w)
{
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < f->in.count; i++)
        beyond += v3_dot(w->normal, f->in.points[i]) < w->offset - embedded;
    return w->hits >= AGREE && 20 * (uint64_t)beyond <= f->in.count;
}

/* The most often hit first; offset makes ties fixed. */
static int wall_compare(const void *a, const void *b)
{
    const wall *x = a, *y = b;
    if (x->hits != y->hits)
        return x->hits > y->hits ? -1 : 1;
    if (x->offset < y->offset)
        return -1;
    return x->offset > y->offset;
}

static int height_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The lowest ceiling that hardly anything is above, where at least a quarter of
 * what is inside is under one. */
static void ceiling_choose(seeking *f, section *ret)
{
    if (4 * (uint64_t)f->ceiling_count <
        (f->in.count < POINTS_MAX ? f->in.count : POINTS_MAX / 2))
        return;
    qsort(f->ceilings, f->ceiling_count, sizeof *f->ceilings, height_compare);
    for (uint32_t i = 0; i < f->ceiling_count; i++) {
        uint32_t above = 0;
        double height = f->ceilings[i] - spare;
        for (uint32_t k = 0; k < f->in.count; k++)
            above += f->in.points[k].z > height;
        if (20 * (uint64_t)above > f->in.count)
            continue;
        ret->has_ceiling = true;
        ret->ceiling = (scene_cut){v3(0, 0, -1), -height};
        return;
    }
}

/* Walls that enclose what is inside, and the ceiling; all of the base pose.
 * found->is_shell is the caller's (section_free). */
etna_code section_find(const space *sp, section *ret, etna_error *err)
{
    seeking f = {.sp = sp, .s = space_scene(sp)};
    section found = {0};
    etna_code code = inside_find(f.s, &f.in, err);
    if (code != ETNA_OK)
        return code;
    f.is_shell = calloc(f.s->object_count + 1u, sizeof *f.is_shell);
    f.walls = malloc(HITS_MAX * sizeof *f.walls);
    f.ceilings = malloc((POINTS_MAX + 1u) * sizeof *f.ceilings);
    if (!f.is_shell || !f.walls || !f.ceilings) {
        code = etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the walls around %u objects",
                         f.s->object_count);
        free(f.is_shell);
        goto done;
    }
    for (uint32_t i = 0; i < f.s->object_count; i++)
        f.is_shell[i] = section_is_shell(&f.in, &f.s->objects[i]);
    section_look(&f);
    qsort(f.walls, f.wall_count, sizeof *f.walls, wall_compare);
    for (uint32_t i = 0; i < f.wall_count && found.count < COUNT_OF(found.cuts);
         i++) {
        if (!wall_encloses(&f, &f.walls[i]))
            continue;
        found.cuts[found.count++] =
            (scene_cut){f.walls[i].normal, f.walls[i].offset + spare};
    }
    ceiling_choose(&f, &found);
    found.is_shell = f.is_shell;
    *ret = found;
done:
    free(f.walls);
    free(f.ceilings);
    free(f.in.points);
    free(f.in.tops);
    return code;
}

void section_free(section *found)
{
    free(found->is_shell);
    memset(found, 0, sizeof *found);
}

/* Only planes between the eye and the inside are cut: the far walls stay. */
static void cut_apply(const scene_cut *cut, scene_camera *camera)
{
    double outside = cut->offset - v3_dot(cut->normal, camera->position);
    bool lies_between = camera->orthographic
                            ? v3_dot(cut->normal, camera->forward) > 1e-6
                            : outside > 0;
    if (lies_between && camera->cut_count < SCENE_CUTS_MAX)
        camera->cuts[camera->cut_count++] = *cut;
}

/* Replaces the camera's cuts. */
void section_apply(const section *found, scene_camera *camera)
{
    camera->cut_count = 0;
    if (found->has_ceiling)
        cut_apply(&found->ceiling, camera);
    for (uint32_t i = 0; i < found->count; i++)
        cut_apply(&found->cuts[i], camera);
}
