/* Things as careless files have them: named alike, cut in parts, tippy. */
#include "plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A table in a room, and what else is called so. */
static facts_world two_tables(double x, double width, double high, bool lies)
{
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    const int table =
        facts_world_add(&w, "Table", 0, 0, 1.5, 0.8, 0.8, "brown", floor);
    facts_world_add(&w, "Table.001", x, 0, width, 0.5 * width, high, "grey",
                    lies ? table : floor);
    facts_world_add(&w, "Box", 2, 1, 0.3, 0.3, 0.3, "red", floor);
    return w;
}

static void a_top_plate_and_its_table_are_the_table(void **state)
{
    (void)state;
    facts_world w = two_tables(0, 1.5, 0.02, true);
    assert_says(&w, "Put the table next to the box", "Put \"Table\" on");
    assert_says(&w, "Put the box beside the table", "Put \"Box\" on \"Floor\"");
    assert_says(&w, "Put the tables next to the box", "Put \"Table\" on");
}

/* Two of a kind stay two: beside each other, or a toy on a table. */
static void a_table_of_its_own_is_another_table(void **state)
{
    (void)state;
    facts_world w = two_tables(1.8, 0.5, 0.4, false);
    assert_says(&w, "Put the box beside the table", "may be any of 2");
    w = two_tables(0.2, 0.3, 0.25, true);
    assert_says(&w, "Put the box beside the table", "may be any of 2");
}

/* A helmet is round below: four branches tried it at dozens of places each. What
 * failed of other causes may hold elsewhere. */
static void what_balances_nowhere_is_told_after_one_attempt(void **state)
{
    (void)state;
    static const char goal[] = "Put the box on the table";
    static const char *const causes[] = {"unsteady", "taken"};
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Table", 0, 0, 1.5, 0.8, 0.8, "brown", floor);
    facts_world_add(&w, "Box", 2, 1, 0.3, 0.3, 0.3, "red", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *tried = read_world_instruction(plan(&w, goal, &arena), &arena);
    for (int i = 0; i < 2; i++) {
        const char *rows = "";
        for (int branch = 0; branch < 4; branch++)
            rows = etna_arena_printf(
                &arena,
                "%s%s{\"node\":1,\"branch\":%d,\"instruction\":%s,"
                "\"obstacle\":\"%s\",\"reason\":\"\"}",
                rows, branch ? "," : "", branch, tried, causes[i]);
        const char *task = etna_arena_printf(
            &arena,
            "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9,\"failed_here\":[%s]}",
            goal, rows);
        const char *answer = read_world_answer(&w, task, &arena);
        if ((strstr(answer, "balances nowhere on Table") != NULL) != (i == 0))
            fail_msg("%s", answer);
    }
    etna_arena_free(&arena);
}

/* Two plants on a nightstand for one: no pile of plants, and what makes way does
 * not go onto the toilet nearby. */
static void nothing_is_put_on_plants_and_toilets(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    const int stand =
        facts_world_add(&w, "Nightstand", 0, 0, 0.4, 0.4, 0.5, "brown", floor);
    facts_world_add(&w, "Toilet", 0.6, 0, 0.4, 0.5, 0.45, "white", floor);
    const int lamp =
        facts_world_add(&w, "Lamp", 0, 0, 0.3, 0.3, 0.4, "black", stand);
    facts_world_add(&w, "Plant A", 2, 1, 0.35, 0.35, 0.4, "green", floor);
    facts_world_add(&w, "Plant B", 2, -1, 0.35, 0.35, 0.4, "green", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *answer =
        plan(&w, "Put the lamp on the floor beside the toilet", &arena);
    if (strstr(answer, "on \"Toilet\""))
        fail_msg("%s", answer);
    answer = plan(&w, "Put plant A on the nightstand", &arena);
    if (!strstr(answer, "Put \"Lamp\"") || strstr(answer, "on \"Toilet\""))
        fail_msg("%s", answer);
    w.things[lamp].x = -2;
    w.things[lamp].on = floor;
    w.things[facts_world_find(&w, "Plant A")].x = 0;
    w.things[facts_world_find(&w, "Plant A")].y = 0;
    w.things[facts_world_find(&w, "Plant A")].on = stand;
    answer = plan(&w, "Put both plants on the nightstand", &arena);
    if (strstr(answer, "on \"Plant A\""))
        fail_msg("%s", answer);
    etna_arena_free(&arena);
}

/* Nothing of it is opened, and whoever is to get in has its other end. */
static void beside_a_bathtub_is_before_it_too(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Bathtub", -2.6, 0, 0.8, 4.8, 0.6, "white", floor);
    facts_world_add(&w, "Cabinet", 2, 0, 0.6, 0.6, 0.9, "brown", floor);
    assert_says(&w, "Put the cabinet next to the bathtub",
                "Put \"Cabinet\" on \"Floor\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_top_plate_and_its_table_are_the_table),
        cmocka_unit_test(a_table_of_its_own_is_another_table),
        cmocka_unit_test(what_balances_nowhere_is_told_after_one_attempt),
        cmocka_unit_test(nothing_is_put_on_plants_and_toilets),
        cmocka_unit_test(beside_a_bathtub_is_before_it_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
