/* What a thing is by its mere form, however it is turned and finely it is cut
 * up. */
#include "tests/support/scene_builder.h"
#include "worker/scene/scene_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static scene_form form_alone(scene_builder *b,
                             uint32_t mesh,
                             double yaw,
                             double scale)
{
    scene_builder_object(b, "thing", mesh,
                         scene_builder_scaled(1, 2, 3, yaw, scale), false);
    scene *s = scene_builder_scene(b);
    const scene_form form = form_of(s, &s->objects[s->object_count - 1]);
    scene_builder_free(b);
    return form;
}

static void a_sphere_is_a_ball_whatever_its_size_and_its_triangles(void **state)
{
    (void)state;
    for (uint32_t rings = 8; rings <= 128; rings *= 4) {
        scene_builder *b = scene_builder_new();
        assert_int_equal(form_alone(b, scene_builder_sphere(b, 0.11, rings), 25,
                                    0.5 * rings),
                         SCENE_FORM_BALL);
    }
}

static void a_box_is_a_block_however_it_is_turned(void **state)
{
    (void)state;
    for (double yaw = 0; yaw < 90; yaw += 22.5) {
        scene_builder *b = scene_builder_new();
        assert_int_equal(
            form_alone(b, scene_builder_box(b, 0.6, 0.6, 1.6), yaw, 1),
            SCENE_FORM_BLOCK);
    }
}

static void other_forms_are_neither(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    assert_int_equal(form_alone(b, scene_builder_box(b, 0.3, 0.2, 0.02), 0, 1),
                     SCENE_FORM_OTHER); /* a book */
    b = scene_builder_new();
    assert_int_equal(
        form_alone(b, scene_builder_cylinder(b, 0.1, 0.2, 24), 0, 1),
        SCENE_FORM_OTHER);
    b = scene_builder_new();
    assert_int_equal(form_alone(b, scene_builder_bowl(b, 0.09, 0.1, 24), 0, 1),
                     SCENE_FORM_OTHER);
    b = scene_builder_new();
    assert_int_equal(form_alone(b, scene_builder_sheet(b, 1, 1, 4), 0, 1),
                     SCENE_FORM_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_sphere_is_a_ball_whatever_its_size_and_its_triangles),
        cmocka_unit_test(a_box_is_a_block_however_it_is_turned),
        cmocka_unit_test(other_forms_are_neither)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
