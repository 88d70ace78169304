/* What a server sends back of a secret that it was sent: gateways quote a whole
 * request in an error, and what they say is told, kept and shown. Pure. */
#ifndef ETNA_WORKER_SHELL_HTTP_SECRET_H
#define ETNA_WORKER_SHELL_HTTP_SECRET_H

#include <stddef.h>

enum {
    /* bytes; what is shorter ("none", "EMPTY") is no secret, and may be a word
     * of an answer */
    HTTP_SECRET_MIN = 8
};

/* Overwrites `secret` with asterisks wherever it stands in `data`, also with a
 * backslash before its slashes, as some write JSON. What is left is as long as
 * it was. */
void http_secret_hide(char *data, size_t size, const char *secret);

#endif
