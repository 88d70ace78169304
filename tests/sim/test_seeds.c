/* Worlds of few kinds of faults, each from a seed (all kinds: test_worlds.c):
 * whatever is killed, lost, repeated or late, an `ordered` run comes to the end
 * that it has with one worker and no mishap. A seed that failed once stands in
 * seeds.txt and is played first. One alone:
 *
 *     ETNA_SIM_SEED=123 build/dev/tests/sim.seeds          (ETNA_SIM_TRACE=1 prints every event)
 *     ETNA_SIM_SEEDS=20000 build/dev/tests/sim.seeds       plays so many instead */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/sim.h"
#include "tests/sim/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 60,
    ROUNDS = 24,
    RUNS_MAX = 3
};

typedef struct totals {
    uint32_t worlds, kills, restarts, backtracks, complete, partial, failed;
    uint64_t messages, lost_messages, calls;
} totals;

static totals sum;

static sim_options calm(uint64_t seed)
{
    sim_options options = sim_options_default();
    options.seed = seed;
    options.config = world_config(seed);
    options.runs = seed % 5 == 0 ? 1 + (uint32_t)(seed / 5 % RUNS_MAX) : 1;
    return options;
}

static sim_options rough(uint64_t seed, uint32_t workers)
{
    sim_options options = calm(seed);
    etna_random random = etna_random_from(seed * 8 + workers);
    options.seed = etna_random_next(&random);
    options.workers = workers;
    options.slots = 1 + (uint32_t)etna_random_below(&random, 6);
    options.delay_ms = 1 + (uint32_t)etna_random_below(&random, 100);
    options.loss_pct = (uint32_t)etna_random_below(&random, 8);
    options.repeat_pct = (uint32_t)etna_random_below(&random, 10);
    options.late_pct = (uint32_t)etna_random_below(&random, 3);
    options.error_pct = (uint32_t)etna_random_below(&random, 10);
    options.mishaps = (uint32_t)etna_random_below(&random, 6);
    options.supervised = etna_random_below(&random, 2);
    options.trace = getenv("ETNA_SIM_TRACE") != NULL;
    return options;
}

static void say_how(uint64_t seed)
{
    print_message("run it alone: ETNA_SIM_SEED=%llu %s/tests/sim.seeds\n",
                  (unsigned long long)seed, ETNA_BINARY_DIR);
}

static void add(const sim_report *report)
{
    sum.worlds++;
    sum.kills += report->kills;
    sum.restarts += report->restarts;
    sum.backtracks += report->backtracks;
    sum.messages += report->messages;
    sum.lost_messages += report->lost_messages;
    sum.calls += report->calls;
    sum.complete += report->state == RUN_COMPLETE;
    sum.partial += report->state == RUN_PARTIAL;
    sum.failed += report->state == RUN_FAILED;
}

static sim_report *played(const sim_options *options, uint64_t seed)
{
    sim_report *report = malloc(sizeof *report);
    assert_non_null(report);
    sim_run(options, report);
    add(report);
    if (report->broken) {
        say_how(seed);
        fail_msg("seed %llu, %u workers: %s\n%s", (unsigned long long)seed,
                 (unsigned)options->workers, report->text, report->lines);
    }
    return report;
}

static bool same_usage(const message_usage *a, const message_usage *b)
{
    return a->tokens_in == b->tokens_in && a->tokens_out == b->tokens_out &&
           a->tokens_cached == b->tokens_cached &&
           a->tokens_reasoning == b->tokens_reasoning &&
           a->cost_micros == b->cost_micros && a->calls == b->calls;
}

static void check_same(const sim_report *want,
                       const sim_report *got,
                       uint64_t seed,
                       uint32_t workers)
{
    bool same = want->state == got->state &&
                etna_hash_equal(&want->final, &got->final) &&
                same_usage(&want->used, &got->used) &&
                strcmp(want->tree, got->tree) == 0 && !got->mismatches;
    if (same)
        return;
    say_how(seed);
    fail_msg(
        "seed %llu ends otherwise with %u workers: %llu tokens, not %llu\nwas:\n%sis:\n%s\n%s",
        (unsigned long long)seed, (unsigned)workers,
        (unsigned long long)got->used.tokens_in,
        (unsigned long long)want->used.tokens_in, want->tree, got->tree,
        got->lines);
}

static void play_seed(uint64_t seed)
{
    static const uint32_t crews[] = {1, 2, 6};
    sim_options options = calm(seed);
    sim_report *want = played(&options, seed);
    for (uint32_t i = 0; i < 3; i++) {
        options = rough(seed, crews[i]);
        sim_report *got = played(&options, seed);
        check_same(want, got, seed, crews[i]);
        free(got);
    }
    free(want);
}

/* Where only workers die and every death is seen, a death costs one repeat of
 * each call that was under way, at most. */
static void a_killed_worker_costs_one_repeat_a_call_in_flight(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    uint32_t killed = 0, repeats = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = calm(seed);
        options.seed = seed;
        options.workers = 2;
        options.supervised = true;
        options.planned_count = 4;
        for (uint32_t i = 0; i < 4; i++) {
            options.planned[i] = (sim_mishap){
                MISHAP_KILL_WORKER, 2000 + 1700 * i + 13 * seed, 300, i % 2};
        }
        sim_report *report = played(&options, seed);
        if (report->calls > report->slots + report->calls_killed) {
            fail_msg(
                "seed %llu: %u calls of %u slots, %u were under way at a kill",
                (unsigned long long)seed, (unsigned)report->calls,
                (unsigned)report->slots, (unsigned)report->calls_killed);
        }
        killed += report->calls_killed;
        repeats += report->calls - report->slots;
        free(report);
        options.planned_count = 0;
        report = played(&options, seed);
        assert_int_equal(report->calls, report->slots);
        assert_int_equal(report->spent.tokens_in - report->lost.tokens_in >=
                             report->used.tokens_in,
                         1);
        free(report);
    }
    assert_true(killed > 40 && repeats > 20);
}

/* The same calls and money, and tokens within a third. */
static bool is_alike(const message_usage *booked, const message_usage *billed)
{
    uint64_t more = booked->tokens_in > billed->tokens_in ? booked->tokens_in
                                                          : billed->tokens_in;
    uint64_t less = booked->tokens_in > billed->tokens_in ? billed->tokens_in
                                                          : booked->tokens_in;
    return booked->calls == billed->calls &&
           booked->cost_micros == billed->cost_micros &&
           3 * (more - less) <= more;
}

static message_usage usage_without(const message_usage *all,
                                   const message_usage *lost)
{
    return (message_usage){
        .tokens_in = all->tokens_in - lost->tokens_in,
        .tokens_out = all->tokens_out - lost->tokens_out,
        .tokens_cached = all->tokens_cached - lost->tokens_cached,
        .tokens_reasoning = all->tokens_reasoning - lost->tokens_reasoning,
        .cost_micros = all->cost_micros - lost->cost_micros,
        .calls = all->calls - lost->calls};
}

/* Tries of calls fail in every way while workers and coordinators die and
 * messages are lost: the end is the same, and what was called is booked (the
 * world checks that). Where nobody dies and nothing is given up, what is booked
 * is the server's own ledger: what was answered token for token, a try that it
 * refused is free, and one that it broke off is lost at what such calls took:
 * as many, at the same price, and by and large as long. */
static void what_is_spent_follows_the_servers_ledger_while_calls_fail(
    void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    uint32_t failed = 0, lost = 0, outages = 0, equal = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = calm(seed);
        sim_report *want = played(&options, seed);
        for (uint32_t workers = 1; workers <= 3; workers++) {
            options = rough(seed, workers);
            options.fail_pct = 10 + (uint32_t)(seed * workers % 40);
            options.fallback = seed % 3 == 0;
            sim_report *got = played(&options, seed);
            check_same(want, got, seed, workers);
            outages += got->outages;
            free(got);
        }
        free(want);
        options = calm(seed);
        options.workers = 1 + (uint32_t)seed % 4;
        options.config.early_end = EARLY_END_OFF;
        options.config.max_tokens = 0;
        options.fail_pct = 30;
        options.fallback = seed % 2;
        sim_report *exact = played(&options, seed);
        const message_usage answered =
            usage_without(&exact->spent, &exact->lost);
        const message_usage served =
            usage_without(&exact->billed, &exact->billed_lost);
        bool same = same_usage(&answered, &served) &&
                    is_alike(&exact->lost, &exact->billed_lost);
        /* with the tasks that a decision made needless: booked at what such
         * calls took */
        uint32_t dropped = exact->calls_dropped;
        equal += same;
        if (dropped || exact->outages)
            same = exact->spent.calls >= exact->billed.calls;
        if (!same) {
            say_how(seed);
            fail_msg(
                "seed %llu: spent %llu (lost %llu) calls %u, the server says %llu (lost %llu) calls %u",
                (unsigned long long)seed,
                (unsigned long long)exact->spent.tokens_in,
                (unsigned long long)exact->lost.tokens_in,
                (unsigned)exact->spent.calls,
                (unsigned long long)exact->billed.tokens_in,
                (unsigned long long)exact->billed_lost.tokens_in,
                (unsigned)exact->billed.calls);
        }
        failed += exact->calls_failed;
        lost += exact->billed_lost.calls;
        free(exact);
    }
    print_message(
        "%u tries failed, %u of them billed; %u outages; %u ledgers alike\n",
        (unsigned)failed, (unsigned)lost, (unsigned)outages, (unsigned)equal);
    assert_true(failed > 120 && lost > 24 && 2 * equal > ROUNDS);
}

/* Some tasks fell every worker that does them. Each is refused, no other is,
 * and the run's end is the same for any crew, whatever else happens. */
static void what_fells_its_workers_is_refused_and_nothing_else(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    uint32_t deaths = 0, refused = 0, completed = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = calm(seed);
        options.supervised = true;
        options.deadly_pct = 1 + (uint32_t)seed % 12;
        sim_report *want = played(&options, seed);
        completed += want->state == RUN_COMPLETE || want->state == RUN_PARTIAL;
        for (const char *at = want->lines;
             (at = strstr(at, "is refused after")); at++)
            refused++;
        deaths += want->deaths;
        for (uint32_t workers = 1; workers <= 5; workers += 2) {
            uint32_t deadly = options.deadly_pct;
            options = rough(seed, workers);
            options.supervised = true;
            options.deadly_pct = deadly;
            /* then calls are an endpoint's */
            options.fail_pct = seed % 2 ? 15 : 0;
            sim_report *got = played(&options, seed);
            check_same(want, got, seed, workers);
            deaths += got->deaths;
            free(got);
        }
        free(want);
    }
    print_message(
        "%u deaths, %u tasks refused by one worker alone; %u runs kept an edit\n",
        (unsigned)deaths, (unsigned)refused, (unsigned)completed);
    assert_true(deaths > 200 && refused > 20 && completed > 8);
}

/* Workers are told to go (SIGTERM) in the midst of everything: each finishes
 * what it holds, so nothing is called twice for it, and the end is the same. */
static void drained_workers_cost_nothing(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    uint32_t drains = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = calm(seed);
        sim_report *want = played(&options, seed);
        for (uint32_t rude = 0; rude < 2; rude++) {
            options = rude ? rough(seed, 3) : calm(seed);
            options.workers = 3;
            options.planned_count = 6;
            for (uint32_t i = 0; i < 6; i++) {
                options.planned[i] =
                    (sim_mishap){MISHAP_DRAIN_WORKER,
                                 900 + 2100 * i + 31 * seed, 500, i % 3};
            }
            sim_report *got = played(&options, seed);
            check_same(want, got, seed, 3);
            drains += got->drains;
            if (!rude && got->calls != got->slots)
                fail_msg("seed %llu: a drain cost a call",
                         (unsigned long long)seed);
            free(got);
        }
        free(want);
    }
    assert_true(drains > 120);
}

/* A run that was cancelled ends at once and stays so, also when the coordinator
 * dies of it; others go on. */
static void a_cancelled_run_ends_at_once_and_the_others_go_on(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    uint32_t cancelled = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = rough(seed + 20000, 1 + (uint32_t)seed % 5);
        options.runs = 1 + (uint32_t)seed % RUNS_MAX;
        options.mishaps = 0;
        uint64_t at = 1500 + 97 * seed;
        options.planned[0] = (sim_mishap){MISHAP_CANCEL, at, 0, 0};
        options.planned[1] =
            (sim_mishap){MISHAP_KILL_COORDINATOR, at + seed % 30, 200, 0};
        options.planned_count = 1 + (uint32_t)seed % 2;
        sim_report *report = played(&options, seed + 20000);
        if (report->state == RUN_CANCELLED)
            cancelled++;
        bool known = report->state >= RUN_COMPLETE;
        if (!known || (report->state == RUN_CANCELLED && options.runs == 1 &&
                       report->ended_ms > at + 2000)) {
            fail_msg("seed %llu: cancelled at %llu, ended at %llu as %u",
                     (unsigned long long)seed, (unsigned long long)at,
                     (unsigned long long)report->ended_ms,
                     (unsigned)report->state);
        }
        free(report);
    }
    assert_true(cancelled > 12);
}

/* Leases are taken back while most answers take up to half a minute: a GO is
 * then often overtaken by the loss of its lease. What must hold (nobody begins
 * a call after another was told to go; what was called is booked) is checked by
 * the world itself. */
static void a_late_go_is_not_acted_on(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    static const sim_mishap_kind kinds[] = {MISHAP_SUSPEND, MISHAP_CUT_WORKER,
                                            MISHAP_KILL_COORDINATOR};
    uint32_t lost = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = calm(seed);
        options.seed = seed;
        options.workers = 4;
        options.late_pct = 60;
        options.planned_count = SIM_PLANNED_MAX;
        for (uint32_t i = 0; i < SIM_PLANNED_MAX; i++) {
            sim_mishap_kind kind = kinds[i % 4 % 3];
            uint64_t lasts = kind == MISHAP_CUT_WORKER ? 30000 : 200;
            options.planned[i] =
                (sim_mishap){kind, 5000 + 15000 * i + 37 * seed, lasts, i % 4};
        }
        sim_report *report = played(&options, seed);
        lost += report->lost.calls;
        free(report);
    }
    assert_true(lost > 40);
}

static void seeds_that_failed_before_pass(void **state)
{
    (void)state;
    FILE *file = fopen(ETNA_SOURCE_DIR "/tests/sim/seeds.txt", "r");
    assert_non_null(file);
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (line[0] >= '0' && line[0] <= '9')
            play_seed(strtoull(line, NULL, 10));
    }
    fclose(file);
}

static void an_ordered_run_ends_alike_whatever_happens(void **state)
{
    (void)state;
    const char *only = getenv("ETNA_SIM_SEED");
    if (only) {
        play_seed(strtoull(only, NULL, 10));
        return;
    }
    const char *more = getenv("ETNA_SIM_SEEDS");
    uint64_t seeds = more ? strtoull(more, NULL, 10) : SEEDS;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        play_seed(seed);
    print_message(
        "%u worlds: %u kills, %u restarts of the coordinator, %llu messages of which %llu were lost, %llu calls; "
        "%u complete, %u partial, %u failed, %u backtracks\n",
        (unsigned)sum.worlds, (unsigned)sum.kills, (unsigned)sum.restarts,
        (unsigned long long)sum.messages, (unsigned long long)sum.lost_messages,
        (unsigned long long)sum.calls, (unsigned)sum.complete,
        (unsigned)sum.partial, (unsigned)sum.failed, (unsigned)sum.backtracks);
    assert_true(sum.kills >= 24 && sum.restarts >= 12);
    assert_true(sum.backtracks > 20 && sum.complete > 20 && sum.partial > 2);
}

/* `first` and `off` promise less: every property but the one end. */
static void runs_in_the_other_modes_end_and_lose_nothing(void **state)
{
    (void)state;
    if (getenv("ETNA_SIM_SEED"))
        return;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sim_options options = rough(seed + 10000, 1 + (uint32_t)seed % 6);
        options.config.early_end = seed % 2 ? EARLY_END_FIRST : EARLY_END_OFF;
        options.config.max_wall_ms = seed % 5 == 0 ? 20000 : 0;
        options.config.max_cost_micros = seed % 7 == 0 ? 300 : 0;
        options.config.finish_calls = seed % 4 >= 2;
        free(played(&options, seed + 10000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_that_failed_before_pass),
        cmocka_unit_test(an_ordered_run_ends_alike_whatever_happens),
        cmocka_unit_test(runs_in_the_other_modes_end_and_lose_nothing),
        cmocka_unit_test(a_killed_worker_costs_one_repeat_a_call_in_flight),
        cmocka_unit_test(a_late_go_is_not_acted_on),
        cmocka_unit_test(what_fells_its_workers_is_refused_and_nothing_else),
        cmocka_unit_test(drained_workers_cost_nothing),
        cmocka_unit_test(a_cancelled_run_ends_at_once_and_the_others_go_on),
        cmocka_unit_test(
            what_is_spent_follows_the_servers_ledger_while_calls_fail),
    };
    return cmocka_run_group_tests_name("seeds", tests, NULL, NULL);
}
