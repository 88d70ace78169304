/* 2,000 worlds with every fault there is: each comes to the end that it has
 * with one worker and no fault, and what must hold holds at every step. A
 * number that failed once stands in worlds.txt and is played first. One alone,
 * told line by line:
 *
 *     etna simulate --seed 123             (build/dev/bin/etna-simulate, without the rest)
 *     ETNA_WORLDS=20000 build/dev/tests/sim.worlds    plays so many numbers, of four worlds each, instead of 500 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/sim/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NUMBERS = 500
};

static void play(uint64_t number, world_sums *sums)
{
    char text[2048];
    if (!world_play(number, FAULTS_ALL, sums, text, sizeof text))
        fail_msg("%s", text);
}

static void worlds_that_failed_before_hold(void **state)
{
    (void)state;
    char line[256];
    world_sums sums = {0};
    FILE *file = fopen(ETNA_SOURCE_DIR "/tests/sim/worlds.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] >= '0' && line[0] <= '9')
            play(strtoull(line, NULL, 10), &sums);
    }
    fclose(file);
}

static void every_world_ends_as_without_a_fault(void **state)
{
    (void)state;
    const char *more = getenv("ETNA_WORLDS");
    uint64_t numbers = more ? strtoull(more, NULL, 10) : NUMBERS;
    world_sums sums = {0};
    clock_t begun = clock();
    for (uint64_t number = 1; number <= numbers; number++)
        play(number, &sums);
    double ms =
        (double)(clock() - begun) * 1000 / CLOCKS_PER_SEC / (double)sums.worlds;
    print_message(
        "%llu worlds, %.2f ms each: %llu messages, %llu of them lost; %llu leases, %llu again; %llu kills, %llu "
        "restarts; %llu complete, %llu partial, %llu failed, %llu backtracks; strangers refused %llu times, %llu "
        "forged tickets; %llu commits on a full disk, %llu stale owners\n",
        (unsigned long long)sums.worlds, ms, (unsigned long long)sums.messages,
        (unsigned long long)sums.lost, (unsigned long long)sums.leases,
        (unsigned long long)sums.leases_again, (unsigned long long)sums.kills,
        (unsigned long long)sums.restarts, (unsigned long long)sums.complete,
        (unsigned long long)sums.partial, (unsigned long long)sums.failed,
        (unsigned long long)sums.backtracks, (unsigned long long)sums.refusals,
        (unsigned long long)sums.forged, (unsigned long long)sums.fulls,
        (unsigned long long)sums.stales);
    if (numbers < 100)
        return; /* too few for all of it to come */
    /* how often is chance where there are few */
    const uint64_t least = numbers < NUMBERS ? 1 : numbers / 25;
    for (uint32_t i = 1; i < MISHAP_KINDS; i++) {
        bool is_drawn = i != MISHAP_CANCEL;
        if (is_drawn && sums.mishaps[i] < least)
            fail_msg("%s came %llu times", sim_mishap_name(i),
                     (unsigned long long)sums.mishaps[i]);
    }
    assert_true(sums.refusals > numbers && sums.forged && sums.fulls &&
                sums.stales);
    assert_true(sums.backtracks > numbers && sums.partial && sums.failed);
}

static void the_same_world_is_the_same_event_for_event(void **state)
{
    (void)state;
    for (uint64_t number = 3; number < 40; number += 7) {
        sim_report *first = test_malloc(sizeof *first),
                   *second = test_malloc(sizeof *second);
        world_tell(number, 3, FAULTS_ALL, NULL, NULL, first);
        world_tell(number, 3, FAULTS_ALL, NULL, NULL, second);
        assert_int_equal(first->events, second->events);
        assert_string_equal(first->lines, second->lines);
        test_free(first);
        test_free(second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_that_failed_before_hold),
        cmocka_unit_test(every_world_ends_as_without_a_fault),
        cmocka_unit_test(the_same_world_is_the_same_event_for_event),
    };
    return cmocka_run_group_tests_name("worlds", tests, NULL, NULL);
}
