/* What agents are shown: the snapshot's space, the run's camera, the instance
 * map, the facts. */
#include "worker/agents/tools.h"
#include "worker/jobs/task.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAMERAS_TOLD = 64
};

void task_view_free(job *j)
{
    space_free(j->sight.space);
    if (j->sight.seen)
        view_cache_release(j->warm->seen, j->sight.seen);
    if (j->sight.began)
        view_cache_release(j->warm->seen, j->sight.began);
    memset(&j->sight, 0, sizeof j->sight);
}

bool task_cuts_away(const job *j)
{
    view_cut_request asked;
    return view_read_cutaway(j->warm->scene, j->task.camera, &asked);
}

/* What is derived or cut costs many rays and is remembered with the warm
 * scene. */
etna_code task_camera_into(job *j,
                           space *sp,
                           scene_camera *ret_camera,
                           etna_error *err)
{
    if (task_cuts_away(j))
        return scene_cache_cutaway(j->shared, j->warm, j->task.camera, sp,
                                   ret_camera, err);
    const char *camera = j->task.camera;
    bool derived =
        camera && strlen(camera) < VIEW_REQUEST_SIZE &&
        (strcmp(camera, "auto") == 0 || strncmp(camera, "auto:", 5) == 0);
    if (derived)
        return scene_cache_derive(j->shared, j->warm, camera, sp, ret_camera,
                                  err);
    return view_choose_camera(sp, NULL, 0, j->task.camera, ret_camera, err);
}

etna_code task_camera(job *j, space *sp, scene_camera *ret_camera)
{
    return task_camera_into(j, sp, ret_camera, &j->error);
}

const arrange_pose *task_pose_before(const space *sp,
                                     const snapshot *before,
                                     uint32_t object)
{
    const bool came =
        space_scene(sp)->objects[object].guest && !before->moved[object];
    return came ? space_pose(sp, object) : &before->poses[object];
}

/* Who wrote the sentence saw the scene's own picture, and not one that is
 * derived for what the sentence names. */
static etna_code task_find_usual(job *j, space *sp, task_sight *sight)
{
    const scene *s = j->warm->scene;
    uint32_t own = 0;
    sight->usual = sight->camera;
    if (!j->task.camera || strncmp(j->task.camera, "auto:", 5) != 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < s->camera_count; i++)
        own += !s->cameras[i].derived;
    return own ? view_choose_camera(sp, NULL, 0, NULL, &sight->usual, &j->error)
               : scene_cache_derive(j->shared, j->warm, "auto", sp,
                                    &sight->usual, &j->error);
}

/* What colours things had and who stood on what when the run began: the space
 * is led there first. A new space stands as the file has it; where nothing has
 * moved since, there is nothing else to look at. */
static etna_code look_at_start(job *j, const task_blob *now)
{
    task_sight *sight = &j->sight;
    if (!j->has_start && !snapshot_has_moved(&now->snap))
        return ETNA_OK;
    if (!j->has_start) {
        return view_cache_acquire(j->warm->seen, sight->space, NULL, NULL,
                                  &sight->camera, &j->warm->start,
                                  &sight->began, &j->error);
    }
    const task_blob *start = &j->blobs[j->start_at];
    etna_code code = space_restore(sight->space, &start->snap, &j->error);
    if (code != ETNA_OK)
        return code;
    return view_cache_acquire(j->warm->seen, sight->space, &start->hash,
                              &start->snap, &sight->camera, &j->warm->start,
                              &sight->began, &j->error);
}

/* The order matters: the camera is found while the space stands at S_0, then
 * the space is led to the start, then to the snapshot at which it stays. */
etna_code task_look(job *j, uint32_t index)
{
    const cached_scene *warm = j->warm;
    const task_blob *blob = &j->blobs[index];
    task_sight *sight = &j->sight;
    task_view_free(j);
    etna_code code = space_new(warm->shared, &sight->space, &j->error);
    if (code == ETNA_OK)
        code = task_camera(j, sight->space, &sight->camera);
    if (code == ETNA_OK)
        code = task_find_usual(j, sight->space, sight);
    if (code == ETNA_OK)
        code = look_at_start(j, blob);
    if (code == ETNA_OK)
        code = space_restore(sight->space, &blob->snap, &j->error);
    if (code == ETNA_OK) {
        code = view_cache_acquire(warm->seen, sight->space, &blob->hash,
                                  &blob->snap, &sight->camera, &warm->start,
                                  &sight->seen, &j->error);
    }
    return code;
}

/* Facts are made for the built-in agent, and for a network's model where the
 * run sends them to all. */
static etna_code task_camera_tell(job *j, const facts_checks *checks)
{
    task_sight *sight = &j->sight;
    bool is_own = strcmp(j->task.model, "builtin") == 0;
    if (!j->task.facts && !is_own)
        return ETNA_OK;
    view_began began = {0};
    if (j->has_start) {
        const task_blob *blob = &j->blobs[j->start_at];
        began = (view_began){.hash = blob->hash,
                             .snap = &blob->snap,
                             .support = sight->began->support};
    }
    const view_began *start = j->has_start ? &began : NULL;
    const view_colour *colours = sight->began ? sight->began->colours : NULL;
    const scene_camera *cameras[2] = {&sight->camera, &sight->usual};
    return view_cache_facts(j->warm->seen, sight->seen, sight->space,
                            j->warm->probes, cameras, checks, start, colours,
                            j->task.any_place, j->task.brief && !is_own,
                            &j->facts, &j->error);
}

/* The cameras an agent may ask for: the run's own first, then the file's
 * others. */
static etna_code list_cameras(job *j, agent_view *ret)
{
    const scene *s = j->warm->scene;
    const char **names =
        etna_arena_alloc(&j->arena, (size_t)s->camera_count + 1, sizeof *names);
    if (!names)
        return etna_fail(&j->error, ETNA_E_NOMEM,
                         "out of memory for the cameras of a scene");
    uint32_t count = 0;
    names[count++] = ret->camera;
    for (uint32_t i = 0; i < s->camera_count && count < CAMERAS_TOLD; i++) {
        if (strcmp(s->cameras[i].name, ret->camera) != 0)
            names[count++] = s->cameras[i].name;
    }
    ret->cameras = names;
    ret->camera_count = count;
    return ETNA_OK;
}

static etna_code what_is_shown(job *j, agent_view *ret)
{
    const task_sight *sight = &j->sight;
    agent_view view = {.facts = j->facts ? cached_facts_json(j->facts) : NULL,
                       .camera = sight->camera.name,
                       .width = sight->seen->width,
                       .height = sight->seen->height};
    uint32_t left = 0;
    uint32_t longest = view.width > view.height ? view.width : view.height;
    view.sent_width = view.width;
    view.sent_height = view.height;
    if (j->image_side && j->image_side < longest) {
        view.sent_width = view.width * j->image_side / longest;
        view.sent_height = view.height * j->image_side / longest;
    }
    if (j->task.kind == TASK_BRANCH &&
        j->task.ablation == ABLATION_NO_MCP_TOOLS) {
        json_t *objects = tools_objects(sight->space, 0, &left);
        view.objects = text_json(&j->arena, objects, JSON_COMPACT);
        json_decref(objects);
        if (!view.objects)
            return etna_fail(&j->error, ETNA_E_NOMEM,
                             "out of memory for the objects of a scene");
    }
    etna_code code = j->task.cameras ? list_cameras(j, &view) : ETNA_OK;
    *ret = view;
    return code;
}

etna_code task_begin_agent(job *j, const facts_checks *checks, task_begin begin)
{
    etna_code code = task_camera_tell(j, checks);
    if (code != ETNA_OK)
        return code;
    agent_view view;
    code = what_is_shown(j, &view);
    if (code == ETNA_OK && checks) {
        view.is_checked = true;
        view.collisions = checks->collision_count;
        view.floating = checks->floating_count;
    }
    if (code == ETNA_OK)
        code = begin(&j->task, &view, &j->agent, &j->step, &j->error);
    /* Conversations wait long, and thousands at once: only an executor looks
     * again, and an evaluator that has several cameras. A picture needs no more
     * than a snapshot's bytes. */
    bool looks_again = j->task.kind == TASK_BRANCH ||
                       (j->task.kind == TASK_POLL && j->task.cameras);
    if (code != ETNA_OK || looks_again)
        return code;
    task_view_free(j);
    for (uint32_t i = 0; i < j->blob_count; i++)
        snapshot_free(&j->blobs[i].snap);
    return ETNA_OK;
}

void task_open_agent(job *j, task_begin begin)
{
    etna_code code = task_look(j, 0);
    if (code == ETNA_OK)
        code = task_find_moved(j);
    j->error.code = code == ETNA_OK ? task_begin_agent(j, NULL, begin) : code;
}
