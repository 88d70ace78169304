/* The kitchen: a laid table, a counter with a sink, a fridge (README.md). */
#include "furniture.h"
#include "pieces.h"
#include "scenes.h"

static const double counter_top = 0.90, table_top = 0.74, counter_x = 0.42,
                    counter_z = -1.395;

/* Doors and drawers of one cupboard, on the front at z. */
static void add_cupboard_front(
    shape *doors, shape *grips, double x, double z, double width, int drawers)
{
    double door = drawers ? 0.52 : 0.70;
    for (int side = -1; side < 2; side += 2) {
        frame f = frame_at(x + side * width / 4, 0.12, z);
        shape_box(doors, &f, width / 2 - 0.008, door, 0.018, 0.003);
        f = frame_at(x + side * 0.035, 0.12 + door - 0.20, z + 0.020);
        shape_box(grips, &f, 0.012, 0.13, 0.016, 0.003);
    }
    if (!drawers)
        return;
    frame f = frame_at(x, 0.65, z);
    shape_box(doors, &f, width - 0.008, 0.17, 0.018, 0.003);
    f = frame_at(x, 0.73, z + 0.020);
    shape_box(grips, &f, 0.16, 0.012, 0.016, 0.003);
}

/* 3 m of cupboards under one worktop, with a hole for the sink. Only its
 * worktop carries anything. */
static void add_counter(glb *g, double hole_x)
{
    const double width = 3.0, depth = 0.60, thick = 0.038, hole_width = 0.52,
                 hole_depth = 0.40;
    int stone = glb_textured(g, "grey stone", 0.36, 0.36, 0.37, TEXTURE_STONE),
        white = glb_material(g, "white lacquer", 0.78, 0.78, 0.75);
    int steel = glb_material(g, "steel", 0.50, 0.53, 0.56),
        materials[4] = {
            stone, white, steel,
            glb_textured(g, "white tiles", 0.78, 0.80, 0.80, TEXTURE_TILES)};
    shape s[4] = {{0}, {0}, {0}, {0}};
    double left = hole_x - hole_width / 2 + width / 2,
           right = width - left - hole_width, y = counter_top - thick;
    frame f = frame_at((left - width) / 2, y, 0);
    shape_box(&s[0], &f, left, thick, depth, 0);
    f = frame_at((width - right) / 2, y, 0);
    shape_box(&s[0], &f, right, thick, depth, 0);
    for (int side = -1; side < 2; side += 2) {
        double bar = (depth - hole_depth) / 2;
        f = frame_at(hole_x, y, side * (depth - bar) / 2);
        shape_box(&s[0], &f, hole_width, thick, bar, 0);
        f = frame_at(side * (width - 0.02) / 2, 0.08, -0.01);
        shape_box(&s[1], &f, 0.02, y - 0.08, depth - 0.04, 0);
    }
    f = frame_at(0, 0.08, depth / 2 - 0.05);
    shape_box(&s[1], &f, width - 0.04, y - 0.08, 0.018, 0);
    f = frame_at(0, 0.08, -depth / 2 + 0.02);
    shape_box(&s[1], &f, width - 0.04, y - 0.08, 0.018, 0);
    f = frame_at(0, 0, -0.03);
    shape_box(&s[0], &f, width - 0.02, 0.08, depth - 0.10, 0);
    f = frame_at(0, counter_top, 0.007 - depth / 2);
    shape_box(&s[3], &f, width, 0.29, 0.014, 0.002);
    for (int i = 0; i < 4; i++)
        add_cupboard_front(&s[1], &s[2], -width / 2 + width / 8 * (2 * i + 1),
                           depth / 2 - 0.032, width / 4, i != 1);
    glb_object(g, "Kitchen Counter", counter_x, FURNITURE_GAP, counter_z, 0, s,
               materials, 4);
}

/* A basin that hangs by its rim in the counter's hole, with a tap behind it. */
static void add_sink(glb *g, double hole_x)
{
    const double width = 0.50, depth = 0.38, deep = 0.17, wall = 0.006,
                 rim = 0.03;
    int steel = glb_material(g, "brushed steel", 0.56, 0.58, 0.60),
        chrome = glb_material(g, "chrome", 0.70, 0.72, 0.74);
    int materials[2] = {steel, chrome};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, -deep, 0);
    shape_box(&s[0], &f, width, wall, depth, 0);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(side * (width - wall) / 2, -deep + wall, 0);
        shape_box(&s[0], &f, wall, deep - wall, depth - 2 * wall, 0);
        f = frame_at(0, -deep + wall, side * (depth - wall) / 2);
        shape_box(&s[0], &f, width, deep - wall, wall, 0);
        f = frame_at(side * (width + rim - wall) / 2, 0, 0);
        shape_box(&s[0], &f, rim + wall, 0.004, depth - 2 * wall, 0.0008);
        double bar = side < 0 ? 2.2 * rim : rim;
        f = frame_at(0, 0, side * ((depth + bar - wall) / 2));
        shape_box(&s[0], &f, width + 2 * rim, 0.004, bar + wall, 0.0008);
    }
    f = frame_at(0, -deep + wall, 0);
    piece_cylinder(&s[1], &f, 0.035, 0.003, 0.001);
    f = frame_at(0, 0.004, -depth / 2 - 0.032);
    piece_cylinder(&s[1], &f, 0.024, 0.045, 0.003);
    f = frame_at(0, 0.045, -depth / 2 - 0.032);
    piece_cylinder(&s[1], &f, 0.011, 0.205, 0);
    f = frame_turned(
        frame_turned(frame_at(0, 0.245, -depth / 2 + 0.048), 1, 90), 2, 90);
    shape_handle(&s[1], &f, 0.080, 0.011);
    f = frame_at(0, 0.205, -depth / 2 + 0.128);
    piece_cylinder(&s[1], &f, 0.013, 0.042, 0.002);
    f = frame_turned(frame_at(0.018, 0.034, -depth / 2 - 0.032), 2, -60);
    piece_cylinder(&s[1], &f, 0.007, 0.075, 0.002);
    glb_object(g, "Sink", counter_x + hole_x, counter_top + 2 * FURNITURE_GAP,
               counter_z + 0.01, 0, s, materials, 2);
}

static void add_window(glb *g, double x)
{
    const double width = 1.05, height = 0.85, bar = 0.06;
    int white = glb_material(g, "white lacquer", 0.80, 0.80, 0.78),
        sky = glb_material(g, "window pane", 0.52, 0.72, 0.88);
    int materials[2] = {white, sky};
    shape s[2] = {{0}, {0}};
    for (int side = -1; side < 2; side += 2) {
        frame f = frame_at(side * (width - bar) / 2, 0, 0.02);
        shape_box(&s[0], &f, bar, height, 0.04, 0.004);
        f = frame_at(0, side < 0 ? 0 : height - bar, 0.02);
        shape_box(&s[0], &f, width - 2 * bar, bar, 0.04, 0.004);
    }
    frame f = frame_at(0, bar, 0.018);
    shape_box(&s[0], &f, 0.035, height - 2 * bar, 0.03, 0.004);
    f = frame_at(0, bar, 0.008);
    shape_box(&s[1], &f, width - 2 * bar, height - 2 * bar, 0.012, 0);
    glb_object(g, "Window", x, 1.22, -1.7 + FURNITURE_GAP, 0, s, materials, 2);
}

static void add_fridge(glb *g)
{
    const double width = 0.64, height = 1.72, depth = 0.60;
    int white = glb_material(g, "white enamel", 0.80, 0.81, 0.80),
        dark = glb_material(g, "rubber", 0.05, 0.05, 0.05);
    int steel = glb_material(g, "steel", 0.50, 0.53, 0.56),
        materials[3] = {white, dark, steel};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[1], &f, width - 0.06, 0.06, depth - 0.08, 0);
    f = frame_at(0, 0.05, -0.03);
    shape_box(&s[0], &f, width, height - 0.05, depth - 0.06, 0.010);
    f = frame_at(0, 0.06, depth / 2 - 0.062);
    shape_box(&s[1], &f, width - 0.02, height - 0.08, 0.012, 0);
    f = frame_at(0, 0.06, depth / 2 - 0.025);
    shape_box(&s[0], &f, width, 1.10, 0.05, 0.010);
    f = frame_at(0, 1.17, depth / 2 - 0.025);
    shape_box(&s[0], &f, width, height - 1.17, 0.05, 0.010);
    for (int i = 0; i < 2; i++) {
        f = frame_at(width / 2 - 0.06, i ? 1.22 : 0.72, depth / 2 + 0.012);
        shape_box(&s[2], &f, 0.022, i ? 0.28 : 0.38, 0.03, 0.006);
    }
    glb_object(g, "Fridge", -1.58, FURNITURE_GAP, -1.38, 0, s, materials, 3);
}

static void add_wall_shelf(glb *g, double x, double y)
{
    int wood = glb_textured(g, "oak", 0.58, 0.38, 0.21, TEXTURE_WOOD),
        iron = glb_material(g, "black iron", 0.04, 0.04, 0.04);
    int materials[2] = {wood, iron};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, -0.028, 0.09);
    shape_box(&s[0], &f, 0.74, 0.028, 0.18, 0.003);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(side * 0.26, -0.17, 0.004);
        shape_box(&s[1], &f, 0.022, 0.145, 0.008, 0);
        f = frame_at(side * 0.26, -0.035, 0.075);
        shape_box(&s[1], &f, 0.022, 0.008, 0.150, 0);
        const double low[3] = {side * 0.26, -0.155, 0.006},
                     high[3] = {side * 0.26, -0.032, 0.135};
        piece_rod(&s[1], low, high, 0.006);
    }
    glb_object(g, "Wall Shelf", x, y, -1.7 + FURNITURE_GAP, 0, s, materials, 2);
}

static void add_kettle(glb *g, double x, double z)
{
    static const double body[][2] = {
        {0, 0.022},     {0.084, 0.022}, {0.086, 0.028},
        {0.080, 0.110}, {0.066, 0.165}, {0.050, 0.185},
        {0.046, 0.192}, {0.020, 0.200}, {0, 0.200}};
    int steel = glb_material(g, "polished steel", 0.60, 0.62, 0.64),
        black = glb_material(g, "black plastic", 0.03, 0.03, 0.03);
    int materials[2] = {steel, black};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    piece_cylinder(&s[1], &f, 0.088, 0.023, 0.004);
    shape_lathe(&s[0], &f, body, 9, 40);
    const double from[3] = {-0.060, 0.115, 0}, to[3] = {-0.125, 0.178, 0};
    piece_rod(&s[0], from, to, 0.014);
    f = frame_at(0.058, 0.118, 0);
    shape_handle(&s[1], &f, 0.066, 0.009);
    f = frame_at(0, 0.199, 0);
    piece_cylinder(&s[1], &f, 0.013, 0.018, 0.003);
    glb_object(g, "Kettle", x, counter_top + 2 * FURNITURE_GAP, z, 20, s,
               materials, 2);
}

static void add_toaster(glb *g, double x, double z)
{
    int red = glb_material(g, "red enamel", 0.52, 0.03, 0.03),
        black = glb_material(g, "black plastic", 0.03, 0.03, 0.03);
    int materials[2] = {red, black};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[1], &f, 0.27, 0.02, 0.15, 0.004);
    f = frame_at(0, 0.018, 0);
    shape_box(&s[0], &f, 0.28, 0.17, 0.16, 0.018);
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(0, 0.1865, side * 0.032);
        shape_box(&s[1], &f, 0.20, 0.003, 0.026, 0);
    }
    f = frame_at(0.143, 0.11, 0);
    shape_box(&s[1], &f, 0.02, 0.014, 0.05, 0.003);
    glb_object(g, "Toaster", x, counter_top + 2 * FURNITURE_GAP, z, -6, s,
               materials, 2);
}

static void add_stool(glb *g, double x, double z)
{
    int wood = glb_textured(g, "birch", 0.74, 0.58, 0.40, TEXTURE_WOOD);
    shape s = {0};
    frame f = frame_at(0, 0.44, 0);
    piece_cylinder(&s, &f, 0.17, 0.03, 0.005);
    for (int i = 0; i < 4; i++) {
        double sx = i & 1 ? 1 : -1, sz = i & 2 ? 1 : -1;
        const double foot[3] = {sx * 0.13, 0.004, sz * 0.13},
                     top[3] = {sx * 0.085, 0.445, sz * 0.085};
        piece_rod(&s, foot, top, 0.016);
    }
    furniture_one(g, "Stool", x, 0.002, z, 0, &s, wood);
}

static void add_bread(glb *g, double x, double z)
{
    static const double half[][2] = {
        {0, -0.105},     {0.030, -0.102}, {0.048, -0.088},
        {0.056, -0.055}, {0.058, 0},      {0.056, 0.055},
        {0.048, 0.088},  {0.030, 0.102},  {0, 0.105}};
    const double y = counter_top + 2 * FURNITURE_GAP, board = 0.018;
    int wood = glb_textured(g, "beech", 0.72, 0.52, 0.32, TEXTURE_WOOD),
        crust = glb_textured(g, "crust", 0.62, 0.34, 0.12, TEXTURE_STONE);
    int cut = glb_material(g, "slashes", 0.80, 0.62, 0.36),
        materials[2] = {crust, cut};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.36, board, 0.22, 0.005);
    furniture_one(g, "Cutting Board", x, y, z, 4, &s[0], wood);
    f = frame_turned(frame_at(0, 0.044, 0), 2, 90);
    for (int i = 0; i < 3; i++)
        f.x[i] *= 0.76; /* lower than wide */
    shape_lathe(&s[0], &f, half, 9, 32);
    f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.15, 0.03, 0.07, 0.010);
    for (int i = -1; i < 2; i++) {
        f = frame_turned(frame_at(i * 0.05, 0.082, 0), 1, 35);
        shape_box(&s[1], &f, 0.012, 0.006, 0.060, 0.002);
    }
    glb_object(g, "Bread", x, y + board + FURNITURE_GAP, z, 14, s, materials,
               2);
}

static void add_apple(glb *g, double x, double y, double z)
{
    static const double skin[][2] = {
        {0, 0.006},     {0.010, 0.001}, {0.016, 0},     {0.028, 0.010},
        {0.036, 0.028}, {0.037, 0.044}, {0.030, 0.060}, {0.016, 0.068},
        {0.006, 0.064}, {0, 0.058}};
    int red = glb_material(g, "apple skin", 0.58, 0.06, 0.04),
        stalk = glb_material(g, "stalk", 0.16, 0.09, 0.03);
    int leaf = glb_material(g, "leaf", 0.10, 0.36, 0.06),
        materials[3] = {red, stalk, leaf};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, skin, 10, 32);
    const double low[3] = {0, 0.055, 0}, high[3] = {0.004, 0.080, 0};
    piece_rod(&s[1], low, high, 0.0018);
    f = frame_turned(frame_at(0.003, 0.070, 0), 2, -60);
    shape_leaf(&s[2], &f, 0.030, 0.014, 0.002);
    glb_object(g, "Apple", x, y + FURNITURE_GAP, z, 0, s, materials, 3);
}

static void lay_table(glb *g)
{
    int white = glb_material(g, "white china", 0.82, 0.82, 0.80),
        blue = glb_material(g, "blue glaze", 0.03, 0.12, 0.60);
    int red = glb_material(g, "red glaze", 0.60, 0.03, 0.03),
        wood = glb_textured(g, "olive wood", 0.46, 0.27, 0.11, TEXTURE_WOOD);
    int yellow = glb_material(g, "yellow glaze", 0.80, 0.52, 0.05);
    piece_plate(g, "White Plate", -0.40, table_top, 0.16, 0.13, white);
    piece_plate(g, "Blue Plate", 0.42, table_top, 0.14, 0.13, blue);
    piece_bowl(g, "Wooden Bowl", 0.02, table_top, -0.10, 0.14, 0.08, wood);
    furniture_mug(g, "Red Cup", -0.14, table_top, 0.22, -30, red);
    furniture_mug(g, "White Cup", -0.22, counter_top + FURNITURE_GAP, -1.50, 20,
                  white);
    piece_jug(g, "Jug", 0.40, table_top, -0.18, 150, yellow);
}

void scenes_kitchen(const char *folder)
{
    const double hole_x = -0.27;
    glb *g = glb_new();
    int oak = glb_textured(g, "oak", 0.58, 0.38, 0.21, TEXTURE_WOOD),
        walnut = glb_textured(g, "walnut", 0.24, 0.13, 0.07, TEXTURE_WOOD);
    int sugar = glb_material(g, "sugar", 0.82, 0.80, 0.74),
        coffee = glb_material(g, "coffee", 0.07, 0.03, 0.015);
    int tomato = glb_material(g, "tomato sauce", 0.50, 0.05, 0.02),
        cork = glb_material(g, "cork", 0.50, 0.33, 0.18);
    int floor =
        glb_textured(g, "terracotta tiles", 0.52, 0.33, 0.24, TEXTURE_TILES);
    int wall =
        glb_textured(g, "cream plaster", 0.80, 0.76, 0.66, TEXTURE_PLASTER);
    piece_room(g, 6.4, 3.6, floor, wall);
    add_window(g, counter_x + hole_x);
    add_counter(g, hole_x);
    add_sink(g, hole_x);
    add_fridge(g);
    add_wall_shelf(g, 1.32, 1.48);
    piece_jar(g, "Sugar Jar", 1.08, 1.48, -1.60, 0.050, 0.15, sugar, cork);
    piece_jar(g, "Coffee Jar", 1.30, 1.48, -1.60, 0.050, 0.17, coffee, cork);
    piece_jar(g, "Sauce Jar", 1.54, 1.48, -1.60, 0.042, 0.12, tomato, cork);
    add_toaster(g, -0.78, -1.50);
    add_bread(g, 0.68, -1.50);
    add_apple(g, 1.02, counter_top + FURNITURE_GAP, -1.52);
    add_kettle(g, -0.48, -1.50);
    piece_tray(g, "Tray", 1.60, counter_top + FURNITURE_GAP, -1.36, 0, 0.44,
               0.31, walnut);
    furniture_table_at(g, "Table", 0, 0, 1.25, 0.75, table_top, oak);
    furniture_chair(g, "Chair 1", -0.90, 0.02, 90);
    furniture_chair(g, "Chair 2", 0.90, 0.02, -90);
    add_stool(g, 1.48, -0.30);
    lay_table(g);
    const double eye[3] = {0, 2.0, 2.6}, target[3] = {0, 0.86, -0.6};
    glb_camera(g, "Camera", eye, target, 50);
    glb_write(g, folder, "kitchen.glb");
    glb_free(g);
}
