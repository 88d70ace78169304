/* What makes a message on TCP count: a seal at its end, made with a key that
 * only this connection has.
 *
 *   client                                     coordinator
 *     | Hello: realm, kind of token, its            |
 *     |        generation, a nonce of its own ----> |   not sealed: it holds no secret
 *     | <---- Welcome: the coordinator's nonce      |   sealed: whoever made it has the token, and made it now
 *     | request, sealed with `asks` --------------> |
 *     | <-------------- answer, sealed with `answers`
 *
 * Both keys are BLAKE2b-256, keyed with the token, of all that the two have
 * told each other. So a message replayed on another connection, a request sent
 * back as an answer, and what was made with another realm's token, another kind
 * of token or under another owner's epoch all have a wrong seal. No message
 * carries a token, and nothing here reaches the core, the journal or a
 * snapshot.
 *
 * The seal is Envelope's field `mac` (wire.proto), always the last of its
 * bytes: keyed BLAKE2b-256 over all bytes before it. */
#ifndef ETNA_PROTO_SEAL_H
#define ETNA_PROTO_SEAL_H

#include "proto/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SEAL_KEY = 32,
    SEAL_SIZE = 34,     /* bytes that a seal adds */
    SEAL_REALM_MAX = 64 /* bytes of a realm's name */
};

typedef enum seal_role { /* whose token: wire.proto's TokenKind */
    SEAL_NOBODY = 0,
    SEAL_WORKER,
    SEAL_SUBMITTER,
    SEAL_VIEWER,
    SEAL_ROLE_COUNT
} seal_role;

const char *seal_role_name(seal_role role); /* "worker", ...; never NULL */

typedef struct seal_key {
    uint8_t bytes[SEAL_KEY];
} seal_key;

/* what the first two messages of a connection have told */
typedef struct seal_opening {
    const char *realm;
    seal_role role;
    uint32_t generation;
    uint64_t epoch;
    etna_hash asked, welcomed; /* the client's nonce and the coordinator's */
} seal_opening;

typedef struct seal_session {
    seal_key asks, answers;
} seal_session;

/* 32 bytes nobody can guess. False: the system gives none. */
bool seal_random(uint8_t bytes[SEAL_KEY]);
/* The token of a role, derived from `secret`, which all tokens of one
 * generation of the realm come from. The secret stays with the coordinator: a
 * role's token does not tell it, nor another role's token. */
seal_key seal_token(const seal_key *secret, const char *realm, seal_role role);
/* The keys of a connection: one for requests, one for answers. Both sides
 * compute them from the token and from what the first two messages told; they
 * are never sent. The caller forgets them (seal_forget). */
seal_session seal_agree(const seal_key *token, const seal_opening *opening);

/* Writes the seal of `data`, which is to stand right behind it. A message
 * packed without `mac` and followed by its seal is the whole message as
 * protobuf reads it. */
void seal_make(const seal_key *key,
               const void *data,
               size_t size,
               uint8_t seal[SEAL_SIZE]);
/* Whether `data` ends with a seal by `key`; *ret_size: its bytes before that.
 * In constant time. */
bool seal_check(const seal_key *key,
                const void *data,
                size_t size,
                size_t *ret_size);
/* Whether the bytes end with something that has a seal's form. Says nothing of
 * who made it; to choose between "not sealed" and "sealed wrongly" in a
 * complaint. */
bool seal_is_there(const void *data, size_t size);

/* Overwrites a secret; not left out by a compiler. */
void seal_forget(void *secret, size_t size);

#endif
