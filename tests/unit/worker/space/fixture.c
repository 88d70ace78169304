/* See fixture.h. */
#include "tests/unit/worker/space/fixture.h"

fixture fixture_open(scene_builder *b)
{
    fixture f = {.builder = b};
    etna_error err = {0};
    assert_int_equal(space_share(scene_builder_scene(b), &f.shared, &err),
                     ETNA_OK);
    assert_int_equal(space_new(f.shared, &f.space, &err), ETNA_OK);
    return f;
}

void fixture_close(fixture *f)
{
    space_free(f->space);
    space_shared_free(f->shared);
    scene_builder_free(f->builder);
}

void fixture_move(fixture *f,
                  uint32_t object,
                  double dx,
                  double dy,
                  double dz,
                  double yaw_degrees)
{
    arrange_pose pose = *space_pose(f->space, object);
    pose.position[0] += dx;
    pose.position[1] += dy;
    pose.position[2] += dz;
    pose.yaw += yaw_degrees * MATH_PI / 180;
    assert_int_equal(space_move(f->space, object, &pose, NULL), ETNA_OK);
}

space_pair fixture_pair(fixture *f, uint32_t a, uint32_t b)
{
    const space_rules rules = {0};
    space_pair pair, verdict, back;
    assert_int_equal(
        space_pair_check(f->space, a, b, &rules, true, &pair, NULL), ETNA_OK);
    assert_int_equal(
        space_pair_check(f->space, a, b, &rules, false, &verdict, NULL),
        ETNA_OK);
    assert_int_equal(
        space_pair_check(f->space, b, a, &rules, true, &back, NULL), ETNA_OK);
    assert_int_equal(pair.collides, verdict.collides);
    assert_int_equal(pair.collides, back.collides);
    assert_int_equal(pair.deeper, back.deeper);
    assert_true(fabs(pair.depth - back.depth) < 2e-4);
    return pair;
}

bool fixture_down(fixture *f, double x, double y, double z, space_hit *ret)
{
    space_ray ray = {.origin = {x, y, z},
                     .direction = {0, 0, -1},
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    return space_cast(f->space, &ray, ret);
}
