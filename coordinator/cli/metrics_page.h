/* The page of `etna coordinator --http`: its measurements in Prometheus' text
 * format, for whoever has the token. The coordinator's loop sets the text; the
 * HTTP server's thread serves it. */
#ifndef ETNA_COORDINATOR_CLI_METRICS_PAGE_H
#define ETNA_COORDINATOR_CLI_METRICS_PAGE_H

#include "proto/error.h"

#include <stddef.h>

typedef struct metrics_page metrics_page;

/* Serves at `address` (HOST:PORT) from now on, with 503 until the first text is
 * set. The bearer token is read from $ETNA_HTTP_TOKEN and removed from the
 * environment, since worker processes need not have it. ETNA_E_USAGE: no
 * address, or no token of 16 to 512 bytes; ETNA_E_NETWORK, ETNA_E_NOMEM. Call
 * it before any other thread runs: it changes the environment. */
etna_code metrics_page_open(const char *address,
                            metrics_page **ret,
                            etna_error *err);
void metrics_page_close(metrics_page *page); /* NULL is fine */
/* Serves a copy of `text` from now on. Where memory is short the text before
 * stays, as an old measurement is better than none. Any thread. */
void metrics_page_set(metrics_page *page, const char *text, size_t size);
/* Where the page is, with the port that was really taken; the page's. */
const char *metrics_page_url(const metrics_page *page);
/* Puts the token back into the environment, for the process that begins in this
 * one's place (anew.h). NULL is fine. */
void metrics_page_give_back(const metrics_page *page);

#endif
