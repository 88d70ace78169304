/* Places of one clause that qualify each other: piles, and the corner beside
 * something fixed. */
#include "read_parts.h"

#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/side.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static destination upon(const read_parts *p, const char *reference)
{
    destination d =
        destination_plain(RELATION_ON, read_parts_thing(p, reference));
    d.upon = true;
    return d;
}

static etna_code chained(read_parts *p, destinations *list)
{
    const builtin_move plain = read_parts_move(p, "TeaCup", RELATION_ON, NULL);
    return destinations_chain(&p->r, &plain, list);
}

/* "The cup on the bottle on the block": the bottle goes there first. */
static void a_pile_is_put_up_from_below(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    destinations list = {.count = 3,
                         .list = {upon(&p, "Bottle"), upon(&p, "Blue Block"),
                                  upon(&p, "Yellow Block")}};
    assert_int_equal(chained(&p, &list), ETNA_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.list[0].reference, read_parts_thing(&p, "Bottle"));
    assert_int_equal(p.reading.count, 2);
    assert_int_equal(p.reading.moves[0].objects.objects[0],
                     read_parts_thing(&p, "Blue Block"));
    assert_int_equal(p.reading.moves[0].reference,
                     read_parts_thing(&p, "Yellow Block"));
    assert_int_equal(p.reading.moves[1].objects.objects[0],
                     read_parts_thing(&p, "Bottle"));
    assert_int_equal(p.reading.moves[1].reference,
                     read_parts_thing(&p, "Blue Block"));
    read_parts_end(&p);
}

static void what_stands_there_already_is_not_put_there(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    destinations list = {
        .count = 2, .list = {upon(&p, "Yellow Block"), upon(&p, "Table_01")}};
    assert_int_equal(chained(&p, &list), ETNA_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(p.reading.count, 0);
    read_parts_end(&p);
}

static void places_that_make_no_pile_stay_as_they_are(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    destination beside =
        destination_plain(RELATION_BESIDE, read_parts_thing(&p, "Bottle"));
    const destinations none[] = {
        {.count = 1, .list = {upon(&p, "Bottle")}},
        {.count = 2, .list = {upon(&p, "Bottle"), beside}},
        {.count = 2, .list = {upon(&p, "Bottle"), upon(&p, "Bottle")}},
        {.count = 2,
         /* larger than what is below */
         .list = {upon(&p, "Yellow Block"), upon(&p, "Bottle")}},
        {.count = 2,
         .list = {upon(&p, "NightStand_02"),
                  upon(&p, "Table_01")}}, /* furniture stays on the floor */
        /* fixed */
        {.count = 2,
         .list = {upon(&p, "FloorB_01_001"), upon(&p, "Blue Block")}},
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        destinations list = none[i];
        assert_int_equal(chained(&p, &list), ETNA_OK);
        assert_int_equal(list.count, none[i].count);
        assert_int_equal(p.reading.count, 0);
    }
    read_parts_end(&p);
}

static void a_pile_beyond_the_last_move_is_refused(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    while (p.reading.count < BUILTIN_MOVES_MAX)
        read_parts_add(&p,
                       read_parts_move(&p, "TeaCup", RELATION_ON, "Table_01"));
    destinations list = {.count = 2,
                         .list = {upon(&p, "Bottle"), upon(&p, "Blue Block")}};
    assert_int_equal(chained(&p, &list), ETNA_E_INPUT);
    assert_int_equal(p.reading.count, BUILTIN_MOVES_MAX);
    read_parts_end(&p);
}

/* "In the corner by the wall": the wall has told which, and asks for no more.
 * The world's wall is behind, its middle a little to the right or not at
 * all. */
static void something_fixed_tells_which_corner(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    const destination corner = destination_plain(
        RELATION_CORNER, read_parts_thing(&p, "FloorB_01_001"));
    const destination wall =
        destination_plain(RELATION_BESIDE, read_parts_thing(&p, "Wall_3"));
    const destination lamp =
        destination_plain(RELATION_BESIDE, read_parts_thing(&p, "TableLamp"));
    for (int first = 0; first < 2; first++) {
        destinations list = {
            .count = 2, .list = {first ? corner : wall, first ? wall : corner}};
        assert_int_equal(chained(&p, &list), ETNA_OK);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.list[0].relation, RELATION_CORNER);
        assert_true(list.list[0].sides & SIDE_BACK);
        assert_true(list.list[0].sides & (SIDE_LEFT | SIDE_RIGHT));
    }
    /* what moves is asked for besides */
    destinations both = {.count = 2, .list = {corner, lamp}};
    assert_int_equal(chained(&p, &both), ETNA_OK);
    assert_int_equal(both.count, 2);
    destination right = lamp;
    right.relation = RELATION_RIGHT;
    destinations aside = {
        .count = 2,
        /* but of two corners a thing tells the one at its side */
        .list = {corner, right}};
    assert_int_equal(chained(&p, &aside), ETNA_OK);
    assert_int_equal(aside.count, 1);
    assert_true(aside.list[0].sides & SIDE_RIGHT);
    destinations said = {.count = 2, .list = {corner, wall}};
    said.list[0].sides = SIDE_FRONT; /* which corner is said */
    assert_int_equal(chained(&p, &said), ETNA_OK);
    assert_int_equal(said.count, 2);
    read_parts_end(&p);
}

/* "In the corner between the lamp and the bottle": no place is in a corner and
 * in the middle between them. */
static void what_is_between_two_things_tells_which_corner(void **state)
{
    (void)state;
    read_parts p;
    read_parts_begin(&p, "x");
    destination between =
        destination_plain(RELATION_BETWEEN, read_parts_thing(&p, "Bottle"));
    between.second = read_parts_thing(&p, "TableLamp");
    const destination corner =
        destination_plain(RELATION_CORNER, read_parts_thing(&p, "Table_01"));
    destinations list = {.count = 2, .list = {corner, between}};
    assert_int_equal(chained(&p, &list), ETNA_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.list[0].relation, RELATION_CORNER);
    assert_true(list.list[0].sides & (SIDE_LEFT | SIDE_RIGHT));
    assert_true(list.list[0].sides & (SIDE_FRONT | SIDE_BACK));
    destinations said = {.count = 2, .list = {corner, between}};
    said.list[0].sides = SIDE_LEFT | SIDE_BACK;
    assert_int_equal(chained(&p, &said), ETNA_OK);
    assert_int_equal(said.count, 1);
    assert_int_equal(said.list[0].sides, SIDE_LEFT | SIDE_BACK);
    read_parts_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_is_put_up_from_below),
        cmocka_unit_test(what_stands_there_already_is_not_put_there),
        cmocka_unit_test(places_that_make_no_pile_stay_as_they_are),
        cmocka_unit_test(a_pile_beyond_the_last_move_is_refused),
        cmocka_unit_test(something_fixed_tells_which_corner),
        cmocka_unit_test(what_is_between_two_things_tells_which_corner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
