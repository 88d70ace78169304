/* Reading and writing a descriptor to the end: what a signal interrupts or the
 * kernel does by halves goes on. */
#ifndef ETNA_PROTO_FD_H
#define ETNA_PROTO_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All of it. False with errno, when some of it may be written. */
bool fd_write(int fd, const void *data, size_t size);
/* The same of a file, from byte `at` on. */
bool fd_write_at(int fd, const void *data, size_t size, uint64_t at);
/* What there is until the end, at most `room` bytes: how many. -1 with
 * errno. */
ssize_t fd_read(int fd, void *ret, size_t room);
/* The same of a file, from byte `at` on. */
ssize_t fd_read_at(int fd, void *ret, size_t room, uint64_t at);

#endif
