/* Intervals and tests against figures computed by hand. */
#include "coordinator/bench/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool is_near(double a, double b, double most)
{
    return fabs(a - b) <= most;
}

static void a_rate_of_nothing_is_no_number(void **state)
{
    (void)state;
    const cell none[2] = {{0, 0}, {0, 0}};
    interval i;
    assert_true(isnan(stats_rate(none, 2)));
    assert_true(stats_bootstrap(none, 2, 1, &i) && isnan(i.low) &&
                isnan(i.high));
    assert_true(stats_bootstrap(none, 0, 1, &i) && isnan(i.low));
}

static void a_median_is_the_middle_or_between(void **state)
{
    (void)state;
    double odd[] = {9, 1, 2}, even[] = {4, 1, 9, 2};
    assert_true(stats_median(odd, 3) == 2);
    assert_true(stats_median(even, 4) == 3);
    assert_true(stats_median(NULL, 0) == 0);
}

/* 0 of 111: the upper end is z^2 / (n + z^2). */
static void wilson_bounds_a_rate_of_zero(void **state)
{
    (void)state;
    interval i = stats_wilson(0, 111);
    assert_true(i.low == 0 && is_near(i.high, 3.8415 / 114.8415, 1e-4));
    i = stats_wilson(8, 10);
    assert_true(is_near(i.low, 0.4902, 1e-3) && is_near(i.high, 0.9433, 1e-3));
}

/* Of 25 scenes without one that differs, up to z^2 / (25 + z^2) of all may
 * differ, by 1 either way. */
static void scenes_that_are_alike_leave_room_for_others(void **state)
{
    (void)state;
    const double others = 3.8415 / 28.8415;
    interval i = stats_difference_alike(0, 25);
    assert_true(is_near(i.low, -others, 1e-4) && is_near(i.high, others, 1e-4));
    i = stats_difference_alike(-0.5, 25);
    assert_true(is_near(i.low, -0.5 - others / 2, 1e-4) &&
                is_near(i.high, -0.5 + 1.5 * others, 1e-4));
    i = stats_difference_alike(-1, 1);
    assert_true(is_near(i.low, -1, 1e-9) && i.high > 0);
}

static void a_bootstrap_spans_the_rate_and_shrinks_with_scenes(void **state)
{
    (void)state;
    cell cells[100];
    interval few, many, sure;
    for (int i = 0; i < 100; i++)
        cells[i] = (cell){i % 2 ? 4 : 1, 4};
    assert_true(stats_bootstrap(cells, 10, 1, &few) &&
                stats_bootstrap(cells, 100, 1, &many));
    double rate = stats_rate(cells, 100);
    assert_true(few.low < rate && rate < few.high && many.low < rate &&
                rate < many.high);
    assert_true(many.high - many.low < 0.5 * (few.high - few.low));
    /* Its width is that of a mean of 100 draws of 0.25 or 1: 2 x 1.96 x 0.375 /
     * 10. */
    assert_true(is_near(many.high - many.low, 0.147, 0.02));
    for (int i = 0; i < 100; i++)
        cells[i].hits = 4;
    assert_true(stats_bootstrap(cells, 50, 2, &sure) && sure.low == 1 &&
                sure.high == 1);
}

static void signs_are_counted_exactly_where_there_are_few(void **state)
{
    (void)state;
    const double all[5] = {1, 1, 1, 1, 1}, mixed[4] = {1, -1, 0.5, 0},
                 none[3] = {0, 0, 0};
    assert_true(is_near(stats_permutation(all, 5), 2.0 / 32, 1e-12));
    assert_true(is_near(stats_permutation(mixed, 4), 1, 1e-12));
    assert_true(stats_permutation(none, 3) == 1 &&
                stats_permutation(none, 0) == 1);
    double many[40];
    for (int i = 0; i < 40; i++)
        many[i] = i < 20 ? 1 : -1;
    assert_true(stats_permutation(many, 40) > 0.9);
    for (int i = 0; i < 40; i++)
        many[i] = 1;
    assert_true(stats_permutation(many, 40) < 1e-4);
}

static void holm_steps_down(void **state)
{
    (void)state;
    double p[4] = {0.01, 0.04, 0.03, 0.005};
    const double wanted[4] = {0.03, 0.06, 0.06, 0.02};
    stats_holm(p, 4);
    for (int i = 0; i < 4; i++)
        assert_true(is_near(p[i], wanted[i], 1e-12));
    double one[2] = {0.9, 0.8};
    stats_holm(one, 2);
    assert_true(one[0] == 1 && one[1] == 1);
}

/* By hand, and the example of four judges and twelve units of Krippendorff's
 * own paper (2011), 0.849 for intervals. */
static void alpha_tells_how_far_judges_agree(void **state)
{
    (void)state;
    const double o = (double)NAN;
    const double paper[12][4] = {{1, 1, o, 1}, {2, 2, 3, 2}, {3, 3, 3, 3},
                                 {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4},
                                 {4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2},
                                 {o, 5, 5, 5}, {o, o, 1, 1}, {o, o, 3, o}};
    assert_true(fabs(stats_alpha(&paper[0][0], 12, 4) - 0.849) < 0.0005);
    const double alike[] = {0, 0, 4, 4, 2, 2}, against[] = {0, 4, 4, 0},
                 same[] = {3, 3, 3, 3}, one[] = {1, o, o, 2};
    assert_true(stats_alpha(alike, 3, 2) == 1);
    assert_true(stats_alpha(against, 2, 2) < 0);
    assert_true(isnan(stats_alpha(same, 2, 2)));
    assert_true(isnan(stats_alpha(one, 2, 2)));
    assert_true(isnan(stats_alpha(NULL, 0, 5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_of_nothing_is_no_number),
        cmocka_unit_test(a_median_is_the_middle_or_between),
        cmocka_unit_test(wilson_bounds_a_rate_of_zero),
        cmocka_unit_test(scenes_that_are_alike_leave_room_for_others),
        cmocka_unit_test(a_bootstrap_spans_the_rate_and_shrinks_with_scenes),
        cmocka_unit_test(signs_are_counted_exactly_where_there_are_few),
        cmocka_unit_test(holm_steps_down),
        cmocka_unit_test(alpha_tells_how_far_judges_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
