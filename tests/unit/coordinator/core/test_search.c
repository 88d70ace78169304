/* Algorithm 2 on scripted outcomes: which step follows which, where the anchor
 * goes, and what a run keeps. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define SCRIPT(...) \
    static const char *const script[] = {__VA_ARGS__}; \
    uint32_t lines = sizeof script / sizeof *script

static world *played(const arrange_config *config,
                     const char *const *script,
                     uint32_t lines)
{
    world *w = world_new(config, script, lines);
    world_drive(w);
    return w;
}

static void check_end(const world *w,
                      run_state state,
                      uint32_t edits,
                      uint32_t backtracks)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    if (view.state != state || view.edit_count != edits ||
        view.backtracks != backtracks) {
        fail_msg("ended as %u with %u edits and %u backtracks (%s)\n%s",
                 (unsigned)view.state, (unsigned)view.edit_count,
                 (unsigned)view.backtracks, view.reason, w->lines);
    }
    etna_arena_free(&arena);
}

static void a_goal_is_complete_when_the_planner_says_so(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit ggg ggg ggg ggg", "done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3");
    check_end(w, RUN_COMPLETE, 2, 0);
    world_free(w);
}

static void a_goal_that_holds_already_needs_no_edit(void **state)
{
    (void)state;
    SCRIPT("done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    check_end(w, RUN_COMPLETE, 0, 0);
    world_free(w);
}

static void an_open_list_takes_the_edits_that_its_planner_asks_for(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "edit:1 ggg ggg ggg ggg",
           "edit:1 ggg ggg ggg ggg", "edit:3 ggg ggg ggg ggg", "done");
    static const char *const steps[] = {"swap them", "leave it",
                                        "put it there"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = 3;
    config.open_list = true;
    config.max_steps = 24;
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3 4/4/4 5/5/5");
    check_end(w, RUN_COMPLETE, 4, 0);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    const uint32_t items[] = {1, 1, 1, 3};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(view.edits[i].item, items[i]);
    etna_arena_free(&arena);
    world_free(w);
}

static void an_open_list_ends_at_its_cap_of_edits(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "edit:1 ggg ggg ggg ggg",
           "edit:1 ggg ggg ggg ggg");
    static const char *const steps[] = {"clear it"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = 1;
    config.open_list = true;
    config.max_steps = 2;
    config.max_backtracks = 0;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 0);
    etna_arena arena = ETNA_ARENA_INIT;
    assert_int_equal(world_view(w, &arena).refusal.code, REFUSAL_LIMIT);
    etna_arena_free(&arena);
    world_free(w);
}

static void check_refusal(const char *const *script,
                          uint32_t lines,
                          uint32_t code,
                          const char *what)
{
    arrange_config config = world_config("tidy up");
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    if (view.refusal.code != code || !strstr(view.refusal.what, what)) {
        fail_msg("%s, not %s: \"%s\"", arrange_refusal_name(view.refusal.code),
                 arrange_refusal_name(code), view.refusal.what);
    }
    etna_arena_free(&arena);
    world_free(w);
}

static void the_first_cause_of_a_failure_is_told(void **state)
{
    (void)state;
    static const char *const unread[] = {"unreadable"},
                             *const unknown[] = {"unreadable:unknown"},
                             *const impossible[] = {"impossible",
                                                    "impossible:no_place"},
                             *const in_parts[] = {"impossible:no_place"},
                             *const barred[] = {"edit C M M F", "impossible"},
                             *const answers[] = {"edit M M M M",
                                                 "edit C C C C"},
                             *const garbled[] = {"malformed"};
    check_refusal(unread, 1, REFUSAL_UNREAD, "because");
    check_refusal(unknown, 1, REFUSAL_UNKNOWN, "it is full");
    check_refusal(impossible, 2, REFUSAL_IMPOSSIBLE, "because");
    check_refusal(in_parts, 1, REFUSAL_NO_PLACE, "it is full");
    check_refusal(barred, 2, REFUSAL_NO_PLACE, "hits the lamp");
    check_refusal(answers, 2, REFUSAL_MODEL, "no constraints block");
    check_refusal(garbled, 1, REFUSAL_MODEL, "because");
}

static void a_list_is_complete_without_a_call_when_each_has_its_edit(
    void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg");
    static const char *const steps[] = {"first", "second", "third"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = 3;
    config.max_steps = 1; /* of a list, its length rules */
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3 4/4/4");
    assert_int_equal(w->plan_requests, 3);
    check_end(w, RUN_COMPLETE, 3, 0);
    world_free(w);
}

/* Fails at step 4: the anchor goes 4 -> 2 -> 1, then a breakthrough at 5 takes
 * it along. */
static void a_failure_halves_the_anchor(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", /* 1: step 1 */
           "edit ggg C C C", /* 2: step 2 */
           "edit ggg C C C", /* 3: step 3 */
           "edit C C C C",   /* 4: step 4 fails: d_a 4 -> 2 */
           "edit C ggg C C", /* 5: step 2 again */
           "edit F F F F",   /* 6: step 3 fails: d_a 2 -> 1 */
           "edit C C ggg C", /* 7: step 1 again */
           "edit ggg C C C", "edit ggg C C C",
           "edit ggg C C C", /* 8..10: steps 2, 3, 4: a breakthrough */
           "done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    assert_string_equal(
        w->trace,
        "1/1/1 2/2/2 3/3/3 4/4/4 2/2/4 3/2/4 1/1/4 2/1/4 3/1/4 4/1/4 5/5/5");
    check_end(w, RUN_COMPLETE, 4, 2);
    world_free(w);
}

static void half_depth_halves_the_step_instead(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "edit ggg C C C", "edit ggg C C C", /* 1..3 */
           /* 4: step 4 fails: 4/2 = 2 */
           "edit C C C C", "edit C ggg C C", /* 5: step 2 */
           "edit C ggg C C",                 /* 6: step 3 */
           "edit F F F F", /* 7: step 4 fails: 2 again, where d_a / 2 were 1 */
           "edit C C ggg C", "done");
    arrange_config config = world_config("tidy up");
    config.anchor = ANCHOR_HALF_DEPTH;
    world *w = played(&config, script, lines);
    assert_string_equal(
        w->trace, "1/1/1 2/2/2 3/3/3 4/4/4 2/2/4 3/2/4 4/2/4 2/2/4 3/2/4");
    check_end(w, RUN_COMPLETE, 2, 2);
    world_free(w);
}

static void at_s_max_plus_one_only_complete_counts(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "edit ggg C C C",
           "edit ggg C C C", /* node 3 is asked at step 3 = s_max + 1 */
           "edit C ggg C C", "edit C ggg C C", "done");
    arrange_config config = world_config("tidy up");
    config.max_steps = 2;
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3 1/1/3 2/1/3 3/1/3");
    check_end(w, RUN_COMPLETE, 2, 1);
    assert_null(strstr(w->lines, "step 3 (node 3) branch"));
    world_free(w);
}

static void a_run_keeps_the_deepest_scene_and_the_latest_among_equals(
    void **state)
{
    (void)state;
    /* two edits, then failure: 3 -> 1 */
    SCRIPT("edit ggg C C C", "edit ggg C C C", "edit C C C C", "edit C ggg C C",
           "edit C ggg C C", "edit F F F F");
    arrange_config config = world_config("tidy up");
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 1);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    /* node 5, not node 2 */
    assert_true(etna_hash_equal(&view.final_snapshot, &view.nodes[4].after));
    assert_non_null(strstr(view.reason, "backtracks"));
    etna_arena_free(&arena);
    world_free(w);
}

static void a_run_without_an_edit_fails(void **state)
{
    (void)state;
    SCRIPT("edit C C C C", "edit F F F F");
    arrange_config config = world_config("tidy up");
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1");
    check_end(w, RUN_FAILED, 0, 1);
    world_free(w);
}

static void an_identical_failure_ends_the_run(void **state)
{
    (void)state;
    SCRIPT("edit C F C U", "edit C F U C"); /* a set has no order */
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 1);
    assert_non_null(strstr(w->lines, "exactly as it did before (node 1)"));
    world_free(w);
}

static void a_failure_is_identical_by_kind_and_objects_and_not_by_its_words(
    void **state)
{
    (void)state;
    SCRIPT("edit C C F C", "edit L F L L");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 1);
    assert_non_null(strstr(w->lines, "exactly as it did before (node 1)"));
    world_free(w);
}

static void a_failure_by_another_thing_is_no_identical_one(void **state)
{
    (void)state;
    SCRIPT("edit C C F C", "edit C C F K", "edit C ggg C C", "done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    check_end(w, RUN_COMPLETE, 1, 2);
    world_free(w);
}

static void another_place_is_no_identical_failure(void **state)
{
    (void)state;
    SCRIPT("edit C F C U", "edit ggg C C C", "edit C F C U", "edit C ggg C C",
           "done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    check_end(w, RUN_COMPLETE, 1, 2);
    world_free(w);
}

static void an_unreadable_goal_is_refused_before_any_branch(void **state)
{
    (void)state;
    SCRIPT("unreadable");
    arrange_config config = world_config("frobnicate");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.error, ETNA_E_INPUT);
    assert_string_equal(view.reason, "because");
    etna_arena_free(&arena);
    assert_null(strstr(w->lines, "branch 0"));
    world_free(w);
}

static void impossible_and_malformed_plans_fail_the_step(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "impossible", "malformed", "edit C ggg C C",
           "done");
    arrange_config config = world_config("tidy up");
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 1/1/2 2/1/2");
    check_end(w, RUN_COMPLETE, 1, 2);
    world_free(w);
}

static void the_planner_is_told_what_failed_there_and_what_was_given_up(
    void **state)
{
    (void)state;
    SCRIPT("edit C ggg C C",   /* 1 */
           "edit C fff aab C", /* 2: step 2 fails: d_a 2 -> 1 */
           "edit F ggg C C",   /* 3: step 1 again */
           "edit C C C C", "edit ggg C C C", "done");
    arrange_config config = world_config("tidy up");
    config.early_end = EARLY_END_OFF;
    world *w = world_new(&config, script, lines);
    for (int i = 0; i < 200 && w->plan_requests < 3; i++) {
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        if (w->plan_requests < 3)
            world_give(w, 0);
    }
    assert_string_equal(
        w->failures, "1.0:hits the lamp;1.2:hits the lamp;1.3:hits the lamp;");
    assert_int_equal(w->edits_told, 0);
    assert_int_equal(
        strncmp(
            w->given_up,
            "1:2:no branch was accepted; branch 0: hits the lamp; branch 1: "
            "rejected (mean 0.00): fair, fair, fair; looked; branch 2: unjudged",
            68),
        0);
    world_give(w, 0); /* the plan of node 3 */
    while (core_count(w->c).tasks_queued > 0)
        world_lease(w, 1);
    assert_true(w->held[0].task.kind == TASK_BRANCH &&
                w->held[0].task.given_up_count == 1);
    world_drive(w);
    check_end(w, RUN_COMPLETE, 1, 2);
    world_free(w);
}

static void without_memory_a_step_is_told_of_nothing_at_its_place(void **state)
{
    (void)state;
    SCRIPT("edit C ggg C C", "edit C fff aab C", "edit F ggg C C",
           "edit C C C C", "edit ggg C C C", "done");
    arrange_config config = world_config("tidy up");
    config.early_end = EARLY_END_OFF;
    config.forgets = true;
    world *w = world_new(&config, script, lines);
    for (int i = 0; i < 200 && w->plan_requests < 3; i++) {
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        if (w->plan_requests < 3)
            world_give(w, 0);
    }
    assert_string_equal(w->failures, "");
    assert_string_equal(w->given_up, "");
    world_give(w, 0); /* the plan of node 3 */
    while (core_count(w->c).tasks_queued > 0)
        world_lease(w, 1);
    assert_true(w->held[0].task.kind == TASK_BRANCH &&
                w->held[0].task.given_up_count == 0);
    world_drive(w);
    world_free(w);
}

static void one_planner_a_branch_when_asked(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "done");
    arrange_config config = world_config("tidy up");
    config.plan_per_branch = true;
    config.early_end = EARLY_END_OFF;
    world *w = played(&config, script, lines);
    assert_int_equal(w->plan_requests, 8);
    check_end(w, RUN_COMPLETE, 1, 0);
    world_free(w);
}

static void every_branch_is_told_whose_solver(void **state)
{
    (void)state;
    SCRIPT("edit C ggg C C", "done");
    for (int paper = 0; paper < 2; paper++) {
        arrange_config config = world_config("tidy up");
        config.paper_solver = paper;
        config.any_place = paper;
        config.paper_collision = config.paper_floating = paper;
        world *w = world_new(&config, script, lines);
        uint32_t branches = 0;
        for (int i = 0; i < 200 && (w->held_count > 0 ||
                                    core_count(w->c).tasks_queued > 0);
             i++) {
            while (core_count(w->c).tasks_queued > 0)
                world_lease(w, 1);
            branches += w->held[0].task.kind == TASK_BRANCH;
            assert_int_equal(w->held[0].task.paper_solver,
                             paper && w->held[0].task.kind == TASK_BRANCH);
            task_kind kind = w->held[0].task.kind;
            bool sees_places =
                kind == TASK_PLAN || kind == TASK_BRANCH || kind == TASK_POLL;
            assert_int_equal(w->held[0].task.any_place, paper && sees_places);
            bool is_checked = kind == TASK_BRANCH || kind == TASK_POLL;
            assert_int_equal(w->held[0].task.paper_collision,
                             paper && is_checked);
            assert_int_equal(w->held[0].task.paper_floating,
                             paper && is_checked);
            world_give(w, 0);
        }
        assert_true(branches >= 4);
        world_free(w);
    }
}

/* ---- lists of which not all can be done ---- */

static arrange_config list_config(uint32_t count, bool is_open)
{
    static const char *const steps[] = {"first", "second", "third", "fourth"};
    arrange_config config = world_config(NULL);
    config.steps = steps;
    config.step_count = count;
    config.open_list = is_open;
    config.max_steps = 24;
    return config;
}

/* `passed`: the items that were passed over, with their codes, "2:unread
 * 3:no_place". */
static void check_passed(const world *w,
                         const char *passed,
                         core_end_kind end,
                         uint32_t code)
{
    char told[256] = "";
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    for (uint32_t i = 0; i < view.passed_count; i++) {
        size_t at = strlen(told);
        snprintf(told + at, sizeof told - at, "%s%u:%s", i ? " " : "",
                 (unsigned)view.passed[i].item,
                 arrange_refusal_name(view.passed[i].refusal.code));
    }
    assert_string_equal(told, passed);
    assert_int_equal(view.end.kind, end);
    assert_int_equal(view.refusal.code, code);
    etna_arena_free(&arena);
}

static void what_of_a_list_cannot_be_read_is_passed_over(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "unreadable:unread:2",
           "edit:3 ggg ggg ggg ggg", "done");
    arrange_config config = list_config(3, true);
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3");
    assert_string_equal(w->passed, "2:it is full;");
    check_end(w, RUN_PARTIAL, 2, 0);
    check_passed(w, "2:unread", END_PASSED_OVER, REFUSAL_UNREAD);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.error, ETNA_OK);
    assert_string_equal(
        view.reason,
        "1 of 3 instructions was passed over: instruction 2: it is full");
    assert_true(etna_hash_equal(&view.final_snapshot, &view.nodes[2].after));
    etna_arena_free(&arena);
    world_free(w);
}

static void a_list_of_which_nothing_can_be_read_is_refused(void **state)
{
    (void)state;
    SCRIPT("unreadable:unread:1", "unreadable:unknown:2", "done");
    arrange_config config = list_config(2, true);
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "1:unread 2:unknown", END_UNREADABLE, REFUSAL_UNREAD);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.error, ETNA_E_INPUT);
    assert_string_equal(view.reason, "because");
    etna_arena_free(&arena);
    world_free(w);
}

static void a_list_of_one_instruction_is_refused_as_a_goal_is(void **state)
{
    (void)state;
    SCRIPT("unreadable:unread:1", "done");
    arrange_config config = list_config(1, true);
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "", END_UNREADABLE, REFUSAL_UNREAD);
    world_free(w);
}

static void what_the_planner_knows_to_be_impossible_is_passed_over_at_once(
    void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "impossible:impossible:2",
           "impossible:unknown:3", "edit:4 ggg ggg ggg ggg", "done");
    arrange_config config = list_config(4, true);
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 0);
    check_passed(w, "2:impossible 3:unknown", END_PASSED_OVER,
                 REFUSAL_IMPOSSIBLE);
    world_free(w);
}

/* Where a place is wanting another way is looked for; then what was done before
 * the failure stands again. */
static void what_has_no_place_is_passed_over_after_going_back(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", /* 1 */
           "edit:2 ggg ggg ggg ggg", /* 2 */
           "impossible:no_place:3",  /* 3: step 3 fails: d_a 3 -> 1 */
           "edit:1 C ggg C C",       /* 4: step 1 again */
           /* 5: step 2 fails: the cap of backtracks */
           "edit:2 C C C C",
           /* 6: step 3, after nodes 1 and 2 */
           "edit:4 ggg ggg ggg ggg", "done");
    arrange_config config = list_config(4, true);
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3 1/1/3 2/1/3 3/3/3 4/4/4");
    check_end(w, RUN_PARTIAL, 3, 1);
    check_passed(w, "3:no_place", END_PASSED_OVER, REFUSAL_NO_PLACE);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.nodes[5].parent, 2);
    assert_int_equal(view.nodes[0].state, NODE_EDITED);
    assert_int_equal(view.nodes[1].state, NODE_EDITED);
    assert_int_equal(view.nodes[3].state, NODE_GIVEN_UP);
    etna_arena_free(&arena);
    world_free(w);
}

static void
where_each_has_one_edit_the_next_takes_the_step_of_what_is_passed_over(
    void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "impossible:impossible",
           "edit ggg ggg ggg ggg");
    arrange_config config = list_config(3, false);
    world *w = played(&config, script, lines);
    assert_int_equal(w->plan_requests, 3);
    check_end(w, RUN_PARTIAL, 2, 0);
    check_passed(w, "2:impossible", END_PASSED_OVER, REFUSAL_IMPOSSIBLE);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.edits[0].item, 1);
    assert_int_equal(view.edits[1].item, 3);
    etna_arena_free(&arena);
    world_free(w);
}

static void without_backtracking_a_step_without_an_edit_is_passed_over(
    void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "edit C F C U", "edit ggg C C C");
    arrange_config config = list_config(3, false);
    config.ablation = ABLATION_NO_BACKTRACKING;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 0);
    check_passed(w, "2:no_place", END_PASSED_OVER, REFUSAL_NO_PLACE);
    world_free(w);
}

/* What fails while the search looks for another way for it is no fault of the
 * step that fails then. */
static void what_fails_on_the_way_back_is_not_what_is_passed_over(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "impossible:no_place:2",
           "unreadable:unread:1", "done");
    arrange_config config = list_config(2, true);
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 1, 1);
    check_passed(w, "2:no_place", END_PASSED_OVER, REFUSAL_NO_PLACE);
    world_free(w);
}

/* ---- goals of several parts ---- */

static void what_of_a_goal_cannot_be_read_is_passed_over(void **state)
{
    (void)state;
    SCRIPT("unreadable:unread:2", "edit:1 ggg ggg ggg ggg",
           "unreadable:unknown:3", "done");
    arrange_config config = world_config("first second third");
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2");
    check_end(w, RUN_PARTIAL, 1, 0);
    check_passed(w, "1:unread 2:unknown", END_PASSED_OVER, REFUSAL_UNREAD);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_string_equal(
        view.reason,
        "not all of the goal is done: \"second\" was passed over: it is full; \"third\" was "
        "passed over: it is full");
    assert_int_equal(view.error, ETNA_OK);
    assert_non_null(
        strstr(w->lines, "; \"second\" is passed over, on at step 1"));
    etna_arena_free(&arena);
    world_free(w);
}

static void a_goal_of_which_nothing_can_be_done_ends_as_it_did(void **state)
{
    (void)state;
    SCRIPT("unreadable:unread:2", "unreadable:unknown:1", "done");
    arrange_config config = world_config("first second");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "2:unknown 1:unread", END_UNREADABLE, REFUSAL_UNREAD);
    world_free(w);
}

/* "The toys into the box", and one does not fit: the others go in, and what is
 * left out is told by its name. */
static void of_several_things_those_that_have_a_place_go_there(void **state)
{
    (void)state;
    SCRIPT("impossible:impossible:1/4", "edit:1/3 ggg ggg ggg ggg",
           "impossible:impossible:1/2", "edit:2 ggg ggg ggg ggg", "done");
    arrange_config config = world_config("first second");
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3");
    check_end(w, RUN_PARTIAL, 2, 0);
    check_passed(w, "1:impossible 2:impossible", END_PASSED_OVER,
                 REFUSAL_IMPOSSIBLE);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_string_equal(
        view.reason,
        "not all of the goal is done: the block of \"first\" was passed over: it is full; the block of \"first\" was "
        "passed over: it is full");
    assert_non_null(
        strstr(w->lines, "; the block of \"first\" is passed over"));
    etna_arena_free(&arena);
    world_free(w);
}

/* Where no branch had a place the planner is asked once more, and knows why. */
static void why_one_of_several_is_left_out_the_planner_says_at_last(
    void **state)
{
    (void)state;
    SCRIPT("edit:1/4 C C C C", "impossible:impossible:1/4",
           "impossible:impossible:1/4", "edit:1/3 ggg ggg ggg ggg", "done");
    arrange_config config = world_config("first");
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 1, 2);
    check_passed(w, "1:impossible", END_PASSED_OVER, REFUSAL_IMPOSSIBLE);
    world_free(w);
}

static void a_thing_is_passed_over_once(void **state)
{
    (void)state;
    SCRIPT("impossible:impossible:1/4", "impossible:impossible:1/4", "done");
    arrange_config config = world_config("first second");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "1:impossible", END_IDENTICAL, REFUSAL_IMPOSSIBLE);
    world_free(w);
}

/* A part that is named once more, or overlaps one that is passed over, does not
 * go on for ever. */
static void no_part_of_a_goal_is_passed_over_twice(void **state)
{
    (void)state;
    SCRIPT("unreadable:unread:2", "unreadable:unread:2", "done");
    arrange_config config = world_config("first second");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "1:unread", END_UNREADABLE, REFUSAL_UNREAD);
    world_free(w);
}

/* What is left when all parts were passed over says nothing, and not why the
 * run failed. */
static void where_nothing_is_left_to_read_the_first_cause_is_told(void **state)
{
    (void)state;
    SCRIPT("unreadable:unknown:2", "unreadable:unread:2", "done");
    arrange_config config = world_config("first second");
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    check_passed(w, "1:unknown", END_UNREADABLE, REFUSAL_UNKNOWN);
    world_free(w);
}

static void a_part_without_a_place_is_passed_over_after_going_back(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "edit:2 C C C C", "edit:1 C ggg C C",
           "edit:2 C C C C", "edit:3 ggg ggg ggg ggg", "done");
    arrange_config config = world_config("first second third");
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 1);
    check_passed(w, "1:no_place", END_PASSED_OVER, REFUSAL_NO_PLACE);
    world_free(w);
}

/* ---- edits that make way ---- */

static void what_only_made_way_for_what_failed_is_not_kept(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit:way ggg ggg ggg ggg",
           "edit:way ggg ggg ggg ggg", "impossible");
    arrange_config config = world_config("put the bottle on the block");
    config.max_backtracks = 0;
    world *w = played(&config, script, lines);
    assert_string_equal(w->trace, "1/1/1 2/2/2 3/3/3 4/4/4");
    check_end(w, RUN_PARTIAL, 1, 0);
    world_free(w);
}

static void a_run_that_only_made_way_has_failed(void **state)
{
    (void)state;
    SCRIPT("edit:way ggg ggg ggg ggg", "impossible");
    arrange_config config = world_config("put the bottle on the block");
    config.max_backtracks = 0;
    world *w = played(&config, script, lines);
    check_end(w, RUN_FAILED, 0, 0);
    world_free(w);
}

static void what_made_way_is_kept_with_what_came_behind_it(void **state)
{
    (void)state;
    SCRIPT("edit:way ggg ggg ggg ggg", "edit ggg ggg ggg ggg", "impossible");
    arrange_config config = world_config("put the bottle on the block");
    config.max_backtracks = 0;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 0);
    world_free(w);
}

static void what_made_way_at_the_end_of_a_complete_run_is_kept(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit:way ggg ggg ggg ggg", "done");
    arrange_config config = world_config("put the bottle on the block");
    world *w = played(&config, script, lines);
    check_end(w, RUN_COMPLETE, 2, 0);
    world_free(w);
}

static void what_made_way_for_what_is_passed_over_is_given_up(void **state)
{
    (void)state;
    SCRIPT("edit:1 ggg ggg ggg ggg", "edit:way:2 ggg ggg ggg ggg",
           "impossible:no_place:2", "edit:1 ggg ggg ggg ggg",
           "edit:way:2 ggg ggg ggg ggg", "impossible:no_place:2",
           "edit:3 ggg ggg ggg ggg", "done");
    arrange_config config = world_config("first second third");
    config.max_backtracks = 1;
    world *w = played(&config, script, lines);
    check_end(w, RUN_PARTIAL, 2, 1);
    check_passed(w, "1:no_place", END_PASSED_OVER, REFUSAL_NO_PLACE);
    assert_non_null(
        strstr(w->lines, "; \"second\" is passed over, on at step 2"));
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_goal_is_complete_when_the_planner_says_so),
        cmocka_unit_test(a_goal_that_holds_already_needs_no_edit),
        cmocka_unit_test(
            an_open_list_takes_the_edits_that_its_planner_asks_for),
        cmocka_unit_test(an_open_list_ends_at_its_cap_of_edits),
        cmocka_unit_test(the_first_cause_of_a_failure_is_told),
        cmocka_unit_test(
            a_list_is_complete_without_a_call_when_each_has_its_edit),
        cmocka_unit_test(a_failure_halves_the_anchor),
        cmocka_unit_test(half_depth_halves_the_step_instead),
        cmocka_unit_test(at_s_max_plus_one_only_complete_counts),
        cmocka_unit_test(
            a_run_keeps_the_deepest_scene_and_the_latest_among_equals),
        cmocka_unit_test(a_run_without_an_edit_fails),
        cmocka_unit_test(an_identical_failure_ends_the_run),
        cmocka_unit_test(
            a_failure_is_identical_by_kind_and_objects_and_not_by_its_words),
        cmocka_unit_test(a_failure_by_another_thing_is_no_identical_one),
        cmocka_unit_test(another_place_is_no_identical_failure),
        cmocka_unit_test(an_unreadable_goal_is_refused_before_any_branch),
        cmocka_unit_test(impossible_and_malformed_plans_fail_the_step),
        cmocka_unit_test(
            the_planner_is_told_what_failed_there_and_what_was_given_up),
        cmocka_unit_test(without_memory_a_step_is_told_of_nothing_at_its_place),
        cmocka_unit_test(one_planner_a_branch_when_asked),
        cmocka_unit_test(every_branch_is_told_whose_solver),
        cmocka_unit_test(what_of_a_list_cannot_be_read_is_passed_over),
        cmocka_unit_test(a_list_of_which_nothing_can_be_read_is_refused),
        cmocka_unit_test(a_list_of_one_instruction_is_refused_as_a_goal_is),
        cmocka_unit_test(
            what_the_planner_knows_to_be_impossible_is_passed_over_at_once),
        cmocka_unit_test(what_has_no_place_is_passed_over_after_going_back),
        cmocka_unit_test(
            where_each_has_one_edit_the_next_takes_the_step_of_what_is_passed_over),
        cmocka_unit_test(
            without_backtracking_a_step_without_an_edit_is_passed_over),
        cmocka_unit_test(what_fails_on_the_way_back_is_not_what_is_passed_over),
        cmocka_unit_test(what_of_a_goal_cannot_be_read_is_passed_over),
        cmocka_unit_test(a_goal_of_which_nothing_can_be_done_ends_as_it_did),
        cmocka_unit_test(of_several_things_those_that_have_a_place_go_there),
        cmocka_unit_test(
            why_one_of_several_is_left_out_the_planner_says_at_last),
        cmocka_unit_test(a_thing_is_passed_over_once),
        cmocka_unit_test(no_part_of_a_goal_is_passed_over_twice),
        cmocka_unit_test(where_nothing_is_left_to_read_the_first_cause_is_told),
        cmocka_unit_test(
            a_part_without_a_place_is_passed_over_after_going_back),
        cmocka_unit_test(what_only_made_way_for_what_failed_is_not_kept),
        cmocka_unit_test(a_run_that_only_made_way_has_failed),
        cmocka_unit_test(what_made_way_is_kept_with_what_came_behind_it),
        cmocka_unit_test(what_made_way_at_the_end_of_a_complete_run_is_kept),
        cmocka_unit_test(what_made_way_for_what_is_passed_over_is_given_up),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
