/* A scene from its file to the first ray: cold, in a worker that has it warm,
 * in a new process. */
#include "tests/bench/rig.h"
#include "worker/gltf/bundle.h"
#include "worker/jobs/scene_cache.h"
#include "worker/view/view.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct importing {
    const char *path;
    job_shared *warm;
    etna_hash hash;
    floor_embree *bare;
    scene *scene;
} importing;

/* The middle of the first camera's picture. */
static bool first_ray(const scene *s, const space *sp)
{
    space_ray ray = {.t_min = 1e-4,
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    space_hit hit;
    camera_ray(&s->cameras[0], 0.5, 0.5, &ray.origin, &ray.direction);
    return space_cast(sp, &ray, &hit);
}

static void do_cold(void *context)
{
    importing *i = context;
    rig r;
    rig_open(&r, i->path);
    if (!first_ray(r.scene, r.space))
        bench_die(i->path, "the first ray meets nothing");
    rig_close(&r);
}

static void do_warm(void *context)
{
    importing *i = context;
    etna_error err = {0};
    space *sp;
    cached_scene *w = scene_cache_acquire(i->warm, &i->hash);
    if (!w)
        bench_die(i->path, "is not warm");
    rig_must(space_new(w->shared, &sp, &err), &err);
    if (!first_ray(w->scene, sp))
        bench_die(i->path, "the first ray meets nothing");
    space_free(sp);
    scene_cache_release(i->warm, w);
}

static void do_process(void *context)
{
    importing *i = context;
    if (bench_run((const char *[]){ETNA_BINARY_DIR "/bin/etna-worker", "probe",
                                   "ray", i->path, "0.5", "0.5", "--json",
                                   NULL},
                  "/dev/null", NULL))
        bench_die("etna-worker probe ray", "failed");
}

static void do_read(void *context) /* the bytes alone */
{
    importing *i = context;
    static uint8_t page[1 << 20];
    int fd = open(i->path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && read(fd, page, sizeof page) > 0) {
    }
    close(fd);
}

static void do_read_and_build(void *context)
{
    importing *i = context;
    do_read(context);
    floor_embree_free(floor_embree_new(i->scene));
}

static void do_true_and_read(void *context)
{
    (void)bench_run((const char *[]){"/bin/true", NULL}, "/dev/null", NULL);
    do_read(context);
}

static void bare_ray(void *context)
{
    importing *i = context;
    space_ray ray = {.t_max = INFINITY};
    camera_ray(&i->scene->cameras[0], 0.5, 0.5, &ray.origin, &ray.direction);
    (void)floor_embree_cast(i->bare, &ray, 1);
}

static void make_warm(importing *i)
{
    etna_error err = {0};
    scene_options options = scene_options_default();
    uint8_t *bundle;
    size_t size;
    cached_scene *w;
    rig_must(bundle_read(i->path, &options, &bundle, &size, &err), &err);
    i->hash.bytes[0] = 1;
    rig_must(job_shared_new((size_t)1 << 32, &i->warm, &err), &err);
    rig_must(scene_cache_import(i->warm, &i->hash, bundle, size, &w, &err),
             &err);
    scene_cache_release(i->warm, w);
}

void lines_import(bench *b)
{
    static const char *const id[] = {"import.cold", "import.warm",
                                     "import.process"};
    static importing i;
    char repeats[16];
    if (!bench_wants_any(b, id, 3))
        return;
    i.path = made_large(b, "import.glb", 100, 500000, "dressed");
    rig r;
    rig_open(&r, i.path);
    i.scene = r.scene;
    if (bench_wants(b, id[0])) {
        snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
        bench_peer(b, "blender", "blender_import.py", 1,
                   (const char *[]){id[0], i.path, repeats, NULL});
        bench_row row = {
            .id = id[0],
            .work = "20 MB, 500 K triangles from file to the first ray, cold",
            .unit = "ms",
            .clock = BENCH_WALL,
            .goal = 500,
            .peer = "blender",
            .triangles = r.triangles,
            .floor_is = "reading the file, bare Embree's trees"};
        row.ours = bench_measure(b, BENCH_WALL, NULL, do_cold, &i);
        row.floor = bench_measure(b, BENCH_WALL, NULL, do_read_and_build, &i);
        bench_add(b, &row);
    }
    if (bench_wants(b, id[1])) {
        bench_row row = {.id = id[1],
                         .work = "the same again in a warm worker",
                         .unit = "ms",
                         .goal = 5,
                         .triangles = r.triangles,
                         .floor_is = "bare Embree's ray"};
        make_warm(&i);
        row.ours = bench_measure(b, BENCH_CORE, NULL, do_warm, &i);
        job_shared_free(i.warm);
        i.bare = floor_embree_new(r.scene);
        row.floor = bench_measure(b, BENCH_CORE, NULL, bare_ray, &i);
        floor_embree_free(i.bare);
        bench_add(b, &row);
    }
    if (bench_wants(b, id[2])) {
        bench_row row = {
            .id = id[2],
            .work = "the same in a new process: etna-worker probe ray",
            .unit = "ms",
            .clock = BENCH_WALL,
            .goal = 50,
            .triangles = r.triangles,
            .floor_is = "a process that does nothing, reading the file"};
        row.ours = bench_measure(b, BENCH_WALL, NULL, do_process, &i);
        row.floor = bench_measure(b, BENCH_WALL, NULL, do_true_and_read, &i);
        bench_add(b, &row);
    }
    rig_close(&r);
}
