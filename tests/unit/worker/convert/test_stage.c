/* A stage: guests wait outside, what goes is gone, and an export gives the
 * first scene's bytes back with what was placed. */
#include "tests/support/gltf_builder.h"
#include "worker/convert/stage.h"
#include "worker/gltf/bundle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct staged {
    uint8_t *file, *bundle, *stage, *lamp;
    size_t file_size, bundle_size, stage_size, lamp_size;
    scene *base, *scene;
} staged;

static uint8_t *lamp_glb(size_t *ret_size)
{
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "pole", v3(0, 0, 0.7), v3(0.1, 0.1, 1.4), 0, GLTF_NONE);
    uint8_t *made = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return made;
}

static uint32_t object_of(const scene *s, const char *name)
{
    uint32_t object = scene_find_object(s, name);
    if (object == SCENE_NONE)
        fail_msg("no %s", name);
    return object;
}

static void stage_build(staged *t, const char *removed)
{
    etna_error err = {0};
    assert_int_equal(bundle_from_glb(t->file, t->file_size, NULL, &t->bundle,
                                     &t->bundle_size, &err),
                     ETNA_OK);
    assert_int_equal(scene_import(t->bundle, t->bundle_size, &t->base, &err),
                     ETNA_OK);
    json_t *told = json_pack("{s:s}", "asset", "0123");
    const stage_guest guest = {.glb = t->lamp,
                               .size = t->lamp_size,
                               .name = "lamp",
                               .unit = 1,
                               .min = {-0.05, 0, -0.05},
                               .max = {0.05, 1.4, 0.05},
                               .told = told,
                               .author = {"Lamp", "Set", "Ann", "CC0"}};
    json_t *edits = json_pack("[{s:s, s:s, s:[s]}]", "kind", "add", "said",
                              "a lamp", "names", "lamp");
    const uint32_t gone = removed ? object_of(t->base, removed) : 0;
    const stage_plan plan = {.guests = &guest,
                             .guest_count = 1,
                             .removed = &gone,
                             .removed_count = removed != NULL,
                             .edits = edits};
    if (stage_make(t->base, t->bundle, t->bundle_size, &plan, &t->stage,
                   &t->stage_size, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    if (scene_import(t->stage, t->stage_size, &t->scene, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    json_decref(edits);
    json_decref(told);
}

static staged stage_new(const char *removed)
{
    staged t = {.lamp = lamp_glb(&t.lamp_size)};
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(5, 4, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "table", v3(0, 0, 0.35), v3(1, 1, 0.7), 0, GLTF_NONE);
    gltf_builder_box(b, "vase", v3(0.2, 0.1, 0.85), v3(0.1, 0.1, 0.3), 0,
                     GLTF_NONE);
    gltf_builder_box(b, "plant", v3(2, 1, 0.2), v3(0.3, 0.3, 0.4), 0,
                     GLTF_NONE);
    t.file = gltf_builder_glb(b, &t.file_size);
    gltf_builder_free(b);
    stage_build(&t, removed);
    return t;
}

static void stage_free(staged *t)
{
    scene_free(t->base);
    scene_free(t->scene);
    free(t->file);
    free(t->bundle);
    free(t->stage);
    free(t->lamp);
}

static void export_to(const staged *t,
                      const snapshot *snap,
                      uint8_t **ret,
                      size_t *ret_size)
{
    etna_error err = {0};
    if (stage_export_glb(t->scene, t->stage, t->stage_size, snap, ret, ret_size,
                         &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

static void guests_wait_outside_and_count_for_nothing(void **state)
{
    (void)state;
    staged t = stage_new(NULL);
    const scene_object *lamp = &t.scene->objects[object_of(t.scene, "lamp")];
    assert_int_equal(t.scene->object_count, t.base->object_count + 1);
    assert_true(lamp->guest && !lamp->is_static && !lamp->stray &&
                lamp->max.z < t.scene->min.z);
    assert_true(t.scene->min.z == t.base->min.z &&
                t.scene->max.x == t.base->max.x);
    assert_non_null(strstr(t.scene->stage, "a lamp"));
    for (uint32_t i = 0; i < t.base->object_count; i++)
        assert_int_equal(t.base->objects[i].is_static,
                         t.scene->objects[i].is_static);
    stage_free(&t);
}

/* A file whose things all hang below one root: beside that root a guest makes
 * no single thing of them. */
static void a_guest_changes_nothing_in_how_the_rest_is_divided(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    gltf_builder_node root = gltf_builder_node_default("world");
    const double scale[3] = {100, 100, 100};
    root.scale = scale;
    const uint32_t world = gltf_builder_add_node(b, &root);
    for (int i = 0; i < 4; i++) {
        gltf_builder_node box = gltf_builder_node_default("box");
        const double at[3] = {2.0 * i, 0, 0};
        box.parent = world;
        box.mesh = gltf_builder_box_mesh(b, v3(1, 1, 1), GLTF_NONE);
        box.translation = at;
        gltf_builder_add_node(b, &box);
    }
    staged t = {.lamp = lamp_glb(&t.lamp_size)};
    t.file = gltf_builder_glb(b, &t.file_size);
    gltf_builder_free(b);
    stage_build(&t, NULL);
    assert_int_equal(t.base->object_count, 4);
    assert_int_equal(t.scene->object_count, 5);
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(t.base->objects[i].name, t.scene->objects[i].name);
    stage_free(&t);
}

static void an_export_without_what_waits_is_the_first_file(void **state)
{
    (void)state;
    staged t = stage_new(NULL);
    snapshot base = {0};
    uint8_t *out = NULL;
    size_t size = 0;
    assert_int_equal(snapshot_base(t.scene, &base, NULL), ETNA_OK);
    export_to(&t, &base, &out, &size);
    assert_int_equal(size, t.file_size);
    assert_memory_equal(out, t.file, size);
    free(out);
    snapshot_free(&base);
    stage_free(&t);
}

static void what_was_placed_is_appended_where_it_stands(void **state)
{
    (void)state;
    staged t = stage_new(NULL);
    snapshot base = {0}, placed = {0};
    uint8_t *out = NULL, *bare = NULL, *bundle = NULL;
    size_t size = 0, bare_size = 0, bundle_size = 0;
    scene *result = NULL;
    assert_int_equal(snapshot_base(t.scene, &base, NULL), ETNA_OK);
    const arrange_pose pose = {.position = {1.5, -1, 0.7}, .yaw = 0.5};
    assert_int_equal(
        snapshot_edit(&base, object_of(t.scene, "lamp"), &pose, &placed, NULL),
        ETNA_OK);
    export_to(&t, &placed, &out, &size);
    assert_int_equal(append_strip(out, size, false, &bare, &bare_size, NULL),
                     ETNA_OK);
    assert_int_equal(bare_size, t.file_size);
    assert_memory_equal(bare, t.file, bare_size);
    assert_int_equal(
        bundle_from_glb(out, size, NULL, &bundle, &bundle_size, NULL), ETNA_OK);
    assert_int_equal(scene_import(bundle, bundle_size, &result, NULL), ETNA_OK);
    const scene_object *lamp = &result->objects[object_of(result, "lamp")];
    assert_true(fabs(lamp->box.centre.x - 1.5) < 1e-6 &&
                fabs(lamp->min.z) < 1e-6 && !lamp->guest);
    assert_null(result->stage);
    assert_null(memmem(out, size, "\"guest\"", 7));
    scene_free(result);
    free(bundle);
    free(out);
    free(bare);
    snapshot_free(&placed);
    snapshot_free(&base);
    stage_free(&t);
}

static void what_goes_leaves_the_lists_and_can_be_held_against_the_first_file(
    void **state)
{
    (void)state;
    staged t = stage_new("plant");
    snapshot base = {0};
    uint8_t *out = NULL, *twin = NULL;
    size_t size = 0, twin_size = 0;
    append_news news = {0};
    etna_error err = {0};
    assert_int_equal(scene_find_object(t.scene, "plant"), SCENE_NONE);
    assert_int_equal(snapshot_base(t.scene, &base, NULL), ETNA_OK);
    export_to(&t, &base, &out, &size);
    assert_non_null(memmem(out, size, "\"etna_removed\":[3]", 18));
    assert_true(append_tells(out, size) && !append_tells(t.file, t.file_size));
    if (append_twin(t.file, t.file_size, out, size, 1, false, &twin, &twin_size,
                    &news, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(json_array_size(news.gone), 1);
    assert_string_equal(json_string_value(json_array_get(news.gone, 0)),
                        "plant");
    assert_int_equal(json_array_size(news.untold), 0);
    assert_int_equal(json_array_size(news.added), 0);
    append_news_free(&news);
    free(twin);
    free(out);
    snapshot_free(&base);
    stage_free(&t);
}

static void what_is_no_thing_of_its_own_cannot_go(void **state)
{
    (void)state;
    staged t = stage_new(NULL);
    etna_error err = {0};
    assert_int_equal(stage_may_remove(t.base, object_of(t.base, "plant"), &err),
                     ETNA_OK);
    assert_int_equal(stage_may_remove(t.base, object_of(t.base, "floor"), &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "\"floor\""));
    stage_free(&t);
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "shelf", v3(0, 0, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    gltf_builder_node book = gltf_builder_node_default("book");
    const double aside[3] = {5, 0, 0};
    book.parent = 0;
    book.mesh = 0;
    book.translation = aside;
    gltf_builder_add_node(b, &book);
    size_t size, bundle_size;
    uint8_t *file = gltf_builder_glb(b, &size), *bundle;
    gltf_builder_free(b);
    scene *s = NULL;
    assert_int_equal(
        bundle_from_glb(file, size, NULL, &bundle, &bundle_size, &err),
        ETNA_OK);
    assert_int_equal(scene_import(bundle, bundle_size, &s, &err), ETNA_OK);
    assert_int_equal(stage_may_remove(s, object_of(s, "book"), &err), ETNA_OK);
    assert_int_equal(stage_may_remove(s, object_of(s, "shelf"), &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "\"book\""));
    scene_free(s);
    free(bundle);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guests_wait_outside_and_count_for_nothing),
        cmocka_unit_test(a_guest_changes_nothing_in_how_the_rest_is_divided),
        cmocka_unit_test(an_export_without_what_waits_is_the_first_file),
        cmocka_unit_test(what_was_placed_is_appended_where_it_stands),
        cmocka_unit_test(
            what_goes_leaves_the_lists_and_can_be_held_against_the_first_file),
        cmocka_unit_test(what_is_no_thing_of_its_own_cannot_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
