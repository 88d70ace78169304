/* What is outstanding and when it is asked again. A request keeps its sequence
 * for ever; only how long we wait grows.
 *
 * Two clocks run on one deadline. While a request is under way, patience: how
 * long an answer may take, which for long polls is their parking time and some,
 * and for blobs allows a slow network. Once it is known to be lost (its pipe is
 * gone), a short pause that doubles. Both have jitter, a function of the
 * worker's id and the request, so that thousands of workers do not come back in
 * step. */
#include "proto/array.h"
#include "worker/link/link_internal.h"

#include "proto/seed.h"
#include <stdlib.h>

static const struct {
    uint32_t first_ms, most_ms;
    message_kind answer;
} patience[MESSAGE_KIND_COUNT] = {
    /* parked up to 20 s */
    [MESSAGE_LEASE_REQUEST] = {23000, 26000, MESSAGE_LEASE},
    /* parked up to 10 s; leases are lost after 25 s */
    [MESSAGE_ORDERS_REQUEST] = {12500, 12500, MESSAGE_ORDERS},
    [MESSAGE_RESULT] = {2000, 5000, MESSAGE_RESULT_ACK},
    [MESSAGE_CALL_BEGIN] = {2000, 5000, MESSAGE_CALL_ANSWER},
    [MESSAGE_CALL_FAIL] = {2000, 5000, MESSAGE_CALL_ANSWER},
    [MESSAGE_CALL_END] = {2000, 5000, MESSAGE_CALL_ACK},
    [MESSAGE_DEATH] = {2000, 5000, MESSAGE_DEATH_ACK},
    [MESSAGE_BLOB_GET] = {5000, 30000, MESSAGE_BLOB_CHUNK},
    [MESSAGE_BLOB_PUT] = {5000, 30000, MESSAGE_BLOB_ACK},
};

enum {
    PAUSE_FIRST_MS = 100,
    PAUSE_MOST_MS = 3000
};

static uint64_t doubled(uint64_t first, uint64_t most, uint32_t times)
{
    uint64_t value = first;
    while (times-- && value < most)
        value *= 2;
    return value < most ? value : most;
}

/* Up to an eighth more. */
static uint64_t with_jitter(const worker_link *l,
                            const link_request *request,
                            uint64_t ms)
{
    etna_random random = etna_random_from(
        l->config.sender ^ request->again.id << 8 ^ request->tries);
    return ms + etna_random_below(&random, ms / 8 + 1);
}

bool link_answers(message_kind request, message_kind answer)
{
    if (answer == MESSAGE_REFUSED || answer == patience[request].answer)
        return true;
    bool asks_for_work =
        request == MESSAGE_RESULT || request == MESSAGE_LEASE_REQUEST;
    if (asks_for_work && answer == MESSAGE_LEASES)
        return true;
    /* stop: another attempt has the slot */
    return request == MESSAGE_CALL_END && answer == MESSAGE_CALL_ANSWER;
}

/* How many tasks the answer may bring: as many as no other request asks for.
 * What it asked for when it was sent before may be on its way, so that others
 * do not ask for that, though it asks for less now. A result that asked for
 * none may have been answered without. */
static void request_set_wants(worker_link *l, link_request *request)
{
    bool is_lease = request->kind == MESSAGE_LEASE_REQUEST;
    bool is_result = request->kind == MESSAGE_RESULT;
    bool asked_for_none = request->sent && !request->reserved;
    bool brings = is_lease || (is_result && !l->draining && !asked_for_none);
    l->wanted -= request->reserved;
    uint32_t slots = brings ? link_slots_unasked(l) : 0;
    if (is_lease && !slots)
        /* a job may have taken its slot back since it was first asked */
        slots = 1;
    request->wants = slots < MESSAGE_LEASES_MAX ? slots : MESSAGE_LEASES_MAX;
    if (request->reserved < request->wants)
        request->reserved = request->wants;
    l->wanted += request->reserved;
}

/* Below it all that asked for work is answered: no task is on its way here by
 * one of those. */
static uint64_t request_heard_below(const worker_link *l)
{
    uint64_t below = l->next_sequence;
    const link_request *const asking[] = {l->lease, l->result};
    for (size_t i = 0; i < COUNT_OF(asking); i++) {
        if (asking[i] && asking[i]->again.id < below)
            below = asking[i]->again.id;
    }
    return below;
}

/* False: out of memory. */
static bool fill(worker_link *l, const link_request *request, message *m)
{
    *m = (message){.version = MESSAGE_VERSION,
                   .epoch = l->epoch,
                   .sender = l->config.sender,
                   .incarnation = l->config.incarnation,
                   .sequence = request->again.id,
                   .kind = request->kind};
    if (request->job) {
        link_job_fill(request, m);
        return true;
    }
    if (request->kind == MESSAGE_RESULT) {
        link_results_fill(l, m);
        m->body.result.slots_free = request->wants;
        m->body.result.warm_count = request->wants ? l->warm_count : 0;
        m->body.result.warm = l->warm;
        return !l->failed;
    }
    if (request->kind == MESSAGE_DEATH) {
        m->body.death = l->config.death;
        return true;
    }
    if (request->kind == MESSAGE_LEASE_REQUEST) {
        m->body.lease_request =
            (message_lease_request){.slots_free = link_slots_free(l),
                                    .cpus = l->config.cpus,
                                    .warm_count = l->warm_count,
                                    .warm = l->warm,
                                    .build = l->config.build,
                                    .most = request->wants};
        return true;
    }
    message_task_ref *held =
        etna_arena_alloc(&l->arena, l->job_count, sizeof *held);
    if (!held)
        return false;
    uint32_t count = 0;
    for (const chain *at = l->jobs.next; at != &l->jobs; at = at->next) {
        const link_job *j = CHAIN_OF(link_job, all, at);
        if (j->state != JOB_CANCELLED)
            held[count++] = j->ref;
    }
    m->body.orders_request =
        (message_orders_request){.held_count = count,
                                 .held = held,
                                 .leaving = l->draining,
                                 .heard_below = request_heard_below(l)};
    return true;
}

/* Also for the first time. Each sending counts as a try and waits longer for an
 * answer. */
static void send_it(worker_link *l, link_request *request)
{
    message *m = etna_arena_alloc(&l->arena, 1, sizeof *m);
    request_set_wants(l, request);
    if (!m || !fill(l, request, m)) {
        l->failed = true;
        return;
    }
    link_output *out = link_put(l, LINK_OUT_SEND);
    if (!out)
        return;
    out->request = request->again.id;
    out->job = request->job ? request->job->wait.id : 0;
    out->message = m;
    uint64_t wait = doubled(patience[request->kind].first_ms,
                            patience[request->kind].most_ms, request->tries);
    if (!due_set(&l->requests_due, &request->again,
                 l->now + with_jitter(l, request, wait)))
        l->failed = true;
    chain_remove(&request->lost);
    request->tries++;
    request->sent = true;
}

/* Where the request is pointed to from; exactly one such place for each kind,
 * or for each job. */
static link_request **place_of(worker_link *l, const link_request *request)
{
    if (request->job)
        return &request->job->request;
    if (request->kind == MESSAGE_DEATH)
        return &l->death;
    if (request->kind == MESSAGE_RESULT)
        return &l->result;
    return request->kind == MESSAGE_LEASE_REQUEST ? &l->lease : &l->orders;
}

void link_ask(worker_link *l, message_kind kind, link_job *job)
{
    link_request *request = calloc(1, sizeof *request);
    uint64_t id = l->next_sequence++;
    if (!request || !table_put(&l->request_table, id, request)) {
        free(request);
        l->failed = true;
        return;
    }
    *request = (link_request){
        .again.id = id, .kind = kind, .job = job, .asked = l->now};
    chain_init(&request->lost);
    chain_append(&l->requests, &request->all);
    *place_of(l, request) = request;
    send_it(l, request);
}

link_request *link_request_by_id(const worker_link *l, uint64_t id)
{
    return table_get(&l->request_table, id);
}

void link_request_remove(worker_link *l, link_request *request)
{
    *place_of(l, request) = NULL;
    l->wanted -= request->reserved;
    table_remove(&l->request_table, request->again.id);
    due_drop(&l->requests_due, &request->again);
    chain_remove(&request->all);
    chain_remove(&request->lost);
    free(request);
}

void link_request_drop(worker_link *l, link_request *request)
{
    if (!request)
        return;
    link_output *out = link_put(l, LINK_OUT_DROP);
    if (out)
        out->request = request->again.id;
    link_request_remove(l, request);
}

/* Those that are lost already keep their pause: a second loss must not put it
 * off. */
void link_request_lost(worker_link *l, link_request *request)
{
    if (!chain_empty(&request->lost))
        return;
    chain_append(&l->lost, &request->lost);
    uint32_t before = request->tries ? request->tries - 1 : 0;
    uint64_t pause =
        with_jitter(l, request, doubled(PAUSE_FIRST_MS, PAUSE_MOST_MS, before));
    if (!due_set(&l->requests_due, &request->again, l->now + pause))
        l->failed = true;
}

void link_requests_lost(worker_link *l)
{
    for (chain *at = l->requests.next; at != &l->requests; at = at->next)
        link_request_lost(l, CHAIN_OF(link_request, all, at));
}

/* In the order in which they were lost, without their pauses: the coordinator
 * is known to be back. */
void link_resend_lost(worker_link *l)
{
    while (!l->failed && !chain_empty(&l->lost)) {
        link_request *request = CHAIN_OF(link_request, lost, l->lost.next);
        request->tries = 0;
        send_it(l, request);
    }
}

/* At most BYTES_MAX in one message (the first always goes), so that a small
 * result does not wait for many large ones. */
void link_results_send(worker_link *l)
{
    enum {
        BYTES_MAX = 256 << 10
    };
    size_t bytes = 0;
    uint32_t count = 0;
    uint32_t most = l->results_alone ? 1 : MESSAGE_RESULTS_MAX;
    if (l->result || chain_empty(&l->results_waiting))
        return;
    if (l->results_alone)
        l->results_alone--;
    while (count < most && !chain_empty(&l->results_waiting)) {
        link_job *j = CHAIN_OF(link_job, handing, l->results_waiting.next);
        size_t size = j->payload_size + MESSAGE_TEXT_MAX;
        if (count && bytes + size > BYTES_MAX)
            break;
        bytes += size;
        count++;
        chain_remove(&j->handing);
        chain_append(&l->results_sent, &j->handing);
        j->sent = true;
    }
    link_ask(l, MESSAGE_RESULT, NULL);
}

void link_requests_due(worker_link *l)
{
    for (due *first; !l->failed && (first = due_first(&l->requests_due)) &&
                     first->at <= l->now;) {
        send_it(l, CHAIN_OF(link_request, again, first));
    }
}
