/* Hostile scenes: any bytes as a GLB or glTF are decoded, imported or refused,
 * and what is imported can be exported again. An input that does not begin with
 * "glTF" or "{" is taken as a bundle. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/press.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/unpack.h"
#include "worker/scene/export.h"
#include "worker/scene/scene.h"

#include <stdlib.h>
#include <string.h>

/* What is only looked at borrows the bundle's bytes: it is refused alike, and
 * has the same geometry. */
static void look_at(const uint8_t *bundle, size_t size, const scene *s)
{
    scene *looked = NULL;
    bool taken =
        scene_import_to_look(bundle, size, NULL, &looked, NULL) == ETNA_OK;
    bool same =
        taken == (s != NULL) && (!s || looked->mesh_count == s->mesh_count);
    for (uint32_t i = 0; same && s && i < s->mesh_count; i++) {
        const scene_mesh *a = &looked->meshes[i], *b = &s->meshes[i];
        same = a->vertex_count == b->vertex_count &&
               a->triangle_count == b->triangle_count &&
               memcmp(a->position, b->position, (size_t)a->vertex_count * 12) ==
                   0 &&
               memcmp(a->index, b->index, (size_t)a->triangle_count * 12) == 0;
    }
    if (!same) {
        abort();
    }
    scene_free(looked);
}

static void try_bundle(const uint8_t *bundle, size_t size)
{
    scene *s = NULL;
    snapshot base = {.object_count = 0}, moved = {.object_count = 0};
    etna_error err;
    uint8_t *glb = NULL;
    size_t glb_size;
    etna_code code = scene_import(bundle, size, &s, &err);
    if (code != ETNA_E_NOMEM) {
        look_at(bundle, size, s);
    }
    if (code != ETNA_OK) {
        return;
    }
    if (snapshot_base(s, &base, &err) == ETNA_OK) {
        uint32_t object = s->object_count / 2;
        arrange_pose pose = scene_base_pose(&s->objects[object]);
        pose.position[0] += 0.5;
        pose.yaw += 1;
        if (snapshot_edit(&base, object, &pose, &moved, &err) == ETNA_OK) {
            (void)scene_export_glb(s, bundle, size, &moved, &glb, &glb_size,
                                   &err);
        }
    }
    free(glb);
    snapshot_free(&base);
    snapshot_free(&moved);
    scene_free(s);
}

/* With what is compressed decoded (the program does that in a child). */
static void try_decoded(const uint8_t *bundle, size_t size)
{
    uint8_t *parts = NULL, *joined = NULL;
    size_t parts_size, joined_size;
    if (!unpack_wanted(bundle, size)) {
        try_bundle(bundle, size);
    } else if (unpack_parts(bundle, size, &parts, &parts_size, NULL) ==
                   ETNA_OK &&
               unpack_join(bundle, size, parts, parts_size, &joined,
                           &joined_size, NULL) == ETNA_OK) {
        try_bundle(joined, joined_size);
    }
    free(parts);
    free(joined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bundle = NULL;
    size_t bundle_size;
    if (size > 0 && data[0] != 'g' && data[0] != '{') {
        try_bundle(data, size);
    } else if (bundle_from_glb(data, size, NULL, &bundle, &bundle_size, NULL) ==
               ETNA_OK) {
        try_decoded(bundle, bundle_size);
        free(bundle);
    }
    return 0;
}

static void add_builder(gltf_builder *b,
                        void (*add)(const void *data, size_t size))
{
    size_t size, bundle_size;
    uint8_t *glb = gltf_builder_glb(b, &size), *bundle = NULL;
    gltf_builder_free(b);
    add(glb, size);
    if (bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, NULL) ==
        ETNA_OK) {
        add(bundle, bundle_size);
    }
    free(bundle);
    const press_options options = {.bits = 10};
    uint8_t *packed = press_draco(glb, size, &options, &bundle_size);
    add(packed, bundle_size);
    free(packed);
    packed = press_meshopt(glb, size, &options, &bundle_size);
    add(packed, bundle_size);
    free(packed);
    free(glb);
}

static void add_room(void (*add)(const void *data, size_t size))
{
    gltf_builder *b = gltf_builder_new();
    uint32_t red = gltf_builder_material(b, "red", 1, 0, 0);
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(4, 4, 0.1), 0, red);
    gltf_builder_box(b, "table", v3(0, 0, 0.4), v3(1, 0.6, 0.8), 30, red);
    gltf_builder_camera(b, "eye", v3(0, -3, 2), v3(0, 0, 0.5), 50, 1.5);
    static const double turn[16] = {1, 0, 0,  0, 0, 2, 0, 0,
                                    0, 0, -1, 0, 1, 2, 3, 1};
    gltf_builder_node group = gltf_builder_node_default("group"),
                      child = gltf_builder_node_default("cup");
    group.matrix = turn;
    child.parent = gltf_builder_add_node(b, &group);
    child.mesh = gltf_builder_box_mesh(b, v3(0.1, 0.1, 0.2), red);
    gltf_builder_add_node(b, &child);
    add_builder(b, add);
}

static void add_instances(void (*add)(const void *data, size_t size))
{
    gltf_builder *b = gltf_builder_new();
    const float places[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0},
                turns[12] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};
    gltf_builder_node node = gltf_builder_node_default("many");
    node.mesh = gltf_builder_box_mesh(b, v3(0.2, 0.3, 0.4), GLTF_NONE);
    uint32_t t =
        gltf_builder_accessor(b, places, sizeof places, 5126, 3, "VEC3");
    uint32_t r = gltf_builder_accessor(b, turns, sizeof turns, 5126, 3, "VEC4");
    (void)t;
    (void)r; /* accessors 3 and 4, behind the box's three */
    node.extra =
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":3,\"ROTATION\":4}}}";
    gltf_builder_add_node(b, &node);
    add_builder(b, add);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0,\"weights\":["
        "1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"mode\":5,"
        "\"targets\":[{\"POSITION\":0}]}]}],\"skins\":[{\"joints\":[0]}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5120,"
        "\"normalized\":true,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,"
        "\"componentType\":5121},"
        "\"values\":{\"bufferView\":0}}},{\"bufferView\":0,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},{"
        "\"bufferView\":0,"
        "\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":\"VEC4\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":16}],"
        "\"buffers\":[{\"byteLength\":16,\"uri\":\"data:application/octet-stream;base64,AAECAwQFBgcICQoLDA0ODw==\"}]}";
    add_room(add);
    add_instances(add);
    add(text, sizeof text - 1);
}
