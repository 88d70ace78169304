/* The benchmark: every line is a thing done again and again beside what it is
 * held against, all in one run: a goal, a peer (another program that does the
 * same work on the same triangles), and a floor (what the bare arithmetic, the
 * bare Embree or the bare disk needs for it, a loop of ours). Nothing here
 * fails on time; a line that misses its goal is named at the end.
 *
 *   bench.c    options, which lines, the order      measure.c  warm-up, repeats, medians
 *   report.c   table, JSON, CSV, what misses        peers.c    runs peers/ and reads what they measured
 *   made.c     the scenes, as files that peers read too
 *   lines_*.c  the lines                            floor_*.c  what they stand on */
#ifndef ETNA_TESTS_BENCH_BENCH_H
#define ETNA_TESTS_BENCH_BENCH_H

#include "worker/scene/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench bench;
typedef void (*bench_fn)(void *context);

/* ---- measuring ---- */
typedef enum bench_clock {
    /* this thread's own time: what one core needs, whatever else the machine
     * does */
    BENCH_CORE,
    /* what passes on the wall: where threads, processes or disks take part */
    BENCH_WALL
} bench_clock;

typedef struct bench_stats {  /* samples 0: not measured */
    double median, low, high; /* and the quartiles */
    uint32_t samples;
    /* the same of all threads' and ended children's time; 0: not known */
    double cpu;
} bench_stats;

/* Calls `fn` once to warm up, then for about half a second and at least seven
 * times (--quick: three times); `before` (may be NULL) runs untimed before
 * each. Milliseconds of one call. */
bench_stats bench_measure(const bench *b,
                          bench_clock clock,
                          bench_fn before,
                          bench_fn fn,
                          void *context);
bench_stats bench_stats_of(double *samples, uint32_t count); /* sorts them */
bench_stats bench_scaled(bench_stats s, double by);
/* millions of things a second */
bench_stats bench_rate(bench_stats ms, double things);
double bench_now(bench_clock clock); /* ms */
/* Runs a program to its end, its standard output in a file, and returns its
 * exit code. `ret_usage` (may be NULL): its most memory is never said to be
 * less than this process held when it began. */
struct rusage;
int bench_run(const char *const *command,
              const char *output,
              struct rusage *ret_usage);

/* ---- lines ---- */
typedef struct bench_row {
    const char *id, *work;
    const char *unit; /* "ms", "M/s", "MB", "bytes" */
    bench_clock clock;
    bench_stats ours;
    double goal;   /* 0: none */
    bool at_least; /* the goal is a rate, not a time */
    /* "blender", "torch", "dask", "celery" or NULL; its line has the same id */
    const char *peer;
    /* what the goal's peer needed on the machine the goal was set on; 0: not
     * known */
    double peer_printed;
    bench_stats floor;
    const char *floor_is;
    double floor_printed; /* likewise */
    /* a peer must have loaded as many; 0: `check` holds instead */
    uint64_t triangles;
    /* a number that the peer must have found too, to 0.1 % */
    double check;
    const char *note; /* copied, or NULL */
} bench_row;

bool bench_wants(const bench *b, const char *id); /* --lines */
bool bench_wants_any(const bench *b, const char *const *ids, size_t count);
void bench_add(bench *b, const bench_row *row);

/* `ms` at three sizes a decade apart each: the exponent by a log-log fit. It
 * may be that of n log n, or, where `flat`, 0.1. */
typedef struct bench_growth {
    const char *id, *work, *of; /* "objects", "triangles" */
    double size[3], ms[3];
    const char *unit; /* NULL: ms */
    bool flat;
} bench_growth;
void bench_grow(bench *b, const bench_growth *g);

void bench_say(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* to stderr: progress */
_Noreturn void bench_die(const char *what, const char *why);

/* ---- peers ---- */
/* Runs tests/bench/peers/`script` with these arguments (NULL ends them) by
 * Blender ("blender", with `threads`) or Python (all others); what it says is
 * found again by the rows' ids. A peer that is not there is said in the
 * table. */
void bench_peer(bench *b,
                const char *peer,
                const char *script,
                unsigned threads,
                const char *const *arguments);
unsigned bench_peer_repeats(const bench *b);
bool bench_is_quick(const bench *b);

/* ---- scenes ---- */
/* A path in the run's own folder, which is removed at the end; valid until the
 * process ends. */
const char *bench_path(bench *b, const char *name);
/* other people's house, or NULL where it is not there */
const char *bench_house(bench *b);
/* a file of $ETNA_TEST_DATA, or NULL */
const char *bench_data(bench *b, const char *name);
/* Twenty bumpy balls of 15,000 triangles, one mesh, on a floor in a ring of
 * 15,000 (object 1, free by some millimetres), and a tighter band of 15,000
 * (object 2) that waits above. */
const char *made_crowd(bench *b);
enum {
    CROWD_RING = 1,
    CROWD_BAND = 2,
    CROWD_FIRST = 3,
    CROWD_COUNT = 20
};
/* By etna-large: rows of vases on a floor. `how`: shared, own or dressed. */
const char *made_large(bench *b,
                       const char *name,
                       unsigned objects,
                       unsigned triangles,
                       const char *how);
uint64_t made_triangles(const scene *s); /* placed, all instances counted */

/* ---- what lines stand on ---- */
/* the bare Embree on a scene at its base poses */
typedef struct floor_embree floor_embree;
floor_embree *floor_embree_new(const scene *s);
void floor_embree_free(floor_embree *f);
struct space_ray;
uint32_t floor_embree_cast(floor_embree *f,
                           const void *rays,
                           uint32_t count); /* of space_ray; hits */
uint32_t floor_embree_image(
    floor_embree *f,
    const scene_camera *camera,
    uint32_t width,
    uint32_t height,
    uint32_t shadows,
    /* a ray a pixel, and `shadows` more from where it hits; hits */
    uint32_t threads);
/* every instance moved, and committed */
void floor_embree_restore(floor_embree *f, double height);

enum {
    FLOOR_SSE2,
    FLOOR_AVX2
};
struct solve_problem;
/* 64 x 800 steps of AdamW on the six constraints, nothing else, in one loop
 * over the lanes; false: not this machine's. */
bool floor_solve(int width, const struct solve_problem *p, float pose[4][64]);

/* ---- the groups ---- */
void lines_solve(bench *b);
void lines_verdict(bench *b);
void lines_first_free(bench *b);
void lines_rays(bench *b);
void lines_plane(bench *b);
void lines_view(bench *b);
void lines_restore(bench *b);
void lines_import(bench *b);
void lines_memory(bench *b);
void lines_growth(bench *b);
void lines_keeping(bench *b);
void lines_replay(bench *b);
void lines_calls(bench *b);
void lines_trust(bench *b);
void lines_pool(bench *b);

void bench_placements(unsigned count); /* `etna-bench placements [COUNT]` */
/* `etna-bench pool [WORKERS [RUNS [WIRE [SLOTS [RATE]]]]]`; no slots are 4, no
 * rate is as fast as they can. */
void bench_pool(bench *b,
                unsigned workers,
                unsigned runs,
                const char *wire,
                unsigned slots,
                unsigned rate);
/* What lines_memory measures in a process of its own. */
int bench_child_memory(const char *path, bool checked);
void bench_large(bench *b,
                 unsigned triangles,
                 /* `etna-bench large [TRIANGLES [OBJECTS]]` */
                 unsigned objects);

#endif
