/* Triangles are halved until a piece is as small as a cell of a grid, or lies
 * outside the region. The cells of the first set are kept; the second set
 * touches it where a piece of it is in such a cell or beside one. */
#include "worker/scene/touch.h"
#include "proto/table.h"

#include <math.h>

#define CELL 0.01 /* metres */
/* A cell's key has so many bits an axis; so no region is longer than 20 km. */
enum {
    KEY_BITS = 21,
    HALVINGS_MAX = 40
};

typedef struct triangle {
    vec3 corner[3];
} triangle;

/* One pass over a set: it either keeps the cells, or looks for them. */
typedef struct toucher {
    table cells;
    const extent *region;
    uint64_t *left;
    bool is_looking;
    bool has_touched, has_no_memory;
} toucher;

/* Never 0, which the table may want for itself. */
static uint64_t cell_key(const uint32_t at[3])
{
    uint64_t key = 1;
    for (int k = 0; k < 3; k++)
        key = key << KEY_BITS | at[k];
    return key;
}

/* From 1 on, so that there is a cell beside the first one. False: the region is
 * longer than the grid. */
static bool cell_of(const toucher *t, vec3 p, uint32_t ret[3])
{
    for (int k = 0; k < 3; k++) {
        const double d = (v3_get(p, k) - v3_get(t->region->min, k)) / CELL;
        if (!(d >= 0 && d < (1 << KEY_BITS) - 3))
            return false;
        ret[k] = 1 + (uint32_t)d;
    }
    return true;
}

/* Is a cell kept, of the 27 around a place? */
static bool cells_have(const toucher *t, const uint32_t at[3])
{
    for (uint32_t n = 0; n < 27; n++) {
        const uint32_t beside[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1,
                                    at[2] + n / 9 - 1};
        if (table_get(&t->cells, cell_key(beside)))
            return true;
    }
    return false;
}

/* A piece as small as a cell. */
static void toucher_take(toucher *t, vec3 p)
{
    uint32_t at[3];
    if (!cell_of(t, p, at))
        return;
    if (t->is_looking) {
        t->has_touched = t->has_touched || cells_have(t, at);
    } else if (!table_get(&t->cells, cell_key(at)) &&
               !table_put(&t->cells, cell_key(at), t)) {
        t->has_no_memory = true;
    }
}

static bool triangle_is_outside(const triangle *f, const extent *region)
{
    const vec3 min = v3_min(f->corner[0], v3_min(f->corner[1], f->corner[2]));
    const vec3 max = v3_max(f->corner[0], v3_max(f->corner[1], f->corner[2]));
    const vec3 below = v3_sub(region->min, max);
    const vec3 above = v3_sub(min, region->max);
    const vec3 apart = v3_max(below, above);
    return apart.x > 0 || apart.y > 0 || apart.z > 0;
}

/* The corner across the longest side. */
static int triangle_apex(const triangle *f, double *ret_longest)
{
    int apex = 0;
    *ret_longest = -1;
    for (int k = 0; k < 3; k++) {
        const double side =
            v3_distance(f->corner[(k + 1) % 3], f->corner[(k + 2) % 3]);
        if (side > *ret_longest) {
            *ret_longest = side;
            apex = k;
        }
    }
    return apex;
}

/* Halved across its longest side; a stack holds the halves that wait, one a
 * halving. */
static void toucher_triangle(toucher *t, const triangle *whole)
{
    triangle stack[HALVINGS_MAX + 1];
    uint32_t depth = 0;
    stack[depth++] = *whole;
    while (depth && *t->left && !t->has_touched) {
        const triangle f = stack[--depth];
        double longest;
        const int apex = triangle_apex(&f, &longest);
        --*t->left;
        if (triangle_is_outside(&f, t->region))
            continue;
        const vec3 b = f.corner[(apex + 1) % 3];
        const vec3 c = f.corner[(apex + 2) % 3];
        const vec3 middle = v3_scale(v3_add(b, c), 0.5);
        if (longest <= CELL || depth + 2 > HALVINGS_MAX) {
            toucher_take(t, middle);
            continue;
        }
        stack[depth++] = (triangle){{f.corner[apex], b, middle}};
        stack[depth++] = (triangle){{f.corner[apex], middle, c}};
    }
}

static void toucher_walk(toucher *t, const touch_mesh *meshes, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++) {
        const scene_mesh *mesh = meshes[m].mesh;
        for (uint32_t i = 0; i < mesh->triangle_count && *t->left; i++) {
            triangle f;
            for (uint32_t k = 0; k < 3; k++) {
                const float *p =
                    mesh->position + 3 * (size_t)mesh->index[3 * i + k];
                f.corner[k] =
                    affine_point(&meshes[m].to_world,
                                 v3((double)p[0], (double)p[1], (double)p[2]));
            }
            toucher_triangle(t, &f);
        }
    }
}

bool meshes_touch(const touch_mesh *a,
                  uint32_t a_count,
                  const touch_mesh *b,
                  uint32_t b_count,
                  const extent *region,
                  uint64_t *left,
                  etna_code *ret_code)
{
    toucher t = {.region = region, .left = left};
    toucher_walk(&t, a, a_count);
    t.is_looking = true;
    toucher_walk(&t, b, b_count);
    table_free(&t.cells);
    if (t.has_no_memory)
        *ret_code = ETNA_E_NOMEM;
    return t.has_touched || !*left;
}
