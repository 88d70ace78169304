/* Composed scenes: what a spec may say, and other files' things in one GLB. */
#include "tests/support/gltf_builder.h"
#include "worker/convert/compose.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM "\"room\":{\"width\":4,\"depth\":3,\"walls\":[\"north\"]}"
#define THING "\"asset\":\"x\",\"at\":[0,0]"

static compose_spec read_spec(const char *text)
{
    compose_spec spec;
    etna_error err;
    if (compose_read(text, strlen(text), &spec, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return spec;
}

static void refuse(const char *text, const char *words)
{
    compose_spec spec = {.object_count = 77};
    etna_error err;
    assert_int_equal(compose_read(text, strlen(text), &spec, &err),
                     ETNA_E_INPUT);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, err.text);
    assert_int_equal(spec.object_count, 77);
}

static void what_is_wrong_in_a_spec_is_named(void **state)
{
    (void)state;
    refuse("{\"objects\":[{\"name\":\"a\"," THING "}]}", "no \"room\"");
    refuse("{" ROOM "}", "no \"objects\"");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\",\"asset\":\"x\"}]}",
           "\"a\": \"at\" is not given");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           "},{\"name\":\"a\"," THING "}]}",
           "another object has it");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING ",\"on\":\"a\"}]}",
           "the list has before it");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           ",\"hang\":\"west\"}]}",
           "a wall of the room");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           ",\"hang\":\"ceiling\"}]}",
           "no ceiling");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           ",\"size\":[1,0,1]}]}",
           "above 0");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           ",\"front\":\"+Y\"}]}",
           "\"front\"");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\\u0007\"," THING "}]}",
           "control characters");
    refuse("{" ROOM ",\"walls\":1,\"objects\":[{\"name\":\"a\"," THING "}]}",
           "\"walls\" is not known");
    refuse("{" ROOM ",\"objects\":[{\"name\":\"a\"," THING
           "}],\"cameras\":[{\"position\":[1,1,1],\"target\":[1,1,1]}]}",
           "apart from");
    refuse("{\"room\":{\"width\":4},\"objects\":[{\"name\":\"a\"," THING "}]}",
           "no floor");
    refuse(
        "{\"room\":{\"corners\":[[0,0],[2,2],[2,0],[0,2]]},\"objects\":[{\"name\":\"a\"," THING
        "}]}",
        "crosses");
}

/* Two boxes apart from each other below one root: as an asset they are one
 * object. */
static uint8_t *two_boxes(size_t *ret_size)
{
    gltf_builder *b = gltf_builder_new();
    for (int i = 0; i < 3; i++) {
        gltf_builder_box(b, "part", v3(i, 0, 0.5), v3(0.2, 0.2, 1), 0,
                         gltf_builder_material(b, "paint", 0.5, 0.2, 0.1));
    }
    gltf_builder_root_members(b, "\"extras\":{}");
    uint8_t *glb_bytes = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return glb_bytes;
}

#define DOOR \
    "{\"room\":{\"width\":4,\"depth\":3,\"openings\":[{\"wall\":\"south\",\"at\":"
#define REST "]},\"objects\":[{\"name\":\"a\"," THING "}]}"

static void openings_lie_within_walls_that_are_there(void **state)
{
    (void)state;
    compose_spec spec = read_spec(DOOR "1}" REST);
    assert_int_equal(spec.room.opening_count, 1);
    assert_true(spec.room.openings[0].edge == 2 &&
                spec.room.openings[0].width == 0.9);
    compose_free(&spec);
    refuse(DOOR "0.2}" REST, "does not lie within wall south");
    refuse(DOOR "2,\"height\":2.5}" REST, "does not lie within wall south");
    refuse(DOOR "1},{\"wall\":\"south\",\"at\":1.5}" REST, "meet");
    refuse(DOOR "1},{\"wall\":\"up\",\"at\":1.5}" REST, "a wall of the room");
    refuse(
        "{\"room\":{\"width\":4,\"depth\":3,\"walls\":false,\"openings\":[{\"wall\":\"south\",\"at\":1}" REST,
        "not there");
}

/* Triangles of the south wall that cover the point x, y of it, seen from
 * inside. */
static uint32_t wall_covers(const scene *s,
                            const char *name,
                            double x,
                            double y)
{
    uint32_t count = 0, object = scene_find_object(s, name);
    const scene_part *part = &s->parts[s->objects[object].first_part];
    const scene_mesh *m = &s->meshes[part->mesh];
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        vec3 v[3];
        double turn[3];
        for (int k = 0; k < 3; k++)
            v[k] = v3_add(scene_vertex(s, part, m->index[3 * t + (uint32_t)k]),
                          s->recentre);
        for (int k = 0; k < 3; k++) {
            vec3 a = v[k], b = v[(k + 1) % 3];
            turn[k] = (b.x - a.x) * (y - a.z) - (b.z - a.z) * (x - a.x);
        }
        bool left = turn[0] > 0 && turn[1] > 0 && turn[2] > 0,
             right = turn[0] < 0 && turn[1] < 0 && turn[2] < 0;
        count += left || right;
    }
    return count;
}

static void an_opening_is_a_hole_in_its_wall(void **state)
{
    (void)state;
    compose_spec spec = read_spec(DOOR "1}" REST);
    compose_asset asset = {
        .path = "box.glb", .unit = 1, .min = {0, 0, 0}, .max = {1, 1, 1}};
    asset.glb = two_boxes(&asset.size);
    compose_place place = {.at = {0, 0, 0}};
    compose_picture pictures[3] = {{NULL, NULL, 0}};
    uint8_t *made = NULL, *bundle = NULL;
    size_t size = 0, bundle_size = 0;
    scene *s = NULL;
    etna_error err;
    assert_int_equal(compose_write(&spec, &asset, 1, &place, pictures, false,
                                   &made, &size, &err),
                     ETNA_OK);
    assert_int_equal(
        bundle_from_glb(made, size, NULL, &bundle, &bundle_size, &err),
        ETNA_OK);
    assert_int_equal(scene_import(bundle, bundle_size, &s, &err), ETNA_OK);
    /* 1 m from the left end of the south wall, seen from inside, is x = 1 */
    assert_int_equal(wall_covers(s, "wall south", 1.01, 1.01), 0);
    /* above the door: both faces */
    assert_int_equal(wall_covers(s, "wall south", 1.01, 2.21), 2);
    assert_int_equal(wall_covers(s, "wall south", -0.99, 1.01), 2);
    scene_free(s);
    free(bundle);
    free(made);
    free(asset.glb);
    compose_free(&spec);
}

static void corners_come_out_clockwise_in_metres(void **state)
{
    (void)state;
    compose_spec spec = read_spec(
        "{\"unit\":0.01,\"room\":{\"corners\":[[0,0],[0,300],[400,300],[400,0]],\"height\":250},"
        "\"objects\":[{\"name\":\"a\"," THING
        ",\"yaw\":90,\"size\":[10,20,30]}]}");
    assert_int_equal(spec.room.corner_count, 4);
    assert_true(spec.room.corner[1][0] == 4 && spec.room.corner[1][1] == 0 &&
                spec.room.corner[3][1] == 3);
    assert_true(spec.room.height == 2.5 && spec.objects[0].size[2] == 0.3);
    assert_true(fabs(spec.objects[0].yaw - MATH_PI / 2) < 1e-12);
    compose_free(&spec);
}

static void an_asset_is_taken_in_once_and_is_one_object_each_time(void **state)
{
    (void)state;
    compose_spec spec =
        read_spec("{" ROOM ",\"objects\":[{\"name\":\"left\"," THING
                  ",\"front\":\"-Z\"},{\"name\":\"right\"," THING
                  ",\"static\":true,\"size\":[1.1,0.5,0.1]}]}");
    compose_asset asset = {.path = "folder/boxes.glb",
                           .unit = 1,
                           .min = {-0.1, 0, -0.1},
                           .max = {2.1, 1, 0.1}};
    asset.glb = two_boxes(&asset.size);
    compose_place places[2] = {{.at = {-1, 0, 0}},
                               {.at = {1, 0, 0}, .yaw = MATH_PI / 2}};
    compose_picture pictures[3] = {{NULL, NULL, 0}};
    uint8_t *made = NULL, *bundle = NULL;
    size_t size = 0, bundle_size = 0;
    scene *s = NULL;
    etna_error err;
    if (compose_write(&spec, &asset, 1, places, pictures, false, &made, &size,
                      &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(
        bundle_from_glb(made, size, NULL, &bundle, &bundle_size, &err),
        ETNA_OK);
    if (scene_import(bundle, bundle_size, &s, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(s->object_count, 4); /* floor, one wall, two objects */
    const scene_object *left = &s->objects[2], *right = &s->objects[3];
    assert_string_equal(left->name, "left");
    assert_int_equal(left->part_count, 3);
    assert_true(left->has_front && !left->is_static && right->is_static &&
                !right->has_front);
    assert_true(fabs(left->min.x + 2.1) < 1e-5 &&
                fabs(left->max.x - 0.1) < 1e-5 && fabs(left->min.z) < 1e-5);
    assert_true(fabs(right->max.y - right->min.y - 1.1) < 1e-5 &&
                fabs(right->max.z - 0.5) < 1e-5);
    assert_int_equal(s->mesh_count, 3); /* floor, wall, one box */
    json_t *credits = compose_credits(made, size);
    assert_int_equal(json_array_size(credits), 1);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(credits, 0), "model")),
        "boxes.glb");
    json_decref(credits);
    scene_free(s);
    free(bundle);
    free(made);
    free(asset.glb);
    compose_free(&spec);
}

static void a_guest_with_wrong_indices_is_refused(void **state)
{
    (void)state;
    static const char *const guests[][2] = {
        {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[3]}],\"nodes\":[{}]}",
         "does not have"},
        {"{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":5}}]}]}",
         "meshes"},
        {"{\"asset\":{\"version\":\"2.0\"},\"bufferViews\":[{\"buffer\":0,\"byteOffset\":9,\"byteLength\":1}]}",
         "leads out"},
        {"{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"../x.png\"}]}",
         "pack it"},
        {"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"EXT_x\"]}",
         "EXT_x"},
    };
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++) {
        size_t size;
        glb_guest guest = {0};
        etna_error err;
        glb *g = glb_new();
        uint8_t *data = gltf_wrap_glb(guests[i][0], NULL, 0, &size);
        assert_int_equal(glb_guest_take(g, data, size, false, &guest, &err),
                         ETNA_E_INPUT);
        if (!strstr(err.text, guests[i][1]))
            fail_msg("\"%s\" is not in \"%s\"", guests[i][1], err.text);
        assert_null(guest.root);
        free(data);
        glb_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_in_a_spec_is_named),
        cmocka_unit_test(corners_come_out_clockwise_in_metres),
        cmocka_unit_test(openings_lie_within_walls_that_are_there),
        cmocka_unit_test(an_opening_is_a_hole_in_its_wall),
        cmocka_unit_test(an_asset_is_taken_in_once_and_is_one_object_each_time),
        cmocka_unit_test(a_guest_with_wrong_indices_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
