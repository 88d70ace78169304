/* Where a coordinator listens, from what was typed: the address to listen at,
 * and how its own host and others call it. Pure. */
#ifndef ETNA_COORDINATOR_SHELL_ADDRESS_H
#define ETNA_COORDINATOR_SHELL_ADDRESS_H

#include "proto/error.h"

/* bytes of an address with its NUL */
enum {
    ADDRESS_MAX = 256
};

/* One address in three views. */
typedef struct listen_address {
    /* ipc://PATH, tcp://HOST:PORT on loopback, else tls+tcp://HOST:PORT */
    char listen[ADDRESS_MAX];
    char here[ADDRESS_MAX]; /* for processes of this host */
    /* for others: `host`'s name where it listens at all of its addresses */
    char there[ADDRESS_MAX];
} listen_address;

/* Beyond loopback tcp:// means tls+tcp://. `host`: how others call this one.
 * ETNA_E_USAGE for what is no address. */
etna_code address_read(const char *given,
                       const char *host,
                       listen_address *ret,
                       etna_error *err);

#endif
