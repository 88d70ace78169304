#include "plans.h"
#include "worker/builtin/roles.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const char *plan_with_front(const facts_world *w,
                            const char *goal,
                            int fronted,
                            etna_arena *arena)
{
    builtin_talk talk = {
        .facts = read_world_facts(w, arena), .last_answer = "", .arena = arena};
    builtin_object *objects = etna_arena_memdup(
        arena, talk.facts.objects, talk.facts.object_count * sizeof *objects);
    assert_non_null(objects);
    if (fronted >= 0)
        objects[fronted].has_front = true;
    talk.facts.objects = objects;
    model_reply reply = {.text = ""};
    etna_error err = {0};
    json_t *task =
        json_pack("{s:s,s:i,s:i}", "goal", goal, "step", 1, "maximum_steps", 6);
    assert_non_null(task);
    talk.task = task;
    if (builtin_planner(&talk, &reply, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    json_decref(task);
    return reply.text;
}

const char *plan(const facts_world *w, const char *goal, etna_arena *arena)
{
    return plan_with_front(w, goal, -1, arena);
}

void assert_answers(const facts_world *w, const char *task, const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = read_world_answer(w, task, &arena);
    if (!strstr(text, part))
        fail_msg("%s is answered by\n%s\nand not by \"%s\"", task, text, part);
    etna_arena_free(&arena);
}

void assert_says(const facts_world *w, const char *goal, const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(w, goal, &arena);
    if (!strstr(text, part))
        fail_msg("\"%s\" is answered by\n%s\nand not by \"%s\"", goal, text,
                 part);
    etna_arena_free(&arena);
}

facts_world garden(double hat)
{
    facts_world w = facts_world_new();
    int lawn = facts_world_add(&w, "Terrace", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[lawn].is_static = true;
    int table =
        facts_world_add(&w, "Table", -0.3, 0, 1.0, 0.6, 0.7, "brown", lawn);
    int box =
        facts_world_add(&w, "Crate", 0.6, 0, 0.4, 0.4, 0.5, "brown", lawn);
    facts_world_add(&w, "Hat", 0.6, 0, hat, hat, 0.05, "yellow", box);
    facts_world_add(&w, "Bowl", 0, 0, 0.3, 0.3, 0.1, "white", table);
    return w;
}

facts_world two_boxes(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.6, 1.0, 0.7, "brown", floor);
    int tray =
        facts_world_add(&w, "Tray", 0, 0, 0.6, 0.3, 0.02, "white", table);
    facts_world_add(&w, "Red Box", 0, 0, 0.24, 0.24, 0.2, "red", tray);
    facts_world_add(&w, "Blue Box", 0, 0.35, 0.22, 0.22, 0.2, "blue", table);
    return w;
}

facts_world walled_room(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int west = facts_world_add(&w, "Wall West", -3.05, 0, 0.1, 5, 2.5, "white",
                               -1),
        east =
            facts_world_add(&w, "Wall East", 3.05, 0, 0.1, 5, 2.5, "white", -1),
        north = facts_world_add(&w, "Wall North", 0, 2.55, 6.2, 0.1, 2.5,
                                "white", -1);
    w.things[floor].is_static = w.things[west].is_static = true;
    w.things[east].is_static = w.things[north].is_static = true;
    return w;
}

facts_world playroom(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Rug", 0, 0, 1.6, 1.2, 0.01, "red", floor);
    facts_world_add(&w, "Ball", -1.2, 0, 0.2, 0.2, 0.2, "blue", floor);
    facts_world_add(&w, "Hat", 1.2, 0, 0.2, 0.2, 0.2, "yellow", floor);
    facts_world_add(&w, "Board", 0, 1.2, 0.6, 0.2, 0.05, "green", floor);
    facts_world_add(&w, "Shelf", 1.2, 1.2, 0.6, 0.3, 0.4, "brown", floor);
    return w;
}
