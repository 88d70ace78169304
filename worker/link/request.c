/* What is outstanding and when it is asked again. A request keeps its sequence for ever; only how long we wait grows.
 *
 * Two clocks run on one deadline. While a request is under way, patience: how long an answer may take, which for long
 * polls is their parking time and some, and for blobs allows a slow network. Once it is known to be lost (its pipe is
 * gone), a short pause that doubles. Both have jitter, a function of the worker's id and the request, so that thousands
 * of workers do not come back in step. */
#include "worker/link/internal.h"

#include "proto/seed.h"
#include <stdlib.h>

static const struct {
    uint32_t first_ms, most_ms;
    message_kind answer;
} patience[MESSAGE_KIND_COUNT] = {
    [MESSAGE_LEASE_REQUEST] = {23000, 26000, MESSAGE_LEASE}, /* parked up to 20 s */
    [MESSAGE_ORDERS_REQUEST] = {12500, 12500, MESSAGE_ORDERS}, /* parked up to 10 s; leases are lost after 25 s */
    [MESSAGE_RESULT] = {2000, 5000, MESSAGE_RESULT_ACK},
    [MESSAGE_CALL_BEGIN] = {2000, 5000, MESSAGE_CALL_ANSWER},
    [MESSAGE_CALL_FAIL] = {2000, 5000, MESSAGE_CALL_ANSWER},
    [MESSAGE_CALL_END] = {2000, 5000, MESSAGE_CALL_ACK},
    [MESSAGE_BLOB_GET] = {5000, 30000, MESSAGE_BLOB_CHUNK},
    [MESSAGE_BLOB_PUT] = {5000, 30000, MESSAGE_BLOB_ACK},
};

enum { PAUSE_FIRST_MS = 100, PAUSE_MOST_MS = 3000 };

static uint64_t doubled(uint64_t first, uint64_t most, uint32_t times)
{
    uint64_t value = first;
    while (times-- && value < most) value *= 2;
    return value < most ? value : most;
}

static uint64_t with_jitter(const worker_link *l, const link_request *request, uint64_t ms)
{
    etna_random random = etna_random_from(l->config.sender ^ request->id << 8 ^ request->tries);
    return ms + etna_random_below(&random, ms / 8 + 1);
}

bool link_answers(message_kind request, message_kind answer)
{
    if (answer == MESSAGE_REFUSED || answer == patience[request].answer) return true;
    return request == MESSAGE_CALL_END && answer == MESSAGE_CALL_ANSWER; /* stop: another attempt has the slot */
}

static bool fill(worker_link *l, const link_request *request, message *m)
{
    *m = (message){.version = MESSAGE_VERSION,
                   .epoch = l->epoch,
                   .sender = l->config.sender,
                   .incarnation = l->config.incarnation,
                   .sequence = request->id,
                   .kind = request->kind};
    if (request->job) return link_job_fill(l, request, m);
    if (request->kind == MESSAGE_LEASE_REQUEST) {
        m->body.lease_request = (message_lease_request){.slots_free = link_slots_free(l),
                                                        .cpus = l->config.cpus,
                                                        .warm_count = l->warm_count,
                                                        .warm = l->warm,
                                                        .build = l->config.build};
        return true;
    }
    message_task_ref *held = etna_arena_alloc(&l->arena, l->job_count, sizeof *held);
    if (!held) return false;
    uint32_t count = 0;
    for (size_t i = 0; i < l->job_count; i++) {
        if (l->jobs[i]->state != JOB_CANCELLED) held[count++] = l->jobs[i]->ref;
    }
    m->body.orders_request = (message_orders_request){.held_count = count, .held = held};
    return true;
}

static void send_it(worker_link *l, link_request *request)
{
    message *m = etna_arena_alloc(&l->arena, 1, sizeof *m);
    if (!m || !fill(l, request, m)) {
        l->failed = true;
        return;
    }
    link_output *out = link_put(l, LINK_OUT_SEND);
    if (!out) return;
    out->request = request->id;
    out->job = request->job;
    out->message = m;
    uint64_t wait = doubled(patience[request->kind].first_ms, patience[request->kind].most_ms, request->tries);
    request->deadline = l->now + with_jitter(l, request, wait);
    request->lost = false;
    request->tries++;
}

void link_ask(worker_link *l, message_kind kind, uint64_t job)
{
    if (l->request_count == l->request_room) {
        size_t room = l->request_room ? 2 * l->request_room : 16;
        link_request *requests = realloc(l->requests, room * sizeof *requests);
        if (!requests) {
            l->failed = true;
            return;
        }
        l->requests = requests;
        l->request_room = room;
    }
    link_request *request = &l->requests[l->request_count++];
    *request = (link_request){.id = l->next_sequence++, .kind = kind, .job = job, .asked = l->now};
    send_it(l, request);
}

link_request *link_request_of(worker_link *l, message_kind kind, uint64_t job)
{
    for (size_t i = 0; i < l->request_count; i++) {
        if (l->requests[i].kind == kind && l->requests[i].job == job) return &l->requests[i];
    }
    return NULL;
}

link_request *link_request_by_id(worker_link *l, uint64_t id)
{
    for (size_t i = 0; i < l->request_count; i++) {
        if (l->requests[i].id == id) return &l->requests[i];
    }
    return NULL;
}

void link_request_remove(worker_link *l, uint64_t id)
{
    for (size_t i = 0; i < l->request_count; i++) {
        if (l->requests[i].id != id) continue;
        for (size_t j = i + 1; j < l->request_count; j++) l->requests[j - 1] = l->requests[j]; /* keeps their order */
        l->request_count--;
        return;
    }
}

void link_drop_requests_of(worker_link *l, uint64_t job)
{
    for (size_t i = l->request_count; i-- > 0;) {
        if (l->requests[i].job != job) continue;
        link_output *out = link_put(l, LINK_OUT_DROP);
        if (out) out->request = l->requests[i].id;
        link_request_remove(l, l->requests[i].id);
    }
}

void link_request_lost(worker_link *l, uint64_t id)
{
    for (size_t i = 0; i < l->request_count; i++) {
        link_request *request = &l->requests[i];
        if ((id && request->id != id) || request->lost) continue;
        request->lost = true;
        uint32_t before = request->tries ? request->tries - 1 : 0;
        request->deadline = l->now + with_jitter(l, request, doubled(PAUSE_FIRST_MS, PAUSE_MOST_MS, before));
    }
}

void link_resend_lost(worker_link *l)
{
    for (size_t i = 0; i < l->request_count; i++) {
        link_request *request = &l->requests[i];
        if (!request->lost) continue;
        request->tries = 0;
        send_it(l, request);
    }
}

void link_requests_due(worker_link *l)
{
    for (size_t i = 0; i < l->request_count; i++) {
        if (l->requests[i].deadline <= l->now) send_it(l, &l->requests[i]);
    }
}
