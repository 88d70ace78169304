/* The page of `etna coordinator --http`: how it stands, for Prometheus, to who
 * has the token. The loop sets the text, threads of the HTTP server serve
 * it. */
#ifndef ETNA_COORDINATOR_CLI_METRICS_PAGE_H
#define ETNA_COORDINATOR_CLI_METRICS_PAGE_H

#include "proto/error.h"

#include <stddef.h>

typedef struct metrics_page metrics_page;

/* Serves at `address` (HOST:PORT) from now on. The token is what
 * $ETNA_HTTP_TOKEN holds, which is taken out of the environment. ETNA_E_USAGE:
 * no address, or there is no token; ETNA_E_NETWORK; ETNA_E_NOMEM. */
etna_code metrics_page_open(const char *address,
                            metrics_page **ret,
                            etna_error *err);
void metrics_page_close(metrics_page *page); /* NULL is fine */
void metrics_page_set(metrics_page *page,
                      const char *text,
                      /* copied; where it cannot be, the last stays */
                      size_t size);
const char *metrics_page_url(const metrics_page *page);
void metrics_page_give_back(
    const metrics_page *page); /* its token, to the environment. NULL is fine */

#endif
