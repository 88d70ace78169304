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

/* Copied by shell_new(); what it refers to outlives the shell unless it says
 * otherwise. */
typedef struct shell_options {
    uint32_t cookie; /* shell_options_default() sets it */
    store *store;    /* borrowed; open for writing */
    /* where to listen, as address.h's `listen` */
    const char *url;
    /* borrowed; wanted for all but ipc (tokens_are_wanted). NULL: none */
    tokens *tokens;
    /* of its leases' tickets (ticket.h), for this owner of the store and the
     * next. NULL: this one's own, for workers that end with it. Borrowed during
     * shell_new */
    const seal_key *ticket_key;
    /* This is a coordinator: runs that it accepts are resumed by coordinators
     * only, and it does not end when the last run has. */
    bool serve;
    /* The run of the command that this shell belongs to: a signal suspends it,
     * while all others are left to the next owner. NULL: none. Borrowed. */
    const etna_id *own;
    uint32_t outage_ms; /* as core_options' */
    /* A commit that meets a full disk is tried again until it succeeds
     * (full.h); otherwise it ends the loop. */
    bool wait_full;
    uint32_t workers, cpus_each; /* processes to start; 0: none */
    /* path of etna-worker; its workers' blob cache, or NULL */
    const char *worker_program, *cache;
    bool mixed_builds;   /* as core_options' */
    uint32_t keep_ended; /* runs kept in memory after their end; 64 */
    void *context;
    /* Called on the loop, for what is durable, in order. NULL is fine for
     * each. */
    void (*line)(void *context, const core_line *line);
    void (*changed)(void *context, const etna_id *run, run_state state);
    /* A line that says what keeps everything from going on, and another when
     * that is over. */
    void (*trouble)(void *context, const char *text);
    /* About once a second, how all stands: metrics.c; borrowed. NULL is
     * fine. */
    void (*measured)(void *context, const char *text, size_t size);
    /* after shell_wake(), on the loop */
    void (*woken)(void *context);
    /* The JSON document of a run, malloc'd; it must be the same for the same
     * view, as its hash is its name. NULL: none is served. */
    etna_code (*report)(void *context,
                        const core_run_view *view,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err);
} shell_options;
shell_options shell_options_default(void);

/* Opens the loop, listens, starts the workers. ETNA_E_NETWORK; ETNA_E_USAGE:
 * the address; ETNA_E_IO: no worker program; ETNA_E_NOMEM; ETNA_E_INTERNAL:
 * options that shell_options_default() did not make. */
etna_code shell_new(const shell_options *options,
                    shell **ret_shell,
                    etna_error *err);
/* Kills the workers that are left and runs the loop until all handles are
 * closed. NULL is fine. */
void shell_free(shell *s);

/* Submits a run as if it had come by the wire; durable on return. `config`: a
 * packed arrange_config (borrowed), whose scene is in the store. ETNA_E_FULL
 * also where the loop would wait for room. */
etna_code shell_submit(shell *s,
                       const etna_id *run,
                       const uint8_t *config,
                       size_t size,
                       etna_error *err);
/* Reads a run back from its journal, and with `resume` lets it go on. `how`:
 * the models it goes on with; NULL, or its model NULL: as before.
 * ETNA_E_NOTFOUND, ETNA_E_CORRUPT, ... concern this run alone: see left.c. */
etna_code shell_recover(shell *s,
                        const etna_id *run,
                        bool resume,
                        const message_run_resume *how,
                        etna_error *err);
/* The same for one of many, without `how`: it goes on, but that is durable and
 * told only after shell_keep(). */
etna_code shell_recover_next(shell *s, const etna_id *run, etna_error *err);
etna_code shell_keep(shell *s, etna_error *err);
/* Cancels a run that is in memory; durable on return. One that has ended stays
 * as it is. */
etna_code shell_cancel(shell *s, const etna_id *run, etna_error *err);

/* Runs until shell_stop(), shell_leave(), a signal or an error, and until the
 * workers have ended. *ret_signal: SIGINT, SIGTERM or a command's SIGHUP; 0:
 * none. *ret_twice: it came a second time, and the caller is to exit at once.
 * Both are set in every case. */
etna_code shell_run(shell *s,
                    int *ret_signal,
                    bool *ret_twice,
                    etna_error *err);
/* Drains the workers and ends the loop: from a callback, or before
 * shell_run(). */
void shell_stop(shell *s);
/* Ends without a word to anybody: what runs stays running in the journal, for
 * the next owner; workers that are not ours wait for it. */
void shell_leave(shell *s);

/* From any thread while the shell exists: `woken` is called on the loop, maybe
 * once for several wakes. */
void shell_wake(shell *s);

/* To be looked at by core_view() and the like; only the shell steps it. */
const core *shell_core(const shell *s);
/* After shell_run() failed: whether only a new process helps
 * (inbox_is_clogged). */
bool shell_is_clogged(const shell *s);

#endif
