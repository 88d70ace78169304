/* Compressed geometry: what Draco and meshopt hold is what the file would have
 * held, exactly where nothing was quantised; an export keeps the compressed
 * bytes; and a file that lies about its counts or is damaged is refused in one
 * line. */
#include "help.h"
#include "tests/support/press.h"
#include "worker/gltf/unpack_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASSERT_SAYS(text, words) \
    do { \
        if (!strstr((text), (words))) { \
            fail_msg("\"%s\" does not say \"%s\"", (text), (words)); \
        } \
    } while (0)

/* A floor, three boxes, and a hill of a grid with odd numbers, so that nothing
 * is symmetric by chance. */
static uint8_t *room(size_t *ret_size)
{
    enum {
        SIDE = 9
    };
    float at[3 * SIDE * SIDE];
    uint32_t index[6 * (SIDE - 1) * (SIDE - 1)], n = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        at[3 * i] = (float)(i % SIDE) * 0.1f;
        at[3 * i + 1] = (float)((i * 37) % 11) * 0.013f;
        at[3 * i + 2] = (float)i / SIDE * 0.1f;
    }
    for (uint32_t y = 0; y + 1 < SIDE; y++) {
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t v = y * SIDE + x,
                     quad[6] = {v,     v + SIDE, v + 1,
                                v + 1, v + SIDE, v + SIDE + 1};
            memcpy(index + n, quad, sizeof quad);
            n += 6;
        }
    }
    gltf_builder *b = gltf_builder_new();
    uint32_t red = gltf_builder_material(b, "red", 1, 0, 0);
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(4, 4, 0.1), 0, red);
    gltf_builder_box(b, "table", v3(0, 0, 0.4), v3(1, 0.6, 0.8), 30, red);
    gltf_builder_box(b, "cup", v3(0.1, 0, 0.9), v3(0.1, 0.1, 0.2), 15, red);
    gltf_builder_node hill = gltf_builder_node_default("hill");
    const double away[3] = {-1.7, 0.3, 0.9};
    hill.translation = away;
    hill.mesh = gltf_builder_mesh(b, "hill", at, SIDE * SIDE, index, n, red);
    gltf_builder_add_node(b, &hill);
    uint8_t *glb = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return glb;
}

static void assert_same_things(const opened *a,
                               const opened *b,
                               double tolerance)
{
    assert_int_equal(a->s->object_count, b->s->object_count);
    for (uint32_t i = 0; i < a->s->object_count; i++) {
        assert_string_equal(a->s->objects[i].name, b->s->objects[i].name);
        assert_int_equal(a->s->objects[i].triangle_count,
                         b->s->objects[i].triangle_count);
        assert_int_equal(a->s->objects[i].is_static,
                         b->s->objects[i].is_static);
        assert_true(v3_distance(a->s->objects[i].min, b->s->objects[i].min) <=
                    tolerance);
        assert_true(v3_distance(a->s->objects[i].max, b->s->objects[i].max) <=
                    tolerance);
    }
}

static void test_meshopt_gives_the_very_numbers_back(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const press_options options = {.triangles = k == 1, .apart = k == 2};
        size_t size, packed_size;
        uint8_t *glb = room(&size),
                *packed = press_meshopt(glb, size, &options, &packed_size);
        opened plain = open_glb(glb, size),
               decoded = open_glb(packed, packed_size);
        assert_same_things(&plain, &decoded, 0);
        assert_int_equal(plain.s->mesh_count, decoded.s->mesh_count);
        for (uint32_t i = 0; k != 1 && i < plain.s->mesh_count;
             i++) { /* TRIANGLES may begin each with another corner */
            assert_same_geometry(&plain.s->meshes[i], &decoded.s->meshes[i]);
        }
        close_opened(&plain);
        close_opened(&decoded);
        free(packed);
        free(glb);
    }
}

static void test_draco_gives_the_same_triangles_within_its_quantisation(
    void **state)
{
    (void)state;
    static const press_options options[] = {{.sequential = 1},
                                            {.bits = 0},
                                            {.bits = 14},
                                            {.bits = 11, .sequential = 1}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        size_t size, packed_size;
        uint8_t *glb = room(&size),
                *packed = press_draco(glb, size, &options[k], &packed_size);
        opened plain = open_glb(glb, size),
               decoded = open_glb(packed, packed_size);
        assert_same_things(&plain, &decoded,
                           options[k].bits ? 8.0 / (1 << options[k].bits) : 0);
        for (uint32_t i = 0; k == 0 && i < plain.s->mesh_count; i++) {
            assert_same_geometry(&plain.s->meshes[i], &decoded.s->meshes[i]);
            assert_memory_equal(
                plain.s->meshes[i].normal ? plain.s->meshes[i].normal
                                          : plain.s->meshes[i].position,
                decoded.s->meshes[i].normal ? decoded.s->meshes[i].normal
                                            : decoded.s->meshes[i].position,
                plain.s->meshes[i].vertex_count * 12);
        }
        close_opened(&plain);
        close_opened(&decoded);
        free(packed);
        free(glb);
    }
}

/* Two sheets of one shape, the second's triangles in the opposite order. */
static uint8_t *two_sheets(size_t *ret_size)
{
    enum {
        SIDE = 4,
        COUNT = 6 * (SIDE - 1) * (SIDE - 1)
    };
    float at[3 * SIDE * SIDE];
    uint32_t index[2][COUNT], n = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        at[3 * i] = (float)(i % SIDE) * 0.1f;
        at[3 * i + 1] = (float)(i / SIDE) * 0.1f;
        at[3 * i + 2] = (float)((i * 37) % 11) * 0.013f;
    }
    for (uint32_t v = 0; v + SIDE < SIDE * SIDE; v++) {
        uint32_t quad[6] = {v, v + 1, v + SIDE, v + 1, v + SIDE + 1, v + SIDE};
        if (v % SIDE + 1 == SIDE)
            continue;
        memcpy(index[0] + n, quad, sizeof quad);
        n += 6;
    }
    for (uint32_t t = 0; t < COUNT / 3; t++)
        memcpy(index[1] + 3 * t, index[0] + COUNT - 3 - 3 * t,
               3 * sizeof(uint32_t));
    gltf_builder *b = gltf_builder_new();
    uint32_t red = gltf_builder_material(b, "red", 1, 0, 0);
    for (int k = 0; k < 2; k++) {
        gltf_builder_node sheet =
            gltf_builder_node_default(k ? "second" : "first");
        const double away[3] = {k, 0, 0};
        sheet.translation = away;
        sheet.mesh = gltf_builder_mesh(b, "sheet", at, SIDE * SIDE, index[k],
                                       COUNT, red);
        gltf_builder_add_node(b, &sheet);
    }
    uint8_t *glb = gltf_builder_glb(b, ret_size);
    gltf_builder_free(b);
    return glb;
}

static void test_an_accessor_that_draco_fills_twice_has_two_contents(
    void **state)
{
    (void)state;
    const press_options options = {.sequential = 1};
    const char first[] = "\"indices\":5", second[] = "\"indices\":7";
    size_t size, packed_size;
    uint8_t *glb = two_sheets(&size),
            *packed = press_draco(glb, size, &options, &packed_size);
    uint8_t *at = memmem(packed, packed_size, second, strlen(second));
    assert_non_null(memmem(packed, packed_size, first, strlen(first)));
    assert_non_null(at);
    memcpy(at, first, strlen(first));
    opened plain = open_glb(glb, size), decoded = open_glb(packed, packed_size);
    assert_same_things(&plain, &decoded, 0);
    assert_int_equal(plain.s->mesh_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_same_geometry(&plain.s->meshes[i], &decoded.s->meshes[i]);
    close_opened(&plain);
    close_opened(&decoded);
    free(packed);
    free(glb);
}

static void test_decoding_twice_gives_the_same_bytes(void **state)
{
    (void)state;
    const press_options options = {.bits = 12};
    size_t size, packed_size, bundle_size, first_size, second_size;
    uint8_t *glb = room(&size),
            *packed = press_draco(glb, size, &options, &packed_size), *bundle,
            *first, *second;
    etna_error err = {0};
    assert_int_equal(
        bundle_from_glb(packed, packed_size, NULL, &bundle, &bundle_size, &err),
        ETNA_OK);
    assert_true(unpack_wanted(bundle, bundle_size));
    assert_int_equal(
        unpack_parts(bundle, bundle_size, &first, &first_size, &err), ETNA_OK);
    assert_int_equal(
        unpack_parts(bundle, bundle_size, &second, &second_size, &err),
        ETNA_OK);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
    free(bundle);
    assert_int_equal(
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, &err), ETNA_OK);
    assert_false(unpack_wanted(bundle, bundle_size));
    free(bundle);
    free(packed);
    free(glb);
}

/* Apart from the moved node's numbers, the file is what it was. */
static void test_an_export_keeps_what_is_compressed(void **state)
{
    (void)state;
    const press_options options = {.bits = 14};
    for (int k = 0; k < 2; k++) {
        size_t size, packed_size, out_size;
        uint8_t *glb = room(&size);
        uint8_t *packed = k ? press_meshopt(glb, size, &options, &packed_size)
                            : press_draco(glb, size, &options, &packed_size);
        opened o = open_glb(packed, packed_size);
        uint8_t *out = export_moved(&o, "cup", v3(0.05, 0.02, 0), 0, &out_size);
        uint32_t json, out_json, bin, out_bin;
        memcpy(&json, packed + 12, 4);
        memcpy(&out_json, out + 12, 4);
        memcpy(&bin, packed + 20 + json, 4);
        memcpy(&out_bin, out + 20 + out_json, 4);
        assert_int_equal(bin, out_bin);
        assert_memory_equal(packed + 20 + json, out + 20 + out_json, bin + 8);
        opened again = open_glb(out, out_size);
        for (uint32_t i = 0; i < o.s->object_count; i++) {
            scene_box wanted = o.s->objects[i].box;
            wanted.centre = strcmp(o.s->objects[i].name, "cup")
                                ? wanted.centre
                                : v3_add(wanted.centre, v3(0.05, 0.02, 0));
            assert_box(&again.s->objects[i].box, &wanted, 1e-7);
        }
        close_opened(&again);
        close_opened(&o);
        free(out);
        free(packed);
        free(glb);
    }
}

/* A .gltf with its chunk beside it becomes a GLB: the placeholder stays behind
 * the chunk, the views follow. */
static void test_a_gltf_with_meshopt_is_packed(void **state)
{
    (void)state;
    const press_options options = {.bits = 0};
    char folder[FOLDER_SIZE], path[128];
    size_t size, packed_size, out_size;
    etna_error err = {0};
    folder_make(folder);
    for (int k = 0; k < 2; k++) { /* with the placeholder last, and first */
        uint8_t *glb = room(&size),
                *packed = press_meshopt(glb, size, &options, &packed_size);
        uint32_t json_size, bin_size;
        memcpy(&json_size, packed + 12, 4);
        memcpy(&bin_size, packed + 20 + json_size, 4);
        json_t *root =
                   json_loadb((const char *)packed + 20, json_size, 0, NULL),
               *view;
        json_t *buffers = json_object_get(root, "buffers");
        size_t i;
        assert_int_equal(json_object_set_new(json_array_get(buffers, 0), "uri",
                                             json_string("room.bin")),
                         0);
        if (k == 1) {
            json_t *first = json_incref(json_array_get(buffers, 0));
            json_array_remove(buffers, 0);
            json_array_append_new(buffers, first);
            json_array_foreach(json_object_get(root, "bufferViews"), i, view)
            {
                json_t *ext =
                    json_object_get(json_object_get(view, "extensions"),
                                    "EXT_meshopt_compression");
                json_object_set_new(
                    view, "buffer",
                    json_integer(1 - json_integer_value(
                                         json_object_get(view, "buffer"))));
                if (ext)
                    json_object_set_new(ext, "buffer", json_integer(1));
            }
        }
        folder_put(folder, "room.bin", packed + 28 + json_size, bin_size);
        snprintf(path, sizeof path, "%s/room.gltf", folder);
        assert_int_equal(json_dump_file(root, path, 0), 0);
        opened plain = open_glb(glb, size), o;
        if (!open_path(path, &o, &err)) {
            fail_msg("%s", err.text);
        }
        assert_same_things(&plain, &o, 0);
        uint8_t *out = export_moved(&o, "cup", v3(0, 0, 0), 0, &out_size);
        opened again = open_glb(out, out_size);
        assert_same_things(&plain, &again, 0);
        close_opened(&again);
        close_opened(&o);
        close_opened(&plain);
        json_decref(root);
        free(out);
        free(packed);
        free(glb);
    }
    folder_remove(folder);
}

/* ---- faults ---- */

/* The compressed room with its JSON changed: `old` becomes `new` (of the same
 * length) wherever it stands. */
static uint8_t *changed(int draco,
                        const char *old,
                        const char *new,
                        size_t *ret_size)
{
    const press_options options = {.bits = 12};
    size_t size, found = 0;
    uint8_t *glb = room(&size);
    uint8_t *packed = draco ? press_draco(glb, size, &options, ret_size)
                            : press_meshopt(glb, size, &options, ret_size);
    assert_int_equal(strlen(old), strlen(new));
    for (uint8_t *at = packed;
         (at = memmem(at, *ret_size - (size_t)(at - packed), old, strlen(old)));
         found++) {
        memcpy(at, new, strlen(new));
    }
    assert_true(found > 0);
    free(glb);
    return packed;
}

static void test_what_is_not_read_is_said_with_the_way_out(void **state)
{
    (void)state;
    static const struct {
        int draco;
        const char *old, *new, *says;
    } cases[] = {
        {0, "\"mode\":\"ATTRIBUTES\"", "\"mode\":\"attributes\"",
         "gltf-transform copy"},
        {0, "\"byteStride\":12", "\"byteStride\":16", "more than the view's"},
        {0, "\"byteStride\":12", "\"byteStride\":13",
         "no ATTRIBUTES of meshopt"},
        {0, "\"count\":24,\"mode\"", "\"count\":99,\"mode\"",
         "more than the view's"},
        {0, "\"EXT_meshopt_compression\":{\"buffer\":0",
         "\"EXT_meshopt_compression\":{\"buffer\":1", "in no buffer"},
        {1, "\"NORMAL\":1}", "\"NORMAL\":7}", "cannot be decoded"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        uint8_t *glb =
            changed(cases[i].draco, cases[i].old, cases[i].new, &size);
        const char *text = refusal(glb, size, ETNA_E_INPUT);
        ASSERT_SAYS(text, cases[i].says);
        free(glb);
    }
}

static void test_counts_that_lie_are_refused_before_anything_is_decoded(
    void **state)
{
    (void)state;
    const press_options options = {.bits = 12};
    size_t size, packed_size;
    uint8_t *glb = room(&size),
            *packed = press_draco(glb, size, &options, &packed_size);
    uint8_t *at = memmem(packed, packed_size, "DRACO", 5);
    uint64_t triangles, vertices;
    assert_non_null(at);
    assert_true(draco_claims(at, 100, &triangles, &vertices));
    assert_int_equal(triangles, 12);
    assert_in_range(vertices, 8, 24);
    static const uint8_t millions[] = {0x7f, 0xff, 0xff, 0xff,
                                       /* 127 vertices, then 268 million
                                        * triangles */
                                       0x7f};
    memcpy(at + 12, millions, sizeof millions);
    ASSERT_SAYS(refusal(packed, packed_size, ETNA_E_INPUT),
                /* more symbols than data: it is damaged, too */
                "no Draco mesh");
    static const uint8_t more[] = {0x7f, 0xff, 0x7f, 1, 1, 1, 1, 1};
    memcpy(at + 12, more, sizeof more);
    ASSERT_SAYS(refusal(packed, packed_size, ETNA_E_INPUT),
                "its Draco data says 16383 triangles and 127 vertices");
    free(packed);
    packed = changed(1, "\"count\":36,", "\"count\":33,", &packed_size);
    ASSERT_SAYS(refusal(packed, packed_size, ETNA_E_INPUT),
                "its Draco data says 12 triangles and");
    free(packed);
    packed = changed(1, "\"count\":36,", "\"count\":37,", &packed_size);
    ASSERT_SAYS(refusal(packed, packed_size, ETNA_E_INPUT),
                "does not hold the indices of triangles");
    free(packed);
    free(glb);
}

static void test_claims_are_read_within_the_data(void **state)
{
    (void)state;
    static const uint8_t sequential[] = {'D', 'R', 'A', 'C', 'O',  2, 2,
                                         1,   0,   0,   0,   0x85, 1, 7},
                         old[] = {'D', 'R', 'A', 'C', 'O', 1, 1, 1, 0, 0,
                                  0,   5,   1,   0,   0,   7, 0, 0, 0},
                         edges[] = {'D', 'R', 'A', 'C', 'O', 2, 2,  1, 1,
                                    0,   0,   0,   9,   12,  1, 11, 2},
                         meta[] = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, 0, 0,
                                   0x80, /* one attribute, 3, of one entry */
                                   /* and one element below it */
                                   1, 3, 1, 1, 'k', 2, 8, 9, 1,
                                   /* which is empty */
                                   2, 's', 's', 0, 0, 0, 0, 4, 6};
    const struct {
        const uint8_t *data;
        size_t size;
        uint64_t triangles, vertices;
    } cases[] = {{sequential, sizeof sequential, 133, 7},
                 {old, sizeof old, 261, 7},
                 {edges, sizeof edges, 12, 9},
                 {meta, sizeof meta, 4, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t triangles = 0, vertices = 0;
        assert_true(
            draco_claims(cases[i].data, cases[i].size, &triangles, &vertices));
        assert_int_equal(triangles, cases[i].triangles);
        assert_int_equal(vertices, cases[i].vertices);
        for (size_t n = 0; n < cases[i].size; n++) {
            assert_false(draco_claims(cases[i].data, n, &triangles, &vertices));
        }
    }
    static const uint8_t splits[] = {'D', 'R', 'A', 'C', 'O', 2, 2,  1, 1,
                                     0,   0,   0,   9,   12,  1, 13, 2},
                         cloud[] = {'D', 'R', 'A', 'C', 'O', 2, 2,
                                    0,   0,   0,   0,   5,   5},
                         newer[] = {'D', 'R', 'A', 'C', 'O', 2, 3,
                                    1,   0,   0,   0,   5,   5};
    uint64_t triangles, vertices;
    assert_false(draco_claims(splits, sizeof splits, &triangles,
                              &vertices)); /* more symbols than triangles */
    assert_false(draco_claims(cloud, sizeof cloud, &triangles, &vertices));
    assert_false(draco_claims(newer, sizeof newer, &triangles, &vertices));
}

static void test_damaged_data_is_refused_in_one_line(void **state)
{
    (void)state;
    const press_options options = {.bits = 12};
    for (int k = 0; k < 2; k++) {
        size_t size, packed_size;
        uint8_t *glb = room(&size);
        uint8_t *packed = k ? press_meshopt(glb, size, &options, &packed_size)
                            : press_draco(glb, size, &options, &packed_size);
        uint32_t json;
        memcpy(&json, packed + 12, 4);
        memset(packed + 28 + json + size / 2, 0,
               packed_size - 28 - json - size / 2);
        uint8_t *at = k ? NULL : memmem(packed, packed_size, "DRACO", 5);
        if (at)
            memset(at + 40, 0xff, 40);
        const char *text = refusal(packed, packed_size, ETNA_E_INPUT);
        assert_null(strchr(text, '\n'));
        ASSERT_SAYS(text, k ? "bufferView" : "Draco");
        free(packed);
        free(glb);
    }
}

static void test_a_bundle_that_was_not_decoded_says_so(void **state)
{
    (void)state;
    const press_options options = {.bits = 12};
    for (int k = 0; k < 2; k++) {
        size_t size, packed_size, bundle_size;
        uint8_t *glb = room(&size), *bundle;
        uint8_t *packed = k ? press_meshopt(glb, size, &options, &packed_size)
                            : press_draco(glb, size, &options, &packed_size);
        scene *s = NULL;
        etna_error err = {0};
        assert_int_equal(bundle_from_glb(packed, packed_size, NULL, &bundle,
                                         &bundle_size, &err),
                         ETNA_OK);
        assert_int_equal(scene_import(bundle, bundle_size, &s, &err),
                         ETNA_E_INPUT);
        assert_null(s);
        ASSERT_SAYS(err.text, k ? "meshopt" : "KHR_draco_mesh_compression");
        ASSERT_SAYS(err.text, "gltf-transform copy");
        free(bundle);
        free(packed);
        free(glb);
    }
}

/* ---- filters ---- */

static void test_filters_are_undone_as_the_extension_says(void **state)
{
    (void)state;
    enum {
        N = 64
    };
    float vectors[4 * N], turns[4 * N];
    for (int i = 0; i < N; i++) {
        double v[4] = {(i * 7 % 13) - 6.0, (i * 5 % 11) - 5.0,
                       (i * 3 % 7) - 3.1, (i % 5) - 2.0},
               a = 0, b = 0;
        for (int k = 0; k < 4; k++) {
            a += k < 3 ? v[k] * v[k] : 0;
            b += v[k] * v[k];
        }
        for (int k = 0; k < 4; k++) {
            vectors[4 * i + k] = k < 3 ? (float)(v[k] / sqrt(a)) : 0;
            turns[4 * i + k] = (float)(v[k] / sqrt(b));
        }
    }
    int8_t narrow[4 * N];
    int16_t wide[4 * N], quaternion[4 * N];
    float exponential[4 * N];
    meshopt_encodeFilterOct(narrow, N, 4, 8, vectors);
    meshopt_encodeFilterOct(wide, N, 8, 12, vectors);
    meshopt_encodeFilterQuat(quaternion, N, 8, 12, turns);
    meshopt_encodeFilterExp(exponential, N, 16, 15, vectors);
    const struct {
        meshopt_filter filter;
        size_t stride;
        void *data;
        double tolerance;
    } cases[] = {{MESHOPT_OCTAHEDRAL, 4, narrow, 0.02},
                 {MESHOPT_OCTAHEDRAL, 8, wide, 0.002},
                 {MESHOPT_QUATERNION, 8, quaternion, 0.002},
                 {MESHOPT_EXPONENTIAL, 16, exponential, 0.0002}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint8_t coded[16 * N + 2048], out[16 * N];
        size_t size = meshopt_encodeVertexBuffer(
            coded, sizeof coded, cases[c].data, N, cases[c].stride);
        assert_true(size > 0);
        assert_true(meshopt_take(MESHOPT_ATTRIBUTES, cases[c].filter,
                                 cases[c].stride, N, coded, size, out));
        for (int i = 0; i < N; i++) {
            double dot = 0, got[4];
            for (int k = 0; k < 4; k++) {
                int16_t w;
                float f;
                memcpy(&w, out + (size_t)i * 8 + 2 * (size_t)k, 2);
                memcpy(&f, out + (size_t)i * 16 + 4 * (size_t)k, 4);
                got[k] = c == 0   ? (int8_t)out[4 * i + k] / 127.0
                         : c == 3 ? (double)f
                                  : w / 32767.0;
                dot += got[k] * (double)turns[4 * i + k];
            }
            /* a rotation and its negative are the same */
            for (int k = 0; k < 4; k++) {
                double wanted =
                    c == 2 ? (double)turns[4 * i + k] * (dot < 0 ? -1 : 1)
                           : (double)vectors[4 * i + k];
                assert_true((k == 3 && c < 2) ||
                            fabs(got[k] - wanted) < cases[c].tolerance);
            }
        }
    }
}

static void test_filters_take_any_bytes(void **state)
{
    (void)state;
    uint8_t raw[4096], coded[8192], out[4096];
    uint32_t seed = 9;
    for (size_t i = 0; i < sizeof raw; i++) {
        seed = seed * 1664525 + 1013904223;
        raw[i] = i < 64 ? (uint8_t)(i % 3 ? 0xff : 0) : (uint8_t)(seed >> 24);
    }
    for (meshopt_filter f = MESHOPT_NONE; f <= MESHOPT_EXPONENTIAL; f++) {
        for (size_t stride = 4; stride <= 16; stride += 4) {
            if (!meshopt_sound(MESHOPT_ATTRIBUTES, f, stride,
                               sizeof raw / stride)) {
                continue;
            }
            size_t count = sizeof raw / stride,
                   size = meshopt_encodeVertexBuffer(coded, sizeof coded, raw,
                                                     count, stride);
            assert_true(meshopt_take(MESHOPT_ATTRIBUTES, f, stride, count,
                                     coded, size, out));
            assert_true(f != MESHOPT_NONE ||
                        memcmp(out, raw, count * stride) == 0);
        }
    }
    assert_false(meshopt_sound(MESHOPT_ATTRIBUTES, MESHOPT_NONE, 260, 1));
    assert_false(meshopt_sound(MESHOPT_ATTRIBUTES, MESHOPT_NONE, 6, 1));
    assert_false(meshopt_sound(MESHOPT_ATTRIBUTES, MESHOPT_QUATERNION, 4, 1));
    assert_false(meshopt_sound(MESHOPT_TRIANGLES, MESHOPT_NONE, 4, 4));
    assert_false(meshopt_sound(MESHOPT_INDICES, MESHOPT_NONE, 8, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshopt_gives_the_very_numbers_back),
        cmocka_unit_test(
            test_draco_gives_the_same_triangles_within_its_quantisation),
        cmocka_unit_test(
            test_an_accessor_that_draco_fills_twice_has_two_contents),
        cmocka_unit_test(test_decoding_twice_gives_the_same_bytes),
        cmocka_unit_test(test_an_export_keeps_what_is_compressed),
        cmocka_unit_test(test_a_gltf_with_meshopt_is_packed),
        cmocka_unit_test(test_what_is_not_read_is_said_with_the_way_out),
        cmocka_unit_test(
            test_counts_that_lie_are_refused_before_anything_is_decoded),
        cmocka_unit_test(test_claims_are_read_within_the_data),
        cmocka_unit_test(test_damaged_data_is_refused_in_one_line),
        cmocka_unit_test(test_a_bundle_that_was_not_decoded_says_so),
        cmocka_unit_test(test_filters_are_undone_as_the_extension_says),
        cmocka_unit_test(test_filters_take_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
