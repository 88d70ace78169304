/* living.glb: a living room for goals about whole pieces of furniture
 * (README.md). The middle of the room is free, so that whatever has to make way
 * finds a place. */
#include "furniture.h"
#include "scenes.h"

void scenes_living(const char *folder)
{
    const double width = 5.6, depth = 5.2, shelf[3] = {1.65, 1.50, 0.38},
                 cabinet[3] = {1.10, 0.82, 0.42};
    const double back = -depth / 2 + 0.002, pitch = (shelf[1] - 0.025) / 4;
    const double floor_of[4] = {0.025, pitch + 0.025, 2 * pitch + 0.025,
                                3 * pitch + 0.025};
    glb *g = glb_new();
    int planks =
        glb_textured(g, "oak planks", 0.62, 0.42, 0.26, TEXTURE_PLANKS);
    int plaster =
        glb_textured(g, "white plaster", 0.78, 0.74, 0.66, TEXTURE_PLASTER);
    int oak = glb_textured(g, "oak wood", 0.56, 0.34, 0.17, TEXTURE_WOOD);
    int walnut =
        glb_textured(g, "walnut wood", 0.26, 0.14, 0.075, TEXTURE_WOOD);
    int lacquer = glb_material(g, "white lacquer", 0.80, 0.80, 0.78),
        steel = glb_metal(g, "steel", 0.42, 0.43, 0.45);
    int grey = glb_textured(g, "grey cloth", 0.36, 0.38, 0.42, TEXTURE_CLOTH);
    int mustard =
        glb_textured(g, "mustard cloth", 0.78, 0.46, 0.08, TEXTURE_CLOTH);
    int black = glb_metal(g, "black steel", 0.03, 0.03, 0.035),
        brass = glb_metal(g, "brass", 0.62, 0.42, 0.16);
    int glow = glb_glowing(g, "light bulb", 1.0, 0.86, 0.6),
        blue = glb_material(g, "blue glaze", 0.05, 0.17, 0.45);
    int teal = glb_material(g, "teal glaze", 0.04, 0.34, 0.34),
        clay = glb_material(g, "terracotta", 0.50, 0.20, 0.10);
    int green =
        glb_textured(g, "green lacquer", 0.20, 0.34, 0.26, TEXTURE_PLASTER);

    furniture_walls(g, width, depth, 2.75,
                    FURNITURE_BACK | FURNITURE_LEFT | FURNITURE_RIGHT, planks,
                    plaster);
    furniture_shelf(g, "Shelf", 1.10, back + shelf[2] / 2, 0, shelf, 3, 4,
                    walnut, walnut);
    for (int i = 0; i < 2; i++) /* in two of its twelve compartments */
        furniture_row_of_books(g, i ? "Novels" : "Books",
                               1.10 + (i ? 0.60 : -0.59), floor_of[i ? 1 : 2],
                               back + 0.20, 0, i ? 9 : 11);
    furniture_chair(g, "Chair", 0.75, -1.70, 20);
    furniture_floor_plant(g, "Plant", 1.50, -1.70, clay);
    furniture_cabinet(g, "Cabinet", -0.90, back + cabinet[2] / 2, 0, cabinet,
                      green, green, brass);
    furniture_bowl(g, "Bowl", -0.85, cabinet[1] + FURNITURE_GAP,
                   back + cabinet[2] / 2, teal);
    furniture_picture(g, "Picture", -0.90, 1.30, -depth / 2);
    furniture_window(g, "Window", -width / 2 + FURNITURE_GAP, 1.10, 0.75, 90,
                     1.30, 1.20, lacquer);
    furniture_sofa(g, "Sofa", -2.33, -0.30, 90, 2.05, grey, walnut);
    furniture_fine_table(g, "Wooden Table", -1.05, -0.30, 90, 0.90, 0.60, 0.46,
                         oak, oak);
    furniture_vase(g, "Vase", -1.05, 0.46 + FURNITURE_GAP, -0.25, blue);
    furniture_round_sofa(g, "Round Sofa", 0.30, 0.30, -50, 0.86, mustard,
                         walnut);
    furniture_fine_table(g, "Long Table", 1.80, 0.30, 0, 1.70, 0.62, 0.74,
                         lacquer, steel);
    furniture_floor_lamp(g, "Floor Lamp", 2.40, -1.15, -90, black, brass, glow);

    const double eye[3] = {0.15, 2.25, 5.2}, target[3] = {0.02, 0.66, -0.7};
    glb_camera(g, "Camera", eye, target, 48);
    glb_write(g, folder, "living.glb");
    glb_free(g);
}
