/* Meshes that come and go: whatever a scene's bound for Embree's trees, every
 * answer is the same, and memory stays near it. */
#include "tests/unit/worker/space/fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALLS = 30,
    RAYS = 1000,
    THREADS = 4
};

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Balls and cups in a room, each of a mesh of its own. */
static scene_builder *broad_phase_of_meshes(void)
{
    scene_builder *b = scene_builder_new();
    uint64_t r = 5;
    scene_builder_object(b, "room", scene_builder_room(b, 6, 6, 3),
                         scene_builder_at(0, 0, 0, 0), true);
    for (int i = 0; i < BALLS; i++) {
        double x = 5 * uniform(&r) - 2.5, y = 5 * uniform(&r) - 2.5,
               z = 0.3 + 2 * uniform(&r), size = 0.15 + 0.01 * i;
        uint32_t mesh = i % 3 ? scene_builder_sphere(b, size, 16)
                              : scene_builder_cup(b, size, 0.12, 0.3, 0.02, 24);
        scene_builder_object(b, "thing", mesh,
                             scene_builder_at(x, y, z, 10 * i), false);
    }
    return b;
}

static space_ray *make_rays(void)
{
    space_ray *rays = calloc(RAYS, sizeof *rays);
    uint64_t r = 11;
    assert_non_null(rays);
    for (int i = 0; i < RAYS; i++) {
        rays[i] = (space_ray){.t_max = INFINITY,
                              .skip_object = SCENE_NONE,
                              .only_object = SCENE_NONE};
        rays[i].origin = v3(5 * uniform(&r) - 2.5, 0, 2.9 * uniform(&r));
        rays[i].direction =
            v3(uniform(&r) - 0.5, 2 * uniform(&r) - 1, uniform(&r) - 0.5);
        if (i % 50 == 7)
            rays[i].only_object = 1 + (uint32_t)(i / 50) % BALLS;
    }
    return rays;
}

static size_t size_of_meshes(const scene *s, size_t *ret_largest)
{
    size_t all = 0;
    *ret_largest = 0;
    for (uint32_t m = 0; m < s->mesh_count; m++) {
        size_t one = 300 * (size_t)s->meshes[m].triangle_count +
                     12 * (size_t)s->meshes[m].vertex_count;
        all += one;
        *ret_largest = one > *ret_largest ? one : *ret_largest;
    }
    return all;
}

static bool same(const space_hit *a, const space_hit *b)
{
    return a->object == b->object &&
           (a->object == SCENE_NONE ||
            (a->part == b->part && a->triangle == b->triangle &&
             memcmp(&a->t, &b->t, sizeof a->t) == 0 &&
             memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
             memcmp(&a->normal, &b->normal, sizeof a->normal) == 0));
}

static void cast_each(const space *sp, const space_ray *rays, space_hit *ret)
{
    for (int i = 0; i < RAYS; i++)
        if (!space_cast(sp, &rays[i], &ret[i]))
            ret[i].object = SCENE_NONE;
}

/* a scene, what it answers when all is kept, and a copy of it with a bound */
typedef struct bounded {
    scene_builder *builder;
    scene *s;
    space_ray *rays;
    space_hit *expected;
    space_shared *shared;
    size_t all, largest, bound;
} bounded;

static bounded open_bounded(size_t share)
{
    bounded o = {.builder = broad_phase_of_meshes(),
                 .rays = make_rays(),
                 .expected = calloc(RAYS, sizeof(space_hit))};
    space *sp = NULL;
    assert_non_null(o.expected);
    o.s = scene_builder_scene(o.builder);
    assert_int_equal(space_share(o.s, &o.shared, NULL), ETNA_OK);
    assert_int_equal(space_new(o.shared, &sp, NULL), ETNA_OK);
    cast_each(sp, o.rays, o.expected);
    assert_true(embree_shared_built(o.shared->embree_shared) > BALLS / 2);
    space_free(sp);
    space_shared_free(o.shared);
    o.all = size_of_meshes(o.s, &o.largest);
    o.bound = o.all / share;
    assert_int_equal(space_share(o.s, &o.shared, NULL), ETNA_OK);
    embree_shared_bound(o.shared->embree_shared, o.bound);
    return o;
}

static void close_bounded(bounded *o)
{
    space_shared_free(o->shared);
    free(o->expected);
    free(o->rays);
    scene_builder_free(o->builder);
}

static void beyond_its_bound_a_scene_answers_the_same_bits_and_stays_near_it(
    void **state)
{
    (void)state;
    bounded o = open_bounded(5);
    space_hit *many = calloc(RAYS, sizeof *many);
    size_t most = 0;
    space *sp = NULL;
    assert_non_null(many);
    assert_int_equal(space_new(o.shared, &sp, NULL), ETNA_OK);
    for (int i = 0; i < RAYS; i++) {
        space_hit hit;
        if (!space_cast(sp, &o.rays[i], &hit))
            hit.object = SCENE_NONE;
        assert_true(same(&hit, &o.expected[i]));
        size_t now = embree_shared_bytes(o.shared->embree_shared);
        most = now > most ? now : most;
    }
    /* some more than once */
    assert_true(embree_shared_built(o.shared->embree_shared) > 3 * BALLS);
    assert_true(most > o.bound &&
                most <
                    /* what one ray came to is there while it is cast */
                    o.bound + 8 * o.largest);
    (void)space_cast_many(sp, o.rays, RAYS, many);
    for (int i = 0; i < RAYS; i++)
        assert_true(same(&many[i], &o.expected[i]));
    space_free(sp);
    free(many);
    close_bounded(&o);
}

static void what_was_used_lately_stays(void **state)
{
    (void)state;
    bounded o = open_bounded(3);
    space *sp = NULL;
    uint32_t rebuilt = 0;
    space_hit hit;
    assert_int_equal(space_new(o.shared, &sp, NULL), ETNA_OK);
    for (uint32_t round = 0; round < 4; round++)
        for (uint32_t i = 2; i <= BALLS; i++) {
            space_ray ray = o.rays[0];
            ray.only_object = i;
            (void)space_cast(sp, &ray, &hit);
            uint32_t before = embree_shared_built(o.shared->embree_shared);
            ray.only_object = 1;
            (void)space_cast(sp, &ray, &hit);
            rebuilt += embree_shared_built(o.shared->embree_shared) > before;
        }
    assert_int_equal(rebuilt, 1); /* the first time */
    assert_true(embree_shared_built(o.shared->embree_shared) > 2 * BALLS);
    space_free(sp);
    close_bounded(&o);
}

static void moves_between_casts_change_nothing_of_it(void **state)
{
    (void)state;
    bounded o = open_bounded(5);
    space_shared *whole = NULL;
    space *sp[3] = {NULL};
    assert_int_equal(space_share(o.s, &whole, NULL), ETNA_OK);
    assert_int_equal(space_new(whole, &sp[0], NULL), ETNA_OK);
    assert_int_equal(space_new(o.shared, &sp[1], NULL),
                     ETNA_OK); /* two that share meshes and a bound */
    assert_int_equal(space_new(o.shared, &sp[2], NULL), ETNA_OK);
    for (int i = 0; i < RAYS; i++) {
        space_hit hits[3];
        if (i % 20 == 0) {
            arrange_pose pose =
                *space_pose(sp[0], 1 + (uint32_t)i / 20 % BALLS);
            pose.position[0] += 0.1;
            pose.yaw += 0.3;
            for (int k = 0; k < 3; k++)
                assert_int_equal(space_move(sp[k], 1 + (uint32_t)i / 20 % BALLS,
                                            &pose, NULL),
                                 ETNA_OK);
        }
        for (int k = 0; k < 3; k++)
            if (!space_cast(sp[k], &o.rays[i], &hits[k]))
                hits[k].object = SCENE_NONE;
        assert_true(same(&hits[0], &hits[1]) && same(&hits[0], &hits[2]));
        assert_true(embree_shared_bytes(o.shared->embree_shared) <
                    2 * o.bound + 16 * o.largest); /* what both hold */
    }
    for (int k = 0; k < 3; k++)
        space_free(sp[k]);
    space_shared_free(whole);
    close_bounded(&o);
}

/* ---- threads ---- */
typedef struct caster {
    const bounded *o;
    space *sp;
    space_hit *hits, *many;
    uint32_t first, shaded;
} caster;

static void *cast_all(void *context)
{
    caster *c = context;
    uint8_t parts[BALLS + 1];
    memset(parts, SHADE_BLOCK, sizeof parts);
    parts[0] = SHADE_PASS; /* the room */
    const space_light light = {.parts = parts};
    for (uint32_t k = 0; k < RAYS; k++) {
        uint32_t i = (c->first + k) % RAYS;
        if (!space_cast(c->sp, &c->o->rays[i], &c->hits[i]))
            c->hits[i].object = SCENE_NONE;
        if (k % 4 == 0)
            c->shaded +=
                space_shaded(c->sp, &light, v3(0, 0, 1.5),
                             v3_normal(c->o->rays[k].direction), 10, NULL);
    }
    (void)space_cast_many(c->sp, c->o->rays, RAYS, c->many);
    return NULL;
}

static void run_threads(bool one_space)
{
    bounded o = open_bounded(4);
    caster casters[THREADS];
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        casters[i] = (caster){.o = &o,
                              .first = i * RAYS / THREADS,
                              .hits = calloc(RAYS, sizeof(space_hit)),
                              .many = calloc(RAYS, sizeof(space_hit))};
        assert_true(casters[i].hits && casters[i].many);
        casters[i].sp = one_space && i ? casters[0].sp : NULL;
        if (!casters[i].sp)
            assert_int_equal(space_new(o.shared, &casters[i].sp, NULL),
                             ETNA_OK);
        assert_int_equal(space_light_ready(casters[i].sp, NULL), ETNA_OK);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, cast_all, &casters[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        for (int k = 0; k < RAYS; k++)
            assert_true(same(&casters[i].hits[k], &o.expected[k]) &&
                        same(&casters[i].many[k], &o.expected[k]));
        assert_true(casters[i].shaded > 0 &&
                    /* as Embree says */
                    abs((int)casters[i].shaded - (int)casters[0].shaded) <= 2);
    }
    assert_true(embree_shared_built(o.shared->embree_shared) > 2 * BALLS);
    for (int i = 0; i < THREADS; i++) {
        if (!one_space || i == 0)
            space_free(casters[i].sp);
        free(casters[i].hits);
        free(casters[i].many);
    }
    close_bounded(&o);
}

static void threads_in_one_space_let_go_together(void **state)
{
    (void)state;
    run_threads(true);
}

static void threads_in_spaces_of_their_own_take_nothing_from_each_other(
    void **state)
{
    (void)state;
    run_threads(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            beyond_its_bound_a_scene_answers_the_same_bits_and_stays_near_it),
        cmocka_unit_test(what_was_used_lately_stays),
        cmocka_unit_test(moves_between_casts_change_nothing_of_it),
        cmocka_unit_test(threads_in_one_space_let_go_together),
        cmocka_unit_test(
            threads_in_spaces_of_their_own_take_nothing_from_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
