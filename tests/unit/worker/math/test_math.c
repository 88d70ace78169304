/* Our functions against the platform's long double ones: the test may use libm,
 * the program may not. */
#include "proto/seed.h"
#include "worker/math/union_find.h"
#include "worker/math/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

static double ulps(double value, long double truth)
{
    double rounded = (double)truth;
    int e;
    frexp(rounded, &e);
    double ulp = ldexp(1, (e < -1021 ? -1021 : e) - 53);
    return (double)(fabsl((long double)value - truth) / ulp);
}

static double uniform(etna_random *random, double low, double high)
{
    return low + (high - low) * etna_random_unit(random);
}

static void keep_worst(double *worst, double value)
{
    assert_false(isnan(value));
    if (value > *worst) {
        *worst = value;
    }
}

static void test_sincos_is_within_two_ulp(void **state)
{
    (void)state;
    etna_random random = etna_random_from(1);
    double worst = 0;
    for (int i = 0; i < 400000; i++) {
        double range = i % 3 == 0 ? 4 : i % 3 == 1 ? 1000 : 999990;
        double x = uniform(&random, -range, range);
        if (i % 7 == 0) {
            /* hard: next to a zero */
            x = floor(x / (MATH_PI / 2)) * (MATH_PI / 2);
        }
        double s, c;
        math_sincos(x, &s, &c);
        keep_worst(&worst, ulps(s, sinl((long double)x)));
        keep_worst(&worst, ulps(c, cosl((long double)x)));
    }
    print_message("sincos: worst %.2f ulp\n", worst);
    assert_true(worst <= 2);
    double s, c;
    math_sincos(0, &s, &c);
    assert_true(s == 0 && c == 1);
    math_sincos(INFINITY, &s, &c);
    assert_true(isnan(s) && isnan(c));
    math_sincos(1e300, &s, &c);
    assert_true(fabs(s) <= 1 && fabs(c) <= 1);
}

static void test_inverse_functions_are_within_two_ulp(void **state)
{
    (void)state;
    etna_random random = etna_random_from(2);
    double worst_atan = 0, worst_acos = 0;
    for (int i = 0; i < 400000; i++) {
        double scale = ldexp(1, (int)etna_random_below(&random, 60) - 30);
        double y = uniform(&random, -1, 1) * scale, x = uniform(&random, -1, 1);
        keep_worst(&worst_atan, ulps(math_atan2(y, x),
                                     atan2l((long double)y, (long double)x)));
        keep_worst(&worst_acos, ulps(math_acos(x), acosl((long double)x)));
    }
    print_message("atan2: worst %.2f ulp, acos: %.2f\n", worst_atan,
                  worst_acos);
    assert_true(worst_atan <= 2 && worst_acos <= 2);
    assert_true(math_atan2(0, 0) == 0);
    assert_true(math_atan2(0, -1) == MATH_PI);
    assert_true(math_atan2(1, 0) == MATH_PI / 2);
    assert_true(math_atan2(-1, -1) == (double)atan2l(-1, -1));
    assert_true(math_atan2(-5e-324, 5e-324) == -MATH_PI / 4);
    assert_true(math_atan2(1e308, 1e308) == MATH_PI / 4);
    assert_true(math_acos(2) == 0 && math_acos(-2) == MATH_PI);
}

static void test_log_exp_cbrt_are_within_two_ulp(void **state)
{
    (void)state;
    etna_random random = etna_random_from(3);
    double worst_log = 0, worst_exp = 0, worst_cbrt = 0;
    for (int i = 0; i < 400000; i++) {
        double x =
            ldexp(uniform(&random, 0.5, 2),
                  i % 2 ? (int)etna_random_below(&random, 2000) - 1000 : 0);
        keep_worst(&worst_log, ulps(math_log(x), logl((long double)x)));
        keep_worst(&worst_cbrt, ulps(math_cbrt(-x), cbrtl(-(long double)x)));
        double e = uniform(&random, -700, 700) * (i % 2 ? 1 : 0.002);
        keep_worst(&worst_exp, ulps(math_exp(e), expl((long double)e)));
    }
    print_message("log: worst %.2f ulp, exp: %.2f, cbrt: %.2f\n", worst_log,
                  worst_exp, worst_cbrt);
    assert_true(worst_log <= 2 && worst_exp <= 2 && worst_cbrt <= 2);
    assert_true(math_log(1) == 0 && math_exp(0) == 1 && math_cbrt(27) == 3 &&
                math_cbrt(0) == 0);
    assert_true(math_exp(1000) == INFINITY && math_exp(-1000) == 0);
    assert_true(math_log(0) == -INFINITY && isnan(math_log(-1)));
}

static void test_pow_is_exact_enough_for_gamma_and_beta(void **state)
{
    (void)state;
    etna_random random = etna_random_from(4);
    double worst = 0, worst_far = 0;
    for (int i = 0; i < 400000; i++) {
        double x = uniform(&random, 1e-4, 4),
               y = i % 2 ? 2.4 : uniform(&random, -1.7, 1.7);
        keep_worst(&worst,
                   ulps(math_pow(x, y), powl((long double)x, (long double)y)));
        y = uniform(&random, -300, 300) / fabs(log(x));
        keep_worst(&worst_far,
                   ulps(math_pow(x, y), powl((long double)x, (long double)y)));
    }
    print_message("pow: worst %.2f ulp, far %.2f\n", worst, worst_far);
    assert_true(worst <= 2 && worst_far <= 64);
    assert_true(math_pow(2, 10) == 1024 && math_pow(5, 0) == 1 &&
                math_pow(1, 1e300) == 1);
    assert_true(math_pow(2, 2000) == INFINITY && math_pow(2, -2000) == 0 &&
                math_pow(0, 2) == 0);
}

static void test_affine_maps_invert_and_turn(void **state)
{
    (void)state;
    affine a = {{{1, 2, 3}, {0, -4, 5}, {7, 1, 0.5}}, {10, -20, 30}}, b, c;
    assert_true(affine_inverse(&a, &b));
    c = affine_mul(&a, &b);
    vec3 p = affine_point(&c, v3(1, 2, 3));
    assert_true(v3_distance(p, v3(1, 2, 3)) < 1e-12);
    affine flat = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {0, 0, 0}};
    assert_false(affine_inverse(&flat, &b));
    affine still = affine_yaw_about(v3(0.1, 0.2, 0.3), 0, v3(0, 0, 0)),
           one = affine_identity();
    assert_memory_equal(&still, &one, sizeof one);
    affine turn = affine_yaw_about(v3(1, 1, 0), MATH_PI / 2, v3(0, 0, 2));
    assert_true(v3_distance(affine_point(&turn, v3(2, 1, 0)), v3(1, 2, 2)) <
                1e-12);
}

static void test_the_quick_floor_is_floor(void **state)
{
    (void)state;
    const double values[] = {0,          -0.25,         0.75,         -1,
                             3,          -1999999999.5, 1999999999.5, 4e9 + 0.5,
                             -4e9 - 0.5, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(math_floor(values[i]) == floor(values[i]));
    assert_true(isnan(math_floor(NAN)));
    assert_true(math_floor(-INFINITY) == -INFINITY);
}

static void test_a_turn_is_twice_the_area(void **state)
{
    (void)state;
    vec2 a = {1, 1}, b = {4, 1}, c = {1, 3};
    assert_true(v2_turn(a, b, c) == 6);
    assert_true(v2_turn(a, c, b) == -6);
    assert_true(v2_turn(a, b, (vec2){10, 1}) == 0);
}

static void test_joined_sets_have_their_least_number(void **state)
{
    (void)state;
    uint32_t parent[6] = {0, 1, 2, 3, 4, 5};
    union_find_join(parent, 5, 3);
    union_find_join(parent, 4, 1);
    union_find_join(parent, 5, 4);
    const uint32_t roots[6] = {0, 1, 2, 1, 1, 1};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(union_find_root(parent, i), roots[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sincos_is_within_two_ulp),
        cmocka_unit_test(test_inverse_functions_are_within_two_ulp),
        cmocka_unit_test(test_log_exp_cbrt_are_within_two_ulp),
        cmocka_unit_test(test_pow_is_exact_enough_for_gamma_and_beta),
        cmocka_unit_test(test_affine_maps_invert_and_turn),
        cmocka_unit_test(test_the_quick_floor_is_floor),
        cmocka_unit_test(test_a_turn_is_twice_the_area),
        cmocka_unit_test(test_joined_sets_have_their_least_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
