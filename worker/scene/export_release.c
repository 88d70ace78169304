/* Channels that only hold a node where it stands (animation.c) would put it
 * back once it was moved. They lose their node, which glTF allows and players
 * then pass over; all else of the animation stays as it was written. */
#include "worker/scene/export_internal.h"

#include <stdlib.h>
#include <string.h>

/* Which nodes are moved and held, so that a channel asks only once. */
static bool *release_held(const exporting *x, bool *ret_any)
{
    const struct scene_private *own = x->s->own;
    bool *held = calloc((size_t)own->node_count + 1, sizeof *held);
    for (uint32_t i = 0; held && i < x->changes.node_count; i++) {
        uint32_t node = x->changes.nodes[i].node;
        held[node] = own->nodes[node].held;
        *ret_any = *ret_any || held[node];
    }
    return held;
}

/* Weights are no place. */
static bool release_wants(const exporting *x,
                          const json_t *channel,
                          const bool *held)
{
    const json_t *target = json_object_get(channel, "target");
    const json_t *node = json_object_get(target, "node");
    const char *path = gltf_text(target, "path");
    json_int_t index = json_integer_value(node);
    bool is_node = json_is_integer(node) && index >= 0 &&
                   index < (json_int_t)x->s->own->node_count;
    return is_node && held[index] && path && strcmp(path, "weights") != 0;
}

static bool release_channels(exporting *x,
                             json_span animation,
                             const json_t *channels,
                             const bool *held)
{
    const char *text = x->doc.chunks.json;
    json_span list, target;
    size_t count = 0;
    if (!json_member(text, animation, "channels", &list))
        return true;
    json_span *spans = json_elements(text, list, &count);
    for (size_t c = 0; spans && c < count; c++) {
        if (release_wants(x, json_array_get(channels, c), held) &&
            json_member(text, spans[c], "target", &target))
            json_edit_remove(&x->edits, text, target, "node");
    }
    free(spans);
    return spans != NULL;
}

static bool release_animations(exporting *x, const bool *held)
{
    const char *text = x->doc.chunks.json;
    json_span list;
    size_t count = 0;
    if (!json_member(text, x->root, "animations", &list))
        return true;
    json_span *spans = json_elements(text, list, &count);
    bool ok = spans != NULL;
    for (size_t a = 0; ok && a < count; a++) {
        const json_t *animation = json_array_get(x->doc.animations, a);
        ok = release_channels(x, spans[a],
                              json_object_get(animation, "channels"), held);
    }
    free(spans);
    return ok;
}

etna_code export_release(exporting *x, etna_error *err)
{
    bool any = false;
    bool *held = release_held(x, &any);
    bool ok = held && (!any || release_animations(x, held));
    free(held);
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM,
                          "no memory for the scene's animations");
}
