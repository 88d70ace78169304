/* The node graph: read without recursion, so that neither a cycle nor a depth
 * of 100,000 can hurt.
 *
 * Begin at nodes_read: each node's members and children, a check that the whole
 * is a forest of bounded depth, the roots of the scene that is shown, and a
 * walk from them that gives each its transform to the scene. What is not below
 * one of the roots is never in `order` and so is no part of the scene.
 * Instancing comes later (nodes_read_instances), as it needs to know what is
 * shown. */
#include "proto/array.h"
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

/* as deep as any exporter nests; a bound for walks up to the root, which are
 * made for every node */
enum {
    NODE_DEPTH_MAX = 1000
};

/* For errors; NULL of a name is "". */
static void node_label(const importer *m, uint32_t index, char where[96])
{
    const char *name = gltf_text(json_array_get(m->doc.nodes, index), "name");
    snprintf(where, 96, "node %u (\"%.60s\")", index, name ? name : "");
}

/* ---- transforms ---- */

/* T R S of a unit quaternion (x, y, z, w). */
static affine from_trs(const double t[3], const double q[4], const double s[3])
{
    double x = q[0];
    double y = q[1];
    double z = q[2];
    double w = q[3];
    affine a = {
        {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
         {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
         {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}},
        {t[0], t[1], t[2]}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] *= s[j];
        }
    }
    return a;
}

/* One without length is no rotation: the identity. */
static void normalize_rotation(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        q[i] = length > 1e-12 ? q[i] / length : i == 3;
    }
}

/* The three numbers are kept beside the matrix, for exports that change only
 * one of them. */
static etna_code read_transform(const json_t *json,
                                const char *where,
                                scene_node *node,
                                etna_error *err)
{
    double matrix[16];
    double t[3] = {0, 0, 0};
    double q[4] = {0, 0, 0, 1};
    double s[3] = {1, 1, 1};
    etna_code code;
    if ((code = gltf_numbers(json, "matrix", 16, matrix, &node->has_matrix,
                             where, err)) != ETNA_OK ||
        (code = gltf_numbers(json, "translation", 3, t, NULL, where, err)) !=
            ETNA_OK ||
        (code = gltf_numbers(json, "rotation", 4, q, NULL, where, err)) !=
            ETNA_OK ||
        (code = gltf_numbers(json, "scale", 3, s, NULL, where, err)) !=
            ETNA_OK) {
        return code;
    }
    normalize_rotation(q);
    memcpy(node->translation, t, sizeof t);
    memcpy(node->rotation, q, sizeof q);
    memcpy(node->scale, s, sizeof s);
    if (!node->has_matrix) {
        node->local = from_trs(t, q, s);
        return ETNA_OK;
    }
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            node->local.m[row][column] = matrix[4 * column + row];
        }
    }
    node->local.t = v3(matrix[12], matrix[13], matrix[14]);
    return ETNA_OK;
}

/* ---- the graph ---- */

/* Children of all nodes share one array; a node has its part of it. A second
 * parent is refused here, so that what is left to find are cycles. */
static etna_code read_children(importer *m,
                               uint32_t index,
                               const json_t *json,
                               uint32_t *used,
                               etna_error *err)
{
    struct scene_private *own = m->own;
    const json_t *list = json_object_get(json, "children");
    scene_node *node = &own->nodes[index];
    char where[96];
    node->first_child = *used;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t child = json_integer_value(value);
        node_label(m, index, where);
        if (!json_is_integer(value) || child < 0 ||
            child >= (json_int_t)own->node_count) {
            return etna_fail(err, ETNA_E_INPUT,
                             "%s: child %zu is not one of the %u nodes", where,
                             i, own->node_count);
        }
        if (own->nodes[child].parent != GLTF_NONE || (uint32_t)child == index) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "%s: node %u is already below node %u; a node has one parent and no cycle",
                where, (uint32_t)child,
                (uint32_t)child == index ? index : own->nodes[child].parent);
        }
        own->nodes[child].parent = index;
        /* each node once at most, so the array's node_count entries suffice */
        own->children[(*used)++] = (uint32_t)child;
        node->child_count++;
    }
    return ETNA_OK;
}

/* Its name is made clean of control characters and cut at ARRANGE_NAME_MAX. */
static etna_code read_node(importer *m,
                           uint32_t index,
                           uint32_t *used,
                           etna_error *err)
{
    const json_t *json = json_array_get(m->doc.nodes, index);
    scene_node *node = &m->own->nodes[index];
    const char *name = gltf_text(json, "name");
    char where[96];
    etna_code code;
    node_label(m, index, where);
    if ((code = gltf_index(json, "mesh", m->doc.mesh_count, where, &node->mesh,
                           err)) != ETNA_OK ||
        (code = gltf_index(json, "camera", m->doc.camera_count, where,
                           &node->camera, err)) != ETNA_OK ||
        (code = gltf_index(json, "skin", m->doc.skin_count, where, &node->skin,
                           err)) != ETNA_OK ||
        (code = read_transform(json, where, node, err)) != ETNA_OK ||
        (code = read_children(m, index, json, used, err)) != ETNA_OK) {
        return code;
    }
    node->name = clean_name(m, name ? name : "", ARRANGE_NAME_MAX);
    return node->name ? ETNA_OK
                      : etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                                  m->own->node_count);
}

/* Fills in the depths of the node and of those above it that are not known (0)
 * yet; false: they form a cycle. Every node has one parent at most, so a walk
 * up that does not end within node_count steps is in one. */
static bool depth_find(const struct scene_private *own,
                       uint32_t node,
                       uint32_t *depth)
{
    uint32_t steps = 0, at = node;
    while (at != GLTF_NONE && depth[at] == 0 && steps <= own->node_count) {
        at = own->nodes[at].parent;
        steps++;
    }
    if (steps > own->node_count)
        return false;
    uint32_t level = (at == GLTF_NONE ? 0 : depth[at]) + steps;
    for (at = node; at != GLTF_NONE && depth[at] == 0;
         at = own->nodes[at].parent) {
        depth[at] = level--;
    }
    return true;
}

/* Also bounds the depth. A cycle has no root, so nothing in it would be shown;
 * it is refused all the same, as its writer meant something else. */
static etna_code check_cycles(const importer *m, etna_error *err)
{
    const struct scene_private *own = m->own;
    uint32_t *depth = calloc(own->node_count ? own->node_count : 1,
                             sizeof *depth); /* 0: not known; else depth + 1 */
    if (!depth) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                         own->node_count);
    }
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < own->node_count; i++) {
        if (!depth_find(own, i, depth)) {
            code = etna_fail(
                err, ETNA_E_INPUT,
                "node %u and the nodes above it form a cycle; a node tree has none",
                i);
        } else if (depth[i] > NODE_DEPTH_MAX) {
            code = etna_fail(err, ETNA_E_LIMIT,
                             "node %u lies deeper than %d levels", i,
                             (int)NODE_DEPTH_MAX);
        }
    }
    free(depth);
    return code;
}

/* Adds the root of the tree that holds the node, once; true: the node lay below
 * it. Its walk ends: check_cycles. */
static bool root_add_topmost(struct scene_private *own, uint32_t node)
{
    uint32_t top = node;
    while (own->nodes[top].parent != GLTF_NONE)
        top = own->nodes[top].parent;
    if (!own->nodes[top].in_scene) {
        own->nodes[top].in_scene = true;
        own->roots[own->root_count++] = top;
    }
    return top != node;
}

/* For a file that has nodes but no scene. */
static void roots_of_all(struct scene_private *own)
{
    for (uint32_t i = 0; i < own->node_count; i++) {
        if (own->nodes[i].parent == GLTF_NONE)
            own->roots[own->root_count++] = i;
    }
}

/* Roots of the default scene; without any scene, every node without a
 * parent. */
static etna_code read_roots(importer *m, etna_error *err)
{
    struct scene_private *own = m->own;
    uint32_t chosen;
    uint32_t count = (uint32_t)json_array_size(m->doc.scenes);
    etna_code code =
        gltf_index(m->doc.root, "scene", count, "the file", &chosen, err);
    if (code != ETNA_OK)
        return code;
    if (count == 0) {
        roots_of_all(own);
        return ETNA_OK;
    }
    const json_t *list = json_object_get(
        json_array_get(m->doc.scenes, chosen == GLTF_NONE ? 0 : chosen),
        "nodes");
    size_t below = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t root = json_integer_value(value);
        if (!json_is_integer(value) || root < 0 ||
            root >= (json_int_t)own->node_count)
            return etna_fail(err, ETNA_E_INPUT,
                             "the scene's root %zu is not one of the %u nodes",
                             i, own->node_count);
        below += root_add_topmost(own, (uint32_t)root);
    }
    if (below > 0) {
        const char *lie = below == 1 ? "lies" : "lie";
        const char *are = below == 1 ? "is" : "are";
        report_warning(
            m,
            "%zu of the scene's roots %s below another node; the topmost of their parents %s read.",
            below, lie, are);
    }
    if (count > 1)
        report_line(m, "The file has %u scenes; the %s is read.", count,
                    chosen == GLTF_NONE ? "first" : "default one");
    return ETNA_OK;
}

/* Parents before children: an explicit stack instead of recursion. Pushes
 * children last first, so `order` is the file's own depth-first order: numbers
 * and names of objects follow it. */
static etna_code node_walk(importer *m, etna_error *err)
{
    struct scene_private *own = m->own;
    uint32_t *stack = malloc(((size_t)own->node_count + 1) * sizeof *stack);
    uint32_t depth = 0;
    if (!stack) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                         own->node_count);
    }
    for (uint32_t i = own->root_count; i-- > 0;) {
        stack[depth++] = own->roots[i];
    }
    etna_code code = ETNA_OK;
    while (depth > 0 && code == ETNA_OK) {
        uint32_t index = stack[--depth];
        scene_node *node = &own->nodes[index];
        node->in_scene = true;
        node->world =
            node->parent == GLTF_NONE
                ? node->local
                : affine_mul(&own->nodes[node->parent].world, &node->local);
        own->order[own->order_count++] = index;
        const affine *w = &node->world;
        double size = fabs(w->t.x) + fabs(w->t.y) + fabs(w->t.z);
        for (int i = 0; i < 9; i++) {
            size += fabs(w->m[i / 3][i % 3]);
        }
        if (!(size < REACH_UNITS)) {
            code = etna_fail(err, ETNA_E_INPUT,
                             "node %u (\"%.60s\") stands beyond 1e12 units",
                             index, node->name);
        }
        for (uint32_t i = node->child_count; i-- > 0;) {
            stack[depth++] = own->children[node->first_child + i];
        }
    }
    free(stack);
    return code;
}

/* False: out of memory. */
static bool nodes_alloc(struct scene_private *own, uint32_t count)
{
    own->node_count = count;
    own->nodes = etna_arena_alloc(&own->arena, count, sizeof *own->nodes);
    own->children = etna_arena_alloc(&own->arena, count, sizeof *own->children);
    own->roots = etna_arena_alloc(&own->arena, count, sizeof *own->roots);
    own->order = etna_arena_alloc(&own->arena, count, sizeof *own->order);
    bool has_tree = own->nodes && own->children && own->roots;
    return has_tree && own->order;
}

/* On failure the importer is freed as a whole by the caller. */
etna_code nodes_read(importer *m, etna_error *err)
{
    struct scene_private *own = m->own;
    uint32_t count = m->doc.node_count;
    uint32_t used = 0;
    if (!nodes_alloc(own, count)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        own->nodes[i].parent = GLTF_NONE;
    }
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        code = read_node(m, i, &used, err);
    }
    if (code == ETNA_OK)
        code = check_cycles(m, err);
    if (code == ETNA_OK)
        code = read_roots(m, err);
    return code == ETNA_OK ? node_walk(m, err) : code;
}

/* ---- EXT_mesh_gpu_instancing ---- */

/* Attributes of one node must be equally long; *count is GLTF_NONE before the
 * first. */
static etna_code read_attribute(importer *m,
                                const json_t *attributes,
                                const char *key,
                                uint32_t components,
                                const char *where,
                                float **ret,
                                uint32_t *count,
                                etna_error *err)
{
    uint32_t accessor, have;
    etna_code code = gltf_index(attributes, key, m->doc.accessor_count, where,
                                &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE) {
        return code;
    }
    if ((code = gltf_read_floats(&m->doc, accessor, components, ret, &have,
                                 err)) != ETNA_OK) {
        return etna_error_prefix(err, "%s", where);
    }
    if (*count != GLTF_NONE && have != *count) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: its instancing attributes have different counts",
                         where);
    }
    *count = have;
    return ETNA_OK;
}

/* Why an accessor's numbers cannot be changed in place for one node alone;
 * NULL: they can. */
static const char *why_shared(const importer *m,
                              uint32_t accessor,
                              const uint32_t *uses)
{
    gltf_accessor a;
    if (gltf_accessor_open(&m->doc, accessor, &a, NULL) != ETNA_OK ||
        a.sparse || !a.data)
        return "its instancing data is sparse";
    if (a.buffer == GLTF_NONE)
        return "its instancing data is compressed";
    if (m->doc.chunks.glb && m->doc.buffers[a.buffer].bin_begin == SIZE_MAX)
        return "its instancing data lies in a file beside the GLB";
    if (uses[accessor] > 1)
        return "its instancing data is shared with another node";
    return NULL;
}

/* `uses` counts of each accessor how many nodes' instancing takes its numbers:
 * where it is more than one, moving one instance would move another node's
 * too. */
static const char *why_frozen(const importer *m,
                              const json_t *attributes,
                              const uint32_t *uses)
{
    static const struct {
        const char *key, *missing;
    } rows[] = {
        {"TRANSLATION",
         "its instances have no TRANSLATION that could be changed"},
        {"ROTATION", "its instances have no ROTATION that could be changed"}};
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        uint32_t accessor;
        if (!json_object_get(attributes, rows[k].key))
            return rows[k].missing;
        etna_code code =
            gltf_index(attributes, rows[k].key, m->doc.accessor_count,
                       "instancing", &accessor, NULL);
        if (code != ETNA_OK)
            return "its instancing data is sparse";
        const char *why = why_shared(m, accessor, uses);
        if (why)
            return why;
    }
    return NULL;
}

/* None of the three attributes is no instancing at all, which the extension
 * does not allow. */
static etna_code check_instance_count(uint32_t count,
                                      const char *where,
                                      etna_error *err)
{
    if (count == GLTF_NONE || count == 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its instancing has no TRANSLATION, ROTATION or SCALE", where);
    }
    if (count > SCENE_OBJECTS_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%s: %u instances are more than the %d objects this reads", where,
            count, (int)SCENE_OBJECTS_MAX);
    }
    return ETNA_OK;
}

/* The numbers of one instance; without a list they stay as they are. */
static void instance_numbers(const float *list,
                             uint32_t instance,
                             size_t width,
                             double *to)
{
    for (size_t k = 0; list && k < width; k++) {
        to[k] = (double)list[width * instance + k];
    }
}

/* Transforms of a node's instances in the node's own frame. `frozen` says why
 * they cannot be moved one by one, or is NULL. */
static etna_code read_instances(importer *m,
                                uint32_t index,
                                const json_t *extension,
                                const uint32_t *uses,
                                etna_error *err)
{
    scene_node *node = &m->own->nodes[index];
    const json_t *attributes = json_object_get(extension, "attributes");
    float *t = NULL, *r = NULL, *s = NULL;
    uint32_t count = GLTF_NONE;
    char where[96];
    node_label(m, index, where);
    etna_code code =
        read_attribute(m, attributes, "TRANSLATION", 3, where, &t, &count, err);
    if (code == ETNA_OK)
        code = read_attribute(m, attributes, "ROTATION", 4, where, &r, &count,
                              err);
    if (code == ETNA_OK)
        code =
            read_attribute(m, attributes, "SCALE", 3, where, &s, &count, err);
    if (code == ETNA_OK)
        code = check_instance_count(count, where, err);
    if (code != ETNA_OK)
        goto out;
    node->instances = malloc(count * sizeof *node->instances);
    if (!node->instances) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u instances",
                         where, count);
        goto out;
    }
    for (uint32_t i = 0; i < count; i++) {
        double ti[3] = {0, 0, 0};
        double qi[4] = {0, 0, 0, 1};
        double si[3] = {1, 1, 1};
        instance_numbers(t, i, 3, ti);
        instance_numbers(r, i, 4, qi);
        instance_numbers(s, i, 3, si);
        normalize_rotation(qi);
        node->instances[i] = from_trs(ti, qi, si);
    }
    node->instance_count = count;
    node->frozen = why_frozen(m, attributes, uses);
out:
    free(t);
    free(r);
    free(s);
    return code;
}

/* Attributes that are wrong are reported when they are read, not here. */
static void count_uses(const importer *m, uint32_t *uses)
{
    static const char *const keys[] = {"TRANSLATION", "ROTATION", "SCALE"};
    for (uint32_t i = 0; i < m->own->node_count; i++) {
        const json_t *extension = gltf_extension(
            json_array_get(m->doc.nodes, i), "EXT_mesh_gpu_instancing");
        for (int k = 0; extension && k < 3; k++) {
            uint32_t accessor;
            if (gltf_index(json_object_get(extension, "attributes"), keys[k],
                           m->doc.accessor_count, "", &accessor,
                           NULL) == ETNA_OK &&
                accessor != GLTF_NONE) {
                uses[accessor]++;
            }
        }
    }
}

/* Only what is in the scene: instances of nodes nobody shows are not read. */
etna_code nodes_read_instances(importer *m, etna_error *err)
{
    uint32_t *uses =
        etna_arena_alloc(&m->doc.arena, m->doc.accessor_count, sizeof *uses);
    etna_code code =
        uses ? ETNA_OK
             : etna_fail(err, ETNA_E_NOMEM, "no memory for %u accessors",
                         m->doc.accessor_count);
    if (uses) {
        count_uses(m, uses);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < m->own->order_count; i++) {
        uint32_t index = m->own->order[i];
        const json_t *extension = gltf_extension(
            json_array_get(m->doc.nodes, index), "EXT_mesh_gpu_instancing");
        if (extension && m->own->nodes[index].mesh != GLTF_NONE) {
            code = read_instances(m, index, extension, uses, err);
        }
    }
    return code;
}
