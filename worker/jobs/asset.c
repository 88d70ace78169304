/* The asset task: a lot of models, read; its blob is the task's scene. */
#include "worker/assets/lot.h"
#include "worker/jobs/task.h"

static void read_lot(job *j)
{
    j->error.code = lot_read(j->bundle, j->bundle_size, &j->made.data,
                             &j->made.size, &j->error);
    if (j->error.code == ETNA_OK)
        j->made.hash = etna_hash_bytes(j->made.data, j->made.size);
}

static void asset_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_want_blob(j, want, read_lot, task_done_blob);
}

const job_kind task_asset = {
    .name = "asset", .takes_bytes = true, .begin = asset_begin};
