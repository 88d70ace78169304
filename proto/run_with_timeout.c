/* See run_with_timeout.h. The note between the two threads belongs to whichever
 * of them leaves last. */
#include "proto/run_with_timeout.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct note {
    void (*body)(void *context);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool done, left; /* left: nobody waits any more */
} note;

static void note_free(note *n)
{
    pthread_cond_destroy(&n->over);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

static void *timed_run(void *argument)
{
    note *n = argument;
    n->body(n->context);
    pthread_mutex_lock(&n->lock);
    n->done = true;
    bool left = n->left;
    pthread_cond_signal(&n->over);
    pthread_mutex_unlock(&n->lock);
    if (left)
        note_free(n);
    return NULL;
}

static note *note_new(void (*body)(void *context), void *context)
{
    note *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->body = body;
    n->context = context;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&n->over, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

bool run_with_timeout(uint32_t ms, void (*body)(void *context), void *context)
{
    note *n = note_new(body, context);
    if (!n)
        return false;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, timed_run, n)) {
        note_free(n);
        return false;
    }
    pthread_mutex_lock(&n->lock);
    while (!n->done &&
           pthread_cond_timedwait(&n->over, &n->lock, &until) != ETIMEDOUT) {
    }
    bool done = n->done;
    n->left = !done;
    pthread_mutex_unlock(&n->lock);
    if (!done) {
        pthread_detach(thread);
        return false;
    }
    pthread_join(thread, NULL);
    note_free(n);
    return true;
}
