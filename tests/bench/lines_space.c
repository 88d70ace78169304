/* What cuts what: the verdict of one pose, depths, and how soon 64 candidates
 * come to one that is free. */
#include "tests/bench/rig.h"
#include "tests/support/scene_builder.h"
#include "worker/solve/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdicts ---- */
typedef struct verdict {
    rig rig;
    uint32_t object, collided;
    arrange_pose pose, away;
    double deepest;
    vec3 *moved; /* the floor's */
} verdict;

static void do_verdict(void *context)
{
    verdict *v = context;
    etna_error err = {0};
    const space_rules rules = {0};
    space_pair found[1];
    rig_must(space_move(v->rig.space, v->object, &v->pose, &err), &err);
    rig_must(space_collisions(v->rig.space, v->object, &rules, found, 1,
                              &v->collided, &err),
             &err);
}

static void go_away(void *context)
{
    verdict *v = context;
    etna_error err = {0};
    rig_must(space_move(v->rig.space, v->object, &v->away, &err), &err);
}

static void do_depths(void *context)
{
    verdict *v = context;
    etna_error err = {0};
    const space_rules rules = {0};
    v->collided = 0;
    v->deepest = 0;
    rig_must(space_move(v->rig.space, v->object, &v->pose, &err), &err);
    for (uint32_t i = 0; i < CROWD_COUNT; i++) {
        space_pair pair;
        rig_must(space_pair_check(v->rig.space, v->object, CROWD_FIRST + i,
                                  &rules, true, &pair, &err),
                 &err);
        v->collided += pair.collides;
        v->deepest = pair.depth > v->deepest ? pair.depth : v->deepest;
    }
}

/* Nothing can be said of a pose before the object's vertices are there: moves
 * them, in double, and finds their box. */
static void do_move_vertices(void *context)
{
    verdict *v = context;
    const scene *s = v->rig.scene;
    affine motion = scene_motion(&s->objects[v->object], &v->pose);
    vec3 low = v3(INFINITY, INFINITY, INFINITY);
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (s->parts[p].object != v->object)
            continue;
        affine all = affine_mul(&motion, &s->parts[p].to_world);
        const scene_mesh *m = &s->meshes[s->parts[p].mesh];
        for (uint32_t i = 0; i < m->vertex_count; i++) {
            const float *q = m->position + 3 * (size_t)i;
            v->moved[i] = affine_point(
                &all, v3((double)q[0], (double)q[1], (double)q[2]));
            low = v3_min(low, v->moved[i]);
        }
    }
    v->moved[0] = low;
}

static const struct pose_line {
    const char *id, *work;
    uint32_t object;
    double by[3];
} poses[] = {
    {"verdict.free",
     "verdict of a pose, 20 x 15,000 triangles: free",
     CROWD_RING,
     {0.002, 0.001, 0}},
    {"verdict.grazing",
     "the same, 5 mm into some, under the threshold",
     CROWD_RING,
     {0.011, 0, 0}},
    {"verdict.deep", "the same, 3 cm into some", CROWD_RING, {0.036, 0, 0}},
    {"verdict.depths",
     "depths of all 20 pairs, all deep in one another",
     CROWD_BAND,
     {0, 0, -0.568}}};

static void ask_blender_of_poses(bench *b, const char *file)
{
    const char *path = bench_path(b, "poses.json");
    FILE *f = fopen(path, "w");
    if (!f)
        bench_die(path, "cannot be written");
    fprintf(f, "[");
    bool any = false;
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        if (!bench_wants(b, poses[i].id))
            continue;
        fprintf(f, "%s{\"line\":\"%s\",\"object\":\"%s\",\"by\":[%g,%g,%g]}",
                any ? "," : "", poses[i].id,
                poses[i].object == CROWD_RING ? "ring" : "band", poses[i].by[0],
                poses[i].by[1], poses[i].by[2]);
        any = true;
    }
    fprintf(f, "]\n");
    if (fclose(f))
        bench_die(path, "cannot be written");
    char repeats[16];
    snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
    bench_peer(b, "blender", "blender_pose.py", 1,
               (const char *[]){file, path, repeats, NULL});
}

void lines_verdict(bench *b)
{
    const char *ids[] = {poses[0].id, poses[1].id, poses[2].id, poses[3].id};
    if (!bench_wants_any(b, ids, 4))
        return;
    static verdict v;
    const char *path = made_crowd(b);
    rig_open(&v.rig, path);
    uint32_t most = 0;
    for (uint32_t m = 0; m < v.rig.scene->mesh_count; m++)
        most = v.rig.scene->meshes[m].vertex_count > most
                   ? v.rig.scene->meshes[m].vertex_count
                   : most;
    v.moved = malloc(sizeof *v.moved * (most + 1));
    if (!v.moved)
        bench_die("verdict", "out of memory");
    ask_blender_of_poses(b, path);
    for (size_t i = 0; i < 4; i++) {
        if (!bench_wants(b, poses[i].id))
            continue;
        bool depths = i == 3;
        char note[160];
        v.object = poses[i].object;
        v.pose = rig_pose(&v.rig, v.object, poses[i].by[0], poses[i].by[1],
                          poses[i].by[2]);
        v.away = rig_pose(&v.rig, v.object, 0, 0, 1);
        bench_row row = {.id = poses[i].id,
                         .work = poses[i].work,
                         .unit = "ms",
                         .goal = depths ? 20 : 2,
                         .peer = "blender",
                         .peer_printed = depths ? 0 : 3730,
                         .triangles = v.rig.triangles,
                         .floor_is = "moving the object's vertices"};
        row.ours = bench_measure(b, BENCH_CORE, go_away,
                                 depths ? do_depths : do_verdict, &v);
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_move_vertices, &v);
        if (depths) {
            snprintf(note, sizeof note, "%u collide, the deepest %.4f m",
                     v.collided, v.deepest);
        } else {
            snprintf(note, sizeof note, "%s",
                     v.collided ? "collides" : "collides with nothing");
        }
        row.note = note;
        bench_add(b, &row);
        go_away(&v);
    }
    free(v.moved);
    rig_close(&v.rig);
}

/* ---- the first free candidate ---- */
typedef struct placing {
    rig rig;
    constraint_list constraints;
    solve_result result;
    verdict guest; /* the floor's */
    solve_problem problem;
} placing;

static void do_place(void *context)
{
    placing *p = context;
    rig_solve(&p->rig, &p->constraints, &p->result);
}

/* Fifty things of 20,000 triangles, 49 of them filling a table but for a
 * corner. */
static scene_builder *fifty(void)
{
    enum {
        SIDE = 7,
        RINGS = 71
    };
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 6, 6, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_camera(b, "camera", v3(0, -2.2, 2), v3(0, 0, 0.4));
    scene_builder_object(b, "table",
                         scene_builder_box(b, 0.2 * SIDE, 0.2 * SIDE, 0.5),
                         scene_builder_at(0, 0, 0.25, 0), true);
    for (int i = 0; i < SIDE * SIDE - 1; i++) {
        char name[32];
        snprintf(name, sizeof name, "thing %d", i);
        scene_builder_object(
            b, name, scene_builder_sphere(b, 0.0999 - 1e-6 * i, RINGS),
            scene_builder_at(0.2 * (i % SIDE - SIDE / 2),
                             0.2 * (i / SIDE - SIDE / 2), 0.6, 0),
            true);
    }
    scene_builder_object(
        b, "guest",
        scene_builder_cup(b, 0.08, 0.09, 0.15, 0.02, RINGS * RINGS / 2),
        scene_builder_at(1.6, 0.3, 0, 0), false);
    return b;
}

void lines_first_free(bench *b)
{
    static const char text[] =
        "[\"ObjectName\",\"guest\"],[\"CloseToPix\",\"down\",[0.5,0.45]],[\"Contact\",\"down\",\"table_up\"],"
        "[\"NoOverhang\",\"down\",\"table_up\",\"full_only\"]";
    static const char *const id[] = {"first_free.warm", "first_free.first"};
    static placing p;
    char note[200];
    if (!bench_wants_any(b, id, 2))
        return;
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    rig_must(constraint_parse(text, strlen(text), &arena, &p.constraints, &err),
             &err);
    double firsts[3];
    uint32_t rounds = bench_peer_repeats(b);
    scene_builder *made = fifty();
    for (uint32_t i = 0; i < rounds; i++) {
        if (i)
            rig_close(&p.rig);
        rig_of_scene(&p.rig, scene_builder_scene(made));
        double begun = bench_now(BENCH_CORE);
        do_place(&p);
        firsts[i] = bench_now(BENCH_CORE) - begun;
    }
    bench_row row = {
        .id = id[0],
        .work = "64 candidates to the first free one, 51 objects, settling",
        .unit = "ms",
        .goal = 60,
        .triangles = 0};
    row.ours = bench_measure(b, BENCH_CORE, NULL, do_place, &p);
    row.triangles = p.rig.triangles;
    snprintf(note, sizeof note,
             "%s; %u candidates, %u collision checks, %u of support",
             p.result.status == BRANCH_VALID
                 ? p.result.widened ? "found on the whole plane" : "found"
                 : p.result.reason,
             p.result.candidates, p.result.collision_checks,
             p.result.support_checks);
    row.note = note;
    p.guest.rig = p.rig;
    p.guest.object = p.result.object;
    p.guest.pose = p.result.pose;
    p.guest.moved = malloc(sizeof(vec3) * 100000);
    if (!p.guest.moved)
        bench_die(id[0], "out of memory");
    row.floor = bench_measure(b, BENCH_CORE, NULL, do_move_vertices, &p.guest);
    row.floor_is = "moving the object's vertices, once";
    free(p.guest.moved);
    if (bench_wants(b, id[0]))
        bench_add(b, &row);
    bench_row cold = row;
    cold.id = id[1];
    cold.work = "the same, the first time in a process (trees, planes)";
    cold.goal = 0;
    cold.ours = bench_stats_of(firsts, rounds);
    if (bench_wants(b, id[1]))
        bench_add(b, &cold);
    rig_close(&p.rig);
    scene_builder_free(made);
    etna_arena_free(&arena);
}
