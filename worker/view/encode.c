/* PNG and JPEG to memory. Both libraries report errors by longjmp; everything that must be freed lives in a struct that
 * is not changed as a local between setjmp and longjmp. */
#include "worker/view/view.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct buffer {
    uint8_t *data;
    size_t size, room;
} buffer;

static void png_put(png_structp png, png_bytep data, png_size_t size)
{
    buffer *b = png_get_io_ptr(png);
    if (size > b->room - b->size) {
        size_t room = b->room + size + b->room / 2 + 65536;
        uint8_t *grown = realloc(b->data, room);
        if (!grown) png_error(png, "out of memory");
        b->data = grown;
        b->room = room;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void png_flush_nothing(png_structp png)
{
    (void)png;
}

static void png_fail(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void png_hush(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

typedef struct png_job {
    png_structp png;
    png_infop info;
    buffer out;
} png_job;

static bool png_run(png_job *job, const view_image *image)
{
    job->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_fail, png_hush);
    job->info = job->png ? png_create_info_struct(job->png) : NULL;
    if (!job->info) return false;
    if (setjmp(png_jmpbuf(job->png))) return false;
    png_set_write_fn(job->png, &job->out, png_put, png_flush_nothing);
    png_set_IHDR(job->png, job->info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(job->png, 3);
    png_set_filter(job->png, 0, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_set_sRGB(job->png, job->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(job->png, job->info);
    for (uint32_t y = 0; y < image->height; y++) png_write_row(job->png, image->rgb + 3 * (size_t)y * image->width);
    png_write_end(job->png, NULL);
    return true;
}

etna_code view_encode_png(const view_image *image, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    png_job job = {0};
    if (!image->rgb || image->width == 0 || image->height == 0)
        return etna_fail(err, ETNA_E_INTERNAL, "an empty image cannot be encoded");
    bool done = png_run(&job, image);
    png_destroy_write_struct(&job.png, &job.info);
    if (!done) {
        free(job.out.data);
        return etna_fail(err, ETNA_E_NOMEM, "a PNG of %u x %u pixels could not be written: out of memory", image->width,
                         image->height);
    }
    *ret_data = job.out.data;
    *ret_size = job.out.size;
    return ETNA_OK;
}

typedef struct jpeg_job {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;   /* libjpeg knows it by address */
    struct jpeg_destination_mgr to; /* ours: libjpeg's own leaks or frees twice when it fails after growing */
    jmp_buf back;
    buffer out;
} jpeg_job;

static void jpeg_grow(j_compress_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    size_t room = job->out.room * 2 + 65536;
    uint8_t *grown = realloc(job->out.data, room);
    if (!grown) longjmp(job->back, 1);
    job->to.next_output_byte = grown + job->out.size;
    job->to.free_in_buffer = room - job->out.size;
    job->out.data = grown;
    job->out.room = room;
}

static boolean jpeg_full(j_compress_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    job->out.size = job->out.room; /* libjpeg calls only when all is used */
    jpeg_grow(jpeg);
    return TRUE;
}

static void jpeg_end(j_compress_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    job->out.size = job->out.room - job->to.free_in_buffer;
}

static void jpeg_fail(j_common_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    longjmp(job->back, 1);
}

static void jpeg_hush(j_common_ptr jpeg)
{
    (void)jpeg;
}

static bool jpeg_run(jpeg_job *job, const view_image *image, int quality)
{
    job->jpeg.err = jpeg_std_error(&job->errors);
    job->errors.error_exit = jpeg_fail;
    job->errors.output_message = jpeg_hush;
    job->jpeg.client_data = job;
    if (setjmp(job->back)) return false;
    jpeg_create_compress(&job->jpeg);
    job->to.init_destination = jpeg_grow;
    job->to.empty_output_buffer = jpeg_full;
    job->to.term_destination = jpeg_end;
    job->jpeg.dest = &job->to;
    job->jpeg.image_width = image->width;
    job->jpeg.image_height = image->height;
    job->jpeg.input_components = 3;
    job->jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&job->jpeg);
    jpeg_set_quality(&job->jpeg, quality < 1 ? 1 : quality > 100 ? 100 : quality, TRUE);
    jpeg_start_compress(&job->jpeg, TRUE);
    while (job->jpeg.next_scanline < job->jpeg.image_height) {
        JSAMPROW row = image->rgb + 3 * (size_t)job->jpeg.next_scanline * image->width;
        jpeg_write_scanlines(&job->jpeg, &row, 1);
    }
    jpeg_finish_compress(&job->jpeg);
    return true;
}

etna_code view_encode_jpeg(const view_image *image, int quality, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    jpeg_job *job = calloc(1, sizeof *job);
    if (!job) return etna_fail(err, ETNA_E_NOMEM, "no memory to write a JPEG");
    if (!image->rgb || image->width == 0 || image->height == 0) {
        free(job);
        return etna_fail(err, ETNA_E_INTERNAL, "an empty image cannot be encoded");
    }
    bool done = jpeg_run(job, image, quality);
    jpeg_destroy_compress(&job->jpeg);
    buffer out = job->out;
    free(job);
    if (!done) {
        free(out.data);
        return etna_fail(err, ETNA_E_NOMEM, "a JPEG of %u x %u pixels could not be written: out of memory",
                         image->width, image->height);
    }
    *ret_data = out.data;
    *ret_size = out.size;
    return ETNA_OK;
}
