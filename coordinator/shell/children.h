/* The worker processes that a coordinator starts itself. They are started again
 * with a growing pause when they die, their deaths are told to the core, and
 * each is held by a pipe whose end tells it that we are gone, however we went.
 * The loop's thread only. */
#ifndef ETNA_COORDINATOR_SHELL_CHILDREN_H
#define ETNA_COORDINATOR_SHELL_CHILDREN_H

#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct children children;

/* Borrowed for the children's life, texts included. */
typedef struct children_options {
    const char *program; /* path of etna-worker */
    const char *url;     /* to connect to */
    const char *cache;   /* directory of the blob cache, or NULL */
    /* processes; processors that each may use */
    uint32_t count, cpus_each;
    void *context;
    /* A process of ours has ended: the worker that children_note() named, or 0.
     * `fault` and `why` as core.h's WORKER_EXITED. Returns whether the death is
     * attributed to a task in its hands: such a task will be given up in the
     * end, so the death is no sign that workers do not start. */
    bool (*exited)(void *context,
                   uint64_t sender,
                   uint64_t incarnation,
                   etna_code fault,
                   const char *why);
    /* After children_stop(): none is left. Called once. */
    void (*gone)(void *context);
    /* They die young again and again, or cannot be started; none is started
     * again. */
    void (*failed)(void *context, const char *why);
} children_options;

/* Starts them. ETNA_E_IO: the program cannot be run, and *ret_children is set
 * all the same, to be freed; ETNA_E_NOMEM: it is not. */
etna_code children_start(uv_loop_t *loop,
                         const children_options *options,
                         children **ret_children,
                         etna_error *err);
/* Starts none again, and kills those that have not ended in 3 s; they are
 * expected to have been told to end. `at_once`: their pipes end too, as if we
 * had died. `gone` is called once, possibly from within. */
void children_stop(children *c, bool at_once);
/* Notes which worker speaks from the process `pid`. Nothing happens where that
 * is none of ours. NULL is fine. */
void children_note(children *c,
                   uint64_t pid,
                   uint64_t sender,
                   uint64_t incarnation);
/* Whether `pid` was a process of ours that has ended. A message of it that is
 * read only now is of no use: the core was told of its death already. NULL is
 * fine. */
bool children_dead(const children *c, uint64_t pid); /* NULL is fine */
/* SIGKILL to all, at once */
void children_kill(children *c);
/* After `gone`, or after children_kill(). Memory is freed once the loop has run
 * on, so run it. NULL is fine. */
void children_free(children *c);

/* The path of etna-worker, which stands beside this program's own file. False:
 * it is too long for `size`. */
bool children_program(char *path, size_t size);

#endif
