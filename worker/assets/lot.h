/* Models as they travel to whoever reads them: a lot is up to LOT_MODELS of
 * them as one blob, each as the bundle that was made of its file where that
 * lies, so that reading a lot needs nothing else. What comes of it is one blob,
 * too: of each model, in the lot's order, its asset's hash and shape and
 * pictures of it, or why there are none. Pure; the same bits everywhere, but
 * for pixels. */
#ifndef ETNA_WORKER_ASSETS_LOT_H
#define ETNA_WORKER_ASSETS_LOT_H

#include "worker/assets/asset.h"

enum {
    LOT_MODELS = 16,
    LOT_BYTES = 32 << 20, /* beyond which no model is added */
};

/* One model, before it is read. */
typedef struct lot_item {
    etna_hash stamp; /* what its scan is kept under */
    /* the asset's hash where the bundle is made around the asset itself; zero:
     * the asset is the file that is exported of it */
    etna_hash known;
    const uint8_t *bundle;
    size_t size;
} lot_item;

/* One model, read. */
typedef struct lot_scan {
    etna_hash stamp, hash;
    const char *fault;    /* "" for a good one */
    asset_shape shape;    /* of a good one */
    const uint8_t *views; /* of a good one: a PNG of views.h; NULL: none */
    size_t views_size;
} lot_scan;

/* Caller frees *ret. ETNA_E_NOMEM. */
etna_code lot_pack(const lot_item *items,
                   uint32_t count,
                   uint8_t **ret,
                   size_t *ret_size,
                   etna_error *err);
/* `items` has room for LOT_MODELS; bundles point into `data`. ETNA_E_INPUT: it
 * is no lot. */
etna_code lot_unpack(const uint8_t *data,
                     size_t size,
                     lot_item *items,
                     uint32_t *ret_count,
                     etna_error *err);

/* What is to be known of each model, as a blob. A model that cannot be read is
 * no error: its fault says why. Caller frees *ret. ETNA_E_INPUT as lot_unpack;
 * ETNA_E_NOMEM. */
etna_code lot_read(const uint8_t *data,
                   size_t size,
                   uint8_t **ret,
                   size_t *ret_size,
                   etna_error *err);
/* `scans` has room for LOT_MODELS; texts live in the arena, views in `data`.
 * ETNA_E_INPUT: that
 * is no such blob. */
etna_code lot_scans(const uint8_t *data,
                    size_t size,
                    etna_arena *arena,
                    lot_scan *scans,
                    uint32_t *ret_count,
                    etna_error *err);

#endif
