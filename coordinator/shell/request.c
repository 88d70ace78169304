/* A request from the wire: unpacked, checked against its sender's rights, its
 * blobs looked for, and then given to the core as one event, or to the file
 * that serves its kind.
 *
 *   inbox ──> request_taken ──┬─ full.c      while the disk is full
 *                             ├─ refused     another epoch, role or ticket
 *                             └─ request_dispatch ──┬─ blobs, upkeep, lists
 *                                                   └─ request_take ──> core */
#include "coordinator/shell/full.h"
#include "coordinator/shell/recover.h"
#include "coordinator/shell/rights.h"
#include "coordinator/shell/shell_internal.h"
#include "proto/array.h"
#include "proto/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Answers REFUSED with a code and a text for the person at the other end. */
void request_refuse(shell *s,
                    uint64_t request,
                    const message *of,
                    etna_code code,
                    const char *text)
{
    message answer = {.version = MESSAGE_VERSION,
                      .epoch = store_epoch(s->options.store),
                      .kind = MESSAGE_REFUSED};
    answer.incarnation = of->incarnation;
    answer.sequence = of->sequence;
    answer.body.refused = (message_refused){(uint32_t)code, text};
    shell_answer(s, request, &answer);
}

static void refuse_error(shell *s,
                         uint64_t request,
                         const message *of,
                         const etna_error *err)
{
    request_refuse(s, request, of, err->code, err->text);
}

etna_code request_know_models(shell *s, const char *json, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    models all;
    core_event event = {.kind = CORE_MODELS, .models = &all};
    etna_code code =
        json && *json ? models_from_json(json, strlen(json), &arena, &all, err)
                      : ETNA_OK;
    if (!code && json && *json)
        shell_step(s, &event);
    etna_arena_free(&arena);
    return code;
}

static etna_code know_models_of(shell *s, const etna_id *run, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    etna_code code = core_view(s->c, run, &arena, &view, err);
    if (!code)
        code = request_know_models(s, view.config->models, err);
    etna_arena_free(&arena);
    return code;
}

etna_code shell_load(shell *s, const etna_id *run, etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    store_run row;
    if (rows_find(s, run))
        return ETNA_OK;
    etna_code code = store_get_run(s->options.store, run, &row, &arena, err);
    if (!code && (code = recover_run(s->options.store, s->c, run, err))) {
        /* what could be read; it is read anew when it is asked for */
        core_event half = {.kind = CORE_FORGET, .run = *run};
        shell_step(s, &half);
    }
    if (!code)
        code = know_models_of(s, run, err);
    run_entry *entry = code ? NULL : rows_add(s, &row);
    if (!code && !entry)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory loading a run");
    if (!code)
        entry->accepted = true;
    if (!code && entry->state >= RUN_COMPLETE)
        rows_note_end(s, entry);
    etna_arena_free(&arena);
    return code;
}

etna_hash request_report(shell *s, const etna_id *run)
{
    etna_hash hash = {{0}};
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    uint8_t *data;
    size_t size;
    if (s->options.report && !core_view(s->c, run, &arena, &view, NULL) &&
        !s->options.report(s->options.context, &view, &data, &size, NULL)) {
        hash = etna_hash_bytes(data, size);
        blobs_offer(s->blobs, &hash, data, size);
    }
    etna_arena_free(&arena);
    return hash;
}

/* What a run names before it begins: the first of it that is not in the store,
 * else its scene. */
static const etna_hash *missing_of(shell *s, const arrange_config *config)
{
    const etna_hash *named[] = {&config->start, &config->before.snapshot};
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (!etna_hash_is_zero(named[i]) && !request_have_blob(s, named[i]))
            return named[i];
    }
    for (uint32_t i = 0; i < config->lot_count; i++) {
        if (!request_have_blob(s, &config->lots[i]))
            return &config->lots[i];
    }
    for (uint32_t i = 0; i < config->stock_count; i++) {
        if (!request_have_blob(s, &config->stock[i]))
            return &config->stock[i];
    }
    return &config->scene;
}

/* What a coordinator accepted waits for a coordinator: workers of its own
 * fleet, with its models' keys, are meant to do it. */
static etna_code request_check_keeper(shell *s,
                                      const etna_id *run,
                                      etna_error *err)
{
    const run_entry *entry = rows_find(s, run);
    if (s->options.serve || !entry || entry->keeper != RUN_KEEPER_COORDINATOR)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_OWNED,
        "a coordinator accepted this run and goes on with it when one is started on its store again: etna "
        "coordinator --listen URL");
}

/* A run that is not in memory may be in the store. False: that cannot be read,
 * and the request is refused. */
static bool request_load_run(shell *s, uint64_t request, const message *m)
{
    bool of_events = m->kind == MESSAGE_EVENTS_REQUEST;
    const etna_id *run = of_events ? &m->body.events_request.run
                                   /* status begins like cancel */
                                   : &m->body.run_cancel.run;
    etna_error err = {ETNA_OK, ""};
    etna_code code = shell_load(s, run, &err);
    if (!code && m->kind == MESSAGE_RUN_RESUME)
        code = request_check_keeper(s, run, &err);
    if (!code && m->kind == MESSAGE_RUN_RESUME)
        code = request_know_models(s, m->body.run_resume.models, &err);
    bool loaded = !code || code == ETNA_E_NOTFOUND;
    if (!loaded)
        refuse_error(s, request, m, &err);
    return loaded;
}

/* A result that cannot be unpacked reaches the core without one, which counts
 * it as an error of the task. Otherwise returns the first blob that it names
 * and the store lacks, else any that it names. */
static const etna_hash *request_unpack_result(shell *s,
                                              const message *m,
                                              etna_arena *arena,
                                              core_event *event,
                                              arrange_result *result)
{
    etna_error err = {ETNA_OK, ""};
    if (m->body.result.error != ETNA_OK)
        return NULL;
    if (arrange_result_unpack(m->body.result.payload,
                              m->body.result.payload_size, arena, result, &err))
        return NULL;
    event->result = result;
    return request_have_blob(s, &result->snapshot) ? &result->blob
                                                   : &result->snapshot;
}

/* Unpacks what the core wants unpacked, and looks for the blobs that it must
 * not see missing (core.h). False: refused, or the shell has failed. */
static bool request_prepare(shell *s,
                            uint64_t request,
                            const message *m,
                            etna_arena *arena,
                            core_event *event,
                            arrange_config *config,
                            arrange_result *result)
{
    etna_error err = {ETNA_OK, ""};
    const etna_hash *blob = NULL;
    switch (m->kind) {
    case MESSAGE_RUN_SUBMIT:
        if (arrange_config_unpack(m->body.run_submit.config,
                                  m->body.run_submit.config_size, arena, config,
                                  &err)) {
            refuse_error(s, request, m, &err);
            return false;
        }
        event->config = config;
        blob = missing_of(s, config);
        break;
    case MESSAGE_RESULT:
        blob = request_unpack_result(s, m, arena, event, result);
        break;
    case MESSAGE_CALL_END: blob = &m->body.call_end.reply; break;
    case MESSAGE_RUN_CANCEL:
    case MESSAGE_RUN_SUSPEND:
    case MESSAGE_RUN_RESUME:
    case MESSAGE_RUN_STATUS_REQUEST:
    case MESSAGE_EVENTS_REQUEST:
        if (!request_load_run(s, request, m))
            return false;
        break;
    default: break;
    }
    if (!blob || request_have_blob(s, blob))
        return !s->failure;
    if (!s->failure)
        request_refuse(s, request, m, ETNA_E_NOTFOUND,
                       "a blob that this message names was not put before it");
    return false;
}

/* The row of a submitted run, before the core sees it. False: refused, or the
 * shell has failed. */
static bool request_add_row(shell *s,
                            uint64_t request,
                            const message *m,
                            const arrange_config *config)
{
    const message_run_submit *asked = &m->body.run_submit;
    const char *first = config->step_count ? config->steps[0] : "";
    store_run row = {.id = asked->run,
                     .state = RUN_RUNNING,
                     .started_ms = shell_wall(),
                     .scene = config->scene_name,
                     .goal = config->goal ? config->goal : first,
                     .config = asked->config,
                     .config_size = asked->config_size};
    etna_error err = {ETNA_OK, ""};
    /* a repeated submit is one run, also after a restart */
    etna_code code = shell_load(s, &row.id, &err);
    if (!code || code == ETNA_E_NOTFOUND)
        code = request_know_models(s, config->models, &err);
    if (code) {
        refuse_error(s, request, m, &err);
        return false;
    }
    if (rows_add(s, &row))
        return true;
    shell_fail(s, ETNA_E_NOMEM, "out of memory taking a run");
    return false;
}

typedef struct request_result { /* one of several that came together */
    message message;
    core_event event;
    arrange_result result;
} request_result;

/* Several results: each is a step, and the last one, the message's own, has the
 * answer. All are looked at before the first is taken: whoever is refused sends
 * them one by one. */
static void request_take_results(shell *s,
                                 uint64_t request,
                                 uint64_t pipe,
                                 const message *m,
                                 etna_arena *arena)
{
    uint32_t more = m->body.result.more_count;
    request_result *all =
        etna_arena_alloc(arena, (size_t)more + 1, sizeof *all);
    if (!all) {
        request_refuse(s, request, m, ETNA_E_NOMEM,
                       "out of memory taking results");
        return;
    }
    for (uint32_t i = 0; i <= more; i++) {
        request_result *one = &all[i];
        one->message = *m;
        message_result *came = &one->message.body.result;
        came->more_count = 0;
        if (i < more) {
            const message_further_result *f = &m->body.result.more[i];
            *came = (message_result){.ref = f->ref,
                                     .error = f->error,
                                     .error_text = f->error_text,
                                     .cpu_us = f->cpu_us};
            came->payload = f->payload;
            came->payload_size = f->payload_size;
        }
        one->event = (core_event){
            .kind = CORE_MESSAGE, .pipe = pipe, .message = &one->message};
        if (i == more)
            one->event.request = request;
        if (!request_prepare(s, request, &one->message, arena, &one->event,
                             NULL, &one->result))
            return;
    }
    for (uint32_t i = 0; i <= more; i++) {
        if (!shell_step(s, &all[i].event))
            return;
    }
}

/* One event of the core. A submitted run gets its row first, since the
 * core's answer is made durable with it; where the core refuses the run, the
 * row goes. */
static void request_take(shell *s,
                         uint64_t request,
                         uint64_t pipe,
                         const message *m,
                         etna_arena *arena)
{
    arrange_config config;
    arrange_result result;
    core_event event = {
        .kind = CORE_MESSAGE, .request = request, .pipe = pipe, .message = m};
    bool is_submit = m->kind == MESSAGE_RUN_SUBMIT;
    if (m->kind == MESSAGE_RESULT && m->body.result.more_count) {
        request_take_results(s, request, pipe, m, arena);
        return;
    }
    if (!request_prepare(s, request, m, arena, &event, &config, &result))
        return;
    if (is_submit && !request_add_row(s, request, m, &config))
        return;
    shell_step(s, &event);
    run_entry *entry = is_submit ? rows_find(s, &m->body.run_submit.run) : NULL;
    if (entry && entry->accepted)
        quota_name(&s->quota, &config.scene);
    if (entry && !entry->accepted)
        rows_remove(s, entry); /* the core refused it */
}

/* A token that lets in does not let everything be said. */
static bool request_is_allowed(shell *s, uint64_t request, const message *m)
{
    char text[256];
    seal_role role = inbox_role(s->in, request);
    if (role == SEAL_NOBODY || gate_may(role, m->kind))
        return true;
    snprintf(
        text, sizeof text,
        "with a %s's token nobody may send %s: use a join file that has another: --connect @FILE",
        seal_role_name(role), message_kind_name(m->kind));
    request_refuse(s, request, m, ETNA_E_USAGE, text);
    return false;
}

static void request_dispatch(shell *s,
                             uint64_t request,
                             uint64_t pipe,
                             uint64_t pid,
                             const message *m,
                             etna_arena *arena)
{
    switch (m->kind) {
    case MESSAGE_BLOB_GET: request_get_blob(s, request, m); break;
    case MESSAGE_BLOB_PUT: request_put_blob(s, request, m); break;
    case MESSAGE_UPKEEP: request_upkeep(s, request, m); break;
    case MESSAGE_METRICS_REQUEST: request_metrics(s, request, m); break;
    case MESSAGE_RUNS_REQUEST: request_list_runs(s, request, m); break;
    case MESSAGE_RUN_VIEW_REQUEST: request_view_run(s, request, m); break;
    case MESSAGE_HELLO:
        request_refuse(s, request, m, ETNA_E_USAGE,
                       "no token is wanted here: begin with a request");
        break;
    case MESSAGE_ORDERS_REQUEST:
    case MESSAGE_LEASE_REQUEST:
        children_note(s->workers, pid, m->sender, m->incarnation);
        request_take(s, request, pipe, m, arena);
        break;
    default: request_take(s, request, pipe, m, arena); break;
    }
}

/* Who wrote into the turn's group pays for its commit (step.c). */
static void request_note_writer(shell *s, seal_role role)
{
    if (role == SEAL_WORKER) {
        s->group_workers++;
    } else if (role != SEAL_NOBODY) {
        s->group_guests++;
    }
}

void request_taken(void *context,
                   uint64_t request,
                   uint64_t pipe,
                   uint64_t pid,
                   const uint8_t *data,
                   size_t size)
{
    shell *s = context;
    etna_arena arena = ETNA_ARENA_INIT;
    message m = {.kind = MESSAGE_NONE};
    etna_error err = {ETNA_OK, ""};
    if (s->failure)
        return;
    if (children_dead(s->workers, pid)) {
        shell_drop(s, request);
        return;
    }
    if (message_unpack(data, size, &arena, &m, &err)) {
        message_header(data, size,
                       /* a newer peer's maybe: it takes no answer but to its
                        * own request */
                       &m);
        refuse_error(s, request, &m, &err);
    } else if (s->full && request != SHELL_LOCAL) {
        full_take(s, request, &m);
    } else if (m.epoch > store_epoch(s->options.store)) {
        request_refuse(
            s, request, &m, ETNA_E_STALE,
            "this coordinator's epoch is lower than one you have seen: it is not the owner");
    } else if (request_is_allowed(s, request, &m) &&
               rights_check(s, request, &m, &arena)) {
        /* asked before: an answer ends the request */
        const seal_role role = inbox_role(s->in, request);
        const uint64_t calls = s->group_calls;
        request_dispatch(s, request, pipe, pid, &m, &arena);
        if (s->group_calls != calls)
            request_note_writer(s, role);
    }
    etna_arena_free(&arena);
}

void request_pipe_gone(void *context, uint64_t pipe)
{
    core_event event = {.kind = CORE_PIPE_GONE, .pipe = pipe};
    shell_step(context, &event);
}

bool request_worker_exited(void *context,
                           uint64_t sender,
                           uint64_t incarnation,
                           etna_code fault,
                           const char *why)
{
    shell *s = context;
    core_event event = {.kind = CORE_WORKER_EXITED,
                        .worker = sender,
                        .incarnation = incarnation};
    event.fault = fault;
    event.why = why;
    bool at_work = sender && fault != ETNA_OK &&
                   core_leases(s->c, sender, incarnation) > 0;
    if (sender)
        shell_step(s, &event);
    return at_work;
}
