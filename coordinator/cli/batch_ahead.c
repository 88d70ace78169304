/* See batch_ahead.h. */
#include "coordinator/cli/batch_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct batch_ahead {
    pthread_t thread;
    bool busy, threaded; /* the batch's */
    bundle_wanted wanted;
    atomic_int stop;
    pthread_mutex_t lock; /* of what stands below */
    pthread_cond_t changed;
    bool done;
    bundle scene;
    etna_error error;
};

batch_ahead *batch_ahead_new(void)
{
    batch_ahead *a = calloc(1, sizeof *a);
    pthread_condattr_t monotonic;
    if (!a)
        return NULL;
    pthread_mutex_init(&a->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&a->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return a;
}

void batch_ahead_free(batch_ahead *a)
{
    bundle scene = {NULL, 0};
    if (!a)
        return;
    a->stop = 1;
    if (a->busy)
        (void)batch_ahead_take(a, &scene, NULL);
    bundle_free(&scene);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

/* The child dies with the thread that began it, so this one waits for it. */
static void *batch_ahead_read(void *context)
{
    batch_ahead *a = context;
    bundle scene = {NULL, 0};
    etna_error err = {ETNA_OK, ""};
    err.code = bundle_read(&a->wanted, &a->stop, &scene, &err);
    pthread_mutex_lock(&a->lock);
    a->scene = scene;
    a->error = err;
    a->done = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

void batch_ahead_begin(batch_ahead *a, const bundle_wanted *wanted)
{
    a->wanted = *wanted;
    a->busy = true;
    a->done = false;
    a->threaded = !pthread_create(&a->thread, NULL, batch_ahead_read, a);
    if (!a->threaded)
        batch_ahead_read(a);
}

bool batch_ahead_is_busy(const batch_ahead *a)
{
    return a->busy;
}

bool batch_ahead_wait(batch_ahead *a, unsigned ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&a->lock);
    while (!a->done && !pthread_cond_timedwait(&a->changed, &a->lock, &until)) {
    }
    const bool done = a->done;
    pthread_mutex_unlock(&a->lock);
    return done;
}

etna_code batch_ahead_take(batch_ahead *a, bundle *ret, etna_error *err)
{
    if (a->threaded)
        pthread_join(a->thread, NULL);
    a->busy = a->threaded = false;
    *ret = a->scene;
    a->scene = (bundle){NULL, 0};
    if (a->error.code && err)
        *err = a->error;
    return a->error.code;
}
