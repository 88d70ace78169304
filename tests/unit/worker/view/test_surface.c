/* Base colours: factor x texture x vertex colour, wrapping, and see-through
 * surfaces in a picture. */
#include "fixture.h"
#include "worker/view/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One triangle whose corners have the uv (0,0), (1,0), (0,1) times `scale` plus
 * `shift`, with a texture of 2 x 2 texels: red, green over blue, white. */
typedef struct sample {
    float uv[6], colour[12];
    uint32_t index[3];
    uint8_t texels[16];
    scene_mesh mesh;
    scene_part part;
    scene_material material;
    scene_texture texture;
    scene s;
    surface_tables tables;
} sample;

static sample *sample_new(float shift, uint32_t wrap)
{
    static const uint8_t texels[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 51};
    sample *t = calloc(1, sizeof *t);
    assert_non_null(t);
    const float uv[6] = {shift, shift, 1 + shift, shift, shift, 1 + shift};
    memcpy(t->uv, uv, sizeof uv);
    memcpy(t->texels, texels, sizeof texels);
    for (uint32_t i = 0; i < 3; i++)
        t->index[i] = i;
    t->mesh = (scene_mesh){
        .vertex_count = 3, .triangle_count = 1, .index = t->index, .uv = t->uv};
    t->material = (scene_material){
        .name = "", .base_colour = {1, 0.5f, 1, 1}, .texture = 0};
    t->texture = (scene_texture){2, 2, t->texels, wrap, wrap};
    t->s = (scene){.mesh_count = 1,
                   .part_count = 1,
                   .material_count = 1,
                   .texture_count = 1,
                   .meshes = &t->mesh,
                   .parts = &t->part,
                   .materials = &t->material,
                   .textures = &t->texture};
    surface_tables_fill(&t->tables);
    return t;
}

static void check(sample *t,
                  double u,
                  double v,
                  bool smooth,
                  double r,
                  double g,
                  double b,
                  double a)
{
    const double weights[3] = {1 - u - v, u, v}, wanted[4] = {r, g, b, a};
    double rgba[4];
    surface_colour(&t->s, &t->tables, 0, 0, weights, smooth, rgba);
    for (int i = 0; i < 4; i++)
        if (!(rgba[i] > wanted[i] - 1e-6 && rgba[i] < wanted[i] + 1e-6))
            fail_msg("at %g %g channel %d is %g, not %g", u, v, i, rgba[i],
                     wanted[i]);
}

static void texels_factor_and_vertex_colours_multiply(void **state)
{
    (void)state;
    sample *t = sample_new(0, 10497);
    check(t, 0.25, 0.25, false, 1, 0, 0, 1);
    check(t, 0.75, 0.25, false, 0, 0.5, 0, 1);
    check(t, 0.25, 0.75, false, 0, 0, 1, 1);
    check(t, 0.51, 0.505, false, 1, 0.5, 1, 0.2);
    check(t, 0.5, 0.25, true, 0.5, 0.25, 0, 1); /* half way from red to green */
    for (int i = 0; i < 12; i++)
        t->colour[i] = i % 4 == 2 ? 0.25f : 1;
    t->mesh.colour = t->colour;
    check(t, 0.25, 0.75, false, 0, 0, 0.25, 1);
    t->texture.rgba = NULL; /* could not be read: the factor stands in */
    check(t, 0.25, 0.75, false, 1, 0.5, 0.25, 1);
    t->part.material = SCENE_NONE;
    t->mesh.colour = NULL;
    check(t, 0.25, 0.75, false, 0.8, 0.8, 0.8, 1);
    free(t);
}

static void textures_repeat_mirror_and_clamp(void **state)
{
    (void)state;
    sample *t = sample_new(-3, 10497);
    check(t, 0.25, 0.25, false, 1, 0, 0, 1);
    free(t);
    t = sample_new(1, 33648); /* the second period runs backward */
    check(t, 0.25, 0.25, false, 1, 0.5, 1, 0.2);
    check(t, 0.75, 0.75 - 0.5, false, 0, 0, 1, 1);
    free(t);
    t = sample_new(7, 33071);
    check(t, 0.25, 0.25, false, 1, 0.5, 1, 0.2);
    free(t);
    t = sample_new(-7, 33071);
    check(t, 0.25, 0.25, false, 1, 0, 0, 1);
    free(t);
    static const float wild[] = {1e38f, -1e38f, INFINITY, NAN};
    static const uint32_t modes[] = {10497, 33648, 33071};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double weights[3] = {0.2, 0.3, 0.5};
            double rgba[4];
            t = sample_new(wild[i], modes[k]);
            surface_colour(&t->s, &t->tables, 0, 0, weights, true, rgba);
            for (int j = 0; j < 4; j++)
                assert_true(rgba[j] >= 0 && rgba[j] <= 1);
            free(t);
        }
}

/* The triangle's paint and glow at weights b; right and below: the weights a
 * pixel away. */
static void paint(const sample *t,
                  const double b[3],
                  const double right[3],
                  const double below[3],
                  float rgba[4],
                  float glow[3])
{
    surface_paint p;
    double uv[2] = {0, 0}, dx[2] = {0, 0}, dy[2] = {0, 0};
    surface_prepare(&t->s, 0, 0, &p);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            uv[k] += b[i] * p.uv[i][k];
            dx[k] += (right[i] - b[i]) * p.uv[i][k];
            dy[k] += (below[i] - b[i]) * p.uv[i][k];
        }
    surface_paint_at(&p, &t->tables, b, uv, dx, dy, rgba, glow);
}

/* A pixel that covers the whole texture sees its mean, one that covers a
 * quarter of a texel the texel. */
static void a_footprint_sees_the_mean_of_what_it_covers(void **state)
{
    (void)state;
    sample *t = sample_new(0, 10497);
    const double b[3] = {0, 0.5, 0.5}, right[3] = {-1, 1.5, 0.5},
                 below[3] = {-1, 0.5, 1.5};
    float rgba[4], glow[3];
    paint(t, b, right, below, rgba, glow);
    assert_true(fabs((double)rgba[0] - 0.5) < 1e-6 &&
                fabs((double)rgba[1] - 0.25) < 1e-6 &&
                fabs((double)rgba[2] - 0.5) < 1e-6 &&
                fabs((double)rgba[3] - 0.8) < 1e-6);
    const double c[3] = {0.5, 0.25, 0.25}, near_right[3] = {0.4, 0.35, 0.25},
                 near_below[3] = {0.4, 0.25, 0.35};
    paint(t, c, near_right, near_below, rgba, glow);
    assert_true(fabs((double)rgba[0] - 1) < 1e-6 && rgba[1] < 1e-6f &&
                rgba[2] < 1e-6f);
    /* far away over very many repeats it stays near the mean: no sparkle */
    const double f[3] = {0.3, 0.3, 0.4}, far_right[3] = {-40.37, 41.1, 0.27},
                 far_below[3] = {-37.5, 2.11, 36.39};
    paint(t, f, far_right, far_below, rgba, glow);
    assert_true(fabs((double)rgba[0] - 0.5) < 0.2 &&
                fabs((double)rgba[2] - 0.5) < 0.2);
    free(t);
}

static void glow_is_the_factor_times_its_texture(void **state)
{
    (void)state;
    sample *t = sample_new(0, 10497);
    const double c[3] = {0.5, 0.25, 0.25}, right[3] = {0.4, 0.35, 0.25},
                 below[3] = {0.4, 0.25, 0.35}; /* red */
    float rgba[4], rgb[3];
    t->material.texture = SCENE_NONE;
    paint(t, c, right, below, rgba, rgb); /* no factor, no glow */
    assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0);
    for (int i = 0; i < 3; i++)
        t->material.emissive[i] = 3;
    paint(t, c, right, below, rgba, rgb);
    assert_true(fabs((double)rgb[0] - 3) < 1e-5 && rgb[1] < 1e-6f &&
                rgb[2] < 1e-6f);
    t->texture.rgba = NULL; /* not read */
    paint(t, c, right, below, rgba, rgb);
    assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0);
    t->material.emissive_texture = SCENE_NONE;
    paint(t, c, right, below, rgba, rgb);
    assert_true(rgb[0] == 3 && rgb[1] == 3 && rgb[2] == 3);
    free(t);
}

static void a_masked_surface_has_holes_under_its_cutoff(void **state)
{
    (void)state;
    sample *t = sample_new(0, 10497);
    /* alpha 0.2 and 1 */
    const double white[3] = {-0.5, 0.75, 0.75}, red[3] = {0.5, 0.25, 0.25};
    assert_false(surface_masked(&t->s, 0));
    assert_false(surface_has_hole(&t->s, &t->tables, 0, 0, white));
    t->material.alpha_cutoff = 0.5f;
    assert_true(surface_masked(&t->s, 0));
    assert_true(surface_has_hole(&t->s, &t->tables, 0, 0, white));
    assert_false(surface_has_hole(&t->s, &t->tables, 0, 0, red));
    free(t);
}

static void glass_is_seen_through(void **state)
{
    (void)state;
    fixture f;
    if (!fixture_open_data("scenes/playcanvas_small/glass-table.glb", &f))
        skip();
    enum {
        W = 256,
        H = 192
    };
    static uint32_t ids[W * H];
    view_image image = {0};
    scene_camera camera;
    assert_int_equal(view_derive_camera(f.sp, &camera, NULL), ETNA_OK);
    assert_int_equal(view_instance_map(f.sp, &camera, W, H, ids, NULL),
                     ETNA_OK);
    assert_int_equal(view_render(f.sp, &camera, W, H, 1, &image, NULL),
                     ETNA_OK);
    uint32_t glass = SCENE_NONE, behind = 0, bright = 0;
    for (uint32_t i = 0; i < f.s->object_count; i++)
        if (f.s->materials[f.s->parts[f.s->objects[i].first_part].material]
                .blend)
            glass = i;
    assert_int_not_equal(glass, SCENE_NONE);
    for (int i = 0; i < W * H; i++) {
        behind += ids[i] == glass;
        bright += ids[i] == glass &&
                  /* black glass: what is bright shines through */
                  image.rgb[3 * i] > 90;
    }
    assert_true(behind > 500 && bright > behind / 2);
    view_image_free(&image);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_factor_and_vertex_colours_multiply),
        cmocka_unit_test(textures_repeat_mirror_and_clamp),
        cmocka_unit_test(a_footprint_sees_the_mean_of_what_it_covers),
        cmocka_unit_test(glow_is_the_factor_times_its_texture),
        cmocka_unit_test(a_masked_surface_has_holes_under_its_cutoff),
        cmocka_unit_test(glass_is_seen_through)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
