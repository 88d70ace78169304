/* The one way to start a child process and to wait for it: a program, or work
 * of our own that a hostile file may crash. Children that libuv watches are
 * libuv's (coordinator/shell/children.c).
 *
 * A child dies with the thread that started it, by PR_SET_PDEATHSIG: that
 * thread stays until the child has ended. */
#ifndef ETNA_PROTO_PROCESS_H
#define ETNA_PROTO_PROCESS_H

#include "proto/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* In place of a descriptor: what we have under that number, or /dev/null. */
enum {
    PROCESS_INHERIT = -1,
    PROCESS_NULL = -2,
    PROCESS_FDS = 4
};

typedef struct process_options {
    /* What the child has as its descriptors 0 to 3: one of ours, or PROCESS_*.
     * Ours may be close-on-exec; the child's are not. */
    int fds[PROCESS_FDS];
    /* sent when the thread that started the child ends; 0: none */
    int death_signal;
    /* of descriptors, only 0 to 2 and those in `fds` stay open */
    bool is_closed_off;
    /* bytes of address space; 0: unbounded. Not kept under sanitizers, which
     * map terabytes. */
    uint64_t memory;
    /* seconds of processor until SIGXCPU, with SIGKILL 5 s later; 0: unbounded
     */
    unsigned cpu_s;
} process_options;

/* Inherits all, is killed with us, has no limits. */
process_options process_options_default(void);

/* How a child ended. */
typedef struct process_end {
    int exit_code; /* -1: a signal ended it */
    int signal;    /* 0: it ended by itself */
    /* it was killed: after the time that it was given, or as told */
    bool is_late, is_stopped;
} process_end;

/* Starts `program`, a path, with `args` (NULL-ended, the first is its name) and
 * our environment. No signal is blocked in it, and those that we ignore stay
 * ignored. A program that cannot be run is an error here: ETNA_E_IO or
 * ETNA_E_NOMEM, its text begins with the path. The caller waits for *ret. */
etna_code process_start(const char *program,
                        const char *const *args,
                        const process_options *options,
                        pid_t *ret,
                        etna_error *err);

/* Forks: *ret_child is 0 in the child, which has no core file and cannot be
 * traced. It has our handlers, blocked signals and unwritten buffers, so one
 * that does not take our place ends by _exit(). Only for a process of one
 * thread. The caller waits for the child. */
etna_code process_fork(const process_options *options,
                       pid_t *ret_child,
                       etna_error *err);

/* Waits for a child and reaps it in every case. It is killed after `wall_s`
 * seconds (0: it may take any time), or once *stop is not 0 (stop may be NULL),
 * which is seen within 10 ms. */
etna_code process_wait(pid_t child,
                       unsigned wall_s,
                       const atomic_int *stop,
                       process_end *ret,
                       etna_error *err);

/* Starts a program, waits for it as above, and copies the first `size` - 1
 * bytes that it printed, NUL-terminated. What it says on stderr is inherited.
 * ETNA_OK says nothing of how it ended. */
etna_code process_read(const char *program,
                       const char *const *args,
                       unsigned wall_s,
                       char *ret_text,
                       size_t size,
                       process_end *ret_end,
                       etna_error *err);

#endif
