/* MCP over Streamable HTTP: a thread a connection, so an answer that is not there yet is waited for in its own. Legacy
 * clients have sessions, each a line of the server; a modern request is a line by itself. */
#include "worker/mcp/http.h"
#include "worker/mcp/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { SESSIONS_MAX = 64, CONNECTIONS_MAX = 128, TICK_MS = 200, ALIVE_TICKS = 60, SESSION_ID_SIZE = 33 };

typedef struct session {
    char id[SESSION_ID_SIZE];
    server_line *line;
    uint32_t users; /* exchanges */
    bool gone;
    uint64_t last_used;
} session;

typedef struct http {
    server *s;
    const server_http_options *options;
    bool loopback, stopping;
    pthread_mutex_t lock; /* taken within the server's, never around it */
    pthread_cond_t changed;
    struct exchange *exchanges;
    uint64_t next_origin, clock;
    session *sessions[SESSIONS_MAX];
} http;

typedef struct text_out {
    struct text_out *next;
    char *text;
    uint32_t status;
} text_out;

typedef struct exchange { /* one request and what is said to it */
    struct exchange *next;
    http *h;
    struct MHD_Connection *connection;
    uint64_t origin;
    char *body;
    size_t size, room;
    bool too_large, refused;
    server_line *line; /* of its own; NULL: the session's */
    session *of;
    text_out *first, **last;
    size_t sent; /* of the first frame */
    char *frame;
    uint32_t idle_ticks;
} exchange;

/* ---- answers, from the server's threads ---- */

static void send_text(void *context, const rpc_action *action, char *text)
{
    http *h = context;
    text_out *out = calloc(1, sizeof *out);
    pthread_mutex_lock(&h->lock);
    exchange *x = h->exchanges;
    while (x && x->origin != action->origin) x = x->next;
    if (x && out) {
        out->text = text;
        out->status = action->status;
        *x->last = out;
        x->last = &out->next;
        text = NULL;
        out = NULL;
    }
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    free(text); /* nobody waits any more */
    free(out);
}

static void wake(void *context, uint64_t origin)
{
    http *h = context;
    (void)origin;
    pthread_mutex_lock(&h->lock);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

/* ---- sessions ---- */

static void let_go(http *h, session *s) /* without the lock */
{
    pthread_mutex_lock(&h->lock);
    bool last = --s->users == 0 && s->gone;
    pthread_mutex_unlock(&h->lock);
    if (!last) return;
    server_line_free(s->line);
    free(s);
}

static void end_session(http *h, uint32_t slot, session **ret) /* under the lock; *ret is to be let go */
{
    *ret = h->sessions[slot];
    h->sessions[slot] = NULL;
    (*ret)->gone = true;
    (*ret)->users++;
}

static session *find_session(http *h, const char *id)
{
    session *found = NULL;
    pthread_mutex_lock(&h->lock);
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        if (h->sessions[i] && strcmp(h->sessions[i]->id, id) == 0) found = h->sessions[i];
    }
    if (found) {
        found->users++;
        found->last_used = ++h->clock;
    }
    pthread_mutex_unlock(&h->lock);
    return found;
}

/* The exchange's line becomes a session's; the longest unused one makes room. */
static bool open_session(exchange *x)
{
    http *h = x->h;
    session *s = calloc(1, sizeof *s), *old = NULL;
    uint8_t random[16];
    if (!s) return false;
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(s->id, sizeof s->id, random, sizeof random);
    s->line = x->line;
    s->users = 1;
    pthread_mutex_lock(&h->lock);
    s->last_used = ++h->clock;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        if (!h->sessions[slot]) break;
        if (!h->sessions[i] || h->sessions[i]->last_used < h->sessions[slot]->last_used) slot = i;
    }
    if (h->sessions[slot]) end_session(h, slot, &old);
    h->sessions[slot] = s;
    pthread_mutex_unlock(&h->lock);
    if (old) let_go(h, old);
    x->line = NULL;
    x->of = s;
    return true;
}

static server_line *line_of(const exchange *x) { return x->of ? x->of->line : x->line; }

/* ---- exchanges ---- */

static exchange *exchange_new(http *h, struct MHD_Connection *connection)
{
    exchange *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->h = h;
    x->connection = connection;
    x->last = &x->first;
    pthread_mutex_lock(&h->lock);
    x->origin = ++h->next_origin;
    x->next = h->exchanges;
    h->exchanges = x;
    pthread_mutex_unlock(&h->lock);
    return x;
}

static void exchange_free(exchange *x)
{
    http *h = x->h;
    pthread_mutex_lock(&h->lock);
    exchange **at = &h->exchanges;
    while (*at != x) at = &(*at)->next;
    *at = x->next;
    pthread_mutex_unlock(&h->lock);
    /* A modern request ends with its connection; of a session, only a message cancels. */
    if (x->line) {
        server_forget(x->line, x->origin);
        server_line_free(x->line);
    }
    if (x->of) let_go(h, x->of);
    for (text_out *out = x->first; out;) {
        text_out *next = out->next;
        free(out->text);
        free(out);
        out = next;
    }
    free(x->frame);
    free(x->body);
    free(x);
}

static text_out *take(exchange *x)
{
    pthread_mutex_lock(&x->h->lock);
    text_out *out = x->first;
    if (out) {
        x->first = out->next;
        if (!x->first) x->last = &x->first;
    }
    pthread_mutex_unlock(&x->h->lock);
    return out;
}

static bool client_left(exchange *x)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd at = {.fd = info ? info->connect_fd : -1, .events = POLLRDHUP};
    return info && poll(&at, 1, 0) > 0 && (at.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* Waits a little for something to happen to the exchange. False: nobody waits for it any more. */
static bool tick(exchange *x)
{
    http *h = x->h;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&h->lock);
    if (!x->first && !h->stopping && pthread_cond_timedwait(&h->changed, &h->lock, &until) == ETIMEDOUT)
        x->idle_ticks++;
    bool on = !h->stopping;
    pthread_mutex_unlock(&h->lock);
    return on && !client_left(x);
}

/* ---- responses ---- */

static enum MHD_Result respond(struct MHD_Connection *c, unsigned status, char *text, const char *type,
                               const char *name, const char *value)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(text ? strlen(text) : 0, text,
                                                             text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!r) {
        free(text);
        return MHD_NO;
    }
    if (type) MHD_add_response_header(r, "Content-Type", type);
    if (name) MHD_add_response_header(r, name, value);
    MHD_add_response_header(r, "Cache-Control", "no-store");
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}

static enum MHD_Result complain(struct MHD_Connection *c, unsigned status, const char *text)
{
    json_t *whole =
        json_pack("{s:s, s:n, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", "error", "code", -32600, "message", text);
    char *words = whole ? json_dumps(whole, JSON_COMPACT) : NULL;
    json_decref(whole);
    const char *extra = status == 405 ? "Allow" : status == 401 ? "WWW-Authenticate" : NULL;
    return respond(c, status, words, "application/json", extra, status == 405 ? "POST, DELETE" : "Bearer");
}

static ssize_t stream(void *context, uint64_t position, char *room, size_t size)
{
    exchange *x = context;
    (void)position;
    while (!x->frame) {
        bool over = server_waiting(line_of(x), x->origin) == 0; /* asked first: its answer was put here before */
        text_out *out = take(x);
        if (out) {
            if (asprintf(&x->frame, "event: message\ndata: %s\n\n", out->text) < 0) x->frame = NULL;
            free(out->text);
            free(out);
            x->idle_ticks = 0;
            if (!x->frame) return MHD_CONTENT_READER_END_WITH_ERROR;
        } else if (over) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        } else if (!tick(x)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        } else if (x->idle_ticks >= ALIVE_TICKS) {
            x->idle_ticks = 0;
            x->frame = strdup(":\n\n");
        }
    }
    size_t left = strlen(x->frame) - x->sent, n = left < size ? left : size;
    memcpy(room, x->frame + x->sent, n);
    x->sent += n;
    if (n == left) {
        free(x->frame);
        x->frame = NULL;
        x->sent = 0;
    }
    return (ssize_t)n;
}

static enum MHD_Result respond_stream(exchange *x)
{
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 64 << 10, stream, x, NULL);
    if (!r) return MHD_NO;
    MHD_add_response_header(r, "Content-Type", "text/event-stream");
    MHD_add_response_header(r, "Cache-Control", "no-store");
    MHD_add_response_header(r, "X-Accel-Buffering", "no");
    enum MHD_Result done = MHD_queue_response(x->connection, 200, r);
    MHD_destroy_response(r);
    return done;
}

/* ---- requests ---- */

static const char *header(const exchange *x, const char *name)
{
    return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

static bool token_fits(const exchange *x)
{
    const char *wanted = x->h->options->token, *given = header(x, "Authorization");
    if (!wanted || !*wanted) return true;
    if (!given || strncasecmp(given, "Bearer ", 7) != 0) return false;
    unsigned char a[32], b[32]; /* of one length, for a comparison in constant time */
    crypto_generichash(a, sizeof a, (const unsigned char *)wanted, strlen(wanted), NULL, 0);
    crypto_generichash(b, sizeof b, (const unsigned char *)given + 7, strlen(given + 7), NULL, 0);
    return sodium_memcmp(a, b, sizeof a) == 0;
}

/* What is wrong with the request before its body matters: 0 or a status, and words. */
static unsigned faults(const exchange *x, const char *url, const char *method, const char **ret_words)
{
    const char *host = header(x, "Host"), *origin = header(x, "Origin"), *type = header(x, "Content-Type");
    const http *h = x->h;
    *ret_words = "this server is not called by that name (Host)";
    if (!host || !http_host_fits(host, h->loopback, h->options->allow_host)) return 403;
    *ret_words = "pages of that origin may not call this server";
    if (origin && !http_origin_fits(origin, h->loopback, h->options->allow_host)) return 403;
    *ret_words = "a token is wanted: Authorization: Bearer TOKEN";
    if (!token_fits(x)) return 401;
    *ret_words = "the endpoint is /mcp";
    if (strcmp(url, "/mcp") != 0) return 404;
    *ret_words = "the endpoint takes POST";
    bool post = strcmp(method, "POST") == 0;
    if (!post && (strcmp(method, "DELETE") != 0 || !header(x, "Mcp-Session-Id"))) return 405;
    *ret_words = "the body must be application/json";
    if (post && (!type || strncasecmp(type, "application/json", 16) != 0)) return 415;
    return 0;
}

static enum MHD_Result delete_session(exchange *x)
{
    http *h = x->h;
    session *ended = NULL;
    char room[2 * SESSION_ID_SIZE];
    const char *id = http_value(header(x, "Mcp-Session-Id"), false, room, sizeof room);
    pthread_mutex_lock(&h->lock);
    for (uint32_t i = 0; i < SESSIONS_MAX && !ended; i++) {
        if (h->sessions[i] && strcmp(h->sessions[i]->id, id) == 0) end_session(h, i, &ended);
    }
    pthread_mutex_unlock(&h->lock);
    if (!ended) return complain(x->connection, 404, "there is no such session");
    let_go(h, ended);
    return respond(x->connection, 204, NULL, NULL, NULL, NULL);
}

/* The line that the request belongs to. 0 or a status. */
static unsigned find_line(exchange *x, const char **ret_words)
{
    char room[64], id_room[2 * SESSION_ID_SIZE];
    const char *version = http_value(header(x, "MCP-Protocol-Version"), false, room, sizeof room);
    const char *id = http_value(header(x, "Mcp-Session-Id"), false, id_room, sizeof id_room);
    bool modern = version && strcmp(version, RPC_MODERN) == 0;
    if (id && !modern) {
        x->of = find_session(x->h, id);
        *ret_words = "there is no such session (any more); initialize anew";
        return x->of ? 0 : 404;
    }
    const server_ends ends = {.context = x->h, .send = send_text, .wake = wake};
    x->line = server_line_new(x->h->s, &ends);
    *ret_words = "out of memory";
    return x->line ? 0 : 503;
}

static enum MHD_Result respond_json(exchange *x, const char *session_id)
{
    text_out *out = take(x);
    if (!out) return respond(x->connection, 202, NULL, NULL, NULL, NULL);
    char *text = out->text;
    unsigned status = out->status;
    free(out);
    return respond(x->connection, status, text, "application/json", session_id ? "Mcp-Session-Id" : NULL, session_id);
}

static enum MHD_Result post(exchange *x)
{
    const char *words = "";
    if (x->too_large) return complain(x->connection, 413, "the message is larger than 4 MiB");
    unsigned status = find_line(x, &words);
    if (status) return complain(x->connection, status, words);
    char version[64], method[256], name[1024];
    const rpc_headers headers = {.version =
                                     http_value(header(x, "MCP-Protocol-Version"), false, version, sizeof version),
                                 .method = http_value(header(x, "Mcp-Method"), false, method, sizeof method),
                                 .name = http_value(header(x, "Mcp-Name"), true, name, sizeof name)};
    const char *accept = header(x, "Accept");
    bool streams = accept && strcasestr(accept, "text/event-stream");
    bool fresh = x->line != NULL;
    server_receive(line_of(x), x->origin, &headers, x->body ? x->body : "", x->size);
    if (fresh && server_has_session(x->line) && !open_session(x)) return complain(x->connection, 503, "out of memory");
    if (streams && server_waiting(line_of(x), x->origin)) return respond_stream(x);
    while (server_waiting(line_of(x), x->origin)) {
        if (!tick(x)) return MHD_NO;
    }
    return respond_json(x, fresh && x->of ? x->of->id : NULL);
}

static void add_body(exchange *x, const char *data, size_t size)
{
    if (x->too_large || x->size + size > RPC_MESSAGE_MAX) {
        x->too_large = true;
        return;
    }
    if (x->size + size > x->room) {
        size_t room = 2 * (x->size + size);
        char *more = realloc(x->body, room);
        if (!more) {
            x->too_large = true;
            return;
        }
        x->body = more;
        x->room = room;
    }
    memcpy(x->body + x->size, data, size);
    x->size += size;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state)
{
    http *h = context;
    exchange *x = *state;
    const char *words = "";
    (void)version;
    if (!x) {
        x = exchange_new(h, connection);
        if (!x) return MHD_NO;
        *state = x;
        unsigned status = faults(x, url, method, &words);
        x->refused = status != 0;
        return status ? complain(connection, status, words) : MHD_YES;
    }
    if (x->refused) { /* its body is passed over */
        *size = 0;
        return MHD_YES;
    }
    if (*size) {
        add_body(x, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return strcmp(method, "DELETE") == 0 ? delete_session(x) : post(x);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    if (*state) exchange_free(*state);
    *state = NULL;
}

/* ---- the daemon ---- */

static void announce(struct MHD_Daemon *daemon, const http_place *place)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    char name[128] = "";
    bool six = place->address.ss_family == AF_INET6;
    const void *address = six ? (const void *)&((const struct sockaddr_in6 *)&place->address)->sin6_addr
                              : (const void *)&((const struct sockaddr_in *)&place->address)->sin_addr;
    inet_ntop(place->address.ss_family, address, name, sizeof name);
    fprintf(stderr, six ? "serving MCP at http://[%s]:%u/mcp\n" : "serving MCP at http://%s:%u/mcp\n", name,
            info ? info->port : 0);
}

etna_code server_http(server *s, const server_http_options *options, etna_error *err)
{
    http_place place;
    etna_code code = http_read_place(options->address, &place, err);
    if (code != ETNA_OK) return code;
    if (!place.loopback && (!options->token || !*options->token)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "--http %.80s: that can be reached from other machines; put a token into ETNA_MCP_TOKEN",
                         options->address);
    }
    http h = {.s = s, .options = options, .loopback = place.loopback};
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
                     (place.address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    struct MHD_Daemon *daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, handle, &h, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&place.address,
                         MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_END);
    if (!daemon) {
        return etna_fail(err, ETNA_E_NETWORK, "cannot listen at %.80s: %s; choose another port", options->address,
                         strerror(errno));
    }
    announce(daemon, &place);
    sigset_t ends;
    int got = 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigwait(&ends, &got);
    pthread_mutex_lock(&h.lock);
    h.stopping = true;
    pthread_cond_broadcast(&h.changed);
    pthread_mutex_unlock(&h.lock);
    MHD_stop_daemon(daemon);
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        if (!h.sessions[i]) continue;
        server_line_free(h.sessions[i]->line);
        free(h.sessions[i]);
    }
    return ETNA_OK;
}
