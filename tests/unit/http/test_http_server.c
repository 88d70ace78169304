/* Peers that are slow, silent, many or talkative, and the one among them that
 * behaves. */
#include "http/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    NEVER_MS = 600000,
    SOON_MS = 50,
    CONNECTIONS = 4,
    BODY_MAX = 64,
    MUCH = 256 << 10
};

static const char whole[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/* More than fits between the two ends. */
static enum MHD_Result tell_much(const http_request *request)
{
    char *text = malloc(MUCH + 1);
    assert_non_null(text);
    memset(text, 'x', MUCH);
    text[MUCH] = 0;
    return http_request_answer(request, 200, text, "text/plain", NULL, NULL);
}

static enum MHD_Result tell_size(void *context, http_request *request)
{
    char text[64];
    (void)context;
    if (strcmp(request->url, "/much") == 0)
        return tell_much(request);
    if (request->is_refused)
        return http_request_answer(request, request->size > 0 ? 500 : 401, NULL,
                                   NULL, NULL, NULL);
    if (request->too_large)
        return http_request_answer(request, 413, NULL, NULL, NULL, NULL);
    snprintf(text, sizeof text, "%zu bytes", request->size);
    return http_request_answer(request, 200, strdup(text), "text/plain", NULL,
                               NULL);
}

static enum MHD_Result refuse(void *context, http_request *request)
{
    (void)context;
    request->is_refused = true;
    return MHD_YES;
}

static http_server *serve(unsigned head_ms,
                          unsigned body_ms,
                          unsigned threads,
                          bool refuses)
{
    http_server_options options = {
        .handler = {.open = refuses ? refuse : NULL, .handle = tell_size},
        .threads = threads,
        .connections = CONNECTIONS,
        .body_max = BODY_MAX,
        .head_ms = head_ms,
        .body_ms = body_ms};
    http_server *server;
    assert_int_equal(
        http_place_read("test", "127.0.0.1:0", &options.place, NULL), ETNA_OK);
    assert_int_equal(http_server_start(&options, &server, NULL), ETNA_OK);
    return server;
}

static void dial_with(const http_server *server, int fd)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(http_server_port(server))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
}

static int dial(const http_server *server)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    dial_with(server, fd);
    return fd;
}

/* By a way on which little fits between the two ends. */
static int dial_narrow(const http_server *server)
{
    const int room = 4096, segment = 536;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room),
                     0);
    assert_int_equal(
        setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment), 0);
    dial_with(server, fd);
    return fd;
}

static void say(int fd, const char *text)
{
    (void)send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* The status of the answer; 0: the connection ended without one. */
static int status_of(int fd)
{
    char text[1024] = "";
    size_t size = 0;
    while (!strstr(text, "\r\n\r\n") && size + 1 < sizeof text) {
        ssize_t n = recv(fd, text + size, sizeof text - 1 - size, 0);
        if (n <= 0)
            return 0;
        size += (size_t)n;
        text[size] = 0;
    }
    int status = 0;
    return sscanf(text, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

static int ask_whole(const http_server *server)
{
    int fd = dial(server);
    say(fd, whole);
    int status = status_of(fd);
    close(fd);
    return status;
}

static void a_head_that_does_not_come_whole_ends_its_connection(void **state)
{
    (void)state;
    http_server *server = serve(SOON_MS, NEVER_MS, 0, false);
    int silent = dial(server), half = dial(server);
    say(half, "GET / HTTP/1.1\r\nHost: loc");
    assert_int_equal(status_of(silent), 0);
    assert_int_equal(status_of(half), 0);
    close(silent);
    close(half);
    http_server_stop(server);
}

static void a_head_in_single_bytes_gets_no_more_time(void **state)
{
    (void)state;
    http_server *server = serve(SOON_MS, NEVER_MS, 0, false);
    int fd = dial(server);
    char byte;
    say(fd, "GET /");
    ssize_t got = -1;
    while (got < 0) { /* ends with the connection alone: the head never does */
        const struct timespec pause = {.tv_nsec = 2000000};
        say(fd, "a");
        nanosleep(&pause, NULL);
        got = recv(fd, &byte, 1, MSG_DONTWAIT);
        if (got < 0 && send(fd, "a", 1, MSG_NOSIGNAL) < 0)
            got = 0;
    }
    assert_int_equal(got, 0);
    close(fd);
    http_server_stop(server);
}

static void a_body_that_does_not_come_ends_its_connection(void **state)
{
    (void)state;
    http_server *server = serve(NEVER_MS, SOON_MS, 0, false);
    int fd = dial(server);
    say(fd,
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
    assert_int_equal(status_of(fd), 0);
    close(fd);
    http_server_stop(server);
}

static void hold_all_open(unsigned threads)
{
    int held[8 * CONNECTIONS];
    http_server *server = serve(NEVER_MS, NEVER_MS, threads, false);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        held[i] = dial(server);
        if (i % 2)
            say(held[i],
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(ask_whole(server), 200);
    /* who was unfinished longest made room */
    assert_int_equal(status_of(held[0]), 0);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        close(held[i]);
    http_server_stop(server);
}

static void a_whole_request_is_served_whatever_others_hold_open(void **state)
{
    (void)state;
    hold_all_open(0);
    hold_all_open(1);
    hold_all_open(2);
}

/* Who asks whole is overtaken by a wave of others before it was heard. */
static void overtake(unsigned threads)
{
    enum {
        WAVE = 100,
        WAVES = 3
    };
    static int held[WAVE];
    http_server *server = serve(NEVER_MS, NEVER_MS, threads, false);
    for (int w = 0; w < WAVES; w++) {
        int asking = dial(server);
        say(asking, whole);
        for (int i = 0; i < WAVE; i++)
            held[i] = dial(server);
        if (status_of(asking) != 200)
            fail_msg("no answer in wave %d, with %u threads", w, threads);
        close(asking);
        for (int i = 0; i < WAVE; i++)
            close(held[i]);
    }
    http_server_stop(server);
}

static void a_whole_request_is_served_before_a_wave_behind_it(void **state)
{
    (void)state;
    overtake(0);
    overtake(1);
    overtake(2);
}

/* From 127.0.0.`host`, which is another host than 127.0.0.1 as far as a server
 * can tell. */
static int dial_from(const http_server *server, uint32_t host)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    from.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~255u) + host);
    assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
    dial_with(server, fd);
    return fd;
}

/* A host shares the flood's number by chance, one of 256; never all of them
 * do. */
static void be_slow_beside_a_flood(unsigned threads)
{
    enum {
        FLOOD = 100,
        SLOW = CONNECTIONS - 1
    };
    static int held[FLOOD];
    int slow[SLOW], answered = 0;
    http_server *server = serve(NEVER_MS, NEVER_MS, threads, false);
    for (uint32_t i = 0; i < SLOW; i++) {
        slow[i] = dial_from(server, i + 2);
        say(slow[i], "GET / HT");
    }
    for (int i = 0; i < FLOOD; i++)
        held[i] = dial(server);
    assert_int_equal(status_of(held[0]), 0);
    for (int i = 0; i < SLOW; i++) {
        say(slow[i], "TP/1.1\r\nHost: localhost\r\n\r\n");
        answered += status_of(slow[i]) == 200;
        close(slow[i]);
    }
    assert_true(answered > 0);
    for (int i = 0; i < FLOOD; i++)
        close(held[i]);
    http_server_stop(server);
}

static void who_is_slow_is_served_whatever_another_host_does(void **state)
{
    (void)state;
    be_slow_beside_a_flood(0);
    be_slow_beside_a_flood(1);
    be_slow_beside_a_flood(2);
}

/* As many as a server holds, and those that it takes beyond to choose among. */
static void take_no_answers(unsigned threads)
{
    enum {
        ALL = CONNECTIONS + 64 + 8
    };
    int held[ALL];
    http_server *server = serve(NEVER_MS, NEVER_MS, threads, false);
    for (size_t i = 0; i < ALL; i++) {
        held[i] = dial_narrow(server);
        say(held[i], "GET /much HTTP/1.1\r\nHost: localhost\r\n\r\n");
        char first;
        /* the answer begins, and is not taken */
        (void)recv(held[i], &first, 1, MSG_PEEK);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(ask_whole(server), 200);
    for (size_t i = 0; i < ALL; i++)
        close(held[i]);
    http_server_stop(server);
}

static void a_whole_request_is_served_whoever_takes_no_answer(void **state)
{
    (void)state;
    take_no_answers(0);
    take_no_answers(1);
}

static void a_connection_may_be_idle_between_requests(void **state)
{
    (void)state;
    enum {
        HEAD_MS = 400
    };
    http_server *server = serve(HEAD_MS, NEVER_MS, 0, false);
    int fd = dial(server);
    for (int i = 0; i < 2; i++) {
        char rest[1024];
        say(fd, whole);
        assert_int_equal(status_of(fd), 200);
        /* than a head may take */
        const struct timespec longer = {.tv_nsec = 2 * HEAD_MS * 1000000L};
        if (i == 0)
            nanosleep(&longer, NULL);
        (void)recv(fd, rest, sizeof rest, MSG_DONTWAIT);
    }
    close(fd);
    http_server_stop(server);
}

static void a_body_over_its_bound_is_told_and_not_kept(void **state)
{
    (void)state;
    http_server *server = serve(NEVER_MS, NEVER_MS, 0, false);
    int fd = dial(server);
    char body[BODY_MAX + 2];
    memset(body, 'x', sizeof body - 1);
    body[sizeof body - 1] = 0;
    say(fd, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65\r\n\r\n");
    say(fd, body);
    assert_int_equal(status_of(fd), 413);
    close(fd);
    fd = dial(server);
    say(fd, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 64\r\n\r\n");
    say(fd, body + 1);
    assert_int_equal(status_of(fd), 200);
    close(fd);
    http_server_stop(server);
}

/* Even one over the bound: who still sends would take an early answer for a
 * broken connection. */
static void the_body_of_who_is_refused_is_passed_over(void **state)
{
    (void)state;
    enum {
        PIECES = 2000
    };
    http_server *server = serve(NEVER_MS, NEVER_MS, 0, true);
    int fd = dial(server);
    char piece[1001], head[128];
    memset(piece, 'x', sizeof piece - 1);
    piece[sizeof piece - 1] = 0;
    snprintf(head, sizeof head,
             "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n",
             PIECES * 1000);
    say(fd, head);
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(send(fd, piece, 1000, MSG_NOSIGNAL), 1000);
    assert_int_equal(status_of(fd), 401);
    close(fd);
    http_server_stop(server);
}

static void a_body_announced_far_beyond_its_bound_is_refused_at_its_head(
    void **state)
{
    (void)state;
    http_server *server = serve(NEVER_MS, NEVER_MS, 0, true);
    int fd = dial(server);
    say(fd,
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000000\r\n\r\n");
    assert_int_equal(status_of(fd), 413);
    close(fd);
    http_server_stop(server);
}

static void a_body_without_an_end_is_cut(void **state)
{
    (void)state;
    enum {
        CHUNKS = 40000
    }; /* of 1,000 bytes: more than is passed over */
    http_server *server = serve(NEVER_MS, NEVER_MS, 0, false);
    int fd = dial(server);
    char chunk[1008] = "3e8\r\n";
    memset(chunk + 5, 'x', 1000);
    memcpy(chunk + 1005, "\r\n", 3);
    say(fd,
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    int sent = 0;
    while (sent < CHUNKS && send(fd, chunk, 1007, MSG_NOSIGNAL) == 1007)
        sent++;
    assert_true(sent < CHUNKS);
    close(fd);
    http_server_stop(server);
}

/* What follows such a head is nobody's request. */
static void assert_refused_for_good(http_server *server, const char *lines)
{
    int fd = dial(server);
    say(fd, "POST / HTTP/1.1\r\nHost: localhost\r\n");
    say(fd, lines);
    say(fd, "\r\n0\r\n\r\n");
    say(fd, whole);
    assert_int_equal(status_of(fd), 400);
    assert_int_equal(status_of(fd), 0);
    close(fd);
}

static void a_head_that_a_proxy_may_read_otherwise_is_refused(void **state)
{
    (void)state;
    http_server *server = serve(NEVER_MS, NEVER_MS, 0, false);
    assert_refused_for_good(server, "Host: elsewhere.example\r\n");
    assert_refused_for_good(
        server, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n");
    assert_refused_for_good(server,
                            "Content-Length: 5\r\nContent-Length: 0\r\n");
    assert_refused_for_good(server, "Content-Length : 5\r\n");
    assert_refused_for_good(server, "Transfer-Encoding: xchunked\r\n");
    assert_refused_for_good(server, "Transfer-Encoding: chunked, identity\r\n");
    http_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_head_that_does_not_come_whole_ends_its_connection),
        cmocka_unit_test(a_head_in_single_bytes_gets_no_more_time),
        cmocka_unit_test(a_body_that_does_not_come_ends_its_connection),
        cmocka_unit_test(a_whole_request_is_served_whatever_others_hold_open),
        cmocka_unit_test(a_whole_request_is_served_before_a_wave_behind_it),
        cmocka_unit_test(a_whole_request_is_served_whoever_takes_no_answer),
        cmocka_unit_test(who_is_slow_is_served_whatever_another_host_does),
        cmocka_unit_test(a_connection_may_be_idle_between_requests),
        cmocka_unit_test(a_body_over_its_bound_is_told_and_not_kept),
        cmocka_unit_test(the_body_of_who_is_refused_is_passed_over),
        cmocka_unit_test(
            a_body_announced_far_beyond_its_bound_is_refused_at_its_head),
        cmocka_unit_test(a_body_without_an_end_is_cut),
        cmocka_unit_test(a_head_that_a_proxy_may_read_otherwise_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
