/* Rooms of boxes as glTF scenes for the referee's own tests: a floor, a wall, a
 * table, a shelf, a few small things and a camera that looks along +Y. */
#ifndef ETNA_TESTS_UNIT_REFEREE_ROOM_MODEL_H
#define ETNA_TESTS_UNIT_REFEREE_ROOM_MODEL_H

#include "referee/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROOM_NODES = 16
};

typedef struct room {
    gltf_scene scene;
    gltf_node nodes[ROOM_NODES];
    gltf_mesh meshes[ROOM_NODES];
    gltf_camera camera;
} room;

static motion room_motion(point at, double yaw)
{
    double c = cos(yaw), s = sin(yaw);
    return (motion){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, at};
}

static size_t room_node(room *r, const char *name, point at)
{
    static motion one;
    one = motion_identity();
    size_t n = r->scene.node_count++;
    assert_true(n < ROOM_NODES);
    r->nodes[n] = (gltf_node){.name = (char *)(uintptr_t)name,
                              .parent = SIZE_MAX,
                              .root = n,
                              .mesh = SIZE_MAX,
                              .camera = SIZE_MAX,
                              .world = room_motion(at, 0),
                              .instances = &one,
                              .instance_count = 1};
    return n;
}

/* A box of this size about its middle. */
static size_t room_box(room *r, const char *name, point size, point at)
{
    static const int sides[12][3] = {
        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    size_t n = room_node(r, name, at);
    gltf_mesh *m = &r->meshes[n];
    m->corners = malloc(36 * sizeof *m->corners);
    assert_non_null(m->corners);
    m->corner_count = 36;
    for (int i = 0; i < 36; i++) {
        int k = sides[i / 3][i % 3];
        point half = point_times(size, 0.5);
        m->corners[i] =
            (point){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                    k & 4 ? half.z : -half.z};
    }
    r->nodes[n].mesh = n;
    return n;
}

static room *room_new(void)
{
    room *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->scene = (gltf_scene){r->nodes, 0, r->meshes, ROOM_NODES, &r->camera, 1};
    room_box(r, "floor", (point){6, 4, 0.1}, (point){0, 0, -0.05});
    room_box(r, "wall", (point){6, 0.1, 2.5}, (point){0, 2.05, 1.25});
    room_box(r, "table", (point){1, 0.8, 0.05}, (point){1, 1, 0.675});
    room_box(r, "stool", (point){0.4, 0.4, 0.45}, (point){-1, 1, 0.225});
    room_box(r, "bowl", (point){0.4, 0.4, 0.2}, (point){0.8, 1, 0.8});
    room_box(r, "box", (point){0.2, 0.2, 0.2}, (point){-2, -1, 0.1});
    size_t eye = room_node(r, "eye", (point){0, -5, 1.5});
    r->nodes[eye].camera = 0;
    r->nodes[eye].world =
        (motion){{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, -5, 1.5}};
    r->camera = (gltf_camera){
        .name = (char *)(uintptr_t) "", .is_perspective = true, .yfov = 1};
    return r;
}

static void room_free(room *r)
{
    for (size_t i = 0; i < ROOM_NODES; i++)
        free(r->meshes[i].corners);
    free(r);
}

static void room_put(room *r, const char *name, point at, double yaw)
{
    bool several = false;
    size_t n = gltf_scene_find(&r->scene, name, &several);
    assert_true(n != SIZE_MAX);
    /* Its front is its own +Z: turned so that it looks along -Y at yaw 0. */
    r->nodes[n].world = room_motion(at, yaw);
}

/* Reads the predicate of a suite that has no other. */
static predicate *room_predicate(const char *json, etna_arena *arena, suite *s)
{
    etna_error err = {ETNA_OK, ""};
    char *text = etna_arena_printf(
        arena,
        "{\"schema\":\"etna.suite/1\",\"name\":\"t\",\"scenes\":[{\"name\":\"a\","
        "\"scene\":\"a.glb\",\"fronts\":{\"box\":\"-Y\"},"
        "\"steps\":[{\"text\":\"do\",\"after\":[%s]}]}]}",
        json);
    if (suite_parse("t.json", text, strlen(text), arena, s, &err))
        fail_msg("%s", err.text);
    return s->scenes[0].steps[0].after;
}

#endif
