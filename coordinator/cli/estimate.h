/* What runs are going to cost: calls, tokens and money. It is extrapolated from
 * earlier runs of the store whose roles were played by the same models. A role
 * for which there are none is priced by its first prompts alone, and that is
 * said. */
#ifndef ETNA_COORDINATOR_CLI_ESTIMATE_H
#define ETNA_COORDINATOR_CLI_ESTIMATE_H

#include "proto/arrange.h"
#include "proto/error.h"
#include "proto/models.h"

/* Models that look at pictures after the runs have ended (bench_judge.c). */
typedef struct estimate_judges {
    const char *model;
    /* its line of the list of models; NULL: it is free */
    const models_model *listed;
    /* over all runs and judges */
    uint64_t calls, pictures;
} estimate_judges;

/* Prints on stdout what `count` runs cost together, as text or as a document of
 * schema etna.estimate/1. `configs` are the runs as they would be submitted,
 * models included, and all have the same list of models; `judges` NULL: none;
 * `store_given`: --store or NULL. Reads the store, starts `etna-worker prompts`
 * where a role is unknown, writes nothing and asks no model. ETNA_E_IO (also
 * where stdout fails), ETNA_E_NOMEM, ETNA_E_CORRUPT. */
etna_code estimate_tell(const arrange_config *const *configs,
                        uint32_t count,
                        const estimate_judges *judges,
                        const char *store_given,
                        bool json,
                        etna_error *err);

#endif
