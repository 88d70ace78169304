/* The span of cells that a triangle overlaps in a row is what asking each cell
 * by itself says. */
#include "worker/probe/cells.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    SIDE = 40,
    TRIANGLES = 5000
};

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % limit;
}

/* Within the map, every other on the border of a cell. */
static vec3 random_corner(uint64_t *state)
{
    double x = random_below(state, SIDE * 8) / 8.0;
    double y = random_below(state, SIDE * 8) / 8.0;
    if (random_below(state, 2))
        x += random_below(state, 1000) * 1e-4;
    if (random_below(state, 2))
        y += random_below(state, 1000) * 1e-4;
    return v3(x, y, random_below(state, 100) * 0.01);
}

/* No side of the triangle keeps it apart from the cell. */
static bool cell_overlaps(const cells_corners *f, uint32_t column, uint32_t row)
{
    for (int i = 0; i < 3; i++) {
        vec2 a = f->at[i];
        vec2 b = f->at[(i + 1) % 3];
        vec2 c = f->at[(i + 2) % 3];
        double nx = b.y - a.y;
        double ny = a.x - b.x;
        double centre = (column + 0.5 - a.x) * nx + (row + 0.5 - a.y) * ny;
        double reach = (fabs(nx) + fabs(ny)) / 2;
        double third = (c.x - a.x) * nx + (c.y - a.y) * ny;
        if (centre - reach > fmax(third, 0) || centre + reach < fmin(third, 0))
            return false;
    }
    return true;
}

static void a_rows_span_is_what_asking_each_cell_says(void **state)
{
    (void)state;
    const cells_map map = {.turn = affine_identity(),
                           .cell = 1,
                           .reach = INFINITY,
                           .columns = SIDE,
                           .rows = SIDE};
    uint64_t seed = 7;
    uint32_t covered = 0;
    uint32_t left = 0;
    for (int t = 0; t < TRIANGLES; t++) {
        vec3 corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = random_corner(&seed);
        if (t % 5 == 0)
            /* next to upright */
            corner[1] = v3_add(corner[0], v3(1e-9 * (t % 7), 3, 0));
        if (t % 7 == 0)
            corner[2] = corner[1];
        cells_corners f = cells_lay_corners(&map, corner, false);
        cells_side sides[3];
        cells_sides_of(&f, sides);
        for (uint32_t j = 0; j < SIDE; j++) {
            uint32_t from = 0;
            uint32_t to = SIDE;
            cells_narrow_row(sides, j, &from, &to);
            for (uint32_t i = 0; i < SIDE; i++) {
                bool is_inside = i >= from && i < to;
                assert_int_equal(is_inside, cell_overlaps(&f, i, j));
                covered += is_inside;
                left += !is_inside;
            }
        }
    }
    assert_true(covered > TRIANGLES && left > TRIANGLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rows_span_is_what_asking_each_cell_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
