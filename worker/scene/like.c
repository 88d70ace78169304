/* An edited copy of a known scene: divided into objects as the original was, with its names and its static parts,
 * because a move may bring boxes so close, or footprints so far apart, that the rules would decide anew. */
#include "worker/scene/private.h"

#include <string.h>

static const char ADVICE[] = "; --against takes the file that this one was made from";

etna_code like_compare(const making *m, etna_error *err)
{
    const struct scene_private *own = m->own, *other = m->like->own;
    if (own->node_count != other->node_count) {
        return etna_fail(err, ETNA_E_INPUT, "the two scenes have %u and %u nodes%s", own->node_count, other->node_count,
                         ADVICE);
    }
    for (uint32_t i = 0; i < own->node_count; i++) {
        const scene_node *a = &own->nodes[i], *b = &other->nodes[i];
        if (strcmp(a->name, b->name) != 0 || a->mesh != b->mesh || a->parent != b->parent ||
            a->child_count != b->child_count) {
            return etna_fail(err, ETNA_E_INPUT, "node %u (\"%.80s\") is not the same in the two scenes%s", i, a->name,
                             ADVICE);
        }
    }
    return ETNA_OK;
}

etna_code like_adopt(making *m, etna_error *err)
{
    const scene *like = m->like;
    if (m->s->object_count != like->object_count) {
        return etna_fail(err, ETNA_E_INPUT, "the two scenes have %u and %u objects%s", m->s->object_count,
                         like->object_count, ADVICE);
    }
    for (uint32_t i = 0; i < like->object_count; i++) {
        scene_object *o = &m->objects[i];
        const scene_object *known = &like->objects[i];
        if (o->node != known->node || o->instance != known->instance || o->triangle_count != known->triangle_count) {
            return etna_fail(err, ETNA_E_INPUT, "\"%.80s\" is not the same object in the two scenes%s", known->name,
                             ADVICE);
        }
        o->name = etna_arena_strdup(&m->own->arena, known->name);
        o->why = etna_arena_strdup(&m->own->arena, known->why);
        if (!o->name || !o->why) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects", like->object_count);
        }
        o->is_static = known->is_static;
        o->static_by_cut = known->static_by_cut;
        o->immovable = known->immovable;
        o->stray = known->stray;
    }
    return ETNA_OK;
}
