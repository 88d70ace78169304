/* Ends TCP connections of ours from below, as if their peers had: NNG then sees
 * an end of file and lets go of the pipe by itself. To close a pipe from above
 * while a message is coming in may stop the one thread of NNG 1.5 that frees
 * pipes (its issues 1543 and 1813): from then on every connection that ends
 * keeps its descriptor, and a stranger who floods us needs some thousands of
 * them to keep everybody out. */
#ifndef ETNA_COORDINATOR_SHELL_SEVER_H
#define ETNA_COORDINATOR_SHELL_SEVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* The peer of a connection that is to be ended. */
typedef struct sever_peer {
    struct sockaddr_storage address;
    /* set by sever(): it was ours, and was shut down */
    bool found;
} sever_peer;

/* Looks once through the process's descriptors and ends those connections that
 * have these peers. A peer that is not found has ended by itself. The cost is
 * that of all descriptors, so collect several. */
void sever(sever_peer *peers, size_t count);

/* How many descriptors there are of TCP connections that have ended: some for a
 * moment, thousands where nobody frees them. */
size_t sever_count_dead(void);

#endif
