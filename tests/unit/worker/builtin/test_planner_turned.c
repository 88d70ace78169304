/* How the planner turns things where it puts them. */
#include "plans.h"
#include "worker/builtin/roles.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* An uneven floor touches a table at one leg only: by support alone it would
 * be attached, as a picture is. */
static void a_table_that_stands_askew_is_not_hung_on_a_wall(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    const int table = facts_world_add(&w, "Coffee Table", 0, 0, 0.9, 0.5, 0.44,
                                      "white", floor);
    w.things[table].leans = true;
    assert_says(&w, "Push the coffee table against a wall",
                "Put \"Coffee Table\" on \"Floor\"");
}

/* In a room of one mesh it touches the wall that its floor is one with; a pole is
 * as thin as a picture, in both ways. */
static void a_floor_lamp_by_the_wall_is_not_hung_on_it(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Desk", 0, 1.8, 1.4, 0.6, 0.75, "white", floor);
    const int lamp = facts_world_add(&w, "Floor Lamp", -1.5, 1.9, 0.2, 0.2, 1.6,
                                     "black", floor);
    for (int leans = 0; leans < 2; leans++) {
        w.things[lamp].leans = leans;
        assert_says(&w, "Put the floor lamp beside the desk",
                    "Put \"Floor Lamp\" on \"Floor\"");
    }
}

/* Who sits on the bench has legs, and who looks at them sits farther off. */
static void a_chair_before_a_bench_leaves_room_for_legs(void **state)
{
    (void)state;
    static const struct {
        const char *goal;
        double least, most; /* metres */
    } rows[] = {
        {"Put the lounge chair in front of the bench", 0.4, 1},
        {"Put the lounge chair in front of the bench, facing it", 1.1, 1.6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        facts_world w = walled_room();
        const int floor = facts_world_find(&w, "Floor");
        facts_world_add(&w, "Bench", 0, 2.2, 1.6, 0.45, 0.45, "brown", floor);
        const int chair = facts_world_add(&w, "Lounge Chair", -2, -1.5, 0.7,
                                          0.7, 0.8, "black", floor);
        etna_arena arena = ETNA_ARENA_INIT;
        const char *text = plan_with_front(&w, rows[i].goal, chair, &arena);
        double x = 0, y = 0;
        const char *at = strstr(text, "Put \"Lounge Chair\" on \"Floor\" at (");
        if (!at || sscanf(strchr(at, '('), "(%lf, %lf", &x, &y) != 2)
            fail_msg("%s", text);
        const double gap = 2.2 - 0.225 - 0.35 - y;
        if (gap < rows[i].least || gap > rows[i].most)
            fail_msg("%.3f m: %s", gap, text);
        etna_arena_free(&arena);
    }
}

/* Two at a small table sit at two of its sides. */
static void a_seat_comes_to_another_side_than_who_sits_there(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 0.8, 0.8, 0.7, "brown", floor);
    facts_world_add(&w, "Chair 1", -0.65, 0.2, 0.4, 0.4, 0.8, "red", floor);
    facts_world_add(&w, "Chair 2", -1.6, -0.6, 0.4, 0.4, 0.8, "blue", floor);
    const int chair = facts_world_find(&w, "Chair 2");
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text =
        plan_with_front(&w, "Put chair 2 at the table", chair, &arena);
    double x = 0, y = 0;
    const char *at = strstr(text, "Put \"Chair 2\" on \"Floor\" at (");
    if (!at || sscanf(strchr(at, '('), "(%lf, %lf", &x, &y) != 2)
        fail_msg("%s", text);
    if (hypot(x + 0.65, y - 0.2) < 0.7)
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Square to the piano it is askew to the room, and the other way round. */
static void what_has_no_room_is_not_turned_for_ever(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int piano =
        facts_world_add(&w, "Piano", -1, 1.8, 1.4, 0.6, 1.2, "black", floor);
    facts_world_add(&w, "Piano Stool", 2.5, 2.1, 0.6, 0.35, 0.5, "black",
                    floor);
    int stage =
        facts_world_add(&w, "Stage", 0, -0.4, 6, 4.2, 1.9, "grey", floor);
    w.things[floor].is_static = true;
    w.things[stage].is_static = true;
    w.things[piano].yaw_deg = 20;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan_with_front(
        &w, "Put the piano stool in front of the piano", piano, &arena);
    if (!strstr(text, "no free place"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
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

/* Beside the sideboard is room for the bookcase's side and not for its back:
 * what stands there moves over, and the bookcase does not turn. */
static void what_goes_to_a_wall_has_its_back_to_it(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Sideboard", -0.6, 2.25, 1.6, 0.45, 0.8, "brown",
                    floor);
    facts_world_add(&w, "Whiteboard", 1.6, 2.2, 1.25, 0.55, 1.3, "white",
                    floor);
    const int bookcase = facts_world_add(&w, "Bookcase", -2.4, 2.3, 0.92, 0.37,
                                         1.4, "brown", floor);
    const char *text = plan_with_front(
        &w,
        "Put the bookcase to the right of the sideboard, against the back "
        "wall",
        bookcase, &arena);
    if (!strstr(text, "Put \"Whiteboard\" on"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Beside each other at the table, and not one behind the other; counters that
 * are to touch stand in one line. */
static void what_looks_at_one_thing_stands_abreast(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Table", 0, 0.6, 1.6, 0.7, 0.7, "brown", floor);
    facts_world_add(&w, "Chair A", -0.3, -0.1, 0.5, 0.5, 0.8, "red", floor);
    const int other =
        facts_world_add(&w, "Chair B", 0, -1.8, 0.5, 0.5, 0.8, "red", floor);
    double at[2];
    const char *text = plan_with_front(
        &w, "Put chair b next to chair a, facing the table", other, &arena);
    const char *said = strstr(text, "on \"Floor\" at (");
    if (!said)
        fail_msg("%s", text);
    assert_int_equal(sscanf(strchr(said, '('), "(%lf, %lf", &at[0], &at[1]), 2);
    if (!(fabs(at[1] + 0.1) < 0.1))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Squarely off its wall, and not askew to the middle of the floor. */
static void what_looks_at_the_room_from_its_wall_does_so_squarely(void **state)
{
    (void)state;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    facts_world_add(&w, "Chest", -1.6, 2.2, 1.2, 0.5, 0.6, "brown", floor);
    const int chair =
        facts_world_add(&w, "Chair", 1.5, -1, 0.5, 0.5, 0.8, "red", floor);
    w.things[chair].yaw_deg = 120;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan_with_front(
        &w, "Put the chair to the right of the chest, facing the room", chair,
        &arena);
    if (!strstr(text, "turned to 0.0 degrees"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* Its long side along the wall, and not its front out into the room. */
static void what_is_far_longer_than_broad_goes_along_a_wall(void **state)
{
    (void)state;
    static const char *const said = "Put the bicycle against the left wall";
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = walled_room();
    const int floor = facts_world_find(&w, "Floor");
    const int bike =
        facts_world_add(&w, "Bicycle", 1, 0, 0.4, 1.5, 0.8, "red", floor);
    const char *text = plan_with_front(&w, said, bike, &arena);
    if (!strstr(text, "Put \"Bicycle\" on \"Floor\" at (-2.8") ||
        strstr(text, "turned to 90") || strstr(text, "turned to 270"))
        fail_msg("%s", text);
    w.things[bike].size[0] = 1.5;
    w.things[bike].size[1] = 0.4;
    text = plan_with_front(&w, said, bike, &arena);
    if (!strstr(text, "turned to 90") && !strstr(text, "turned to 270"))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

static void what_would_stick_out_under_a_bench_goes_along_it(void **state)
{
    (void)state;
    facts_world w = playroom();
    const int floor = facts_world_find(&w, "Floor");
    const int bench =
        facts_world_add(&w, "Bench", -1, -1, 1.4, 0.4, 0.5, "brown", floor);
    w.things[bench].legs = 0.45;
    facts_world_add(&w, "Skateboard", 1.2, -0.8, 0.2, 0.8, 0.1, "red", floor);
    assert_says(&w, "Put the skateboard under the bench", "turned to 90.0");
}

/* Over the edge of the seat it would fall. */
static void what_would_stick_out_over_a_seat_lies_along_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int sofa =
        facts_world_add(&w, "Sofa", 0, 1, 1.8, 0.7, 0.45, "blue", floor);
    w.things[sofa].no_top = true; /* soft */
    facts_world_add(&w, "Plank", -1.5, -1, 0.14, 0.9, 0.03, "brown", floor);
    assert_says(&w, "Put the plank on the sofa", "turned to ");
}

/* Askew it would lie on the arms, and so it does where they are too near. */
static void a_cushion_is_turned_to_lie_between_a_chair_s_arms(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int chair =
        facts_world_add(&w, "Armchair", 0, 1, 0.6, 0.6, 0.65, "blue", floor);
    w.things[chair].sunk = 0.2;
    const int cushion =
        facts_world_add(&w, "Cushion", -1.5, -1, 0.41, 0.41, 0.1, "red", floor);
    w.things[cushion].yaw_deg = 40;
    assert_says(&w, "Put the cushion on the armchair", "turned to ");
    w.things[chair].sunk = 0;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan(&w, "Put the cushion on the armchair", &arena);
    if (strstr(text, "turned to "))
        fail_msg("%s", text);
    etna_arena_free(&arena);
}

/* A desk chair that is pushed right up to its desk goes straight on, though the
 * desk hides it there; one that comes from elsewhere is turned to the desk. */
static void what_is_pushed_against_a_desk_goes_straight_on(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4.2, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Desk", -1.3, 0.2, 1.8, 0.7, 0.75, "brown", floor);
    int chair =
        facts_world_add(&w, "Chair", -1.3, 1.02, 0.54, 0.52, 1, "black", floor);
    assert_says(&w, "Push the chair right up to the desk",
                "Put \"Chair\" on \"Floor\" at (-1.29");
    w.things[chair].x = 1.6;
    w.things[chair].y = 0.2;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *text = plan_with_front(
        &w, "Push the chair right up to the desk", chair, &arena);
    assert_non_null(strstr(text, "turned to 270"));
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cushion_is_turned_to_lie_between_a_chair_s_arms),
        cmocka_unit_test(what_is_pushed_against_a_desk_goes_straight_on),
        cmocka_unit_test(who_sits_at_a_table_sits_squarely_at_a_side_of_it),
        cmocka_unit_test(what_goes_into_a_box_only_lengthwise_is_turned),
        cmocka_unit_test(a_table_that_stands_askew_is_not_hung_on_a_wall),
        cmocka_unit_test(a_floor_lamp_by_the_wall_is_not_hung_on_it),
        cmocka_unit_test(a_chair_before_a_bench_leaves_room_for_legs),
        cmocka_unit_test(a_seat_comes_to_another_side_than_who_sits_there),
        cmocka_unit_test(what_has_no_room_is_not_turned_for_ever),
        cmocka_unit_test(what_has_its_back_to_a_wall_has_it_beside_another_too),
        cmocka_unit_test(chairs_in_a_row_along_a_wall_have_their_backs_to_it),
        cmocka_unit_test(furniture_comes_squarely_to_another),
        cmocka_unit_test(what_goes_to_a_wall_has_its_back_to_it),
        cmocka_unit_test(what_looks_at_one_thing_stands_abreast),
        cmocka_unit_test(what_is_far_longer_than_broad_goes_along_a_wall),
        cmocka_unit_test(what_would_stick_out_under_a_bench_goes_along_it),
        cmocka_unit_test(what_looks_at_the_room_from_its_wall_does_so_squarely),
        cmocka_unit_test(what_would_stick_out_over_a_seat_lies_along_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
