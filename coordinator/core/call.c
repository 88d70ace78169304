/* Calls of models, by slot. What the slot answered once it answers for ever:
 * replies are kept for the life of the run, so no slot whose end was
 * acknowledged is called again, whoever works on it. Money is reserved between
 * begin and end. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"

#include <string.h>

/* The drawing in call.h. */
static const bool allowed[CALL_STATE_COUNT][CALL_STATE_COUNT] = {
    [CALL_NEW] = {[CALL_IN_FLIGHT] = true, [CALL_ENDED] = true},
    [CALL_IN_FLIGHT] = {[CALL_LOST] = true, [CALL_ENDED] = true},
    [CALL_LOST] = {[CALL_IN_FLIGHT] = true, [CALL_ENDED] = true},
};

/* Nothing is lost with it, so nothing is journaled of it and it may be repeated
 * at any time. */
static bool call_is_free(const message_usage *estimate)
{
    message_usage used = *estimate;
    used.calls = 0; /* to count it costs nothing */
    return message_usage_is_zero(&used);
}

/* Also keeps the list and the count of calls in flight, and the reservations:
 * whatever is taken on entering IN_FLIGHT is given back on leaving it. */
static void state_set(run *r, call *a, call_state state)
{
    if (!allowed[a->state][state])
        core_broken(
            r->core,
            "a model call changed its state in a way that is not allowed");
    if (a->state == CALL_IN_FLIGHT) {
        chain_remove(&a->in_flight);
        r->core->calls_in_flight--;
        r->reserved_micros -= a->reserved_micros;
        if (!call_is_free(&a->estimate))
            a->waited_ms += run_time_ms(r) - a->sent_ms;
        endpoint_landed(a);
    }
    a->state = state;
    if (state == CALL_IN_FLIGHT) {
        chain_append(&r->in_flight, &a->in_flight);
        r->core->calls_in_flight++;
        r->reserved_micros += a->reserved_micros;
        a->sent_ms = run_time_ms(r);
    }
}

/* A hash: several slots may share one, so that the table's entries are
 * chained. */
static uint64_t slot_key(const etna_slot *slot)
{
    return etna_seed(0, slot);
}

/* All six numbers. */
static bool call_same_slot(const etna_slot *a, const etna_slot *b)
{
    bool is_same_place = a->node == b->node && a->branch == b->branch;
    bool is_same_speaker = a->role == b->role && a->poll == b->poll;
    bool is_same_turn = a->turn == b->turn && a->repair == b->repair;
    return is_same_place && is_same_speaker && is_same_turn;
}

/* NULL: no call was ever asked for there. */
static call *call_find(const run *r, const etna_slot *slot)
{
    call *a = table_get(&r->call_table, slot_key(slot));
    while (a && !call_same_slot(&a->slot, slot))
        a = a->same_key;
    return a;
}

/* NULL: core.failure. Calls are kept for the life of the run. */
static call *find_or_add(run *r, const etna_slot *slot)
{
    call *a = call_find(r, slot);
    if (a)
        return a;
    a = run_alloc(r, 1, sizeof *a);
    if (!a)
        return NULL;
    a->slot = *slot;
    a->same_key = table_get(&r->call_table, slot_key(slot));
    chain_init(&a->in_flight);
    a->before = r->calls;
    r->calls = a;
    r->call_count++;
    if (!table_put(&r->call_table, slot_key(slot), a)) {
        core_trouble(r->core, ETNA_E_NOMEM, "a model call: out of memory");
        return NULL;
    }
    return a;
}

/* ---- what a call takes ---- */

/* value * took / estimated; the value itself where nothing is known, or the
 * product would not fit. */
static uint64_t call_scaled(uint64_t value, uint64_t took, uint64_t estimated)
{
    if (!estimated)
        return value;
    double scaled = (double)value * (double)took / (double)estimated;
    return scaled < 1e15 ? (uint64_t)(scaled + 0.5) : value;
}

/* How long an answer of a role may be that gave none yet: as the longest of the
 * other roles', on the mean. 0: nobody answered. */
static uint64_t longest_answer(const run *r)
{
    uint64_t most = 0;
    for (uint32_t role = 0; role < ROLE_COUNT; role++) {
        const call_mean *mean = &r->means[role];
        uint64_t out = mean->count ? (mean->took.tokens_out + mean->count - 1) /
                                         mean->count
                                   : 0;
        most = out > most ? out : most;
    }
    return most;
}

/* What a call of the role is expected to take: the longest answer that it may
 * give is seldom given. */
static message_usage call_expect(const run *r,
                                 uint32_t role,
                                 const char *model,
                                 const message_usage *estimate)
{
    enum {
        ANSWER_TOKENS = 500
    }; /* while no call has ended */
    message_usage expected = *estimate;
    const uint64_t answered = longest_answer(r),
                   unknown = answered ? answered : ANSWER_TOKENS;
    const call_mean *mean = role < ROLE_COUNT ? &r->means[role] : NULL;
    if (mean && mean->count) {
        expected.tokens_in =
            call_scaled(estimate->tokens_in, mean->took.tokens_in,
                        mean->estimated.tokens_in);
        expected.tokens_cached = call_scaled(
            expected.tokens_in, mean->took.tokens_cached, mean->took.tokens_in);
        expected.tokens_written =
            call_scaled(expected.tokens_in, mean->took.tokens_written,
                        mean->took.tokens_in);
        expected.tokens_out =
            (mean->took.tokens_out + mean->count / 2) / mean->count;
        expected.tokens_reasoning = mean->took.tokens_reasoning / mean->count;
        expected.bytes_sent = mean->took.bytes_sent / mean->count;
        expected.images_sent = mean->took.images_sent / mean->count;
    } else if (expected.tokens_out > unknown) {
        expected.tokens_out = unknown;
    }
    const core_model *m = endpoint_model(r->core, model);
    bool priced = m && (m->price.price_in || m->price.price_out);
    if (priced)
        expected.cost_micros = models_cost_micros(&m->price, &expected);
    return expected;
}

/* A call has ended: its role's mean knows it. */
static void call_learn(run *r, const call *a)
{
    uint32_t role = a->slot.role;
    if (role >= ROLE_COUNT || call_is_free(&a->estimate))
        return;
    call_mean *mean = &r->means[role];
    mean->count++;
    message_usage_add(&mean->estimated, &a->estimate);
    message_usage_add(&mean->took, &a->usage);
}

/* ---- losses ---- */

/* Nobody will say what the call cost, so it is booked at what is expected of
 * such a call, until its end comes after all; or it is known that it was not
 * billed. */
static void call_book_lost(run *r, call *a, const message_usage *booked)
{
    core *c = r->core;
    state_set(r, a, CALL_LOST);
    a->replayed = c->replaying;
    if (call_is_free(&a->estimate))
        return;
    a->booked = *booked;
    message_usage_add(&a->lost, booked);
    message_usage_add(&r->lost, booked);
    message_usage_add(&r->spent, booked);
    if (c->replaying)
        return;
    chain_append(&r->losing, &a->in_flight);
    if (chain_empty(&r->with_losses))
        chain_append(&c->losing, &r->with_losses);
}

/* Booked at what such calls took so far. */
static void call_book_expected(run *r, call *a)
{
    const message_usage expected =
        call_expect(r, a->slot.role, a->model, &a->estimate);
    call_book_lost(r, a, &expected);
}

/* The task's holder is gone. Where it may still be alive its calls stay fenced:
 * another is let call only when the word to go has expired. */
void call_lost_with(task *t, bool fenced)
{
    run *r = t->run;
    if (r->core->replaying)
        return; /* the journal says what was lost */
    for (chain *link = r->in_flight.next, *next; link != &r->in_flight;
         link = next) {
        next = link->next;
        call *a = CHAIN_OF(call, in_flight, link);
        if (a->task != t->id || a->attempt != t->attempt)
            continue;
        a->fenced_ms = fenced ? a->fenced_ms : 0;
        call_book_expected(r, a);
    }
}

/* Has the task a call under way at a network endpoint? */
bool call_waits_elsewhere(const task *t)
{
    const run *r = t->run;
    for (const chain *link = r->in_flight.next; link != &r->in_flight;
         link = link->next) {
        const call *a = CHAIN_OF(call, in_flight, link);
        if (a->task == t->id && a->endpoint)
            return true;
    }
    return false;
}

/* Of a coordinator that died: nobody knows any more which of its words
 * arrived. */
void call_lost_all(run *r)
{
    if (r->core->replaying)
        return;
    for (chain *link = r->in_flight.next, *next; link != &r->in_flight;
         link = next) {
        next = link->next;
        call *a = CHAIN_OF(call, in_flight, link);
        const message_task_ref caller = {.task = a->task,
                                         .attempt = a->attempt};
        if (task_held(r, &caller))
            continue; /* it is let finish */
        a->fenced_ms = r->core->now + r->core->options.fence_ms;
        call_book_expected(r, a);
    }
}

/* At the end of a step, when it is clear which calls were lost in it. */
void call_record_losses(core *c)
{
    while (!chain_empty(&c->losing)) {
        run *r = CHAIN_OF(run, with_losses, c->losing.next);
        chain_remove(&r->with_losses);
        while (!chain_empty(&r->losing)) {
            call *a = CHAIN_OF(call, in_flight, r->losing.next);
            chain_remove(&a->in_flight);
            record_lost(r, &a->slot, &a->booked, a->reported);
        }
    }
}

/* Nearly every call of a run is of one model: its name is kept once. */
static const char *model_name(run *r, const call *a, const char *name)
{
    const char *known[] = {a->model, r->config.model,
                           a->before ? a->before->model : NULL};
    for (size_t i = 0; name && i < COUNT_OF(known); i++) {
        if (known[i] && strcmp(known[i], name) == 0)
            return known[i];
    }
    return name && *name ? run_text(r, name) : r->config.model;
}

/* What was booked as lost was not: it is taken back. */
static void call_recover(run *r, call *a, const message_usage *recovered)
{
    usage_subtract(&a->lost, recovered);
    usage_subtract(&r->spent, recovered);
    usage_subtract(&r->lost, recovered);
}

/* Its caller threw a GO away that came too late, and asked once more. */
static bool call_go_anew(call *a, const record *rec, call **ret_call)
{
    bool is_same_lease = a->task == rec->task && a->attempt == rec->attempt;
    bool is_same_caller =
        a->worker == rec->worker && a->incarnation == rec->incarnation;
    bool is_later = rec->begin > a->begin;
    if (!is_same_lease || !is_same_caller || !is_later)
        return false;
    a->begin = rec->begin;
    *ret_call = a;
    return true;
}

/* From the journal as well as from a request. False: the slot cannot be called
 * in this state. */
bool call_go(run *r, const record *rec, call **ret_call)
{
    call *a = find_or_add(r, &rec->reply.slot);
    if (!a)
        return r->core->failure != ETNA_OK;
    if (a->state == CALL_IN_FLIGHT)
        return call_go_anew(a, rec, ret_call);
    if (a->state != CALL_NEW && a->state != CALL_LOST)
        return false;
    call_recover(r, a, &rec->recovered);
    a->model = model_name(r, a, rec->reply.model);
    a->worker = rec->worker;
    a->incarnation = rec->incarnation;
    a->task = rec->task;
    a->attempt = rec->attempt;
    a->begin = rec->begin;
    a->reported = false;
    a->request = rec->reply.request;
    a->estimate = rec->estimate;
    a->reserved_micros =
        call_expect(r, a->slot.role, a->model, &a->estimate).cost_micros;
    state_set(r, a, CALL_IN_FLIGHT);
    *ret_call = a;
    return true;
}

/* In a replay: the loss as it was booked then. */
bool call_lose(run *r,
               const etna_slot *slot,
               const message_usage *booked,
               bool reported)
{
    call *a = call_find(r, slot);
    bool is_known = a && a->state == CALL_LOST && reported;
    if (is_known && message_usage_is_zero(booked)) {
        a->reported = true; /* its caller said so after it was booked */
        return true;
    }
    if (!a || a->state != CALL_IN_FLIGHT)
        return false;
    a->reported = reported;
    call_book_lost(r, a, booked);
    return true;
}

/* The reply is the slot's for ever. `recovered` is what an earlier booking of
 * the same call gives back. */
void call_store(run *r,
                const etna_slot *slot,
                const etna_hash *request,
                const etna_hash *reply,
                const message_usage *usage,
                const message_usage *recovered,
                const char *model)
{
    message_usage_add(&r->spent, usage);
    call *a = find_or_add(r, slot);
    if (!a)
        return;
    call_recover(r, a, recovered);
    habit_count(r, slot);
    state_set(r, a, CALL_ENDED);
    a->model = model_name(r, a, model);
    a->request = *request;
    a->reply = *reply;
    a->usage = *usage;
    call_learn(r, a);
}

/* Under the numbers of the request. */
static void call_answer(core *c, const core_event *event, const message *said)
{
    core_send_answer(c, event->request, event->message->incarnation,
                     event->message->sequence, said, NULL);
}

/* `model`: another one to ask then, or NULL. */
static void answer_wait(core *c,
                        const core_event *event,
                        uint64_t ms,
                        const char *model)
{
    message said = {.kind = MESSAGE_CALL_ANSWER};
    said.body.call_answer.verdict = CALL_WAIT;
    said.body.call_answer.wait_ms = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
    said.body.call_answer.model = model;
    call_answer(c, event, &said);
}

/* For verdicts that say all by themselves. */
static void answer_verdict(core *c,
                           const core_event *event,
                           call_verdict verdict)
{
    message said = {.kind = MESSAGE_CALL_ANSWER};
    said.body.call_answer.verdict = verdict;
    if (verdict == CALL_WAIT)
        said.body.call_answer.wait_ms = c->options.call_wait_ms;
    call_answer(c, event, &said);
}

/* The reply of before, also where the request is another one now: to call again
 * would be paid twice. The mismatch is told. */
static void answer_stored(run *r, const core_event *event, const call *a)
{
    message said = {.kind = MESSAGE_CALL_ANSWER};
    bool mismatch =
        !etna_hash_equal(&a->request, &event->message->body.call_begin.request);
    said.body.call_answer = (message_call_answer){.verdict = CALL_STORED,
                                                  .reply = a->reply,
                                                  .usage = a->usage,
                                                  .mismatch = mismatch};
    if (mismatch) {
        r->mismatches++;
        narrate_mismatch(r, &a->slot);
    }
    call_answer(r->core, event, &said);
}

/* The sender's lease of the task it says it calls for, or NULL. A copy of what
 * it said before it was given this lease is of an older one, which may have had
 * the same number under a coordinator that died. */
static task *caller_task(const core *c,
                         const core_event *event,
                         const message_task_ref *ref)
{
    const run *r = core_find(c, &ref->run);
    task *t = r ? task_held(r, ref) : NULL;
    if (!t || t->leaving || event->message->sequence <= t->given_after)
        return NULL;
    return t->worker->id == event->message->sender &&
                   t->worker->incarnation == event->message->incarnation
               ? t
               : NULL;
}

/* Whether the call is the sender's: the same process and the same lease. */
static bool is_callers(const call *a,
                       const core_event *event,
                       const message_task_ref *ref)
{
    return a->worker == event->message->sender &&
           a->incarnation == event->message->incarnation &&
           a->task == ref->task && a->attempt == ref->attempt;
}

/* Another worker may have been told to go and not know yet that it may not any
 * more: core.h, "Fence". */
static bool call_is_fenced(const run *r, const call *a, const core_event *event)
{
    const core *c = r->core;
    bool same_process = a->worker == event->message->sender &&
                        a->incarnation == event->message->incarnation;
    if (a->state != CALL_LOST || same_process || call_is_free(&a->estimate))
        return false;
    return c->now <
           (a->replayed ? r->resumed_ms + c->options.fence_ms : a->fenced_ms);
}

/* From here on the call may be paid. */
static void answer_go(core *c, const core_event *event, call *a)
{
    a->fenced_ms = c->now + c->options.fence_ms;
    answer_verdict(c, event, CALL_GO);
}

/* May it be paid for? An answer is given where it may not. */
static bool call_fits_money(run *r,
                            const core_event *event,
                            uint64_t cost,
                            uint64_t booked)
{
    switch (cap_money(r, cost > booked ? cost - booked : 0)) {
    case CAP_LATER: answer_verdict(r->core, event, CALL_WAIT); return false;
    case CAP_FULL:
        answer_verdict(r->core, event, CALL_STOP);
        cap_reach(r, CAP_MONEY);
        return false;
    case CAP_FITS: break;
    }
    return true;
}

/* Does its endpoint let it through now? An answer is given where it does
 * not. */
static bool call_fits_endpoint(run *r,
                               const core_event *event,
                               const core_model *m)
{
    core *c = r->core;
    const message_call_begin *asked = &event->message->body.call_begin;
    bool out = endpoint_out(c, m);
    if (out &&
        /* one call in half a minute finds out whether it is back: not this
         * one */
        m->fallback) {
        bool fallback_out = endpoint_out(c, endpoint_model(c, m->fallback));
        narrate_fallback(r, asked->model, m->fallback,
                         "its endpoint is out of service");
        answer_wait(c, event, fallback_out ? c->options.call_wait_ms : 1,
                    m->fallback);
        return false;
    }
    uint64_t wait =
        out ? c->options.call_wait_ms : endpoint_wait(c, m, &asked->estimate);
    /* Out of service: the call that finds out is under way, or will be when its
     * time has come. */
    if (wait)
        answer_wait(c, event, wait, NULL);
    return wait == 0;
}

/* What was booked for a try of this caller's that turns out not to have been
 * lost. */
static message_usage call_booked(const call *a)
{
    static const message_usage none;
    return call_is_free(&a->estimate) ? none : a->booked;
}

/* The CALL record of a begin. */
static record call_record(const core_event *event)
{
    const message_call_begin *asked = &event->message->body.call_begin;
    return (record){.kind = RECORD_CALL,
                    .reply = {.slot = asked->slot,
                              .request = asked->request,
                              .model = asked->model},
                    .worker = event->message->sender,
                    .incarnation = event->message->incarnation,
                    .task = asked->ref.task,
                    .begin = event->message->sequence,
                    .attempt = asked->ref.attempt,
                    .estimate = asked->estimate};
}

/* The slot is the caller's, who repeats its begin or asks anew. What is asked
 * anew is journaled anew: it may have been sent after another coordinator took
 * the store, to which only an append can open our eyes. */
static void call_begin_again(run *r, const core_event *event, call *a)
{
    const record rec = call_record(event);
    call *begun = NULL;
    bool is_anew = rec.begin > a->begin && !call_is_free(&a->estimate);
    if (is_anew && (!call_go(r, &rec, &begun) || !begun))
        return;
    if (is_anew)
        record_call(r, &rec);
    answer_go(r->core, event, a);
}

/* Nobody has the slot: may this one? */
static void call_begin_new(task *t, const core_event *event, const call *a)
{
    run *r = t->run;
    core *c = r->core;
    const message_call_begin *asked = &event->message->body.call_begin;
    record rec = call_record(event);
    /* Who repeats the very begin was not told to go yet: what was booked as
     * lost was never called. */
    bool repeated = a->state == CALL_LOST &&
                    is_callers(a, event, &asked->ref) && a->begin == rec.begin;
    if (repeated)
        rec.recovered = call_booked(a);
    const core_model *m = endpoint_model(c, asked->model);
    call *begun = NULL;
    uint64_t cost =
        call_expect(r, asked->slot.role, asked->model, &asked->estimate)
            .cost_micros;
    if (!call_fits_money(r, event, cost, rec.recovered.cost_micros))
        return;
    if (!call_fits_endpoint(r, event, m))
        return;
    if (!call_go(r, &rec, &begun) || !begun)
        return;
    endpoint_go(c, begun, m);
    if (!call_is_free(&rec.estimate))
        record_call(r, &rec);
    answer_go(c, event, begun);
}

/* That try was made, and has failed: nobody waits for an answer to it. */
static bool call_is_late(const call *a, const core_event *event)
{
    const message_task_ref *ref = &event->message->body.call_begin.ref;
    bool failed = a->state == CALL_LOST && a->reported;
    return failed && is_callers(a, event, ref) &&
           event->message->sequence <= a->begin;
}

/* Everything that can stand against a call, in order: the task is over, its
 * twin pays already, the reply is there, somebody else is calling, the fence,
 * the branch that waits. Only then is money reserved. */
void call_begin_asked(core *c, const core_event *event)
{
    const message_call_begin *asked = &event->message->body.call_begin;
    task *t = caller_task(c, event, &asked->ref);
    if (!t) {
        answer_verdict(c, event, CALL_STOP);
        return;
    }
    run *r = t->run;
    bool costs = !call_is_free(&asked->estimate);
    if (t->of && costs) { /* nothing is paid for twice */
        answer_verdict(c, event, CALL_STOP);
        return;
    }
    t->paid = t->paid || costs;
    call *a = find_or_add(r, &asked->slot);
    if (!a)
        return;
    if (a->state == CALL_ENDED) {
        answer_stored(r, event, a);
    } else if (a->state == CALL_IN_FLIGHT &&
               is_callers(a, event, &asked->ref)) {
        call_begin_again(r, event, a);
    } else if (a->state == CALL_IN_FLIGHT && a->task == asked->ref.task &&
               !costs && call_is_free(&a->estimate)) {
        answer_verdict(c, event, CALL_GO); /* of the twin of who makes it */
    } else if (a->state == CALL_IN_FLIGHT) {
        /* another task in this slot: it is not theirs */
        answer_verdict(c, event, CALL_STOP);
    } else if (call_is_late(a, event)) {
        answer_verdict(c, event, CALL_STOP);
    } else if (call_is_fenced(r, a, event)) {
        answer_verdict(c, event, CALL_WAIT);
    } else if (costs && step_holds_back(r, &asked->slot)) {
        answer_verdict(c, event, CALL_WAIT);
    } else {
        call_begin_new(t, event, a);
    }
}

/* The worker may forget it. */
static void call_acknowledge(core *c, const core_event *event)
{
    message said = {.kind = MESSAGE_CALL_ACK};
    said.body.call_ack = event->message->body.call_end.slot;
    call_answer(c, event, &said);
}

/* The slot has its reply; acting on another would part from the journal. */
static void call_end_again(core *c, const core_event *event, const call *a)
{
    if (etna_hash_equal(&a->reply, &event->message->body.call_end.reply)) {
        call_acknowledge(c, event);
    } else {
        answer_verdict(c, event, CALL_STOP);
    }
}

/* The reply counts whatever became of the task: it was paid for. */
void call_end_asked(core *c, const core_event *event)
{
    const message_call_end *came = &event->message->body.call_end;
    run *r = core_find(c, &came->ref.run);
    if (!r) {
        answer_verdict(c, event, CALL_STOP);
        return;
    }
    /* also of a run that is over: it is billed */
    const call *a = call_find(r, &came->slot);
    bool theirs = a && is_callers(a, event, &came->ref);
    if (a && a->state == CALL_ENDED) {
        call_end_again(c, event, a);
        return;
    }
    bool is_free = a && a->task == came->ref.task && call_is_free(&a->estimate);
    /* or the twin's of who makes it */
    bool is_theirs = theirs || (is_free && task_held(r, &came->ref));
    if (a && a->state == CALL_IN_FLIGHT && !is_theirs) {
        /* a newer attempt was told to go: its end will count */
        answer_verdict(c, event, CALL_STOP);
        return;
    }
    message_usage recovered = {0};
    if (theirs && a->state == CALL_LOST)
        recovered = call_booked(a);
    core_reply reply = {.run = r->id,
                        .slot = came->slot,
                        .request = came->request,
                        .reply = came->reply,
                        .usage = came->usage,
                        .model = came->model,
                        .images_left_out = came->images_left_out,
                        .texts_left_out = came->texts_left_out};
    endpoint_answered(a ? a->endpoint : NULL);
    r->outages = 0;
    call_store(r, &reply.slot, &reply.request, &reply.reply, &reply.usage,
               &recovered, reply.model);
    record_reply(r, &reply, &recovered);
    call_acknowledge(c, event);
    task *caller = theirs ? task_held(r, &came->ref) : NULL;
    if (caller && caller->leaving)
        task_left(caller);
}

/* ---- tries that brought nothing ---- */

/* No model answers: the run waits for its next try, or for a person. */
static void call_give_up(run *r, const core_event *event, const char *why)
{
    core_text text = {0};
    text_add(&text, "no model answers: %s",
             why && *why ? why : "its endpoint is out of service");
    answer_verdict(r->core, event, CALL_STOP);
    r->outage = run_text(r, text.data);
    r->rests_by = ETNA_E_NETWORK;
    r->stuck = event->message->body.call_fail.final;
    run_pause(r);
    run_suspend(r);
    narrate_outage(r);
}

/* One more try of this model brought nothing: how many there may be, and for
 * how long, begins with the first that this coordinator hears of. */
static void call_count_failure(core *c,
                               call *a,
                               core_endpoint *e,
                               const message_call_fail *fail)
{
    endpoint_failed(c, e, fail);
    if (a->failed == 0)
        a->failed_first_ms = c->now;
    a->failed++;
}

/* A try has failed. Where it may have been billed it is booked as a loss. */
static void call_fail(run *r, call *a, const message_call_fail *fail)
{
    call_count_failure(r->core, a, a->endpoint, fail);
    a->fenced_ms = 0; /* it says itself that it calls no more */
    a->reported = true;
    if (fail->lost) {
        call_book_expected(r, a);
    } else {
        static const message_usage nothing;
        call_book_lost(r, a, &nothing);
    }
}

/* Is the same model to be asked once more? */
static bool call_may_retry(const core *c,
                           const call *a,
                           const core_model *m,
                           const message_call_fail *fail)
{
    const core_endpoint *e = m ? m->endpoint : NULL;
    uint32_t attempts = e ? e->attempts : 1;
    uint32_t budget = e ? e->budget_ms : 0;
    bool late = c->now + fail->wait_ms - a->failed_first_ms > budget;
    bool may_repeat = !fail->final && a->failed < attempts;
    return may_repeat && !late && !endpoint_out(c, m);
}

/* The call whose try failed: of the sender's task, and not of a try before the
 * one under way. NULL: none. */
static call *call_failed(const core_event *event, run *r)
{
    const message_call_fail *fail = &event->message->body.call_fail;
    call *a = r ? call_find(r, &fail->slot) : NULL;
    if (!a || a->state == CALL_ENDED || event->message->sequence < a->begin)
        return NULL;
    return task_held(r, &fail->ref) && is_callers(a, event, &fail->ref) ? a
                                                                        : NULL;
}

/* What was booked when its task was taken away was never sent: it is taken
 * back. */
static void call_take_back(run *r, const core_event *event)
{
    static const message_usage nothing;
    const message_call_fail *fail = &event->message->body.call_fail;
    call *a = r && !fail->lost ? call_find(r, &fail->slot) : NULL;
    if (!a || a->state != CALL_LOST || a->reported)
        return;
    if (event->message->sequence < a->begin ||
        !is_callers(a, event, &fail->ref))
        return;
    const record rec = {
        .kind = RECORD_CALL,
        .reply = {.slot = a->slot, .request = a->request, .model = a->model},
        .worker = a->worker,
        .incarnation = a->incarnation,
        .task = a->task,
        .begin = a->begin,
        .attempt = a->attempt,
        .estimate = a->estimate,
        .recovered = call_booked(a)};
    call *again = NULL;
    if (message_usage_is_zero(&rec.recovered) || !call_go(r, &rec, &again) ||
        !again)
        return;
    record_call(r, &rec);
    again->reported = true;
    again->fenced_ms = 0;
    call_book_lost(r, again, &nothing);
}

/* A restart booked the call as lost, and its caller says now that its try has
 * failed. That is journaled: a late copy of its begin must not pass for one
 * that nobody was told to make, under the next coordinator neither. */
static void call_fail_late(run *r,
                           const core_event *event,
                           call *a,
                           const core_model *m)
{
    static const message_usage nothing;
    if (a->reported) /* its caller repeats it */
        return;
    call_count_failure(r->core, a, m ? m->endpoint : NULL,
                       &event->message->body.call_fail);
    call_take_back(r, event);
    if (a->reported)
        return;
    a->reported = true;
    if (!call_is_free(&a->estimate))
        record_lost(r, &a->slot, &nothing, true);
}

/* Another try, another model, or the end of the task; a worker that was told so
 * asks by call_begin again. */
void call_fail_asked(core *c, const core_event *event)
{
    const message_call_fail *fail = &event->message->body.call_fail;
    run *r = core_find(c, &fail->ref.run);
    call *a = call_failed(event, r);
    if (!a) {
        call_take_back(r, event);
        answer_verdict(c, event, CALL_STOP);
        return;
    }
    const core_model *m = endpoint_model(c, fail->model);
    if (a->state == CALL_IN_FLIGHT) {
        call_fail(r, a, fail);
    } else {
        call_fail_late(r, event, a, m);
    }
    task *caller = task_held(r, &fail->ref);
    if (caller->leaving) {
        answer_verdict(c, event, CALL_STOP);
        task_left(caller);
        return;
    }
    if (call_may_retry(c, a, m, fail)) {
        answer_wait(c, event, fail->wait_ms ? fail->wait_ms : 1, NULL);
    } else if (m && m->fallback) {
        a->failed = 0;
        narrate_fallback(r, fail->model, m->fallback, fail->text);
        answer_wait(c, event, 1, m->fallback);
    } else {
        call_give_up(r, event, fail->text);
    }
}
