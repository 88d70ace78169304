/* Short ways to an answer against the long ones: a verdict asked for alone is what the depth says it is. */
#include "tests/unit/worker/space/fixture.h"

#include "proto/seed.h"

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

static uint32_t any_solid(scene_builder *b, etna_random *r, int kind, double size)
{
    if (kind == 0) return scene_builder_box(b, size, size * between(r, 0.5, 1), size * between(r, 0.02, 1));
    if (kind == 1) return scene_builder_sphere(b, size / 2, 8 + (uint32_t)etna_random_below(r, 12));
    if (kind == 2) return scene_builder_cylinder(b, size / 2, size * between(r, 0.02, 1), 20);
    return scene_builder_cup(b, 0.4 * size, 0.5 * size, size, 0.1 * size, 16);
}

/* Thin things have thresholds below a millimetre and between two; most pairs are pushed to about theirs. */
static void a_verdict_alone_is_what_the_depth_says(void **state)
{
    (void)state;
    etna_random r = etna_random_from(11);
    int collide = 0, cross = 0;
    for (int i = 0; i < 150; i++) {
        scene_builder *b = scene_builder_new();
        uint32_t one = scene_builder_object(b, "one", any_solid(b, &r, i % 4, between(&r, 0.03, 0.2)),
                                            scene_builder_at(0.4, -0.3, 0.5, between(&r, 0, 360)), false);
        uint32_t two = scene_builder_object(b, "two", any_solid(b, &r, i / 4 % 4, between(&r, 0.03, 0.2)),
                                            scene_builder_at(0.4, -0.3, 0.5, between(&r, 0, 360)), false);
        fixture f = fixture_open(b);
        vec3 away = v3_normal(v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)));
        const scene_box *box = &space_scene(f.space)->objects[two].box;
        fixture_move(&f, two, 0, 0, 0.5 - box->centre.z, 0);
        for (int k = 0; k < 6; k++) { /* from deep inside to just beyond */
            space_pair pair = fixture_pair(&f, one, two);
            collide += pair.collides;
            cross += pair.depth > 0 && !pair.collides;
            double by = k == 0 ? 0.02 : 0.012;
            fixture_move(&f, two, by * away.x, by * away.y, by * away.z, 1);
        }
        fixture_close(&f);
    }
    assert_true(collide > 100 && cross > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_alone_is_what_the_depth_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
