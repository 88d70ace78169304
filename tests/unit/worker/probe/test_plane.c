/* Planes: how far they grow, what they are called, where they are when their
 * object has moved. */
#include "tests/support/stage.h"
#include "worker/probe/probe_internal.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static stage open_stage(scene_builder *b)
{
    scene_builder_camera(b, "front", v3(0, -3, 2), v3(0, 0, 0));
    scene_builder_camera(b, "left", v3(-3, 1, 1.5), v3(0, 0, 0));
    scene_builder_camera(b, "below", v3(0.1, -2, -2), v3(0, 0, 0));
    return stage_open(b);
}

static probe_hit look(stage *w, int camera, vec3 at)
{
    double xy[2], depth;
    probe_hit hit;
    etna_error err = {0};
    assert_true(
        camera_project(&w->scene->cameras[camera], at, &xy[0], &xy[1], &depth));
    if (probe_rays(w->probes, w->space, &w->scene->cameras[camera], xy, 1, &hit,
                   &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_true(hit.hit);
    return hit;
}

static probe_plane by_name(stage *w, int camera, const char *name)
{
    probe_plane plane;
    etna_error err = {0};
    if (probe_plane_by_name(w->probes, w->space, &w->scene->cameras[camera],
                            name, &w->arena, &plane, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return plane;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.9g is not within %.3g of %.9g", a, tolerance, b);
}

static void the_top_of_a_box_is_one_plane_from_everywhere(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                         scene_builder_at(0, 0, 0.05, 25), false);
    stage w = open_stage(b);
    probe_hit first = look(&w, 0, v3(0, 0, 0.1));
    probe_plane plane = by_name(&w, 0, first.plane);
    assert_string_equal(plane.name, first.plane);
    assert_near(plane.normal.z, 1, 1e-6);
    assert_near(plane.offset, 0.1, 1e-6);
    assert_int_equal(plane.vertex_count, 4);
    assert_int_equal(plane.hull_count, 4);
    assert_int_equal(plane.triangle_count, 2);
    assert_near(plane.area, 0.08, 1e-6);
    assert_near(plane.across, 0.4, 1e-6);
    assert_near(plane.width, 0.2, 1e-6);
    for (int camera = 0; camera < 2; camera++)
        for (int i = 0; i < 9; i++) /* both triangles, from two sides */
            assert_string_equal(
                look(&w, camera,
                     v3(0.08 * (i % 3 - 1), 0.04 * (i / 3 - 1), 0.1))
                    .plane,
                first.plane);
    assert_string_not_equal(look(&w, 0, v3(0, -0.11, 0.05)).plane, first.plane);
    stage_close(&w);
}

static void the_normal_turns_to_the_camera(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "sheet", scene_builder_sheet(b, 1, 1, 3),
                         scene_builder_at(0, 0, 0, 0), false);
    stage w = open_stage(b);
    probe_hit above = look(&w, 0, v3(0.1, 0.1, 0)),
              under = look(&w, 2, v3(0.1, 0.1, 0));
    assert_string_equal(above.plane, under.plane);
    assert_near(above.plane_normal.z, 1, 1e-9);
    assert_near(under.plane_normal.z, -1, 1e-9);
    assert_near(under.normal.z, -1, 1e-9);
    assert_near(by_name(&w, 2, "sheet_up").normal.z, 1, 0);
    stage_close(&w);
}

static void a_plane_moves_with_its_object(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t block =
        scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                             scene_builder_at(0, 0, 0.05, 0), false);
    stage w = open_stage(b);
    char name[PROBE_NAME_SIZE];
    strcpy(name, look(&w, 0, v3(0, 0, 0.1)).plane);
    arrange_pose pose = *space_pose(w.space, block);
    pose.position[0] += 0.5;
    pose.position[2] += 0.25;
    pose.yaw += 0.5;
    assert_int_equal(space_move(w.space, block, &pose, NULL), ETNA_OK);
    probe_plane plane = by_name(&w, 0, name);
    assert_near(plane.offset, 0.35, 1e-6);
    assert_near(plane.origin.x, 0.5, 1e-6);
    assert_near(plane.area, 0.08, 1e-6);
    for (int i = 0; i < 4; i++) {
        double x = plane.vertices[i].x - 0.5, y = plane.vertices[i].y;
        assert_near(fabs(cos(0.5) * x + sin(0.5) * y), 0.2, 1e-6);
        assert_near(fabs(-sin(0.5) * x + cos(0.5) * y), 0.1, 1e-6);
    }
    assert_string_equal(look(&w, 0, v3(0.5, 0, 0.35)).plane, name);
    stage_close(&w);
}

static void a_name_that_an_object_bears_is_written_with_a_hash(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    stage w = open_stage(b);
    char name[PROBE_NAME_SIZE], hashed[PROBE_NAME_SIZE];
    strcpy(name, look(&w, 0, v3(0, 0, 0.1)).plane);
    stage_close(&w);
    strcpy(hashed, name);
    *strrchr(hashed, '_') = '#';

    b = scene_builder_new();
    scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_object(b, name, scene_builder_box(b, 0.1, 0.1, 0.1),
                         scene_builder_at(1, 0, 0.05, 0), false);
    scene_builder_object(b, "block_up", scene_builder_box(b, 0.1, 0.1, 0.1),
                         scene_builder_at(-1, 0, 0.05, 0), false);
    w = open_stage(b);
    assert_string_equal(look(&w, 0, v3(0, 0, 0.1)).plane, hashed);
    assert_near(by_name(&w, 0, hashed).area, 0.08, 1e-6);
    assert_near(by_name(&w, 0, "block#up").area, 0.08, 1e-6);
    assert_string_equal(by_name(&w, 0, "block#up").name, "block#up");
    probe_plane plane;
    etna_error err = {0};
    assert_int_equal(probe_plane_by_name(w.probes, w.space, w.scene->cameras,
                                         "block_up", &w.arena, &plane, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "is an object"));
    assert_near(by_name(&w, 0, "block_up_up").area, 0.01, 1e-6);
    stage_close(&w);
}

static void names_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"",
                                        "_",
                                        "#",
                                        "block",
                                        "block_",
                                        "block_x",
                                        "block_-1",
                                        "block_12",
                                        "block_007",
                                        "block_4294967295",
                                        "block_99999999999999999999",
                                        "ray:",
                                        "ray:0.5",
                                        "ray:0.5,",
                                        "ray:2,0",
                                        "ray:0.5,0.5x",
                                        "ray:nan,0",
                                        "ray:1e-1,0",
                                        "nothing_up",
                                        "_up"};
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    stage w = open_stage(b);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        probe_plane plane;
        etna_error err = {0};
        if (probe_plane_by_name(w.probes, w.space, w.scene->cameras, names[i],
                                &w.arena, &plane, &err) != ETNA_E_INPUT)
            fail_msg("\"%s\" was taken", names[i]);
        assert_true(strlen(err.text) > 10);
    }
    assert_near(by_name(&w, 0, "block_11").area,
                by_name(&w, 0, "block_11").area, 0);
    assert_string_equal(by_name(&w, 0, "ray:0.5,0.5").name,
                        look(&w, 0, v3(0, 0, 0)).plane);
    stage_close(&w);
}

/* ---- growing ---- */
static double islands_area(double gap, double offset)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "planks", scene_builder_sheet(b, 0.5, 0.6, 2),
                         scene_builder_at(-0.25, 0, 0, 0), false);
    scene_builder_part(b, scene_builder_sheet(b, 0.5, 0.6, 3),
                       scene_builder_at(0.25 + gap, 0, offset, 0));
    scene_builder_part(b, scene_builder_sheet(b, 0.5, 0.6, 1),
                       /* staggered */
                       scene_builder_at(0.75 + 2 * gap, 0.3, 2 * offset, 0));
    stage w = open_stage(b);
    probe_hit hit = look(&w, 0, v3(-0.25, 0, 0));
    double area = by_name(&w, 0, hit.plane).area;
    probe_hit other = look(&w, 0, v3(0.75 + 2 * gap, 0.3, 2 * offset));
    if (area > 0.4)
        assert_string_equal(hit.plane, other.plane);
    stage_close(&w);
    return area;
}

static void islands_join_over_small_gaps_and_steps_only(void **state)
{
    (void)state;
    assert_near(islands_area(0, 0), 0.9, 1e-6); /* T-junctions share no edge */
    assert_near(islands_area(0.015, 0), 0.9, 1e-6);
    assert_near(islands_area(0.015, 0.004), 0.9, 1e-6);
    assert_near(islands_area(0.025, 0), 0.3, 1e-6);
    assert_near(islands_area(0.01, 0.008), 0.3, 1e-6);
}

static void seams_are_welded(void **state)
{
    (void)state;
    /* 8 x 8 quads, every triangle with its own corners, each off by a millionth
     * of the size; all in one mesh of some height */
    enum {
        SIDE = 8,
        COUNT = SIDE * SIDE * 2 + 1
    };
    static float position[COUNT * 9];
    static uint32_t index[COUNT * 3];
    etna_random r = etna_random_from(4);
    uint32_t n = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int k = 0; k < 6; k++) {
                static const int corner[6][2] = {{0, 0}, {1, 0}, {1, 1},
                                                 {0, 0}, {1, 1}, {0, 1}};
                position[3 * n] = (float)(0.1 * (x + corner[k][0]) - 0.4 +
                                          1e-6 * etna_random_unit(&r));
                position[3 * n + 1] = (float)(0.1 * (y + corner[k][1]) - 0.4 +
                                              1e-6 * etna_random_unit(&r));
                position[3 * n + 2] = 0;
                n++;
            }
    const float far_off[9] = {0.4f,  0.4f, -0.5f, 0.4f, 0.3f,
                              -0.5f, 0.3f, 0.4f,  -0.4f};
    memcpy(position + 3 * n, far_off, sizeof far_off);
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        index[i] = i;
    scene_builder *b = scene_builder_new();
    uint32_t mesh = scene_builder_mesh(b, position, 3 * COUNT, index, COUNT);
    scene_builder_object(b, "scan", mesh, scene_builder_at(0, 0, 0, 0), false);
    stage w = open_stage(b);
    probe_plane plane = by_name(&w, 0, look(&w, 0, v3(0.05, 0.02, 0)).plane);
    assert_near(plane.area, 0.64, 1e-4);
    assert_int_equal(plane.triangle_count, 2 * SIDE * SIDE);
    assert_int_equal(plane.vertex_count, (SIDE + 1) * (SIDE + 1));
    assert_int_equal(plane.hull_count, 4);
    const probe_adjacency *a;
    assert_int_equal(probe_mesh_adjacency(w.probes, mesh, &a, NULL), ETNA_OK);
    assert_int_equal(a->edge_count, 3 * SIDE * SIDE + 2 * SIDE + 3);
    stage_close(&w);
}

/* On a ball each face's set is a cap; the name is that of the lowest face
 * within a degree, or its own. */
static void names_follow_the_rule_on_a_curve(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ball =
        scene_builder_object(b, "ball", scene_builder_sphere(b, 0.5, 24),
                             scene_builder_at(0, 0, 0, 0), false);
    stage w = open_stage(b);
    uint32_t others = 0;
    for (uint32_t h = 0; h < w.scene->objects[ball].triangle_count; h += 3) {
        probe_set set, named;
        probe_face face, f;
        probe_plane plane;
        probe_face_get(w.scene, ball, h, &face);
        if (!(face.area > 0))
            continue;
        assert_int_equal(probe_plane_at(w.probes, w.space, w.scene->cameras,
                                        ball, h, &w.arena, &plane, NULL),
                         ETNA_OK);
        assert_int_equal(probe_grow(w.probes, ball, h, &set, NULL), ETNA_OK);
        uint32_t expected = h;
        for (uint32_t i = 0; i < set.count; i++) {
            probe_face_get(w.scene, ball, set.faces[i], &f);
            assert_true(v3_dot(f.normal, face.normal) >= 0.95 - 1e-12);
            if (acos(fmin(1, v3_dot(f.normal, face.normal))) < MATH_PI / 180 &&
                set.faces[i] < expected)
                expected = set.faces[i];
        }
        assert_int_equal(probe_grow(w.probes, ball, expected, &named, NULL),
                         ETNA_OK);
        if (!probe_set_has(&named, h))
            expected = h;
        assert_int_equal(plane.face, expected);
        others += expected != h;
        probe_set_free(&set);
        probe_set_free(&named);
    }
    assert_true(others > 0);
    stage_close(&w);
}

/* ---- tops ---- */
static void a_top_says_how_flat_it_is(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                         scene_builder_at(0, 0, 0.05, 30), false);
    scene_builder_object(b, "drum", scene_builder_cylinder(b, 0.3, 0.2, 64),
                         scene_builder_at(1, 0, 0.1, 0), false);
    scene_builder_object(b, "sofa", scene_builder_box(b, 1, 0.8, 0.4),
                         scene_builder_at(-1, 0, 0.2, 0), false);
    scene_builder_part(b, scene_builder_box(b, 1, 0.12, 0.4),
                       scene_builder_at(-1, 0.34, 0.6, 0));
    scene_builder_object(b, "bowl", scene_builder_bowl(b, 0.18, 0.2, 16),
                         scene_builder_at(0, 1, 0.2, 0), false);
    stage w = open_stage(b);
    assert_near(by_name(&w, 0, "block_up").flat_share, 1, 0);
    assert_near(by_name(&w, 0, "drum_up").flat_share, MATH_PI / 4, 0.02);
    probe_plane sofa = by_name(&w, 0, "sofa_up");
    assert_near(sofa.flat_share, 0.15, 0.02);
    assert_near(sofa.offset, 0.8, 1e-6);
    assert_near(sofa.area, 0.8, 1e-6);
    /* the seat */
    assert_string_equal(sofa.better, look(&w, 0, v3(-1, -0.1, 0.4)).plane);
    assert_string_equal(by_name(&w, 0, "block_up").better, "");
    probe_plane bowl = by_name(&w, 0, "bowl_up");
    assert_true(bowl.flat_share < 0.35);
    /* the real polygon of the drum's top is the disc */
    double area = 0;
    probe_plane drum = by_name(&w, 0, "drum_up");
    for (uint32_t t = 0; t < drum.triangle_count; t++) {
        const vec2 *q = drum.triangles + 3 * (size_t)t;
        area += ((q[1].x - q[0].x) * (q[2].y - q[0].y) -
                 (q[1].y - q[0].y) * (q[2].x - q[0].x)) /
                2;
    }
    assert_near(area, MATH_PI * 0.09, 0.002);
    stage_close(&w);
}

static void hulls_are_convex_and_small(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "disc", scene_builder_cylinder(b, 0.5, 0.1, 2000),
                         scene_builder_at(0, 0, 0.05, 0), false);
    stage w = open_stage(b);
    probe_plane plane = by_name(&w, 0, look(&w, 0, v3(0.1, 0.1, 0.1)).plane);
    assert_in_range(plane.hull_count, 16, PROBE_HULL_MAX);
    double area = 0;
    for (uint32_t i = 0; i < plane.hull_count; i++) {
        vec2 p = plane.hull[i], q = plane.hull[(i + 1) % plane.hull_count],
             s = plane.hull[(i + 2) % plane.hull_count];
        assert_true((q.x - p.x) * (s.y - p.y) - (q.y - p.y) * (s.x - p.x) > 0);
        area += (p.x * q.y - p.y * q.x) / 2;
    }
    assert_near(area, MATH_PI * 0.25, 0.01);
    stage_close(&w);
}

/* ---- probes ---- */
static void a_probe_answers_each_coordinate(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t block =
        scene_builder_object(b, "block", scene_builder_box(b, 0.4, 0.2, 0.1),
                             scene_builder_at(0, 0, 0.05, 0), false);
    stage w = open_stage(b);
    const double at[] = {0.5, 0.5, 0.01, 0.01}, bad[] = {0.5, 0.5, 0.5, 1.5},
                 nan[] = {NAN, 0};
    probe_hit hit[2];
    etna_error err = {0};
    assert_int_equal(
        probe_rays(w.probes, w.space, w.scene->cameras, at, 2, hit, &err),
        ETNA_OK);
    assert_true(hit[0].hit);
    assert_int_equal(hit[0].object, block);
    assert_false(hit[1].hit);
    assert_int_equal(hit[1].object, SCENE_NONE);
    assert_int_equal(
        probe_rays(w.probes, w.space, w.scene->cameras, bad, 2, hit, &err),
        ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "coordinate 2"));
    assert_true(hit[0].hit); /* untouched */
    assert_int_equal(
        probe_rays(w.probes, w.space, w.scene->cameras, nan, 1, hit, &err),
        ETNA_E_INPUT);
    stage_close(&w);
}

static void an_area_lists_what_it_touches(void **state)
{
    (void)state;
    enum {
        W = 4,
        H = 3
    };
    const uint32_t none = SCENE_NONE;
    const uint32_t ids[W * H] = {none, 2,    2, none, 0,    none,
                                 5,    none, 0, none, none, 1};
    static const struct {
        double area[4];
        uint32_t count, seen[4];
    } cases[] = {
        {{0, 0, 1, 1}, 4, {0, 1, 2, 5}}, {{0, 0, 0.2, 0.3}, 0, {0}},
        {{0, 0, 0.26, 0.1}, 1, {2}},     {{0.8, 0.7, 0.8, 0.7}, 1, {1}},
        {{0, 0.34, 0.24, 0.6}, 1, {0}},  {{-1, -1, 2, 2}, 4, {0, 1, 2, 5}},
        {{1, 1, 1, 1}, 1, {1}},
    };
    uint32_t seen[6], count;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            probe_list(ids, W, H, cases[i].area, 6, seen, &count, NULL),
            ETNA_OK);
        assert_int_equal(count, cases[i].count);
        assert_memory_equal(seen, cases[i].seen, count * sizeof *seen);
    }
    const double wrong[4][4] = {{0.5, 0, 0.4, 1},
                                {NAN, 0, 1, 1},
                                {1.1, 0, 1.2, 1},
                                {0, 0, INFINITY, 1}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(probe_list(ids, W, H, wrong[i], 6, seen, &count, NULL),
                         ETNA_E_INPUT);
}

/* ---- threads ---- */
typedef struct asking {
    stage *w;
    char name[PROBE_NAME_SIZE], better[PROBE_NAME_SIZE];
} asking;

static void *ask(void *context)
{
    asking *a = context;
    etna_arena arena = ETNA_ARENA_INIT;
    probe_plane plane;
    if (probe_plane_at(a->w->probes, a->w->space, a->w->scene->cameras, 0, 0,
                       &arena, &plane, NULL) == ETNA_OK)
        strcpy(a->name, plane.name);
    if (probe_plane_by_name(a->w->probes, a->w->space, a->w->scene->cameras,
                            "ball_up", &arena, &plane, NULL) == ETNA_OK)
        strcpy(a->better, plane.better);
    etna_arena_free(&arena);
    return NULL;
}

static void many_threads_may_ask_at_once(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "ball", scene_builder_sphere(b, 0.5, 40),
                         scene_builder_at(0, 0, 0, 0), false);
    stage w = open_stage(b);
    asking asks[4] = {0};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        asks[i].w = &w;
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &asks[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) {
        assert_true(asks[i].name[0] != 0);
        assert_string_equal(asks[i].name, asks[0].name);
        assert_string_equal(asks[i].better, asks[0].better);
    }
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top_of_a_box_is_one_plane_from_everywhere),
        cmocka_unit_test(the_normal_turns_to_the_camera),
        cmocka_unit_test(a_plane_moves_with_its_object),
        cmocka_unit_test(a_name_that_an_object_bears_is_written_with_a_hash),
        cmocka_unit_test(names_that_are_none_are_refused),
        cmocka_unit_test(islands_join_over_small_gaps_and_steps_only),
        cmocka_unit_test(seams_are_welded),
        cmocka_unit_test(names_follow_the_rule_on_a_curve),
        cmocka_unit_test(a_top_says_how_flat_it_is),
        cmocka_unit_test(hulls_are_convex_and_small),
        cmocka_unit_test(a_probe_answers_each_coordinate),
        cmocka_unit_test(an_area_lists_what_it_touches),
        cmocka_unit_test(many_threads_may_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
