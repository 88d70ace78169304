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

/* What was read of a connection so far, NUL-terminated; all zero: nothing. Its
 * data is the owner's to free. */
typedef struct loopback_text {
    char *data;
    size_t size, room;
} loopback_text;

void loopback_text_add(loopback_text *t, const void *data, size_t size);

/* Reads a whole HTTP message behind what is there: its head and the body that
 * the head tells of. Where it tells of none the message ends there, or with the
 * connection (`to_end`). false: it broke off, or is longer than 64 MiB. */
bool loopback_receive(int fd, loopback_text *t, bool to_end);

/* The value of an HTTP header up to white space; "-": it has none. `name` as it
 * stands there in any case, with what comes before and behind: "\r\nx-team:". */
void loopback_header(const loopback_text *message,
                     const char *name,
                     char *ret,
                     size_t room);

/* Takes connections to the end of the process, each in a thread of its own:
 * converse((void *)(intptr_t)fd), which closes it. `open` (or NULL) is given
 * the connection first, and gives the one to use, or -1. */
_Noreturn void loopback_serve(int listener,
                              int (*open)(int fd),
                              void *(*converse)(void *fd));

#endif
