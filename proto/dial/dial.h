/* What both programs do with NNG when they call a coordinator, or are called:
 * over TLS exactly one certificate is believed, the join file's, and over ipc
 * only our own user and root. */
#ifndef ETNA_PROTO_DIAL_DIAL_H
#define ETNA_PROTO_DIAL_DIAL_H

#include "proto/join.h"

#include <nng/nng.h>
#include <stdbool.h>

/* The certificate's name, whatever the host is called. */
#define DIAL_SERVER_NAME "etna"

/* Dials the join file's address: with NNG_FLAG_NONBLOCK in the background,
 * where NNG tries again by itself, with 0 at once. Returns 0, or NNG's number
 * of an error, and no dialer is left then. The socket's options, as how often
 * it tries again, are the caller's to set before. The dialer (`ret` may be NULL)
 * is the socket's. */
int dial_start(nng_socket socket, const join *j, int flags, nng_dialer *ret);
/* How long it waits before it dials again: at random up to `first_ms`, and, while
 * nobody is there, up to twice as long each time until `most_ms`. Holds from the
 * next time on. */
void dial_pause(nng_dialer dialer, uint32_t first_ms, uint32_t most_ms);
/* Makes a listener that is not started yet, so that its options can still be
 * set; the socket owns it. `certificate` is shown to clients: PEM of it and of
 * its key in one text; NULL: the address is not one of TLS. 0, or NNG's number
 * of an error, and no listener is left then. */
int dial_listener(nng_socket socket,
                  const char *url,
                  const char *certificate,
                  nng_listener *ret);

/* Whether the address is one of TLS. */
bool dial_is_tls(const char *url);

/* Over ipc: whether the process at the other end is our user's or root's. True
 * also where the transport does not tell. On any thread. */
bool dial_peer_is_ours(nng_pipe pipe);
/* ETNA_E_USAGE: over ipc, and the socket there is another user's, who would
 * serve us no more than a stranger. A socket that is not there may come to
 * be. */
etna_code dial_check_owner(const char *url, etna_error *err);
/* A callback for nng_pipe_notify at NNG_PIPE_EV_ADD_PRE: closes a pipe from
 * anybody but us and root before a message of it is read. `context` is not
 * used. Runs on NNG's threads. */
void dial_check_peer(nng_pipe pipe, nng_pipe_ev event, void *context);

#endif
