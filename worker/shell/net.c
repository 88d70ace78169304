/* See net.h. A call is one request under way: a context and an aio, which runs send, then receive, and ends exactly
 * once in `finished`. A call that is given up has its aio aborted; it still ends once, and is then freed unseen.
 *
 * Contexts and the socket are closed only when no aio of theirs is under way and no callback runs: NNG 1.5 frees a
 * socket under the feet of a thread that is about to use it. So giving up and going on from send to receive exclude
 * each other by the mutex. NNG never calls back from within nng_ctx_recv or nng_aio_abort, so holding it there is safe.
 *
 *   net_send -> SENDING --sent--> RECEIVING --answer--> finished (received)
 *                  |                  |
 *                  +-----error--------+------------->  finished (lost) */
#include "worker/shell/net.h"

#include "proto/message.h"
#include "proto/run_with_timeout.h"
#include "proto/table.h"
#include "proto/tsan.h"
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RECONNECT_FIRST_MS = 50, RECONNECT_MOST_MS = 1000, SPARE_MAX = 64, CLOSE_PATIENCE_MS = 500 };

typedef struct net_call {
    net *net;
    nng_ctx ctx;
    nng_aio *aio;
    uint64_t request;
    bool receiving, given_up;        /* under the mutex */
    nng_msg *answer;                 /* NULL at the end: lost */
    struct net_call *next;           /* in `finished` or `spare` */
    struct net_call *before, *after; /* in `calls` */
} net_call;

struct net {
    net_handlers handlers;
    nng_socket socket;
    net_call *calls;  /* under way, given up or not */
    table by_request; /* those that are not given up */
    net_call *spare;
    uint32_t spare_count;
    pthread_mutex_t mutex; /* guards what follows */
    net_call *finished, **finished_last;
    bool disconnected, closing;
};

/* `wake` is called under the mutex, so that none comes after net_close has set `closing`. */
static void post(net_call *call)
{
    net *n = call->net;
    pthread_mutex_lock(&n->mutex);
    call->next = NULL;
    *n->finished_last = call;
    n->finished_last = &call->next;
    if (!n->closing) n->handlers.wake(n->handlers.context);
    pthread_mutex_unlock(&n->mutex);
}

static void on_aio(void *context)
{
    net_call *call = context;
    HANDOVER_TAKE(call);
    int rv = nng_aio_result(call->aio);
    pthread_mutex_lock(&call->net->mutex);
    bool received = call->receiving, go_on = !rv && !received && !call->given_up;
    if (go_on) {
        call->receiving = true;
        HANDOVER_GIVE(call);
        nng_ctx_recv(call->ctx, call->aio);
    }
    if (go_on) HANDOVER_GIVE(call);
    pthread_mutex_unlock(&call->net->mutex);
    if (go_on) return;
    if (rv && !received) {
        nng_msg_free(nng_aio_get_msg(call->aio)); /* what could not be sent is ours again */
        nng_aio_set_msg(call->aio, NULL);
    }
    call->answer = rv || !received ? NULL : nng_aio_get_msg(call->aio);
    post(call);
    HANDOVER_GIVE(call);
}

static void on_pipe(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    (void)pipe;
    (void)event;
    net *n = context;
    HANDOVER_TAKE(n);
    pthread_mutex_lock(&n->mutex);
    n->disconnected = true;
    if (!n->closing) n->handlers.wake(n->handlers.context);
    pthread_mutex_unlock(&n->mutex);
    HANDOVER_GIVE(n);
}

static void free_net(net *n)
{
    pthread_mutex_destroy(&n->mutex);
    table_free(&n->by_request);
    free(n);
}

static int set_options(nng_socket socket)
{
    int rv = nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
    if (!rv) rv = nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, MESSAGE_MAX);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, RECONNECT_FIRST_MS);
    if (!rv) rv = nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MOST_MS);
    return rv;
}

/* Dialling in the background tells nobody of an address that can never be one, so it is looked at before. */
static bool is_address(const char *url)
{
    if (strncmp(url, "ipc://", 6) == 0) return url[6] != 0;
    if (strncmp(url, "tcp://", 6) != 0) return false;
    const char *host = url + 6, *colon = strrchr(host, ':');
    if (!colon || colon == host || strchr(host, '/')) return false;
    if (host[0] == '[' ? colon[-1] != ']' : memchr(host, ':', (size_t)(colon - host)) != NULL) return false;
    char *end;
    unsigned long port = strtoul(colon + 1, &end, 10);
    return colon[1] >= '0' && colon[1] <= '9' && !*end && port >= 1 && port <= 65535;
}

etna_code net_open(const char *url, const net_handlers *handlers, net **ret_net, etna_error *err)
{
    if (!is_address(url))
        return etna_fail(err, ETNA_E_USAGE, "cannot connect to \"%s\": give ipc://PATH or tcp://HOST:PORT", url);
    net *n = calloc(1, sizeof *n);
    if (!n) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the network");
    n->handlers = *handlers;
    n->finished_last = &n->finished;
    pthread_mutex_init(&n->mutex, NULL);
    int rv = nng_req0_open(&n->socket);
    if (rv) {
        free_net(n);
        return etna_fail(err, ETNA_E_NETWORK, "cannot open a socket: %s", nng_strerror(rv));
    }
    rv = set_options(n->socket);
    HANDOVER_GIVE(n);
    if (!rv) rv = nng_pipe_notify(n->socket, NNG_PIPE_EV_REM_POST, on_pipe, n);
    if (!rv) rv = nng_dial(n->socket, url, NULL, NNG_FLAG_NONBLOCK);
    if (rv) {
        net_close(n);
        return etna_fail(err, rv == NNG_ENOMEM ? ETNA_E_NOMEM : ETNA_E_USAGE, "cannot connect to \"%s\": %s", url,
                         nng_strerror(rv));
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
    if (call->answer) nng_msg_free(call->answer);
    free(call);
}

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
    if (n->calls) n->calls->before = call;
    n->calls = call;
}

static void call_unlink(net *n, net_call *call)
{
    *(call->before ? &call->before->after : &n->calls) = call->after;
    if (call->after) call->after->before = call->before;
}

static void give_up(net_call *call)
{
    pthread_mutex_lock(&call->net->mutex);
    call->given_up = true;
    nng_aio_abort(call->aio, NNG_ECANCELED);
    pthread_mutex_unlock(&call->net->mutex);
}

void net_drop(net *n, uint64_t request)
{
    net_call *call = table_get(&n->by_request, request);
    if (!call) return;
    table_remove(&n->by_request, request);
    call->request = 0;
    give_up(call);
}

etna_code net_send(net *n, uint64_t request, const uint8_t *data, size_t size, etna_error *err)
{
    net_drop(n, request);
    nng_msg *msg = NULL;
    net_call *call = NULL;
    int rv = nng_msg_alloc(&msg, 0);
    if (!rv) rv = nng_msg_append(msg, data, size);
    if (!rv) call = call_new(n, &rv);
    if (call && !table_put(&n->by_request, request, call)) {
        call_free(call);
        call = NULL;
        rv = NNG_ENOMEM;
    }
    if (!call) {
        if (msg) nng_msg_free(msg);
        return etna_fail(err, rv == NNG_ENOMEM ? ETNA_E_NOMEM : ETNA_E_NETWORK, "cannot send: %s", nng_strerror(rv));
    }
    call->request = request;
    call->receiving = false;
    call->given_up = false;
    call->answer = NULL;
    call_link(n, call);
    nng_aio_set_msg(call->aio, msg);
    HANDOVER_GIVE(call);
    nng_ctx_send(call->ctx, call->aio);
    return ETNA_OK;
}

static void end_call(net *n, net_call *call)
{
    call_unlink(n, call);
    nng_msg *answer = call->answer;
    uint64_t request = call->request; /* 0: given up */
    call->answer = NULL;
    if (request) table_remove(&n->by_request, request);
    if (answer && request && n->spare_count < SPARE_MAX) {
        call->next = n->spare;
        n->spare = call;
        n->spare_count++;
    } else {
        call_free(call);
    }
    if (request && answer) {
        n->handlers.received(n->handlers.context, request, nng_msg_body(answer), nng_msg_len(answer));
    } else if (request) {
        n->handlers.lost(n->handlers.context, request);
    }
    if (answer) nng_msg_free(answer);
}

void net_collect(net *n)
{
    pthread_mutex_lock(&n->mutex);
    net_call *call = n->finished;
    bool disconnected = n->disconnected;
    n->finished = NULL;
    n->finished_last = &n->finished;
    n->disconnected = false;
    pthread_mutex_unlock(&n->mutex);
    while (call) {
        net_call *next = call->next;
        end_call(n, call);
        call = next;
    }
    if (disconnected) n->handlers.disconnected(n->handlers.context); /* after the answers that still came through */
}

static void close_all(void *context)
{
    net *n = context;
    for (net_call *call = n->calls; call; call = call->after) give_up(call);
    for (net_call *call = n->calls; call; call = call->after) nng_aio_stop(call->aio); /* and its callback is through */
    pthread_mutex_lock(
        &n->mutex); /* what the callbacks wrote under it is ours from here on, also to a sanitizer's eye */
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

/* NNG 1.5 may wait for ever when it closes a socket (its issues 1543 and 1813): a close that is not back in time is
 * left to the end of the process, together with what it holds. */
void net_close(net *n)
{
    if (!n) return;
    pthread_mutex_lock(&n->mutex);
    n->closing = true; /* from here on nobody is woken */
    pthread_mutex_unlock(&n->mutex);
    if (etna_within(CLOSE_PATIENCE_MS, close_all, n)) free_net(n);
}
