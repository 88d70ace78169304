/* The furniture of a living room and a bedroom (see furniture.h): sizes as one
 * finds them in a shop, edges rounded, cushions soft, wood with its grain along
 * each board. */
#include "furniture.h"

#include <stddef.h>

static void box_at(shape *s,
                   double x,
                   double y,
                   double z,
                   double width,
                   double height,
                   double depth,
                   double chamfer)
{
    frame f = frame_at(x, y, z);
    shape_box(s, &f, width, height, depth, chamfer);
}

static void soft_at(shape *s,
                    double x,
                    double y,
                    double z,
                    double width,
                    double height,
                    double depth,
                    double radius,
                    double swell)
{
    frame f = frame_at(x, y, z);
    shape_soft(s, &f, width, height, depth, radius, swell);
}

static void bar_at(shape *s,
                   double x0,
                   double y0,
                   double z0,
                   double x1,
                   double y1,
                   double z1,
                   double r0,
                   double r1)
{
    frame f = frame_at(0, 0, 0);
    const double from[3] = {x0, y0, z0}, to[3] = {x1, y1, z1};
    shape_bar(s, &f, from, to, r0, r1);
}

void furniture_walls(glb *g,
                     double width,
                     double depth,
                     double height,
                     int walls,
                     int floor,
                     int wall)
{
    static const double thick = 0.1;
    static const char *const names[4] = {"Back Wall", "Left Wall", "Right Wall",
                                         "Front Wall"};
    const double places[4][4] = {
        {0, -(depth + thick) / 2, width + 2 * thick, thick},
        {-(width + thick) / 2, 0, thick, depth},
        {(width + thick) / 2, 0, thick, depth},
        {0, (depth + thick) / 2, width + 2 * thick, thick}};
    shape s = {0};
    box_at(&s, 0, 0, 0, width + 2 * thick, 0.05, depth + 2 * thick, 0);
    furniture_one(g, "Floor", 0, -0.05 - FURNITURE_GAP, 0, 0, &s, floor);
    for (int i = 0; i < 4; i++) {
        if (!(walls & 1 << i))
            continue;
        box_at(&s, 0, 0, 0, places[i][2], height, places[i][3], 0);
        furniture_one(g, names[i], places[i][0], 0, places[i][1], 0, &s, wall);
    }
    if (!(walls & FURNITURE_CEILING))
        return;
    box_at(&s, 0, 0, 0, width + 2 * thick, 0.05, depth + 2 * thick, 0);
    furniture_one(g, "Ceiling", 0, height + FURNITURE_GAP, 0, 0, &s, wall);
}

void furniture_fine_table(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double width,
                          double depth,
                          double height,
                          int top,
                          int legs)
{
    const double leg = 0.055, in = 0.05, thick = 0.03;
    int materials[2] = {top, legs};
    shape s[2] = {{0}, {0}};
    box_at(&s[0], 0, height - thick, 0, width, thick, depth, 0.004);
    for (int i = 0; i < 4; i++) {
        double side = i & 1 ? 1 : -1, end = i & 2 ? 1 : -1;
        box_at(&s[1], side * (width / 2 - in), 0, end * (depth / 2 - in), leg,
               height - thick + 0.001, leg, 0.003);
    }
    for (int i = 0; i < 2; i++) { /* the frame under the top */
        double side = i ? 1 : -1;
        box_at(&s[1], 0, height - thick - 0.069, side * (depth / 2 - in),
               width - 2 * in, 0.07, 0.02, 0.001);
        box_at(&s[1], side * (width / 2 - in), height - thick - 0.069, 0, 0.02,
               0.07, depth - 2 * in, 0.001);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_sofa(glb *g,
                    const char *name,
                    double x,
                    double z,
                    double yaw,
                    double width,
                    int cloth,
                    int legs)
{
    const double depth = 0.88, arm = 0.20, seat = width - 2 * arm;
    int materials[2] = {cloth, legs}, cushions = seat > 1.7 ? 3 : 2;
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < 4; i++) {
        double px = (i & 1 ? 1 : -1) * (width / 2 - 0.10),
               pz = (i & 2 ? 1 : -1) * (depth / 2 - 0.10);
        bar_at(&s[1], px, 0, pz, px, 0.125, pz, 0.018, 0.026);
    }
    soft_at(&s[0], 0, 0.12, 0, width - 0.02, 0.18, depth - 0.02, 0.03, 0);
    for (int i = 0; i < 2; i++)
        soft_at(&s[0], (i ? 1 : -1) * (width - arm) / 2, 0.14, 0, arm, 0.46,
                depth, 0.07, 0);
    soft_at(&s[0], 0, 0.14, -depth / 2 + 0.11, seat + 0.06, 0.64, 0.22, 0.08,
            0);
    for (int i = 0; i < cushions; i++) {
        double w = seat / cushions, at = -seat / 2 + w * (i + 0.5);
        soft_at(&s[0], at, 0.29, 0.08, w - 0.008, 0.14, depth - 0.20, 0.045,
                0.025);
        frame f = frame_turned(frame_at(at, 0.415, -depth / 2 + 0.275), 0, -12);
        shape_soft(&s[0], &f, w - 0.012, 0.40, 0.15, 0.06, 0.02);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_round_sofa(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double diameter,
                          int cloth,
                          int legs)
{
    const double r = diameter / 2;
    const double body[][2] = {{0, 0.10}, {r - 0.03, 0.10}, {r - 0.008, 0.112},
                              {r, 0.14}, {r, 0.29},        {0, 0.29}};
    const double q = r - 0.005,
                 cushion[][2] = {{0, 0.285},        {q - 0.05, 0.285},
                                 {q - 0.012, 0.30}, {q, 0.335},
                                 {q, 0.37},         {q - 0.012, 0.40},
                                 {q - 0.05, 0.415}, {q - 0.15, 0.428},
                                 {q - 0.30, 0.433}, {0, 0.434}};
    const double in = r - 0.17, out = r + 0.015, top = 0.70,
                 back[][2] = {{in, 0.20},
                              {out, 0.20},
                              {out, top - 0.06},
                              {out - 0.02, top - 0.018},
                              {out - 0.06, top},
                              {in + 0.05, top},
                              {in + 0.016, top - 0.018},
                              {in, top - 0.06},
                              {in, 0.20}};
    int materials[2] = {cloth, legs};
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < 4; i++) {
        double px = (i & 1 ? 1 : -1) * r * 0.58,
               pz = (i & 2 ? 1 : -1) * r * 0.58;
        bar_at(&s[1], px, 0, pz, px, 0.105, pz, 0.016, 0.024);
    }
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, body, 6, 48);
    shape_lathe(&s[0], &f, cushion, 10, 48);
    shape_sector(&s[0], &f, back, 9, 40, 165,
                 375 - 0); /* around -z; the angle runs from +x to +z */
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_shelf(glb *g,
                     const char *name,
                     double x,
                     double z,
                     double yaw,
                     const double size[3],
                     int columns,
                     int rows,
                     int wood,
                     int back)
{
    const double board = 0.025, w = size[0], h = size[1], d = size[2],
                 pitch = (h - board) / rows;
    int materials[2] = {wood, back};
    shape s[2] = {{0}, {0}};
    box_at(&s[1], 0, 0.005, -d / 2 + 0.006, w - 0.01, h - 0.01, 0.008, 0);
    for (int i = 0; i <= rows; i++) {
        int outer = i == 0 || i == rows;
        box_at(&s[0], 0, pitch * i, outer ? 0 : -0.004, w - (outer ? 0 : board),
               board, d - (outer ? 0 : 0.008), 0.002);
    }
    for (int i = 0; i <= columns; i++) {
        int outer = i == 0 || i == columns;
        double at = -(w - board) / 2 + (w - board) / columns * i;
        box_at(&s[0], at, outer ? 0.001 : board / 2, outer ? 0 : -0.004, board,
               h - (outer ? 0.002 : board), d - (outer ? 0.001 : 0.010), 0.002);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_cabinet(glb *g,
                       const char *name,
                       double x,
                       double z,
                       double yaw,
                       const double size[3],
                       int body,
                       int doors,
                       int metal)
{
    const double w = size[0], h = size[1], d = size[2], foot = 0.12,
                 door = (w - 0.044 - 0.010) / 2, low = foot + 0.02,
                 tall = h - foot - 0.055;
    int materials[3] = {body, doors, metal};
    shape s[3] = {{0}, {0}, {0}};
    box_at(&s[0], 0, h - 0.025, 0, w, 0.025, d, 0.004);
    box_at(&s[0], 0, foot, -0.01, w - 0.01, h - foot - 0.024, d - 0.02, 0.003);
    for (int i = 0; i < 4; i++) {
        double px = (i & 1 ? 1 : -1) * (w / 2 - 0.06),
               pz = (i & 2 ? 1 : -1) * (d / 2 - 0.06);
        bar_at(&s[0], px * 1.02, 0, pz * 1.03, px, foot + 0.01, pz, 0.014,
               0.022);
    }
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1, at = side * (door + 0.010) / 2;
        box_at(&s[1], at, low, d / 2 - 0.016, door, tall, 0.016, 0.002);
        for (int edge = 0; edge < 2; edge++) { /* a frame on the door */
            double up = edge ? low + tall - 0.06 : low;
            box_at(&s[1], at + (edge ? 1 : -1) * (door - 0.06) / 2, low,
                   d / 2 - 0.002, 0.06, tall, 0.012, 0.003);
            box_at(&s[1], at, up, d / 2 - 0.002, door - 0.118, 0.06, 0.012,
                   0.003);
        }
        frame f = frame_turned(
            frame_at(side * 0.038, foot + 0.55 * (h - foot), d / 2 + 0.002), 0,
            90);
        const double knob[][2] = {{0, 0},         {0.007, 0},
                                  {0.006, 0.012}, {0.013, 0.020},
                                  {0.011, 0.028}, {0, 0.030}};
        shape_lathe(&s[2], &f, knob, 6, 16);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 3);
}

void furniture_floor_lamp(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          int metal,
                          int shade,
                          int glow)
{
    static const double foot[][2] = {{0, 0},         {0.165, 0},
                                     {0.165, 0.018}, {0.155, 0.026},
                                     {0.03, 0.034},  {0, 0.034}};
    static const double hood[][2] = {
        {0.118, 0},     {0.122, 0},     {0.070, 0.155}, {0.028, 0.185},
        {0.024, 0.181}, {0.066, 0.152}, {0.118, 0}};
    static const double bulb[][2] = {
        {0, 0.03},     {0.022, 0.038}, {0.035, 0.065}, {0.030, 0.09},
        {0.018, 0.12}, {0.018, 0.175}, {0, 0.175}};
    int materials[3] = {metal, shade, glow};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, foot, 6, 48);
    bar_at(&s[0], 0, 0.03, -0.06, 0, 1.50, -0.06, 0.013, 0.011);
    bar_at(&s[0], 0, 1.495, -0.064, 0, 1.555, 0.145, 0.011, 0.009);
    bar_at(&s[0], 0, 1.555, 0.140, 0, 1.508, 0.165, 0.009, 0.009);
    /* its light falls forward */
    f = frame_turned(frame_at(0, 1.345, 0.225), 0, -20);
    shape_lathe(&s[1], &f, hood, 7, 40);
    frame cap = frame_turned(frame_at(0, 1.345, 0.225), 0, -20);
    static const double socket[][2] = {
        {0, 0.172}, {0.030, 0.172}, {0.030, 0.19}, {0.016, 0.20}, {0, 0.20}};
    shape_lathe(&s[0], &cap, socket, 5, 24);
    shape_lathe(&s[2], &f, bulb, 7, 20);
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 3);
}

void furniture_vase(
    glb *g, const char *name, double x, double y, double z, int glaze)
{
    static const double body[][2] = {
        {0, 0},        {0.045, 0},    {0.052, 0.006}, {0.075, 0.06},
        {0.078, 0.10}, {0.066, 0.15}, {0.042, 0.19},  {0.034, 0.215},
        {0.040, 0.24}, {0.036, 0.24}, {0.030, 0.214}, {0.030, 0.205},
        {0, 0.205}};
    static const double bud[][2] = {{0, -0.004},    {0.012, -0.002},
                                    {0.026, 0.016}, {0.030, 0.030},
                                    {0.018, 0.034}, {0, 0.026}};
    int stem = glb_material(g, "flower stems", 0.07, 0.24, 0.06),
        petal = glb_material(g, "petals", 0.78, 0.20, 0.26);
    int materials[3] = {glaze, stem, petal};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, body, 13, 40);
    for (int i = 0; i < 5; i++) {
        double sine, cosine, out = i == 0 ? 0.01 : 0.085,
                             tip = 0.45 - 0.022 * (i % 3);
        shapes_sincos(1.2566 * i + 0.4, &sine, &cosine);
        double px = out * cosine, pz = out * sine;
        bar_at(&s[1], px * 0.15, 0.20, pz * 0.15, px, tip, pz, 0.0028, 0.0024);
        f = frame_turned(frame_turned(frame_at(px, tip, pz), 0, 250 * pz), 2,
                         -250 * px);
        shape_lathe(&s[2], &f, bud, 6, 14);
        f = frame_turned(
            frame_turned(frame_at(px * 0.5, 0.32, pz * 0.5), 1, 72 * i), 2, 55);
        shape_leaf(&s[1], &f, 0.09, 0.026, 0.004);
    }
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 3);
}

void furniture_bowl(
    glb *g, const char *name, double x, double y, double z, int glaze)
{
    static const double wall[][2] = {
        {0, 0},         {0.050, 0},     {0.052, 0.008}, {0.080, 0.026},
        {0.105, 0.055}, {0.120, 0.090}, {0.116, 0.090}, {0.100, 0.058},
        {0.076, 0.032}, {0.040, 0.016}, {0, 0.013}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 11, 40);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, 0, &s, glaze);
}

void furniture_floor_plant(
    glb *g, const char *name, double x, double z, int pot)
{
    static const double wall[][2] = {
        {0, 0},        {0.115, 0},     {0.120, 0.006},
        {0.155, 0.28}, {0.160, 0.285}, {0.160, 0.31},
        {0.145, 0.31}, {0.140, 0.27},  {0, 0.27}};
    int stem = glb_material(g, "plant stems", 0.16, 0.22, 0.07),
        green = glb_material(g, "green leaves", 0.06, 0.27, 0.05);
    int materials[3] = {pot, stem, green};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, wall, 9, 40);
    for (int i = 0; i < 9;
         /* stems that lean outward, each with a large leaf that hangs over */
         i++) {
        double sine, cosine, turn = 2.399963 * i, lean = 0.03 + 0.017 * i,
                             tip = 0.86 - 0.045 * i;
        shapes_sincos(turn -
                          6.283185307179586 * (int)(turn / 6.283185307179586),
                      &sine, &cosine);
        bar_at(&s[1], 0.03 * cosine, 0.26, 0.03 * sine, lean * cosine, tip,
               lean * sine, 0.008, 0.004);
        double degrees = turn * 57.29577951308232;
        f = frame_turned(frame_at(lean * cosine, tip - 0.01, lean * sine), 1,
                         -(degrees - 360 * (int)(degrees / 360)));
        f = frame_turned(f, 2, -(18 + 5.5 * i));
        shape_leaf(&s[2], &f, 0.30 - 0.008 * i, 0.13, 0.008);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, 0, s, materials, 3);
}

void furniture_row_of_books(glb *g,
                            const char *name,
                            double x,
                            double y,
                            double z,
                            double yaw,
                            int count)
{
    static const struct {
        const char *name;
        double colour[3];
    } kinds[5] = {{"paper", {0.80, 0.77, 0.66}},
                  {"red cover", {0.42, 0.05, 0.04}},
                  {"green cover", {0.05, 0.20, 0.10}},
                  {"navy cover", {0.04, 0.08, 0.24}},
                  {"ochre cover", {0.60, 0.38, 0.08}}};
    int materials[5];
    for (int i = 0; i < 5; i++)
        materials[i] = glb_material(g, kinds[i].name, kinds[i].colour[0],
                                    kinds[i].colour[1], kinds[i].colour[2]);
    static const double thick[7] = {0.034, 0.026, 0.042, 0.030,
                                    0.022, 0.038, 0.029};
    static const double tall[7] = {0.235, 0.215, 0.255, 0.225,
                                   0.205, 0.245, 0.22};
    shape s[5] = {{0}, {0}, {0}, {0}, {0}};
    double width = 0, at;
    for (int i = 0; i < count; i++)
        width += thick[i % 7] + 0.0005;
    at = -width / 2;
    for (int i = 0; i < count; i++) {
        double t = thick[i % 7], h = tall[i % 7], d = 0.16 + 0.01 * (i % 3),
               from = at, front = 0.09;
        shape *cover = &s[1 + (i * 3 + i / 4) % 4];
        box_at(cover, from + 0.0015, 0, front - d / 2, 0.003, h, d, 0.0008);
        box_at(cover, from + t - 0.0015, 0, front - d / 2, 0.003, h, d, 0.0008);
        box_at(cover, from + t / 2, 0, front - 0.0015, t - 0.004, h, 0.003,
               0.0005);
        box_at(&s[0], from + t / 2, 0.003, front - d / 2 - 0.001, t - 0.005,
               h - 0.007, d - 0.004, 0);
        at += t + 0.0005;
    }
    glb_object(g, name, x, y + FURNITURE_GAP, z, yaw, s, materials, 5);
}

void furniture_bed(glb *g,
                   const char *name,
                   double x,
                   double z,
                   double yaw,
                   double width,
                   int frame_wood,
                   int blanket,
                   int linen)
{
    const double length = 2.08, w = width, head = -length / 2;
    int materials[3] = {frame_wood, blanket, linen};
    shape s[3] = {{0}, {0}, {0}};
    for (int i = 0; i < 4; i++)
        box_at(&s[0], (i & 1 ? 1 : -1) * (w / 2 - 0.05), 0,
               (i & 2 ? 1 : -1) * (length / 2 - 0.05), 0.06, 0.20, 0.06, 0.003);
    for (int i = 0; i < 2; i++)
        box_at(&s[0], (i ? 1 : -1) * (w / 2 - 0.015), 0.16, 0, 0.03, 0.16,
               length, 0.004);
    box_at(&s[0], 0, 0.16, length / 2 - 0.015, w - 0.058, 0.16, 0.03, 0.004);
    box_at(&s[0], 0, 0.20, 0, w - 0.05, 0.03, length - 0.05, 0.002);
    for (int i = 0; i < 2; i++)
        box_at(&s[0], (i ? 1 : -1) * (w / 2 - 0.025), 0.30, head + 0.02, 0.05,
               0.70, 0.04, 0.006);
    box_at(&s[0], 0, 0.44, head + 0.018, w - 0.098, 0.50, 0.026, 0.004);
    soft_at(&s[2], 0, 0.225, 0.015, w - 0.07, 0.22, length - 0.10, 0.05, 0);
    soft_at(&s[1], 0, 0.29, 0.28, w - 0.035, 0.185, length - 0.60, 0.04,
            0.012); /* hangs over the mattress's sides */
    /* the sheet turned back over it */
    box_at(&s[2], 0, 0.44, -0.40, w - 0.08, 0.045, 0.20, 0.012);
    for (int i = 0; i < 2; i++) {
        frame f = frame_turned(
            frame_at((i ? 1 : -1) * w / 4, 0.44, head + 0.30), 0, 10);
        shape_soft(&s[2], &f, w / 2 - 0.09, 0.11, 0.38, 0.05, 0.035);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 3);
}

void furniture_nightstand(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double width,
                          double height,
                          int wood,
                          int metal)
{
    const double d = 0.40, w = width, board = 0.02, middle = height * 0.55;
    int materials[2] = {wood, metal};
    shape s[2] = {{0}, {0}};
    box_at(&s[0], 0, height - board, 0, w, board, d, 0.003);
    for (int i = 0; i < 2; i++)
        box_at(&s[0], (i ? 1 : -1) * (w - board - 0.01) / 2, 0, 0, board,
               height - board, d - 0.02, 0.002);
    box_at(&s[0], 0, 0.06, 0, w - 2 * board, board, d - 0.03, 0.002);
    box_at(&s[0], 0, middle, 0, w - 2 * board, board, d - 0.03, 0.002);
    box_at(&s[0], 0, 0.07, -d / 2 + 0.02, w - 2 * board, height - 0.08, 0.01,
           0);
    box_at(&s[0], 0, middle + 0.006, d / 2 - 0.020, w - 2 * board - 0.016,
           height - middle - board - 0.012, 0.018, 0.002);
    static const double knob[][2] = {{0, 0},         {0.007, 0},
                                     {0.006, 0.012}, {0.013, 0.020},
                                     {0.011, 0.028}, {0, 0.030}};
    frame f =
        frame_turned(frame_at(0, (middle + height) / 2, d / 2 - 0.012), 0, 90);
    shape_lathe(&s[1], &f, knob, 6, 16);
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_door(glb *g,
                    const char *name,
                    double x,
                    double z,
                    double yaw,
                    int leaf,
                    int metal)
{
    const double w = 0.86, h = 2.02;
    int materials[2] = {leaf, metal};
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++)
        box_at(&s[0], (i ? 1 : -1) * (w / 2 + 0.035), 0, 0.02, 0.07, h + 0.07,
               0.04, 0.004);
    box_at(&s[0], 0, h, 0.02, w, 0.07, 0.04, 0.004);
    box_at(&s[0], 0, 0.005, 0.012, w, h - 0.006, 0.024, 0);
    for (int i = 0; i < 2; i++) /* two raised panels */
        box_at(&s[0], 0, i ? 1.08 : 0.14, 0.026, w - 0.28, i ? 0.78 : 0.76,
               0.016, 0.006);
    frame f = frame_turned(frame_at(w / 2 - 0.07, 1.02, 0.022), 0, 90);
    static const double rose[][2] = {{0, 0},         {0.024, 0},
                                     {0.024, 0.008}, {0.009, 0.010},
                                     {0.009, 0.045}, {0, 0.045}};
    shape_lathe(&s[1], &f, rose, 6, 24);
    bar_at(&s[1], w / 2 - 0.062, 1.02, 0.062, w / 2 - 0.19, 1.02, 0.062, 0.009,
           0.008);
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_window(glb *g,
                      const char *name,
                      double x,
                      double y,
                      double z,
                      double yaw,
                      double width,
                      double height,
                      int frame_paint)
{
    const double bar = 0.06;
    int sky = glb_glowing(g, "window glass", 0.55, 0.74, 0.92),
        materials[2] = {frame_paint, sky};
    shape s[2] = {{0}, {0}};
    for (int i = -1; i < 2; i++)
        box_at(&s[0], i * (width - bar) / 2, i ? 0 : bar, 0.025, bar,
               i ? height : height - 2 * bar, i ? 0.05 : 0.04, 0.004);
    for (int i = 0; i < 2; i++)
        box_at(&s[0], 0, i ? height - bar : 0, 0.025, width - 2 * bar + 0.002,
               bar, 0.05, 0.004);
    /* the sill */
    box_at(&s[0], 0, -0.035, 0.05, width + 0.10, 0.035, 0.10, 0.006);
    box_at(&s[1], 0, bar, 0.010, width - 2 * bar, height - 2 * bar, 0.008, 0);
    glb_object(g, name, x, y, z, yaw, s, materials, 2);
}
