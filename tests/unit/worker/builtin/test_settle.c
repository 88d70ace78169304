/* Which later moves take earlier ones in, and which do not: pairs of moves, by
 * hand. */
#include "read_parts.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Settles an earlier and a later move; how many are left. */
static uint32_t settled(read_parts *p, builtin_move earlier, builtin_move later)
{
    p->reading.count = 0;
    read_parts_add(p, earlier);
    read_parts_add(p, later);
    assert_int_equal(moves_settle(&p->r, 1), ETNA_OK);
    return p->reading.count;
}

static void a_place_beside_takes_in_what_it_stands_on(void **state)
{
    (void)state;
    static const builtin_relation aside[] = {RELATION_BESIDE, RELATION_LEFT,
                                             RELATION_RIGHT, RELATION_FRONT,
                                             RELATION_BEHIND};
    read_parts p;
    read_parts_begin(&p, "x");
    builtin_move on = read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    on.level = 2;
    for (size_t i = 0; i < sizeof aside / sizeof aside[0]; i++) {
        assert_int_equal(
            settled(&p, on, read_parts_move(&p, "TeaCup", aside[i], "Bottle")),
            1);
        assert_int_equal(p.reading.moves[0].relation, aside[i]);
        assert_int_equal(p.reading.moves[0].support,
                         read_parts_thing(&p, "Table_01"));
        assert_int_equal(p.reading.moves[0].level, 2);
    }
    read_parts_end(&p);
}

/* "Push the chair up to the table and turn it to face that" */
static void a_turn_to_what_it_was_put_by_tells_how_it_stands_there(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const builtin_move by =
        read_parts_move(&p, "TeaCup", RELATION_AGAINST, "Table_01");
    builtin_move turn = read_parts_move(&p, "TeaCup", RELATION_TURNED, NULL);
    turn.facing = FACING_TO;
    turn.faced = by.reference;
    assert_int_equal(settled(&p, by, turn), 2);
    assert_int_equal(p.reading.moves[0].facing, FACING_TO);
    assert_int_equal(p.reading.moves[0].faced, by.reference);
    turn.faced = read_parts_thing(&p, "Bottle");
    assert_int_equal(settled(&p, by, turn), 2);
    assert_int_equal(p.reading.moves[0].facing, FACING_NONE);
    read_parts_end(&p);
}

static void moves_of_other_things_or_with_a_support_of_their_own_stay(
    void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const builtin_move on =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    builtin_move beside =
        read_parts_move(&p, "TeaCup", RELATION_BESIDE, "Bottle");
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "TableLamp", RELATION_BESIDE, "Bottle")),
        2);
    assert_int_equal(settled(&p, on,
                             read_parts_move(&p, "TeaCup+TableLamp",
                                             RELATION_BESIDE, "Bottle")),
                     2);
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "TeaCup", RELATION_ON, "NightStand_02")),
        2);
    beside.support = read_parts_thing(&p, "NightStand_02");
    assert_int_equal(settled(&p, on, beside), 2);
    read_parts_end(&p);
}

static void a_turn_before_a_place_becomes_its_facing(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    builtin_move turned =
        read_parts_move(&p, "ChairA_01_001", RELATION_TURNED, NULL);
    turned.facing = FACING_TO;
    turned.faced = read_parts_thing(&p, "Table_01");
    assert_int_equal(settled(&p, turned,
                             read_parts_move(&p, "ChairA_01_001", RELATION_LEFT,
                                             "NightStand_02")),
                     1);
    assert_int_equal(p.reading.moves[0].facing, FACING_TO);
    assert_int_equal(p.reading.moves[0].faced, turned.faced);
    assert_int_equal(
        settled(&p, turned,
                read_parts_move(&p, "ChairA_01_001", RELATION_SHIFT, NULL)),
        2);
    builtin_move own =
        read_parts_move(&p, "ChairA_01_001", RELATION_LEFT, "NightStand_02");
    own.facing = FACING_BACK;
    assert_int_equal(settled(&p, turned, own), 2);
    read_parts_end(&p);
}

static void what_goes_elsewhere_is_none_of_those_that_were_put_together(
    void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const builtin_move both =
        read_parts_move(&p, "Bottle+Bottle.001", RELATION_ON, "Table_01");
    assert_int_equal(
        settled(&p, both,
                read_parts_move(&p, "Bottle", RELATION_ON, "NightStand_02")),
        2);
    assert_int_equal(p.reading.moves[0].objects.count, 1);
    assert_int_equal(p.reading.moves[0].objects.objects[0],
                     read_parts_thing(&p, "Bottle.001"));
    assert_int_equal(
        settled(&p, both,
                read_parts_move(&p, "Bottle", RELATION_ON, "Table_01")),
        2);
    assert_int_equal(p.reading.moves[0].objects.count, 2);
    assert_int_equal(
        settled(&p, both,
                read_parts_move(&p, "Bottle", RELATION_BESIDE, "TeaCup")),
        2);
    assert_int_equal(p.reading.moves[0].objects.count, 2);
    read_parts_end(&p);
}

static void plates_before_seats_are_on_the_table_by_that(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const builtin_move on =
        read_parts_move(&p, "Bottle+Bottle.001", RELATION_ON, "Table_01");
    assert_int_equal(settled(&p, on,
                             read_parts_move(&p, "Bottle+Bottle.001",
                                             RELATION_SETTING, "Table_01")),
                     1);
    assert_int_equal(p.reading.moves[0].relation, RELATION_SETTING);
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "Bottle+Bottle.001", RELATION_SETTING,
                                "NightStand_02")),
        2);
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "Bottle", RELATION_SETTING, "Table_01")),
        2);
    read_parts_end(&p);
}

/* Chairs brought to the table are taken in when each of them is pushed in
 * there, and not before. */
static void chairs_at_the_table_are_taken_in_when_all_are_tucked_in(
    void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const builtin_move near = read_parts_move(&p, "ChairA_01_001+ChairA_01_002",
                                              RELATION_BESIDE, "Table_01");
    const builtin_move one =
        read_parts_move(&p, "ChairA_01_001", RELATION_TUCK, "Table_01");
    assert_int_equal(settled(&p, near, one), 2);
    p.reading.count = 0;
    read_parts_add(&p, near);
    read_parts_add(&p, one);
    read_parts_add(
        &p, read_parts_move(&p, "ChairA_01_002", RELATION_TUCK, "Table_01"));
    assert_int_equal(moves_settle(&p.r, 1), 0);
    assert_int_equal(p.reading.count, 2);
    assert_int_equal(settled(&p, near,
                             read_parts_move(&p, "ChairA_01_001", RELATION_TUCK,
                                             "CoffeeTable_01_001")),
                     2);
    read_parts_end(&p);
}

/* "The cup is on the table, put it beside the lamp": only what was merely told
 * gives way. */
static void a_statement_gives_way_to_an_order_and_an_order_does_not(
    void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    builtin_move told =
        read_parts_move(&p, "TeaCup", RELATION_BESIDE, "Bottle");
    const builtin_move order =
        read_parts_move(&p, "TeaCup", RELATION_ON, "NightStand_02");
    assert_int_equal(settled(&p, told, order), 2);
    told.told = TOLD_SO;
    assert_int_equal(
        settled(&p, told, read_parts_move(&p, "TeaCup", RELATION_TURN, NULL)),
        2);
    assert_int_equal(
        settled(&p, told,
                read_parts_move(&p, "TableLamp", RELATION_ON, "NightStand_02")),
        2);
    assert_int_equal(settled(&p, told, order), 1);
    assert_int_equal(p.reading.moves[0].relation, RELATION_ON);
    told.told = TOLD_UNTRUE;
    p.reading.moves[0] = told;
    p.reading.moves[1] = order;
    p.reading.count = 2;
    assert_int_equal(moves_settle(&p.r, 1), ETNA_E_INPUT);
    read_parts_end(&p);
}

/* What the reader remembers of moves by their places follows them. */
static void places_that_are_remembered_move_up(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    p.r.memory.ordered = p.r.memory.table = 2;
    const builtin_move on =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "TeaCup", RELATION_BESIDE, "Bottle")),
        1);
    assert_int_equal(p.r.memory.ordered, 1);
    assert_int_equal(p.r.memory.table, 1);
    read_parts_end(&p);
}

static void moves_of_an_earlier_text_stay(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    p.r.first_move = 1;
    const builtin_move on =
        read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01");
    assert_int_equal(
        settled(&p, on,
                read_parts_move(&p, "TeaCup", RELATION_BESIDE, "Bottle")),
        2);
    read_parts_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_turn_to_what_it_was_put_by_tells_how_it_stands_there),
        cmocka_unit_test(a_place_beside_takes_in_what_it_stands_on),
        cmocka_unit_test(
            moves_of_other_things_or_with_a_support_of_their_own_stay),
        cmocka_unit_test(a_turn_before_a_place_becomes_its_facing),
        cmocka_unit_test(
            what_goes_elsewhere_is_none_of_those_that_were_put_together),
        cmocka_unit_test(plates_before_seats_are_on_the_table_by_that),
        cmocka_unit_test(
            chairs_at_the_table_are_taken_in_when_all_are_tucked_in),
        cmocka_unit_test(
            a_statement_gives_way_to_an_order_and_an_order_does_not),
        cmocka_unit_test(places_that_are_remembered_move_up),
        cmocka_unit_test(moves_of_an_earlier_text_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
