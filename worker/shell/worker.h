/* A worker process: one libuv loop around the link (worker/link), the jobs (worker/jobs) and the
 * network, and a pool of CPU threads. The loop is the only reader of the clock and the only one
 * that touches link and jobs; what computes, reads the disk or hashes goes to the pool. */
#ifndef ETNA_WORKER_SHELL_WORKER_H
#define ETNA_WORKER_SHELL_WORKER_H

#include "proto/error.h"
#include "proto/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKER_CONVERSATIONS_MAX = MESSAGE_ORDERS_MAX / 2 };

typedef struct worker_options {
    uint32_t cookie;   /* worker_options_default() sets it */
    const char *url;   /* of the coordinator: as join.h's join_find has it */
    const char *store; /* whose join file is used where one is wanted and none is named; NULL: the
                          default's */
    uint32_t cpus;     /* 0: what affinity and cgroup allow */
    uint32_t threads;  /* of the pool; 0: cpus */
    uint32_t slots;    /* leases held at once that compute; 0: 4 per CPU */
    uint32_t conversations; /* leases held at once with those that wait for a model elsewhere; 0: as
                             * many as slots, where slots are given, else 512. At most
                             * WORKER_CONVERSATIONS_MAX */
    const char *cache;      /* directory of the host's blob cache; NULL: in memory */
    uint64_t cache_bytes;   /* that it may take on the disk; 0: 8 GiB */
    uint64_t grace_ms; /* once told to end: what is not finished by then is handed back; 0: all is
                          finished first */
    uint64_t leave_at_ms; /* Unix: it has ended by then, of itself; 0: never */
    size_t memory;        /* for warm scenes; 0: an eighth of the machine's, 256 MiB to 8 GiB */
    int parent_fd;        /* at its end of file the worker exits, within 2 s; -1: none */
    bool supervised; /* supervise.h: what comes by parent_fd are numbers of signals, a byte each */
    uint64_t sender, incarnation; /* 0: made here */
    message_death death;          /* of the incarnation before; its incarnation 0: none */
    void (*say)(void *context, const char *line); /* one line for the person; NULL: silent */
    void *context;
} worker_options;
worker_options worker_options_default(void);

typedef struct worker_end {
    int signal;     /* the second SIGINT or SIGTERM ended it at once; else 0 */
    bool abandoned; /* a job was computing when the worker had to end: memory is still in use, end
                       by _exit */
} worker_end;

/* Works until drained (by the coordinator, by the first SIGTERM or SIGINT, or since its time is up:
 * leave.c) or until its parent is gone. ETNA_E_USAGE, ETNA_E_NOMEM, ETNA_E_IO, ETNA_E_NETWORK.
 * *ret_end is set in every case. */
etna_code worker_run(const worker_options *options, worker_end *ret_end, etna_error *err);

#endif
