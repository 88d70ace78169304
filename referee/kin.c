/* See kin.h. */
#include "referee/kin.h"
#include "referee/body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct kinship {
    size_t things; /* of the start: nodes with a mesh */
    size_t lost;
    const char *lost_name; /* the first */
    double *times;         /* how many times as large each of the others is */
    size_t count;
} kinship;

static double extent_diagonal(const extent *box)
{
    point size = extent_size(box);
    return sqrt(point_dot(size, size));
}

/* Of both boxes' diagonals; a turn changes that of a thin thing by less than
 * what is told. False: out of memory. */
static bool kinship_compare(kinship *k,
                            const gltf_scene *start,
                            size_t a,
                            const gltf_scene *now,
                            size_t b)
{
    body first = {0}, second = {0};
    bool good = body_make(start, a, "", &first);
    if (good && body_is_there(now, b)) {
        good = body_make(now, b, "", &second);
        const double size = extent_diagonal(&first.box);
        if (good && size > 0)
            k->times[k->count++] = extent_diagonal(&second.box) / size;
    }
    body_free(&first);
    body_free(&second);
    return good;
}

static bool kinship_find(kinship *k,
                         const gltf_scene *start,
                         const gltf_scene *now)
{
    bool good = true;
    for (size_t n = 0; good && n < start->node_count; n++) {
        const gltf_node *node = &start->nodes[n];
        bool is_thing = node->root != SIZE_MAX && node->mesh != SIZE_MAX;
        bool several = false;
        if (!is_thing)
            continue;
        k->things++;
        size_t again = gltf_scene_find(now, node->name, &several);
        if (again != SIZE_MAX) {
            good = kinship_compare(k, start, n, now, again);
        } else if (!several) {
            if (!k->lost++)
                k->lost_name = node->name;
        }
    }
    return good;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void kinship_say(const kinship *k, char *says, size_t size)
{
    const double most = 1.5;
    if (2 * k->lost > k->things) {
        snprintf(
            says, size,
            "%zu of the scene's %zu things have no node of their name here, as \"%.80s\"; what asks for them fails",
            k->lost, k->things, k->lost_name);
        return;
    }
    if (!k->count)
        return;
    qsort(k->times, k->count, sizeof *k->times, order);
    const double middle = k->times[k->count / 2];
    if (middle > most || middle < 1 / most)
        snprintf(
            says, size,
            "things are %.3g times as large as in the scene; lengths of glTF are metres",
            middle);
}

bool kin_say(const gltf_scene *start,
             const gltf_scene *now,
             char *says,
             size_t size)
{
    kinship k = {.times = calloc(start->node_count + 1, sizeof *k.times)};
    says[0] = 0;
    bool good = k.times && kinship_find(&k, start, now);
    if (good)
        kinship_say(&k, says, size);
    free(k.times);
    return good;
}
