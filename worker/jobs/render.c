/* The render task: a snapshot as a PNG blob, clean, or annotated with the edit
 * that led from it to `after`. */
#include "worker/jobs/task.h"
#include "worker/view/view.h"

static void render_needs(job *j)
{
    task_need(j, &j->task.snapshot);
    if (!etna_hash_is_zero(&j->task.after))
        task_need(j, &j->task.after);
}

/* Is there an edit by which the picture's camera is chosen? */
static bool render_has_edit(const job *j)
{
    return j->blob_count == 2 && j->task.object;
}

static etna_code render_find_object(job *j, uint32_t *ret)
{
    *ret = scene_find_object(j->warm->scene, j->task.object);
    if (*ret != SCENE_NONE)
        return ETNA_OK;
    return etna_fail(&j->error, ETNA_E_INPUT,
                     "the scene has no object \"%s\" to annotate",
                     j->task.object);
}

static etna_code render_annotate(job *j,
                                 space *sp,
                                 const scene_camera *camera,
                                 uint32_t object,
                                 uint32_t width,
                                 uint32_t height,
                                 view_image *image)
{
    const snapshot *before = &j->blobs[0].snap;
    const snapshot *after = &j->blobs[j->blob_count - 1].snap;
    view_image clean = {0};
    etna_code code = space_restore(sp, after, &j->error);
    if (code == ETNA_OK)
        code = view_render(sp, camera, width, height,
                           scene_cache_threads(j->shared), &clean, &j->error);
    if (code == ETNA_OK) {
        code = view_annotate_edit(
            sp, camera, &clean, object, task_pose_before(sp, before, object),
            scene_cache_threads(j->shared), image, NULL, &j->error);
    }
    view_image_free(&clean);
    return code;
}

/* The camera is found before the snapshot is restored; see task_camera. */
static void render_draw(job *j)
{
    space *sp = NULL;
    view_image image = {0};
    scene_camera camera;
    uint32_t width, height, object = SCENE_NONE;
    etna_code code = space_new(j->warm->shared, &sp, &j->error);
    if (code == ETNA_OK)
        code = task_camera(j, sp, &camera);
    if (code == ETNA_OK && render_has_edit(j))
        code = render_find_object(j, &object);
    if (code == ETNA_OK && object != SCENE_NONE && j->task.any_camera)
        code = task_choose_edit_camera(j, sp, object, &camera);
    if (code == ETNA_OK) {
        view_size(&camera, j->task.width, &width, &height);
        code = space_restore(sp, &j->blobs[0].snap, &j->error);
    }
    if (code == ETNA_OK && object != SCENE_NONE && j->task.step > 0) {
        code = render_annotate(j, sp, &camera, object, width, height, &image);
    } else if (code == ETNA_OK) {
        code = view_render(sp, &camera, width, height,
                           scene_cache_threads(j->shared), &image, &j->error);
    }
    if (code == ETNA_OK)
        code = view_encode_png(&image, &j->made.data, &j->made.size, &j->error);
    if (code == ETNA_OK)
        j->made.hash = etna_hash_bytes(j->made.data, j->made.size);
    view_image_free(&image);
    space_free(sp);
    j->error.code = code;
}

static void render_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_want_blob(j, want, render_draw, task_done_blob);
}

const job_kind task_render = {
    .name = "render", .needs = render_needs, .begin = render_begin};
