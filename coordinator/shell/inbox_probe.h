/* A connection of our own to our own listening socket: whether NNG still takes
 * one shows whether it listens. */
#ifndef ETNA_COORDINATOR_SHELL_INBOX_PROBE_H
#define ETNA_COORDINATOR_SHELL_INBOX_PROBE_H

/* Connects to `url` (address.h's `listen`) and says what protocol we speak,
 * as a client of NNG would. Returns a descriptor for the caller to close;
 * -1: nobody listens, or it is TLS. Waits for nothing but the loopback's
 * connect. */
int inbox_probe_open(const char *url);

#endif
