/* MCP over Streamable HTTP: a thread a connection, so an answer that is not
 * there yet is waited for in its own. Legacy clients have sessions, each a line
 * of the server; a modern request is a line by itself. */
#include "worker/mcp/server.h"

#include "http/http_server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* Connections are threads, so their number is memory (each with its stack). A
 * tick bounds how late a closed connection is noticed; ALIVE_TICKS of them, 12
 * s, is how long a stream stays silent before a comment keeps proxies from
 * closing it. The id is 16 random bytes in hex and NUL. */
enum {
    SESSIONS_MAX = 64,
    CONNECTIONS_MAX = 512,
    TICK_MS = 200,
    ALIVE_TICKS = 60,
    SESSION_ID_SIZE = 33
};

/* A legacy client's line between requests. Under http.lock; whoever uses it
 * holds it by `users`. */
typedef struct session {
    char id[SESSION_ID_SIZE];
    server_line *line;
    uint32_t users; /* exchanges */
    bool gone;
    uint64_t last_used;
} session;

/* One of a process, on server_http's stack; it outlives the listener's
 * threads. */
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

/* A text for an exchange, in the order in which they were sent; owns it. */
typedef struct text_out {
    struct text_out *next;
    char *text;
    uint32_t status;
} text_out;

typedef struct exchange { /* one request and what is said to it */
    struct exchange *next;
    http *h;
    http_request *request;
    uint64_t origin;
    /* a status: what is wrong before its body matters; 0: nothing */
    unsigned fault;
    const char *fault_words;
    server_line *line; /* of its own; NULL: the session's */
    session *of;
    text_out *first, **last;
    size_t sent; /* of the first frame */
    char *frame;
    uint32_t idle_ticks;
} exchange;

/* ---- answers, from the server's threads ---- */

/* Called by any thread of the server's with the text's ownership. An exchange
 * that has ended finds no taker; the text is dropped, which is what JSON-RPC
 * over a closed connection can do. */
static void send_text(void *context, const rpc_action *action, char *text)
{
    http *h = context;
    text_out *out = calloc(1, sizeof *out);
    pthread_mutex_lock(&h->lock);
    exchange *x = h->exchanges;
    while (x && x->origin != action->origin)
        x = x->next;
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

/* Wakes all: each looks whether something has changed for it. With at most 512
 * of them that is cheaper than a condition each. */
static void http_wake(void *context, uint64_t origin)
{
    http *h = context;
    (void)origin;
    pthread_mutex_lock(&h->lock);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

/* ---- sessions ---- */

/* The last user frees a session that was taken from the table. server_line_free
 * takes the server's lock, which must not be taken within ours. */
static void let_go(http *h, session *s) /* without the lock */
{
    pthread_mutex_lock(&h->lock);
    bool last = --s->users == 0 && s->gone;
    pthread_mutex_unlock(&h->lock);
    if (!last)
        return;
    server_line_free(s->line);
    free(s);
}

/* It is pinned once more before it leaves the table, so that it lives until
 * let_go. */
static void end_session(http *h, uint32_t slot, session **ret)
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
        if (h->sessions[i] && strcmp(h->sessions[i]->id, id) == 0)
            found = h->sessions[i];
    }
    if (found) {
        found->users++;
        found->last_used = ++h->clock;
    }
    pthread_mutex_unlock(&h->lock);
    return found;
}

/* The exchange's line becomes a session's; the longest unused one makes room.
 * 128 random bits, since the id is all that a later request shows beside the
 * token. */
static bool open_session(exchange *x)
{
    http *h = x->h;
    session *s = calloc(1, sizeof *s);
    session *old = NULL;
    uint8_t random[16];
    if (!s)
        return false;
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(s->id, sizeof s->id, random, sizeof random);
    s->line = x->line;
    s->users = 1;
    pthread_mutex_lock(&h->lock);
    s->last_used = ++h->clock;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        if (!h->sessions[slot])
            break;
        if (!h->sessions[i] ||
            h->sessions[i]->last_used < h->sessions[slot]->last_used)
            slot = i;
    }
    if (h->sessions[slot])
        end_session(h, slot, &old);
    h->sessions[slot] = s;
    pthread_mutex_unlock(&h->lock);
    if (old)
        let_go(h, old);
    x->line = NULL;
    x->of = s;
    return true;
}

static server_line *line_of(const exchange *x)
{
    return x->of ? x->of->line : x->line;
}

/* ---- exchanges ---- */

/* In the list before the request is handed over, so no answer can come too
 * early. */
static exchange *exchange_new(http *h, http_request *request)
{
    exchange *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->h = h;
    x->request = request;
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
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    pthread_mutex_unlock(&h->lock);
    /* A modern request ends with its connection; of a session, only a message
     * cancels. */
    if (x->line) {
        server_forget(x->line, x->origin);
        server_line_free(x->line);
    }
    if (x->of)
        let_go(h, x->of);
    for (text_out *out = x->first; out;) {
        text_out *next = out->next;
        free(out->text);
        free(out);
        out = next;
    }
    free(x->frame);
    free(x);
}

static text_out *exchange_take(exchange *x)
{
    pthread_mutex_lock(&x->h->lock);
    text_out *out = x->first;
    if (out) {
        x->first = out->next;
        if (!x->first)
            x->last = &x->first;
    }
    pthread_mutex_unlock(&x->h->lock);
    return out;
}

/* Waits a little for something to happen to the exchange. False: nobody waits
 * for it any more. */
static bool exchange_tick(exchange *x)
{
    http *h = x->h;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TICK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&h->lock);
    if (!x->first && !h->stopping &&
        pthread_cond_timedwait(&h->changed, &h->lock, &until) == ETIMEDOUT)
        x->idle_ticks++;
    bool on = !h->stopping;
    pthread_mutex_unlock(&h->lock);
    return on && !http_request_is_left(x->request);
}

/* ---- responses ---- */

/* A JSON-RPC error without an id: the body was not read. */
static enum MHD_Result http_complain(const http_request *request,
                                     unsigned status,
                                     const char *text)
{
    json_t *whole = json_pack("{s:s, s:n, s:{s:i, s:s}}", "jsonrpc", "2.0",
                              "id", "error", "code", -32600, "message", text);
    char *words = whole ? json_dumps(whole, JSON_COMPACT) : NULL;
    json_decref(whole);
    const char *extra = status == 405 ? "Allow" : NULL;
    if (status == 401)
        extra = "WWW-Authenticate";
    return http_request_answer(request, status, words, "application/json",
                               extra,
                               status == 405 ? "POST, DELETE" : "Bearer");
}

/* MHD's callback: fills `room` with the next bytes of the stream, waiting in
 * this connection's thread until there are some. The order of the two questions
 * at the top is what makes it end: an answer is queued before the call counts
 * as over. */
static ssize_t exchange_stream(void *context,
                               uint64_t position,
                               char *room,
                               size_t size)
{
    exchange *x = context;
    (void)position;
    while (!x->frame) {
        bool over = server_waiting(line_of(x), x->origin) ==
                    0; /* asked first: its answer was put here before */
        text_out *out = exchange_take(x);
        if (out) {
            if (asprintf(&x->frame, "event: message\ndata: %s\n\n", out->text) <
                0)
                x->frame = NULL;
            free(out->text);
            free(out);
            x->idle_ticks = 0;
            if (!x->frame)
                return MHD_CONTENT_READER_END_WITH_ERROR;
        } else if (over) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        } else if (!exchange_tick(x)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        } else if (x->idle_ticks >= ALIVE_TICKS) {
            x->idle_ticks = 0;
            x->frame = strdup(":\n\n");
        }
    }
    size_t left = strlen(x->frame) - x->sent;
    size_t n = left < size ? left : size;
    memcpy(room, x->frame + x->sent, n);
    x->sent += n;
    if (n == left) {
        free(x->frame);
        x->frame = NULL;
        x->sent = 0;
    }
    return (ssize_t)n;
}

/* X-Accel-Buffering: nginx would hold back events until its buffer is full. */
static enum MHD_Result respond_stream(exchange *x)
{
    struct MHD_Response *r = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, 64 << 10, exchange_stream, x, NULL);
    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, "Content-Type", "text/event-stream");
    MHD_add_response_header(r, "Cache-Control", "no-store");
    MHD_add_response_header(r, "X-Accel-Buffering", "no");
    enum MHD_Result done = MHD_queue_response(x->request->connection, 200, r);
    MHD_destroy_response(r);
    return done;
}

/* ---- requests ---- */

static const char *exchange_header(const exchange *x, const char *name)
{
    return http_request_header(x->request, name);
}

/* What is wrong with the request before its body matters: 0 or a status, and
 * words. Ordered so that a stranger learns as little as possible: who may call
 * at all comes before which path exists. Host and Origin stop a web page that
 * reaches a local server through DNS rebinding. */
static unsigned find_fault(const exchange *x, const char **ret_words)
{
    const char *method = x->request->method;
    const char *host = exchange_header(x, "Host");
    const char *origin = exchange_header(x, "Origin");
    const char *type = exchange_header(x, "Content-Type");
    const http *h = x->h;
    *ret_words = "this server is not called by that name (Host)";
    if (!host || !http_host_fits(host, h->loopback, h->options->allow_host))
        return 403;
    *ret_words = "pages of that origin may not call this server";
    if (origin &&
        !http_origin_fits(origin, h->loopback, h->options->allow_host))
        return 403;
    *ret_words = "a token is wanted: Authorization: Bearer TOKEN";
    if (!http_bearer_fits(exchange_header(x, "Authorization"),
                          h->options->token))
        return 401;
    *ret_words = "the endpoint is /mcp";
    if (strcmp(x->request->url, "/mcp") != 0)
        return 404;
    *ret_words = "the endpoint takes POST";
    bool post = strcmp(method, "POST") == 0;
    if (!post && (strcmp(method, "DELETE") != 0 ||
                  !exchange_header(x, "Mcp-Session-Id")))
        return 405;
    *ret_words = "the body must be application/json";
    if (post && (!type || strncasecmp(type, "application/json", 16) != 0))
        return 415;
    return 0;
}

static enum MHD_Result delete_session(exchange *x)
{
    http *h = x->h;
    session *ended = NULL;
    char room[2 * SESSION_ID_SIZE];
    const char *id = http_header_value(exchange_header(x, "Mcp-Session-Id"),
                                       false, room, sizeof room);
    pthread_mutex_lock(&h->lock);
    for (uint32_t i = 0; i < SESSIONS_MAX && !ended; i++) {
        if (h->sessions[i] && strcmp(h->sessions[i]->id, id) == 0)
            end_session(h, i, &ended);
    }
    pthread_mutex_unlock(&h->lock);
    if (!ended)
        return http_complain(x->request, 404, "there is no such session");
    let_go(h, ended);
    return http_request_answer(x->request, 204, NULL, NULL, NULL, NULL);
}

/* The line that the request belongs to. 0 or a status. A modern request carries
 * all of its state, so it is a line by itself, whatever session header a client
 * leaves in. A revision that we do not know is refused here only within a
 * session: without one the message itself is answered so, with those we know. */
static unsigned find_line(exchange *x, const char **ret_words)
{
    char room[64], id_room[2 * SESSION_ID_SIZE];
    const char *version = http_header_value(
        exchange_header(x, "MCP-Protocol-Version"), false, room, sizeof room);
    const char *id = http_header_value(exchange_header(x, "Mcp-Session-Id"),
                                       false, id_room, sizeof id_room);
    bool modern = version && strcmp(version, RPC_MODERN) == 0;
    if (id && version && !rpc_speaks(version)) {
        *ret_words =
            "the header MCP-Protocol-Version names no revision that this server speaks";
        return 400;
    }
    if (id && !modern) {
        x->of = find_session(x->h, id);
        *ret_words = "there is no such session (any more); initialize anew";
        return x->of ? 0 : 404;
    }
    const server_ends ends = {
        .context = x->h, .send = send_text, .wake = http_wake};
    x->line = server_line_new(x->h->s, &ends);
    *ret_words = "out of memory";
    return x->line ? 0 : 503;
}

/* Without an answer it was a notification: 202 and no body. */
static enum MHD_Result respond_json(exchange *x, const char *session_id)
{
    text_out *out = exchange_take(x);
    if (!out)
        return http_request_answer(x->request, 202, NULL, NULL, NULL, NULL);
    char *text = out->text;
    unsigned status = out->status;
    free(out);
    return http_request_answer(x->request, status, text, "application/json",
                               session_id ? "Mcp-Session-Id" : NULL,
                               session_id);
}

/* A client that takes no stream is answered once, when its calls have ended. A
 * session is opened only after `initialize` succeeded, and its id goes out with
 * that answer. */
static enum MHD_Result exchange_post(exchange *x)
{
    const char *words = "";
    if (x->request->too_large)
        return http_complain(x->request, 413,
                             "the message is larger than 4 MiB");
    if (x->request->no_memory)
        return http_complain(x->request, 503, "out of memory");
    unsigned status = find_line(x, &words);
    if (status)
        return http_complain(x->request, status, words);
    char version[64], method[256], name[1024];
    const rpc_headers headers = {
        .version = http_header_value(exchange_header(x, "MCP-Protocol-Version"),
                                     false, version, sizeof version),
        .method = http_header_value(exchange_header(x, "Mcp-Method"), false,
                                    method, sizeof method),
        .name = http_header_value(exchange_header(x, "Mcp-Name"), true, name,
                                  sizeof name)};
    const char *accept = exchange_header(x, "Accept");
    bool streams = accept && strcasestr(accept, "text/event-stream");
    bool fresh = x->line != NULL;
    server_receive(line_of(x), x->origin, &headers, x->request->body,
                   x->request->size);
    if (fresh && server_has_session(x->line) && !open_session(x))
        return http_complain(x->request, 503, "out of memory");
    if (streams && server_waiting(line_of(x), x->origin))
        return respond_stream(x);
    while (server_waiting(line_of(x), x->origin)) {
        if (!exchange_tick(x))
            return MHD_NO;
    }
    return respond_json(x, fresh && x->of ? x->of->id : NULL);
}

/* Called when the header is there; a refused request's body is not kept. */
static enum MHD_Result exchange_open(void *context, http_request *request)
{
    exchange *x = exchange_new(context, request);
    request->own = x;
    if (!x)
        return MHD_NO;
    x->fault = find_fault(x, &x->fault_words);
    request->is_refused = x->fault != 0;
    return MHD_YES;
}

static enum MHD_Result exchange_handle(void *context, http_request *request)
{
    (void)context;
    exchange *x = request->own;
    if (x->fault)
        return http_complain(request, x->fault, x->fault_words);
    return strcmp(request->method, "DELETE") == 0 ? delete_session(x)
                                                  : exchange_post(x);
}

/* MHD calls it once for each request, however it ended. */
static void exchange_close(void *context, http_request *request)
{
    (void)context;
    if (request->own)
        exchange_free(request->own);
}

/* ---- the server ---- */

/* Blocks until SIGINT or SIGTERM, which the program has blocked in all threads.
 * Stopping wakes the waiting exchanges first; http_server_stop then joins their
 * threads, and only after that are lines freed. */
etna_code server_http(server *s,
                      const server_http_options *options,
                      etna_error *err)
{
    http_place place;
    etna_code code = http_place_read("--http", options->address, &place, err);
    if (code != ETNA_OK)
        return code;
    if (!place.loopback && (!options->token || !*options->token)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--http %.80s: that can be reached from other machines; put a token into ETNA_MCP_TOKEN",
            options->address);
    }
    http h = {.s = s, .options = options, .loopback = place.loopback};
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    const http_server_options listening = {
        .place = place,
        .handler = {&h, exchange_open, exchange_handle, exchange_close},
        .connections = CONNECTIONS_MAX,
        .body_max = RPC_MESSAGE_MAX};
    http_server *listener;
    code = http_server_start(&listening, &listener, err);
    if (code != ETNA_OK)
        return code;
    char url[HTTP_URL_SIZE];
    http_server_url(listener, url);
    fprintf(stderr, "serving MCP at %s/mcp\n", url);
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
    http_server_stop(listener);
    for (uint32_t i = 0; i < SESSIONS_MAX; i++) {
        if (!h.sessions[i])
            continue;
        server_line_free(h.sessions[i]->line);
        free(h.sessions[i]);
    }
    return ETNA_OK;
}
