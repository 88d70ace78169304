/* How many processors: what a control group's limit means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/cpus.h"

static void a_cgroup_quota_is_whole_processors(void **state)
{
    (void)state;
    assert_int_equal(cpus_of_quota("max 100000\n"), 0);
    assert_int_equal(cpus_of_quota("200000 100000\n"), 2);
    assert_int_equal(cpus_of_quota("150000 100000\n"), 2);
    assert_int_equal(cpus_of_quota("1000 100000\n"), 1);
    assert_int_equal(cpus_of_quota("5 0"), 0);
    assert_int_equal(cpus_of_quota(""), 0);
    assert_true(cpus_usable() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cgroup_quota_is_whole_processors),
    };
    return cmocka_run_group_tests_name("cpus", tests, NULL, NULL);
}
