/* See furnish_scene.h: reading a scene's room. What comes into it is
 * furnish_guests.c's. */
#include "worker/cli/furnish_scene.h"
#include "worker/cli/assets.h"
#include "worker/cli/furnish_scene_internal.h"
#include "worker/cli/scale.h"
#include "worker/cli/scene_facts.h"
#include "worker/furnish/floor.h"

#include <stdlib.h>
#include <string.h>

/* ANGLES: bins of half a degree over a quarter turn; ANGLES_NEAR: so many on
 * both sides are counted together. */
enum {
    THINGS_THERE_MAX = 160,
    ANGLES = 180,
    ANGLES_NEAR = 3
};
#define HUNG_FROM \
    0.4 /* metres above the floor: what begins there and stands on nothing hangs */
#define CEILING_FROM 1.8   /* and what begins there hangs from the ceiling */
#define FURNITURE_MOST 2.3 /* metres high */
#define FLAT_MOST 0.03     /* metres: a rug */
#define CEILING_LOOK 30.0  /* metres up */
#define DOOR_REACH \
    0.35 /* metres between a door and the side of the room that it is in */

/* ---- the scene ---- */

/* What each object is, by its name or what is known of it; "" where neither
 * says. */
static etna_code scene_heads_read(furnish_scene *s, etna_error *err)
{
    s->heads = etna_arena_alloc(&s->arena, s->facts.object_count + 1u,
                                sizeof *s->heads);
    if (!s->heads)
        return furnish_no_memory(err);
    for (uint32_t i = 0; i < s->facts.object_count; i++) {
        const builtin_object *o = &s->facts.objects[i];
        char head[BRIEF_HEAD_SIZE];
        bool is_named = brief_name_read(o->words, o->word_count, head) ||
                        brief_name_read(o->hints, o->hint_count, head);
        s->heads[i] = etna_arena_strdup(&s->arena, is_named ? head : "");
        if (!s->heads[i])
            return furnish_no_memory(err);
    }
    return ETNA_OK;
}

/* Opens the scene to be furnished and checks that its unit is believable. */
etna_code furnish_scene_open(furnishing *f,
                             const char *path,
                             const scene_options *options,
                             etna_error *err)
{
    char *json = NULL;
    size_t size = 0;
    furnish_scene *s = calloc(1, sizeof *s);
    f->scene = s;
    if (!s)
        return furnish_no_memory(err);
    s->path = path;
    etna_code code = load_scene(path, options, NULL, &s->loaded, err);
    if (code == ETNA_OK)
        code = scene_facts_tell(&s->loaded, NULL, &json, &size, err);
    if (code == ETNA_OK)
        code = builtin_facts_read(json, size, &s->arena, &s->facts, err);
    free(json);
    if (code == ETNA_OK)
        code = scene_heads_read(s, err);
    if (code != ETNA_OK || options->metres_per_unit > 0)
        return code;
    shelf *shelved = NULL;
    code = assets_open(f->store, false, &shelved, err);
    if (code == ETNA_OK)
        code = scale_check(&s->facts, s->loaded.scene->metres_per_unit, shelved,
                           err);
    shelf_close(shelved);
    return code;
}

/* Of the building: neither a thing nor beside the scene. A worktop that is
 * fixed is furniture all the same. */
static bool is_building(const furnish_scene *s, uint32_t object)
{
    const scene_object *o = &s->loaded.scene->objects[object];
    bool is_furniture =
        s->heads[object][0] && o->max.z - o->min.z < FURNITURE_MOST;
    return o->is_static && !o->static_by_cut && !is_furniture &&
           !scene_is_aside(o);
}

static bool object_is_thing(const furnish_scene *s, uint32_t object)
{
    const scene_object *o = &s->loaded.scene->objects[object];
    return !scene_is_aside(o) && !is_building(s, object);
}

/* ---- the floor ---- */

static double hull_area(const builtin_surface *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->corner_count; i++) {
        const double *p = b->corners[i];
        const double *q = b->corners[(i + 1) % b->corner_count];
        sum += p[0] * q[1] - q[0] * p[1];
    }
    return fabs(sum) / 2;
}

/* How many things have their feet at the surface's height; those that the text
 * speaks of count most. */
static uint32_t feet_on(const furnish_scene *s, const builtin_surface *b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->loaded.scene->object_count; i++) {
        const builtin_object *o = &s->facts.objects[i];
        bool is_there =
            object_is_thing(s, i) && fabs(builtin_foot(o) - b->height) < 0.05;
        if (is_there)
            count += s->spoken && s->spoken[i] ? 100 : 1;
    }
    return count;
}

/* Of all of the building that is as high: a floor may be of several tiles, and
 * a worktop is small beside it. */
static double area_at(const furnish_scene *s, double height)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->facts.surface_count; i++) {
        const builtin_surface *b = &s->facts.surfaces[i];
        bool is_floor = b->object < s->loaded.scene->object_count &&
                        is_building(s, b->object);
        if (is_floor && fabs(b->height - height) < FLOOR_LEVEL)
            sum += hull_area(b);
    }
    return sum;
}

/* The height on which most stands; of an empty scene the lowest of its large
 * floors. */
static bool find_height(furnish_scene *s)
{
    double largest = 0, area = 0;
    uint32_t most = 0;
    bool found = false;
    for (uint32_t i = 0; i < s->facts.surface_count; i++)
        largest = fmax(largest, area_at(s, s->facts.surfaces[i].height));
    for (uint32_t i = 0; i < s->facts.surface_count; i++) {
        const builtin_surface *b = &s->facts.surfaces[i];
        double own = area_at(s, b->height);
        if (own < 1 || own < largest / 4)
            continue;
        uint32_t feet = feet_on(s, b);
        bool is_large = own > largest / 2;
        bool is_better =
            feet > most || (feet == most && is_large &&
                            (area < largest / 2 || b->height < s->origin.z));
        if (found && !is_better)
            continue;
        found = true;
        most = feet;
        area = own;
        s->origin.z = b->height;
    }
    return found;
}

/* ---- the walls' direction ---- */

typedef void (*triangle_take)(void *context, const vec3 corner[3]);

/* In the scene's frame, base pose. */
static void object_triangles(const scene *sc,
                             uint32_t object,
                             triangle_take take,
                             void *context)
{
    const scene_object *o = &sc->objects[object];
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *m = &sc->meshes[sc->parts[p].mesh];
        for (uint32_t t = 0; t < m->triangle_count; t++) {
            vec3 corner[3];
            for (int k = 0; k < 3; k++)
                corner[k] = scene_vertex(sc, &sc->parts[p],
                                         m->index[3 * (size_t)t + k]);
            take(context, corner);
        }
    }
}

typedef struct directions {
    double weight[ANGLES],
        /* of walls by the angle of their normal, modulo a quarter turn */
        sum[ANGLES];
} directions;

/* Upright faces vote for the direction of walls, by area; modulo a quarter
 * turn. */
static void direction_take(void *context, const vec3 corner[3])
{
    directions *d = context;
    vec3 normal =
        v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    double area = v3_length(normal);
    double flat = hypot(normal.x, normal.y);
    if (!(flat > 0.99 * area && area > 1e-6))
        return;
    double angle =
        fmod(math_atan2(normal.y, normal.x) + 2 * MATH_PI, MATH_PI / 2);
    uint32_t bin = (uint32_t)(angle / (MATH_PI / 2) * ANGLES);
    if (bin >= ANGLES)
        bin = ANGLES - 1;
    d->weight[bin] += area;
    d->sum[bin] += area * angle;
}

/* Sum over neighbouring bins, round the end of the quarter. */
static double direction_at(const directions *d, uint32_t bin, double *ret_angle)
{
    double weight = 0, sum = 0;
    for (int k = -ANGLES_NEAR; k <= ANGLES_NEAR; k++) {
        uint32_t i = (uint32_t)((int)bin + k + ANGLES) % ANGLES;
        double turned = (int)bin + k < 0 ? -MATH_PI / 2 : 0;
        if ((int)bin + k >= ANGLES)
            turned = MATH_PI / 2;
        weight += d->weight[i];
        sum += d->sum[i] + d->weight[i] * turned;
    }
    *ret_angle = weight > 0 ? sum / weight : 0;
    return weight;
}

/* The room's axes are those most walls have, so that furniture stands along
 * them. */
static void find_direction(furnish_scene *s)
{
    directions d = {.weight = {0}};
    double most = 0, best = 0;
    for (uint32_t i = 0; i < s->loaded.scene->object_count; i++) {
        if (is_building(s, i))
            object_triangles(s->loaded.scene, i, direction_take, &d);
    }
    for (uint32_t i = 0; i < ANGLES; i++) {
        double angle;
        double weight = direction_at(&d, i, &angle);
        if (weight <= most * (1 + 1e-9))
            continue;
        most = weight;
        best = angle;
    }
    if (best > MATH_PI / 4)
        best -= MATH_PI / 2;
    s->angle = fabs(best) < 0.005 ? 0 : best;
    math_sincos(s->angle, &s->sine, &s->cosine);
}

/* ---- the frame ---- */

/* A world point in the room's frame. */
static void to_room(const furnish_scene *s, double x, double y, double ret[2])
{
    double dx = x - s->origin.x;
    double dy = y - s->origin.y;
    ret[0] = s->cosine * dx + s->sine * dy;
    ret[1] = s->sine * dx - s->cosine * dy;
}

vec3 furnish_scene_at(const furnish_scene *s, const double at[3])
{
    return v3(s->origin.x + s->cosine * at[0] + s->sine * at[2],
              s->origin.y + s->sine * at[0] - s->cosine * at[2],
              s->origin.z + at[1]);
}

/* In the room's frame. */
static layout_rect object_rect(const furnish_scene *s, uint32_t object)
{
    const builtin_object *o = &s->facts.objects[object];
    layout_rect r = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double across = i & 1 ? o->half[0] : -o->half[0];
        double along = i & 2 ? o->half[1] : -o->half[1];
        double at[2];
        to_room(
            s, o->centre[0] + along * o->heading[0] - across * o->heading[1],
            o->centre[1] + along * o->heading[1] + across * o->heading[0], at);
        r = (layout_rect){fmin(r.x0, at[0]), fmin(r.z0, at[1]),
                          fmax(r.x1, at[0]), fmax(r.z1, at[1])};
    }
    return r;
}

/* ---- the room ---- */

/* For mark_take, which is called with each triangle. */
typedef struct marking {
    const furnish_scene *s;
    floor_map *map;
} marking;

/* A triangle into the floor's map at three heights: floor, knees, eyes. */
static void mark_take(void *context, const vec3 corner[3])
{
    marking *m = context;
    double at[3][3];
    for (int i = 0; i < 3; i++) {
        double flat[2];
        to_room(m->s, corner[i].x, corner[i].y, flat);
        at[i][0] = flat[0];
        at[i][1] = corner[i].z - m->s->origin.z;
        at[i][2] = flat[1];
    }
    floor_mark(m->map, (const double(*)[3])at, -FLOOR_LEVEL, FLOOR_LEVEL,
               FLOOR_THERE, true);
    floor_mark(m->map, (const double(*)[3])at, FLOOR_KNEE, FLOOR_EYE_LOW,
               FLOOR_LOW, false);
    floor_mark(m->map, (const double(*)[3])at, FLOOR_EYE_LOW, FLOOR_EYE_HIGH,
               FLOOR_HIGH, false);
}

/* The building's triangles decide; movable things only say that there is floor
 * beneath. */
static etna_code map_room(furnish_scene *s, floor_map *map, etna_error *err)
{
    layout_rect all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    const scene *sc = s->loaded.scene;
    for (int i = 0; i < 4; i++) {
        double at[2];
        to_room(s, i & 1 ? sc->max.x : sc->min.x, i & 2 ? sc->max.y : sc->min.y,
                at);
        all = (layout_rect){fmin(all.x0, at[0]), fmin(all.z0, at[1]),
                            fmax(all.x1, at[0]), fmax(all.z1, at[1])};
    }
    etna_code code = floor_make(all.x0, all.z0, all.x1, all.z1, map, err);
    marking m = {s, map};
    for (uint32_t i = 0; code == ETNA_OK && i < sc->object_count; i++) {
        const builtin_object *o = &s->facts.objects[i];
        if (is_building(s, i))
            object_triangles(sc, i, mark_take, &m);
        bool stands =
            object_is_thing(s, i) && fabs(builtin_foot(o) - s->origin.z) < 0.1;
        layout_rect r = object_rect(s, i);
        if (stands)
            floor_mark_rect(map, r.x0, r.z0, r.x1, r.z1,
                            FLOOR_THERE); /* scans have holes below things */
    }
    return code;
}

/* Clear height over the room's floor. */
static void find_ceiling(furnish_scene *s, layout_room *room)
{
    double least = INFINITY;
    for (int i = 0; i < 25; i++) {
        const double at[3] = {room->width * ((i % 5) - 2) / 5.0, FLOOR_EYE_HIGH,
                              room->depth * ((i / 5) - 2) / 5.0};
        space_ray ray = {furnish_scene_at(s, at),
                         v3(0, 0, 1),
                         0,
                         CEILING_LOOK,
                         SCENE_NONE,
                         SCENE_NONE};
        space_hit hit;
        bool is_over = space_cast(s->loaded.space, &ray, &hit) &&
                       is_building(s, hit.object);
        if (is_over)
            least = fmin(least, FLOOR_EYE_HIGH + hit.t);
    }
    room->no_ceiling = !isfinite(least);
    room->height = room->no_ceiling ? CEILING_LOOK : least;
}

static bool overlaps_opening(const layout_room *room,
                             uint32_t wall,
                             double from,
                             double to)
{
    for (uint32_t i = 0; i < room->opening_count; i++) {
        const layout_opening *o = &room->openings[i];
        if (o->wall == wall && from < o->at + o->width / 2 &&
            to > o->at - o->width / 2)
            return true;
    }
    return false;
}

/* Doors and windows that are shut are things of their own, in a wall. */
static void add_opening(const furnish_scene *s,
                        uint32_t object,
                        bool is_door,
                        layout_room *room)
{
    layout_rect r = object_rect(s, object);
    double x = room->width / 2;
    double z = room->depth / 2;
    const double away[4] = {
        fabs(r.z0 + r.z1 + 2 * z) / 2, fabs(r.x0 + r.x1 - 2 * x) / 2,
        fabs(r.z0 + r.z1 - 2 * z) / 2, fabs(r.x0 + r.x1 + 2 * x) / 2};
    for (uint32_t w = 0; w < 4; w++) {
        bool across = w & 1;
        double length = across ? room->depth : room->width;
        double middle = across ? (r.z0 + r.z1) / 2 : (r.x0 + r.x1) / 2;
        double width = across ? r.z1 - r.z0 : r.x1 - r.x0;
        double at =
            w == 0 || w == 1 ? middle + length / 2 : length / 2 - middle;
        bool is_in =
            away[w] < DOOR_REACH && at > 0 && at < length && width < length;
        if (!is_in || room->opening_count == LAYOUT_OPENINGS_MAX)
            continue;
        if (overlaps_opening(room, w, at - width / 2, at + width / 2))
            continue;
        room->openings[room->opening_count++] =
            (layout_opening){w, at, width, is_door};
    }
}

/* By name, for doors and windows that are objects. */
static void add_openings(const furnish_scene *s, layout_room *room)
{
    for (uint32_t i = 0; i < s->loaded.scene->object_count; i++) {
        bool is_door = false, is_window = false;
        for (uint32_t k = 0; k < s->facts.objects[i].word_count; k++) {
            is_door =
                is_door || strcmp(s->facts.objects[i].words[k], "door") == 0;
            is_window = is_window ||
                        strcmp(s->facts.objects[i].words[k], "window") == 0;
        }
        if (is_door || is_window)
            add_opening(s, i, is_door, room);
    }
}

/* The largest free rectangle of floor, preferring the one around what the text
 * speaks of. */
static etna_code scene_find_room(furnishing *f,
                                 furnish_scene *s,
                                 etna_error *err)
{
    floor_map map = {.marks = NULL};
    layout_rect found;
    double points[FLOOR_POINTS_MAX][2];
    uint32_t count = 0;
    if (!find_height(s))
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.200s has no floor to stand things on; `etna scene info` tells what is fixed",
            s->path);
    find_direction(s);
    etna_code code = map_room(s, &map, err);
    for (uint32_t i = 0;
         i < s->loaded.scene->object_count && count < FLOOR_POINTS_MAX; i++) {
        if (s->spoken[i])
            to_room(s, s->facts.objects[i].centre[0],
                    s->facts.objects[i].centre[1], points[count++]);
    }
    bool is_found =
        code == ETNA_OK &&
        floor_find_room(&map, (const double(*)[2])points, count, &found);
    if (is_found)
        floor_find_openings(&map, &found, &f->room);
    floor_free(&map);
    if (code == ETNA_OK && !is_found)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.200s has no free floor of %g m each way between its fixed parts; is its unit or up axis another "
            "(--unit, --up)?",
            s->path, LAYOUT_ROOM_LEAST);
    if (code != ETNA_OK)
        return code;
    const double middle[3] = {(found.x0 + found.x1) / 2, 0,
                              (found.z0 + found.z1) / 2};
    s->origin = furnish_scene_at(s, middle);
    find_ceiling(s, &f->room);
    add_openings(s, &f->room);
    return ETNA_OK;
}

/* ---- what stands in it ---- */

/* To which of the four ways the object's front is nearest. */
static uint32_t quarter_of(const furnish_scene *s, uint32_t object)
{
    static const double ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    double front[2], most = -INFINITY;
    uint32_t best = 0;
    bool is_known = builtin_front_of(&s->facts, object, front);
    if (!is_known)
        is_known = builtin_front_from_wall(&s->facts, object, front);
    if (!is_known)
        memcpy(front, s->facts.objects[object].heading, sizeof front);
    double x = s->cosine * front[0] + s->sine * front[1];
    double z = s->sine * front[0] - s->cosine * front[1];
    for (uint32_t h = 0; h < 4; h++) {
        double along = x * ways[h][0] + z * ways[h][1];
        if (along <= most + 1e-9)
            continue;
        most = along;
        best = h;
    }
    return best;
}

/* The thing that carries it, of those that are things of the room;
 * BRIEF_NONE. */
static uint32_t object_carrier(const furnish_scene *s, uint32_t object)
{
    const builtin_object *o = &s->facts.objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (o->by[i] < s->loaded.scene->object_count &&
            object_is_thing(s, o->by[i]))
            return o->by[i];
    }
    return BRIEF_NONE;
}

static bool object_is_in_room(const furnish_scene *s,
                              const layout_room *room,
                              uint32_t object)
{
    layout_rect r = object_rect(s, object);
    const builtin_object *o = &s->facts.objects[object];
    double x = room->width / 2;
    double z = room->depth / 2;
    double foot = builtin_foot(o) - s->origin.z;
    bool is_over = r.x1 > -x + 0.02 && r.x0 < x - 0.02 && r.z1 > -z + 0.02 &&
                   r.z0 < z - 0.02;
    return is_over && foot > -0.2 && foot < room->height;
}

static bool object_is_of(const furnish_scene *s,
                         uint32_t object,
                         const char *head)
{
    const char *own = s->heads[object];
    return own[0] && (strcmp(own, head) == 0 || habits_is(own, head));
}

/* One more thing of the room; more than a thing can have models of are left for
 * things of their own. */
static void there_add(furnish_scene *s,
                      const furnishing *f,
                      furnish_thing *t,
                      uint32_t object)
{
    if (t->pick_count == LAYOUT_MODELS_MAX ||
        s->fixed_count == LAYOUT_ITEMS_MAX)
        return;
    layout_rect r = object_rect(s, object);
    const builtin_object *o = &s->facts.objects[object];
    uint32_t h = quarter_of(s, object);
    double x = r.x1 - r.x0;
    double z = r.z1 - r.z0;
    double foot = builtin_foot(o) - s->origin.z;
    furnish_pick *p = &t->picks[t->pick_count];
    *p = (furnish_pick){.path = "",
                        .name = o->name,
                        .licence = "",
                        .reason = "it is there",
                        .of_kind = true};
    p->model =
        (layout_model){.size = {h & 1 ? z : x, 2 * o->half[2], h & 1 ? x : z}};
    s->fixed_object[s->fixed_count] = object;
    s->fixed[s->fixed_count] =
        (layout_place){.placed = true,
                       .thing = (uint32_t)(t - f->things),
                       .model = t->pick_count,
                       .x = (r.x0 + r.x1) / 2,
                       .y = fmax(foot, 0),
                       .z = (r.z0 + r.z1) / 2,
                       .heading = h,
                       .on = LAYOUT_NONE};
    s->fixed_count++;
    t->pick_count++;
    t->wanted = t->pick_count;
    s->taken[object] = true;
}

static void there_begin(furnish_scene *s, furnish_thing *t, const char *head)
{
    t->source = FURNISH_SCENE;
    t->head = head;
    t->told = t->each = false;
    t->first_fixed = s->fixed_count;
}

/* How many words of a phrase the object's name has. */
static uint32_t object_words_shared(const furnish_scene *s,
                                    uint32_t object,
                                    const char *said)
{
    const builtin_object *o = &s->facts.objects[object];
    uint32_t count = 0;
    for (const char *at = said; *at;) {
        size_t n = strcspn(at, " ");
        bool has = false;
        for (uint32_t i = 0; i < o->word_count; i++)
            has = has || (strlen(o->words[i]) == n &&
                          strncmp(o->words[i], at, n) == 0);
        count += has;
        at += n + strspn(at + n, " ");
    }
    return count;
}

static bool may_be_meant(const furnishing *f,
                         const furnish_scene *s,
                         const furnish_thing *t,
                         uint32_t object)
{
    bool is_free = object_is_thing(s, object) && !s->taken[object];
    return is_free && object_is_in_room(s, &f->room, object) &&
           object_is_of(s, object, t->head);
}

/* How many words an object shares with what a thing is called; 0 too where it
 * cannot be meant. */
static uint32_t words_meant(const furnishing *f,
                            const furnish_scene *s,
                            const furnish_thing *t,
                            uint32_t object)
{
    return may_be_meant(f, s, t, object)
               ? object_words_shared(s, object, t->said)
               : 0;
}

/* "The sofa" is the scene's where it has one, and "the long table" the one
 * whose name says so. */
static void wish_bind(furnishing *f, furnish_scene *s, furnish_thing *t)
{
    uint32_t count = s->loaded.scene->object_count;
    uint32_t most = 0;
    bool any = false;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t shared = words_meant(f, s, t, k);
        most = shared > most ? shared : most;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!may_be_meant(f, s, t, k) || words_meant(f, s, t, k) < most)
            continue;
        if (!any)
            there_begin(s, t, t->head);
        any = true;
        there_add(s, f, t, k);
    }
}

/* "The sofa" is the scene's where it has one, and "the long table" the one
 * whose name says so. */
static void bind_wishes(furnishing *f, furnish_scene *s)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        furnish_thing *t = &f->things[i];
        if (t->wish != BRIEF_NONE && f->brief->wishes[t->wish].assumed)
            wish_bind(f, s, t);
    }
}

/* The others, what stands on the floor first; what no dictionary knows is in
 * the way all the same. */
static void add_other_things(furnishing *f, furnish_scene *s)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < s->loaded.scene->object_count; k++) {
            bool stands = object_carrier(s, k) == BRIEF_NONE;
            bool is_due = object_is_thing(s, k) && !s->taken[k] &&
                          stands == (pass == 0) &&
                          object_is_in_room(s, &f->room, k);
            if (!is_due || f->thing_count >= THINGS_THERE_MAX ||
                s->fixed_count == LAYOUT_ITEMS_MAX)
                continue;
            furnish_thing *t = &f->things[f->thing_count++];
            *t = (furnish_thing){.wish = BRIEF_NONE,
                                 .want = BRIEF_NONE,
                                 .for_thing = BRIEF_NONE,
                                 .said = "",
                                 .relation = BRIEF_RELATIONS};
            there_begin(
                s, t, s->heads[k][0] ? s->heads[k] : s->facts.objects[k].name);
            there_add(s, f, t, k);
        }
    }
}

static void mark_spoken(const furnishing *f, furnish_scene *s)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        bool is_spoken_of =
            t->wish != BRIEF_NONE && f->brief->wishes[t->wish].assumed;
        for (uint32_t k = 0; is_spoken_of && k < s->loaded.scene->object_count;
             k++)
            s->spoken[k] = s->spoken[k] || (object_is_thing(s, k) &&
                                            object_is_of(s, k, t->head));
    }
}

/* Finds the room in the scene and what of the text is there already. */
etna_code furnish_scene_enter(furnishing *f, etna_error *err)
{
    furnish_scene *s = f->scene;
    uint32_t objects = s->loaded.scene->object_count;
    s->spoken = etna_arena_alloc(&s->arena, objects + 1u, sizeof *s->spoken);
    s->taken = etna_arena_alloc(&s->arena, objects + 1u, sizeof *s->taken);
    if (!s->spoken || !s->taken)
        return furnish_no_memory(err);
    memset(s->spoken, 0, objects + 1u);
    memset(s->taken, 0, objects + 1u);
    mark_spoken(f, s);
    etna_code code = scene_find_room(f, s, err);
    if (code != ETNA_OK)
        return code;
    bind_wishes(f, s);
    add_other_things(f, s);
    return ETNA_OK;
}

/* ---- how it stands ---- */

/* What is there already is classed by where it stands. */
static habits_footing footing_there(const furnish_scene *s,
                                    uint32_t fixed,
                                    const habits_kind *habit,
                                    double height)
{
    const builtin_object *o = &s->facts.objects[s->fixed_object[fixed]];
    double foot = s->fixed[fixed].y;
    if (s->fixed[fixed].on != LAYOUT_NONE)
        return HABITS_ON;
    if (foot > CEILING_FROM && !o->by_count)
        return HABITS_CEILING;
    if (foot > HUNG_FROM)
        return HABITS_HUNG;
    if (height < FLAT_MOST)
        return HABITS_FLAT;
    return habit && habit->footing <= HABITS_CORNER ? habit->footing
                                                    : HABITS_FREE;
}

/* The item of an object, thing by thing; LAYOUT_NONE: it is none. */
static uint32_t item_of(const furnishing *f, uint32_t object)
{
    uint32_t item = 0;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        for (uint32_t k = 0; t->source == FURNISH_SCENE && k < t->pick_count;
             k++) {
            if (f->scene->fixed_object[t->first_fixed + k] == object)
                return item + k;
        }
        item += t->pick_count ? t->wanted : 0;
    }
    return LAYOUT_NONE;
}

/* Things that stay where they are, as the layout has them. */
void furnish_scene_lay(const furnishing *f, uint32_t thing, layout_thing *ret)
{
    const furnish_thing *t = &f->things[thing];
    furnish_scene *s = f->scene;
    const habits_kind *habit = habits_of(t->head);
    *ret = (layout_thing){.count = t->pick_count,
                          .model_count = t->pick_count,
                          .fixed = &s->fixed[t->first_fixed]};
    for (uint32_t i = 0; i < t->pick_count; i++) {
        uint32_t carrier =
            object_carrier(s, s->fixed_object[t->first_fixed + i]);
        s->fixed[t->first_fixed + i].on =
            carrier == BRIEF_NONE ? LAYOUT_NONE : item_of(f, carrier);
        ret->models[i] = t->picks[i].model;
    }
    ret->footing =
        footing_there(s, t->first_fixed, habit, t->picks[0].model.size[1]);
    if (!habit)
        return;
    ret->front = habit->front;
    ret->seat = habit->seat;
    ret->table = habit->footing == HABITS_FREE && habits_is(t->head, "table");
}

bool furnish_is_there(const furnishing *f, uint32_t item)
{
    return f->things[f->plan.items[item].thing].source == FURNISH_SCENE;
}

void furnish_scene_warn(const furnishing *f)
{
    load_warn(&f->scene->loaded);
}

json_t *furnish_scene_json(const furnishing *f)
{
    const furnish_scene *s = f->scene;
    const vec3 at = v3_add(s->origin, s->loaded.scene->recentre);
    return json_pack("{s:s, s:[f,f,f], s:f}", "path", s->path, "middle", at.x,
                     at.y, at.z, "turned_deg", s->angle * 180 / MATH_PI);
}

vec3 furnish_scene_way(const furnishing *f, double x, double z)
{
    const furnish_scene *s = f->scene;
    if (!s)
        return v3(x, -z, 0);
    return v3(s->cosine * x + s->sine * z, s->sine * x - s->cosine * z, 0);
}

void furnish_scene_free(furnish_scene *s)
{
    if (!s)
        return;
    furnish_guests_free(s);
    load_scene_free(&s->loaded);
    etna_arena_free(&s->arena);
    free(s);
}
