/* A body: what an object has of its own beside its vertices and its pose: its
 * centre of mass, and whether it is hollow. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

/* METHODS.md 6: of the volume when closed, else of the triangles' areas.
 * Relative to the box centre, so that nothing cancels far from the origin. In
 * file order, on the object's own vertices. */
static vec3 find_centre(const scene *s, const scene_object *o, bool closed)
{
    vec3 by_area = {0, 0, 0};
    vec3 by_volume = {0, 0, 0};
    vec3 about = o->box.centre;
    double area = 0, volume = 0, gross = 0;
    for (uint32_t i = o->first_part; i < o->first_part + o->part_count; i++) {
        const scene_part *part = &s->parts[i];
        const scene_mesh *m = &s->meshes[part->mesh];
        for (uint32_t k = 0; k < m->triangle_count; k++) {
            const uint32_t *t = m->index + 3 * (size_t)k;
            vec3 p =
                v3_sub(scene_vertex(s, part, t[part->flipped ? 2 : 0]), about);
            vec3 q = v3_sub(scene_vertex(s, part, t[1]), about);
            vec3 r =
                v3_sub(scene_vertex(s, part, t[part->flipped ? 0 : 2]), about);
            vec3 sum = v3_add(p, v3_add(q, r));
            vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
            double a = v3_length(n);
            double v = v3_dot(p, v3_cross(q, r));
            by_area = v3_add_scaled(by_area, sum, a / 3);
            by_volume = v3_add_scaled(by_volume, sum, v / 4);
            area += a;
            volume += v;
            gross += fabs(v);
        }
    }
    if (closed && fabs(volume) > 1e-3 * gross && fabs(volume) > 0)
        return v3_add_scaled(about, by_volume, 1 / volume);
    return area > 0 ? v3_add_scaled(about, by_area, 1 / area) : about;
}

void object_geometry_free(object_geometry *b)
{
    free(b);
}

etna_code object_geometry_build(const scene *s,
                                uint32_t object,
                                const shape *sh,
                                object_geometry **ret,
                                etna_error *err)
{
    object_geometry *b = calloc(1, sizeof *b);
    if (!b)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    b->closed = sh->closed;
    b->centre_of_mass = find_centre(s, &s->objects[object], sh->closed);
    atomic_init(&b->hollow, 0);
    *ret = b;
    return ETNA_OK;
}
