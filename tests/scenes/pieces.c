/* Bodies and small things that several scenes share (see pieces.h). */
#include "pieces.h"

#include "furniture.h"

#include <math.h>

void piece_cylinder(
    shape *s, const frame *f, double radius, double height, double chamfer)
{
    const double sharp[][2] = {
        {0, 0}, {radius, 0}, {radius, height}, {0, height}};
    const double cut[][2] = {{0, 0},
                             {radius - chamfer, 0},
                             {radius, chamfer},
                             {radius, height - chamfer},
                             {radius - chamfer, height},
                             {0, height}};
    int segments = radius < 0.012 ? 12 : radius < 0.05 ? 24 : 40;
    if (chamfer > 0)
        shape_lathe(s, f, cut, 6, segments);
    else
        shape_lathe(s, f, sharp, 4, segments);
}

void piece_ball(shape *s, const frame *f, double radius, double squash)
{
    enum {
        rings = 12
    };
    double profile[rings + 1][2];
    for (int i = 0; i <= rings; i++) {
        double sine, cosine;
        shapes_sincos(3.14159265358979323846 * i / rings, &sine, &cosine);
        profile[i][0] = i == 0 || i == rings ? 0 : radius * sine;
        profile[i][1] = -radius * squash * cosine;
    }
    shape_lathe(s, f, (const double(*)[2])profile, rings + 1, 24);
}

void piece_rod(shape *s,
               const double from[3],
               const double to[3],
               double radius)
{
    frame f = frame_at(from[0], from[1], from[2]);
    double length = 0, other[3] = {1, 0, 0}, dot = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        f.y[i] = to[i] - from[i];
        length += f.y[i] * f.y[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++)
        f.y[i] /= length;
    if (f.y[0] > 0.9 || f.y[0] < -0.9)
        other[0] = 0, other[2] = 1;
    for (int i = 0; i < 3; i++)
        dot += other[i] * f.y[i];
    for (int i = 0; i < 3; i++) {
        f.x[i] = other[i] - dot * f.y[i];
        size += f.x[i] * f.x[i];
    }
    size = sqrt(size);
    for (int i = 0; i < 3; i++)
        f.x[i] /= size;
    for (int i = 0; i < 3; i++)
        f.z[i] = f.x[(i + 1) % 3] * f.y[(i + 2) % 3] -
                 f.x[(i + 2) % 3] * f.y[(i + 1) % 3];
    piece_cylinder(s, &f, radius, length, 0);
}

void piece_room(glb *g, double width, double depth, int floor, int wall)
{
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, width, 0.05, depth, 0);
    furniture_one(g, "Floor", 0, -0.05 - FURNITURE_GAP, 0, 0, &s, floor);
    shape_box(&s, &f, width, 2.4, 0.1, 0);
    furniture_one(g, "Wall", 0, 0, 0.05 - depth / 2, 0, &s, wall);
}

void piece_plate(glb *g,
                 const char *name,
                 double x,
                 double y,
                 double z,
                 double radius,
                 int material)
{
    /* The rim rises by 22 degrees, over the 18 at which it would count as one
     * plane with the middle. */
    const double foot = 0.60 * radius, rise = 0.40 * (radius - foot),
                 thick = 0.0045;
    const double wall[][2] = {{0, 0},
                              {foot, 0},
                              {radius - 0.002, rise},
                              {radius, rise + 0.002},
                              {radius - 0.002, rise + thick},
                              {foot, thick},
                              {0, thick}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 7, 48);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, 0, &s, material);
}

void piece_bowl(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double radius,
                double height,
                int material)
{
    const double foot = 0.45 * radius,
                 wall[][2] = {{0, 0},
                              {foot, 0},
                              {foot, 0.08 * height},
                              {0.76 * radius, 0.30 * height},
                              {0.93 * radius, 0.62 * height},
                              {radius, height - 0.002},
                              {radius - 0.002, height},
                              {radius - 0.006, height - 0.001},
                              {0.88 * radius, 0.62 * height},
                              {0.66 * radius, 0.34 * height},
                              {0.42 * radius, 0.14 * height},
                              {0, 0.14 * height}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 12, 48);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, 0, &s, material);
}

void piece_tray(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double yaw,
                double width,
                double depth,
                int material)
{
    const double board = 0.008, rim = 0.028, bar = 0.012;
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, width, board, depth, 0);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(0, board, side * (depth - bar) / 2);
        shape_box(&s, &f, width, rim - board, bar, 0.002);
        f = frame_at(side * (width - bar) / 2, board, 0);
        shape_box(&s, &f, bar, rim - board, depth - 2 * bar, 0.002);
        for (int end = -1; end < 2; end += 2) {
            f = frame_at(side * (width - bar) / 2, rim - 0.001, end * 0.055);
            shape_box(&s, &f, bar, 0.026, bar, 0.002);
        }
        f = frame_at(side * (width - bar) / 2, rim + 0.024, 0);
        shape_box(&s, &f, bar, 0.012, 0.122, 0.003);
    }
    furniture_one(g, name, x, y + FURNITURE_GAP, z, yaw, &s, material);
}

void piece_jar(glb *g,
               const char *name,
               double x,
               double y,
               double z,
               double radius,
               double height,
               int fill,
               int lid)
{
    const double shoulder = 0.80 * height, neck = 0.86 * height;
    const double body[][2] = {{0, 0},
                              {radius - 0.004, 0},
                              {radius, 0.004},
                              {radius, shoulder},
                              {0.86 * radius, neck},
                              {0.86 * radius, neck + 0.004},
                              {0, neck + 0.004}};
    int glass = glb_material(g, "clear glass", 0.62, 0.72, 0.72),
        materials[3] = {fill, lid, glass};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, body, 7, 32);
    f = frame_at(0, neck + 0.002, 0);
    piece_cylinder(&s[1], &f, 0.94 * radius, height - neck - 0.002, 0.003);
    f = frame_at(0, 0.90 * shoulder, 0); /* the glass above what is in it */
    piece_cylinder(&s[2], &f, radius + 0.0006, 0.10 * shoulder, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 3);
}

void piece_jug(glb *g,
               const char *name,
               double x,
               double y,
               double z,
               double yaw,
               int material)
{
    static const double wall[][2] = {
        {0, 0},         {0.050, 0},     {0.056, 0.006}, {0.068, 0.060},
        {0.070, 0.095}, {0.062, 0.140}, {0.046, 0.178}, {0.046, 0.196},
        {0.056, 0.225}, {0.052, 0.225}, {0.041, 0.196}, {0.041, 0.178},
        {0.057, 0.138}, {0.065, 0.095}, {0.063, 0.060}, {0.050, 0.010},
        {0, 0.010}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 17, 40);
    f = frame_at(0.050, 0.140, 0);
    shape_handle(&s, &f, 0.050, 0.007);
    f = frame_turned(frame_at(-0.050, 0.200, 0), 2, 55); /* the lip */
    shape_box(&s, &f, 0.030, 0.028, 0.034, 0.012);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, yaw, &s, material);
}
