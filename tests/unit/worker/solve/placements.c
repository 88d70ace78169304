#include "tests/unit/worker/solve/placements.h"

#include "worker/gltf/bundle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODELS_MAX = 64,
    SLOTS_MAX = 200,
    TRIES = 12
};
#define GAP 0.004

static const char *const files[] = {"armchair",
                                    "armchair_pillows",
                                    "bed_single_A",
                                    "book_set",
                                    "book_single",
                                    "cabinet_medium",
                                    "cabinet_medium_decorated",
                                    "cabinet_small",
                                    "cabinet_small_decorated",
                                    "cactus_medium_A",
                                    "cactus_medium_B",
                                    "cactus_small_A",
                                    "cactus_small_B",
                                    "chair_A",
                                    "chair_B",
                                    "chair_C",
                                    "chair_stool",
                                    "couch",
                                    "couch_pillows",
                                    "lamp_standing",
                                    "lamp_table",
                                    "pictureframe_standing_A",
                                    "pillow_A",
                                    "pillow_B",
                                    "table_low",
                                    "table_medium",
                                    "table_small",
                                    "shelf_A_big",
                                    "shelf_B_large_decorated"};

/* Z up, its box's middle over the origin, its foot at 0 */
typedef struct model {
    float *position;
    uint32_t *index;
    uint32_t vertices, triangles;
    double wide, deep, high;
} model;

struct placement_models {
    uint32_t count;
    bool real;
    model items[MODELS_MAX];
};

static void *room_for(size_t size)
{
    void *p = malloc(size + 1);
    if (!p)
        abort();
    return p;
}

static void add_model(placement_models *models, const scene *s)
{
    model *m = &models->items[models->count];
    *m = (model){0};
    for (uint32_t k = 0; k < s->part_count; k++) {
        m->vertices += s->meshes[s->parts[k].mesh].vertex_count;
        m->triangles += s->meshes[s->parts[k].mesh].triangle_count;
    }
    m->position = room_for(3 * sizeof(float) * m->vertices);
    m->index = room_for(3 * sizeof(uint32_t) * m->triangles);
    uint32_t v = 0, t = 0;
    vec3 low = v3(INFINITY, INFINITY, INFINITY),
         high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t k = 0; k < s->part_count; k++) {
        const scene_mesh *mesh = &s->meshes[s->parts[k].mesh];
        for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
            m->index[3 * t + i] = mesh->index[i] + v;
        t += mesh->triangle_count;
        for (uint32_t i = 0; i < mesh->vertex_count; i++, v++) {
            const float *q = mesh->position + 3 * i;
            vec3 at =
                affine_point(&s->parts[k].to_world,
                             v3((double)q[0], (double)q[1], (double)q[2]));
            low = v3_min(low, at);
            high = v3_max(high, at);
            m->position[3 * v] = (float)at.x;
            m->position[3 * v + 1] = (float)at.y;
            m->position[3 * v + 2] = (float)at.z;
        }
    }
    m->wide = high.x - low.x;
    m->deep = high.y - low.y;
    m->high = high.z - low.z;
    for (uint32_t i = 0; i < m->vertices; i++) {
        m->position[3 * i] -= (float)((low.x + high.x) / 2);
        m->position[3 * i + 1] -= (float)((low.y + high.y) / 2);
        m->position[3 * i + 2] -= (float)low.z;
    }
    if (m->triangles > 0 && m->wide > 0 && m->deep > 0 && m->high > 0) {
        models->count++;
        return;
    }
    free(m->position);
    free(m->index);
}

static void add_file(placement_models *models, const char *path)
{
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size;
    scene *s = NULL;
    if (bundle_read(path, &options, &bundle, &size, NULL) == ETNA_OK &&
        scene_import(bundle, size, &s, NULL) == ETNA_OK)
        add_model(models, s);
    scene_free(s);
    free(bundle);
}

static void add_solids(placement_models *models)
{
    for (int i = 0; i < 6; i++) {
        scene_builder *b = scene_builder_new();
        uint32_t mesh = i == 0   ? scene_builder_box(b, 0.3, 0.2, 0.2)
                        : i == 1 ? scene_builder_cylinder(b, 0.1, 0.25, 24)
                        : i == 2
                            ? scene_builder_cup(b, 0.08, 0.1, 0.2, 0.02, 24)
                        : i == 3 ? scene_builder_bowl(b, 0.09, 0.1, 12)
                        : i == 4 ? scene_builder_sphere(b, 0.1, 12)
                                 : scene_builder_box(b, 0.1, 0.3, 0.05);
        scene_builder_object(b, "solid", mesh, scene_builder_at(0, 0, 0, 0),
                             false);
        add_model(models, scene_builder_scene(b));
        scene_builder_free(b);
    }
}

placement_models *placement_models_load(const char *data)
{
    placement_models *models = calloc(1, sizeof *models);
    if (!models)
        abort();
    for (size_t i = 0; data && i < sizeof files / sizeof files[0]; i++) {
        char path[2048];
        snprintf(path, sizeof path, "%s/assets/kaykit_furniture/%s.gltf", data,
                 files[i]);
        add_file(models, path);
    }
    models->real = models->count > 0;
    if (!models->real)
        add_solids(models);
    return models;
}

void placement_models_free(placement_models *models)
{
    for (uint32_t i = 0; i < models->count; i++) {
        free(models->items[i].position);
        free(models->items[i].index);
    }
    free(models);
}

uint32_t placement_models_count(const placement_models *models, bool *ret_real)
{
    *ret_real = models->real;
    return models->count;
}

/* ---- a table in rows ---- */
static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

typedef struct slot {
    uint32_t model;
    double x, y, wide, deep, scale, yaw; /* wide and deep as it stands */
} slot;

typedef struct layout {
    double x, y, z;
    slot slots[SLOTS_MAX];
    uint32_t count;
} layout;

/* One more in the row, as deep as the row; false when nothing that was drawn
 * fits. */
static bool add_slot(const placement_models *models,
                     etna_random *r,
                     layout *l,
                     double *x,
                     double y,
                     double deep)
{
    for (int i = 0; i < TRIES && l->count < SLOTS_MAX; i++) {
        uint32_t k = (uint32_t)etna_random_below(r, models->count);
        const model *m = &models->items[k];
        bool turned = etna_random_below(r, 2);
        double scale = (deep - GAP) / (turned ? m->wide : m->deep),
               wide = scale * (turned ? m->deep : m->wide);
        if (*x + wide + GAP > l->x / 2 || scale * m->high > 0.6 || wide > 0.6 ||
            wide < 0.03)
            continue;
        l->slots[l->count++] =
            (slot){k,     *x + (wide + GAP) / 2, y + deep / 2, wide, deep - GAP,
                   scale, turned ? 90 : 0};
        *x += wide + GAP;
        return true;
    }
    return false;
}

static void fill_table(const placement_models *models,
                       etna_random *r,
                       layout *l)
{
    l->x = between(r, 0.7, 1.4);
    l->y = between(r, 0.45, 0.8);
    l->z = between(r, 0.3, 0.8);
    for (double y = -l->y / 2; l->y / 2 - y >= 0.08;) {
        double left = l->y / 2 - y, deep = between(r, 0.1, 0.2), x = -l->x / 2;
        if (left < 0.24)
            deep = left;
        while (add_slot(models, r, l, &x, y, deep))
            continue;
        y += deep;
    }
}

static void remove_slot(layout *l, uint32_t i)
{
    l->slots[i] = l->slots[--l->count];
}

static double covered(const layout *l)
{
    double sum = 0;
    for (uint32_t i = 0; i < l->count; i++)
        sum += l->slots[i].wide * l->slots[i].deep;
    return sum / (l->x * l->y);
}

static uint32_t add_mesh(scene_builder *b, const model *m, double scale)
{
    float *position = room_for(3 * sizeof(float) * m->vertices);
    for (uint32_t i = 0; i < 3 * m->vertices; i++)
        position[i] = (float)scale * m->position[i];
    uint32_t mesh =
        scene_builder_mesh(b, position, m->vertices, m->index, m->triangles);
    free(position);
    return mesh;
}

static bool open_scene(placement *p, etna_error *err)
{
    p->scene = scene_builder_scene(p->builder);
    return space_share(p->scene, &p->shared, err) == ETNA_OK &&
           space_new(p->shared, &p->space, err) == ETNA_OK &&
           probe_share(p->scene, &p->probes, err) == ETNA_OK;
}

bool placement_holds(placement *p, const arrange_pose *pose)
{
    space_rules rules = {0};
    space_pair pair;
    space_support_state start = {0}, now = {0};
    uint32_t count = 1, broken, n = p->scene->object_count;
    arrange_pose before = *space_pose(p->space, p->guest);
    bool *moved = calloc(n, sizeof *moved);
    bool good = moved && space_support_compute(p->space, &rules, NULL, NULL,
                                               &start, NULL) == ETNA_OK;
    if (moved)
        moved[p->guest] = true;
    good = good && space_move(p->space, p->guest, pose, NULL) == ETNA_OK &&
           space_collisions(p->space, p->guest, &rules, &pair, 1, &count,
                            NULL) == ETNA_OK &&
           count == 0 &&
           space_support_compute(p->space, &rules, &start, NULL, &now, NULL) ==
               ETNA_OK &&
           space_support_broken(&start, &now, moved, &broken, 1) == 0;
    space_move(p->space, p->guest, &before, NULL);
    space_support_free(&start);
    space_support_free(&now);
    free(moved);
    return good;
}

/* One draw; false without a text when its place is not free after all. */
static bool draw(const placement_models *models,
                 etna_random *r,
                 placement *p,
                 etna_error *err)
{
    layout l = {0};
    fill_table(models, r, &l);
    double target = between(r, 0.5, 0.97);
    if (l.count < 4)
        return false;
    uint32_t chosen = (uint32_t)etna_random_below(r, l.count);
    slot place = l.slots[chosen];
    remove_slot(&l, chosen);
    while (covered(&l) > target)
        remove_slot(&l, (uint32_t)etna_random_below(r, l.count));
    p->full = covered(&l);
    if (p->full < 0.5)
        return false;
    scene_builder *b = p->builder = scene_builder_new();
    scene_builder_object(b, "floor", scene_builder_box(b, 6, 6, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_camera(b, "camera", v3(0, -2.2, 2), v3(0, 0, 0.4));
    scene_builder_object(b, "table", scene_builder_box(b, l.x, l.y, l.z),
                         scene_builder_at(0, 0, l.z / 2, 0), false);
    for (uint32_t i = 0; i < l.count; i++) {
        char name[32];
        const slot *s = &l.slots[i];
        snprintf(name, sizeof name, "thing %u", i);
        scene_builder_object(b, name,
                             add_mesh(b, &models->items[s->model], s->scale),
                             scene_builder_at(s->x, s->y, l.z, s->yaw), false);
    }
    double yaw = etna_random_below(r, 2) ? place.yaw : between(r, 0, 360);
    scene_builder_object(b, "guest",
                         add_mesh(b, &models->items[place.model], place.scale),
                         scene_builder_at(1.6, 0.3, 0, yaw), false);
    if (!open_scene(p, err))
        return false;
    p->guest = scene_find_object(p->scene, "guest");
    const arrange_pose *stands = space_pose(p->space, p->guest);
    p->known =
        (arrange_pose){{place.x, place.y, stands->position[2] + l.z + 1e-4},
                       stands->yaw + (place.yaw - yaw) * (MATH_PI / 180)};
    double x, y, depth;
    vec3 pixel =
        v3(between(r, -0.45, 0.45) * l.x, between(r, -0.45, 0.45) * l.y, l.z);
    camera_project(&p->scene->cameras[0], pixel, &x, &y, &depth);
    const char *text = etna_arena_printf(
        &p->arena,
        "[\"ObjectName\",\"guest\"],[\"CloseToPix\",\"down\",[%.4f,%.4f]],"
        "[\"Contact\",\"down\",\"table_up\"],[\"NoOverhang\",\"down\",\"table_up\",\"full_only\"]",
        x, y);
    return text &&
           constraint_parse(text, strlen(text), &p->arena, &p->constraints,
                            err) == ETNA_OK &&
           placement_holds(p, &p->known);
}

bool placement_make(const placement_models *models,
                    uint64_t number,
                    placement *ret,
                    etna_error *err)
{
    etna_random r = etna_random_from(1000 + number);
    for (int i = 0; i < 100; i++) {
        *ret = (placement){.arena = ETNA_ARENA_INIT};
        if (draw(models, &r, ret, err))
            return true;
        placement_free(ret);
    }
    return false;
}

void placement_free(placement *p)
{
    probe_shared_free(p->probes);
    space_free(p->space);
    space_shared_free(p->shared);
    scene_builder_free(p->builder);
    etna_arena_free(&p->arena);
}

bool placement_solve(const placement *p,
                     bool paper,
                     double (*clock_ms)(void),
                     solve_result *ret,
                     etna_error *err)
{
    solve_request request = solve_request_default();
    request.constraints = &p->constraints;
    request.camera = &p->scene->cameras[0];
    request.seed = 1;
    request.paper_solver = paper;
    request.clock_ms = clock_ms;
    return solve_run(p->space, p->probes, &request, ret, err) == ETNA_OK;
}
