/* Places of the room that a brief names: by a window or a door, overhead, in
 * rows of so many. */
#include "tests/unit/worker/furnish/briefs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The walls that the first tie of the text names; all is understood. */
static uint8_t walls_of(const char *text)
{
    brief *b = brief_of(text);
    assert_int_equal(b->unread_count, 0);
    assert_int_equal(b->tie_count, 1);
    assert_int_equal(b->ties[0].relation, BRIEF_WALL);
    uint8_t walls = b->ties[0].walls;
    free(b);
    return walls;
}

static void a_wall_may_be_told_by_its_window_or_door(void **state)
{
    (void)state;
    assert_int_equal(walls_of("a bed opposite the window"),
                     BRIEF_ACROSS_WINDOW);
    assert_int_equal(walls_of("a sofa against the wall opposite the window"),
                     BRIEF_ACROSS_WINDOW);
    assert_int_equal(walls_of("a desk across from the door"),
                     BRIEF_ACROSS_DOOR);
    assert_int_equal(walls_of("a shelf along the window wall"),
                     BRIEF_OF_WINDOW);
    assert_int_equal(walls_of("a cabinet on the wall with the door"),
                     BRIEF_OF_DOOR);
    assert_int_equal(walls_of("a cabinet on the north wall"), BRIEF_NORTH);
}

static void what_hangs_from_the_ceiling_is_overhead(void **state)
{
    (void)state;
    brief *b = brief_of("a table and a projector hanging from the ceiling");
    assert_int_equal(b->unread_count, 0);
    assert_false(b->wishes[0].overhead);
    assert_true(b->wishes[1].overhead);
    free(b);
    b = brief_of("A lamp suspended from the ceiling over a table.");
    assert_true(b->wishes[0].overhead);
    free(b);
    brief_ties("A lamp suspended from the ceiling over a table.", "lamp",
               BRIEF_ABOVE, "table");
}

static void rows_of_so_many_are_counted(void **state)
{
    (void)state;
    brief_has("a piano, and chairs in three rows of four facing it",
              "1 piano; 12 chair");
    brief_has("chairs in two rows", "2 chair");
    brief_has("six chairs in two rows of three", "6 chair");
    brief *b = brief_of("a piano, and chairs in three rows of four facing it");
    assert_int_equal(b->unread_count, 0);
    free(b);
}

static void a_gap_before_a_place_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double gap;
    } cases[] = {
        {"a sofa, and a coffee table 40 cm in front of the sofa", 0.4},
        {"a sofa with a coffee table 40 cm in front of it", 0.4},
        {"a sofa, and a lamp half a metre to the left of the sofa", 0.5},
        {"a sofa, and a lamp 0.3 m beside the sofa", 0.3},
        {"a sofa, and a lamp two feet behind the sofa", 0.6096},
        {"a sofa, and a lamp behind the sofa", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        brief *b = brief_of(cases[i].text);
        assert_int_equal(b->unread_count, 0);
        const brief_tie *last = &b->ties[b->tie_count - 1];
        assert_false(last->loose);
        assert_true(fabs(last->gap - cases[i].gap) < 1e-9);
        free(b);
    }
    /* farther than such a place may be: it is told */
    brief *b = brief_of("a sofa, and a lamp 3 m beside the sofa");
    assert_int_equal(b->unread_count, 1);
    assert_true(b->ties[0].gap <= 0);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_may_be_told_by_its_window_or_door),
        cmocka_unit_test(what_hangs_from_the_ceiling_is_overhead),
        cmocka_unit_test(a_gap_before_a_place_is_read),
        cmocka_unit_test(rows_of_so_many_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
