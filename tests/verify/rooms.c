/* room-maker: see usage below. Rooms that nobody drew: what stands where is
 * left to the seed, and so is what is asked. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: room-maker SEED FOLDER [--library]\n"
    "Writes into FOLDER spec.json for `etna scene compose`, the models it names, goal.txt (a sentence) and ask.txt (WHAT,\n"
    "relation and WHERE, a line each, as scene-place takes them). The same seed, the same bytes.\n"
    "  --library   take furniture of Sweet Home 3D's libraries, too\n"
    "Exit codes: 0 written; 2 usage; 4 it cannot be written.\n";

enum {
    THINGS_MAX = 24,
    TRIES = 60
};

typedef struct size3 {
    double w, h, d;
} size3;

typedef struct model {
    const char *kind, *asset; /* asset: of a library, or of this folder */
    size3 size;
    bool is_low;  /* something can stand under it */
    bool is_open; /* something can be put into it */
} model;

/* What things are put to. Sizes in metres. */
static const model own_carriers[] = {
    {"table", "table.obj", {1.2, 0.74, 0.8}, true, false},
    {"shelf", "shelf.obj", {0.9, 1.5, 0.35}, false, true},
    {"cupboard", "cupboard_open.obj", {0.9, 1.1, 0.45}, false, true},
    {"cupboard", "cupboard_shut.obj", {0.9, 1.1, 0.45}, false, true},
    {"bench", "table.obj", {1.3, 0.45, 0.4}, true, false},
    {"pedestal", "cube.obj", {0.45, 0.8, 0.45}, false, false},
    {"ramp", "ramp.obj", {0.8, 0.4, 0.9}, false, false},
    {"bin", "bin.obj", {0.45, 0.5, 0.45}, false, true},
};
static const model library_carriers[] = {
    {"table", "Scopia.sh3f#table4", {1.4, 0.75, 0.9}, true, false},
    {"table", "Scopia.sh3f#black_table", {1.7, 0.75, 0.9}, true, false},
    {"coffee table",
     "Scopia.sh3f#coffee_table",
     {0.9, 0.47, 0.46},
     true,
     false},
    {"bookcase", "Scopia.sh3f#dining_room", {2.56, 1.75, 0.36}, false, true},
    {"sofa", "Scopia.sh3f#simple_sofa", {1.8, 0.95, 0.67}, false, false},
    {"bed", "Scopia.sh3f#bed1", {1.71, 1.11, 2.17}, false, false},
    {"wardrobe", "Scopia.sh3f#wardrobe1", {2.17, 2.0, 0.53}, false, false},
    {"tray", "Scopia.sh3f#tray", {0.39, 0.06, 0.29}, false, false},
};
/* What is moved. */
static const model own_things[] = {
    {"book", "cube.obj", {0.22, 0.03, 0.16}, false, false},
    {"carton", "cube.obj", {0.3, 0.25, 0.3}, false, false},
    {"crate", "bin.obj", {0.32, 0.22, 0.28}, false, true},
    {"stool", "table.obj", {0.35, 0.45, 0.35}, false, false},
    {"brick", "cube.obj", {0.21, 0.07, 0.1}, false, false},
    {"candle", "cube.obj", {0.05, 0.18, 0.05}, false, false},
    {"plank", "cube.obj", {0.7, 0.025, 0.14}, false, false},
    {"wedge", "ramp.obj", {0.15, 0.1, 0.2}, false, false},
};
static const model library_things[] = {
    {"bottle", "Scopia.sh3f#wine_bottle", {0.08, 0.3, 0.08}, false, false},
    {"jar", "Scopia.sh3f#old_jar", {0.24, 0.25, 0.2}, false, false},
    {"bowl", "Scopia.sh3f#bowl", {0.4, 0.2, 0.4}, false, false},
    {"pot", "Scopia.sh3f#pottery", {0.11, 0.09, 0.11}, false, false},
    {"chair", "Scopia.sh3f#chair4", {0.48, 0.88, 0.44}, false, false},
    {"dvd player", "Scopia.sh3f#dvd", {0.43, 0.06, 0.28}, false, false},
};
typedef struct thing {
    char name[48];
    const model *model;
    double x, z, w, d; /* on the floor, turned by quarters: the box it takes */
} thing;

typedef struct room {
    FILE *spec;
    const char *folder;
    uint64_t random;
    double width, depth;
    bool is_one_mesh, has_library, has_object, has_failed;
    thing things[THINGS_MAX];
    int count;
} room;

/* ---- chance ---- */

static uint32_t room_random(room *r, uint32_t below) /* splitmix64 */
{
    r->random += 0x9e3779b97f4a7c15;
    uint64_t z = r->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ (z >> 31)) >> 33) % below;
}
static double room_between(room *r, double lo, double hi)
{
    return lo + (hi - lo) * room_random(r, 10001) / 10000.0;
}

/* ---- models of its own ---- */

typedef struct obj {
    FILE *out;
    int corners;
} obj;

static obj obj_open(room *r, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    obj o = {fopen(path, "w"), 0};
    r->has_failed = r->has_failed || !o.out;
    return o;
}

static void obj_close(room *r, obj *o)
{
    if (o->out && fclose(o->out) != 0)
        r->has_failed = true;
}

/* A hexahedron of eight corners in the order of a counter's bits x, y, z,
 * counter-clockwise seen from outside. */
static void obj_block(obj *o, const double c[8][3])
{
    static const int sides[6][4] = {{1, 5, 7, 3}, {0, 2, 6, 4}, {2, 3, 7, 6},
                                    {0, 4, 5, 1}, {4, 6, 7, 5}, {0, 1, 3, 2}};
    for (int i = 0; o->out && i < 8; i++)
        fprintf(o->out, "v %.5f %.5f %.5f\n", c[i][0], c[i][1], c[i][2]);
    for (int i = 0; o->out && i < 6; i++) {
        fprintf(o->out, "f");
        for (int k = 3; k >= 0; k--)
            fprintf(o->out, " %d", o->corners + sides[i][k] + 1);
        fprintf(o->out, "\n");
    }
    o->corners += 8;
}

static void obj_box(
    obj *o, double x0, double x1, double y0, double y1, double z0, double z1)
{
    double c[8][3];
    for (int i = 0; i < 8; i++) {
        c[i][0] = i & 1 ? x1 : x0;
        c[i][1] = i & 2 ? y1 : y0;
        c[i][2] = i & 4 ? z1 : z0;
    }
    obj_block(o, c);
}

/* Boards around 1 by 1 by 1; the front is +z. */
static void cupboard_write(room *r, const char *name, int shelves, bool is_shut)
{
    obj o = obj_open(r, name);
    obj_box(&o, 0, 0.03, 0, 1, 0, 1);
    obj_box(&o, 0.97, 1, 0, 1, 0, 1);
    obj_box(&o, 0.03, 0.97, 0, 1, 0, 0.04);
    for (int i = 0; i <= shelves; i++) {
        double y = 0.98 * i / shelves;
        obj_box(&o, 0.03, 0.97, y, y + 0.02, 0.04, is_shut ? 0.96 : 1);
    }
    if (is_shut)
        obj_box(&o, 0.03, 0.97, 0, 1, 0.96, 1);
    obj_close(r, &o);
}

static void models_write(room *r)
{
    obj o = obj_open(r, "cube.obj");
    obj_box(&o, 0, 1, 0, 1, 0, 1);
    obj_close(r, &o);
    o = obj_open(r, "table.obj");
    obj_box(&o, 0, 1, 0.94, 1, 0, 1);
    for (int i = 0; i < 4; i++) {
        double x = i & 1 ? 0.92 : 0.02;
        double z = i & 2 ? 0.9 : 0.02;
        obj_box(&o, x, x + 0.06, 0, 0.94, z, z + 0.08);
    }
    obj_close(r, &o);
    o = obj_open(r, "ramp.obj");
    const double ramp[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},   {1, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {0, 0.1, 1}, {1, 0.1, 1}};
    obj_block(&o, ramp);
    obj_close(r, &o);
    o = obj_open(r, "bin.obj");
    obj_box(&o, 0, 1, 0, 0.04, 0, 1);
    obj_box(&o, 0, 0.05, 0.04, 1, 0, 1);
    obj_box(&o, 0.95, 1, 0.04, 1, 0, 1);
    obj_box(&o, 0.05, 0.95, 0.04, 1, 0, 0.05);
    obj_box(&o, 0.05, 0.95, 0.04, 1, 0.95, 1);
    obj_close(r, &o);
    cupboard_write(r, "shelf.obj", 4, false);
    cupboard_write(r, "cupboard_open.obj", 2, false);
    cupboard_write(r, "cupboard_shut.obj", 2, true);
}

/* Floor, walls and ceiling as one mesh, in metres. */
static void shell_write(room *r)
{
    double w = r->width / 2, d = r->depth / 2;
    obj o = obj_open(r, "shell.obj");
    obj_box(&o, -w, w, 0, 0.05, -d, d);
    obj_box(&o, -w, w, 2.45, 2.5, -d, d);
    obj_box(&o, -w, w, 0.05, 2.45, -d, -d + 0.08);
    obj_box(&o, -w, w, 0.05, 2.45, d - 0.08, d);
    obj_box(&o, -w, -w + 0.08, 0.05, 2.45, -d + 0.08, d - 0.08);
    obj_box(&o, w - 0.08, w, 0.05, 2.45, -d + 0.08, d - 0.08);
    obj_close(r, &o);
}

/* ---- the spec ---- */

static void __attribute__((format(printf, 2, 3)))
spec_write(room *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vfprintf(r->spec, format, args) < 0)
        r->has_failed = true;
    va_end(args);
}

static const model *model_choose(room *r,
                                 const model *own,
                                 uint32_t own_count,
                                 const model *library,
                                 uint32_t library_count)
{
    uint32_t k =
        room_random(r, r->has_library ? own_count + library_count : own_count);
    return k < own_count ? &own[k] : &library[k - own_count];
}

static const model *carrier_choose(room *r)
{
    return model_choose(
        r, own_carriers, sizeof own_carriers / sizeof *own_carriers,
        library_carriers, sizeof library_carriers / sizeof *library_carriers);
}

static const model *thing_choose(room *r)
{
    return model_choose(r, own_things, sizeof own_things / sizeof *own_things,
                        library_things,
                        sizeof library_things / sizeof *library_things);
}

/* Things are named after their kind, and there is one of each. */
static bool thing_name(room *r, thing *t)
{
    snprintf(t->name, sizeof t->name, "%s", t->model->kind);
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->things[i].name, t->name) == 0)
            return false;
    }
    return true;
}

static bool thing_is_free(const room *r, const thing *t, double apart)
{
    for (int i = 0; i < r->count; i++) {
        const thing *o = &r->things[i];
        bool x = fabs(o->x - t->x) < (o->w + t->w) / 2 + apart;
        bool z = fabs(o->z - t->z) < (o->d + t->d) / 2 + apart;
        if (o->w > 0 && x && z)
            return false; /* w 0: it does not stand on the floor */
    }
    return true;
}

static void thing_write(room *r,
                        const thing *t,
                        const char *on,
                        double x,
                        double z,
                        int yaw,
                        double height)
{
    const model *m = t->model;
    spec_write(r, "%s\n  {\"name\": \"%s\", \"asset\": \"%s\",",
               r->has_object ? "," : "", t->name, m->asset);
    spec_write(
        r, " \"size\": [%.3f, %.3f, %.3f], \"at\": [%.3f, %.3f], \"yaw\": %d",
        m->size.w, m->size.h, m->size.d, x, z, yaw);
    r->has_object = true;
    if (on)
        spec_write(r, ", \"on\": \"%s\", \"height\": %.3f", on, height);
    spec_write(r, "}");
}

/* On the floor, of carriers every other one with its back to the far wall.
 * False: no room for it. */
static bool floor_put(room *r, const model *m, bool is_carrier)
{
    thing t = {.model = m};
    if (r->count == THINGS_MAX || !thing_name(r, &t))
        return false;
    bool at_wall = is_carrier && room_random(r, 2);
    int quarters = at_wall ? 0 : (int)room_random(r, 4);
    t.w = quarters % 2 ? m->size.d : m->size.w;
    t.d = quarters % 2 ? m->size.w : m->size.d;
    double free_w = r->width / 2 - 0.12 - t.w / 2;
    double free_d = r->depth / 2 - 0.12 - t.d / 2;
    bool found = false;
    for (int i = 0; i < TRIES && !found && free_w > 0 && free_d > 0; i++) {
        t.x = room_between(r, -free_w, free_w);
        t.z = at_wall ? -free_d : room_between(r, -free_d, free_d);
        found = thing_is_free(r, &t, is_carrier ? 0.35 : 0.08);
    }
    if (!found)
        return false;
    r->things[r->count++] = t;
    thing_write(r, &t, r->is_one_mesh ? "shell" : NULL, t.x, t.z, 90 * quarters,
                0.2);
    return true;
}

/* On top of a carrier, in one of six fields of its top, so that no two meet. */
static bool top_put(room *r, const thing *carrier, const model *m, int field)
{
    thing t = {.model = m};
    size3 top = carrier->model->size;
    bool fits = m->size.w < top.w / 3 - 0.02 && m->size.d < top.d / 2 - 0.02;
    if (!fits || r->count == THINGS_MAX || !thing_name(r, &t))
        return false;
    double x = (field % 3 - 1) * top.w / 3;
    double z = (field / 3 - 0.5) * top.d / 2;
    r->things[r->count++] = t;
    thing_write(r, &t, carrier->name, x, z, 0, top.h);
    return true;
}

static bool carrier_is_flat(const model *m)
{
    return m->is_low || strcmp(m->kind, "pedestal") == 0;
}

static void room_fill(room *r)
{
    int carriers = 2 + (int)room_random(r, 3);
    for (int i = 0; i < carriers; i++)
        floor_put(r, carrier_choose(r), true);
    int standing = r->count;
    for (int i = 0; i < standing; i++) {
        bool is_laden =
            carrier_is_flat(r->things[i].model) && room_random(r, 3) > 0;
        for (int field = 0; is_laden && field < 6; field++) {
            if (room_random(r, 2))
                top_put(r, &r->things[i], thing_choose(r), field);
        }
    }
    int loose = 2 + (int)room_random(r, 4);
    for (int i = 0; i < loose; i++)
        floor_put(r, thing_choose(r), false);
}

/* ---- what is asked ---- */

static bool is_carrier(const thing *t)
{
    const model *m = t->model;
    bool is_own = m >= own_carriers &&
                  m < own_carriers + sizeof own_carriers / sizeof *own_carriers;
    bool is_library = m >= library_carriers &&
                      m < library_carriers + sizeof library_carriers /
                                                 sizeof *library_carriers;
    return is_own || is_library;
}

static bool file_write(room *r, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    FILE *out = fopen(path, "w");
    bool good = out && fputs(text, out) >= 0;
    if (out && fclose(out) != 0)
        good = false;
    return good;
}

static void goal_write(room *r)
{
    int what[THINGS_MAX], where[THINGS_MAX], whats = 0, wheres = 0;
    for (int i = 0; i < r->count; i++) {
        if (is_carrier(&r->things[i]))
            where[wheres++] = i;
        if (!is_carrier(&r->things[i]))
            what[whats++] = i;
    }
    if (!whats || !wheres) {
        r->has_failed = true;
        return;
    }
    const thing *x = &r->things[what[room_random(r, (uint32_t)whats)]];
    const thing *y = &r->things[where[room_random(r, (uint32_t)wheres)]];
    const char *relations[4] = {"on", "beside"};
    uint32_t count = 2;
    if (y->model->is_low)
        relations[count++] = "under";
    if (y->model->is_open)
        relations[count++] = "in";
    const char *relation = relations[room_random(r, count)];
    char text[256];
    snprintf(text, sizeof text, "Put the %s %s the %s.\n", x->name, relation,
             y->name);
    if (!file_write(r, "goal.txt", text))
        r->has_failed = true;
    snprintf(text, sizeof text, "%s\n%s\n%s\n", x->name, relation, y->name);
    if (!file_write(r, "ask.txt", text))
        r->has_failed = true;
}

static void room_write(room *r)
{
    static const char *const walls[3] = {
        "\"north\", \"west\"", "\"north\", \"west\", \"east\"",
        "\"north\", \"west\", \"east\", \"south\""};
    uint32_t kind = room_random(r, 5); /* 3, 4: one mesh */
    r->is_one_mesh = kind > 2;
    r->width = room_between(r, 4, 6);
    r->depth = room_between(r, 3.6, 5);
    models_write(r);
    if (r->is_one_mesh)
        shell_write(r);
    const char *around = r->is_one_mesh ? "" : walls[kind];
    bool has_ceiling = kind == 2;
    spec_write(
        r,
        "{\"room\": {\"width\": %.3f, \"depth\": %.3f, \"height\": 2.5, \"ceiling\": %s, \"walls\": [%s]},\n",
        r->width, r->depth, has_ceiling ? "true" : "false", around);
    spec_write(
        r,
        " \"cameras\": [{\"position\": [0.4, 1.9, %.3f], \"target\": [0, 0.4, -0.5], \"yfov_deg\": 60}],\n",
        r->depth / 2 - 0.2);
    spec_write(r, " \"objects\": [");
    if (r->is_one_mesh)
        spec_write(
            r,
            "\n  {\"name\": \"shell\", \"asset\": \"shell.obj\", \"at\": [0, 0], \"static\": true}");
    r->has_object = r->is_one_mesh;
    room_fill(r);
    spec_write(r, "]}\n");
    goal_write(r);
}

int main(int argc, char **argv)
{
    bool asks_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    bool has_library = argc == 4 && strcmp(argv[3], "--library") == 0;
    if (argc != 3 && !has_library) {
        fputs(usage, asks_help ? stdout : stderr);
        return asks_help ? 0 : 2;
    }
    char path[4096];
    room r = {.folder = argv[2],
              .random = strtoull(argv[1], NULL, 10),
              .has_library = has_library};
    mkdir(argv[2], 0777);
    snprintf(path, sizeof path, "%s/spec.json", argv[2]);
    r.spec = fopen(path, "w");
    if (r.spec)
        room_write(&r);
    bool good = r.spec && fclose(r.spec) == 0 && !r.has_failed;
    if (!good)
        fprintf(stderr, "room-maker: %s cannot be written\n", argv[2]);
    return good ? 0 : 4;
}
