/* When memory ends at any allocation, parsing, probing and compiling a solve
 * say so and give back what they took. */
#include "tests/support/torture.h"
#include "tests/unit/worker/solve/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"block_up\"],"
    "[\"NoOverhang\",\"down\",\"ray:0.5,0.48\",\"center\"]";

static bool parse_and_compile(void *context)
{
    world *w = context;
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list;
    solve_problem problem;
    float pose[4][SOLVE_CANDIDATES];
    solve_request request = solve_request_default();
    /* anew, so that its caches are made under torture too */
    probe_shared *probes = NULL;
    request.constraints = &list;
    request.camera = &w->scene->cameras[0];
    etna_code code = probe_share(w->scene, &probes, NULL);
    if (code == ETNA_OK)
        code = constraint_parse(text, sizeof text - 1, &arena, &list, NULL);
    solve_case c = {.space = w->space,
                    .probes = probes,
                    .scene = w->scene,
                    .request = &request,
                    .arena = &arena};
    if (code == ETNA_OK)
        code = case_open(&c, NULL);
    if (code == ETNA_OK)
        code = case_compile(&c, true, &problem, pose, NULL);
    if (code == ETNA_OK)
        assert_int_equal(problem.term_count, 3);
    probe_shared_free(probes);
    etna_arena_free(&arena);
    return code == ETNA_OK;
}

static bool map_surfaces(void *context)
{
    world *w = context;
    etna_arena arena = ETNA_ARENA_INIT;
    probe_surface *surfaces;
    uint32_t count;
    probe_shared *probes = NULL;
    probe_surface_options options = probe_surface_options_default();
    etna_code code = probe_share(w->scene, &probes, NULL);
    if (code == ETNA_OK)
        code = probe_surfaces(probes, w->space, &w->scene->cameras[0], &options,
                              &arena, &surfaces, &count, NULL);
    probe_shared_free(probes);
    etna_arena_free(&arena);
    return code == ETNA_OK;
}

static world small_world(void)
{
    scene_builder *b = world_begin();
    scene_builder_object(b, "block", scene_builder_box(b, 0.3, 0.3, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_object(b, "bottle", scene_builder_cylinder(b, 0.04, 0.25, 8),
                         scene_builder_at(0.8, 0.2, 0.125, 0), false);
    return stage_open(b);
}

static void a_problem_survives_every_failed_allocation(void **state)
{
    (void)state;
    world w = small_world();
    /* the space's own trees are built when first met, and stay */
    assert_true(parse_and_compile(&w));
    assert_true(torture(parse_and_compile, &w) > 30);
    stage_close(&w);
}

static void surfaces_survive_every_failed_allocation(void **state)
{
    (void)state;
    world w = small_world();
    assert_true(torture(map_surfaces, &w) > 30);
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_survives_every_failed_allocation),
        cmocka_unit_test(surfaces_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
