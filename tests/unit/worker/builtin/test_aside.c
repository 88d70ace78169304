/* What the planner puts aside, and where: what stands in the way, and what is
 * cleared. */
#include "plans.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

/* A seat may be too round for what its box has room for: the next best thing is
 * said with it. */
static void where_a_thing_is_put_aside_another_is_named_besides(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int bed = facts_world_add(&w, "Bed", -0.3, 0, 1.0, 1.6, 0.5, "blue", floor);
    facts_world_add(&w, "Chair", 0.6, 0, 0.45, 0.45, 0.45, "brown", floor);
    facts_world_add(&w, "Armchair", 0.6, 1.2, 0.7, 0.7, 0.45, "brown", floor);
    facts_world_add(&w, "Towel", -0.1, 0, 0.4, 0.3, 0.04, "white", bed);
    assert_says(&w, "Clear the bed", "Put \"Towel\" on \"Chair\"");
    assert_says(&w, "Clear the bed", "\nor on \"Armchair\" at");
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
    static const char *const seats[] = {"Seat_5", "Pouf"};
    for (int i = 0; i < 2; i++) {
        facts_thing *seat =
            &w.things[facts_world_find(&w, i ? seats[0] : "Chair")];
        seat->name = seats[i];
        seat->size[0] = seat->size[1] = 0.5;
        assert_says(&w, "Clear the table", "Put \"Mug\" on \"Counter\"");
    }
}

/* A locker's top is above all eyes, and a ring has no top to speak of. */
static void what_is_cleared_goes_to_the_floor_before_the_top_of_a_locker(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int bench =
        facts_world_add(&w, "Bench", 0, 0, 1.6, 0.4, 0.45, "brown", floor);
    facts_world_add(&w, "Locker", 0, 0.6, 0.8, 0.5, 2, "blue", floor);
    facts_world_add(&w, "Hairbrush", 0, 0, 0.2, 0.1, 0.04, "red", bench);
    assert_says(&w, "Clear the bench", "Put \"Hairbrush\" on \"Floor\"");
    const int ring =
        facts_world_add(&w, "Ring", 0, -0.8, 0.7, 0.7, 0.2, "white", floor);
    w.things[ring].no_top = true;
    w.things[ring].ledge = 0.14;
    assert_says(&w, "Clear the bench", "Put \"Hairbrush\" on \"Floor\"");
    /* a step that things stand on is no furniture either */
    facts_world_add(&w, "Podium", 0.9, 0, 0.8, 0.8, 0.18, "white", floor);
    assert_says(&w, "Clear the bench", "Put \"Hairbrush\" on \"Floor\"");
    facts_world_add(&w, "Table Lamp", -1, 0, 0.4, 0.4, 0.5, "white", floor);
    assert_says(&w, "Clear the bench", "Put \"Hairbrush\" on \"Floor\"");
    facts_world_add(&w, "Side Table", 1.6, -0.8, 0.5, 0.5, 0.5, "brown", floor);
    assert_says(&w, "Clear the bench", "Put \"Hairbrush\" on \"Side Table\"");
}

/* A basket or a drill may stand on the floor beside a wardrobe, and a jewel box
 * that came from a dresser does not. */
static void a_small_box_does_not_come_down_to_the_floor(void **state)
{
    (void)state;
    static const struct {
        const char *name, *goal, *says;
        double size;
    } things[] = {{"Jewel Box", "Put the jewel box next to the wardrobe",
                   "for Jewel Box to stand on but Floor", 0.12},
                  {"Basket", "Put the basket next to the wardrobe",
                   "Put \"Basket\" on \"Floor\"", 0.35},
                  {"Drill", "Put the drill next to the wardrobe",
                   "Put \"Drill\" on \"Floor\"", 0.12}};
    for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
        facts_world w = walled_room();
        const double size = things[i].size;
        const int floor = facts_world_find(&w, "Floor");
        facts_world_add(&w, "Wardrobe", -2.7, 0, 0.6, 1.0, 2.0, "brown", floor);
        const int dresser = facts_world_add(&w, "Dresser", 2.7, 0, 0.5, 1.6,
                                            0.8, "white", floor);
        facts_world_add(&w, things[i].name, 2.7, 0, size, size, size, "red",
                        dresser);
        assert_says(&w, things[i].goal, things[i].says);
    }
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

/* What stands on a table cannot stay where it is when the table goes; a tray is
 * drawn from under it. */
static void what_is_told_to_stay_does_not_stay_in_the_air(void **state)
{
    (void)state;
    facts_world w = jug_and_bowl();
    assert_says(&w, "Move the table next to the bench but leave the jug",
                "Jug is to stay where it is, and stands on Table");
    assert_says(&w,
                "Move the table next to the bench but leave the jug where it "
                "is",
                "Jug is to stay where it is, and stands on Table");
    w.things[facts_world_find(&w, "Table")].size[2] = 0.03;
    assert_says(&w, "Move the table next to the bench but leave the jug",
                "Tactic: shed its load");
}

/* A real file's jug hovers four centimetres over its table: it stays on it when
 * it goes along. */
static void what_hovers_over_it_stays_on_it_when_it_goes_along(void **state)
{
    (void)state;
    facts_world w = jug_and_bowl();
    const char *const both[] = {"Table", "Jug"};
    const int floor = facts_world_find(&w, "Floor");
    w.things[facts_world_find(&w, "Jug")].hover = 0.04;
    for (int i = 0; i < 2; i++) {
        facts_thing *o = &w.things[facts_world_find(&w, both[i])];
        o->has_moved = true;
        o->start[0] = o->x - 0.5;
        o->start[1] = o->y;
        o->start_on = i == 0 ? floor : facts_world_find(&w, "Table");
    }
    assert_says(&w,
                "Move the table half a metre to the right, the jug stays on it",
                "<finished>");
}

/* Of two jugs the one on what goes along is the one that stays on it. */
static void of_two_the_one_on_what_goes_stays_on_it(void **state)
{
    (void)state;
    facts_world w = jug_and_bowl();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Jug.001", 2, 1.4, 0.1, 0.1, 0.2, "white", floor);
    assert_says(&w,
                "Move the table half a metre to the right, the jug stays on it",
                "Put \"Table\" on \"Floor\"");
}

/* What lies in a crate stays in it, and not where the crate was. */
static void what_stays_inside_goes_along(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", -0.5, 0, 1, 0.7, 0.7, "brown", floor);
    int crate =
        facts_world_add(&w, "Crate", 1, 0, 0.4, 0.3, 0.2, "brown", floor);
    w.things[crate].sunk = 0.18;
    facts_world_add(&w, "Orange", 1, 0, 0.08, 0.08, 0.08, "orange", crate);
    assert_says(&w, "Put the crate on the table. The orange stays inside!",
                "Put \"Crate\" on \"Table\"");
    assert_says(&w, "Put the crate on the table. The orange stays.",
                "Orange is to stay where it is");
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
        cmocka_unit_test(
            a_place_in_a_vessel_that_was_rejected_is_one_of_several),
        cmocka_unit_test(
            what_stands_where_a_thing_is_shifted_to_leaves_once_that_failed),
        cmocka_unit_test(a_bowl_is_put_aside_on_the_ground_before_a_hat),
        cmocka_unit_test(what_leans_is_put_aside_as_what_stands),
        cmocka_unit_test(where_a_thing_is_put_aside_another_is_named_besides),
        cmocka_unit_test(a_tray_is_put_aside_on_a_chair_before_the_floor),
        cmocka_unit_test(what_is_far_larger_makes_no_way),
        cmocka_unit_test(a_small_box_does_not_come_down_to_the_floor),
        cmocka_unit_test(a_cleared_mug_goes_past_a_chair_to_a_counter),
        cmocka_unit_test(
            what_is_cleared_goes_to_the_floor_before_the_top_of_a_locker),
        cmocka_unit_test(what_is_told_to_stay_makes_no_way),
        cmocka_unit_test(what_is_told_to_stay_does_not_stay_in_the_air),
        cmocka_unit_test(what_hovers_over_it_stays_on_it_when_it_goes_along),
        cmocka_unit_test(of_two_the_one_on_what_goes_stays_on_it),
        cmocka_unit_test(what_stays_inside_goes_along),
        cmocka_unit_test(what_is_moved_and_left_there_moves),
        cmocka_unit_test(
            what_an_instruction_tells_to_stay_makes_no_way_for_the_next),
        cmocka_unit_test(several_on_a_table_are_not_yet_on_the_floor),
        cmocka_unit_test(a_cleared_thing_goes_past_a_sofa_to_a_sideboard),
        cmocka_unit_test(what_is_lifted_off_a_thing_does_not_stay_there),
        cmocka_unit_test(
            what_stands_on_the_same_thing_moves_over_before_it_leaves),
        cmocka_unit_test(
            what_fails_again_for_the_same_reason_is_not_tried_a_third_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
