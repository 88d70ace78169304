/* The clean image, and the life of images (view.h). */
#include "worker/view/own.h"
#include "worker/view/shade.h"
#include "worker/view/view.h"

#include <stdlib.h>
#include <string.h>

void view_image_free(view_image *image)
{
    if (!image) return;
    free(image->rgb);
    memset(image, 0, sizeof *image);
}

etna_code image_new(uint32_t width, uint32_t height, view_image *ret, etna_error *err)
{
    if (width == 0 || height == 0 || width > 2 * VIEW_SIDE_MAX || height > 2 * VIEW_SIDE_MAX)
        return etna_fail(err, ETNA_E_LIMIT, "an image of %u x %u pixels: sides must be 1 to %d; give a smaller --size",
                         width, height, VIEW_SIDE_MAX);
    uint8_t *rgb = malloc((size_t)width * height * 3);
    if (!rgb)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an image of %u x %u pixels: give a smaller --size", width,
                         height);
    memset(rgb, 255, (size_t)width * height * 3);
    *ret = (view_image){width, height, rgb};
    return ETNA_OK;
}

etna_code image_copy(const view_image *from, view_image *ret, etna_error *err)
{
    view_image copy;
    etna_code code = image_new(from->width, from->height, &copy, err);
    if (code != ETNA_OK) return code;
    memcpy(copy.rgb, from->rgb, (size_t)from->width * from->height * 3);
    *ret = copy;
    return ETNA_OK;
}

etna_code render_window(const space *sp, const scene_camera *camera, const double window[4], uint32_t width,
                        uint32_t height, view_image *ret, etna_error *err)
{
    if (width > VIEW_SIDE_MAX || height > VIEW_SIDE_MAX || width == 0 || height == 0)
        return etna_fail(err, ETNA_E_LIMIT, "an image of %u x %u pixels: sides must be 1 to %d; give a smaller --size",
                         width, height, VIEW_SIDE_MAX);
    double exposure;
    etna_code code = shade_exposure(sp, camera, &exposure, err);
    if (code != ETNA_OK) return code;
    shade_job job = {.sp = sp,
                     .camera = camera,
                     .width = width,
                     .height = height,
                     .x1 = window[0],
                     .y1 = window[1],
                     .x2 = window[2],
                     .y2 = window[3],
                     .only = SCENE_NONE,
                     .exposure = exposure};
    size_t count = (size_t)width * height * 3;
    float *linear = malloc(count * sizeof *linear);
    view_image image = {0};
    shade_encoder encoder;
    if (!linear)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for an image of %u x %u pixels: give a smaller --size", width,
                         height);
    if (code == ETNA_OK) code = image_new(width, height, &image, err);
    if (code == ETNA_OK) code = shade_picture(&job, linear, NULL, err);
    if (code == ETNA_OK) {
        shade_encoder_fill(&encoder);
        for (size_t i = 0; i < count; i++) image.rgb[i] = shade_encode(&encoder, linear[i]);
        *ret = image;
    } else {
        view_image_free(&image);
    }
    free(linear);
    return code;
}

etna_code view_render(const space *sp, const scene_camera *camera, uint32_t width, uint32_t height,
                      view_image *ret_image, etna_error *err)
{
    static const double whole[4] = {0, 0, 1, 1};
    return render_window(sp, camera, whole, width, height, ret_image, err);
}
