/* The garden: a laid table on a terrace, uneven lawn around it (README.md). */
#include "furniture.h"
#include "pieces.h"
#include "scenes.h"

static const double terrace_thick = 0.06, table_top = 0.74;

/* 1 up to near, 0 from far on */
static double smooth_fall(double d, double near, double far)
{
    double t = d < near ? 0 : d > far ? 1 : (d - near) / (far - near);
    return 1 - t * t * (3 - 2 * t);
}

static double wave(double turns)
{
    double sine, cosine;
    shapes_sincos(6.2831853 * (turns - (double)(long long)turns), &sine,
                  &cosine);
    return sine;
}

/* Hills; level under the terrace (its top is at 0) and where the ball and the
 * watering can stand. */
static double lawn_height(double x, double z)
{
    static const double level[][2] = {{1.25, 1.60}, {-1.35, 1.65}};
    double h = 0.09 * wave(0.31 * x + 0.17 * z + 3.2) +
               0.06 * wave(0.45 * z - 0.22 * x + 3.7) +
               0.03 * wave(0.9 * x + 0.6 * z + 9.1);
    if (z < -3)
        h += 0.05 * (z + 3) * (z + 3);
    for (int i = 0; i < 2; i++) {
        double dx = x - level[i][0], dz = z - level[i][1],
               w = smooth_fall(dx * dx + dz * dz, 0.36, 1.4);
        h += w * (-0.05 - h);
    }
    double dx = (x < 0 ? -x : x) - 1.95,
           dz = (z < -0.4 ? -0.4 - z : z + 0.4) - 1.35, d = dx > dz ? dx : dz;
    h += smooth_fall(d, 0.30, 0.9) * (-terrace_thick - FURNITURE_GAP - h);
    return h;
}

static uint32_t add_point(
    shape *s, const double p[3], const double n[3], double u, double v)
{
    uint32_t i = s->vertex_count++;
    if (i == s->vertex_room) {
        s->vertex_room = s->vertex_room ? 2 * s->vertex_room : 256;
        s->position =
            shapes_grow(s->position, s->vertex_room * 3 * sizeof *s->position);
        s->normal =
            shapes_grow(s->normal, s->vertex_room * 3 * sizeof *s->normal);
        s->uv = shapes_grow(s->uv, s->vertex_room * 2 * sizeof *s->uv);
    }
    for (int k = 0; k < 3; k++) {
        s->position[3 * i + k] = (float)p[k];
        s->normal[3 * i + k] = (float)n[k];
    }
    s->uv[2 * i] = (float)u;
    s->uv[2 * i + 1] = (float)v;
    return i;
}

static void add_face(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->index_count + 3 > s->index_room) {
        s->index_room = s->index_room ? 2 * s->index_room : 1024;
        s->index = shapes_grow(s->index, s->index_room * sizeof *s->index);
    }
    s->index[s->index_count++] = a;
    s->index[s->index_count++] = b;
    s->index[s->index_count++] = c;
}

/* A sheet of the lawn's heights. */
static void add_lawn(glb *g)
{
    enum {
        across = 48,
        deep = 40
    };
    const double step = 0.30, left = -0.5 * step * across, far = -7.8;
    int grass = glb_textured(g, "grass", 0.30, 0.52, 0.14, TEXTURE_GRASS);
    shape s = {0};
    for (int j = 0; j <= deep; j++)
        for (int i = 0; i <= across; i++) {
            double x = left + i * step, z = far + j * step;
            double slope_x =
                (lawn_height(x + 0.02, z) - lawn_height(x - 0.02, z)) / 0.04;
            double slope_z =
                (lawn_height(x, z + 0.02) - lawn_height(x, z - 0.02)) / 0.04;
            double size = 1 + slope_x * slope_x + slope_z * slope_z,
                   n[3] = {-slope_x, 1, -slope_z};
            /* its root, near 1 */
            size = 0.5 * (1 + size) - 0.125 * (size - 1) * (size - 1);
            for (int k = 0; k < 3; k++)
                n[k] /= size;
            const double p[3] = {x, lawn_height(x, z), z};
            add_point(&s, p, n, x, z);
        }
    for (uint32_t j = 0; j < deep; j++)
        for (uint32_t i = 0; i < across; i++) {
            uint32_t a = j * (across + 1) + i, b = a + across + 1;
            add_face(&s, a, b, b + 1);
            add_face(&s, a, b + 1, a + 1);
        }
    furniture_one(g, "Lawn", 0, 0, 0, 0, &s, grass);
}

static void add_terrace(glb *g)
{
    int flags = glb_textured(g, "sandstone", 0.62, 0.55, 0.44, TEXTURE_TILES);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, 4.0, terrace_thick, 2.7, 0.006);
    furniture_one(g, "Terrace", 0, -terrace_thick, -0.4, 0, &s, flags);
}

static void add_garden_wall(glb *g)
{
    int brick = glb_textured(g, "brick", 0.52, 0.24, 0.16, TEXTURE_BRICK),
        cap = glb_textured(g, "coping", 0.55, 0.53, 0.50, TEXTURE_STONE);
    int materials[2] = {brick, cap};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, -0.4, 0);
    shape_box(&s[0], &f, 9.0, 1.6, 0.24, 0);
    f = frame_at(0, 1.2, 0);
    shape_box(&s[1], &f, 9.06, 0.07, 0.32, 0.008);
    glb_object(g, "Garden Wall", 0, 0, -3.2, 0, s, materials, 2);
}

static void add_tree(glb *g)
{
    static const double crown[][4] = {
        {0, 2.55, 0, 0.95},       {-0.75, 2.25, 0.1, 0.62},
        {0.75, 2.30, 0.1, 0.66},  {0.20, 2.20, 0.55, 0.60},
        {-0.35, 3.05, 0, 0.62},   {0.45, 3.00, -0.1, 0.64},
        {-0.20, 2.15, -0.5, 0.60}};
    static const double trunk[][2] = {{0, -0.4},   {0.24, -0.4}, {0.17, 0.2},
                                      {0.13, 1.2}, {0.11, 2.1},  {0, 2.1}};
    int bark = glb_textured(g, "bark", 0.28, 0.19, 0.12, TEXTURE_WOOD),
        leaves = glb_textured(g, "leaves", 0.20, 0.42, 0.12, TEXTURE_GRASS);
    int materials[2] = {bark, leaves};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, trunk, 6, 20);
    for (int i = 0; i < 7; i++) {
        f = frame_at(crown[i][0], crown[i][1], crown[i][2]);
        piece_ball(&s[1], &f, crown[i][3], 0.86);
    }
    glb_object(g, "Tree", -2.5, 0.15, -4.4, 0, s, materials, 2);
}

/* Slats along x on two trestles. */
static void add_garden_table(glb *g, double x, double z)
{
    enum {
        slats = 9
    };
    const double width = 1.50, slat = 0.092, gap = 0.005,
                 depth = slats * slat + (slats - 1) * gap;
    int teak = glb_textured(g, "teak", 0.58, 0.36, 0.18, TEXTURE_WOOD);
    shape s = {0};
    for (int i = 0; i < slats; i++) {
        frame f = frame_at(0, table_top - 0.026,
                           (i - (slats - 1) / 2.0) * (slat + gap));
        shape_box(&s, &f, width, 0.026, slat, 0.003);
    }
    for (int side = -1; side < 2; side += 2) {
        frame f = frame_at(side * 0.58, table_top - 0.075, 0);
        shape_box(&s, &f, 0.05, 0.050, depth - 0.04, 0.003);
        f = frame_at(side * 0.58, 0, 0);
        shape_box(&s, &f, 0.06, 0.045, depth - 0.08, 0.004);
        for (int end = -1; end < 2; end += 2) {
            f = frame_at(side * 0.58, 0.04, end * (depth / 2 - 0.12));
            shape_box(&s, &f, 0.055, table_top - 0.11, 0.055, 0.003);
        }
    }
    frame f = frame_at(0, 0.30, 0);
    shape_box(&s, &f, 1.16, 0.06, 0.03, 0.003);
    furniture_one(g, "Garden Table", x, FURNITURE_GAP, z, 0, &s, teak);
}

/* A steel frame with wooden slats; the sitter looks along +Z. */
static void add_garden_chair(
    glb *g, const char *name, double x, double z, double yaw)
{
    int steel = glb_material(g, "green steel", 0.04, 0.18, 0.11),
        teak = glb_textured(g, "teak", 0.58, 0.36, 0.18, TEXTURE_WOOD);
    int materials[2] = {steel, teak};
    shape s[2] = {{0}, {0}};
    for (int side = -1; side < 2; side += 2) {
        const double front[3] = {side * 0.20, 0.004, 0.20},
                     seat_back[3] = {side * 0.20, 0.44, -0.20};
        const double hind[3] = {side * 0.20, 0.004, -0.22},
                     top[3] = {side * 0.20, 0.88, -0.27};
        const double seat_front[3] = {side * 0.20, 0.44, 0.19},
                     arm[3] = {side * 0.20, 0.64, 0.17};
        const double arm_back[3] = {side * 0.20, 0.66, -0.24};
        piece_rod(&s[0], front, arm, 0.011);
        piece_rod(&s[0], hind, seat_back, 0.011);
        piece_rod(&s[0], seat_back, top, 0.011);
        piece_rod(&s[0], seat_front, seat_back, 0.011);
        piece_rod(&s[0], arm, arm_back, 0.011);
        frame f = frame_at(side * 0.20, 0.645, -0.035);
        f = frame_turned(f, 0, 2.8);
        shape_box(&s[1], &f, 0.045, 0.016, 0.40, 0.004);
    }
    for (int i = 0; i < 5; i++) {
        frame f = frame_at(0, 0.445, 0.16 - 0.082 * i);
        shape_box(&s[1], &f, 0.42, 0.016, 0.070, 0.003);
    }
    for (int i = 0; i < 4; i++) {
        frame f = frame_turned(
            frame_at(0, 0.55 + 0.085 * i, -0.205 - 0.0135 * i), 0, -9);
        shape_box(&s[1], &f, 0.42, 0.062, 0.014, 0.003);
    }
    glb_object(g, name, x, FURNITURE_GAP, z, yaw, s, materials, 2);
}

static void add_bench(glb *g, double x, double z)
{
    int teak = glb_textured(g, "teak", 0.58, 0.36, 0.18, TEXTURE_WOOD),
        iron = glb_material(g, "cast iron", 0.05, 0.06, 0.06);
    int materials[2] = {teak, iron};
    shape s[2] = {{0}, {0}};
    for (int i = 0; i < 5; i++) {
        frame f = frame_at(0, 0.42, 0.17 - 0.088 * i);
        shape_box(&s[0], &f, 1.20, 0.022, 0.083, 0.003);
    }
    for (int i = 0; i < 3; i++) {
        frame f = frame_turned(frame_at(0, 0.54 + 0.105 * i, -0.225 - 0.02 * i),
                               0, -11);
        shape_box(&s[0], &f, 1.20, 0.085, 0.020, 0.003);
    }
    for (int side = -1; side < 2; side += 2) {
        for (int end = -1; end < 2; end += 2) {
            frame f = frame_at(side * 0.52, 0, end * 0.19);
            shape_box(&s[1], &f, 0.04, 0.42, 0.05, 0.004);
        }
        frame f = frame_at(side * 0.52, 0.385, 0);
        shape_box(&s[1], &f, 0.04, 0.036, 0.42, 0.004);
        const double low[3] = {side * 0.52, 0.40, -0.205},
                     high[3] = {side * 0.52, 0.85, -0.295};
        piece_rod(&s[1], low, high, 0.016);
    }
    glb_object(g, "Bench", x, FURNITURE_GAP, z, 0, s, materials, 2);
}

/* A pole in a heavy foot; the canopy is an eight-sided cone with a white
 * border. */
static void add_parasol(glb *g, double x, double z)
{
    static const double canopy[][2] = {
        {1.05, 2.20},  {0.55, 2.42},  {0.02, 2.58}, {0.02, 2.565},
        {0.55, 2.405}, {1.05, 2.185}, {1.05, 2.20}};
    static const double border[][2] = {
        {1.24, 2.00},   {1.245, 2.115}, {1.05, 2.201}, {1.05, 2.184},
        {1.235, 2.105}, {1.23, 2.00},   {1.24, 2.00}};
    int red = glb_textured(g, "red canvas", 0.62, 0.07, 0.05, TEXTURE_CLOTH),
        white =
            glb_textured(g, "white canvas", 0.82, 0.80, 0.74, TEXTURE_CLOTH);
    int wood = glb_textured(g, "ash", 0.72, 0.56, 0.38, TEXTURE_WOOD),
        stone = glb_textured(g, "concrete", 0.45, 0.44, 0.42, TEXTURE_STONE);
    int materials[4] = {red, white, wood, stone};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, canopy, 7, 8);
    shape_lathe(&s[1], &f, border, 7, 8);
    piece_cylinder(&s[3], &f, 0.23, 0.07, 0.010);
    f = frame_at(0, 0.06, 0);
    piece_cylinder(&s[3], &f, 0.035, 0.20, 0.004);
    piece_cylinder(&s[2], &f, 0.022, 2.52, 0);
    f = frame_at(0, 2.56, 0);
    piece_ball(&s[2], &f, 0.035, 1.3);
    for (int i = 0; i < 8; i++) { /* ribs to the corners */
        double sine, cosine;
        shapes_sincos(6.283185307 * i / 8, &sine, &cosine);
        const double hub[3] = {0.02 * cosine, 1.85, 0.02 * sine},
                     mid[3] = {0.60 * cosine, 2.375, 0.60 * sine};
        piece_rod(&s[2], hub, mid, 0.007);
    }
    glb_object(g, "Parasol", x, FURNITURE_GAP, z, 22.5, s, materials, 4);
}

static void add_side_table(glb *g, double x, double z, double height)
{
    int steel = glb_metal(g, "white steel", 0.74, 0.75, 0.74);
    shape s = {0};
    frame f = frame_at(0, height - 0.018, 0);
    piece_cylinder(&s, &f, 0.29, 0.018, 0.003);
    for (int i = 0; i < 3; i++) {
        double sine, cosine;
        shapes_sincos(6.283185307 * i / 3, &sine, &cosine);
        const double foot[3] = {0.24 * cosine, 0.0, 0.24 * sine},
                     top[3] = {0.15 * cosine, height - 0.01, 0.15 * sine};
        f = frame_at(0.24 * cosine, 0, 0.24 * sine);
        piece_cylinder(&s, &f, 0.016, 0.012, 0.001);
        const double above[3] = {foot[0], 0.008, foot[2]};
        piece_rod(&s, above, top, 0.009);
    }
    furniture_one(g, "Side Table", x, FURNITURE_GAP, z, 0, &s, steel);
}

/* A kettle grill on three legs, its lid shut. */
static void add_grill(glb *g, double x, double z)
{
    static const double kettle[][2] = {
        {0, 0.52},     {0.10, 0.53},  {0.20, 0.60},  {0.245, 0.70},
        {0.25, 0.725}, {0.255, 0.73}, {0.255, 0.74}, {0.245, 0.76},
        {0.20, 0.86},  {0.10, 0.925}, {0, 0.935}};
    int black = glb_material(g, "black enamel", 0.04, 0.04, 0.05),
        steel = glb_metal(g, "steel", 0.52, 0.53, 0.55);
    int wood = glb_textured(g, "ash", 0.72, 0.56, 0.38, TEXTURE_WOOD),
        materials[3] = {black, steel, wood};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, kettle, 11, 40);
    for (int i = 0; i < 3; i++) {
        double sine, cosine;
        shapes_sincos(6.283185307 * (i + 0.25) / 3, &sine, &cosine);
        f = frame_at(0.25 * cosine, 0, 0.25 * sine);
        piece_cylinder(&s[0], &f, 0.024, 0.02, 0.003);
        const double foot[3] = {0.25 * cosine, 0.012, 0.25 * sine},
                     top[3] = {0.16 * cosine, 0.58, 0.16 * sine};
        piece_rod(&s[1], foot, top, 0.011);
    }
    const double left[3] = {-0.055, 0.975, 0.0}, right[3] = {0.055, 0.975, 0.0};
    piece_rod(&s[2], left, right, 0.013);
    for (int side = -1; side < 2; side += 2) {
        const double low[3] = {side * 0.045, 0.915, 0},
                     high[3] = {side * 0.045, 0.975, 0};
        piece_rod(&s[1], low, high, 0.005);
    }
    glb_object(g, "Grill", x, FURNITURE_GAP, z, 15, s, materials, 3);
}

static void add_drinking_glass(
    glb *g, const char *name, double x, double y, double z)
{
    static const double wall[][2] = {
        {0, 0},         {0.028, 0},      {0.030, 0.002}, {0.036, 0.110},
        {0.034, 0.110}, {0.0275, 0.010}, {0, 0.010}};
    int clear = glb_glass(g, "drinking glass", 0.70, 0.80, 0.80, 0.45),
        orange = glb_material(g, "orange juice", 0.85, 0.42, 0.03);
    int materials[2] = {clear, orange};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, wall, 7, 28);
    static const double juice[][2] = {
        {0, 0.0105}, {0.0265, 0.0105}, {0.0308, 0.065}, {0, 0.065}};
    shape_lathe(&s[1], &f, juice, 4, 28);
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

/* An egg about the frame's middle, `long_way` times as long as wide along its
 * y, of gores that take turns in `s`. */
static void add_gores(shape *s,
                      int kinds,
                      int gores,
                      const frame *f,
                      double radius,
                      double long_way)
{
    enum {
        steps = 5,
        rings = 16
    };
    for (int gore = 0; gore < gores; gore++) {
        shape *own = &s[gore % kinds];
        uint32_t first = own->vertex_count;
        for (int i = 0; i <= rings; i++)
            for (int j = 0; j <= steps; j++) {
                double st, ct, sp, cp, p[3], n[3];
                shapes_sincos(3.14159265358979 * i / rings, &st, &ct);
                shapes_sincos(6.28318530717959 *
                                  ((gore * steps + j) % (gores * steps)) /
                                  (gores * steps),
                              &sp, &cp);
                if (i == 0 || i == rings)
                    st = 0;
                for (int k = 0; k < 3; k++) {
                    n[k] = f->x[k] * st * cp + f->y[k] * ct / long_way +
                           f->z[k] * st * sp;
                    p[k] = f->origin[k] + radius * (f->x[k] * st * cp +
                                                    f->y[k] * ct * long_way +
                                                    f->z[k] * st * sp);
                }
                add_point(own, p, n, 0, 0);
            }
        for (uint32_t i = 0; i < rings; i++)
            for (uint32_t j = 0; j < steps; j++) {
                uint32_t a = first + i * (steps + 1) + j, b = a + steps + 1;
                if (i + 1 < rings)
                    add_face(own, a, b + 1, b);
                if (i > 0)
                    add_face(own, a, a + 1, b + 1);
            }
    }
}

static void add_ball(glb *g, double x, double y, double z)
{
    int red = glb_material(g, "red rubber", 0.75, 0.06, 0.05);
    int white = glb_material(g, "white rubber", 0.85, 0.84, 0.80);
    int blue = glb_material(g, "blue rubber", 0.05, 0.20, 0.65),
        materials[3] = {red, white, blue};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_at(0, 0.13, 0);
    add_gores(s, 3, 6, &f, 0.13, 1);
    glb_object(g, "Ball", x, y + FURNITURE_GAP, z, 30, s, materials, 3);
}

static void add_melon(glb *g, double x, double y, double z, double yaw)
{
    int dark = glb_material(g, "dark rind", 0.02, 0.13, 0.03);
    int light = glb_material(g, "light rind", 0.24, 0.46, 0.12);
    int stalk = glb_material(g, "stalk", 0.30, 0.26, 0.10),
        materials[3] = {dark, light, stalk};
    shape s[3] = {{0}, {0}, {0}};
    frame f = frame_turned(frame_at(0, 0.115, 0), 2, 90);
    add_gores(s, 2, 18, &f, 0.115, 1.35);
    const double low[3] = {0.15, 0.115, 0}, high[3] = {0.18, 0.125, 0.006};
    piece_rod(&s[2], low, high, 0.004);
    glb_object(g, "Watermelon", x, y + FURNITURE_GAP, z, yaw, s, materials, 3);
}

static void add_lantern(glb *g, double x, double y, double z)
{
    int black = glb_material(g, "black iron", 0.04, 0.04, 0.04),
        pane = glb_glass(g, "lantern glass", 0.80, 0.82, 0.78, 0.30);
    int wax = glb_material(g, "ivory wax", 0.80, 0.70, 0.48),
        flame = glb_glowing(g, "flame", 0.95, 0.60, 0.10);
    int materials[4] = {black, pane, wax, flame};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_box(&s[0], &f, 0.12, 0.014, 0.12, 0.002);
    f = frame_at(0, 0.166, 0);
    shape_box(&s[0], &f, 0.126, 0.012, 0.126, 0.002);
    static const double roof[][2] = {
        {0, 0.177}, {0.080, 0.177}, {0.018, 0.225}, {0, 0.225}};
    f = frame_turned(frame_at(0, 0, 0), 1, 45);
    shape_lathe(&s[0], &f, roof, 4, 4);
    for (int i = 0; i < 4; i++) {
        f = frame_at(i & 1 ? 0.053 : -0.053, 0.013, i & 2 ? 0.053 : -0.053);
        shape_box(&s[0], &f, 0.010, 0.154, 0.010, 0);
        f = frame_turned(frame_at(0, 0.014, 0), 1, 90 * i);
        for (int k = 0; k < 3; k++)
            f.origin[k] += 0.052 * f.z[k];
        shape_box(&s[1], &f, 0.096, 0.152, 0.002, 0);
    }
    f = frame_at(0, 0.0135, 0);
    piece_cylinder(&s[2], &f, 0.026, 0.080, 0.002);
    f = frame_at(0, 0.108, 0);
    piece_ball(&s[3], &f, 0.007, 1.9);
    f = frame_turned(frame_at(0, 0.222, 0), 2, 90);
    shape_handle(&s[0], &f, 0.028, 0.003);
    glb_object(g, "Lantern", x, y + FURNITURE_GAP, z, 20, s, materials, 4);
}

static void add_flower_pot(glb *g,
                           const char *name,
                           double x,
                           double y,
                           double z,
                           double size,
                           int petal)
{
    const double pot[][2] = {{0, 0},
                             {0.10 * size, 0},
                             {0.14 * size, 0.21 * size},
                             {0.155 * size, 0.212 * size},
                             {0.155 * size, 0.26 * size},
                             {0.138 * size, 0.26 * size},
                             {0.132 * size, 0.23 * size},
                             {0, 0.23 * size}};
    int clay = glb_textured(g, "terracotta", 0.60, 0.25, 0.14, TEXTURE_PLASTER),
        green = glb_material(g, "leaf", 0.10, 0.34, 0.07);
    int heart = glb_material(g, "flower heart", 0.80, 0.55, 0.05),
        materials[4] = {clay, green, petal, heart};
    shape s[4] = {{0}, {0}, {0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, pot, 8, 36);
    for (int i = 0; i < 16; i++) {
        double turn = 137.5 * i - 360 * (int)(137.5 * i / 360);
        f = frame_turned(frame_turned(frame_at(0, 0.21 * size, 0), 1, turn), 2,
                         12 + 3 * i);
        shape_leaf(&s[1], &f, (0.26 - 0.006 * i) * size, 0.055 * size, 0.008);
        if (i % 2)
            continue;
        f = frame_turned(
            frame_turned(frame_at(0, 0.21 * size, 0), 1, turn + 40), 2,
            5 + 2.4 * i);
        const double from[3] = {f.origin[0], f.origin[1], f.origin[2]};
        for (int k = 0; k < 3; k++)
            f.origin[k] += f.y[k] * 0.27 * size;
        piece_rod(&s[1], from, f.origin, 0.004);
        for (int p = 0; p < 6; p++) {
            frame leaf = frame_turned(frame_turned(f, 1, 60 * p), 2, 72);
            shape_leaf(&s[2], &leaf, 0.062 * size, 0.046 * size, 0.006);
        }
        piece_ball(&s[3], &f, 0.017 * size, 0.7);
    }
    glb_object(g, name, x, y + FURNITURE_GAP, z, 0, s, materials, 4);
}

static void add_watering_can(glb *g, double x, double y, double z, double yaw)
{
    static const double body[][2] = {
        {0, 0},         {0.095, 0},     {0.100, 0.004}, {0.100, 0.19},
        {0.085, 0.215}, {0.078, 0.215}, {0.078, 0.20},  {0, 0.20}};
    static const double rose[][2] = {
        {0, 0}, {0.012, 0}, {0.036, 0.045}, {0.034, 0.052}, {0, 0.052}};
    int zinc = glb_metal(g, "zinc", 0.40, 0.47, 0.50);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s, &f, body, 8, 36);
    const double low[3] = {-0.085, 0.06, 0}, high[3] = {-0.30, 0.27, 0};
    piece_rod(&s, low, high, 0.014);
    f = frame_turned(frame_at(-0.285, 0.255, 0), 2, 50);
    shape_lathe(&s, &f, rose, 5, 24);
    const double brace[3] = {-0.19, 0.163, 0}, rim[3] = {-0.085, 0.205, 0};
    piece_rod(&s, brace, rim, 0.005);
    f = frame_at(0.085, 0.125, 0);
    shape_handle(&s, &f, 0.075, 0.009);
    f = frame_turned(frame_at(0, 0.195, 0), 2, 90);
    shape_handle(&s, &f, 0.085, 0.008);
    furniture_one(g, "Watering Can", x, y + FURNITURE_GAP, z, yaw, &s, zinc);
}

static void add_straw_hat(glb *g, double x, double y, double z)
{
    static const double straw[][2] = {
        {0.098, 0.004}, {0.178, 0},     {0.180, 0.003}, {0.100, 0.010},
        {0.092, 0.070}, {0.080, 0.092}, {0.045, 0.098}, {0, 0.098}};
    static const double inside[][2] = {{0, 0.092},
                                       {0.044, 0.092},
                                       {0.076, 0.087},
                                       {0.087, 0.068},
                                       {0.098, 0.004}};
    static const double ribbon[][2] = {
        {0.0985, 0.012}, {0.102, 0.012}, {0.0975, 0.036}, {0.094, 0.036}};
    int wicker = glb_textured(g, "straw", 0.80, 0.62, 0.32, TEXTURE_STRAW),
        red = glb_material(g, "red ribbon", 0.55, 0.04, 0.06);
    int materials[2] = {wicker, red};
    shape s[2] = {{0}, {0}};
    frame f = frame_at(0, 0, 0);
    shape_lathe(&s[0], &f, straw, 8, 40);
    shape_lathe(&s[0], &f, inside, 5, 40);
    shape_lathe(&s[1], &f, ribbon, 4, 40);
    glb_object(g, "Straw Hat", x, y + FURNITURE_GAP, z, 0, s, materials, 2);
}

static void lay_table(glb *g, double x, double y, double z)
{
    int white = glb_material(g, "white china", 0.82, 0.82, 0.80),
        blue = glb_material(g, "blue glaze", 0.03, 0.12, 0.60);
    int wood = glb_textured(g, "olive wood", 0.46, 0.27, 0.11, TEXTURE_WOOD),
        yellow = glb_material(g, "yellow glaze", 0.80, 0.52, 0.05);
    piece_plate(g, "White Plate", x - 0.50, y, z + 0.10, 0.13, white);
    piece_plate(g, "Yellow Plate", x + 0.50, y, z + 0.12, 0.13, yellow);
    piece_bowl(g, "Salad Bowl", x + 0.02, y, z - 0.12, 0.15, 0.09, wood);
    piece_jug(g, "Jug", x + 0.16, y, z + 0.20, 25, blue);
    add_drinking_glass(g, "Glass", x - 0.30, y, z + 0.26);
    add_drinking_glass(g, "Glass.001", x + 0.36, y, z - 0.22);
}

void scenes_outdoor(const char *folder)
{
    const double table_x = -0.10, table_z = -0.15,
                 top = table_top + FURNITURE_GAP, bench_x = -1.36,
                 bench_z = -1.42;
    glb *g = glb_new();
    int walnut = glb_textured(g, "walnut", 0.24, 0.13, 0.07, TEXTURE_WOOD),
        red = glb_material(g, "red petals", 0.70, 0.05, 0.08);
    int violet = glb_material(g, "violet petals", 0.40, 0.14, 0.62),
        cloth = glb_textured(g, "blue canvas", 0.10, 0.26, 0.60, TEXTURE_CLOTH);
    add_lawn(g);
    add_terrace(g);
    add_garden_wall(g);
    add_tree(g);
    add_garden_table(g, table_x, table_z);
    lay_table(g, table_x, top, table_z);
    add_garden_chair(g, "Garden Chair", table_x - 1.08, table_z + 0.05, 90);
    add_garden_chair(g, "Garden Chair.001", table_x + 1.08, table_z, -90);
    add_garden_chair(g, "Garden Chair.002", table_x + 0.35, table_z - 0.82, 4);
    add_bench(g, bench_x, bench_z);
    shape s = {0};
    frame f = frame_at(0, 0, 0);
    shape_box(&s, &f, 0.38, 0.11, 0.34, 0.035);
    furniture_one(g, "Cushion", bench_x - 0.36, 0.442 + 2 * FURNITURE_GAP,
                  bench_z + 0.01, 6, &s, cloth);
    add_straw_hat(g, bench_x + 0.10, 0.442 + FURNITURE_GAP, bench_z + 0.01);
    add_parasol(g, 0.62, -1.35);
    add_side_table(g, 1.60, 0.42, 0.52);
    piece_tray(g, "Tray", 1.60, 0.52 + FURNITURE_GAP, 0.42, 0, 0.42, 0.30,
               walnut);
    add_grill(g, 1.60, -1.05);
    add_lantern(g, 0.45, 0, 0.62);
    add_melon(g, -0.45, 0, 0.66, 25);
    add_flower_pot(g, "Flower Pot", -1.66, 0, 0.62, 1.0, red);
    add_flower_pot(g, "Flower Pot.001", -1.25, 0, 0.72, 0.66, violet);
    add_watering_can(g, -1.35, -0.05, 1.65, 160);
    add_ball(g, 1.25, -0.05, 1.60);
    const double eye[3] = {0, 2.15, 4.5}, target[3] = {0, 0.72, -0.3};
    glb_camera(g, "Camera", eye, target, 47);
    glb_write(g, folder, "outdoor.glb");
    glb_free(g);
}
