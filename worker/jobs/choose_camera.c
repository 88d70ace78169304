/* Which camera a run, a step and a picture see by (METHODS.md 1 Camera): one of
 * the file's where it shows what is meant, else one that is made for it. */
#include "proto/array.h"
#include "worker/agents/planner.h"
#include "worker/jobs/mentions.h"
#include "worker/jobs/task.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words of building upward: what is named will stand higher than it does. */
static bool says_stack(const char *text)
{
    static const char *const words[] = {"stack", "pile", "tower", "heap"};
    for (const char *t = text; *t; t++) {
        for (size_t k = 0; (t == text || !isalpha((unsigned char)t[-1])) &&
                           k < COUNT_OF(words);
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

enum {
    OWN_CAMERAS_MOST = 16 /* of the file's that are looked through for a step */
};

typedef struct wanted { /* what a run's sentences mention */
    mention *list;
    uint32_t count;
} wanted;

/* The goal first, then the steps: mentions are counted up to a bound, and the
 * goal says what matters. */
static etna_code find_mentions(job *j, wanted *ret)
{
    *ret = (wanted){
        .list = etna_arena_alloc(&j->arena, MENTIONS_MAX, sizeof *ret->list)};
    if (!ret->list)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    if (j->task.goal)
        mentions_find(j->warm->scene, j->task.goal, ret->list, &ret->count);
    for (uint32_t i = 0; i < j->task.step_count; i++)
        mentions_find(j->warm->scene, j->task.steps[i], ret->list, &ret->count);
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
        tower += 2 * space_box(sp, o).half.z;
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
    uint32_t width, height;
    uint32_t total = j->warm->scene->object_count;
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

/* Of the things that a mention may mean the one nearest to `anchor`, or the
 * first. */
static uint32_t nearest_mentioned(const space *sp,
                                  const mention *said,
                                  uint32_t anchor)
{
    uint32_t nearest = said->objects[0];
    double least = INFINITY;
    for (uint32_t k = 0; k < said->count && anchor != SCENE_NONE; k++) {
        double way = v3_length(v3_sub(space_box(sp, said->objects[k]).centre,
                                      space_box(sp, anchor).centre));
        if (way < least)
            nearest = said->objects[k];
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
static void add_mentioned(const space *sp,
                          const wanted *w,
                          bool places_only,
                          view_named *ret)
{
    uint32_t anchor = SCENE_NONE;
    for (uint32_t i = w->count; i-- > 0;) {
        if (w->list[i].count == 1)
            anchor = w->list[i].objects[0];
    }
    for (uint32_t i = 0; i < w->count; i++) {
        const mention *said = &w->list[i];
        if (places_only && said->first)
            continue;
        if (said->need == 1) {
            named_add(ret, nearest_mentioned(sp, said, anchor));
            continue;
        }
        for (uint32_t k = 0; k < said->count; k++)
            named_add(ret, said->objects[k]);
    }
}

/* What all mentions are worth where each shows. */
static uint32_t whole_worth(const wanted *w)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; i < w->count; i++)
        whole += w->list[i].first ? 1 : 2;
    return whole;
}

/* The best camera so far for what is mentioned, as it is asked for. */
typedef struct best_view {
    scene_camera camera;
    uint32_t worth;
    bool *shown; /* room for what the one looked at shows */
    char text[VIEW_REQUEST_SIZE];
} best_view;

static etna_code best_view_begin(job *j,
                                 const space *sp,
                                 const wanted *w,
                                 const scene_camera *camera,
                                 best_view *ret)
{
    ret->camera = *camera;
    ret->shown = etna_arena_alloc(&j->arena, j->warm->scene->object_count + 1,
                                  sizeof *ret->shown);
    if (!ret->shown)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    etna_code code = find_shown(j, sp, camera, ret->shown);
    if (code == ETNA_OK)
        ret->worth = mentions_worth(w->list, w->count, ret->shown);
    return code;
}

/* Where the camera so far does not show all that is named, the place something
 * is to go to above all, one is derived that shows more of it, or of the places
 * at least. *best stays as it is where there is none. Twice: for all that is
 * mentioned, then for the places alone. */
static etna_code look_for_better(
    job *j, const space *sp, const wanted *w, uint32_t above, best_view *best)
{
    const uint32_t whole = whole_worth(w);
    etna_code code = ETNA_OK;
    for (int places_only = 0;
         code == ETNA_OK && places_only < 2 && best->worth < whole;
         places_only++) {
        view_named named = {.above = above};
        scene_camera other;
        add_mentioned(sp, w, places_only != 0, &named);
        if (named.count == 0)
            continue;
        code = view_derive_camera_for(sp, &named, &other, &j->error);
        if (code == ETNA_OK)
            code = find_shown(j, sp, &other, best->shown);
        uint32_t worth = mentions_worth(w->list, w->count, best->shown);
        if (code != ETNA_OK || worth <= best->worth)
            continue;
        best->worth = worth;
        view_say_camera(&named, best->text);
        best->camera = other;
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

/* Of the file's camera and derived ones the best for what is named. */
static etna_code look_for_named(job *j,
                                const space *sp,
                                const wanted *w,
                                uint32_t above,
                                scene_camera *camera,
                                char text[VIEW_REQUEST_SIZE])
{
    best_view best = {.text = ""};
    etna_code code = best_view_begin(j, sp, w, camera, &best);
    if (code == ETNA_OK)
        code = look_for_better(j, sp, w, above, &best);
    if (code != ETNA_OK || !best.text[0])
        return code;
    *camera = best.camera;
    snprintf(text, VIEW_REQUEST_SIZE, "%s", best.text);
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
        code = look_for_named(j, sp, &w, named.above, ret, text);
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
    if (task_cuts_away(j)) { /* asked for by name, whatever it shows */
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

/* ---- a step's ---- */

/* What this step's sentence mentions: the instruction it is for, or all that
 * the run was told. */
static etna_code find_step_mentions(job *j, wanted *ret)
{
    const uint32_t current = planner_current(&j->task);
    if (current == 0 || current > j->task.step_count)
        return find_mentions(j, ret);
    *ret = (wanted){
        .list = etna_arena_alloc(&j->arena, MENTIONS_MAX, sizeof *ret->list)};
    if (!ret->list)
        return etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for a camera");
    mentions_find(j->warm->scene, j->task.steps[current - 1], ret->list,
                  &ret->count);
    return ETNA_OK;
}

/* Of the file's cameras the first that shows more than all before it. */
static etna_code look_through_own(job *j,
                                  const space *sp,
                                  const wanted *w,
                                  best_view *best)
{
    const scene *s = j->warm->scene;
    const uint32_t whole = whole_worth(w);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0, looked = 0;
         i < s->camera_count && looked < OWN_CAMERAS_MOST; i++) {
        if (s->cameras[i].derived || best->worth >= whole)
            continue;
        looked++;
        code = find_shown(j, sp, &s->cameras[i], best->shown);
        if (code != ETNA_OK)
            return code;
        uint32_t worth = mentions_worth(w->list, w->count, best->shown);
        if (worth <= best->worth)
            continue;
        best->worth = worth;
        best->camera = s->cameras[i];
        snprintf(best->text, sizeof best->text, "%s", s->cameras[i].name);
    }
    return code;
}

/* The better camera for a step whose things stand as in `sp`; *best has the
 * run's own. */
static etna_code look_for_step(job *j,
                               const space *sp,
                               const wanted *w,
                               best_view *best)
{
    etna_code code = look_through_own(j, sp, w, best);
    const uint32_t worth = best->worth;
    if (code == ETNA_OK)
        code = look_for_better(j, sp, w, 0, best);
    /* Where things stand now is in no later task of the step. */
    if (code == ETNA_OK && best->worth > worth &&
        !view_say_eye(&best->camera, best->text))
        best->text[0] = 0;
    return code;
}

/* Import has looked for all that a run names, where things stood then. */
static bool step_may_differ(const job *j)
{
    const arrange_task *task = &j->task;
    const bool is_own = strcmp(task->model, "builtin") == 0;
    const bool is_first =
        etna_hash_equal(&task->snapshot, &task->first_snapshot);
    if (!task->any_camera || is_own)
        return false;
    return planner_current(task) > 0 ? task->step_count > 1 || !is_first
                                     : !is_first;
}

etna_code task_choose_step_camera(job *j)
{
    space *sp = NULL;
    scene_camera camera;
    wanted w;
    best_view best = {.text = ""};
    if (!step_may_differ(j))
        return ETNA_OK;
    etna_code code = space_new(j->warm->shared, &sp, &j->error);
    if (code == ETNA_OK)
        code = task_camera(j, sp, &camera);
    if (code == ETNA_OK)
        code = space_restore(sp, &j->blobs[0].snap, &j->error);
    if (code == ETNA_OK)
        code = find_step_mentions(j, &w);
    if (code == ETNA_OK)
        code = best_view_begin(j, sp, &w, &camera, &best);
    if (code == ETNA_OK)
        code = look_for_step(j, sp, &w, &best);
    space_free(sp);
    if (code != ETNA_OK || !best.text[0])
        return code;
    j->task.camera = etna_arena_strdup(&j->arena, best.text);
    j->result.camera = j->task.camera;
    return j->task.camera ? ETNA_OK
                          : etna_fail(&j->error, ETNA_E_NOMEM,
                                      "out of memory for a camera");
}

/* ---- a picture's ---- */

/* An edit to be shown: where the thing stood, and where it is. */
typedef struct shown_edit {
    space *sp;
    const snapshot *before, *after;
    uint32_t object;
    bool came; /* into the scene by this edit: it stood nowhere */
    uint32_t whole;
} shown_edit;

enum {
    OLD_PLACE = 1,
    NEW_PLACE = 2
};

static etna_code edit_seen_in(job *j,
                              const shown_edit *e,
                              const snapshot *where,
                              const scene_camera *camera,
                              bool *ret)
{
    uint32_t shown = 0;
    etna_code code = space_restore(e->sp, where, &j->error);
    if (code == ETNA_OK)
        code = view_count_seen(e->sp, camera, &e->object, 1, &shown, &j->error);
    *ret = shown > 0;
    return code;
}

/* What of the edit a camera shows: OLD_PLACE + NEW_PLACE. */
static etna_code edit_worth(job *j,
                            const shown_edit *e,
                            const scene_camera *camera,
                            uint32_t *ret)
{
    bool old = false, new = false;
    etna_code code = edit_seen_in(j, e, e->after, camera, &new);
    if (code == ETNA_OK && !e->came)
        code = edit_seen_in(j, e, e->before, camera, &old);
    *ret = (old ? OLD_PLACE : 0) + (new ? NEW_PLACE : 0);
    return code;
}

static etna_code edit_try(job *j,
                          const shown_edit *e,
                          const scene_camera *other,
                          uint32_t *worth,
                          scene_camera *camera)
{
    uint32_t found = 0;
    etna_code code = edit_worth(j, e, other, &found);
    if (code != ETNA_OK || found <= *worth)
        return code;
    *worth = found;
    *camera = *other;
    return ETNA_OK;
}

static etna_code edit_try_derived(job *j,
                                  const shown_edit *e,
                                  uint32_t *worth,
                                  scene_camera *camera)
{
    scene_camera made;
    etna_code code = space_restore(e->sp, e->after, &j->error);
    if (code != ETNA_OK)
        return code;
    const view_named named = {
        .count = 1,
        .objects = {e->object},
        .was = e->came ? NULL : task_pose_before(e->sp, e->before, e->object)};
    code = view_derive_camera_for(e->sp, &named, &made, &j->error);
    return code == ETNA_OK ? edit_try(j, e, &made, worth, camera) : code;
}

etna_code task_choose_edit_camera(job *j,
                                  space *sp,
                                  uint32_t object,
                                  scene_camera *camera)
{
    const scene *s = j->warm->scene;
    shown_edit e = {.sp = sp,
                    .before = &j->blobs[0].snap,
                    .after = &j->blobs[j->blob_count - 1].snap,
                    .object = object};
    uint32_t worth = 0, looked = 0;
    e.came = s->objects[object].guest && !e.before->moved[object];
    e.whole = NEW_PLACE + (e.came ? 0 : OLD_PLACE);
    etna_code code = edit_worth(j, &e, camera, &worth);
    for (uint32_t i = 0; i < s->camera_count && looked < OWN_CAMERAS_MOST;
         i++) {
        if (code != ETNA_OK || worth >= e.whole)
            return code;
        if (s->cameras[i].derived)
            continue;
        looked++;
        code = edit_try(j, &e, &s->cameras[i], &worth, camera);
    }
    return code == ETNA_OK && worth < e.whole
               ? edit_try_derived(j, &e, &worth, camera)
               : code;
}
