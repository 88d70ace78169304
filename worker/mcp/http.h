/* Inside the HTTP transport: what of a request may be trusted. Pure, so that tests can ask. */
#ifndef ETNA_WORKER_MCP_HTTP_H
#define ETNA_WORKER_MCP_HTTP_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

typedef struct http_place { /* where to listen */
    struct sockaddr_storage address;
    bool loopback;
} http_place;

/* HOST:PORT, [V6]:PORT, :PORT or PORT; HOST an address in numbers or localhost. ETNA_E_USAGE. */
etna_code http_read_place(const char *text, http_place *ret, etna_error *err);

/* Is `host` (of a Host header: a name with or without a port; never NULL) one that this server is called by? On
 * loopback localhost and loopback addresses are, so that a name of somebody else's that was pointed here (DNS
 * rebinding) is not; elsewhere any address in numbers. `also` may be NULL. */
bool http_host_fits(const char *host, bool loopback, const char *also);
/* The same of an Origin header, "https://NAME:PORT". */
bool http_origin_fits(const char *origin, bool loopback, const char *also);

/* What a header's value says: without the white space that HTTP allows around it. `coded`: it may be "=?base64?...?="
 * where it is not plain. In `value` or `room`; what does not fit, or can't be decoded, is as it came.
 * NULL stays NULL. */
const char *http_value(const char *value, bool coded, char *room, size_t size);

#endif
