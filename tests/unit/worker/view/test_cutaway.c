/* Buildings cut open: `--camera cutaway`, `top` and `orbit:AZ,EL`. */
#include "fixture.h"

#include "tests/support/scene_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WIDTH = 240,
    HEIGHT = 180
};

typedef struct opened {
    scene_builder *b;
    scene *s;
    space_shared *shared;
    space *sp;
} opened;

static opened open_built(scene_builder *b)
{
    opened o = {.b = b, .s = scene_builder_scene(b)};
    assert_int_equal(space_share(o.s, &o.shared, NULL), ETNA_OK);
    assert_int_equal(space_new(o.shared, &o.sp, NULL), ETNA_OK);
    return o;
}

static void close_opened(opened *o)
{
    space_free(o->sp);
    space_shared_free(o->shared);
    scene_builder_free(o->b);
}

/* Floor, walls and ceiling are one closed box of one object, turned by `yaw`;
 * four things stand in its corners. */
static opened one_mesh_room(double yaw)
{
    scene_builder *b = scene_builder_new();
    double s, c;
    math_sincos(yaw * (MATH_PI / 180), &s, &c);
    scene_builder_object(b, "room", scene_builder_box(b, 6, 4, 2.5),
                         scene_builder_at(0, 0, 1.25, yaw), true);
    uint32_t box = scene_builder_box(b, 0.5, 0.5, 0.8);
    static const char *const names[4] = {"chair", "table", "chest", "stool"};
    for (int i = 0; i < 4; i++) {
        double x = i & 1 ? 2.5 : -2.5, y = i & 2 ? 1.5 : -1.5;
        scene_builder_object(
            b, names[i], box,
            scene_builder_at(x * c - y * s, x * s + y * c, 0.4, yaw), false);
    }
    return open_built(b);
}

static scene_camera cut_for(opened *o, const char *request)
{
    view_cut_request asked;
    scene_camera camera;
    assert_true(view_read_cutaway(o->s, request, &asked));
    assert_int_equal(view_cutaway(o->sp, &asked, &camera, NULL), ETNA_OK);
    return camera;
}

/* Every movable object shows, and lies within the picture. */
static void expect_all_in_sight(const opened *o,
                                const scene_camera *camera,
                                uint32_t least)
{
    uint32_t *ids = malloc(WIDTH * HEIGHT * sizeof *ids);
    view_extent *extents = malloc(o->s->object_count * sizeof *extents);
    scene_camera sized = view_camera_sized(camera, WIDTH, HEIGHT);
    assert_int_equal(view_instance_map(o->sp, &sized, WIDTH, HEIGHT, ids, NULL),
                     ETNA_OK);
    view_extents(ids, WIDTH, HEIGHT, o->s->object_count, extents);
    for (uint32_t i = 0; i < o->s->object_count; i++) {
        const scene_object *object = &o->s->objects[i];
        if (object->is_static)
            continue;
        if (extents[i].pixels < least)
            fail_msg("%s shows %u pixels", object->name, extents[i].pixels);
        bool at_edge = extents[i].box[0] <= 0 || extents[i].box[1] <= 0 ||
                       extents[i].box[2] >= 1;
        if (at_edge || extents[i].box[3] >= 1)
            fail_msg("%s is cut by the picture's edge", object->name);
    }
    free(extents);
    free(ids);
}

/* Every pixel's object is the one that a ray through it meets. */
static void expect_rays_agree(const opened *o, const scene_camera *camera)
{
    uint32_t *ids = malloc(WIDTH * HEIGHT * sizeof *ids), differ = 0;
    scene_camera sized = view_camera_sized(camera, WIDTH, HEIGHT);
    assert_int_equal(view_instance_map(o->sp, &sized, WIDTH, HEIGHT, ids, NULL),
                     ETNA_OK);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        space_ray ray = {.t_max = INFINITY,
                         .skip_object = SCENE_NONE,
                         .only_object = SCENE_NONE};
        space_hit hit;
        camera_ray(&sized, (i % WIDTH + 0.5) / WIDTH,
                   (i / WIDTH + 0.5) / HEIGHT, &ray.origin, &ray.direction);
        uint32_t met = space_cast(o->sp, &ray, &hit) ? hit.object : SCENE_NONE;
        differ += met != ids[i];
    }
    assert_int_equal(differ, 0);
    free(ids);
}

static void a_room_in_one_mesh_is_opened_from_above_and_in_front(void **state)
{
    (void)state;
    static const double yaws[] = {0, 30, 77};
    for (size_t i = 0; i < sizeof yaws / sizeof *yaws; i++) {
        opened o = one_mesh_room(yaws[i]);
        scene_camera camera = cut_for(&o, "cutaway");
        assert_string_equal(camera.name, "cutaway");
        assert_true(camera.position.z > 2.5);
        assert_true(camera.cut_count >= 2); /* the ceiling and a wall */
        expect_all_in_sight(&o, &camera, 150);
        expect_rays_agree(&o, &camera);
        close_opened(&o);
    }
}

static void a_plan_shows_a_closed_box_without_its_ceiling(void **state)
{
    (void)state;
    opened o = one_mesh_room(0);
    scene_camera camera = cut_for(&o, "top");
    assert_true(camera.orthographic && camera.forward.z == -1 &&
                camera.up.y == 1);
    assert_int_equal(camera.cut_count, 1);
    expect_all_in_sight(&o, &camera, 150);
    expect_rays_agree(&o, &camera);
    close_opened(&o);
}

static void an_orbit_stands_at_its_degrees_and_opens_the_side_it_is_on(
    void **state)
{
    (void)state;
    opened o = one_mesh_room(0);
    scene_camera camera = cut_for(&o, "orbit:90,20");
    assert_string_equal(camera.name, "orbit");
    assert_true(camera.position.x > 3 && fabs(camera.forward.y) < 1e-12);
    expect_all_in_sight(&o, &camera, 30);
    camera = cut_for(&o, "orbit:0,10.5");
    assert_true(camera.position.y < -2 && fabs(camera.position.x) < 0.1);
    expect_all_in_sight(&o, &camera, 30);
    camera = cut_for(&o, "orbit:-360,90");
    assert_true(v3_finite(camera.position) && v3_finite(camera.right) &&
                fabs(v3_length(camera.up) - 1) < 1e-9);
    close_opened(&o);
}

static void a_scene_without_walls_is_only_seen_from_above(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t box = scene_builder_box(b, 0.2, 0.2, 0.2);
    for (int i = 0; i < 3; i++)
        scene_builder_object(b, i ? "b" : "a", box,
                             scene_builder_at(i, i, 0.1, 0), false);
    opened o = open_built(b);
    scene_camera camera = cut_for(&o, "cutaway");
    assert_int_equal(camera.cut_count, 0);
    expect_all_in_sight(&o, &camera, 50);
    camera = cut_for(&o, "top");
    expect_all_in_sight(&o, &camera, 50);
    close_opened(&o);
}

static void a_scene_of_nothing_movable_and_an_empty_one_have_cameras_too(
    void **state)
{
    (void)state;
    for (int count = 0; count < 2; count++) {
        scene_builder *b = scene_builder_new();
        uint32_t box = scene_builder_box(b, 6, 4, 2.5);
        for (int i = 0; i < count; i++)
            scene_builder_object(b, "room", box,
                                 scene_builder_at(0, 0, 1.25, 0), true);
        opened o = open_built(b);
        static const char *const requests[] = {"cutaway", "top", "orbit:12,34"};
        for (int i = 0; i < 3; i++) {
            scene_camera camera = cut_for(&o, requests[i]);
            assert_true(v3_finite(camera.position) && v3_finite(camera.up) &&
                        camera.half_height > 0);
        }
        close_opened(&o);
    }
}

/* A wardrobe is as high as a wall, and the things stand to one side of it; it
 * is no wall. */
static void high_furniture_stays_where_the_camera_is_behind_it(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "room", scene_builder_box(b, 6, 4, 2.5),
                         scene_builder_at(0, 0, 1.25, 0), true);
    uint32_t wardrobe =
        scene_builder_object(b, "wardrobe", scene_builder_box(b, 1.5, 0.6, 2.2),
                             scene_builder_at(0, -1.69, 1.11, 0), true);
    uint32_t box = scene_builder_box(b, 0.5, 0.5, 0.8);
    for (int i = 0; i < 2; i++)
        scene_builder_object(b, i ? "chair" : "chest", box,
                             scene_builder_at(i ? 2 : -2, 1, 0.41, 0), false);
    opened o = open_built(b);
    scene_camera camera = cut_for(&o, "orbit:0,30");
    uint32_t *ids = malloc(WIDTH * HEIGHT * sizeof *ids), seen = 0;
    assert_int_equal(view_instance_map(o.sp, &camera, WIDTH, HEIGHT, ids, NULL),
                     ETNA_OK);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        seen += ids[i] == wardrobe;
    assert_true(seen > 500);
    free(ids);
    close_opened(&o);
}

/* One thing of many outside does not keep the room shut, whichever side the
 * camera is on. */
static void a_thing_before_the_door_does_not_keep_the_room_shut(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "room", scene_builder_box(b, 6, 4, 2.5),
                         scene_builder_at(0, 0, 1.25, 0), true);
    uint32_t box = scene_builder_box(b, 0.3, 0.3, 0.3);
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "box %d", i);
        scene_builder_object(
            b, name, box,
            scene_builder_at(i % 5 - 2, i / 5 * 0.8 - 1.2, 0.15, 0), false);
    }
    scene_builder_object(b, "gnome", box, scene_builder_at(0, -4, 0.15, 0),
                         false);
    opened o = open_built(b);
    scene_camera camera = cut_for(&o, "orbit:0,35");
    assert_true(camera.cut_count >= 2);
    camera = cut_for(&o, "cutaway"); /* from where the gnome shows, too */
    expect_all_in_sight(&o, &camera, 20);
    close_opened(&o);
}

static void what_is_cut_away_casts_no_shadow(void **state)
{
    (void)state;
    opened o = one_mesh_room(0);
    view_image open = {0};
    scene_camera camera = cut_for(&o, "top");
    assert_int_equal(view_render(o.sp, &camera, WIDTH, HEIGHT, 1, &open, NULL),
                     ETNA_OK);
    const uint8_t *middle =
        open.rgb + 3 * (size_t)(HEIGHT / 2 * WIDTH + WIDTH / 2);
    const uint8_t *corner =
        open.rgb + 3 * (size_t)(HEIGHT * 2 / 3 * WIDTH + WIDTH / 2);
    assert_true(abs(middle[0] - corner[0]) < 12);
    /* lit: the plain box would be all in the ceiling's shadow */
    assert_true(middle[0] > 70);
    view_image_free(&open);
    close_opened(&o);
}

static void requests_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "Cutaway",
                                      "orbit",
                                      "orbit:",
                                      "orbit:1",
                                      "orbit:1,",
                                      "orbit:,1",
                                      "orbit:1,91",
                                      "orbit:361,0",
                                      "orbit:1,2,3",
                                      "orbit:1 2",
                                      "orbit:nan,0",
                                      "topp",
                                      "orbit:1e9,2",
                                      "orbit:--1,2",
                                      "orbit:.,.",
                                      "orbit:1,inf",
                                      "orbit:99999999999999999999,1"};
    view_cut_request asked;
    scene_camera own = {.name = "top"};
    scene none = {0}, with = {.camera_count = 1, .cameras = &own};
    assert_false(view_read_cutaway(&none, NULL, &asked));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (view_read_cutaway(&none, bad[i], &asked))
            fail_msg("%s was taken", bad[i]);
    assert_true(view_read_cutaway(&none, "orbit:-12.5,45", &asked));
    assert_true(asked.kind == VIEW_ORBIT && asked.azimuth == -12.5 &&
                asked.elevation == 45);
    assert_true(view_read_cutaway(&none, "top", &asked));
    assert_false(view_read_cutaway(&with, "top", &asked)); /* the file's own */
    assert_true(view_read_cutaway(&with, "cutaway", &asked));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_in_one_mesh_is_opened_from_above_and_in_front),
        cmocka_unit_test(a_plan_shows_a_closed_box_without_its_ceiling),
        cmocka_unit_test(
            an_orbit_stands_at_its_degrees_and_opens_the_side_it_is_on),
        cmocka_unit_test(a_scene_without_walls_is_only_seen_from_above),
        cmocka_unit_test(
            a_scene_of_nothing_movable_and_an_empty_one_have_cameras_too),
        cmocka_unit_test(high_furniture_stays_where_the_camera_is_behind_it),
        cmocka_unit_test(a_thing_before_the_door_does_not_keep_the_room_shut),
        cmocka_unit_test(what_is_cut_away_casts_no_shadow),
        cmocka_unit_test(requests_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
