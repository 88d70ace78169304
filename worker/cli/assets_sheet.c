/* See assets_sheet.h. */
#include "worker/cli/assets_sheet.h"
#include "proto/cpus.h"
#include "worker/assets/fetch.h"
#include "worker/assets/views.h"
#include "worker/cli/assets.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <stdlib.h>

/* The model as a scene of its own. */
static etna_code sheet_load(const asset *a, loaded_scene *ret, etna_error *err)
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

static etna_code sheet_draw(const asset *a,
                            const char *path,
                            uint32_t side,
                            etna_error *err)
{
    loaded_scene loaded = {0};
    view_image sheet = {0};
    uint8_t *png = NULL;
    size_t size = 0;
    etna_code code = sheet_load(a, &loaded, err);
    if (code == ETNA_OK)
        code = assets_views(loaded.space, side, cpus_usable(), &sheet, err);
    if (code == ETNA_OK)
        code = view_encode_png(&sheet, &png, &size, err);
    if (code == ETNA_OK)
        code = load_write(path, png, size, err);
    free(png);
    view_image_free(&sheet);
    load_scene_free(&loaded);
    return code;
}

/* A shelf_look. */
static etna_code sheet_copy(void *context,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err)
{
    return load_write(context, data, size, err);
}

etna_code assets_sheet_write(const char *store,
                             const asset *a,
                             const char *path,
                             uint32_t side,
                             etna_error *err)
{
    shelf *s = NULL;
    if (a->fault[0])
        return etna_fail(err, ETNA_E_INPUT, "%.200s was left out: %s", a->path,
                         a->fault);
    etna_code code = load_check_output(path, a->path, err);
    if (code == ETNA_OK && side != ASSETS_VIEW_SIDE)
        return sheet_draw(a, path, side, err);
    if (code == ETNA_OK)
        code = assets_open(store, false, &s, err);
    if (code == ETNA_OK)
        code = shelf_with_views(s, &a->hash, sheet_copy,
                                (void *)(uintptr_t)path, err);
    shelf_close(s);
    return code == ETNA_E_NOTFOUND ? sheet_draw(a, path, side, err) : code;
}
