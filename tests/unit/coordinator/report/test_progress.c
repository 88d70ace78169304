/* The one line of a terminal: where a run stands, read from its narration, never wider than the terminal, never a
 * control character of somebody's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/report/progress.h"

#include <string.h>

static void stands(progress *p, const char *narrated, const char *wanted)
{
    char line[512];
    progress_follow(p, narrated);
    progress_status(p, 1250, line, sizeof line);
    assert_string_equal(line, wanted);
}

static void the_line_follows_the_search(void **state)
{
    (void)state;
    progress p = progress_new();
    stands(&p, "goal \"x: seed 7, 9 branches\" in room.glb: seed 0, 4 branches, 3 polls, early end ordered",
           "1.2 s  reading the scene");
    stands(&p, "import: 85 objects, 65 movable", "1.2 s  planning");
    stands(&p, "step 1 (node 1) plan: \"Put \"Mug\" on \"Desk\".\", bottom at (0.6, 0.7)",
           "1.2 s  step 1: 4 running | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 1: Mug on Desk_1 at (0, 0, 0), loss 0.1",
           "1.2 s  step 1: 3 running, 1 valid | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 0: attempt 1 is lost: its worker is gone",
           "1.2 s  step 1: 3 running, 1 valid | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 3 fails: collision: hits; backtrack 7: x",
           "1.2 s  step 1: 2 running, 1 valid, 1 failed | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 2 is refused after 3 attempts (io)",
           "1.2 s  step 1: 1 running, 1 valid, 2 failed | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 1 poll 0: excellent",
           "1.2 s  step 1: 1 running, 1 valid, 2 failed | 1 excellent | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) branch 1 poll 2: bad",
           "1.2 s  step 1: 1 running, 1 valid, 2 failed | 1 excellent, 1 bad | Put \"Mug\" on \"Desk\".");
    stands(&p, "step 1 (node 1) edited: branch 1 wins with 0.50; on to step 2", "1.2 s  step 2: planning | 1 edit");
    stands(&p, "step 2 (node 2) plan: impossible: no room", "1.2 s  step 2: planning | 1 edit");
    stands(&p, "step 2 (node 2) failed: no room; backtrack 1: anchor 2 -> 1, back to step 1",
           "1.2 s  step 1: planning | 1 backtrack");
    stands(&p, "step 1 (node 3) plan: \"Go \033[2J\", center at (0.6, 0.7)",
           "1.2 s  step 1: 4 running | 1 backtrack | Go \\x1b[2J");
    stands(&p, "step 1 (node 3) edited: branch 0 wins with 2.00; on to step 2",
           "1.2 s  step 2: planning | 1 edit | 1 backtrack");
    stands(&p, "step 2 (node 4) complete", "1.2 s  drawing pictures | 1 edit | 1 backtrack");
    stands(&p, "image 0: done", "1.2 s  drawing pictures, 1 done | 1 edit | 1 backtrack");
}

static void what_is_no_narration_changes_nothing(void **state)
{
    (void)state;
    static const char *const odd[] = {"",
                                      "step",
                                      "step 1",
                                      "step 1 (node",
                                      "worker 1 is gone: x",
                                      "step 4294967295 (node 4294967295) branch 4294967295: x",
                                      "step 1 (node 1) branch 16: x",
                                      "step 1 (node 1) plan: \"\", ",
                                      "step 1 (node 1) plan: \"",
                                      "step 1 (node 1) failed; backtrack x"};
    char line[64];
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        progress p = progress_new();
        progress_follow(&p, odd[i]);
        for (size_t room = 1; room < sizeof line; room++) progress_status(&p, UINT64_MAX, line, room);
        assert_true(strlen(line) < sizeof line);
    }
}

static void a_line_is_never_wider_than_the_terminal(void **state)
{
    (void)state;
    assert_int_equal(progress_fit("abcdef", 4), 4);
    assert_int_equal(progress_fit("abc", 4), 3);
    assert_int_equal(progress_fit("gr\xc3\xbc\xc3\x9f e", 4), 6);      /* two bytes, one column */
    assert_int_equal(progress_fit("a\xe6\xa1\x8c\xe6\xa1\x8c", 4), 4); /* two columns each: half of one does not show */
    assert_int_equal(progress_fit("\xf0\x9f\x8d\xb7\xf0\x9f\x8d\xb7", 3), 4); /* a glass of wine */
    assert_int_equal(progress_fit("", 4), 0);
    assert_int_equal(progress_fit("abc", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_follows_the_search),
        cmocka_unit_test(what_is_no_narration_changes_nothing),
        cmocka_unit_test(a_line_is_never_wider_than_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
