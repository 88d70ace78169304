/* What glTF can say beside nodes and triangles: lights, masks, glow, several
 * texture sets, sparse and quantized numbers. */
#include "help.h"

#include "proto/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

static opened lit(const char *lights, const char *use)
{
    char root[1024], extra[256];
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "table", v3(0, 0, 0.4), v3(1, 0.6, 0.8), 0, GLTF_NONE);
    const double at[3] = {1, 2, 3}, two[3] = {2, 2, 2};
    gltf_builder_node node = gltf_builder_node_default("bulb");
    snprintf(extra, sizeof extra,
             "\"extensions\":{\"KHR_lights_punctual\":{\"light\":%s}}", use);
    node.translation = at;
    node.scale = two;
    node.extra = extra;
    gltf_builder_add_node(b, &node);
    snprintf(root, sizeof root,
             "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":%s}}",
             lights);
    gltf_builder_root_members(b, root);
    return open_builder(b);
}

static void test_lights_stand_and_shine_where_the_file_says(void **state)
{
    (void)state;
    opened o = lit(
        "[{\"type\":\"spot\",\"color\":[1,0.5,0],\"intensity\":40,\"range\":7,\"spot\":{\"innerConeAngle\":0.5,"
        "\"outerConeAngle\":1}}]",
        "0");
    const scene_light *l = o.s->lights;
    assert_int_equal(o.s->light_count, 1);
    assert_string_equal(l->name, "bulb");
    assert_int_equal(l->kind, LIGHT_SPOT);
    /* file (1, 2, 3) */
    assert_true(v3_distance(l->position, v3(1, -3, 2)) < 1e-9);
    assert_true(v3_distance(l->direction, v3(0, 1, 0)) <
                1e-9); /* file -Z; its node's scale does not stretch it */
    assert_true(l->colour[1] == 0.5 && l->intensity == 40 && near(l->range, 7));
    assert_true(near(l->inner_cos, 0.8775825618903728) &&
                near(l->outer_cos, 0.5403023058681398));
    close_opened(&o);
    o = lit("[{\"type\":\"directional\"},{\"type\":\"point\"}]", "1");
    assert_true(o.s->lights->kind == LIGHT_POINT &&
                o.s->lights->intensity == 1 && o.s->lights->range == 0);
    close_opened(&o);
}

static void test_faults_of_lights_are_said(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{\"lights\":[{\"type\":\"area\"}]}", "directional, point or spot"},
        {"{\"lights\":[]}", "\"light\""},
        {"{\"lights\":[{\"type\":\"spot\",\"spot\":{\"innerConeAngle\":1,\"outerConeAngle\":0.5}}]}",
         "cone"},
        {"{\"lights\":[{\"type\":\"point\",\"color\":[1,1]}]}", "\"color\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char root[512];
        size_t size;
        gltf_builder *b = gltf_builder_new();
        gltf_builder_box(b, "table", v3(0, 0, 0.4), v3(1, 0.6, 0.8), 0,
                         GLTF_NONE);
        gltf_builder_node node = gltf_builder_node_default("bulb");
        node.extra = "\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}";
        gltf_builder_add_node(b, &node);
        snprintf(root, sizeof root,
                 "\"extensions\":{\"KHR_lights_punctual\":%s}", bad[i][0]);
        gltf_builder_root_members(b, root);
        uint8_t *glb = gltf_builder_glb(b, &size);
        gltf_builder_free(b);
        const char *text = refusal(glb, size, ETNA_E_INPUT);
        if (!strstr(text, bad[i][1])) {
            fail_msg("\"%s\" does not say \"%s\"", text, bad[i][1]);
        }
        free(glb);
    }
}

/* A triangle whose material, second texture set, and positions are as the
 * members say. */
static opened triangle(const char *material, const char *position)
{
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                       first[6] = {0, 0, 0, 0, 0, 0},
                       second[6] = {0, 0, 1, 0, 0, 1};
    static const int8_t small[12] = {0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0};
    static const uint16_t sparse_index[2] = {1, 0};
    static const float sparse_value[3] = {5, 0, 0};
    uint8_t bin[36 + 24 + 24 + 12 + 4 + 12];
    char json[3000];
    memcpy(bin, corners, 36);
    memcpy(bin + 36, first, 24);
    memcpy(bin + 60, second, 24);
    memcpy(bin + 84, small, 12);
    memcpy(bin + 96, sparse_index, 4);
    memcpy(bin + 100, sparse_value, 12);
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"t\",\"mesh\":0,"
        "\"scale\":[-1,2,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1,\"TEXCOORD_1\":2},"
        "\"material\":0}]}],"
        "\"materials\":[%s],\"textures\":[{}],\"buffers\":[{\"byteLength\":112}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":24},{"
        "\"buffer\":0,\"byteOffset\":60,"
        "\"byteLength\":24},{\"buffer\":0,\"byteOffset\":84,\"byteLength\":12,\"byteStride\":4},{\"buffer\":0,"
        "\"byteOffset\":96,\"byteLength\":4},"
        "{\"buffer\":0,\"byteOffset\":100,\"byteLength\":12}],"
        "\"accessors\":[%s,{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}]}",
        material, position);
    return open_json(json, bin, sizeof bin);
}

#define PLAIN \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"

static void test_masks_and_glow_are_the_materials(void **state)
{
    (void)state;
    opened o = triangle(
        "{\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,\"emissiveFactor\":[1,0.5,0],"
        "\"extensions\":{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":4}}}",
        PLAIN);
    const scene_material *m = &o.s->materials[o.s->parts[0].material];
    assert_true(m->alpha_cutoff == 0.25f && !m->blend && m->emissive[0] == 4 &&
                m->emissive[1] == 2 && m->emissive[2] == 0);
    close_opened(&o);
    o = triangle("{\"alphaMode\":\"MASK\"}", PLAIN);
    assert_true(o.s->materials[0].alpha_cutoff == 0.5f);
    close_opened(&o);
    /* opaque: a cutoff says nothing */
    o = triangle("{\"alphaCutoff\":0.3}", PLAIN);
    assert_true(o.s->materials[0].alpha_cutoff == 0 &&
                o.s->materials[0].emissive[0] == 0);
    close_opened(&o);
}

static void test_gloss_is_the_materials_and_within_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        float metallic, roughness, clearcoat, transmission;
    } cases[] = {
        {"{\"pbrMetallicRoughness\":{\"metallicFactor\":0.5,\"roughnessFactor\":0.25}}",
         0.5f, 0.25f, 0, 0},
        {"{\"pbrMetallicRoughness\":{}}", 1, 1, 0, 0},
        {"{}", 0, 1, 0, 0}, /* no look at all: dull */
        {"{\"pbrMetallicRoughness\":{\"metallicFactor\":-3,\"roughnessFactor\":1e300}}",
         0, 1, 0, 0},
        {"{\"pbrMetallicRoughness\":{\"metallicFactor\":\"x\",\"roughnessFactor\":[]}}",
         1, 1, 0, 0},
        {"{\"pbrMetallicRoughness\":{\"roughnessFactor\":0},\"extensions\":{\"KHR_materials_unlit\":{}}}",
         0, 1, 0, 0},
        {"{\"extensions\":{\"KHR_materials_transmission\":{\"transmissionFactor\":0.75},"
         "\"KHR_materials_clearcoat\":{\"clearcoatFactor\":0.5}}}",
         0, 1, 0.5f, 0.75f},
        {"{\"extensions\":{\"KHR_materials_transmission\":7,\"KHR_materials_clearcoat\":{\"clearcoatFactor\":{}}}}",
         0, 1, 0, 0},
        /* a picture that cannot be read says nothing of metal */
        {"{\"pbrMetallicRoughness\":{\"roughnessFactor\":0.5,\"metallicRoughnessTexture\":{\"index\":0}}}",
         0, 0.3f, 0, 0},
        {"{\"pbrMetallicRoughness\":{\"metallicRoughnessTexture\":{\"index\":99}}}",
         1, 1, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o = triangle(cases[i].json, PLAIN);
        const scene_material *m = &o.s->materials[0];
        assert_float_equal(m->metallic, cases[i].metallic, 1e-6);
        assert_float_equal(m->roughness, cases[i].roughness, 1e-6);
        assert_float_equal(m->clearcoat, cases[i].clearcoat, 1e-6);
        assert_float_equal(m->transmission, cases[i].transmission, 1e-6);
        assert_int_equal(scene_material_is_clear(m), m->transmission > 0.5f);
        close_opened(&o);
    }
}

/* Two boxes of a triangle each, node 1 below node 0; what "scenes" says; names
 * in Latin-1. */
static opened roots(const char *scenes)
{
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    char json[2000];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":%s}],"
        "\"nodes\":[{\"name\":\"T\xfcr\",\"mesh\":0,\"children\":[1,2],\"translation\":[5,0,0]},"
        "{\"name\":\"T\xf6r\",\"mesh\":0},{\"name\":\"T\xf6r\",\"mesh\":0,\"translation\":[0,9,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"buffers\":[{\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"accessors\":[" PLAIN "]}",
        scenes);
    return open_json(json, corners, sizeof corners);
}

static bool warns(const scene *s, const char *words)
{
    for (uint32_t i = 0; i < s->report.warning_count; i++) {
        if (strstr(s->report.warnings[i], words)) {
            return true;
        }
    }
    return false;
}

static void test_a_root_below_another_node_is_read_from_the_top(void **state)
{
    (void)state;
    static const char *const below[] = {"[1]", "[1,2]", "[2,0]", "[1,1,2,0]"};
    opened plain = roots("[0]");
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        opened o = roots(below[i]);
        assert_int_equal(o.s->object_count, plain.s->object_count);
        assert_int_equal(o.s->part_count, plain.s->part_count);
        assert_true(warns(o.s, "below another node"));
        close_opened(&o);
    }
    assert_false(warns(plain.s, "below another node"));
    close_opened(&plain);
}

static void test_names_that_are_not_utf8_are_repaired_and_differ(void **state)
{
    (void)state;
    opened o = roots("[0]"), again = roots("[0]");
    assert_true(warns(o.s, "UTF-8"));
    for (uint32_t i = 0; i < o.s->object_count; i++) {
        const char *name = o.s->objects[i].name;
        assert_true(etna_utf8_valid(name, strlen(name)));
        assert_string_equal(name, again.s->objects[i].name);
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(name, o.s->objects[k].name);
        }
    }
    assert_string_equal(o.s->objects[0].name, "T\xc3\xbcr");
    close_opened(&o);
    close_opened(&again);
}

#define GLOWS(set) \
    "\"emissiveFactor\":[1,1,1],\"emissiveTexture\":{\"index\":0,\"texCoord\":" set \
    "}"

static void test_the_texture_of_glow_is_read_where_the_base_colours_is(
    void **state)
{
    (void)state;
    /* alone: the mesh keeps its places */
    opened o = triangle("{" GLOWS("1") "}", PLAIN);
    assert_true(o.s->materials[0].texture == SCENE_NONE &&
                o.s->materials[0].emissive_texture == 0);
    assert_true(o.s->materials[0].emissive[0] == 1 && o.s->meshes[0].uv &&
                o.s->texture_count == 1);
    close_opened(&o);
    o = triangle(
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}," GLOWS(
            "0") "}",
        PLAIN);
    assert_true(o.s->materials[0].texture == 0 &&
                o.s->materials[0].emissive_texture == 0);
    close_opened(&o);
    o = triangle(
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}," GLOWS(
            "1") "}",
        PLAIN);
    assert_true(o.s->materials[0].emissive_texture == SCENE_NONE &&
                o.s->materials[0].emissive[0] == 0);
    close_opened(&o);
    /* no factor: nothing to read */
    o = triangle("{\"emissiveTexture\":{\"index\":0}}", PLAIN);
    assert_true(o.s->materials[0].emissive_texture == SCENE_NONE &&
                o.s->texture_count == 0);
    close_opened(&o);
}

static void test_the_texture_set_and_its_transform_are_the_materials(
    void **state)
{
    (void)state;
    opened o = triangle(
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"texCoord\":0,\"extensions\":{"
        "\"KHR_texture_transform\":"
        "{\"texCoord\":1,\"offset\":[0.5,0.25],\"scale\":[2,3]}}}}}",
        PLAIN);
    const float *uv = o.s->meshes[0].uv;
    assert_non_null(uv);
    assert_true(near((double)uv[0], 0.5) && near((double)uv[1], 0.25) &&
                near((double)uv[2], 2.5) && near((double)uv[5], 3.25));
    close_opened(&o);
}

static void test_quantized_sparse_mirrored_and_unevenly_scaled_positions(
    void **state)
{
    (void)state;
    opened o = triangle(
        "{}",
        "{\"bufferView\":3,\"componentType\":5120,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"}");
    assert_true(o.s->parts[0].flipped); /* scale -1, 2, 1 */
    assert_true(near(o.s->objects[0].min.x, -1) &&
                near(o.s->objects[0].max.x, 0) &&
                near(o.s->objects[0].max.z, 2));
    close_opened(&o);
    o = triangle(
        "{}",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":"
        "{\"bufferView\":4,\"componentType\":5123},\"values\":{\"bufferView\":5}}}");
    assert_true(near(o.s->objects[0].min.x, -5)); /* corner 1 is (5, 0, 0) */
    close_opened(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lights_stand_and_shine_where_the_file_says),
        cmocka_unit_test(test_faults_of_lights_are_said),
        cmocka_unit_test(test_masks_and_glow_are_the_materials),
        cmocka_unit_test(test_gloss_is_the_materials_and_within_bounds),
        cmocka_unit_test(test_a_root_below_another_node_is_read_from_the_top),
        cmocka_unit_test(test_names_that_are_not_utf8_are_repaired_and_differ),
        cmocka_unit_test(
            test_the_texture_of_glow_is_read_where_the_base_colours_is),
        cmocka_unit_test(
            test_the_texture_set_and_its_transform_are_the_materials),
        cmocka_unit_test(
            test_quantized_sparse_mirrored_and_unevenly_scaled_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
