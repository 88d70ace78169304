/* The few functions of libm that results may depend on, written so that they
 * give the same bits on every machine: only + - * / and sqrt, in a fixed order,
 * no table or code path chosen by the CPU. Each reduces its argument exactly,
 * sums a short Taylor series on the small rest and puts the parts together with
 * the low bits carried along.
 *
 * Measured against long double (tests/unit/worker/math): sincos <= 1 ulp to |x|
 * = 1e6, atan2, acos, log, exp, cbrt <= 2 ulp, pow <= 2 ulp while |y log x| <=
 * 16 and 64 ulp to the ends of the range. */
#include "proto/array.h"
#include "worker/math/vec.h"

#include <stdint.h>
#include <string.h>

/* pi/2 in three pieces of 33, 33 and 53 bits: k * piece is exact for |k| <
 * 2^20. */
#define HALF_PI_1 0x1.921fb54400000p+0
#define HALF_PI_2 0x1.0b4611a600000p-34
#define HALF_PI_3 0x1.3198a2e037073p-69
/* ln 2 in 33 and 53 bits. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33

static uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^e for -1022 <= e <= 1023. */
static double power_of_two(int e)
{
    return of_bits((uint64_t)(e + 1023) << 52);
}

static double copy_sign(double magnitude, double sign)
{
    return of_bits((double_bits(magnitude) & ~(1ULL << 63)) |
                   (double_bits(sign) & (1ULL << 63)));
}

/* ---- sine and cosine ---- */

/* r + low = x - k pi/2 with |r| <= pi/4 (about); returns k mod 4. */
static int reduce_quarter(double x, double *ret_r, double *ret_low)
{
    /* outside the promise: a plain reduction, still deterministic */
    if (fabs(x) > 1e6) {
        double turns = floor(x / (2 * MATH_PI));
        x = x - turns * (2 * MATH_PI);
        if (!(fabs(x) <= 7)) {
            x = 0;
        }
    }
    double k = floor(x * (2 / MATH_PI) + 0.5);
    double a = x - k * HALF_PI_1;
    double b = k * HALF_PI_2;
    double r = a - b;
    double back = a - r; /* two-sum of a and -b */
    double low = ((a - (r + back)) + (back - b)) - k * HALF_PI_3;
    double sum = r + low;
    *ret_low = low - (sum - r);
    *ret_r = sum;
    return (int)((int64_t)k & 3);
}

/* Taylor's series to r^17, for |r| <= pi/4; `low` enters by its first
 * derivative. */
static double sine_of(double r, double low)
{
    double z = r * r;
    double p = 1 / 355687428096000.0; /* 1/17! */
    p = p * z - 1 / 1307674368000.0;
    p = p * z + 1 / 6227020800.0;
    p = p * z - 1 / 39916800.0;
    p = p * z + 1 / 362880.0;
    p = p * z - 1 / 5040.0;
    p = p * z + 1 / 120.0;
    p = p * z - 1 / 6.0;
    return r + (r * z * p + low * (1 - 0.5 * z));
}

/* To r^18; the head is rounded once and its rounding carried along. */
static double cosine_of(double r, double low)
{
    double z = r * r;
    double p = -1 / 6402373705728000.0; /* 1/18! */
    p = p * z + 1 / 20922789888000.0;
    p = p * z - 1 / 87178291200.0;
    p = p * z + 1 / 479001600.0;
    p = p * z - 1 / 3628800.0;
    p = p * z + 1 / 40320.0;
    p = p * z - 1 / 720.0;
    p = p * z + 1 / 24.0;
    double half = 0.5 * z;
    double head = 1 - half;
    return head + (((1 - head) - half) + (z * z * p - r * low));
}

void math_sincos(double radians, double *ret_sin, double *ret_cos)
{
    if (!isfinite(radians)) {
        *ret_sin = *ret_cos = NAN;
        return;
    }
    double r, low;
    int quarter = reduce_quarter(radians, &r, &low);
    double s = sine_of(r, low);
    double c = cosine_of(r, low);
    /* the sine after so many quarters */
    const double turns[5] = {s, c, -s, -c, s};
    *ret_sin = turns[quarter];
    *ret_cos = turns[quarter + 1];
}

/* ---- inverse tangent and cosine ---- */

/* atan(i/8) as high + low. */
static const double ATAN_EIGHTHS[9][2] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* atan(b/a) for 0 <= b <= a, a > 0, as high + low: the nearest eighth c, then
 * atan((b - c a) / (a + c b)). */
static double first_octant(double b, double a, double *ret_low)
{
    int i = (int)floor(b / a * 8 + 0.5);
    double c = i * 0.125;
    double u = (b - c * a) / (a + c * b);
    double z = u * u;
    double p = 1 / 13.0;
    p = p * z - 1 / 11.0;
    p = p * z + 1 / 9.0;
    p = p * z - 1 / 7.0;
    p = p * z + 1 / 5.0;
    p = p * z - 1 / 3.0;
    double tail = u * z * p + ATAN_EIGHTHS[i][1];
    double high = ATAN_EIGHTHS[i][0] + u;
    double rest = i == 0 ? 0
                         /* |u| <= 1/16 < atan(1/8): the fast two-sum holds */
                         : u - (high - ATAN_EIGHTHS[i][0]);
    *ret_low = rest + tail;
    return high;
}

/* Signed zeros and infinities as C99 has them, by directions. */
double math_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return NAN;
    }
    double a = fabs(x);
    double b = fabs(y);
    if (isinf(a) || isinf(b)) { /* directions only */
        double big_a = isinf(a) != 0;
        double big_b = isinf(b) != 0;
        a = big_a;
        b = big_b;
    } else if (a > 1e300 || b > 1e300) {
        a *= 0.0625;
        b *= 0.0625;
    } else if (a < 1e-290 && b < 1e-290) {
        /* keeps quotients of subnormals exact */
        a *= 0x1p200;
        b *= 0x1p200;
    }
    if (b == 0) {
        return x < 0 ? MATH_PI : 0;
    }
    double low, high;
    if (b <= a) {
        high = first_octant(b, a, &low);
    } else {
        double inner_low;
        double inner = first_octant(a, b, &inner_low);
        high = 0x1.921fb54442d18p+0 - inner;
        low = ((0x1.921fb54442d18p+0 - high) - inner) +
              (0x1.1a62633145c07p-54 - inner_low);
    }
    if (x < 0) {
        double flipped = MATH_PI - high;
        low = ((MATH_PI - flipped) - high) + (0x1.1a62633145c07p-53 - low);
        high = flipped;
    }
    return copy_sign(high + low, y);
}

/* By atan2, which loses nothing near 1 and -1. */
double math_acos(double x)
{
    if (isnan(x)) {
        return NAN;
    }
    if (x > 1)
        x = 1;
    if (x < -1)
        x = -1;
    return math_atan2(sqrt((1 - x) * (1 + x)), x);
}

/* ---- logarithm, exponential, powers ---- */

/* x = m 2^k with m in [sqrt(1/2), sqrt(2)); x a positive finite number. */
static double split_power(double x, int *ret_k)
{
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    uint64_t bits = double_bits(x);
    k += (int)(bits >> 52) - 1023;
    double m = of_bits((bits & 0xfffffffffffffULL) | (1023ULL << 52));
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k++;
    }
    *ret_k = k;
    return m;
}

/* (log((1+s)/(1-s)) - 2s) / s, an even series without its first term: 2/3 z +
 * 2/5 z^2 + ..., z = s^2 <= 0.0295. */
static double log_tail(double z)
{
    double p = 2 / 25.0;
    for (int n = 23; n >= 3; n -= 2) {
        p = p * z + 2.0 / n;
    }
    return p * z;
}

double math_log(double x)
{
    if (!(x > 0)) {
        return x == 0 ? -INFINITY : NAN;
    }
    if (isinf(x)) {
        return x;
    }
    int k;
    double m = split_power(x, &k);
    double f = m - 1; /* exact */
    double s = f / (2 + f);
    /* f - log(1+f) */
    double small = f * f * 0.5 - s * (f * f * 0.5 + log_tail(s * s));
    return k * LN2_HIGH - ((small - k * LN2_LOW) - f);
}

/* e^(high + low), low a correction of a few ulp of high. */
static double exp_of(double high, double low)
{
    if (high > 709.79) {
        return INFINITY;
    }
    if (high < -745.2) {
        return 0;
    }
    double k = floor(high * 1.4426950408889634 + 0.5);
    double a = high - k * LN2_HIGH; /* exact */
    double b = k * LN2_LOW - low;
    double r = a - b;
    double rest = (a - r) - b;
    double p = 1 / 87178291200.0;
    static const double inverse[] = {
        1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0,
        1 / 362880.0,     1 / 40320.0,     1 / 5040.0,     1 / 720.0,
        1 / 120.0,        1 / 24.0,        1 / 6.0,        0.5};
    for (unsigned i = 0; i < COUNT_OF(inverse); i++) {
        p = p * r + inverse[i];
    }
    double value = 1 + (r + (r * r * p + rest));
    int e = (int)k;
    if (e > 1023) {
        return value * 2 * power_of_two(e - 1);
    }
    if (e < -1021) {
        return value * power_of_two(e + 100) * 0x1p-100;
    }
    return value * power_of_two(e);
}

double math_exp(double x)
{
    return isnan(x) ? NAN : exp_of(x, 0);
}

/* a * b = *ret_low + the returned rounded product, without fused operations. */
static double product_split(double a, double b, double *ret_low)
{
    double high = a * b;
    double ca = a * 134217729.0;
    double cb = b * 134217729.0; /* 2^27 + 1 */
    double a1 = ca - (ca - a);
    double b1 = cb - (cb - b);
    double a2 = a - a1;
    double b2 = b - b1;
    *ret_low = ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2;
    return high;
}

/* log x as high + low, to about 2^-60 of its size. */
static double log_double(double x, double *ret_low)
{
    int k;
    double m = split_power(x, &k);
    /* m - 1 and m + 1, the second as two parts */
    double f = m - 1;
    double g = 2 + f;
    double g_low = (2 - g) + f;
    double s = f / g;
    double low;
    double head = product_split(s, g, &low);
    double s_low = (((f - head) - low) - s * g_low) / g;
    double tail = s * log_tail(s * s) + 2 * s_low;
    double a = k * LN2_HIGH;
    double b = 2 * s; /* |a| > |b| unless k is 0 */
    double high = a + b;
    double rest = (k == 0 ? 0 : b - (high - a)) + (tail + k * LN2_LOW);
    double sum = high + rest;
    *ret_low = rest - (sum - high);
    return sum;
}

/* Where x is no positive number, or one of them is no finite one. */
static double pow_at_end(double x, double y)
{
    if (x == 0 && y > 0)
        return 0;
    if (x == 0 && y < 0)
        return INFINITY;
    if (x == INFINITY && isfinite(y))
        return y > 0 ? x : 0;
    return NAN;
}

double math_pow(double x, double y)
{
    if (y == 0 || x == 1) {
        return 1;
    }
    if (!(x > 0) || isinf(x) || !isfinite(y))
        return pow_at_end(x, y);
    double log_low;
    double log_high = log_double(x, &log_low);
    /* product_split() would overflow, and the answer is an end */
    if (fabs(y) > 1e290 || fabs(y * log_high) > 800) {
        return (y > 0) == (log_high > 0) ? INFINITY : 0;
    }
    double low;
    double high = product_split(y, log_high, &low);
    return exp_of(high, low + y * log_low);
}

/* One step of Newton from a cube root by logarithms. */
double math_cbrt(double x)
{
    if (x == 0 || !isfinite(x)) {
        return x;
    }
    int k;
    double m = split_power(fabs(x), &k);
    int third = (k + 3000) / 3 - 1000; /* floor(k / 3) */
    m *= power_of_two(k - 3 * third);
    double y = math_exp(math_log(m) / 3);
    y = y - (y * y * y - m) / (3 * y * y);
    return copy_sign(y * power_of_two(third), x);
}

int math_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Box and Muller: two independent normal numbers from two uniform ones in [0,
 * 1). */
void math_normal2(double u, double v, double *ret_a, double *ret_b)
{
    double radius = sqrt(-2 * math_log(1 - u));
    double s, c;
    math_sincos(2 * MATH_PI * v, &s, &c);
    *ret_a = radius * c;
    *ret_b = radius * s;
}

/* ---- affine maps ---- */

affine affine_mul(const affine *a, const affine *b)
{
    affine out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                          a->m[i][2] * b->m[2][j];
        }
    }
    out.t = affine_point(a, b->t);
    return out;
}

double affine_det(const affine *a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
           a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

bool affine_is_flat(const affine *a)
{
    double volume = 1;
    for (int i = 0; i < 3; i++)
        volume *= v3_length(v3(a->m[0][i], a->m[1][i], a->m[2][i]));
    return !(fabs(affine_det(a)) > 1e-6 * volume);
}

/* False: the map has no inverse; *ret is untouched. */
bool affine_inverse(const affine *a, affine *ret)
{
    double det = affine_det(a);
    if (det == 0 || !isfinite(det)) {
        return false;
    }
    affine out;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3;
        int i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            out.m[j][i] =
                (a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1]) /
                det;
        }
    }
    out.t = v3(0, 0, 0);
    out.t = v3_scale(affine_dir(&out, a->t), -1);
    *ret = out;
    return true;
}

/* A mere move has an exact identity in it, so poses that only move keep their
 * bits. */
affine affine_yaw_about(vec3 centre, double radians, vec3 translate)
{
    affine out = affine_identity();
    if (radians != 0) {
        double s, c;
        math_sincos(radians, &s, &c);
        out.m[0][0] = c;
        out.m[0][1] = -s;
        out.m[1][0] = s;
        out.m[1][1] = c;
        out.t = v3(centre.x - (c * centre.x - s * centre.y),
                   centre.y - (s * centre.x + c * centre.y), 0);
    }
    out.t = v3_add(out.t, translate);
    return out;
}
