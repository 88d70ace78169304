/* An asset's four views as a file. */
#ifndef ETNA_WORKER_CLI_ASSETS_SHEET_H
#define ETNA_WORKER_CLI_ASSETS_SHEET_H

#include "worker/assets/shelf.h"

/* As they were drawn when it was read, where `side` is ASSETS_VIEW_SIDE and the
 * shelf of the store has them; else the model is read anew and drawn. What was
 * left out has none: ETNA_E_INPUT. Must be called while the process has one
 * thread. */
etna_code assets_sheet_write(const char *store,
                             const asset *a,
                             const char *path,
                             uint32_t side,
                             etna_error *err);

#endif
