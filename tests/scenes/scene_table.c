/* The scenes of things on one table that unit tests and the search are tried
 * on: sizes matter to the centimetre (README.md says why). */
#include "furniture.h"
#include "scenes.h"

/* `plain`: names as an exporter gives them, so that only the colours tell which
 * is meant. */
static void write_bottles(const char *folder, const char *file, int plain)
{
    static const char *const told[] = {"Yellow Block", "Blue Block",
                                       "Red Bottle", "Green Bottle",
                                       "Blue Bottle"};
    static const char *const untold[] = {"Block", "Block.001", "Bottle",
                                         "Bottle.001", "Bottle.002"};
    const char *const *names = plain ? untold : told;
    const double top = 0.74, big[3] = {0.42, 0.10, 0.26},
                 small[3] = {0.16, 0.10, 0.16};
    glb *g = glb_new();
    int yellow =
            glb_material(g, plain ? "paint" : "yellow paint", 0.86, 0.62, 0.02),
        blue = glb_material(g, plain ? "paint.001" : "blue paint", 0.03, 0.12,
                            0.60);
    int red_glass =
        glb_material(g, plain ? "glass" : "red glass", 0.62, 0.02, 0.02);
    int green_glass =
        glb_material(g, plain ? "glass.001" : "green glass", 0.02, 0.36, 0.06);
    int blue_glass =
        glb_material(g, plain ? "glass.002" : "blue glass", 0.02, 0.09, 0.62);
    furniture_room(g, 4.4, 3.6);
    furniture_table(g, "Table", 1.5, 0.8, top);
    furniture_block(g, names[0], 0.30, top, -0.08, 0, big, yellow);
    furniture_block(g, names[1], -0.52, top, -0.16, 20, small, blue);
    furniture_bottle(g, names[2], -0.34, top, 0.20, red_glass);
    furniture_bottle(g, names[3], -0.12, top, 0.04, green_glass);
    furniture_bottle(g, names[4], 0.12, top, 0.25, blue_glass);
    const double eye[3] = {0, 1.62, 1.75}, target[3] = {0, 0.74, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, file);
    glb_free(g);
}

static void write_desk(const char *folder)
{
    const double top = 0.74, box[3] = {0.40, 0.12, 0.32},
                 book[3] = {0.19, 0.035, 0.25};
    glb *g = glb_new();
    int card = glb_material(g, "cardboard", 0.42, 0.27, 0.14),
        green = glb_material(g, "green cloth", 0.03, 0.20, 0.10);
    int white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    furniture_room(g, 4.4, 3.6);
    furniture_table(g, "Desk", 1.5, 0.8, top);
    furniture_block(g, "Box", -0.42, top, -0.12, 0, box, card);
    furniture_mug(g, "Mug", -0.42, top + box[1] + FURNITURE_GAP, -0.12, 30,
                  white);
    furniture_book(g, "Book", 0.02, top, 0.16, 5, book, green);
    furniture_phone(g, "Phone", 0.30, top, 0.22, -8);
    furniture_pen(g, "Pen", -0.22, top, 0.24, 75);
    furniture_plant(g, "Plant", 0.62, top, -0.26);
    furniture_lamp(g, "Lamp", 0.24, top, -0.26);
    const double eye[3] = {0, 1.62, 1.75}, target[3] = {0, 0.76, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, "desk.glb");
    glb_free(g);
}

/* The tray holds both boxes only if neither stands near its middle: with a
 * (0.26 m) in the middle 0.17 m are left on every side for b (0.23 m). `strip`:
 * a narrow tray, on which the boxes must stand in a row. */
static void write_crowded(const char *folder, const char *file, int strip)
{
    const double top = 0.74, a[3] = {0.26, 0.20, 0.26},
                 b[3] = {0.23, 0.16, 0.23},
                 tray[3] = {0.60, 0.03, strip ? 0.30 : 0.60};
    glb *g = glb_new();
    int steel = glb_material(g, "steel", 0.50, 0.53, 0.56),
        red = glb_material(g, "red paint", 0.58, 0.03, 0.03);
    int blue = glb_material(g, "blue paint", 0.03, 0.12, 0.60),
        white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    furniture_room(g, 4.4, 3.6);
    furniture_table(g, "Table", 1.5, 0.9, top);
    furniture_block(g, "Tray", 0, top, -0.02, 0, tray, steel);
    furniture_block(g, "Red Box", -0.50, top, 0.16, 0, a, red);
    furniture_block(g, "Blue Box", 0.48, top, 0.16, 0, b, blue);
    furniture_cup(g, "Cup", -0.45, top, -0.22, white);
    const double eye[3] = {0, 2.05, 1.22}, target[3] = {0, 0.77, 0.02};
    glb_camera(g, "Camera", eye, target, 38);
    glb_write(g, folder, file);
    glb_free(g);
}

static void write_stacked(const char *folder)
{
    const double top = 0.74, block[3] = {0.42, 0.08, 0.30},
                 book[3] = {0.20, 0.04, 0.27}, tray[3] = {0.36, 0.015, 0.24};
    glb *g = glb_new();
    int yellow = glb_material(g, "yellow paint", 0.86, 0.62, 0.02),
        red = glb_material(g, "red cloth", 0.45, 0.03, 0.03);
    int wood = glb_material(g, "walnut", 0.16, 0.08, 0.04),
        white = glb_material(g, "white glaze", 0.80, 0.80, 0.78);
    int blue = glb_material(g, "blue glaze", 0.03, 0.12, 0.60),
        green = glb_material(g, "green glaze", 0.03, 0.36, 0.08);
    furniture_room(g, 4.4, 3.6);
    furniture_table(g, "Table", 1.6, 0.9, top);
    furniture_block(g, "Yellow Block", 0.42, top, -0.18, 0, block, yellow);
    furniture_book(g, "Book", -0.42, top, 0.20, 0, book, red);
    furniture_mug(g, "Mug", -0.42, top + book[1] + FURNITURE_GAP, 0.20, 60,
                  white);
    furniture_block(g, "Tray", -0.42, top, -0.24, 0, tray, wood);
    furniture_cup(g, "Blue Cup", -0.51, top + tray[1] + FURNITURE_GAP, -0.24,
                  blue);
    furniture_cup(g, "Green Cup", -0.33, top + tray[1] + FURNITURE_GAP, -0.24,
                  green);
    const double eye[3] = {0, 1.72, 1.75}, target[3] = {0, 0.74, 0};
    glb_camera(g, "Camera", eye, target, 42);
    glb_write(g, folder, "stacked.glb");
    glb_free(g);
}

void scenes_table(const char *folder)
{
    write_bottles(folder, "bottles.glb", 0);
    write_bottles(folder, "bottles_plain.glb", 1);
    write_desk(folder);
    write_crowded(folder, "crowded.glb", 0);
    write_crowded(folder, "crowded_strip.glb", 1);
    write_stacked(folder);
}
