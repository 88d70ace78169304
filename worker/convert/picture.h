/* Pictures for a GLB, which holds PNG and JPEG only: those pass as they are,
 * others (TGA, BMP, GIF, PSD, HDR) become PNG. Runs in the converter's child:
 * the decoders meet hostile bytes there. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_PICTURE_H
#define ETNA_WORKER_CONVERT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picture {
    const char *mime; /* static */
    const uint8_t *data;
    size_t size;
    uint8_t *owned; /* free() it; NULL when `data` is the input's */
    bool alpha;     /* some texel is not opaque, or may not be */
} picture;

/* false: no picture of a known kind. */
bool picture_convert(const uint8_t *data, size_t size, picture *ret);
/* The same from texels, 4 bytes each (red, green, blue, alpha), row 0 at the
 * top. */
bool picture_from_rgba(const uint8_t *rgba,
                       uint32_t width,
                       uint32_t height,
                       picture *ret);

#endif
