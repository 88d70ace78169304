/* Walls: which the camera sees, and where on them is room. */
#include "tests/support/stage.h"
#include "worker/probe/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool is_free(const probe_wall *wall, double s, double t)
{
    const probe_surface *m = &wall->map;
    double i = floor((s - m->origin[0]) / m->cell),
           j = floor((t - m->origin[1]) / m->cell);
    assert_true(i >= 0 && j >= 0 && i < m->columns && j < m->rows);
    size_t cell = (size_t)j * m->columns + (size_t)i;
    return m->free[cell / 8] >> (cell % 8) & 1;
}

static void a_wall_is_free_but_for_what_stands_or_hangs_close_before_it(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2.4),
                         scene_builder_at(0, 2.05, 1.2, 0), true);
    scene_builder_object(b, "sofa", scene_builder_box(b, 1, 0.6, 0.8),
                         scene_builder_at(1, 1.6, 0.4, 0), false);
    scene_builder_object(b, "picture", scene_builder_box(b, 0.5, 0.02, 0.5),
                         scene_builder_at(-1, 1.985, 1.5, 0), false);
    scene_builder_object(b, "table", scene_builder_box(b, 1, 1, 1),
                         scene_builder_at(-1, 0.5, 0.5, 0), false);
    scene_builder_camera(b, "camera", v3(0, -4, 1.5), v3(0, 2, 1));
    stage st = stage_open(b);
    probe_wall *walls;
    uint32_t count = 0;
    etna_error err = {0};
    if (probe_walls(st.probes, st.space, &st.scene->cameras[0], &st.arena,
                    &walls, &count, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    const probe_wall *wall = NULL;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(st.scene->objects[walls[i].map.plane.object].is_static);
        if (walls[i].map.plane.object == scene_find_object(st.scene, "wall")) {
            assert_null(wall); /* its far side has no name of its own */
            wall = &walls[i];
        }
    }
    assert_non_null(wall);
    assert_true(fabs(wall->normal.y + 1) < 1e-9 &&
                fabs(wall->right.x - 1) < 1e-9 &&
                fabs(wall->map.height + 2) < 1e-6);
    assert_true(wall->map.columns == 200 && wall->map.rows == 120);
    assert_true(is_free(wall, 0, 1.5) && is_free(wall, 1, 1) &&
                is_free(wall, -1, 0.5)); /* the table stands a metre away */
    assert_false(is_free(wall, 1, 0.4) || is_free(wall, -1, 1.5));
    stage_close(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(
        a_wall_is_free_but_for_what_stands_or_hangs_close_before_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
