/* Errors are values: a code for the program, a text for the person. The text
 * says what went wrong, where, and what to do. Libraries fill one in and return
 * its code; only programs print. A function that fails leaves its outputs as
 * they were. `err` may be NULL everywhere: then only the code is returned. */
#ifndef ETNA_PROTO_ERROR_H
#define ETNA_PROTO_ERROR_H

#include <stdarg.h>

typedef enum etna_code {
    ETNA_OK = 0,
    /* unknown flag, bad config                                  exit 2 */
    ETNA_E_USAGE,
    /* a scene, constraint or steps file, an unknown object      exit 3 */
    ETNA_E_INPUT,
    /* a message, record or blob that is not well formed         exit 4 */
    ETNA_E_MESSAGE,
    /* an allocation failed                                      exit 4 */
    ETNA_E_NOMEM,
    /* a system call on files or sockets failed                  exit 4 */
    ETNA_E_IO,
    /* disk or map full                                          exit 4 */
    ETNA_E_FULL,
    /* checksum or hash does not match                           exit 4 */
    ETNA_E_CORRUPT,
    /* written by a newer version                                exit 4 */
    ETNA_E_NEWER,
    /* a living owner holds the store or run                     exit 4 */
    ETNA_E_OWNED,
    /* our epoch is no longer the owner's                        exit 4 */
    ETNA_E_STALE,
    /* no such key, run or blob                                  exit 4 */
    ETNA_E_NOTFOUND,
    /* cannot listen, connect or reach                           exit 4 */
    ETNA_E_NETWORK,
    /* a bound of ours was exceeded                              exit 3 */
    ETNA_E_LIMIT,
    ETNA_E_CANCELLED, /* the task or run was cancelled */
    /* an invariant of ours does not hold                        exit 4 */
    ETNA_E_INTERNAL,
    ETNA_E_COUNT
} etna_code;

typedef struct etna_error {
    etna_code code;
    /* UTF-8, NUL-terminated, one line, no control characters of its own */
    char text[512];
} etna_error;

/* Fills *err (when not NULL) and returns `code`, so that a caller can `return
 * etna_fail(...)`. A text that is too long is cut at the buffer's end. What err
 * held before is gone. */
etna_code etna_fail(etna_error *err, etna_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "where: " before the text already in *err; returns err->code. */
etna_code etna_error_prefix(etna_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The process exit code of ARCHITECTURE.md, Exit codes and files for an error:
 * 0, 2, 3 or 4. */
int etna_exit_code(etna_code code);

/* A short stable name, as "input" or "corrupt"; never NULL. */
const char *etna_code_name(etna_code code);

#endif
