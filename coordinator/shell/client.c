/* See client.h. NNG's own resend is off; a request unanswered for REPEAT_MS
 * (longer than the coordinator parks one) is sent again with the same number.
 * One receive waits for all of that time (a receive that times out takes its
 * request with it); meanwhile we look every PIECE_MS whether a signal came. */
#include "coordinator/shell/client.h"
#include "proto/clock.h"
#include "proto/dial/dial.h"
#include "proto/greeting.h"
#include "proto/run_with_timeout.h"
#include "proto/secrets.h"
#include "proto/tsan.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* All in milliseconds. */
enum {
    PIECE_MS = 200,
    /* longer than a coordinator parks any request */
    REPEAT_MS = 15000,
    PATIENCE_MS = 60000,
    RECONNECT_FIRST_MS = 50,
    RECONNECT_MOST_MS = 1000,
    CLOSE_PATIENCE_MS = 500,
    /* for the answer to a hello */
    GREET_MS = 5000,
    /* without a connection: NNG 1.5 may never finish with a lost one, and a new
     * socket helps */
    REOPEN_MS = 10000
};

/* `lock` and `done` guard `received` alone, which NNG's thread sets. */
struct client {
    nng_socket socket;
    nng_aio *aio;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool received; /* the aio has ended */
    client_options options;
    /* our name: random, the time, the number of the last request; the highest
     * epoch that answered */
    uint64_t sender, incarnation, sequence, epoch;
    uint64_t away_since_ms; /* 0: connected, as far as we know */
    uint64_t opened_ms;     /* the socket */
    char *connect;          /* as it was given */
    join join;              /* where to, and our tokens there */
    seal_role role;         /* SEAL_NOBODY: none are wanted */
    bool greeted;           /* the connection has keys, as far as we know */
    seal_session session;
};

/* PATIENCE_MS without an answer is a failure. */
client_options client_options_default(void)
{
    return (client_options){.answer_ms = PATIENCE_MS};
}

/* Of the coordinator that answered last. */
uint64_t client_epoch(const client *c)
{
    return c->epoch;
}

/* By a signal's handler. */
static bool client_is_stopped(const client *c)
{
    return c->options.stop && *c->options.stop;
}

/* Whether the caller knows that no answer will come. */
static bool client_is_gone(const client *c)
{
    uint64_t away =
        c->away_since_ms ? clock_now_ms() - c->away_since_ms + 1 : 0;
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

/* A socket with NNG's own resending switched off: it would repeat a request
 * without the seal of the new connection. */
static int client_socket_open(const client *c, int dial_flags, nng_socket *ret)
{
    nng_socket socket;
    int rv = nng_req0_open(&socket);
    if (rv)
        return rv;
    rv =
        nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX + SEAL_SIZE);
    if (!rv)
        rv =
            nng_pipe_notify(socket, NNG_PIPE_EV_ADD_PRE, dial_check_peer, NULL);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME,
                               NNG_DURATION_INFINITE);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_SENDTIMEO, PIECE_MS);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, RECONNECT_FIRST_MS);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MOST_MS);
    if (!rv)
        rv = dial_start(socket, &c->join, dial_flags, NULL);
    if (rv) {
        nng_close(socket);
    } else {
        *ret = socket;
    }
    return rv;
}

/* Nobody listens, or whoever listened went before the connection stood. */
static bool client_is_absent(int rv)
{
    switch (rv) {
    case NNG_ECONNREFUSED:
    case NNG_ENOENT:
    case NNG_EAGAIN: /* too many wait to be accepted over ipc */
    case NNG_ECLOSED:
    case NNG_ECONNABORTED:
    case NNG_ECONNRESET:
    case NNG_ECONNSHUT:
    case NNG_EUNREACHABLE:
    case NNG_ETIMEDOUT: return true;
    default: return false;
    }
}

/* Between two looks. */
static void client_pause(void)
{
    const struct timespec pause = {.tv_nsec = PIECE_MS * 1000000L};
    nanosleep(&pause, NULL);
}

/* A listener that is being restarted refuses for a while. */
static int client_dial(client *c)
{
    uint64_t begun = clock_now_ms();
    for (;;) {
        int rv = client_socket_open(c, 0, &c->socket);
        bool patient =
            client_is_absent(rv) && clock_now_ms() - begun < c->options.open_ms;
        if (!patient)
            return rv;
        if (!c->away_since_ms)
            c->away_since_ms = clock_now_ms();
        if (client_is_stopped(c))
            return NNG_EINTR;
        if (client_is_gone(c))
            return rv;
        client_pause();
    }
}

/* Tells apart what the user can change. */
static etna_code client_tell_dial(const client *c, int rv, etna_error *err)
{
    if (rv == NNG_EINTR)
        return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    if (rv == NNG_EADDRINVAL || rv == NNG_ENOTSUP || rv == NNG_EINVAL)
        return etna_fail(
            err, ETNA_E_USAGE,
            "%s: not an address to connect to, or no host of that name is known here; use ipc://PATH or "
            "tcp://HOST:PORT",
            c->join.endpoint);
    if (rv == NNG_ECRYPTO || rv == NNG_EPEERAUTH)
        return etna_fail(
            err, ETNA_E_NETWORK,
            "%s: who listens there has not the certificate of the join file: it is another coordinator; use "
            "its own join file: --connect @FILE",
            c->join.endpoint);
    return etna_fail(
        err, ETNA_E_NETWORK,
        "%s: cannot connect: %s; is a coordinator listening there?",
        c->join.endpoint, nng_strerror(rv));
}

/* Keys are wiped. */
static void client_free(client *c)
{
    join_forget(&c->join);
    seal_forget(&c->session, sizeof c->session);
    free(c->connect);
    free(c);
}

/* On a thread of its own, see inbox_close_socket. */
static void client_socket_close(void *context)
{
    nng_socket *socket = context;
    nng_close(*socket);
    free(socket);
}

/* Another socket in place of one that does not connect again; where none can be
 * had the old one stays. */
static void client_reopen(client *c)
{
    nng_socket *old = malloc(sizeof *old);
    nng_socket fresh;
    c->opened_ms = clock_now_ms();
    if (!old || client_socket_open(c, NNG_FLAG_NONBLOCK, &fresh)) {
        free(old);
        return;
    }
    *old = c->socket;
    c->socket = fresh;
    run_with_timeout(CLOSE_PATIENCE_MS, client_socket_close, old);
}

/* The same for the whole client. */
static void client_close_socket(void *context)
{
    client *c = context;
    nng_aio_stop(c->aio);
    nng_close(c->socket);
    nng_aio_free(c->aio);
    HANDOVER_TAKE(c);
}

/* NULL is fine. */
void client_close(client *c)
{
    if (!c)
        return;
    if (!run_with_timeout(CLOSE_PATIENCE_MS, client_close_socket, c))
        return; /* NNG 1.5 may wait for ever in there, see inbox_close */
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    client_free(c);
}

/* With the connection's seal, where it has one. */
static int send_bytes(client *c, const uint8_t *data, size_t size)
{
    uint8_t seal[SEAL_SIZE];
    nng_msg *msg;
    int rv = nng_msg_alloc(&msg, 0);
    if (rv)
        return rv;
    rv = nng_msg_append(msg, data, size);
    if (!rv && c->greeted) {
        seal_make(&c->session.asks, data, size, seal);
        rv = nng_msg_append(msg, seal, sizeof seal);
    }
    if (!rv)
        rv = nng_sendmsg(c->socket, msg, 0);
    if (rv)
        nng_msg_free(msg);
    return rv;
}

/* Waits for the receive to end. False: stopped meanwhile, or nothing can come
 * any more; then the receive is cancelled and what may have come is freed. */
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
    if (received)
        return true;
    nng_aio_cancel(c->aio);
    nng_aio_wait(c->aio);
    if (!nng_aio_result(c->aio))
        nng_msg_free(nng_aio_get_msg(c->aio));
    return false;
}

/* Why nobody waits any longer. */
static etna_code client_given_up(const client *c, etna_error *err)
{
    if (client_is_stopped(c))
        return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    return etna_fail(err, ETNA_E_NETWORK, "%s: nobody answers there any more",
                     c->join.endpoint);
}

/* One receive. *ret_msg: what came, the caller's; else NULL and *ret_rv says
 * why not. */
static etna_code client_receive_bytes(
    client *c, int patience_ms, nng_msg **ret_msg, int *ret_rv, etna_error *err)
{
    *ret_msg = NULL;
    c->received = false;
    nng_aio_set_timeout(c->aio, patience_ms);
    HANDOVER_GIVE(c);
    nng_recv_aio(c->socket, c->aio);
    if (!client_await(c))
        return client_given_up(c, err);
    *ret_rv = nng_aio_result(c->aio);
    if (!*ret_rv)
        *ret_msg = nng_aio_get_msg(c->aio);
    return ETNA_OK;
}

/* Bytes of an answer that counts: where there are keys, one with the right
 * seal. */
static bool client_is_sealed(const client *c, nng_msg *msg, size_t *ret_size)
{
    *ret_size = nng_msg_len(msg);
    return !c->greeted || seal_check(&c->session.answers, nng_msg_body(msg),
                                     nng_msg_len(msg), ret_size);
}

/* *ret_ours: the answer came; else *ret_rv says why not (0: something else
 * came, wait on). */
static etna_code client_receive(client *c,
                                etna_arena *arena,
                                message *ret,
                                bool *ret_ours,
                                int *ret_rv,
                                etna_error *err)
{
    nng_msg *msg;
    message answer;
    size_t size;
    *ret_ours = false;
    etna_code code = client_receive_bytes(c, REPEAT_MS, &msg, ret_rv, err);
    if (code || !msg)
        return code;
    bool sealed = client_is_sealed(c, msg, &size);
    if (sealed)
        code = message_unpack(nng_msg_body(msg), size, arena, &answer, err);
    nng_msg_free(msg);
    /* another connection, or another's words */
    c->greeted = c->greeted && sealed;
    if (code || !sealed)
        return code;
    if (answer.epoch < c->epoch || answer.sequence != c->sequence)
        return ETNA_OK; /* of an earlier owner, or late */
    c->epoch = answer.epoch;
    *ret_ours = true;
    *ret = answer;
    return ETNA_OK;
}

/* Sends the hello of a new connection and takes its answer. *ret_rv: the
 * connection was lost meanwhile. */
static etna_code client_exchange_greetings(client *c,
                                           int *ret_rv,
                                           etna_error *err)
{
    const message frame = {.sender = c->sender,
                           .incarnation = c->incarnation,
                           .sequence = c->sequence};
    greeting g;
    uint8_t *data;
    size_t size;
    nng_msg *msg;
    etna_code code =
        greeting_begin(&c->join, c->role, &frame, &g, &data, &size, err);
    if (code)
        return code;
    *ret_rv = send_bytes(c, data, size);
    free(data);
    if (*ret_rv)
        return ETNA_OK;
    code = client_receive_bytes(c, GREET_MS, &msg, ret_rv, err);
    if (code || !msg)
        return code;
    code = greeting_end(&c->join, &g, c->epoch, nng_msg_body(msg),
                        nng_msg_len(msg), &c->session, &c->epoch, err);
    nng_msg_free(msg);
    c->greeted = !code;
    return code;
}

/* Where tokens are wanted nothing is said before the connection has keys. */
static etna_code client_greet(client *c, int *ret_rv, etna_error *err)
{
    *ret_rv = 0;
    bool needed = c->role != SEAL_NOBODY && !c->greeted;
    return needed ? client_exchange_greetings(c, ret_rv, err) : ETNA_OK;
}

/* There is no connection just now. NNG dials again by itself; where it seems
 * stuck, a new socket takes its place. */
static void client_is_away(client *c)
{
    uint64_t now = clock_now_ms();
    if (!c->away_since_ms)
        c->away_since_ms = now;
    bool stuck =
        now - c->away_since_ms > REOPEN_MS && now - c->opened_ms > REOPEN_MS;
    if (stuck)
        client_reopen(c);
}

/* What a request meets whose connection, or whose answer, was lost; 0:
 * another's answer came. */
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

/* How one attempt at a request ended. */
typedef enum exchange_end {
    EXCHANGE_ANSWERED,
    EXCHANGE_AGAIN, /* lost on its way, or something else came */
    EXCHANGE_AWAY,  /* there is no connection, or not to whom we want */
    EXCHANGE_FAILED
} exchange_end;

/* In the network, not in the answer. */
static exchange_end client_fail(const client *c, int rv, etna_error *err)
{
    etna_fail(err, ETNA_E_NETWORK, "%s: %s", c->join.endpoint,
              nng_strerror(rv));
    return EXCHANGE_FAILED;
}

/* After what a connection met. */
static exchange_end client_lost(client *c, int rv, etna_error *err)
{
    if (rv)
        c->greeted = false;
    return client_may_repeat(rv) ? EXCHANGE_AGAIN : client_fail(c, rv, err);
}

/* Reads where to connect and by which token. Done again when a coordinator does
 * not know our token: its join file may have been replaced. */
static etna_code client_find(client *c, const char *connect, etna_error *err)
{
    join found;
    etna_code code = join_find(connect, c->options.store, &found, err);
    if (code)
        return code;
    bool wants = found.realm[0] != 0;
    seal_role role = join_looker(&found);
    if (wants && role == SEAL_NOBODY) {
        code = etna_fail(
            err, ETNA_E_USAGE,
            "%.200s: this join file is for workers; one for submitters or viewers is wanted",
            connect);
    } else if (!(code = dial_check_owner(found.endpoint, err))) {
        if (wants)
            guard_secrets();
        c->join = found;
        c->role = role;
    }
    join_forget(&found);
    return code;
}

/* Sees to it that there are keys where they are wanted. EXCHANGE_ANSWERED:
 * there are. */
static exchange_end client_try_greeting(client *c, etna_error *err)
{
    int rv;
    etna_code code = client_greet(c, &rv, err);
    /* Whoever listens now is not who we want: the coordinator may come back. */
    bool met_another = code == ETNA_E_NETWORK || code == ETNA_E_STALE;
    if (met_another)
        client_find(c, c->connect, NULL); /* the file may have been replaced */
    if (met_another || rv == NNG_ETIMEDOUT)
        return EXCHANGE_AWAY;
    if (code)
        return EXCHANGE_FAILED;
    return rv ? client_lost(c, rv, err) : EXCHANGE_ANSWERED;
}

/* Sends the request and receives once. For FAILED `err` says why; for AWAY it
 * may. */
static exchange_end client_try(client *c,
                               const uint8_t *data,
                               size_t size,
                               etna_arena *arena,
                               message *ret_answer,
                               etna_error *err)
{
    bool ours;
    exchange_end greeted = client_try_greeting(c, err);
    if (greeted != EXCHANGE_ANSWERED)
        return greeted;
    int rv = send_bytes(c, data, size);
    if (rv == NNG_ETIMEDOUT)
        return EXCHANGE_AWAY;
    if (rv)
        return client_fail(c, rv, err);
    c->away_since_ms = 0;
    if (client_receive(c, arena, ret_answer, &ours, &rv, err))
        return EXCHANGE_FAILED;
    return ours ? EXCHANGE_ANSWERED : client_lost(c, rv, err);
}

/* Repeats the request until it is answered or the patience ends. Each attempt
 * has its own bound, so the loop looks at `stop` and `gone` a few times a
 * second. */
static etna_code client_exchange(client *c,
                                 const uint8_t *data,
                                 size_t size,
                                 etna_arena *arena,
                                 message *ret_answer,
                                 etna_error *err)
{
    etna_error why = {ETNA_OK, ""};
    for (uint64_t begun = clock_now_ms();
         clock_now_ms() - begun < c->options.answer_ms;) {
        if (client_is_stopped(c) || client_is_gone(c))
            return client_given_up(c, err);
        exchange_end end = client_try(c, data, size, arena, ret_answer, &why);
        if (end == EXCHANGE_ANSWERED)
            return ETNA_OK;
        if (end == EXCHANGE_FAILED)
            return etna_fail(err, why.code, "%s", why.text);
        if (end == EXCHANGE_AWAY)
            client_is_away(c);
        if (end == EXCHANGE_AWAY && why.code)
            client_pause();
    }
    if (why.code)
        return etna_fail(err, why.code, "%s", why.text);
    return etna_fail(
        err, ETNA_E_NETWORK,
        "%s: no answer for %llu s; is the coordinator still there?",
        c->join.endpoint, (unsigned long long)(c->options.answer_ms / 1000));
}

/* Who does not know our token is told of at once; one that only goes away again
 * is waited for by the first call. */
static etna_code client_meet(client *c, etna_error *err)
{
    int rv;
    return client_greet(c, &rv, err);
}

/* A sender's id is random, its incarnation the time: so a second life is later
 * than the first. */
static etna_code client_connect(client *c, etna_error *err)
{
    int rv = nng_aio_alloc(&c->aio, receive_ended, c);
    if (!rv)
        rv = client_dial(c);
    if (rv)
        return client_tell_dial(c, rv, err);
    if (getrandom(&c->sender, sizeof c->sender, 0) != sizeof c->sender ||
        !c->sender)
        c->sender = 1;
    c->incarnation = (uint64_t)time(NULL);
    c->opened_ms = clock_now_ms();
    c->away_since_ms = 0;
    return client_meet(c, err);
}

/* *ret_client is the caller's to close. */
etna_code client_open(const char *connect,
                      const client_options *options,
                      client **ret_client,
                      etna_error *err)
{
    client *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory connecting",
                         connect);
    c->options = *options;
    c->connect = strdup(connect);
    etna_code code = c->connect
                         ? client_find(c, connect, err)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "%s: out of memory connecting", connect);
    if (code) {
        client_free(c);
        return code;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->done, NULL);
    code = client_connect(c, err);
    if (code) {
        client_close(c);
        return code;
    }
    *ret_client = c;
    return ETNA_OK;
}

/* Fills in the envelope. A refusal becomes the error that the coordinator
 * meant. */
etna_code client_call(client *c,
                      message *request,
                      etna_arena *arena,
                      message *ret_answer,
                      etna_error *err)
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
    if (code)
        return code;
    code = client_exchange(c, data, size, arena, &answer, err);
    free(data);
    if (code)
        return code;
    if (answer.kind == MESSAGE_REFUSED) {
        uint32_t refused = answer.body.refused.code;
        if (refused == ETNA_OK || refused >= ETNA_E_COUNT)
            refused = ETNA_E_INTERNAL;
        return etna_fail(err, (etna_code)refused, "%s",
                         answer.body.refused.text ? answer.body.refused.text
                                                  : "refused");
    }
    *ret_answer = answer;
    return ETNA_OK;
}

/* Of another kind than was asked for. */
static etna_code client_unexpected(const client *c,
                                   const message *answer,
                                   etna_error *err)
{
    return etna_fail(err, ETNA_E_MESSAGE, "%s: answered with %s",
                     c->join.endpoint, message_kind_name(answer->kind));
}

/* Goes on from where the coordinator says; eight answers without progress end
 * it. */
etna_code client_put_blob(client *c,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    uint64_t at = 0;
    for (int stuck = 0; stuck < 8;) {
        etna_arena arena = ETNA_ARENA_INIT;
        message request = {.kind = MESSAGE_BLOB_PUT};
        message answer = {0};
        size_t left = size - (size_t)at;
        request.body.blob_put =
            (message_blob_chunk){.hash = *hash,
                                 size,
                                 at,
                                 data + at,
                                 left < MESSAGE_CHUNK ? left : MESSAGE_CHUNK};
        etna_code code = client_call(c, &request, &arena, &answer, err);
        if (!code && answer.kind != MESSAGE_BLOB_ACK)
            code = client_unexpected(c, &answer, err);
        uint64_t received = code ? 0 : answer.body.blob_ack.received;
        etna_arena_free(&arena);
        if (code)
            return code;
        if (received >= size)
            return ETNA_OK;
        /* it may have forgotten us and say so */
        stuck = received > at ? 0 : stuck + 1;
        at = received;
    }
    return etna_fail(err, ETNA_E_NETWORK,
                     "%s: the coordinator takes no more of a blob of %zu bytes",
                     c->join.endpoint, size);
}

/* A blob of which the first `size` bytes are there. */
typedef struct partial_blob {
    uint8_t *data;
    uint64_t size, total;
} partial_blob;

/* Whether the chunk begins where the blob ends so far, and brings it further. A
 * coordinator may be restarted in between, or be somebody else's. */
static bool blob_is_continued(const partial_blob *blob,
                              const message_blob_chunk *chunk)
{
    if (chunk->offset != blob->size || chunk->total > SIZE_MAX / 2)
        return false;
    if (blob->data && chunk->total != blob->total)
        return false;
    return chunk->size <= chunk->total - blob->size &&
           (chunk->size || blob->size == chunk->total);
}

/* Chunks that do not follow are never joined. */
static etna_code blob_append(const client *c,
                             partial_blob *blob,
                             const message_blob_chunk *chunk,
                             etna_error *err)
{
    if (!blob_is_continued(blob, chunk))
        return etna_fail(err, ETNA_E_MESSAGE,
                         "%s: a chunk that does not follow", c->join.endpoint);
    uint8_t *grown = realloc(blob->data, (size_t)blob->size + chunk->size + 1);
    if (!grown)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory getting a blob");
    blob->data = grown;
    blob->total = chunk->total;
    if (chunk->size)
        memcpy(blob->data + blob->size, chunk->data, chunk->size);
    blob->size += chunk->size;
    return ETNA_OK;
}

/* The next chunk. */
static etna_code blob_continue(client *c,
                               const etna_hash *hash,
                               partial_blob *blob,
                               etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message request = {.kind = MESSAGE_BLOB_GET};
    message answer = {0};
    request.body.blob_get = (message_blob_get){.hash = *hash, blob->size};
    etna_code code = client_call(c, &request, &arena, &answer, err);
    if (!code && answer.kind != MESSAGE_BLOB_CHUNK)
        code = client_unexpected(c, &answer, err);
    if (!code)
        code = blob_append(c, blob, &answer.body.blob_chunk, err);
    etna_arena_free(&arena);
    return code;
}

/* The hash decides, so no chunk needs to be trusted. The caller frees. */
etna_code client_get_blob(client *c,
                          const etna_hash *hash,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err)
{
    partial_blob blob = {.data = NULL};
    etna_code code;
    do {
        code = blob_continue(c, hash, &blob, err);
    } while (!code && blob.size < blob.total);
    etna_hash found = etna_hash_bytes(blob.data, code ? 0 : (size_t)blob.size);
    if (!code && !etna_hash_equal(&found, hash))
        code =
            etna_fail(err, ETNA_E_CORRUPT, "%s: a blob does not match its hash",
                      c->join.endpoint);
    if (code) {
        free(blob.data);
        return code;
    }
    *ret_data = blob.data;
    *ret_size = (size_t)blob.size;
    return ETNA_OK;
}
