/* Workers that die: which task is laid to it, and what is done with that. */
#include "leases.h"

#include <string.h>

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

/* Nobody has told it yet to stop what an owner before this one gave it. */
static void who_was_heard_by_an_earlier_owner_gets_no_deadly_task_at_once(
    void **state)
{
    (void)state;
    world *w = after_two_deaths();
    world *again = world_restart(w, w->record_count);
    message m = {.kind = MESSAGE_LEASE_REQUEST, .epoch = 1};
    m.body.lease_request.slots_free = 1;
    world_resume(again);
    again->next_sequence = 200;
    world_message(again, 3, 1, again->next_sequence++, &m, NULL, NULL);
    assert_int_equal(held_by(again, 3), 0);
    world_lease(again, 4); /* a new one holds nothing for sure */
    assert_int_equal(held_by(again, 4), 1);
    world_orders(again, 3); /* nor does this */
    assert_int_equal(held_by(again, 3), 1);
    world_free(again);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            who_was_heard_by_an_earlier_owner_gets_no_deadly_task_at_once),
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
        cmocka_unit_test(a_worker_is_kept_free_for_a_deadly_task),
        cmocka_unit_test(
            a_deadly_task_waits_until_what_was_cancelled_has_ended),
    };
    return cmocka_run_group_tests_name("deaths", tests, NULL, NULL);
}
