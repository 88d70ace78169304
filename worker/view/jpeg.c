/* JPEG to memory. The library reports errors by longjmp; everything that must
 * be freed lives in a struct that is not changed as a local between setjmp and
 * longjmp. */
#include "worker/view/view.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct buffer {
    uint8_t *data;
    size_t size, room;
} buffer;

typedef struct jpeg_job {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors; /* libjpeg knows it by address */
    /* ours: libjpeg's own leaks or frees twice when it fails after growing */
    struct jpeg_destination_mgr to;
    jmp_buf back;
    buffer out;
} jpeg_job;

/* Doubles the room and tells libjpeg where to go on. Also called at the start,
 * for the first block. */
static void jpeg_grow(j_compress_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    size_t room = job->out.room * 2 + 65536;
    uint8_t *grown = realloc(job->out.data, room);
    if (!grown)
        longjmp(job->back, 1);
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

/* What of the room was left is no data. */
static void jpeg_end(j_compress_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    job->out.size = job->out.room - job->to.free_in_buffer;
}

/* Instead of the library's exit(). */
static void jpeg_fail(j_common_ptr jpeg)
{
    jpeg_job *job = jpeg->client_data;
    longjmp(job->back, 1);
}

/* Warnings go nowhere: standard error is the program's own. */
static void jpeg_hush(j_common_ptr jpeg)
{
    (void)jpeg;
}

/* False: it failed, and jpeg_destroy_compress is still due. Nothing local is
 * changed after setjmp. */
static bool jpeg_run(jpeg_job *job, const view_image *image, int quality)
{
    job->jpeg.err = jpeg_std_error(&job->errors);
    job->errors.error_exit = jpeg_fail;
    job->errors.output_message = jpeg_hush;
    job->jpeg.client_data = job;
    if (setjmp(job->back))
        return false;
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
    jpeg_set_quality(&job->jpeg, (int)math_clamp(quality, 1, 100), TRUE);
    jpeg_start_compress(&job->jpeg, TRUE);
    while (job->jpeg.next_scanline < job->jpeg.image_height) {
        JSAMPROW row =
            image->rgb + 3 * (size_t)job->jpeg.next_scanline * image->width;
        jpeg_write_scanlines(&job->jpeg, &row, 1);
    }
    jpeg_finish_compress(&job->jpeg);
    return true;
}

/* quality 1 to 100. *ret_data is malloc'd and the caller's. Only memory can
 * fail, since the image is our own. */
etna_code view_encode_jpeg(const view_image *image,
                           int quality,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    jpeg_job *job = calloc(1, sizeof *job);
    if (!job)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to write a JPEG");
    if (!image->rgb || image->width == 0 || image->height == 0) {
        free(job);
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an empty image cannot be encoded");
    }
    bool done = jpeg_run(job, image, quality);
    jpeg_destroy_compress(&job->jpeg);
    buffer out = job->out;
    free(job);
    if (!done) {
        free(out.data);
        return etna_fail(
            err, ETNA_E_NOMEM,
            "a JPEG of %u x %u pixels could not be written: out of memory",
            image->width, image->height);
    }
    *ret_data = out.data;
    *ret_size = out.size;
    return ETNA_OK;
}
