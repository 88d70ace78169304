/* The instance map against rays, what is counted from it, and mean colours. */
#include "fixture.h"

#include "proto/seed.h"
#include "tests/support/gltf_builder.h"
#include "worker/gltf/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* At a pixel the map and the nearest hit agree; where they name different
 * objects, both are there at the same distance (surfaces that touch), or the
 * pixel's ray runs along an edge within rounding (none of these in a few
 * thousand). */
static void compare_pixel(const fixture *f,
                          const scene_camera *camera,
                          const uint32_t *ids,
                          uint32_t w,
                          uint32_t h,
                          uint32_t x,
                          uint32_t y)
{
    space_ray ray = {.t_min = 0,
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    camera_ray(camera, (x + 0.5) / w, (y + 0.5) / h, &ray.origin,
               &ray.direction);
    space_hit hit, again;
    bool met = space_cast(f->sp, &ray, &hit);
    uint32_t id = ids[(size_t)y * w + x];
    if (!met) {
        assert_int_equal(id, SCENE_NONE);
        return;
    }
    if (id == hit.object)
        return;
    assert_int_not_equal(id, SCENE_NONE);
    ray.only_object = id;
    assert_true(space_cast(f->sp, &ray, &again));
    if (again.t > hit.t * (1 + 1e-9) + 1e-12)
        fail_msg("pixel %u %u: the map says %s at %.17g, the ray %s at %.17g",
                 x, y, f->s->objects[id].name, again.t,
                 f->s->objects[hit.object].name, hit.t);
}

static void compare_scene(const fixture *f,
                          const scene_camera *camera,
                          uint32_t w,
                          uint32_t h,
                          int pixels)
{
    uint32_t *ids = malloc((size_t)w * h * sizeof *ids);
    assert_non_null(ids);
    etna_error err;
    assert_int_equal(view_instance_map(f->sp, camera, w, h, ids, &err),
                     ETNA_OK);
    etna_random random = etna_random_from(7);
    for (int i = 0; i < pixels; i++) {
        uint32_t x = (uint32_t)etna_random_below(&random, w),
                 y = (uint32_t)etna_random_below(&random, h);
        compare_pixel(f, camera, ids, w, h, x, y);
    }
    /* where objects meet is where a rasteriser errs: all pixels beside another
     * id, too */
    int edges = 0;
    for (uint32_t y = 0; y < h && edges < pixels; y++)
        for (uint32_t x = 1; x < w; x++)
            if (ids[(size_t)y * w + x] != ids[(size_t)y * w + x - 1]) {
                compare_pixel(f, camera, ids, w, h, x, y);
                edges++;
            }
    free(ids);
}

static void map_equals_rays_in_our_scenes(void **state)
{
    (void)state;
    static const char *const names[] = {"bottles.glb", "desk.glb",
                                        "stacked.glb"};
    for (int i = 0; i < 3; i++) {
        fixture f = fixture_open(names[i]);
        compare_scene(&f, &f.camera, 1024, 768, 4000);
        scene_camera flat = f.camera; /* orthographic, from the same place */
        flat.orthographic = true;
        flat.half_height = 0.8;
        compare_scene(&f, &flat, 333, 250, 2000);
        fixture_close(&f);
    }
}

static void map_equals_rays_inside_a_house(void **state)
{
    (void)state;
    fixture f;
    if (!fixture_open_data("scenes/tea_set/tea_set_posed.gltf", &f) &&
        !fixture_open_data("scenes/habitat_simple_room/simple_room.glb", &f))
        skip();
    compare_scene(&f, &f.camera, 640, 480, 4000);
    /* triangles before, behind and through the camera's plane */
    scene_camera inside = f.camera;
    inside.position = v3_scale(v3_add(f.s->min, f.s->max), 0.5);
    compare_scene(&f, &inside, 640, 480, 4000);
    fixture_close(&f);
}

static void moved_objects_are_seen_where_they_stand(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    uint32_t red = fixture_object(&f, "Red Bottle");
    arrange_pose pose = *space_pose(f.sp, red);
    pose.position[0] += 0.5;
    pose.position[2] += 0.2;
    pose.yaw += 1;
    assert_int_equal(space_move(f.sp, red, &pose, NULL), ETNA_OK);
    compare_scene(&f, &f.camera, 512, 384, 3000);
    fixture_close(&f);
}

static void extents_count_every_pixel_once(void **state)
{
    (void)state;
    /* 4 x 3 */
    static const uint32_t ids[12] = {0, 0, SCENE_NONE, 2, 0, 1,
                                     1, 2, 9,          9, 9, 2};
    view_extent e[3];
    view_extents(ids, 4, 3, 3, e);
    assert_int_equal(e[0].pixels, 3);
    assert_int_equal(e[1].pixels, 2);
    assert_int_equal(e[2].pixels, 3);
    assert_true(e[0].box[0] == 0 && e[0].box[1] == 0 && e[0].box[2] == 0.5 &&
                e[0].box[3] == 2.0 / 3);
    assert_true(e[1].box[0] == 0.25 && e[1].box[1] == 1.0 / 3 &&
                e[1].box[2] == 0.75 && e[1].box[3] == 2.0 / 3);
    assert_true(e[2].box[0] == 0.75 && e[2].box[1] == 0 && e[2].box[2] == 1 &&
                e[2].box[3] == 1);
}

static void all_our_objects_are_seen(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bottles.glb", "bottles_plain.glb", "desk.glb",
        "crowded.glb", "crowded_strip.glb", "stacked.glb"};
    for (int i = 0; i < 6; i++) {
        fixture f = fixture_open(names[i]);
        static uint32_t ids[1024 * 768];
        view_extent e[64];
        assert_in_range(f.s->object_count, 1, 64);
        assert_int_equal(
            view_instance_map(f.sp, &f.camera, 1024, 768, ids, NULL), ETNA_OK);
        view_extents(ids, 1024, 768, f.s->object_count, e);
        for (uint32_t o = 0; o < f.s->object_count; o++) {
            uint32_t alone = 0;
            assert_true(e[o].pixels >= VIEW_SEEN_PIXELS);
            assert_int_equal(
                view_silhouette(f.sp, &f.camera, o, 1024, 768, &alone, NULL),
                ETNA_OK);
            assert_true(alone >= e[o].pixels);
        }
        fixture_close(&f);
    }
}

static void colours_are_what_the_materials_say(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles_plain.glb");
    view_colour c[64], again[64];
    assert_int_equal(view_mean_colours(f.sp, &f.camera, 1024, 768, c, NULL),
                     ETNA_OK);
    const view_colour *yellow = &c[fixture_object(&f, "Block")];
    /* one material: the factor itself, to a 16-bit step, however it is lit */
    assert_true(fabs(yellow->linear[0] - 0.86) < 1e-4 &&
                fabs(yellow->linear[1] - 0.62) < 1e-4 &&
                fabs(yellow->linear[2] - 0.02) < 1e-4);
    assert_true(yellow->srgb[0] == 239 && yellow->srgb[1] == 206 &&
                yellow->srgb[2] == 39);
    double lab[3];
    colour_srgb255_to_lab(yellow->srgb, lab);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(lab[k] - yellow->lab[k]) <= 0.005 + 1e-12);
    const view_colour *red = &c[fixture_object(&f, "Bottle")],
                      *green = &c[fixture_object(&f, "Bottle.001")],
                      *blue = &c[fixture_object(&f, "Bottle.002")];
    assert_true(red->linear[0] > 5 * red->linear[1] &&
                green->linear[1] > 4 * green->linear[0] &&
                blue->linear[2] > 4 * blue->linear[0]);
    assert_int_equal(view_mean_colours(f.sp, &f.camera, 1024, 768, again, NULL),
                     ETNA_OK);
    assert_memory_equal(c, again, f.s->object_count * sizeof *c);
    fixture_close(&f);
}

/* The chair is of beech and blue cloth, the block of bottles_plain of one
 * material. */
static void colours_that_differ_are_told_apart(void **state)
{
    (void)state;
    fixture f = fixture_open("office.glb");
    view_colour c[64];
    assert_int_equal(view_mean_colours(f.sp, &f.camera, 1024, 768, c, NULL),
                     ETNA_OK);
    const view_colour *const chair = &c[fixture_object(&f, "Chair")];
    double beech = 0;
    double cloth = 0;
    double share = 0;
    for (uint32_t i = 0; i < chair->paint_count; i++) {
        const view_paint *const paint = &chair->paints[i];
        beech += paint->lab[2] > 10 ? paint->share : 0;
        cloth += paint->lab[2] < -10 ? paint->share : 0;
        share += paint->share;
        assert_true(i == 0 || paint->share <= chair->paints[i - 1].share);
    }
    assert_true(chair->paint_count >= 2 && share <= 1.021);
    assert_true(beech > 0.1 && cloth > 0.1);
    fixture_close(&f);

    fixture plain = fixture_open("bottles_plain.glb");
    assert_int_equal(
        view_mean_colours(plain.sp, &plain.camera, 1024, 768, c, NULL),
        ETNA_OK);
    assert_int_equal(c[fixture_object(&plain, "Block")].paint_count, 0);
    fixture_close(&plain);
}

/* One material: the factor itself again; and where a thing stands is nothing to
 * that. */
static void what_is_not_seen_has_the_colour_of_its_surface(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles_plain.glb");
    view_colour c[64], own;
    assert_int_equal(view_mean_colours(f.sp, &f.camera, 1024, 768, c, NULL),
                     ETNA_OK);
    const uint32_t block = fixture_object(&f, "Block");
    view_colour_of_surface(f.s, block, &own);
    assert_true(own.pixels > 0);
    for (int k = 0; k < 3; k++)
        assert_float_equal(own.linear[k], c[block].linear[k], 1e-6);
    assert_memory_equal(own.lab, c[block].lab, sizeof own.lab);
    view_colour_of_surface(f.s, fixture_object(&f, "Bottle"), &own);
    assert_true(own.linear[0] > 5 * own.linear[1]);
    fixture_close(&f);
}

/* Rays down on the block and past it. */
static void points_that_rays_meet_have_their_own_colour(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles_plain.glb");
    const uint32_t block = fixture_object(&f, "Block");
    const vec3 at = f.s->objects[block].box.centre;
    space_hit hits[4];
    view_colour c;
    for (int i = 0; i < 4; i++) {
        const space_ray ray = {
            .origin = v3(at.x + 0.01 * i, at.y, i < 3 ? at.z + 9 : at.z - 99),
            .direction = {0, 0, -1},
            .t_max = INFINITY,
            .skip_object = SCENE_NONE,
            .only_object = block};
        if (!space_cast(f.sp, &ray, &hits[i]))
            hits[i].object = SCENE_NONE;
    }
    view_colour_of_hits(f.sp, hits, 4, &c);
    assert_int_equal(c.pixels, 3);
    assert_true(c.srgb[0] == 239 && c.srgb[1] == 206 && c.srgb[2] == 39);
    view_colour_of_hits(f.sp, hits + 3, 1, &c);
    assert_int_equal(c.pixels, 0);
    fixture_close(&f);
}

/* Two plates of one model, red on the one face and blue on the other, and of
 * one red plate the same: the camera sees each pair's first from before and its
 * second from behind. */
static fixture open_plates(void)
{
    static const char *const names[] = {"plate 1", "plate 2", "red plate 1",
                                        "red plate 2"};
    fixture f = {0};
    etna_error err = {0};
    uint8_t *bundle;
    size_t size;
    size_t bundle_size;
    gltf_builder *b = gltf_builder_new();
    const uint32_t red = gltf_builder_material(b, "red", 0.8, 0, 0),
                   blue = gltf_builder_material(b, "blue", 0, 0, 0.8);
    const uint32_t faces[] = {
        gltf_builder_box_mesh(b, v3(0.5, 0.02, 0.5), red),
        gltf_builder_box_mesh(b, v3(0.5, 0.02, 0.5), blue)};
    for (int i = 0; i < 4; i++) {
        const double at[3] = {i, 0, 0},
                     turned[4] = {0, i % 2, 0, i % 2 ? 0 : 1},
                     behind[3] = {0, 0, -0.02};
        gltf_builder_node front = gltf_builder_node_default(names[i]),
                          back = gltf_builder_node_default("back");
        front.mesh = faces[0];
        front.translation = at;
        front.rotation = turned;
        back.parent = gltf_builder_add_node(b, &front);
        back.mesh = faces[i < 2 ? 1 : 0];
        back.translation = behind;
        gltf_builder_add_node(b, &back);
    }
    gltf_builder_camera(b, "camera", v3(1.5, -6, 0.5), v3(1.5, 0, 0), 40, 1.5);
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    assert_int_equal(
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, &err), ETNA_OK);
    assert_int_equal(scene_import(bundle, bundle_size, &f.s, &err), ETNA_OK);
    assert_int_equal(space_share(f.s, &f.shared, &err), ETNA_OK);
    assert_int_equal(space_new(f.shared, &f.sp, &err), ETNA_OK);
    f.camera = f.s->cameras[0];
    free(bundle);
    free(glb);
    return f;
}

static void things_of_one_model_have_one_colour_whichever_side_is_seen(
    void **state)
{
    (void)state;
    fixture f = open_plates();
    view_colour c[8];
    assert_int_equal(f.s->object_count, 4);
    assert_int_equal(view_mean_colours(f.sp, &f.camera, 300, 200, c, NULL),
                     ETNA_OK);
    const view_colour *plate = &c[fixture_object(&f, "plate 1")],
                      *red = &c[fixture_object(&f, "red plate 1")];
    assert_memory_equal(plate, &c[fixture_object(&f, "plate 2")],
                        sizeof *plate);
    assert_memory_equal(red, &c[fixture_object(&f, "red plate 2")],
                        sizeof *red);
    /* red as often as blue */
    assert_true(plate->linear[0] > 0.3 && plate->linear[0] < 0.5);
    assert_true(plate->linear[2] > 0.3 && plate->linear[2] < 0.5);
    assert_true(red->linear[0] > 0.79 &&
                red->linear[2] < 0.01); /* another model with the same front */
    fixture_close(&f);
}

static void impossible_sizes_are_refused_and_change_nothing(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    uint32_t ids[1] = {77}, pixels = 5;
    etna_error err;
    assert_int_equal(view_instance_map(f.sp, &f.camera, 0, 5, ids, &err),
                     ETNA_E_LIMIT);
    assert_int_equal(
        view_instance_map(f.sp, &f.camera, VIEW_SIDE_MAX + 1, 1, ids, &err),
        ETNA_E_LIMIT);
    assert_non_null(strstr(err.text, "--size"));
    assert_int_equal(
        view_silhouette(f.sp, &f.camera, 4000, 10, 10, &pixels, &err),
        ETNA_E_INTERNAL);
    assert_int_equal(ids[0], 77);
    assert_int_equal(pixels, 5);
    assert_int_equal(view_instance_map(f.sp, &f.camera, 1, 1, ids, &err),
                     ETNA_OK);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_equals_rays_in_our_scenes),
        cmocka_unit_test(map_equals_rays_inside_a_house),
        cmocka_unit_test(moved_objects_are_seen_where_they_stand),
        cmocka_unit_test(extents_count_every_pixel_once),
        cmocka_unit_test(all_our_objects_are_seen),
        cmocka_unit_test(colours_are_what_the_materials_say),
        cmocka_unit_test(colours_that_differ_are_told_apart),
        cmocka_unit_test(points_that_rays_meet_have_their_own_colour),
        cmocka_unit_test(what_is_not_seen_has_the_colour_of_its_surface),
        cmocka_unit_test(
            things_of_one_model_have_one_colour_whichever_side_is_seen),
        cmocka_unit_test(impossible_sizes_are_refused_and_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
