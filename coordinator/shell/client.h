/* A submitter's side of the wire, for commands that speak to a running coordinator: one request after the other, each
 * repeated under its own number until it is answered. */
#ifndef ETNA_COORDINATOR_SHELL_CLIENT_H
#define ETNA_COORDINATOR_SHELL_CLIENT_H

#include "proto/message.h"

#include <stdatomic.h>

typedef struct client client;

/* ETNA_E_NETWORK when nobody listens there. When *stop becomes true (a signal's handler) every call ends with
 * ETNA_E_CANCELLED; NULL: never. */
etna_code client_open(const char *url, const atomic_int *stop, client **ret_client, etna_error *err);
void client_close(client *c); /* NULL is fine */

/* Fills in the envelope, sends, waits. The answer lives in `arena`. An answer MESSAGE_REFUSED is returned as its code.
 * ETNA_E_NETWORK after a minute without an answer. */
etna_code client_call(client *c, message *request, etna_arena *arena, message *ret_answer, etna_error *err);

/* Whole blobs, in chunks; what is got is hashed. Caller frees *ret_data. */
etna_code client_put_blob(client *c, const etna_hash *hash, const uint8_t *data, size_t size, etna_error *err);
etna_code client_get_blob(client *c, const etna_hash *hash, uint8_t **ret_data, size_t *ret_size, etna_error *err);

#endif
