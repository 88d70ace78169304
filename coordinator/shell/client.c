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

enum {
    PIECE_MS = 200,
    REPEAT_MS = 15000,
    PATIENCE_MS = 60000,
    RECONNECT_FIRST_MS = 50,
    RECONNECT_MOST_MS = 1000,
    CLOSE_PATIENCE_MS = 500,
    REOPEN_MS = 10000 /* without a connection: NNG 1.5 may never finish with a lost one, and a new socket helps */
};

struct client {
    nng_socket socket;
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool received; /* the aio has ended */
    client_options options;
    uint64_t sender, incarnation, sequence, epoch;
    uint64_t away_since_ms; /* 0: connected, as far as we know */
    uint64_t opened_ms;     /* the socket */
    char url[256];
};

client_options client_options_default(void) { return (client_options){.answer_ms = PATIENCE_MS}; }

uint64_t client_epoch(const client *c) { return c->epoch; }

static uint64_t client_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool client_is_stopped(const client *c) { return c->options.stop && *c->options.stop; }

/* Does the caller know that no answer will come? */
static bool client_is_gone(const client *c)
{
    uint64_t away = c->away_since_ms ? client_now_ms() - c->away_since_ms + 1 : 0;
    return c->options.gone && c->options.gone(c->options.context, away);
}

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

static int client_socket_open(const client *c, int dial_flags, nng_socket *ret)
{
    nng_socket socket;
    int rv = nng_req0_open(&socket);
    if (rv) return rv;
    rv = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_SENDTIMEO, PIECE_MS);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, RECONNECT_FIRST_MS);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MOST_MS);
    if (!rv) rv = nng_dial(socket, c->url, NULL, dial_flags);
    if (rv) {
        nng_close(socket);
    } else {
        *ret = socket;
    }
    return rv;
}

static bool client_is_absent(int rv)
{
    switch (rv) {
    case NNG_ECONNREFUSED:
    case NNG_ENOENT:
    case NNG_ECONNRESET:
    case NNG_ETIMEDOUT: return true;
    default: return false;
    }
}

/* A listener that is being restarted refuses for a while. */
static int client_dial(client *c)
{
    uint64_t begun = client_now_ms();
    for (;;) {
        int rv = client_socket_open(c, 0, &c->socket);
        bool patient = client_is_absent(rv) && client_now_ms() - begun < c->options.open_ms;
        if (!patient) return rv;
        if (!c->away_since_ms) c->away_since_ms = client_now_ms();
        if (client_is_stopped(c)) return NNG_EINTR;
        if (client_is_gone(c)) return rv;
        const struct timespec pause = {.tv_nsec = PIECE_MS * 1000000L};
        nanosleep(&pause, NULL);
    }
}

static etna_code client_tell_dial(const client *c, int rv, etna_error *err)
{
    if (rv == NNG_EINTR) return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    if (rv == NNG_EADDRINVAL || rv == NNG_ENOTSUP || rv == NNG_EINVAL)
        return etna_fail(err, ETNA_E_USAGE, "%s: not an address to connect to; use ipc://PATH or tcp://HOST:PORT",
                         c->url);
    return etna_fail(err, ETNA_E_NETWORK, "%s: cannot connect: %s; is a coordinator listening there?", c->url,
                     nng_strerror(rv));
}

etna_code client_open(const char *url, const client_options *options, client **ret_client, etna_error *err)
{
    client *c = calloc(1, sizeof *c);
    if (!c) return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory connecting", url);
    c->options = *options;
    strncpy(c->url, url, sizeof c->url - 1);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->done, NULL);
    int rv = nng_aio_alloc(&c->aio, receive_ended, c);
    if (!rv) rv = client_dial(c);
    if (rv) {
        etna_code code = client_tell_dial(c, rv, err);
        client_close(c);
        return code;
    }
    nng_aio_set_timeout(c->aio, REPEAT_MS);
    if (getrandom(&c->sender, sizeof c->sender, 0) != sizeof c->sender || !c->sender) c->sender = 1;
    c->incarnation = (uint64_t)time(NULL);
    c->opened_ms = client_now_ms();
    c->away_since_ms = 0;
    *ret_client = c;
    return ETNA_OK;
}

static void client_socket_close(void *context)
{
    nng_socket *socket = context;
    nng_close(*socket);
    free(socket);
}

/* Another socket in place of one that does not connect again; where none can be had the old one stays. */
static void client_reopen(client *c)
{
    nng_socket *old = malloc(sizeof *old), fresh;
    c->opened_ms = client_now_ms();
    if (!old || client_socket_open(c, NNG_FLAG_NONBLOCK, &fresh)) {
        free(old);
        return;
    }
    *old = c->socket;
    c->socket = fresh;
    etna_within(CLOSE_PATIENCE_MS, client_socket_close, old);
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

/* Waits for the receive to end; false when stopped meanwhile, or when nothing can come any more. */
static bool client_await(client *c)
{
    pthread_mutex_lock(&c->lock);
    while (!c->received && !client_is_stopped(c) && !client_is_gone(c)) {
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

/* Why nobody waits any longer. */
static etna_code client_given_up(const client *c, etna_error *err)
{
    if (client_is_stopped(c)) return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    return etna_fail(err, ETNA_E_NETWORK, "%s: nobody answers there any more", c->url);
}

/* One receive. *ret_ours: the answer came; else *ret_rv says why not (0: something else came, wait on). */
static etna_code client_receive(client *c, etna_arena *arena, message *ret, bool *ret_ours, int *ret_rv,
                                etna_error *err)
{
    *ret_ours = false;
    c->received = false;
    HANDOVER_GIVE(c);
    nng_recv_aio(c->socket, c->aio);
    if (!client_await(c)) return client_given_up(c, err);
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

/* There is no connection just now; NNG dials again. */
static void client_is_away(client *c)
{
    uint64_t now = client_now_ms();
    if (!c->away_since_ms) c->away_since_ms = now;
    bool stuck = now - c->away_since_ms > REOPEN_MS && now - c->opened_ms > REOPEN_MS;
    if (stuck) client_reopen(c);
}

/* What a request meets whose connection, or whose answer, was lost; 0: another's answer came. */
static bool client_may_repeat(int rv)
{
    switch (rv) {
    case 0:
    case NNG_ETIMEDOUT:
    case NNG_ECONNRESET:
    case NNG_ECANCELED:
    case NNG_ESTATE: return true;
    default: return false;
    }
}

static etna_code client_exchange(client *c, const uint8_t *data, size_t size, etna_arena *arena, message *ret_answer,
                                 etna_error *err)
{
    for (uint64_t begun = client_now_ms(); client_now_ms() - begun < c->options.answer_ms;) {
        bool ours;
        if (client_is_stopped(c) || client_is_gone(c)) return client_given_up(c, err);
        int rv = send_bytes(c, data, size);
        if (rv == NNG_ETIMEDOUT) {
            client_is_away(c);
            continue;
        }
        if (rv) return etna_fail(err, ETNA_E_NETWORK, "%s: %s", c->url, nng_strerror(rv));
        c->away_since_ms = 0;
        etna_code code = client_receive(c, arena, ret_answer, &ours, &rv, err);
        if (code || ours) return code;
        if (!client_may_repeat(rv)) {
            return etna_fail(err, ETNA_E_NETWORK, "%s: %s", c->url, nng_strerror(rv));
        }
    }
    return etna_fail(err, ETNA_E_NETWORK, "%s: no answer for %llu s; is the coordinator still there?", c->url,
                     (unsigned long long)(c->options.answer_ms / 1000));
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
