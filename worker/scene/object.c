/* METHODS.md 1, Object: which nodes a person would move as one. Descend from
 * the roots; what is a mere wrapper is opened, what holds together stays
 * together. Then parts are placed, sorted by object.
 *
 * Begin at objects_make. read_parts gathers what each node shows and sums it up
 * over subtrees, whose nodes stand in one run of `order`; find_objects walks
 * down and decides for each node (grouping_decide): it is one object with all
 * below it, or only holds others, or both it and they are objects. A record of
 * an earlier division (a side file, or the original of an edited copy)
 * overrules the rule. grouping_place then gives every object its parts with
 * their transforms, recentred where the scene lies far out, and
 * mark_all_immovable says what an export could not write back: skins,
 * animations, nodes that several objects hang from. */
#include "worker/scene/holder.h"
#include "worker/scene/scene_internal.h"
#include "worker/scene/touch.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* levels of groups within groups that are looked through at once */
    GROUPS_DEEP = 8,
    /* looks at pieces of triangles, for all of a file and for a pair: a tenth
     * of a second or two */
    TOUCH_LOOKS_MAX = 2000000,
    TOUCH_LOOKS_PAIR = 200000,
    /* of pairs of boxes: a second or so for a file that was made to be slow */
    PAIR_TESTS_MAX = 20000000
};

typedef struct draft_part {
    uint32_t node, mesh, material, primitive;
} draft_part;

/* Per node, by node index. */
typedef struct grouping {
    importer *m;
    draft_part *parts;
    uint32_t part_count, part_room;
    uint32_t *first_part, *parts_of; /* of each node, into parts */
    /* of nodes that m->like does not have: their parts, which parts_of leaves
     * out */
    uint32_t *added;
    /* metres, Z up, not recentred; below: of the whole subtree */
    extent *own, *below;
    uint32_t *place, *end; /* the subtree is order[place .. end) */
    bool *instancing;      /* the subtree holds an instanced node */
    uint32_t *carried;     /* objects in the subtree */
    extent scene;          /* of all */
    affine axes;
    uint64_t looks_left; /* of TOUCH_LOOKS_MAX */
    uint32_t tests_left; /* of PAIR_TESTS_MAX */
    bool has_no_memory;
} grouping;

/* ---- what each node holds ---- */

/* False: out of memory. All of it goes with the document. */
static bool grouping_init(grouping *g, importer *m)
{
    size_t n = (size_t)m->own->node_count + 1;
    etna_arena *arena = &m->doc.arena;
    *g = (grouping){.m = m,
                    .scene = EXTENT_EMPTY,
                    .looks_left = TOUCH_LOOKS_MAX,
                    .tests_left = PAIR_TESTS_MAX};
    g->first_part = etna_arena_alloc(arena, n, sizeof *g->first_part);
    g->parts_of = etna_arena_alloc(arena, n, sizeof *g->parts_of);
    g->added = etna_arena_alloc(arena, n, sizeof *g->added);
    g->own = etna_arena_alloc(arena, n, sizeof *g->own);
    g->below = etna_arena_alloc(arena, n, sizeof *g->below);
    g->place = etna_arena_alloc(arena, n, sizeof *g->place);
    g->end = etna_arena_alloc(arena, n, sizeof *g->end);
    g->instancing = etna_arena_alloc(arena, n, sizeof *g->instancing);
    g->carried = etna_arena_alloc(arena, n, sizeof *g->carried);
    bool has_parts = g->first_part && g->parts_of && g->own;
    bool has_places = g->below && g->place && g->end;
    bool has_marks = g->added && g->instancing && g->carried;
    return has_parts && has_places && has_marks;
}

/* Over all vertices, and not the box of the transformed box: that would be
 * larger and make neighbours touch. */
static extent mesh_extent(const scene_mesh *mesh, const affine *to_world)
{
    extent e = EXTENT_EMPTY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * (size_t)v;
        vec3 w = affine_point(to_world,
                              v3((double)p[0], (double)p[1], (double)p[2]));
        e = (extent){v3_min(e.min, w), v3_max(e.max, w)};
    }
    return e;
}

/* Triangles are counted as placed: instances of a large mesh are as many to
 * look at. */
static etna_code read_node_parts(grouping *g,
                                 uint32_t index,
                                 const affine *axes,
                                 etna_error *err)
{
    importer *m = g->m;
    scene_node *node = &m->own->nodes[index];
    size_t primitives = json_array_size(json_object_get(
        json_array_get(m->doc.meshes, node->mesh), "primitives"));
    affine to_world = affine_mul(axes, &node->world);
    for (size_t p = 0; p < primitives; p++) {
        draft_part part = {.node = index, .primitive = (uint32_t)p};
        etna_code code = mesh_of_primitive(m, index, (uint32_t)p, &part.mesh,
                                           &part.material, err);
        if (code != ETNA_OK) {
            return code;
        }
        if (part.mesh == SCENE_NONE) {
            continue;
        }
        const scene_mesh *mesh = &m->meshes[part.mesh];
        m->placed_triangles += (uint64_t)mesh->triangle_count *
                               (node->instances ? node->instance_count : 1);
        if (m->placed_triangles > SCENE_TRIANGLES_MAX) {
            return etna_fail(
                err, ETNA_E_LIMIT,
                "the scene has more than %d triangles; simplify its meshes first",
                (int)SCENE_TRIANGLES_MAX);
        }
        void *parts = g->parts;
        if (!make_room(&parts, g->part_count, &g->part_room, sizeof part)) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                             g->part_count);
        }
        g->parts = parts;
        g->parts[g->part_count++] = part;
        g->parts_of[index]++;
        node->has_geometry = true;
        if (!node->instances) {
            g->own[index] =
                extent_join(g->own[index], mesh_extent(mesh, &to_world));
        }
    }
    return ETNA_OK;
}

/* What the node bears with all below it, whose sums are there; adds that to its
 * parent's. */
static void grouping_sum_up(grouping *g, uint32_t index)
{
    struct scene_private *own = g->m->own;
    scene_node *node = &own->nodes[index];
    uint32_t parent = node->parent;
    g->below[index] = extent_join(g->below[index], g->own[index]);
    node->bears = node->bears || node->has_geometry;
    g->instancing[index] =
        g->instancing[index] || (node->instances && node->has_geometry);
    if (parent == GLTF_NONE) {
        g->scene = extent_join(g->scene, g->below[index]);
        return;
    }
    g->below[parent] = extent_join(g->below[parent], g->below[index]);
    g->end[parent] =
        g->end[index] > g->end[parent] ? g->end[index] : g->end[parent];
    own->nodes[parent].bears = own->nodes[parent].bears || node->bears;
    g->instancing[parent] = g->instancing[parent] || g->instancing[index];
}

/* In the order of the walk, so a subtree is one run of `order`; sums go
 * backwards over it. */
static etna_code read_parts(grouping *g, const affine *axes, etna_error *err)
{
    struct scene_private *own = g->m->own;
    g->axes = *axes;
    for (uint32_t i = 0; i < own->order_count; i++) {
        uint32_t index = own->order[i];
        g->place[index] = i;
        g->first_part[index] = g->part_count;
        g->own[index] = g->below[index] = EXTENT_EMPTY;
        etna_code code = own->nodes[index].mesh == GLTF_NONE
                             ? ETNA_OK
                             : read_node_parts(g, index, axes, err);
        if (code != ETNA_OK) {
            return code;
        }
        g->end[index] = i + 1;
        if (reimport_added(g->m, index)) {
            g->added[index] = g->parts_of[index];
            g->parts_of[index] = 0;
            own->nodes[index].has_geometry = false;
        }
    }
    /* children before parents */
    for (uint32_t i = own->order_count; i-- > 0;) {
        grouping_sum_up(g, own->order[i]);
    }
    return ETNA_OK;
}

/* ---- the rule ---- */

/* Children with anything to see in or below them. */
static uint32_t bearing_children(const grouping *g, uint32_t index)
{
    const struct scene_private *own = g->m->own;
    uint32_t count = 0;
    for (uint32_t i = 0; i < own->nodes[index].child_count; i++) {
        count +=
            own->nodes[own->children[own->nodes[index].first_child + i]].bears;
    }
    return count;
}

/* The subtree is one run of `order`. */
static uint32_t parts_in_subtree(const grouping *g, uint32_t index)
{
    uint32_t count = 0;
    for (uint32_t i = g->place[index]; i < g->end[index]; i++) {
        count += g->parts_of[g->m->own->order[i]];
    }
    return count;
}

/* The meshes of a node and all below it, placed; how many. `ret` has room for
 * them. */
static uint32_t subtree_meshes(const grouping *g,
                               uint32_t node,
                               touch_mesh *ret)
{
    const struct scene_private *own = g->m->own;
    uint32_t count = 0;
    for (uint32_t i = g->place[node]; i < g->end[node]; i++) {
        const uint32_t at = own->order[i];
        for (uint32_t p = 0; p < g->parts_of[at]; p++) {
            const draft_part *part = &g->parts[g->first_part[at] + p];
            ret[count++] = (touch_mesh){
                .mesh = &g->m->meshes[part->mesh],
                .to_world = affine_mul(&g->axes, &own->nodes[at].world)};
        }
    }
    return count;
}

/* For holder.h. Where both boxes reach, grown by what counts as touching. */
static bool subtrees_touch(void *context,
                           const holder_unit *a,
                           const holder_unit *b)
{
    grouping *g = context;
    const vec3 near = v3(TOUCH, TOUCH, TOUCH);
    const extent region = {v3_sub(v3_max(a->box.min, b->box.min), near),
                           v3_add(v3_min(a->box.max, b->box.max), near)};
    const uint32_t a_room = parts_in_subtree(g, a->node);
    const uint32_t b_room = parts_in_subtree(g, b->node);
    touch_mesh *meshes = malloc(((size_t)a_room + b_room + 1) * sizeof *meshes);
    if (!meshes) {
        g->has_no_memory = true;
        return true;
    }
    const uint32_t a_count = subtree_meshes(g, a->node, meshes);
    const uint32_t b_count = subtree_meshes(g, b->node, meshes + a_count);
    uint64_t left =
        g->looks_left < TOUCH_LOOKS_PAIR ? g->looks_left : TOUCH_LOOKS_PAIR;
    g->looks_left -= left;
    etna_code code = ETNA_OK;
    const bool touch = meshes_touch(meshes, a_count, meshes + a_count, b_count,
                                    &region, &left, &code);
    g->looks_left += left;
    g->has_no_memory = g->has_no_memory || code;
    free(meshes);
    return touch;
}

static bool holder_opens(grouping *g, uint32_t index, uint32_t deep);

/* Puts what a node stands for behind the units: itself, or, where it is a group
 * itself, each thing of it. */
static void holder_add_unit(grouping *g,
                            holder *h,
                            uint32_t node,
                            uint32_t deep)
{
    const struct scene_private *own = g->m->own;
    const scene_node *n = &own->nodes[node];
    const bool is_group = !n->has_geometry && deep < GROUPS_DEEP &&
                          holder_opens(g, node, deep + 1);
    if (!is_group) {
        h->units[h->unit_count++] =
            (holder_unit){g->below[node], n->name, node};
        return;
    }
    for (uint32_t i = 0; i < n->child_count; i++) {
        const uint32_t child = own->children[n->first_child + i];
        if (own->nodes[child].bears)
            holder_add_unit(g, h, child, deep + 1);
    }
}

/* Does a node that only holds others stand for a group of things? */
static bool holder_opens(grouping *g, uint32_t index, uint32_t deep)
{
    const struct scene_private *own = g->m->own;
    const scene_node *node = &own->nodes[index];
    const size_t below = g->end[index] - g->place[index];
    etna_code code = ETNA_OK;
    holder h = {.name = node->name,
                .scene = g->scene,
                .tests_left = &g->tests_left,
                .touch = subtrees_touch,
                .context = g};
    h.children = malloc((node->child_count + (size_t)1) * sizeof *h.children);
    h.units = malloc((below + 1) * sizeof *h.units);
    const bool has_room = h.children && h.units;
    for (uint32_t i = 0; has_room && i < node->child_count; i++) {
        const uint32_t child = own->children[node->first_child + i];
        if (!own->nodes[child].bears)
            continue;
        h.children[h.child_count++] =
            (holder_unit){g->below[child], own->nodes[child].name, child};
        holder_add_unit(g, &h, child, deep);
    }
    const bool is_group = has_room && holder_is_group(&h, &code);
    free(h.children);
    free(h.units);
    g->has_no_memory = g->has_no_memory || !has_room || code;
    return is_group;
}

/* Does any child hold together with the node's own mesh? */
static bool child_touches(const grouping *g, uint32_t index)
{
    const struct scene_private *own = g->m->own;
    for (uint32_t i = 0; i < own->nodes[index].child_count; i++) {
        uint32_t child = own->children[own->nodes[index].first_child + i];
        if (own->nodes[child].bears &&
            extent_touches(&g->below[child], &g->own[index])) {
            return true;
        }
    }
    return false;
}

/* NULL of `why` is out of memory in making it. */
static etna_code grouping_add_object(grouping *g,
                                     uint32_t node,
                                     uint32_t instance,
                                     uint32_t part_count,
                                     const char *why,
                                     etna_error *err)
{
    importer *m = g->m;
    void *objects = m->objects;
    if (m->s->object_count >= SCENE_OBJECTS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "more than %d objects; group them in the side file",
                         (int)SCENE_OBJECTS_MAX);
    }
    if (!why || !make_room(&objects, m->s->object_count, &m->object_room,
                           sizeof *m->objects)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         m->s->object_count);
    }
    m->objects = objects;
    m->objects[m->s->object_count++] = (scene_object){
        .why = why,
        .node = node,
        .instance = instance,
        .part_count = part_count,
        .description = "",
        .category = "",
        .guest = m->s->stage &&
                 json_is_true(json_object_get(side_told(m, node), "guest"))};
    return ETNA_OK;
}

/* It came as one thing, and changes nothing in how the rest is divided. */
static bool is_brought_in(const grouping *g, uint32_t node)
{
    return json_object_get(side_told(g->m, node), "asset") != NULL;
}

/* A node that only holds others. */
static division_rule grouping_decide_holder(grouping *g,
                                            uint32_t index,
                                            bool only,
                                            etna_code *ret_code)
{
    const bool has_to = only || g->instancing[index];
    const bool open = has_to || holder_opens(g, index, 0);
    g->m->own->nodes[index].opened_by_place = open && !has_to;
    if (g->has_no_memory)
        *ret_code = ETNA_E_NOMEM;
    return open ? FATE_OPEN : FATE_WHOLE;
}

/* As broad as what is static for its size: rooms are made whose every thing
 * hangs from the floor's node. */
static bool node_is_ground(const grouping *g, uint32_t index)
{
    enum {
        CHILDREN_LEAST = 3
    };
    const double share = 0.4;
    const vec3 size = v3_sub(g->own[index].max, g->own[index].min);
    const vec3 all = v3_sub(g->scene.max, g->scene.min);
    return bearing_children(g, index) >= CHILDREN_LEAST &&
           size.x * size.y >= share * all.x * all.y;
}

/* What stands on the very top of a node's own mesh, and is not named after it. */
static bool child_stands_on_top(const grouping *g,
                                uint32_t index,
                                uint32_t child)
{
    const struct scene_private *own = g->m->own;
    return fabs(g->below[child].min.z - g->own[index].max.z) < TOUCH &&
           !name_is_after(own->nodes[child].name, own->nodes[index].name);
}

/* Do two things or more hang from the node of what they stand on, apart, and
 * nothing else, as Blender's parents are used to keep them there? */
static bool node_bears_things(grouping *g, uint32_t index)
{
    const struct scene_private *own = g->m->own;
    const uint32_t *children = own->children + own->nodes[index].first_child;
    uint32_t things = 0;
    for (uint32_t i = 0; i < own->nodes[index].child_count; i++) {
        if (!own->nodes[children[i]].bears)
            continue;
        if (!child_stands_on_top(g, index, children[i]))
            return false;
        things++;
        for (uint32_t k = 0; k < i; k++) {
            if (!g->tests_left)
                return false;
            g->tests_left--;
            const bool touch =
                own->nodes[children[k]].bears &&
                extent_touches(&g->below[children[k]], &g->below[children[i]]);
            if (touch)
                return false;
        }
    }
    return things > 1;
}

/* A node with a mesh and bearing children: together with them where any touches
 * it (a table and its top), else each by itself (a terrain and the trees on
 * it), and so on what is as broad as a floor, or only bears things. */
static division_rule grouping_decide(grouping *g,
                                     uint32_t index,
                                     bool only,
                                     etna_code *ret_code)
{
    const scene_node *node = &g->m->own->nodes[index];
    if (is_brought_in(g, index))
        return FATE_WHOLE;
    if (node->instances && node->has_geometry) {
        return FATE_INSTANCES_THEN_OPEN;
    }
    if (!node->has_geometry)
        return grouping_decide_holder(g, index, only, ret_code);
    if (bearing_children(g, index) == 0) {
        return FATE_WHOLE;
    }
    bool is_apart = g->instancing[index] || !child_touches(g, index) ||
                    node_is_ground(g, index) || node_bears_things(g, index);
    g->m->own->nodes[index].opened_by_place = is_apart;
    return is_apart ? FATE_OWN_MESH_THEN_OPEN : FATE_WHOLE;
}

/* What a record says of a node, as far as the node can be that. */
static division_rule grouping_recorded(const grouping *g,
                                       uint32_t index,
                                       division_rule said)
{
    const scene_node *node = &g->m->own->nodes[index];
    if (node->instances && node->has_geometry)
        return FATE_INSTANCES_THEN_OPEN;
    if (said == FATE_WHOLE && g->instancing[index])
        said = FATE_OWN_MESH_THEN_OPEN;
    return said == FATE_OWN_MESH_THEN_OPEN && g->parts_of[index] == 0
               ? FATE_OPEN
               : said;
}

/* An edited copy is divided as its original was. */
static division_rule grouping_choose(grouping *g,
                                     uint32_t index,
                                     bool only,
                                     etna_code *ret_code)
{
    const scene *like = g->m->like;
    return like ? (division_rule)like->own->nodes[index].division_rule
                : grouping_decide(g, index, only, ret_code);
}

/* Why a node with all below it is one object; it has `whole` meshes, `mine` of
 * them its own. NULL: out of memory. */
static const char *whole_why(struct scene_private *own,
                             const scene_node *node,
                             uint32_t whole,
                             uint32_t mine)
{
    if (whole == mine)
        return "a mesh node";
    if (whole == 1)
        return "a node with a mesh below it";
    return etna_arena_printf(
        &own->arena,
        node->has_geometry
            ? "a mesh node and what is below it and touches it (%u meshes)"
            : "a node whose %u meshes belong together",
        whole);
}

/* `why` is shown to people who wonder how the file was divided. */
static etna_code apply_fate(grouping *g,
                            uint32_t index,
                            division_rule f,
                            etna_error *err)
{
    struct scene_private *own = g->m->own;
    const scene_node *node = &own->nodes[index];
    uint32_t whole = parts_in_subtree(g, index);
    uint32_t mine = g->parts_of[index];
    switch (f) {
    case FATE_OPEN: return ETNA_OK;
    case FATE_WHOLE:
        return grouping_add_object(g, index, SCENE_NONE, whole,
                                   whole_why(own, node, whole, mine), err);
    case FATE_OWN_MESH_THEN_OPEN:
        return grouping_add_object(
            g, index, SCENE_NONE, mine,
            "a mesh node; what is below it does not touch it and is apart",
            err);
    case FATE_INSTANCES_THEN_OPEN:
        for (uint32_t i = 0; i < node->instance_count; i++) {
            etna_code code = grouping_add_object(
                g, index, i, mine, "an instance of EXT_mesh_gpu_instancing",
                err);
            if (code != ETNA_OK) {
                return code;
            }
        }
    }
    return ETNA_OK;
}

/* Pushes the bearing ones of a level, last first. */
static void push_level(const grouping *g,
                       const uint32_t *nodes,
                       uint32_t count,
                       uint32_t *stack,
                       bool *only,
                       uint32_t *depth)
{
    uint32_t bearing = 0;
    for (uint32_t i = 0; i < count; i++) {
        bearing +=
            g->m->own->nodes[nodes[i]].bears && !is_brought_in(g, nodes[i]);
    }
    for (uint32_t i = count; i-- > 0;) {
        if (g->m->own->nodes[nodes[i]].bears) {
            only[*depth] = bearing == 1;
            stack[(*depth)++] = nodes[i];
        }
    }
}

/* Decides about a node, and puts its children on the stack where it is
 * opened. */
static etna_code grouping_visit(grouping *g,
                                uint32_t index,
                                bool only,
                                const division_rule *rules,
                                uint32_t *stack,
                                bool *onlys,
                                uint32_t *depth,
                                etna_error *err)
{
    struct scene_private *own = g->m->own;
    etna_code code = ETNA_OK;
    division_rule rule = rules ? grouping_recorded(g, index, rules[index])
                               : grouping_choose(g, index, only, &code);
    own->nodes[index].division_rule = (uint8_t)rule;
    if (code != ETNA_OK)
        return etna_fail(err, code, "no memory for %u nodes", own->node_count);
    code = apply_fate(g, index, rule, err);
    if (code == ETNA_OK && rule != FATE_WHOLE)
        push_level(g, own->children + own->nodes[index].first_child,
                   own->nodes[index].child_count, stack, onlys, depth);
    return code;
}

/* An explicit stack, as node trees may be deep; `only` says of each entry
 * whether it was the only bearing child. */
static etna_code find_objects(grouping *g, etna_error *err)
{
    struct scene_private *own = g->m->own;
    uint32_t *stack = malloc(((size_t)own->node_count + 1) * sizeof *stack);
    uint32_t depth = 0;
    bool *only = malloc((size_t)own->node_count + 1);
    bool recorded = !g->m->like && json_object_get(g->m->side, "division");
    division_rule *rules =
        recorded ? calloc((size_t)own->node_count + 1, sizeof *rules) : NULL;
    etna_code code = ETNA_OK;
    bool has_rules = rules || !recorded;
    if (!stack || !only || !has_rules)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                         own->node_count);
    if (code == ETNA_OK && rules)
        code = record_rules(g->m, rules, err);
    if (code == ETNA_OK)
        push_level(g, own->roots, own->root_count, stack, only, &depth);
    while (code == ETNA_OK && depth > 0) {
        uint32_t index = stack[--depth];
        code = grouping_visit(g, index, only[depth], rules, stack, only, &depth,
                              err);
    }
    free(stack);
    free(only);
    free(rules);
    if (code == ETNA_OK && g->m->s->object_count == 0) {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "\"division\" names no node with a mesh, so there is nothing to arrange");
    }
    return code;
}

/* ---- placing ---- */

/* Of its own mesh alone, or of all below it. */
static extent object_extent(const grouping *g,
                            const scene_object *o,
                            const affine *axes)
{
    const scene_node *node = &g->m->own->nodes[o->node];
    if (o->instance == SCENE_NONE) {
        return o->part_count == g->parts_of[o->node] ? g->own[o->node]
                                                     : g->below[o->node];
    }
    extent e = EXTENT_EMPTY;
    affine at = affine_mul(axes, &node->world);
    /* a centre is all that is asked of it */
    vec3 p = affine_point(&at, node->instances[o->instance].t);
    return (extent){v3_min(e.min, p), v3_max(e.max, p)};
}

/* How far to move the scene so that its median object is near the origin: to
 * the nearest 100 m, so that a scene near its own origin, as most are, keeps
 * its coordinates. */
static bool find_recentre(const grouping *g, const affine *axes, vec3 *ret)
{
    uint32_t n = g->m->s->object_count;
    while (n > 1 && g->m->objects[n - 1].guest)
        n--;
    double *values = malloc(((size_t)n + 1) * sizeof *values);
    double middle[3];
    if (!values) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < n; i++) {
            extent e = object_extent(g, &g->m->objects[i], axes);
            values[i] = (v3_get(e.min, k) + v3_get(e.max, k)) / 2;
        }
        qsort(values, n, sizeof *values, math_compare);
        middle[k] = floor(values[n / 2] / 100 + 0.5) * 100 + 0.0;
    }
    free(values);
    *ret = v3(middle[0], middle[1], middle[2]);
    return true;
}

/* A mirrored transform turns triangles inside out, which `flipped` tells. */
static scene_part place_part(const draft_part *draft,
                             uint32_t object,
                             const affine *world)
{
    return (scene_part){.mesh = draft->mesh,
                        .material = draft->material,
                        .object = object,
                        .node = draft->node,
                        .to_world = *world,
                        .flipped = affine_det(world) < 0};
}

/* What an export of split parts added to the file that m->like was imported
 * from, behind all else. */
static void place_added(grouping *g)
{
    importer *m = g->m;
    for (uint32_t i = 0; i < m->own->node_count; i++) {
        affine world =
            affine_mul(&m->own->file_to_world, &m->own->nodes[i].world);
        for (uint32_t p = 0; m->own->nodes[i].in_scene && p < g->added[i];
             p++) {
            const draft_part *draft = &g->parts[g->first_part[i] + p];
            m->sources[m->s->part_count] = (scene_source){
                .base = SCENE_NONE,
                .triangle_count = m->meshes[draft->mesh].triangle_count};
            m->parts[m->s->part_count++] =
                place_part(draft, SCENE_NONE, &world);
            m->added_count++;
        }
    }
}

/* In the file's order, so that numbers of parts mean the same at the next
 * import. */
static void place_parts(grouping *g, uint32_t index)
{
    importer *m = g->m;
    scene_object *o = &m->objects[index];
    const struct scene_private *own = m->own;
    uint32_t begin = g->place[o->node];
    uint32_t end = g->end[o->node];
    uint32_t wanted = o->part_count;
    if (wanted == g->parts_of[o->node]) {
        end = begin + 1; /* its own mesh alone */
    }
    o->first_part = m->s->part_count;
    for (uint32_t i = begin; i < end; i++) {
        const scene_node *node = &own->nodes[own->order[i]];
        affine world = affine_mul(&own->file_to_world, &node->world);
        if (o->instance != SCENE_NONE) {
            world = affine_mul(&world, &node->instances[o->instance]);
        }
        for (uint32_t p = 0; p < g->parts_of[own->order[i]]; p++) {
            const draft_part *draft =
                &g->parts[g->first_part[own->order[i]] + p];
            m->sources[m->s->part_count] = (scene_source){
                .base = index,
                .part = m->s->part_count - o->first_part,
                .primitive = draft->primitive,
                .triangle_count = m->meshes[draft->mesh].triangle_count};
            m->parts[m->s->part_count++] = place_part(draft, index, &world);
            o->triangle_count += m->meshes[draft->mesh].triangle_count;
        }
    }
}

/* An edited copy is moved as the original was, wherever its own median lies. */
static etna_code grouping_place(grouping *g,
                                const affine *axes,
                                etna_error *err)
{
    importer *m = g->m;
    size_t total = 0;
    if (!find_recentre(g, axes, &m->s->recentre)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         m->s->object_count);
    }
    if (m->like) {
        m->s->recentre = m->like->recentre;
    }
    m->own->file_to_world = *axes;
    m->own->file_to_world.t = v3_scale(m->s->recentre, -1);
    if (!affine_inverse(&m->own->file_to_world, &m->own->world_to_file)) {
        return etna_fail(err, ETNA_E_INTERNAL,
                         "the scene's axes have no inverse");
    }
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        total += m->objects[i].part_count;
    }
    for (uint32_t i = 0; i < m->own->node_count; i++) {
        total += g->added[i];
    }
    m->parts = total < SCENE_NONE
                   ? etna_arena_alloc(&m->own->arena, total, sizeof *m->parts)
                   : NULL;
    m->sources =
        m->parts ? etna_arena_alloc(&m->own->arena, total, sizeof *m->sources)
                 : NULL;
    if (!m->sources) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu parts", total);
    }
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        place_parts(g, i);
    }
    place_added(g);
    return ETNA_OK;
}

/* ---- what may move: METHODS.md 1 ---- */

/* By an animation of its own or of one above it: moving it would not last. */
static bool node_is_driven(const importer *m, uint32_t index)
{
    for (; index != GLTF_NONE; index = m->own->nodes[index].parent) {
        if (m->own->nodes[index].animated) {
            return true;
        }
    }
    return false;
}

/* By places in the order: without a walk. */
static bool below_or_self(const grouping *g, uint32_t node, uint32_t top)
{
    return g->m->own->nodes[node].in_scene && g->place[node] >= g->place[top] &&
           g->place[node] < g->end[top];
}

/* Moving `carrier` moves every vertex of the subtree: each skin's joints lie
 * below it. */
static bool carries_skins(const grouping *g, uint32_t carrier)
{
    const importer *m = g->m;
    for (uint32_t i = g->place[carrier]; i < g->end[carrier]; i++) {
        uint32_t skin = m->own->nodes[m->own->order[i]].skin;
        const json_t *joints =
            skin == GLTF_NONE
                ? NULL
                : json_object_get(json_array_get(m->doc.skins, skin), "joints");
        for (size_t j = 0; j < json_array_size(joints); j++) {
            json_int_t joint = json_integer_value(json_array_get(joints, j));
            if (joint < 0 || joint >= (json_int_t)m->own->node_count ||
                !below_or_self(g, (uint32_t)joint, carrier)) {
                return false;
            }
        }
    }
    return true;
}

/* Anywhere in what the object is made of. */
static bool has_skin(const grouping *g, const scene_object *o)
{
    for (uint32_t i = g->place[o->node]; i < g->end[o->node]; i++) {
        if (g->m->own->nodes[g->m->own->order[i]].skin != GLTF_NONE) {
            return true;
        }
    }
    return false;
}

/* The nearest ancestor that carries what the node does alone and that nothing
 * drives; GLTF_NONE: there is none. */
static uint32_t free_carrier(const grouping *g, uint32_t node)
{
    const importer *m = g->m;
    uint32_t up = m->own->nodes[node].parent;
    for (; up != GLTF_NONE && g->carried[up] <= 1;
         up = m->own->nodes[up].parent) {
        if (!node_is_driven(m, up) && carries_skins(g, up))
            return up;
    }
    return GLTF_NONE;
}

/* Only what an export could write back may move. Where the node itself cannot,
 * one above it that carries nothing else may do it. */
static void mark_immovable(grouping *g, scene_object *o)
{
    importer *m = g->m;
    bool animated = node_is_driven(m, o->node);
    bool skinned = has_skin(g, o);
    const char *frozen =
        o->instance != SCENE_NONE ? m->own->nodes[o->node].frozen : NULL;
    bool is_instance = o->instance != SCENE_NONE;
    bool is_free =
        is_instance ? !frozen : !skinned || carries_skins(g, o->node);
    if (is_free && !animated)
        return;
    uint32_t carrier = is_instance ? GLTF_NONE : free_carrier(g, o->node);
    if (carrier != GLTF_NONE) {
        o->node = carrier;
        return;
    }
    const char *rule = "it is skinned and its joints lie elsewhere";
    if (animated) {
        rule = "an animation drives it";
    } else if (frozen) {
        rule = frozen;
    }
    /* without memory it is so untold */
    (void)object_set_static(m->own, o, rule);
    o->immovable = o->is_static = true;
}

/* Counts first which nodes carry more than one object. */
static void mark_all_immovable(grouping *g)
{
    importer *m = g->m;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        for (uint32_t at = m->objects[i].node;
             at != GLTF_NONE && g->carried[at] < 2;
             at = m->own->nodes[at].parent) {
            /* two are as good as many: the walk ends where others passed */
            g->carried[at]++;
        }
    }
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        mark_immovable(g, &m->objects[i]);
    }
}

/* On failure the importer is freed as a whole. */
etna_code objects_make(importer *m, etna_error *err)
{
    grouping g;
    double unit = m->s->metres_per_unit;
    affine axes = {{{unit, 0, 0}, {0, 0, -unit}, {0, unit, 0}},
                   {0, 0, 0}}; /* glTF's Y up: (x, y, z) to (x, -z, y) */
    if (m->doc.bundle.up == 'Z') {
        axes = (affine){{{unit, 0, 0}, {0, unit, 0}, {0, 0, unit}}, {0, 0, 0}};
    }
    if (!grouping_init(&g, m)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                         m->own->node_count);
    }
    etna_code code = read_parts(&g, &axes, err);
    if (code == ETNA_OK && g.part_count == 0) {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "the scene has no mesh with triangles, so there is nothing to arrange");
    }
    if (code == ETNA_OK && (code = find_objects(&g, err)) == ETNA_OK &&
        (code = grouping_place(&g, &axes, err)) == ETNA_OK) {
        mark_all_immovable(&g);
    }
    free(g.parts);
    return code;
}
