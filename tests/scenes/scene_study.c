/* The study: a writing desk with small things that go on one another
 * (README.md). */
#include "furniture.h"
#include "pieces.h"
#include "scenes.h"

static const double desk_top = 0.75;

/* A pedestal of three drawers on the right, two legs on the left. */
static void add_desk(glb *g, double z)
{
    const double width = 1.6, depth = 0.78;
    int wood = glb_textured(g, "walnut", 0.36, 0.20, 0.10, TEXTURE_WOOD),
        brass = glb_metal(g, "brass", 0.55, 0.38, 0.14);
    int materials[2] = {wood, brass};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, desk_top - 0.032, 0);
    shape_box(&s[0], &f, width, 0.032, depth, 0.004);
    f = frame_at(width / 2 - 0.23, 0, 0);
    shape_box(&s[0], &f, 0.38, desk_top - 0.032, depth - 0.08, 0.002);
    for (int i = 0; i < 3; i++) {
        f = frame_at(width / 2 - 0.23, 0.05 + i * 0.222, depth / 2 - 0.032);
        shape_box(&s[0], &f, 0.36, 0.214, 0.018, 0.004);
        f = frame_at(width / 2 - 0.23, 0.15 + i * 0.222, depth / 2 - 0.012);
        shape_box(&s[1], &f, 0.11, 0.012, 0.016, 0.003);
    }
    for (int side = -1; side < 2; side += 2) {
        f = frame_at(-width / 2 + 0.06, 0, side * (depth / 2 - 0.08));
        shape_box(&s[0], &f, 0.055, desk_top - 0.03, 0.055, 0.004);
    }
    f = frame_at(-0.19, desk_top - 0.13, -depth / 2 + 0.08);
    shape_box(&s[0], &f, 1.10, 0.10, 0.02, 0);
    glb_object(g, "Desk", 0, FURNITURE_GAP, z, 0, s, materials, 2);
}

/* A small succulent; its pot's foot is narrower than the phone. */
static void add_succulent(glb *g, double x, double y, double z)
{
    static const double pot[][2] = {
        {0, 0},         {0.030, 0},     {0.033, 0.003}, {0.041, 0.062},
        {0.041, 0.068}, {0.037, 0.068}, {0.036, 0.058}, {0, 0.058}};
    int clay = glb_textured(g, "terracotta", 0.60, 0.25, 0.14, TEXTURE_PLASTER),
        leaf = glb_material(g, "leaf", 0.12, 0.34, 0.13),
        materials[2] = {clay, leaf};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, pot, 8, 32);
    for (int i = 0; i < 18; i++) {
        f = frame_turned(frame_at(0, 0.055, 0), 1,
                         137.5 * i - 360 * (int)(137.5 * i / 360));
        f = frame_turned(f, 2, 62 - 3.2 * i);
        shape_leaf(&s[1], &f, 0.046 + 0.0006 * i, 0.022, 0.007);
    }
    glb_object(g, "Plant", x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void add_laptop(glb *g, double x, double y, double z, double yaw)
{
    const double width = 0.32, depth = 0.22;
    int metal = glb_metal(g, "aluminium", 0.56, 0.57, 0.59),
        dark = glb_material(g, "black keys", 0.03, 0.03, 0.035);
    int screen = glb_glowing(g, "screen", 0.16, 0.30, 0.48),
        materials[3] = {metal, dark, screen};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, width, 0.014, depth, 0.003);
    for (int row = 0; row < 5; row++)
        for (int key = 0; key < 12; key++) {
            f = frame_at((key - 5.5) * 0.0225, 0.0135, -0.055 + row * 0.0215);
            shape_box(&s[1], &f, 0.019, 0.0025, 0.018, 0.0006);
        }
    f = frame_at(0, 0.0135, 0.080);
    shape_box(&s[1], &f, 0.10, 0.001, 0.045, 0);
    frame lid = frame_turned(frame_at(0, 0.010, -depth / 2 + 0.004), 0, -18);
    shape_box(&s[0], &lid, width, 0.215, 0.007, 0.002);
    for (int i = 0; i < 3; i++)
        lid.origin[i] += 0.010 * lid.y[i] + 0.0032 * lid.z[i];
    shape_box(&s[2], &lid, width - 0.02, 0.195, 0.001, 0);
    glb_object(g, "Laptop", x, y + FURNITURE_GAP, z, yaw, s, materials, 3);
}

static void add_notebook(glb *g, double x, double y, double z, double yaw)
{
    int cover = glb_material(g, "red card", 0.55, 0.05, 0.05),
        paper = glb_material(g, "paper", 0.80, 0.77, 0.66);
    int wire = glb_metal(g, "wire", 0.55, 0.55, 0.57),
        materials[3] = {cover, paper, wire};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.148, 0.0015, 0.21, 0.0003);
    f = frame_at(0.002, 0.001, 0);
    shape_box(&s[1], &f, 0.143, 0.010, 0.205, 0);
    f = frame_at(0, 0.0105, 0);
    shape_box(&s[0], &f, 0.148, 0.0015, 0.21, 0.0003);
    for (int i = 0; i < 14; i++) {
        f = frame_turned(frame_at(-0.070, 0.006, -0.091 + 0.014 * i), 1, 180);
        shape_handle(&s[2], &f, 0.0065, 0.0008);
    }
    glb_object(g, "Notebook", x, y + 6 * FURNITURE_GAP + FURNITURE_GAP, z, yaw,
               s, materials, 3);
}

/* Pencils and a ruler stand in it and go wherever it goes. */
static void add_pencil_cup(glb *g, double x, double y, double z)
{
    static const double wall[][2] = {
        {0, 0},         {0.038, 0},     {0.040, 0.002}, {0.040, 0.098},
        {0.037, 0.098}, {0.037, 0.004}, {0, 0.004}};
    static const double lean[5][3] = {{0.020, 0.012, 10},
                                      {-0.016, 0.018, 70},
                                      {0.004, -0.022, 160},
                                      {-0.020, -0.008, 250},
                                      {0.012, -0.006, 320}};
    int net = glb_metal(g, "black steel", 0.06, 0.06, 0.07),
        yellow = glb_material(g, "yellow pencil", 0.80, 0.52, 0.04);
    int red = glb_material(g, "red pencil", 0.55, 0.04, 0.04),
        wood = glb_material(g, "sharpened wood", 0.62, 0.42, 0.24);
    int materials[4] = {net, yellow, red, wood};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, wall, 7, 32);
    for (int i = 0; i < 5; i++) {
        static const double tip[][2] = {{0.0036, 0}, {0, 0.016}};
        f = frame_turned(frame_turned(frame_at(lean[i][0], 0.005, lean[i][1]),
                                      1, lean[i][2]),
                         2, i & 1 ? 5 : -4);
        piece_cylinder(&s[1 + (i & 1)], &f, 0.0036, 0.150 - 0.006 * i, 0);
        for (int k = 0; k < 3; k++)
            f.origin[k] += f.y[k] * (0.150 - 0.006 * i);
        shape_lathe(&s[3], &f, tip, 2, 12);
    }
    glb_object(g, "Pencil Cup", x, y + FURNITURE_GAP, z, 0, s, materials, 4);
}

/* A photo in a frame that leans on its own strut. */
static void add_photo(glb *g, double x, double y, double z, double yaw)
{
    const double width = 0.15, height = 0.20, bar = 0.016;
    int frame_metal = glb_metal(g, "silver", 0.66, 0.66, 0.66),
        paper = glb_material(g, "photo paper", 0.80, 0.78, 0.72);
    int sea = glb_material(g, "photo sea", 0.08, 0.30, 0.52),
        sand = glb_material(g, "photo sand", 0.70, 0.55, 0.32);
    int materials[4] = {frame_metal, paper, sea, sand};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame lean = frame_turned(frame_at(0, 0.0045, 0.035), 0, -14);
    for (int i = 0; i < 4; i++) {
        int upright = i < 2, side = i & 1 ? 1 : -1;
        frame f = lean;
        double dx = upright ? side * (width - bar) / 2 : 0,
               dy = upright || side < 0 ? 0 : height - bar;
        for (int k = 0; k < 3; k++)
            f.origin[k] += dx * lean.x[k] + dy * lean.y[k];
        shape_box(&s[0], &f, upright ? bar : width - 2 * bar,
                  upright ? height : bar, 0.014, 0.002);
    }
    const double low[3] = {0.012, 0.055, 0.105};
    for (int i = 0; i < 3; i++) {
        frame f = lean;
        double dy = i == 2 ? 0.022 : i == 1 ? low[1] : low[2];
        for (int k = 0; k < 3; k++)
            f.origin[k] += dy * lean.y[k] + 0.001 * i * lean.z[k];
        shape_box(&s[1 + i], &f, i ? width - 2 * bar - 0.014 : width - 2 * bar,
                  i == 0   ? 0.079
                  : i == 1 ? 0.085
                           : 0.040,
                  0.006, 0);
    }
    const double foot[3] = {0, 0.003, -0.075}, hinge[3] = {0, 0.12, 0.0};
    piece_rod(&s[0], foot, hinge, 0.003);
    glb_object(g, "Photo Frame", x, y + FURNITURE_GAP, z, yaw, s, materials, 4);
}

/* A swivel chair on a five-armed foot; the sitter looks along +Z. */
static void add_desk_chair(glb *g, double x, double z, double yaw)
{
    int cloth = glb_textured(g, "grey cloth", 0.24, 0.27, 0.31, TEXTURE_CLOTH),
        black = glb_material(g, "black plastic", 0.03, 0.03, 0.03);
    int chrome = glb_metal(g, "chrome", 0.62, 0.64, 0.66),
        materials[3] = {cloth, black, chrome};
    shape s[3] = {{0}, {0}, {0}};
    frame f;
    for (int i = 0; i < 5; i++) {
        double sine, cosine;
        shapes_sincos(2 * 3.14159265358979323846 * i / 5, &sine, &cosine);
        const double in[3] = {0.02 * sine, 0.095, 0.02 * cosine},
                     out[3] = {0.27 * sine, 0.070, 0.27 * cosine};
        piece_rod(&s[1], in, out, 0.019);
        f = frame_turned(
            frame_turned(frame_at(0.27 * sine, 0.028, 0.27 * cosine), 1,
                         72 * i),
            2, 90);
        for (int k = 0; k < 3; k++)
            f.origin[k] -= 0.015 * f.y[k];
        piece_cylinder(&s[1], &f, 0.028, 0.030, 0.004);
        f = frame_at(0.27 * sine, 0.045, 0.27 * cosine);
        piece_cylinder(&s[1], &f, 0.008, 0.03, 0);
    }
    f = frame_at(0, 0.08, 0);
    piece_cylinder(&s[2], &f, 0.026, 0.32, 0);
    f = frame_at(0, 0.395, 0);
    shape_box(&s[1], &f, 0.24, 0.025, 0.24, 0.004);
    f = frame_at(0, 0.415, 0.01);
    shape_box(&s[0], &f, 0.48, 0.075, 0.46, 0.022);
    const double low[3] = {0, 0.42, -0.20}, high[3] = {0, 0.70, -0.25};
    piece_rod(&s[1], low, high, 0.020);
    f = frame_turned(frame_at(0, 0.58, -0.235), 0, -6);
    shape_box(&s[0], &f, 0.44, 0.40, 0.055, 0.022);
    glb_object(g, "Desk Chair", x, FURNITURE_GAP, z, yaw, s, materials, 3);
}

static void add_waste_basket(glb *g, double x, double z)
{
    static const double wall[][2] = {
        {0, 0},         {0.105, 0},     {0.135, 0.28},  {0.139, 0.282},
        {0.139, 0.290}, {0.132, 0.290}, {0.101, 0.006}, {0, 0.006}};
    int metal = glb_metal(g, "green tin", 0.08, 0.22, 0.15);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 8, 40);
    furniture_one(g, "Waste Basket", x, FURNITURE_GAP, z, 0, &s, metal);
}

void scenes_study(const char *folder)
{
    const double book[3] = {0.17, 0.032, 0.24}, y = desk_top + FURNITURE_GAP,
                 z = -0.35;
    glb *g = glb_new();
    int blue = glb_material(g, "blue cloth", 0.03, 0.09, 0.36),
        white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    int floor = glb_textured(g, "oak planks", 0.52, 0.36, 0.22, TEXTURE_PLANKS);
    int wall =
        glb_textured(g, "green plaster", 0.52, 0.60, 0.54, TEXTURE_PLASTER);
    piece_room(g, 5.2, 3.0, floor, wall);
    add_desk(g, z);
    add_desk_chair(g, -1.22, -0.45, 70);
    add_waste_basket(g, 1.03, -0.45);
    add_laptop(g, -0.12, y, z - 0.10, 6);
    furniture_book(g, "Book", 0.38, y, z + 0.10, -8, book, blue);
    furniture_phone(g, "Phone", 0.14, y, z + 0.20, 10);
    furniture_pen(g, "Pen", -0.28, y, z + 0.22, 70);
    add_succulent(g, -0.64, y, z - 0.02);
    add_notebook(g, -0.46, y, z + 0.20, 12);
    furniture_lamp(g, "Lamp", -0.60, y, z - 0.24);
    furniture_mug(g, "Mug", 0.62, y, z + 0.24, -30, white);
    add_pencil_cup(g, 0.30, y, z - 0.26);
    add_photo(g, 0.58, y, z - 0.22, -18);
    const double eye[3] = {-0.12, 1.68, 1.68}, target[3] = {-0.14, 0.64, -0.40};
    glb_camera(g, "Camera", eye, target, 46);
    glb_write(g, folder, "study.glb");
    glb_free(g);
}
