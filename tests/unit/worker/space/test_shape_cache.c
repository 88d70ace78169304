/* Shapes and undersides under a bound of memory: the same bits whatever has
 * gone, near the bound whatever is asked, and nothing goes that is in use. */
#include "tests/unit/worker/space/fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALLS = 24,
    ROUNDS = 2,
    THREADS = 3
};

/* Balls that cut their neighbours, some in the air, a bowl's worth of them in
 * an open box, each with a mesh of its own. */
static scene_builder *broad_phase_of_shapes(void)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 8, 8, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "hull", scene_builder_box(b, 1.2, 1.2, 1.2),
                         scene_builder_at(2, 2, 0.6, 0), false);
    for (uint32_t i = 0; i < BALLS; i++) {
        double x = i < 6 ? 1.7 + 0.2 * (i % 3) : 0.17 * (i % 10) - 1,
               y = i < 6 ? 1.7 + 0.2 * (i / 3) : 0.4 * (i / 10) - 1;
        scene_builder_object(
            b, "ball", scene_builder_sphere(b, 0.09 + 0.001 * i, 8 + i % 4),
            scene_builder_at(x, y, i % 7 == 0 ? 0.3 : 0.09, 31.0 * i), false);
    }
    return b;
}

/* of everything that stands on shapes and undersides */
typedef struct answers {
    space_check check[ROUNDS];
    space_support_state support[ROUNDS];
    double sweep[BALLS];
    bool near[BALLS];
} answers;

static bool ask(space *sp, answers *ret)
{
    const space_rules rules = {0};
    bool fine = true;
    for (int round = 0; round < ROUNDS; round++) {
        fine =
            fine &&
            space_check_all(sp, &rules, &ret->check[round], NULL) == ETNA_OK &&
            space_support_compute(sp, &rules, round ? &ret->support[0] : NULL,
                                  NULL, &ret->support[round], NULL) == ETNA_OK;
        for (uint32_t i = 2; fine && i < 2 + BALLS; i += 3) {
            arrange_pose pose = *space_pose(sp, i);
            pose.position[0] += 0.03 * (i % 4);
            pose.position[2] += 0.002;
            pose.yaw += 0.1;
            fine = space_move(sp, i, &pose, NULL) == ETNA_OK;
        }
    }
    for (uint32_t i = 0; fine && i < BALLS; i++) {
        uint32_t other;
        fine = space_sweep(sp, 2 + i, v3(0, 0, -1), 2, &ret->sweep[i], &other,
                           NULL) == ETNA_OK &&
               space_near(sp, 2 + i, 2 + (i + 1) % BALLS, 0.01, &ret->near[i],
                          NULL) == ETNA_OK;
    }
    return fine;
}

static bool same_answers(const answers *a, const answers *b)
{
    bool same = memcmp(a->sweep, b->sweep, sizeof a->sweep) == 0 &&
                memcmp(a->near, b->near, sizeof a->near) == 0;
    for (int i = 0; i < ROUNDS && same; i++) {
        const space_check *c = &a->check[i], *d = &b->check[i];
        const space_support_state *s = &a->support[i], *t = &b->support[i];
        same =
            c->pair_count == d->pair_count &&
            c->floating_count == d->floating_count &&
            memcmp(c->floating, d->floating,
                   c->floating_count * sizeof *c->floating) == 0 &&
            memcmp(s->support, t->support, s->object_count) == 0 &&
            memcmp(s->gap, t->gap, s->object_count * sizeof *s->gap) == 0 &&
            s->edge_count == t->edge_count &&
            memcmp(s->edges, t->edges, s->edge_count * sizeof *s->edges) == 0;
        for (uint32_t k = 0; same && k < c->pair_count; k++)
            same = c->pairs[k].a == d->pairs[k].a &&
                   c->pairs[k].b == d->pairs[k].b &&
                   memcmp(&c->pairs[k].depth, &d->pairs[k].depth,
                          sizeof(double)) == 0;
    }
    return same;
}

static void free_answers(answers *a)
{
    for (int i = 0; i < ROUNDS; i++) {
        space_check_free(&a->check[i]);
        space_support_free(&a->support[i]);
    }
    free(a);
}

static answers *answers_of(space *sp)
{
    answers *a = calloc(1, sizeof *a);
    assert_non_null(a);
    assert_true(ask(sp, a));
    return a;
}

static uint32_t shapes_there(space_shared *shared, size_t *ret_largest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shared->shape_count; i++) {
        const shape *sh = atomic_load(&shared->shapes[i]);
        count += sh != NULL;
        if (sh && ret_largest && sh->item.bytes > *ret_largest)
            *ret_largest = sh->item.bytes;
    }
    return count;
}

/* What a bound leaves when nobody uses anything: no more than it says, and no
 * user is forgotten or counted twice. */
static void expect_all_released(const space_shared *shared)
{
    assert_true(shared->bounded);
    assert_int_equal(shared->shape_cache.idle, shared->shape_cache.bytes);
    assert_true(shared->shape_cache.bytes <= shared->shape_cache_max);
    assert_int_equal(atomic_load(&shared->shape_cache_bytes),
                     shared->shape_cache.bytes);
}

static void under_a_bound_of_next_to_nothing_all_answers_are_the_same_bits(
    void **state)
{
    (void)state;
    fixture all = fixture_open(broad_phase_of_shapes()),
            some = fixture_open(broad_phase_of_shapes());
    assert_false(all.shared->bounded);
    answers *expected = answers_of(all.space);
    assert_true(expected->check[0].pair_count > 5 &&
                expected->check[0].floating_count > 2);
    assert_int_equal(shapes_there(all.shared, NULL), BALLS + 2);
    for (size_t bound = 1; bound < 50000; bound *= 200) {
        space *sp = NULL;
        shared_bound(some.shared, bound);
        assert_true(some.shared->bounded);
        assert_int_equal(space_new(some.shared, &sp, NULL), ETNA_OK);
        answers *now = answers_of(sp);
        assert_true(same_answers(now, expected));
        free_answers(now);
        assert_true(shapes_there(some.shared, NULL) < BALLS);
        space_free(sp);
        expect_all_released(some.shared);
    }
    free_answers(expected);
    fixture_close(&all);
    fixture_close(&some);
}

static void a_space_stays_near_the_bound_by_what_it_asked_for_last(void **state)
{
    (void)state;
    fixture f = fixture_open(broad_phase_of_shapes());
    size_t most = 0, largest = 0, bound = 20000;
    shared_bound(f.shared, bound);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < BALLS + 2; i++) {
            object_state *p = NULL;
            assert_int_equal(space_posed(f.space, i, &p, NULL), ETNA_OK);
            assert_ptr_equal(
                p->shape,
                /* in use: it stays */
                atomic_load(&f.shared->shapes[f.shared->shape_of[i]]));
            assert_true(p->shape->item.pins > 0);
            (void)shapes_there(f.shared, &largest);
            most = f.shared->shape_cache.bytes > most
                       ? f.shared->shape_cache.bytes
                       : most;
        }
    assert_true(most > bound &&
                most < bound + SPACE_RECENT * largest + bound / 4);
    fixture_close(&f);
}

static void the_option_bounds_every_kind_by_its_share_and_none_of_a_small_scene(
    void **state)
{
    (void)state;
    space_bound_meshes(200000);
    fixture f = fixture_open(broad_phase_of_shapes());
    const scene *s = space_scene(f.space);
    size_t rays = budget_share(s, BUDGET_RAYS),
           shapes = budget_share(s, BUDGET_SHAPES),
           planes = budget_share(s, BUDGET_PLANES);
    assert_true(rays + shapes + planes <= 200000 &&
                rays + shapes + planes > 199000);
    assert_true(f.shared->bounded && f.shared->shape_cache_max == shapes);
    assert_int_equal(f.shared->posed_mesh_idle_max, 25000);
    answers *tight = answers_of(f.space);
    space_bound_meshes((size_t)4 << 30);
    fixture g = fixture_open(broad_phase_of_shapes());
    assert_false(g.shared->bounded);
    answers *roomy = answers_of(g.space);
    assert_true(same_answers(tight, roomy));
    free_answers(tight);
    free_answers(roomy);
    fixture_close(&f);
    fixture_close(&g);
}

typedef struct one_thread {
    space_shared *shared;
    answers *answers;
    bool fine;
} one_thread;

static void *ask_alone(void *context)
{
    one_thread *t = context;
    space *sp = NULL;
    t->fine = space_new(t->shared, &sp, NULL) == ETNA_OK && ask(sp, t->answers);
    space_free(sp);
    return NULL;
}

static void threads_that_let_go_of_one_anothers_shapes_answer_the_same(
    void **state)
{
    (void)state;
    fixture all = fixture_open(broad_phase_of_shapes()),
            some = fixture_open(broad_phase_of_shapes());
    answers *expected = answers_of(all.space);
    pthread_t threads[THREADS];
    one_thread each[THREADS];
    shared_bound(some.shared, 15000);
    for (int i = 0; i < THREADS; i++) {
        each[i] = (one_thread){some.shared, calloc(1, sizeof(answers)), false};
        assert_non_null(each[i].answers);
        assert_int_equal(pthread_create(&threads[i], NULL, ask_alone, &each[i]),
                         0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(each[i].fine);
        assert_true(same_answers(each[i].answers, expected));
        free_answers(each[i].answers);
    }
    expect_all_released(some.shared);
    free_answers(expected);
    fixture_close(&all);
    fixture_close(&some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            under_a_bound_of_next_to_nothing_all_answers_are_the_same_bits),
        cmocka_unit_test(
            a_space_stays_near_the_bound_by_what_it_asked_for_last),
        cmocka_unit_test(
            the_option_bounds_every_kind_by_its_share_and_none_of_a_small_scene),
        cmocka_unit_test(
            threads_that_let_go_of_one_anothers_shapes_answer_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
