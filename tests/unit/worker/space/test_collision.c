/* Collision against analytic answers: what touches is no collision, what
 * overlaps is one, and by how much. */
#include "tests/unit/worker/space/fixture.h"

static void expect_depth(fixture *f, uint32_t a, uint32_t b, double depth)
{
    space_pair pair = fixture_pair(f, a, b);
    if (fabs(pair.depth - depth) > 2e-4)
        fail_msg("depth %.6f m instead of %.6f", pair.depth, depth);
}

static void expect_free(fixture *f, uint32_t a, uint32_t b)
{
    space_pair pair = fixture_pair(f, a, b);
    if (pair.collides || pair.depth > 2e-4)
        fail_msg("objects %u and %u overlap by %.6f m", a, b, pair.depth);
}

static void boxes_overlap_by_what_they_were_pushed(void **state)
{
    (void)state;
    for (int turned = 0; turned < 8; turned++) {
        scene_builder *b = scene_builder_new();
        double yaw = turned * 13.0, a = yaw * MATH_PI / 180;
        uint32_t mesh = scene_builder_box(b, 0.4, 0.3, 0.2),
                 cube = scene_builder_box(b, 0.2, 0.2, 0.2);
        uint32_t one = scene_builder_object(
            b, "one", mesh, scene_builder_at(1, 2, 0.1, yaw), false);
        double reach = 0.2 + 0.1 - 0.03; /* along the first box's own x */
        uint32_t two = scene_builder_object(
            b, "two", cube,
            scene_builder_at(1 + reach * cos(a), 2 + reach * sin(a), 0.11, yaw),
            false);
        fixture f = fixture_open(b);
        expect_depth(&f, one, two, 0.03);
        fixture_move(&f, two, 0.03 * cos(a), 0.03 * sin(a), 0, 0);
        expect_free(&f, one, two);
        fixture_move(&f, two, -0.005 * cos(a), -0.005 * sin(a), 0,
                     0); /* 5 mm: below a centimetre */
        expect_depth(&f, one, two, 0.005);
        assert_false(fixture_pair(&f, one, two).collides);
        fixture_close(&f);
    }
}

static void
equal_books_pushed_into_each_other_collide_though_all_faces_coincide(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t mesh = scene_builder_box(b, 0.2, 0.15, 0.04);
    uint32_t one = scene_builder_object(b, "one", mesh,
                                        scene_builder_at(0, 0, 0.02, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", mesh, scene_builder_at(0.18, 0, 0.02, 0), false);
    uint32_t same = scene_builder_object(
        b, "same", mesh, scene_builder_at(0, 0, 0.02, 0), false);
    uint32_t beside = scene_builder_object(
        b, "beside", mesh, scene_builder_at(-0.2, 0, 0.02, 0), false);
    uint32_t above = scene_builder_object(
        b, "above", mesh, scene_builder_at(0, 0, 0.06, 0), false);
    fixture f = fixture_open(b);
    expect_depth(&f, one, two, 0.02);
    assert_true(fixture_pair(&f, one, two).collides);
    expect_depth(&f, one, same, 0.04);
    expect_free(&f, one, beside);
    expect_free(&f, one, above);
    fixture_close(&f);
}

static void a_sphere_sunk_to_its_equator_collides(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t floor_mesh = scene_builder_box(b, 4, 4, 0.2),
             ball = scene_builder_sphere(b, 0.03, 16),
             big = scene_builder_sphere(b, 0.2, 32);
    uint32_t ground = scene_builder_object(
        b, "floor", floor_mesh, scene_builder_at(0, 0, -0.1, 0), true);
    uint32_t sunk = scene_builder_object(
        b, "sunk", ball, scene_builder_at(0.5, 0.5, 0, 0), false);
    uint32_t rests = scene_builder_object(
        b, "rests", ball, scene_builder_at(-0.5, 0.5, 0.03, 0), false);
    uint32_t deep = scene_builder_object(
        b, "deep", big, scene_builder_at(-0.5, -0.5, 0, 0), false);
    fixture f = fixture_open(b);
    expect_depth(&f, sunk, ground, 0.03);
    assert_true(fixture_pair(&f, sunk, ground).collides);
    expect_free(&f, rests, ground);
    assert_true(fixture_pair(&f, deep, ground).deeper);
    fixture_close(&f);
}

static void spheres_overlap_along_their_centres(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ball = scene_builder_sphere(b, 0.1, 64);
    double d = (0.2 - 0.02) / sqrt(2);
    uint32_t one = scene_builder_object(b, "one", ball,
                                        scene_builder_at(0, 0, 0.1, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", ball, scene_builder_at(d, 0, 0.1 + d, 0), false);
    fixture f = fixture_open(b);
    space_pair pair = fixture_pair(&f, one, two);
    assert_true(pair.collides);
    assert_true(fabs(pair.depth - 0.02) <
                6e-4); /* the facets are 0.24 mm inside the sphere, of each */
    fixture_close(&f);
}

static void cylinders_side_by_side(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t can = scene_builder_cylinder(b, 0.04, 0.12, 64);
    uint32_t one = scene_builder_object(b, "one", can,
                                        scene_builder_at(0, 0, 0.06, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", can, scene_builder_at(0.08, 0, 0.06, 0), false);
    uint32_t three = scene_builder_object(
        b, "three", can, scene_builder_at(0, 0.068, 0.06, 0), false);
    fixture f = fixture_open(b);
    expect_free(&f, one, two);
    expect_depth(&f, one, three, 0.012);
    assert_true(fixture_pair(&f, one, three).collides);
    fixture_close(&f);
}

static void nested_bowls_touch_and_a_spoon_stands_in_a_cup(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t bowl = scene_builder_bowl(b, 0.095, 0.1, 24),
             smaller = scene_builder_bowl(b, 0.085, 0.09, 24),
             cup = scene_builder_cup(b, 0.035, 0.04, 0.1, 0.005, 48),
             spoon = scene_builder_box(b, 0.01, 0.004, 0.15);
    uint32_t lower = scene_builder_object(
        b, "lower", bowl, scene_builder_at(0, 0, 0.1, 0), false);
    uint32_t upper = scene_builder_object(
        b, "upper", smaller, scene_builder_at(0, 0, 0.095, 0), false);
    uint32_t a_cup = scene_builder_object(
        b, "cup", cup, scene_builder_at(0.5, 0, 0, 0), false);
    uint32_t a_spoon = scene_builder_object(
        b, "spoon", spoon, scene_builder_at(0.5, 0, 0.08, 20), false);
    fixture f = fixture_open(b);
    expect_free(&f, lower, upper); /* they touch at the bottom */
    /* its wall of 5 mm into the other's */
    fixture_move(&f, upper, 0, 0, -0.002, 0);
    expect_depth(&f, lower, upper, 0.002);
    expect_free(&f, a_cup, a_spoon);
    fixture_move(&f, a_spoon, 0.035, 0, 0.01, 0); /* into the wall of 5 mm */
    assert_true(fixture_pair(&f, a_cup, a_spoon).depth > 0.0005);
    fixture_close(&f);
}

static void a_room_of_one_mesh_holds_things_and_a_bottle_in_its_wall_collides(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t shell = scene_builder_room(b, 5, 4, 2.5),
             bottle = scene_builder_cylinder(b, 0.04, 0.3, 32);
    uint32_t room = scene_builder_object(b, "room", shell,
                                         scene_builder_at(0, 0, 0, 0), true);
    uint32_t inside = scene_builder_object(
        b, "inside", bottle, scene_builder_at(1, 1, 0.15, 0), false);
    uint32_t through = scene_builder_object(
        b, "through", bottle, scene_builder_at(2.49, 0, 0.15, 0), false);
    fixture f = fixture_open(b);
    expect_free(&f, room, inside);
    /* 0.04 + 2.49 - 2.5; inward is the nearer side */
    expect_depth(&f, room, through, 0.03 + 0.0);
    assert_true(fixture_pair(&f, room, through).collides);
    fixture_close(&f);
}

static void what_lies_wholly_in_another_collides_unless_it_is_a_hollow(
    void **state)
{
    (void)state;
    for (int inverted = 0; inverted < 2; inverted++) {
        scene_builder *b = scene_builder_new();
        uint32_t big = scene_builder_box(b, 1, 1, 1),
                 small = scene_builder_box(b, 0.1, 0.1, 0.1);
        big = inverted ? scene_builder_flipped(b, big) : big;
        uint32_t block = scene_builder_object(
            b, "block", big, scene_builder_at(0, 0, 0.5, 0), false);
        uint32_t cube = scene_builder_object(
            b, "cube", small, scene_builder_at(2, 0, 0.05, 0), false);
        uint32_t crate = scene_builder_object(
            b, "crate", big, scene_builder_at(5, 0, 0.5, 0), false);
        uint32_t held = scene_builder_object(
            b, "held", small, scene_builder_at(5, 0, 0.5, 0), false);
        fixture f = fixture_open(b);
        expect_free(&f, crate, held);
        fixture_move(&f, cube, -2, 0, 0.4, 0);
        space_pair pair = fixture_pair(&f, block, cube);
        assert_true(pair.collides && pair.deeper);
        fixture_move(&f, cube, 5, 0.2, 0, 0); /* a hollow may hold more */
        expect_free(&f, crate, cube);
        fixture_close(&f);
    }
}

static void a_camera_makes_a_hollow(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t shell = scene_builder_box(b, 5, 4, 2.5),
             chair_mesh = scene_builder_box(b, 0.5, 0.5, 1);
    uint32_t room = scene_builder_object(b, "room", shell,
                                         scene_builder_at(0, 0, 1.25, 0), true);
    uint32_t chair = scene_builder_object(
        b, "chair", chair_mesh, scene_builder_at(9, 0, 0.5, 0), false);
    scene_builder_camera(b, "eye", v3(-2, -1.5, 1.6), v3(0, 0, 1));
    fixture f = fixture_open(b);
    fixture_move(&f, chair, -9, 0, 0, 0);
    expect_free(&f, room, chair);
    fixture_close(&f);
}

static void a_needle_through_a_sheet_and_a_book_on_a_carpet(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t sheet = scene_builder_sheet(b, 1, 1, 10),
             needle = scene_builder_box(b, 0.002, 0.002, 0.1),
             book = scene_builder_box(b, 0.2, 0.15, 0.03);
    uint32_t carpet = scene_builder_object(
        b, "carpet", sheet, scene_builder_at(0, 0, 0.001, 0), false);
    uint32_t pin = scene_builder_object(
        b, "pin", needle, scene_builder_at(0.123, 0.234, 0.03, 0), false);
    uint32_t lies = scene_builder_object(
        b, "lies", book, scene_builder_at(0, 0, 0.016, 33), false);
    uint32_t pressed = scene_builder_object(
        b, "pressed", book, scene_builder_at(0.45, -0.2, 0.0155, 12), false);
    fixture f = fixture_open(b);
    expect_depth(&f, carpet, pin, 0.021); /* its lower end, at -0.02 */
    assert_true(fixture_pair(&f, carpet, pin).collides);
    expect_free(&f, carpet, lies);
    expect_depth(&f, carpet, pressed, 0.0005);
    fixture_close(&f);
}

static void broken_meshes_do_not_mislead(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    /* a box whose sides are inside out in part, with triangles that have no
     * area, and a stray vertex */
    const float p[] = {-0.1f, -0.1f, 0,     0.1f, -0.1f, 0,     -0.1f,
                       0.1f,  0,     0.1f,  0.1f, 0,     -0.1f, -0.1f,
                       0.2f,  0.1f,  -0.1f, 0.2f, -0.1f, 0.1f,  0.2f,
                       0.1f,  0.1f,  0.2f,  0,    0,     0.2f};
    const uint32_t t[] = {0, 2, 3, 0, 1, 3, 4, 5, 7, 4, 6, 7, 0, 1, 5,
                          0, 4, 5, 2, 6, 7, 2, 3, 7, 0, 4, 6, 0, 2, 6,
                          1, 3, 7, 1, 5, 7, 0, 0, 0, 0, 7, 7, 4, 8, 7};
    uint32_t odd = scene_builder_mesh(b, p, 9, t, 15),
             cube = scene_builder_box(b, 0.1, 0.1, 0.1);
    uint32_t one = scene_builder_object(b, "odd", odd,
                                        scene_builder_at(0, 0, 0, 0), false);
    uint32_t on_top = scene_builder_object(
        b, "on top", cube, scene_builder_at(0, 0, 0.25, 0), false);
    uint32_t beside = scene_builder_object(
        b, "beside", cube, scene_builder_at(0.15, 0, 0.05, 0), false);
    uint32_t into = scene_builder_object(
        b, "into", cube, scene_builder_at(-0.13, 0, 0.05, 0), false);
    fixture f = fixture_open(b);
    expect_free(&f, one, on_top);
    expect_free(&f, one, beside);
    expect_depth(&f, one, into, 0.02);
    fixture_close(&f);
}

static void the_same_forty_metres_away(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        double x = far ? 40 : 0, y = far ? -37.3 : 0;
        scene_builder *b = scene_builder_new();
        uint32_t slab = scene_builder_box(b, 1, 1, 0.05),
                 can = scene_builder_cylinder(b, 0.04, 0.12, 64);
        uint32_t table = scene_builder_object(
            b, "table", slab, scene_builder_at(x, y, 0.7, 17), false);
        uint32_t stands = scene_builder_object(
            b, "stands", can, scene_builder_at(x + 0.1, y, 0.785, 17), false);
        uint32_t sunk = scene_builder_object(
            b, "sunk", can, scene_builder_at(x - 0.1, y, 0.765, 40), false);
        fixture f = fixture_open(b);
        expect_free(&f, table, stands);
        expect_depth(&f, table, sunk, 0.02);
        fixture_move(&f, sunk, 0, 0, 0.02, 71);
        expect_free(&f, table, sunk);
        fixture_close(&f);
    }
}

static void a_peg_that_fits_exactly_is_free(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cup = scene_builder_cup(b, 0.05, 0.06, 0.1, 0.01, 4),
             peg = scene_builder_cylinder(b, 0.05, 0.09, 4);
    uint32_t hole = scene_builder_object(b, "hole", cup,
                                         scene_builder_at(0, 0, 0, 0), false);
    uint32_t fits = scene_builder_object(
        b, "fits", peg, scene_builder_at(0, 0, 0.055, 0), false);
    fixture f = fixture_open(b);
    expect_free(&f, hole, fits);
    fixture_close(&f);
}

static void thresholds_follow_the_thinner_object(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t slab = scene_builder_box(b, 1, 1, 0.05),
             card = scene_builder_box(b, 0.1, 0.07, 0.002),
             block = scene_builder_box(b, 0.1, 0.1, 0.1);
    uint32_t table = scene_builder_object(
        b, "table", slab, scene_builder_at(0, 0, 0.025, 0), false);
    uint32_t thin = scene_builder_object(
        b, "thin", card, scene_builder_at(0.2, 0, 0.05 + 0.001 - 0.0008, 0),
        false);
    uint32_t thick = scene_builder_object(
        b, "thick", block, scene_builder_at(-0.2, 0, 0.1 - 0.008, 0), false);
    fixture f = fixture_open(b);
    /* 0.8 mm of a card of 2 mm */
    assert_true(fixture_pair(&f, table, thin).collides);
    assert_false(fixture_pair(&f, table, thick).collides); /* 8 mm of a block */
    const space_rules paper = {.paper_collision = true};
    space_pair pair;
    assert_int_equal(
        space_pair_check(f.space, table, thin, &paper, true, &pair, NULL),
        ETNA_OK);
    assert_false(pair.collides);
    fixture_move(&f, thick, 0, 0, -0.003, 0);
    assert_int_equal(
        space_pair_check(f.space, table, thick, &paper, true, &pair, NULL),
        ETNA_OK);
    assert_true(pair.collides);
    fixture_close(&f);
}

/* A floor that is one sheet has no thickness: what stands 1.1 mm too low on it
 * is judged by its own size. */
static void a_sheet_lends_no_thickness_to_the_threshold(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t sheet = scene_builder_sheet(b, 4, 4, 4),
             block = scene_builder_box(b, 0.4, 0.5, 1.2),
             card = scene_builder_box(b, 0.1, 0.07, 0.003);
    uint32_t ground = scene_builder_object(b, "floor", sheet,
                                           scene_builder_at(0, 0, 0, 0), true);
    uint32_t machine = scene_builder_object(
        b, "machine", block, scene_builder_at(0.3, 0, 0.6 - 0.0011, 20), false);
    uint32_t thin = scene_builder_object(
        b, "card", card, scene_builder_at(-1, 0, 0.0015 - 0.001, 0), false);
    fixture f = fixture_open(b);
    expect_depth(&f, ground, machine, 0.0011);
    assert_false(fixture_pair(&f, ground, machine).collides);
    /* 1 mm of a card of 3 mm */
    assert_true(fixture_pair(&f, ground, thin).collides);
    fixture_move(&f, machine, 0, 0, -0.0105, 0);
    assert_true(fixture_pair(&f, ground, machine).collides);
    fixture_close(&f);
}

static void collisions_of_one_object_come_in_order(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 0.2, 0.2, 0.2);
    for (int i = 0; i < 6; i++)
        scene_builder_object(b, "cube", cube,
                             scene_builder_at(i * 0.15, 0, 0.1, 0), false);
    fixture f = fixture_open(b);
    const space_rules rules = {0};
    space_pair found[6];
    uint32_t count = 0;
    assert_int_equal(
        space_collisions(f.space, 3, &rules, found, 6, &count, NULL), ETNA_OK);
    assert_int_equal(count, 2);
    assert_int_equal(found[0].b, 2);
    assert_int_equal(found[1].b, 4);
    assert_int_equal(
        space_collisions(f.space, 3, &rules, found, 1, &count, NULL), ETNA_OK);
    assert_int_equal(count, 1);
    fixture_close(&f);
}

static void a_sweep_stops_where_true_triangles_meet(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t slab = scene_builder_box(b, 2, 2, 0.05),
             ball = scene_builder_sphere(b, 0.05, 32),
             cube = scene_builder_box(b, 0.1, 0.1, 0.1),
             wall = scene_builder_box(b, 0.1, 2, 1);
    uint32_t table = scene_builder_object(
        b, "table", slab, scene_builder_at(0, 0, -0.025, 0), true);
    uint32_t ball_object = scene_builder_object(
        b, "ball", ball, scene_builder_at(0.1, 0.1, 0.08, 0), false);
    uint32_t box = scene_builder_object(
        b, "box", cube, scene_builder_at(-0.3, 0, 0.07, 31), false);
    uint32_t against = scene_builder_object(
        b, "against", cube, scene_builder_at(0.9, 0.3, 0.06, 0), false);
    uint32_t upright = scene_builder_object(
        b, "wall", wall, scene_builder_at(1, 0, 0.5, 0), true);
    fixture f = fixture_open(b);
    double way = 0;
    uint32_t other = 0;
    assert_int_equal(space_sweep(f.space, ball_object, v3(0, 0, -1), 0.05, &way,
                                 &other, NULL),
                     ETNA_OK);
    assert_int_equal(other, table);
    assert_true(fabs(way - 0.03) < 1e-8);
    assert_int_equal(
        space_sweep(f.space, box, v3(0, 0, -1), 0.05, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, table);
    assert_true(fabs(way - 0.02) < 1e-8);
    assert_int_equal(
        space_sweep(f.space, box, v3(0, 0, -1), 0.01, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, SCENE_NONE);
    assert_true(way == 0.01);
    /* touches now: down is 0, up is free */
    fixture_move(&f, box, 0, 0, -0.02, 0);
    assert_int_equal(
        space_sweep(f.space, box, v3(0, 0, -1), 0.05, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, table);
    assert_true(way < 1e-8);
    assert_int_equal(
        space_sweep(f.space, box, v3(0, 0, 1), 0.05, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, SCENE_NONE);
    /* leaning on a wall it slides down it */
    assert_int_equal(
        space_sweep(f.space, against, v3(0, 0, -1), 0.05, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, table);
    assert_true(fabs(way - 0.01) < 1e-8);
    assert_int_equal(
        space_sweep(f.space, against, v3(1, 0, 0), 0.05, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, upright);
    assert_true(way < 1e-8);
    /* edge against edge, at an angle */
    fixture_move(&f, ball_object, -5, 0, 0, 0);
    fixture_move(&f, box, 0.84 - space_pose(f.space, box)->position[0], -0.5, 0,
                 45 - 31);
    assert_int_equal(
        space_sweep(f.space, box, v3(1, 0, 0), 0.5, &way, &other, NULL),
        ETNA_OK);
    assert_int_equal(other, upright);
    assert_true(fabs(way - (0.95 - 0.84 - 0.05 * sqrt(2))) < 1e-6);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap_by_what_they_were_pushed),
        cmocka_unit_test(
            equal_books_pushed_into_each_other_collide_though_all_faces_coincide),
        cmocka_unit_test(a_sphere_sunk_to_its_equator_collides),
        cmocka_unit_test(spheres_overlap_along_their_centres),
        cmocka_unit_test(cylinders_side_by_side),
        cmocka_unit_test(nested_bowls_touch_and_a_spoon_stands_in_a_cup),
        cmocka_unit_test(
            a_room_of_one_mesh_holds_things_and_a_bottle_in_its_wall_collides),
        cmocka_unit_test(
            what_lies_wholly_in_another_collides_unless_it_is_a_hollow),
        cmocka_unit_test(a_camera_makes_a_hollow),
        cmocka_unit_test(a_needle_through_a_sheet_and_a_book_on_a_carpet),
        cmocka_unit_test(broken_meshes_do_not_mislead),
        cmocka_unit_test(the_same_forty_metres_away),
        cmocka_unit_test(a_peg_that_fits_exactly_is_free),
        cmocka_unit_test(thresholds_follow_the_thinner_object),
        cmocka_unit_test(a_sheet_lends_no_thickness_to_the_threshold),
        cmocka_unit_test(collisions_of_one_object_come_in_order),
        cmocka_unit_test(a_sweep_stops_where_true_triangles_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
