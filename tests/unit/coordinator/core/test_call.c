/* Model calls by slot: go once, answered from memory for ever after, money
 * reserved in between, losses booked. */
#include "harness.h"

#include <string.h>

static const char *const script[] = {"edit ggg C eee fff", "done"};

static world *with_plan(arrange_config config)
{
    world *w = world_new(&config, script, 2);
    world_lease(w, 1);
    world_give(w, 0);
    world_lease(w, 1);
    return w;
}

static etna_slot slot_of(uint32_t turn)
{
    return (etna_slot){.node = 1, .role = ROLE_PLANNER, .turn = turn};
}

static message_call_answer begin_as(world *w,
                                    uint64_t worker,
                                    uint64_t sequence,
                                    const message_task_ref *ref,
                                    uint32_t turn,
                                    uint8_t request,
                                    message_usage estimate)
{
    message m = {.kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin = (message_call_begin){
        .ref = *ref, .slot = slot_of(turn), .model = "builtin"};
    m.body.call_begin.request.bytes[0] = request;
    m.body.call_begin.estimate = estimate;
    world_message(w, worker, 1, sequence, &m, NULL, NULL);
    assert_true(w->update.send_count >= 1);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_CALL_ANSWER);
    return w->update.sends[0].message.body.call_answer;
}

static message_call_answer begin(world *w,
                                 uint64_t worker,
                                 const message_task_ref *ref,
                                 uint32_t turn,
                                 uint8_t request,
                                 uint64_t cost)
{
    message_usage estimate = {
        .tokens_in = 100, .cost_micros = cost, .calls = 1};
    return begin_as(w, worker, w->next_sequence++, ref, turn, request,
                    estimate);
}

static message_kind end(world *w,
                        uint64_t worker,
                        const message_task_ref *ref,
                        uint32_t turn,
                        uint8_t reply,
                        uint64_t cost)
{
    message m = {.kind = MESSAGE_CALL_END};
    m.body.call_end = (message_call_end){
        .ref = *ref, .slot = slot_of(turn), .model = "builtin"};
    m.body.call_end.request.bytes[0] = 1;
    m.body.call_end.reply.bytes[0] = reply;
    m.body.call_end.usage = (message_usage){
        .tokens_in = 90, .tokens_out = 5, .cost_micros = cost, .calls = 1};
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
    return w->update.sends[0].message.kind;
}

static core_run_view view_of(const world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    etna_arena_free(&arena); /* only numbers are read */
    return view;
}

static void a_slot_is_called_once(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    assert_int_equal(begin(w, 1, &ref, 0, 1, 10).verdict, CALL_GO);
    assert_int_equal(begin(w, 1, &ref, 0, 1, 10).verdict,
                     CALL_GO); /* its answer was lost: the same again */
    assert_int_equal(core_count(w->c).calls_in_flight, 1);
    assert_int_equal(end(w, 1, &ref, 0, 9, 7), MESSAGE_CALL_ACK);
    assert_int_equal(w->update.record_count, 1);
    assert_int_equal(w->update.reply_count, 1);
    assert_int_equal(end(w, 1, &ref, 0, 9, 7),
                     /* repeated: acknowledged, not booked twice */
                     MESSAGE_CALL_ACK);
    assert_int_equal(w->update.record_count, 0);
    message_call_answer again = begin(w, 1, &ref, 0, 1, 10);
    assert_int_equal(again.verdict, CALL_STORED);
    assert_int_equal(again.reply.bytes[0], 9);
    assert_false(again.mismatch);
    assert_int_equal(again.usage.tokens_in, 90);
    assert_int_equal(view_of(w).spent.cost_micros, 7);
    world_free(w);
}

static void another_request_in_a_stored_slot_is_a_reported_mismatch(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 0);
    end(w, 1, &ref, 0, 9, 0);
    message_call_answer answer = begin(w, 1, &ref, 0, 2, 0);
    assert_int_equal(answer.verdict, CALL_STORED);
    assert_true(answer.mismatch);
    assert_int_equal(view_of(w).mismatches, 1);
    assert_non_null(strstr(w->lines, "asks otherwise"));
    world_free(w);
}

static void the_journal_says_what_a_request_was_shortened_by(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 10);
    end(w, 1, &ref, 0, 9, 7);
    assert_null(strstr(w->lines, "left out"));
    assert_int_equal(w->update.line_count, 0);
    begin(w, 1, &ref, 1, 1, 10);
    message m = {.kind = MESSAGE_CALL_END};
    m.body.call_end = (message_call_end){.ref = ref,
                                         .slot = slot_of(1),
                                         .model = "small",
                                         .images_left_out = 3,
                                         .texts_left_out = 1};
    m.body.call_end.request.bytes[0] = 1;
    m.body.call_end.reply.bytes[0] = 8;
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_CALL_ACK);
    static const char told[] =
        "turn 2: too long for small, so 3 images and 1 tool result that came earlier were left out";
    assert_non_null(strstr(w->lines, told));
    /* it is the journal that says so, not the worker */
    world *again = world_restart(w, w->record_count);
    etna_arena arena = ETNA_ARENA_INIT;
    core_line *lines;
    uint32_t count, found = 0;
    assert_int_equal(
        core_lines(again->c, &again->run, 0, &arena, &lines, &count, NULL),
        ETNA_OK);
    for (uint32_t i = 0; i < count; i++)
        found += strstr(lines[i].text, told) != NULL;
    assert_int_equal(found, 1);
    etna_arena_free(&arena);
    world_free(again);
    world_free(w);
}

static void a_reply_outlives_worker_and_coordinator(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 10);
    end(w, 1, &ref, 0, 9, 7);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    world_lease(again, 2);
    assert_int_equal(begin(again, 2, &again->held[0].ref, 0, 1, 10).verdict,
                     CALL_STORED);
    assert_int_equal(view_of(again).spent.cost_micros, 7);
    world_free(again);
    world_free(w);
}

static void who_holds_no_lease_is_told_to_stop(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    assert_int_equal(begin(w, 2, &ref, 0, 1, 0).verdict, CALL_STOP);
    ref.attempt = 2;
    assert_int_equal(begin(w, 1, &ref, 0, 1, 0).verdict, CALL_STOP);
    ref.run.bytes[3] = 1;
    assert_int_equal(begin(w, 1, &ref, 0, 1, 0).verdict, CALL_STOP);
    world_free(w);
}

static void a_lost_call_is_booked_at_its_estimate_and_found_again(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 50);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    assert_int_equal(view_of(w).lost.cost_micros, 50);
    assert_int_equal(view_of(w).spent.cost_micros, 50);
    assert_int_equal(core_count(w->c).calls_in_flight, 0);
    world_lease(w, 2);
    message_task_ref second = w->held[1].ref;
    assert_int_equal(begin(w, 2, &second, 0, 1, 50).verdict, CALL_GO);
    assert_int_equal(end(w, 1, &ref, 0, 8, 30),
                     /* the first one's end, too late: the second counts */
                     MESSAGE_CALL_ANSWER);
    assert_int_equal(w->update.sends[0].message.body.call_answer.verdict,
                     CALL_STOP);
    assert_int_equal(end(w, 2, &second, 0, 9, 40), MESSAGE_CALL_ACK);
    assert_int_equal(view_of(w).spent.cost_micros, 90);
    assert_int_equal(end(w, 1, &ref, 0, 8, 30),
                     /* another reply than the stored one */
                     MESSAGE_CALL_ANSWER);
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).spent.cost_micros, 90);
    assert_int_equal(view_of(again).lost.cost_micros, 50);
    world_free(again);
    world_free(w);
}

static void the_end_of_a_lost_call_replaces_its_estimate(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 50);
    for (int i = 0; i < 3; i++)
        world_tick(w, 9000); /* silent: the lease is lost, the worker is not */
    assert_int_equal(view_of(w).lost.cost_micros, 50);
    assert_int_equal(end(w, 1, &ref, 0, 8, 30), MESSAGE_CALL_ACK);
    assert_int_equal(view_of(w).spent.cost_micros, 30);
    assert_int_equal(view_of(w).lost.cost_micros, 0);
    world_lease(w, 2);
    message_call_answer answer =
        begin(w, 2, &w->held[w->held_count - 1].ref, 0, 1, 50);
    assert_int_equal(answer.verdict, CALL_STORED);
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).spent.cost_micros, 30);
    assert_int_equal(view_of(again).lost.cost_micros, 0);
    world_free(again);
    world_free(w);
}

/* A model's answers are limited to many tokens and have few. */
static void a_lost_call_is_booked_at_what_such_calls_took(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    const message_usage estimate = {
        .tokens_in = 200, .tokens_out = 8000, .cost_micros = 9000, .calls = 1};
    begin_as(w, 1, w->next_sequence++, &ref, 0, 1, estimate);
    end(w, 1, &ref, 0, 9, 300); /* 90 in, 5 out */
    begin_as(w, 1, w->next_sequence++, &ref, 1, 1,
             (message_usage){.tokens_in = 400, .tokens_out = 8000, .calls = 1});
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    assert_int_equal(view_of(w).lost.tokens_in, 180);
    assert_int_equal(view_of(w).lost.tokens_out, 5);
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).lost.tokens_in, 180);
    assert_int_equal(view_of(again).lost.tokens_out, 5);
    world_free(again);
    world_free(w);
}

static void know_prices(world *w)
{
    const models_endpoint endpoint = {.name = "there", .attempts = 1};
    const models_model model = {
        .name = "builtin", .price_in = 1000000, .price_out = 2000000};
    const models all = {.endpoint_count = 1,
                        .model_count = 1,
                        .endpoints = &endpoint,
                        .models = &model};
    world_step(w, (core_event){.kind = CORE_MODELS, .models = &all});
}

static void what_is_lost_costs_its_tokens_prices(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    const message_usage estimate = {
        .tokens_in = 100, .tokens_out = 8000, .cost_micros = 16100, .calls = 1};
    know_prices(w);
    begin_as(w, 1, w->next_sequence++, &ref, 0, 1, estimate);
    end(w, 1, &ref, 0, 9, 100);
    begin_as(w, 1, w->next_sequence++, &ref, 1, 1, estimate);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    assert_int_equal(view_of(w).lost.cost_micros, 90 + 2 * 5);
    /* the journal says it, whatever prices are known now */
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).lost.cost_micros, 90 + 2 * 5);
    world_free(again);
    world_free(w);
}

/* Calls of 100 each, whose answers might have cost 16,100. */
static void a_cap_of_money_is_nearly_used_up_and_hardly_passed(void **state)
{
    (void)state;
    for (uint64_t cap = 650; cap < 4000; cap += 50) {
        arrange_config config = world_config("tidy up");
        config.max_cost_micros = cap;
        world *w = with_plan(config);
        message_task_ref ref = w->held[0].ref;
        const message_usage estimate = {.tokens_in = 100,
                                        .tokens_out = 8000,
                                        .cost_micros = 16100,
                                        .calls = 1};
        know_prices(w);
        uint32_t turn = 0;
        while (begin_as(w, 1, w->next_sequence++, &ref, turn, 1, estimate)
                   .verdict == CALL_GO)
            end(w, 1, &ref, turn++, 9, 100);
        uint64_t spent = view_of(w).spent.cost_micros;
        /* before the first answer was seen, a call is expected to cost 1,100 */
        bool none_fits = cap < 1100 - 1100 / 13;
        if (none_fits)
            assert_int_equal(spent, 0);
        assert_true((strstr(w->lines, "the first model call may cost more") !=
                     NULL) == none_fits);
        if (!none_fits)
            assert_in_range(spent, cap - cap / 10, cap + cap / 10);
        world_free(w);
    }
}

/* What another role's answers took tells more than nothing: 500 tokens would
 * not fit any more. */
static void a_role_that_gave_no_answer_yet_is_expected_to_answer_as_others_did(
    void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.max_cost_micros = 1150;
    world *w = with_plan(config);
    message_task_ref ref = w->held[0].ref;
    message m = {.kind = MESSAGE_CALL_BEGIN};
    const message_usage estimate = {
        .tokens_in = 100, .tokens_out = 8000, .cost_micros = 16100, .calls = 1};
    know_prices(w);
    begin_as(w, 1, w->next_sequence++, &ref, 0, 1, estimate);
    end(w, 1, &ref, 0, 9, 200);
    m.body.call_begin = (message_call_begin){.ref = ref,
                                             .slot = slot_of(1),
                                             .model = "builtin",
                                             .estimate = estimate};
    m.body.call_begin.slot.role = ROLE_EXECUTOR;
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.body.call_answer.verdict,
                     CALL_GO);
    world_free(w);
}

static void check_spent(world *w, uint64_t spent, uint64_t lost)
{
    assert_int_equal(view_of(w).spent.cost_micros, spent);
    assert_int_equal(view_of(w).lost.cost_micros, lost);
    /* what the journal says */
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).spent.cost_micros, spent);
    assert_int_equal(view_of(again).lost.cost_micros, lost);
    world_free(again);
}

static void calls_in_flight_when_the_coordinator_died_are_lost_at_resume(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 50);
    assert_int_equal(w->update.record_count, 1); /* durable before it is said */
    begin(w, 1, &ref, 1, 1, 7);
    end(w, 1, &ref, 1, 9, 7);
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).lost.cost_micros, 0);
    world_resume(again);
    check_spent(again, 57, 50);
    /* it dies again: lost once all the same */
    world *third = world_restart(again, again->record_count);
    world_resume(third);
    check_spent(third, 57, 50);
    assert_int_equal(end(third, 1, &ref, 0, 8, 30),
                     MESSAGE_CALL_ACK); /* the worker outlived both */
    check_spent(third, 37, 0);
    world_free(third);
    world_free(again);
    world_free(w);
}

/* A model at an endpoint that is tried more than once. */
static void know_tries(world *w)
{
    const models_endpoint endpoint = {
        .name = "there", .attempts = 3, .budget_ms = 60000};
    const models_model model = {.name = "builtin"};
    const models all = {.endpoint_count = 1,
                        .model_count = 1,
                        .endpoints = &endpoint,
                        .models = &model};
    world_step(w, (core_event){.kind = CORE_MODELS, .models = &all});
}

/* A worker's only task once more, by a coordinator that was started again on
 * a machine that runs for an hour already. */
static world *restarted(world *w, uint64_t next_sequence)
{
    world *again = world_restart(w, w->record_count);
    again->now = 3600000;
    know_tries(again);
    world_resume(again);
    again->next_sequence = next_sequence;
    world_lease(again, 1);
    return again;
}

/* Its worker tells that it works on it all the time. */
static void adopt_by(world *again, const world *before, uint64_t worker)
{
    again->held[again->held_count++] = before->held[0];
    world_orders(again, worker);
}

static void adopt(world *again, const world *before)
{
    adopt_by(again, before, 1);
}

static void fail_try(world *w, const message_task_ref *ref, bool lost)
{
    message m = {.kind = MESSAGE_CALL_FAIL};
    m.body.call_fail = (message_call_fail){.ref = *ref,
                                           .slot = slot_of(0),
                                           .model = "builtin",
                                           .text = "reset",
                                           .lost = lost};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    /* its task goes on */
    assert_int_equal(w->update.sends[0].message.body.call_answer.verdict,
                     CALL_WAIT);
    assert_int_equal(view_of(w).state, RUN_RUNNING);
}

static void who_repeats_its_begin_after_a_restart_lost_nothing(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    begin_as(w, 1, 77, &ref, 0, 1, estimate); /* its answer is never heard */
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    check_spent(again, 50, 50);
    again->next_sequence = 200;
    adopt(again, w);
    assert_int_equal(
        begin_as(again, 1, 77, &again->held[0].ref, 0, 1, estimate).verdict,
        CALL_GO);
    /* in flight once, and not lost */
    assert_int_equal(view_of(again).spent.cost_micros, 0);
    assert_int_equal(end(again, 1, &again->held[0].ref, 0, 8, 30),
                     MESSAGE_CALL_ACK);
    check_spent(again, 30, 0);
    world_free(again);
    world_free(w);
}

/* The worker was told to go, and to stop when another coordinator knew nothing
 * of its lease. It gets the task once more, as the first time; then a copy of
 * what it asked before arrives. */
static void a_late_copy_of_a_begin_of_an_older_lease_takes_nothing_back(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    assert_int_equal(begin_as(w, 1, 77, &ref, 0, 1, estimate).verdict, CALL_GO);
    world *again = restarted(w, 200);
    ref = again->held[0].ref;
    assert_int_equal(ref.attempt, w->held[0].ref.attempt);
    assert_int_equal(begin_as(again, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(again, 50, 50); /* it was called */
    /* the new lease has a begin of its own */
    assert_int_equal(begin_as(again, 1, 300, &ref, 0, 1, estimate).verdict,
                     CALL_GO);
    assert_int_equal(end(again, 1, &ref, 0, 8, 30), MESSAGE_CALL_ACK);
    check_spent(again, 80, 50);
    world_free(again);
    world_free(w);
}

/* Its worker is to stop what it holds of a coordinator that died, and begins a
 * call for that before it hears so. */
static void a_call_of_a_lease_that_is_to_be_stopped_is_none_of_the_next_one(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    const message_task_ref stopped = w->held[0].ref;
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    world_step(again, (core_event){.kind = CORE_SUSPEND, .run = again->run});
    again->next_sequence = 200;
    adopt(again, w);
    assert_int_equal(again->update.sends[0].message.body.orders.cancel_count,
                     1);
    again->held_count = 0;
    world_resume(again);
    world_lease(again, 1);
    assert_int_equal(again->held_count, 1);
    const message_task_ref next = again->held[0].ref;
    assert_int_equal(begin(again, 1, &stopped, 0, 1, 50).verdict, CALL_STOP);
    assert_int_equal(begin(again, 1, &next, 0, 1, 50).verdict, CALL_GO);
    assert_int_equal(end(again, 1, &next, 0, 8, 30), MESSAGE_CALL_ACK);
    check_spent(again, 30, 0);
    world_free(again);
    world_free(w);
}

/* Its request for tasks waited all the time, and so is older. */
static void a_begin_before_the_last_word_before_its_lease_is_of_an_older_one(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    assert_int_equal(begin_as(w, 1, 230, &ref, 0, 1, estimate).verdict,
                     CALL_GO);
    world *again = world_restart(w, w->record_count);
    again->now = 3600000;
    world_resume(again);
    again->next_sequence = 250;
    world_orders(again, 1); /* it holds nothing any more */
    again->next_sequence = 200;
    world_lease(again, 1);
    assert_int_equal(again->held_count, 1);
    ref = again->held[0].ref;
    assert_int_equal(begin_as(again, 1, 230, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(again, 50, 50);
    world_free(again);
    world_free(w);
}

static void a_try_that_failed_after_a_restart_is_not_made_undone_by_its_begin(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    begin_as(w, 1, 77, &ref, 0, 1, estimate);
    world *again = restarted(w, 200);
    ref = again->held[0].ref;
    fail_try(again, &ref, true);
    assert_int_equal(begin_as(again, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(again, 50, 50); /* it may have been paid for */
    world_free(again);
    world_free(w);
}

static void a_try_that_failed_between_two_restarts_stays_booked(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    message_task_ref ref = w->held[0].ref;
    begin_as(w, 1, 77, &ref, 0, 1, estimate);
    world *again = restarted(w, 200);
    fail_try(again, &again->held[0].ref, true);
    world *third = restarted(again, 300);
    ref = third->held[0].ref;
    assert_int_equal(begin_as(third, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(third, 50, 50);
    world_free(third);
    world_free(again);
    world_free(w);
}

/* The same while its worker holds the task over the restart, so that the begin
 * is of the lease that there is. */
static world *held_over_a_restart(world *w, uint64_t next_sequence)
{
    world *again = world_restart(w, w->record_count);
    again->now = 3600000;
    know_tries(again);
    world_resume(again);
    again->next_sequence = next_sequence;
    adopt(again, w);
    return again;
}

static void a_begin_of_the_lease_that_lasts_takes_no_failed_try_back(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    const message_task_ref ref = w->held[0].ref;
    begin_as(w, 1, 77, &ref, 0, 1, estimate);
    world *again = held_over_a_restart(w, 200);
    fail_try(again, &ref, true);
    assert_int_equal(begin_as(again, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(again, 50, 50);
    world *third = held_over_a_restart(again, 300);
    assert_int_equal(begin_as(third, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(third, 50, 50);
    world_free(third);
    world_free(again);
    world_free(w);
}

static void what_was_never_sent_is_taken_back_after_a_restart_too(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    message_task_ref ref = w->held[0].ref;
    begin_as(w, 1, 77, &ref, 0, 1, estimate);
    world *again = restarted(w, 200);
    check_spent(again, 50, 50);
    ref = again->held[0].ref;
    fail_try(again, &ref, false);
    check_spent(again, 0, 0);
    assert_int_equal(begin_as(again, 1, 77, &ref, 0, 1, estimate).verdict,
                     CALL_STOP);
    check_spent(again, 0, 0);
    world_free(again);
    world_free(w);
}

static void an_end_after_the_runs_end_is_billed_once(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    begin(w, 1, &ref, 0, 1, 50);
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 9, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(view_of(w).state, RUN_CANCELLED);
    check_spent(w, 50, 50);
    assert_int_equal(end(w, 1, &ref, 0, 8, 30), MESSAGE_CALL_ACK);
    check_spent(w, 30, 0);
    /* repeated */
    assert_int_equal(end(w, 1, &ref, 0, 8, 30), MESSAGE_CALL_ACK);
    assert_int_equal(w->update.record_count, 0);
    check_spent(w, 30, 0);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    check_spent(again, 30, 0);
    world_free(again);
    world_free(w);
}

/* A run that is cancelled while worker 1 waits for a paid answer, and lets it
 * come. */
static world *with_a_call_that_is_let_finish(message_task_ref *ret_ref)
{
    arrange_config config = world_config("tidy up");
    config.finish_calls = true;
    world *w = with_plan(config);
    *ret_ref = w->held[0].ref;
    know_prices(w);
    begin(w, 1, ret_ref, 0, 1, 50);
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 9, 1, w->next_sequence++, &m, NULL, NULL);
    /* until it is known what it cost */
    assert_int_equal(view_of(w).state, RUN_RUNNING);
    assert_int_equal(core_count(w->c).calls_in_flight, 1);
    check_spent(w, 0, 0);
    return w;
}

static void a_call_that_nobody_waits_for_may_be_let_finish(void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = with_a_call_that_is_let_finish(&ref);
    world_orders(w, 1); /* its heartbeat: it is not told to stop */
    /* nothing more */
    assert_int_equal(begin(w, 1, &ref, 1, 1, 50).verdict, CALL_STOP);
    assert_int_equal(end(w, 1, &ref, 0, 8, 30), MESSAGE_CALL_ACK);
    assert_int_equal(view_of(w).state, RUN_CANCELLED);
    assert_int_equal(w->update.row_count, 1);
    check_spent(w, 30, 0);
    world_free(w);
}

static void a_call_let_finish_whose_worker_dies_is_lost(void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = with_a_call_that_is_let_finish(&ref);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    assert_int_equal(view_of(w).state, RUN_CANCELLED);
    assert_int_equal(core_count(w->c).calls_in_flight, 0);
    assert_int_equal(view_of(w).lost.tokens_in, 100);
    world_free(w);
}

/* A worker that is told to stop says of a call that it never sent. */
static void say_unbilled(world *w, const message_task_ref *ref)
{
    message m = {.kind = MESSAGE_CALL_FAIL};
    m.body.call_fail = (message_call_fail){.ref = *ref,
                                           .slot = slot_of(0),
                                           .model = "",
                                           .text = "",
                                           .final = true};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.body.call_answer.verdict,
                     CALL_STOP);
}

static void a_call_that_was_cut_off_before_it_was_sent_costs_nothing(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    const message_task_ref ref = w->held[0].ref;
    know_prices(w);
    begin(w, 1, &ref, 0, 1, 50);
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 9, 1, w->next_sequence++, &m, NULL, NULL);
    check_spent(w, 100, 100); /* nobody knows */
    say_unbilled(w, &ref);
    check_spent(w, 0, 0);
    say_unbilled(w, &ref); /* repeated */
    check_spent(w, 0, 0);
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).spent.tokens_in, 0);
    world_free(again);
    world_free(w);
}

static void a_call_let_finish_that_fails_unbilled_costs_nothing(void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = with_a_call_that_is_let_finish(&ref);
    message m = {.kind = MESSAGE_CALL_FAIL};
    m.body.call_fail = (message_call_fail){
        .ref = ref, .slot = slot_of(0), .model = "builtin", .text = "refused"};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.body.call_answer.verdict,
                     CALL_STOP);
    assert_int_equal(view_of(w).state, RUN_CANCELLED);
    check_spent(w, 0, 0);
    world_free(w);
}

static void a_coordinator_that_dies_while_calls_finish_ends_the_run_at_resume(
    void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = with_a_call_that_is_let_finish(&ref);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    assert_int_equal(view_of(again).state, RUN_CANCELLED);
    assert_int_equal(again->update.row_count, 1);
    assert_int_equal(view_of(again).lost.tokens_in, 100);
    world_free(again);
    world_free(w);
}

static void nobody_is_told_to_go_while_another_may_still_act_on_its_go(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    for (int i = 0; i < 2; i++)
        world_tick(w, 9000);
    assert_int_equal(begin(w, 1, &ref, 0, 1, 50).verdict, CALL_GO);
    world_tick(w,
               /* silent too long: its lease is lost, with its GO perhaps still
                * under way */
               9000);
    check_spent(w, 50, 50);
    /* the loss is known, but not when the other may last go */
    world *lost = world_restart(w, w->record_count);
    world_resume(lost);
    world_lease(lost, 2);
    const message_task_ref anew = lost->held[0].ref;
    assert_int_equal(begin(lost, 2, &anew, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(lost, 19000);
    assert_int_equal(begin(lost, 2, &anew, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(lost, 1000);
    assert_int_equal(begin(lost, 2, &anew, 0, 1, 50).verdict, CALL_GO);
    world_free(lost);
    world_lease(w, 2);
    message_task_ref second = w->held[w->held_count - 1].ref;
    message_call_answer wait = begin(w, 2, &second, 0, 1, 50);
    assert_int_equal(wait.verdict, CALL_WAIT);
    assert_true(wait.wait_ms > 0);
    world_tick(w, 10900);
    assert_int_equal(begin(w, 2, &second, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(w, 200);
    assert_int_equal(begin(w, 2, &second, 0, 1, 50).verdict, CALL_GO);
    assert_true(core_options_default().fence_ms > MESSAGE_GO_MS);
    /* when it was said is forgotten: counted from the resume */
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    world_lease(again, 3);
    message_task_ref third = again->held[0].ref;
    assert_int_equal(begin(again, 3, &third, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(again, 19000);
    assert_int_equal(begin(again, 3, &third, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(again, 1000);
    assert_int_equal(begin(again, 3, &third, 0, 1, 50).verdict, CALL_GO);
    world_free(again);
    world_free(w);
}

/* The journal names who was told last, and how long that one had waited for the
 * one before it need not be waited for again. */
static void who_waited_at_the_fence_is_told_again_at_once_over_a_restart(
    void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    const message_task_ref first = w->held[0].ref;
    message_usage estimate = {.tokens_in = 100, .cost_micros = 50, .calls = 1};
    assert_int_equal(begin(w, 1, &first, 0, 1, 50).verdict, CALL_GO);
    world *again = world_restart(w, w->record_count);
    world_resume(again); /* of the first one nothing is heard any more */
    world_lease(again, 2);
    const message_task_ref second = again->held[0].ref;
    assert_int_equal(begin(again, 2, &second, 0, 1, 50).verdict, CALL_WAIT);
    world_tick(again, 20000);
    assert_int_equal(begin_as(again, 2, 500, &second, 0, 1, estimate).verdict,
                     CALL_GO);
    world *third = world_restart(again, again->record_count);
    world_resume(third);
    third->next_sequence = 600;
    adopt_by(third, again, 2);
    assert_int_equal(begin_as(third, 2, 500, &second, 0, 1, estimate).verdict,
                     CALL_GO);
    check_spent(third, 50, 50); /* of the first one alone */
    world_free(third);
    world_free(again);
    world_free(w);
}

/* A coordinator whose store another one has taken finds out when it appends. */
static void a_call_that_is_asked_for_anew_is_journaled_anew(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    const message_usage estimate = {
        .tokens_in = 100, .cost_micros = 50, .calls = 1};
    assert_int_equal(begin_as(w, 1, 70, &ref, 0, 1, estimate).verdict, CALL_GO);
    assert_int_equal(w->update.record_count, 1);
    assert_int_equal(begin_as(w, 1, 70, &ref, 0, 1, estimate).verdict, CALL_GO);
    /* repeated: what was journaled was sent before */
    assert_int_equal(w->update.record_count, 0);
    assert_int_equal(begin_as(w, 1, 71, &ref, 0, 1, estimate).verdict, CALL_GO);
    /* its GO came too late, and was thrown away */
    assert_int_equal(w->update.record_count, 1);
    assert_int_equal(begin_as(w, 1, 70, &ref, 0, 1, estimate).verdict, CALL_GO);
    assert_int_equal(w->update.record_count, 0); /* overtaken on its way */
    assert_int_equal(core_count(w->c).calls_in_flight, 1);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    check_spent(again, 50, 50); /* one call */
    again->next_sequence = 200;
    adopt(again, w);
    assert_int_equal(
        begin_as(again, 1, 71, &again->held[0].ref, 0, 1, estimate).verdict,
        CALL_GO);
    check_spent(again, 0, 0); /* the newest begin is the one that is repeated */
    world_free(again);
    assert_int_equal(end(w, 1, &ref, 0, 9, 40), MESSAGE_CALL_ACK);
    check_spent(w, 40, 0);
    world_free(w);
}

static void a_free_call_leaves_no_record_and_no_loss(void **state)
{
    (void)state;
    world *w = with_plan(world_config("tidy up"));
    message_task_ref ref = w->held[0].ref;
    uint32_t records = w->record_count;
    assert_int_equal(begin_as(w, 1, w->next_sequence++, &ref, 0, 1,
                              (message_usage){.calls = 1})
                         .verdict,
                     CALL_GO);
    for (int i = 0; i < 3; i++)
        world_tick(w, 9000);
    assert_int_equal(w->record_count, records);
    assert_int_equal(view_of(w).lost.calls, 0);
    world_lease(w, 2); /* who may call at once */
    message_task_ref second = w->held[w->held_count - 1].ref;
    message_usage nothing = {.calls = 1};
    assert_int_equal(
        begin_as(w, 2, w->next_sequence++, &second, 0, 1, nothing).verdict,
        CALL_GO);
    world_free(w);
}

static void money_is_reserved_before_a_call(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.max_cost_micros = 100;
    world *w = with_plan(config);
    message_task_ref ref = w->held[0].ref;
    assert_int_equal(begin(w, 1, &ref, 0, 1, 60).verdict, CALL_GO);
    message_call_answer wait = begin(w, 1, &ref, 1, 1, 60);
    assert_int_equal(wait.verdict, CALL_WAIT);
    assert_true(wait.wait_ms > 0);
    /* cheaper than feared */
    assert_int_equal(end(w, 1, &ref, 0, 9, 20), MESSAGE_CALL_ACK);
    assert_int_equal(begin(w, 1, &ref, 1, 1, 60).verdict, CALL_GO);
    assert_int_equal(end(w, 1, &ref, 1, 9, 60), MESSAGE_CALL_ACK);
    assert_int_equal(begin(w, 1, &ref, 2, 1, 60).verdict, CALL_STOP);
    core_run_view view = view_of(w);
    assert_int_equal(view.state, RUN_FAILED);
    assert_non_null(strstr(w->lines, "the cap of money is reached"));
    world *again = world_restart(w, w->record_count);
    assert_int_equal(view_of(again).state, RUN_FAILED);
    world_free(again);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_is_called_once),
        cmocka_unit_test(
            another_request_in_a_stored_slot_is_a_reported_mismatch),
        cmocka_unit_test(the_journal_says_what_a_request_was_shortened_by),
        cmocka_unit_test(a_reply_outlives_worker_and_coordinator),
        cmocka_unit_test(who_holds_no_lease_is_told_to_stop),
        cmocka_unit_test(a_lost_call_is_booked_at_its_estimate_and_found_again),
        cmocka_unit_test(the_end_of_a_lost_call_replaces_its_estimate),
        cmocka_unit_test(a_lost_call_is_booked_at_what_such_calls_took),
        cmocka_unit_test(what_is_lost_costs_its_tokens_prices),
        cmocka_unit_test(a_cap_of_money_is_nearly_used_up_and_hardly_passed),
        cmocka_unit_test(
            a_role_that_gave_no_answer_yet_is_expected_to_answer_as_others_did),
        cmocka_unit_test(
            calls_in_flight_when_the_coordinator_died_are_lost_at_resume),
        cmocka_unit_test(who_repeats_its_begin_after_a_restart_lost_nothing),
        cmocka_unit_test(
            a_call_of_a_lease_that_is_to_be_stopped_is_none_of_the_next_one),
        cmocka_unit_test(
            a_late_copy_of_a_begin_of_an_older_lease_takes_nothing_back),
        cmocka_unit_test(
            a_begin_before_the_last_word_before_its_lease_is_of_an_older_one),
        cmocka_unit_test(
            a_try_that_failed_after_a_restart_is_not_made_undone_by_its_begin),
        cmocka_unit_test(a_try_that_failed_between_two_restarts_stays_booked),
        cmocka_unit_test(
            a_begin_of_the_lease_that_lasts_takes_no_failed_try_back),
        cmocka_unit_test(what_was_never_sent_is_taken_back_after_a_restart_too),
        cmocka_unit_test(an_end_after_the_runs_end_is_billed_once),
        cmocka_unit_test(a_call_that_nobody_waits_for_may_be_let_finish),
        cmocka_unit_test(a_call_let_finish_whose_worker_dies_is_lost),
        cmocka_unit_test(
            a_call_that_was_cut_off_before_it_was_sent_costs_nothing),
        cmocka_unit_test(a_call_let_finish_that_fails_unbilled_costs_nothing),
        cmocka_unit_test(
            a_coordinator_that_dies_while_calls_finish_ends_the_run_at_resume),
        cmocka_unit_test(
            nobody_is_told_to_go_while_another_may_still_act_on_its_go),
        cmocka_unit_test(
            who_waited_at_the_fence_is_told_again_at_once_over_a_restart),
        cmocka_unit_test(a_call_that_is_asked_for_anew_is_journaled_anew),
        cmocka_unit_test(a_free_call_leaves_no_record_and_no_loss),
        cmocka_unit_test(money_is_reserved_before_a_call),
    };
    return cmocka_run_group_tests_name("call", tests, NULL, NULL);
}
