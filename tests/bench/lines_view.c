/* Pictures: the instance map, the image for a model, what is composed on it. */
#include "tests/bench/rig.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct viewing {
    rig rig;
    floor_embree *bare;
    scene_camera camera;
    uint32_t width, height, *ids, threads, shadows, object;
    view_image clean, composed;
    size_t bytes;
} viewing;

static void do_map(void *context)
{
    viewing *v = context;
    etna_error err = {0};
    rig_must(view_instance_map(v->rig.space, &v->camera, v->width, v->height,
                               v->ids, &err),
             &err);
}

static void encode(viewing *v, const view_image *image)
{
    etna_error err = {0};
    uint8_t *png;
    rig_must(view_encode_png(image, &png, &v->bytes, &err), &err);
    free(png);
}

static void render(viewing *v, view_image *ret)
{
    etna_error err = {0};
    rig_must(view_render(v->rig.space, &v->camera, v->width, v->height,
                         v->threads, ret, &err),
             &err);
}

/* clean, the grid on it, encoded: what a planner is sent */
static void do_image(void *context)
{
    viewing *v = context;
    etna_error err = {0};
    view_image clean = {0}, grid = {0};
    render(v, &clean);
    rig_must(view_grid(&clean, &grid, NULL, &err), &err);
    encode(v, &grid);
    view_image_free(&clean);
    view_image_free(&grid);
}

static void do_grid(void *context)
{
    viewing *v = context;
    etna_error err = {0};
    rig_must(view_grid(&v->clean, &v->composed, NULL, &err), &err);
    encode(v, &v->composed);
    view_image_free(&v->composed);
}

static void do_ghost(void *context)
{
    viewing *v = context;
    etna_error err = {0};
    arrange_pose before = rig_pose(&v->rig, v->object, 0.4, 0.3, 0);
    rig_must(view_annotate_edit(v->rig.space, &v->camera, &v->clean, v->object,
                                &before, v->threads, &v->composed, NULL, &err),
             &err);
    encode(v, &v->composed);
    view_image_free(&v->composed);
}

static void do_highlight(void *context)
{
    viewing *v = context;
    etna_error err = {0};
    uint32_t some[3] = {v->object, v->object ? 0 : 1, v->object > 1 ? 1 : 2};
    rig_must(
        view_highlight(&v->clean, v->ids, some, 3, NULL, &v->composed, &err),
        &err);
    encode(v, &v->composed);
    view_image_free(&v->composed);
}

static void do_encode(void *context)
{
    viewing *v = context;
    encode(v, &v->clean);
}

static void do_bare(void *context)
{
    viewing *v = context;
    (void)floor_embree_image(v->bare, &v->camera, v->width, v->height,
                             v->shadows, v->threads);
}

static void do_bare_and_encode(void *context)
{
    do_bare(context);
    do_encode(context);
}

/* The movable object that shows best. */
static uint32_t best_seen(viewing *v)
{
    view_extent *extents = calloc(v->rig.scene->object_count, sizeof *extents);
    if (!extents)
        bench_die("view", "out of memory");
    view_extents(v->ids, v->width, v->height, v->rig.scene->object_count,
                 extents);
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < v->rig.scene->object_count; i++)
        if (!v->rig.scene->objects[i].is_static && extents[i].pixels > most) {
            best = i;
            most = extents[i].pixels;
        }
    free(extents);
    return best;
}

static void open_view(viewing *v, const char *path)
{
    etna_error err = {0};
    memset(v, 0, sizeof *v);
    rig_open(&v->rig, path);
    rig_must(view_choose_camera(v->rig.space, NULL, 0, NULL, &v->camera, &err),
             &err);
    v->camera = view_camera_sized(&v->camera, 1024, 1024);
    v->width = v->height = 1024;
    v->ids = malloc(sizeof *v->ids * v->width * v->height);
    if (!v->ids)
        bench_die("view", "out of memory");
    v->bare = floor_embree_new(v->rig.scene);
}

static void close_view(viewing *v)
{
    floor_embree_free(v->bare);
    view_image_free(&v->clean);
    free(v->ids);
    rig_close(&v->rig);
}

static void camera_text(const viewing *v, char text[400])
{
    const scene_camera *c = &v->camera;
    vec3 p = v3_add(c->position, v->rig.scene->recentre);
    snprintf(text, 400,
             "%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g",
             p.x, p.y, p.z, c->right.x, c->right.y, c->right.z, c->up.x,
             c->up.y, c->up.z, c->forward.x, c->forward.y, c->forward.z,
             c->half_height);
}

static void map_and_image(bench *b,
                          const char *path,
                          const char *const id[2],
                          const char *const work[2],
                          double map_goal,
                          double image_goal,
                          double map_peer)
{
    static viewing v;
    char camera[400], repeats[16];
    if (!bench_wants_any(b, id, 2))
        return;
    open_view(&v, path);
    camera_text(&v, camera);
    snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
    bench_peer(b, "blender", "blender_image.py", 2,
               (const char *[]){bench_wants(b, id[0]) ? id[0] : "-",
                                bench_wants(b, id[1]) ? id[1] : "-", path,
                                camera, repeats, bench_path(b, "peer.png"),
                                NULL});
    if (bench_wants(b, id[0])) {
        bench_row row = {.id = id[0],
                         .work = work[0],
                         .unit = "ms",
                         .goal = map_goal,
                         .peer = "blender",
                         .peer_printed = map_peer,
                         .triangles = v.rig.triangles,
                         .floor_is = "bare Embree, a ray a pixel",
                         .note = "peer on 2 threads"};
        row.ours = bench_measure(b, BENCH_CORE, NULL, do_map, &v);
        v.threads = 1;
        v.shadows = 0;
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_bare, &v);
        bench_add(b, &row);
    }
    if (bench_wants(b, id[1])) {
        bench_row row = {
            .id = id[1],
            .work = work[1],
            .unit = "ms",
            .clock = BENCH_WALL,
            .goal = image_goal,
            .peer = "blender",
            .triangles = v.rig.triangles,
            .floor_is =
                "bare Embree: a ray and four shadow rays a pixel, 2 threads; encoding"};
        char note[100];
        v.threads = 2;
        v.shadows = 4;
        render(&v, &v.clean);
        row.ours = bench_measure(b, BENCH_WALL, NULL, do_image, &v);
        snprintf(note, sizeof note, "2 threads, %zu bytes of PNG", v.bytes);
        row.note = note;
        row.floor = bench_measure(b, BENCH_WALL, NULL, do_bare_and_encode, &v);
        bench_add(b, &row);
    }
    close_view(&v);
}

static void composed(bench *b, const char *path)
{
    static const struct {
        const char *id, *work;
        bench_fn fn;
    } rows[] = {{"view.grid", "grid on a clean image, encoded", do_grid},
                {"view.ghost",
                 "an edit's ghost, outline and arrow on it, encoded", do_ghost},
                {"view.highlight", "three objects highlighted on it, encoded",
                 do_highlight}};
    const char *ids[] = {rows[0].id, rows[1].id, rows[2].id};
    static viewing v;
    if (!bench_wants_any(b, ids, 3))
        return;
    open_view(&v, path);
    v.threads = 1;
    do_map(&v);
    v.object = best_seen(&v);
    render(&v, &v.clean);
    bench_stats under = bench_measure(b, BENCH_CORE, NULL, do_encode, &v);
    for (size_t i = 0; i < 3; i++) {
        if (!bench_wants(b, rows[i].id))
            continue;
        bench_row row = {.id = rows[i].id,
                         .work = rows[i].work,
                         .unit = "ms",
                         .goal = 60,
                         .floor = under,
                         .floor_is = "encoding the clean image",
                         .triangles = v.rig.triangles};
        char note[64];
        row.ours = bench_measure(b, BENCH_CORE, NULL, rows[i].fn, &v);
        snprintf(note, sizeof note, "%zu bytes of PNG", v.bytes);
        row.note = note;
        bench_add(b, &row);
    }
    close_view(&v);
}

void lines_view(bench *b)
{
    static const char *const house_id[] = {"view.map.house",
                                           "view.image.house"},
                             *const many_id[] = {"view.map.2000",
                                                 "view.image.2000"};
    static const char *const house_work[] = {
        "instance map 1024 x 1024, the house",
        "image for a model 1024 x 1024, the house, grid, encoded"};
    static const char *const many_work[] = {
        "instance map 1024 x 1024, 2,000 instances",
        "image for a model 1024 x 1024, 2,000 instances"};
    static const char *const ids[] = {"view.map.house", "view.image.house",
                                      "view.map.2000",  "view.image.2000",
                                      "view.grid",      "view.ghost",
                                      "view.highlight"};
    if (!bench_wants_any(b, ids, 7))
        return;
    const char *house = bench_house(b);
    if (house) {
        map_and_image(b, house, house_id, house_work, 50, 400, 710);
    } else {
        bench_say(
            "no house: $ETNA_TEST_DATA/scenes/aws_small_house/small_house.glb is not there");
    }
    if (bench_wants_any(b, many_id, 2))
        map_and_image(b, made_large(b, "r2000.glb", 2000, 2000000, "shared"),
                      many_id, many_work, 250, 1500, 0);
    composed(b, house ? house : made_crowd(b));
}
