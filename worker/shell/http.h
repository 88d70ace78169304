/* HTTP calls on the worker's loop: libcurl's multi interface over libuv
 * handles. Bodies are produced while they are sent (a piece at a time, images
 * in base64 as they go); names are resolved by uv_getaddrinfo and handed over
 * by CURLOPT_RESOLVE, so that giving a call up never waits for a resolver;
 * connections are kept and shared (HTTP/2 where the server has it). No
 * redirects, only http and https, certificates checked, at most
 * PROVIDER_ANSWER_MAX bytes back. A body that went out whole is never sent
 * again by itself: whether to try again is for who counts the money. One loop,
 * one thread. */
#ifndef ETNA_WORKER_SHELL_HTTP_H
#define ETNA_WORKER_SHELL_HTTP_H

#include "worker/provider/provider.h"

#include <uv.h>

typedef struct http http;
typedef struct http_call http_call;

/* `answer` and what it points at are valid during the call of `done`; never
 * called after http_cancel. From the loop, never from within http_start. `done`
 * may start and cancel calls, but not its own, and not close. */
typedef void http_done(void *context, const provider_answer *answer);
/* The body has been taken whole: `call`, its arena and `images` are not looked
 * at any more and may go, so that what only waits for an answer holds no body.
 * At most once, before `done`, from within libcurl: it must not call anything
 * of this header. */
typedef void http_sent(void *context);

/* ETNA_E_NOMEM, ETNA_E_IO (no libcurl). */
etna_code http_new(uv_loop_t *loop, http **ret_http, etna_error *err);
/* Cancels what is under way and frees itself when the loop holds none of its
 * handles any more; then `closed` (or NULL) is called. The loop must run for
 * that. NULL is fine, and calls nothing. */
void http_close(http *h, void (*closed)(void *context), void *context);

/* `call`, its arena and `images` must live until `sent` (NULL: nobody asks),
 * `done` or http_cancel. `key` is copied into its one header, and that is wiped
 * at the end; NULL: none is sent. ETNA_E_NOMEM; ETNA_E_USAGE names a header
 * whose environment variable is not set, or a URL that is none. */
etna_code http_start(http *h,
                     const models_endpoint *endpoint,
                     const provider_call *call,
                     const provider_image *images,
                     const char *key,
                     http_sent *sent,
                     http_done *done,
                     void *context,
                     http_call **ret_call,
                     etna_error *err);
/* Whether all of the body has left libcurl, so that the server may have it:
 * `sent` is told before. */
bool http_is_sent(const http_call *call);
/* Closes its stream or socket at once. */
void http_cancel(http_call *call);

#endif
