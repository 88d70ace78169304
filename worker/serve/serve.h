/* The built-in agent behind an OpenAI-compatible HTTP endpoint, so that the way
 * over the network can be gone from end to end without a model: POST
 * /v1/chat/completions, GET /v1/models. libmicrohttpd, a pool of threads; keeps
 * nothing between calls. */
#ifndef ETNA_WORKER_SERVE_SERVE_H
#define ETNA_WORKER_SERVE_SERVE_H

#include "http/http_server.h"

typedef struct server server;

typedef struct serve_options {
    http_place place;
    const char *key;  /* asked of everyone as a Bearer token; NULL: none */
    uint32_t threads; /* 0: 1 */
} serve_options;

/* `key` must outlive the server. ETNA_E_NETWORK names the address. */
etna_code serve_start(const serve_options *options,
                      server **ret,
                      etna_error *err);
/* "http://127.0.0.1:8377" */
void serve_url(const server *s, char ret[HTTP_URL_SIZE]);
void serve_stop(server *s); /* NULL is fine */

#endif
