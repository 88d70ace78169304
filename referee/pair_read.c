/* Two scenes made a pair. The geometry is the second one's: a part that was cut
 * off a mesh is a node there, and stood where the node of the first stood that
 * has its corners. */
#include "referee/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which node it was ---- */

static int corner_compare(const void *a, const void *b)
{
    const point *p = a;
    const point *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return 0;
}

static bool mesh_has_all(const gltf_mesh *in, const gltf_mesh *of)
{
    if (in->corner_count < of->corner_count)
        return false;
    point *sorted = malloc((in->corner_count + 1) * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, in->corners, in->corner_count * sizeof *sorted);
    qsort(sorted, in->corner_count, sizeof *sorted, corner_compare);
    bool all = true;
    for (size_t i = 0; i < of->corner_count && all; i++) {
        all = bsearch(&of->corners[i], sorted, in->corner_count, sizeof *sorted,
                      corner_compare) != NULL;
    }
    free(sorted);
    return all;
}

/* The node of `s` whose mesh has all corners of `part`; SIZE_MAX: none. */
static size_t node_with(const gltf_scene *s, const gltf_mesh *part)
{
    for (size_t n = 0; n < s->node_count; n++) {
        size_t mesh = s->nodes[n].mesh;
        if (s->nodes[n].root == SIZE_MAX || mesh == SIZE_MAX)
            continue;
        if (mesh_has_all(&s->meshes[mesh], part))
            return n;
    }
    return SIZE_MAX;
}

static bool node_has_mesh(const gltf_scene *s, size_t n)
{
    return n < s->node_count && s->nodes[n].root != SIZE_MAX &&
           s->nodes[n].mesh != SIZE_MAX;
}

/* What node n of the later scene was: that of its number and name, else the
 * only one of its name, else one with its geometry. Other programs write nodes
 * in an order of their own. */
static size_t node_before(const gltf_scene *before,
                          const gltf_scene *after,
                          size_t n)
{
    const char *name = after->nodes[n].name;
    bool several = false;
    if (node_has_mesh(before, n) && strcmp(before->nodes[n].name, name) == 0)
        return n;
    size_t found = gltf_scene_find(before, name, &several);
    if (found != SIZE_MAX && node_has_mesh(before, found))
        return found;
    return node_with(before, &after->meshes[after->nodes[n].mesh]);
}

/* ---- the pair ---- */

static char *piece_name(const gltf_node *node, size_t instance)
{
    char text[300];
    if (node->instance_count < 2)
        return strdup(node->name);
    snprintf(text, sizeof text, "%s [%zu]", node->name, instance);
    return strdup(text);
}

static bool pair_add(pair *p,
                     const gltf_scene *s,
                     size_t n,
                     size_t i,
                     motion before,
                     motion after)
{
    const gltf_node *node = &s->nodes[n];
    const gltf_mesh *mesh = &s->meshes[node->mesh];
    if ((p->count & (p->count + 1)) == 0) {
        piece *more = realloc(p->pieces, (2 * p->count + 2) * sizeof *more);
        if (!more)
            return false;
        p->pieces = more;
    }
    piece *to = &p->pieces[p->count];
    *to = (piece){
        .triangles = mesh->corner_count / 3, .before = before, .after = after};
    to->corners = malloc((mesh->corner_count + 1) * sizeof *to->corners);
    to->name = piece_name(node, i);
    to->root = strdup(s->nodes[node->root].name);
    p->count++;
    if (!to->corners || !to->name || !to->root)
        return false;
    memcpy(to->corners, mesh->corners,
           mesh->corner_count * sizeof *to->corners);
    return true;
}

/* All instances of node n of the later scene. */
static bool pair_add_node(pair *p,
                          const gltf_scene *before,
                          const gltf_scene *after,
                          size_t n)
{
    size_t old = node_before(before, after, n);
    if (old == SIZE_MAX)
        return true; /* it was not there before: nothing to compare it with */
    const gltf_node *now = &after->nodes[n];
    const gltf_node *then = &before->nodes[old];
    for (size_t i = 0; i < now->instance_count; i++) {
        size_t k = i < then->instance_count ? i : 0;
        motion to = motion_after(&now->world, &now->instances[i]);
        motion from = motion_after(&then->world, &then->instances[k]);
        if (!pair_add(p, after, n, i, from, to))
            return false;
    }
    return true;
}

bool pair_make(const gltf_scene *before, const gltf_scene *after, pair *ret)
{
    pair p = {NULL, 0};
    bool good = true;
    for (size_t n = 0; good && n < after->node_count; n++) {
        if (!node_has_mesh(after, n) ||
            !after->meshes[after->nodes[n].mesh].corner_count)
            continue;
        good = pair_add_node(&p, before, after, n);
    }
    if (good)
        *ret = p;
    if (!good)
        pair_free(&p);
    return good;
}

static bool scene_open(const char *path,
                       gltf_scene *ret,
                       char error[static 256])
{
    char why[256];
    if (gltf_scene_read(path, ret, why))
        return true;
    snprintf(error, 256, "%.120s: %.120s", path, why);
    return false;
}

bool pair_read(const char *before_path,
               const char *after_path,
               pair *ret,
               char error[static 256])
{
    gltf_scene before = {.nodes = NULL};
    gltf_scene after = {.nodes = NULL};
    bool good = scene_open(before_path, &before, error) &&
                scene_open(after_path, &after, error);
    if (good && !pair_make(&before, &after, ret)) {
        snprintf(error, 256, "out of memory");
        good = false;
    }
    gltf_scene_free(&before);
    gltf_scene_free(&after);
    return good;
}

void pair_free(pair *p)
{
    for (size_t i = 0; p && i < p->count; i++) {
        free(p->pieces[i].name);
        free(p->pieces[i].root);
        free(p->pieces[i].corners);
    }
    if (p)
        free(p->pieces);
    if (p)
        *p = (pair){NULL, 0};
}
