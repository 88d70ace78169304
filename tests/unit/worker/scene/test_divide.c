/* Splits and groups of the side file: what they make of a scene, what an export
 * of a moved one holds, and that an edited copy is divided alike. */
#include "help.h"
#include "tests/support/press.h"
#include "worker/scene/side.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESH_VERTICES = 24,
    MESH_INDICES = 36
};

/* Boxes in one mesh, 24 vertices each as exporters write them, world frame.
 * `shuffle` interleaves their triangles. */
static uint32_t boxes_mesh(gltf_builder *b,
                           const vec3 *centre,
                           const vec3 *size,
                           uint32_t count,
                           bool shuffle,
                           uint32_t material)
{
    static const int corner[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                     {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    float *position =
        calloc((size_t)count * MESH_VERTICES * 3, sizeof *position);
    uint32_t *index = calloc((size_t)count * MESH_INDICES, sizeof *index);
    assert_true(position && index);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t f = 0; f < 6; f++) {
            for (uint32_t k = 0; k < 4; k++) {
                float *p =
                    position + 3 * (size_t)(i * MESH_VERTICES + f * 4 + k);
                int c = corner[f][k];
                double x = centre[i].x + (c & 1 ? 0.5 : -0.5) * size[i].x,
                       y = centre[i].y + (c & 2 ? 0.5 : -0.5) * size[i].y,
                       z = centre[i].z + (c & 4 ? 0.5 : -0.5) * size[i].z;
                p[0] = (float)x, p[1] = (float)z, p[2] = (float)-y;
            }
            for (uint32_t t = 0; t < 2; t++) {
                uint32_t at = shuffle ? (f * 2 + t) * count + i
                                      : i * 12 + f * 2 + t,
                         base = i * MESH_VERTICES + f * 4;
                index[3 * at] = base, index[3 * at + 1] = base + 1 + t,
                          index[3 * at + 2] = base + 2 + t;
            }
        }
    }
    uint32_t mesh = gltf_builder_mesh(b, "all", position, count * MESH_VERTICES,
                                      index, count * MESH_INDICES, material);
    free(position);
    free(index);
    return mesh;
}

/* A ground with three things on it in one mesh, turned and scaled below a
 * wrapper, and a lamp of its own. */
static uint8_t *garden(bool shuffle, size_t *size)
{
    static const vec3 centre[4] = {{0, 0, -0.05},
                                   {-1, 0, 0.25},
                                   {0, 0.5, 0.2},
                                   {1, 0, 0.15}},
                      extent[4] = {{6, 4, 0.1},
                                   {0.5, 0.5, 0.5},
                                   {0.4, 0.4, 0.4},
                                   {0.3, 0.3, 0.3}};
    static const double turn[4] = {0, 0.3826834323650898, 0,
                                   0.9238795325112867},
                        two[3] = {2, 2, 2}, away[3] = {1, 0, 0};
    gltf_builder *b = gltf_builder_new();
    gltf_builder_node top = gltf_builder_node_default("terrain"),
                      land = gltf_builder_node_default("land");
    top.translation = away;
    land.parent = gltf_builder_add_node(b, &top);
    land.rotation = turn;
    land.scale = two;
    land.mesh = boxes_mesh(b, centre, extent, 4, shuffle,
                           gltf_builder_material(b, "stone", 0.5, 0.5, 0.5));
    gltf_builder_add_node(b, &land);
    gltf_builder_node lamp = gltf_builder_node_default("lamp"),
                      shade = gltf_builder_node_default("shade");
    const double at[3] = {0, 3, 0};
    lamp.translation = at;
    lamp.mesh = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    gltf_builder_add_node(b, &lamp);
    shade.mesh = gltf_builder_box_mesh(b, v3(0.4, 0.4, 0.1), GLTF_NONE);
    const double high[3] = {0, 4, 0};
    shade.translation = high;
    gltf_builder_add_node(b, &shade);
    uint8_t *glb = gltf_builder_glb(b, size);
    gltf_builder_free(b);
    return glb;
}

/* The same as it is, by Draco (which keeps the order and the very numbers
 * here), by meshopt. */
static uint8_t *compressed(size_t how, uint8_t *glb, size_t *size)
{
    const press_options options = {.sequential = 1};
    if (how == 0) {
        return glb;
    }
    uint8_t *made = how == 1 ? press_draco(glb, *size, &options, size)
                             : press_meshopt(glb, *size, &options, size);
    free(glb);
    return made;
}

static opened with_side(const uint8_t *glb, size_t size, const char *side)
{
    opened o = {0};
    etna_error err = {0};
    assert_int_equal(bundle_of(glb, size, &o.bundle, &o.size, &err), ETNA_OK);
    if (scene_import_with_side(o.bundle, o.size, side, strlen(side), &o.s,
                               &err) != ETNA_OK) {
        fail_msg("%s", err.text);
    }
    return o;
}

static void refuse_side(const uint8_t *glb,
                        size_t size,
                        const char *side,
                        const char *word)
{
    uint8_t *bundle;
    size_t bundle_size;
    scene *s = NULL;
    etna_error err = {0};
    assert_int_equal(bundle_of(glb, size, &bundle, &bundle_size, &err),
                     ETNA_OK);
    assert_int_equal(scene_import_with_side(bundle, bundle_size, side,
                                            strlen(side), &s, &err),
                     ETNA_E_INPUT);
    if (!strstr(err.text, word)) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, word);
    }
    free(bundle);
}

static const char SPLIT[] =
    "{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"name\":\"big box\",\"loose\":[1]},"
    "{\"loose\":[2,3]}]}}}";

static void test_a_split_makes_objects_of_loose_parts(void **state)
{
    (void)state;
    for (int shuffle = 0; shuffle < 2; shuffle++) {
        size_t size;
        uint8_t *glb = garden(shuffle, &size);
        opened o = with_side(glb, size, SPLIT);
        assert_int_equal(o.s->object_count, 5);
        const scene_object *rest = object_named(o.s, "terrain"),
                           *big = object_named(o.s, "big box"),
                           *two = object_named(o.s, "terrain part 2");
        assert_true(rest->triangle_count == 12 && big->triangle_count == 12 &&
                    two->triangle_count == 24);
        assert_true(rest->is_static && !big->is_static && !two->is_static);
        assert_true(fabs(big->box.half.x - 0.5) < 1e-6 &&
                    fabs(big->box.half.z - 0.5) < 1e-6);
        /* as its node is turned */
        assert_true(fabs(big->box.yaw - 45 * MATH_PI / 180) < 1e-6);
        assert_non_null(strstr(big->why, "side file"));
        /* parts stay sorted by object */
        for (uint32_t p = 0; p < o.s->part_count; p++) {
            assert_true(p == 0 ||
                        o.s->parts[p - 1].object <= o.s->parts[p].object);
        }
        close_opened(&o);
        free(glb);
    }
}

static void test_a_group_moves_as_one(void **state)
{
    (void)state;
    size_t size, out_size;
    uint8_t *glb = garden(false, &size);
    opened o = with_side(
        glb, size, "{\"groups\":{\"standing lamp\":[\"shade\",\"lamp\"]}}");
    assert_int_equal(o.s->object_count, 2);
    const scene_object *lamp = object_named(o.s, "standing lamp");
    assert_int_equal(lamp->part_count, 2);
    scene_box before = lamp->box;
    uint8_t *moved =
        export_moved(&o, "standing lamp", v3(0.5, 0.25, 0), 0.5, &out_size);
    opened again =
        with_side(moved, out_size,
                  "{\"groups\":{\"standing lamp\":[\"shade\",\"lamp\"]}}");
    before.centre = v3_add(before.centre, v3(0.5, 0.25, 0));
    before.yaw += 0.5;
    assert_box(&object_named(again.s, "standing lamp")->box, &before, 1e-6);
    close_opened(&again);
    again = with_side(moved, out_size, "{}"); /* both nodes went along */
    assert_true(fabs(object_named(again.s, "lamp")->box.yaw - 0.5) < 1e-6);
    assert_true(fabs(object_named(again.s, "shade")->box.yaw - 0.5) < 1e-6);
    close_opened(&again);
    close_opened(&o);
    free(moved);
    free(glb);
}

/* The bytes of the binary chunk, which must begin alike. */
static const uint8_t *chunk(const uint8_t *glb, size_t *ret_size)
{
    uint32_t json, bin;
    memcpy(&json, glb + 12, 4);
    memcpy(&bin, glb + 20 + json, 4);
    *ret_size = bin;
    return glb + 28 + json;
}

static void like_is_moved(const opened *o,
                          const uint8_t *glb,
                          size_t size,
                          const char *const *names,
                          uint32_t count)
{
    uint8_t *bundle;
    size_t bundle_size;
    scene *s = NULL;
    etna_error err = {0};
    assert_int_equal(bundle_of(glb, size, &bundle, &bundle_size, &err),
                     ETNA_OK);
    if (scene_import_like(bundle, bundle_size, o->s, &s, &err) != ETNA_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(s->object_count, o->s->object_count);
    for (uint32_t i = 0; i < s->object_count; i++) {
        scene_box box = o->s->objects[i].box;
        for (uint32_t k = 0; k < count; k++) {
            if (strcmp(names[k], s->objects[i].name) == 0) {
                box.centre = v3_add(box.centre, v3(0.3, -0.2, 0.1));
                box.yaw += 0.7;
            }
        }
        assert_string_equal(s->objects[i].name, o->s->objects[i].name);
        assert_box(&s->objects[i].box, &box, 1e-6);
        assert_int_equal(s->objects[i].triangle_count,
                         o->s->objects[i].triangle_count);
        /* the very same triangles */
        for (uint32_t p = 0; p < s->objects[i].part_count; p++) {
            assert_same_geometry(
                &s->meshes[s->parts[s->objects[i].first_part + p].mesh],
                &o->s->meshes[o->s->parts[o->s->objects[i].first_part + p]
                                  .mesh]);
        }
    }
    scene_free(s);
    free(bundle);
}

static uint8_t *export_all(const opened *o,
                           const char *const *names,
                           uint32_t count,
                           size_t *ret_size)
{
    snapshot snap, next;
    etna_error err = {0};
    uint8_t *glb = NULL;
    assert_int_equal(snapshot_base(o->s, &snap, &err), ETNA_OK);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t object = scene_find_object(o->s, names[k]);
        assert_true(object != SCENE_NONE);
        arrange_pose pose = scene_base_pose(&o->s->objects[object]);
        pose.position[0] += 0.3;
        pose.position[1] -= 0.2;
        pose.position[2] += 0.1;
        pose.yaw += 0.7;
        assert_int_equal(snapshot_edit(&snap, object, &pose, &next, &err),
                         ETNA_OK);
        snapshot_free(&snap);
        snap = next;
    }
    if (scene_export_glb(o->s, o->bundle, o->size, &snap, &glb, ret_size,
                         &err) != ETNA_OK) {
        fail_msg("%s", err.text);
    }
    snapshot_free(&snap);
    return glb;
}

/* The written file alone, without the side file, has the same objects in the
 * same frame. */
static void assert_told_by_the_file(const opened *o,
                                    const uint8_t *glb,
                                    size_t size)
{
    opened alone = open_glb(glb, size);
    assert_true(alone.s->metres_per_unit == o->s->metres_per_unit &&
                alone.s->up == o->s->up);
    assert_int_equal(alone.s->object_count, o->s->object_count);
    for (uint32_t i = 0; i < o->s->object_count; i++) {
        const scene_object *was = &o->s->objects[i],
                           *is = object_named(alone.s, was->name);
        assert_int_equal(is->triangle_count, was->triangle_count);
        assert_int_equal(is->part_count, was->part_count);
    }
    close_opened(&alone);
}

static void test_a_result_tells_by_itself_how_its_scene_was_read(void **state)
{
    (void)state;
    static const char *const moved[] = {"still life"}, *const again[] = {
                                                           "shade"};
    static const char side[] =
        "{\"unit\":0.01,\"up\":\"Z\",\"names\":{\"big box\":\"crate\",\"lamp\":\"shade\"},\"splits\":{\"terrain\":"
        "{\"of\":4,\"parts\":[{\"name\":\"big box\",\"loose\":[1]},{\"loose\":[2]}]}},\"groups\":{\"still life\":"
        "[\"crate\",\"terrain part 2\"]},\"fronts\":{\"still life\":\"+X\"}}";
    size_t size, out_size, third_size;
    uint8_t *glb = garden(true, &size);
    opened o = {0};
    etna_error err = {0};
    scene_options options = scene_options_default();
    assert_int_equal(bundle_around(glb, size, (const uint8_t *)side,
                                   strlen(side), &options, &o.bundle, &o.size,
                                   &err),
                     ETNA_OK);
    assert_int_equal(scene_import(o.bundle, o.size, &o.s, &err), ETNA_OK);
    uint8_t *out = export_all(&o, moved, 0, &out_size); /* nothing moved */
    assert_told_by_the_file(&o, out, out_size);
    free(out);
    out = export_all(&o, moved, 1, &out_size);
    assert_told_by_the_file(&o, out, out_size);
    opened second = open_glb(out, out_size);
    assert_true(object_named(second.s, "still life")->has_front);
    /* a result of a result */
    uint8_t *third = export_all(&second, again, 1, &third_size);
    assert_told_by_the_file(&o, third, third_size);
    free(third);
    close_opened(&second);
    free(out);
    close_opened(&o);
    free(glb);
}

static void test_a_moved_piece_gets_a_node_and_all_old_bytes_stay(void **state)
{
    (void)state;
    static const char *const one[] = {"big box"},
                             *const both[] = {"terrain part 2", "big box"},
                             *const all[] = {"big box", "terrain part 2",
                                             "terrain"};
    const struct {
        const char *const *names;
        uint32_t count;
    } cases[] = {{one, 1}, {both, 2}, {all, 3}};
    for (size_t turn = 0; turn < 3 * 2 * sizeof cases / sizeof *cases; turn++) {
        size_t i = turn / 3, size, out_size, old_bin, new_bin;
        uint8_t *glb = compressed(turn % 3, garden(i % 2, &size), &size);
        opened o = with_side(
            glb, size,
            i / 2 < 2
                ? SPLIT
                : "{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"name\":\"big box\","
                  "\"loose\":[1]},{\"loose\":[2,3]}]}},\"movable\":[\"terrain\"]}");
        uint8_t *out =
            export_all(&o, cases[i / 2].names, cases[i / 2].count, &out_size);
        const uint8_t *before = chunk(glb, &old_bin),
                      *after = chunk(out, &new_bin);
        assert_true(new_bin > old_bin && memcmp(before, after, old_bin) == 0);
        like_is_moved(&o, out, out_size, cases[i / 2].names,
                      cases[i / 2].count);
        close_opened(&o);
        /* and without the side file the piece is an object by its node */
        opened afresh = open_glb(out, out_size);
        assert_true(object_named(afresh.s, "big box")->triangle_count == 12);
        assert_true(scene_find_object(afresh.s, "terrain") == SCENE_NONE ||
                    cases[i / 2].count < 3 ||
                    object_named(afresh.s, "terrain")->triangle_count == 12);
        close_opened(&afresh);
        free(out);
        free(glb);
    }
}

static void test_pieces_and_nodes_can_be_grouped_and_moved_together(
    void **state)
{
    (void)state;
    static const char *const names[] = {"still life"};
    size_t size, out_size;
    uint8_t *glb = garden(true, &size);
    opened o = with_side(
        glb, size,
        "{\"names\":{\"big box\":\"crate\"},\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"name\":\"big box\","
        "\"loose\":[1]},{\"loose\":[2,3]}]}},\"groups\":{\"still life\":[\"lamp\",\"crate\",\"terrain part 2\"]}}");
    assert_int_equal(o.s->object_count, 3);
    assert_int_equal(object_named(o.s, "still life")->triangle_count, 48);
    uint8_t *out = export_all(&o, names, 1, &out_size);
    like_is_moved(&o, out, out_size, names, 1);
    free(out);
    close_opened(&o);
    free(glb);
}

/* Controls before a name, and two equal names that are cut inside a character
 * of two bytes: the nodes that the export adds carry the same names as the
 * objects. */
static void test_pieces_of_awkward_names_are_known_again(void **state)
{
    (void)state;
    char side[1024], e[2 * 130 + 1] = "";
    for (int i = 0; i < 130; i++) {
        strcat(e, "\xc3\xa9");
    }
    snprintf(
        side, sizeof side,
        "{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"name\":\"\x7f\xc2\x85 crate\",\"loose\":[1]},"
        "{\"name\":\"a%s\",\"loose\":[2]},{\"name\":\"a%s\",\"loose\":[3]}]}}}",
        e, e);
    size_t size, out_size;
    uint8_t *glb = garden(true, &size);
    opened o = with_side(glb, size, side);
    char names[3][ARRANGE_NAME_MAX + 1];
    snprintf(names[0], sizeof names[0], "crate");
    snprintf(names[1], sizeof names[1], "a%.254s", e);
    snprintf(names[2], sizeof names[2], "a%.238s.2", e);
    const char *const all[] = {names[0], names[1], names[2]};
    uint8_t *out = export_all(&o, all, 3, &out_size);
    like_is_moved(&o, out, out_size, all, 3);
    free(out);
    close_opened(&o);
    free(glb);
}

static void test_materials_of_one_node_split_together(void **state)
{
    /* one mesh of two primitives: each piece has its share of both */
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"set\",\"mesh\":0}],"
        "\"materials\":[{},{}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0},"
        "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":5,\"material\":1}]}],"
        "\"buffers\":[{\"byteLength\":124}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,"
        "\"byteOffset\":96,\"byteLength\":12},"
        "{\"buffer\":0,\"byteOffset\":108,\"byteLength\":16}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":"
        "[4,1,1]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},{\"bufferView\":2,\"componentType\":"
        "5123,\"count\":8,\"type\":\"SCALAR\"}]}";
    static const float position[24] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0,
                                       3, 0, 0, 4, 0, 0, 3, 0, 1, 3, 1, 0};
    static const uint16_t index[14] = {0, 1, 2, 4, 5, 6, 0,
                                       /* a strip with a joint */
                                       1, 3, 3, 4, 4, 5, 7};
    static const char *const names[] = {"left"};
    uint8_t bin[124];
    memcpy(bin, position, sizeof position);
    memcpy(bin + 96, index, sizeof index);
    size_t size, out_size;
    uint8_t *glb = gltf_wrap_glb(json, bin, sizeof bin, &size);
    opened o = with_side(
        glb, size,
        "{\"splits\":{\"set\":{\"of\":2,\"parts\":[{\"name\":\"left\",\"loose\":[0]},{\"name\":"
        "\"right\",\"loose\":[1]}]}},"
        "\"movable\":[\"left\",\"right\"]}");
    assert_int_equal(o.s->object_count, 2);
    assert_true(object_named(o.s, "left")->part_count == 2 &&
                object_named(o.s, "right")->part_count == 2);
    scene_set_static_by_cut(o.s,
                            /* the side file overrules that, too */
                            scene_find_object(o.s, "left"));
    assert_false(object_named(o.s, "left")->is_static);
    uint8_t *out = export_all(&o, names, 1, &out_size);
    like_is_moved(&o, out, out_size, names, 1);
    free(out);
    close_opened(&o);
    free(glb);
}

static void test_faults_of_splits_and_groups_are_said(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{\"division\":1}", "\"division\""},
        {"{\"division\":{\"objects\":{\"a\":[99]}}}", "\"division\" of \"a\""},
        {"{\"division\":{\"objects\":{\"a\":[[0,-1]]}}}",
         "\"division\" of \"a\""},
        {"{\"division\":{\"objects\":{},\"own\":[\"x\"]}}",
         "\"division\" of \"own\""},
        {"{\"division\":{\"objects\":{}}}", "names no node with a mesh"},
        {"{\"splits\":[]}", "\"splits\""},
        {"{\"splits\":{\"terrain\":{\"of\":5,\"parts\":[]}}}",
         "made for 5 loose parts"},
        {"{\"splits\":{\"terrain\":{\"parts\":[]}}}", "\"of\""},
        {"{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"loose\":[4]}]}}}",
         "none of 0 to 3"},
        {"{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"loose\":[1]},{\"loose\":[1]}]}}}",
         "in two parts"},
        {"{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"loose\":[]}]}}}",
         "part 0 needs \"loose\""},
        {"{\"splits\":{\"terrain\":{\"of\":4,\"parts\":[{\"loose\":[0],\"name\":3}]}}}",
         "\"name\""},
        {"{\"groups\":{\"x\":\"lamp\"}}", "\"x\""},
        {"{\"groups\":{\"x\":[3]}}", "member 0"},
        {"{\"groups\":{\"x\":[\"lamp\",\"shade\"],\"y\":[\"lamp\"]}}",
         "\"lamp\" is in the group"},
        {"{\"static\":\"lamp\"}", "\"static\""},
        {"{\"movable\":[1]}", "\"movable\""},
        {"{\"fronts\":{\"lamp\":\"up\"}}", "\"lamp\""},
        {"{\"descriptions\":{\"lamp\":1}}", "\"descriptions\""},
        {"{\"categories\":[]}", "\"categories\""},
        {"{\"cameras\":{}}", "\"cameras\""},
    };
    size_t size;
    uint8_t *glb = garden(false, &size);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuse_side(glb, size, bad[i][0], bad[i][1]);
    }
    opened o = with_side(
        glb, size,
        "{\"groups\":{\"x\":[\"sink\"]},\"splits\":{\"tub\":{\"of\":1,\"parts\":[]}},\"colour\":1}");
    assert_int_equal(o.s->object_count, 3);
    uint32_t said = 0;
    for (uint32_t i = 0; i < o.s->report.warning_count; i++) {
        const char *w = o.s->report.warnings[i];
        said += strstr(w, "\"sink\"") || strstr(w, "\"tub\"") ||
                strstr(w, "\"colour\"");
    }
    assert_int_equal(said, 3);
    close_opened(&o);
    free(glb);
}

static void test_side_files_are_edited_and_keep_what_is_not_known(void **state)
{
    (void)state;
    static const char side[] =
        "{\"note\": [1, {\"a\": null}], \"groups\": {\"g\": [\"a\", \"b\"], \"h\": [\"c\"]}, "
        "\"splits\": {\"m\": {\"of\": 3, "
        "\"parts\": [{\"loose\": [0, 2], \"name\": \"mine\"}]}}}";
    static const uint32_t same[3] = {0, 1, 0},
                          none[3] = {SCENE_NONE, SCENE_NONE, SCENE_NONE};
    static const char *const members[] = {"b", "c"};
    char *text, *again;
    etna_error err;
    assert_int_equal(
        side_with_split(side, strlen(side), "m", 3, same, 2, &text, &err),
        ETNA_OK);
    assert_non_null(strstr(text, "\"note\""));
    assert_non_null(strstr(text, "\"mine\""));
    assert_int_equal(
        side_with_split(text, strlen(text), "m", 3, same, 2, &again, &err),
        ETNA_OK);
    assert_string_equal(text, again);
    free(again);
    free(text);
    assert_int_equal(
        side_with_split(side, strlen(side), "m", 3, none, 0, &text, &err),
        ETNA_OK);
    assert_null(strstr(text, "splits"));
    free(text);
    assert_int_equal(
        side_with_group(side, strlen(side), "new", members, 2, &text, &err),
        ETNA_OK);
    assert_true(strstr(text, "\"new\"") && strstr(text, "\"g\"") &&
                !strstr(text, "\"h\"")); /* h has nobody left */
    free(text);
    assert_int_equal(side_with_group(NULL, 0, "new", members, 2, &text, &err),
                     ETNA_OK);
    assert_int_equal(
        side_with_group(text, strlen(text), "new", NULL, 0, &again, &err),
        ETNA_OK);
    assert_string_equal(again, "{}\n");
    free(again);
    free(text);
    assert_int_equal(side_with_group("[", 1, "new", members, 2, &text, &err),
                     ETNA_E_INPUT);
    assert_int_equal(
        side_with_split("{\"splits\":1}", 12, "m", 3, same, 2, &text, &err),
        ETNA_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_split_makes_objects_of_loose_parts),
        cmocka_unit_test(test_a_result_tells_by_itself_how_its_scene_was_read),
        cmocka_unit_test(test_a_group_moves_as_one),
        cmocka_unit_test(test_a_moved_piece_gets_a_node_and_all_old_bytes_stay),
        cmocka_unit_test(
            test_pieces_and_nodes_can_be_grouped_and_moved_together),
        cmocka_unit_test(test_pieces_of_awkward_names_are_known_again),
        cmocka_unit_test(test_materials_of_one_node_split_together),
        cmocka_unit_test(test_faults_of_splits_and_groups_are_said),
        cmocka_unit_test(test_side_files_are_edited_and_keep_what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
