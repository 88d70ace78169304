/* Requests that wait for their answer, and the ones of submitters and viewers.
 * Each queue is ordered by deadline: a queue has one patience, time does not go
 * back, a stall moves all of them alike, and who comes after it waits no
 * shorter.
 *
 * A peer asks and the core answers when there is something to say, or, with
 * nothing, at the deadline: so no peer polls, and each silence has an end. A
 * parked request is in its queue and, of a viewer, in its run's list;
 * request_unpark takes it out of both. Submitting, cancelling, suspending and
 * resuming are idempotent: an answer may be lost, and the peer repeats itself.
 * What a viewer is told are lines with numbers; it asks for those after the
 * last one it has. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"

#include <stdlib.h>
#include <string.h>

/* One queue for each kind. */
static chain *queue_of(core *c, parked_kind kind)
{
    if (kind == PARKED_LEASE)
        return &c->leases_parked;
    return kind == PARKED_ORDERS ? &c->orders_parked : &c->viewers_parked;
}

/* NULL: core.failure. `warm` are the scenes that a worker has at hand, which a
 * lease is chosen by. */
parked *request_park(core *c,
                     parked_kind kind,
                     const core_event *event,
                     worker *w,
                     uint32_t warm_count,
                     const etna_hash *warm)
{
    parked *p = calloc(1, sizeof *p + warm_count * sizeof *warm);
    if (!p) {
        core_trouble(c, ETNA_E_NOMEM, "a parked request: out of memory");
        return NULL;
    }
    uint32_t patience = c->options.events_park_ms;
    if (kind == PARKED_LEASE)
        patience = c->options.lease_park_ms;
    else if (kind == PARKED_ORDERS)
        patience = c->options.orders_park_ms;
    chain_init(&p->served);
    chain_init(&p->of_run);
    p->kind = kind;
    p->request = event->request;
    p->pipe = event->pipe;
    p->sender = event->message->sender;
    p->sequence = event->message->sequence;
    p->incarnation = event->message->incarnation;
    p->deadline_ms = c->now + patience;
    p->worker = w;
    p->warm_count = warm_count;
    if (warm_count)
        memcpy(p->warm, warm, warm_count * sizeof *warm);
    if (kind == PARKED_ORDERS)
        w->orders = p;
    chain *queue = queue_of(c, kind);
    /* a forgiven stall may have moved the others past it */
    if (!chain_empty(queue)) {
        uint64_t last = CHAIN_OF(parked, link, queue->previous)->deadline_ms;
        if (last > p->deadline_ms)
            p->deadline_ms = last;
    }
    chain_append(queue, &p->link);
    return p;
}

/* Out of its queue and its run's list, without an answer. */
void request_unpark(parked *p)
{
    if (p->worker && p->worker->orders == p)
        p->worker->orders = NULL;
    chain_remove(&p->served);
    chain_remove(&p->of_run);
    chain_remove(&p->link);
    free(p);
}

/* Answers under the numbers that the request came with. */
static void answer_through(core *c,
                           const parked *p,
                           const message *answer,
                           const arrange_task *said)
{
    core_send_answer(c, p->request, p->incarnation, p->sequence, answer, said);
}

/* A worker whose orders request is gone with its connection is silent from now
 * on. */
static void forget_pipe(core *c, chain *queue, uint64_t pipe)
{
    for (chain *link = queue->next, *next; link != queue; link = next) {
        next = link->next;
        parked *p = CHAIN_OF(parked, link, link);
        if (p->pipe != pipe)
            continue;
        worker *w = p->kind == PARKED_ORDERS ? p->worker : NULL;
        core_drop(c, p->request);
        request_unpark(p);
        if (w)
            worker_clock_restart(w);
    }
}

/* The connection is gone, and all that waited on it. */
void request_forget_pipe(core *c, uint64_t pipe)
{
    forget_pipe(c, &c->leases_parked, pipe);
    forget_pipe(c, &c->orders_parked, pipe);
    forget_pipe(c, &c->viewers_parked, pipe);
}

static void viewer_answer(core *c, parked *p);

/* Each is answered with nothing, and its peer asks again: so both sides learn
 * that the other lives. */
void request_deadlines(core *c)
{
    while (!chain_empty(&c->leases_parked)) {
        parked *p = CHAIN_OF(parked, link, c->leases_parked.next);
        if (p->deadline_ms > c->now)
            break;
        lease_answer_none(c, p);
    }
    while (!chain_empty(&c->orders_parked)) {
        parked *p = CHAIN_OF(parked, link, c->orders_parked.next);
        if (p->deadline_ms > c->now)
            break;
        worker_tell(p->worker, NULL, 0);
    }
    while (!chain_empty(&c->viewers_parked)) {
        parked *p = CHAIN_OF(parked, link, c->viewers_parked.next);
        if (p->deadline_ms > c->now)
            break;
        viewer_answer(c, p);
    }
}

/* After a stall of ours: everybody gets the time that we did not listen, both
 * for requests and for what workers have to confirm. */
void request_shift(core *c, uint64_t by_ms)
{
    chain *queues[] = {&c->leases_parked, &c->orders_parked,
                       &c->viewers_parked};
    for (size_t i = 0; i < COUNT_OF(queues); i++) {
        for (chain *link = queues[i]->next; link != queues[i];
             link = link->next) {
            CHAIN_OF(parked, link, link)->deadline_ms += by_ms;
        }
    }
    for (chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        worker *w = CHAIN_OF(worker, link, link);
        if (!chain_empty(&w->lost_queue))
            w->lost_at_ms += by_ms;
        for (chain *lease = w->leases.next; lease != &w->leases;
             lease = lease->next) {
            CHAIN_OF(task, link, lease)->confirmed_ms += by_ms;
            CHAIN_OF(task, link, lease)->leased_ms += by_ms;
        }
    }
}

/* Answers and forgets it. */
void request_answer(core *c,
                    parked *p,
                    const message *answer,
                    const arrange_task *said)
{
    answer_through(c, p, answer, said);
    request_unpark(p);
}

/* The text says what to do; it lies in the step's memory. */
void refuse(core *c, const core_event *event, etna_code code, const char *text)
{
    message answer = {.kind = MESSAGE_REFUSED};
    answer.body.refused = (message_refused){
        .code = code, .text = etna_arena_strdup(&c->scratch, text)};
    if (!answer.body.refused.text)
        core_trouble(c, ETNA_E_NOMEM, "a refusal: out of memory");
    core_send_answer(c, event->request, event->message->incarnation,
                     event->message->sequence, &answer, NULL);
}

/* ---- viewers ---- */

/* The index of the first line after `after`: lines are in ascending order of
 * sequence. */
static uint32_t first_line_after(const run *r, uint64_t after)
{
    uint32_t low = 0;
    uint32_t high = r->line_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->lines[middle].sequence > after) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Of a run that ended or rests nothing more is to be waited for. */
bool viewer_has_news(const run *r, uint64_t after)
{
    bool is_over = r->phase == PHASE_ENDED && !r->leaving_count;
    bool rests = r->dormant && !r->retry_ms;
    return first_line_after(r, after) < r->line_count || is_over || rests;
}

/* Fills an answer with the lines after `after`, in core.scratch. Where they are
 * more than fit, the state says RUNNING, so that the viewer asks on. False:
 * core.failure. */
static bool events_message(core *c, const run *r, uint64_t after, message *ret)
{
    uint32_t first = first_line_after(r, after);
    uint32_t count = r->line_count - first;
    bool all = count <= MESSAGE_EVENTS_MAX;
    if (!all)
        count = MESSAGE_EVENTS_MAX;
    message_event *lines = etna_arena_alloc(&c->scratch, count, sizeof *lines);
    if (!lines) {
        core_trouble(c, ETNA_E_NOMEM, "events: out of memory");
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const run_line *line = &r->lines[first + i];
        lines[i] = (message_event){.sequence = line->sequence,
                                   .time_ms = line->time_ms,
                                   .line = line->told.text,
                                   .happening = line->told.happening};
    }
    ret->kind = MESSAGE_EVENTS;
    ret->body.events =
        (message_events){.count = count,
                         .events = lines,
                         .state = all ? run_state_now(r) : RUN_RUNNING};
    return true;
}

/* A run that is not known any more is answered, too. */
static void viewer_answer(core *c, parked *p)
{
    message answer = {.kind = MESSAGE_EVENTS};
    const run *r = core_find(c, &p->run);
    answer.body.events.state = RUN_UNKNOWN;
    if (r && !events_message(c, r, p->after, &answer))
        return;
    request_answer(c, p, &answer, NULL);
}

/* Marks a run of which something changed in this step. */
void viewer_stir(run *r)
{
    bool is_watched = !chain_empty(&r->viewers);
    if (is_watched && chain_empty(&r->stirred))
        chain_append(&r->core->stirred, &r->stirred);
}

/* Those that know less than there is. */
static void viewer_answer_of(core *c, const run *r)
{
    for (chain *link = r->viewers.next, *next; link != &r->viewers;
         link = next) {
        next = link->next;
        parked *p = CHAIN_OF(parked, of_run, link);
        if (viewer_has_news(r, p->after))
            viewer_answer(c, p);
    }
}

/* Thousands of runs may be watched while a step concerns one: the others'
 * viewers are not looked at. */
void viewer_answer_all(core *c)
{
    while (!chain_empty(&c->stirred)) {
        run *r = CHAIN_OF(run, stirred, c->stirred.next);
        chain_remove(&r->stirred);
        viewer_answer_of(c, r);
    }
}

/* The run leaves memory: its viewers learn it now, not at their deadline. */
void viewer_leave(run *r)
{
    const message answer = {.kind = MESSAGE_EVENTS,
                            .body.events = {.state = RUN_UNKNOWN}};
    while (!chain_empty(&r->viewers))
        request_answer(r->core, CHAIN_OF(parked, of_run, r->viewers.next),
                       &answer, NULL);
}

/* With news at once, else when there are any. */
void viewer_asked(core *c, const core_event *event)
{
    const message_events_request *asked = &event->message->body.events_request;
    run *r = core_find(c, &asked->run);
    if (!r) {
        refuse(c, event, ETNA_E_NOTFOUND,
               "events: no such run here; see `etna runs`");
        return;
    }
    message answer = {.kind = MESSAGE_EVENTS};
    if (viewer_has_news(r, asked->after)) {
        if (!events_message(c, r, asked->after, &answer))
            return;
        core_send_answer(c, event->request, event->message->incarnation,
                         event->message->sequence, &answer, NULL);
        return;
    }
    parked *p = request_park(c, PARKED_EVENTS, event, NULL, 0, NULL);
    if (!p)
        return;
    p->run = asked->run;
    p->after = asked->after;
    chain_append(&r->viewers, &p->of_run);
}

/* ---- submitters ---- */

#define CLOSING \
    "this coordinator takes no new run, since it was told to drain; start another one"

/* How the run stands, under the numbers of the request. */
static void answer_status(core *c, const core_event *event, const run *r)
{
    message answer = {.kind = MESSAGE_RUN_STATUS};
    run_status_message(r, &answer);
    core_send_answer(c, event->request, event->message->incarnation,
                     event->message->sequence, &answer, NULL);
}

/* Compared as they would be journaled, but for the priority, which says when
 * and not what. */
static bool same_config(const arrange_config *a, const arrange_config *b)
{
    canon_writer first = {0}, second = {0};
    arrange_config again = *b;
    again.priority = a->priority; /* it says when, not what */
    record_config(&first, a);
    record_config(&second, &again);
    bool is_written = !first.failed && !second.failed;
    bool same = is_written && first.size == second.size &&
                memcmp(first.data, second.data, first.size) == 0;
    canon_writer_free(&first);
    canon_writer_free(&second);
    return same;
}

/* Begins the run that was submitted; NULL: the core has failed. */
static run *submit_begin(core *c,
                         const etna_id *id,
                         const arrange_config *config)
{
    run *r = core_add_run(c, id, config);
    if (!r)
        return NULL;
    r->clock_at = c->now;
    record_submitted(r);
    core_row_changed(r, true);
    run_begin(r);
    return r;
}

/* In number, or in what they hold: one may have instructions of half a
 * megabyte. */
static bool submit_is_full(const core *c)
{
    return c->run_count >= c->options.runs_most ||
           c->config_bytes >= c->options.config_bytes_most;
}

/* Submitting is idempotent: the same run with the same configuration is
 * answered like the first time, since the answer to that may have been lost. */
void submit_asked(core *c, const core_event *event)
{
    const message_run_submit *asked = &event->message->body.run_submit;
    static const etna_id none;
    etna_error err = {0};
    if (!event->config || etna_id_equal(&asked->run, &none)) {
        refuse(
            c, event, ETNA_E_MESSAGE,
            "submit: no configuration that could be read, or a run id of zeros");
        return;
    }
    if (run_config_check(event->config, &err) != ETNA_OK) {
        refuse(c, event, err.code, err.text);
        return;
    }
    run *r = core_find(c, &asked->run);
    if (r && !same_config(&r->config, event->config)) {
        refuse(
            c, event, ETNA_E_USAGE,
            "submit: this run id is taken by a run with another configuration; choose another id");
        return;
    }
    if (!r && c->closing) {
        refuse(c, event, ETNA_E_NETWORK, CLOSING);
        return;
    }
    if (!r && submit_is_full(c)) {
        refuse(
            c, event, ETNA_E_FULL,
            "submit: as many runs are open as a coordinator takes; try again when some have ended");
        return;
    }
    if (!r)
        r = submit_begin(c, &asked->run, event->config);
    if (r)
        answer_status(c, event, r);
}

/* Of runs in memory; the shell looks into the store for others. */
void status_asked(core *c, const core_event *event)
{
    const run *r = core_find(c, &event->message->body.run_status_request.run);
    if (r) {
        answer_status(c, event, r);
    } else {
        refuse(c, event, ETNA_E_NOTFOUND,
               "status: no such run here; see `etna runs`");
    }
}

/* Answered when it has ended, which is at once. */
void cancel_asked(core *c, const core_event *event)
{
    run *r = core_find(c, &event->message->body.run_cancel.run);
    if (!r) {
        refuse(c, event, ETNA_E_NOTFOUND,
               "cancel: no such run here; see `etna runs`");
        return;
    }
    run_cancel(r);
    answer_status(c, event, r);
}

/* Suspending what rests already changes nothing. */
void suspend_asked(core *c, const core_event *event)
{
    run *r = core_find(c, &event->message->body.run_suspend.run);
    if (!r) {
        refuse(c, event, ETNA_E_NOTFOUND,
               "suspend: no such run here; see `etna runs`");
        return;
    }
    run_suspend(r);
    answer_status(c, event, r);
}

/* Not while draining: a run that goes on would hold the process. */
void resume_asked(core *c, const core_event *event)
{
    run *r = core_find(c, &event->message->body.run_resume.run);
    if (!r) {
        refuse(c, event, ETNA_E_NOTFOUND,
               "resume: no such run here; see `etna runs`");
        return;
    }
    if (c->closing) {
        refuse(c, event, ETNA_E_NETWORK, CLOSING);
        return;
    }
    run_resume(r, &event->message->body.run_resume);
    answer_status(c, event, r);
}

/* Tells how many runs are still to end. */
void drain_asked(core *c, const core_event *event)
{
    message answer = {.kind = MESSAGE_DRAIN_ACK};
    c->closing = true;
    answer.body.drain_ack.live = core_live(c);
    core_send_answer(c, event->request, event->message->incarnation,
                     event->message->sequence, &answer, NULL);
}
