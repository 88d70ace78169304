/* What objects of one geometry share, and that sharing and forgetting change no
 * answer. */
#include "tests/unit/worker/space/fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALLS = 12
};

static affine mirrored(affine a)
{
    for (int i = 0; i < 3; i++)
        a.m[i][0] = -a.m[i][0];
    return a;
}

/* A row of balls that cut their neighbours, turned, scaled; `own`: each with a
 * mesh of its own. */
static fixture row(bool own)
{
    scene_builder *b = scene_builder_new();
    uint32_t ball = scene_builder_sphere(b, 0.1, 12);
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.15, 0), true);
    for (uint32_t i = 0; i < BALLS; i++)
        scene_builder_object(
            b, "ball", own ? scene_builder_sphere(b, 0.1, 12) : ball,
            scene_builder_scaled(0.17 * i - 1, 0.01 * i, 0.001 * i, 31.0 * i,
                                 1 + 0.02 * (i % 3)),
            false);
    return fixture_open(b);
}

static void expect_same_answers(fixture *f, fixture *g)
{
    const space_rules rules = {0};
    space_check a, b;
    assert_int_equal(space_check_all(f->space, &rules, &a, NULL), ETNA_OK);
    assert_int_equal(space_check_all(g->space, &rules, &b, NULL), ETNA_OK);
    assert_int_equal(a.pair_count, b.pair_count);
    assert_true(a.pair_count >= BALLS / 2);
    for (uint32_t i = 0; i < a.pair_count; i++) {
        assert_int_equal(a.pairs[i].a, b.pairs[i].a);
        assert_int_equal(a.pairs[i].b, b.pairs[i].b);
        assert_memory_equal(&a.pairs[i].depth, &b.pairs[i].depth,
                            sizeof(double));
    }
    assert_int_equal(a.floating_count, b.floating_count);
    assert_memory_equal(a.floating, b.floating,
                        a.floating_count * sizeof *a.floating);
    space_check_free(&a);
    space_check_free(&b);
}

static void test_instances_share_one_shape_and_answer_as_copies_do(void **state)
{
    (void)state;
    fixture shared = row(false), own = row(true);
    assert_int_equal(shared.shared->shape_count, 2);
    assert_int_equal(own.shared->shape_count, 1 + BALLS);
    expect_same_answers(&shared, &own);
    fixture_move(&shared, 3, 0.05, 0.02, 0.01, 17);
    fixture_move(&own, 3, 0.05, 0.02, 0.01, 17);
    expect_same_answers(&shared, &own);
    fixture_close(&shared);
    fixture_close(&own);
}

static void
test_mirrored_and_differently_joined_objects_are_shapes_of_their_own(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t box = scene_builder_box(b, 0.2, 0.1, 0.1),
             ball = scene_builder_sphere(b, 0.1, 8);
    scene_builder_object(b, "plain", box, scene_builder_at(0, 0, 0, 0), false);
    scene_builder_object(b, "mirrored", box,
                         mirrored(scene_builder_at(1, 0, 0, 0)), false);
    /* two alike, the third with its ball elsewhere */
    for (int i = 0; i < 3; i++) {
        scene_builder_object(b, "pair", box, scene_builder_at(i, 2, 0, 0),
                             false);
        scene_builder_part(
            b, ball, scene_builder_at(i + (i == 2 ? 0.05 : 0), 2, 0.1, 0));
    }
    fixture f = fixture_open(b);
    const uint32_t *of = f.shared->shape_of;
    assert_int_not_equal(of[0], of[1]);
    assert_int_equal(of[2], of[3]);
    assert_int_not_equal(of[2], of[4]);
    object_geometry *plain = NULL, *turned = NULL;
    assert_int_equal(shared_geometry(f.shared, 0, &plain, NULL), ETNA_OK);
    assert_int_equal(shared_geometry(f.shared, 1, &turned, NULL), ETNA_OK);
    assert_true(plain->closed && turned->closed);
    fixture_close(&f);
}

static void test_forgetting_triangles_changes_no_answer(void **state)
{
    (void)state;
    fixture roomy = row(false), tight = row(false);
    tight.shared->posed_mesh_idle_max = 0;
    tight.shared->held_max = 1;
    expect_same_answers(&roomy, &tight);
    fixture_move(&roomy, 5, 0.02, 0, 0, 3);
    fixture_move(&tight, 5, 0.02, 0, 0, 3);
    expect_same_answers(&roomy, &tight);
    assert_int_equal(tight.shared->posed_mesh_cache.idle, 0);
    uint32_t held = 0;
    for (uint32_t i = 0; i <= BALLS; i++)
        held += tight.space->object_state[i].bytes > 0;
    assert_true(held <= SPACE_RECENT);
    for (uint32_t i = 0; i < BALLS; i++) {
        double there = 0, here = 0;
        uint32_t a = 0, b = 0;
        assert_int_equal(
            space_sweep(roomy.space, 1 + i, v3(1, 0, 0), 3, &there, &a, NULL),
            ETNA_OK);
        assert_int_equal(
            space_sweep(tight.space, 1 + i, v3(1, 0, 0), 3, &here, &b, NULL),
            ETNA_OK);
        assert_memory_equal(&there, &here, sizeof here);
        assert_int_equal(a, b);
    }
    fixture_close(&roomy);
    fixture_close(&tight);
}

static void *borrow(void *context)
{
    space_shared *shared = context;
    for (uint32_t i = 0; i < 400; i++) {
        posed_mesh *st = NULL;
        if (shared_posed_mesh(shared, 1 + i % BALLS, &st, NULL) != ETNA_OK)
            return context;
        if (st->object != 1 + i % BALLS || st->vertex[0].x != st->vertex[0].x)
            return context;
        shared_posed_mesh_release(shared, st);
    }
    return NULL;
}

static void test_threads_borrow_and_forget_at_once(void **state)
{
    (void)state;
    fixture f = row(false);
    pthread_t threads[4];
    f.shared->posed_mesh_idle_max = 20000;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, borrow, f.shared),
                         0);
    for (int i = 0; i < 4; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_true(f.shared->posed_mesh_cache.idle <=
                f.shared->posed_mesh_idle_max);
    fixture_close(&f);
}

static void test_near_objects_are_those_whose_boxes_are_near(void **state)
{
    (void)state;
    enum {
        N = 300
    };
    scene_builder *b = scene_builder_new();
    uint32_t box = scene_builder_box(b, 0.3, 0.2, 0.1), seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        scene_builder_object(b, "box", box,
                             scene_builder_at((seed >> 8) % 500 / 100.0,
                                              (seed >> 16) % 500 / 100.0,
                                              seed % 3 * 0.1, i),
                             false);
    }
    fixture f = fixture_open(b);
    for (int round = 0; round < 5 * N; round++) {
        uint32_t object = (uint32_t)(round * 7 % N), expected[N], want = 0,
                 count = 0;
        const uint32_t *near = NULL;
        if (round % 3 == 0)
            fixture_move(&f, object, 0.4, -0.3, 0, 20);
        assert_int_equal(broad_phase_near(f.space->broad_phase,
                                          f.space->object_state,
                                          &f.space->object_state[object].box,
                                          0.05, &near, &count, NULL),
                         ETNA_OK);
        for (uint32_t i = 0; i < N; i++)
            if (box3_meet(&f.space->object_state[i].box,
                          &f.space->object_state[object].box, 0.05))
                expected[want++] = i;
        assert_int_equal(count, want);
        assert_memory_equal(near, expected, want * sizeof *near);
    }
    fixture_close(&f);
}

static void test_equal_places_are_one_in_order_of_appearance(void **state)
{
    (void)state;
    vec3 at[] = {{1, 2, 3}, {0.0, 0, 0}, {1, 2, 3}, {-0.0, 0, -0.0}, {1, 2, 4}};
    const uint32_t want[] = {0, 1, 0, 1, 2}, want_first[] = {0, 1, 4};
    uint32_t *place = NULL, *first = NULL, count = 0;
    assert_true(weld_places(at, 5, &place, &first, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(place, want, sizeof want);
    assert_memory_equal(first, want_first, sizeof want_first);
    free(place);
    free(first);
}

static void test_edges_lie_by_place_then_by_corner(void **state)
{
    (void)state;
    enum {
        FAN = 40
    }; /* more at the hub than are sorted by hand */
    uint32_t index[3 * FAN + 3], *first = NULL;
    for (uint32_t i = 0; i < FAN; i++) {
        index[3 * i] = 0;
        index[3 * i + 1] = FAN - i;
        index[3 * i + 2] = i == 0 ? FAN + 1 : FAN - i + 1;
    }
    for (int k = 0; k < 3; k++)
        index[3 * FAN + k] = 7; /* no edge at all */
    weld_edge *edges = NULL;
    assert_true(weld_edges(index, FAN + 1, FAN + 2, &first, &edges));
    assert_int_equal(first[1] - first[0], 2 * FAN);
    assert_int_equal(first[FAN + 2], 3 * FAN);
    for (uint32_t i = 1; i < 2 * FAN; i++)
        assert_true(edges[i].high > edges[i - 1].high ||
                    (edges[i].high == edges[i - 1].high &&
                     edges[i].corner > edges[i - 1].corner));
    free(first);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_instances_share_one_shape_and_answer_as_copies_do),
        cmocka_unit_test(
            test_mirrored_and_differently_joined_objects_are_shapes_of_their_own),
        cmocka_unit_test(test_forgetting_triangles_changes_no_answer),
        cmocka_unit_test(test_threads_borrow_and_forget_at_once),
        cmocka_unit_test(test_near_objects_are_those_whose_boxes_are_near),
        cmocka_unit_test(test_equal_places_are_one_in_order_of_appearance),
        cmocka_unit_test(test_edges_lie_by_place_then_by_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
