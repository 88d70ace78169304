/* A worker's supervisor: a process that does nothing but wait for the worker,
 * its child, and know how that ended. A worker that died by a signal is started
 * again under the same id and tells the coordinator of that death first: only
 * such deaths are laid to tasks, a lost connection never is.
 *
 *   supervise() ── fork ──> the worker: returns there, and goes on to worker_run()
 *        │ <─ ended by a signal: again, after a pause that doubles while workers die young
 *        └─ ended by itself, or told to end: returns its exit code
 *
 * The supervisor has one thread and none of the worker's memory, but its
 * environment and so the models' keys: neither leaves a core or can be looked
 * into by others of its user. Signals that tell it to end are passed on by the
 * pipe that the worker also knows its end by; it shares the worker's process
 * group, so it is stopped where that is. */
#ifndef ETNA_WORKER_SHELL_SUPERVISE_H
#define ETNA_WORKER_SHELL_SUPERVISE_H

#include "worker/shell/worker.h"

/* In the worker: *ret_is_worker true, and *options say for whom it works; call
 * it before any thread is begun. In the supervisor: false, with the exit code
 * in *ret_exit. ETNA_E_IO: no process or pipe can be had, at the first time;
 * later it is tried again. */
etna_code supervise(worker_options *options,
                    bool *ret_is_worker,
                    int *ret_exit,
                    etna_error *err);

#endif
