/* Jobs: the table of kinds, the common opening, and the plumbing between phases
 * and wants. See task.h.
 *
 * A job is a task in a worker. It never waits: each step ends with the one
 * thing that it wants (a blob, work in the pool, a call, a blob kept, the end),
 * and the shell comes back with an event when that is had. What comes then is a
 * function, the phase; so a kind of task reads as a chain of phases in its own
 * file, and this file has what all chains share: unpacking the task, fetching
 * the scene and the snapshots it needs, opening the scene. */
#include "worker/jobs/job.h"
#include "proto/models.h"
#include "worker/agents/read_as.h"
#include "worker/jobs/task.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const job_kind *const kinds[TASK_KIND_COUNT] = {
    [TASK_IMPORT] = &task_import, [TASK_PLAN] = &task_plan,
    [TASK_BRANCH] = &task_branch, [TASK_POLL] = &task_poll,
    [TASK_JUDGE] = &task_judge,   [TASK_RENDER] = &task_render,
    [TASK_EXPORT] = &task_export, [TASK_READ] = &task_read,
    [TASK_ASSET] = &task_asset,   [TASK_FURNISH] = &task_furnish,
};

static void job_fetch_next(job *j, job_want *want);

/* As slots and prompts have it. */
static uint32_t role_of(uint32_t kind)
{
    switch (kind) {
    case TASK_PLAN: return ROLE_PLANNER;
    case TASK_BRANCH: return ROLE_EXECUTOR;
    case TASK_POLL: return ROLE_EVALUATOR;
    case TASK_JUDGE: return ROLE_JUDGE;
    default: return ROLE_NONE; /* a reader's model is the task's own */
    }
}

/* A role may have a model of its own: the task's agent then asks that one. */
static etna_code choose_model(job *j, etna_error *err)
{
    models all;
    uint32_t role = role_of(j->task.kind);
    if (!j->task.models || !*j->task.models || role == ROLE_NONE)
        return ETNA_OK;
    etna_code code = models_from_json(j->task.models, strlen(j->task.models),
                                      &j->arena, &all, err);
    if (code != ETNA_OK)
        return code;
    if (all.role_model[role])
        j->task.model = all.role_model[role];
    const models_model *model = models_find(&all, j->task.model);
    if (!model)
        return ETNA_OK; /* who calls it says so */
    j->image_side = model->image_side[role];
    if (model->coordinates)
        j->task.coordinates = model->coordinates;
    return ETNA_OK;
}

/* NULL: none but the built-in agent. */
const char *job_models(const job *j)
{
    return j->task.models && *j->task.models ? j->task.models : NULL;
}

/* How an answer was understood, for `etna show`; NULL: nobody read it. */
const char *job_read_as(const job *j,
                        const model_reply *reply,
                        etna_arena *arena)
{
    return j->agent ? agent_read_as(j->agent, reply, arena) : NULL;
}

/* The kind stands twice, in the lease and in the payload; a coordinator that
 * gives two different ones is broken. */
etna_code job_new(job_shared *shared,
                  uint32_t kind,
                  const uint8_t *payload,
                  size_t size,
                  job **ret_job,
                  etna_error *err)
{
    if (kind >= TASK_KIND_COUNT || !kinds[kind]) {
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "task kind %u is unknown to this worker; run workers and coordinator of one version",
            kind);
    }
    job *j = calloc(1, sizeof *j);
    if (!j)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a job");
    j->shared = shared;
    j->kind = kinds[kind];
    etna_code code =
        arrange_task_unpack(payload, size, &j->arena, &j->task, err);
    if (code == ETNA_OK && j->task.kind != kind) {
        code = etna_fail(err, ETNA_E_MESSAGE,
                         "the lease says task kind %u, its payload %u", kind,
                         j->task.kind);
    }
    if (code == ETNA_OK)
        code = choose_model(j, err);
    if (code != ETNA_OK) {
        job_free(j);
        return code;
    }
    j->result.kind = kind;
    *ret_job = j;
    return ETNA_OK;
}

/* NULL is fine. */
void job_free(job *j)
{
    if (!j)
        return;
    if (j->kind->end && j->state)
        j->kind->end(j);
    for (uint32_t i = 0; i < j->blob_count; i++) {
        snapshot_free(&j->blobs[i].snap);
        free(j->blobs[i].data);
    }
    agent_free(j->agent);
    task_forget_tools(j);
    if (j->facts)
        view_cache_release_facts(j->warm->seen, j->facts);
    task_view_free(j);
    scene_cache_release(j->shared, j->warm);
    free(j->bundle);
    free(j->made.data);
    etna_arena_free(&j->arena);
    free(j);
}

/* For who has no pool: all pieces, one after another. */
void job_work(job *j)
{
    if (!j->pieces)
        j->work(j);
    for (uint32_t i = 0; i < j->pieces; i++)
        j->piece(j, i);
}

/* Pieces may run at once; each has its own part of the job. */
void job_piece(job *j, uint32_t piece)
{
    assert(piece < j->pieces);
    j->piece(j, piece);
}

/* The number by which the blob is asked for later; the same blob once. */
uint32_t task_need(job *j, const etna_hash *hash)
{
    for (uint32_t i = 0; i < j->blob_count; i++) {
        if (etna_hash_equal(&j->blobs[i].hash, hash))
            return i;
    }
    if (j->blob_count == TASK_BLOBS_MAX)
        return TASK_BLOBS_MAX - 1;
    j->blobs[j->blob_count].hash = *hash;
    return j->blob_count++;
}

/* Of a run that goes on from another's end: the snapshot that it began with,
 * and the other's. After the kind's own. */
static void task_need_start(job *j)
{
    const arrange_task *task = &j->task;
    bool plans = !etna_hash_is_zero(&task->before.snapshot);
    bool talks = task->kind == TASK_PLAN || task->kind == TASK_BRANCH ||
                 task->kind == TASK_POLL;
    if (etna_hash_is_zero(&task->start) || !talks)
        return;
    j->has_start = true;
    j->start_at = task_need(j, &task->start);
    j->before_at = plans ? task_need(j, &task->before.snapshot) : j->start_at;
}

/* Exactly: poses of snapshots are copied, never computed again, where nothing
 * moved. */
static bool stood_elsewhere(const arrange_pose *a, const arrange_pose *b)
{
    bool same = a->yaw == b->yaw;
    for (int i = 0; i < 3; i++)
        same = same && a->position[i] == b->position[i];
    return !same;
}

/* Bounded by ARRANGE_BEFORE_MAX; the first by the scene's order. */
etna_code task_find_moved(job *j)
{
    if (!j->has_start || j->before_at == j->start_at)
        return ETNA_OK;
    const snapshot *now = &j->blobs[j->start_at].snap;
    const snapshot *before = &j->blobs[j->before_at].snap;
    arrange_edit *moved =
        etna_arena_alloc(&j->arena, ARRANGE_BEFORE_MAX, sizeof *moved);
    uint32_t count = 0;
    if (!moved)
        return etna_fail(&j->error, ETNA_E_NOMEM,
                         "out of memory for what was moved before");
    for (uint32_t i = 0; i < now->object_count && count < ARRANGE_BEFORE_MAX;
         i++) {
        if (!stood_elsewhere(&now->poses[i], &before->poses[i]))
            continue;
        moved[count++] =
            (arrange_edit){.object = j->warm->scene->objects[i].name,
                           .pose = before->poses[i]};
    }
    j->task.before.moved = moved;
    j->task.before.moved_count = count;
    return ETNA_OK;
}

/* Where the call of a role belongs. */
etna_slot task_slot(const job *j, etna_role role)
{
    return (etna_slot){.node = j->task.node,
                       .branch = j->task.branch,
                       .role = role,
                       .poll = j->task.poll};
}

/* `work` runs on another thread, and nothing else of the job meanwhile. */
void task_want_pool(job *j,
                    job_want *want,
                    void (*work)(job *),
                    task_phase next)
{
    j->work = work;
    j->pieces = 0;
    j->phase = next;
    *want = (job_want){.kind = WANT_POOL};
}

/* `count` of them, which may run at once. */
void task_want_pieces(job *j,
                      job_want *want,
                      uint32_t count,
                      void (*piece)(job *j, uint32_t piece),
                      task_phase next)
{
    j->piece = piece;
    j->pieces = count;
    j->phase = next;
    *want = (job_want){.kind = WANT_POOL, .pieces = count};
}

/* The request must live until the answer. */
void task_want_call(job *j,
                    job_want *want,
                    const etna_slot *slot,
                    const model_request *request,
                    task_phase next)
{
    j->phase = next;
    *want = (job_want){.kind = WANT_CALL, .slot = *slot, .request = request};
}

/* What task_want_blob made. */
void task_want_keep(job *j, job_want *want, task_phase next)
{
    j->phase = next;
    *want = (job_want){.kind = WANT_KEEP,
                       .hash = j->made.hash,
                       .data = j->made.data,
                       .size = j->made.size};
}

/* Made, so it is kept. */
static void blob_made(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_want_keep(j, want, j->made_next);
}

/* Makes it in the pool, then keeps it. */
void task_want_blob(job *j,
                    job_want *want,
                    void (*make)(job *),
                    task_phase next)
{
    free(j->made.data);
    j->made.data = NULL;
    j->made_next = next;
    task_want_pool(j, want, make, blob_made);
}

/* With the job's result. */
void task_done(job *j, job_want *want)
{
    j->phase = NULL;
    *want =
        (job_want){.kind = WANT_DONE, .code = ETNA_OK, .result = &j->result};
}

/* The result is the blob that was kept. */
void task_done_blob(job *j, const job_event *event, job_want *want)
{
    (void)event;
    j->result.blob = j->made.hash;
    task_done(j, want);
}

/* `text` may be j->error's own. */
void task_fail(job *j, job_want *want, etna_code code, const char *text)
{
    if (text != j->error.text)
        etna_fail(&j->error, code, "%s", text ? text : "");
    j->phase = NULL;
    *want = (job_want){.kind = WANT_DONE, .code = code, .text = j->error.text};
}

/* On the pool: what the task names becomes a scene and snapshots. The bundle is
 * taken over by the import in every case. */
static void open_scene(job *j)
{
    etna_code code = ETNA_OK;
    if (!j->warm) {
        uint8_t *bundle = j->bundle;
        j->bundle = NULL;
        code = scene_cache_import(j->shared, &j->task.scene, bundle,
                                  j->bundle_size, &j->warm, &j->error);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < j->blob_count; i++) {
        task_blob *blob = &j->blobs[i];
        code = snapshot_decode(j->warm->scene, blob->data, blob->size,
                               &blob->snap, &j->error);
    }
    j->error.code = code;
}

/* From here on the kind decides. */
static void job_opened(job *j, const job_event *event, job_want *want)
{
    j->kind->begin(j, event, want);
}

/* Blobs come in the order in which they were asked for: the scene, then the
 * snapshots. */
static void job_took_blob(job *j, const job_event *event, job_want *want)
{
    uint8_t *copy = malloc(event->size ? event->size : 1);
    if (!copy) {
        task_fail(j, want, ETNA_E_NOMEM,
                  "out of memory for a blob of this task");
        return;
    }
    if (event->size)
        memcpy(copy, event->data, event->size);
    if (!j->warm && !j->bundle) {
        j->bundle = copy;
        j->bundle_size = event->size;
    } else {
        j->blobs[j->blob_at].data = copy;
        j->blobs[j->blob_at++].size = event->size;
    }
    job_fetch_next(j, want);
}

/* The scene, then the snapshots, one after another. */
static void job_fetch_next(job *j, job_want *want)
{
    const etna_hash *hash = NULL;
    if (!j->warm && !j->bundle) {
        hash = &j->task.scene;
    } else if (j->kind->takes_bytes) {
        j->kind->begin(j, NULL, want);
        return;
    } else if (j->blob_at < j->blob_count) {
        hash = &j->blobs[j->blob_at].hash;
    } else {
        task_want_pool(j, want, open_scene, job_opened);
        return;
    }
    j->phase = job_took_blob;
    *want = (job_want){.kind = WANT_FETCH, .hash = *hash};
}

/* A warm scene costs no fetch; it is pinned until job_free. */
static void job_start(job *j, job_want *want)
{
    if (j->kind->needs)
        j->kind->needs(j);
    task_need_start(j);
    if (!j->kind->takes_bytes)
        j->warm = scene_cache_acquire(j->shared, &j->task.scene);
    job_fetch_next(j, want);
}

/* Failures and errors of work are handled here, once, so that a phase sees only
 * what it asked for. */
void job_step(job *j, const job_event *event, job_want *ret_want)
{
    if (event->kind == EVENT_START) {
        job_start(j, ret_want);
    } else if (event->kind == EVENT_FAILED) {
        task_fail(j, ret_want,
                  event->code != ETNA_OK ? event->code : ETNA_E_INTERNAL,
                  event->text);
    } else if (event->kind == EVENT_WORKED && j->error.code != ETNA_OK) {
        task_fail(j, ret_want, j->error.code, j->error.text);
    } else if (j->phase) {
        j->phase(j, event, ret_want);
    } else {
        task_fail(j, ret_want, ETNA_E_INTERNAL,
                  "the job was stepped after its end");
    }
}
