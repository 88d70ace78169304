/* Errands: jobs and what they want. A job's step says what it wants; it is had
 * from the pool, the cache, the coordinator or a model; and the job steps on.
 *
 * An errand is a job with everything that waits for it in this process. Wants
 * are served one at a time (begin_want), each by a file of its own (blob.c,
 * call.c and talk.c, pool.c); when one is had, errand_step hands the event to
 * the job and begins the next want at once. A job that is cancelled is only
 * marked while a thread of the pool works on it: errand_gone comes when that
 * thread is back. A result that could not be sent is an error result, so that
 * the coordinator never waits for one that was lost here. */
#include "worker/shell/shell.h"

#include "proto/cpu_time.h"

#include <stdlib.h>
#include <string.h>

errand *errand_of(pool_task *task)
{
    return task->context;
}

/* NULL: it is over. */
errand *errand_by_id(shell *s, uint64_t id)
{
    return table_get(&s->errand_table, id);
}

/* Never while the pool has it: see errand_cancel. */
static void errand_free(errand *e)
{
    *(e->before ? &e->before->after : &e->shell->errands) = e->after;
    if (e->after)
        e->after->before = e->before;
    table_remove(&e->shell->errand_table, e->id);
    call_forget(e); /* its pictures are the job's */
    talk_leave(e);
    job_free(e->job);
    blob_forget(e);
    fetch_claim_free(e->claim);
    free(e->pieces);
    free(e);
}

/* At the end. */
void errand_free_all(shell *s)
{
    while (s->errands)
        errand_free(s->errands);
    table_free(&s->errand_table);
    table_free(&s->download_table);
    due_free(&s->talks_due);
}

/* ---- the pool ---- */

/* `unbilled` is told with it, so that the coordinator books nothing for a call
 * that was never sent whole. */
static void tell_gone(errand *e)
{
    const link_event gone = {.kind = LINK_JOB_GONE,
                             .job = e->id,
                             .slot = e->want.slot,
                             .unbilled = talk_is_unbilled(e)};
    shell_feed(e->shell, &gone, NULL);
    e->is_told_gone = true;
}

/* The link must hear of it once. */
static void errand_gone(errand *e)
{
    if (!e->is_told_gone)
        tell_gone(e);
    errand_free(e);
}

/* The one way back from the pool; a cancelled errand ends here. */
static void worked(errand *e)
{
    e->busy = false;
    if (e->cancelled) {
        errand_gone(e);
        return;
    }
    e->then(e);
}

/* In the loop. */
static void work_done(pool_task *task)
{
    worked(errand_of(task));
}

/* Nothing else of the errand happens meanwhile. */
static void begin_work(errand *e, void (*done)(errand *e))
{
    e->busy = true;
    e->then = done;
    e->error.code = ETNA_OK;
}

/* Until now, of what this thread did since then. What the loop does for an
 * errand is little, and is not told apart. */
static void add_cpu(errand *e, uint64_t since)
{
    atomic_fetch_add_explicit(&e->cpu_us, cpu_time_us() - since,
                              memory_order_relaxed);
}

static void work_counted(pool_task *task)
{
    errand *e = errand_of(task);
    uint64_t since = cpu_time_us();
    e->work(task);
    add_cpu(e, since);
}

/* `done` is called in the loop. */
void errand_work(errand *e,
                 void (*work)(pool_task *task),
                 void (*done)(errand *e))
{
    begin_work(e, done);
    e->work = work;
    e->task =
        (pool_task){.work = work_counted, .done = work_done, .context = e};
    pool_submit(e->shell->pool, &e->task);
}

/* A piece that has not begun when its errand is cancelled is passed over; one
 * that runs is waited for. */
static void work_piece(pool_task *task)
{
    const errand_piece *piece = task->context;
    errand *e = piece->errand;
    if (atomic_load(&e->leave))
        return;
    uint64_t since = cpu_time_us();
    e->piece(e, piece->number);
    add_cpu(e, since);
}

/* On the loop's thread, so the count needs no atomics. */
static void piece_done(pool_task *task)
{
    const errand_piece *piece = task->context;
    errand *e = piece->errand;
    if (--e->pieces_left)
        return;
    free(e->pieces);
    e->pieces = NULL;
    worked(e);
}

/* Until it is told to leave. */
static void work_all_pieces(pool_task *task)
{
    errand *e = errand_of(task);
    for (uint32_t i = 0; i < e->piece_count && !atomic_load(&e->leave); i++)
        e->piece(e, i);
}

/* As many at once as the pool has threads. */
void errand_work_pieces(errand *e,
                        uint32_t count,
                        void (*piece)(errand *e, uint32_t number),
                        void (*done)(errand *e))
{
    e->piece = piece;
    e->piece_count = e->pieces_left = count;
    e->pieces = count > 1 ? calloc(count, sizeof *e->pieces) : NULL;
    /* one, or no memory to say who does which: one after another */
    if (!e->pieces) {
        errand_work(e, work_all_pieces, done);
        return;
    }
    begin_work(e, done);
    for (uint32_t i = 0; i < count; i++) {
        e->pieces[i] = (errand_piece){.task = {.work = work_piece,
                                               .done = piece_done,
                                               .context = &e->pieces[i]},
                                      .errand = e,
                                      .number = i};
        pool_submit(e->shell->pool, &e->pieces[i].task);
    }
}

/* What the pool has cannot be taken back; the errand is freed by the thread's
 * return. */
void errand_cancel(errand *e)
{
    e->cancelled = true;
    atomic_store(&e->leave, true);
    blob_gave_up(e);
    if (!e->busy) {
        errand_gone(e);
    } else if (talk_is_unbilled(e)) {
        /* at once, as its run may end before its thread does: work_done frees
         * it */
        tell_gone(e);
    }
}

/* ---- the end ---- */

/* The coordinator gives tasks to workers that hold their scene; this is how it
 * knows. */
static void tell_warm(shell *s)
{
    etna_hash warm[MESSAGE_WARM_MAX];
    uint32_t count = job_shared_warm(s->shared, warm, MESSAGE_WARM_MAX);
    etna_hash *copy = malloc(count * sizeof *copy + 1);
    if (!copy)
        return; /* it only helps */
    memcpy(copy, warm, count * sizeof *copy);
    shell_feed(
        s, &(link_event){.kind = LINK_WARM, .warm = copy, .warm_count = count},
        copy);
}

/* Takes `payload`. Frees the errand: nothing may touch it after this. */
static void end_with(
    errand *e, etna_code code, const char *text, uint8_t *payload, size_t size)
{
    shell *s = e->shell;
    /* first, so that the lease request that the free slot brings names them */
    tell_warm(s);
    shell_feed(s,
               &(link_event){.kind = LINK_JOB_DONE,
                             .job = e->id,
                             .code = code,
                             .text = text,
                             .data = payload,
                             .size = size,
                             .cpu_us = atomic_load(&e->cpu_us)},
               payload);
    errand_free(e);
}

/* A result that cannot be packed is an error of ours. */
static void job_done(errand *e)
{
    const job_want *want = &e->want;
    uint8_t *payload = NULL;
    size_t size = 0;
    etna_error err = {.code = want->code};
    if (want->code != ETNA_OK) {
        end_with(e, want->code,
                 want->text ? want->text : etna_code_name(want->code), NULL, 0);
    } else if (!want->result) {
        end_with(e, ETNA_E_INTERNAL, "a job ended without a result", NULL, 0);
    } else if (arrange_result_pack(want->result, &payload, &size, &err)) {
        etna_error_prefix(&err, "the result of a task cannot be sent");
        end_with(e, err.code == ETNA_E_NOMEM ? ETNA_E_NOMEM : ETNA_E_INTERNAL,
                 err.text, NULL, 0);
    } else {
        end_with(e, ETNA_OK, NULL, payload, size);
    }
}

/* ---- the steps ---- */

/* On a thread of the pool. */
static void work_job(pool_task *task)
{
    job_work(errand_of(task)->job);
}

/* The same, of one piece. */
static void work_job_piece(errand *e, uint32_t number)
{
    job_piece(e->job, number);
}

/* In the loop. */
static void job_worked(errand *e)
{
    errand_step(e, &(job_event){.kind = EVENT_WORKED});
}

/* The bytes are the errand's until the next step. */
static void job_fetched(errand *e)
{
    errand_step(
        e, &(job_event){.kind = EVENT_BLOB, .data = e->data, .size = e->size});
}

/* The coordinator has it. */
static void job_kept(errand *e)
{
    errand_step(e, &(job_event){.kind = EVENT_KEPT});
}

/* A job of a newer version may want something else; the task fails, the worker
 * goes on. */
static void begin_want(errand *e)
{
    const job_want *want = &e->want;
    switch (want->kind) {
    case WANT_POOL:
        if (want->pieces) {
            errand_work_pieces(e, want->pieces, work_job_piece, job_worked);
        } else {
            errand_work(e, work_job, job_worked);
        }
        return;
    case WANT_FETCH: blob_fetch(e, &want->hash, job_fetched); return;
    case WANT_KEEP:
        blob_keep(e, &want->hash, want->data, want->size, job_kept);
        return;
    case WANT_CALL: call_start(e); return;
    case WANT_DONE: job_done(e); return;
    }
    end_with(e, ETNA_E_INTERNAL, "a job wants what this worker does not know",
             NULL, 0);
}

/* The job's next want is begun at once. */
void errand_step(errand *e, const job_event *event)
{
    /* the event may point into it, and the next want may fetch again */
    uint8_t *data = e->data;
    e->data = NULL;
    e->size = e->room = 0;
    memset(&e->want, 0, sizeof e->want);
    job_step(e->job, event, &e->want);
    free(data);
    begin_want(e);
}

/* What failed is an event for the job like any other; most jobs end by it, with
 * that code. */
void errand_failed(errand *e, etna_code code, const char *text)
{
    etna_error kept = {.code = code};
    etna_fail(&kept, code, "%s",
              text ? text
                   /* the text may be the errand's own, or its call's */
                   : etna_code_name(code));
    blob_gave_up(e);
    call_forget(e);
    errand_step(
        e, &(job_event){.kind = EVENT_FAILED, .code = code, .text = kept.text});
}

/* Every failure comes out as LINK_JOB_DONE with an error: the coordinator hears
 * of it as of a result. */
void errand_start(shell *s, uint64_t id, const message_lease *lease)
{
    etna_error err = {.code = ETNA_E_NOMEM, .text = "out of memory for a task"};
    etna_code code = ETNA_E_NOMEM;
    errand *e = calloc(1, sizeof *e);
    if (e && table_put(&s->errand_table, id, e))
        code = job_new(s->shared, lease->task_kind, lease->payload,
                       lease->payload_size, &e->job, &err);
    if (code) {
        table_remove(&s->errand_table, id);
        free(e);
        shell_feed(s,
                   &(link_event){.kind = LINK_JOB_DONE,
                                 .job = id,
                                 .code = code,
                                 .text = err.text},
                   NULL);
        return;
    }
    e->shell = s;
    e->id = e->again.id = id;
    chain_init(&e->waiters);
    e->run = lease->ref.run;
    e->after = s->errands;
    if (e->after)
        e->after->before = e;
    s->errands = e;
    errand_step(e, &(job_event){.kind = EVENT_START});
}
