/* What agents are shown: the snapshot's space, the run's camera, the instance map, the facts. */
#include "worker/jobs/task.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void task_sight_free(task_sight *sight)
{
    free(sight->facts);
    free(sight->ids);
    space_support_free(&sight->support);
    space_free(sight->space);
    memset(sight, 0, sizeof *sight);
}

etna_code task_camera(job *j, const space *sp, scene_camera *ret_camera)
{
    if (j->task.camera && strcmp(j->task.camera, "auto") == 0) return warm_derive(j->shared, j->warm, sp, ret_camera, &j->error);
    return view_choose_camera(sp, NULL, 0, j->task.camera, ret_camera, &j->error);
}

etna_code task_look(job *j, const snapshot *snap)
{
    const space_rules rules = {0};
    task_sight *sight = &j->sight;
    task_sight_free(sight);
    etna_code code = space_new(j->warm->shared, &sight->space, &j->error);
    if (code == ETNA_OK) code = task_camera(j, sight->space, &sight->camera);
    if (code == ETNA_OK) code = space_restore(sight->space, snap, &j->error);
    if (code != ETNA_OK) return code;
    view_size(&sight->camera, VIEW_LONG_SIDE, &sight->width, &sight->height);
    sight->ids = malloc(sizeof *sight->ids * sight->width * sight->height);
    if (!sight->ids) return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for an instance map");
    code = view_instance_map(sight->space, &sight->camera, sight->width, sight->height, sight->ids, &j->error);
    if (code == ETNA_OK) {
        code = space_support_compute(sight->space, &rules, &j->warm->start, snap->attached, &sight->support, &j->error);
    }
    return code;
}

etna_code task_tell(job *j, const facts_checks *checks)
{
    const task_sight *sight = &j->sight;
    if (!j->task.facts && strcmp(j->task.model, "builtin") != 0) return ETNA_OK;
    facts_input input = {.space = sight->space,
                         .probes = j->warm->probes,
                         .camera = &sight->camera,
                         .width = sight->width,
                         .height = sight->height,
                         .ids = sight->ids,
                         .support = &sight->support,
                         .checks = checks};
    size_t size;
    return facts_build(&input, &j->sight.facts, &size, &j->error);
}

agent_view task_agent_view(const job *j)
{
    return (agent_view){.facts = j->sight.facts, .camera = j->sight.camera.name, .width = j->sight.width, .height = j->sight.height};
}

/* A word of the object's name (letters, at least three) stands in the text as a word, plural or not. */
static bool mentions(const char *text, const char *name)
{
    for (const char *at = name; *at;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length]) && !(length && isupper((unsigned char)at[length]) && islower((unsigned char)at[length - 1]))) {
            length++;
        }
        for (const char *t = text; length >= 3 && *t; t++) {
            if (t != text && isalpha((unsigned char)t[-1])) continue;
            if (strncasecmp(t, at, length) != 0) continue;
            const char *end = t + length;
            if (*end == 's' || *end == 'S') end++;
            if (!isalpha((unsigned char)*end)) return true;
        }
        at += length ? length : 1;
    }
    return false;
}

/* METHOD.md 1: the camera that shows the most objects named in the instruction. */
etna_code task_choose_camera(job *j, const space *sp, const char **ret_name)
{
    const scene *s = j->warm->scene;
    uint32_t count = 0, *objects = etna_arena_alloc(&j->arena, s->object_count + 1, sizeof *objects);
    if (!objects) return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    for (uint32_t o = 0; o < s->object_count; o++) {
        bool named = j->task.goal && mentions(j->task.goal, s->objects[o].name);
        for (uint32_t i = 0; !named && i < j->task.step_count; i++) named = mentions(j->task.steps[i], s->objects[o].name);
        if (named) objects[count++] = o;
    }
    scene_camera camera;
    etna_code code = view_choose_camera(sp, objects, count, j->task.camera, &camera, &j->error);
    if (code != ETNA_OK) return code;
    *ret_name = camera.derived ? "auto" : etna_arena_strdup(&j->arena, camera.name);
    return *ret_name ? ETNA_OK : etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
}
