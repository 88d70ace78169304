/* Makes the pairs that run_blender.sh holds against Blender's exact boolean:
 * two real models, one slid onto the other along a random direction until their
 * triangles meet and then further by a random depth around the threshold of
 * METHODS.md 6.
 *
 *   pairs COUNT SEED CLOSED < PATHS > one JSON document a line
 *
 * with where both stand (triangles, metres), whether both are closed, the
 * threshold, our depth and verdict, and the directions along which depth is
 * measured. CLOSED 1: only of closed models. Models are taken from PATHS by the
 * seed. */
#include "proto/seed.h"
#include "tests/support/scene_builder.h"
#include "worker/cli/load.h"
#include "worker/space/space_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODELS_MAX = 2000,
    TRIANGLES_MAX = 1500,
    TRIES_MAX = 200,
    DIRECTIONS = 40
};

typedef struct model {
    char *path;
    float *position; /* nine a triangle; NULL: not read yet */
    uint32_t triangles;
    bool bad, closed;
} model;
static model models[MODELS_MAX];
static uint32_t model_count;

static _Noreturn void give_up(const etna_error *err)
{
    fprintf(stderr, "pairs: %s\n", err->text);
    exit(4);
}

/* The whole file as one object. */
static void take_triangles(model *m, const scene *s)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < s->part_count; p++)
        count += s->meshes[s->parts[p].mesh].triangle_count;
    m->bad = count == 0 || count > TRIANGLES_MAX;
    m->position =
        m->bad ? NULL : malloc((size_t)count * 9 * sizeof *m->position);
    for (uint32_t p = 0; p < s->part_count && m->position; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        for (uint32_t i = 0; i < mesh->triangle_count * 3; i++) {
            uint32_t k = s->parts[p].flipped ? i - i % 3 + 2 - i % 3 : i;
            const float *at = mesh->position + 3 * (size_t)mesh->index[k];
            vec3 to =
                affine_point(&s->parts[p].to_world,
                             v3((double)at[0], (double)at[1], (double)at[2]));
            const float out[3] = {(float)to.x, (float)to.y, (float)to.z};
            memcpy(m->position + 9 * (size_t)m->triangles + 3 * (i % 3), out,
                   sizeof out);
            m->triangles += i % 3 == 2;
        }
    }
}

/* Closed for a boolean: each edge is of exactly two triangles, which walk it in
 * opposite ways. */
static bool is_manifold(const scene *s, uint32_t object)
{
    shape *sh = NULL;
    uint32_t *first = NULL, edge = 0;
    weld_edge *edges = NULL;
    etna_error err = {0};
    if (shape_build(s, object, &sh, &err) != ETNA_OK)
        give_up(&err);
    bool good = sh->closed && weld_edges(sh->index, sh->triangle_count,
                                         sh->vertex_count, &first, &edges);
    for (uint32_t low = 0; good && low < sh->vertex_count; low++) {
        for (edge = first[low]; good && edge < first[low + 1]; edge += 2) {
            good = edge + 1 < first[low + 1] &&
                   edges[edge].high == edges[edge + 1].high &&
                   (edge + 2 >= first[low + 1] ||
                    edges[edge + 2].high != edges[edge].high) &&
                   sh->index[edges[edge].corner] !=
                       sh->index[edges[edge + 1].corner];
        }
    }
    free(first);
    free(edges);
    shape_free(sh);
    return good;
}

static bool read_model(model *m)
{
    const scene_options options = scene_options_default();
    loaded_scene loaded = {0};
    etna_error err = {0};
    if (m->position || m->bad)
        return !m->bad;
    m->bad = load_scene_only(m->path, &options, &loaded, &err) != ETNA_OK;
    if (!m->bad)
        take_triangles(m, loaded.scene);
    load_scene_free(&loaded);
    return !m->bad;
}

static uint32_t add_object(scene_builder *b, const char *name, const model *m)
{
    uint32_t *index = malloc((size_t)m->triangles * 3 * sizeof *index);
    if (!index)
        exit(4);
    for (uint32_t i = 0; i < 3 * m->triangles; i++)
        index[i] = i;
    uint32_t mesh = scene_builder_mesh(b, m->position, 3 * m->triangles, index,
                                       m->triangles);
    free(index);
    return scene_builder_object(b, name, mesh, scene_builder_at(0, 0, 0, 0),
                                false);
}

static double least_side(const scene_object *o)
{
    vec3 h = o->box.half;
    return 2 * fmin(h.x, fmin(h.y, h.z));
}

/* METHODS.md 6, written once more. */
static double threshold_of(const scene *s)
{
    double a = least_side(&s->objects[0]), b = least_side(&s->objects[1]);
    if (a < 0.001)
        a = b;
    if (b < 0.001)
        b = a;
    return fmax(0.0005, fmin(0.01, fmin(a, b) / 4));
}

static uint32_t directions_of(space *sp, vec3 ret[DIRECTIONS])
{
    vec3 axis[2][3], normal[2] = {{0, 0, 0}, {0, 0, 0}};
    uint32_t n = 0;
    etna_error err = {0};
    for (uint32_t o = 0; o < 2; o++) {
        double s, c,
            yaw = scene_box_at(&space_scene(sp)->objects[o], space_pose(sp, o))
                      .yaw;
        math_sincos(yaw, &s, &c);
        axis[o][0] = v3(c, s, 0);
        axis[o][1] = v3(-s, c, 0);
        axis[o][2] = v3(0, 0, 1);
        for (int k = 0; k < 3; k++)
            ret[n++] = axis[o][k];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ret[n++] = v3_cross(axis[0][i], axis[1][k]);
    if (cut_normals(sp, 0, 1, &normal[0], &normal[1], &err) != ETNA_OK)
        give_up(&err);
    ret[n++] = normal[0];
    ret[n++] = normal[1];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        double length = v3_length(ret[i]);
        bool known = length < 1e-6;
        for (uint32_t k = 0; k < kept && !known; k++)
            known = v3_length(v3_cross(ret[k], ret[i])) < 1e-6 * length;
        if (!known)
            ret[kept++] = v3_scale(ret[i], 1 / length);
    }
    for (uint32_t i = 0; i < kept; i++)
        ret[kept + i] = v3_scale(ret[i], -1);
    return 2 * kept;
}

static void print_object(const char *key, const object_state *p)
{
    printf(",\"%s\":{\"vertex\":[", key);
    for (uint32_t i = 0; i < p->shape->vertex_count; i++)
        printf("%s%.9g,%.9g,%.9g", i ? "," : "", p->vertex[i].x, p->vertex[i].y,
               p->vertex[i].z);
    printf("],\"index\":[");
    for (uint32_t i = 0; i < 3 * p->shape->triangle_count; i++)
        printf("%s%u", i ? "," : "", p->shape->index[i]);
    printf("]}");
}

static void print_pair(space *sp,
                       const model *a,
                       const model *b,
                       double wanted,
                       const space_pair *pair)
{
    vec3 direction[DIRECTIONS];
    object_state *pa = NULL, *pb = NULL;
    etna_error err = {0};
    uint32_t count = directions_of(sp, direction);
    if (space_posed(sp, 0, &pa, &err) != ETNA_OK ||
        space_posed(sp, 1, &pb, &err) != ETNA_OK)
        give_up(&err);
    printf(
        "{\"names\":[\"%s\",\"%s\"],\"closed\":[%d,%d],\"threshold\":%.9g,\"wanted\":%.9g,\"depth\":%.9g,\"deeper\":%s,\"collides\":%s,"
        "\"directions\":[",
        a->path, b->path, a->closed, b->closed, threshold_of(space_scene(sp)),
        wanted, pair->depth, pair->deeper ? "true" : "false",
        pair->collides ? "true" : "false");
    for (uint32_t i = 0; i < count; i++)
        printf("%s[%.17g,%.17g,%.17g]", i ? "," : "", direction[i].x,
               direction[i].y, direction[i].z);
    printf("]");
    print_object("a", pa);
    print_object("b", pb);
    printf("}\n");
}

/* Beside b in a random direction, slid back until they meet, and further.
 * False: they passed by each other. */
static bool slide(space *sp, etna_random *r, double *ret_wanted)
{
    const scene *s = space_scene(sp);
    const scene_object *a = &s->objects[0], *b = &s->objects[1];
    static const vec3 ways[5] = {
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
    vec3 to = ways[etna_random_below(r, 5)];
    if (etna_random_below(r, 2))
        to = v3_normal(v3(etna_random_unit(r) - 0.5, etna_random_unit(r) - 0.5,
                          etna_random_unit(r) - 0.3));
    arrange_pose pose = scene_base_pose(a);
    etna_error err = {0};
    double far = v3_length(a->box.half) + v3_length(b->box.half) + 0.01,
           way = 0;
    uint32_t other = SCENE_NONE;
    pose.yaw += etna_random_below(r, 3) ? etna_random_unit(r) * 6.28 : 0;
    double shift[3] = {b->box.half.x * (etna_random_unit(r) - 0.5),
                       b->box.half.y * (etna_random_unit(r) - 0.5),
                       b->box.half.z * (etna_random_unit(r) - 0.5)};
    pose.position[0] = b->box.centre.x + shift[0] + to.x * far;
    pose.position[1] = b->box.centre.y + shift[1] + to.y * far;
    pose.position[2] = b->box.centre.z + shift[2] + to.z * far;
    if (space_move(sp, 0, &pose, &err) != ETNA_OK ||
        space_sweep(sp, 0, v3_scale(to, -1), 2 * far, &way, &other, &err) !=
            ETNA_OK)
        give_up(&err);
    if (other == SCENE_NONE)
        return false;
    *ret_wanted = etna_random_unit(r) * (2 * threshold_of(s) + 0.003);
    way += *ret_wanted;
    pose.position[0] -= to.x * way;
    pose.position[1] -= to.y * way;
    pose.position[2] -= to.z * way;
    if (space_move(sp, 0, &pose, &err) != ETNA_OK)
        give_up(&err);
    return true;
}

static bool try_pair(model *a, model *b, etna_random *r, bool closed)
{
    scene_builder *builder = scene_builder_new();
    space_shared *shared = NULL;
    space *sp = NULL;
    space_pair pair;
    etna_error err = {0};
    double wanted = 0;
    add_object(builder, "a", a);
    add_object(builder, "b", b);
    scene *s = scene_builder_scene(builder);
    if (space_share(s, &shared, &err) != ETNA_OK ||
        space_new(shared, &sp, &err) != ETNA_OK)
        give_up(&err);
    a->closed = is_manifold(s, 0);
    b->closed = is_manifold(s, 1);
    bool good = (!closed || (a->closed && b->closed)) && slide(sp, r, &wanted);
    if (good) {
        if (space_pair_check(sp, 0, 1, NULL, true, &pair, &err) != ETNA_OK)
            give_up(&err);
        print_pair(sp, a, b, wanted, &pair);
    }
    if (closed && !a->closed)
        a->bad = true; /* not asked again */
    if (closed && !b->closed)
        b->bad = true;
    space_free(sp);
    space_shared_free(shared);
    scene_builder_free(builder);
    return good;
}

int main(int argc, char **argv)
{
    char line[4096];
    if (argc != 4)
        return 2;
    uint32_t wanted = (uint32_t)strtoul(argv[1], NULL, 10), made = 0;
    etna_random random = etna_random_from(strtoull(argv[2], NULL, 10));
    bool closed = argv[3][0] == '1';
    while (model_count < MODELS_MAX && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strpbrk(line, "\"\\") && (models[model_count].path = strdup(line)))
            model_count++;
    }
    for (uint32_t tries = 0;
         model_count > 0 && made < wanted && tries < TRIES_MAX * wanted;
         tries++) {
        model *a = &models[etna_random_below(&random, model_count)],
              *b = &models[etna_random_below(&random, model_count)];
        if (a != b && read_model(a) && read_model(b))
            made += try_pair(a, b, &random, closed);
    }
    for (uint32_t i = 0; i < model_count; i++) {
        free(models[i].position);
        free(models[i].path);
    }
    return made == wanted ? 0 : 1;
}
