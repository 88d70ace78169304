/* Whose proxy a call goes through and what its refusals mean. A proxy before https is asked to connect (CONNECT) and then sees
 * neither key nor words; its name and password are for it alone. Before http it reads everything, as any proxy does. */
#ifndef ETNA_WORKER_SHELL_HTTP_PROXY_H
#define ETNA_WORKER_SHELL_HTTP_PROXY_H

#include "proto/error.h"
#include "proto/models.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* The endpoint's own ("" is none; "$NAME" is an environment variable's, so that a password stands in no list), else the environment's
 * https_proxy, HTTPS_PROXY or http_proxy. *ret is borrowed, NULL: none. ETNA_E_USAGE: the variable is not set. */
etna_code http_proxy_of(const models_endpoint *endpoint, const char **ret, etna_error *err);

/* What a handle must be told of it; false: out of memory. `proxy` NULL or "": none. */
bool http_proxy_set(CURL *easy, const models_endpoint *endpoint, const char *proxy);

/* After a failed call: true when the proxy refused to connect to `host`, with words for people, and whether it would do so again. */
bool http_proxy_refused(CURL *easy, const char *host, char *words, size_t size, bool *ret_final);

#endif
