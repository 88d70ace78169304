/* A program run beside us, its output read line by line, ended when it is no
 * longer wanted. */
#ifndef ETNA_WORKER_MCP_CHILD_H
#define ETNA_WORKER_MCP_CHILD_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CHILD_OUTPUT_MAX = 16 << 20,
    CHILD_LINE_MAX = 512
};

typedef struct child_run {
    const char *const *argv; /* NULL-ended; argv[0] is the path */
    bool (*cancelled)(void *context);
    /* of stderr, without the newline, cut at CHILD_LINE_MAX */
    void (*line)(void *context, const char *text);
    void *context;
    /* out */
    /* stdout, NUL-terminated; the caller's to free */
    char *output;
    int exit_code;             /* -1: a signal ended it */
    char last[CHILD_LINE_MAX]; /* line of stderr */
} child_run;

/* ETNA_E_CANCELLED after the program was told to end (SIGTERM, after five
 * seconds SIGKILL) and has ended; ETNA_E_IO when it could not be started. It
 * dies with us. */
etna_code child_do(child_run *run, etna_error *err);

#endif
