/* A camera where nobody put one (METHODS.md 1 Camera). Indoors: of 200 fixed
 * places in the free space, at eye height over a static floor, the one that
 * sees the most movable objects, those an instruction names before all.
 * Outdoors: above and before what is movable, backed off until all of it fits.
 * Everything is decided by rays and our own sines, so the camera is the same on
 * any machine. */
#include "proto/array.h"
#include "worker/view/view_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 200,
    HEADINGS = 48,
    TARGETS_MAX = 500,
    NAMED_WEIGHT = 1000
};

/* metres; room: free space around an eye */
static const double eye_height = 1.6, room = 0.35;

typedef struct search { /* what is looked for, and where */
    const space *sp;
    const scene *s;
    uint32_t count;
    uint32_t object[TARGETS_MAX];
    vec3 centre[TARGETS_MAX],
        /* of its box; side: from the centre to the middles of three */
        side[TARGETS_MAX][3];
    double size[TARGETS_MAX]; /* half the box's diagonal */
    /* NAMED_WEIGHT: to be shown before all others */
    uint32_t weight[TARGETS_MAX];
    vec3 min, max;       /* of all their boxes */
    double eye;          /* metres over the floor */
    double tan_x, tan_y; /* of half the field of view */
} search;

typedef struct candidate {
    vec3 eye;
    /* of the direction of view: (cos yaw, sin yaw) in the plane */
    double yaw, pitch;
    double seen; /* objects, each as far as it is in the picture */
    double area; /* sum of angular sizes, to choose among equals */
} candidate;

/* Any object; `reach` in metres as the direction is of unit length. */
static bool search_cast(
    const space *sp, vec3 from, vec3 direction, double reach, space_hit *hit)
{
    space_ray ray = {from, direction, 0, reach, SCENE_NONE, SCENE_NONE};
    return space_cast(sp, &ray, hit);
}

/* `above`: the target is so many metres over the object, for the space that an
 * instruction will put something into. side: half axes of the box, for the
 * sample points of search_share_of. */
static void add_target(search *f,
                       uint32_t object,
                       const arrange_pose *pose,
                       double above,
                       uint32_t weight)
{
    if (f->count == TARGETS_MAX)
        return;
    scene_box box = scene_box_at(&f->s->objects[object], pose);
    const vec3 up = v3(0, 0, above);
    f->object[f->count] = object;
    f->centre[f->count] = v3_add(box.centre, up);
    f->weight[f->count] = weight;
    double sine, cosine;
    math_sincos(box.yaw, &sine, &cosine);
    f->side[f->count][0] = v3(cosine * box.half.x, sine * box.half.x, 0);
    f->side[f->count][1] = v3(sine * box.half.y, -cosine * box.half.y, 0);
    f->side[f->count][2] = v3(0, 0, box.half.z);
    f->size[f->count++] = v3_length(box.half);
    vec3 corners[8];
    scene_box_corners(&box, corners);
    for (int k = 0; k < 8; k++) {
        f->min = v3_min(f->min, v3_add(corners[k], up));
        f->max = v3_max(f->max, v3_add(corners[k], up));
    }
}

static bool view_named_has(const view_named *named, uint32_t object)
{
    return number_is_of(object, named->objects, named->count);
}

/* The air above what is named (view_named.above, in cm) is a target of its own
 * with the weight of an ordinary one. */
static void search_add_named(search *f, const view_named *named)
{
    for (uint32_t i = 0; i < named->count; i++) {
        add_target(f, named->objects[i], space_pose(f->sp, named->objects[i]),
                   0, NAMED_WEIGHT);
        if (i == 0 && named->was)
            add_target(f, named->objects[i], named->was, 0, NAMED_WEIGHT);
        if (named->above > 0)
            add_target(f, named->objects[i],
                       space_pose(f->sp, named->objects[i]),
                       named->above / 100.0, 1);
    }
}

static bool object_may_move(const scene_object *o)
{
    return !o->is_static && !scene_is_aside(o);
}

/* What is named, then the movable objects (evenly picked when there are too
 * many), or all when none is movable. */
static void search_collect(search *f, const view_named *named)
{
    uint32_t total = f->s->object_count;
    uint32_t movable = 0;
    for (uint32_t i = 0; i < total; i++)
        movable += object_may_move(&f->s->objects[i]);
    bool all = movable == 0;
    uint32_t wanted = all ? total : movable;
    uint32_t stride = wanted / TARGETS_MAX + 1;
    uint32_t at = 0;
    f->min = v3(INFINITY, INFINITY, INFINITY);
    f->max = v3(-INFINITY, -INFINITY, -INFINITY);
    search_add_named(f, named);
    for (uint32_t i = 0; i < total; i++) {
        if (!all && !object_may_move(&f->s->objects[i]))
            continue;
        if (at++ % stride != 0 || view_named_has(named, i))
            continue;
        add_target(f, i, space_pose(f->sp, i), 0, 1);
    }
}

/* Unit; yaw 0 is +X, counter-clockwise; pitch upward. Radians. */
static vec3 view_direction(double yaw, double pitch)
{
    double sy, cy, sp, cp;
    math_sincos(yaw, &sy, &cy);
    math_sincos(pitch, &sp, &cp);
    return v3(cy * cp, sy * cp, sp);
}

/* A level camera of 4:3. right and up follow from yaw and pitch by exact
 * formulas, so that the horizon is level to the last bit. */
static void derive_camera(
    vec3 eye, double yaw, double pitch, double tan_y, scene_camera *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->name = "derived";
    ret->position = eye;
    ret->forward = view_direction(yaw, pitch);
    double s, c;
    math_sincos(yaw, &s, &c);
    ret->right = v3(s, -c, 0);
    ret->up = v3_cross(ret->right, ret->forward);
    ret->aspect = 4.0 / 3;
    ret->half_height = tan_y;
    ret->near_clip = 0.05;
    ret->derived = true;
}

/* Which targets a place sees, looking anywhere: the ray to the centre of the
 * box meets the object, or comes closer to it than its half diagonal before it
 * meets anything (a chair's box centre is air). */
static void derive_search_look(const search *f, vec3 eye, bool *sees)
{
    for (uint32_t i = 0; i < f->count; i++) {
        vec3 to = v3_sub(f->centre[i], eye);
        double distance = v3_length(to);
        space_hit hit;
        sees[i] =
            distance > 0.3 &&
            (!search_cast(f->sp, eye, v3_scale(to, 1 / distance), INFINITY,
                          &hit) ||
             hit.object == f->object[i] || hit.t > distance - 0.5 * f->size[i]);
    }
}

/* How much of a target lies in a picture with these axes, 0..1: of 27 points
 * all over its box. */
static double search_share_of(const search *f,
                              uint32_t i,
                              vec3 eye,
                              const vec3 axes[3])
{
    vec3 d = v3_sub(f->centre[i], eye);
    double at[2] = {v3_dot(d, axes[0]), v3_dot(d, axes[1])};
    double z = v3_dot(d, axes[2]);
    double tans[2] = {f->tan_x, f->tan_y};
    bool whole = true;
    for (int k = 0; k < 2; k++) { /* its ball may be wholly in, or wholly out */
        double inside =
            (tans[k] * z - fabs(at[k])) / sqrt(1 + tans[k] * tans[k]);
        if (inside < -f->size[i])
            return 0;
        whole = whole && inside > f->size[i];
    }
    if (whole)
        return 1;
    int in = 0;
    for (int n = 0; n < 27; n++) {
        vec3 p = v3_add_scaled(d, f->side[i][0], 0.9 * (n % 3 - 1));
        p = v3_add_scaled(p, f->side[i][1], 0.9 * (n / 3 % 3 - 1));
        p = v3_add_scaled(p, f->side[i][2], 0.9 * (n / 9 - 1));
        double depth = v3_dot(p, axes[2]);
        in += depth > 0.1 && fabs(v3_dot(p, axes[0])) < f->tan_x * depth &&
              fabs(v3_dot(p, axes[1])) < f->tan_y * depth;
    }
    return in / 27.0;
}

/* Scores one heading; pitch is the mean elevation of what it sees. What the
 * picture's edge cuts counts by the square of what is left, so that nothing is
 * cut in half where it need not be. */
static void candidate_score(const search *f,
                            const bool *sees,
                            double yaw,
                            candidate *c)
{
    double s, co, rise = 0, weight = 0;
    math_sincos(yaw, &s, &co);
    for (int pass = 0; pass < 2; pass++) {
        vec3 forward = view_direction(yaw, c->pitch);
        vec3 right = v3(s, -co, 0);
        const vec3 axes[3] = {right, v3_cross(right, forward), forward};
        c->seen = 0;
        c->area = 0;
        for (uint32_t i = 0; i < f->count; i++) {
            if (!sees[i])
                continue;
            vec3 d = v3_sub(f->centre[i], c->eye);
            double share = search_share_of(f, i, c->eye, axes);
            double far = v3_length(d);
            double angle = f->size[i] / far;
            if (!(share > 0) || !(v3_dot(d, forward) > 0.2))
                continue;
            /* some 10 pixels of 1024; what is named is to be seen well, with
             * what it stands on: some 50 */
            double well =
                f->weight[i] < NAMED_WEIGHT || angle > 0.06 ? 1 : angle / 0.06;
            if (angle > 0.012)
                c->seen += f->weight[i] * share * share * well;
            /* nearer is better only while it is small */
            c->area += share * math_min(angle, 0.15);
            rise += d.z / far * share;
            weight += share;
        }
        if (pass > 0)
            break;
        double sine = weight > 0 ? rise / weight : 0;
        double level = sqrt(1 - sine * sine);
        double pitch = math_atan2(sine, level);
        c->pitch = math_clamp(pitch, -0.6, 0.15);
    }
}

/* An eye over (x, y): above a static floor, with room around. False when there
 * is none. */
static bool search_stand(
    const search *f, double x, double y, double top, vec3 *ret_eye)
{
    space_hit floor_hit, wall;
    if (!search_cast(f->sp, v3(x, y, top), v3(0, 0, -1), INFINITY, &floor_hit))
        return false;
    uint32_t id = floor_hit.object;
    if (id < f->s->object_count && !f->s->objects[id].is_static)
        return false; /* on furniture */
    vec3 eye = v3(x, y, floor_hit.point.z + f->eye);
    if (search_cast(f->sp, floor_hit.point, v3(0, 0, 1), f->eye + 0.1, &wall) &&
        wall.t > 1e-3)
        return false; /* under something */
    for (int i = 0; i < 8; i++)
        if (search_cast(f->sp, eye, view_direction(i * MATH_PI / 4, 0), room,
                        &wall))
            return false;
    *ret_eye = eye;
    return true;
}

/* The static ceiling over the middle of what is movable; INFINITY: none. A
 * cupboard may reach up to it, or a little into it. */
static double search_ceiling(const search *f, vec3 middle)
{
    enum {
        THROUGH_MAX = 64
    };
    const double into = 0.05; /* metres */
    vec3 from = v3(middle.x, middle.y, f->max.z - into);
    for (int i = 0; i < THROUGH_MAX; i++) {
        space_hit hit;
        if (!search_cast(f->sp, from, v3(0, 0, 1), INFINITY, &hit))
            return INFINITY;
        const bool is_static = hit.object >= f->s->object_count ||
                               f->s->objects[hit.object].is_static;
        if (is_static)
            return hit.point.z;
        from.z = hit.point.z + 1e-6;
    }
    return INFINITY;
}

/* As a person stands; below a ceiling that is lower, as in a doll's house or a
 * file of another scale, a little under it. */
static double search_eye_under(const search *f, double ceiling)
{
    const double below = 0.2, least = 0.7; /* metres */
    const double height = ceiling - f->min.z;
    if (height < least || height - below > eye_height)
        return eye_height;
    return height - below;
}

/* Is the middle of what is movable closed in? A ceiling, or walls on three
 * quarters of the directions. */
static bool search_is_indoors(const search *f, vec3 middle)
{
    space_hit hit;
    vec3 eye = v3(middle.x, middle.y, f->min.z + f->eye);
    int walls = 0;
    for (int i = 0; i < 16; i++) {
        bool met = search_cast(f->sp, eye, view_direction(i * MATH_PI / 8, 0),
                               INFINITY, &hit);
        walls += met && (hit.object >= f->s->object_count ||
                         f->s->objects[hit.object].is_static);
    }
    const bool roof = isfinite(search_ceiling(f, middle));
    return walls >= 12 || (roof && walls >= 8);
}

/* Sums in different order differ by rounding; what differs by less than 1e-9
 * counts as the same. */
static bool candidate_is_better(const candidate *a, const candidate *b)
{
    return fabs(a->seen - b->seen) > 1e-9 ? a->seen > b->seen
                                          : a->area > b->area;
}

/* PLACES spots over the bounds of the targets and a metre around, HEADINGS
 * directions each. False: no spot has room for an eye, or none sees
 * anything. */
static bool search_derive_indoors(const search *f,
                                  bool *sees,
                                  double top,
                                  scene_camera *ret)
{
    candidate best = {.seen = 0};
    bool found = false;
    double x1 = f->min.x - 1;
    double x2 = f->max.x + 1;
    double y1 = f->min.y - 1;
    double y2 = f->max.y + 1;
    x1 = math_max(x1, f->s->min.x);
    x2 = math_min(x2, f->s->max.x);
    y1 = math_max(y1, f->s->min.y);
    y2 = math_min(y2, f->s->max.y);
    for (int i = 0; i < PLACES; i++) {
        /* Halton's sequence would do as well; this one (Roberts' R2) is even in
         * the plane for any count. */
        double u = 0.5 + 0.7548776662466927 * (i + 1);
        double v = 0.5 + 0.5698402909980532 * (i + 1);
        candidate c = {.seen = 0};
        if (!search_stand(f, x1 + (u - floor(u)) * (x2 - x1),
                          y1 + (v - floor(v)) * (y2 - y1), top, &c.eye))
            continue;
        derive_search_look(f, c.eye, sees);
        for (int k = 0; k < HEADINGS; k++) {
            c.yaw = k * 2 * MATH_PI / HEADINGS;
            c.pitch = 0;
            candidate_score(f, sees, c.yaw, &c);
            if (!found || candidate_is_better(&c, &best))
                best = c;
            found = true;
        }
    }
    if (!found || !(best.seen > 0))
        return false;
    derive_camera(best.eye, best.yaw, best.pitch, f->tan_y, ret);
    return true;
}

/* Steps aside and back along the direction of view until every object is
 * inside, and the picture filled. */
static vec3 back_off(const search *f, vec3 middle, double yaw, double pitch)
{
    vec3 forward = view_direction(yaw, pitch);
    vec3 eye = middle;
    double s, c, distance = 0.3;
    math_sincos(yaw, &s, &c);
    vec3 right = v3(s, -c, 0);
    vec3 up = v3_cross(right, forward);
    for (int round = 0; round < 4; round++) {
        double low[2] = {INFINITY, INFINITY};
        double high[2] = {-INFINITY, -INFINITY};
        double need = 0.3;
        for (uint32_t i = 0; i < f->count; i++) {
            vec3 d = v3_sub(f->centre[i], middle);
            double at[2] = {v3_dot(d, right), v3_dot(d, up)};
            double z = v3_dot(d, forward);
            double wide[2] = {0.9 * f->tan_x, 0.9 * f->tan_y};
            double far = distance + z > 0.1 ? distance + z : 0.1;
            for (int k = 0; k < 2; k++) {
                double fits = (fabs(at[k]) + f->size[i]) / wide[k] - z;
                need = math_max(fits, need);
                low[k] = (at[k] - f->size[i]) / far < low[k]
                             ? (at[k] - f->size[i]) / far
                             : low[k];
                high[k] = (at[k] + f->size[i]) / far > high[k]
                              ? (at[k] + f->size[i]) / far
                              : high[k];
            }
        }
        distance = need;
        eye = v3_add_scaled(middle, forward, -distance);
        /* the second and third time from a sensible distance: centre what
         * shows */
        if (round > 0 && round < 3) {
            middle = v3_add_scaled(middle, right,
                                   0.5 * (low[0] + high[0]) * distance);
            middle =
                v3_add_scaled(middle, up, 0.5 * (low[1] + high[1]) * distance);
        }
    }
    return eye;
}

/* Counts what a camera outdoors sees. */
static void search_look_from(const search *f,
                             bool *sees,
                             vec3 middle,
                             candidate *c)
{
    c->eye = back_off(f, middle, c->yaw, c->pitch);
    derive_search_look(f, c->eye, sees);
    for (uint32_t i = 0; i < f->count; i++)
        c->seen += sees[i] ? f->weight[i] : 0;
}

/* In front (from -Y) and above, as steeply as most is seen. Left and right are
 * the picture's, and who says them thinks of the front: another side only where
 * what is named, or half of all, is hidden from there. */
static void search_derive_outdoors(const search *f,
                                   bool *sees,
                                   vec3 middle,
                                   scene_camera *ret)
{
    static const double pitches[3] = {-0.6, -0.9, -1.3};
    candidate best = {.seen = 0};
    candidate front = {.seen = 0};
    for (int k = 0; k < 8; k++)
        for (int p = 0; p < 3; p++) {
            candidate c = {.yaw = MATH_PI / 2 + (k % 2 ? -1 : 1) *
                                                    ((k + 1) / 2) * MATH_PI / 4,
                           .pitch = pitches[p]};
            search_look_from(f, sees, middle, &c);
            bool is_first = k == 0 && p == 0;
            if (is_first || c.seen > best.seen)
                best = c;
            if (is_first || (k == 0 && c.seen > front.seen))
                front = c;
        }
    double missed = best.seen - front.seen;
    bool will_do = missed < NAMED_WEIGHT && missed <= 0.5 * best.seen;
    if (will_do)
        best = front;
    derive_camera(best.eye, best.yaw, best.pitch, f->tan_y, ret);
}

/* The tangent of half the width: 75 degrees. */
static double lens_half_width(void)
{
    double s, c;
    math_sincos(37.5 * MATH_PI / 180, &s, &c);
    return s / c;
}

void camera_from_eye(vec3 eye, double yaw, double pitch, scene_camera *ret)
{
    derive_camera(eye, yaw, pitch, lens_half_width() * 3 / 4, ret);
}

etna_code view_derive_camera(const space *sp,
                             scene_camera *ret_camera,
                             etna_error *err)
{
    return view_derive_camera_for(sp, &(view_named){0}, ret_camera, err);
}

/* Indoors when walls enclose the targets, else from outside. A scene without
 * objects gets a fixed camera, so that a picture can always be made. 75 degrees
 * across: what a wide-angle lens sees, and a room needs. */
etna_code view_derive_camera_for(const space *sp,
                                 const view_named *named,
                                 scene_camera *ret_camera,
                                 etna_error *err)
{
    search *f = calloc(1, sizeof *f);
    bool *sees = calloc(TARGETS_MAX, sizeof *sees);
    if (!f || !sees) {
        free(f);
        free(sees);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to look for a camera");
    }
    f->sp = sp;
    f->s = space_scene(sp);
    f->tan_x = lens_half_width();
    f->tan_y = f->tan_x * 3 / 4;
    search_collect(f, named);
    scene_camera camera;
    if (f->count == 0) {
        derive_camera(v3(0, -3, 2), MATH_PI / 2, -0.5, f->tan_y, &camera);
    } else {
        double heights[TARGETS_MAX];
        for (uint32_t i = 0; i < f->count; i++)
            heights[i] = f->centre[i].z;
        qsort(heights, f->count, sizeof *heights, math_compare);
        vec3 middle = v3_scale(v3_add(f->min, f->max), 0.5);
        /* under lamps and ceilings, over most of what stands */
        double top = heights[f->count / 2] + 0.9;
        const double ceiling = search_ceiling(f, middle);
        f->eye = search_eye_under(f, ceiling);
        if (f->eye < eye_height)
            top = math_min(top, ceiling - 0.05);
        if (!search_is_indoors(f, middle) ||
            !search_derive_indoors(f, sees, top, &camera))
            search_derive_outdoors(f, sees, middle, &camera);
    }
    free(sees);
    free(f);
    *ret_camera = camera;
    return ETNA_OK;
}
