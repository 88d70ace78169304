/* The link's step: one event in, outputs out; and the two requests it always
 * wants outstanding, the lease request while there is room and the orders
 * request that is the heartbeat. See link.h for the picture. */
#include "worker/link/link_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_COOKIE = 0x11a7c0de,
    SLOTS_MAX = MESSAGE_ORDERS_MAX /
                /* a result of each slot may wait for its ack while another job
                 * runs in it */
                2,
    /* a draining coordinator answers orders at once: don't spin */
    DRAIN_ORDERS_MS = 250,
    /* an orders request names all that is held: after cancels, which come one
     * by one, it waits a ms for this many */
    HELD_A_MS = 64,
    /* how long a refusal holds; what is refused (a version, a token) seldom
     * changes sooner */
    REFUSED_MS = 5000
};

/* A config must come from here. */
link_config link_config_default(void)
{
    return (link_config){.cookie = CONFIG_COOKIE,
                         .slots = 4,
                         .cpus = 1,
                         .build = "",
                         .blob_max = UINT64_C(2) << 30};
}

/* Pure: it has no clock, no socket and no thread. */
etna_code link_new(const link_config *config,
                   worker_link **ret_link,
                   etna_error *err)
{
    if (config->cookie != CONFIG_COOKIE)
        return etna_fail(
            err, ETNA_E_USAGE,
            "a link's config must come from link_config_default()");
    if (config->slots < 1 || config->slots > SLOTS_MAX)
        return etna_fail(err, ETNA_E_USAGE,
                         "a worker has 1 to %d slots, not %u", SLOTS_MAX,
                         (unsigned)config->slots);
    if (config->jobs_most &&
        (config->jobs_most < config->slots || config->jobs_most > SLOTS_MAX))
        return etna_fail(err, ETNA_E_USAGE,
                         "a worker holds its slots to %d jobs, not %u",
                         SLOTS_MAX, (unsigned)config->jobs_most);
    if (!config->sender)
        return etna_fail(err, ETNA_E_USAGE, "a worker's id must not be 0");
    worker_link *l = calloc(1, sizeof *l);
    if (!l)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the link");
    l->config = *config;
    if (!l->config.jobs_most)
        l->config.jobs_most = config->slots;
    l->death_told = !config->death.incarnation;
    l->next_sequence = l->next_job = 1;
    chain_init(&l->requests);
    chain_init(&l->lost);
    chain_init(&l->jobs);
    chain_init(&l->results_waiting);
    chain_init(&l->results_sent);
    *ret_link = l;
    return ETNA_OK;
}

/* NULL is fine. */
void link_free(worker_link *l)
{
    if (!l)
        return;
    for (chain *at = l->jobs.next, *next; at != &l->jobs; at = next) {
        next = at->next;
        link_job_free(CHAIN_OF(link_job, all, at));
    }
    for (chain *at = l->requests.next, *next; at != &l->requests; at = next) {
        next = at->next;
        free(CHAIN_OF(link_request, all, at));
    }
    table_free(&l->job_table);
    table_free(&l->task_table);
    table_free(&l->request_table);
    due_free(&l->jobs_due);
    due_free(&l->requests_due);
    free(l->outputs);
    etna_arena_free(&l->arena);
    free(l);
}

/* The array grows and is kept for the next step; pointers into it are valid
 * until the next link_put. */
link_output *link_put(worker_link *l, link_output_kind kind)
{
    if (l->failed)
        return NULL;
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

/* Jobs that only wait for a network call take no slot, but no more than
 * jobs_most are held. */
uint32_t link_slots_free(const worker_link *l)
{
    uint32_t running = link_jobs_running(l);
    uint32_t computing = running - l->elsewhere;
    uint32_t slots = computing < l->config.slots
                         ? l->config.slots - computing
                         /* whose calls have ended may be more than slots */
                         : 0;
    uint32_t left =
        running < l->config.jobs_most ? l->config.jobs_most - running : 0;
    return slots < left ? slots : left;
}

/* Those that no request asks for yet. */
uint32_t link_slots_unasked(const worker_link *l)
{
    uint32_t slots = link_slots_free(l);
    return slots > l->wanted ? slots - l->wanted : 0;
}

/* Bounded by what waits for acknowledgement, too: a coordinator that takes no
 * results must not be asked for ever more tasks. */
static bool room_for_a_lease(const worker_link *l)
{
    uint32_t pending = l->in_state[JOB_RESULT_PENDING];
    uint32_t computing = link_jobs_running(l) - l->elsewhere;
    bool may_hold_more = computing + pending < 2 * l->config.slots &&
                         l->job_count < MESSAGE_ORDERS_MAX;
    /* once those under way are acknowledged */
    bool asks_with_results = !chain_empty(&l->results_waiting);
    return link_slots_unasked(l) > 0 && may_hold_more && !asks_with_results;
}

/* When one that is to end waits no longer for a coordinator that is away. */
static uint64_t alone_due(const worker_link *l)
{
    return l->draining && l->away ? l->away_since + LINK_ALONE_MS : UINT64_MAX;
}

/* Runs at the end of each step, when what the event changed is known: the two
 * standing requests are a function of the state and not of events. */
static void keep_standing_requests(worker_link *l)
{
    const bool is_done = l->job_count == 0;
    if (l->draining && (is_done || l->now >= alone_due(l))) {
        link_request_drop(l, l->lease);
        link_request_drop(l, l->orders);
        link_request_drop(l, l->death);
        link_put(l, LINK_OUT_EXIT);
        l->exited = true;
        return;
    }
    /* what the one before held is judged by it before this one holds
     * anything */
    if (!l->death_told) {
        if (!l->death)
            link_ask(l, MESSAGE_DEATH, NULL);
        return;
    }
    if (l->draining) {
        link_request_drop(l, l->lease);
    } else if (!l->lease && l->now >= l->lease_after && room_for_a_lease(l)) {
        link_ask(l, MESSAGE_LEASE_REQUEST, NULL);
    }
    if (!l->orders && l->now >= l->orders_after) {
        link_ask(l, MESSAGE_ORDERS_REQUEST, NULL);
    }
}

/* With many jobs the next heartbeat waits a little: each tells all of them. */
static void obey(worker_link *l, const message_orders *orders)
{
    for (uint32_t i = 0; i < orders->cancel_count; i++)
        link_job_cancel(l, &orders->cancel[i]);
    if (orders->cancel_count)
        l->orders_after = l->now + l->job_count / HELD_A_MS;
    if (orders->drain) {
        l->draining = true;
        l->orders_after = l->now + DRAIN_ORDERS_MS;
    }
}

/* It is asked again after a while; the shell tells the user why. */
static void refused(worker_link *l,
                    message_kind kind,
                    const message_refused *refusal)
{
    link_output *out = link_put(l, LINK_OUT_REFUSED);
    if (out) {
        out->code = (etna_code)refusal->code;
        out->text = refusal->text;
    }
    *(kind == MESSAGE_LEASE_REQUEST ? &l->lease_after : &l->orders_after) =
        l->now + REFUSED_MS;
}

/* ---- answers ---- */

/* By the kind of what was asked. */
static void answered(worker_link *l,
                     const link_request *request,
                     const message *m)
{
    if (request->kind == MESSAGE_RESULT)
        link_results_answered(l, m->kind == MESSAGE_REFUSED);
    if (m->kind == MESSAGE_LEASES) {
        for (uint32_t i = 0; i < m->body.leases.count; i++)
            link_job_leased(l, &m->body.leases.leases[i]);
    } else if (request->kind == MESSAGE_RESULT) {
        return;
    } else if (request->job) {
        link_job_answer(l, request, m);
    } else if (request->kind == MESSAGE_DEATH) {
        l->death_told = true; /* also where nobody wants to know */
    } else if (m->kind == MESSAGE_REFUSED) {
        refused(l, request->kind, &m->body.refused);
    } else if (m->kind == MESSAGE_LEASE) {
        if (m->body.lease.task_kind)
            link_job_leased(l, &m->body.lease);
    } else {
        obey(l, &m->body.orders);
    }
}

/* The order: epochs first (an older one is dropped, a newer one makes all
 * outstanding requests lost), then the answer itself, then resending what is
 * lost, so that the answer's own request is not sent again. */
static void received(worker_link *l, uint64_t id, const message *m)
{
    l->silent_since = l->now;
    if (!m || m->epoch < l->epoch)
        return; /* a coordinator that owns the store no more */
    if (l->epoch && m->epoch > l->epoch)
        link_requests_lost(l); /* restarted: it knows of nothing we asked */
    bool again = l->away || (l->epoch && m->epoch > l->epoch);
    l->epoch = m->epoch;
    if (l->away)
        link_put(l, LINK_OUT_BACK);
    l->away = false;
    link_request *found = link_request_by_id(l, id);
    if (found && m->sequence == id && link_answers(found->kind, m->kind)) {
        link_request request = *found;
        /* An owner on its way out says so; its successor will know better. */
        bool stale =
            m->kind == MESSAGE_REFUSED && m->body.refused.code == ETNA_E_STALE;
        if (stale) {
            link_request_lost(l, found);
        } else {
            link_request_remove(l, found);
            answered(l, &request, m);
        }
    }
    if (again)
        link_resend_lost(l);
}

/* Away is told once, at the first loss. */
static void lost(worker_link *l, uint64_t id)
{
    link_request *found = id ? link_request_by_id(l, id) : NULL;
    if (id && !found)
        return;
    if (found) {
        link_request_lost(l, found);
    } else {
        link_requests_lost(l);
    }
    if (l->away)
        return;
    l->away = true;
    l->away_since = l->now;
    link_put(l, LINK_OUT_AWAY);
}

/* While the coordinator is known to be away the shell dials by itself. */
static uint64_t redial_due(const worker_link *l)
{
    return l->away ? UINT64_MAX : l->silent_since + LINK_SILENT_MS;
}

/* Everything that was under way is asked again on the new connection. */
static void redial(worker_link *l)
{
    if (l->now < redial_due(l))
        return;
    l->silent_since = l->now;
    link_put(l, LINK_OUT_REDIAL);
    lost(l, 0);
}

/* Its lease request may be parked there: it is told that nothing is wanted,
 * else a task would be given to nobody. */
static void link_leave(worker_link *l)
{
    if (l->draining)
        return;
    link_request_drop(l, l->orders);
    l->draining = true;
    l->away_since = l->now;
}

/* Every event that there is. */
static void dispatch(worker_link *l, const link_event *event)
{
    switch (event->kind) {
    case LINK_START:
        l->started = true;
        l->silent_since = l->now;
        break;
    case LINK_TICK: break;
    case LINK_RECEIVED: received(l, event->request, event->message); break;
    case LINK_LOST: lost(l, event->request); break;
    case LINK_JOB_DONE: link_job_done(l, event); break;
    case LINK_JOB_GONE: link_job_gone(l, event); break;
    case LINK_BLOB_GET:
    case LINK_BLOB_KEEP:
    case LINK_CALL_BEGIN:
    case LINK_CALL_FAIL:
    case LINK_CALL_END: link_job_want(l, event); break;
    case LINK_WARM:
        l->warm_count = event->warm_count < MESSAGE_WARM_MAX ? event->warm_count
                                                             : MESSAGE_WARM_MAX;
        if (l->warm_count)
            memcpy(l->warm, event->warm, l->warm_count * sizeof *l->warm);
        break;
    case LINK_STOP: link_leave(l); break;
    case LINK_LEAVE:
        link_leave(l);
        link_jobs_hand_back(l);
        break;
    }
}

/* Time never goes back: an event with an earlier time counts as now. What is
 * due is looked at in every step, so TICK has nothing of its own to do. */
etna_code link_step(worker_link *l,
                    const link_event *event,
                    link_update *ret_update,
                    etna_error *err)
{
    if (l->failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory in the worker's link");
    etna_arena_free(&l->arena);
    l->output_count = 0;
    if (event->time_ms > l->now)
        l->now = event->time_ms;
    if (!l->exited) {
        dispatch(l, event);
        if (l->started) {
            redial(l);
            link_requests_due(l);
            link_jobs_due(l);
            if (!event->more)
                link_results_send(l);
            if (!event->more)
                keep_standing_requests(l);
        }
    }
    if (l->failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory in the worker's link");
    *ret_update =
        (link_update){.outputs = l->outputs, .count = l->output_count};
    return ETNA_OK;
}

/* The same conditions as keep_standing_requests: what it would do later must
 * wake the shell then. */
uint64_t link_next_deadline(const worker_link *l)
{
    if (!l->started || l->exited)
        return UINT64_MAX;
    uint64_t next = redial_due(l);
    if (alone_due(l) < next)
        next = alone_due(l);
    const due *request = due_first(&l->requests_due);
    const due *wait = due_first(&l->jobs_due);
    if (request && request->at < next)
        next = request->at;
    if (wait && wait->at < next)
        next = wait->at;
    if (!l->death_told)
        return next; /* nothing else is asked before */
    if (!l->orders && l->orders_after < next)
        next = l->orders_after;
    bool wants_lease = !l->lease && !l->draining && room_for_a_lease(l);
    if (wants_lease && l->lease_after < next)
        next = l->lease_after;
    return next;
}

/* Those that were cancelled compute until they notice. */
uint32_t link_jobs_running(const worker_link *l)
{
    return l->in_state[JOB_RUNNING] + l->in_state[JOB_CANCELLED];
}

/* Of the coordinator that answered last. */
uint64_t link_epoch(const worker_link *l)
{
    return l->epoch;
}
