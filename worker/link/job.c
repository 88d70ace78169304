/* Jobs as the link sees them: what was leased, the one thing each wants from the coordinator, the result until it is
 * acknowledged. */
#include "worker/link/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAIT_LEAST_MS = 10, /* CALL_WAIT is kept in these bounds, whatever it says */
    WAIT_MOST_MS = 60000,
    STALLS_MAX = 16 /* chunks in a row that the coordinator took without coming further */
};

void link_job_free(link_job *j)
{
    free(j->text);
    free(j->payload);
    free(j);
}

link_job *link_job_by_id(worker_link *l, uint64_t id)
{
    for (size_t i = 0; i < l->job_count; i++) {
        if (l->jobs[i]->id == id) return l->jobs[i];
    }
    return NULL;
}

uint32_t link_jobs_in(const worker_link *l, link_job_state state)
{
    uint32_t count = 0;
    for (size_t i = 0; i < l->job_count; i++) count += l->jobs[i]->state == state;
    return count;
}

uint32_t link_jobs_elsewhere(const worker_link *l)
{
    uint32_t count = 0;
    for (size_t i = 0; i < l->job_count; i++) count += l->jobs[i]->state == JOB_RUNNING && l->jobs[i]->elsewhere;
    return count;
}

static void job_remove(worker_link *l, uint64_t id)
{
    for (size_t i = 0; i < l->job_count; i++) {
        if (l->jobs[i]->id != id) continue;
        link_job_free(l->jobs[i]);
        for (size_t j = i + 1; j < l->job_count; j++) l->jobs[j - 1] = l->jobs[j];
        l->job_count--;
        return;
    }
}

static bool same_task(const message_task_ref *a, const message_task_ref *b)
{
    return a->task == b->task && etna_id_equal(&a->run, &b->run);
}

/* ---- leased, cancelled, done ---- */

static bool make_room(worker_link *l)
{
    if (l->job_count < l->job_room) return true;
    size_t room = l->job_room ? 2 * l->job_room : 8;
    link_job **jobs = realloc(l->jobs, room * sizeof *jobs);
    if (!jobs) return false;
    l->jobs = jobs;
    l->job_room = room;
    return true;
}

void link_job_leased(worker_link *l, const message_lease *lease)
{
    for (size_t i = 0; i < l->job_count; i++) {
        const link_job *had = l->jobs[i];
        /* a job that failed is no answer to the next attempt, which may overtake its acknowledgement */
        bool failed = had->state == JOB_RESULT_PENDING && had->code != ETNA_OK;
        if (had->state == JOB_CANCELLED || failed || !same_task(&had->ref, &lease->ref)) continue;
        l->jobs[i]->ref = lease->ref; /* the job we run does for this lease too */
        return;
    }
    link_job *j = make_room(l) ? calloc(1, sizeof *j) : NULL;
    if (!j) {
        l->failed = true;
        return;
    }
    j->id = l->next_job++;
    j->state = JOB_RUNNING;
    j->ref = lease->ref;
    l->jobs[l->job_count++] = j;
    link_output *out = link_put(l, LINK_OUT_START);
    if (!out) return;
    out->job = j->id;
    out->lease = lease;
}

void link_job_cancel(worker_link *l, const message_task_ref *ref)
{
    for (size_t i = 0; i < l->job_count; i++) {
        link_job *j = l->jobs[i];
        if (j->state == JOB_CANCELLED || !same_task(&j->ref, ref) || j->ref.attempt != ref->attempt) continue;
        link_drop_requests_of(l, j->id);
        if (j->state == JOB_RESULT_PENDING) {
            job_remove(l, j->id);
            return;
        }
        j->state = JOB_CANCELLED;
        j->want = LINK_WANT_NONE;
        j->wait_until = 0;
        link_output *out = link_put(l, LINK_OUT_CANCEL);
        if (out) out->job = j->id;
        return;
    }
}

void link_job_gone(worker_link *l, uint64_t id)
{
    const link_job *j = link_job_by_id(l, id);
    if (j && j->state == JOB_CANCELLED) job_remove(l, id);
}

static void *copy(worker_link *l, const void *data, size_t size)
{
    void *made = malloc(size);
    if (made) {
        memcpy(made, data, size);
    } else {
        l->failed = true;
    }
    return made;
}

void link_job_done(worker_link *l, const link_event *event)
{
    link_job *j = link_job_by_id(l, event->job);
    if (!j || j->state == JOB_RESULT_PENDING) return;
    if (j->state == JOB_CANCELLED) {
        job_remove(l, event->job);
        return;
    }
    link_drop_requests_of(l, j->id); /* a job that ends while it wants something wants it no more */
    j->want = LINK_WANT_NONE;
    j->wait_until = 0;
    j->state = JOB_RESULT_PENDING;
    j->code = event->code;
    if (event->text) j->text = copy(l, event->text, strlen(event->text) + 1);
    if (event->size) j->payload = copy(l, event->data, event->size);
    j->payload_size = event->size;
    if (l->failed) return;
    link_ask(l, MESSAGE_RESULT, j->id);
}

/* ---- wants ---- */

static void want_failed(worker_link *l, link_job *j, etna_code code, const char *text)
{
    j->want = LINK_WANT_NONE;
    j->elsewhere = false; /* a call is over with it */
    link_output *out = link_put(l, LINK_OUT_FAILED);
    if (!out) return;
    out->job = j->id;
    out->code = code;
    out->text = text;
}

static void want_met(worker_link *l, link_job *j, link_output_kind kind)
{
    j->want = LINK_WANT_NONE;
    link_output *out = link_put(l, kind);
    if (out) out->job = j->id;
}

void link_job_want(worker_link *l, const link_event *event)
{
    static const struct {
        link_want want;
        message_kind request;
    } wants[] = {
        [LINK_BLOB_GET] = {LINK_WANT_GET, MESSAGE_BLOB_GET},
        [LINK_BLOB_KEEP] = {LINK_WANT_KEEP, MESSAGE_BLOB_PUT},
        [LINK_CALL_BEGIN] = {LINK_WANT_BEGIN, MESSAGE_CALL_BEGIN},
        [LINK_CALL_FAIL] = {LINK_WANT_FAIL, MESSAGE_CALL_FAIL},
        [LINK_CALL_END] = {LINK_WANT_END, MESSAGE_CALL_END},
    };
    link_job *j = link_job_by_id(l, event->job);
    if (!j || j->state != JOB_RUNNING) return;
    if (j->want) {
        want_failed(l, j, ETNA_E_INTERNAL, "a job wanted two things at once");
        link_drop_requests_of(l, j->id);
        return;
    }
    bool keep = event->kind == LINK_BLOB_KEEP;
    j->want = wants[event->kind].want;
    j->hash = event->hash;
    j->reply = event->reply;
    j->data = keep ? event->data : NULL;
    j->total = keep ? event->size : UINT64_MAX;
    j->offset = 0;
    j->stalls = 0;
    j->slot = event->slot;
    j->usage = event->usage;
    j->images_left_out = event->images_left_out;
    j->texts_left_out = event->texts_left_out;
    j->model = event->model;
    if (event->kind == LINK_CALL_BEGIN) j->elsewhere = event->elsewhere;
    j->fail = event->fail;
    j->wait_until = 0;
    if (keep && j->total > l->config.blob_max) {
        want_failed(l, j, ETNA_E_LIMIT, "a blob is above the limit of this worker");
        return;
    }
    link_ask(l, wants[event->kind].request, j->id);
}

bool link_job_fill(const worker_link *l, const link_request *request, message *m)
{
    const link_job *j = NULL;
    for (size_t i = 0; i < l->job_count; i++) {
        if (l->jobs[i]->id == request->job) j = l->jobs[i];
    }
    if (!j) return false;
    switch (request->kind) {
    case MESSAGE_RESULT:
        m->body.result = (message_result){j->ref, j->code, j->text, j->payload, j->payload_size};
        return true;
    case MESSAGE_BLOB_GET: m->body.blob_get = (message_blob_get){j->hash, j->offset}; return true;
    case MESSAGE_BLOB_PUT: {
        uint64_t left = j->total - j->offset;
        size_t size = left < MESSAGE_CHUNK ? (size_t)left : MESSAGE_CHUNK;
        m->body.blob_put = (message_blob_chunk){j->hash, j->total, j->offset, size ? j->data + j->offset : NULL, size};
        return true;
    }
    case MESSAGE_CALL_BEGIN:
        m->body.call_begin = (message_call_begin){j->ref, j->slot, j->hash, j->usage, j->model};
        return true;
    case MESSAGE_CALL_FAIL:
        m->body.call_fail = j->fail;
        m->body.call_fail.ref = j->ref;
        m->body.call_fail.slot = j->slot;
        return true;
    case MESSAGE_CALL_END:
        m->body.call_end = (message_call_end){j->ref, j->slot, j->hash, j->reply, j->usage, j->model, j->images_left_out, j->texts_left_out};
        return true;
    default: return false;
    }
}

/* ---- answers to wants ---- */

static void chunk_came(worker_link *l, link_job *j, const message_blob_chunk *chunk)
{
    if (chunk->total > l->config.blob_max) {
        want_failed(l, j, ETNA_E_LIMIT, "a blob is above the limit of this worker");
        return;
    }
    bool first = j->total == UINT64_MAX;
    bool fits = etna_hash_equal(&chunk->hash, &j->hash) && chunk->offset == j->offset &&
                (first || chunk->total == j->total) && (chunk->size || chunk->offset == chunk->total);
    if (!fits) {
        want_failed(l, j, ETNA_E_CORRUPT, "the coordinator sent another piece of a blob than it was asked for");
        return;
    }
    j->total = chunk->total;
    j->offset += chunk->size;
    bool whole = j->offset == j->total;
    if (whole) j->want = LINK_WANT_NONE;
    link_output *out = link_put(l, LINK_OUT_BLOB);
    if (!out) return;
    out->job = j->id;
    out->chunk = chunk;
    if (!whole) link_ask(l, MESSAGE_BLOB_GET, j->id);
}

static void put_acked(worker_link *l, link_job *j, const message_blob_ack *ack)
{
    if (!etna_hash_equal(&ack->hash, &j->hash) || ack->received > j->total) {
        want_failed(l, j, ETNA_E_MESSAGE, "the coordinator acknowledged a blob that was not put");
        return;
    }
    if (ack->received == j->total) {
        want_met(l, j, LINK_OUT_KEPT);
        return;
    }
    /* It may hold more than we sent (another worker puts the same blob) or less (it was restarted). */
    j->stalls = ack->received > j->offset ? 0 : j->stalls + 1;
    j->offset = ack->received;
    if (j->stalls > STALLS_MAX) {
        want_failed(l, j, ETNA_E_NETWORK, "the coordinator does not take a blob: it acknowledges no progress");
        return;
    }
    link_ask(l, MESSAGE_BLOB_PUT, j->id);
}

static void call_told(worker_link *l, link_job *j, const message_call_answer *answer)
{
    j->want = LINK_WANT_NONE;
    if (answer->verdict == CALL_STORED || answer->verdict == CALL_STOP) j->elsewhere = false;
    link_output *out = link_put(l, LINK_OUT_CALL);
    if (!out) return;
    out->job = j->id;
    out->call = answer;
}

static void call_answered(worker_link *l, link_job *j, uint64_t asked, const message_call_answer *answer)
{
    if (answer->verdict == CALL_GO && l->now - asked >= MESSAGE_GO_MS) {
        link_ask(l, MESSAGE_CALL_BEGIN, j->id); /* too late: another may have been told to go since */
        return;
    }
    if (answer->verdict == CALL_WAIT && !(answer->model && *answer->model)) {
        uint64_t wait = answer->wait_ms < WAIT_LEAST_MS ? WAIT_LEAST_MS : answer->wait_ms;
        j->wait_until = l->now + (wait < WAIT_MOST_MS ? wait : WAIT_MOST_MS);
        return;
    }
    call_told(l, j, answer);
}

static bool same_slot(const etna_slot *a, const etna_slot *b)
{
    return a->node == b->node && a->branch == b->branch && a->role == b->role && a->poll == b->poll &&
           a->turn == b->turn && a->repair == b->repair;
}

static void call_ended(worker_link *l, link_job *j, const message *answer)
{
    if (answer->kind == MESSAGE_CALL_ANSWER) {
        want_failed(l, j, ETNA_E_CANCELLED, "the call's reply is not wanted: its task has ended elsewhere");
    } else if (!same_slot(&answer->body.call_ack, &j->slot)) {
        want_failed(l, j, ETNA_E_MESSAGE, "the coordinator acknowledged another call");
    } else {
        j->elsewhere = false;
        want_met(l, j, LINK_OUT_ENDED);
    }
}

void link_job_answer(worker_link *l, const link_request *asked, const message *answer)
{
    message_kind request = asked->kind;
    link_job *j = link_job_by_id(l, asked->job);
    if (!j) return;
    if (request == MESSAGE_RESULT) {
        job_remove(l, asked->job); /* durable, or refused for good: nothing is left to do for it */
    } else if (answer->kind == MESSAGE_REFUSED) {
        want_failed(l, j, (etna_code)answer->body.refused.code, answer->body.refused.text);
    } else if (request == MESSAGE_BLOB_GET) {
        chunk_came(l, j, &answer->body.blob_chunk);
    } else if (request == MESSAGE_BLOB_PUT) {
        put_acked(l, j, &answer->body.blob_ack);
    } else if (request == MESSAGE_CALL_BEGIN) {
        call_answered(l, j, asked->asked, &answer->body.call_answer);
    } else if (request == MESSAGE_CALL_FAIL) {
        call_told(l, j, &answer->body.call_answer);
    } else {
        call_ended(l, j, answer);
    }
}

void link_jobs_due(worker_link *l)
{
    for (size_t i = 0; i < l->job_count; i++) {
        link_job *j = l->jobs[i];
        if (!j->wait_until || j->wait_until > l->now) continue;
        j->wait_until = 0;
        link_ask(l, MESSAGE_CALL_BEGIN, j->id);
    }
}
