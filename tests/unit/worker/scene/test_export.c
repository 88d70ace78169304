/* What is written back: the moved nodes' transform members in the fewest
 * digits, under any parents, and not a byte more. */
#include "help.h"
#include "worker/gltf/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moves and turns `name`, and expects its box there and every other box where
 * it was. */
static uint8_t *expect_moved(
    const opened *o, const char *name, vec3 move, double turn, size_t *ret_size)
{
    size_t size;
    uint8_t *glb = export_moved(o, name, move, turn, &size);
    opened again = open_glb(glb, size);
    assert_int_equal(again.s->object_count, o->s->object_count);
    for (uint32_t i = 0; i < o->s->object_count; i++) {
        scene_box wanted = o->s->objects[i].box;
        assert_string_equal(again.s->objects[i].name, o->s->objects[i].name);
        if (strcmp(o->s->objects[i].name, name) == 0) {
            wanted.centre = v3_add(wanted.centre, move);
            wanted.yaw += turn;
        }
        assert_box(&again.s->objects[i].box, &wanted, 1e-7);
    }
    close_opened(&again);
    if (ret_size) {
        *ret_size = size;
        return glb;
    }
    free(glb);
    return NULL;
}

static const char *json_of(const uint8_t *glb)
{
    return (const char *)glb + 20;
}

static gltf_builder *parents_and_child(const double *matrix,
                                       const double *t,
                                       const double *q,
                                       const double *s)
{
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.3, 0.5, 0.7), GLTF_NONE);
    gltf_builder_node parent = gltf_builder_node_default("parent"),
                      child = gltf_builder_node_default("child");
    parent.matrix = matrix;
    /* three apart, so that the parent is opened */
    for (int i = 0; i < 3; i++) {
        double at[3] = {t[0] + 3 * i, t[1], t[2]};
        child.parent =
            i == 0 ? gltf_builder_add_node(b, &parent) : child.parent;
        child.name = i == 0 ? "child" : "other";
        child.mesh = cube;
        child.translation = at;
        child.rotation = q;
        child.scale = s;
        gltf_builder_add_node(b, &child);
    }
    return b;
}

static void test_any_parents_carry_a_move_and_a_turn(void **state)
{
    (void)state;
    static const double matrices[][16] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        /* centimetres, Z up */
        {0.01, 0, 0, 0, 0, 0, 0.01, 0, 0, -0.01, 0, 0, 5, 6, 7, 1},
        {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 2, 0, 1, 2, 3,
         1}, /* uneven upward: a turn stays a rotation */
        /* uneven sideways: a turn shears */
        {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0, 1, 2, 3, 1},
        {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},    /* mirrored */
        {1, 0.5, 0, 0, 0, 1, 0.3, 0, 0, 0, 1, 0, 0, 0, 0, 1}, /* sheared */
    };
    static const double t[3] = {1, 2, 3}, q[4] = {0.1, 0.7, 0.05, 0.7},
                        s[3] = {1, -2, 0.5};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        opened o = open_builder(parents_and_child(matrices[i], t, q, s));
        expect_moved(&o, "child", v3(0.125, -0.5, 0.25), 0, NULL);
        /* a sheared box is another shape after a turn; its vertices are
         * compared below */
        if (i != 3 && i != 5) {
            expect_moved(&o, "child", v3(0, 0, 0), -2.5, NULL);
            expect_moved(&o, "child", v3(0.125, -0.5, 0.25), 1.25, NULL);
        }
        close_opened(&o);
    }
}

static void test_vertices_go_exactly_where_the_motion_takes_them(void **state)
{
    (void)state;
    static const double matrix[16] = {2,   0.3, 0,    0, 0, 1, 0.2, 0,
                                      0.1, 0,   -0.5, 0, 1, 2, 3,   1};
    static const double t[3] = {1, 2, 3}, q[4] = {0.1, 0.7, 0.05, 0.7},
                        s[3] = {1, -2, 0.5};
    opened o = open_builder(parents_and_child(matrix, t, q, s));
    const scene_object *child = object_named(o.s, "child");
    arrange_pose pose = scene_base_pose(child);
    pose.position[0] += 0.7;
    pose.yaw += 0.9;
    affine motion = scene_motion(child, &pose);
    size_t size;
    uint8_t *glb = export_moved(&o, "child", v3(0.7, 0, 0), 0.9, &size);
    opened again = open_glb(glb, size);
    const scene_part *was = &o.s->parts[child->first_part];
    const scene_part *is =
        &again.s->parts[object_named(again.s, "child")->first_part];
    for (uint32_t v = 0; v < o.s->meshes[was->mesh].vertex_count; v++) {
        assert_true(
            v3_distance(affine_point(&motion, scene_vertex(o.s, was, v)),
                        scene_vertex(again.s, is, v)) < 1e-12);
    }
    assert_non_null(
        strstr(json_of(glb), "{\"name\":\"child\",\"mesh\":0,\"matrix\":["));
    close_opened(&again);
    free(glb);
    close_opened(&o);
}

static void test_only_the_members_that_change_are_written(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "a", v3(0, 0, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_box(b, "b", v3(3, 0, 0.5), v3(1, 1, 1), 90, GLTF_NONE);
    opened o = open_builder(b);
    size_t size;
    uint8_t *glb = expect_moved(&o, "a", v3(0.1, 0, 0), 0, &size);
    assert_non_null(
        strstr(json_of(glb),
               "{\"name\":\"a\",\"mesh\":0,\"translation\":[0.1,0.5,0]}"));
    free(glb);
    glb = expect_moved(&o, "a", v3(0, 0, 0), MATH_PI / 2,
                       &size); /* about its own centre: the translation stays */
    assert_non_null(
        strstr(json_of(glb), "\"mesh\":0,\"translation\":[0,0.5,-0]}"));
    assert_non_null(strstr(json_of(glb), "{\"rotation\":[0,0.70710678118654"));
    free(glb);
    glb = expect_moved(&o, "b", v3(0, 0, 1), 0, &size);
    assert_non_null(strstr(
        json_of(glb),
        "\"translation\":[3,1.5,0],\"rotation\":[0,0.70710678118654746,0,0.70710678118654757]"));
    free(glb);
    close_opened(&o);
}

static void test_a_mesh_node_moves_without_its_separate_children(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    gltf_builder_node parent = gltf_builder_node_default("parent"),
                      child = gltf_builder_node_default("child");
    double at[3] = {1, 0, 0}, scale[3] = {2, 2, 2};
    parent.mesh = child.mesh = cube;
    parent.scale = scale;
    child.translation = at;
    child.parent = gltf_builder_add_node(b, &parent);
    gltf_builder_add_node(b, &child);
    opened o = open_builder(b);
    assert_int_equal(o.s->object_count, 2);
    expect_moved(&o, "parent", v3(0, 3, 0), 1, NULL);
    expect_moved(&o, "child", v3(0, 3, 0), 1, NULL);
    close_opened(&o);
}

static void test_an_instance_rewrites_only_its_own_elements(void **state)
{
    (void)state;
    const float places[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    /* rotations as floats, as normalised shorts */
    for (int kind = 0; kind < 2; kind++) {
        const float turns[12] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};
        const int16_t shorts[12] = {0, 0, 0, 32767, 0, 32767,
                                    0, 0, 0, 0,     0, 32767};
        static const double matrix[16] = {1, 0, 0, 0, 0, 1.3, 0, 0,
                                          0, 0, 1, 0, 4, 5,   6, 1};
        gltf_builder *b = gltf_builder_new();
        gltf_builder_node node = gltf_builder_node_default("pot");
        node.matrix = matrix;
        node.mesh = gltf_builder_box_mesh(b, v3(0.2, 0.3, 0.4), GLTF_NONE);
        gltf_builder_accessor(b, places, sizeof places, 5126, 3, "VEC3");
        if (kind == 0) {
            gltf_builder_accessor(b, turns, sizeof turns, 5126, 3, "VEC4");
        } else {
            gltf_builder_accessor(b, shorts, sizeof shorts, 5122, 3,
                                  "VEC4\",\"normalized\":true,\"name\":\"r");
        }
        node.extra =
            "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":3,\"ROTATION\":4}}}";
        gltf_builder_add_node(b, &node);
        size_t plain_size, size;
        uint8_t *plain = gltf_builder_glb(b, &plain_size);
        opened o = open_builder(b);
        assert_int_equal(o.s->object_count, 3);
        assert_string_equal(o.s->objects[1].name, "pot.1");
        uint8_t *glb = export_moved(&o, "pot.1", v3(0.5, 0.25, 0), 0.75, &size);
        opened again = open_glb(glb, size);
        for (uint32_t i = 0; i < 3; i++) {
            scene_box wanted = o.s->objects[i].box;
            if (i == 1) {
                wanted.centre = v3_add(wanted.centre, v3(0.5, 0.25, 0));
                wanted.yaw += 0.75;
            }
            assert_box(&again.s->objects[i].box, &wanted,
                       kind == 0 ? 1e-6 : 1e-4);
        }
        assert_int_equal(size, plain_size);
        size_t differ = 0;
        for (size_t i = 0; i < size; i++) {
            differ += glb[i] != plain[i];
        }
        assert_in_range(differ, 4, 12 + 16);
        free(glb);
        glb = export_moved(&o, "pot.1", v3(0.5, 0, 0), 0,
                           &size); /* a mere move leaves the rotation's bytes */
        assert_memory_equal(glb + size - (kind == 0 ? 48 : 24),
                            plain + size - (kind == 0 ? 48 : 24),
                            kind == 0 ? 48 : 24);
        free(glb);
        free(plain);
        close_opened(&again);
        close_opened(&o);
    }
}

static void test_instances_that_cannot_be_written_are_static(void **state)
{
    (void)state;
    const float places[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0},
                turns[12] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};
    gltf_builder *b = gltf_builder_new();
    gltf_builder_node node = gltf_builder_node_default("pot");
    node.mesh = gltf_builder_box_mesh(b, v3(0.2, 0.3, 0.4), GLTF_NONE);
    gltf_builder_accessor(b, places, sizeof places, 5126, 3, "VEC3");
    gltf_builder_accessor(b, turns, sizeof turns, 5126, 3, "VEC4");
    gltf_builder_accessor(b, places, sizeof places, 5126, 3, "VEC3");
    node.extra =
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":3,\"ROTATION\":4}}}";
    gltf_builder_add_node(b, &node);
    node.name = "shared";
    gltf_builder_add_node(b, &node);
    node.name = "unturned";
    node.extra =
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":5}}}";
    gltf_builder_add_node(b, &node);
    opened o = open_builder(b);
    assert_non_null(
        strstr(object_named(o.s, "pot.0")->why, "shared with another node"));
    assert_true(object_named(o.s, "shared.2")->immovable);
    assert_non_null(strstr(object_named(o.s, "unturned.0")->why, "ROTATION"));
    close_opened(&o);
}

static void test_what_may_not_move_is_refused_by_name(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "fan", v3(0, 0, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_root_members(
        b,
        "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
        "\"rotation\"}}],\"samplers\":[]}]");
    opened o = open_builder(b);
    snapshot base, moved;
    etna_error err = {0};
    arrange_pose pose = {.position = {0, 0, 1}};
    uint8_t *glb = NULL;
    size_t size = 7;
    assert_int_equal(snapshot_base(o.s, &base, NULL), ETNA_OK);
    assert_int_equal(snapshot_edit(&base, 0, &pose, &moved, NULL), ETNA_OK);
    assert_int_equal(
        scene_export_glb(o.s, o.bundle, o.size, &moved, &glb, &size, &err),
        ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "\"fan\" cannot be moved"));
    assert_true(glb == NULL && size == 7);
    snapshot_free(&base);
    snapshot_free(&moved);
    close_opened(&o);
}

/* A box that two keys of an animation hold at (1, 2, 0.5), or take `away` from
 * there along X, and one that the same animation holds at (4, 2, 0.5). */
static gltf_builder *held_boxes(float away, const char *interpolation)
{
    const float times[2] = {0, 1};
    const float places[6] = {1, 0.5F, -2, 1 + away, 0.5F, -2};
    const float others[6] = {4, 0.5F, -2, 4, 0.5F, -2};
    const float turns[8] = {0, 0, 0, 1, 0, 0, 0, -1};
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "stool", v3(1, 2, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_box(b, "box", v3(4, 2, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    uint32_t time =
        gltf_builder_accessor(b, times, sizeof times, 5126, 2, "SCALAR");
    uint32_t place =
        gltf_builder_accessor(b, places, sizeof places, 5126, 2, "VEC3");
    uint32_t other =
        gltf_builder_accessor(b, others, sizeof others, 5126, 2, "VEC3");
    uint32_t turn =
        gltf_builder_accessor(b, turns, sizeof turns, 5126, 2, "VEC4");
    char text[1000];
    snprintf(
        text, sizeof text,
        "\"animations\":[{\"channels\":["
        "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
        "{\"sampler\":2,\"target\":{\"path\":\"rotation\",\"node\":0}},"
        "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}],"
        "\"samplers\":[{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"},"
        "{\"input\":%u,\"output\":%u},{\"input\":%u,\"output\":%u}]}]",
        time, place, interpolation, time, other, time, turn);
    gltf_builder_root_members(b, text);
    return b;
}

static void test_what_an_animation_only_holds_is_moved_and_let_go(void **state)
{
    (void)state;
    opened o = open_builder(held_boxes(0, "LINEAR"));
    assert_false(object_named(o.s, "stool")->is_static);
    size_t size;
    uint8_t *glb = expect_moved(&o, "stool", v3(0, 3, 0), 0.5, &size);
    opened again = open_glb(glb, size);
    assert_non_null(strstr(
        json_of(glb), "{\"sampler\":0,\"target\":{\"path\":\"translation\"}}"));
    assert_non_null(strstr(
        json_of(glb), "{\"sampler\":2,\"target\":{\"path\":\"rotation\"}}"));
    assert_non_null(strstr(
        json_of(glb), "\"target\":{\"node\":1,\"path\":\"translation\"}}"));
    assert_false(object_named(again.s, "stool")->is_static);
    close_opened(&again);
    free(glb);
    close_opened(&o);
}

static void test_what_an_animation_moves_stays(void **state)
{
    (void)state;
    opened far = open_builder(held_boxes(0.01F, "LINEAR"));
    opened curved = open_builder(held_boxes(0, "CUBICSPLINE"));
    assert_true(object_named(far.s, "stool")->immovable);
    assert_false(object_named(far.s, "box")->immovable);
    assert_true(object_named(curved.s, "stool")->immovable);
    close_opened(&far);
    close_opened(&curved);
}

static void test_numbers_take_the_fewest_digits_that_read_back(void **state)
{
    (void)state;
    static const double values[] = {0.1,
                                    1.0 / 3,
                                    1e-300,
                                    123456789.125,
                                    -0.30000000000000004,
                                    5e-324,
                                    2.2250738585072014e-308};
    static const char *const texts[] = {"0.1",
                                        "0.3333333333333333",
                                        "1e-300",
                                        "123456789.125",
                                        "-0.30000000000000004",
                                        NULL,
                                        NULL};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[32];
        json_number(values[i], text);
        assert_true(strtod(text, NULL) == values[i]);
        if (texts[i]) {
            assert_string_equal(text, texts[i]);
        }
    }
}

static void test_members_are_found_whatever_stands_around_them(void **state)
{
    (void)state;
    static const char text[] =
        " { \"a\\\"}\" : \"]\\\\\" , \"nodes\" : [ { \"x\":[1,{\"nodes\":2}] } , 3 ,\"s\" ] ,\"e\":{ } }\n";
    json_span root = json_root(text, sizeof text - 1), nodes, member;
    size_t count;
    assert_true(json_member(text, root, "nodes", &nodes));
    json_span *items = json_elements(text, nodes, &count);
    assert_int_equal(count, 3);
    assert_memory_equal(text + items[1].begin, "3 ", 2);
    assert_int_equal(items[2].end - items[2].begin, 3);
    assert_true(json_member(text, items[0], "x", &member));
    assert_false(json_member(text, items[0], "nodes", &member));
    assert_true(json_member(text, root, "e", &member));
    json_edits edits = {0};
    size_t size;
    json_edit_set(&edits, text, member, "k", "7");
    json_edit_set(&edits, text, items[0], "x", "0");
    json_edit_set(&edits, text, items[0], "y", "1");
    char *out = json_edits_apply(&edits, text, sizeof text - 1, &size);
    assert_string_equal(
        out,
        " { \"a\\\"}\" : \"]\\\\\" , \"nodes\" : [ {\"y\":1, \"x\":0 } , 3 ,\"s\" ] ,\"e\":{\"k\":7 } }\n");
    free(out);
    free(items);
    json_edits_free(&edits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_parents_carry_a_move_and_a_turn),
        cmocka_unit_test(test_vertices_go_exactly_where_the_motion_takes_them),
        cmocka_unit_test(test_only_the_members_that_change_are_written),
        cmocka_unit_test(test_a_mesh_node_moves_without_its_separate_children),
        cmocka_unit_test(test_an_instance_rewrites_only_its_own_elements),
        cmocka_unit_test(test_instances_that_cannot_be_written_are_static),
        cmocka_unit_test(test_what_may_not_move_is_refused_by_name),
        cmocka_unit_test(test_what_an_animation_only_holds_is_moved_and_let_go),
        cmocka_unit_test(test_what_an_animation_moves_stays),
        cmocka_unit_test(test_numbers_take_the_fewest_digits_that_read_back),
        cmocka_unit_test(test_members_are_found_whatever_stands_around_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
