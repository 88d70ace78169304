/* Out of bounds: what reaches out beyond the floor. */
#include "tests/unit/worker/space/fixture.h"

enum {
    THINGS_MAX = 16
};

static uint32_t add_floor(scene_builder *b, double x)
{
    return scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                                scene_builder_at(x, 0, -0.05, 0), true);
}

static uint32_t add_box(scene_builder *b, double x, double y, double z)
{
    return scene_builder_object(b, "box", scene_builder_box(b, 0.5, 0.5, 0.5),
                                scene_builder_at(x, y, z + 0.25, 0), false);
}

static void outside_find(fixture *f, bool ret[THINGS_MAX])
{
    etna_error err = {0};
    assert_int_equal(space_find_outside(f->space, ret, &err), ETNA_OK);
}

static void what_reaches_out_beyond_the_floor_is_out_of_bounds(void **state)
{
    (void)state;
    bool outside[THINGS_MAX];
    scene_builder *b = scene_builder_new();
    uint32_t ground = add_floor(b, 0), middle = add_box(b, 0, 0, 0),
             at_edge = add_box(b, 1.75, 0, 0), half_out = add_box(b, 2, 0, 0),
             gone = add_box(b, 5, 0, 0), hangs = add_box(b, 0, 1, 2),
             fell = add_box(b, 0, -1, -3);
    fixture f = fixture_open(b);
    outside_find(&f, outside);
    assert_false(outside[ground] || outside[middle]);
    assert_false(outside[at_edge] || outside[hangs]);
    assert_true(outside[half_out] && outside[gone] && outside[fell]);
    fixture_move(&f, middle, 0, 2.2, 0, 0);
    fixture_move(&f, gone, -5, -1, 0, 0);
    outside_find(&f, outside);
    assert_true(outside[middle]);
    assert_false(outside[gone]);
    fixture_close(&f);
}

/* The corners of a round thing's box may reach out where it does not. */
static void a_round_thing_is_asked_by_its_own_shape(void **state)
{
    (void)state;
    bool outside[THINGS_MAX];
    scene_builder *b = scene_builder_new();
    add_floor(b, 0);
    uint32_t cup = scene_builder_object(
        b, "pot", scene_builder_cup(b, 0.4, 0.45, 0.5, 0.05, 32),
        scene_builder_at(1.5, 1.5, 0, 0), false);
    add_box(b, 0, 0, 0);
    fixture f = fixture_open(b);
    fixture_move(&f, cup, 0.04, 0.04, 0, 45);
    outside_find(&f, outside);
    assert_false(outside[cup]);
    fixture_move(&f, cup, 0.3, 0, 0, 0);
    outside_find(&f, outside);
    assert_true(outside[cup]);
    fixture_close(&f);
}

/* A door's sill, two rooms: wherever there is a floor is within. */
static void several_floors_bound_a_scene_together(void **state)
{
    (void)state;
    bool outside[THINGS_MAX];
    scene_builder *b = scene_builder_new();
    add_floor(b, 0);
    add_floor(b, 4);
    uint32_t between = add_box(b, 2, 0, 0), other = add_box(b, 4, 0, 0);
    fixture f = fixture_open(b);
    outside_find(&f, outside);
    assert_false(outside[between] || outside[other]);
    fixture_close(&f);
}

static void a_file_without_a_floor_has_no_bounds(void **state)
{
    (void)state;
    bool outside[THINGS_MAX];
    scene_builder *b = scene_builder_new();
    uint32_t first = add_box(b, 0, 0, 0), second = add_box(b, 3, 0, 0);
    fixture f = fixture_open(b);
    outside_find(&f, outside);
    assert_false(outside[first] || outside[second]);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reaches_out_beyond_the_floor_is_out_of_bounds),
        cmocka_unit_test(a_round_thing_is_asked_by_its_own_shape),
        cmocka_unit_test(several_floors_bound_a_scene_together),
        cmocka_unit_test(a_file_without_a_floor_has_no_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
