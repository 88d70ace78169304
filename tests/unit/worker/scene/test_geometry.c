/* Every way in which triangles, their attributes and their pictures may be
 * written. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

/* One mesh with `primitive` members over `accessors` and one buffer view a blob
 * of `bin`, 64 bytes each. */
static opened open_mesh(const char *primitives,
                        const char *accessors,
                        const char *more,
                        const void *bin,
                        size_t size)
{
    char json[8192];
    size_t at = (size_t)snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[%s]}],"
        "\"accessors\":[%s],%s\"bufferViews\":[",
        primitives, accessors, more);
    for (size_t i = 0; i < size / 64; i++) {
        at += (size_t)snprintf(
            json + at, sizeof json - at,
            "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":64}",
            i ? "," : "", i * 64);
    }
    snprintf(json + at, sizeof json - at,
             "],\"buffers\":[{\"byteLength\":%zu}]}", size);
    return open_json(json, bin, size);
}

static void assert_triangle(const scene *s,
                            uint32_t mesh,
                            uint32_t triangle,
                            const float *a,
                            const float *b,
                            const float *c)
{
    const float *corners[3] = {a, b, c};
    assert_true(triangle < s->meshes[mesh].triangle_count);
    for (int k = 0; k < 3; k++) {
        const float *p =
            s->meshes[mesh].position +
            3 * (size_t)s->meshes[mesh].index[3 * triangle + (uint32_t)k];
        assert_memory_equal(p, corners[k], 12);
    }
}

static const float FIVE[5][3] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}};

static void test_strips_and_fans_become_triangles(void **state)
{
    (void)state;
    uint8_t bin[64] = {0};
    memcpy(bin, FIVE, sizeof FIVE);
    opened o = open_mesh(
        "{\"attributes\":{\"POSITION\":0},\"mode\":5},{\"attributes\":{\"POSITION\":0},\"mode\":6},"
        "{\"attributes\":{\"POSITION\":0},\"mode\":1},{\"attributes\":{\"POSITION\":0},\"mode\":0}",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}",
        "", bin, sizeof bin);
    assert_int_equal(o.s->mesh_count, 2);
    assert_int_equal(o.s->meshes[0].triangle_count, 3);
    assert_triangle(o.s, 0, 0, FIVE[0], FIVE[1], FIVE[2]);
    assert_triangle(o.s, 0, 1, FIVE[1], FIVE[3], FIVE[2]);
    assert_triangle(o.s, 0, 2, FIVE[2], FIVE[3], FIVE[4]);
    assert_triangle(o.s, 1, 0, FIVE[1], FIVE[2], FIVE[0]);
    assert_triangle(o.s, 1, 2, FIVE[3], FIVE[4], FIVE[0]);
    bool told = false;
    for (uint32_t i = 0; i < o.s->report.line_count; i++) {
        told = told || strstr(o.s->report.lines[i],
                              "2 primitives of points or lines are ignored");
    }
    assert_true(told);
    close_opened(&o);
}

static void test_unused_vertices_are_dropped_and_equal_geometry_is_shared(
    void **state)
{
    (void)state;
    uint8_t bin[128] = {0};
    memcpy(bin, FIVE, sizeof FIVE);
    static const uint8_t index[6] = {1, 2, 4, 4, 2, 1};
    memcpy(bin + 64, index, sizeof index);
    opened o = open_mesh(
        "{\"attributes\":{\"POSITION\":0},\"indices\":1},{\"attributes\":{\"POSITION\":0},\"indices\":1},"
        "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":0},\"indices\":1}",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"},{\"bufferView\":1,"
        "\"componentType\":5121,"
        "\"count\":6,\"type\":\"SCALAR\"}",
        "", bin, sizeof bin);
    assert_int_equal(o.s->mesh_count,
                     /* equal geometry in other colours is another mesh with the
                      * same hash */
                     2);
    assert_int_equal(o.s->part_count, 3);
    assert_same_geometry(&o.s->meshes[0], &o.s->meshes[1]);
    assert_int_equal(o.s->meshes[0].vertex_count, 3);
    assert_triangle(o.s, 0, 0, FIVE[1], FIVE[2], FIVE[4]);
    assert_triangle(o.s, 0, 1, FIVE[4], FIVE[2], FIVE[1]);
    assert_true(o.s->meshes[1].colour[3] == 1 && o.s->meshes[1].colour[0] == 1);
    close_opened(&o);
}

/* Meshes too large to be hashed at a glance, which differ in one number that no
 * glance sees. */
static void
test_meshes_that_look_alike_are_told_apart_and_copies_of_each_are_one(
    void **state)
{
    (void)state;
    enum {
        VERTICES = 3000,
        MESHES = 7
    };
    /* vertex; 0: none */
    static const uint32_t changed[MESHES] = {0, 100, 0, 100, 2200, 100, 2200};
    static const uint32_t expected[MESHES] = {0, 1, 0, 1, 2, 1, 2};
    static float bin[MESHES][VERTICES][3];
    char accessors[1024] = "", views[1024] = "", primitives[1024] = "",
         json[4096];
    for (int i = 0; i < MESHES; i++) {
        for (int v = 0; v < VERTICES; v++) {
            bin[i][v][0] = (float)(v % 3), bin[i][v][1] = (float)(v % 2),
            bin[i][v][2] = (float)v;
        }
        bin[i][changed[i]][0] += changed[i] ? 0.25f : 0;
        const char *comma = i ? "," : "";
        snprintf(
            accessors + strlen(accessors), sizeof accessors - strlen(accessors),
            "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}",
            comma, i, (int)VERTICES);
        snprintf(views + strlen(views), sizeof views - strlen(views),
                 "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                 comma, (size_t)i * sizeof bin[0], sizeof bin[0]);
        snprintf(primitives + strlen(primitives),
                 sizeof primitives - strlen(primitives),
                 "%s{\"attributes\":{\"POSITION\":%d}}", comma, i);
    }
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[%s]}],"
        "\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
        primitives, accessors, views, sizeof bin);
    opened o = open_json(json, bin, sizeof bin);
    assert_int_equal(o.s->mesh_count, 3);
    assert_int_equal(o.s->part_count, MESHES);
    for (int i = 0; i < MESHES; i++) {
        assert_int_equal(o.s->parts[i].mesh, expected[i]);
        assert_memory_equal(o.s->meshes[expected[i]].position, bin[i],
                            sizeof bin[i]);
    }
    close_opened(&o);
}

static void test_every_component_type_is_dequantized(void **state)
{
    (void)state;
    uint8_t bin[320] = {0};
    static const int8_t i8[9] = {127, -127, -128, 0, 64, 0, 0, 0, 1};
    static const uint8_t u8[9] = {255, 0, 51, 0, 255, 0, 0, 0, 255};
    static const int16_t i16[9] = {32767, -32768, 0, 0, 100, 0, 0, 0, 100};
    static const uint16_t u16[9] = {65535, 0, 13107, 0, 1, 0, 0, 0, 1};
    memcpy(bin, i8, sizeof i8);
    memcpy(bin + 64, u8, sizeof u8);
    memcpy(bin + 128, i16, sizeof i16);
    memcpy(bin + 192, u16, sizeof u16);
    static const struct {
        int view, component;
        bool normalized;
        float first[3];
    } cases[] = {
        {0, 5120, true, {1, -1, -1}},  {0, 5120, false, {127, -127, -128}},
        {1, 5121, true, {1, 0, 0.2f}}, {1, 5121, false, {255, 0, 51}},
        {2, 5122, true, {1, -1, 0}},   {2, 5122, false, {32767, -32768, 0}},
        {3, 5123, true, {1, 0, 0.2f}}, {3, 5123, false, {65535, 0, 13107}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char accessor[256];
        snprintf(
            accessor, sizeof accessor,
            "{\"bufferView\":%d,\"componentType\":%d,\"normalized\":%s,\"count\":3,\"type\":\"VEC3\"}",
            cases[i].view, cases[i].component,
            cases[i].normalized ? "true" : "false");
        opened o =
            open_mesh("{\"attributes\":{\"POSITION\":0}}", accessor,
                      "\"extensionsRequired\":[\"KHR_mesh_quantization\"],",
                      bin, sizeof bin);
        assert_memory_equal(o.s->meshes[0].position, cases[i].first, 12);
        close_opened(&o);
    }
}

static void test_strides_and_sparse_substitution(void **state)
{
    (void)state;
    uint8_t bin[192] = {0};
    for (int i = 0; i < 3; i++) {
        memcpy(bin + 4 + 16 * i, FIVE[i], 12);
    }
    static const uint8_t at[1] = {2};
    static const float with[3] = {7, 8, 9};
    memcpy(bin + 64, at, 1);
    memcpy(bin + 128, with, sizeof with);
    char json[2048];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0},{\"mesh\":1}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]},"
        "{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"accessors\":[{\"bufferView\":0,\"byteOffset\":4,"
        "\"componentType\":5126,"
        "\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5121},"
        "\"values\":{\"bufferView\":2}}},"
        "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,"
        "\"componentType\":5121},"
        "\"values\":{\"bufferView\":2}}}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":16},{"
        "\"buffer\":0,\"byteOffset\":64,"
        "\"byteLength\":64},{\"buffer\":0,\"byteOffset\":128,\"byteLength\":64}],\"buffers\":[{\"byteLength\":192}]}");
    opened o = open_json(json, bin, sizeof bin);
    assert_triangle(o.s, 0, 0, FIVE[0], FIVE[1], with);
    /* no bufferView: zeros */
    assert_triangle(o.s, 1, 0, FIVE[0], FIVE[0], with);
    close_opened(&o);
}

static void test_morphs_and_skins_stand_as_the_file_rests(void **state)
{
    (void)state;
    uint8_t bin[320] = {0};
    memcpy(bin, FIVE, sizeof FIVE);
    static const float up[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                       weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0};
    static const uint8_t joints[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    memcpy(bin + 64, up, sizeof up);
    memcpy(bin + 128, weights, sizeof weights);
    memcpy(bin + 192, joints, sizeof joints);
    char json[2048];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":[{\"name\":\"skin\",\"mesh\":"
        "0,\"skin\":0,\"translation\":[9,9,9],"
        "\"weights\":[0.5]},{\"translation\":[10,0,0]},{\"translation\":[20,0,0]}],\"skins\":[{\"joints\":[1,2]}],"
        "\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":2,\"JOINTS_0\":3},\"targets\":[{\"POSITION\":1}]}],"
        "\"weights\":[1]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":1,"
        "\"componentType\":5126,\"count\":3,"
        "\"type\":\"VEC3\"},{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},{"
        "\"bufferView\":3,\"componentType\":5121,"
        "\"count\":3,\"type\":\"VEC4\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":64},{\"buffer\":0,"
        "\"byteOffset\":64,\"byteLength\":64},"
        "{\"buffer\":0,\"byteOffset\":128,\"byteLength\":64},{\"buffer\":0,\"byteOffset\":192,\"byteLength\":64}],"
        "\"buffers\":[{\"byteLength\":320}]}");
    opened o = open_json(json, bin, sizeof bin);
    const scene_part *part = &o.s->parts[0];
    /* file: joint + vertex + half the morph; the node's own translation counts
     * for nothing; world (x, -z, y) */
    assert_true(v3_distance(scene_vertex(o.s, part, 0), v3(10, -0.5, 0)) <
                1e-5);
    assert_true(v3_distance(scene_vertex(o.s, part, 1), v3(11, -0.5, 0)) <
                1e-5);
    assert_true(v3_distance(scene_vertex(o.s, part, 2), v3(15, -0.5, 1)) <
                1e-5);
    assert_true(o.s->objects[0].immovable &&
                strstr(o.s->objects[0].why, "skinned"));
    close_opened(&o);
}

static void test_mirrored_parts_are_marked(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    uint32_t cube = gltf_builder_box_mesh(b, v3(1, 1, 1), GLTF_NONE);
    double scale[3] = {-1, 1, 1};
    gltf_builder_node node = gltf_builder_node_default("plain");
    node.mesh = cube;
    gltf_builder_add_node(b, &node);
    node.name = "mirrored";
    node.scale = scale;
    gltf_builder_add_node(b, &node);
    opened o = open_builder(b);
    assert_false(o.s->parts[0].flipped);
    assert_true(o.s->parts[1].flipped);
    close_opened(&o);
}

/* ---- materials ---- */

/* 2 x 2 PNG: red, green / blue, white. */
static const char PNG_URI[] =
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EAAB/uBfsL2WiLAAAAAElFTkSuQmCC";

static opened open_textured(const char *images,
                            const char *texture,
                            const char *info)
{
    char json[4096];
    uint8_t bin[64] = {0};
    memcpy(bin, FIVE, 36);
    snprintf(
        json, sizeof json,
        "\"materials\":[{\"name\":\"m\",\"doubleSided\":true,\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{"
        "\"baseColorFactor\":"
        "[0.5,0.25,1,0.5],\"baseColorTexture\":{\"index\":0%s}}}],\"textures\":[%s],\"samplers\":[{\"wrapS\":"
        "33071,\"wrapT\":33648}],"
        "\"images\":[%s],",
        info, texture, images);
    return open_mesh(
        "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_1\":1},\"material\":0}",
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":0,"
        "\"componentType\":5126,"
        "\"count\":3,\"type\":\"VEC2\"}",
        json, bin, sizeof bin);
}

static void test_a_picture_its_set_and_its_transform_are_read(void **state)
{
    (void)state;
    char image[512];
    snprintf(image, sizeof image, "{\"uri\":\"%s\"}", PNG_URI);
    opened o = open_textured(
        image, "{\"source\":0,\"sampler\":0}",
        ",\"texCoord\":0,\"extensions\":{\"KHR_texture_transform\":{\"offset\":[10,20],\"scale\":["
        "2,4],\"texCoord\":1}}");
    const scene_material *m = &o.s->materials[0];
    assert_true(m->double_sided && m->blend && m->base_colour[0] == 0.5f &&
                m->base_colour[3] == 0.5f);
    assert_int_equal(m->texture, 0);
    const scene_texture *t = &o.s->textures[0];
    assert_non_null(t->rgba);
    assert_true(t->width == 2 && t->height == 2 && t->wrap_s == 33071 &&
                t->wrap_t == 33648);
    static const uint8_t wanted[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 255};
    assert_memory_equal(t->rgba, wanted, sizeof wanted);
    /* TEXCOORD_1 reads the positions' bytes as (0,0), (0,1), (0,0): offset +
     * scale * uv */
    const float *uv = o.s->meshes[0].uv;
    assert_true(uv[0] == 10 && uv[1] == 20 && uv[2] == 10 && uv[3] == 24);
    close_opened(&o);
}

/* A data: URI of a WebP of the same four texels. */
static void webp_uri(char *ret, size_t room)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const uint8_t texels[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 255};
    uint8_t *data = NULL;
    size_t size = WebPEncodeLosslessRGBA(texels, 2, 2, 8, &data),
           at = (size_t)snprintf(ret, room, "data:image/webp;base64,");
    assert_true(size > 0 && at + size * 4 / 3 + 8 < room);
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16 |
                        (i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0) |
                        (i + 2 < size ? data[i + 2] : 0u);
        for (size_t k = 0; k < 4; k++) {
            ret[at++] = i + k > size ? '=' : digits[bits >> (18 - 6 * k) & 63];
        }
    }
    ret[at] = 0;
    WebPFree(data);
}

static void test_webp_is_read_and_a_fallback_counts_where_a_picture_cannot_be(
    void **state)
{
    (void)state;
    static const struct {
        const char *texture;
        bool shown;
    } cases[] = {
        {"{\"extensions\":{\"EXT_texture_webp\":{\"source\":1}}}", true},
        {"{\"source\":2,\"extensions\":{\"EXT_texture_webp\":{\"source\":1}}}",
         true}, /* its own is lost */
        /* KTX2 */
        {"{\"source\":0,\"extensions\":{\"KHR_texture_basisu\":{\"source\":2}}}",
         true},
        {"{\"extensions\":{\"KHR_texture_basisu\":{\"source\":2},\"EXT_texture_webp\":{\"source\":1}}}",
         true},
        {"{\"source\":3,\"extensions\":{\"KHR_texture_basisu\":{\"source\":2}}}",
         false},
    };
    static const uint8_t wanted[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 255};
    char webp[1024], images[2048];
    webp_uri(webp, sizeof webp);
    snprintf(
        images, sizeof images,
        "{\"uri\":\"%s\"},{\"uri\":\"%s\"},{\"uri\":\"data:image/ktx2;base64,q0tUWCAyMLs=\"},{\"uri\":\"missing.png\"}",
        PNG_URI, webp);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o = open_textured(images, cases[i].texture, "");
        uint32_t told = 0;
        for (uint32_t k = 0; k < o.s->report.warning_count; k++) {
            told += strstr(o.s->report.warnings[k],
                           "1 texture image cannot be read") != NULL;
        }
        assert_int_equal(told, !cases[i].shown);
        assert_int_equal(o.s->texture_count, 1);
        if (cases[i].shown) {
            assert_non_null(o.s->textures[0].rgba);
            assert_memory_equal(o.s->textures[0].rgba, wanted, sizeof wanted);
        } else {
            assert_null(o.s->textures[0].rgba);
        }
        close_opened(&o);
    }
}

static void test_unreadable_pictures_are_one_warning(void **state)
{
    (void)state;
    static const char *const images[] = {
        "{\"uri\":\"missing.png\"}",
        /* truncated */
        "{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAAC\"}",
        "{\"uri\":\"data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==\"}",
        "{\"uri\":\"data:image/webp;base64,UklGRgAAAABXRUJQ\"}",
        "{\"uri\":\"data:image/png;base64,!!!\"}",
        "{\"bufferView\":99}",
        "{}",
    };
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        opened o = open_textured(images[i], "{\"source\":0}", "");
        uint32_t told = 0;
        for (uint32_t k = 0; k < o.s->report.warning_count; k++) {
            told += strstr(o.s->report.warnings[k],
                           "1 texture image cannot be read") != NULL;
        }
        assert_int_equal(told, 1);
        assert_null(o.s->textures[0].rgba);
        close_opened(&o);
    }
    opened o = open_textured(
        "{}", "{\"extensions\":{\"KHR_texture_basisu\":{\"source\":0}}}", "");
    assert_null(o.s->textures[0].rgba);
    close_opened(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips_and_fans_become_triangles),
        cmocka_unit_test(
            test_unused_vertices_are_dropped_and_equal_geometry_is_shared),
        cmocka_unit_test(
            test_meshes_that_look_alike_are_told_apart_and_copies_of_each_are_one),
        cmocka_unit_test(test_every_component_type_is_dequantized),
        cmocka_unit_test(test_strides_and_sparse_substitution),
        cmocka_unit_test(test_morphs_and_skins_stand_as_the_file_rests),
        cmocka_unit_test(test_mirrored_parts_are_marked),
        cmocka_unit_test(test_a_picture_its_set_and_its_transform_are_read),
        cmocka_unit_test(
            test_webp_is_read_and_a_fallback_counts_where_a_picture_cannot_be),
        cmocka_unit_test(test_unreadable_pictures_are_one_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
