/* Leases: a task in the hands of one worker. Requests of workers are matched with queued tasks here, and results come
 * back here. A lease ends by a result, an error, the loss of its worker, or because nobody wants the task any more. */
#include "coordinator/core/core_internal.h"

#include <string.h>

/* How far matching looks for a worker that holds the scene warm, and how often a run may be passed over for warmth. */
enum { LOOK_REQUESTS = 16, LOOK_RUNS = 16, PASS_MAX = 8 };

static void answer_none(core *c, uint64_t request, uint64_t incarnation, uint64_t sequence)
{
    message answer = {.kind = MESSAGE_LEASE}; /* task_kind 0: nothing now */
    core_send_answer(c, request, incarnation, sequence, &answer, NULL);
}

void lease_answer_none(core *c, parked *p)
{
    answer_none(c, p->request, p->incarnation, p->sequence);
    request_unpark(p);
}

void lease_answer_nothing_to(worker *w)
{
    core *c = w->core;
    for (chain *link = c->leases_parked.next, *next; link != &c->leases_parked; link = next) {
        next = link->next;
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker == w) lease_answer_none(c, p);
    }
}

static bool grant_message(core *c, const task *t, const worker *w, message *ret, const arrange_task **ret_task)
{
    arrange_task *filled = etna_arena_alloc(&c->scratch, 1, sizeof *filled);
    if (!filled) {
        core_trouble(c, ETNA_E_NOMEM, "a task: out of memory");
        return false;
    }
    task_fill(t, filled);
    *ret = (message){.kind = MESSAGE_LEASE};
    ret->body.lease = (message_lease){.task_kind = t->kind,
                                      .ref = {.run = t->run->id, .task = t->id, .attempt = t->attempt},
                                      .scene = t->run->config.scene,
                                      .worker = w->id};
    *ret_task = filled;
    return c->failure == ETNA_OK;
}

/* From the queue into the worker's hands. `sequence` is that of the lease request it answers; 0: of none. */
static void lease_take(task *t, worker *w, uint64_t sequence)
{
    task_unqueue(t);
    task_state_set(t, TASK_LEASED);
    t->worker = w;
    t->lease_sequence = sequence;
    t->confirmed_ms = t->leased_ms = w->core->now;
    core_kind_totals *totals = &w->core->totals.kinds[t->kind];
    totals->granted++;
    if (t->attempt > 1) totals->repeated++;
    totals_latency_add(&totals->waited, t->leased_ms - t->queued_ms);
    chain_append(&w->leases, &t->link);
    w->lease_count++;
    run_ready_update(t->run);
}

task *lease_adopt(worker *w, const message_task_ref *ref)
{
    const run *r = core_find(w->core, &ref->run);
    task *t = r && run_may_lease(r) ? task_find(r, ref->task) : NULL;
    bool is_waiting = t && t->state == TASK_QUEUED && t->attempt == ref->attempt;
    if (!is_waiting || task_is_deadly(t)) return NULL;
    lease_take(t, w, 0);
    return t;
}

static void lease_grant(core *c, task *t, parked *p)
{
    message answer;
    const arrange_task *filled;
    if (!grant_message(c, t, p->worker, &answer, &filled)) return;
    run *r = t->run;
    if (*p->worker->build) run_build_takes_part(r, p->worker->build);
    lease_take(t, p->worker, p->sequence);
    run *served = r->batch ? r->batch->shown : r;
    if (served && !chain_empty(&served->ready)) { /* round robin: who was served waits for the others */
        chain_remove(&served->ready);
        chain_append(&c->ready, &served->ready);
    }
    r->skipped = 0;
    request_answer(c, p, &answer, filled);
}

static bool is_warm(const parked *p, const run *r)
{
    for (uint32_t i = 0; i < p->warm_count; i++) {
        if (etna_hash_equal(&p->warm[i], &r->config.scene)) return true;
    }
    return false;
}

bool lease_may_take(const worker *w)
{
    bool deadly = !chain_empty(&w->leases) && task_is_deadly(CHAIN_OF(task, link, w->leases.next));
    return !deadly && w->lease_count < WORKER_LEASES_MOST && w->core->reserved != w;
}

static parked *warm_request(core *c, const run *r)
{
    uint32_t looked = 0;
    for (chain *link = c->leases_parked.next; link != &c->leases_parked && looked < LOOK_REQUESTS; link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (is_warm(p, r) && lease_may_take(p->worker)) return p;
        looked++;
    }
    return NULL;
}

static parked *oldest_request(core *c, bool idle)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked; link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (idle ? chain_empty(&p->worker->leases) : lease_may_take(p->worker)) return p;
    }
    return NULL;
}

/* Deadly tasks go to workers whose hands are empty. Where nobody's are, one worker is kept from taking more until its
 * own are: else a stream of other tasks would keep them waiting for ever. */
static void match_deadly(core *c)
{
    bool waits = false;
    for (chain *link = c->quarantine.next, *next; link != &c->quarantine && !waits; link = next) {
        next = link->next;
        task *t = CHAIN_OF(task, link, link);
        if (!run_may_lease(t->run)) continue;
        parked *p = oldest_request(c, true);
        waits = p == NULL;
        if (waits) break;
        if (c->reserved == p->worker) c->reserved = NULL;
        lease_grant(c, t, p);
        if (c->failure != ETNA_OK) return;
    }
    if (!waits) {
        c->reserved = NULL;
    } else if (!c->reserved) {
        parked *p = oldest_request(c, false);
        if (p) c->reserved = p->worker;
    }
}

/* The next pair: the run whose turn it is, unless a warm pair is at hand and that run has not been passed over too
 * often. */
static void lease_choose(core *c, parked *oldest, run **ret_run, parked **ret_request)
{
    run *turn = CHAIN_OF(run, ready, c->ready.next);
    uint32_t looked = 0;
    for (chain *link = c->ready.next; link != &c->ready && looked < LOOK_RUNS; link = link->next) {
        run *r = CHAIN_OF(run, ready, link);
        parked *p = warm_request(c, r);
        if (p) {
            if (r != turn) turn->skipped++;
            *ret_run = r;
            *ret_request = p;
            return;
        }
        if (turn->skipped >= PASS_MAX) break;
        looked++;
    }
    *ret_run = turn;
    *ret_request = oldest;
}

void lease_match(core *c)
{
    if (c->draining) {
        c->reserved = NULL;
        return;
    }
    match_deadly(c);
    while (c->failure == ETNA_OK && !chain_empty(&c->ready)) {
        run *r;
        parked *p, *oldest = oldest_request(c, false);
        if (!oldest) return;
        lease_choose(c, oldest, &r, &p);
        lease_grant(c, CHAIN_OF(task, link, r->queue.next), p);
    }
}

static parked *parked_with(const core *c, const worker *w, uint64_t sequence)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked; link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker == w && p->sequence == sequence) return p;
    }
    return NULL;
}

static task *granted_with(const worker *w, uint64_t sequence)
{
    for (chain *link = w->leases.next; link != &w->leases; link = link->next) {
        task *t = CHAIN_OF(task, link, link);
        if (t->lease_sequence == sequence) return t;
    }
    return NULL;
}

/* A request seen before: the same answer as long as it means something, and never a second task. */
static void lease_is_repeated(core *c, const core_event *event, worker *w)
{
    const message *m = event->message;
    const task *t = granted_with(w, m->sequence);
    message answer;
    const arrange_task *filled;
    if (!t) {
        answer_none(c, event->request, m->incarnation, m->sequence);
    } else if (grant_message(c, t, w, &answer, &filled)) {
        core_send_answer(c, event->request, m->incarnation, m->sequence, &answer, filled);
    }
}

void lease_requested(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_lease_request *asked = &m->body.lease_request;
    worker *w = worker_heard(c, event);
    if (!w) {
        core_drop(c, event->request);
        return;
    }
    if (!worker_build_fits(w, event)) return;
    bool fresh = m->sequence > w->lease_sequence_max;
    parked *waiting = fresh ? NULL : parked_with(c, w, m->sequence);
    if (!waiting && !fresh) {
        lease_is_repeated(c, event, w);
        return;
    }
    if (waiting) {
        core_drop(c, waiting->request);
        request_unpark(waiting);
    }
    if (fresh) w->lease_sequence_max = m->sequence;
    uint32_t warm = asked->warm_count > MESSAGE_WARM_MAX ? MESSAGE_WARM_MAX : asked->warm_count;
    if (c->draining) {
        answer_none(c, event->request, m->incarnation, m->sequence);
    } else {
        request_park(c, PARKED_LEASE, event, w, warm, asked->warm); /* matched at the end of this step */
    }
}

void lease_close(task *t)
{
    worker *w = t->worker;
    core *c = t->run->core;
    chain_remove(&t->link);
    w->lease_count--;
    t->worker = NULL;
    message_task_ref *ref = etna_arena_alloc(&c->scratch, 1, sizeof *ref);
    if (!ref) {
        core_trouble(c, ETNA_E_NOMEM, "orders: out of memory");
        return;
    }
    *ref = (message_task_ref){.run = t->run->id, .task = t->id, .attempt = t->attempt};
    worker_tell(w, ref, 1);
}

/* ---- results ---- */

static bool lease_is_held(const task *t, const message *m, const message_task_ref *ref)
{
    if (t->state != TASK_LEASED || t->attempt != ref->attempt) return false;
    return t->worker->id == m->sender && t->worker->incarnation == m->incarnation;
}

static bool lease_is_deterministic(etna_code code)
{
    return code == ETNA_E_INPUT || code == ETNA_E_LIMIT || code == ETNA_E_USAGE;
}

static void record_of_task(const task *t, etna_code error, const char *text, record_result *ret)
{
    *ret = (record_result){
        .kind = t->kind, .node = t->node, .branch = t->branch, .poll = t->poll, .error = error, .text = text};
}

/* The worker could not do it: the same everywhere, then the run ends; else another try, and at last a refusal. */
static void lease_errored(run *r, task *t, etna_code code, const char *text)
{
    record_result facts;
    record_of_task(t, code, text, &facts);
    if (lease_is_deterministic(code)) {
        record_result_of(r, &facts);
        task_settle(t, &facts, false);
        return;
    }
    narrate_task_error(r, t, code, text);
    if (code != ETNA_E_CANCELLED) t->errors++;
    if (code == ETNA_E_CANCELLED && t->worker)
        lease_answer_nothing_to(t->worker); /* it leaves; else it would get it again */
    r->core->totals.kinds[t->kind].errors++;
    if (t->errors < r->core->options.attempts) {
        call_lost_with(t, false); /* it says itself that it does no more for it */
        task_to_queue(t);
        return;
    }
    r->core->totals.kinds[t->kind].refused++;
    record_refused(r, &facts);
    task_settle(t, &facts, true);
}

/* After the leases of a worker that died of a fault were taken back. */
void lease_refuse_deadly(core *c, etna_code fault, const char *why)
{
    for (chain *link = c->quarantine.next; link != &c->quarantine;) {
        task *t = CHAIN_OF(task, link, link);
        link = link->next;
        if (t->deaths < DEATHS_MOST) continue;
        core_text text = {0};
        text_add(&text, "each of %d workers that did it %s, the last one with nothing else to do", (int)DEATHS_MOST,
                 why);
        if (fault == ETNA_E_INTERNAL) text_add(&text, "; this is a defect, please report it with the scene");
        record_result facts;
        record_of_task(t, fault, text.data, &facts);
        c->totals.kinds[t->kind].refused++;
        record_refused(t->run, &facts);
        task_settle(t, &facts, true);
        link = c->quarantine.next; /* what followed may have taken others with it */
    }
}

/* No need to tell a worker to stop what it has finished. */
static void finished_by_holder(task *t)
{
    core *c = t->run->core;
    totals_latency_add(&c->totals.kinds[t->kind].took, c->now - t->leased_ms);
    t->worker->results++;
    chain_remove(&t->link);
    t->worker->lease_count--;
    t->worker = NULL;
}

void lease_result(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_result *came = &m->body.result;
    message ack = {.kind = MESSAGE_RESULT_ACK};
    ack.body.result_ack = came->ref;
    core_send_answer(c, event->request, m->incarnation, m->sequence, &ack, NULL);
    (void)worker_heard(c, event);
    run *r = core_find(c, &came->ref.run);
    task *held = r ? task_held(r, &came->ref) : NULL;
    if (held && held->leaving && lease_is_held(held, m, &came->ref)) {
        task_left(held);
        return;
    }
    task *t = r ? task_find(r, came->ref.task) : NULL;
    if (!t) return; /* late, repeated, or of a run that is over: acknowledged and dropped */
    if (came->error == ETNA_OK && event->result && task_result_valid(t, event->result)) {
        record_result facts;
        record_of_task(t, ETNA_OK, NULL, &facts);
        facts.result = *event->result;
        record_result_of(r, &facts);
        if (lease_is_held(t, m, &came->ref)) finished_by_holder(t);
        task_settle(t, &facts, false);
        return;
    }
    if (!lease_is_held(t, m, &came->ref)) return; /* an error counts only from who holds the task now */
    if (came->error == ETNA_OK) {
        lease_errored(r, t, ETNA_E_MESSAGE, "its result was not well formed");
    } else {
        etna_code code = came->error < ETNA_E_COUNT ? (etna_code)came->error : ETNA_E_INTERNAL;
        lease_errored(r, t, code, came->error_text ? came->error_text : "");
    }
}
