/* A worker beside others who ask without an end for what takes long: its
 * requests do not wait behind theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/inbox.h"
#include "coordinator/shell/realm.h"
#include "proto/greeting.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OTHERS = 24,
    EXCHANGES = 150,
    LONG_MS = 4,
    EPOCH = 1
};

typedef struct turns {
    char url[64];
    realm realm;
    gate *gate;
    inbox *in;
    uv_loop_t loop;
    uv_async_t end;
    atomic_bool over;
    atomic_uint inside; /* of the others, whose first was answered */
    atomic_uint longs;  /* long requests that were served */
    unsigned longs_before_let_in, longs_beside, trips;
} turns;

/* ---- the coordinator's end ---- */

static void on_request(void *context,
                       uint64_t request,
                       uint64_t pipe,
                       uint64_t pid,
                       const uint8_t *data,
                       size_t size)
{
    turns *t = context;
    uint8_t *copy = malloc(size);
    (void)pipe, (void)pid;
    assert_non_null(copy);
    memcpy(copy, data, size);
    if (inbox_role(t->in, request) != SEAL_WORKER) {
        const uint64_t until = uv_hrtime() + LONG_MS * UINT64_C(1000000);
        while (uv_hrtime() < until) {
        }
        t->longs++;
    }
    inbox_answer(t->in, request, copy, size);
}

static void on_pipe_gone(void *context, uint64_t pipe)
{
    (void)context, (void)pipe;
}

static void on_end(uv_async_t *handle)
{
    uv_stop(handle->loop);
}

/* ---- the others' ---- */

static nng_msg *exchange(nng_socket socket, const void *data, size_t size)
{
    nng_msg *msg;
    if (nng_msg_alloc(&msg, 0) || nng_msg_append(msg, data, size) ||
        nng_sendmsg(socket, msg, 0))
        abort();
    return nng_recvmsg(socket, &msg, 0) ? NULL : msg;
}

static nng_socket enter(const turns *t, seal_role role, seal_session *ret)
{
    const message frame = {.sender = 9, .incarnation = 1, .sequence = 1};
    nng_socket socket;
    join j;
    greeting g;
    uint8_t *hello;
    size_t size;
    uint64_t epoch;
    realm_join(&t->realm, t->url, &j);
    if (nng_req0_open(&socket) || nng_dial(socket, t->url, NULL, 0) ||
        greeting_begin(&j, role, &frame, &g, &hello, &size, NULL))
        abort();
    nng_msg *answer = exchange(socket, hello, size);
    if (!answer || greeting_end(&j, &g, 0, nng_msg_body(answer),
                                nng_msg_len(answer), ret, &epoch, NULL))
        abort();
    nng_msg_free(answer);
    free(hello);
    return socket;
}

/* False: no answer came. */
static bool ask(nng_socket socket, const seal_session *session)
{
    uint8_t bytes[64 + SEAL_SIZE] = {8, 1};
    seal_make(&session->asks, bytes, 64, bytes + 64);
    nng_msg *answer = exchange(socket, bytes, sizeof bytes);
    if (answer)
        nng_msg_free(answer);
    return answer != NULL;
}

static void *ask_without_end(void *context)
{
    turns *t = context;
    seal_session session;
    nng_socket socket = enter(t, SEAL_VIEWER, &session);
    nng_socket_set_ms(socket, NNG_OPT_RECVTIMEO, 1000);
    while (
        !ask(socket, &session)) { /* a busy machine may need more than that */
    }
    t->inside++;
    while (!t->over)
        ask(socket, &session);
    nng_close(socket);
    return NULL;
}

static void *work_beside_them(void *context)
{
    turns *t = context;
    seal_session session, session_of_second;
    nng_socket socket = enter(t, SEAL_WORKER, &session);
    while (t->inside < OTHERS)
        usleep(1000);
    unsigned before = t->longs;
    nng_socket second = enter(t, SEAL_WORKER, &session_of_second);
    ask(second, &session_of_second);
    t->longs_before_let_in = t->longs - before;
    before = t->longs;
    for (int i = 0; i < EXCHANGES; i++)
        t->trips += ask(socket, &session);
    t->longs_beside = t->longs - before;
    t->over = true;
    nng_close(second);
    nng_close(socket);
    return NULL;
}

/* ---- together ---- */

static void turns_open(turns *t)
{
    t->gate = gate_new(&t->realm, EPOCH);
    assert_non_null(t->gate);
    inbox_handlers handlers = {.context = t,
                               .request = on_request,
                               .pipe_gone = on_pipe_gone,
                               .gate = t->gate};
    for (int tries = 0; !t->in; tries++) {
        assert_true(tries < 20);
        snprintf(t->url, sizeof t->url, "tcp://127.0.0.1:%u",
                 32000u + (unsigned)(uv_hrtime() / 1000 % 20000));
        inbox_open(&t->loop, t->url, &handlers, &t->in, NULL);
    }
}

static void *run_loop(void *context)
{
    uv_run(&((turns *)context)->loop, UV_RUN_DEFAULT);
    return NULL;
}

static void a_worker_does_not_wait_behind_a_flood_of_others(void **state)
{
    (void)state;
    static turns t = {.realm = {.name = "r", .generation = 1}};
    pthread_t threads[OTHERS + 2];
    assert_int_equal(uv_loop_init(&t.loop), 0);
    uv_async_init(&t.loop, &t.end, on_end);
    turns_open(&t);
    pthread_create(&threads[0], NULL, run_loop, &t);
    pthread_create(&threads[1], NULL, work_beside_them, &t);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&threads[2 + i], NULL, ask_without_end, &t);
    for (int i = 1; i < OTHERS + 2; i++)
        pthread_join(threads[i], NULL);
    uv_async_send(&t.end);
    pthread_join(threads[0], NULL);
    print_message("%u of others before a worker was in, %u while it had %u\n",
                  t.longs_before_let_in, t.longs_beside, t.trips);
    /* its greeting and its first request wait for no more than a turn each,
     * not for one of all others; a loaded machine adds some */
    assert_in_range(t.longs_before_let_in, 0, OTHERS);
    assert_int_equal(t.trips, EXCHANGES);
    /* one after the other, all would be served before each of its own */
    assert_in_range(t.longs_beside, 1, EXCHANGES);
    inbox_close(t.in);
    uv_close((uv_handle_t *)&t.end, NULL);
    uv_run(&t.loop, UV_RUN_DEFAULT);
    uv_loop_close(&t.loop);
    gate_free(t.gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_does_not_wait_behind_a_flood_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
