/* Connections that end, and what becomes of the leases on them. */
#include "leases.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            one_closed_connection_of_a_lone_worker_ends_its_lease_after_2_s),
        cmocka_unit_test(a_closed_connection_ends_its_leases_after_2_s),
        cmocka_unit_test(where_most_connections_fall_together_25_s_count),
        cmocka_unit_test(falls_far_apart_are_none_of_most),
        cmocka_unit_test(who_is_back_within_2_s_keeps_its_leases),
        cmocka_unit_test(another_connections_end_is_nothing_to_a_worker),
        cmocka_unit_test(a_removed_pipe_drops_its_parked_requests),
        cmocka_unit_test(a_closed_connection_drops_nobody_elses_requests),
        cmocka_unit_test(a_stall_of_the_loop_moves_deadlines),
    };
    return cmocka_run_group_tests_name("connections", tests, NULL, NULL);
}
