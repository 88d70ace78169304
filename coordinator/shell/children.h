/* The worker processes that a coordinator starts itself: started again with
 * backoff when they die, told of to the core, and held by a pipe whose end
 * tells them that we are gone. */
#ifndef ETNA_COORDINATOR_SHELL_CHILDREN_H
#define ETNA_COORDINATOR_SHELL_CHILDREN_H

#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct children children;

typedef struct children_options {
    const char *program; /* path of etna-worker */
    const char *url;     /* to connect to */
    const char *cache;   /* directory of the blob cache, or NULL */
    uint32_t count, cpus_each;
    void *context;
    /* A process of ours has ended: the worker children_note named, or 0.
     * `fault` and `why` as core.h's WORKER_EXITED. True: the fault is laid to
     * what it had to do, which will end; so it is no sign that workers don't
     * start. */
    bool (*exited)(void *context,
                   uint64_t sender,
                   uint64_t incarnation,
                   etna_code fault,
                   const char *why);
    /* after children_stop: none is left */
    void (*gone)(void *context);
    /* they don't start, again and again */
    void (*failed)(void *context, const char *why);
} children_options;

/* Starts them. ETNA_E_IO when the program cannot be run. */
etna_code children_start(uv_loop_t *loop,
                         const children_options *options,
                         children **ret_children,
                         etna_error *err);
/* No one is started any more; who has not ended in 3 s is killed. `at_once`:
 * their pipes end, as if we were gone. `gone` is called once, maybe at once. */
void children_stop(children *c, bool at_once);
/* The worker that speaks from the process `pid`; not ours: nothing happens.
 * NULL is fine. */
void children_note(children *c,
                   uint64_t pid,
                   uint64_t sender,
                   uint64_t incarnation);
/* Whether `pid` was a process of ours that has ended: what it said before then
 * and is read only now is of no use. */
bool children_dead(const children *c, uint64_t pid); /* NULL is fine */
/* SIGKILL to all, at once */
void children_kill(children *c);
/* After `gone`. Memory is freed once the loop has run on. NULL is fine. */
void children_free(children *c);

/* Beside /proc/self/exe; false when its path is too long. */
bool children_program(char *path, size_t size);

#endif
