/* Persist before send, the shell's only rule. shell_step() gathers into the
 * turn's commit group what an update wants kept, and packs what it wants said;
 * shell_flush() commits the one and then hands out the other, in order.
 *
 *   core_step ──> update ──┬─ records, replies, rows ──> group ──> commit
 *                          └─ sends, drops, lines ──> queued ──────> out
 *
 * An exception is a lease whose records are all durable already: it leaves
 * at once, so that a worker does not wait for the fsync of somebody else's
 * record. */
#include "coordinator/shell/full.h"
#include "coordinator/shell/shell_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A gap between steps that is longer than a pulse and this much is a stall of
 * ours: the core holds it against nobody. */
enum {
    PULSE_MS = 1000,
    STALL_MS = 1000
};

/* Never goes back. */
uint64_t shell_now(void)
{
    return uv_hrtime() / 1000000;
}

/* For what people read. */
uint64_t shell_wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The first failure is kept and ends the loop. */
void shell_fail(shell *s, etna_code code, const char *format, ...)
{
    if (s->failure)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(s->failure_text, sizeof s->failure_text, format, args);
    va_end(args);
    s->failure = code ? code : ETNA_E_INTERNAL;
    uv_stop(&s->loop);
}

/* The turn's; NULL: it failed. */
store_group *shell_group(shell *s)
{
    etna_error err = {ETNA_OK, ""};
    s->group_calls++;
    if (s->failure)
        return NULL;
    if (!s->group && store_group_begin(s->options.store, &s->group, &err))
        shell_fail(s, err.code, "%s", err.text);
    return s->failure ? NULL : s->group;
}

/* Takes `data`; NULL: the request is to be dropped. */
static void queue_answer(shell *s, uint64_t request, uint8_t *data, size_t size)
{
    if (s->out_count == s->out_room) {
        size_t room = s->out_room ? 2 * s->out_room : 64;
        outgoing *grown = realloc(s->out, room * sizeof *grown);
        if (!grown) {
            free(data);
            shell_fail(s, ETNA_E_NOMEM, "out of memory queueing an answer");
            return;
        }
        s->out = grown;
        s->out_room = room;
    }
    s->out[s->out_count++] = (outgoing){request, data, size};
}

/* The answer to a request of our own. */
static void take_local(shell *s, const message *answer)
{
    if (answer->kind == MESSAGE_RUN_STATUS) {
        s->local_status = answer->body.run_status;
        s->local_status.text = NULL;
        s->local_code = ETNA_OK;
    } else if (answer->kind == MESSAGE_REFUSED) {
        s->local_code = (etna_code)answer->body.refused.code;
        snprintf(s->local_text, sizeof s->local_text, "%s",
                 answer->body.refused.text ? answer->body.refused.text
                                           : "refused");
    }
}

/* SHELL_LOCAL is this process itself. */
void shell_answer(shell *s, uint64_t request, const message *answer)
{
    etna_error err = {ETNA_OK, ""};
    uint8_t *data;
    size_t size;
    if (request == SHELL_LOCAL) {
        take_local(s, answer);
        return;
    }
    if (message_pack(answer, &data, &size, &err)) {
        shell_fail(s, err.code, "an answer (%s) cannot be packed: %s",
                   message_kind_name(answer->kind), err.text);
        return;
    }
    queue_answer(s, request, data, size);
}

/* Nobody waits in this process. */
void shell_drop(shell *s, uint64_t request)
{
    if (request != SHELL_LOCAL)
        queue_answer(s, request, NULL, 0);
}

/* Adds to a run's status what the core does not know: who keeps it, and its
 * report. */
static void step_status_complete(shell *s, message_run_status *status)
{
    const run_entry *entry = rows_find(s, &status->run);
    if (entry)
        status->keeper = entry->keeper;
    if (status->state >= RUN_COMPLETE)
        status->report = request_report(s, &status->run);
}

/* Gives a lease its payload, which the caller frees, and its ticket. False: the
 * shell has failed. */
static bool step_lease_complete(shell *s,
                                message_lease *lease,
                                const arrange_task *t,
                                uint8_t **ret_payload)
{
    etna_error err = {ETNA_OK, ""};
    if (arrange_task_pack(t, ret_payload, &lease->payload_size, &err)) {
        shell_fail(s, err.code, "a task cannot be packed: %s", err.text);
        return false;
    }
    lease->payload = *ret_payload;
    lease->ref.ticket = ticket_make(&s->ticket_key, &lease->ref, lease->worker);
    return true;
}

/* Whether the record that the lease follows from is in an earlier turn's
 * group. */
static bool step_lease_is_durable(shell *s, const message_lease *lease)
{
    const run_entry *entry = rows_find(s, &lease->ref.run);
    return entry &&
           (entry->turn != s->turn || lease->follows < entry->turn_first);
}

/* Whether the answer waits for nothing that is still to be written. */
static bool step_may_leave(shell *s, const core_send *out)
{
    bool all = out->only_leases && !s->full;
    if (all && out->task)
        return step_lease_is_durable(s, &out->message.body.lease);
    for (uint32_t i = 0; all && i < out->message.body.leases.count; i++)
        all = step_lease_is_durable(s, &out->message.body.leases.leases[i]);
    return all;
}

/* Work is given out at once, where it may. */
static void step_answer_lease(shell *s,
                              const core_send *out,
                              const message *answer)
{
    etna_error err = {ETNA_OK, ""};
    uint8_t *data;
    size_t size;
    if (!step_may_leave(s, out)) {
        shell_answer(s, out->request, answer);
    } else if (message_pack(answer, &data, &size, &err)) {
        shell_fail(s, err.code, "a lease cannot be packed: %s", err.text);
    } else {
        inbox_answer(s->in, out->request, data, size);
    }
}

/* Packs the tasks of an answer with several leases. */
static void step_send_leases(shell *s, const core_send *out)
{
    message answer = out->message;
    message_lease leases[MESSAGE_LEASES_MAX];
    uint8_t *payloads[MESSAGE_LEASES_MAX] = {NULL};
    uint32_t count = answer.body.leases.count;
    bool made = true;
    for (uint32_t i = 0; made && i < count; i++) {
        leases[i] = out->message.body.leases.leases[i];
        made = step_lease_complete(s, &leases[i], out->tasks[i], &payloads[i]);
    }
    answer.body.leases.leases = leases;
    if (made)
        step_answer_lease(s, out, &answer);
    for (uint32_t i = 0; i < count; i++)
        free(payloads[i]);
}

/* Leases need their payload, a status its document; everything else is
 * ready. */
static void send_update(shell *s, const core_send *out)
{
    message answer = out->message;
    uint8_t *payload = NULL;
    if (out->tasks) {
        step_send_leases(s, out);
        return;
    }
    if (out->task) {
        if (step_lease_complete(s, &answer.body.lease, out->task, &payload))
            step_answer_lease(s, out, &answer);
        free(payload);
        return;
    }
    if (answer.kind == MESSAGE_RUN_STATUS)
        step_status_complete(s, &answer.body.run_status);
    shell_answer(s, out->request, &answer);
}

/* Its texts. */
static void notice_free(notice *n)
{
    free(n->text);
    free(n->said);
}

/* Takes the notice, with its texts. */
static void step_notice_add(shell *s, notice item)
{
    if (s->notice_count == s->notice_capacity) {
        size_t room = s->notice_capacity ? 2 * s->notice_capacity : 64;
        notice *grown = realloc(s->notices, room * sizeof *grown);
        if (!grown) {
            notice_free(&item);
            shell_fail(s, ETNA_E_NOMEM, "out of memory keeping a line");
            return;
        }
        s->notices = grown;
        s->notice_capacity = room;
    }
    s->notices[s->notice_count++] = item;
}

/* A line is told only when what it tells of is durable, so it is copied. */
static void step_line_add(shell *s, const core_line *line)
{
    const char *said = line->happening.text;
    notice item = {.run = line->run,
                   .sequence = line->sequence,
                   .time_ms = line->time_ms,
                   .happening = line->happening};
    item.task = line->task;
    item.attempt = line->attempt;
    item.text = strdup(line->text);
    item.said = said ? strdup(said) : NULL;
    if (!item.text || (said && !item.said)) {
        notice_free(&item);
        shell_fail(s, ETNA_E_NOMEM, "out of memory keeping a line");
        return;
    }
    item.happening.text = item.said;
    step_notice_add(s, item);
}

/* Notes in which turn the run got its last records, and the first of them:
 * leases that follow from these wait for the turn's commit. */
static void step_note_record(shell *s, const core_record *record)
{
    run_entry *entry = rows_find(s, &record->run);
    if (!entry || entry->turn == s->turn)
        return;
    entry->turn = s->turn;
    entry->turn_first = record->sequence;
}

/* What is to be durable, into the turn's group. */
static void step_keep(shell *s, const core_update *update)
{
    etna_error err = {ETNA_OK, ""};
    store_group *group =
        update->record_count || update->reply_count ? shell_group(s) : NULL;
    for (uint32_t i = 0; group && i < update->record_count; i++) {
        const core_record *r = &update->records[i];
        if (store_append(group, &r->run, r->sequence, r->data, r->size, &err))
            shell_fail(s, err.code, "%s", err.text);
        step_note_record(s, r);
    }
    for (uint32_t i = 0; group && i < update->reply_count; i++) {
        const core_reply *r = &update->replies[i];
        store_reply row = {
            .request = r->request, .reply = r->reply, .usage = r->usage};
        if (store_put_reply(group, &r->run, &r->slot, &row, &err))
            shell_fail(s, err.code, "%s", err.text);
    }
    for (uint32_t i = 0; i < update->row_count; i++)
        rows_write(s, &update->rows[i]);
}

/* Does what the core asks for: what is to be sent and dropped, then what is to
 * be told. */
static void step_carry_out(shell *s, const core_update *update)
{
    for (uint32_t i = 0; i < update->send_count && !s->failure; i++)
        send_update(s, &update->sends[i]);
    for (uint32_t i = 0; i < update->drop_count && !s->failure; i++)
        shell_drop(s, update->drops[i]);
    for (uint32_t i = 0; i < update->line_count && !s->failure; i++)
        step_line_add(s, &update->lines[i]);
    for (uint32_t i = 0; i < update->row_count && !s->failure; i++)
        step_notice_add(s, (notice){.run = update->rows[i].run,
                                    .state = update->rows[i].state});
}

/* False: it failed. */
bool shell_step(shell *s, core_event *event)
{
    core_update update;
    etna_error err = {ETNA_OK, ""};
    if (s->failure)
        return false;
    event->now_ms = shell_now();
    uint64_t gap = event->now_ms - s->alive_ms;
    event->stall_ms = gap > PULSE_MS + STALL_MS
                          ? gap - PULSE_MS
                          /* we step at every pulse, so a longer gap is a
                           * stall */
                          : 0;
    s->alive_ms = event->now_ms;
    if (core_step(s->c, event, &update, &err)) {
        shell_fail(s, err.code, "%s", err.text);
        return false;
    }
    step_keep(s, &update);
    step_carry_out(s, &update);
    return !s->failure;
}

/* A commit is paid for by whose requests it keeps, as far as these are no
 * workers. */
static void step_charge_guests(shell *s, uint64_t took_ns)
{
    const uint64_t writers = (uint64_t)s->group_workers + s->group_guests;
    if (s->group_guests)
        inbox_charge_guests(s->in, took_ns * s->group_guests / writers);
    s->group_workers = s->group_guests = 0;
}

/* False: the disk is full and the group waits, or the shell has failed. A turn
 * without a group "commits" too: its answers may leave. */
static bool step_commit(shell *s)
{
    etna_error err = {ETNA_OK, ""};
    store_group *group = s->group;
    if (group && !s->failure) {
        uint64_t begun_ns = uv_hrtime();
        etna_code code = store_group_commit(group, &err);
        const uint64_t took_ns = uv_hrtime() - begun_ns;
        s->commit_ns += took_ns;
        s->commits++;
        step_charge_guests(s, took_ns);
        bool may_wait = s->options.wait_full && s->running && !s->stopping;
        if (code == ETNA_E_FULL && may_wait) { /* the group is as it was */
            full_met(s, err.text);
            return false;
        }
        if (code == ETNA_E_FULL)
            store_group_abandon(group);
        if (code)
            shell_fail(s, err.code, "%s", err.text);
    } else {
        store_group_abandon(group);
    }
    s->group = NULL;
    s->group_blobs = false;
    s->turn++;
    if (!s->failure)
        full_over(s);
    return !s->failure;
}

/* The queues are taken first: a callback may step the core again, and what
 * comes of that belongs to the next turn. */
static void hand_out(shell *s)
{
    outgoing *out = s->out;
    notice *lines = s->notices;
    size_t out_count = s->out_count;
    size_t notice_count = s->notice_count;
    s->out = NULL;
    s->notices = NULL;
    s->out_count = s->out_room = s->notice_count = s->notice_capacity = 0;
    for (size_t i = 0; i < out_count; i++) {
        if (out[i].data) {
            inbox_answer(s->in, out[i].request, out[i].data, out[i].size);
        } else {
            inbox_drop(s->in, out[i].request);
        }
    }
    free(out);
    for (size_t i = 0; i < notice_count; i++) {
        notice *t = &lines[i];
        if (t->text && s->options.line) {
            core_line line = {.run = t->run,
                              .sequence = t->sequence,
                              .time_ms = t->time_ms,
                              .text = t->text,
                              .happening = t->happening,
                              .task = t->task,
                              .attempt = t->attempt};
            s->options.line(s->options.context, &line);
        } else if (!t->text && s->options.changed) {
            s->options.changed(s->options.context, &t->run, t->state);
        }
        notice_free(t);
    }
    free(lines);
}

/* Is anything to be committed or told? */
static bool step_has_output(const shell *s)
{
    return s->group || s->out_count || s->notice_count;
}

/* A full disk holds everything back, answers too: nothing is said that is not
 * kept. */
void shell_flush(shell *s)
{
    if (s->flushing)
        return; /* a callback stepped: the loop below takes it up */
    s->flushing = true;
    bool waits = s->full && !full_is_due(s);
    while (step_has_output(s) && !s->failure && !waits) {
        waits = !step_commit(s);
        if (!waits)
            hand_out(s);
    }
    if (!s->failure && !s->full)
        rows_forget_old(s);
    s->flushing = false;
}

/* After a failure, and at the end. */
void shell_forget_turn(shell *s)
{
    store_group_abandon(s->group);
    s->group = NULL;
    for (size_t i = 0; i < s->out_count; i++)
        free(s->out[i].data);
    for (size_t i = 0; i < s->notice_count; i++)
        notice_free(&s->notices[i]);
    free(s->out);
    free(s->notices);
    s->out = NULL;
    s->notices = NULL;
    s->out_count = s->notice_count = 0;
}
