/* Depths against analytic answers, beyond test_collision.c: boxes at any
 * rotation by separating axes, round things, thin things, what lies on one
 * another, inside out, and by both rules. All within 0.2 mm. */
#include "tests/unit/worker/space/fixture.h"

#include <math.h>
#include <string.h>

#define EXACT 2e-4

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

static void expect_depth(fixture *f, uint32_t a, uint32_t b, double depth)
{
    space_pair pair = fixture_pair(f, a, b);
    if (fabs(pair.depth - depth) > EXACT)
        fail_msg("depth %.6f m instead of %.6f", pair.depth, depth);
}

/* ---- boxes at all rotations ---- */
typedef struct solid { /* an oriented box */
    vec3 centre, axis[3], half;
} solid;

static affine turned(solid *s, vec3 centre, vec3 half, const double angle[3])
{
    double ca = cos(angle[0]), sa = sin(angle[0]), cb = cos(angle[1]),
           sb = sin(angle[1]), cc = cos(angle[2]), sc = sin(angle[2]);
    affine m = {{{ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc},
                 {sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc},
                 {-sb, cb * sc, cb * cc}},
                {centre.x, centre.y, centre.z}};
    s->centre = centre;
    s->half = half;
    for (int k = 0; k < 3; k++)
        s->axis[k] = v3(m.m[0][k], m.m[1][k], m.m[2][k]);
    return m;
}

static double reach_of(const solid *s, vec3 n)
{
    return fabs(v3_dot(s->axis[0], n)) * s->half.x +
           fabs(v3_dot(s->axis[1], n)) * s->half.y +
           fabs(v3_dot(s->axis[2], n)) * s->half.z;
}

/* How far a must go along d until an axis separates it from b; 0 when one does
 * already. */
static double way_out(const solid *a, const solid *b, vec3 d)
{
    vec3 axis[15];
    int n = 0;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        axis[n++] = a->axis[i];
        axis[n++] = b->axis[i];
        for (int k = 0; k < 3; k++)
            axis[n++] = v3_cross(a->axis[i], b->axis[k]);
    }
    for (int i = 0; i < n; i++) {
        double length = v3_length(axis[i]);
        if (length < 1e-9)
            continue;
        vec3 along = v3_scale(axis[i], 1 / length);
        double reach = reach_of(a, along) + reach_of(b, along),
               apart = v3_dot(v3_sub(a->centre, b->centre), along);
        if (fabs(apart) >= reach)
            return 0;
        double speed = v3_dot(d, along);
        if (speed < 0) {
            speed = -speed;
            apart = -apart;
        }
        if (speed > 1e-12)
            best = fmin(best, (reach - apart) / speed);
    }
    return best;
}

/* METHODS.md 6's directions, from the objects' boxes; those of the crossing
 * triangles are asked for. */
static double least_way(
    fixture *f, uint32_t one, uint32_t two, const solid *a, const solid *b)
{
    const scene *s = space_scene(f->space);
    vec3 axis[6] = {{0, 0, 1}}, normal[2];
    double least =
        fmin(way_out(a, b, v3(0, 0, 1)), way_out(a, b, v3(0, 0, -1)));
    for (int k = 0; k < 2; k++) {
        double yaw = s->objects[k ? two : one].box.yaw;
        axis[3 * k] = v3(cos(yaw), sin(yaw), 0);
        axis[3 * k + 1] = v3(-sin(yaw), cos(yaw), 0);
        axis[3 * k + 2] = v3(0, 0, 1);
    }
    for (int i = 0; i < 6; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            least = fmin(least, way_out(a, b, v3_scale(axis[i], sign)));
    assert_int_equal(
        cut_normals(f->space, one, two, &normal[0], &normal[1], NULL), ETNA_OK);
    for (int i = 0; i < 2; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            if (v3_length(normal[i]) > 0.5)
                least = fmin(least, way_out(a, b, v3_scale(normal[i], sign)));
    return least;
}

static void boxes_at_all_rotations_are_as_deep_as_their_axes_say(void **state)
{
    (void)state;
    etna_random r = etna_random_from(3);
    int crossing = 0, apart = 0, deep = 0;
    for (int i = 0; i < 250; i++) {
        scene_builder *b = scene_builder_new();
        solid a, c;
        bool level = i % 5 == 0;
        double ta[3] = {between(&r, 0, 6.3), level ? 0 : between(&r, -1.5, 1.5),
                        level ? 0 : between(&r, -3, 3)};
        double tc[3] = {between(&r, 0, 6.3), level ? 0 : between(&r, -1.5, 1.5),
                        level ? 0 : between(&r, -3, 3)};
        vec3 ha = v3(between(&r, 0.05, 0.2), between(&r, 0.05, 0.2),
                     between(&r, 0.05, 0.2)),
             hc = v3(between(&r, 0.05, 0.2), between(&r, 0.05, 0.2),
                     between(&r, 0.05, 0.2));
        affine at = turned(&a, v3(1, 2, 0.5), ha, ta);
        vec3 away = v3_normal(
            v3(between(&r, -1, 1), between(&r, -1, 1), between(&r, -1, 1)));
        affine ct = turned(&c, v3(1, 2, 0.5), hc, tc);
        c.centre = v3_add_scaled(a.centre, away,
                                 reach_of(&a, away) + reach_of(&c, away) -
                                     between(&r, 0, 0.12));
        ct = turned(&c, c.centre, hc, tc);
        uint32_t one = scene_builder_object(
            b, "one", scene_builder_box(b, 2 * ha.x, 2 * ha.y, 2 * ha.z), at,
            false);
        uint32_t two = scene_builder_object(
            b, "two", scene_builder_box(b, 2 * hc.x, 2 * hc.y, 2 * hc.z), ct,
            false);
        fixture f = fixture_open(b);
        double want = way_out(&a, &c, v3(0, 0, 1)) == 0
                          ? 0
                          : least_way(&f, one, two, &a, &c);
        space_pair pair = fixture_pair(&f, one, two);
        apart += want == 0;
        crossing += want > 0.001;
        deep += want > 0.05;
        if (fabs(pair.depth - fmin(want, 0.05)) > EXACT)
            fail_msg("pair %d: %.6f m instead of %.6f", i, pair.depth, want);
        if (fabs(want - 0.05) > EXACT)
            assert_int_equal(pair.deeper, want > 0.05);
        fixture_close(&f);
    }
    assert_true(crossing > 60 && apart > 60 && deep > 3);
}

/* ---- round things ---- */
static void fine_spheres_overlap_along_their_centres(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t ball = scene_builder_sphere(b, 0.1, 96);
    double d = (0.2 - 0.02) / sqrt(3);
    uint32_t one = scene_builder_object(b, "one", ball,
                                        scene_builder_at(0, 0, 0.1, 0), false);
    uint32_t two = scene_builder_object(
        b, "two", ball, scene_builder_at(d, d, 0.1 + d, 25), false);
    fixture f = fixture_open(b);
    expect_depth(&f, one, two, 0.02);
    fixture_close(&f);
}

static void cylinders_cross_lie_and_stand(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t can = scene_builder_cylinder(b, 0.04, 0.4, 128),
             pipe = scene_builder_cylinder(b, 0.03, 0.5, 128);
    affine lying = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
                    /* its axis along x, 62 mm beside the other's */
                    {0, 0.062, 0.2}};
    affine beside = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, {0, -0.07, 0.2}};
    uint32_t stands = scene_builder_object(
        b, "stands", can, scene_builder_at(0, 0, 0.2, 0), false);
    uint32_t lies = scene_builder_object(b, "lies", pipe, lying, false);
    uint32_t free_one = scene_builder_object(b, "free", pipe, beside, false);
    fixture f = fixture_open(b);
    expect_depth(&f, stands, lies, 0.04 + 0.03 - 0.062);
    assert_false(fixture_pair(&f, stands, lies).collides);
    expect_depth(&f, stands, free_one, 0);
    fixture_move(&f, lies, 0, -0.004, 0, 0);
    expect_depth(&f, stands, lies, 0.012);
    assert_true(fixture_pair(&f, stands, lies).collides);
    fixture_close(&f);
}

/* ---- kitchen and desk ---- */
static void a_spoon_in_a_cup_meets_its_bottom_and_its_wall(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    uint32_t cup = scene_builder_cup(b, 0.035, 0.04, 0.1, 0.005, 128),
             spoon = scene_builder_box(b, 0.01, 0.004, 0.15);
    uint32_t a_cup = scene_builder_object(b, "cup", cup,
                                          scene_builder_at(0, 0, 0, 0), false);
    uint32_t a_spoon = scene_builder_object(
        b, "spoon", spoon, scene_builder_at(0, 0, 0.005 + 0.075, 0), false);
    fixture f = fixture_open(b);
    expect_depth(&f, a_cup, a_spoon, 0); /* stands on the bottom */
    fixture_move(&f, a_spoon, 0, 0, -0.0015, 0);
    expect_depth(&f, a_cup, a_spoon, 0.0015);
    /* of a spoon of 4 mm */
    assert_true(fixture_pair(&f, a_cup, a_spoon).collides);
    fixture_move(&f, a_spoon, 0.0305, 0, 0.0025,
                 0); /* its side at 35.5 mm, corners 2 mm off the middle */
    expect_depth(&f, a_cup, a_spoon,
                 0.0355 - sqrt(0.035 * 0.035 - 0.002 * 0.002));
    fixture_close(&f);
}

static void a_phone_on_a_book_on_a_carpet(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        double x = far ? 28.3 : 0, y = far ? -28.3 : 0, carpet_top = 0.006,
               book_top = carpet_top + 0.03;
        scene_builder *b = scene_builder_new();
        uint32_t ground =
            scene_builder_object(b, "floor", scene_builder_sheet(b, 4, 4, 4),
                                 scene_builder_at(x, y, 0, 0), true);
        uint32_t carpet = scene_builder_object(
            b, "carpet", scene_builder_box(b, 2, 1.5, 0.006),
            scene_builder_at(x, y, 0.003, 10), false);
        uint32_t book = scene_builder_object(
            b, "book", scene_builder_box(b, 0.2, 0.15, 0.03),
            scene_builder_at(x, y, carpet_top + 0.015, 33), false);
        uint32_t phone = scene_builder_object(
            b, "phone", scene_builder_box(b, 0.07, 0.14, 0.008),
            scene_builder_at(x, y, book_top + 0.004, 71), false);
        fixture f = fixture_open(b);
        expect_depth(&f, carpet, ground, 0);
        expect_depth(&f, book, carpet, 0);
        expect_depth(&f, phone, book, 0);
        fixture_move(&f, phone, 0, 0, -0.0015, 0);
        expect_depth(&f, phone, book, 0.0015);
        /* a quarter of its 8 mm may be lost */
        assert_false(fixture_pair(&f, phone, book).collides);
        fixture_move(&f, phone, 0, 0, -0.001, 0);
        assert_true(fixture_pair(&f, phone, book).collides);
        const space_rules paper = {.paper_collision = true};
        space_pair pair;
        assert_int_equal(
            space_pair_check(f.space, phone, book, &paper, true, &pair, NULL),
            ETNA_OK);
        assert_true(!pair.collides && fabs(pair.depth - 0.0025) < EXACT);
        fixture_close(&f);
    }
}

/* ---- meshes as files have them ---- */
/* What a room holds at the start tells that it is a hollow (METHODS.md 6). */
static void add_tenant(scene_builder *b)
{
    scene_builder_object(b, "tenant", scene_builder_box(b, 0.05, 0.05, 0.05),
                         scene_builder_at(-0.2, -0.2, 0.1, 0), false);
}

static void winding_and_openness_change_no_depth(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6;
         kind++) { /* either as it should be, inside out, or the room: open */
        scene_builder *b = scene_builder_new();
        uint32_t slab = kind < 4 ? scene_builder_box(b, 1, 1, 0.2)
                                 : scene_builder_room(b, 1, 1, 0.6);
        uint32_t can = scene_builder_cylinder(b, 0.05, 0.2, 64);
        if (kind & 1)
            slab = scene_builder_flipped(b, slab);
        if (kind & 2)
            can = scene_builder_flipped(b, can);
        uint32_t below = scene_builder_object(
            b, "below", slab, scene_builder_at(0, 0, kind < 4 ? -0.1 : 0, 15),
            true);
        uint32_t stands = scene_builder_object(
            b, "stands", can, scene_builder_at(0.1, 0.1, 0.1 - 0.012, 0),
            false);
        if (kind >= 4)
            add_tenant(b);
        fixture f = fixture_open(b);
        expect_depth(&f, stands, below, 0.012);
        assert_true(fixture_pair(&f, stands, below).collides);
        fixture_move(&f, stands, 0, 0, 0.012, 0);
        expect_depth(&f, stands, below, 0);
        fixture_close(&f);
    }
}

static void a_bottle_in_the_wall_of_an_open_room_is_as_deep_as_it_was_pushed(
    void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) { /* 4, 14, 24, 34 mm through the sheet */
        scene_builder *b = scene_builder_new();
        double through = 0.004 + 0.01 * k;
        uint32_t room =
            scene_builder_object(b, "room", scene_builder_room(b, 5, 4, 2.5),
                                 scene_builder_at(0, 0, 0, 30), true);
        uint32_t bottle = scene_builder_object(
            b, "bottle", scene_builder_cylinder(b, 0.04, 0.3, 128),
            scene_builder_at((2.5 - 0.04 + through) * cos(MATH_PI / 6),
                             (2.5 - 0.04 + through) * 0.5, 0.15 + 1e-4, 0),
            false);
        add_tenant(b);
        fixture f = fixture_open(b);
        expect_depth(&f, room, bottle, through);
        assert_int_equal(fixture_pair(&f, room, bottle).collides,
                         through > 0.01);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_at_all_rotations_are_as_deep_as_their_axes_say),
        cmocka_unit_test(fine_spheres_overlap_along_their_centres),
        cmocka_unit_test(cylinders_cross_lie_and_stand),
        cmocka_unit_test(a_spoon_in_a_cup_meets_its_bottom_and_its_wall),
        cmocka_unit_test(a_phone_on_a_book_on_a_carpet),
        cmocka_unit_test(winding_and_openness_change_no_depth),
        cmocka_unit_test(
            a_bottle_in_the_wall_of_an_open_room_is_as_deep_as_it_was_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
