/* A hand gets at what lies on and under a table and in an open cupboard, and
 * not at what is shut in or behind a wall. */
#include "tests/verify/hand.h"

#include "tests/unit/referee/box_model.h"

/* A cupboard of 80 cm at (-1, 1), of boards of 4 cm, its side toward -y open
 * but for `door`. */
static void model_cupboard(model *m, bool door)
{
    model_box(m, "cupboard", (point){0.8, 0.8, 0.04}, (point){-1, 1, 0.03});
    model_box(m, "cupboard", (point){0.8, 0.8, 0.04}, (point){-1, 1, 0.79});
    model_box(m, "cupboard", (point){0.04, 0.8, 0.8}, (point){-1.38, 1, 0.41});
    model_box(m, "cupboard", (point){0.04, 0.8, 0.8}, (point){-0.62, 1, 0.41});
    model_box(m, "cupboard", (point){0.8, 0.04, 0.8}, (point){-1, 1.38, 0.41});
    if (door)
        model_box(m, "cupboard", (point){0.8, 0.04, 0.8},
                  (point){-1, 0.62, 0.41});
}

/* The findings when a box of 10 cm goes from the floor to `to`. */
static uint32_t model_feel(model *m, point to)
{
    const size_t box =
        model_box(m, "box", (point){0.1, 0.1, 0.1}, (point){-1, -1, 0.051});
    m->pieces[box].after.t = to;
    const pair p = {m->pieces, m->count};
    hand_findings found;
    findings none = {0};
    assert_true(hand_feel(&p, &found));
    const uint32_t count = found.count;
    assert_int_equal(found.bodies, 1);
    if (count > 0)
        assert_int_equal(found.pieces[0], box);
    free(found.pieces);
    model_free(m, &none);
    m->count = 0;
    return count;
}

static void what_lies_on_a_table_or_in_an_open_cupboard_is_felt(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    assert_int_equal(model_feel(&m, (point){1, 1, 0.752}), 0);
    model_with_table(&m);
    model_cupboard(&m, false);
    assert_int_equal(model_feel(&m, (point){-1, 1.2, 0.11}), 0);
}

static void what_is_shut_in_is_out_of_reach(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    model_cupboard(&m, true);
    assert_int_equal(model_feel(&m, (point){-1, 1.2, 0.11}), 1);
    /* within the table, which is a solid block */
    model_with_table(&m);
    model_box(&m, "stool", (point){0.4, 0.4, 0.4}, (point){-1, 1, 0.201});
    model_box(&m, "chest", (point){0.6, 0.4, 0.4}, (point){1, -1, 0.201});
    assert_int_equal(model_feel(&m, (point){1, 1, 0.35}), 1);
}

/* Nor does anybody get at it through a gap of two centimetres. */
static void what_is_behind_a_narrow_gap_is_out_of_reach(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    model_cupboard(&m, false);
    model_box(&m, "board", (point){0.7, 0.04, 0.72}, (point){-1, 0.62, 0.41});
    assert_int_equal(model_feel(&m, (point){-1, 1.2, 0.11}), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_table_or_in_an_open_cupboard_is_felt),
        cmocka_unit_test(what_is_shut_in_is_out_of_reach),
        cmocka_unit_test(what_is_behind_a_narrow_gap_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
