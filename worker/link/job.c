/* Jobs as the link sees them: what was leased, the one thing each wants from
 * the coordinator, the result until it is acknowledged. */
#include "worker/link/link_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* CALL_WAIT is kept in these bounds, whatever it says */
    WAIT_LEAST_MS = 10,
    WAIT_MOST_MS = 60000,
    /* chunks in a row that the coordinator took without coming further */
    STALLS_MAX = 16
};

/* What it owns. */
void link_job_free(link_job *j)
{
    free(j->text);
    free(j->payload);
    free(j);
}

/* NULL: it is over. */
link_job *link_job_by_id(const worker_link *l, uint64_t id)
{
    return table_get(&l->job_table, id);
}

/* `by` is 1 or UINT32_MAX, which is minus one: unsigned sums wrap, so one
 * function adds and takes away. */
static void count(worker_link *l, const link_job *j, uint32_t by)
{
    l->in_state[j->state] += by;
    if (j->state == JOB_RUNNING && j->elsewhere)
        l->elsewhere += by;
}

/* The only place that changes state or `elsewhere`: the counts by state follow,
 * and the number of free slots is made of them. */
static void turn(worker_link *l,
                 link_job *j,
                 link_job_state state,
                 bool elsewhere)
{
    count(l, j, UINT32_MAX); /* one less */
    j->state = state;
    j->elsewhere = elsewhere;
    count(l, j, 1);
}

/* ---- which jobs do a task: mostly one, beside it some that were cancelled or
 * failed ---- */

/* Two tasks may share a key; whoever walks the chain compares. The worker's own
 * random id keeps others from choosing them so. */
static uint64_t task_key(const worker_link *l, const message_task_ref *ref)
{
    uint64_t run[2];
    memcpy(run, ref->run.bytes, sizeof run);
    return ((run[0] ^ l->config.sender) * UINT64_C(0xff51afd7ed558ccd) ^
            run[1]) *
               UINT64_C(0xc4ceb9fe1a85ec53) +
           ref->task;
}

/* Whatever the attempt. */
static bool same_task(const message_task_ref *a, const message_task_ref *b)
{
    return a->task == b->task && etna_id_equal(&a->run, &b->run);
}

/* Behind those that were leased before: the first in the chain is the
 * oldest. */
static bool enter_task(worker_link *l, link_job *j)
{
    uint64_t key = task_key(l, &j->ref);
    link_job *last = table_get(&l->task_table, key);
    if (!last)
        return table_put(&l->task_table, key, j);
    while (last->same)
        last = last->same;
    last->same = j;
    return true;
}

/* Attempts of one task stand in a chain of their own. */
static void leave_task(worker_link *l, link_job *j)
{
    uint64_t key = task_key(l, &j->ref);
    link_job *before = table_get(&l->task_table, key);
    if (before != j) {
        while (before && before->same != j)
            before = before->same;
        if (before)
            before->same = j->same;
    } else if (j->same) {
        /* in the place of its own: it needs no memory */
        table_put(&l->task_table, key, j->same);
    } else {
        table_remove(&l->task_table, key);
    }
}

/* Out of every list. */
static void job_remove(worker_link *l, link_job *j)
{
    link_request_drop(l, j->request);
    due_drop(&l->jobs_due, &j->wait);
    chain_remove(&j->handing);
    leave_task(l, j);
    table_remove(&l->job_table, j->wait.id);
    chain_remove(&j->all);
    count(l, j, UINT32_MAX);
    l->job_count--;
    link_job_free(j);
}

/* ---- leased, cancelled, done ---- */

static void link_job_hand_back(worker_link *l, link_job *j);

/* Does a job that we have answer the lease too? A job that failed is no answer
 * to the next attempt, which may overtake its acknowledgement; its own attempt,
 * leased again, ends when that is heard. */
static bool job_answers(const link_job *j, const message_lease *lease)
{
    const bool failed = j->state == JOB_RESULT_PENDING && j->code != ETNA_OK &&
                        j->ref.attempt != lease->ref.attempt;
    return j->state != JOB_CANCELLED && !failed &&
           same_task(&j->ref, &lease->ref);
}

/* A task that we hold under an older lease is not begun again; its result goes
 * out under the new reference. */
void link_job_leased(worker_link *l, const message_lease *lease)
{
    for (link_job *had = table_get(&l->task_table, task_key(l, &lease->ref));
         had; had = had->same) {
        if (!job_answers(had, lease))
            continue;
        had->ref = lease->ref; /* the job we run does for this lease too */
        return;
    }
    link_job *j = calloc(1, sizeof *j);
    if (!j) {
        l->failed = true;
        return;
    }
    *j = (link_job){
        .wait.id = l->next_job++, .state = JOB_RUNNING, .ref = lease->ref};
    chain_init(&j->handing);
    chain_append(&l->jobs, &j->all);
    count(l, j, 1);
    l->job_count++;
    if (!table_put(&l->job_table, j->wait.id, j) || !enter_task(l, j)) {
        l->failed = true; /* link_free finds it among the jobs */
        return;
    }
    link_output *out = link_put(l, LINK_OUT_START);
    if (!out)
        return;
    out->job = j->wait.id;
    out->lease = lease;
    if (l->draining)
        link_job_hand_back(l, j); /* asked for before */
}

/* Nothing is wanted any more, or waited for. */
static void want_nothing(worker_link *l, link_job *j)
{
    link_request_drop(l, j->request);
    due_drop(&l->jobs_due, &j->wait);
    j->want = LINK_WANT_NONE;
}

/* The shell is told and answers by LINK_JOB_GONE. */
void link_job_cancel(worker_link *l, const message_task_ref *ref)
{
    for (link_job *j = table_get(&l->task_table, task_key(l, ref)); j;
         j = j->same) {
        if (j->state == JOB_CANCELLED || !same_task(&j->ref, ref) ||
            j->ref.attempt != ref->attempt)
            continue;
        if (j->sent)
            return; /* its answer is waited for, as tasks may come with it */
        want_nothing(l, j);
        if (j->state == JOB_RESULT_PENDING) {
            job_remove(l, j);
            return;
        }
        turn(l, j, JOB_CANCELLED, false);
        link_output *out = link_put(l, LINK_OUT_CANCEL);
        if (out)
            out->job = j->wait.id;
        return;
    }
}

/* NULL: the link has failed. */
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

/* The shell lets go of it in its own time: nothing that it says of the job is
 * heard any more. */
static void link_job_hand_back(worker_link *l, link_job *j)
{
    static const char why[] = "its worker had to leave";
    bool was_wanted = j->state == JOB_RUNNING;
    want_nothing(l, j);
    if (!was_wanted) {
        job_remove(l, j);
        return;
    }
    link_output *out = link_put(l, LINK_OUT_CANCEL);
    if (out)
        out->job = j->wait.id;
    turn(l, j, JOB_RESULT_PENDING, false);
    j->code = ETNA_E_CANCELLED;
    j->text = copy(l, why, sizeof why);
    chain_append(&l->results_waiting, &j->handing);
}

/* A worker that leaves: others shall have them. */
void link_jobs_hand_back(worker_link *l)
{
    for (chain *at = l->jobs.next, *next; at != &l->jobs && !l->failed;
         at = next) {
        next = at->next;
        link_job *j = CHAIN_OF(link_job, all, at);
        if (j->state != JOB_RESULT_PENDING)
            link_job_hand_back(l, j);
    }
}

/* A call that was never sent is told, so that its booking can be taken back. */
void link_job_gone(worker_link *l, const link_event *event)
{
    link_job *j = link_job_by_id(l, event->job);
    if (!j || j->state != JOB_CANCELLED)
        return;
    if (!event->unbilled) {
        job_remove(l, j);
        return;
    }
    static const message_call_fail never_sent = {
        .model = "", .text = "", .final = true};
    j->slot = event->slot;
    j->fail = never_sent;
    /* whatever the answer, it is over then */
    link_ask(l, MESSAGE_CALL_FAIL, j);
}

/* The payload is copied: the event is the caller's, and the result is sent
 * again until it is acknowledged. */
void link_job_done(worker_link *l, const link_event *event)
{
    link_job *j = link_job_by_id(l, event->job);
    if (!j || j->state == JOB_RESULT_PENDING)
        return;
    if (j->state == JOB_CANCELLED) {
        job_remove(l, j);
        return;
    }
    /* a job that ends while it wants something wants it no more */
    want_nothing(l, j);
    turn(l, j, JOB_RESULT_PENDING, false);
    j->code = event->code;
    if (event->text)
        j->text = copy(l, event->text, strlen(event->text) + 1);
    if (event->size)
        j->payload = copy(l, event->data, event->size);
    j->payload_size = event->size;
    j->cpu_us = event->cpu_us;
    chain_append(&l->results_waiting, &j->handing);
}

/* ---- results under way ---- */

/* Results that were sent together are refused together, so each is tried alone
 * then. */
void link_results_answered(worker_link *l, bool refused)
{
    bool together = l->results_sent.next != l->results_sent.previous;
    while (!chain_empty(&l->results_sent)) {
        link_job *j = CHAIN_OF(link_job, handing, l->results_sent.next);
        /* by one of them; that must not cost the others */
        if (refused && together) {
            chain_remove(&j->handing);
            chain_append(&l->results_waiting, &j->handing);
            j->sent = false;
            l->results_alone++;
        } else {
            /* durable, or refused for good: nothing is left to do for it */
            job_remove(l, j);
        }
    }
}

/* The first is the message's own, the others are `more`: a coordinator of any
 * version reads the first. */
void link_results_fill(worker_link *l, message *m)
{
    message_further_result *more =
        etna_arena_alloc(&l->arena, MESSAGE_RESULTS_MAX, sizeof *more);
    uint32_t count = 0;
    if (!more) {
        l->failed = true;
        return;
    }
    for (const chain *at = l->results_sent.next; at != &l->results_sent;
         at = at->next) {
        const link_job *j = CHAIN_OF(const link_job, handing, at);
        more[count++] =
            (message_further_result){.ref = j->ref,
                                     .error = j->code,
                                     .error_text = j->text,
                                     .payload = j->payload,
                                     .payload_size = j->payload_size,
                                     .cpu_us = j->cpu_us};
    }
    m->body.result = (message_result){.ref = more->ref,
                                      .error = more->error,
                                      .error_text = more->error_text,
                                      .payload = more->payload,
                                      .payload_size = more->payload_size,
                                      .cpu_us = more->cpu_us,
                                      .more_count = count - 1,
                                      .more = more + 1};
}

/* ---- wants ---- */

/* The job learns it and goes on, to another want or to its end. */
static void want_failed(worker_link *l,
                        link_job *j,
                        etna_code code,
                        const char *text)
{
    want_nothing(l, j);
    turn(l, j, j->state, false); /* a call is over with it */
    link_output *out = link_put(l, LINK_OUT_FAILED);
    if (!out)
        return;
    out->job = j->wait.id;
    out->code = code;
    out->text = text;
}

/* The job may ask for the next thing. */
static void want_met(worker_link *l, link_job *j, link_output_kind kind)
{
    j->want = LINK_WANT_NONE;
    link_output *out = link_put(l, kind);
    if (out)
        out->job = j->wait.id;
}

/* A job wants one thing at a time; two are a bug of the shell's and end as an
 * error of that job. */
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
    if (!j || j->state != JOB_RUNNING)
        return;
    if (j->want) {
        want_failed(l, j, ETNA_E_INTERNAL, "a job wanted two things at once");
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
    if (event->kind == LINK_CALL_BEGIN)
        turn(l, j, j->state, event->elsewhere);
    j->fail = event->fail;
    if (keep && j->total > l->config.blob_max) {
        want_failed(l, j, ETNA_E_LIMIT,
                    "a blob is above the limit of this worker");
        return;
    }
    link_ask(l, wants[event->kind].request, j);
}

/* Filled anew whenever it is sent, so that a repeated put goes on from where
 * the coordinator is. */
void link_job_fill(const link_request *request, message *m)
{
    const link_job *j = request->job;
    switch (request->kind) {
    case MESSAGE_BLOB_GET:
        m->body.blob_get = (message_blob_get){j->hash, j->offset, j->ref};
        return;
    case MESSAGE_BLOB_PUT: {
        uint64_t left = j->total - j->offset;
        size_t size = left < MESSAGE_CHUNK ? (size_t)left : MESSAGE_CHUNK;
        m->body.blob_put = (message_blob_chunk){
            j->hash, j->total, j->offset, size ? j->data + j->offset : NULL,
            size,    j->ref};
        return;
    }
    case MESSAGE_CALL_BEGIN:
        m->body.call_begin =
            (message_call_begin){j->ref, j->slot, j->hash, j->usage, j->model};
        return;
    case MESSAGE_CALL_FAIL:
        m->body.call_fail = j->fail;
        m->body.call_fail.ref = j->ref;
        m->body.call_fail.slot = j->slot;
        return;
    case MESSAGE_CALL_END:
        m->body.call_end = (message_call_end){j->ref,
                                              j->slot,
                                              j->hash,
                                              j->reply,
                                              j->usage,
                                              j->model,
                                              j->images_left_out,
                                              j->texts_left_out};
        return;
    default: return;
    }
}

/* ---- answers to wants ---- */

/* Is it the next piece of the blob that was asked for? An empty piece is
 * allowed at the end only: an answer that brings nothing would be asked for
 * again without end. */
static bool chunk_is_next(const link_job *j, const message_blob_chunk *chunk)
{
    const bool first = j->total == UINT64_MAX;
    if (!etna_hash_equal(&chunk->hash, &j->hash) || chunk->offset != j->offset)
        return false;
    if (!first && chunk->total != j->total)
        return false;
    return chunk->size || chunk->offset == chunk->total;
}

/* A blob in pieces, each checked to follow. */
static void chunk_came(worker_link *l,
                       link_job *j,
                       const message_blob_chunk *chunk)
{
    if (chunk->total > l->config.blob_max) {
        want_failed(l, j, ETNA_E_LIMIT,
                    "a blob is above the limit of this worker");
        return;
    }
    if (!chunk_is_next(j, chunk)) {
        want_failed(
            l, j, ETNA_E_CORRUPT,
            "the coordinator sent another piece of a blob than it was asked for");
        return;
    }
    j->total = chunk->total;
    j->offset += chunk->size;
    bool whole = j->offset == j->total;
    if (whole)
        j->want = LINK_WANT_NONE;
    link_output *out = link_put(l, LINK_OUT_BLOB);
    if (!out)
        return;
    out->job = j->wait.id;
    out->chunk = chunk;
    if (!whole)
        link_ask(l, MESSAGE_BLOB_GET, j);
}

/* The coordinator says how much it has; STALLS_MAX answers without progress end
 * it. */
static void put_acked(worker_link *l, link_job *j, const message_blob_ack *ack)
{
    if (!etna_hash_equal(&ack->hash, &j->hash) || ack->received > j->total) {
        want_failed(l, j, ETNA_E_MESSAGE,
                    "the coordinator acknowledged a blob that was not put");
        return;
    }
    if (ack->received == j->total) {
        want_met(l, j, LINK_OUT_KEPT);
        return;
    }
    /* It may hold more than we sent (another worker puts the same blob) or less
     * (it was restarted). */
    j->stalls = ack->received > j->offset ? 0 : j->stalls + 1;
    j->offset = ack->received;
    if (j->stalls > STALLS_MAX) {
        want_failed(
            l, j, ETNA_E_NETWORK,
            "the coordinator does not take a blob: it acknowledges no progress");
        return;
    }
    link_ask(l, MESSAGE_BLOB_PUT, j);
}

/* A stored or refused call is over; one that may go, and one that failed, still
 * waits for a model elsewhere. */
static void call_told(worker_link *l,
                      link_job *j,
                      const message_call_answer *answer)
{
    j->want = LINK_WANT_NONE;
    if (answer->verdict == CALL_STORED || answer->verdict == CALL_STOP)
        turn(l, j, j->state, false);
    link_output *out = link_put(l, LINK_OUT_CALL);
    if (!out)
        return;
    out->job = j->wait.id;
    out->call = answer;
}

/* `asked` is when the begin was first sent, so resending does not make a GO
 * younger. */
static void call_answered(worker_link *l,
                          link_job *j,
                          uint64_t asked,
                          const message_call_answer *answer)
{
    if (answer->verdict == CALL_GO && l->now - asked >= MESSAGE_GO_MS) {
        /* too late: another may have been told to go since */
        link_ask(l, MESSAGE_CALL_BEGIN, j);
        return;
    }
    if (answer->verdict == CALL_WAIT && !(answer->model && *answer->model)) {
        uint64_t wait =
            answer->wait_ms < WAIT_LEAST_MS ? WAIT_LEAST_MS : answer->wait_ms;
        if (!due_set(&l->jobs_due, &j->wait,
                     l->now + (wait < WAIT_MOST_MS ? wait : WAIT_MOST_MS)))
            l->failed = true;
        return;
    }
    call_told(l, j, answer);
}

/* All six numbers. */
static bool same_slot(const etna_slot *a, const etna_slot *b)
{
    bool is_same_place = a->node == b->node && a->branch == b->branch;
    bool is_same_speaker = a->role == b->role && a->poll == b->poll;
    bool is_same_turn = a->turn == b->turn && a->repair == b->repair;
    return is_same_place && is_same_speaker && is_same_turn;
}

/* Or nobody wants it any more. */
static void call_ended(worker_link *l, link_job *j, const message *answer)
{
    if (answer->kind == MESSAGE_CALL_ANSWER) {
        want_failed(
            l, j, ETNA_E_CANCELLED,
            "the call's reply is not wanted: its task has ended elsewhere");
    } else if (!same_slot(&answer->body.call_ack, &j->slot)) {
        want_failed(l, j, ETNA_E_MESSAGE,
                    "the coordinator acknowledged another call");
    } else {
        turn(l, j, j->state, false);
        want_met(l, j, LINK_OUT_ENDED);
    }
}

/* A job that was cancelled waited only for this answer. */
void link_job_answer(worker_link *l,
                     const link_request *asked,
                     const message *answer)
{
    message_kind request = asked->kind;
    link_job *j = asked->job;
    if (j->state == JOB_CANCELLED) {
        job_remove(l, j);
    } else if (answer->kind == MESSAGE_REFUSED) {
        want_failed(l, j, (etna_code)answer->body.refused.code,
                    answer->body.refused.text);
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

/* Those that were told to wait with their call. */
void link_jobs_due(worker_link *l)
{
    for (due *first; !l->failed && (first = due_first(&l->jobs_due)) &&
                     first->at <= l->now;) {
        due_drop(&l->jobs_due, first);
        link_ask(l, MESSAGE_CALL_BEGIN, CHAIN_OF(link_job, wait, first));
    }
}
