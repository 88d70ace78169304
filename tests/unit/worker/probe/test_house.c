/* Real files: planes are where a person sees them, and a place bears one name
 * from wherever it is looked at. */
#include "tests/support/scene_builder.h"
#include "worker/gltf/bundle.h"
#include "worker/probe/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct loaded {
    scene *scene;
    space_shared *shared;
    space *space;
    probe_shared *probes;
    etna_arena arena;
} loaded;

static bool load(loaded *l, const char *name)
{
    const char *data = getenv("ETNA_TEST_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/scenes/%s",
             data ? data : ETNA_SOURCE_DIR "/../shared/data", name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("no %s here: skipped\n", path);
        return false;
    }
    fclose(file);
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    etna_error err = {0};
    memset(l, 0, sizeof *l);
    if (bundle_read(path, &options, &bundle, &size, &err) != ETNA_OK ||
        scene_import(bundle, size, &l->scene, &err) != ETNA_OK ||
        space_share(l->scene, &l->shared, &err) != ETNA_OK ||
        space_new(l->shared, &l->space, &err) != ETNA_OK ||
        probe_share(l->scene, &l->probes, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    free(bundle);
    return true;
}

static void unload(loaded *l)
{
    probe_shared_free(l->probes);
    space_free(l->space);
    space_shared_free(l->shared);
    scene_free(l->scene);
    etna_arena_free(&l->arena);
}

static scene_camera look_at(vec3 from, vec3 at)
{
    scene_camera c = {.name = "eye",
                      .position = from,
                      .aspect = 4.0 / 3,
                      .half_height = 0.6,
                      .near_clip = 0.01};
    c.forward = v3_normal(v3_sub(at, from));
    c.right = v3_normal(v3_cross(c.forward, v3(0, 0, 1)));
    c.up = v3_cross(c.right, c.forward);
    return c;
}

static probe_plane plane_of(loaded *l, const char *object, const char *suffix)
{
    static const scene_camera above = {.name = "above",
                                       .position = {0, 0, 100},
                                       .right = {1, 0, 0},
                                       .up = {0, 1, 0},
                                       .forward = {0, 0, -1},
                                       .aspect = 1,
                                       .half_height = 1};
    char name[PROBE_NAME_SIZE];
    probe_plane plane;
    etna_error err = {0};
    snprintf(name, sizeof name, "%s%s", object, suffix);
    if (probe_plane_by_name(l->probes, l->space, &above, name, &l->arena,
                            &plane, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return plane;
}

/* 100 random pixels that both cameras see: the hit of one, looked at by the
 * other, bears the same name. */
static void compare_names(loaded *l,
                          const scene_camera *one,
                          const scene_camera *two,
                          uint64_t seed)
{
    etna_random r = etna_random_from(seed);
    int shared = 0, tried = 0;
    while (shared < 100 && tried < 4000) {
        double xy[2] = {etna_random_unit(&r), etna_random_unit(&r)}, depth;
        probe_hit a, b;
        tried++;
        assert_int_equal(probe_rays(l->probes, l->space, one, xy, 1, &a, NULL),
                         ETNA_OK);
        if (!a.hit || !camera_project(two, a.point, &xy[0], &xy[1], &depth) ||
            !(xy[0] >= 0 && xy[0] <= 1 && xy[1] >= 0 && xy[1] <= 1))
            continue;
        assert_int_equal(probe_rays(l->probes, l->space, two, xy, 1, &b, NULL),
                         ETNA_OK);
        if (!b.hit || v3_distance(a.point, b.point) > 1e-6 || a.face != b.face)
            continue; /* hidden, or on the very edge */
        shared++;
        if (a.object != b.object || strcmp(a.plane, b.plane) != 0)
            fail_msg("%s from the one camera, %s from the other", a.plane,
                     b.plane);
    }
    assert_int_equal(shared, 100);
}

static void a_place_bears_one_name_from_two_cameras(void **state)
{
    (void)state;
    loaded l;
    if (!load(&l, "aws_small_house/small_house.glb"))
        skip();
    scene_camera one = look_at(v3(-1.5, 1, 1.7), v3(1.5, -2.5, 0.4)),
                 two = look_at(v3(3.5, -0.5, 2.1), v3(0.8, -2.5, 0.4));
    compare_names(&l, &one, &two, 1);
    unload(&l);
    if (!load(&l, "tea_set/tea_set_posed.gltf"))
        skip();
    vec3 middle = v3_scale(v3_add(l.scene->min, l.scene->max), 0.5),
         span = v3_sub(l.scene->max, l.scene->min);
    double size = v3_length(span);
    one = look_at(v3_add(middle, v3(0.9 * size, -0.3 * size, 0.7 * size)),
                  middle);
    two = look_at(v3_add(middle, v3(0.5 * size, -0.8 * size, 0.5 * size)),
                  middle);
    compare_names(&l, &one, &two, 2);
    unload(&l);
}

static void planes_of_the_house_are_what_a_person_would_say(void **state)
{
    (void)state;
    loaded l;
    if (!load(&l, "aws_small_house/small_house.glb"))
        skip();
    static const char *const tables[] = {
        "KitchenTable_01_001", "CoffeeTable_01_001", "ReadingDesk_01_001",
        "BalconyTable_01_001", "Wardrobe_01_001",    "TVCabinet_01_001",
        "Carpet_01_001"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        probe_plane top = plane_of(&l, tables[i], "_up");
        assert_true(top.flat_share > 0.8 && !top.better[0]);
    }
    static const struct {
        const char *object;
        double low, high, least; /* height, m2 */
    } seats[] = {{"SofaC_01_001", 0.4, 0.6, 0.8},
                 {"ChairA_01_001", 0.38, 0.5, 0.1},
                 {"Bed_01_001", 0.4, 0.8, 0.3},
                 {"KitchenCabinet_01_001", 0.85, 0.95, 2},
                 {"ShoeRack_01_001", 0.9, 1.1, 0.2}};
    for (size_t i = 0; i < sizeof seats / sizeof *seats; i++) {
        probe_plane top = plane_of(&l, seats[i].object, "_up");
        assert_true(top.flat_share < 0.2 && top.better[0]);
        probe_plane seat = plane_of(&l, top.better, "");
        if (!(seat.normal.z > 0.98 && seat.origin.z > seats[i].low &&
              seat.origin.z < seats[i].high && seat.area > seats[i].least))
            fail_msg("%s: %s at %.3f m of %.3f m2", seats[i].object, top.better,
                     seat.origin.z, seat.area);
    }
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_bears_one_name_from_two_cameras),
        cmocka_unit_test(planes_of_the_house_are_what_a_person_would_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
