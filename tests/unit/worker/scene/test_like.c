/* An edited copy is divided, named and held static as its original was,
 * whatever the rules would say of it afresh. */
#include "help.h"
#include "worker/scene/side.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* A wrapper with three things apart, and one more. With `gap` under 1 cm the
 * three would be one object. */
static uint8_t *things(double gap, const char *last, size_t *size)
{
    gltf_builder *b = gltf_builder_new();
    gltf_builder_node group = gltf_builder_node_default("crates"),
                      thing = gltf_builder_node_default("thing");
    uint32_t cube = gltf_builder_box_mesh(b, v3(0.2, 0.2, 0.2), GLTF_NONE);
    thing.parent = gltf_builder_add_node(b, &group);
    thing.mesh = cube;
    for (int i = 0; i < 3; i++) {
        double at[3] = {i * (0.2 + gap), 0, 0};
        thing.translation = at;
        gltf_builder_add_node(b, &thing);
    }
    gltf_builder_box(b, last, v3(0, 3, 0), v3(0.5, 0.5, 0.5), 0, GLTF_NONE);
    uint8_t *glb = gltf_builder_glb(b, size);
    gltf_builder_free(b);
    return glb;
}

static etna_code import_like(const uint8_t *glb,
                             size_t size,
                             const scene *like,
                             scene **ret,
                             etna_error *err)
{
    uint8_t *bundle;
    size_t bundle_size;
    assert_int_equal(
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, err), ETNA_OK);
    etna_code code = scene_import_like(bundle, bundle_size, like, ret, err);
    free(bundle);
    return code;
}

static void test_the_division_of_the_original_holds(void **state)
{
    (void)state;
    size_t size;
    scene *s = NULL;
    etna_error err = {0};
    uint8_t *glb = things(0.5, "lamp", &size);
    opened o = open_glb(glb, size);
    free(glb);
    assert_int_equal(o.s->object_count, 4);
    scene_set_static_by_cut(o.s, 3);
    glb = things(0.001, "lamp", &size);
    opened afresh = open_glb(glb, size);
    assert_int_equal(afresh.s->object_count, 2);
    assert_int_equal(import_like(glb, size, o.s, &s, &err), ETNA_OK);
    assert_int_equal(s->object_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(s->objects[i].name, o.s->objects[i].name);
        assert_int_equal(s->objects[i].is_static, o.s->objects[i].is_static);
    }
    assert_true(s->objects[3].static_by_cut);
    assert_true(fabs(s->objects[1].box.centre.x - 0.201) < 1e-6);
    close_opened(&o);
    /* its own, not the original's memory */
    assert_string_equal(s->objects[2].name, "thing.3");
    scene_free(s);
    close_opened(&afresh);
    free(glb);
}

static void test_another_scene_is_refused(void **state)
{
    (void)state;
    size_t size;
    scene *s = NULL;
    etna_error err = {0};
    uint8_t *glb = things(0.5, "lamp", &size);
    opened o = open_glb(glb, size);
    free(glb);
    glb = things(0.5, "vase", &size);
    assert_int_equal(import_like(glb, size, o.s, &s, &err), ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "vase"));
    free(glb);
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "lamp", v3(0, 3, 0), v3(0.5, 0.5, 0.5), 0, GLTF_NONE);
    glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    assert_int_equal(import_like(glb, size, o.s, &s, &err), ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "1 and 5 nodes"));
    assert_null(s);
    free(glb);
    close_opened(&o);
}

/* Only the original's side file tells its unit and its up axis: the copy is a
 * file of the same numbers, without one. */
static void test_a_copy_has_the_unit_and_the_up_axis_of_its_original(
    void **state)
{
    (void)state;
    static const char side[] = "{\"unit\": 0.01, \"up\": \"Z\"}";
    size_t size, bundle_size;
    scene *s = NULL, *copy = NULL;
    etna_error err = {0};
    uint8_t *bundle;
    uint8_t *glb = things(0.5, "lamp", &size);
    assert_int_equal(
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, &err), ETNA_OK);
    assert_int_equal(scene_import_with_side(bundle, bundle_size, side,
                                            sizeof side - 1, &s, &err),
                     ETNA_OK);
    assert_int_equal(import_like(glb, size, s, &copy, &err), ETNA_OK);
    assert_true(copy->metres_per_unit == 0.01);
    assert_int_equal(copy->up, 'Z');
    for (uint32_t i = 0; i < s->object_count; i++) {
        assert_box(&copy->objects[i].box, &s->objects[i].box, 1e-9);
    }
    scene_free(copy);
    scene_free(s);
    free(bundle);
    free(glb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_division_of_the_original_holds),
        cmocka_unit_test(test_another_scene_is_refused),
        cmocka_unit_test(
            test_a_copy_has_the_unit_and_the_up_axis_of_its_original),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
