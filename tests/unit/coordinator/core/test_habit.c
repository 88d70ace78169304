/* Models whose answers cannot be read: how few conversations find out, what the
 * run says then, and who goes on. */
#include "harness.h"

#include <string.h>

#define SCRIPT(...) \
    static const char *const script[] = {__VA_ARGS__}; \
    uint32_t lines = sizeof script / sizeof *script

enum {
    EVERYBODY = 1 << ROLE_PLANNER | 1 << ROLE_EXECUTOR | 1 << ROLE_EVALUATOR
};

static arrange_config config_of(uint32_t foreign)
{
    arrange_config config = world_config("tidy up");
    config.model = "sloppy";
    config.foreign = foreign;
    return config;
}

static uint32_t count_held(const world *w, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->held_count; i++)
        count += w->held[i].task.kind == kind;
    return count;
}

static void lease_all(world *w)
{
    while (core_count(w->c).tasks_queued > 0)
        world_lease(w, 1);
}

static void give(
    world *w, uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll)
{
    int at = world_find(w, kind, node, branch, poll);
    assert_true(at >= 0);
    world_give(w, (uint32_t)at);
    lease_all(w);
}

/* Its worker cannot do it, as often as it is tried. */
static void refuse(
    world *w, uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll)
{
    for (uint32_t attempt = 0; attempt < 3; attempt++) {
        int at = world_find(w, kind, node, branch, poll);
        assert_true(at >= 0);
        message failed = {.kind = MESSAGE_RESULT};
        failed.body.result = (message_result){.ref = w->held[at].ref,
                                              .error = ETNA_E_IO,
                                              .error_text = "disk on fire"};
        w->held[at] = w->held[--w->held_count];
        world_message(w, 1, 1, w->next_sequence++, &failed, NULL, NULL);
        lease_all(w);
    }
}

/* What the run says of why it rests; "": it does not. */
static void assert_rests(const world *w, const char *why)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, *why ? RUN_SUSPENDED : RUN_RUNNING);
    assert_string_equal(view.outage, why);
    assert_int_equal(view.backtracks, 0);
    etna_arena_free(&arena);
}

static run_state state_of(const world *w, uint32_t *ret_calls)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    run_state state = view.state;
    *ret_calls = view.used.calls;
    etna_arena_free(&arena);
    return state;
}

static void one_conversation_goes_on_at_a_time_until_something_was_read(
    void **state)
{
    (void)state;
    SCRIPT("edit fgg ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    assert_int_equal(count_held(w, TASK_BRANCH), 1);
    give(w, TASK_BRANCH, 1, 0, 0);
    /* the evaluator is not known yet */
    assert_int_equal(count_held(w, TASK_BRANCH), 0);
    assert_int_equal(count_held(w, TASK_POLL), 1);
    give(w, TASK_POLL, 1, 0, 0);
    /* this one will not end the step */
    assert_int_equal(count_held(w, TASK_BRANCH), 3);
    assert_int_equal(count_held(w, TASK_POLL), 2);
    world_free(w);
}

/* Up to where the first verdict is told; later steps run all branches. */
static world *world_at_second_step(arrange_config *config,
                                   const char *const *script,
                                   uint32_t lines)
{
    world *w = world_new(config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    give(w, TASK_BRANCH, 1, 0, 0);
    for (uint32_t poll = 0; poll < 3; poll++)
        give(w, TASK_POLL, 1, 0, poll);
    give(w, TASK_PLAN, 2, 0, 0);
    assert_int_equal(count_held(w, TASK_BRANCH), 4);
    return w;
}

static void a_branch_that_may_end_the_step_is_judged_alone(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit ggf ggg ggg ggg", "done");
    const arrange_early_end ends[] = {EARLY_END_ORDERED, EARLY_END_FIRST};
    for (size_t i = 0; i < 2; i++) {
        arrange_config config = config_of(EVERYBODY);
        config.early_end = ends[i];
        world *w = world_at_second_step(&config, script, lines);
        give(w, TASK_BRANCH, 2, 0, 0);
        give(w, TASK_BRANCH, 2, 1, 0);
        give(w, TASK_BRANCH, 2, 3, 0);
        assert_int_equal(count_held(w, TASK_POLL), 3);
        give(w, TASK_POLL, 2, 0, 1);
        assert_int_equal(count_held(w, TASK_POLL), 2);
        give(w, TASK_POLL, 2, 0, 2); /* not this one */
        assert_int_equal(count_held(w, TASK_POLL), 1 + 6);
        give(w, TASK_BRANCH, 2, 2, 0);
        assert_int_equal(count_held(w, TASK_POLL), 1 + 9);
        world_free(w);
    }
}

static void the_first_branch_of_the_order_is_judged_first(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit C ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_at_second_step(&config, script, lines);
    give(w, TASK_BRANCH, 2, 1, 0);
    assert_int_equal(count_held(w, TASK_POLL), 0);
    give(w, TASK_BRANCH, 2, 0, 0); /* fails */
    assert_int_equal(count_held(w, TASK_POLL), 3);
    world_free(w);

    config.early_end = EARLY_END_FIRST;
    w = world_at_second_step(&config, script, lines);
    give(w, TASK_BRANCH, 2, 1, 0);
    assert_int_equal(count_held(w, TASK_POLL), 3); /* whoever is there first */
    world_free(w);
}

static void who_judges_for_nothing_judges_all_at_once(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "done");
    const uint32_t foreign[] = {1 << ROLE_PLANNER, EVERYBODY};
    const arrange_early_end ends[] = {EARLY_END_ORDERED, EARLY_END_OFF};
    /* of two branches; while nothing was read one at a time */
    const uint32_t held[] = {6, 4};
    for (size_t i = 0; i < 2; i++) {
        arrange_config config = config_of(foreign[i]);
        config.early_end = ends[i];
        world *w = world_new(&config, script, lines);
        lease_all(w);
        give(w, TASK_IMPORT, 0, 0, 0);
        give(w, TASK_PLAN, 1, 0, 0);
        give(w, TASK_BRANCH, 1, 0, 0);
        if (i == 1)
            give(w, TASK_POLL, 1, 0, 0);
        give(w, TASK_BRANCH, 1, 1, 0);
        assert_int_equal(count_held(w, TASK_POLL), held[i] + (i == 1));
        world_free(w);
    }
}

static void a_branch_that_nobody_can_do_keeps_no_other_waiting(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit ggg ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_at_second_step(&config, script, lines);
    give(w, TASK_BRANCH, 2, 1, 0);
    assert_int_equal(count_held(w, TASK_POLL), 0);
    refuse(w, TASK_BRANCH, 2, 0, 0);
    assert_int_equal(count_held(w, TASK_POLL), 3);
    world_free(w);
}

static void a_malformed_executor_rests_after_two_conversations(void **state)
{
    (void)state;
    SCRIPT("edit M M M M", "edit ggg ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    assert_rests(w,
                 "the answers of sloppy can't be read: no constraints block");
    uint32_t calls;
    assert_int_equal(state_of(w, &calls), RUN_SUSPENDED);
    assert_int_equal(calls, 3); /* the plan and two executors */
    world_resume(w);
    world_drive(w);
    assert_int_equal(state_of(w, &calls), RUN_COMPLETE);
    world_free(w);
}

static void silent_evaluators_rest_after_two_conversations(void **state)
{
    (void)state;
    SCRIPT("edit aaa aaa aaa aaa");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    assert_rests(w, "the answers of sloppy can't be read: looked");
    uint32_t calls;
    (void)state_of(w, &calls);
    assert_int_equal(calls, 4); /* the plan, an executor, two evaluators */
    world_free(w);
}

static void silent_evaluators_rest_whatever_else_failed(void **state)
{
    (void)state;
    SCRIPT("edit C aaa ggg ggg", "edit ggg ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    assert_rests(w, "the answers of sloppy can't be read: looked");
    uint32_t calls;
    (void)state_of(w, &calls);
    /* the plan, two executors, two evaluators */
    assert_int_equal(calls, 5);
    world_resume(w);
    world_drive(w);
    assert_int_equal(state_of(w, &calls), RUN_COMPLETE);
    world_free(w);
}

/* Else who is found out by would follow from whose plan came first. */
static void branches_are_tried_in_order_until_something_was_read(void **state)
{
    (void)state;
    SCRIPT("edit C ggg ggg ggg", "done");
    const arrange_early_end ends[] = {EARLY_END_ORDERED, EARLY_END_FIRST};
    for (uint32_t i = 0; i < 2; i++) {
        arrange_config config = config_of(EVERYBODY);
        config.early_end = ends[i];
        config.plan_per_branch = true;
        world *w = world_new(&config, script, lines);
        lease_all(w);
        give(w, TASK_IMPORT, 0, 0, 0);
        give(w, TASK_PLAN, 1, 0, 0);
        give(w, TASK_BRANCH, 1, 0, 0); /* fails, and is read */
        give(w, TASK_PLAN, 1, 2, 0);
        bool is_ordered = ends[i] == EARLY_END_ORDERED;
        assert_int_equal(count_held(w, TASK_BRANCH), is_ordered ? 0 : 1);
        give(w, TASK_PLAN, 1, 1, 0);
        assert_int_equal(count_held(w, TASK_BRANCH), 1);
        assert_true(world_find(w, TASK_BRANCH, 1, is_ordered ? 1 : 2, 0) >= 0);
        world_free(w);
    }
}

static void what_no_worker_could_do_is_no_unreadable_answer(void **state)
{
    (void)state;
    SCRIPT("edit ggg fgg fgg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    for (uint32_t branch = 0; branch < 2; branch++) {
        give(w, TASK_BRANCH, 1, branch, 0);
        for (uint32_t poll = 0; poll < 3; poll++)
            refuse(w, TASK_POLL, 1, branch, poll);
    }
    assert_int_equal(count_held(w, TASK_BRANCH), 1);
    world_drive(w);
    uint32_t calls;
    assert_int_equal(state_of(w, &calls), RUN_COMPLETE);
    world_free(w);
}

static void a_planner_has_three_conversations(void **state)
{
    (void)state;
    SCRIPT("malformed", "malformed", "malformed", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    assert_rests(w, "the answers of sloppy can't be read: because");
    uint32_t calls;
    (void)state_of(w, &calls);
    assert_int_equal(calls, 3);
    world_free(w);
}

static void a_read_plan_begins_the_count_of_unread_ones_anew(void **state)
{
    (void)state;
    SCRIPT("malformed", "malformed", "edit ggg ggg ggg ggg", "malformed",
           "malformed", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    uint32_t calls;
    assert_int_equal(state_of(w, &calls), RUN_COMPLETE);
    world_free(w);
}

static void whose_answers_were_read_once_is_tried_in_every_branch(void **state)
{
    (void)state;
    SCRIPT("edit ggg C C C", "edit M M M M", "edit M M ggg C", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    uint32_t before, after;
    assert_int_equal(state_of(w, &before), RUN_SUSPENDED);
    world_resume(w);
    world_drive(w);
    assert_int_equal(state_of(w, &after), RUN_COMPLETE);
    /* in `ordered` a branch counts up to the winner: two plans and the last,
     * six executors, three evaluators twice */
    assert_int_equal(before, 1 + 1 + 3 + 1 + 4);
    world_free(w);
}

static void what_fails_by_more_than_its_writing_goes_back(void **state)
{
    (void)state;
    SCRIPT("edit M C M M", "edit ggg C C C", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.backtracks, 1);
    etna_arena_free(&arena);
    world_free(w);
}

static void the_built_in_agent_is_not_doubted(void **state)
{
    (void)state;
    SCRIPT("edit M M M M", "edit ggg C C C", "done");
    arrange_config config = config_of(0);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.backtracks, 1);
    assert_string_equal(view.outage, "");
    etna_arena_free(&arena);
    world_free(w);
}

static void only_the_doubted_role_is_held_back(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "done");
    arrange_config config = config_of(1 << ROLE_PLANNER);
    world *w = world_new(&config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    assert_int_equal(count_held(w, TASK_BRANCH), 4);
    world_free(w);
}

static void another_model_goes_on_where_one_could_not_be_read(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit M M M M", "edit ggg C C C", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    uint32_t calls;
    assert_int_equal(state_of(w, &calls), RUN_SUSPENDED);
    const message_run_resume other = {
        .model = "tidy", .models = "{}", .foreign = 1 << ROLE_EXECUTOR};
    world_step(
        w, (core_event){.kind = CORE_RESUME, .run = w->run, .resume = &other});
    assert_non_null(strstr(w->lines, "goes on with model tidy"));
    uint32_t before = w->record_count;
    world_drive(w);
    for (uint32_t cut = before; cut <= w->record_count; cut++) {
        world *again = world_restart(w, cut);
        etna_arena arena = ETNA_ARENA_INIT;
        core_run_view view = world_view(again, &arena);
        assert_string_equal(view.config->model, "tidy");
        assert_string_equal(view.config->models, "{}");
        assert_int_equal(view.config->foreign, 1 << ROLE_EXECUTOR);
        etna_arena_free(&arena);
        world_resume(again);
        world_drive(again);
        assert_int_equal(state_of(again, &calls), RUN_COMPLETE);
        world_free(again);
    }
    world_free(w);
}

static void what_was_read_of_one_model_proves_nothing_of_the_next(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit M M M M", "edit ggg ggg ggg ggg",
           "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_new(&config, script, lines);
    world_drive(w);
    const message_run_resume other = {.model = "tidy", .foreign = EVERYBODY};
    world_step(
        w, (core_event){.kind = CORE_RESUME, .run = w->run, .resume = &other});
    w->held_count = 0;
    lease_all(w);
    give(w, TASK_PLAN, 3, 0, 0);
    assert_int_equal(count_held(w, TASK_BRANCH), 1);
    world_free(w);
}

/* The call of the poll that is held as (1, branch, poll), and its answer. */
static void call_poll(world *w, uint32_t branch, uint32_t poll, uint32_t repair)
{
    int at = world_find(w, TASK_POLL, 1, branch, poll);
    assert_true(at >= 0);
    const world_held held = w->held[at];
    const etna_slot slot = {.node = 1,
                            .branch = branch,
                            .role = ROLE_EVALUATOR,
                            .poll = poll,
                            .repair = repair};
    message begin = {.kind = MESSAGE_CALL_BEGIN},
            end = {.kind = MESSAGE_CALL_END};
    begin.body.call_begin =
        (message_call_begin){.ref = held.ref, .slot = slot, .model = "sloppy"};
    begin.body.call_begin.request.bytes[0] = 1;
    end.body.call_end =
        (message_call_end){.ref = held.ref, .slot = slot, .model = "sloppy"};
    end.body.call_end.request.bytes[0] = end.body.call_end.reply.bytes[0] = 1;
    world_message(w, held.worker, held.incarnation, w->next_sequence++, &begin,
                  NULL, NULL);
    world_message(w, held.worker, held.incarnation, w->next_sequence++, &end,
                  NULL, NULL);
}

static void evaluators_that_are_often_asked_twice_are_asked_a_branch_at_a_time(
    void **state)
{
    (void)state;
    SCRIPT("edit bgg gbg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    config.early_end = EARLY_END_ORDERED;
    world *w = world_new(&config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    give(w, TASK_BRANCH, 1, 0, 0);
    give(w, TASK_POLL, 1, 0, 0);
    for (uint32_t poll = 1; poll < 3; poll++) {
        call_poll(w, 0, poll, 0);
        call_poll(w, 0, poll, 1);
    }
    give(w, TASK_BRANCH, 1, 1, 0);
    give(w, TASK_BRANCH, 1, 2, 0);
    /* of the first branch alone */
    assert_int_equal(count_held(w, TASK_POLL), 2);
    give(w, TASK_POLL, 1, 0, 1);
    give(w, TASK_POLL, 1, 0, 2);
    /* it did not end the step: the next one's */
    assert_int_equal(count_held(w, TASK_POLL), 3);
    world_drive(w);
    uint32_t calls;
    assert_int_equal(state_of(w, &calls), RUN_COMPLETE);
    world_free(w);
}

/* What a call of the executor (2, branch) is told. */
static call_verdict call_executor(world *w,
                                  uint32_t branch,
                                  uint32_t turn,
                                  uint32_t repair)
{
    int at = world_find(w, TASK_BRANCH, 2, branch, 0);
    assert_true(at >= 0);
    const world_held held = w->held[at];
    const etna_slot slot = {.node = 2,
                            .branch = branch,
                            .role = ROLE_EXECUTOR,
                            .turn = turn,
                            .repair = repair};
    message begin = {.kind = MESSAGE_CALL_BEGIN};
    begin.body.call_begin =
        (message_call_begin){.ref = held.ref,
                             .slot = slot,
                             .model = "sloppy",
                             .estimate = {.calls = 1, .tokens_in = 100}};
    begin.body.call_begin.request.bytes[0] = 1;
    uint64_t request = held.worker << 32 | w->next_request;
    world_message(w, held.worker, held.incarnation, w->next_sequence++, &begin,
                  NULL, NULL);
    const message *said = world_answer(w, request);
    assert_non_null(said);
    return said->body.call_answer.verdict;
}

static void executors_wait_with_what_may_not_be_needed(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit gfg ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_at_second_step(&config, script, lines);
    assert_int_equal(call_executor(w, 1, 0, 0), CALL_GO);
    /* it looks while the first does, too */
    assert_int_equal(call_executor(w, 1, 1, 0), CALL_GO);
    assert_int_equal(call_executor(w, 1, 1, 1),
                     CALL_WAIT); /* what is asked twice may come to nothing */
    assert_int_equal(call_executor(w, 0, 0, 1), CALL_GO);
    give(w, TASK_BRANCH, 2, 0, 0);
    /* the first is being judged */
    assert_int_equal(call_executor(w, 1, 2, 0), CALL_WAIT);
    assert_int_equal(call_executor(w, 2, 0, 0), CALL_GO);
    int at = world_find(w, TASK_POLL, 2, 0, 2);
    assert_true(at >= 0);
    const message_task_ref poll = w->held[at].ref;
    w->held[at] = w->held[--w->held_count];
    message failed = {.kind = MESSAGE_RESULT};
    failed.body.result = (message_result){
        .ref = poll, .error = ETNA_E_IO, .error_text = "disk on fire"};
    world_message(w, 1, 1, w->next_sequence++, &failed, NULL, NULL);
    /* one that judges it has no slot */
    assert_int_equal(call_executor(w, 1, 2, 0), CALL_GO);
    lease_all(w);
    assert_int_equal(call_executor(w, 1, 3, 0), CALL_WAIT);
    give(w, TASK_POLL, 2, 0, 1); /* and is not what ends the step */
    assert_int_equal(call_executor(w, 1, 1, 1), CALL_GO);
    assert_int_equal(call_executor(w, 1, 3, 0), CALL_GO);
    world_free(w);
}

static void who_says_nothing_doubts_nothing(void **state)
{
    (void)state;
    SCRIPT("edit ggg ggg ggg ggg", "edit gag ggg ggg ggg", "done");
    arrange_config config = config_of(EVERYBODY);
    world *w = world_at_second_step(&config, script, lines);
    for (uint32_t branch = 0; branch < 3; branch++)
        give(w, TASK_BRANCH, 2, branch, 0);
    give(w, TASK_POLL, 2, 0, 1);
    assert_int_equal(count_held(w, TASK_POLL), 2);
    give(w, TASK_POLL, 2, 0, 0);
    give(w, TASK_POLL, 2, 0, 2); /* accepted, but not all have spoken */
    assert_int_equal(count_held(w, TASK_POLL), 3);
    assert_true(world_find(w, TASK_POLL, 2, 1, 0) >= 0);
    world_free(w);
}

static void nobody_is_asked_any_more_when_a_cap_has_ended_the_run(void **state)
{
    (void)state;
    SCRIPT("edit agg ggg ggg ggg");
    arrange_config config = config_of(EVERYBODY);
    config.early_end = EARLY_END_FIRST;
    /* a plan, an executor, an evaluator */
    config.max_tokens = 3 * TOKENS_A_CALL;
    world *w = world_new(&config, script, lines);
    lease_all(w);
    give(w, TASK_IMPORT, 0, 0, 0);
    give(w, TASK_PLAN, 1, 0, 0);
    give(w, TASK_BRANCH, 1, 0, 0);
    give(w, TASK_POLL, 1, 0, 0);
    assert_int_equal(count_held(w, TASK_POLL), 0);
    world_free(w);
}

static void a_journal_cut_anywhere_comes_to_the_same(void **state)
{
    (void)state;
    SCRIPT("malformed", "edit M M M M", "edit agf ggg C C", "edit M ggg C C",
           "done");
    arrange_config config = config_of(EVERYBODY);
    world *whole = world_new(&config, script, lines);
    world_drive(whole);
    world_resume(whole);
    world_drive(whole);
    uint32_t calls, again;
    assert_int_equal(state_of(whole, &calls), RUN_COMPLETE);
    for (uint32_t cut = 1; cut < whole->record_count; cut++) {
        world *w = world_restart(whole, cut);
        for (int i = 0; i < 3 && state_of(w, &again) == RUN_SUSPENDED;
             i++) { /* one rest, and one of the restart */
            world_resume(w);
            world_drive(w);
        }
        assert_int_equal(state_of(w, &again), RUN_COMPLETE);
        assert_int_equal(again, calls);
        world_free(w);
    }
    world_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            one_conversation_goes_on_at_a_time_until_something_was_read),
        cmocka_unit_test(a_branch_that_may_end_the_step_is_judged_alone),
        cmocka_unit_test(the_first_branch_of_the_order_is_judged_first),
        cmocka_unit_test(who_judges_for_nothing_judges_all_at_once),
        cmocka_unit_test(a_branch_that_nobody_can_do_keeps_no_other_waiting),
        cmocka_unit_test(executors_wait_with_what_may_not_be_needed),
        cmocka_unit_test(who_says_nothing_doubts_nothing),
        cmocka_unit_test(a_malformed_executor_rests_after_two_conversations),
        cmocka_unit_test(silent_evaluators_rest_after_two_conversations),
        cmocka_unit_test(silent_evaluators_rest_whatever_else_failed),
        cmocka_unit_test(branches_are_tried_in_order_until_something_was_read),
        cmocka_unit_test(what_no_worker_could_do_is_no_unreadable_answer),
        cmocka_unit_test(a_planner_has_three_conversations),
        cmocka_unit_test(a_read_plan_begins_the_count_of_unread_ones_anew),
        cmocka_unit_test(whose_answers_were_read_once_is_tried_in_every_branch),
        cmocka_unit_test(what_fails_by_more_than_its_writing_goes_back),
        cmocka_unit_test(the_built_in_agent_is_not_doubted),
        cmocka_unit_test(only_the_doubted_role_is_held_back),
        cmocka_unit_test(another_model_goes_on_where_one_could_not_be_read),
        cmocka_unit_test(what_was_read_of_one_model_proves_nothing_of_the_next),
        cmocka_unit_test(
            evaluators_that_are_often_asked_twice_are_asked_a_branch_at_a_time),
        cmocka_unit_test(nobody_is_asked_any_more_when_a_cap_has_ended_the_run),
        cmocka_unit_test(a_journal_cut_anywhere_comes_to_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
