/* The coordinator's shell as the simulated world has it: it unpacks, looks at
 * versions, epochs, tickets and blobs, steps the core, groups what was written,
 * and lets nothing leave before its group and every earlier one is on the disk.
 * A kill forgets whatever was not. Of the real shell are here the tickets, the
 * parts of blobs, the recovery, who may say what, and all of the store; the
 * rest of it waits for sockets and threads that this world has not. */
#include "coordinator/shell/gate.h"
#include "coordinator/shell/recover.h"
#include "tests/sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FULL_AGAIN_MS = 1000,
    CHECK_EVERY = 997
};

static const char our_build[] = "1.0-ours";

static uint64_t clock_of(const sim *s, const sim_owner *k)
{
    return s->now - k->clock_base;
}

sim_owner *coordinator_of(sim *s)
{
    return &s->owners[s->owner];
}

/* ---- requests that wait ---- */

static sim_context *context_of(sim *s, sim_owner *k, uint64_t handle)
{
    bool is_taken =
        handle && handle <= k->context_count && k->contexts[handle - 1].taken;
    if (!is_taken)
        sim_breach(s, "a request is answered twice, or was never asked");
    return is_taken ? &k->contexts[handle - 1] : NULL;
}

static uint64_t context_new(sim_owner *k, const sim_context *from)
{
    uint32_t index = k->context_free ? k->context_free - 1 : k->context_count;
    if (k->context_free) {
        k->context_free = k->contexts[index].next_free;
    } else {
        k->contexts = sim_room(k->contexts, &k->context_room, k->context_count,
                               sizeof *k->contexts);
        k->context_count++;
    }
    k->contexts[index] = *from;
    k->contexts[index].taken = true;
    return index + 1;
}

static void context_end(sim_owner *k, uint64_t handle)
{
    k->contexts[handle - 1] = (sim_context){.next_free = k->context_free};
    k->context_free = (uint32_t)handle;
}

static void drop(sim *s, sim_owner *k, uint64_t handle)
{
    if (context_of(s, k, handle))
        context_end(k, handle);
}

/* ---- blobs ---- */

static const sim_blob *blob_waiting(const sim_owner *k, const etna_hash *hash)
{
    const sim_group *lists[] = {k->writing, k->groups};
    for (size_t i = 0; i < 2; i++) {
        for (const sim_group *g = lists[i]; g; g = g->next) {
            if (g->blob.data && etna_hash_equal(&g->blob.hash, hash))
                return &g->blob;
        }
    }
    return NULL;
}

static bool held(const sim *s, const sim_owner *k, const etna_hash *hash)
{
    if (etna_hash_is_zero(hash) || s->options->lean)
        return true;
    return store_has_blob(k->kept, hash) || blob_waiting(k, hash);
}

/* ---- groups ---- */

static void group_free(sim_group *g)
{
    for (uint32_t i = 0; i < g->record_count; i++) {
        uint8_t *data;
        memcpy(&data, &g->records[i].data, sizeof data);
        free(data);
    }
    for (uint32_t i = 0; i < g->send_count; i++)
        free(g->sends[i].letter.bytes);
    for (uint32_t i = 0; i < g->line_count; i++)
        free(g->lines[i].text);
    free(g->records);
    free(g->replies);
    free(g->rows);
    free(g->sends);
    free(g->lines);
    free(g->blob.data);
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

static bool writes(const sim_group *g)
{
    return g->record_count || g->row_count || g->reply_count || g->blob.data;
}

static void write_next(sim *s, sim_owner *k)
{
    if (k->writing || !k->groups)
        return;
    k->writing = k->groups; /* a commit takes all that waits */
    k->groups = NULL;
    k->groups_tail = &k->groups;
    bool empty = true;
    for (const sim_group *g = k->writing; g; g = g->next)
        empty = empty && !g->record_count && !g->blob.data;
    uint32_t most = s->options->slow_disk_ms ? s->options->slow_disk_ms : 12;
    sim_at(s, empty ? 0 : 1 + sim_chance(s, most), SIM_COMMIT, 0, k->life, 0)
        ->owner = k->place;
}

static etna_code group_keep(sim *s,
                            store_group *group,
                            const sim_group *g,
                            uint64_t epoch,
                            etna_error *err)
{
    etna_code code = ETNA_OK;
    if (g->blob.data)
        code = store_put_blob(group, &g->blob.hash, g->blob.data, g->blob.size,
                              err);
    for (uint32_t i = 0; !code && i < g->record_count; i++) {
        const core_record *r = &g->records[i];
        code = store_append(group, &r->run, r->sequence, r->data, r->size, err);
    }
    for (uint32_t i = 0; !code && i < g->reply_count; i++) {
        const core_reply *r = &g->replies[i];
        store_reply row = {
            .request = r->request, .reply = r->reply, .usage = r->usage};
        code = store_put_reply(group, &r->run, &r->slot, &row, err);
    }
    for (uint32_t i = 0; !code && i < g->row_count; i++) {
        const arrange_config config =
            sim_config_of(s, sim_run_of(s, &g->rows[i].run));
        store_run row = {.id = g->rows[i].run,
                         .state = g->rows[i].state,
                         .started_ms = 1,
                         .scene = config.scene_name,
                         .goal = config.goal,
                         .epoch = epoch,
                         .waiting = g->rows[i].waiting};
        code = store_put_run(group, &row, err);
    }
    return code;
}

/* One commit of all that stands in the list. */
static etna_code keep(sim *s,
                      sim_owner *k,
                      const sim_group *list,
                      etna_error *err)
{
    store_group *group = NULL;
    bool any = false;
    for (const sim_group *g = list; g; g = g->next)
        any = any || writes(g);
    if (!any || s->options->lean)
        return ETNA_OK;
    etna_code code = store_group_begin(k->kept, &group, err);
    for (const sim_group *g = list; !code && g; g = g->next)
        code = group_keep(s, group, g, k->epoch, err);
    if (code) {
        store_group_abandon(group);
        return code;
    }
    code = store_group_commit(group, err);
    if (code == ETNA_E_FULL)
        store_group_abandon(group);
    return code;
}

/* What is on the disk is true from here on. */
static void note_durable(sim *s, const sim_group *g)
{
    for (uint32_t i = 0; i < g->record_count; i++) {
        sim_run_seen *r = &s->runs[sim_run_of(s, &g->records[i].run)];
        s->report->records++;
        r->sequence = g->records[i].sequence;
        if (!r->submitted) {
            r->submitted = true;
            r->submitted_ms = s->now;
            s->live_runs++;
        }
    }
    for (uint32_t i = 0; i < g->row_count; i++) {
        sim_run_seen *r = &s->runs[sim_run_of(s, &g->rows[i].run)];
        if (g->rows[i].state < RUN_COMPLETE || r->ended)
            continue;
        r->ended = true;
        r->ended_ms = s->now;
        s->ended++;
        s->live_runs--;
    }
    for (uint32_t i = 0; i < g->line_count; i++) {
        watch_line(s, &g->lines[i]);
        sim_tell(s, g->lines[i].text);
    }
}

/* What an acknowledgement that leaves promises: this call is never made again,
 * this task never given out again. */
static void promise(sim *s, const sim_send *send)
{
    if (send->context.ends_call)
        sim_slot_of(s, send->context.run, &send->context.slot)->acknowledged =
            true;
    for (uint32_t i = 0; i < send->context.result_count; i++)
        watch_result(s, send->context.result_runs[i], send->context.results[i]);
}

static void check_promises(sim *s,
                           const sim_owner *k,
                           const sim_context *context,
                           const message *m)
{
    bool go = m->kind == MESSAGE_CALL_ANSWER &&
              m->body.call_answer.verdict == CALL_GO;
    if (!go || k->place != s->owner)
        return; /* a stale one's is never durable, and so never leaves */
    sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
    if (slot->acknowledged && !s->options->lies && k->place == s->owner) {
        sim_breach(
            s,
            "node %u: a slot is to be called again after its end was acknowledged",
            (unsigned)context->slot.node);
    }
    slot->go_worker = context->from;
    slot->go_life = context->life;
    slot->go_owner = k->life;
}

static void send_all(sim *s, sim_group *list)
{
    for (sim_group *g = list; g && !s->over; g = g->next) {
        for (uint32_t i = 0; i < g->send_count; i++) {
            if (g->sends[i].promises)
                promise(s, &g->sends[i]);
            sim_network(s, &g->sends[i].letter);
        }
    }
}

/* The disk is full: what stands there is tried again, and nothing of it is told
 * meanwhile. */
static void try_again(sim *s, sim_owner *k)
{
    s->report->fulls++;
    sim_at(s, FULL_AGAIN_MS, SIM_COMMIT, 0, k->life, 0)->owner = k->place;
}

static void commit_failed(sim *s,
                          sim_owner *k,
                          etna_code code,
                          const etna_error *err)
{
    if (code == ETNA_E_STALE) {
        s->report->stales++;
        if (k->place == s->owner)
            sim_breach(s, "the newest owner is fenced: %s", err->text);
        sim_owner_ends(
            s, k, "-- a stale coordinator finds that the store is another's");
        return;
    }
    /* where a disk forgot by whom it is owned, a stale one finds that its
     * journal ends before what it goes on with */
    bool is_forgotten = s->options->lies && k->place != s->owner;
    if (code != ETNA_E_IO && !is_forgotten)
        sim_breach(s, "a commit: %s", err->text);
    sim_owner_ends(s, k, "-- the coordinator's disk fails, and it ends");
}

void coordinator_committed(sim *s, sim_owner *k)
{
    etna_error err = {0};
    sim_group *list = k->writing;
    if (!list)
        return;
    bool is_stale = k->place != s->owner;
    if (s->now < s->full_until && !is_stale)
        disk_fail(s->disk, ETNA_E_FULL);
    bool dies = s->dies_at_commit && !is_stale && s->now >= s->full_until;
    if (dies) {
        s->dies_at_commit = false;
        if (sim_percent(s, 50))
            /* else it is there, and nobody is told so */
            disk_fail(s->disk, ETNA_E_IO);
    }
    etna_code code = keep(s, k, list, &err);
    disk_fail(s->disk, ETNA_OK);
    if (code == ETNA_E_FULL) {
        try_again(s, k);
        return;
    }
    if (code) {
        commit_failed(s, k, code, &err);
        return;
    }
    k->writing = NULL;
    for (const sim_group *g = list; g; g = g->next)
        note_durable(s, g);
    if (s->options->committed)
        s->options->committed(s->options->context, s->report->records);
    if (dies || (s->slips && !is_stale)) {
        s->slips = false;
        groups_free(&list);
        sim_owner_ends(
            s, k,
            "-- the coordinator dies of a commit that it did not answer to");
        return;
    }
    send_all(s, list);
    groups_free(&list);
    write_next(s, k);
}

static void group_records(sim_group *g, const core_update *update)
{
    g->records = sim_new(update->record_count, sizeof *g->records);
    for (uint32_t i = 0; i < update->record_count; i++) {
        uint8_t *data = sim_new(1, update->records[i].size);
        memcpy(data, update->records[i].data, update->records[i].size);
        g->records[i] = update->records[i];
        g->records[i].data = data;
    }
    g->record_count = update->record_count;
    g->replies = sim_new(update->reply_count, sizeof *g->replies);
    g->reply_count = update->reply_count;
    if (update->reply_count)
        memcpy(g->replies, update->replies,
               update->reply_count * sizeof *g->replies);
    g->rows = sim_new(update->row_count, sizeof *g->rows);
    g->row_count = update->row_count;
    for (uint32_t i = 0; i < update->row_count; i++)
        g->rows[i] = (sim_row){update->rows[i].run, update->rows[i].state,
                               update->rows[i].waiting};
}

static bool is_acknowledgement(message_kind kind)
{
    return kind == MESSAGE_RESULT_ACK || kind == MESSAGE_LEASES ||
           kind == MESSAGE_CALL_ACK;
}

/* Returns its payload. */
static uint8_t *lease_complete(sim *s,
                               sim_owner *k,
                               const sim_context *to,
                               const arrange_task *task,
                               message_lease *lease)
{
    uint8_t *payload = NULL;
    etna_error err = {0};
    if (arrange_task_pack(task, &payload, &lease->payload_size, &err) !=
        ETNA_OK)
        sim_breach(s, "a task does not pack: %s", err.text);
    lease->payload = payload;
    lease->ref.ticket = ticket_make(&s->ticket_key, &lease->ref, lease->worker);
    watch_given(s, to, lease, k);
    return payload;
}

static void group_send(sim *s, sim_owner *k, sim_group *g, const core_send *out)
{
    if (!out->request)
        return;
    const sim_context *context = context_of(s, k, out->request);
    if (!context)
        return;
    check_promises(s, k, context, &out->message);
    message m = out->message;
    uint8_t *payloads[MESSAGE_LEASES_MAX] = {NULL};
    message_lease leases[MESSAGE_LEASES_MAX];
    etna_error err = {0};
    bool is_right = m.sequence == context->sequence &&
                    m.incarnation == context->incarnation;
    if (!is_right)
        sim_breach(s, "an answer is not to the request that waits");
    if (out->task)
        payloads[0] = lease_complete(s, k, context, out->task, &m.body.lease);
    for (uint32_t i = 0; out->tasks && i < m.body.leases.count; i++) {
        leases[i] = out->message.body.leases.leases[i];
        payloads[i] = lease_complete(s, k, context, out->tasks[i], &leases[i]);
    }
    if (out->tasks)
        m.body.leases.leases = leases;
    sim_send *send = &g->sends[g->send_count++];
    *send =
        (sim_send){.context = *context, .promises = is_acknowledgement(m.kind)};
    send->letter = (sim_event){.kind = SIM_TO_WORKER,
                               .a = context->from,
                               .b = context->life,
                               .c = context->request};
    send->letter.pipe = context->pipe;
    if (message_pack(&m, &send->letter.bytes, &send->letter.size, &err) !=
        ETNA_OK)
        sim_breach(s, "an answer does not pack: %s", err.text);
    for (uint32_t i = 0; i < MESSAGE_LEASES_MAX; i++)
        free(payloads[i]);
    context_end(k, out->request);
}

static void group_lines(sim *s,
                        const sim_owner *k,
                        sim_group *g,
                        const core_update *update)
{
    g->lines = sim_new(update->line_count, sizeof *g->lines);
    for (uint32_t i = 0; i < update->line_count; i++) {
        const core_line *line = &update->lines[i];
        if (k->place == s->owner)
            watch_said(s, line);
        size_t size = strlen(line->text) + 1;
        g->lines[i] = (sim_line){sim_run_of(s, &line->run), line->sequence,
                                 line->task, sim_new(1, size)};
        memcpy(g->lines[i].text, line->text, size);
    }
    g->line_count = update->line_count;
}

/* Takes the blob's data. */
static void group_add(sim *s,
                      sim_owner *k,
                      const core_update *update,
                      sim_blob blob,
                      const core_send *own)
{
    sim_group *g = sim_new(1, sizeof *g);
    g->sends = sim_new(update->send_count + 1, sizeof *g->sends);
    group_records(g, update);
    group_lines(s, k, g, update);
    g->blob = blob;
    for (uint32_t i = 0; i < update->send_count; i++)
        group_send(s, k, g, &update->sends[i]);
    if (own)
        group_send(s, k, g, own);
    *k->groups_tail = g;
    k->groups_tail = &g->next;
    write_next(s, k);
}

/* ---- steps ---- */

static void schedule_tick(sim *s, sim_owner *k)
{
    uint64_t next = core_next_deadline(k->c);
    if (next == CORE_NEVER || next == k->tick_at)
        return;
    k->tick_at = next;
    uint64_t in = next > clock_of(s, k) ? next - clock_of(s, k) : 0;
    sim_at(s, in, SIM_COORDINATOR_TICK, 0, k->life, next)->owner = k->place;
}

static bool is_checked(const sim *s, sim_owner *k)
{
    k->steps++;
    return s->options->workers <= SIM_CHECKED_WHOLE ||
           k->steps % (CHECK_EVERY + 7 * s->options->workers) == 0;
}

static sim_death death_of(const core_event *event)
{
    const message *m = event->message;
    if (event->kind == CORE_WORKER_EXITED)
        return (sim_death){event->worker, event->incarnation};
    if (event->kind == CORE_MESSAGE && m && m->kind == MESSAGE_DEATH)
        return (sim_death){m->body.death.worker, m->body.death.incarnation};
    return (sim_death){0, 0};
}

/* Time passes in every step: in this one its worker was given up, with all that
 * it asked for. */
static bool is_given_up(const sim *s,
                        const sim_context *asked,
                        const core_update *update)
{
    char words[48];
    if (asked->from >= s->worker_count)
        return false;
    snprintf(words, sizeof words, "worker %016llx is gone: ",
             (unsigned long long)s->workers[asked->from].sender);
    for (uint32_t i = 0; i < update->line_count; i++) {
        if (strncmp(update->lines[i].text, words, strlen(words)) == 0)
            return true;
    }
    return false;
}

static void drop_all(sim *s,
                     sim_owner *k,
                     const core_event *event,
                     const core_update *update)
{
    for (uint32_t i = 0; i < update->drop_count; i++) {
        const sim_context *dropped = context_of(s, k, update->drops[i]);
        bool is_of_pipe = event->kind != CORE_PIPE_GONE || !dropped ||
                          dropped->pipe == event->pipe;
        if (!is_of_pipe && !is_given_up(s, dropped, update))
            sim_breach(s,
                       "a request over one connection is dropped with another");
        drop(s, k, update->drops[i]);
    }
}

void coordinator_step(sim *s, sim_owner *k, core_event event)
{
    if (!k->c || s->over)
        return;
    core_update update;
    etna_error err = {0};
    event.now_ms = clock_of(s, k);
    if (core_step(k->c, &event, &update, &err) != ETNA_OK) {
        sim_breach(s, "core_step: %s", err.text);
        return;
    }
    if (is_checked(s, k) && core_check(k->c, &err) != ETNA_OK) {
        sim_breach(s, "core_check: %s", err.text);
        return;
    }
    drop_all(s, k, &event, &update);
    s->told = death_of(&event);
    bool anything = update.record_count || update.send_count ||
                    update.line_count || update.row_count;
    if (anything)
        group_add(s, k, &update, (sim_blob){.data = NULL}, NULL);
    k->tick_at = 0;
    schedule_tick(s, k);
    if (event.kind == CORE_SUSPEND)
        return;
    /* by itself: no model answers, or there is no room for its result */
    for (uint32_t i = 0; i < update.row_count; i++) {
        if (update.rows[i].state != RUN_SUSPENDED)
            continue;
        s->report->outages++;
        sim_at(s, s->options->resume_ms, SIM_RESUME, k->place, k->life, 0);
    }
}

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
    group_add(s, k, &nothing, blob, &own);
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
    bool waits = s->options->lean || blob_waiting(k, &chunk->hash);
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
    const sim_blob *waiting = blob_waiting(k, &m->body.blob_get.hash);
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
    switch (m->kind) {
    case MESSAGE_CALL_BEGIN:
        context->slot = m->body.call_begin.slot;
        context->run = sim_run_of(s, &m->body.call_begin.ref.run);
        break;
    case MESSAGE_CALL_END:
        context->ends_call = true;
        context->slot = m->body.call_end.slot;
        context->run = sim_run_of(s, &m->body.call_end.ref.run);
        break;
    default: break;
    }
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
        watch_error(s, context->from, came);
    if (came->error || arrange_result_unpack(came->payload, came->payload_size,
                                             arena, &one->unpacked, NULL))
        return true;
    one->result = &one->unpacked;
    context->result_runs[context->result_count] = sim_run_of(s, &came->ref.run);
    context->results[context->result_count++] = came->ref.task;
    return held(s, k, &one->unpacked.snapshot) &&
           held(s, k, &one->unpacked.blob);
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
    if (m->kind == MESSAGE_CALL_END && !held(s, k, &m->body.call_end.reply)) {
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
    uint64_t handle = context_new(k, &context);
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

/* ---- the life of one ---- */

/* What every start of a command does: a run that the journal holds goes on,
 * another is submitted; but clients submit theirs themselves. */
void coordinator_resume(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t i = 0; i < s->options->runs && k->c && !s->over; i++) {
        message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RUN_SUBMIT};
        arrange_config config = sim_config_of(s, i);
        m.body.run_submit.run = sim_run_id(i);
        core_run_view view;
        if (!core_view(k->c, &m.body.run_submit.run, &arena, &view, NULL)) {
            if (view.state == RUN_SUSPENDED || !s->runs[i].ended)
                coordinator_step(s, k,
                                 (core_event){.kind = CORE_RESUME,
                                              .run = m.body.run_submit.run});
        } else if (!s->options->clients) {
            coordinator_step(s, k,
                             (core_event){.kind = CORE_MESSAGE,
                                          .message = &m,
                                          .config = &config});
        }
        etna_arena_free(&arena);
    }
}

/* What every start of `etna run` says of models before it resumes. */
static void tell_models(sim *s, sim_owner *k)
{
    const sim_options *o = s->options;
    models_endpoint endpoints[2] = {{.name = "there",
                                     .wire = MODELS_CHAT,
                                     .attempts = o->tries,
                                     .budget_ms = UINT32_MAX,
                                     .breaker = 8},
                                    {.name = "elsewhere",
                                     .wire = MODELS_CHAT,
                                     .attempts = o->tries,
                                     .budget_ms = UINT32_MAX}};
    models_model known[2] = {
        {.name = "sim", .id = "sim", .fallback = o->fallback ? "spare" : NULL},
        {.name = "spare", .id = "spare", .endpoint = 1}};
    models all = {.currency = "USD",
                  .endpoint_count = 2,
                  .model_count = 2,
                  .endpoints = endpoints,
                  .models = known};
    endpoints[0].in_flight = o->in_flight;
    endpoints[0].requests_per_minute = o->per_minute;
    bool is_known = o->fail_pct || o->down_for_ms || o->in_flight ||
                    o->per_minute || o->jobs_most;
    if (is_known)
        coordinator_step(s, k,
                         (core_event){.kind = CORE_MODELS, .models = &all});
}

static void recount_ended(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    s->ended = s->live_runs = 0;
    for (uint32_t i = 0; i < s->options->runs; i++) {
        const etna_id run = sim_run_id(i);
        core_run_view view;
        bool is_there = !core_view(k->c, &run, &arena, &view, NULL);
        s->runs[i].submitted = is_there;
        s->runs[i].ended = is_there && view.state >= RUN_COMPLETE;
        s->ended += s->runs[i].ended;
        s->live_runs += is_there && !s->runs[i].ended;
        etna_arena_free(&arena);
    }
}

static void recover_all(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    store_run *runs;
    size_t count;
    if (store_list_runs(k->kept, &arena, &runs, &count, &err))
        sim_breach(s, "the runs cannot be listed: %s", err.text);
    for (size_t i = 0; i < count && !s->over; i++) {
        if (recover_run(k->kept, k->c, &runs[i].id, &err))
            sim_breach(s, "replay: %s", err.text);
        if (sim_run_of(s, &runs[i].id) == s->options->runs)
            sim_breach(s, "a run of nobody is in the store");
    }
    etna_arena_free(&arena);
    if (s->options->lies && !s->over)
        recount_ended(s, k);
}

void coordinator_start(sim *s, uint32_t place)
{
    sim_owner *k = &s->owners[place];
    if (k->c)
        return;
    core_options options = core_options_default();
    etna_error err = {0};
    k->life = ++s->owner_lives;
    k->epoch = k->life;
    const blobs_limits limits = blobs_limits_default();
    if (!s->options->lean) {
        k->kept = s->options->open ? s->options->open(s->options->context)
                                   : disk_open(s->disk, s->now);
        k->epoch = store_epoch(k->kept);
        if (blobs_new(k->kept, &limits, &k->parts, &err))
            abort();
    }
    options.strict = true;
    options.epoch = k->epoch;
    options.build = our_build;
    options.outage_ms = (uint32_t)s->options->outage_ms;
    /* monotonic clocks start anywhere */
    k->clock_base = s->now > 7 ? s->now - sim_chance(s, s->now) : 0;
    k->tick_at = 0;
    k->frozen_until = 0;
    k->groups_tail = &k->groups;
    if (core_new(&options, &k->c, &err) != ETNA_OK)
        abort();
    if (k->kept)
        recover_all(s, k);
    tell_models(s, k);
    coordinator_resume(s, k);
}

static void forget(sim_owner *k)
{
    core_free(k->c);
    blobs_free(k->parts);
    store_close(k->kept);
    groups_free(&k->writing);
    groups_free(&k->groups);
    free(k->contexts);
    k->c = NULL;
    k->parts = NULL;
    k->kept = NULL;
    k->contexts = NULL;
    k->context_count = k->context_free = 0;
    k->context_room = 0;
}

void coordinator_kill(sim *s, sim_owner *k)
{
    if (!k->c)
        return;
    /* the disk had it, and nobody was told */
    if (k->writing && sim_percent(s, 50)) {
        etna_error err = {0};
        bool is_kept = !keep(s, k, k->writing, &err);
        for (const sim_group *g = k->writing; g && is_kept; g = g->next)
            note_durable(s, g);
    }
    forget(k);
    /* ticks and commits of the dead one mean nothing */
    k->life = ++s->owner_lives;
}

void coordinator_free(sim *s)
{
    for (uint32_t i = 0; i < SIM_OWNERS; i++)
        forget(&s->owners[i]);
}
