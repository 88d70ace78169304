/* Workers: who is there, since when silent, and what they are to stop. The
 * orders request is the heartbeat: while one is parked the worker lives; from
 * the moment it is answered 25 s run until its leases are given away. A
 * connection that is closed says more: a process that ends closes it, and one
 * that lives is back soon; so 2 s will do. Where most are closed at once it is
 * nobody's death; one alone tells nothing of a network, which closes no
 * connection when it is cut. */
#include "coordinator/core/core_internal.h"
#include "proto/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Into its place: what is lost first stands first. */
static void worker_clock_set(worker *w, uint64_t at_ms)
{
    chain *queue = &w->core->lost_queue;
    chain_remove(&w->lost_queue);
    w->lost_at_ms = at_ms;
    /* most are set to the latest time of all */
    chain *before = queue->previous;
    while (before != queue &&
           CHAIN_OF(worker, lost_queue, before)->lost_at_ms > at_ms)
        before = before->previous;
    chain_append(before->next, &w->lost_queue);
}

/* Its 25 s start now. They end at clock_stop() or in worker_deadlines(). */
void worker_clock_restart(worker *w)
{
    worker_clock_set(w, w->core->now + w->core->options.lost_after_ms);
}

/* It is heard of, or gone. */
static void clock_stop(worker *w)
{
    chain_remove(&w->lost_queue);
}

/* NULL: core.failure. */
static worker *worker_new(core *c, uint64_t id, uint64_t incarnation)
{
    worker *w = calloc(1, sizeof *w);
    if (!w || !table_put(&c->worker_table, id, w)) {
        core_trouble(c, ETNA_E_NOMEM, "a worker: out of memory");
        free(w);
        return NULL;
    }
    *w =
        (worker){.core = c, .id = id, .incarnation = incarnation, .live = true};
    chain_init(&w->leases);
    chain_init(&w->lost_queue);
    chain_init(&w->link);
    chain_append(&c->workers, &w->link);
    worker_clock_restart(w);
    return w;
}

/* A task by its name: it may be done since, or in other hands. */
typedef struct worker_lost {
    etna_id run;
    uint64_t task;
    bool was_alone;
} worker_lost;

/* What was taken from it has been told. */
static void worker_forget_lost(worker *w)
{
    free(w->lost);
    w->lost = NULL;
    w->lost_count = 0;
}

/* Its leases are somebody else's by now. */
void worker_free(core *c, worker *w)
{
    worker_forget_lost(w);
    chain_remove(&w->link);
    chain_remove(&w->lost_queue);
    while (!chain_empty(&w->leases))
        chain_remove(w->leases.next);
    table_remove(&c->worker_table, w->id);
    if (c->reserved == w)
        c->reserved = NULL;
    free(w);
}

/* Whatever the worker asked for is answered no more. */
static void drop_parked_leases(core *c, const worker *w)
{
    for (chain *link = c->leases_parked.next, *next; link != &c->leases_parked;
         link = next) {
        next = link->next;
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker != w)
            continue;
        core_drop(c, p->request);
        request_unpark(p);
    }
}

/* What it was told to stop computes, too, for all that is known. */
static bool worker_computes(const worker *w)
{
    if (w->stops)
        return true;
    for (const chain *link = w->leases.next; link != &w->leases;
         link = link->next) {
        if (!call_waits_elsewhere(CHAIN_OF(task, link, link)))
            return true;
    }
    return false;
}

/* Whether a death of the worker is laid to it: to who waits for a model's
 * server only where all do. What leaves has no place in the journal any
 * more. */
static bool worker_may_die_of(const task *t, bool computes)
{
    return !t->leaving && (!computes || !call_waits_elsewhere(t));
}

/* It may have died, of one of these; whoever starts it again tells so later
 * than its leases may wait. */
static void worker_note_lost(worker *w)
{
    bool computes = worker_computes(w);
    worker_forget_lost(w);
    if (!w->lease_count)
        return;
    w->lost = calloc(w->lease_count, sizeof *w->lost);
    if (!w->lost) {
        core_trouble(w->core, ETNA_E_NOMEM,
                     "a worker's lost tasks: out of memory");
        return;
    }
    for (const chain *link = w->leases.next; link != &w->leases;
         link = link->next) {
        const task *t = CHAIN_OF(task, link, link);
        if (!worker_may_die_of(t, computes))
            continue;
        w->lost[w->lost_count++] = (worker_lost){
            .run = t->run->id, .task = t->id, .was_alone = task_is_deadly(t)};
    }
}

void worker_stops(worker *w, const task *t)
{
    w->stops = true;
    if (w->stops_sequence < t->lease_sequence)
        w->stops_sequence = t->lease_sequence;
}

/* By its orders request, which told it to stop `count` tasks: what was taken
 * from it before is neither in its hands nor on its way there. Who does not say
 * what it heard is believed. */
static void worker_stopped(worker *w,
                           const message_orders_request *asked,
                           uint32_t count)
{
    bool heard = !asked->heard_below || asked->heard_below > w->stops_sequence;
    if (count || !heard)
        return;
    w->stops = false;
    w->stops_sequence = 0;
}

/* Everything the worker held goes back to the queue, and nothing it asked for
 * is answered. `ended`: its process has. */
static void take_all_back(worker *w, const char *why, bool ended)
{
    core *c = w->core;
    uint32_t leases = w->lease_count;
    if (c->reserved == w)
        c->reserved = NULL;
    if (!ended)
        worker_note_lost(w);
    while (!chain_empty(&w->leases)) {
        task *t = CHAIN_OF(task, link, w->leases.next);
        c->totals.leases_lost++;
        narrate_lease_lost(t->run, t, why);
        call_lost_with(t, !ended);
        if (!ended)
            worker_stops(w, t);
        task_to_queue(t);
    }
    if (ended)
        w->stops = false;
    drop_parked_leases(c, w);
    if (w->orders) {
        core_drop(c, w->orders->request);
        request_unpark(w->orders);
    }
    narrate_worker_gone(c, w, why, leases);
}

/* Its tasks go back to the queue; it is remembered for a while, so that its
 * late messages are known as such. */
static void worker_gone(worker *w, const char *why)
{
    if (w->live)
        take_all_back(w, why, w->exited);
    w->live = w->away = false;
    /* remembered a while, so that its late messages are known as such */
    worker_clock_restart(w);
}

/* The worker, new where it is not known. A higher incarnation is another
 * process: what the one before held goes back. */
static worker *worker_known(core *c, uint64_t id, uint64_t incarnation)
{
    worker *w = table_get(&c->worker_table, id);
    if (!w)
        return worker_new(c, id, incarnation);
    if (incarnation < w->incarnation ||
        (w->exited && incarnation == w->incarnation))
        return NULL;
    if (incarnation > w->incarnation) {
        if (w->live)
            take_all_back(w, "it was started anew", true);
        worker_forget_lost(w);
        w->incarnation = incarnation;
        w->lease_sequence_max = w->orders_sequence_max = 0;
        w->result_sequence_max = w->stops_sequence = 0;
        w->live = w->exited = w->fits = w->stops = false;
    }
    if (!w->live || w->away)
        worker_clock_restart(w);
    w->live = true;
    w->away = false;
    return w;
}

/* NULL: of an earlier life, or core.failure. */
worker *worker_heard(core *c, const core_event *event)
{
    const message *m = event->message;
    const worker *before = table_get(&c->worker_table, m->sender);
    bool is_new = !before || before->incarnation < m->incarnation;
    worker *w = worker_known(c, m->sender, m->incarnation);
    if (!w)
        return NULL;
    w->pipe = event->pipe;
    /* it was heard by an owner of the store, maybe not by us, and may compute
     * what it was given by one before us */
    if (is_new && m->epoch)
        w->stops = true;
    return w;
}

/* All requests of a worker are numbered together. */
uint64_t worker_newest(const worker *w)
{
    uint64_t newest = w->lease_sequence_max;
    if (newest < w->result_sequence_max)
        newest = w->result_sequence_max;
    return newest < w->orders_sequence_max ? w->orders_sequence_max : newest;
}

/* ---- closed connections ---- */

/* Those that could be lost now. */
static uint32_t workers_connected(const core *c)
{
    uint32_t count = 0;
    for (const chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        const worker *w = CHAIN_OF(worker, link, link);
        if (w->live && !w->away)
            count++;
    }
    return count;
}

/* Those that fell together have as long as who only fell silent. */
static void worker_forgive_fall(core *c)
{
    for (chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        worker *w = CHAIN_OF(worker, link, link);
        bool fell_too = w->live && w->away && w->fell_ms >= c->fall_begun_ms;
        if (fell_too)
            worker_clock_set(w, w->fell_ms + c->options.lost_after_ms);
    }
}

/* Its connection was closed. When most fell within a short time it is the
 * network's doing, or ours. */
static void worker_fall(worker *w)
{
    enum {
        FALL_LEAST = 2
    };
    core *c = w->core;
    bool is_first = !c->fall_count ||
                    c->now - c->fall_begun_ms > c->options.closed_after_ms;
    if (is_first) {
        c->fall_begun_ms = c->now;
        c->fall_count = 0;
        c->fall_most = workers_connected(c) / 2 + 1;
        if (c->fall_most < FALL_LEAST)
            c->fall_most = FALL_LEAST;
    }
    c->fall_count++;
    w->away = true;
    w->fell_ms = c->now;
    worker_clock_set(w, c->now + c->options.closed_after_ms);
    if (c->fall_count >= c->fall_most)
        worker_forgive_fall(c);
}

/* Not dead yet: it has 2 s to be back. */
void worker_pipe_gone(core *c, uint64_t pipe)
{
    for (chain *link = c->workers.next; pipe && link != &c->workers;
         link = link->next) {
        worker *w = CHAIN_OF(worker, link, link);
        if (w->live && !w->away && w->pipe == pipe)
            worker_fall(w);
    }
}

/* The task, or its twin. */
static bool worker_holds(const worker *w, const task *t)
{
    return t->worker == w || (t->twin && t->twin->worker == w);
}

/* To what it holds, and to what was taken from it while it was silent. */
static void worker_lay_death(worker *w, etna_code fault, const char *why)
{
    bool computes = worker_computes(w);
    for (const chain *link = w->leases.next; link != &w->leases;
         link = link->next) {
        task *t = CHAIN_OF(task, link, link);
        if (worker_may_die_of(t, computes))
            task_death_laid(t->of ? t->of : t, task_is_deadly(t), fault, why);
    }
    for (uint32_t i = 0; i < w->lost_count; i++) {
        const run *r = core_find(w->core, &w->lost[i].run);
        task *t = r ? task_find(r, w->lost[i].task) : NULL;
        /* what it got again was judged with its leases */
        if (t && !worker_holds(w, t))
            task_death_laid(t, w->lost[i].was_alone, fault, why);
    }
    worker_forget_lost(w);
}

/* Told by who started it. A clean end lays nothing to its tasks. */
void worker_exited(core *c, const core_event *event)
{
    worker *w = table_get(&c->worker_table, event->worker);
    if (!w || w->exited)
        return;
    if (event->incarnation && event->incarnation != w->incarnation)
        return;
    w->exited = true;
    if (event->fault == ETNA_OK) {
        worker_gone(w, "its process ended");
        return;
    }
    core_text why = {0};
    c->totals.deaths++;
    text_add(&why, "its process %s", event->why ? event->why : "died");
    worker_lay_death(w, event->fault, why.data);
    worker_gone(w, why.data);
}

/* Two builds may decide differently, so they work together only where that was
 * asked for. */
bool worker_build_fits(worker *w, const core_event *event)
{
    const core_options *o = &w->core->options;
    const char *said = event->message->body.lease_request.build;
    w->build[0] = 0;
    if (!o->build || !said || !*said)
        return true;
    if (strcmp(said, o->build) == 0)
        return true;
    size_t size = etna_utf8_cut(said, sizeof w->build - 1);
    memcpy(w->build, said, size);
    w->build[size] = 0;
    if (o->mixed_builds)
        return true;
    core_text why = {0};
    text_add(
        &why,
        "it is of build %s, the coordinator of %s; install the same, or start that with --mixed-builds",
        w->build, o->build);
    if (!w->build_told)
        narrate_worker_waits(w->core, w, why.data);
    w->build_told = true;
    refuse(w->core, event, ETNA_E_USAGE, why.data);
    return false;
}

/* What came from outside, or by a person's hand, is no fault of the
 * worker's. */
static etna_code worker_fault_of(const message_death *death, core_text *why)
{
    enum {
        FROM_HANGUP = 1,
        FROM_INTERRUPT = 2,
        FROM_KILL = 9,
        FROM_TERMINATE = 15
    };
    if (death->out_of_memory) {
        text_add(why, "was killed by the system because memory ran out");
        return ETNA_E_NOMEM;
    }
    switch (death->signal) {
    case 0:
    case FROM_HANGUP:
    case FROM_INTERRUPT:
    case FROM_KILL:
    case FROM_TERMINATE: return ETNA_OK;
    default:
        text_add(why, "was ended by signal %u", (unsigned)death->signal);
        return ETNA_E_INTERNAL;
    }
}

/* A worker's next life tells how the one before ended. */
void worker_death_told(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_death *death = &m->body.death;
    if (death->worker != m->sender || death->incarnation >= m->incarnation) {
        refuse(c, event, ETNA_E_MESSAGE,
               "a worker tells of its own earlier deaths alone");
        return;
    }
    core_text why = {0};
    core_event exit = {.kind = CORE_WORKER_EXITED,
                       .worker = death->worker,
                       .incarnation = death->incarnation};
    exit.fault = worker_fault_of(death, &why);
    exit.why = why.data;
    /* before its successor is heard: that would take the leases back without a
     * reason */
    worker_exited(c, &exit);
    (void)worker_heard(c, event);
    message answer = {.kind = MESSAGE_DEATH_ACK};
    answer.body.death_ack = *death;
    core_send_answer(c, event->request, m->incarnation, m->sequence, &answer,
                     NULL);
}

/* incarnation 0: of whichever life. */
uint32_t core_leases(const core *c, uint64_t id, uint64_t incarnation)
{
    const worker *w = table_get(&c->worker_table, id);
    if (!w || !w->live)
        return 0;
    return !incarnation || w->incarnation == incarnation ? w->lease_count : 0;
}

/* Also a task that leaves: its blobs are still wanted. */
bool core_task_is_open(const core *c, const message_task_ref *ref)
{
    const run *r = core_find(c, &ref->run);
    return r && (task_find(r, ref->task) || task_held(r, ref));
}

/* Twice: first its leases go to others, later the memory of it. */
void worker_deadlines(core *c)
{
    while (!chain_empty(&c->lost_queue)) {
        worker *w = CHAIN_OF(worker, lost_queue, c->lost_queue.next);
        if (w->lost_at_ms > c->now)
            break;
        if (w->live) {
            worker_gone(w, w->away ? "its connection was closed"
                                   : "it asked for no orders");
        } else {
            worker_free(c, w);
        }
    }
}

/* Without a parked request it learns it with the next one. */
void worker_tell(worker *w, const message_task_ref *cancel, uint32_t count)
{
    core *c = w->core;
    if (!w->orders)
        return;
    message answer = {.kind = MESSAGE_ORDERS};
    answer.body.orders = (message_orders){
        .cancel_count = count, .cancel = cancel, .drain = c->draining};
    request_answer(c, w->orders, &answer, NULL);
    worker_clock_restart(w);
}

/* The worker's lease by its name; NULL: it is not its. */
static task *lease_of(const worker *w, const message_task_ref *ref)
{
    const run *r = core_find(w->core, &ref->run);
    task *t = r ? task_held(r, ref) : NULL;
    return t && t->worker == w ? t : NULL;
}

/* A lease whose grant never arrived and was never asked for again would be held
 * for ever by a healthy heartbeat. */
static void take_unconfirmed_back(worker *w)
{
    core *c = w->core;
    for (chain *link = w->leases.next, *next; link != &w->leases; link = next) {
        next = link->next;
        task *t = CHAIN_OF(task, link, link);
        if (t->confirmed_ms + c->options.lost_after_ms >= c->now)
            continue; /* a forgiven stall may put it ahead of now */
        c->totals.leases_lost++;
        narrate_lease_lost(t->run, t, "its worker does not know of it");
        call_lost_with(t, true);
        worker_stops(w, t);
        task_to_queue(t);
    }
}

/* It is to stop what it says it holds. */
static void worker_stops_held(worker *w, const message_task_ref *ref)
{
    const run *r = core_find(w->core, &ref->run);
    task *t = r && !ref->is_forged ? task_find(r, ref->task) : NULL;
    if (t)
        task_attempt_stopped(t, ref->attempt);
}

/* The heartbeat. It says what it holds; whatever of that is not its own any
 * more it is told to stop, and leases that it does not know of are taken
 * back. */
void worker_orders(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_orders_request *asked = &m->body.orders_request;
    worker *w = worker_heard(c, event);
    if (!w || m->sequence < w->orders_sequence_max) {
        core_drop(c, event->request);
        return;
    }
    w->orders_sequence_max = m->sequence;
    if (w->orders) {
        core_drop(c, w->orders->request);
        request_unpark(w->orders);
    }
    message_task_ref *cancel =
        etna_arena_alloc(&c->scratch, asked->held_count, sizeof *cancel);
    if (!cancel) {
        core_trouble(c, ETNA_E_NOMEM, "orders: out of memory");
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < asked->held_count; i++) {
        bool is_forged = asked->held[i].is_forged;
        task *t = is_forged ? NULL : lease_of(w, &asked->held[i]);
        if (!t && !is_forged)
            t = lease_adopt(w, &asked->held[i]);
        if (t) {
            t->confirmed_ms = c->now;
        } else {
            worker_stops_held(w, &asked->held[i]);
            cancel[count++] = asked->held[i];
        }
    }
    w->stops = w->stops || count > 0;
    worker_stopped(w, asked, count);
    take_unconfirmed_back(w);
    /* it lives, and is told to stop what was taken from it */
    worker_forget_lost(w);
    if (asked->leaving)
        lease_answer_nothing_to(w);
    if (!request_park(c, PARKED_ORDERS, event, w, 0, NULL))
        return;
    clock_stop(w);
    if (count || c->draining)
        worker_tell(w, cancel, count);
}

/* Everybody is answered at once. */
void worker_drain(core *c)
{
    c->draining = true;
    while (!chain_empty(&c->leases_parked))
        lease_answer_none(c, CHAIN_OF(parked, link, c->leases_parked.next));
    while (!chain_empty(&c->orders_parked))
        worker_tell(CHAIN_OF(parked, link, c->orders_parked.next)->worker, NULL,
                    0);
}
