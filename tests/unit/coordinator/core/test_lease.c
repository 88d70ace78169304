/* Leases: who gets what, when it is given to another, and that repeated or late
 * messages do no harm. */
#include "harness.h"

#include <string.h>

static const char *const script[] = {"edit ggg C eee fff", "edit C ggg C C",
                                     "done"};
enum {
    LINES = 3
};

static world *fresh(void)
{
    arrange_config config = world_config("tidy up");
    return world_new(&config, script, LINES);
}

static uint64_t send_lease(world *w,
                           uint64_t worker,
                           uint64_t incarnation,
                           uint64_t sequence)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, incarnation, sequence, &m, NULL, NULL);
    return request;
}

static uint64_t send_lease_of(world *w, uint64_t worker, const char *build)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    m.body.lease_request.build = build;
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
    return request;
}

static uint64_t send_orders(world *w,
                            uint64_t worker,
                            uint64_t sequence,
                            const message_task_ref *held,
                            uint32_t count)
{
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    m.body.orders_request =
        (message_orders_request){.held_count = count, .held = held};
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, 1, sequence, &m, NULL, NULL);
    return request;
}

static bool dropped(const world *w, uint64_t request)
{
    for (uint32_t i = 0; i < w->update.drop_count; i++) {
        if (w->update.drops[i] == request)
            return true;
    }
    return false;
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

static void add_run(world *w, uint8_t id, uint8_t scene)
{
    arrange_config config = w->config;
    config.scene.bytes[0] = scene;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

static void add_run_of(world *w, uint8_t id, uint8_t batch)
{
    arrange_config config = w->config;
    config.batch.bytes[0] = batch;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

/* The first bytes of the names of the runs that the next `count` leases are
 * of. */
static void runs_served(world *w, uint32_t count, uint8_t *ret_ids)
{
    for (uint32_t i = 0; i < count; i++) {
        world_lease(w, 1);
        assert_true(w->held_count > 0);
        ret_ids[i] = w->held[w->held_count - 1].ref.run.bytes[0];
    }
}

static void within_a_batch_the_oldest_run_goes_first(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(
        w,
        /* the import of the run that is of no batch, which waits for its result
         * from here on */
        9);
    add_run_of(w, 1, 50);
    add_run_of(w, 2, 50);
    world_lease(w, 1);
    assert_int_equal(w->held[1].ref.run.bytes[0], 1);
    world_lease(w, 1); /* nothing of the first is left to give out */
    assert_int_equal(w->held[2].ref.run.bytes[0], 2);
    world_give(w, 2); /* the younger one is further than the older */
    world_give(w, 1);
    uint8_t served[2];
    runs_served(w, 2, served);
    /* its plan first, though the other's waited longer */
    assert_int_equal(served[0], 1);
    assert_int_equal(served[1], 2);
    world_free(w);
}

static void batches_and_runs_of_none_take_turns(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 9);
    for (uint8_t i = 1; i <= 3; i++)
        add_run_of(w, i, 50);
    for (uint8_t i = 11; i <= 13; i++)
        add_run_of(w, i, 60);
    add_run(w, 21, 7);
    uint8_t served[7];
    runs_served(w, 7, served);
    static const uint8_t turns[7] = {1, 11, 21, 2, 12, 3, 13};
    assert_memory_equal(served, turns, sizeof turns);
    world_free(w);
}

static void a_batch_is_known_again_from_its_runs_journals(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    config.batch.bytes[0] = 50;
    world *w = world_new(&config, script, LINES);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    add_run_of(again, 1, 50);
    add_run_of(again, 2, 60);
    uint8_t served[3];
    runs_served(again, 3, served);
    static const uint8_t turns[3] = {0xab, 2, 1};
    assert_memory_equal(served, turns, sizeof turns);
    world_free(again);
    world_free(w);
}

static void dies(world *w, uint64_t worker, etna_code fault)
{
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = worker,
                               .fault = fault,
                               .why = "hit a wall"});
    for (uint32_t i = w->held_count; i-- > 0;) {
        if (w->held[i].worker == worker)
            w->held[i] = w->held[--w->held_count];
    }
}

static uint32_t held_by(const world *w, uint64_t worker)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->held_count; i++)
        count += w->held[i].worker == worker;
    return count;
}

/* The four branches of step 1 in the hands of worker 11, which dies; of worker
 * 12, which dies too. */
static void fell_two_workers(world *w)
{
    for (int i = 0; i < 2; i++) {
        world_lease(w, 1);
        world_give(w, 0);
    }
    for (uint64_t worker = 11; worker <= 12; worker++) {
        for (int i = 0; i < 4; i++)
            world_lease(w, worker);
        assert_int_equal(held_by(w, worker), 4);
        dies(w, worker, ETNA_E_INTERNAL);
    }
    assert_int_equal(core_count(w->c).tasks_queued, 4);
}

static world *after_two_deaths(void)
{
    world *w = fresh();
    fell_two_workers(w);
    return w;
}

static void a_task_that_felled_two_workers_is_done_alone(void **state)
{
    (void)state;
    world *w = after_two_deaths();
    world_lease(w, 3);
    world_lease(w, 3); /* parked: nothing beside it */
    assert_int_equal(held_by(w, 3), 1);
    world_lease(w, 4); /* another has empty hands */
    assert_int_equal(held_by(w, 4), 1);
    assert_int_equal(core_count(w->c).tasks_queued, 2);
    /* and the next one when it is done: the polls of the first may not overtake
     * what waits longer */
    world_give(w, 0);
    assert_int_equal(held_by(w, 3), 1);
    world_free(w);
}

/* Its heartbeat, when it has heard what it asked for below that sequence. */
static void hears_below(world *w, uint64_t worker, uint64_t heard_below)
{
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    m.body.orders_request.heard_below = heard_below;
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
}

/* What was taken from it may arrive yet, and fell it beside the other. */
static void who_may_be_given_what_was_taken_back_gets_no_deadly_task(
    void **state)
{
    (void)state;
    world *w = fresh();
    uint64_t asked = w->next_sequence;
    world_lease(w, 5);
    world_tick(w, 30000);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    w->held_count = 0; /* the answer is on its way */
    fell_two_workers(w);
    hears_below(w, 5, asked);
    world_lease(w, 5);
    assert_int_equal(held_by(w, 5), 0);
    hears_below(w, 5, asked + 1);
    assert_int_equal(held_by(w, 5), 1);
    world_free(w);
}

static void a_task_that_felled_three_workers_is_refused_and_no_other_is(
    void **state)
{
    (void)state;
    world *w = after_two_deaths();
    for (uint64_t worker = 13; worker <= 16; worker++)
        world_lease(w, worker);
    int deadly = world_find(w, TASK_BRANCH, 1, 0, 0);
    assert_true(deadly >= 0);
    dies(w, w->held[deadly].worker, ETNA_E_INTERNAL);
    assert_non_null(strstr(
        w->lines,
        "branch 0 is refused after 3 attempts (internal): each of 3 workers that did it died, the "
        "last one with nothing else to do: its process hit a wall"));
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.nodes[0].branches[0].state, BRANCH_FAILED);
    assert_int_equal(view.nodes[0].winner, 2);
    assert_null(strstr(strstr(w->lines, "is refused") + 1, "is refused"));
    world *again = world_restart(w, w->record_count);
    core_run_view replayed = world_view(again, &arena);
    assert_memory_equal(&replayed.final_snapshot, &view.final_snapshot,
                        sizeof view.final_snapshot);
    world_free(again);
    etna_arena_free(&arena);
    world_free(w);
}

/* What its supervisor saw, as the next incarnation of `worker` tells it. The
 * answer. */
static const message *tells_death(world *w,
                                  uint64_t worker,
                                  uint64_t incarnation,
                                  message_death death)
{
    message m = {.kind = MESSAGE_DEATH};
    m.body.death = death;
    world_message(w, worker, incarnation, 1, &m, NULL, NULL);
    for (uint32_t i = w->held_count; i-- > 0;) {
        if (w->held[i].worker == worker)
            w->held[i] = w->held[--w->held_count];
    }
    assert_true(w->update.send_count > 0);
    return &w->update.sends[0].message;
}

static void
a_death_that_the_next_incarnation_tells_counts_and_ends_its_leases_at_once(
    void **state)
{
    (void)state;
    world *w = fresh();
    for (uint64_t worker = 11; worker <= 12; worker++) {
        world_lease(w, worker);
        assert_int_equal(held_by(w, worker), 1);
        uint64_t old = w->held[0].incarnation;
        const message *told = tells_death(
            w, worker, old + 1, (message_death){worker, old, 11, false});
        assert_int_equal(told->kind, MESSAGE_DEATH_ACK);
        assert_int_equal(core_count(w->c).tasks_queued, 1);
    }
    assert_non_null(strstr(
        w->lines,
        "a worker's death is laid to it, 1 of 3: its process was ended by signal 11"));
    assert_non_null(strstr(w->lines, "it is done alone from now on"));
    world_lease(w, 13);
    tells_death(w, 13, w->held[0].incarnation + 1,
                (message_death){13, w->held[0].incarnation, 0, true});
    assert_non_null(strstr(
        w->lines,
        "else to do: its process was killed by the system because memory ran out"));
    world_free(w);
}

/* The worker's connection is closed, so that its lease ends 2 s later; its next
 * incarnation comes after `pause_ms`. */
static void dies_and_tells_late(world *w, uint64_t worker, uint64_t pause_ms)
{
    world_step(w, (core_event){.kind = CORE_PIPE_GONE, .pipe = worker});
    world_tick(w, pause_ms);
    tells_death(w, worker, 2, (message_death){worker, 1, 11, false});
}

static void a_death_told_after_its_leases_were_lost_counts_all_the_same(
    void **state)
{
    (void)state;
    const uint64_t pauses[] = {100, 2100, 12000};
    for (uint32_t i = 0; i < 3; i++) {
        world *w = fresh();
        for (uint64_t worker = 11; worker <= 13; worker++) {
            world_lease(w, worker);
            assert_int_equal(held_by(w, worker), 1);
            dies_and_tells_late(w, worker, pauses[i]);
        }
        assert_non_null(strstr(
            w->lines,
            "a worker's death is laid to it, 1 of 3: its process was ended by signal 11"));
        assert_non_null(strstr(
            w->lines,
            "2 of 3: its process was ended by signal 11; it is done alone from now on"));
        assert_non_null(
            strstr(w->lines, "is refused after 3 attempts (internal)"));
        world_free(world_restart(w, w->record_count));
        world_free(w);
    }
}

/* It fell silent, was given the task again, and died: that is one death. */
static void a_death_is_laid_once_to_a_task_that_its_worker_lost_and_got_again(
    void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 11);
    world_tick(w, 30000);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    w->held_count = 0;
    world_lease(w, 11);
    assert_int_equal(held_by(w, 11), 1);
    dies(w, 11, ETNA_E_INTERNAL);
    assert_non_null(strstr(w->lines, "1 of 3"));
    assert_null(strstr(w->lines, "2 of 3"));
    world_free(w);
}

/* Who has the task meanwhile has nothing to do with it. */
static void a_death_told_late_waits_for_who_has_the_task_now(void **state)
{
    (void)state;
    for (uint32_t fate = 0; fate < 2; fate++) {
        world *w = fresh();
        world_lease(w, 11);
        const message_task_ref ref = w->held[0].ref;
        for (uint64_t worker = 11; worker <= 12;
             worker++) { /* 12 gets it 2 s after 11 fell, 13 after 12 did */
            world_lease(w, worker + 1);
            dies_and_tells_late(w, worker, 3000);
            assert_int_equal(held_by(w, worker + 1), 1);
            assert_int_equal(w->held[0].ref.task, ref.task);
        }
        assert_non_null(strstr(
            w->lines,
            "2 of 3: its process was ended by signal 11; it is done alone from now on"));
        assert_int_equal(core_count(w->c).tasks_leased, 1);
        if (fate) {
            world_give(w, 0); /* done: no harm */
            world_drive(w);
            assert_null(strstr(w->lines, "is refused after"));
        } else {
            dies(w, 13, ETNA_OK); /* by another's hand; now it stands alone */
            assert_int_equal(core_count(w->c).tasks_queued, 1);
            world_lease(w, 14);
            world_lease(w, 14);
            assert_int_equal(held_by(w, 14), 1);
            dies(w, 14, ETNA_E_INTERNAL);
            assert_non_null(
                strstr(w->lines, "is refused after 3 attempts (internal)"));
        }
        world_free(w);
    }
}

/* What was taken from a worker that lives it is told to stop: a later death of
 * it has another reason. */
static void who_was_heard_again_does_not_die_of_what_it_lost(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 11);
    world_tick(w, 30000);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    world_orders(w, 11);
    tells_death(w, 11, 2, (message_death){11, 1, 11, false});
    assert_null(strstr(w->lines, "death is laid"));
    world_free(w);
}

/* How its workers ended is chance: neither prompts nor what tells failures
 * apart may hold it. */
static void a_refused_branch_has_the_same_reason_however_its_workers_ended(
    void **state)
{
    (void)state;
    const char *reasons[2];
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t i = 0; i < 2; i++) {
        world *w = after_two_deaths();
        for (uint64_t worker = 13; worker <= 16; worker++)
            world_lease(w, worker);
        int deadly = world_find(w, TASK_BRANCH, 1, 0, 0);
        dies(w, w->held[deadly].worker, i ? ETNA_E_NOMEM : ETNA_E_INTERNAL);
        core_run_view view = world_view(w, &arena);
        reasons[i] =
            etna_arena_strdup(&arena, view.nodes[0].branches[0].reason);
        world_free(w);
    }
    assert_string_equal(reasons[0],
                        "refused after 3 attempts: no worker could do it");
    assert_string_equal(reasons[0], reasons[1]);
    etna_arena_free(&arena);
}

static void a_death_from_outside_ends_leases_and_counts_for_nothing(
    void **state)
{
    (void)state;
    world *w = fresh();
    const uint32_t from_outside[] = {0, 1, 2, 9, 15, 9, 15};
    for (uint32_t i = 0; i < sizeof from_outside / sizeof *from_outside; i++) {
        uint64_t worker = 21 + i;
        world_lease(w, worker);
        uint64_t old = w->held[0].incarnation;
        tells_death(w, worker, old + 1,
                    (message_death){worker, old, from_outside[i], false});
        assert_int_equal(core_count(w->c).tasks_queued, 1);
    }
    assert_null(strstr(w->lines, "death is laid"));
    world_free(w);
}

static void nobody_tells_of_anothers_death_or_of_his_own_to_come(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 11);
    uint64_t now = w->held[0].incarnation;
    world_held kept = w->held[0];
    assert_int_equal(
        tells_death(w, 12, 9, (message_death){11, now, 11, false})->kind,
        MESSAGE_REFUSED);
    w->held[0] = kept;
    w->held_count = 1;
    assert_int_equal(
        tells_death(w, 11, now, (message_death){11, now, 11, false})->kind,
        MESSAGE_REFUSED);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_free(w);
}

static void a_worker_of_another_build_waits_and_is_told_why(void **state)
{
    (void)state;
    arrange_config config = world_config("tidy up");
    world *w = world_new_of_build(&config, script, LINES, "1.0+aaa", false);
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
    world *w = world_new_of_build(&config, script, LINES, "1.0+aaa", true);
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

static void deaths_are_counted_over_a_restart(void **state)
{
    (void)state;
    world *w = after_two_deaths();
    for (uint32_t cut = 1; cut <= w->record_count; cut++)
        world_free(world_restart(w, cut)); /* each is a journal */
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    world_lease(again, 3);
    world_lease(again, 3); /* parked: nothing beside it */
    assert_int_equal(held_by(again, 3), 1);
    dies(again, 3, ETNA_E_INTERNAL);
    assert_non_null(
        strstr(again->lines, "is refused after 3 attempts (internal)"));
    world_free(again);
    world_free(w);
}

static void deaths_that_came_from_outside_are_laid_to_no_task(void **state)
{
    (void)state;
    world *w = fresh();
    for (uint64_t worker = 101; worker <= 109; worker++) {
        world_lease(w, worker);
        assert_int_equal(held_by(w, worker), 1);
        dies(w, worker, ETNA_OK);
    }
    world_drive(w);
    assert_null(strstr(w->lines, "refused"));
    world_free(w);
}

/* The only worker always has something in its hands: it gets no more until they
 * are empty. */
static void a_worker_is_kept_free_for_a_deadly_task(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    /* the import is the deadly one; other runs' imports go on */
    for (int i = 0; i < 2; i++) {
        dies(w, 1 + (uint64_t)i, ETNA_E_NOMEM);
        if (i == 0)
            world_lease(w, 2);
    }
    add_run(w, 1, 21);
    add_run(w, 2, 22);
    assert_int_equal(core_count(w->c).tasks_queued, 3);
    /* not of a run that rests */
    world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
    world_lease(w, 3);
    assert_int_equal(held_by(w, 3), 1);
    world_step(w, (core_event){.kind = CORE_RESUME, .run = w->run});
    world_lease(w, 3); /* waits, although there is the other run's import */
    assert_int_equal(held_by(w, 3), 1);
    assert_int_equal(core_count(w->c).tasks_queued, 2);
    world_give(w, 0);
    assert_int_equal(held_by(w, 3), 1);
    assert_memory_equal(&w->held[0].ref.run, &w->run, sizeof w->run); /* now */
    world_lease(w, 3);
    assert_int_equal(held_by(w, 3), 1);
    dies(w, 3, ETNA_E_NOMEM);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_FAILED);
    assert_int_equal(view.error, ETNA_E_NOMEM);
    etna_arena_free(&arena);
    world_lease(w, 4); /* the others go on */
    world_lease(w, 4);
    assert_int_equal(held_by(w, 4), 2);
    world_free(w);
}

static void send_cancel(world *w, uint8_t id)
{
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
}

/* What was cancelled runs on until its worker has heard of it, and may be what
 * fells it. */
static void a_deadly_task_waits_until_what_was_cancelled_has_ended(void **state)
{
    (void)state;
    world *w = after_two_deaths();
    world_step(w, (core_event){.kind = CORE_SUSPEND, .run = w->run});
    add_run(w, 1, 21);
    world_lease(w, 3); /* the other run's import */
    assert_int_equal(held_by(w, 3), 1);
    world_step(w, (core_event){.kind = CORE_RESUME, .run = w->run});
    world_orders(w, 3);
    send_cancel(w, 1);
    assert_int_equal(core_leases(w->c, 3, 0), 0);
    world_lease(w, 3);
    assert_int_equal(core_leases(w->c, 3, 0), 0);
    world_orders(w, 3); /* it had not heard of it yet */
    assert_int_equal(core_leases(w->c, 3, 0), 0);
    w->held_count = 0;
    world_orders(w, 3);
    assert_int_equal(core_leases(w->c, 3, 0), 1);
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

/* `count` workers, each with a lease and its orders parked: the first holds the
 * import of the world's run. */
static world *with_workers(uint64_t count)
{
    world *w = fresh();
    for (uint8_t i = 2; i <= count; i++)
        add_run(w, i, i);
    for (uint64_t i = 1; i <= count; i++) {
        world_lease(w, i);
        world_orders(w, i);
    }
    assert_int_equal(core_count(w->c).tasks_leased, count);
    return w;
}

static void close_pipe(world *w, uint64_t pipe)
{
    world_step(w, (core_event){.kind = CORE_PIPE_GONE, .pipe = pipe});
}

static void a_closed_connection_ends_its_leases_after_2_s(void **state)
{
    (void)state;
    world *w = with_workers(4);
    close_pipe(w, 2);
    close_pipe(w, 3); /* two of four: not most */
    world_tick(w, 1999);
    assert_int_equal(core_count(w->c).tasks_leased, 4);
    world_tick(w, 1);
    assert_int_equal(core_count(w->c).tasks_leased, 2);
    assert_int_equal(core_count(w->c).tasks_queued, 2);
    assert_non_null(
        strstr(w->lines, "attempt 1 is lost: its connection was closed"));
    world_free(w);
}

static void one_closed_connection_of_a_lone_worker_ends_its_lease_after_2_s(
    void **state)
{
    (void)state;
    world *w = with_workers(1);
    close_pipe(w, 1);
    world_tick(w, 1999);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_tick(w, 1);
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    world_free(w);
}

static void where_most_connections_fall_together_25_s_count(void **state)
{
    (void)state;
    world *w = with_workers(4);
    close_pipe(w, 1);
    world_tick(w, 900);
    close_pipe(w, 2);
    world_tick(w, 900);
    close_pipe(w, 3); /* three of four within 2 s: the first two fell with it */
    world_tick(w, 22000);
    world_orders(w, 4);
    assert_int_equal(core_count(w->c).tasks_leased, 4);
    world_tick(w, 25000 - 23800);
    /* each from when it fell */
    assert_int_equal(core_count(w->c).tasks_leased, 3);
    world_tick(w, 900);
    assert_int_equal(core_count(w->c).tasks_leased, 2);
    world_tick(w, 900);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_free(w);
}

static void falls_far_apart_are_none_of_most(void **state)
{
    (void)state;
    world *w = with_workers(4);
    close_pipe(w, 1);
    world_tick(w, 2001);
    assert_int_equal(core_count(w->c).tasks_leased, 3);
    close_pipe(w, 2); /* one of the three that are left */
    world_tick(w, 2000);
    assert_int_equal(core_count(w->c).tasks_leased, 2);
    world_free(w);
}

static void who_is_back_within_2_s_keeps_its_leases(void **state)
{
    (void)state;
    world *w = with_workers(4);
    close_pipe(w, 2);
    world_tick(w, 1500);
    world_orders(w, 2);
    world_tick(w, 5000);
    assert_int_equal(core_count(w->c).tasks_leased, 4);
    world_free(w);
}

static void another_connections_end_is_nothing_to_a_worker(void **state)
{
    (void)state;
    world *w = with_workers(4);
    close_pipe(w, 77);
    world_tick(w, 9000);
    assert_int_equal(core_count(w->c).tasks_leased, 4);
    world_free(w);
}

static void a_removed_pipe_drops_its_parked_requests(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    uint64_t lease = send_lease(w, 2, 1, 1);
    uint64_t orders = send_orders(w, 2, 2, NULL, 0);
    world_step(w, (core_event){.kind = CORE_PIPE_GONE, .pipe = 2});
    assert_true(dropped(w, lease) && dropped(w, orders));
    assert_int_equal(core_count(w->c).workers, 2);
    world_tick(w, 25000); /* and its time runs from there */
    assert_int_equal(core_count(w->c).workers, 0);
    world_free(w);
}

static void a_closed_connection_drops_nobody_elses_requests(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    send_orders(w, 1, 2, &w->held[0].ref, 1);
    uint64_t theirs = send_orders(w, 2, 1, NULL, 0);
    close_pipe(w, 2);
    assert_true(dropped(w, theirs));
    assert_int_equal(core_count(w->c).orders_parked, 1);
    world_free(w);
}

static void a_stall_of_the_loop_moves_deadlines(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    /* the loop stood still: the tick due after 25 s comes 35 s late */
    w->now += 60000;
    world_step(w, (core_event){.kind = CORE_TICK});
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    uint64_t due = core_next_deadline(w->c);
    assert_true(due >= w->now);
    w->now += 900;
    /* as the shell measured it */
    world_step(w, (core_event){.kind = CORE_TICK, .stall_ms = 5000});
    assert_true(core_next_deadline(w->c) == due + 5000);
    world_free(w);
}

static void errors_are_retried_then_refused(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    world_give(w, 0);
    world_lease(w, 1);
    world_give(w, 0);
    for (uint32_t attempt = 1; attempt <= 3; attempt++) {
        world_lease(w, 1);
        int at = world_find(w, TASK_BRANCH, 1, 0, 0);
        assert_true(at >= 0);
        world_held held = w->held[at];
        assert_int_equal(held.ref.attempt, attempt);
        w->held_count = 0;
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){
            .ref = held.ref, .error = ETNA_E_IO, .error_text = "disk on fire"};
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    }
    assert_non_null(strstr(
        w->lines, "branch 0 is refused after 3 attempts (i/o): disk on fire"));
    world_drive(w);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.nodes[0].winner, 2);
    assert_int_equal(view.nodes[0].branches[0].state, BRANCH_FAILED);
    etna_arena_free(&arena);
    world *again = world_restart(w, w->record_count);
    world_free(again);
    world_free(w);
}

/* All goes well to the export, in the hands of worker `by`. */
static void reach_export(world *w, uint64_t by)
{
    for (;;) {
        world_lease(w, by);
        if (world_find(w, TASK_EXPORT, 0, 0, 0) >= 0)
            return;
        assert_int_not_equal(w->held_count, 0);
        world_give(w, 0);
    }
}

static void export_fails(world *w, uint32_t times, etna_code error)
{
    while (times--) {
        reach_export(w, 1);
        int at = world_find(w, TASK_EXPORT, 0, 0, 0);
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){.ref = w->held[at].ref,
                                         .error = error,
                                         .error_text = "disk on fire"};
        w->held[at] = w->held[--w->held_count];
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    }
}

static void a_run_whose_result_nobody_can_write_has_failed(void **state)
{
    (void)state;
    world *w = fresh();
    export_fails(w, 3, ETNA_E_INTERNAL);
    world_drive(w);
    world *again = world_restart(w, w->record_count);
    etna_arena arena = ETNA_ARENA_INIT;
    world *both[] = {w, again};
    for (uint32_t i = 0; i < 2; i++) {
        core_run_view view = world_view(both[i], &arena);
        assert_int_equal(view.state, RUN_FAILED);
        assert_int_equal(view.error, ETNA_E_INTERNAL);
        assert_string_equal(view.reason,
                            "refused after 3 attempts: disk on fire");
        assert_true(etna_hash_is_zero(&view.result));
        world_free(both[i]);
    }
    etna_arena_free(&arena);
}

/* It rests, and says why. */
static void check_unwritten(world *w, etna_code by)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_SUSPENDED);
    assert_int_equal(view.rests_by, by);
    assert_non_null(strstr(view.outage, "there is no room for its result: "));
    assert_true(etna_hash_is_zero(&view.result));
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    w->held_count = 0;
    world_lease(w, 1);
    assert_int_equal(w->held_count, 0); /* until somebody made room */
    etna_arena_free(&arena);
}

static void check_written(world *w, const core_run_view *wanted)
{
    etna_arena arena = ETNA_ARENA_INIT;
    world_drive(w);
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.rests_by, ETNA_OK);
    assert_string_equal(view.outage, "");
    assert_string_equal(view.reason, wanted->reason);
    assert_true(etna_hash_equal(&view.result, &wanted->result));
    assert_true(etna_hash_equal(&view.final_snapshot, &wanted->final_snapshot));
    assert_true(same_usage(&view.used, &wanted->used));
    etna_arena_free(&arena);
}

static void a_run_whose_result_finds_no_room_is_written_when_it_goes_on(
    void **state)
{
    (void)state;
    static const etna_code of_room[] = {ETNA_E_FULL, ETNA_E_IO, ETNA_E_NOMEM};
    etna_arena arena = ETNA_ARENA_INIT;
    world *well = fresh();
    world_drive(well);
    const core_run_view wanted = world_view(well, &arena);
    for (size_t i = 0; i < sizeof of_room / sizeof *of_room; i++) {
        world *w = fresh();
        export_fails(w, 3, of_room[i]);
        check_unwritten(w, of_room[i]);
        world *again = world_restart(w, w->record_count);
        world *both[] = {w, again}; /* its coordinator lives, or died */
        for (uint32_t j = 0; j < 2; j++) {
            world_resume(both[j]);
            /* a try is as good as at first */
            export_fails(both[j], 2, of_room[i]);
            check_written(both[j], &wanted);
            world_free(world_restart(both[j], both[j]->record_count));
            world_free(both[j]);
        }
    }
    world_free(well);
    etna_arena_free(&arena);
}

/* Whose workers the system killed for memory: it goes on being done alone. */
static void an_export_that_wants_memory_is_done_when_there_is_some(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    world *well = fresh();
    world_drive(well);
    const core_run_view wanted = world_view(well, &arena);
    world *w = fresh();
    for (uint64_t by = 11; by <= 13; by++) {
        reach_export(w, by);
        dies(w, by, ETNA_E_NOMEM);
        w->held_count = 0;
    }
    check_unwritten(w, ETNA_E_NOMEM);
    world *again = world_restart(w, w->record_count);
    world *both[] = {w, again};
    for (uint32_t i = 0; i < 2; i++) {
        world_resume(both[i]);
        check_written(both[i], &wanted);
        world_free(both[i]);
    }
    world_free(well);
    etna_arena_free(&arena);
}

/* All but the exports of two edits is done, and worker `by` has these. */
static void reach_two_exports(world *w, uint64_t by)
{
    for (uint32_t exports = 0; exports < 2;) {
        world_lease(w, by);
        exports = 0;
        for (uint32_t i = 0; i < w->held_count; i++)
            exports += w->held[i].task.kind == TASK_EXPORT;
        assert_int_not_equal(w->held_count, 0);
        for (uint32_t i = w->held_count; i-- > 0;) {
            if (w->held[i].task.kind != TASK_EXPORT)
                world_give(w, i);
        }
    }
}

/* The second one is in somebody's hands, and its third death is told: by the
 * first one's the run rests, and it comes back with that. */
static void two_exports_that_want_memory_rest_together(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_config config = world_config("tidy up");
    config.step_scenes = true;
    world *w = world_new_pausing(&config, script, LINES, 5000);
    reach_two_exports(w, 11);
    dies(w, 11, ETNA_E_NOMEM);
    world_lease(w, 12);
    world_lease(w, 12);
    assert_int_equal(held_by(w, 12), 2);
    dies(w, 12, ETNA_E_NOMEM);
    world_lease(w, 13);
    world_lease(w, 14);
    assert_int_equal(held_by(w, 13) + held_by(w, 14), 2);
    world_step(w, (core_event){.kind = CORE_PIPE_GONE, .pipe = 14});
    world_tick(w, 3000);
    world_lease(w, 15);
    assert_int_equal(held_by(w, 15), 1);
    tells_death(w, 14, 2, (message_death){14, 1, 9, true});
    dies(w, 13, ETNA_E_NOMEM);
    assert_int_equal(core_count(w->c).tasks_leased, 0);
    assert_non_null(strstr(world_view(w, &arena).outage,
                           "there is no room for its result"));
    w->held_count = 0;
    world_tick(w, 5000);
    world_drive(w);
    assert_int_equal(world_view(w, &arena).state, RUN_COMPLETE);
    world_free(w);
    etna_arena_free(&arena);
}

static void a_coordinator_tries_by_itself_whether_there_is_room(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_config config = world_config("tidy up");
    world *w = world_new_pausing(&config, script, LINES, 5000);
    export_fails(w, 3, ETNA_E_FULL);
    assert_int_equal(world_view(w, &arena).state, RUN_RUNNING);
    w->held_count = 0;
    world_lease(w, 1);
    assert_int_equal(w->held_count, 0);
    world_tick(w, 5000);
    world_drive(w);
    assert_int_equal(world_view(w, &arena).state, RUN_COMPLETE);
    world_free(w);
    etna_arena_free(&arena);
}

static void bad_input_ends_the_run_with_its_code(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    message m = {.kind = MESSAGE_RESULT};
    m.body.result = (message_result){.ref = w->held[0].ref,
                                     .error = ETNA_E_INPUT,
                                     .error_text = "bottles.glb: wrong magic"};
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_FAILED);
    assert_int_equal(etna_exit_code(view.error), 3);
    assert_string_equal(view.reason, "bottles.glb: wrong magic");
    world *again = world_restart(w, w->record_count);
    view = world_view(again, &arena);
    assert_int_equal(view.error, ETNA_E_INPUT);
    etna_arena_free(&arena);
    world_free(again);
    world_free(w);
}

static void an_error_of_somebody_else_counts_for_nothing(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    message m = {.kind = MESSAGE_RESULT};
    m.body.result = (message_result){
        .ref = w->held[0].ref, .error = ETNA_E_INPUT, .error_text = "no"};
    world_message(w, 2, 1, w->next_sequence++, &m, NULL, NULL);
    m.body.result.ref.attempt = 9;
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    assert_int_equal(core_count(w->c).tasks_leased, 1);
    world_free(w);
}

/* A new owner gives attempts the numbers that the one before gave. */
static void an_error_that_comes_again_does_not_end_the_next_owners_lease(
    void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    message m = {.kind = MESSAGE_RESULT};
    m.body.result = (message_result){
        .ref = w->held[0].ref, .error = ETNA_E_IO, .error_text = "no"};
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    again->next_sequence = 8;
    world_message(again, 1, 1, 7, &m, NULL, NULL); /* nobody holds it */
    world_lease(again, 1);
    assert_int_equal(again->held_count, 1);
    assert_true(same_ref(&again->held[0].ref, &m.body.result.ref));
    world_message(again, 1, 1, 7, &m, NULL, NULL);
    assert_int_equal(core_count(again->c).tasks_leased, 1);
    assert_null(strstr(again->lines, "could not be done"));
    world_message(again, 1, 1, again->next_sequence++, &m, NULL, NULL);
    assert_int_equal(core_count(again->c).tasks_leased, 0);
    assert_non_null(strstr(again->lines, "could not be done"));
    world_free(again);
    world_free(w);
}

static void malformed_results_are_errors(void **state)
{
    (void)state;
    world *w = fresh();
    world_lease(w, 1);
    arrange_result wrong = world_result_of(w, &w->held[0]);
    wrong.snapshot = (etna_hash){{0}};
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = w->held[0].ref;
    world_message(w, 1, 1, w->next_sequence++, &m, NULL, &wrong);
    assert_int_equal(core_count(w->c).tasks_queued, 1);
    assert_non_null(strstr(w->lines, "not well formed"));
    world_free(w);
}

static void a_worker_that_outlives_the_coordinator_keeps_its_lease(void **state)
{
    (void)state;
    world *w = fresh();
    send_lease(w, 1, 1, 1);
    message_task_ref ref = w->held[0].ref;
    world *again = world_restart(w, w->record_count);
    world_resume(again);
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

static void runs_are_served_in_turn(void **state)
{
    (void)state;
    world *w = fresh();
    for (uint8_t i = 1; i <= 2; i++)
        add_run(w, i, (uint8_t)(20 + i));
    for (int i = 0; i < 3; i++)
        world_lease(w, 1);
    for (int i = 0; i < 3; i++)
        world_give(w, 0); /* three plans */
    for (int i = 0; i < 3; i++)
        world_lease(w, 1);
    for (int i = 0; i < 3; i++)
        world_give(w, 0); /* 3 x 4 branches are queued */
    uint32_t served[256] = {0};
    for (int i = 0; i < 6; i++)
        world_lease(w, 1);
    for (uint32_t i = 0; i < w->held_count; i++)
        served[w->held[i].ref.run.bytes[0]]++;
    assert_int_equal(served[0xab], 2);
    assert_int_equal(served[1], 2);
    assert_int_equal(served[2], 2);
    world_free(w);
}

static void warm_scenes_are_preferred_but_no_run_starves(void **state)
{
    (void)state;
    world *w = fresh();
    etna_hash warm = w->config.scene;
    for (uint8_t i = 1; i <= 30; i++)
        add_run(w, i, i <= 20 ? warm.bytes[0] : 200);
    uint32_t warm_served = 0, cold_served = 0;
    for (int i = 0; i < 20; i++) {
        message m = {.kind = MESSAGE_LEASE_REQUEST};
        m.body.lease_request = (message_lease_request){
            .slots_free = 1, .warm_count = 1, .warm = &warm};
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
        uint8_t run = w->held[w->held_count - 1].ref.run.bytes[0];
        *(run > 20 && run <= 30 ? &cold_served : &warm_served) += 1;
    }
    assert_true(warm_served >= 16);
    world_free(w);
}

/* Three runs through the same workers, results in any order: each comes to what
 * it comes to alone. */
static void runs_beside_each_other_do_not_mix(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    world *alone = fresh();
    world_drive(alone);
    core_run_view want = world_view(alone, &arena);
    world *w = fresh();
    w->order = ORDER_RANDOM;
    for (uint8_t i = 1; i <= 2; i++)
        add_run(w, i, 7);
    etna_id ids[3];
    assert_int_equal(core_runs(w->c, ids, 3), 3);
    for (int i = 0; i < 3; i++) {
        w->run = ids[i];
        world_drive(w);
        core_run_view got = world_view(w, &arena);
        assert_int_equal(got.state, RUN_COMPLETE);
        assert_memory_equal(&got.final_snapshot, &want.final_snapshot,
                            sizeof want.final_snapshot);
        assert_true(same_usage(&got.used, &want.used));
    }
    etna_arena_free(&arena);
    world_free(w);
    world_free(alone);
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
        cmocka_unit_test(within_a_batch_the_oldest_run_goes_first),
        cmocka_unit_test(batches_and_runs_of_none_take_turns),
        cmocka_unit_test(a_batch_is_known_again_from_its_runs_journals),
        cmocka_unit_test(a_repeated_lease_request_gets_the_same_task),
        cmocka_unit_test(a_lease_request_waits_20_s_then_gets_nothing),
        cmocka_unit_test(
            a_parked_request_that_is_repeated_moves_to_its_new_context),
        cmocka_unit_test(who_leaves_is_given_nothing_that_it_asked_for_before),
        cmocka_unit_test(what_is_handed_back_goes_to_others_at_once),
        cmocka_unit_test(what_is_held_without_its_ticket_is_to_be_stopped),
        cmocka_unit_test(orders_are_the_heartbeat),
        cmocka_unit_test(a_seen_exit_loses_the_leases_at_once),
        cmocka_unit_test(
            the_exit_of_a_predecessor_takes_nothing_from_its_successor),
        cmocka_unit_test(a_task_that_felled_two_workers_is_done_alone),
        cmocka_unit_test(
            who_may_be_given_what_was_taken_back_gets_no_deadly_task),
        cmocka_unit_test(
            a_task_that_felled_three_workers_is_refused_and_no_other_is),
        cmocka_unit_test(deaths_that_came_from_outside_are_laid_to_no_task),
        cmocka_unit_test(
            a_death_that_the_next_incarnation_tells_counts_and_ends_its_leases_at_once),
        cmocka_unit_test(
            a_death_told_after_its_leases_were_lost_counts_all_the_same),
        cmocka_unit_test(
            a_death_is_laid_once_to_a_task_that_its_worker_lost_and_got_again),
        cmocka_unit_test(a_death_told_late_waits_for_who_has_the_task_now),
        cmocka_unit_test(who_was_heard_again_does_not_die_of_what_it_lost),
        cmocka_unit_test(
            a_refused_branch_has_the_same_reason_however_its_workers_ended),
        cmocka_unit_test(
            a_death_from_outside_ends_leases_and_counts_for_nothing),
        cmocka_unit_test(nobody_tells_of_anothers_death_or_of_his_own_to_come),
        cmocka_unit_test(deaths_are_counted_over_a_restart),
        cmocka_unit_test(a_worker_of_another_build_waits_and_is_told_why),
        cmocka_unit_test(
            with_mixed_builds_the_run_says_who_took_part_also_after_a_restart),
        cmocka_unit_test(
            one_closed_connection_of_a_lone_worker_ends_its_lease_after_2_s),
        cmocka_unit_test(a_worker_is_kept_free_for_a_deadly_task),
        cmocka_unit_test(
            a_deadly_task_waits_until_what_was_cancelled_has_ended),
        cmocka_unit_test(a_new_incarnation_drops_the_old_ones_leases),
        cmocka_unit_test(a_result_of_a_lost_lease_counts_when_it_is_first),
        cmocka_unit_test(orders_name_what_is_held_in_vain),
        cmocka_unit_test(a_grant_nobody_knows_of_is_given_again),
        cmocka_unit_test(a_closed_connection_ends_its_leases_after_2_s),
        cmocka_unit_test(where_most_connections_fall_together_25_s_count),
        cmocka_unit_test(falls_far_apart_are_none_of_most),
        cmocka_unit_test(who_is_back_within_2_s_keeps_its_leases),
        cmocka_unit_test(another_connections_end_is_nothing_to_a_worker),
        cmocka_unit_test(a_removed_pipe_drops_its_parked_requests),
        cmocka_unit_test(a_closed_connection_drops_nobody_elses_requests),
        cmocka_unit_test(a_stall_of_the_loop_moves_deadlines),
        cmocka_unit_test(errors_are_retried_then_refused),
        cmocka_unit_test(a_run_whose_result_nobody_can_write_has_failed),
        cmocka_unit_test(
            a_run_whose_result_finds_no_room_is_written_when_it_goes_on),
        cmocka_unit_test(
            an_export_that_wants_memory_is_done_when_there_is_some),
        cmocka_unit_test(two_exports_that_want_memory_rest_together),
        cmocka_unit_test(a_coordinator_tries_by_itself_whether_there_is_room),
        cmocka_unit_test(bad_input_ends_the_run_with_its_code),
        cmocka_unit_test(an_error_of_somebody_else_counts_for_nothing),
        cmocka_unit_test(
            an_error_that_comes_again_does_not_end_the_next_owners_lease),
        cmocka_unit_test(malformed_results_are_errors),
        cmocka_unit_test(
            a_worker_that_outlives_the_coordinator_keeps_its_lease),
        cmocka_unit_test(runs_are_served_in_turn),
        cmocka_unit_test(warm_scenes_are_preferred_but_no_run_starves),
        cmocka_unit_test(runs_beside_each_other_do_not_mix),
        cmocka_unit_test(a_stall_loses_no_lease_that_was_just_confirmed),
        cmocka_unit_test(draining_gives_nothing_more),
        cmocka_unit_test(cancelling_tells_the_holders),
        cmocka_unit_test(a_repeated_submit_is_one_run),
    };
    return cmocka_run_group_tests_name("lease", tests, NULL, NULL);
}
