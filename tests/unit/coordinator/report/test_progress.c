/* The one line of a terminal: where a run stands, from what its narration tells
 * as data, never wider than the terminal, never a control character of
 * somebody's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/progress.h"

#include <string.h>

static void stands(progress *p, message_happening happening, const char *wanted)
{
    char line[512];
    progress_follow(p, &happening);
    progress_status(p, 1250, line, sizeof line);
    assert_string_equal(line, wanted);
}

/* What happened to step `step` of node `node`. */
static message_happening at(uint32_t kind, uint32_t step, uint32_t node)
{
    return (message_happening){.kind = kind, .step = step, .node = node};
}

static message_happening of_branch(uint32_t kind,
                                   uint32_t branch,
                                   uint32_t count)
{
    return (message_happening){
        .kind = kind, .step = 1, .node = 1, .branch = branch, .count = count};
}

static message_happening planned(uint32_t node, const char *instruction)
{
    return (message_happening){
        .kind = HAPPENED_PLANNED, .step = 1, .node = node, .text = instruction};
}

static message_happening decided(uint32_t kind,
                                 uint32_t step,
                                 uint32_t node,
                                 uint32_t next_step,
                                 uint32_t count)
{
    return (message_happening){.kind = kind,
                               .step = step,
                               .node = node,
                               .next_step = next_step,
                               .count = count};
}

static void the_line_follows_the_search(void **state)
{
    (void)state;
    static const char mug[] = "Put \"Mug\" on \"Desk\".";
    progress p = progress_new();
    stands(&p, (message_happening){.kind = HAPPENED_SUBMITTED, .count = 4},
           "1.2 s  reading the scene");
    stands(&p, at(HAPPENED_IMPORTED, 0, 0), "1.2 s  planning");
    stands(&p, planned(1, mug),
           "1.2 s  step 1: 4 running | Put \"Mug\" on \"Desk\".");
    stands(&p, of_branch(HAPPENED_BRANCH_VALID, 1, 0),
           "1.2 s  step 1: 3 running, 1 valid | Put \"Mug\" on \"Desk\".");
    stands(&p, of_branch(HAPPENED_OTHER, 0, 0),
           "1.2 s  step 1: 3 running, 1 valid | Put \"Mug\" on \"Desk\".");
    stands(
        &p, of_branch(HAPPENED_BRANCH_FAILED, 3, 0),
        "1.2 s  step 1: 2 running, 1 valid, 1 failed | Put \"Mug\" on \"Desk\".");
    stands(
        &p, of_branch(HAPPENED_POLLED, 1, VERDICT_EXCELLENT),
        "1.2 s  step 1: 2 running, 1 valid, 1 failed | 1 excellent | Put \"Mug\" on \"Desk\".");
    stands(
        &p, of_branch(HAPPENED_POLLED, 1, VERDICT_BAD),
        "1.2 s  step 1: 2 running, 1 valid, 1 failed | 1 excellent, 1 bad | Put \"Mug\" on \"Desk\".");
    stands(&p, decided(HAPPENED_EDITED, 1, 1, 2, 0),
           "1.2 s  step 2: planning | 1 edit");
    stands(&p, at(HAPPENED_OTHER, 2, 2), "1.2 s  step 2: planning | 1 edit");
    stands(&p, decided(HAPPENED_BACKTRACKED, 2, 2, 1, 1),
           "1.2 s  step 1: planning | 1 backtrack");
    stands(&p, planned(3, "Go \033[2J"),
           "1.2 s  step 1: 4 running | 1 backtrack | Go \\x1b[2J");
    stands(&p, decided(HAPPENED_EDITED, 1, 3, 2, 0),
           "1.2 s  step 2: planning | 1 edit | 1 backtrack");
    stands(&p, at(HAPPENED_COMPLETE, 2, 4),
           "1.2 s  drawing pictures | 1 edit | 1 backtrack");
    stands(&p, at(HAPPENED_DRAWN, 0, 0),
           "1.2 s  drawing pictures, 1 done | 1 edit | 1 backtrack");
}

/* A coordinator elsewhere may send anything. */
static void odd_happenings_stay_within_bounds(void **state)
{
    (void)state;
    char line[64];
    for (uint32_t kind = 0; kind <= HAPPENED_COUNT; kind++) {
        progress p = progress_new();
        message_happening odd = {kind,       UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                 UINT32_MAX, UINT32_MAX, NULL};
        progress_follow(&p, &odd);
        odd = (message_happening){
            kind, 1, 1, PROGRESS_BRANCHES, 0, PROGRESS_VERDICTS, ""};
        progress_follow(&p, &odd);
        for (size_t room = 1; room < sizeof line; room++)
            progress_status(&p, UINT64_MAX, line, room);
        assert_true(strlen(line) < sizeof line);
    }
}

static void a_line_is_never_wider_than_the_terminal(void **state)
{
    (void)state;
    assert_int_equal(progress_fit("abcdef", 4), 4);
    assert_int_equal(progress_fit("abc", 4), 3);
    /* two bytes, one column */
    assert_int_equal(progress_fit("gr\xc3\xbc\xc3\x9f e", 4), 6);
    assert_int_equal(progress_fit("a\xe6\xa1\x8c\xe6\xa1\x8c", 4),
                     4); /* two columns each: half of one does not show */
    /* a glass of wine */
    assert_int_equal(progress_fit("\xf0\x9f\x8d\xb7\xf0\x9f\x8d\xb7", 3), 4);
    assert_int_equal(progress_fit("", 4), 0);
    assert_int_equal(progress_fit("abc", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_follows_the_search),
        cmocka_unit_test(odd_happenings_stay_within_bounds),
        cmocka_unit_test(a_line_is_never_wider_than_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
