/* PNG to memory. Pictures here are smooth with hard edges, and there the rule
 * is simple: Paeth's prediction in every row leaves so little that looking for
 * repetitions other than runs makes files larger, not smaller, and takes twice
 * the time. libpng reports errors by longjmp; everything that must be freed
 * lives in a struct that is not changed as a local between setjmp and
 * longjmp. */
#include "worker/view/view.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LEVEL = 1,        /* of zlib's compression */
    AT_ONCE = 1 << 18 /* bytes of its output */
};

typedef struct png_job {
    png_structp png;
    png_infop info;
    uint8_t *data;
    size_t size, room;
} png_job;

/* Grows by half of what there is, so that copying stays linear. */
static void png_job_put(png_structp png, png_bytep data, png_size_t size)
{
    png_job *job = png_get_io_ptr(png);
    if (size > job->room - job->size) {
        size_t room = job->room + size + job->room / 2 + AT_ONCE;
        uint8_t *grown = realloc(job->data, room);
        if (!grown)
            png_error(png, "out of memory");
        job->data = grown;
        job->room = room;
    }
    memcpy(job->data + job->size, data, size);
    job->size += size;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void png_job_fail(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void png_job_ignore(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* False: it failed, and the caller destroys the structs. Nothing local is
 * changed after setjmp. */
static bool write_image(png_job *job, const view_image *image)
{
    job->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL,
                                       png_job_fail, png_job_ignore);
    job->info = job->png ? png_create_info_struct(job->png) : NULL;
    if (!job->info)
        return false;
    if (setjmp(png_jmpbuf(job->png)))
        return false;
    png_set_write_fn(job->png, job, png_job_put, flush_nothing);
    png_set_user_limits(job->png, 2 * VIEW_SIDE_MAX, 2 * VIEW_SIDE_MAX);
    png_set_IHDR(job->png, job->info, image->width, image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(job->png, LEVEL);
    png_set_compression_strategy(job->png, Z_RLE);
    png_set_compression_buffer_size(job->png, AT_ONCE);
    png_set_filter(job->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_set_sRGB(job->png, job->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(job->png, job->info);
    for (uint32_t y = 0; y < image->height; y++)
        png_write_row(job->png, image->rgb + 3 * (size_t)y * image->width);
    png_write_end(job->png, NULL);
    return true;
}

/* *ret_data is malloc'd and the caller's. An image may be twice VIEW_SIDE_MAX
 * high: a crop beneath. */
etna_code view_encode_png(const view_image *image,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err)
{
    png_job job = {0};
    if (!image->rgb || image->width == 0 || image->height == 0)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an empty image cannot be encoded");
    if (image->width > 2 * VIEW_SIDE_MAX || image->height > 2 * VIEW_SIDE_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "an image of %u x %u pixels is too large to be encoded: give a smaller --size",
            image->width, image->height);
    bool done = write_image(&job, image);
    png_destroy_write_struct(&job.png, &job.info);
    if (!done) {
        free(job.data);
        return etna_fail(
            err, ETNA_E_NOMEM,
            "a PNG of %u x %u pixels could not be written: out of memory",
            image->width, image->height);
    }
    *ret_data = job.data;
    *ret_size = job.size;
    return ETNA_OK;
}
