/* What the planner makes of lists of instructions and of runs before: when all
 * of it holds, and what "it" is. */
#include "plans.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Whether another agent's claim holds: what of it is certain. */
static void a_claim_is_measured_and_nothing_is_planned(void **state)
{
    (void)state;
    facts_world w = garden(0.36);
    assert_answers(&w,
                   "{\"goal\": \"Put the bowl on the crate\", \"step\": 1, "
                   "\"maximum_steps\": 6, \"measures\": true}",
                   "Bowl is not as the goal asks.");
    assert_answers(&w,
                   "{\"goal\": \"Put the bowl on the table\", \"step\": 1, "
                   "\"maximum_steps\": 6, \"measures\": true}",
                   "<finished>");
    assert_answers(&w,
                   "{\"goal\": \"Make it cosy\", \"step\": 1, "
                   "\"maximum_steps\": 6, \"measures\": true}",
                   "<unreadable>");
    /* of several wishes those that can be read */
    assert_answers(
        &w,
        "{\"goal\": \"Put the violin on the terrace and put the bowl on the crate\", "
        "\"step\": 1, \"maximum_steps\": 6, \"measures\": true}",
        "Bowl is not as the goal asks.");
    assert_answers(
        &w,
        "{\"goal\": \"Put the violin on the terrace and put the bowl on the table\", "
        "\"step\": 1, \"maximum_steps\": 6, \"measures\": true}",
        "<unreadable>");
    /* which of them is below is for whoever stacks them */
    assert_answers(&w,
                   "{\"goal\": \"Stack the hat and the bowl\", \"step\": 1, "
                   "\"maximum_steps\": 6, \"measures\": true}",
                   "<unreadable>");
}

/* What the first instruction put somewhere does not leave for the second, and
 * at the end both hold or it is told. */
static void at_the_end_of_a_list_all_of_it_holds(void **state)
{
    (void)state;
#define DONE(item, thing) \
    "{\"step\":" #item ",\"item\":" #item ",\"object\":\"" thing \
    "\",\"instruction\":\"\"}"
#define LIST(edits) \
    "{\"instructions\":[{\"number\":1,\"text\":\"Put the red box on the tray\"},{\"number\":2,\"text\":\"Put the blue " \
    "box on the tray\"}],\"step\":2,\"maximum_steps\":9,\"edits\":[" edits \
    "]}"
    facts_world w = two_boxes();
    facts_thing *red = &w.things[facts_world_find(&w, "Red Box")],
                *blue = &w.things[facts_world_find(&w, "Blue Box")];
    int tray = facts_world_find(&w, "Tray"),
        table = facts_world_find(&w, "Table");
    w.things[tray].size[0] = 0.4;
    assert_answers(&w, LIST(DONE(1, "Red Box")), "<impossible>");
    w.things[tray].size[0] = 0.6;
    red->x = -0.15;
    blue->x = 0.15;
    blue->y = 0;
    blue->on = tray;
    assert_answers(&w, LIST(DONE(1, "Red Box") "," DONE(2, "Blue Box")),
                   "<finished>");
    red->on = table;
    red->x = -0.6;
    assert_answers(&w, LIST(DONE(1, "Red Box") "," DONE(2, "Blue Box")),
                   "What instruction 1 asks of Red Box does not hold any more");
#undef LIST
#undef DONE
}

/* What takes something up asks for nothing until the next says where to, unless
 * none does. */
static void what_is_picked_up_waits_for_the_next_instruction(void **state)
{
    (void)state;
#define LIST(second) \
    "{\"instructions\":[{\"number\":1,\"text\":\"Pick up the blue box\"}" second \
    "],\"step\":1,\"maximum_steps\":9,\"edits\":[]}"
    facts_world w = two_boxes();
    assert_answers(&w,
                   LIST(",{\"number\":2,\"text\":\"Set it down on the tray\"}"),
                   "so that Blue Box has room");
    assert_answers(&w, LIST(""), "it does not say on what to put it");
#undef LIST
}

/* There was no room at the table's edge, and the chair stands near it: so it
 * does at the end of the list, too. */
static void a_chair_that_found_room_only_near_its_table_is_there_at_the_end(
    void **state)
{
    (void)state;
#define DONE(item, thing) \
    "{\"step\":" #item ",\"item\":" #item ",\"object\":\"" thing \
    "\",\"instruction\":\"\"}"
#define LIST(edits) \
    "{\"instructions\":[{\"number\":1,\"text\":\"Bring the chair to the table\"},{\"number\":2,\"text\":\"Put the " \
    "cup on the shelf\"}],\"step\":3,\"maximum_steps\":9,\"edits\":[" edits \
    "]}"
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", floor);
    int shelf =
        facts_world_add(&w, "Shelf", 2.5, 1, 0.6, 0.3, 1.0, "brown", floor);
    int chair =
        facts_world_add(&w, "Chair", 0, 0.72, 0.4, 0.4, 0.8, "white", floor);
    int cup = facts_world_add(&w, "Cup", 2.5, 1, 0.08, 0.08, 0.1, "red", shelf);
    w.things[chair].has_moved = w.things[cup].has_moved = true;
    w.things[chair].start[0] = -2.5;
    w.things[chair].start[1] = -1.5;
    w.things[chair].start_on = floor;
    w.things[cup].start[0] = 2;
    w.things[cup].start[1] = -1;
    w.things[cup].start_on = floor;
    assert_answers(&w, LIST(DONE(1, "Chair") "," DONE(2, "Cup")), "<finished>");
    w.things[chair].y = 1.6;
    assert_answers(&w, LIST(DONE(1, "Chair") "," DONE(2, "Cup")),
                   "does not hold any more");
#undef LIST
#undef DONE
}

/* A tray without its cup is not what was asked, unless the cup had to leave
 * it. */
static void a_moved_thing_whose_load_stayed_behind_is_not_done(void **state)
{
    (void)state;
#define MOVED(more) \
    "{\"goal\":\"Put the tray on the shelf\",\"step\":2,\"maximum_steps\":9,\"edits\":[{\"step\":1,\"object\":\"Tray\"," \
    "\"instruction\":\"\"}" more "]}"
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.0, 0.6, 0.7, "brown", floor);
    int shelf =
        facts_world_add(&w, "Shelf", 1.4, 0, 0.8, 0.5, 0.4, "brown", floor);
    int tray =
        facts_world_add(&w, "Tray", 1.4, 0, 0.4, 0.3, 0.02, "white", shelf);
    int cup = facts_world_add(&w, "Cup", 0.1, 0, 0.08, 0.08, 0.1, "red", table);
    w.things[tray].has_moved = w.things[cup].has_moved = true;
    w.things[tray].start_on = table;
    w.things[cup].start[0] = 0.1;
    w.things[cup].start_on = tray;
    assert_answers(&w, MOVED(""), "Cup stood on Tray and stayed behind");
    assert_answers(
        &w, MOVED(",{\"step\":1,\"object\":\"Cup\",\"instruction\":\"\"}"),
        "<finished>");
    w.things[cup].on = tray;
    w.things[cup].x = 1.5;
    assert_answers(&w, MOVED(""), "<finished>");
#undef MOVED
}

/* Where something came from is where it stood at the start, and not where it
 * stands since. */
static void what_it_came_from_bore_it_at_the_start(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 8, 6, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int near =
        facts_world_add(&w, "Table A", -1.5, 0, 1.2, 0.8, 0.7, "brown", floor);
    int far =
        facts_world_add(&w, "Table B", 1.5, 0, 1.2, 0.8, 0.7, "brown", floor);
    int globe =
        facts_world_add(&w, "Globe", -1.5, 0, 0.2, 0.2, 0.3, "blue", near);
    facts_world_add(&w, "Phone", -1.2, 0.2, 0.1, 0.1, 0.05, "black", near);
    w.things[globe].has_moved = true;
    w.things[globe].start[0] = 1.5;
    w.things[globe].start[1] = 0;
    w.things[globe].start_on = far;
    assert_says(&w, "Put the phone on the table the globe came from",
                "on \"Table B\"");
}

/* "Their saucers" are two, and each cup leaves its own: one that has left does
 * not settle it. */
static void each_is_taken_off_its_own(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int table = facts_world_add(&w, "Table", 0, 0, 1.6, 0.9, 0.7, "brown", -1);
    int one = facts_world_add(&w, "Saucer A", -0.4, 0, 0.2, 0.2, 0.02, "white",
                              table);
    int other =
        facts_world_add(&w, "Saucer B", 0.4, 0, 0.2, 0.2, 0.02, "white", table);
    int cup =
        facts_world_add(&w, "Cup A", -0.4, 0, 0.08, 0.08, 0.1, "white", one);
    facts_world_add(&w, "Cup B", 0.4, 0, 0.08, 0.08, 0.1, "white", other);
    assert_says(&w, "Lift both cups off their saucers",
                "Put \"Cup A\" on \"Table\"");
    w.things[cup].on = table;
    w.things[cup].y = 0.3;
    assert_says(&w, "Lift both cups off their saucers",
                "Put \"Cup B\" on \"Table\"");
}

/* "Glass left" is a glass, as "chair two" is a chair; a cupboard with panes of
 * glass is none. */
static void things_told_apart_by_place_or_number_are_what_their_name_says(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "table", 0, 0, 1.2, 0.8, 0.7, "brown", floor);
    facts_world_add(&w, "sideboard", -1.3, 0.5, 0.8, 0.5, 0.7, "brown", floor);
    facts_world_add(&w, "glass left", -0.3, 0, 0.07, 0.07, 0.1, NULL, table);
    facts_world_add(&w, "glass right", 0.3, 0, 0.07, 0.07, 0.1, NULL, table);
    w.things[facts_world_add(&w, "cupboard", 1.3, 0.5, 0.5, 0.4, 1.2, "white",
                             floor)]
        .material = "glass";
    assert_says(&w, "Put both glasses on the sideboard",
                "Put \"glass left\" on \"sideboard\"");
    assert_says(&w, "Put the other one on the sideboard", "<unreadable>");
    assert_says(
        &w,
        "Put the left glass on the sideboard, then put the other one next to it",
        "Put \"glass left\" on \"sideboard\"");
}

/* Two lamps: "the lamp" on the table is the one that stands there. */
static void what_is_named_on_a_thing_is_what_stands_on_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Side Table", 0, 0, 0.6, 0.6, 0.5, "brown", floor);
    facts_world_add(&w, "Table Lamp", -0.1, 0, 0.2, 0.2, 0.3, "white", table);
    facts_world_add(&w, "Floor Lamp", 1, 0.5, 0.3, 0.3, 0.3, "white", floor);
    facts_world_add(&w, "Book", -1, -0.5, 0.1, 0.15, 0.03, "red", floor);
    assert_says(&w, "Put the book on the side table next to the lamp",
                "Put \"Book\" on \"Side Table\" at");
    assert_says(&w, "Put the book next to the lamp", "<unreadable>");
}

/* "Put the tray beside the stove and the jug on it": on the tray, for nothing
 * went onto the stove. */
static void on_it_is_on_what_was_moved_unless_that_went_onto_something(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Stove", -0.6, 0, 0.6, 0.6, 0.8, "white", floor);
    facts_world_add(&w, "Tray", -0.1, 0, 0.3, 0.3, 0.03, "brown", floor);
    int table =
        facts_world_add(&w, "Table", 1, 0, 0.8, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "Jug", 1, 0, 0.1, 0.1, 0.2, "white", table);
    assert_says(&w, "Put the tray next to the stove, then put the jug on it",
                "Put \"Jug\" on \"Tray\"");
    assert_says(&w, "Put the jug on the stove, then put the tray on it",
                "Put \"Jug\" on \"Stove\"");
}

/* Two that trade places: what came first stands where it belongs, a little off,
 * and does not make room again. */
static void a_trade_needs_three_edits(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int stove =
        facts_world_add(&w, "Stove", 0, -1, 0.6, 0.6, 0.8, "white", floor);
    int crate = facts_world_add(&w, "Crate", -0.48, 0, 0.4, 0.4, 0.5, "brown",
                                floor); /* 2 cm off the stove's place */
    w.things[stove].has_moved = w.things[crate].has_moved = true;
    w.things[stove].start_on = w.things[crate].start_on = floor;
    w.things[stove].start[0] = -0.5;
    w.things[crate].start[0] = 0.01;
    assert_says(&w, "Swap the stove and the crate",
                "Put \"Stove\" on \"Floor\" at (0.0100, 0.0000");
}

/* Of two counters the one that bears what the mug is to stand beside; without
 * such a thing it is asked which. */
static void the_support_of_two_is_the_one_with_the_neighbour(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int left = facts_world_add(&w, "Left Counter", -1, 0, 0.8, 0.6, 0.7,
                               "white", floor);
    int right = facts_world_add(&w, "Right Counter", 1, 0, 0.8, 0.6, 0.7,
                                "white", floor);
    int machine = facts_world_add(&w, "Coffee Machine", 1, 0, 0.2, 0.2, 0.3,
                                  "black", right);
    facts_world_add(&w, "Kettle", 0, -0.8, 0.2, 0.2, 0.2, "black", floor);
    facts_world_add(&w, "Mug", -1, 0, 0.08, 0.08, 0.1, "red", left);
    assert_says(&w,
                "Put the mug on the counter to the left of the coffee machine",
                "on \"Right Counter\" at");
    assert_says(&w, "Put the mug on the counter left of the coffee machine",
                "on \"Right Counter\"");
    assert_says(&w, "Put the mug on the counter next to the kettle",
                "\"Mug\" on \"Floor\""); /* the mug that is on it */
    w.things[machine].on = left;
    w.things[machine].x = -0.8;
    assert_says(&w, "Put the kettle on the counter next to the coffee machine",
                "on \"Left Counter\"");
}

static void what_cannot_be_read_is_told_with_its_code_and_its_bytes(
    void **state)
{
    (void)state;
    facts_world w = playroom();
    assert_says(&w, "Put the violin on the shelf", "\"code\":\"unknown\"");
    assert_says(&w, "Put the violin on the shelf", "\"span\":[4,14]");
}

static void it_is_what_the_run_before_edited(void **state)
{
    (void)state;
    facts_world w = playroom();
#define AFTER(goal) \
    "{\"goal\":\"" goal \
    "\",\"step\":1,\"maximum_steps\":6,\"edits\":[],\"before\":{\"goal\":\"x\",\"edits\":[" \
    "{\"step\":1,\"object\":\"Hat\"},{\"step\":2,\"object\":\"Ball\"}],\"moved\":[]}}"
    assert_answers(&w, AFTER("Put it on the shelf"),
                   "Put \"Ball\" on \"Shelf\"");
    w.things[facts_world_find(&w, "Ball")].on = facts_world_find(&w, "Shelf");
    w.things[facts_world_find(&w, "Ball")].x = 1.1;
    w.things[facts_world_find(&w, "Ball")].y = 1.2;
    assert_answers(&w, AFTER("Put them on the shelf"),
                   "Put \"Hat\" on \"Shelf\"");
    assert_answers(&w, AFTER("Put it on the shelf"), "<finished>");
#undef AFTER
}

static void both_of_a_trade_are_what_the_next_instruction_means(void **state)
{
    (void)state;
    facts_world w = playroom();
    int ball = facts_world_find(&w, "Ball"), hat = facts_world_find(&w, "Hat");
    w.things[ball].x = 1.2; /* traded */
    w.things[hat].x = -1.2;
    w.things[ball].has_moved = w.things[hat].has_moved = true;
    w.things[ball].start[0] = -1.2;
    w.things[hat].start[0] = 1.2;
    w.things[ball].start_on = w.things[hat].start_on = 0;
    assert_answers(
        &w,
        "{\"instructions\":[{\"number\":1,\"text\":\"Swap the ball and the hat\"},{\"number\":2,\"text\":\"Put the "
        "board between them\"}],\"step\":3,\"maximum_steps\":9,\"edits\":[{\"step\":1,\"item\":2,\"object\":\"Board\","
        "\"instruction\":\"\"}]}",
        /* a rug is as good as the floor, and does not make way */
        "Put \"Board\" on \"Rug\"");
}

/* The instruction between has only turned it: it was where it came from. */
static void where_a_thing_was_is_not_where_it_was_turned(void **state)
{
    (void)state;
    facts_world w = playroom();
    facts_thing *ball = &w.things[facts_world_find(&w, "Ball")];
    ball->has_moved = true;
    ball->start[0] = ball->x;
    ball->start[1] = ball->y;
    ball->start_on = ball->on;
    ball->x = 0.95;
    ball->yaw_deg = 90;
#define EDIT(item, yaw) \
    "{\"step\":" #item ",\"item\":" #item \
    ",\"object\":\"Ball\",\"instruction\":\"\",\"plane\":\"Floor\",\"position\":[0.95,0," \
    "0.12],\"yaw_deg\":" #yaw "}"
    assert_answers(
        &w,
        "{\"instructions\":[{\"number\":1,\"text\":\"Put the ball next to the hat\"},"
        "{\"number\":2,\"text\":\"Turn the ball by 90 degrees\"},"
        "{\"number\":3,\"text\":\"Put the board where the ball was\"}],"
        "\"step\":3,\"maximum_steps\":9,\"edits\":[" EDIT(1, 0) "," EDIT(
            2, 90) "]}",
        "Put \"Board\" on \"Floor\" at (-1.2000, 0.0000");
#undef EDIT
}

static void what_a_model_has_read_is_not_read_again(void **state)
{
    (void)state;
    facts_world w = playroom();
#define MEANT(unread) \
    "{\"goal\":\"Leg den Hut aufs Regal\",\"step\":1,\"maximum_steps\":6,\"edits\":[],\"meaning\":{\"predicates\":[{\"kind\":" \
    "\"on\",\"things\":[[\"Hat\"],[\"Shelf\"]],\"roles\":[\"moved\",\"reference\"],\"numbers\":{},\"span\":[0,22]}],\"unread\":" unread \
    "}}"
    assert_answers(&w, MEANT("[]"), "Put \"Hat\" on \"Shelf\"");
    assert_answers(&w, MEANT("[{\"span\":[8,11],\"text\":\"Hut\"}]"),
                   "<unreadable>"); /* a half is no whole */
#undef MEANT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_is_measured_and_nothing_is_planned),
        cmocka_unit_test(a_trade_needs_three_edits),
        cmocka_unit_test(where_a_thing_was_is_not_where_it_was_turned),
        cmocka_unit_test(the_support_of_two_is_the_one_with_the_neighbour),
        cmocka_unit_test(
            on_it_is_on_what_was_moved_unless_that_went_onto_something),
        cmocka_unit_test(a_moved_thing_whose_load_stayed_behind_is_not_done),
        cmocka_unit_test(at_the_end_of_a_list_all_of_it_holds),
        cmocka_unit_test(what_is_picked_up_waits_for_the_next_instruction),
        cmocka_unit_test(
            a_chair_that_found_room_only_near_its_table_is_there_at_the_end),
        cmocka_unit_test(each_is_taken_off_its_own),
        cmocka_unit_test(what_it_came_from_bore_it_at_the_start),
        cmocka_unit_test(
            things_told_apart_by_place_or_number_are_what_their_name_says),
        cmocka_unit_test(what_is_named_on_a_thing_is_what_stands_on_it),
        cmocka_unit_test(
            what_cannot_be_read_is_told_with_its_code_and_its_bytes),
        cmocka_unit_test(it_is_what_the_run_before_edited),
        cmocka_unit_test(both_of_a_trade_are_what_the_next_instruction_means),
        cmocka_unit_test(what_a_model_has_read_is_not_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
