/* A thread that serves many connections takes what came for them in turns: what
 * came while it was busy is neither lost nor left. */
#include "http/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    NEVER_MS = 600000,
    PATIENCE_S = 5,
    CONNECTIONS = 512,
    BODY_MAX = 64
};

/* The server's one thread waits in `/busy` until `is_free`. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_busy, is_free;
    unsigned over; /* requests, whichever way they ended */
} work = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

static enum MHD_Result work_handle(void *context, http_request *request)
{
    (void)context;
    if (strcmp(request->url, "/busy") != 0)
        return http_request_answer(request, 200, NULL, NULL, NULL, NULL);
    pthread_mutex_lock(&work.lock);
    work.is_busy = true;
    pthread_cond_broadcast(&work.changed);
    while (!work.is_free)
        pthread_cond_wait(&work.changed, &work.lock);
    pthread_mutex_unlock(&work.lock);
    return http_request_answer(request, 200, NULL, NULL, NULL, NULL);
}

static void work_close(void *context, http_request *request)
{
    (void)context, (void)request;
    pthread_mutex_lock(&work.lock);
    work.over++;
    pthread_cond_broadcast(&work.changed);
    pthread_mutex_unlock(&work.lock);
}

static void work_free(void)
{
    pthread_mutex_lock(&work.lock);
    work.is_free = true;
    pthread_cond_broadcast(&work.changed);
    pthread_mutex_unlock(&work.lock);
}

/* False: not so many requests were over in time. */
static bool work_await_over(unsigned count)
{
    struct timespec until;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&work.lock);
    while (work.over < count && !late)
        late = pthread_cond_timedwait(&work.changed, &work.lock, &until);
    bool is_over = work.over >= count;
    pthread_mutex_unlock(&work.lock);
    return is_over;
}

static http_server *serve(void)
{
    http_server_options options = {
        .handler = {.handle = work_handle, .close = work_close},
        .threads = 1,
        .connections = CONNECTIONS,
        .body_max = BODY_MAX,
        .head_ms = NEVER_MS,
        .body_ms = NEVER_MS};
    http_server *server;
    assert_int_equal(
        http_place_read("test", "127.0.0.1:0", &options.place, NULL), ETNA_OK);
    assert_int_equal(http_server_start(&options, &server, NULL), ETNA_OK);
    work.is_busy = work.is_free = false;
    work.over = 0;
    return server;
}

static int dial(const http_server *server)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(http_server_port(server))};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void ask(int fd)
{
    say(fd, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

static bool is_answered(int fd)
{
    char text[1024] = "";
    ssize_t size = recv(fd, text, sizeof text - 1, 0);
    return size > 0 && strncmp(text, "HTTP/1.1 200", 12) == 0;
}

/* The thread has begun to be busy when this returns. */
static int keep_busy(const http_server *server)
{
    int fd = dial(server);
    say(fd, "GET /busy HTTP/1.1\r\nHost: localhost\r\n\r\n");
    pthread_mutex_lock(&work.lock);
    while (!work.is_busy)
        pthread_cond_wait(&work.changed, &work.lock);
    pthread_mutex_unlock(&work.lock);
    return fd;
}

/* `count` connections that are known to the thread ask while it is busy. */
static void ask_together(unsigned count)
{
    int asking[CONNECTIONS];
    http_server *server = serve();
    for (unsigned i = 0; i < count; i++) {
        asking[i] = dial(server);
        ask(asking[i]);
        assert_true(is_answered(asking[i]));
    }
    int busy = keep_busy(server);
    for (unsigned i = 0; i < count; i++)
        ask(asking[i]);
    work_free();
    for (unsigned i = 0; i < count; i++) {
        if (!is_answered(asking[i]))
            fail_msg("no answer to number %u of %u", i, count);
        close(asking[i]);
    }
    close(busy);
    http_server_stop(server);
}

static void however_many_ask_at_once_all_are_answered(void **state)
{
    (void)state;
    /* powers of two are what a server may take of them in one turn */
    for (unsigned power = 16; power < CONNECTIONS; power *= 2) {
        for (unsigned count = power - 1; count <= power + 1; count++)
            ask_together(count);
    }
}

static void who_leaves_in_the_middle_of_a_request_is_let_go(void **state)
{
    (void)state;
    enum {
        LEAVING = 8
    };
    http_server *server = serve();
    int busy = keep_busy(server);
    for (int i = 0; i < LEAVING; i++) {
        int fd = dial(server);
        say(fd,
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
        close(fd);
    }
    work_free();
    assert_true(is_answered(busy));
    assert_true(work_await_over(LEAVING + 1));
    close(busy);
    http_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_many_ask_at_once_all_are_answered),
        cmocka_unit_test(who_leaves_in_the_middle_of_a_request_is_let_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
