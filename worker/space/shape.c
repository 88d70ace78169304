/* A shape: what follows from the geometry of an object and not from where it
 * stands, found once for all objects that are alike. A thousand instances of a
 * teapot are welded, searched for open edges and put into a tree once. */
#include "worker/math/union_find.h"
#include "worker/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE \
    1e-9 /* of the parts' places to one another, as a share of the object's size */

/* ---- who is alike ---- */
typedef struct likeness {
    uint64_t hash; /* of meshes and mirroring */
    uint32_t object;
} likeness;

static int compare_likeness(const void *a, const void *b)
{
    const likeness *p = a, *q = b;
    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return (p->object > q->object) - (p->object < q->object);
}

/* Of meshes and mirroring alone: what is alike has the same hash, and those of
 * one hash are compared. */
static uint64_t hash_of(const scene *s, const scene_object *o)
{
    uint64_t h = o->part_count;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        h = (h ^ s->parts[p].mesh) * 0x9e3779b97f4a7c15ull;
        h = (h ^ h >> 31 ^ (uint64_t)s->parts[p].flipped) *
            0xbf58476d1ce4e5b9ull;
    }
    return h ^ h >> 31;
}

static bool same_place(const affine *a, const affine *b, double size)
{
    double worst = v3_distance(a->t, b->t);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            worst = fabs(a->m[i][k] - b->m[i][k]) * size > worst
                        ? fabs(a->m[i][k] - b->m[i][k]) * size
                        : worst;
    return worst <= ALIKE * size;
}

/* Of one mesh, neither turned inside out alone, and of some volume: where they
 * stand to each other is left out. */
static bool part_is_alike(const scene_part *a, const scene_part *b)
{
    if (a->mesh != b->mesh || a->flipped != b->flipped)
        return false;
    return !affine_is_flat(&a->to_world) && !affine_is_flat(&b->to_world);
}

/* Stands part i to its object's first part as b's does to b's? The parts of one
 * node meet in the same vertices; those of two nodes may. `back`: from the
 * world to each object's first part. */
static bool part_stands_alike(const scene *s,
                              const scene_part *pa,
                              const scene_part *pb,
                              uint32_t i,
                              const affine back[2])
{
    affine in_a = affine_mul(&back[0], &pa[i].to_world);
    affine in_b = affine_mul(&back[1], &pb[i].to_world);
    double size =
        v3_length(v3_sub(s->meshes[pa->mesh].max, s->meshes[pa->mesh].min)) +
        v3_length(in_a.t);
    bool one_a = memcmp(&pa[i].to_world, &pa->to_world, sizeof(affine)) == 0;
    bool one_b = memcmp(&pb[i].to_world, &pb->to_world, sizeof(affine)) == 0;
    return one_a == one_b && (one_a || same_place(&in_a, &in_b, size));
}

static bool shape_is_alike(const scene *s, uint32_t a, uint32_t b)
{
    const scene_object *oa = &s->objects[a];
    const scene_object *ob = &s->objects[b];
    const scene_part *pa = &s->parts[oa->first_part];
    const scene_part *pb = &s->parts[ob->first_part];
    affine back[2];
    if (oa->part_count != ob->part_count || oa->part_count == 0)
        return false;
    for (uint32_t i = 0; i < oa->part_count; i++) {
        if (!part_is_alike(&pa[i], &pb[i]))
            return false;
    }
    if (oa->part_count == 1)
        return true;
    if (!affine_inverse(&pa->to_world, &back[0]) ||
        !affine_inverse(&pb->to_world, &back[1]))
        return false;
    for (uint32_t i = 1; i < oa->part_count; i++) {
        if (!part_stands_alike(s, pa, pb, i, back))
            return false;
    }
    return true;
}

/* `all`: the scene's objects by hash. `like`: of each object the first that is
 * alike, itself where none is before it. */
static void find_alike(const scene *s, const likeness *all, uint32_t *like)
{
    /* kinds of one hash that are compared with; beyond, an object is alone */
    enum {
        TRIES = 16
    };
    uint32_t kinds[TRIES], kind_count = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        uint32_t object = all[i].object;
        uint32_t k = 0;
        if (i == 0 || all[i].hash != all[i - 1].hash)
            kind_count = 0;
        while (k < kind_count && !shape_is_alike(s, kinds[k], object))
            k++;
        if (k == kind_count && kind_count < TRIES)
            kinds[kind_count++] = object;
        like[object] = k < kind_count ? kinds[k] : object;
    }
}

/* Shapes are numbered by their first object. */
etna_code shape_group(const scene *s,
                      uint32_t *ret_shape,
                      uint32_t *ret_first,
                      uint32_t *ret_count,
                      etna_error *err)
{
    uint32_t n = s->object_count;
    uint32_t count = 0;
    likeness *all = malloc(((size_t)n + 1) * sizeof *all);
    /* the first that is alike */
    uint32_t *like = malloc(((size_t)n + 1) * sizeof *like);
    if (!all || !like) {
        free(all);
        free(like);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u objects",
                         n);
    }
    for (uint32_t i = 0; i < n; i++)
        all[i] = (likeness){hash_of(s, &s->objects[i]), i};
    qsort(all, n, sizeof *all, compare_likeness);
    find_alike(s, all, like);
    for (uint32_t i = 0; i < n; i++) {
        if (like[i] == i)
            ret_first[count] = i;
        ret_shape[i] = like[i] == i ? count++ : ret_shape[like[i]];
    }
    *ret_count = count;
    free(all);
    free(like);
    return ETNA_OK;
}

/* ---- what it is ---- */
static bool corner_is_before(vec3 a, vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

static bool is_wide(const uint32_t *t, const vec3 *at)
{
    return triangle_wide(at[t[0]], at[t[1]], at[t[2]]);
}

/* A union-find of vertices, each triangle's in one set. With `at`, the places
 * of vertices, of wide triangles alone. */
static void join_triangles(const shape *sh, const vec3 *at, uint32_t *parent)
{
    for (uint32_t i = 0; i < sh->vertex_count; i++)
        parent[i] = i;
    for (uint32_t i = 0; i < sh->triangle_count; i++) {
        const uint32_t *t = sh->index + 3 * (size_t)i;
        if (at && !is_wide(t, at))
            continue;
        union_find_join(parent, t[0], t[1]);
        union_find_join(parent, t[0], t[2]);
    }
}

/* Where all triangles are wide and of one piece, all is one lump. `parent`: of
 * pieces; it is used up. */
static bool find_lumps(shape *sh, const vec3 *at, uint32_t *parent)
{
    bool wide = true;
    for (uint32_t i = 0; i < sh->triangle_count && wide; i++)
        wide = is_wide(sh->index + 3 * (size_t)i, at);
    if (wide && sh->piece_count <= 1)
        return true;
    sh->lump = malloc(((size_t)sh->vertex_count + 1) * sizeof *sh->lump);
    if (!sh->lump)
        return false;
    if (!wide)
        join_triangles(sh, at, parent);
    for (uint32_t i = 0; i < sh->vertex_count; i++)
        sh->lump[i] = union_find_root(parent, i);
    return true;
}

/* Notes of each piece, by its root in `parent`, the vertex that is least by
 * place. Returns how many pieces there are. */
static uint32_t pieces_least(const shape *sh,
                             const vec3 *at,
                             uint32_t *parent,
                             uint32_t *ret_least)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sh->vertex_count; i++)
        ret_least[i] = SCENE_NONE;
    for (size_t i = 0; i < 3 * (size_t)sh->triangle_count; i++) {
        uint32_t v = sh->index[i];
        uint32_t root = union_find_root(parent, v);
        n += ret_least[root] == SCENE_NONE;
        if (ret_least[root] == SCENE_NONE ||
            corner_is_before(at[v], at[ret_least[root]]))
            ret_least[root] = v;
    }
    return n;
}

/* Of each piece the vertex that is least by place, so that the order in the
 * file decides nothing. `at`: of vertices. */
static bool find_pieces(shape *sh, const vec3 *at)
{
    uint32_t *parent = malloc(((size_t)sh->vertex_count + 1) * sizeof *parent);
    /* of a root; SCENE_NONE: none */
    uint32_t *least = malloc(((size_t)sh->vertex_count + 1) * sizeof *least);
    if (!parent || !least) {
        free(parent);
        free(least);
        return false;
    }
    join_triangles(sh, NULL, parent);
    const uint32_t n = pieces_least(sh, at, parent, least);
    sh->piece = malloc(((size_t)n + 1) * sizeof *sh->piece);
    for (uint32_t i = 0; sh->piece && i < sh->vertex_count; i++)
        if (least[i] != SCENE_NONE)
            sh->piece[sh->piece_count++] = least[i];
    bool done = sh->piece && find_lumps(sh, at, parent);
    free(parent);
    free(least);
    return done;
}

/* Every edge is walked as often one way as the other. False: no memory; the
 * answer is in sh->closed. */
static bool shape_find_closed(shape *sh)
{
    uint32_t *first = NULL;
    weld_edge *edges = NULL;
    if (!weld_edges(sh->index, sh->triangle_count, sh->vertex_count, &first,
                    &edges))
        return false;
    sh->closed = first[sh->vertex_count] > 0;
    for (uint32_t low = 0; low < sh->vertex_count && sh->closed; low++)
        for (uint32_t i = first[low], k; i < first[low + 1] && sh->closed;
             i = k) {
            int64_t sum = 0;
            for (k = i; k < first[low + 1] && edges[k].high == edges[i].high;
                 k++)
                sum += sh->index[edges[k].corner] == low ? 1 : -1;
            sh->closed = sum == 0;
        }
    free(first);
    free(edges);
    return true;
}

/* Where the object's mesh vertices stand, all parts in order; NULL when memory
 * is at its end. */
static vec3 *all_corners(const scene *s, const scene_object *o, size_t count)
{
    vec3 *at = malloc((count + 1) * sizeof *at);
    size_t n = 0;
    for (uint32_t p = o->first_part; at && p < o->first_part + o->part_count;
         p++)
        for (uint32_t i = 0; i < s->meshes[s->parts[p].mesh].vertex_count; i++)
            at[n++] = scene_vertex(s, &s->parts[p], i);
    return at;
}

/* Vertices, triangles and pieces. */
static bool shape_weld(const scene *s,
                       const scene_object *o,
                       size_t corner_count,
                       shape *sh)
{
    uint32_t *place = NULL, base = 0, t = 0;
    vec3 *at = all_corners(s, o, corner_count);
    sh->index =
        malloc((3 * (size_t)sh->triangle_count + 1) * sizeof *sh->index);
    bool done = at && sh->index &&
                weld_places(at, (uint32_t)corner_count, &place, &sh->source,
                            &sh->vertex_count);
    for (uint32_t p = o->first_part; done && p < o->first_part + o->part_count;
         p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        for (uint32_t i = 0; i < mesh->triangle_count; i++, t++)
            /* a mirrored part is turned right side out again */
            for (uint32_t k = 0; k < 3; k++)
                sh->index[3 * (size_t)t + k] =
                    place[base +
                          mesh->index[3 * (size_t)i +
                                      (s->parts[p].flipped ? 2 - k : k)]];
        base += mesh->vertex_count;
    }
    free(place);
    for (uint32_t i = 0; done && i < sh->vertex_count; i++)
        at[i] = at[sh->source[i]]; /* sources ascend */
    done = done && find_pieces(sh, at);
    free(at);
    uint32_t *fitting =
        done ? realloc(sh->source,
                       ((size_t)sh->vertex_count + 1) * sizeof *fitting)
             : NULL;
    if (fitting)
        sh->source = fitting;
    return fitting != NULL;
}

void shape_free(shape *sh)
{
    if (!sh)
        return;
    free(sh->source);
    free(sh->index);
    free(sh->piece);
    free(sh->lump);
    free(sh->links);
    free(sh);
}

/* Without its tree, which only collisions need. */
etna_code shape_build(const scene *s,
                      uint32_t object,
                      shape **ret,
                      etna_error *err)
{
    const scene_object *o = &s->objects[object];
    uint64_t corners = 0, triangles = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        corners += s->meshes[s->parts[p].mesh].vertex_count;
        triangles += s->meshes[s->parts[p].mesh].triangle_count;
    }
    if (corners > UINT32_MAX / 4 || triangles > SCENE_TRIANGLES_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "space: object \"%s\" has %llu triangles and %llu vertices; split it",
            o->name, (unsigned long long)triangles,
            (unsigned long long)corners);
    shape *sh = calloc(1, sizeof *sh);
    if (sh) {
        sh->object = object;
        sh->triangle_count = (uint32_t)triangles;
        atomic_init(&sh->has_tree, false);
    }
    if (!sh || !shape_weld(s, o, corners, sh) || !shape_find_closed(sh)) {
        shape_free(sh);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the %llu triangles of \"%s\"",
                         (unsigned long long)triangles, o->name);
    }
    sh->item.bytes =
        sizeof *sh + ((sh->lump ? 2 : 1) * (size_t)sh->vertex_count +
                      sh->piece_count + 3 * (size_t)sh->triangle_count) *
                         sizeof(uint32_t);
    *ret = sh;
    return ETNA_OK;
}

/* In the frame of the first object that has the shape; reorders its
 * triangles. */
etna_code shape_grow_tree(const scene *s, shape *sh, etna_error *err)
{
    posed_mesh st = {.vertex =
                         malloc(((size_t)sh->vertex_count + 1) * sizeof(vec3))};
    if (!st.vertex)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the %u vertices of \"%s\"",
                         sh->vertex_count, s->objects[sh->object].name);
    st.object = sh->object;
    posed_mesh_fill(s, sh, NULL, &st);
    etna_code code = bvh_build(st.vertex, sh->index, sh->triangle_count,
                               &sh->links, &sh->node_count, err);
    free(st.vertex);
    if (!code)
        atomic_store_explicit(&sh->has_tree, true, memory_order_release);
    return code;
}
