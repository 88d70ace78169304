/* Step images for report.html: small enough to be sent by mail. */
#ifndef ETNA_COORDINATOR_REPORT_REPORT_PICTURE_H
#define ETNA_COORDINATOR_REPORT_REPORT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* at most, so that a pair takes less than 300 KB as text */
    REPORT_PICTURE_BYTES = 110 << 10,
    REPORT_PICTURE_PIXELS = 1 << 26
};

typedef struct report_picture { /* all zero: there is none */
    uint8_t *data;              /* malloc'd */
    size_t size;
    uint32_t width, height;
    const char *mime; /* static */
} report_picture;

/* A PNG as WebP; where it cannot be made one (its pixels cannot be read, or
 * memory ends), the PNG itself, as it came. Takes `png`, which is malloc'd.
 * False, and freed: it is no PNG. */
bool report_picture_make(uint8_t *png, size_t size, report_picture *ret);
void report_picture_free(report_picture *one);

#endif
