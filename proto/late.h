/* Shared libraries that most commands never use: loaded when they are first called, not when the program starts, which
 * would cost every command their loading (libcurl brings thirty more). Forwarders of the same names and types call them
 * (worker/convert/assimp_late.c, worker/model/curl_late.c), so that whoever uses such a library includes its header and
 * calls it as ever. */
#ifndef ETNA_PROTO_LATE_H
#define ETNA_PROTO_LATE_H

#include "proto/error.h"

#include <stddef.h>

typedef struct late_function {
    const char *name;
    void *place; /* where the pointer to the function goes: of its own type, which C does not let pass as void * */
} late_function;

/* Loads `soname` for the rest of the process and fills all places. ETNA_E_IO, nothing filled, when it or one of the
 * functions is missing; the text names the library. One call per library: guard it with pthread_once. */
etna_code late_load(const char *soname, const late_function *functions, size_t count, etna_error *err);

#endif
