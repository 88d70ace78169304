/* A scene from its file to the first ray: cold, in a worker that has it warm, in a new process; and what it takes of
 * memory. */
#include "tests/bench/rig.h"
#include "worker/jobs/warm.h"
#include "worker/scene/bundle.h"
#include "worker/view/view.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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
    space_ray ray = {.t_min = 1e-4, .t_max = INFINITY, .skip_object = SCENE_NONE, .only_object = SCENE_NONE};
    space_hit hit;
    camera_ray(&s->cameras[0], 0.5, 0.5, &ray.origin, &ray.direction);
    return space_cast(sp, &ray, &hit);
}

static void do_cold(void *context)
{
    importing *i = context;
    rig r;
    rig_open(&r, i->path);
    if (!first_ray(r.scene, r.space)) bench_die(i->path, "the first ray meets nothing");
    rig_close(&r);
}

static void do_warm(void *context)
{
    importing *i = context;
    etna_error err = {0};
    space *sp;
    warm_scene *w = warm_acquire(i->warm, &i->hash);
    if (!w) bench_die(i->path, "is not warm");
    rig_must(space_new(w->shared, &sp, &err), &err);
    if (!first_ray(w->scene, sp)) bench_die(i->path, "the first ray meets nothing");
    space_free(sp);
    warm_release(i->warm, w);
}

static int run(const char *const *command, const char *output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (posix_spawn(&child, command[0], &actions, NULL, (char *const *)(uintptr_t)command, environ))
        bench_die(command[0], "cannot be run");
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) bench_die(command[0], "ended badly");
    posix_spawn_file_actions_destroy(&actions);
    return WEXITSTATUS(status);
}

static void do_process(void *context)
{
    importing *i = context;
    if (run((const char *[]){ETNA_BINARY_DIR "/bin/etna-worker", "probe", "ray", i->path, "0.5", "0.5", "--json", NULL},
            "/dev/null"))
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
    (void)run((const char *[]){"/bin/true", NULL}, "/dev/null");
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
    warm_scene *w;
    rig_must(bundle_read(i->path, &options, &bundle, &size, &err), &err);
    i->hash.bytes[0] = 1;
    rig_must(job_shared_new((size_t)1 << 32, &i->warm, &err), &err);
    rig_must(warm_import(i->warm, &i->hash, bundle, size, &w, &err), &err);
    warm_release(i->warm, w);
}

void lines_import(bench *b)
{
    static const char *const id[] = {"import.cold", "import.warm", "import.process"};
    static importing i;
    char repeats[16];
    if (!bench_wants_any(b, id, 3)) return;
    i.path = made_large(b, "import.glb", 100, 500000, "dressed");
    rig r;
    rig_open(&r, i.path);
    i.scene = r.scene;
    if (bench_wants(b, id[0])) {
        snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
        bench_peer(b, "blender", "blender_import.py", 1, (const char *[]){id[0], i.path, repeats, NULL});
        bench_row row = {.id = id[0],
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
        bench_row row = {.id = id[2],
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

/* ---- memory ---- */
/* In a process of its own: import, a picture's worth of rays and, when `checked`, every check; prints the most it ever
 * held, in KiB. */
int bench_child_memory(const char *path, bool checked)
{
    etna_error err = {0};
    const space_rules rules = {0};
    space_check check;
    rig r;
    rig_open(&r, path);
    uint32_t *ids = malloc(512 * 512 * sizeof *ids);
    if (!ids) return 4;
    rig_must(view_instance_map(r.space, &r.scene->cameras[0], 512, 512, ids, &err), &err);
    space_hit hit;
    for (uint32_t i = 0; i < 512 * 512; i++) {
        space_ray ray = {.t_min = 1e-4, .t_max = INFINITY, .skip_object = SCENE_NONE, .only_object = SCENE_NONE};
        camera_ray(&r.scene->cameras[0], (i % 512 + 0.5) / 512, (i / 512 + 0.5) / 512, &ray.origin, &ray.direction);
        (void)space_cast(r.space, &ray, &hit);
    }
    if (checked) {
        rig_must(space_check_all(r.space, &rules, &check, &err), &err);
        space_check_free(&check);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld %llu %u\n", usage.ru_maxrss, (unsigned long long)r.triangles, r.scene->object_count);
    free(ids);
    rig_close(&r);
    return 0;
}

static double held_mb(bench *b, const char *path, bool checked, uint64_t *ret_triangles, unsigned *ret_objects)
{
    const char *out = bench_path(b, "memory.txt");
    unsigned long long triangles;
    long kib;
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) bench_die("memory", "no /proc");
    self[n] = 0;
    if (run((const char *[]){self, checked ? "--child-checks" : "--child-memory", path, NULL}, out))
        bench_die(path, "its process failed");
    FILE *f = fopen(out, "r");
    if (!f || fscanf(f, "%ld %llu %u", &kib, &triangles, ret_objects) != 3) bench_die(path, "its process said nothing");
    fclose(f);
    *ret_triangles = triangles;
    return (double)kib / 1024;
}

void lines_memory(bench *b)
{
    uint64_t triangles;
    unsigned objects;
    char note[160];
    if (bench_wants(b, "memory.large")) {
        const char *path = made_large(b, "memory.glb", 2000, 5000000, "own");
        double mb = held_mb(b, path, true, &triangles, &objects);
        bench_peer(b, "blender", "blender_memory.py", 1, (const char *[]){"memory.large", path, NULL});
        snprintf(note, sizeof note, "%u objects; import, rays everywhere, every check; a process of its own", objects);
        bench_row row = {.id = "memory.large",
                         .work = "memory of 5 M triangles, 2,000 objects, all meshes their own",
                         .unit = "MB",
                         .clock = BENCH_WALL,
                         .ours = {mb, mb, mb, 1, 0},
                         .goal = 1536,
                         .peer = "blender",
                         .triangles = triangles,
                         .floor_is = "positions and indices alone",
                         .note = note};
        double bare = 18.0 * (double)triangles / 1048576; /* a vertex for two triangles */
        row.floor = (bench_stats){bare, bare, bare, 1, 0};
        bench_add(b, &row);
        (void)remove(path);
    }
    static const struct {
        const char *id, *work;
        bool checked;
    } copies[] = {{"memory.copy", "memory of one instanced copy more, a picture's rays cast", false},
                  {"memory.checked", "the same, and everything checked", true}};
    enum { FEW = 2000, MANY = 20000, EACH = 1000 };
    for (int i = 0; i < 2; i++) {
        if (!bench_wants(b, copies[i].id)) continue;
        double few =
            held_mb(b, made_large(b, "few.glb", FEW, FEW * EACH, "shared"), copies[i].checked, &triangles, &objects);
        double many =
            held_mb(b, made_large(b, "many.glb", MANY, MANY * EACH, "shared"), copies[i].checked, &triangles, &objects);
        double each = (many - few) * 1048576 / (MANY - FEW);
        snprintf(note, sizeof note,
                 "%d copies more of meshes of %d triangles (18 KB each); the goal in words: a transform each",
                 MANY - FEW, EACH);
        bench_row row = {.id = copies[i].id,
                         .work = copies[i].work,
                         .unit = "bytes",
                         .clock = BENCH_WALL,
                         .ours = {each, each, each, 1, 0},
                         .triangles = triangles,
                         .floor = {96, 96, 96, 1, 0},
                         .floor_is = "a transform in double",
                         .note = note};
        bench_add(b, &row);
    }
}
