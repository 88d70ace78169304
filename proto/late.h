/* Shared libraries that most commands never use: loaded when they are first called, not when the program starts, which
 * would cost every command their loading (libcurl brings thirty more). Forwarders of the same names and types call them
 * (worker/convert/assimp_late.c, worker/provider/curl_late.c), so that whoever uses such a library includes its header and
 * calls it as ever. */
#ifndef ETNA_PROTO_LATE_H
#define ETNA_PROTO_LATE_H

#include "proto/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct late_function {
    const char *name;
    void *place; /* where the pointer to the function goes: of its own type, which C does not let pass as void * */
} late_function;

/* For lists of the functions' names (X macros): the member of a struct `late` for one, and its row. */
#define LATE_MEMBER(name) __typeof__(name) *name;
#define LATE_ROW(name) {#name, &late.name},

typedef struct late_library { /* static, made by LATE_LIBRARY; lives as long as the process */
    const char *soname;
    const late_function *functions;
    size_t count;
    pthread_mutex_t mutex;
    atomic_int state; /* of late.c */
    etna_error trouble;
} late_library;
#define LATE_LIBRARY(soname_, functions_) \
    { \
        .soname = (soname_), .functions = (functions_), .count = sizeof(functions_) / sizeof *(functions_), \
        .mutex = PTHREAD_MUTEX_INITIALIZER \
    }

/* Loads the library when it is not yet, for the rest of the process, and fills all places; from any thread. ETNA_E_IO,
 * now and ever after, with nothing filled, when it or one of the functions is missing; the text names the library. */
etna_code late_ready(late_library *library, etna_error *err);

#endif
