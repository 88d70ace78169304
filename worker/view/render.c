/* The clean image, and the life of images (view.h). */
#include "worker/view/parallel.h"
#include "worker/view/shade.h"
#include "worker/view/tone.h"
#include "worker/view/view.h"
#include "worker/view/view_internal.h"

#include <stdlib.h>
#include <string.h>

void view_image_free(view_image *image)
{
    if (!image)
        return;
    free(image->rgb);
    memset(image, 0, sizeof *image);
}

etna_code view_check_sides(uint32_t width,
                           uint32_t height,
                           uint32_t most,
                           etna_error *err)
{
    bool has_width = width > 0 && width <= most;
    if (has_width && height > 0 && height <= most)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_LIMIT,
        "an image of %u x %u pixels: sides must be 1 to %d; give a smaller --size",
        width, height, VIEW_SIDE_MAX);
}

etna_code view_no_memory(uint32_t width, uint32_t height, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_NOMEM,
        "no memory for an image of %u x %u pixels: give a smaller --size",
        width, height);
}

etna_code image_new(uint32_t width,
                    uint32_t height,
                    view_image *ret,
                    etna_error *err)
{
    etna_code code = view_check_sides(width, height, 2 * VIEW_SIDE_MAX, err);
    if (code != ETNA_OK)
        return code;
    uint8_t *rgb = malloc((size_t)width * height * 3);
    if (!rgb)
        return view_no_memory(width, height, err);
    memset(rgb, 255, (size_t)width * height * 3);
    *ret = (view_image){.width = width, .height = height, .rgb = rgb};
    return ETNA_OK;
}

etna_code image_copy(const view_image *from, view_image *ret, etna_error *err)
{
    view_image copy;
    etna_code code = image_new(from->width, from->height, &copy, err);
    if (code != ETNA_OK)
        return code;
    memcpy(copy.rgb, from->rgb, (size_t)from->width * from->height * 3);
    copy.tone = from->tone;
    copy.beneath = from->beneath;
    *ret = copy;
    return ETNA_OK;
}

/* A plain evening sky in the middle of the tones: white things and black ones
 * both stand out from it, and it leaves the median where the exposure put
 * it. */
static void background(uint32_t y, uint32_t height, float rgb[3])
{
    float down = ((float)y + 0.5f) / (float)height;
    rgb[0] = 0.215f - 0.045f * down;
    rgb[1] = 0.235f - 0.045f * down;
    rgb[2] = 0.275f - 0.045f * down;
}

enum {
    BAND = 16 /* rows */
};

typedef struct finishing {
    const float *linear, *cover;
    view_image *image;
    tone_encoder encoder;
} finishing;

/* From light to bytes: tone, then mixed with the background where things cover
 * a pixel in part. Light was summed over samples, hence the division by
 * cover. */
static void finish_band(void *context, uint32_t band)
{
    const finishing *f = context;
    const view_image *image = f->image;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < image->height;
         y++) {
        float behind[3];
        background(y, image->height, behind);
        for (uint32_t x = 0; x < image->width; x++) {
            size_t at = (size_t)y * image->width + x;
            float rgb[3] = {0, 0, 0};
            float share = f->cover[at];
            if (share > 0) {
                for (size_t k = 0; k < 3; k++)
                    rgb[k] = f->linear[3 * at + k] / share;
                tone_apply(&image->tone, rgb);
            }
            for (size_t k = 0; k < 3; k++)
                image->rgb[3 * at + k] = tone_encode(
                    &f->encoder, share * rgb[k] + (1 - share) * behind[k]);
        }
    }
}

/* In bands, as each needs nothing of the others. */
static void render_finish(const float *linear,
                          const float *cover,
                          uint32_t threads,
                          view_image *image)
{
    finishing f = {.linear = linear, .cover = cover, .image = image};
    tone_encoder_fill(&f.encoder);
    parallel_do(threads, (image->height + BAND - 1) / BAND, finish_band, &f);
}

/* A window of the camera's view as a picture. `tone`: NULL to measure it from
 * this picture; else that of another, so that both compare. */
etna_code render_window(const space *sp,
                        const scene_camera *camera,
                        const double window[4],
                        uint32_t width,
                        uint32_t height,
                        uint32_t threads,
                        const view_tone *tone,
                        view_image *ret,
                        etna_error *err)
{
    etna_code code = view_check_sides(width, height, VIEW_SIDE_MAX, err);
    if (code != ETNA_OK)
        return code;
    shade_job job = {.sp = sp,
                     .camera = camera,
                     .width = width,
                     .height = height,
                     .x1 = window[0],
                     .y1 = window[1],
                     .x2 = window[2],
                     .y2 = window[3],
                     .only = SCENE_NONE,
                     .threads = threads};
    size_t count = (size_t)width * height;
    float *linear = malloc(count * 3 * sizeof *linear);
    float *cover = malloc(count * sizeof *cover);
    view_image image = {0};
    if (!linear || !cover)
        code = view_no_memory(width, height, err);
    if (code == ETNA_OK)
        code = image_new(width, height, &image, err);
    if (code == ETNA_OK)
        code = shade_picture(&job, linear, cover, err);
    if (code == ETNA_OK && tone && tone->exposure > 0)
        image.tone = *tone;
    else if (code == ETNA_OK)
        code = tone_measure(linear, cover, count, &image.tone, err);
    if (code == ETNA_OK) {
        render_finish(linear, cover, threads, &image);
        *ret = image;
    } else {
        view_image_free(&image);
    }
    free(linear);
    free(cover);
    return code;
}

/* The whole view. */
etna_code view_render(const space *sp,
                      const scene_camera *camera,
                      uint32_t width,
                      uint32_t height,
                      uint32_t threads,
                      view_image *ret_image,
                      etna_error *err)
{
    static const double whole[4] = {0, 0, 1, 1};
    return render_window(sp, camera, whole, width, height, threads, NULL,
                         ret_image, err);
}
