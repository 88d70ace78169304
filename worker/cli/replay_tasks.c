/* See replay_tasks.h. One lock plays the worker's loop: whoever holds it may
 * step a job or read the store; only what computes runs without it, as it would
 * on the pool. */
#include "worker/cli/replay_tasks.h"

#include "worker/jobs/job.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all threads; `next` is under the lock. */
typedef struct redo {
    const redo_options *options;
    job_shared *shared;
    redo_task *tasks;
    uint32_t count, next;
    pthread_mutex_t lock;
} redo;

typedef struct doing { /* one task on its way */
    redo *all;
    uint32_t index;
    job *job;
    job_want want;
} doing;

static const char *role_name(uint32_t role)
{
    static const char *const names[ROLE_COUNT] = {
        "nobody", "planner", "executor", "evaluator",
        "judge",  "solver",  "reader"};
    return role < ROLE_COUNT ? names[role] : "nobody";
}

static void redo_step(doing *d, const job_event *event)
{
    memset(&d->want, 0, sizeof d->want);
    job_step(d->job, event, &d->want);
}

static void step_failed(doing *d, const etna_error *err)
{
    etna_error kept = *err; /* the job may overwrite what `err` came from */
    redo_step(d, &(job_event){.kind = EVENT_FAILED,
                              .code = kept.code,
                              .text = kept.text});
}

static void redo_fetch(doing *d)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err = {0};
    if (store_get_blob(d->all->options->store, &d->want.hash, &data, &size,
                       &err)) {
        step_failed(d, &err);
        return;
    }
    redo_step(d, &(job_event){.kind = EVENT_BLOB, .data = data, .size = size});
    free(data);
}

static void note_mismatch(doing *d, const etna_slot *slot)
{
    redo_task *t = &d->all->tasks[d->index];
    if (t->mismatch[0])
        return;
    snprintf(
        t->mismatch, sizeof t->mismatch,
        "turn %u of the %s at node %u, branch %u asks something else than was answered",
        slot->turn + 1, role_name(slot->role), slot->node, slot->branch);
}

/* The journal's answer to this question; *ret_same: the question is the very
 * same. */
static etna_code stored_reply(doing *d,
                              etna_arena *arena,
                              model_reply *ret,
                              bool *ret_same,
                              etna_error *err)
{
    const redo_options *o = d->all->options;
    const etna_slot *slot = &d->want.slot;
    store_reply row;
    etna_hash request;
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = store_get_reply(o->store, &o->run, slot, &row, err);
    if (code == ETNA_E_NOTFOUND) {
        return etna_fail(
            err, code,
            "turn %u of the %s at node %u, branch %u was never answered: what is asked now is not what was asked then",
            slot->turn + 1, role_name(slot->role), slot->node, slot->branch);
    }
    if (!code)
        code = model_request_hash(d->want.request, &request, err);
    if (!code)
        code = store_get_blob(o->store, &row.reply, &data, &size, err);
    if (!code)
        code = model_reply_decode(data, size, arena, ret, err);
    free(data);
    if (!code)
        *ret_same = etna_hash_equal(&request, &row.request);
    return code;
}

/* Goes on with the stored answer even if the question differs, to see where
 * that leads; the difference is noted. */
static void redo_answer(doing *d)
{
    const redo_options *o = d->all->options;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    model_reply reply;
    bool same = true;
    if (stored_reply(d, &arena, &reply, &same, &err)) {
        step_failed(d, &err);
    } else {
        if (!same)
            note_mismatch(d, &d->want.slot);
        if (o->call)
            o->call(o->context, d->index, &d->want.slot, d->want.request,
                    &reply, same);
        redo_step(d, &(job_event){.kind = EVENT_REPLY, .reply = &reply});
        const char *read = o->call ? job_read_as(d->job, &reply, &arena) : NULL;
        if (read)
            o->read(o->context, d->index, read);
    }
    etna_arena_free(&arena);
}

static void redo_work(doing *d)
{
    pthread_mutex_unlock(&d->all->lock);
    job_work(d->job);
    pthread_mutex_lock(&d->all->lock);
    redo_step(d, &(job_event){.kind = EVENT_WORKED});
}

static void redo_finish(doing *d)
{
    redo_task *t = &d->all->tasks[d->index];
    const job_want *want = &d->want;
    if (want->code) {
        etna_fail(&t->error, want->code, "%s",
                  want->text ? want->text : etna_code_name(want->code));
    } else if (!want->result) {
        etna_fail(&t->error, ETNA_E_INTERNAL, "a job ended without a result");
    } else {
        arrange_result_pack(want->result, &t->result, &t->result_size,
                            &t->error);
    }
}

/* Runs a job as a worker would, with the store in place of the network. */
static void do_task(redo *all, uint32_t index)
{
    redo_task *t = &all->tasks[index];
    doing d = {.all = all, .index = index};
    if (job_new(all->shared, t->kind, t->payload, t->size, &d.job, &t->error))
        return;
    redo_step(&d, &(job_event){.kind = EVENT_START});
    while (d.want.kind != WANT_DONE && !t->error.code) {
        switch (d.want.kind) {
        case WANT_POOL: redo_work(&d); break;
        case WANT_FETCH: redo_fetch(&d); break;
        case WANT_KEEP:
            redo_step(&d, &(job_event){.kind = EVENT_KEPT});
            break; /* nothing is kept: the store has it, or it differs */
        case WANT_CALL: redo_answer(&d); break;
        default:
            etna_fail(&t->error, ETNA_E_INTERNAL,
                      "a job wants what is not known here");
            break;
        }
    }
    if (!t->error.code)
        redo_finish(&d);
    job_free(d.job);
}

static void *run_tasks(void *context)
{
    redo *all = context;
    pthread_mutex_lock(&all->lock);
    while (all->next < all->count)
        do_task(all, all->next++);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* Tasks are independent; each keeps its own error. */
etna_code redo_all(const redo_options *options,
                   redo_task *tasks,
                   uint32_t count,
                   etna_error *err)
{
    enum {
        THREADS_MAX = 64
    };
    redo all = {.options = options, .tasks = tasks, .count = count};
    pthread_t threads[THREADS_MAX];
    uint32_t wanted =
        options->threads < THREADS_MAX ? options->threads : THREADS_MAX;
    uint32_t started = 0;
    for (uint32_t i = 0; i < count; i++) {
        tasks[i].error = (etna_error){0};
        tasks[i].result = NULL;
        tasks[i].result_size = 0;
        tasks[i].mismatch[0] = 0;
    }
    etna_code code = job_shared_new(options->memory, &all.shared, err);
    if (code)
        return code;
    if (pthread_mutex_init(&all.lock, NULL)) {
        job_shared_free(all.shared);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a lock");
    }
    while (started + 1 < wanted && started + 1 < count &&
           !pthread_create(&threads[started], NULL, run_tasks, &all))
        started++;
    run_tasks(&all); /* this thread is one of them */
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&all.lock);
    job_shared_free(all.shared);
    return ETNA_OK;
}
