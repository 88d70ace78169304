/* See sever.h. NNG does not tell the descriptor of a connection. It is found by
 * its peer's address and port, which no other socket of ours has. */
#include "coordinator/shell/sever.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static bool sever_same(const struct sockaddr_storage *a,
                       const struct sockaddr_storage *b)
{
    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET) {
        const struct sockaddr_in *x = (const void *)a;
        const struct sockaddr_in *y = (const void *)b;
        return x->sin_port == y->sin_port &&
               x->sin_addr.s_addr == y->sin_addr.s_addr;
    }
    if (a->ss_family == AF_INET6) {
        const struct sockaddr_in6 *x = (const void *)a;
        const struct sockaddr_in6 *y = (const void *)b;
        return x->sin6_port == y->sin6_port &&
               memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr) == 0;
    }
    return false;
}

static void sever_descriptor(int fd, sever_peer *peers, size_t count)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    memset(&peer, 0, sizeof peer);
    if (getpeername(fd, (struct sockaddr *)&peer, &size))
        return;
    for (size_t i = 0; i < count; i++) {
        if (peers[i].found || !sever_same(&peer, &peers[i].address))
            continue;
        peers[i].found = shutdown(fd, SHUT_RDWR) == 0;
        return;
    }
}

typedef void (*sever_fn)(int fd, void *context);

static void sever_each(sever_fn each, void *context)
{
    DIR *open = opendir("/proc/self/fd");
    if (!open)
        return;
    for (const struct dirent *entry; (entry = readdir(open));) {
        char *end;
        long fd = strtol(entry->d_name, &end, 10);
        if (!*end && end != entry->d_name)
            each((int)fd, context);
    }
    closedir(open);
}

typedef struct sever_list {
    sever_peer *peers;
    size_t count;
} sever_list;

static void sever_listed(int fd, void *context)
{
    const sever_list *list = context;
    sever_descriptor(fd, list->peers, list->count);
}

void sever(sever_peer *peers, size_t count)
{
    sever_list list = {peers, count};
    if (count)
        sever_each(sever_listed, &list);
}

static void sever_count(int fd, void *context)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int listens = 0;
    if (getsockname(fd, (struct sockaddr *)&address, &size))
        return;
    if (address.ss_family != AF_INET && address.ss_family != AF_INET6)
        return;
    size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) || listens)
        return;
    size = sizeof address;
    bool ended = getpeername(fd, (struct sockaddr *)&address, &size) &&
                 errno == ENOTCONN;
    *(size_t *)context += ended;
}

size_t sever_count_dead(void)
{
    size_t count = 0;
    sever_each(sever_count, &count);
    return count;
}
