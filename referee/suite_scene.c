/* See suite_scene.h. A suite that was read has no lines any more; they are
 * looked up in its file where something is wrong. */
#include "referee/suite_scene.h"

#include "proto/array.h"
#include "referee/body.h"
#include "referee/gltf_scene.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct checking {
    const char *path;
    const suite_scene *scene;
    gltf_scene gltf;
    char field[512];
    size_t length;
    etna_error *err;
} checking;

/* Into a part; what this gives is where checking_leave goes back to. After a
 * fault nobody goes back. */
static size_t __attribute__((format(printf, 2, 3)))
checking_enter(checking *c, const char *format, ...)
{
    size_t before = c->length;
    va_list args;
    va_start(args, format);
    vsnprintf(c->field + before, sizeof c->field - before, format, args);
    va_end(args);
    c->length = strlen(c->field);
    return before;
}

static void checking_leave(checking *c, size_t before)
{
    c->length = before;
    c->field[before] = 0;
}

static etna_code __attribute__((format(printf, 2, 3)))
checking_fail(const checking *c, const char *format, ...)
{
    char why[300];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return suite_fail_at(c->path, c->field, why, c->err);
}

/* ---- things ---- */

static etna_code check_thing(const checking *c, const char *name, bool has_mesh)
{
    bool several = false;
    size_t node = gltf_scene_find(&c->gltf, name, &several);
    if (several)
        return checking_fail(c, "several nodes are named \"%.100s\"", name);
    if (node == SIZE_MAX)
        return checking_fail(c, "no node is named \"%.100s\"", name);
    if (has_mesh && !body_is_there(&c->gltf, node))
        return checking_fail(c, "the node \"%.100s\" has no mesh", name);
    return ETNA_OK;
}

/* Which way "camera" is told from a thing of that name: suite.h. */
static bool predicate_thing_is_camera(const predicate *p, uint32_t i)
{
    return p->kind == PREDICATE_FACING && i == 1 &&
           strcmp(p->things[i], "camera") == 0;
}

static bool predicate_sees(const predicate *p)
{
    switch (p->kind) {
    case PREDICATE_LEFT:
    case PREDICATE_RIGHT:
    case PREDICATE_BEFORE:
    case PREDICATE_BEHIND: return true;
    case PREDICATE_FACING: return predicate_thing_is_camera(p, 1);
    default: return false;
    }
}

/* Of a predicate that sees: it measures by a camera of the file, whatever view
 * runs may take. */
static etna_code check_sight(const checking *c)
{
    const char *name = c->scene->camera;
    if (gltf_scene_camera(&c->gltf, name, 0) != SIZE_MAX)
        return ETNA_OK;
    if (!name)
        return checking_fail(c, "wants a camera, and the scene has none");
    return checking_fail(
        c, "wants a camera of the file, and \"%.100s\" is none", name);
}

static etna_code check_things(checking *c, const predicate *p)
{
    bool is_still =
        p->kind == PREDICATE_STILL || p->kind == PREDICATE_STILL_BUT;
    for (uint32_t i = 0; i < p->thing_count; i++) {
        if (predicate_thing_is_camera(p, i))
            continue;
        size_t before = checking_enter(c, "[%u]", (unsigned)i);
        etna_code code = check_thing(c, p->things[i], !is_still);
        if (code)
            return code;
        checking_leave(c, before);
    }
    return ETNA_OK;
}

/* Nested no deeper than a suite may be (SUITE_DEPTH_MAX). */
static etna_code check_predicate(checking *c, const predicate *p)
{
    bool has_list = p->kind != PREDICATE_NOT;
    size_t before = checking_enter(c, ".%s", predicate_word(p->kind));
    etna_code code = predicate_sees(p) ? check_sight(c) : ETNA_OK;
    if (!code)
        code = check_things(c, p);
    for (uint32_t i = 0; !code && i < p->part_count; i++) {
        size_t in = c->length;
        if (has_list)
            checking_enter(c, "[%u]", (unsigned)i);
        code = check_predicate(c, &p->parts[i]);
        if (!code)
            checking_leave(c, in);
    }
    if (!code)
        checking_leave(c, before);
    return code;
}

static etna_code check_after(checking *c, const suite_step *step)
{
    for (uint32_t i = 0; i < step->after_count; i++) {
        size_t before = checking_enter(c, ".after[%u]", (unsigned)i);
        etna_code code = check_predicate(c, &step->after[i]);
        if (code)
            return code;
        checking_leave(c, before);
    }
    return ETNA_OK;
}

static etna_code check_steps(checking *c)
{
    const suite_scene *scene = c->scene;
    for (uint32_t i = 0; i < scene->step_count; i++) {
        size_t before = checking_enter(c, ".steps[%u]", (unsigned)i);
        etna_code code = check_after(c, &scene->steps[i]);
        if (code)
            return code;
        checking_leave(c, before);
    }
    return ETNA_OK;
}

static etna_code check_goal(checking *c)
{
    if (!c->scene->goal.text)
        return ETNA_OK;
    size_t before = checking_enter(c, ".goal");
    etna_code code = check_after(c, &c->scene->goal);
    if (!code)
        checking_leave(c, before);
    return code;
}

static etna_code check_fronts(checking *c)
{
    size_t before = checking_enter(c, ".fronts");
    for (uint32_t i = 0; i < c->scene->front_count; i++) {
        etna_code code = check_thing(c, c->scene->fronts[i].thing, false);
        if (code)
            return code;
    }
    checking_leave(c, before);
    return ETNA_OK;
}

/* ---- cameras ---- */

static bool side_has_camera(const char *path, const char *name)
{
    json_t *side = json_load_file(path, 0, NULL);
    json_t *list = json_object_get(side, "cameras");
    json_t *one;
    bool has = false;
    size_t i;
    json_array_foreach(list, i, one)
    {
        const char *its = json_string_value(json_object_get(one, "name"));
        has = has || (its && strcmp(its, name) == 0);
    }
    json_decref(side);
    return has;
}

/* The side file of SCENE.glb is SCENE.etna.json or SCENE.glb.etna.json, and may
 * have cameras of its own. */
static bool scene_has_side_camera(const char *file, const char *name)
{
    char path[4096];
    const char *slash = strrchr(file, '/');
    const char *dot = strrchr(file, '.');
    if (!dot || (slash && dot < slash))
        dot = file + strlen(file);
    snprintf(path, sizeof path, "%.*s.etna.json", (int)(dot - file), file);
    if (side_has_camera(path, name))
        return true;
    snprintf(path, sizeof path, "%s.etna.json", file);
    return side_has_camera(path, name);
}

/* Views that a run makes itself, as its --camera takes them. */
static bool camera_is_made(const char *name)
{
    static const char *const whole[] = {"auto", "cutaway", "top"};
    static const char *const begun[] = {"orbit:", "eye:"};
    if (WORD_IS_OF(name, whole))
        return true;
    for (size_t i = 0; i < COUNT_OF(begun); i++) {
        if (strncmp(name, begun[i], strlen(begun[i])) == 0)
            return true;
    }
    return false;
}

static etna_code check_camera(checking *c, const char *file)
{
    const char *name = c->scene->camera;
    if (!name || camera_is_made(name))
        return ETNA_OK;
    bool is_there = gltf_scene_camera(&c->gltf, name, 0) != SIZE_MAX ||
                    scene_has_side_camera(file, name);
    if (is_there)
        return ETNA_OK;
    checking_enter(c, ".camera");
    return checking_fail(c, "no camera of the scene is named \"%.100s\"", name);
}

etna_code suite_scene_check(const char *path,
                            const suite *s,
                            const suite_scene *scene,
                            const char *file,
                            etna_error *err)
{
    checking c = {.path = path, .scene = scene, .err = err};
    char why[256];
    checking_enter(&c, "scenes[%u]", (unsigned)(scene - s->scenes));
    if (!gltf_scene_read(file, &c.gltf, why)) {
        checking_enter(&c, ".scene");
        return checking_fail(&c, "%.160s: %.120s", file, why);
    }
    etna_code code = check_camera(&c, file);
    if (!code)
        code = check_fronts(&c);
    if (!code)
        code = check_steps(&c);
    if (!code)
        code = check_goal(&c);
    gltf_scene_free(&c.gltf);
    return code;
}
