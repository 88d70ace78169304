/* Runs that read lots of models: each lot is a task, and what nobody can read
 * costs the others nothing. */
#include "leases.h"

#include <string.h>

enum {
    LOTS = 5
};
static const etna_hash lots[LOTS] = {{{11}}, {{12}}, {{13}}, {{14}}, {{15}}};

static world *reading(void)
{
    static const char *const script[] = {"done"};
    arrange_config config = world_config("read models");
    config.scene = lots[0];
    config.lots = lots;
    config.lot_count = LOTS;
    return world_new(&config, script, 1);
}

/* Complete, without a step and without a result; each lot has its blob but the
 * one that is left out. */
static void check_read(const world *w, uint32_t left_out)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    assert_int_equal(view.state, RUN_COMPLETE);
    assert_int_equal(view.node_count, 0);
    assert_int_equal(view.edit_count, 0);
    assert_true(etna_hash_is_zero(&view.result));
    assert_int_equal(view.config->lot_count, LOTS);
    for (uint32_t i = 0; i < LOTS; i++) {
        assert_true(etna_hash_equal(&view.config->lots[i], &lots[i]));
        assert_int_equal(view.lots[i].bytes[0], i == left_out ? 0 : 0x40 + i);
    }
    etna_arena_free(&arena);
}

static void each_lot_is_a_task_and_all_together_end_the_run(void **state)
{
    (void)state;
    world *w = reading();
    assert_int_equal(core_count(w->c).tasks_queued, LOTS);
    world_lease(w, 1);
    assert_int_equal(w->held[0].task.kind, TASK_ASSET);
    assert_true(etna_hash_equal(&w->held[0].task.scene, &lots[0]));
    world_drive(w);
    check_read(w, LOTS);
    world_free(w);
}

static void any_order_of_results_comes_to_the_same(void **state)
{
    (void)state;
    world *w = reading();
    w->order = ORDER_LIFO;
    for (uint64_t worker = 1; worker <= LOTS; worker++)
        world_lease(w, worker);
    world_drive(w);
    check_read(w, LOTS);
    world_free(w);
}

/* What was read before stays read, and only the rest is given out again. */
static void a_restart_keeps_what_was_read(void **state)
{
    (void)state;
    world *w = reading();
    for (uint32_t i = 0; i < 2; i++) {
        world_lease(w, 1);
        world_give(w, 0);
    }
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    assert_int_equal(core_count(again->c).tasks_queued, LOTS - 2);
    world_drive(again);
    check_read(again, LOTS);
    world *third = world_restart(again, again->record_count);
    check_read(third, LOTS);
    world_free(third);
    world_free(again);
    world_free(w);
}

static void lot_fails(world *w, uint32_t lot, etna_code code)
{
    for (uint32_t attempt = 1; attempt <= 3; attempt++) {
        int at = world_find(w, TASK_ASSET, 0, lot, 0);
        if (at < 0)
            world_lease(w, 1);
        at = world_find(w, TASK_ASSET, 0, lot, 0);
        if (at < 0)
            return;
        world_held held = w->held[at];
        w->held_count = 0;
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){
            .ref = held.ref, .error = code, .error_text = "it is no lot"};
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    }
}

static void a_lot_that_nobody_can_read_costs_the_others_nothing(void **state)
{
    (void)state;
    static const etna_code codes[] = {ETNA_E_INPUT, ETNA_E_IO};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        world *w = reading();
        lot_fails(w, 0, codes[i]);
        world_drive(w);
        check_read(w, 0);
        world *again = world_restart(w, w->record_count);
        check_read(again, 0);
        world_free(again);
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lot_is_a_task_and_all_together_end_the_run),
        cmocka_unit_test(any_order_of_results_comes_to_the_same),
        cmocka_unit_test(a_restart_keeps_what_was_read),
        cmocka_unit_test(a_lot_that_nobody_can_read_costs_the_others_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
