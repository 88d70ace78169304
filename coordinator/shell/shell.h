/* The coordinator's shell: the loop that owns the clock, the socket, the store
 * and the worker processes, and decides nothing. Requests become events of the
 * core; what the core answers is made durable, then sent.
 *
 * One turn of the loop: take all that came, step the core for each, gather
 * records, replies, rows and blobs in one commit group; commit it; then hand
 * out the answers, the narration and the changes of state, in order. A commit
 * that fails ends the loop with its error and nothing of that turn leaves the
 * process; one that meets a full disk may be tried again instead (full.h). */
#ifndef ETNA_COORDINATOR_SHELL_SHELL_H
#define ETNA_COORDINATOR_SHELL_SHELL_H

#include "coordinator/core/core.h"
#include "coordinator/shell/tokens.h"
#include "store/store.h"

typedef struct shell shell;

typedef struct shell_options {
    uint32_t cookie; /* shell_options_default() sets it */
    store *store;    /* borrowed; open for writing */
    const char *url; /* where to listen */
    /* borrowed; wanted for all but ipc (tokens_are_wanted). NULL: none */
    tokens *tokens;
    /* of its leases' tickets (ticket.h), for this owner of the store and the
     * next. NULL: this one's own, for workers that end with it. Borrowed during
     * shell_new */
    const seal_key *ticket_key;
    /* a coordinator: what it accepts, coordinators resume */
    bool serve;
    /* suspended at a signal, while every other run is left to the next owner;
     * NULL: none is. Borrowed */
    const etna_id *own;
    uint32_t outage_ms; /* as core_options' */
    /* a commit that meets a full disk is tried again until it goes through;
     * else it ends the loop */
    bool wait_full;
    uint32_t workers, cpus_each; /* processes to start; 0: none */
    const char *worker_program, *cache;
    bool mixed_builds;   /* as core_options' */
    uint32_t keep_ended; /* runs kept in memory after their end; 64 */
    void *context;
    /* Called on the loop, for what is durable. NULL is fine. */
    void (*line)(void *context, const core_line *line);
    void (*changed)(void *context, const etna_id *run, run_state state);
    void (*trouble)(
        void *context,
        /* what keeps all from going on, and when it is over; a line */
        const char *text);
    /* About once a second, how all stands: metrics.c; borrowed. NULL is
     * fine. */
    void (*measured)(void *context, const char *text, size_t size);
    void (*woken)(void *context); /* after shell_wake */
    /* Of an ended run: its JSON document, malloc'd, the same for the same view.
     * NULL: none is served. */
    etna_code (*report)(void *context,
                        const core_run_view *view,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err);
} shell_options;
shell_options shell_options_default(void);

/* Opens the loop and listens; starts the workers. ETNA_E_NETWORK, ETNA_E_USAGE
 * (address), ETNA_E_IO (no worker program). */
etna_code shell_new(const shell_options *options,
                    shell **ret_shell,
                    etna_error *err);
void shell_free(shell *s); /* NULL is fine; kills what workers are left */

/* Submits a run from within; durable on return. `config` is a packed
 * arrange_config whose scene is in the store. */
etna_code shell_submit(shell *s,
                       const etna_id *run,
                       const uint8_t *config,
                       size_t size,
                       etna_error *err);
/* Reads a run back from its journal and lets it go on when `resume`; `how`:
 * with which models it goes on; NULL, or its model NULL: as before. */
etna_code shell_recover(shell *s,
                        const etna_id *run,
                        bool resume,
                        const message_run_resume *how,
                        etna_error *err);
/* Cancels a run that is in memory; durable on return. */
etna_code shell_cancel(shell *s, const etna_id *run, etna_error *err);

/* Runs until shell_stop, a signal or an error, and until the workers have
 * ended. *ret_signal: SIGINT, SIGTERM or a command's SIGHUP, else 0;
 * *ret_twice: it came a second time, the caller is to exit at once. */
etna_code shell_run(shell *s,
                    int *ret_signal,
                    bool *ret_twice,
                    etna_error *err);
/* Drains the workers and ends: from a callback, or before shell_run. */
void shell_stop(shell *s);
/* Ends without a word to anybody: what runs stays running in the journal, for
 * the next owner; workers that are not ours wait for it. */
void shell_leave(shell *s);

/* From any thread, while the shell is there: `woken` is called on the loop,
 * once for several wakes maybe. */
void shell_wake(shell *s);

const core *shell_core(const shell *s);
/* After shell_run failed: only a new process helps (inbox_is_clogged). */
bool shell_is_clogged(const shell *s);

#endif
