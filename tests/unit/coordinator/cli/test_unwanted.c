/* What `store rm` chooses by age and number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/cli/unwanted.h"
#include "proto/message.h"

enum {
    HOUR_MS = 3600000,
    NOW_MS = 100 * HOUR_MS
};

static store_run run_of(uint8_t number,
                        run_state state,
                        uint64_t began_hours_ago,
                        uint64_t ended_hours_ago)
{
    store_run run = {.state = state};
    run.id.bytes[0] = number;
    run.started_ms = NOW_MS - began_hours_ago * HOUR_MS;
    if (state >= RUN_COMPLETE)
        run.ended_ms = NOW_MS - ended_hours_ago * HOUR_MS;
    return run;
}

static void a_long_run_is_as_old_as_its_end(void **state)
{
    (void)state;
    store_run runs[] = {run_of(1, RUN_COMPLETE, 90, 0),
                        run_of(2, RUN_FAILED, 80, 70)};
    const unwanted_rule rule = {.now_ms = NOW_MS, .older_ms = 24 * HOUR_MS};
    etna_id chosen[2];
    assert_int_equal(unwanted_choose(runs, 2, &rule, chosen), 1);
    assert_int_equal(chosen[0].bytes[0], 2);
}

static void those_that_ended_last_are_kept(void **state)
{
    (void)state;
    store_run runs[] = {run_of(1, RUN_COMPLETE, 10, 9),
                        run_of(2, RUN_PARTIAL, 50, 1),
                        run_of(3, RUN_CANCELLED, 20, 5)};
    const unwanted_rule rule = {.now_ms = NOW_MS, .keep = 1};
    etna_id chosen[3];
    assert_int_equal(unwanted_choose(runs, 3, &rule, chosen), 2);
    assert_int_equal(chosen[0].bytes[0], 3);
    assert_int_equal(chosen[1].bytes[0], 1);
}

/* Also where the clock was set back since, or tells seconds alone. */
static void without_an_age_what_has_just_ended_goes_too(void **state)
{
    (void)state;
    store_run runs[] = {run_of(1, RUN_COMPLETE, 10, 0),
                        run_of(2, RUN_COMPLETE, 10, 1)};
    runs[0].ended_ms += 999;
    const unwanted_rule rule = {.now_ms = NOW_MS};
    etna_id chosen[2];
    assert_int_equal(unwanted_choose(runs, 2, &rule, chosen), 2);
}

/* Those that go on or rest are no part of the number that stays, either. */
static void what_has_not_ended_stays(void **state)
{
    (void)state;
    store_run runs[] = {
        run_of(1, RUN_RUNNING, 90, 0), run_of(2, RUN_COMPLETE, 80, 3),
        run_of(3, RUN_SUSPENDED, 70, 0), run_of(4, RUN_COMPLETE, 60, 2)};
    const unwanted_rule rule = {.now_ms = NOW_MS, .keep = 1};
    etna_id chosen[4];
    assert_int_equal(unwanted_choose(runs, 4, &rule, chosen), 1);
    assert_int_equal(chosen[0].bytes[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_is_as_old_as_its_end),
        cmocka_unit_test(those_that_ended_last_are_kept),
        cmocka_unit_test(without_an_age_what_has_just_ended_goes_too),
        cmocka_unit_test(what_has_not_ended_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
