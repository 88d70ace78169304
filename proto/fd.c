#include "proto/fd.h"

#include <errno.h>
#include <unistd.h>

bool fd_write(int fd, const void *data, size_t size)
{
    const char *from = data;
    while (size) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

bool fd_write_at(int fd, const void *data, size_t size, uint64_t at)
{
    const char *from = data;
    while (size) {
        ssize_t n = pwrite(fd, from, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        from += n;
        size -= (size_t)n;
        at += (uint64_t)n;
    }
    return true;
}

ssize_t fd_read(int fd, void *ret, size_t room)
{
    size_t size = 0;
    while (size < room) {
        ssize_t n = read(fd, (char *)ret + size, room - size);
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

ssize_t fd_read_at(int fd, void *ret, size_t room, uint64_t at)
{
    size_t size = 0;
    while (size < room) {
        ssize_t n =
            pread(fd, (char *)ret + size, room - size, (off_t)(at + size));
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
