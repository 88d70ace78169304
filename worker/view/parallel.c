/* Pieces of work on a few threads (see parallel.h). Threads live for one call:
 * a picture is hundreds of milliseconds, a thread microseconds, and nothing is
 * left behind that a fork or a limit could meet. */
#include "worker/view/parallel.h"

#include "proto/cpu_time.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct shared {
    atomic_uint next;
    atomic_ullong cpu_us; /* of the threads that were made */
    uint32_t count;
    parallel_piece work;
    void *context;
} shared;

/* Relaxed is enough: the counter only hands out numbers, and what pieces write
 * is published by pthread_join. */
static void parallel_take(shared *s)
{
    for (;;) {
        uint32_t piece =
            atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
        if (piece >= s->count)
            return;
        s->work(s->context, piece);
    }
}

static void *parallel_main(void *argument)
{
    shared *s = argument;
    parallel_take(s);
    atomic_fetch_add_explicit(&s->cpu_us, cpu_time_us(), memory_order_relaxed);
    return NULL;
}

/* The caller's own thread works too, so nothing fails when no other can be
 * had. */
void parallel_do(uint32_t threads,
                 uint32_t count,
                 parallel_piece work,
                 void *context)
{
    pthread_t made[PARALLEL_THREADS_MAX];
    uint32_t others = 0;
    shared s = {.count = count, .work = work, .context = context};
    threads = threads < count ? threads : count;
    threads = threads < PARALLEL_THREADS_MAX ? threads : PARALLEL_THREADS_MAX;
    while (others + 1 < threads &&
           pthread_create(&made[others], NULL, parallel_main, &s) == 0)
        others++;
    parallel_take(&s);
    for (uint32_t i = 0; i < others; i++)
        pthread_join(made[i], NULL);
    cpu_time_give(atomic_load(&s.cpu_us));
}
