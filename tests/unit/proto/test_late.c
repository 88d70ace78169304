/* Libraries loaded when they are first used: all of one's functions, or none and a text. */
#include "proto/late.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void test_the_functions_of_a_library_are_found_and_can_be_called(void **state)
{
    (void)state;
    double (*root)(double) = NULL, (*cube_root)(double) = NULL;
    const late_function functions[] = {{"sqrt", &root}, {"cbrt", &cube_root}};
    late_library library = LATE_LIBRARY("libm.so.6", functions);
    etna_error err = {0};
    assert_int_equal(late_ready(&library, &err), ETNA_OK);
    assert_int_equal(late_ready(&library, &err), ETNA_OK);
    assert_non_null(root);
    assert_true(root(9) == 3);
    assert_true(cube_root(27) > 2.999 && cube_root(27) < 3.001);
}

static void test_a_library_that_is_not_there_is_named(void **state)
{
    (void)state;
    double (*root)(double) = NULL;
    const late_function functions[] = {{"sqrt", &root}};
    late_library library = LATE_LIBRARY("libnothing.so.77", functions);
    for (int k = 0; k < 2; k++) { /* and again, as it was told first */
        etna_error err = {0};
        assert_int_equal(late_ready(&library, &err), ETNA_E_IO);
        assert_non_null(strstr(err.text, "libnothing.so.77 cannot be loaded"));
    }
    assert_null(root);
}

static void test_of_a_library_without_one_function_nothing_is_taken(void **state)
{
    (void)state;
    double (*root)(double) = NULL, (*other)(double) = NULL;
    const late_function functions[] = {{"sqrt", &root}, {"no_such_root", &other}};
    late_library library = LATE_LIBRARY("libm.so.6", functions);
    etna_error err = {0};
    assert_int_equal(late_ready(&library, &err), ETNA_E_IO);
    assert_non_null(strstr(err.text, "libm.so.6 has no no_such_root"));
    assert_null(root);
    assert_null(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_functions_of_a_library_are_found_and_can_be_called),
        cmocka_unit_test(test_a_library_that_is_not_there_is_named),
        cmocka_unit_test(test_of_a_library_without_one_function_nothing_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
