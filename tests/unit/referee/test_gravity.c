/* An engine of others lets things fall: what stands stays, what does not comes
 * down, and neither hollow things nor those that hang or were loose from the
 * start are blamed. */
#include "box_model.h"

#include "referee/physics.h"

static findings model_fall(model *m)
{
    const verify_wish wish = {.gravity = true, .no_reach = true};
    findings found;
    pair p = {m->pieces, m->count};
    assert_true(pair_verify(&p, NULL, 0, &wish, &found));
    return found;
}

static bool found_kind(const findings *found,
                       finding_kind kind,
                       const char *name)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->list[i].kind == kind &&
            strcmp(found->list[i].name, name) == 0)
            return true;
    }
    return false;
}

static void what_stands_stays_and_what_does_not_falls(void **state)
{
    (void)state;
    static const struct {
        point to;
        bool falls;
    } cases[] = {
        {{1, 1, 0.8002}, false},    /* on the table */
        {{1.45, 1, 0.8002}, false}, /* near its edge */
        {{1.52, 1, 0.8002}, true},  /* more than half over it */
        {{1, 1, 0.83}, true},       /* 3 cm above it */
        {{-1, 1, 0.1004}, false},   /* on the floor */
        {{1, 1, 0.795}, false},     /* sunk by less than counts */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model m = {.count = 0};
        model_with_table(&m);
        size_t box = model_box(&m, "box", (point){0.2, 0.2, 0.2},
                               (point){-1, -1, 0.1001});
        m.pieces[box].after.t = cases[i].to;
        findings found = model_fall(&m);
        assert_int_equal(found.fallen, 1);
        bool falls = found_kind(&found, FINDING_UNSTABLE, "box");
        if (falls != cases[i].falls)
            fail_msg("case %zu: %d", i, falls);
        model_free(&m, &found);
    }
}

static void the_same_fall_comes_out_the_same(void **state)
{
    (void)state;
    double shifts[2];
    for (int i = 0; i < 2; i++) {
        model m = {.count = 0};
        model_with_table(&m);
        size_t box = model_box(&m, "box", (point){0.2, 0.2, 0.2},
                               (point){-1, -1, 0.1001});
        m.pieces[box].after.t = (point){1.52, 1.1, 0.8002};
        findings found = model_fall(&m);
        shifts[i] = 0;
        for (size_t k = 0; k < found.count; k++)
            shifts[i] += found.list[k].depth_m;
        model_free(&m, &found);
    }
    assert_true(shifts[0] > 0.1 && shifts[0] == shifts[1]);
}

static void what_was_loose_from_the_start_is_left_out(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    size_t box = model_box(&m, "box", (point){0.2, 0.2, 0.2},
                           (point){-1, -1, 0.103}); /* held, by 3 mm of air */
    size_t lean = model_box(&m, "lean", (point){0.2, 0.2, 0.2},
                            /* over the edge already */
                            (point){1.58, 1, 0.8002});
    m.pieces[box].after.t = (point){-1, 1, 0.103};
    m.pieces[lean].after.t = (point){1, 1.58, 0.8002};
    findings found = model_fall(&m);
    assert_false(found_kind(&found, FINDING_UNSTABLE, "box"));
    assert_false(found_kind(&found, FINDING_UNSTABLE, "lean"));
    assert_true(found_kind(&found, FINDING_UNSTABLE_EVER, "lean"));
    model_free(&m, &found);
}

static void what_hangs_is_not_asked_to_stand(void **state)
{
    (void)state;
    model m = {.count = 0};
    model_with_table(&m);
    model_box(&m, "wall", (point){4, 0.1, 2.5}, (point){0, 2.05, 1.25});
    size_t picture = model_box(&m, "picture", (point){0.5, 0.03, 0.4},
                               (point){-1, 1.984, 1.5});
    m.pieces[picture].after.t = (point){0, 1.984, 1.5};
    findings found = model_fall(&m);
    assert_int_equal(found.fallen, 0);
    assert_int_equal(found.count, 0);
    model_free(&m, &found);
}

static void box_corners(point size, point at, point *to)
{
    model m = {.count = 0};
    model_box(&m, "box", size, at);
    for (int i = 0; i < 36; i++)
        to[i] = motion_apply(&m.pieces[0].after, m.pieces[0].corners[i]);
    free(m.pieces[0].name);
    free(m.pieces[0].root);
    free(m.pieces[0].corners);
}

static void a_hollow_thing_is_cut_so_that_others_fit_beneath_it(void **state)
{
    (void)state;
    /* A table that may fall, of a top and four legs, and a block that stays
     * between these. */
    static const double legs[4][2] = {
        {-0.45, -0.35}, {0.45, -0.35}, {-0.45, 0.35}, {0.45, 0.35}};
    point floor_corners[36], table[5 * 36], block[36];
    physics_drift drifts[3];
    box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
    box_corners((point){1, 0.8, 0.05}, (point){0, 0, 0.7251}, table);
    for (int i = 0; i < 4; i++)
        box_corners((point){0.06, 0.06, 0.7},
                    (point){legs[i][0], legs[i][1], 0.3502},
                    table + 36 * (i + 1));
    box_corners((point){0.5, 0.4, 0.5}, (point){0, 0, 0.25}, block);
    const physics_body bodies[] = {
        {floor_corners, 12, false}, {table, 60, true}, {block, 12, false}};
    assert_true(physics_settle(bodies, 3, drifts));
    assert_true(drifts[0].shift_m == 0 && drifts[2].shift_m == 0);
    if (drifts[1].shift_m > 0.002 || drifts[1].turn_deg > 0.5)
        fail_msg("the table came %g m, %g degrees", drifts[1].shift_m,
                 drifts[1].turn_deg);
}

static void sheets_and_nothing_are_borne(void **state)
{
    (void)state;
    point floor_corners[36];
    const point sheet[6] = {{0, 0, 0.001}, {0.3, 0, 0.001},   {0.3, 0.2, 0.001},
                            {0, 0, 0.001}, {0.3, 0.2, 0.001}, {0, 0.2, 0.001}};
    const point dot[3] = {{1, 1, 0.001}, {1, 1, 0.001}, {1, 1, 0.001}};
    physics_drift drifts[4];
    box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
    const physics_body bodies[] = {{floor_corners, 12, false},
                                   {sheet, 2, true},
                                   {dot, 1, true},
                                   {NULL, 0, true}};
    assert_true(physics_settle(bodies, 4, drifts));
    assert_true(drifts[1].shift_m < 0.01 && drifts[1].turn_deg < 5);
    assert_true(isfinite(drifts[2].shift_m));
    assert_true(drifts[3].shift_m == 0);
    assert_true(physics_settle(NULL, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_stays_and_what_does_not_falls),
        cmocka_unit_test(the_same_fall_comes_out_the_same),
        cmocka_unit_test(what_was_loose_from_the_start_is_left_out),
        cmocka_unit_test(what_hangs_is_not_asked_to_stand),
        cmocka_unit_test(a_hollow_thing_is_cut_so_that_others_fit_beneath_it),
        cmocka_unit_test(sheets_and_nothing_are_borne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
