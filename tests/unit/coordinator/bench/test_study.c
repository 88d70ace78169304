/* Who is preferred, and how surely: against figures computed by hand. */
#include "coordinator/bench/study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void wins_and_ties_are_told_from_either_side(void **state)
{
    (void)state;
    const study_vote votes[] = {
        {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 1, 0.5}, {1, 0, 1, 1}, {1, 2, 1, 0}};
    study_pair pairs[9];
    study_count(votes, 5, 3, pairs);
    assert_true(pairs[1].wins_a == 2 && pairs[1].wins_b == 1 &&
                pairs[1].ties == 1);
    assert_true(pairs[3].wins_a == 1 && pairs[3].wins_b == 2 &&
                pairs[3].ties == 1);
    assert_true(pairs[7].wins_b == 1 && pairs[5].wins_a == 1 &&
                pairs[5].wins_b == 0);
    assert_true(pairs[2].wins_a == 0 && pairs[2].ties == 0);
}

/* Of two systems the ratio of strengths is that of their wins, here with half a
 * win more for each: 30.5 to 10.5. */
static void ratings_of_two_are_their_wins(void **state)
{
    (void)state;
    study_vote votes[40];
    double ratings[2];
    interval range[2];
    for (uint32_t i = 0; i < 40; i++)
        votes[i] = (study_vote){i, 0, 1, i % 4 ? 1 : 0};
    assert_true(study_rate(votes, 40, 2, ratings, range));
    double apart = 400 * log10(30.5 / 10.5);
    assert_true(fabs(ratings[0] - ratings[1] - apart) < 0.01);
    assert_true(fabs(ratings[0] + ratings[1]) < 1e-9);
    assert_true(range[0].low > 0 && range[0].low < ratings[0] &&
                ratings[0] < range[0].high);
}

static void who_always_wins_has_an_end_and_who_was_never_met_is_in_the_middle(
    void **state)
{
    (void)state;
    study_vote votes[20];
    double ratings[3];
    interval range[3];
    for (uint32_t i = 0; i < 20; i++)
        votes[i] = (study_vote){i / 2, 0, 1, 1};
    assert_true(study_rate(votes, 20, 3, ratings, range));
    assert_true(isfinite(ratings[0]) && ratings[0] > 100 && ratings[1] < -100);
    assert_true(ratings[2] < ratings[0] && ratings[2] > ratings[1]);
    assert_true(study_rate(NULL, 0, 2, ratings, range));
    assert_true(ratings[0] == 0 && ratings[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wins_and_ties_are_told_from_either_side),
        cmocka_unit_test(ratings_of_two_are_their_wins),
        cmocka_unit_test(
            who_always_wins_has_an_end_and_who_was_never_met_is_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
