/* What a run is going to cost: calls, tokens and money, from what the runs of the store took whose models answer this one,
 * too. Where there are none, what its prompts alone cost is told. */
#ifndef ETNA_COORDINATOR_CLI_ESTIMATE_H
#define ETNA_COORDINATOR_CLI_ESTIMATE_H

#include "proto/arrange.h"
#include "proto/error.h"

/* Prints it on stdout, or as a document of schema etna.estimate/1. `config` with its models, as it would be submitted;
 * `store_given`: --store, or NULL. Nothing is written, no model is asked. */
etna_code estimate_tell(const arrange_config *config, const char *store_given, bool json, etna_error *err);

#endif
