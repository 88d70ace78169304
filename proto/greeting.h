/* The client's part of a connection's beginning (proto/seal.h): what it says
 * first, and what the answer must be. Whoever listens where a coordinator did
 * learns the realm's name from it and nothing else, and is not believed. */
#ifndef ETNA_PROTO_GREETING_H
#define ETNA_PROTO_GREETING_H

#include "proto/join.h"
#include "proto/message.h"

typedef struct greeting { /* one connection's */
    seal_role role;
    etna_hash nonce;
} greeting;

/* Packs the hello; the caller frees *ret_data. `frame`: sender, incarnation and
 * sequence of the request. ETNA_E_USAGE: the join file has no token of this
 * role. ETNA_E_IO: no random numbers. */
etna_code greeting_begin(const join *j,
                         seal_role role,
                         const message *frame,
                         greeting *ret,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err);

/* Judges the coordinator's answer to the hello. On ETNA_OK the session's keys
 * and the coordinator's epoch are in *ret_session and *ret_epoch; the keys are
 * the caller's to forget (seal_forget). ETNA_E_NETWORK: whoever answered does
 * not know the token, or refused. ETNA_E_STALE: it does, and its epoch is lower
 * than `epoch`, the highest that this client has seen: a former owner of the
 * store, who may not be obeyed any more. */
etna_code greeting_end(const join *j,
                       const greeting *g,
                       uint64_t epoch,
                       const void *answer,
                       size_t size,
                       seal_session *ret_session,
                       uint64_t *ret_epoch,
                       etna_error *err);

#endif
