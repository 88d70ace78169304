/* The engine of TLS connections without NNG: this stands in for it, with a lock
 * of each connection that everybody sees, two threads that use it, and a narrow
 * stream beneath. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/certificate.h"
#include "proto/dial/dial.h"
#include "proto/dial/engine_internal.h"
#include "tests/support/folder.h"

#include <nng/nng.h>
#include <nng/supplemental/tls/engine.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS = 8,       /* connections of one configuration */
    PIPE = 5000,     /* bytes that a stream beneath holds */
    MESSAGES = 40,   /* each way */
    LARGEST = 20000, /* of a message: more than the engine holds */
    GREETING = 8,    /* of NNG, before any message */
    LENGTH = 8,
    ALERT = 7 /* bytes of a record that says no */
};

typedef struct narrow { /* one way beneath */
    pthread_mutex_t lock;
    uint8_t bytes[PIPE];
    size_t from, size;
    size_t ever; /* bytes that were written so far */
} narrow;

typedef struct end {      /* of a connection */
    pthread_mutex_t lock; /* what NNG holds in each call */
    nng_tls_engine_conn *conn;
    narrow *in, *out;
    uint32_t seed;
    bool is_good; /* what its reader got */
} end;

static const nng_tls_engine *engine;

/* ---- what the engine asks of NNG ---- */

int nng_tls_engine_register(const nng_tls_engine *it)
{
    engine = it;
    return 0;
}

int nng_tls_engine_send(void *context, const uint8_t *bytes, size_t *size)
{
    narrow *n = ((end *)context)->out;
    pthread_mutex_lock(&n->lock);
    size_t room = PIPE - n->size, take = *size < room ? *size : room;
    for (size_t i = 0; i < take; i++)
        n->bytes[(n->from + n->size + i) % PIPE] = bytes[i];
    n->size += take;
    n->ever += take;
    pthread_mutex_unlock(&n->lock);
    *size = take;
    return take ? 0 : NNG_EAGAIN;
}

int nng_tls_engine_recv(void *context, uint8_t *into, size_t *size)
{
    narrow *n = ((end *)context)->in;
    pthread_mutex_lock(&n->lock);
    size_t take = *size < n->size ? *size : n->size;
    for (size_t i = 0; i < take; i++)
        into[i] = n->bytes[(n->from + i) % PIPE];
    n->from = (n->from + take) % PIPE;
    n->size -= take;
    pthread_mutex_unlock(&n->lock);
    *size = take;
    return take ? 0 : NNG_EAGAIN;
}

/* ---- both ends ---- */

static size_t message_size(uint32_t seed, int number)
{
    return (seed * 7919u + (uint32_t)number * 104729u) % LARGEST;
}

static uint8_t message_byte(uint32_t seed, int number, size_t at)
{
    return (uint8_t)(seed + (uint32_t)number * 31 + at * 7);
}

/* A piece, as NNG hands it over: all of it, with more tries. */
static void put(end *e, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t n = size - at;
        pthread_mutex_lock(&e->lock);
        int rv = engine->conn_ops->send(e->conn, bytes + at, &n);
        pthread_mutex_unlock(&e->lock);
        if (rv == NNG_EAGAIN) {
            sched_yield();
            continue;
        }
        if (rv)
            abort(); /* in no thread of cmocka's */
        at += n;
    }
}

static bool get(end *e, uint8_t *into, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t n = size - at;
        pthread_mutex_lock(&e->lock);
        int rv = engine->conn_ops->recv(e->conn, into + at, &n);
        pthread_mutex_unlock(&e->lock);
        if (rv == NNG_EAGAIN) {
            sched_yield();
            continue;
        }
        if (rv)
            return false;
        at += n;
    }
    return true;
}

static bool shake(end *e)
{
    for (;;) {
        pthread_mutex_lock(&e->lock);
        int rv = engine->conn_ops->handshake(e->conn);
        pthread_mutex_unlock(&e->lock);
        if (rv != NNG_EAGAIN)
            return rv == 0;
        sched_yield();
    }
}

static void *write_all(void *context)
{
    static const uint8_t greeting[GREETING] = "\0SP\0\0\x30";
    end *e = context;
    uint8_t *body = malloc(LARGEST);
    if (!body || !shake(e))
        abort();
    put(e, greeting, sizeof greeting);
    for (int m = 0; m < MESSAGES; m++) {
        size_t size = message_size(e->seed, m);
        uint8_t length[LENGTH] = {0};
        for (int i = 0; i < LENGTH; i++)
            length[i] = (uint8_t)((uint64_t)size >> 8 * (LENGTH - 1 - i));
        for (size_t i = 0; i < size; i++)
            body[i] = message_byte(e->seed, m, i);
        put(e, length, sizeof length);
        put(e, body, size);
    }
    free(body);
    return NULL;
}

/* Takes part in the handshake too, as either thread of NNG may. */
static void *read_all(void *context)
{
    end *e = context;
    uint8_t greeting[GREETING], length[LENGTH], *body = malloc(LARGEST);
    uint32_t others = e->seed ^ 1;
    bool is_good = body && shake(e) && get(e, greeting, sizeof greeting);
    for (int m = 0; is_good && m < MESSAGES; m++) {
        size_t size = 0;
        is_good = get(e, length, sizeof length);
        for (int i = 0; i < LENGTH; i++)
            size = size << 8 | length[i];
        is_good =
            is_good && size == message_size(others, m) && get(e, body, size);
        for (size_t i = 0; is_good && i < size; i++)
            is_good = body[i] == message_byte(others, m, i);
    }
    e->is_good = is_good;
    free(body);
    return NULL;
}

/* ---- configurations ---- */

static nng_tls_engine_config *config_new(nng_tls_mode mode)
{
    nng_tls_engine_config *config = calloc(1, engine->config_ops->size);
    assert_non_null(config);
    assert_int_equal(engine->config_ops->init(config, mode), 0);
    return config;
}

static void config_free(nng_tls_engine_config *config)
{
    engine->config_ops->fini(config);
    free(config);
}

static void end_begin(end *e,
                      nng_tls_engine_config *config,
                      narrow *in,
                      narrow *out,
                      uint32_t seed)
{
    *e = (end){.in = in, .out = out, .seed = seed};
    pthread_mutex_init(&e->lock, NULL);
    e->conn = calloc(1, engine->conn_ops->size);
    assert_non_null(e->conn);
    assert_int_equal(engine->conn_ops->init(e->conn, e, config), 0);
}

static void end_close(end *e)
{
    engine->conn_ops->close(e->conn);
    engine->conn_ops->fini(e->conn);
    free(e->conn);
    pthread_mutex_destroy(&e->lock);
}

static void all_talk(end *ends, size_t count)
{
    pthread_t *threads = calloc(2 * count, sizeof *threads);
    assert_non_null(threads);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(
            pthread_create(&threads[2 * i], NULL, write_all, &ends[i]), 0);
        assert_int_equal(
            pthread_create(&threads[2 * i + 1], NULL, read_all, &ends[i]), 0);
    }
    for (size_t i = 0; i < 2 * count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void connections_of_one_configuration_talk_at_once(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE];
    certificate shown;
    etna_error err = {0};
    folder_make(folder);
    assert_int_equal(certificate_open(folder, &shown, &err), ETNA_OK);
    engine_use();
    assert_non_null(engine);
    nng_tls_engine_config *server = config_new(NNG_TLS_MODE_SERVER),
                          *client = config_new(NNG_TLS_MODE_CLIENT);
    assert_int_equal(
        engine->config_ops->own_cert(server, shown.whole, shown.whole, NULL),
        0);
    assert_int_equal(engine->config_ops->ca_chain(client, shown.shown, NULL),
                     0);
    assert_int_equal(engine->config_ops->server(client, DIAL_SERVER_NAME), 0);
    narrow *ways = calloc((size_t)2 * PAIRS, sizeof *ways);
    end *ends = calloc((size_t)2 * PAIRS, sizeof *ends);
    assert_non_null(ways);
    assert_non_null(ends);
    for (size_t i = 0; i < (size_t)2 * PAIRS; i++)
        pthread_mutex_init(&ways[i].lock, NULL);
    for (uint32_t i = 0; i < 2 * PAIRS; i += 2) {
        end_begin(&ends[i], server, &ways[i], &ways[i + 1], i);
        end_begin(&ends[i + 1], client, &ways[i + 1], &ways[i], i + 1);
    }
    all_talk(ends, (size_t)2 * PAIRS);
    for (size_t i = 0; i < (size_t)2 * PAIRS; i++) {
        assert_true(ends[i].is_good);
        assert_true(i % 2 == 0 || engine->conn_ops->verified(ends[i].conn));
        end_close(&ends[i]);
    }
    config_free(server);
    config_free(client);
    certificate_forget(&shown);
    free(ways);
    free(ends);
    folder_remove(folder);
}

/* What a server says to who knocks with these; its handshake has failed. */
static size_t bytes_for_stranger(nng_tls_engine_config *server,
                                 nng_tls_engine_config *client)
{
    narrow ways[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER},
                      {.lock = PTHREAD_MUTEX_INITIALIZER}};
    end served, stranger;
    int rv = NNG_EAGAIN;
    end_begin(&served, server, &ways[0], &ways[1], 0);
    end_begin(&stranger, client, &ways[1], &ways[0], 1);
    while (rv == NNG_EAGAIN) {
        (void)engine->conn_ops->handshake(stranger.conn);
        rv = engine->conn_ops->handshake(served.conn);
    }
    assert_int_not_equal(rv, 0);
    size_t said = ways[1].ever;
    end_close(&served);
    end_close(&stranger);
    return said;
}

/* So he costs no signature, and learns no certificate. */
static void a_stranger_to_the_certificate_hears_nothing_of_it(void **state)
{
    (void)state;
    char folders[2][FOLDER_SIZE];
    certificate ours, other;
    etna_error err = {0};
    folder_make(folders[0]);
    folder_make(folders[1]);
    assert_int_equal(certificate_open(folders[0], &ours, &err), ETNA_OK);
    assert_int_equal(certificate_open(folders[1], &other, &err), ETNA_OK);
    engine_use();
    nng_tls_engine_config *server = config_new(NNG_TLS_MODE_SERVER),
                          *wrong = config_new(NNG_TLS_MODE_CLIENT),
                          *none = config_new(NNG_TLS_MODE_CLIENT);
    assert_int_equal(
        engine->config_ops->own_cert(server, ours.whole, ours.whole, NULL), 0);
    assert_int_equal(engine->config_ops->ca_chain(wrong, other.shown, NULL), 0);
    assert_in_range(bytes_for_stranger(server, wrong), 0, ALERT);
    assert_in_range(bytes_for_stranger(server, none), 0, ALERT);
    config_free(server);
    config_free(wrong);
    config_free(none);
    certificate_forget(&ours);
    certificate_forget(&other);
    folder_remove(folders[0]);
    folder_remove(folders[1]);
}

/* A record of AES-GCM has eight bytes more than one of ChaCha20: its nonce. */
static size_t record_expected(size_t size)
{
    enum {
        HEADER = 5,
        TAG = 16,
        NONCE = 8
    };
#if defined(__x86_64__)
    bool has_aes =
        __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
#else
    bool has_aes = false;
#endif
    return HEADER + TAG + size + (has_aes ? NONCE : 0);
}

static void what_the_processor_computes_by_itself_comes_first(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE];
    certificate shown;
    etna_error err = {0};
    folder_make(folder);
    assert_int_equal(certificate_open(folder, &shown, &err), ETNA_OK);
    engine_use();
    nng_tls_engine_config *server = config_new(NNG_TLS_MODE_SERVER),
                          *client = config_new(NNG_TLS_MODE_CLIENT);
    assert_int_equal(
        engine->config_ops->own_cert(server, shown.whole, shown.whole, NULL),
        0);
    assert_int_equal(engine->config_ops->ca_chain(client, shown.shown, NULL),
                     0);
    assert_int_equal(engine->config_ops->server(client, DIAL_SERVER_NAME), 0);
    narrow ways[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER},
                      {.lock = PTHREAD_MUTEX_INITIALIZER}};
    end served, dialled;
    int rv[2] = {NNG_EAGAIN, NNG_EAGAIN};
    end_begin(&served, server, &ways[0], &ways[1], 0);
    end_begin(&dialled, client, &ways[1], &ways[0], 1);
    while (rv[0] == NNG_EAGAIN || rv[1] == NNG_EAGAIN) {
        rv[0] = engine->conn_ops->handshake(dialled.conn);
        rv[1] = engine->conn_ops->handshake(served.conn);
    }
    assert_int_equal(rv[0], 0);
    assert_int_equal(rv[1], 0);
    const size_t before = ways[0].ever;
    const uint8_t greeting[GREETING] = "\0SP\0\0\x30";
    put(&dialled, greeting, sizeof greeting);
    assert_int_equal(ways[0].ever - before, record_expected(sizeof greeting));
    end_close(&served);
    end_close(&dialled);
    config_free(server);
    config_free(client);
    certificate_forget(&shown);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stranger_to_the_certificate_hears_nothing_of_it),
        cmocka_unit_test(connections_of_one_configuration_talk_at_once),
        cmocka_unit_test(what_the_processor_computes_by_itself_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
