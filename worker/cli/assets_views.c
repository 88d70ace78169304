/* See assets_views.h. */
#include "worker/cli/assets_views.h"
#include "proto/cpus.h"
#include "worker/assets/fetch.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"
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
    uint32_t x = (place % 2) * one->width, y = (place / 2) * one->height;
    for (uint32_t i = 0; i < one->height; i++)
        memcpy(sheet->rgb + 3 * ((size_t)(y + i) * sheet->width + x),
               one->rgb + i * row, row);
}

static etna_code sheet_draw(const loaded_scene *loaded,
                            uint32_t side,
                            view_image *sheet,
                            etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < ASSETS_VIEWS; i++) {
        const scene_camera camera = camera_at(loaded->scene, turns[i]);
        view_image one = {0};
        code = view_render(loaded->space, &camera, side, side, cpus_usable(),
                           &one, err);
        if (code == ETNA_OK)
            sheet_put(sheet, &one, i);
        view_image_free(&one);
    }
    return code;
}

/* The model as a scene of its own. */
static etna_code asset_load(const asset *a, loaded_scene *ret, etna_error *err)
{
    asset_model model = {.glb = NULL};
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    etna_code code = asset_fetch(a, &model, err);
    options.metres_per_unit = model.unit;
    options.up = model.z_up ? 'Z' : 'Y';
    if (code == ETNA_OK)
        code = bundle_around(model.glb, model.size, NULL, 0, &options, &bundle,
                             &size, err);
    if (code == ETNA_OK)
        code = load_bundle_to_look(a->path, bundle, size, ret, err);
    asset_model_free(&model);
    return code;
}

etna_code assets_views(const asset *a,
                       uint32_t side,
                       view_image *ret,
                       etna_error *err)
{
    loaded_scene loaded = {0};
    view_image sheet = {.width = 2 * side, .height = 2 * side};
    etna_code code = asset_load(a, &loaded, err);
    sheet.rgb = code == ETNA_OK ? calloc(12u * side, side) : NULL;
    if (code == ETNA_OK && !sheet.rgb)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for the views");
    if (code == ETNA_OK)
        code = sheet_draw(&loaded, side, &sheet, err);
    load_scene_free(&loaded);
    if (code == ETNA_OK)
        *ret = sheet;
    else
        view_image_free(&sheet);
    return code;
}
