/* The staged scene, and where its things reach. */
#include "worker/cli/compose_stage.h"
#include "worker/gltf/bundle.h"

#include <stdlib.h>

void staged_free(staged *s)
{
    space_free(s->space);
    space_shared_free(s->shared);
    scene_free(s->scene);
    free(s->bundle);
    *s = (staged){.bundle = NULL};
}

/* Room parts come first, in the order of the nodes. */
static uint32_t room_parts(const compose_room *room)
{
    uint32_t n = 1 + room->ceiling;
    for (uint32_t i = 0; i < room->corner_count; i++)
        n += room->wall[i];
    return n;
}

/* A space over the composed file. The room's own parts come first, then the
 * objects in their order. */
etna_code staged_make(const compose_spec *spec,
                      const uint8_t *data,
                      size_t size,
                      staged *s,
                      etna_error *err)
{
    size_t bundle_size = 0;
    etna_code code =
        bundle_from_glb(data, size, NULL, &s->bundle, &bundle_size, err);
    if (code == ETNA_OK)
        code = scene_import(s->bundle, bundle_size, &s->scene, err);
    if (code == ETNA_OK)
        code = space_share(s->scene, &s->shared, err);
    if (code == ETNA_OK)
        code = space_new(s->shared, &s->space, err);
    if (code != ETNA_OK)
        return code;
    s->first = room_parts(&spec->room);
    if (s->scene->object_count == s->first + spec->object_count)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INTERNAL,
                     "the composed scene has %u objects where %u are expected",
                     s->scene->object_count, s->first + spec->object_count);
}

/* How far the object reaches along a way (glTF axes), metres from the file's
 * origin. */
double staged_reach(
    const staged *s, uint32_t object, double x, double y, double z)
{
    const scene *sc = s->scene;
    const scene_object *o = &sc->objects[s->first + object];
    vec3 way = v3(x, -z, y); /* world: Z up */
    double most = -INFINITY;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *m = &sc->meshes[sc->parts[p].mesh];
        for (uint32_t v = 0; v < m->vertex_count; v++) {
            double d = v3_dot(
                v3_add(scene_vertex(sc, &sc->parts[p], v), sc->recentre), way);
            if (d > most)
                most = d;
        }
    }
    return most;
}

etna_code staged_move(staged *s,
                      uint32_t object,
                      const double by[3],
                      etna_error *err)
{
    arrange_pose pose = scene_base_pose(&s->scene->objects[s->first + object]);
    pose.position[0] += by[0];
    pose.position[1] -= by[2];
    pose.position[2] += by[1];
    return space_move(s->space, s->first + object, &pose, err);
}

wall_frame compose_wall_frame(const compose_room *room, uint32_t edge)
{
    const double *a = room->corner[edge];
    const double *b = room->corner[(edge + 1) % room->corner_count];
    double dx = b[0] - a[0];
    double dz = b[1] - a[1];
    double length = sqrt(dx * dx + dz * dz);
    return (wall_frame){{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2},
                        {dx / length, dz / length},
                        {-dz / length, dx / length}};
}
