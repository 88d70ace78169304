/* See measure.h: a function a kind, and a table of them. */
#include "referee/measure.h"
#include "referee/body.h"

#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

/* how much higher or lower a former place may be */
static const double level_slack = 0.1;

typedef struct asking {
    const stage *stage;
    const predicate *p;
    body now[3];  /* what the things are now; count 0: gone */
    body then[3]; /* and were: at the start, or before the step */
    etna_error *err;
} asking;

/* ---- things ---- */

/* False: not there, which at the start is the suite's fault. */
static etna_code body_find(const gltf_scene *s,
                           const char *name,
                           body *ret,
                           bool *ret_found,
                           etna_error *err)
{
    bool several = false;
    size_t node = gltf_scene_find(s, name, &several);
    *ret_found = false;
    if (several)
        return etna_fail(err, ETNA_E_INPUT,
                         "several nodes are named \"%.100s\"", name);
    if (node == SIZE_MAX || !body_is_there(s, node))
        return ETNA_OK;
    *ret_found = body_make(s, node, name, ret);
    return *ret_found ? ETNA_OK
                      : etna_fail(err, ETNA_E_NOMEM,
                                  "out of memory to measure a thing");
}

/* Thing `i` of the predicate, then and now. It must be there at the start: if
 * not, the suite is at fault. */
static etna_code asking_find(asking *a, uint32_t i)
{
    const char *name = a->p->things[i];
    const gltf_scene *then =
        a->p->since_step ? a->stage->before : a->stage->start;
    body first = {.name = NULL};
    bool found = false;
    etna_code code = body_find(a->stage->start, name, &first, &found, a->err);
    if (!code && !found)
        code = etna_fail(a->err, ETNA_E_INPUT,
                         "no node with a mesh is named \"%.100s\"", name);
    if (found)
        body_free(&first);
    if (!code)
        code = body_find(then, name, &a->then[i], &found, a->err);
    if (!code)
        code = body_find(a->stage->now, name, &a->now[i], &found, a->err);
    return code;
}

static void asking_free(asking *a)
{
    for (int i = 0; i < 3; i++) {
        body_free(&a->now[i]);
        body_free(&a->then[i]);
    }
}

/* ---- places ---- */

static double ask_on(asking *a)
{
    double over = outline_depth(&a->now[1].outline, a->now[0].centre);
    return fmin(over, a->p->most - body_gap(&a->now[0], &a->now[1]));
}

static double ask_inside(asking *a)
{
    const extent *in = &a->now[1].box;
    double middle = extent_middle(&a->now[0].box).z;
    double over = outline_depth(&a->now[1].outline, a->now[0].centre);
    return fmin(over, fmin(in->hi.z - middle, middle - in->lo.z));
}

static double ask_under(asking *a)
{
    const double least = 0.05;
    double beneath = outline_depth(&a->now[1].outline, a->now[0].centre);
    return fmin(beneath, a->now[1].box.hi.z - a->now[0].box.lo.z - least);
}

static double ask_hung(asking *a)
{
    const double height = 0.1;
    double held = a->p->most - body_distance(&a->now[0], &a->now[1]);
    return fmin(held, a->now[0].box.lo.z - a->now[1].box.lo.z - height);
}

/* Between the sides, over and beside. */
static double sides_apart(const body *a, const body *b)
{
    double above = fmax(a->box.lo.z - b->box.hi.z, b->box.lo.z - a->box.hi.z);
    return hypot(outline_distance(&a->outline, &b->outline), fmax(above, 0));
}

static double ask_next(asking *a)
{
    double beside = -outline_depth(&a->now[1].outline, a->now[0].centre);
    return fmin(beside, a->p->most - sides_apart(&a->now[0], &a->now[1]));
}

static double ask_near(asking *a)
{
    return a->p->most - sides_apart(&a->now[0], &a->now[1]);
}

static double ask_between(asking *a)
{
    flat from = a->now[1].centre;
    flat line = flat_less(a->now[2].centre, from);
    flat at = flat_less(a->now[0].centre, from);
    double length = flat_length(line);
    if (length < 1e-6)
        return a->p->most - flat_length(at);
    double along = flat_dot(at, line) / length;
    double off = fabs(flat_cross(line, at)) / length;
    return fmin(a->p->most - off, fmin(along, length - along));
}

/* The sides of a thing in a rectangle's own axes, from its middle. */
static void rectangle_range(const rectangle *r,
                            const outline *o,
                            double lo[2],
                            double hi[2])
{
    flat across = {-r->along.y, r->along.x};
    for (int k = 0; k < 2; k++) {
        lo[k] = INFINITY;
        hi[k] = -INFINITY;
    }
    for (size_t i = 0; i < o->count; i++) {
        flat from = flat_less(o->at[i], r->centre);
        const double at[2] = {flat_dot(from, r->along), flat_dot(from, across)};
        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], at[k]);
            hi[k] = fmax(hi[k], at[k]);
        }
    }
}

static double ask_corner(asking *a)
{
    rectangle r = outline_rectangle(&a->now[1].outline);
    double lo[2], hi[2], most = 0;
    rectangle_range(&r, &a->now[0].outline, lo, hi);
    for (int k = 0; k < 2; k++)
        most =
            fmax(most, fmin(fabs(r.half[k] - hi[k]), fabs(lo[k] + r.half[k])));
    return a->p->most - most;
}

static double ask_middle(asking *a)
{
    rectangle r = outline_rectangle(&a->now[1].outline);
    flat across = {-r.along.y, r.along.x};
    flat from = flat_less(a->now[0].centre, r.centre);
    double u = fabs(flat_dot(from, r.along));
    double v = fabs(flat_dot(from, across));
    return fmin(2 * r.half[0] * a->p->most - u, 2 * r.half[1] * a->p->most - v);
}

static double ask_distance(asking *a)
{
    double apart = outline_distance(&a->now[0].outline, &a->now[1].outline);
    return fmin(apart - a->p->least, a->p->most - apart);
}

static double ask_former(asking *a)
{
    double away = flat_length(flat_less(a->now[0].centre, a->then[1].centre));
    double level = fabs(a->now[0].box.lo.z - a->then[1].box.lo.z);
    return fmin(a->p->most - away, level_slack - level);
}

static double ask_over(asking *a)
{
    return outline_depth(&a->now[1].outline, a->now[0].centre);
}

static double ask_foot(asking *a)
{
    double foot = a->now[0].box.lo.z;
    return fmin(foot - a->p->least, a->p->most - foot);
}

/* The farthest that a point is from a place, along whichever axis that
 * speaks. */
static double place_away(const double place[3], point at)
{
    const double from[3] = {at.x, at.y, at.z};
    double most = 0;
    for (int k = 0; k < 3; k++) {
        if (!isnan(place[k]))
            most = fmax(most, fabs(from[k] - place[k]));
    }
    return most;
}

static double ask_at(asking *a)
{
    return a->p->most - place_away(a->p->place, extent_middle(&a->now[0].box));
}

static double ask_shifted(asking *a)
{
    point by = point_less(extent_middle(&a->now[0].box),
                          extent_middle(&a->then[0].box));
    return a->p->most - place_away(a->p->place, by);
}

/* ---- the image ---- */

typedef struct lens {
    /* from the world into the camera's frame: x to the right, y up, looking
     * along -z */
    motion to;
    motion frame;
    bool is_perspective;
} lens;

/* The camera that the suite names, else the first, where it stood at the
 * start. */
static etna_code lens_find(const asking *a, lens *ret)
{
    const gltf_scene *s = a->stage->start;
    const char *name = a->stage->scene->camera;
    for (size_t i = gltf_scene_camera(s, name, 0); i != SIZE_MAX;
         i = gltf_scene_camera(s, name, i + 1)) {
        ret->frame = s->nodes[i].world;
        ret->is_perspective = s->cameras[s->nodes[i].camera].is_perspective;
        if (motion_invert(&ret->frame, &ret->to))
            return ETNA_OK;
    }
    return etna_fail(
        a->err, ETNA_E_INPUT,
        "\"%s\" wants a camera of the file, and there is no %.100s",
        predicate_word(a->p->kind), name ? name : "camera");
}

static point body_middle(const body *b)
{
    return extent_middle(&b->box);
}

/* How far the first thing is to the left of the second, at the first one's
 * depth. */
static double lens_left(const lens *l, const body *a, const body *b)
{
    const double nearest = 0.01;
    point p = motion_apply(&l->to, body_middle(a));
    point q = motion_apply(&l->to, body_middle(b));
    if (!l->is_perspective)
        return q.x - p.x;
    if (-p.z < nearest || -q.z < nearest)
        return -INFINITY;
    return (q.x / -q.z - p.x / -p.z) * -p.z;
}

/* How much nearer the first one is, level with the ground. */
static double lens_before(const lens *l, const body *a, const body *b)
{
    point ahead = {-l->frame.m[0][2], -l->frame.m[1][2], 0};
    point up = {l->frame.m[0][1], l->frame.m[1][1], 0};
    if (point_length(ahead) < point_length(up))
        ahead = up; /* it looks down */
    point to = point_less(body_middle(b), body_middle(a));
    return point_dot(to, ahead) / fmax(point_length(ahead), 1e-12);
}

static etna_code ask_in_image(asking *a, double *ret)
{
    lens l;
    etna_code code = lens_find(a, &l);
    if (code)
        return code;
    double left = lens_left(&l, &a->now[0], &a->now[1]);
    double before = lens_before(&l, &a->now[0], &a->now[1]);
    switch (a->p->kind) {
    case PREDICATE_LEFT: *ret = left - a->p->least; break;
    case PREDICATE_RIGHT:
        *ret = isfinite(left) ? -left - a->p->least : left;
        break;
    case PREDICATE_BEFORE: *ret = before - a->p->least; break;
    default: *ret = -before - a->p->least; break;
    }
    return ETNA_OK;
}

/* ---- headings ---- */

/* Which way its front looks, level; false: up or down. */
static bool front_find(const asking *a, const body *b, flat *ret)
{
    const double axis[3] = {0, 0, 1};
    const double *along = axis;
    const suite_scene *s = a->stage->scene;
    for (uint32_t i = 0; i < s->front_count; i++) {
        if (strcmp(s->fronts[i].thing, b->name) == 0)
            along = s->fronts[i].along;
    }
    point to = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        point column = {b->frame.m[0][k], b->frame.m[1][k], b->frame.m[2][k]};
        to = point_add(to, point_times(column, along[k]));
    }
    double level = hypot(to.x, to.y);
    if (level < 0.2 * point_length(to) || level == 0)
        return false;
    *ret = (flat){to.x / level, to.y / level};
    return true;
}

static double angle_between(flat a, flat b)
{
    return atan2(flat_cross(a, b), flat_dot(a, b)) / DEGREE;
}

/* To its middle, or to the nearest of it where that is less: what faces a long
 * wall need not face its middle. */
static double angle_toward(const asking *a, flat front)
{
    flat from = a->now[0].centre;
    flat middle = flat_less(a->now[1].centre, from);
    flat nearest = flat_less(outline_nearest(&a->now[1].outline, from), from);
    double angle = fabs(angle_between(front, middle));
    return flat_length(nearest) > 1e-6
               ? fmin(angle, fabs(angle_between(front, nearest)))
               : angle;
}

static etna_code ask_facing(asking *a, double *ret)
{
    flat front;
    lens l;
    bool is_camera = strcmp(a->p->things[1], "camera") == 0;
    etna_code code = is_camera ? lens_find(a, &l) : ETNA_OK;
    if (code)
        return code;
    *ret = -180;
    if (!front_find(a, &a->now[0], &front))
        return ETNA_OK;
    flat eye = is_camera ? flat_less(flat_of(l.frame.t), a->now[0].centre)
                         : (flat){0, 0};
    *ret = a->p->most - (is_camera ? fabs(angle_between(front, eye))
                                   : angle_toward(a, front));
    return ETNA_OK;
}

static double ask_turned(asking *a)
{
    flat now, then;
    if (!front_find(a, &a->now[0], &now) || !front_find(a, &a->then[0], &then))
        return -180;
    return a->p->most -
           fabs(remainder(angle_between(then, now) - a->p->degrees, 360));
}

/* ---- directions of the world ---- */

/* A box's side nearest to each plane that is said. */
static double ask_side(asking *a)
{
    const extent *box = &a->now[0].box;
    const double low[3] = {box->lo.x, box->lo.y, box->lo.z};
    const double high[3] = {box->hi.x, box->hi.y, box->hi.z};
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const double at = a->p->place[k];
        if (!isnan(at))
            most = fmax(most, fmin(fabs(low[k] - at), fabs(high[k] - at)));
    }
    return a->p->most - most;
}

/* What is not said leads nowhere. */
static flat way_of(const predicate *p)
{
    return (flat){isnan(p->place[0]) ? 0 : p->place[0],
                  isnan(p->place[1]) ? 0 : p->place[1]};
}

static double ask_direction(asking *a)
{
    flat to = flat_less(a->now[0].centre, a->now[1].centre);
    flat way = way_of(a->p);
    if (flat_length(to) < 1e-9 || flat_length(way) < 1e-9)
        return -180;
    return a->p->most - fabs(angle_between(way, to));
}

static double ask_beyond(asking *a)
{
    flat to = flat_less(a->now[0].centre, a->now[1].centre);
    flat way = way_of(a->p);
    return flat_dot(to, way) / fmax(flat_length(way), 1e-12) - a->p->least;
}

static double ask_heading(asking *a)
{
    const flat zero = {0, -1};
    flat front;
    if (!front_find(a, &a->now[0], &front))
        return -180;
    return a->p->most -
           fabs(remainder(angle_between(zero, front) - a->p->degrees, 360));
}

static double ask_nearer(asking *a)
{
    return outline_distance(&a->now[0].outline, &a->now[2].outline) -
           outline_distance(&a->now[0].outline, &a->now[1].outline);
}

/* ---- rows of things ---- */

/* Their middles, seen from above. *ret_whole false: one is gone. */
static etna_code centres_find(const asking *a, flat *ret, bool *ret_whole)
{
    *ret_whole = true;
    for (uint32_t i = 0; i < a->p->thing_count; i++) {
        const predicate one = {.kind = PREDICATE_FOOT,
                               .things = a->p->things + i,
                               .thing_count = 1};
        asking of = {.stage = a->stage, .p = &one, .err = a->err};
        etna_code code = asking_find(&of, 0);
        ret[i] = of.now[0].centre;
        *ret_whole = *ret_whole && of.now[0].count > 0;
        asking_free(&of);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* How far along the line of the two that are farthest apart each is, ascending,
 * and *ret_off the most that one is off it. */
static void row_measure(const flat *at,
                        uint32_t count,
                        double *along,
                        double *ret_off)
{
    flat from = at[0];
    flat to = at[0];
    *ret_off = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            if (flat_length(flat_less(at[k], at[i])) <=
                flat_length(flat_less(to, from)))
                continue;
            from = at[i];
            to = at[k];
        }
    }
    flat line = flat_less(to, from);
    const double length = fmax(flat_length(line), 1e-12);
    for (uint32_t i = 0; i < count; i++) {
        flat of = flat_less(at[i], from);
        double place = flat_dot(of, line) / length;
        uint32_t k = i;
        for (; k > 0 && along[k - 1] > place; k--)
            along[k] = along[k - 1];
        along[k] = place;
        *ret_off = fmax(*ret_off, fabs(flat_cross(line, of)) / length);
    }
}

static etna_code ask_row(asking *a, double *ret)
{
    flat at[SUITE_THINGS_MAX];
    double along[SUITE_THINGS_MAX], off = 0, least = INFINITY, most = 0;
    bool is_whole = false;
    const uint32_t count = a->p->thing_count;
    etna_code code = centres_find(a, at, &is_whole);
    if (code || !is_whole)
        return code;
    row_measure(at, count, along, &off);
    for (uint32_t i = 1; i < count; i++) {
        least = fmin(least, along[i] - along[i - 1]);
        most = fmax(most, along[i] - along[i - 1]);
    }
    /* what moves along the line makes one step longer and one shorter */
    *ret = a->p->kind == PREDICATE_LINE ? a->p->most - off
                                        : (a->p->most - (most - least)) / 2;
    return ETNA_OK;
}

static etna_code ask_together(asking *a, double *ret)
{
    flat at[SUITE_THINGS_MAX];
    double farthest = 0;
    bool is_whole = false;
    const uint32_t count = a->p->thing_count;
    etna_code code = centres_find(a, at, &is_whole);
    if (code || !is_whole)
        return code;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 1; k < count; k++)
            farthest = fmax(farthest, flat_length(flat_less(at[k], at[i])));
    }
    *ret = a->p->most - farthest;
    return ETNA_OK;
}

/* ---- what moved ---- */

static double ask_moved(asking *a)
{
    return body_moved(&a->now[0], &a->then[0]) - a->p->least;
}

/* Each node with a mesh that is not at or below one of the things named. */
static bool node_is_named(const gltf_scene *s, size_t node, const predicate *p)
{
    for (uint32_t i = 0; i < p->thing_count; i++) {
        for (size_t n = node; n != SIZE_MAX; n = s->nodes[n].parent) {
            if (strcmp(s->nodes[n].name, p->things[i]) == 0)
                return true;
        }
    }
    return false;
}

/* The node of `in` that node n of `of` is: of its number and name, else the
 * only one of its name. */
static size_t node_again(const gltf_scene *in, const gltf_scene *of, size_t n)
{
    bool several = false;
    bool is_same = n < in->node_count && in->nodes[n].root != SIZE_MAX;
    if (is_same && strcmp(in->nodes[n].name, of->nodes[n].name) == 0)
        return n;
    return gltf_scene_find(in, of->nodes[n].name, &several);
}

/* The farthest that a corner of the mesh has come. */
static double mesh_moved(const gltf_mesh *mesh,
                         const motion *then,
                         const motion *now)
{
    double most = 0;
    for (size_t k = 0; k < mesh->corner_count; k++) {
        point by = point_less(motion_apply(now, mesh->corners[k]),
                              motion_apply(then, mesh->corners[k]));
        most = fmax(most, point_dot(by, by));
    }
    return sqrt(most);
}

/* Whether both nodes are made of the same triangles, each in its own frame. */
static bool nodes_are_alike(const gltf_scene *s,
                            const gltf_node *a,
                            const gltf_scene *t,
                            const gltf_node *b)
{
    if (a->mesh == SIZE_MAX || b->mesh == SIZE_MAX)
        return false;
    const gltf_mesh *p = &s->meshes[a->mesh];
    const gltf_mesh *q = &t->meshes[b->mesh];
    bool is_as_long = p->corner_count == q->corner_count &&
                      a->instance_count == b->instance_count;
    return is_as_long && memcmp(p->corners, q->corners,
                                p->corner_count * sizeof *p->corners) == 0;
}

/* What is below a node is a node by itself, which may be one that is named. */
static double alike_moved(const gltf_scene *s,
                          const gltf_node *then,
                          const gltf_node *now)
{
    double most = 0;
    for (size_t i = 0; i < then->instance_count; i++) {
        motion first = motion_after(&then->world, &then->instances[i]);
        motion second = motion_after(&now->world, &now->instances[i]);
        if (memcmp(&first, &second, sizeof first) != 0)
            most =
                fmax(most, mesh_moved(&s->meshes[then->mesh], &first, &second));
    }
    return most;
}

static double node_moved(const gltf_scene *then,
                         const gltf_scene *now,
                         size_t n)
{
    body first = {.name = NULL};
    body second = {.name = NULL};
    size_t again = node_again(now, then, n);
    bool is_alike =
        again != SIZE_MAX &&
        nodes_are_alike(then, &then->nodes[n], now, &now->nodes[again]);
    if (is_alike)
        return alike_moved(then, &then->nodes[n], &now->nodes[again]);
    bool both = again != SIZE_MAX && body_make(then, n, "", &first) &&
                body_make(now, again, "", &second);
    double moved = both ? body_moved(&second, &first) : INFINITY;
    body_free(&first);
    body_free(&second);
    return moved;
}

static etna_code ask_still(asking *a, double *ret)
{
    const gltf_scene *then =
        a->p->since_step ? a->stage->before : a->stage->start;
    bool is_rest = a->p->kind == PREDICATE_STILL_BUT;
    double most = 0;
    for (uint32_t i = 0; i < a->p->thing_count; i++) {
        bool several = false;
        if (gltf_scene_find(a->stage->start, a->p->things[i], &several) !=
            SIZE_MAX)
            continue;
        return etna_fail(a->err, ETNA_E_INPUT,
                         "no node, or several, are named \"%.100s\"",
                         a->p->things[i]);
    }
    for (size_t n = 0; n < then->node_count; n++) {
        const gltf_node *node = &then->nodes[n];
        bool has_shape = node->root != SIZE_MAX && node->mesh != SIZE_MAX &&
                         then->meshes[node->mesh].corner_count;
        if (has_shape && node_is_named(then, n, a->p) != is_rest)
            most = fmax(most, node_moved(then, a->stage->now, n));
    }
    *ret = a->p->most - most;
    return ETNA_OK;
}

/* ---- all kinds ---- */

static double (*const ask[PREDICATE_KINDS])(asking *a) = {
    [PREDICATE_ON] = ask_on,           [PREDICATE_INSIDE] = ask_inside,
    [PREDICATE_UNDER] = ask_under,     [PREDICATE_HUNG] = ask_hung,
    [PREDICATE_NEXT] = ask_next,       [PREDICATE_NEAR] = ask_near,
    [PREDICATE_BETWEEN] = ask_between, [PREDICATE_CORNER] = ask_corner,
    [PREDICATE_MIDDLE] = ask_middle,   [PREDICATE_FORMER] = ask_former,
    [PREDICATE_TURNED] = ask_turned,   [PREDICATE_OVER] = ask_over,
    [PREDICATE_FOOT] = ask_foot,       [PREDICATE_AT] = ask_at,
    [PREDICATE_SHIFTED] = ask_shifted, [PREDICATE_MOVED] = ask_moved,
    [PREDICATE_SIDE] = ask_side,       [PREDICATE_DIRECTION] = ask_direction,
    [PREDICATE_BEYOND] = ask_beyond,   [PREDICATE_HEADING] = ask_heading,
    [PREDICATE_NEARER] = ask_nearer,   [PREDICATE_DISTANCE] = ask_distance};

static etna_code asking_things(asking *a)
{
    bool has_camera = a->p->kind == PREDICATE_FACING &&
                      strcmp(a->p->things[1], "camera") == 0;
    uint32_t count = a->p->thing_count - has_camera;
    for (uint32_t i = 0; i < count; i++) {
        etna_code code = asking_find(a, i);
        if (code)
            return code;
    }
    return ETNA_OK;
}

static bool asking_is_whole(const asking *a)
{
    bool has_camera = a->p->kind == PREDICATE_FACING &&
                      strcmp(a->p->things[1], "camera") == 0;
    for (uint32_t i = 0; i + has_camera < a->p->thing_count; i++) {
        if (!a->now[i].count || !a->then[i].count)
            return false;
    }
    return true;
}

static etna_code measure_plain(asking *a, measure *ret)
{
    double margin = -INFINITY;
    etna_code code = asking_things(a);
    if (!code && asking_is_whole(a)) {
        if (a->p->kind == PREDICATE_FACING)
            code = ask_facing(a, &margin);
        else if (ask[a->p->kind])
            margin = ask[a->p->kind](a);
        else
            code = ask_in_image(a, &margin);
    }
    if (!code)
        *ret = (measure){margin >= 0, margin};
    return code;
}

/* From `least` to `most` of the parts hold: the one that decides is the last
 * that is needed, or the first that is too much. */
static etna_code measure_count(const stage *s,
                               const predicate *p,
                               measure *ret,
                               etna_error *err)
{
    double margins[SUITE_PREDICATES_MAX], count = 0, margin = INFINITY;
    for (uint32_t i = 0; i < p->part_count; i++) {
        measure one;
        etna_code code = measure_predicate(s, &p->parts[i], &one, err);
        if (code)
            return code;
        uint32_t k = i;
        for (; k > 0 && margins[k - 1] < one.margin; k--)
            margins[k] = margins[k - 1];
        margins[k] = one.margin;
        count += one.holds;
    }
    const double needed = ceil(p->least);
    const double allowed = floor(p->most);
    if (needed > p->part_count)
        margin = -INFINITY;
    else if (needed >= 1)
        margin = margins[(uint32_t)needed - 1];
    if (allowed < p->part_count)
        margin = fmin(margin, -margins[(uint32_t)allowed]);
    *ret = (measure){count >= needed && count <= allowed, margin};
    return ETNA_OK;
}

static etna_code measure_parts(const stage *s,
                               const predicate *p,
                               measure *ret,
                               etna_error *err)
{
    bool is_any = p->kind == PREDICATE_ANY;
    measure all = {!is_any, is_any ? -INFINITY : INFINITY};
    for (uint32_t i = 0; i < p->part_count; i++) {
        measure one;
        etna_code code = measure_predicate(s, &p->parts[i], &one, err);
        if (code)
            return code;
        all.margin = is_any ? fmax(all.margin, one.margin)
                            : fmin(all.margin, one.margin);
        all.holds = is_any ? all.holds || one.holds : all.holds && one.holds;
    }
    if (p->kind == PREDICATE_NOT)
        all = (measure){!all.holds, -all.margin};
    *ret = all;
    return ETNA_OK;
}

etna_code measure_predicate(const stage *s,
                            const predicate *p,
                            measure *ret,
                            etna_error *err)
{
    asking a = {.stage = s, .p = p, .err = err};
    if (p->kind == PREDICATE_COUNT)
        return measure_count(s, p, ret, err);
    if (p->part_count)
        return measure_parts(s, p, ret, err);
    etna_code code = ETNA_OK;
    double margin = -INFINITY;
    switch (p->kind) {
    case PREDICATE_LINE:
    case PREDICATE_SPACED: code = ask_row(&a, &margin); break;
    case PREDICATE_TOGETHER: code = ask_together(&a, &margin); break;
    case PREDICATE_STILL:
    case PREDICATE_STILL_BUT: code = ask_still(&a, &margin); break;
    default:
        code = measure_plain(&a, ret);
        asking_free(&a);
        return code;
    }
    if (!code)
        *ret = (measure){margin >= 0, margin};
    return code;
}
