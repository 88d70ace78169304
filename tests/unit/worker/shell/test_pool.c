/* The pool: every task once, in order of begin, given back on the caller's
 * thread; and its ends. */
#include "worker/shell/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>

#include <cmocka.h>

enum {
    TASKS = 2000
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool woken, held;
static atomic_uint worked;
static unsigned done_count;

static void wake(void *context)
{
    (void)context;
    pthread_mutex_lock(&mutex);
    woken = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void wait_woken(void)
{
    pthread_mutex_lock(&mutex);
    while (!woken)
        pthread_cond_wait(&changed, &mutex);
    woken = false;
    pthread_mutex_unlock(&mutex);
}

static void count_work(pool_task *task)
{
    (void)task;
    atomic_fetch_add(&worked, 1);
}

static void count_done(pool_task *task)
{
    (void)task;
    done_count++;
}

static void every_task_is_worked_once_and_given_back(void **state)
{
    (void)state;
    static pool_task tasks[TASKS];
    pool *p;
    atomic_store(&worked, 0);
    done_count = 0;
    assert_int_equal(pool_new(4, wake, NULL, &p, NULL), ETNA_OK);
    for (int i = 0; i < TASKS; i++) {
        tasks[i] = (pool_task){.work = count_work, .done = count_done};
        pool_submit(p, &tasks[i]);
    }
    while (done_count < TASKS) {
        wait_woken();
        pool_collect(p);
    }
    assert_int_equal(atomic_load(&worked), TASKS);
    assert_true(pool_free(p, 10000));
}

static void hold_work(pool_task *task)
{
    (void)task;
    pthread_mutex_lock(&mutex);
    held = true;
    pthread_cond_broadcast(&changed);
    while (held)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void what_is_queued_at_the_end_is_not_begun(void **state)
{
    (void)state;
    pool *p;
    static pool_task slow, never;
    atomic_store(&worked, 0);
    assert_int_equal(pool_new(1, wake, NULL, &p, NULL), ETNA_OK);
    slow = (pool_task){.work = hold_work, .done = count_done};
    never = (pool_task){.work = count_work, .done = count_done};
    pool_submit(p, &slow);
    pool_submit(p, &never);
    pthread_mutex_lock(&mutex);
    while (!held)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    /* it computes: says so and keeps its memory */
    assert_false(pool_free(p, 50));
    pthread_mutex_lock(&mutex);
    held = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    assert_true(pool_free(p, 10000)); /* asked again when it is done */
    assert_int_equal(atomic_load(&worked), 0);
}

static void an_idle_pool_ends_at_once(void **state)
{
    (void)state;
    pool *p;
    assert_int_equal(pool_new(3, wake, NULL, &p, NULL), ETNA_OK);
    assert_true(pool_free(p, 10000));
    assert_true(pool_free(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_worked_once_and_given_back),
        cmocka_unit_test(what_is_queued_at_the_end_is_not_begun),
        cmocka_unit_test(an_idle_pool_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
