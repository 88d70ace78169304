/* The spec's text, checked member by member: what is wrong is said with the
 * name of whose it is.
 *
 * A spec (compose.h) is JSON that a person or another program wrote. Begin at
 * compose_read, then compose_read_all: the unit, the room, and the lists. Each
 * take_* function reads one member, leaves its output as it was where the
 * member is absent, and refuses what is out of its range; check_keys refuses
 * members that nobody reads, since a misspelt one would be passed over in
 * silence. Lengths leave here in metres, angles in radians, colours linear. The
 * errors of a spec are for whoever wrote it, so they say whose member it is and
 * what it should have been. */
#include "proto/arrange.h"
#include "proto/array.h"
#include "worker/convert/compose.h"
#include "worker/gltf/gltf.h"
#include "worker/gltf/json.h"
#include "worker/math/colour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 1e4 /* metres: nothing is farther or larger */

/* `unit` is metres a unit of the spec; texts are copied into the spec's
 * arena. */
typedef struct reading {
    compose_spec *spec;
    double unit;
    char where[320]; /* whose member is read, for errors */
    etna_error *err;
} reading;

/* The one shape of an error about a member. `wanted` goes on after "is not". */
static etna_code compose_refuse(reading *r, const char *key, const char *wanted)
{
    return etna_fail(r->err, ETNA_E_INPUT, "%s: \"%.60s\" is not %s", r->where,
                     key, wanted);
}

static etna_code compose_no_memory(reading *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "no memory for the spec");
}

/* ---- members ---- */

/* `known` ends with NULL. */
static etna_code check_keys(reading *r,
                            json_t *object,
                            const char *const *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return etna_fail(r->err, ETNA_E_INPUT, "%s is no object", r->where);
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i]) {
            return etna_fail(
                r->err, ETNA_E_INPUT,
                "%s: \"%.60s\" is not known; see `etna scene compose --help`",
                r->where, key);
        }
    }
    return ETNA_OK;
}

/* NaN cannot come from JSON, but an integer can: both kinds of number are
 * taken. */
static bool compose_is_within(const json_t *value, double low, double high)
{
    double v = json_number_value(value);
    return json_is_number(value) && v >= low && v <= high;
}

/* A number of [low, high]; absent: *ret stays. */
static etna_code compose_take_number(reading *r,
                                     const json_t *object,
                                     const char *key,
                                     double low,
                                     double high,
                                     double *ret)
{
    char wanted[80];
    const json_t *value = json_object_get(object, key);
    if (!value)
        return ETNA_OK;
    snprintf(wanted, sizeof wanted, "a number from %g to %g", low, high);
    if (!compose_is_within(value, low, high))
        return compose_refuse(r, key, wanted);
    *ret = json_number_value(value);
    return ETNA_OK;
}

/* `count` lengths of at least `low` units; absent: they stay. In the spec's
 * unit; `low` and what comes back are in metres. On a failure the first of them
 * may be set already: the spec is thrown away as a whole. */
static etna_code take_lengths(reading *r,
                              const json_t *object,
                              const char *key,
                              size_t count,
                              double low,
                              double *ret)
{
    char wanted[80];
    const json_t *list = json_object_get(object, key);
    if (!list)
        return ETNA_OK;
    snprintf(wanted, sizeof wanted, "a list of %zu numbers%s", count,
             low > 0 ? " above 0" : "");
    for (size_t i = 0; i < count; i++) {
        double v = json_number_value(json_array_get(list, i)) * r->unit;
        bool is_number = json_array_size(list) == count &&
                         json_is_number(json_array_get(list, i));
        if (!is_number || !(v >= low && v <= FAR))
            return compose_refuse(r, key, wanted);
        ret[i] = v;
    }
    return ETNA_OK;
}

/* Bounds are in metres, whatever the spec's unit. */
static etna_code take_length(
    reading *r, const json_t *object, const char *key, double low, double *ret)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return ETNA_OK;
    if (!compose_is_within(value, low / r->unit, FAR / r->unit))
        return compose_refuse(r, key, "a length, in the spec's unit");
    *ret = json_number_value(value) * r->unit;
    return ETNA_OK;
}

/* Absent: *ret stays. */
static etna_code take_flag(reading *r,
                           const json_t *object,
                           const char *key,
                           bool *ret)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        return compose_refuse(r, key, "true or false");
    if (value)
        *ret = json_is_true(value);
    return ETNA_OK;
}

/* A text of 1 to `most` bytes without control characters; absent: *ret
 * stays. */
static etna_code compose_take_text(reading *r,
                                   const json_t *object,
                                   const char *key,
                                   size_t most,
                                   const char **ret)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    size_t n = text ? strlen(text) : 0;
    if (!value)
        return ETNA_OK;
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            n = 0;
    }
    if (n == 0 || n > most || n != json_string_length(value))
        return compose_refuse(r, key,
                              "a short text without control characters");
    char *copy = etna_arena_strdup(&r->spec->arena, text);
    if (!copy)
        return compose_no_memory(r);
    *ret = copy;
    return ETNA_OK;
}

static bool text_is_colour(const char *text)
{
    if (!text || text[0] != '#')
        return false;
    return strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6;
}

/* From sRGB, as people write colours, to the linear components that glTF
 * has. */
static etna_code compose_take_colour(reading *r,
                                     const json_t *object,
                                     const char *key,
                                     double ret[3])
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (!value)
        return ETNA_OK;
    if (!text_is_colour(text)) {
        return compose_refuse(r, key, "a colour as \"#rrggbb\"");
    }
    unsigned long rgb = strtoul(text + 1, NULL, 16);
    for (int k = 0; k < 3; k++)
        ret[k] =
            colour_srgb_to_linear((double)(rgb >> (16 - 8 * k) & 255) / 255);
    return ETNA_OK;
}

/* A surface's colour, its texture, and how many metres one tile of it
 * covers. */
static etna_code take_look(reading *r,
                           const json_t *object,
                           const char *key,
                           compose_look *ret)
{
    static const char *const known[] = {"colour", "texture", "tile", NULL};
    json_t *look = json_object_get(object, key);
    if (!look)
        return ETNA_OK;
    snprintf(r->where, sizeof r->where, "the room's \"%s\"", key);
    etna_code code = check_keys(r, look, known);
    if (code == ETNA_OK)
        code = compose_take_colour(r, look, "colour", ret->colour);
    if (code == ETNA_OK)
        code = compose_take_text(r, look, "texture", 1000, &ret->texture);
    return code == ETNA_OK ? take_length(r, look, "tile", 0.001, &ret->tile)
                           : code;
}

/* ---- the room ---- */

static const char *const compass[] = {"north", "east", "south", "west"};

/* Rectangles have walls by compass, polygons by number from 1, which is what a
 * spec calls them by. */
void compose_wall_name(const compose_room *room, uint32_t edge, char to[32])
{
    if (room->compass && edge < 4)
        snprintf(to, 32, "wall %s", compass[edge]);
    else
        snprintf(to, 32, "wall %u", edge + 1);
}

/* Twice the signed area of the triangle: positive for a turn one way, 0 for a
 * straight line. */
double compose_corner_turn(const double a[2],
                           const double b[2],
                           const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* For three points on a line: does p lie within a's and b's box? Ends count. */
static bool compose_is_between(const double a[2],
                               const double b[2],
                               const double p[2])
{
    return (p[0] - a[0]) * (p[0] - b[0]) <= 0 &&
           (p[1] - a[1]) * (p[1] - b[1]) <= 0;
}

/* Do the turns say that two points lie strictly on either side of a line? */
static bool is_parted(double p, double q)
{
    return p != 0 && q != 0 && (p > 0) != (q > 0);
}

/* Touching counts as crossing. */
static bool compose_edges_cross(const double a[2],
                                const double b[2],
                                const double c[2],
                                const double d[2])
{
    double p = compose_corner_turn(a, b, c);
    double q = compose_corner_turn(a, b, d);
    double s = compose_corner_turn(c, d, a);
    double t = compose_corner_turn(c, d, b);
    if (is_parted(p, q) && is_parted(s, t))
        return true;
    if (p == 0 && compose_is_between(a, b, c))
        return true;
    if (q == 0 && compose_is_between(a, b, d))
        return true;
    if (s == 0 && compose_is_between(c, d, a))
        return true;
    return t == 0 && compose_is_between(c, d, b);
}

/* At least 1 cm long, not doubling back at its end, and across no later edge
 * that is not its neighbour. */
static bool edge_is_sound(const compose_room *room, uint32_t edge)
{
    uint32_t n = room->corner_count;
    const double *a = room->corner[edge];
    const double *b = room->corner[(edge + 1) % n];
    const double *c = room->corner[(edge + 2) % n];
    double dot = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    if (fabs(b[0] - a[0]) + fabs(b[1] - a[1]) < 0.01)
        return false;
    if (compose_corner_turn(a, b, c) == 0 && dot < 0)
        return false;
    for (uint32_t k = edge + 2; k < n; k++) {
        bool is_neighbour = edge == 0 && k == n - 1;
        if (!is_neighbour && compose_edges_cross(a, b, room->corner[k],
                                                 room->corner[(k + 1) % n]))
            return false;
    }
    return true;
}

/* No two edges meet but neighbours at their corner, no corner doubles back;
 * then the order is made clockwise. */
static etna_code check_corners(reading *r, compose_room *room)
{
    uint32_t n = room->corner_count;
    /* twice the floor's; its sign says which way round the corners go */
    double area = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double *a = room->corner[i];
        const double *b = room->corner[(i + 1) % n];
        area += a[0] * b[1] - b[0] * a[1];
        if (!edge_is_sound(room, i)) {
            return etna_fail(
                r->err, ETNA_E_INPUT,
                "the room's \"corners\": edge %u crosses or touches another, or is shorter than 1 cm",
                i + 1);
        }
    }
    for (uint32_t i = 1; area < 0 && 2 * i < n;
         i++) { /* the first corner stays; edges are turned round with them */
        double kept[2] = {room->corner[i][0], room->corner[i][1]};
        memcpy(room->corner[i], room->corner[n - i], sizeof kept);
        memcpy(room->corner[n - i], kept, sizeof kept);
    }
    return fabs(area) > 0.02
               ? ETNA_OK
               : etna_fail(
                     r->err, ETNA_E_INPUT,
                     "the room has no floor: its corners enclose nothing");
}

/* Round the origin, clockwise from above; its walls go by the points of the
 * compass. North is at -Z, as seen on a plan with the viewer's +Z below. */
static etna_code make_rectangle(const reading *r,
                                double width,
                                double depth,
                                compose_room *room)
{
    if (!(width > 0 && depth > 0)) {
        return etna_fail(
            r->err, ETNA_E_INPUT,
            "the room has no floor: it needs \"width\" and \"depth\", or \"corners\"");
    }
    double x = 0.5 * width;
    double z = 0.5 * depth;
    const double corners[4][2] = {{-x, -z}, {x, -z}, {x, z}, {-x, z}};
    memcpy(room->corner, corners, sizeof corners);
    room->compass = true;
    room->corner_count = 4;
    return ETNA_OK;
}

/* [x, z] in the spec's unit, to metres. */
static bool take_corner(const reading *r, const json_t *pair, double ret[2])
{
    if (json_array_size(pair) != 2)
        return false;
    for (size_t k = 0; k < 2; k++) {
        const json_t *number = json_array_get(pair, k);
        ret[k] = json_number_value(number) * r->unit;
        if (!json_is_number(number) || !(fabs(ret[k]) <= FAR))
            return false;
    }
    return true;
}

/* A rectangle by its size or a polygon by its corners, never both, as they
 * could contradict each other. */
static etna_code take_corners(reading *r,
                              const json_t *json,
                              compose_room *room)
{
    double width = 0, depth = 0;
    const json_t *list = json_object_get(json, "corners");
    size_t n = json_array_size(list);
    etna_code code = take_length(r, json, "width", 0.1, &width);
    if (code == ETNA_OK)
        code = take_length(r, json, "depth", 0.1, &depth);
    if (code != ETNA_OK)
        return code;
    if (!list)
        return make_rectangle(r, width, depth, room);
    bool has_size = width > 0 || depth > 0;
    if (has_size || n < 3 || n > COMPOSE_CORNERS_MAX) {
        return compose_refuse(
            r, "corners",
            "a list of 3 to 64 corners [x, z], without \"width\" and \"depth\"");
    }
    room->compass = false;
    room->corner_count = (uint32_t)n;
    for (uint32_t i = 0; i < room->corner_count; i++) {
        if (!take_corner(r, json_array_get(list, i), room->corner[i])) {
            return compose_refuse(r, "corners",
                                  "a list of 3 to 64 corners [x, z]");
        }
    }
    return check_corners(r, room);
}

/* An edge's number by the name or number of its wall; corner_count: there is
 * none. Names are known of rectangles alone; numbers count from 1 in both. */
static uint32_t find_edge(const compose_room *room, const json_t *wall)
{
    json_int_t number = json_integer_value(wall);
    const char *text = json_string_value(wall);
    for (uint32_t i = 0; room->compass && text && i < 4; i++) {
        if (strcmp(text, compass[i]) == 0)
            return i;
    }
    return json_is_integer(wall) && number >= 1 && number <= room->corner_count
               ? (uint32_t)number - 1
               : room->corner_count;
}

/* True for all, false for none, or a list of those that are there. */
static etna_code take_walls(reading *r, const json_t *json, compose_room *room)
{
    const json_t *walls = json_object_get(json, "walls");
    const json_t *wall;
    size_t i;
    for (uint32_t k = 0; k < room->corner_count; k++)
        room->wall[k] = !walls || json_is_true(walls);
    if (walls && !json_is_boolean(walls) && !json_is_array(walls))
        return compose_refuse(r, "walls", "true, false or a list");
    json_array_foreach(walls, i, wall)
    {
        uint32_t edge = find_edge(room, wall);
        if (edge == room->corner_count) {
            return compose_refuse(r, "walls",
                                  room->compass
                                      ? "a list of north, east, south, west"
                                      : "a list of numbers of edges, from 1");
        }
        room->wall[edge] = true;
    }
    return ETNA_OK;
}

/* Strictly within the wall: an opening to its very end would leave a piece
 * without width. `furnish` calls it, too, for the openings that a brief asked
 * for. */
etna_code compose_check_openings(const compose_room *room, etna_error *err)
{
    char name[32];
    for (uint32_t i = 0; i < room->opening_count; i++) {
        const compose_opening *o = &room->openings[i];
        const double *a = room->corner[o->edge];
        const double *b = room->corner[(o->edge + 1) % room->corner_count];
        double length =
            sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
        double from = o->at - o->width / 2;
        double to = o->at + o->width / 2;
        compose_wall_name(room, o->edge, name);
        if (!room->wall[o->edge])
            return etna_fail(err, ETNA_E_INPUT,
                             "an opening is in %s, which is not there", name);
        bool is_within =
            from > 0 && to < length && o->foot + o->height < room->height;
        if (!is_within)
            return etna_fail(
                err, ETNA_E_INPUT,
                "an opening from %.2f to %.2f m does not lie within %s, %.2f m long and %.2f m high",
                from, to, name, length, room->height);
        for (uint32_t k = 0; k < i; k++) {
            const compose_opening *p = &room->openings[k];
            bool meet = p->edge == o->edge &&
                        fabs(p->at - o->at) < (p->width + o->width) / 2;
            if (meet)
                return etna_fail(err, ETNA_E_INPUT,
                                 "two openings of %s meet at %.2f m", name,
                                 o->at);
        }
    }
    return ETNA_OK;
}

/* A door where the members are absent: 0.9 by 2 m from the floor. */
static etna_code compose_take_opening(reading *r,
                                      json_t *json,
                                      compose_room *room)
{
    static const char *const known[] = {"wall", "at",     "width",
                                        "foot", "height", NULL};
    compose_opening *o = &room->openings[room->opening_count];
    etna_code code = check_keys(r, json, known);
    if (code != ETNA_OK)
        return code;
    uint32_t edge = find_edge(room, json_object_get(json, "wall"));
    if (edge == room->corner_count)
        return compose_refuse(r, "wall", "a wall of the room");
    *o = (compose_opening){.edge = edge, .width = 0.9, .height = 2};
    code = take_length(r, json, "at", 0, &o->at);
    if (code == ETNA_OK)
        code = take_length(r, json, "width", 0.1, &o->width);
    if (code == ETNA_OK)
        code = take_length(r, json, "foot", 0, &o->foot);
    if (code == ETNA_OK)
        code = take_length(r, json, "height", 0.1, &o->height);
    room->opening_count += code == ETNA_OK;
    return code;
}

/* Leaves the reading at "the room", whose members come next. */
static etna_code take_openings(reading *r,
                               const json_t *json,
                               compose_room *room)
{
    json_t *list = json_object_get(json, "openings");
    json_t *one;
    size_t i;
    bool is_list = !list || (json_is_array(list) &&
                             json_array_size(list) <= COMPOSE_OPENINGS_MAX);
    if (!is_list)
        return compose_refuse(r, "openings", "a list of at most 16");
    json_array_foreach(list, i, one)
    {
        snprintf(r->where, sizeof r->where, "opening %zu of the room", i + 1);
        etna_code code = compose_take_opening(r, one, room);
        if (code != ETNA_OK)
            return code;
    }
    snprintf(r->where, sizeof r->where, "the room");
    return ETNA_OK;
}

/* Floor, walls and ceiling; each has a colour of its own where none is
 * given. */
static etna_code take_looks(reading *r, json_t *json, compose_room *room)
{
    etna_code code = take_look(r, json, "floor", &room->floor);
    if (code == ETNA_OK)
        code = take_look(r, json, "wall", &room->walls);
    return code == ETNA_OK ? take_look(r, json, "top", &room->top) : code;
}

/* Everything but "corners" or the two sizes has a default. Openings are checked
 * last: they need the walls and the height. */
static etna_code take_room(reading *r, json_t *json)
{
    static const char *const known[] = {
        "width",   "depth", "corners", "height",   "walls", "floor",
        "ceiling", "wall",  "top",     "openings", NULL};
    compose_room *room = &r->spec->room;
    *room = (compose_room){.height = 2.5,
                           .floor = {{0.35, 0.22, 0.13}, NULL, 1},
                           .walls = {{0.75, 0.72, 0.66}, NULL, 1},
                           .top = {{0.85, 0.85, 0.85}, NULL, 1}};
    if (!json)
        return etna_fail(r->err, ETNA_E_INPUT, "the spec has no \"room\"");
    snprintf(r->where, sizeof r->where, "the room");
    etna_code code = check_keys(r, json, known);
    if (code == ETNA_OK)
        code = take_corners(r, json, room);
    if (code == ETNA_OK)
        code = take_length(r, json, "height", 0.1, &room->height);
    if (code == ETNA_OK)
        code = take_walls(r, json, room);
    if (code == ETNA_OK)
        code = take_flag(r, json, "ceiling", &room->ceiling);
    if (code == ETNA_OK)
        code = take_looks(r, json, room);
    if (code == ETNA_OK)
        code = take_openings(r, json, room);
    return code == ETNA_OK ? compose_check_openings(room, r->err) : code;
}

/* ---- objects ---- */

/* The object of that name among the first `count`, else `count`. */
static uint32_t find_object_before(const compose_spec *spec,
                                   const char *name,
                                   uint32_t count)
{
    uint32_t at = 0;
    if (!name)
        return count;
    while (at < count && strcmp(spec->objects[at].name, name) != 0)
        at++;
    return at;
}

/* From the ceiling or at a wall, which must be there: nothing hangs in the
 * air. */
static etna_code take_hanging(reading *r, const json_t *hang, compose_object *o)
{
    const compose_room *room = &r->spec->room;
    const char *text = json_string_value(hang);
    if (text && strcmp(text, "ceiling") == 0) {
        o->footing = COMPOSE_CEILING;
        return room->ceiling
                   ? ETNA_OK
                   : compose_refuse(r, "hang",
                                    "to be had: the room has no ceiling");
    }
    o->footing = COMPOSE_WALL;
    o->on = find_edge(room, hang);
    bool is_wall = o->on < room->corner_count && room->wall[o->on];
    return is_wall
               ? ETNA_OK
               : compose_refuse(r, "hang", "\"ceiling\" or a wall of the room");
}

/* "on" may only name what the list has before, which excludes cycles. "height"
 * of what stands on something is the other's top, so giving it there would say
 * it twice; for the rest it has no meaning. */
static etna_code take_footing(reading *r,
                              const json_t *json,
                              uint32_t index,
                              compose_object *o)
{
    const json_t *on = json_object_get(json, "on");
    const json_t *hang = json_object_get(json, "hang");
    if (on && hang)
        return etna_fail(r->err, ETNA_E_INPUT,
                         "%s: it has \"on\" and \"hang\"; one is to be chosen",
                         r->where);
    if (on) {
        o->footing = COMPOSE_ON;
        o->on = find_object_before(r->spec, json_string_value(on), index);
        if (o->on == index)
            return compose_refuse(
                r, "on", "the name of an object that the list has before it");
    }
    etna_code code = hang ? take_hanging(r, hang, o) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (!on && json_object_get(json, "height"))
        return compose_refuse(r, "height", "for what is not \"on\" something");
    return ETNA_OK;
}

/* Which of the object's own sides is its front, in the asset's frame; "none"
 * says that it has none, which differs from not saying. */
static etna_code take_front(reading *r, const json_t *json, compose_object *o)
{
    static const char *const fronts[] = {"+X", "-X", "+Z", "-Z", "none"};
    const json_t *value = json_object_get(json, "front");
    for (size_t i = 0; i < COUNT_OF(fronts); i++) {
        if (json_is_string(value) &&
            strcmp(json_string_value(value), fronts[i]) == 0)
            o->front = fronts[i];
    }
    return !value || o->front
               ? ETNA_OK
               : compose_refuse(r, "front", "+X, -X, +Z, -Z or none");
}

/* A name of its own; errors speak of the object by it from here on. */
static etna_code take_object_name(reading *r,
                                  const json_t *json,
                                  uint32_t index,
                                  compose_object *o)
{
    etna_code code =
        compose_take_text(r, json, "name", ARRANGE_NAME_MAX, &o->name);
    if (code != ETNA_OK)
        return code;
    if (!o->name)
        return compose_refuse(r, "name", "given");
    snprintf(r->where, sizeof r->where, "\"%.100s\"", o->name);
    if (find_object_before(r->spec, o->name, index) < index) {
        return compose_refuse(r, "name", "its own: another object has it");
    }
    return ETNA_OK;
}

/* Where it stands, how it is turned and how large it is: "at", "height", "yaw",
 * "size". Yaw is given in degrees about up. A height of -1, which no spec can
 * give, means the default. */
static etna_code take_stand(reading *r, json_t *json, compose_object *o)
{
    double degrees = 0;
    etna_code code = take_lengths(r, json, "at", 2, -FAR, o->at);
    if (code == ETNA_OK)
        code = take_length(r, json, "height", 0, &o->height);
    if (code == ETNA_OK)
        code = compose_take_number(r, json, "yaw", -3600, 3600, &degrees);
    o->yaw = degrees * (MATH_PI / 180);
    return code == ETNA_OK ? take_lengths(r, json, "size", 3, 1e-4, o->size)
                           : code;
}

/* The name comes first, so that errors about the rest can use it. */
static etna_code take_object(reading *r, json_t *json, uint32_t index)
{
    static const char *const known[] = {"name",  "asset",  "at",  "on",
                                        "hang",  "height", "yaw", "size",
                                        "front", "static", NULL};
    compose_object *o = &r->spec->objects[index];
    *o = (compose_object){.height = -1};
    snprintf(r->where, sizeof r->where, "object %u", index + 1);
    etna_code code = check_keys(r, json, known);
    if (code == ETNA_OK)
        code = take_object_name(r, json, index, o);
    if (code == ETNA_OK)
        code = compose_take_text(r, json, "asset", 1000, &o->asset);
    if (code != ETNA_OK)
        return code;
    if (!o->asset)
        return compose_refuse(r, "asset", "given");
    if (!json_object_get(json, "at"))
        return compose_refuse(r, "at", "given");
    code = take_footing(r, json, index, o);
    if (code == ETNA_OK)
        code = take_stand(r, json, o);
    if (code == ETNA_OK)
        code = take_flag(r, json, "static", &o->is_static);
    return code == ETNA_OK ? take_front(r, json, o) : code;
}

/* ---- cameras and lights ---- */

/* It looks from one point at another; straight down is a way to look, too. */
static etna_code check_sight(reading *r,
                             const double from[3],
                             const double to[3])
{
    double d =
        fabs(from[0] - to[0]) + fabs(from[1] - to[1]) + fabs(from[2] - to[2]);
    return d > 1e-6
               ? ETNA_OK
               : compose_refuse(r, "target", "apart from its \"position\"");
}

/* Yfov in degrees in the spec, in radians behind it; the target is the origin
 * where none is given. */
static etna_code take_camera(reading *r, json_t *json, uint32_t index)
{
    static const char *const known[] = {"name",     "position", "target",
                                        "yfov_deg", "aspect",   NULL};
    compose_camera *c = &r->spec->cameras[index];
    double degrees = 45;
    *c = (compose_camera){.name = "Camera", .aspect = 4.0 / 3};
    snprintf(r->where, sizeof r->where, "camera %u", index + 1);
    etna_code code = check_keys(r, json, known);
    if (code == ETNA_OK && !json_object_get(json, "position"))
        return compose_refuse(r, "position", "given");
    if (code == ETNA_OK)
        code = compose_take_text(r, json, "name", ARRANGE_NAME_MAX, &c->name);
    if (code == ETNA_OK)
        code = take_lengths(r, json, "position", 3, -FAR, c->position);
    if (code == ETNA_OK)
        code = take_lengths(r, json, "target", 3, -FAR, c->target);
    if (code == ETNA_OK)
        code = compose_take_number(r, json, "yfov_deg", 1, 150, &degrees);
    if (code == ETNA_OK)
        code = compose_take_number(r, json, "aspect", 0.1, 10, &c->aspect);
    c->yfov = degrees * (MATH_PI / 180);
    return code == ETNA_OK ? check_sight(r, c->position, c->target) : code;
}

/* glTF's name for it, NULL: it has none. */
static const char *find_light_kind(const char *name)
{
    static const char *const kinds[] = {"point", "spot", "directional"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(name, kinds[i]) == 0)
            return kinds[i];
    }
    return NULL;
}

/* The intensity has glTF's unit: candela of point and spot, lux of directional
 * ones. Only a spot has a cone. */
static etna_code take_light(reading *r, json_t *json, uint32_t index)
{
    static const char *const known[] = {"name",     "kind",   "position",
                                        "target",   "colour", "intensity",
                                        "cone_deg", NULL};
    compose_light *l = &r->spec->lights[index];
    const char *kind = "point";
    double degrees = 45;
    *l =
        (compose_light){.name = "Light", .colour = {1, 1, 1}, .intensity = 100};
    snprintf(r->where, sizeof r->where, "light %u", index + 1);
    etna_code code = check_keys(r, json, known);
    if (code == ETNA_OK && !json_object_get(json, "position"))
        return compose_refuse(r, "position", "given");
    if (code == ETNA_OK)
        code = compose_take_text(r, json, "name", ARRANGE_NAME_MAX, &l->name);
    if (code == ETNA_OK)
        code = compose_take_text(r, json, "kind", 40, &kind);
    if (code != ETNA_OK)
        return code;
    l->kind = find_light_kind(kind);
    if (!l->kind)
        return compose_refuse(r, "kind", "point, spot or directional");
    code = take_lengths(r, json, "position", 3, -FAR, l->position);
    if (code == ETNA_OK)
        code = take_lengths(r, json, "target", 3, -FAR, l->target);
    if (code == ETNA_OK)
        code = compose_take_colour(r, json, "colour", l->colour);
    if (code == ETNA_OK)
        code = compose_take_number(r, json, "intensity", 0, 1e9, &l->intensity);
    if (code == ETNA_OK)
        code = compose_take_number(r, json, "cone_deg", 1, 89, &degrees);
    l->cone = strcmp(l->kind, "spot") == 0 ? degrees * (MATH_PI / 180) : 0;
    return code == ETNA_OK ? check_sight(r, l->position, l->target) : code;
}

/* ---- the whole ---- */

/* An absent list is empty. The limit is checked before memory is taken. */
static etna_code count_list(
    reading *r, const json_t *root, const char *key, size_t most, size_t *ret)
{
    const json_t *list = json_object_get(root, key);
    if (list && !json_is_array(list))
        return compose_refuse(r, key, "a list");
    if (json_array_size(list) > most) {
        return etna_fail(r->err, ETNA_E_LIMIT,
                         "the spec has %zu %s; %zu are read at most",
                         json_array_size(list), key, most);
    }
    *ret = json_array_size(list);
    return ETNA_OK;
}

/* Objects before cameras and lights, in the spec's order, so the first error is
 * the first in the text. */
static etna_code compose_take_lists(reading *r,
                                    const json_t *root,
                                    const size_t count[3])
{
    compose_spec *spec = r->spec;
    etna_code code = ETNA_OK;
    spec->objects =
        etna_arena_alloc(&spec->arena, count[0], sizeof *spec->objects);
    spec->cameras =
        etna_arena_alloc(&spec->arena, count[1] + 1, sizeof *spec->cameras);
    spec->lights =
        etna_arena_alloc(&spec->arena, count[2] + 1, sizeof *spec->lights);
    if (!spec->objects || !spec->cameras || !spec->lights)
        return compose_no_memory(r);
    for (; code == ETNA_OK && spec->object_count < count[0];
         spec->object_count++) {
        code = take_object(r,
                           json_array_get(json_object_get(root, "objects"),
                                          spec->object_count),
                           spec->object_count);
    }
    for (; code == ETNA_OK && spec->camera_count < count[1];
         spec->camera_count++) {
        code = take_camera(r,
                           json_array_get(json_object_get(root, "cameras"),
                                          spec->camera_count),
                           spec->camera_count);
    }
    for (; code == ETNA_OK && spec->light_count < count[2];
         spec->light_count++) {
        code = take_light(
            r,
            json_array_get(json_object_get(root, "lights"), spec->light_count),
            spec->light_count);
    }
    return code;
}

/* Unit first, as every length is read by it; the room before objects, which may
 * hang at its walls. */
static etna_code compose_read_all(reading *r, json_t *root)
{
    static const char *const known[] = {"unit",    "room",   "objects",
                                        "cameras", "lights", NULL};
    size_t count[3] = {0};
    snprintf(r->where, sizeof r->where, "the spec");
    etna_code code = check_keys(r, root, known);
    if (code == ETNA_OK)
        code = compose_take_number(r, root, "unit", 1e-6, 1e3, &r->unit);
    if (code == ETNA_OK)
        code = count_list(r, root, "objects", COMPOSE_OBJECTS_MAX, &count[0]);
    if (code == ETNA_OK)
        code = count_list(r, root, "cameras", COMPOSE_CAMERAS_MAX, &count[1]);
    if (code == ETNA_OK)
        code = count_list(r, root, "lights", COMPOSE_LIGHTS_MAX, &count[2]);
    if (code == ETNA_OK && !count[0])
        return etna_fail(r->err, ETNA_E_INPUT, "the spec has no \"objects\"");
    if (code == ETNA_OK)
        code = take_room(r, json_object_get(root, "room"));
    return code == ETNA_OK ? compose_take_lists(r, root, count) : code;
}

/* Reads `size` bytes; *ret is set on success alone and freed by compose_free.
 * Files that the spec names are not opened here. */
etna_code compose_read(const char *text,
                       size_t size,
                       compose_spec *ret,
                       etna_error *err)
{
    compose_spec spec = {.objects = NULL};
    reading r = {.spec = &spec, .unit = 1, .err = err};
    json_t *root = NULL;
    if (size > COMPOSE_TEXT_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "the spec has %zu bytes; %d are read at most", size,
                         COMPOSE_TEXT_MAX);
    }
    etna_code code = gltf_parse_json(text, size, "the spec", &root, err);
    if (code == ETNA_OK)
        code = compose_read_all(&r, root);
    json_decref(root);
    if (code != ETNA_OK) {
        compose_free(&spec);
        return code;
    }
    *ret = spec;
    return ETNA_OK;
}

/* Also of one that was never filled; leaves it empty. */
void compose_free(compose_spec *spec)
{
    etna_arena_free(&spec->arena);
    *spec = (compose_spec){.objects = NULL};
}
