/* A worker that is not known where it connects comes again, but not at once. */
#include "proto/clock.h"
#include "proto/join.h"
#include "tests/support/folder.h"
#include "worker/shell/net.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
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
    LOOK_MS = 3000,
    PIECE_MS = 50,
    /* the second comes at once, as a new join file may lie there by then; of
     * those after it the first waits for up to a second, the next for up to
     * two */
    ENOUGH = 12
};

typedef struct fixture {
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16], connect[FOLDER_SIZE + 16];
    nng_socket coordinator; /* it knows nobody */
    pthread_mutex_t lock;
    pthread_cond_t woken;
    bool is_woken;
    unsigned refused;
} fixture;

static void fixture_open(fixture *f)
{
    nng_listener listener;
    join j = {
        .realm = "aabb", .generation = 1, .given = {[SEAL_WORKER] = true}};
    int port;
    memset(f, 0, sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->woken, NULL);
    folder_make(f->folder);
    assert_int_equal(nng_rep0_open(&f->coordinator), 0);
    assert_int_equal(
        nng_listen(f->coordinator, "tcp://127.0.0.1:0", &listener, 0), 0);
    assert_int_equal(
        nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port), 0);
    snprintf(j.endpoint, sizeof j.endpoint, "tcp://127.0.0.1:%d", port);
    snprintf(f->path, sizeof f->path, "%s/join", f->folder);
    snprintf(f->connect, sizeof f->connect, "@%s", f->path);
    assert_int_equal(join_write(f->path, &j, NULL), ETNA_OK);
}

static void fixture_close(fixture *f)
{
    nng_close(f->coordinator);
    folder_remove(f->folder);
    pthread_cond_destroy(&f->woken);
    pthread_mutex_destroy(&f->lock);
}

/* Answers each greeting with bytes that are no welcome, until the socket is
 * closed. */
static void *coordinate(void *context)
{
    fixture *f = context;
    nng_msg *msg;
    while (nng_recvmsg(f->coordinator, &msg, 0) == 0) {
        nng_msg_clear(msg);
        if (nng_sendmsg(f->coordinator, msg, 0))
            nng_msg_free(msg);
    }
    return NULL;
}

static void wake(void *context)
{
    fixture *f = context;
    pthread_mutex_lock(&f->lock);
    f->is_woken = true;
    pthread_cond_signal(&f->woken);
    pthread_mutex_unlock(&f->lock);
}

static void received(void *context,
                     uint64_t request,
                     const uint8_t *data,
                     size_t size)
{
    (void)context, (void)request, (void)data, (void)size;
    fail();
}

static void lost(void *context, uint64_t request)
{
    (void)context, (void)request;
    fail();
}

static void disconnected(void *context)
{
    (void)context;
}

static void unknown(void *context, const char *why)
{
    (void)why;
    ((fixture *)context)->refused++;
}

static void await_wake(fixture *f)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PIECE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&f->lock);
    if (!f->is_woken)
        pthread_cond_timedwait(&f->woken, &f->lock, &until);
    f->is_woken = false;
    pthread_mutex_unlock(&f->lock);
}

static void who_is_not_known_comes_again_ever_later(void **state)
{
    (void)state;
    fixture f;
    pthread_t thread;
    net *n;
    fixture_open(&f);
    pthread_create(&thread, NULL, coordinate, &f);
    const net_handlers handlers = {&f,   wake,         received,
                                   lost, disconnected, unknown};
    assert_int_equal(net_open(f.connect, NULL, &handlers, &n, NULL), ETNA_OK);
    for (uint64_t begun = clock_now_ms();
         f.refused < 2 || clock_now_ms() - begun < LOOK_MS;) {
        await_wake(&f);
        net_collect(n);
    }
    assert_in_range(f.refused, 2, ENOUGH);
    net_close(n);
    fixture_close(&f);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_not_known_comes_again_ever_later)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
