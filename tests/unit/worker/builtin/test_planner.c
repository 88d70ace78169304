/* What the planner says of small worlds: where it puts aside what stands in the
 * way, and why something has no place. */
#include "read_world.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The planner's answer to a goal, at its first step; the front of `fronted`
 * (-1: of nothing) is known. */
static const char *plan_with_front(const facts_world *w,
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

static const char *plan(const facts_world *w,
                        const char *goal,
                        etna_arena *arena)
{
    return plan_with_front(w, goal, -1, arena);
}

/* The planner's answer to a task of JSON is to hold `part`. */
static void assert_answers(const facts_world *w,
                           const char *task,
                           const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = read_world_answer(w, task, &arena);
    if (!strstr(text, part))
        fail_msg("%s is answered by\n%s\nand not by \"%s\"", task, text, part);
    etna_arena_free(&arena);
}

static void assert_says(const facts_world *w,
                        const char *goal,
                        const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(w, goal, &arena);
    if (!strstr(text, part))
        fail_msg("\"%s\" is answered by\n%s\nand not by \"%s\"", goal, text,
                 part);
    etna_arena_free(&arena);
}

/* A laid table, and right beside it a bench with a hat on it. */
static facts_world garden(double hat)
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

static void a_bowl_is_put_aside_on_the_ground_before_a_hat(void **state)
{
    (void)state;
    facts_world w = garden(0.36);
    assert_says(&w, "Clear the table", "Put \"Bowl\" on \"Terrace\"");
    w = garden(0.40); /* a hat is a hat however large its brim */
    assert_says(&w, "Clear the table", "Put \"Bowl\" on \"Terrace\"");
    w = garden(0.36);
    /* there to have things on it */
    w.things[facts_world_find(&w, "Hat")].name = "Tray";
    w.things[facts_world_find(&w, "Tray")].size[0] =
        w.things[facts_world_find(&w, "Tray")].size[1] = 0.4;
    assert_says(&w, "Clear the table", "Put \"Bowl\" on \"Tray\"");
}

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

/* A newspaper over the arm of a chair is attached as a picture is, and can be
 * put anywhere all the same. */
static void what_leans_is_put_aside_as_what_stands(void **state)
{
    (void)state;
    facts_world w = garden(0.36);
    w.things[facts_world_find(&w, "Bowl")].leans = true;
    assert_says(&w, "Clear the table", "Put \"Bowl\" on \"Terrace\"");
}

/* What stood on a table goes to something of its kind, though it be larger than
 * a chair's seat, and not to the floor. */
static void a_tray_is_put_aside_on_a_chair_before_the_floor(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", -0.3, 0, 1.0, 0.6, 0.7, "brown", floor);
    int chair =
        facts_world_add(&w, "Chair", 1.2, 0, 0.4, 0.4, 0.45, "brown", floor);
    facts_world_add(&w, "Tray", -0.3, 0, 0.43, 0.3, 0.04, "white", table);
    assert_says(&w, "Clear the table", "Put \"Tray\" on \"Chair\"");
    facts_world_add(&w, "Cushion", 1.2, 0, 0.3, 0.3, 0.1, "red",
                    chair); /* on what is taken there is no middle */
    assert_says(&w, "Clear the table", "Put \"Tray\" on \"Floor\"");
}

/* What stands on a table that stands on the floor is not on the floor, be it one
 * or several; a pile of those that are meant is. */
static void several_on_a_table_are_not_yet_on_the_floor(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", -1, 0, 1.0, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "Mug", -1.2, 0, 0.1, 0.1, 0.1, "red", table);
    facts_world_add(&w, "Bowl", -0.8, 0, 0.2, 0.2, 0.1, "white", table);
    int atlas =
        facts_world_add(&w, "Atlas", 1, 0, 0.3, 0.2, 0.04, "blue", floor);
    facts_world_add(&w, "Diary", 1, 0, 0.2, 0.15, 0.03, "green", atlas);
    assert_says(&w, "Put the mug and the bowl on the floor", "on \"Floor\"");
    assert_says(&w, "Put the atlas and the diary on the floor", "finished");
    facts_world_add(&w, "Red Tin", -1.3, 0.2, 0.1, 0.1, 0.1, "red", table);
    facts_world_add(&w, "Blue Tin", -0.7, -0.2, 0.1, 0.1, 0.1, "blue", table);
    assert_says(&w, "Put both tins on the floor", "on \"Floor\"");
}

/* Nobody clears a table onto the sofa when there is a sideboard. */
static void a_cleared_thing_goes_past_a_sofa_to_a_sideboard(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 8, 8, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.0, 0.6, 0.5, "brown", floor);
    facts_world_add(&w, "Sofa", 1.2, 0, 0.8, 1.8, 0.5, "blue", floor);
    facts_world_add(&w, "Sideboard", 0, -3.2, 1.6, 0.5, 0.6, "brown", floor);
    facts_world_add(&w, "Tray", 0.2, 0, 0.4, 0.3, 0.04, "white", table);
    assert_says(&w, "Clear the table", "Put \"Tray\" on \"Sideboard\"");
}

/* A careless file holds some of its chairs a centimetre above the floor. */
static void what_is_held_just_above_the_floor_is_pushed_in_as_what_stands(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", floor);
    int chair =
        facts_world_add(&w, "Chair", 0, -1.0, 0.4, 0.4, 0.45, "brown", -1);
    w.things[chair].hover = 0.035;
    assert_says(&w, "Push the chair in at the table",
                "Put \"Chair\" on \"Floor\" from");
}

static void beside_what_hangs_over_nothing_is_no_place(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Crate", 0, 0, 0.4, 0.4, 0.4, "brown", -1);
    int balloon = facts_world_add(&w, "Balloon", 0, 0, 0.3, 0.3, 0.3, "red", 0);
    w.things[balloon].hover = 0.4;
    facts_world_add(&w, "Ball", 0.6, 0, 0.1, 0.1, 0.1, "blue", -1);
    assert_says(&w, "Put the ball to the left of the balloon",
                "Balloon hangs in the air");
    assert_says(&w, "Put the ball to the left of the balloon", "<impossible>");
    assert_says(&w, "Put the ball to the left of the balloon",
                "There is no floor in the file: ");
    facts_world_add(&w, "Lid", 0.6, 0, 0.05, 0.05, 0.05, "red",
                    2); /* nothing is cleared for nothing */
    assert_says(&w, "Put the ball to the left of the balloon",
                "There is no floor in the file: ");
}

/* No table in the file: the cup stands on its saucer, near the bowl already,
 * and is to be lifted off. */
static void what_is_lifted_off_a_thing_does_not_stay_there(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int saucer =
        facts_world_add(&w, "Saucer", 0, 0, 0.15, 0.15, 0.02, "white", -1);
    facts_world_add(&w, "Cup", 0, 0, 0.08, 0.08, 0.07, "red", saucer);
    facts_world_add(&w, "Bowl", 0.16, 0, 0.1, 0.1, 0.06, "blue", -1);
    assert_says(&w, "Put the cup next to the bowl", "<finished>");
    assert_says(&w, "Lift the cup off the saucer and put it next to the bowl",
                "Move \"Cup\" to");
}

/* Chess pieces of two centimetres: the first rook has its place, the other is
 * at the far end of the king's side. */
static void what_stands_far_at_a_side_comes_near(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int board = facts_world_add(&w, "Board", 0, 0, 0.4, 0.4, 0.02, "brown", -1);
    w.things[board].is_static = true;
    facts_world_add(&w, "King", 0, 0, 0.02, 0.02, 0.05, "black", board);
    facts_world_add(&w, "Rook 1", 0.035, 0, 0.02, 0.02, 0.04, "black", board);
    int far = facts_world_add(&w, "Rook 2", -0.075, 0, 0.02, 0.02, 0.04,
                              "black", board);
    static const char goal[] = "Put the two rooks on either side of the king";
    assert_says(&w, goal, "Put \"Rook 2\" on \"Board\"");
    w.things[far].x = -0.035;
    assert_says(&w, goal, "<finished>");
}

/* A tray with a box in its middle, and another box beside it that would fit if
 * the first stood at an end. */
static facts_world two_boxes(void)
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

static void what_stands_on_the_same_thing_moves_over_before_it_leaves(
    void **state)
{
    (void)state;
    facts_world w = two_boxes();
    assert_says(&w, "Put the blue box on the tray",
                "Red Box moves over on Tray, so that Blue Box has room.");
    assert_says(&w, "Put the blue box on the tray",
                "Put \"Red Box\" on \"Tray\" at (0.1");
    w.things[facts_world_find(&w, "Tray")].size[0] = 0.4; /* no room for both */
    assert_says(&w, "Put the blue box on the tray",
                "Put \"Red Box\" on \"Table\"");
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

/* A wide hat comes where a small book lay at the edge, but so far inward that
 * its brim is over the top. */
static void a_place_at_the_edge_comes_inward_for_what_is_wider(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int stand =
        facts_world_add(&w, "Nightstand", 0, 0, 0.4, 0.4, 0.5, "brown", floor);
    int chest =
        facts_world_add(&w, "Chest", 1.2, 0, 1.0, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "Hat", 1.4, 0, 0.3, 0.3, 0.1, "yellow", chest);
    int book =
        facts_world_add(&w, "Book", 1.0, 0, 0.08, 0.12, 0.03, "red", chest);
    w.things[book].has_moved = true;
    w.things[book].start[0] = 0.14;
    w.things[book].start_on = stand;
    assert_says(&w, "Put the hat where the book was",
                "Put \"Hat\" on \"Nightstand\" at (0.0500, 0.0000");
}

/* A table that has room for two things at its edges and for one in its middle;
 * the first stands there, or on the floor beside the other. */
static facts_world small_table(const char *first, double height, bool is_there)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 0.4, 0.4, 0.6, "brown", floor);
    facts_world_add(&w, first, is_there ? 0 : -1.2, 0, 0.21, 0.21, height,
                    "yellow", is_there ? table : floor);
    facts_world_add(&w, "Bag", 1.2, 0, 0.16, 0.16, 0.25, "black", floor);
    return w;
}

/* What goes to one table need not bear what goes there, too: a flat book does,
 * and a hat does not. */
static void what_has_no_room_beside_a_hat_is_put_on_no_hat(void **state)
{
    (void)state;
    facts_world w = small_table("Hat", 0.08, true);
    assert_says(&w, "Put the hat and the bag on the table",
                "There is no free place for Bag on Table.");
    w = small_table("Book", 0.02, true);
    assert_says(&w, "Put the book and the bag on the table",
                "Put \"Bag\" on \"Book\"");
}

/* Which leaves room for the other, as its middle does not. */
static void the_first_of_two_on_a_small_table_goes_to_its_edge(void **state)
{
    (void)state;
    facts_world w = small_table("Hat", 0.08, false);
    assert_says(&w, "Put the hat on the table",
                "Put \"Hat\" on \"Table\" at (0.0100, -0.0100");
    assert_says(&w, "Put the hat and the bag on the table",
                "Put \"Hat\" on \"Table\" at (-0.0900, -0.0900");
}

/* A file without a floor: a lid comes down beside its pot, on the height that
 * the pot stands on. */
static void a_lid_comes_down_beside_its_pot_where_there_is_no_floor(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int pot = facts_world_add(&w, "Pot", 0, 0, 0.2, 0.2, 0.12, "white", -1);
    facts_world_add(&w, "Lid", 0, 0, 0.1, 0.1, 0.04, "white", pot);
    assert_says(&w, "Put the lid next to the pot", "Move \"Lid\" to");
    assert_says(&w, "Put the lid next to the pot",
                ", 1.0200)"); /* its middle: the pot stands at 1 m */
}

/* Nor does anything bear what goes under a table there, or where something
 * stood that stood on nothing. */
static void what_stands_on_one_height_goes_under_and_back_without_a_floor(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Table", 0, 0, 0.6, 0.6, 0.7, "white", -1);
    facts_world_add(&w, "Bucket", 2, 0, 0.1, 0.1, 0.2, "grey", -1);
    const int ball =
        facts_world_add(&w, "Ball", -3, 1, 0.1, 0.1, 0.2, "orange", -1);
    assert_says(&w, "Put the bucket under the table",
                "Move \"Bucket\" to (0.0000, 0.0000");
    w.things[ball].has_moved = true;
    w.things[ball].start[0] = -2;
    w.things[ball].start[1] = -2;
    w.things[ball].start_on = -1;
    assert_says(&w, "Put the bucket where the ball was",
                "Move \"Bucket\" to (-2.0000, -2.0000");
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

/* Trees on a hill that is level only elsewhere: offered at the other's height,
 * for the true shapes to decide. */
static void beside_what_stands_on_a_slope_is_on_the_slope(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    int hill = facts_world_add(&w, "Hill", 0, 0, 6, 5, 0.02, "green", -1);
    w.things[hill].is_static = true;
    int oak = facts_world_add(&w, "Oak", 1, 0, 0.3, 0.3, 1, "green", hill);
    facts_world_add(&w, "Birch", -1, 0, 0.3, 0.3, 1, "white", hill);
    builtin_talk talk = {.facts = read_world_facts(&w, &arena),
                         .last_answer = "",
                         .arena = &arena};
    builtin_object *objects =
        etna_arena_memdup(&arena, talk.facts.objects,
                          talk.facts.object_count * sizeof *talk.facts.objects);
    assert_non_null(objects);
    objects[oak].centre[2] += 0.4;
    objects[oak].start[2] += 0.4;
    talk.facts.objects = objects;
    builtin_surface *level = etna_arena_memdup(&arena, talk.facts.surfaces,
                                               talk.facts.surface_count *
                                                   sizeof *talk.facts.surfaces);
    assert_non_null(level);
    for (uint32_t i = 0; i < talk.facts.surface_count; i++) {
        if (level[i].object == (uint32_t)hill)
            level[i].columns /= 2; /* the half without the oak */
    }
    talk.facts.surfaces = level;
    json_t *task =
        json_pack("{s:s,s:i,s:i}", "goal", "Put the birch next to the oak",
                  "step", 1, "maximum_steps", 6);
    model_reply reply = {.text = ""};
    talk.task = task;
    assert_int_equal(builtin_planner(&talk, &reply, NULL), ETNA_OK);
    if (!strstr(reply.text, "Put \"Birch\" on \"Hill\" at"))
        fail_msg("%s", reply.text);
    char height[24]; /* let down from a centimetre over the oak's foot */
    snprintf(height, sizeof height, ", %.4f)",
             objects[oak].centre[2] - objects[oak].half[2] + 0.01);
    assert_non_null(strstr(reply.text, height));
    json_decref(task);
    etna_arena_free(&arena);
}

static void beside_what_hangs_over_a_table_is_on_the_table(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.4, 0.8, 0.7, "brown", floor);
    int lamp =
        facts_world_add(&w, "Lamp", 0.1, 0, 0.3, 0.3, 0.2, "white", table);
    w.things[lamp].hover = 0.6;
    w.things[facts_world_add(&w, "Cup", 1.2, -0.6, 0.08, 0.08, 0.1, "white",
                             floor)]
        .no_top = true;
    assert_says(&w, "Put the cup to the left of the lamp",
                "Put \"Cup\" on \"Table\" at");
}

/* Two cups alike, of which the second stands on the saucer: it stays there, and
 * the first comes onto it. */
static void a_tower_begins_with_what_stands_on_its_base(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int table = facts_world_add(&w, "Table", 0, 0, 1.4, 0.8, 0.7, "brown", -1);
    int saucer =
        facts_world_add(&w, "Saucer", 0.3, 0, 0.15, 0.15, 0.02, "white", table);
    int first =
        facts_world_add(&w, "Cup 1", -0.3, 0, 0.08, 0.08, 0.08, "white", table);
    int second = facts_world_add(&w, "Cup 2", 0.3, 0, 0.0799, 0.08, 0.08,
                                 "white", saucer);
    assert_says(&w, "Stack the two cups on the saucer",
                "Put \"Cup 1\" on \"Cup 2\"");
    w.things[second].on = table; /* as large to the eye: in the file's order */
    w.things[second].x = 0.6;
    assert_says(&w, "Stack the two cups on the saucer",
                "Put \"Cup 1\" on \"Saucer\"");
    w.things[first].no_top = true; /* nothing could stand on it */
    assert_says(&w, "Stack the two cups on the saucer",
                "Put \"Cup 2\" on \"Saucer\"");
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

/* A fridge in the only corner does not make way for a chair, and a basket
 * does. */
static void what_is_far_larger_makes_no_way(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "Floor", 0, 0, 3, 3, 0.02, "grey", -1);
        w.things[floor].is_static = true;
        if (i == 0)
            facts_world_add(&w, "Fridge", -1.2, 1.2, 0.6, 0.6, 1.8, "grey",
                            floor);
        else
            facts_world_add(&w, "Basket", -1.2, 1.2, 0.6, 0.6, 0.3, "grey",
                            floor);
        facts_world_add(&w, "Chair", 0.6, -0.6, 0.5, 0.5, 0.9, "brown", floor);
        assert_says(&w, "Put the chair in the back left corner of the room",
                    i == 0 ? "<impossible>" : "Put \"Basket\" on \"Floor\"");
    }
}

/* What is cleared off a table goes to a counter farther off rather than on a
 * chair right beside. */
static void a_cleared_mug_goes_past_a_chair_to_a_counter(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", -1, 0, 1.0, 1.0, 0.7, "brown", floor);
    facts_world_add(&w, "Chair", -0.2, 0, 0.45, 0.45, 0.45, "blue", floor);
    facts_world_add(&w, "Counter", 2.2, 0, 0.6, 1.6, 0.9, "white", floor);
    facts_world_add(&w, "Mug", -0.7, 0, 0.1, 0.1, 0.1, "red", table);
    assert_says(&w, "Clear the table", "Put \"Mug\" on \"Counter\"");
}

/* The end of a desk is nearer to the chair, and nobody would sit there. */
static void a_chair_comes_to_the_side_of_a_desk_and_not_to_its_end(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Desk", 0, 0, 1.6, 0.8, 0.72, "white", floor);
    int chair =
        facts_world_add(&w, "Chair", 2, 0, 0.5, 0.5, 0.9, "black", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text =
        plan_with_front(&w, "Put the chair at the desk", chair, &arena);
    double x = 0, y = 0;
    const char *at = strstr(text, "Put \"Chair\" on \"Floor\" at (");
    if (!at || sscanf(strchr(at, '('), "(%lf, %lf", &x, &y) != 2)
        fail_msg("%s", text);
    if (fabs(y) < 0.5 || fabs(x) > 0.7)
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Nobody sits with his nose to the wall. */
static void chairs_in_a_row_along_a_wall_have_their_backs_to_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int wall =
        facts_world_add(&w, "Wall West", -3.05, 0, 0.1, 5, 2.5, "white", -1);
    w.things[floor].is_static = w.things[wall].is_static = true;
    int first =
        facts_world_add(&w, "Chair 1", 0, 0, 0.5, 0.5, 0.9, "black", floor);
    facts_world_add(&w, "Chair 2", 1, 1, 0.5, 0.5, 0.9, "black", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan_with_front(
        &w, "Put the chairs in a row along the west wall", first, &arena);
    /* from facing the camera to facing the room */
    if (!strstr(text, "turned to 90.0 degrees"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

static facts_world walled_room(void)
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

/* A wardrobe that comes beside a dresser at the other wall does not turn its
 * doors to that. */
static void what_has_its_back_to_a_wall_has_it_beside_another_too(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Dresser", 2.7, 0, 0.5, 1.6, 0.8, "white", floor);
    facts_world_add(&w, "Wardrobe", -2.7, 0, 0.6, 1.0, 2.0, "brown", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, "Put the wardrobe next to the dresser", &arena);
    double x = 0, y = 0;
    const char *at = strstr(text, "Put \"Wardrobe\" on \"Floor\" at (");
    if (!at || sscanf(strchr(at, '('), "(%lf, %lf", &x, &y) != 2)
        fail_msg("%s", text);
    if (x < 2.6 || !strstr(text, "turned to 180.0 degrees"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* A bookcase has no side free: before it is not beside it. */
static void before_a_bookcase_is_not_beside_it(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Bookcase", 2.4, 2.3, 1.0, 0.35, 1.8, "brown", floor);
    facts_world_add(&w, "Pillar", 1.5, 2.15, 0.7, 0.7, 2.2, "white", floor);
    w.things[facts_world_find(&w, "Pillar")].is_static = true;
    facts_world_add(&w, "Chest", -1, -1, 1.4, 0.6, 0.6, "brown", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, "Put the chest next to the bookcase", &arena);
    for (const char *at = strstr(text, "at ("); at;
         at = strstr(at + 1, "at (")) {
        double x = 0, y = 0;
        assert_int_equal(sscanf(at, "at (%lf, %lf", &x, &y), 2);
        if (x > 1.4 && y < 2.0)
            fail_msg("%s", text);
    }
    etna_arena_free(&arena);
}

/* A sofa whose one side is free comes no nearer by going to the other end of
 * the room. */
static void what_has_no_room_nearer_goes_nowhere(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Stove", 0, 0, 0.6, 0.6, 0.8, "white", floor);
    w.things[facts_world_find(&w, "Stove")].is_static = true;
    facts_world_add(&w, "Sofa", 0, -0.76, 2.2, 0.9, 0.8, "red", floor);
    assert_says(&w, "Move the sofa closer to the stove", "<impossible");
    assert_says(&w, "Move the sofa closer to the stove", "(closer to Stove)");
}

/* A basket may stand on the floor beside a wardrobe, and a jewel box that came
 * from a dresser does not. */
static void a_small_box_does_not_come_down_to_the_floor(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        facts_world w = walled_room();
        const double size = i ? 0.35 : 0.12;
        const int floor = facts_world_find(&w, "Floor");
        facts_world_add(&w, "Wardrobe", -2.7, 0, 0.6, 1.0, 2.0, "brown", floor);
        const int dresser = facts_world_add(&w, "Dresser", 2.7, 0, 0.5, 1.6,
                                            0.8, "white", floor);
        facts_world_add(&w, i ? "Basket" : "Jewel Box", 2.7, 0, size, size,
                        size, "red", dresser);
        assert_says(&w,
                    i ? "Put the basket next to the wardrobe"
                      : "Put the jewel box next to the wardrobe",
                    i ? "Put \"Basket\" on \"Floor\""
                      : "for Jewel Box to stand on but Floor");
    }
}

/* A stool that stands askew somewhere comes squarely before the piano. */
static void furniture_comes_squarely_to_another(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int piano =
        facts_world_add(&w, "Piano", 0, 2.1, 1.4, 0.6, 1.2, "black", floor);
    int stool = facts_world_add(&w, "Piano Stool", 2, -1.5, 0.6, 0.35, 0.5,
                                "black", floor);
    w.things[stool].yaw_deg = 30;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan_with_front(
        &w, "Put the piano stool in front of the piano", piano, &arena);
    if (!strstr(text, "turned to 0.0 degrees"))
        fail_msg("%s", text);
    /* its long side along the keys */
    w.things[stool].yaw_deg = 90;
    text = plan_with_front(&w, "Put the piano stool in front of the piano",
                           piano, &arena);
    if (!strstr(text, "turned to 0.0 degrees") &&
        !strstr(text, "turned to 180.0 degrees"))
        fail_msg("%s", text);
    /* beside what is askew itself it stays as it is */
    w.things[piano].yaw_deg = 20;
    w.things[stool].yaw_deg = 0;
    text = plan_with_front(&w, "Put the piano stool to the left of the piano",
                           piano, &arena);
    if (!strstr(text, "Put \"Piano Stool\"") || strstr(text, "turned to"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Who sits opposite a sofa has its low table before him, too: it makes no
 * way. */
static void opposite_a_sofa_is_beyond_its_table(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int sofa =
        facts_world_add(&w, "Sofa", 0, -1.6, 2.2, 0.9, 0.8, "red", floor);
    w.things[sofa].yaw_deg = 180;
    facts_world_add(&w, "Low Table", 0, -0.5, 1.2, 0.7, 0.45, "brown", floor);
    facts_world_add(&w, "Armchair", 2.4, 0.3, 0.8, 0.8, 0.8, "white", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text =
        plan_with_front(&w, "Put the armchair opposite the sofa", sofa, &arena);
    double x = 0, y = 0;
    const char *at = strstr(text, "Put \"Armchair\" on \"Floor\" at (");
    if (!at || sscanf(strchr(at, '('), "(%lf, %lf", &x, &y) != 2)
        fail_msg("%s", text);
    assert_true(fabs(x) < 0.4);
    assert_true(y > 0.2 && y < 1.2);
    /* and looks squarely at it, though not from its very middle */
    facts_world_add(&w, "Crate", 0.3, 0.7, 0.2, 0.2, 0.2, "brown", floor);
    text =
        plan_with_front(&w, "Put the armchair opposite the sofa", sofa, &arena);
    if (!strstr(text, "within 0.050 m\nor at"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* A side table has room for a bowl once its jug has made way, which it does not
 * where it was told to stay. */
static facts_world jug_and_bowl(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", -1, 0, 0.4, 0.4, 0.7, "brown", floor);
    int bench =
        facts_world_add(&w, "Bench", 1, 0, 1.2, 0.5, 0.5, "brown", floor);
    facts_world_add(&w, "Jug", -1, 0, 0.2, 0.2, 0.3, "blue", table);
    facts_world_add(&w, "Bowl", 1, 0, 0.3, 0.3, 0.1, "white", bench);
    return w;
}

static void what_is_told_to_stay_makes_no_way(void **state)
{
    (void)state;
    facts_world w = jug_and_bowl();
    assert_says(&w, "Put the bowl on the table", "Put \"Jug\" on");
    assert_says(&w, "Put the bowl on the table but leave the jug where it is",
                "There is no place for Bowl while Jug stays where it is.");
}

/* "There" is where it was just told to go. */
static void what_is_moved_and_left_there_moves(void **state)
{
    (void)state;
    facts_world w = jug_and_bowl();
    assert_says(&w, "Bring the jug over to the bench and leave it there",
                "Put \"Jug\" on");
}

/* Of a list, too: from the instruction on that tells it, until one moves it. */
static void what_an_instruction_tells_to_stay_makes_no_way_for_the_next(
    void **state)
{
    (void)state;
#define LIST(first, second) \
    "{\"instructions\":[{\"number\":1,\"text\":\"" first \
    "\"},{\"number\":2,\"text\":\"" second \
    "\"}],\"step\":1,\"maximum_steps\":9,\"edits\":[]}"
    facts_world w = jug_and_bowl();
    assert_answers(&w,
                   LIST("Put the bowl on the table but leave the jug where it "
                        "is",
                        "Turn the bench by 90 degrees"),
                   "There is no place for Bowl while Jug stays where it is.");
    assert_answers(&w,
                   LIST("The bench stays at its place but leave the jug where "
                        "it is",
                        "Put the bowl on the table"),
                   "There is no place for Bowl while Jug stays where it is.");
    assert_answers(&w,
                   LIST("Put the bowl on the bench but leave the jug where it "
                        "is",
                        "Put the bowl on the table"),
                   "There is no place for Bowl while Jug stays where it is.");
    assert_answers(&w,
                   LIST("Put the bowl on the bench but leave the jug where it "
                        "is",
                        "Put the jug on the floor"),
                   "Put \"Jug\" on \"Floor\"");
    /* nor does it go along with what it stands on */
    assert_answers(
        &w,
        LIST("Put the bowl on the bench but leave the jug where it is",
             "Move the table next to the bench"),
        "Jug is to stay where it is, and stands on Table, which is to be moved");
    assert_answers(
        &w,
        LIST("Put the bowl on the bench", "Move the table next to the bench"),
        "Put \"Table\" on");
#undef LIST
}

/* An edit that turned it and took it a centimetre there has not brought it
 * closer. */
static void what_came_a_centimetre_is_not_closer(void **state)
{
    (void)state;
    static const char task[] =
        "{\"goal\":\"Move the crate closer to the stove\",\"step\":2,"
        "\"maximum_steps\":9,\"edits\":[{\"step\":1,\"object\":\"Crate\","
        "\"instruction\":\"\"}]}";
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Stove", -1, 0, 0.6, 0.6, 0.8, "white", floor);
    int crate =
        facts_world_add(&w, "Crate", 0.99, 0, 0.4, 0.4, 0.5, "brown", floor);
    w.things[crate].has_moved = true;
    w.things[crate].start[0] = 1;
    w.things[crate].start_on = floor;
    assert_answers(&w, task, "Put \"Crate\" on \"Floor\"");
    w.things[crate].x = 0.7;
    assert_answers(&w, task, "<finished>");
}

static void what_is_moved_beside_a_thing_comes_near_it(void **state)
{
    (void)state;
    static const char *const says[] = {
        "Move the crate to the right of the stove",
        "Put the crate next to the stove",
        "Move the stove to the left of the crate",
        "Put the jug on the stove and move the crate beside the stove"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Stove", -0.6, 0, 0.6, 0.6, 0.8, "white", floor);
    int crate = facts_world_add(&w, "Crate", 0.45, 0, 0.8, 0.8, 0.5, "brown",
                                floor); /* 35 cm from the stove */
    facts_world_add(&w, "Jug", 1.5, 1, 0.1, 0.1, 0.2, "white", floor);
    for (size_t i = 0; i < 3; i++)
        assert_says(&w, says[i], "[coordinate]");
    assert_says(&w, "The crate should be to the right of the stove",
                "<finished>");
    assert_says(&w, "I want the crate next to the stove", "<finished>");
    assert_says(&w, "Keep the crate to the right of the stove", "<finished>");
    w.things[crate].x = 0.2; /* 10 cm: it is there */
    assert_says(&w, "Move the crate to the right of the stove", "<finished>");
    /* what stands between leaves no nearer place: it is there as far as can
     * be */
    w.things[crate].x = 0.45;
    facts_world_add(&w, "Heater", -0.07, 0, 0.2, 2.8, 0.5, "white", floor);
    assert_says(&w, "Move the crate to the right of the stove", "<finished>");
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

/* Bread on a board: what goes next to it stands beside the board. A machine
 * that fills its cabinet: on the next one. */
static void beside_what_stands_on_something_small_is_beside_that(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int first =
        facts_world_add(&w, "Cabinet", -0.3, 0, 0.6, 0.6, 0.7, "white", floor);
    int second =
        facts_world_add(&w, "Cupboard", 0.3, 0, 0.6, 0.6, 0.7, "white", floor);
    int board =
        facts_world_add(&w, "Board", -0.3, 0, 0.3, 0.2, 0.02, "brown", first);
    facts_world_add(&w, "Bread", -0.3, 0, 0.2, 0.12, 0.1, "brown", board);
    facts_world_add(&w, "Oven", 0.3, 0, 0.56, 0.5, 0.3, "black", second);
    facts_world_add(&w, "Kettle", 1, -0.8, 0.16, 0.16, 0.2, "blue", floor);
    assert_says(&w, "Put the kettle next to the bread",
                "Put \"Kettle\" on \"Cabinet\" at");
    assert_says(&w, "Put the kettle to the left of the oven",
                "Put \"Kettle\" on \"Cabinet\" at");
    assert_says(&w, "Put the kettle to the right of the oven",
                "(to the right of Oven)");
}

static void a_wall_at_that_side_is_named(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Stove", -1.55, 0, 0.6, 0.6, 0.8, "white", floor);
    facts_world_add(&w, "Crate", 0.5, 0, 0.4, 0.4, 0.5, "brown", floor);
    assert_says(&w, "Move the crate to the left of the stove",
                "to the left of Stove)");
    int wall =
        facts_world_add(&w, "West Side", -1.9, 0, 0.08, 3, 2.4, "white", floor);
    w.things[wall].is_static = true;
    assert_says(&w, "Move the crate to the left of the stove",
                "to the left of Stove: West Side leaves no room there");
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

/* A ball, a hat and a board on a floor, with a rug between the two. */
static facts_world playroom(void)
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

/* The same reason twice: another place changes nothing, and the first reason is
 * told. */
static void what_fails_again_for_the_same_reason_is_not_tried_a_third_time(
    void **state)
{
    (void)state;
    facts_world w = playroom();
#define LATER(x) \
    "{\"instruction\":\"\",\"object\":\"Hat\",\"plane\":\"Shelf\",\"position\":[" x \
    ",1.2,0.5],\"yaw_deg\":0," \
    "\"later\":{\"step\":2,\"reason\":\"no branch was accepted; at (" x \
    ", 0) it collides with the lamp\"}}"
#define GIVEN_UP(rows) \
    "{\"goal\":\"Put the hat on the shelf\",\"step\":1,\"maximum_steps\":6,\"edits\":[],\"given_up_here\":[" rows \
    "]}"
    assert_answers(&w, GIVEN_UP(LATER("1.2")), "Put \"Hat\" on \"Shelf\"");
    assert_answers(&w, GIVEN_UP(LATER("1.2") "," LATER("1.0")),
                   "it collides with the lamp");
    assert_answers(&w, GIVEN_UP(LATER("1.2") "," LATER("1.0")), "<impossible>");
#undef GIVEN_UP
#undef LATER
}

/* A bench of slats has no level place for a cup: beside the hat on it the cup
 * is let down all the same. */
static void beside_what_stands_on_slats_is_let_down_there(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int bench =
        facts_world_add(&w, "Bench", 0, 0, 1.2, 0.4, 0.45, "brown", floor);
    w.things[bench].no_top = true;
    facts_world_add(&w, "Hat", -0.15, 0, 0.3, 0.3, 0.1, "yellow", bench);
    facts_world_add(&w, "Cup", 1, 1, 0.08, 0.08, 0.1, "white", floor);
    assert_says(&w, "Put the cup on the bench next to the hat.",
                "Put \"Cup\" on \"Bench\" at");
}

/* Its back is at +Y: what nothing is known of but a box is let down before
 * that. */
static void nothing_is_let_down_on_the_back_of_a_chair(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int chair =
        facts_world_add(&w, "Armchair", 0, 0, 0.8, 0.8, 0.9, "blue", floor);
    w.things[chair].no_top = true;
    facts_world_add(&w, "Towel", 1, 1, 0.3, 0.2, 0.05, "white", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text =
        plan_with_front(&w, "Put the towel on the armchair.", chair, &arena);
    uint32_t places = 0;
    for (const char *at = strstr(text, "at ("); at;
         at = strstr(at + 1, "at (")) {
        double x, y;
        assert_int_equal(sscanf(at, "at (%lf, %lf", &x, &y), 2);
        if (y >= 0.1)
            fail_msg("%s", text);
        places++;
    }
    assert_true(places > 2);
    etna_arena_free(&arena);
}

/* A counter, and where it is to go a stool and a crate: seen from above both
 * are under the box of its new place. */
static facts_world shop(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Counter", 0, -0.5, 1.6, 0.6, 0.9, "brown", floor);
    facts_world_add(&w, "Stool", -0.4, 0.1, 0.3, 0.3, 0.5, "red", floor);
    facts_world_add(&w, "Crate", 0.5, 0.1, 0.4, 0.3, 0.3, "blue", floor);
    return w;
}

/* How far a stool is from the table depends on how it is turned there.
 * Diagonally at the corner, it came nearer and nearer to it, edit after
 * edit. */
static void who_sits_at_a_table_sits_squarely_at_a_side_of_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", 1.5, -0.5, 0.8, 0.8, 1, "brown", floor);
    facts_world_add(&w, "Stool", 0.4, -1.6, 0.38, 0.37, 0.78, "red", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, "Put the stool at the table", &arena);
    const char *turned = strstr(text, "turned to ");
    if (!turned || fmod(strtod(turned + strlen("turned to "), NULL), 90) > 0.1)
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

static void what_goes_into_a_box_only_lengthwise_is_turned(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int box =
        facts_world_add(&w, "Box", 0.5, 0.1, 0.5, 0.38, 0.3, "brown", floor);
    w.things[box].sunk = 0.28;
    facts_world_add(&w, "Atlas", -0.8, 0, 0.3, 0.42, 0.05, "white", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, "Put the atlas in the box.", &arena);
    if (!strstr(text, "Put \"Atlas\" in \"Box\"") ||
        !strstr(text, "turned to 90.0"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* It came to rest on the basket's handle: beside that it was never tried. */
static void a_place_in_a_vessel_that_was_rejected_is_one_of_several(
    void **state)
{
    (void)state;
    static const char goal[] = "Put the loaf in the basket.";
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int basket =
        facts_world_add(&w, "Basket", 0.5, 0.1, 0.5, 0.42, 0.5, "brown", floor);
    w.things[basket].no_top = true;
    facts_world_add(&w, "Loaf", -0.8, 0, 0.1, 0.08, 0.08, "white", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    const char *tried = read_world_instruction(plan(&w, goal, &arena), &arena);
    const char *second = strstr(tried, "or at (");
    assert_non_null(second);
    const char *place = etna_arena_printf(
        &arena, "Put \"Loaf\" in \"Basket\" %.24s", second + strlen("or "));
    const char *task = etna_arena_printf(
        &arena,
        "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":6,\"failed_here\":[{\"node\":1,"
        "\"branch\":0,\"instruction\":%s,\"reason\":\"rejected (mean -1.00)\"}]}",
        goal, tried);
    assert_non_null(task);
    assert_answers(&w, task, place);
    etna_arena_free(&arena);
}

static void what_stands_where_a_thing_is_shifted_to_leaves_once_that_failed(
    void **state)
{
    (void)state;
    static const char goal[] = "Move the counter 40 cm to the back.";
    facts_world w = shop();
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, goal, &arena),
               *tried = read_world_instruction(text, &arena);
    if (!strstr(text, "Put \"Counter\""))
        fail_msg("%s", text); /* it is tried first: boxes are no shapes */
    const char *task = etna_arena_printf(
        &arena,
        "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":6,\"failed_here\":[{\"node\":1,"
        "\"branch\":0,\"instruction\":%s,\"reason\":\"it collides\"}]}",
        goal, tried);
    assert_non_null(task);
    assert_answers(&w, task, "Put \"Stool\" on \"Floor\"");
    assert_answers(&w, task, "Tactic: clear its place.");
    facts_thing *stool = &w.things[facts_world_find(&w, "Stool")];
    stool->has_moved = true; /* then the crate is not waited for */
    stool->start[0] = stool->x;
    stool->start[1] = stool->y;
    stool->start_on = stool->on;
    stool->y = 1.2;
    assert_says(&w, goal, "Put \"Crate\" on \"Floor\"");
    w.things[facts_world_find(&w, "Crate")].y = 1.2;
    assert_says(&w, goal, "Put \"Counter\" on \"Floor\"");
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sits_at_a_table_sits_squarely_at_a_side_of_it),
        cmocka_unit_test(what_goes_into_a_box_only_lengthwise_is_turned),
        cmocka_unit_test(
            a_place_in_a_vessel_that_was_rejected_is_one_of_several),
        cmocka_unit_test(
            what_stands_where_a_thing_is_shifted_to_leaves_once_that_failed),
        cmocka_unit_test(nothing_is_let_down_on_the_back_of_a_chair),
        cmocka_unit_test(beside_what_stands_on_slats_is_let_down_there),
        cmocka_unit_test(a_bowl_is_put_aside_on_the_ground_before_a_hat),
        cmocka_unit_test(a_claim_is_measured_and_nothing_is_planned),
        cmocka_unit_test(what_leans_is_put_aside_as_what_stands),
        cmocka_unit_test(a_tray_is_put_aside_on_a_chair_before_the_floor),
        cmocka_unit_test(opposite_a_sofa_is_beyond_its_table),
        cmocka_unit_test(what_is_far_larger_makes_no_way),
        cmocka_unit_test(a_small_box_does_not_come_down_to_the_floor),
        cmocka_unit_test(what_has_no_room_nearer_goes_nowhere),
        cmocka_unit_test(what_has_its_back_to_a_wall_has_it_beside_another_too),
        cmocka_unit_test(before_a_bookcase_is_not_beside_it),
        cmocka_unit_test(chairs_in_a_row_along_a_wall_have_their_backs_to_it),
        cmocka_unit_test(
            a_chair_comes_to_the_side_of_a_desk_and_not_to_its_end),
        cmocka_unit_test(a_cleared_mug_goes_past_a_chair_to_a_counter),
        cmocka_unit_test(furniture_comes_squarely_to_another),
        cmocka_unit_test(what_is_told_to_stay_makes_no_way),
        cmocka_unit_test(what_is_moved_and_left_there_moves),
        cmocka_unit_test(
            what_an_instruction_tells_to_stay_makes_no_way_for_the_next),
        cmocka_unit_test(what_came_a_centimetre_is_not_closer),
        cmocka_unit_test(what_is_moved_beside_a_thing_comes_near_it),
        cmocka_unit_test(beside_what_stands_on_something_small_is_beside_that),
        cmocka_unit_test(a_wall_at_that_side_is_named),
        cmocka_unit_test(a_trade_needs_three_edits),
        cmocka_unit_test(the_support_of_two_is_the_one_with_the_neighbour),
        cmocka_unit_test(
            on_it_is_on_what_was_moved_unless_that_went_onto_something),
        cmocka_unit_test(several_on_a_table_are_not_yet_on_the_floor),
        cmocka_unit_test(a_cleared_thing_goes_past_a_sofa_to_a_sideboard),
        cmocka_unit_test(
            what_is_held_just_above_the_floor_is_pushed_in_as_what_stands),
        cmocka_unit_test(beside_what_hangs_over_nothing_is_no_place),
        cmocka_unit_test(what_is_lifted_off_a_thing_does_not_stay_there),
        cmocka_unit_test(what_stands_far_at_a_side_comes_near),
        cmocka_unit_test(
            what_stands_on_the_same_thing_moves_over_before_it_leaves),
        cmocka_unit_test(a_moved_thing_whose_load_stayed_behind_is_not_done),
        cmocka_unit_test(a_place_at_the_edge_comes_inward_for_what_is_wider),
        cmocka_unit_test(what_has_no_room_beside_a_hat_is_put_on_no_hat),
        cmocka_unit_test(the_first_of_two_on_a_small_table_goes_to_its_edge),
        cmocka_unit_test(at_the_end_of_a_list_all_of_it_holds),
        cmocka_unit_test(what_is_picked_up_waits_for_the_next_instruction),
        cmocka_unit_test(
            a_chair_that_found_room_only_near_its_table_is_there_at_the_end),
        cmocka_unit_test(
            a_lid_comes_down_beside_its_pot_where_there_is_no_floor),
        cmocka_unit_test(
            what_stands_on_one_height_goes_under_and_back_without_a_floor),
        cmocka_unit_test(each_is_taken_off_its_own),
        cmocka_unit_test(what_it_came_from_bore_it_at_the_start),
        cmocka_unit_test(beside_what_stands_on_a_slope_is_on_the_slope),
        cmocka_unit_test(beside_what_hangs_over_a_table_is_on_the_table),
        cmocka_unit_test(a_tower_begins_with_what_stands_on_its_base),
        cmocka_unit_test(
            things_told_apart_by_place_or_number_are_what_their_name_says),
        cmocka_unit_test(what_is_named_on_a_thing_is_what_stands_on_it),
        cmocka_unit_test(
            what_cannot_be_read_is_told_with_its_code_and_its_bytes),
        cmocka_unit_test(it_is_what_the_run_before_edited),
        cmocka_unit_test(both_of_a_trade_are_what_the_next_instruction_means),
        cmocka_unit_test(what_a_model_has_read_is_not_read_again),
        cmocka_unit_test(
            what_fails_again_for_the_same_reason_is_not_tried_a_third_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
