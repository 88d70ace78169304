/* The import task: the scene must import, and S_0 is its base snapshot.
 * The result says what a run needs to know of it. */
#include "worker/jobs/task.h"

static void make_base(job *j)
{
    const scene *s = j->warm->scene;
    snapshot base = {0};
    etna_code code = snapshot_base(s, &base, &j->error);
    if (code == ETNA_OK) code = snapshot_encode(&base, &j->made.data, &j->made.size, &j->made.hash, &j->error);
    snapshot_free(&base);
    space *sp = NULL;
    if (code == ETNA_OK) code = space_new(j->warm->shared, &sp, &j->error);
    if (code == ETNA_OK) code = task_choose_camera(j, sp, &j->result.camera);
    space_free(sp);
    j->error.code = code;
}

static void finish(job *j, const job_event *event, job_want *want)
{
    (void)event;
    const scene *s = j->warm->scene;
    j->result.snapshot = j->made.hash;
    j->result.object_count = s->object_count;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!s->objects[i].is_static && !s->objects[i].immovable) j->result.movable_count++;
    }
    j->result.warning_count = s->report.warning_count;
    j->result.warnings = s->report.warnings; /* the job holds the scene until the result is packed */
    task_done(j, want);
}

static void begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_want_blob(j, want, make_base, finish);
}

const job_kind task_import = {.name = "import", .begin = begin};
