/* Hostile records, indexes and requests: any bytes are read within their bounds
 * or refused. */
#include "tests/fuzz/fuzz.h"
#include "worker/assets/caption.h"
#include "worker/assets/find.h"
#include "worker/assets/lot.h"

#include <stdlib.h>
#include <string.h>

static void look(const uint8_t *data, size_t size, const char *text)
{
    static find_result r;
    static const find_options plain = {.k = 5};
    index_view v;
    if (index_open(data, size, &v, NULL) != ETNA_OK || v.doc_count > 100000)
        return;
    find_assets(&v, text, &plain, &r, NULL);
}

static uint8_t *sample(size_t *ret_size)
{
    static asset_words german = {"de", "Roter Stuhl", "Sitz", "Haus"};
    asset two[2] = {asset_empty(), asset_empty()};
    uint8_t *data = NULL;
    uint32_t docs;
    two[0].name = "Red chair";
    two[0].words = &german;
    two[0].word_count = 1;
    two[1].name = "Side table";
    two[1].hash.bytes[0] = 1;
    const index_options options = {.threads = 1};
    return index_build(two, 2, &options, &data, ret_size, &docs, NULL) ==
                   ETNA_OK
               ? data
               : NULL;
}

/* The first byte says what the rest is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = {.limit = 1 << 24};
    asset a;
    asset_shape shape;
    if (size < 1)
        return 0;
    if (data[0] == 'i') {
        look(data + 1, size - 1, "a red side table under 50 cm for the hall");
    } else if (data[0] == 'q') {
        static uint8_t *index;
        static size_t index_size;
        char *text = malloc(size);
        if (!index)
            index = sample(&index_size);
        if (text) {
            memcpy(text, data + 1, size - 1);
            text[size - 1] = 0;
            if (index)
                look(index, index_size, text);
        }
        free(text);
    } else {
        lot_scan scans[LOT_MODELS];
        lot_item items[LOT_MODELS];
        uint32_t count;
        asset_caption caption;
        char *text = calloc(1, size);
        if (text) {
            memcpy(text, data + 1, size - 1);
            caption_read(text, "fuzz", &arena, &caption);
        }
        free(text);
        caption_decode(data + 1, size - 1, &arena, &caption, NULL);
        lot_scans(data + 1, size - 1, &arena, scans, &count, NULL);
        lot_unpack(data + 1, size - 1, items, &count, NULL);
        asset_decode(data + 1, size - 1, &arena, &a, NULL);
        asset_shape_decode(data + 1, size - 1, &arena, &shape, NULL);
    }
    etna_arena_free(&arena);
    return 0;
}

static void seed_add(void (*add)(const void *data, size_t size),
                     char mark,
                     const void *data,
                     size_t size)
{
    uint8_t *seed = malloc(size + 1);
    if (!seed || !data) {
        free(seed);
        return;
    }
    seed[0] = (uint8_t)mark;
    memcpy(seed + 1, data, size);
    add(seed, size + 1);
    free(seed);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const texts[] = {
        "a round wooden side table between 40 and 60 cm wide, not red",
        "ein roter Stuhl", "something to sit on while reading",
        "\xe6\xa4\x85\xe5\xad\x90"};
    asset a = asset_empty();
    asset_shape shape = {.materials = "wood"};
    uint8_t *bytes = NULL;
    size_t size = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        seed_add(add, 'q', texts[i], strlen(texts[i]));
    uint8_t *index = sample(&size);
    seed_add(add, 'i', index, size);
    free(index);
    if (asset_encode(&a, &bytes, &size, NULL) == ETNA_OK)
        seed_add(add, 'r', bytes, size);
    free(bytes);
    bytes = NULL;
    if (asset_shape_encode(&shape, &bytes, &size, NULL) == ETNA_OK)
        seed_add(add, 'r', bytes, size);
    free(bytes);
}
