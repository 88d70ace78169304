/* Hostile meshopt data: any bytes in any sound combination of mode, filter,
 * stride and count are decoded or refused, within a buffer of exactly their
 * size. */
#include "tests/fuzz/fuzz.h"
#include "worker/gltf/unpack_internal.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

/* The first four bytes: mode, filter, stride, count. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) {
        return 0;
    }
    meshopt_mode mode = (meshopt_mode)(data[0] % 3);
    meshopt_filter filter = (meshopt_filter)(data[1] % 4);
    size_t stride = data[2], count = (size_t)data[3] * 3;
    if (!meshopt_sound(mode, filter, stride, count)) {
        return 0;
    }
    uint8_t *out = malloc(stride * count + 1);
    if (out) {
        (void)meshopt_take(mode, filter, stride, count, data + 4, size - 4,
                           out);
    }
    free(out);
    return 0;
}

enum {
    COUNT = 48
};

static void add_one(void (*add)(const void *data, size_t size),
                    uint8_t mode,
                    uint8_t filter,
                    uint8_t stride,
                    const uint8_t *coded,
                    size_t size)
{
    uint8_t seed[8192] = {mode, filter, stride, COUNT / 3};
    if (size > sizeof seed - 4) {
        abort();
    }
    memcpy(seed + 4, coded, size);
    add(seed, size + 4);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    uint8_t raw[COUNT * 16], coded[8000];
    unsigned int index[COUNT];
    for (size_t i = 0; i < sizeof raw; i++) {
        raw[i] = (uint8_t)(i * i / 7);
    }
    for (unsigned int i = 0; i < COUNT; i++) {
        index[i] = i / 3 + i % 3;
    }
    for (uint8_t filter = MESHOPT_NONE; filter <= MESHOPT_EXPONENTIAL;
         filter++) {
        for (uint8_t stride = 4; stride <= 16; stride = (uint8_t)(stride * 2)) {
            add_one(add, MESHOPT_ATTRIBUTES, filter, stride, coded,
                    meshopt_encodeVertexBuffer(coded, sizeof coded, raw, COUNT,
                                               stride));
        }
    }
    size_t triangles =
        meshopt_encodeIndexBuffer(coded, sizeof coded, index, COUNT);
    add_one(add, MESHOPT_TRIANGLES, 0, 2, coded, triangles);
    add_one(add, MESHOPT_TRIANGLES, 0, 4, coded, triangles);
    size_t sequence =
        meshopt_encodeIndexSequence(coded, sizeof coded, index, COUNT);
    add_one(add, MESHOPT_INDICES, 0, 2, coded, sequence);
    add_one(add, MESHOPT_INDICES, 0, 4, coded, sequence);
}
