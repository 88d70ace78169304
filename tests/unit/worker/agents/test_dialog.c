/* Planner, executor and evaluator in whole runs with the built-in agent: goals
 * reached step by step, clearing, lists, memory, and verdicts that are
 * earned. */
#include "dialog.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Floor, table, a large and a small block on it, three bottles, a tray with a
 * cup; a shelf beside. */
static facts_world room(void)
{
    facts_world w = facts_world_new();
    int floor =
        facts_world_add(&w, "Floor", 0, 0.3, 3.6, 2.6, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.5, 0.8, 0.7, "brown", floor);
    facts_world_add(&w, "Yellow Block", 0.3, 0.1, 0.42, 0.26, 0.1, "yellow",
                    table);
    facts_world_add(&w, "Blue Block", -0.5, 0.2, 0.16, 0.16, 0.1, "blue",
                    table);
    int red = facts_world_add(&w, "Red Bottle", -0.3, -0.2, 0.073, 0.073, 0.245,
                              "red", table);
    facts_world_add(&w, "Green Bottle", -0.1, -0.05, 0.073, 0.073, 0.245,
                    "green", table);
    facts_world_add(&w, "Blue Bottle", 0.1, -0.25, 0.073, 0.073, 0.245, "blue",
                    table);
    int tray = facts_world_add(&w, "Tray", -0.45, -0.25, 0.2, 0.2, 0.02,
                               "white", table);
    facts_world_add(&w, "Cup", -0.45, -0.25, 0.08, 0.08, 0.08, "white", tray);
    facts_world_add(&w, "Shelf", 1.3, 0.8, 0.5, 0.3, 0.9, "brown", floor);
    w.things[red].no_top = true;
    return w;
}

static arrange_task task_of(const char *goal, uint32_t step, uint32_t max_steps)
{
    return (arrange_task){.kind = TASK_PLAN,
                          .goal = goal,
                          .step = step,
                          .max_steps = max_steps,
                          .run_seed = 5,
                          .node = step,
                          .model = "builtin"};
}

/* Executes what was planned, in the given branch, applies it and asks for the
 * verdict. */
static void do_edit(dialog *d,
                    facts_world *w,
                    arrange_task *task,
                    uint32_t branch)
{
    assert_int_equal(d->status, PLAN_EDIT);
    arrange_task edit = *task;
    edit.instruction = d->instruction;
    edit.branch = branch;
    memcpy(edit.coordinate, d->coordinate, sizeof edit.coordinate);
    edit.coordinate_is_bottom = d->is_bottom;
    dialog_execute(d, w, &edit, 0);
    if (!d->executed)
        fail_msg("not executed: %s", d->reason);
    dialog_apply(d, w);
    edit.object = d->object;
    dialog_judge(d, w, &edit);
    if (d->verdict < VERDICT_GOOD)
        fail_msg("%s: %s", arrange_verdict_name(d->verdict), d->exam);
    w->moved = -1;
}

/* Runs a goal to its end; the edits as "object>base" in `trail`. */
static arrange_plan_status run_goal(const char *goal,
                                    uint32_t max_steps,
                                    facts_world *w,
                                    char *trail,
                                    size_t size)
{
    dialog d = {0};
    trail[0] = 0;
    for (uint32_t step = 1; step <= max_steps + 1; step++) {
        arrange_task task = task_of(goal, step, max_steps);
        dialog_plan(&d, w, &task);
        if (d.status != PLAN_EDIT) {
            if (d.status != PLAN_FINISHED)
                snprintf(trail, size, "%.200s", d.reason);
            return d.status;
        }
        do_edit(&d, w, &task, step % 4);
        size_t used = strlen(trail);
        snprintf(trail + used, size - used, "%s%s>%.*s", used ? " " : "",
                 d.object, (int)(strlen(d.plane) - 2), d.plane);
    }
    return PLAN_MALFORMED;
}

/* Nothing that stands on the same thing may overlap, nor reach over its
 * edge. */
static void everything_fits(const facts_world *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const facts_thing *a = &w->things[i];
        if (a->on < 0)
            continue;
        const facts_thing *base = &w->things[a->on];
        assert_true(fabs(a->x - base->x) + a->size[0] / 2 <=
                    base->size[0] / 2 + 0.003);
        assert_true(fabs(a->y - base->y) + a->size[1] / 2 <=
                    base->size[1] / 2 + 0.003);
        for (uint32_t k = 0; k < i; k++) {
            const facts_thing *b = &w->things[k];
            if (b->on != a->on)
                continue;
            bool apart =
                fabs(a->x - b->x) > (a->size[0] + b->size[0]) / 2 - 1e-3 ||
                fabs(a->y - b->y) > (a->size[1] + b->size[1]) / 2 - 1e-3;
            if (!apart)
                fail_msg("%s overlaps %s", a->name, b->name);
        }
    }
}

static void goals_are_reached_edit_by_edit(void **state)
{
    (void)state;
    static const struct {
        const char *goal;
        uint32_t max_steps;
        const char *trail;
    } cases[] = {
        {"Put the red bottle on the yellow block", 6,
         "Red Bottle>Yellow Block"},
        {"Put all three bottles on the yellow block", 3,
         "Red Bottle>Yellow Block Green Bottle>Yellow Block Blue Bottle>Yellow Block"},
        /* with what stands on it */
        {"Put the tray on the yellow block", 2, "Tray>Yellow Block"},
        {"Put the tray on the yellow block and the cup on the shelf", 2,
         "Tray>Yellow Block Cup>Shelf"},
        {"Put the cup on the blue block and the blue block on the yellow block",
         2, "Blue Block>Yellow Block Cup>Blue Block"}, /* from below */
        {"Put the red bottle on the table", 6, ""},    /* holds already */
        {"Put the cup and the blue block on the shelf, largest first", 6,
         "Blue Block>Shelf Cup>Shelf"},
        {"Put the blue block and the cup on the shelf, smallest first", 6,
         "Cup>Shelf Blue Block>Shelf"},
        {"Put a bottle on the blue block", 6, "Red Bottle>Blue Block"},
        {"Clear the tray", 6, "Cup>Table"},
        {"Put the cup in the corner of the shelf", 6, "Cup>Shelf"},
        {"Put the red bottle to the left of the yellow block", 6,
         "Red Bottle>Table"},
        /* what a goal names is what it named when it was said: not what is
         * leftmost, or on the tray, an edit later */
        {"Put the leftmost bottle on the yellow block", 6,
         "Red Bottle>Yellow Block"},
        {"Take the cup off the tray and put it on the shelf", 6, "Cup>Shelf"},
        {"Put everything that is on the tray on the shelf", 6, "Cup>Shelf"},
        {"Put the two leftmost bottles on the yellow block", 6,
         "Red Bottle>Yellow Block Green Bottle>Yellow Block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        facts_world w = room();
        char trail[600];
        arrange_plan_status status = run_goal(cases[i].goal, cases[i].max_steps,
                                              &w, trail, sizeof trail);
        if (status != PLAN_FINISHED)
            fail_msg("\"%s\" ended with %d: %s", cases[i].goal, status, trail);
        assert_string_equal(trail, cases[i].trail);
        everything_fits(&w);
    }
}

static void a_goal_that_cannot_be_reached_is_called_impossible_with_the_reason(
    void **state)
{
    (void)state;
    static const struct {
        const char *goal;
        uint32_t max_steps;
        arrange_plan_status status;
        const char *reason;
    } cases[] = {
        {"Put all three bottles on the yellow block", 2, PLAN_IMPOSSIBLE,
         "needs 3 more edits, but only 2 are left"},
        {"Put the yellow block on the tray and the tray on the yellow block", 6,
         PLAN_IMPOSSIBLE, "nothing to begin with"},
        {"Put the floor on the table", 6, PLAN_UNREADABLE,
         "Floor is a fixed part of the scene"},
        {"Put the violin on the table", 6, PLAN_UNREADABLE, "\"the violin\""},
        {"Tidy up", 6, PLAN_UNREADABLE, "say what is to go where"},
        {"Colourless green ideas sleep furiously", 6, PLAN_UNREADABLE,
         "--model NAME"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        facts_world w = room();
        dialog d = {0};
        arrange_task task = task_of(cases[i].goal, 1, cases[i].max_steps);
        dialog_plan(&d, &w, &task);
        if (d.status != cases[i].status || !strstr(d.reason, cases[i].reason))
            fail_msg("\"%s\": %d %s", cases[i].goal, d.status, d.reason);
    }
}

/* A floor with a wall at its back, a rack before the wall, and before that a
 * chair and a palm; a bench elsewhere. */
static facts_world hall(void)
{
    facts_world w = facts_world_new();
    int floor =
        facts_world_add(&w, "Floor", 0, 0.4, 4.0, 2.8, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int wall =
        facts_world_add(&w, "Wall", 0, 1.75, 4.0, 0.1, 2.2, "white", floor);
    w.things[wall].is_static = true;
    facts_world_add(&w, "Rack", -0.6, 1.5, 1.0, 0.34, 1.0, "brown", floor);
    facts_world_add(&w, "Chair", -0.8, 0.9, 0.4, 0.4, 0.8, "blue", floor);
    w.things[facts_world_add(&w, "Palm", -0.3, 0.9, 0.3, 0.3, 0.9, "green",
                             floor)]
        .no_top = true;
    int bench =
        facts_world_add(&w, "Bench", 0.9, 0.2, 0.9, 0.5, 0.5, "white", floor);
    facts_world_add(&w, "Cup", 0.9, 0.2, 0.08, 0.08, 0.08, "red", bench);
    int table = facts_world_add(&w, "Side Table", 1.0, 1.2, 0.6, 0.4, 0.5,
                                "brown", floor);
    facts_world_add(&w, "Jug", 1.1, 1.2, 0.12, 0.12, 0.2, "yellow", table);
    return w;
}

static void what_stands_where_a_thing_is_to_go_makes_room_first(void **state)
{
    (void)state;
    facts_world w = hall();
    char trail[600];
    arrange_plan_status status = run_goal(
        "Put the bench in front of the rack, where the chair and the palm are",
        6, &w, trail, sizeof trail);
    if (status != PLAN_FINISHED)
        fail_msg("%d: %s", status, trail);
    assert_string_equal(trail,
                        /* the cup goes with the bench */
                        "Chair>Floor Palm>Floor Bench>Floor");
    everything_fits(&w);
    const facts_thing *bench = &w.things[facts_world_find(&w, "Bench")];
    assert_true(fabs(bench->x + 0.6) < 0.6 && bench->y < 1.4 && bench->y > 0.4);
}

static void things_trade_places_with_what_stands_on_them(void **state)
{
    (void)state;
    facts_world w = hall();
    const facts_thing chair = w.things[facts_world_find(&w, "Chair")],
                      table = w.things[facts_world_find(&w, "Side Table")];
    char trail[600];
    arrange_plan_status status = run_goal("Swap the chair and the side table",
                                          6, &w, trail, sizeof trail);
    if (status != PLAN_FINISHED)
        fail_msg("%d: %s", status, trail);
    assert_null(strstr(trail, "Jug")); /* it goes with the table */
    const facts_thing *now = &w.things[facts_world_find(&w, "Chair")],
                      *other = &w.things[facts_world_find(&w, "Side Table")];
    assert_true(fabs(now->x - table.x) + fabs(now->y - table.y) < 0.1);
    assert_true(fabs(other->x - chair.x) + fabs(other->y - chair.y) < 0.1);
}

static void a_place_is_where_something_was_when_the_run_began(void **state)
{
    (void)state;
    facts_world w = room();
    const facts_thing red = w.things[facts_world_find(&w, "Red Bottle")];
    char trail[600];
    arrange_plan_status status = run_goal(
        "Put the red bottle on the yellow block, then put the blue bottle where the red bottle was",
        6, &w, trail, sizeof trail);
    if (status != PLAN_FINISHED)
        fail_msg("%d: %s", status, trail);
    const facts_thing *blue = &w.things[facts_world_find(&w, "Blue Bottle")];
    assert_true(fabs(blue->x - red.x) + fabs(blue->y - red.y) < 0.03);
    everything_fits(&w);
}

static void too_small_a_place_is_seen_before_anything_is_moved(void **state)
{
    (void)state;
    static const struct {
        const char *goal, *reason;
    } cases[] = {
        {"Put the yellow block on the red bottle", "is too small for"},
        {"Put all bottles, the yellow block and the tray on the blue block",
         "too small for these"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        facts_world w = room();
        w.things[facts_world_find(&w, "Red Bottle")].no_top = false;
        dialog d = {0};
        arrange_task task = task_of(cases[i].goal, 1, 8);
        dialog_plan(&d, &w, &task);
        if (d.status != PLAN_IMPOSSIBLE || !strstr(d.reason, cases[i].reason))
            fail_msg("\"%s\": %d %s", cases[i].goal, d.status,
                     d.status == PLAN_EDIT ? d.instruction : d.reason);
    }
}

static void furniture_that_hovers_in_the_file_carries_things_all_the_same(
    void **state)
{
    (void)state;
    facts_world w = room();
    dialog d = {0};
    arrange_task task = task_of("Put the cup on the blue block", 1, 6);
    w.things[facts_world_find(&w, "Blue Block")].on = -1;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
}

/* A leg that only what it is to leave holds up has nowhere to go; what stands
 * on a thing that it is to leave goes somewhere else. */
static void what_a_thing_is_to_leave_does_not_carry_it(void **state)
{
    (void)state;
    dialog d = {0};
    facts_world w = facts_world_new();
    int pillars =
        facts_world_add(&w, "Pillars", 0, 0, 1.3, 1.0, 0.7, "grey", -1);
    facts_world_add(&w, "Leg_1", 0.4, 0.2, 0.3, 0.2, 0.4, "brown", pillars);
    arrange_task task = task_of("Move leg 1 away from the pillars", 1, 6);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_IMPOSSIBLE || !strstr(d.reason, "no other place"))
        fail_msg("%d: %s", d.status,
                 d.status == PLAN_EDIT ? d.instruction : d.reason);
    w = room();
    task = task_of("Move the cup away from the tray", 1, 6);
    dialog_plan(&d, &w, &task);
    do_edit(&d, &w, &task, 0);
    assert_string_equal(d.plane, "Table_7");
    w = room();
    task = task_of("Move the green bottle away from the yellow block", 1, 6);
    dialog_plan(&d, &w, &task);
    do_edit(&d, &w, &task, 0);
    const facts_thing *green = &w.things[facts_world_find(&w, "Green Bottle")];
    assert_true((green->x - 0.3) * (green->x - 0.3) +
                    (green->y - 0.1) * (green->y - 0.1) >
                0.43 * 0.43);
}

/* The file lets it hover two centimetres over the tray: it is no less on it. */
static void what_hovers_a_little_over_a_thing_is_on_it(void **state)
{
    (void)state;
    dialog d = {0};
    facts_world w = room();
    w.things[facts_world_find(&w, "Cup")].hover = 0.02;
    arrange_task task = task_of("Put the tray on the yellow block", 1, 6);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT ||
        !strstr(d.instruction, "Put \"Tray\" on \"Yellow Block\""))
        fail_msg("%d: %s", d.status,
                 d.status == PLAN_EDIT ? d.instruction : d.reason);
    task = task_of("Clear the tray", 1, 6);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT ||
        !strstr(d.instruction, "Put \"Cup\" on \"Table\""))
        fail_msg("%d: %s", d.status,
                 d.status == PLAN_EDIT ? d.instruction : d.reason);
    task = task_of("Put the tray on the yellow block", 1, 6);
    w.things[facts_world_find(&w, "Cup")].hover = 0.2;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT || !strstr(d.instruction, "Put \"Tray\""))
        fail_msg("%d: %s", d.status,
                 d.status == PLAN_EDIT ? d.instruction : d.reason);
}

static void what_the_camera_does_not_show_is_as_good_a_place(void **state)
{
    (void)state;
    dialog d = {0};
    facts_world w = room();
    /* out of the picture, and there is room */
    w.things[facts_world_find(&w, "Shelf")].x = 40;
    arrange_task task = task_of("Put the cup on the shelf", 1, 6);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT || !strstr(d.instruction, "on \"Shelf\""))
        fail_msg("%d: %s", d.status, d.reason);
    /* two trays and a cup on each: one cup has nowhere to go before the other
     * comes */
    w = facts_world_new();
    int trays[2],
        ground = facts_world_add(&w, "Ground", 0, 0, 2, 2, 0.02, "grey", -1);
    w.things[ground].is_static = w.things[ground].no_top = true;
    for (int i = 0; i < 2; i++)
        trays[i] =
            facts_world_add(&w, i ? "Blue Tray" : "Red Tray", i ? 0.4 : -0.4, 0,
                            0.14, 0.14, 0.02, i ? "blue" : "red", ground);
    for (int i = 0; i < 2; i++)
        w.things[facts_world_add(&w, i ? "Blue Cup" : "Red Cup", i ? 0.4 : -0.4,
                                 0, 0.1, 0.1, 0.08, i ? "blue" : "red",
                                 trays[i])]
            .no_top = true;
    task = task_of("Put the blue cup on the red tray", 1, 6);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_IMPOSSIBLE || strstr(d.reason, "camera") ||
        !strstr(d.reason, "Red Cup"))
        fail_msg("%d: %s", d.status,
                 d.status == PLAN_EDIT ? d.instruction : d.reason);
}

static const char *const list[] = {"Put the cup on the table.",
                                   "Put the green bottle on the tray",
                                   "Then put it on the blue block."};

static arrange_task list_task(const char *const *steps,
                              uint32_t count,
                              uint32_t step)
{
    return (arrange_task){.kind = TASK_PLAN,
                          .step_count = count,
                          .steps = steps,
                          .step = step,
                          .max_steps = count,
                          .run_seed = 5,
                          .node = step};
}

static void a_list_is_done_one_instruction_after_another(void **state)
{
    (void)state;
    static const char *const edits[] = {
        "Put \"Cup\" on \"Table\" at", "Put \"Green Bottle\" on \"Tray\" at",
        "Put \"Green Bottle\" on \"Blue Block\" at"};
    facts_world w = room();
    dialog d = {0};
    for (uint32_t step = 1; step <= 3; step++) {
        arrange_task task = list_task(list, 3, step);
        dialog_plan(&d, &w, &task);
        if (d.status != PLAN_EDIT)
            fail_msg("%s", d.reason);
        assert_int_equal(
            strncmp(d.instruction, edits[step - 1], strlen(edits[step - 1])),
            0);
        do_edit(&d, &w, &task, 0);
        everything_fits(&w);
    }
}

/* What an instruction called a thing when it was done is no longer true of it
 * afterwards, and need not be. */
static void instructions_that_are_done_need_not_be_true_any_more(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "Put the cup that is on the tray on the shelf",
        "Put the red bottle on the yellow block",
        "Put the green bottle where the red bottle was"};
    facts_world w = room();
    const facts_thing red = w.things[facts_world_find(&w, "Red Bottle")];
    dialog d = {0};
    for (uint32_t step = 1; step <= 3; step++) {
        arrange_task task = list_task(steps, 3, step);
        dialog_plan(&d, &w, &task);
        if (d.status != PLAN_EDIT)
            fail_msg("step %u: %s", step, d.reason);
        do_edit(&d, &w, &task, 0);
    }
    const facts_thing *green = &w.things[facts_world_find(&w, "Green Bottle")];
    assert_true(fabs(green->x - red.x) + fabs(green->y - red.y) < 0.03);
}

static void an_instruction_is_read_at_its_turn_and_may_be_passed_over(
    void **state)
{
    (void)state;
    static const char *const wishes[] = {
        "Put the cup on the table", "Put the cup through the table",
        "Put it on the shelf", "Put the red bottle on the yellow block"};
    static const arrange_passed passed[] = {
        {.item = 2, .reason = "not understood"},
        {.item = 3, .reason = "not understood"}};
    facts_world w = room();
    dialog d = {0};
    arrange_task task = list_task(wishes, 4, 1);
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
    task.step = 2;
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_UNREADABLE);
    if (!strstr(d.reason, "through the table"))
        fail_msg("%s", d.reason);
    task.passed = passed;
    /* the next takes its step, and speaks of what was not moved */
    task.passed_count = 1;
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_UNREADABLE);
    if (!strstr(d.reason, "instruction 2 was to move, which was passed over"))
        fail_msg("%s", d.reason);
    task.passed_count = 2;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
    assert_non_null(strstr(d.instruction, "Red Bottle"));
}

/* A box, and toys of which one is larger. */
static facts_world toys(void)
{
    facts_world w = facts_world_new();
    const int floor =
        facts_world_add(&w, "Floor", 0, 0.3, 3.6, 2.6, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    const int box =
        facts_world_add(&w, "Toy Box", 0.6, 0.5, 0.6, 0.4, 0.3, "brown", floor);
    w.things[box].sunk = 0.28;
    facts_world_add(&w, "Doll House", -0.8, 0.5, 0.8, 0.5, 0.7, "red", floor);
    facts_world_add(&w, "Ball", -0.2, 0.2, 0.15, 0.15, 0.15, "green", floor);
    facts_world_add(&w, "Block", 0.1, 0, 0.08, 0.08, 0.08, "blue", floor);
    return w;
}

static void part_is(const dialog *d, const char *goal, const char *part)
{
    const arrange_part *said = &d->part;
    if (said->to - said->from != strlen(part) ||
        strncmp(goal + said->from, part, strlen(part)) != 0)
        fail_msg("%u to %u, not \"%s\": %s", (unsigned)said->from,
                 (unsigned)said->to, part, d->reason);
}

static void parts_of_a_goal_are_passed_over_one_by_one(void **state)
{
    (void)state;
    const char *const goal =
        "Put the cup through the table, put it on the shelf, and put the red bottle on the yellow block";
    arrange_passed passed[] = {{.item = 1, .reason = "not understood"},
                               {.item = 2, .reason = "not understood"}};
    facts_world w = room();
    dialog d = {0};
    arrange_task task = task_of(goal, 1, 6);
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_UNREADABLE);
    part_is(&d, goal, "Put the cup through the table");
    passed[0].part = d.part;
    task.passed = passed;
    task.passed_count = 1;
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_UNREADABLE);
    part_is(&d, goal, "put it on the shelf");
    passed[1].part = d.part;
    task.passed_count = 2;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
    assert_non_null(strstr(d.instruction, "Red Bottle"));
    part_is(&d, goal, "put the red bottle on the yellow block");
}

/* The thing by its number in the scene, from 1; 0: all that the part asks
 * for. */
static void thing_is(const dialog *d, const facts_world *w, const char *name)
{
    const int said = (int)d->part.thing - 1;
    const int meant = *name ? facts_world_find(w, name) : -1;
    if (said != meant)
        fail_msg("thing %d, not \"%s\": %s %s", said + 1, name, d->instruction,
                 d->reason);
}

/* The doll house is larger than the box, and what else is asked for goes in. */
static void of_several_things_the_one_that_does_not_fit_is_left_out(
    void **state)
{
    (void)state;
    const char *const goal =
        "Put the doll house, the ball and the block in the box";
    arrange_passed passed = {.item = 1, .reason = "it does not fit"};
    facts_world w = toys();
    dialog d = {0};
    arrange_task task = task_of(goal, 1, 6);
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_IMPOSSIBLE);
    part_is(&d, goal, goal);
    thing_is(&d, &w, "Doll House");
    passed.part = d.part;
    task.passed = &passed;
    task.passed_count = 1;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
    assert_non_null(strstr(d.instruction, "Ball"));
    thing_is(&d, &w, "Ball");
}

/* Of one thing, of some that may be chosen, and of a row nothing can be left
 * out. */
static void what_is_asked_of_all_together_speaks_of_no_single_thing(
    void **state)
{
    (void)state;
    static const char *const goals[] = {
        "Put the doll house in the box",
        "Put one of the toys in the box",
        "Put the ball, the block and the doll house in a row on the box",
        "Stack the block and the doll house on the box",
        "Put the doll house between the box and the block",
    };
    facts_world w = toys();
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        dialog d = {0};
        arrange_task task = task_of(goals[i], 1, 6);
        dialog_plan(&d, &w, &task);
        thing_is(&d, &w, "");
    }
}

static void an_edit_that_nobody_asked_for_says_that_it_makes_way(void **state)
{
    (void)state;
    facts_world w = room();
    dialog d = {0};
    facts_world_add(&w, "Box", -0.5, 0.2, 0.15, 0.15, 0.1, "red",
                    facts_world_find(&w, "Blue Block"));
    arrange_task task = task_of("Put the cup on the blue block", 1, 6);
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_EDIT);
    assert_non_null(strstr(d.instruction, "Box"));
    assert_true(d.makes_way);
    task =
        task_of("Put the cup on the blue block and the box on the tray", 1, 6);
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_EDIT);
    assert_false(d.makes_way);
}

/* A tray with room for two boxes only when neither stands in its middle. */
static facts_world crowded(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.6, 1.0, 0.7, "brown", floor);
    facts_world_add(&w, "Tray", 0, 0, 0.6, 0.6, 0.03, "grey", table);
    facts_world_add(&w, "Red Box", -0.6, -0.2, 0.26, 0.26, 0.2, "red", table);
    facts_world_add(&w, "Blue Box", 0.6, -0.2, 0.24, 0.24, 0.16, "blue", table);
    return w;
}

static void a_place_given_up_is_avoided_and_the_next_leaves_room(void **state)
{
    (void)state;
    static const char *const steps[] = {"Put the red box on the tray",
                                        "Put the blue box on the tray"};
    facts_world w = crowded();
    dialog d = {0};
    arrange_task task = list_task(steps, 2, 1);
    dialog_plan(&d, &w, &task);
    double first[2] = {d.coordinate[0], d.coordinate[1]};
    do_edit(&d, &w, &task, 0);
    task = list_task(steps, 2, 2);
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_IMPOSSIBLE); /* the middle was taken */
    int red = facts_world_find(&w, "Red Box");
    arrange_given_up given_up = {.node = 1,
                                 .instruction = "Put \"Red Box\" on \"Tray\".",
                                 .object = "Red Box",
                                 .plane = "Tray_7",
                                 .later = "no room"};
    given_up.pose.position[0] = w.things[red].x;
    given_up.pose.position[1] = w.things[red].y;
    given_up.pose.position[2] = 0.02 + 0.7 + 0.03 + 0.1;
    w = crowded();
    task = list_task(steps, 2, 1);
    task.node = 3;
    task.given_up = &given_up;
    task.given_up_count = 1;
    dialog_plan(&d, &w, &task);
    assert_true(fabs(d.coordinate[0] - first[0]) +
                    fabs(d.coordinate[1] - first[1]) >
                0.02);
    do_edit(&d, &w, &task, 0);
    task = list_task(steps, 2, 2);
    task.node = 4;
    dialog_plan(&d, &w, &task);
    do_edit(&d, &w, &task, 0);
    everything_fits(&w);
}

static void a_goal_for_several_things_leaves_room_from_the_start(void **state)
{
    (void)state;
    facts_world w = crowded();
    char trail[600];
    assert_int_equal(
        run_goal("Put both boxes on the tray", 2, &w, trail, sizeof trail),
        PLAN_FINISHED);
    everything_fits(&w);
    w = crowded();
    assert_int_equal(
        run_goal("Put the red box on the tray and put the blue box on the tray",
                 2, &w, trail, sizeof trail),
        PLAN_FINISHED);
    everything_fits(&w);
}

static void branches_that_failed_here_move_the_choice_on(void **state)
{
    (void)state;
    facts_world w = room();
    dialog d = {0};
    arrange_failure failures[] = {
        {.node = 1, .branch = 0, .object = "Cup", .reason = "collides"},
        {.node = 1, .branch = 1, .object = "Cup", .reason = "collides"}};
    arrange_task task = task_of("Put the cup on the shelf", 1, 6);
    dialog_plan(&d, &w, &task);
    double before[2] = {d.coordinate[0], d.coordinate[1]};
    char first[sizeof d.instruction];
    memcpy(first, d.instruction, sizeof first);
    failures[0].instruction = failures[1].instruction = first;
    task.failures = failures;
    task.failure_count = 2;
    dialog_plan(&d, &w, &task);
    assert_int_equal(d.status, PLAN_EDIT);
    assert_true(fabs(d.coordinate[0] - before[0]) +
                    fabs(d.coordinate[1] - before[1]) >
                0.005);
}

static void the_executor_tries_another_place_when_the_solver_failed(
    void **state)
{
    (void)state;
    facts_world w = room();
    dialog d = {0}, again = {0}, last = {0};
    arrange_task task = {.kind = TASK_BRANCH,
                         .instruction = "Put \"Cup\" on \"Table\".",
                         .run_seed = 5,
                         .node = 1,
                         .coordinate_is_bottom = true};
    facts_world_project(0, -0.3, 0.72, task.coordinate);
    dialog_execute(&d, &w, &task, 0);
    assert_true(d.executed && d.full_only);
    assert_string_equal(d.object, "Cup");
    assert_string_equal(d.plane, "Table_7");
    assert_int_equal(d.tool_calls, 2);
    assert_int_equal(d.calls, 2);
    dialog_execute(&again, &w, &task, 1);
    assert_true(again.executed);
    assert_int_equal(again.calls, 3);
    assert_true(fabs(again.pixel[0] - d.pixel[0]) +
                    fabs(again.pixel[1] - d.pixel[1]) >
                0.004);
    dialog_execute(&last, &w, &task,
                   /* two retries, then it gives up with the solver's reason */
                   3);
    assert_false(last.executed);
    assert_string_equal(last.reason, "all candidates collide with Table");
    assert_int_equal(last.calls, 4);
}

/* All branches take the planner's place; once the solver refuses that, they
 * look at the others it named, each in an order of its own. */
static void branches_differ_once_the_place_is_refused(void **state)
{
    (void)state;
    facts_world w = room();
    dialog plan = {0};
    arrange_task task = task_of("Put the cup on the shelf", 1, 6);
    dialog_plan(&plan, &w, &task);
    assert_int_equal(plan.status, PLAN_EDIT);
    task.instruction = plan.instruction;
    double first[2] = {0}, second[8][2];
    uint32_t different = 0;
    for (uint32_t branch = 0; branch < 8; branch++) {
        dialog d = {0};
        task.branch = branch;
        dialog_execute(&d, &w, &task, 0);
        if (branch == 0)
            memcpy(first, d.place, sizeof first);
        assert_true(d.has_place && d.place[0] == first[0] &&
                    d.place[1] == first[1]);
        dialog_execute(&d, &w, &task, 1);
        memcpy(second[branch], d.place, sizeof second[branch]);
        assert_true(d.place[0] != first[0] || d.place[1] != first[1]);
        different += second[branch][0] != second[0][0] ||
                     second[branch][1] != second[0][1];
    }
    assert_in_range(different, 1, 7);
}

static void a_thing_larger_than_a_small_one_may_stand_on_its_middle(
    void **state)
{
    (void)state;
    facts_world w = room();
    dialog d = {0};
    arrange_task task = task_of("Put the tray on the blue block", 2, 6);
    w.things[facts_world_find(&w, "Cup")].on = facts_world_find(&w, "Table");
    w.things[facts_world_find(&w, "Cup")].x = 0;
    dialog_plan(&d, &w, &task);
    if (d.status != PLAN_EDIT)
        fail_msg("%s", d.reason);
    task.instruction = d.instruction;
    memcpy(task.coordinate, d.coordinate, sizeof task.coordinate);
    dialog_execute(&d, &w, &task, 0);
    assert_true(d.executed);
    assert_false(d.full_only);
    dialog_apply(&d, &w);
    dialog_judge(&d, &w, &task);
    assert_int_equal(d.verdict, VERDICT_EXCELLENT);
}

/* ---- the evaluator is no rubber stamp ---- */

static facts_world judged(void)
{
    facts_world w = room();
    w.moved = facts_world_find(&w, "Red Bottle");
    facts_thing *bottle = &w.things[w.moved];
    bottle->on = facts_world_find(&w, "Yellow Block");
    bottle->x = 0.3;
    bottle->y = 0.1;
    w.moved_m = 0.7;
    facts_world_project(0.3, 0.1, 0.82, w.target);
    return w;
}

static void expect_verdict(const facts_world *w,
                           const char *instruction,
                           arrange_verdict verdict,
                           const char *why)
{
    dialog d = {0};
    arrange_task task = {.kind = TASK_POLL,
                         .instruction = instruction,
                         .object = "Red Bottle",
                         .run_seed = 5,
                         .node = 1};
    dialog_judge(&d, w, &task);
    if (d.verdict != verdict || !strstr(d.exam, why))
        fail_msg("wanted %s, got %s: %s", arrange_verdict_name(verdict),
                 arrange_verdict_name(d.verdict), d.exam);
}

static void verdicts_follow_the_facts(void **state)
{
    (void)state;
    static const char instruction[] = "Put \"Red Bottle\" on \"Yellow Block\".";
    facts_world w = judged();
    expect_verdict(&w, instruction, VERDICT_EXCELLENT, "wholly on");
    facts_world_project(-0.1, 0.1, 0.82, w.target);
    expect_verdict(&w, instruction, VERDICT_GOOD, "about where");
    facts_world_project(-1.2, -0.3, 0.72, w.target);
    expect_verdict(&w, instruction, VERDICT_FAIR, "far from");
    w = judged();
    w.things[w.moved].x = 0.3 + 0.21;
    expect_verdict(&w, instruction, VERDICT_FAIR, "over the edge");
    static const char exact[] =
        "Put \"Red Bottle\" on \"Yellow Block\" at (0.5100, 0.1000, 0.8200) within 0.050 m.";
    expect_verdict(&w, exact, VERDICT_FAIR, "over the edge");
    w.things[facts_world_find(&w, "Yellow Block")].is_static =
        true; /* a shelf on a wall ends there, too */
    expect_verdict(&w, exact, VERDICT_FAIR, "over the edge");
    w.things[facts_world_find(&w, "Yellow Block")].size[0] =
        2.2; /* a floor's end is mostly the file's */
    w.things[facts_world_find(&w, "Yellow Block")].size[1] = 2.0;
    w.things[w.moved].x = 0.3 + 1.1;
    expect_verdict(
        &w,
        "Put \"Red Bottle\" on \"Yellow Block\" at (1.4000, 0.1000, 0.8200) within 0.050 m.",
        VERDICT_EXCELLENT, "where it was to go");
    w = judged();
    w.things[w.moved].x = 0.3 + 0.17; /* hardly over it */
    expect_verdict(&w, exact, VERDICT_EXCELLENT, "where it was to go");
    w = judged();
    w.things[w.moved].on = facts_world_find(&w, "Table");
    expect_verdict(&w, instruction, VERDICT_BAD, "wrong thing: Table");
    w = judged();
    w.collides_with = facts_world_find(&w, "Blue Bottle");
    expect_verdict(&w, instruction, VERDICT_BAD, "Red Bottle and Blue Bottle");
    w = judged();
    w.lost_support = facts_world_find(&w, "Cup");
    expect_verdict(&w, instruction, VERDICT_BAD, "Cup lost");
    w = judged();
    w.others_moved = true;
    expect_verdict(&w, instruction, VERDICT_BAD, "other things");
    w = judged();
    w.moved_m = 0;
    expect_verdict(&w, instruction, VERDICT_BAD, "not moved");
    w = judged();
    w.floats = true;
    expect_verdict(&w, instruction, VERDICT_TERRIBLE, "in the air");
    w = judged();
    expect_verdict(&w, "Put \"Blue Bottle\" on \"Yellow Block\".",
                   VERDICT_TERRIBLE, "Blue Bottle was meant");
    expect_verdict(&w, "Put \"Red Bottle\" through the tray.", VERDICT_ABSTAIN,
                   "no [evaluation] block");
    w.moved = -1;
    expect_verdict(&w, instruction, VERDICT_ABSTAIN, "no [evaluation] block");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_are_reached_edit_by_edit),
        cmocka_unit_test(
            a_goal_that_cannot_be_reached_is_called_impossible_with_the_reason),
        cmocka_unit_test(what_stands_where_a_thing_is_to_go_makes_room_first),
        cmocka_unit_test(things_trade_places_with_what_stands_on_them),
        cmocka_unit_test(a_place_is_where_something_was_when_the_run_began),
        cmocka_unit_test(too_small_a_place_is_seen_before_anything_is_moved),
        cmocka_unit_test(
            furniture_that_hovers_in_the_file_carries_things_all_the_same),
        cmocka_unit_test(what_a_thing_is_to_leave_does_not_carry_it),
        cmocka_unit_test(what_the_camera_does_not_show_is_as_good_a_place),
        cmocka_unit_test(what_hovers_a_little_over_a_thing_is_on_it),
        cmocka_unit_test(a_list_is_done_one_instruction_after_another),
        cmocka_unit_test(instructions_that_are_done_need_not_be_true_any_more),
        cmocka_unit_test(
            an_instruction_is_read_at_its_turn_and_may_be_passed_over),
        cmocka_unit_test(parts_of_a_goal_are_passed_over_one_by_one),
        cmocka_unit_test(
            of_several_things_the_one_that_does_not_fit_is_left_out),
        cmocka_unit_test(
            what_is_asked_of_all_together_speaks_of_no_single_thing),
        cmocka_unit_test(an_edit_that_nobody_asked_for_says_that_it_makes_way),
        cmocka_unit_test(a_place_given_up_is_avoided_and_the_next_leaves_room),
        cmocka_unit_test(a_goal_for_several_things_leaves_room_from_the_start),
        cmocka_unit_test(branches_that_failed_here_move_the_choice_on),
        cmocka_unit_test(
            the_executor_tries_another_place_when_the_solver_failed),
        cmocka_unit_test(branches_differ_once_the_place_is_refused),
        cmocka_unit_test(
            a_thing_larger_than_a_small_one_may_stand_on_its_middle),
        cmocka_unit_test(verdicts_follow_the_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
