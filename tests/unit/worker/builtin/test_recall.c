/* What a sentence means that goes on from the run before: more of the same, the
 * same of another, back. */
#include "read_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    TASK_SIZE = 2000
};

/* One thing that the run before moved, and where it had stood. */
typedef struct run_before {
    const char *goal, *object;
    double position[3], yaw_deg;
} run_before;

static void assert_goes_on(const facts_world *w,
                           const run_before *before,
                           const char *goal,
                           const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    char task[TASK_SIZE];
    snprintf(
        task, sizeof task,
        "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":6,\"edits\":[],\"before\":{\"goal\":\"%s\",\"edits\":[{\"step\":1,"
        "\"instruction\":\"\",\"object\":\"%s\"}],\"moved\":[{\"object\":\"%s\",\"position\":[%g,%g,%g],\"yaw_deg\":%g}]}}",
        goal, before->goal, before->object, before->object, before->position[0],
        before->position[1], before->position[2], before->yaw_deg);
    const char *text = read_world_answer(w, task, &arena);
    if (!strstr(text, part))
        fail_msg("after \"%s\", \"%s\" is answered by\n%s\nand not by \"%s\"",
                 before->goal, goal, text, part);
    etna_arena_free(&arena);
}

typedef struct sentence_row {
    const char *goal, *part; /* what the planner says */
} sentence_row;

static void assert_rows(const facts_world *w,
                        const run_before *before,
                        const sentence_row *rows,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_goes_on(w, before, rows[i].goal, rows[i].part);
}

/* The cup stands at (-0.3, -0.3) now. */
static const run_before cup_moved = {
    "Move the cup 20 cm to the left", "TeaCup", {-0.1, -0.3, 0.76}, 0};

static void a_bit_more_goes_on_the_same_way(void **state)
{
    (void)state;
    static const sentence_row rows[] = {
        {"a bit more", "Put \"TeaCup\" on \"Table_01\" at (-0.3600, -0.3000"},
        {"Further", "at (-0.3600, -0.3000"},
        {"a bit further, please", "at (-0.3600, -0.3000"},
        {"move it a bit further", "at (-0.3600, -0.3000"},
        {"10 cm more", "at (-0.4000, -0.3000"},
        {"again", "at (-0.5000, -0.3000"},
        {"a bit more to the right", "at (-0.2400, -0.3000"},
        {"5 cm to the right", "at (-0.2500, -0.3000"},
        {"onto the coffee table", "Put \"TeaCup\" on \"CoffeeTable_01_001\""}};
    facts_world w = read_world();
    assert_rows(&w, &cup_moved, rows, sizeof rows / sizeof rows[0]);
}

static void more_of_what_has_no_way_is_asked_about(void **state)
{
    (void)state;
    run_before put = cup_moved;
    facts_world w = read_world();
    put.goal = "Put the cup on the table";
    assert_goes_on(&w, &put, "a bit more", "<unreadable>");
    assert_goes_on(&w, &put, "again", "<unreadable>");
    put.goal = "Colourless green ideas sleep furiously";
    assert_goes_on(&w, &put, "a bit more", "<unreadable>");
}

static void a_turn_goes_on_in_its_sense(void **state)
{
    (void)state;
    const run_before turned = {"Turn the lamp 20 degrees clockwise",
                               "TableLamp",
                               {0.6, -0.3, 0.92},
                               20};
    static const sentence_row rows[] = {
        {"a bit more", "turned to 345.0 degrees"},
        {"turn it a bit further", "turned to 345.0 degrees"},
        {"again", "turned to 340.0 degrees"},
        {"undo that", "turned to 20.0 degrees"}};
    facts_world w = read_world();
    assert_rows(&w, &turned, rows, sizeof rows / sizeof rows[0]);
}

static void closer_is_to_what_it_came_closer_to(void **state)
{
    (void)state;
    const run_before closer = {
        "Move the red bottle 10 cm closer to the blue block",
        "Bottle",
        {0, -0.2, 0.84},
        0};
    facts_world w = read_world();
    assert_goes_on(&w, &closer, "a bit closer",
                   "Put \"Bottle\" on \"Table_01\" at (-0.1327, -0.1497");
    assert_goes_on(&w, &closer, "a bit further away",
                   "Put \"Bottle\" on \"Table_01\" at (-0.0673, -0.2503");
}

static void the_same_is_asked_of_another(void **state)
{
    (void)state;
    const run_before put = {
        "Put the red bottle on the yellow block", "Bottle", {0, -0.2, 0.84}, 0};
    static const sentence_row rows[] = {
        {"the green one too", "Put \"Bottle.001\" on \"Yellow Block\""},
        {"same with the green bottle",
         "Put \"Bottle.001\" on \"Yellow Block\""},
        {"the cup as well", "Put \"TeaCup\" on \"Yellow Block\""},
        {"the other one too", "may be any of 2"}};
    const run_before chair = {"Move the left chair 10 cm to the left",
                              "ChairA_01_002",
                              {-0.5, -0.9, 0.42},
                              0};
    facts_world w = read_world();
    facts_thing *bottle = &w.things[facts_world_find(&w, "Bottle")];
    bottle->on = facts_world_find(&w, "Yellow Block");
    bottle->x = 0.3;
    bottle->y = 0.1;
    assert_rows(&w, &put, rows, sizeof rows / sizeof rows[0]);
    assert_goes_on(
        &w, &chair, "the other one too",
        "Put \"ChairA_01_001\" on \"FloorB_01_001\" at (0.5000, -0.9000");
}

static void back_is_where_the_run_before_took_it_from(void **state)
{
    (void)state;
    static const char there[] =
        "Put \"TeaCup\" on \"Table_01\" at (-0.1000, -0.3000";
    static const char *const goals[] = {"back",
                                        "Put it back",
                                        "undo that",
                                        "put everything back",
                                        "put the cup back where it was",
                                        "it should be where it was before",
                                        "undo that, as it was before"};
    facts_world w = read_world();
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++)
        assert_goes_on(&w, &cup_moved, goals[i], there);
    assert_goes_on(&w, &cup_moved, "put the red bottle where the cup was",
                   "Put \"Bottle\" on \"Table_01\" at (-0.1000, -0.3000");
    assert_goes_on(
        &w, &cup_moved,
        "keep the cup where it is and put the red bottle on the blue block",
        "Put \"Bottle\" on \"Blue Block\"");
    /* nobody moved it */
    assert_goes_on(&w, &cup_moved, "put the red bottle back", "<unreadable>");
}

/* As real files have it. What takes its place stands on the table. */
static void where_a_thing_hovered_is_on_what_is_below(void **state)
{
    (void)state;
    const run_before cup_hovered = {
        "Put the cup on the coffee table", "TeaCup", {-0.1, -0.3, 0.796}, 0};
    facts_world w = read_world();
    const int low = facts_world_find(&w, "CoffeeTable_01_001");
    facts_thing *bottle = &w.things[facts_world_find(&w, "Bottle")];
    facts_thing *cup = &w.things[facts_world_find(&w, "TeaCup")];
    bottle->on = cup->on = low;
    bottle->x = cup->x = w.things[low].x;
    bottle->y = w.things[low].y - 0.1;
    cup->y = w.things[low].y + 0.1;
    assert_goes_on(&w, &cup_hovered, "put the red bottle where the cup was",
                   "Put \"Bottle\" on \"Table_01\" at (-0.1000, -0.3000");
}

static void nothing_goes_on_from_nothing(void **state)
{
    (void)state;
    static const char *const goals[] = {"a bit more", "to the left",
                                        "undo that",  "again",
                                        "back",       "the other one too"};
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        const char *task = etna_arena_printf(
            &arena,
            "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":6,\"edits\":[]}",
            goals[i]);
        const char *text = read_world_answer(&w, task, &arena);
        if (!strstr(text, "<unreadable>"))
            fail_msg("\"%s\" is answered by\n%s", goals[i], text);
    }
    etna_arena_free(&arena);
}

/* The instruction before is as good as a run before. */
static void an_instruction_goes_on_from_the_one_before(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    facts_thing *cup = &w.things[facts_world_find(&w, "TeaCup")];
    cup->has_moved = true;
    cup->start[0] = -0.1;
    cup->start[1] = -0.3;
    cup->start_on = facts_world_find(&w, "Table_01");
    static const sentence_row rows[] = {
        {"a bit more", "at (-0.3600, -0.3000"},
        {"put it back", "at (-0.1000, -0.3000"},
        {"the red bottle too",
         "Put \"Bottle\" on \"Table_01\" at (-0.3000, -0.2000"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *task = etna_arena_printf(
            &arena,
            "{\"instructions\":[{\"number\":1,\"text\":\"Move the cup 20 cm to the left\"},{\"number\":2,\"text\":\"%s\"}],"
            "\"step\":2,\"maximum_steps\":6,\"edits\":[{\"step\":1,\"item\":1,\"object\":\"TeaCup\",\"instruction\":\"\","
            "\"plane\":\"Table_01\",\"position\":[-0.3,-0.3,0.76],\"yaw_deg\":0}]}",
            rows[i].goal);
        const char *text = read_world_answer(&w, task, &arena);
        if (!strstr(text, rows[i].part))
            fail_msg("\"%s\" is answered by\n%s", rows[i].goal, text);
    }
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_more_goes_on_the_same_way),
        cmocka_unit_test(more_of_what_has_no_way_is_asked_about),
        cmocka_unit_test(a_turn_goes_on_in_its_sense),
        cmocka_unit_test(closer_is_to_what_it_came_closer_to),
        cmocka_unit_test(the_same_is_asked_of_another),
        cmocka_unit_test(back_is_where_the_run_before_took_it_from),
        cmocka_unit_test(where_a_thing_hovered_is_on_what_is_below),
        cmocka_unit_test(nothing_goes_on_from_nothing),
        cmocka_unit_test(an_instruction_goes_on_from_the_one_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
