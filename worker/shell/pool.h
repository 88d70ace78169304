/* The CPU pool of a worker: threads that run errands in the order they were
 * given, and give them back to the loop. */
#ifndef ETNA_WORKER_SHELL_POOL_H
#define ETNA_WORKER_SHELL_POOL_H

#include "proto/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct pool pool;

/* the caller's; untouched by the caller from pool_submit until `done` is
 * called */
typedef struct pool_task {
    void (*work)(struct pool_task *task); /* on a pool thread */
    /* in pool_collect, on the caller's thread */
    void (*done)(struct pool_task *task);
    void *context;
    struct pool_task *next; /* the pool's */
} pool_task;

/* `wake` is called on a pool thread when there is something to collect.
 * ETNA_E_NOMEM, ETNA_E_IO (no threads). */
etna_code pool_new(uint32_t threads,
                   void (*wake)(void *context),
                   void *context,
                   pool **ret_pool,
                   etna_error *err);
/* To the end of the queue. Any thread; not after pool_free has begun. */
void pool_submit(pool *p, pool_task *task);
void pool_collect(pool *p); /* calls `done` of every finished task */
/* Ends the threads: what is queued is not begun, what runs is waited for, at
 * most `patience_ms`. False: some still run; the pool then keeps its memory for
 * them, and the process must end by _exit. NULL is fine. */
bool pool_free(pool *p, uint32_t patience_ms);

#endif
