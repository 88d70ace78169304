/* In which order a benchmark's children begin. */
#include "coordinator/cli/bench_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_heaviest_begins_first(void **state)
{
    (void)state;
    static const bench_child list[] = {{.weight = 2}, {.weight = 0},
                                       {.weight = 7}, {.weight = 2},
                                       {.weight = 9}, {.weight = 0}};
    static const uint32_t expected[] = {4, 2, 0, 3, 1, 5};
    uint32_t order[6];
    bench_children_order(list, 6, order);
    for (int i = 0; i < 6; i++)
        assert_int_equal(order[i], expected[i]);
}

static void who_weighs_nothing_begins_as_it_stands(void **state)
{
    (void)state;
    static const bench_child list[3];
    uint32_t order[3];
    bench_children_order(list, 3, order);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(order[i], i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heaviest_begins_first),
        cmocka_unit_test(who_weighs_nothing_begins_as_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
