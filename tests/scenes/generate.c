/* Writes the fixture scenes that tests, benchmarks and `make run` share (README.md says what each is for). The scenes
 * are made, not kept: no binary in the repository, and sizes and places are readable here. Metres, Y up, +Z toward the
 * viewer; everything stands 0.1 mm above what carries it. */
#include "glb.h"

#include <stdio.h>
#include <string.h>

static const double gap = 1e-4;

static void one(glb *g, const char *name, double x, double y, double z, double yaw, shape *s, int material)
{
    glb_object(g, name, x, y, z, yaw, s, &material, 1);
}

static void add_room(glb *g, double width, double depth)
{
    int floor = glb_material(g, "floor grey", 0.36, 0.33, 0.30), wall = glb_material(g, "wall cream", 0.72, 0.69, 0.62);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, width, 0.05, depth, 0);
    one(g, "Floor", 0, -0.05 - gap, 0, 0, &s, floor);
    shape_box(&s, &f, width, 2.4, 0.1, 0);
    one(g, "Wall", 0, 0, 0.05 - depth / 2, 0, &s, wall);
}

/* A table with four legs; its top is `height` above the floor. */
static void add_table_at(glb *g, const char *name, double x, double z, double width, double depth, double height,
                         int wood)
{
    shape s = {0};
    frame f = frame_at(0, height - 0.035, 0);
    shape_box(&s, &f, width, 0.035, depth, 0.004);
    for (int i = 0; i < 4; i++) {
        f = frame_at((i & 1 ? 1 : -1) * (width / 2 - 0.06), 0, (i & 2 ? 1 : -1) * (depth / 2 - 0.06));
        shape_box(&s, &f, 0.06, height - 0.03, 0.06, 0.003);
    }
    one(g, name, x, 0, z, 0, &s, wood);
}

static void add_table(glb *g, const char *name, double width, double depth, double height)
{
    add_table_at(g, name, 0, 0, width, depth, height, glb_material(g, "oak", 0.47, 0.29, 0.15));
}

/* Four legs, a seat and a back of slats; the sitter looks along +Z. */
static void add_chair(glb *g, const char *name, double x, double z, double yaw)
{
    int wood = glb_material(g, "beech", 0.60, 0.40, 0.22), cloth = glb_material(g, "seat cloth", 0.10, 0.22, 0.32);
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
    glb_object(g, name, x, gap, z, yaw, s, materials, 2);
}

/* A framed landscape whose back is its node's z = 0 and that looks along +Z; `y` is its lower edge. */
static void add_picture(glb *g, const char *name, double x, double y, double z)
{
    const double width = 0.64, height = 0.48, bar = 0.035;
    int wood = glb_material(g, "dark frame", 0.10, 0.05, 0.03), sky = glb_material(g, "painted sky", 0.35, 0.58, 0.80);
    int hill = glb_material(g, "painted hill", 0.10, 0.32, 0.08), sun = glb_material(g, "painted sun", 0.95, 0.55, 0.06);
    int materials[4] = {wood, sky, hill, sun};
    shape s[4] = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        int upright = i < 2, side = i & 1 ? 1 : -1;
        frame f = frame_at(upright ? side * (width - bar) / 2 : 0, upright || side < 0 ? 0 : height - bar, 0.0125);
        shape_box(&s[0], &f, upright ? bar : width - 2 * bar, upright ? height : bar, 0.025, 0.003);
    }
    frame f = frame_at(0, bar, 0.006);
    shape_box(&s[1], &f, width - 2 * bar, height - 2 * bar, 0.012, 0);
    f = frame_at(0, bar, 0.0125);
    shape_box(&s[2], &f, width - 2 * bar, 0.15, 0.002, 0);
    f = frame_at(0.15, 0.30, 0.0125);
    shape_box(&s[3], &f, 0.08, 0.08, 0.002, 0.0005);
    glb_object(g, name, x, y, z + gap, 0, s, materials, 4);
}

static void add_block(glb *g, const char *name, double x, double y, double z, double yaw, const double size[3],
                      int material)
{
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, size[0], size[1], size[2], 0.003);
    one(g, name, x, y + gap, z, yaw, &s, material);
}

static void add_bottle(glb *g, const char *name, double x, double y, double z, int material)
{
    static const double body[][2] = {{0, 0},         {0.034, 0},     {0.0365, 0.004}, {0.0365, 0.135}, {0.034, 0.152},
                                     {0.024, 0.178}, {0.016, 0.198}, {0.0145, 0.226}, {0, 0.226}};
    static const double cap[][2] = {{0, 0.2255}, {0.0165, 0.2255}, {0.0165, 0.243}, {0.0155, 0.245}, {0, 0.245}};
    int dark = glb_material(g, "cap", 0.05, 0.05, 0.05), materials[2] = {material, dark};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, body, 9, 32);
    shape_lathe(&s[1], &f, cap, 5, 32);
    glb_object(g, name, x, y + gap, z, 0, s, materials, 2);
}

static void add_mug(glb *g, const char *name, double x, double y, double z, double yaw, int material)
{
    static const double wall[][2] = {{0, 0},         {0.036, 0},      {0.040, 0.004}, {0.041, 0.095},
                                     {0.038, 0.095}, {0.0365, 0.008}, {0, 0.008}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 7, 32);
    f = frame_at(0.0385, 0.05, 0);
    shape_handle(&s, &f, 0.026, 0.005);
    one(g, name, x, y + gap, z, yaw, &s, material);
}

static void add_book(glb *g, const char *name, double x, double y, double z, double yaw, const double size[3],
                     int cover)
{
    int paper = glb_material(g, "paper", 0.80, 0.77, 0.66), materials[2] = {cover, paper};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, size[0], 0.003, size[2], 0.0008);
    f = frame_at(0, size[1] - 0.003, 0);
    shape_box(&s[0], &f, size[0], 0.003, size[2], 0.0008);
    f = frame_at(-size[0] / 2 + 0.0015, 0.0015, 0);
    shape_box(&s[0], &f, 0.003, size[1] - 0.003, size[2], 0.0008);
    f = frame_at(0, 0.002, 0);
    shape_box(&s[1], &f, size[0] - 0.012, size[1] - 0.004, size[2] - 0.012, 0);
    glb_object(g, name, x, y + gap, z, yaw, s, materials, 2);
}

static void add_phone(glb *g, const char *name, double x, double y, double z, double yaw)
{
    int shell = glb_material(g, "phone shell", 0.30, 0.32, 0.36),
        glass = glb_material(g, "phone glass", 0.015, 0.02, 0.035);
    int materials[2] = {shell, glass};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.076, 0.0085, 0.158, 0.0018);
    f = frame_at(0, 0.008, 0);
    shape_box(&s[1], &f, 0.068, 0.0008, 0.146, 0);
    glb_object(g, name, x, y + gap, z, yaw, s, materials, 2);
}

static void add_plant(glb *g, const char *name, double x, double y, double z)
{
    static const double pot[][2] = {{0, 0},         {0.048, 0},     {0.066, 0.105}, {0.071, 0.107},
                                    {0.071, 0.125}, {0.062, 0.125}, {0.060, 0.108}, {0, 0.108}};
    int clay = glb_material(g, "terracotta", 0.48, 0.17, 0.08), green = glb_material(g, "leaf", 0.06, 0.27, 0.05);
    int materials[2] = {clay, green};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, pot, 8, 32);
    for (int i = 0; i < 14; i++) {
        f = frame_turned(frame_at(0, 0.10, 0), 1, 137.5 * i - 360 * (int)(137.5 * i / 360));
        f = frame_turned(f, 2, 14 + 3.2 * i);
        shape_leaf(&s[1], &f, 0.25 - 0.008 * i, 0.052, 0.006);
    }
    glb_object(g, name, x, y + gap, z, 0, s, materials, 2);
}

static void add_pen(glb *g, const char *name, double x, double y, double z, double yaw)
{
    static const double barrel[][2] = {{0, 0},         {0.0015, 0.001}, {0.0045, 0.016}, {0.005, 0.018},
                                       {0.005, 0.138}, {0.004, 0.142},  {0, 0.142}};
    int ink = glb_material(g, "pen blue", 0.02, 0.05, 0.36);
    shape s = {0};
    frame f = frame_turned(frame_at(0, 0.005, 0.071), 0, -90);
    shape_lathe(&s, &f, barrel, 7, 16);
    one(g, name, x, y + gap, z, yaw, &s, ink);
}

static void add_lamp(glb *g, const char *name, double x, double y, double z)
{
    static const double foot[][2] = {{0, 0},         {0.085, 0},     {0.085, 0.012}, {0.078, 0.018},
                                     {0.012, 0.024}, {0.008, 0.034}, {0.008, 0.32},  {0, 0.32}};
    static const double shade[][2] = {{0.115, 0.27}, {0.118, 0.27}, {0.073, 0.43}, {0.07, 0.43}, {0.115, 0.27}};
    static const double bulb[][2] = {{0, 0.315},    {0.014, 0.318}, {0.028, 0.345},
                                     {0.026, 0.37}, {0.014, 0.386}, {0, 0.39}};
    int brass = glb_material(g, "brass", 0.42, 0.28, 0.10), linen = glb_material(g, "linen", 0.75, 0.66, 0.48);
    int materials[2] = {brass, linen};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, foot, 8, 32);
    shape_lathe(&s[1], &f, shade, 5, 32);
    shape_lathe(&s[1], &f, bulb, 6, 16);
    frame bar = frame_turned(frame_at(-0.092, 0.35, 0), 2, -90); /* carries the shade */
    shape_box(&s[0], &bar, 0.005, 0.184, 0.005, 0);
    glb_object(g, name, x, y + gap, z, 0, s, materials, 2);
}

static void add_cup(glb *g, const char *name, double x, double y, double z, int material)
{
    static const double wall[][2] = {{0, 0}, {0.026, 0}, {0.037, 0.07}, {0.035, 0.07}, {0.024, 0.004}, {0, 0.004}};
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, wall, 6, 32);
    one(g, name, x, y + gap, z, 0, &s, material);
}

/* `plain`: names as an exporter gives them, so that only the colours tell which is meant. */
static void write_bottles(const char *folder, const char *file, int plain)
{
    static const char *const told[] = {"Yellow Block", "Blue Block", "Red Bottle", "Green Bottle", "Blue Bottle"};
    static const char *const untold[] = {"Block", "Block.001", "Bottle", "Bottle.001", "Bottle.002"};
    const char *const *names = plain ? untold : told;
    const double top = 0.74, big[3] = {0.42, 0.10, 0.26}, small[3] = {0.16, 0.10, 0.16};
    glb *g = glb_new();
    int yellow = glb_material(g, plain ? "paint" : "yellow paint", 0.86, 0.62, 0.02),
        blue = glb_material(g, plain ? "paint.001" : "blue paint", 0.03, 0.12, 0.60);
    int red_glass = glb_material(g, plain ? "glass" : "red glass", 0.62, 0.02, 0.02);
    int green_glass = glb_material(g, plain ? "glass.001" : "green glass", 0.02, 0.36, 0.06);
    int blue_glass = glb_material(g, plain ? "glass.002" : "blue glass", 0.02, 0.09, 0.62);
    add_room(g, 4.4, 3.6);
    add_table(g, "Table", 1.5, 0.8, top);
    add_block(g, names[0], 0.30, top, -0.08, 0, big, yellow);
    add_block(g, names[1], -0.52, top, -0.16, 20, small, blue);
    add_bottle(g, names[2], -0.34, top, 0.20, red_glass);
    add_bottle(g, names[3], -0.12, top, 0.04, green_glass);
    add_bottle(g, names[4], 0.12, top, 0.25, blue_glass);
    const double eye[3] = {0, 1.62, 1.75}, target[3] = {0, 0.74, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, file);
    glb_free(g);
}

static void write_desk(const char *folder)
{
    const double top = 0.74, box[3] = {0.40, 0.12, 0.32}, book[3] = {0.19, 0.035, 0.25};
    glb *g = glb_new();
    int card = glb_material(g, "cardboard", 0.42, 0.27, 0.14), green = glb_material(g, "green cloth", 0.03, 0.20, 0.10);
    int white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    add_room(g, 4.4, 3.6);
    add_table(g, "Desk", 1.5, 0.8, top);
    add_block(g, "Box", -0.42, top, -0.12, 0, box, card);
    add_mug(g, "Mug", -0.42, top + box[1] + gap, -0.12, 30, white);
    add_book(g, "Book", 0.02, top, 0.16, 5, book, green);
    add_phone(g, "Phone", 0.30, top, 0.22, -8);
    add_pen(g, "Pen", -0.22, top, 0.24, 75);
    add_plant(g, "Plant", 0.62, top, -0.26);
    add_lamp(g, "Lamp", 0.24, top, -0.26);
    const double eye[3] = {0, 1.62, 1.75}, target[3] = {0, 0.76, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, "desk.glb");
    glb_free(g);
}

/* The tray holds both boxes only if neither stands near its middle: with a (0.26 m) in the middle 0.17 m are left on
 * every side for b (0.23 m). `strip`: a narrow tray, on which the boxes must stand in a row. */
static void write_crowded(const char *folder, const char *file, int strip)
{
    const double top = 0.74, a[3] = {0.26, 0.20, 0.26}, b[3] = {0.23, 0.16, 0.23},
                 tray[3] = {0.60, 0.03, strip ? 0.30 : 0.60};
    glb *g = glb_new();
    int steel = glb_material(g, "steel", 0.50, 0.53, 0.56), red = glb_material(g, "red paint", 0.58, 0.03, 0.03);
    int blue = glb_material(g, "blue paint", 0.03, 0.12, 0.60),
        white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    add_room(g, 4.4, 3.6);
    add_table(g, "Table", 1.5, 0.9, top);
    add_block(g, "Tray", 0, top, -0.02, 0, tray, steel);
    add_block(g, "Red Box", -0.50, top, 0.16, 0, a, red);
    add_block(g, "Blue Box", 0.48, top, 0.16, 0, b, blue);
    add_cup(g, "Cup", -0.45, top, -0.22, white);
    const double eye[3] = {0, 2.05, 1.22}, target[3] = {0, 0.77, 0.02};
    glb_camera(g, "Camera", eye, target, 38);
    glb_write(g, folder, file);
    glb_free(g);
}

static void write_stacked(const char *folder)
{
    const double top = 0.74, block[3] = {0.42, 0.08, 0.30}, book[3] = {0.20, 0.04, 0.27}, tray[3] = {0.36, 0.015, 0.24};
    glb *g = glb_new();
    int yellow = glb_material(g, "yellow paint", 0.86, 0.62, 0.02),
        red = glb_material(g, "red cloth", 0.45, 0.03, 0.03);
    int wood = glb_material(g, "walnut", 0.16, 0.08, 0.04), white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    int blue = glb_material(g, "blue glaze", 0.03, 0.12, 0.60),
        green = glb_material(g, "green glaze", 0.03, 0.36, 0.08);
    add_room(g, 4.4, 3.6);
    add_table(g, "Table", 1.6, 0.9, top);
    add_block(g, "Yellow Block", 0.42, top, -0.18, 0, block, yellow);
    add_book(g, "Book", -0.42, top, 0.20, 0, book, red);
    add_mug(g, "Mug", -0.42, top + book[1] + gap, 0.20, 60, white);
    add_block(g, "Tray", -0.42, top, -0.24, 0, tray, wood);
    add_cup(g, "Blue Cup", -0.51, top + tray[1] + gap, -0.24, blue);
    add_cup(g, "Green Cup", -0.33, top + tray[1] + gap, -0.24, green);
    const double eye[3] = {0, 1.72, 1.75}, target[3] = {0, 0.74, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, "stacked.glb");
    glb_free(g);
}

/* What `etna solve` is tried on: a mug for the desk, a picture flat on the wall, a chair to put before the table, a book
 * for a book. */
static void write_office(const char *folder)
{
    const double desk = 0.74, table = 0.72, red_size[3] = {0.17, 0.03, 0.24}, blue_size[3] = {0.21, 0.045, 0.28};
    glb *g = glb_new();
    int oak = glb_material(g, "oak", 0.47, 0.29, 0.15), white = glb_material(g, "white laminate", 0.74, 0.73, 0.70);
    int red = glb_material(g, "red cloth", 0.45, 0.03, 0.03), blue = glb_material(g, "blue cloth", 0.03, 0.09, 0.36);
    int glaze = glb_material(g, "yellow glaze", 0.80, 0.52, 0.05);
    add_room(g, 5, 4);
    add_table_at(g, "Desk", -1.0, -1.35, 1.5, 0.75, desk, oak);
    add_table_at(g, "Table", 0.95, -0.25, 1.1, 0.75, table, white);
    add_chair(g, "Chair", -0.55, 0.25, 25);
    add_picture(g, "Picture Frame", 0.95, 1.25, -1.9);
    add_mug(g, "Mug", 0.62, table, -0.05, 40, glaze);
    add_book(g, "Blue Book", 1.15, table, -0.25, -12, blue_size, blue);
    add_book(g, "Red Book", -1.30, desk, -1.20, 8, red_size, red);
    add_lamp(g, "Lamp", -0.50, desk, -1.50);
    add_plant(g, "Plant", -1.55, desk, -1.50);
    const double eye[3] = {0, 2.0, 2.6}, target[3] = {0, 0.72, -0.75};
    glb_camera(g, "Camera", eye, target, 48);
    glb_write(g, folder, "office.glb");
    glb_free(g);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strncmp(argv[1], "-", 1) == 0) {
        fprintf(stderr,
                "usage: scene-generator OUTDIR\nWrites the fixture scenes of tests/scenes into an existing folder.\n");
        return 2;
    }
    write_bottles(argv[1], "bottles.glb", 0);
    write_bottles(argv[1], "bottles_plain.glb", 1);
    write_desk(argv[1]);
    write_crowded(argv[1], "crowded.glb", 0);
    write_crowded(argv[1], "crowded_strip.glb", 1);
    write_stacked(argv[1]);
    write_office(argv[1]);
    return 0;
}
