/* See http.h. A call: names, then libcurl, then `done`. libcurl tells which
 * sockets and times it waits for; libuv's handles tell it back. Calls end in
 * `finish` alone, so that `done` is told once and nothing of a call outlives it
 * but closing handles. */
#include "worker/shell/http.h"

#include "worker/shell/http_body.h"
#include "worker/shell/http_name.h"
#include "worker/shell/http_proxy.h"
#include "worker/shell/http_secret.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* bytes of an answer's head, of a header that is read, of a host's name, and of
 * "+HOST:PORT:ADDRESSES" for CURLOPT_RESOLVE */
enum {
    HEAD_MAX = 256 << 10,
    HEADER_MAX = 256,
    HOST_MAX = 256,
    RESOLVED_MAX = 1024 + HOST_MAX + 16
};

typedef struct watch { /* one of libcurl's sockets */
    uv_poll_t poll;
    struct http *http;
    curl_socket_t socket;
} watch;

struct http {
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t timer;
    http_names *names;
    http_call *calls;
    uint32_t handles; /* of libuv, not closed yet, and the names */
    bool closing;
    void (*closed)(void *context);
    void *context;
};

struct http_call {
    http *http;
    const models_endpoint *endpoint;
    CURL *easy;
    bool added;
    http_body body;
    uint64_t body_size;
    struct curl_slist *headers, *resolved;
    struct curl_slist *secrets; /* of the headers: what no answer may hold */
    http_name_wait wait;
    /* whose address is needed, and who is called */
    char host[HOST_MAX], server[HOST_MAX];
    uint16_t port;
    /* until the first byte; at first: the next turn of the loop, to fail from
     * there */
    uv_timer_t patience;
    uint8_t *data;
    size_t size, room;
    bool too_long, late;
    bool is_interim;  /* the head that comes is of a 1xx: no answer yet */
    size_t head_size; /* of all heads that came */
    bool head_too_long, head_ended;
    const char *trouble; /* known before libcurl was asked */
    char retry_after[HEADER_MAX], retry_after_ms[HEADER_MAX],
        should_retry[HEADER_MAX], request_id[HEADER_MAX];
    char why[CURL_ERROR_SIZE];
    http_sent *sent; /* NULL from when it was called */
    http_done *done;
    void *context;
    http_call *before, *after;
};

/* ---- the end of a call ---- */

/* The key stands in one of the lines; it must not stay on the heap. */
static void wipe(struct curl_slist *list)
{
    for (struct curl_slist *at = list; at; at = at->next)
        explicit_bzero(at->data, strlen(at->data));
    curl_slist_free_all(list);
}

/* The last handle that closes ends it, whichever that is. */
static void end_if_closed(http *h)
{
    if (!h->closing || h->handles)
        return;
    void (*closed)(void *context) = h->closed;
    void *context = h->context;
    free(h);
    if (closed)
        closed(context);
}

static void call_closed(uv_handle_t *handle)
{
    http_call *c = handle->data;
    http *h = c->http;
    free(c->data);
    free(c);
    h->handles--;
    end_if_closed(h);
}

/* Everything but the memory, which its timer still holds. */
static void detach(http_call *c)
{
    http_names_leave(&c->wait);
    if (c->easy) {
        if (c->added)
            curl_multi_remove_handle(c->http->multi, c->easy);
        curl_easy_cleanup(c->easy);
    }
    wipe(c->headers);
    wipe(c->secrets);
    curl_slist_free_all(c->resolved);
    c->easy = NULL;
    c->headers = c->secrets = c->resolved = NULL;
    if (c->before)
        c->before->after = c->after;
    if (c->after)
        c->after->before = c->before;
    if (c->http->calls == c)
        c->http->calls = c->after;
    uv_close((uv_handle_t *)&c->patience, call_closed);
}

/* By what libcurl has sent, and not by what it has taken from us: it
 * buffers. */
bool http_is_sent(const http_call *call)
{
    curl_off_t uploaded = 0;
    if (!call->added ||
        curl_easy_getinfo(call->easy, CURLINFO_SIZE_UPLOAD_T, &uploaded))
        return false;
    return (uint64_t)uploaded >= call->body_size;
}

void http_cancel(http_call *call)
{
    detach(call);
}

/* Trying again with the same certificate or URL gives the same end. */
static bool is_final(CURLcode code)
{
    switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_URL_MALFORMAT: return true;
    default: return false;
    }
}

/* libcurl has a limit of its own for one line of a head, and calls what is
 * beyond it a lack of memory. */
static bool http_head_is_too_long(const http_call *c, CURLcode code)
{
    bool is_in_head = http_body_is_sent(&c->body) && !c->head_ended;
    return c->head_too_long || (code == CURLE_OUT_OF_MEMORY && is_in_head);
}

/* What ended the call but the transport itself; NULL: nothing did. */
static const char *call_trouble(const http_call *c, CURLcode code)
{
    if (c->trouble)
        return c->trouble;
    if (c->too_long)
        return "the answer is over 64 MiB";
    if (http_head_is_too_long(c, code))
        return "the head of its answer is too long to be read";
    return c->late ? "no byte of an answer in time" : NULL;
}

/* Of all that of an answer is told or kept. */
static void hide_secrets(http_call *c)
{
    for (const struct curl_slist *at = c->secrets; at; at = at->next) {
        http_secret_hide((char *)c->data, c->size, at->data);
        http_secret_hide(c->request_id, strlen(c->request_id), at->data);
        http_secret_hide(c->why, strlen(c->why), at->data);
    }
}

/* The one end of every call. An answer is passed on even when its status is an
 * error: what it means is the provider's to say. Without one, the words are
 * ours, the proxy's or libcurl's, in that order. */
static void finish(http_call *c, CURLcode code)
{
    provider_answer answer = {.now_unix = (uint64_t)time(NULL)};
    long status = 0;
    char *type = NULL;
    if (c->added) {
        curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(c->easy, CURLINFO_CONTENT_TYPE, &type);
    }
    hide_secrets(c);
    char text[CURL_ERROR_SIZE + 256];
    if (code == CURLE_OK && !c->trouble) {
        answer.status = (uint32_t)status;
        answer.body = c->data;
        answer.size = c->size;
        answer.content_type = type;
        answer.retry_after = c->retry_after[0] ? c->retry_after : NULL;
        answer.retry_after_ms = c->retry_after_ms[0] ? c->retry_after_ms : NULL;
        answer.should_retry = c->should_retry[0] ? c->should_retry : NULL;
        answer.request_id = c->request_id[0] ? c->request_id : NULL;
    } else {
        const char *why = call_trouble(c, code);
        const char *curl_words = c->why[0] ? c->why : curl_easy_strerror(code);
        snprintf(text, sizeof text, "%s", why ? why : curl_words);
        answer.transport = text;
        answer.transport_final = !c->trouble && is_final(code);
        if (!why && c->added)
            http_proxy_refused(c->easy, c->server, text, sizeof text,
                               &answer.transport_final);
        answer.may_be_billed = c->added && http_body_is_sent(&c->body);
    }
    http_done *done = c->done;
    void *context = c->context;
    uint8_t *data = c->data;
    /* the answer's until `done` returns; a type of libcurl's goes with its
     * handle, so it is told before */
    c->data = NULL;
    done(context, &answer);
    free(data);
    detach(c);
}

/* ---- libcurl's callbacks ---- */

static size_t read_body(char *buffer, size_t size, size_t count, void *context)
{
    http_call *c = context;
    size_t read = http_body_read(&c->body, buffer, size * count);
    if (http_body_is_sent(&c->body) && c->sent) {
        http_sent *sent = c->sent;
        c->sent = NULL;
        sent(c->context);
    }
    return read;
}

/* libcurl would send a body again on a new connection when an old one broke:
 * not when the server may have it. */
static int seek_body(void *context, curl_off_t offset, int origin)
{
    http_call *c = context;
    if (origin != SEEK_SET || offset != 0 || http_body_is_sent(&c->body))
        return CURL_SEEKFUNC_FAIL;
    http_body_rewind(&c->body);
    return CURL_SEEKFUNC_OK;
}

/* Returning less than was given makes libcurl end the transfer. The patience is
 * for the first byte only; after it the total time bounds the call. */
static size_t write_answer(char *data, size_t size, size_t count, void *context)
{
    http_call *c = context;
    size_t more = size * count;
    uv_timer_stop(&c->patience);
    if (more > PROVIDER_ANSWER_MAX - c->size) {
        c->too_long = true;
        return 0;
    }
    if (c->size + more > c->room) {
        size_t room = 2 * (c->size + more);
        uint8_t *grown = realloc(c->data, room);
        if (!grown)
            return 0;
        c->data = grown;
        c->room = room;
    }
    memcpy(c->data + c->size, data, more);
    c->size += more;
    return more;
}

/* Names compare in any case, as HTTP has it. A value that is longer than
 * HEADER_MAX is left out, not cut: half a number is another number. */
static void take_header(const char *line,
                        size_t size,
                        const char *name,
                        char *ret)
{
    size_t length = strlen(name);
    if (size <= length || line[length] != ':' ||
        strncasecmp(line, name, length) != 0)
        return;
    line += length + 1;
    size -= length + 1;
    while (size && (*line == ' ' || *line == '\t'))
        line++, size--;
    while (size && (unsigned char)line[size - 1] <= ' ')
        size--;
    if (size >= HEADER_MAX)
        return;
    memcpy(ret, line, size);
    ret[size] = 0;
}

/* Of a line that begins a head: whether an answer follows another time. */
static bool http_head_is_interim(const char *line, size_t size)
{
    const char *space = memchr(line, ' ', size);
    return space && space + 1 < line + size && space[1] == '1';
}

/* A server that only says it has heard (1xx) has not begun to answer: what it
 * adds is passed over, and the patience for the first byte runs on. */
static size_t take_headers(char *data, size_t size, size_t count, void *context)
{
    http_call *c = context;
    size_t all = size * count;
    if (all > 5 && memcmp(data, "HTTP/", 5) == 0)
        c->is_interim = http_head_is_interim(data, all);
    c->head_size += all;
    c->head_too_long = c->head_size > HEAD_MAX;
    if (c->head_too_long)
        return 0;
    if (c->is_interim)
        return all;
    bool is_last = all && (data[0] == '\r' || data[0] == '\n');
    c->head_ended = c->head_ended || is_last; /* trailers are no head */
    uv_timer_stop(&c->patience);
    take_header(data, all, "retry-after", c->retry_after);
    take_header(data, all, "retry-after-ms", c->retry_after_ms);
    take_header(data, all, "x-should-retry", c->should_retry);
    take_header(data, all, "x-request-id", c->request_id);
    take_header(data, all, "request-id", c->request_id);
    return all;
}

/* ---- between libcurl and libuv ---- */

/* finish() may start calls, which is why messages are read one by one. */
static void collect(http *h)
{
    CURLMsg *told = NULL;
    int left = 0;
    while ((told = curl_multi_info_read(h->multi, &left))) {
        if (told->msg != CURLMSG_DONE)
            continue;
        char *call = NULL;
        CURLcode code = told->data.result;
        curl_easy_getinfo(told->easy_handle, CURLINFO_PRIVATE, &call);
        finish((http_call *)(void *)call, code);
    }
}

static void socket_ready(uv_poll_t *poll, int status, int events)
{
    watch *w = poll->data;
    http *h = w->http;
    int flags = 0, running = 0;
    if (events & UV_READABLE)
        flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        flags |= CURL_CSELECT_OUT;
    if (status < 0)
        flags = CURL_CSELECT_ERR;
    curl_multi_socket_action(h->multi, w->socket, flags, &running);
    collect(h);
}

static void watch_closed(uv_handle_t *handle)
{
    watch *w = handle->data;
    http *h = w->http;
    free(w);
    h->handles--;
    end_if_closed(h);
}

/* libcurl says which events it waits for; `assigned` is what we gave it for
 * that socket. A closed handle is freed later, in its own callback. */
static int watch_socket(
    CURL *easy, curl_socket_t socket, int what, void *context, void *assigned)
{
    http *h = context;
    watch *w = assigned;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (w)
            uv_close((uv_handle_t *)&w->poll, watch_closed);
        curl_multi_assign(h->multi, socket, NULL);
        return 0;
    }
    if (!w) {
        w = calloc(1, sizeof *w);
        if (!w)
            return -1;
        if (uv_poll_init_socket(h->loop, &w->poll, socket) != 0) {
            free(w);
            return -1;
        }
        w->http = h;
        w->socket = socket;
        w->poll.data = w;
        h->handles++;
        curl_multi_assign(h->multi, socket, w);
    }
    int events = 0;
    if (what & CURL_POLL_IN)
        events |= UV_READABLE;
    if (what & CURL_POLL_OUT)
        events |= UV_WRITABLE;
    return uv_poll_start(&w->poll, events, socket_ready) == 0 ? 0 : -1;
}

static void time_is_up(uv_timer_t *timer)
{
    http *h = timer->data;
    int running = 0;
    curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(h);
}

/* -1 stops it. */
static int set_timer(CURLM *multi, long ms, void *context)
{
    http *h = context;
    (void)multi;
    if (ms < 0) {
        uv_timer_stop(&h->timer);
    } else {
        uv_timer_start(&h->timer, time_is_up, (uint64_t)ms, 0);
    }
    return 0;
}

/* ---- a call's beginning ---- */

static void fail_soon(uv_timer_t *timer)
{
    finish(timer->data, CURLE_FAILED_INIT);
}

static void no_byte_came(uv_timer_t *timer)
{
    http_call *c = timer->data;
    c->late = true;
    finish(c, CURLE_OPERATION_TIMEDOUT);
}

/* Ends the call from the loop, with words of our own. */
static void trouble(http_call *c, const char *words)
{
    c->trouble = words;
    uv_timer_start(&c->patience, fail_soon, 0, 0);
}

/* "+" makes the entry expire like one of libcurl's own, so a changed address is
 * seen by the next call. */
static void name_known(http_name_wait *wait, const char *addresses)
{
    http_call *c = wait->context;
    char line[RESOLVED_MAX];
    if (!addresses) {
        trouble(
            c,
            "its name has no address: look at the endpoint's url, or at the network");
        return;
    }
    int size =
        snprintf(line, sizeof line, "+%s:%u:%s", c->host, c->port, addresses);
    c->resolved = size > 0 && (size_t)size < sizeof line
                      ? curl_slist_append(NULL, line)
                      : NULL;
    if (!c->resolved ||
        curl_easy_setopt(c->easy, CURLOPT_RESOLVE, c->resolved) != CURLE_OK ||
        curl_multi_add_handle(c->http->multi, c->easy) != CURLM_OK) {
        trouble(c, "out of memory before the call began");
        return;
    }
    c->added = true;
    uv_timer_start(&c->patience, no_byte_came, c->endpoint->first_byte_ms, 0);
}

/* The line is wiped as it may hold the key; libcurl's copy is wiped by
 * `wipe`. */
static etna_code add_header(http_call *c,
                            const char *name,
                            const char *prefix,
                            const char *value,
                            etna_error *err)
{
    size_t size = strlen(name) + strlen(prefix) + strlen(value) + 3;
    char *line = malloc(size);
    struct curl_slist *list = NULL;
    if (line) {
        snprintf(line, size, "%s: %s%s", name, prefix, value);
        list = curl_slist_append(c->headers, line);
        explicit_bzero(line, size);
        free(line);
    }
    if (!list)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while preparing a call to a model");
    c->headers = list;
    return ETNA_OK;
}

static etna_code keep_secret(http_call *c, const char *value, etna_error *err)
{
    struct curl_slist *list = curl_slist_append(c->secrets, value);
    if (!list)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while preparing a call to a model");
    c->secrets = list;
    return ETNA_OK;
}

/* A line's end would let a value begin another header. */
static bool is_header_value(const char *value)
{
    return !strpbrk(value, "\r\n");
}

/* `$NAME` is an environment variable: a secret of a gateway need not stand in
 * the list of models, which is part of a run. */
static etna_code add_headers(http_call *c,
                             const provider_call *call,
                             const char *key,
                             etna_error *err)
{
    /* none: it would cost a second a call */
    etna_code code = add_header(c, "Expect", "", "", err);
    for (uint32_t i = 0; !code && i < call->header_count; i++) {
        const char *value = call->headers[i].value;
        bool is_secret = value[0] == '$';
        if (is_secret) {
            value = getenv(value + 1);
            if (!value) {
                return etna_fail(
                    err, ETNA_E_USAGE,
                    "endpoint %.80s: its header %.80s takes the environment variable %.80s, which is not set",
                    c->endpoint->name, call->headers[i].name,
                    call->headers[i].value + 1);
            }
        }
        if (!is_header_value(value))
            return etna_fail(
                err, ETNA_E_USAGE,
                "endpoint %.80s: its header %.80s holds a line's end",
                c->endpoint->name, call->headers[i].name);
        code = add_header(c, call->headers[i].name, "", value, err);
        if (!code && is_secret)
            code = keep_secret(c, value, err);
    }
    if (code || !key)
        return code;
    if (!is_header_value(key))
        return etna_fail(err, ETNA_E_USAGE,
                         "endpoint %.80s: its key holds a line's end",
                         c->endpoint->name);
    code = add_header(c, call->key_header, call->key_prefix, key, err);
    return code ? code : keep_secret(c, key, err);
}

/* Whose address is needed: the proxy's if there is one, else the server's. */
static etna_code find_host(http_call *c,
                           const char *url,
                           const char *proxy,
                           etna_error *err)
{
    CURLU *parsed = curl_url();
    char *host = NULL, *port = NULL;
    bool ok =
        parsed &&
        curl_url_set(parsed, CURLUPART_URL, proxy ? proxy : url,
                     CURLU_GUESS_SCHEME |
                         (proxy ? CURLU_NON_SUPPORT_SCHEME : 0)) == CURLUE_OK &&
        curl_url_get(parsed, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
        strlen(host) < HOST_MAX;
    bool plain_proxy = proxy && strncasecmp(proxy, "https:", 6) != 0;
    if (ok &&
        curl_url_get(parsed, CURLUPART_PORT, &port,
                     plain_proxy ? 0 : CURLU_DEFAULT_PORT) == CURLUE_NO_PORT) {
        c->port = 1080; /* libcurl's for a proxy of which none is said */
    }
    ok = ok && (port || c->port);
    if (ok) {
        snprintf(c->host, sizeof c->host, "%s", host);
        if (port)
            c->port = (uint16_t)atoi(port);
    }
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(parsed);
    return ok ? ETNA_OK
              : etna_fail(
                    err, ETNA_E_USAGE,
                    "endpoint %.80s: its url or proxy is not an address that can be called",
                    c->endpoint->name);
}

/* Small buffers: thousands of calls may be open at once, and each holds one of
 * either kind. HTTP/2 only over TLS, as h2c is not agreed on by servers. What
 * has no check cannot fail but for memory. */
static bool set_up(http_call *c, const provider_call *call, const char *proxy)
{
    CURL *e = c->easy;
    const models_endpoint *p = c->endpoint;
    bool ok = curl_easy_setopt(e, CURLOPT_URL, call->url) == CURLE_OK &&
              curl_easy_setopt(e, CURLOPT_HTTPHEADER, c->headers) == CURLE_OK;
    ok = ok &&
         curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
         curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK;
    if (p->ca_file)
        ok = ok && curl_easy_setopt(e, CURLOPT_CAINFO, p->ca_file) == CURLE_OK;
    ok = ok && http_proxy_set(e, p, proxy);
    curl_easy_setopt(e, CURLOPT_PRIVATE, c);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)p->connect_ms);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)p->total_ms);
    curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(e, CURLOPT_TCP_KEEPIDLE, 30L);
    curl_easy_setopt(e, CURLOPT_TCP_KEEPINTVL, 15L);
    curl_easy_setopt(e, CURLOPT_BUFFERSIZE, 16384L);
    curl_easy_setopt(e, CURLOPT_UPLOAD_BUFFERSIZE, 16384L);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, c->why);
    curl_easy_setopt(e, CURLOPT_POST, 1L);
    curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->body_size);
    curl_easy_setopt(e, CURLOPT_READFUNCTION, read_body);
    curl_easy_setopt(e, CURLOPT_READDATA, c);
    curl_easy_setopt(e, CURLOPT_SEEKFUNCTION, seek_body);
    curl_easy_setopt(e, CURLOPT_SEEKDATA, c);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, write_answer);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take_headers);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, c);
    return ok;
}

static bool is_address(const char *host)
{
    unsigned char room[16];
    return host[0] == '[' || inet_pton(AF_INET, host, room) == 1;
}

/* Nothing calls `done` from within: also a known address is only added to
 * libcurl here, and the loop goes on. */
etna_code http_start(http *h,
                     const models_endpoint *endpoint,
                     const provider_call *call,
                     const provider_image *images,
                     const char *key,
                     http_sent *sent,
                     http_done *done,
                     void *context,
                     http_call **ret_call,
                     etna_error *err)
{
    http_call *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while preparing a call to a model");
    *c = (http_call){.http = h,
                     .endpoint = endpoint,
                     .body = http_body_of(call, images),
                     .body_size = call->body_size,
                     .sent = sent,
                     .done = done,
                     .context = context};
    const char *proxy = NULL, *server = strstr(call->url, "://");
    snprintf(c->server, sizeof c->server, "%.*s",
             server ? (int)strcspn(server + 3, "/?#") : 0,
             server ? server + 3 : "");
    etna_code code = http_proxy_of(endpoint, &proxy, err);
    if (!code)
        code = find_host(c, call->url, proxy, err);
    if (!code)
        code = add_headers(c, call, key, err);
    c->easy = code ? NULL : curl_easy_init();
    if (!code && (!c->easy || !set_up(c, call, proxy)))
        code = etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while preparing a call to a model");
    if (code) {
        if (c->easy)
            curl_easy_cleanup(c->easy);
        wipe(c->headers);
        wipe(c->secrets);
        free(c);
        return code;
    }
    uv_timer_init(h->loop, &c->patience);
    c->patience.data = c;
    h->handles++;
    c->after = h->calls;
    if (c->after)
        c->after->before = c;
    h->calls = c;
    c->wait = (http_name_wait){.ready = name_known, .context = c};
    if (is_address(c->host)) {
        name_known(&c->wait, c->host);
    } else if (!http_names_ask(h->names, c->host, &c->wait)) {
        trouble(c, "out of memory while looking up its name");
    }
    *ret_call = c;
    return ETNA_OK;
}

/* ---- all of it ---- */

etna_code http_new(uv_loop_t *loop, http **ret_http, etna_error *err)
{
    http *h = calloc(1, sizeof *h);
    if (!h)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while preparing for calls to models");
    h->loop = loop;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
        h->multi = curl_multi_init();
        h->names = h->multi ? http_names_new(loop) : NULL;
    }
    if (!h->names) {
        if (h->multi)
            curl_multi_cleanup(h->multi);
        free(h);
        return etna_fail(err, ETNA_E_IO, "libcurl could not be started");
    }
    uv_timer_init(loop, &h->timer);
    h->timer.data = h;
    h->handles = 2; /* the timer and the names */
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
    *ret_http = h;
    return ETNA_OK;
}

static void timer_closed(uv_handle_t *handle)
{
    http *h = handle->data;
    h->handles--;
    end_if_closed(h);
}

static void names_closed(void *context)
{
    http *h = context;
    h->handles--;
    end_if_closed(h);
}

/* Calls first, then libcurl (which closes its sockets' watches), then the
 * handles; `closed` comes when libuv has given all of them back. */
void http_close(http *h, void (*closed)(void *context), void *context)
{
    if (!h)
        return;
    while (h->calls)
        detach(h->calls);
    curl_multi_cleanup(h->multi);
    h->closing = true;
    h->closed = closed;
    h->context = context;
    uv_close((uv_handle_t *)&h->timer, timer_closed);
    http_names_close(h->names, names_closed, h);
}
