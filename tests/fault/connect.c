/* A proxy that connects, as stands before many a cluster's way out: it is asked by CONNECT, and passes bytes. Any HOST:PORT is that
 * port of this machine, so that a name which only the proxy knows can be called.
 *
 *   connect-proxy --seen FILE [--auth BASE64]
 *
 * Prints its port. Each CONNECT's head and every byte that a client sends through stand in FILE. --auth: 407 for whom does not send
 * that as Basic. */
#include "tests/support/loopback.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    FILE *seen;
    const char *auth;
    pthread_mutex_t lock;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(const char *data, size_t size)
{
    pthread_mutex_lock(&self.lock);
    fwrite(data, 1, size, self.seen);
    fflush(self.seen);
    pthread_mutex_unlock(&self.lock);
}

static int reach(const char *head)
{
    const char *colon = strncmp(head, "CONNECT ", 8) == 0 ? strchr(head, ':') : NULL;
    return colon ? loopback_connect((uint16_t)strtoul(colon + 1, NULL, 10)) : -1;
}

static void pass(int client, int server)
{
    char piece[16384];
    bool open = true; /* the client may still say something */
    for (;;) {
        struct pollfd both[2] = {{open ? client : -1, POLLIN, 0}, {server, POLLIN, 0}};
        if (poll(both, 2, -1) < 0) return;
        if (both[0].revents) {
            ssize_t got = recv(client, piece, sizeof piece, 0);
            if (got > 0) note(piece, (size_t)got);
            if (got <= 0 || !loopback_send(server, piece, (size_t)got)) {
                open = false;
                shutdown(server, SHUT_WR);
            }
        }
        if (both[1].revents) {
            ssize_t got = recv(server, piece, sizeof piece, 0);
            if (got <= 0 || !loopback_send(client, piece, (size_t)got)) return;
        }
    }
}

static void *converse(void *context)
{
    static const char wanted[] =
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"a test\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static const char nowhere[] = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static const char through[] = "HTTP/1.1 200 Connection established\r\n\r\n";
    int fd = (int)(intptr_t)context, server = -1;
    char head[8192] = "", basic[1024];
    size_t size = 0;
    while (!loopback_message_size(head, NULL) &&
           size + 1 < sizeof head) { /* a client says no more before it is answered */
        ssize_t got = recv(fd, head + size, sizeof head - 1 - size, 0);
        if (got <= 0) break;
        size += (size_t)got;
        head[size] = 0;
    }
    note(head, size);
    snprintf(basic, sizeof basic, "\r\nproxy-authorization: basic %s\r\n", self.auth ? self.auth : "");
    if (self.auth && !strcasestr(head, basic)) {
        loopback_send(fd, wanted, strlen(wanted));
    } else if ((server = reach(head)) < 0) {
        loopback_send(fd, nowhere, strlen(nowhere));
    } else if (loopback_send(fd, through, strlen(through))) {
        pass(fd, server);
    }
    if (server >= 0) close(server);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seen")) self.seen = fopen(argv[i + 1], "w");
        if (!strcmp(argv[i], "--auth")) self.auth = argv[i + 1];
    }
    uint16_t port = 0;
    int listener = loopback_listen(64, &port);
    if (!self.seen || listener < 0) {
        fprintf(stderr, "connect-proxy: usage, or no port\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, NULL, converse);
}
