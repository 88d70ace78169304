/* Where everything stands. Turns and places on floor, walls and ceiling follow
 * from the spec; what stands on another object is let down on its triangles, by
 * the same sweep that settles an edit. In the end the whole is checked as `etna
 * check` would. */
#include "worker/cli/compose.h"
#include "worker/cli/compose_stage.h"
#include "worker/cli/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARKED \
    1000.0 /* metres above the room: where objects wait for their turn */
#define ABOVE 1e-3 /* metres above what it is let down on */

static etna_code add_fault(composing *c,
                           etna_error *err,
                           const char *format,
                           ...) __attribute__((format(printf, 3, 4)));
/* Faults are collected and told all at once. */
static etna_code add_fault(composing *c,
                           etna_error *err,
                           const char *format,
                           ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_t *row = json_string(text);
    if (!row)
        /* cut within a character */
        row = json_string("a fault whose names cannot be written");
    return json_array_append_new(c->faults, row) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory");
}

/* ---- turning and placing ---- */

/* The composed scene in a space of its own, in which objects are set down one
 * by one. */
typedef struct setting {
    composing *c;
    staged stage;
    etna_error *err;
} setting;

/* Turns before places: how far a thing reaches depends on its heading. What
 * stands on another turns with it. */
static void turn_all(composing *c)
{
    for (uint32_t i = 0; i < c->spec.object_count; i++) {
        const compose_object *o = &c->spec.objects[i];
        c->places[i].yaw = o->yaw;
        if (o->footing == COMPOSE_ON)
            c->places[i].yaw += c->places[o->on].yaw;
        if (o->footing == COMPOSE_WALL) {
            wall_frame f = compose_wall_frame(&c->spec.room, o->on);
            c->places[i].yaw += math_atan2(f.in[0], f.in[1]);
        }
    }
}

static etna_code compose_move_to(setting *s,
                                 uint32_t object,
                                 const double at[3])
{
    return staged_move(&s->stage, object, at, s->err);
}

static const char *setting_name_of(const setting *s, uint32_t staged_object)
{
    return s->stage.scene->objects[staged_object].name;
}

/* Lets the object down on the one it is to stand on. */
static etna_code compose_let_down(setting *s, uint32_t object)
{
    composing *c = s->c;
    const compose_object *o = &c->spec.objects[object];
    compose_place *p = &c->places[object];
    const compose_place *below = &c->places[o->on];
    const char *other = c->spec.objects[o->on].name;
    double sine, cosine, size[3], down = 0;
    uint32_t met = SCENE_NONE;
    math_sincos(below->yaw, &sine, &cosine);
    compose_size(&c->spec.objects[o->on], &c->assets[below->asset], size);
    p->at[0] = below->at[0] + o->at[0] * cosine + o->at[1] * sine;
    p->at[2] = below->at[2] - o->at[0] * sine + o->at[1] * cosine;
    p->at[1] = below->at[1] + (o->height >= 0 ? o->height : size[1] + ABOVE);
    double start = p->at[1];
    etna_code code = compose_move_to(s, object, p->at);
    if (code == ETNA_OK)
        code = space_sweep(s->stage.space, s->stage.first + object,
                           v3(0, 0, -1), start + 1, &down, &met, s->err);
    if (code != ETNA_OK)
        return code;
    if (met == SCENE_NONE) {
        code = add_fault(
            c, s->err,
            "\"%.100s\" is beside \"%.100s\" and over nothing: \"at\" [%g, %g] is no place on it",
            o->name, other, o->at[0], o->at[1]);
    } else {
        p->at[1] -= down - COMPOSE_GAP;
        if (met != s->stage.first + o->on) {
            code = add_fault(
                c, s->err,
                "\"%.100s\" does not come to stand on \"%.100s\" but meets \"%.100s\" %.3f m below where it is let down",
                o->name, other, setting_name_of(s, met), down);
        }
    }
    return code == ETNA_OK ? compose_move_to(s, object, p->at) : code;
}

/* On the floor, under the ceiling, at a wall, or let down on another. */
static etna_code place_one(setting *s, uint32_t object)
{
    composing *c = s->c;
    const compose_object *o = &c->spec.objects[object];
    compose_place *p = &c->places[object];
    if (o->footing == COMPOSE_ON)
        return compose_let_down(s, object);
    p->at[0] = o->at[0];
    p->at[1] = COMPOSE_GAP;
    p->at[2] = o->at[1];
    if (o->footing == COMPOSE_CEILING)
        p->at[1] = c->spec.room.height - COMPOSE_GAP -
                   staged_reach(&s->stage, object, 0, 1, 0);
    if (o->footing == COMPOSE_WALL) {
        wall_frame f = compose_wall_frame(&c->spec.room, o->on);
        double off = staged_reach(&s->stage, object, -f.in[0], 0, -f.in[1]) +
                     COMPOSE_GAP;
        p->at[0] = f.middle[0] + f.right[0] * o->at[0] + f.in[0] * off;
        p->at[1] = o->at[1];
        p->at[2] = f.middle[1] + f.right[1] * o->at[0] + f.in[1] * off;
    }
    return compose_move_to(s, object, p->at);
}

/* The two are both static, and no check looks at such a pair again. */
static etna_code check_statics(setting *s)
{
    const scene *sc = s->stage.scene;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < s->c->spec.object_count; i++) {
        if (!sc->objects[s->stage.first + i].is_static)
            continue;
        for (uint32_t k = 0; code == ETNA_OK && k < s->stage.first + i; k++) {
            space_pair pair = {0};
            if (!sc->objects[k].is_static)
                continue;
            code = space_pair_check(s->stage.space, k, s->stage.first + i, NULL,
                                    true, &pair, s->err);
            if (code == ETNA_OK && pair.collides) {
                code =
                    add_fault(s->c, s->err,
                              "\"%.100s\" and \"%.100s\" overlap by %s%.3f m",
                              setting_name_of(s, k),
                              setting_name_of(s, s->stage.first + i),
                              pair.deeper ? "more than " : "", pair.depth);
            }
        }
    }
    return code;
}

static etna_code setting_place_all(setting *s)
{
    composing *c = s->c;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < c->spec.object_count; i++)
        code = compose_move_to(s, i, (double[3]){0, PARKED + i, 0});
    for (uint32_t i = 0; code == ETNA_OK && i < c->spec.object_count; i++)
        code = place_one(s, i);
    return code == ETNA_OK ? check_statics(s) : code;
}

/* A first scene without contact is made to measure in; then everything is set
 * down. */
etna_code composing_place(composing *c, etna_error *err)
{
    setting s = {.c = c, .err = err};
    uint8_t *made = NULL;
    size_t size = 0;
    turn_all(c);
    etna_code code =
        compose_write(&c->spec, c->assets, c->asset_count, c->places,
                      c->pictures, true, &made, &size, err);
    if (code == ETNA_OK)
        code = staged_make(&c->spec, made, size, &s.stage, err);
    if (code == ETNA_OK)
        code = setting_place_all(&s);
    staged_free(&s.stage);
    free(made);
    return code;
}

/* ---- the whole ---- */

static etna_code list_faults(composing *c,
                             const scene *s,
                             const space_check *check,
                             etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < check->pair_count; i++) {
        const space_pair *p = &check->pairs[i];
        code =
            add_fault(c, err, "\"%.100s\" and \"%.100s\" overlap by %s%.3f m",
                      s->objects[p->a].name, s->objects[p->b].name,
                      p->deeper ? "more than " : "", p->depth);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < check->floating_count; i++) {
        code =
            add_fault(c, err, "\"%.100s\" floats: nothing holds it where it is",
                      s->objects[check->floating[i]].name);
    }
    return code;
}

/* What stands must stand by itself: a check of an edit forgives what leans at
 * the start, a scene that is made need not. */
static etna_code list_leaning(composing *c, const staged *s, etna_error *err)
{
    space_support_state state = {0};
    uint32_t first = s->first;
    etna_code code = space_support_compute(s->space, &(space_rules){0}, NULL,
                                           NULL, &state, err);
    for (uint32_t i = 0; code == ETNA_OK && i < c->spec.object_count; i++) {
        const compose_object *o = &c->spec.objects[i];
        bool stands = o->footing == COMPOSE_FLOOR || o->footing == COMPOSE_ON;
        if (stands && state.support[first + i] == SUPPORT_ATTACHED) {
            code = add_fault(
                c, err,
                "\"%.100s\" would fall over: its weight is not over what it stands on",
                o->name);
        }
    }
    space_support_free(&state);
    return code;
}

/* The same checks as for any scene. */
etna_code composing_check(composing *c,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    staged s = {0};
    space_check check = {0};
    etna_code code = staged_make(&c->spec, data, size, &s, err);
    if (code == ETNA_OK)
        code = space_mark_static_by_cut(s.shared, err);
    if (code == ETNA_OK)
        code = space_check_all(s.space, &(space_rules){0}, &check, err);
    if (code == ETNA_OK)
        code = list_faults(c, s.scene, &check, err);
    if (code == ETNA_OK)
        code = list_leaning(c, &s, err);
    space_check_free(&check);
    staged_free(&s);
    return code;
}
