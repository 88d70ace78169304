/* What a step of the simulated coordinator wrote and said waits here for the
 * disk, and leaves when it is durable. */
#include "tests/sim/coordinator_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    FULL_AGAIN_MS = 1000
};

/* ---- blobs ---- */

const sim_blob *sim_blob_waiting(const sim_owner *k, const etna_hash *hash)
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

bool sim_blob_is_held(const sim *s, const sim_owner *k, const etna_hash *hash)
{
    if (etna_hash_is_zero(hash) || s->options->lean)
        return true;
    return store_has_blob(k->kept, hash) || sim_blob_waiting(k, hash);
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

void sim_groups_free(sim_group **list)
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

etna_code sim_groups_keep(sim *s,
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

void sim_group_note_durable(sim *s, const sim_owner *k, const sim_group *g)
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
    for (uint32_t i = 0; i < g->send_count; i++) {
        if (g->sends[i].context.goes)
            watch_kept(s, k, &g->sends[i].context);
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
    if (m->kind == MESSAGE_CALL_ACK && k->place == s->owner)
        watch_ended(s, k, context);
    if (!go || k->place != s->owner)
        return; /* a stale one's is never durable, and so never leaves */
    sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
    if (slot->acknowledged && !s->options->lies && k->place == s->owner) {
        sim_breach(
            s,
            "node %u: a slot is to be called again after its end was acknowledged",
            (unsigned)context->slot.node);
    }
    watch_goes(s, k, context);
}

static void send_all(sim *s, sim_group *list)
{
    for (sim_group *g = list; g && !s->over; g = g->next) {
        for (uint32_t i = 0; i < g->send_count; i++) {
            if (g->sends[i].promises)
                promise(s, &g->sends[i]);
            sim_network(s, &g->sends[i].letter);
            g->sends[i].letter.bytes = NULL;
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
    etna_code code = sim_groups_keep(s, k, list, &err);
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
        sim_group_note_durable(s, k, g);
    if (s->options->committed)
        s->options->committed(s->options->context, s->report->records);
    if (dies || (s->slips && !is_stale)) {
        s->slips = false;
        sim_groups_free(&list);
        sim_owner_ends(
            s, k,
            "-- the coordinator dies of a commit that it did not answer to");
        return;
    }
    send_all(s, list);
    sim_groups_free(&list);
    write_next(s, k);
}

static void group_records(sim_group *g, const core_update *update)
{
    if (update->record_count)
        g->records = sim_new(update->record_count, sizeof *g->records);
    for (uint32_t i = 0; i < update->record_count; i++) {
        uint8_t *data = sim_new(1, update->records[i].size);
        memcpy(data, update->records[i].data, update->records[i].size);
        g->records[i] = update->records[i];
        g->records[i].data = data;
    }
    g->record_count = update->record_count;
    g->reply_count = update->reply_count;
    if (update->reply_count) {
        g->replies = sim_new(update->reply_count, sizeof *g->replies);
        memcpy(g->replies, update->replies,
               update->reply_count * sizeof *g->replies);
    }
    if (update->row_count)
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
    const sim_context *context = sim_context_of(s, k, out->request);
    if (!context)
        return;
    check_promises(s, k, context, &out->message);
    watch_answered(s, context, out->message.kind, k);
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
    send->context.goes =
        m.kind == MESSAGE_CALL_ANSWER && m.body.call_answer.verdict == CALL_GO;
    send->letter = (sim_event){.kind = SIM_TO_WORKER,
                               .a = context->from,
                               .b = context->life,
                               .c = context->request};
    send->letter.pipe = context->pipe;
    if (message_pack(&m, &send->letter.bytes, &send->letter.size, &err) !=
        ETNA_OK)
        sim_breach(s, "an answer does not pack: %s", err.text);
    const uint32_t packed = out->tasks ? m.body.leases.count : 1;
    for (uint32_t i = 0; i < packed; i++)
        free(payloads[i]);
    sim_context_end(k, out->request);
}

static void group_lines(sim *s,
                        const sim_owner *k,
                        sim_group *g,
                        const core_update *update)
{
    if (update->line_count)
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

void sim_group_add(sim *s,
                   sim_owner *k,
                   const core_update *update,
                   sim_blob blob,
                   const core_send *own)
{
    sim_group *g = sim_new(1, sizeof *g);
    if (update->send_count || own)
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
