/* A glTF file is read as it stands, and one that lies about itself is refused
 * with a word. */
#include "referee/gltf_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
#define TRIANGLE \
    "\"buffers\":[{\"byteLength\":48}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}]," \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
#define ACCESSOR(members) \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\"," members \
    "}]"
#define NODES(list) "\"nodes\":[" list "],"

static char path[] = "/tmp/etna-gltf-XXXXXX";

/* A GLB of this JSON and four corners. */
static bool read_made(const char *json, gltf_scene *ret, char error[static 256])
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9};
    uint32_t length = (uint32_t)strlen(json), size = sizeof corners;
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    const uint32_t head[5] = {0x46546C67, 2, 20 + length + 8 + size, length,
                              0x4E4F534A},
                   bytes[2] = {size, 0x004E4942};
    fwrite(head, 1, sizeof head, out);
    fwrite(json, 1, length, out);
    fwrite(bytes, 1, sizeof bytes, out);
    fwrite(corners, 1, sizeof corners, out);
    assert_int_equal(fclose(out), 0);
    return gltf_scene_read(path, ret, error);
}

static void nodes_stand_where_those_above_put_them(void **state)
{
    (void)state;
    static const char json[] = HEAD TRIANGLE NODES(
        "{\"name\":\"up\",\"translation\":[1,2,3],\"children\":[1]},{\"name\":\"leaf\",\"mesh\":0,"
        "\"translation\":[0,0,1]}") "\"cameras\":[]," ACCESSOR("\"count\":3") "}";
    gltf_scene s;
    char error[256];
    bool several = true;
    if (!read_made(json, &s, error))
        fail_msg("%s", error);
    size_t leaf = gltf_scene_find(&s, "leaf", &several);
    assert_int_equal(leaf, 1);
    assert_false(several);
    assert_true(gltf_scene_is_below(&s, leaf, 0) &&
                !gltf_scene_is_below(&s, 0, leaf));
    point at = s.nodes[leaf].world.t; /* Y up became Z up */
    assert_true(at.x == 1 && at.y == -4 && at.z == 2);
    assert_int_equal(s.meshes[0].corner_count, 3);
    gltf_scene_free(&s);
}

static void a_file_that_lies_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *said;
    } wrong[] = {
        {"[1]", "is no glTF"},
        {"{", "is no glTF"},
        {HEAD TRIANGLE NODES("{\"mesh\":0,\"children\":[0]}")
             ACCESSOR("\"count\":3") "}",
         "are no tree"},
        {HEAD TRIANGLE NODES("{\"children\":[1,1]},{\"mesh\":0}")
             ACCESSOR("\"count\":3") "}",
         "are no tree"},
        {HEAD TRIANGLE NODES("{\"children\":[7]}") ACCESSOR("\"count\":3") "}",
         "are no tree"},
        {HEAD TRIANGLE NODES("{\"children\":[-1]}") ACCESSOR("\"count\":3") "}",
         "are no tree"},
        {HEAD TRIANGLE NODES("{\"children\":[\"1\"]}")
             ACCESSOR("\"count\":3") "}",
         "are no tree"},
        {HEAD TRIANGLE NODES(
             "{\"mesh\":0,\"translation\":[1e308,1e308,1e308],\"scale\":[1e308,1e308,1e308],"
             "\"rotation\":[1e200,1e200,0,1]}") ACCESSOR("\"count\":3") "}",
         "stands nowhere"},
        {HEAD TRIANGLE NODES("{\"mesh\":0}") ACCESSOR("\"count\":5") "}",
         "has no bytes"},
        {HEAD TRIANGLE NODES("{\"mesh\":0}") ACCESSOR("\"count\":19000000") "}",
         "has no bytes"},
        {HEAD TRIANGLE NODES("{\"mesh\":0}")
             ACCESSOR("\"count\":3,\"byteOffset\":9223372036854775807") "}",
         "has no bytes"},
        {HEAD TRIANGLE NODES("{\"mesh\":0}") ACCESSOR("\"count\":0") "}",
         "has no bytes"},
        {HEAD TRIANGLE NODES("{\"mesh\":0}")
             ACCESSOR("\"count\":3,\"sparse\":{}") "}",
         "is not plain"},
        {HEAD
         "\"buffers\":[{\"uri\":\"../secret\"}],\"bufferViews\":[{\"buffer\":0}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]," NODES(
             "{\"mesh\":0}") ACCESSOR("\"count\":3") "}",
         "has no bytes"},
        {HEAD
         "\"meshes\":[{\"primitives\":[{\"extensions\":{\"KHR_draco_mesh_compression\":{}},\"attributes\":{}}]}]," NODES(
             "{\"mesh\":0}") "\"accessors\":[]}",
         "is compressed"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gltf_scene s;
        char error[256];
        if (read_made(wrong[i].json, &s, error))
            fail_msg("%zu is read", i);
        if (!strstr(error, wrong[i].said))
            fail_msg("%zu: \"%s\" is not in: %s", i, wrong[i].said, error);
    }
}

static void a_file_that_is_cut_anywhere_does_no_harm(void **state)
{
    (void)state;
    static const char json[] =
        HEAD TRIANGLE NODES("{\"name\":\"a\",\"mesh\":0}")
            ACCESSOR("\"count\":4") "}";
    gltf_scene s;
    char error[256], bytes[1024];
    assert_true(read_made(json, &s, error));
    gltf_scene_free(&s);
    FILE *in = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    for (size_t cut = 0; cut < size; cut++) {
        FILE *out = fopen(path, "wb");
        fwrite(bytes, 1, cut, out);
        fclose(out);
        assert_false(gltf_scene_read(path, &s, error));
        assert_true(*error);
    }
}

static int file_make(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int file_remove(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_where_those_above_put_them),
        cmocka_unit_test(a_file_that_lies_is_refused),
        cmocka_unit_test(a_file_that_is_cut_anywhere_does_no_harm),
    };
    return cmocka_run_group_tests(tests, file_make, file_remove);
}
