/* The same bits for any number of threads, any instruction set of Embree's, any
 * vector width of ours and any bound of memory: solves, their snapshots,
 * probes, planes, checks and instance maps of scenes, hashed once per way to
 * compute them, and compared. A snapshot names its scene by the bundle's bytes:
 * another form of bundle changes all of those hashes, and none of the others.
 *
 *   bits quick|full SCENE...
 *
 * quick: each set and width once, with different numbers of threads; full: all
 * of them with 1 to 8. Prints what was compared and what this machine lacks;
 * exit 1 with the part that differs. */
#include "proto/hash.h"
#include "worker/cli/load.h"
#include "worker/solve/problem.h"
#include "worker/solve/solve.h"
#include "worker/space/space_internal.h"
#include "worker/view/view.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART_PROBES,
    PART_PLANES,
    PART_CHECKS,
    PART_MAPS,
    PART_SOLVES,
    PART_SNAPSHOTS,
    PARTS
};
static const char *const part_names[PARTS] = {"probes", "planes", "checks",
                                              "maps",   "solves", "snapshots"};
enum {
    TIGHT = 80
}; /* bytes a triangle: a quarter of what would be kept */
enum {
    COLUMNS = 48,
    ROWS = 32,
    PLANES = 64,
    PAIRS_MAX = 4096,
    ITEMS_MAX = 256,
    WIDTH = 320,
    HEIGHT = 240
};

typedef struct way {
    const char *isa;
    /* our own loops: as this machine can, else without vectors asked for */
    bool wide;
    unsigned threads;
    bool tight; /* too little memory to keep what can be made again */
} way;

/* ---- our vector widths: the linker leads the solver's calls, and the probes'
 * question, here ---- */
static bool wide;
bool __real_probe_lanes_wide(void);
bool __wrap_probe_lanes_wide(void);
bool __wrap_probe_lanes_wide(void)
{
    return wide && __real_probe_lanes_wide();
}
void __real_problem_descend(const solve_problem *p,
                            uint32_t iterations,
                            float pose[4][SOLVE_CANDIDATES]);
void __wrap_problem_descend(const solve_problem *p,
                            uint32_t iterations,
                            float pose[4][SOLVE_CANDIDATES]);
void __wrap_problem_descend(const solve_problem *p,
                            uint32_t iterations,
                            float pose[4][SOLVE_CANDIDATES])
{
    if (wide)
        __real_problem_descend(p, iterations, pose);
    else
        problem_descend_plain(p, iterations, pose);
}

/* ---- the items: each is computed by one thread, whichever, and has a hash of
 * its own ---- */
typedef struct bench {
    scene *scene;
    scene_camera camera;
    space_shared *shared;
    probe_shared *probes;
    unsigned threads, solves;
    atomic_uint valid;
    uint32_t count;
    etna_hash hash[ITEMS_MAX];
} bench;

typedef struct turn {
    bench *b;
    unsigned number;
} turn;

static _Noreturn void give_up(const etna_error *err)
{
    fprintf(stderr, "bits: %s\n", err->text);
    exit(4);
}

#define ADD(h, value) etna_hasher_add(h, &(value), sizeof(value))

static void add_text(etna_hasher *h, const char *text)
{
    etna_hasher_add(h, text, strlen(text) + 1);
}

static void add_plane(etna_hasher *h, const probe_plane *p)
{
    add_text(h, p->name);
    ADD(h, p->normal);
    ADD(h, p->origin);
    ADD(h, p->offset);
    ADD(h, p->area);
    etna_hasher_add(h, p->vertices, p->vertex_count * sizeof *p->vertices);
    etna_hasher_add(h, p->hull, p->hull_count * sizeof *p->hull);
    etna_hasher_add(h, p->triangles,
                    3 * (size_t)p->triangle_count * sizeof *p->triangles);
}

static void row_of_probes(const bench *b,
                          const space *sp,
                          uint32_t row,
                          etna_hasher *h,
                          etna_hasher *planes)
{
    double at[2 * COLUMNS];
    probe_hit hits[COLUMNS];
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    for (uint32_t i = 0; i < COLUMNS; i++) {
        at[2 * i] = (i + 0.5) / COLUMNS;
        at[2 * i + 1] = (row + 0.5) / ROWS;
    }
    if (probe_rays(b->probes, sp, &b->camera, at, COLUMNS, hits, &err) !=
        ETNA_OK)
        give_up(&err);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        ADD(h, hits[i].hit);
        if (!hits[i].hit)
            continue;
        ADD(h, hits[i].object);
        ADD(h, hits[i].face);
        ADD(h, hits[i].point);
        ADD(h, hits[i].normal);
        ADD(h, hits[i].plane_normal);
        add_text(h, hits[i].plane);
        probe_plane plane;
        if (i % 4 ||
            probe_plane_by_name(b->probes, sp, &b->camera, hits[i].plane,
                                &arena, &plane, &err) != ETNA_OK)
            continue;
        add_plane(planes, &plane);
    }
    etna_arena_free(&arena);
}

static void everything_checked(space *sp, etna_hasher *h)
{
    const space_rules rules = {0};
    space_check found = {0};
    space_support_state state;
    etna_error err = {0};
    if (space_check_all(sp, &rules, &found, &err) != ETNA_OK ||
        space_support_compute(sp, &rules, NULL, NULL, &state, &err) != ETNA_OK)
        give_up(&err);
    for (uint32_t i = 0; i < found.pair_count; i++) {
        ADD(h, found.pairs[i].a);
        ADD(h, found.pairs[i].b);
        ADD(h, found.pairs[i].depth);
        ADD(h, found.pairs[i].deeper);
    }
    etna_hasher_add(h, found.floating,
                    found.floating_count * sizeof *found.floating);
    etna_hasher_add(h, state.support, state.object_count);
    etna_hasher_add(h, state.gap, state.object_count * sizeof *state.gap);
    etna_hasher_add(h, state.edges, state.edge_count * sizeof *state.edges);
    space_support_free(&state);
    space_check_free(&found);
}

/* Object `number` of those that can be moved, onto whatever shows at a pixel of
 * its own. */
static void one_solve(bench *b,
                      space *sp,
                      uint32_t number,
                      etna_hasher *h,
                      etna_hasher *snapshots)
{
    uint32_t object = SCENE_NONE, movable = 0;
    for (uint32_t i = 0; i < b->scene->object_count; i++)
        movable += !b->scene->objects[i].is_static;
    if (movable == 0)
        return;
    uint32_t wanted = number % movable;
    for (uint32_t i = 0; i < b->scene->object_count && object == SCENE_NONE;
         i++)
        if (!b->scene->objects[i].is_static && wanted-- == 0)
            object = i;
    double x = 0.15 + 0.7 * (number * 37 % 101) / 101,
           y = 0.4 + 0.5 * (number * 53 % 97) / 97;
    char text[1024];
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list;
    solve_result r;
    snapshot base = {0}, after = {0};
    etna_error err = {0};
    snprintf(
        text, sizeof text,
        "[\"ObjectName\",\"%.200s\"],[\"CloseToPix\",\"down\",[%.4f,%.4f]],[\"Contact\",\"down\",\"ray:%.4f,%.4f\"],"
        "[\"NoOverhang\",\"down\",\"ray:%.4f,%.4f\",\"full_only\"]%s",
        b->scene->objects[object].name, x, y, x, y, x, y,
        number % 2 ? ",[\"FaceTo\",\"camera\"]" : "");
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.camera = &b->camera;
    request.seed = number;
    etna_code code = constraint_parse(text, strlen(text), &arena, &list, &err);
    if (code == ETNA_OK)
        code = solve_run(sp, b->probes, &request, &r, &err);
    /* nothing there to stand on: that too is the same everywhere */
    if (code != ETNA_OK) {
        add_text(h, err.text);
    } else {
        ADD(h, r.status);
        ADD(h, r.pose);
        ADD(h, r.loss);
        ADD(h, r.candidates);
        ADD(h, r.survivors);
        ADD(h, r.collision_checks);
        add_text(h, r.reason);
    }
    if (code == ETNA_OK && r.status == BRANCH_VALID) {
        atomic_fetch_add(&b->valid, 1);
        uint8_t *data = NULL;
        size_t size;
        etna_hash hash;
        if (snapshot_base(b->scene, &base, &err) != ETNA_OK ||
            snapshot_edit(&base, object, &r.pose, &after, &err) != ETNA_OK ||
            snapshot_encode(&after, &data, &size, &hash, &err) != ETNA_OK)
            give_up(&err);
        ADD(snapshots, hash);
        free(data);
    }
    snapshot_free(&base);
    snapshot_free(&after);
    etna_arena_free(&arena);
}

static void item(bench *b, space *sp, uint32_t i)
{
    uint32_t *ids;
    etna_hasher *h = etna_hasher_new(),
                *second = etna_hasher_new(); /* of planes, or of snapshots */
    etna_hash of_second;
    etna_error err = {0};
    if (!h || !second)
        exit(4);
    if (i < ROWS) {
        row_of_probes(b, sp, i, h, second);
    } else if (i == 2 * ROWS) {
        everything_checked(sp, h);
    } else if (i == 2 * ROWS + 1) {
        ids = malloc(sizeof *ids * WIDTH * HEIGHT);
        if (!ids)
            exit(4);
        scene_camera sized = view_camera_sized(&b->camera, WIDTH, HEIGHT);
        if (view_instance_map(sp, &sized, WIDTH, HEIGHT, ids, &err) != ETNA_OK)
            give_up(&err);
        etna_hasher_add(h, ids, sizeof *ids * WIDTH * HEIGHT);
        free(ids);
    } else if (i >= 2 * ROWS + 2) {
        one_solve(b, sp, i - 2 * ROWS - 2, h, second);
    }
    etna_hasher_end(second, &of_second);
    if (i < ROWS || i >= 2 * ROWS) {
        etna_hasher_end(h, &b->hash[i]);
    } else {
        etna_hash unused;
        etna_hasher_end(h, &unused);
    }
    if (i < ROWS)
        b->hash[ROWS + i] = of_second;
    if (i >= 2 * ROWS + 2)
        b->hash[i + b->solves] = of_second;
}

static void *work(void *context)
{
    const turn *t = context;
    space *sp = NULL;
    etna_error err = {0};
    if (space_new(t->b->shared, &sp, &err) != ETNA_OK)
        give_up(&err);
    for (uint32_t i = t->number; i < t->b->count; i += t->b->threads)
        item(t->b, sp, i);
    space_free(sp);
    return NULL;
}

static uint32_t part_of(const bench *b, uint32_t i)
{
    return i < ROWS            ? PART_PROBES
           : i < 2 * ROWS      ? PART_PLANES
           : i == 2 * ROWS     ? PART_CHECKS
           : i == 2 * ROWS + 1 ? PART_MAPS
           : i < b->count      ? PART_SOLVES
                               : PART_SNAPSHOTS;
}

static void compute(bench *b, const way *w, etna_hash ret[PARTS])
{
    etna_error err = {0};
    pthread_t threads[8];
    turn turns[8];
    wide = w->wide;
    b->threads = w->threads;
    atomic_store(&b->valid, 0);
    b->count = 2 * ROWS + 2 + b->solves;
    size_t triangles = 0;
    for (uint32_t m = 0; m < b->scene->mesh_count; m++)
        triangles += b->scene->meshes[m].triangle_count;
    space_bound_meshes(w->tight ? TIGHT * triangles : (size_t)4 << 30);
    if (space_share_with(b->scene, w->isa, &b->shared, &err) != ETNA_OK ||
        probe_share(b->scene, &b->probes, &err) != ETNA_OK)
        give_up(&err);
    for (unsigned i = 0; i < w->threads; i++) {
        turns[i] = (turn){b, i};
        if (pthread_create(&threads[i], NULL, work, &turns[i]) != 0)
            exit(4);
    }
    for (unsigned i = 0; i < w->threads; i++)
        pthread_join(threads[i], NULL);
    probe_shared_free(b->probes);
    space_shared_free(b->shared);
    for (uint32_t p = 0; p < PARTS; p++) {
        etna_hasher *h = etna_hasher_new();
        if (!h)
            exit(4);
        for (uint32_t i = 0; i < b->count + b->solves; i++)
            if (part_of(b, i) == p)
                ADD(h, b->hash[i]);
        etna_hasher_end(h, &ret[p]);
    }
}

/* ---- the ways ---- */
static uint32_t list_ways(bool full, way ret[128])
{
    static const char *const sets[4] = {"isa=sse2", "isa=avx", "isa=avx2",
                                        "isa=avx512"};
    __builtin_cpu_init();
    const bool here[4] = {true, __builtin_cpu_supports("avx"),
                          __builtin_cpu_supports("avx2"),
                          __builtin_cpu_supports("avx512f") &&
                              __builtin_cpu_supports("avx512vl") &&
                              __builtin_cpu_supports("avx512dq")};
    static const unsigned some[8] = {1, 1, 3, 2, 5, 8, 8, 4},
                          tight[4] = {3, 1, 8, 2};
    uint32_t n = 0;
    for (unsigned s = 0; s < 4; s++) {
        if (!here[s])
            printf("this machine has no %s: not compared\n", sets[s] + 4);
        for (unsigned v = 0; v < 2 && here[s]; v++)
            for (unsigned t = 1; t <= (full ? 8 : 1); t++)
                ret[n++] = (way){sets[s], v, full ? t : some[2 * s + v], false};
        if (here[s] && (full || s == 1))
            ret[n++] = (way){sets[s], true, tight[s], true};
    }
    if (!__builtin_cpu_supports("avx2"))
        printf("this machine has no AVX2: our loops have one width here\n");
    return n;
}

static int compare(const char *path, bool full)
{
    const scene_options options = scene_options_default();
    loaded_scene loaded = {0};
    etna_error err = {0};
    etna_hash first[PARTS], now[PARTS];
    way ways[128];
    uint32_t count = list_ways(full, ways);
    int differ = 0;
    if (load_scene(path, &options, NULL, &loaded, &err) != ETNA_OK)
        give_up(&err);
    bench b = {.scene = loaded.scene, .solves = full ? 24 : 6};
    if (view_choose_camera(loaded.space, NULL, 0, NULL, &b.camera, &err) !=
        ETNA_OK)
        give_up(&err);
    for (uint32_t i = 0; i < count; i++) {
        compute(&b, &ways[i], i ? now : first);
        for (uint32_t p = 0; i && p < PARTS; p++) {
            if (etna_hash_equal(&first[p], &now[p]))
                continue;
            printf("DIFFERENT: %s: %s with %s, %s, %u threads%s\n", path,
                   part_names[p], ways[i].isa, ways[i].wide ? "wide" : "plain",
                   ways[i].threads, ways[i].tight ? ", little memory" : "");
            differ = 1;
        }
    }
    printf("%s: %u ways, %u of %u solves found a place, %u probes:", path,
           count, atomic_load(&b.valid), b.solves, ROWS * COLUMNS);
    for (uint32_t p = 0; p < PARTS; p++) {
        char hex[65];
        etna_hash_hex(&first[p], hex);
        printf(" %s %.8s", part_names[p], hex);
    }
    printf("\n");
    load_scene_free(&loaded);
    return differ;
}

int main(int argc, char **argv)
{
    int differ = 0;
    if (argc < 3)
        return 2;
    for (int i = 2; i < argc; i++)
        differ |= compare(argv[i], strcmp(argv[1], "full") == 0);
    return differ;
}
