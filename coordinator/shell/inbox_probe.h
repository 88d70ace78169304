/* A connection of our own to our own listening socket: whether NNG still takes
 * one shows whether it listens. */
#ifndef ETNA_COORDINATOR_SHELL_INBOX_PROBE_H
#define ETNA_COORDINATOR_SHELL_INBOX_PROBE_H

/* Connects to `url` (address.h's `listen`) and says who we are, as a client of
 * NNG would. The descriptor, for close(), or -1 where nobody listens. Waits for
 * nothing but a loopback's connect. */
int inbox_probe_open(const char *url);

#endif
