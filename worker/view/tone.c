/* Exposure and tone (see tone.h). */
#include "worker/view/tone.h"

#include "worker/math/colour.h"

#include <stdlib.h>
#include <string.h>

/* where the median is brought: inside the 0.35 .. 0.55 */
static const double low = 0.38, high = 0.54;
/* What a tenth is brighter than is brought to at most, before the curve. */
static const double lifted = 1.0;
/* Exposure under plain light: white paper in full light nearly white. */
static const double plain = 0.80;

/* So many steps that neighbours differ by one byte at most, even where the
 * curve is steepest. */
void tone_encoder_fill(tone_encoder *encoder)
{
    for (int i = 0; i < 4096; i++)
        encoder->byte[i] =
            (uint8_t)(colour_linear_to_srgb(i / 4095.0) * 255 + 0.5);
}

/* ITU-R BT.709. */
static float luminance(const float rgb[3])
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

/* Reinhard's curve with a white point: a line when nothing is brighter than
 * white. */
static double tone_curve(double light, double white)
{
    double y = light * (1 + light / (white * white)) / (1 + light);
    return y < 1 ? y : 1;
}

/* Scales all channels by what the curve does to the luminance, which keeps the
 * hue; colours that leave the cube are mixed with grey of the same
 * luminance. */
void tone_apply(const view_tone *tone, float rgb[3])
{
    double before = (double)luminance(rgb);
    if (!(before > 1e-9))
        return;
    double y = tone_curve(before * tone->exposure, tone->white);
    double top = 0;
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)((double)rgb[i] * y / before);
        top = (double)rgb[i] > top ? (double)rgb[i] : top;
    }
    if (!(top > 1))
        return;
    /* toward grey until it fits */
    double keep = top > y ? (1 - y) / (top - y) : 0;
    for (int i = 0; i < 3; i++)
        rgb[i] = (float)(y + ((double)rgb[i] - y) * keep);
}

/* For the radix sort. */
static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Floats >= 0, ascending; `other` has room for as many. Their bits, read as
 * whole numbers, are in the same order. */
static void tone_sort(float *values, float *other, size_t count)
{
    /* four digits: the result is where it began */
    for (int shift = 0; shift < 32; shift += 8) {
        size_t first[257] = {0};
        for (size_t i = 0; i < count; i++)
            first[(float_bits(values[i]) >> shift & 255) + 1]++;
        for (size_t d = 1; d < 257; d++)
            first[d] += first[d - 1];
        for (size_t i = 0; i < count; i++)
            other[first[float_bits(values[i]) >> shift & 255]++] = values[i];
        float *swap = values;
        values = other;
        other = swap;
    }
}

/* `brightest` becomes white, unless it is darker than 1 anyway. */
static view_tone tone_for(double exposure, double brightest)
{
    double white = brightest * exposure;
    return (view_tone){exposure, math_max(white, 1)};
}

/* How bright the median comes out, 0..1 in sRGB. */
static double tone_shown(double median, double exposure, double brightest)
{
    view_tone tone = tone_for(exposure, brightest);
    return colour_linear_to_srgb(tone_curve(median * exposure, tone.white));
}

/* The luminance of every `step`-th pixel that geometry covers by half or more,
 * into `light`. Returns how many there are. */
static size_t light_take(const float *linear,
                         const float *cover,
                         size_t count,
                         size_t step,
                         float *light)
{
    size_t met = 0;
    for (size_t i = 0; i < count; i += step)
        if (cover[i] >= 0.5f) {
            float y = luminance(linear + 3 * i) / cover[i];
            if (!(y < 1e6f))
                y = 1e6f; /* not a number, too */
            light[met++] = y > 0 ? y : 0;
        }
    return met;
}

/* The exposure that shows the median within what is wanted, of lights in
 * ascending order. White things on a dark board stay white things: the dark is
 * lifted only as far as these keep their shape. */
static view_tone tone_find(const float *light, size_t met)
{
    double upper = (double)light[met - 1 - met / 10];
    double most = upper > 1e-9 ? lifted / upper : INFINITY;
    double median = (double)light[met / 2];
    double brightest = (double)light[met - 1 - met / 200];
    double exposure = plain;
    double now = tone_shown(median, exposure, brightest);
    double wanted = now < low ? low : high;
    if (median > 1e-6 && (now < low || now > high)) {
        double a = 1e-4;
        double b = math_max(most, plain);
        b = math_min(b, 1e4);
        for (int i = 0; i < 60; i++) {
            exposure = sqrt(a * b);
            *(tone_shown(median, exposure, brightest) < wanted ? &a : &b) =
                exposure;
        }
    }
    return tone_for(exposure, brightest);
}

/* Median and brightest of the pixels that show something decide. A picture of
 * nothing has plain exposure. */
etna_code tone_measure(const float *linear,
                       const float *cover,
                       size_t count,
                       view_tone *ret,
                       etna_error *err)
{
    size_t step = count / 65536 + 1; /* an even choice is enough for a median */
    float *light = malloc(2 * (count / step + 1) * sizeof *light);
    if (!light)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to measure the light");
    size_t met = light_take(linear, cover, count, step, light);
    *ret = (view_tone){plain, 1};
    if (met > 0) {
        tone_sort(light, light + met, met);
        *ret = tone_find(light, met);
    }
    free(light);
    return ETNA_OK;
}
