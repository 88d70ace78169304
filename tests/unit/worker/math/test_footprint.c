/* Footprints: what they cover, and how many marked cells lie under them
 * wherever they stand. */
#include "worker/math/footprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    COLUMNS = 12,
    ROWS = 9,
    PAD = 8,
    STRIDE = COLUMNS + 2 * PAD + 1
};

typedef struct laid { /* a footprint with room for its rows */
    footprint shape;
    int from[2 * PAD + 1], to[2 * PAD + 1];
} laid;

static void lay_outline(laid *l, const vec2 *corner, int count)
{
    l->shape = (footprint){
        .first = -PAD, .count = 2 * PAD + 1, .from = l->from, .to = l->to};
    footprint_open(&l->shape);
    for (int k = 0; k < count; k++)
        footprint_add_edge(&l->shape, corner[k], corner[(k + 1) % count]);
    footprint_close(&l->shape);
}

static bool shape_covers(const laid *l, int column, int row)
{
    const int k = row - l->shape.first;
    return k >= 0 && k < l->shape.count && column >= l->from[k] &&
           column <= l->to[k];
}

static void a_rectangle_covers_the_cells_whose_middles_it_holds(void **state)
{
    (void)state;
    static const vec2 straight[] = {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}};
    static const vec2 askew[] = {{-3, 0}, {0, -3}, {3, 0}, {0, 3}};
    laid l;
    lay_outline(&l, straight, 4);
    assert_int_equal(l.shape.area, 5 * 3);
    lay_outline(&l, askew, 4);
    assert_int_equal(l.shape.area, 25); /* |x| + |y| <= 3 */
    assert_true(shape_covers(&l, 1, 2) && !shape_covers(&l, 2, 2));
}

/* By every cell on its own. */
static int32_t count_slowly(const laid *l,
                            const uint8_t *marked,
                            int column,
                            int row)
{
    int32_t count = 0;
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i < COLUMNS; i++)
            count +=
                marked[j * COLUMNS + i] && shape_covers(l, i - column, j - row);
    }
    return count;
}

static void marked_cells_are_counted_wherever_it_stands(void **state)
{
    (void)state;
    static const vec2 outline[] = {
        {-3.2, -0.5}, {1.1, -2.6}, {2.4, 0.4}, {-1.5, 3.3}};
    uint8_t marked[ROWS * COLUMNS];
    int32_t sums[ROWS * STRIDE];
    int32_t counts[COLUMNS];
    uint32_t dice = 7;
    laid l;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        dice = dice * 1664525u + 1013904223u;
        marked[i] = dice >> 30 == 0;
    }
    lay_outline(&l, outline, 4);
    const footprint_sums s = {.columns = COLUMNS,
                              .rows = ROWS,
                              .pad = PAD,
                              .stride = STRIDE,
                              .sums = sums};
    footprint_add_up(&s, marked);
    for (uint32_t j = 0; j < ROWS; j++) {
        footprint_count_row(&l.shape, &s, j, counts);
        for (int i = 0; i < COLUMNS; i++)
            assert_int_equal(counts[i], count_slowly(&l, marked, i, (int)j));
    }
}

/* A level edge crosses no row's middle line, and a corner that is no number
 * widens nothing. */
static void edges_without_a_crossing_widen_nothing(void **state)
{
    (void)state;
    static const vec2 level[] = {{-2, 1}, {2, 1}};
    static const vec2 wild[] = {{NAN, -2}, {1e30, 2}, {INFINITY, 0}};
    laid l;
    lay_outline(&l, level, 2);
    assert_int_equal(l.shape.area, 0);
    lay_outline(&l, wild, 3);
    assert_int_equal(l.shape.area, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rectangle_covers_the_cells_whose_middles_it_holds),
        cmocka_unit_test(marked_cells_are_counted_wherever_it_stands),
        cmocka_unit_test(edges_without_a_crossing_widen_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
