/* How a run ended, told: its summary or JSON document, the error that it ended
 * by, the command that takes it up again. */
#ifndef ETNA_COORDINATOR_CLI_OUTCOME_H
#define ETNA_COORDINATOR_CLI_OUTCOME_H

#include "coordinator/cli/runner.h"

/* The end of a run by its document, wherever it was run: exit code, summary or
 * JSON. A run that ended by an error prints that alone. */
int outcome_report(const json_t *document, bool json, const char *output);

/* A run that rests because of `outage`, by what core_run_view's rests_by says
 * (ETNA_OK: it is not known): that, and the command that takes it up again.
 * Returns the exit code. */
int outcome_suspended(const runner_options *o,
                      etna_code rests_by,
                      const char *outage);

/* A signal ended the command, and the run is in `state`; NULL: nobody has it.
 * Returns the exit code. */
int outcome_interrupted(const runner_options *o, const char *state, int number);

/* "etna: WHY: etna resume RUN ..." with these flags, NULL where there is
 * none. */
void outcome_print_resume(const etna_id *run,
                          const char *why,
                          const char *store_given,
                          const char *output);

#endif
