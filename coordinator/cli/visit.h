/* A run at another process's coordinator: what a submitter says and hears over
 * the wire. Each call is one question and one answer on the client's
 * connection; the client reconnects and repeats by itself (shell/client.h), and
 * a coordinator answers a repeated request as it did the first time.
 *
 * `etna_code` here: ETNA_E_NETWORK, the coordinator went or does not answer;
 * ETNA_E_CANCELLED, the client was told to stop; ETNA_E_MESSAGE, an answer of
 * the wrong kind; others are the coordinator's own refusal with its text. */
#ifndef ETNA_COORDINATOR_CLI_VISIT_H
#define ETNA_COORDINATOR_CLI_VISIT_H

#include "coordinator/cli/runner.h"
#include "coordinator/core/core.h"
#include "coordinator/report/progress.h"
#include "coordinator/shell/client.h"

/* What a coordinator says of a run. */
typedef struct visit_status {
    run_state state;
    /* who accepted it: a coordinator, or a command that owned the store */
    run_keeper keeper;
    /* blob with the document of an ended run; zero: none */
    etna_hash report;
    /* number of its newest event; 1: only the submission */
    uint64_t last_event;
    /* it rests because of something that trying again does not mend */
    bool stuck;
    etna_code rests_by; /* as message_run_status's */
    char text[400];     /* why it ended or rests; "" */
} visit_status;

/* From here on SIGINT, SIGTERM and (unless nohup ignores it) SIGHUP are noted
 * in *visit_signal() instead of ending the process. The handler is reset by the
 * first one, so a second ends the process at once. */
void visit_catch_signals(void);
/* The signal that came; 0: none. A client may take it as its `stop`. */
atomic_int *visit_signal(void);

/* One question on a connection of its own. *ret is of `kind` and lives in
 * `arena`. ETNA_E_MESSAGE: the answer is of another kind. */
etna_code visit_once(const char *url,
                     const client_options *options,
                     message *request,
                     message_kind kind,
                     etna_arena *arena,
                     message *ret,
                     etna_error *err);
/* Asks for, cancels or suspends a run and returns its status then: `kind` is
 * RUN_STATUS_REQUEST, RUN_CANCEL or RUN_SUSPEND. */
etna_code visit_ask(client *c,
                    message_kind kind,
                    const etna_id *run,
                    visit_status *ret,
                    etna_error *err);
/* Lets a suspended run go on, with o->resume's models where these are named. */
etna_code visit_resume(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err);
/* Uploads the scene, where `o` has one, and submits the run. A run that is
 * there already is only looked at, so a submission may be repeated. */
etna_code visit_submit(client *c,
                       const runner_options *o,
                       visit_status *ret,
                       etna_error *err);
/* Prints what happens in the run after event *after, which is moved on, until
 * the run has ended or rests. */
etna_code visit_watch(client *c,
                      const etna_id *run,
                      progress *p,
                      uint64_t *after,
                      etna_error *err);
/* All runs there, the newest first, in the form of a store's list; they live in
 * `arena`. */
etna_code visit_runs(client *c,
                     etna_arena *arena,
                     store_run **ret_runs,
                     size_t *ret_count,
                     etna_error *err);
/* The same of the coordinator at `connect`; `of_store`: whose join file, as
 * client_options has it. Waits up to `wait_s` for one that is restarting. */
etna_code visit_runs_of(const char *connect,
                        const char *of_store,
                        uint32_t wait_s,
                        etna_arena *arena,
                        store_run **ret_runs,
                        size_t *ret_count,
                        etna_error *err);
/* The document of a run as it stands (report/run_json.h), owned by the
 * caller. */
etna_code visit_view(client *c,
                     const etna_id *run,
                     json_t **ret_document,
                     etna_error *err);
/* The run's narration so far, in `arena`. */
etna_code visit_lines(client *c,
                      const etna_id *run,
                      etna_arena *arena,
                      core_line **ret_lines,
                      uint32_t *ret_count,
                      etna_error *err);
/* The document of an ended run, owned by the caller. ETNA_E_NETWORK: its
 * coordinator left it unended. */
etna_code visit_report(client *c,
                       const etna_id *run,
                       json_t **ret_document,
                       etna_error *err);
/* An output_fetch whose `context` is a client: gets a blob; the caller frees
 * *ret_data. */
etna_code visit_fetch(void *context,
                      const etna_hash *hash,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err);

#endif
