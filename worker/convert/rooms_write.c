/* See rooms.h: floors as slabs, all else as boxes.
 *
 * Begin at rooms_write. A room of others is geometry without models: every
 * object becomes a box of its size with its own colour, so that pictures tell
 * things apart, every floor a slab cut into triangles ear by ear. Floors and
 * walls are static; names are those that rooms.c made. Metres, Y up, as the GLB
 * has it. */
#include "worker/convert/glb.h"
#include "worker/convert/rooms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double slab_thick = 0.1;

/* ---- triangles ---- */

typedef struct shape { /* corners, three a triangle, each with its normal */
    float *position, *normal;
    uint32_t *index;
    uint32_t count, room;
    bool failed;
} shape;

/* False: out of memory, which the shape keeps. */
static bool shape_reserve(shape *s, uint32_t corners)
{
    if (s->count + corners <= s->room)
        return true;
    uint32_t room = 2 * (s->count + corners);
    float *position = realloc(s->position, (size_t)room * 3 * sizeof *position);
    if (position)
        s->position = position;
    float *normal = realloc(s->normal, (size_t)room * 3 * sizeof *normal);
    if (normal)
        s->normal = normal;
    uint32_t *index = realloc(s->index, (size_t)room * sizeof *index);
    if (index)
        s->index = index;
    if (!position || !normal || !index)
        s->failed = true;
    else
        s->room = room;
    return !s->failed;
}

/* Also of an empty one. */
static void glb_shape_free(shape *s)
{
    free(s->position);
    free(s->normal);
    free(s->index);
}

/* Counter-clockwise as seen from where its front is. */
static void shape_triangle(shape *s,
                           const double a[3],
                           const double b[3],
                           const double c[3])
{
    double u[3], v[3], n[3];
    if (s->failed || !shape_reserve(s, 3))
        return;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] =
            u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0))
        return;
    const double *const corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            s->position[3 * s->count + (uint32_t)k] = (float)corners[i][k];
            s->normal[3 * s->count + (uint32_t)k] = (float)(n[k] / length);
        }
        s->index[s->count] = s->count;
        s->count++;
    }
}

/* Corners in order around it. */
static void shape_quad(shape *s,
                       const double a[3],
                       const double b[3],
                       const double c[3],
                       const double d[3])
{
    shape_triangle(s, a, b, c);
    shape_triangle(s, a, c, d);
}

/* About its middle. */
static void shape_box(shape *s, const double size[3])
{
    static const int sides[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                    {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    double corner[8][3];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++)
            corner[i][k] = (i >> k & 1 ? 0.5 : -0.5) * size[k];
    }
    for (int i = 0; i < 6; i++)
        shape_quad(s, corner[sides[i][0]], corner[sides[i][1]],
                   corner[sides[i][2]], corner[sides[i][3]]);
}

/* ---- floors ---- */

/* Positive where a, b, c turn to the left in x and -z, as seen from above. */
static double glb_turn_of(const double a[2],
                          const double b[2],
                          const double c[2])
{
    return (b[0] - a[0]) * (a[1] - c[1]) - (a[1] - b[1]) * (c[0] - a[0]);
}

/* No other corner lies within it. */
static bool ear_is_free(const rooms_floor *f,
                        const uint32_t *ring,
                        uint32_t count,
                        const uint32_t ear[3])
{
    const double *a = f->corner[ear[0]];
    const double *b = f->corner[ear[1]];
    const double *c = f->corner[ear[2]];
    if (!(glb_turn_of(a, b, c) > 0))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = f->corner[ring[i]];
        bool is_own =
            ring[i] == ear[0] || ring[i] == ear[1] || ring[i] == ear[2];
        if (is_own)
            continue;
        bool of_two = glb_turn_of(a, b, p) >= 0 && glb_turn_of(b, c, p) >= 0;
        if (of_two && glb_turn_of(c, a, p) >= 0)
            return false;
    }
    return true;
}

/* `down` metres below the floor. */
static void floor_point(const rooms_floor *f,
                        uint32_t i,
                        double down,
                        double to[3])
{
    to[0] = f->corner[i][0];
    to[1] = f->height - down;
    to[2] = f->corner[i][1];
}

/* Top and bottom. */
static void shape_ear(shape *s, const rooms_floor *f, const uint32_t ear[3])
{
    double top[3][3], foot[3][3];
    for (int k = 0; k < 3; k++) {
        floor_point(f, ear[k], 0, top[k]);
        floor_point(f, ear[k], slab_thick, foot[k]);
    }
    shape_triangle(s, top[0], top[1], top[2]);
    shape_triangle(s, foot[2], foot[1], foot[0]);
}

/* Cuts ears off until none is left; a ring that crosses itself keeps a hole. */
static void shape_lids(shape *s, const rooms_floor *f)
{
    uint32_t ring[ROOMS_CORNERS_MAX];
    uint32_t count = f->count;
    for (uint32_t i = 0; i < count; i++)
        ring[i] = i;
    for (uint32_t at = 0, tried = 0; count > 2 && tried < count; tried++) {
        at = (at + 1) % count;
        const uint32_t ear[3] = {ring[(at + count - 1) % count], ring[at],
                                 ring[(at + 1) % count]};
        if (!ear_is_free(f, ring, count, ear))
            continue;
        shape_ear(s, f, ear);
        memmove(&ring[at], &ring[at + 1], (count - at - 1) * sizeof *ring);
        count--;
        tried = 0;
    }
}

/* Lids, then its sides. */
static void shape_floor(shape *s, const rooms_floor *f)
{
    shape_lids(s, f);
    for (uint32_t i = 0; i < f->count; i++) {
        double top[2][3], foot[2][3];
        for (uint32_t k = 0; k < 2; k++) {
            floor_point(f, (i + k) % f->count, 0, top[k]);
            floor_point(f, (i + k) % f->count, slab_thick, foot[k]);
        }
        shape_quad(s, foot[0], foot[1], top[1], top[0]);
    }
}

/* ---- the file ---- */

/* The shape is copied. */
static uint32_t mesh_of(glb *g, const char *name, shape *s, uint32_t material)
{
    uint32_t mesh = glb_mesh(g, name);
    glb_primitive(g, mesh,
                  &(glb_triangles){.vertex_count = s->count,
                                   .triangle_count = s->count / 3,
                                   .position = s->position,
                                   .normal = s->normal,
                                   .index = s->index,
                                   .material = material});
    return mesh;
}

/* Things of one name look alike, others mostly not. */
static void glb_colour_of(const char *name, double ret[4])
{
    uint32_t hash = 2166136261u;
    for (; *name && (*name < '0' || *name > '9'); name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    for (int k = 0; k < 3; k++)
        ret[k] = 0.15 + 0.7 * (double)(hash >> 8 * k & 255) / 255;
    ret[3] = 1;
}

/* False: out of memory. */
static bool glb_floor_add(glb *g, const rooms *r, uint32_t i, uint32_t material)
{
    shape s = {.count = 0};
    char name[32];
    snprintf(name, sizeof name, i ? "floor %u" : "floor", (unsigned)i + 1);
    shape_floor(&s, &r->floors[i]);
    if (!s.failed && s.count) {
        uint32_t node =
            glb_node(g, GLB_NONE, name, NULL, mesh_of(g, name, &s, material));
        glb_tell(g, node, NULL, true);
    }
    glb_shape_free(&s);
    return !s.failed;
}

/* False: out of memory. */
static bool glb_box_add(glb *g, const rooms_box *box)
{
    shape s = {.count = 0};
    glb_material look = {.name = box->name, .picture = GLB_NONE};
    glb_colour_of(box->name, look.colour);
    shape_box(&s, box->size);
    if (!s.failed) {
        uint32_t mesh = mesh_of(g, box->name, &s, glb_add_material(g, &look));
        uint32_t node = glb_node(g, GLB_NONE, box->name, box->matrix, mesh);
        glb_tell(g, node, NULL, box->is_static);
    }
    glb_shape_free(&s);
    return !s.failed;
}

/* *ret_glb is the caller's to free. */
etna_code rooms_write(const rooms *r,
                      uint8_t **ret_glb,
                      size_t *ret_size,
                      etna_error *err)
{
    glb *g = glb_new();
    bool good = g != NULL;
    uint32_t ground = GLB_NONE;
    if (good)
        ground =
            glb_add_material(g, &(glb_material){.name = "floor",
                                                .colour = {0.6, 0.55, 0.5, 1},
                                                .picture = GLB_NONE});
    for (uint32_t i = 0; good && i < r->floor_count; i++)
        good = glb_floor_add(g, r, i, ground);
    for (uint32_t i = 0; good && i < r->box_count; i++)
        good = glb_box_add(g, &r->boxes[i]);
    etna_code code = good ? glb_finish(g, ret_glb, ret_size, err)
                          : etna_fail(err, ETNA_E_NOMEM,
                                      "out of memory for a scene of boxes");
    glb_free(g);
    return code;
}
