/* Short ways to an answer against the long ones: a verdict asked for alone is
 * what the depth says it is. */
#include "tests/unit/worker/space/fixture.h"

#include "proto/seed.h"

#include <malloc.h>
#include <stdlib.h>

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

static uint32_t any_solid(scene_builder *b,
                          etna_random *r,
                          int kind,
                          double size)
{
    if (kind == 0)
        return scene_builder_box(b, size, size * between(r, 0.5, 1),
                                 size * between(r, 0.02, 1));
    if (kind == 1)
        return scene_builder_sphere(b, size / 2,
                                    8 + (uint32_t)etna_random_below(r, 12));
    if (kind == 2)
        return scene_builder_cylinder(b, size / 2, size * between(r, 0.02, 1),
                                      20);
    return scene_builder_cup(b, 0.4 * size, 0.5 * size, size, 0.1 * size, 16);
}

/* Thin things have thresholds below a millimetre and between two; most pairs
 * are pushed to about theirs. */
static void a_verdict_alone_is_what_the_depth_says(void **state)
{
    (void)state;
    etna_random r = etna_random_from(11);
    int collide = 0, cross = 0;
    for (int i = 0; i < 150; i++) {
        scene_builder *b = scene_builder_new();
        uint32_t one = scene_builder_object(
            b, "one", any_solid(b, &r, i % 4, between(&r, 0.03, 0.2)),
            scene_builder_at(0.4, -0.3, 0.5, between(&r, 0, 360)), false);
        uint32_t two = scene_builder_object(
            b, "two", any_solid(b, &r, i / 4 % 4, between(&r, 0.03, 0.2)),
            scene_builder_at(0.4, -0.3, 0.5, between(&r, 0, 360)), false);
        fixture f = fixture_open(b);
        vec3 away = v3_normal(
            v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)));
        const scene_box *box = &space_scene(f.space)->objects[two].box;
        fixture_move(&f, two, 0, 0, 0.5 - box->centre.z, 0);
        for (int k = 0; k < 6; k++) { /* from deep inside to just beyond */
            space_pair pair = fixture_pair(&f, one, two);
            space_pair other = fixture_pair(&f, two, one);
            assert_int_equal(other.a, two);
            assert_int_equal(other.collides, pair.collides);
            assert_true(other.depth == pair.depth); /* whoever asks */
            collide += pair.collides;
            cross += pair.depth > 0 && !pair.collides;
            double by = k == 0 ? 0.02 : 0.012;
            fixture_move(&f, two, by * away.x, by * away.y, by * away.z, 1);
        }
        fixture_close(&f);
    }
    assert_true(collide > 100 && cross > 25);
}

/* Two grains far away whose common box holds everything: no point of an
 * underside is out of its reach. */
static void add_far_grains(scene_builder *b)
{
    const float p[18] = {-40, -40, -40, -39, -40, -40, -40, -39, -40,
                         40,  40,  40,  39,  40,  40,  40,  39,  40};
    const uint32_t t[6] = {0, 1, 2, 3, 4, 5};
    scene_builder_object(b, "grains", scene_builder_mesh(b, p, 6, t, 2),
                         scene_builder_at(0, 0, 0, 0), true);
}

static fixture broad_phase_of_solids(uint64_t seed, bool grains)
{
    etna_random r = etna_random_from(seed);
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 3, 3, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    for (int i = 0; i < 30;
         /* on the floor, on one another, a little in the air, over its edge */
         i++) {
        double x = between(&r, -1.6, 1.6), y = between(&r, -1.6, 1.6);
        double up = i % 5 == 0   ? between(&r, 0, 0.4)
                    : i % 5 == 1 ? between(&r, -0.012, 0.012)
                                 : 0;
        scene_builder_object(
            b, "solid", any_solid(b, &r, i % 4, between(&r, 0.1, 0.6)),
            scene_builder_at(x, y, up, between(&r, 0, 360)), false);
    }
    if (grains)
        add_far_grains(b);
    return fixture_open(b);
}

static space_support_state support_of(const fixture *f)
{
    const space_rules rules = {0};
    space_support_state state;
    assert_int_equal(
        space_support_compute(f->space, &rules, NULL, NULL, &state, NULL),
        ETNA_OK);
    return state;
}

static void rest_on_the_floor(fixture *f)
{
    /* boxes and spheres are built around their middle */
    for (uint32_t i = 1; i <= 30; i++) {
        double lowest = space_scene(f->space)->objects[i].min.z;
        fixture_move(f, i, 0, 0,
                     (i % 5 == 1   ? 0.2
                      : i % 5 == 2 ? 0.008
                                   : 0) -
                         lowest,
                     0);
    }
}

static void
what_is_out_of_reach_of_an_underside_is_not_asked_and_changes_nothing(
    void **state)
{
    (void)state;
    uint32_t posed_mesh_cache = 0, hovering = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        fixture quick = broad_phase_of_solids(seed, false),
                slow = broad_phase_of_solids(seed, true);
        for (int moved = 0; moved < 2; moved++) {
            space_support_state a = support_of(&quick), b = support_of(&slow);
            assert_int_equal(b.object_count, a.object_count + 1);
            assert_int_equal(a.edge_count, b.edge_count);
            assert_memory_equal(a.edges, b.edges,
                                a.edge_count * sizeof a.edges[0]);
            assert_memory_equal(a.support, b.support, a.object_count);
            assert_memory_equal(a.gap, b.gap, a.object_count * sizeof a.gap[0]);
            for (uint32_t i = 0; i < a.object_count; i++) {
                posed_mesh_cache += a.support[i] == SUPPORT_GROUNDED;
                hovering += a.support[i] == SUPPORT_HOVERING;
            }
            space_support_free(&a);
            space_support_free(&b);
            rest_on_the_floor(&quick);
            rest_on_the_floor(&slow);
        }
        fixture_close(&quick);
        fixture_close(&slow);
    }
    assert_true(posed_mesh_cache > 20 && hovering > 20);
}

static void an_underside_by_columns_is_the_one_by_rays(void **state)
{
    (void)state;
    union {
        underside u;
        char room[sizeof(underside) +
                  UNDERSIDE_POINTS_MAX * sizeof(underside_sample)];
    } *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    size_t points = 0;
    assert_true(one && two);
    for (uint64_t seed = 0; seed < 4; seed++) {
        fixture f = broad_phase_of_solids(100 + seed, false);
        for (int moved = 0; moved < 2; moved++) {
            for (uint32_t i = 0; i <= 30; i++) {
                assert_int_equal(
                    underside_make(f.space, i, false, &one->u, NULL), ETNA_OK);
                assert_int_equal(
                    underside_make(f.space, i, true, &two->u, NULL), ETNA_OK);
                assert_int_equal(one->u.count, two->u.count);
                assert_memory_equal(one->u.points, two->u.points,
                                    one->u.count * sizeof one->u.points[0]);
                points += one->u.count;
            }
            for (uint32_t i = 1; i <= 30; i++)
                fixture_move(&f, i, 0.1, -0.03 * i, 0.01, 31.0 * i);
        }
        fixture_close(&f);
    }
    assert_true(points > 30000);
    free(one);
    free(two);
}

/* Kept small, brought back whole: in a scene of many copies these are most of
 * what a check leaves in memory. */
static void an_underside_that_was_kept_comes_back_bit_by_bit_and_is_small(
    void **state)
{
    (void)state;
    underside *right =
        malloc(sizeof *right + UNDERSIDE_POINTS_MAX * sizeof right->points[0]);
    assert_non_null(right);
    for (uint64_t seed = 0; seed < 4; seed++) {
        fixture f = broad_phase_of_solids(300 + seed, false);
        const underside *u;
        for (int again = 0; again < 3;
             /* found, brought back, and brought back beside another's */
             again++) {
            for (uint32_t i = 0; i <= 30; i++) {
                assert_int_equal(underside_make(f.space, i, false, right, NULL),
                                 ETNA_OK);
                assert_int_equal(underside_find(f.space, i, &u, NULL), ETNA_OK);
                assert_int_equal(u->count, right->count);
                assert_memory_equal(u->points, right->points,
                                    u->count * sizeof u->points[0]);
                assert_true(
                    malloc_usable_size(atomic_load(&f.shared->undersides[i])) <
                    100 + sizeof(lru_item) +
                        u->count * sizeof u->points[0] * 5 / 8);
            }
        }
        fixture_close(&f);
    }
    free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_alone_is_what_the_depth_says),
        cmocka_unit_test(
            what_is_out_of_reach_of_an_underside_is_not_asked_and_changes_nothing),
        cmocka_unit_test(an_underside_by_columns_is_the_one_by_rays),
        cmocka_unit_test(
            an_underside_that_was_kept_comes_back_bit_by_bit_and_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
