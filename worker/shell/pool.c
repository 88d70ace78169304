/* See pool.h: one queue in, one list out, one mutex. */
#include "worker/shell/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, ended;
    pool_task *first, **last; /* queued */
    pool_task *done_first, **done_last;
    void (*wake)(void *context);
    void *context;
    bool stopping;
    uint32_t alive, threads;
    pthread_t ids[];
};

/* NULL: the thread ends. What is queued when the pool stops is not begun. */
static pool_task *next_task(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    while (!p->first && !p->stopping)
        pthread_cond_wait(&p->work, &p->mutex);
    pool_task *task = p->stopping ? NULL : p->first;
    if (task) {
        p->first = task->next;
        if (!p->first)
            p->last = &p->first;
    } else {
        p->alive--;
        pthread_cond_signal(&p->ended);
    }
    pthread_mutex_unlock(&p->mutex);
    return task;
}

/* The wake-up is called under the mutex: after `stopping` is set nobody is
 * woken, and what it wakes may be gone. */
static void *thread_main(void *context)
{
    pool *p = context;
    for (pool_task *task; (task = next_task(p));) {
        task->work(task);
        pthread_mutex_lock(&p->mutex);
        task->next = NULL;
        *p->done_last = task;
        p->done_last = &task->next;
        bool wake = !p->stopping; /* after that the loop may be gone */
        if (wake)
            p->wake(p->context);
        pthread_mutex_unlock(&p->mutex);
    }
    return NULL;
}

/* The mutex is held while threads start, so none sees a pool that is half made.
 * The condition waits by the monotonic clock: a wall clock that is set must not
 * change the patience. */
etna_code pool_new(uint32_t threads,
                   void (*wake)(void *context),
                   void *context,
                   pool **ret_pool,
                   etna_error *err)
{
    pool *p = calloc(1, sizeof *p + threads * sizeof *p->ids);
    if (!p)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a pool of %u threads",
                         (unsigned)threads);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    p->last = &p->first;
    p->done_last = &p->done_first;
    p->wake = wake;
    p->context = context;
    pthread_mutex_lock(&p->mutex);
    while (p->threads < threads &&
           !pthread_create(&p->ids[p->threads], NULL, thread_main, p))
        p->threads++;
    p->alive = p->threads;
    pthread_mutex_unlock(&p->mutex);
    if (p->threads < threads) {
        uint32_t made = p->threads;
        pool_free(p, UINT32_MAX);
        return etna_fail(
            err, ETNA_E_IO,
            "only %u of %u threads could be started; ask for fewer with --threads",
            (unsigned)made, (unsigned)threads);
    }
    *ret_pool = p;
    return ETNA_OK;
}

void pool_submit(pool *p, pool_task *task)
{
    pthread_mutex_lock(&p->mutex);
    task->next = NULL;
    *p->last = task;
    p->last = &task->next;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->mutex);
}

void pool_collect(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    pool_task *task = p->done_first;
    p->done_first = NULL;
    p->done_last = &p->done_first;
    pthread_mutex_unlock(&p->mutex);
    while (task) {
        pool_task *next = task->next; /* `done` may submit it again */
        task->done(task);
        task = next;
    }
}

static struct timespec deadline_in(uint32_t ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

bool pool_free(pool *p, uint32_t patience_ms)
{
    if (!p)
        return true;
    struct timespec until = deadline_in(patience_ms);
    pthread_mutex_lock(&p->mutex);
    p->stopping = true;
    pthread_cond_broadcast(&p->work);
    while (p->alive && !pthread_cond_timedwait(&p->ended, &p->mutex, &until)) {
    }
    bool all = p->alive == 0;
    pthread_mutex_unlock(&p->mutex);
    if (!all)
        return false;
    for (uint32_t i = 0; i < p->threads; i++)
        pthread_join(p->ids[i], NULL);
    pthread_cond_destroy(&p->ended);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->mutex);
    free(p);
    return true;
}
