/* The cluttered shelf: many small things, some of the same kind (README.md). */
#include "furniture.h"
#include "pieces.h"
#include "scenes.h"

enum {
    BOARDS = 4
};
static const double board_thick = 0.025, shelf_width = 1.90, shelf_depth = 0.36,
                    shelf_z = -0.80;

/* The upper side of board `i`, 0 the lowest. */
static double board(int i)
{
    return 0.12 + 0.33 * i + FURNITURE_GAP;
}

/* Open all round: four boards between two ladders of square bars. */
static void add_shelf(glb *g)
{
    int wood = glb_textured(g, "pine", 0.74, 0.55, 0.34, TEXTURE_WOOD),
        iron = glb_material(g, "black iron", 0.05, 0.05, 0.05);
    int materials[2] = {wood, iron};
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < BOARDS; i++) {
        frame f = frame_at(0, board(i) - FURNITURE_GAP - board_thick, 0);
        shape_box(&s[0], &f, shelf_width, board_thick, shelf_depth, 0.003);
    }
    for (int side = -1; side < 2; side += 2) {
        for (int end = -1; end < 2; end += 2) {
            frame f = frame_at(side * (shelf_width / 2 + 0.008), 0,
                               end * (shelf_depth / 2 - 0.03));
            shape_box(&s[1], &f, 0.022, board(BOARDS - 1) - 0.004, 0.022,
                      0.002);
        }
        for (int i = 0; i < BOARDS; i++) {
            frame f = frame_at(side * (shelf_width / 2 + 0.006),
                               board(i) - board_thick - 0.014, 0);
            shape_box(&s[1], &f, 0.018, 0.014, shelf_depth - 0.06, 0);
        }
    }
    glb_object(g, "Shelf", 0, FURNITURE_GAP, shelf_z, 0, s, materials, 2);
}

/* A book that stands, its back to the viewer. */
static void add_standing_book(glb *g,
                              const char *name,
                              double x,
                              double y,
                              double z,
                              double thick,
                              double height,
                              double depth,
                              int cover)
{
    int paper = glb_material(g, "paper", 0.80, 0.77, 0.66),
        gold = glb_material(g, "gilt title", 0.72, 0.52, 0.16);
    int materials[3] = {cover, paper, gold};
    shape s[3] = {{0}, {0}, {0}};
    for (int side = -1; side < 2; side += 2) {
        frame f = frame_at(side * (thick - 0.003) / 2, 0, 0);
        shape_box(&s[0], &f, 0.003, height, depth, 0.0008);
        f = frame_at(0, height / 2 + side * 0.36 * height - 0.002, depth / 2);
        shape_box(&s[2], &f, thick - 0.004, 0.004, 0.0012, 0);
    }
    frame f = frame_at(0, 0, (depth - 0.003) / 2);
    shape_box(&s[0], &f, thick - 0.002, height, 0.003, 0.0008);
    f = frame_at(0, 0.003, -0.002);
    shape_box(&s[1], &f, thick - 0.004, height - 0.006, depth - 0.008, 0);
    f = frame_at(0, 0.55 * height, depth / 2);
    shape_box(&s[2], &f, 0.45 * thick, 0.20 * height, 0.0012, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 3);
}

/* A lidded box with a label on its front. */
static void add_lidded_box(glb *g,
                           const char *name,
                           double x,
                           double y,
                           double z,
                           double yaw,
                           const double size[3],
                           int material)
{
    int label = glb_material(g, "paper label", 0.80, 0.76, 0.64),
        materials[2] = {material, label};
    const double lid = 0.30 * size[1];
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, size[0] - 0.006, size[1] - 0.004, size[2] - 0.006,
              0.002);
    f = frame_at(0, size[1] - lid, 0);
    shape_box(&s[0], &f, size[0], lid, size[2], 0.002);
    f = frame_at(0, 0.22 * size[1], size[2] / 2 - 0.003);
    shape_box(&s[1], &f, 0.40 * size[0], 0.28 * size[1], 0.0012, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, yaw, s, materials, 2);
}

/* Two bells, a face with hands, two feet. */
static void add_clock(glb *g, double x, double y, double z, double yaw)
{
    int red = glb_metal(g, "teal enamel", 0.05, 0.34, 0.36),
        white = glb_material(g, "clock face", 0.82, 0.81, 0.76);
    int black = glb_material(g, "black hands", 0.02, 0.02, 0.02),
        brass = glb_metal(g, "brass", 0.60, 0.43, 0.16);
    int materials[4] = {red, white, black, brass};
    const double middle = 0.075, radius = 0.062, deep = 0.045;
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_turned(frame_at(0, middle, -deep / 2), 0, 90);
    piece_cylinder(&s[0], &f, radius, deep, 0.004);
    for (int k = 0; k < 3; k++)
        f.origin[k] += f.y[k] * (deep - 0.001);
    piece_cylinder(&s[1], &f, radius - 0.007, 0.002, 0);
    for (int i = 0; i < 12; i++) {
        frame mark =
            frame_turned(frame_at(0, middle, deep / 2 + 0.0008), 2, 30 * i);
        for (int k = 0; k < 3; k++)
            mark.origin[k] += mark.y[k] * (i % 3 ? 0.046 : 0.042);
        shape_box(&s[2], &mark, i % 3 ? 0.002 : 0.004, i % 3 ? 0.006 : 0.010,
                  0.0012, 0);
    }
    for (int i = 0; i < 2; i++) { /* ten past ten */
        frame hand = frame_turned(frame_at(0, middle, deep / 2 + 0.0018), 2,
                                  i ? -60 : 55);
        shape_box(&s[2], &hand, i ? 0.003 : 0.004, i ? 0.042 : 0.029, 0.0012,
                  0);
    }
    for (int side = -1; side < 2; side += 2) {
        static const double bell[][2] = {
            {0.022, 0}, {0.020, 0.010}, {0.013, 0.018}, {0, 0.021}};
        static const double under[][2] = {{0, 0}, {0.022, 0}};
        f = frame_turned(frame_at(side * 0.036, middle + 0.052, 0), 2,
                         -side * 34);
        shape_lathe(&s[3], &f, bell, 4, 24);
        shape_lathe(&s[3], &f, under, 2, 24);
        const double top[3] = {side * 0.034, 0.028, 0},
                     foot[3] = {side * 0.048, 0.0035, 0};
        piece_rod(&s[3], top, foot, 0.005);
        f = frame_at(side * 0.048, 0, 0);
        shape_box(&s[3], &f, 0.014, 0.006, 0.040, 0.001);
    }
    f = frame_turned(frame_at(0, middle + 0.052, 0), 2, 90);
    f.origin[0] = 0;
    shape_handle(&s[3], &f, 0.016, 0.0025);
    glb_object(g, "Clock", x, y + FURNITURE_GAP, z, yaw, s, materials, 4);
}

static void add_photo_camera(glb *g, double x, double y, double z, double yaw)
{
    int leather =
            glb_textured(g, "black leather", 0.06, 0.06, 0.06, TEXTURE_CLOTH),
        chrome = glb_metal(g, "chrome", 0.66, 0.67, 0.69);
    int glass = glb_material(g, "lens", 0.05, 0.08, 0.16),
        materials[3] = {leather, chrome, glass};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[1], &f, 0.136, 0.012, 0.046, 0.004);
    f = frame_at(0, 0.011, 0);
    shape_box(&s[0], &f, 0.138, 0.048, 0.048, 0.004);
    f = frame_at(0, 0.058, 0);
    shape_box(&s[1], &f, 0.136, 0.018, 0.046, 0.004);
    f = frame_at(0, 0.074, 0);
    shape_box(&s[1], &f, 0.050, 0.016, 0.042, 0.006);
    static const double ring[4][2] = {
        {0.031, 0.010}, {0.028, 0.018}, {0.030, 0.010}, {0.022, 0.002}};
    f = frame_turned(frame_at(0, 0.037, 0.022), 0, 90);
    for (int i = 0; i < 4; i++) {
        piece_cylinder(&s[i == 3 ? 2 : i == 0], &f, ring[i][0], ring[i][1],
                       i == 3 ? 0 : 0.001);
        for (int k = 0; k < 3; k++)
            f.origin[k] += f.y[k] * (ring[i][1] - 0.0008);
    }
    f = frame_at(0.048, 0.075, 0);
    piece_cylinder(&s[1], &f, 0.009, 0.007, 0.001);
    f = frame_at(-0.048, 0.075, 0);
    piece_cylinder(&s[1], &f, 0.012, 0.005, 0.001);
    f = frame_at(0.040, 0.060, 0.0225);
    shape_box(&s[2], &f, 0.016, 0.010, 0.002, 0);
    f = frame_at(0, 0.077, 0.0205);
    shape_box(&s[2], &f, 0.028, 0.009, 0.002, 0);
    glb_object(g, "Film Camera", x, y + FURNITURE_GAP, z, yaw, s, materials, 3);
}

static void add_toy_car(glb *g, double x, double y, double z, double yaw)
{
    int paint = glb_material(g, "orange paint", 0.85, 0.28, 0.02),
        glass = glb_material(g, "dark window", 0.05, 0.09, 0.13);
    int tyre = glb_material(g, "black rubber", 0.02, 0.02, 0.02),
        hub = glb_metal(g, "hub", 0.62, 0.63, 0.65);
    int materials[4] = {paint, glass, tyre, hub};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0.014, 0);
    shape_box(&s[0], &f, 0.150, 0.028, 0.066, 0.007);
    f = frame_at(-0.010, 0.040, 0);
    shape_box(&s[0], &f, 0.078, 0.028, 0.058, 0.010);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(-0.010, 0.045, side * 0.0285);
        shape_box(&s[1], &f, 0.056, 0.015, 0.002, 0);
        f = frame_at(-0.010 + side * 0.0385, 0.044, 0);
        shape_box(&s[1], &f, 0.002, 0.014, 0.040, 0);
        for (int end = -1; end < 2; end += 2) {
            f = frame_turned(frame_at(end * 0.045, 0.016, side * 0.028 - 0.007),
                             0, 90);
            piece_cylinder(&s[2], &f, 0.016, 0.014, 0.002);
            f = frame_turned(
                frame_at(end * 0.045, 0.016, side * 0.035 - 0.0006), 0, 90);
            piece_cylinder(&s[3], &f, 0.008, 0.0012, 0);
        }
        f = frame_turned(frame_at(0.0745, 0.028, side * 0.022), 2, -90);
        piece_cylinder(&s[3], &f, 0.006, 0.002, 0);
    }
    glb_object(g, "Toy Car", x, y + FURNITURE_GAP, z, yaw, s, materials, 4);
}

static void add_teddy(glb *g, double x, double y, double z, double yaw)
{
    static const double part[][6] = {/* x, y, z, radius, squash, light */
                                     {0, 0.078, 0, 0.058, 1.15, 0},
                                     {0, 0.178, 0.006, 0.050, 0.94, 0},
                                     {-0.038, 0.216, 0, 0.020, 1, 0},
                                     {0.038, 0.216, 0, 0.020, 1, 0},
                                     {-0.060, 0.098, 0.030, 0.024, 1.5, 0},
                                     {0.060, 0.098, 0.030, 0.024, 1.5, 0},
                                     {-0.046, 0.029, 0.062, 0.029, 1, 0},
                                     {0.046, 0.029, 0.062, 0.029, 1, 0},
                                     {0, 0.164, 0.046, 0.024, 0.8, 1},
                                     {-0.047, 0.030, 0.078, 0.017, 1, 1},
                                     {0.047, 0.030, 0.078, 0.017, 1, 1},
                                     {0, 0.080, 0.014, 0.048, 1.05, 1}};
    int fur = glb_textured(g, "brown plush", 0.42, 0.22, 0.09, TEXTURE_CLOTH),
        pale = glb_material(g, "pale plush", 0.70, 0.50, 0.30);
    int black = glb_material(g, "black buttons", 0.02, 0.02, 0.02),
        materials[3] = {fur, pale, black};
    shape s[3] = {{0}, {0}, {0}};
    for (int i = 0; i < 12; i++) {
        frame f = frame_at(part[i][0], part[i][1], part[i][2]);
        piece_ball(&s[part[i][5] > 0], &f, part[i][3], part[i][4]);
    }
    for (int side = -1; side < 2; side += 2) {
        frame f = frame_at(side * 0.019, 0.190, 0.049);
        piece_ball(&s[2], &f, 0.006, 1);
    }
    frame f = frame_at(0, 0.170, 0.069);
    piece_ball(&s[2], &f, 0.007, 0.8);
    f = frame_at(0, 0, 0);
    piece_cylinder(&s[0], &f, 0.045, 0.03, 0.004); /* it sits on a flat seat */
    glb_object(g, "Teddy Bear", x, y + FURNITURE_GAP, z, yaw, s, materials, 3);
}

/* The earth on a foot; land is what of flat lenses shows through the sea. */
static void add_globe(glb *g, double x, double y, double z)
{
    /* turned about y, then about x; radius; lens middle; squash */
    static const double land[][5] = {
        {20, 50, 0.040, 0.0795, 0.22},  {45, 95, 0.034, 0.080, 0.24},
        {110, 40, 0.045, 0.0785, 0.24}, {150, 62, 0.040, 0.0795, 0.22},
        {185, 108, 0.026, 0.081, 0.24}, {285, 52, 0.040, 0.0795, 0.22},
        {310, 100, 0.036, 0.080, 0.22}, {0, 178, 0.036, 0.080, 0.22}};
    int sea = glb_material(g, "painted sea", 0.05, 0.22, 0.52),
        ground = glb_material(g, "painted land", 0.20, 0.42, 0.12);
    int wood = glb_textured(g, "walnut", 0.28, 0.15, 0.08, TEXTURE_WOOD),
        brass = glb_metal(g, "brass", 0.60, 0.43, 0.16);
    int materials[4] = {sea, ground, wood, brass};
    const double middle = 0.135;
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, middle, 0);
    piece_ball(&s[0], &f, 0.085, 1);
    for (int i = 0; i < 8; i++) {
        f = frame_turned(frame_turned(frame_at(0, middle, 0), 1, land[i][0]), 0,
                         land[i][1]);
        for (int k = 0; k < 3; k++)
            f.origin[k] += f.y[k] * land[i][3];
        piece_ball(&s[1], &f, land[i][2], land[i][4]);
    }
    f = frame_at(0, 0, 0);
    piece_cylinder(&s[2], &f, 0.060, 0.018, 0.004);
    f = frame_at(0, 0.016, 0);
    piece_cylinder(&s[3], &f, 0.008, 0.04, 0);
    f = frame_turned(frame_at(0, middle, 0), 2, -23);
    shape_handle(&s[3], &f, 0.092, 0.004);
    f = frame_turned(frame_at(0, middle, 0), 2, -23);
    for (int k = 0; k < 3; k++)
        f.origin[k] -= f.y[k] * 0.096;
    piece_cylinder(&s[3], &f, 0.004, 0.192, 0);
    glb_object(g, "Globe", x, y + FURNITURE_GAP, z, 0, s, materials, 4);
}

static void add_radio(glb *g, double x, double y, double z, double yaw)
{
    int wood = glb_textured(g, "cherry", 0.44, 0.19, 0.09, TEXTURE_WOOD),
        cloth =
            glb_textured(g, "speaker cloth", 0.62, 0.53, 0.36, TEXTURE_CLOTH);
    int dial = glb_material(g, "cream dial", 0.82, 0.76, 0.56),
        knob = glb_metal(g, "brass", 0.60, 0.43, 0.16);
    int materials[4] = {wood, cloth, dial, knob};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0.006, 0);
    shape_box(&s[0], &f, 0.26, 0.16, 0.09, 0.012);
    for (int i = 0; i < 4; i++) {
        f = frame_at(i & 1 ? 0.105 : -0.105, 0, i & 2 ? 0.028 : -0.028);
        piece_cylinder(&s[3], &f, 0.008, 0.008, 0);
    }
    f = frame_turned(frame_at(-0.058, 0.086, 0.0435), 0, 90);
    piece_cylinder(&s[1], &f, 0.058, 0.004, 0.001);
    f = frame_at(0.066, 0.098, 0.0435);
    shape_box(&s[2], &f, 0.096, 0.042, 0.004, 0.001);
    f = frame_at(0.050, 0.099, 0.0470);
    shape_box(&s[0], &f, 0.002, 0.040, 0.0012, 0);
    for (int i = 0; i < 3; i++) {
        f = frame_turned(frame_at(0.034 + 0.032 * i, 0.055, 0.044), 0, 90);
        piece_cylinder(&s[3], &f, 0.011, 0.010, 0.002);
    }
    const double low[3] = {0.110, 0.150, -0.030},
                 high[3] = {0.090, 0.270, -0.030};
    piece_rod(&s[3], low, high, 0.002);
    glb_object(g, "Radio", x, y + FURNITURE_GAP, z, yaw, s, materials, 4);
}

static void add_trophy(glb *g, double x, double y, double z)
{
    static const double cup[][2] = {
        {0, 0.030},     {0.034, 0.030}, {0.030, 0.040}, {0.009, 0.052},
        {0.008, 0.085}, {0.020, 0.098}, {0.046, 0.130}, {0.054, 0.180},
        {0.057, 0.196}, {0.053, 0.196}, {0.050, 0.180}, {0.042, 0.134},
        {0.016, 0.104}, {0, 0.102}};
    int gold = glb_metal(g, "gold", 0.80, 0.56, 0.14),
        black =
            glb_textured(g, "black marble", 0.08, 0.08, 0.08, TEXTURE_STONE);
    int materials[2] = {gold, black};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[1], &f, 0.085, 0.031, 0.085, 0.004);
    shape_lathe(&s[0], &f, cup, 14, 36);
    for (int side = 0; side < 2; side++) {
        f = frame_turned(frame_at(side ? -0.048 : 0.048, 0.155, 0), 1,
                         side ? 180 : 0);
        shape_handle(&s[0], &f, 0.026, 0.004);
    }
    f = frame_at(0, 0.010, 0.0425);
    shape_box(&s[0], &f, 0.050, 0.012, 0.0012, 0);
    glb_object(g, "Trophy", x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void add_basket(glb *g, double x, double y, double z)
{
    const double width = 0.36, height = 0.19, depth = 0.27, wall = 0.012;
    int straw = glb_textured(g, "wicker", 0.66, 0.46, 0.24, TEXTURE_STRAW);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, width - 0.01, wall, depth - 0.01, 0);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(0, 0, side * (depth - wall) / 2);
        shape_box(&s, &f, width, height, wall, 0.003);
        f = frame_at(side * (width - wall) / 2, 0, 0);
        shape_box(&s, &f, wall, height, depth - wall, 0.003);
        f = frame_at(0, height - 0.01, side * (depth - wall) / 2);
        shape_box(&s, &f, width + 0.012, 0.022, wall + 0.008, 0.006);
        f = frame_at(side * (width - wall) / 2, height - 0.01, 0);
        shape_box(&s, &f, wall + 0.008, 0.022, depth, 0.006);
        f = frame_turned(
            frame_at(side * (width / 2 + 0.006), height - 0.008, 0), 1, 90);
        f = frame_turned(f, 2, 90);
        shape_handle(&s, &f, 0.045, 0.007);
    }
    furniture_one(g, "Basket", x, y + FURNITURE_GAP, z, 0, &s, straw);
}

static void add_tin(
    glb *g, const char *name, double x, double y, double z, int label)
{
    int metal = glb_metal(g, "tin", 0.60, 0.61, 0.62),
        materials[2] = {metal, label};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    piece_cylinder(&s[0], &f, 0.040, 0.115, 0.002);
    f = frame_at(0, 0.010, 0);
    piece_cylinder(&s[1], &f, 0.0408, 0.095, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void add_piggy_bank(glb *g, double x, double y, double z, double yaw)
{
    int pink = glb_material(g, "pink glaze", 0.82, 0.36, 0.42),
        dark = glb_material(g, "black glaze", 0.03, 0.02, 0.02);
    int materials[2] = {pink, dark};
    shape s[2] = {{0}, {0}};
    frame f = frame_turned(frame_at(0, 0.066, 0), 2, 90);
    piece_ball(&s[0], &f, 0.046, 1.35);
    f = frame_turned(frame_at(0.052, 0.064, 0), 2, -90);
    piece_cylinder(&s[0], &f, 0.019, 0.022, 0.003);
    for (int side = -1; side < 2; side += 2) {
        f = frame_turned(frame_at(0.0735, 0.064, side * 0.007), 2, -90);
        piece_cylinder(&s[1], &f, 0.003, 0.001, 0);
        f = frame_at(0.048, 0.086, side * 0.020);
        piece_ball(&s[1], &f, 0.004, 1);
        f = frame_turned(
            frame_turned(frame_at(0.030, 0.092, side * 0.024), 0, side * 24), 1,
            30 * side);
        shape_leaf(&s[0], &f, 0.034, 0.026, 0.008);
        for (int end = -1; end < 2; end += 2) {
            f = frame_at(end * 0.030, 0, side * 0.022);
            piece_cylinder(&s[0], &f, 0.011, 0.036, 0.001);
        }
    }
    f = frame_at(0, 0.1105, 0);
    shape_box(&s[1], &f, 0.030, 0.0022, 0.004, 0);
    f = frame_turned(frame_at(-0.064, 0.072, 0), 1, 90);
    shape_handle(&s[0], &f, 0.010, 0.003);
    glb_object(g, "Piggy Bank", x, y + FURNITURE_GAP, z, yaw, s, materials, 2);
}

static void add_vase(glb *g, double x, double y, double z)
{
    static const double wall[][2] = {
        {0, 0},         {0.036, 0},     {0.040, 0.004}, {0.058, 0.060},
        {0.060, 0.090}, {0.048, 0.140}, {0.026, 0.185}, {0.023, 0.205},
        {0.034, 0.232}, {0.030, 0.232}, {0.018, 0.205}, {0.021, 0.185},
        {0.043, 0.138}, {0.055, 0.090}, {0.053, 0.060}, {0.034, 0.010},
        {0, 0.010}};
    int glaze = glb_material(g, "turquoise glaze", 0.06, 0.46, 0.46),
        band = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    int materials[2] = {glaze, band};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, wall, 17, 40);
    f = frame_at(0, 0.078, 0);
    piece_cylinder(&s[1], &f, 0.0606, 0.010, 0);
    glb_object(g, "Vase", x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void add_candle(glb *g,
                       const char *name,
                       double x,
                       double y,
                       double z,
                       double radius,
                       double height)
{
    int wax = glb_material(g, "ivory wax", 0.80, 0.70, 0.48),
        wick = glb_material(g, "wick", 0.05, 0.04, 0.03);
    int materials[2] = {wax, wick};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    piece_cylinder(&s[0], &f, radius, height, 0.003);
    f = frame_at(0, height - 0.002, 0);
    piece_cylinder(&s[1], &f, 0.0015, 0.014, 0);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void fill_bottom_board(glb *g, double y)
{
    const double big[3] = {0.32, 0.20, 0.26};
    int blue = glb_textured(g, "blue linen", 0.05, 0.15, 0.52, TEXTURE_CLOTH);
    add_basket(g, -0.70, y, shelf_z);
    add_lidded_box(g, "Blue Box", -0.28, y, shelf_z, 0, big, blue);
    add_tin(g, "Green Tin", 0.40, y, shelf_z + 0.04,
            glb_material(g, "green label", 0.06, 0.36, 0.10));
    add_tin(g, "Yellow Tin", 0.52, y, shelf_z - 0.02,
            glb_material(g, "yellow label", 0.82, 0.60, 0.04));
    add_radio(g, 0.76, y, shelf_z + 0.02, -10);
}

static void fill_book_board(glb *g, double y)
{
    static const struct {
        const char *name, *cloth;
        double thick, height, depth, colour[3];
    } books[] = {
        {"Red Book", "red cloth", 0.040, 0.240, 0.17, {0.48, 0.03, 0.03}},
        {"Green Book", "green cloth", 0.030, 0.215, 0.15, {0.04, 0.26, 0.10}},
        {"Blue Book", "blue cloth", 0.045, 0.255, 0.18, {0.03, 0.10, 0.42}},
        {"Yellow Book", "yellow cloth", 0.025, 0.200, 0.14, {0.76, 0.52, 0.05}},
        {"White Book", "white cloth", 0.035, 0.230, 0.16, {0.76, 0.75, 0.70}},
        {"Black Book", "black cloth", 0.050, 0.245, 0.17, {0.03, 0.03, 0.03}},
        {"Purple Book", "purple cloth", 0.030, 0.210, 0.15, {0.24, 0.05, 0.34}},
        {"Orange Book", "orange cloth", 0.038, 0.225, 0.16, {0.80, 0.28, 0.03}},
        {"Brown Book",
         "brown leather",
         0.042,
         0.235,
         0.17,
         {0.22, 0.10, 0.05}}};
    const double atlas[3] = {0.24, 0.030, 0.31}, novel[3] = {0.15, 0.028, 0.21},
                 box[3] = {0.17, 0.12, 0.15};
    double x = -0.91;
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        const double *c = books[i].colour;
        add_standing_book(g, books[i].name, x + books[i].thick / 2, y,
                          shelf_z + 0.14 - books[i].depth / 2, books[i].thick,
                          books[i].height, books[i].depth,
                          glb_material(g, books[i].cloth, c[0], c[1], c[2]));
        x += books[i].thick + 0.003;
    }
    furniture_book(g, "Atlas", -0.36, y, shelf_z, 88, atlas,
                   glb_material(g, "grey cloth", 0.30, 0.31, 0.32));
    furniture_book(g, "Novel", -0.37, y + atlas[1] + FURNITURE_GAP,
                   shelf_z + 0.01, 75, novel,
                   glb_material(g, "pink cover", 0.74, 0.22, 0.32));
    add_teddy(g, -0.05, y, shelf_z, -8);
    add_lidded_box(
        g, "Green Box", 0.24, y, shelf_z, 8, box,
        glb_textured(g, "green linen", 0.08, 0.36, 0.14, TEXTURE_CLOTH));
    add_toy_car(g, 0.50, y, shelf_z + 0.04, -25);
    add_globe(g, 0.78, y, shelf_z);
}

static void fill_jar_board(glb *g, double y)
{
    static const struct {
        const char *name, *fill;
        double x, radius, height, colour[3];
    } jars[] = {
        {"Jar", "olives", -0.84, 0.050, 0.16, {0.20, 0.26, 0.04}},
        {"Jar.001", "strawberry jam", -0.69, 0.042, 0.12, {0.50, 0.02, 0.03}},
        {"Jar.002", "flour", -0.54, 0.056, 0.20, {0.80, 0.78, 0.70}},
        {"Jar.003", "honey", -0.40, 0.040, 0.11, {0.74, 0.38, 0.02}},
        {"Jar.004", "coffee beans", -0.26, 0.048, 0.18, {0.07, 0.03, 0.015}}};
    const double red_box[3] = {0.22, 0.14, 0.18},
                 small_box[3] = {0.10, 0.07, 0.08};
    int lid = glb_metal(g, "tin lid", 0.58, 0.59, 0.60),
        white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    for (size_t i = 0; i < sizeof jars / sizeof *jars; i++) {
        const double *c = jars[i].colour;
        piece_jar(g, jars[i].name, jars[i].x, y,
                  shelf_z + (i % 2 ? 0.05 : 0.01), jars[i].radius,
                  jars[i].height,
                  glb_material(g, jars[i].fill, c[0], c[1], c[2]), lid);
    }
    add_lidded_box(
        g, "Red Box", 0.02, y, shelf_z, 0, red_box,
        glb_textured(g, "red linen", 0.56, 0.05, 0.05, TEXTURE_CLOTH));
    add_lidded_box(
        g, "Grey Box", 0.26, y, shelf_z + 0.04, 12, small_box,
        glb_textured(g, "grey linen", 0.36, 0.37, 0.38, TEXTURE_CLOTH));
    furniture_mug(g, "Mug", 0.42, y, shelf_z + 0.03, -35, white);
    add_clock(g, 0.62, y, shelf_z + 0.06, -6);
    add_piggy_bank(g, 0.81, y, shelf_z + 0.02, -25);
}

static void fill_top_board(glb *g, double y)
{
    furniture_plant(g, "Plant", -0.78, y, shelf_z);
    add_vase(g, -0.50, y, shelf_z + 0.02);
    add_candle(g, "Candle", -0.32, y, shelf_z + 0.05, 0.026, 0.16);
    add_candle(g, "Candle.001", -0.23, y, shelf_z - 0.02, 0.026, 0.11);
    add_candle(g, "Candle.002", -0.15, y, shelf_z + 0.06, 0.026, 0.07);
    add_photo_camera(g, 0.30, y, shelf_z + 0.06, -10);
    add_trophy(g, 0.53, y, shelf_z);
    furniture_lamp(g, "Lamp", 0.79, y, shelf_z);
}

void scenes_shelf(const char *folder)
{
    glb *g = glb_new();
    int floor =
        glb_textured(g, "dark planks", 0.34, 0.24, 0.17, TEXTURE_PLANKS);
    int wall =
        glb_textured(g, "white plaster", 0.80, 0.79, 0.76, TEXTURE_PLASTER);
    piece_room(g, 4.6, 2.24, floor, wall);
    add_shelf(g);
    fill_bottom_board(g, board(0));
    fill_book_board(g, board(1));
    fill_jar_board(g, board(2));
    fill_top_board(g, board(3));
    const double eye[3] = {0, 1.52, 1.50}, target[3] = {0, 0.73, -0.80};
    glb_camera(g, "Camera", eye, target, 43);
    glb_write(g, folder, "shelf.glb");
    glb_free(g);
}
