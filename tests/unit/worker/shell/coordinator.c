/* See coordinator.h. */
#include "coordinator.h"
#include "proto/run_with_timeout.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    PARK_MS = 150
};

typedef struct fake_net {
    fake *fake;
    nng_socket socket;
    pthread_t threads[FAKE_CONTEXTS];
    struct fake_server {
        struct fake_net *net;
        nng_aio *aio;
    } servers[FAKE_CONTEXTS];
} fake_net;

static struct timespec in_ms(uint64_t ms)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += (time_t)(ms / 1000);
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

static void park(fake *f)
{
    struct timespec until = in_ms(PARK_MS);
    uint64_t newest = f->lease_arrival;
    while (!f->closing &&
           pthread_cond_timedwait(&f->changed, &f->mutex, &until) == 0) {
        if (f->lease_arrival != newest)
            return;
        if (f->task_first < f->task_count || f->cancel || f->drain)
            return;
    }
}

fake_blob *fake_find(fake *f, const etna_hash *hash)
{
    for (uint32_t i = 0; i < f->blob_count; i++) {
        if (etna_hash_equal(&f->blobs[i].hash, hash))
            return &f->blobs[i];
    }
    return NULL;
}

/* ---- one request, under the mutex; what an answer points to lives in `arena`
 * ---- */

static void refuse(message *out, etna_code code)
{
    out->kind = MESSAGE_REFUSED;
    out->body.refused = (message_refused){code, "refused by the test"};
}

/* False: a repeat has come, which will be answered instead. A repeat of what
 * was answered gets the same answer. */
static bool lease(fake *f, const message *in, message *out)
{
    f->lease_requests++;
    if (in->sequence < f->lease_sequence)
        return false;
    bool repeat = in->sequence == f->lease_sequence;
    if (!repeat)
        f->lease_granted = -1;
    f->lease_sequence = in->sequence;
    uint64_t arrival = ++f->lease_arrival;
    pthread_cond_broadcast(&f->changed);
    if (f->lease_granted < 0 && f->task_first == f->task_count)
        park(f);
    if (arrival != f->lease_arrival)
        return false;
    if (f->lease_granted < 0 && f->task_first < f->task_count)
        f->lease_granted = f->task_first++;
    out->kind = MESSAGE_LEASE;
    memset(&out->body, 0, sizeof out->body);
    if (f->lease_granted < 0)
        return true;
    const fake_task *t = &f->tasks[f->lease_granted];
    out->body.lease =
        (message_lease){.task_kind = 6,
                        .ref = {.run = {{1}}, .task = t->task, .attempt = 1},
                        .payload = t->payload,
                        .payload_size = FAKE_PAYLOAD};
    return true;
}

static void orders(fake *f, const message *in, message *out, etna_arena *arena)
{
    f->held_count = 0;
    f->orders_requests++;
    for (uint32_t i = 0;
         i < in->body.orders_request.held_count && i < FAKE_HELD; i++) {
        f->held[f->held_count++] = in->body.orders_request.held[i].task;
    }
    pthread_cond_broadcast(&f->changed);
    if (!f->cancel && !f->drain)
        park(f);
    out->kind = MESSAGE_ORDERS;
    out->body.orders = (message_orders){.drain = f->drain};
    if (!f->cancel)
        return;
    message_task_ref *ref = etna_arena_alloc(arena, 1, sizeof *ref);
    *ref = (message_task_ref){.run = {{1}}, .task = f->cancel, .attempt = 1};
    out->body.orders.cancel = ref;
    out->body.orders.cancel_count = 1;
    f->cancel = 0;
    f->cancelled_at = f->orders_requests;
}

static void result_kept(fake *f, const message_further_result *r)
{
    fake_result *kept = &f->results[f->result_count++ % FAKE_TASKS];
    memset(kept, 0, sizeof *kept);
    kept->task = r->ref.task;
    kept->error = r->error;
    kept->cpu_us = r->cpu_us;
    if (r->error_text)
        strncpy(kept->text, r->error_text, sizeof kept->text - 1);
    kept->size = r->payload_size < sizeof kept->payload ? r->payload_size
                                                        : sizeof kept->payload;
    if (kept->size)
        memcpy(kept->payload, r->payload, kept->size);
}

static void result(fake *f, const message *in, message *out)
{
    const message_result *r = &in->body.result;
    result_kept(f, &(message_further_result){r->ref, r->error, r->error_text,
                                             r->payload, r->payload_size,
                                             r->cpu_us});
    for (uint32_t i = 0; i < r->more_count; i++)
        result_kept(f, &r->more[i]);
    out->kind = MESSAGE_RESULT_ACK;
    out->body.result_ack = r->ref;
}

static void get(fake *f, const message *in, message *out, etna_arena *arena)
{
    const message_blob_get *asked = &in->body.blob_get;
    fake_blob *blob = fake_find(f, &asked->hash);
    if (!blob || asked->offset > blob->total) {
        refuse(out, ETNA_E_NOTFOUND);
        return;
    }
    uint64_t left = blob->total - asked->offset;
    size_t size = left < MESSAGE_CHUNK ? (size_t)left : MESSAGE_CHUNK;
    uint8_t *data = etna_arena_memdup(arena, blob->data + asked->offset, size);
    if (f->corrupt && size)
        data[size / 2] ^= 1;
    blob->gets += asked->offset == 0;
    out->kind = MESSAGE_BLOB_CHUNK;
    out->body.blob_chunk = (message_blob_chunk){
        .hash = asked->hash, blob->total, asked->offset, data, size};
}

static void put(fake *f, const message *in, message *out)
{
    const message_blob_chunk *chunk = &in->body.blob_put;
    fake_blob *blob = fake_find(f, &chunk->hash);
    if (!blob) {
        blob = &f->blobs[f->blob_count++];
        *blob = (fake_blob){.hash = chunk->hash,
                            .total = chunk->total,
                            .data = calloc(1, (size_t)chunk->total + 1)};
    }
    if (chunk->offset == blob->received && chunk->size) {
        memcpy(blob->data + chunk->offset, chunk->data, chunk->size);
        blob->received += chunk->size;
    }
    out->kind = MESSAGE_BLOB_ACK;
    out->body.blob_ack = (message_blob_ack){chunk->hash, blob->received};
}

static bool answer(fake *f, const message *in, message *out, etna_arena *arena)
{
    switch (in->kind) {
    case MESSAGE_LEASE_REQUEST:
        if (!lease(f, in, out))
            return false;
        break;
    case MESSAGE_ORDERS_REQUEST: orders(f, in, out, arena); break;
    case MESSAGE_RESULT: result(f, in, out); break;
    case MESSAGE_BLOB_GET: get(f, in, out, arena); break;
    case MESSAGE_BLOB_PUT: put(f, in, out); break;
    case MESSAGE_CALL_BEGIN:
        f->call_begins++;
        out->kind = MESSAGE_CALL_ANSWER;
        out->body.call_answer = (message_call_answer){
            .verdict = f->call_verdict, .reply = f->stored_reply};
        break;
    case MESSAGE_CALL_END:
        f->call_ends++;
        pthread_cond_broadcast(&f->changed);
        while (f->hold_call_ends && !f->closing)
            pthread_cond_wait(&f->changed, &f->mutex);
        out->kind = MESSAGE_CALL_ACK;
        out->body.call_ack = in->body.call_end.slot;
        break;
    default: refuse(out, ETNA_E_MESSAGE); break;
    }
    return !f->closing;
}

static nng_msg *answer_bytes(fake *f, const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    nng_msg *msg = NULL;
    message in, out = {0};
    uint8_t *packed = NULL;
    size_t packed_size = 0;
    if (!message_unpack(data, size, &arena, &in, NULL)) {
        pthread_mutex_lock(&f->mutex);
        bool send = answer(f, &in, &out, &arena);
        out.version = MESSAGE_VERSION;
        out.epoch = f->epoch;
        out.sequence = in.sequence;
        bool garbage = f->garbage > 0;
        if (garbage)
            f->garbage--;
        pthread_cond_broadcast(&f->changed);
        if (send && !message_pack(&out, &packed, &packed_size, NULL) &&
            !nng_msg_alloc(&msg, 0)) {
            nng_msg_append(msg, packed,
                           garbage ? packed_size / 2 + 1 : packed_size);
            if (garbage)
                nng_msg_append(msg, "\xff\xff", 2);
        }
        pthread_mutex_unlock(&f->mutex);
    }
    free(packed);
    etna_arena_free(&arena);
    return msg;
}

static bool is_closing(fake *f)
{
    pthread_mutex_lock(&f->mutex);
    bool closing = f->closing;
    pthread_mutex_unlock(&f->mutex);
    return closing;
}

static void *serve(void *context)
{
    const struct fake_server *server = context;
    fake *f = server->net->fake;
    nng_ctx ctx;
    if (nng_ctx_open(&ctx, server->net->socket))
        return NULL;
    while (!is_closing(f)) {
        nng_aio_set_msg(server->aio, NULL);
        nng_ctx_recv(ctx, server->aio);
        nng_aio_wait(server->aio);
        nng_msg *msg =
            nng_aio_result(server->aio) ? NULL : nng_aio_get_msg(server->aio);
        if (!msg)
            continue;
        nng_msg *reply = answer_bytes(f, nng_msg_body(msg), nng_msg_len(msg));
        nng_msg_free(msg);
        if (!reply)
            continue;
        nng_aio_set_msg(server->aio, reply);
        nng_ctx_send(ctx, server->aio);
        nng_aio_wait(server->aio);
        if (nng_aio_result(server->aio))
            nng_msg_free(reply);
    }
    nng_ctx_close(ctx);
    return NULL;
}

/* ---- for the test ---- */

void fake_init(fake *f)
{
    memset(f, 0, sizeof *f);
    pthread_mutex_init(&f->mutex, NULL);
    pthread_cond_init(&f->changed, NULL);
}

void fake_open(fake *f, const char *url)
{
    fake_net *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->fake = f;
    f->net = n;
    f->closing = false;
    f->epoch++;
    f->lease_sequence = 0;
    assert_int_equal(nng_rep0_open(&n->socket), 0);
    assert_int_equal(
        nng_socket_set_size(n->socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX), 0);
    assert_int_equal(nng_listen(n->socket, url, NULL, 0), 0);
    for (int i = 0; i < FAKE_CONTEXTS; i++) {
        n->servers[i].net = n;
        assert_int_equal(nng_aio_alloc(&n->servers[i].aio, NULL, NULL), 0);
        assert_int_equal(
            pthread_create(&n->threads[i], NULL, serve, &n->servers[i]), 0);
    }
}

static void close_socket(void *context)
{
    nng_close(((fake_net *)context)->socket);
}

void fake_close(fake *f)
{
    if (!f->net)
        return;
    pthread_mutex_lock(&f->mutex);
    f->closing = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->mutex);
    for (int i = 0; i < FAKE_CONTEXTS;
         i++) { /* the socket is closed when nobody uses it any more */
        nng_aio_stop(f->net->servers[i].aio);
        pthread_join(f->net->threads[i], NULL);
        nng_aio_free(f->net->servers[i].aio);
    }
    if (run_with_timeout(500, close_socket, f->net))
        free(f->net); /* NNG 1.5 may wait for ever in there */
    f->net = NULL;
}

void fake_free(fake *f)
{
    fake_close(f);
    for (uint32_t i = 0; i < f->blob_count; i++)
        free(f->blobs[i].data);
    pthread_mutex_destroy(&f->mutex);
    pthread_cond_destroy(&f->changed);
}

void fake_add_task(fake *f, uint64_t task, const uint8_t *payload, size_t size)
{
    pthread_mutex_lock(&f->mutex);
    fake_task *t = &f->tasks[f->task_count++];
    t->task = task;
    memset(t->payload, 0, sizeof t->payload);
    memcpy(t->payload, payload, size);
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->mutex);
}

etna_hash fake_add_blob(fake *f, const uint8_t *data, size_t size)
{
    pthread_mutex_lock(&f->mutex);
    fake_blob *blob = &f->blobs[f->blob_count++];
    *blob = (fake_blob){.hash = etna_hash_bytes(data, size),
                        .total = size,
                        .received = size,
                        .data = malloc(size + 1)};
    memcpy(blob->data, data, size);
    etna_hash hash = blob->hash;
    pthread_mutex_unlock(&f->mutex);
    return hash;
}

bool fake_wait(fake *f, bool (*is)(const fake *f, uint64_t what), uint64_t what)
{
    struct timespec until = in_ms(20000);
    pthread_mutex_lock(&f->mutex);
    bool yes = is(f, what);
    while (!yes && pthread_cond_timedwait(&f->changed, &f->mutex, &until) == 0)
        yes = is(f, what);
    pthread_mutex_unlock(&f->mutex);
    return yes;
}
