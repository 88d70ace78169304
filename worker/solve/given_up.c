/* Edits that were given up before (METHODS.md 2, Memory): how near a pose is to
 * them, and whether it is one of them. */
#include "worker/solve/solve_internal.h"

#include <string.h>

#define AVOID_IMAGE 0.1
#define SAME_PLACE 0.01
#define SAME_YAW (5 * MATH_PI / 180)
#define SAME_SURFACE 0.95 /* cosine of the normals */

/* METHODS.md 2: min(0.1 of the image, half the target plane's projected
 * diagonal). */
double given_up_radius(const solve_case *c)
{
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    if (!c->request->camera)
        return AVOID_IMAGE;
    for (uint32_t i = 0; c->floor && i < c->floor->hull_count; i++) {
        vec2 h = c->floor->hull[i];
        double at[2], depth;
        vec3 corner =
            v3_add_scaled(v3_add_scaled(c->floor->origin, c->floor->u, h.x),
                          c->floor->v, h.y);
        if (!camera_project(c->request->camera, corner, &at[0], &at[1], &depth))
            return AVOID_IMAGE;
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(at[k], low[k]);
            high[k] = math_max(at[k], high[k]);
        }
    }
    if (!(high[0] > low[0]))
        return AVOID_IMAGE;
    double dx = high[0] - low[0];
    double dy = high[1] - low[1];
    double half = sqrt(dx * dx + dy * dy) / 2;
    return half < AVOID_IMAGE ? half : AVOID_IMAGE;
}

/* Distance in the image (shares of its sides) to the nearest given-up pose;
 * INFINITY where there is none or no camera. */
double given_up_nearest(const solve_case *c, const arrange_pose *pose)
{
    double best = INFINITY, x, y, gx, gy, depth;
    if (!c->request->camera ||
        !camera_project(
            c->request->camera,
            v3(pose->position[0], pose->position[1], pose->position[2]), &x, &y,
            &depth))
        return best;
    for (uint32_t i = 0; i < c->request->given_up_count; i++) {
        const double *p = c->request->given_up[i].pose.position;
        if (!camera_project(c->request->camera, v3(p[0], p[1], p[2]), &gx, &gy,
                            &depth))
            continue;
        double away = sqrt((x - gx) * (x - gx) + (y - gy) * (y - gy));
        best = math_min(away, best);
    }
    return best;
}

/* Is the plane of that name the surface this solve placed on? `desk_up` and
 * `desk_14` may both name a desk's top. */
static bool given_up_same_surface(const solve_case *c,
                                  const char *name,
                                  vec3 at)
{
    const probe_plane *floor = c->floor;
    probe_plane other;
    if (c->place)
        return strcmp(name, c->target) == 0;
    if (!floor || !name[0])
        return !floor && !name[0];
    if (strcmp(name, floor->name) == 0)
        return true;
    if (probe_plane_by_name(c->probes, c->space, c->request->camera, name,
                            c->arena, &other, NULL) != ETNA_OK)
        return false;
    vec3 d = v3_sub(at, floor->origin);
    vec3 e = v3_sub(at, other.origin);
    return other.object == floor->object &&
           v3_dot(other.normal, floor->normal) >= SAME_SURFACE &&
           fabs(v3_dot(d, floor->normal) - v3_dot(e, other.normal)) <=
               SAME_PLACE;
}

/* Within SAME_PLACE and SAME_YAW on the same surface. A neighbouring place is a
 * new attempt and allowed. */
bool given_up_repeats(const solve_case *c, const arrange_pose *pose)
{
    vec3 at = v3(pose->position[0], pose->position[1], pose->position[2]);
    for (uint32_t i = 0; i < c->request->given_up_count; i++) {
        const arrange_given_up *g = &c->request->given_up[i];
        if (!g->object ||
            strcmp(g->object, c->scene->objects[c->object].name) != 0 ||
            !g->plane)
            continue;
        double away =
            v3_distance(at, v3(g->pose.position[0], g->pose.position[1],
                               g->pose.position[2]));
        double turn = pose->yaw - g->pose.yaw;
        turn -= 2 * MATH_PI * floor(turn / (2 * MATH_PI) + 0.5);
        if (away <= SAME_PLACE && fabs(turn) <= SAME_YAW &&
            given_up_same_surface(c, g->plane, at))
            return true;
    }
    return false;
}
