/* "The goal is reached": a network model's word for it is measured before a run
 * is complete by it. */
#include "tests/unit/coordinator/core/harness.h"

#include <string.h>

enum {
    EVERYBODY = 1 << ROLE_PLANNER | 1 << ROLE_EXECUTOR | 1 << ROLE_EVALUATOR
};

/* A run of network models whose claims are measured as said. */
static world *claim_world(const char *const *script,
                          uint32_t count,
                          const char *measured)
{
    arrange_config config = world_config("tidy up");
    config.model = "sloppy";
    config.foreign = EVERYBODY;
    world *w = world_new(&config, script, count);
    w->measured = measured;
    world_drive(w);
    return w;
}

static void assert_ends(const world *w,
                        run_state state,
                        core_end_kind end,
                        uint32_t edits)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, state);
    assert_int_equal(view.end.kind, end);
    assert_int_equal(view.edit_count, edits);
    assert_int_equal(view.backtracks, 0);
    assert_int_equal(view.refusal.code,
                     state == RUN_COMPLETE ? REFUSAL_NONE : REFUSAL_MODEL);
    etna_arena_free(&arena);
}

static void a_claim_that_holds_completes_the_run(void **state)
{
    (void)state;
    const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    world *w = claim_world(script, 2, "done");
    assert_ends(w, RUN_COMPLETE, END_COMPLETE, 1);
    assert_int_equal(w->measures, 1);
    world_free(w);
}

static void a_claim_before_any_edit_that_does_not_hold_fails_the_run(
    void **state)
{
    (void)state;
    const char *const script[] = {"done"};
    world *w = claim_world(script, 1, "impossible:no_place");
    assert_ends(w, RUN_FAILED, END_UNPROVEN, 0);
    assert_int_equal(w->plan_requests, 2);
    assert_string_equal(w->failures,
                        "1.0:the planner says that the goal is reached, but "
                        "not all of it holds: it is full;");
    assert_non_null(strstr(w->lines, "planned once more"));
    world_free(w);
}

static void a_claim_after_an_edit_that_does_not_hold_leaves_it_partial(
    void **state)
{
    (void)state;
    const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    world *w = claim_world(script, 2, "edit");
    assert_ends(w, RUN_PARTIAL, END_UNPROVEN, 1);
    world_free(w);
}

static void a_planner_that_is_told_may_go_on(void **state)
{
    (void)state;
    const char *const script[] = {"done", "edit ggg ggg ggg ggg", "done"};
    arrange_config config = world_config("tidy up");
    config.model = "sloppy";
    config.foreign = EVERYBODY;
    world *w = world_new(&config, script, 3);
    w->measured = "impossible:no_place";
    while (!strstr(w->lines, "edited")) {
        world_lease(w, 1);
        world_give(w, 0);
    }
    w->measured = "done";
    world_drive(w);
    assert_ends(w, RUN_COMPLETE, END_COMPLETE, 1);
    world_free(w);
}

static void what_cannot_be_read_is_left_to_who_accepted_an_edit(void **state)
{
    (void)state;
    const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    world *w = claim_world(script, 2, "unreadable");
    assert_ends(w, RUN_COMPLETE, END_COMPLETE, 1);
    world_free(w);
    const char *const at_once[] = {"done"};
    w = claim_world(at_once, 1, "unreadable:unread");
    assert_ends(w, RUN_FAILED, END_UNPROVEN, 0);
    assert_non_null(strstr(w->lines, "nothing was moved"));
    world_free(w);
}

static void a_list_is_measured_when_it_has_its_edits(void **state)
{
    (void)state;
    static const char *const steps[] = {"first", "second"};
    const char *const script[] = {"edit ggg ggg ggg ggg"};
    const char *const measured[] = {"done", "impossible"};
    for (int i = 0; i < 2; i++) {
        arrange_config config = world_config(NULL);
        config.steps = steps;
        config.step_count = 2;
        config.model = "sloppy";
        config.foreign = EVERYBODY;
        world *w = world_new(&config, script, 1);
        w->measured = measured[i];
        world_drive(w);
        assert_ends(w, i ? RUN_PARTIAL : RUN_COMPLETE,
                    i ? END_UNPROVEN : END_COMPLETE, 2);
        assert_int_equal(w->measures, 1);
        world_free(w);
    }
}

static void the_built_in_agent_has_measured_already(void **state)
{
    (void)state;
    const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    arrange_config config = world_config("tidy up");
    world *w = world_new(&config, script, 2);
    world_drive(w);
    assert_ends(w, RUN_COMPLETE, END_COMPLETE, 1);
    assert_int_equal(w->measures, 0);
    world_free(w);
}

static void a_measure_that_nobody_can_make_is_none(void **state)
{
    (void)state;
    const char *const script[] = {"edit ggg ggg ggg ggg", "done"};
    arrange_config config = world_config("tidy up");
    config.model = "sloppy";
    config.foreign = EVERYBODY;
    world *w = world_new(&config, script, 2);
    int at = -1;
    while (at < 0) {
        world_lease(w, 1);
        at = world_find(w, TASK_PLAN, 2, 0, ARRANGE_PLAN_MEASURES);
        if (at < 0)
            world_give(w, 0);
    }
    for (int attempt = 0; attempt < 3; attempt++) {
        message failed = {.kind = MESSAGE_RESULT};
        failed.body.result = (message_result){.ref = w->held[at].ref,
                                              .error = ETNA_E_IO,
                                              .error_text = "disk on fire"};
        w->held[at] = w->held[--w->held_count];
        world_message(w, 1, 1, w->next_sequence++, &failed, NULL, NULL);
        if (attempt == 2)
            break;
        world_lease(w, 1);
        at = world_find(w, TASK_PLAN, 2, 0, ARRANGE_PLAN_MEASURES);
        assert_true(at >= 0);
    }
    world_drive(w);
    assert_ends(w, RUN_COMPLETE, END_COMPLETE, 1);
    world_free(w);
}

/* Whatever the coordinator had heard when it died, the run ends the same. */
static void a_journal_cut_anywhere_ends_the_same(void **state)
{
    (void)state;
    const char *const script[] = {"done"};
    world *whole = claim_world(script, 1, "impossible:no_place");
    for (uint32_t cut = 1; cut <= whole->record_count; cut++) {
        world *w = world_restart(whole, cut);
        w->measured = whole->measured;
        world_resume(w);
        world_drive(w);
        assert_ends(w, RUN_FAILED, END_UNPROVEN, 0);
        assert_int_equal(w->record_count, whole->record_count);
        world_free(w);
    }
    world_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_that_holds_completes_the_run),
        cmocka_unit_test(
            a_claim_before_any_edit_that_does_not_hold_fails_the_run),
        cmocka_unit_test(
            a_claim_after_an_edit_that_does_not_hold_leaves_it_partial),
        cmocka_unit_test(a_planner_that_is_told_may_go_on),
        cmocka_unit_test(what_cannot_be_read_is_left_to_who_accepted_an_edit),
        cmocka_unit_test(a_list_is_measured_when_it_has_its_edits),
        cmocka_unit_test(the_built_in_agent_has_measured_already),
        cmocka_unit_test(a_measure_that_nobody_can_make_is_none),
        cmocka_unit_test(a_journal_cut_anywhere_ends_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
