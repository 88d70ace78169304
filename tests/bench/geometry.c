/* The worker's geometry on one scene: import, restore, rays, instance map, image, checks, one solve. */
#include "tests/bench/bench.h"
#include "worker/scene/bundle.h"
#include "worker/solve/solve.h"
#include "worker/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 100000 };

typedef struct rig {
    const char *path;
    uint8_t *bundle;
    size_t bundle_size;
    scene *scene;
    space_shared *shared;
    probe_shared *probes;
    space *space;
    snapshot snap;
    scene_camera camera;
    uint32_t width, height, *ids;
    space_ray *rays;
    uint32_t hits, object;
    constraint_list constraints;
    solve_result solved;
} rig;

static void must(etna_code code, const etna_error *err)
{
    if (code != ETNA_OK) bench_die("geometry", err->text);
}

static void do_import(void *context)
{
    rig *r = context;
    etna_error err = {0};
    scene *s;
    must(scene_import(r->bundle, r->bundle_size, &s, &err), &err);
    scene_free(s);
}

static void do_restore(void *context)
{
    rig *r = context;
    etna_error err = {0};
    must(space_restore(r->space, &r->snap, &err), &err);
}

static void do_rays(void *context)
{
    rig *r = context;
    space_hit hit;
    r->hits = 0;
    for (uint32_t i = 0; i < RAYS; i++) r->hits += space_cast(r->space, &r->rays[i], &hit);
}

static void do_map(void *context)
{
    rig *r = context;
    etna_error err = {0};
    must(view_instance_map(r->space, &r->camera, r->width, r->height, r->ids, &err), &err);
}

static void do_image(void *context)
{
    rig *r = context;
    etna_error err = {0};
    view_image image = {0};
    uint8_t *png;
    size_t size;
    must(view_render(r->space, &r->camera, r->width, r->height, &image, &err), &err);
    must(view_encode_png(&image, &png, &size, &err), &err);
    free(png);
    view_image_free(&image);
}

static void do_check(void *context)
{
    rig *r = context;
    etna_error err = {0};
    const space_rules rules = {0};
    space_check check;
    must(space_check_all(r->space, &rules, &check, &err), &err);
    space_check_free(&check);
}

static void do_verdict(void *context)
{
    rig *r = context;
    etna_error err = {0};
    const space_rules rules = {0};
    space_pair found[1];
    uint32_t count;
    must(space_collisions(r->space, r->object, &rules, found, 1, &count, &err), &err);
}

static void do_solve(void *context)
{
    rig *r = context;
    etna_error err = {0};
    solve_request request = solve_request_default();
    request.constraints = &r->constraints;
    request.camera = &r->camera;
    request.seed = 5;
    must(solve_run(r->space, r->probes, &request, &r->solved, &err), &err);
}

static void aim_rays(rig *r)
{
    r->rays = calloc(RAYS, sizeof *r->rays);
    if (!r->rays) bench_die("rays", "out of memory");
    etna_random random = etna_random_from(1);
    for (uint32_t i = 0; i < RAYS; i++) {
        space_ray *ray = &r->rays[i];
        camera_ray(&r->camera, etna_random_unit(&random), etna_random_unit(&random), &ray->origin, &ray->direction);
        ray->t_min = 1e-4;
        ray->t_max = INFINITY;
        ray->skip_object = ray->only_object = SCENE_NONE;
    }
}

/* The smallest movable object onto the largest surface that is listed: contact, no overhang, close to its middle. */
static bool pose_problem(rig *r, etna_arena *arena)
{
    etna_error err = {0};
    probe_surface_options options = probe_surface_options_default();
    probe_surface *surfaces;
    uint32_t count, best = SCENE_NONE;
    must(probe_surfaces(r->probes, r->space, &r->camera, &options, arena, &surfaces, &count, &err), &err);
    r->object = SCENE_NONE;
    for (uint32_t i = 0; i < r->scene->object_count; i++) {
        const scene_object *o = &r->scene->objects[i];
        if (o->is_static || o->stray) continue;
        if (r->object == SCENE_NONE || o->box.half.x < r->scene->objects[r->object].box.half.x) r->object = i;
    }
    for (uint32_t i = 0; i < count && r->object != SCENE_NONE; i++) {
        if (surfaces[i].plane.object == r->object) continue;
        if (best == SCENE_NONE || surfaces[i].free_count > surfaces[best].free_count) best = i;
    }
    if (best == SCENE_NONE) return false;
    double x = 0.5, y = 0.5, depth;
    camera_project(&r->camera, surfaces[best].plane.origin, &x, &y, &depth);
    const char *name = r->scene->objects[r->object].name, *plane = surfaces[best].plane.name;
    const char *text = etna_arena_printf(arena, "[\"ObjectName\",\"%s\"],[\"CloseToPix\",\"down\",[%.3f,%.3f]],[\"Contact\",\"down\",\"%s\"],"
                                                "[\"NoOverhang\",\"down\",\"%s\",\"full_only\"]",
                                         name, fmin(fmax(x, 0.01), 0.99), fmin(fmax(y, 0.01), 0.99), plane, plane);
    must(constraint_parse(text, strlen(text), arena, &r->constraints, &err), &err);
    return true;
}

void bench_geometry(const char *path, const char *label)
{
    rig r = {.path = path};
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    scene_options options = scene_options_default();
    must(bundle_read(path, &options, &r.bundle, &r.bundle_size, &err), &err);
    must(scene_import(r.bundle, r.bundle_size, &r.scene, &err), &err);
    must(space_share(r.scene, &r.shared, &err), &err);
    must(space_mark_static_by_cut(r.shared, &err), &err);
    must(probe_share(r.scene, &r.probes, &err), &err);
    must(space_new(r.shared, &r.space, &err), &err);
    must(snapshot_base(r.scene, &r.snap, &err), &err);
    must(view_choose_camera(r.space, NULL, 0, NULL, &r.camera, &err), &err);
    view_size(&r.camera, 1024, &r.width, &r.height);
    r.ids = malloc(sizeof *r.ids * r.width * r.height);
    if (!r.ids) bench_die("map", "out of memory");
    aim_rays(&r);
    size_t triangles = 0;
    for (uint32_t i = 0; i < r.scene->object_count; i++) triangles += r.scene->objects[i].triangle_count;
    bench_note("%s: %u objects, %zu triangles", label, r.scene->object_count, triangles);
    bench_line("  import", do_import, &r, 1, NULL);
    bench_line("  snapshot restore", do_restore, &r, 1, "0.5 ms at 20 objects, 3 ms at 2,000");
    bench_line("  ray with object, exact point, normal", do_rays, &r, RAYS, "200 ns");
    bench_line("  instance map, long side 1024", do_map, &r, 1, "50 ms");
    bench_line("  clean image, long side 1024, PNG", do_image, &r, 1, "400 ms");
    bench_line("  check of the whole scene", do_check, &r, 1, NULL);
    if (pose_problem(&r, &arena)) {
        bench_line("  collision verdict of one pose", do_verdict, &r, 1, "2 ms at 20 x 15,000 triangles");
        bench_line("  solve to the end, 64 x 800, 3 constraints", do_solve, &r, 1, "1 ms for six constraints without the check");
        bench_note("    status %d, %u survivors, %u collision checks", (int)r.solved.status, r.solved.survivors, r.solved.collision_checks);
    }
    etna_arena_free(&arena);
    free(r.rays);
    free(r.ids);
    snapshot_free(&r.snap);
    space_free(r.space);
    probe_shared_free(r.probes);
    space_shared_free(r.shared);
    scene_free(r.scene);
    free(r.bundle);
}
