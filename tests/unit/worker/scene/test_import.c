/* What a file becomes: objects, boxes, static parts, names, cameras, materials,
 * by METHODS.md 1. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t add(gltf_builder *b,
                    const char *name,
                    uint32_t parent,
                    uint32_t mesh,
                    double x,
                    double y,
                    double z)
{
    double t[3] = {x, z, -y}; /* world to file */
    gltf_builder_node node = gltf_builder_node_default(name);
    node.parent = parent;
    node.mesh = mesh;
    node.translation = t;
    return gltf_builder_add_node(b, &node);
}

static uint32_t add_floor(gltf_builder *b)
{
    return gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(6, 6, 0.1), 0,
                            GLTF_NONE);
}

static bool warns(const scene *s, const char *part)
{
    for (uint32_t i = 0; i < s->report.warning_count; i++) {
        if (strstr(s->report.warnings[i], part)) {
            return true;
        }
    }
    return false;
}

/* ---- frame and box ---- */

static void test_y_up_becomes_z_up_and_the_front_looks_along_minus_y(
    void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(1, 2, 3), v3(0.4, 0.6, 0.8), 0, GLTF_NONE);
    gltf_builder_box(b, "b", v3(-1, 2, 3), v3(0.4, 0.6, 0.8), 30, GLTF_NONE);
    opened o = open_builder(b);
    scene_box straight = {v3(1, 2, 3), v3(0.2, 0.3, 0.4), 0},
              turned = {v3(-1, 2, 3), v3(0.2, 0.3, 0.4), MATH_PI / 6};
    assert_box(&object_named(o.s, "a")->box, &straight, 1e-6);
    assert_box(&object_named(o.s, "b")->box, &turned, 1e-6);
    const scene_object *a = object_named(o.s, "a");
    assert_true(v3_distance(a->min, v3(0.8, 1.7, 2.6)) < 1e-6 &&
                v3_distance(a->max, v3(1.2, 2.3, 3.4)) < 1e-6);
    assert_true(v3_length(o.s->recentre) == 0);
    close_opened(&o);
}

/* A node whose mesh stands askew in it: the least rectangle is much smaller
 * than the one along the node's axes. */
static void test_an_askew_mesh_gets_the_least_rectangle_near_its_front(
    void **state)
{
    (void)state;
    float position[12];
    const uint32_t index[6] = {0, 1, 2, 0, 2, 3};
    static const double corner[4][2] = {
        {-1, -0.2}, {1, -0.2}, {1, 0.2}, {-1, 0.2}};
    double s, c;
    math_sincos(25 * MATH_PI / 180, &s,
                /* in the file x to the right, z to the front: a turn about Y
                 * up */
                &c);
    for (int i = 0; i < 4; i++) {
        position[3 * i] = (float)(c * corner[i][0] + s * corner[i][1]);
        position[3 * i + 1] = i % 2 ? 0.0f : 0.1f;
        position[3 * i + 2] = (float)(-s * corner[i][0] + c * corner[i][1]);
    }
    for (int turn = 0; turn < 360; turn += 45) {
        gltf_builder *b = gltf_builder_new();
        double half = turn * MATH_PI / 360, q[4] = {0, sin(half), 0, cos(half)};
        gltf_builder_node node = gltf_builder_node_default("plank");
        node.mesh =
            gltf_builder_mesh(b, "plank", position, 4, index, 6, GLTF_NONE);
        node.rotation = q;
        gltf_builder_add_node(b, &node);
        opened o = open_builder(b);
        scene_box wanted = {v3(0, 0, 0.05), v3(1, 0.2, 0.05),
                            (turn + 25) * MATH_PI / 180};
        assert_box(&o.s->objects[0].box, &wanted, 1e-6);
        close_opened(&o);
    }
}

static void test_a_lying_node_takes_its_next_axis_as_heading(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    /* its +Z looks up */
    double q[4] = {-sin(MATH_PI / 4), 0, 0, cos(MATH_PI / 4)};
    gltf_builder_node node = gltf_builder_node_default("picture");
    node.mesh = gltf_builder_box_mesh(b, v3(0.4, 0.05, 0.6), GLTF_NONE);
    node.rotation = q;
    gltf_builder_add_node(b, &node);
    opened o = open_builder(b);
    assert_true(fabs(o.s->objects[0].box.yaw - MATH_PI / 2) < 1e-9); /* +X */
    close_opened(&o);
}

static void test_a_flat_or_single_line_object_has_a_box(void **state)
{
    (void)state;
    const float position[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const uint32_t index[3] = {0, 1, 2};
    gltf_builder *b = gltf_builder_new();
    add(b, "line", GLTF_NONE,
        gltf_builder_mesh(b, "line", position, 3, index, 3, GLTF_NONE), 0, 0,
        0);
    opened o = open_builder(b);
    assert_true(v3_distance(o.s->objects[0].box.half, v3(1, 0, 0)) < 1e-12);
    close_opened(&o);
}

static void test_motion_at_the_base_pose_is_exactly_nothing(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(1.234567, 2.1, 3), v3(0.4, 0.6, 0.8), 33,
                     GLTF_NONE);
    opened o = open_builder(b);
    arrange_pose pose = scene_base_pose(&o.s->objects[0]);
    affine motion = scene_motion(&o.s->objects[0], &pose),
           one = affine_identity();
    assert_memory_equal(&motion, &one, sizeof one);
    pose.yaw += 1;
    pose.position[0] += 2;
    motion = scene_motion(&o.s->objects[0], &pose);
    vec3 centre = affine_point(&motion, o.s->objects[0].box.centre);
    assert_true(v3_distance(centre, v3(pose.position[0], pose.position[1],
                                       pose.position[2])) < 1e-12);
    scene_box box = scene_box_at(&o.s->objects[0], &pose);
    vec3 corners[8], base[8];
    scene_box_corners(&box, corners);
    scene_box_corners(&o.s->objects[0].box, base);
    for (int i = 0; i < 8; i++) {
        assert_true(v3_distance(affine_point(&motion, base[i]), corners[i]) <
                    1e-12);
    }
    vec3 up = v3_cross(v3_sub(base[1], base[0]),
                       /* counter-clockwise from above */
                       v3_sub(base[2], base[1]));
    assert_true(up.z > 0 && base[4].z > base[0].z);
    close_opened(&o);
}

/* ---- objects ---- */

static void test_wrappers_open_groups_stay_and_apart_children_part(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    uint32_t root = add(b, "root", GLTF_NONE, GLTF_NONE, 0, 0, 0);
    /* only one at its level: opened */
    uint32_t wrapper = add(b, "wrapper", root, GLTF_NONE, 0, 0, 0);
    /* its parts touch: one object */
    uint32_t chair = add(b, "chair", wrapper, GLTF_NONE, 0, 0, 0);
    add(b, "seat", chair, cube, 0, 0, 0.1);
    add(b, "back", chair, cube, 0, 0.15, 0.2);
    add(b, "leg", chair, cube, 0.1, 0.1, 0);
    /* three apart, one on another: opened */
    uint32_t shelf = add(b, "things", wrapper, GLTF_NONE, 3, 0, 0);
    add(b, "cup", shelf, cube, 0, 0, 0.1);
    add(b, "saucer", shelf, cube, 0, 0, 0.3);
    add(b, "spoon", shelf, cube, 1, 0, 0.1);
    /* two only: together, however far apart */
    uint32_t pair = add(b, "pair", wrapper, GLTF_NONE, -3, 0, 0);
    add(b, "left", pair, cube, 0, 0, 0);
    add(b, "right", pair, cube, 1, 0, 0);
    /* a mesh node whose child touches it */
    uint32_t lamp = add(b, "lamp", wrapper, cube, 0, 3, 0);
    add(b, "shade", lamp, cube, 0, 0, 0.2);
    /* a mesh node whose child does not */
    uint32_t parent = add(b, "parent", wrapper, cube, 0, -3, 0);
    add(b, "child", parent, cube, 1, 0, 0);
    opened o = open_builder(b);
    static const char *const names[] = {"chair", "cup",  "saucer", "spoon",
                                        "pair",  "lamp", "parent", "child"};
    static const uint32_t parts[] = {3, 1, 1, 1, 2, 2, 1, 1};
    assert_int_equal(o.s->object_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_string_equal(o.s->objects[i].name, names[i]);
        assert_int_equal(o.s->objects[i].part_count, parts[i]);
        for (uint32_t p = 0; p < parts[i]; p++) {
            assert_int_equal(o.s->parts[o.s->objects[i].first_part + p].object,
                             i);
        }
    }
    assert_int_equal(o.s->mesh_count, 1); /* equal geometry is kept once */
    close_opened(&o);
}

/* Pieces a few millimetres high have no bottom that is far from any top. */
static void test_what_is_flat_and_lies_within_its_neighbour_is_one_with_it(
    void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t body = gltf_builder_box_mesh(b, v3(0.05, 0.1, 0.01), GLTF_NONE);
    uint32_t key = gltf_builder_box_mesh(b, v3(0.02, 0.04, 0.004), GLTF_NONE);
    uint32_t desk = add(b, "desk things", GLTF_NONE, GLTF_NONE, 0, 0, 0);
    uint32_t mouse = add(b, "mouse", desk, GLTF_NONE, 0, 0, 0);
    add(b, "body", mouse, body, 0, 0, 0.005);
    add(b, "left key", mouse, key, -0.01, 0, 0.009);
    add(b, "right key", mouse, key, 0.015, 0, 0.009);
    /* on one another these are, and things of their own */
    uint32_t pile = add(b, "papers", desk, GLTF_NONE, 1, 0, 0);
    add(b, "pad", pile, body, 0, 0, 0.005);
    add(b, "card", pile, key, 0, 0, 0.012);
    add(b, "ticket", pile, key, 0.2, 0, 0.002);
    opened o = open_builder(b);
    static const char *const names[] = {"mouse", "pad", "card", "ticket"};
    assert_int_equal(o.s->object_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(o.s->objects[i].name, names[i]);
    close_opened(&o);
}

static void test_names_are_unique_stable_and_printable(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    static const char *const given[] = {
        "a", "a", "a.2", "a", "", " b\\u001b[31m\\n", "caf\\u00e9"};
    static const char *const shown[] = {"a",   "a.3",    "a.2",        "a.4",
                                        "box", "b [31m", "caf\xc3\xa9"};
    for (int i = 0; i < 7; i++) {
        add(b, given[i], GLTF_NONE, cube, i, 0, 0);
    }
    opened o = open_builder(b);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(o.s->objects[i].name, shown[i]);
        assert_int_equal(scene_find_object(o.s, shown[i]), i);
    }
    assert_int_equal(scene_find_object(o.s, "none"), SCENE_NONE);
    close_opened(&o);
}

/* ---- static, stray, scale ---- */

static void test_static_by_shape_and_by_name(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    /* wide and lowest */
    gltf_builder_box(b, "slab", v3(0, 0, -0.05), v3(6, 6, 0.1), 0, GLTF_NONE);
    /* wide and topmost */
    gltf_builder_box(b, "lid", v3(0, 0, 2.55), v3(6, 6, 0.1), 0, GLTF_NONE);
    /* tall and thin */
    gltf_builder_box(b, "screen", v3(2, 0, 1), v3(0.2, 1, 1.9), 0, GLTF_NONE);
    gltf_builder_box(b, "HouseWallB_01_001", v3(-2, 0, 0.5), v3(1, 1, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "doors(Clone).2", v3(-2, 2, 0.5), v3(1, 1, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "WallClock", v3(2, 2, 0.5), v3(0.3, 0.3, 0.3), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "picture_book_floor", v3(1, 2, 0.5), v3(0.3, 0.2, 0.02),
                     0, GLTF_NONE);
    gltf_builder_box(b, "wallet", v3(1, 2, 0.05), v3(0.1, 0.1, 0.1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "table", v3(0, 0, 0.4), v3(1, 1, 0.8), 0, GLTF_NONE);
    /* higher than broad, and as thick as it is broad */
    gltf_builder_box(b, "lampSquareFloor", v3(1, 1, 0.7), v3(0.3, 0.3, 1.4), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "bookcaseClosedDoors", v3(-1, 1, 0.5),
                     v3(0.5, 0.4, 0.9), 0, GLTF_NONE);
    gltf_builder_box(b, "kitchen_door", v3(-1, 2, 0.5), v3(0.5, 0.2, 0.9), 0,
                     GLTF_NONE);
    /* hangs on one, and is none: the other stands on the ground */
    gltf_builder_box(b, "fiddle_wall", v3(0, 2.9, 1.6), v3(0.22, 0.06, 0.7), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "low_wall", v3(0, -2.9, 0.35), v3(0.22, 0.06, 0.7), 0,
                     GLTF_NONE);
    opened o = open_builder(b);
    static const bool is_static[] = {true,  true,  true,  true,  true,
                                     false, false, false, false, false,
                                     false, true,  false, true};
    for (uint32_t i = 0; i < o.s->object_count; i++) {
        if (o.s->objects[i].is_static != is_static[i]) {
            fail_msg("%s: %s", o.s->objects[i].name, o.s->objects[i].why);
        }
        assert_true(!is_static[i] || strstr(o.s->objects[i].why, "static: "));
    }
    uint32_t table = scene_find_object(o.s, "table");
    scene_set_static_by_cut(o.s, table);
    assert_true(o.s->objects[table].is_static &&
                o.s->objects[table].static_by_cut);
    scene_set_static_by_cut(o.s, 0);
    assert_false(o.s->objects[0].static_by_cut);
    close_opened(&o);
}

static void test_a_stray_300_km_away_is_named_and_spoils_nothing(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    add_floor(b);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "cup%d", i);
        gltf_builder_box(b, name, v3(i * 0.5, 0.1, 0.1), v3(0.1, 0.1, 0.2), 10,
                         GLTF_NONE);
    }
    gltf_builder_box(b, "book", v3(0, 0, 300000), v3(0.2, 0.3, 0.05), 0,
                     GLTF_NONE);
    opened o = open_builder(b);
    assert_true(object_named(o.s, "book")->stray);
    assert_false(object_named(o.s, "book")->is_static);
    assert_true(warns(o.s, "\"book\" is a stray"));
    assert_true(o.s->max.z < 1);
    scene_box wanted = {v3(1.5, 0.1, 0.1), v3(0.05, 0.05, 0.1),
                        10 * MATH_PI / 180};
    assert_box(&object_named(o.s, "cup3")->box, &wanted, 1e-8);
    close_opened(&o);
}

static void test_a_scene_far_from_its_origin_is_recentred_in_double(
    void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    for (int i = 0; i < 3; i++) {
        gltf_builder_box(b, "cup", v3(600123.25 + i, -5000321.5, 12),
                         v3(0.1, 0.1, 0.2), 10, GLTF_NONE);
    }
    opened o = open_builder(b);
    assert_true(v3_distance(o.s->recentre, v3(600100, -5000300, 0)) < 1e-9);
    scene_box wanted = {v3(24.25, -21.5, 12), v3(0.05, 0.05, 0.1),
                        10 * MATH_PI / 180};
    assert_box(&o.s->objects[1].box, &wanted, 1e-8);
    size_t size;
    uint8_t *glb = export_moved(&o, "cup.2", v3(0.5, 0, 0), 0.1, &size);
    opened again = open_glb(glb, size);
    wanted.centre.x += 0.5;
    wanted.yaw += 0.1;
    assert_box(&again.s->objects[1].box, &wanted, 1e-8);
    free(glb);
    close_opened(&again);
    close_opened(&o);
}

static void test_wrong_unit_and_up_axis_are_guessed_aloud(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 3; wrong++) {
        gltf_builder *b = gltf_builder_new();
        double k = wrong == 1 ? 100 : 1;
        for (int i = 0; i < 5; i++) {
            vec3 at = v3(i * k, k * 0.3 * i, 0.1 * k),
                 size = v3(0.2 * k, 0.2 * k, 0.2 * k);
            /* a Z-up file read as Y-up: what stood on z = 0 hangs against a
             * wall */
            if (wrong == 2) {
                at = v3(at.x, 0.1, k * 0.3 * i + 0.03 * i * i);
            }
            gltf_builder_box(b, "box", at, size, 0, GLTF_NONE);
        }
        opened o = open_builder(b);
        assert_int_equal(warns(o.s, "--unit"), wrong == 1);
        assert_int_equal(warns(o.s, "--up"), wrong == 2);
        close_opened(&o);
    }
}

/* A kitchen of which the sizes are `k` times what they are, its chairs `odd`
 * times that; `unit`: said of it, or 0. */
static opened kitchen_open(double k, double odd, double unit)
{
    static const struct thing {
        const char *name;
        double size[3];
    } things[] = {{"Table", {1.4, 0.8, 0.75}},
                  {"Chair_01", {0.45, 0.5, 0.9}},
                  {"Chair_02", {0.45, 0.5, 0.9}},
                  {"coffee mug", {0.12, 0.09, 0.1}},
                  {"Fridge", {0.6, 0.6, 1.8}}};
    gltf_builder *b = gltf_builder_new();
    for (int i = 0; i < 5; i++) {
        const double *s = things[i].size;
        const double own = k * (i == 1 || i == 2 ? odd : 1);
        gltf_builder_box(b, things[i].name,
                         v3(2 * i * k, 0.3 * i * k, s[2] * own / 2),
                         v3(s[0] * own, s[1] * own, s[2] * own), 0, GLTF_NONE);
    }
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    scene_options options = scene_options_default();
    options.metres_per_unit = unit;
    opened o = {0};
    assert_int_equal(
        bundle_from_glb(glb, size, &options, &o.bundle, &o.size, NULL),
        ETNA_OK);
    free(glb);
    assert_int_equal(scene_import(o.bundle, o.size, &o.s, NULL), ETNA_OK);
    return o;
}

/* The unit that such a kitchen is read with. */
static double kitchen_unit(double k)
{
    opened o = kitchen_open(k, 1, 0);
    const double unit = o.s->metres_per_unit;
    assert_int_equal(o.s->unit_is_guessed, unit != 1);
    assert_int_equal(warns(o.s, "is taken for"), unit != 1);
    close_opened(&o);
    return unit;
}

static void test_things_of_known_kinds_tell_the_unit(void **state)
{
    (void)state;
    assert_true(kitchen_unit(1) == 1);
    assert_true(kitchen_unit(1.6) == 1); /* as for children */
    assert_true(kitchen_unit(10) == 0.1);
    assert_true(kitchen_unit(100) == 0.01);
    assert_true(kitchen_unit(39.37) == 0.0254);
    assert_true(kitchen_unit(3.28) == 0.3048);
    assert_true(kitchen_unit(0.01) == 100);
    /* between a foot and a tenth of a metre: as much as it takes */
    assert_true(fabs(kitchen_unit(4.4) * 4.4 - 1) < 0.25);
}

static void test_a_unit_that_is_said_is_doubted_and_taken(void **state)
{
    (void)state;
    opened o = kitchen_open(100, 1, 1);
    assert_true(o.s->metres_per_unit == 1 && !o.s->unit_is_guessed);
    assert_true(warns(o.s, "--unit 0.01 "));
    close_opened(&o);
    o = kitchen_open(100, 1, 0.01);
    assert_true(o.s->metres_per_unit == 0.01 && !o.s->unit_is_guessed);
    assert_false(warns(o.s, "--unit"));
    close_opened(&o);
}

/* Doll's chairs at a giant's table say nothing of the file. */
static void test_things_of_two_scales_tell_no_unit(void **state)
{
    (void)state;
    opened o = kitchen_open(8, 0.125, 0);
    assert_true(o.s->metres_per_unit == 1);
    assert_true(warns(o.s, "say so with --unit"));
    close_opened(&o);
}

/* What was read in a unit is read so again, and nothing but the moved numbers is
 * other than before. */
static void test_a_result_tells_the_unit_that_was_guessed(void **state)
{
    (void)state;
    for (int said = 0; said < 2; said++) {
        opened o = kitchen_open(100, 1, said);
        const double step = said ? 30 : 0.3;
        size_t size;
        uint8_t *glb = export_moved(&o, "Fridge", v3(step, 0, 0), 0, &size);
        opened again = open_glb(glb, size);
        assert_true(again.s->metres_per_unit == o.s->metres_per_unit);
        for (uint32_t i = 0; i < o.s->object_count; i++) {
            scene_box wanted = o.s->objects[i].box;
            wanted.centre.x +=
                strcmp(o.s->objects[i].name, "Fridge") == 0 ? step : 0;
            assert_box(&again.s->objects[i].box, &wanted, 1e-6);
        }
        free(glb);
        close_opened(&again);
        close_opened(&o);
    }
}

static void test_options_say_unit_and_up(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    double t[3] = {100, 200, 300};
    gltf_builder_node node = gltf_builder_node_default("thing");
    /* file x 10, y 20, z 30 */
    node.mesh = gltf_builder_box_mesh(b, v3(10, 30, 20), GLTF_NONE);
    node.translation = t;
    gltf_builder_add_node(b, &node);
    size_t size, bundle_size;
    uint8_t *glb = gltf_builder_glb(b, &size), *bundle;
    gltf_builder_free(b);
    scene_options options = scene_options_default();
    options.metres_per_unit = 0.01;
    options.up = 'Z';
    scene *s;
    assert_int_equal(
        bundle_from_glb(glb, size, &options, &bundle, &bundle_size, NULL),
        ETNA_OK);
    assert_int_equal(scene_import(bundle, bundle_size, &s, NULL), ETNA_OK);
    assert_true(v3_distance(s->objects[0].box.centre, v3(1, 2, 3)) < 1e-6);
    assert_true(v3_distance(v3_sub(s->objects[0].max, s->objects[0].min),
                            v3(0.1, 0.2, 0.3)) < 1e-6);
    scene_free(s);
    free(bundle);
    options.metres_per_unit = -1;
    assert_int_equal(
        bundle_from_glb(glb, size, &options, &bundle, &bundle_size, NULL),
        ETNA_E_USAGE);
    free(glb);
}

static void test_a_bundle_read_from_a_file_is_the_one_made_in_memory(
    void **state)
{
    (void)state;
    static const size_t tails[] = {
        /* behind the GLB's end; a large file is read to pages of its own */
        0, 6 << 20};
    char path[] = "/tmp/etna-bundle-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    gltf_builder *b = gltf_builder_new();
    add_floor(b);
    size_t glb_size;
    uint8_t *glb = gltf_builder_glb(b, &glb_size);
    gltf_builder_free(b);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t size = glb_size + tails[i], read_size, made_size;
        uint8_t *file = calloc(size, 1), *read_data, *made;
        assert_non_null(file);
        memcpy(file, glb, glb_size);
        assert_int_equal(pwrite(fd, file, size, 0), size);
        assert_int_equal(bundle_read(path, NULL, &read_data, &read_size, NULL),
                         ETNA_OK);
        assert_int_equal(
            bundle_from_glb(file, size, NULL, &made, &made_size, NULL),
            ETNA_OK);
        assert_int_equal(read_size, made_size);
        assert_memory_equal(read_data, made, made_size);
        free(read_data);
        free(made);
        free(file);
    }
    free(glb);
    close(fd);
    unlink(path);
}

/* What an earlier run's store may hold: no padding before the main file. */
static void test_a_bundle_of_the_first_form_is_read_still(void **state)
{
    (void)state;
    enum {
        BEFORE = 8 + 8 + 1,
        PADDING = 3
    };
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(1, 2, 3), v3(0.4, 0.6, 0.8), 10, GLTF_NONE);
    opened o = open_builder(b);
    uint8_t *first = malloc(o.size);
    assert_non_null(first);
    memcpy(first, o.bundle, BEFORE);
    first[7] = '1';
    memcpy(first + BEFORE, o.bundle + BEFORE + PADDING,
           o.size - BEFORE - PADDING);
    etna_error err = {0};
    scene *s = NULL;
    assert_int_equal(scene_import(first, o.size - PADDING, &s, &err), ETNA_OK);
    assert_same_geometry(&s->meshes[0], &o.s->meshes[0]);
    assert_box(&s->objects[0].box, &o.s->objects[0].box, 0);
    scene_free(s);
    o.bundle[BEFORE] = 1; /* padding is zero */
    assert_int_equal(scene_import(o.bundle, o.size, &s, &err), ETNA_E_MESSAGE);
    free(first);
    close_opened(&o);
}

static bool lies_in(const void *at, const opened *o)
{
    return (uintptr_t)at >= (uintptr_t)o->bundle &&
           (uintptr_t)at < (uintptr_t)o->bundle + o->size;
}

static scene *look_at(const opened *o)
{
    etna_error err = {0};
    scene *s = NULL;
    if (scene_import_to_look(o->bundle, o->size, NULL, &s, &err) != ETNA_OK) {
        fail_msg("refused: %s", err.text);
    }
    return s;
}

static void test_a_scene_to_look_at_borrows_what_need_not_change(void **state)
{
    (void)state;
    /* plain; with a -0; with a vertex that no triangle uses */
    for (int k = 0; k < 3; k++) {
        const float positions[] = {
            0, 0, k == 1 ? -0.0f : 0, 1, 0, 0, 0, 1, 0, 5, 5, 5};
        const uint32_t index[] = {0, 1, 2, 2, 1, k == 2 ? 0 : 3};
        gltf_builder *b = gltf_builder_new();
        gltf_builder_node node = gltf_builder_node_default("a");
        node.mesh =
            gltf_builder_mesh(b, "a", positions, 4, index, 6, GLTF_NONE);
        gltf_builder_add_node(b, &node);
        opened o = open_builder(b);
        scene *s = look_at(&o);
        assert_same_geometry(&s->meshes[0], &o.s->meshes[0]);
        assert_int_equal(s->meshes[0].vertex_count, k == 2 ? 3 : 4);
        assert_true(!lies_in(o.s->meshes[0].position, &o) &&
                    !lies_in(o.s->meshes[0].index, &o));
        assert_true(lies_in(s->meshes[0].position, &o) == (k == 0));
        assert_true(lies_in(s->meshes[0].index, &o) == (k < 2));
        scene_free(s);
        close_opened(&o);
    }
}

static void test_under_two_movable_objects_names_split_and_group(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    add_floor(b);
    gltf_builder_box(b, "cup", v3(0, 0, 0.1), v3(0.1, 0.1, 0.2), 0, GLTF_NONE);
    opened o = open_builder(b);
    assert_true(warns(o.s, "etna scene split") && warns(o.s, "group"));
    close_opened(&o);
}

/* ---- what may not move ---- */

static void test_animated_objects_are_static_unless_an_ancestor_can_carry_them(
    void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    add(b, "plain", GLTF_NONE, cube, 0, 0, 0); /* 0 */
    add(b, "fan", GLTF_NONE, cube, 1, 0, 0);   /* 1: driven, nobody above */
    uint32_t stand =
        /* 2: carries the driven one alone */
        add(b, "stand", GLTF_NONE, GLTF_NONE, 2, 0, 0);
    add(b, "rotor", stand, cube, 0, 0, 0); /* 3: driven */
    /* 4: driven, a group */
    uint32_t ride = add(b, "ride", GLTF_NONE, GLTF_NONE, 3, 0, 0);
    add(b, "left", ride, cube, 0, 0, 0);    /* 5 */
    add(b, "right", ride, cube, 0.1, 0, 0); /* 6 */
    gltf_builder_root_members(
        b,
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
        "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":4,\"path\":"
        "\"translation\"}},{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}],\"samplers\":[]}]");
    opened o = open_builder(b);
    assert_false(object_named(o.s, "plain")->immovable);
    assert_true(object_named(o.s, "fan")->immovable &&
                object_named(o.s, "fan")->is_static);
    assert_non_null(strstr(object_named(o.s, "fan")->why, "animation"));
    assert_false(object_named(o.s, "stand")->immovable);
    assert_int_equal(object_named(o.s, "stand")->node, stand);
    assert_true(object_named(o.s, "ride")->immovable);
    close_opened(&o);
}

/* ---- cameras ---- */

static void test_cameras_see_what_they_look_at(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(0, 0, 0), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_camera(b, "eye", v3(3, -4, 2), v3(0.5, 0.25, 0.125), 50, 1.5);
    gltf_builder_camera(b, "eye", v3(0, 0, 9), v3(0, 0, 0), 60, 1);
    opened o = open_builder(b);
    assert_int_equal(o.s->camera_count, 2);
    assert_int_equal(scene_find_camera(o.s, "eye.2"), 1);
    assert_int_equal(scene_find_camera(o.s, "0"), 0);
    assert_int_equal(scene_find_camera(o.s, "2"), SCENE_NONE);
    assert_int_equal(scene_find_camera(o.s, ""), SCENE_NONE);
    const scene_camera *c = &o.s->cameras[0];
    double x, y, depth;
    assert_true(camera_project(c, v3(0.5, 0.25, 0.125), &x, &y, &depth));
    assert_true(fabs(x - 0.5) < 1e-9 && fabs(y - 0.5) < 1e-9);
    assert_true(fabs(depth - v3_distance(c->position, v3(0.5, 0.25, 0.125))) <
                1e-9);
    assert_false(camera_project(c, v3(6, -8, 4), &x, &y, &depth));
    assert_true(camera_project(c, v3(0.5, 0.25, 0.5), &x, &y, &depth) &&
                y < 0.5); /* above is up in the picture */
    vec3 origin, direction;
    camera_ray(c, 0.2, 0.7, &origin, &direction);
    assert_true(
        camera_project(c, v3_add_scaled(origin, direction, 5), &x, &y, &depth));
    assert_true(fabs(x - 0.2) < 1e-12 && fabs(y - 0.7) < 1e-12);
    close_opened(&o);
}

static void test_a_scene_without_camera_gets_one_that_frames_what_moves(
    void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    add_floor(b);
    gltf_builder_box(b, "cup", v3(-1, 0, 0.1), v3(0.1, 0.1, 0.2), 0, GLTF_NONE);
    gltf_builder_box(b, "pot", v3(1, 0.5, 0.1), v3(0.1, 0.1, 0.2), 0,
                     GLTF_NONE);
    opened o = open_builder(b);
    assert_int_equal(o.s->camera_count, 1);
    const scene_camera *c = &o.s->cameras[0];
    assert_string_equal(c->name, "derived");
    assert_true(c->derived && c->position.y < 0 && c->position.z > 0.5);
    for (uint32_t i = 1; i < 3; i++) {
        vec3 corners[8];
        scene_box_corners(&o.s->objects[i].box, corners);
        for (int k = 0; k < 8; k++) {
            double x, y, depth;
            assert_true(camera_project(c, corners[k], &x, &y, &depth));
            assert_true(x > 0.04 && x < 0.96 && y > 0.04 && y < 0.96);
        }
    }
    close_opened(&o);
}

static void test_in_a_closed_room_the_derived_camera_stands_inside(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(6, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "ceiling", v3(0, 0, 2.55), v3(6, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "wall", v3(0, 2, 1.25), v3(6, 0.1, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "wall", v3(0, -2, 1.25), v3(6, 0.1, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "wall", v3(3, 0, 1.25), v3(0.1, 4, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "wall", v3(-3, 0, 1.25), v3(0.1, 4, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "chair", v3(1.5, 0.5, 0.5), v3(0.5, 0.5, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "table", v3(1.7, -0.4, 0.4), v3(0.8, 0.8, 0.8), 0,
                     GLTF_NONE);
    opened o = open_builder(b);
    const scene_camera *c = &o.s->cameras[0];
    assert_true(c->derived && fabs(c->position.x) < 2.95 &&
                fabs(c->position.y) < 1.95 && fabs(c->position.z - 1.6) < 1e-6);
    for (uint32_t i = 6; i < 8; i++) {
        double x, y, depth;
        assert_true(
            camera_project(c, o.s->objects[i].box.centre, &x, &y, &depth));
        assert_true(x > 0 && x < 1 && y > 0 && y < 1 && depth > 0.5);
    }
    close_opened(&o);
}

static void test_orthographic_cameras_keep_their_size(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(0, 0, 0), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_node node = gltf_builder_node_default("plan");
    node.camera = 0;
    gltf_builder_add_node(b, &node);
    gltf_builder_root_members(
        b,
        "\"cameras\":[{\"type\":\"orthographic\",\"orthographic\":{\"xmag\":4,\"ymag\":2,\"znear\":0.1,\"zfar\":9}}]");
    opened o = open_builder(b);
    const scene_camera *c = &o.s->cameras[0];
    double x, y, depth;
    vec3 origin, direction;
    assert_true(c->orthographic && c->aspect == 2 && c->half_height == 2);
    camera_ray(c, 1, 0, &origin, &direction);
    assert_true(v3_distance(origin, v3(4, 0, 2)) < 1e-12 &&
                v3_distance(direction, v3(0, 1, 0)) < 1e-12);
    assert_true(camera_project(c, v3(4, 3, 2), &x, &y, &depth) &&
                fabs(x - 1) < 1e-12 && fabs(y) < 1e-12 &&
                fabs(depth - 3) < 1e-12);
    close_opened(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_y_up_becomes_z_up_and_the_front_looks_along_minus_y),
        cmocka_unit_test(
            test_an_askew_mesh_gets_the_least_rectangle_near_its_front),
        cmocka_unit_test(test_a_lying_node_takes_its_next_axis_as_heading),
        cmocka_unit_test(test_a_flat_or_single_line_object_has_a_box),
        cmocka_unit_test(test_motion_at_the_base_pose_is_exactly_nothing),
        cmocka_unit_test(
            test_wrappers_open_groups_stay_and_apart_children_part),
        cmocka_unit_test(
            test_what_is_flat_and_lies_within_its_neighbour_is_one_with_it),
        cmocka_unit_test(test_names_are_unique_stable_and_printable),
        cmocka_unit_test(test_static_by_shape_and_by_name),
        cmocka_unit_test(test_a_stray_300_km_away_is_named_and_spoils_nothing),
        cmocka_unit_test(
            test_a_scene_far_from_its_origin_is_recentred_in_double),
        cmocka_unit_test(test_wrong_unit_and_up_axis_are_guessed_aloud),
        cmocka_unit_test(test_things_of_known_kinds_tell_the_unit),
        cmocka_unit_test(test_a_unit_that_is_said_is_doubted_and_taken),
        cmocka_unit_test(test_things_of_two_scales_tell_no_unit),
        cmocka_unit_test(test_a_result_tells_the_unit_that_was_guessed),
        cmocka_unit_test(test_options_say_unit_and_up),
        cmocka_unit_test(
            test_a_bundle_read_from_a_file_is_the_one_made_in_memory),
        cmocka_unit_test(test_a_bundle_of_the_first_form_is_read_still),
        cmocka_unit_test(test_a_scene_to_look_at_borrows_what_need_not_change),
        cmocka_unit_test(test_under_two_movable_objects_names_split_and_group),
        cmocka_unit_test(
            test_animated_objects_are_static_unless_an_ancestor_can_carry_them),
        cmocka_unit_test(test_cameras_see_what_they_look_at),
        cmocka_unit_test(
            test_a_scene_without_camera_gets_one_that_frames_what_moves),
        cmocka_unit_test(
            test_in_a_closed_room_the_derived_camera_stands_inside),
        cmocka_unit_test(test_orthographic_cameras_keep_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
