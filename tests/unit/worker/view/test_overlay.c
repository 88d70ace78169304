/* METHODS.md 3's numbers for what is drawn on a picture, measured in its
 * pixels. */
#include "fixture.h"

#include "tests/support/scene_builder.h"
#include "worker/view/glyph.h"
#include "worker/view/view_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t *pixel(const view_image *image, double x, double y)
{
    return image->rgb + 3 * ((size_t)y * image->width + (size_t)x);
}

static view_image grey(uint32_t width, uint32_t height)
{
    view_image image = {.width = width,
                        .height = height,
                        .rgb = malloc((size_t)width * height * 3)};
    assert_non_null(image.rgb);
    memset(image.rgb, 128, (size_t)width * height * 3);
    return image;
}

/* Height of the ink in a strip of the image. */
static uint32_t ink_height(
    const view_image *image, uint32_t x1, uint32_t x2, uint32_t y1, uint32_t y2)
{
    uint32_t first = y2, last = y1;
    for (uint32_t y = y1; y < y2; y++)
        for (uint32_t x = x1; x < x2; x++) {
            if (pixel(image, x, y)[0] > 127)
                continue;
            first = y < first ? y : first;
            last = y > last ? y : last;
        }
    return last >= first ? last - first + 1 : 0;
}

static void labels_are_large_black_and_white_on_all_sides(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {
        {1024, 768}, {1024, 1024}, {576, 1024}, {2000, 1500}};
    for (int i = 0; i < 4; i++) {
        uint32_t w = sizes[i][0], h = sizes[i][1], m = 0,
                 shorter = w < h ? w : h;
        view_image clean = grey(w, h), image = {0};
        assert_int_equal(view_grid(&clean, &image, &m, NULL), ETNA_OK);
        double least = 0.022 * shorter;
        uint32_t y1 = m + h / 2 - m / 2, y2 = m + h / 2 + m / 2;
        /* left, 0.5 */
        assert_true(ink_height(&image, 0, m, y1, y2) >= least);
        /* right */
        assert_true(ink_height(&image, m + w, 2 * m + w, y1, y2) >= least);
        /* top */
        assert_true(ink_height(&image, m + w / 2 - m, m + w / 2 + m, 0, m) >=
                    least);
        assert_true(ink_height(&image, m + w / 2 - m, m + w / 2 + m, m + h,
                               2 * m + h) >= least);
        uint32_t black = 0, white = 0, other = 0;
        for (uint32_t y = 0; y < m; y++)
            for (uint32_t x = 0; x < image.width; x++) {
                uint8_t v = pixel(&image, x, y)[0];
                black += v < 40;
                white += v == 255;
                other += v >= 40 && v < 255;
            }
        assert_true(black > 200 && white > 8 * black && other == 0);
        view_image_free(&image);
        view_image_free(&clean);
    }
}

/* A crop beneath has no coordinates: the grid is the picture's alone, and is
 * the same as without the crop. */
static void a_crop_beneath_a_picture_gets_no_grid_and_moves_none(void **state)
{
    (void)state;
    view_image alone = grey(400, 300), with = grey(400, 500), grid = {0},
               both = {0};
    uint32_t m = 0, n = 0;
    with.beneath = 200;
    assert_int_equal(view_grid(&alone, &grid, &m, NULL), ETNA_OK);
    assert_int_equal(view_grid(&with, &both, &n, NULL), ETNA_OK);
    assert_int_equal(m, n);
    assert_int_equal(both.width, grid.width);
    assert_int_equal(both.height, grid.height + 200);
    assert_int_equal(both.beneath, 200);
    assert_memory_equal(both.rgb, grid.rgb,
                        (size_t)grid.width * grid.height * 3);
    for (uint32_t y = grid.height; y < both.height; y++)
        for (uint32_t x = 0; x < both.width; x++)
            assert_int_equal(pixel(&both, x, y)[0],
                             x >= m && x < m + 400 ? 128 : 255);
    view_image_free(&alone);
    view_image_free(&with);
    view_image_free(&grid);
    view_image_free(&both);
}

static void grid_dashes_are_one_pixel_at_forty_percent(void **state)
{
    (void)state;
    view_image clean = grey(1000, 700), image = {0};
    uint32_t m = 0;
    assert_int_equal(view_grid(&clean, &image, &m, NULL), ETNA_OK);
    for (uint32_t line = 1; line < 10; line++) {
        uint32_t x = m + 100 * line, row = m + 70 * line, dark = 0, light = 0,
                 plain = 0;
        for (uint32_t y = m + 75; y < m + 135; y++) { /* between two rows */
            uint8_t v = pixel(&image, x, y)[0];
            dark += abs(v - 77) <= 2;   /* 0.6 * 128 */
            light += abs(v - 179) <= 2; /* 0.6 * 128 + 0.4 * 255 */
            plain += v == 128;
            assert_int_equal(pixel(&image, x - 1, y)[0], 128);
            assert_int_equal(pixel(&image, x + 1, y)[0], 128);
        }
        assert_true(dark >= 20 && light >= 20 && plain == 0);
        dark = light = 0;
        for (uint32_t k = m + 105; k < m + 195; k++) {
            dark += abs(pixel(&image, k, row)[0] - 77) <= 2;
            light += abs(pixel(&image, k, row)[0] - 179) <= 2;
            assert_int_equal(pixel(&image, k, row - 1)[0], 128);
            assert_int_equal(pixel(&image, k, row + 1)[0], 128);
        }
        assert_true(dark >= 30 && light >= 30);
    }
    view_image_free(&image);
    view_image_free(&clean);
}

typedef struct edit { /* one object moved, drawn */
    fixture f;
    uint32_t object;
    arrange_pose before;
    view_image old, clean, image; /* clean before, clean after, annotated */
    bool cropped;
} edit;

static edit edit_begin(const char *file,
                       const char *name,
                       double dx,
                       double dy,
                       double dz,
                       uint32_t width,
                       bool lit)
{
    edit e = {.f = fixture_open(file)};
    e.object = fixture_object(&e.f, name);
    e.before = *space_pose(e.f.sp, e.object);
    arrange_pose after = e.before;
    after.position[0] += dx;
    after.position[1] += dy;
    after.position[2] += dz;
    if (lit)
        assert_int_equal(view_render(e.f.sp, &e.f.camera, width, width * 3 / 4,
                                     1, &e.old, NULL),
                         ETNA_OK);
    assert_int_equal(space_move(e.f.sp, e.object, &after, NULL), ETNA_OK);
    if (lit)
        assert_int_equal(view_render(e.f.sp, &e.f.camera, width, width * 3 / 4,
                                     1, &e.clean, NULL),
                         ETNA_OK);
    else
        /* what is drawn on it is the same */
        e.clean = grey(width, width * 3 / 4);
    assert_int_equal(view_annotate_edit(e.f.sp, &e.f.camera, &e.clean, e.object,
                                        &e.before, 1, &e.image, &e.cropped,
                                        NULL),
                     ETNA_OK);
    return e;
}

static void edit_end(edit *e)
{
    view_image_free(&e->old);
    view_image_free(&e->clean);
    view_image_free(&e->image);
    fixture_close(&e->f);
}

static bool is_green(const uint8_t *p)
{
    return p[0] < 60 && p[1] > 180 && p[2] < 110;
}

static bool is_dark(const uint8_t *p)
{
    return p[0] < 30 && p[1] < 90 && p[2] < 50;
}

static void the_line_is_wide_and_green_with_a_dark_edge(void **state)
{
    (void)state;
    edit e = edit_begin("bottles.glb", "Red Bottle", 0.55, 0, 0, 1024, false);
    double a[3], b[3];
    const arrange_pose *now = space_pose(e.f.sp, e.object);
    assert_true(camera_project(
        &e.f.camera,
        v3(e.before.position[0], e.before.position[1], e.before.position[2]),
        &a[0], &a[1], &a[2]));
    assert_true(camera_project(
        &e.f.camera, v3(now->position[0], now->position[1], now->position[2]),
        &b[0], &b[1], &b[2]));
    double dx = (b[0] - a[0]) * 1024, dy = (b[1] - a[1]) * 768,
           length = sqrt(dx * dx + dy * dy);
    /* across the line at a few places on its way */
    for (int i = 3; i <= 6; i++) {
        double x = a[0] * 1024 + dx * i / 10, y = a[1] * 768 + dy * i / 10;
        int green = 0, dark[2] = {0, 0};
        for (int k = -12; k <= 12; k++) {
            const uint8_t *p =
                pixel(&e.image, x - dy / length * k, y + dx / length * k);
            green += is_green(p);
            dark[k > 0] += is_dark(p);
        }
        assert_true(green >= 4 && dark[0] >= 1 && dark[1] >= 1);
    }
    edit_end(&e);
}

static void the_ghost_is_four_tenths_of_the_object(void **state)
{
    (void)state;
    edit e =
        edit_begin("bottles.glb", "Yellow Block", 0.0, 0.75, 0.3, 1024, true);
    static uint32_t ids[1024 * 768];
    assert_int_equal(space_move(e.f.sp, e.object, &e.before, NULL), ETNA_OK);
    assert_int_equal(
        view_instance_map(e.f.sp, &e.f.camera, 1024, 768, ids, NULL), ETNA_OK);
    double old = 0, clean = 0, drawn = 0;
    int count = 0;
    for (uint32_t i = 0; i < 1024 * 768;
         /* where it stood and nothing else is drawn: blue tells, it has none */
         i++) {
        const uint8_t *p = e.image.rgb + 3 * i, *c = e.clean.rgb + 3 * i;
        if (ids[i] != e.object || is_green(p) || is_dark(p) || p[1] > c[1] + 40)
            continue;
        old += e.old.rgb[3 * i + 2];
        clean += c[2];
        drawn += p[2];
        count++;
    }
    assert_true(count > 3000 && clean - old > 20.0 * count);
    double share = (clean - drawn) / (clean - old);
    if (!(share > 0.34 && share < 0.46))
        fail_msg("the ghost's share is %g", share);
    edit_end(&e);
}

static void the_outline_goes_through_what_stands_before(void **state)
{
    (void)state;
    edit e = edit_begin("bottles.glb", "Blue Block", 0.10, -0.02, -0.40, 1024,
                        false); /* under the table's top */
    double x1 = 1024, x2 = 0;
    const arrange_pose *now = space_pose(e.f.sp, e.object);
    scene_box box = scene_box_at(&e.f.s->objects[e.object], now);
    vec3 corner[8];
    scene_box_corners(&box, corner);
    for (int i = 0; i < 8; i++) {
        double x, y, depth;
        assert_true(camera_project(&e.f.camera, corner[i], &x, &y, &depth));
        x1 = x * 1024 < x1 ? x * 1024 : x1;
        x2 = x * 1024 > x2 ? x * 1024 : x2;
    }
    /* along the row of its middle there is green at both sides of it, whatever
     * stands there */
    double x, y, depth;
    assert_true(camera_project(
        &e.f.camera, v3(now->position[0], now->position[1], now->position[2]),
        &x, &y, &depth));
    int left = 0, right = 0;
    for (int k = -12; k <= 12; k++) {
        left += is_green(pixel(&e.image, x1 + k, y * 768));
        right += is_green(pixel(&e.image, x2 + k, y * 768));
    }
    assert_true(left >= 2 && right >= 2);
    edit_end(&e);
}

static void no_outline_goes_through_a_wall(void **state)
{
    (void)state;
    uint32_t green[2] = {0, 0};
    /* before it stands a counter, or a wall */
    for (int high = 0; high < 2; high++) {
        scene_builder *b = scene_builder_new();
        double height = high ? 2.5 : 1.2;
        scene_builder_object(b, "front", scene_builder_box(b, 4, 0.1, height),
                             scene_builder_at(0, 0, height / 2, 0), true);
        uint32_t box = scene_builder_box(b, 1.6, 0.8, 0.8);
        uint32_t object = scene_builder_object(
            b, "box", box, scene_builder_at(0, 1, 0.4, 0), false);
        scene_builder_camera(b, "Camera", v3(0, -5, 0.5), v3(0, 0, 0.5));
        scene *s = scene_builder_scene(b);
        space_shared *shared;
        space *sp;
        view_image clean = {0}, drawn = {0};
        assert_int_equal(space_share(s, &shared, NULL), ETNA_OK);
        assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
        arrange_pose before = *space_pose(sp, object), after = before;
        after.position[2] += 0.1;
        assert_int_equal(space_move(sp, object, &after, NULL), ETNA_OK);
        assert_int_equal(
            view_render(sp, &s->cameras[0], 320, 240, 1, &clean, NULL),
            ETNA_OK);
        assert_int_equal(view_annotate_edit(sp, &s->cameras[0], &clean, object,
                                            &before, 1, &drawn, NULL, NULL),
                         ETNA_OK);
        for (uint32_t i = 0; i < 320 * 240; i++)
            green[high] += is_green(drawn.rgb + 3 * i);
        view_image_free(&clean);
        view_image_free(&drawn);
        space_free(sp);
        space_shared_free(shared);
        scene_builder_free(b);
    }
    assert_true(green[0] > green[1] + 60); /* the arrow is there both times */
}

/* Under 1,500 pixels or under 30 % of the silhouette, and only then. */
static void the_crop_follows_its_rule(void **state)
{
    (void)state;
    static const struct {
        const char *object;
        double dx, dy, dz;
        uint32_t width;
    } cases[] = {{"Red Bottle", 0.3, 0, 0, 1024},
                 {"Red Bottle", 0.3, 0, 0, 256},
                 {"Yellow Block", 0, 0, 0.1, 640},
                 {"Yellow Block", -0.3, -0.20, -0.25, 640},
                 {"Yellow Block", -0.3, -0.26, -0.25, 640},
                 {"Yellow Block", -0.3, -0.32, -0.25, 640},
                 {"Yellow Block", -0.3, -0.12, -0.25, 640}};
    int cropped = 0, whole = 0, few = 0, hidden = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        edit e = edit_begin("bottles.glb", cases[i].object, cases[i].dx,
                            cases[i].dy, cases[i].dz, cases[i].width, false);
        uint32_t w = cases[i].width, h = w * 3 / 4, seen = 0, all = 0,
                 *ids = malloc((size_t)w * h * sizeof *ids);
        assert_int_equal(
            view_instance_map(e.f.sp, &e.f.camera, w, h, ids, NULL), ETNA_OK);
        for (uint32_t k = 0; k < w * h; k++)
            seen += ids[k] == e.object;
        free(ids);
        assert_int_equal(
            view_silhouette(e.f.sp, &e.f.camera, e.object, w, h, &all, NULL),
            ETNA_OK);
        assert_int_equal(e.cropped, seen < 1500 || seen < 0.3 * all);
        assert_true(e.cropped ? e.image.height > 2 * h : e.image.height == h);
        cropped += e.cropped;
        whole += !e.cropped;
        few += seen < 1500 && seen >= 0.3 * all;
        hidden += seen >= 1500 && seen < 0.3 * all;
        edit_end(&e);
    }
    assert_true(cropped >= 2 && whole >= 2 && few >= 1 && hidden >= 1);
}

static uint32_t black_pixels(const view_image *image,
                             uint32_t from,
                             uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = from; x < to; x++) {
            const uint8_t *p = image->rgb + 3 * ((size_t)y * image->width + x);
            count += p[0] + p[1] + p[2] == 0;
        }
    return count;
}

static view_image written(const char *text)
{
    view_image image = {0};
    assert_int_equal(image_new(400, 40, &image, NULL), ETNA_OK);
    letters_draw(&image, 4, 8, 2, text);
    return image;
}

static void letters_of_every_script_are_drawn_and_no_bytes_do_harm(void **state)
{
    (void)state;
    glyph g;
    if (!glyph_find(0x4e2d, &g))
        skip(); /* built without Unifont */
    static const char *const texts[] = {"中文", "Ваза", "θάλασσα", "花瓶",
                                        "كوب",  "เก้าอี้", "椅子",    "의자"};
    view_image box = written("\x7f\x7f");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        view_image image = written(texts[i]);
        assert_true(black_pixels(&image, 0, 400) > 20);
        assert_true(memcmp(image.rgb, box.rgb, 400 * 40 * 3) != 0);
        view_image_free(&image);
    }
    view_image_free(&box);
    static const char *const hostile[] = {
        "\xff\xfe", "\xe4\xb8",         "\xf0\x9f\xaa\x91", "\xc3",
        "\xcc\x81", "\xf4\xbf\xbf\xbf", "\x01\x02",         "\xed\xa0\x80"};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        view_image image = written(hostile[i]);
        view_image_free(&image);
    }
}

/* The rows that black pixels take. */
static uint32_t black_rows(const view_image *image)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        bool inked = false;
        for (uint32_t x = 0; x < image->width; x++)
            inked = inked || pixel(image, x, y)[0] == 0;
        count += inked;
    }
    return count;
}

/* One that is half as high looks like a footnote's mark within a name. */
static void letters_of_ours_and_of_unifont_are_about_as_high(void **state)
{
    (void)state;
    glyph g;
    if (!glyph_find(0xd8, &g))
        skip();
    for (uint32_t dot = 2; dot < 9; dot++) {
        view_image ours = {0}, theirs = {0};
        assert_int_equal(image_new(100, 200, &ours, NULL), ETNA_OK);
        assert_int_equal(image_new(100, 200, &theirs, NULL), ETNA_OK);
        letters_draw(&ours, 4, 80, dot, "O");
        letters_draw(&theirs, 4, 80, dot, "\xd0\x9e"); /* Cyrillic */
        uint32_t high = black_rows(&ours), as_high = black_rows(&theirs);
        assert_in_range(as_high, high * 7 / 10, high * 13 / 10);
        view_image_free(&ours);
        view_image_free(&theirs);
    }
}

static void hebrew_is_written_from_the_right(void **state)
{
    (void)state;
    glyph g;
    if (!glyph_find(0x5d0, &g))
        skip();
    static const char *const names[] = {
        "\xd7\x90\xd7\x99"}; /* alef, which is broad, and yod, which is not */
    static const uint8_t colours[][3] = {{9, 9, 9}};
    view_image clean = {0}, image = {0};
    assert_int_equal(image_new(400, 40, &clean, NULL), ETNA_OK);
    assert_int_equal(view_legend(&clean, names, colours, 1, &image, NULL),
                     ETNA_OK);
    uint32_t first = 6 + 14 + 6; /* margin, patch, gap */
    assert_true(black_pixels(&image, first, first + 8) > 0);
    assert_true(black_pixels(&image, first, first + 8) <
                black_pixels(&image, first + 8, first + 16));
    view_image_free(&image);
    view_image_free(&clean);
}

static void the_legend_says_which_colour_is_whose(void **state)
{
    (void)state;
    static const char *const names[3] = {
        "Red Bottle", "K\xc3\xa4se",
        "a name that is far too long to be shown in so narrow a picture as this"};
    static const uint8_t colours[3][3] = {
        {230, 25, 25}, {1, 2, 3}, {30, 90, 255}};
    view_image clean = grey(400, 300), image = {0};
    assert_int_equal(view_legend(&clean, names, colours, 3, &image, NULL),
                     ETNA_OK);
    assert_int_equal(image.width, 400);
    assert_true(image.height > 300 + 3 * 14);
    assert_memory_equal(image.rgb, clean.rgb, 400 * 300 * 3);
    for (int i = 0; i < 3; i++) {
        uint32_t patch = 0, first = image.height;
        for (uint32_t y = 300; y < image.height; y++)
            for (uint32_t x = 0; x < 400; x++)
                if (memcmp(pixel(&image, x, y), colours[i], 3) == 0) {
                    patch++;
                    first = y < first ? y : first;
                }
        assert_true(patch >= 100);
        assert_true(ink_height(&image, 40, 395, first, first + 14) >=
                    0.022 * 300);
    }
    uint32_t edge = 0; /* nothing runs out of the picture */
    for (uint32_t y = 300; y < image.height; y++)
        edge += pixel(&image, 399, y)[0] < 255;
    assert_int_equal(edge, 0);
    const char *many[VIEW_HIGHLIGHT_MAX + 1] = {""};
    view_image none = {0};
    assert_int_equal(
        view_legend(&clean, many, colours, VIEW_HIGHLIGHT_MAX + 1, &none, NULL),
        ETNA_E_INPUT);
    assert_null(none.rgb);
    view_image_free(&image);
    view_image_free(&clean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_large_black_and_white_on_all_sides),
        cmocka_unit_test(a_crop_beneath_a_picture_gets_no_grid_and_moves_none),
        cmocka_unit_test(grid_dashes_are_one_pixel_at_forty_percent),
        cmocka_unit_test(the_line_is_wide_and_green_with_a_dark_edge),
        cmocka_unit_test(the_ghost_is_four_tenths_of_the_object),
        cmocka_unit_test(the_outline_goes_through_what_stands_before),
        cmocka_unit_test(no_outline_goes_through_a_wall),
        cmocka_unit_test(the_crop_follows_its_rule),
        cmocka_unit_test(
            letters_of_every_script_are_drawn_and_no_bytes_do_harm),
        cmocka_unit_test(letters_of_ours_and_of_unifont_are_about_as_high),
        cmocka_unit_test(hebrew_is_written_from_the_right),
        cmocka_unit_test(the_legend_says_which_colour_is_whose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
