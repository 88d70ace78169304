/* Cameras around an asset, and their pictures side by side. */
#include "worker/assets/views.h"
#include "worker/math/vec.h"

#include <stdlib.h>
#include <string.h>

/* of the picture's height that the asset's diagonal takes, from that many
 * diagonals away */
static const double SHARE = 0.86, AWAY = 2.5;

const char *const assets_view_names[ASSETS_VIEWS] = {
    "front", "from the right", "from behind", "from above, at an angle"};

/* Degrees; 0 is the front, 90 the right of who looks at it from there. */
static const double turns[ASSETS_VIEWS][2] = {
    {0, 0}, {90, 0}, {180, 0}, {35, 30}};

/* All lengths are the asset's own diagonals, so that a spoon fills its picture
 * as a wardrobe does. half_height is the tangent of half the angle. */
static scene_camera camera_at(const scene *s, const double turn[2])
{
    double sa, ca, se, ce;
    const vec3 centre = v3_scale(v3_add(s->min, s->max), 0.5);
    double diagonal = v3_length(v3_sub(s->max, s->min));
    math_sincos(turn[0] * (MATH_PI / 180), &sa, &ca);
    math_sincos(turn[1] * (MATH_PI / 180), &se, &ce);
    const vec3 back = v3(ce * sa, -ce * ca, se);
    scene_camera camera = {.name = "view",
                           .aspect = 1,
                           .half_height = 0.5 / SHARE / AWAY,
                           .near_clip = 0.01 * diagonal};
    camera.position = v3_add_scaled(centre, back, AWAY * diagonal);
    camera.forward = v3_scale(back, -1);
    camera.right = v3_normal(v3_cross(camera.forward, v3(0, 0, 1)));
    camera.up = v3_cross(camera.right, camera.forward);
    return camera;
}

/* Copies a view to its quarter of the sheet. */
static void sheet_put(view_image *sheet, const view_image *one, uint32_t place)
{
    size_t row = 3u * (size_t)one->width;
    uint32_t x = (place % 2) * one->width;
    uint32_t y = (place / 2) * one->height;
    for (uint32_t i = 0; i < one->height; i++)
        memcpy(sheet->rgb + 3 * ((size_t)(y + i) * sheet->width + x),
               one->rgb + i * row, row);
}

static etna_code sheet_draw(space *sp,
                            uint32_t side,
                            uint32_t threads,
                            view_image *sheet,
                            etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < ASSETS_VIEWS; i++) {
        const scene_camera camera = camera_at(space_scene(sp), turns[i]);
        view_image one = {0};
        code = view_render(sp, &camera, side, side, threads, &one, err);
        if (code == ETNA_OK)
            sheet_put(sheet, &one, i);
        view_image_free(&one);
    }
    return code;
}

etna_code assets_views(space *sp,
                       uint32_t side,
                       uint32_t threads,
                       view_image *ret,
                       etna_error *err)
{
    view_image sheet = {.width = 2 * side, .height = 2 * side};
    sheet.rgb = calloc(12u * side, side);
    etna_code code =
        sheet.rgb ? sheet_draw(sp, side, threads, &sheet, err)
                  : etna_fail(err, ETNA_E_NOMEM, "no memory for the views");
    if (code == ETNA_OK)
        *ret = sheet;
    else
        view_image_free(&sheet);
    return code;
}

/* By one thread: several models are read at once. */
etna_code assets_views_png(scene *s,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    space_shared *shared = NULL;
    space *sp = NULL;
    view_image sheet = {0};
    etna_code code = space_share(s, &shared, err);
    if (code == ETNA_OK)
        code = space_new(shared, &sp, err);
    if (code == ETNA_OK)
        code = assets_views(sp, ASSETS_VIEW_SIDE, 1, &sheet, err);
    if (code == ETNA_OK)
        code = view_encode_png(&sheet, ret, ret_size, err);
    view_image_free(&sheet);
    space_free(sp);
    space_shared_free(shared);
    return code;
}
