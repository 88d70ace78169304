/* The solve: the descent by vector width, with a hull of many corners, and the
 * whole of it in a scene. */
#include "tests/bench/rig.h"
#include "worker/solve/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EDGES_MAX = 32
};
typedef float poses[4][SOLVE_CANDIDATES];

static vec3 outward[EDGES_MAX];
static double reach[EDGES_MAX];

/* CloseToPix, Contact down, NoOverhang full, Distance, FaceTo an object, FaceTo
 * the camera. */
static void make(solve_problem *p, uint32_t edges)
{
    memset(p, 0, sizeof *p);
    p->half = v3(0.05, 0.05, 0.15);
    p->perspective = true;
    p->eye = v3(0, -2, 1.5);
    p->forward = v3_normal(v3(0, 2, -1.5));
    p->right = v3(1, 0, 0);
    p->up = v3_cross(p->right, p->forward);
    p->scale_x = 0.94;
    p->scale_y = 1.25;
    for (uint32_t j = 0; j < edges; j++) {
        outward[j] =
            v3(cos(2 * MATH_PI * j / edges), sin(2 * MATH_PI * j / edges), 0);
        reach[j] = 0.5;
    }
    p->terms[0] = (term){
        .kind = TERM_PIXEL, .weight = 0.5, .drop = 0.15, .target = {0.5, 0.5}};
    p->terms[1] = (term){.kind = TERM_CONTACT,
                         .weight = 100,
                         .normal = {0, 0, 1},
                         .face = FACE_DOWN};
    p->terms[2] = (term){.kind = TERM_INSIDE,
                         .weight = 20,
                         .edge_count = edges,
                         .outward = outward,
                         .reach = reach};
    p->terms[3] = (term){.kind = TERM_DISTANCE,
                         .weight = 0.3,
                         .point = {0.3, 0.3, 0},
                         .offset = 0.4};
    p->terms[4] = (term){.kind = TERM_FACING,
                         .weight = 0.5,
                         .by_point = true,
                         .point = {0.3, 0.3, 0}};
    p->terms[5] = (term){.kind = TERM_FACING,
                         .weight = 0.5,
                         .by_point = true,
                         .point = {0, -2, 1.5}};
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        p->terms[0].lane_x[l] = 0.05f * (float)(l % 8 - 4);
        p->terms[0].lane_y[l] = 0.05f * (float)(l / 8 - 4);
        p->terms[4].lane_y[l] = p->terms[5].lane_y[l] = -1;
    }
    p->term_count = 6;
}

static void start(poses pose)
{
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        pose[0][l] = 0.01f * (float)l;
        pose[1][l] = 0.02f * (float)(l % 7);
        pose[2][l] = 0.3f;
        pose[3][l] = 0.1f * (float)l;
    }
}

typedef struct descent {
    solve_problem problem;
    poses pose;
    void (*descend)(const solve_problem *, uint32_t, poses);
    int width; /* of the floor */
    bool there;
} descent;

static void do_descent(void *context)
{
    descent *d = context;
    start(d->pose);
    d->descend(&d->problem, SOLVE_ITERATIONS, d->pose);
}

static void do_floor(void *context)
{
    descent *d = context;
    start(d->pose);
    d->there = floor_solve(d->width, &d->problem, d->pose);
}

static double total_loss(const descent *d, const poses pose)
{
    double sum = 0;
    for (uint32_t l = 0; l < SOLVE_CANDIDATES; l++) {
        double at[4] = {(double)pose[0][l], (double)pose[1][l],
                        (double)pose[2][l], (double)pose[3][l]};
        sum += problem_loss(&d->problem, l, true, at, NULL, NULL);
    }
    return sum;
}

static void put(FILE *f, const char *name, const double *values, uint32_t count)
{
    fprintf(f, "\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(f, "%s%.9g", i ? "," : "", values[i]);
    fprintf(f, "],");
}

/* The problem and where it starts, for a peer. */
static const char *write_problem(bench *b,
                                 const char *name,
                                 const solve_problem *p,
                                 const poses at)
{
    const char *path = bench_path(b, name);
    FILE *f = fopen(path, "w");
    if (!f)
        bench_die(path, "cannot be written");
    double row[SOLVE_CANDIDATES];
    fprintf(f, "{");
    put(f, "half", &p->half.x, 3);
    put(f, "eye", &p->eye.x, 3);
    put(f, "right", &p->right.x, 3);
    put(f, "up", &p->up.x, 3);
    put(f, "forward", &p->forward.x, 3);
    put(f, "scale", (double[]){p->scale_x, p->scale_y}, 2);
    put(f, "target", p->terms[0].target, 2);
    put(f, "normal", &p->terms[1].normal.x, 3);
    put(f, "point", &p->terms[3].point.x, 3);
    put(f, "face_to",
        (double[]){p->terms[4].point.x, p->terms[4].point.y,
                   p->terms[5].point.x, p->terms[5].point.y},
        4);
    fprintf(f, "\"drop\":%.9g,\"offset\":%.9g,\"distance\":%.9g,\"edges\":[",
            p->terms[0].drop, p->terms[1].offset, p->terms[3].offset);
    for (uint32_t j = 0; j < p->terms[2].edge_count; j++)
        fprintf(f, "%s[%.17g,%.17g,%.17g,%.17g]", j ? "," : "", outward[j].x,
                outward[j].y, outward[j].z, reach[j]);
    fprintf(f, "],");
    for (int k = 0; k < 6; k++) {
        for (int l = 0; l < SOLVE_CANDIDATES; l++)
            row[l] = (double)(k < 4    ? at[k][l]
                              : k == 4 ? p->terms[0].lane_x[l]
                                       : p->terms[0].lane_y[l]);
        put(f, (const char *[]){"x", "y", "z", "yaw", "lane_x", "lane_y"}[k],
            row, SOLVE_CANDIDATES);
    }
    fprintf(f, "\"iterations\":%d}\n", SOLVE_ITERATIONS);
    if (fclose(f))
        bench_die(path, "cannot be written");
    return path;
}

static void descents(bench *b)
{
    static const struct {
        const char *id, *work;
        double goal, peer_printed;
        void (*descend)(const solve_problem *, uint32_t, poses);
        int width;
        uint32_t edges;
        const char *floor_is;
    } rows[] = {
        {"solve.widest",
         "descent to the end, 64 x 800, six constraints, widest", 1, 790,
         problem_descend, FLOOR_AVX2, 4,
         "one strict loop over the lanes, AVX2"},
        {"solve.sse2", "the same, SSE2 only", 2.5, 790, problem_descend_plain,
         FLOOR_SSE2, 4, "one strict loop over the lanes, SSE2"},
        {"solve.hull32", "the same, a plane of 32 corners, widest", 4, 0,
         problem_descend, FLOOR_AVX2, 32, "the strict loop, of four corners"}};
    static descent d;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!bench_wants(b, rows[i].id))
            continue;
        make(&d.problem, rows[i].edges);
        d.descend = rows[i].descend;
        d.width = rows[i].width;
        start(d.pose);
        bench_row row = {.id = rows[i].id,
                         .work = rows[i].work,
                         .unit = "ms",
                         .goal = rows[i].goal,
                         .peer = "torch",
                         .peer_printed = rows[i].peer_printed,
                         .check = total_loss(&d, d.pose)};
        char name[64], text[128];
        snprintf(name, sizeof name, "%s.json", rows[i].id);
        const char *path = write_problem(b, name, &d.problem, d.pose);
        char repeats[16];
        snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
        bench_peer(b, "torch", "torch_solve.py", 1,
                   (const char *[]){rows[i].id, path, repeats, NULL});
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_floor, &d);
        if (!d.there)
            row.floor = (bench_stats){0};
        row.floor_is =
            row.floor.samples ? rows[i].floor_is : "not on this machine";
        double floor_loss = total_loss(&d, d.pose);
        row.ours = bench_measure(b, BENCH_CORE, NULL, do_descent, &d);
        snprintf(text, sizeof text, "loss %.4g at the end, the floor's %.4g",
                 total_loss(&d, d.pose), floor_loss);
        row.note = text;
        bench_add(b, &row);
    }
}

/* ---- the whole of it ---- */
typedef struct whole {
    rig rig;
    constraint_list constraints;
    solve_result result;
    descent floor;
} whole;

static void do_whole(void *context)
{
    whole *w = context;
    rig_solve(&w->rig, &w->constraints, &w->result);
}

static void in_a_scene(bench *b)
{
    static const char text[] =
        "[\"ObjectName\",\"band\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"floor_up\"],"
        "[\"NoOverhang\",\"down\",\"floor_up\",\"full_only\"],[\"Distance\",\"ball_0\",0.7],[\"FaceTo\",\"ball_0\"],[\"FaceTo\",\"camera\"]";
    static whole w;
    char note[200];
    if (!bench_wants(b, "solve.whole"))
        return;
    etna_error err = {0};
    etna_arena arena = ETNA_ARENA_INIT;
    rig_open(&w.rig, made_crowd(b));
    rig_must(constraint_parse(text, strlen(text), &arena, &w.constraints, &err),
             &err);
    make(&w.floor.problem, 4);
    w.floor.width = FLOOR_AVX2;
    bench_row row = {
        .id = "solve.whole",
        .work =
            "solve_run: planes, descent, judging, settling, checks, 23 objects",
        .unit = "ms",
        .triangles = w.rig.triangles};
    row.ours = bench_measure(b, BENCH_CORE, NULL, do_whole, &w);
    row.floor = bench_measure(b, BENCH_CORE, NULL, do_floor, &w.floor);
    row.floor_is = "the strict loop alone";
    snprintf(note, sizeof note, "%s, %u survivors, %u collision checks",
             w.result.status == BRANCH_VALID ? "solved" : w.result.reason,
             w.result.survivors, w.result.collision_checks);
    row.note = note;
    bench_add(b, &row);
    etna_arena_free(&arena);
    rig_close(&w.rig);
}

void lines_solve(bench *b)
{
    descents(b);
    in_a_scene(b);
}
