#include "expand_stage.h"
#include "worker/builtin/roles.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

uint32_t at_index(const stage *s, const char *name)
{
    for (uint32_t i = 0; i < s->p.facts->object_count; i++) {
        if (strcmp(s->p.facts->objects[i].name, name) == 0)
            return i;
    }
    fail_msg("no %s", name);
    return 0;
}

void open_stage(stage *s, const facts_world *w)
{
    static etna_error err;
    memset(s, 0, sizeof *s);
    s->world = *w;
    s->task = json_object();
    s->talk = (builtin_talk){.facts = read_world_facts(w, &s->arena),
                             .last_answer = "",
                             .arena = &s->arena,
                             .task = s->task};
    s->objects =
        etna_arena_memdup(&s->arena, s->talk.facts.objects,
                          s->talk.facts.object_count * sizeof *s->objects);
    s->p = (planner){.talk = &s->talk,
                     .facts = &s->talk.facts,
                     .then = s->talk.facts,
                     .instruction = 1,
                     .left = 24,
                     .err = &err};
    s->talk.facts.objects = s->objects;
    s->p.scratch = etna_arena_alloc(&s->arena, s->talk.facts.object_count,
                                    sizeof(uint32_t));
}

void close_stage(stage *s)
{
    json_decref(s->task);
    etna_arena_free(&s->arena);
}

builtin_set set_of(stage *s, const char *const *names, uint32_t count)
{
    uint32_t *list = etna_arena_alloc(&s->arena, count, sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = at_index(s, names[i]);
    return (builtin_set){.count = count, .objects = list, .need = count};
}

builtin_move move_of(stage *s,
                     builtin_relation relation,
                     const char *const *names,
                     uint32_t count,
                     const char *reference)
{
    return (builtin_move){.relation = relation,
                          .objects = set_of(s, names, count),
                          .reference =
                              reference ? at_index(s, reference) : BUILTIN_NONE,
                          .second = BUILTIN_NONE,
                          .support = BUILTIN_NONE,
                          .gap = -1,
                          .spacing = -1};
}

void expand(stage *s, const builtin_move *move)
{
    s->p.reading.count = 1;
    s->p.reading.moves[0] = *move;
    etna_error *err = s->p.err;
    if (planner_expand(&s->p) != ETNA_OK)
        fail_msg("%s", err->text);
}

void carry_out(stage *s)
{
    for (uint32_t i = 0; i < s->p.reading.count; i++) {
        const builtin_move *move = &s->p.reading.moves[i];
        uint32_t object = move->objects.objects[0];
        plan chosen;
        bool found = false;
        if (planner_holds(&s->p, move, object))
            continue;
        assert_int_equal(
            planner_find_place(&s->p, move, &object, 1, &chosen, &found),
            ETNA_OK);
        if (!found)
            fail_msg("no place for %s", s->p.facts->objects[object].name);
        builtin_object *o = &s->objects[object];
        for (int k = 0; k < 2; k++)
            o->centre[k] = chosen.exact.at[k];
        o->centre[2] = chosen.exact.at[2] +
                       (chosen.exact.kind == EXACT_PUT ? o->half[2] : 0);
        if (chosen.exact.has_yaw) {
            double way[2];
            builtin_heading_at(o, chosen.exact.yaw_deg, way);
            memcpy(o->heading, way, sizeof way);
            o->yaw_deg = chosen.exact.yaw_deg;
        }
        if (chosen.exact.kind == EXACT_PUT) {
            uint32_t *by = etna_arena_alloc(&s->arena, 1, sizeof *by);
            *by = chosen.exact.support;
            o->by = by;
            o->by_count = 1;
        }
        o->moved = true;
        if (!planner_holds(&s->p, move, object))
            fail_msg("%s is not as asked", o->name);
    }
}

const double *place_of(const stage *s, const char *name)
{
    return s->p.facts->objects[at_index(s, name)].centre;
}

facts_world kitchen(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "table", 0, 0, 1.6, 0.9, 0.73, "brown", floor);
    int board =
        facts_world_add(&w, "sideboard", 2.3, 0, 0.5, 1.6, 0.8, "brown", floor);
    facts_world_add(&w, "red tin", 0.3, 0.1, 0.1, 0.1, 0.12, "red", table);
    facts_world_add(&w, "white tin", -0.2, 0.2, 0.1, 0.1, 0.12, "white", table);
    facts_world_add(&w, "blue tin", -0.5, -0.1, 0.1, 0.1, 0.12, "blue", table);
    facts_world_add(&w, "chair 1", 0, -1.1, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "chair 2", 0, 1.1, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "chair 3", -1.4, 0, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "plate 1", 2.3, -0.5, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "plate 2", 2.3, -0.2, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "plate 3", 2.3, 0.1, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "glass", 2.3, 0.5, 0.07, 0.07, 0.14, "white", board);
    return w;
}

facts_world yard(void)
{
    static const double x[] = {0.6, 2.4};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int wall = facts_world_add(&w, "wall", 0, 2.45, 6, 0.1, 2.5, "white", -1);
    w.things[floor].is_static = w.things[wall].is_static = true;
    facts_world_add(&w, "barrel 1", x[0], 2.1, 0.5, 0.5, 0.8, "brown", floor);
    facts_world_add(&w, "barrel 2", x[1], 2.1, 0.5, 0.5, 0.8, "brown", floor);
    facts_world_add(&w, "red can", -2, 0, 0.2, 0.2, 0.3, "red", floor);
    facts_world_add(&w, "white can", -1.5, 0.3, 0.2, 0.2, 0.3, "white", floor);
    facts_world_add(&w, "blue can", -1, -0.3, 0.2, 0.2, 0.3, "blue", floor);
    return w;
}

void row_by(stage *s,
            builtin_relation relation,
            unsigned sides,
            const char *reference,
            const char *second,
            const char *const *names)
{
    builtin_condition also = {.relation = relation,
                              .reference = at_index(s, reference),
                              .second = BUILTIN_NONE,
                              .sides = sides,
                              .gap = -1};
    if (second)
        also.second = at_index(s, second);
    builtin_move line = move_of(s, RELATION_LINE, names, 3, reference);
    line.also = &also;
    line.also_count = 1;
    line.sides = sides;
    expand(s, &line);
    assert_int_equal(s->p.reading.count, 3);
    carry_out(s);
}

const char *bearer_of(const stage *s, const char *name)
{
    const builtin_object *o = &s->p.facts->objects[at_index(s, name)];
    return o->by_count ? s->p.facts->objects[o->by[0]].name : "";
}
