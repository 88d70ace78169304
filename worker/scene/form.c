/* What a thing is by its mere form: where a file's names tell nothing
 * ("Object_17"), a ball and a block are still known by sight. Both are told
 * from the areas of at most some thousand triangles of the whole thing, taken
 * at even steps. */
#include "worker/scene/scene_internal.h"

#include <math.h>

enum {
    FORM_SAMPLES = 4096
};

typedef struct form_measure {
    const scene_box *box;
    vec3 right, front; /* the box's axes besides up */
    double area;       /* of all triangles that were looked at */
    double round;      /* of those that lie on the sphere in the box */
    /* of those that lie in a side of the box: low and high of each axis */
    double side[6];
} form_measure;

/* Where a point is within the box, -1 to 1 along each axis. */
static vec3 form_local(const form_measure *m, vec3 p)
{
    const vec3 from = v3_sub(p, m->box->centre);
    return v3(v3_dot(from, m->right) / m->box->half.x,
              v3_dot(from, m->front) / m->box->half.y, from.z / m->box->half.z);
}

/* Within 8 % of the inscribed ellipsoid, which lets coarse spheres pass. */
static bool form_is_round(const vec3 local[3])
{
    const double off = 0.08;
    for (int i = 0; i < 3; i++) {
        if (fabs(v3_length(local[i]) - 1) > off)
            return false;
    }
    return true;
}

/* The side of the box that all three points lie in; -1: none. */
static int form_side(const vec3 local[3])
{
    const double in = 0.94; /* rounded edges and all */
    for (int k = 0; k < 3; k++) {
        const double a = v3_get(local[0], k);
        const double b = v3_get(local[1], k);
        const double c = v3_get(local[2], k);
        if (a < -in && b < -in && c < -in)
            return 2 * k;
        if (a > in && b > in && c > in)
            return 2 * k + 1;
    }
    return -1;
}

static void form_look(form_measure *m, const vec3 corner[3])
{
    vec3 local[3];
    const double area = v3_length(v3_cross(v3_sub(corner[1], corner[0]),
                                           v3_sub(corner[2], corner[0]))) /
                        2;
    for (int i = 0; i < 3; i++)
        local[i] = form_local(m, corner[i]);
    const int side = form_side(local);
    m->area += area;
    if (form_is_round(local))
        m->round += area;
    if (side >= 0)
        m->side[side] += area;
}

static void form_measure_part(const scene *s,
                              const scene_part *part,
                              uint32_t step,
                              form_measure *m)
{
    const scene_mesh *mesh = &s->meshes[part->mesh];
    for (uint32_t t = 0; t < mesh->triangle_count; t += step) {
        vec3 corner[3];
        for (int i = 0; i < 3; i++)
            corner[i] = scene_vertex(s, part, mesh->index[3 * (size_t)t + i]);
        form_look(m, corner);
    }
}

static bool box_is_cubic(const scene_box *box, double apart)
{
    const double least = fmin(box->half.x, fmin(box->half.y, box->half.z));
    const double most = fmax(box->half.x, fmax(box->half.y, box->half.z));
    return most <= (1 + apart) * least;
}

/* No sheet: a book and a carpet are nobody's block. */
static bool box_is_thick(const scene_box *box)
{
    const double share = 0.2;
    const double least = fmin(box->half.x, fmin(box->half.y, box->half.z));
    const double most = fmax(box->half.x, fmax(box->half.y, box->half.z));
    return least >= share * most;
}

/* Of six sides five are whole, or nearly: one may be open. */
static bool form_has_sides(const form_measure *m)
{
    const double whole = 0.85;
    const vec3 h = m->box->half;
    const double full[3] = {4 * h.y * h.z, 4 * h.x * h.z, 4 * h.x * h.y};
    int sides = 0;
    for (int i = 0; i < 6; i++)
        sides += m->side[i] > whole * full[i / 2];
    return sides >= 5;
}

scene_form form_of(const scene *s, const scene_object *object)
{
    const double mostly = 0.9;
    const scene_box *box = &object->box;
    const bool has_volume =
        box->half.x > 0 && box->half.y > 0 && box->half.z > 0;
    if (!has_volume || object->triangle_count == 0)
        return SCENE_FORM_OTHER;
    double sine, cosine;
    math_sincos(box->yaw, &sine, &cosine);
    form_measure m = {
        .box = box, .right = {cosine, sine, 0}, .front = {sine, -cosine, 0}};
    const uint32_t step = object->triangle_count / FORM_SAMPLES + 1;
    for (uint32_t i = 0; i < object->part_count; i++)
        form_measure_part(s, &s->parts[object->first_part + i], step, &m);
    if (box_is_cubic(box, 0.1) && m.round >= mostly * m.area)
        return SCENE_FORM_BALL;
    for (int i = 0; i < 6; i++)
        m.side[i] *= step; /* of some triangles alone each stands for as many */
    return box_is_thick(box) && form_has_sides(&m) ? SCENE_FORM_BLOCK
                                                   : SCENE_FORM_OTHER;
}
