/* The room of a scene: the largest rectangle of its floor, which sides are
 * walls, and where these are open. */
#include "worker/furnish/floor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void quad(floor_map *m,
                 const double a[3],
                 const double b[3],
                 const double c[3],
                 const double d[3])
{
    const double *corners[2][3] = {{a, b, c}, {a, c, d}};
    for (int t = 0; t < 2; t++) {
        double at[3][3];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                at[i][k] = corners[t][i][k];
        }
        floor_mark(m, (const double(*)[3])at, -FLOOR_LEVEL, FLOOR_LEVEL,
                   FLOOR_THERE, true);
        floor_mark(m, (const double(*)[3])at, FLOOR_KNEE, FLOOR_EYE_LOW,
                   FLOOR_LOW, false);
        floor_mark(m, (const double(*)[3])at, FLOOR_EYE_LOW, FLOOR_EYE_HIGH,
                   FLOOR_HIGH, false);
    }
}

static void ground(floor_map *m, double x0, double z0, double x1, double z1)
{
    const double a[3] = {x0, 0, z0}, b[3] = {x1, 0, z0}, c[3] = {x1, 0, z1},
                 d[3] = {x0, 0, z1};
    quad(m, a, b, c, d);
}

static void wall(floor_map *m,
                 double x0,
                 double z0,
                 double x1,
                 double z1,
                 double low,
                 double high)
{
    const double a[3] = {x0, low, z0}, b[3] = {x1, low, z1},
                 c[3] = {x1, high, z1}, d[3] = {x0, high, z0};
    quad(m, a, b, c, d);
}

/* Two rooms of one floor: 4 x 5 m with a door at 1 m of its south wall and a
 * window at 2 m of its north one, and 3 x 5 m beside it without a south
 * wall. */
static floor_map house(void)
{
    floor_map m;
    etna_error err = {0};
    if (floor_make(0, 0, 7, 5, &m, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    ground(&m, 0.01, 0.01, 6.99, 4.99);
    wall(&m, 0.02, 0.02, 0.02, 4.98, 0, 2.5);
    wall(&m, 4, 0.02, 4, 4.98, 0, 2.5);
    wall(&m, 6.98, 0.02, 6.98, 4.98, 0, 2.5);
    wall(&m, 0.02, 0.02, 6.98, 0.02, 0, 0.9); /* below the windows */
    wall(&m, 0.02, 0.02, 1.4, 0.02, 0.9, 2.5);
    wall(&m, 2.6, 0.02, 6.98, 0.02, 0.9, 2.5);
    wall(&m, 0.02, 4.98, 2.55, 4.98, 0, 2.5);
    wall(&m, 3.45, 4.98, 4, 4.98, 0, 2.5);
    return m;
}

static void the_largest_room_is_found_with_its_door_and_window(void **state)
{
    (void)state;
    floor_map m = house();
    layout_rect r;
    layout_room room = {.height = 2.5};
    assert_true(floor_find_room(&m, NULL, 0, &r));
    assert_true(fabs(r.x0) < 0.11 && fabs(r.x1 - 4) < 0.11 &&
                fabs(r.z0) < 0.11 && fabs(r.z1 - 5) < 0.11);
    floor_find_openings(&m, &r, &room);
    for (int w = 0; w < 4; w++)
        assert_false(room.open[w]);
    assert_int_equal(room.opening_count, 2);
    assert_int_equal(room.openings[0].wall, 0);
    assert_false(room.openings[0].is_door);
    assert_true(fabs(room.openings[0].at - 2) < 0.11 &&
                fabs(room.openings[0].width - 1.2) < 0.11);
    assert_int_equal(room.openings[1].wall, 2);
    assert_true(room.openings[1].is_door);
    assert_true(fabs(room.openings[1].at - 1) < 0.11 &&
                fabs(room.openings[1].width - 0.9) < 0.11);
    floor_free(&m);
}

static void the_room_of_what_is_spoken_of_comes_before_a_larger_one(
    void **state)
{
    (void)state;
    floor_map m = house();
    layout_rect r;
    layout_room room = {.height = 2.5};
    const double points[2][2] = {{5, 1}, {6, 4}};
    assert_true(floor_find_room(&m, points, 2, &r));
    assert_true(fabs(r.x0 - 4) < 0.11 && fabs(r.x1 - 7) < 0.11);
    floor_find_openings(&m, &r, &room);
    assert_true(room.open[2]);
    assert_false(room.open[0] || room.open[1] || room.open[3]);
    floor_free(&m);
}

static void a_floor_that_is_no_room_is_none(void **state)
{
    (void)state;
    floor_map m;
    layout_rect r;
    etna_error err = {0};
    assert_int_equal(floor_make(0, 0, 0.8, 20, &m, &err), ETNA_OK);
    ground(&m, 0, 0, 0.8, 20);
    assert_false(floor_find_room(&m, NULL, 0, &r));
    floor_free(&m);
    assert_int_equal(floor_make(0, 0, NAN, 20, &m, &err), ETNA_E_INPUT);
    assert_int_equal(floor_make(0, 0, 1e9, 20, &m, &err), ETNA_E_INPUT);
    /* of larger cells */
    assert_int_equal(floor_make(0, 0, 5000, 20, &m, &err), ETNA_OK);
    assert_true(m.across <= FLOOR_SIDE_MAX);
    const double wild[3][3] = {{NAN, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                 far[3][3] = {{-1e30, 0, -1e30}, {1e30, 0, 0}, {0, 0, 1e30}};
    floor_mark(&m, wild, -1, 1, FLOOR_THERE, false);
    floor_mark(&m, far, -1, 1, FLOOR_THERE, false);
    floor_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_room_is_found_with_its_door_and_window),
        cmocka_unit_test(
            the_room_of_what_is_spoken_of_comes_before_a_larger_one),
        cmocka_unit_test(a_floor_that_is_no_room_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
