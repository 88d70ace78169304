/* An asset as pictures: a sheet of four views. */
#ifndef ETNA_WORKER_CLI_ASSETS_VIEWS_H
#define ETNA_WORKER_CLI_ASSETS_VIEWS_H

#include "worker/assets/asset.h"
#include "worker/view/view.h"

enum {
    ASSETS_VIEWS = 4
};
/* In the order of the sheet: left to right, then the lower row. */
extern const char *const assets_view_names[ASSETS_VIEWS];

/* Each view is `side` pixels high and wide; all are from the same distance, so
 * that sizes compare. The file is read anew: errors as asset_fetch and
 * view_render. Must be called while the process has one thread. */
etna_code assets_views(const asset *a,
                       uint32_t side,
                       view_image *ret,
                       etna_error *err);

#endif
