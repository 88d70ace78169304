/* What a flood of others costs the workers, by a clock of the test's own: a loop
 * that serves workers' messages, and in between others as share.h lets it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/share.h"

#define US UINT64_C(1000)
#define MS (1000 * US)
#define SECOND (1000 * MS)

typedef struct loop {
    share share;
    uint64_t now, idle, others;
} loop;

/* Requests without an end, each of which takes so long. */
static void serve_flood(loop *l, uint64_t each)
{
    uint64_t may = share_may_take(&l->share, l->now, l->idle), begun = l->now;
    while (l->now - begun < may)
        l->now += each;
    share_take(&l->share, l->now, l->now - begun);
    l->others += l->now - begun;
}

/* The part of ten seconds, in percent, that a flood gets where workers' messages
 * take `busy` of a turn of the loop, which then waits for `idle`. */
static uint64_t percent_of(uint64_t each, uint64_t busy, uint64_t idle)
{
    loop l = {.now = SECOND};
    uint64_t end = l.now + 10 * SECOND;
    serve_flood(&l, each);
    l.others = 0;
    while (l.now < end) {
        if (busy)
            share_note_worker(&l.share, l.now);
        l.now += busy + idle;
        l.idle += idle;
        serve_flood(&l, each);
    }
    return l.others / (SECOND / 10);
}

static void a_flood_costs_busy_workers_a_twentieth(void **state)
{
    (void)state;
    assert_in_range(percent_of(50 * US, 300 * US, 0), 3, 5);
    assert_in_range(percent_of(50 * US, 5 * MS, 0), 3, 5);
    /* of reports, each of which takes longer than all that is given at once */
    assert_in_range(percent_of(20 * MS, 300 * US, 0), 3, 5);
    /* of such that nothing of the workers is heard while one is served */
    assert_in_range(percent_of(90 * MS, 300 * US, 0), 3, 5);
}

static void others_get_what_the_workers_leave(void **state)
{
    (void)state;
    assert_in_range(percent_of(50 * US, 200 * US, 800 * US), 40, 60);
    assert_in_range(percent_of(50 * US, 0, 0), 99, 100);
}

/* What once took long keeps nobody out for long. */
static void a_debt_has_an_end(void **state)
{
    (void)state;
    loop l = {.now = SECOND};
    share_note_worker(&l.share, l.now);
    serve_flood(&l, 1);
    l.now += 100 * SECOND;
    share_take(&l.share, l.now, 100 * SECOND);
    uint64_t begun = l.now;
    while (!share_may_take(&l.share, l.now, l.idle)) {
        share_note_worker(&l.share, l.now);
        l.now += MS;
    }
    assert_in_range(l.now - begun, SECOND, 3 * SECOND);
}

static void where_the_workers_have_gone_others_get_all(void **state)
{
    (void)state;
    loop l = {.now = SECOND};
    share_note_worker(&l.share, l.now);
    for (uint64_t end = l.now + 10 * SECOND; l.now < end; l.now += MS)
        serve_flood(&l, 90 * MS);
    assert_in_range(l.others / MS, 9000, 11000);
}

static void unused_time_is_not_saved_up(void **state)
{
    (void)state;
    loop l = {.now = 100 * SECOND, .idle = 90 * SECOND};
    share_note_worker(&l.share, l.now);
    assert_in_range(share_may_take(&l.share, l.now, l.idle), 1, 5 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_costs_busy_workers_a_twentieth),
        cmocka_unit_test(others_get_what_the_workers_leave),
        cmocka_unit_test(a_debt_has_an_end),
        cmocka_unit_test(where_the_workers_have_gone_others_get_all),
        cmocka_unit_test(unused_time_is_not_saved_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
