/* Exposure and tone (see tone.h). */
#include "worker/view/tone.h"

#include "worker/view/colour.h"

#include <stdlib.h>

static const double low = 0.38, high = 0.54; /* where the median is brought: inside METHOD.md's 0.35 .. 0.55 */
static const double plain = 0.80;            /* exposure under plain light: white paper in full light nearly white */

void tone_encoder_fill(tone_encoder *encoder)
{
    for (int i = 0; i < 4096; i++) encoder->byte[i] = (uint8_t)(colour_linear_to_srgb(i / 4095.0) * 255 + 0.5);
}

static float luminance(const float rgb[3])
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

/* Reinhard's curve with a white point: a line when nothing is brighter than white. */
static double curve(double light, double white)
{
    double y = light * (1 + light / (white * white)) / (1 + light);
    return y < 1 ? y : 1;
}

void tone_apply(const view_tone *tone, float rgb[3])
{
    double before = (double)luminance(rgb);
    if (!(before > 1e-9)) return;
    double y = curve(before * tone->exposure, tone->white);
    double top = 0;
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)((double)rgb[i] * y / before);
        top = (double)rgb[i] > top ? (double)rgb[i] : top;
    }
    if (!(top > 1)) return;
    double keep = top > y ? (1 - y) / (top - y) : 0; /* toward grey until it fits */
    for (int i = 0; i < 3; i++) rgb[i] = (float)(y + ((double)rgb[i] - y) * keep);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static view_tone tone_for(double exposure, double brightest)
{
    double white = brightest * exposure;
    return (view_tone){exposure, white > 1 ? white : 1};
}

static double shown(double median, double exposure, double brightest)
{
    view_tone tone = tone_for(exposure, brightest);
    return colour_linear_to_srgb(curve(median * exposure, tone.white));
}

etna_code tone_measure(const float *linear, const float *cover, size_t count, view_tone *ret, etna_error *err)
{
    size_t met = 0, step = count / 65536 + 1; /* an even choice is enough for a median */
    float *light = malloc((count / step + 1) * sizeof *light);
    if (!light) return etna_fail(err, ETNA_E_NOMEM, "no memory to measure the light");
    for (size_t i = 0; i < count; i += step)
        if (cover[i] >= 0.5f) {
            float y = luminance(linear + 3 * i) / cover[i];
            light[met++] = y < 1e6f ? y : 1e6f;
        }
    *ret = (view_tone){plain, 1};
    if (met > 0) {
        qsort(light, met, sizeof *light, compare_floats);
        double median = (double)light[met / 2], brightest = (double)light[met - 1 - met / 200], exposure = plain;
        double now = shown(median, exposure, brightest), wanted = now < low ? low : high;
        if (median > 1e-6 && (now < low || now > high)) {
            double a = 1e-4, b = 1e4;
            for (int i = 0; i < 60; i++) {
                exposure = sqrt(a * b);
                *(shown(median, exposure, brightest) < wanted ? &a : &b) = exposure;
            }
        }
        *ret = tone_for(exposure, brightest);
    }
    free(light);
    return ETNA_OK;
}
