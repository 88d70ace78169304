/* What people expect though nobody says it: which things a full room has, at
 * which end of a bed its nightstands are, and beds as wide as they are told. */
#include "worker/furnish/layout.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const layout_room room = {
    .width = 4,
    .depth = 5,
    .height = 2.5,
    .opening_count = 1,
    .openings = {{.wall = 2, .at = 1, .is_door = true}}};

static layout_thing thing_of(habits_footing footing,
                             double w,
                             double h,
                             double d)
{
    return (layout_thing){.footing = footing,
                          .told = true,
                          .count = 1,
                          .model_count = 1,
                          .models = {{.size = {w, h, d}}}};
}

static layout_plan *place(const layout_room *in,
                          const layout_thing *things,
                          uint32_t count,
                          uint64_t seed)
{
    etna_error err = {0};
    layout_plan *plan = calloc(1, sizeof *plan);
    assert_non_null(plan);
    if (layout_search(in, things, count, seed, plan, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return plan;
}

static layout_thing bed_of(double wide)
{
    layout_thing bed = thing_of(HABITS_AT_WALL, wide, 1, 2.1);
    bed.seat = true;
    return bed;
}

static void nightstands_are_at_the_head_of_the_bed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        layout_thing things[2] = {bed_of(1.6),
                                  thing_of(HABITS_AT_WALL, 0.5, 0.5, 0.4)};
        things[1].count = 2;
        things[1].tie_count = 1;
        things[1].ties[0] =
            (layout_tie){.relation = BRIEF_FLANK, .anchor = 0, .told = true};
        layout_plan *plan = place(&room, things, 2, seed);
        const layout_place *bed = &plan->items[0];
        for (int i = 1; i < 3; i++) {
            const layout_place *p = &plan->items[i];
            assert_true(p->placed);
            assert_int_equal(p->heading, bed->heading);
            bool turned = bed->heading & 1;
            double along = fabs(turned ? p->x - bed->x : p->z - bed->z);
            assert_true(fabs(along + 0.4 / 2 - 2.1 / 2) < 0.25);
        }
        free(plan);
    }
}

/* A wardrobe and a dresser that nobody told of fill a small room: the
 * nightstands that were named before them come, and what comes late is spared. */
static void what_is_named_first_comes_into_a_full_room(void **state)
{
    (void)state;
    layout_room small = room;
    small.width = 3;
    small.depth = 3.5;
    layout_thing things[4] = {bed_of(1.6),
                              thing_of(HABITS_AT_WALL, 0.5, 0.5, 0.4),
                              thing_of(HABITS_AT_WALL, 1.8, 2, 0.6),
                              thing_of(HABITS_AT_WALL, 1.6, 0.8, 0.6)};
    things[1].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){.relation = BRIEF_FLANK, .anchor = 0};
    for (int i = 1; i < 4; i++)
        things[i].told = false;
    layout_plan *plan = place(&small, things, 4, 1);
    for (int i = 0; i < 4; i++)
        assert_true(plan->items[i].placed);
    assert_false(plan->items[4].placed);
    assert_true(plan->items[4].spared);
    free(plan);
}

/* Where not all that is told finds room, smaller models are taken: but none that
 * is not as it is told to be, while one is that is. */
static void a_bed_as_wide_as_told_goes_before_a_small_one(void **state)
{
    (void)state;
    layout_room small = room;
    small.width = small.depth = 3;
    layout_thing things[3] = {bed_of(2), thing_of(HABITS_AT_WALL, 4, 1, 1),
                              thing_of(HABITS_AT_WALL, 1, 1, 0.6)};
    things[0].model_count = 3;
    things[0].models[1] = (layout_model){.size = {1.5, 1, 2.1}};
    things[0].models[2] = (layout_model){.size = {0.9, 1, 2}, .misfits = true};
    layout_plan *plan = place(&small, things, 3, 1);
    assert_true(plan->items[0].placed);
    assert_int_not_equal(plan->items[0].model, 2);
    free(plan);
}

/* Two stools have no room beside the bed, and would have without it. */
static void a_bed_goes_before_what_is_small(void **state)
{
    (void)state;
    const layout_room small = {.width = 2.2, .depth = 2.2, .height = 2.5};
    layout_thing things[2] = {bed_of(1.6),
                              thing_of(HABITS_AT_WALL, 0.7, 0.5, 0.7)};
    things[1].count = 2;
    layout_plan *plan = place(&small, things, 2, 1);
    assert_true(plan->items[0].placed);
    free(plan);
}

/* Four who sit at one table have a side each. */
static void who_sits_at_a_table_leaves_others_room(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        layout_thing things[2] = {thing_of(HABITS_FREE, 1.1, 0.75, 1.1),
                                  thing_of(HABITS_FREE, 0.45, 0.9, 0.5)};
        things[0].table = things[0].sat_at = true;
        things[1].seat = true;
        things[1].count = 4;
        things[1].tie_count = 1;
        things[1].ties[0] =
            (layout_tie){.relation = BRIEF_FRONT, .anchor = 0, .told = true};
        layout_plan *plan = place(&room, things, 2, seed);
        for (int i = 1; i < 5; i++) {
            for (int k = 1; k < i; k++)
                assert_int_not_equal(plan->items[i].heading,
                                     plan->items[k].heading);
        }
        free(plan);
    }
}

static void a_told_gap_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1.8, 0.8, 0.9),
                                  thing_of(HABITS_FREE, 1, 0.4, 0.6)};
        things[0].seat = true;
        things[1].table = true;
        things[1].tie_count = 1;
        things[1].ties[0] = (layout_tie){
            .relation = BRIEF_FRONT, .anchor = 0, .told = true, .gap = 0.7};
        layout_plan *plan = place(&room, things, 2, seed);
        const layout_place *a = &plan->items[0], *b = &plan->items[1];
        bool turned = a->heading & 1;
        double apart = fabs(turned ? a->x - b->x : a->z - b->z);
        double deep =
            things[1].models[0].size[(a->heading ^ b->heading) & 1 ? 0 : 2];
        assert_true(fabs(apart - (0.9 + deep) / 2 - 0.7) < 0.071);
        assert_true(
            layout_residual(&room, things, plan, 1, &things[1].ties[0]) < 1e-9);
        free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nightstands_are_at_the_head_of_the_bed),
        cmocka_unit_test(what_is_named_first_comes_into_a_full_room),
        cmocka_unit_test(who_sits_at_a_table_leaves_others_room),
        cmocka_unit_test(a_told_gap_is_kept),
        cmocka_unit_test(a_bed_goes_before_what_is_small),
        cmocka_unit_test(a_bed_as_wide_as_told_goes_before_a_small_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
