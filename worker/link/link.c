/* The link's step: one event in, outputs out; and the two requests it always wants outstanding, the lease request while
 * there is room and the orders request that is the heartbeat. See link.h for the picture. */
#include "worker/link/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_COOKIE = 0x11a7c0de,
    SLOTS_MAX = MESSAGE_ORDERS_MAX / 2, /* a result of each slot may wait for its ack while another job runs in it */
    DRAIN_ORDERS_MS = 250, /* a draining coordinator answers orders at once: don't spin */
    REFUSED_MS = 5000
};

link_config link_config_default(void)
{
    return (link_config){.cookie = CONFIG_COOKIE, .slots = 4, .cpus = 1, .build = "", .blob_max = UINT64_C(2) << 30};
}

etna_code link_new(const link_config *config, worker_link **ret_link, etna_error *err)
{
    if (config->cookie != CONFIG_COOKIE)
        return etna_fail(err, ETNA_E_USAGE, "a link's config must come from link_config_default()");
    if (config->slots < 1 || config->slots > SLOTS_MAX)
        return etna_fail(err, ETNA_E_USAGE, "a worker has 1 to %d slots, not %u", SLOTS_MAX, (unsigned)config->slots);
    if (config->jobs_most && (config->jobs_most < config->slots || config->jobs_most > SLOTS_MAX))
        return etna_fail(err, ETNA_E_USAGE, "a worker holds its slots to %d jobs, not %u", SLOTS_MAX, (unsigned)config->jobs_most);
    if (!config->sender) return etna_fail(err, ETNA_E_USAGE, "a worker's id must not be 0");
    worker_link *l = calloc(1, sizeof *l);
    if (!l) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the link");
    l->config = *config;
    if (!l->config.jobs_most) l->config.jobs_most = config->slots;
    l->next_sequence = l->next_job = 1;
    *ret_link = l;
    return ETNA_OK;
}

void link_free(worker_link *l)
{
    if (!l) return;
    for (size_t i = 0; i < l->job_count; i++) link_job_free(l->jobs[i]);
    free(l->jobs);
    free(l->requests);
    free(l->outputs);
    etna_arena_free(&l->arena);
    free(l);
}

link_output *link_put(worker_link *l, link_output_kind kind)
{
    if (l->failed) return NULL;
    if (l->output_count == l->output_room) {
        size_t room = l->output_room ? 2 * l->output_room : 16;
        link_output *outputs = realloc(l->outputs, room * sizeof *outputs);
        if (!outputs) {
            l->failed = true;
            return NULL;
        }
        l->outputs = outputs;
        l->output_room = room;
    }
    link_output *out = &l->outputs[l->output_count++];
    *out = (link_output){.kind = kind};
    return out;
}

/* ---- the standing requests ---- */

static void drop_request(worker_link *l, message_kind kind)
{
    link_request *request = link_request_of(l, kind, 0);
    if (!request) return;
    uint64_t id = request->id;
    link_request_remove(l, id);
    link_output *out = link_put(l, LINK_OUT_DROP);
    if (out) out->request = id;
}

uint32_t link_slots_free(const worker_link *l)
{
    uint32_t running = link_jobs_running(l), computing = running - link_jobs_elsewhere(l);
    uint32_t slots = computing < l->config.slots ? l->config.slots - computing : 0; /* whose calls have ended may be more than slots */
    uint32_t left = running < l->config.jobs_most ? l->config.jobs_most - running : 0;
    return slots < left ? slots : left;
}

static bool room_for_a_lease(const worker_link *l)
{
    uint32_t pending = link_jobs_in(l, JOB_RESULT_PENDING), computing = link_jobs_running(l) - link_jobs_elsewhere(l);
    return link_slots_free(l) > 0 && computing + pending < 2 * l->config.slots && l->job_count < MESSAGE_ORDERS_MAX;
}

static void keep_standing_requests(worker_link *l)
{
    if (l->draining && l->job_count == 0) {
        drop_request(l, MESSAGE_LEASE_REQUEST);
        drop_request(l, MESSAGE_ORDERS_REQUEST);
        link_put(l, LINK_OUT_EXIT);
        l->exited = true;
        return;
    }
    if (l->draining) {
        drop_request(l, MESSAGE_LEASE_REQUEST);
    } else if (!link_request_of(l, MESSAGE_LEASE_REQUEST, 0) && l->now >= l->lease_after && room_for_a_lease(l)) {
        link_ask(l, MESSAGE_LEASE_REQUEST, 0);
    }
    if (!link_request_of(l, MESSAGE_ORDERS_REQUEST, 0) && l->now >= l->orders_after) {
        link_ask(l, MESSAGE_ORDERS_REQUEST, 0);
    }
}

static void obey(worker_link *l, const message_orders *orders)
{
    for (uint32_t i = 0; i < orders->cancel_count; i++) link_job_cancel(l, &orders->cancel[i]);
    if (orders->drain) {
        l->draining = true;
        l->orders_after = l->now + DRAIN_ORDERS_MS;
    }
}

static void refused(worker_link *l, message_kind kind, const message_refused *refusal)
{
    link_output *out = link_put(l, LINK_OUT_REFUSED);
    if (out) {
        out->code = (etna_code)refusal->code;
        out->text = refusal->text;
    }
    *(kind == MESSAGE_LEASE_REQUEST ? &l->lease_after : &l->orders_after) = l->now + REFUSED_MS;
}

/* ---- answers ---- */

static void answered(worker_link *l, const link_request *request, const message *m)
{
    if (request->job) {
        link_job_answer(l, request, m);
    } else if (m->kind == MESSAGE_REFUSED) {
        refused(l, request->kind, &m->body.refused);
    } else if (m->kind == MESSAGE_LEASE) {
        if (m->body.lease.task_kind) link_job_leased(l, &m->body.lease);
    } else {
        obey(l, &m->body.orders);
    }
}

static void received(worker_link *l, uint64_t id, const message *m)
{
    if (!m || m->epoch < l->epoch) return; /* a coordinator that owns the store no more */
    if (l->epoch && m->epoch > l->epoch) link_request_lost(l, 0); /* restarted: it knows of nothing we asked */
    bool again = l->away || (l->epoch && m->epoch > l->epoch);
    l->epoch = m->epoch;
    if (l->away) link_put(l, LINK_OUT_BACK);
    l->away = false;
    const link_request *found = link_request_by_id(l, id);
    if (found && m->sequence == id && link_answers(found->kind, m->kind)) {
        link_request request = *found;
        /* An owner on its way out says so; its successor will know better. */
        bool stale = m->kind == MESSAGE_REFUSED && m->body.refused.code == ETNA_E_STALE;
        if (stale) {
            link_request_lost(l, id);
        } else {
            link_request_remove(l, id);
            answered(l, &request, m);
        }
    }
    if (again) link_resend_lost(l);
}

static void lost(worker_link *l, uint64_t id)
{
    if (id && !link_request_by_id(l, id)) return;
    link_request_lost(l, id);
    if (l->away) return;
    l->away = true;
    link_put(l, LINK_OUT_AWAY);
}

static void dispatch(worker_link *l, const link_event *event)
{
    switch (event->kind) {
    case LINK_START: l->started = true; break;
    case LINK_TICK: break;
    case LINK_RECEIVED: received(l, event->request, event->message); break;
    case LINK_LOST: lost(l, event->request); break;
    case LINK_JOB_DONE: link_job_done(l, event); break;
    case LINK_JOB_GONE: link_job_gone(l, event->job); break;
    case LINK_BLOB_GET:
    case LINK_BLOB_KEEP:
    case LINK_CALL_BEGIN:
    case LINK_CALL_FAIL:
    case LINK_CALL_END: link_job_want(l, event); break;
    case LINK_WARM:
        l->warm_count = event->warm_count < MESSAGE_WARM_MAX ? event->warm_count : MESSAGE_WARM_MAX;
        if (l->warm_count) memcpy(l->warm, event->warm, l->warm_count * sizeof *l->warm);
        break;
    case LINK_STOP: l->draining = true; break;
    }
}

etna_code link_step(worker_link *l, const link_event *event, link_update *ret_update, etna_error *err)
{
    etna_arena_free(&l->arena);
    l->output_count = 0;
    if (event->time_ms > l->now) l->now = event->time_ms;
    if (!l->exited) {
        dispatch(l, event);
        if (l->started) {
            link_requests_due(l);
            link_jobs_due(l);
            keep_standing_requests(l);
        }
    }
    if (l->failed) return etna_fail(err, ETNA_E_NOMEM, "out of memory in the worker's link");
    *ret_update = (link_update){.outputs = l->outputs, .count = l->output_count};
    return ETNA_OK;
}

uint64_t link_next_deadline(const worker_link *l)
{
    uint64_t next = UINT64_MAX;
    if (!l->started || l->exited) return next;
    bool lease = false, orders = false;
    for (size_t i = 0; i < l->request_count; i++) {
        if (l->requests[i].deadline < next) next = l->requests[i].deadline;
        lease = lease || l->requests[i].kind == MESSAGE_LEASE_REQUEST;
        orders = orders || l->requests[i].kind == MESSAGE_ORDERS_REQUEST;
    }
    for (size_t i = 0; i < l->job_count; i++) {
        if (l->jobs[i]->wait_until && l->jobs[i]->wait_until < next) next = l->jobs[i]->wait_until;
    }
    if (!orders && l->orders_after < next) next = l->orders_after;
    if (!lease && !l->draining && room_for_a_lease(l) && l->lease_after < next) next = l->lease_after;
    return next;
}

uint32_t link_jobs_running(const worker_link *l)
{
    return link_jobs_in(l, JOB_RUNNING) + link_jobs_in(l, JOB_CANCELLED);
}

uint64_t link_epoch(const worker_link *l) { return l->epoch; }
