/* Step images for report.html, made small enough that the page can be sent by
 * mail. */
#ifndef ETNA_COORDINATOR_REPORT_REPORT_PICTURE_H
#define ETNA_COORDINATOR_REPORT_REPORT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes of a picture: a pair takes less than 300 KB in base64; more pixels than
 * this are not decoded */
enum {
    /* at most, so that a pair takes less than 300 KB as text */
    REPORT_PICTURE_BYTES = 110 << 10,
    REPORT_PICTURE_PIXELS = 1 << 26
};

/* All zero: there is none. */
typedef struct report_picture {
    uint8_t *data; /* malloc'd */
    size_t size;
    uint32_t width, height;
    const char *mime; /* static */
} report_picture;

/* Makes a PNG a WebP of at most REPORT_PICTURE_BYTES; where that cannot be done
 * (its pixels cannot be read, or memory is short) *ret is the PNG as it came.
 * Takes `png`, which is malloc'd, in every case. False: it is no PNG, and was
 * freed. */
bool report_picture_make(uint8_t *png, size_t size, report_picture *ret);
void report_picture_free(report_picture *one);

#endif
