/* What comes to the simulated coordinator over its connections: who may say it,
 * whether its blobs are there, and what the core makes of it. */
#include "coordinator/shell/gate.h"
#include "tests/sim/coordinator_internal.h"

#include <stdlib.h>

/* ---- answers without a step, and blobs ---- */

static void answer_self(sim *s,
                        sim_owner *k,
                        uint64_t handle,
                        const message *m,
                        message *answer,
                        sim_blob blob)
{
    answer->version = MESSAGE_VERSION;
    answer->epoch = k->epoch;
    answer->incarnation = m->incarnation;
    answer->sequence = m->sequence;
    core_send own = {.request = handle, .message = *answer};
    core_update nothing = {0};
    sim_group_add(s, k, &nothing, blob, &own);
}

static void refuse(sim *s,
                   sim_owner *k,
                   uint64_t handle,
                   const message *m,
                   etna_code code,
                   const char *text)
{
    message answer = {.kind = MESSAGE_REFUSED};
    answer.body.refused = (message_refused){.code = code, .text = text};
    answer_self(s, k, handle, m, &answer, (sim_blob){.data = NULL});
}

static void blob_put(sim *s, sim_owner *k, uint64_t handle, const message *m)
{
    const message_blob_chunk *chunk = &m->body.blob_put;
    message answer = {.kind = MESSAGE_BLOB_ACK};
    etna_error err = {0};
    uint64_t received = chunk->total;
    uint8_t *data = NULL;
    bool waits = s->options->lean || sim_blob_waiting(k, &chunk->hash);
    if (!waits &&
        blobs_put(k->parts, chunk, m->sender, &received, &data, &err)) {
        refuse(s, k, handle, m, err.code, err.text);
        return;
    }
    sim_blob blob = {
        .hash = chunk->hash, .data = data, .size = (size_t)chunk->total};
    answer.body.blob_ack =
        (message_blob_ack){.hash = chunk->hash, .received = received};
    answer_self(s, k, handle, m, &answer, blob);
}

static void blob_get(sim *s, sim_owner *k, uint64_t handle, const message *m)
{
    message answer = {.kind = MESSAGE_BLOB_CHUNK};
    etna_error err = {0};
    const sim_blob *waiting = sim_blob_waiting(k, &m->body.blob_get.hash);
    if (waiting && waiting->size <= MESSAGE_CHUNK) {
        answer.body.blob_chunk = (message_blob_chunk){.hash = waiting->hash,
                                                      .total = waiting->size,
                                                      .data = waiting->data,
                                                      .size = waiting->size};
    } else if (blobs_get(k->parts, &m->body.blob_get, &answer.body.blob_chunk,
                         &err)) {
        bool is_lost =
            err.code == ETNA_E_NOTFOUND && !waiting && !s->options->lies;
        if (is_lost)
            sim_breach(s, "a blob that was acknowledged is not there");
        refuse(s, k, handle, m, err.code, err.text);
        return;
    }
    answer_self(s, k, handle, m, &answer, (sim_blob){.data = NULL});
}
/* ---- who may say what: as coordinator/shell's request.c and rights.c have it
 * ---- */

static const message_task_ref *ref_of(const message *m)
{
    switch (m->kind) {
    case MESSAGE_RESULT: return &m->body.result.ref;
    case MESSAGE_CALL_BEGIN: return &m->body.call_begin.ref;
    case MESSAGE_CALL_END: return &m->body.call_end.ref;
    case MESSAGE_CALL_FAIL: return &m->body.call_fail.ref;
    case MESSAGE_BLOB_GET: return &m->body.blob_get.ref;
    case MESSAGE_BLOB_PUT: return &m->body.blob_put.ref;
    default: return NULL;
    }
}

static void mark_held(sim *s, message *m, etna_arena *arena)
{
    message_orders_request *asked = &m->body.orders_request;
    message_task_ref *marked =
        etna_arena_alloc(arena, asked->held_count, sizeof *marked);
    if (!marked)
        abort();
    for (uint32_t i = 0; i < asked->held_count; i++) {
        marked[i] = asked->held[i];
        marked[i].is_forged =
            !ticket_fits(&s->ticket_key, &marked[i], m->sender);
        s->report->forged += marked[i].is_forged;
    }
    asked->held = marked;
}

static bool is_let_in(sim *s,
                      sim_owner *k,
                      uint64_t handle,
                      uint64_t from,
                      message *m,
                      etna_arena *arena)
{
    const message_task_ref *ref = ref_of(m);
    seal_role role = from >= SIM_CLIENTS && from < SIM_STRANGERS
                         ? SEAL_SUBMITTER
                         : SEAL_WORKER;
    if (m->epoch > k->epoch) {
        refuse(s, k, handle, m, ETNA_E_STALE,
               "this coordinator's epoch is lower than one you have seen");
        return false;
    }
    if (!gate_may(role, m->kind)) {
        refuse(s, k, handle, m, ETNA_E_USAGE,
               "with such a token nobody may send it");
        return false;
    }
    bool is_right = !ref || ticket_fits(&s->ticket_key, ref, m->sender);
    uint32_t more = m->kind == MESSAGE_RESULT ? m->body.result.more_count : 0;
    for (uint32_t i = 0; i < more && is_right; i++)
        is_right =
            ticket_fits(&s->ticket_key, &m->body.result.more[i].ref, m->sender);
    if (!is_right && role == SEAL_WORKER) {
        s->report->forged++;
        refuse(s, k, handle, m, ETNA_E_USAGE,
               "the ticket of the lease is missing or is another's");
        return false;
    }
    if (m->kind == MESSAGE_ORDERS_REQUEST)
        mark_held(s, m, arena);
    return true;
}

/* ---- messages ---- */

static void note_call(const sim *s, sim_context *context, const message *m)
{
    const message_task_ref *ref = ref_of(m);
    switch (m->kind) {
    case MESSAGE_CALL_BEGIN: context->slot = m->body.call_begin.slot; break;
    case MESSAGE_CALL_END:
        context->ends_call = true;
        context->slot = m->body.call_end.slot;
        break;
    case MESSAGE_CALL_FAIL: context->slot = m->body.call_fail.slot; break;
    default: return;
    }
    context->run = sim_run_of(s, &ref->run);
    context->task = ref->task;
    context->attempt = ref->attempt;
}

static const char missing[] =
    "a blob that this message names was not put before it";

typedef struct sim_result { /* one of those in a message */
    message message;
    arrange_result unpacked;
    const arrange_result *result;
} sim_result;

static message_result result_at(const message_result *came, uint32_t i)
{
    message_result one = *came;
    one.more_count = 0;
    if (i == came->more_count)
        return one;
    const message_further_result *further = &came->more[i];
    one = (message_result){.ref = further->ref,
                           .error = further->error,
                           .error_text = further->error_text,
                           .cpu_us = further->cpu_us};
    one.payload = further->payload;
    one.payload_size = further->payload_size;
    return one;
}

/* False: a blob is missing. */
static bool result_read(sim *s,
                        const sim_owner *k,
                        sim_context *context,
                        sim_result *one,
                        etna_arena *arena)
{
    const message_result *came = &one->message.body.result;
    one->result = NULL;
    if (came->error)
        watch_error(s, context, came);
    if (came->error || arrange_result_unpack(came->payload, came->payload_size,
                                             arena, &one->unpacked, NULL))
        return true;
    one->result = &one->unpacked;
    context->result_runs[context->result_count] = sim_run_of(s, &came->ref.run);
    context->results[context->result_count++] = came->ref.task;
    return sim_blob_is_held(s, k, &one->unpacked.snapshot) &&
           sim_blob_is_held(s, k, &one->unpacked.blob);
}

/* As the real shell: all are looked at first, then each is a step, and the last
 * one has the answer. */
static void results_came(sim *s,
                         sim_owner *k,
                         uint64_t handle,
                         uint64_t pipe,
                         const message *m,
                         etna_arena *arena)
{
    uint32_t more = m->body.result.more_count;
    sim_context *context = &k->contexts[handle - 1];
    sim_result *all = etna_arena_alloc(arena, (size_t)more + 1, sizeof *all);
    if (!all)
        abort();
    for (uint32_t i = 0; i <= more; i++) {
        all[i].message = *m;
        all[i].message.body.result = result_at(&m->body.result, i);
        if (result_read(s, k, context, &all[i], arena))
            continue;
        context->result_count = 0;
        refuse(s, k, handle, m, ETNA_E_NOTFOUND, missing);
        return;
    }
    for (uint32_t i = 0; i <= more; i++) {
        core_event event = {.kind = CORE_MESSAGE,
                            .pipe = pipe,
                            .message = &all[i].message,
                            .result = all[i].result};
        if (i == more)
            event.request = handle;
        coordinator_step(s, k, event);
    }
}

static void hand_over(sim *s,
                      sim_owner *k,
                      uint64_t handle,
                      uint64_t pipe,
                      const message *m,
                      etna_arena *arena)
{
    arrange_config config;
    core_event event = {
        .kind = CORE_MESSAGE, .request = handle, .pipe = pipe, .message = m};
    if (m->kind == MESSAGE_RESULT) {
        results_came(s, k, handle, pipe, m, arena);
        return;
    }
    if (m->kind == MESSAGE_RUN_SUBMIT) {
        const message_run_submit *asked = &m->body.run_submit;
        etna_error err = {0};
        if (arrange_config_unpack(asked->config, asked->config_size, arena,
                                  &config, &err)) {
            refuse(s, k, handle, m, err.code, err.text);
            return;
        }
        event.config = &config;
    }
    if (m->kind == MESSAGE_CALL_END &&
        !sim_blob_is_held(s, k, &m->body.call_end.reply)) {
        refuse(s, k, handle, m, ETNA_E_NOTFOUND, missing);
    } else {
        coordinator_step(s, k, event);
    }
}

void coordinator_received(sim *s, sim_owner *k, const sim_event *event)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m = {.kind = MESSAGE_NONE};
    etna_error err = {0};
    etna_code code =
        message_unpack(event->bytes, event->size, &arena, &m, &err);
    if (code && event->a < SIM_STRANGERS)
        sim_breach(s, "a message does not unpack: %s", err.text);
    if (code)
        message_header(event->bytes, event->size, &m);
    sim_context context = {.from = event->a,
                           .life = event->b,
                           .request = event->c,
                           .pipe = event->pipe,
                           .kind = m.kind,
                           .sequence = m.sequence,
                           .incarnation = m.incarnation};
    if (!code)
        note_call(s, &context, &m);
    uint64_t handle = sim_context_new(k, &context);
    if (!code)
        watch_hears(s, k, event, &m);
    if (code) {
        refuse(s, k, handle, &m, code, err.text);
    } else if (is_let_in(s, k, handle, event->a, &m, &arena)) {
        switch (m.kind) {
        case MESSAGE_BLOB_PUT: blob_put(s, k, handle, &m); break;
        case MESSAGE_BLOB_GET: blob_get(s, k, handle, &m); break;
        default: hand_over(s, k, handle, event->pipe, &m, &arena);
        }
    }
    if (!code)
        watch_heard(s, k, event, &m);
    etna_arena_free(&arena);
}
