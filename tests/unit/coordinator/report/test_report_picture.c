/* Step images in the report: small, right in size, and nothing that is no
 * PNG. */
#include "coordinator/report/report_picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>
#include <webp/decode.h>

/* Stripes with a little grain, or noise that hardly compresses. */
static uint8_t *png_of(uint32_t width,
                       uint32_t height,
                       bool noise,
                       size_t *ret_size)
{
    size_t bytes = 3 * (size_t)width * height,
           room = bytes + bytes / 100 + 65536;
    uint8_t *pixels = malloc(bytes), *png = malloc(room);
    uint32_t seed = 1;
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 1664525 + 1013904223;
        uint8_t grain = (uint8_t)(seed >> 24);
        pixels[i] =
            noise ? grain
                  : (uint8_t)((i / 3 % width / 8 % 2 ? 200 : 40) + grain % 8);
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = width,
                       .height = height,
                       .format = PNG_FORMAT_RGB};
    assert_true(
        png_image_write_to_memory(&image, png, &room, 0, pixels, 0, NULL));
    free(pixels);
    *ret_size = room;
    return png;
}

static void a_png_becomes_a_webp_of_its_size(void **state)
{
    (void)state;
    size_t size;
    report_picture one;
    uint8_t *png = png_of(320, 200, false, &size);
    assert_true(report_picture_make(png, size, &one));
    assert_string_equal(one.mime, "image/webp");
    int width = 0, height = 0;
    uint8_t *rgb = WebPDecodeRGB(one.data, one.size, &width, &height);
    assert_non_null(rgb);
    assert_true(width == 320 && height == 200 && one.width == 320 &&
                one.height == 200);
    assert_in_range(rgb[3 * (100 * 320 + 4)], 20, 60);
    assert_in_range(rgb[3 * (100 * 320 + 12)], 180, 220);
    WebPFree(rgb);
    report_picture_free(&one);
    assert_null(one.data);
}

static void even_noise_stays_within_the_bound(void **state)
{
    (void)state;
    size_t size;
    report_picture one;
    uint8_t *png = png_of(640, 480, true, &size);
    assert_true(size > 900000);
    assert_true(report_picture_make(png, size, &one));
    assert_true(one.size <= REPORT_PICTURE_BYTES);
    report_picture_free(&one);
}

static void what_cannot_be_read_stays_as_it_came_and_no_png_is_refused(
    void **state)
{
    (void)state;
    size_t size;
    uint8_t *png = png_of(64, 64, true, &size);
    for (size_t cut = 0; cut < size; cut += 97) { /* damaged anywhere */
        report_picture one = {0};
        uint8_t *copy = malloc(size);
        memcpy(copy, png, size);
        memset(copy + cut, 0xee, cut + 40 < size ? 40 : size - cut);
        if (report_picture_make(copy, size, &one))
            assert_true(one.data && one.size > 0 && one.size <= size);
        report_picture_free(&one);
    }
    static const uint8_t huge[4] = {0x7f, 0xff, 0xff, 0xff};
    memcpy(png + 16, huge, 4); /* a width that no memory holds */
    report_picture one = {0};
    assert_true(report_picture_make(png, size, &one));
    assert_string_equal(one.mime, "image/png");
    report_picture_free(&one);
    static const char *const no[] = {
        "", "GIF89a", "\x89PNG\r\n\x1a\n",
        "<svg onload=alert(1)>                          "};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        uint8_t *copy = malloc(strlen(no[i]) + 1);
        strcpy((char *)copy, no[i]);
        assert_false(report_picture_make(copy, strlen(no[i]), &one));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_becomes_a_webp_of_its_size),
        cmocka_unit_test(even_noise_stays_within_the_bound),
        cmocka_unit_test(
            what_cannot_be_read_stays_as_it_came_and_no_png_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
