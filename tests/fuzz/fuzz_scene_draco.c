/* Hostile Draco data: any bytes are decoded or refused, and what is decoded has
 * exactly the counts that were asked for, every index below the number of
 * points. The program decodes in a child with limits; here it runs in this
 * process. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/press.h"
#include "worker/gltf/draco.h"
#include "worker/gltf/unpack_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 4096
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t triangles, vertices;
    if (size < 3 || !draco_claims(data + 2, size - 2, &triangles, &vertices) ||
        triangles > POINTS_MAX) {
        return 0;
    }
    /* what the accessors say */
    uint32_t points = (uint32_t)(data[0] | data[1] << 8) % POINTS_MAX;
    if (vertices > points) {
        return 0;
    }
    uint32_t *index = malloc((3 * (size_t)triangles + 1) * sizeof *index);
    draco_attribute wanted[3] = {{.id = 0, .component = 5126, .components = 3},
                                 {.id = 1, .component = 5126, .components = 3},
                                 {.id = 2, .component = 5123, .components = 2}};
    for (int i = 0; i < 3; i++) {
        wanted[i].out = malloc((size_t)points * 12 + 1);
    }
    if (!draco_take(data + 2, size - 2, points, (uint32_t)triangles, index,
                    wanted, data[0] % 4)) {
        for (size_t i = 0; i < 3 * (size_t)triangles; i++) {
            if (index[i] >= points) {
                abort();
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        free(wanted[i].out);
    }
    free(index);
    return 0;
}

static void add_grid(void (*add)(const void *data, size_t size),
                     const press_options *options,
                     size_t attributes)
{
    enum {
        SIDE = 6
    };
    float at[3 * SIDE * SIDE], normal[3 * SIDE * SIDE];
    uint16_t uv[2 * SIDE * SIDE];
    uint32_t index[6 * (SIDE - 1) * (SIDE - 1)], n = 0, points, triangles;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        at[3 * i] = (float)(i % SIDE);
        at[3 * i + 1] = (float)(i * 37 % 11) * 0.1f;
        at[3 * i + 2] = (float)(i / SIDE);
        normal[3 * i] = normal[3 * i + 2] = 0;
        normal[3 * i + 1] = 1;
        uv[2 * i] = (uint16_t)(i % SIDE * 100);
        uv[2 * i + 1] = (uint16_t)(i / SIDE * 100);
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            uint32_t quad[6] = {i,     i + SIDE, i + 1,
                                i + 1, i + SIDE, i + SIDE + 1};
            memcpy(index + n, quad, sizeof quad);
            n += 6;
        }
    }
    const press_attribute given[3] = {
        {"POSITION", 5126, 3, (const uint8_t *)at, 12},
        {"NORMAL", 5126, 3, (const uint8_t *)normal, 12},
        {"TEXCOORD_0", 5123, 2, (const uint8_t *)uv, 4}};
    size_t size;
    uint8_t *data =
        press_draco_mesh(given, attributes, SIDE * SIDE, index, n / 3, options,
                         &size, &points, &triangles);
    uint8_t *seed = malloc(size + 2);
    if (!seed) {
        abort();
    }
    /* the count of points also says how many attributes are asked for */
    while (points % 4 != attributes) {
        points++;
    }
    seed[0] = (uint8_t)points;
    seed[1] = (uint8_t)(points >> 8);
    memcpy(seed + 2, data, size);
    add(seed, size + 2);
    seed[0] = SIDE * SIDE;
    add(seed, size + 2);
    free(seed);
    free(data);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const press_options options[] = {{.bits = 10},
                                            {.bits = 0},
                                            {.bits = 10, .sequential = 1},
                                            {.sequential = 1}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        for (size_t attributes = 1; attributes <= 3; attributes++) {
            add_grid(add, &options[i], attributes);
        }
    }
}
