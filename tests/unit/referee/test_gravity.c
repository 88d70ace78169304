/* An engine of others lets things fall: what stands stays, what does not comes
 * down, and neither hollow things nor those that hang or were loose from the
 * start are blamed. */
#include "box_model.h"

#include "referee/outline.h"
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
        assert_int_equal(found_kind(&found, FINDING_STAYS, "box"), !falls);
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
    const physics_body bodies[] = {{floor_corners, 12, false, false},
                                   {table, 60, true, true},
                                   {block, 12, false, false}};
    assert_true(physics_settle(bodies, 3, PHYSICS_PACE_COARSE, drifts));
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
    const physics_body bodies[] = {{floor_corners, 12, false, false},
                                   {sheet, 2, true, true},
                                   {dot, 1, true, true},
                                   {NULL, 0, true, true}};
    assert_true(physics_settle(bodies, 4, PHYSICS_PACE_COARSE, drifts));
    assert_true(drifts[1].shift_m < 0.01 && drifts[1].turn_deg < 5);
    assert_true(isfinite(drifts[2].shift_m));
    assert_true(drifts[3].shift_m == 0);
    assert_true(physics_settle(NULL, 0, PHYSICS_PACE_COARSE, NULL));
}

/* A strip of a shell of revolution about the vertical, `turns` quads: between
 * two circles. Their corners are seen from inside as glTF has a front. */
static size_t shell_ring(point *to, int turns, flat low, flat high, point at)
{
    size_t used = 0;
    for (int i = 0; i < turns; i++) {
        const double a = 2 * M_PI * i / turns, b = 2 * M_PI * (i + 1) / turns;
        const point p[4] = {{low.x * cos(a), low.x * sin(a), low.y},
                            {low.x * cos(b), low.x * sin(b), low.y},
                            {high.x * cos(b), high.x * sin(b), high.y},
                            {high.x * cos(a), high.x * sin(a), high.y}};
        static const int order[6] = {0, 2, 1, 0, 3, 2};
        for (int k = 0; k < 6; k++)
            to[used++] = point_add(p[order[k]], at);
    }
    return used;
}

enum {
    BOWL_TURNS = 24,
    BOWL_CORNERS = 3 * 6 * BOWL_TURNS
};

/* A bowl of 30 cm without thickness, 8 cm deep. */
static void bowl_corners(point at, point *to)
{
    static const flat rings[4] = {
        {0, 0}, {0.06, 0}, {0.12, 0.03}, {0.15, 0.08}};
    size_t used = 0;
    for (int i = 0; i < 3; i++)
        used += shell_ring(to + used, BOWL_TURNS, rings[i], rings[i + 1], at);
}

static void bowls_in_one_another_stay_so(void **state)
{
    (void)state;
    static const struct {
        point upper;
        bool falls;
    } cases[] = {
        {{0, 0, 0.0055}, false}, /* in it */
        {{0, 0, 0.12}, true},    /* above it */
        {{0.2, 0, 0.05}, true},  /* with one side on its rim */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        point floor_corners[36], lower[BOWL_CORNERS], upper[BOWL_CORNERS];
        physics_drift drifts[3];
        box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
        bowl_corners((point){0, 0, 0.0005}, lower);
        bowl_corners(cases[i].upper, upper);
        const physics_body bodies[] = {{floor_corners, 12, false, false},
                                       {lower, BOWL_CORNERS / 3, true, true},
                                       {upper, BOWL_CORNERS / 3, true, true}};
        assert_true(physics_settle(bodies, 3, PHYSICS_PACE_COARSE, drifts));
        bool falls = drifts[2].shift_m > 0.01 || drifts[2].turn_deg > 5;
        if (falls != cases[i].falls)
            fail_msg("case %zu: %g m, %g degrees", i, drifts[2].shift_m,
                     drifts[2].turn_deg);
    }
}

/* Two sheets that lean on one another, as a book lies on its face, with their
 * ridge along y. */
static size_t ridge_corners(double height, point *to)
{
    const point ends[6] = {{-0.15, -0.1, 0}, {-0.15, 0.1, 0}, {0, -0.1, height},
                           {0, 0.1, height}, {0.15, -0.1, 0}, {0.15, 0.1, 0}};
    static const int order[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
    for (int k = 0; k < 12; k++)
        to[k] = ends[order[k]];
    return 12;
}

static void what_lies_on_sheets_does_not_come_through_them(void **state)
{
    (void)state;
    static const struct {
        double middle;
        bool falls;
    } cases[] = {
        {0, false},   /* on the ridge */
        {0.07, true}, /* beside it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        point floor_corners[36], ridge[12], slab[36];
        physics_drift drifts[3];
        const double height = 0.04;
        box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
        ridge_corners(height, ridge);
        box_corners((point){0.2, 0.15, 0.006},
                    (point){cases[i].middle, 0, height + 0.0031}, slab);
        const physics_body bodies[] = {{floor_corners, 12, false, false},
                                       {ridge, 4, false, false},
                                       {slab, 12, true, true}};
        assert_true(physics_settle(bodies, 3, PHYSICS_PACE_COARSE, drifts));
        bool falls = drifts[2].shift_m > 0.01 || drifts[2].turn_deg > 5;
        if (falls != cases[i].falls)
            fail_msg("case %zu: %g m, %g degrees", i, drifts[2].shift_m,
                     drifts[2].turn_deg);
    }
}

/* The pages of an open book, as seen along its back: one heap that rises to the
 * middle and drops there to the other. Strips between these, cut `rows` times
 * along the back. */
enum {
    PAGE_ENDS = 12,
    PAGE_ROWS = 4,
    PAGE_CORNERS = 6 * (PAGE_ENDS - 1) * PAGE_ROWS
};

static size_t pages_corners(point *to)
{
    static const flat ends[PAGE_ENDS] = {
        {-0.14, 0.0014}, {-0.1, 0.0084}, {-0.065, 0.0158}, {-0.035, 0.0205},
        {-0.02, 0.0233}, {-0.01, 0.024}, {-0.005, 0.024},  {0, 0.0231},
        {0.005, 0.0172}, {0.02, 0.0183}, {0.08, 0.0192},   {0.14, 0.0192}};
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    size_t used = 0;
    for (int i = 0; i + 1 < PAGE_ENDS; i++) {
        for (int k = 0; k < PAGE_ROWS; k++) {
            const double low = -0.09 + 0.18 * k / PAGE_ROWS,
                         high = -0.09 + 0.18 * (k + 1) / PAGE_ROWS;
            const double z = ends[i].y, next = ends[i + 1].y;
            const point p[4] = {{ends[i].x, low, z},
                                {ends[i + 1].x, low, next},
                                {ends[i + 1].x, high, next},
                                {ends[i].x, high, z}};
            for (int c = 0; c < 6; c++)
                to[used++] = p[order[c]];
        }
    }
    return used;
}

/* It tilts by three degrees until it lies on the other heap, too. */
static void a_slab_on_a_crest_tilts_and_lies(void **state)
{
    (void)state;
    static const int paces[] = {PHYSICS_PACE_COARSE, PHYSICS_PACE_FINE};
    for (int i = 0; i < 6; i++) {
        point floor_corners[36], pages[PAGE_CORNERS], slab[36];
        physics_drift drifts[3];
        box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
        pages_corners(pages);
        box_corners((point){0.17, 0.24, 0.008},
                    (point){0.002 * (i / 2), 0, 0.0281}, slab);
        const physics_body bodies[] = {{floor_corners, 12, false, false},
                                       {pages, PAGE_CORNERS / 3, false, false},
                                       {slab, 12, true, true}};
        assert_true(physics_settle(bodies, 3, paces[i % 2], drifts));
        bool lies = drifts[2].shift_m < 0.005 && drifts[2].turn_deg > 1 &&
                    drifts[2].turn_deg < 4;
        if (!lies)
            fail_msg("case %d: %g m, %g degrees", i, drifts[2].shift_m,
                     drifts[2].turn_deg);
    }
}

/* A plate that is loaded sinks by more than half of itself into a sheet of no
 * thickness, whose other side is nearer then: it is not pushed out there. */
static void a_loaded_plate_is_not_pushed_through_a_sheet(void **state)
{
    (void)state;
    static const double thick[] = {0.001, 0.002, 0.004};
    const double height = 0.3, load = 0.3;
    const point sheet[6] = {{-0.3, -0.3, height}, {0.3, -0.3, height},
                            {0.3, 0.3, height},   {-0.3, -0.3, height},
                            {0.3, 0.3, height},   {-0.3, 0.3, height}};
    for (size_t i = 0; i < sizeof thick / sizeof *thick; i++) {
        point floor_corners[36], plate[36], box[36];
        physics_drift drifts[4];
        box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
        box_corners((point){0.2, 0.15, thick[i]},
                    (point){0, 0, height + thick[i] / 2 + 0.0001}, plate);
        box_corners((point){load, load, load},
                    (point){0, 0, height + thick[i] + load / 2 + 0.0002}, box);
        const physics_body bodies[] = {{floor_corners, 12, false, false},
                                       {sheet, 2, false, false},
                                       {plate, 12, true, true},
                                       {box, 12, true, true}};
        assert_true(physics_settle(bodies, 4, PHYSICS_PACE_COARSE, drifts));
        if (drifts[2].shift_m > 0.01)
            fail_msg("a plate of %g m came %g m", thick[i], drifts[2].shift_m);
    }
}

static void what_is_far_away_changes_nothing(void **state)
{
    (void)state;
    point floor_corners[36], near[36], far[36];
    physics_drift alone[2], both[3];
    box_corners((point){4, 4, 0.1}, (point){0, 0, -0.05}, floor_corners);
    box_corners((point){0.1, 0.1, 0.1}, (point){0, 0, 0.08}, near);
    box_corners((point){0.1, 0.1, 0.1}, (point){1, 1, 0.3}, far);
    const physics_body bodies[] = {{floor_corners, 12, false, false},
                                   {near, 12, true, true},
                                   {far, 12, true, false}};
    assert_true(physics_settle(bodies, 2, PHYSICS_PACE_COARSE, alone));
    assert_true(physics_settle(bodies, 3, PHYSICS_PACE_COARSE, both));
    assert_true(alone[1].shift_m > 0.02);
    assert_true(alone[1].shift_m == both[1].shift_m);
    /* nobody asked for it */
    assert_true(both[2].shift_m == 0);
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
        cmocka_unit_test(bowls_in_one_another_stay_so),
        cmocka_unit_test(what_lies_on_sheets_does_not_come_through_them),
        cmocka_unit_test(a_slab_on_a_crest_tilts_and_lies),
        cmocka_unit_test(a_loaded_plate_is_not_pushed_through_a_sheet),
        cmocka_unit_test(what_is_far_away_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
