/* PNG, JPEG and WebP to 8-bit RGBA. The pictures are hostile: sizes are checked
 * before anything is allocated, the decoders' errors come back by longjmp and
 * end as "unreadable". Colour profiles and gamma are ignored, as glTF asks; the
 * integer inverse DCT gives the same bytes on every machine. */
#include "worker/scene/scene_internal.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#include <jpeglib.h>

/* texels a side that are kept: pictures are drawn at 1,024 pixels or fewer */
enum {
    KEPT_SIDE = 2048
};
#define PIXELS_MAX ((uint64_t)1 << 26) /* 256 MiB while decoding */

static bool texture_size_fits(uint64_t width, uint64_t height)
{
    if (width > SCENE_TEXTURE_SIDE_MAX || height > SCENE_TEXTURE_SIDE_MAX)
        return false;
    return width > 0 && height > 0 && width * height <= PIXELS_MAX;
}

/* ---- PNG ---- */

/* lives outside the functions that setjmp, so that longjmp cannot lose it */
typedef struct picture {
    const uint8_t *data;
    size_t size, at;
    uint32_t width, height;
    unsigned scale; /* of a JPEG: 1 or 8, what its sides are divided by */
    uint8_t *rgba;
    png_bytep *rows;
    jmp_buf back;
} picture;

static void png_fail(png_structp png, png_const_charp text)
{
    (void)text;
    picture *p = png_get_error_ptr(png);
    longjmp(p->back, 1);
}

static void png_quiet(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void png_take(png_structp png, png_bytep out, png_size_t size)
{
    picture *p = png_get_io_ptr(png);
    if (size > p->size - p->at) {
        png_error(png, "truncated");
    }
    memcpy(out, p->data + p->at, size);
    p->at += size;
}

/* All forms become 8-bit RGBA: palettes are expanded, 16 bits cut, greys
 * widened, alpha added. After the setjmp only `p` is written to, which longjmp
 * cannot lose. */
static bool png_rows(picture *p, png_structp png, png_infop info)
{
    if (setjmp(p->back)) {
        return false;
    }
    png_set_read_fn(png, p, png_take);
    png_set_user_limits(png, SCENE_TEXTURE_SIDE_MAX, SCENE_TEXTURE_SIDE_MAX);
    png_read_info(png, info);
    p->width = png_get_image_width(png, info);
    p->height = png_get_image_height(png, info);
    if (!texture_size_fits(p->width, p->height)) {
        return false;
    }
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)p->width * 4) {
        return false;
    }
    p->rgba = calloc((size_t)p->width * p->height, 4);
    p->rows = calloc(p->height, sizeof *p->rows);
    if (!p->rgba || !p->rows) {
        return false;
    }
    for (uint32_t y = 0; y < p->height; y++) {
        p->rows[y] = p->rgba + (size_t)y * p->width * 4;
    }
    png_read_image(png, p->rows);
    return true;
}

static bool decode_png(picture *p)
{
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, p, png_fail, png_quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && png_rows(p, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    free(p->rows);
    return ok;
}

/* ---- JPEG ---- */

typedef struct jpeg_guard {
    struct jpeg_error_mgr base;
    picture *p;
} jpeg_guard;

static void texture_jpeg_fail(j_common_ptr cinfo)
{
    jpeg_guard *guard = (jpeg_guard *)(void *)cinfo->err;
    longjmp(guard->p->back, 1);
}

static void jpeg_quiet(j_common_ptr cinfo)
{
    (void)cinfo;
}
static void jpeg_count(
    j_common_ptr cinfo,
    /* warnings are data errors: many of them mean a damaged picture */
    int level)
{
    if (level < 0 && ++cinfo->err->num_warnings > 1000) {
        texture_jpeg_fail(cinfo);
    }
}

static bool jpeg_rows(picture *p, struct jpeg_decompress_struct *cinfo)
{
    if (setjmp(p->back)) {
        return false;
    }
    jpeg_mem_src(cinfo, p->data, (unsigned long)p->size);
    jpeg_read_header(cinfo, TRUE);
    if (!texture_size_fits(cinfo->image_width, cinfo->image_height) ||
        cinfo->num_components == 4) {
        return false; /* four are CMYK, which glTF does not know */
    }
    cinfo->out_color_space = JCS_RGB;
    cinfo->dct_method = JDCT_ISLOW;
    cinfo->scale_num = 1;
    cinfo->scale_denom = p->scale;
    jpeg_start_decompress(cinfo);
    p->width = cinfo->output_width;
    p->height = cinfo->output_height;
    p->rgba = texture_size_fits(p->width, p->height)
                  ? calloc((size_t)p->width * p->height, 4)
                  : NULL;
    if (!p->rgba || cinfo->output_components != 3) {
        return false;
    }
    while (cinfo->output_scanline < p->height) {
        uint8_t *row = p->rgba + (size_t)cinfo->output_scanline * p->width * 4;
        JSAMPROW rows[1] = {row};
        if (jpeg_read_scanlines(cinfo, rows, 1) != 1) {
            return false;
        }
        /* RGB to RGBA in place, from the end */
        for (uint32_t x = p->width; x-- > 0;) {
            uint8_t r = row[3 * (size_t)x];
            uint8_t g = row[3 * (size_t)x + 1];
            uint8_t b = row[3 * (size_t)x + 2];
            row[4 * (size_t)x] = r;
            row[4 * (size_t)x + 1] = g;
            row[4 * (size_t)x + 2] = b;
            row[4 * (size_t)x + 3] = 255;
        }
    }
    return true;
}

static bool decode_jpeg(picture *p)
{
    struct jpeg_decompress_struct cinfo;
    jpeg_guard guard = {.p = p};
    memset(&cinfo, 0, sizeof cinfo);
    cinfo.err = jpeg_std_error(&guard.base);
    guard.base.error_exit = texture_jpeg_fail;
    guard.base.output_message = jpeg_quiet;
    guard.base.emit_message = jpeg_count;
    if (setjmp(p->back)) {
        return false;
    }
    jpeg_create_decompress(&cinfo);
    bool ok = jpeg_rows(p, &cinfo);
    jpeg_destroy_decompress(&cinfo);
    return ok;
}

/* ---- WebP ---- */

/* A still picture, lossy or not; the first of an animation is none. */
static bool decode_webp(picture *p)
{
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(p->data, p->size, &features) != VP8_STATUS_OK ||
        features.has_animation)
        return false;
    if (features.width < 1 || features.height < 1)
        return false;
    if (!texture_size_fits((uint64_t)features.width,
                           (uint64_t)features.height)) {
        return false;
    }
    p->width = (uint32_t)features.width;
    p->height = (uint32_t)features.height;
    size_t bytes = (size_t)p->width * p->height * 4;
    p->rgba = calloc(1, bytes);
    return p->rgba && WebPDecodeRGBAInto(p->data, p->size, p->rgba, bytes,
                                         (int)p->width * 4) != NULL;
}

/* ---- all ---- */

/* Half the size, each texel the rounded mean of up to four. */
static void picture_halve(picture *p)
{
    uint32_t width = (p->width + 1) / 2;
    uint32_t height = (p->height + 1) / 2;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t x0 = 2 * x;
            uint32_t y0 = 2 * y;
            uint32_t x1 = x0 + 1 < p->width ? x0 + 1 : x0;
            uint32_t y1 = y0 + 1 < p->height ? y0 + 1 : y0;
            const uint8_t *a = p->rgba + 4 * ((size_t)y0 * p->width + x0);
            const uint8_t *b = p->rgba + 4 * ((size_t)y0 * p->width + x1);
            const uint8_t *c = p->rgba + 4 * ((size_t)y1 * p->width + x0);
            const uint8_t *d = p->rgba + 4 * ((size_t)y1 * p->width + x1);
            uint8_t mean[4];
            for (int k = 0; k < 4; k++) {
                mean[k] = (uint8_t)((a[k] + b[k] + c[k] + d[k] + 2) / 4);
            }
            memcpy(p->rgba + 4 * ((size_t)y * width + x), mean,
                   4); /* never ahead of what is still read */
        }
    }
    p->width = width;
    p->height = height;
}

/* By its first bytes; 12 is the shortest that any of them needs. */
static bool picture_decode(picture *p)
{
    static const uint8_t jpeg[2] = {0xff, 0xd8};
    if (p->size < 12) {
        return false;
    }
    if (png_sig_cmp(p->data, 0, 8) == 0) {
        return decode_png(p);
    }
    if (memcmp(p->data, jpeg, sizeof jpeg) == 0) {
        return decode_jpeg(p);
    }
    return memcmp(p->data, "RIFF", 4) == 0 &&
           memcmp(p->data + 8, "WEBP", 4) == 0 && decode_webp(p);
}

/* A JPEG is decoded at an eighth of its size: a mean needs no more. */
bool texture_mean(const uint8_t *data, size_t size, double ret[3])
{
    picture p = {.data = data, .size = size, .scale = 8};
    uint64_t sums[3] = {0, 0, 0};
    bool ok = picture_decode(&p);
    uint64_t count = (uint64_t)p.width * p.height;
    for (uint64_t i = 0; ok && i < count; i++) {
        for (int k = 0; k < 3; k++) {
            sums[k] += p.rgba[4 * i + (uint64_t)k];
        }
    }
    free(p.rgba);
    for (int k = 0; ok && k < 3; k++) {
        ret[k] = (double)sums[k] / (double)count;
    }
    return ok;
}

bool texture_decode(const uint8_t *data,
                    size_t size,
                    uint32_t *ret_width,
                    uint32_t *ret_height,
                    uint8_t **ret_rgba)
{
    picture p = {.data = data, .size = size, .scale = 1};
    bool ok = picture_decode(&p);
    if (!ok) {
        free(p.rgba);
        return false;
    }
    while (p.width > KEPT_SIDE || p.height > KEPT_SIDE) {
        picture_halve(&p);
    }
    uint8_t *fit = realloc(p.rgba, (size_t)p.width * p.height * 4);
    *ret_rgba = fit ? fit : p.rgba;
    *ret_width = p.width;
    *ret_height = p.height;
    return true;
}
