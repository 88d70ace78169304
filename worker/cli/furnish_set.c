/* Sets what the layout placed on its triangles: floor first, then what hangs,
 * then what stands on something, let down from above by the sweep that settles
 * an edit; seats are pushed in as far as they go. What cannot be where it was
 * put is moved a little, then left out. */
#include "proto/array.h"
#include "worker/cli/furnish_set_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TUCK_MOST 0.4 /* metres that a seat is pushed in */
#define TUCK_GAP 0.04 /* metres that it keeps */
#define LEEWAY \
    0.05 /* metres from a scene's wall or ceiling, from where it is pushed to it */
#define REACH_MOST 0.5 /* metres that it is pushed */
/* MEND_ROUNDS: how often what collides is taken out and all is checked again;
 * OTHER_MODELS: how many rooms are set with others for what does not stand. */
enum {
    MEND_ROUNDS = 6,
    OTHER_MODELS = 2,
    NAME_SIZE = 96
};

/* ---- the spec ---- */

/* Walls, floor, ceiling and openings of a room of its own. */
static void room_spec(furnishing *f)
{
    double x = f->room.width / 2;
    double z = f->room.depth / 2;
    const double corners[4][2] = {{-x, -z}, {x, -z}, {x, z}, {-x, z}};
    compose_room *r = &f->spec.room;
    *r = (compose_room){.corner_count = 4,
                        .wall = {true, true, true, true},
                        .height = f->room.height,
                        .ceiling = true,
                        .compass = true,
                        .floor = {{0.42, 0.28, 0.17}, NULL, 1},
                        .walls = {{0.78, 0.75, 0.69}, NULL, 1},
                        .top = {{0.85, 0.85, 0.85}, NULL, 1}};
    memcpy(r->corner, corners, sizeof corners);
    for (uint32_t i = 0; i < f->room.opening_count; i++) {
        const layout_opening *o = &f->room.openings[i];
        r->openings[r->opening_count++] =
            o->is_door
                ? (compose_opening){o->wall, o->at, LAYOUT_DOOR_WIDTH, 0,
                                    LAYOUT_DOOR_HEIGHT}
                : (compose_opening){o->wall, o->at, LAYOUT_WINDOW_WIDTH,
                                    LAYOUT_WINDOW_FOOT, LAYOUT_WINDOW_HEIGHT};
    }
}

/* Numbered only where there are several; the name of a thing in the result. */
static const char *item_name(furnishing *f, uint32_t item)
{
    const layout_place *p = &f->plan.items[item];
    char name[NAME_SIZE];
    uint32_t number = 1, all = 0;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        bool is_same = strcmp(f->things[f->plan.items[i].thing].head,
                              f->things[p->thing].head) == 0;
        all += is_same;
        number += is_same && i < item;
    }
    snprintf(name, sizeof name, all > 1 ? "%.60s_%u" : "%.60s",
             f->things[p->thing].head, number);
    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '_' : *c;
    return etna_arena_strdup(&f->arena, name);
}

/* Each model is read once. */
static etna_code spec_add(setter *s, uint32_t item)
{
    furnishing *f = s->f;
    const furnish_pick *pick = furnish_pick_of(f, item);
    char path[4400];
    snprintf(path, sizeof path, pick->number ? "%s#%u" : "%s", pick->path,
             pick->number);
    uint32_t at = 0;
    while (at < f->asset_count && strcmp(f->assets[at].path, path) != 0)
        at++;
    if (at == f->asset_count) {
        f->assets[at].path = etna_arena_strdup(&f->arena, path);
        if (!f->assets[at].path)
            return furnish_no_memory(s->err);
        f->asset_count++;
        etna_code code =
            furnish_model_read(f, pick, path, &f->assets[at], s->err);
        if (code != ETNA_OK)
            return etna_error_prefix(s->err, "%.300s", path);
    }
    uint32_t object = f->spec.object_count++;
    f->places[object].asset = at;
    f->spec.objects[object] = (compose_object){.name = f->items[item].name,
                                               .asset = f->assets[at].path,
                                               .footing = COMPOSE_FLOOR};
    if (pick->front)
        f->spec.objects[object].front = compose_front_names[pick->front & 3];
    f->places[object].yaw = f->plan.items[item].heading * (MATH_PI / 2);
    f->items[item].object = object;
    s->of_object[object] = item;
    return ETNA_OK;
}

/* Everything that the layout placed. */
etna_code setter_spec_make(setter *s)
{
    furnishing *f = s->f;
    uint32_t n = f->plan.item_count;
    room_spec(f);
    f->assets = calloc(n + 1u, sizeof *f->assets);
    f->places = calloc(n + 1u, sizeof *f->places);
    f->spec.objects =
        etna_arena_alloc(&f->arena, n + 1u, sizeof *f->spec.objects);
    if (!f->assets || !f->places || !f->spec.objects)
        return furnish_no_memory(s->err);
    etna_code code = compose_check_openings(&f->spec.room, s->err);
    for (uint32_t i = 0; code == ETNA_OK && i < n; i++) {
        f->items[i].object = BRIEF_NONE;
        if (!(f->items[i].name = item_name(f, i)))
            return furnish_no_memory(s->err);
        if (f->plan.items[i].placed)
            code = spec_add(s, i);
    }
    return code;
}

/* ---- one item ---- */

etna_code setter_move(setter *s, uint32_t item, const double at[3])
{
    memcpy(s->f->items[item].at, at, 3 * sizeof *at);
    if (!s->f->scene)
        return staged_move(&s->stage, s->f->items[item].object, at, s->err);
    const arrange_pose pose = furnish_scene_pose(s->f, &s->stage, item, at);
    return space_move(s->stage.space, s->f->items[item].object, &pose, s->err);
}

static etna_code park(setter *s, uint32_t item)
{
    const double at[3] = {0, PARKED + 4.0 * item, 0};
    if (s->f->scene) { /* a guest waits outside */
        const arrange_pose pose =
            scene_base_pose(&s->stage.scene->objects[s->f->items[item].object]);
        return space_move(s->stage.space, s->f->items[item].object, &pose,
                          s->err);
    }
    return staged_move(&s->stage, s->f->items[item].object, at, s->err);
}

uint32_t setter_object(const setter *s, uint32_t item)
{
    return s->stage.first + s->f->items[item].object;
}

/* Leaves it out, and what stands on it. */
static etna_code setter_leave_out(setter *s, uint32_t item, const char *why)
{
    furnishing *f = s->f;
    f->plan.items[item].placed = false;
    f->items[item].why_not = why;
    etna_code code = park(s, item);
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        if (f->plan.items[i].placed && f->plan.items[i].on == item)
            code =
                setter_leave_out(s, i, "what it was to stand on is left out");
    }
    return code;
}

etna_code setter_is_clear(setter *s, uint32_t item, bool *ret)
{
    space_pair pair;
    uint32_t count = 0;
    etna_code code =
        space_collisions(s->stage.space, setter_object(s, item),
                         &(space_rules){0}, &pair, 1, &count, s->err);
    *ret = count == 0;
    return code;
}

/* Down onto whatever is below, from `from` above the floor; *ret_met: the
 * scene's object, or SCENE_NONE. */
etna_code setter_let_down(setter *s,
                          uint32_t item,
                          double x,
                          double z,
                          double from,
                          uint32_t *ret_met)
{
    double at[3] = {x, from, z};
    double down = 0;
    etna_code code = setter_move(s, item, at);
    if (code == ETNA_OK)
        code = space_sweep(s->stage.space, setter_object(s, item), v3(0, 0, -1),
                           from + 1, &down, ret_met, s->err);
    if (code != ETNA_OK || *ret_met == SCENE_NONE)
        return code;
    at[1] = from - (down - COMPOSE_GAP);
    return setter_move(s, item, at);
}

static bool lies_flat(const setter *s, uint32_t item)
{
    return s->f->layout[s->f->plan.items[item].thing].footing == HABITS_FLAT;
}

/* Let down at the layout's place, or a few centimetres beside it where true
 * triangles meet. */
static etna_code set_floor(setter *s, uint32_t item)
{
    static const double shifts[9][2] = {{0, 0},     {0.02, 0},  {-0.02, 0},
                                        {0, 0.02},  {0, -0.02}, {0.05, 0},
                                        {-0.05, 0}, {0, 0.05},  {0, -0.05}};
    const layout_place *p = &s->f->plan.items[item];
    for (int i = 0; i < 9; i++) {
        bool clear = false;
        uint32_t met = SCENE_NONE;
        double at[3] = {p->x + shifts[i][0], COMPOSE_GAP, p->z + shifts[i][1]};
        etna_code code =
            lies_flat(s, item)
                ? setter_move(s, item, at)
                : setter_let_down(s, item, at[0], at[2], 0.06, &met);
        if (code == ETNA_OK && met == SCENE_NONE)
            code = setter_move(s, item, at);
        if (code == ETNA_OK)
            code = setter_is_clear(s, item, &clear);
        if (code != ETNA_OK || clear)
            return code;
    }
    return setter_leave_out(s, item, "it would cut into what stands beside it");
}

/* In a scene a wall may be a little behind the room's side. Far from any: *ret
 * false. */
static etna_code push_to(setter *s,
                         uint32_t item,
                         const double way[3],
                         bool *ret)
{
    double far = 0, at[3];
    uint32_t met = SCENE_NONE;
    const vec3 flat = furnish_scene_way(s->f, way[0], way[2]);
    const vec3 world = v3(flat.x, flat.y, way[1]);
    etna_code code = space_sweep(s->stage.space, setter_object(s, item), world,
                                 REACH_MOST, &far, &met, s->err);
    *ret = met != SCENE_NONE;
    if (code != ETNA_OK || met == SCENE_NONE)
        return code;
    for (int k = 0; k < 3; k++)
        at[k] = s->f->items[item].at[k] + way[k] * (far - COMPOSE_GAP);
    return setter_move(s, item, at);
}

/* In a scene of its own it is pushed against the wall that is really there. */
static etna_code set_hung(setter *s, uint32_t item)
{
    const layout_place *p = &s->f->plan.items[item];
    wall_frame w = compose_wall_frame(&s->f->spec.room, p->wall);
    const double out[3] = {-w.in[0], 0, -w.in[1]};
    double deep = furnish_pick_of(s->f, item)->model.size[2] / 2 + LEEWAY;
    double along;
    if (!s->f->scene)
        deep = staged_reach(&s->stage, s->f->items[item].object, out[0], 0,
                            out[2]) +
               COMPOSE_GAP;
    along =
        (p->x - w.middle[0]) * w.right[0] + (p->z - w.middle[1]) * w.right[1];
    const double at[3] = {w.middle[0] + w.right[0] * along + w.in[0] * deep,
                          p->y,
                          w.middle[1] + w.right[1] * along + w.in[1] * deep};
    bool clear = false, is_held = true;
    etna_code code = setter_move(s, item, at);
    if (code == ETNA_OK && s->f->scene)
        code = push_to(s, item, out, &is_held);
    if (code == ETNA_OK)
        code = setter_is_clear(s, item, &clear);
    if (code != ETNA_OK || (clear && is_held))
        return code;
    return setter_leave_out(s, item,
                            is_held ? "something is in its way on the wall"
                                    : "there is no wall to hang it on");
}

/* Likewise upward. */
static etna_code set_ceiling(setter *s, uint32_t item)
{
    static const double up[3] = {0, 1, 0};
    const layout_place *p = &s->f->plan.items[item];
    double high = furnish_pick_of(s->f, item)->model.size[1] + LEEWAY;
    if (!s->f->scene)
        high = staged_reach(&s->stage, s->f->items[item].object, 0, 1, 0) +
               COMPOSE_GAP;
    const double at[3] = {p->x, s->f->room.height - high, p->z};
    bool clear = false, is_held = true;
    etna_code code = setter_move(s, item, at);
    if (code == ETNA_OK && s->f->scene)
        code = push_to(s, item, up, &is_held);
    if (code == ETNA_OK)
        code = setter_is_clear(s, item, &clear);
    if (code != ETNA_OK || (clear && is_held))
        return code;
    return setter_leave_out(s, item,
                            is_held
                                ? "something is in its way under the ceiling"
                                : "there is no ceiling above it");
}

/* ---- on something ---- */

/* On an item of another tie; nothing where a made room has it turned otherwise
 * than it is. */
static etna_code set_on_other(setter *s,
                              uint32_t item,
                              uint32_t bearer,
                              bool *ret_done)
{
    furnishing *f = s->f;
    layout_place *p = &f->plan.items[item];
    uint32_t heading = f->plan.items[bearer].heading;
    p->on = bearer;
    if (f->scene)
        p->heading = heading;
    else
        f->places[f->items[item].object].yaw = heading * (MATH_PI / 2);
    return heading == p->heading ? setter_set_on(s, item, bearer, ret_done)
                                 : ETNA_OK;
}

/* On an item of those things that may bear it: of the thing `anchor`, or of any
 * that can. */
static etna_code set_on_others(
    setter *s, uint32_t item, uint32_t anchor, uint32_t first, bool *ret_done)
{
    furnishing *f = s->f;
    const uint32_t own = f->plan.items[item].thing;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0;
         code == ETNA_OK && !*ret_done && i < f->plan.item_count; i++) {
        const layout_place *q = &f->plan.items[i];
        bool suits = anchor == LAYOUT_NONE
                         ? q->thing != own && f->layout[q->thing].bears
                         : q->thing == anchor;
        if (i != first && suits && q->placed && q->on == LAYOUT_NONE)
            code = set_on_other(s, item, i, ret_done);
    }
    return code;
}

/* On what the layout chose, else on another of the same ties, else, where it is
 * told to come, on whatever can bear it. */
static etna_code set_borne(setter *s, uint32_t item)
{
    furnishing *f = s->f;
    layout_place *p = &f->plan.items[item];
    const layout_thing *l = &f->layout[p->thing];
    bool done = false;
    etna_code code = ETNA_OK;
    uint32_t first = p->on;
    if (first != LAYOUT_NONE && f->plan.items[first].placed)
        code = setter_set_on(s, item, first, &done);
    for (uint32_t k = 0; code == ETNA_OK && k < l->tie_count; k++) {
        if (l->ties[k].relation == BRIEF_ON && l->ties[k].anchor != LAYOUT_NONE)
            code = set_on_others(s, item, l->ties[k].anchor, first, &done);
    }
    uint32_t top = layout_is_stackable(&l->models[p->model])
                       ? layout_stack_top(&f->plan, p->thing, p->model, item)
                       : LAYOUT_NONE;
    if (code == ETNA_OK && !done && top != LAYOUT_NONE && top != first)
        code = set_on_other(s, item, top, &done);
    if (code == ETNA_OK && !done && l->told)
        code = set_on_others(s, item, LAYOUT_NONE, first, &done);
    if (code != ETNA_OK || done)
        return code;
    f->items[item].unsteady = true;
    return setter_leave_out(
        s, item, "there is no level place for it on what it was to stand on");
}

/* ---- all of them ---- */

/* Chairs are moved up to their table as far as triangles let them. */
static etna_code tuck(setter *s, uint32_t item)
{
    furnishing *f = s->f;
    const layout_place *p = &f->plan.items[item];
    const layout_thing *l = &f->layout[p->thing];
    for (uint32_t k = 0; k < l->tie_count; k++) {
        brief_relation r = l->ties[k].relation;
        bool goes_in = l->seat && (r == BRIEF_FRONT || r == BRIEF_AROUND) &&
                       l->ties[k].anchor != LAYOUT_NONE;
        if (!goes_in || layout_residual(&f->room, f->layout, &f->plan, item,
                                        &l->ties[k]) > 0)
            continue;
        static const double ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
        const double *way = ways[p->heading & 3];
        double far = 0, at[3];
        uint32_t met = SCENE_NONE;
        const vec3 world = furnish_scene_way(f, way[0], way[1]);
        etna_code code =
            space_sweep(s->stage.space, setter_object(s, item), world,
                        TUCK_MOST + TUCK_GAP, &far, &met, s->err);
        if (code != ETNA_OK || far <= TUCK_GAP)
            return code;
        for (int n = 0; n < 3; n++)
            at[n] = f->items[item].at[n] +
                    (n == 1 ? 0 : way[n / 2] * (far - TUCK_GAP));
        f->plan.items[item].x = at[0];
        f->plan.items[item].z = at[2];
        return setter_move(s, item, at);
    }
    return ETNA_OK;
}

/* Does it stand on something? What found no place there is on the floor. */
static bool is_borne(const setter *s, uint32_t item)
{
    const layout_place *p = &s->f->plan.items[item];
    return s->f->layout[p->thing].footing == HABITS_ON && p->on != LAYOUT_NONE;
}

static etna_code set_item(setter *s, uint32_t item)
{
    if (is_borne(s, item))
        return set_borne(s, item);
    switch (s->f->layout[s->f->plan.items[item].thing].footing) {
    case HABITS_HUNG: return set_hung(s, item);
    case HABITS_CEILING: return set_ceiling(s, item);
    default: return set_floor(s, item);
    }
}

static int setter_turn_of(const setter *s, uint32_t item)
{
    if (lies_flat(s, item))
        return 0;
    return is_borne(s, item) ? 2 : 1;
}

/* Does it wait for its place? */
static bool is_due(const setter *s, uint32_t item)
{
    return s->f->plan.items[item].placed && !furnish_is_there(s->f, item);
}

/* What is made waits above the room until its turn comes. */
static etna_code park_all(setter *s)
{
    furnishing *f = s->f;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        if (furnish_is_there(f, i))
            continue;
        if (f->plan.items[i].placed)
            code = park(s, i);
        f->items[i].at[1] = PARKED;
    }
    return code;
}

/* Three turns: what bears others first; then chairs are tucked in. */
static etna_code setter_set_all(setter *s)
{
    furnishing *f = s->f;
    etna_code code = park_all(s);
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
            if (is_due(s, i) && setter_turn_of(s, i) == turn)
                code = set_item(s, i);
        }
    }
    for (uint32_t i = 0; code == ETNA_OK && i < f->plan.item_count; i++) {
        if (is_due(s, i) && f->layout[f->plan.items[i].thing].seat)
            code = tuck(s, i);
    }
    return code;
}

/* ---- the scene ---- */

/* Only what has its place. */
etna_code setter_write(setter *s)
{
    furnishing *f = s->f;
    static const compose_picture no_pictures[3];
    compose_spec spec = f->spec;
    uint32_t n = 0;
    spec.objects = calloc(f->spec.object_count + 1u, sizeof *spec.objects);
    compose_place *places = calloc(f->spec.object_count + 1u, sizeof *places);
    compose_asset *assets = calloc(f->asset_count + 1u, sizeof *assets);
    uint32_t *now = calloc(f->asset_count + 1u, sizeof *now);
    uint32_t used = 0;
    etna_code code = spec.objects && places && assets && now
                         ? ETNA_OK
                         : furnish_no_memory(s->err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->spec.object_count; i++) {
        uint32_t item = s->of_object[i];
        uint32_t model = f->places[i].asset;
        if (!f->plan.items[item].placed)
            continue;
        if (!now[model]) {
            assets[used] = f->assets[model];
            now[model] = ++used;
        }
        memcpy(f->places[i].at, f->items[item].at, sizeof f->places[i].at);
        places[n] = f->places[i];
        places[n].asset = now[model] - 1;
        spec.objects[n++] = f->spec.objects[i];
    }
    spec.object_count = n;
    free(f->glb);
    f->glb = NULL;
    if (code == ETNA_OK)
        code = compose_write(&spec, assets, used, places, no_pictures, false,
                             &f->glb, &f->glb_size, s->err);
    free(spec.objects);
    free(places);
    free(assets);
    free(now);
    return code;
}

/* The item of that name in a scene that was written; BRIEF_NONE: it is a part
 * of the room, or was there before. */
static uint32_t item_named(const furnishing *f, const char *name)
{
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        bool may_be = f->plan.items[i].placed && !furnish_is_there(f, i);
        if (may_be && strcmp(f->items[i].name, name) == 0)
            return i;
    }
    return BRIEF_NONE;
}

/* The one that is left out of two that collide: what was not told, else what
 * came later. */
static uint32_t lesser_of(const furnishing *f, uint32_t a, uint32_t b)
{
    if (a == BRIEF_NONE || b == BRIEF_NONE)
        return a == BRIEF_NONE ? b : a;
    bool told_a = f->layout[f->plan.items[a].thing].told;
    bool told_b = f->layout[f->plan.items[b].thing].told;
    if (told_a != told_b)
        return told_a ? b : a;
    return a > b ? a : b;
}

/* Of two that collide the lesser one goes. *ret_dropped counts. */
static etna_code drop_faults(setter *s,
                             const staged *made,
                             const space_check *check,
                             uint32_t *ret_dropped)
{
    furnishing *f = s->f;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0;
         code == ETNA_OK && i < check->pair_count + check->floating_count;
         i++) {
        bool floats = i >= check->pair_count;
        const space_pair *p = floats ? NULL : &check->pairs[i];
        uint32_t a = floats ? check->floating[i - check->pair_count] : p->a;
        uint32_t b = floats ? a : p->b;
        uint32_t item =
            lesser_of(f, item_named(f, made->scene->objects[a].name),
                      item_named(f, made->scene->objects[b].name));
        if (item == BRIEF_NONE)
            continue;
        code =
            setter_leave_out(s, item,
                             floats ? "nothing would hold it where it was put"
                                    : "it would cut into something");
        ++*ret_dropped;
    }
    return code;
}

/* Writes the scene, checks it, and leaves out what is at fault: *ret_dropped of
 * them. */
static etna_code mend_once(setter *s, uint32_t *ret_dropped)
{
    staged made = {0};
    space_check check = {0};
    etna_code code = setter_write(s);
    compose_spec spec = s->f->spec;
    spec.object_count = 0;
    for (uint32_t i = 0; i < s->f->plan.item_count; i++)
        spec.object_count += s->f->plan.items[i].placed;
    if (code == ETNA_OK)
        code = staged_make(&spec, s->f->glb, s->f->glb_size, &made, s->err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(made.shared, s->err);
    if (code == ETNA_OK)
        code = space_check_all(made.space, &(space_rules){0}, &check, s->err);
    if (code == ETNA_OK)
        code = drop_faults(s, &made, &check, ret_dropped);
    space_check_free(&check);
    staged_free(&made);
    return code;
}

/* As `etna check` sees the scene that is written; what is at fault is left out,
 * and the scene written again. */
static etna_code mend(setter *s)
{
    for (int round = 0; round < MEND_ROUNDS; round++) {
        uint32_t dropped = 0;
        etna_code code = mend_once(s, &dropped);
        if (code != ETNA_OK || !dropped)
            return code;
    }
    return etna_fail(s->err, ETNA_E_INTERNAL,
                     "the room could not be set without faults");
}

/* The same of a scene that has what came into it. */
static etna_code mend_scene(setter *s)
{
    etna_code code = ETNA_OK;
    for (int round = 0; code == ETNA_OK && round < MEND_ROUNDS; round++) {
        space_check check = {0};
        uint32_t dropped = 0;
        code =
            space_check_all(s->stage.space, &(space_rules){0}, &check, s->err);
        if (code == ETNA_OK)
            code = drop_faults(s, &s->stage, &check, &dropped);
        space_check_free(&check);
        if (code == ETNA_OK && !dropped)
            return furnish_scene_write(s->f, &s->stage, s->err);
    }
    return code == ETNA_OK
               ? etna_fail(s->err, ETNA_E_INTERNAL,
                           "the room could not be set without faults")
               : code;
}

static etna_code set_scene(setter *s)
{
    room_spec(s->f);
    etna_code code = furnish_scene_stage(s->f, &s->stage, s->err);
    if (code == ETNA_OK)
        code = setter_set_all(s);
    return code == ETNA_OK ? mend_scene(s) : code;
}

/* A room made for the furniture; in a given scene see furnish_scene.c. */
static etna_code set_room(setter *s)
{
    static const compose_picture no_pictures[3];
    furnishing *f = s->f;
    uint8_t *bare = NULL;
    size_t size = 0;
    etna_code code = setter_spec_make(s);
    if (code == ETNA_OK)
        code = compose_write(&f->spec, f->assets, f->asset_count, f->places,
                             no_pictures, true, &bare, &size, s->err);
    if (code == ETNA_OK)
        code = staged_make(&f->spec, bare, size, &s->stage, s->err);
    if (code == ETNA_OK)
        code = setter_set_all(s);
    if (code == ETNA_OK)
        code = mend(s);
    free(bare);
    return code;
}

etna_code furnish_set(furnishing *f, etna_error *err)
{
    setter s = {.f = f, .err = err};
    etna_code code = f->published ? furnish_set_as_published(&s)
                     : f->scene   ? set_scene(&s)
                                  : set_room(&s);
    staged_free(&s.stage);
    return code;
}

/* The model that did not stand goes from the thing's, and with it those that
 * are no smaller, while there are smaller ones. */
static void pick_drop(furnish_thing *t, layout_thing *l, uint32_t model)
{
    const double *failed = t->picks[model].model.size;
    double foot = failed[0] * failed[2];
    uint32_t kept = 0, smaller = 0;
    for (uint32_t k = 0; k < t->pick_count; k++)
        smaller += t->picks[k].model.size[0] * t->picks[k].model.size[2] < foot;
    for (uint32_t k = 0; k < t->pick_count; k++) {
        bool goes =
            smaller
                ? t->picks[k].model.size[0] * t->picks[k].model.size[2] >= foot
                : k == model;
        if (goes)
            continue;
        t->picks[kept] = t->picks[k];
        l->models[kept++] = l->models[k];
    }
    l->model_count = t->pick_count = kept;
}

/* Has the thing another model of about that size, or a smaller one? What is far
 * larger stands no better. */
static bool has_another(const furnish_thing *t, uint32_t model)
{
    const double most = 2; /* times its foot */
    const double *size = t->picks[model].model.size;
    for (uint32_t k = 0; k < t->pick_count; k++) {
        const double *other = t->picks[k].model.size;
        if (k != model && other[0] * other[2] < most * size[0] * size[2])
            return true;
    }
    return false;
}

/* One more of its items stands on the floor. False: all do. */
static bool thing_ground(layout_thing *l)
{
    if (l->footing != HABITS_ON || l->grounded == l->count)
        return false;
    l->grounded++;
    return true;
}

/* Models that did not stand are dropped, each once, for another attempt; without
 * another, or after OTHER_MODELS attempts, what did not stand goes to the floor.
 * False: there is nothing else to try. */
bool furnish_pass_over(furnishing *f)
{
    bool any = false;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        const layout_place *p = &f->plan.items[i];
        furnish_thing *t = &f->things[p->thing];
        if (!f->items[i].unsteady || !t->told)
            continue;
        bool has_other = p->model < t->pick_count && f->tries <= OTHER_MODELS &&
                         has_another(t, p->model);
        if (!has_other) {
            any = thing_ground(&f->layout[p->thing]) || any;
            continue;
        }
        pick_drop(t, &f->layout[p->thing], p->model);
        any = true;
        /* once a thing */
        for (uint32_t k = i + 1; k < f->plan.item_count; k++) {
            if (f->plan.items[k].thing == p->thing)
                f->items[k].unsteady = false;
        }
    }
    return any;
}

/* Back to before the layout; picks stay. */
void furnish_unset(furnishing *f)
{
    for (uint32_t i = 0; i < f->asset_count; i++)
        free(f->assets[i].glb);
    free(f->assets);
    free(f->places);
    free(f->glb);
    f->assets = NULL;
    f->places = NULL;
    f->glb = NULL;
    f->asset_count = 0;
    f->glb_size = 0;
    f->spec = (compose_spec){.object_count = 0};
    memset(f->items, 0, sizeof f->items);
    memset(&f->plan, 0, sizeof f->plan);
}

void furnish_free(furnishing *f)
{
    furnish_unset(f);
    furnish_kept_free(f);
    furnish_scene_free(f->scene);
    free(f->brief);
    free(f->text);
    etna_arena_free(&f->arena);
    *f = (furnishing){.seed = 0};
}
