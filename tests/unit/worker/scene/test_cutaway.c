/* What `--camera cutaway` leaves out: the ceiling and the walls in the way, and
 * nothing else. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* A room of 6 x 4 x 2.5 m with a chair and a table; names that say nothing when
 * `plain`. */
static opened room(bool plain)
{
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, plain ? "p1" : "floor", v3(0, 0, -0.05), v3(6, 4, 0.1),
                     0, GLTF_NONE);
    gltf_builder_box(b, plain ? "p2" : "ceiling", v3(0, 0, 2.55), v3(6, 4, 0.1),
                     0, GLTF_NONE);
    gltf_builder_box(b, plain ? "p3" : "wall north", v3(0, 2.05, 1.25),
                     v3(6, 0.1, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, plain ? "p4" : "wall south", v3(0, -2.05, 1.25),
                     v3(6, 0.1, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, plain ? "p5" : "wall east", v3(3.05, 0, 1.25),
                     v3(0.1, 4, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, plain ? "p6" : "wall west", v3(-3.05, 0, 1.25),
                     v3(0.1, 4, 2.5), 0, GLTF_NONE);
    gltf_builder_box(b, "chair", v3(1.5, 0.5, 0.5), v3(0.5, 0.5, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "table", v3(-1.7, -0.4, 0.4), v3(0.8, 0.8, 0.8), 0,
                     GLTF_NONE);
    gltf_builder_camera(b, "south", v3(0, -6, 4), v3(0, 0, 0.5), 50, 1.5);
    gltf_builder_camera(b, "corner", v3(6, -6, 4), v3(0, 0, 0.5), 50, 1.5);
    gltf_builder_camera(b, "inside", v3(0, -1.5, 1.6), v3(0, 0, 0.5), 50, 1.5);
    return open_builder(b);
}

static void expect_hidden(const scene *s,
                          const char *camera,
                          const char *const *hidden,
                          uint32_t count)
{
    bool mask[16];
    assert_true(s->object_count <= 16);
    scene_cutaway(s, &s->cameras[scene_find_camera(s, camera)], mask);
    for (uint32_t i = 0; i < s->object_count; i++) {
        bool wanted = false;
        for (uint32_t k = 0; k < count; k++) {
            wanted = wanted || strcmp(s->objects[i].name, hidden[k]) == 0;
        }
        if (wanted != mask[i]) {
            fail_msg("%s: \"%s\" is %s", camera, s->objects[i].name,
                     mask[i] ? "hidden" : "shown");
        }
    }
}

static void test_the_ceiling_and_the_near_walls_are_hidden(void **state)
{
    (void)state;
    static const char *const
        south[] = {"ceiling", "wall south"},
        *const corner[] = {"ceiling", "wall south", "wall east"},
        *const inside[] = {"ceiling"}, *const plain[] = {"p2", "p4", "p5"};
    opened o = room(false);
    expect_hidden(o.s, "south", south, 2);
    expect_hidden(o.s, "corner", corner, 3);
    expect_hidden(o.s, "inside", inside, 1);
    close_opened(&o);
    o = room(true);
    expect_hidden(o.s, "corner", plain, 3);
    close_opened(&o);
}

static void test_furniture_and_what_one_stands_on_stay(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(6, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "sink", v3(0, -1.5, 0.5), v3(0.6, 0.5, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "lamp", v3(0, 0, 3), v3(0.3, 0.3, 0.3), 0, GLTF_NONE);
    gltf_builder_box(b, "chair", v3(1.5, 0.5, 0.5), v3(0.5, 0.5, 1), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "table", v3(-1.7, -0.4, 0.4), v3(0.8, 0.8, 0.8), 0,
                     GLTF_NONE);
    gltf_builder_camera(b, "below", v3(0, -6, -4), v3(0, 0, 0.5), 50, 1.5);
    opened o = open_builder(b);
    expect_hidden(o.s, "below", NULL, 0);
    close_opened(&o);
}

/* Walls in one mesh, open above: 5 x 5 m around the origin. */
static uint32_t add_shell(gltf_builder *b, double floor_z)
{
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    float position[24];
    uint32_t index[24];
    for (uint32_t i = 0; i < 8; i++) {
        position[3 * i] = 2.5f * (float)corner[i % 4][0];
        position[3 * i + 1] = i < 4 ? (float)floor_z : 2.6f;
        position[3 * i + 2] = -2.5f * (float)corner[i % 4][1];
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t j = (i + 1) % 4, quad[6] = {i, j, j + 4, i, j + 4, i + 4};
        memcpy(index + 6 * i, quad, sizeof quad);
    }
    gltf_builder_node node = gltf_builder_node_default("shell");
    node.mesh =
        gltf_builder_mesh(b, "shell", position, 8, index, 24, GLTF_NONE);
    return gltf_builder_add_node(b, &node);
}

static void test_a_shell_around_all_is_hidden_from_outside_when_a_floor_stays(
    void **state)
{
    (void)state;
    static const char *const shell[] = {"shell"};
    for (int with_floor = 0; with_floor < 2; with_floor++) {
        gltf_builder *b = gltf_builder_new();
        add_shell(b, 0);
        if (with_floor) {
            gltf_builder_box(b, "slab", v3(0, 0, -0.05), v3(5, 5, 0.1), 0,
                             GLTF_NONE);
        }
        gltf_builder_box(b, "chair", v3(1, 0.5, 0.5), v3(0.5, 0.5, 1), 0,
                         GLTF_NONE);
        gltf_builder_box(b, "table", v3(-1, -0.4, 0.4), v3(0.8, 0.8, 0.8), 0,
                         GLTF_NONE);
        gltf_builder_camera(b, "outside", v3(0, -9, 4), v3(0, 0, 0.5), 50, 1.5);
        gltf_builder_camera(b, "inside", v3(0, -2, 1.6), v3(0, 0, 0.5), 50,
                            1.5);
        opened o = open_builder(b);
        assert_true(object_named(o.s, "shell")->is_static);
        expect_hidden(o.s, "outside", shell, with_floor);
        expect_hidden(o.s, "inside", NULL, 0);
        close_opened(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_ceiling_and_the_near_walls_are_hidden),
        cmocka_unit_test(test_furniture_and_what_one_stands_on_stay),
        cmocka_unit_test(
            test_a_shell_around_all_is_hidden_from_outside_when_a_floor_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
