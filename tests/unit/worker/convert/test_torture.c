/* Memory that ends while a scene is written or a catalogue read is an error,
 * not a crash and not a leak. */
#include "tests/support/torture.h"
#include "tests/support/zip_builder.h"
#include "worker/convert/catalogue.h"
#include "worker/convert/glb.h"
#include "worker/convert/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool write_scene(void *context)
{
    static const float position[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                       uv[6] = {0, 0, 1, 0, 0, 1};
    static const uint32_t index[3] = {0, 1, 2};
    static const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                      0, 0, 1, 0, 3, 2, 1, 1};
    (void)context;
    glb *g = glb_new();
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err;
    if (!g)
        return false;
    glb_say(g, true, "a warning of %d", 1);
    glb_material material = {
        .name = "paint\xff",
        .colour = {1, 0, 0, 1},
        .picture = glb_picture(g, "image/png", position, sizeof position),
        .transformed = true,
        .scale = {2, 2}};
    glb_triangles t = {.vertex_count = 3,
                       .triangle_count = 1,
                       .position = position,
                       .uv = uv,
                       .index = index,
                       .material = glb_add_material(g, &material)};
    uint32_t mesh = glb_mesh(g, "m"),
             node = glb_node(g, GLB_NONE, "top", NULL, GLB_NONE);
    glb_primitive(g, mesh, &t);
    glb_perspective(g, glb_node(g, node, "leaf", matrix, mesh), "eye", 1, 1.5,
                    0.01);
    bool ok = glb_finish(g, &data, &size, &err) == ETNA_OK;
    if (ok)
        assert_memory_equal(data, "glTF", 4);
    free(data);
    glb_free(g);
    return ok;
}

static bool read_library(void *context)
{
    /* the finished archive, as data and size */
    const zip_builder *zip = context;
    archive *a = NULL;
    catalogue c;
    const catalogue_model *m;
    uint8_t *data = NULL;
    size_t size;
    etna_error err;
    if (archive_open(zip->local, zip->local_size, &a, &err) != ETNA_OK)
        return false;
    bool ok = catalogue_read(a, &c, &err) == ETNA_OK;
    if (ok) {
        assert_int_equal(catalogue_find(&c, "chair", &m, &err), ETNA_OK);
        ok = archive_read(a, m->path, &data, &size, &err) == ETNA_OK;
        catalogue_free(&c);
    }
    free(data);
    archive_close(a);
    return ok;
}

static bool encode(void *context)
{
    picture p;
    bool ok = picture_from_rgba(context, 2, 1, &p);
    if (ok)
        assert_true(p.alpha);
    if (ok)
        free(p.owned);
    return ok;
}

static void a_writer_survives(void **state)
{
    (void)state;
    assert_true(torture(write_scene, NULL) > 3);
}

static void a_reader_survives(void **state)
{
    (void)state;
    static const char list[] = "name#1=Chair\nmodel#1=/c.obj\nwidth#1=40\n";
    zip_builder z = {0};
    size_t size;
    zip_builder_add(&z, "PluginFurnitureCatalog.properties", list,
                    sizeof list - 1);
    zip_builder_add(&z, "c.obj", "v 0 0 0\n", 8);
    uint8_t *data = zip_builder_finish(&z, &size);
    zip_builder whole = {.local = data, .local_size = size};
    assert_true(torture(read_library, &whole) > 5);
    free(data);
}

static void a_picture_survives(void **state)
{
    (void)state;
    uint8_t texels[8] = {1, 2, 3, 255, 5, 6, 7, 128};
    assert_true(torture(encode, texels) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_writer_survives),
                                       cmocka_unit_test(a_reader_survives),
                                       cmocka_unit_test(a_picture_survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
