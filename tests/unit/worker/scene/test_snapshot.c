/* Snapshots: canonical, small, and distrustful of what they are decoded
 * from. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static opened three_boxes(void)
{
    gltf_builder *b = gltf_builder_new();
    for (int i = 0; i < 3; i++) {
        gltf_builder_box(b, "box", v3(i, 0, 0.5), v3(0.5, 0.5, 1), 10,
                         GLTF_NONE);
    }
    return open_builder(b);
}

static void test_an_edit_comes_back_bit_for_bit_and_keeps_its_parent(
    void **state)
{
    (void)state;
    opened o = three_boxes();
    snapshot base, one, two, back;
    uint8_t *data;
    size_t size, base_size;
    etna_hash base_hash, one_hash, two_hash, again;
    arrange_pose pose = {.position = {0.1, -0.0, 1.0 / 3}, .yaw = -2.5};
    assert_int_equal(snapshot_base(o.s, &base, NULL), ETNA_OK);
    assert_int_equal(
        snapshot_encode(&base, &data, &base_size, &base_hash, NULL), ETNA_OK);
    free(data);
    assert_int_equal(snapshot_edit(&base, 2, &pose, &one, NULL), ETNA_OK);
    assert_true(etna_hash_equal(&one.parent, &base_hash));
    assert_int_equal(snapshot_encode(&one, &data, &size, &one_hash, NULL),
                     ETNA_OK);
    free(data);
    assert_int_equal(size, base_size + 37);
    assert_int_equal(snapshot_edit(&one, 0, &pose, &two, NULL), ETNA_OK);
    assert_true(etna_hash_equal(&two.parent, &one_hash));
    two.attached[0] = true; /* as the caller does where a contact fastened it */
    assert_int_equal(snapshot_encode(&two, &data, &size, &two_hash, NULL),
                     ETNA_OK);
    assert_int_equal(snapshot_decode(o.s, data, size, &back, NULL), ETNA_OK);
    assert_memory_equal(back.poses, two.poses, 3 * sizeof *back.poses);
    assert_memory_equal(back.moved, two.moved, 3);
    assert_memory_equal(back.attached, two.attached, 3);
    arrange_pose still = scene_base_pose(&o.s->objects[1]);
    assert_memory_equal(&back.poses[1], &still, sizeof still);
    free(data);
    assert_int_equal(snapshot_encode(&back, &data, &size, &again, NULL),
                     ETNA_OK);
    assert_true(etna_hash_equal(&again, &two_hash));
    free(data);
    snapshot_free(&base);
    snapshot_free(&one);
    snapshot_free(&two);
    snapshot_free(&back);
    close_opened(&o);
}

static void
test_a_scene_imported_to_be_looked_at_is_the_same_but_has_no_snapshots(
    void **state)
{
    (void)state;
    opened o = three_boxes();
    etna_error err = {0};
    scene *looked;
    snapshot base, none;
    uint8_t *glb;
    size_t size;
    assert_int_equal(
        scene_import_to_look(o.bundle, o.size, NULL, &looked, NULL), ETNA_OK);
    assert_true(etna_hash_is_zero(&looked->hash) &&
                !etna_hash_is_zero(&o.s->hash));
    assert_int_equal(looked->object_count, o.s->object_count);
    for (uint32_t i = 0; i < o.s->object_count; i++) {
        assert_string_equal(looked->objects[i].name, o.s->objects[i].name);
        assert_memory_equal(&looked->objects[i].box, &o.s->objects[i].box,
                            sizeof(scene_box));
    }
    assert_int_equal(snapshot_base(o.s, &base, NULL), ETNA_OK);
    assert_int_equal(snapshot_base(looked, &none, &err), ETNA_E_INTERNAL);
    assert_int_equal(
        scene_export_glb(looked, o.bundle, o.size, &base, &glb, &size, &err),
        ETNA_E_INTERNAL);
    snapshot_free(&base);
    scene_free(looked);
    close_opened(&o);
}

static void test_an_edit_of_nothing_or_to_nowhere_is_refused(void **state)
{
    (void)state;
    opened o = three_boxes();
    snapshot base, out = {.object_count = 77};
    arrange_pose pose = {.position = {0, 0, 0}};
    assert_int_equal(snapshot_base(o.s, &base, NULL), ETNA_OK);
    assert_int_equal(snapshot_edit(&base, 3, &pose, &out, NULL),
                     ETNA_E_INTERNAL);
    pose.yaw = NAN;
    assert_int_equal(snapshot_edit(&base, 0, &pose, &out, NULL),
                     ETNA_E_INTERNAL);
    assert_int_equal(out.object_count, 77);
    snapshot_free(&base);
    close_opened(&o);
}

static void test_malformed_bytes_and_other_scenes_are_refused(void **state)
{
    (void)state;
    opened o = three_boxes();
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "box", v3(0, 0, 0.5), v3(0.5, 0.5, 1), 10, GLTF_NONE);
    opened other = open_builder(b);
    snapshot base, one, back;
    uint8_t *data;
    size_t size;
    arrange_pose pose = {.position = {1, 2, 3}};
    assert_int_equal(snapshot_base(o.s, &base, NULL), ETNA_OK);
    assert_int_equal(snapshot_edit(&base, 1, &pose, &one, NULL), ETNA_OK);
    assert_int_equal(snapshot_encode(&one, &data, &size, NULL, NULL), ETNA_OK);
    for (size_t n = 0; n < size; n++) {
        assert_int_equal(snapshot_decode(o.s, data, n, &back, NULL),
                         ETNA_E_MESSAGE);
    }
    assert_int_equal(snapshot_decode(other.s, data, size, &back, NULL),
                     ETNA_E_MESSAGE);
    data[size - 37] = 3; /* the moved object's index */
    assert_int_equal(snapshot_decode(o.s, data, size, &back, NULL),
                     ETNA_E_MESSAGE);
    data[size - 37] = 1;
    data[size - 1] = 2; /* neither attached nor not */
    assert_int_equal(snapshot_decode(o.s, data, size, &back, NULL),
                     ETNA_E_MESSAGE);
    data[size - 1] = 0;
    data[size - 2] = 0x7f; /* its yaw becomes infinite */
    data[size - 3] = 0xf0;
    assert_int_equal(snapshot_decode(o.s, data, size, &back, NULL),
                     ETNA_E_MESSAGE);
    free(data);
    snapshot_free(&base);
    snapshot_free(&one);
    close_opened(&o);
    close_opened(&other);
}

static void test_scenes_are_counted_references(void **state)
{
    (void)state;
    opened o = three_boxes();
    scene *again = scene_ref(o.s);
    scene_free(again);
    assert_int_equal(o.s->object_count, 3);
    close_opened(&o);
    scene_free(NULL);
    assert_null(scene_ref(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_an_edit_comes_back_bit_for_bit_and_keeps_its_parent),
        cmocka_unit_test(
            test_a_scene_imported_to_be_looked_at_is_the_same_but_has_no_snapshots),
        cmocka_unit_test(test_an_edit_of_nothing_or_to_nowhere_is_refused),
        cmocka_unit_test(test_malformed_bytes_and_other_scenes_are_refused),
        cmocka_unit_test(test_scenes_are_counted_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
