/* Whose proxy a call goes through and what its refusals mean. A proxy before
 * https is asked to connect (CONNECT) and then sees neither key nor words; its
 * name and password are for it alone. Before http it reads everything, as any
 * proxy does. */
#ifndef ETNA_WORKER_SHELL_HTTP_PROXY_H
#define ETNA_WORKER_SHELL_HTTP_PROXY_H

#include "proto/error.h"
#include "proto/models.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* The endpoint's own ("" is none; "$NAME" is an environment variable's, so that
 * a password stands in no list), else the environment's: https_proxy,
 * HTTPS_PROXY, for http endpoints http_proxy, then all_proxy, ALL_PROXY, unless
 * no_proxy or NO_PROXY names the server. *ret is borrowed, NULL: none.
 * ETNA_E_USAGE: the variable is not set. libcurl is not left to choose: it
 * would look names up by itself. */
etna_code http_proxy_of(const models_endpoint *endpoint,
                        const char **ret,
                        etna_error *err);

/* Is `host` (a name or an address, V6 without brackets) in a list as no_proxy
 * has it: names and their subdomains, addresses, ranges (10.0.0.0/8), or * for
 * all? Pure. */
bool http_proxy_passed_over(const char *host, const char *list);

/* What a handle must be told of it; false: out of memory. `proxy` NULL:
 * none. */
bool http_proxy_set(CURL *easy,
                    const models_endpoint *endpoint,
                    const char *proxy);

/* After a failed call: true when the proxy refused to connect to `host`, with
 * words for people, and whether it would do so again. */
bool http_proxy_refused(
    CURL *easy, const char *host, char *words, size_t size, bool *ret_final);

#endif
