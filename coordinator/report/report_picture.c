/* PNG to WebP (see report_picture.h). */
#include "coordinator/report/report_picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

/* WebP's quality, from the first that is tried to the last before the picture is
 * halved; METHOD trades time for bytes. */
enum {
    QUALITY = 84,
    QUALITY_LEAST = 24,
    QUALITY_STEP = 20,
    METHOD = 1 /* 0, fast, to 6 */
};

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/* RGB, three bytes a pixel, malloc'd; NULL: they cannot be read, or are too
 * many. libpng's simplified interface bounds everything by the header, and the
 * header is looked at before anything is allocated. */
static uint8_t *pixels_of(const uint8_t *data,
                          size_t size,
                          uint32_t *ret_width,
                          uint32_t *ret_height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    if (!png_image_begin_read_from_memory(&image, data, size))
        return NULL;
    bool fits = image.width <= WEBP_MAX_DIMENSION &&
                image.height <= WEBP_MAX_DIMENSION &&
                (uint64_t)image.width * image.height <= REPORT_PICTURE_PIXELS;
    image.format = PNG_FORMAT_RGB;
    if (fits)
        pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels && !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        free(pixels);
        pixels = NULL;
    }
    *ret_width = image.width;
    *ret_height = image.height;
    png_image_free(&image);
    return pixels;
}

typedef struct picture_size {
    uint32_t width, height;
} picture_size;

/* Pixels of size `of` as a picture of size `made`. False, with nothing in *ret:
 * it could not be made. */
static bool report_picture_encode(const uint8_t *pixels,
                                  picture_size of,
                                  picture_size made,
                                  int quality,
                                  WebPMemoryWriter *ret)
{
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return false;
    config.quality = (float)quality;
    config.method = METHOD;
    WebPMemoryWriterInit(ret);
    picture.width = (int)of.width;
    picture.height = (int)of.height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = ret;
    bool done = WebPPictureImportRGB(&picture, pixels, 3 * (int)of.width);
    if (made.width < of.width)
        done = done &&
               WebPPictureRescale(&picture, (int)made.width, (int)made.height);
    done = done && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    if (!done)
        WebPMemoryWriterClear(ret);
    return done;
}

/* The best of a few qualities that is small enough; where none is, the same of
 * a picture half as wide. */
static bool encode_small(const uint8_t *pixels,
                         picture_size of,
                         picture_size *ret_made,
                         WebPMemoryWriter *ret)
{
    *ret_made = of;
    for (int quality = QUALITY;; quality -= QUALITY_STEP) {
        if (quality < QUALITY_LEAST) {
            quality = QUALITY;
            ret_made->width = (ret_made->width + 1) / 2;
            ret_made->height = (ret_made->height + 1) / 2;
        }
        if (!report_picture_encode(pixels, of, *ret_made, quality, ret))
            return false;
        if (ret->size <= REPORT_PICTURE_BYTES || ret_made->width < 64)
            return true;
        WebPMemoryWriterClear(ret);
    }
}

bool report_picture_make(uint8_t *png, size_t size, report_picture *ret)
{
    static const uint8_t mark[16] = {0x89, 'P',  'N', 'G', '\r', '\n',
                                     0x1a, '\n', 0,   0,   0,    13,
                                     'I',  'H',  'D', 'R'};
    if (size <= 24 || memcmp(png, mark, sizeof mark) != 0) {
        free(png);
        return false;
    }
    report_picture one = {.data = png,
                          .size = size,
                          .width = big_endian(png + 16),
                          .height = big_endian(png + 20),
                          .mime = "image/png"};
    picture_size of = {0}, now;
    uint8_t *pixels = pixels_of(png, size, &of.width, &of.height);
    WebPMemoryWriter made;
    if (pixels && encode_small(pixels, of, &now, &made)) {
        uint8_t *copy = made.size < size ? malloc(made.size) : NULL;
        if (copy) {
            memcpy(copy, made.mem, made.size);
            free(png);
            one = (report_picture){copy, made.size, now.width, now.height,
                                   "image/webp"};
        }
        WebPMemoryWriterClear(&made);
    }
    free(pixels);
    *ret = one;
    return true;
}

void report_picture_free(report_picture *one)
{
    free(one->data);
    memset(one, 0, sizeof *one);
}
