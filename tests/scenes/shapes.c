/* The generator's shapes (see shapes.h). */
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void *shapes_grow(void *old, size_t bytes)
{
    void *grown = realloc(old, bytes);
    if (!grown) {
        fprintf(stderr, "scene-generator: out of memory\n");
        exit(1);
    }
    return grown;
}

void shape_free(shape *s)
{
    free(s->position);
    free(s->normal);
    free(s->uv);
    free(s->index);
    memset(s, 0, sizeof *s);
}

void shapes_sincos(double radians, double *ret_sin, double *ret_cos)
{
    /* Taylor about 0 after an eighth of the angle, then three doublings: plain
     * arithmetic, 1e-14 is plenty here. */
    double x = radians / 8, s = 0, c = 0, term = 1;
    for (int i = 0; i < 24; i++) {
        double sign = (i / 2) % 2 ? -1 : 1;
        *(i % 2 ? &s : &c) += sign * term;
        term *= x / (i + 1);
    }
    for (int i = 0; i < 3; i++) {
        double twice = 2 * s * c;
        c = c * c - s * s;
        s = twice;
    }
    *ret_sin = s;
    *ret_cos = c;
}

frame frame_at(double x, double y, double z)
{
    return (frame){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {x, y, z}};
}

frame frame_turned(frame f, int axis, double degrees)
{
    double s, c;
    shapes_sincos(degrees * pi / 180, &s, &c);
    double *columns[3] = {f.x, f.y, f.z};
    double *a = columns[(axis + 1) % 3], *b = columns[(axis + 2) % 3];
    for (int i = 0; i < 3; i++) {
        double old = a[i];
        a[i] = c * old + s * b[i];
        b[i] = c * b[i] - s * old;
    }
    return f;
}

static void place(const frame *f,
                  const double p[3],
                  double weight,
                  double ret[3])
{
    for (int i = 0; i < 3; i++)
        ret[i] = f->x[i] * p[0] + f->y[i] * p[1] + f->z[i] * p[2] +
                 weight * f->origin[i];
}

static uint32_t add_vertex(shape *s,
                           const frame *f,
                           const double p[3],
                           const double n[3],
                           const double uv[2])
{
    if (s->vertex_count == s->vertex_room) {
        s->vertex_room = s->vertex_room ? 2 * s->vertex_room : 64;
        s->position =
            shapes_grow(s->position, s->vertex_room * 3 * sizeof *s->position);
        s->normal =
            shapes_grow(s->normal, s->vertex_room * 3 * sizeof *s->normal);
        s->uv = shapes_grow(s->uv, s->vertex_room * 2 * sizeof *s->uv);
    }
    double world[3], normal[3];
    place(f, p, 1, world);
    place(f, n, 0, normal);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] +
                         normal[2] * normal[2]);
    for (int i = 0; i < 3; i++) {
        s->position[3 * s->vertex_count + i] = (float)world[i];
        s->normal[3 * s->vertex_count + i] = (float)(normal[i] / length);
    }
    /* Each piece has its own part of the texture: no two boards of a table are
     * alike. */
    s->uv[2 * s->vertex_count] =
        (float)(uv[0] + 0.71 * f->origin[0] + 0.37 * f->origin[1] +
                0.53 * f->origin[2]);
    s->uv[2 * s->vertex_count + 1] =
        (float)(uv[1] + 0.29 * f->origin[0] + 0.83 * f->origin[1] +
                0.61 * f->origin[2]);
    return s->vertex_count++;
}

static void add_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->index_count + 3 > s->index_room) {
        s->index_room = s->index_room ? 2 * s->index_room : 96;
        s->index = shapes_grow(s->index, s->index_room * sizeof *s->index);
    }
    s->index[s->index_count++] = a;
    s->index[s->index_count++] = b;
    s->index[s->index_count++] = c;
}

/* The texture's place on a surface that looks mostly along an axis: the other
 * two, u along `grain` where that is one. */
static void flat_uv(const double p[3],
                    const double n[3],
                    int grain,
                    double ret[2])
{
    int away = 0;
    for (int i = 1; i < 3; i++)
        away = fabs(n[i]) > fabs(n[away]) + 1e-9 ? i : away;
    int u = (away + 1) % 3, v = (away + 2) % 3;
    ret[0] = p[v == grain ? v : u];
    ret[1] = p[v == grain ? u : v];
}

/* A flat convex polygon with its own vertices, turned so that it looks away
 * from `inside`. */
static void add_polygon(shape *s,
                        const frame *f,
                        const double (*p)[3],
                        int count,
                        const double inside[3],
                        int grain)
{
    double u[3], v[3], n[3], outward = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = p[1][i] - p[0][i];
        v[i] = p[2][i] - p[0][i];
    }
    for (int i = 0; i < 3; i++)
        n[i] =
            u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        outward += n[i] * (p[0][i] - inside[i]);
    int flip = outward < 0;
    for (int i = 0; i < 3; i++)
        n[i] = flip ? -n[i] : n[i];
    uint32_t first = s->vertex_count;
    for (int i = 0; i < count; i++) {
        double uv[2];
        flat_uv(p[i], n, grain, uv);
        add_vertex(s, f, p[i], n, uv);
    }
    for (uint32_t i = 1; i + 1 < (uint32_t)count; i++)
        add_triangle(s, first, first + (flip ? i + 1 : i),
                     first + (flip ? i : i + 1));
}

/* Corner `c` of a chamfered box (bits: x, y, z side), pulled onto face
 * `axis`. */
static void box_corner(
    int c, int axis, const double half[3], double chamfer, double ret[3])
{
    for (int i = 0; i < 3; i++) {
        double reach = half[i] - (i == axis ? 0 : chamfer);
        ret[i] = (c >> i) & 1 ? reach : -reach;
    }
    ret[1] += half[1];
}

void shape_box(shape *s,
               const frame *f,
               double width,
               double height,
               double depth,
               double chamfer)
{
    double half[3] = {width / 2, height / 2, depth / 2},
           inside[3] = {0, height / 2, 0}, p[4][3];
    int grain = width >= depth && width >= height ? 0 : depth >= height ? 2 : 1;
    for (int axis = 0; axis < 3; axis++) {
        int b = 1 << ((axis + 1) % 3), c = 1 << ((axis + 2) % 3);
        for (int side = 0; side < 2; side++) {
            int base = side << axis,
                corners[4] = {base, base | b, base | b | c, base | c};
            for (int i = 0; i < 4; i++)
                box_corner(corners[i], axis, half, chamfer, p[i]);
            add_polygon(s, f, p, 4, inside, grain);
        }
        if (!(chamfer > 0))
            continue;
        /* the four edges along this axis */
        for (int edge = 0; edge < 4; edge++) {
            int base = (edge & 1 ? b : 0) | (edge & 2 ? c : 0);
            box_corner(base, (axis + 1) % 3, half, chamfer, p[0]);
            box_corner(base, (axis + 2) % 3, half, chamfer, p[1]);
            box_corner(base | 1 << axis, (axis + 2) % 3, half, chamfer, p[2]);
            box_corner(base | 1 << axis, (axis + 1) % 3, half, chamfer, p[3]);
            add_polygon(s, f, p, 4, inside, grain);
        }
    }
    for (int corner = 0; corner < 8 && chamfer > 0; corner++) {
        for (int i = 0; i < 3; i++)
            box_corner(corner, i, half, chamfer, p[i]);
        add_polygon(s, f, p, 3, inside, grain);
    }
}

static void profile_normal(const double (*profile)[2],
                           int count,
                           int k,
                           double ret[2])
{
    ret[0] = ret[1] = 0;
    if (k < 0 || k + 1 >= count)
        return;
    double r = profile[k + 1][1] - profile[k][1],
           y = profile[k][0] - profile[k + 1][0], length = sqrt(r * r + y * y);
    ret[0] = r / length;
    ret[1] = y / length;
}

/* The lathe's surface between two angles; all the way round the first ring
 * comes again at the end, with the texture's other edge. */
static void add_turned(shape *s,
                       const frame *f,
                       const double (*profile)[2],
                       int count,
                       int segments,
                       double from,
                       double to)
{
    double widest = 0, along = 0;
    int whole = to - from > 359.999;
    for (int k = 0; k < count; k++)
        widest = profile[k][0] > widest ? profile[k][0] : widest;
    for (int k = 0; k + 1 < count; k++) {
        double run = profile[k + 1][0] - profile[k][0],
               rise = profile[k + 1][1] - profile[k][1];
        double length = sqrt(run * run + rise * rise), own[2], before[2],
               after[2], n[2][2];
        profile_normal(profile, count, k, own);
        profile_normal(profile, count, k - 1, before);
        profile_normal(profile, count, k + 1, after);
        for (int i = 0; i < 2;
             /* smooth with the neighbour unless the edge is sharper than 40
              * degrees */
             i++) {
            const double *other = i ? after : before;
            int smooth = own[0] * other[0] + own[1] * other[1] > 0.766;
            n[i][0] = own[0] + (smooth ? other[0] : 0);
            n[i][1] = own[1] + (smooth ? other[1] : 0);
        }
        uint32_t first = s->vertex_count;
        int flat = fabs(own[1]) > 0.9; /* a table's top has boards, not rings */
        for (int j = 0; j <= segments; j++) {
            double sine, cosine,
                turn =
                    from + (to - from) * (whole ? j % segments : j) / segments;
            shapes_sincos(turn * pi / 180, &sine, &cosine);
            for (int i = 0; i < 2; i++) {
                const double *at = profile[k + i];
                double p[3] = {at[0] * cosine, at[1], at[0] * sine},
                       normal[3] = {n[i][0] * cosine, n[i][1], n[i][0] * sine};
                double uv[2] = {flat ? p[0]
                                     : (to - from) * pi / 180 * widest * j /
                                           segments,
                                flat ? p[2] : along + i * length};
                add_vertex(s, f, p, normal, uv);
            }
        }
        for (uint32_t j = 0; j < (uint32_t)segments; j++) {
            uint32_t a = first + 2 * j, b = first + 2 * (j + 1);
            if (profile[k + 1][0] > 0)
                add_triangle(s, a, a + 1, b + 1);
            if (profile[k][0] > 0)
                add_triangle(s, a, b + 1, b);
        }
        along += length;
    }
}

void shape_lathe(shape *s,
                 const frame *f,
                 const double (*profile)[2],
                 int count,
                 int segments)
{
    add_turned(s, f, profile, count, segments, 0, 360);
}

void shape_sector(shape *s,
                  const frame *f,
                  const double (*profile)[2],
                  int count,
                  int segments,
                  double from,
                  double to)
{
    enum {
        most = 32
    };
    if (count < 4 || count > most)
        abort();
    add_turned(s, f, profile, count, segments, from, to);
    for (int end = 0; end < 2; end++) {
        double p[most][3], inside[3] = {0}, sine, cosine;
        shapes_sincos((end ? to : from) * pi / 180, &sine, &cosine);
        for (int k = 0; k + 1 < count; k++) {
            p[k][0] = profile[k][0] * cosine;
            p[k][1] = profile[k][1];
            p[k][2] = profile[k][0] * sine;
        }
        shapes_sincos((end ? to - 1 : from + 1) * pi / 180, &sine,
                      &cosine); /* a degree into the body */
        inside[0] = profile[0][0] * cosine;
        inside[1] = profile[0][1];
        inside[2] = profile[0][0] * sine;
        add_polygon(s, f, (const double(*)[3])p, count - 1, inside, 1);
    }
}

void shape_bar(shape *s,
               const frame *f,
               const double from[3],
               const double to[3],
               double from_radius,
               double to_radius)
{
    double d[3], length = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = to[i] - from[i];
        length += d[i] * d[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++)
        d[i] /= length;
    int away = fabs(d[0]) < 0.6 ? 0 : 2; /* an axis well off the bar's */
    double side[3] = {away == 0, 0, away == 2}, dot = d[away], norm = 0,
           local[3][3];
    for (int i = 0; i < 3; i++) {
        side[i] -= dot * d[i];
        norm += side[i] * side[i];
    }
    for (int i = 0; i < 3; i++)
        side[i] /= sqrt(norm);
    for (int i = 0; i < 3; i++) {
        local[0][i] = side[i];
        local[1][i] = d[i];
        local[2][i] = side[(i + 1) % 3] * d[(i + 2) % 3] -
                      side[(i + 2) % 3] * d[(i + 1) % 3];
    }
    frame bar;
    place(f, local[0], 0, bar.x);
    place(f, local[1], 0, bar.y);
    place(f, local[2], 0, bar.z);
    place(f, from, 1, bar.origin);
    const double profile[4][2] = {
        {0, 0}, {from_radius, 0}, {to_radius, length}, {0, length}};
    shape_lathe(s, &bar, profile, 4, 16);
}

/* Where a soft box has its points along one axis: over the fillets by angle,
 * between them evenly. */
static int soft_samples(double half, double radius, double ret[16])
{
    /* tan 45, 22.5, 0 degrees */
    static const double turn[3] = {1, 0.41421356237309503, 0};
    int count = 0;
    for (int i = 0; i < 3; i++)
        ret[count++] = -half + radius - radius * turn[i];
    for (int i = 1; i < 4; i++)
        ret[count++] = -half + radius + (half - radius) * i / 2;
    for (int i = 1; i < 3; i++)
        ret[count++] = half - radius + radius * turn[2 - i];
    return count;
}

/* A point of a box's surface pulled onto the rounded and swollen one, with its
 * normal. */
static void soften(const double half[3],
                   double radius,
                   double swell,
                   const double cube[3],
                   double p[3],
                   double n[3])
{
    double length = 0;
    for (int i = 0; i < 3; i++) {
        double inner = half[i] - radius, core = cube[i] < -inner  ? -inner
                                                : cube[i] > inner ? inner
                                                                  : cube[i];
        n[i] = cube[i] - core;
        p[i] = core;
        length += n[i] * n[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        n[i] /= length;
        p[i] += radius * n[i];
    }
    double u = p[0] / half[0], v = p[2] / half[2], a = 1 - u * u, b = 1 - v * v,
           rise = (p[1] + half[1]) / (2 * half[1]);
    p[1] += half[1] + swell * rise * a * b;
    n[0] += n[1] * 2 * swell * rise * u / half[0] * b;
    n[2] += n[1] * 2 * swell * rise * v / half[2] * a;
}

void shape_soft(shape *s,
                const frame *f,
                double width,
                double height,
                double depth,
                double radius,
                double swell)
{
    double half[3] = {width / 2, height / 2, depth / 2}, at[3][16];
    for (int i = 0; i < 3; i++)
        /* no empty triangles */
        radius = radius > 0.95 * half[i] ? 0.95 * half[i] : radius;
    int grain = width >= depth && width >= height ? 0
                : depth >= height                 ? 2
                                                  : 1,
        count = 0;
    for (int i = 0; i < 3; i++)
        count = soft_samples(half[i], radius, at[i]);
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
        uint32_t first = s->vertex_count;
        for (int i = 0; i < count * count; i++) {
            double cube[3], p[3], n[3], uv[2],
                flat[3] = {axis == 0, axis == 1, axis == 2};
            cube[axis] = face & 1 ? half[axis] : -half[axis];
            cube[b] = at[b][i / count];
            cube[c] = at[c][i % count];
            soften(half, radius, swell, cube, p, n);
            flat_uv(p, flat, grain, uv);
            add_vertex(s, f, p, n, uv);
        }
        for (uint32_t i = 0; i + 1 < (uint32_t)count; i++)
            for (uint32_t j = 0; j + 1 < (uint32_t)count; j++) {
                uint32_t q = first + i * (uint32_t)count + j,
                         over = q + (uint32_t)count;
                add_triangle(s, q, face & 1 ? over : over + 1,
                             face & 1 ? over + 1 : over);
                add_triangle(s, q, face & 1 ? over + 1 : q + 1,
                             face & 1 ? q + 1 : over + 1);
            }
    }
}

void shape_handle(shape *s,
                  const frame *f,
                  double ring_radius,
                  double bar_radius)
{
    enum {
        around = 12,
        along = 16
    };
    uint32_t first = s->vertex_count;
    for (int k = 0; k <= along; k++) {
        double sa, ca;
        shapes_sincos(pi * k / along, &sa, &ca); /* 0: +y, pi: -y, over +x */
        for (int j = 0; j < around; j++) {
            double sb, cb;
            shapes_sincos(2 * pi * j / around, &sb, &cb);
            double n[3] = {cb * sa, cb * ca, sb};
            double r = ring_radius + bar_radius * cb,
                   p[3] = {r * sa, r * ca, bar_radius * sb};
            double uv[2] = {ring_radius * pi * k / along,
                            2 * pi * bar_radius * j / around};
            add_vertex(s, f, p, n, uv);
        }
    }
    for (uint32_t k = 0; k < along; k++)
        for (uint32_t j = 0; j < around; j++) {
            uint32_t a = first + k * around + j,
                     b = first + k * around + (j + 1) % around;
            add_triangle(s, a, b, b + around);
            add_triangle(s, a, b + around, a + around);
        }
    /* caps, inside the body the handle is fixed to */
    for (int end = 0; end < 2; end++) {
        double p[around][3], inside[3] = {1e-3, 0, 0};
        for (int j = 0; j < around; j++) {
            double sb, cb;
            shapes_sincos(2 * pi * j / around, &sb, &cb);
            p[j][0] = 0;
            p[j][1] = (end ? -1 : 1) * (ring_radius + bar_radius * cb);
            p[j][2] = bar_radius * sb;
        }
        add_polygon(s, f, (const double(*)[3])p, around, inside, 1);
    }
}

void shape_leaf(
    shape *s, const frame *f, double length, double width, double thickness)
{
    const double tips[6][3] = {{0, 0, 0},
                               {0, length, 0},
                               {-width / 2, length * 0.45, 0},
                               {width / 2, length * 0.45, 0},
                               {0, length * 0.45, -thickness / 2},
                               {0, length * 0.45, thickness / 2}};
    double inside[3] = {0, length * 0.45, 0};
    for (int i = 0; i < 8; i++) {
        double p[3][3];
        memcpy(p[0], tips[i & 1], sizeof p[0]);
        memcpy(p[1], tips[2 + ((i >> 1) & 1)], sizeof p[1]);
        memcpy(p[2], tips[4 + ((i >> 2) & 1)], sizeof p[2]);
        add_polygon(s, f, (const double(*)[3])p, 3, inside, 1);
    }
}
