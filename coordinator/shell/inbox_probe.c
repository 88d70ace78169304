/* See inbox_probe.h. The first eight bytes of every NNG stream name its
 * protocol; what the peer says is never read. */
#include "coordinator/shell/inbox_probe.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* 0x30: a requester */
static const uint8_t greeting[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};

static int inbox_probe_greet(int fd,
                             const struct sockaddr *address,
                             socklen_t size)
{
    if (fd < 0)
        return -1;
    bool greeted =
        !connect(fd, address, size) &&
        send(fd, greeting, sizeof greeting, MSG_NOSIGNAL | MSG_DONTWAIT) ==
            (ssize_t)sizeof greeting;
    if (greeted)
        return fd;
    close(fd);
    return -1;
}

static int inbox_probe_ipc(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return inbox_probe_greet(fd, (const struct sockaddr *)&address,
                             sizeof address);
}

/* HOST:PORT, where an IPv6 host has brackets. */
static int inbox_probe_tcp(const char *where)
{
    char host[256];
    const char *colon = strrchr(where, ':');
    size_t size = colon ? (size_t)(colon - where) : 0;
    bool bracketed = size > 2 && where[0] == '[' && where[size - 1] == ']';
    if (!size || size >= sizeof host)
        return -1;
    if (bracketed) {
        where++;
        size -= 2;
    }
    snprintf(host, sizeof host, "%.*s", (int)size, where);
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int fd = -1;
    if (getaddrinfo(host, colon + 1, &wanted, &found))
        return -1;
    for (const struct addrinfo *one = found; one && fd < 0;
         one = one->ai_next) {
        fd = inbox_probe_greet(
            socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, 0),
            one->ai_addr, one->ai_addrlen);
    }
    freeaddrinfo(found);
    return fd;
}

int inbox_probe_open(const char *url)
{
    if (!strncmp(url, "ipc://", 6))
        return inbox_probe_ipc(url + 6);
    if (!strncmp(url, "tcp://", 6))
        return inbox_probe_tcp(url + 6);
    return -1;
}
