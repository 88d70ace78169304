/* A run at another process's coordinator: what its submitter says and hears
 * over the wire. */
#ifndef ETNA_COORDINATOR_CLI_VISIT_H
#define ETNA_COORDINATOR_CLI_VISIT_H

#include "coordinator/cli/runner.h"
#include "coordinator/core/core.h"
#include "coordinator/report/progress.h"
#include "coordinator/shell/client.h"

typedef struct visit_status {
    run_state state;
    run_keeper keeper;
    etna_hash report; /* of an ended run; else zero */
    uint64_t last_event;
    bool stuck;         /* it rests by what trying again does not mend */
    etna_code rests_by; /* as message_run_status's */
    char text[400];     /* why it ended or rests; "" */
} visit_status;

/* SIGINT, SIGTERM and (unless nohup has it ignored) SIGHUP are kept in
 * *visit_signal() from here on instead of ending the process; a second one
 * does. */
void visit_catch_signals(void);
atomic_int *visit_signal(void);

/* One question on a connection of its own. The answer is of `kind` and lives in
 * `arena`. ETNA_E_MESSAGE: it is of another. */
etna_code visit_once(const char *url,
                     const client_options *options,
                     message *request,
                     message_kind kind,
                     etna_arena *arena,
                     message *ret,
                     etna_error *err);
/* RUN_STATUS_REQUEST, RUN_VIEW_REQUEST, RUN_CANCEL or RUN_SUSPEND. */
etna_code visit_ask(client *c,
                    message_kind kind,
                    const etna_id *run,
                    visit_status *ret,
                    etna_error *err);
/* Puts the scene, where there is one, and submits. A run that is there already
 * is only looked at. */
etna_code visit_resume(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err);
etna_code visit_submit(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err);
/* Tells what happens from event *after on, which follows, until the run ended
 * or rests. */
etna_code visit_watch(client *c,
                      const etna_id *run,
                      progress *p,
                      uint64_t *after,
                      etna_error *err);
/* All runs there, the newest first, as a store's list of them; they live in
 * `arena`. */
etna_code visit_runs(client *c,
                     etna_arena *arena,
                     store_run **ret_runs,
                     size_t *ret_count,
                     etna_error *err);
/* The document of a run as it stands, and its narration so far. */
etna_code visit_view(client *c,
                     const etna_id *run,
                     json_t **ret_document,
                     etna_error *err);
etna_code visit_lines(client *c,
                      const etna_id *run,
                      etna_arena *arena,
                      core_line **ret_lines,
                      uint32_t *ret_count,
                      etna_error *err);
/* The document of an ended run. ETNA_E_NETWORK: its coordinator left it
 * unended. */
etna_code visit_report(client *c,
                       const etna_id *run,
                       json_t **ret_document,
                       etna_error *err);
/* A blob of the client `context`: an output_fetch. */
etna_code visit_fetch(void *context,
                      const etna_hash *hash,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err);

#endif
