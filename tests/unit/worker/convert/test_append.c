/* Things brought into a file and taken out again: what was there keeps every
 * byte. */
#include "tests/support/gltf_builder.h"
#include "worker/convert/append.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double unmoved[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                   0, 0, 1, 0, 0, 0, 0, 1};

/* A lamp of two parts, half a metre wide and 1.6 m high, that stands on its own
 * origin. */
static uint8_t *lamp_glb(size_t *ret_size)
{
    gltf_builder *b = gltf_builder_new();
    uint32_t paint = gltf_builder_material(b, "brass", 0.8, 0.6, 0.2);
    gltf_builder_box(b, "pole", v3(0, 0, 0.7), v3(0.1, 0.1, 1.4), 0, paint);
    gltf_builder_box(b, "shade", v3(0, 0, 1.5), v3(0.5, 0.3, 0.2), 0, paint);
    uint8_t *made = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return made;
}

static uint8_t *room_glb(size_t *ret_size)
{
    gltf_builder *b = gltf_builder_new();
    uint32_t wood = gltf_builder_material(b, "wood", 0.5, 0.3, 0.1);
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(5, 4, 0.1), 0, wood);
    gltf_builder_box(b, "table", v3(0, 0, 0.35), v3(1, 1, 0.7), 0, wood);
    gltf_builder_box(b, "vase", v3(0.2, 0.1, 0.85), v3(0.1, 0.1, 0.3), 0, wood);
    uint8_t *made = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return made;
}

static append_item item_of(const uint8_t *data, size_t size, const char *name)
{
    append_item item = {.glb = data,
                        .size = size,
                        .name = name,
                        .author = {"Lamp", "Set", "Ann", "CC-BY 3.0"}};
    memcpy(item.matrix, unmoved, sizeof unmoved);
    return item;
}

static scene *import_glb(const uint8_t *data,
                         size_t size,
                         const scene_options *options)
{
    uint8_t *bundle;
    size_t bundle_size;
    scene *s = NULL;
    etna_error err;
    if (bundle_from_glb(data, size, options, &bundle, &bundle_size, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    if (scene_import(bundle, bundle_size, &s, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    free(bundle);
    return s;
}

static void strip_and_compare(const uint8_t *now,
                              size_t now_size,
                              const uint8_t *then,
                              size_t then_size)
{
    uint8_t *out = NULL;
    size_t size = 0;
    etna_error err;
    if (append_strip(now, now_size, false, &out, &size, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    if (size != then_size || memcmp(out, then, size) != 0) {
        fail_msg("%zu bytes, not the %zu of before: %.*s", size, then_size,
                 (int)(size > 20 ? size - 20 : 0), (const char *)out + 20);
    }
    free(out);
}

static void what_was_appended_comes_off_without_a_trace(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        "{\"asset\":{\"version\":\"2.0\"}}",
        "{ \"asset\" : { \"version\":\"2.0\" , \"extras\": {} } ,\"scene\":0, \"scenes\":[ {\"nodes\" : [ 0\n] } ],\n"
        "\"nodes\":[ {\"name\":\"a\"} \n] }   ",
        "{\"asset\":{\"version\":\"2.0\",\"extras\":{\"etna_credits\":[{\"model\":\"b\"}]}},\"scenes\":[{}],\"nodes\":[{}]}",
        "{\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"scene\":1,\"nodes\":[{},{\"children\":[0]}],"
        "\"extensionsUsed\":[\"KHR_lights_punctual\"],\"asset\":{\"version\":\"2.0\",\"extras\":{\"a\":[1]}}}"};
    size_t lamp_size, size, twice_size;
    uint8_t *lamp = lamp_glb(&lamp_size), *out, *twice;
    const append_item items[2] = {item_of(lamp, lamp_size, "lamp 1"),
                                  item_of(lamp, lamp_size, "lamp 2")};
    etna_error err;
    for (size_t i = 0; i <= sizeof scenes / sizeof *scenes; i++) {
        size_t base_size;
        uint8_t *base = i ? gltf_wrap_glb(scenes[i - 1], NULL, 0, &base_size)
                          : room_glb(&base_size);
        if (append_items(base, base_size, items, 2, &out, &size, &err) !=
            ETNA_OK)
            fail_msg("%zu: %s", i, err.text);
        strip_and_compare(out, size, base, base_size);
        if (append_items(out, size, items, 1, &twice, &twice_size, &err) !=
            ETNA_OK)
            fail_msg("%s", err.text);
        strip_and_compare(twice, twice_size, out, size);
        free(twice);
        free(out);
        free(base);
    }
    free(lamp);
}

static void how_a_file_is_read_goes_with_what_was_appended(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{}]}",
         "{\"asset\":{\"extras\":{\"etna_scene\":{\"up\":\"Z\"}},\"version\":\"2.0\"},\"scenes\":[{}]}"},
        {"{\"asset\":{\"version\":\"2.0\",\"extras\":{\"a\":1}},\"scenes\":[{}]}   ",
         "{\"asset\":{\"version\":\"2.0\",\"extras\":{\"a\":1,\"etna_scene\":{\"unit\":0.01}}},\"scenes\":[{}]}"}};
    size_t lamp_size, base_size, said_size, size, kept_size;
    uint8_t *lamp = lamp_glb(&lamp_size), *out, *kept;
    const append_item item = item_of(lamp, lamp_size, "lamp");
    etna_error err;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint8_t *base = gltf_wrap_glb(pairs[i][0], NULL, 0, &base_size),
                *said = gltf_wrap_glb(pairs[i][1], NULL, 0, &said_size);
        if (append_items_from(base, base_size, said, said_size, &item, 1, &out,
                              &size, &err) != ETNA_OK)
            fail_msg("%s", err.text);
        strip_and_compare(out, size, base, base_size);
        assert_int_equal(append_strip(out, size, true, &kept, &kept_size, &err),
                         ETNA_OK);
        assert_non_null(memmem(kept, kept_size, "etna_scene", 10));
        free(kept);
        free(out);
        if (append_items_from(said, said_size, said, said_size, &item, 1, &out,
                              &size, &err) != ETNA_OK)
            fail_msg("%s", err.text);
        strip_and_compare(out, size, said, said_size);
        free(out);
        free(base);
        free(said);
    }
    free(lamp);
}

static void the_same_asset_comes_in_once_for_all_its_items(void **state)
{
    (void)state;
    size_t lamp_size, base_size, one_size, three_size;
    uint8_t *lamp = lamp_glb(&lamp_size), *base = room_glb(&base_size), *one,
            *three;
    append_item items[3] = {item_of(lamp, lamp_size, "a"),
                            item_of(lamp, lamp_size, "b"),
                            item_of(lamp, lamp_size, "c")};
    for (int i = 0; i < 3; i++)
        items[i].matrix[12] = i - 1;
    etna_error err;
    assert_int_equal(
        append_items(base, base_size, items, 1, &one, &one_size, &err),
        ETNA_OK);
    assert_int_equal(
        append_items(base, base_size, items, 3, &three, &three_size, &err),
        ETNA_OK);
    assert_true(three_size - one_size < 1200); /* nodes alone */
    assert_non_null(memmem(three, three_size, "Ann", 3));
    assert_non_null(memmem(three, three_size, "CC-BY 3.0", 9));
    append_layer layer;
    assert_int_equal(append_read(three, three_size, &layer, &err), ETNA_OK);
    assert_int_equal(layer.first_node, 3);
    assert_int_equal(layer.root_count, 3);
    /* three each: its own and two parts */
    assert_int_equal(layer.node_count, 9);
    append_layer_free(&layer);
    assert_int_equal(append_read(base, base_size, &layer, &err),
                     ETNA_E_NOTFOUND);
    free(one);
    free(three);
    free(lamp);
    free(base);
}

/* In a file of centimetres, or of another axis up, the lamp is as high as it
 * is. */
static void an_item_is_true_and_upright_in_any_unit_and_axis(void **state)
{
    (void)state;
    static const struct {
        double unit;
        char up;
    } ways[] = {{1, 'Y'}, {0.01, 'Y'}, {1, 'Z'}, {0.0254, 'Z'}};
    size_t lamp_size, size;
    uint8_t *lamp = lamp_glb(&lamp_size), *out;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const double k = ways[i].unit;
        scene_options options = scene_options_default();
        options.metres_per_unit = k;
        options.up = ways[i].up;
        gltf_builder *b = gltf_builder_new();
        gltf_builder_box(b, "floor", v3(100 / k, 0, 0), v3(5 / k, 5 / k, 5 / k),
                         0, GLTF_NONE);
        size_t base_size;
        uint8_t *base = gltf_builder_glb(b, &base_size);
        gltf_builder_free(b);
        scene *s = import_glb(base, base_size, &options);
        append_item item = item_of(lamp, lamp_size, "lamp");
        scene_placement(s, v3(1, 2, 3), 0.5, item.matrix);
        etna_error err;
        assert_int_equal(
            append_items(base, base_size, &item, 1, &out, &size, &err),
            ETNA_OK);
        scene *now = import_glb(out, size, &options);
        vec3 moved = v3_sub(s->recentre, now->recentre);
        vec3 min = v3(INFINITY, INFINITY, INFINITY),
             max = v3(-INFINITY, -INFINITY, -INFINITY);
        for (uint32_t o = 0; o < now->object_count; o++) {
            if (strcmp(now->objects[o].name, "floor") == 0)
                continue;
            min = v3_min(min, v3_sub(now->objects[o].min, moved));
            max = v3_max(max, v3_sub(now->objects[o].max, moved));
        }
        assert_true(fabs(min.z - 3) < 1e-5 && fabs(max.z - 4.6) < 1e-5);
        double wide = 0.5 * cos(0.5) + 0.3 * sin(0.5),
               mid = (min.x + max.x) / 2;
        assert_true(fabs(max.x - min.x - wide) < 1e-5 && fabs(mid - 1) < 1e-5);
        scene_free(now);
        scene_free(s);
        free(out);
        free(base);
    }
    free(lamp);
}

static void a_dropped_node_leaves_every_list_and_keeps_its_text(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0, 1,2 ]},{\"nodes\":[2]}],"
        "\"nodes\":[{\"children\":[3]},{\"children\":[4 , 5]},{},{},{},{}]}";
    static const struct {
        uint32_t count, nodes[3];
        const char *want;
    } cases[] = {
        {1,
         {2},
         "\"scenes\":[{\"nodes\":[0, 1 ]},{}],\"nodes\":[{\"children\":[3]},{\"children\":[4 , 5]},{},{},{},{}]}"},
        {2,
         {0, 1},
         "\"scenes\":[{\"nodes\":[2 ]},{\"nodes\":[2]}],\"nodes\":[{\"children\":[3]},{\"children\":[4 , 5]},"},
        {3,
         {3, 4, 5},
         "\"scenes\":[{\"nodes\":[0, 1,2 ]},{\"nodes\":[2]}],\"nodes\":[{},{},{},{},{},{}]}"},
        {1, {4}, "{\"children\":[3]},{\"children\":[5]},{},{},{},{}]}"}};
    size_t base_size, size;
    uint8_t *base = gltf_wrap_glb(text, NULL, 0, &base_size), *out;
    etna_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(append_drop(base, base_size, cases[i].nodes,
                                     cases[i].count, &out, &size, &err),
                         ETNA_OK);
        if (!memmem(out, size, cases[i].want, strlen(cases[i].want)))
            fail_msg("%.*s", (int)(size - 20), (const char *)out + 20);
        free(out);
    }
    const uint32_t none = 6;
    assert_int_equal(append_drop(base, base_size, &none, 1, &out, &size, &err),
                     ETNA_E_INPUT);
    free(base);
}

static void what_cannot_come_in_is_said_by_its_name(void **state)
{
    (void)state;
    size_t lamp_size, base_size, size, odd_size;
    uint8_t *lamp = lamp_glb(&lamp_size), *base = room_glb(&base_size),
            *out = NULL;
    append_item item = item_of(lamp, lamp_size, "lamp");
    etna_error err;
    item.matrix[5] = NAN;
    assert_int_equal(append_items(base, base_size, &item, 1, &out, &size, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "\"lamp\""));
    item = item_of(lamp, lamp_size, "cut lamp");
    for (item.size = 0; item.size + 64 < lamp_size; item.size += 61) {
        assert_int_not_equal(
            append_items(base, base_size, &item, 1, &out, &size, &err),
            ETNA_OK);
        assert_non_null(strstr(err.text, "\"cut lamp\""));
    }
    static const char *const odd[] = {
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}",
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[7]}],\"nodes\":[{}]}",
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":3}]}",
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        uint8_t *bad = gltf_wrap_glb(odd[i], NULL, 0, &odd_size);
        item = item_of(bad, odd_size, "odd thing");
        assert_int_equal(
            append_items(base, base_size, &item, 1, &out, &size, &err),
            ETNA_E_INPUT);
        assert_non_null(strstr(err.text, "\"odd thing\""));
        free(bad);
    }
    item = item_of(lamp, lamp_size, "lamp");
    assert_int_equal(
        append_items((const uint8_t *)"{\"asset\":{\"version\":\"2.0\"}}", 27,
                     &item, 1, &out, &size, &err),
        ETNA_E_INPUT);
    assert_null(out);
    free(lamp);
    free(base);
}

/* A record that does not fit its file takes nothing off. */
static void a_record_that_lies_is_no_record(void **state)
{
    (void)state;
    size_t lamp_size, base_size, size, stripped_size;
    uint8_t *lamp = lamp_glb(&lamp_size), *base = room_glb(&base_size), *out,
            *stripped;
    const append_item item = item_of(lamp, lamp_size, "lamp");
    etna_error err;
    assert_int_equal(append_items(base, base_size, &item, 1, &out, &size, &err),
                     ETNA_OK);
    char *at = memmem(out, size, "\"end\":", 6);
    assert_non_null(at);
    at[6] = '9';
    assert_int_equal(
        append_strip(out, size, false, &stripped, &stripped_size, &err),
        ETNA_E_NOTFOUND);
    at[6] = '6';
    strip_and_compare(out, size, base, base_size);
    at = memmem(out, size, "\"roots\":[3", 10);
    assert_non_null(at);
    at[9] = '1';
    assert_int_equal(
        append_strip(out, size, false, &stripped, &stripped_size, &err),
        ETNA_E_NOTFOUND);
    free(out);
    free(lamp);
    free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_appended_comes_off_without_a_trace),
        cmocka_unit_test(how_a_file_is_read_goes_with_what_was_appended),
        cmocka_unit_test(the_same_asset_comes_in_once_for_all_its_items),
        cmocka_unit_test(an_item_is_true_and_upright_in_any_unit_and_axis),
        cmocka_unit_test(a_dropped_node_leaves_every_list_and_keeps_its_text),
        cmocka_unit_test(what_cannot_come_in_is_said_by_its_name),
        cmocka_unit_test(a_record_that_lies_is_no_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
