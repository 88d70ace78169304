/* Results that are errors: what is tried again, what rests, and what ends a
 * run. */
#include "leases.h"

#include <string.h>

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
    world *w = world_new_pausing(&config, lease_script, LEASE_LINES, 5000);
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
    world *w = world_new_pausing(&config, lease_script, LEASE_LINES, 5000);
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

static void a_run_that_failed_without_a_word_says_so(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL, ""};
    for (size_t i = 0; i < 2; i++) {
        world *w = fresh();
        world_lease(w, 1);
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){.ref = w->held[0].ref,
                                         .error = ETNA_E_INPUT,
                                         .error_text = nothing[i]};
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
        etna_arena arena = ETNA_ARENA_INIT;
        const core_run_view view = world_view(w, &arena);
        assert_int_equal(view.state, RUN_FAILED);
        assert_string_equal(view.reason, "its worker said no reason");
        etna_arena_free(&arena);
        world_free(w);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_retried_then_refused),
        cmocka_unit_test(a_run_whose_result_nobody_can_write_has_failed),
        cmocka_unit_test(
            a_run_whose_result_finds_no_room_is_written_when_it_goes_on),
        cmocka_unit_test(
            an_export_that_wants_memory_is_done_when_there_is_some),
        cmocka_unit_test(two_exports_that_want_memory_rest_together),
        cmocka_unit_test(a_coordinator_tries_by_itself_whether_there_is_room),
        cmocka_unit_test(bad_input_ends_the_run_with_its_code),
        cmocka_unit_test(a_run_that_failed_without_a_word_says_so),
        cmocka_unit_test(an_error_of_somebody_else_counts_for_nothing),
        cmocka_unit_test(
            an_error_that_comes_again_does_not_end_the_next_owners_lease),
        cmocka_unit_test(malformed_results_are_errors),
    };
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
