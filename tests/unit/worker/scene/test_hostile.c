/* Bad input gets one clear line that names what is wrong, and nothing is read
 * past its end, whatever a file claims. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint8_t *box_glb(size_t *size)
{
    gltf_builder *b = gltf_builder_new();
    gltf_builder_box(b, "box", v3(0, 0, 0.5), v3(1, 1, 1), 0, GLTF_NONE);
    uint8_t *glb = gltf_builder_glb(b, size);
    gltf_builder_free(b);
    return glb;
}

#define ASSERT_SAYS(text, part) \
    do { \
        const char *said_ = (text); \
        if (!strstr(said_, part)) \
            fail_msg("\"%s\" does not say \"%s\"", said_, part); \
    } while (0)

/* One triangle: accessor 0 its positions, 1 its indices. */
static const float TRIANGLE[9] = {0, 0, 0, 1, 0, 0, 0, 0, -1};
typedef struct triangle_bin {
    float position[9];
    uint32_t index[3];
} triangle_bin;

static const char *one_triangle(const char *accessors,
                                const char *nodes,
                                const char *views,
                                etna_code code)
{
    char json[8192];
    triangle_bin bin = {{0}, {0, 1, 2}};
    memcpy(bin.position, TRIANGLE, sizeof TRIANGLE);
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":%s,\"meshes\":[{\"primitives\":[{"
        "\"attributes\":"
        "{\"POSITION\":0},\"indices\":1}]}],\"accessors\":%s,\"bufferViews\":%s,\"buffers\":[{\"byteLength\":48}]}",
        nodes ? nodes : "[{\"mesh\":0}]",
        accessors
            ? accessors
            : "[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":1,"
              "\"componentType\":5125,"
              "\"count\":3,\"type\":\"SCALAR\"}]",
        views
            ? views
            : "[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12}]");
    if (code == ETNA_OK) {
        opened o = open_json(json, &bin, sizeof bin);
        close_opened(&o);
        return "";
    }
    return refusal_json(json, &bin, sizeof bin, code);
}

static void test_every_truncation_is_refused(void **state)
{
    (void)state;
    size_t size;
    uint8_t *glb = box_glb(&size);
    for (size_t n = 0; n < size; n++) {
        uint8_t *cut = malloc(n + 1);
        memcpy(cut, glb, n);
        refusal(cut, n, ETNA_E_INPUT);
        free(cut);
    }
    free(glb);
}

static void test_wrong_magic_version_and_chunks_are_refused(void **state)
{
    (void)state;
    size_t size;
    uint8_t *glb = box_glb(&size);
    ASSERT_SAYS(
        refusal((const uint8_t *)"PK\3\4 something else", 20, ETNA_E_INPUT),
        "wrong magic");
    ASSERT_SAYS(refusal((const uint8_t *)"", 0, ETNA_E_INPUT), "empty");
    glb[4] = 1;
    ASSERT_SAYS(refusal(glb, size, ETNA_E_INPUT), "version 1");
    glb[4] = 2;
    glb[8] += 4; /* the header claims more than there is */
    ASSERT_SAYS(refusal(glb, size, ETNA_E_INPUT), "truncated");
    glb[8] -= 4;
    glb[15] = 0x7f; /* the JSON chunk reaches over the BIN chunk and the end */
    ASSERT_SAYS(refusal(glb, size, ETNA_E_INPUT), "chunk 0");
    glb[15] = 0;
    glb[16] = 'X';
    ASSERT_SAYS(refusal(glb, size, ETNA_E_INPUT), "not JSON");
    free(glb);
}

static void test_numbers_out_of_range_name_the_accessor(void **state)
{
    (void)state;
    static const char *const index =
        ",{\"bufferView\":1,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"}]";
    char accessors[1024];
    one_triangle(NULL, NULL, NULL, ETNA_OK);
    snprintf(
        accessors, sizeof accessors,
        "[{\"name\":\"far\",\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_INPUT),
                "accessor 0 (\"far\")");
    snprintf(
        accessors, sizeof accessors,
        "[{\"bufferView\":0,\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC3\"}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_LIMIT),
                "1000000000");
    snprintf(
        accessors, sizeof accessors,
        "[{\"bufferView\":0,\"componentType\":5126,\"count\":-3,\"type\":\"VEC3\"}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_INPUT), "count");
    snprintf(
        accessors, sizeof accessors,
        "[{\"componentType\":5126,\"count\":100000000,\"type\":\"VEC3\"}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_LIMIT),
                "no bufferView");
    snprintf(
        accessors, sizeof accessors,
        "[{\"bufferView\":0,\"byteOffset\":18446744073709551615,\"componentType\":5126,\"count\":3,\"type\":"
        "\"VEC3\"}%s",
        index);
    one_triangle(accessors, NULL, NULL, ETNA_E_INPUT);
    snprintf(
        accessors, sizeof accessors,
        "[{\"bufferView\":0,\"byteOffset\":9223372036854775807,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_INPUT),
                "accessor 0");
    snprintf(
        accessors, sizeof accessors,
        "[{\"name\":\"p\",\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"max\":[1e39,0,0]}%s",
        index);
    ASSERT_SAYS(one_triangle(accessors, NULL, NULL, ETNA_E_INPUT),
                "accessor 0 (\"p\"): \"max\"[0] is beyond single precision");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"translation\":[0,1e39,0]}]",
                             NULL, ETNA_E_INPUT),
                "node 0");
    ASSERT_SAYS(
        one_triangle(NULL,
                     "[{\"mesh\":0,\"name\":\"far\",\"scale\":[1e10,1,1]}]",
                     NULL, ETNA_E_INPUT),
        "\"far\" reaches beyond 1e9 m");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"translation\":[0,1e999,0]}]",
                             NULL, ETNA_E_INPUT),
                "JSON");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"translation\":[0,NaN,0]}]",
                             NULL, ETNA_E_INPUT),
                "JSON");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":7}]", NULL, ETNA_E_INPUT),
                "\"mesh\" is 7, but there are only 1");
    ASSERT_SAYS(
        one_triangle(
            NULL, NULL,
            "[{\"buffer\":0,\"byteLength\":4000000000},{\"buffer\":0,\"byteLength\":12}]",
            ETNA_E_INPUT),
        "bufferView 0");
    ASSERT_SAYS(
        one_triangle(
            NULL, NULL,
            "[{\"buffer\":3,\"byteLength\":36},{\"buffer\":0,\"byteLength\":12}]",
            ETNA_E_INPUT),
        "bufferView 0");
    ASSERT_SAYS(
        one_triangle(
            NULL, NULL,
            "[{\"buffer\":0,\"byteLength\":36,\"byteStride\":4},{\"buffer\":0,\"byteLength\":12}]",
            ETNA_E_INPUT),
        "byteStride");
}

/* Scaled back by its node or not: trees for rays are built in the mesh's own
 * frame. */
static void test_a_mesh_beyond_reason_is_refused(void **state)
{
    (void)state;
    triangle_bin bin = {{0, 0, 0, 1e13f, 0, 0, 0, 0, -1e13f}, {0, 1, 2}};
    const char *text = refusal_json(
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,"
        "\"scale\":[1e-13,1e-13,1e-13]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":48}]}",
        &bin, sizeof bin, ETNA_E_INPUT);
    ASSERT_SAYS(
        text, "mesh 0 (\"\") primitive 0: POSITION reaches beyond 1e12 units");
}

static void test_numbers_that_are_none_name_the_accessor(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        gltf_builder *b = gltf_builder_new();
        float position[9];
        const uint32_t index[3] = {0, 1, 2};
        size_t size;
        memcpy(position, TRIANGLE, sizeof position);
        position[4] = bad[i];
        gltf_builder_node node = gltf_builder_node_default("broken");
        node.mesh =
            gltf_builder_mesh(b, "broken", position, 3, index, 3, GLTF_NONE);
        gltf_builder_add_node(b, &node);
        uint8_t *glb = gltf_builder_glb(b, &size);
        ASSERT_SAYS(refusal(glb, size, ETNA_E_INPUT),
                    "accessor 0: element 1 holds a number that is not finite");
        free(glb);
        gltf_builder_free(b);
    }
}

static void test_indices_beyond_the_vertices_are_refused(void **state)
{
    (void)state;
    gltf_builder *b = gltf_builder_new();
    const uint32_t index[3] = {0, 1, 3};
    size_t size;
    gltf_builder_node node = gltf_builder_node_default("broken");
    node.mesh = gltf_builder_mesh(b, "tri", TRIANGLE, 3, index, 3, GLTF_NONE);
    gltf_builder_add_node(b, &node);
    uint8_t *glb = gltf_builder_glb(b, &size);
    ASSERT_SAYS(
        refusal(glb, size, ETNA_E_INPUT),
        "mesh 0 (\"tri\") primitive 0: index 2 names vertex 3, but there are 3");
    free(glb);
    gltf_builder_free(b);
}

static void test_node_graphs_that_are_no_trees_are_refused(void **state)
{
    (void)state;
    ASSERT_SAYS(
        one_triangle(NULL,
                     "[{\"mesh\":0},{\"children\":[2]},{\"children\":[1]}]",
                     NULL, ETNA_E_INPUT),
        "cycle");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"children\":[0]}]", NULL,
                             ETNA_E_INPUT),
                "cycle");
    ASSERT_SAYS(
        one_triangle(NULL,
                     "[{\"children\":[1,2]},{\"children\":[2]},{\"mesh\":0}]",
                     NULL, ETNA_E_INPUT),
        "one parent");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"children\":[9]}]", NULL,
                             ETNA_E_INPUT),
                "child 0");
    ASSERT_SAYS(one_triangle(NULL, "[{\"mesh\":0,\"children\":[0.5]}]", NULL,
                             ETNA_E_INPUT),
                "child 0");
    ASSERT_SAYS(one_triangle(NULL, "[{}]", NULL, ETNA_E_INPUT), "no mesh");
}

static void test_a_chain_of_100000_nodes_is_a_limit_not_a_crash(void **state)
{
    (void)state;
    size_t room = 100000 * 32, at = 0;
    char *json = malloc(room + 400);
    at += (size_t)sprintf(json, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 1; i < 100000; i++) {
        at += (size_t)sprintf(json + at, "{\"children\":[%d]},", i);
    }
    sprintf(json + at, "{}]}");
    ASSERT_SAYS(refusal_json(json, NULL, 0, ETNA_E_LIMIT), "deeper");
    free(json);
}

static void test_json_100000_deep_is_refused_before_parsing(void **state)
{
    (void)state;
    size_t deep = 100000;
    char *json = malloc(2 * deep + 100);
    size_t at =
        (size_t)sprintf(json, "{\"asset\":{\"version\":\"2.0\"},\"extras\":");
    memset(json + at, '[', deep);
    memset(json + at + deep, ']', deep);
    strcpy(json + at + 2 * deep, "}");
    ASSERT_SAYS(refusal_json(json, NULL, 0, ETNA_E_LIMIT),
                "nested deeper than 256");
    free(json);
}

static void test_json_faults_are_named_by_place(void **state)
{
    (void)state;
    ASSERT_SAYS(refusal_json("{\"asset\":{\"version\":\"2.0\"},", NULL, 0,
                             ETNA_E_INPUT),
                "line 1");
    ASSERT_SAYS(
        refusal_json(
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\xff\xfe}]}",
            NULL, 0, ETNA_E_INPUT),
        /* no text: bytes that are no UTF-8 are repaired in names alone */
        "line 1");
    ASSERT_SAYS(refusal_json("{\"asset\":{\"version\":\"1.0\"}}", NULL, 0,
                             ETNA_E_INPUT),
                "version \"1.0\"");
    ASSERT_SAYS(refusal_json("{\"asset\":{\"version\":\"2.0\"},\"nodes\":7}",
                             NULL, 0, ETNA_E_INPUT),
                "\"nodes\" is not a list");
    ASSERT_SAYS(refusal_json("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[7]}",
                             NULL, 0, ETNA_E_INPUT),
                "nodes 0");
    ASSERT_SAYS(refusal_json("{\"asset\":{\"version\":\"2.0\"}}", NULL, 0,
                             ETNA_E_INPUT),
                "no mesh with triangles");
}

static void test_unknown_needs_are_refused_by_name(void **state)
{
    (void)state;
    const char *text = refusal_json(
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"VENDOR_secret_geometry\"]}",
        NULL, 0, ETNA_E_INPUT);
    ASSERT_SAYS(text, "VENDOR_secret_geometry");
    ASSERT_SAYS(text, "export the scene without it");
}

/* ---- files ---- */

static etna_code read_with_buffer(const char *folder,
                                  const char *uri,
                                  etna_error *err)
{
    char json[1024], path[512];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
        "\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":["
        "{\"buffer\":0,"
        "\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}",
        uri);
    folder_put(folder, "scene.gltf", json, strlen(json));
    snprintf(path, sizeof path, "%s/scene.gltf", folder);
    opened o;
    if (!open_path(path, &o, err)) {
        return err->code;
    }
    close_opened(&o);
    return ETNA_OK;
}

static void test_only_files_beneath_the_folder_are_read(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE], inner[64], path[128];
    etna_error err = {0};
    folder_make(folder);
    snprintf(inner, sizeof inner, "%s/in", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    folder_put(folder, "outside.bin", TRIANGLE, sizeof TRIANGLE);
    folder_put(inner, "a b.bin", TRIANGLE, sizeof TRIANGLE);
    snprintf(path, sizeof path, "%s/link.bin", inner);
    assert_int_equal(symlink("../outside.bin", path), 0);
    assert_int_equal(read_with_buffer(inner, "a%20b.bin", &err), ETNA_OK);
    assert_int_equal(read_with_buffer(inner, "./a%20b.bin", &err), ETNA_OK);
    assert_int_equal(read_with_buffer(inner, "../outside.bin", &err),
                     ETNA_E_INPUT);
    ASSERT_SAYS(err.text, "outside the scene's folder");
    assert_int_equal(read_with_buffer(inner, "%2e%2e/outside.bin", &err),
                     ETNA_E_INPUT);
    ASSERT_SAYS(err.text, "outside the scene's folder");
    assert_int_equal(read_with_buffer(inner, "link.bin", &err), ETNA_E_INPUT);
    ASSERT_SAYS(err.text, "outside the scene's folder");
    static const char *const refused[] = {"/etc/passwd",
                                          "file:///etc/passwd",
                                          "http://host/a.bin",
                                          "%2fetc/passwd",
                                          "a%00b",
                                          "missing.bin",
                                          "."};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(read_with_buffer(inner, refused[i], &err),
                         ETNA_E_INPUT);
        assert_non_null(strstr(err.text, "buffer 0"));
    }
    folder_put(inner, "short.bin", TRIANGLE, 35);
    assert_int_equal(read_with_buffer(inner, "short.bin", &err), ETNA_E_INPUT);
    ASSERT_SAYS(err.text, "says 36 bytes, but there are 35");
    folder_remove(folder);
}

/* A picture is not needed: whatever its name is, the scene is read, with a
 * warning, and nothing outside is opened. */
static void test_a_picture_that_is_not_to_be_had_is_a_warning(void **state)
{
    (void)state;
    static const char *const names[] = {
        "../textures/a.png", "http://host/a.png", "/etc/passwd", "a%00b",
        "missing.png",       "link.png",          "broken.png",  "."};
    char folder[FOLDER_SIZE], path[128], json[2000];
    folder_make(folder);
    snprintf(path, sizeof path, "%s/link.png", folder);
    assert_int_equal(symlink("/etc/hostname", path), 0);
    folder_put(folder, "broken.png", "\x89PNG\r\n\x1a\n", 8);
    folder_put(folder, "t.bin", TRIANGLE, sizeof TRIANGLE);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        etna_error err = {0};
        opened o;
        snprintf(
            json, sizeof json,
            "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
            "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1],\"baseColorTexture\":{\"index\":0}}}],"
            "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"%s\"}],"
            "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"t.bin\"}]}",
            names[i]);
        folder_put(folder, "scene.gltf", json, strlen(json));
        snprintf(path, sizeof path, "%s/scene.gltf", folder);
        if (!open_path(path, &o, &err)) {
            fail_msg("%s: %s", names[i], err.text);
        }
        assert_true(o.s->materials[0].base_colour[0] > 0.9f &&
                    o.s->report.warning_count > 0);
        assert_true(o.s->texture_count == 0 || !o.s->textures[0].rgba);
        close_opened(&o);
    }
    folder_remove(folder);
}

static void test_what_is_no_file_is_refused(void **state)
{
    (void)state;
    etna_error err = {0};
    opened o;
    assert_false(open_path("/nonexistent/scene.glb", &o, &err));
    ASSERT_SAYS(err.text, "No such file");
    assert_int_equal(err.code, ETNA_E_INPUT);
    assert_false(open_path("/tmp", &o, &err));
    assert_int_equal(err.code, ETNA_E_INPUT);
    assert_string_equal(err.text, "/tmp: is a folder; give a file in it");
    assert_false(open_path("/dev/zero", &o, &err));
    ASSERT_SAYS(err.text, "not a regular file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_wrong_magic_version_and_chunks_are_refused),
        cmocka_unit_test(test_numbers_out_of_range_name_the_accessor),
        cmocka_unit_test(test_a_mesh_beyond_reason_is_refused),
        cmocka_unit_test(test_numbers_that_are_none_name_the_accessor),
        cmocka_unit_test(test_indices_beyond_the_vertices_are_refused),
        cmocka_unit_test(test_node_graphs_that_are_no_trees_are_refused),
        cmocka_unit_test(test_a_chain_of_100000_nodes_is_a_limit_not_a_crash),
        cmocka_unit_test(test_json_100000_deep_is_refused_before_parsing),
        cmocka_unit_test(test_json_faults_are_named_by_place),
        cmocka_unit_test(test_unknown_needs_are_refused_by_name),
        cmocka_unit_test(test_only_files_beneath_the_folder_are_read),
        cmocka_unit_test(test_a_picture_that_is_not_to_be_had_is_a_warning),
        cmocka_unit_test(test_what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
