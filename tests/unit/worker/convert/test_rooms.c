/* Rooms of others: where their things come to stand, what is left out, and
 * what is refused. */
#include "worker/convert/rooms.h"
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

#define SIZES \
    "{\"Bed_1\": [2, 0.5, 1], \"Chair\": [{\"assetId\": \"Chair_2\"," \
    "\"boundingBox\": {\"x\": 0.4, \"y\": 0.9, \"z\": 0.5}}], \"m.bed\": [2, 0.5, 1]}"
#define AT(x, y, z) \
    "\"position\": {\"x\": " #x ", \"y\": " #y ", \"z\": " #z "}"

typedef struct room_case {
    etna_arena arena;
    rooms rooms;
} room_case;

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
    if (!value)
        fail_msg("%s: %s", text, error.text);
    return value;
}

static etna_code try_room(const char *text, room_case *ret, etna_error *err)
{
    json_t *document = parsed(text), *sizes = parsed(SIZES);
    *ret = (room_case){.arena = ETNA_ARENA_INIT};
    etna_code code = rooms_read(document, sizes, &ret->arena, &ret->rooms, err);
    json_decref(document);
    json_decref(sizes);
    return code;
}

static room_case read_room(const char *text)
{
    room_case c;
    etna_error err;
    if (try_room(text, &c, &err))
        fail_msg("%s", err.text);
    return c;
}

static void room_free(room_case *c)
{
    etna_arena_free(&c->arena);
}

static const rooms_box *box_named(const rooms *r, const char *name)
{
    for (uint32_t i = 0; i < r->box_count; i++) {
        if (strcmp(r->boxes[i].name, name) == 0)
            return &r->boxes[i];
    }
    fail_msg("nothing is named \"%s\"", name);
    return NULL;
}

/* Where the scene that is written has it: the box's middle, its width along x
 * and along y, Z up. */
static void expect_box(const rooms *r, const char *name, const double told[5])
{
    uint8_t *data = NULL, *bundle = NULL;
    size_t size = 0, bundle_size = 0;
    scene *s = NULL;
    etna_error err;
    if (rooms_write(r, &data, &size, &err) ||
        bundle_from_glb(data, size, NULL, &bundle, &bundle_size, &err) ||
        scene_import(bundle, bundle_size, &s, &err))
        fail_msg("%s", err.text);
    const scene_object *found = NULL;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (strcmp(s->objects[i].name, name) == 0)
            found = &s->objects[i];
    }
    if (!found)
        fail_msg("nothing is named \"%s\"", name);
    vec3 min = found->min, max = found->max;
    const double is[5] = {(min.x + max.x) / 2, (min.y + max.y) / 2,
                          (min.z + max.z) / 2, max.x - min.x, max.y - min.y};
    for (int k = 0; k < 5; k++) {
        if (fabs(told[k] - is[k]) > 1e-4)
            fail_msg("%s, number %d: %g, not %g", name, k, is[k], told[k]);
    }
    scene_free(s);
    free(bundle);
    free(data);
}

/* ---- houses ---- */

#define HOUSE \
    "{\"rooms\": [{\"floorPolygon\": [{\"x\": 0, \"y\": 0, \"z\": 0}, {\"x\": 0, \"y\": 0, \"z\": 4}," \
    "{\"x\": 4, \"y\": 0, \"z\": 4}, {\"x\": 4, \"y\": 0, \"z\": 2}, {\"x\": 2, \"y\": 0, \"z\": 2}, {\"x\": 2, \"y\": 0, \"z\": 0}]}],"

#define BED \
    "{\"id\": \"Bed|1|0\", \"assetId\": \"Bed_1\"," AT( \
        1, 0.25, 3) ", \"rotation\": {\"x\": 0, \"y\": 90, \"z\": 0}"
#define CHAIR(id, at) "{\"id\": \"" id "\", \"assetId\": \"Chair_2\"," at "}"
#define PEN "{\"id\": \"Pen|1|3\", \"assetId\": \"Pen_9\"," AT(1, 0.6, 3) "}"

static void a_house_is_mirrored_and_its_children_stand_on_something(
    void **state)
{
    (void)state;
    room_case c = read_room(
        HOUSE
        "\"walls\": [], \"objects\": [" BED
        ", \"children\": [" CHAIR("DiningChair|1|1", AT(1, 0.95, 3)) "," CHAIR(
            "Pillow|1|2", AT(1, 0.3, 3)) "," PEN
                                         "]}," CHAIR("DiningChair|1|4",
                                                     AT(3, 0.45, 3)) "]}");
    assert_int_equal(c.rooms.box_count, 3);
    assert_int_equal(box_named(&c.rooms, "dining chair")->on, 0);
    assert_true(box_named(&c.rooms, "dining chair 2")->on == ROOMS_NONE);
    expect_box(&c.rooms, "bed", (const double[]){1, 3, 0.25, 1, 2});
    expect_box(&c.rooms, "dining chair 2",
               (const double[]){3, 3, 0.45, 0.4, 0.5});
    assert_int_equal(c.rooms.left_count, 2);
    assert_string_equal(c.rooms.left_out[0],
                        "pillow: it is inside of something");
    assert_string_equal(c.rooms.left_out[1], "pen: its size is not known");
    /* an L: its outline reaches over 4 m either way, and nothing is over its
     * cut-out corner */
    expect_box(&c.rooms, "floor", (const double[]){2, 2, -0.05, 4, 4});
    assert_int_equal(c.rooms.floors[0].count, 6);
    room_free(&c);
}

static void a_wall_is_open_where_its_door_is(void **state)
{
    (void)state;
    room_case c = read_room(
        "{\"rooms\": [], \"objects\": [], \"doors\": [{\"wall0\": \"w\", \"wall1\": \"v\", \"holePolygon\":"
        "[{\"x\": 1, \"y\": 0, \"z\": 0}, {\"x\": 2, \"y\": 2, \"z\": 0}]}], \"walls\": [{\"id\": \"w\", \"polygon\":"
        "[{\"x\": 0, \"y\": 0, \"z\": 1}, {\"x\": 0, \"y\": 2.5, \"z\": 1}, {\"x\": 4, \"y\": 2.5, \"z\": 1},"
        "{\"x\": 4, \"y\": 0, \"z\": 1}]}]}");
    assert_int_equal(c.rooms.box_count, 3);
    expect_box(&c.rooms, "wall 1", (const double[]){0.5, 1, 1.25, 1, 0.01});
    expect_box(&c.rooms, "wall 2", (const double[]){1.5, 1, 2.25, 1, 0.01});
    expect_box(&c.rooms, "wall 3", (const double[]){3, 1, 1.25, 2, 0.01});
    assert_true(box_named(&c.rooms, "wall 2")->is_static);
    room_free(&c);
}

/* ---- states and rooms ---- */

static void a_state_has_models_on_their_feet(void **state)
{
    (void)state;
    /* turned a quarter about the vertical, and 0.3 m up */
    room_case c = read_room(
        "{\"format\": \"sceneState\", \"scene\": {\"object\": [{\"modelId\": \"m.bed\", \"parentIndex\": 0,"
        "\"transform\": {\"data\": [0,1,0,0, 0,0,1,0, 1,0,0,0, 5,6,0.3,1]}}], \"arch\": {\"elements\": ["
        "{\"type\": \"Wall\", \"height\": 2, \"points\": [[0,0,0],[0,3,0]], \"holes\":"
        "[{\"box\": {\"min\": [1,1], \"max\": [2,1.5]}}]},"
        "{\"type\": \"Floor\", \"points\": [[3,3,0],[-3,3,0],[-3,-3,0],[3,-3,0]]}]}}}");
    expect_box(&c.rooms, "bed", (const double[]){5, 6, 0.55, 1, 2});
    assert_true(box_named(&c.rooms, "bed")->on == ROOMS_NONE);
    expect_box(&c.rooms, "wall 2", (const double[]){0, 1.5, 0.5, 0.01, 1});
    expect_box(&c.rooms, "floor", (const double[]){0, 0, -0.05, 6, 6});
    room_free(&c);
}

static void a_room_says_sizes_and_quaternions(void **state)
{
    (void)state;
    room_case c = read_room(
        "{\"bounds_bottom\": [[0,0,0],[4,0,0],[4,0,3],[0,0,3]], \"bounds_top\": [[0,2.5,0],[4,2.5,0],[4,2.5,3],[0,2.5,3]],"
        "\"objects\": [{\"desc\": \"A double bed with a board, grey\", \"size\": [2,0.5,1], \"pos\": [2,0,1],"
        "\"rot\": [0,0.70710678,0,0.70710678]}, {\"desc\": \"Lamp\", \"size\": [0.2,1,0.3], \"pos\": [1,0.5,2], \"rot\": [0,0,0,0]}]}");
    assert_int_equal(c.rooms.box_count, 6);
    expect_box(&c.rooms, "a double bed", (const double[]){2, -1, 0.25, 1, 2});
    expect_box(&c.rooms, "lamp", (const double[]){1, -2, 1, 0.2, 0.3});
    expect_box(&c.rooms, "wall 1", (const double[]){2, 0, 1.25, 4, 0.01});
    room_free(&c);
}

/* ---- what is wrong ---- */

static void what_is_no_room_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{}", "no house of AI2-THOR, no state of SceneEval"},
        {"{\"rooms\": 3, \"walls\": []}", "no house"},
        {HOUSE
         "\"walls\": [], \"objects\": [{\"id\": \"Bed|1\", \"assetId\": \"Bed_1\"}]}",
         "Bed: its position"},
        {HOUSE
         "\"walls\": [], \"objects\": [{\"id\": \"Bed|1\", \"assetId\": \"Bed_1\"," AT(
             0, 1e9, 0) "}]}",
         "Bed: its position"},
        {"{\"rooms\": [], \"walls\": [{\"polygon\": [{\"x\": \"a\"}]}]}",
         "a wall's corner is no place"},
        {"{\"bounds_bottom\": [[0,0,0],[1,0],[1,0,1]]}", "a floor's corner 2"},
        {"{\"bounds_bottom\": [[0,0,0],[1,0,0],[1,0,1]], \"objects\": [{\"desc\": \"Bed\", \"size\": [0,1,1], \"pos\": [0,0,0]}]}",
         "Bed: its size, pos or rot is wrong"},
        {"{\"format\": \"sceneState\", \"scene\": {\"object\": [{\"modelId\": \"m.bed\"}]}}",
         "bed: its transform is no sixteen numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        room_case c;
        etna_error err = {ETNA_OK, ""};
        etna_code code = try_room(cases[i].text, &c, &err);
        if (code != ETNA_E_INPUT || !strstr(err.text, cases[i].words))
            fail_msg("case %zu: %d, \"%s\"", i, (int)code, err.text);
        room_free(&c);
    }
}

/* Thousands of one name are numbered in a moment, and one more is refused. */
static void a_room_of_too_many_things_is_refused(void **state)
{
    (void)state;
    json_t *objects = json_array(), *sizes = json_object();
    for (int i = 0; i < ROOMS_BOXES_MAX + 1; i++)
        json_array_append_new(objects, json_pack("{s:s, s:[i,i,i], s:[i,i,i]}",
                                                 "desc", "Lamp", "size", 1, 1,
                                                 1, "pos", 0, 0, 0));
    json_t *document =
        json_pack("{s:[], s:o}", "bounds_bottom", "objects", objects);
    etna_arena arena = ETNA_ARENA_INIT;
    rooms r;
    etna_error err;
    assert_int_equal(rooms_read(document, sizes, &arena, &r, &err),
                     ETNA_E_LIMIT);
    json_array_remove(objects, 0);
    assert_int_equal(rooms_read(document, sizes, &arena, &r, &err), ETNA_OK);
    assert_string_equal(r.boxes[ROOMS_BOXES_MAX - 1].name, "lamp 5000");
    json_decref(document);
    json_decref(sizes);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_house_is_mirrored_and_its_children_stand_on_something),
        cmocka_unit_test(a_wall_is_open_where_its_door_is),
        cmocka_unit_test(a_state_has_models_on_their_feet),
        cmocka_unit_test(a_room_says_sizes_and_quaternions),
        cmocka_unit_test(what_is_no_room_is_refused),
        cmocka_unit_test(a_room_of_too_many_things_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
