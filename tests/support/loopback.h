/* Sockets of this machine alone, for what speaks HTTP with the programs under
 * test: servers of a script, hostile ones, proxies. */
#ifndef ETNA_TESTS_SUPPORT_LOOPBACK_H
#define ETNA_TESTS_SUPPORT_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* on any free port; -1: it cannot */
int loopback_listen(int backlog, uint16_t *ret_port);
int loopback_connect(uint16_t port); /* -1: nobody listens */
bool loopback_send(int fd,
                   const void *data,
                   size_t size); /* all of it; false: the other end is gone */

/* The size of the HTTP message that begins in `data`, a string: its head and as
 * much body as that tells of. 0: its head is not whole yet. *ret_told (or
 * NULL): the head tells of a body. */
size_t loopback_message_size(const char *data, bool *ret_told);

/* Takes connections to the end of the process, each in a thread of its own:
 * converse((void *)(intptr_t)fd), which closes it. `open` (or NULL) is given
 * the connection first, and gives the one to use, or -1. */
_Noreturn void loopback_serve(int listener,
                              int (*open)(int fd),
                              void *(*converse)(void *fd));

#endif
