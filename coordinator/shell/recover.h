/* From the store back into a core: the journal is the run. */
#ifndef ETNA_COORDINATOR_SHELL_RECOVER_H
#define ETNA_COORDINATOR_SHELL_RECOVER_H

#include "coordinator/core/core.h"
#include "store/store.h"

/* Feeds the whole journal of `run`; it then lies dormant in the core.
 * ETNA_E_NOTFOUND when there is no such run, ETNA_E_CORRUPT with the record's
 * number. */
etna_code recover_run(store *s, core *c, const etna_id *run, etna_error *err);

#endif
