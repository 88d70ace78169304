/* See rooms.h: a reader for each form, and what they share.
 *
 * Begin at house_reading_run, which tells the forms apart by members that only one
 * of them has. Each reader brings its frame to glTF's, Y up and right-handed, in
 * metres, and then adds boxes, floors and walls by house_box_add, house_floor_add
 * and house_wall_add. Files come from strangers: an object that lacks a size is
 * left out and told, a place that is no number refuses the file. */
#include "worker/convert/rooms.h"
#include "proto/array.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DEPTH_MAX = 8, /* of what stands on what stands on */
    NAME_MAX_BYTES = 48,
    HOLES_MAX = 64 /* of a wall */
};

/* Metres, but for degree: radians. Nothing is farther away than far_most or
 * larger than size_most. */
static const double wall_thick = 0.01, far_most = 1e4, size_most = 1e3,
                    degree = 3.14159265358979323846 / 180;

/* A file under way. `out` grows in lists of their greatest size; sizes and
 * names are released at the end. */
typedef struct reading {
    etna_arena *arena;
    const json_t *document;
    json_t *sizes; /* by asset: [width, height, depth] */
    json_t *names; /* that are taken, each with its last number */
    rooms out;
    uint32_t left_room, wall_count;
    etna_error *err;
} reading;

/* ---- numbers ---- */

/* The number, or NAN. A NAN spares a second result, and no comparison with it
 * holds. */
static double house_number_of(const json_t *value)
{
    double n = json_number_value(value);
    return json_is_number(value) && fabs(n) <= far_most ? n : (double)NAN;
}

static double house_number_at(const json_t *object, const char *key)
{
    return house_number_of(json_object_get(object, key));
}

/* {"x", "y", "z"}; what is not said of a turn is none. */
static bool triple_read(const json_t *object, double otherwise, double ret[3])
{
    static const char *const keys[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        const json_t *value = json_object_get(object, keys[k]);
        ret[k] = value ? house_number_of(value) : otherwise;
    }
    return isfinite(ret[0] + ret[1] + ret[2]);
}

/* Exactly `count` numbers. False: it is no such list, and *ret is
 * part-written. */
static bool house_list_read(const json_t *list, size_t count, double *ret)
{
    if (json_array_size(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        ret[i] = house_number_of(json_array_get(list, i));
        if (isnan(ret[i]))
            return false;
    }
    return true;
}

/* Also false for NAN. */
static bool size_is_good(const double size[3])
{
    for (int k = 0; k < 3; k++) {
        if (!(size[k] > 0 && size[k] <= size_most))
            return false;
    }
    return true;
}

/* "" where the member is missing or no text. */
static const char *house_text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- sizes ---- */

/* Assets without an id or a box are passed over: an object of them is then left
 * out by name. */
static void database_take(json_t *to, const json_t *list)
{
    size_t i;
    json_t *asset;
    json_array_foreach(list, i, asset)
    {
        double size[3];
        const char *id = house_text_at(asset, "assetId");
        bool is_known =
            *id &&
            triple_read(json_object_get(asset, "boundingBox"), NAN, size);
        if (is_known)
            json_object_set_new(
                to, id, json_pack("[f, f, f]", size[0], size[1], size[2]));
    }
}

/* A plain list of three numbers is a size; of objects: the database's. NULL:
 * out of memory. */
static json_t *sizes_make(const json_t *sizes)
{
    json_t *to = json_object();
    json_t *value;
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)sizes, key, value)
    {
        double size[3];
        if (house_list_read(value, 3, size))
            json_object_set(to, key, value);
        else
            database_take(to, value);
    }
    return to;
}

/* False: not known, or no size that a thing can have. */
static bool house_size_find(const reading *r, const char *asset, double ret[3])
{
    return house_list_read(json_object_get(r->sizes, asset), 3, ret) &&
           size_is_good(ret);
}

/* ---- names ---- */

/* "SideTable" and "side_table" are "side table"; what is no letter or figure
 * parts words. */
static void name_spell(const char *from, char to[NAME_MAX_BYTES])
{
    size_t at = 0;
    bool was_small = false;
    for (; *from && at + 2 < NAME_MAX_BYTES; from++) {
        unsigned char c = (unsigned char)*from;
        bool is_word = isalnum(c) != 0;
        bool parts = !is_word || (isupper(c) && was_small);
        if (parts && at && to[at - 1] != ' ')
            to[at++] = ' ';
        if (is_word)
            to[at++] = (char)tolower(c);
        was_small = islower(c) != 0;
    }
    while (at && to[at - 1] == ' ')
        at--;
    to[at] = 0;
}

/* The name, with a number where others have it. NULL: out of memory. */
static const char *name_make(const reading *r, const char *from)
{
    char plain[NAME_MAX_BYTES], name[NAME_MAX_BYTES + 24];
    name_spell(from, plain);
    if (!*plain)
        snprintf(plain, sizeof plain, "thing");
    snprintf(name, sizeof name, "%s", plain);
    json_int_t last = json_integer_value(json_object_get(r->names, plain));
    while (json_object_get(r->names, name))
        snprintf(name, sizeof name, "%s %lld", plain, (long long)++last);
    json_object_set_new(r->names, name, json_integer(1));
    if (last > 1)
        json_object_set_new(r->names, plain, json_integer(last));
    return etna_arena_strdup(r->arena, name);
}

/* ---- what is made ---- */

static etna_code reading_fail_memory(reading *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a room");
}

/* A line of what was left out. Out of memory is the only failure. */
static etna_code reading_leave(reading *r, const char *name, const char *why)
{
    char plain[NAME_MAX_BYTES];
    name_spell(name, plain);
    if (r->out.left_count == r->left_room)
        return ETNA_OK; /* each object is left out once at most */
    const char *said = etna_arena_printf(r->arena, "%s: %s", plain, why);
    if (!said)
        return reading_fail_memory(r);
    r->out.left_out[r->out.left_count++] = said;
    return ETNA_OK;
}

/* *ret is its number. */
static etna_code house_box_add(reading *r,
                               const char *name,
                               const double size[3],
                               const double matrix[16],
                               bool is_static,
                               uint32_t *ret)
{
    if (r->out.box_count == ROOMS_BOXES_MAX)
        return etna_fail(r->err, ETNA_E_LIMIT,
                         "a room has more than %d things and walls",
                         (int)ROOMS_BOXES_MAX);
    rooms_box *box = &r->out.boxes[r->out.box_count];
    *box = (rooms_box){.is_static = is_static, .on = ROOMS_NONE};
    box->name = name_make(r, name);
    if (!box->name)
        return reading_fail_memory(r);
    memcpy(box->size, size, sizeof box->size);
    memcpy(box->matrix, matrix, sizeof box->matrix);
    *ret = r->out.box_count++;
    return ETNA_OK;
}

/* The rows of a turn and a middle, as glTF has them. */
static void matrix_make(const double turn[3][3],
                        const double at[3],
                        double ret[16])
{
    for (int k = 0; k < 3; k++) {
        for (int row = 0; row < 3; row++)
            ret[4 * k + row] = turn[row][k];
        ret[4 * k + 3] = 0;
        ret[12 + k] = at[k];
    }
    ret[15] = 1;
}

/* ---- walls and floors ---- */

typedef struct hole { /* along the wall, and up */
    double from, to, foot, top;
} hole;

typedef struct wall { /* along the ground, x and z */
    double from[2], to[2], foot, height;
    hole holes[HOLES_MAX];
    uint32_t hole_count;
} wall;

/* The part of a wall between two places along it and two heights. */
static etna_code house_wall_piece(
    reading *r, const wall *w, double from, double to, double foot, double top)
{
    const double least = 0.01;
    double dx = w->to[0] - w->from[0];
    double dz = w->to[1] - w->from[1];
    double length = hypot(dx, dz);
    if (to - from < least || top - foot < least)
        return ETNA_OK;
    double along[2] = {dx / length, dz / length};
    double middle = (from + to) / 2;
    const double turn[3][3] = {
        {along[0], 0, -along[1]}, {0, 1, 0}, {along[1], 0, along[0]}};
    const double at[3] = {w->from[0] + along[0] * middle,
                          w->foot + (foot + top) / 2,
                          w->from[1] + along[1] * middle};
    const double size[3] = {to - from, top - foot, wall_thick};
    double matrix[16];
    char name[32];
    uint32_t number;
    matrix_make(turn, at, matrix);
    snprintf(name, sizeof name, "wall %u", (unsigned)++r->wall_count);
    return house_box_add(r, name, size, matrix, true, &number);
}

/* By where they begin, so that house_wall_add can walk along the wall once. Few
 * enough for insertion. */
static void holes_sort(wall *w)
{
    for (uint32_t i = 1; i < w->hole_count; i++) {
        hole moved = w->holes[i];
        uint32_t at = i;
        for (; at > 0 && w->holes[at - 1].from > moved.from; at--)
            w->holes[at] = w->holes[at - 1];
        w->holes[at] = moved;
    }
}

/* The wall without its holes, as pieces: beside each hole, below and above it.
 * Holes that overlap are cut to what is left of them, and a wall shorter or
 * lower than 1 cm is none. */
static etna_code house_wall_add(reading *r, wall *w)
{
    double length = hypot(w->to[0] - w->from[0], w->to[1] - w->from[1]);
    double done = 0;
    etna_code code = ETNA_OK;
    if (!(length > 0.01) || !(w->height > 0.01))
        return ETNA_OK;
    holes_sort(w);
    for (uint32_t i = 0; !code && i < w->hole_count; i++) {
        hole h = w->holes[i];
        double from = fmax(h.from, done);
        double to = fmin(h.to, length);
        if (from >= to)
            continue;
        code = house_wall_piece(r, w, done, from, 0, w->height);
        if (!code)
            code = house_wall_piece(r, w, from, to, 0, fmin(h.foot, w->height));
        if (!code)
            code = house_wall_piece(r, w, from, to, fmax(h.top, 0), w->height);
        done = to;
    }
    return code ? code : house_wall_piece(r, w, done, length, 0, w->height);
}

/* The corners come in any order. A 65th hole is not cut. */
static void hole_add(wall *w, const double a[2], const double b[2])
{
    if (w->hole_count == HOLES_MAX)
        return;
    w->holes[w->hole_count++] = (hole){fmin(a[0], b[0]), fmax(a[0], b[0]),
                                       fmin(a[1], b[1]), fmax(a[1], b[1])};
}

/* Twice the area, positive where the ring turns to the left as seen from
 * above. */
static double ring_area(const rooms_floor *f)
{
    double twice = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const double *a = f->corner[i];
        const double *b = f->corner[(i + 1) % f->count];
        twice += a[1] * b[0] - a[0] * b[1];
    }
    return twice;
}

/* The same ring the other way round. */
static void house_ring_turn(rooms_floor *f)
{
    for (uint32_t i = 0; i < f->count / 2; i++) {
        double *a = f->corner[i];
        double *b = f->corner[f->count - 1 - i];
        for (int k = 0; k < 2; k++) {
            double kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}

/* A ring of points; `read` gives each in metres, Y up. */
static etna_code house_floor_add(reading *r,
                                 const json_t *ring,
                                 bool (*read)(const json_t *, double[3]))
{
    size_t count = json_array_size(ring);
    if (count < 3)
        return ETNA_OK;
    if (count > ROOMS_CORNERS_MAX || r->out.floor_count == ROOMS_FLOORS_MAX)
        return etna_fail(r->err, ETNA_E_LIMIT,
                         "more than %d floors, or %d corners of one",
                         (int)ROOMS_FLOORS_MAX, (int)ROOMS_CORNERS_MAX);
    rooms_floor *f = &r->out.floors[r->out.floor_count];
    *f = (rooms_floor){etna_arena_alloc(r->arena, count, sizeof *f->corner), 0,
                       0};
    if (!f->corner)
        return reading_fail_memory(r);
    for (size_t i = 0; i < count; i++) {
        double at[3];
        if (!read(json_array_get(ring, i), at))
            return etna_fail(r->err, ETNA_E_INPUT,
                             "a floor's corner %zu is no place", i + 1);
        f->corner[i][0] = at[0];
        f->corner[i][1] = at[2];
        f->height = at[1];
        f->count++;
    }
    if (ring_area(f) < 0)
        house_ring_turn(f);
    r->out.floor_count++;
    return ETNA_OK;
}

/* ---- AI2-THOR: left-handed, Y up, metres, degrees ---- */

/* Unity is left-handed: mirrored at Z. */
static bool thor_point(const json_t *value, double ret[3])
{
    bool good = triple_read(value, NAN, ret);
    ret[2] = -ret[2];
    return good;
}

/* Unity turns about Z, then X, then Y; the mirror makes it right-handed. */
static void thor_turn(const double degrees[3], double ret[3][3])
{
    double cx = cos(degrees[0] * degree);
    double sx = sin(degrees[0] * degree);
    double cy = cos(degrees[1] * degree);
    double sy = sin(degrees[1] * degree);
    double cz = cos(degrees[2] * degree);
    double sz = sin(degrees[2] * degree);
    const double turn[3][3] = {
        {cy * cz + sy * sx * sz, -cy * sz + sy * sx * cz, sy * cx},
        {cx * sz, cx * cz, -sx},
        {-sy * cz + cy * sx * sz, sy * sz + cy * sx * cz, cy * cx}};
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3; k++)
            ret[row][k] = (row == 2) == (k == 2) ? turn[row][k] : -turn[row][k];
    }
}

/* What its name says before the bar: "Bed|4|0". */
static void thor_name(const json_t *object, char to[NAME_MAX_BYTES])
{
    const char *id = house_text_at(object, "id");
    snprintf(to, NAME_MAX_BYTES, "%.*s", (int)fmin(strcspn(id, "|"), 40), id);
}

/* Lies the middle below the other's middle? Then it is in a drawer or behind a
 * door, where nothing can be put by moving a box. */
static bool house_box_is_inside(const rooms_box *in, const double at[3])
{
    return at[1] < in->matrix[13] + in->size[1] / 2;
}

/* Its children stand on it. A child that cannot be told is left out with all
 * that stands on it; depth DEPTH_MAX ends a chain that a hostile file may
 * have. */
static etna_code thor_object(reading *r,
                             const json_t *object,
                             uint32_t on,
                             int depth)
{
    double size[3], at[3], degrees[3], turn[3][3], matrix[16];
    char name[NAME_MAX_BYTES];
    uint32_t number = ROOMS_NONE;
    size_t i;
    json_t *child;
    thor_name(object, name);
    bool is_placed =
        thor_point(json_object_get(object, "position"), at) &&
        triple_read(json_object_get(object, "rotation"), 0, degrees);
    if (!is_placed)
        return etna_fail(r->err, ETNA_E_INPUT,
                         "%.60s: its position or rotation is no three numbers",
                         name);
    if (!house_size_find(r, house_text_at(object, "assetId"), size))
        return reading_leave(r, name, "its size is not known");
    if (on != ROOMS_NONE && house_box_is_inside(&r->out.boxes[on], at))
        return reading_leave(r, name, "it is inside of something");
    thor_turn(degrees, turn);
    matrix_make(turn, at, matrix);
    etna_code code = house_box_add(r, name, size, matrix, false, &number);
    if (!code)
        r->out.boxes[number].on = on;
    json_array_foreach(json_object_get(object, "children"), i, child)
    {
        if (!code && depth < DEPTH_MAX)
            code = thor_object(r, child, number, depth + 1);
    }
    return code;
}

/* Doors and windows are said beside the walls, by their names. */
static void thor_holes(const reading *r, const char *id, wall *w)
{
    static const char *const lists[] = {"doors", "windows"};
    for (int k = 0; k < 2; k++) {
        size_t i;
        json_t *one;
        json_array_foreach(json_object_get(r->document, lists[k]), i, one)
        {
            const json_t *ring = json_object_get(one, "holePolygon");
            double a[3], b[3];
            bool of_wall = strcmp(house_text_at(one, "wall0"), id) == 0 ||
                           strcmp(house_text_at(one, "wall1"), id) == 0;
            if (of_wall && triple_read(json_array_get(ring, 0), 0, a) &&
                triple_read(json_array_get(ring, 1), 0, b))
                hole_add(w, a, b);
        }
    }
}

/* Four corners in whichever order: the two lowest are its foot. */
static etna_code thor_wall(reading *r, const json_t *said)
{
    const json_t *ring = json_object_get(said, "polygon");
    wall w = {.foot = INFINITY};
    double top = -INFINITY;
    uint32_t found = 0;
    for (size_t i = 0; i < json_array_size(ring); i++) {
        double at[3];
        if (!thor_point(json_array_get(ring, i), at))
            return etna_fail(r->err, ETNA_E_INPUT,
                             "a wall's corner is no place");
        w.foot = fmin(w.foot, at[1]);
        top = fmax(top, at[1]);
    }
    for (size_t i = 0; i < json_array_size(ring) && found < 2; i++) {
        double at[3];
        double *to = found ? w.to : w.from;
        thor_point(json_array_get(ring, i), at);
        if (at[1] > w.foot + 1e-6)
            continue;
        to[0] = at[0];
        to[1] = at[2];
        found++;
    }
    if (found < 2)
        return ETNA_OK;
    w.height = top - w.foot;
    thor_holes(r, house_text_at(said, "id"), &w);
    return house_wall_add(r, &w);
}

/* Objects before floors and walls, in the file's order, so that the same file
 * gives the same names. */
static etna_code thor_read(reading *r)
{
    size_t i;
    json_t *one;
    etna_code code = ETNA_OK;
    json_array_foreach(json_object_get(r->document, "objects"), i, one)
    {
        if (!code)
            code = thor_object(r, one, ROOMS_NONE, 0);
    }
    json_array_foreach(json_object_get(r->document, "rooms"), i, one)
    {
        if (!code)
            code = house_floor_add(r, json_object_get(one, "floorPolygon"),
                                   thor_point);
    }
    json_array_foreach(json_object_get(r->document, "walls"), i, one)
    {
        if (!code)
            code = thor_wall(r, one);
    }
    return code;
}

/* ---- SceneEval: Z up, metres; models Y up, on their foot ---- */

/* (x, y, z) with Z up is (x, z, -y) with Y up. */
static bool state_point(const json_t *value, double ret[3])
{
    double at[3];
    if (!house_list_read(value, 3, at))
        return false;
    ret[0] = at[0];
    ret[1] = at[2];
    ret[2] = -at[1];
    return true;
}

/* Its columns, Z up, as columns, Y up, and the foot's middle made the box's. */
static bool state_matrix(const json_t *data, double height, double ret[16])
{
    double told[16];
    if (!house_list_read(data, 16, told))
        return false;
    for (int k = 0; k < 4; k++) {
        ret[4 * k] = told[4 * k];
        ret[4 * k + 1] = told[4 * k + 2];
        ret[4 * k + 2] = -told[4 * k + 1];
        ret[4 * k + 3] = k == 3;
    }
    for (int k = 0; k < 3; k++)
        ret[12 + k] += ret[4 + k] * height / 2;
    return true;
}

/* Objects come in the order of their index, which parents are named by. */
static etna_code state_object(reading *r, const json_t *object, uint32_t *ret)
{
    const json_t *transform = json_object_get(object, "transform");
    const char *asset = house_text_at(object, "modelId");
    const char *dot = strrchr(asset, '.');
    const char *label = house_text_at(object, "label");
    double size[3], matrix[16];
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "%.40s",
             *label ? label : (dot ? dot + 1 : asset));
    *ret = ROOMS_NONE;
    if (!house_size_find(r, asset, size))
        return reading_leave(r, name, "its size is not known");
    if (!state_matrix(json_object_get(transform, "data"), size[1], matrix))
        return etna_fail(r->err, ETNA_E_INPUT,
                         "%.60s: its transform is no sixteen numbers", name);
    return house_box_add(r, name, size, matrix, false, ret);
}

/* Two passes, since a parent may come behind its child. A parent that was left
 * out is ROOMS_NONE: it stands on the floor then. */
static etna_code state_objects(reading *r, const json_t *objects)
{
    size_t count = json_array_size(objects);
    size_t i;
    json_t *object;
    uint32_t *numbers = etna_arena_alloc(r->arena, count + 1, sizeof *numbers);
    if (!numbers)
        return reading_fail_memory(r);
    json_array_foreach(objects, i, object)
    {
        etna_code code = state_object(r, object, &numbers[i]);
        if (code)
            return code;
    }
    json_array_foreach(objects, i, object)
    {
        const json_t *parent = json_object_get(object, "parentIndex");
        json_int_t on = json_integer_value(parent);
        bool is_known =
            json_is_integer(parent) && on >= 0 && on != (json_int_t)i;
        if (is_known && (size_t)on < count && numbers[i] != ROOMS_NONE)
            r->out.boxes[numbers[i]].on = numbers[on];
    }
    return ETNA_OK;
}

/* Holes are said along the wall and up from its foot. */
static etna_code state_wall(reading *r, const json_t *said)
{
    const json_t *points = json_object_get(said, "points");
    double from[3], to[3];
    size_t i;
    json_t *one;
    bool is_line = state_point(json_array_get(points, 0), from) &&
                   state_point(json_array_get(points, 1), to);
    if (!is_line)
        return etna_fail(r->err, ETNA_E_INPUT, "a wall's end is no place");
    wall w = {.from = {from[0], from[2]},
              .to = {to[0], to[2]},
              .foot = from[1],
              .height = house_number_at(said, "height")};
    json_array_foreach(json_object_get(said, "holes"), i, one)
    {
        const json_t *box = json_object_get(one, "box");
        double a[2], b[2];
        if (house_list_read(json_object_get(box, "min"), 2, a) &&
            house_list_read(json_object_get(box, "max"), 2, b))
            hole_add(&w, a, b);
    }
    return house_wall_add(r, &w);
}

/* What is neither floor nor wall, a ceiling for one, is not taken. */
static etna_code state_read(reading *r)
{
    const json_t *scene = json_object_get(r->document, "scene");
    const json_t *arch = json_object_get(scene, "arch");
    size_t i;
    json_t *one;
    etna_code code = state_objects(r, json_object_get(scene, "object"));
    json_array_foreach(json_object_get(arch, "elements"), i, one)
    {
        const char *type = house_text_at(one, "type");
        if (!code && strcmp(type, "Floor") == 0)
            code =
                house_floor_add(r, json_object_get(one, "points"), state_point);
        if (!code && strcmp(type, "Wall") == 0)
            code = state_wall(r, one);
    }
    return code;
}

/* ---- ReSpace, SceneReVis: Y up, metres, quaternions ---- */

/* These are in our frame. */
static bool room_point(const json_t *value, double ret[3])
{
    return house_list_read(value, 3, ret);
}

/* (x, y, z, w) as the rows of a rotation. It need not be of unit length. */
static void quaternion_turn(const double q[4], double ret[3][3])
{
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    bool is_none = !(norm > 1e-9); /* all zero: not turned */
    double x = is_none ? 0 : q[0] / norm;
    double y = is_none ? 0 : q[1] / norm;
    double z = is_none ? 0 : q[2] / norm;
    double w = is_none ? 1 : q[3] / norm;
    const double turn[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(ret, turn, sizeof turn);
}

/* What it is, as far as the first comma or "with". */
static void room_name(const json_t *object, char to[NAME_MAX_BYTES])
{
    const char *said = house_text_at(object, "desc");
    const char *with = strstr(said, " with ");
    size_t size = strcspn(said, ",.;");
    if (with && (size_t)(with - said) < size)
        size = (size_t)(with - said);
    snprintf(to, NAME_MAX_BYTES, "%.*s", (int)fmin(size, 40), said);
}

/* A file's own objects are always sized; one that is not makes the file wrong,
 * unlike AI2-THOR's, whose sizes lie elsewhere. */
static etna_code room_object(reading *r, const json_t *object)
{
    double size[3], at[3];
    double q[4] = {0, 0, 0, 1};
    double turn[3][3], matrix[16];
    const json_t *rot = json_object_get(object, "rot");
    char name[NAME_MAX_BYTES];
    uint32_t number;
    room_name(object, name);
    bool is_sized = house_list_read(json_object_get(object, "size"), 3, size) &&
                    size_is_good(size);
    bool is_placed = house_list_read(json_object_get(object, "pos"), 3, at) &&
                     (!rot || house_list_read(rot, 4, q));
    if (!is_sized || !is_placed)
        return etna_fail(r->err, ETNA_E_INPUT,
                         "%.60s: its size, pos or rot is wrong", name);
    quaternion_turn(q, turn);
    for (int k = 0; k < 3; k++)
        at[k] += turn[k][1] * size[1] / 2; /* said of the foot's middle */
    matrix_make(turn, at, matrix);
    return house_box_add(r, name, size, matrix, false, &number);
}

/* Walls along the ring, as high as the ceiling is. */
static etna_code room_walls(reading *r, const json_t *bottom, const json_t *top)
{
    size_t count = json_array_size(bottom);
    double high[3];
    if (!room_point(json_array_get(top, 0), high))
        return ETNA_OK;
    for (size_t i = 0; i < count; i++) {
        double a[3], b[3];
        room_point(json_array_get(bottom, i), a);
        room_point(json_array_get(bottom, (i + 1) % count), b);
        wall w = {.from = {a[0], a[2]},
                  .to = {b[0], b[2]},
                  .foot = a[1],
                  .height = high[1] - a[1]};
        etna_code code = house_wall_add(r, &w);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* Of the room, or of one of SceneReVis's groups. */
static etna_code room_objects(reading *r, const json_t *objects)
{
    size_t i;
    json_t *one;
    json_array_foreach(objects, i, one)
    {
        etna_code code = room_object(r, one);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* SceneReVis has the shell in room_envelope and objects in groups; ReSpace has
 * both at the top. */
static etna_code room_read(reading *r)
{
    const json_t *envelope = json_object_get(r->document, "room_envelope");
    const json_t *shell = envelope ? envelope : r->document;
    const json_t *bottom = json_object_get(shell, "bounds_bottom");
    size_t i;
    json_t *group;
    etna_code code = room_objects(r, json_object_get(r->document, "objects"));
    json_array_foreach(json_object_get(r->document, "groups"), i, group)
    {
        if (!code)
            code = room_objects(r, json_object_get(group, "objects"));
    }
    if (!code)
        code = house_floor_add(r, bottom, room_point);
    return code ? code
                : room_walls(r, bottom, json_object_get(shell, "bounds_top"));
}

/* ---- which ---- */

/* SceneEval says what its file is. */
static bool is_state(const json_t *document)
{
    return strcmp(house_text_at(document, "format"), "sceneState") == 0;
}

/* AI2-THOR does not, but no other form has rooms beside walls. */
static bool is_house(const json_t *document)
{
    return json_is_array(json_object_get(document, "rooms")) &&
           json_is_array(json_object_get(document, "walls"));
}

/* Last of the three: bounds are all that is asked of it. */
static bool house_is_room(const json_t *document)
{
    return json_object_get(document, "bounds_bottom") ||
           json_object_get(document, "room_envelope");
}

/* The first form that the document has decides. */
static etna_code house_reading_run(reading *r)
{
    static const struct {
        bool (*is)(const json_t *document);
        etna_code (*read)(reading *r);
    } forms[] = {{is_state, state_read},
                 {is_house, thor_read},
                 {house_is_room, room_read}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (forms[i].is(r->document))
            return forms[i].read(r);
    }
    return etna_fail(
        r->err, ETNA_E_INPUT,
        "it is no house of AI2-THOR, no state of SceneEval and no room with bounds_bottom");
}

/* *ret is set on success alone; it lies in the arena, whatever happens. */
etna_code rooms_read(const json_t *document,
                     const json_t *sizes,
                     etna_arena *arena,
                     rooms *ret,
                     etna_error *err)
{
    reading r = {.arena = arena,
                 .document = document,
                 .left_room = ROOMS_BOXES_MAX,
                 .err = err};
    r.out.boxes = etna_arena_alloc(arena, ROOMS_BOXES_MAX, sizeof *r.out.boxes);
    r.out.floors =
        etna_arena_alloc(arena, ROOMS_FLOORS_MAX, sizeof *r.out.floors);
    r.out.left_out =
        etna_arena_alloc(arena, ROOMS_BOXES_MAX, sizeof *r.out.left_out);
    r.sizes = sizes_make(sizes);
    r.names = json_object();
    bool has_lists = r.out.boxes && r.out.floors && r.out.left_out;
    bool has_tables = r.sizes && r.names;
    /* some other file of theirs */
    bool is_none =
        has_tables && json_object_size(sizes) && !json_object_size(r.sizes);
    etna_code code =
        has_lists && has_tables ? ETNA_OK : reading_fail_memory(&r);
    if (!code && is_none)
        code = etna_fail(
            err, ETNA_E_INPUT,
            "the file of sizes tells no asset's: it is neither {\"asset\": [width, height, depth]} nor ProcTHOR's asset-database.json");
    if (!code)
        code = house_reading_run(&r);
    json_decref(r.sizes);
    json_decref(r.names);
    if (!code)
        *ret = r.out;
    return code;
}
