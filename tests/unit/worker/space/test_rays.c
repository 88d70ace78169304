/* Rays: the exact nearest hit, the same for every instruction set, through
 * exact edges and vertices, far away, and the same from any thread. */
#include "tests/unit/worker/space/fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
static double uniform(uint64_t *state)
{
    return (double)(random_next(state) >> 11) / 9007199254740992.0;
}
static double between(uint64_t *state, double a, double b)
{
    return a + (b - a) * uniform(state);
}

static vec3 between3(uint64_t *state, vec3 low, vec3 high)
{
    double x = between(state, low.x, high.x), y = between(state, low.y, high.y),
           z = between(state, low.z, high.z);
    /* one after another: arguments have no order, and every compiler shall
     * shoot the same rays */
    return v3(x, y, z);
}

/* A furnished room: closed boxes, round things, slivers (needles and tall
 * cylinders), an open sheet, scaled instances. */
static scene_builder *furnished(void)
{
    scene_builder *b = scene_builder_new();
    uint64_t r = 7;
    uint32_t meshes[6] = {scene_builder_box(b, 0.5, 0.3, 0.4),
                          scene_builder_sphere(b, 0.2, 16),
                          scene_builder_cylinder(b, 0.1, 0.9, 24),
                          scene_builder_cup(b, 0.1, 0.12, 0.3, 0.02, 20),
                          scene_builder_sheet(b, 0.8, 0.5, 5),
                          scene_builder_box(b, 0.003, 0.003, 1.5)};
    scene_builder_object(b, "room", scene_builder_room(b, 6, 6, 3),
                         scene_builder_at(0, 0, 0, 0), true);
    for (int i = 0; i < 60; i++) {
        double x = between(&r, -2.8, 2.8), y = between(&r, -2.8, 2.8),
               z = between(&r, 0, 2.5), yaw = between(&r, 0, 360),
               scale = between(&r, 0.3, 1.5);
        affine at = i % 3 == 0 ? scene_builder_at(x, y, z, 0)
                               : scene_builder_scaled(x, y, z, yaw, scale);
        scene_builder_object(b, "thing", meshes[i % 6], at, false);
    }
    return b;
}

static vec3 corner_of(const scene *s,
                      uint32_t part,
                      uint32_t triangle,
                      uint32_t k)
{
    return scene_vertex(s, &s->parts[part],
                        s->meshes[s->parts[part].mesh].index[3 * triangle + k]);
}

static space_ray random_ray(const scene *s, uint64_t *r, bool aimed)
{
    space_ray ray = {.t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    ray.origin = between3(r, v3(-2.9, -2.9, 0.1), v3(2.9, 2.9, 2.9));
    ray.direction = between3(r, v3(-1, -1, -1), v3(1, 1, 1));
    if (aimed) { /* at a vertex or at a point of an edge */
        uint32_t part = (uint32_t)(random_next(r) % s->part_count);
        uint32_t triangle =
                     (uint32_t)(random_next(r) %
                                s->meshes[s->parts[part].mesh].triangle_count),
                 k = (uint32_t)(random_next(r) % 3);
        vec3 p = corner_of(s, part, triangle, k),
             q = corner_of(s, part, triangle, (k + 1) % 3);
        double t = random_next(r) % 2 ? 0 : uniform(r);
        ray.direction = v3_sub(v3_add_scaled(p, v3_sub(q, p), t), ray.origin);
    }
    uint64_t kind = random_next(r) % 16;
    if (kind == 0)
        ray.skip_object = (uint32_t)(random_next(r) % s->object_count);
    if (kind == 1)
        ray.only_object = (uint32_t)(random_next(r) % s->object_count);
    return ray;
}

/* The answer without any tree: every triangle by the fixed test. */
static bool cast_plainly(const scene *s, const space_ray *ray, space_hit *ret)
{
    ray_shear shear = ray_shear_make(ray->origin, ray->direction);
    bool found = false;
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (s->parts[p].object == ray->skip_object ||
            (ray->only_object != SCENE_NONE &&
             s->parts[p].object != ray->only_object))
            continue;
        for (uint32_t i = 0; i < s->meshes[s->parts[p].mesh].triangle_count;
             i++) {
            double t, edge;
            if (!triangle_ray(&shear, corner_of(s, p, i, 0),
                              corner_of(s, p, i, 1), corner_of(s, p, i, 2), &t,
                              &edge) ||
                t < ray->t_min || t > ray->t_max)
                continue;
            if (!found || t < ret->t) {
                *ret = (space_hit){.object = s->parts[p].object,
                                   .part = p,
                                   .triangle = i,
                                   .t = t};
                found = true;
            }
        }
    }
    return found;
}

static bool same_hit(bool found_a,
                     const space_hit *a,
                     bool found_b,
                     const space_hit *b)
{
    if (found_a != found_b)
        return false;
    return !found_a || (a->object == b->object && a->part == b->part &&
                        a->triangle == b->triangle &&
                        memcmp(&a->t, &b->t, sizeof a->t) == 0);
}

static void every_answer_is_that_of_trying_all_triangles(void **state)
{
    (void)state;
    fixture f = fixture_open(furnished());
    const scene *s = space_scene(f.space);
    uint64_t r = 11;
    for (int i = 0; i < 4000; i++) {
        space_ray ray = random_ray(s, &r, i % 2 == 0);
        space_hit hit, plain;
        bool found = space_cast(f.space, &ray, &hit),
             expected = cast_plainly(s, &ray, &plain);
        if (!same_hit(found, &hit, expected, &plain))
            fail_msg(
                "ray %d: object %u triangle %u at %.17g, should be object %u triangle %u at %.17g",
                i, found ? hit.object : 0, found ? hit.triangle : 0,
                found ? hit.t : -1.0, expected ? plain.object : 0,
                expected ? plain.triangle : 0, expected ? plain.t : -1.0);
    }
    fixture_close(&f);
}

/* A sanitizer slows a ray down a hundredfold and sees nothing new in the
 * ten-millionth. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(ETNA_TSAN)
static const long many_rays = 100000;
#else
static const long many_rays = 10000000;
#endif

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    static const char *const isa[] = {"isa=sse2", "isa=avx", "isa=avx2",
                                      "isa=avx512"};
    const char *full = getenv("ETNA_FULL");
    long count = full && strcmp(full, "1") == 0 ? many_rays : 100000;
    scene_builder *b = furnished();
    scene *s = scene_builder_scene(b);
    space_shared *shared[4] = {NULL};
    space *sp[4] = {NULL};
    int sets = 0;
    __builtin_cpu_init();
    const bool here[4] = {true, __builtin_cpu_supports("avx"),
                          __builtin_cpu_supports("avx2"),
                          __builtin_cpu_supports("avx512f") &&
                              __builtin_cpu_supports("avx512vl") &&
                              __builtin_cpu_supports("avx512dq")};
    for (int k = 0; k < 4; k++) {
        if (!here[k])
            continue;
        assert_int_equal(space_share_with(s, isa[k], &shared[sets], NULL),
                         ETNA_OK);
        assert_int_equal(space_new(shared[sets], &sp[sets], NULL), ETNA_OK);
        sets++;
    }
    print_message("%ld rays with each of %d instruction sets\n", count, sets);
    uint64_t r = 3;
    long differ = 0;
    for (long i = 0; i < count; i++) {
        space_ray ray = random_ray(s, &r, i % 10 == 0);
        space_hit first, hit;
        bool found = space_cast(sp[0], &ray, &first);
        for (int k = 1; k < sets; k++)
            differ +=
                !same_hit(found, &first, space_cast(sp[k], &ray, &hit), &hit);
    }
    assert_int_equal(differ, 0);
    for (int k = 0; k < sets; k++) {
        space_free(sp[k]);
        space_shared_free(shared[k]);
    }
    scene_builder_free(b);
}

static void coinciding_surfaces_go_to_the_lower_object(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 1, 1, 1);
    scene_builder_object(b, "one", cube, scene_builder_at(0, 0, 0.5, 0), false);
    scene_builder_object(b, "two", cube, scene_builder_at(0, 0, 0.5, 0), false);
    fixture f = fixture_open(b);
    space_hit hit, again;
    /* through the diagonal both triangles of the top share */
    assert_true(fixture_down(&f, 0, 0, 5, &hit));
    assert_int_equal(hit.object, 0);
    assert_true(hit.t == 4 && hit.normal.z == 1 && hit.point.z == 1);
    assert_true(fixture_down(&f, 0.5, 0.5, 5, &again)); /* and a corner */
    assert_int_equal(again.object, 0);
    assert_false(fixture_down(&f, 0.5000001, 0.5, 5, &again));
    fixture_close(&f);
}

static void limits_and_moves_are_kept(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        double x = far ? 40.3 : 0, y = far ? -37.7 : 0;
        scene_builder *b = scene_builder_new();
        uint32_t one =
            scene_builder_object(b, "one", scene_builder_box(b, 0.2, 0.2, 0.2),
                                 scene_builder_at(x, y, 0.1, 0), false);
        uint32_t two =
            scene_builder_object(b, "two", scene_builder_box(b, 2, 2, 0.1),
                                 scene_builder_at(x, y, -0.06, 0), false);
        fixture f = fixture_open(b);
        space_hit hit;
        space_ray ray = {.origin = {x + 0.05, y, 1},
                         .direction = {0, 0, -2},
                         .t_max = INFINITY,
                         .skip_object = SCENE_NONE,
                         .only_object = SCENE_NONE};
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == one &&
                    fabs(hit.t - 0.4) < 1e-7);
        ray.t_max = 0.39;
        assert_false(space_cast(f.space, &ray, &hit));
        ray.t_max = INFINITY;
        ray.t_min = 0.41;
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == one &&
                    fabs(hit.t - 0.5) < 1e-7 && hit.normal.z > 0.99);
        ray.t_min = 0;
        ray.skip_object = one;
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == two);
        ray.skip_object = SCENE_NONE;
        ray.only_object = two;
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == two);
        ray.only_object = SCENE_NONE;
        fixture_move(&f, one, 0.3, 0, 0, 30);
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == two);
        arrange_pose base =
            scene_base_pose(&space_scene(f.space)->objects[one]);
        assert_int_equal(space_move(f.space, one, &base, NULL), ETNA_OK);
        assert_true(space_cast(f.space, &ray, &hit) && hit.object == one &&
                    fabs(hit.t - 0.4) < 1e-7);
        ray.origin.z = hit.point.z; /* on the surface */
        ray.t_min = -1e-9;
        assert_true(space_cast(f.space, &ray, &hit) && fabs(hit.t) < 1e-8);
        ray.direction = v3(0, 0, 0);
        assert_false(space_cast(f.space, &ray, &hit));
        ray.direction = v3(0, 0, NAN);
        assert_false(space_cast(f.space, &ray, &hit));
        arrange_pose bad = base;
        bad.position[1] = NAN;
        assert_int_equal(space_move(f.space, one, &bad, NULL), ETNA_E_INPUT);
        assert_true(memcmp(space_pose(f.space, one), &base, sizeof base) == 0);
        fixture_close(&f);
    }
}

static void a_part_scaled_flat_is_met_like_any_other(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 1, 1, 1);
    affine flat = {{{2, 0, 0}, {0, 3, 0}, {0, 0, 0}}, {0.1, 0.2, 0.05}},
           slanted = {{{0.8, 0, 0}, {0, 2, 0}, {0.6, 0, 0}}, {10, 0, 1}};
    affine line = {{{2, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 2}};
    uint32_t carpet = scene_builder_object(b, "carpet", cube, flat, false),
             roof = scene_builder_object(b, "roof", cube, slanted, false);
    scene_builder_object(b, "line", cube, line, false);
    fixture f = fixture_open(b);
    space_hit hit;
    assert_true(fixture_down(&f, 0.3, 0.4, 3, &hit) && hit.object == carpet &&
                fabs(hit.point.z - 0.05) < 1e-12);
    assert_true(fixture_down(&f, 1.0999, 1.6999, 3, &hit) &&
                hit.object == carpet);
    assert_false(fixture_down(&f, 1.1001, 0.4, 3, &hit));
    assert_true(fixture_down(&f, 10.2, 0.4, 3, &hit) && hit.object == roof &&
                fabs(hit.point.z - 1.15) < 1e-9);
    fixture_move(&f, carpet, 0, 0, 1, 20);
    assert_true(fixture_down(&f, 0.3, 0.4, 3, &hit) && hit.object == carpet &&
                fabs(hit.point.z - 1.05) < 1e-9);
    fixture_move(&f, roof, 0, 0, 0, 33); /* about its centre, (10, 0, 1) */
    assert_true(fixture_down(&f, 10, 0, 3, &hit) && hit.object == roof &&
                fabs(hit.point.z - 1) < 1e-9);
    space_ray own = {.origin = {0.3, 0.4, 0},
                     .direction = {0, 0, 1},
                     .t_max = 5,
                     .skip_object = SCENE_NONE,
                     .only_object = carpet};
    assert_true(space_cast(f.space, &own, &hit) && fabs(hit.t - 1.05) < 1e-9);
    fixture_close(&f);
}

/* Embree's builds with assertions end the process at a ray that is beyond what
 * floats can hold in the frame of what it comes to. */
static void a_part_squeezed_beyond_floats_is_met_and_ends_nothing(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 1, 1, 1);
    uint32_t giant = scene_builder_box(b, 1e20, 1e20, 1e20);
    affine flat = {{{2, 0, 0}, {0, 3, 0}, {0, 0, 1e-20}}, {0, 0, 0.5}};
    uint32_t sheet = scene_builder_object(b, "sheet", cube, flat, false);
    uint32_t block = scene_builder_object(
        b, "block", giant, scene_builder_scaled(10, 0, 0, 30, 1e-20), false);
    scene_builder_object(b, "speck", cube,
                         scene_builder_scaled(20, 0, 0, 0, 1e-30), false);
    fixture f = fixture_open(b);
    space_hit hit, hits[3];
    assert_true(fixture_down(&f, 0.3, 0.4, 3, &hit) && hit.object == sheet);
    assert_true(fabs(hit.point.z - 0.5) < 1e-12);
    assert_false(fixture_down(&f, 1.001, 0.4, 3, &hit));
    assert_true(fixture_down(&f, 10.1, 0.1, 3, &hit) && hit.object == block);
    double top = hit.point.z;
    space_ray rays[3];
    for (int i = 0; i < 3; i++)
        rays[i] = (space_ray){.origin = {10 * i, 0, 3},
                              .direction = {0, 0, -1},
                              .t_max = INFINITY,
                              .skip_object = SCENE_NONE,
                              .only_object = SCENE_NONE};
    (void)space_cast_many(f.space, rays, 3, hits);
    assert_int_equal(hits[0].object, sheet);
    assert_int_equal(hits[1].object, block);
    fixture_move(&f, block, 0, 0, 1, 0);
    assert_true(fixture_down(&f, 10.1, 0.1, 3, &hit) && hit.object == block);
    assert_true(fabs(hit.point.z - top - 1) < 1e-9);
    rays[0].origin.z = 1e20;
    assert_false(space_cast(f.space, &rays[0], &hit));
    fixture_close(&f);
}

/* ---- threads ---- */
enum {
    RAYS = 3000
};
typedef struct answers {
    space_shared *shared;
    bool found[RAYS];
    space_hit hits[RAYS];
    space_pair pairs[64];
    uint32_t pair_count, floating_count;
    double way;
} answers;

static void *ask_everything(void *context)
{
    answers *a = context;
    const space_rules rules = {0};
    space *sp = NULL;
    space_check check = {0};
    uint32_t other;
    if (space_new(a->shared, &sp, NULL) != ETNA_OK)
        return NULL;
    uint64_t r = 5;
    for (int i = 0; i < RAYS; i++) {
        space_ray ray = random_ray(space_scene(sp), &r, i % 10 == 0);
        a->found[i] = space_cast(sp, &ray, &a->hits[i]);
    }
    arrange_pose pose = *space_pose(sp, 5);
    pose.yaw += 0.3;
    pose.position[0] += 0.1;
    (void)space_move(sp, 5, &pose, NULL);
    (void)space_sweep(sp, 5, v3(0, 0, -1), 0.5, &a->way, &other, NULL);
    if (space_check_all(sp, &rules, &check, NULL) == ETNA_OK) {
        a->pair_count = check.pair_count;
        a->floating_count = check.floating_count;
        for (uint32_t i = 0; i < check.pair_count && i < 64; i++)
            a->pairs[i] = check.pairs[i];
    }
    space_check_free(&check);
    space_free(sp);
    return a;
}

static void four_threads_on_one_scene_answer_as_one(void **state)
{
    (void)state;
    scene_builder *b = furnished();
    answers *alone = calloc(1, sizeof *alone), *many = calloc(4, sizeof *many);
    assert_true(alone && many);
    assert_int_equal(space_share(scene_builder_scene(b), &alone->shared, NULL),
                     ETNA_OK);
    assert_ptr_equal(ask_everything(alone), alone);
    /* a fresh one, so that the threads build it together */
    space_shared *shared = NULL;
    assert_int_equal(space_share(scene_builder_scene(b), &shared, NULL),
                     ETNA_OK);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        many[i].shared = shared;
        assert_int_equal(
            pthread_create(&threads[i], NULL, ask_everything, &many[i]), 0);
    }
    assert_true(alone->pair_count > 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int k = 0; k < RAYS; k++)
            assert_true(same_hit(alone->found[k], &alone->hits[k],
                                 many[i].found[k], &many[i].hits[k]));
        assert_int_equal(many[i].pair_count, alone->pair_count);
        assert_int_equal(many[i].floating_count, alone->floating_count);
        assert_true(many[i].way == alone->way);
        for (uint32_t k = 0; k < alone->pair_count && k < 64; k++)
            assert_true(many[i].pairs[k].a == alone->pairs[k].a &&
                        many[i].pairs[k].b == alone->pairs[k].b &&
                        many[i].pairs[k].depth == alone->pairs[k].depth);
    }
    space_shared_free(shared);
    space_shared_free(alone->shared);
    free(alone);
    free(many);
    scene_builder_free(b);
}

/* ---- many at once ---- */
static bool same_answer(const space_hit *a, const space_hit *b)
{
    return same_hit(a->object != SCENE_NONE, a, b->object != SCENE_NONE, b) &&
           (a->object == SCENE_NONE ||
            (memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
             memcmp(&a->normal, &b->normal, sizeof a->normal) == 0));
}

/* From everywhere to everywhere, then a picture's rays, out of order; some that
 * meet nothing, some that cannot. */
static space_ray *mixed_rays(const scene *s, uint32_t count)
{
    space_ray *rays = malloc(count * sizeof *rays);
    uint64_t r = 23;
    assert_non_null(rays);
    for (uint32_t i = 0; i < count; i++) {
        rays[i] = random_ray(s, &r, i % 3 == 0);
        if (i % 2) {
            rays[i].origin = v3(0.2, -2.5, 1.4);
            rays[i].direction =
                v3(between(&r, -0.6, 0.6), 1, between(&r, -0.7, 0.3));
        }
        if (i % 50 == 4)
            rays[i].t_max = between(&r, 0, 2);
        if (i % 50 == 6)
            rays[i].t_min = between(&r, 0, 2);
        if (i % 50 == 8)
            rays[i].origin.z = 30;
        if (i % 500 == 9)
            rays[i].direction = v3(0, 0, i % 1000 == 9 ? 0 : NAN);
        if (i % 500 == 11)
            rays[i].origin.x = INFINITY;
    }
    return rays;
}

static void many_rays_at_once_get_the_bits_of_one_by_one(void **state)
{
    (void)state;
    enum {
        COUNT = 40000
    };
    static const char *const isa[] = {"isa=sse2", "isa=avx", "isa=avx2",
                                      "isa=avx512"};
    scene_builder *b = furnished();
    scene *s = scene_builder_scene(b);
    space_ray *rays = mixed_rays(s, COUNT);
    space_hit *single = malloc(COUNT * sizeof *single),
              *many = malloc(COUNT * sizeof *many);
    bool *hidden = calloc(s->object_count, sizeof *hidden);
    assert_true(single && many && hidden);
    for (uint32_t i = 5; i < s->object_count; i += 7)
        hidden[i] = true;
    __builtin_cpu_init();
    const bool here[4] = {true, __builtin_cpu_supports("avx"),
                          __builtin_cpu_supports("avx2"),
                          __builtin_cpu_supports("avx512f") &&
                              __builtin_cpu_supports("avx512vl") &&
                              __builtin_cpu_supports("avx512dq")};
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 4; k++) {
            space_shared *shared = NULL;
            space *sp = NULL;
            if (!here[k])
                continue;
            assert_int_equal(space_share_with(s, isa[k], &shared, NULL),
                             ETNA_OK);
            assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
            assert_int_equal(space_hide(sp, round ? hidden : NULL, NULL),
                             ETNA_OK);
            uint32_t found = 0, met = space_cast_many(sp, rays, COUNT, many);
            for (uint32_t i = 0; i < COUNT && k == 0; i++)
                if (!space_cast(sp, &rays[i], &single[i]))
                    single[i].object = SCENE_NONE;
            for (uint32_t i = 0; i < COUNT; i++) {
                found += single[i].object != SCENE_NONE;
                assert_true(same_answer(&single[i], &many[i]));
            }
            assert_int_equal(met, found);
            assert_true(found > COUNT / 2 && found < COUNT);
            assert_int_equal(space_cast_many(sp, rays, 3, many),
                             (single[0].object != SCENE_NONE) +
                                 (single[1].object != SCENE_NONE) +
                                 (single[2].object != SCENE_NONE));
            assert_int_equal(space_cast_many(sp, rays, 0, many), 0);
            space_free(sp);
            space_shared_free(shared);
        }
    free(hidden);
    free(many);
    free(single);
    free(rays);
    scene_builder_free(b);
}

/* ---- what is built when ---- */
static void a_mesh_is_built_when_a_ray_first_enters_its_box(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    for (int i = 0; i < 4; i++) /* one behind the other, and one aside */
        scene_builder_object(b, "box",
                             scene_builder_box(b, 0.2 + 0.01 * i, 0.2, 0.2),
                             scene_builder_at(i == 3 ? 5 : 0, i, 0, 0), false);
    fixture f = fixture_open(b);
    space_ray ray = {.origin = {0, -3, 0},
                     .direction = {0, 0, 1},
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    space_hit hit;
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 0);
    assert_false(space_cast(f.space, &ray, &hit));
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 0);
    ray.direction = v3(0, 1, 0);
    assert_true(space_cast(f.space, &ray, &hit) && hit.object == 0);
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 1);
    ray.skip_object = 0;
    assert_true(space_cast_many(f.space, &ray, 1, &hit) == 1 &&
                hit.object == 1);
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 2);
    space *other = NULL; /* what is built is built for all */
    assert_int_equal(space_new(f.shared, &other, NULL), ETNA_OK);
    assert_true(space_cast(other, &ray, &hit) && hit.object == 1);
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 2);
    space_free(other);
    fixture_move(&f, 3, -5, -5, 0, 0); /* before all */
    ray.skip_object = SCENE_NONE;
    assert_true(space_cast(f.space, &ray, &hit) && hit.object == 3);
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 3);
    uint8_t parts[4] = {SHADE_BLOCK, SHADE_BLOCK, SHADE_BLOCK, SHADE_PASS};
    const space_light light = {.parts = parts};
    uint32_t part = SCENE_NONE;
    assert_int_equal(space_light_ready(f.space, NULL), ETNA_OK);
    assert_true(
        space_shaded(f.space, &light, v3(0, 4, 0), v3(0, -1, 0), 2.5, &part) &&
        part == 2);
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 4);
    assert_false(
        space_shaded(f.space, &light, v3(0, -5, 0), v3(0, 1, 0), 2.5, &part));
    fixture_close(&f);
}

static void without_memory_for_a_tree_every_answer_is_the_same(void **state)
{
    (void)state;
    enum {
        COUNT = 400
    };
    fixture f = fixture_open(furnished());
    const scene *s = space_scene(f.space);
    space_ray *rays = mixed_rays(s, COUNT);
    space_hit hit, plain, *many = malloc(COUNT * sizeof *many);
    assert_non_null(many);
    embree_shared_lose(f.shared->embree_shared);
    space_cast_many(f.space, rays, COUNT, many);
    for (int i = 0; i < COUNT; i++) {
        if (!v3_finite(rays[i].origin) || !v3_finite(rays[i].direction) ||
            v3_length(rays[i].direction) == 0)
            continue;
        bool found = space_cast(f.space, &rays[i], &hit),
             expected = cast_plainly(s, &rays[i], &plain);
        assert_true(same_hit(found, &hit, expected, &plain));
        assert_true(
            same_hit(many[i].object != SCENE_NONE, &many[i], expected, &plain));
    }
    assert_int_equal(embree_shared_built(f.shared->embree_shared), 0);
    free(many);
    free(rays);
    fixture_close(&f);
}

typedef struct one_space {
    const space *space;
    const space_ray *rays;
    space_hit hits[RAYS], many[RAYS];
    uint32_t shaded;
} one_space;

static void *cast_everything(void *context)
{
    one_space *a = context;
    uint8_t parts[64];
    memset(parts, SHADE_BLOCK, sizeof parts);
    const space_light light = {.parts = parts};
    for (int i = 0; i < RAYS; i++) {
        if (!space_cast(a->space, &a->rays[i], &a->hits[i]))
            a->hits[i].object = SCENE_NONE;
        a->shaded += space_shaded(a->space, &light, v3(0, 0, 1.5),
                                  a->rays[i].direction, 10, NULL);
    }
    (void)space_cast_many(a->space, a->rays, RAYS, a->many);
    return a;
}

static void threads_in_one_space_build_its_meshes_together(void **state)
{
    (void)state;
    scene_builder *b = furnished();
    scene *s = scene_builder_scene(b);
    assert_true(s->part_count <= 64);
    space_ray *rays = mixed_rays(s, RAYS);
    one_space *all = calloc(4, sizeof *all);
    space_shared *shared = NULL;
    space *sp = NULL;
    pthread_t threads[4];
    assert_non_null(all);
    for (int i = 0; i < RAYS; i++)
        if (!v3_finite(rays[i].direction) || v3_length(rays[i].direction) == 0)
            rays[i].direction = v3(0, 0, 1);
    assert_int_equal(space_share(s, &shared, NULL), ETNA_OK);
    assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
    assert_int_equal(space_light_ready(sp, NULL), ETNA_OK);
    for (int i = 0; i < 4; i++) {
        all[i].space = sp;
        all[i].rays = rays;
        assert_int_equal(
            pthread_create(&threads[i], NULL, cast_everything, &all[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < RAYS; k++) {
            assert_true(same_answer(&all[0].hits[k], &all[i].hits[k]));
            assert_true(same_answer(&all[0].hits[k], &all[i].many[k]));
        }
    assert_int_equal(all[0].shaded, all[3].shaded);
    space_free(sp);
    space_shared_free(shared);
    free(all);
    free(rays);
    scene_builder_free(b);
}

static void hidden_objects_are_met_by_no_ray_and_still_carry_and_collide(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t slab = scene_builder_box(b, 4, 4, 0.1),
             cube = scene_builder_box(b, 0.2, 0.2, 0.2);
    scene_builder_object(b, "floor", slab, scene_builder_at(0, 0, -0.05, 0),
                         true);
    uint32_t shelf = scene_builder_object(
        b, "shelf", slab, scene_builder_at(0, 0, 0.95, 0), true);
    uint32_t cup = scene_builder_object(b, "cup", cube,
                                        scene_builder_at(0, 0, 1.1, 0), false);
    fixture f = fixture_open(b);
    bool hidden[3] = {false, true, false};
    space_hit hit;
    etna_error err;
    assert_true(fixture_down(&f, 1, 1, 2, &hit) && hit.object == shelf);
    assert_int_equal(space_hide(f.space, hidden, &err), ETNA_OK);
    assert_true(space_hidden(f.space)[shelf]);
    assert_true(fixture_down(&f, 1, 1, 2, &hit) && hit.object == 0);
    space_ray only = {v3(1, 1, 2), v3(0, 0, -1), 0,
                      INFINITY,    SCENE_NONE,   shelf};
    assert_false(space_cast(f.space, &only, &hit));
    space_support_state support = {0};
    assert_int_equal(space_support_compute(f.space, &(space_rules){0}, NULL,
                                           NULL, &support, &err),
                     ETNA_OK);
    assert_int_equal(support.support[cup], SUPPORT_GROUNDED);
    space_support_free(&support);
    fixture_move(&f, cup, 0, 0, -0.05, 0);
    assert_true(fixture_pair(&f, cup, shelf).collides);
    bool near = false;
    assert_int_equal(space_near(f.space, cup, 0, 0.5, &near, &err), ETNA_OK);
    assert_false(near);
    assert_int_equal(space_near(f.space, cup, shelf, 0.001, &near, &err),
                     ETNA_OK);
    assert_true(near);
    assert_int_equal(space_hide(f.space, NULL, &err), ETNA_OK);
    assert_null(space_hidden(f.space));
    assert_true(fixture_down(&f, 1, 1, 2, &hit) && hit.object == shelf);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_trying_all_triangles),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(coinciding_surfaces_go_to_the_lower_object),
        cmocka_unit_test(limits_and_moves_are_kept),
        cmocka_unit_test(a_part_scaled_flat_is_met_like_any_other),
        cmocka_unit_test(a_part_squeezed_beyond_floats_is_met_and_ends_nothing),
        cmocka_unit_test(four_threads_on_one_scene_answer_as_one),
        cmocka_unit_test(many_rays_at_once_get_the_bits_of_one_by_one),
        cmocka_unit_test(a_mesh_is_built_when_a_ray_first_enters_its_box),
        cmocka_unit_test(without_memory_for_a_tree_every_answer_is_the_same),
        cmocka_unit_test(threads_in_one_space_build_its_meshes_together),
        cmocka_unit_test(
            hidden_objects_are_met_by_no_ray_and_still_carry_and_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
