/* What TLS makes of messages on the wire: between a socket that asks and one
 * that answers stands a relay that counts the records that pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/certificate.h"
#include "proto/dial/dial.h"
#include "tests/support/folder.h"
#include "tests/support/loopback.h"

#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 60000,
    PIECE = 4096,
    HEADER = 5,
    APPLICATION_DATA = 23,
    GREETINGS = 1,    /* of NNG, each way */
    LARGEST = 1000000 /* of what NNG lets through */
};

typedef struct stream { /* one way through the relay */
    int from, to;
    uint8_t header[HEADER];
    size_t header_size, left;
    atomic_uint records; /* with data in them */
} stream;

typedef struct fixture {
    char directory[FOLDER_SIZE];
    certificate certificate;
    nng_socket server, client;
    int listening, port; /* the relay's; the server's port */
    stream there, back;
    pthread_t relay, echo;
    bool is_slow;
} fixture;

static void stream_count(stream *s, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (s->left) {
            s->left--;
            continue;
        }
        s->header[s->header_size++] = bytes[i];
        if (s->header_size < HEADER)
            continue;
        s->header_size = 0;
        s->left = (size_t)s->header[3] << 8 | s->header[4];
        s->records += s->header[0] == APPLICATION_DATA;
    }
}

/* False: its end. */
static bool stream_pass(stream *s)
{
    uint8_t piece[PIECE];
    ssize_t n = read(s->from, piece, sizeof piece);
    if (n <= 0)
        return false;
    stream_count(s, piece, (size_t)n);
    for (ssize_t at = 0, put; at < n; at += put) {
        put = write(s->to, piece + at, (size_t)(n - at));
        if (put <= 0)
            return false;
    }
    return true;
}

static void *relay_run(void *context)
{
    fixture *f = context;
    int near = accept(f->listening, NULL, NULL);
    int far = loopback_connect((uint16_t)f->port);
    bool goes_on = near >= 0 && far >= 0;
    f->there.from = f->back.to = near;
    f->there.to = f->back.from = far;
    while (goes_on) {
        struct pollfd ends[] = {{.fd = near, .events = POLLIN},
                                {.fd = far, .events = POLLIN}};
        goes_on = poll(ends, 2, PATIENCE_MS) > 0;
        if (f->is_slow)
            usleep(200);
        if (goes_on && ends[0].revents)
            goes_on = stream_pass(&f->there);
        if (goes_on && ends[1].revents)
            goes_on = stream_pass(&f->back);
    }
    close(near);
    close(far);
    return NULL;
}

static void *echo_run(void *context)
{
    fixture *f = context;
    nng_msg *m;
    while (!nng_recvmsg(f->server, &m, 0)) {
        if (nng_sendmsg(f->server, m, 0))
            nng_msg_free(m);
    }
    return NULL;
}

static void server_open(fixture *f)
{
    nng_listener listener;
    assert_int_equal(nng_rep0_open(&f->server), 0);
    assert_int_equal(dial_listener(f->server, "tls+tcp://127.0.0.1:0",
                                   f->certificate.whole, &listener),
                     0);
    assert_int_equal(nng_listener_start(listener, 0), 0);
    assert_int_equal(
        nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &f->port), 0);
}

static void wire_open(fixture *f, bool is_slow)
{
    etna_error err;
    join j = {.given = {false}};
    uint16_t port;
    memset(f, 0, sizeof *f);
    f->is_slow = is_slow;
    folder_make(f->directory);
    assert_int_equal(certificate_open(f->directory, &f->certificate, &err), 0);
    server_open(f);
    f->listening = loopback_listen(1, &port);
    pthread_create(&f->relay, NULL, relay_run, f);
    pthread_create(&f->echo, NULL, echo_run, f);
    snprintf(j.endpoint, sizeof j.endpoint, "tls+tcp://127.0.0.1:%u",
             (unsigned)port);
    strcpy(j.certificate, f->certificate.shown);
    assert_int_equal(nng_req0_open(&f->client), 0);
    nng_socket_set_ms(f->client, NNG_OPT_RECVTIMEO, PATIENCE_MS);
    assert_int_equal(dial_start(f->client, &j, 0, NULL), 0);
}

static void wire_close(fixture *f)
{
    nng_close(f->client);
    nng_close(f->server);
    pthread_join(f->relay, NULL);
    pthread_join(f->echo, NULL);
    close(f->listening);
    certificate_forget(&f->certificate);
    folder_remove(f->directory);
}

static void exchange(fixture *f, size_t size)
{
    uint8_t *sent = malloc(size + 1), *came;
    size_t came_size;
    for (size_t i = 0; i < size; i++)
        sent[i] = (uint8_t)(i * 7 + i / 251 + size);
    assert_int_equal(nng_send(f->client, sent, size, 0), 0);
    assert_int_equal(nng_recv(f->client, &came, &came_size, NNG_FLAG_ALLOC), 0);
    assert_int_equal(came_size, size);
    assert_memory_equal(came, sent, size);
    nng_free(came, came_size);
    free(sent);
}

static void test_a_message_is_one_record_each_way(void **state)
{
    static const size_t sizes[] = {1, 300, 0, 4800, 15000, 2};
    const unsigned count = sizeof sizes / sizeof *sizes;
    fixture f;
    (void)state;
    wire_open(&f, false);
    for (unsigned i = 0; i < count; i++)
        exchange(&f, sizes[i]);
    assert_int_equal(f.there.records, GREETINGS + count);
    assert_int_equal(f.back.records, GREETINGS + count);
    wire_close(&f);
}

static void test_messages_of_any_size_come_whole(void **state)
{
    /* about what is held at once, a record, and what NNG takes at once */
    static const size_t about[] = {15988, 16000, 16384, 32000};
    fixture f;
    (void)state;
    wire_open(&f, false);
    for (unsigned i = 0; i < sizeof about / sizeof *about; i++) {
        for (size_t off = 0; off < 34; off++)
            exchange(&f, about[i] + off - 17);
    }
    wire_close(&f);
}

/* What leaves has to wait for room, in the middle of a message. */
static void test_a_large_message_comes_whole_over_a_slow_wire(void **state)
{
    fixture f;
    (void)state;
    wire_open(&f, true);
    exchange(&f, LARGEST);
    exchange(&f, 5);
    exchange(&f, LARGEST / 3);
    wire_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_is_one_record_each_way),
        cmocka_unit_test(test_messages_of_any_size_come_whole),
        cmocka_unit_test(test_a_large_message_comes_whole_over_a_slow_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
