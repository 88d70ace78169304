/* Images: encoding round trips, and that overlays change what they should and
 * nothing else. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jpeglib.h>
#include <png.h>

enum {
    W = 320,
    H = 240
};

static view_image pattern(uint32_t width, uint32_t height)
{
    view_image image = {.width = width,
                        .height = height,
                        .rgb = malloc((size_t)width * height * 3)};
    assert_non_null(image.rgb);
    for (size_t i = 0; i < (size_t)width * height * 3; i++)
        image.rgb[i] = (uint8_t)(i * 2654435761u >> 13);
    return image;
}

static const uint8_t *pixel(const view_image *image, uint32_t x, uint32_t y)
{
    return image->rgb + 3 * ((size_t)y * image->width + x);
}

/* Every difference between neighbours there is. */
static void scatter(view_image *image)
{
    uint32_t x = 1;
    for (size_t i = 0; i < 3 * (size_t)image->width * image->height; i++) {
        x = x * 1664525 + 1013904223;
        image->rgb[i] = x >> 30 ? (uint8_t)(x >> 16) : x >> 29 ? 255 : 0;
    }
}

static void png_comes_back_bit_for_bit(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {7, 3}, {300, 200}, {257, 193}};
    for (int i = 0; i < 5; i++) {
        view_image image =
            pattern(sizes[i < 4 ? i : 3][0], sizes[i < 4 ? i : 3][1]);
        if (i == 4)
            scatter(&image);
        uint8_t *data = NULL;
        size_t size = 0;
        assert_int_equal(view_encode_png(&image, &data, &size, NULL), ETNA_OK);
        png_image back = {.version = PNG_IMAGE_VERSION};
        assert_true(png_image_begin_read_from_memory(&back, data, size));
        back.format = PNG_FORMAT_RGB;
        assert_int_equal(back.width, image.width);
        assert_int_equal(back.height, image.height);
        uint8_t *rgb = malloc(PNG_IMAGE_SIZE(back));
        assert_true(png_image_finish_read(&back, NULL, rgb, 0, NULL));
        assert_memory_equal(rgb, image.rgb, PNG_IMAGE_SIZE(back));
        free(rgb);
        free(data);
        view_image_free(&image);
    }
}

static void jpeg_comes_back_nearly(void **state)
{
    (void)state;
    view_image image = {.width = 64, .height = 48, .rgb = calloc(64 * 48, 3)};
    for (int i = 0; i < 64 * 48; i++) {
        image.rgb[3 * i] = (uint8_t)(i % 64 * 4);
        image.rgb[3 * i + 1] = (uint8_t)(i / 64 * 5);
        image.rgb[3 * i + 2] = 90;
    }
    uint8_t *data = NULL;
    size_t size = 0;
    assert_int_equal(view_encode_jpeg(&image, 95, &data, &size, NULL), ETNA_OK);
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, data, size);
    assert_int_equal(jpeg_read_header(&jpeg, TRUE), JPEG_HEADER_OK);
    jpeg_start_decompress(&jpeg);
    assert_int_equal(jpeg.output_width, 64);
    assert_int_equal(jpeg.output_height, 48);
    for (int y = 0; y < 48; y++) {
        uint8_t line[64 * 3];
        JSAMPROW row = line;
        jpeg_read_scanlines(&jpeg, &row, 1);
        for (int k = 0; k < 64 * 3; k++)
            assert_true(abs(line[k] - image.rgb[y * 64 * 3 + k]) < 16);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    free(data);
    /* noise: more than the first buffer holds */
    view_image big = pattern(900, 700);
    assert_int_equal(view_encode_jpeg(&big, 100, &data, &size, NULL), ETNA_OK);
    assert_true(size > 200000 && data[0] == 0xff && data[1] == 0xd8 &&
                data[size - 2] == 0xff && data[size - 1] == 0xd9);
    free(data);
    view_image_free(&big);
    view_image_free(&image);
}

static void an_empty_image_is_refused(void **state)
{
    (void)state;
    view_image none = {0};
    uint8_t *data = NULL;
    size_t size = 3;
    assert_int_equal(view_encode_png(&none, &data, &size, NULL),
                     ETNA_E_INTERNAL);
    assert_int_equal(view_encode_jpeg(&none, 90, &data, &size, NULL),
                     ETNA_E_INTERNAL);
    assert_true(data == NULL && size == 3);
    view_image_free(&none);
    view_image_free(NULL);
}

/* Dark pixels in a square of the image. */
static int ink(const view_image *image, double x, double y, int half)
{
    int dark = 0;
    for (int j = -half; j <= half; j++)
        for (int i = -half; i <= half; i++) {
            const uint8_t *p =
                pixel(image, (uint32_t)(x + i), (uint32_t)(y + j));
            dark += p[0] < 100 && p[1] < 100 && p[2] < 100;
        }
    return dark;
}

static void grid_lines_and_labels_stand_at_tenths(void **state)
{
    (void)state;
    view_image clean = {.width = 1024,
                        .height = 768,
                        .rgb = malloc(1024 * 768 * 3)},
               image = {0};
    memset(clean.rgb, 128, 1024 * 768 * 3);
    uint32_t margin = 0;
    assert_int_equal(view_grid(&clean, &image, &margin, NULL), ETNA_OK);
    assert_true(margin >= 17);
    assert_int_equal(image.width, 1024 + 2 * margin);
    assert_int_equal(image.height, 768 + 2 * margin);
    for (int i = 0; i <= 10; i++) {
        double x = margin + 102.4 * i, y = margin + 76.8 * i, m = margin;
        assert_true(ink(&image, x, m / 2, 12) > 20 &&
                    ink(&image, x, m * 1.5 + 768, 12) > 20);
        assert_true(ink(&image, m / 2, y, 12) > 20 &&
                    ink(&image, m * 1.5 + 1024, y, 12) > 20);
        if (i < 10) /* nothing between labels */
            assert_true(ink(&image, x + 51, m / 2, 12) == 0 &&
                        ink(&image, m / 2, y + 38, 12) == 0);
    }
    /* inside the picture only the lines are touched: nine columns and nine
     * rows */
    for (uint32_t y = 0; y < 768; y++)
        for (uint32_t x = 0; x < 1024; x++) {
            bool on = false;
            for (int i = 1; i < 10; i++)
                on |= x == (uint32_t)(102.4 * i) || y == (uint32_t)(76.8 * i);
            const uint8_t *p = pixel(&image, x + margin, y + margin);
            if (!on)
                assert_int_equal(p[0], 128);
        }
    /* a line has dark and light dashes at 40 %, in a pixel's width */
    int dark = 0, light = 0;
    for (uint32_t y = 1; y < 76; y++) {
        uint8_t value = pixel(&image, margin + 102, margin + y)[0];
        dark += value >= 74 && value <= 80;
        light += value >= 176 && value <= 182;
    }
    assert_true(dark >= 30 && light >= 30);
    view_image_free(&image);
    view_image_free(&clean);
}

static void highlights_paint_their_objects_only(void **state)
{
    (void)state;
    view_image clean = pattern(4, 4), image = {0};
    static const uint32_t ids[16] = {0, 0, 0, 0, 0, 1, 1,          0,
                                     0, 1, 1, 0, 2, 2, SCENE_NONE, SCENE_NONE};
    static const uint32_t objects[2] = {1, 2};
    static const uint8_t own[2][3] = {{1, 2, 3}, {250, 251, 252}};
    assert_int_equal(view_highlight(&clean, ids, objects, 2, own, &image, NULL),
                     ETNA_OK);
    for (int i = 0; i < 16; i++) {
        const uint8_t *p = image.rgb + 3 * i, *old = clean.rgb + 3 * i;
        if (ids[i] == 1 || ids[i] == 2)
            /* all edge pixels here */
            assert_memory_equal(p, own[ids[i] - 1], 3);
        else
            assert_memory_equal(p, old, 3);
    }
    uint32_t many[VIEW_HIGHLIGHT_MAX + 1] = {0};
    view_image none = {0};
    assert_int_equal(view_highlight(&clean, ids, many, VIEW_HIGHLIGHT_MAX + 1,
                                    NULL, &none, NULL),
                     ETNA_E_INPUT);
    assert_null(none.rgb);
    for (int i = 0; i < VIEW_HIGHLIGHT_MAX; i++)
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(view_highlight_name[i],
                                    view_highlight_name[k]);
            assert_memory_not_equal(view_highlight_rgb[i],
                                    view_highlight_rgb[k], 3);
        }
    view_image_free(&image);
    view_image_free(&clean);
}

static void the_clean_image_shows_colours_and_median_light(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    view_image image = {0};
    uint32_t ids[W * H];
    assert_int_equal(view_render(f.sp, &f.camera, W, H, 1, &image, NULL),
                     ETNA_OK);
    assert_int_equal(view_instance_map(f.sp, &f.camera, W, H, ids, NULL),
                     ETNA_OK);
    uint32_t red = fixture_object(&f, "Red Bottle"), histogram[256] = {0},
             below = 0, median = 0;
    uint64_t sum[3] = {0};
    for (int i = 0; i < W * H; i++) {
        const uint8_t *p = image.rgb + 3 * i;
        for (int k = 0; k < 3 && ids[i] == red; k++)
            sum[k] += p[k];
        histogram[(p[0] * 54 + p[1] * 183 + p[2] * 19) >> 8]++;
    }
    while (below < W * H / 2)
        below += histogram[median++];
    assert_true(sum[0] > 2 * sum[1] && sum[0] > 2 * sum[2]);
    assert_in_range(median, (int)(0.33 * 255), (int)(0.62 * 255));
    view_image_free(&image);
    fixture_close(&f);
}

static int green_pixels(const view_image *image, uint32_t y1, uint32_t y2)
{
    int count = 0;
    for (uint32_t y = y1; y < y2; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *p = pixel(image, x, y);
            count += p[0] < 60 && p[1] > 200 && p[2] < 110;
        }
    return count;
}

/* The red bottle onto the yellow block, and what the annotation may touch: the
 * boxes around old and new place and the way. */
static void an_edit_is_drawn_where_it_happened(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    uint32_t red = fixture_object(&f, "Red Bottle"),
             block = fixture_object(&f, "Yellow Block");
    arrange_pose before = *space_pose(f.sp, red), after = before;
    scene_box on = scene_box_at(&f.s->objects[block], space_pose(f.sp, block));
    after.position[0] = on.centre.x;
    after.position[1] = on.centre.y;
    after.position[2] = on.centre.z + on.half.z + 0.123;
    assert_int_equal(space_move(f.sp, red, &after, NULL), ETNA_OK);
    view_image clean = {0}, image = {0};
    bool cropped = true;
    assert_int_equal(view_render(f.sp, &f.camera, 1024, 768, 1, &clean, NULL),
                     ETNA_OK);
    assert_int_equal(view_annotate_edit(f.sp, &f.camera, &clean, red, &before,
                                        1, &image, &cropped, NULL),
                     ETNA_OK);
    assert_false(cropped);
    assert_int_equal(image.width, 1024);
    assert_int_equal(image.height, 768);
    assert_true(green_pixels(&image, 0, 768) > 1000);
    double from[3], to[3];
    assert_true(camera_project(
        &f.camera,
        v3(before.position[0], before.position[1], before.position[2]),
        &from[0], &from[1], &from[2]));
    assert_true(camera_project(
        &f.camera, v3(after.position[0], after.position[1], after.position[2]),
        &to[0], &to[1], &to[2]));
    double x1 = (from[0] < to[0] ? from[0] : to[0]) * 1024 - 90,
           x2 = (from[0] < to[0] ? to[0] : from[0]) * 1024 + 90;
    int outside = 0, ghost = 0;
    for (uint32_t y = 0; y < 768; y++)
        for (uint32_t x = 0; x < 1024; x++) {
            int change = abs(pixel(&image, x, y)[0] - pixel(&clean, x, y)[0]);
            outside += change != 0 && (x < x1 || x > x2);
            ghost += change > 8 && fabs(x - from[0] * 1024) < 25 &&
                     fabs(y - from[1] * 768) < 60;
        }
    assert_int_equal(outside, 0);
    assert_true(ghost > 800);
    const uint8_t *middle = pixel(&image, (uint32_t)((from[0] + to[0]) * 512),
                                  (uint32_t)((from[1] + to[1]) * 384));
    assert_true(middle[1] > 200 && middle[0] < 60); /* on the line */
    view_image_free(&image);
    view_image_free(&clean);
    fixture_close(&f);
}

static void a_hidden_object_gets_an_outline_and_a_crop(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    uint32_t red = fixture_object(&f, "Red Bottle");
    arrange_pose before = *space_pose(f.sp, red), after = before;
    after.position[0] = 0;
    after.position[1] = 0;
    after.position[2] -= 0.6; /* under the table */
    assert_int_equal(space_move(f.sp, red, &after, NULL), ETNA_OK);
    view_image clean = {0}, image = {0};
    bool cropped = false;
    assert_int_equal(view_render(f.sp, &f.camera, 640, 480, 1, &clean, NULL),
                     ETNA_OK);
    assert_int_equal(view_annotate_edit(f.sp, &f.camera, &clean, red, &before,
                                        1, &image, &cropped, NULL),
                     ETNA_OK);
    assert_true(cropped);
    assert_int_equal(image.width, 640);
    assert_true(image.height > 2 * 480 && image.height < 2 * 480 + 40);
    assert_true(green_pixels(&image, 0, 480) > 300 &&
                green_pixels(&image, 490, image.height) > 800);
    view_image_free(&image);
    view_image_free(&clean);
    fixture_close(&f);
}

static void instances_have_their_own_colours(void **state)
{
    (void)state;
    uint32_t ids[40];
    for (uint32_t i = 0; i < 40; i++)
        ids[i] = i == 39 ? SCENE_NONE : i;
    view_image image = {0};
    assert_int_equal(view_instances_image(ids, 8, 5, &image, NULL), ETNA_OK);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(image.rgb + 3 * i, image.rgb + 3 * k, 3);
    assert_true(image.rgb[39 * 3] == 0 && image.rgb[39 * 3 + 1] == 0);
    view_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_comes_back_bit_for_bit),
        cmocka_unit_test(jpeg_comes_back_nearly),
        cmocka_unit_test(an_empty_image_is_refused),
        cmocka_unit_test(grid_lines_and_labels_stand_at_tenths),
        cmocka_unit_test(highlights_paint_their_objects_only),
        cmocka_unit_test(the_clean_image_shows_colours_and_median_light),
        cmocka_unit_test(an_edit_is_drawn_where_it_happened),
        cmocka_unit_test(a_hidden_object_gets_an_outline_and_a_crop),
        cmocka_unit_test(instances_have_their_own_colours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
