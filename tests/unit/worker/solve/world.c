#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

scene_builder *world_begin(void)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_camera(b, "camera", v3(0, -2.5, 1.8), v3(0, 0, 0));
    return b;
}

void world_pixel(const world *w, vec3 point, double *ret_x, double *ret_y)
{
    double depth;
    assert_true(
        camera_project(&w->scene->cameras[0], point, ret_x, ret_y, &depth));
}

constraint_list world_constraints(world *w, const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    constraint_list constraints;
    etna_error err = {0};
    if (constraint_parse(text, strlen(text), &w->arena, &constraints, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    return constraints;
}

solve_result world_solve(world *w, const constraint_list *list, uint64_t seed)
{
    solve_request request = solve_request_default();
    solve_result result;
    etna_error err = {0};
    request.constraints = list;
    request.camera = &w->scene->cameras[0];
    request.seed = seed;
    if (solve_run(w->space, w->probes, &request, &result, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return result;
}

scene_builder *world_bottle_and_block(double block)
{
    scene_builder *b = world_begin();
    scene_builder_object(b, "block", scene_builder_box(b, block, block, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_object(b, "bottle", scene_builder_cylinder(b, 0.04, 0.25, 24),
                         scene_builder_at(0.8, 0.2, 0.125, 0), false);
    return b;
}

world world_angled_desk(double in, constraint_list *ret_constraints)
{
    scene_builder *b = world_begin();
    scene_builder_object(b, "desk", scene_builder_box(b, 1.2, 0.4, 0.4),
                         scene_builder_at(0, 0.4, 0.2, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.4, 0.8, 0.4),
                       scene_builder_at(-0.4, -0.2, 0.2, 0));
    scene_builder_object(b, "box", scene_builder_box(b, 0.15, 0.15, 0.15),
                         scene_builder_at(1.2, -0.8, 0.075, 0), false);
    world w = stage_open(b);
    double x, y, px, py;
    world_pixel(&w, v3(-0.2 + in, 0.2 - in, 0.4), &x, &y);
    world_pixel(&w, v3(-0.4, 0, 0.4), &px, &py);
    *ret_constraints = world_constraints(
        &w,
        "[\"ObjectName\",\"box\"],[\"CloseToPix\",\"down\",[%.6f,%.6f]],[\"Contact\",\"down\",\"ray:%.6f,%.6f\"],"
        "[\"NoOverhang\",\"down\",\"ray:%.6f,%.6f\",\"full_only\"]",
        x, y, px, py, px, py);
    return w;
}

solve_result world_put(world *w,
                       const char *object,
                       vec3 at,
                       const char *plane,
                       const char *mode,
                       uint64_t seed)
{
    double x, y;
    world_pixel(w, at, &x, &y);
    constraint_list list =
        world_constraints(w, WORLD_ON_TOP, object, x, y, plane, plane, mode);
    return world_solve(w, &list, seed);
}

void world_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.9g is not within %.3g of %.9g", a, tolerance, b);
}
