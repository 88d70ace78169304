/* See loopback.h. */
#include "tests/support/loopback.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

int loopback_listen(int backlog, uint16_t *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, backlog) ||
        getsockname(fd, (struct sockaddr *)&at, &size)) {
        close(fd);
        return -1;
    }
    *ret_port = ntohs(at.sin_port);
    return fd;
}

int loopback_connect(uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

bool loopback_send(int fd, const void *data, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t some =
            send(fd, (const char *)data + sent, size - sent, MSG_NOSIGNAL);
        if (some <= 0)
            return false;
        sent += (size_t)some;
    }
    return true;
}

size_t loopback_message_size(const char *data, bool *ret_told)
{
    const char *end = strstr(data, "\r\n\r\n"),
               *length = strcasestr(data, "\r\ncontent-length:");
    bool told = end && length && length < end;
    if (ret_told)
        *ret_told = told;
    return end ? (size_t)(end + 4 - data) +
                     (told ? strtoul(length + 17, NULL, 10) : 0)
               : 0;
}

void loopback_text_add(loopback_text *t, const void *data, size_t size)
{
    if (t->size + size + 1 > t->room) {
        t->room = 2 * (t->size + size + 1);
        t->data = realloc(t->data, t->room);
        if (!t->data)
            abort();
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = 0;
}

bool loopback_receive(int fd, loopback_text *t, bool to_end)
{
    enum {
        MESSAGE_MAX = 64 << 20
    };
    char piece[65536];
    for (;;) {
        bool told = false;
        size_t whole = t->data ? loopback_message_size(t->data, &told) : 0;
        if (whole && t->size >= whole && (told || !to_end))
            return true;
        ssize_t got = recv(fd, piece, sizeof piece, 0);
        if (got <= 0)
            return to_end && whole && !told;
        if (t->size > MESSAGE_MAX)
            return false;
        loopback_text_add(t, piece, (size_t)got);
    }
}

void loopback_header(const loopback_text *message,
                     const char *name,
                     char *ret,
                     size_t room)
{
    const char *at = strcasestr(message->data, name),
               *end = strstr(message->data, "\r\n\r\n");
    snprintf(ret, room, "-");
    if (!at || !end || at > end)
        return;
    at += strlen(name);
    while (*at == ' ')
        at++;
    snprintf(ret, room, "%.*s", (int)strcspn(at, " \r\n"), at);
}

void loopback_serve(int listener,
                    int (*open)(int fd),
                    void *(*converse)(void *fd))
{
    pthread_attr_t small; /* many may be held at once */
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 512 << 10);
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        pthread_t thread;
        if (fd >= 0 && open)
            fd = open(fd);
        if (fd < 0)
            continue;
        if (pthread_create(&thread, &small, converse, (void *)(intptr_t)fd))
            close(fd);
        else
            pthread_detach(thread);
    }
}
