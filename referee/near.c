/* See near.h. */
#include "referee/near.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIAN (3.14159265358979323846 / 180)

enum {
    SHIFTS = NEAR_WAYS - 2,
    HALVINGS = 16,
    HEAD_BYTES = 20, /* of a GLB: its own head, and that of its JSON */
    FILE_MOST = 1 << 30
};

static const double reach_m = 3, reach_deg = 180;

/* ---- what the step moved ---- */

/* A node with all below it is moved as one. */
static void moved_find(near_step *n)
{
    const extent about = {{-10, -10, -10}, {10, 10, 10}};
    for (size_t i = 0; i < n->now->node_count; i++) {
        const gltf_node *now = &n->now->nodes[i];
        const gltf_node *before = &n->before->nodes[i];
        n->is_moved[i] =
            now->root != SIZE_MAX &&
            !motion_same(&now->world, &before->world, &about, 1e-4);
    }
}

bool near_begin(const near_step *how, near_step *ret)
{
    if (how->now->node_count != how->before->node_count)
        return false;
    *ret = *how;
    ret->is_moved = calloc(how->now->node_count + 1, sizeof *ret->is_moved);
    if (ret->is_moved)
        moved_find(ret);
    return ret->is_moved != NULL;
}

void near_end(near_step *n)
{
    free(n->is_moved);
    n->is_moved = NULL;
}

/* ---- where the verdict turns ---- */

etna_code near_margin(const near_step *n,
                      double *ret,
                      bool *ret_in_degrees,
                      etna_error *err)
{
    const stage on = {n->scene, n->start, n->before, n->now};
    *ret = INFINITY;
    for (uint32_t i = 0; i < n->step->after_count; i++) {
        const predicate *p = &n->step->after[i];
        measure m;
        etna_code code = measure_predicate(&on, p, &m, err);
        if (code)
            return code;
        if (m.margin >= *ret)
            continue;
        *ret = m.margin;
        *ret_in_degrees =
            p->kind == PREDICATE_FACING || p->kind == PREDICATE_TURNED;
    }
    return ETNA_OK;
}

static point moved_middle(const near_step *n)
{
    extent e = extent_empty();
    for (size_t i = 0; i < n->now->node_count; i++) {
        if (n->is_moved[i])
            extent_grow(&e, n->now->nodes[i].world.t);
    }
    return extent_middle(&e);
}

/* By metres along one of ten ways, or by degrees about its own middle. */
static motion way_motion(const near_step *n, int way, double by)
{
    static const double half = 0.70710678118654752;
    const double ways[SHIFTS][3] = {
        {1, 0, 0},        {-1, 0, 0},       {0, 1, 0},       {0, -1, 0},
        {0, 0, 1},        {0, 0, -1},       {half, half, 0}, {-half, half, 0},
        {half, -half, 0}, {-half, -half, 0}};
    motion m = motion_identity();
    if (way < SHIFTS) {
        m.t = (point){by * ways[way][0], by * ways[way][1], by * ways[way][2]};
        return m;
    }
    double yaw = (way == SHIFTS ? by : -by) * RADIAN;
    point middle = moved_middle(n);
    m.m[0][0] = m.m[1][1] = cos(yaw);
    m.m[0][1] = -sin(yaw);
    m.m[1][0] = sin(yaw);
    m.t = point_less(middle, motion_apply(&m, middle));
    return m;
}

static etna_code shifted_margin(near_step *n,
                                const motion *by,
                                double *ret,
                                bool *ret_in_degrees,
                                etna_error *err)
{
    gltf_node *nodes = n->now->nodes;
    size_t count = n->now->node_count;
    motion *kept = calloc(count + 1, sizeof *kept);
    if (!kept)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a near miss");
    for (size_t i = 0; i < count; i++) {
        kept[i] = nodes[i].world;
        if (n->is_moved[i])
            nodes[i].world = motion_after(by, &nodes[i].world);
    }
    etna_code code = near_margin(n, ret, ret_in_degrees, err);
    for (size_t i = 0; i < count; i++)
        nodes[i].world = kept[i];
    free(kept);
    return code;
}

static etna_code way_margin(near_step *n,
                            int way,
                            double at,
                            double *ret,
                            bool *ret_in_degrees,
                            etna_error *err)
{
    const motion by = way_motion(n, way, at);
    return shifted_margin(n, &by, ret, ret_in_degrees, err);
}

/* How far along the way the verdict turns; INFINITY: it does not within
 * reach. */
static etna_code way_turn(near_step *n, int way, double *ret, etna_error *err)
{
    const double reach = way < SHIFTS ? reach_m : reach_deg;
    double low = 0;
    double high = way < SHIFTS ? 0.001 : 0.1;
    double margin = 0;
    bool any;
    etna_code code = way_margin(n, way, high, &margin, &any, err);
    while (!code && margin >= 0 && high < reach) {
        low = high;
        high *= 2;
        code = way_margin(n, way, high, &margin, &any, err);
    }
    *ret = high < reach ? high : INFINITY;
    for (int i = 0; !code && isfinite(*ret) && i < HALVINGS; i++) {
        double middle = (low + *ret) / 2;
        code = way_margin(n, way, middle, &margin, &any, err);
        if (margin >= 0)
            low = middle;
        else
            *ret = middle;
    }
    return code;
}

etna_code near_find(
    near_step *n, int way, near_miss *ret, bool *ret_found, etna_error *err)
{
    const bool is_shift = way < SHIFTS;
    const double past = is_shift ? n->past_m : n->past_deg;
    double at = INFINITY, back = -1;
    bool in_degrees = false, any;
    *ret_found = false;
    etna_code code = way_turn(n, way, &at, err);
    if (code || !isfinite(at))
        return code;
    ret->by = way_motion(n, way, at + past);
    code = shifted_margin(n, &ret->by, &ret->margin, &in_degrees, err);
    /* a shift's margin is in metres, a turn's in degrees */
    bool is_near = !code && ret->margin < 0 && -ret->margin <= 2 * past;
    if (!is_near || in_degrees == is_shift)
        return code;
    /* brought back by twice the margin it is done */
    double to = at + past + 2 * ret->margin;
    if (to >= 0)
        code = way_margin(n, way, to, &back, &any, err);
    *ret_found = !code && (to < 0 || back >= 0);
    return code;
}

/* ---- as a file ---- */

/* Row by row, the last column where it is put. */
static json_t *matrix_json(const motion *m)
{
    return json_pack("[f,f,f,f, f,f,f,f, f,f,f,f, f,f,f,f]", m->m[0][0],
                     m->m[1][0], m->m[2][0], 0.0, m->m[0][1], m->m[1][1],
                     m->m[2][1], 0.0, m->m[0][2], m->m[1][2], m->m[2][2], 0.0,
                     m->t.x, m->t.y, m->t.z, 1.0);
}

/* Where it stands in its parent after `by`. The parent has not moved. */
static bool node_write(const near_step *n,
                       size_t i,
                       const motion *by,
                       json_t *node)
{
    /* the file is Y up, the world Z up */
    const motion turned = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}};
    const gltf_node *its = &n->now->nodes[i];
    const motion *parent =
        its->parent == SIZE_MAX ? &turned : &n->now->nodes[its->parent].world;
    motion back;
    if (!json_is_object(node) || !motion_invert(parent, &back))
        return false;
    motion world = motion_after(by, &its->world);
    motion local = motion_after(&back, &world);
    json_object_del(node, "translation");
    json_object_del(node, "rotation");
    json_object_del(node, "scale");
    return json_object_set_new(node, "matrix", matrix_json(&local)) == 0;
}

static bool nodes_write(const near_step *n, const motion *by, json_t *file)
{
    json_t *list = json_object_get(file, "nodes");
    bool good = json_array_size(list) == n->now->node_count;
    for (size_t i = 0; good && i < n->now->node_count; i++) {
        size_t parent = n->now->nodes[i].parent;
        bool is_top =
            n->is_moved[i] && (parent == SIZE_MAX || !n->is_moved[parent]);
        if (is_top)
            good = node_write(n, i, by, json_array_get(list, i));
    }
    return good;
}

static uint32_t word_get(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static bool word_put(FILE *to, size_t word)
{
    const unsigned char bytes[] = {
        (unsigned char)word, (unsigned char)(word >> 8),
        (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    return fwrite(bytes, 1, 4, to) == 4;
}

/* The JSON in the place of the file's own, what is behind that as it was. */
static bool glb_put(FILE *to,
                    const char *text,
                    const unsigned char *rest,
                    size_t rest_size)
{
    size_t length = strlen(text);
    size_t padding = (4 - length % 4) % 4;
    bool good = fputs("glTF", to) >= 0 && word_put(to, 2) &&
                word_put(to, HEAD_BYTES + length + padding + rest_size);
    good = good && word_put(to, length + padding) && fputs("JSON", to) >= 0 &&
           fputs(text, to) >= 0;
    good = good && fwrite("   ", 1, padding, to) == padding;
    return good && fwrite(rest, 1, rest_size, to) == rest_size;
}

static unsigned char *glb_load(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rbe");
    unsigned char *bytes = NULL;
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size >= HEAD_BYTES && size <= FILE_MOST &&
        fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size);
    bool good = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    if (file)
        fclose(file);
    good = good && memcmp(bytes, "glTF", 4) == 0 &&
           word_get(bytes + 12) <= (size_t)size - HEAD_BYTES;
    if (!good)
        free(bytes);
    *ret_size = good ? (size_t)size : 0;
    return good ? bytes : NULL;
}

static etna_code glb_write(const char *path,
                           const char *text,
                           const unsigned char *rest,
                           size_t rest_size,
                           etna_error *err)
{
    FILE *file = fopen(path, "wbe");
    bool good = file && glb_put(file, text, rest, rest_size);
    if (file && fclose(file))
        good = false;
    return good ? ETNA_OK
                : etna_fail(err, ETNA_E_IO, "%.300s: cannot be written", path);
}

etna_code near_write(const near_step *n,
                     const motion *by,
                     const char *from,
                     const char *to,
                     etna_error *err)
{
    size_t size = 0;
    unsigned char *bytes = glb_load(from, &size);
    if (!bytes)
        return etna_fail(err, ETNA_E_INPUT,
                         "%.300s: is no GLB that can be read", from);
    size_t length = word_get(bytes + 12);
    size_t at = HEAD_BYTES + length;
    json_t *json =
        json_loadb((const char *)bytes + HEAD_BYTES, length, 0, NULL);
    bool good = json && nodes_write(n, by, json);
    char *text = good ? json_dumps(json, JSON_COMPACT) : NULL;
    etna_code code = text
                         ? glb_write(to, text, bytes + at, size - at, err)
                         : etna_fail(err, ETNA_E_INPUT,
                                     "%.300s: its nodes cannot be moved", from);
    free(text);
    json_decref(json);
    free(bytes);
    return code;
}
