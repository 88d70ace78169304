/* What the models of a step were asked and what they answered, rebuilt from the
 * journal and the stored replies: requests are functions of the tasks, so they
 * are not kept; each is compared with the hash that is. */
#ifndef ETNA_COORDINATOR_REPORT_CONVERSATION_H
#define ETNA_COORDINATOR_REPORT_CONVERSATION_H

#include "proto/error.h"
#include "proto/hash.h"
#include "store/store.h"

#include <jansson.h>

/* On stdout, escaped. `place`: "NODE" or "NODE.BRANCH"; `path`: of the store.
 * ETNA_E_USAGE: no place; ETNA_E_NOTFOUND; ETNA_E_IO; ETNA_E_CORRUPT: the
 * journal is decided otherwise now. */
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
