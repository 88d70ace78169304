/* What agents are shown: the snapshot's space, the run's camera, the instance
 * map, the facts. */
#include "worker/agents/tools.h"
#include "worker/jobs/named.h"
#include "worker/jobs/task.h"
#include "worker/provider/text.h"

#include <ctype.h>
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

static bool cuts_away(const job *j)
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
    if (cuts_away(j))
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

static bool camera_has_moved(const snapshot *snap)
{
    for (uint32_t i = 0; i < snap->object_count; i++) {
        if (snap->moved[i])
            return true;
    }
    return false;
}

/* What colours things had and who stood on what when the run began: the space
 * is led there first. A new space stands as the file has it; where nothing has
 * moved since, there is nothing else to look at. */
static etna_code look_at_start(job *j, const task_blob *now)
{
    task_sight *sight = &j->sight;
    if (!j->has_start && !camera_has_moved(&now->snap))
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
    uint32_t left = 0,
             longest = view.width > view.height ? view.width : view.height;
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

/* Words of building upward: what is named will stand higher than it does. */
static bool says_stack(const char *text)
{
    static const char *const words[] = {"stack", "pile", "tower", "heap"};
    for (const char *t = text; *t; t++) {
        for (size_t k = 0; (t == text || !isalpha((unsigned char)t[-1])) &&
                           k < sizeof words / sizeof words[0];
             k++) {
            if (strncasecmp(t, words[k], strlen(words[k])) == 0)
                return true;
        }
    }
    return false;
}

static bool task_camera_is_asked(const job *j, bool (*says)(const char *text))
{
    bool any = j->task.goal && says(j->task.goal);
    for (uint32_t i = 0; !any && i < j->task.step_count; i++)
        any = says(j->task.steps[i]);
    return any;
}

typedef struct wanted { /* what a run's sentences mention */
    named_mention *list;
    uint32_t count;
} wanted;

/* The goal first, then the steps: mentions are counted up to a bound, and the
 * goal says what matters. */
static etna_code find_mentions(job *j, wanted *ret)
{
    *ret = (wanted){.list = etna_arena_alloc(&j->arena, NAMED_MENTIONS_MAX,
                                             sizeof *ret->list)};
    if (!ret->list)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    if (j->task.goal)
        named_find(j->warm->scene, j->task.goal, ret->list, &ret->count);
    for (uint32_t i = 0; i < j->task.step_count; i++)
        named_find(j->warm->scene, j->task.steps[i], ret->list, &ret->count);
    return ETNA_OK;
}

/* All that is mentioned in `objects`, ascending, and their number; the first of
 * it that can be moved, and how high it may come, in *ret. */
static uint32_t task_camera_find_named(const job *j,
                                       const space *sp,
                                       const wanted *w,
                                       uint32_t *objects,
                                       view_named *ret)
{
    const scene *s = j->warm->scene;
    uint32_t count = 0;
    double tower = 0;
    for (uint32_t o = 0; o < s->object_count; o++) {
        bool is_mentioned = false;
        for (uint32_t i = 0; i < w->count; i++) {
            for (uint32_t k = 0; k < w->list[i].count; k++)
                is_mentioned = is_mentioned || w->list[i].objects[k] == o;
        }
        if (!is_mentioned)
            continue;
        objects[count++] = o;
        if (s->objects[o].is_static || ret->count == VIEW_NAMED_MAX)
            continue;
        ret->objects[ret->count++] = o;
        tower += 2 * scene_box_at(&s->objects[o], space_pose(sp, o)).half.z;
    }
    if (task_camera_is_asked(j, says_stack) && tower < 1e4)
        ret->above = (uint32_t)(100 * tower);
    return count;
}

/* Which objects show at VIEW_SEEN_PIXELS or more. */
static etna_code find_shown(job *j,
                            const space *sp,
                            const scene_camera *camera,
                            bool *ret_shown)
{
    uint32_t width, height, total = j->warm->scene->object_count;
    view_size(camera, 0, &width, &height);
    uint32_t *ids = malloc((size_t)width * height * sizeof *ids);
    view_extent *extents = malloc((total + 1u) * sizeof *extents);
    etna_code code = ids && extents
                         ? ETNA_OK
                         : etna_fail(&j->error, ETNA_E_NOMEM,
                                     "no memory to compare the cameras");
    if (code == ETNA_OK)
        code = view_instance_map(sp, camera, width, height, ids, &j->error);
    if (code == ETNA_OK) {
        view_extents(ids, width, height, total, extents);
        for (uint32_t i = 0; i < total; i++)
            ret_shown[i] = extents[i].pixels >= VIEW_SEEN_PIXELS;
    }
    free(extents);
    free(ids);
    return code;
}

static vec3 centre_of(const scene *s, const space *sp, uint32_t o)
{
    return scene_box_at(&s->objects[o], space_pose(sp, o)).centre;
}

/* Of the things that a mention may mean the one nearest to `anchor`, or the
 * first. */
static uint32_t nearest_mentioned(const scene *s,
                                  const space *sp,
                                  const named_mention *mention,
                                  uint32_t anchor)
{
    uint32_t nearest = mention->objects[0];
    double least = INFINITY;
    for (uint32_t k = 0; k < mention->count && anchor != SCENE_NONE; k++) {
        double way = v3_length(v3_sub(centre_of(s, sp, mention->objects[k]),
                                      centre_of(s, sp, anchor)));
        if (way < least)
            nearest = mention->objects[k];
        if (way < least)
            least = way;
    }
    return nearest;
}

static void named_add(view_named *list, uint32_t object)
{
    bool is_known = list->count == VIEW_NAMED_MAX;
    for (uint32_t n = 0; n < list->count; n++)
        is_known = is_known || list->objects[n] == object;
    if (!is_known)
        list->objects[list->count++] = object;
}

/* What a camera is to show for these mentions: what is meant, or of several
 * that may be the nearest to what is. The anchor is the first mention that can
 * mean one thing only; what else is meant is likely near it. */
static void add_mentioned(const job *j,
                          const space *sp,
                          const wanted *w,
                          bool places_only,
                          view_named *ret)
{
    const scene *s = j->warm->scene;
    uint32_t anchor = SCENE_NONE;
    for (uint32_t i = w->count; i-- > 0;) {
        if (w->list[i].count == 1)
            anchor = w->list[i].objects[0];
    }
    for (uint32_t i = 0; i < w->count; i++) {
        const named_mention *mention = &w->list[i];
        if (places_only && mention->first)
            continue;
        if (mention->need == 1) {
            named_add(ret, nearest_mentioned(s, sp, mention, anchor));
            continue;
        }
        for (uint32_t k = 0; k < mention->count; k++)
            named_add(ret, mention->objects[k]);
    }
}

/* Where the file's camera does not show all that is named, the place something
 * is to go to above all, one is derived that shows more of it, or of the places
 * at least. *camera and text stay as they are where there is none. Twice: for
 * all that is mentioned, then for the places alone. */
static etna_code look_for_better(job *j,
                                 space *sp,
                                 const wanted *w,
                                 uint32_t above,
                                 scene_camera *camera,
                                 char text[VIEW_REQUEST_SIZE])
{
    bool *shown = etna_arena_alloc(&j->arena, j->warm->scene->object_count + 1,
                                   sizeof *shown);
    uint32_t whole = 0;
    if (!shown)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    for (uint32_t i = 0; i < w->count; i++)
        whole += w->list[i].first ? 1 : 2;
    etna_code code = find_shown(j, sp, camera, shown);
    uint32_t best = named_worth(w->list, w->count, shown);
    for (int places_only = 0;
         code == ETNA_OK && places_only < 2 && best < whole; places_only++) {
        view_named named = {.above = above};
        scene_camera other;
        add_mentioned(j, sp, w, places_only != 0, &named);
        if (named.count == 0)
            continue;
        code = view_derive_camera_for(sp, &named, &other, &j->error);
        if (code == ETNA_OK)
            code = find_shown(j, sp, &other, shown);
        uint32_t worth = named_worth(w->list, w->count, shown);
        if (code != ETNA_OK || worth <= best)
            continue;
        best = worth;
        view_say_camera(&named, text);
        *camera = other;
    }
    return code;
}

/* A camera was derived for the whole scene: one for what is named takes its
 * place where it shows more of it, or shows a tower whole. */
static etna_code look_closer(job *j,
                             space *sp,
                             const view_named *named,
                             scene_camera *camera,
                             char text[VIEW_REQUEST_SIZE])
{
    uint32_t showing = 0, shown = 0;
    scene_camera other;
    etna_code code = view_count_seen(sp, camera, named->objects, named->count,
                                     &showing, &j->error);
    if (code != ETNA_OK || (showing == named->count && named->above == 0))
        return code;
    code = view_derive_camera_for(sp, named, &other, &j->error);
    if (code == ETNA_OK)
        code = view_count_seen(sp, &other, named->objects, named->count, &shown,
                               &j->error);
    bool is_better = shown > showing || (named->above > 0 && shown == showing);
    if (code != ETNA_OK || !is_better)
        return code;
    view_say_camera(named, text);
    *camera = other;
    return ETNA_OK;
}

/* The camera for what the instruction names: the best of the file's, or a
 * derived one, then told as *text. */
static etna_code task_camera_find(job *j,
                                  space *sp,
                                  uint32_t *objects,
                                  scene_camera *ret,
                                  char text[VIEW_REQUEST_SIZE])
{
    const char *request = j->task.camera;
    bool is_asked_for = request && request[0] && strcmp(request, "auto") != 0;
    wanted w;
    view_named named = {0};
    etna_code code = find_mentions(j, &w);
    if (code != ETNA_OK)
        return code;
    uint32_t count = task_camera_find_named(j, sp, &w, objects, &named);
    code = view_choose_camera(sp, objects, count, request, ret, &j->error);
    if (code != ETNA_OK || is_asked_for)
        return code;
    if (!ret->derived)
        code = look_for_better(j, sp, &w, named.above, ret, text);
    if (code != ETNA_OK)
        return code;
    bool is_free = strcmp(text, "auto") == 0 && ret->derived;
    return is_free && named.count > 0 ? look_closer(j, sp, &named, ret, text)
                                      : ETNA_OK;
}

/* METHODS.md 1: the camera that shows the most objects named in the
 * instruction. Where no camera of the file shows all that is meant, and where a
 * derived one is wanted anyway, one is derived that shows more of it: no place
 * is found in a picture without it. */
etna_code task_choose_camera(job *j, space *sp, const char **ret_name)
{
    uint32_t *objects = etna_arena_alloc(
        &j->arena, j->warm->scene->object_count + 1, sizeof *objects);
    if (!objects)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    scene_camera camera;
    if (cuts_away(j)) { /* asked for by name, whatever it shows */
        *ret_name = j->task.camera;
        return scene_cache_cutaway(j->shared, j->warm, j->task.camera, sp,
                                   &camera, &j->error);
    }
    char text[VIEW_REQUEST_SIZE] = "auto";
    etna_code code = task_camera_find(j, sp, objects, &camera, text);
    if (code != ETNA_OK)
        return code;
    *ret_name =
        etna_arena_strdup(&j->arena, camera.derived ? text : camera.name);
    return *ret_name ? ETNA_OK
                     : etna_fail(&j->error, ETNA_E_NOMEM,
                                 "out of memory for a camera");
}
