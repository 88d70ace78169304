/* How much memory each kind of what is made of meshes may take. */
#include "worker/space/budget.h"
#include "worker/space/space.h"

#include <stdatomic.h>

#define BYTES_MOST ((size_t)4 << 30)

static atomic_size_t bytes_most = BYTES_MOST;

/* For scenes that are shared from now on. */
void space_bound_meshes(size_t bytes)
{
    atomic_store(&bytes_most, bytes);
}

/* About, of one triangle, vertex and object; measured, and rounded up. */
static const struct {
    double triangle, vertex, object;
} sizes[] = {[BUDGET_RAYS] = {260, 12, 0},
             [BUDGET_SHAPES] = {24, 8, 6000},
             [BUDGET_PLANES] = {30, 4, 600}};

/* Each purpose gets the share of what it would take if all were there, so that
 * none starves another. Posed meshes have an eighth on top. */
size_t budget_share(const scene *s, budget_purpose purpose)
{
    double most = (double)atomic_load(&bytes_most);
    double triangles = 0, vertices = 0;
    double whole[BUDGET_STANDS], all = 0;
    if (purpose == BUDGET_STANDS)
        return (size_t)(most / 8);
    for (uint32_t m = 0; m < s->mesh_count; m++) {
        triangles += s->meshes[m].triangle_count;
        vertices += s->meshes[m].vertex_count;
    }
    for (int k = 0; k < BUDGET_STANDS; k++) {
        whole[k] = sizes[k].triangle * triangles + sizes[k].vertex * vertices +
                   sizes[k].object * (s->object_count + 1.0);
        all += whole[k];
    }
    return (size_t)(most * (whole[purpose] / all));
}
