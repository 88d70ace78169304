/* See sever.h. NNG tells no descriptors, so a connection is known by its peer's address and port: only one of ours has them. */
#include "coordinator/shell/sever.h"

#include <dirent.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static bool sever_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    if (a->ss_family != b->ss_family) return false;
    if (a->ss_family == AF_INET) {
        const struct sockaddr_in *x = (const void *)a, *y = (const void *)b;
        return x->sin_port == y->sin_port && x->sin_addr.s_addr == y->sin_addr.s_addr;
    }
    if (a->ss_family == AF_INET6) {
        const struct sockaddr_in6 *x = (const void *)a, *y = (const void *)b;
        return x->sin6_port == y->sin6_port && memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr) == 0;
    }
    return false;
}

static void sever_descriptor(int fd, sever_peer *peers, size_t count)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    memset(&peer, 0, sizeof peer);
    if (getpeername(fd, (struct sockaddr *)&peer, &size)) return;
    for (size_t i = 0; i < count; i++) {
        if (peers[i].found || !sever_same(&peer, &peers[i].address)) continue;
        peers[i].found = shutdown(fd, SHUT_RDWR) == 0;
        return;
    }
}

void sever(sever_peer *peers, size_t count)
{
    DIR *open = count ? opendir("/proc/self/fd") : NULL;
    if (!open) return;
    for (const struct dirent *entry; (entry = readdir(open));) {
        char *end;
        long fd = strtol(entry->d_name, &end, 10);
        if (!*end && end != entry->d_name) sever_descriptor((int)fd, peers, count);
    }
    closedir(open);
}
