/* Welded adjacency. Files repeat a vertex for every normal and texture seam, so
 * faces that meet in space rarely share an index; planes would stop at each
 * seam. Vertices within 1e-5 of the mesh's diagonal are one; representatives
 * are found in file order through a hash of cells, so the result depends on
 * nothing else. The sides of triangles then go into buckets by their lower
 * vertex, where those of one edge lie together. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

#define WELD 1e-5
/* Cell side in weld radii: the wider, the more vertices need to look into one
 * cell only; where that crowds the cells, narrower ones. What is found is the
 * same. */
#define CELL_WIDE 16.0
#define CELL_NARROW 4.0
#define REACH \
    (1 + 1e-9) /* of the radius: rounding loses nobody at a cell's border */
#define LOOKS_PER_VERTEX 8 /* at others, before the cells count as crowded */
#define SORT_SMALL 32

void probe_adjacency_free(probe_adjacency *adjacency)
{
    if (!adjacency)
        return;
    free(adjacency->weld);
    free(adjacency->next);
    probe_patches_free(adjacency);
    memset(adjacency, 0, sizeof *adjacency);
}

/* ---- welding ---- */
typedef struct weld_grid {
    const float *position;
    vec3 min;
    double radius, inverse; /* of the cell's side */
    uint32_t *head, *next;  /* buckets of representatives */
    size_t mask;
    uint64_t looks;
} weld_grid;

/* Cells that follow each other along x are neighbours in the table, as vertices
 * often are in a file. */
static size_t adjacency_row_of(int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)y * 0x9e3779b97f4a7c15ULL +
                 (uint64_t)z * 0xc2b2ae3d27d4eb4fULL;
    h = (h ^ h >> 32) * 0xff51afd7ed558ccdULL;
    return (size_t)(h >> 24);
}

/* The representative of this vertex: of all those entered within the radius the
 * one with the lowest number, so that the answer does not depend on the order
 * of the buckets. `low` and `high` are the cells of the box of the radius round
 * it. SCENE_NONE when it stands alone, and then it becomes a representative
 * itself. */
static uint32_t weld_find(weld_grid *grid,
                          uint32_t vertex,
                          const int64_t low[3],
                          const int64_t high[3])
{
    const float *p = grid->position + 3 * (size_t)vertex;
    uint32_t best = SCENE_NONE;
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++) {
            size_t row = adjacency_row_of(y, z);
            for (int64_t x = low[0]; x <= high[0]; x++)
                for (uint32_t r = grid->head[(row + (size_t)x) & grid->mask];
                     r != SCENE_NONE; r = grid->next[r]) {
                    const float *q = grid->position + 3 * (size_t)r;
                    double dx = (double)p[0] - q[0];
                    double dy = (double)p[1] - q[1];
                    double dz = (double)p[2] - q[2];
                    if (dx * dx + dy * dy + dz * dz <=
                            grid->radius * grid->radius &&
                        r < best)
                        best = r;
                    grid->looks++;
                }
        }
    return best;
}

/* False when more than `looks_max` looks were needed. Numbers are cut, not
 * rounded down, on the way to a cell: that too keeps their order, and nothing
 * lies below the box. */
static bool weld_all(weld_grid *grid,
                     uint32_t count,
                     uint64_t looks_max,
                     uint32_t *weld)
{
    double reach = grid->radius * REACH;
    for (uint32_t i = 0; i < count; i++) {
        const float *p = grid->position + 3 * (size_t)i;
        weld[i] = i;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            continue;
        double at[3] = {p[0] - grid->min.x, p[1] - grid->min.y,
                        p[2] - grid->min.z};
        int64_t low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = (int64_t)((at[k] - reach) * grid->inverse);
            high[k] = (int64_t)((at[k] + reach) * grid->inverse);
        }
        uint32_t found = weld_find(grid, i, low, high);
        if (found != SCENE_NONE) {
            weld[i] = found;
            continue;
        }
        size_t b = (adjacency_row_of((int64_t)(at[1] * grid->inverse),
                                     (int64_t)(at[2] * grid->inverse)) +
                    (size_t)(at[0] * grid->inverse)) &
                   grid->mask;
        grid->next[i] = grid->head[b];
        grid->head[b] = i;
        if (grid->looks > looks_max)
            return false;
    }
    return true;
}

/* ret_weld maps each vertex to its representative. A mesh without extent, or
 * with an infinite one, is not welded by distance: all its vertices are one, or
 * none are. */
static etna_code adjacency_weld(const scene_mesh *mesh,
                                uint32_t *ret_weld,
                                etna_error *err)
{
    double diagonal = v3_distance(mesh->min, mesh->max);
    weld_grid grid = {.position = mesh->position,
                      .min = mesh->min,
                      .radius = WELD * diagonal};
    if (!(diagonal > 0) || !isfinite(diagonal)) {
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            ret_weld[i] = diagonal > 0 ? i : 0;
        return ETNA_OK;
    }
    size_t size = 16;
    while (size < mesh->vertex_count)
        size *= 2;
    grid.mask = size - 1;
    grid.head = malloc(size * sizeof *grid.head);
    grid.next = malloc((mesh->vertex_count + (size_t)1) * sizeof *grid.next);
    if (!grid.head || !grid.next) {
        free(grid.head);
        free(grid.next);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory to weld a mesh of %u vertices",
                         mesh->vertex_count);
    }
    memset(grid.head, 0xff, size * sizeof *grid.head);
    /* Wide cells are tried first. A dense scan crowds them, and the looks would
     * grow with the square; then the same is done again in narrow ones. */
    grid.inverse = 1 / (CELL_WIDE * grid.radius);
    if (!weld_all(&grid, mesh->vertex_count,
                  LOOKS_PER_VERTEX * (uint64_t)mesh->vertex_count, ret_weld)) {
        memset(grid.head, 0xff, size * sizeof *grid.head);
        grid.inverse = 1 / (CELL_NARROW * grid.radius);
        (void)weld_all(&grid, mesh->vertex_count, UINT64_MAX, ret_weld);
    }
    free(grid.head);
    free(grid.next);
    return ETNA_OK;
}

/* ---- edges ---- */
typedef struct bucket_side { /* in the bucket of its lower vertex */
    uint32_t high, side;
} bucket_side;

/* For qsort of large buckets. The second key makes the order total, so that
 * qsort's own choices do not show. */
static int by_high_then_side(const void *a, const void *b)
{
    const bucket_side *p = a, *q = b;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->side > q->side) - (p->side < q->side);
}

/* They come by side, and those with one upper vertex stay so. */
static void sort_bucket(bucket_side *sides, uint32_t count)
{
    if (count > SORT_SMALL) {
        qsort(sides, count, sizeof *sides, by_high_then_side);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        bucket_side moved = sides[i];
        uint32_t at = i;
        for (; at > 0 && sides[at - 1].high > moved.high; at--)
            sides[at] = sides[at - 1];
        sides[at] = moved;
    }
}

/* Makes a ring of the sides of each edge in the bucket. */
static void link_bucket(probe_adjacency *a, bucket_side *sides, uint32_t count)
{
    sort_bucket(sides, count);
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && sides[to].high == sides[from].high;
             to++)
            a->next[sides[to - 1].side] = sides[to].side;
        a->next[sides[to - 1].side] = sides[from].side;
        a->edge_count++;
    }
}

/* Sorts all sides of triangles into buckets by their lower vertex (a counting
 * sort in two passes), then closes each bucket's edges to rings. A side whose
 * ends were welded into one has no neighbour. */
static etna_code link_sides(const scene_mesh *mesh,
                            probe_adjacency *a,
                            etna_error *err)
{
    size_t vertices = mesh->vertex_count;
    size_t sides = 3 * (size_t)mesh->triangle_count;
    uint32_t *first = calloc(vertices + 2, sizeof *first);
    bucket_side *bucket = malloc((sides + 1) * sizeof *bucket);
    if (!first || !bucket) {
        free(first);
        free(bucket);
        return etna_fail(
            err, ETNA_E_NOMEM,
            "no memory for the adjacency of a mesh of %u triangles",
            mesh->triangle_count);
    }
    /* counts, one place further on, so that filling leaves starts */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *index = mesh->index + 3 * (size_t)t;
            const uint32_t corner[4] = {a->weld[index[0]], a->weld[index[1]],
                                        a->weld[index[2]], a->weld[index[0]]};
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t p = corner[k];
                uint32_t q = corner[k + 1];
                uint32_t low = p < q ? p : q;
                if (p == q)
                    a->next[3 * (size_t)t + k] = SCENE_NONE;
                else if (pass == 0)
                    first[(size_t)low + 2]++;
                else
                    bucket[first[(size_t)low + 1]++] =
                        (bucket_side){p < q ? q : p, 3 * t + k};
            }
        }
        for (size_t v = 2; pass == 0 && v < vertices + 2; v++)
            first[v] += first[v - 1];
    }
    for (size_t v = 0; v < vertices; v++)
        if (first[v + 1] > first[v])
            link_bucket(a, bucket + first[v], first[v + 1] - first[v]);
    free(first);
    free(bucket);
    return ETNA_OK;
}

/* Welding, then edges, then patches: each needs the one before. On failure
 * nothing is left to free. */
etna_code probe_adjacency_make(const scene_mesh *mesh,
                               probe_adjacency *ret,
                               etna_error *err)
{
    probe_adjacency a = {0};
    a.weld = malloc(((size_t)mesh->vertex_count + 1) * sizeof *a.weld);
    a.next = malloc((3 * (size_t)mesh->triangle_count + 1) * sizeof *a.next);
    etna_code code = ETNA_OK;
    if (!a.weld || !a.next)
        code =
            etna_fail(err, ETNA_E_NOMEM,
                      "no memory for the adjacency of a mesh of %u triangles",
                      mesh->triangle_count);
    if (code == ETNA_OK)
        code = adjacency_weld(mesh, a.weld, err);
    if (code == ETNA_OK)
        code = link_sides(mesh, &a, err);
    if (code == ETNA_OK)
        code = probe_patches_make(mesh, &a, err);
    if (code != ETNA_OK) {
        probe_adjacency_free(&a);
        return code;
    }
    *ret = a;
    return ETNA_OK;
}
