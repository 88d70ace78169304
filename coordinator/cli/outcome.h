/* Tells the user how a run ended: its summary or JSON document, the error that
 * it ended by, the command that takes it up again. */
#ifndef ETNA_COORDINATOR_CLI_OUTCOME_H
#define ETNA_COORDINATOR_CLI_OUTCOME_H

#include "coordinator/cli/runner.h"

/* Prints the end of a run by its document (report/run_json.h), wherever it was
 * carried: a summary, or with `json` the document. A run that ended by an error
 * prints that alone. o->output: the folder its files were written to, or NULL;
 * then the command that writes them is told, of the coordinator at `connect`,
 * or where that is NULL of the store. Returns the exit code, 4 where stdout
 * fails. */
int outcome_report(const json_t *document,
                   const runner_options *o,
                   const char *connect);

/* Prints why a run rests and the command that takes it up again. `rests_by`: as
 * core_run_view's; ETNA_OK (not known) is told as a model that did not answer.
 * Returns the exit code. */
int outcome_suspended(const runner_options *o,
                      etna_code rests_by,
                      const char *outage);

/* Prints that a signal ended the command, with the run in `state`; NULL: nobody
 * has it. Returns 128 + number. */
int outcome_interrupted(const runner_options *o, const char *state, int number);

/* Prints "etna: WHY: etna resume RUN ..." with the flags that are not NULL. */
void outcome_print_resume(const etna_id *run,
                          const char *why,
                          const char *store_given,
                          const char *output);

#endif
