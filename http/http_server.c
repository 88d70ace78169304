/* See http_server.h. libmicrohttpd tells when a connection opens, when a
 * request's line is there, when its head is and when it ends; what a connection
 * waits for is derived from that. A watcher cuts who is late, by shutting the
 * socket down: libmicrohttpd then closes it as if the peer had. */
#include "http/http_server.h"
#include "proto/clock.h"
#include "proto/origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum {
    /* accepted above the limit, so that there is somebody to make room for */
    SPARE_CONNECTIONS = 64,
    /* the same where each connection has a thread: one that is cut goes when
     * its thread has run */
    SPARE_THREADS = 256,
    ACCEPT_WAIT_MS =
        20,        /* an accept waits so long at most for threads to run */
    FRESH_MS = 20, /* who is connected no longer may not have been heard yet */
    MOVING_MS = 1000,
    /* bytes of a body beyond its bound that are read and dropped, so that its
     * sender reads the answer; more than that is no mistake */
    PASSED_OVER_MAX = 16 << 20
};

typedef enum peer_phase {
    PEER_HEAD,     /* the head of a request is awaited */
    PEER_BODY,     /* its body is */
    PEER_HANDLED,  /* the request is whole: the peer waits for us */
    PEER_ANSWERED, /* the answer is there, and the peer has to take it */
    PEER_IDLE      /* between two requests */
} peer_phase;

typedef struct http_peer { /* a connection */
    struct http_peer *next, *previous;
    http_server *server;
    int fd;
    uint8_t origin; /* of its address */
    peer_phase phase;
    uint64_t since_ms; /* when the phase began */
    /* when the last of it came or went: it keeps others out since then */
    uint64_t moved_ms;
    /* of the head that is awaited the first line came, or may have: it lies in
     * the socket, or was read and not told yet */
    bool has_line;
    bool is_cut;
} http_peer;

struct http_server {
    http_server_options options;
    origin_salt salt;
    struct MHD_Daemon *daemon;
    pthread_t watcher;
    /* of all below; a socket is shut down under it, since it may be closed only
     * without */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* for the watcher: a deadline */
    pthread_cond_t moved;   /* for who accepts: a peer was heard, or has gone */
    http_peer *peers;
    bool is_stopping;
};

typedef struct exchange { /* a request while it comes */
    http_request request;
    char *body;
    size_t size, room;
    size_t passed_over; /* bytes that came and were not kept */
} exchange;

/* ---- peers ---- */

/* A moment of clock_now_ms() as pthread_cond_timedwait() wants it. */
static struct timespec timespec_of(uint64_t ms)
{
    return (struct timespec){.tv_sec = (time_t)(ms / 1000),
                             .tv_nsec = (long)(ms % 1000) * 1000000};
}

/* Under the lock, as long as the socket is surely still this peer's. */
static void peer_cut(http_peer *peer)
{
    peer->is_cut = true;
    shutdown(peer->fd, SHUT_RDWR);
    pthread_cond_signal(&peer->server->moved);
}

/* When it is to be cut; UINT64_MAX: never. */
static uint64_t peer_deadline(const http_server *server, const http_peer *peer)
{
    if (peer->is_cut)
        return UINT64_MAX;
    if (peer->phase == PEER_HEAD)
        return peer->since_ms + server->options.head_ms;
    if (peer->phase == PEER_BODY)
        return peer->since_ms + server->options.body_ms;
    return UINT64_MAX;
}

/* Lies a head in its socket that nobody has read yet? In a wave of new
 * connections that takes a while. */
static bool peer_has_asked(const http_peer *peer)
{
    char head[4096];
    bool is_awaited = peer->phase == PEER_HEAD || peer->phase == PEER_IDLE;
    ssize_t size = recv(peer->fd, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    return is_awaited && size > 0 && memmem(head, (size_t)size, "\r\n\r\n", 4);
}

/* Did bytes of its first head come, whether or not they were read? Its thread
 * may have read all of the head and not have run on since. */
static bool peer_has_begun(const http_peer *peer)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    bool is_told = !getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &size) &&
                   size >= offsetof(struct tcp_info, tcpi_bytes_received) +
                               sizeof info.tcpi_bytes_received;
    return peer->phase == PEER_HEAD && is_told && info.tcpi_bytes_received > 0;
}

/* Who has said a line, or is being answered, has a moment before it goes: the
 * rest of a head is read after its line, and an answer needs time to leave. */
static uint64_t peer_holds_since(const http_peer *peer)
{
    bool is_moving = peer->has_line || peer->phase == PEER_ANSWERED;
    return peer->moved_ms + (is_moving ? MOVING_MS : 0);
}

static bool peer_may_go(const http_peer *peer)
{
    return !peer->is_cut && peer->phase != PEER_HANDLED;
}

/* Of those that don't wait for our answer, and of these of the host that most
 * come from, the one that holds its place longest, other than the newest itself;
 * NULL: none. */
static http_peer *peers_oldest(const http_server *server,
                               const http_peer *newest)
{
    unsigned come_from[ORIGINS] = {0}, most = 0;
    http_peer *oldest = NULL;
    for (const http_peer *peer = server->peers; peer; peer = peer->next) {
        if (!peer_may_go(peer))
            continue;
        unsigned count = ++come_from[peer->origin];
        most = count > most ? count : most;
    }
    for (http_peer *peer = server->peers; peer; peer = peer->next) {
        bool is_of_most = come_from[peer->origin] == most;
        if (peer == newest || !is_of_most || !peer_may_go(peer))
            continue;
        /* the list begins with the newest */
        if (!oldest || peer_holds_since(peer) <= peer_holds_since(oldest))
            oldest = peer;
    }
    return oldest;
}

static unsigned peers_open(const http_server *server)
{
    unsigned open = 0;
    for (const http_peer *peer = server->peers; peer; peer = peer->next)
        open += !peer->is_cut;
    return open;
}

/* Makes room for the newest connection where there are too many. */
static void peers_make_room(http_server *server, const http_peer *newest)
{
    while (peers_open(server) > server->options.connections) {
        http_peer *oldest = peers_oldest(server, newest);
        if (!oldest)
            return;
        /* once a head, or bytes that are none would hold a place for good */
        bool may_stay = !oldest->has_line &&
                        (peer_has_asked(oldest) || peer_has_begun(oldest));
        if (!may_stay) {
            peer_cut(oldest);
            continue;
        }
        oldest->has_line = true;
        oldest->moved_ms = clock_now_ms();
    }
}

/* When the next connection may be accepted, if nothing changes; 0: now. It waits
 * where it would drive out one whose thread may not have run yet, or where many
 * threads are to end. */
static uint64_t accept_is_due(const http_server *server, uint64_t latest)
{
    unsigned all = 0;
    for (const http_peer *peer = server->peers; peer; peer = peer->next)
        all++;
    if (all > server->options.connections + SPARE_THREADS / 2)
        return latest;
    bool is_full = peers_open(server) >= server->options.connections;
    const http_peer *oldest = is_full ? peers_oldest(server, NULL) : NULL;
    if (!oldest)
        return 0;
    uint64_t heard = oldest->since_ms + FRESH_MS;
    return heard < latest ? heard : latest;
}

/* With a thread a connection, whom libmicrohttpd accepts above its own limit it
 * resets, whoever that is, and who was read but not heard yet looks silent. So
 * accepts leave the threads some time. */
static enum MHD_Result http_on_accept(void *context,
                                      const struct sockaddr *from,
                                      socklen_t size)
{
    (void)from, (void)size;
    http_server *server = context;
    const uint64_t latest = clock_now_ms() + ACCEPT_WAIT_MS;
    pthread_mutex_lock(&server->lock);
    for (uint64_t due;
         (due = accept_is_due(server, latest)) > clock_now_ms();) {
        const struct timespec until = timespec_of(due);
        pthread_cond_timedwait(&server->moved, &server->lock, &until);
    }
    pthread_mutex_unlock(&server->lock);
    return MHD_YES;
}

/* The peer of a new connection, for libmicrohttpd to hand back in *ret. Without
 * memory for one the connection is cut: it could never be timed out. */
static void peer_open(http_server *server,
                      int fd,
                      const struct sockaddr_storage *address,
                      void **ret)
{
    http_peer *peer = calloc(1, sizeof *peer);
    *ret = peer;
    if (!peer) {
        shutdown(fd, SHUT_RDWR);
        return;
    }
    peer->server = server;
    peer->fd = fd;
    peer->origin = origin_of(&server->salt, address);
    peer->since_ms = peer->moved_ms = clock_now_ms();
    pthread_mutex_lock(&server->lock);
    peer->next = server->peers;
    if (peer->next)
        peer->next->previous = peer;
    server->peers = peer;
    peers_make_room(server, peer);
    pthread_cond_signal(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

/* Under the lock, so that the watcher shuts down no socket which libmicrohttpd
 * closes after this call, and which may be another connection's by then. */
static void peer_close(http_server *server, http_peer *peer)
{
    if (!peer)
        return;
    pthread_mutex_lock(&server->lock);
    if (peer->previous)
        peer->previous->next = peer->next;
    if (!peer->previous)
        server->peers = peer->next;
    if (peer->next)
        peer->next->previous = peer->previous;
    pthread_cond_signal(&server->moved);
    pthread_mutex_unlock(&server->lock);
    free(peer);
}

static void on_connection(void *context,
                          struct MHD_Connection *connection,
                          void **peer,
                          enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        peer_close(context, *peer);
        *peer = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (!info)
        return;
    /* who has gone already has none */
    (void)getpeername(info->connect_fd, (struct sockaddr *)&address, &size);
    peer_open(context, info->connect_fd, &address, peer);
}

/* NULL where peer_open had no memory. */
static http_peer *peer_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* The peer goes over to a phase, whose time begins now. Only a head that
 * follows a head goes on with its time: the first byte of a new connection and
 * its first line are the same wait. */
static void peer_enter(struct MHD_Connection *connection, peer_phase phase)
{
    http_peer *peer = peer_of(connection);
    if (!peer)
        return;
    http_server *server = peer->server;
    pthread_mutex_lock(&server->lock);
    bool head_goes_on = phase == PEER_HEAD && peer->phase == PEER_HEAD;
    peer->moved_ms = clock_now_ms();
    if (!head_goes_on)
        peer->since_ms = peer->moved_ms;
    peer->has_line = phase == PEER_HEAD;
    peer->phase = phase;
    pthread_cond_signal(&server->changed);
    pthread_cond_signal(&server->moved);
    pthread_mutex_unlock(&server->lock);
}

/* A request's first line is there. */
static void *http_on_line(void *context,
                          const char *line,
                          struct MHD_Connection *connection)
{
    (void)context, (void)line;
    peer_enter(connection, PEER_HEAD);
    return NULL;
}

/* The watcher's thread: cuts who is late and sleeps until the next deadline, or
 * until a phase changes. */
static void *http_watch(void *context)
{
    http_server *server = context;
    pthread_mutex_lock(&server->lock);
    while (!server->is_stopping) {
        uint64_t now = clock_now_ms();
        uint64_t next = UINT64_MAX;
        for (http_peer *peer = server->peers; peer; peer = peer->next) {
            uint64_t deadline = peer_deadline(server, peer);
            if (deadline <= now)
                peer_cut(peer);
            if (deadline > now && deadline < next)
                next = deadline;
        }
        const struct timespec until = timespec_of(next);
        if (next == UINT64_MAX)
            pthread_cond_wait(&server->changed, &server->lock);
        if (next != UINT64_MAX)
            pthread_cond_timedwait(&server->changed, &server->lock, &until);
    }
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

/* ---- requests ---- */

/* Appends to the body, in a buffer twice what is needed, so that many small
 * pieces cost no more than their sum. What does not fit is dropped, and the
 * request says so. */
static void exchange_add(exchange *x, const char *data, size_t size, size_t max)
{
    http_request *r = &x->request;
    if (r->too_large || r->no_memory)
        return;
    if (size > max - x->size) {
        r->too_large = true;
        return;
    }
    size_t needed = x->size + size + 1;
    if (needed > x->room) {
        size_t room = 2 * needed;
        char *grown = realloc(x->body, room);
        if (!grown) {
            r->no_memory = true;
            return;
        }
        x->body = grown;
        x->room = room;
    }
    memcpy(x->body + x->size, data, size);
    x->size += size;
    x->body[x->size] = 0;
}

static enum MHD_Result head_add(void *context,
                                enum MHD_ValueKind kind,
                                const char *name,
                                const char *value)
{
    (void)kind;
    http_head_add(context, name ? name : "", value ? value : "");
    return MHD_YES;
}

/* The status that a head gets before its body is read; 0: none. */
static unsigned head_refusal(const http_server *server,
                             const http_request *request)
{
    http_head head = {0};
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, head_add,
                              &head);
    if (!http_head_is_plain(&head))
        return MHD_HTTP_BAD_REQUEST;
    const char *length =
        http_request_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
    uint64_t bound = (uint64_t)server->options.body_max + PASSED_OVER_MAX;
    bool is_hopeless = length && strtoull(length, NULL, 10) > bound;
    return is_hopeless ? MHD_HTTP_CONTENT_TOO_LARGE : 0;
}

static enum MHD_Result http_exchange_open(http_server *server, exchange *x)
{
    const http_handler *handler = &server->options.handler;
    unsigned refusal = head_refusal(server, &x->request);
    if (refusal)
        return http_request_answer(&x->request, refusal, NULL, NULL, NULL,
                                   NULL);
    peer_enter(x->request.connection, PEER_BODY);
    return handler->open ? handler->open(handler->context, &x->request)
                         : MHD_YES;
}

/* libmicrohttpd calls this several times for one request: when its head is
 * there (*state is NULL), for each piece of its body (*size > 0), and when it
 * is whole (*size is 0). *size = 0 says that the piece was taken. */
static enum MHD_Result on_request(void *context,
                                  struct MHD_Connection *connection,
                                  const char *url,
                                  const char *method,
                                  const char *version,
                                  const char *data,
                                  size_t *size,
                                  void **state)
{
    (void)version;
    http_server *server = context;
    exchange *x = *state;
    bool is_new = !x;
    if (is_new)
        *state = x = calloc(1, sizeof *x);
    if (!x)
        return MHD_NO;
    x->request.connection = connection;
    x->request.url = url;
    x->request.method = method;
    if (is_new)
        return http_exchange_open(server, x);
    if (*size > 0) {
        const size_t kept = x->size;
        if (!x->request.is_refused)
            exchange_add(x, data, *size, server->options.body_max);
        x->passed_over += x->size == kept ? *size : 0;
        *size = 0;
        return x->passed_over > server->options.body_max + PASSED_OVER_MAX
                   ? MHD_NO
                   : MHD_YES;
    }
    x->request.body = x->body ? x->body : "";
    x->request.size = x->size;
    peer_enter(connection, PEER_HANDLED);
    return server->options.handler.handle(server->options.handler.context,
                                          &x->request);
}

/* The last call for a request, also where it was cut. The connection may have
 * another one. */
static void on_completed(void *context,
                         struct MHD_Connection *connection,
                         void **state,
                         enum MHD_RequestTerminationCode why)
{
    (void)why;
    http_server *server = context;
    exchange *x = *state;
    *state = NULL;
    if (!x)
        return;
    if (server->options.handler.close)
        server->options.handler.close(server->options.handler.context,
                                      &x->request);
    free(x->body);
    free(x);
    peer_enter(connection, PEER_IDLE);
}

const char *http_request_header(const http_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                       name);
}

enum MHD_Result http_request_answer(const http_request *request,
                                    unsigned status,
                                    char *text,
                                    const char *type,
                                    const char *name,
                                    const char *value)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(
        text ? strlen(text) : 0, text,
        text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!r) {
        free(text);
        return MHD_NO;
    }
    if (type)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (name)
        MHD_add_response_header(r, name, value);
    MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    peer_enter(request->connection, PEER_ANSWERED);
    enum MHD_Result done = MHD_queue_response(request->connection, status, r);
    MHD_destroy_response(r);
    return done;
}

bool http_request_is_left(const http_request *request)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(
        request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd at = {.fd = info ? info->connect_fd : -1,
                        .events = POLLRDHUP};
    return info && poll(&at, 1, 0) > 0 &&
           (at.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

/* ---- the server ---- */

/* The lock, the condition and the thread that uses them. On failure nothing of
 * them is left. */
static etna_code server_watch(http_server *server, etna_error *err)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, &clock);
    pthread_cond_init(&server->moved, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&server->watcher, NULL, http_watch, server) == 0)
        return ETNA_OK;
    pthread_cond_destroy(&server->changed);
    pthread_cond_destroy(&server->moved);
    pthread_mutex_destroy(&server->lock);
    return etna_fail(err, ETNA_E_NOMEM,
                     "no thread could be started for the HTTP server");
}

static void server_watch_end(http_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->is_stopping = true;
    pthread_cond_signal(&server->changed);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->watcher, NULL);
    pthread_cond_destroy(&server->changed);
    pthread_cond_destroy(&server->moved);
    pthread_mutex_destroy(&server->lock);
}

/* NULL: it cannot listen there, and errno says why. */
static struct MHD_Daemon *server_listen(http_server *server)
{
    http_server_options *options = &server->options;
    const unsigned pool = options->threads > 1 ? options->threads : 1;
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD;
    /* never by epoll: with it libmicrohttpd 0.9.75 sleeps on what it has
     * fetched when that were 128 events, and does not see who has gone while
     * his last bytes were read */
    flags |= MHD_USE_POLL;
    if (options->threads == 0)
        flags |= MHD_USE_THREAD_PER_CONNECTION;
    if (options->place.address.ss_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    /* libmicrohttpd shares this limit out among the pool's threads, so each
     * thread needs spare connections of its own. */
    const unsigned spare =
        options->threads ? SPARE_CONNECTIONS * pool : SPARE_THREADS;
    const unsigned most = options->connections + spare;
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_SOCK_ADDR, 0, &options->place.address},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, server},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)http_on_line, server},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)on_completed, server},
        {MHD_OPTION_CONNECTION_LIMIT, (intptr_t)most, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, HTTP_IDLE_S, NULL},
        {pool > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END,
         (intptr_t)pool, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(flags, 0, options->threads ? NULL : http_on_accept,
                            server, on_request, server, MHD_OPTION_ARRAY, items,
                            MHD_OPTION_END);
}

etna_code http_server_start(const http_server_options *options,
                            http_server **ret,
                            etna_error *err)
{
    http_server *server = calloc(1, sizeof *server);
    if (!server)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a server");
    server->options = *options;
    server->salt = origin_draw();
    if (options->head_ms == 0)
        server->options.head_ms = HTTP_HEAD_MS;
    if (options->body_ms == 0)
        server->options.body_ms = HTTP_BODY_MS;
    etna_code code = server_watch(server, err);
    if (code != ETNA_OK) {
        free(server);
        return code;
    }
    server->daemon = server_listen(server);
    if (!server->daemon) {
        int why = errno;
        server_watch_end(server);
        free(server);
        return etna_fail(err, ETNA_E_NETWORK,
                         "cannot listen there: %s; choose another port",
                         strerror(why));
    }
    *ret = server;
    return ETNA_OK;
}

uint16_t http_server_port(const http_server *server)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

void http_server_url(const http_server *server, char ret[HTTP_URL_SIZE])
{
    const struct sockaddr_storage *at = &server->options.place.address;
    bool six = at->ss_family == AF_INET6;
    char name[INET6_ADDRSTRLEN] = "";
    const void *address =
        six ? (const void *)&((const struct sockaddr_in6 *)at)->sin6_addr
            : (const void *)&((const struct sockaddr_in *)at)->sin_addr;
    inet_ntop(at->ss_family, address, name, sizeof name);
    snprintf(ret, HTTP_URL_SIZE, six ? "http://[%s]:%u" : "http://%s:%u", name,
             http_server_port(server));
}

void http_server_stop(http_server *server)
{
    if (!server)
        return;
    MHD_stop_daemon(server->daemon);
    server_watch_end(server);
    free(server);
}
