/* office.glb: see scenes.h. */
#include "furniture.h"
#include "scenes.h"

/* What `etna solve` is tried on: a mug for the desk, a picture flat on the
 * wall, a chair to put before the table, a book for a book. */
void scenes_office(const char *folder)
{
    const double desk = 0.74, table = 0.72, red_size[3] = {0.17, 0.03, 0.24},
                 blue_size[3] = {0.21, 0.045, 0.28};
    glb *g = glb_new();
    int oak = glb_textured(g, "oak", 0.58, 0.36, 0.19, TEXTURE_WOOD),
        white = glb_material(g, "white laminate", 0.74, 0.73, 0.70);
    int red = glb_material(g, "red cloth", 0.45, 0.03, 0.03),
        blue = glb_material(g, "blue cloth", 0.03, 0.09, 0.36);
    int glaze = glb_material(g, "yellow glaze", 0.80, 0.52, 0.05);
    furniture_room(g, 5, 4);
    furniture_table_at(g, "Desk", -1.0, -1.35, 1.5, 0.75, desk, oak);
    furniture_table_at(g, "Table", 0.95, -0.25, 1.1, 0.75, table, white);
    furniture_chair(g, "Chair", -0.55, 0.25, 25);
    furniture_picture(g, "Picture Frame", 0.95, 1.25, -1.9);
    furniture_mug(g, "Mug", 0.62, table, -0.05, 40, glaze);
    furniture_book(g, "Blue Book", 1.15, table, -0.25, -12, blue_size, blue);
    furniture_book(g, "Red Book", -1.30, desk, -1.20, 8, red_size, red);
    furniture_lamp(g, "Lamp", -0.50, desk, -1.50);
    furniture_plant(g, "Plant", -1.55, desk, -1.50);
    const double eye[3] = {0, 2.0, 2.6}, target[3] = {0, 0.72, -0.75};
    glb_camera(g, "Camera", eye, target, 48);
    glb_write(g, folder, "office.glb");
    glb_free(g);
}
