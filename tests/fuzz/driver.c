/* Drives a fuzz target without libFuzzer: what its corpus folder holds, each
 * seed as it is, many prefixes, then mutations by a fixed stream. Usage:
 * fuzz-target [rounds] | fuzz-target FILE... (replays files). A crash is the
 * failure; inputs are reproducible. */
#include "proto/seed.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS_MAX = 256,
    INPUT_MAX = 1 << 20
};

static struct {
    uint8_t *data;
    size_t size;
} seeds[SEEDS_MAX];
static size_t seed_count;

static void add(const void *data, size_t size)
{
    if (seed_count == SEEDS_MAX || size > INPUT_MAX)
        return;
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    seeds[seed_count].data = copy;
    seeds[seed_count++].size = size;
}

/* The input is an exact-size heap block, so that a read past its end is seen by
 * the sanitizers. */
static void try_input(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t mutate(etna_random *random, uint8_t *data, size_t size)
{
    static const uint8_t nasty[] = {0,   1,   0x7f, 0x80, 0xff, '"', '{',  '[',
                                    '}', ']', '\\', '-',  'e',  '9', '\n', ','};
    unsigned edits = 1 + (unsigned)etna_random_below(random, 6);
    while (edits--) {
        size_t at = size ? etna_random_below(random, size) : 0;
        size_t length = 1 + etna_random_below(random, 8);
        switch (etna_random_below(random, 6)) {
        case 0:
            if (size)
                data[at] ^= (uint8_t)(1u << etna_random_below(random, 8));
            break;
        case 1:
            if (size)
                data[at] = nasty[etna_random_below(random, sizeof nasty)];
            break;
        case 2: /* remove a piece */
            if (length < size - at) {
                memmove(data + at, data + at + length, size - at - length);
                size -= length;
            }
            break;
        case 3: /* repeat a piece */
            if (size - at >= length && size + length <= INPUT_MAX) {
                memmove(data + at + length, data + at, size - at);
                size += length;
            }
            break;
        case 4:
            if (size)
                size = at;
            break;
        default: /* a 32-bit extreme */
            if (size - at >= 4) {
                static const uint32_t extremes[] = {
                    0,          1,          0x7fffffff, 0x80000000,
                    0xffffffff, 0x00ffffff, 1000000000};
                memcpy(data + at, &extremes[etna_random_below(random, 7)], 4);
            }
        }
    }
    return size;
}

static int replay(int count, char **paths)
{
    uint8_t *data = malloc(INPUT_MAX);
    if (!data)
        return 4;
    for (int i = 0; i < count; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (!file)
            return 4;
        size_t size = fread(data, 1, INPUT_MAX, file);
        fclose(file);
        try_input(data, size);
    }
    free(data);
    return 0;
}

/* Inputs that a fuzzer found before, as they are. */
static size_t replay_corpus(void)
{
    char path[4096], **paths = NULL;
    struct dirent **entries = NULL;
    int count = scandir(FUZZ_CORPUS, &entries, NULL, alphasort), kept = 0;
    if (count > 0 && !(paths = calloc((size_t)count, sizeof *paths)))
        abort();
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", FUZZ_CORPUS,
                     entries[i]->d_name);
            if (!(paths[kept++] = strdup(path)))
                abort();
        }
        free(entries[i]);
    }
    free(entries);
    if (replay(kept, paths) != 0)
        abort();
    for (int i = 0; i < kept; i++)
        free(paths[i]);
    free(paths);
    return (size_t)kept;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    const bool full = getenv("ETNA_FULL") != NULL;
    const size_t prefixes = full ? 256 : 64;
    unsigned long rounds = full ? 40000 : 500;
    if (argc > 1)
        rounds = strtoul(argv[1], &end, 10);
    if (argc > 1 && *end)
        return replay(argc - 1, argv + 1);
    size_t known = replay_corpus();
    fuzz_seeds(add);
    uint8_t *data = malloc(INPUT_MAX + 16);
    if (!data || seed_count == 0)
        return 4;
    etna_random random = etna_random_from(20);
    for (size_t s = 0; s < seed_count; s++) {
        try_input(seeds[s].data, seeds[s].size);
        size_t step = seeds[s].size / prefixes + 1;
        for (size_t n = 0; n < seeds[s].size; n += step)
            try_input(seeds[s].data, n);
    }
    for (unsigned long i = 0; i < rounds; i++) {
        size_t s = etna_random_below(&random, seed_count);
        if (seeds[s].size)
            memcpy(data, seeds[s].data, seeds[s].size);
        try_input(data, mutate(&random, data, seeds[s].size));
    }
    printf("%zu inputs of the corpus, %zu seeds, %lu mutations\n", known,
           seed_count, rounds);
    for (size_t s = 0; s < seed_count; s++)
        free(seeds[s].data);
    free(data);
    return 0;
}
