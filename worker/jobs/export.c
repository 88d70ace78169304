/* The export task: a snapshot as a GLB blob. */
#include "worker/convert/stage.h"
#include "worker/jobs/task.h"

static void export_needs(job *j)
{
    task_need(j, &j->task.snapshot);
}

static void write_glb(job *j)
{
    const cached_scene *warm = j->warm;
    j->error.code = stage_export_glb(warm->scene, warm->bundle,
                                     warm->bundle_size, &j->blobs[0].snap,
                                     &j->made.data, &j->made.size, &j->error);
    if (j->error.code == ETNA_OK)
        j->made.hash = etna_hash_bytes(j->made.data, j->made.size);
}

static void export_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_want_blob(j, want, write_glb, task_done_blob);
}

const job_kind task_export = {
    .name = "export", .needs = export_needs, .begin = export_begin};
