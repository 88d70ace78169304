/* How the work grows with objects and with triangles, each at 1, 10 and 100
 * times. Nothing may be worse than n log n, and a verdict of one pose may not
 * grow with what stands far away. */
#include "tests/bench/rig.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZES = 3,
    KINDS = 6,
    SIDE = 512
};

typedef struct growing {
    rig rig;
    etna_arena arena;
    constraint_list constraints;
    solve_result solved;
    snapshot snap;
    uint32_t *ids, turn;
    uint32_t width, height;
} growing;

static void do_check(void *context)
{
    growing *g = context;
    etna_error err = {0};
    const space_rules rules = {0};
    space_check check;
    rig_must(space_check_all(g->rig.space, &rules, &check, &err), &err);
    space_check_free(&check);
}

static void do_verdicts(void *context) /* the second vase, around the third */
{
    growing *g = context;
    etna_error err = {0};
    const space_rules rules = {0};
    space_pair found[1];
    uint32_t count;
    for (int i = 0; i < 20; i++) {
        arrange_pose pose = rig_pose(&g->rig, 2, 0.72 + 0.01 * (i % 5),
                                     0.05 * (i / 5) - 0.1, 0.001);
        rig_must(space_move(g->rig.space, 2, &pose, &err), &err);
        rig_must(
            space_collisions(g->rig.space, 2, &rules, found, 1, &count, &err),
            &err);
    }
    arrange_pose home = rig_pose(&g->rig, 2, 0, 0, 0);
    rig_must(space_move(g->rig.space, 2, &home, &err), &err);
}

static void do_solve(void *context)
{
    growing *g = context;
    rig_solve(&g->rig, &g->constraints, &g->solved);
}

static void do_map(void *context)
{
    growing *g = context;
    etna_error err = {0};
    rig_must(view_instance_map(g->rig.space, &g->rig.scene->cameras[0],
                               g->width, g->height, g->ids, &err),
             &err);
}

static void do_image(void *context)
{
    growing *g = context;
    etna_error err = {0};
    view_image image = {0};
    rig_must(view_render(g->rig.space, &g->rig.scene->cameras[0], g->width,
                         g->height, 1, &image, &err),
             &err);
    view_image_free(&image);
}

static void do_restore(void *context)
{
    growing *g = context;
    etna_error err = {0};
    g->turn = g->turn % 50 + 1;
    for (uint32_t i = 1; i < g->rig.scene->object_count; i++) {
        g->snap.poses[i].position[2] =
            scene_base_pose(&g->rig.scene->objects[i]).position[2] +
            0.001 * g->turn;
        g->snap.moved[i] = true;
    }
    rig_must(space_restore(g->rig.space, &g->snap, &err), &err);
}

static const struct kind {
    const char *name, *work;
    bench_fn fn;
    double per;
    bool flat; /* must not grow with objects that are far away */
} kinds[KINDS] = {
    {"check", "check of the whole scene", do_check, 1, false},
    {"verdict", "verdict of one pose near its neighbour", do_verdicts, 20,
     true},
    {"solve", "solve_run of three constraints on the floor", do_solve, 1,
     false},
    {"map", "instance map, 512 wide", do_map, 1, false},
    {"image", "clean image, 512 wide, one thread", do_image, 1, false},
    {"restore", "restore, everything moved", do_restore, 1, false}};

static void open_scene(growing *g, const char *path)
{
    static const char text[] =
        "[\"ObjectName\",\"vase_0\"],[\"CloseToPix\",\"down\",[0.5,0.6]],[\"Contact\",\"down\",\"floor_up\"],"
        "[\"NoOverhang\",\"down\",\"floor_up\",\"full_only\"]";
    etna_error err = {0};
    memset(g, 0, sizeof *g);
    g->arena = (etna_arena)ETNA_ARENA_INIT;
    rig_open(&g->rig, path);
    rig_must(
        constraint_parse(text, strlen(text), &g->arena, &g->constraints, &err),
        &err);
    rig_must(snapshot_base(g->rig.scene, &g->snap, &err), &err);
    view_size(&g->rig.scene->cameras[0], SIDE, &g->width, &g->height);
    g->ids = malloc(sizeof *g->ids * g->width * g->height);
    if (!g->ids)
        bench_die("growth", "out of memory");
}

static void close_scene(growing *g)
{
    free(g->ids);
    snapshot_free(&g->snap);
    etna_arena_free(&g->arena);
    rig_close(&g->rig);
}

static void series(bench *b,
                   const char *of,
                   const unsigned objects[SIZES],
                   const unsigned each[SIZES],
                   const char *how)
{
    static bench_growth found[2][KINDS];
    static char ids[2][KINDS][48];
    bool by_objects = objects[0] != objects[1], any = false, wanted[KINDS];
    bench_growth *all = found[by_objects];
    for (int k = 0; k < KINDS; k++) {
        snprintf(ids[by_objects][k], sizeof ids[0][0], "growth.%s.%s",
                 kinds[k].name, of);
        wanted[k] = bench_wants(b, ids[by_objects][k]);
        any |= wanted[k];
        all[k] = (bench_growth){.id = ids[by_objects][k],
                                .work = kinds[k].work,
                                .of = of,
                                .flat = by_objects && kinds[k].flat};
    }
    for (int i = 0; i < SIZES && any; i++) {
        static growing g;
        char name[64];
        snprintf(name, sizeof name, "growth-%s-%d.glb", of, i);
        open_scene(&g,
                   made_large(b, name, objects[i], objects[i] * each[i], how));
        for (int k = 0; k < KINDS; k++) {
            if (!wanted[k])
                continue;
            all[k].size[i] = by_objects ? objects[i] : (double)g.rig.triangles;
            all[k].ms[i] =
                bench_measure(b, BENCH_CORE, NULL, kinds[k].fn, &g).median /
                kinds[k].per;
        }
        close_scene(&g);
    }
    for (int k = 0; k < KINDS; k++)
        if (wanted[k])
            bench_grow(b, &all[k]);
}

void lines_growth(bench *b)
{
    series(b, "objects", (const unsigned[]){20, 200, 2000},
           (const unsigned[]){500, 500, 500}, "shared");
    series(b, "triangles", (const unsigned[]){20, 20, 20},
           (const unsigned[]){500, 5000, 50000}, "own");
}
