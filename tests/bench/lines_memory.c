/* Memory: of a large scene, and of one copy more; and each command's on a scene
 * as large as they promise to take. */
#include "tests/bench/rig.h"
#include "worker/gltf/bundle.h"
#include "worker/view/view.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- in a process of its own ---- */
/* KiB by this name in /proc/self/status. Not getrusage: what that says goes
 * through exec, so a child of a large process would say what its parent
 * held. */
static long status_kib(const char *name)
{
    char line[256];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            kib = atol(line + strlen(name));
    if (f)
        fclose(f);
    if (kib < 0)
        bench_die(name, "is not in /proc/self/status");
    return kib;
}

/* Import, a picture's worth of rays and, when `checked`, every check; prints
 * what it held at most, and what it holds then when all that is free is given
 * back, in KiB. */
int bench_child_memory(const char *path, bool checked)
{
    etna_error err = {0};
    const space_rules rules = {0};
    space_check check;
    rig r;
    rig_open(&r, path);
    uint32_t *ids = malloc(512 * 512 * sizeof *ids);
    if (!ids)
        return 4;
    rig_must(
        view_instance_map(r.space, &r.scene->cameras[0], 512, 512, ids, &err),
        &err);
    free(ids);
    space_hit hit;
    for (uint32_t i = 0; i < 512 * 512; i++) {
        space_ray ray = {.t_min = 1e-4,
                         .t_max = INFINITY,
                         .skip_object = SCENE_NONE,
                         .only_object = SCENE_NONE};
        camera_ray(&r.scene->cameras[0], (i % 512 + 0.5) / 512,
                   (i / 512 + 0.5) / 512, &ray.origin, &ray.direction);
        (void)space_cast(r.space, &ray, &hit);
    }
    if (checked) {
        rig_must(space_check_all(r.space, &rules, &check, &err), &err);
        space_check_free(&check);
    }
    long most = status_kib("VmHWM:");
    malloc_trim(0);
    printf("%ld %ld %llu %u\n", most, status_kib("VmRSS:"),
           (unsigned long long)r.triangles, r.scene->object_count);
    rig_close(&r);
    return 0;
}

typedef struct held {
    double most, then; /* MB */
    unsigned long long triangles;
    unsigned objects;
} held;

static held hold(bench *b,
                 const char *path,
                 bool checked,
                 struct rusage *ret_usage)
{
    const char *out = bench_path(b, "memory.txt");
    long most, then;
    char self[1024];
    held h;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        bench_die("memory", "no /proc");
    self[n] = 0;
    if (bench_run(
            (const char *[]){self,
                             checked ? "--child-checks" : "--child-memory",
                             path, NULL},
            out, ret_usage))
        bench_die(path, "its process failed");
    FILE *f = fopen(out, "r");
    if (!f || fscanf(f, "%ld %ld %llu %u", &most, &then, &h.triangles,
                     &h.objects) != 4)
        bench_die(path, "its process said nothing");
    fclose(f);
    h.most = (double)most / 1024;
    h.then = (double)then / 1024;
    return h;
}

/* ---- lines ---- */
void lines_memory(bench *b)
{
    char note[200];
    if (bench_wants(b, "memory.large")) {
        const char *path = made_large(b, "memory.glb", 2000, 5000000, "own");
        held h = hold(b, path, true, NULL);
        bench_peer(b, "blender", "blender_memory.py", 1,
                   (const char *[]){"memory.large", path, NULL});
        snprintf(
            note, sizeof note,
            "%u objects; import, rays everywhere, every check; a process of its own",
            h.objects);
        bench_row row = {
            .id = "memory.large",
            .work =
                "memory of 5 M triangles, 2,000 objects, all meshes their own",
            .unit = "MB",
            .clock = BENCH_WALL,
            .ours = {h.most, h.most, h.most, 1, 0},
            .goal = 1536,
            .peer = "blender",
            .triangles = h.triangles,
            .floor_is = "positions and indices alone",
            .note = note};
        /* a vertex for two triangles */
        double bare = 18.0 * (double)h.triangles / 1048576;
        row.floor = (bench_stats){bare, bare, bare, 1, 0};
        bench_add(b, &row);
        (void)remove(path);
    }
    static const struct {
        const char *id, *work;
        bool checked;
    } copies[] = {{"memory.copy",
                   "memory of one instanced copy more, a picture's rays cast",
                   false},
                  {"memory.checked", "the same, and everything checked", true}};
    enum {
        EACH = 1000
    };
    const unsigned few_objects = bench_is_quick(b) ? 500 : 2000,
                   many_objects = 10 * few_objects;
    for (int i = 0; i < 2; i++) {
        if (!bench_wants(b, copies[i].id))
            continue;
        held few = hold(b,
                        made_large(b, "few.glb", few_objects,
                                   few_objects * EACH, "shared"),
                        copies[i].checked, NULL),
             many = hold(b,
                         made_large(b, "many.glb", many_objects,
                                    many_objects * EACH, "shared"),
                         copies[i].checked, NULL);
        double copy = 1048576.0 / (many.objects - few.objects),
               each = (many.then - few.then) * copy;
        snprintf(
            note, sizeof note,
            "%u copies more of meshes of %d triangles (18 KB each), its name and node in the file among it; at most "
            "%.0f on the way; the goal in words: a transform each",
            many.objects - few.objects, EACH, (many.most - few.most) * copy);
        bench_row row = {.id = copies[i].id,
                         .work = copies[i].work,
                         .unit = "bytes",
                         .clock = BENCH_WALL,
                         .ours = {each, each, each, 1, 0},
                         .triangles = many.triangles,
                         .floor = {96, 96, 96, 1, 0},
                         .floor_is = "a transform in double",
                         .note = note};
        bench_add(b, &row);
    }
}

/* ---- etna-bench large ---- */
typedef struct step {
    const char *what;
    int code; /* what the command returns where all is well */
    const char *command[12];
} step;

static void tell_step(const char *what,
                      double seconds,
                      const struct rusage *u,
                      double mb)
{
    printf("%-34s %8.2f s %8.2f s of processors %8.0f MB\n", what, seconds,
           (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
               (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6,
           mb);
    fflush(stdout);
}

void bench_large(bench *b, unsigned triangles, unsigned objects)
{
    static const char worker[] = ETNA_BINARY_DIR "/bin/etna-worker";
    const char *path = made_large(b, "large.glb", objects, triangles, "own"),
               *image = bench_path(b, "large.png"),
               *out = bench_path(b, "large.txt");
    struct rusage usage;
    double most = 0;
    const step steps[] = {
        {"import: etna scene info", 0, {worker, "info", path, "--json", NULL}},
        {"render: etna render, 1024 x 768",
         0,
         {worker, "render", path, "-o", image, "--size", "1024x768", NULL}},
        {"probe: etna probe ray",
         0,
         {worker, "probe", "ray", path, "0.5", "0.62", "--json", NULL}},
        {"check: etna check",
         1,
         /* some lean into one another */
         {worker, "check", path, "--json", NULL}},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double begin = bench_now(BENCH_WALL);
        if (bench_run(steps[i].command, out, &usage) != steps[i].code)
            bench_die(steps[i].what, "did not do it");
        double mb = (double)usage.ru_maxrss / 1024;
        tell_step(steps[i].what, (bench_now(BENCH_WALL) - begin) / 1e3, &usage,
                  mb);
        most = mb > most ? mb : most;
    }
    double begin = bench_now(BENCH_WALL);
    held h = hold(b, path, true, &usage);
    tell_step("rays everywhere and check, at once",
              (bench_now(BENCH_WALL) - begin) / 1e3, &usage, h.most);
    most = h.most > most ? h.most : most;
    printf(
        "%u objects, %llu triangles, all meshes their own: at most %.0f MB\n",
        h.objects, h.triangles, most);
}
