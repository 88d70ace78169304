/* Runs of lots, of models that are read or of briefs that are furnished: each lot
 * is a task, and what nobody can do costs the others nothing. */
#include "coordinator/core/run.h"
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
    for (uint64_t by = 1; by <= LOTS; by++)
        world_lease(w, by);
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

static world *furnishing(void)
{
    static const char *const script[] = {"done"};
    static const etna_hash stock[] = {{{21}}, {{22}}};
    arrange_config config = world_config("furnish rooms");
    config.scene = (etna_hash){{9}};
    config.lots = lots;
    config.lot_count = LOTS;
    config.furnishes = true;
    config.stock = stock;
    config.stock_count = 2;
    return world_new(&config, script, 1);
}

/* Each brief is a task, which names the index and the brief; a restart keeps what
 * was furnished, and knows what it is furnished with. */
static void each_brief_is_a_task_that_names_the_index(void **state)
{
    (void)state;
    world *w = furnishing();
    world_lease(w, 1);
    assert_int_equal(w->held[0].task.kind, TASK_FURNISH);
    assert_int_equal(w->held[0].task.scene.bytes[0], 9);
    assert_true(etna_hash_equal(&w->held[0].task.snapshot, &lots[0]));
    world_give(w, 0);
    world *again = world_restart(w, w->record_count);
    world_resume(again);
    assert_int_equal(core_count(again->c).tasks_queued, LOTS - 1);
    world_drive(again);
    check_read(again, LOTS);
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(again, &arena);
    assert_int_equal(view.config->stock_count, 2);
    assert_int_equal(view.config->stock[1].bytes[0], 22);
    etna_arena_free(&arena);
    world_free(again);
    world_free(w);
}

static void count_hash(void *context, const etna_hash *hash)
{
    uint32_t *seen = context;
    if (hash->bytes[0] == 21 || hash->bytes[0] == 22)
        (*seen)++;
}

/* Else the store's collector takes the models from under a run that rests. */
static void a_journal_names_the_models_of_its_rooms(void **state)
{
    (void)state;
    world *w = furnishing();
    uint32_t seen = 0;
    for (uint32_t i = 0; i < w->record_count; i++)
        assert_int_equal(core_record_hashes(w->records[i].data,
                                            w->records[i].size, count_hash,
                                            &seen, NULL),
                         ETNA_OK);
    assert_int_equal(seen, 2);
    world_free(w);
}

static void a_stock_goes_with_rooms_alone(void **state)
{
    (void)state;
    static const etna_hash stock[] = {{{21}}, {{0}}};
    arrange_config config = world_config("furnish rooms");
    config.lots = lots;
    config.lot_count = LOTS;
    config.stock = stock;
    config.stock_count = 1;
    assert_int_equal(run_config_check(&config, NULL), ETNA_E_USAGE);
    config.furnishes = true;
    assert_int_equal(run_config_check(&config, NULL), ETNA_OK);
    config.stock_count = 2;
    assert_int_equal(run_config_check(&config, NULL), ETNA_E_USAGE);
    config.stock_count = ARRANGE_STOCK_MAX + 1;
    assert_int_equal(run_config_check(&config, NULL), ETNA_E_LIMIT);
    config.stock_count = 0;
    config.lot_count = 0;
    assert_int_equal(run_config_check(&config, NULL), ETNA_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lot_is_a_task_and_all_together_end_the_run),
        cmocka_unit_test(any_order_of_results_comes_to_the_same),
        cmocka_unit_test(a_restart_keeps_what_was_read),
        cmocka_unit_test(a_lot_that_nobody_can_read_costs_the_others_nothing),
        cmocka_unit_test(each_brief_is_a_task_that_names_the_index),
        cmocka_unit_test(a_journal_names_the_models_of_its_rooms),
        cmocka_unit_test(a_stock_goes_with_rooms_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
