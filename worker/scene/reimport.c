/* An edited copy of a known scene: divided into objects as the original was,
 * with its names and its static parts, because a move may bring boxes so close,
 * or footprints so far apart, that the rules would decide anew. */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

static const char ADVICE[] =
    "; --against takes the file that this one was made from";

bool reimport_added(const importer *m, uint32_t node)
{
    return m->like && node >= m->like->own->node_count;
}

/* The node of a split part: a root with a mesh and nothing below it. */
static bool may_be_piece(const importer *m, uint32_t index)
{
    const scene_node *n = &m->own->nodes[index];
    bool is_alone = n->parent == GLTF_NONE && n->child_count == 0;
    bool is_plain = n->skin == GLTF_NONE && n->camera == GLTF_NONE;
    return n->mesh != GLTF_NONE && is_alone && is_plain;
}

/* Nodes whose mesh a split cuts: export gives them another one without what
 * moved away. */
static bool *split_nodes(const scene *like)
{
    bool *split = calloc((size_t)like->own->node_count + 1, sizeof *split);
    for (uint32_t p = 0; split && p < like->part_count; p++) {
        split[like->parts[p].node] |=
            like->own->bases[like->own->sources[p].base].split;
    }
    return split;
}

static bool is_same_node(const scene_node *a,
                         const scene_node *b,
                         bool is_split)
{
    bool is_same_mesh =
        a->mesh == b->mesh || (is_split && a->mesh != GLTF_NONE);
    bool is_same_place =
        a->parent == b->parent && a->child_count == b->child_count;
    return is_same_mesh && is_same_place && strcmp(a->name, b->name) == 0;
}

etna_code reimport_compare(importer *m, etna_error *err)
{
    const struct scene_private *own = m->own;
    const struct scene_private *other = m->like->own;
    bool *split = split_nodes(m->like);
    etna_code code = ETNA_OK;
    if (!split) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                         other->node_count);
    }
    /* an export adds nodes for moved pieces */
    bool may_grow = memchr(split, true, other->node_count) != NULL;
    if (own->node_count < other->node_count ||
        (own->node_count > other->node_count && !may_grow)) {
        code = etna_fail(err, ETNA_E_INPUT,
                         "the two scenes have %u and %u nodes%s",
                         own->node_count, other->node_count, ADVICE);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < own->node_count; i++) {
        const scene_node *a = &own->nodes[i];
        bool is_added = reimport_added(m, i);
        bool same = is_added ? may_be_piece(m, i)
                             : is_same_node(a, &other->nodes[i], split[i]);
        if (!same)
            code = etna_fail(
                err, ETNA_E_INPUT,
                "node %u (\"%.80s\") is not the same in the two scenes%s", i,
                a->name, ADVICE);
    }
    free(split);
    return code;
}

/* Takes over what is not in the file: names, reasons, what is static. False: no
 * memory. */
static bool object_adopt(importer *m,
                         scene_object *o,
                         const scene_object *known)
{
    etna_arena *arena = &m->own->arena;
    o->name = etna_arena_strdup(arena, known->name);
    o->why = etna_arena_strdup(arena, known->why);
    o->static_why =
        known->static_why ? etna_arena_strdup(arena, known->static_why) : NULL;
    o->is_static = known->is_static;
    o->static_by_cut = known->static_by_cut;
    o->immovable = known->immovable;
    o->stray = known->stray;
    /* else it came to its place */
    o->guest =
        known->guest && v3_distance(o->box.centre, known->box.centre) < 1e-6;
    return o->name && o->why && !o->static_why == !known->static_why;
}

/* Triangles are counted as a last check: a file that was edited elsewhere is
 * refused and not guessed at. */
etna_code reimport_adopt(importer *m, etna_error *err)
{
    const scene *like = m->like;
    if (m->s->object_count != like->object_count) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the two scenes have %u and %u objects%s",
                         m->s->object_count, like->object_count, ADVICE);
    }
    for (uint32_t i = 0; i < like->object_count; i++) {
        scene_object *o = &m->objects[i];
        const scene_object *known = &like->objects[i];
        bool is_same = o->node == known->node && o->instance == known->instance;
        if (!is_same || o->triangle_count != known->triangle_count) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.80s\" is not the same object in the two scenes%s",
                known->name, ADVICE);
        }
        if (!object_adopt(m, o, known)) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                             like->object_count);
        }
    }
    return ETNA_OK;
}
