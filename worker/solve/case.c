/* From constraints to a problem: every name looked up, every plane in the
 * problem's frame, and where the 64 candidates start (METHODS.md 5). */
#include "proto/array.h"
#include "worker/solve/solve_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define CENTER_ACROSS 0.5 /* m: `center` only on planes smaller than this */
#define SIGMA 0.2
#define SIGMA_NEAR 0.05
#define SIGMA_YAW 0.5
#define SAMPLE_LOW 0.01
#define SAMPLE_HIGH 0.99
#define UPRIGHT 0.3 /* |n.z| of a near-vertical plane at most */
#define LEVEL 1e-6  /* horizontal part of a direction at least */
#define SAME_WAY \
    0.70710678118654752 /* cosine: planes within 45 degrees look the same way */
#define DECAY \
    0.01 /* AdamW's weight decay where nobody says another (--paper-solver) */

/* ---- names ---- A plane of the moved object would move along: no constraint
 * to it could ever be met, or fail. */
static etna_code no_plane_of_itself(const solve_case *c,
                                    const constraint *item,
                                    const probe_plane *plane,
                                    etna_error *err)
{
    if (plane->object != c->object)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "%s: plane \"%s\" belongs to \"%s\" itself, which is being moved; use a plane of another object",
        constraint_kind_name(item->kind), plane->name,
        c->scene->objects[c->object].name);
}

/* Finds the plane that constraint i names and adds it to the case's list.
 * Errors say which constraint, as agents write several. */
static etna_code open_plane(solve_case *c, uint32_t i, etna_error *err)
{
    const constraint *item = &c->request->constraints->items[i];
    solve_plane *entry = &c->planes[c->plane_count];
    etna_code code =
        probe_plane_by_name(c->probes, c->space, c->request->camera, item->name,
                            c->arena, &entry->plane, err);
    if (code == ETNA_OK)
        code = no_plane_of_itself(c, item, &entry->plane, err);
    if (code != ETNA_OK) {
        if (code == ETNA_E_INPUT)
            etna_error_prefix(err, "constraint %u (%s)", i + 1,
                              constraint_kind_name(item->kind));
        return code;
    }
    entry->item = i;
    c->plane_count++;
    return ETNA_OK;
}

/* What a FaceTo or BackTo names: another object, "camera", or else a plane that
 * gives a level direction. */
static etna_code open_facing(solve_case *c, uint32_t i, etna_error *err)
{
    const constraint *item = &c->request->constraints->items[i];
    const char *kind = constraint_kind_name(item->kind);
    uint32_t other = scene_find_object(c->scene, item->name);
    if (other == c->object)
        return etna_fail(err, ETNA_E_INPUT,
                         "constraint %u (%s): \"%s\" cannot turn toward itself",
                         i + 1, kind, item->name);
    if (other != SCENE_NONE || strcmp(item->name, "camera") == 0)
        return ETNA_OK;
    etna_code code = open_plane(c, i, err);
    if (code != ETNA_OK)
        return code;
    vec3 n = c->planes[c->plane_count - 1].plane.normal;
    if (n.x * n.x + n.y * n.y < LEVEL)
        return etna_fail(
            err, ETNA_E_INPUT,
            "constraint %u (%s): plane \"%s\" is horizontal and gives no direction to turn to; use an upright one",
            i + 1, kind, item->name);
    return ETNA_OK;
}

/* The one that is moved, with its pose and box as they are now. Its body is
 * itself alone until group_find adds what it carries. */
static etna_code open_object(solve_case *c, etna_error *err)
{
    const char *name = c->request->constraints->object;
    c->object = scene_find_object(c->scene, name);
    if (c->object == SCENE_NONE)
        return etna_fail(
            err, ETNA_E_INPUT,
            "there is no object \"%s\"; use a name from the list of objects",
            name);
    const scene_object *o = &c->scene->objects[c->object];
    if (o->is_static || o->immovable)
        return etna_fail(err, ETNA_E_INPUT, "object \"%s\" is not moved: %s",
                         name, o->why ? o->why : "it is static");
    c->before = *space_pose(c->space, c->object);
    c->box = scene_box_at(o, &c->before);
    c->body_count = 1;
    c->body = &c->object;
    c->stood = &c->before;
    return ETNA_OK;
}

/* ---- Place ---- */
bool case_has(const solve_case *c, constraint_kind kind)
{
    for (uint32_t i = 0; i < c->request->constraints->count; i++)
        if (c->request->constraints->items[i].kind == kind)
            return true;
    return false;
}

/* The object that a constraint is about, whether it names a plane of it or the
 * object itself. */
uint32_t case_object_of(const solve_case *c, uint32_t item)
{
    const probe_plane *plane = case_plane(c, item);
    return plane ? plane->object
                 : scene_find_object(c->scene,
                                     c->request->constraints->items[item].name);
}

/* Does a name stand for a plane, which is turned toward a camera? With a Place
 * a Contact may name an object. */
static bool is_object(const solve_case *c, const constraint *item)
{
    return c->place && item->kind == CONSTRAINT_CONTACT &&
           scene_find_object(c->scene, item->name) != SCENE_NONE;
}

/* Without a camera every name that a constraint says must be an object's. */
static etna_code case_check_names(const solve_case *c, etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *item = &list->items[i];
        if (!item->name || item->kind == CONSTRAINT_OBJECT_NAME)
            continue;
        if (scene_find_object(c->scene, item->name) == SCENE_NONE)
            return etna_fail(
                err, ETNA_E_INPUT,
                "constraint %u (%s): there is no object \"%s\", and no camera to name a plane by",
                i + 1, constraint_kind_name(item->kind), item->name);
    }
    return ETNA_OK;
}

/* A Place needs no camera: its coordinates are metres of the world. The
 * published solver has none, so both together are refused. */
static etna_code case_open_place(solve_case *c, etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].kind == CONSTRAINT_PLACE)
            c->place = &list->items[i];
    if (!c->place && !c->request->camera)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a solve without a camera and without a Place");
    if (c->place && c->request->paper_solver)
        return etna_fail(
            err, ETNA_E_INPUT,
            "Place is not of the published solver; write CloseToPix");
    return c->request->camera ? ETNA_OK : case_check_names(c, err);
}

/* The request's camera where no name is given or it is its own; else that one
 * of the file. NULL: there is none. */
static const scene_camera *case_find_camera(const solve_case *c,
                                            const char *name)
{
    const scene_camera *own = c->request->camera;
    if (!name || (own->name && strcmp(own->name, name) == 0))
        return own;
    for (uint32_t k = 0; k < c->scene->camera_count; k++)
        if (strcmp(c->scene->cameras[k].name, name) == 0)
            return &c->scene->cameras[k];
    return NULL;
}

/* The camera in whose picture the coordinates are: the request's, or another
 * one of the file that all of them name. */
static etna_code open_camera(solve_case *c, etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    if (!c->request->camera)
        return ETNA_OK;
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *item = &list->items[i];
        if (item->kind != CONSTRAINT_CLOSE_TO_PIX)
            continue;
        const scene_camera *meant = case_find_camera(c, item->camera);
        if (!meant)
            return etna_fail(
                err, ETNA_E_INPUT,
                "constraint %u (CloseToPix): there is no camera \"%s\"", i + 1,
                item->camera);
        if (c->pixels && c->pixels != meant)
            return etna_fail(
                err, ETNA_E_INPUT,
                "constraint %u (CloseToPix): all coordinates must be of one camera",
                i + 1);
        c->pixels = meant;
    }
    if (!c->pixels)
        c->pixels = c->request->camera;
    return ETNA_OK;
}

/* Distance is to another object. */
static etna_code case_open_distance(const solve_case *c,
                                    uint32_t i,
                                    etna_error *err)
{
    const char *name = c->request->constraints->items[i].name;
    uint32_t other = scene_find_object(c->scene, name);
    if (other == SCENE_NONE)
        return etna_fail(err, ETNA_E_INPUT,
                         "constraint %u (Distance): there is no object \"%s\"",
                         i + 1, name);
    if (other == c->object)
        return etna_fail(
            err, ETNA_E_INPUT,
            "constraint %u (Distance): \"%s\" has no distance to itself", i + 1,
            name);
    return ETNA_OK;
}

/* What constraint `i` names: a plane is opened, an object must be there and
 * another one. */
static etna_code case_open_name(solve_case *c, uint32_t i, etna_error *err)
{
    const constraint *item = &c->request->constraints->items[i];
    switch (item->kind) {
    case CONSTRAINT_CONTACT:
        if (!is_object(c, item))
            return open_plane(c, i, err);
        if (scene_find_object(c->scene, item->name) != c->object)
            return ETNA_OK;
        return etna_fail(err, ETNA_E_INPUT,
                         "constraint %u (Contact): \"%s\" cannot touch itself",
                         i + 1, item->name);
    case CONSTRAINT_NO_OVERHANG: return open_plane(c, i, err);
    case CONSTRAINT_FACE_TO:
    case CONSTRAINT_BACK_TO: return open_facing(c, i, err);
    case CONSTRAINT_DISTANCE: return case_open_distance(c, i, err);
    default: return ETNA_OK;
    }
}

/* Is the plane so small that NoOverhang may come down to its middle? The paper
 * asks for no size. */
static bool case_is_center_allowed(const solve_case *c,
                                   const constraint *item,
                                   const probe_plane *plane)
{
    bool is_small = plane->across < CENTER_ACROSS || c->request->paper_solver;
    return is_small && !item->full_only;
}

/* What the object is to stand on or against: the first plane of a Contact, else
 * the first of a NoOverhang. */
static void case_choose_floor(solve_case *c)
{
    bool by_contact = false;
    for (uint32_t k = 0; k < c->plane_count; k++) {
        const constraint *item =
            &c->request->constraints->items[c->planes[k].item];
        const probe_plane *plane = &c->planes[k].plane;
        if (item->kind == CONSTRAINT_CONTACT && !by_contact) {
            c->floor = plane;
            by_contact = true;
        } else if (item->kind == CONSTRAINT_NO_OVERHANG) {
            if (!c->floor)
                c->floor = plane;
            if (case_is_center_allowed(c, item, plane))
                c->center_possible = true;
        }
    }
}

/* The name of what it is put on, for the result: a plane, or with a Place an
 * object. */
static void case_choose_target(solve_case *c)
{
    if (c->floor)
        memcpy(c->target, c->floor->name, sizeof c->target);
    if (!c->place)
        return;
    for (uint32_t i = 0; i < c->request->constraints->count && !c->target[0];
         i++) {
        if (!is_object(c, &c->request->constraints->items[i]))
            continue;
        snprintf(c->target, sizeof c->target, "%s",
                 c->scene->objects[case_object_of(c, i)].name);
    }
}

/* Everything that can be wrong with the constraints as such is refused here
 * with ETNA_E_INPUT, before any search. The scratch serves bottom_near: room
 * for the triangles of the largest plane. */
etna_code case_open(solve_case *c, etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    etna_code code = open_object(c, err);
    if (code == ETNA_OK)
        code = case_open_place(c, err);
    if (code == ETNA_OK)
        code = open_camera(c, err);
    for (uint32_t i = 0; code == ETNA_OK && i < list->count; i++)
        code = case_open_name(c, i, err);
    if (code != ETNA_OK)
        return code;
    case_choose_floor(c);
    case_choose_target(c);
    uint32_t largest = 0;
    for (uint32_t k = 0; k < c->plane_count; k++) {
        uint32_t count = c->planes[k].plane.triangle_count;
        largest = count > largest ? count : largest;
    }
    c->scratch = etna_arena_alloc(c->arena, largest, sizeof *c->scratch);
    return c->scratch ? ETNA_OK
                      : etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
}

/* NULL: this constraint names no plane. */
const probe_plane *case_plane(const solve_case *c, uint32_t item)
{
    assert(item < c->request->constraints->count);
    for (uint32_t k = 0; k < c->plane_count; k++)
        if (c->planes[k].item == item)
            return &c->planes[k].plane;
    return NULL;
}

/* ---- terms ---- Room is certain: a Contact adds two terms at most, and the
 * array holds twice CONSTRAINTS_MAX. */
static term *add_term(solve_problem *p,
                      term_kind kind,
                      uint32_t item,
                      double weight)
{
    assert(p->term_count < COUNT_OF(p->terms));
    term *t = &p->terms[p->term_count++];
    memset(t, 0, sizeof *t);
    t->kind = kind;
    t->item = item;
    t->weight = weight;
    return t;
}

/* The same direction, in the box's own axes, for all candidates. */
static void heading_lanes(term *t, double x, double y)
{
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        t->lane_x[l] = (float)x;
        t->lane_y[l] = (float)y;
    }
}

/* The plane's hull as half spaces relative to the origin: outward.p <=
 * reach. */
static etna_code add_hull(const solve_case *c,
                          solve_problem *p,
                          const constraint *item,
                          uint32_t i,
                          bool center,
                          etna_error *err)
{
    const probe_plane *plane = case_plane(c, i);
    bool middle = center && case_is_center_allowed(c, item, plane);
    term *t = add_term(p, middle ? TERM_MIDDLE : TERM_INSIDE, i, 20);
    vec3 *outward =
        etna_arena_alloc(c->arena, plane->hull_count, sizeof *outward);
    double *reach =
        etna_arena_alloc(c->arena, plane->hull_count, sizeof *reach);
    if (!outward || !reach)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    vec3 base = v3_sub(plane->origin, p->origin);
    double sum[2] = {0, 0};
    for (uint32_t j = 0; j < plane->hull_count; j++) {
        vec2 a = plane->hull[j];
        vec2 b = plane->hull[(j + 1) % plane->hull_count];
        double ex = b.x - a.x;
        double ey = b.y - a.y;
        double length = sqrt(ex * ex + ey * ey);
        double nx = 0, ny = 0; /* an edge without length bounds nothing */
        if (length > 0) {
            nx = ey / length;
            ny = -ex / length;
        }
        /* the paper's edges keep their length */
        double unit = c->request->paper_solver ? length : 1;
        outward[j] = v3_scale(
            v3_add(v3_scale(plane->u, nx), v3_scale(plane->v, ny)), unit);
        reach[j] = (a.x * nx + a.y * ny) * unit + v3_dot(base, outward[j]);
        sum[0] += a.x;
        sum[1] += a.y;
    }
    t->edge_count = plane->hull_count;
    t->outward = outward;
    t->reach = reach;
    t->u = plane->u;
    t->v = plane->v;
    t->middle[0] = sum[0] / plane->hull_count + v3_dot(base, plane->u);
    t->middle[1] = sum[1] / plane->hull_count + v3_dot(base, plane->v);
    return ETNA_OK;
}

/* Where the object's box centre is now, in the world. */
static vec3 case_position(const solve_case *c, uint32_t object)
{
    const arrange_pose *pose = space_pose(c->space, object);
    return v3(pose->position[0], pose->position[1], pose->position[2]);
}

/* The box's front is -Y (METHODS.md 1): FaceTo turns that toward the target,
 * BackTo the back. To a plane one turns along its normal, to all else toward a
 * point; under an orthographic camera its whole picture looks one way. */
static void add_facing(const solve_case *c,
                       solve_problem *p,
                       const constraint *item,
                       uint32_t i)
{
    term *t = add_term(p, TERM_FACING, i, 0.5);
    heading_lanes(t, 0, item->kind == CONSTRAINT_FACE_TO ? -1 : 1);
    uint32_t other = scene_find_object(c->scene, item->name);
    const probe_plane *plane = case_plane(c, i);
    if (plane) {
        t->normal = plane->normal;
    } else if (other != SCENE_NONE) {
        t->by_point = true;
        t->point = v3_sub(case_position(c, other), p->origin);
    } else if (c->request->camera->orthographic) {
        t->normal = v3_scale(c->request->camera->forward, -1);
    } else {
        t->by_point = true;
        t->point = v3_sub(c->request->camera->position, p->origin);
    }
}

/* Is the object to face (or back) a plane that looks the same way as the one it
 * touches? Then the face that touches is known; a wall round the corner says
 * nothing about it. */
static bool faces_along(const solve_case *c, constraint_kind kind, vec3 n)
{
    for (uint32_t i = 0; i < c->request->constraints->count; i++) {
        const probe_plane *plane =
            c->request->constraints->items[i].kind == kind ? case_plane(c, i)
                                                           : NULL;
        if (plane && v3_dot(plane->normal, n) > SAME_WAY)
            return true;
    }
    return false;
}

static const float case_sides[4][2] = {
    {0, 1}, {0, -1}, {1, 0}, {-1, 0}}; /* back, front, then the two others */

/* The one that at this yaw looks most against the normal. */
static int case_nearest_side(vec3 n, double yaw)
{
    double s, cosine, least = INFINITY;
    int best = 0;
    math_sincos(yaw, &s, &cosine);
    for (int k = 0; k < 4; k++) {
        double x = (double)case_sides[k][0];
        double y = (double)case_sides[k][1];
        double along = n.x * (cosine * x - s * y) + n.y * (s * x + cosine * y);
        if (along >= least - 1e-9)
            continue;
        least = along;
        best = k;
    }
    return best;
}

/* The vertical face that touches, in the box's own axes, for a candidate that
 * starts with this yaw. */
static void case_choose_side(
    const solve_case *c, vec3 n, double yaw, float *ret_x, float *ret_y)
{
    bool paper = c->request->paper_solver;
    bool given = case_has(c, CONSTRAINT_ROTATE) ||
                 /* a given yaw leaves no choice */
                 case_has(c, CONSTRAINT_HEADING);
    int best = 0;
    if (!paper && faces_along(c, CONSTRAINT_FACE_TO, n))
        best = 0;
    else if (!paper && faces_along(c, CONSTRAINT_BACK_TO, n))
        best = 1;
    else if (paper || !c->hanging || given)
        best = case_nearest_side(n, yaw);
    *ret_x = case_sides[best][0];
    *ret_y = case_sides[best][1];
}

/* A side against a wall turns the object as well, since only a side square to
 * the wall can touch it whole: a FACING term joins unless something else says
 * the turn. The paper's solver has no such term. */
static void add_contact(const solve_case *c,
                        solve_problem *p,
                        const constraint *item,
                        uint32_t i)
{
    const probe_plane *plane = case_plane(c, i);
    term *t = add_term(p, TERM_CONTACT, i, 100);
    t->normal = plane->normal;
    t->offset = plane->offset - v3_dot(plane->normal, p->origin);
    t->face = item->face;
    bool given =
        case_has(c, CONSTRAINT_ROTATE) || case_has(c, CONSTRAINT_HEADING);
    bool faces =
        case_has(c, CONSTRAINT_FACE_TO) || case_has(c, CONSTRAINT_BACK_TO);
    bool is_wall = item->face == FACE_SIDE && fabs(plane->normal.z) <= UPRIGHT;
    bool is_turned = faces || given;
    if (!is_wall || c->request->paper_solver || is_turned)
        return;
    /* its lanes follow the touching sides: place_sides */
    term *heading = add_term(p, TERM_FACING, i, 0.5);
    heading->normal = v3_scale(plane->normal, -1);
}

/* Made from a Contact side: the contact itself, or the heading it added. */
static bool term_is_side(const solve_case *c, const term *t)
{
    return c->request->constraints->items[t->item].kind == CONSTRAINT_CONTACT &&
           c->request->constraints->items[t->item].face == FACE_SIDE;
}

/* The touching side of one candidate that starts with this yaw, for the
 * contacts and the headings they add. */
static void place_sides(const solve_case *c,
                        solve_problem *p,
                        int lane,
                        double yaw)
{
    for (uint32_t i = 0; i < p->term_count; i++) {
        term *t = &p->terms[i];
        if (term_is_side(c, t))
            case_choose_side(c, case_plane(c, t->item)->normal, yaw,
                             &t->lane_x[lane], &t->lane_y[lane]);
    }
}

/* Weights are the paper's (METHODS.md 5): 100 contact, 20 overhang, 0.5 pixel
 * and facing, 0.3 distance. Rotate and Heading make no term; they set the start
 * and freeze the turn. */
static etna_code add_terms(const solve_case *c,
                           bool center,
                           solve_problem *p,
                           etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < list->count; i++) {
        const constraint *item = &list->items[i];
        if (item->kind == CONSTRAINT_CLOSE_TO_PIX) {
            term *t = add_term(p, TERM_PIXEL, i, 0.5);
            t->drop = item->face == FACE_DOWN ? c->box.half.z : 0;
            t->target[0] = item->pixel[0];
            t->target[1] = item->pixel[1];
        } else if (item->kind == CONSTRAINT_CONTACT) {
            add_contact(c, p, item, i);
        } else if (item->kind == CONSTRAINT_NO_OVERHANG) {
            code = add_hull(c, p, item, i, center, err);
        } else if (item->kind == CONSTRAINT_DISTANCE) {
            term *t = add_term(p, TERM_DISTANCE, i, 0.3);
            t->point = v3_sub(
                case_position(c, scene_find_object(c->scene, item->name)),
                p->origin);
            t->offset = item->value;
        } else if (item->kind == CONSTRAINT_FACE_TO ||
                   item->kind == CONSTRAINT_BACK_TO) {
            add_facing(c, p, item, i);
        }
    }
    return code;
}

/* ---- starts ---- */
typedef struct start_draw {
    double dx, dy, turn; /* of the pixel; of the yaw */
} start_draw;

/* Every candidate draws the same numbers whatever the constraints are, so that
 * one more constraint shuffles nothing. */
static void draw_all(uint64_t seed, start_draw draws[SOLVE_CANDIDATES])
{
    etna_random random = etna_random_from(seed);
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        double a, b, turn, unused;
        double u = etna_random_unit(&random);
        double v = etna_random_unit(&random);
        math_normal2(u, v, &a, &b);
        u = etna_random_unit(&random);
        v = etna_random_unit(&random);
        math_normal2(u, v, &turn, &unused);
        draws[l] = (start_draw){a, b, turn};
    }
}

/* Perturbations for one CloseToPix: candidate 0 none, every fourth a small
 * one. */
static void case_perturb(const solve_case *c,
                         const start_draw draws[SOLVE_CANDIDATES],
                         term *t)
{
    bool paper = c->request->paper_solver;
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        double sigma = SIGMA;
        if (!paper && l % 4 == 1)
            sigma = SIGMA_NEAR;
        if (!paper && l == 0)
            sigma = 0;
        double x = t->target[0] + sigma * draws[l].dx;
        double y = t->target[1] + sigma * draws[l].dy;
        if (!paper && l > 0) {
            x = math_clamp(x, SAMPLE_LOW, SAMPLE_HIGH);
            y = math_clamp(y, SAMPLE_LOW, SAMPLE_HIGH);
        }
        t->lane_x[l] = (float)(x - t->target[0]);
        t->lane_y[l] = (float)(y - t->target[1]);
    }
}

/* Where the point that CloseToPix speaks of starts, in the world. */
static vec3 start_point(const solve_case *c, double x, double y)
{
    space_ray ray = {.t_min = 0, .t_max = INFINITY, .only_object = SCENE_NONE};
    ray.skip_object = c->request->paper_solver ? SCENE_NONE : c->object;
    space_hit hit;
    camera_ray(c->pixels, x, y, &ray.origin, &ray.direction);
    for (uint32_t i = 0; i < c->body_count && space_cast(c->space, &ray, &hit);
         i++) {
        if (c->request->paper_solver || !group_has(c, hit.object))
            return hit.point;
        /* of its load, mostly one thing is in the way */
        ray.skip_object = hit.object;
        ray.t_min = hit.t;
    }
    if (!c->floor)
        return c->box.centre;
    double toward = v3_dot(ray.direction, c->floor->normal);
    if (toward == 0)
        return c->floor->origin;
    double t =
        (c->floor->offset - v3_dot(ray.origin, c->floor->normal)) / toward;
    vec3 at = v3_add_scaled(ray.origin, ray.direction, t);
    bool is_near = v3_finite(at) && v3_distance(at, c->floor->origin) < 1e4;
    return t > 0 && is_near ? at : c->floor->origin;
}

/* The yaw at which the first FaceTo or BackTo is met from `at`; false when
 * there is none. */
static bool closed_heading(const solve_problem *p,
                           uint32_t lane,
                           vec3 at,
                           double *ret_yaw)
{
    for (uint32_t i = 0; i < p->term_count; i++)
        if (p->terms[i].kind == TERM_FACING)
            return problem_heading(&p->terms[i], lane,
                                   (const double[3]){at.x, at.y, at.z},
                                   ret_yaw);
    return false;
}

/* Whether some term is of this kind. */
static bool problem_has(const solve_problem *p, term_kind kind)
{
    for (uint32_t i = 0; i < p->term_count; i++)
        if (p->terms[i].kind == kind)
            return true;
    return false;
}

/* Where candidate `lane` starts to look. A heading that only a Contact side
 * adds comes second: which side touches follows from how the object stands. */
static double start_heading(const solve_case *c,
                            solve_problem *p,
                            int lane,
                            vec3 at,
                            double yaw,
                            double turn)
{
    bool given =
        case_has(c, CONSTRAINT_FACE_TO) || case_has(c, CONSTRAINT_BACK_TO);
    bool closed = (lane >> 2 & 1) == 0;
    double start = yaw;
    if (!given || c->request->paper_solver)
        place_sides(c, p, lane, yaw);
    if (!problem_has(p, TERM_FACING) || c->request->paper_solver)
        return yaw;
    if (!closed || !closed_heading(p, (uint32_t)lane, at, &start))
        start = yaw + SIGMA_YAW * turn;
    if (given)
        place_sides(c, p, lane, start);
    return start;
}

/* By the first CloseToPix, each candidate on the line of sight through its own
 * perturbed pixel. `drop` raises those whose pixel is that of the bottom. */
static void place_starts(const solve_case *c,
                         solve_problem *p,
                         const start_draw draws[SOLVE_CANDIDATES],
                         double yaw,
                         float pose[4][SOLVE_CANDIDATES])
{
    const term *pixel = NULL;
    for (uint32_t i = 0; i < p->term_count; i++)
        pixel = !pixel && p->terms[i].kind == TERM_PIXEL ? &p->terms[i] : pixel;
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        double x = pixel->target[0] + (double)pixel->lane_x[l];
        double y = pixel->target[1] + (double)pixel->lane_y[l];
        vec3 at = v3_sub(start_point(c, x, y), p->origin);
        at.z += pixel->drop;
        pose[0][l] = (float)at.x;
        pose[1][l] = (float)at.y;
        pose[2][l] = (float)at.z;
        pose[3][l] = (float)start_heading(c, p, l, at, yaw, draws[l].turn);
    }
}

/* In the problem's frame, whose origin is on the plane: single precision then
 * keeps its digits for what matters. */
static void set_camera(const solve_case *c, solve_problem *p)
{
    const scene_camera *camera = c->pixels;
    p->perspective = !camera->orthographic;
    p->eye = v3_sub(camera->position, p->origin);
    p->right = camera->right;
    p->up = camera->up;
    p->forward = camera->forward;
    p->scale_x = 1 / (2 * camera->half_height * camera->aspect);
    p->scale_y = 1 / (2 * camera->half_height);
}

/* The turn that constraints fix, in radians; else the one it has. *ret_frozen:
 * no candidate may change it. The paper's candidates start at 0. */
static double start_yaw(const solve_case *c, bool *ret_frozen)
{
    const constraint_list *list = c->request->constraints;
    double yaw = c->request->paper_solver ? 0 : c->before.yaw;
    *ret_frozen = false;
    if (case_has(c, CONSTRAINT_FACE_TO) || case_has(c, CONSTRAINT_BACK_TO))
        return yaw;
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *item = &list->items[i];
        if (item->kind != CONSTRAINT_ROTATE && item->kind != CONSTRAINT_HEADING)
            continue;
        *ret_frozen = true;
        double turn = item->value * (MATH_PI / 180);
        yaw = item->kind == CONSTRAINT_HEADING ? turn : yaw + turn;
    }
    return yaw;
}

/* ret_pose: x, y, z relative to the problem's origin, and yaw, one row each, a
 * column per candidate. `center`: NoOverhang with "center" asks for the middle
 * only, where the plane is small enough. */
etna_code case_compile(const solve_case *c,
                       bool center,
                       solve_problem *ret,
                       float ret_pose[4][SOLVE_CANDIDATES],
                       etna_error *err)
{
    start_draw draws[SOLVE_CANDIDATES];
    memset(ret, 0, sizeof *ret);
    ret->origin = c->floor ? c->floor->origin : c->box.centre;
    ret->half = c->box.half;
    set_camera(c, ret);
    double yaw = start_yaw(c, &ret->turn_frozen);
    ret->decay = c->request->paper_solver ? DECAY : 0;
    etna_code code = add_terms(c, center, ret, err);
    if (code != ETNA_OK)
        return code;
    draw_all(c->request->seed, draws);
    for (uint32_t i = 0; i < ret->term_count; i++)
        if (ret->terms[i].kind == TERM_PIXEL)
            case_perturb(c, draws, &ret->terms[i]);
    place_starts(c, ret, draws, yaw, ret_pose);
    return ETNA_OK;
}
