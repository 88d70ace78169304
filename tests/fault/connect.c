/* A proxy that connects, as stands before many a cluster's way out: it is asked
 * by CONNECT or as SOCKS5 has it, and passes bytes. Any HOST:PORT is that port
 * of this machine, so that a name which only the proxy knows can be called.
 *
 *   connect-proxy --seen FILE [--auth BASE64] [--login USER:PASSWORD] [--tls
 *   CERT,KEY]
 *
 * Prints its port. Each CONNECT's head, each SOCKS5 request as a line, and
 * every byte that a client sends through stand in FILE. --auth: 407 for whom
 * does not send that as Basic. --login: the same of SOCKS5. --tls: it is called
 * by TLS. */
#include "tests/fault/hostile_tls.h"
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
    const char *auth, *login, *tls;
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
    const char *colon =
        strncmp(head, "CONNECT ", 8) == 0 ? strchr(head, ':') : NULL;
    return colon ? loopback_connect((uint16_t)strtoul(colon + 1, NULL, 10))
                 : -1;
}

static void pass(int client, int server)
{
    char piece[16384];
    bool open = true; /* the client may still say something */
    for (;;) {
        struct pollfd both[2] = {{open ? client : -1, POLLIN, 0},
                                 {server, POLLIN, 0}};
        if (poll(both, 2, -1) < 0)
            return;
        if (both[0].revents) {
            ssize_t got = recv(client, piece, sizeof piece, 0);
            if (got > 0)
                note(piece, (size_t)got);
            if (got <= 0 || !loopback_send(server, piece, (size_t)got)) {
                open = false;
                shutdown(server, SHUT_WR);
            }
        }
        if (both[1].revents) {
            ssize_t got = recv(server, piece, sizeof piece, 0);
            if (got <= 0 || !loopback_send(client, piece, (size_t)got))
                return;
        }
    }
}

/* ---- SOCKS5: RFC 1928, 1929 ---- */

static bool take(int fd, uint8_t *data, size_t size)
{
    return recv(fd, data, size, MSG_WAITALL) == (ssize_t)size;
}

/* One byte of length, and as much; ends it with 0. */
static bool take_counted(int fd, uint8_t data[256], size_t *ret_size)
{
    uint8_t size;
    if (!take(fd, &size, 1) || (size && !take(fd, data, size)))
        return false;
    data[size] = 0;
    *ret_size = size;
    return true;
}

static bool log_in(int fd)
{
    uint8_t methods[256], version, user[256], password[256];
    char both[600];
    size_t count, size;
    if (!take_counted(fd, methods, &count))
        return false;
    uint8_t wanted = self.login ? 2 : 0;
    bool offered = memchr(methods, wanted, count) != NULL;
    const uint8_t chosen[2] = {5, offered ? wanted : 0xff};
    if (!loopback_send(fd, chosen, 2) || !offered)
        return false;
    if (!self.login)
        return true;
    if (!take(fd, &version, 1) || !take_counted(fd, user, &size) ||
        !take_counted(fd, password, &size))
        return false;
    snprintf(both, sizeof both, "%s:%s", (const char *)user,
             (const char *)password);
    const uint8_t told[2] = {1, strcmp(both, self.login) != 0};
    return loopback_send(fd, told, 2) && !told[1];
}

/* -1: refused, and told so. */
static int reach_by_socks(int fd)
{
    uint8_t head[4], name[256] = "an address", port[2];
    size_t size;
    char line[300];
    if (!take(fd, head, 1) || !log_in(fd) || !take(fd, head, 4))
        return -1;
    bool named = head[3] == 3 ? take_counted(fd, name, &size)
                              : take(fd, name + 16, head[3] == 1 ? 4 : 16);
    if (!named || !take(fd, port, 2))
        return -1;
    unsigned number = (unsigned)port[0] << 8 | port[1];
    note(line, (size_t)snprintf(line, sizeof line, "SOCKS5 %s:%u\r\n",
                                (const char *)name, number));
    int server = loopback_connect((uint16_t)number);
    const uint8_t told[10] = {5, server < 0 ? 5 : 0, 0, 1};
    loopback_send(fd, told, sizeof told);
    return server;
}

static void *converse(void *context)
{
    static const char wanted[] =
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"a test\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static const char nowhere[] =
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static const char through[] = "HTTP/1.1 200 Connection established\r\n\r\n";
    int fd = (int)(intptr_t)context, server = -1;
    char head[8192] = "", basic[1024];
    size_t size = 0;
    if (recv(fd, head, 1, MSG_PEEK) == 1 && head[0] == 5) {
        server = reach_by_socks(fd);
        if (server >= 0)
            pass(fd, server);
        goto over;
    }
    head[0] = 0;
    while (!loopback_message_size(head, NULL) &&
           /* a client says no more before it is answered */
           size + 1 < sizeof head) {
        ssize_t got = recv(fd, head + size, sizeof head - 1 - size, 0);
        if (got <= 0)
            break;
        size += (size_t)got;
        head[size] = 0;
    }
    note(head, size);
    snprintf(basic, sizeof basic, "\r\nproxy-authorization: basic %s\r\n",
             self.auth ? self.auth : "");
    if (self.auth && !strcasestr(head, basic)) {
        loopback_send(fd, wanted, strlen(wanted));
    } else if ((server = reach(head)) < 0) {
        loopback_send(fd, nowhere, strlen(nowhere));
    } else if (loopback_send(fd, through, strlen(through))) {
        pass(fd, server);
    }
over:
    if (server >= 0)
        close(server);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seen"))
            self.seen = fopen(argv[i + 1], "w");
        if (!strcmp(argv[i], "--auth"))
            self.auth = argv[i + 1];
        if (!strcmp(argv[i], "--login"))
            self.login = argv[i + 1];
        if (!strcmp(argv[i], "--tls"))
            self.tls = argv[i + 1];
    }
    uint16_t port = 0;
    int listener = loopback_listen(64, &port);
    if (!self.seen || listener < 0 || (self.tls && !tls_load(self.tls))) {
        fprintf(stderr, "connect-proxy: usage, no port, or no TLS\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, self.tls ? tls_open : NULL, converse);
}
