/* Light and shade: lamps, soft shadows, shade within 1 m, holes, hidden
 * objects, exposure, and the same bits for any number of threads. */
#include "fixture.h"
#include "tests/support/scene_builder.h"
#include "worker/view/light.h"
#include "worker/view/normals.h"
#include "worker/view/tone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    W = 320,
    H = 240
};

typedef struct stand { /* a hand-made scene */
    scene_builder *b;
    scene *s;
    space_shared *shared;
    space *sp;
    scene_camera camera;
} stand;

static stand stand_begin(vec3 eye, vec3 target)
{
    stand t = {.b = scene_builder_new()};
    scene_builder_camera(t.b, "Camera", eye, target);
    return t;
}

static void stand_open(stand *t)
{
    t->s = scene_builder_scene(t->b);
    t->camera = t->s->cameras[0];
    assert_int_equal(space_share(t->s, &t->shared, NULL), ETNA_OK);
    assert_int_equal(space_new(t->shared, &t->sp, NULL), ETNA_OK);
}

static void stand_close(stand *t)
{
    space_free(t->sp);
    space_shared_free(t->shared);
    scene_builder_free(t->b);
}

static view_image picture(const space *sp, const scene_camera *camera)
{
    view_image image = {0};
    assert_int_equal(view_render(sp, camera, W, H, 1, &image, NULL), ETNA_OK);
    return image;
}

/* Mean linear light around where a world point is seen, with the tone taken off
 * roughly: encoded is enough to compare. */
static double light_at(const view_image *image,
                       const scene_camera *camera,
                       vec3 p)
{
    double x, y, depth, sum = 0;
    assert_true(camera_project(camera, p, &x, &y, &depth));
    int column = (int)(x * image->width), row = (int)(y * image->height),
        count = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            assert_true(column + i >= 0 && row + j >= 0 &&
                        column + i < (int)image->width &&
                        row + j < (int)image->height);
            const uint8_t *rgb =
                image->rgb +
                3 * ((size_t)(row + j) * image->width + (size_t)(column + i));
            sum += colour_srgb_to_linear(rgb[0] / 255.0) +
                   colour_srgb_to_linear(rgb[1] / 255.0) +
                   colour_srgb_to_linear(rgb[2] / 255.0);
            count++;
        }
    return sum / (3 * count);
}

static void lamps_follow_distance_cone_and_range(void **state)
{
    (void)state;
    vec3 toward, up = v3(0, 0, 1), origin = v3(0, 0, 0);
    double distance;
    lamp l = {.kind = LIGHT_POINT,
              .position = v3(0, 0, 4),
              .toward = v3(0, 0, 1),
              .inner_cos = 1,
              .outer_cos = -1};
    double four = lamp_on(&l, origin, up, &toward, &distance);
    assert_true(distance == 4 && toward.z == 1 &&
                lamp_on(&l, origin, v3(0, 0, -1), &toward, &distance) == 0);
    l.position.z = 8;
    assert_true(fabs(four / lamp_on(&l, origin, up, &toward, &distance) - 4) <
                0.03);
    l.range = 7;
    assert_true(lamp_on(&l, origin, up, &toward, &distance) == 0);
    l.range = 0;
    l.kind = LIGHT_SPOT;
    l.inner_cos = 0.95;
    l.outer_cos = 0.90;
    assert_true(lamp_on(&l, origin, up, &toward, &distance) > 0);
    /* 45 degrees aside */
    assert_true(lamp_on(&l, v3(8, 0, 0), up, &toward, &distance) == 0);
    l.kind = LIGHT_DIRECTIONAL;
    assert_true(lamp_on(&l, v3(8, 0, 0), up, &toward, &distance) == 1 &&
                isinf(distance));
}

/* A plate in the air over a floor: its shadow lies away from the key light, is
 * dark in the middle, and gone when the plate is hidden. */
static void what_stands_in_the_light_casts_a_soft_shadow(void **state)
{
    (void)state;
    stand t = stand_begin(v3(0, -6, 5), v3(0, 0, 0));
    scene_builder_object(t.b, "floor", scene_builder_sheet(t.b, 12, 12, 2),
                         scene_builder_at(0, 0, 0, 0), true);
    uint32_t plate = scene_builder_object(
        t.b, "plate", scene_builder_box(t.b, 1.2, 1.2, 0.05),
        scene_builder_at(0, 0, 1.2, 0), false);
    stand_open(&t);
    view_image with = picture(t.sp, &t.camera);
    /* the key light comes over the left shoulder: the shadow falls to the right
     * and away */
    double darkest = 1, lit = light_at(&with, &t.camera, v3(-1.6, -1.6, 0));
    vec3 at = v3(0, 0, 0);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 40; k++) {
            vec3 p = v3(-0.5 + 0.07 * i, -0.8 + 0.07 * k, 0);
            double now = light_at(&with, &t.camera, p);
            if (now < darkest) {
                darkest = now;
                at = p;
            }
        }
    assert_true(darkest < 0.75 * lit && darkest > 0.2 * lit);
    assert_true(at.x > 0);
    /* soft: there are pixels between dark and lit along a line across the
     * edge */
    int between = 0;
    for (int i = 0; i < 60; i++) {
        double now = light_at(&with, &t.camera, v3(at.x + 0.03 * i, at.y, 0));
        between += now > darkest + 0.25 * (lit - darkest) &&
                   now < darkest + 0.75 * (lit - darkest);
    }
    assert_true(between >= 2);
    bool *hidden = calloc(t.s->object_count, sizeof *hidden);
    hidden[plate] = true;
    assert_int_equal(space_hide(t.sp, hidden, NULL), ETNA_OK);
    view_image without = picture(t.sp, &t.camera);
    assert_true(light_at(&without, &t.camera, at) >
                0.9 * light_at(&without, &t.camera, v3(-1.6, -1.6, 0)));
    static uint32_t ids[W * H];
    assert_int_equal(view_instance_map(t.sp, &t.camera, W, H, ids, NULL),
                     ETNA_OK);
    for (int i = 0; i < W * H; i++)
        assert_int_not_equal(ids[i], plate);
    free(hidden);
    view_image_free(&without);
    view_image_free(&with);
    stand_close(&t);
}

/* A wall beyond a floor: the floor darkens toward it over a metre, and no
 * farther. */
static void shade_of_what_is_near_ends_at_a_metre(void **state)
{
    (void)state;
    stand t = stand_begin(v3(0, -5, 6), v3(0, 0, 0));
    scene_builder_object(t.b, "floor", scene_builder_sheet(t.b, 14, 14, 2),
                         scene_builder_at(0, 0, 0, 0), true);
    scene_builder_object(t.b, "screen", scene_builder_box(t.b, 14, 0.1, 3),
                         scene_builder_at(0, 2.05, 1.5, 0), false);
    stand_open(&t);
    view_image image = picture(t.sp, &t.camera);
    double corner = light_at(&image, &t.camera, v3(0, 1.9, 0)),
           half = light_at(&image, &t.camera, v3(0, 1.5, 0)),
           metre = light_at(&image, &t.camera, v3(0, 0.9, 0)),
           far = light_at(&image, &t.camera, v3(0, -0.5, 0));
    assert_true(corner < 0.93 * half && half < 0.995 * metre &&
                corner < 0.88 * far);
    assert_true(fabs(metre - far) < 0.04 * far);
    view_image_free(&image);
    stand_close(&t);
}

/* How far the light of single pixels strays from the mean of the nine around,
 * along a line in the world. */
static double grain(const view_image *image,
                    const scene_camera *camera,
                    vec3 from,
                    vec3 to)
{
    enum {
        STEPS = 120
    };
    double light[STEPS], worst = 0;
    for (int i = 0; i < STEPS; i++) {
        double x, y, depth;
        vec3 p = v3_add_scaled(from, v3_sub(to, from), (i + 0.5) / STEPS);
        assert_true(camera_project(camera, p, &x, &y, &depth));
        assert_true(x >= 0 && x < 1 && y >= 0 && y < 1);
        const uint8_t *rgb =
            image->rgb + 3 * ((size_t)(y * image->height) * image->width +
                              (size_t)(x * image->width));
        light[i] = (rgb[0] + rgb[1] + rgb[2]) / 3.0;
    }
    for (int i = 4; i + 4 < STEPS; i++) {
        double mean = 0;
        for (int k = -4; k <= 4; k++)
            mean += light[i + k] / 9;
        worst = fmax(worst, fabs(light[i] - mean));
    }
    return worst;
}

/* Shade in a corner, on a side seen nearly edge on, and on a bar a few pixels
 * wide is as even as on an open wall. */
static void shade_has_no_grain_in_corners_and_on_narrow_things(void **state)
{
    (void)state;
    stand t = stand_begin(v3(0.3, -4, 1.6), v3(0, 0, 1.2));
    scene_builder_object(t.b, "floor", scene_builder_sheet(t.b, 10, 10, 2),
                         scene_builder_at(0, 0, 0, 0), true);
    scene_builder_object(t.b, "back", scene_builder_box(t.b, 4, 0.1, 2.6),
                         scene_builder_at(0, 1.05, 1.3, 0), true);
    scene_builder_object(t.b, "left", scene_builder_box(t.b, 0.1, 4, 2.6),
                         scene_builder_at(-1.55, -1, 1.3, 0), true);
    scene_builder_object(t.b, "bar", scene_builder_box(t.b, 0.05, 0.05, 1.6),
                         scene_builder_at(0, 0.975, 1.4, 0), true);
    scene_builder_object(t.b, "fridge", scene_builder_box(t.b, 0.7, 0.7, 1.7),
                         scene_builder_at(1, 0.6, 0.85, 0), false);
    stand_open(&t);
    view_image image = {0};
    assert_int_equal(view_render(t.sp, &t.camera, 640, 480, 1, &image, NULL),
                     ETNA_OK);
    assert_true(grain(&image, &t.camera, v3(-1.4, 1, 1.4), v3(-1.4, 1, 2.3)) <
                3); /* an open wall */
    assert_true(grain(&image, &t.camera, v3(-1.485, 1, 0.3),
                      v3(-1.485, 1, 2.3)) < 3); /* beside a corner */
    assert_true(grain(&image, &t.camera, v3(-1.5, 0.93, 0.3),
                      v3(-1.5, 0.93, 2.3)) < 3); /* on its other side */
    assert_true(grain(&image, &t.camera, v3(-0.01, 0.95, 0.8),
                      v3(-0.01, 0.95, 2.0)) < 3); /* the bar */
    assert_true(grain(&image, &t.camera, v3(0.65, 0.6, 0.6),
                      v3(0.65, 0.6, 1.6)) < 3); /* a side edge on */
    view_image_free(&image);
    stand_close(&t);
}

/* A red lamp of the file's own lights its side; the key light stays out. */
static void the_files_lamps_light_the_scene(void **state)
{
    (void)state;
    stand t = stand_begin(v3(0, -5, 4), v3(0, 0, 0));
    scene_builder_object(t.b, "floor", scene_builder_sheet(t.b, 10, 10, 2),
                         scene_builder_at(0, 0, 0, 0), true);
    scene_builder_object(t.b, "post", scene_builder_box(t.b, 0.2, 0.2, 1),
                         scene_builder_at(0, 0, 0.5, 0), false);
    scene_light bulb = {.name = "",
                        .kind = LIGHT_POINT,
                        .position = v3(-1.5, 0, 1.2),
                        .colour = {1, 0.2, 0.2},
                        .intensity = 1234,
                        .inner_cos = 1,
                        .outer_cos = -1};
    stand_open(&t);
    t.s->light_count = 1;
    t.s->lights = &bulb;
    view_image image = picture(t.sp, &t.camera);
    double red = 0, green = 0;
    for (int i = 0; i < W * H; i++) {
        red += image.rgb[3 * i];
        green += image.rgb[3 * i + 1];
    }
    assert_true(red > 1.1 * green);
    assert_true(light_at(&image, &t.camera, v3(-0.6, 0, 0)) >
                1.5 * light_at(&image, &t.camera, v3(0.8, 0, 0)));
    t.s->light_count = 0;
    t.s->lights = NULL;
    view_image_free(&image);
    stand_close(&t);
}

/* A sheet whose left half is cut out by alphaMode MASK, before a box: the box
 * is seen through the hole, the mean colour is the painted half's, and one that
 * glows stays bright. */
static void masks_have_holes_and_glow_glows(void **state)
{
    (void)state;
    static const uint8_t texels[8] = {0, 255, 0, 0, 255, 0, 0, 255};
    stand t = stand_begin(v3(0, -4, 0), v3(0, 0, 0));
    affine upright = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}};
    uint32_t sheet = scene_builder_object(
        t.b, "sheet", scene_builder_sheet(t.b, 2, 2, 1), upright, false);
    uint32_t box =
        scene_builder_object(t.b, "box", scene_builder_box(t.b, 4, 0.5, 4),
                             scene_builder_at(0, 1, 0, 0), false);
    stand_open(&t);
    scene *s = t.s;
    scene_mesh *meshes = malloc(s->mesh_count * sizeof *meshes);
    memcpy(meshes, s->meshes, s->mesh_count * sizeof *meshes);
    scene_part *parts = malloc(s->part_count * sizeof *parts);
    memcpy(parts, s->parts, s->part_count * sizeof *parts);
    scene_mesh *m = &meshes[parts[s->objects[sheet].first_part].mesh];
    float *uv = calloc(m->vertex_count, 2 * sizeof *uv);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        uv[2 * i] = 0.5f + 0.5f * m->position[3 * i];
    m->uv = uv;
    scene_texture texture = {2, 1, texels, 33071, 33071};
    scene_material materials[2] = {{.name = "cut",
                                    .base_colour = {1, 1, 1, 1},
                                    .texture = 0,
                                    .alpha_cutoff = 0.5f,
                                    .emissive_texture = SCENE_NONE},
                                   {.name = "glow",
                                    .base_colour = {0, 0, 0, 1},
                                    .texture = SCENE_NONE,
                                    .emissive = {0, 0, 1},
                                    .emissive_texture = SCENE_NONE}};
    parts[s->objects[sheet].first_part].material = 0;
    parts[s->objects[box].first_part].material = 1;
    const scene_mesh *old_meshes = s->meshes;
    const scene_part *old_parts = s->parts;
    s->meshes = meshes;
    s->parts = parts;
    s->materials = materials;
    s->material_count = 2;
    s->textures = &texture;
    s->texture_count = 1;
    view_image image = picture(t.sp, &t.camera);
    const uint8_t *left = image.rgb + 3 * (H / 2 * W + W / 2 - 20),
                  *right = image.rgb + 3 * (H / 2 * W + W / 2 + 20);
    if (!(left[2] > 150 && left[2] > left[0] + 60))
        fail_msg("through the hole: %d %d %d", left[0], left[1], left[2]);
    if (!(right[0] > 80 && right[0] > right[2] + 60))
        fail_msg("on the sheet: %d %d %d", right[0], right[1], right[2]);
    view_colour colours[2];
    static uint32_t ids[W * H], again[W * H];
    assert_int_equal(
        view_map_and_colours(t.sp, &t.camera, W, H, ids, colours, NULL),
        ETNA_OK);
    assert_int_equal(ids[H / 2 * W + W / 2 - 20], sheet); /* as a ray sees it */
    assert_true(colours[sheet].srgb[0] == 255 && colours[sheet].srgb[1] == 0);
    view_colour alone[2];
    assert_int_equal(view_mean_colours(t.sp, &t.camera, W, H, alone, NULL),
                     ETNA_OK);
    assert_int_equal(view_instance_map(t.sp, &t.camera, W, H, again, NULL),
                     ETNA_OK);
    assert_memory_equal(colours, alone, sizeof alone);
    assert_memory_equal(ids, again, sizeof ids);
    view_image_free(&image);
    space_free(t.sp);
    space_shared_free(t.shared);
    t.s->meshes = old_meshes;
    t.s->parts = old_parts;
    t.s->materials = NULL;
    t.s->textures = NULL;
    t.s->material_count = t.s->texture_count = 0;
    scene_builder_free(t.b);
    free(uv);
    free(meshes);
    free(parts);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const char *const names[] = {"desk.glb", "office.glb"};
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_open(names[i]);
        view_image one = picture(f.sp, &f.camera);
        static const uint32_t counts[] = {0, 2, 3, 200};
        for (int k = 0; k < 4; k++) {
            view_image many = {0};
            assert_int_equal(
                view_render(f.sp, &f.camera, W, H, counts[k], &many, NULL),
                ETNA_OK);
            assert_memory_equal(one.rgb, many.rgb, W * H * 3);
            assert_true(one.tone.exposure == many.tone.exposure &&
                        one.tone.white == many.tone.white);
            view_image_free(&many);
        }
        view_image_free(&one);
        fixture_close(&f);
    }
}

/* Any size, and an orthographic camera, which has shadows too. */
static void every_size_and_camera_gives_a_picture(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {
        {1, 1}, {2, 1}, {1, 3}, {17, 5}, {5, 33}};
    fixture f = fixture_open("office.glb");
    for (int i = 0; i < 5; i++) {
        view_image image = {0};
        assert_int_equal(view_render(f.sp, &f.camera, sizes[i][0], sizes[i][1],
                                     2, &image, NULL),
                         ETNA_OK);
        assert_int_equal(image.width, sizes[i][0]);
        assert_int_equal(image.height, sizes[i][1]);
        view_image_free(&image);
    }
    scene_camera flat = f.camera;
    flat.orthographic = true;
    flat.half_height = 1.6;
    view_image image = picture(f.sp, &flat);
    const scene_box *table = &f.s->objects[fixture_object(&f, "Table")].box;
    double under =
               light_at(&image, &flat,
                        v3(table->centre.x + 0.2, table->centre.y - 0.2, 0.0)),
           open = light_at(&image, &flat, v3(0.1, -1.2, 0));
    assert_true(under < 0.85 * open);
    view_image_free(&image);
    fixture_close(&f);
}

static void check_median(const fixture *f,
                         const scene_camera *camera,
                         const char *name)
{
    view_image image = picture(f->sp, camera);
    uint32_t histogram[256] = {0}, below = 0, median = 0;
    for (int i = 0; i < W * H; i++) {
        const uint8_t *p = image.rgb + 3 * i;
        histogram[(uint32_t)(0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2])]++;
    }
    while ((below += histogram[median]) < W * H / 2)
        median++;
    if (median < 0.35 * 255 || median > 0.55 * 255)
        fail_msg("%s: median luminance %g", name, median / 255.0);
    view_image_free(&image);
}

static void exposure_keeps_the_median(void **state)
{
    (void)state;
    static const char *const ours[] = {"bottles.glb", "desk.glb", "crowded.glb",
                                       "stacked.glb", "office.glb"};
    static const char *const data[] = {
        "scenes/tea_set/tea_set_posed.gltf",
        "scenes/cornell_box/cornellBox.glb",
        "scenes/playcanvas_small/glass-table.glb",
        "scenes/habitat_simple_room/simple_room.glb",
        "scenes/terrain_trees/terrain.glb",
        "scenes/playcanvas_small/geometry-camera-light.glb",
        "scenes/chess_board_draco/chess-board-decoded.glb"};
    for (int i = 0; i < 5; i++) {
        fixture f = fixture_open(ours[i]);
        check_median(&f, &f.camera, ours[i]);
        fixture_close(&f);
    }
    for (int i = 0; i < 7; i++) {
        fixture f;
        scene_camera camera;
        if (!fixture_open_data(data[i], &f))
            continue;
        assert_int_equal(view_choose_camera(f.sp, NULL, 0, NULL, &camera, NULL),
                         ETNA_OK);
        check_median(&f, &camera, data[i]);
        fixture_close(&f);
    }
}

static void tone_keeps_hue_and_order(void **state)
{
    (void)state;
    view_tone tone = {4, 6};
    double last = -1;
    for (int i = 0; i <= 200; i++) {
        float rgb[3] = {0.01f * (float)i, 0.005f * (float)i,
                        0.0025f * (float)i};
        tone_apply(&tone, rgb);
        double y = 0.2126 * (double)rgb[0] + 0.7152 * (double)rgb[1] +
                   0.0722 * (double)rgb[2];
        assert_true(y >= last && rgb[0] <= 1.0001f && rgb[0] >= rgb[1] &&
                    rgb[1] >= rgb[2]);
        last = y;
    }
    float dark[3] = {0.002f, 0.002f, 0.002f}, cover[20], linear[60];
    for (int i = 0; i < 60; i++)
        linear[i] = i < 3 ? 0.5f : 0.002f; /* a lamp in the dark */
    for (int i = 0; i < 20; i++)
        cover[i] = 1;
    assert_int_equal(tone_measure(linear, cover, 20, &tone, NULL), ETNA_OK);
    tone_apply(&tone, dark);
    double shown = colour_linear_to_srgb((double)dark[1]);
    assert_true(shown > 0.35 && shown < 0.55);
}

/* White chessmen on a black board: dark is lifted, but not so far that white
 * has no shape. */
static void a_dark_picture_keeps_the_shape_of_what_is_white_in_it(void **state)
{
    (void)state;
    float cover[20], linear[60];
    for (int i = 0; i < 20; i++) {
        cover[i] = 1;
        for (int k = 0; k < 3; k++)
            linear[3 * i + k] = i < 5 ? 0.5f + 0.1f * (float)i : 0.01f;
    }
    view_tone tone;
    assert_int_equal(tone_measure(linear, cover, 20, &tone, NULL), ETNA_OK);
    double last = 0;
    for (int i = 0; i < 5; i++) {
        tone_apply(&tone, linear + 3 * i);
        double shown = colour_linear_to_srgb((double)linear[3 * i]) * 255;
        assert_true(i == 0 ? shown > 150 && shown < 225 : shown > last + 5);
        last = shown;
    }
    assert_true(tone.exposure > 0.8);
}

/* Things on a roof that the key light passes stand above it, and throw no
 * shadow into the room. */
static void what_stands_on_a_ceiling_throws_no_shadow_below_it(void **state)
{
    (void)state;
    double light[2];
    for (int with = 0; with < 2; with++) {
        stand t = stand_begin(v3(0, -1.8, 1.6), v3(0, 1, 0));
        uint32_t sheet = scene_builder_box(t.b, 4, 4, 0.1),
                 wall = scene_builder_box(t.b, 4, 0.1, 2.5);
        scene_builder_object(t.b, "floor", sheet,
                             scene_builder_at(0, 0, -0.05, 0), true);
        scene_builder_object(t.b, "ceiling", sheet,
                             scene_builder_at(0, 0, 2.55, 0), true);
        for (int k = 0; k < 4; k++) {
            double x = k == 0 ? -2.05 : 2.05, y = k == 2 ? -2.05 : 2.05;
            affine at = k < 2 ? scene_builder_at(x, 0, 1.25, 90)
                              : scene_builder_at(0, y, 1.25, 0);
            scene_builder_object(t.b, "wall", wall, at, true);
        }
        uint32_t box = scene_builder_box(t.b, 3.9, 3.9, 1);
        if (with)
            scene_builder_object(t.b, "tank", box,
                                 scene_builder_at(0, 0, 3.2, 0), false);
        stand_open(&t);
        view_image image = picture(t.sp, &t.camera);
        light[with] = light_at(&image, &t.camera, v3(0, 0.6, 0));
        view_image_free(&image);
        stand_close(&t);
    }
    assert_true(fabs(light[0] - light[1]) < 0.05 * light[0]);
}

/* A roof of 20 degrees to both sides is smooth at its ridge, one of 60 is
 * not. */
static void gentle_edges_are_smooth_and_sharp_ones_sharp(void **state)
{
    (void)state;
    for (int sharp = 0; sharp < 2; sharp++) {
        float drop = sharp ? 1.732f : 0.2f;
        const float position[12] = {-1, 0, -drop, 0, -1, 0,
                                    0,  1, 0,     1, 0,  -drop};
        const uint32_t index[6] = {0, 1, 2, 2, 1, 3};
        scene_mesh mesh = {.vertex_count = 4,
                           .triangle_count = 2,
                           .position = position,
                           .index = index};
        float *normals = NULL;
        assert_int_equal(normals_crease(&mesh, &normals, NULL), ETNA_OK);
        const float *ridge = normals + 3, *foot = normals;
        assert_true(ridge[2] > 0 && foot[0] < -0.1f);
        assert_true(sharp ? ridge[0] < -0.8f
                          : ridge[0] > -1e-6f && ridge[0] < 1e-6f);
        free(normals);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lamps_follow_distance_cone_and_range),
        cmocka_unit_test(what_stands_in_the_light_casts_a_soft_shadow),
        cmocka_unit_test(shade_of_what_is_near_ends_at_a_metre),
        cmocka_unit_test(shade_has_no_grain_in_corners_and_on_narrow_things),
        cmocka_unit_test(the_files_lamps_light_the_scene),
        cmocka_unit_test(masks_have_holes_and_glow_glows),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(every_size_and_camera_gives_a_picture),
        cmocka_unit_test(exposure_keeps_the_median),
        cmocka_unit_test(a_dark_picture_keeps_the_shape_of_what_is_white_in_it),
        cmocka_unit_test(what_stands_on_a_ceiling_throws_no_shadow_below_it),
        cmocka_unit_test(tone_keeps_hue_and_order),
        cmocka_unit_test(gentle_edges_are_smooth_and_sharp_ones_sharp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
