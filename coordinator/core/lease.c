/* Leases: a task in the hands of one worker. Requests of workers are matched
 * with queued tasks here, and results come back here. A lease ends by a result,
 * an error, the loss of its worker, or because nobody wants the task any more.
 *
 * Begin at lease_match, which is called at the end of every step: runs take
 * turns, those of a higher priority first; a worker that has the scene warm is
 * preferred, but a run may be passed over for that only so often; a task that
 * felled workers waits for one with empty hands; when nothing else is queued, a
 * task that takes very long is given to a second worker as well.
 * lease_requested and lease_result are what workers send. Both may come twice,
 * late, or from an earlier life: numbers of requests, attempts and incarnations
 * tell. */
#include "coordinator/core/core_internal.h"

#include <string.h>

/* How far matching looks for a worker that holds the scene warm, and how often
 * a run may be passed over for warmth. */
enum {
    LOOK_REQUESTS = 16,
    LOOK_RUNS = 16,
    PASS_MAX = 8
};

/* Bytes of the tasks in one answer, up to which one more is added. One of any
 * size then still fits the message, with what the envelope adds. */
enum {
    ENVELOPE_BYTES = 64 << 10,
    GAINS_BYTES = MESSAGE_MAX - MESSAGE_PAYLOAD_MAX - ENVELOPE_BYTES
};

/* Stragglers: the least time of one, and where nothing is known of its kind;
 * how many times the usual one it takes; how often it is looked. */
enum {
    STRAGGLER_LEAST_MS = 10000,
    STRAGGLER_UNKNOWN_MS = 60000,
    STRAGGLER_TIMES = 4,
    STRAGGLER_LOOK_MS = 1000
};

/* Nothing now: the worker asks again. */
static void answer_none(core *c,
                        uint64_t request,
                        uint64_t incarnation,
                        uint64_t sequence)
{
    message answer = {.kind = MESSAGE_LEASE}; /* task_kind 0: nothing now */
    core_send_answer(c, request, incarnation, sequence, &answer, NULL);
}

/* The result is known; its worker must not send it again. */
static void lease_acknowledge(core *c,
                              uint64_t request,
                              uint64_t incarnation,
                              uint64_t sequence,
                              const message_task_ref *done)
{
    message answer = {.kind = MESSAGE_RESULT_ACK};
    answer.body.result_ack = *done;
    core_send_answer(c, request, incarnation, sequence, &answer, NULL);
}

/* One task in a message of its own, several in another; a result's
 * acknowledgement comes with them. */
static void lease_send(core *c, const parked *p, const parked_gains *gains)
{
    message answer = {.kind = MESSAGE_LEASES};
    answer.body.leases =
        (message_leases){.count = gains->count, .leases = gains->leases};
    bool alone = gains->count == 1 && !p->with_result;
    if (alone) {
        answer.kind = MESSAGE_LEASE;
        answer.body.lease = gains->leases[0];
    }
    core_send *out =
        core_send_add(c, p->request, p->incarnation, p->sequence, &answer);
    if (!out)
        return;
    out->task = alone ? gains->tasks[0] : NULL;
    out->tasks = alone ? NULL : gains->tasks;
    out->only_leases = !p->with_result;
}

/* With what it gained. */
static void lease_answer(core *c, parked *p)
{
    if (p->gains) {
        lease_send(c, p, p->gains);
    } else if (p->with_result) {
        lease_acknowledge(c, p->request, p->incarnation, p->sequence, &p->done);
    } else {
        answer_none(c, p->request, p->incarnation, p->sequence);
    }
    request_unpark(p);
}

/* Several leases go out in one answer, so they are gathered during the step. */
void lease_answer_served(core *c)
{
    while (!chain_empty(&c->served))
        lease_answer(c, CHAIN_OF(parked, served, c->served.next));
}

void lease_answer_none(core *c, parked *p)
{
    lease_answer(c, p);
}

/* A worker that leaves is not to be given anything any more. */
void lease_answer_nothing_to(worker *w)
{
    core *c = w->core;
    for (chain *link = c->leases_parked.next, *next; link != &c->leases_parked;
         link = next) {
        next = link->next;
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker == w)
            lease_answer_none(c, p);
    }
}

/* Fills a lease for `w`. False: core.failure. */
static bool lease_fill(core *c,
                       const task *t,
                       const worker *w,
                       message_lease *ret,
                       const arrange_task **ret_task)
{
    arrange_task *filled = etna_arena_alloc(&c->scratch, 1, sizeof *filled);
    if (!filled) {
        core_trouble(c, ETNA_E_NOMEM, "a task: out of memory");
        return false;
    }
    task_fill(t, filled);
    *ret = (message_lease){
        .task_kind = t->kind,
        .ref = {.run = t->run->id, .task = t->id, .attempt = t->attempt},
        .scene = filled->scene,
        .worker = w->id,
        .follows = *w->build ? t->run->sequence
                             /* what it says of builds, too */
                             : t->follows};
    *ret_task = filled;
    return c->failure == ETNA_OK;
}

/* ---- several tasks in one answer ---- */

/* Whether another task fits one message with them, however long its texts
 * are. */
static bool lease_gains_have_room(const parked_gains *gains)
{
    return gains->count < MESSAGE_LEASES_MAX && gains->bytes <= GAINS_BYTES;
}

/* Whether the request can be answered with one more task. */
static bool lease_has_room(const parked *p)
{
    const parked_gains *gains = p->gains;
    if (!gains)
        return p->wants > 0;
    return gains->count < p->wants && lease_gains_have_room(gains);
}

/* In the step's memory. NULL: core.failure. */
static parked_gains *lease_gains_new(core *c)
{
    parked_gains *gains = etna_arena_alloc(&c->scratch, 1, sizeof *gains);
    if (!gains) {
        core_trouble(c, ETNA_E_NOMEM, "tasks to give out: out of memory");
        return NULL;
    }
    gains->count = 0;
    gains->bytes = 0;
    return gains;
}

/* False: core.failure. */
static bool lease_add(core *c,
                      const task *t,
                      const worker *w,
                      parked_gains *gains)
{
    const arrange_task **filled = &gains->tasks[gains->count];
    size_t size = MESSAGE_MAX; /* of what cannot be packed, nothing follows */
    if (!lease_fill(c, t, w, &gains->leases[gains->count], filled))
        return false;
    if (arrange_task_size(*filled, &size, NULL) == ETNA_E_NOMEM) {
        core_trouble(c, ETNA_E_NOMEM, "a task's size: out of memory");
        return false;
    }
    gains->count++;
    gains->bytes += size;
    return true;
}

/* What is granted to a request is sent when the step ends. It stands behind
 * those that have got nothing yet. */
static bool lease_gain(core *c, const task *t, parked *p)
{
    if (!p->gains)
        p->gains = lease_gains_new(c);
    if (!p->gains || !lease_add(c, t, p->worker, p->gains))
        return false;
    if (chain_empty(&p->served))
        chain_append(&c->served, &p->served);
    chain_remove(&p->link);
    chain_append(&c->leases_parked, &p->link);
    return true;
}

/* From the queue into the worker's hands. `sequence` is that of the lease
 * request it answers; 0: of none. */
static void lease_take(task *t, worker *w, uint64_t sequence)
{
    task_unqueue(t);
    task_state_set(t, TASK_LEASED);
    t->worker = w;
    t->lease_sequence = sequence;
    t->heard_before = w->result_sequence_max;
    t->given_after = sequence ? worker_newest(w) : 0;
    t->confirmed_ms = t->leased_ms = w->core->now;
    core_kind_totals *totals = &w->core->totals.kinds[t->kind];
    totals->granted++;
    if (t->attempt > 1)
        totals->repeated++;
    totals_latency_add(&totals->waited, t->leased_ms - t->queued_ms);
    chain_append(&w->leases, &t->link);
    w->lease_count++;
    run_ready_update(t->run);
}

/* It holds a deadly task, beside which it gets none. */
static bool lease_is_alone(const worker *w)
{
    return !chain_empty(&w->leases) &&
           task_is_deadly(CHAIN_OF(task, link, w->leases.next));
}

/* After a restart: the worker still works on what the coordinator before leased
 * to it. Only a task that waits with that very attempt is its own. */
task *lease_adopt(worker *w, const message_task_ref *ref)
{
    const run *r = core_find(w->core, &ref->run);
    task *t = r && run_may_lease(r) ? task_find(r, ref->task) : NULL;
    bool is_waiting =
        t && t->state == TASK_QUEUED && t->attempt == ref->attempt;
    if (!is_waiting || task_is_deadly(t) || lease_is_alone(w))
        return NULL;
    lease_take(t, w, 0);
    return t;
}

/* Gives the task to the request's worker and sends its run to the end of the
 * turn. */
static void lease_grant(core *c, task *t, parked *p)
{
    run *r = t->run;
    if (*p->worker->build)
        run_build_takes_part(r, p->worker->build);
    if (!lease_gain(c, t, p))
        return;
    lease_take(t, p->worker, p->sequence);
    run *served = r->batch ? r->batch->shown : r;
    /* round robin: who was served waits for the others */
    if (served && !chain_empty(&served->ready)) {
        chain_remove(&served->ready);
        run_ready_append(served);
    }
    r->skipped = 0;
}

/* Does the worker have the run's scene at hand? */
static bool is_warm(const parked *p, const run *r)
{
    for (uint32_t i = 0; i < p->warm_count; i++) {
        if (etna_hash_equal(&p->warm[i], &r->config.scene))
            return true;
    }
    return false;
}

/* One out of quarantine. */
bool lease_may_take(const worker *w)
{
    return !lease_is_alone(w) && w->lease_count < WORKER_LEASES_MOST &&
           w->core->reserved != w;
}

/* Whether the request's worker may get the task, and its answer has room. */
static bool lease_may_answer(const parked *p)
{
    return lease_has_room(p) && lease_may_take(p->worker);
}

/* The run has one. */
static task *run_first_queued(const run *r)
{
    return CHAIN_OF(task, link, r->queue.next);
}

/* A request of a worker that has the run's scene loaded; NULL: none among the
 * first few. */
static parked *warm_request(core *c, const run *r)
{
    uint32_t looked = 0;
    for (chain *link = c->leases_parked.next;
         link != &c->leases_parked && looked < LOOK_REQUESTS;
         link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (is_warm(p, r) && lease_may_answer(p))
            return p;
        looked++;
    }
    return NULL;
}

/* The oldest request that the task can answer. */
static parked *oldest_request(core *c)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked;
         link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (lease_may_answer(p))
            return p;
    }
    return NULL;
}

/* Nothing in its hands, and nothing that it was told to stop. */
bool lease_is_idle(const worker *w)
{
    return chain_empty(&w->leases) && !w->stops;
}

/* NULL: none. Requests stand in the order they came in. */
static parked *oldest_idle(core *c)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked;
         link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (p->wants && lease_is_idle(p->worker))
            return p;
    }
    return NULL;
}

/* Deadly tasks go to workers whose hands are empty. Where nobody's are, one
 * worker is kept from taking more until its own are: else a stream of other
 * tasks would keep them waiting for ever. */
static void match_deadly(core *c)
{
    bool waits = false;
    for (chain *link = c->quarantine.next, *next;
         link != &c->quarantine && !waits; link = next) {
        next = link->next;
        task *t = CHAIN_OF(task, link, link);
        if (!run_may_lease(t->run))
            continue;
        parked *p = oldest_idle(c);
        waits = p == NULL;
        if (waits)
            break;
        if (c->reserved == p->worker)
            c->reserved = NULL;
        lease_grant(c, t, p);
        if (c->failure != ETNA_OK)
            return;
    }
    if (!waits) {
        c->reserved = NULL;
    } else if (!c->reserved) {
        parked *p = oldest_request(c);
        if (p)
            c->reserved = p->worker;
    }
}

/* The next pair: the run whose turn it is, unless a warm pair is at hand and
 * that run has not been passed over too often. */
static void lease_choose(core *c,
                         parked *oldest,
                         run **ret_run,
                         parked **ret_request)
{
    run *turn = CHAIN_OF(run, ready, c->ready.next);
    uint32_t looked = 0;
    for (chain *link = c->ready.next; link != &c->ready && looked < LOOK_RUNS;
         link = link->next) {
        run *r = CHAIN_OF(run, ready, link);
        if (r->config.priority < turn->config.priority)
            break;
        parked *p = warm_request(c, r);
        if (p) {
            if (r != turn)
                turn->skipped++;
            *ret_run = r;
            *ret_request = p;
            return;
        }
        if (turn->skipped >= PASS_MAX)
            break;
        looked++;
    }
    *ret_run = turn;
    *ret_request = oldest;
}

/* ---- stragglers ---- */

/* Whether models that cost something are asked for a task of this kind. */
static bool lease_asks_models(const task *t)
{
    const run *r = t->run;
    switch (t->kind) {
    case TASK_IMPORT:
    case TASK_RENDER:
    case TASK_ASSET:
    case TASK_FURNISH:
    case TASK_EXPORT: return false;
    case TASK_PLAN:
        return t->poll != ARRANGE_PLAN_MEASURES &&
               habit_is_foreign(r, ROLE_PLANNER);
    case TASK_BRANCH: return habit_is_foreign(r, ROLE_EXECUTOR);
    case TASK_POLL:
        return habit_is_foreign(r, ROLE_EVALUATOR) ||
               habit_is_foreign(r, ROLE_JUDGE);
    default: return true;
    }
}

/* A second one would not help, or might do harm. */
static bool lease_is_shy(const task *t)
{
    const bool has_twin = t->of || t->twin;
    if (has_twin || t->leaving || t->single)
        return true;
    return t->paid || task_deaths(t) > 0;
}

/* It takes far longer than its kind does otherwise; what nothing is known of
 * has longer. */
static bool lease_is_straggler(const core *c, const task *t)
{
    const core_latency *took = &c->totals.kinds[t->kind].took;
    uint64_t since = c->now > t->leased_ms ? c->now - t->leased_ms : 0;
    uint64_t least = took->count ? STRAGGLER_LEAST_MS : STRAGGLER_UNKNOWN_MS;
    uint64_t usual = took->count ? took->sum_ms / took->count : 0;
    if (since < least || since < STRAGGLER_TIMES * usual)
        return false;
    return !lease_is_shy(t) && !lease_asks_models(t);
}

/* For a twin: the same worker would compute the same again, as slowly. */
static parked *request_of_another(const core *c, const worker *w)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked;
         link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker != w && lease_may_answer(p))
            return p;
    }
    return NULL;
}

/* A second lease, for the request of an idle worker. */
static void lease_double(core *c, task *t, parked *p)
{
    if (*p->worker->build)
        run_build_takes_part(t->run, p->worker->build);
    task *twin = task_double(t, p->worker);
    if (!twin || !lease_gain(c, twin, p))
        return;
    core_kind_totals *totals = &c->totals.kinds[t->kind];
    twin->lease_sequence = p->sequence;
    twin->heard_before = p->worker->result_sequence_max;
    twin->given_after = worker_newest(p->worker);
    twin->confirmed_ms = twin->leased_ms = c->now;
    totals->granted++;
    totals->doubled++;
    narrate_doubled(t->run, t);
}

/* Workers that would stand idle do once more what takes another too long.
 * Looked at about once a second. */
static void match_stragglers(core *c)
{
    if (c->now < c->straggled_ms + STRAGGLER_LOOK_MS ||
        chain_empty(&c->leases_parked))
        return;
    c->straggled_ms = c->now;
    for (chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        worker *w = CHAIN_OF(worker, link, link);
        for (chain *lease = w->leases.next; lease != &w->leases;
             lease = lease->next) {
            task *t = CHAIN_OF(task, link, lease);
            parked *p =
                lease_is_straggler(c, t) ? request_of_another(c, w) : NULL;
            if (p)
                lease_double(c, t, p);
            if (c->failure != ETNA_OK)
                return;
        }
    }
}

/* All that can be handed out in this step. Tasks that must be done alone come
 * first, as an idle worker is reserved for them; twins of stragglers last, when
 * nothing else waits. */
void lease_match(core *c)
{
    if (c->draining) {
        c->reserved = NULL;
        return;
    }
    match_deadly(c);
    while (c->failure == ETNA_OK && !chain_empty(&c->ready)) {
        run *r = CHAIN_OF(run, ready, c->ready.next);
        parked *p;
        parked *oldest = oldest_request(c);
        if (!oldest)
            return;
        lease_choose(c, oldest, &r, &p);
        lease_grant(c, run_first_queued(r), p);
    }
    if (c->failure == ETNA_OK && chain_empty(&c->ready))
        match_stragglers(c);
}

/* The same request again, on a new connection. */
static parked *parked_with(const core *c, const worker *w, uint64_t sequence)
{
    for (chain *link = c->leases_parked.next; link != &c->leases_parked;
         link = link->next) {
        parked *p = CHAIN_OF(parked, link, link);
        if (p->worker == w && p->sequence == sequence)
            return p;
    }
    return NULL;
}

/* ---- repeated requests, and new ones ---- */

/* What a request seen before got and still means something, and never another
 * task. */
static void lease_is_repeated(core *c, parked *again)
{
    worker *w = again->worker;
    parked_gains *gains = lease_gains_new(c);
    for (chain *link = w->leases.next; gains && link != &w->leases;
         link = link->next) {
        const task *t = CHAIN_OF(task, link, link);
        if (t->lease_sequence != again->sequence ||
            !lease_gains_have_room(gains))
            continue;
        if (!lease_add(c, t, w, gains))
            return;
    }
    again->gains = gains && gains->count ? gains : NULL;
    chain_append(&c->served, &again->served);
}

/* 0 of an older worker is one. */
static uint32_t lease_bounded(uint32_t wants)
{
    if (!wants)
        return 1;
    return wants < MESSAGE_LEASES_MAX ? wants : MESSAGE_LEASES_MAX;
}

/* Parks a request for tasks. NULL: core.failure. */
static parked *lease_park(const core_event *event,
                          worker *w,
                          uint32_t wants,
                          uint32_t warm_count,
                          const etna_hash *warm)
{
    uint32_t warmest =
        warm_count > MESSAGE_WARM_MAX ? MESSAGE_WARM_MAX : warm_count;
    parked *p = request_park(w->core, PARKED_LEASE, event, w, warmest, warm);
    if (p)
        p->wants = lease_bounded(wants);
    return p;
}

/* True: the result's acknowledgement leaves when the step ends. */
static bool lease_asked_with(core *c, const core_event *event, worker *w)
{
    const message *m = event->message;
    const message_result *came = &m->body.result;
    if (!w || !w->fits || c->draining)
        return false;
    if (!came->slots_free || !event->request)
        return false;
    bool fresh = m->sequence > w->lease_sequence_max;
    parked *p =
        lease_park(event, w, came->slots_free, came->warm_count, came->warm);
    if (!p)
        return false;
    p->with_result = true;
    p->done = came->ref;
    if (fresh) {
        w->lease_sequence_max = m->sequence;
        chain_append(&c->served, &p->served);
    } else {
        p->wants = 0; /* it gets no other */
        lease_is_repeated(c, p);
    }
    return true;
}

/* A request has a number: one that was seen before is answered as it was then,
 * since the answer may have been lost. */
void lease_requested(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_lease_request *asked = &m->body.lease_request;
    worker *w = worker_heard(c, event);
    if (!w) {
        core_drop(c, event->request);
        return;
    }
    w->fits = worker_build_fits(w, event);
    if (!w->fits)
        return;
    bool fresh = m->sequence > w->lease_sequence_max;
    parked *waiting = fresh ? NULL : parked_with(c, w, m->sequence);
    if (!waiting && !fresh) {
        parked *again = request_park(c, PARKED_LEASE, event, w, 0, NULL);
        if (again)
            lease_is_repeated(c, again);
        return;
    }
    if (waiting) {
        core_drop(c, waiting->request);
        request_unpark(waiting);
    }
    if (fresh)
        w->lease_sequence_max = m->sequence;
    if (c->draining) {
        answer_none(c, event->request, m->incarnation, m->sequence);
    } else {
        lease_park(event, w, asked->most, asked->warm_count,
                   asked->warm); /* matched at the end of this step */
    }
}

/* The worker is told to stop, whatever it is doing. */
void lease_close(task *t)
{
    worker *w = t->worker;
    core *c = t->run->core;
    chain_remove(&t->link);
    w->lease_count--;
    worker_stops(w, t);
    t->worker = NULL;
    message_task_ref *ref = etna_arena_alloc(&c->scratch, 1, sizeof *ref);
    if (!ref) {
        core_trouble(c, ETNA_E_NOMEM, "orders: out of memory");
        return;
    }
    *ref = (message_task_ref){
        .run = t->run->id, .task = t->id, .attempt = t->attempt};
    worker_tell(w, ref, 1);
}

/* ---- results ---- */

/* By this worker, in this life, under this attempt. */
static bool lease_is_held(const task *t,
                          const message *m,
                          const message_task_ref *ref)
{
    if (t->state != TASK_LEASED || t->attempt != ref->attempt)
        return false;
    return t->worker->id == m->sender &&
           t->worker->incarnation == m->incarnation;
}

/* Errors that every worker would meet: another try is no use. */
static bool lease_is_deterministic(etna_code code)
{
    return code == ETNA_E_INPUT || code == ETNA_E_LIMIT || code == ETNA_E_USAGE;
}

/* Where the task hangs in the tree. */
static void record_of_task(const task *t,
                           etna_code error,
                           const char *text,
                           record_result *ret)
{
    *ret = (record_result){.kind = t->kind,
                           .node = t->node,
                           .branch = t->branch,
                           .poll = t->poll,
                           .error = error,
                           .text = text};
}

/* What the search came to is known, and only has no room to be written to:
 * whoever makes some need not do it all again. */
static bool lease_wants_room(const task *t, etna_code code)
{
    bool is_room =
        code == ETNA_E_FULL || code == ETNA_E_IO || code == ETNA_E_NOMEM;
    return t->kind == TASK_EXPORT && is_room;
}

/* Its worker says itself that it does no more for it. */
static void lease_give_up(task *t)
{
    call_lost_with(t, false);
    task_to_queue(t);
}

/* The worker could not do it: the same everywhere, then the run ends; else
 * another try, and at last a refusal. */
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
    if (code != ETNA_E_CANCELLED)
        t->errors++;
    if (code == ETNA_E_CANCELLED && t->worker)
        /* it leaves; else it would get it again */
        lease_answer_nothing_to(t->worker);
    r->core->totals.kinds[t->kind].errors++;
    if (t->errors < r->core->options.attempts) {
        lease_give_up(t);
        return;
    }
    if (lease_wants_room(t, code)) {
        lease_give_up(t);
        t->errors = 0;
        run_rest_unwritten(r, code, text);
        return;
    }
    r->core->totals.kinds[t->kind].refused++;
    record_refused(r, &facts);
    task_settle(t, &facts, true);
}

/* The first one still works on it, and may say more. */
static void lease_twin_errored(task *twin, const message_result *came)
{
    if (came->error == ETNA_E_CANCELLED)
        lease_answer_nothing_to(twin->worker);
    call_lost_with(twin, false);
    task_to_queue(twin);
}

/* It goes on being done alone, when the run goes on. A run that rests already
 * does so by another of its tasks. */
static void lease_rest_deadly(task *t, const char *why)
{
    t->deaths = DEATHS_ALONE;
    if (!t->run->dormant)
        run_rest_unwritten(t->run, t->death_fault, why);
}

/* For lack of memory or room the run rests instead, as another machine may have
 * more. Either may bring others of its tasks here, or take them away, so what
 * is next is looked up anew. */
void lease_refuse_deadly(core *c)
{
    for (chain *link = c->quarantine.next; link != &c->quarantine;) {
        task *t = CHAIN_OF(task, link, link);
        link = link->next;
        if (t->deaths < DEATHS_MOST)
            continue;
        core_text text = {0};
        text_add(
            &text,
            "each of %d workers that did it died, the last one with nothing else to do: %s",
            (int)DEATHS_MOST, t->death_why);
        if (t->death_fault == ETNA_E_INTERNAL)
            text_add(&text,
                     "; this is a defect, please report it with the scene");
        if (lease_wants_room(t, t->death_fault)) {
            lease_rest_deadly(t, text.data);
            link = c->quarantine.next;
            continue;
        }
        record_result facts;
        record_of_task(t, t->death_fault, text.data, &facts);
        c->totals.kinds[t->kind].refused++;
        record_refused(t->run, &facts);
        task_settle(t, &facts, true);
        link = c->quarantine.next;
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

/* The first good result of a task, whoever hands it in. `by`: the task or its
 * twin, where that is who holds it. */
static void lease_take_result(task *t, task *by, const core_event *event)
{
    record_result facts;
    record_of_task(t, ETNA_OK, NULL, &facts);
    facts.result = *event->result;
    record_result_of(t->run, &facts);
    if (by)
        finished_by_holder(by);
    task_settle(t, &facts, false);
}

/* Of the holder of `by`: the task, or its twin. */
static void lease_take_error(task *t, task *by, const message_result *came)
{
    bool says_why = came->error_text && *came->error_text;
    const char *text =
        says_why ? came->error_text : "its worker said no reason";
    etna_code code =
        came->error < ETNA_E_COUNT ? (etna_code)came->error : ETNA_E_INTERNAL;
    if (by->of)
        lease_twin_errored(by, came);
    else if (came->error == ETNA_OK)
        lease_errored(t->run, t, ETNA_E_MESSAGE,
                      "its result was not well formed");
    else
        lease_errored(t->run, t, code, text);
}

/* Of a result that is taken, so that what comes twice is counted once. A worker
 * may say what it likes; the sum does not come round. */
static void lease_add_cpu(run *r, const message_result *came)
{
    uint64_t room = UINT64_MAX - r->cpu_us;
    r->cpu_us += came->cpu_us < room ? came->cpu_us : room;
}

/* Whoever hands in a good result is believed, also after its lease was lost:
 * the work is the same. An error counts only from who holds the task. */
void lease_result(core *c, const core_event *event)
{
    const message *m = event->message;
    const message_result *came = &m->body.result;
    worker *w = worker_heard(c, event);
    if (w && m->sequence > w->result_sequence_max)
        w->result_sequence_max = m->sequence;
    if (!lease_asked_with(c, event, w))
        lease_acknowledge(c, event->request, m->incarnation, m->sequence,
                          &came->ref);
    run *r = core_find(c, &came->ref.run);
    if (!r)
        return;
    task *held = task_held(r, &came->ref);
    task *by = held && lease_is_held(held, m, &came->ref) ? held : NULL;
    if (by && by->leaving) {
        task_left(by);
        return;
    }
    task *t = task_find(r, came->ref.task);
    /* late, repeated, or of a run that is over: acknowledged and dropped */
    if (!t)
        return;
    bool is_good = came->error == ETNA_OK && event->result &&
                   task_result_valid(t, event->result);
    /* An error counts only from who holds the task now, and not when it comes
     * again from before: an attempt's number says nothing behind a restart. */
    bool is_error = !is_good && by && m->sequence > by->heard_before;
    if (is_good || is_error)
        lease_add_cpu(r, came);
    if (is_good)
        lease_take_result(t, by, event);
    else if (is_error)
        lease_take_error(t, by, came);
}
