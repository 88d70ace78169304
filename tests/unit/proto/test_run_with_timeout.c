/* Work that never returns holds nobody up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/run_with_timeout.h"

#include <semaphore.h>

typedef struct work {
    sem_t go, left;
    int done;
} work;

static void add(void *context)
{
    ((work *)context)->done++;
}

static void wait_first(void *context)
{
    work *w = context;
    sem_wait(&w->go);
    w->done++;
    sem_post(&w->left);
}

static void what_ends_is_over_when_it_comes_back(void **state)
{
    (void)state;
    work w = {.done = 0};
    for (int i = 0; i < 100; i++)
        assert_true(run_with_timeout(60000, add, &w));
    assert_int_equal(w.done, 100);
}

static void what_does_not_end_is_left_behind_and_may_end_later(void **state)
{
    (void)state;
    static work w; /* its thread may still be on its way out of sem_post */
    sem_init(&w.go, 0, 0);
    sem_init(&w.left, 0, 0);
    assert_false(run_with_timeout(1, wait_first, &w));
    /* its note is freed by its own thread: a leak checker would say so */
    sem_post(&w.go);
    sem_wait(&w.left);
    assert_int_equal(w.done, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ends_is_over_when_it_comes_back),
        cmocka_unit_test(what_does_not_end_is_left_behind_and_may_end_later),
    };
    return cmocka_run_group_tests_name("within", tests, NULL, NULL);
}
