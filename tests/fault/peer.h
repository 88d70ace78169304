/* What the programs of these tests that speak the wire by themselves share.
 * Each ends the program where it cannot go on. */
#ifndef ETNA_TESTS_FAULT_PEER_H
#define ETNA_TESTS_FAULT_PEER_H

#include "proto/greeting.h"
#include "proto/message.h"

#include <nng/nng.h>

typedef struct peer_bytes { /* of a message, with room for a seal behind it */
    uint8_t *data;
    size_t size;
} peer_bytes;

void peer_fail(const char *what) __attribute__((noreturn));
nng_socket peer_dial(const char *url);
/* The same without a protocol's state: as many questions may be on their way as
 * one likes, and nobody needs to take the answers. */
nng_socket peer_dial_raw(const char *url);
/* Takes the message. False: it did not leave. */
bool peer_send(nng_socket socket, nng_msg *msg);
/* The caller's to free. */
peer_bytes peer_pack(const message *m);
/* The answer, the caller's; NULL: nothing came. */
nng_msg *peer_exchange(nng_socket socket, const void *data, size_t size);
/* Greets with a token of the file, of which `role` may be none: then it is a
 * guess. As sender 99. */
seal_session peer_greet(nng_socket socket, const char *file, const char *role);
void peer_seal(peer_bytes *b, const seal_session *session);
/* Prints what an answer is, on a line: "refused TEXT", its kind, or "nothing".
 * Frees it. */
void peer_tell(nng_msg *msg);

#endif
