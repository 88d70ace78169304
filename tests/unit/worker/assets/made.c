#include "tests/unit/worker/assets/made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

asset made_asset(uint32_t number,
                 const char *name,
                 double width,
                 double height,
                 double depth)
{
    asset a = asset_empty();
    a.path = "/library/made.sh3f";
    a.number = number;
    a.name = name;
    a.licence = "CC0";
    a.hash = etna_hash_bytes(&number, sizeof number);
    a.shape = (asset_shape){
        .size = {width, height, depth}, .triangles = 12, .materials = ""};
    return a;
}

asset made_flat[MADE_COUNT];

static int made_order(const void *a, const void *b)
{
    return memcmp(((const asset *)a)->hash.bytes,
                  ((const asset *)b)->hash.bytes, 32);
}

void made_sort(asset *assets, uint32_t count)
{
    qsort(assets, count, sizeof *assets, made_order);
}

void made_flat_fill(void)
{
    static const struct {
        const char *name;
        double size[3];
    } things[MADE_COUNT] = {
        {"Red chair", {0.45, 0.9, 0.5}},    {"Folding chair", {0.5, 0.85, 0.5}},
        {"Armchair", {0.8, 0.95, 0.8}},     {"Side table", {0.45, 0.5, 0.45}},
        {"Dining table", {1.6, 0.75, 0.9}}, {"Coffee table", {1.0, 0.4, 0.6}},
        {"Floor lamp", {0.4, 1.6, 0.4}},    {"Sofa", {2.1, 0.85, 0.9}},
        {"Bookcase", {0.9, 2.0, 0.35}},     {"Kettle", {0.18, 0.2, 0.16}},
        {"Microwave", {0.45, 0.28, 0.35}},  {"Small tree", {1, 2, 1}},
        {"Refrigerator", {0.6, 1.8, 0.65}}};
    for (uint32_t i = 0; i < MADE_COUNT; i++) {
        made_flat[i] = made_asset(i + 1, things[i].name, things[i].size[0],
                                  things[i].size[1], things[i].size[2]);
        made_flat[i].shape.colour[i == 0 ? 3 : 10] = 80;
    }
    made_flat[3].shape.round = true;
    made_flat[7].licence = "Creative Commons Attribution 4.0";
    made_sort(made_flat, MADE_COUNT);
}

uint8_t *made_index(asset *assets,
                    uint32_t count,
                    size_t *ret_size,
                    index_view *ret)
{
    etna_error err = {0};
    uint8_t *data = NULL;
    uint32_t docs = 0;
    const index_options options = {.threads = 1};
    if (index_build(assets, count, &options, &data, ret_size, &docs, &err) !=
        ETNA_OK)
        fail_msg("%s", err.text);
    if (index_open(data, *ret_size, ret, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return data;
}
