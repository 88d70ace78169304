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

typedef struct sever_peer { /* of a connection */
    struct sockaddr_storage address;
    bool found; /* and ended */
} sever_peer;

/* Looks through the process's descriptors once for all of them. What is not
 * found is another process's, or has ended. */
void sever(sever_peer *peers, size_t count);

/* How many descriptors there are of TCP connections that have ended: some for a
 * moment, thousands where nobody frees them. */
size_t sever_count_dead(void);

#endif
