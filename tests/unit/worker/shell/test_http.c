/* Calls over real sockets of this machine: what a server gets, what comes back,
 * and that none of the ways a line can break is taken for an answer or for
 * never sent. The server answers one connection after another by a list of
 * scripts. */
#include "tests/support/loopback.h"
#include "worker/shell/http.h"
#include "worker/shell/http_body.h"
#include "worker/shell/http_proxy.h"
#include "worker/shell/http_secret.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    SEEN_MAX = 1 << 20
};

/* The line is closed behind each answer. One that a caller could take for the
 * next call must say so, or that call may go out on it. */
typedef struct script {
    const char *answer;
    size_t size;  /* 0: strlen */
    bool no_read; /* answers nothing and closes before the request is read */
    bool reset;   /* ends with a reset */
    bool hold;    /* keeps the line open until the other side closes it */
} script;

typedef struct server {
    int listener;
    uint16_t port;
    const script *scripts;
    uint32_t count, served;
    char seen[SEEN_MAX];
    size_t seen_size;
    pthread_t thread;
} server;

/* Reads headers and as much body as they tell. */
static void read_request(server *s, int fd)
{
    s->seen_size = 0;
    for (;;) {
        ssize_t got =
            recv(fd, s->seen + s->seen_size, SEEN_MAX - 1 - s->seen_size, 0);
        if (got <= 0)
            return;
        s->seen_size += (size_t)got;
        s->seen[s->seen_size] = 0;
        size_t whole = loopback_message_size(s->seen, NULL);
        if (whole && s->seen_size >= whole)
            return;
    }
}

static void *serve(void *context)
{
    server *s = context;
    for (s->served = 0; s->served < s->count; s->served++) {
        const script *now = &s->scripts[s->served];
        int fd = accept(s->listener, NULL, NULL);
        if (fd < 0)
            break;
        if (!now->no_read)
            read_request(s, fd);
        size_t size = now->size     ? now->size
                      : now->answer ? strlen(now->answer)
                                    : 0;
        loopback_send(fd, now->answer, size); /* as much as is wanted */
        char byte;
        while (now->hold && recv(fd, &byte, 1, 0) > 0)
            continue;
        struct linger at_once = {1, 0};
        if (now->reset)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(fd);
    }
    return NULL;
}

static void server_start(server *s, const script *scripts, uint32_t count)
{
    s->listener = loopback_listen(16, &s->port);
    assert_true(s->listener >= 0);
    s->scripts = scripts;
    s->count = count;
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void server_end(server *s)
{
    /* accept returns, whatever is left of the list */
    shutdown(s->listener, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->listener);
}

/* ---- a caller ---- */
typedef struct caller {
    uv_loop_t loop;
    http *http;
    models_endpoint endpoint;
    char url[128];
    bool done, closed;
    uint32_t status;
    char body[4096], transport[512], type[128], retry_after[128];
    size_t size;
    char request_id[128];
    bool final, billed;
    provider_piece *pieces; /* of the call under way */
    uint32_t sent;
} caller;

/* Who holds nothing for a body that went out may have it written over. */
static void was_sent(void *context)
{
    caller *c = context;
    assert_false(c->done);
    memset(c->pieces, 0xee, 3 * sizeof *c->pieces);
    c->sent++;
}

static void told(void *context, const provider_answer *answer)
{
    caller *c = context;
    assert_false(c->done);
    c->done = true;
    c->status = answer->status;
    c->size = answer->size;
    snprintf(c->body, sizeof c->body, "%.*s",
             (int)(answer->size < 4000 ? answer->size : 4000),
             answer->body ? (const char *)answer->body : "");
    snprintf(c->transport, sizeof c->transport, "%s",
             answer->transport ? answer->transport : "");
    snprintf(c->type, sizeof c->type, "%s",
             answer->content_type ? answer->content_type : "");
    snprintf(c->retry_after, sizeof c->retry_after, "%s",
             answer->retry_after ? answer->retry_after : "");
    snprintf(c->request_id, sizeof c->request_id, "%s",
             answer->request_id ? answer->request_id : "");
    c->final = answer->transport_final;
    c->billed = answer->may_be_billed;
    uv_stop(&c->loop);
}

static void caller_begin(caller *c, const char *host, uint16_t port)
{
    memset(c, 0, sizeof *c);
    assert_int_equal(uv_loop_init(&c->loop), 0);
    assert_int_equal(http_new(&c->loop, &c->http, NULL), ETNA_OK);
    snprintf(c->url, sizeof c->url, "http://%s:%u/v1/x", host, port);
    c->endpoint = (models_endpoint){.name = "e",
                                    .url = c->url,
                                    .connect_ms = 5000,
                                    .first_byte_ms = 5000,
                                    .total_ms = 20000,
                                    .proxy = ""};
}

static void was_closed(void *context)
{
    ((caller *)context)->closed = true;
}

static void caller_end(caller *c)
{
    http_close(c->http, was_closed, c);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    assert_true(c->closed);
    assert_int_equal(uv_loop_close(&c->loop), 0); /* nothing was left on it */
}

static const uint8_t picture[5] = {0, 255, 16, 7, 99};
static const provider_image images[1] = {{picture, 5, "image/png"}};

static provider_call make_call(caller *c, provider_piece *pieces)
{
    static const models_pair headers[2] = {{"content-type", "application/json"},
                                           {"x-team", "$ETNA_TEST_TEAM"}};
    pieces[0] = (provider_piece){.text = "{\"a\":\"", .size = 6};
    pieces[1] = (provider_piece){.image = 0};
    pieces[2] = (provider_piece){.text = "\"}", .size = 2};
    return (provider_call){.url = c->url,
                           .key_header = "authorization",
                           .key_prefix = "Bearer ",
                           .header_count = 2,
                           .headers = headers,
                           .piece_count = 3,
                           .pieces = pieces,
                           .body_size = 16};
}

static void call_and_wait(caller *c)
{
    provider_piece pieces[3];
    provider_call call = make_call(c, pieces);
    http_call *handle = NULL;
    etna_error err = {0};
    c->done = false;
    c->pieces = pieces;
    c->sent = 0;
    setenv("ETNA_TEST_TEAM", "blue", 1);
    if (http_start(c->http, &c->endpoint, &call, images, "secret-key", was_sent,
                   told, c, &handle, &err))
        fail_msg("%s", err.text);
    assert_false(c->done);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    assert_true(c->done);
}

static void a_body_is_the_same_however_small_the_pieces_it_is_read_in(
    void **state)
{
    (void)state;
    caller c = {.url = "x"};
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    for (size_t step = 1; step < 20; step++) {
        http_body body = http_body_of(&call, images);
        char text[64] = "";
        size_t used = 0, got;
        while ((got = http_body_read(&body, text + used, step)))
            used += got;
        assert_int_equal(used, 16);
        assert_string_equal(text, "{\"a\":\"AP8QB2M=\"}");
        assert_true(http_body_is_sent(&body));
    }
}

static void a_call_sends_what_was_said_and_brings_the_answer(void **state)
{
    (void)state;
    static server s;
    const script scripts[] = {
        {.answer =
             "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"}};
    caller c;
    server_start(&s, scripts, 1);
    caller_begin(&c, "localhost", s.port);
    call_and_wait(&c);
    assert_int_equal(c.status, 200);
    assert_int_equal(c.sent, 1);
    assert_string_equal(c.body, "{}");
    assert_string_equal(c.type, "application/json");
    assert_non_null(strstr(s.seen, "POST /v1/x HTTP/1.1\r\n"));
    assert_non_null(strcasestr(s.seen, "authorization: Bearer secret-key\r\n"));
    assert_non_null(strcasestr(s.seen, "x-team: blue\r\n"));
    assert_null(strcasestr(s.seen, "expect:"));
    assert_non_null(strstr(s.seen, "\r\n\r\n{\"a\":\"AP8QB2M=\"}"));
    caller_end(&c);
    server_end(&s);
}

/* Gateways quote a request in their errors, and what they say is kept and
 * shown. */
static void a_secret_that_a_server_sends_back_is_hidden(void **state)
{
    (void)state;
    static server s;
    const script scripts[] = {
        {.answer =
             "HTTP/1.1 401 No\r\nX-Request-Id: of secret-key\r\nContent-Length: 68\r\n\r\n"
             "{\"e\":\"Bearer secret-key, secret-secret-key or squad-red, secret-ke\"}"}};
    caller c;
    server_start(&s, scripts, 1);
    caller_begin(&c, "127.0.0.1", s.port);
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    http_call *handle = NULL;
    c.pieces = pieces;
    setenv("ETNA_TEST_TEAM", "squad-red", 1);
    assert_int_equal(http_start(c.http, &c.endpoint, &call, images,
                                "secret-key", was_sent, told, &c, &handle,
                                NULL),
                     ETNA_OK);
    uv_run(&c.loop, UV_RUN_DEFAULT);
    assert_int_equal(c.status, 401);
    assert_string_equal(
        c.body,
        "{\"e\":\"Bearer **********, secret-********** or *********, secret-ke\"}");
    assert_string_equal(c.request_id, "of **********");
    caller_end(&c);
    server_end(&s);
    char slashes[] = "ab\\/cdefgh ab/cdefgh ab\\/cdefg ab\\";
    http_secret_hide(slashes, strlen(slashes), "ab/cdefgh");
    assert_string_equal(slashes, "********** ********* ab\\/cdefg ab\\");
    char word[] = "none";
    http_secret_hide(word, strlen(word), "none"); /* no secret */
    assert_string_equal(word, "none");
}

static void broken_lines_are_no_answers_and_tell_whether_the_body_went_out(
    void **state)
{
    (void)state;
    static server s;
    const script scripts[] = {
        {.reset = true}, /* after the whole request */
        /* half a body */
        {.answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":"},
        /* garbage */
        {.answer = "SSH-2.0-no http here at all\r\n"},
        {.answer =
             "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"},
        {.answer =
             "HTTP/1.1 429 Slow\r\nConnection: close\r\nRetry-After:  7 \r\nContent-Length: 0\r\n\r\n"},
        {.answer =
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"},
    };
    caller c;
    server_start(&s, scripts, 6);
    caller_begin(&c, "127.0.0.1", s.port);
    for (int i = 0; i < 3; i++) {
        call_and_wait(&c);
        assert_int_equal(c.status, 0);
        assert_true(c.billed);
        assert_int_equal(c.sent, 1); /* and not anew on another connection */
        assert_false(c.final);
        assert_true(c.transport[0] != 0);
    }
    call_and_wait(&c);
    assert_int_equal(c.status, 302); /* not followed */
    call_and_wait(&c);
    assert_int_equal(c.status, 429);
    assert_string_equal(c.retry_after, "7");
    call_and_wait(&c);
    assert_int_equal(c.status, 200);
    assert_string_equal(c.body, "{}");
    caller_end(&c);
    server_end(&s);
}

/* Of one line, and of many. */
static void a_head_that_is_too_long_is_told_as_such(void **state)
{
    (void)state;
    enum {
        LINE = 150000,
        LINES = 400000
    };
    static server s;
    static const char begin[] = "HTTP/1.1 200 OK\r\n",
                      line[] = "X-More: and more of it, and more of it\r\n";
    static char one[LINE + 64], many[LINES + 64];
    strcpy(one, begin);
    memset(one + sizeof begin - 1, 'a', LINE);
    strcpy(one + sizeof begin - 1 + LINE, "\r\nContent-Length: 0\r\n\r\n");
    strcpy(many, begin);
    for (size_t at = sizeof begin - 1; at < LINES; at += sizeof line - 1)
        strcpy(many + at, line);
    const script scripts[] = {{.answer = one, .hold = true},
                              {.answer = many, .hold = true}};
    caller c;
    server_start(&s, scripts, 2);
    caller_begin(&c, "127.0.0.1", s.port);
    for (int i = 0; i < 2; i++) {
        call_and_wait(&c);
        assert_int_equal(c.status, 0);
        assert_true(c.billed);
        assert_string_equal(c.transport,
                            "the head of its answer is too long to be read");
    }
    caller_end(&c);
    server_end(&s);
}

static void who_is_not_there_was_not_called(void **state)
{
    (void)state;
    caller c;
    caller_begin(&c, "127.0.0.1", 1);
    call_and_wait(&c);
    assert_int_equal(c.status, 0);
    assert_false(c.billed);
    caller_end(&c);
    caller_begin(&c, "no-such-name.invalid", 1);
    call_and_wait(&c);
    assert_int_equal(c.status, 0);
    assert_false(c.billed);
    assert_non_null(strstr(c.transport, "name"));
    caller_end(&c);
}

static void
a_silent_server_is_given_up_in_time_and_a_cancelled_call_says_nothing(
    void **state)
{
    (void)state;
    static server s;
    const script scripts[] = {{.hold = true}, {.hold = true}};
    caller c;
    server_start(&s, scripts, 2);
    caller_begin(&c, "127.0.0.1", s.port);
    c.endpoint.first_byte_ms = 50;
    call_and_wait(&c);
    assert_int_equal(c.status, 0);
    assert_true(c.billed);
    assert_non_null(strstr(c.transport, "in time"));
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    http_call *handle = NULL;
    c.done = false;
    c.endpoint.first_byte_ms = 60000;
    assert_int_equal(http_start(c.http, &c.endpoint, &call, images, NULL, NULL,
                                told, &c, &handle, NULL),
                     ETNA_OK);
    for (int i = 0; i < 3; i++)
        uv_run(&c.loop, UV_RUN_NOWAIT);
    http_cancel(handle);
    caller_end(&c);
    assert_false(c.done);
    server_end(&s);
}

/* 1xx says that the request was heard; whoever says that again and again and
 * nothing else is as silent as who says nothing. */
static void who_only_says_that_it_has_heard_is_given_up_in_time(void **state)
{
    (void)state;
    static server s;
    const script scripts[] = {
        {.answer = "HTTP/1.1 100 Continue\r\nRetry-After: 9\r\n\r\n"
                   "HTTP/1.1 102 Processing\r\n\r\n",
         .hold = true},
        {.answer = "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
                   "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"}};
    caller c;
    server_start(&s, scripts, 2);
    caller_begin(&c, "127.0.0.1", s.port);
    c.endpoint.first_byte_ms = 200;
    call_and_wait(&c);
    assert_int_equal(c.status, 0);
    assert_true(c.billed);
    assert_non_null(strstr(c.transport, "in time"));
    c.endpoint.first_byte_ms = 5000;
    call_and_wait(&c);
    assert_int_equal(c.status, 200);
    assert_string_equal(c.body, "{}");
    assert_string_equal(c.retry_after, "");
    caller_end(&c);
    server_end(&s);
}

enum {
    CALLS = 500
};

/* The loop must not wait for more once the last is sent: nothing more comes. */
static void count_sent(void *context)
{
    caller *c = context;
    if (++c->sent == CALLS)
        uv_stop(&c->loop);
}

static void never(void *context, const provider_answer *answer)
{
    (void)context;
    fail_msg("a call that nobody answered ended: %s", answer->transport);
}

/* Nobody reads at the other end: what is said waits in the sockets. */
static void five_hundred_calls_wait_on_one_loop_and_hold_no_body(void **state)
{
    (void)state;
    static http_call *handles[CALLS];
    uint16_t port = 0;
    int listener = loopback_listen(2 * CALLS, &port);
    assert_true(listener >= 0);
    caller c;
    caller_begin(&c, "127.0.0.1", port);
    c.endpoint.connect_ms = c.endpoint.first_byte_ms = c.endpoint.total_ms =
        600000;
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    setenv("ETNA_TEST_TEAM", "blue", 1);
    for (int i = 0; i < CALLS; i++) {
        assert_int_equal(http_start(c.http, &c.endpoint, &call, images, "key",
                                    count_sent, never, &c, &handles[i], NULL),
                         ETNA_OK);
    }
    if (c.sent < CALLS)
        uv_run(&c.loop, UV_RUN_DEFAULT);
    for (int i = 0; i < CALLS; i += 2)
        http_cancel(handles[i]);
    for (int i = 0; i < 3; i++)
        uv_run(&c.loop, UV_RUN_NOWAIT);
    assert_int_equal(c.sent, CALLS);
    caller_end(&c); /* and the other half with it */
    close(listener);
}

static void
a_proxy_that_refuses_to_connect_is_told_and_sees_nothing_of_the_call(
    void **state)
{
    (void)state;
    static server s;
    static const struct {
        const char *answer, *words;
        bool final;
    } rows[] = {
        {"HTTP/1.1 407 Authenticate\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nRetry-After: 9\r\nConnection: close\r\n\r\n",
         "name and password (407)", true},
        {"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 7\r\nRetry-After: 9\r\n\r\nnothing",
         "could not connect to model.invalid (502)", false},
        {"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
         "refuses to connect to model.invalid (403)", true},
    };
    script scripts[3];
    for (int i = 0; i < 3; i++)
        scripts[i] = (script){.answer = rows[i].answer};
    caller c;
    char proxy[64];
    server_start(&s, scripts, 3);
    caller_begin(&c, "model.invalid", 1);
    snprintf(c.url, sizeof c.url, "https://model.invalid/v1/x");
    snprintf(proxy, sizeof proxy,
             "http://proxy%%2duser:pass%%3aword@127.0.0.1:%u", s.port);
    setenv("ETNA_TEST_PROXY", proxy, 1);
    c.endpoint.proxy = "$ETNA_TEST_PROXY";
    for (int i = 0; i < 3; i++) {
        call_and_wait(&c);
        assert_int_equal(c.status, 0);
        assert_non_null(strstr(c.transport, rows[i].words));
        assert_null(strstr(c.transport, "word@"));
        assert_null(strchr(c.transport, '\n'));
        assert_int_equal(c.final, rows[i].final);
        assert_false(c.billed);
        assert_int_equal(c.sent, 0);
        assert_string_equal(c.retry_after, "");
        assert_memory_equal(s.seen, "CONNECT model.invalid:443 HTTP/1.1\r\n",
                            35);
        assert_non_null(strcasestr(
            s.seen,
            "proxy-authorization: Basic cHJveHktdXNlcjpwYXNzOndvcmQ=\r\n"));
        assert_null(strstr(s.seen, "secret-key"));
        assert_null(strcasestr(s.seen, "x-team"));
    }
    unsetenv("ETNA_TEST_PROXY");
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    http_call *handle = NULL;
    etna_error err = {0};
    assert_int_equal(http_start(c.http, &c.endpoint, &call, images, NULL, NULL,
                                told, &c, &handle, &err),
                     ETNA_E_USAGE);
    assert_non_null(strstr(err.text, "ETNA_TEST_PROXY"));
    caller_end(&c);
    server_end(&s);
}

static void the_environment_says_which_servers_are_called_without_its_proxy(
    void **state)
{
    (void)state;
    static const struct {
        const char *host, *list;
        bool direct;
    } rows[] = {
        {"model.lan", "model.lan", true},
        {"model.lan", "other, .LAN", true},
        {"model.lan", "lan", true},
        {"xlan", "lan", false},
        {"model.lan", "del.lan", false},
        {"model.lan", "*", true},
        {"model.lan", "", false},
        {"model.lan", " , ,", false},
        {"10.1.2.3", "10.0.0.0/8", true},
        {"11.1.2.3", "10.0.0.0/8", false},
        {"10.1.2.3", "10.1.2.3", true},
        {"10.1.2.3", "10.1.2.0/31", false},
        {"10.1.2.3", "10.1.2.0/99", false},
        {"10.1.2.3", "10.0.0.0/x 10.0.0.0/", false},
        {"fd00::7", "fd00::/16", true},
        {"fd00::7", "10.0.0.0/8", false},
        {"10.1.2.3", "0.0.0.0/0", true},
        {"model.lan", ".", false},
        {"a.model.lan", "b.model.lan lan.", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (http_proxy_passed_over(rows[i].host, rows[i].list) !=
            rows[i].direct)
            fail_msg("%s in \"%s\"", rows[i].host, rows[i].list);
    }
    static const struct {
        const char *url, *https, *http, *all, *none, *own, *wanted;
    } choices[] = {
        {"https://m.lan/v1", "p:1", "p:2", "p:3", NULL, NULL, "p:1"},
        {"http://m.lan/v1", "p:1", "p:2", "p:3", NULL, NULL, "p:2"},
        {"https://m.lan/v1", NULL, "p:2", "p:3", NULL, NULL, "p:3"},
        {"https://m.lan:8443/v1", "p:1", NULL, NULL, "lan", NULL, NULL},
        {"https://[fd00::1]:8443/v1", "p:1", NULL, NULL, "fd00::1", NULL, NULL},
        {"https://m.lan/v1", "p:1", NULL, NULL, "lan", "q:1", "q:1"},
        {"https://m.lan/v1", "p:1", NULL, NULL, NULL, "", NULL},
        {"https://m.lan/v1", "", NULL, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const models_endpoint endpoint = {
            .name = "e", .url = choices[i].url, .proxy = choices[i].own};
        const char *names[] = {"https_proxy", "http_proxy", "all_proxy",
                               "no_proxy"},
                   *values[] = {choices[i].https, choices[i].http,
                                choices[i].all, choices[i].none};
        const char *proxy = "untouched";
        for (int k = 0; k < 4; k++) {
            if (values[k])
                setenv(names[k], values[k], 1);
            else
                unsetenv(names[k]);
        }
        unsetenv("HTTPS_PROXY"), unsetenv("ALL_PROXY"), unsetenv("NO_PROXY");
        assert_int_equal(http_proxy_of(&endpoint, &proxy, NULL), ETNA_OK);
        if (choices[i].wanted)
            assert_string_equal(proxy, choices[i].wanted);
        else
            assert_null(proxy);
        for (int k = 0; k < 4; k++)
            unsetenv(names[k]);
    }
}

static void a_header_without_its_variable_is_refused_by_name(void **state)
{
    (void)state;
    caller c;
    caller_begin(&c, "127.0.0.1", 1);
    provider_piece pieces[3];
    provider_call call = make_call(&c, pieces);
    http_call *handle = NULL;
    etna_error err = {0};
    unsetenv("ETNA_TEST_TEAM");
    assert_int_equal(http_start(c.http, &c.endpoint, &call, images, NULL, NULL,
                                told, &c, &handle, &err),
                     ETNA_E_USAGE);
    assert_non_null(strstr(err.text, "ETNA_TEST_TEAM"));
    setenv("ETNA_TEST_TEAM", "blue", 1);
    assert_int_equal(http_start(c.http, &c.endpoint, &call, images,
                                "two\r\nlines", NULL, told, &c, &handle, &err),
                     ETNA_E_USAGE);
    assert_null(strstr(err.text, "two"));
    caller_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_body_is_the_same_however_small_the_pieces_it_is_read_in),
        cmocka_unit_test(a_call_sends_what_was_said_and_brings_the_answer),
        cmocka_unit_test(a_secret_that_a_server_sends_back_is_hidden),
        cmocka_unit_test(
            broken_lines_are_no_answers_and_tell_whether_the_body_went_out),
        cmocka_unit_test(a_head_that_is_too_long_is_told_as_such),
        cmocka_unit_test(who_is_not_there_was_not_called),
        cmocka_unit_test(
            a_silent_server_is_given_up_in_time_and_a_cancelled_call_says_nothing),
        cmocka_unit_test(who_only_says_that_it_has_heard_is_given_up_in_time),
        cmocka_unit_test(five_hundred_calls_wait_on_one_loop_and_hold_no_body),
        cmocka_unit_test(
            a_proxy_that_refuses_to_connect_is_told_and_sees_nothing_of_the_call),
        cmocka_unit_test(
            the_environment_says_which_servers_are_called_without_its_proxy),
        cmocka_unit_test(a_header_without_its_variable_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
