/* METHODS.md 1, `--camera cutaway`: as in a doll's house, the ceiling and the
 * walls between the camera and the inside are left out. By boxes alone, so that
 * it costs nothing and is the same everywhere:
 *
 *   ceiling   over at least half of what is inside, with its underside above it; or named ceiling or roof
 *   wall      upright and thin, or named wall, window or door; near when the camera is on one side of it and the middle
 *             of what is inside on the other
 *   shell     walls in one mesh, all around: left out whole when the camera is outside of it and another static
 *             object is the floor
 *
 * "Inside" are the movable objects, or all where none is movable. */
#include "worker/scene/scene_internal.h"

#include <string.h>

#define WALL_HEIGHT 1.8 /* metres: as METHODS.md 1 Static says */
#define WALL_THIN 0.3

typedef struct interior {
    bool only_movable;
    uint32_t count;
    vec3 middle; /* mean of the centres */
} interior;

static bool interior_counts(const interior *in, const scene_object *o)
{
    return !scene_is_aside(o) && (!in->only_movable || !o->is_static);
}

static interior find_interior(const scene *s)
{
    interior in = {0};
    for (uint32_t i = 0; i < s->object_count; i++) {
        in.only_movable = in.only_movable || (!scene_is_aside(&s->objects[i]) &&
                                              !s->objects[i].is_static);
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (interior_counts(&in, &s->objects[i])) {
            in.middle = v3_add(in.middle, s->objects[i].box.centre);
            in.count++;
        }
    }
    in.middle = in.count ? v3_scale(in.middle, 1.0 / in.count) : in.middle;
    return in;
}

static bool cutaway_is_named(const scene_object *o,
                             const char *a,
                             const char *b,
                             const char *c)
{
    const char *noun = static_noun(o->name);
    if (!noun)
        return false;
    if (c && strcmp(noun, c) == 0)
        return true;
    return strcmp(noun, a) == 0 || strcmp(noun, b) == 0;
}

static bool within_footprint(vec3 p, const scene_object *o)
{
    bool is_between = p.x >= o->min.x && p.x <= o->max.x;
    return is_between && p.y >= o->min.y && p.y <= o->max.y;
}

/* At least half of what is inside lies in its footprint and, as `below` says,
 * under its underside or within its height. */
static bool covers_half(const scene *s,
                        const interior *in,
                        uint32_t index,
                        bool below)
{
    const scene_object *o = &s->objects[index];
    uint32_t covered = 0, others = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        vec3 c = s->objects[i].box.centre;
        if (i == index || !interior_counts(in, &s->objects[i])) {
            continue;
        }
        others++;
        covered +=
            within_footprint(c, o) &&
            (below ? c.z < o->min.z : c.z >= o->min.z && c.z <= o->max.z);
    }
    return others > 0 && 2 * (uint64_t)covered >= others;
}

/* A wall's box has one thin axis; near is when camera and inside are on its two
 * sides. */
static bool near_wall(const scene_object *o, const interior *in, vec3 eye)
{
    double s, c;
    double thin = math_min(o->box.half.x, o->box.half.y);
    double wide = math_max(o->box.half.y, o->box.half.x);
    bool upright = 2 * o->box.half.z >= WALL_HEIGHT && 2 * thin < WALL_THIN;
    if (!(upright || cutaway_is_named(o, "wall", "window", "door")) ||
        3 * thin > wide) {
        return false;
    }
    math_sincos(o->box.yaw, &s, &c);
    vec3 along = v3(s, -c, 0);
    vec3 across = v3(c, s, 0);
    vec3 n = o->box.half.x < o->box.half.y ? across : along;
    return v3_dot(v3_sub(eye, o->box.centre), n) *
               v3_dot(v3_sub(in->middle, o->box.centre), n) <
           0;
}

/* Another static object lies under most of it: taking the shell away leaves
 * something to stand on. */
static bool cutaway_has_floor(const scene *s, uint32_t shell)
{
    const scene_object *o = &s->objects[shell];
    double area = (o->max.x - o->min.x) * (o->max.y - o->min.y);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *f = &s->objects[i];
        bool is_low = f->max.z <= o->min.z + WALL_THIN;
        if (i == shell || !is_low)
            continue;
        if (!f->is_static || f->stray)
            continue;
        double x = math_min(f->max.x, o->max.x) - math_max(f->min.x, o->min.x);
        double y = math_min(f->max.y, o->max.y) - math_max(f->min.y, o->min.y);
        if (x > 0 && y > 0 && x * y >= 0.4 * area) {
            return true;
        }
    }
    return false;
}

static bool cutaway_is_outside(vec3 p, const scene_object *o)
{
    return !within_footprint(p, o) || p.z < o->min.z || p.z > o->max.z;
}

static bool cutaway_is_ceiling(const scene *s,
                               const interior *in,
                               uint32_t index)
{
    const scene_object *o = &s->objects[index];
    if (!(o->min.z > in->middle.z))
        return false;
    return cutaway_is_named(o, "ceiling", "roof", NULL) ||
           covers_half(s, in, index, true);
}

/* A room of one mesh, seen from outside. */
static bool cutaway_is_shell(const scene *s,
                             const interior *in,
                             uint32_t index,
                             const scene_camera *camera)
{
    const scene_object *o = &s->objects[index];
    bool is_tall = camera->cut_count == 0 && 2 * o->box.half.z >= WALL_HEIGHT;
    if (!is_tall || !cutaway_is_outside(camera->position, o))
        return false;
    return covers_half(s, in, index, false) && cutaway_has_floor(s, index);
}

/* Pieces that are fixed by cutting (static_by_cut) are furniture and stay. */
void scene_cutaway(const scene *s, const scene_camera *camera, bool *ret_hidden)
{
    interior in = find_interior(s);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        ret_hidden[i] = false;
        bool is_built = o->is_static && !o->stray && !o->static_by_cut;
        if (!is_built || in.count == 0)
            continue;
        bool hides = cutaway_is_ceiling(s, &in, i) ||
                     cutaway_is_shell(s, &in, i, camera);
        ret_hidden[i] = hides || near_wall(o, &in, camera->position);
    }
}
