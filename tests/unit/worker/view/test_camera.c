/* Sizes, and the camera that is chosen or derived. */
#include "fixture.h"
#include "tests/support/scene_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_long_side_is_1024_in_any_aspect(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {4.0 / 3, 1024, 768},  {0.5, 512, 1024}, {1, 1024, 1024},
        {16.0 / 9, 1024, 576}, {0, 1024, 768},   {NAN, 1024, 768},
        {-2, 1024, 768},       {1e9, 1024, 768}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene_camera c = {.aspect = cases[i][0]};
        uint32_t w = 0, h = 0;
        view_size(&c, 0, &w, &h);
        assert_int_equal(w, cases[i][1]);
        assert_int_equal(h, cases[i][2]);
    }
    scene_camera c = {.aspect = 1, .half_height = 0.4};
    scene_camera wide = view_camera_sized(&c, 200, 100);
    assert_true(wide.aspect == 2 && wide.half_height == 0.4);
}

static void a_camera_is_found_by_name_or_number_and_else_refused(void **state)
{
    (void)state;
    fixture f = fixture_open("desk.glb");
    scene_camera c = {0};
    etna_error err;
    assert_int_equal(view_choose_camera(f.sp, NULL, 0, "Camera", &c, NULL),
                     ETNA_OK);
    assert_string_equal(c.name, "Camera");
    assert_int_equal(view_choose_camera(f.sp, NULL, 0, "0", &c, NULL), ETNA_OK);
    assert_int_equal(view_choose_camera(f.sp, NULL, 0, NULL, &c, NULL),
                     ETNA_OK);
    assert_string_equal(c.name, "Camera");
    c.name = "untouched";
    assert_int_equal(view_choose_camera(f.sp, NULL, 0, "Kamera", &c, &err),
                     ETNA_E_USAGE);
    assert_string_equal(c.name, "untouched");
    assert_non_null(strstr(err.text, "Kamera"));
    assert_non_null(strstr(err.text, "Camera"));
    assert_non_null(strstr(err.text, "auto"));
    assert_int_equal(view_choose_camera(f.sp, NULL, 0, "auto", &c, NULL),
                     ETNA_OK);
    assert_true(c.derived);
    fixture_close(&f);
}

/* An orthonormal frame that looks at the scene, and everything movable is seen
 * from there. */
static void check_derived(fixture *f, uint32_t least_seen)
{
    scene_camera c, again;
    assert_int_equal(view_derive_camera(f->sp, &c, NULL), ETNA_OK);
    assert_int_equal(view_derive_camera(f->sp, &again, NULL), ETNA_OK);
    assert_true(memcmp(&c.position, &again.position, sizeof c.position) == 0 &&
                memcmp(&c.forward, &again.forward, sizeof c.forward) == 0);
    assert_true(fabs(v3_dot(c.right, c.up)) < 1e-12 &&
                fabs(v3_dot(c.forward, c.up)) < 1e-12 &&
                fabs(v3_length(c.forward) - 1) < 1e-12);
    assert_true(v3_dot(v3_cross(c.right, c.up), c.forward) < -0.99);
    assert_true(c.up.z > 0);
    static uint32_t ids[1024 * 768];
    view_extent *e = malloc((f->s->object_count + 1u) * sizeof *e);
    assert_int_equal(view_instance_map(f->sp, &c, 1024, 768, ids, NULL),
                     ETNA_OK);
    view_extents(ids, 1024, 768, f->s->object_count, e);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < f->s->object_count; i++)
        seen += !f->s->objects[i].is_static && e[i].pixels > 0;
    free(e);
    assert_true(seen >= least_seen);
}

static void a_derived_camera_sees_what_is_movable(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t seen;
    } cases[] = {{"bottles.glb", 6}, {"desk.glb", 8}, {"stacked.glb", 7}};
    for (int i = 0; i < 3; i++) {
        fixture f = fixture_open(cases[i].name);
        check_derived(&f, cases[i].seen);
        fixture_close(&f);
    }
}

static void a_derived_camera_stands_inside_a_house(void **state)
{
    (void)state;
    fixture f;
    if (!fixture_open_data("scenes/habitat_simple_room/simple_room.glb", &f))
        skip();
    check_derived(&f, 1);
    fixture_close(&f);
}

static void a_derived_camera_stands_inside_a_room_closed_on_all_sides(
    void **state)
{
    (void)state;
    fixture f = fixture_open("closed.glb");
    scene_camera c;
    check_derived(&f, 9); /* of ten: no place shows all of them */
    assert_int_equal(view_derive_camera(f.sp, &c, NULL), ETNA_OK);
    assert_true(fabs(c.position.x) < 2.2 && fabs(c.position.y) < 1.9 &&
                fabs(c.position.z - 1.6) < 0.01);
    fixture_close(&f);
}

/* A doll's house, or a file of another scale: no person stands in it. */
static void a_derived_camera_stands_inside_a_low_room(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    static const double walls[4][5] = {{0, 1.55, 3, 0.1, 1.3},
                                       {0, -1.55, 3, 0.1, 1.3},
                                       {1.55, 0, 0.1, 3, 1.3},
                                       {-1.55, 0, 0.1, 3, 1.3}};
    for (int i = 0; i < 4; i++)
        scene_builder_object(
            b, "Wall",
            scene_builder_box(b, walls[i][2], walls[i][3], walls[i][4]),
            scene_builder_at(walls[i][0], walls[i][1], 0.65, 0), true);
    scene_builder_object(b, "Floor", scene_builder_box(b, 3.2, 3.2, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "Ceiling", scene_builder_box(b, 3.2, 3.2, 0.1),
                         scene_builder_at(0, 0, 1.35, 0), true);
    scene_builder_object(b, "Bed", scene_builder_box(b, 1, 0.6, 0.3),
                         scene_builder_at(0.8, 0.9, 0.15, 0), false);
    scene_builder_object(b, "Lamp", scene_builder_box(b, 0.2, 0.2, 0.5),
                         scene_builder_at(-0.9, 0.6, 0.25, 0), false);
    space_shared *shared;
    space *sp;
    scene_camera c;
    assert_int_equal(space_share(scene_builder_scene(b), &shared, NULL),
                     ETNA_OK);
    assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
    assert_int_equal(view_derive_camera(sp, &c, NULL), ETNA_OK);
    assert_true(fabs(c.position.x) < 1.5 && fabs(c.position.y) < 1.5 &&
                c.position.z > 0.5 && c.position.z < 1.3);
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(b);
}

/* Its top is the ceiling's height, and it hides a wall: from outside the
 * ceiling alone is seen. */
static void a_derived_camera_stands_inside_though_a_cupboard_meets_the_ceiling(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    static const double walls[4][4] = {{0, 3.05, 6, 0.1},
                                       {0, -3.05, 6, 0.1},
                                       {3.05, 0, 0.1, 6},
                                       {-3.05, 0, 0.1, 6}};
    for (int i = 0; i < 4; i++)
        scene_builder_object(
            b, "Wall", scene_builder_box(b, walls[i][2], walls[i][3], 2.5),
            scene_builder_at(walls[i][0], walls[i][1], 1.25, 0), true);
    scene_builder_object(b, "Floor", scene_builder_box(b, 6, 6, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "Ceiling", scene_builder_box(b, 6, 6, 0.005),
                         scene_builder_at(0, 0, 2.5025, 0), true);
    scene_builder_object(b, "Cupboard", scene_builder_box(b, 0.6, 5.9, 2.5),
                         scene_builder_at(2.7, 0, 1.25, 0), false);
    scene_builder_object(b, "Table", scene_builder_box(b, 1, 1, 0.7),
                         scene_builder_at(-1.5, 0, 0.35, 0), false);
    space_shared *shared;
    space *sp;
    scene_camera c;
    assert_int_equal(space_share(scene_builder_scene(b), &shared, NULL),
                     ETNA_OK);
    assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
    assert_int_equal(view_derive_camera(sp, &c, NULL), ETNA_OK);
    assert_true(fabs(c.position.x) < 3 && fabs(c.position.y) < 3 &&
                c.position.z < 2.5);
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(b);
}

static void a_request_for_what_is_named_is_read_as_it_was_written(void **state)
{
    (void)state;
    const view_named named = {.count = 3, .objects = {0, 17, 4}, .above = 250};
    char text[VIEW_REQUEST_SIZE];
    view_named read = {0};
    view_say_camera(&named, text);
    assert_string_equal(text, "auto:0,17,4^250");
    assert_true(view_read_camera(text, 18, &read));
    assert_int_equal(read.count, 3);
    assert_int_equal(read.objects[1], 17);
    assert_int_equal(read.above, 250);
    static const char *const wrong[] = {"auto",
                                        "auto:",
                                        "auto:1,",
                                        "auto:,1",
                                        "auto:x",
                                        "auto:1^",
                                        "auto:1^x",
                                        "auto:18",
                                        "auto:1 2",
                                        "auto:99999999999",
                                        "auto:1,1,1,1,1,1,1,1,1,1,1,1,1",
                                        "Camera",
                                        ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(view_read_camera(wrong[i], 18, &read));
    assert_false(view_read_camera(NULL, 18, &read));
}

static void a_camera_for_a_tower_leaves_room_over_what_is_named(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    scene_camera plain, high;
    double x, y, depth;
    view_named named = {.count = 1, .above = 150};
    named.objects[0] = scene_find_object(space_scene(f.sp), "Blue Block");
    scene_box box = scene_box_at(&space_scene(f.sp)->objects[named.objects[0]],
                                 space_pose(f.sp, named.objects[0]));
    vec3 top = v3_add(box.centre, v3(0, 0, 1.5));
    assert_int_equal(view_derive_camera(f.sp, &plain, NULL), ETNA_OK);
    assert_int_equal(view_derive_camera_for(f.sp, &named, &high, NULL),
                     ETNA_OK);
    assert_false(camera_project(&plain, top, &x, &y, &depth) && x > 0 &&
                 x < 1 && y > 0 && y < 1);
    assert_true(camera_project(&high, top, &x, &y, &depth) && x > 0 && x < 1 &&
                y > 0 && y < 1);
    fixture_close(&f);
}

/* The tea set's lids hide behind its pot from the front: no reason to take its
 * left for its back. */
static void a_derived_camera_looks_from_the_front_where_little_is_hidden(
    void **state)
{
    (void)state;
    static const char *const scenes[] = {"scenes/tea_set/tea_set_01_1k.gltf",
                                         "scenes/tea_set/tea_set_posed.gltf"};
    for (int i = 0; i < 2; i++) {
        fixture f;
        scene_camera c;
        if (!fixture_open_data(scenes[i], &f))
            skip();
        view_named named = {.count = 2, .objects = {0, 1}};
        assert_int_equal(view_derive_camera_for(f.sp, &named, &c, NULL),
                         ETNA_OK);
        assert_true(fabs(c.forward.x) < 1e-9 && c.forward.y > 0);
        assert_int_equal(view_derive_camera(f.sp, &c, NULL), ETNA_OK);
        assert_true(fabs(c.forward.x) < 1e-9 && c.forward.y > 0);
        fixture_close(&f);
    }
}

/* A place that shows a bed's end and everything else is a worse one than
 * another that shows all of the bed. */
static void a_derived_camera_cuts_nothing_large_in_half(void **state)
{
    (void)state;
    fixture f = fixture_open("closed.glb");
    scene_camera c;
    assert_int_equal(view_derive_camera(f.sp, &c, NULL), ETNA_OK);
    uint32_t largest = 0;
    for (uint32_t i = 0; i < f.s->object_count; i++) {
        if (f.s->objects[i].is_static)
            continue;
        if (f.s->objects[largest].is_static ||
            v3_length(f.s->objects[i].box.half) >
                v3_length(f.s->objects[largest].box.half))
            largest = i;
    }
    scene_box box =
        scene_box_at(&f.s->objects[largest], space_pose(f.sp, largest));
    double sine, cosine;
    math_sincos(box.yaw, &sine, &cosine);
    int inside = 0;
    for (int n = 0; n < 125; n++) {
        double a = (n % 5 - 2) * 0.45 * box.half.x,
               b = (n / 5 % 5 - 2) * 0.45 * box.half.y, x, y, depth;
        vec3 p =
            v3_add(box.centre, v3(cosine * a + sine * b, sine * a - cosine * b,
                                  (n / 25 - 2) * 0.45 * box.half.z));
        inside += camera_project(&c, p, &x, &y, &depth) && depth > 0 && x > 0 &&
                  x < 1 && y > 0 && y < 1;
    }
    assert_true(inside > 110);
    fixture_close(&f);
}

/* What is named is looked at from where it is no speck, with what it stands on:
 * half its diagonal at 0.06 of the distance or more, where a camera for
 * everything would show it from across the room. */
static void what_is_named_is_seen_from_near_enough(void **state)
{
    (void)state;
    fixture f = fixture_open("closed.glb");
    scene_camera plain;
    assert_int_equal(view_derive_camera(f.sp, &plain, NULL), ETNA_OK);
    uint32_t nearer = 0;
    for (uint32_t i = 0; i < f.s->object_count; i++) {
        if (f.s->objects[i].is_static)
            continue;
        scene_box box = scene_box_at(&f.s->objects[i], space_pose(f.sp, i));
        view_named named = {.count = 1, .objects = {i}};
        scene_camera c;
        uint32_t seen = 0;
        double size = v3_length(box.half);
        assert_int_equal(view_derive_camera_for(f.sp, &named, &c, NULL),
                         ETNA_OK);
        assert_int_equal(view_count_seen(f.sp, &c, &i, 1, &seen, NULL),
                         ETNA_OK);
        assert_int_equal(seen, 1);
        double angle = size / v3_length(v3_sub(box.centre, c.position)),
               before = size / v3_length(v3_sub(box.centre, plain.position));
        if (angle < 0.058)
            fail_msg("%s at %.3f", f.s->objects[i].name, angle);
        nearer += before < 0.058;
    }
    assert_true(nearer > 0); /* else this says nothing */
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_derived_camera_stands_inside_a_low_room),
        cmocka_unit_test(
            a_derived_camera_stands_inside_though_a_cupboard_meets_the_ceiling),
        cmocka_unit_test(a_request_for_what_is_named_is_read_as_it_was_written),
        cmocka_unit_test(a_camera_for_a_tower_leaves_room_over_what_is_named),
        cmocka_unit_test(what_is_named_is_seen_from_near_enough),
        cmocka_unit_test(the_long_side_is_1024_in_any_aspect),
        cmocka_unit_test(a_camera_is_found_by_name_or_number_and_else_refused),
        cmocka_unit_test(a_derived_camera_sees_what_is_movable),
        cmocka_unit_test(a_derived_camera_stands_inside_a_house),
        cmocka_unit_test(
            a_derived_camera_stands_inside_a_room_closed_on_all_sides),
        cmocka_unit_test(
            a_derived_camera_looks_from_the_front_where_little_is_hidden),
        cmocka_unit_test(a_derived_camera_cuts_nothing_large_in_half)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
