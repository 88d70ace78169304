/* Hostile specs of scenes, and hostile GLBs as what they are composed of: read
 * or refused; what is read is written, and the whole is a GLB that import reads
 * or refuses in turn. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/gltf_builder.h"
#include "worker/convert/compose.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/scene.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *cube;
static size_t cube_size;

static void import(const uint8_t *data, size_t size)
{
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    scene *s = NULL;
    if (bundle_from_glb(data, size, NULL, &bundle, &bundle_size, NULL) ==
            ETNA_OK &&
        scene_import(bundle, bundle_size, &s, NULL) == ETNA_OK) {
        scene_free(s);
    }
    free(bundle);
}

/* Every object is the one asset. */
static void write_with(const compose_spec *spec,
                       const uint8_t *data,
                       size_t size,
                       double unit)
{
    compose_asset asset = {.path = "cube.glb",
                           .glb = malloc(size + 1),
                           .size = size,
                           .unit = unit,
                           .max = {1, 1, 1}};
    compose_place *places = calloc(spec->object_count + 1u, sizeof *places);
    compose_picture pictures[3] = {{NULL, NULL, 0}};
    etna_error err;
    if (!asset.glb || !places)
        abort();
    memcpy(asset.glb, data, size);
    for (uint32_t i = 0; i < spec->object_count; i++)
        places[i].yaw = spec->objects[i].yaw;
    for (int bare = 0; bare < 2; bare++) {
        uint8_t *made = NULL;
        size_t made_size = 0;
        if (compose_write(spec, &asset, 1, places, pictures, bare, &made,
                          &made_size, &err) == ETNA_OK) {
            json_decref(compose_credits(made, made_size));
            import(made, made_size);
        }
        free(made);
    }
    free(places);
    free(asset.glb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char small[] =
        "{\"room\":{\"width\":1,\"depth\":1},\"objects\":[{\"name\":\"a\",\"asset\":\"x\",\"at\":[0,0]},"
        "{\"name\":\"b\",\"asset\":\"x\",\"at\":[1,0]}]}";
    compose_spec spec;
    etna_error err;
    if (!cube) {
        gltf_builder *b = gltf_builder_new();
        gltf_builder_box(b, "cube", v3(0, 0, 0.5), v3(1, 1, 1), 0,
                         gltf_builder_material(b, "paint", 0.5, 0.2, 0.1));
        cube = gltf_builder_glb(b, &cube_size);
        gltf_builder_free(b);
    }
    bool binary = size >= 4 && memcmp(data, "glTF", 4) == 0;
    if (compose_read(binary ? small : (const char *)data,
                     binary ? sizeof small - 1 : size, &spec,
                     &err) == ETNA_OK) {
        if (binary)
            write_with(&spec, data, size, size % 2 ? 1 : 0.5);
        else
            write_with(&spec, cube, cube_size, 1);
        compose_free(&spec);
    }
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        "{\"unit\":0.01,\"room\":{\"corners\":[[0,0],[400,0],[400,300],[200,300],[200,200],[0,200]],\"height\":250,\"ceiling\":true,"
        "\"walls\":[1,2,6],\"floor\":{\"colour\":\"#a08060\",\"tile\":50},\"top\":{}},\"objects\":[{\"name\":\"desk\",\"asset\":\"a\","
        "\"at\":[0,0],\"size\":[100,70,60],\"static\":true},{\"name\":\"cup\",\"asset\":\"a\",\"on\":\"desk\",\"at\":[1,2],\"height\":30,"
        "\"yaw\":45},{\"name\":\"clock\",\"asset\":\"a\",\"hang\":1,\"at\":[0,150],\"front\":\"-Z\"}],\"cameras\":[{\"position\":[0,1,2],"
        "\"target\":[0,0,0],\"yfov_deg\":50}],\"lights\":[{\"position\":[0,2,0],\"kind\":\"spot\",\"cone_deg\":30}]}",
        "{\"room\":{\"width\":5,\"depth\":4,\"walls\":[\"north\",\"west\"]},\"objects\":[{\"name\":\"lamp\",\"asset\":\"Scopia#1\","
        "\"hang\":\"north\",\"at\":[0,1.5],\"front\":\"none\"}]}"};
    static const char guest[] =
        "{\"asset\":{\"version\":\"2.0\",\"copyright\":\"Ann\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1],"
        "\"extras\":{\"etna\":{\"front\":\"+X\"}}},{\"mesh\":0,\"scale\":[1,2,1]}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
        "\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":0,\"targets\":[{\"POSITION\":0}]}]}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36}],\"materials\":[{\"pbrMetallicRoughness\":{"
        "\"baseColorTexture\":{\"index\":0}},\"extensions\":{\"KHR_materials_sheen\":{\"sheenColorTexture\":{\"index\":0}}}}],"
        "\"textures\":[{\"source\":0,\"sampler\":0}],\"images\":[{\"bufferView\":0,\"mimeType\":\"image/png\"}],\"samplers\":[{}],"
        "\"extensionsUsed\":[\"KHR_materials_sheen\"]}";
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    size_t size;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        add(seeds[i], strlen(seeds[i]));
    uint8_t *packed = gltf_wrap_glb(guest, corners, sizeof corners, &size);
    add(packed, size);
    free(packed);
}
