/* HTTP calls on the worker's loop: libcurl's multi interface over libuv handles. Bodies are produced while they are sent (a
 * piece at a time, images in base64 as they go); names are resolved by uv_getaddrinfo and handed over by CURLOPT_RESOLVE, so
 * that giving a call up never waits for a resolver; connections are kept and shared (HTTP/2 where the server has it). No
 * redirects, only http and https, certificates checked, at most PROVIDER_ANSWER_MAX bytes back. One loop, one thread. */
#ifndef ETNA_WORKER_SHELL_HTTP_H
#define ETNA_WORKER_SHELL_HTTP_H

#include "worker/model/provider.h"

#include <uv.h>

typedef struct http http;
typedef struct http_call http_call;

/* `answer` and what it points at are valid during the call of `done`; never called after http_cancel. */
typedef void http_done(void *context, const provider_answer *answer);

etna_code http_new(uv_loop_t *loop, http **ret_http, etna_error *err);
/* Cancels what is under way; `closed` when the loop holds none of its handles any more. NULL is fine. */
void http_close(http *h, void (*closed)(void *context), void *context);

/* `call` (its arena) must live until `done` or http_cancel returns. `key` is copied into the one header and wiped after use; NULL:
 * none is sent. `expected_ms` of the endpoint: connect_ms, first_byte_ms, total_ms. */
etna_code http_start(http *h, const models_endpoint *endpoint, const provider_call *call, const provider_image *images, const char *key,
                     http_done *done, void *context, http_call **ret_call, etna_error *err);
/* Closes its stream or socket at once. */
void http_cancel(http_call *call);

#endif
