/* The planner's table of tactics: which row speaks when, and what no row may
 * say. */
#include "read_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int ground(facts_world *w)
{
    *w = facts_world_new();
    int floor = facts_world_add(w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w->things[floor].is_static = true;
    return floor;
}

/* A tray in the middle of a table, a cup on it, and a box beside it on the
 * floor. */
static facts_world laid(double tray)
{
    facts_world w;
    int floor = ground(&w);
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.6, 1.0, 0.7, "brown", floor);
    int on =
        facts_world_add(&w, "Tray", 0, 0, tray, tray, 0.02, "white", table);
    facts_world_add(&w, "Cup", 0, 0, 0.1, 0.1, 0.1, "red", on);
    facts_world_add(&w, "Box", 1.6, 0, 0.22, 0.22, 0.2, "blue", floor);
    return w;
}

#define TASK(goal, more) \
    "{\"goal\":\"" goal "\",\"step\":1,\"maximum_steps\":6" more "}"

static void assert_tactic(const facts_world *w,
                          const char *task,
                          const char *tactic)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = read_world_answer(w, task, &arena),
               *said = strstr(text, "Tactic: ");
    if (!said ||
        strncmp(said + strlen("Tactic: "), tactic, strlen(tactic)) != 0)
        fail_msg("%s is answered by\n%s\nand not by the tactic \"%s\"", task,
                 text, tactic);
    etna_arena_free(&arena);
}

static facts_world two_chests(void)
{
    facts_world w;
    int floor = ground(&w);
    facts_world_add(&w, "Crate", 1.5, 0, 0.5, 0.5, 0.4, "brown", floor);
    facts_world_add(&w, "Chest", 0.8, 0, 0.5, 0.5, 0.4, "white", floor);
    facts_world_add(&w, "Stool", -2, 1, 0.4, 0.4, 0.5, "red", floor);
    return w;
}

static void each_tactic_speaks_where_it_is_needed(void **state)
{
    (void)state;
    facts_world w = laid(0.3);
    assert_tactic(&w, TASK("Put the box on the table", ""), "go.");
    assert_tactic(&w, TASK("Clear the table", ""), "leave.");
    assert_tactic(
        &w, TASK("Put the tray on the floor but leave the cup where it is", ""),
        "shed its load.");
    /* with the cup in its middle there is no room for the box */
    w = laid(0.24);
    assert_tactic(&w, TASK("Put the box on the tray", ""), "make way.");
    w = two_chests();
    assert_tactic(&w, TASK("Swap the crate and the chest", ""),
                  "free its place.");
    assert_tactic(&w,
                  TASK("Put the stool where the crate and the chest are", ""),
                  "take their place.");
}

/* In the middle of a small cabinet it leaves room on no side; it moves over
 * there, and does not leave. */
static void what_a_thing_is_to_be_beside_moves_over_for_it(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int cabinet =
        facts_world_add(&w, "Cabinet", 0, 0, 0.54, 0.54, 0.5, "brown", floor);
    int desk =
        facts_world_add(&w, "Desk", 1.5, 0, 1.2, 0.6, 0.5, "grey", floor);
    facts_world_add(&w, "Cactus", 0, 0, 0.2, 0.2, 0.25, "green", cabinet);
    facts_world_add(&w, "Photo", 1.5, 0, 0.22, 0.2, 0.25, "white", desk);
    assert_tactic(&w, TASK("Put the photo next to the cactus", ""),
                  "move its neighbour.");
    assert_tactic(&w,
                  TASK("Put the photo on the cabinet next to the cactus", ""),
                  "move its neighbour.");
}

/* A box on the tray, where the goal wants it; the cup was moved from the table
 * to the floor for that. */
static facts_world served_box(double vase)
{
    facts_world w;
    int floor = ground(&w);
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.6, 1.0, 0.7, "brown", floor);
    int tray =
        facts_world_add(&w, "Tray", -0.4, 0, 0.4, 0.4, 0.02, "white", table);
    facts_world_add(&w, "Box", -0.4, 0, 0.22, 0.22, 0.2, "blue", tray);
    facts_world_add(&w, "Vase", vase, 0, 0.2, 0.2, 0.3, "green", table);
    int cup = facts_world_add(&w, "Cup", 1.6, 0, 0.1, 0.1, 0.1, "red", floor);
    w.things[cup].has_moved = true;
    w.things[cup].start[0] = 0.5;
    w.things[cup].start_on = table;
    return w;
}

static void assert_finishes(const facts_world *w, const char *task)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = read_world_answer(w, task, &arena);
    if (!strstr(text, "<finished>"))
        fail_msg("%s is answered by\n%s", task, text);
    etna_arena_free(&arena);
}

static void what_only_had_to_make_way_goes_back_where_it_can(void **state)
{
    (void)state;
#define EDITS \
    ",\"edits\":[{\"step\":1,\"object\":\"Cup\",\"instruction\":" \
    "\"\"},{\"step\":2,\"object\":\"Box\",\"instruction\":\"\"}]"
    facts_world w = served_box(0.1);
    const char *list =
        "{\"instructions\":[{\"number\":1,\"text\":\"Put the box on the tray\"}],\"step\":2,"
        "\"maximum_steps\":9" EDITS "}";
    assert_tactic(&w, TASK("Put the box on the tray", EDITS), "go back.");
    assert_tactic(&w, list, "go back.");
    /* it was asked for */
    assert_finishes(
        &w, TASK("Put the box on the tray and the cup on the floor", EDITS));
    /* others moved it */
    assert_finishes(&w, TASK("Put the box on the tray", ""));
    w = served_box(0.5);
    /* its place is taken */
    assert_finishes(&w, TASK("Put the box on the tray", EDITS));
#undef EDITS
}

/* The chair has come over the place where the ball lay: there is room between
 * its legs, and nobody puts the ball there. */
static void what_made_way_does_not_go_back_beneath(void **state)
{
    (void)state;
#define EDITS \
    ",\"edits\":[{\"step\":1,\"object\":\"Ball\",\"instruction\":" \
    "\"\"},{\"step\":2,\"object\":\"Chair\",\"instruction\":\"\"}]"
    facts_world w;
    const int floor = ground(&w);
    const int chair =
        facts_world_add(&w, "Chair", 0, 0, 0.6, 0.6, 0.8, "red", floor);
    const int ball =
        facts_world_add(&w, "Ball", 1.5, 0, 0.1, 0.1, 0.1, "blue", floor);
    w.things[chair].legs = 0.4;
    w.things[chair].has_moved = w.things[ball].has_moved = true;
    w.things[chair].start[0] = -2;
    w.things[chair].start_on = w.things[ball].start_on = floor;
    assert_finishes(&w,
                    TASK("Put the chair in the middle of the floor", EDITS));
    w.things[ball].start[0] = 0.8;
    assert_tactic(&w, TASK("Put the chair in the middle of the floor", EDITS),
                  "go back.");
#undef EDITS
}

/* What an earlier instruction put there stays there, but may move over. */
static void what_is_served_moves_over_and_does_not_leave(void **state)
{
    (void)state;
#define LIST \
    "{\"instructions\":[{\"number\":1,\"text\":\"Put the cup on the tray\"},{\"number\":2,\"text\":\"Put the box on " \
    "the tray\"}],\"step\":2,\"maximum_steps\":9,\"edits\":[{\"step\":1,\"item\":1,\"object\":\"Cup\"," \
    "\"instruction\":\"\"}]}"
    facts_world w = laid(0.4);
    w.things[facts_world_find(&w, "Cup")].has_moved = true;
    w.things[facts_world_find(&w, "Cup")].start_on =
        facts_world_find(&w, "Table");
    assert_tactic(&w, LIST, "make room.");
#undef LIST
}

/* Says the goal's first plan again in a row of the task, between `before` and
 * `after`: no answer may hold it once more. */
static void assert_not_again(const facts_world *w,
                             const char *goal,
                             const char *before,
                             const char *after)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *task = etna_arena_printf(
        &arena, "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9}", goal);
    const char *first =
        read_world_instruction(read_world_answer(w, task, &arena), &arena);
    assert_string_not_equal(first, "\"\"");
    task = etna_arena_printf(
        &arena, "{\"goal\":\"%s\",\"step\":2,\"maximum_steps\":9,%s%s%s}", goal,
        before, first, after);
    const char *answer = read_world_answer(w, task, &arena),
               *next = read_world_instruction(answer, &arena);
    if (strcmp(next, first) == 0)
        fail_msg("%s\nis answered by\n%s", task, answer);
    etna_arena_free(&arena);
}

/* Whatever the tactic: the thing itself, what leaves, what makes way, what is
 * put down to go alone. */
static const char *const goals[] = {
    "Put the box on the table", "Clear the table", "Put the box on the tray",
    "Put the tray on the floor but leave the cup where it is"};
enum {
    GOALS = sizeof goals / sizeof *goals
};

static void no_edit_is_made_twice(void **state)
{
    (void)state;
    const facts_world w = laid(0.24);
    for (int i = 0; i < GOALS; i++)
        assert_not_again(
            &w, goals[i],
            "\"edits\":[{\"step\":1,\"object\":\"Somebody\",\"instruction\":",
            "}]");
}

static void what_failed_here_is_not_planned_again(void **state)
{
    (void)state;
    const facts_world w = laid(0.24);
    for (int i = 0; i < GOALS; i++)
        assert_not_again(
            &w, goals[i],
            "\"failed_here\":[{\"node\":1,\"branch\":0,\"reason\":\"it collides\",\"instruction\":",
            "}]");
}

static void what_was_given_up_is_not_planned_again(void **state)
{
    (void)state;
    const facts_world w = laid(0.24);
    for (int i = 0; i < GOALS; i++)
        assert_not_again(
            &w, goals[i],
            "\"given_up_here\":[{\"node\":1,\"object\":\"Box\",\"plane\":\"Table_up\",\"position\":[0,0,5],"
            "\"yaw_deg\":0,\"later\":{\"step\":2,\"reason\":\"it collides\"},\"instruction\":",
            "}]");
}

/* A bench full of pots: one large one at its left half, three small ones at its
 * right. The place that one makes is taken before the place of three. */
static void the_place_that_moves_the_fewest_is_taken(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int bench =
        facts_world_add(&w, "Bench", 0, 0, 1.0, 0.4, 0.5, "brown", floor);
    facts_world_add(&w, "Large Pot", -0.25, 0, 0.36, 0.36, 0.3, "red", bench);
    for (int i = 0; i < 3; i++)
        facts_world_add(&w,
                        i == 0   ? "Pot A"
                        : i == 1 ? "Pot B"
                                 : "Pot C",
                        0.1 + 0.16 * i, 0, 0.12, 0.36, 0.3, "blue", bench);
    facts_world_add(&w, "Box", 2, 0, 0.36, 0.36, 0.2, "yellow", floor);
    assert_tactic(&w, TASK("Put the box on the bench", ""), "make way.");
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text =
        read_world_answer(&w, TASK("Put the box on the bench", ""), &arena);
    if (!strstr(text, "Put \"Large Pot\" on"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* The candles stand on both sides of the vase, as they are to, but one of them
 * where the vase is to come. */
static void what_is_to_stand_beside_it_makes_way_first(void **state)
{
    (void)state;
    static const char *const said[] = {
        "Put the vase in the centre of the table with a candle on each side of it",
        "Put the vase in the middle of the table and candle A next to it"};
    facts_world w;
    int floor = ground(&w);
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.2, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "Candle A", 0.02, 0, 0.2, 0.2, 0.3, "white", table);
    facts_world_add(&w, "Candle B", 0.5, 0, 0.1, 0.1, 0.3, "red", table);
    facts_world_add(&w, "Vase", 0.3, 0, 0.16, 0.16, 0.3, "green", table);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        const char *task = etna_arena_printf(
            &arena, "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9}",
            said[i]);
        const char *text = read_world_answer(&w, task, &arena);
        if (!strstr(text, "Put \"Candle "))
            fail_msg("%s", text);
        etna_arena_free(&arena);
    }
}

/* The planner's first answer holds `part`. */
static void assert_first(const facts_world *w,
                         const char *task,
                         const char *part)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = read_world_answer(w, task, &arena);
    if (!strstr(text, part))
        fail_msg("%s is answered by\n%s\nand not by %s", task, text, part);
    etna_arena_free(&arena);
}

/* Nine centimetres are between them, and one of them has room to move over. */
static void what_it_is_to_stand_between_moves_apart(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int shelf =
        facts_world_add(&w, "Sideboard", 0, 0, 1.2, 0.4, 0.8, "brown", floor);
    facts_world_add(&w, "Kettle", -0.4, 0, 0.24, 0.24, 0.3, "grey", shelf);
    facts_world_add(&w, "Mug", -0.15, 0, 0.1, 0.1, 0.1, "red", shelf);
    facts_world_add(&w, "Tin", 1.5, 0, 0.22, 0.22, 0.2, "blue", floor);
    assert_first(&w, TASK("Put the tin between the kettle and the mug", ""),
                 "Tactic: move its neighbour.");
}

/* A loudspeaker stands to its right; for the other one it has a few centimetres
 * to go, and no more. */
static void what_stands_between_two_goes_only_so_far(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int shelf =
        facts_world_add(&w, "Shelf", 0, 0, 1.5, 0.45, 0.5, "brown", floor);
    facts_world_add(&w, "Amplifier", -0.5, 0, 0.45, 0.4, 0.15, "grey", shelf);
    facts_world_add(&w, "Speaker A", 0.12, 0, 0.22, 0.25, 0.4, "black", shelf);
    facts_world_add(&w, "Fan", 0.6, 0, 0.27, 0.22, 0.4, "white", shelf);
    facts_world_add(&w, "Speaker B", 1.5, 1, 0.22, 0.25, 0.4, "black", floor);
    assert_first(&w,
                 TASK("Put the speakers on the shelf, one on each side of the "
                      "amplifier",
                      ""),
                 "Put \"Amplifier\" on \"Shelf\"");
}

/* On a floor, too, but not across the room, and not what is heavier. */
static void furniture_parts_only_for_what_is_as_heavy(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    facts_world_add(&w, "Barrel A", -1, 1, 0.6, 0.6, 0.8, "brown", floor);
    facts_world_add(&w, "Barrel B", -0.2, 1, 0.6, 0.6, 0.8, "brown", floor);
    facts_world_add(&w, "Barrel C", 1, -1, 0.6, 0.6, 0.8, "brown", floor);
    facts_world_add(&w, "Stool", 2, -1, 0.3, 0.3, 0.4, "red", floor);
    assert_tactic(&w, TASK("Put barrel c between barrel a and barrel b", ""),
                  "move its neighbour.");
    assert_first(&w, TASK("Put the stool between barrel a and barrel b", ""),
                 "There is no place for Stool between");
}

/* Across the desk it would stick out on both sides: it goes along it, once the
 * lamp has left the middle. */
static void what_is_too_long_across_goes_along(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int desk = facts_world_add(&w, "Desk", 0, 0, 0.6, 1.6, 0.8, "brown", floor);
    facts_world_add(&w, "Lamp", 0, 0, 0.2, 0.2, 0.4, "white", desk);
    facts_world_add(&w, "Aquarium", 2, 0, 0.7, 0.3, 0.4, "blue", floor);
    assert_first(&w, TASK("Put the aquarium in the middle of the desk", ""),
                 "Put \"Lamp\" on");
}

/* The chair goes out of reach beneath the table: what is to be on it comes
 * first, as it is said. */
static void what_comes_onto_it_comes_before_it_is_tucked_in(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.2, 0.8, 0.7, "brown", floor);
    w.things[table].legs = 0.65;
    facts_world_add(&w, "Stool", -1.2, 0, 0.3, 0.3, 0.3, "red", floor);
    facts_world_add(&w, "Teddy", 1.5, 0, 0.2, 0.2, 0.2, "brown", floor);
    assert_first(&w,
                 TASK("Put the teddy on the stool, then put the stool under "
                      "the table",
                      ""),
                 "Put \"Teddy\" on \"Stool\"");
    assert_first(&w,
                 TASK("Put the stool under the table and the teddy on the "
                      "stool",
                      ""),
                 "Put \"Stool\" on");
}

/* Trees on a hill, in its box, of which no surface is known. */
static facts_world hill(void)
{
    facts_world w = facts_world_new();
    const int hill = facts_world_add(&w, "Hill", 0, 0, 9, 9, 3, "green", -1);
    w.things[hill].is_static = true;
    w.things[hill].sunk = 2.8;
    facts_world_add(&w, "Birch", -1, 0, 0.4, 0.4, 1, "green", hill);
    facts_world_add(&w, "Oak", 1, 0, 0.4, 0.4, 1, "green", hill);
    facts_world_add(&w, "Elm", 0, 3, 0.4, 0.4, 1, "green", hill);
    for (uint32_t i = 0; i < w.count; i++)
        w.things[i].no_top = true;
    return w;
}

/* As files have it, one hovers over the hill by a hand's breadth: its place is
 * the hill's. */
static void what_hovers_on_a_hill_makes_way_and_leaves_its_place(void **state)
{
    (void)state;
    facts_world w = hill();
    w.things[facts_world_find(&w, "Oak")].hover = 0.03;
    assert_tactic(&w, TASK("Swap the birch and the oak", ""),
                  "free its place.");
    assert_first(&w, TASK("Put the birch where the oak is", ""),
                 "Move \"Oak\" to");
    w.things[facts_world_find(&w, "Birch")].hover = 0.03;
    assert_first(&w, TASK("Put the elm between the birch and the oak", ""),
                 "Put \"Elm\" on \"Hill\" at (0.0000, 0.0000");
    /* some cut into it, and are as fixed as that */
    w.things[facts_world_find(&w, "Birch")].is_static = true;
    assert_first(&w, TASK("Put the elm between the birch and the oak", ""),
                 "Put \"Elm\" on \"Hill\" at (0.0000, 0.0000");
}

/* As they lie they would find no room on the sofa; turned square both do, if
 * the first keeps to one end. */
static void what_is_turned_square_leaves_room_for_the_rest(void **state)
{
    (void)state;
    const double askew = 40;
    facts_world w;
    etna_arena arena = ETNA_ARENA_INIT;
    int floor = ground(&w);
    const int sofa =
        facts_world_add(&w, "Sofa", 0, 0, 2.0, 0.8, 0.4, "white", floor);
    w.things[sofa].no_top = true;
    facts_world_add(&w, "Cushion C", -0.5, 0, 0.42, 0.42, 0.12, "blue", sofa);
    for (int i = 0; i < 2; i++) {
        const int one = facts_world_add(&w, i == 0 ? "Cushion A" : "Cushion B",
                                        2, i, 0.42, 0.42, 0.12, "red", floor);
        w.things[one].yaw_deg = askew;
    }
    const char *text = read_world_instruction(
        read_world_answer(&w, TASK("Put all the cushions on the sofa", ""),
                          &arena),
        &arena);
    const char *at = strstr(text, "on \\\"Sofa\\\" at (");
    if (!at)
        fail_msg("%s", text);
    assert_true(fabs(strtod(strchr(at, '(') + 1, NULL)) > 0.2);
    etna_arena_free(&arena);
}

/* Neither bears the other, so nothing makes way for them. */
static void what_has_no_room_side_by_side_is_refused_at_once(void **state)
{
    (void)state;
    facts_world w;
    etna_arena arena = ETNA_ARENA_INIT;
    int floor = ground(&w);
    const int stool =
        facts_world_add(&w, "Stool", 0, 0, 0.34, 0.34, 0.5, "brown", floor);
    facts_world_add(&w, "Lemon", 0, 0, 0.06, 0.06, 0.06, "yellow", stool);
    facts_world_add(&w, "Bust", 2, 0, 0.28, 0.24, 0.44, "white", floor);
    facts_world_add(&w, "Urn", 2, 1, 0.3, 0.3, 0.4, "blue", floor);
    const char *text = read_world_answer(
        &w, TASK("Put the bust and the urn on the stool", ""), &arena);
    if (!strstr(text, "is too small for these 2 things"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Three towels of one size: a pile has room wherever one of them has. */
static void what_lies_one_on_another_needs_room_for_one(void **state)
{
    (void)state;
    facts_world w;
    int floor = ground(&w);
    facts_world_add(&w, "Towel Red", 0, 0, 0.3, 0.25, 0.06, "red", floor);
    facts_world_add(&w, "Towel Blue", 1, 0, 0.3, 0.25, 0.06, "blue", floor);
    facts_world_add(&w, "Towel Grey", 2, 0, 0.31, 0.26, 0.06, "grey", floor);
    assert_tactic(
        &w, TASK("Put the blue towel and the grey towel on the red towel", ""),
        "go.");
}

static void what_comes_into_a_full_basket_lies_on_the_topmost(void **state)
{
    (void)state;
    facts_world w;
    etna_arena arena = ETNA_ARENA_INIT;
    int floor = ground(&w);
    const int basket =
        facts_world_add(&w, "Basket", 0, 0, 0.3, 0.3, 0.4, "blue", floor);
    w.things[basket].sunk = 0.38;
    const int shirt =
        facts_world_add(&w, "Shirt", 0, 0, 0.26, 0.26, 0.03, "red", basket);
    facts_world_add(&w, "Cap", 0, 0, 0.24, 0.24, 0.02, "red", shirt);
    facts_world_add(&w, "Sock", 2, 1, 0.24, 0.24, 0.02, "grey", floor);
    const char *text = read_world_instruction(
        read_world_answer(&w, TASK("Put the sock in the basket", ""), &arena),
        &arena);
    if (strncmp(text, "\"Put \\\"Sock\\\" on \\\"Cap\\\"", 24) != 0)
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* A cup hardly wider than the milk, a wide tub, and a low dish. */
static facts_world vessels(void)
{
    facts_world w;
    int floor = ground(&w);
    w.things[facts_world_add(&w, "Cup", 0, 0, 0.12, 0.08, 0.1, "red", floor)]
        .no_top = true;
    w.things[facts_world_add(&w, "Tub", 1, 0, 0.6, 0.6, 0.3, "blue", floor)]
        .no_top = true;
    facts_world_add(&w, "Dish", 2, 0, 0.3, 0.3, 0.04, "white", floor);
    facts_world_add(&w, "Milk", -1, 0, 0.08, 0.08, 0.2, "white", floor);
    return w;
}

/* The answer to the goal after its first plan, and `more` rows like that,
 * failed. */
static const char *answer_after_failures(const facts_world *w,
                                         const char *goal,
                                         int more,
                                         etna_arena *arena)
{
    const char *rows = "", *answer = NULL;
    for (int i = 0; i <= more + 1; i++) {
        const char *task = etna_arena_printf(
            arena,
            "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9,\"failed_here\":[%s]}",
            goal, rows);
        answer = read_world_answer(w, task, arena);
        rows = etna_arena_printf(
            arena,
            "%s%s{\"node\":%d,\"branch\":0,\"reason\":\"rejected\",\"instruction\":%s}",
            rows, i ? "," : "", i + 1, read_world_instruction(answer, arena));
    }
    return answer;
}

/* A lamp hangs over the place, lower than what is to stand there is high: the
 * lamp does not come down to the floor for that. */
static void what_hangs_from_the_ceiling_makes_no_way(void **state)
{
    (void)state;
    facts_world w;
    etna_arena arena = ETNA_ARENA_INIT;
    int floor = ground(&w);
    const int crate =
        facts_world_add(&w, "Crate", -2, 1, 0.6, 0.6, 0.5, "brown", floor);
    w.things[crate].has_moved = true;
    w.things[crate].start[0] = w.things[crate].start[1] = 0;
    w.things[crate].start_on = floor;
    const int lamp =
        facts_world_add(&w, "Chandelier", 0, 0, 0.5, 0.5, 0.5, "white", floor);
    w.things[lamp].hover = 1.5;
    facts_world_add(&w, "Fridge", 2, 0, 0.7, 0.7, 1.8, "white", floor);
    for (int failed = 0; failed < 6; failed++) {
        const char *text = answer_after_failures(
            &w, "Put the fridge where the crate was", failed, &arena);
        if (strstr(text, "Put \"Chandelier\"") ||
            strstr(text, "Move \"Chandelier\""))
            fail_msg("%s", text);
    }
    etna_arena_free(&arena);
}

/* A bench that would strike a stool when it is turned: first turned as said and
 * near by, then a little less or more, and when all of that has failed the
 * stool leaves. A wall does not. */
static void what_has_no_room_to_turn_tilts_and_then_gets_some(void **state)
{
    (void)state;
    static const char *const goal = "Rotate the bench by a quarter turn";
    static const struct {
        const char *stands_there;
        bool is_static;
    } rows[] = {{"Stool", false}, {"Wall", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w;
        const int floor = ground(&w);
        facts_world_add(&w, "Bench", 0, 0, 1.4, 0.4, 0.4, "brown", floor);
        const int other = facts_world_add(&w, rows[i].stands_there, 0, 0.45,
                                          0.4, 0.2, 0.4, "red", floor);
        w.things[other].is_static = rows[i].is_static;
        bool tilts = false, clears = false;
        for (int failed = 0; failed < 14 && !clears; failed++) {
            const char *answer =
                answer_after_failures(&w, goal, failed, &arena);
            tilts = tilts || strstr(answer, "turned to 94.0");
            clears = strstr(answer, "clear its turn") != NULL;
        }
        assert_true(tilts);
        assert_int_equal(clears, !rows[i].is_static);
        etna_arena_free(&arena);
    }
}

static void what_did_not_go_into_a_tight_vessel_is_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    const facts_world w = vessels();
    const char *text =
        read_world_answer(&w, TASK("Put the milk in the cup", ""), &arena);
    if (!strstr(text, "Put \"Milk\" in \"Cup\" at"))
        fail_msg("%s", text);
    text = answer_after_failures(&w, "Put the milk in the cup", 0, &arena);
    if (!strstr(text, "Milk does not go into Cup: it takes 8.0 by 8.0 cm"))
        fail_msg("%s", text);
    text = answer_after_failures(&w, "Put the milk in the tub", 0,
                                 /* there is more room than in one place */
                                 &arena);
    if (!strstr(text, "Put \"Milk\" in \"Tub\" at"))
        fail_msg("%s", text);
    text = answer_after_failures(&w, "Put the milk in the tub", 1, &arena);
    if (!strstr(text, "Put \"Milk\" in \"Tub\" at"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* What rests on the rim is not in it; a dish's floor is as good as its rim. */
static void the_evaluator_asks_whether_it_went_in(void **state)
{
    (void)state;
    static const struct {
        const char *vessel, *said, *verdict;
    } asked[] = {{"Cup", "Put 'Milk' in 'Cup' at (0, 0, 0.13) within 0.05 m.",
                  "verdict: bad"},
                 {"Cup", "Put 'Milk' on 'Cup' at (0, 0, 0.13) within 0.05 m.",
                  "verdict: excellent"},
                 {"Dish", "Put 'Milk' in 'Dish' at (2, 0, 0.07) within 0.05 m.",
                  "verdict: excellent"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = vessels();
        w.moved = facts_world_find(&w, "Milk");
        w.moved_m = 1;
        w.things[w.moved].on = facts_world_find(&w, asked[i].vessel);
        w.things[w.moved].x = w.things[w.things[w.moved].on].x;
        const char *task = etna_arena_printf(&arena, "{\"instruction\":\"%s\"}",
                                             asked[i].said);
        const char *text = read_world_verdict(&w, task, &arena);
        if (!strstr(text, asked[i].verdict))
            fail_msg("%s is judged\n%s", asked[i].said, text);
        etna_arena_free(&arena);
    }
}

/* The solver lets down on the rug what is to stand on the floor: that is as
 * good. On a stool it is not. */
static void the_evaluator_takes_a_rug_for_the_floor(void **state)
{
    (void)state;
    static const struct {
        double height;
        const char *verdict;
    } rows[] = {{0.02, "verdict: excellent"}, {0.4, "verdict: bad"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w;
        int floor = ground(&w);
        int rug = facts_world_add(&w, "Rug", 1, 0, 1.2, 0.8, rows[i].height,
                                  "red", floor);
        w.moved =
            facts_world_add(&w, "Box", 1, 0, 0.3, 0.3, 0.2, "yellow", rug);
        w.moved_m = 1;
        const char *text = read_world_verdict(
            &w,
            "{\"instruction\":\"Put 'Box' on 'Floor' at (1, 0, 0.03) within 0.05 m.\"}",
            &arena);
        if (!strstr(text, rows[i].verdict))
            fail_msg("%s", text);
        etna_arena_free(&arena);
    }
}

/* The table came to where a chair stands, and failed there: the chair leaves
 * before anything else is done again. */
static void what_stopped_a_later_edit_leaves_first(void **state)
{
    (void)state;
    static const char goal[] =
        "Put the cup on the dish and move the table 60 cm to the left";
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w;
    int floor = ground(&w);
    facts_world_add(&w, "Table", 0.5, 0, 0.8, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "Chair", -0.25, 0, 0.4, 0.4, 0.8, "blue", floor);
    facts_world_add(&w, "Dish", 1.8, 0, 0.3, 0.3, 0.04, "white", floor);
    facts_world_add(&w, "Cup", 1.8, 1, 0.08, 0.08, 0.1, "red", floor);
    const char *task = etna_arena_printf(
        &arena, "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9}", goal);
    const char *text = read_world_answer(&w, task, &arena);
    if (!strstr(text, "Put \"Cup\" on \"Dish\""))
        fail_msg("%s", text);
    task = etna_arena_printf(
        &arena,
        "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9,\"given_up_here\":[{\"node\":1,\"object\":\"Cup\","
        "\"plane\":\"Dish_up\",\"position\":[1.8,0,0.1],\"yaw_deg\":0,\"later\":{\"step\":2,\"reason\":\"it collides\"},"
        "\"instruction\":%s}]}",
        goal, read_world_instruction(text, &arena));
    text = read_world_answer(&w, task, &arena);
    if (!strstr(text, "Put \"Chair\" on") || !strstr(text, "clear its place"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Nothing leaves a table for a wardrobe that no table bears; a cloth may hang
 * down, and a hat be wider than its stand. */
static void what_is_far_too_large_is_refused_before_anything_moves(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = laid(0.3);
    int floor = facts_world_find(&w, "Floor"),
        wardrobe =
            facts_world_add(&w, "Wardrobe", -2, 0, 2.0, 1.2, 2, "white", floor);
    facts_world_add(&w, "Stand", 2, 1, 0.1, 0.1, 0.5, "black", floor);
    facts_world_add(&w, "Hat", 2, -1, 0.4, 0.4, 0.1, "yellow", floor);
    w.things[facts_world_find(&w, "Table")].size[0] = 1.1;
    const char *text = read_world_answer(
        &w, TASK("Put the wardrobe on the table", ""), &arena);
    if (!strstr(text, "Wardrobe is too large for Table, by 20 cm and 90 cm"))
        fail_msg("%s", text);
    if (!strstr(text, "Choose something larger for it"))
        fail_msg("%s", text);
    w.things[wardrobe].name = "Blanket";
    w.things[wardrobe].size[2] = 0.02;
    text =
        read_world_answer(&w, TASK("Put the blanket on the table", ""), &arena);
    if (strstr(text, "too large"))
        fail_msg("%s", text);
    text = read_world_answer(&w, TASK("Put the hat on the stand", ""), &arena);
    if (strstr(text, "too large"))
        fail_msg("%s", text);
    text = read_world_answer(&w, TASK("Put the hat in the cup", ""), &arena);
    if (!strstr(text, "Hat is too large for Cup, by 30 cm"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Two metres farther is no floor. */
static void what_is_shifted_over_its_floors_end_is_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    const facts_world w = laid(0.3);
    const char *text = read_world_answer(
        &w, TASK("Move the box 1 metre to the right", ""), &arena);
    if (!strstr(text, "Tactic: go."))
        fail_msg("%s", text);
    text = read_world_answer(&w, TASK("Move the box 2 metres to the right", ""),
                             &arena);
    if (!strstr(text,
                "Box cannot be moved so far: Floor ends before that place."))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* A sink between two counters, a kettle at the far end of the right one, and a
 * table before them with a mug; a bin and a plant stand apart. */
static facts_world counters(void)
{
    facts_world w;
    int floor = ground(&w);
    int right =
        facts_world_add(&w, "Counter R", 0.8, 1, 1, 0.6, 0.9, "white", floor);
    facts_world_add(&w, "Counter L", -0.8, 1, 1, 0.6, 0.9, "white", floor);
    const int sink =
        facts_world_add(&w, "Sink", 0, 1, 0.6, 0.6, 0.9, "grey", floor);
    w.things[sink].no_top = true;
    facts_world_add(&w, "Kettle", 1.1, 1, 0.2, 0.2, 0.3, "black", right);
    const int table =
        facts_world_add(&w, "Table", 0, -1, 1.2, 0.8, 0.75, "brown", floor);
    facts_world_add(&w, "Mug", 0.3, -1, 0.1, 0.1, 0.1, "red", table);
    facts_world_add(&w, "Fern Plant", -0.3, -1, 0.2, 0.2, 0.3, "green", table);
    facts_world_add(&w, "Bin", -2.5, -1, 0.3, 0.3, 0.7, "grey", floor);
    facts_world_add(&w, "Piano", -2.4, 1.4, 0.6, 0.6, 1.2, "black", floor);
    return w;
}

static void assert_stands_on(const char *goal, const char *base)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const facts_world w = counters();
    const char *task = etna_arena_printf(
        &arena, "{\"goal\":\"%s\",\"step\":1,\"maximum_steps\":9}", goal);
    const char *answer = read_world_answer(&w, task, &arena),
               *text = read_world_instruction(answer, &arena);
    const char *on = etna_arena_printf(&arena, "\\\" on \\\"%s\\\" at", base);
    if (!strstr(text, on))
        fail_msg("\"%s\" does not end on %s:\n%s", goal, base, answer);
    etna_arena_free(&arena);
}

static void what_stands_at_a_height_keeps_one(void **state)
{
    (void)state;
    assert_stands_on("The kettle should stand next to the sink", "Counter R");
    assert_stands_on("Put the kettle to the left of the sink", "Counter L");
    assert_stands_on("Put the mug beside the sink", "Counter R");
    assert_stands_on("Put the fern next to the sink", "Counter L");
    assert_stands_on("Put the mug on the floor next to the sink", "Floor");
    /* what lives on floors stays there, or goes down where nothing else is */
    assert_stands_on("Put the bin next to the sink", "Floor");
    assert_stands_on("Put the bin and the mug next to the sink", "Floor");
    assert_stands_on("Put the fern next to the piano", "Floor");
}

static void what_would_have_to_come_down_is_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    const facts_world w = counters();
    const char *text = read_world_answer(
        &w, TASK("Put the mug next to the piano", ""), &arena);
    if (!strstr(text, "nothing next to Piano for Mug to stand on but Floor"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* "The blue one" is a bottle by what is passed over. */
static void what_is_passed_over_still_tells_what_the_rest_means(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    const char *task =
        "{\"goal\":\"Put the red bottle on the desk, the blue one on the "
        "table\",\"left_out\":[{\"span\":[0,30],\"why\":\"it is gone\"}]}";
    const char *answer = read_world_answer(&w, task, &arena);
    assert_non_null(strstr(answer, "Put \"Bottle.002\" on \"Table_01\""));
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tactic_speaks_where_it_is_needed),
        cmocka_unit_test(what_a_thing_is_to_be_beside_moves_over_for_it),
        cmocka_unit_test(what_only_had_to_make_way_goes_back_where_it_can),
        cmocka_unit_test(what_made_way_does_not_go_back_beneath),
        cmocka_unit_test(what_is_served_moves_over_and_does_not_leave),
        cmocka_unit_test(no_edit_is_made_twice),
        cmocka_unit_test(what_failed_here_is_not_planned_again),
        cmocka_unit_test(what_has_no_room_to_turn_tilts_and_then_gets_some),
        cmocka_unit_test(what_was_given_up_is_not_planned_again),
        cmocka_unit_test(the_place_that_moves_the_fewest_is_taken),
        cmocka_unit_test(what_is_to_stand_beside_it_makes_way_first),
        cmocka_unit_test(what_hangs_from_the_ceiling_makes_no_way),
        cmocka_unit_test(what_it_is_to_stand_between_moves_apart),
        cmocka_unit_test(what_stands_between_two_goes_only_so_far),
        cmocka_unit_test(furniture_parts_only_for_what_is_as_heavy),
        cmocka_unit_test(what_hovers_on_a_hill_makes_way_and_leaves_its_place),
        cmocka_unit_test(what_is_too_long_across_goes_along),
        cmocka_unit_test(what_comes_onto_it_comes_before_it_is_tucked_in),
        cmocka_unit_test(what_is_turned_square_leaves_room_for_the_rest),
        cmocka_unit_test(what_comes_into_a_full_basket_lies_on_the_topmost),
        cmocka_unit_test(what_stands_at_a_height_keeps_one),
        cmocka_unit_test(what_would_have_to_come_down_is_refused),
        cmocka_unit_test(what_has_no_room_side_by_side_is_refused_at_once),
        cmocka_unit_test(what_lies_one_on_another_needs_room_for_one),
        cmocka_unit_test(what_did_not_go_into_a_tight_vessel_is_refused),
        cmocka_unit_test(
            what_is_far_too_large_is_refused_before_anything_moves),
        cmocka_unit_test(what_is_shifted_over_its_floors_end_is_refused),
        cmocka_unit_test(the_evaluator_asks_whether_it_went_in),
        cmocka_unit_test(the_evaluator_takes_a_rug_for_the_floor),
        cmocka_unit_test(what_stopped_a_later_edit_leaves_first),
        cmocka_unit_test(what_is_passed_over_still_tells_what_the_rest_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
