/* Mirror images (see gloss.h). */
#include "worker/view/gloss.h"

/* roughness that shows nothing, and that shows all */
static const float dull = 0.75f, smooth = 0.35f;
/* what glass, varnish and plastic mirror of straight light */
static const float glass = 0.04f;
static const float rim_share = 0.7f; /* a table seen flat keeps its colour */
/* of a highlight: what is beyond would only be white */
static const double brightest = 6;
enum {
    COAT_SHARPNESS = 8,
    SHARPNESS_MAX = 9
};

/* How strongly and how sharply a material mirrors. The weight fades out between
 * smooth and dull; sharpness is the binary logarithm of Blinn's exponent, so
 * that gloss_lobe needs only squarings. */
gloss gloss_of(const scene_material *m)
{
    float weight = (dull - m->roughness) / (dull - smooth);
    gloss g = {.metallic = m->metallic,
               .blur = m->roughness,
               .clearcoat = m->clearcoat};
    g.weight = (float)math_clamp((double)weight, 0, 1);
    /* Blinn's exponent 2 / r^4 - 2, to the next power of two. */
    double r = (double)m->roughness;
    double exponent = 2 / (r * r * r * r + 1e-3) - 2;
    while (g.sharpness < SHARPNESS_MAX &&
           exponent > 1.5 * (double)(1u << g.sharpness))
        g.sharpness++;
    return g;
}

/* (1 - cos)^5. */
static float gloss_schlick(double cosine)
{
    float away = 1 - (float)math_clamp(cosine, 0, 1);
    float square = away * away;
    return square * square * away;
}

/* What share of light from the mirror direction is reflected, per channel: the
 * base colour of metal, 4 % of others, more toward the rim. */
void gloss_fresnel(const gloss *g,
                   const float base[3],
                   double cosine,
                   float ret[3])
{
    float rim = gloss_schlick(cosine);
    float clear = 1 - g->blur;
    for (int i = 0; i < 3; i++) {
        float straight = glass * (1 - g->metallic) + base[i] * g->metallic;
        float top = clear > straight ? clear : straight;
        ret[i] = g->weight * (straight + rim_share * (top - straight) * rim);
    }
}

/* A plain sky with a broad bright field overhead, as a window or a lamp shade
 * gives; blurred by roughness. */
static float mirrored_sky(double up, float blur)
{
    float at = ((float)up - 0.30f) / 0.45f;
    float height = 0.5f + 0.5f * (float)up;
    at = (float)math_clamp((double)at, 0, 1);
    float field = at * at * (3 - 2 * at) * (1 - blur) * (1 - blur);
    return 0.16f + 0.20f * height + 0.9f * field;
}

/* `eye` and `n` unit; `up` is the height of the mirrored direction. sky, 0..1:
 * how much of the sky is free over the point; enclosed places still mirror 15
 * %, their lit walls. */
void gloss_add_sky(const gloss *g,
                   const float base[3],
                   vec3 n,
                   vec3 eye,
                   double sky,
                   float rgb[3])
{
    double cosine = v3_dot(n, eye);
    double up = 2 * cosine * n.z - eye.z;
    float share = (float)(0.15 + 0.85 * sky);
    float mirrored[3];
    gloss_fresnel(g, base, cosine, mirrored);
    float light = share * mirrored_sky(up, g->blur);
    for (int i = 0; i < 3; i++)
        rgb[i] += mirrored[i] * light;
    if (!(g->clearcoat > 0))
        return;
    light = share * mirrored_sky(up, 0.05f) * g->clearcoat *
            (glass + (1 - glass) * gloss_schlick(cosine));
    for (int i = 0; i < 3; i++)
        rgb[i] += light;
}

/* Blinn's lobe, such that it neither adds nor takes light whatever its
 * width. */
static double gloss_lobe(double cosine, uint32_t sharpness)
{
    double value = math_max(cosine, 0);
    for (uint32_t i = 0; i < sharpness; i++)
        value *= value;
    value *= ((double)(1u << sharpness) + 2) / 8;
    return value < brightest / (double)glass ? value
                                             : brightest / (double)glass;
}

/* `light`: what arrives from the lamp, with the cosine in it. The half vector
 * as Blinn has it; the clear coat is a second, sharper lobe. */
void gloss_add_lamp(const gloss *g,
                    const float base[3],
                    vec3 n,
                    vec3 eye,
                    vec3 toward,
                    const double light[3],
                    float rgb[3])
{
    vec3 half = v3_normal(v3_add(eye, toward));
    double cosine = v3_dot(n, half);
    double along = v3_dot(half, eye);
    float mirrored[3];
    float coat = g->clearcoat * (glass + (1 - glass) * gloss_schlick(along));
    gloss_fresnel(g, base, along, mirrored);
    double width = gloss_lobe(cosine, g->sharpness);
    double coated = g->clearcoat > 0 ? gloss_lobe(cosine, COAT_SHARPNESS) : 0;
    for (int i = 0; i < 3; i++) {
        double value =
            ((double)mirrored[i] * width + (double)coat * coated) * light[i];
        rgb[i] += (float)(math_min(value, brightest));
    }
}
