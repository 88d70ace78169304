/* Choosing and asking lamps (see light.h). */
#include "worker/view/light.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double key_light = 0.80, key_spread = 0.055, lamp_radius = 0.10;
/* Of the points in the key light's shadow: more, and something encloses. */
static const double closed_share = 0.30;
static const double scene_share =
    0.60; /* mean light of the scene's lamps where nothing hides them */

/* Light that falls on a point with unit normal n, without shadows: cosine,
 * distance and cone, not the lamp's colour. *ret_toward is unit; *ret_distance
 * infinite for the sun. Spot and range fall off as KHR_lights_punctual
 * recommends. */
double lamp_on(
    const lamp *l, vec3 p, vec3 n, vec3 *ret_toward, double *ret_distance)
{
    *ret_toward = l->toward;
    *ret_distance = INFINITY;
    if (l->kind == LIGHT_DIRECTIONAL) {
        double facing = v3_dot(n, l->toward);
        return facing > 0 ? facing : 0;
    }
    vec3 d = v3_sub(l->position, p);
    double square = v3_dot(d, d);
    double distance = sqrt(square);
    if (!(distance > 1e-6) || (l->range > 0 && distance >= l->range))
        return 0;
    d = v3_scale(d, 1 / distance);
    *ret_toward = d;
    *ret_distance = distance;
    double facing = v3_dot(n, d);
    double cone = v3_dot(d, l->toward);
    double share = 1;
    if (l->kind == LIGHT_SPOT) {
        double soft = l->inner_cos - l->outer_cos > 1e-3
                          ? l->inner_cos - l->outer_cos
                          : 1e-3;
        share = (cone - l->outer_cos) / soft;
        share = math_clamp(share, 0, 1);
        share *= share;
    }
    if (l->range > 0) {
        double at = square / (l->range * l->range);
        double rest = 1 - at * at;
        share *= math_max(rest, 0);
    }
    /* 30 cm of body: what is at the bulb is not a thousand times brighter than
     * the table under it */
    return facing > 0 ? facing * share / (square + 0.09) : 0;
}

/* For space_shaded: whether a triangle of a part with a mask is there at that
 * place. An unknown triangle blocks. */
static bool hole_blocks(
    const void *context, uint32_t part, uint32_t triangle, double u, double v)
{
    const struct lights_holes *h = context;
    const double b[3] = {1 - u - v, u, v};
    return triangle >= h->s->meshes[h->s->parts[part].mesh].triangle_count ||
           !surface_has_hole(h->s, h->tables, part, triangle, b);
}

/* `through`: as the key light goes, through whatever was opened for it. */
space_light lights_way(const lights *l, bool through)
{
    return (space_light){through ? l->key_parts : l->parts, hole_blocks,
                         &l->holes};
}

/* aside: where on the lamp's disk the ray goes, each -1..1, for soft shadows.
 * What lies beyond the camera's cut throws none. */
bool lamp_shaded(const lights *l,
                 const space *sp,
                 uint32_t index,
                 vec3 p,
                 const double aside[2])
{
    assert(index < l->count);
    const lamp *it = &l->lamps[index];
    bool far = it->kind == LIGHT_DIRECTIONAL;
    vec3 d = far ? it->toward : v3_sub(it->position, p);
    double distance = v3_length(d);
    double reach = INFINITY;
    if (!(distance > 1e-6))
        return false;
    d = v3_scale(d, 1 / distance);
    if (!far)
        reach = distance -
                /* its own shade and fitting are no obstacle */
                (distance > 1 ? 0.3 : 0.3 * distance);
    vec3 other = fabs(d.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    vec3 a = v3_normal(v3_cross(d, other));
    vec3 b = v3_cross(d, a);
    double spread = far ? key_spread : lamp_radius / distance;
    d = v3_normal(v3_add_scaled(v3_add_scaled(d, a, aside[0] * spread), b,
                                aside[1] * spread));
    space_light light = lights_way(l, it->through);
    double kept = camera_cut_reach(l->camera, p, d);
    return space_shaded(sp, &light, p, d, math_min(reach, kept), NULL);
}

/* The share of the points that face the direction and lie in shadow; per object
 * how many it shades. */
static double shaded_share(const lights *l,
                           const space *sp,
                           vec3 toward,
                           const light_point *points,
                           uint32_t count,
                           uint32_t *per_object)
{
    const scene *s = space_scene(sp);
    space_light light = lights_way(l, true);
    uint32_t facing = 0, shaded = 0;
    memset(per_object, 0, (s->object_count + 1u) * sizeof *per_object);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part;
        if (!(v3_dot(points[i].normal, toward) > 0.05))
            continue;
        facing++;
        double reach = camera_cut_reach(l->camera, points[i].at, toward);
        if (!space_shaded(sp, &light, points[i].at, toward, reach, &part))
            continue;
        shaded++;
        uint32_t object = s->parts[part].object;
        per_object[object < s->object_count ? object : s->object_count]++;
    }
    return facing ? (double)shaded / facing : 0;
}

/* Mean z of the points, in metres. */
static double points_height(const light_point *points, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += points[i].at.z;
    return count ? sum / count : 0;
}

/* The lowest height of a part's triangles. */
static double part_low(const space *sp, uint32_t part)
{
    const scene *s = space_scene(sp);
    uint32_t object = s->parts[part].object;
    return object < s->object_count ? s->objects[object].min.z : INFINITY;
}

/* What stands on or in a ceiling that lets the key light pass would throw a
 * shadow from nowhere. */
static void open_above(lights *l, const space *sp, double height)
{
    const scene *s = space_scene(sp);
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (part_low(sp, p) > height)
            l->key_parts[p] = SHADE_PASS;
    }
}

/* The static object that shades most points, object_count for what is of no
 * object; SCENE_NONE: none shades any. */
static uint32_t most_shading(const scene *s, const uint32_t *per_object)
{
    uint32_t most = SCENE_NONE;
    for (uint32_t i = 0; i <= s->object_count; i++) {
        bool is_fixed = i == s->object_count || s->objects[i].is_static;
        uint32_t least = most == SCENE_NONE ? 0 : per_object[most];
        if (is_fixed && per_object[i] > least)
            most = i;
    }
    return most;
}

/* Lets the key light through whatever would leave most of the picture in the
 * dark: ceilings, walls behind the camera. One object after the other, the one
 * that shades most first, static ones only. */
static void open_way(lights *l,
                     const space *sp,
                     vec3 toward,
                     const light_point *points,
                     uint32_t count,
                     uint32_t *per_object)
{
    const scene *s = space_scene(sp);
    for (int round = 0; round < 12; round++) {
        if (shaded_share(l, sp, toward, points, count, per_object) <=
            closed_share)
            return;
        uint32_t most = most_shading(s, per_object);
        if (most == SCENE_NONE)
            return;
        for (uint32_t p = 0; p < s->part_count; p++) {
            uint32_t object = s->parts[p].object;
            if ((object < s->object_count ? object : s->object_count) == most)
                l->key_parts[p] = SHADE_PASS;
        }
        double ceiling =
            most < s->object_count ? s->objects[most].min.z : INFINITY;
        if (ceiling > points_height(points, count))
            open_above(l, sp, ceiling - 0.05);
    }
}

/* How light meets each part: blocked, asked texel by texel, or passed. */
static void fill_parts(lights *l, const scene *s)
{
    for (uint32_t p = 0; p < s->part_count; p++) {
        uint32_t material = s->parts[p].material;
        bool blend = material < s->material_count &&
                     scene_material_is_clear(&s->materials[material]);
        l->parts[p] = surface_masked(s, p) ? SHADE_ASK : SHADE_BLOCK;
        if (blend)
            l->parts[p] = SHADE_PASS;
        l->key_parts[p] = l->parts[p];
    }
}

/* Luminance of linear sRGB (ITU-R BT.709). */
static double brightness(const double colour[3])
{
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
}

/* scene_light.direction is where it shines; ours is where it comes from. */
static lamp lamp_of(const scene_light *from)
{
    lamp l = {.kind = from->kind,
              .position = from->position,
              .toward = v3_scale(from->direction, -1),
              .range = from->range,
              .inner_cos = from->inner_cos,
              .outer_cos = from->outer_cos};
    for (int i = 0; i < 3; i++)
        l.colour[i] = from->colour[i] * from->intensity;
    return l;
}

/* Mean light of a lamp over the points. */
static double lamp_mean(const lamp *l,
                        const light_point *points,
                        uint32_t count)
{
    vec3 toward;
    double distance, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += lamp_on(l, points[i].at, points[i].normal, &toward, &distance);
    return count ? sum / count * brightness(l->colour) : 0;
}

/* Keeps a lamp among the LAMPS_MAX strongest, the strongest first. */
static void lamp_keep(lights *l,
                      double mean[LAMPS_MAX],
                      const lamp *it,
                      double m)
{
    uint32_t at = l->count;
    while (at > 0 && mean[at - 1] < m)
        at--;
    if (at == LAMPS_MAX)
        return;
    if (l->count < LAMPS_MAX)
        l->count++;
    for (uint32_t k = l->count - 1; k > at; k--) {
        l->lamps[k] = l->lamps[k - 1];
        mean[k] = mean[k - 1];
    }
    l->lamps[at] = *it;
    mean[at] = m;
}

/* The mean that the shadows leave of what the lamps give. */
static double lamps_unshaded(const lights *l,
                             const space *sp,
                             const light_point *points,
                             uint32_t count)
{
    static const double middle[2] = {0, 0};
    double left = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < l->count; k++) {
            vec3 toward;
            double distance;
            double light = lamp_on(&l->lamps[k], points[i].at, points[i].normal,
                                   &toward, &distance);
            if (light > 0 && !lamp_shaded(l, sp, k, points[i].at, middle))
                left += light * brightness(l->lamps[k].colour) / count;
        }
    return left;
}

/* The scene's lamps that give most, scaled to a mean of scene_share; the mean
 * that shadows leave of it. */
static double take_scene_lights(lights *l,
                                const space *sp,
                                const light_point *points,
                                uint32_t count)
{
    const scene *s = space_scene(sp);
    double mean[LAMPS_MAX] = {0}, all = 0;
    for (uint32_t i = 0; i < s->light_count; i++) {
        lamp it = lamp_of(&s->lights[i]);
        double m = lamp_mean(&it, points, count);
        if (m > 0 && isfinite(m))
            lamp_keep(l, mean, &it, m);
    }
    for (uint32_t i = 0; i < l->count; i++)
        all += mean[i];
    for (uint32_t i = 0; i < l->count; i++)
        for (int k = 0; k < 3; k++)
            l->lamps[i].colour[k] *= scene_share / all;
    return lamps_unshaded(l, sp, points, count);
}

/* The scene's lamps first; a key light from behind and left of the camera joins
 * when they and their shadows leave less than 30 % of the light that is
 * wanted. */
etna_code lights_choose(const space *sp,
                        const scene_camera *camera,
                        const surface_tables *tables,
                        const light_point *points,
                        uint32_t count,
                        lights *ret,
                        etna_error *err)
{
    const scene *s = space_scene(sp);
    lights l = {.holes = {s, tables}, .camera = camera};
    uint32_t *per_object = malloc((s->object_count + 1u) * sizeof *per_object);
    l.parts = malloc(s->part_count + 1u);
    l.key_parts = malloc(s->part_count + 1u);
    if (!l.parts || !l.key_parts || !per_object) {
        free(per_object);
        lights_free(&l);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to light %u parts",
                         s->part_count);
    }
    fill_parts(&l, s);
    double left = take_scene_lights(&l, sp, points, count);
    /* none, or the sun over a roof: the key light fills up what is missing */
    if (left < 0.3 * scene_share) {
        const scene_camera *c = camera;
        /* At least 0.2 up: under a camera that looks up it would come from
         * below. */
        lamp key = {.kind = LIGHT_DIRECTIONAL, .through = true};
        key.toward = v3_normal(v3_add(
            v3_add(v3_scale(c->forward, -0.40), v3_scale(c->right, -0.55)),
            v3(0, 0, 0.95)));
        if (!(key.toward.z > 0.2))
            key.toward = v3_normal(v3(key.toward.x, key.toward.y, 0.5));
        for (int i = 0; i < 3; i++)
            key.colour[i] = key_light * (1 - left / (0.3 * scene_share));
        open_way(&l, sp, key.toward, points, count, per_object);
        if (l.count == LAMPS_MAX)
            l.count--;
        l.lamps[l.count++] = key;
    }
    free(per_object);
    *ret = l;
    return ETNA_OK;
}

/* NULL is fine. */
void lights_free(lights *l)
{
    if (!l)
        return;
    free(l->parts);
    free(l->key_parts);
    memset(l, 0, sizeof *l);
}
