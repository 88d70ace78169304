/* sRGB and CIE Lab over worker/math only (see colour.h). */
#include "worker/math/colour.h"

#include "worker/math/vec.h"

double colour_srgb_to_linear(double encoded)
{
    double c = math_clamp(encoded, 0, 1);
    return c <= 0.04045 ? c / 12.92
                        : math_clamp(math_pow((c + 0.055) / 1.055, 2.4), 0, 1);
}

double colour_linear_to_srgb(double linear)
{
    double c = math_clamp(linear, 0, 1);
    return c <= 0.0031308
               ? 12.92 * c
               : math_clamp(1.055 * math_pow(c, 1 / 2.4) - 0.055, 0, 1);
}

/* CIE 1976: a cube root above the knee, a line below it. */
static double lab_curve(double t)
{
    const double knee = 6.0 / 29.0;
    return t > knee * knee * knee ? math_cbrt(t)
                                  : t / (3 * knee * knee) + 4.0 / 29.0;
}

/* sRGB primaries, D65. */
void colour_linear_to_lab(const double linear[3], double ret_lab[3])
{
    double r = math_clamp(linear[0], 0, 1);
    double g = math_clamp(linear[1], 0, 1);
    double b = math_clamp(linear[2], 0, 1);
    double x = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b;
    double y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b;
    double z = 0.0193339 * r + 0.1191920 * g + 0.9503041 * b;
    /* The white is what r = g = b = 1 gives, so that greys have a = b = 0 to
     * rounding. */
    double fx = lab_curve(x / (0.4124564 + 0.3575761 + 0.1804375));
    double fy = lab_curve(y / (0.2126729 + 0.7151522 + 0.0721750));
    double fz = lab_curve(z / (0.0193339 + 0.1191920 + 0.9503041));
    ret_lab[0] = 116 * fy - 16;
    ret_lab[1] = 500 * (fx - fy);
    ret_lab[2] = 200 * (fy - fz);
}

void colour_srgb255_to_lab(const double srgb[3], double ret_lab[3])
{
    double linear[3];
    for (int i = 0; i < 3; i++)
        linear[i] = colour_srgb_to_linear(srgb[i] / 255);
    colour_linear_to_lab(linear, ret_lab);
}

/* CIE76: a distance of 2.3 is just noticeable. */
double colour_lab_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0];
    double y = a[1] - b[1];
    double z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}
