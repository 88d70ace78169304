/* Names to addresses, on libuv's threads, remembered for a minute: who waits
 * can leave at any time. One loop, one thread. */
#ifndef ETNA_WORKER_SHELL_HTTP_NAME_H
#define ETNA_WORKER_SHELL_HTTP_NAME_H

#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct http_names http_names;

/* the caller's; untouched by it while it waits */
typedef struct http_name_wait {
    /* `addresses`: "1.2.3.4,[::1]"; NULL: there is no such name */
    void (*ready)(struct http_name_wait *wait, const char *addresses);
    void *context;
    struct http_name_wait *next;
    void *entry; /* NULL: it does not wait */
} http_name_wait;

http_names *http_names_new(uv_loop_t *loop); /* NULL: out of memory */
/* Calls wait->ready, from here when the name is known. False: out of memory,
 * nothing will be called. */
bool http_names_ask(http_names *names, const char *host, http_name_wait *wait);
/* `ready` will not be called any more; fine when it does not wait. */
void http_names_leave(http_name_wait *wait);
/* Nobody waits any more; frees itself when libuv has let go of what is under
 * way, then calls `closed`. */
void http_names_close(http_names *names,
                      void (*closed)(void *context),
                      void *context);

#endif
