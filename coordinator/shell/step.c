/* Persist before send, the shell's only rule. shell_step() gathers into the
 * turn's commit group what an update wants kept, and packs what it wants said;
 * turn.c commits the one and then hands out the other, in order.
 *
 *   core_step ──> update ──┬─ records, replies, rows ──> group ──> commit
 *                          └─ sends, drops, lines ──> queued ──────> out
 *
 * An exception is a lease whose records are all durable already: it leaves
 * at once, so that a worker does not wait for the fsync of somebody else's
 * record. */
#include "coordinator/shell/shell_internal.h"
#include "proto/array.h"

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
    turn_output *to = &s->output;
    if (to->out_count == to->out_room) {
        size_t room = to->out_room ? 2 * to->out_room : 64;
        outgoing *grown = realloc(to->out, room * sizeof *grown);
        if (!grown) {
            free(data);
            shell_fail(s, ETNA_E_NOMEM, "out of memory queueing an answer");
            return;
        }
        to->out = grown;
        to->out_room = room;
    }
    to->out[to->out_count++] = (outgoing){request, data, size};
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

/* Whether the record that the lease follows from has been committed. */
static bool step_lease_is_durable(shell *s, const message_lease *lease)
{
    const run_entry *entry = rows_find(s, &lease->ref.run);
    if (!entry)
        return false;
    for (size_t i = 0; i < COUNT_OF(entry->kept); i++) {
        const run_kept *kept = &entry->kept[i];
        if (kept->turn > s->durable && lease->follows >= kept->first)
            return false;
    }
    return true;
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

/* Takes the notice, with its texts. */
static void step_notice_add(shell *s, notice item)
{
    turn_output *to = &s->output;
    if (to->notice_count == to->notice_room) {
        size_t room = to->notice_room ? 2 * to->notice_room : 64;
        notice *grown = realloc(to->notices, room * sizeof *grown);
        if (!grown) {
            notice_free(&item);
            shell_fail(s, ETNA_E_NOMEM, "out of memory keeping a line");
            return;
        }
        to->notices = grown;
        to->notice_room = room;
    }
    to->notices[to->notice_count++] = item;
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
 * leases that follow from these wait for the turn's commit. At most two turns
 * are not durable, this one and the one that is being committed. */
static void step_note_record(shell *s, const core_record *record)
{
    run_entry *entry = rows_find(s, &record->run);
    if (!entry || entry->kept[0].turn == s->turn)
        return;
    entry->kept[1] = entry->kept[0];
    entry->kept[0] = (run_kept){s->turn, record->sequence};
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
