/* Colours against the published values of sRGB and CIE Lab. */
#include "worker/math/colour.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void srgb_decodes_known_values(void **state)
{
    (void)state;
    assert_true(fabs(colour_srgb_to_linear(0.5) - 0.21404114048) < 1e-10);
    assert_true(fabs(colour_srgb_to_linear(0.04045) - 0.04045 / 12.92) < 1e-15);
    assert_true(colour_srgb_to_linear(0) == 0 &&
                fabs(colour_srgb_to_linear(1) - 1) < 1e-15);
    assert_true(colour_srgb_to_linear(NAN) == 0 &&
                colour_srgb_to_linear(-3) == 0 &&
                colour_srgb_to_linear(7) <= 1);
    assert_true(colour_linear_to_srgb(NAN) == 0 &&
                colour_linear_to_srgb(1e39) == colour_linear_to_srgb(1));
}

static void every_byte_survives_the_way_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++)
        assert_int_equal(
            i, (int)(colour_linear_to_srgb(colour_srgb_to_linear(i / 255.0)) *
                         255 +
                     0.5));
}

static void lab_of_the_primaries(void **state)
{
    (void)state;
    static const double cases[][6] = {
        {255, 255, 255, 100, 0, 0},         {0, 0, 0, 0, 0, 0},
        {255, 0, 0, 53.24, 80.09, 67.20},   {0, 255, 0, 87.73, -86.18, 83.18},
        {0, 0, 255, 32.30, 79.19, -107.86}, {128, 128, 128, 53.59, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lab[3];
        colour_srgb255_to_lab(cases[i], lab);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(lab[k] - cases[i][3 + k]) < 0.02);
    }
    double a[3] = {50, 3, 4}, b[3] = {50, 0, 0};
    assert_true(colour_lab_distance(a, b) == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(srgb_decodes_known_values),
        cmocka_unit_test(every_byte_survives_the_way_there_and_back),
        cmocka_unit_test(lab_of_the_primaries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
