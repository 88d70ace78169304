/* How much is kept of what can be made again, and in which order it goes. */
#include "worker/space/kept.h"
#include "worker/space/space.h"

#include <stdatomic.h>

#define BYTES_MOST ((size_t)4 << 30)

static atomic_size_t bytes_most = BYTES_MOST;

void space_bound_meshes(size_t bytes) { atomic_store(&bytes_most, bytes); }

/* About, of one triangle, vertex and object; measured, and rounded up. */
static const struct {
    double triangle, vertex, object;
} sizes[] = {[KEPT_RAYS] = {260, 12, 0}, [KEPT_SHAPES] = {24, 8, 6000}, [KEPT_PLANES] = {30, 4, 600}};

size_t kept_share(const scene *s, kept_purpose purpose)
{
    double triangles = 0, vertices = 0, whole[KEPT_STANDS], all = 0, most = (double)atomic_load(&bytes_most);
    if (purpose == KEPT_STANDS) return (size_t)(most / 8);
    for (uint32_t m = 0; m < s->mesh_count; m++) {
        triangles += s->meshes[m].triangle_count;
        vertices += s->meshes[m].vertex_count;
    }
    for (int k = 0; k < KEPT_STANDS; k++) {
        whole[k] =
            sizes[k].triangle * triangles + sizes[k].vertex * vertices + sizes[k].object * (s->object_count + 1.0);
        all += whole[k];
    }
    return (size_t)(most * (whole[purpose] / all));
}

/* ---- lists ---- */
static void unlink_idle(kept_list *list, kept_item *k)
{
    if (k->older)
        k->older->newer = k->newer;
    else
        list->oldest = k->newer;
    if (k->newer)
        k->newer->older = k->older;
    else
        list->newest = k->older;
    k->older = k->newer = NULL;
    list->idle -= k->bytes;
}

void kept_add(kept_list *list, kept_item *k)
{
    k->older = k->newer = NULL;
    k->users = 1;
    list->bytes += k->bytes;
}

void kept_take(kept_list *list, kept_item *k)
{
    if (k->users++ == 0) unlink_idle(list, k);
}

void kept_leave(kept_list *list, kept_item *k)
{
    if (--k->users > 0) return;
    k->older = list->newest;
    if (list->newest)
        list->newest->newer = k;
    else
        list->oldest = k;
    list->newest = k;
    list->idle += k->bytes;
}

void kept_grow(kept_list *list, kept_item *k, size_t bytes)
{
    k->bytes += bytes;
    list->bytes += bytes;
}

kept_item *kept_let_go(kept_list *list)
{
    kept_item *k = list->oldest;
    if (!k) return NULL;
    unlink_idle(list, k);
    list->bytes -= k->bytes;
    return k;
}
