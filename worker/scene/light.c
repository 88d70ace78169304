/* KHR_lights_punctual: where lights stand and how they shine. Nothing is
 * derived from them but how an image looks. */
#include "worker/scene/scene_internal.h"

#include <string.h>

enum {
    LIGHTS_MAX = 1000
}; /* more would only cost time */

/* `fallback` for what is missing, negative or no number. */
static double at_least_zero(const json_t *object,
                            const char *key,
                            double fallback)
{
    const json_t *value = json_object_get(object, key);
    double number = json_number_value(value);
    return json_is_number(value) && number >= 0 && number < 1e12 ? number
                                                                 : fallback;
}

static bool read_kind(const char *type, scene_light_kind *ret)
{
    static const char *const kinds[] = {"directional", "point", "spot"};
    for (int i = 0; type && i < 3; i++) {
        if (strcmp(type, kinds[i]) == 0) {
            *ret = (scene_light_kind)i;
            return true;
        }
    }
    return false;
}

/* Defaults are KHR_lights_punctual's: white, intensity 1, no range, a spot of
 * 45 degrees. */
static etna_code read_light(const importer *m,
                            const json_t *json,
                            const char *where,
                            scene_light *ret,
                            etna_error *err)
{
    double colour[3] = {1, 1, 1};
    double ignored;
    etna_code code;
    if (!read_kind(gltf_text(json, "type"), &ret->kind)) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: its type is not directional, point or spot",
                         where);
    }
    if ((code = gltf_numbers(json, "color", 3, colour, NULL, where, err)) !=
        ETNA_OK) {
        return code;
    }
    for (int k = 0; k < 3; k++) {
        ret->colour[k] = math_max(colour[k], 0);
    }
    ret->intensity = at_least_zero(json, "intensity", 1);
    ret->range = at_least_zero(json, "range", 0) * m->s->metres_per_unit;
    ret->inner_cos = 1;
    ret->outer_cos = -1;
    if (ret->kind == LIGHT_SPOT) {
        const json_t *cone = json_object_get(json, "spot");
        double inner = at_least_zero(cone, "innerConeAngle", 0);
        double outer = at_least_zero(cone, "outerConeAngle", MATH_PI / 4);
        if (!(outer > inner && outer <= MATH_PI / 2 + 1e-6)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "%s: its cone is %g to %g radians; they grow and end at a right angle",
                where, inner, outer);
        }
        math_sincos(inner, &ignored, &ret->inner_cos);
        math_sincos(outer, &ignored, &ret->outer_cos);
    }
    return ETNA_OK;
}

/* The node's light, or GLTF_NONE; one that does not exist is an error as any
 * wrong index is. */
static etna_code light_of(const importer *m,
                          uint32_t node,
                          uint32_t count,
                          uint32_t *ret,
                          etna_error *err)
{
    const json_t *use = gltf_extension(json_array_get(m->doc.nodes, node),
                                       "KHR_lights_punctual");
    char where[96];
    *ret = GLTF_NONE;
    if (!use) {
        return ETNA_OK;
    }
    snprintf(where, sizeof where, "node %u (\"%.60s\")", node,
             m->own->nodes[node].name);
    return gltf_index(use, "light", count, where, ret, err);
}

/* The light at a node. *ret_is_lit false: it would shine nowhere, for its
 * node's scale is zero. */
static etna_code light_make(importer *m,
                            uint32_t node,
                            const json_t *json,
                            uint32_t light,
                            scene_light *ret,
                            bool *ret_is_lit,
                            etna_error *err)
{
    const char *name = gltf_text(json, "name");
    const char *of_node = m->own->nodes[node].name;
    char where[96];
    if (!name)
        name = "";
    snprintf(where, sizeof where, "light %u (\"%.60s\")", light, name);
    affine world =
        affine_mul(&m->own->file_to_world, &m->own->nodes[node].world);
    vec3 way = v3_normal(affine_dir(&world, v3(0, 0, -1)));
    bool has_way = v3_length(way) > 0.5;
    *ret = (scene_light){.position = world.t,
                         .direction = has_way ? way : v3(0, 0, -1)};
    etna_code code = read_light(m, json, where, ret, err);
    if (code != ETNA_OK)
        return code;
    ret->name = *of_node ? of_node : clean_name(m, name, ARRANGE_NAME_MAX);
    if (!ret->name)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the lights");
    /* a point light needs no direction */
    *ret_is_lit = has_way || ret->kind == LIGHT_POINT;
    return ETNA_OK;
}

etna_code lights_read(importer *m, etna_error *err)
{
    const json_t *list = json_object_get(
        gltf_extension(m->doc.root, "KHR_lights_punctual"), "lights");
    uint32_t count = (uint32_t)json_array_size(list);
    uint32_t used = 0;
    uint32_t left_out = 0;
    uint32_t light;
    scene_light *lights = etna_arena_alloc(
        &m->own->arena, count ? LIGHTS_MAX : 0, sizeof *lights);
    if (!lights)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the lights");
    for (uint32_t i = 0; i < m->own->order_count; i++) {
        bool is_lit = false;
        etna_code code = light_of(m, m->own->order[i], count, &light, err);
        if (code != ETNA_OK)
            return code;
        if (light == GLTF_NONE)
            continue;
        if (used == LIGHTS_MAX) {
            left_out++;
            continue;
        }
        code = light_make(m, m->own->order[i], json_array_get(list, light),
                          light, &lights[used], &is_lit, err);
        if (code != ETNA_OK)
            return code;
        used += is_lit;
    }
    if (left_out)
        report_warning(m, "The file has more than %d lights; %u are left out.",
                       (int)LIGHTS_MAX, left_out);
    m->s->lights = used ? lights : NULL;
    m->s->light_count = used;
    return ETNA_OK;
}
