/* Under libFuzzer, which knows nothing of fuzz_seeds(): with $ETNA_FUZZ_SEEDS
 * the program writes its seeds into that folder and ends; tests/fuzz/run begins
 * its corpus with them. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char *folder;
static unsigned count;

static void write_seed(const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%03u", folder, count++);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(4);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!(folder = getenv("ETNA_FUZZ_SEEDS")))
        return 0;
    fuzz_seeds(write_seed);
    printf("%u seeds\n", count);
    exit(0);
}
