/* The shared furniture (see furniture.h): sizes as one finds them in a shop. */
#include "furniture.h"
#include "pieces.h"

void furniture_one(glb *g,
                   const char *name,
                   double x,
                   double y,
                   double z,
                   double yaw,
                   shape *s,
                   int material)
{
    glb_object(g, name, x, y, z, yaw, s, &material, 1);
}

void furniture_room(glb *g, double width, double depth)
{
    int floor = glb_textured(g, "grey tiles", 0.42, 0.39, 0.36, TEXTURE_TILES),
        wall =
            glb_textured(g, "cream plaster", 0.76, 0.73, 0.66, TEXTURE_PLASTER);
    piece_room(g, width, depth, floor, wall);
}

void furniture_table_at(glb *g,
                        const char *name,
                        double x,
                        double z,
                        double width,
                        double depth,
                        double height,
                        int wood)
{
    shape s = {0};
    frame f = frame_at(0, height - 0.035, 0);
    shape_box(&s, &f, width, 0.035, depth, 0.004);
    for (int i = 0; i < 4; i++) {
        f = frame_at((i & 1 ? 1 : -1) * (width / 2 - 0.06), 0,
                     (i & 2 ? 1 : -1) * (depth / 2 - 0.06));
        shape_box(&s, &f, 0.06, height - 0.03, 0.06, 0.003);
    }
    furniture_one(g, name, x, 0, z, 0, &s, wood);
}

void furniture_table(
    glb *g, const char *name, double width, double depth, double height)
{
    furniture_table_at(g, name, 0, 0, width, depth, height,
                       glb_textured(g, "oak", 0.58, 0.36, 0.19, TEXTURE_WOOD));
}

void furniture_chair(glb *g, const char *name, double x, double z, double yaw)
{
    int wood = glb_textured(g, "beech", 0.70, 0.48, 0.27, TEXTURE_WOOD),
        cloth = glb_textured(g, "seat cloth", 0.13, 0.27, 0.40, TEXTURE_CLOTH);
    int materials[2] = {wood, cloth};
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < 4; i++) { /* the hind legs carry the back */
        frame f = frame_at((i & 1 ? 1 : -1) * 0.19, 0, i & 2 ? 0.19 : -0.20);
        shape_box(&s[0], &f, 0.036, i & 2 ? 0.42 : 0.86, 0.036, 0.003);
    }
    frame f = frame_at(0, 0.405, 0);
    shape_box(&s[0], &f, 0.43, 0.025, 0.43, 0.004);
    f = frame_at(0, 0.43, 0.01);
    shape_box(&s[1], &f, 0.40, 0.035, 0.39, 0.010);
    for (int i = 0; i < 3; i++) {
        f = frame_at(0, 0.54 + 0.11 * i, -0.20);
        shape_box(&s[0], &f, 0.36, i == 2 ? 0.09 : 0.05, 0.020, 0.003);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_picture(glb *g, const char *name, double x, double y, double z)
{
    const double width = 0.64, height = 0.48, bar = 0.035;
    int wood = glb_material(g, "dark frame", 0.10, 0.05, 0.03),
        sky = glb_material(g, "painted sky", 0.35, 0.58, 0.80);
    int hill = glb_material(g, "painted hill", 0.10, 0.32, 0.08),
        sun = glb_material(g, "painted sun", 0.95, 0.55, 0.06);
    int materials[4] = {wood, sky, hill, sun};
    shape s[4] = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        int upright = i < 2, side = i & 1 ? 1 : -1;
        frame f = frame_at(upright ? side * (width - bar) / 2 : 0,
                           upright || side < 0 ? 0 : height - bar, 0.0125);
        shape_box(&s[0], &f, upright ? bar : width - 2 * bar,
                  upright ? height : bar, 0.025, 0.003);
    }
    frame f = frame_at(0, bar, 0.006);
    shape_box(&s[1], &f, width - 2 * bar, height - 2 * bar, 0.012, 0);
    f = frame_at(0, bar, 0.0125);
    shape_box(&s[2], &f, width - 2 * bar, 0.15, 0.002, 0);
    static const double disc[][2] = {
        {0, 0}, {0.04, 0}, {0.04, 0.002}, {0, 0.002}};
    f = frame_turned(frame_at(0.15, 0.34, 0.0125), 0, 90);
    shape_lathe(&s[3], &f, disc, 4, 32);
    glb_object(g, name, x, y, z + FURNITURE_GAP, 0, s, materials, 4);
}

void furniture_block(glb *g,
                     const char *name,
                     double x,
                     double y,
                     double z,
                     double yaw,
                     const double size[3],
                     int material)
{
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, size[0], size[1], size[2], 0.003);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, yaw, &s, material);
}

void furniture_bottle(
    glb *g, const char *name, double x, double y, double z, int material)
{
    static const double body[][2] = {
        {0, 0},          {0.034, 0},      {0.0365, 0.004},
        {0.0365, 0.135}, {0.034, 0.152},  {0.024, 0.178},
        {0.016, 0.198},  {0.0145, 0.226}, {0, 0.226}};
    static const double cap[][2] = {{0, 0.2255},
                                    {0.0165, 0.2255},
                                    {0.0165, 0.243},
                                    {0.0155, 0.245},
                                    {0, 0.245}};
    int dark = glb_material(g, "cap", 0.05, 0.05, 0.05),
        materials[2] = {material, dark};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, body, 9, 32);
    shape_lathe(&s[1], &f, cap, 5, 32);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

void furniture_mug(glb *g,
                   const char *name,
                   double x,
                   double y,
                   double z,
                   double yaw,
                   int material)
{
    static const double wall[][2] = {
        {0, 0},         {0.036, 0},      {0.040, 0.004}, {0.041, 0.095},
        {0.038, 0.095}, {0.0365, 0.008}, {0, 0.008}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 7, 32);
    f = frame_at(0.0385, 0.05, 0);
    shape_handle(&s, &f, 0.026, 0.005);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, yaw, &s, material);
}

void furniture_book(glb *g,
                    const char *name,
                    double x,
                    double y,
                    double z,
                    double yaw,
                    const double size[3],
                    int cover)
{
    int paper = glb_material(g, "paper", 0.80, 0.77, 0.66),
        materials[2] = {cover, paper};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, size[0], 0.003, size[2], 0.0008);
    f = frame_at(0, size[1] - 0.003, 0);
    shape_box(&s[0], &f, size[0], 0.003, size[2], 0.0008);
    f = frame_at(-size[0] / 2 + 0.0015, 0.0015, 0);
    shape_box(&s[0], &f, 0.003, size[1] - 0.003, size[2], 0.0008);
    f = frame_at(0, 0.002, 0);
    shape_box(&s[1], &f, size[0] - 0.012, size[1] - 0.004, size[2] - 0.012, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_phone(
    glb *g, const char *name, double x, double y, double z, double yaw)
{
    int shell = glb_material(g, "phone shell", 0.30, 0.32, 0.36),
        glass = glb_material(g, "phone glass", 0.015, 0.02, 0.035);
    int materials[2] = {shell, glass};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.076, 0.0085, 0.158, 0.0018);
    f = frame_at(0, 0.008, 0);
    shape_box(&s[1], &f, 0.068, 0.0008, 0.146, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, yaw, s, materials, 2);
}

void furniture_plant(glb *g, const char *name, double x, double y, double z)
{
    static const double pot[][2] = {
        {0, 0},         {0.048, 0},     {0.066, 0.105}, {0.071, 0.107},
        {0.071, 0.125}, {0.062, 0.125}, {0.060, 0.108}, {0, 0.108}};
    int clay = glb_material(g, "terracotta", 0.48, 0.17, 0.08),
        green = glb_material(g, "leaf", 0.06, 0.27, 0.05);
    int materials[2] = {clay, green};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, pot, 8, 32);
    for (int i = 0; i < 14; i++) {
        f = frame_turned(frame_at(0, 0.10, 0), 1,
                         137.5 * i - 360 * (int)(137.5 * i / 360));
        f = frame_turned(f, 2, 14 + 3.2 * i);
        shape_leaf(&s[1], &f, 0.25 - 0.008 * i, 0.052, 0.006);
    }
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

void furniture_pen(
    glb *g, const char *name, double x, double y, double z, double yaw)
{
    static const double barrel[][2] = {
        {0, 0},         {0.0015, 0.001}, {0.0045, 0.016}, {0.005, 0.018},
        {0.005, 0.138}, {0.004, 0.142},  {0, 0.142}};
    int ink = glb_material(g, "pen blue", 0.02, 0.05, 0.36);
    shape s = {0};
    frame f = frame_turned(frame_at(0, 0.005, 0.071), 0, -90);
    shape_lathe(&s, &f, barrel, 7, 16);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, yaw, &s, ink);
}

void furniture_lamp(glb *g, const char *name, double x, double y, double z)
{
    static const double foot[][2] = {
        {0, 0},         {0.085, 0},     {0.085, 0.012}, {0.078, 0.018},
        {0.012, 0.024}, {0.008, 0.034}, {0.008, 0.32},  {0, 0.32}};
    static const double shade[][2] = {{0.115, 0.27},
                                      {0.118, 0.27},
                                      {0.073, 0.43},
                                      {0.07, 0.43},
                                      {0.115, 0.27}};
    static const double bulb[][2] = {{0, 0.315},     {0.014, 0.318},
                                     {0.028, 0.345}, {0.026, 0.37},
                                     {0.014, 0.386}, {0, 0.39}};
    int brass = glb_material(g, "brass", 0.42, 0.28, 0.10),
        linen = glb_material(g, "linen", 0.75, 0.66, 0.48);
    int materials[2] = {brass, linen};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, foot, 8, 32);
    shape_lathe(&s[1], &f, shade, 5, 32);
    shape_lathe(&s[1], &f, bulb, 6, 16);
    /* carries the shade */
    frame bar = frame_turned(frame_at(-0.092, 0.35, 0), 2, -90);
    shape_box(&s[0], &bar, 0.005, 0.184, 0.005, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

void furniture_cup(
    glb *g, const char *name, double x, double y, double z, int material)
{
    static const double wall[][2] = {{0, 0},         {0.026, 0},
                                     {0.037, 0.07},  {0.035, 0.07},
                                     {0.024, 0.004}, {0, 0.004}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 6, 32);
    furniture_one(g, name, x, y + FURNITURE_GAP, z, 0, &s, material);
}
