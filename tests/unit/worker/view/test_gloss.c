/* What shines, and what is seen through. */
#include "fixture.h"

#include "tests/support/scene_builder.h"
#include "worker/view/gloss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    W = 160,
    H = 120
};

/* A picture of a ball of radius 0.5 before a red wall, by its material. */
static view_image ball(const scene_material *material)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 3),
                         scene_builder_at(0, 2, 1, 0), true);
    scene_builder_object(b, "ball", scene_builder_sphere(b, 0.5, 40),
                         scene_builder_at(0, 0, 1, 0), false);
    scene_builder_camera(b, "Camera", v3(0, -2, 1), v3(0, 0, 1));
    scene *s = scene_builder_scene(b);
    scene_material materials[2] = {{.name = "red",
                                    .base_colour = {0.8f, 0.05f, 0.05f, 1},
                                    .texture = SCENE_NONE,
                                    .emissive_texture = SCENE_NONE,
                                    .roughness = 1},
                                   *material};
    scene_part *parts = malloc(s->part_count * sizeof *parts);
    memcpy(parts, s->parts, s->part_count * sizeof *parts);
    for (uint32_t i = 0; i < s->part_count; i++)
        parts[i].material = parts[i].object;
    const scene_part *own_parts = s->parts;
    const scene_material *own = s->materials;
    s->parts = parts;
    s->materials = materials;
    s->material_count = 2;
    space_shared *shared;
    space *sp;
    view_image image = {0};
    assert_int_equal(space_share(s, &shared, NULL), ETNA_OK);
    assert_int_equal(space_new(shared, &sp, NULL), ETNA_OK);
    assert_int_equal(view_render(sp, &s->cameras[0], W, H, 1, &image, NULL),
                     ETNA_OK);
    space_free(sp);
    space_shared_free(shared);
    s->parts = own_parts;
    s->materials = own;
    s->material_count = 1;
    free(parts);
    scene_builder_free(b);
    return image;
}

static scene_material material_of(float shade,
                                  float metallic,
                                  float roughness,
                                  float transmission)
{
    return (scene_material){.name = "",
                            .base_colour = {shade, shade, shade, 1},
                            .texture = SCENE_NONE,
                            .emissive_texture = SCENE_NONE,
                            .metallic = metallic,
                            .roughness = roughness,
                            .transmission = transmission};
}

/* The brightest and the middle pixel of the ball. */
static void measure(const view_image *image,
                    int *ret_brightest,
                    int *ret_middle)
{
    *ret_brightest = 0;
    for (uint32_t y = H / 4; y < 3 * H / 4; y++)
        for (uint32_t x = W / 3; x < 2 * W / 3; x++) {
            int green = image->rgb[3 * (y * W + x) + 1];
            *ret_brightest = green > *ret_brightest ? green : *ret_brightest;
        }
    *ret_middle = image->rgb[3 * (H / 2 * W + W / 2) + 1];
}

static void a_smooth_black_ball_has_a_highlight_and_a_dull_one_none(
    void **state)
{
    (void)state;
    int bright[2], middle[2];
    for (int smooth = 0; smooth < 2; smooth++) {
        scene_material m = material_of(0.01f, 0, smooth ? 0.2f : 0.9f, 0);
        view_image image = ball(&m);
        measure(&image, &bright[smooth], &middle[smooth]);
        view_image_free(&image);
    }
    assert_true(bright[0] < middle[0] + 40);
    assert_true(bright[1] > middle[1] + 90);
}

static void glass_shows_what_is_behind_it(void **state)
{
    (void)state;
    scene_material clear = material_of(1, 0, 0.05f, 1),
                   solid = material_of(1, 0, 0.05f, 0);
    view_image through = ball(&clear), before = ball(&solid);
    const uint8_t *a = through.rgb + 3 * (H * 5 / 8 * W + W / 2),
                  *b = before.rgb + 3 * (H * 5 / 8 * W + W / 2);
    assert_true(a[0] > 1.6 * a[1]); /* the red wall */
    assert_true(b[0] < 1.3 * b[1]);
    view_image_free(&through);
    view_image_free(&before);
}

static void metal_has_its_colour_in_what_it_mirrors(void **state)
{
    (void)state;
    scene_material gold = material_of(0, 1, 0.3f, 0);
    gold.base_colour[0] = 1;
    gold.base_colour[1] = 0.7f;
    gold.base_colour[2] = 0.3f;
    gloss g = gloss_of(&gold);
    float straight[3];
    gloss_fresnel(&g, gold.base_colour, 1, straight);
    assert_true(straight[0] > 0.95f && straight[1] > 0.65f &&
                straight[1] < 0.75f && straight[2] < 0.35f);
    assert_true(gloss_diffuse(&g) < 0.01f);
}

/* As the rows of a table say: whatever the numbers, light stays finite and is
 * never taken away. */
static void no_material_makes_light_that_is_no_number(void **state)
{
    (void)state;
    static const float values[] = {0, 1e-6f, 0.2f, 0.5f, 1};
    static const double steep[] = {-1, 0, 1e-9, 0.5, 1};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            for (int j = 0; j < 5; j++) {
                scene_material m =
                    material_of(values[k], values[i], values[j], 0);
                m.clearcoat = values[k];
                gloss g = gloss_of(&m);
                float rgb[3] = {0, 0, 0};
                const double light[3] = {3, 3, 3};
                vec3 n = v3(0, 0, 1),
                     eye = v3(sqrt(1 - steep[j] * steep[j]), 0, steep[j]);
                gloss_add_sky(&g, m.base_colour, n, eye, 1, rgb);
                gloss_add_lamp(&g, m.base_colour, n, eye, v3_scale(eye, -1),
                               light, rgb);
                gloss_add_lamp(&g, m.base_colour, n, eye, eye, light, rgb);
                for (int c = 0; c < 3; c++)
                    assert_true(rgb[c] >= 0 && rgb[c] < 100);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_smooth_black_ball_has_a_highlight_and_a_dull_one_none),
        cmocka_unit_test(glass_shows_what_is_behind_it),
        cmocka_unit_test(metal_has_its_colour_in_what_it_mirrors),
        cmocka_unit_test(no_material_makes_light_that_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
