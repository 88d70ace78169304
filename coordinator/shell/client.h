/* A submitter's side of the wire, for commands that speak to a running
 * coordinator: one request after the other, each repeated under its own number
 * until it is answered. */
#ifndef ETNA_COORDINATOR_SHELL_CLIENT_H
#define ETNA_COORDINATOR_SHELL_CLIENT_H

#include "proto/message.h"

#include <stdatomic.h>

typedef struct client client;

typedef struct client_options {
    /* when it becomes true (a signal's handler) every call ends with
     * ETNA_E_CANCELLED; NULL: never */
    const atomic_int *stop;
    /* whose join file is used where the address wants one and names none; NULL:
     * the default's */
    const char *store;
    /* how long the opening waits for somebody who listens; 0 */
    uint64_t open_ms;
    /* how long a call waits for its answer, over any number of connections; a
     * minute */
    uint64_t answer_ms;
    void *context;
    /* Asked a few times a second while there is no answer: true: none will come
     * any more (ETNA_E_NETWORK). `away_ms`: for how long there has been no
     * connection; 0: there is one. NULL: never. */
    bool (*gone)(void *context, uint64_t away_ms);
} client_options;
client_options client_options_default(void);

/* `connect` as join.h's join_find has it. ETNA_E_NETWORK when nobody listens
 * there, or somebody who does not know our token; ETNA_E_USAGE when there is no
 * join file, or none that lets a submitter or a viewer in. */
etna_code client_open(const char *connect,
                      const client_options *options,
                      client **ret_client,
                      etna_error *err);
void client_close(client *c); /* NULL is fine */
/* the highest of the owners that answered; 0: none has */
uint64_t client_epoch(const client *c);

/* Fills in the envelope, sends, waits. The answer lives in `arena`. An answer
 * MESSAGE_REFUSED is returned as its code. ETNA_E_NETWORK when none came in
 * time. */
etna_code client_call(client *c,
                      message *request,
                      etna_arena *arena,
                      message *ret_answer,
                      etna_error *err);

/* Whole blobs, in chunks; what is got is hashed. Caller frees *ret_data. */
etna_code client_put_blob(client *c,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err);
etna_code client_get_blob(client *c,
                          const etna_hash *hash,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);

#endif
