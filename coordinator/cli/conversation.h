/* What the models of a step were asked and what they answered, rebuilt from the journal and the stored replies:
 * requests are functions of the tasks, so they are not kept; each is compared with the hash that is. */
#ifndef ETNA_COORDINATOR_CLI_CONVERSATION_H
#define ETNA_COORDINATOR_CLI_CONVERSATION_H

#include "proto/error.h"
#include "proto/hash.h"
#include "store/store.h"

#include <stdbool.h>

/* `place`: "NODE" or "NODE.BRANCH". Prints, escaped, or as one JSON document. ETNA_E_USAGE:
 * no place; ETNA_E_NOTFOUND. */
etna_code conversation_print(store *s, const char *path, const etna_id *run, const char *place, bool json,
                             etna_error *err);

#endif
