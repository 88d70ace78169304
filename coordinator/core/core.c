/* The step: one event in, one update out. What each kind of event means is in
 * the file named after it; here is only the order of things: the event itself,
 * then what time brings, then leases for what became free, then parked viewers.
 *
 * Begin at core_step. The core has no clock, no thread, no file and no socket:
 * time comes in the event, and everything that is to happen outside goes out in
 * the update, which the shell first keeps and then carries out (core.h says
 * what it promises). So the simulator can drive it through a million worlds.
 * Memory that a step needs is in `scratch` and gone with the next one. A
 * failure (memory, a broken invariant) is kept, ends this step and refuses
 * every later one: the shell begins a new core from the journal. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step that comes later than this after what was promised is a stall of
 * ours. */
enum {
    COOKIE = 0x43524f45,
    STALL_MS = 1000
};

/* Milliseconds. lost_after_ms is more than two parks of orders, so that one
 * lost answer is no death; fence_ms is longer than a worker may keep a word to
 * go. */
core_options core_options_default(void)
{
    return (core_options){.cookie = COOKIE,
                          .epoch = 0,
                          .lease_park_ms = 20000,
                          .orders_park_ms = 10000,
                          .events_park_ms = 10000,
                          .lost_after_ms = 25000,
                          .closed_after_ms = 2000,
                          .call_wait_ms = 500,
                          .fence_ms = MESSAGE_GO_MS + 5000,
                          .runs_most = 65536,
                          .config_bytes_most = UINT64_C(512) << 20,
                          .attempts = 3,
                          .strict = false};
}

/* The options must come from core_options_default(): the cookie says so. */
etna_code core_new(const core_options *options,
                   core **ret_core,
                   etna_error *err)
{
    if (options->cookie != COOKIE) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "core options: not made by core_options_default(); start from it");
    }
    core *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM,
                         "the coordinator's state: out of memory");
    c->options = *options;
    c->promised = c->wall_next = CORE_NEVER;
    chain *heads[] = {&c->workers,       &c->lost_queue,     &c->ready,
                      &c->timed,         &c->losing,         &c->leases_parked,
                      &c->orders_parked, &c->viewers_parked, &c->quarantine,
                      &c->paused,        &c->batches,        &c->served,
                      &c->stirred};
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        chain_init(heads[i]);
    *ret_core = c;
    return ETNA_OK;
}

/* Without an answer: the peers are gone with the process. */
static void free_parked(chain *queue)
{
    while (!chain_empty(queue))
        request_unpark(CHAIN_OF(parked, link, queue->next));
}

/* NULL is fine. */
void core_free(core *c)
{
    if (!c)
        return;
    free_parked(&c->leases_parked);
    free_parked(&c->orders_parked);
    free_parked(&c->viewers_parked);
    for (uint32_t i = 0; i < c->run_count; i++)
        run_free(c->runs[i]);
    while (!chain_empty(&c->workers))
        worker_free(c, CHAIN_OF(worker, link, c->workers.next));
    endpoint_free_all(c);
    table_free(&c->run_table);
    table_free(&c->worker_table);
    etna_arena_free(&c->scratch);
    free(c->runs);
    free(c->records);
    free(c->replies);
    free(c->rows);
    free(c->sends);
    free(c->drops);
    free(c->lines);
    free(c);
}

/* The first failure is kept: the step ends by it and the core takes no further
 * event. */
void core_trouble(core *c, etna_code code, const char *format, ...)
{
    if (c->failure != ETNA_OK)
        return;
    va_list args;
    va_start(args, format);
    c->failure = code;
    vsnprintf(c->failure_text, sizeof c->failure_text, format, args);
    va_end(args);
}

/* Tests and the simulator stop at the spot; a user's coordinator ends with a
 * text that can be reported. */
void core_broken(core *c, const char *what)
{
    if (c->options.strict)
        __builtin_trap();
    core_trouble(
        c, ETNA_E_INTERNAL,
        "the coordinator's state: %s; this is a defect, please report it",
        what);
}

/* Room for one more item. NULL: core.failure; `items` is as it was. */
void *core_grow(
    core *c, void *items, uint32_t *capacity, uint32_t count, size_t size)
{
    if (items && count < *capacity)
        return items;
    uint32_t more = *capacity ? *capacity * 2 : 16;
    void *grown = more > *capacity ? realloc(items, more * size) : NULL;
    if (!grown) {
        core_trouble(c, ETNA_E_NOMEM, "the coordinator's state: out of memory");
        return NULL;
    }
    *capacity = more;
    return grown;
}

/* Ids are random, so their first bytes hash well enough; the few runs that
 * share a key are chained. */
static uint64_t run_key(const etna_id *id)
{
    uint64_t key;
    memcpy(&key, id->bytes, sizeof key);
    return key;
}

/* NULL: not in memory. */
run *core_find(const core *c, const etna_id *id)
{
    run *r = table_get(&c->run_table, run_key(id));
    while (r && !etna_id_equal(&r->id, id))
        r = r->same_key;
    return r;
}

/* Takes `r` in every case: where it cannot be listed it is freed. */
static void adopt_run(core *c, run *r)
{
    run **grown =
        core_grow(c, c->runs, &c->run_capacity, c->run_count, sizeof *c->runs);
    if (grown)
        c->runs = grown;
    r->same_key = table_get(&c->run_table, run_key(&r->id));
    if (!grown || !table_put(&c->run_table, run_key(&r->id), r)) {
        core_trouble(c, ETNA_E_NOMEM, "a run: out of memory");
        run_free(r);
        return;
    }
    c->runs[c->run_count++] = r;
    c->config_bytes += r->config_bytes;
    if (r->config.max_wall_ms)
        chain_append(&c->timed, &r->timed);
    c->wall_stale = true;
}

/* Out of all lists; its viewers are told that it is not known any more. */
static void forget_run(core *c, run *r)
{
    run *first = table_get(&c->run_table, run_key(&r->id));
    if (first == r && !r->same_key) {
        table_remove(&c->run_table, run_key(&r->id));
    } else if (first == r) {
        table_put(&c->run_table, run_key(&r->id), r->same_key);
    } else {
        while (first->same_key != r)
            first = first->same_key;
        first->same_key = r->same_key;
    }
    uint32_t at = 0;
    while (c->runs[at] != r)
        at++;
    memmove(&c->runs[at], &c->runs[at + 1],
            (c->run_count - at - 1) * sizeof *c->runs);
    c->run_count--;
    c->config_bytes -= r->config_bytes;
    viewer_leave(r);
    run_free(r);
}

/* NULL: core.failure. */
run *core_add_run(core *c, const etna_id *id, const arrange_config *config)
{
    run *r = run_new(c, id, config);
    if (r)
        adopt_run(c, r);
    return c->failure == ETNA_OK ? r : NULL;
}

/* ---- the update ---- */

/* An answer to a request that waits; 0 is a request whose peer is gone. NULL:
 * there is nothing to fill. */
core_send *core_send_add(core *c,
                         uint64_t request,
                         uint64_t incarnation,
                         uint64_t sequence,
                         const message *answer)
{
    if (!request)
        return NULL;
    core_send *grown = core_grow(c, c->sends, &c->send_capacity, c->send_count,
                                 sizeof *c->sends);
    if (!grown)
        return NULL;
    c->sends = grown;
    core_send *out = &c->sends[c->send_count++];
    *out = (core_send){.request = request, .message = *answer};
    out->message.version = MESSAGE_VERSION;
    out->message.epoch = c->options.epoch;
    out->message.sender = 0;
    out->message.incarnation = incarnation;
    out->message.sequence = sequence;
    return out;
}

/* `said` is the task that a lease hands out; it is packed by the shell, after
 * the step. */
void core_send_answer(core *c,
                      uint64_t request,
                      uint64_t incarnation,
                      uint64_t sequence,
                      const message *answer,
                      const arrange_task *said)
{
    core_send *out = core_send_add(c, request, incarnation, sequence, answer);
    if (out)
        out->task = said;
}

/* The shell lets the request go without an answer. */
void core_drop(core *c, uint64_t request)
{
    if (!request)
        return;
    uint64_t *grown = core_grow(c, c->drops, &c->drop_capacity, c->drop_count,
                                sizeof *c->drops);
    if (!grown)
        return;
    c->drops = grown;
    c->drops[c->drop_count++] = request;
}

/* For the shell, which shows it; lines are kept by the run itself. */
void core_say(core *c,
              const etna_id *of_run,
              uint64_t sequence,
              uint64_t time_ms,
              const narration *told)
{
    core_line *grown = core_grow(c, c->lines, &c->line_capacity, c->line_count,
                                 sizeof *c->lines);
    if (!grown)
        return;
    c->lines = grown;
    core_line *line = &c->lines[c->line_count++];
    *line = (core_line){.sequence = sequence,
                        .time_ms = time_ms,
                        .text = told->text,
                        .happening = told->happening};
    line->task = told->task;
    line->attempt = told->attempt;
    if (of_run)
        line->run = *of_run;
}

/* The table of runs that the store keeps, for listings without a replay.
 * submitted: a new row. */
void core_row_changed(run *r, bool submitted)
{
    core *c = r->core;
    core_row *grown =
        core_grow(c, c->rows, &c->row_capacity, c->row_count, sizeof *c->rows);
    if (!grown)
        return;
    c->rows = grown;
    const char *goal = r->config.goal ? r->config.goal : r->config.steps[0];
    c->rows[c->row_count++] = (core_row){.run = r->id,
                                         .state = run_state_now(r),
                                         .submitted = submitted,
                                         .waiting = r->retry_ms != 0};
    c->rows[c->row_count - 1].scene = r->config.scene_name;
    c->rows[c->row_count - 1].goal = goal;
}

/* The update before is gone with it: the shell has written it by now. */
void core_update_reset(core *c)
{
    etna_arena_free(&c->scratch);
    c->record_count = c->reply_count = c->row_count = c->send_count =
        c->drop_count = c->line_count = 0;
}

/* Borrowed until the next step. */
static core_update update_of(const core *c)
{
    return (core_update){.record_count = c->record_count,
                         .reply_count = c->reply_count,
                         .row_count = c->row_count,
                         .send_count = c->send_count,
                         .drop_count = c->drop_count,
                         .line_count = c->line_count,
                         .records = c->records,
                         .replies = c->replies,
                         .rows = c->rows,
                         .sends = c->sends,
                         .drops = c->drops,
                         .lines = c->lines};
}

/* ---- events ---- */

/* Blobs are the shell's, and answers are no requests. */
static void blob_or_answer_asked(core *c, const core_event *event)
{
    refuse(c, event, ETNA_E_MESSAGE,
           "the coordinator decides nothing about such a message");
}

/* Which file decides about a message. A kind that is not here is none of the
 * core's. */
static void (*const messages[MESSAGE_KIND_COUNT])(core *,
                                                  const core_event *) = {
    [MESSAGE_LEASE_REQUEST] = lease_requested,
    [MESSAGE_RESULT] = lease_result,
    [MESSAGE_ORDERS_REQUEST] = worker_orders,
    [MESSAGE_CALL_BEGIN] = call_begin_asked,
    [MESSAGE_CALL_END] = call_end_asked,
    [MESSAGE_RUN_SUBMIT] = submit_asked,
    [MESSAGE_RUN_CANCEL] = cancel_asked,
    [MESSAGE_RUN_STATUS_REQUEST] = status_asked,
    [MESSAGE_EVENTS_REQUEST] = viewer_asked,
    [MESSAGE_CALL_FAIL] = call_fail_asked,
    [MESSAGE_RUN_SUSPEND] = suspend_asked,
    [MESSAGE_RUN_RESUME] = resume_asked,
    [MESSAGE_DRAIN] = drain_asked,
    [MESSAGE_DEATH] = worker_death_told,
};

/* Kinds come from the wire: a number beyond the table is refused like one in it
 * that has no function. */
static void on_message(core *c, const core_event *event)
{
    unsigned kind = event->message ? (unsigned)event->message->kind : 0;
    if (!event->message)
        return;
    (kind < MESSAGE_KIND_COUNT && messages[kind]
         ? messages[kind]
         : blob_or_answer_asked)(c, event);
}

/* Nothing but time. */
static void on_tick(core *c, const core_event *event)
{
    (void)c;
    (void)event;
}

/* Requests first: a worker without any is then silent. */
static void on_pipe_gone(core *c, const core_event *event)
{
    request_forget_pipe(c, event->pipe);
    worker_pipe_gone(c, event->pipe);
}

/* A run that is not in memory is resumed by the shell, through a replay. */
static void on_resume(core *c, const core_event *event)
{
    run *r = core_find(c, &event->run);
    if (r)
        run_resume(r, event->resume);
}

/* An id of zeros suspends all, as at the end of the process. */
static void on_suspend(core *c, const core_event *event)
{
    static const etna_id every;
    for (uint32_t i = 0; i < c->run_count; i++) {
        if (etna_id_equal(&event->run, &every) ||
            etna_id_equal(&event->run, &c->runs[i]->id))
            run_suspend(c->runs[i]);
    }
}

/* Workers are told; runs go on until they end. */
static void on_drain(core *c, const core_event *event)
{
    (void)event;
    worker_drain(c);
}

/* Only what is not under way: its memory is not needed, the store has it. */
static void on_forget(core *c, const core_event *event)
{
    run *r = core_find(c, &event->run);
    if (r && (r->phase == PHASE_ENDED || r->dormant))
        forget_run(c, r);
}

/* Which function takes an event. */
static void (*const events[CORE_EVENT_KIND_COUNT])(core *,
                                                   const core_event *) = {
    [CORE_TICK] = on_tick,           [CORE_MESSAGE] = on_message,
    [CORE_PIPE_GONE] = on_pipe_gone, [CORE_WORKER_EXITED] = worker_exited,
    [CORE_RESUME] = on_resume,       [CORE_SUSPEND] = on_suspend,
    [CORE_DRAIN] = on_drain,         [CORE_MODELS] = endpoint_models,
    [CORE_FORGET] = on_forget,
};

/* Peers could not be heard while the loop stood still, so nothing may be held
 * against them for that time. A tick that comes late shows a stall too; what
 * waits in the sockets then gets a moment more to be heard first. */
static void forgive_stall(core *c, const core_event *event)
{
    uint64_t stall = event->stall_ms > STALL_MS ? event->stall_ms : 0;
    uint64_t late = c->promised != CORE_NEVER && c->now > c->promised
                        ? c->now - c->promised
                        : 0;
    if (late > STALL_MS && late > stall)
        stall = late + STALL_MS;
    if (stall)
        request_shift(c, stall);
}

/* The first wall time that ends, of all runs that have one; CORE_NEVER: none
 * has. */
static uint64_t wall_first(const core *c)
{
    uint64_t first = CORE_NEVER;
    for (const chain *link = c->timed.next; link != &c->timed;
         link = link->next) {
        uint64_t wall = cap_wall_deadline(CHAIN_OF(run, timed, link));
        if (wall < first)
            first = wall;
    }
    return first;
}

/* A run's wall time ends at one moment while it goes on, so that thousands are
 * not looked at in every step. */
static void wall_refresh(core *c)
{
    if (!c->wall_stale)
        return;
    c->wall_next = wall_first(c);
    c->wall_stale = false;
}

/* What was due by now, in the order: answers, silent workers, pauses, wall
 * time. */
static void time_passes(core *c)
{
    request_deadlines(c);
    worker_deadlines(c);
    run_retry_due(c);
    wall_refresh(c);
    if (c->now < c->wall_next)
        return;
    c->wall_stale = true;
    for (chain *link = c->timed.next; link != &c->timed; link = link->next) {
        run *r = CHAIN_OF(run, timed, link);
        if (cap_wall_due(r, c->now))
            cap_reach(r, CAP_WALL);
    }
}

/* The whole contract is in core.h. The order is what keeps it simple: the
 * event, then time, then tasks that may be refused or lost, then leases for
 * whoever is free, then viewers. A failure leaves a core that refuses every
 * further step. */
etna_code core_step(core *c,
                    const core_event *event,
                    core_update *ret_update,
                    etna_error *err)
{
    if (c->failure != ETNA_OK)
        return etna_fail(err, c->failure, "%s", c->failure_text);
    if ((unsigned)event->kind >= CORE_EVENT_KIND_COUNT ||
        !events[event->kind]) {
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an event of unknown kind %u reached the core",
                         (unsigned)event->kind);
    }
    core_update_reset(c);
    if (event->now_ms > c->now)
        c->now = event->now_ms;
    forgive_stall(c, event);
    events[event->kind](c, event);
    time_passes(c);
    lease_refuse_deadly(c);
    call_record_losses(c);
    lease_match(c);
    lease_answer_served(c);
    viewer_answer_all(c);
    wall_refresh(c);
    c->promised = core_next_deadline(c);
    if (c->failure != ETNA_OK)
        return etna_fail(err, c->failure, "%s", c->failure_text);
    *ret_update = update_of(c);
    return ETNA_OK;
}

/* Queues are in the order of their deadlines. */
static uint64_t first_deadline(const chain *queue)
{
    return chain_empty(queue)
               ? CORE_NEVER
               : CHAIN_OF(parked, link, queue->next)->deadline_ms;
}

/* CORE_NEVER: nothing is due unless something comes. */
uint64_t core_next_deadline(const core *c)
{
    uint64_t next = CORE_NEVER;
    uint64_t others[] = {
        first_deadline(&c->leases_parked), first_deadline(&c->orders_parked),
        first_deadline(&c->viewers_parked),
        chain_empty(&c->lost_queue)
            ? CORE_NEVER
            : CHAIN_OF(worker, lost_queue, c->lost_queue.next)->lost_at_ms};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (others[i] < next)
            next = others[i];
    }
    uint64_t wall = c->wall_stale ? wall_first(c) : c->wall_next;
    if (wall < next)
        next = wall;
    for (const chain *link = c->paused.next; link != &c->paused;
         link = link->next) {
        uint64_t retry = CHAIN_OF(run, paused, link)->retry_ms;
        if (retry < next)
            next = retry;
    }
    return next;
}

/* How many there are; at most `room` are told. */
uint32_t core_runs(const core *c, etna_id *ret_runs, uint32_t room)
{
    for (uint32_t i = 0; i < c->run_count && i < room; i++)
        ret_runs[i] = c->runs[i]->id;
    return c->run_count;
}

/* Runs that go on, whether or not a task is under way. */
uint32_t core_live(const core *c)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < c->run_count; i++) {
        if (!c->runs[i]->dormant && run_state_now(c->runs[i]) == RUN_RUNNING)
            live++;
    }
    return live;
}

/* Told to drain. */
bool core_is_closing(const core *c)
{
    return c->closing;
}

/* Walks it: for counts that people ask for, not for steps. */
static uint32_t chain_length(const chain *head)
{
    uint32_t n = 0;
    for (const chain *link = head->next; link != head; link = link->next)
        n++;
    return n;
}

/* A look at all lists, for metrics and tests. */
core_counts core_count(const core *c)
{
    core_counts counts = {.runs = c->run_count,
                          .lease_requests_parked =
                              chain_length(&c->leases_parked),
                          .orders_parked = chain_length(&c->orders_parked),
                          .viewers_parked = chain_length(&c->viewers_parked),
                          .calls_in_flight = c->calls_in_flight};
    for (const chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        if (CHAIN_OF(worker, link, link)->live)
            counts.workers++;
    }
    for (uint32_t i = 0; i < c->run_count; i++) {
        counts.tasks_queued += c->runs[i]->queued_count;
        counts.tasks_leased +=
            c->runs[i]->task_count - c->runs[i]->queued_count;
    }
    return counts;
}
