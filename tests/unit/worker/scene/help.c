#include "help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

etna_code decode_bundle(uint8_t **bundle, size_t *size, etna_error *err)
{
    uint8_t *parts = NULL, *joined = NULL;
    size_t parts_size, joined_size;
    if (!unpack_wanted(*bundle, *size)) {
        return ETNA_OK;
    }
    etna_code code = unpack_parts(*bundle, *size, &parts, &parts_size, err);
    if (code == ETNA_OK) {
        code = unpack_join(*bundle, *size, parts, parts_size, &joined,
                           &joined_size, err);
    }
    free(parts);
    if (code == ETNA_OK) {
        free(*bundle);
        *bundle = joined;
        *size = joined_size;
    }
    return code;
}

etna_code bundle_of(const uint8_t *glb,
                    size_t size,
                    uint8_t **ret_bundle,
                    size_t *ret_size,
                    etna_error *err)
{
    uint8_t *bundle;
    size_t bundle_size;
    etna_code code =
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, err);
    if (code == ETNA_OK &&
        (code = decode_bundle(&bundle, &bundle_size, err)) != ETNA_OK) {
        free(bundle);
    }
    if (code == ETNA_OK) {
        *ret_bundle = bundle;
        *ret_size = bundle_size;
    }
    return code;
}

opened open_glb(const uint8_t *glb, size_t size)
{
    opened o = {0};
    etna_error err = {0};
    if (bundle_of(glb, size, &o.bundle, &o.size, &err) != ETNA_OK ||
        scene_import(o.bundle, o.size, &o.s, &err) != ETNA_OK) {
        fail_msg("refused: %s", err.text);
    }
    return o;
}

opened open_builder(gltf_builder *b)
{
    size_t size;
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    opened o = open_glb(glb, size);
    free(glb);
    return o;
}

opened open_json(const char *json, const void *bin, size_t bin_size)
{
    size_t size;
    uint8_t *glb = gltf_wrap_glb(json, bin, bin_size, &size);
    opened o = open_glb(glb, size);
    free(glb);
    return o;
}

bool open_path(const char *path, opened *ret, etna_error *err)
{
    opened o = {0};
    if (bundle_read(path, NULL, &o.bundle, &o.size, err) != ETNA_OK) {
        return false;
    }
    if (decode_bundle(&o.bundle, &o.size, err) != ETNA_OK ||
        scene_import(o.bundle, o.size, &o.s, err) != ETNA_OK) {
        free(o.bundle);
        return false;
    }
    *ret = o;
    return true;
}

void close_opened(opened *o)
{
    scene_free(o->s);
    free(o->bundle);
    *o = (opened){0};
}

const char *refusal(const uint8_t *glb, size_t size, etna_code expected)
{
    static etna_error err;
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    scene *s = NULL;
    err = (etna_error){0};
    etna_code code = bundle_of(glb, size, &bundle, &bundle_size, &err);
    if (code == ETNA_OK) {
        code = scene_import(bundle, bundle_size, &s, &err);
    }
    free(bundle);
    assert_null(s);
    if (code != expected) {
        fail_msg("code %d instead of %d: %s", code, expected, err.text);
    }
    assert_true(strlen(err.text) > 10);
    return err.text;
}

const char *refusal_json(const char *json,
                         const void *bin,
                         size_t bin_size,
                         etna_code expected)
{
    size_t size;
    uint8_t *glb = gltf_wrap_glb(json, bin, bin_size, &size);
    const char *text = refusal(glb, size, expected);
    free(glb);
    return text;
}

const scene_object *object_named(const scene *s, const char *name)
{
    uint32_t i = scene_find_object(s, name);
    if (i == SCENE_NONE) {
        fail_msg("no object \"%s\"", name);
        return NULL;
    }
    return &s->objects[i];
}

uint8_t *export_moved(const opened *o,
                      const char *object,
                      vec3 move,
                      double turn,
                      size_t *ret_size)
{
    etna_error err = {0};
    snapshot base, moved;
    const scene_object *thing = object_named(o->s, object);
    arrange_pose pose = scene_base_pose(thing);
    pose.position[0] += move.x;
    pose.position[1] += move.y;
    pose.position[2] += move.z;
    pose.yaw += turn;
    uint8_t *glb = NULL;
    assert_int_equal(snapshot_base(o->s, &base, &err), ETNA_OK);
    assert_int_equal(snapshot_edit(&base, (uint32_t)(thing - o->s->objects),
                                   &pose, &moved, &err),
                     ETNA_OK);
    if (scene_export_glb(o->s, o->bundle, o->size, &moved, &glb, ret_size,
                         &err) != ETNA_OK) {
        fail_msg("not exported: %s", err.text);
    }
    snapshot_free(&base);
    snapshot_free(&moved);
    return glb;
}

void assert_box(const scene_box *a, const scene_box *b, double tolerance)
{
    double turns = (a->yaw - b->yaw) / (2 * MATH_PI),
           off = fabs(turns - floor(turns + 0.5)) * 2 * MATH_PI;
    if (v3_distance(a->centre, b->centre) > tolerance ||
        v3_distance(a->half, b->half) > tolerance || off > tolerance) {
        fail_msg(
            "box centre (%.9g %.9g %.9g) half (%.9g %.9g %.9g) yaw %.9g is not centre (%.9g %.9g %.9g) half (%.9g "
            "%.9g %.9g) yaw %.9g",
            a->centre.x, a->centre.y, a->centre.z, a->half.x, a->half.y,
            a->half.z, a->yaw, b->centre.x, b->centre.y, b->centre.z, b->half.x,
            b->half.y, b->half.z, b->yaw);
    }
}

void assert_same_geometry(const scene_mesh *a, const scene_mesh *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->position, b->position, (size_t)a->vertex_count * 12);
    assert_memory_equal(a->index, b->index, (size_t)a->triangle_count * 12);
}

const char *data_folder(void)
{
    static char folder[1024];
    const char *given = getenv("ETNA_TEST_DATA");
    struct stat st;
    snprintf(folder, sizeof folder, "%s",
             given ? given : ETNA_SOURCE_DIR "/../shared/data");
    return stat(folder, &st) == 0 ? folder : NULL;
}

uint8_t *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc((size_t)size + 1);
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
        abort();
    }
    fclose(file);
    *ret_size = (size_t)size;
    return data;
}
