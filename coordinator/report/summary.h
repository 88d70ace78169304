/* What a batch came to: summary.csv for programs, summary.html with each scene
 * before and after and the failures by cause. The table holds nothing of when,
 * where or how often: the same list gives the same bytes, whatever was killed
 * meanwhile. */
#ifndef ETNA_COORDINATOR_REPORT_SUMMARY_H
#define ETNA_COORDINATOR_REPORT_SUMMARY_H

#include "proto/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One line of a batch. Everything is borrowed. */
typedef struct summary_row {
    const char *name, *scene, *goal; /* goal: of a list its first instruction */
    /* summary_record; NULL: it has not ended */
    const json_t *record;
} summary_row;

/* `failed`: ended otherwise than complete. `open`: has not ended. */
typedef struct summary_counts {
    uint32_t complete, failed, open;
    /* of all that ended, in the currency of their models' prices */
    double cost;
} summary_counts;

/* What is kept of a run that ended, by its document; owned by the caller.
 * `written`: its files are in the folder of its name. How long it took is in
 * the record and left out of the tables, as the same list must give the same
 * bytes. NULL: out of memory. */
json_t *summary_record(const json_t *document, bool written);
/* The same for a line that never became a run. `cause`: a word by which
 * failures are counted together. */
json_t *summary_record_error(const etna_error *err, const char *cause);

summary_counts summary_count(const summary_row *rows, uint32_t count);
/* Writes both files into the directory `folder`, each replaced whole.
 * ETNA_E_IO, ETNA_E_FULL, ETNA_E_NOMEM. */
etna_code summary_write(int folder,
                        const summary_row *rows,
                        uint32_t count,
                        etna_error *err);
/* {"runs": [...], "complete", "failed", "open", "cost", "causes"}. NULL: out of
 * memory. */
json_t *summary_json(const summary_row *rows, uint32_t count);

#endif
