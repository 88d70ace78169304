/* An asset's model, read anew from where it lies, as it is brought into a
 * scene. */
#ifndef ETNA_WORKER_ASSETS_FETCH_H
#define ETNA_WORKER_ASSETS_FETCH_H

#include "worker/assets/asset.h"

typedef struct asset_model { /* all zero is empty */
    uint8_t *glb;            /* self-contained, as it was indexed */
    size_t size;
    double unit;           /* metres of its unit */
    bool z_up;             /* in the GLB */
    double min[3], max[3]; /* metres, Y up */
} asset_model;

/* ETNA_E_INPUT: its file is gone, cannot be read, or is not what was indexed.
 * Must be called while the process has one thread (it forks). Free with
 * asset_model_free. */
etna_code asset_fetch(const asset *a, asset_model *ret, etna_error *err);
void asset_model_free(asset_model *model);

#endif
