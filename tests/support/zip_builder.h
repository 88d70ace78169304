/* ZIP archives for tests: entries stored as they are, and sizes that lie where
 * a test wants it. Ends the program when memory does. */
#ifndef ETNA_TESTS_SUPPORT_ZIP_BUILDER_H
#define ETNA_TESTS_SUPPORT_ZIP_BUILDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct zip_builder { /* all zero is empty */
    uint8_t *local, *central;
    size_t local_size, central_size;
    unsigned count;
} zip_builder;

void zip_builder_add(zip_builder *z,
                     const char *name,
                     const void *data,
                     size_t size);
/* The headers say `said` bytes unpacked; method 0 is stored, 8 deflated (then
 * `data` is a deflate stream). */
void zip_builder_add_raw(zip_builder *z,
                         const char *name,
                         const void *data,
                         size_t size,
                         uint32_t said,
                         unsigned method);
/* The archive; the caller frees it. The builder is empty again. */
uint8_t *zip_builder_finish(zip_builder *z, size_t *ret_size);

#endif
