/* Every uncompressed scene of the shared data: exported unmoved it is the same
 * file byte for byte (a GLB) or the same scene (.gltf); with an object moved
 * and turned, box, front and yaw come back where they were put, and only
 * transform members of the JSON differ. */
#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *paths[400];
static size_t path_count;

static int note(const char *path, const struct stat *st, int type)
{
    size_t n = strlen(path);
    (void)st;
    if (type == FTW_F && n > 5 &&
        (strcmp(path + n - 4, ".glb") == 0 ||
         strcmp(path + n - 5, ".gltf") == 0) &&
        path_count < 400) {
        paths[path_count++] = strdup(path);
    }
    return 0;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t le32(const uint8_t *at)
{
    return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 |
           (size_t)at[3] << 24;
}

/* Only translation, rotation and matrix of nodes differ: of the moved one, and
 * of its children, which are held in place when they are objects of their
 * own. */
static void assert_same_but_transforms(const uint8_t *a,
                                       const uint8_t *b,
                                       uint32_t node)
{
    json_t *x = json_loadb((const char *)a + 20, le32(a + 12), 0, NULL),
           *y = json_loadb((const char *)b + 20, le32(b + 12), 0, NULL);
    assert_non_null(x);
    assert_non_null(y);
    json_t *lists[2] = {json_object_get(x, "nodes"),
                        json_object_get(y, "nodes")};
    size_t changed = 0;
    for (size_t i = 0; i < json_array_size(lists[0]); i++) {
        json_t *p = json_array_get(lists[0], i),
               *q = json_array_get(lists[1], i);
        changed += !json_equal(p, q);
        for (int k = 0; k < 2; k++) {
            json_object_del(k ? q : p, "translation");
            json_object_del(k ? q : p, "rotation");
            json_object_del(k ? q : p, "matrix");
        }
    }
    assert_in_range(changed, 1,
                    1 + json_array_size(json_object_get(
                            json_array_get(lists[0], node), "children")));
    assert_true(json_equal(x, y));
    json_decref(x);
    json_decref(y);
    assert_int_equal(le32(a + 8) - le32(a + 12), le32(b + 8) - le32(b + 12));
    assert_memory_equal(a + 20 + le32(a + 12), b + 20 + le32(b + 12),
                        le32(a + 8) - 20 - le32(a + 12));
}

static void check_unmoved(const opened *o, const char *path)
{
    snapshot base;
    uint8_t *glb = NULL;
    size_t size = 0;
    etna_error err = {0};
    assert_int_equal(snapshot_base(o->s, &base, &err), ETNA_OK);
    assert_int_equal(
        scene_export_glb(o->s, o->bundle, o->size, &base, &glb, &size, &err),
        ETNA_OK);
    snapshot_free(&base);
    if (strcmp(path + strlen(path) - 4, ".glb") == 0) {
        size_t file_size;
        uint8_t *file = read_file(path, &file_size);
        assert_int_equal(file_size, size);
        assert_memory_equal(file, glb, size);
        free(file);
    }
    opened again = open_glb(glb, size);
    assert_int_equal(again.s->object_count, o->s->object_count);
    assert_int_equal(again.s->texture_count, o->s->texture_count);
    for (uint32_t i = 0; i < o->s->object_count; i++) {
        assert_string_equal(again.s->objects[i].name, o->s->objects[i].name);
        assert_box(&again.s->objects[i].box, &o->s->objects[i].box, 1e-12);
    }
    for (uint32_t i = 0; i < o->s->texture_count; i++) {
        assert_int_equal(again.s->textures[i].rgba == NULL,
                         o->s->textures[i].rgba == NULL);
    }
    close_opened(&again);
    free(glb);
}

static void check_moved(const opened *o, const char *path, uint32_t index)
{
    const scene_object *thing = &o->s->objects[index];
    double scale = v3_distance(o->s->min, o->s->max);
    vec3 move = v3(0.011 * scale, -0.007 * scale, 0.003 * scale);
    size_t size;
    uint8_t *glb = export_moved(o, thing->name, move, 0.7, &size);
    opened again = open_glb(glb, size);
    assert_int_equal(again.s->object_count, o->s->object_count);
    for (uint32_t i = 0; i < o->s->object_count; i++) {
        scene_box wanted = o->s->objects[i].box;
        if (i == index) {
            wanted.centre = v3_add(wanted.centre, move);
            wanted.yaw += 0.7;
        }
        double off = thing->instance == SCENE_NONE
                         ? 1e-9
                         /* an instance's numbers are single precision */
                         : 1e-6;
        assert_box(&again.s->objects[i].box, &wanted, off * (1 + scale));
    }
    if (strcmp(path + strlen(path) - 4, ".glb") == 0 &&
        thing->instance == SCENE_NONE) {
        size_t file_size;
        uint8_t *file = read_file(path, &file_size);
        assert_same_but_transforms(file, glb, thing->node);
        free(file);
    }
    close_opened(&again);
    free(glb);
}

/* A scene that is only looked at borrows the bundle's bytes, and is the same to
 * the bit. */
static void check_looked_at(const opened *o)
{
    etna_error err = {0};
    scene *looked;
    if (scene_import_to_look(o->bundle, o->size, NULL, &looked, &err) !=
        ETNA_OK) {
        fail_msg("refused: %s", err.text);
    }
    assert_int_equal(looked->mesh_count, o->s->mesh_count);
    for (uint32_t i = 0; i < looked->mesh_count; i++) {
        const scene_mesh *a = &looked->meshes[i], *b = &o->s->meshes[i];
        assert_same_geometry(a, b);
        assert_true(!a->normal == !b->normal && !a->uv == !b->uv &&
                    !a->colour == !b->colour);
        if (a->normal)
            assert_memory_equal(a->normal, b->normal,
                                (size_t)a->vertex_count * 12);
        if (a->uv)
            assert_memory_equal(a->uv, b->uv, (size_t)a->vertex_count * 8);
        if (a->colour)
            assert_memory_equal(a->colour, b->colour,
                                (size_t)a->vertex_count * 16);
    }
    scene_free(looked);
}

static void test_real_scenes_come_back_as_they_were(void **state)
{
    (void)state;
    const char *folder = data_folder();
    if (!folder) {
        print_message("skipped: no shared data\n");
        skip();
    }
    assert_int_equal(ftw(folder, note, 16), 0);
    qsort(paths, path_count, sizeof *paths, compare_texts);
    size_t read = 0, refused = 0, moved = 0;
    for (size_t i = 0; i < path_count; i++) {
        etna_error err = {0};
        opened o;
        if (!open_path(paths[i], &o, &err)) {
            print_message("%s: %s\n", paths[i], err.text);
            refused++;
        } else {
            read++;
            check_unmoved(&o, paths[i]);
            check_looked_at(&o);
            uint32_t step = o.s->object_count > 4 ? o.s->object_count / 4 : 1;
            for (uint32_t k = 0; k < o.s->object_count; k += step) {
                if (!o.s->objects[k].immovable) {
                    check_moved(&o, paths[i], k);
                    moved++;
                }
            }
            close_opened(&o);
        }
        free(paths[i]);
    }
    print_message("%zu files read, %zu refused, %zu objects moved\n", read,
                  refused, moved);
    assert_true(read >= 100 && refused == 0 && moved >= read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_scenes_come_back_as_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
