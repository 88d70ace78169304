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

/* Table 4 of Reason-3D: wins of the row of so many votes, reconstructed, and the
 * Elo that is published. */
static void a_published_table_comes_out(void **state)
{
    (void)state;
    enum {
        GPT,
        SONNET,
        R1,
        O3,
        GEMINI,
        SYSTEMS
    };
    static const struct {
        uint32_t a, b;
        double wins, votes;
    } table[] = {{GPT, SONNET, 5, 13},    {GPT, R1, 2, 11},
                 {GPT, O3, 0, 11},        {GPT, GEMINI, 1, 10},
                 {SONNET, R1, 2, 14},     {SONNET, O3, 1, 9},
                 {SONNET, GEMINI, 1, 12}, {R1, O3, 4, 10},
                 {R1, GEMINI, 1, 13},     {O3, GEMINI, 5, 17}};
    static const double published[SYSTEMS] = {1500, 1566, 1809, 1938, 2091};
    double wins[SYSTEMS * SYSTEMS] = {0}, elo[SYSTEMS];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        wins[table[i].a * SYSTEMS + table[i].b] = table[i].wins;
        wins[table[i].b * SYSTEMS + table[i].a] =
            table[i].votes - table[i].wins;
    }
    assert_true(study_scale(wins, SYSTEMS, elo));
    for (int a = 0; a < SYSTEMS; a++)
        assert_true(fabs(elo[a] - published[a]) < 1);
}

static void votes_without_an_end_are_refused(void **state)
{
    (void)state;
    double elo[3];
    const double always[4] = {0, 3, 0, 0};
    const double apart[9] = {0, 2, 0, 1, 0, 0, 0, 0, 0};
    assert_false(study_scale(always, 2, elo));
    assert_false(study_scale(apart, 3, elo));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wins_and_ties_are_told_from_either_side),
        cmocka_unit_test(ratings_of_two_are_their_wins),
        cmocka_unit_test(
            who_always_wins_has_an_end_and_who_was_never_met_is_in_the_middle),
        cmocka_unit_test(a_published_table_comes_out),
        cmocka_unit_test(votes_without_an_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
