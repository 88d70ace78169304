/* Several tasks in one answer, work that is asked for with a result,
 * priorities, and tasks that take too long. */
#include "harness.h"

#include <string.h>

static const char *const script[] = {"edit ggg C eee fff", "done"};
enum {
    LINES = 2
};

static world *fresh(void)
{
    arrange_config config = world_config("tidy up");
    return world_new(&config, script, LINES);
}

static uint64_t ask(world *w, uint64_t worker, uint32_t most)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    m.body.lease_request.most = most;
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
    return request;
}

/* Hands in what held[at] is, and asks for so many more. */
static uint64_t give_and_ask(world *w,
                             uint32_t at,
                             uint32_t slots,
                             uint64_t sequence)
{
    const world_held held = w->held[at];
    arrange_result result = world_result_of(w, &held);
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = held.ref;
    m.body.result.slots_free = slots;
    uint64_t request = held.worker << 32 | w->next_request;
    world_message(w, held.worker, held.incarnation, sequence, &m, NULL,
                  &result);
    return request;
}

static uint32_t count_of(const world *w, uint64_t request)
{
    const message *m = world_answer(w, request);
    if (!m)
        return 0;
    if (m->kind == MESSAGE_LEASES)
        return m->body.leases.count;
    return m->kind == MESSAGE_LEASE && m->body.lease.task_kind ? 1 : 0;
}

/* Worker 9 has done the import and holds the plan. */
static world *planning(void)
{
    world *w = fresh();
    ask(w, 9, 1);
    world_give(w, 0);
    w->held_count = 0;
    ask(w, 9, 1);
    assert_int_equal(w->held[0].task.kind, TASK_PLAN);
    return w;
}

static void a_request_gets_as_many_tasks_as_it_asks_for(void **state)
{
    (void)state;
    world *w = planning();
    uint64_t request = ask(w, 1, 3);
    world_give(w, 0);
    assert_int_equal(count_of(w, request), 3);
    assert_int_equal(core_count(w->c).tasks_leased, 3);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    world_free(w);
}

static void nobody_gets_a_second_task_before_all_have_one(void **state)
{
    (void)state;
    world *w = planning();
    uint64_t requests[3] = {ask(w, 1, 4), ask(w, 2, 4), ask(w, 3, 1)};
    world_give(w, 0);
    assert_int_equal(count_of(w, requests[0]), 2);
    assert_int_equal(count_of(w, requests[1]), 1);
    assert_int_equal(count_of(w, requests[2]), 1);
    world_free(w);
}

static void a_result_is_acknowledged_with_the_next_tasks(void **state)
{
    (void)state;
    world *w = planning();
    uint64_t sequence = w->next_sequence++;
    uint64_t request = give_and_ask(w, 0, 2, sequence);
    const message *m = world_answer(w, request);
    assert_int_equal(m->kind, MESSAGE_LEASES);
    assert_int_equal(m->body.leases.count, 2);
    message_task_ref got[2] = {m->body.leases.leases[0].ref,
                               m->body.leases.leases[1].ref};
    w->held[0].task.kind = TASK_PLAN;
    /* its answer was lost: the same tasks, and no other */
    request = give_and_ask(w, 0, 2, sequence);
    m = world_answer(w, request);
    assert_int_equal(m->body.leases.count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(same_ref(&m->body.leases.leases[i].ref, &got[i]));
    assert_int_equal(core_count(w->c).tasks_leased, 2);
    world_free(w);
}

static void a_result_is_acknowledged_where_there_is_no_next_task(void **state)
{
    (void)state;
    world *w = fresh();
    ask(w, 1, 1);
    uint64_t other = ask(w, 2, 1);
    /* who waited longer gets the plan */
    uint64_t request = give_and_ask(w, 0, 1, w->next_sequence++);
    assert_int_equal(count_of(w, other), 1);
    assert_int_equal(world_answer(w, request)->kind, MESSAGE_RESULT_ACK);
    assert_int_equal(core_count(w->c).lease_requests_parked, 0);
    world_free(w);
}

/* Who goes round the comparison of builds, which lease requests are for, gets
 * nothing. */
static void a_result_brings_nothing_to_who_never_asked_by_a_request(
    void **state)
{
    (void)state;
    world *w = planning();
    const world_held plan = w->held[0];
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = plan.ref;
    m.body.result.slots_free = 4;
    arrange_result result = world_result_of(w, &plan);
    uint64_t request = UINT64_C(5) << 32 | w->next_request;
    world_message(w, 5, 1, 1, &m, NULL, &result);
    assert_int_equal(world_answer(w, request)->kind, MESSAGE_RESULT_ACK);
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void add_run(world *w, uint8_t id, uint32_t priority, uint8_t batch)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = world_config("tidy up");
    m.body.run_submit.run = (etna_id){{id}};
    config.priority = priority;
    config.batch.bytes[0] = batch;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

static const core_send *send_to(const world *w, uint64_t request)
{
    for (uint32_t i = 0; i < w->update.send_count; i++) {
        if (w->update.sends[i].request == request)
            return &w->update.sends[i];
    }
    return NULL;
}

/* The shell sends work before what else is written in the turn, and a task not
 * before what it follows from. */
static void a_lease_says_from_which_record_it_follows(void **state)
{
    (void)state;
    world *w = planning();
    uint64_t waiting = ask(w, 1, 1);
    uint64_t planned = w->records[w->record_count - 1].sequence;
    world_give(w, 0);
    const core_send *send = send_to(w, waiting);
    assert_true(send->only_leases);
    assert_true(send->message.body.lease.follows > planned);
    uint64_t branched = send->message.body.lease.follows;
    /* what was queued then follows from nothing that came since */
    send = send_to(w, ask(w, 2, 2));
    assert_int_equal(send->message.body.leases.leases[1].follows, branched);
    w->held[0] = w->held[w->held_count - 3];
    send = send_to(w, give_and_ask(w, 0, 1, w->next_sequence++));
    assert_false(send->only_leases);
    world_free(w);
}

/* A list of instructions that is as long as one may be. */
static void add_long_run(world *w, uint8_t id)
{
    enum {
        STEPS = 128
    };
    static char text[ARRANGE_INSTRUCTION_MAX];
    const char *steps[STEPS];
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = world_config(NULL);
    memset(text, 'a', sizeof text - 1);
    for (size_t i = 0; i < STEPS; i++)
        steps[i] = text;
    config.steps = steps;
    config.step_count = STEPS;
    m.body.run_submit.run = (etna_id){{id}};
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

static void short_tasks_of_any_kind_share_an_answer(void **state)
{
    (void)state;
    world *w = fresh();
    add_run(w, 7, 0, 0);
    assert_int_equal(count_of(w, ask(w, 1, 4)), 2); /* two imports */
    world_free(w);
}

static size_t bytes_for(const world *w, uint64_t request)
{
    const core_send *sent = send_to(w, request);
    size_t sum = 0, size;
    for (uint32_t i = 0; i < sent->message.body.leases.count; i++) {
        assert_int_equal(arrange_task_size(sent->tasks[i], &size, NULL),
                         ETNA_OK);
        sum += size;
    }
    return sum;
}

static void tasks_that_fit_no_message_do_not_share_an_answer(void **state)
{
    (void)state;
    world *w = fresh();
    for (uint8_t id = 7; id < 13; id++)
        add_long_run(w, id);
    uint64_t first = ask(w, 1, 8);
    /* the short one's, and a mebibyte of four others' */
    assert_int_equal(count_of(w, first), 5);
    assert_in_range(bytes_for(w, first), MESSAGE_MAX / 2, MESSAGE_MAX);
    assert_int_equal(count_of(w, ask(w, 1, 8)), 2);
    world_free(w);
}

static uint8_t next_run(world *w)
{
    w->held_count = 0;
    ask(w, 1, 1);
    assert_int_equal(w->held_count, 1);
    return w->held[0].ref.run.bytes[0];
}

static void what_has_a_higher_priority_goes_first_and_equals_take_turns(
    void **state)
{
    (void)state;
    world *w = fresh(); /* a run of priority 0 */
    add_run(w, 21, 2, 50);
    add_run(w, 22, 5, 60);
    add_run(w, 23, 2, 70);
    add_run(w, 24, 2, 50);
    add_run(w, 25, 9, 0);
    const uint8_t order[] = {25, 22, 21, 23, 24};
    for (size_t i = 0; i < sizeof order; i++)
        assert_int_equal(next_run(w), order[i]);
    assert_int_equal(next_run(w), w->run.bytes[0]);
    world_free(w);
}

static void a_priority_is_known_again_from_the_journal(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.priority = 4;
    world *w = world_new(&config, script, LINES);
    world *again = world_restart(w, w->record_count);
    etna_arena arena = ETNA_ARENA_INIT;
    assert_int_equal(world_view(again, &arena).config->priority, 4);
    etna_arena_free(&arena);
    world_free(again);
    world_free(w);
}

static void a_priority_that_is_none_is_refused(void **state)
{
    (void)state;
    world *w = fresh();
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = world_config("tidy up");
    m.body.run_submit.run = (etna_id){{3}};
    config.priority = ARRANGE_PRIORITY_MAX + 1;
    uint64_t request = UINT64_C(99) << 32 | w->next_request;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
    assert_int_equal(world_answer(w, request)->kind, MESSAGE_REFUSED);
    world_free(w);
}

static void a_run_is_the_same_whatever_its_priority(void **state)
{
    (void)state;
    world *w = fresh();
    w->config.priority = 3;
    world_submit(w);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    world_free(w);
}

static void only_so_many_runs_are_open_at_once(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new_of_few(&config, script, LINES, 2);
    add_run(w, 3, 0, 0);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    add_run(w, 4, 0, 0);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_REFUSED);
    assert_int_equal(w->update.sends[0].message.body.refused.code,
                     ETNA_E_FULL); /* who has a list waits for room */
    add_run(w, 3, 0, 0);           /* it is one of them */
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    world_free(w);
}

/* What a run holds is given back when it is forgotten. */
static void runs_are_open_while_their_configurations_have_room(void **state)
{
    (void)state;
    enum {
        STEPS = 60
    };
    static char step[2000];
    static const char *steps[STEPS];
    memset(step, 'a', sizeof step - 1);
    for (int i = 0; i < STEPS; i++)
        steps[i] = step;
    arrange_config small = world_config("tidy up"), large = small;
    large.goal = NULL;
    large.steps = steps;
    large.step_count = STEPS;
    world *w = world_new_of_small(&small, script, LINES, 100000);
    const etna_id run = {{5}};
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run = run;
    world_message(w, 99, 1, w->next_sequence++, &m, &large, NULL);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    add_run(w, 4, 0, 0);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_REFUSED);
    assert_int_equal(w->update.sends[0].message.body.refused.code, ETNA_E_FULL);
    message cancel = {.kind = MESSAGE_RUN_CANCEL};
    cancel.body.run_cancel.run = run;
    world_message(w, 99, 1, w->next_sequence++, &cancel, NULL, NULL);
    world_step(w, (core_event){.kind = CORE_FORGET, .run = run});
    add_run(w, 4, 0, 0);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    world_free(w);
}

/* ---- stragglers ---- */

enum {
    LONG_S = 62
};

/* `second` waits for work while worker 1 works on held[0]; both live. */
static void let_time_pass(world *w, uint64_t second, uint32_t seconds)
{
    for (uint32_t i = 0; i < seconds; i++) {
        if (i % 9 == 0) {
            world_orders(w, 1);
            world_orders(w, second);
        }
        if (!core_count(w->c).lease_requests_parked &&
            !strstr(w->lines, "another worker does it"))
            ask(w, second, 1);
        world_tick(w, 1000);
    }
}

/* Worker 1's import takes a minute; worker 2 has nothing to do. held[1] is the
 * second lease. */
static world *straggling(void)
{
    world *w = fresh();
    ask(w, 1, 1);
    ask(w, 2, 1);
    let_time_pass(w, 2, LONG_S);
    assert_int_equal(w->held_count, 2);
    assert_int_equal(w->held[1].worker, 2);
    assert_int_equal(w->held[1].ref.task, w->held[0].ref.task);
    assert_int_equal(w->held[1].ref.attempt, 2);
    assert_int_equal(core_measure(w->c).kinds[TASK_IMPORT].doubled, 1);
    return w;
}

static bool is_told_to_stop(const world *w,
                            uint64_t worker,
                            const message_task_ref *ref)
{
    for (uint32_t i = 0; i < w->update.send_count; i++) {
        const core_send *send = &w->update.sends[i];
        const message_orders *orders = &send->message.body.orders;
        bool is_theirs = send->request >> 32 == worker &&
                         send->message.kind == MESSAGE_ORDERS;
        if (is_theirs && orders->cancel_count == 1 &&
            same_ref(&orders->cancel[0], ref))
            return true;
    }
    return false;
}

static void who_has_nothing_to_do_helps_out_and_the_first_result_counts(
    void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        world *w = straggling();
        const world_held other = w->held[1 - first];
        world_orders(w, 1);
        world_orders(w, 2);
        w->held[0] = w->held[first];
        w->held_count = 1;
        world_give(w, 0);
        assert_true(is_told_to_stop(w, other.worker, &other.ref));
        assert_int_equal(core_count(w->c).tasks_leased, 0);
        assert_int_equal(core_count(w->c).tasks_queued, 1); /* the plan */
        world_free(w);
    }
}

static void the_second_lease_stands_in_when_the_first_is_lost(void **state)
{
    (void)state;
    world *w = straggling();
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = 1,
                               .incarnation = 1});
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    assert_int_equal(core_count(w->c).tasks_queued, 0);
    w->held[0] = w->held[1];
    w->held_count = 1;
    world_give(w, 0);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    world_free(w);
}

static void the_first_goes_on_when_the_second_is_lost(void **state)
{
    (void)state;
    for (uint32_t way = 0; way < 2; way++) {
        world *w = straggling();
        if (way == 0) {
            core_event died = {
                .kind = CORE_WORKER_EXITED, .worker = 2, .incarnation = 1};
            died.fault = ETNA_E_INTERNAL;
            died.why = "was ended by signal 11";
            world_step(w, died);
        } else {
            message m = {.kind = MESSAGE_RESULT};
            m.body.result.ref = w->held[1].ref;
            m.body.result.error = ETNA_E_IO;
            world_message(w, 2, 1, w->next_sequence++, &m, NULL, NULL);
        }
        assert_int_equal(core_count(w->c).tasks_leased, 1);
        assert_int_equal(core_count(w->c).tasks_queued, 0);
        w->held_count = 1;
        world_give(w, 0);
        assert_int_equal(core_count(w->c).tasks_queued, 1);
        world_free(w);
    }
}

static void both_leases_end_with_their_run(void **state)
{
    (void)state;
    world *w = straggling();
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_orders(w, 1);
    world_orders(w, 2);
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(is_told_to_stop(w, w->held[i].worker, &w->held[i].ref));
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void a_rest_takes_both_leases_back(void **state)
{
    (void)state;
    world *w = straggling();
    world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_step(w, (core_event){.kind = CORE_RESUME, .run = w->run});
    w->held_count = 0;
    world_orders(w, 1);
    ask(w, 1, 1);
    assert_int_equal(w->held[0].ref.attempt, 3);
    world_free(w);
}

/* The script's plans cost something: a model is asked. */
static void what_asks_a_model_is_not_done_twice(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.foreign = 1u << ROLE_PLANNER;
    world *w = world_new(&config, script, LINES);
    ask(w, 1, 1);
    world_give(w, 0);
    w->held_count = 0;
    ask(w, 1, 1);
    ask(w, 2, 1);
    let_time_pass(w, 2, LONG_S);
    assert_int_equal(w->held_count, 1);
    world_free(w);
}

static uint32_t begin_call(world *w, uint32_t at, uint64_t tokens)
{
    message m = {.kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin =
        (message_call_begin){.ref = w->held[at].ref,
                             .slot = {.node = 1, .role = ROLE_PLANNER},
                             .request = etna_hash_bytes("q", 1),
                             .estimate = {.tokens_in = tokens, .calls = 1},
                             .model = "builtin"};
    uint64_t request = w->held[at].worker << 32 | w->next_request;
    world_message(w, w->held[at].worker, 1, w->next_sequence++, &m, NULL, NULL);
    return world_answer(w, request)->body.call_answer.verdict;
}

static void end_call(world *w, uint32_t at)
{
    message m = {.kind = MESSAGE_CALL_END};
    m.body.call_end =
        (message_call_end){.ref = w->held[at].ref,
                           .slot = {.node = 1, .role = ROLE_PLANNER},
                           .request = etna_hash_bytes("q", 1),
                           .reply = etna_hash_bytes("a", 1),
                           .model = "builtin"};
    uint64_t request = w->held[at].worker << 32 | w->next_request;
    world_message(w, w->held[at].worker, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(world_answer(w, request)->kind, MESSAGE_CALL_ACK);
}

/* The built-in agent's conversations cost nothing: both may have them, and the
 * first end is the slot's. */
static void both_may_have_conversations_that_cost_nothing_and_only_those(
    void **state)
{
    (void)state;
    world *w = planning();
    w->held_count = 1;
    w->held[0].worker = 9;
    assert_int_equal(begin_call(w, 0, 0), CALL_GO);
    for (uint32_t i = 0; i < LONG_S; i++) {
        if (i % 9 == 0)
            world_orders(w, 9);
        if (i % 9 == 0)
            world_orders(w, 2);
        if (!core_count(w->c).lease_requests_parked && w->held_count == 1)
            ask(w, 2, 1);
        world_tick(w, 1000);
    }
    assert_int_equal(w->held_count, 2);
    assert_int_equal(begin_call(w, 1, 10), CALL_STOP);
    assert_int_equal(begin_call(w, 1, 0), CALL_GO);
    end_call(w, 1);
    end_call(w, 0);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_gets_as_many_tasks_as_it_asks_for),
        cmocka_unit_test(nobody_gets_a_second_task_before_all_have_one),
        cmocka_unit_test(a_result_is_acknowledged_with_the_next_tasks),
        cmocka_unit_test(a_result_is_acknowledged_where_there_is_no_next_task),
        cmocka_unit_test(
            a_result_brings_nothing_to_who_never_asked_by_a_request),
        cmocka_unit_test(a_lease_says_from_which_record_it_follows),
        cmocka_unit_test(short_tasks_of_any_kind_share_an_answer),
        cmocka_unit_test(tasks_that_fit_no_message_do_not_share_an_answer),
        cmocka_unit_test(
            what_has_a_higher_priority_goes_first_and_equals_take_turns),
        cmocka_unit_test(a_priority_is_known_again_from_the_journal),
        cmocka_unit_test(a_priority_that_is_none_is_refused),
        cmocka_unit_test(a_run_is_the_same_whatever_its_priority),
        cmocka_unit_test(only_so_many_runs_are_open_at_once),
        cmocka_unit_test(runs_are_open_while_their_configurations_have_room),
        cmocka_unit_test(
            who_has_nothing_to_do_helps_out_and_the_first_result_counts),
        cmocka_unit_test(the_second_lease_stands_in_when_the_first_is_lost),
        cmocka_unit_test(the_first_goes_on_when_the_second_is_lost),
        cmocka_unit_test(both_leases_end_with_their_run),
        cmocka_unit_test(a_rest_takes_both_leases_back),
        cmocka_unit_test(what_asks_a_model_is_not_done_twice),
        cmocka_unit_test(
            both_may_have_conversations_that_cost_nothing_and_only_those),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
