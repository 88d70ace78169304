/* Reading a model as its scan did (scan_models.c), so that its hash comes out
 * the same. */
#include "worker/assets/fetch.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static etna_code fetch_library(const asset *a,
                               asset_model *ret,
                               scene **ret_scene,
                               etna_error *err)
{
    char path[4200];
    uint8_t *bundle = NULL;
    size_t size = 0;
    scene_options options = scene_options_default();
    options.metres_per_unit = 1;
    options.up = 'Y';
    snprintf(path, sizeof path, "%s#%u", a->path, a->number);
    etna_code code = convert_file(path, NULL, &ret->glb, &ret->size, err);
    if (code == ETNA_OK)
        code = bundle_around(ret->glb, ret->size, NULL, 0, &options, &bundle,
                             &size, err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, ret_scene, err);
    free(bundle);
    return code;
}

/* A file that is indexed as an asset is exported as a GLB of its base state:
 * self-contained, without what lies beside it. */
static etna_code fetch_file(const asset *a,
                            asset_model *ret,
                            scene **ret_scene,
                            etna_error *err)
{
    uint8_t *bundle = NULL;
    size_t size = 0;
    snapshot base = {.object_count = 0};
    etna_code code = convert_asset(a->path, &bundle, &size, err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, ret_scene, err);
    if (code == ETNA_OK)
        code = snapshot_base(*ret_scene, &base, err);
    if (code == ETNA_OK)
        code = scene_export_glb(*ret_scene, bundle, size, &base, &ret->glb,
                                &ret->size, err);
    snapshot_free(&base);
    free(bundle);
    return code;
}

/* The scene's box, put back into the file's frame: Z up to Y up, and with the
 * recentring undone, in metres. */
static etna_code fetch_measure(const scene *s,
                               asset_model *ret,
                               etna_error *err)
{
    const vec3 low = v3_add(s->min, s->recentre);
    const vec3 high = v3_add(s->max, s->recentre);
    const double min[3] = {low.x, low.z, -high.y};
    const double max[3] = {high.x, high.z, -low.y};
    ret->unit = s->metres_per_unit;
    ret->z_up = s->up == 'Z';
    for (int k = 0; k < 3; k++) {
        if (!(max[k] - min[k] >= 0 && max[k] - min[k] < 1e3 &&
              fabs(min[k]) < 1e6))
            return etna_fail(
                err, ETNA_E_INPUT,
                "it is empty, or larger than 1 km; its unit may be wrong");
        ret->min[k] = min[k];
        ret->max[k] = max[k];
    }
    return ETNA_OK;
}

/* The hash is compared with the one that was indexed: what is brought into a
 * scene must be what was found, measured and shown, and a file may have changed
 * since. */
etna_code asset_fetch(const asset *a, asset_model *ret, etna_error *err)
{
    asset_model model = {.glb = NULL};
    scene *s = NULL;
    char name[300];
    etna_code code = a->number ? fetch_library(a, &model, &s, err)
                               : fetch_file(a, &model, &s, err);
    if (code == ETNA_OK)
        code = fetch_measure(s, &model, err);
    if (code == ETNA_OK) {
        const etna_hash hash = etna_hash_bytes(model.glb, model.size);
        if (!etna_hash_equal(&hash, &a->hash))
            code = etna_fail(
                err, ETNA_E_INPUT,
                "it is not what was indexed; run `etna assets index` again");
    }
    scene_free(s);
    if (code != ETNA_OK) {
        asset_model_free(&model);
        asset_short_name(a, name, sizeof name);
        return etna_error_prefix(err, "asset %.200s", name);
    }
    *ret = model;
    return ETNA_OK;
}

void asset_model_free(asset_model *model)
{
    free(model->glb);
    *model = (asset_model){.glb = NULL};
}
