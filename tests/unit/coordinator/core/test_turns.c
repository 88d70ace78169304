/* Whose turn it is where several runs want workers. */
#include "leases.h"

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
    world *w = world_new(&config, lease_script, LEASE_LINES);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_a_batch_the_oldest_run_goes_first),
        cmocka_unit_test(batches_and_runs_of_none_take_turns),
        cmocka_unit_test(a_batch_is_known_again_from_its_runs_journals),
        cmocka_unit_test(runs_are_served_in_turn),
        cmocka_unit_test(warm_scenes_are_preferred_but_no_run_starves),
        cmocka_unit_test(runs_beside_each_other_do_not_mix),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
