/* Support surfaces: which there are, and where on them is room. */
#include "tests/support/stage.h"
#include "worker/probe/probe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct found {
    stage stage;
    probe_surface *surfaces;
    uint32_t count;
} found;

static void list(found *f, const probe_surface_options *options)
{
    etna_error err = {0};
    if (probe_surfaces(f->stage.probes, f->stage.space,
                       &f->stage.scene->cameras[0], options, &f->stage.arena,
                       &f->surfaces, &f->count, &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

static found find(scene_builder *b, vec3 camera)
{
    scene_builder_camera(b, "camera", camera, v3(0, 0, 0.3));
    found f = {.stage = stage_open(b)};
    probe_surface_options options = probe_surface_options_default();
    list(&f, &options);
    return f;
}

static void done(found *f)
{
    stage_close(&f->stage);
}

static const probe_surface *of(const found *f,
                               const char *object,
                               double height)
{
    uint32_t o = scene_find_object(f->stage.scene, object);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->surfaces[i].plane.object == o &&
            fabs(f->surfaces[i].height - height) < 1e-4)
            return &f->surfaces[i];
    fail_msg("no surface of %s at %g", object, height);
    return NULL;
}

static size_t cell_at(const probe_surface *s, double x, double y)
{
    double i = floor((x - s->origin[0]) / s->cell),
           j = floor((y - s->origin[1]) / s->cell);
    assert_true(i >= 0 && i < s->columns && j >= 0 && j < s->rows);
    return (size_t)j * s->columns + (size_t)i;
}

static bool is_free(const probe_surface *s, double x, double y)
{
    size_t c = cell_at(s, x, y);
    return s->free[c / 8] >> (c % 8) & 1;
}

static double clear_at(const probe_surface *s, double x, double y)
{
    return (double)s->clear[cell_at(s, x, y)];
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.9g is not within %.3g of %.9g", a, tolerance, b);
}

/* A floor, a table of a top and four legs, a bottle on the table. */
static scene_builder *table(void)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "table", scene_builder_box(b, 1, 0.6, 0.04),
                         scene_builder_at(0, 0, 0.72, 0), false);
    for (int i = 0; i < 4; i++)
        scene_builder_part(b, scene_builder_box(b, 0.015, 0.015, 0.7),
                           scene_builder_at(i & 1 ? 0.45 : -0.45,
                                            i & 2 ? 0.25 : -0.25, 0.35, 0));
    scene_builder_object(b, "bottle", scene_builder_cylinder(b, 0.05, 0.3, 24),
                         scene_builder_at(0.2, 0.1, 0.89, 0), false);
    return b;
}

static void a_table_is_free_but_where_the_bottle_stands(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    const probe_surface *top = of(&f, "table", 0.74);
    assert_near(top->cell, 0.02, 0);
    assert_int_equal(top->columns, 50);
    assert_int_equal(top->rows, 30);
    assert_near(top->plane.normal.z, 1, 1e-9);
    assert_true(is_free(top, -0.2, -0.1));
    assert_true(isinf(clear_at(top, -0.2, -0.1)));
    assert_false(is_free(top, 0.2, 0.1));  /* inside the bottle */
    assert_false(is_free(top, 0.25, 0.1)); /* its wall */
    assert_true(is_free(top, 0.29, 0.1));
    uint32_t bits = 0;
    for (uint32_t c = 0; c < top->columns * top->rows; c++)
        bits += top->free[c / 8] >> (c % 8) & 1;
    assert_int_equal(bits, top->free_count);
    assert_in_range(1500 - top->free_count, 20,
                    /* 0.00785 m2 are 20 cells, the border takes some more */
                    40);
    done(&f);
}

static void under_the_table_is_room_up_to_the_top(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    const probe_surface *floor_surface = of(&f, "floor", 0);
    assert_near(clear_at(floor_surface, 0.1, 0.1), 0.7, 1e-4);
    assert_true(is_free(floor_surface, 0.1, 0.1));
    assert_true(isinf(clear_at(floor_surface, 1.5, 1)));
    assert_false(is_free(floor_surface, 0.45, 0.25)); /* a leg of 1.5 cm */
    done(&f);
}

static void a_thing_left_out_leaves_its_place_free(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    probe_surface_options options = probe_surface_options_default();
    options.skip_object = scene_find_object(f.stage.scene, "bottle");
    list(&f, &options);
    assert_true(is_free(of(&f, "table", 0.74), 0.2, 0.1));
    assert_int_equal(of(&f, "table", 0.74)->free_count, 1500);
    for (uint32_t i = 0; i < f.count; i++)
        assert_true(f.surfaces[i].plane.object != options.skip_object);
    done(&f);
}

static double layer_at(const probe_surface *s,
                       const probe_layer *layer,
                       double x,
                       double y)
{
    size_t cell = cell_at(s, x, y);
    size_t column = cell % s->columns - layer->column;
    size_t row = cell / s->columns - layer->row;
    assert_true(column < layer->columns && row < layer->rows);
    return (double)layer->clear[row * layer->columns + column];
}

/* A bottle and, through its place, a board over the table that cannot be moved:
 * without the bottle the board is left. */
static void what_could_be_taken_away_is_told_apart(void **state)
{
    (void)state;
    scene_builder *b = table();
    scene_builder_object(b, "board", scene_builder_box(b, 1.4, 0.3, 0.02),
                         scene_builder_at(0, 0.1, 1.25, 0), true);
    found f = find(b, v3(0, -3, 2));
    const probe_surface *top = of(&f, "table", 0.74);
    const probe_layer *layer = top->layers;
    assert_non_null(layer);
    assert_null(layer->next);
    assert_int_equal(layer->object, scene_find_object(f.stage.scene, "bottle"));
    assert_near(layer_at(top, layer, 0.2, 0.1), 0, 0);
    assert_near(clear_at(top, 0.2, 0.1), 0, 0);
    assert_near((double)top->fixed[cell_at(top, 0.2, 0.1)], 0.5, 1e-4);
    assert_in_range(layer->columns, 5, 7); /* a bottle of 10 cm */
    assert_in_range(layer->rows, 5, 7);
    assert_null(of(&f, "bottle", 1.04)->layers);
    done(&f);
}

/* Planks 1.5 cm apart are one surface, 4 cm apart they are not. */
static void narrow_gaps_between_planks_are_no_edges(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        double gap = wide ? 0.04 : 0.015; /* a cell has its middle in it */
        scene_builder *b = scene_builder_new();
        scene_builder_object(b, "bench", scene_builder_box(b, 1, 0.1, 0.02),
                             scene_builder_at(0, -0.05 - gap, 0.4, 0), false);
        scene_builder_part(b, scene_builder_box(b, 1, 0.1, 0.02),
                           scene_builder_at(0, 0.05, 0.4, 0));
        found f = find(b, v3(0, -3, 2));
        const probe_surface *top = of(&f, "bench", 0.41);
        if (wide)
            assert_in_range(top->rows, 4, 6);
        else
            assert_int_equal(top->free_count, top->columns * top->rows);
        done(&f);
    }
}

/* What is walked on has wider gaps than what things lie on. */
static void boards_of_a_floor_are_one_place(void **state)
{
    (void)state;
    enum {
        BOARDS = 8
    };
    for (int narrow = 0; narrow < 2; narrow++) {
        const double length = narrow ? 0.9 : 3;
        const double pitch = 0.31, broad = 0.24;
        scene_builder *b = scene_builder_new();
        scene_builder_object(b, "deck",
                             scene_builder_box(b, length, broad, 0.05),
                             scene_builder_at(0, 0, 0.1, 0), false);
        for (int i = 1; i < BOARDS; i++)
            scene_builder_part(b, scene_builder_box(b, length, broad, 0.05),
                               scene_builder_at(0, i * pitch, 0.1, 0));
        found f = find(b, v3(0, -3, 2));
        const probe_surface *top = of(&f, "deck", 0.125);
        const double deep = narrow ? broad : (BOARDS - 1) * pitch + broad;
        assert_near(top->rows * top->cell, deep, 0.03);
        assert_near(top->free_count * top->cell * top->cell, length * deep,
                    0.1);
        done(&f);
    }
}

/* A room in one mesh, and in it a box of boards 1 cm thick, its lid so high
 * over its floor. */
static scene_builder *room_with_box(bool is_open, double high)
{
    scene_builder *b = scene_builder_new();
    const double wall[4][4] = {{2, 0, 0.1, 4.1},
                               {-2, 0, 0.1, 4.1},
                               {0, 2, 4.1, 0.1},
                               {0, -2, 4.1, 0.1}};
    scene_builder_object(b, "room", scene_builder_box(b, 4.1, 4.1, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_part(b, scene_builder_box(b, 4.1, 4.1, 0.1),
                       scene_builder_at(0, 0, 2.55, 0));
    for (int i = 0; i < 4; i++)
        scene_builder_part(b, scene_builder_box(b, wall[i][2], wall[i][3], 2.5),
                           scene_builder_at(wall[i][0], wall[i][1], 1.25, 0));
    const double side[4][4] = {{0.245, 0, 0.01, 0.5},
                               {-0.245, 0, 0.01, 0.5},
                               {0, 0.245, 0.5, 0.01},
                               {0, -0.245, 0.5, 0.01}};
    scene_builder_object(b, "box", scene_builder_box(b, 0.5, 0.5, 0.02),
                         scene_builder_at(0, 0, 0.51, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.5, 0.5, 0.02),
                       scene_builder_at(0, 0, 0.53 + high, 0));
    for (int i = is_open ? 1 : 0; i < 4; i++)
        scene_builder_part(
            b, scene_builder_box(b, side[i][2], side[i][3], high),
            scene_builder_at(side[i][0], side[i][1], 0.52 + high / 2, 0));
    scene_builder_object(b, "stool", scene_builder_box(b, 0.3, 0.3, 0.4),
                         scene_builder_at(1, 1, 0.2, 0), false);
    scene_builder_object(b, "screen", scene_builder_box(b, 0.02, 0.6, 0.6),
                         scene_builder_at(0.27, 0, 0.6, 0), false);
    return b;
}

/* Where a hand does not come is no place; a slot lower than a cell of the air
 * is one, also behind a screen that can be taken away. */
static void what_is_shut_off_from_open_air_is_no_place(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool is_open = i % 2;
        double high = i / 2 ? 0.06 : 0.4;
        found f = find(room_with_box(is_open, high), v3(0, -1.5, 2));
        assert_false(of(&f, "box", 0.52)->shut);
        space_air *air = NULL;
        assert_int_equal(space_air_find(f.stage.space, &air, NULL), ETNA_OK);
        probe_surface_options options = probe_surface_options_default();
        options.air = air;
        list(&f, &options);
        assert_int_equal(of(&f, "box", 0.52)->shut, !is_open);
        assert_int_equal(is_free(of(&f, "box", 0.52), 0, 0), is_open);
        assert_true(is_free(of(&f, "box", 0.54 + high), 0, 0));
        assert_true(is_free(of(&f, "room", 0), -1, -1));
        assert_true(is_free(of(&f, "room", 0), 0, 0)); /* under the box */
        for (uint32_t k = 0; k < f.count; k++)
            assert_int_equal(
                f.surfaces[k].shut,
                f.surfaces[k].height > 2.5 ||
                    (!is_open && fabs(f.surfaces[k].height - 0.52) < 1e-4));
        space_air_free(air);
        done(&f);
    }
}

static void a_moved_thing_frees_and_takes(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    uint32_t bottle = scene_find_object(f.stage.scene, "bottle");
    arrange_pose pose = *space_pose(f.stage.space, bottle);
    pose.position[0] = -0.3;
    assert_int_equal(space_move(f.stage.space, bottle, &pose, NULL), ETNA_OK);
    probe_surface_options options = probe_surface_options_default();
    list(&f, &options);
    assert_true(is_free(of(&f, "table", 0.74), 0.2, 0.1));
    assert_false(is_free(of(&f, "table", 0.74), -0.3, 0.1));
    done(&f);
}

static void a_sunken_crate_takes_its_place(void **state)
{
    (void)state;
    scene_builder *b = table();
    scene_builder_object(b, "crate", scene_builder_box(b, 0.4, 0.4, 0.3),
                         /* 3 mm in the floor */
                         scene_builder_at(1.2, 0, 0.147, 0), false);
    found f = find(b, v3(0, -3, 2));
    assert_false(is_free(of(&f, "floor", 0), 1.2, 0));
    assert_true(is_free(of(&f, "floor", 0), 1.45, 0));
    assert_true(is_free(of(&f, "crate", 0.297), 1.2, 0));
    done(&f);
}

static void only_the_disc_of_a_round_top_is_free(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "drum", scene_builder_cylinder(b, 0.3, 0.2, 64),
                         scene_builder_at(0, 0, 0.1, 0), false);
    found f = find(b, v3(0, -3, 2));
    const probe_surface *top = of(&f, "drum", 0.2);
    assert_true(is_free(top, 0, 0));
    assert_false(is_free(top, 0.27, 0.27));
    assert_near(top->free_count * 0.0004, MATH_PI * 0.09, 0.006);
    done(&f);
}

static void shelves_have_a_surface_each_and_undersides_none(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "shelf", scene_builder_box(b, 1, 0.3, 0.02),
                         scene_builder_at(0, 0, 0.3, 0), false);
    scene_builder_part(b, scene_builder_box(b, 1, 0.3, 0.02),
                       scene_builder_at(0, 0, 0.7, 0));
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.3, 0.42),
                       scene_builder_at(-0.51, 0, 0.5, 0));
    scene_builder_object(
        b, "sheet", scene_builder_flipped(b, scene_builder_sheet(b, 2, 2, 1)),
        scene_builder_at(0, 0, 0, 0), true);
    found f = find(b, v3(0, -3, 2));
    assert_near(clear_at(of(&f, "shelf", 0.31), 0, 0), 0.38, 1e-4);
    assert_true(isinf(clear_at(of(&f, "shelf", 0.71), 0, 0)));
    /* wound downward, still a floor */
    assert_near(of(&f, "sheet", 0)->plane.normal.z, 1, 1e-9);
    for (uint32_t i = 0; i < f.count; i++)
        assert_true(fabs(f.surfaces[i].height - 0.29) > 1e-3 &&
                    fabs(f.surfaces[i].height - 0.69) > 1e-3);
    done(&f);
}

static void above_the_camera_only_a_top_is_listed(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "shelf", scene_builder_box(b, 1, 0.3, 0.02),
                         scene_builder_at(0, 0, 0.3, 0), false);
    scene_builder_part(b, scene_builder_box(b, 1, 0.3, 0.02),
                       scene_builder_at(0, 0, 0.7, 0));
    found f = find(b, v3(0, -3, 0.1));
    assert_int_equal(f.count, 1);
    assert_string_equal(f.surfaces[0].plane.name, "shelf_up");
    assert_near(f.surfaces[0].plane.normal.z, 1, 0);
    done(&f);
}

static void every_name_leads_back_to_its_surface(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    assert_true(f.count >= 3);
    for (uint32_t i = 0; i < f.count; i++) {
        probe_plane plane;
        assert_int_equal(probe_plane_by_name(f.stage.probes, f.stage.space,
                                             &f.stage.scene->cameras[0],
                                             f.surfaces[i].plane.name,
                                             &f.stage.arena, &plane, NULL),
                         ETNA_OK);
        assert_near(plane.offset, f.surfaces[i].height, 0);
        assert_near(plane.area, f.surfaces[i].plane.area, 0);
        assert_true(i == 0 || f.surfaces[i - 1].plane.object <=
                                  f.surfaces[i].plane.object);
    }
    done(&f);
}

static void a_huge_floor_has_coarser_cells(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "ground", scene_builder_sheet(b, 500, 30, 1),
                         scene_builder_at(0, 0, 0, 0), true);
    found f = find(b, v3(0, -3, 2));
    const probe_surface *s = of(&f, "ground", 0);
    assert_true((size_t)s->columns * s->rows <= PROBE_CELLS_MAX);
    assert_near(s->cell, 0.16, 1e-12);
    assert_near(s->free_count * s->cell * s->cell, 15000, 100);
    done(&f);
}

static void
a_curved_plate_has_one_surface_as_high_as_its_rim_wherever_it_stands(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "Dish", scene_builder_dish(b),
                         scene_builder_at(5, 3, 0.7, 20), false);
    found f = find(b, v3(4, 1, 2));
    assert_int_equal(f.count, 1);
    const probe_surface *s = of(&f, "Dish", 0.713);
    assert_true(s->plane.normal.z > 0.9998);
    /* whole, not the half that leans the same way */
    assert_near(s->plane.width, 0.18, 0.002);
    done(&f);
}

/* Level, then up a slope of 8 degrees, then level again: one plane by its
 * normals, and a thing rests on it only near its top. */
static void ground_far_below_its_planes_highest_point_bears_nothing(
    void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    static const float x[4] = {-2, 0, 1, 2}, z[4] = {0, 0, 0.14f, 0.14f};
    float position[24];
    uint32_t index[18];
    for (uint32_t i = 0; i < 8; i++) {
        position[3 * i] = x[i / 2];
        position[3 * i + 1] = i % 2 ? 1 : -1;
        position[3 * i + 2] = z[i / 2];
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t a = 2 * i,
                       corners[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
        memcpy(index + 6 * i, corners, sizeof corners);
    }
    scene_builder_object(b, "Lawn",
                         scene_builder_mesh(b, position, 8, index, 6),
                         scene_builder_at(0, 0, 0, 0), true);
    found f = find(b, v3(0, -3, 2));
    const probe_surface *s = of(&f, "Lawn", (double)0.14f);
    for (uint32_t i = 0; i < s->columns; i++) {
        size_t c = (size_t)(s->rows / 2) * s->columns + i;
        double at = s->origin[0] + (i + 0.5) * s->cell, ground = at < 0 ? 0
                                                                 : at < 1
                                                                     ? 0.14 * at
                                                                     : 0.14;
        if (fabs(ground - 0.13) < 0.005)
            continue;
        assert_int_equal(s->free[c / 8] >> (c % 8) & 1, ground > 0.13);
    }
    done(&f);
}

/* Four corners of a room's floor, of which two are 6 cm higher: no hill. */
static void a_floor_laid_askew_is_a_place_all_over(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    static const float position[12] = {-1.6f, -1.6f, 0.03f, 1.6f,  -1.6f, 0.06f,
                                       1.6f,  1.6f,  0.03f, -1.6f, 1.6f,  0};
    static const uint32_t index[6] = {0, 1, 2, 0, 2, 3};
    scene_builder_object(b, "Floor",
                         scene_builder_mesh(b, position, 4, index, 2),
                         scene_builder_at(0, 0, 0, 0), true);
    scene_builder_object(b, "Box", scene_builder_box(b, 0.4, 0.4, 0.4),
                         scene_builder_at(1, 1, 0.25, 0), false);
    found f = find(b, v3(0, -3, 2));
    const probe_surface *s = of(&f, "Floor", (double)0.06f);
    const double taken = 0.4 * 0.4, rim = 0.3;
    assert_near(s->free_count * s->cell * s->cell, 3.2 * 3.2 - taken, rim);
    done(&f);
}

static void assert_same_surfaces(const found *f, const found *other)
{
    assert_int_equal(f->count, other->count);
    for (uint32_t k = 0; k < f->count; k++) {
        const probe_surface *a = &f->surfaces[k];
        const probe_surface *b = &other->surfaces[k];
        size_t cells = (size_t)a->columns * a->rows;
        assert_string_equal(a->plane.name, b->plane.name);
        assert_int_equal(a->columns * a->rows, b->columns * b->rows);
        assert_memory_equal(a->clear, b->clear, cells * sizeof *a->clear);
        assert_memory_equal(a->fixed, b->fixed, cells * sizeof *a->fixed);
        assert_memory_equal(a->free, b->free, (cells + 7) / 8);
    }
}

static void surfaces_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    for (uint32_t threads = 2; threads <= 8; threads *= 2) {
        probe_surface_options options = probe_surface_options_default();
        found other = f;
        options.threads = threads;
        assert_int_equal(probe_share(f.stage.scene, &other.stage.probes, NULL),
                         ETNA_OK);
        list(&other, &options);
        assert_same_surfaces(&f, &other);
        /* they share it, and both have grown it */
        f.stage.arena = other.stage.arena;
        probe_shared_free(other.stage.probes);
    }
    done(&f);
}

/* Maps are merged of what is kept of unmoved things; after a move they are
 * those of somebody who has kept nothing. */
static void maps_after_a_move_are_those_of_who_has_kept_nothing(void **state)
{
    (void)state;
    found f = find(table(), v3(0, -3, 2));
    probe_shared *kept = f.stage.probes;
    const probe_surface_options options = probe_surface_options_default();
    uint32_t bottle = scene_find_object(f.stage.scene, "bottle");
    for (int i = 1; i <= 3; i++) {
        arrange_pose pose = *space_pose(f.stage.space, bottle);
        pose.position[0] -= 0.1 * i;
        assert_int_equal(space_move(f.stage.space, bottle, &pose, NULL),
                         ETNA_OK);
        list(&f, &options);
        found fresh = f;
        assert_int_equal(probe_share(f.stage.scene, &fresh.stage.probes, NULL),
                         ETNA_OK);
        list(&fresh, &options);
        assert_same_surfaces(&f, &fresh);
        assert_false(
            is_free(of(&f, "table", 0.74), pose.position[0], pose.position[1]));
        /* they share it, and both have grown it */
        f.stage.arena = fresh.stage.arena;
        probe_shared_free(fresh.stage.probes);
    }
    assert_ptr_equal(f.stage.probes, kept);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            ground_far_below_its_planes_highest_point_bears_nothing),
        cmocka_unit_test(
            a_curved_plate_has_one_surface_as_high_as_its_rim_wherever_it_stands),
        cmocka_unit_test(a_floor_laid_askew_is_a_place_all_over),
        cmocka_unit_test(a_table_is_free_but_where_the_bottle_stands),
        cmocka_unit_test(under_the_table_is_room_up_to_the_top),
        cmocka_unit_test(a_thing_left_out_leaves_its_place_free),
        cmocka_unit_test(what_could_be_taken_away_is_told_apart),
        cmocka_unit_test(narrow_gaps_between_planks_are_no_edges),
        cmocka_unit_test(boards_of_a_floor_are_one_place),
        cmocka_unit_test(what_is_shut_off_from_open_air_is_no_place),
        cmocka_unit_test(a_moved_thing_frees_and_takes),
        cmocka_unit_test(surfaces_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(maps_after_a_move_are_those_of_who_has_kept_nothing),
        cmocka_unit_test(a_sunken_crate_takes_its_place),
        cmocka_unit_test(only_the_disc_of_a_round_top_is_free),
        cmocka_unit_test(shelves_have_a_surface_each_and_undersides_none),
        cmocka_unit_test(above_the_camera_only_a_top_is_listed),
        cmocka_unit_test(every_name_leads_back_to_its_surface),
        cmocka_unit_test(a_huge_floor_has_coarser_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
