/* What is told of a benchmark beside its table, with what it is divided by. */
#include "coordinator/bench/metrics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void has_line(const page *p, const char *line)
{
    if (!strstr(p->data, line))
        fail_msg("no line \"%s\" in:\n%s", line, p->data);
}

/* Two steps that were judged by three, of whom one said nothing of the
 * second. */
static void judges_and_evaluators_are_held_against_predicates(void **state)
{
    (void)state;
    const double liked[] = {4, 3, 2}, near[] = {3, 0, (double)NAN};
    const result_run run = {.scene = "a", .variant = "full", .repeat = 1};
    const result_row rows[] = {
        {.run = run,
         .step = 1,
         .reached = true,
         .done = true,
         .edits = 1,
         .cost = 2,
         .tried = {.accepted = 1,
                   .accepted_done = 1,
                   .rejected = 4,
                   .rejected_done = 1,
                   .nodes = 1,
                   .chosen_done = 1,
                   .best_done = 1},
         .judge_count = 3,
         .correctness = liked,
         .plausibility = liked,
         .near_count = 3,
         .near_correctness = near},
        {.run = run,
         .step = 2,
         .reached = true,
         .edits = 1,
         .tried = {.accepted = 1, .nodes = 1, .best_done = 1},
         .judge_count = 3,
         .correctness = near,
         .plausibility = near}};
    json_t *times = json_loads(
        "[{\"name\": \"a.full.r1\", \"compute_s\": 3, \"model_s\": 5, \"spent\": 7}]",
        0, NULL);
    page text = {0};
    assert_true(times && metrics_print(rows, 2, times, TABLE_MARKDOWN, &text));
    assert_false(text.failed);
    has_line(&text, "| easy | false accepts of branches | 0.5 | 2 |");
    has_line(&text, "| easy | false rejects of branches | 0.25 | 4 |");
    has_line(&text, "| easy | success of the chosen branch | 0.5 | 2 |");
    has_line(&text, "| easy | success of the best branch | 1 | 2 |");
    has_line(&text, "| easy | judges: right | 0.6 | 5 |");
    has_line(&text, "| easy | judges: done steps seen | 0.666667 | 3 |");
    has_line(&text, "| easy | judges: others let pass | 0.5 | 2 |");
    has_line(&text, "| easy | judges: near misses seen | 0.5 | 2 |");
    has_line(&text, "| easy | seconds of computing | 3 | 1 | runs whose ");
    has_line(&text, "| easy | seconds of computing, median | 3 | 1 | runs ");
    has_line(&text, "| easy | seconds of models | 5 | 1 | runs that ran |");
    has_line(&text, "| easy | money | 2 | 1 | runs |");
    has_line(&text, "| easy | money spent, also on what entered no decision | "
                    "7 | 1 | runs that ran |");
    assert_null(strstr(text.data, "| hard |"));
    page_free(&text);
    json_decref(times);
}

/* Workers of another build do not tell what they computed; of three the middle
 * one is no mean. */
static void computing_is_of_runs_whose_workers_tell_it(void **state)
{
    (void)state;
    result_row rows[4];
    for (uint32_t i = 0; i < 4; i++)
        rows[i] = (result_row){
            .run = {.scene = "a", .variant = "full", .repeat = i + 1},
            .step = 1,
            .reached = true};
    json_t *times = json_loads("[{\"name\": \"a.full.r1\", \"compute_s\": 9},"
                               " {\"name\": \"a.full.r2\", \"compute_s\": 0},"
                               " {\"name\": \"a.full.r3\", \"compute_s\": 1},"
                               " {\"name\": \"a.full.r4\", \"compute_s\": 2}]",
                               0, NULL);
    page text = {0};
    assert_true(times && metrics_print(rows, 4, times, TABLE_MARKDOWN, &text));
    has_line(&text, "| easy | seconds of computing | 4 | 3 | runs whose ");
    has_line(&text, "| easy | seconds of computing, median | 2 | 3 | runs ");
    page_free(&text);
    json_decref(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_and_evaluators_are_held_against_predicates),
        cmocka_unit_test(computing_is_of_runs_whose_workers_tell_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
