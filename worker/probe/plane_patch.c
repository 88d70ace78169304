/* Patches: a mesh's triangles in connected groups whose normals are about the
 * same. Where a probe takes all of a patch, it takes it in one step and goes on
 * from the patch's rim. Any division into connected groups gives the same
 * planes; this one gives few groups. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>

/* cosine to the patch's first triangle: about the 0.95 of a plane, with room
 * for its seed's own angle */
#define CONE 0.98
/* So many triangles at an edge are looked at: an edge with many must not cost
 * their number squared. */
#define RING_STEPS 4

typedef struct laying {
    const scene_mesh *mesh;
    probe_adjacency *a;
    float *normal; /* 3 per triangle, unit; 0 without area */
    uint32_t placed, rim_count, rim_room;
} laying;

void probe_patches_free(probe_adjacency *a)
{
    free(a->patch);
    free(a->patch_start);
    free(a->patch_faces);
    free(a->rim_start);
    free(a->rim);
}

/* In the mesh's own frame and single precision: patches need to be right in the
 * main only, the growth asks exactly. */
static void find_normals(const scene_mesh *mesh, float *normal)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        vec3 c[3];
        for (size_t k = 0; k < 3; k++) {
            const float *p =
                mesh->position + 3 * (size_t)mesh->index[3 * t + k];
            c[k] = v3((double)p[0], (double)p[1], (double)p[2]);
        }
        vec3 n = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]));
        double square = v3_dot(n, n);
        double scale = square > 0 && isfinite(square) ? 1 / sqrt(square) : 0;
        normal[3 * t] = (float)(n.x * scale);
        normal[3 * t + 1] = (float)(n.y * scale);
        normal[3 * t + 2] = (float)(n.z * scale);
    }
}

/* The patch being laid takes the triangle; its faces are consecutive in
 * patch_faces. */
static void laying_place(laying *l, uint32_t triangle)
{
    l->a->patch[triangle] = l->a->patch_count;
    l->a->patch_faces[l->placed++] = triangle;
}

/* Everything connected to `first` within its cone that no patch has yet. */
static void lay_patch(laying *l, uint32_t first)
{
    probe_adjacency *a = l->a;
    const float *n = l->normal + 3 * (size_t)first;
    uint32_t at = l->placed;
    laying_place(l, first);
    for (; at < l->placed; at++)
        for (size_t k = 0, side = 3 * (size_t)a->patch_faces[at]; k < 3;
             k++, side++) {
            uint32_t other = a->next[side];
            for (int step = 0;
                 step < RING_STEPS && other != SCENE_NONE && other != side;
                 step++, other = a->next[other]) {
                const float *m = l->normal + 3 * (size_t)(other / 3);
                if (a->patch[other / 3] == SCENE_NONE &&
                    n[0] * m[0] + n[1] * m[1] + n[2] * m[2] >= (float)CONE)
                    laying_place(l, other / 3);
            }
        }
}

/* Edges of more than two triangles count as rim: telling whether all of them
 * are within would cost their square. */
static bool patch_is_rim(const probe_adjacency *a,
                         uint32_t side,
                         uint32_t patch)
{
    uint32_t other = a->next[side];
    if (other == SCENE_NONE || other == side)
        return false;
    return a->patch[other / 3] != patch || a->next[other] != side;
}

/* The sides of this patch's faces (from `from` on) behind which another patch
 * or nothing lies; false: out of memory. */
static bool lay_rim(laying *l, uint32_t from)
{
    probe_adjacency *a = l->a;
    for (uint32_t at = from; at < l->placed; at++)
        for (uint32_t k = 0, side = 3 * a->patch_faces[at]; k < 3;
             k++, side++) {
            if (!patch_is_rim(a, side, a->patch_count))
                continue;
            if (l->rim_count == l->rim_room) {
                l->rim_room = l->rim_room ? 2 * l->rim_room : 64;
                uint32_t *more = realloc(a->rim, l->rim_room * sizeof *more);
                if (!more)
                    return false;
                a->rim = more;
            }
            a->rim[l->rim_count++] = side;
        }
    return true;
}

/* In order of the first free triangle, so that patches are the same in every
 * run. The arrays of starts get one more entry as their end. */
static bool lay_all(laying *l)
{
    probe_adjacency *a = l->a;
    for (uint32_t t = 0; t < l->mesh->triangle_count; t++)
        a->patch[t] = SCENE_NONE;
    for (uint32_t t = 0; t < l->mesh->triangle_count; t++) {
        if (a->patch[t] != SCENE_NONE)
            continue;
        uint32_t from = l->placed;
        a->patch_start[a->patch_count] = from;
        a->rim_start[a->patch_count] = l->rim_count;
        lay_patch(l, t);
        if (!lay_rim(l, from))
            return false;
        a->patch_count++;
    }
    a->patch_start[a->patch_count] = l->placed;
    a->rim_start[a->patch_count] = l->rim_count;
    return true;
}

/* Gives back what was reserved for a patch per triangle. */
static bool patch_shrink(uint32_t **array, size_t count)
{
    uint32_t *less = realloc(*array, count * sizeof *less);
    if (less)
        *array = less;
    return less != NULL;
}

/* Gives back what was too much; false: out of memory. */
static bool patches_shrink(probe_adjacency *a, size_t rim_count)
{
    const size_t starts = (size_t)a->patch_count + 1;
    if (!patch_shrink(&a->patch_start, starts) ||
        !patch_shrink(&a->rim_start, starts))
        return false;
    return !a->rim || patch_shrink(&a->rim, rim_count);
}

/* Fills the adjacency's patch arrays; welds and rings must be there. What it
 * allocated before a failure is freed by probe_adjacency_free. */
etna_code probe_patches_make(const scene_mesh *mesh,
                             probe_adjacency *a,
                             etna_error *err)
{
    size_t room = (size_t)mesh->triangle_count + 1;
    laying l = {
        .mesh = mesh, .a = a, .normal = malloc(3 * room * sizeof *l.normal)};
    a->patch = malloc(room * sizeof *a->patch);
    a->patch_start = malloc(room * sizeof *a->patch_start);
    a->patch_faces = malloc(room * sizeof *a->patch_faces);
    a->rim_start = malloc(room * sizeof *a->rim_start);
    bool has_patches = a->patch && a->patch_start && a->patch_faces;
    bool made = has_patches && l.normal && a->rim_start;
    if (made) {
        find_normals(mesh, l.normal);
        made = lay_all(&l) && patches_shrink(a, l.rim_count);
    }
    free(l.normal);
    if (!made)
        return etna_fail(
            err, ETNA_E_NOMEM,
            "no memory for the adjacency of a mesh of %u triangles",
            mesh->triangle_count);
    return ETNA_OK;
}
