/* Is a point within a mesh that need not be closed: the same verdict as from
 * the sum over all triangles, and soon. */
#include "tests/unit/worker/space/fixture.h"

#include "proto/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

enum {
    RINGS = 130
};

/* A ball without its cap: open, some 34 K triangles. */
static uint32_t open_ball(scene_builder *b, double radius, double cap)
{
    uint32_t columns = 2 * RINGS, count = 0;
    float *position = malloc(3 * sizeof *position * (RINGS + 1) * columns);
    uint32_t *index = malloc(6 * sizeof *index * RINGS * columns);
    for (uint32_t i = 0; i <= RINGS; i++)
        for (uint32_t k = 0; k < columns; k++) {
            double polar = cap + (MATH_PI - cap) * i / RINGS,
                   around = 2 * MATH_PI * k / columns;
            float *p = position + 3 * (i * columns + k);
            p[0] = (float)(radius * sin(polar) * cos(around));
            p[1] = (float)(radius * sin(polar) * sin(around));
            p[2] = (float)(radius * cos(polar));
        }
    for (uint32_t i = 0; i < RINGS; i++)
        for (uint32_t k = 0; k < columns; k++) {
            uint32_t a = i * columns + k, c = i * columns + (k + 1) % columns;
            const uint32_t quad[6] = {a, a + columns, c,
                                      c, a + columns, c + columns};
            for (int n = 0; n < 6; n++)
                index[count++] = quad[n];
        }
    uint32_t mesh = scene_builder_mesh(b, position, (RINGS + 1) * columns,
                                       index, count / 3);
    free(position);
    free(index);
    return mesh;
}

/* `count` loose triangles within a ball, no two joined. */
static uint32_t confetti(scene_builder *b, double radius, uint32_t count)
{
    float *position = malloc(9 * sizeof *position * count);
    uint32_t *index = malloc(3 * sizeof *index * count);
    etna_random random = etna_random_from(3);
    for (uint32_t i = 0; i < count; i++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = radius * 0.57 * (2 * etna_random_unit(&random) - 1);
        for (uint32_t k = 0; k < 9; k++)
            position[9 * i + k] =
                (float)(at[k % 3] +
                        0.002 * (2 * etna_random_unit(&random) - 1));
        for (uint32_t k = 0; k < 3; k++)
            index[3 * i + k] = 3 * i + k;
    }
    uint32_t mesh = scene_builder_mesh(b, position, 3 * count, index, count);
    free(position);
    free(index);
    return mesh;
}

static void bounds_never_change_a_verdict(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "ball", open_ball(b, 0.5, 0.9),
                         scene_builder_at(0.3, -0.2, 0.1, 0), false);
    fixture f = fixture_open(b);
    object_state *p = NULL;
    assert_int_equal(space_posed(f.space, 0, &p, NULL), ETNA_OK);
    assert_false(p->shape->closed);
    winding_aid *aid = winding_aid_make(p->shape, p->nodes, p->vertex);
    assert_non_null(aid->rim);
    winding_mesh quick = {p->shape, p->nodes, p->vertex, aid},
                 slow = {p->shape, p->nodes, p->vertex, NULL};
    etna_random random = etna_random_from(1);
    uint32_t within = 0;
    for (int i = 0; i < 600; i++) {
        vec3 at = v3(0.3 + 1.2 * (etna_random_unit(&random) - 0.5),
                     -0.2 + 1.2 * (etna_random_unit(&random) - 0.5),
                     0.1 + 1.2 * (etna_random_unit(&random) - 0.5));
        bool expected = winding_within(at, &slow);
        assert_int_equal(winding_within(at, &quick), expected);
        within += expected;
    }
    assert_true(within > 50 && within < 500);
    winding_aid_free(aid);
    fixture_close(&f);
}

/* It used to take minutes: every piece against every triangle, at every step of
 * every direction. */
static void a_heap_of_pieces_in_an_open_mesh_is_judged_soon(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "sack", open_ball(b, 0.5, 0.3),
                         scene_builder_at(0, 0, 0, 0), false);
    scene_builder_object(b, "heap", confetti(b, 0.4, 12000),
                         scene_builder_at(3, 0, 0, 0), false);
    fixture f = fixture_open(b);
    space_pair pair;
    fixture_move(&f, 1, -3, 0, 0, 0);
    clock_t begun = clock();
    assert_int_equal(space_pair_check(f.space, 0, 1, NULL, false, &pair, NULL),
                     ETNA_OK);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    assert_true(pair.collides);
    print_message("verdict after %.3f s\n", seconds);
    /* of a machine that may be busy or instrumented */
    assert_true(seconds < 5);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_never_change_a_verdict),
        cmocka_unit_test(a_heap_of_pieces_in_an_open_mesh_is_judged_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
