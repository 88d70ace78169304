/* Small worlds in which one thing goes wrong, or nothing, and how long or how
 * often something may be then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sim_report *played(const sim_options *options)
{
    sim_report *report = test_malloc(sizeof *report);
    sim_run(options, report);
    if (report->broken)
        fail_msg("%s\n%s", report->text, report->lines);
    return report;
}

static uint64_t ended_ms(const sim_options *options)
{
    sim_report *report = played(options);
    uint64_t ms = report->ended_ms;
    test_free(report);
    return ms;
}

static sim_options some_workers(uint64_t seed, uint32_t workers)
{
    sim_options options = sim_options_default();
    options.seed = options.config.seed = seed;
    options.workers = workers;
    options.slots = 2;
    return options;
}

/* What it held is given to others 25 s after the last orders that it could have
 * heard, which are at most 10 s old. */
static void a_worker_that_falls_silent_costs_half_a_minute(void **state)
{
    (void)state;
    uint64_t most = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        sim_options options = some_workers(seed, 3);
        uint64_t calm = ended_ms(&options);
        options.planned[0] = (sim_mishap){MISHAP_CUT_WORKER, 2000 + 731 * seed,
                                          900000, (uint32_t)seed % 3};
        options.planned_count = 1;
        uint64_t cut = ended_ms(&options), more = cut > calm ? cut - calm : 0;
        if (more > most)
            most = more;
        if (more > 50000)
            fail_msg("seed %u: %u s more", (unsigned)seed,
                     (unsigned)(more / 1000));
    }
    assert_true(most > 10000); /* it does cost something */
}

/* The grant of a lease is lost, and its worker goes on asking for orders: it is
 * taken back, or the run would never end. */
static void a_lease_that_never_arrived_is_taken_back(void **state)
{
    (void)state;
    uint32_t lost = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        sim_options options = some_workers(seed, 3);
        options.loss_pct = 10;
        sim_report *report = played(&options);
        lost += report->lost_messages;
        test_free(report);
    }
    assert_true(lost > 100);
}

/* A worker stands still with the word to go in its socket; its coordinator is
 * started anew and gives the task to another. When the first one wakes it may
 * still go: the other must have waited (the world itself looks at that). */
static void a_stopped_worker_does_not_call_beside_another(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sim_options options = some_workers(seed, 3);
        uint64_t at = 1500 + 237 * seed;
        options.delay_ms = 400;
        options.config.max_steps = 3;
        for (uint32_t i = 0; i < 2; i++)
            options.planned[i] =
                (sim_mishap){MISHAP_STOP_WORKER, at, 4000 + 150 * seed, i};
        options.planned[2] =
            (sim_mishap){MISHAP_KILL_COORDINATOR, at + 150, 100, 0};
        options.planned_count = 3;
        test_free(played(&options));
    }
}

/* The connections of all fall and are there again: no lease is lost. */
static void when_all_connections_fall_no_lease_is_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 6);
        options.planned[0] =
            (sim_mishap){MISHAP_FALL, 3000 + 411 * seed, 6000, 0};
        options.planned_count = 1;
        sim_report *report = played(&options);
        if (report->leases_lost)
            fail_msg("seed %u: %u leases are lost\n%s", (unsigned)seed,
                     (unsigned)report->leases_lost, report->lines);
        assert_int_equal(report->calls, report->slots);
        test_free(report);
    }
}

/* An endpoint that is down is tried by one call in half a minute, once eight
 * have failed. */
static void a_model_that_is_down_is_asked_seldom(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 4);
        options.slots = 4;
        options.jobs_most = 8;
        options.runs = 3;
        options.down_ms = 6000;
        options.down_for_ms = 240000;
        sim_report *report = played(&options);
        if (report->calls_failed > 40)
            fail_msg("seed %u: %u tries failed", (unsigned)seed,
                     (unsigned)report->calls_failed);
        assert_true(report->calls_failed >= 8);
        assert_int_equal(report->tried_while_down, 1); /* by one of them all */
        test_free(report);
    }
}

/* What an endpoint takes at once and in a minute is kept for all workers
 * together (the world itself counts). */
static void the_limits_of_an_endpoint_are_held(void **state)
{
    (void)state;
    uint32_t calls = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sim_options options = some_workers(seed, 4);
        options.slots = 4;
        options.per_minute = seed % 2 ? 30 : 0;
        options.in_flight = seed % 2 ? 0 : 2;
        sim_report *report = played(&options);
        calls += report->calls;
        test_free(report);
    }
    assert_true(calls > 240);
}

/* Two runs beside each other on one worker: neither waits for the other's end,
 * whichever scene the worker holds warm. */
static void runs_take_turns(void **state)
{
    (void)state;
    for (uint32_t scenes = 1; scenes <= 4; scenes++) {
        sim_options options = some_workers(3 + scenes, 1);
        options.slots = 1;
        options.runs = 4;
        options.scenes = scenes;
        sim_report *report = played(&options);
        if (report->grants_apart > 45)
            fail_msg("%u scenes: %u grants apart", (unsigned)scenes,
                     (unsigned)report->grants_apart);
        test_free(report);
    }
}

/* Each of three workers keeps to the scenes that it holds. */
static void tasks_go_where_their_scene_is_warm(void **state)
{
    (void)state;
    uint32_t cold = 0, all = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sim_options options = some_workers(seed, 3);
        options.runs = 6;
        options.scenes = 6;
        sim_report *report = played(&options);
        cold += report->leases_cold;
        all += report->leases;
        test_free(report);
    }
    print_message("%u leases of %u were of a cold scene\n", (unsigned)cold,
                  (unsigned)all);
    assert_true(5 * cold < all);
}

/* Of a list's runs the oldest goes first. */
static void the_oldest_run_of_a_batch_ends_first(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sim_options options = some_workers(seed, 1);
        options.slots = 1;
        options.runs = 3;
        options.config.batch.bytes[0] = 1;
        sim_report *report = played(&options);
        for (uint32_t i = 1; i < 3; i++)
            assert_true(report->run_ended_ms[i] > report->run_ended_ms[i - 1]);
        test_free(report);
    }
}

/* Suspended: whoever worked on it is told at once, and calls nothing more. */
static void a_suspended_run_rests_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 3);
        options.model_ms = 20000;
        options.planned[0] =
            (sim_mishap){MISHAP_SUSPEND, 24000 + 517 * seed, 1000, 0};
        options.planned_count = 1;
        sim_report *report = played(&options);
        if (report->jobs_at_resume)
            fail_msg("seed %u: %u jobs of a suspended run", (unsigned)seed,
                     (unsigned)report->jobs_at_resume);
        test_free(report);
    }
}

/* A coordinator that was killed and is back in a second costs a few seconds, no
 * lease and no call. */
static void a_restarted_coordinator_costs_seconds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 3);
        uint64_t calm = ended_ms(&options);
        options.planned[0] =
            (sim_mishap){MISHAP_KILL_COORDINATOR, 3000 + 977 * seed, 1000, 0};
        options.planned_count = 1;
        uint64_t cut = ended_ms(&options);
        if (cut > calm + 40000)
            fail_msg("seed %u: %u s more", (unsigned)seed,
                     (unsigned)((cut - calm) / 1000));
    }
}

/* A worker that died unseen is back at once: what the one before held is given
 * out again, not half a minute later. */
static void a_worker_that_is_back_frees_what_it_held(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 2);
        uint64_t calm = ended_ms(&options), at = 3000 + 677 * seed;
        options.planned[0] = (sim_mishap){MISHAP_HALF_OPEN, at, 0, 0};
        options.planned[1] = (sim_mishap){MISHAP_KILL_WORKER, at + 1, 300, 0};
        options.planned_count = 2;
        /* and one fence, where it was calling */
        uint64_t cut = ended_ms(&options);
        if (cut > calm + 16000)
            fail_msg("seed %u: %u s more", (unsigned)seed,
                     (unsigned)((cut - calm) / 1000));
    }
}

/* A worker that was cut off for long ends its call after all, while another one
 * makes the same call anew: of both one counts, also where a model never says
 * the same twice (the world itself looks at that). */
static void of_two_calls_of_a_slot_one_counts(void **state)
{
    (void)state;
    uint32_t again = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        sim_options options = some_workers(seed, 2);
        options.fickle = true;
        options.runs = 2;
        options.model_ms = 60000;
        options.config.max_steps = 3;
        options.planned[0] =
            (sim_mishap){MISHAP_CUT_WORKER, 3000 + 811 * seed,
                         55000 + 1500 * seed, (uint32_t)seed % 2};
        options.planned_count = 1;
        sim_report *report = played(&options);
        again += report->leases_again;
        test_free(report);
    }
    print_message("%u tasks were given out again\n", (unsigned)again);
    assert_true(again > 6);
}

/* Lists as long as they may be: tasks of several runs that go to one worker at
 * once fit their messages. */
static void the_longest_lists_fit_their_messages(void **state)
{
    (void)state;
    static char text[1024]; /* all of them are as long as a list may be */
    static const char *steps[ARRANGE_STEPS_MAX];
    memset(text, 'x', sizeof text - 1);
    for (uint32_t i = 0; i < ARRANGE_STEPS_MAX; i++)
        steps[i] = text;
    sim_options options = some_workers(7, 1);
    options.slots = 8;
    options.runs = 8;
    options.config.goal = NULL;
    options.config.steps = steps;
    options.config.step_count = ARRANGE_STEPS_MAX;
    options.config.max_tokens = 1500;
    test_free(played(&options));
}

/* A worker dies of one task while others in its hands wait for a model
 * elsewhere: it is laid to none of those (the world itself looks at that). */
static void who_waits_for_a_model_is_not_blamed(void **state)
{
    (void)state;
    uint32_t deaths = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        sim_options options = some_workers(seed, 2);
        options.jobs_most = 8;
        options.runs = 3;
        options.model_ms = 4000;
        options.deadly_pct = 12;
        options.told = seed % 2;
        options.supervised = !options.told;
        sim_report *report = played(&options);
        deaths += report->deaths;
        test_free(report);
    }
    print_message("%u deaths\n", (unsigned)deaths);
    assert_true(deaths > 100);
}

/* Workers fall silent, lose what they hold, get some of it again, and die of
 * their work: each death is laid once, and to nothing that its worker had
 * stopped (the world itself looks at that). */
static void who_was_cut_off_dies_of_what_it_does(void **state)
{
    (void)state;
    uint32_t deaths = 0, lost = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        sim_options options = some_workers(seed, 2);
        options.runs = 3;
        options.deadly_pct = 12;
        options.model_ms = 9000;
        options.told = seed % 2;
        options.supervised = !options.told;
        for (uint32_t i = 0; i < 8; i++)
            options.planned[i] = (sim_mishap){
                i % 3 ? MISHAP_CUT_DOWN : MISHAP_CUT_WORKER,
                2000 + 731 * seed + 41000 * i, 26000 + 500 * (seed % 13),
                (uint32_t)(seed + i) % 2};
        options.planned_count = 8;
        sim_report *report = played(&options);
        deaths += report->deaths;
        lost += report->leases_lost;
        test_free(report);
    }
    print_message("%u deaths, %u leases lost\n", (unsigned)deaths,
                  (unsigned)lost);
    assert_true(deaths > 300 && lost > 100);
}

/* Evaluators whose tasks fell their workers said nothing that could not be
 * read (the world itself looks at what a run rests for). */
static void who_could_not_be_asked_is_not_doubted(void **state)
{
    (void)state;
    uint32_t deaths = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        sim_options options = some_workers(seed, 3);
        options.supervised = true;
        options.deadly_pct = 25;
        options.config.foreign = 1 << ROLE_EVALUATOR;
        sim_report *report = played(&options);
        deaths += report->deaths;
        test_free(report);
    }
    print_message("%u deaths\n", (unsigned)deaths);
    assert_true(deaths > 100);
}

/* Messages come twice and out of order, but all come: every request is answered
 * (the world itself looks whether one is repeated). */
static void where_nothing_is_lost_nobody_asks_twice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        sim_options options = some_workers(seed, 4);
        options.slots = 6;
        options.runs = 4;
        options.delay_ms = 900;
        options.repeat_pct = 70;
        sim_report *report = played(&options);
        /* nor is anything given to a request that nobody waits for */
        assert_int_equal(report->leases_lost, 0);
        assert_int_equal(report->leases_again, 0);
        test_free(report);
    }
}

/* Tries fail in every way and are told twice and out of order: what is booked
 * is the server's ledger all the same. */
static void a_failure_that_is_told_twice_is_booked_once(void **state)
{
    (void)state;
    uint32_t failed = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        sim_options options = some_workers(seed, 3);
        options.slots = 6;
        options.config.early_end = EARLY_END_OFF;
        options.delay_ms = 900;
        options.repeat_pct = 70;
        options.fail_pct = 40;
        sim_report *report = played(&options);
        bool is_whole = !report->calls_dropped && !report->outages;
        if (is_whole && report->spent.calls != report->billed.calls)
            fail_msg("seed %u: %u calls are booked of %u", (unsigned)seed,
                     (unsigned)report->spent.calls,
                     (unsigned)report->billed.calls);
        failed += is_whole ? report->calls_failed : 0;
        test_free(report);
    }
    print_message("%u tries failed\n", (unsigned)failed);
    assert_true(failed > 200);
}

/* Coordinators die while tries fail, and what was asked or told comes twice
 * and late: each call is booked once, and none that was never made, however
 * often it was booked as lost and taken back. Who is told to stop waits for no
 * bill, which may come; and a task that is given out again may have been told
 * to call by who died before that was heard. Where much is late, more is lost
 * than can be told from here. */
static void what_is_booked_over_restarts_is_what_was_billed(void **state)
{
    (void)state;
    uint32_t failed = 0;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        sim_options options = some_workers(seed, 3);
        bool is_punctual = seed % 2;
        options.slots = 6;
        options.config.early_end = EARLY_END_OFF;
        options.delay_ms = 900;
        options.repeat_pct = 70;
        options.late_pct = is_punctual ? 3 : 20;
        options.fail_pct = 50;
        for (uint32_t i = 0; i < 12; i++)
            options.planned[i] = (sim_mishap){MISHAP_KILL_COORDINATOR,
                                              1500 + 131 * seed + 2900 * i,
                                              200 + 300 * (i % 3), 0};
        options.planned_count = 12;
        sim_report *report = played(&options);
        uint64_t least = report->billed.calls,
                 most = least + report->calls_dropped + report->leases_again;
        bool is_above = is_punctual && report->spent.calls > most;
        if (report->spent.calls < least || is_above)
            fail_msg("seed %u: %u calls are booked of %u to %u", (unsigned)seed,
                     (unsigned)report->spent.calls, (unsigned)least,
                     (unsigned)most);
        failed += report->calls_failed;
        test_free(report);
    }
    print_message("%u tries failed\n", (unsigned)failed);
    assert_true(failed > 2000);
}

/* Workers that are told to leave are given nothing more, and finish what they
 * hold. */
static void who_leaves_is_given_nothing_more(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        sim_options options = some_workers(seed, 4);
        for (uint32_t i = 0; i < 4; i++)
            options.planned[i] = (sim_mishap){
                MISHAP_DRAIN_WORKER, 2500 + 433 * seed + 1700 * i, 5000, i};
        options.planned_count = 4;
        sim_report *report = played(&options);
        assert_int_equal(report->calls, report->slots);
        test_free(report);
    }
}

/* While it stood still nobody could be heard: nothing is held against anyone
 * for that time. */
static void a_coordinator_that_stood_still_takes_nothing_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        sim_options options = some_workers(seed, 6);
        /* so that some of them have no request waiting there as it begins */
        options.delay_ms = 1500;
        options.planned[0] =
            (sim_mishap){MISHAP_STALL, 3000 + 811 * seed, 40000, 0};
        options.planned_count = 1;
        sim_report *report = played(&options);
        if (report->leases_lost)
            fail_msg("seed %u: %u leases are lost", (unsigned)seed,
                     (unsigned)report->leases_lost);
        test_free(report);
    }
}

/* A connection that is only half there is dialled anew. */
static void a_half_open_connection_is_dialled_anew(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sim_options options = some_workers(seed, 1);
        uint64_t calm = ended_ms(&options);
        options.planned[0] =
            (sim_mishap){MISHAP_HALF_OPEN, 3000 + 677 * seed, 0, 0};
        options.planned_count = 1;
        uint64_t cut = ended_ms(&options);
        if (cut > calm + 90000)
            fail_msg("seed %u: %u s more", (unsigned)seed,
                     (unsigned)((cut - calm) / 1000));
    }
}

/* Where supervisors tell of deaths only as they start the next worker, later
 * each time, a task fells hardly more workers than where deaths are seen at
 * once: three, and one that took it before the others' deaths were heard of. */
static void a_deadly_task_is_refused_also_where_deaths_are_told_late(
    void **state)
{
    (void)state;
    uint32_t deaths = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        sim_options options = some_workers(seed, 1 + (uint32_t)seed % 3);
        options.told = true;
        options.deadly_pct = 30;
        options.runs = 3;
        sim_report *report = played(&options);
        uint32_t refused = 0;
        for (const char *at = report->lines;
             (at = strstr(at, " is refused after ")); at++)
            refused++;
        if (report->deaths > 4 * refused)
            fail_msg("seed %u: %u deaths for %u tasks\n%s", (unsigned)seed,
                     (unsigned)report->deaths, (unsigned)refused,
                     report->lines);
        deaths += report->deaths;
        test_free(report);
    }
    assert_true(deaths > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_that_falls_silent_costs_half_a_minute),
        cmocka_unit_test(a_lease_that_never_arrived_is_taken_back),
        cmocka_unit_test(a_stopped_worker_does_not_call_beside_another),
        cmocka_unit_test(when_all_connections_fall_no_lease_is_lost),
        cmocka_unit_test(a_model_that_is_down_is_asked_seldom),
        cmocka_unit_test(the_limits_of_an_endpoint_are_held),
        cmocka_unit_test(runs_take_turns),
        cmocka_unit_test(tasks_go_where_their_scene_is_warm),
        cmocka_unit_test(the_oldest_run_of_a_batch_ends_first),
        cmocka_unit_test(a_suspended_run_rests_at_once),
        cmocka_unit_test(a_restarted_coordinator_costs_seconds),
        cmocka_unit_test(a_half_open_connection_is_dialled_anew),
        cmocka_unit_test(a_coordinator_that_stood_still_takes_nothing_back),
        cmocka_unit_test(a_worker_that_is_back_frees_what_it_held),
        cmocka_unit_test(who_leaves_is_given_nothing_more),
        cmocka_unit_test(of_two_calls_of_a_slot_one_counts),
        cmocka_unit_test(who_waits_for_a_model_is_not_blamed),
        cmocka_unit_test(who_was_cut_off_dies_of_what_it_does),
        cmocka_unit_test(who_could_not_be_asked_is_not_doubted),
        cmocka_unit_test(where_nothing_is_lost_nobody_asks_twice),
        cmocka_unit_test(a_failure_that_is_told_twice_is_booked_once),
        cmocka_unit_test(what_is_booked_over_restarts_is_what_was_billed),
        cmocka_unit_test(the_longest_lists_fit_their_messages),
        cmocka_unit_test(
            a_deadly_task_is_refused_also_where_deaths_are_told_late),
    };
    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
