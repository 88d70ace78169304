/* Floating: what a person would call standing, hanging and hovering. */
#include "tests/unit/worker/space/fixture.h"

static space_support_state compute(fixture *f,
                                   const space_support_state *start,
                                   const bool *by_contact)
{
    const space_rules rules = {0};
    space_support_state state;
    etna_error err = {0};
    assert_int_equal(space_support_compute(f->space, &rules, start, by_contact,
                                           &state, &err),
                     ETNA_OK);
    return state;
}

static bool stands_on(const space_support_state *state,
                      uint32_t object,
                      uint32_t by)
{
    for (uint32_t i = 0; i < state->edge_count; i++)
        if (state->edges[i].object == object && state->edges[i].by == by)
            return true;
    return false;
}

/* A floor of 6 m, 20 cm thick, its top at z 0. */
static uint32_t add_floor(scene_builder *b)
{
    return scene_builder_object(b, "floor", scene_builder_box(b, 6, 6, 0.2),
                                scene_builder_at(0, 0, -0.1, 0), true);
}

/* A table, 1.6 x 0.8 x 0.75 m, on four legs of 4 cm: thinner than a cell of the
 * grid. */
static uint32_t add_table(scene_builder *b, double x, double y, double yaw)
{
    double a = yaw * MATH_PI / 180;
    uint32_t leg = scene_builder_box(b, 0.04, 0.04, 0.71);
    uint32_t table =
        scene_builder_object(b, "table", scene_builder_box(b, 1.6, 0.8, 0.04),
                             scene_builder_at(x, y, 0.73, yaw), false);
    for (int i = 0; i < 4; i++) {
        double u = i & 1 ? 0.77 : -0.77, v = i & 2 ? 0.37 : -0.37;
        scene_builder_part(b, leg,
                           scene_builder_at(x + cos(a) * u - sin(a) * v,
                                            y + sin(a) * u + cos(a) * v, 0.355,
                                            yaw));
    }
    return table;
}

static void a_table_stands_on_thin_legs_and_carries_a_stack(void **state)
{
    (void)state;
    for (int turned = 0; turned < 3; turned++) {
        scene_builder *b = scene_builder_new();
        uint32_t ground = add_floor(b),
                 table = add_table(b, 0.3, 0.2, 25 * turned),
                 book = scene_builder_box(b, 0.2, 0.15, 0.008);
        uint32_t lower = scene_builder_object(
            b, "lower", book, scene_builder_at(0.3, 0.2, 0.754, 10), false);
        uint32_t upper = scene_builder_object(
            b, "upper", book, scene_builder_at(0.31, 0.2, 0.762, 20), false);
        uint32_t cup = scene_builder_object(
            b, "cup", scene_builder_cup(b, 0.035, 0.04, 0.1, 0.005, 32),
            scene_builder_at(0.31, 0.2, 0.766, 0), false);
        fixture f = fixture_open(b);
        space_support_state s = compute(&f, NULL, NULL);
        assert_int_equal(s.support[ground], SUPPORT_STATIC);
        assert_int_equal(s.support[table], SUPPORT_GROUNDED);
        assert_int_equal(s.support[lower], SUPPORT_GROUNDED);
        assert_int_equal(s.support[upper], SUPPORT_GROUNDED);
        assert_int_equal(s.support[cup], SUPPORT_GROUNDED);
        assert_true(stands_on(&s, table, ground) &&
                    stands_on(&s, lower, table) &&
                    stands_on(&s, upper, lower) && stands_on(&s, cup, upper));
        assert_false(stands_on(&s, lower, upper) || stands_on(&s, upper, cup) ||
                     stands_on(&s, table, lower) ||
                     stands_on(&s, ground, table));
        space_support_free(&s);
        fixture_close(&f);
    }
}

static void taking_the_table_away_breaks_what_stood_on_it(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t table = add_table(b, 0, 0, 0),
             cube = scene_builder_box(b, 0.1, 0.1, 0.1);
    uint32_t block = scene_builder_object(
        b, "block", cube, scene_builder_at(0, 0, 0.8, 0), false);
    uint32_t other = scene_builder_object(
        b, "other", cube, scene_builder_at(0, 0, 0.9, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL);
    fixture_move(&f, table, 0, 2, 0, 0);
    space_support_state now = compute(&f, &start, NULL);
    bool moved[4] = {false, true, false, false};
    uint32_t found[4];
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 2);
    assert_int_equal(found[0], block);
    assert_int_equal(found[1], other);
    assert_true(fabs(now.gap[block] - 0.75) < 1e-6);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 1), 1);
    space_support_free(&start);
    space_support_free(&now);
    fixture_close(&f);
}

static void a_plank_lies_over_a_gap_and_falls_past_an_edge(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t block = scene_builder_box(b, 0.2, 0.4, 0.4);
    uint32_t left = scene_builder_object(
        b, "left", block, scene_builder_at(-0.5, 0, 0.2, 0), false);
    uint32_t right = scene_builder_object(
        b, "right", block, scene_builder_at(0.5, 0, 0.2, 0), false);
    uint32_t plank =
        scene_builder_object(b, "plank", scene_builder_box(b, 1.1, 0.2, 0.03),
                             scene_builder_at(0, 0, 0.415, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[plank], SUPPORT_GROUNDED);
    assert_true(stands_on(&start, plank, left) &&
                stands_on(&start, plank, right));
    bool moved[4] = {false, false, false, true};
    uint32_t found[4];
    fixture_move(&f, plank, 0.45, 0, 0,
                 /* from -0.1: only right carries it, at 0.4 to 0.6; its centre
                  * is at 0.45 */
                 0);
    space_support_state now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 0);
    space_support_free(&now);
    /* centre at 0.62: past the edge by more than 5 mm */
    fixture_move(&f, plank, 0.17, 0, 0, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 1);
    assert_int_equal(found[0], plank);
    assert_true(now.gap[plank] < 1e-6);
    space_support_free(&now);
    fixture_move(&f, plank, -0.06, 0, 0,
                 /* 0.56: before the edge by less than a cell of the grid of its
                  * underside */
                 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 0);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void pictures_and_lamps_hang_until_they_are_moved(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t wall =
        scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2.5),
                             scene_builder_at(2, 0, 1.25, 0), true);
    uint32_t ceiling =
        scene_builder_object(b, "ceiling", scene_builder_box(b, 4, 4, 0.1),
                             scene_builder_at(0, 0, 2.55, 0), true);
    uint32_t picture =
        scene_builder_object(b, "picture", scene_builder_box(b, 0.02, 0.5, 0.4),
                             scene_builder_at(1.935, 0, 1.5, 0), false);
    uint32_t lamp =
        scene_builder_object(b, "lamp", scene_builder_sphere(b, 0.1, 12),
                             scene_builder_at(0, 0, 1.9, 0), false);
    scene_builder_part(b, scene_builder_cylinder(b, 0.005, 0.5, 8),
                       scene_builder_at(0, 0, 2.25, 0));
    uint32_t charm =
        scene_builder_object(b, "charm", scene_builder_box(b, 0.02, 0.02, 0.02),
                             scene_builder_at(0, 0, 1.785, 0), false);
    uint32_t hover =
        scene_builder_object(b, "hover", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(-1, 0, 1.05, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[picture], SUPPORT_ATTACHED);
    assert_int_equal(start.support[lamp], SUPPORT_ATTACHED);
    assert_int_equal(start.support[charm], SUPPORT_ATTACHED);
    assert_true(stands_on(&start, picture, wall) &&
                stands_on(&start, lamp, ceiling) &&
                stands_on(&start, charm, lamp));
    assert_int_equal(start.support[hover], SUPPORT_HOVERING);
    assert_true(fabs(start.gap[hover] - 1) < 1e-6);
    uint32_t found[7];
    bool moved[7] = {false};
    /* still at the wall, but nobody fastened it there */
    fixture_move(&f, picture, 0, 0.3, 0, 0);
    moved[picture] = true;
    space_support_state now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 7), 1);
    assert_int_equal(found[0], picture);
    space_support_free(&now);
    bool fastened[7] = {false};
    fastened[picture] = true;
    now = compute(&f, &start, fastened);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 7), 0);
    assert_int_equal(now.support[picture], SUPPORT_ATTACHED);
    assert_true(now.attached_by_contact[picture]);
    space_support_free(&now);
    fixture_move(&f, lamp, 0.5, 0, -1.8,
                 0); /* to the floor; the charm at its foot stays in the air */
    moved[lamp] = true;
    now = compute(&f, &start, fastened);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 7), 1);
    assert_int_equal(found[0], charm);
    assert_int_equal(now.support[lamp], SUPPORT_GROUNDED);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void a_rug_lies_under_a_chair_and_not_on_it(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        scene_builder *b = scene_builder_new();
        uint32_t ground = add_floor(b),
                 mesh = open ? scene_builder_sheet(b, 2, 1.5, 8)
                             : scene_builder_box(b, 2, 1.5, 0.004);
        double top = open ? 0.001 : 0.004;
        uint32_t rug = scene_builder_object(
            b, "rug", mesh, scene_builder_at(0, 0, open ? 0.001 : 0.002, 0),
            false);
        uint32_t leg = scene_builder_box(b, 0.03, 0.03, 0.4);
        uint32_t chair = scene_builder_object(
            b, "chair", scene_builder_box(b, 0.4, 0.4, 0.03),
            scene_builder_at(0.1, 0.1, top + 0.415, 30), false);
        for (int i = 0; i < 4; i++)
            scene_builder_part(b, leg,
                               scene_builder_at(0.1 + (i & 1 ? 0.1 : -0.1),
                                                0.1 + (i & 2 ? 0.1 : -0.1),
                                                top + 0.2, 30));
        fixture f = fixture_open(b);
        space_support_state s = compute(&f, NULL, NULL);
        assert_int_equal(s.support[rug], SUPPORT_GROUNDED);
        assert_int_equal(s.support[chair], SUPPORT_GROUNDED);
        assert_true(stands_on(&s, chair, rug) && stands_on(&s, rug, ground));
        assert_false(stands_on(&s, rug, chair));
        space_support_free(&s);
        fixture_close(&f);
    }
}

/* A box of sheets, open above, and a rod that lies on its bottom: the rod is
 * the lower one, and stands on the box all the same. */
static void what_lies_in_a_box_of_sheets_stands_on_it(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ground = add_floor(b),
             side = scene_builder_box(b, 0.4, 0.002, 0.3);
    uint32_t box =
        scene_builder_object(b, "box", scene_builder_sheet(b, 0.4, 0.4, 4),
                             scene_builder_at(0, 0, 0.0002, 0), false);
    scene_builder_part(b, side, scene_builder_at(0, 0.2, 0.1502, 0));
    scene_builder_part(b, side, scene_builder_at(0, -0.2, 0.1502, 0));
    uint32_t rod =
        scene_builder_object(b, "rod", scene_builder_box(b, 0.3, 0.03, 0.03),
                             scene_builder_at(0, 0, 0.0154, 0), false);
    fixture f = fixture_open(b);
    space_support_state s = compute(&f, NULL, NULL);
    assert_true(stands_on(&s, rod, box) && stands_on(&s, box, ground));
    assert_false(stands_on(&s, box, rod));
    assert_int_equal(s.support[rod], SUPPORT_GROUNDED);
    space_support_free(&s);
    fixture_close(&f);
}

static void pedestals_balls_and_tilted_things_stand_and_hovering_ones_may_stay(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ground = add_floor(b);
    uint32_t pedestal = scene_builder_object(
        b, "pedestal", scene_builder_cylinder(b, 0.5, 0.03, 32),
        scene_builder_at(1, 1, 0.7, 0), false);
    scene_builder_part(b, scene_builder_cylinder(b, 0.03, 0.685, 16),
                       scene_builder_at(1, 1, 0.3425, 0));
    uint32_t ball =
        scene_builder_object(b, "ball", scene_builder_sphere(b, 0.1, 24),
                             scene_builder_at(-1, 1, 0.1, 0), false);
    affine tilted = {{{0.8, 0, 0.6}, {0, 1, 0}, {-0.6, 0, 0.8}},
                     /* a cube on its edge, out of balance */
                     {-1, -1, 0.05 * 0.6 + 0.05 * 0.8}};
    uint32_t edge = scene_builder_object(
        b, "edge", scene_builder_box(b, 0.1, 0.1, 0.1), tilted, false);
    uint32_t low =
        scene_builder_object(b, "low", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(0, -1, 0.07, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[pedestal], SUPPORT_GROUNDED);
    assert_int_equal(start.support[ball], SUPPORT_GROUNDED);
    assert_true(stands_on(&start, ball, ground));
    assert_int_not_equal(start.support[edge], SUPPORT_HOVERING);
    assert_int_equal(start.support[low], SUPPORT_HOVERING);
    assert_true(fabs(start.gap[low] - 0.02) < 1e-6);
    uint32_t found[5];
    bool moved[5] = {false};
    space_support_state now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 5),
                     0); /* it hovered from the start */
    space_support_free(&now);
    fixture_move(&f, low, 0.1, 0, 0, 0);
    moved[low] = true;
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 5),
                     1); /* once moved it must stand */
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void a_wall_shelf_carries_and_sunken_things_are_held(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ground = add_floor(b),
             book = scene_builder_box(b, 0.15, 0.2, 0.03),
             cube = scene_builder_box(b, 0.1, 0.1, 0.1);
    uint32_t wall =
        scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2.5),
                             scene_builder_at(2, 0, 1.25, 0), true);
    uint32_t shelf =
        scene_builder_object(b, "shelf", scene_builder_box(b, 0.2, 1, 0.03),
                             /* 4 mm before the wall */
                             scene_builder_at(1.846, 0, 1.2, 0), false);
    uint32_t lies = scene_builder_object(
        b, "lies", book, scene_builder_at(1.85, 0.2, 1.23, 0), false);
    uint32_t guest = scene_builder_object(
        b, "guest", book, scene_builder_at(0, 0, 0.015, 0), false);
    uint32_t sunk = scene_builder_object(b, "sunk", cube,
                                         scene_builder_at(-1, 0, 0.044, 15),
                                         false); /* by 6 mm */
    uint32_t deep = scene_builder_object(b, "deep", cube,
                                         scene_builder_at(-1, 1, 0.035, 15),
                                         false); /* by 15 mm */
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_int_equal(start.support[shelf], SUPPORT_ATTACHED);
    assert_int_equal(start.support[lies], SUPPORT_GROUNDED);
    assert_true(stands_on(&start, shelf, wall) &&
                stands_on(&start, lies, shelf));
    assert_int_equal(start.support[sunk], SUPPORT_GROUNDED);
    assert_int_equal(
        start.support[deep],
        /* no surface within reach under it, but it touches the floor */
        SUPPORT_ATTACHED);
    assert_true(stands_on(&start, deep, ground));
    bool moved[8] = {false};
    uint32_t found[8];
    moved[guest] = true;
    fixture_move(&f, guest, 1.85, -0.2, 1.215, 0); /* onto the shelf */
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[guest], SUPPORT_GROUNDED);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 8), 0);
    space_support_free(&now);
    moved[shelf] = true;
    /* off the wall: it falls, and so do the books */
    fixture_move(&f, shelf, -0.03, 0, 0, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 8), 3);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

/* A table 4 cm above the floor with a stack on it, as real files have them. */
static void what_hovers_from_the_start_carries_while_it_stays(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t cube = scene_builder_box(b, 0.1, 0.1, 0.1);
    uint32_t table =
        scene_builder_object(b, "table", scene_builder_box(b, 1, 1, 0.1),
                             scene_builder_at(0, 0, 0.09, 0), false);
    uint32_t lower = scene_builder_object(
        b, "lower", cube, scene_builder_at(0.2, 0, 0.19, 0), false);
    uint32_t upper = scene_builder_object(
        b, "upper", cube, scene_builder_at(0.2, 0, 0.29, 0), false);
    uint32_t guest = scene_builder_object(
        b, "guest", cube, scene_builder_at(2, 0, 0.05, 0), false);
    uint32_t found[4];
    bool moved[5] = {false};
    fixture f = fixture_open(b);
    const space_rules rules = {0}, paper = {.paper_floating = true};
    space_check check;
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_int_equal(start.support[table], SUPPORT_HOVERING);
    assert_int_equal(start.support[lower], SUPPORT_GROUNDED);
    assert_int_equal(start.support[upper], SUPPORT_GROUNDED);
    assert_int_equal(space_check_all(f.space, &rules, &check, NULL), ETNA_OK);
    assert_int_equal(check.floating_count, 1);
    assert_int_equal(check.floating[0], table);
    space_check_free(&check);
    assert_int_equal(
        space_support_compute(f.space, &paper, NULL, NULL, &now, NULL),
        ETNA_OK);
    assert_int_equal(now.support[table],
                     /* the paper's rule asks for no chain and knows no base */
                     SUPPORT_HOVERING);
    assert_int_equal(now.support[lower], SUPPORT_GROUNDED);
    space_support_free(&now);

    fixture_move(&f, guest, -2.2, 0, 0.14, 0); /* onto the table */
    moved[guest] = true;
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[guest], SUPPORT_GROUNDED);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 0);
    space_support_free(&now);

    /* once moved it hovers and carries nobody */
    fixture_move(&f, table, 0, 0.1, 0, 0);
    moved[table] = true;
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 4);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void hovering_neighbours_do_not_hold_each_other(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t cube = scene_builder_box(b, 0.1, 0.1, 0.1), far;
    uint32_t one = scene_builder_object(b, "one", cube,
                                        scene_builder_at(0, 0, 0.5, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", cube, scene_builder_at(0.105, 0, 0.5, 0), false);
    uint32_t under = scene_builder_object(
        b, "under", cube, scene_builder_at(1, 0, 0.5, 0), false);
    uint32_t half =
        scene_builder_object(b, "half", cube, scene_builder_at(1.06, 0, 0.6, 0),
                             false); /* would tip over */
    far = scene_builder_object(b, "far", cube, scene_builder_at(-1, 0, 0.05, 0),
                               false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_int_equal(start.support[one], SUPPORT_HOVERING);
    assert_int_equal(start.support[two], SUPPORT_HOVERING);
    assert_int_equal(start.support[under], SUPPORT_HOVERING);
    assert_int_equal(start.support[half], SUPPORT_HOVERING);
    bool moved[6] = {false}, fastened[6] = {false};
    uint32_t found[6];
    fixture_move(&f, far, 0.9, 0, 0.45,
                 /* to the side of `one`: nothing, until a Contact side fastens
                  * it */
                 0);
    moved[far] = true;
    now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 6), 1);
    space_support_free(&now);
    fastened[far] = true;
    now = compute(&f, &start, fastened);
    assert_int_equal(now.support[far], SUPPORT_ATTACHED);
    assert_true(stands_on(&now, far, one));
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void the_centre_of_mass_decides_at_the_true_edge(void **state)
{
    (void)state;
    for (int turned = 0; turned < 4; turned++) {
        scene_builder *b = scene_builder_new();
        add_floor(b);
        double a = 17 * turned * MATH_PI / 180;
        uint32_t shelf = scene_builder_box(b, 1, 0.3, 0.03),
                 book = scene_builder_box(b, 0.4, 0.2, 0.04);
        uint32_t wall = scene_builder_object(
            b, "shelf", shelf, scene_builder_at(0, 0, 1, 17 * turned), true);
        /* along the shelf's own x, the book's middle 2 mm before its end at 0.5
         * m, less than a cell of the grid */
        uint32_t lies = scene_builder_object(
            b, "book", book,
            scene_builder_at(0.498 * cos(a), 0.498 * sin(a), 1.035,
                             17 * turned),
            false);
        fixture f = fixture_open(b);
        space_support_state s = compute(&f, NULL, NULL), now;
        assert_int_equal(s.support[lies], SUPPORT_GROUNDED);
        assert_true(stands_on(&s, lies, wall));
        /* 14 mm past it */
        fixture_move(&f, lies, 0.016 * cos(a), 0.016 * sin(a), 0, 0);
        now = compute(&f, &s, NULL);
        assert_int_equal(now.support[lies], SUPPORT_HOVERING);
        space_support_free(&now);
        space_support_free(&s);
        fixture_close(&f);
    }
}

/* A foot, and most of its mesh above to one side of that: its mass cannot be
 * where the mesh says. */
static uint32_t add_mower(scene_builder *b, double x, double y)
{
    uint32_t mower =
        scene_builder_object(b, "mower", scene_builder_box(b, 0.3, 0.3, 0.1),
                             scene_builder_at(x, y, 0.05, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.3, 0.3, 0.3),
                       scene_builder_at(x + 0.3, y, 0.25, 0));
    return mower;
}

static void what_stood_out_of_balance_by_itself_stands_so_elsewhere(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t mower = add_mower(b, 0, 0);
    uint32_t shelf =
        scene_builder_object(b, "shelf", scene_builder_box(b, 1, 1, 0.03),
                             scene_builder_at(-1, 0, 1, 0), true);
    uint32_t past =
        scene_builder_object(b, "past", scene_builder_box(b, 0.2, 0.2, 0.02),
                             scene_builder_at(-0.45, 0, 1.025, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_true(start.overhang[mower] > 0.02);
    /* on a level it would lie: here it does not, wherever the file has it */
    assert_true(start.overhang[past] == 0);
    bool moved[4] = {false};
    uint32_t found[4];
    space_stand alone;
    for (int turned = 0; turned < 3; turned++) {
        fixture_move(&f, mower, 0.4, 0.2, 0, 50);
        moved[mower] = true;
        now = compute(&f, &start, NULL);
        assert_int_equal(now.support[mower], SUPPORT_GROUNDED);
        assert_int_equal(space_support_broken(&start, &now, moved, found, 4),
                         0);
        space_support_free(&now);
        assert_int_equal(space_stand_find(f.space, &start, mower, &alone, NULL),
                         ETNA_OK);
        assert_true(alone.steady);
        assert_int_equal(space_stand_find(f.space, NULL, mower, &alone, NULL),
                         ETNA_OK);
        assert_false(alone.steady);
    }
    fixture_move(&f, past, 0, 0.1, 0, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[past], SUPPORT_HOVERING);
    assert_true(stands_on(&now, past, shelf));
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

/* It was carried all around by what it was on, as a helmet is by a head: on a
 * level floor its middle is a centimetre past its foot. */
static void what_could_never_stand_on_a_level_rests_there_as_it_can(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t helmet =
        scene_builder_object(b, "helmet", scene_builder_box(b, 0.2, 0.3, 0.02),
                             scene_builder_at(0, 0, 0.01, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.3, 0.3, 0.3),
                       scene_builder_at(0.12, 0, 0.17, 0));
    scene_builder_object(b, "shoulder", scene_builder_box(b, 0.1, 0.3, 0.02),
                         scene_builder_at(0.15, 0, 0.01, 0), true);
    scene_builder_object(b, "table", scene_builder_box(b, 1, 1, 0.5),
                         scene_builder_at(-2, 0, 0.25, 0), true);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_true(start.overhang[helmet] == 0);
    fixture_move(&f, helmet, -2, 0, 0.5, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[helmet], SUPPORT_GROUNDED);
    space_support_free(&now);
    /* half of its foot is past the table's edge */
    fixture_move(&f, helmet, 0.5, 0, 0, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[helmet], SUPPORT_HOVERING);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void it_may_lean_out_no_farther_and_what_leaned_may_not_stand(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t mower = add_mower(b, 2, 0), leans = add_mower(b, -2, 0);
    scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 2, 2),
                         scene_builder_at(-1.496, 0, 1, 0), true);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL), now;
    assert_true(start.overhang[mower] > 0.02);
    assert_true(start.overhang[leans] == 0);
    /* half of its feet is past the floor's edge */
    fixture_move(&f, mower, 0.95, 0, 0, 0);
    fixture_move(&f, leans, -0.3, 0, 0, 0);
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[mower], SUPPORT_HOVERING);
    assert_int_equal(now.support[leans], SUPPORT_HOVERING);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void the_paper_asks_one_ray(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t table = add_table(b, 0, 0, 0),
             block = scene_builder_box(b, 0.2, 0.4, 0.4);
    scene_builder_object(b, "left", block, scene_builder_at(-0.5, 2, 0.2, 0),
                         false);
    scene_builder_object(b, "right", block, scene_builder_at(0.5, 2, 0.2, 0),
                         false);
    uint32_t plank =
        scene_builder_object(b, "plank", scene_builder_box(b, 1.1, 0.2, 0.03),
                             scene_builder_at(0, 2, 0.415, 0), false);
    uint32_t cube =
        scene_builder_object(b, "cube", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(2, 0, 0.05, 0), false);
    fixture f = fixture_open(b);
    const space_rules paper = {.paper_floating = true};
    space_support_state s;
    assert_int_equal(
        space_support_compute(f.space, &paper, NULL, NULL, &s, NULL), ETNA_OK);
    assert_int_equal(s.support[table], SUPPORT_GROUNDED);
    assert_int_equal(s.support[plank], SUPPORT_HOVERING); /* over the gap */
    assert_int_equal(s.support[cube], SUPPORT_GROUNDED);
    space_support_free(&s);
    fixture_close(&f);
}

static void a_check_lists_pairs_and_floating_things_and_spares_the_building(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ground = add_floor(b);
    uint32_t wall =
        scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2.5),
                             /* 10 cm into the floor */
                             scene_builder_at(2, 0, 1.15, 0), true);
    uint32_t cube = scene_builder_box(b, 0.2, 0.2, 0.2);
    uint32_t shelf =
        scene_builder_object(b, "shelf", cube, scene_builder_at(1.89, 1, 1, 0),
                             false); /* 4 cm into the wall */
    uint32_t one = scene_builder_object(b, "one", cube,
                                        scene_builder_at(0, 0, 0.1, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", cube, scene_builder_at(0.17, 0, 0.1, 0), false);
    uint32_t up = scene_builder_object(b, "up", cube,
                                       scene_builder_at(-1, 0, 1, 0), false);
    scene *s = scene_builder_scene(b);
    fixture f = fixture_open(b);
    const space_rules rules = {0};
    space_check check;
    assert_int_equal(space_mark_static_by_cut(f.shared, NULL), ETNA_OK);
    assert_true(s->objects[shelf].is_static && s->objects[shelf].static_by_cut);
    assert_false(s->objects[one].is_static);
    assert_int_equal(space_check_all(f.space, &rules, &check, NULL), ETNA_OK);
    assert_int_equal(check.pair_count, 2);
    assert_true(check.pairs[0].a == wall && check.pairs[0].b == shelf &&
                fabs(check.pairs[0].depth - 0.04) < 2e-4);
    assert_true(check.pairs[1].a == one && check.pairs[1].b == two &&
                fabs(check.pairs[1].depth - 0.03) < 2e-4);
    assert_int_equal(check.floating_count, 1);
    assert_int_equal(check.floating[0], up);
    (void)ground;
    space_check_free(&check);
    fixture_close(&f);
}

static void what_stands_too_deep_in_the_ground_may_move_and_does_not_float(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    const uint32_t trunk = scene_builder_box(b, 0.1, 0.1, 1);
    uint32_t ground = add_floor(b);
    uint32_t tree = scene_builder_object(
        b, "tree", trunk, scene_builder_at(0, 0, 0.46, 0), false);
    uint32_t post = /* 15 cm into the ground */
        scene_builder_object(b, "post", trunk, scene_builder_at(1, 0, 0.35, 0),
                             false);
    scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2.5),
                         scene_builder_at(2, 0, 1.25, 0), true);
    uint32_t shelf = /* 4 cm into the wall */
        scene_builder_object(b, "shelf", scene_builder_box(b, 0.2, 0.2, 0.8),
                             scene_builder_at(1.89, 0, 1, 0), false);
    scene *s = scene_builder_scene(b);
    fixture f = fixture_open(b);
    assert_int_equal(space_mark_static_by_cut(f.shared, NULL), ETNA_OK);
    assert_false(s->objects[tree].is_static);
    assert_true(s->objects[post].static_by_cut);
    assert_true(s->objects[shelf].static_by_cut);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[tree], SUPPORT_GROUNDED);
    assert_true(stands_on(&start, tree, ground));
    space_support_free(&start);
    fixture_close(&f);
}

static void sloppily_placed_furniture_may_move_and_fixtures_may_not(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    /* the island is the ground; the floor in it is not */
    scene_builder_object(b, "island", scene_builder_box(b, 9, 9, 1),
                         scene_builder_at(0, 0, -1, 0), true);
    uint32_t ground =
        scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                             scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "wall", scene_builder_box(b, 0.1, 4, 2.5),
                         scene_builder_at(2, 0, 1.25, 0), true);
    uint32_t chair = /* 3 cm into the floor */
        scene_builder_object(b, "chair", scene_builder_box(b, 0.4, 0.4, 0.8),
                             scene_builder_at(0, 0, 0.37, 30), false);
    uint32_t bed = /* 5 cm into the wall, 2 cm into the floor */
        scene_builder_object(b, "bed", scene_builder_box(b, 2, 1, 0.5),
                             scene_builder_at(1, 1, 0.23, 0), false);
    uint32_t skirting = /* as deep in the wall as it is thick, nearly */
        scene_builder_object(b, "skirting", scene_builder_box(b, 0.02, 3, 0.1),
                             scene_builder_at(1.954, -1.5, 0.05, 0), false);
    scene *s = scene_builder_scene(b);
    fixture f = fixture_open(b);
    assert_int_equal(space_mark_static_by_cut(f.shared, NULL), ETNA_OK);
    assert_false(s->objects[chair].is_static);
    assert_false(s->objects[bed].is_static);
    assert_true(s->objects[skirting].static_by_cut);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[chair], SUPPORT_GROUNDED);
    assert_true(stands_on(&start, chair, ground));
    space_support_free(&start);
    fixture_close(&f);
}

static void taking_what_lies_far_below_a_hovering_thing_breaks_nothing(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    add_floor(b);
    uint32_t high_book =
        scene_builder_object(b, "book a", scene_builder_box(b, 0.2, 0.2, 0.03),
                             scene_builder_at(0, 0, 0.015, 0), false);
    uint32_t lamp =
        scene_builder_object(b, "lamp", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(0, 0, 1.2, 0), false);
    uint32_t low_book =
        scene_builder_object(b, "book b", scene_builder_box(b, 0.2, 0.2, 0.03),
                             scene_builder_at(1, 0, 0.015, 0), false);
    uint32_t near =
        scene_builder_object(b, "near", scene_builder_box(b, 0.1, 0.1, 0.1),
                             scene_builder_at(1, 0, 0.12, 0), false);
    fixture f = fixture_open(b);
    space_support_state start = compute(&f, NULL, NULL);
    assert_int_equal(start.support[lamp], SUPPORT_HOVERING);
    assert_int_equal(start.support[near], SUPPORT_HOVERING);
    fixture_move(&f, high_book, 0, 1, 0, 0);
    fixture_move(&f, low_book, 0, 1, 0, 0);
    bool moved[5] = {false};
    moved[high_book] = moved[low_book] = true;
    uint32_t found[5];
    space_support_state now = compute(&f, &start, NULL);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 5), 1);
    assert_int_equal(found[0],
                     /* its gap was 4 cm: the book held it up as far as anybody
                      * can tell */
                     near);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

/* Three cubes of 10 cm whose bottoms share a height, with nothing below, and a
 * fourth on the first. */
static void things_that_share_a_height_stand_on_the_level(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 0.1, 0.1, 0.1), cubes[3];
    for (int i = 0; i < 3; i++)
        cubes[i] = scene_builder_object(
            b, "cube", cube, scene_builder_at(0.3 * i, 0, 1.05 + 0.002 * i, 0),
            false);
    uint32_t top = scene_builder_object(b, "top", cube,
                                        scene_builder_at(0, 0, 1.15, 0), false),
             found[4];
    fixture f = fixture_open(b);
    double height;
    assert_true(space_level_find(f.space, &height, NULL) &&
                fabs(height - 1) < 1e-6);
    space_support_state start = compute(&f, NULL, NULL);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(start.support[i], SUPPORT_GROUNDED);
    assert_true(start.on_level[cubes[0]] && start.on_level[cubes[2]] &&
                !start.on_level[top]);
    bool moved[4] = {true, false, false, false};
    fixture_move(&f, cubes[0], 0, 0.4, 0, 30);
    space_support_state now = compute(&f, &start, NULL);
    assert_int_equal(now.support[cubes[0]], SUPPORT_GROUNDED);
    assert_int_equal(space_support_broken(&start, &now, moved, found, 4), 1);
    assert_int_equal(found[0], top); /* it was left behind in the air, */
    assert_true(fabs(now.gap[top] - 0.1) < 1e-6);
    space_support_free(&now);
    space_swept swept;
    assert_int_equal(
        space_sweep_body(f.space, &top, 1, v3(0, 0, -1), 1, NULL, &swept, NULL),
        ETNA_OK); /* and comes to the level */
    assert_true(swept.level && swept.other == SCENE_NONE &&
                fabs(swept.distance - 0.1) < 1e-6);
    fixture_move(&f, cubes[0], 0, 2, 0, 0); /* beyond what the level reaches */
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[cubes[0]], SUPPORT_HOVERING);
    space_support_free(&now);
    fixture_move(&f, cubes[0], 0, -2, 0.05, 0); /* over it */
    now = compute(&f, &start, NULL);
    assert_int_equal(now.support[cubes[0]], SUPPORT_HOVERING);
    assert_true(fabs(now.gap[cubes[0]] - 0.05) < 1e-6);
    space_support_free(&now);
    space_support_free(&start);
    fixture_close(&f);
}

static void there_is_no_level_over_a_floor_nor_of_one_thing(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        scene_builder *b = scene_builder_new();
        uint32_t cube = scene_builder_box(b, 0.1, 0.1, 0.1);
        if (k == 0)
            add_floor(b);
        scene_builder_object(b, "a", cube, scene_builder_at(0, 0, 1.05, 0),
                             false);
        if (k < 2)
            scene_builder_object(
                b, "b", cube, scene_builder_at(0.5, 0, k == 0 ? 1.05 : 1.3, 0),
                false);
        fixture f = fixture_open(b);
        double height;
        assert_false(space_level_find(f.space, &height, NULL));
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_stands_on_thin_legs_and_carries_a_stack),
        cmocka_unit_test(taking_the_table_away_breaks_what_stood_on_it),
        cmocka_unit_test(a_plank_lies_over_a_gap_and_falls_past_an_edge),
        cmocka_unit_test(pictures_and_lamps_hang_until_they_are_moved),
        cmocka_unit_test(a_rug_lies_under_a_chair_and_not_on_it),
        cmocka_unit_test(what_lies_in_a_box_of_sheets_stands_on_it),
        cmocka_unit_test(
            pedestals_balls_and_tilted_things_stand_and_hovering_ones_may_stay),
        cmocka_unit_test(
            what_stands_too_deep_in_the_ground_may_move_and_does_not_float),
        cmocka_unit_test(
            taking_what_lies_far_below_a_hovering_thing_breaks_nothing),
        cmocka_unit_test(a_wall_shelf_carries_and_sunken_things_are_held),
        cmocka_unit_test(what_hovers_from_the_start_carries_while_it_stays),
        cmocka_unit_test(hovering_neighbours_do_not_hold_each_other),
        cmocka_unit_test(the_centre_of_mass_decides_at_the_true_edge),
        cmocka_unit_test(
            what_stood_out_of_balance_by_itself_stands_so_elsewhere),
        cmocka_unit_test(
            what_could_never_stand_on_a_level_rests_there_as_it_can),
        cmocka_unit_test(
            sloppily_placed_furniture_may_move_and_fixtures_may_not),
        cmocka_unit_test(
            it_may_lean_out_no_farther_and_what_leaned_may_not_stand),
        cmocka_unit_test(the_paper_asks_one_ray),
        cmocka_unit_test(things_that_share_a_height_stand_on_the_level),
        cmocka_unit_test(there_is_no_level_over_a_floor_nor_of_one_thing),
        cmocka_unit_test(
            a_check_lists_pairs_and_floating_things_and_spares_the_building),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
