/* Welded adjacency. Files repeat a vertex for every normal and texture seam, so faces that meet in space rarely share an
 * index; planes would stop at each seam. Vertices within 1e-5 of the mesh's diagonal are one; representatives are found in
 * file order through a hash of cells, so the result depends on nothing else. */
#include "worker/probe/own.h"

#include <stdlib.h>
#include <string.h>

#define WELD 1e-5
#define CELL_SIDE 4.0 /* cell side in weld radii: most vertices then need to look into one cell only */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static size_t table_size(size_t entries)
{
    size_t size = 16;
    while (size < entries * 2)
        size *= 2;
    return size;
}

void probe_adjacency_free(probe_adjacency *adjacency)
{
    if (!adjacency)
        return;
    free(adjacency->weld);
    free(adjacency->edge);
    free(adjacency->first);
    free(adjacency->faces);
    memset(adjacency, 0, sizeof *adjacency);
}

typedef struct weld_grid {
    const float *position;
    vec3 min;
    double radius, inverse; /* of the cell's side */
    uint32_t *head, *next;  /* buckets of representatives */
    size_t mask;
} weld_grid;

static size_t bucket(const weld_grid *grid, const int64_t cell[3])
{
    return mix((uint64_t)cell[0] * 73856093u ^ (uint64_t)cell[1] * 19349663u << 20 ^ (uint64_t)cell[2] * 83492791u << 40) & grid->mask;
}

static uint32_t weld_find(const weld_grid *grid, uint32_t vertex, const int64_t low[3], const int64_t high[3])
{
    const float *p = grid->position + 3 * (size_t)vertex;
    uint32_t best = SCENE_NONE;
    int64_t cell[3];
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
                for (uint32_t r = grid->head[bucket(grid, cell)]; r != SCENE_NONE; r = grid->next[r]) {
                    const float *q = grid->position + 3 * (size_t)r;
                    double dx = (double)p[0] - q[0], dy = (double)p[1] - q[1], dz = (double)p[2] - q[2];
                    if (dx * dx + dy * dy + dz * dz <= grid->radius * grid->radius && r < best)
                        best = r;
                }
    return best;
}

static void weld_all(weld_grid *grid, uint32_t count, uint32_t *weld)
{
    for (uint32_t i = 0; i < count; i++) {
        const float *p = grid->position + 3 * (size_t)i;
        weld[i] = i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            continue;
        double at[3] = {p[0] - grid->min.x, p[1] - grid->min.y, p[2] - grid->min.z};
        int64_t cell[3], low[3], high[3];
        for (int k = 0; k < 3; k++) {
            cell[k] = (int64_t)floor(at[k] * grid->inverse);
            low[k] = (int64_t)floor((at[k] - grid->radius) * grid->inverse);
            high[k] = (int64_t)floor((at[k] + grid->radius) * grid->inverse);
        }
        uint32_t found = weld_find(grid, i, low, high);
        if (found != SCENE_NONE) {
            weld[i] = found;
            continue;
        }
        size_t b = bucket(grid, cell);
        grid->next[i] = grid->head[b];
        grid->head[b] = i;
    }
}

static etna_code weld(const scene_mesh *mesh, uint32_t *ret_weld, etna_error *err)
{
    double diagonal = v3_distance(mesh->min, mesh->max);
    weld_grid grid = {.position = mesh->position, .min = mesh->min, .radius = WELD * diagonal};
    if (!(diagonal > 0) || !isfinite(diagonal)) {
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            ret_weld[i] = diagonal > 0 ? i : 0;
        return ETNA_OK;
    }
    grid.inverse = 1 / (CELL_SIDE * grid.radius);
    size_t size = table_size(mesh->vertex_count);
    grid.mask = size - 1;
    grid.head = malloc(size * sizeof *grid.head);
    grid.next = malloc((mesh->vertex_count + (size_t)1) * sizeof *grid.next);
    if (!grid.head || !grid.next) {
        free(grid.head);
        free(grid.next);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to weld a mesh of %u vertices", mesh->vertex_count);
    }
    memset(grid.head, 0xff, size * sizeof *grid.head);
    weld_all(&grid, mesh->vertex_count, ret_weld);
    free(grid.head);
    free(grid.next);
    return ETNA_OK;
}

/* Numbers the edges in the order in which triangles first name them. */
static void number_edges(const scene_mesh *mesh, probe_adjacency *a, uint64_t *keys, uint32_t *ids, size_t mask)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            size_t slot = 3 * (size_t)t + (size_t)k;
            uint32_t p = a->weld[mesh->index[slot]], q = a->weld[mesh->index[3 * (size_t)t + (size_t)((k + 1) % 3)]];
            a->edge[slot] = SCENE_NONE;
            if (p == q)
                continue;
            uint64_t key = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p; /* never 0: q > p */
            size_t at = mix(key) & mask;
            while (keys[at] != 0 && keys[at] != key)
                at = (at + 1) & mask;
            if (keys[at] == 0) {
                keys[at] = key;
                ids[at] = a->edge_count++;
            }
            a->edge[slot] = ids[at];
        }
}

static bool list_faces(const scene_mesh *mesh, probe_adjacency *a)
{
    size_t sides = 3 * (size_t)mesh->triangle_count;
    a->first = calloc((size_t)a->edge_count + 2, sizeof *a->first);
    a->faces = malloc((sides + 1) * sizeof *a->faces);
    if (!a->first || !a->faces)
        return false;
    for (size_t i = 0; i < sides; i++) /* counts, one place further on, so that filling leaves starts */
        if (a->edge[i] != SCENE_NONE)
            a->first[a->edge[i] + 2]++;
    for (size_t e = 2; e < (size_t)a->edge_count + 2; e++)
        a->first[e] += a->first[e - 1];
    for (size_t i = 0; i < sides; i++)
        if (a->edge[i] != SCENE_NONE)
            a->faces[a->first[a->edge[i] + 1]++] = (uint32_t)(i / 3);
    return true;
}

etna_code probe_adjacency_make(const scene_mesh *mesh, probe_adjacency *ret, etna_error *err)
{
    probe_adjacency a = {0};
    size_t sides = 3 * (size_t)mesh->triangle_count, size = table_size(sides);
    uint64_t *keys = calloc(size, sizeof *keys);
    uint32_t *ids = malloc(size * sizeof *ids);
    a.weld = malloc(((size_t)mesh->vertex_count + 1) * sizeof *a.weld);
    a.edge = malloc((sides + 1) * sizeof *a.edge);
    etna_code code = ETNA_OK;
    if (!keys || !ids || !a.weld || !a.edge)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for the adjacency of a mesh of %u triangles", mesh->triangle_count);
    if (code == ETNA_OK)
        code = weld(mesh, a.weld, err);
    if (code == ETNA_OK) {
        number_edges(mesh, &a, keys, ids, size - 1);
        if (!list_faces(mesh, &a))
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for the adjacency of a mesh of %u triangles", mesh->triangle_count);
    }
    free(keys);
    free(ids);
    if (code != ETNA_OK) {
        probe_adjacency_free(&a);
        return code;
    }
    *ret = a;
    return ETNA_OK;
}
