/* The bounds of a scene are its floor's: whatever static thing is below counts
 * as floor, so that a house of many rooms, a terrace and a hill have bounds,
 * and a tea set in a file of its own has none (METHODS.md 6, bounds).
 *
 * Most things are well inside, which the corners of their boxes tell; only of
 * others every point of the underside is asked. */
#include "worker/space/space_internal.h"

#define OUTSIDE_SHARE 0.05 /* of the underside: the most that may stick out */

/* What is static below or beside one object: what rays are asked about. */
typedef struct floors {
    const space *sp;
    double top; /* metres: of the object, where rays begin */
    const uint32_t *near;
    uint32_t near_count;
} floors;

static bool floors_have(const floors *f, uint32_t object)
{
    const scene_object *o = &f->sp->shared->scene->objects[object];
    return o->is_static && !space_is_aside(f->sp, object);
}

static bool floors_below(const floors *f, double x, double y)
{
    space_ray down = {.origin = {x, y, f->top},
                      .direction = {0, 0, -1},
                      .t_max = INFINITY,
                      .skip_object = SCENE_NONE};
    space_hit hit;
    for (uint32_t i = 0; i < f->near_count; i++) {
        down.only_object = f->near[i];
        if (floors_have(f, f->near[i]) && space_cast(f->sp, &down, &hit))
            return true;
    }
    return false;
}

static bool box_is_inside(const floors *f, const scene_box *box)
{
    double s, c;
    math_sincos(box->yaw, &s, &c);
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? box->half.x : -box->half.x;
        double y = k & 2 ? box->half.y : -box->half.y;
        if (!floors_below(f, box->centre.x + c * x - s * y,
                          box->centre.y + s * x + c * y))
            return false;
    }
    return true;
}

static etna_code object_is_outside(
    space *sp, uint32_t object, double lowest, bool *ret, etna_error *err)
{
    const scene_box box = space_box(sp, object);
    const underside *u = NULL;
    box3 column = sp->object_state[object].box;
    floors f = {.sp = sp, .top = column.max.z};
    uint32_t out = 0;
    column.min.z = lowest;
    etna_code code = broad_phase_near(sp->broad_phase, sp->object_state,
                                      &column, 0, &f.near, &f.near_count, err);
    if (code || box_is_inside(&f, &box)) {
        *ret = false;
        return code;
    }
    code = underside_find(sp, object, &u, err);
    for (uint32_t i = 0; !code && i < u->count; i++)
        out += !floors_below(&f, u->points[i].at.x, u->points[i].at.y);
    *ret = !code && out > OUTSIDE_SHARE * u->count;
    return code;
}

static double lowest_of(const space *sp)
{
    double lowest = INFINITY;
    for (uint32_t i = 0; i < sp->shared->scene->object_count; i++)
        lowest = math_min(lowest, sp->object_state[i].box.min.z);
    return lowest;
}

etna_code space_find_outside(space *sp, bool *ret, etna_error *err)
{
    const scene *s = sp->shared->scene;
    const bool is_bounded = level_has_floor(sp);
    const double lowest = lowest_of(sp);
    for (uint32_t i = 0; i < s->object_count; i++) {
        bool may_be = is_bounded && !s->objects[i].is_static;
        ret[i] = false;
        if (!may_be || space_is_aside(sp, i))
            continue;
        etna_code code = object_is_outside(sp, i, lowest, &ret[i], err);
        if (code)
            return code;
    }
    return ETNA_OK;
}
