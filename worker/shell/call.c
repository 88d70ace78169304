/* Model calls for errands: hash the request, ask the coordinator, answer from what is stored or ask the provider, keep the
 * reply, report the end; the job hears of the reply only when that is durable.
 *
 *   hash -> call_begin --stored--> fetch reply ----------------------------> decode -> EVENT_REPLY
 *                      \--go--> provider -> encode -> keep -> call_end, ack --^
 *                      \--stop--> EVENT_FAILED
 *
 * A fresh reply is decoded from what was kept, so a job sees the same whether it was stored or not. */
#include "worker/shell/shell.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_A_TOKEN = 3, TOKENS_OUT = 4096 }; /* of the estimate; English runs at about four */

void call_forget(errand *e)
{
    free(e->reply);
    e->reply = NULL;
    e->reply_size = 0;
}

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
        uint8_t *own = e->reply; /* `data` may be it; the job may begin the next call in its step */
        e->reply = NULL;
        errand_step(e, &(job_event){.kind = EVENT_REPLY, .reply = &reply});
        free(own);
    }
    etna_arena_free(&arena);
}

/* ---- before ---- */

static bool is_builtin(const model_request *request) { return strcmp(request->model, "builtin") == 0; }

static message_usage estimate(const model_request *request)
{
    message_usage usage = {.calls = 1};
    if (is_builtin(request)) return usage;
    for (uint32_t m = 0; m < request->message_count; m++) {
        for (uint32_t p = 0; p < request->messages[m].part_count; p++) {
            const char *text = request->messages[m].parts[p].text;
            usage.tokens_in += text ? strlen(text) / BYTES_A_TOKEN : 0;
        }
    }
    usage.tokens_out = TOKENS_OUT;
    return usage;
}

static void work_hash(pool_task *task)
{
    errand *e = errand_of(task);
    model_request_hash(e->want.request, &e->request_hash, &e->error);
    e->usage = estimate(e->want.request);
}

static void hashed(errand *e)
{
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
        return;
    }
    shell_feed(e->shell,
               &(link_event){.kind = LINK_CALL_BEGIN,
                             .job = e->id,
                             .slot = e->want.slot,
                             .hash = e->request_hash,
                             .usage = e->usage,
                             .model = e->want.request->model},
               NULL);
}

void call_start(errand *e)
{
    call_forget(e);
    errand_work(e, work_hash, hashed);
}

/* ---- go ---- */

static etna_code ask(const model_request *request, etna_arena *arena, model_reply *ret, etna_error *err)
{
    if (is_builtin(request)) return builtin_answer(request, arena, ret, err);
    return etna_fail(err, ETNA_E_USAGE, "no model is called \"%s\" here: this version has \"builtin\" only; use --model builtin",
                     request->model);
}

static void work_ask(pool_task *task)
{
    errand *e = errand_of(task);
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply reply;
    memset(&reply, 0, sizeof reply);
    if (!ask(e->want.request, &arena, &reply, &e->error) &&
        !model_reply_encode(&reply, &e->reply, &e->reply_size, &e->error)) {
        e->usage = reply.usage;
        e->reply_hash = etna_hash_bytes(e->reply, e->reply_size);
    }
    etna_arena_free(&arena);
}

static void reply_kept(errand *e)
{
    shell_feed(e->shell,
               &(link_event){.kind = LINK_CALL_END,
                             .job = e->id,
                             .slot = e->want.slot,
                             .hash = e->request_hash,
                             .reply = e->reply_hash,
                             .usage = e->usage,
                             .model = e->want.request->model},
               NULL);
}

static void asked(errand *e)
{
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
    } else {
        blob_keep(e, &e->reply_hash, e->reply, e->reply_size, reply_kept);
    }
}

void call_ended(errand *e) { deliver(e, e->reply, e->reply_size); }

/* ---- stored ---- */

static void reply_fetched(errand *e)
{
    uint8_t *data = e->data;
    size_t size = e->size;
    e->data = NULL;
    blob_forget(e);
    deliver(e, data, size);
    free(data);
}

void call_answered(errand *e, const message_call_answer *answer)
{
    switch (answer->verdict) {
    case CALL_STORED: blob_fetch(e, &answer->reply, reply_fetched); return;
    case CALL_GO: errand_work(e, work_ask, asked); return;
    default: errand_failed(e, ETNA_E_CANCELLED, "the coordinator wants no more calls for this task"); return;
    }
}
