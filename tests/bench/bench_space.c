/* What DESIGN.md 6 measures of space: rays a second with the exact hit, the verdict of one pose against 20 objects of
 * 15 K triangles, the depths of all their pairs, restoring a snapshot, and how these grow with objects and triangles.
 * One core, by this thread's own clock, so that what else runs on the machine counts little. */
#include "tests/support/scene_builder.h"
#include "worker/space/own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t state = 1;
static double uniform(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void must(etna_code code, const etna_error *err)
{
    if (code != ETNA_OK) {
        fprintf(stderr, "%s\n", err->text);
        exit(1);
    }
}

/* A table with `count` balls of 15 K triangles on it, in a room. */
static scene_builder *crowded(uint32_t count)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "room", scene_builder_room(b, 6, 6, 3), scene_builder_at(0, 0, 0, 0), true);
    uint32_t ball = scene_builder_sphere(b, 0.1, 61); /* 61 x 122: 14,640 triangles */
    for (uint32_t i = 0; i < count; i++)
        scene_builder_object(b, "ball", ball,
                             scene_builder_at(0.19 * (i % 10) - 0.9, 0.19 * (i / 10) - 0.9, 0.1, 13.0 * i), false);
    scene_builder_object(b, "moved", ball, scene_builder_at(0.05, -0.8, 0.5, 0), false);
    return b;
}

static void rays(space *sp, const char *what, double spread)
{
    enum { COUNT = 1 << 18 };
    space_ray *all = malloc(COUNT * sizeof *all);
    if (!all) exit(1);
    for (int i = 0; i < COUNT; i++)
        all[i] = (space_ray){
            {0.2, -2, 1.2}, {spread * (uniform() - 0.5), 1, -0.5 + spread * (uniform() - 0.5)}, 0, INFINITY, SCENE_NONE,
            SCENE_NONE};
    space_hit hit;
    uint32_t hits = 0;
    (void)space_cast(sp, &all[0], &hit);
    double start = now_s();
    for (int i = 0; i < COUNT; i++) hits += space_cast(sp, &all[i], &hit);
    double exact = now_s() - start;
    printf("%-28s %8.2f M rays/s (%.0f %% hit)\n", what, COUNT / exact / 1e6, 100.0 * hits / COUNT);
    free(all);
}

static void verdicts(space *sp)
{
    const space_rules rules = {0};
    etna_error err = {0};
    uint32_t moved = space_scene(sp)->object_count - 1, count = 0, collided = 0;
    space_pair found[4];
    enum { POSES = 400 };
    space_check warm;
    must(space_check_all(sp, &rules, &warm, &err), &err); /* bodies are built at first use */
    space_check_free(&warm);
    double worst = 0, start = now_s();
    for (int i = -POSES / 4; i < POSES; i++) { /* trees and what stands around are made in the first */
        if (i == 0) {
            worst = 0;
            collided = 0;
            start = now_s();
        }
        arrange_pose pose = {{2 * uniform() - 1, uniform() - 0.9, 0.1 + 0.01 * uniform()}, 6 * uniform()};
        double begin = now_s();
        must(space_move(sp, moved, &pose, &err), &err);
        must(space_collisions(sp, moved, &rules, found, 1, &count, &err), &err);
        double took = now_s() - begin;
        worst = took > worst ? took : worst;
        collided += count > 0;
    }
    printf("%-28s %8.3f ms mean, %.3f ms worst (%u of %d collide)\n", "verdict of a pose",
           (now_s() - start) * 1e3 / POSES, worst * 1e3, collided, POSES);
    arrange_pose away = {{2.5, 2.5, 2}, 0};
    must(space_move(sp, moved, &away, &err), &err);
    space_check check;
    must(space_check_all(sp, &rules, &check, &err), &err);
    uint32_t pairs = check.pair_count;
    space_check_free(&check);
    double depth_s = 0;
    uint32_t n = space_scene(sp)->object_count, crossing = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            space_pair pair;
            double begin = now_s();
            must(space_pair_check(sp, i, k, &rules, true, &pair, &err), &err);
            depth_s += now_s() - begin;
            crossing += pair.depth > 0;
        }
    printf("%-28s %8.2f ms for %u crossing pairs (%u collide)\n", "depths of all pairs", depth_s * 1e3, crossing,
           pairs);
    start = now_s();
    must(space_check_all(sp, &rules, &check, &err), &err);
    printf("%-28s %8.2f ms for %u objects\n", "check of the whole scene", (now_s() - start) * 1e3, n);
    space_check_free(&check);
    space_support_state support;
    start = now_s();
    must(space_support_compute(sp, &rules, NULL, NULL, &support, &err), &err);
    printf("%-28s %8.2f ms\n", "of it, what stands on what", (now_s() - start) * 1e3);
    space_support_free(&support);
}

static void restores(uint32_t count)
{
    etna_error err = {0};
    scene_builder *b = scene_builder_new();
    uint32_t cube = scene_builder_box(b, 0.1, 0.1, 0.1);
    for (uint32_t i = 0; i < count; i++)
        scene_builder_object(b, "cube", cube, scene_builder_at(0.2 * (i % 50), 0.2 * (i / 50), 0.05, 0), false);
    scene *s = scene_builder_scene(b);
    space_shared *shared = NULL;
    space *sp = NULL;
    must(space_share(s, &shared, &err), &err);
    must(space_new(shared, &sp, &err), &err);
    snapshot snap = {
        .object_count = count, .poses = malloc(count * sizeof(arrange_pose)), .moved = calloc(count, sizeof(bool))};
    if (!snap.poses || !snap.moved) exit(1);
    space_ray ray = {{0, 0, 5}, {0.01, 0.02, -1}, 0, INFINITY, SCENE_NONE, SCENE_NONE};
    space_hit hit;
    (void)space_cast(sp, &ray, &hit);
    double best = INFINITY;
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < count; i++) {
            snap.poses[i] = scene_base_pose(&s->objects[i]);
            snap.poses[i].position[2] += 0.001 * (round + 1);
        }
        double begin = now_s();
        must(space_restore(sp, &snap, &err), &err);
        (void)space_cast(sp, &ray, &hit); /* with what a first ray pays */
        double took = now_s() - begin;
        best = took < best ? took : best;
    }
    printf("restore, %4u objects moved   %8.3f ms\n", count, best * 1e3);
    free(snap.poses);
    free(snap.moved);
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(b);
}

/* ---- growth ---- */
typedef struct grown { /* seconds */
    double ready, check, verdict, restore;
} grown;

/* `count` balls of about `triangles` each in rows on a floor, every mesh its own or one for all; some cut a neighbour. */
static grown measure(uint32_t count, uint32_t triangles, bool own)
{
    const space_rules rules = {0};
    etna_error err = {0};
    scene_builder *b = scene_builder_new();
    uint32_t rings = 3, side = 1, ball = 0, found_count;
    while (2 * 2 * rings * (rings - 1) < triangles) rings++;
    while (side * side < count) side++;
    scene_builder_object(b, "floor", scene_builder_box(b, 0.5 * side + 2, 0.5 * side + 2, 0.1),
                         scene_builder_at(0.25 * side, 0.25 * side, -0.15, 0), true);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || own) ball = scene_builder_sphere(b, 0.1, rings);
        scene_builder_object(b, "ball", ball,
                             scene_builder_at(0.5 * (i % side) - (i % 20 == 7 ? 0.305 : 0), 0.5 * (i / side), 0, 7.0 * i),
                             false);
    }
    scene *s = scene_builder_scene(b);
    space_shared *shared = NULL;
    space *sp = NULL;
    space_check check;
    space_pair found[4];
    grown g = {0};
    double start = now_s();
    must(space_share(s, &shared, &err), &err);
    must(space_mark_static_by_cut(shared, &err), &err);
    must(space_new(shared, &sp, &err), &err);
    g.ready = now_s() - start;
    start = now_s();
    must(space_check_all(sp, &rules, &check, &err), &err);
    g.check = now_s() - start;
    space_check_free(&check);
    enum { POSES = 200 };
    for (int i = -20; i < POSES; i++) { /* one ball at its neighbours, whatever stands far away */
        arrange_pose pose = scene_base_pose(&s->objects[1]);
        pose.position[0] += 0.5 + 0.2 * (uniform() - 0.5);
        pose.position[1] += 0.5 + 0.2 * (uniform() - 0.5);
        if (i == 0) start = now_s();
        must(space_move(sp, 1, &pose, &err), &err);
        must(space_collisions(sp, 1, &rules, found, 1, &found_count, &err), &err);
    }
    g.verdict = (now_s() - start) / POSES;
    snapshot snap;
    must(snapshot_base(s, &snap, &err), &err);
    start = now_s();
    for (int i = 0; i < 20; i++) {
        for (uint32_t o = 1; o < s->object_count; o++) snap.poses[o].position[2] = 0.001 * i;
        must(space_restore(sp, &snap, &err), &err);
    }
    g.restore = (now_s() - start) / 20;
    snapshot_free(&snap);
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(b);
    return g;
}

/* The exponent over two decades, and over the last alone. */
static void print_growth(const char *what, const double t[3])
{
    printf("  %-34s %10.3f %10.3f %10.3f ms   exponent %.2f (last decade %.2f)\n", what, t[0] * 1e3, t[1] * 1e3, t[2] * 1e3,
           log10(t[2] / t[0]) / 2, log10(t[2] / t[1]));
}

static void growth(const char *title, const uint32_t counts[3], const uint32_t triangles[3], bool own)
{
    grown g[3];
    for (int i = 0; i < 3; i++) g[i] = measure(counts[i], triangles[i], own);
    printf("%s\n", title);
    print_growth("made ready for rays", (double[]){g[0].ready, g[1].ready, g[2].ready});
    print_growth("check of the whole scene", (double[]){g[0].check, g[1].check, g[2].check});
    print_growth("verdict of one pose", (double[]){g[0].verdict, g[1].verdict, g[2].verdict});
    print_growth("restore, everything moved", (double[]){g[0].restore, g[1].restore, g[2].restore});
}

int main(void)
{
    etna_error err = {0};
    scene_builder *b = crowded(20);
    space_shared *shared = NULL;
    space *sp = NULL;
    must(space_share(scene_builder_scene(b), &shared, &err), &err);
    must(space_new(shared, &sp, &err), &err);
    rays(sp, "rays from a camera", 1.2);
    rays(sp, "rays at one spot", 0.1);
    verdicts(sp);
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(b);
    restores(20);
    restores(2000);
    const uint32_t many[3] = {50, 500, 5000}, few[3] = {20, 20, 20}, some[3] = {200, 200, 200},
                   fine[3] = {200, 2000, 20000};
    growth("50, 500, 5,000 objects of 200 triangles, one mesh", many, some, false);
    growth("50, 500, 5,000 objects of 200 triangles, meshes of their own", many, some, true);
    growth("20 objects of 200, 2,000, 20,000 triangles, meshes of their own", few, fine, true);
    return 0;
}
