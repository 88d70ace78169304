/* Hostile side files: any bytes beside a small scene are read or refused,
 * edited or refused, and what is read of them can be moved, exported, and
 * imported like the original. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/gltf_builder.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/export.h"
#include "worker/scene/scene.h"
#include "worker/scene/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *bundle;
static size_t bundle_size;

/* One mesh of four triangles in two loose parts, two boxes, one of them below
 * the other's wrapper. */
static void make_bundle(void)
{
    static const float position[24] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0,
                                       3, 0, 0, 4, 0, 0, 3, 0, 1, 3, 1, 0};
    static const uint32_t index[12] = {0, 1, 2, 4, 5, 6, 0, 1, 3, 4, 5, 7};
    gltf_builder *b = gltf_builder_new();
    gltf_builder_node node = gltf_builder_node_default("set");
    size_t size;
    node.mesh = gltf_builder_mesh(b, "set", position, 8, index, 12, GLTF_NONE);
    gltf_builder_add_node(b, &node);
    gltf_builder_box(b, "floor", v3(0, 0, -0.05), v3(6, 6, 0.1), 0, GLTF_NONE);
    gltf_builder_box(b, "cup", v3(1, 1, 0.1), v3(0.1, 0.1, 0.2), 30, GLTF_NONE);
    uint8_t *glb = gltf_builder_glb(b, &size);
    gltf_builder_free(b);
    if (bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, NULL) !=
        ETNA_OK) {
        abort();
    }
    free(glb);
}

static void move_all(const scene *s)
{
    snapshot snap = {.object_count = 0};
    etna_error err;
    uint8_t *glb = NULL, *again = NULL;
    size_t size, again_size;
    scene *copy = NULL;
    if (snapshot_base(s, &snap, &err) == ETNA_OK) {
        for (uint32_t i = 0; i < s->object_count; i++) {
            if (!s->objects[i].immovable) {
                snap.poses[i].position[0] += 0.5;
                snap.poses[i].yaw += 1;
                snap.moved[i] = true;
            }
        }
        if (scene_export_glb(s, bundle, bundle_size, &snap, &glb, &size,
                             &err) == ETNA_OK &&
            bundle_from_glb(glb, size, NULL, &again, &again_size, &err) ==
                ETNA_OK &&
            scene_import_like(again, again_size, s, &copy, &err) != ETNA_OK) {
            fprintf(stderr, "%s\n", err.text);
            abort(); /* what export writes is the same scene */
        }
    }
    snapshot_free(&snap);
    scene_free(copy);
    free(again);
    free(glb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t cluster_of[2] = {0, 1};
    static const char *const members[] = {"cup", "set"};
    const char *side = (const char *)data;
    scene *s = NULL;
    char *text = NULL;
    etna_error err;
    if (!bundle) {
        make_bundle();
    }
    if (scene_import_with_side(bundle, bundle_size, side, size, &s, &err) ==
        ETNA_OK) {
        move_all(s);
        scene_free(s);
    }
    if (side_with_split(side, size, "set", 2, cluster_of, 2, &text, &err) ==
        ETNA_OK) {
        free(text);
    }
    if (side_with_group(side, size, "both", members, 2, &text, &err) ==
        ETNA_OK) {
        free(text);
    }
    if (side_without_groups(side, size, true, &text, &err) == ETNA_OK) {
        free(text);
    }
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        "{\"splits\":{\"set\":{\"of\":2,\"parts\":[{\"name\":\"left\",\"loose\":[0]},{\"loose\":[1]}]}}}",
        "{\"splits\":{\"set\":{\"of\":2,\"parts\":[{\"loose\":[1]}]}},\"groups\":{\"g\":[\"set\",\"cup\"]},\"movable\":[\"floor\"]}",
        "{\"unit\":0.01,\"up\":\"Z\",\"static\":[\"cup\"],\"movable\":[\"set\"],\"names\":{\"cup\":\"mug\",\"set\":\"cup\"},"
        "\"fronts\":{\"mug\":\"-X\"},\"descriptions\":{\"mug\":\"blue\"},\"categories\":{\"mug\":\"cup\"},"
        "\"cameras\":[{\"name\":\"c\",\"position\":[1,2,3],\"target\":[0,0,0],\"yfov_deg\":50,\"aspect\":1.5}]}"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        add(seeds[i], strlen(seeds[i]));
    }
}
