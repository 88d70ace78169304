/* Many workers and as many scenes, models that take 12 s and now and then a
 * minute: the pool must waste little of them. What cannot be beaten: all the
 * work shared evenly, or the one run that takes longest alone. Workers of four
 * slots, as they are by default, never have to choose; with one slot each there
 * is twice as much to do as can be done at once for a while, and nobody knows
 * which run will be the longest, so that is only told. Also what is held in
 * memory of a run and a worker. ETNA_FULL: 10,000 of each, else 200;
 * ETNA_CROWD: so many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>

static sim_options crowd(uint32_t workers, uint32_t slots, uint32_t runs)
{
    sim_options options = sim_options_default();
    options.workers = workers;
    options.slots = slots;
    options.runs = runs;
    options.lean = true;
    options.model_ms = 12000;
    options.config.branches = 2;
    options.config.polls = 3;
    options.config.max_steps = 3;
    options.config.max_backtracks = 3;
    options.delay_ms = 2;
    return options;
}

/* The longest that one of the runs takes when it has all workers it can use. */
static uint64_t longest_alone(uint32_t runs, sim_report *report)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < runs; i++) {
        sim_options options = crowd(8, 4, 1);
        options.config.seed += i;
        sim_run(&options, report);
        if (report->broken)
            fail_msg("run %u alone: %s", (unsigned)i, report->text);
        if (report->ended_ms > longest)
            longest = report->ended_ms;
    }
    return longest;
}

static double part_of_ideal(uint32_t count,
                            uint32_t slots,
                            uint64_t alone,
                            sim_report *report)
{
    sim_options options = crowd(count, slots, count);
    sim_run(&options, report);
    if (report->broken)
        fail_msg("%s", report->text);
    uint64_t shared = report->work_ms / count / slots,
             ideal = shared > alone ? shared : alone;
    double part = (double)ideal / (double)report->ended_ms;
    print_message(
        "%u workers of %u slots, %u scenes: %.1f s; the work shared evenly %.1f s, the longest run alone %.1f s: %.1f %% of the "
        "ideal; %u tasks; %.1f KB a run, %.1f KB a worker\n",
        (unsigned)count, (unsigned)slots, (unsigned)count,
        (double)report->ended_ms / 1000, (double)shared / 1000,
        (double)alone / 1000, 100 * part, (unsigned)report->leases,
        (double)report->core_bytes / 1024 / count,
        (double)report->link_bytes / 1024 / count);
    return part;
}

static void a_crowd_wastes_little_of_its_models(void **state)
{
    (void)state;
    const char *said = getenv("ETNA_CROWD");
    uint32_t count = getenv("ETNA_FULL") ? 10000 : 200;
    if (said)
        count = (uint32_t)atoi(said);
    sim_report *report = test_malloc(sizeof *report);
    uint64_t alone = longest_alone(count, report);
    double part = part_of_ideal(count, 4, alone, report);
    part_of_ideal(count, 1, alone, report);
    test_free(report);
    assert_true(part >= 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_wastes_little_of_its_models)};
    return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
