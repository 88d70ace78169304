/* See carrier.h. */
#include "coordinator/shell/carrier.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef enum carrier_state {
    CARRIER_IDLE,
    CARRIER_CARRIES,
    CARRIER_DONE,
    CARRIER_ENDS
} carrier_state;

/* Members above `lock` are the loop's; those below it are guarded by it. */
struct carrier {
    uv_async_t wake;
    void (*arrived)(void *context);
    void *context;
    pthread_t thread;
    bool given; /* and not taken */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    carrier_state state;
    store_group *group;
    etna_error error;
    uint64_t took_ns;
};

/* Without the lock, for as long as the disk takes. */
static void carrier_carry(carrier *c)
{
    store_group *group = c->group;
    etna_error err = {ETNA_OK, ""};
    pthread_mutex_unlock(&c->lock);
    const uint64_t begun_ns = uv_hrtime();
    err.code = store_group_carry(group, &err);
    const uint64_t took_ns = uv_hrtime() - begun_ns;
    pthread_mutex_lock(&c->lock);
    c->error = err;
    c->took_ns = took_ns;
    c->state = CARRIER_DONE;
    pthread_cond_broadcast(&c->changed);
    uv_async_send(&c->wake);
}

static void *carrier_run(void *context)
{
    carrier *c = context;
    pthread_mutex_lock(&c->lock);
    while (c->state != CARRIER_ENDS) {
        if (c->state == CARRIER_CARRIES) {
            carrier_carry(c);
        } else {
            pthread_cond_wait(&c->changed, &c->lock);
        }
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void carrier_woken(uv_async_t *handle)
{
    const carrier *c = handle->data;
    c->arrived(c->context);
}

static void carrier_freed(uv_handle_t *handle)
{
    carrier *c = handle->data;
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* Signals are the loop's. */
static bool carrier_begin(carrier *c)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int rc = pthread_create(&c->thread, NULL, carrier_run, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}

etna_code carrier_new(uv_loop_t *loop,
                      void (*arrived)(void *context),
                      void *context,
                      carrier **ret_carrier,
                      etna_error *err)
{
    carrier *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory starting the coordinator");
    c->arrived = arrived;
    c->context = context;
    c->wake.data = c;
    if (uv_async_init(loop, &c->wake, carrier_woken)) {
        free(c);
        return etna_fail(err, ETNA_E_IO,
                         "the event loop takes no more handles");
    }
    uv_unref((uv_handle_t *)&c->wake);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    if (!carrier_begin(c)) {
        uv_close((uv_handle_t *)&c->wake, carrier_freed);
        return etna_fail(err, ETNA_E_IO, "no thread can be started");
    }
    *ret_carrier = c;
    return ETNA_OK;
}

void carrier_close(carrier *c)
{
    etna_error err;
    uint64_t took_ns;
    if (!c)
        return;
    if (c->given)
        carrier_take(c, &err, &took_ns);
    pthread_mutex_lock(&c->lock);
    c->state = CARRIER_ENDS;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    uv_close((uv_handle_t *)&c->wake, carrier_freed);
}

void carrier_give(carrier *c, store_group *group)
{
    pthread_mutex_lock(&c->lock);
    c->group = group;
    c->state = CARRIER_CARRIES;
    c->given = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

bool carrier_is_busy(const carrier *c)
{
    return c->given;
}

bool carrier_is_done(carrier *c)
{
    pthread_mutex_lock(&c->lock);
    const bool done = c->state == CARRIER_DONE;
    pthread_mutex_unlock(&c->lock);
    return done;
}

void carrier_take(carrier *c, etna_error *ret_err, uint64_t *ret_ns)
{
    pthread_mutex_lock(&c->lock);
    while (c->state == CARRIER_CARRIES)
        pthread_cond_wait(&c->changed, &c->lock);
    *ret_err = c->error;
    *ret_ns = c->took_ns;
    c->state = CARRIER_IDLE;
    c->group = NULL;
    c->given = false;
    pthread_mutex_unlock(&c->lock);
}
