/* What a run is going to cost: calls, tokens and money, from what the runs of
 * the store took whose models answer this one, too. Where there are none, what
 * its prompts alone cost is told. */
#ifndef ETNA_COORDINATOR_CLI_ESTIMATE_H
#define ETNA_COORDINATOR_CLI_ESTIMATE_H

#include "proto/arrange.h"
#include "proto/error.h"
#include "proto/models.h"

/* who looks at pictures when the runs have ended; see bench_judge.c */
typedef struct estimate_judges {
    const char *model;
    const models_model *listed;
    uint64_t calls, pictures; /* of all of them */
} estimate_judges;

/* Prints what `count` runs are going to cost together on stdout, or as a
 * document of schema etna.estimate/1. `configs` with their models, as they
 * would be submitted, all of the same list; `judges` NULL: none; `store_given`:
 * --store, or NULL. Nothing is written, no model is asked. */
etna_code estimate_tell(const arrange_config *const *configs,
                        uint32_t count,
                        const estimate_judges *judges,
                        const char *store_given,
                        bool json,
                        etna_error *err);

#endif
