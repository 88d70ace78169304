/* Hostile pictures: any bytes as PNG, JPEG or WebP become texels or nothing. */
#include "tests/fuzz/fuzz.h"
#include "worker/scene/scene_internal.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

#include <jpeglib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t width = 0, height = 0, sum = 0;
    uint8_t *rgba = NULL;
    if (texture_decode(data, size, &width, &height, &rgba)) {
        /* every texel is there */
        for (size_t i = 0; i < (size_t)width * height * 4; i++) {
            sum += rgba[i];
        }
        free(rgba);
    }
    return sum == UINT32_MAX;
}

enum {
    SIDE = 20
};

static void add_jpeg(void (*add)(const void *data, size_t size),
                     const uint8_t *rgb,
                     bool progressive)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    unsigned char *data = NULL;
    unsigned long size = 0;
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &data, &size);
    c.image_width = c.image_height = SIDE;
    c.input_components = 3;
    c.in_color_space = JCS_RGB;
    jpeg_set_defaults(&c);
    if (progressive) {
        jpeg_simple_progression(&c);
    }
    jpeg_start_compress(&c, TRUE);
    for (size_t y = 0; y < SIDE; y++) {
        uint8_t row[SIDE * 3];
        JSAMPROW rows[1] = {row};
        memcpy(row, rgb + y * SIDE * 3, sizeof row);
        jpeg_write_scanlines(&c, rows, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    add(data, size);
    free(data);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    uint8_t rgba[SIDE * SIDE * 4], rgb[SIDE * SIDE * 3], *webp = NULL,
                                                         png[16384];
    for (size_t i = 0; i < sizeof rgba; i++) {
        rgba[i] = (uint8_t)(i * i / 5);
    }
    for (size_t i = 0; i < sizeof rgb; i++) {
        rgb[i] = (uint8_t)(i * 3);
    }
    size_t size = WebPEncodeLosslessRGBA(rgba, SIDE, SIDE, SIDE * 4, &webp);
    add(webp, size);
    WebPFree(webp);
    /* with a plane of alpha */
    size = WebPEncodeRGBA(rgba, SIDE, SIDE, SIDE * 4, 70, &webp);
    add(webp, size);
    WebPFree(webp);
    static const uint32_t formats[] = {PNG_FORMAT_RGBA, PNG_FORMAT_RGB,
                                       PNG_FORMAT_GRAY};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        png_image image = {.version = PNG_IMAGE_VERSION,
                           .width = SIDE,
                           .height = SIDE,
                           .format = formats[i]};
        png_alloc_size_t length = sizeof png;
        if (png_image_write_to_memory(&image, png, &length, 0, rgba, 0, NULL)) {
            add(png, length);
        }
    }
    add_jpeg(add, rgb, false);
    add_jpeg(add, rgb, true);
}
