#include "proto/fd.h"

#include <errno.h>
#include <unistd.h>

/* `at` NULL: to where the descriptor stands. */
static bool fd_drain(int fd, const void *data, size_t size, const uint64_t *at)
{
    size_t done = 0;
    while (done < size) {
        const char *from = (const char *)data + done;
        ssize_t n = at ? pwrite(fd, from, size - done, (off_t)(*at + done))
                       : write(fd, from, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool fd_write(int fd, const void *data, size_t size)
{
    return fd_drain(fd, data, size, NULL);
}

bool fd_write_at(int fd, const void *data, size_t size, uint64_t at)
{
    return fd_drain(fd, data, size, &at);
}

/* `at` NULL: from where the descriptor stands. */
static ssize_t fd_fill(int fd, void *ret, size_t room, const uint64_t *at)
{
    size_t size = 0;
    while (size < room) {
        char *to = (char *)ret + size;
        ssize_t n = at ? pread(fd, to, room - size, (off_t)(*at + size))
                       : read(fd, to, room - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        size += (size_t)n;
    }
    return (ssize_t)size;
}

ssize_t fd_read(int fd, void *ret, size_t room)
{
    return fd_fill(fd, ret, room, NULL);
}

ssize_t fd_read_at(int fd, void *ret, size_t room, uint64_t at)
{
    return fd_fill(fd, ret, room, &at);
}
