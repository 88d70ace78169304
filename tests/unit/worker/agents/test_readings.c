/* The notation of readings.h takes what it says and nothing else: a table that
 * lets everything pass proves nothing. */
#include "tests/support/facts_world.h"
#include "tests/unit/worker/agents/readings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    FLOOR = 0,
    TABLE,
    SHELF,
    MUG,
    LAMP,
    BOOK,
    CHAIR_1,
    CHAIR_2
};

typedef struct world {
    etna_arena arena;
    builtin_facts facts;
    builtin_reading reading;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    facts_world f = facts_world_new();
    etna_error err = {0};
    if (!w)
        return 1;
    facts_world_add(&f, "Floor", 0, 0, 6, 5, 0.1, "brown", -1);
    f.things[0].is_static = true;
    facts_world_add(&f, "Table", 0, 0, 1.4, 0.8, 0.7, "brown", FLOOR);
    facts_world_add(&f, "Shelf", 2, 1, 0.8, 0.4, 1.2, "white", FLOOR);
    facts_world_add(&f, "Mug", -0.5, 0, 0.1, 0.1, 0.1, "white", TABLE);
    facts_world_add(&f, "Lamp", 0.5, 0, 0.2, 0.2, 0.4, "white", TABLE);
    facts_world_add(&f, "Book", 0, 0.2, 0.2, 0.3, 0.03, "red", TABLE);
    facts_world_add(&f, "Chair 1", -0.6, -1, 0.4, 0.4, 0.9, "blue", FLOOR);
    facts_world_add(&f, "Chair 2", 0.6, -1, 0.4, 0.4, 0.9, "blue", FLOOR);
    char *json = facts_world_json(&f);
    w->arena = (etna_arena)ETNA_ARENA_INIT;
    etna_code code =
        builtin_facts_read(json, strlen(json), &w->arena, &w->facts, &err);
    free(json);
    *state = w;
    return code == ETNA_OK ? 0 : 1;
}

static int tear_down(void **state)
{
    world *w = *state;
    etna_arena_free(&w->arena);
    free(w);
    return 0;
}

static const uint32_t mug[] = {MUG}, three[] = {MUG, LAMP, BOOK},
                      chairs[] = {CHAIR_1, CHAIR_2};

/* The one move of the reading, with nothing said but its things and its
 * relation. */
static builtin_move *move_of(world *w,
                             const uint32_t *objects,
                             uint32_t count,
                             builtin_relation relation)
{
    builtin_move *m = &w->reading.moves[0];
    w->reading.count = 1;
    *m = (builtin_move){.objects = {count, objects, count},
                        .reference = BUILTIN_NONE,
                        .second = BUILTIN_NONE,
                        .support = BUILTIN_NONE,
                        .relation = relation,
                        .gap = -1,
                        .spacing = -1};
    return m;
}

static void takes(world *w, const char *wanted)
{
    if (!readings_match(&w->facts, &w->reading, wanted))
        fail_msg("not taken: %s", wanted);
}

static void refuses(world *w, const char *wanted)
{
    if (readings_match(&w->facts, &w->reading, wanted))
        fail_msg("taken: %s", wanted);
}

static void a_move_is_its_things_its_relation_and_its_reference(void **state)
{
    world *w = *state;
    move_of(w, mug, 1, RELATION_ON)->reference = SHELF;
    takes(w, "Mug > on Shelf");
    takes(w, "Mug > beside/on Table/Shelf");
    takes(w, "Mug > on Floor || Mug > on Shelf");
    takes(w, "Mug ?+ Lamp > on Shelf");
    takes(w, "Mug > on Shelf ; ? Lamp > on Shelf");
    refuses(w, "Mug > on Floor");
    refuses(w, "Mug > beside Shelf");
    refuses(w, "Lamp > on Shelf");
    refuses(w, "Mug + Lamp > on Shelf");
    refuses(w, "Mug > on Shelf [gap 0.1]");
    refuses(w, "Mug > on Shelf [face Table]");
    refuses(w, "! unknown");
}

static void a_refusal_is_right_only_where_one_is_wanted(void **state)
{
    world *w = *state;
    assert_true(readings_match(&w->facts, NULL, "! unknown || Mug > on Table"));
    assert_false(readings_match(&w->facts, NULL, "Mug > on Table"));
    assert_true(readings_refused("! unknown || ! impossible"));
    assert_false(readings_refused("! unknown || Mug > on Table"));
    assert_true(readings_has_code("! unknown || ! impossible", "impossible"));
    assert_false(
        readings_has_code("! unknown || Mug > on Table", "impossible"));
    assert_false(readings_has_code("! unknown", NULL));
}

static void what_was_not_asked_for_is_wrong(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, mug, 1, RELATION_BESIDE);
    m->reference = LAMP;
    m->gap = 0.1;
    refuses(w, "Mug > beside Lamp");
    takes(w, "Mug > beside Lamp [gap 0.1]");
    takes(w, "Mug > beside Lamp ?[gap 0.05..0.2]");
    refuses(w, "Mug > beside Lamp [gap 0.2..0.3]");
    m->gap = -1;
    m->level = 2;
    refuses(w, "Mug > beside Lamp");
    m->level = 0;
    m->facing = FACING_BACK;
    m->faced = TABLE;
    refuses(w, "Mug > beside Lamp [face Table]");
    takes(w, "Mug > beside Lamp [back Table]");
}

static void all_of_several_places_must_be_read_in_whatever_order(void **state)
{
    world *w = *state;
    builtin_condition also = {.relation = RELATION_BESIDE,
                              .reference = CHAIR_1,
                              .second = BUILTIN_NONE,
                              .gap = -1};
    builtin_move *m = move_of(w, mug, 1, RELATION_ON);
    m->reference = SHELF;
    refuses(w, "Mug > on Shelf [also beside Chair 1]");
    m->also = &also;
    m->also_count = 1;
    takes(w, "Mug > on Shelf [also beside Chair 1]");
    takes(w, "Mug > beside Chair 1 [on Shelf]");
    refuses(w, "Mug > on Shelf");
    refuses(w, "Mug > beside Chair 1");
    refuses(w, "Mug > on Shelf [also beside Chair 2]");
}

static void standing_where_it_stands_already_needs_no_words(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, mug, 1, RELATION_BESIDE);
    m->reference = LAMP;
    takes(w, "Mug > beside Lamp [on Table]");
    refuses(w, "Mug > beside Lamp [on Shelf]");
    m->support = TABLE;
    takes(w, "Mug > beside Lamp");
    m->support = SHELF;
    refuses(w, "Mug > beside Lamp");
}

static void a_shift_has_its_length_and_its_direction(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, mug, 1, RELATION_SHIFT);
    m->shift[0] = 0.3;
    takes(w, "Mug > shift [by 0.3 right]");
    takes(w, "Mug > shift [by 0.1..0.5 toward Lamp]");
    refuses(w, "Mug > shift [by 0.3 left]");
    refuses(w, "Mug > shift [by 0.3 up]");
    refuses(w, "Mug > shift [by 0.3 away Lamp]");
    refuses(w, "Mug > shift [by 0.33 right]");
    refuses(w, "Mug > shift [by 0.3 right 0.3 up]");
    m->shift[2] = 0.3;
    takes(w, "Mug > shift [by 0.3 right 0.3 up]");
}

static void turns_are_the_same_a_whole_turn_apart(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, mug, 1, RELATION_TURN);
    m->turn = 270;
    takes(w, "Mug > turn -90");
    takes(w, "Mug > turn 45/-95..-85");
    refuses(w, "Mug > turn 90");
}

static void rows_and_stacks_keep_the_order_that_was_asked_for(void **state)
{
    static const uint32_t row[] = {LAMP, BOOK, MUG};
    world *w = *state;
    builtin_move *m = move_of(w, three, 3, RELATION_LINE);
    m->reference = TABLE;
    m->sides = SIDE_BACK;
    refuses(w, "Lamp + Book + Mug > line [along Table] [side back] [order]");
    takes(w, "Lamp + Book + Mug > line [along Table] [side back]");
    m->row = row;
    m->row_count = 3;
    takes(w, "Lamp + Book + Mug > line [along Table] [side back] [order]");
    takes(w, "Lamp + Book + Mug > line [along Table] [side back] [top Mug]");
    refuses(w, "Lamp + Mug + Book > line [along Table] [side back] [order]");
    refuses(w,
            "Lamp + Book + Mug > line [along Table] [side back] [bottom Mug]");
    refuses(w, "Lamp + Book + Mug > line [along Table] [side front]");
    refuses(w, "Lamp + Book + Mug > line [along Table] [side back] [even]");
    refuses(w, "Lamp + Book + Mug > line");
}

static void one_for_each_is_not_one_for_some(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, three, 3, RELATION_FRONT);
    m->objects.need = 2;
    m->each = (builtin_set){2, chairs, 2};
    takes(w, "2 of Mug + Lamp + Book > front [each Chair 1 + Chair 2]");
    refuses(w, "3 of Mug + Lamp + Book > front [each Chair 1 + Chair 2]");
    refuses(w, "2 of Mug + Lamp + Book > front [each Chair 1]");
    refuses(w, "2 of Mug + Lamp + Book > behind [each Chair 1 + Chair 2]");
    refuses(w, "2 of Mug + Lamp + Book > front Chair 1");
}

static void what_stays_behind_is_said(void **state)
{
    world *w = *state;
    builtin_move *m = move_of(w, mug, 1, RELATION_ON);
    m->reference = SHELF;
    refuses(w, "Mug > on Shelf [alone]");
    m->alone = true;
    refuses(w, "Mug > on Shelf");
    takes(w, "Mug > on Shelf [alone]");
    takes(w, "Mug > on Shelf ?[alone]");
}

static void a_swap_has_no_first(void **state)
{
    world *w = *state;
    move_of(w, mug, 1, RELATION_SWAP)->reference = LAMP;
    takes(w, "Mug > swap Lamp");
    takes(w, "Lamp > swap Mug");
    refuses(w, "Lamp > swap Book");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_its_things_its_relation_and_its_reference),
        cmocka_unit_test(a_refusal_is_right_only_where_one_is_wanted),
        cmocka_unit_test(what_was_not_asked_for_is_wrong),
        cmocka_unit_test(all_of_several_places_must_be_read_in_whatever_order),
        cmocka_unit_test(standing_where_it_stands_already_needs_no_words),
        cmocka_unit_test(a_shift_has_its_length_and_its_direction),
        cmocka_unit_test(turns_are_the_same_a_whole_turn_apart),
        cmocka_unit_test(rows_and_stacks_keep_the_order_that_was_asked_for),
        cmocka_unit_test(one_for_each_is_not_one_for_some),
        cmocka_unit_test(what_stays_behind_is_said),
        cmocka_unit_test(a_swap_has_no_first)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
