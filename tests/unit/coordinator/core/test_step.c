/* One step: the three early ends, what counts in each, ties, abstentions, and
 * caps on what counted. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define SCRIPT(...) \
    static const char *const script[] = {__VA_ARGS__}; \
    uint32_t lines = sizeof script / sizeof *script

typedef struct outcome {
    run_state state;
    etna_hash final;
    uint64_t tokens;
    uint32_t backtracks, edits, nodes;
    int32_t winner;  /* of node 1 */
    char tree[4096]; /* every node and branch that counts */
} outcome;

static outcome outcome_of(const world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    outcome out = {.state = view.state,
                   .final = view.final_snapshot,
                   .tokens = view.used.tokens_in + view.used.tokens_out,
                   .backtracks = view.backtracks,
                   .edits = view.edit_count,
                   .nodes = view.node_count,
                   .winner = view.node_count ? view.nodes[0].winner : -1};
    for (uint32_t i = 0; i < view.node_count; i++) {
        size_t at = strlen(out.tree);
        snprintf(out.tree + at, sizeof out.tree - at,
                 "%u %s:", (unsigned)view.nodes[i].step,
                 core_node_state_name(view.nodes[i].state));
        for (uint32_t j = 0; j < view.nodes[i].branch_count; j++) {
            at = strlen(out.tree);
            snprintf(out.tree + at, sizeof out.tree - at, " %s",
                     core_branch_state_name(view.nodes[i].branches[j].state));
        }
        strcat(out.tree, "\n");
    }
    etna_arena_free(&arena);
    return out;
}

static outcome play(arrange_config config,
                    const char *const *script,
                    uint32_t lines,
                    world_order order,
                    uint64_t shuffle,
                    bool repeat)
{
    world *w = world_new(&config, script, lines);
    w->order = order;
    w->random = etna_random_from(shuffle);
    w->repeat_results = repeat;
    world_drive(w);
    outcome out = outcome_of(w);
    world_free(w);
    return out;
}

static arrange_config config_of(uint32_t early_end)
{
    arrange_config config = world_config("tidy up");
    config.early_end = early_end;
    return config;
}

static void first_takes_the_first_branch_that_all_polls_praise(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg gge C", "done");
    assert_int_equal(
        play(config_of(EARLY_END_FIRST), script, lines, ORDER_FIFO, 1, false)
            .winner,
        0);
    assert_int_equal(
        play(config_of(EARLY_END_FIRST), script, lines, ORDER_LIFO, 1, false)
            .winner,
        2);
}

typedef struct tried { /* at the start of node 1, and in the end */
    uint32_t begun;
    int32_t winner;
    uint32_t calls;
} tried;

static tried try_at_once(uint32_t early_end,
                         uint32_t at_once,
                         bool own_plans,
                         const char *const *script,
                         uint32_t lines,
                         world_order order)
{
    arrange_config config = config_of(early_end);
    config.branches_at_once = at_once;
    config.plan_per_branch = own_plans;
    world *w = world_new(&config, script, lines);
    w->order = order;
    while (core_count(w->c).tasks_queued > 0)
        world_lease(w, 1);
    world_give(w, 0); /* the import */
    while (core_count(w->c).tasks_queued > 0)
        world_lease(w, 1);
    tried ret = {.begun = w->held_count};
    if (!own_plans) {
        world_give(w, 0);
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        ret.begun = w->held_count;
    }
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    ret.winner = view.nodes[0].winner;
    ret.calls = view.used.calls;
    etna_arena_free(&arena);
    world_free(w);
    return ret;
}

static void branches_at_once_tries_more_when_all_before_failed(void **state)
{
    (void)state;
    static const uint32_t modes[] = {EARLY_END_FIRST, EARLY_END_ORDERED,
                                     EARLY_END_OFF};
    SCRIPT("edit C fbf gfg ggg", "done");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        for (world_order order = ORDER_FIFO; order <= ORDER_RANDOM; order++) {
            tried one = try_at_once(modes[i], 1, false, script, lines, order);
            assert_int_equal(one.begun, 1);
            /* accepted, if not by all: the fourth is not tried */
            assert_int_equal(one.winner, 2);
            assert_int_equal(one.calls,
                             /* two plans, three executors, two branches'
                              * polls */
                             2 + 3 + 6);
            tried two = try_at_once(modes[i], 2, false, script, lines, order);
            assert_int_equal(two.begun, 2);
            assert_int_equal(two.winner, 3); /* of the second two the better */
            tried own = try_at_once(modes[i], 1, true, script, lines, order);
            /* nor is there a plan for who is not tried yet */
            assert_int_equal(own.begun, 1);
            assert_int_equal(own.winner, 2);
        }
    }
}

static void a_step_fails_when_the_last_of_its_branches_has(void **state)
{
    (void)state;
    SCRIPT("edit C fbf C C", "edit C C C ggg", "done");
    for (uint32_t at_once = 1; at_once <= 5; at_once++) {
        arrange_config config = config_of(EARLY_END_ORDERED);
        config.branches_at_once = at_once;
        outcome out = play(config, script, lines, ORDER_RANDOM, at_once, true);
        assert_int_equal(out.state, RUN_COMPLETE);
        assert_int_equal(out.backtracks, 1);
        assert_int_equal(out.nodes, 3);
    }
}

static void ordered_takes_the_lowest_whatever_comes_first(void **state)
{
    (void)state;
    SCRIPT("edit fff ggg eee C", "done");
    outcome fifo =
        play(config_of(EARLY_END_ORDERED), script, lines, ORDER_FIFO, 1, false);
    assert_int_equal(fifo.winner, 1);
    /* plan, branch and polls of 0 and of 1, and the last plan: nothing of 2 and
     * 3 */
    assert_int_equal(fifo.tokens, (1 + 4 + 4 + 1) * TOKENS_A_CALL);
    assert_string_equal(
        fifo.tree,
        "1 edited: rejected accepted dropped dropped\n2 complete: dropped dropped dropped dropped\n");
    outcome lifo =
        play(config_of(EARLY_END_ORDERED), script, lines, ORDER_LIFO, 1, false);
    assert_int_equal(lifo.winner, 1);
    assert_string_equal(lifo.tree, fifo.tree);
    assert_int_equal(lifo.tokens, fifo.tokens);
}

static void an_early_end_beats_a_lower_branch_with_a_higher_mean(void **state)
{
    (void)state;
    /* 4/3 but one fair; 3/3 and praised by all */
    SCRIPT("edit eef ggg C C", "done");
    assert_int_equal(
        play(config_of(EARLY_END_ORDERED), script, lines, ORDER_FIFO, 1, false)
            .winner,
        1);
    assert_int_equal(
        play(config_of(EARLY_END_FIRST), script, lines, ORDER_FIFO, 1, false)
            .winner,
        1);
    assert_int_equal(
        play(config_of(EARLY_END_OFF), script, lines, ORDER_FIFO, 1, false)
            .winner,
        0);
}

static void off_judges_all_and_takes_the_best(void **state)
{
    (void)state;
    SCRIPT("edit ggg eef eee C", "done");
    outcome out =
        play(config_of(EARLY_END_OFF), script, lines, ORDER_LIFO, 1, false);
    assert_int_equal(out.winner, 2);
    assert_int_equal(out.tokens, (1 + 3 * 4 + 1 + 1) * TOKENS_A_CALL);
}

static void a_mean_of_zero_is_not_accepted(void **state)
{
    (void)state;
    SCRIPT("edit fff gbf ttt gbg", "done");
    for (uint32_t mode = EARLY_END_FIRST; mode <= EARLY_END_OFF; mode++) {
        assert_int_equal(
            play(config_of(mode), script, lines, ORDER_FIFO, 1, false).winner,
            3);
    }
}

static void ties_go_to_the_lower_loss_then_the_lower_branch(void **state)
{
    (void)state;
    SCRIPT("edit gff@0.05 fgf@0.02 ffg@0.02 gff@0.03", "done");
    for (uint32_t mode = EARLY_END_FIRST; mode <= EARLY_END_OFF; mode++) {
        assert_int_equal(
            play(config_of(mode), script, lines, ORDER_LIFO, 1, false).winner,
            1);
    }
}

static void
an_abstention_prevents_the_early_end_and_two_leave_a_branch_unjudged(
    void **state)
{
    (void)state;
    SCRIPT("edit eea eaa C ggg", "done");
    outcome off =
        play(config_of(EARLY_END_OFF), script, lines, ORDER_FIFO, 1, false);
    assert_int_equal(off.winner, 0); /* mean 2 of two verdicts */
    assert_string_equal(
        off.tree,
        "1 edited: accepted unjudged failed accepted\n2 complete: dropped dropped dropped dropped\n");
    assert_int_equal(
        play(config_of(EARLY_END_ORDERED), script, lines, ORDER_FIFO, 1, false)
            .winner,
        3);
}

static void ordered_comes_to_the_same_in_any_order_with_repeats(void **state)
{
    (void)state;
    SCRIPT("edit fff ggg eee C", "edit C eea bbb gff", "edit C F U M",
           "edit aaa gbg eeg ggg", "edit R C ffg tte", "edit C C F F",
           "edit ggg C C C", "edit gef C C C", "done");
    arrange_config config = config_of(EARLY_END_ORDERED);
    for (int per_branch = 0; per_branch < 2; per_branch++) {
        config.plan_per_branch = per_branch;
        outcome want = play(config, script, lines, ORDER_FIFO, 1, false);
        assert_int_equal(want.state, RUN_COMPLETE);
        assert_true(want.backtracks > 0);
        for (uint64_t shuffle = 1; shuffle <= 60; shuffle++) {
            outcome got =
                play(config, script, lines, ORDER_RANDOM, shuffle, shuffle % 2);
            assert_string_equal(got.tree, want.tree);
            assert_int_equal(got.tokens, want.tokens);
            assert_memory_equal(&got.final, &want.final, sizeof want.final);
        }
    }
}

static void a_token_cap_in_ordered_ends_at_the_same_result(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit fff bbb ggg C", "edit C ggg eee ggg",
           "done");
    for (uint64_t cap = 1; cap <= 20; cap++) {
        arrange_config config = config_of(EARLY_END_ORDERED);
        config.max_tokens = cap * TOKENS_A_CALL;
        outcome want = play(config, script, lines, ORDER_FIFO, 1, false);
        /* calls of the run without a cap */
        uint64_t whole = 1 + 4 + 1 + 4 + 4 + 4 + 1 + 1 + 4 + 1;
        assert_int_equal(want.state, cap < 5       ? RUN_FAILED
                                     : cap < whole ? RUN_PARTIAL
                                                   : RUN_COMPLETE);
        if (cap < 20)
            assert_int_equal(want.tokens, cap * TOKENS_A_CALL);
        for (uint64_t shuffle = 1; shuffle <= 10; shuffle++) {
            outcome got =
                play(config, script, lines, ORDER_RANDOM, shuffle, false);
            assert_int_equal(got.state, want.state);
            assert_int_equal(got.tokens, want.tokens);
            assert_string_equal(got.tree, want.tree);
        }
    }
}

static void late_results_of_a_decided_step_change_nothing(void **state)
{
    (void)state;
    SCRIPT("edit ggg eee C C", "edit C ggg C C", "done");
    arrange_config config = config_of(EARLY_END_FIRST);
    world *w = world_new(&config, script, lines);
    world_held late[WORLD_HELD_MAX];
    uint32_t count = 0;
    for (int i = 0; i < 40 && w->held_count + core_count(w->c).tasks_queued;
         i++) {
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1);
        for (uint32_t j = 0; j < w->held_count; j++)
            late[count++] = w->held[j];
        world_give(w, 0);
        if (strstr(w->lines, "edited: branch 0"))
            break;
    }
    uint32_t records = w->record_count;
    for (uint32_t i = 0; i < count; i++) {
        if (late[i].task.node != 1)
            continue;
        arrange_result result = world_result_of(w, &late[i]);
        message m = {.kind = MESSAGE_RESULT};
        m.body.result.ref = late[i].ref;
        world_message(w, late[i].worker, 1, w->next_sequence++, &m, NULL,
                      &result);
        assert_int_equal(w->update.send_count, 1);
        assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RESULT_ACK);
    }
    assert_int_equal(w->record_count, records);
    world_free(w);
}

static outcome play_without(uint32_t ablation,
                            const char *const *script,
                            uint32_t lines,
                            uint32_t early_end)
{
    arrange_config config = config_of(early_end);
    config.ablation = ablation;
    if (arrange_is_single(ablation))
        config.branches = 1;
    return play(config, script, lines, ORDER_FIFO, 1, false);
}

/* VULCAN 6.4: always on with the best there is. */
static void without_backtracking_the_best_edit_is_taken_though_nobody_likes_it(
    void **state)
{
    (void)state;
    SCRIPT("edit bbb fff@0.5 fff@0.02 C", "edit C aaa M U", "done");
    for (uint32_t mode = EARLY_END_FIRST; mode <= EARLY_END_OFF; mode++) {
        outcome whole = play_without(ABLATION_NONE, script, lines, mode),
                out =
                    play_without(ABLATION_NO_BACKTRACKING, script, lines, mode);
        assert_int_equal(whole.winner, -1);
        assert_true(whole.backtracks > 0);
        assert_int_equal(out.winner, 2);
        assert_int_equal(out.state, RUN_COMPLETE);
        assert_int_equal(out.edits, 2);
        assert_int_equal(out.backtracks, 0);
    }
}

static void without_backtracking_a_step_without_any_edit_ends_the_run(
    void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "edit C C M U", "done");
    outcome out = play_without(ABLATION_NO_BACKTRACKING, script, lines,
                               EARLY_END_ORDERED);
    assert_int_equal(out.state, RUN_PARTIAL);
    assert_int_equal(out.edits, 1);
    assert_int_equal(out.nodes, 2);
    assert_int_equal(out.backtracks, 0);
}

static void a_single_agent_plans_with_its_branch_and_is_not_judged(void **state)
{
    (void)state;
    SCRIPT("edit ggg", "edit C", "edit bbb", "edit ggg", "done");
    for (uint32_t mode = EARLY_END_FIRST; mode <= EARLY_END_OFF; mode++) {
        outcome out = play_without(ABLATION_SINGLE_AGENT, script, lines, mode);
        assert_int_equal(out.state, RUN_COMPLETE);
        assert_int_equal(out.backtracks,
                         /* the solver and the checks can still fail it; a
                          * verdict cannot */
                         1);
        assert_int_equal(out.edits, 2);
        /* one conversation a step */
        assert_int_equal(out.tokens, 5 * TOKENS_A_CALL);
    }
}

static void a_single_agent_may_give_up_or_not_be_read(void **state)
{
    (void)state;
    SCRIPT("edit ggg", "impossible", "malformed", "unreadable");
    outcome out =
        play_without(ABLATION_SINGLE_AGENT, script, lines, EARLY_END_ORDERED);
    assert_int_equal(out.backtracks, 2);
    assert_int_equal(out.nodes, 4);
    assert_int_equal(out.edits, 1); /* what it had is kept */
}

static void a_single_agent_is_asked_once_more_behind_its_last_step(void **state)
{
    (void)state;
    SCRIPT("edit ggg", "done");
    arrange_config config = config_of(EARLY_END_ORDERED);
    config.ablation = ABLATION_SINGLE_AGENT;
    config.branches = config.max_steps = 1;
    assert_int_equal(play(config, script, lines, ORDER_FIFO, 1, false).state,
                     RUN_COMPLETE);
    static const char *const more[] = {"edit ggg"};
    config.max_backtracks = 0;
    outcome out = play(config, more, 1, ORDER_FIFO, 1, false);
    assert_int_equal(out.state, RUN_PARTIAL);
    assert_int_equal(out.edits, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_takes_the_first_branch_that_all_polls_praise),
        cmocka_unit_test(branches_at_once_tries_more_when_all_before_failed),
        cmocka_unit_test(a_step_fails_when_the_last_of_its_branches_has),
        cmocka_unit_test(ordered_takes_the_lowest_whatever_comes_first),
        cmocka_unit_test(an_early_end_beats_a_lower_branch_with_a_higher_mean),
        cmocka_unit_test(off_judges_all_and_takes_the_best),
        cmocka_unit_test(a_mean_of_zero_is_not_accepted),
        cmocka_unit_test(ties_go_to_the_lower_loss_then_the_lower_branch),
        cmocka_unit_test(
            an_abstention_prevents_the_early_end_and_two_leave_a_branch_unjudged),
        cmocka_unit_test(ordered_comes_to_the_same_in_any_order_with_repeats),
        cmocka_unit_test(a_token_cap_in_ordered_ends_at_the_same_result),
        cmocka_unit_test(
            without_backtracking_the_best_edit_is_taken_though_nobody_likes_it),
        cmocka_unit_test(
            without_backtracking_a_step_without_any_edit_ends_the_run),
        cmocka_unit_test(
            a_single_agent_plans_with_its_branch_and_is_not_judged),
        cmocka_unit_test(a_single_agent_may_give_up_or_not_be_read),
        cmocka_unit_test(
            a_single_agent_is_asked_once_more_behind_its_last_step),
        cmocka_unit_test(late_results_of_a_decided_step_change_nothing),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
