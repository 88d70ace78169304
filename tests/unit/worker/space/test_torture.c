/* When memory ends at any allocation, every answer of this room is an error,
 * and what was taken is given back. Only a ray, which cannot say so, is
 * answered all the same. */
#include "tests/support/torture.h"
#include "tests/unit/worker/space/fixture.h"

/* made once: a scene's own memory is not this room's */
typedef struct posed_mesh_cache {
    scene *scene;
    uint32_t table, block, mug;
} posed_mesh_cache;

static etna_code ask(space_shared *shared, const posed_mesh_cache *t)
{
    const space_rules rules = {0};
    space *sp = NULL;
    space_support_state start = {0}, now = {0};
    space_check check = {0};
    space_pair pair, found[4];
    uint32_t count, other;
    double way;
    bool hidden[8] = {false, true};
    etna_code code = space_new(shared, &sp, NULL);
    if (!code)
        code = space_hide(sp, hidden, NULL);
    if (!code)
        code = space_support_compute(sp, &rules, NULL, NULL, &start, NULL);
    arrange_pose pose = {{0.3, 0.2, 0.785}, 0.4};
    if (!code)
        code = space_move(sp, t->mug, &pose, NULL);
    if (!code)
        code =
            space_pair_check(sp, t->mug, t->table, &rules, true, &pair, NULL);
    if (!code)
        code = space_collisions(sp, t->mug, &rules, found, 4, &count, NULL);
    if (!code)
        code = space_sweep(sp, t->mug, v3(0, 0, 1), 0.05, &way, &other, NULL);
    if (!code)
        code = space_support_compute(sp, &rules, &start, NULL, &now, NULL);
    if (!code)
        code = space_check_all(sp, &rules, &check, NULL);
    if (!code)
        assert_true(pair.depth > 0.005 &&
                    now.object_count == start.object_count &&
                    check.pair_count == 2);
    space_check_free(&check);
    space_support_free(&now);
    space_support_free(&start);
    space_free(sp);
    return code;
}

static bool share_and_ask(void *context)
{
    const posed_mesh_cache *t = context;
    space_shared *shared = NULL;
    etna_code code = space_share(t->scene, &shared, NULL);
    if (!code)
        /* rays do without: see below */
        embree_shared_lose(shared->embree_shared);
    if (!code)
        code = ask(shared, t);
    space_shared_free(shared);
    return code == ETNA_OK;
}

static bool share_and_mark(void *context)
{
    const posed_mesh_cache *t = context;
    space_shared *shared = NULL;
    etna_code code = space_share(t->scene, &shared, NULL);
    if (!code)
        code = space_mark_static_by_cut(shared, NULL);
    space_shared_free(shared);
    return code == ETNA_OK;
}

static scene_builder *make(posed_mesh_cache *t)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.2),
                         scene_builder_at(0, 0, -0.1, 0), true);
    scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2),
                         scene_builder_at(2, 0, 0.9, 0), true);
    t->table =
        scene_builder_object(b, "table", scene_builder_box(b, 1, 1, 0.04),
                             scene_builder_at(0, 0, 0.73, 10), false);
    scene_builder_part(b, scene_builder_box(b, 0.1, 0.1, 0.71),
                       scene_builder_at(0, 0, 0.355, 10));
    t->block =
        scene_builder_object(b, "block", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(0.31, 0.2, 0.8, 10), false);
    t->mug =
        scene_builder_object(b, "mug", scene_builder_cylinder(b, 0.04, 0.1, 8),
                             scene_builder_at(-0.3, 0.2, 0.8, 0), false);
    scene_builder_camera(b, "eye", v3(-3, 0, 2), v3(0, 0, 0));
    t->scene = scene_builder_scene(b);
    return b;
}

static void every_answer_survives_a_failed_allocation(void **state)
{
    (void)state;
    posed_mesh_cache t;
    scene_builder *b = make(&t);
    assert_true(torture(share_and_ask, &t) > 60);
    assert_true(torture(share_and_mark, &t) > 10);
    scene_builder_free(b);
}

enum {
    CASTS = 40
};
typedef struct casting {
    scene *scene;
    space_hit expected[CASTS];
} casting;

static space_ray ray_at(int i)
{
    return (space_ray){.origin = {0.1 * (i % 8) - 0.35, 0.1 * (i / 8) - 0.2, 3},
                       .direction = {0.01 * i, 0.2, -1},
                       .t_max = INFINITY,
                       .skip_object = SCENE_NONE,
                       .only_object = SCENE_NONE};
}

/* All at once, then one by one: what failed for one ray stays so, and changes
 * no answer. True too when there is no space to cast in. */
static bool share_and_cast(void *context)
{
    const casting *c = context;
    space_shared *shared = NULL;
    space *sp = NULL;
    space_ray rays[CASTS];
    space_hit hits[CASTS], hit;
    bool same = true;
    etna_code code = space_share(c->scene, &shared, NULL);
    if (!code)
        code = space_new(shared, &sp, NULL);
    for (int i = 0; i < CASTS; i++)
        rays[i] = ray_at(i);
    if (!code)
        (void)space_cast_many(sp, rays, CASTS, hits);
    for (int i = 0; i < CASTS && !code; i++) {
        const space_hit *right = &c->expected[i];
        bool found = space_cast(sp, &rays[i], &hit),
             should = right->object != SCENE_NONE;
        same =
            same && found == should &&
            (!should || (hit.triangle == right->triangle && hit.t == right->t));
        same = same && hits[i].object == right->object &&
               (!should || hits[i].t == right->t);
    }
    space_free(sp);
    space_shared_free(shared);
    return same;
}

static void a_ray_is_answered_whatever_allocation_fails(void **state)
{
    (void)state;
    posed_mesh_cache t;
    casting c = {0};
    space_shared *shared = NULL;
    space *sp = NULL;
    scene_builder *b = make(&t);
    c.scene = t.scene;
    assert_int_equal(space_share(t.scene, &shared, NULL), ETNA_OK);
    assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
    for (int i = 0; i < CASTS; i++) {
        space_ray ray = ray_at(i);
        if (!space_cast(sp, &ray, &c.expected[i]))
            c.expected[i].object = SCENE_NONE;
    }
    space_free(sp);
    space_shared_free(shared);
    assert_true(torture_enduring(share_and_cast, &c) > 60);
    scene_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_survives_a_failed_allocation),
        cmocka_unit_test(a_ray_is_answered_whatever_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
