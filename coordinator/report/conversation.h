/* What the models of a step were asked and what they answered. Requests are
 * functions of the tasks, so they are not kept; they are rebuilt from the
 * journal and the stored replies, and each is compared with the hash that is
 * kept. */
#ifndef ETNA_COORDINATOR_REPORT_CONVERSATION_H
#define ETNA_COORDINATOR_REPORT_CONVERSATION_H

#include "proto/error.h"
#include "proto/hash.h"
#include "store/store.h"

#include <jansson.h>

/* Prints on stdout, escaped. `place`: "NODE" or "NODE.BRANCH" as the tree of
 * `etna show` numbers them; `path`: of the store, for the worker that rebuilds
 * the requests. ETNA_E_USAGE: it is no place; ETNA_E_NOTFOUND: the run has none
 * there; ETNA_E_CORRUPT: this version decides the journal differently;
 * ETNA_E_IO. */
etna_code conversation_print(store *s,
                             const char *path,
                             const etna_id *run,
                             const char *place,
                             etna_error *err);
/* The same as a document {"calls": [...]}, which the caller frees. */
etna_code conversation_json(store *s,
                            const char *path,
                            const etna_id *run,
                            const char *place,
                            json_t **ret,
                            etna_error *err);

#endif
