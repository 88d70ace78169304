/* See read_world.h. */
#include "read_world.h"
#include "worker/builtin/roles.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

facts_world read_world(void)
{
    facts_world w = facts_world_new();
    int floor =
        facts_world_add(&w, "FloorB_01_001", 0, 0, 4, 3, 0.02, "brown", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table_01", 0, 0, 1.4, 0.8, 0.7, "brown", floor);
    int coffee = facts_world_add(&w, "CoffeeTable_01_001", -1.4, 0.6, 0.6, 0.5,
                                 0.4, "black", floor);
    facts_world_add(&w, "Yellow Block", 0.4, 0.1, 0.4, 0.3, 0.1, "yellow",
                    table);
    facts_world_add(&w, "Blue Block", -0.4, 0.2, 0.16, 0.16, 0.1, "blue",
                    table);
    facts_world_add(&w, "Bottle", -0.1, -0.2, 0.07, 0.07, 0.24, "red", table);
    facts_world_add(&w, "Bottle.001", 0.1, -0.2, 0.07, 0.07, 0.24, "green",
                    table);
    facts_world_add(&w, "Bottle.002", -1.4, 0.6, 0.08, 0.08, 0.3, "blue",
                    coffee);
    facts_world_add(&w, "ChairA_01_001", 0.6, -0.9, 0.4, 0.4, 0.8, "brown",
                    floor);
    facts_world_add(&w, "ChairA_01_002", -0.6, -0.9, 0.4, 0.4, 0.8, "brown",
                    floor);
    int cup = facts_world_add(&w, "TeaCup", -0.3, -0.3, 0.08, 0.08, 0.08,
                              "white", table);
    w.things[cup].no_top = true;
    facts_world_add(&w, "TableLamp", 0.6, -0.3, 0.2, 0.2, 0.4, "white", table);
    facts_world_add(&w, "NightStand_02", 1.5, 0.5, 0.5, 0.4, 0.5, "white",
                    floor);
    int wall = facts_world_add(&w, "Wall_3", 0, 1.6, 4, 0.1, 2.4, "white", -1);
    w.things[wall].is_static = true;
    w.things[wall].no_top = true;
    int vase =
        facts_world_add(&w, "obj_17", 1.5, 0.5, 0.1, 0.1, 0.2, "purple", 12);
    w.things[vase].category = "vase";
    return w;
}

builtin_facts read_world_facts(const facts_world *w, etna_arena *arena)
{
    char *json = facts_world_json(w);
    builtin_facts facts;
    etna_error err;
    if (builtin_facts_read(json, strlen(json), arena, &facts, &err) != ETNA_OK)
        abort();
    free(json);
    return facts;
}

static const char *read_world_ask(const facts_world *w,
                                  const char *task,
                                  etna_arena *arena,
                                  etna_code (*role)(builtin_talk *talk,
                                                    model_reply *ret,
                                                    etna_error *err))
{
    builtin_talk talk = {
        .facts = read_world_facts(w, arena), .last_answer = "", .arena = arena};
    model_reply reply = {.text = ""};
    etna_error err = {0};
    json_t *json = json_loads(task, 0, NULL);
    assert_non_null(json);
    talk.task = json;
    if (role(&talk, &reply, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    json_decref(json);
    return reply.text;
}

builtin_move read_world_move(const builtin_facts *facts,
                             const char *sentence,
                             etna_arena *arena)
{
    builtin_reading *reading = etna_arena_alloc(arena, 1, sizeof *reading);
    etna_error err = {0};
    assert_non_null(reading);
    if (builtin_read(facts, sentence, arena, reading, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(reading->count, 1);
    return reading->moves[0];
}

const char *read_world_answer(const facts_world *w,
                              const char *task,
                              etna_arena *arena)
{
    return read_world_ask(w, task, arena, builtin_planner);
}

const char *read_world_verdict(const facts_world *w,
                               const char *task,
                               etna_arena *arena)
{
    return read_world_ask(w, task, arena, builtin_evaluator);
}

const char *read_world_instruction(const char *answer, etna_arena *arena)
{
    static const char begin[] = "[updated_instruction]\n",
                      end[] = "\n[end of updated_instruction]";
    const char *from = strstr(answer, begin),
               *to = from ? strstr(from, end) : NULL;
    if (!to)
        return "\"\"";
    from += strlen(begin);
    json_t *text = json_stringn(from, (size_t)(to - from));
    char *said = json_dumps(text, JSON_ENCODE_ANY);
    const char *kept = etna_arena_strdup(arena, said);
    free(said);
    json_decref(text);
    return kept;
}
