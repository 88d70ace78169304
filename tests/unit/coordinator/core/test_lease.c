/* Leases: who gets what, when it is given to another, and that repeated or late
 * messages do no harm. */
#include "leases.h"

#include <string.h>

static uint64_t send_lease_of(world *w, uint64_t worker, const char *build)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    m.body.lease_request.build = build;
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
    return request;
}

static void a_repeated_lease_request_gets_the_same_task(void **state)
{
    (void)state;
    world *w = fresh();
    uint64_t first = send_lease(w, 1, 1, 10);
    const message *m = world_answer(w, first);
    assert_int_equal(m->body.lease.task_kind, TASK_IMPORT);
    assert_int_equal(m->sequence, 10);
    message_task_ref ref = m->body.lease.ref;
    uint64_t again = send_lease(w, 1, 1, 10);
    m = world_answer(w, again);
    assert_int_equal(m->body.lease.task_kind, TASK_IMPORT);
    assert_true(same_ref(&m->body.lease.ref, &ref));
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    w->held_count = 1;
    world_give(w, 0);
    /* late, after the result: nothing, and no new lease */
    again = send_lease(w, 1, 1, 10);
    assert_int_equal(world_answer(w, again)->body.lease.task_kind, 0);
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void a_lease_request_waits_20_s_then_gets_nothing(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1); /* the import */
    uint64_t waiting = send_lease(w, 2, 1, 1);
    send_orders(w, 1, 2, &w->held[0].ref, 1);
    assert_null(world_answer(w, waiting));
    assert_int_equal(core_count(w->c).lease_requests_parked, 1);
    for (int i = 0; i < 2; i++) {
        world_tick(w, 9999);
        send_orders(w, 2, 10 + (uint64_t)i, NULL, 0);
    }
    assert_int_equal(core_count(w->c).lease_requests_parked, 1);
    world_tick(w, 2);
    assert_int_equal(core_count(w->c).lease_requests_parked, 0);
    world_free(w);
}

static void a_parked_request_that_is_repeated_moves_to_its_new_context(
    void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    uint64_t old = send_lease(w, 2, 1, 1);
    uint64_t new = send_lease(w, 2, 1, 1);
    assert_true(dropped(w, old));
    assert_int_equal(core_count(w->c).lease_requests_parked, 1);
    world_give(w, 0); /* the import is done: the plan is there */
    assert_int_equal(world_answer(w, new)->body.lease.task_kind, TASK_PLAN);
    world_free(w);
}

static void who_leaves_is_given_nothing_that_it_asked_for_before(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    uint64_t waiting = send_lease(w, 2, 1, 1);
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    m.body.orders_request.leaving = true;
    world_message(w, 2, 1, 2, &m, NULL, NULL);
    assert_int_equal(world_answer(w, waiting)->body.lease.task_kind, 0);
    assert_int_equal(core_count(w->c).lease_requests_parked, 0);
    w->held_count = 1;
    world_give(w, 0); /* the import is done: the plan is there, and waits */
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void what_is_handed_back_goes_to_others_at_once(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    const message_task_ref ref = w->held[0].ref;
    uint64_t own = send_lease(w, 1, 1, 2), other = send_lease(w, 2, 1, 1);
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = ref;
    m.body.result.error = ETNA_E_CANCELLED;
    world_message(w, 1, 1, 3, &m, NULL, NULL);
    assert_int_equal(world_answer(w, own)->body.lease.task_kind, 0);
    const message_lease *lease = &world_answer(w, other)->body.lease;
    assert_int_equal(lease->ref.task, ref.task);
    assert_int_equal(lease->ref.attempt, ref.attempt + 1);
    world_free(w);
}

/* A task is leased to worker 1 in *ret_before when its coordinator dies; the
 * one that comes after it. Both are the caller's. */
static world *restart_leased(world **ret_before, message_task_ref *ret_ref)
{
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    *ret_ref = w->held[0].ref;
    *ret_before = w;
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    return again;
}

static void what_is_held_without_its_ticket_is_to_be_stopped(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    message_task_ref ref = w->held[0].ref;
    ref.is_forged = true;
    uint64_t parked = send_orders(w, 1, 2, &ref, 1);
    assert_int_equal(world_answer(w, parked)->body.orders.cancel_count, 1);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    parked = send_orders(again, 1, 3, &ref, 1);
    assert_int_equal(world_answer(again, parked)->body.orders.cancel_count, 1);
    assert_int_equal(core_count(again->c).tasks_leased, 0);
    ref.is_forged = false;
    parked = send_orders(again, 1, 4, &ref, 1);
    assert_null(world_answer(again, parked));
    assert_int_equal(core_count(again->c).tasks_leased, 1);
    world_free(again);
    world_free(w);
}

/* The coordinator before had come to a higher number. */
static void what_is_to_be_stopped_gives_its_number_to_no_lease(void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = NULL;
    world *again = restart_leased(&w, &ref);
    ref.attempt = 2;
    uint64_t request = send_orders(again, 3, 1, &ref, 1);
    const message *m = world_answer(again, request);
    assert_int_equal(m->body.orders.cancel_count, 1);
    m = world_answer(again, send_lease(again, 1, 1, 1));
    assert_int_equal(m->body.lease.ref.attempt, 1);
    world_step(again, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    m = world_answer(again, send_lease(again, 3, 1, 2));
    assert_int_equal(m->body.lease.ref.attempt, 3);
    /* what nobody can have been given is no number to go on from */
    ref.attempt = UINT32_MAX;
    send_orders(again, 2, 1, &ref, 1);
    world_step(again, (core_event){.kind = CORE_WORKER_EXITED, .worker = 3});
    m = world_answer(again, send_lease(again, 2, 1, 2));
    assert_int_equal(m->body.lease.ref.attempt, 4);
    world_free(again);
    world_free(w);
}

static void orders_are_the_heartbeat(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    message_task_ref ref = w->held[0].ref;
    uint64_t parked = send_orders(w, 1, 2, &ref, 1);
    world_tick(w, 9999);
    assert_null(world_answer(w, parked));
    world_tick(w, 1);
    /* answered after 10 s */
    assert_int_equal(core_count(w->c).orders_parked, 0);
    world_tick(w, 24999);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    send_orders(w, 1, 3, &ref, 1);
    world_tick(w, 10000 + 24999);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_tick(w, 1); /* 25 s after the answer without a new one */
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    assert_non_null(strstr(w->lines, "import: attempt 1 is lost"));
    w->held_count = 0;
    world_lease(w, 2);
    assert_int_equal(w->held[0].ref.attempt, 2);
    world_free(w);
}

static void a_seen_exit_loses_the_leases_at_once(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    send_orders(w, 1, 2, &w->held[0].ref, 1);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    assert_int_equal(core_count(w->c).orders_parked, 0);
    uint64_t late = send_lease(w, 1, 1, 3); /* was on its way when it died */
    assert_true(dropped(w, late));
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void the_exit_of_a_predecessor_takes_nothing_from_its_successor(
    void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 2, 1);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = 1,
                               .incarnation = 1});
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = 1,
                               .incarnation = 2});
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void a_worker_of_another_build_waits_and_is_told_why(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new_of_build(&config, lease_script, LEASE_LINES, "1.0+aaa",
                                  false);
    uint64_t request = send_lease_of(w, 7, "1.0+bbb");
    const message *answer = world_answer(w, request);
    assert_int_equal(answer->kind, MESSAGE_REFUSED);
    assert_non_null(
        strstr(answer->body.refused.text,
               "it is of build 1.0+bbb, the coordinator of 1.0+aaa"));
    send_lease_of(w, 7, "1.0+bbb");
    assert_null(strstr(strstr(w->lines, "waits: it is of build") + 1,
                       "waits: it is of build")); /* told once */
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    send_lease_of(w, 8, "1.0+aaa");
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_free(w);
}

static void with_mixed_builds_the_run_says_who_took_part_also_after_a_restart(
    void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w =
        world_new_of_build(&config, lease_script, LEASE_LINES, "1.0+aaa", true);
    send_lease_of(w, 7, "1.0+bbb");
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    uint32_t records = w->record_count;
    assert_non_null(strstr(w->lines, "a worker of build 1.0+bbb takes part"));
    world_give(w, 0);
    send_lease_of(w, 7, "1.0+bbb");
    assert_null(strstr(strstr(w->lines, "takes part") + 1, "takes part"));
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t cut = records; cut <= w->record_count; cut++) {
        world *again = world_restart(w, cut);
        core_run_view view = world_view(again, &arena);
        assert_int_equal(view.build_count, 1);
        assert_string_equal(view.builds[0], "1.0+bbb");
        world_free(again);
    }
    etna_arena_free(&arena);
    world_free(w);
}

static void a_new_incarnation_drops_the_old_ones_leases(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 7);
    uint64_t request = send_lease(w, 1, 2, 1);
    const message *m = world_answer(w, request);
    assert_int_equal(m->body.lease.task_kind, TASK_IMPORT);
    assert_int_equal(m->body.lease.ref.attempt, 2);
    assert_true(dropped(w, send_lease(w, 1, 1, 8)));
    world_free(w);
}

static void a_result_of_a_lost_lease_counts_when_it_is_first(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED, .worker = 1});
    world_lease(w, 2);
    send_orders(w, 2, 50, &w->held[1].ref, 1);
    world_held second = w->held[1];
    world_give(w, 0); /* from the dead one's last breath */
    assert_non_null(strstr(w->lines, "import: 5 objects"));
    bool told = false;
    for (uint32_t i = 0; i < w->update.send_count; i++) {
        const message *m = &w->update.sends[i].message;
        if (m->kind == MESSAGE_ORDERS) {
            told = m->body.orders.cancel_count == 1 &&
                   m->body.orders.cancel[0].task == second.ref.task;
        }
    }
    assert_true(told); /* the other need not go on */
    uint32_t records = w->record_count;
    world_give(w, 0); /* and its result is acknowledged and dropped */
    assert_int_equal(w->record_count, records);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RESULT_ACK);
    world_free(w);
}

static void orders_name_what_is_held_in_vain(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    message_task_ref held[2] = {w->held[0].ref, w->held[0].ref};
    held[1].task = 12345;
    uint64_t request = send_orders(w, 1, 2, held, 2);
    const message *m = world_answer(w, request);
    assert_int_equal(m->body.orders.cancel_count, 1);
    assert_int_equal(m->body.orders.cancel[0].task, 12345);
    /* older than the newest: late */
    assert_true(dropped(w, send_orders(w, 1, 1, held, 2)));
    world_free(w);
}

static void a_grant_nobody_knows_of_is_given_again(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1,
               /* the answer is lost, and the worker never asks again with that
                * sequence */
               1);
    for (uint64_t i = 0; i < 3; i++) {
        send_orders(w, 1, 2 + i, NULL, 0);
        world_tick(w, 9000);
    }
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    send_orders(w, 1, 9, NULL, 0);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    world_free(w);
}

static void a_worker_that_outlives_the_coordinator_keeps_its_lease(void **state)
{
    (void)state;
    message_task_ref ref;
    world *w = NULL;
    world *again = restart_leased(&w, &ref);
    assert_int_equal(core_count(again->c).tasks_queued, 1);
    uint64_t request = send_orders(again, 1, 40, &ref, 1);
    assert_null(world_answer(again, request)); /* nothing to cancel */
    assert_int_equal(core_count(again->c).tasks_leased, 1);
    request = send_orders(again, 2, 41, &ref, 1); /* only one can have it */
    assert_int_equal(world_answer(again, request)->body.orders.cancel_count, 1);
    again->held[0] = w->held[0];
    again->held_count = 1;
    world_give(again, 0);
    assert_non_null(strstr(again->lines, "import: 5 objects"));
    world_free(again);
    world_free(w);
}

static void a_stall_loses_no_lease_that_was_just_confirmed(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    message_task_ref ref = w->held[0].ref;
    send_orders(w, 1, 2, &ref, 1);
    world_step(w, (core_event){.kind = CORE_TICK, .stall_ms = 60000});
    send_orders(w, 1, 3, NULL, 0); /* sent before the grant came */
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_free(w);
}

static void draining_gives_nothing_more(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    uint64_t waiting = send_lease(w, 2, 1, 1);
    uint64_t orders = send_orders(w, 2, 2, NULL, 0);
    world_step(w, (core_event){.kind = CORE_DRAIN});
    assert_int_equal(world_answer(w, waiting)->body.lease.task_kind, 0);
    assert_true(world_answer(w, orders)->body.orders.drain);
    world_give(w, 0);
    uint64_t late = send_lease(w, 2, 1, 3);
    assert_int_equal(world_answer(w, late)->body.lease.task_kind, 0);
    world_free(w);
}

static void cancelling_tells_the_holders(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    uint64_t orders = send_orders(w, 1, 2, &w->held[0].ref, 1);
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = w->run;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(world_answer(w, orders)->body.orders.cancel_count, 1);
    world_free(w);
}

static uint64_t cpu_of(const world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    uint64_t us = world_view(w, &arena).cpu_us;
    etna_arena_free(&arena); /* only a number is read */
    return us;
}

static void what_processors_did_is_summed_and_a_repeated_result_is_not(
    void **state)
{
    (void)state;
    world *w = fresh();
    w->repeat_results = true;
    w->cpu_us = 3000;
    send_lease(w, 1, 1, 1);
    world_give(w, 0); /* the import */
    assert_int_equal(cpu_of(w), 3000);
    w->cpu_us = 500;
    world_lease(w, 1);
    world_give(w, 0); /* the plan */
    assert_int_equal(cpu_of(w), 3500);
    /* whoever lies does not bring the sum round */
    w->cpu_us = UINT64_MAX;
    world_lease(w, 1);
    world_give(w, 0);
    assert_true(cpu_of(w) == UINT64_MAX);
    world_free(w);
}

static void a_repeated_submit_is_one_run(void **state)
{
    (void)state;
    world *w = fresh();
    uint32_t records = w->record_count;
    world_submit(w);
    assert_int_equal(w->record_count, records);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_RUN_STATUS);
    assert_int_equal(w->update.row_count, 0);
    w->config.seed = 2;
    world_submit(w);
    assert_int_equal(w->update.sends[0].message.kind, MESSAGE_REFUSED);
    assert_int_equal(core_count(w->c).runs, 1);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repeated_lease_request_gets_the_same_task),
        cmocka_unit_test(a_lease_request_waits_20_s_then_gets_nothing),
        cmocka_unit_test(
            a_parked_request_that_is_repeated_moves_to_its_new_context),
        cmocka_unit_test(who_leaves_is_given_nothing_that_it_asked_for_before),
        cmocka_unit_test(what_is_handed_back_goes_to_others_at_once),
        cmocka_unit_test(what_is_held_without_its_ticket_is_to_be_stopped),
        cmocka_unit_test(what_is_to_be_stopped_gives_its_number_to_no_lease),
        cmocka_unit_test(orders_are_the_heartbeat),
        cmocka_unit_test(a_seen_exit_loses_the_leases_at_once),
        cmocka_unit_test(
            the_exit_of_a_predecessor_takes_nothing_from_its_successor),
        cmocka_unit_test(a_worker_of_another_build_waits_and_is_told_why),
        cmocka_unit_test(
            with_mixed_builds_the_run_says_who_took_part_also_after_a_restart),
        cmocka_unit_test(a_new_incarnation_drops_the_old_ones_leases),
        cmocka_unit_test(a_result_of_a_lost_lease_counts_when_it_is_first),
        cmocka_unit_test(orders_name_what_is_held_in_vain),
        cmocka_unit_test(a_grant_nobody_knows_of_is_given_again),
        cmocka_unit_test(
            a_worker_that_outlives_the_coordinator_keeps_its_lease),
        cmocka_unit_test(a_stall_loses_no_lease_that_was_just_confirmed),
        cmocka_unit_test(draining_gives_nothing_more),
        cmocka_unit_test(cancelling_tells_the_holders),
        cmocka_unit_test(a_repeated_submit_is_one_run),
        cmocka_unit_test(
            what_processors_did_is_summed_and_a_repeated_result_is_not),
    };
    return cmocka_run_group_tests_name("lease", tests, NULL, NULL);
}
