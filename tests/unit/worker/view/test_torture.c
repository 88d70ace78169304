/* Every allocation of worker/view fails once: reported, nothing leaked, outputs
 * untouched. */
#include "fixture.h"
#include "tests/support/scene_builder.h"
#include "tests/support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    W = 40,
    H = 30
};

static bool look(void *context)
{
    fixture *f = context;
    uint32_t ids[W * H], pixels;
    view_colour colours[64];
    return view_instance_map(f->sp, &f->camera, W, H, ids, NULL) == ETNA_OK &&
           view_silhouette(f->sp, &f->camera, 2, W, H, &pixels, NULL) ==
               ETNA_OK &&
           view_mean_colours(f->sp, &f->camera, W, H, colours, NULL) == ETNA_OK;
}

/* What worker/space builds when a ray first enters a mesh stays with it: a new
 * space begins with all of it. */
static void stand_anew(space_shared *shared, space **sp)
{
    space_free(*sp);
    assert_int_equal(space_new(shared, sp, NULL), ETNA_OK);
}

static bool draw(void *context)
{
    fixture *f = context;
    view_image clean = {0}, grid = {0}, edit = {0}, lit = {0};
    uint32_t ids[W * H] = {0}, object = 4;
    arrange_pose before = *space_pose(f->sp, 4);
    before.position[0] += 0.1;
    bool ok =
        view_render(f->sp, &f->camera, W, H, 1, &clean, NULL) == ETNA_OK &&
        view_grid(&clean, &grid, NULL, NULL) == ETNA_OK &&
        view_annotate_edit(f->sp, &f->camera, &clean, 4, &before, 1, &edit,
                           NULL, NULL) == ETNA_OK &&
        view_highlight(&clean, ids, &object, 1, NULL, &lit, NULL) == ETNA_OK;
    view_image_free(&clean);
    view_image_free(&grid);
    view_image_free(&edit);
    view_image_free(&lit);
    return ok;
}

typedef struct plain { /* made by hand: a mesh without normals */
    space *sp;
    scene_camera camera;
} plain;

static bool draw_plain(void *context)
{
    plain *p = context;
    view_image clean = {0}, legend = {0};
    static const char *const names[1] = {"ball"};
    uint32_t ids[W * H];
    view_colour colours[4];
    bool ok =
        view_render(p->sp, &p->camera, W, H, 1, &clean, NULL) == ETNA_OK &&
        view_legend(&clean, names, view_highlight_rgb, 1, &legend, NULL) ==
            ETNA_OK &&
        view_map_and_colours(p->sp, &p->camera, W, H, ids, colours, NULL) ==
            ETNA_OK;
    view_image_free(&clean);
    view_image_free(&legend);
    return ok;
}

static void a_mesh_without_normals_is_no_exception(void **state)
{
    (void)state;
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "ball", scene_builder_sphere(b, 0.5, 6),
                         scene_builder_at(0, 0, 0, 0), false);
    scene_builder_camera(b, "Camera", v3(0, -2, 1), v3(0, 0, 0));
    scene *s = scene_builder_scene(b);
    assert_null(s->meshes[0].normal);
    space_shared *shared = NULL;
    plain p = {.camera = s->cameras[0]};
    assert_int_equal(space_share(s, &shared, NULL), ETNA_OK);
    assert_int_equal(space_new(shared, &p.sp, NULL), ETNA_OK);
    assert_true(draw_plain(&p));
    stand_anew(shared, &p.sp);
    assert_true(torture(draw_plain, &p) > 15);
    space_free(p.sp);
    space_shared_free(shared);
    scene_builder_free(b);
}

static bool encode(void *context)
{
    (void)context;
    static uint8_t rgb[90 * 70 * 3];
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(i * 2654435761u >> 11);
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
    assert_true(choose(&f) && draw(&f));
    stand_anew(f.shared, &f.sp);
    assert_true(torture(look, &f) > 10);
    assert_true(torture(draw, &f) > 20);
    assert_true(torture(encode, NULL) >= 3);
    assert_true(torture(choose, &f) >= 2);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(a_mesh_without_normals_is_no_exception)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
