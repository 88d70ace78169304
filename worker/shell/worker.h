/* A worker process: one libuv loop around the link (worker/link), the jobs
 * (worker/jobs) and the network, and a pool of CPU threads. The loop is the
 * only reader of the clock and the only one that touches link and jobs; what
 * computes, reads the disk or hashes goes to the pool. */
#ifndef ETNA_WORKER_SHELL_WORKER_H
#define ETNA_WORKER_SHELL_WORKER_H

#include "proto/error.h"
#include "proto/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORKER_CONVERSATIONS_MAX = MESSAGE_ORDERS_MAX / 2
};

typedef struct worker_options {
    uint32_t cookie; /* worker_options_default() sets it */
    const char *url; /* of the coordinator: as join.h's join_find has it */
    /* whose join file is used where one is wanted and none is named; NULL: the
     * default's */
    const char *store;
    uint32_t cpus;    /* 0: what affinity and cgroup allow */
    uint32_t threads; /* of the pool; 0: cpus */
    uint32_t slots;   /* leases held at once that compute; 0: 4 per CPU */
    /* leases held at once with those that wait for a model elsewhere; 0: as
     * many as slots, where slots are given, else 512. At most
     * WORKER_CONVERSATIONS_MAX */
    uint32_t conversations;
    /* directory of the host's blob cache; NULL: in memory */
    const char *cache;
    uint64_t cache_bytes; /* that it may take on the disk; 0: 8 GiB */
    /* once told to end: what is not finished by then is handed back; 0: all is
     * finished first */
    uint64_t grace_ms;
    uint64_t leave_at_ms; /* Unix: it has ended by then, of itself; 0: never */
    /* for warm scenes; 0: an eighth of the machine's, 256 MiB to 8 GiB */
    size_t memory;
    /* at its end of file the worker exits, within 2 s; -1: none */
    int parent_fd;
    /* supervise.h: what comes by parent_fd are numbers of signals, a byte
     * each */
    bool supervised;
    uint64_t sender, incarnation; /* 0: made here */
    /* of the incarnation before; its incarnation 0: none */
    message_death death;
    /* one line for the person; NULL: silent */
    void (*say)(void *context, const char *line);
    void *context;
} worker_options;
worker_options worker_options_default(void);

typedef struct worker_end {
    int signal; /* the second SIGINT or SIGTERM ended it at once; else 0 */
    /* a job was computing when the worker had to end: memory is still in use,
     * end by _exit */
    bool abandoned;
} worker_end;

/* Works until drained (by the coordinator, by the first SIGTERM or SIGINT, or
 * since its time is up: leave.c) or until its parent is gone. ETNA_E_USAGE,
 * ETNA_E_NOMEM, ETNA_E_IO, ETNA_E_NETWORK. *ret_end is set in every case. */
etna_code worker_run(const worker_options *options,
                     worker_end *ret_end,
                     etna_error *err);

#endif
