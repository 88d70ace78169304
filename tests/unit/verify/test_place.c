/* Trying every place finds one where there is one, and none where there is
 * none. */
#include "tests/verify/place.h"

#include "tests/unit/referee/box_model.h"

static place_verdict model_ask(model *m,
                               relation r,
                               const char *where,
                               point *ret)
{
    pair p = {m->pieces, m->count};
    place_verdict verdict = place_find(&p, r, "box", where, ret);
    for (size_t i = 0; i < m->count; i++) {
        free(m->pieces[i].name);
        free(m->pieces[i].root);
        free(m->pieces[i].corners);
    }
    m->count = 0;
    return verdict;
}

/* A floor, a table of a board and two ends, and a box of this size at the other
 * side. */
static void model_room(model *m, double box)
{
    model_box(m, "floor", (point){4, 4, 0.1}, (point){0, 0, -0.05});
    model_box(m, "table", (point){1, 0.8, 0.05}, (point){1, 1, 0.625});
    model_box(m, "table", (point){0.05, 0.8, 0.5999}, (point){0.525, 1, 0.3});
    model_box(m, "table", (point){0.05, 0.8, 0.5999}, (point){1.475, 1, 0.3});
    model_box(m, "box", (point){box, box, box},
              (point){-1, -1, box / 2 + 0.0001});
}

static void a_place_on_under_and_beside_a_table_is_found(void **state)
{
    (void)state;
    model m = {.count = 0};
    point at;
    model_room(&m, 0.2);
    assert_int_equal(model_ask(&m, RELATION_ON, "table", &at), PLACE_FOUND);
    assert_true(fabs(at.z - 0.65) < 0.002);
    model_room(&m, 0.2);
    assert_int_equal(model_ask(&m, RELATION_UNDER, "table", &at), PLACE_FOUND);
    assert_true(at.z < 0.01 && at.x > 0.5 && at.x < 1.5);
    model_room(&m, 0.2);
    assert_int_equal(model_ask(&m, RELATION_BESIDE, "table", &at), PLACE_FOUND);
    assert_true(at.z < 0.01 &&
                (at.x < 0.5 || at.x > 1.5 || at.y < 0.6 || at.y > 1.4));
}

static void nothing_goes_under_a_table_that_is_too_low(void **state)
{
    (void)state;
    model m = {.count = 0};
    point at;
    model_room(&m, 0.7);
    assert_int_equal(model_ask(&m, RELATION_UNDER, "table", &at), PLACE_NONE);
}

static void nothing_goes_on_a_table_that_is_full(void **state)
{
    (void)state;
    model m = {.count = 0};
    point at;
    model_room(&m, 0.2);
    model_box(&m, "load", (point){0.96, 0.76, 0.3}, (point){1, 1, 0.8002});
    assert_int_equal(model_ask(&m, RELATION_ON, "table", &at), PLACE_NONE);
}

static void what_is_shut_in_cannot_go_anywhere(void **state)
{
    (void)state;
    model m = {.count = 0};
    point at;
    model_room(&m, 0.2);
    for (int side = 0; side < 4; side++) {
        double x = side < 2 ? side * 0.5 - 0.25 : 0;
        double y = side < 2 ? 0 : (side - 2) * 0.5 - 0.25;
        model_box(&m, "wall",
                  (point){x != 0 ? 0.02 : 0.48, y != 0 ? 0.02 : 0.48, 0.4},
                  (point){x - 1, y - 1, 0.2001});
    }
    model_box(&m, "lid", (point){0.52, 0.52, 0.02}, (point){-1, -1, 0.4102});
    assert_int_equal(model_ask(&m, RELATION_ON, "table", &at), PLACE_SHUT_IN);
    model_room(&m, 0.2);
    assert_int_equal(model_ask(&m, RELATION_ON, "no such thing", &at),
                     PLACE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_on_under_and_beside_a_table_is_found),
        cmocka_unit_test(nothing_goes_under_a_table_that_is_too_low),
        cmocka_unit_test(nothing_goes_on_a_table_that_is_full),
        cmocka_unit_test(what_is_shut_in_cannot_go_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
