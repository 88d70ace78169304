/* Where models are: limits held for all, tries that bring nothing, the breaker,
 * the fallback, and the run that waits for a person when no model answers. */
#include "harness.h"

#include <string.h>

static const char *const script[] = {"edit ggg C eee fff", "done"};

static const models_endpoint endpoints[2] = {
    {.name = "far",
     .requests_per_minute = 12,
     .tokens_per_minute = 60000,
     .in_flight = 2,
     .attempts = 3,
     .budget_ms = 600000,
     .breaker = 2},
    {.name = "near", .attempts = 3, .budget_ms = 600000, .breaker = 2},
};
static const models_model list[3] = {
    {.name = "big", .endpoint = 0},
    {.name = "small", .endpoint = 1},
    {.name = "safe", .endpoint = 1, .fallback = "big"}};

static void know_models(world *w)
{
    const models all = {.endpoint_count = 2,
                        .endpoints = endpoints,
                        .model_count = 3,
                        .models = list};
    world_step(w, (core_event){.kind = CORE_MODELS, .models = &all});
}

static world *with_plan_pausing(uint32_t outage_ms)
{
    arrange_config config = world_config("tidy up");
    world *w = world_new_pausing(&config, script, 2, outage_ms);
    know_models(w);
    world_lease(w, 1);
    world_give(w, 0);
    world_lease(w, 1);
    return w;
}

static world *with_plan(void)
{
    return with_plan_pausing(0);
}

static etna_slot slot_of(uint32_t turn)
{
    return (etna_slot){.node = 1, .role = ROLE_PLANNER, .turn = turn};
}

static message_call_answer answer_of(const world *w)
{
    assert_true(w->update.send_count >= 1);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_CALL_ANSWER);
    return w->update.sends[0].message.body.call_answer;
}

static message_call_answer begin(world *w,
                                 const char *model,
                                 uint32_t turn,
                                 uint64_t tokens)
{
    message m = {.kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin = (message_call_begin){
        .ref = w->held[0].ref, .slot = slot_of(turn), .model = model};
    m.body.call_begin.request.bytes[0] = 1;
    m.body.call_begin.estimate =
        (message_usage){.tokens_in = tokens, .cost_micros = 50, .calls = 1};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    return answer_of(w);
}

static message_call_answer fail_as(world *w,
                                   const char *model,
                                   uint32_t turn,
                                   message_call_fail fail)
{
    message m = {.kind = MESSAGE_CALL_FAIL};
    m.body.call_fail = fail;
    m.body.call_fail.ref = w->held[0].ref;
    m.body.call_fail.slot = slot_of(turn);
    m.body.call_fail.model = model;
    if (!fail.text)
        m.body.call_fail.text = "reset";
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    return answer_of(w);
}

static void end(world *w, uint32_t turn)
{
    message m = {.kind = MESSAGE_CALL_END};
    m.body.call_end = (message_call_end){
        .ref = w->held[0].ref, .slot = slot_of(turn), .model = "big"};
    m.body.call_end.request.bytes[0] = 1;
    m.body.call_end.reply.bytes[0] = 9;
    m.body.call_end.usage =
        (message_usage){.tokens_in = 90, .cost_micros = 30, .calls = 1};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_CALL_ACK);
}

static void check_spent(const world *w, uint64_t spent, uint64_t lost)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    assert_int_equal(core_view(w->c, &w->run, &arena, &view, NULL), ETNA_OK);
    assert_int_equal(view.spent.cost_micros, spent);
    assert_int_equal(view.lost.cost_micros, lost);
    etna_arena_free(&arena);
}

static void no_more_calls_fly_than_an_endpoint_takes(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "big", 0, 10).verdict, CALL_GO);
    assert_int_equal(begin(w, "big", 1, 10).verdict, CALL_GO);
    message_call_answer wait = begin(w, "big", 2, 10);
    assert_int_equal(wait.verdict, CALL_WAIT);
    assert_null(wait.model);
    /* another endpoint */
    assert_int_equal(begin(w, "small", 3, 10).verdict, CALL_GO);
    end(w, 0);
    /* a sixth of a minute's calls have gone: the next is due after five
     * seconds */
    world_tick(w, 5001);
    assert_int_equal(begin(w, "big", 2, 10).verdict, CALL_GO);
    world_free(w);
}

static void take_and_die(world *w, uint64_t worker)
{
    w->held_count = 0;
    for (int i = 0; i < 4; i++)
        world_lease(w, worker);
    assert_int_equal(w->held_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        if (w->held[i].task.branch == 0)
            continue; /* computes */
        message m = {.kind = MESSAGE_CALL_BEGIN};
        m.body.call_begin =
            (message_call_begin){.ref = w->held[i].ref, .model = "small"};
        m.body.call_begin.slot = (etna_slot){
            .node = 1, .branch = w->held[i].task.branch, .role = ROLE_EXECUTOR};
        m.body.call_begin.request.bytes[0] = 1;
        m.body.call_begin.estimate =
            (message_usage){.tokens_in = 10, .cost_micros = 50, .calls = 1};
        /* the fence of the one that died */
        for (int tries = 0; tries < 2; tries++) {
            world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
            if (answer_of(w).verdict == CALL_GO)
                break;
            world_orders(w, worker);
            w->now += 500;
        }
        assert_int_equal(answer_of(w).verdict, CALL_GO);
    }
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = worker,
                               .fault = ETNA_E_INTERNAL,
                               .why = "fell"});
}

/* Hundreds of conversations may wait in a worker that dies of one task that
 * computes: they are not what it died of, and need not be done one by one from
 * then on. */
static void a_death_is_not_laid_to_who_waits_for_a_model(void **state)
{
    (void)state;
    world *w = with_plan();
    world_give(w, 0); /* four branches */
    take_and_die(w, 11);
    take_and_die(w, 12);
    w->held_count = 0;
    for (int i = 0; i < 4; i++)
        world_lease(w, 13);
    assert_int_equal(w->held_count, 1); /* the one, alone */
    assert_int_equal(w->held[0].task.branch, 0);
    for (int i = 0; i < 4; i++)
        world_lease(w, 14);
    assert_int_equal(w->held_count, 4); /* and the three, as ever */
    world_free(w);
}

/* What was cancelled computes until its worker has heard of that. */
static void a_death_beside_what_was_cancelled_is_laid_to_nobody_who_waits(
    void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "big", 0, 10).verdict, CALL_GO);
    arrange_config config = w->config;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[0] = 1;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
    world_lease(w, 1);
    assert_int_equal(core_leases(w->c, 1, 0), 2);
    m = (message){.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run.bytes[0] = 1;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(core_leases(w->c, 1, 0), 1);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = 1,
                               .fault = ETNA_E_INTERNAL,
                               .why = "fell"});
    assert_null(strstr(w->lines, "death is laid"));
    world_free(w);
}

static void calls_and_tokens_of_a_minute_are_spread(void **state)
{
    (void)state;
    world *w = with_plan();
    for (uint32_t turn = 0; turn < 2; turn++) {
        assert_int_equal(begin(w, "big", turn, 10).verdict, CALL_GO);
        end(w, turn);
    }
    message_call_answer wait = begin(w, "big", 2, 10);
    assert_int_equal(wait.verdict, CALL_WAIT);
    assert_true(wait.wait_ms > 4000 && wait.wait_ms <= 5001);
    world_tick(w, wait.wait_ms);
    assert_int_equal(begin(w, "big", 2, 50000).verdict,
                     /* more than a bucket holds: let go on credit when it is
                      * full */
                     CALL_GO);
    end(w, 2);
    world_orders(w, 1);
    world_tick(w, 10000);
    wait = begin(w, "big", 3, 10);
    assert_int_equal(wait.verdict, CALL_WAIT);
    assert_true(wait.wait_ms > 25000);
    for (int i = 0; i < 4; i++) {
        world_orders(w, 1);
        world_tick(w, 10000);
    }
    assert_int_equal(begin(w, "big", 3, 10).verdict, CALL_GO);
    world_free(w);
}

static void a_try_that_brought_nothing_is_lost_only_if_it_may_have_been_billed(
    void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    message_call_answer said =
        fail_as(w, "small", 0, (message_call_fail){.wait_ms = 700});
    assert_int_equal(said.verdict, CALL_WAIT);
    assert_int_equal(said.wait_ms, 700);
    check_spent(w, 0, 0);
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    assert_int_equal(
        fail_as(w, "small", 0, (message_call_fail){.lost = true}).verdict,
        CALL_WAIT);
    check_spent(w, 50, 50);
    assert_int_equal(
        fail_as(w, "small", 0, (message_call_fail){.lost = true}).verdict,
        CALL_WAIT); /* repeated: booked once */
    check_spent(w, 50, 50);
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    end(w, 0);
    check_spent(w, 80, 50); /* the lost try stays lost */
    world *again = world_restart(w, w->record_count);
    check_spent(again, 80, 50);
    world_free(again);
    world_free(w);
}

static void who_is_told_to_slow_down_slows_everyone(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    fail_as(w, "small", 0,
            (message_call_fail){.overloaded = true, .wait_ms = 3000});
    message_call_answer other = begin(w, "safe", 1, 10);
    assert_int_equal(other.verdict, CALL_WAIT);
    assert_int_equal(other.wait_ms, 3000);
    world_tick(w, 3000);
    assert_int_equal(begin(w, "safe", 1, 10).verdict, CALL_GO);
    world_free(w);
}

static void nobody_is_held_longer_than_a_call_may_take(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "safe", 0, 10).verdict, CALL_GO);
    assert_string_equal(
        fail_as(w, "safe", 0,
                (message_call_fail){.overloaded = true, .wait_ms = 86400000})
            .model,
        "big");
    message_call_answer other = begin(w, "small", 1, 10);
    assert_int_equal(other.verdict, CALL_WAIT);
    assert_int_equal(other.wait_ms, 600000);
    world_free(w);
}

static void an_endpoint_that_is_down_gives_way_to_the_fallback(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "safe", 0, 10).verdict, CALL_GO);
    assert_null(fail_as(w, "safe", 0, (message_call_fail){.down = true}).model);
    assert_int_equal(begin(w, "safe", 0, 10).verdict, CALL_GO);
    message_call_answer said =
        fail_as(w, "safe", 0, (message_call_fail){.down = true});
    assert_int_equal(said.verdict, CALL_WAIT);
    assert_string_equal(said.model, "big");
    assert_int_equal(begin(w, "big", 0, 10).verdict, CALL_GO);
    assert_int_equal(begin(w, "small", 1, 10).verdict,
                     CALL_WAIT); /* open: nobody else is sent there */
    said = begin(w, "safe", 2, 10);
    /* but who has a fallback need not wait for it */
    assert_int_equal(said.verdict, CALL_WAIT);
    assert_string_equal(said.model, "big");
    assert_int_equal(said.wait_ms, 1);
    for (int i = 0; i < 4; i++) {
        world_tick(w, 8000);
        world_orders(w, 1);
    }
    /* one tries it */
    assert_int_equal(begin(w, "small", 1, 10).verdict, CALL_GO);
    assert_string_equal(begin(w, "safe", 3, 10).model, "big");
    assert_int_equal(begin(w, "small", 2, 10).verdict, CALL_WAIT);
    end(w, 1);
    assert_int_equal(begin(w, "small", 2, 10).verdict, CALL_GO);
    assert_non_null(strstr(w->lines, "big is asked instead"));
    world_free(w);
}

static void a_run_without_a_model_that_answers_waits_for_a_person(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    assert_int_equal(
        fail_as(w, "small", 0,
                (message_call_fail){.final = true,
                                    .text = "endpoint near answered 401"})
            .verdict,
        CALL_STOP);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_SUSPENDED);
    assert_non_null(strstr(view.outage, "answered 401"));
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    view = world_view(again, &arena);
    assert_int_equal(view.state, RUN_RUNNING);
    assert_string_equal(view.outage, "");
    etna_arena_free(&arena);
    world_free(again);
    world_free(w);
}

static message_call_answer fail_for_good(world *w)
{
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    return fail_as(w, "small", 0,
                   (message_call_fail){.final = true,
                                       .text = "endpoint near answered 401"});
}

static run_state state_of(world *w, const char *outage)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    run_state state = view.state;
    assert_true(*outage ? strstr(view.outage, outage) != NULL : !*view.outage);
    etna_arena_free(&arena);
    return state;
}

static bool is_stuck(world *w)
{
    message m = {.kind = MESSAGE_RUN_STATUS_REQUEST};
    m.body.run_status_request.run = w->run;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    return w->update.sends[0].message.body.run_status.stuck;
}

/* Ticks until the run goes on by itself; how long that took. */
static uint64_t time_of_pause(world *w)
{
    enum {
        STEP_MS = 1000,
        STEPS_MOST = 2000
    };
    for (int i = 1; i < STEPS_MOST; i++) {
        world_tick(w, STEP_MS);
        etna_arena arena = ETNA_ARENA_INIT;
        bool goes_on = !*world_view(w, &arena).outage;
        etna_arena_free(&arena);
        if (goes_on)
            return (uint64_t)i * STEP_MS;
    }
    return 0;
}

static void a_run_that_pauses_for_its_model_goes_on_by_itself(void **state)
{
    (void)state;
    world *w = with_plan_pausing(30000);
    assert_int_equal(fail_for_good(w).verdict, CALL_STOP);
    /* for all who wait for it */
    assert_int_equal(state_of(w, "answered 401"), RUN_RUNNING);
    /* but they may know better */
    assert_true(is_stuck(w));
    /* but a drain does not */
    assert_int_equal(core_live(w->c), 0);
    assert_int_equal(time_of_pause(w), 30000);
    w->held_count = 0;
    world_lease(w, 1);
    assert_int_equal(fail_for_good(w).verdict, CALL_STOP);
    assert_int_equal(time_of_pause(w), 60000);
    w->held_count = 0;
    world_lease(w, 1);
    assert_int_equal(fail_for_good(w).verdict, CALL_STOP);
    world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
    /* now it waits for a person */
    assert_int_equal(state_of(w, "answered 401"), RUN_SUSPENDED);
    assert_int_equal(time_of_pause(w), 0);
    world_resume(w);
    assert_int_equal(state_of(w, ""), RUN_RUNNING);
    assert_false(is_stuck(w));
    world_free(w);
}

static void a_call_nobody_knows_of_cannot_fail(void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(
        fail_as(w, "small", 5, (message_call_fail){.lost = true}).verdict,
        CALL_STOP);
    check_spent(w, 0, 0);
    world_free(w);
}

/* The network repeats what a worker said of a try, and the repetition comes
 * when the next try is under way. */
static void a_failure_that_comes_again_does_not_end_the_next_try(void **state)
{
    (void)state;
    world *w = with_plan();
    message m = {.kind = MESSAGE_CALL_FAIL};
    const message_call_fail fail = {.wait_ms = 5};
    assert_int_equal(begin(w, "small", 0, 100).verdict, CALL_GO);
    uint64_t said = w->next_sequence;
    assert_int_equal(fail_as(w, "small", 0, fail).verdict, CALL_WAIT);
    assert_int_equal(begin(w, "small", 0, 100).verdict, CALL_GO);
    assert_int_equal(core_count(w->c).calls_in_flight, 1);
    m.body.call_fail = fail;
    m.body.call_fail.ref = w->held[0].ref;
    m.body.call_fail.slot = slot_of(0);
    m.body.call_fail.model = "small";
    m.body.call_fail.text = "reset";
    world_message(w, 1, 1, said, &m, NULL, NULL);
    assert_int_equal(core_count(w->c).calls_in_flight, 1);
    world_free(w);
}

static void a_begin_that_comes_after_its_try_failed_makes_no_other(void **state)
{
    (void)state;
    world *w = with_plan();
    uint64_t sequence = w->next_sequence;
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    world *again = world_restart(w, w->record_count);
    know_models(again);
    world_resume(again);
    again->next_sequence = 200;
    world_lease(again, 1);
    assert_int_equal(
        fail_as(again, "small", 0, (message_call_fail){.lost = true}).verdict,
        CALL_WAIT);
    again->next_sequence = sequence;
    assert_int_equal(begin(again, "small", 0, 10).verdict, CALL_STOP);
    world_free(again);
    world_free(w);
}

/* What its worker tells after a restart says as much of the endpoint. */
static void a_try_that_failed_after_a_restart_counts_like_any_other(
    void **state)
{
    (void)state;
    world *w = with_plan();
    assert_int_equal(begin(w, "small", 0, 10).verdict, CALL_GO);
    world *again = world_restart(w, w->record_count);
    again->now = 2 * endpoints[1].budget_ms;
    know_models(again);
    world_resume(again);
    again->next_sequence = 200;
    world_lease(again, 1);
    const message_call_fail fail = {
        .lost = true, .overloaded = true, .wait_ms = 3000};
    for (uint32_t tries = 1; tries <= 3; tries++) {
        message_call_answer answer = fail_as(again, "small", 0, fail);
        assert_int_equal(answer.verdict, tries < 3 ? CALL_WAIT : CALL_STOP);
        if (tries == 3)
            break;
        assert_int_equal(begin(again, "small", 1, 10).verdict, CALL_WAIT);
        world_tick(again, 3000);
        assert_int_equal(begin(again, "small", 0, 10).verdict, CALL_GO);
    }
    world_free(again);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_try_that_failed_after_a_restart_counts_like_any_other),
        cmocka_unit_test(no_more_calls_fly_than_an_endpoint_takes),
        cmocka_unit_test(a_death_is_not_laid_to_who_waits_for_a_model),
        cmocka_unit_test(
            a_death_beside_what_was_cancelled_is_laid_to_nobody_who_waits),
        cmocka_unit_test(calls_and_tokens_of_a_minute_are_spread),
        cmocka_unit_test(
            a_try_that_brought_nothing_is_lost_only_if_it_may_have_been_billed),
        cmocka_unit_test(who_is_told_to_slow_down_slows_everyone),
        cmocka_unit_test(nobody_is_held_longer_than_a_call_may_take),
        cmocka_unit_test(an_endpoint_that_is_down_gives_way_to_the_fallback),
        cmocka_unit_test(a_run_without_a_model_that_answers_waits_for_a_person),
        cmocka_unit_test(a_run_that_pauses_for_its_model_goes_on_by_itself),
        cmocka_unit_test(a_call_nobody_knows_of_cannot_fail),
        cmocka_unit_test(a_failure_that_comes_again_does_not_end_the_next_try),
        cmocka_unit_test(
            a_begin_that_comes_after_its_try_failed_makes_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
