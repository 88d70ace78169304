/* On crowded tables with a place known to be free, one is found, and what is
 * found holds; the paper's solver finds fewer. */
#include "tests/unit/worker/solve/placements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_free_place_is_found_on_crowded_tables(void **state)
{
    (void)state;
    const char *data = getenv("ETNA_TEST_DATA"), *full = getenv("ETNA_FULL");
    unsigned count = full && full[0] == '1' ? 500 : 40, ours = 0, papers = 0,
             widened = 0;
    placement_models *models =
        placement_models_load(data ? data : ETNA_SOURCE_DIR "/../shared/data");
    bool real;
    uint32_t kinds = placement_models_count(models, &real);
    for (unsigned i = 0; i < count; i++) {
        placement p;
        solve_result a, b, again;
        etna_error err = {0};
        assert_true(placement_make(models, i, &p, &err));
        assert_true(p.full >= 0.5 && p.full <= 0.97);
        assert_true(placement_solve(&p, false, NULL, &a, &err));
        assert_true(placement_solve(&p, true, NULL, &b, &err));
        if (a.status == BRANCH_VALID) {
            assert_true(placement_holds(&p, &a.pose));
            assert_true(a.loss <= 0.1 || a.widened);
        } else {
            print_message("table %u, %.0f %% full: %s\n", i, 100 * p.full,
                          a.reason);
        }
        if (i % 8 == 0) {
            assert_true(placement_solve(&p, false, NULL, &again, &err));
            assert_memory_equal(&a.pose, &again.pose, sizeof a.pose);
        }
        ours += a.status == BRANCH_VALID;
        papers += b.status == BRANCH_VALID;
        widened += a.status == BRANCH_VALID && a.widened;
        placement_free(&p);
    }
    print_message(
        "%u tables of %u %s: %u solved, %u of them by looking over the whole plane; the paper's solver: %u\n",
        count, kinds, real ? "models" : "solids", ours, widened, papers);
    placement_models_free(models);
    assert_true(100 * ours >= 99 * count);
    assert_true(ours > papers && widened > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_place_is_found_on_crowded_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
