/* What the task kinds share: the job's fields, the common opening (fetch the
 * scene and the snapshots a task names, import, restore) and the helpers by
 * which a kind says what it wants next. A kind is one file: a `job_kind` with a
 * begin phase.
 *
 *      EVENT_START -> fetch blobs one by one -> pool: import, decode ->
 *      kind->begin -> ... -> WANT_DONE
 *
 * A phase is the function that gets the next event. Whatever fails at any point
 * ends in task_fail(). */
#ifndef ETNA_WORKER_JOBS_TASK_H
#define ETNA_WORKER_JOBS_TASK_H

#include "worker/agents/agent.h"
#include "worker/agents/facts.h"
#include "worker/jobs/job.h"
#include "worker/jobs/scene_cache.h"
#include "worker/view/view.h"

enum {
    TASK_BLOBS_MAX = 4
};

typedef void (*task_phase)(job *j, const job_event *event, job_want *want);

/* planner_begin and its like. */
typedef etna_code (*task_begin)(const arrange_task *task,
                                const agent_view *view,
                                agent **ret_agent,
                                agent_step *ret_step,
                                etna_error *err);

typedef struct task_blob { /* a snapshot the task names */
    etna_hash hash;
    uint8_t *data;
    size_t size;
    snapshot snap;
} task_blob;

/* what an agent is shown of one snapshot; made on the pool */
typedef struct task_sight {
    space *space; /* stands at the snapshot */
    scene_camera camera;
    /* what the scene is shown by where nothing is named: left and right are as
     * there */
    scene_camera usual;
    seen *seen;
    /* of the snapshot the run began with; NULL: that is the one it stands at */
    seen *began;
} task_sight;

typedef struct job_kind {
    const char *name;
    /* Names the snapshots it needs into j->blobs (hashes, j->blob_count). */
    void (*needs)(job *j);
    /* What the task calls its scene is none: it stays j->bundle. */
    bool takes_bytes;
    /* Scene and snapshots are there. Says what it wants next; runs on the loop,
     * so it must be quick. */
    task_phase begin;
    void (*end)(job *j); /* frees j->state's insides; may be NULL */
} job_kind;

struct job {
    job_shared *shared;
    const job_kind *kind;
    /* the task, requests, results: everything that lives as long as the job */
    etna_arena arena;
    arrange_task task;
    arrange_result result;
    task_phase phase;
    void (*work)(job *j);
    /* instead of `work`, where there are `pieces` */
    void (*piece)(job *j, uint32_t piece);
    uint32_t pieces;
    cached_scene *warm;
    uint8_t *bundle; /* fetched, not yet imported */
    size_t bundle_size;
    uint32_t blob_count, blob_at;
    /* the longest of images as its model gets them; 0: as they are made */
    uint32_t image_side;
    /* indices of the snapshots task.start and task.before.snapshot, where
     * has_start */
    uint32_t start_at, before_at;
    bool has_start;
    task_blob blobs[TASK_BLOBS_MAX];
    struct {
        uint8_t *data; /* owned */
        size_t size;
        etna_hash hash;
    } made; /* the blob that task_want_blob made and keeps */
    task_phase made_next;
    /* set by work: error.code not ETNA_OK fails the job at the next event */
    etna_error error;
    void *state; /* the kind's, in the arena */
    task_sight sight;
    /* NULL where the model is not told; the agent's as long as it lives */
    cached_facts *facts;
    agent *agent; /* the conversation, of kinds that hold one */
    agent_step step;
    /* of the turn under way: step.call_count, owned (task_conversation.c) */
    struct task_tool *tools;
    uint32_t tool_count;
    task_phase talked; /* once the agent is done */
};

extern const job_kind task_import, task_plan, task_branch, task_poll,
    task_judge, task_render, task_export, task_read, task_asset, task_furnish;

/* ---- opening ---- */
/* On the pool: fills task.before.moved, what the run before moved and where it
 * stood before it. */
etna_code task_find_moved(job *j);
/* Index into j->blobs of a snapshot needed (adds it once), or the index of a
 * full table's last. */
uint32_t task_need(job *j, const etna_hash *hash);

/* ---- wants ---- */
/* What a phase says. `next` gets the event that answers; failures never reach
 * it. */
void task_want_pool(job *j,
                    job_want *want,
                    void (*work)(job *j),
                    task_phase next);
/* The same in pieces, each of which writes only what is its own: it may not
 * touch j->arena or j->error. `count` is not 0. */
void task_want_pieces(job *j,
                      job_want *want,
                      uint32_t count,
                      void (*piece)(job *j, uint32_t piece),
                      task_phase next);
/* A call of a model for that slot: `next` gets the reply. The request is
 * borrowed until then. */
void task_want_call(job *j,
                    job_want *want,
                    const etna_slot *slot,
                    const model_request *request,
                    task_phase next);
/* Runs `make` on the pool, which fills j->made or j->error; gives the blob to
 * the coordinator; then `next`. */
void task_want_blob(job *j,
                    job_want *want,
                    void (*make)(job *j),
                    task_phase next);
/* The phase behind it where the blob is the result. */
void task_done_blob(job *j, const job_event *event, job_want *want);
/* j->made, already there */
void task_want_keep(job *j, job_want *want, task_phase next);
/* j->result is the result */
void task_done(job *j, job_want *want);
/* Ends the job with that code; `text` is copied into j->error, whose own text
 * may be given. */
void task_fail(job *j, job_want *want, etna_code code, const char *text);

/* ---- sight and talk ---- */
/* On the pool: restores a space to blob `index`'s snapshot and looks through
 * the run's camera: j->sight but its facts. */
etna_code task_look(job *j, uint32_t index);
/* Frees what the last look made; nothing is fine. */
void task_view_free(job *j);
/* On the pool, after task_look: tells the facts, when the model is the built-in
 * one or the run sends them to all, and begins the role's agent. `checks` NULL:
 * there is no edit to judge. */
etna_code task_begin_agent(job *j,
                           const facts_checks *checks,
                           task_begin begin);
/* A whole `look` for roles that see blob 0 and no edit: task_look,
 * task_begin_agent. What fails is in j->error. */
void task_open_agent(job *j, task_begin begin);
/* Goes on with j->agent by j->step: asks the model, runs tools on the pool,
 * until the agent is done; then `done`. */
void task_talk(job *j, job_want *want, task_phase done);
/* Frees the answers of the last round of tools, which its request borrowed. */
void task_forget_tools(job *j);
/* Runs `look` on the pool, which makes the sight and begins the agent, then
 * talks until `done`. */
void task_converse(job *j,
                   job_want *want,
                   void (*look)(job *j),
                   task_phase done);

/* The camera of the run: what import chose, by name, "auto", "cutaway" (what is
 * in its way is hidden in `sp`) or NULL (view_choose_camera with nothing to
 * look for). `sp` must stand at S_0, so that a derived camera is the same in
 * every task; it is wherever the caller puts it afterwards. */
etna_code task_camera(job *j, space *sp, scene_camera *ret_camera);
/* Does it look into an opened building (view_read_cutaway)? */
bool task_cuts_away(const job *j);

/* The same, with its error told there: j->error is for the thread that works. */
etna_code task_camera_into(job *j,
                           space *sp,
                           scene_camera *ret_camera,
                           etna_error *err);
/* Where the object stood before its edit, for an arrow from there; what was
 * brought in stood nowhere, and is where it is. */
const arrange_pose *task_pose_before(const space *sp,
                                     const snapshot *before,
                                     uint32_t object);

/* IMPORT: chooses that camera by what the goal or the steps name; the name
 * lives in the job's arena. `sp` stands at S_0. */
etna_code task_choose_camera(job *j, space *sp, const char **ret_name);
/* PLAN, BRANCH of a single agent: where the run's camera does not show all that
 * the step's sentence mentions as things stand now, and another does, that one
 * becomes the task's and the result's. */
etna_code task_choose_step_camera(job *j);
/* RENDER: *camera, the run's, becomes one that shows `object` before and after
 * the edit, where that one does not: the first of the file's that does, else
 * one made for it. `sp` is left anywhere. */
etna_code task_choose_edit_camera(job *j,
                                  space *sp,
                                  uint32_t object,
                                  scene_camera *camera);

/* By whose rules collisions and floating are told. */
space_rules task_rules(const job *j);
/* On the pool: who stood on what at S_0, by these rules. *own is what was made
 * for this task alone, for the caller to free whatever came of it; *ret is
 * that, or the warm scene's. */
etna_code task_start_support(job *j,
                             space_support_state *own,
                             const space_support_state **ret);

/* The slot of this task's calls, turn and repair zero. */
etna_slot task_slot(const job *j, etna_role role);

#endif
