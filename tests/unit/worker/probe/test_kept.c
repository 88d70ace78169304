/* Adjacency and grown planes under a bound of memory: the same planes whatever
 * has gone, near the bound whatever is asked, and nothing goes that is in
 * use. */
#include "proto/hash.h"
#include "tests/support/scene_builder.h"
#include "worker/probe/probe_internal.h"
#include "worker/space/budget.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    THINGS = 12,
    GRID = 6,
    THREADS = 3
};

static scene_builder *room_of_things(void)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 6, 6, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    for (uint32_t i = 0; i < THINGS;
         i++) { /* a table: a slab and a ball on it, of meshes of their own */
        double x = -1.5 + i % 4, y = -1 + i / 4;
        char name[16];
        snprintf(name, sizeof name, "table_%c", 'a' + (char)i);
        scene_builder_object(
            b, name, scene_builder_box(b, 0.6 + 0.01 * i, 0.5, 0.1 + 0.02 * i),
            scene_builder_at(x, y, 0.3, 10.0 * i), false);
        scene_builder_part(b, scene_builder_sphere(b, 0.1 + 0.005 * i, 12 + i),
                           scene_builder_at(x, y, 0.5, 0));
    }
    scene_builder_camera(b, "camera", v3(0, -5, 4), v3(0, 0, 0.3));
    return b;
}

#define ADD(h, value) etna_hasher_add(h, &(value), sizeof(value))

/* Probes all over the picture, the planes they name, and all support
 * surfaces. */
static bool hash_all(probe_shared *probes, const space *sp, etna_hash *ret)
{
    const scene_camera *camera = &probe_scene(probes)->cameras[0];
    const probe_surface_options options = probe_surface_options_default();
    etna_arena arena = ETNA_ARENA_INIT;
    etna_hasher *h = etna_hasher_new();
    probe_surface *surfaces;
    uint32_t count = 0;
    bool fine = h != NULL;
    for (int i = 0; fine && i < GRID * GRID; i++) {
        double at[2] = {(i % GRID + 0.5) / GRID, (i / GRID + 0.5) / GRID};
        probe_hit hit;
        probe_plane plane;
        fine = probe_rays(probes, sp, camera, at, 1, &hit, NULL) == ETNA_OK;
        if (!fine || !hit.hit)
            continue;
        fine = probe_plane_by_name(probes, sp, camera, hit.plane, &arena,
                                   &plane, NULL) == ETNA_OK;
        if (!fine)
            continue;
        etna_hasher_add(h, hit.plane, strlen(hit.plane));
        ADD(h, plane.origin);
        ADD(h, plane.normal);
        ADD(h, plane.area);
        etna_hasher_add(h, plane.vertices,
                        plane.vertex_count * sizeof *plane.vertices);
    }
    fine = fine && probe_surfaces(probes, sp, camera, &options, &arena,
                                  &surfaces, &count, NULL) == ETNA_OK;
    for (uint32_t i = 0; fine && i < count; i++) {
        ADD(h, surfaces[i].free_count);
        ADD(h, surfaces[i].plane.area);
        ADD(h, surfaces[i].height);
    }
    if (h)
        etna_hasher_end(h, ret);
    etna_arena_free(&arena);
    return fine && count > THINGS;
}

typedef struct asked {
    probe_shared *probes;
    space_shared *shared;
    etna_hash hash;
    bool fine;
} asked;

static void *ask(void *context)
{
    asked *a = context;
    space *sp = NULL;
    a->fine = space_new(a->shared, &sp, NULL) == ETNA_OK &&
              hash_all(a->probes, sp, &a->hash);
    space_free(sp);
    return NULL;
}

static void under_a_bound_of_next_to_nothing_planes_are_the_same_bits(
    void **state)
{
    (void)state;
    scene_builder *b = room_of_things();
    scene *s = scene_builder_scene(b);
    asked all = {0};
    assert_int_equal(space_share(s, &all.shared, NULL), ETNA_OK);
    assert_int_equal(probe_share(s, &all.probes, NULL), ETNA_OK);
    (void)ask(&all);
    assert_true(all.fine);
    size_t whole = probe_shared_bytes(all.probes);
    assert_true(whole > 50000);
    for (size_t bound = 10; bound < 1 << 20; bound *= 40000) {
        asked some[THREADS] = {{0}};
        pthread_t threads[THREADS];
        space_bound_meshes(bound);
        assert_int_equal(space_share(s, &some[0].shared, NULL), ETNA_OK);
        assert_int_equal(probe_share(s, &some[0].probes, NULL), ETNA_OK);
        size_t most = budget_share(s, BUDGET_PLANES);
        space_bound_meshes((size_t)4 << 30);
        (void)ask(&some[0]);
        assert_true(some[0].fine && etna_hash_equal(&some[0].hash, &all.hash));
        assert_true(probe_shared_bytes(some[0].probes) <= most &&
                    most < whole / 2);
        for (int i = 0; i < THREADS; i++) {
            some[i] = some[0];
            assert_int_equal(pthread_create(&threads[i], NULL, ask, &some[i]),
                             0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < THREADS; i++)
            assert_true(some[i].fine &&
                        etna_hash_equal(&some[i].hash, &all.hash));
        assert_true(probe_shared_bytes(some[0].probes) <= most);
        probe_shared_free(some[0].probes);
        space_shared_free(some[0].shared);
    }
    probe_shared_free(all.probes);
    space_shared_free(all.shared);
    scene_builder_free(b);
}

static void adjacency_in_use_stays_whatever_else_is_asked(void **state)
{
    (void)state;
    scene_builder *b = room_of_things();
    scene *s = scene_builder_scene(b);
    probe_shared *probes = NULL;
    const probe_adjacency *held = NULL, *again = NULL, *other = NULL;
    space_bound_meshes(1);
    assert_int_equal(probe_share(s, &probes, NULL), ETNA_OK);
    space_bound_meshes((size_t)4 << 30);
    assert_int_equal(probe_mesh_adjacency(probes, 2, &held, NULL), ETNA_OK);
    uint32_t edges = held->edge_count;
    for (uint32_t m = 3; m < s->mesh_count; m++) {
        assert_int_equal(probe_mesh_adjacency(probes, m, &other, NULL),
                         ETNA_OK);
        probe_mesh_release(probes, m, other);
    }
    assert_int_equal(held->edge_count, edges);
    assert_int_equal(probe_mesh_adjacency(probes, 2, &again, NULL), ETNA_OK);
    assert_ptr_equal(again, held);
    probe_mesh_release(probes, 2, again);
    assert_true(probe_shared_bytes(probes) > 0);
    probe_mesh_release(probes, 2, held);
    assert_int_equal(probe_shared_bytes(probes), 0);
    probe_shared_free(probes);
    scene_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            under_a_bound_of_next_to_nothing_planes_are_the_same_bits),
        cmocka_unit_test(adjacency_in_use_stays_whatever_else_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
