/* Hostile rooms and houses: read or refused; what is read is written, and is a
 * scene that import reads or refuses in turn. */
#include "tests/fuzz/fuzz.h"
#include "worker/convert/rooms.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/scene.h"

#include <stdlib.h>
#include <string.h>

static const char *const seeds[] = {
    "{\"rooms\":[{\"floorPolygon\":[{\"x\":0,\"y\":0,\"z\":0},{\"x\":0,\"y\":0,\"z\":4},{\"x\":4,\"y\":0,\"z\":4}]}],"
    "\"doors\":[{\"wall0\":\"w\",\"wall1\":\"v\",\"holePolygon\":[{\"x\":1,\"y\":0},{\"x\":2,\"y\":2}]}],"
    "\"walls\":[{\"id\":\"w\",\"polygon\":[{\"x\":0,\"y\":0,\"z\":1},{\"x\":4,\"y\":0,\"z\":1},{\"x\":0,\"y\":2,\"z\":1}]}],"
    "\"objects\":[{\"id\":\"Bed|1\",\"assetId\":\"a\",\"position\":{\"x\":1,\"y\":1,\"z\":1},\"rotation\":{\"y\":90},"
    "\"children\":[{\"id\":\"Cup|2\",\"assetId\":\"a\",\"position\":{\"x\":1,\"y\":2,\"z\":1}}]}]}",
    "{\"format\":\"sceneState\",\"scene\":{\"object\":[{\"modelId\":\"a\",\"parentIndex\":1,\"transform\":{\"data\":"
    "[1,0,0,0,0,0,1,0,0,1,0,0,5,6,0,1]}},{\"modelId\":\"a\",\"transform\":{\"data\":[1,0,0,0,0,0,1,0,0,1,0,0,5,6,1,1]}}],"
    "\"arch\":{\"elements\":[{\"type\":\"Wall\",\"height\":2,\"points\":[[0,0,0],[0,3,0]],\"holes\":[{\"box\":{\"min\":[1,1],"
    "\"max\":[2,1.5]}}]},{\"type\":\"Floor\",\"points\":[[3,3,0],[-3,3,0],[-3,-3,0]]}]}}}",
    ("{\"bounds_bottom\":[[0,0,0],[4,0,0],[4,0,3]],\"bounds_top\":[[0,2,0],[4,2,0],[4,2,3]],\"groups\":[{\"objects\":"
     "[{\"desc\":\"A bed with\",\"size\":[2,1,1],\"pos\":[2,0,1],\"rot\":[0,1,0,1]}]}],\"objects\":[]}")};

static void import(const uint8_t *data, size_t size)
{
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    scene *s = NULL;
    if (bundle_from_glb(data, size, NULL, &bundle, &bundle_size, NULL))
        abort(); /* what we write is a GLB */
    if (scene_import(bundle, bundle_size, &s, NULL) == ETNA_OK)
        scene_free(s);
    free(bundle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    json_t *document = json_loadb((const char *)data, size, 0, NULL);
    json_t *sizes = json_pack("{s:[f, f, f]}", "a", 1.0, 0.5, 1.0);
    rooms r;
    etna_error err;
    if (document && rooms_read(document, sizes, &arena, &r, &err) == ETNA_OK) {
        uint8_t *made = NULL;
        size_t made_size = 0;
        if (rooms_write(&r, &made, &made_size, &err) == ETNA_OK)
            import(made, made_size);
        free(made);
    }
    json_decref(document);
    json_decref(sizes);
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*seed)(const void *data, size_t size))
{
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        seed(seeds[i], strlen(seeds[i]));
}
