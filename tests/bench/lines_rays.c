/* Rays, planes grown from a probe, and snapshots restored. */
#include "tests/bench/rig.h"
#include "tests/support/scene_builder.h"
#include "worker/probe/probe_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RAYS = 1 << 17
};

/* ---- rays ---- */
typedef struct casting {
    rig rig;
    floor_embree *bare;
    space_ray *rays;
    space_hit *found;
    uint32_t hits, bare_hits;
} casting;

static void do_rays(void *context)
{
    casting *c = context;
    c->hits = space_cast_many(c->rig.space, c->rays, RAYS, c->found);
}

static void do_bare_rays(void *context)
{
    casting *c = context;
    c->bare_hits = floor_embree_cast(c->bare, c->rays, RAYS);
}

/* A place of the image each, in an order without order: as probes come. */
static void aim(casting *c, const char *path)
{
    FILE *f = fopen(path, "w");
    etna_random random = etna_random_from(1);
    if (!f)
        bench_die(path, "cannot be written");
    for (uint32_t i = 0; i < RAYS; i++) {
        space_ray *ray = &c->rays[i];
        camera_ray(&c->rig.scene->cameras[0], etna_random_unit(&random),
                   etna_random_unit(&random), &ray->origin, &ray->direction);
        ray->t_min = 1e-4;
        ray->t_max = INFINITY;
        ray->skip_object = ray->only_object = SCENE_NONE;
        vec3 o = v3_add(ray->origin, c->rig.scene->recentre),
             d = ray->direction;
        fprintf(f, "%.9g %.9g %.9g %.9g %.9g %.9g\n", o.x, o.y, o.z, d.x, d.y,
                d.z);
    }
    if (fclose(f))
        bench_die(path, "cannot be written");
}

void lines_rays(bench *b)
{
    static casting c;
    char note[120], repeats[16];
    if (!bench_wants(b, "rays"))
        return;
    const char *path = made_crowd(b), *list = bench_path(b, "rays.txt");
    rig_open(&c.rig, path);
    c.rays = calloc(RAYS, sizeof *c.rays);
    c.found = calloc(RAYS, sizeof *c.found);
    if (!c.rays || !c.found)
        bench_die("rays", "out of memory");
    aim(&c, list);
    snprintf(repeats, sizeof repeats, "%u", bench_peer_repeats(b));
    bench_peer(b, "blender", "blender_rays.py", 1,
               (const char *[]){path, list, repeats, NULL});
    c.bare = floor_embree_new(c.rig.scene);
    bench_row row = {
        .id = "rays",
        .work = "probe rays at once: object, exact point, normal; 20 instances",
        .unit = "M/s",
        .goal = 5,
        .at_least = true,
        .peer = "blender",
        .peer_printed = 0.113,
        .floor_printed = 19,
        .floor_is = "bare Embree, ray by ray",
        .triangles = c.rig.triangles};
    row.ours =
        bench_rate(bench_measure(b, BENCH_CORE, NULL, do_rays, &c), RAYS);
    row.floor =
        bench_rate(bench_measure(b, BENCH_CORE, NULL, do_bare_rays, &c), RAYS);
    snprintf(note, sizeof note, "%u rays, %u hit, Embree says %u", RAYS, c.hits,
             c.bare_hits);
    row.note = note;
    bench_add(b, &row);
    floor_embree_free(c.bare);
    free(c.found);
    free(c.rays);
    rig_close(&c.rig);
}

/* ---- planes ---- */
enum {
    SHEET_CELLS = 708
}; /* 2 * 708 * 708: 1,002,528 triangles */

typedef struct growing {
    scene *scene;
    space_shared *shared;
    space *space;
    probe_shared *probes;
    etna_arena arena;
    probe_plane plane;
    probe_adjacency adjacency;
    uint32_t *count;
    vec3 sum;
} growing;

/* what was grown before is remembered: a new one each time, its adjacency
 * there */
static void forget_plane(void *context)
{
    growing *g = context;
    etna_error err = {0};
    const probe_adjacency *adjacency;
    probe_shared_free(g->probes);
    etna_arena_free(&g->arena);
    g->arena = (etna_arena)ETNA_ARENA_INIT;
    rig_must(probe_share(g->scene, &g->probes, &err), &err);
    rig_must(probe_mesh_adjacency(g->probes, g->scene->parts[0].mesh,
                                  &adjacency, &err),
             &err);
}

static void do_plane(void *context)
{
    growing *g = context;
    etna_error err = {0};
    rig_must(probe_plane_at(g->probes, g->space, &g->scene->cameras[0], 0,
                            SHEET_CELLS * SHEET_CELLS, &g->arena, &g->plane,
                            &err),
             &err);
}

static void do_whole_plane(void *context)
{
    growing *g = context;
    etna_error err = {0};
    do_plane(g);
    rig_must(probe_plane_by_name(g->probes, g->space, &g->scene->cameras[0],
                                 g->plane.name, &g->arena, &g->plane, &err),
             &err);
}

static void
/* one pass over the triangles: a normal and a comparison each */
do_normals(void *context)
{
    growing *g = context;
    const scene_mesh *m = &g->scene->meshes[0];
    vec3 first = {0, 0, 1}, sum = {0, 0, 0};
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const float *q =
                m->position + 3 * (size_t)m->index[3 * t + (uint32_t)k];
            p[k] = v3((double)q[0], (double)q[1], (double)q[2]);
        }
        vec3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
        if (v3_dot(n, first) > 0.95 * v3_length(n))
            sum = v3_add(sum, n);
    }
    g->sum = sum;
}

static void forget_adjacency(void *context)
{
    growing *g = context;
    probe_adjacency_free(&g->adjacency);
    memset(&g->adjacency, 0, sizeof g->adjacency);
}

static void do_adjacency(void *context)
{
    growing *g = context;
    etna_error err = {0};
    rig_must(probe_adjacency_make(&g->scene->meshes[0], &g->adjacency, &err),
             &err);
}

/* edges to buckets by their lower vertex: the least that finds neighbours */
static void do_count_edges(void *context)
{
    growing *g = context;
    const scene_mesh *m = &g->scene->meshes[0];
    uint32_t *first = g->count, *edge = first + m->vertex_count + 1;
    memset(first, 0, sizeof *first * (m->vertex_count + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < m->triangle_count; t++)
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t p = m->index[3 * t + k],
                         q = m->index[3 * t + (k + 1) % 3], low = p < q ? p : q;
                if (pass) {
                    edge[first[low]++] = 3 * t + k;
                } else {
                    first[low]++;
                }
            }
        for (uint32_t v = 0, sum = 0; pass == 0 && v < m->vertex_count; v++) {
            uint32_t n = first[v];
            first[v] = sum;
            sum += n;
        }
    }
}

void lines_plane(bench *b)
{
    static const char *const id[] = {"plane.probe", "plane.adjacency",
                                     "plane.whole"};
    static growing g;
    char note[120];
    if (!bench_wants_any(b, id, 3))
        return;
    etna_error err = {0};
    scene_builder *made = scene_builder_new();
    scene_builder_object(made, "sheet",
                         scene_builder_sheet(made, 3, 3, SHEET_CELLS),
                         scene_builder_at(0, 0, 0, 0), true);
    scene_builder_camera(made, "camera", v3(0, -3, 2), v3(0, 0, 0));
    g.scene = scene_builder_scene(made);
    g.arena = (etna_arena)ETNA_ARENA_INIT;
    rig_must(space_share(g.scene, &g.shared, &err), &err);
    rig_must(space_new(g.shared, &g.space, &err), &err);
    g.count = malloc(sizeof *g.count *
                     (g.scene->meshes[0].vertex_count + 1 +
                      3 * (size_t)g.scene->meshes[0].triangle_count));
    if (!g.count)
        bench_die("plane", "out of memory");
    if (bench_wants(b, id[0])) {
        bench_row row = {
            .id = id[0],
            .work = "plane from a probe, 1 M triangles, all of them in it",
            .unit = "ms",
            .goal = 20,
            .triangles = made_triangles(g.scene),
            .floor_is = "a normal and a comparison a triangle, in file order"};
        row.ours = bench_measure(b, BENCH_CORE, forget_plane, do_plane, &g);
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_normals, &g);
        snprintf(
            note, sizeof note,
            "adjacency present, plane not grown before; %u triangles in it, counted",
            g.plane.triangle_count);
        row.note = note;
        bench_add(b, &row);
    }
    if (bench_wants(b, id[2])) {
        bench_row row = {
            .id = id[2],
            .work =
                "the same, then by its name, with every vertex and triangle",
            .unit = "ms",
            .triangles = made_triangles(g.scene),
            .floor_is = "a normal and a comparison a triangle, in file order"};
        row.ours =
            bench_measure(b, BENCH_CORE, forget_plane, do_whole_plane, &g);
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_normals, &g);
        snprintf(note, sizeof note, "as a solver asks; %u vertices",
                 g.plane.vertex_count);
        row.note = note;
        bench_add(b, &row);
    }
    if (bench_wants(b, id[1])) {
        bench_row row = {.id = id[1],
                         .work = "adjacency of 1 M triangles, as at import",
                         .unit = "ms",
                         .goal = 200,
                         .triangles = made_triangles(g.scene),
                         .floor_is = "a counting sort of its edges"};
        row.ours =
            bench_measure(b, BENCH_CORE, forget_adjacency, do_adjacency, &g);
        row.floor = bench_measure(b, BENCH_CORE, NULL, do_count_edges, &g);
        bench_add(b, &row);
    }
    forget_adjacency(&g);
    probe_shared_free(g.probes);
    etna_arena_free(&g.arena);
    free(g.count);
    space_free(g.space);
    space_shared_free(g.shared);
    scene_builder_free(made);
}

/* ---- snapshots ---- */
typedef struct restoring {
    rig rig;
    floor_embree *bare;
    snapshot snap;
    space_ray ray;
    double height;
} restoring;

static void lift(void *context)
{
    restoring *r = context;
    r->height = r->height > 0.05 ? 0.001 : r->height + 0.001;
    for (uint32_t i = 0; i < r->rig.scene->object_count; i++) {
        r->snap.poses[i] = scene_base_pose(&r->rig.scene->objects[i]);
        r->snap.poses[i].position[2] += r->height;
        r->snap.moved[i] = true;
    }
}

/* with what the first ray after it pays */
static void do_restore(void *context)
{
    restoring *r = context;
    etna_error err = {0};
    space_hit hit;
    rig_must(space_restore(r->rig.space, &r->snap, &err), &err);
    (void)space_cast(r->rig.space, &r->ray, &hit);
}

static void do_bare_restore(void *context)
{
    restoring *r = context;
    floor_embree_restore(r->bare, r->height);
}

void lines_restore(bench *b)
{
    static const struct {
        const char *id, *work, *file;
        unsigned objects, triangles;
        double goal, peer_printed;
    } rows[] = {{"restore.20", "snapshot restored, 20 objects, and a ray",
                 "r20.glb", 20, 300000, 0.5, 27},
                {"restore.2000", "snapshot restored, 2,000 objects, and a ray",
                 "r2000.glb", 2000, 2000000, 3, 0}};
    for (size_t i = 0; i < 2; i++) {
        if (!bench_wants(b, rows[i].id))
            continue;
        static restoring r;
        etna_error err = {0};
        char repeats[16];
        const char *path = made_large(b, rows[i].file, rows[i].objects,
                                      rows[i].triangles, "shared");
        rig_open(&r.rig, path);
        rig_must(snapshot_base(r.rig.scene, &r.snap, &err), &err);
        r.ray = (space_ray){{0.1, 0.1, 5}, {0.01, 0.02, -1}, 0,
                            INFINITY,      SCENE_NONE,       SCENE_NONE};
        snprintf(repeats, sizeof repeats, "%u", 3 * bench_peer_repeats(b));
        bench_peer(
            b, "blender", "blender_reopen.py", 1,
            (const char *[]){rows[i].id, path,
                             bench_path(b, rows[i].objects > 20 ? "many.blend"
                                                                : "few.blend"),
                             repeats, NULL});
        bench_row row = {.id = rows[i].id,
                         .work = rows[i].work,
                         .unit = "ms",
                         .goal = rows[i].goal,
                         .peer = "blender",
                         .peer_printed = rows[i].peer_printed,
                         .triangles = r.rig.triangles,
                         .floor_is =
                             "bare Embree: instances moved and committed",
                         .note = "the peer reopens a .blend of the scene"};
        row.ours = bench_measure(b, BENCH_CORE, lift, do_restore, &r);
        r.bare = floor_embree_new(r.rig.scene);
        row.floor = bench_measure(b, BENCH_CORE, lift, do_bare_restore, &r);
        bench_add(b, &row);
        floor_embree_free(r.bare);
        snapshot_free(&r.snap);
        rig_close(&r.rig);
    }
}
