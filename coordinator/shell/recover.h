/* From the store back into a core: the journal is the run. */
#ifndef ETNA_COORDINATOR_SHELL_RECOVER_H
#define ETNA_COORDINATOR_SHELL_RECOVER_H

#include "coordinator/core/core.h"
#include "store/store.h"

/* Feeds the whole journal of `run` to the core, where it then lies dormant: it
 * can be viewed, and goes on after CORE_RESUME. ETNA_E_NOTFOUND: there is no
 * such run; ETNA_E_CORRUPT: a record is decided differently now, its number is
 * in the text. The core has a part of the run then, to be dropped by
 * CORE_FORGET or with the core. */
etna_code recover_run(store *s, core *c, const etna_id *run, etna_error *err);

#endif
