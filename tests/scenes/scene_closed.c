/* closed.glb: a bedroom closed on all sides, in which nobody put a camera: one
 * must be derived (README.md). */
#include "furniture.h"
#include "scenes.h"

void scenes_closed(const char *folder)
{
    const double width = 4.4, depth = 3.8, back = -depth / 2, table = 0.74,
                 stand = 0.52;
    const double wardrobe[3] = {1.10, 2.05, 0.58},
                 book[3] = {0.17, 0.032, 0.24};
    glb *g = glb_new();
    int planks =
        glb_textured(g, "dark oak planks", 0.44, 0.27, 0.15, TEXTURE_PLANKS);
    int plaster =
        glb_textured(g, "pale plaster", 0.70, 0.74, 0.74, TEXTURE_PLASTER);
    int oak = glb_textured(g, "oak wood", 0.56, 0.34, 0.17, TEXTURE_WOOD);
    int pine = glb_textured(g, "pine wood", 0.74, 0.52, 0.30, TEXTURE_WOOD);
    int white = glb_material(g, "white paint", 0.78, 0.78, 0.76),
        brass = glb_metal(g, "brass", 0.62, 0.42, 0.16);
    int blue = glb_textured(g, "blue wool", 0.10, 0.22, 0.42, TEXTURE_CLOTH);
    int linen = glb_textured(g, "white linen", 0.84, 0.83, 0.80, TEXTURE_CLOTH);
    int red = glb_material(g, "red cover", 0.45, 0.03, 0.03),
        clay = glb_material(g, "terracotta", 0.50, 0.20, 0.10);

    furniture_walls(g, width, depth, 2.5,
                    FURNITURE_BACK | FURNITURE_LEFT | FURNITURE_RIGHT |
                        FURNITURE_FRONT | FURNITURE_CEILING,
                    planks, plaster);
    furniture_window(g, "Window", width / 2 - FURNITURE_GAP, 0.95, -0.15, -90,
                     1.20, 1.15, white);
    furniture_door(g, "Door", -1.45, depth / 2 - FURNITURE_GAP, 180, white,
                   brass);
    furniture_bed(g, "Bed", -1.20, back + 1.05, 0, 1.50, oak, blue, linen);
    furniture_nightstand(g, "Nightstand", -0.12, back + 0.21, 0, 0.50, stand,
                         oak, brass);
    furniture_book(g, "Book", -0.265, stand + FURNITURE_GAP, back + 0.22, 5,
                   book, red);
    furniture_picture(g, "Picture", -1.20, 1.35, back);
    furniture_cabinet(g, "Wardrobe", 1.50, back + wardrobe[2] / 2 + 0.02, 0,
                      wardrobe, pine, pine, brass);
    furniture_fine_table(g, "Table", width / 2 - 0.34, -0.15, 90, 1.20, 0.62,
                         table, pine, white);
    furniture_lamp(g, "Lamp", width / 2 - 0.24, table + FURNITURE_GAP, -0.55);
    furniture_mug(g, "Mug", width / 2 - 0.42, table + FURNITURE_GAP, 0.25, 200,
                  blue);
    furniture_chair(g, "Chair", 1.20, -0.10, 75);
    furniture_floor_plant(g, "Plant", 1.75, 1.40, clay);
    glb_write(g, folder, "closed.glb");
    glb_free(g);
}
