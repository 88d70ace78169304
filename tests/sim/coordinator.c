/* The coordinator's shell as the simulated world has it: it unpacks, steps the core, groups what was written, and lets
 * nothing leave before its group and every earlier one is on the disk. A kill forgets whatever was not. */
#include "tests/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t clock_of(const sim *s) { return s->now - s->clock_base; }

/* ---- blobs ---- */

static sim_blob *blob_find(const sim *s, const etna_hash *hash)
{
    for (size_t i = s->blob_count; i-- > 0;) {
        if (etna_hash_equal(&s->blobs[i].hash, hash)) return &s->blobs[i];
    }
    return NULL;
}

static bool held(const sim *s, const etna_hash *hash) { return etna_hash_is_zero(hash) || blob_find(s, hash); }

static void blob_put(sim *s, const message_blob_chunk *chunk)
{
    if (blob_find(s, &chunk->hash)) return;
    s->blobs = sim_room(s->blobs, &s->blob_room, s->blob_count, sizeof *s->blobs);
    sim_blob *b = &s->blobs[s->blob_count++];
    *b = (sim_blob){.hash = chunk->hash, .size = chunk->size};
    b->data = malloc(chunk->size ? chunk->size : 1);
    if (!b->data) abort();
    memcpy(b->data, chunk->data, chunk->size);
}

static void forget_blobs(sim *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->blob_count; i++) {
        if (s->blobs[i].durable) {
            s->blobs[kept++] = s->blobs[i];
        } else {
            free(s->blobs[i].data);
        }
    }
    s->blob_count = kept;
}

/* ---- groups ---- */

static void group_free(sim_group *g)
{
    for (uint32_t i = 0; i < g->record_count; i++) {
        uint8_t *data;
        memcpy(&data, &g->records[i].data, sizeof data);
        free(data);
    }
    for (uint32_t i = 0; i < g->send_count; i++) free(g->sends[i].bytes);
    free(g->records);
    free(g->sends);
    free(g->lines);
    free(g);
}

static void groups_free(sim_group **list)
{
    while (*list) {
        sim_group *g = *list;
        *list = g->next;
        group_free(g);
    }
}

static void write_next(sim *s)
{
    if (s->writing || !s->groups) return;
    s->writing = s->groups; /* a commit takes all that waits */
    s->groups = NULL;
    s->groups_tail = &s->groups;
    bool empty = true;
    for (const sim_group *g = s->writing; g; g = g->next)
        empty = empty && !g->record_count && etna_hash_is_zero(&g->blob);
    sim_at(s, empty ? 0 : 1 + sim_chance(s, 12), SIM_COMMIT, 0, s->coordinator_life, 0);
}

static void make_durable(sim *s, sim_group *g)
{
    for (uint32_t i = 0; i < g->record_count; i++) {
        size_t room = s->journal_room;
        s->journal = sim_room(s->journal, &room, s->journal_count, sizeof *s->journal);
        s->journal_room = (uint32_t)room;
        s->journal[s->journal_count++] = g->records[i];
    }
    g->record_count = 0; /* moved */
    if (!etna_hash_is_zero(&g->blob)) blob_find(s, &g->blob)->durable = true;
    if (g->lines) {
        size_t at = strlen(s->report->lines);
        snprintf(s->report->lines + at, sizeof s->report->lines - at, "%s", g->lines);
    }
}

static bool all_ended(const sim *s)
{
    enum { RECORD_ENDED_KIND = 9 };
    uint32_t ended = 0;
    for (uint32_t i = 0; i < s->journal_count; i++) ended += s->journal[i].data[1] == RECORD_ENDED_KIND;
    return ended == s->options->runs;
}

static uint64_t done_key(uint8_t run, uint64_t task) { return (uint64_t)run << 56 | task; }

/* What an acknowledgement that leaves promises: this call is never made again, this task never given out again. */
static void promise(sim *s, const sim_event *letter)
{
    const sim_context *context = &s->contexts[letter->order - 1];
    if (context->ends_call) sim_slot_of(s, context->run, &context->slot)->acknowledged = true;
    if (!context->result) return;
    s->done = sim_room(s->done, &s->done_room, s->done_count, sizeof *s->done);
    s->done[s->done_count++] = done_key(context->run, context->result);
}

static void check_promises(sim *s, const core_send *out)
{
    const message *m = &out->message;
    const sim_context *context = &s->contexts[out->request - 1];
    bool go = m->kind == MESSAGE_CALL_ANSWER && m->body.call_answer.verdict == CALL_GO;
    if (go && sim_slot_of(s, context->run, &context->slot)->acknowledged) {
        sim_breach(s, "node %u: a slot is to be called again after its end was acknowledged",
                   (unsigned)context->slot.node);
    }
    if (go) {
        sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
        slot->go_worker = context->worker;
        slot->go_life = context->life;
    }
    if (m->kind != MESSAGE_LEASE || !m->body.lease.task_kind) return;
    for (size_t i = 0; i < s->done_count; i++) {
        if (s->done[i] == done_key(m->body.lease.ref.run.bytes[1], m->body.lease.ref.task))
            sim_breach(s, "a task was given out again after its result was acknowledged");
    }
}

void coordinator_committed(sim *s)
{
    sim_group *list = s->writing;
    s->writing = NULL;
    for (sim_group *g = list; g; g = g->next) make_durable(s, g);
    for (sim_group *g = list; g; g = g->next) {
        for (uint32_t i = 0; i < g->send_count; i++) {
            if (g->sends[i].order) promise(s, &g->sends[i]);
            sim_network(s, &g->sends[i]);
        }
    }
    groups_free(&list);
    if (all_ended(s)) {
        s->over = true;
        return;
    }
    write_next(s);
}

static void group_records(sim_group *g, const core_update *update)
{
    g->records = calloc(update->record_count ? update->record_count : 1, sizeof *g->records);
    if (!g->records) abort();
    for (uint32_t i = 0; i < update->record_count; i++) {
        uint8_t *data = malloc(update->records[i].size);
        if (!data) abort();
        memcpy(data, update->records[i].data, update->records[i].size);
        g->records[i] = update->records[i];
        g->records[i].data = data;
    }
    g->record_count = update->record_count;
}

static void group_send(sim *s, sim_group *g, const core_send *out)
{
    check_promises(s, out);
    const sim_context *context = &s->contexts[out->request - 1];
    message m = out->message;
    uint8_t *payload = NULL;
    etna_error err = {0};
    if (out->task) {
        size_t size = 0;
        if (arrange_task_pack(out->task, &payload, &size, &err) != ETNA_OK)
            sim_breach(s, "a task does not pack: %s", err.text);
        m.body.lease.payload = payload;
        m.body.lease.payload_size = size;
    }
    sim_event *letter = &g->sends[g->send_count++];
    *letter = (sim_event){.kind = SIM_TO_WORKER, .a = context->worker, .b = context->life, .c = context->request};
    if (m.kind == MESSAGE_RESULT_ACK || m.kind == MESSAGE_CALL_ACK)
        letter->order = out->request; /* a promise: see above */
    if (message_pack(&m, &letter->bytes, &letter->size, &err) != ETNA_OK)
        sim_breach(s, "an answer does not pack: %s", err.text);
    free(payload);
}

static void group_lines(sim_group *g, const core_update *update)
{
    size_t size = 1;
    for (uint32_t i = 0; i < update->line_count; i++) size += strlen(update->lines[i].text) + 1;
    if (size == 1) return;
    g->lines = calloc(1, size);
    if (!g->lines) abort();
    for (uint32_t i = 0; i < update->line_count; i++) strcat(strcat(g->lines, update->lines[i].text), "\n");
}

static void group_add(sim *s, const core_update *update, const etna_hash *blob, const core_send *own)
{
    sim_group *g = calloc(1, sizeof *g);
    if (!g) abort();
    g->sends = calloc(update->send_count + 1, sizeof *g->sends);
    if (!g->sends) abort();
    group_records(g, update);
    group_lines(g, update);
    if (blob) g->blob = *blob;
    for (uint32_t i = 0; i < update->send_count; i++) group_send(s, g, &update->sends[i]);
    if (own) group_send(s, g, own);
    *s->groups_tail = g;
    s->groups_tail = &g->next;
    write_next(s);
}

/* ---- steps ---- */

static void schedule_tick(sim *s)
{
    uint64_t next = core_next_deadline(s->c);
    if (next == CORE_NEVER || next == s->tick_at) return;
    s->tick_at = next;
    uint64_t in = next > clock_of(s) ? next - clock_of(s) : 0;
    sim_at(s, in, SIM_COORDINATOR_TICK, 0, s->coordinator_life, next);
}

void coordinator_step(sim *s, core_event event)
{
    if (!s->c || s->over) return;
    core_update update;
    etna_error err = {0};
    event.now_ms = clock_of(s);
    if (core_step(s->c, &event, &update, &err) != ETNA_OK) {
        sim_breach(s, "core_step: %s", err.text);
        return;
    }
    if (core_check(s->c, &err) != ETNA_OK) {
        sim_breach(s, "core_check: %s", err.text);
        return;
    }
    bool anything = update.record_count || update.send_count || update.line_count;
    if (anything) group_add(s, &update, NULL, NULL);
    s->tick_at = 0;
    schedule_tick(s);
    if (event.kind != CORE_MESSAGE) return;
    for (uint32_t i = 0; i < update.row_count; i++) { /* by itself: no model answers */
        if (update.rows[i].state != RUN_SUSPENDED) continue;
        s->report->outages++;
        sim_at(s, s->options->resume_ms, SIM_RESUME, 0, s->coordinator_life, 0);
    }
}

static void answer_self(sim *s, uint64_t handle, const message *m, message *answer, const etna_hash *blob)
{
    answer->version = MESSAGE_VERSION;
    answer->epoch = s->coordinator_life;
    answer->incarnation = m->incarnation;
    answer->sequence = m->sequence;
    core_send own = {.request = handle, .message = *answer};
    core_update nothing = {0};
    group_add(s, &nothing, blob, &own);
}

static void refuse(sim *s, uint64_t handle, const message *m, const char *text)
{
    message answer = {.kind = MESSAGE_REFUSED};
    answer.body.refused = (message_refused){.code = ETNA_E_NOTFOUND, .text = text};
    answer_self(s, handle, m, &answer, NULL);
}

static void blob_message(sim *s, uint64_t handle, const message *m)
{
    message answer = {.kind = MESSAGE_BLOB_CHUNK};
    if (m->kind == MESSAGE_BLOB_PUT) {
        blob_put(s, &m->body.blob_put);
        answer.kind = MESSAGE_BLOB_ACK;
        answer.body.blob_ack = (message_blob_ack){.hash = m->body.blob_put.hash, .received = m->body.blob_put.total};
        answer_self(s, handle, m, &answer, &m->body.blob_put.hash);
        return;
    }
    const sim_blob *b = blob_find(s, &m->body.blob_get.hash);
    if (!b) {
        sim_breach(s, "a blob that was acknowledged is not there");
        return;
    }
    answer.body.blob_chunk = (message_blob_chunk){.hash = b->hash, .total = b->size, .data = b->data, .size = b->size};
    answer_self(s, handle, m, &answer, NULL);
}

void coordinator_received(sim *s, const sim_event *event)
{
    if (!s->c) return;
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    etna_error err = {0};
    if (message_unpack(event->bytes, event->size, &arena, &m, &err) != ETNA_OK) {
        sim_breach(s, "a worker's message does not unpack: %s", err.text);
        etna_arena_free(&arena);
        return;
    }
    s->contexts = sim_room(s->contexts, &s->context_room, s->context_count, sizeof *s->contexts);
    sim_context *context = &s->contexts[s->context_count++];
    *context = (sim_context){.worker = event->a, .life = event->b, .request = event->c};
    uint64_t handle = s->context_count;
    uint64_t pipe = (event->a + 1) << 32 | event->b;
    arrange_result result, *unpacked = NULL;
    bool missing = false;
    if (m.kind == MESSAGE_RESULT && m.body.result.error == ETNA_OK &&
        arrange_result_unpack(m.body.result.payload, m.body.result.payload_size, &arena, &result, &err) == ETNA_OK) {
        unpacked = &result;
        context->result = m.body.result.ref.task;
        context->run = m.body.result.ref.run.bytes[1];
        missing = !held(s, &result.snapshot) || !held(s, &result.blob);
    }
    if (m.kind == MESSAGE_CALL_BEGIN) {
        context->slot = m.body.call_begin.slot;
        context->run = m.body.call_begin.ref.run.bytes[1];
    }
    if (m.kind == MESSAGE_CALL_END) {
        missing = !held(s, &m.body.call_end.reply);
        context->ends_call = true;
        context->slot = m.body.call_end.slot;
        context->run = m.body.call_end.ref.run.bytes[1];
    }
    if (m.kind == MESSAGE_BLOB_GET || m.kind == MESSAGE_BLOB_PUT) {
        blob_message(s, handle, &m);
    } else if (missing) {
        refuse(s, handle, &m, "a blob it names is not here");
    } else {
        coordinator_step(
            s, (core_event){.kind = CORE_MESSAGE, .request = handle, .pipe = pipe, .message = &m, .result = unpacked});
    }
    etna_arena_free(&arena);
}

static bool in_journal(const sim *s, const etna_id *run)
{
    for (uint32_t i = 0; i < s->journal_count; i++) {
        if (etna_id_equal(&s->journal[i].run, run)) return true;
    }
    return false;
}

/* What every start of `etna run` does: a run that the journal holds goes on, another is submitted. */
void coordinator_resume(sim *s)
{
    for (uint32_t i = 0; i < s->options->runs && s->c && !s->over; i++) {
        message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RUN_SUBMIT};
        arrange_config config = sim_config_of(s, i);
        m.body.run_submit.run = sim_run_id(i);
        if (in_journal(s, &m.body.run_submit.run)) {
            coordinator_step(s, (core_event){.kind = CORE_RESUME, .run = m.body.run_submit.run});
        } else {
            coordinator_step(s, (core_event){.kind = CORE_MESSAGE, .message = &m, .config = &config});
        }
    }
}

/* What every start of `etna run` says of models before it resumes. */
static void tell_models(sim *s)
{
    const sim_options *o = s->options;
    models_endpoint endpoints[2] = {
        {.name = "there", .wire = MODELS_CHAT, .attempts = o->tries, .budget_ms = UINT32_MAX, .breaker = 8},
        {.name = "elsewhere", .wire = MODELS_CHAT, .attempts = o->tries, .budget_ms = UINT32_MAX}};
    models_model known[2] = {{.name = "sim", .id = "sim", .fallback = o->fallback ? "spare" : NULL},
                             {.name = "spare", .id = "spare", .endpoint = 1}};
    models all = {.currency = "USD", .endpoint_count = 2, .model_count = 2, .endpoints = endpoints, .models = known};
    if (o->fail_pct || o->down_for_ms) coordinator_step(s, (core_event){.kind = CORE_MODELS, .models = &all});
}

void coordinator_start(sim *s)
{
    if (s->c) return;
    core_options options = core_options_default();
    options.strict = true;
    s->coordinator_life++;
    options.epoch = s->coordinator_life;
    s->clock_base = s->now > 7 ? s->now - sim_chance(s, s->now) : 0; /* monotonic clocks start anywhere */
    s->tick_at = 0;
    s->groups_tail = &s->groups;
    etna_error err = {0};
    if (core_new(&options, &s->c, &err) != ETNA_OK) abort();
    for (uint32_t i = 0; i < s->journal_count; i++) {
        const core_record *r = &s->journal[i];
        if (core_replay(s->c, &r->run, r->sequence, r->data, r->size, &err) != ETNA_OK) {
            sim_breach(s, "replay: %s", err.text);
            return;
        }
    }
    tell_models(s);
    coordinator_resume(s);
}

void coordinator_kill(sim *s)
{
    if (!s->c) return;
    core_free(s->c);
    s->c = NULL;
    s->coordinator_life++;                  /* ticks and commits of the dead one mean nothing */
    if (s->writing && sim_percent(s, 50)) { /* the disk had it, and nobody was told */
        for (sim_group *g = s->writing; g; g = g->next) make_durable(s, g);
    }
    groups_free(&s->writing);
    groups_free(&s->groups);
    forget_blobs(s);
    if (all_ended(s)) s->over = true;
}

void coordinator_free(sim *s)
{
    core_free(s->c);
    groups_free(&s->writing);
    groups_free(&s->groups);
    for (uint32_t i = 0; i < s->journal_count; i++) {
        uint8_t *data;
        memcpy(&data, &s->journal[i].data, sizeof data);
        free(data);
    }
    for (size_t i = 0; i < s->blob_count; i++) free(s->blobs[i].data);
    free(s->blobs);
    free(s->journal);
    free(s->contexts);
}
