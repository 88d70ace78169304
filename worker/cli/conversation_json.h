/* A model call as JSON for people and scripts (`etna show --conversation`):
 * what was asked, what was answered; images by what they show. No keys: there
 * are none in a request. */
#ifndef ETNA_WORKER_CLI_CONVERSATION_JSON_H
#define ETNA_WORKER_CLI_CONVERSATION_JSON_H

#include "worker/provider/conversation.h"

#include <jansson.h>

/* NULL: out of memory. Messages before `first` are left out (they were told
 * with an earlier turn). */
json_t *told_call(const etna_slot *slot,
                  const model_request *request,
                  uint32_t first,
                  const model_reply *reply,
                  bool same);

#endif
