/* A submitter's side of the wire, for commands that speak to a running
 * coordinator. One request after the other; each is repeated under its own
 * number, over as many connections as it takes, until it is answered. One
 * thread at a time. */
#ifndef ETNA_COORDINATOR_SHELL_CLIENT_H
#define ETNA_COORDINATOR_SHELL_CLIENT_H

#include "proto/message.h"

#include <stdatomic.h>

typedef struct client client;

/* Copied by client_open(); what it refers to outlives the client. */
typedef struct client_options {
    /* When it becomes true (by a signal's handler, or another thread) every
     * call ends soon with ETNA_E_CANCELLED. NULL: never. */
    const atomic_int *stop;
    /* whose join file is used where the address wants one and names none; NULL:
     * the default's */
    const char *store;
    /* how long client_open() waits for somebody who listens; 0: it does not */
    uint64_t open_ms;
    /* how long a call waits for its answer, over any number of connections; a
     * minute by default */
    uint64_t answer_ms;
    void *context;
    /* Asked a few times a second while there is no answer. True: none will come
     * any more, and the call ends with ETNA_E_NETWORK. `away_ms`: for how long
     * there has been no connection; 0: there is one. NULL: never. */
    bool (*gone)(void *context, uint64_t away_ms);
} client_options;
client_options client_options_default(void);

/* Connects, and proves its token where one is wanted. `connect`: a URL or
 * @FILE, as join_find() reads it. ETNA_E_NETWORK: nobody listens there, or
 * somebody who does not know our token; ETNA_E_USAGE: no address, no join
 * file, or one that lets no submitter or viewer in; ETNA_E_CANCELLED,
 * ETNA_E_NOMEM. */
etna_code client_open(const char *connect,
                      const client_options *options,
                      client **ret_client,
                      etna_error *err);
void client_close(client *c); /* NULL is fine */
/* The highest epoch of the owners that answered; 0: none has. Answers of lower
 * epochs are dropped: they are from an owner that lost the store. */
uint64_t client_epoch(const client *c);

/* Fills in the request's envelope, sends it, waits. The answer lives in
 * `arena`. An answer REFUSED is returned as its code and text. ETNA_E_NETWORK:
 * none came in time; ETNA_E_CANCELLED; *ret_answer is untouched then. */
etna_code client_call(client *c,
                      message *request,
                      etna_arena *arena,
                      message *ret_answer,
                      etna_error *err);

/* Uploads a whole blob in chunks; returns once it is durable there. A
 * coordinator that forgot the first chunks is sent them again. */
etna_code client_put_blob(client *c,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err);
/* Downloads a whole blob and checks its hash; the caller frees *ret_data.
 * ETNA_E_CORRUPT, and as client_call(). */
etna_code client_get_blob(client *c,
                          const etna_hash *hash,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);

#endif
