/* Every allocation of worker/view fails once: reported, nothing leaked, outputs untouched. */
#include "fixture.h"
#include "tests/support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { W = 40, H = 30 };

static bool look(void *context)
{
    fixture *f = context;
    uint32_t ids[W * H], pixels;
    view_colour colours[64];
    return view_instance_map(f->sp, &f->camera, W, H, ids, NULL) == ETNA_OK &&
           view_silhouette(f->sp, &f->camera, 2, W, H, &pixels, NULL) == ETNA_OK &&
           view_mean_colours(f->sp, &f->camera, W, H, colours, NULL) == ETNA_OK;
}

static bool draw(void *context)
{
    fixture *f = context;
    view_image clean = {0}, grid = {0}, edit = {0}, lit = {0};
    uint32_t ids[W * H] = {0}, object = 4;
    arrange_pose before = *space_pose(f->sp, 4);
    before.position[0] += 0.1;
    bool ok = view_render(f->sp, &f->camera, W, H, &clean, NULL) == ETNA_OK &&
              view_grid(&clean, &grid, NULL, NULL) == ETNA_OK &&
              view_annotate_edit(f->sp, &f->camera, &clean, 4, &before, &edit, NULL, NULL) == ETNA_OK &&
              view_highlight(&clean, ids, &object, 1, NULL, &lit, NULL) == ETNA_OK;
    view_image_free(&clean);
    view_image_free(&grid);
    view_image_free(&edit);
    view_image_free(&lit);
    return ok;
}

static bool encode(void *context)
{
    (void)context;
    static uint8_t rgb[90 * 70 * 3];
    for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)(i * 2654435761u >> 11);
    view_image image = {.width = 90, .height = 70, .rgb = rgb};
    uint8_t *png = NULL, *jpeg = NULL;
    size_t size;
    bool ok = view_encode_png(&image, &png, &size, NULL) == ETNA_OK &&
              view_encode_jpeg(&image, 100, &jpeg, &size, NULL) == ETNA_OK;
    free(png);
    free(jpeg);
    return ok;
}

static bool choose(void *context)
{
    fixture *f = context;
    scene_camera camera;
    return view_choose_camera(f->sp, NULL, 0, "auto", &camera, NULL) == ETNA_OK;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    fixture f = fixture_open("bottles.glb");
    assert_true(choose(&f)); /* what worker/space builds when a ray first enters a mesh stays with it */
    assert_true(torture(look, &f) > 10);
    assert_true(torture(draw, &f) > 20);
    assert_true(torture(encode, NULL) >= 3);
    assert_true(torture(choose, &f) >= 2);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
