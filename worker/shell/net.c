/* See net.h. A call is one request under way: a context and an aio, which runs
 * send, then receive, and ends exactly once in `finished`. A call that is given
 * up has its aio aborted; it still ends once, and is then freed unseen.
 *
 * Contexts and the socket are closed only when no aio of theirs is under way
 * and no callback runs: NNG 1.5 frees a socket under the feet of a thread that
 * is about to use it. So giving up and going on from send to receive exclude
 * each other by the mutex. NNG never calls back from within nng_ctx_recv or
 * nng_aio_abort, so holding it there is safe.
 *
 *   net_send -> SENDING --sent--> RECEIVING --answer--> finished (received)
 *                  |                  |
 *                  +-----error--------+------------->  finished (lost)
 *
 * Where tokens are wanted a new pipe is greeted first (proto/greeting.h), by a
 * call of our own, the one that `greets`. Until its answer has given the pipe
 * keys, calls wait unsent in `waiting`; then each gets its seal. A call that
 * was sealed for one pipe and went over the next is refused there: it is lost,
 * and the link sends it again. */
#include "worker/shell/net.h"

#include "proto/ascii.h"
#include "proto/dial/dial.h"
#include "proto/greeting.h"
#include "proto/message.h"
#include "proto/run_with_timeout.h"
#include "proto/secrets.h"
#include "proto/table.h"
#include "proto/tsan.h"
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* NNG doubles its pause from the first to the most; STRANGE: see net_pause.
 * SPARE_MAX contexts are kept for reuse: opening one costs a lock of the whole
 * socket. GREET_MS bounds the wait for a welcome. */
enum {
    RECONNECT_FIRST_MS = 50,
    RECONNECT_MOST_MS = 1000,
    STRANGE_MOST_MS = 8000,
    SPARE_MAX = 64,
    CLOSE_PATIENCE_MS = 500,
    GREET_MS = 5000
};

typedef struct net_call {
    net *net;
    nng_ctx ctx;
    nng_aio *aio;
    uint64_t request;
    bool receiving, given_up; /* under the mutex */
    nng_msg *answer;          /* NULL at the end: lost */
    /* not the caller's: the greeting of a pipe */
    bool greets;
    nng_msg *unsent;                 /* it waits for the pipe's keys */
    chain waits;                     /* in `waiting` */
    struct net_call *next;           /* in `finished` or `spare` */
    struct net_call *before, *after; /* in `calls` */
} net_call;

struct net {
    net_handlers handlers;
    nng_socket socket;
    nng_dialer dialer;
    net_call *calls;  /* under way, given up or not */
    table by_request; /* those that are not given up */
    net_call *spare;
    uint32_t spare_count;
    const char *connect, *store; /* borrowed: what was asked for */
    join join;                   /* what that means */
    bool wants;                  /* tokens */
    chain waiting;
    uint32_t pipe; /* that has keys; 0: the one there is has none yet */
    bool has_keys; /* `session` is a pipe's, maybe of one that has gone */
    seal_session session;
    greeting greeting;
    uint32_t greeting_pipe;
    uint32_t greeted;      /* pipes since the last that was welcomed */
    uint64_t epoch;        /* the highest that was welcomed */
    pthread_mutex_t mutex; /* guards what follows */
    net_call *finished, **finished_last;
    uint32_t connected; /* the pipe there is; 0: none */
    bool disconnected, closing;
    bool arrived; /* a pipe that was not greeted yet */
};

/* `wake` is called under the mutex, so that none comes after net_close has set
 * `closing`. */
static void post(net_call *call)
{
    net *n = call->net;
    pthread_mutex_lock(&n->mutex);
    call->next = NULL;
    *n->finished_last = call;
    n->finished_last = &call->next;
    if (!n->closing)
        n->handlers.wake(n->handlers.context);
    pthread_mutex_unlock(&n->mutex);
}

/* On NNG's thread. From send to receive without leaving it: going back to the
 * loop in between would cost a wake-up a request. What was given up meanwhile
 * does not begin to receive. */
static void on_aio(void *context)
{
    net_call *call = context;
    HANDOVER_TAKE(call);
    int rv = nng_aio_result(call->aio);
    pthread_mutex_lock(&call->net->mutex);
    bool received = call->receiving;
    bool go_on = !rv && !received && !call->given_up;
    if (go_on) {
        call->receiving = true;
        HANDOVER_GIVE(call);
        nng_ctx_recv(call->ctx, call->aio);
    }
    if (go_on)
        HANDOVER_GIVE(call);
    pthread_mutex_unlock(&call->net->mutex);
    if (go_on)
        return;
    if (rv && !received) {
        /* what could not be sent is ours again */
        nng_msg_free(nng_aio_get_msg(call->aio));
        nng_aio_set_msg(call->aio, NULL);
    }
    call->answer = rv || !received ? NULL : nng_aio_get_msg(call->aio);
    post(call);
    HANDOVER_GIVE(call);
}

static void net_note_pipe(net *n, uint32_t pipe, nng_pipe_ev event)
{
    if (event == NNG_PIPE_EV_ADD_POST) {
        n->connected = pipe;
        n->arrived = true;
    } else {
        if (n->connected == pipe)
            n->connected = 0;
        n->disconnected = true;
    }
}

/* ADD_PRE comes before anything is sent: a local socket whose peer is another
 * user's is closed there. */
static void on_pipe(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    net *n = context;
    HANDOVER_TAKE(n);
    if (event == NNG_PIPE_EV_ADD_PRE) {
        if (!dial_peer_is_ours(pipe))
            nng_pipe_close(pipe);
        HANDOVER_GIVE(n);
        return;
    }
    pthread_mutex_lock(&n->mutex);
    net_note_pipe(n, (uint32_t)nng_pipe_id(pipe), event);
    bool tells = event == NNG_PIPE_EV_REM_POST || n->wants;
    if (tells && !n->closing)
        n->handlers.wake(n->handlers.context);
    pthread_mutex_unlock(&n->mutex);
    HANDOVER_GIVE(n);
}

static void free_net(net *n)
{
    pthread_mutex_destroy(&n->mutex);
    table_free(&n->by_request);
    join_forget(&n->join);
    seal_forget(&n->session, sizeof n->session);
    free(n);
}

/* REQ would resend by itself after a minute: the link resends, and knows why.
 * RECONN grows from 50 ms to a second, so a restarted coordinator is found at
 * once. */
static int set_options(nng_socket socket)
{
    int rv = nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME,
                               NNG_DURATION_INFINITE);
    if (!rv)
        rv = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ,
                                 MESSAGE_MAX + SEAL_SIZE);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, RECONNECT_FIRST_MS);
    if (!rv)
        rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MOST_MS);
    return rv;
}

/* HOST:PORT, where an IPv6 host has brackets. */
static bool net_is_host_and_port(const char *host)
{
    const char *colon = strrchr(host, ':');
    if (!colon || colon == host || strchr(host, '/'))
        return false;
    if (host[0] == '[' ? colon[-1] != ']'
                       : memchr(host, ':', (size_t)(colon - host)) != NULL)
        return false;
    char *end;
    unsigned long port = strtoul(colon + 1, &end, 10);
    bool is_number = ascii_is_digit(colon[1]) && !*end;
    return is_number && port >= 1 && port <= 65535;
}

/* Dialling in the background tells nobody of an address that can never be one,
 * so it is looked at before. */
static bool net_is_address(const char *url)
{
    if (strncmp(url, "ipc://", 6) == 0)
        return url[6] != 0;
    if (dial_is_tls(url))
        return net_is_host_and_port(url + 10);
    return strncmp(url, "tcp://", 6) == 0 && net_is_host_and_port(url + 6);
}

static etna_code net_refuse_address(const char *url, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_USAGE,
        "cannot connect to \"%s\": give ipc://PATH, tcp://HOST:PORT, tls+tcp://HOST:PORT or @FILE",
        url);
}

/* Where to, and the worker's token there. Read anew when a token counts no
 * more: the join file may have been replaced. On failure n is as it was, so a
 * file that is being written does no harm. */
static etna_code net_find(net *n, etna_error *err)
{
    join found;
    if (n->connect[0] != '@' && !net_is_address(n->connect))
        return net_refuse_address(n->connect, err);
    etna_code code = join_find(n->connect, n->store, &found, err);
    if (code)
        return code;
    bool wants = found.realm[0] != 0;
    if (!net_is_address(found.endpoint)) {
        code = net_refuse_address(found.endpoint, err);
    } else if (wants && !found.given[SEAL_WORKER]) {
        code = etna_fail(
            err, ETNA_E_USAGE,
            "%.200s: this join file has no worker's token; one that has is wanted",
            n->connect);
    } else if (!(code = dial_check_owner(found.endpoint, err))) {
        if (wants)
            guard_secrets();
        n->join = found;
        n->wants = wants;
    }
    join_forget(&found);
    return code;
}

const char *net_address(const net *n)
{
    return n->join.endpoint;
}

static int net_dial(net *n)
{
    HANDOVER_GIVE(n);
    int rv = set_options(n->socket);
    if (!rv)
        rv = nng_pipe_notify(n->socket, NNG_PIPE_EV_ADD_PRE, on_pipe, n);
    if (!rv)
        rv = nng_pipe_notify(n->socket, NNG_PIPE_EV_ADD_POST, on_pipe, n);
    if (!rv)
        rv = nng_pipe_notify(n->socket, NNG_PIPE_EV_REM_POST, on_pipe, n);
    if (!rv)
        rv = dial_start(n->socket, &n->join, NNG_FLAG_NONBLOCK, &n->dialer);
    return rv;
}

etna_code net_open(const char *connect,
                   const char *store,
                   const net_handlers *handlers,
                   net **ret_net,
                   etna_error *err)
{
    net *n = calloc(1, sizeof *n);
    if (!n)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the network");
    n->handlers = *handlers;
    n->connect = connect;
    n->store = store;
    n->finished_last = &n->finished;
    chain_init(&n->waiting);
    pthread_mutex_init(&n->mutex, NULL);
    etna_code code = net_find(n, err);
    int rv = code ? 0 : nng_req0_open(&n->socket);
    if (rv)
        code = etna_fail(err, ETNA_E_NETWORK, "cannot open a socket: %s",
                         nng_strerror(rv));
    if (code) {
        free_net(n);
        return code;
    }
    rv = net_dial(n);
    if (rv) {
        code = etna_fail(err, rv == NNG_ENOMEM ? ETNA_E_NOMEM : ETNA_E_USAGE,
                         "cannot connect to \"%s\": %s", n->join.endpoint,
                         nng_strerror(rv));
        net_close(n);
        return code;
    }
    *ret_net = n;
    return ETNA_OK;
}

/* ---- calls, on the caller's thread ---- */

static void call_free(net_call *call)
{
    nng_aio_free(call->aio); /* waits for the tail of its callback */
    HANDOVER_TAKE(call);
    nng_ctx_close(call->ctx);
    if (call->answer)
        nng_msg_free(call->answer);
    if (call->unsent)
        nng_msg_free(call->unsent);
    chain_remove(&call->waits);
    free(call);
}

/* A recycled one has its context and aio still open. */
static net_call *call_new(net *n, int *ret_rv)
{
    net_call *call = n->spare;
    *ret_rv = 0;
    if (call) {
        n->spare = call->next;
        n->spare_count--;
        return call;
    }
    call = calloc(1, sizeof *call);
    if (!call) {
        *ret_rv = NNG_ENOMEM;
        return NULL;
    }
    call->net = n;
    chain_init(&call->waits);
    *ret_rv = nng_aio_alloc(&call->aio, on_aio, call);
    if (*ret_rv) {
        free(call);
        return NULL;
    }
    *ret_rv = nng_ctx_open(&call->ctx, n->socket);
    if (*ret_rv) {
        nng_aio_free(call->aio);
        free(call);
        return NULL;
    }
    return call;
}

static void call_link(net *n, net_call *call)
{
    call->before = NULL;
    call->after = n->calls;
    if (n->calls)
        n->calls->before = call;
    n->calls = call;
}

static void call_unlink(net *n, net_call *call)
{
    *(call->before ? &call->before->after : &n->calls) = call->after;
    if (call->after)
        call->after->before = call->before;
}

static void give_up(net_call *call)
{
    pthread_mutex_lock(&call->net->mutex);
    call->given_up = true;
    nng_aio_abort(call->aio, NNG_ECANCELED);
    pthread_mutex_unlock(&call->net->mutex);
}

/* One that was never sent has no aio under way, which would end it. */
static void net_drop_unsent(net *n, net_call *call)
{
    nng_msg_free(call->unsent);
    call->unsent = NULL;
    chain_remove(&call->waits);
    call_unlink(n, call);
    call_free(call);
}

/* The answer, if it still comes, finds no request of that number. */
void net_drop(net *n, uint64_t request)
{
    net_call *call = table_get(&n->by_request, request);
    if (!call)
        return;
    table_remove(&n->by_request, request);
    call->request = 0;
    if (call->unsent) {
        net_drop_unsent(n, call);
    } else {
        give_up(call);
    }
}

/* The aio owns `msg` from here until it ends. */
static void call_send(net_call *call, nng_msg *msg)
{
    nng_aio_set_msg(call->aio, msg);
    HANDOVER_GIVE(call);
    nng_ctx_send(call->ctx, call->aio);
}

/* A call of its own, linked; takes `msg` in every case. NULL: *ret_rv says
 * why. */
static net_call *net_call_add(net *n, nng_msg *msg, int *ret_rv)
{
    net_call *call = call_new(n, ret_rv);
    if (!call) {
        nng_msg_free(msg);
        return NULL;
    }
    call->request = 0;
    call->receiving = false;
    call->given_up = false;
    call->greets = false;
    call->answer = NULL;
    call->unsent = msg;
    call_link(n, call);
    return call;
}

static nng_msg *net_message(const uint8_t *data, size_t size, int *ret_rv)
{
    nng_msg *msg = NULL;
    *ret_rv = nng_msg_alloc(&msg, 0);
    if (*ret_rv)
        return NULL;
    *ret_rv = nng_msg_append(msg, data, size);
    if (!*ret_rv)
        return msg;
    nng_msg_free(msg);
    return NULL;
}

/* With the pipe's seal. Without memory for it the call goes as it is, is
 * refused, and so comes again. */
static void net_send_sealed(net *n, net_call *call)
{
    nng_msg *msg = call->unsent;
    uint8_t seal[SEAL_SIZE];
    call->unsent = NULL;
    chain_remove(&call->waits);
    seal_make(&n->session.asks, nng_msg_body(msg), nng_msg_len(msg), seal);
    (void)!nng_msg_append(msg, seal, sizeof seal);
    call_send(call, msg);
}

/* One request of a number at a time: the one before is given up first, as it
 * asked the same thing earlier. */
etna_code net_send(
    net *n, uint64_t request, const uint8_t *data, size_t size, etna_error *err)
{
    int rv;
    net_drop(n, request);
    nng_msg *msg = net_message(data, size, &rv);
    net_call *call = msg ? net_call_add(n, msg, &rv) : NULL;
    if (call && !table_put(&n->by_request, request, call)) {
        net_drop_unsent(n, call);
        call = NULL;
        rv = NNG_ENOMEM;
    }
    if (!call)
        return etna_fail(err, rv == NNG_ENOMEM ? ETNA_E_NOMEM : ETNA_E_NETWORK,
                         "cannot send: %s", nng_strerror(rv));
    call->request = request;
    if (!n->wants) {
        call->unsent = NULL;
        call_send(call, msg);
    } else if (n->pipe) {
        net_send_sealed(n, call);
    } else {
        chain_append(&n->waiting, &call->waits);
    }
    return ETNA_OK;
}

/* ---- greetings ---- */

/* NNG dials at once when a connection that stood has ended, and many workers
 * whose tokens count no more would leave a coordinator no time. So after the
 * second that was not welcomed the next is waited for by up to a second, then up
 * to two, and so on. The second itself comes at once: a new join file may be
 * there already. */
static void net_pause(const net *n)
{
    uint32_t first = RECONNECT_FIRST_MS, most = RECONNECT_MOST_MS;
    if (n->greeted > 1) {
        uint32_t doubled = n->greeted - 2 < 3 ? n->greeted - 2 : 3;
        first = RECONNECT_MOST_MS << doubled;
        most = STRANGE_MOST_MS;
    }
    dial_pause(n->dialer, first, most);
}

/* A pipe that gave us no keys is of no use; the next one is dialled, and the
 * join file read again. */
static void net_give_up_pipe(net *n, uint32_t pipe)
{
    net_find(n, NULL);
    if (pipe)
        nng_pipe_close((nng_pipe){.id = pipe});
}

static void net_greet(net *n, uint32_t pipe)
{
    /* of no matter: the core never hears of it */
    const message frame = {.sender = 1, .sequence = 1};
    uint8_t *data;
    size_t size;
    int rv;
    n->greeted++;
    net_pause(n);
    if (greeting_begin(&n->join, SEAL_WORKER, &frame, &n->greeting, &data,
                       &size, NULL)) {
        net_give_up_pipe(n, pipe);
        return;
    }
    nng_msg *msg = net_message(data, size, &rv);
    free(data);
    net_call *call = msg ? net_call_add(n, msg, &rv) : NULL;
    if (!call) {
        net_give_up_pipe(n, pipe);
        return;
    }
    call->greets = true;
    call->unsent = NULL;
    n->greeting_pipe = pipe;
    /* it is not used again after this */
    nng_aio_set_timeout(call->aio, GREET_MS);
    call_send(call, msg);
}

/* The answer to the greeting of the pipe that there is now. What waited for
 * keys is sent in the order in which it was asked. */
static void net_take_welcome(net *n, nng_msg *answer, uint32_t connected)
{
    etna_error err = {ETNA_OK, ""};
    uint32_t pipe = (uint32_t)nng_pipe_id(nng_msg_get_pipe(answer));
    if (pipe != connected)
        return; /* the next one is being greeted */
    if (greeting_end(&n->join, &n->greeting, n->epoch, nng_msg_body(answer),
                     nng_msg_len(answer), &n->session, &n->epoch, &err)) {
        if (n->handlers.unknown)
            n->handlers.unknown(n->handlers.context, err.text);
        net_give_up_pipe(n, pipe);
        return;
    }
    n->pipe = pipe;
    n->has_keys = true;
    n->greeted = 0;
    net_pause(n);
    while (!chain_empty(&n->waiting))
        net_send_sealed(n, CHAIN_OF(net_call, waits, n->waiting.next));
}

/* Bytes of an answer that counts; false: it is as good as lost. */
static bool net_is_sealed(const net *n, nng_msg *answer, size_t *ret_size)
{
    *ret_size = nng_msg_len(answer);
    if (!n->wants)
        return true;
    return n->has_keys && seal_check(&n->session.answers, nng_msg_body(answer),
                                     nng_msg_len(answer), ret_size);
}

static void call_recycle(net *n, net_call *call)
{
    call->next = n->spare;
    n->spare = call;
    n->spare_count++;
}

/* Runs on the loop's thread with the call already finished. The record is
 * recycled before the handlers run, as they may send. */
static void end_call(net *n, net_call *call, uint32_t connected)
{
    call_unlink(n, call);
    nng_msg *answer = call->answer;
    uint64_t request = call->request; /* 0: given up, or a greeting */
    bool greets = call->greets && !call->given_up;
    size_t size = 0;
    call->answer = NULL;
    if (request)
        table_remove(&n->by_request, request);
    if (answer && request && n->spare_count < SPARE_MAX) {
        call_recycle(n, call);
    } else {
        call_free(call);
    }
    if (greets && answer)
        net_take_welcome(n, answer, connected);
    if (greets && !answer && n->greeting_pipe == connected)
        net_give_up_pipe(n, connected);
    if (request && answer && net_is_sealed(n, answer, &size)) {
        n->handlers.received(n->handlers.context, request, nng_msg_body(answer),
                             size);
    } else if (request) {
        n->handlers.lost(n->handlers.context, request);
    }
    if (answer)
        nng_msg_free(answer);
}

/* All that happened is taken under the mutex at once and worked through without
 * it; handlers may send and drop. */
void net_collect(net *n)
{
    pthread_mutex_lock(&n->mutex);
    net_call *call = n->finished;
    bool disconnected = n->disconnected;
    bool arrived = n->arrived && n->wants;
    uint32_t connected = n->connected;
    n->finished = NULL;
    n->finished_last = &n->finished;
    n->disconnected = n->arrived = false;
    pthread_mutex_unlock(&n->mutex);
    if (n->pipe != connected)
        n->pipe = 0;
    while (call) {
        net_call *next = call->next;
        end_call(n, call, connected);
        call = next;
    }
    /* after the answers that still came through */
    if (disconnected)
        n->handlers.disconnected(n->handlers.context);
    if (arrived && connected && n->pipe != connected)
        net_greet(n, connected);
}

/* Aborts all first and only then waits for each, so that the waits overlap. */
static void close_all(void *context)
{
    net *n = context;
    while (!chain_empty(&n->waiting))
        net_drop_unsent(n, CHAIN_OF(net_call, waits, n->waiting.next));
    for (net_call *call = n->calls; call; call = call->after)
        give_up(call);
    for (net_call *call = n->calls; call; call = call->after)
        nng_aio_stop(call->aio); /* and its callback is through */
    /* what the callbacks wrote under it is ours from here on, also to a
     * sanitizer's eye */
    pthread_mutex_lock(&n->mutex);
    pthread_mutex_unlock(&n->mutex);
    while (n->calls) {
        net_call *call = n->calls;
        call_unlink(n, call);
        call_free(call);
    }
    while (n->spare) {
        net_call *call = n->spare;
        n->spare = call->next;
        call_free(call);
    }
    nng_close(n->socket);
    HANDOVER_TAKE(n);
}

/* NNG 1.5 may wait for ever when it closes a socket (its issues 1543 and 1813):
 * a close that is not back in time is left to the end of the process, together
 * with what it holds. */
void net_close(net *n)
{
    if (!n)
        return;
    pthread_mutex_lock(&n->mutex);
    n->closing = true; /* from here on nobody is woken */
    pthread_mutex_unlock(&n->mutex);
    if (run_with_timeout(CLOSE_PATIENCE_MS, close_all, n))
        free_net(n);
}
