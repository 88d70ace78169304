/* Model calls for errands: hash the request, ask the coordinator, answer from
 * what is stored or ask the provider, keep the reply, report the end; the job
 * hears of the reply only when that is durable.
 *
 *   hash -> call_begin --stored--> fetch reply ---------------------------->
 *   decode -> EVENT_REPLY
 *                      \--go--> provider -> encode -> keep -> call_end, ack --^
 *                      \--stop--> EVENT_FAILED
 *
 * The provider is the built-in agent, on the pool, or a network's model:
 * talk.c.
 *
 * A fresh reply is decoded from what was kept, so a job sees the same whether
 * it was stored or not. */
#include "worker/shell/shell.h"

#include <stdlib.h>
#include <string.h>

void call_forget(errand *e)
{
    free(e->reply);
    e->reply = NULL;
    e->reply_size = 0;
    e->images_left_out = e->texts_left_out = 0;
    talk_end(e);
}

const char *call_model(const errand *e)
{
    return e->instead ? e->instead : e->want.request->model;
}

bool call_is_builtin(const errand *e)
{
    return strcmp(call_model(e), "builtin") == 0;
}

/* `data` may be e->reply: it is freed only after the step, and taken out of the
 * errand before it, since the step may begin the next call. */
static void deliver(errand *e, const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    model_reply reply;
    etna_code code = model_reply_decode(data, size, &arena, &reply, &err);
    if (code) {
        etna_error_prefix(&err, "a kept reply of a model");
        errand_failed(e, code, err.text);
    } else {
        /* `data` may be it; the job may begin the next call in its step */
        uint8_t *own = e->reply;
        e->reply = NULL;
        talk_end(e);
        errand_step(e, &(job_event){.kind = EVENT_REPLY, .reply = &reply});
        free(own);
    }
    etna_arena_free(&arena);
}

/* ---- before ---- */

/* On the pool: a request may hold megabytes of facts. */
static void work_hash(pool_task *task)
{
    errand *e = errand_of(task);
    model_request_hash(e->want.request, &e->request_hash, &e->error);
    e->usage = (message_usage){.calls = 1};
    if (!call_is_builtin(e))
        talk_estimate(e);
}

void call_begin(errand *e)
{
    shell_feed(e->shell,
               &(link_event){.kind = LINK_CALL_BEGIN,
                             .job = e->id,
                             .slot = e->want.slot,
                             .hash = e->request_hash,
                             .usage = e->usage,
                             .model = call_model(e),
                             .elsewhere = !call_is_builtin(e)},
               NULL);
}

static void hashed(errand *e)
{
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
        return;
    }
    call_begin(e);
}

/* Forgets the call before it, whose reply the job has had. */
void call_start(errand *e)
{
    etna_error err = {0};
    call_forget(e);
    if (!call_is_builtin(e) && !talk_open(e, &err)) {
        errand_failed(e, err.code, err.text);
        return;
    }
    errand_work(e, work_hash, hashed);
}

/* ---- go ---- */

static void work_ask(pool_task *task)
{
    errand *e = errand_of(task);
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply reply;
    memset(&reply, 0, sizeof reply);
    if (!builtin_answer(e->want.request, &arena, &reply, &e->error) &&
        !model_reply_encode(&reply, &e->reply, &e->reply_size, &e->error)) {
        e->usage = reply.usage;
        e->reply_hash = etna_hash_bytes(e->reply, e->reply_size);
    }
    etna_arena_free(&arena);
}

/* The order is what makes a paid reply safe: first the blob is durable, then
 * the call's end names it, and only its acknowledgement lets the job act. */
static void reply_kept(errand *e)
{
    shell_feed(e->shell,
               &(link_event){.kind = LINK_CALL_END,
                             .job = e->id,
                             .slot = e->want.slot,
                             .hash = e->request_hash,
                             .reply = e->reply_hash,
                             .usage = e->usage,
                             .images_left_out = e->images_left_out,
                             .texts_left_out = e->texts_left_out,
                             .model = call_model(e)},
               NULL);
}

void call_replied(errand *e)
{
    blob_keep(e, &e->reply_hash, e->reply, e->reply_size, reply_kept);
}

static void asked(errand *e)
{
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
    } else {
        call_replied(e);
    }
}

static void call_ask_builtin(errand *e)
{
    errand_work(e, work_ask, asked);
}

void call_ended(errand *e)
{
    deliver(e, e->reply, e->reply_size);
}

/* ---- stored ---- */

/* The data is taken out of the errand first: the step may fetch again. */
static void reply_fetched(errand *e)
{
    uint8_t *data = e->data;
    size_t size = e->size;
    e->data = NULL;
    blob_forget(e);
    deliver(e, data, size);
    free(data);
}

/* CALL_WAIT with a talk is the coordinator's answer to a failed try, or its
 * wish that the call begins later. */
void call_answered(errand *e, const message_call_answer *answer)
{
    if (talk_failing(e) || (answer->verdict == CALL_WAIT && e->talk)) {
        talk_answered(e, answer);
        return;
    }
    switch (answer->verdict) {
    case CALL_STORED: blob_fetch(e, &answer->reply, reply_fetched); return;
    case CALL_GO:
        if (call_is_builtin(e)) {
            call_ask_builtin(e);
        } else {
            talk_go(e);
        }
        return;
    default:
        errand_failed(e, ETNA_E_CANCELLED,
                      "the coordinator wants no more calls for this task");
        return;
    }
}
