/* Loose parts: the pieces of a mesh that share no corner. What an exporter
 * joined into one mesh falls apart again here. Two corners are one when their
 * positions are equal bit for bit in their node's own frame, so the answer
 * depends on the file alone, never on a tolerance; parts are numbered by their
 * lowest triangle. */
#include "worker/math/union_find.h"
#include "worker/scene/divide.h"
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct weld {
    const scene_mesh *meshes;
    const scene_part *parts;
    uint32_t part_count;
    uint32_t *first; /* of each part: its first corner */
    /* of each vertex of all parts: the first vertex at its place */
    uint32_t *corner;
    uint32_t *up;    /* union-find over vertices; a root is its set's least */
    uint32_t *table; /* vertex + 1, or 0 */
    size_t table_size;
} weld;

/* The part whose vertices hold that one: a binary search in `first`. */
static uint32_t weld_part_of(const weld *w, uint32_t vertex)
{
    uint32_t low = 0;
    uint32_t high = w->part_count;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (w->first[mid] <= vertex) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

static const float *weld_place_of(const weld *w, uint32_t part, uint32_t vertex)
{
    return w->meshes[w->parts[part].mesh].position +
           3 * (size_t)(vertex - w->first[part]);
}

static size_t hash_place(const float *p, uint32_t node)
{
    uint32_t bits[3];
    uint32_t hash = 2166136261u ^ node; /* only speed depends on it */
    memcpy(bits, p, sizeof bits);
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ bits[k]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash * (size_t)2654435761u;
}

/* Open addressing; the table is at most half full, so a search ends. Equal
 * places of one node meet in the first vertex that had them. */
static void weld_corners(weld *w)
{
    for (uint32_t p = 0; p < w->part_count; p++) {
        uint32_t count = w->meshes[w->parts[p].mesh].vertex_count;
        uint32_t node = w->parts[p].node;
        for (uint32_t v = w->first[p]; v < w->first[p] + count; v++) {
            const float *at = weld_place_of(w, p, v);
            size_t slot = hash_place(at, node) & (w->table_size - 1);
            for (; w->table[slot]; slot = (slot + 1) & (w->table_size - 1)) {
                uint32_t other = w->table[slot] - 1;
                uint32_t owner = weld_part_of(w, other);
                if (w->parts[owner].node == node &&
                    memcmp(weld_place_of(w, owner, other), at, 12) == 0) {
                    break;
                }
            }
            if (!w->table[slot]) {
                w->table[slot] = v + 1;
            }
            w->corner[v] = w->table[slot] - 1;
            w->up[v] = v;
        }
    }
}

/* Two passes: joining corners, then numbering the roots in the order of
 * triangles, which makes the numbers independent of the table. */
static uint32_t label_triangles(weld *w, uint32_t *label)
{
    /* the table is done with: now the number + 1 of each root */
    uint32_t *number = w->table;
    uint32_t at = 0, count = 0;
    memset(number, 0, w->table_size * sizeof *number);
    for (int pass = 0; pass < 2; pass++) {
        at = 0;
        for (uint32_t p = 0; p < w->part_count; p++) {
            const scene_mesh *mesh = &w->meshes[w->parts[p].mesh];
            for (uint32_t t = 0; t < mesh->triangle_count; t++, at++) {
                const uint32_t *i = mesh->index + 3 * (size_t)t;
                uint32_t a = w->corner[w->first[p] + i[0]];
                if (pass == 0) {
                    union_find_join(w->up, a, w->corner[w->first[p] + i[1]]);
                    union_find_join(w->up, a, w->corner[w->first[p] + i[2]]);
                    continue;
                }
                uint32_t root = union_find_root(w->up, a);
                if (!number[root]) {
                    number[root] = ++count;
                }
                label[at] = number[root] - 1;
            }
        }
    }
    return count;
}

/* Memory for that many vertices, and where each part's begin. False: no memory;
 * the caller frees in either case. */
static bool weld_allocate(weld *w, size_t vertices)
{
    while (w->table_size < 2 * vertices) {
        w->table_size *= 2;
    }
    w->first = malloc(((size_t)w->part_count + 1) * sizeof *w->first);
    w->corner = malloc((vertices + 1) * sizeof *w->corner);
    w->up = malloc((vertices + 1) * sizeof *w->up);
    w->table = calloc(w->table_size, sizeof *w->table);
    bool has_lists = w->first && w->corner && w->up;
    if (!has_lists || !w->table)
        return false;
    uint32_t at = 0;
    for (uint32_t p = 0; p < w->part_count; p++) {
        w->first[p] = at;
        at += w->meshes[w->parts[p].mesh].vertex_count;
    }
    return true;
}

/* Labels are of all triangles of the parts, one part after another; the caller
 * frees them. */
etna_code components_find(const scene_mesh *meshes,
                          const scene_part *parts,
                          uint32_t part_count,
                          uint32_t **ret_label,
                          uint32_t *ret_count,
                          etna_error *err)
{
    weld w = {.meshes = meshes,
              .parts = parts,
              .part_count = part_count,
              .table_size = 64};
    size_t vertices = 0, triangles = 0;
    for (uint32_t p = 0; p < part_count; p++) {
        vertices += meshes[parts[p].mesh].vertex_count;
        triangles += meshes[parts[p].mesh].triangle_count;
    }
    bool fits = vertices < SCENE_NONE / 2 && triangles <= SCENE_TRIANGLES_MAX;
    uint32_t *label = fits ? malloc((triangles + 1) * sizeof *label) : NULL;
    bool is_ready = label && weld_allocate(&w, vertices);
    if (is_ready) {
        weld_corners(&w);
        *ret_count = label_triangles(&w, label);
        *ret_label = label;
    } else {
        free(label);
    }
    free(w.first);
    free(w.corner);
    free(w.up);
    free(w.table);
    return is_ready ? ETNA_OK
                    : etna_fail(err, ETNA_E_NOMEM,
                                "no memory for the loose parts of %zu vertices",
                                vertices);
}
