/* Which nodes animations move. Exporters bake a track for each object, moving
 * or not (Blender's does by default), so that a channel alone says little: one
 * whose keys all are the node's own transform only holds it where it stands.
 * What is held so may be moved; the export then takes it out of those channels
 * (export_release.c), or a player would put it back. */
#include "worker/scene/scene_internal.h"

#include <string.h>

/* Numbers of keys that are compared in a whole file: beyond, a channel counts
 * as one that moves its node. */
#define KEY_NUMBERS_MAX ((uint64_t)1 << 26)

typedef struct track { /* what a channel does to its node */
    const json_t *sampler;
    const double *own; /* the node's value of that path */
    uint32_t components;
    bool is_rotation; /* q and -q are the same turn */
} track;

/* The channel's node, or NULL: it has none, or only its weights change, which
 * moves no node. */
static scene_node *channel_node(const importer *m, const json_t *channel)
{
    const json_t *target = json_object_get(channel, "target");
    const json_t *node = json_object_get(target, "node");
    const char *path = gltf_text(target, "path");
    json_int_t index = json_integer_value(node);
    bool is_node = json_is_integer(node) && index >= 0 &&
                   index < (json_int_t)m->own->node_count;
    if (!is_node || !path || strcmp(path, "weights") == 0)
        return NULL;
    return &m->own->nodes[index];
}

/* False where the keys mean something else than the node's own members. */
static bool track_open(const json_t *animation,
                       const json_t *channel,
                       const scene_node *node,
                       track *ret)
{
    const char *path = gltf_text(json_object_get(channel, "target"), "path");
    const json_t *sampler = json_object_get(channel, "sampler");
    const json_t *samplers = json_object_get(animation, "samplers");
    json_int_t index = json_integer_value(sampler);
    if (!json_is_integer(sampler) || index < 0 || node->has_matrix)
        return false;
    *ret = (track){.sampler = json_array_get(samplers, (size_t)index),
                   .components = 3};
    if (strcmp(path, "translation") == 0) {
        ret->own = node->translation;
    } else if (strcmp(path, "scale") == 0) {
        ret->own = node->scale;
    } else if (strcmp(path, "rotation") == 0) {
        ret->own = node->rotation;
        ret->components = 4;
        ret->is_rotation = true;
    }
    /* a spline's tangents may lead away from its keys */
    const char *way = gltf_text(ret->sampler, "interpolation");
    return ret->own && !(way && strcmp(way, "CUBICSPLINE") == 0);
}

static bool key_is_own(const gltf_accessor *a,
                       const uint8_t *at,
                       const track *t,
                       double sign)
{
    const double close = 1e-5; /* keys are floats, of the own value's size */
    for (uint32_t k = 0; k < t->components; k++) {
        double own = t->own[k];
        double key =
            sign * gltf_component(a, at + (size_t)k * a->component_size);
        if (!(fabs(key - own) <= close * math_max(1, fabs(own))))
            return false;
    }
    return true;
}

/* What cannot be read counts as moving. */
static bool track_is_still(const importer *m, const track *t, uint64_t *work)
{
    uint32_t index;
    gltf_accessor a;
    if (gltf_index(t->sampler, "output", m->doc.accessor_count, "sampler",
                   &index, NULL) != ETNA_OK ||
        index == GLTF_NONE ||
        gltf_accessor_open(&m->doc, index, &a, NULL) != ETNA_OK)
        return false;
    if (!a.data || a.sparse || a.components != t->components)
        return false;
    for (uint32_t i = 0; i < a.count && *work < KEY_NUMBERS_MAX; i++) {
        const uint8_t *at = a.data + i * a.stride;
        *work += t->components;
        bool is_own = key_is_own(&a, at, t, 1) ||
                      (t->is_rotation && key_is_own(&a, at, t, -1));
        if (!is_own)
            return false;
    }
    return a.count > 0 && *work < KEY_NUMBERS_MAX;
}

void nodes_mark_animated(importer *m)
{
    uint64_t work = 0;
    for (size_t a = 0; a < json_array_size(m->doc.animations); a++) {
        const json_t *animation = json_array_get(m->doc.animations, a);
        const json_t *channels = json_object_get(animation, "channels");
        for (size_t c = 0; c < json_array_size(channels); c++) {
            const json_t *channel = json_array_get(channels, c);
            scene_node *node = channel_node(m, channel);
            track t;
            if (!node || node->animated)
                continue;
            bool is_still = track_open(animation, channel, node, &t) &&
                            track_is_still(m, &t, &work);
            node->animated = !is_still;
            node->held = node->held || is_still;
        }
    }
}
