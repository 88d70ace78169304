/* What overlap_bound.c claims to know without a look at the cut: whatever it
 * says surely overlaps must do so by the exact test, and it must know something
 * of what is plainly deep, or it would be of no use. */
#include "proto/seed.h"
#include "tests/unit/worker/space/fixture.h"

#include <math.h>

enum {
    ASKED = 40
};

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

static vec3 any_direction(etna_random *r)
{
    vec3 d = v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
    return v3_length(d) > 0.1 ? v3_normal(d) : v3(0, 0, 1);
}

/* The proof for a pair where it stands; it is held against the exact test.
 * *ret_more: overlaps beyond `way` that it told. */
static double proven(fixture *f,
                     uint32_t a,
                     uint32_t b,
                     etna_random *r,
                     double enough,
                     uint32_t *ret_more)
{
    intersect_cache cache = {0};
    overlap_proof proof = {0};
    bool overlap = false;
    assert_int_equal(
        intersect_overlap(f->space, a, b, v3(0, 0, 0), &cache, &overlap, NULL),
        ETNA_OK);
    assert_int_equal(
        overlap_lower_bound(f->space, a, b, &cache, enough, &proof, NULL),
        ETNA_OK);
    if (!overlap)
        assert_true(proof.way == 0);
    for (int i = 0; i < ASKED; i++) {
        double t = i % 2 ? proof.way : between(r, 0, 2.5 * proof.way + 0.005);
        vec3 by = v3_scale(any_direction(r), t);
        bool still = false, exact = false;
        assert_int_equal(
            overlap_still(f->space, a, b, &proof, by, &still, NULL), ETNA_OK);
        assert_int_equal(
            intersect_overlap(f->space, a, b, by, &cache, &exact, NULL),
            ETNA_OK);
        if (still && !exact)
            fail_msg("moved by (%g %g %g) they are said to overlap", by.x, by.y,
                     by.z);
        if (proof.way > 0 && t <= proof.way)
            assert_true(still);
        *ret_more += still && t > proof.way;
    }
    return proof.way;
}

static void what_is_said_to_overlap_does(void **state)
{
    (void)state;
    etna_random r = etna_random_from(7);
    uint32_t told = 0, more = 0;
    for (int i = 0; i < 60; i++) {
        scene_builder *b = scene_builder_new();
        uint32_t kinds[] = {scene_builder_sphere(b, 0.07, 16),
                            scene_builder_box(b, 0.3, 0.1, 0.06),
                            scene_builder_cup(b, 0.05, 0.06, 0.12, 0.01, 24),
                            scene_builder_cylinder(b, 0.05, 0.2, 24),
                            scene_builder_bowl(b, 0.06, 0.08, 12),
                            scene_builder_sheet(b, 0.2, 0.2, 5)};
        if (i % 3 == 0)
            for (int k = 0; k < 5; k += 2)
                kinds[k] = scene_builder_flipped(b, kinds[k]);
        uint32_t of[2] = {(uint32_t)i % 6, (uint32_t)(i / 6) % 6}, number[2];
        for (int k = 0; k < 2; k++) {
            number[k] = scene_builder_object(
                b, k ? "b" : "a", kinds[of[k]],
                scene_builder_at(between(&r, -0.05, 0.05),
                                 between(&r, -0.05, 0.05),
                                 between(&r, -0.05, 0.05), between(&r, 0, 360)),
                false);
            if (i % 4 == 1)
                scene_builder_part(b, kinds[1],
                                   /* another piece, far from it */
                                   scene_builder_at(0.4, 0, 0, 0));
        }
        fixture f = fixture_open(b);
        told += proven(&f, number[0], number[1], &r, i % 2 ? 0.01 : 0.05,
                       &more) > 0.001;
        fixture_close(&f);
    }
    assert_true(told > 15 && more > 50);
}

static void round_solids_are_known_nearly_to_their_depth(void **state)
{
    (void)state;
    etna_random r = etna_random_from(8);
    uint32_t more = 0;
    scene_builder *b = scene_builder_new();
    uint32_t ball = scene_builder_sphere(b, 0.1, 48);
    uint32_t one = scene_builder_object(b, "one", ball,
                                        scene_builder_at(0, 0, 0, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", ball, scene_builder_at(0.1, 0.08, 0.11, 25), false);
    fixture f = fixture_open(b);
    double depth = 0.2 - sqrt(0.1 * 0.1 + 0.08 * 0.08 + 0.11 * 0.11);
    double way = proven(&f, one, two, &r, 0.05, &more);
    if (!(way > 0.9 * depth && way < depth))
        fail_msg("%g m of %g", way, depth);
    assert_true(more > 5);
    fixture_close(&f);
}

/* A cup's wall is long thin triangles without a vertex where a ball goes
 * through it. */
static void a_ball_through_a_cup_is_deep_though_no_vertex_is_in_it(void **state)
{
    (void)state;
    etna_random r = etna_random_from(9);
    uint32_t more = 0;
    scene_builder *b = scene_builder_new();
    uint32_t cup = scene_builder_object(
        b, "cup", scene_builder_cup(b, 0.08, 0.09, 0.3, 0.02, 200),
        scene_builder_at(0, 0, 0, 0), false);
    uint32_t ball =
        scene_builder_object(b, "ball", scene_builder_sphere(b, 0.1, 40),
                             scene_builder_at(0.15, 0, 0.15, 0), false);
    fixture f = fixture_open(b);
    assert_true(proven(&f, cup, ball, &r, 0.01, &more) >= 0.01);
    assert_true(proven(&f, ball, cup, &r, 0.01, &more) >= 0.01);
    fixture_close(&f);
}

/* Two balls joined by a triangle without width, as strips of triangles have
 * them: one lies in the box, the other beyond it, and nothing cuts. */
static void what_only_a_line_joins_is_not_joined(void **state)
{
    (void)state;
    static const float at[] = {-0.5f, -0.5f, -0.5f, 0.5f,  -0.5f, -0.5f,
                               0.5f,  0.5f,  -0.5f, -0.5f, 0.5f,  -0.5f,
                               -0.5f, -0.5f, 0.5f,  0.5f,  -0.5f, 0.5f,
                               0.5f,  0.5f,  0.5f,  -0.5f, 0.5f,  0.5f};
    static const uint32_t box[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7,
                                     0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5,
                                     2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    float position[2 * 24];
    uint32_t index[2 * 36 + 6];
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < 24; i++)
            position[24 * k + i] =
                0.04f * at[i] + (k && i % 3 == 0 ? 1.0f : 0.0f);
        for (uint32_t i = 0; i < 36; i++)
            index[36 * k + i] = box[i] + 8 * k;
    }
    const uint32_t line[6] = {6, 6, 14, 14, 14, 6};
    for (uint32_t i = 0; i < 6; i++)
        index[72 + i] = line[i];
    scene_builder *b = scene_builder_new();
    uint32_t pair = scene_builder_mesh(b, position, 16, index, 26);
    uint32_t two = scene_builder_object(b, "two", pair,
                                        scene_builder_at(0, 0, 0, 0), false);
    uint32_t block =
        scene_builder_object(b, "block", scene_builder_box(b, 0.3, 0.3, 0.3),
                             scene_builder_at(0, 0, 0, 10), false);
    fixture f = fixture_open(b);
    intersect_cache cache = {.known = {true, true}}; /* as if these had cut */
    overlap_proof proof = {0};
    bool overlap = true;
    assert_int_equal(
        overlap_lower_bound(f.space, two, block, &cache, 0.05, &proof, NULL),
        ETNA_OK);
    assert_true(proof.way == 0 && !proof.solid);
    cache = (intersect_cache){0};
    assert_int_equal(intersect_overlap(f.space, two, block, v3(0, 0, 0), &cache,
                                       &overlap, NULL),
                     ETNA_OK);
    assert_false(overlap);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_to_overlap_does),
        cmocka_unit_test(round_solids_are_known_nearly_to_their_depth),
        cmocka_unit_test(
            a_ball_through_a_cup_is_deep_though_no_vertex_is_in_it),
        cmocka_unit_test(what_only_a_line_joins_is_not_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
