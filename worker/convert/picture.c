/* stb_image reads what PNG and JPEG are not; libpng writes. */
#include "worker/convert/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Warnings about unused functions come at the end of the file, behind any pop:
 * stb_image has functions that we left out. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wsign-compare"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_PNG
#define STBI_NO_JPEG
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

static bool picture_is_opaque(const uint8_t *rgba, size_t texels)
{
    for (size_t i = 0; i < texels; i++) {
        if (rgba[4 * i + 3] != 255)
            return false;
    }
    return true;
}

/* Sides are bounded, so sizes cannot overflow. */
bool picture_from_rgba(const uint8_t *rgba,
                       uint32_t width,
                       uint32_t height,
                       picture *ret)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = width,
                       .height = height,
                       .format = PNG_FORMAT_RGBA,
                       .flags = PNG_IMAGE_FLAG_FAST};
    if (width == 0 || width > STBI_MAX_DIMENSIONS)
        return false;
    if (height == 0 || height > STBI_MAX_DIMENSIONS)
        return false;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *data = malloc(size);
    if (!data ||
        !png_image_write_to_memory(&image, data, &size, 0, rgba, 0, NULL)) {
        free(data);
        return false;
    }
    *ret = (picture){.mime = "image/png",
                     .data = data,
                     .size = size,
                     .owned = data,
                     .alpha = !picture_is_opaque(rgba, (size_t)width * height)};
    return true;
}

/* By the header: whether the colour type has alpha, or a tRNS chunk stands
 * before the pixels. */
static bool png_has_alpha(const uint8_t *data, size_t size)
{
    if (size < 33)
        return false;
    if (data[25] == 4 || data[25] == 6)
        return true;
    for (size_t at = 33; at + 12 <= size;) {
        size_t length = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 |
                        (size_t)data[at + 2] << 8 | data[at + 3];
        if (memcmp(data + at + 4, "tRNS", 4) == 0)
            return true;
        if (memcmp(data + at + 4, "IDAT", 4) == 0 || length > size - at - 12)
            return false;
        at += length + 12;
    }
    return false;
}

/* PNG and JPEG go into the GLB as they are; only what glTF does not know is
 * decoded and written again. */
bool picture_convert(const uint8_t *data, size_t size, picture *ret)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    int width, height, channels;
    if (size >= 8 && memcmp(data, png, 8) == 0) {
        *ret = (picture){.mime = "image/png",
                         .data = data,
                         .size = size,
                         .alpha = png_has_alpha(data, size)};
        return true;
    }
    if (size >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0) {
        *ret = (picture){.mime = "image/jpeg", .data = data, .size = size};
        return true;
    }
    if (size > INT32_MAX)
        return false;
    uint8_t *rgba =
        stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4);
    bool ok =
        rgba && picture_from_rgba(rgba, (uint32_t)width, (uint32_t)height, ret);
    stbi_image_free(rgba);
    return ok;
}
