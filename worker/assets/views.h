/* An asset as pictures: a sheet of four views, drawn when it is read and kept
 * with what was measured of it. For people, and for models that see: nothing
 * that is found or placed depends on a pixel. */
#ifndef ETNA_WORKER_ASSETS_VIEWS_H
#define ETNA_WORKER_ASSETS_VIEWS_H

#include "worker/space/space.h"
#include "worker/view/view.h"

enum {
    ASSETS_VIEWS = 4,
    ASSETS_VIEW_SIDE = 256 /* pixels of one that is kept */
};
/* In the order of the sheet: left to right, then the lower row. */
extern const char *const assets_view_names[ASSETS_VIEWS];

/* Each view is `side` pixels high and wide; all are from the same distance, so
 * that sizes compare. ETNA_E_NOMEM, and what view_render says. */
etna_code assets_views(space *sp,
                       uint32_t side,
                       uint32_t threads,
                       view_image *ret,
                       etna_error *err);
/* The sheet that is kept, as a PNG. Caller frees *ret. */
etna_code assets_views_png(scene *s,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err);

#endif
