/* The import task: the scene must import, and S_0 is its base snapshot, or the
 * one that the run is to begin with, which must be of this scene. The result
 * says what a run needs to know of it. */
#include "worker/jobs/task.h"

static void import_needs(job *j)
{
    if (!etna_hash_is_zero(&j->task.start))
        task_need(j, &j->task.start);
}

/* The camera is chosen here, once for the run, and told to every later task. */
static void make_base(job *j)
{
    const scene *s = j->warm->scene;
    snapshot base = {0};
    bool is_given = j->blob_count > 0; /* it was decoded over this scene */
    etna_code code = is_given ? ETNA_OK : snapshot_base(s, &base, &j->error);
    if (code == ETNA_OK && !is_given)
        code = snapshot_encode(&base, &j->made.data, &j->made.size,
                               &j->made.hash, &j->error);
    snapshot_free(&base);
    space *sp = NULL;
    if (code == ETNA_OK)
        code = space_new(j->warm->shared, &sp, &j->error);
    if (code == ETNA_OK)
        code = task_choose_camera(j, sp, &j->result.camera);
    space_free(sp);
    j->error.code = code;
}

static void import_finish(job *j, const job_event *event, job_want *want)
{
    (void)event;
    const scene *s = j->warm->scene;
    j->result.snapshot = j->blob_count > 0 ? j->task.start : j->made.hash;
    j->result.object_count = s->object_count;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!s->objects[i].is_static && !s->objects[i].immovable)
            j->result.movable_count++;
    }
    j->result.warning_count = s->report.warning_count;
    /* the job holds the scene until the result is packed */
    j->result.warnings = s->report.warnings;
    task_done(j, want);
}

static void import_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    if (j->blob_count > 0)
        task_want_pool(j, want, make_base, import_finish);
    else
        task_want_blob(j, want, make_base, import_finish);
}

const job_kind task_import = {
    .name = "import", .needs = import_needs, .begin = import_begin};
