/* See client.h. NNG's own resend is off; a request unanswered for REPEAT_MS (longer than the coordinator parks one) is
 * sent again with the same number. One receive waits for all of that time (a receive that times out takes its request
 * with it); meanwhile we look every PIECE_MS whether a signal came. */
#include "coordinator/shell/client.h"
#include "proto/run_with_timeout.h"
#include "proto/tsan.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { PIECE_MS = 200, REPEAT_MS = 15000, PATIENCE_MS = 60000, CLOSE_PATIENCE_MS = 500 };

struct client {
    nng_socket socket;
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool received; /* the aio has ended */
    const atomic_int *stop;
    uint64_t sender, incarnation, sequence, epoch;
    char url[256];
};

/* On a thread of NNG. */
static void receive_ended(void *context)
{
    client *c = context;
    HANDOVER_TAKE(c);
    pthread_mutex_lock(&c->lock);
    c->received = true;
    pthread_cond_signal(&c->done);
    pthread_mutex_unlock(&c->lock);
    HANDOVER_GIVE(c);
}

etna_code client_open(const char *url, const atomic_int *stop, client **ret_client, etna_error *err)
{
    client *c = calloc(1, sizeof *c);
    if (!c) return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory connecting", url);
    c->stop = stop;
    strncpy(c->url, url, sizeof c->url - 1);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->done, NULL);
    int rv = nng_req0_open(&c->socket);
    if (!rv) rv = nng_aio_alloc(&c->aio, receive_ended, c);
    if (!rv) rv = nng_socket_set_size(c->socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX);
    if (!rv) rv = nng_socket_set_ms(c->socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
    if (!rv) rv = nng_socket_set_ms(c->socket, NNG_OPT_SENDTIMEO, PIECE_MS);
    if (!rv) rv = nng_dial(c->socket, url, NULL, 0);
    if (rv) {
        client_close(c);
        if (rv == NNG_EADDRINVAL || rv == NNG_ENOTSUP || rv == NNG_EINVAL)
            return etna_fail(err, ETNA_E_USAGE, "%s: not an address to connect to; use ipc://PATH or tcp://HOST:PORT",
                             url);
        return etna_fail(err, ETNA_E_NETWORK, "%s: cannot connect: %s; is a coordinator listening there?", url,
                         nng_strerror(rv));
    }
    nng_aio_set_timeout(c->aio, REPEAT_MS);
    if (getrandom(&c->sender, sizeof c->sender, 0) != sizeof c->sender || !c->sender) c->sender = 1;
    c->incarnation = (uint64_t)time(NULL);
    *ret_client = c;
    return ETNA_OK;
}

static void client_close_socket(void *context)
{
    client *c = context;
    nng_aio_stop(c->aio);
    nng_close(c->socket);
    nng_aio_free(c->aio);
    HANDOVER_TAKE(c);
}

void client_close(client *c)
{
    if (!c) return;
    if (!etna_within(CLOSE_PATIENCE_MS, client_close_socket, c))
        return; /* NNG 1.5 may wait for ever in there, see inbox_close */
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static bool client_is_stopped(const client *c) { return c->stop && *c->stop; }

static int send_bytes(client *c, const uint8_t *data, size_t size)
{
    nng_msg *msg;
    int rv = nng_msg_alloc(&msg, 0);
    if (rv) return rv;
    rv = nng_msg_append(msg, data, size);
    if (!rv) rv = nng_sendmsg(c->socket, msg, 0);
    if (rv) nng_msg_free(msg);
    return rv;
}

/* Waits for the receive to end; false when stopped meanwhile. */
static bool client_await(client *c)
{
    pthread_mutex_lock(&c->lock);
    while (!c->received && !client_is_stopped(c)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PIECE_MS * 1000000L;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&c->done, &c->lock, &until);
    }
    bool received = c->received;
    pthread_mutex_unlock(&c->lock);
    if (received) return true;
    nng_aio_cancel(c->aio);
    nng_aio_wait(c->aio);
    if (!nng_aio_result(c->aio)) nng_msg_free(nng_aio_get_msg(c->aio));
    return false;
}

/* One receive. *ret_ours: the answer came; else *ret_rv says why not (0: something else came, wait on). */
static etna_code client_receive(client *c, etna_arena *arena, message *ret, bool *ret_ours, int *ret_rv,
                                etna_error *err)
{
    *ret_ours = false;
    c->received = false;
    HANDOVER_GIVE(c);
    nng_recv_aio(c->socket, c->aio);
    if (!client_await(c)) return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    *ret_rv = nng_aio_result(c->aio);
    if (*ret_rv) return ETNA_OK;
    nng_msg *msg = nng_aio_get_msg(c->aio);
    message answer;
    etna_code code = message_unpack(nng_msg_body(msg), nng_msg_len(msg), arena, &answer, err);
    nng_msg_free(msg);
    if (code) return code;
    if (answer.epoch < c->epoch || answer.sequence != c->sequence) return ETNA_OK; /* of an earlier owner, or late */
    c->epoch = answer.epoch;
    *ret_ours = true;
    *ret = answer;
    return ETNA_OK;
}

static uint64_t client_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static etna_code client_exchange(client *c, const uint8_t *data, size_t size, etna_arena *arena, message *ret_answer,
                                 etna_error *err)
{
    for (uint64_t begun = client_now_ms(); client_now_ms() - begun < PATIENCE_MS;) {
        bool ours;
        if (client_is_stopped(c)) return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
        int rv = send_bytes(c, data, size);
        if (rv == NNG_ETIMEDOUT) continue; /* there is no connection just now; NNG dials again */
        if (rv) return etna_fail(err, ETNA_E_NETWORK, "%s: %s", c->url, nng_strerror(rv));
        etna_code code = client_receive(c, arena, ret_answer, &ours, &rv, err);
        if (code || ours) return code;
        if (rv && rv != NNG_ETIMEDOUT && rv != NNG_ECONNRESET && rv != NNG_ECANCELED && rv != NNG_ESTATE) {
            return etna_fail(err, ETNA_E_NETWORK, "%s: %s", c->url, nng_strerror(rv));
        }
    }
    return etna_fail(err, ETNA_E_NETWORK, "%s: no answer for a minute; is the coordinator still there?", c->url);
}

etna_code client_call(client *c, message *request, etna_arena *arena, message *ret_answer, etna_error *err)
{
    uint8_t *data;
    size_t size;
    message answer = {0};
    request->version = MESSAGE_VERSION;
    request->epoch = c->epoch;
    request->sender = c->sender;
    request->incarnation = c->incarnation;
    request->sequence = ++c->sequence;
    etna_code code = message_pack(request, &data, &size, err);
    if (code) return code;
    code = client_exchange(c, data, size, arena, &answer, err);
    free(data);
    if (code) return code;
    if (answer.kind == MESSAGE_REFUSED) {
        uint32_t refused = answer.body.refused.code;
        if (refused == ETNA_OK || refused >= ETNA_E_COUNT) refused = ETNA_E_INTERNAL;
        return etna_fail(err, (etna_code)refused, "%s",
                         answer.body.refused.text ? answer.body.refused.text : "refused");
    }
    *ret_answer = answer;
    return ETNA_OK;
}

static etna_code client_unexpected(const client *c, const message *answer, etna_error *err)
{
    return etna_fail(err, ETNA_E_MESSAGE, "%s: answered with %s", c->url, message_kind_name(answer->kind));
}

etna_code client_put_blob(client *c, const etna_hash *hash, const uint8_t *data, size_t size, etna_error *err)
{
    uint64_t at = 0;
    for (int stuck = 0; stuck < 8;) {
        etna_arena arena = ETNA_ARENA_INIT;
        message request = {.kind = MESSAGE_BLOB_PUT}, answer = {0};
        size_t left = size - (size_t)at;
        request.body.blob_put =
            (message_blob_chunk){*hash, size, at, data + at, left < MESSAGE_CHUNK ? left : MESSAGE_CHUNK};
        etna_code code = client_call(c, &request, &arena, &answer, err);
        if (!code && answer.kind != MESSAGE_BLOB_ACK) code = client_unexpected(c, &answer, err);
        uint64_t received = code ? 0 : answer.body.blob_ack.received;
        etna_arena_free(&arena);
        if (code) return code;
        if (received >= size) return ETNA_OK;
        stuck = received > at ? 0 : stuck + 1; /* it may have forgotten us and say so */
        at = received;
    }
    return etna_fail(err, ETNA_E_NETWORK, "%s: the coordinator takes no more of a blob of %zu bytes", c->url, size);
}

typedef struct partial_blob { /* a blob of which the first `size` bytes are there */
    uint8_t *data;
    uint64_t size, total;
} partial_blob;

/* Does the chunk begin where the blob ends so far, and bring it further? */
static bool blob_is_continued(const partial_blob *blob, const message_blob_chunk *chunk)
{
    if (chunk->offset != blob->size || chunk->total > SIZE_MAX / 2) return false;
    if (blob->data && chunk->total != blob->total) return false;
    return chunk->size <= chunk->total - blob->size && (chunk->size || blob->size == chunk->total);
}

static etna_code blob_append(const client *c, partial_blob *blob, const message_blob_chunk *chunk, etna_error *err)
{
    if (!blob_is_continued(blob, chunk))
        return etna_fail(err, ETNA_E_MESSAGE, "%s: a chunk that does not follow", c->url);
    uint8_t *grown = realloc(blob->data, (size_t)blob->size + chunk->size + 1);
    if (!grown) return etna_fail(err, ETNA_E_NOMEM, "out of memory getting a blob");
    blob->data = grown;
    blob->total = chunk->total;
    if (chunk->size) memcpy(blob->data + blob->size, chunk->data, chunk->size);
    blob->size += chunk->size;
    return ETNA_OK;
}

static etna_code blob_continue(client *c, const etna_hash *hash, partial_blob *blob, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message request = {.kind = MESSAGE_BLOB_GET}, answer = {0};
    request.body.blob_get = (message_blob_get){*hash, blob->size};
    etna_code code = client_call(c, &request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_BLOB_CHUNK) code = client_unexpected(c, &answer, err);
    if (!code) code = blob_append(c, blob, &answer.body.blob_chunk, err);
    etna_arena_free(&arena);
    return code;
}

etna_code client_get_blob(client *c, const etna_hash *hash, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    partial_blob blob = {.data = NULL};
    etna_code code;
    do {
        code = blob_continue(c, hash, &blob, err);
    } while (!code && blob.size < blob.total);
    etna_hash found = etna_hash_bytes(blob.data, code ? 0 : (size_t)blob.size);
    if (!code && !etna_hash_equal(&found, hash))
        code = etna_fail(err, ETNA_E_CORRUPT, "%s: a blob does not match its hash", c->url);
    if (code) {
        free(blob.data);
        return code;
    }
    *ret_data = blob.data;
    *ret_size = (size_t)blob.size;
    return ETNA_OK;
}
