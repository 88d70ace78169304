/* What a job may want from the coordinator: blobs there and back, and model
 * calls. */
#include "peer.h"
#include "worker/link/link_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct with_job {
    peer p;
    uint64_t job;
} with_job;

static with_job start(void)
{
    with_job w = {.p = peer_new(1)};
    peer_grant(&w.p, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 10, 1);
    w.job = peer_out(&w.p, LINK_OUT_START, 0)->job;
    return w;
}

static void want(with_job *w,
                 link_event_kind kind,
                 uint8_t hash,
                 const uint8_t *data,
                 size_t size)
{
    peer_step(&w->p, &(link_event){.kind = kind,
                                   .job = w->job,
                                   .hash = peer_hash(hash),
                                   .reply = peer_hash((uint8_t)(hash + 1)),
                                   .data = data,
                                   .size = size,
                                   .slot = {.node = 1, .role = ROLE_PLANNER},
                                   .usage = {.tokens_in = 100, .calls = 1},
                                   .model = "builtin"});
}

static void chunk(
    with_job *w, uint8_t hash, uint64_t total, uint64_t offset, size_t size)
{
    static const uint8_t bytes[MESSAGE_CHUNK];
    message m = {.body.blob_chunk = {.hash = peer_hash(hash),
                                     .total = total,
                                     .offset = offset,
                                     .data = bytes,
                                     .size = size}};
    peer_answer(&w->p, peer_sent(&w->p, MESSAGE_BLOB_GET)->sequence,
                MESSAGE_BLOB_CHUNK, &m);
}

static void ack(with_job *w, uint8_t hash, uint64_t received)
{
    message m = {.body.blob_ack = {peer_hash(hash), received}};
    peer_answer(&w->p, peer_sent(&w->p, MESSAGE_BLOB_PUT)->sequence,
                MESSAGE_BLOB_ACK, &m);
}

static void expect_failed(with_job *w, etna_code code)
{
    const link_output *out = peer_out(&w->p, LINK_OUT_FAILED, 0);
    assert_non_null(out);
    assert_int_equal(out->code, code);
    assert_int_equal(out->job, w->job);
    assert_true(out->text && out->text[0]);
    peer_wait(&w->p, 200000);
    /* and that was the end of it */
    assert_null(peer_sent(&w->p, MESSAGE_BLOB_GET));
    assert_null(peer_sent(&w->p, MESSAGE_BLOB_PUT));
    assert_null(peer_sent(&w->p, MESSAGE_CALL_BEGIN));
    assert_null(peer_sent(&w->p, MESSAGE_CALL_END));
    want(w, LINK_CALL_BEGIN, 9, NULL, 0); /* it may want something else now */
    assert_non_null(peer_sent(&w->p, MESSAGE_CALL_BEGIN));
}

static void a_blob_comes_in_pieces_and_in_order(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    assert_int_equal(peer_sent(&w.p, MESSAGE_BLOB_GET)->body.blob_get.offset,
                     0);
    uint64_t total = 2 * (uint64_t)MESSAGE_CHUNK + 5;
    chunk(&w, 1, total, 0, MESSAGE_CHUNK);
    assert_int_equal(peer_out(&w.p, LINK_OUT_BLOB, 0)->chunk->offset, 0);
    assert_int_equal(peer_sent(&w.p, MESSAGE_BLOB_GET)->body.blob_get.offset,
                     MESSAGE_CHUNK);
    chunk(&w, 1, total, MESSAGE_CHUNK, 7); /* a short piece is fine */
    assert_int_equal(peer_sent(&w.p, MESSAGE_BLOB_GET)->body.blob_get.offset,
                     MESSAGE_CHUNK + 7);
    chunk(&w, 1, total, MESSAGE_CHUNK + 7, MESSAGE_CHUNK - 2);
    assert_non_null(peer_out(&w.p, LINK_OUT_BLOB, 0));
    assert_null(peer_sent(&w.p, MESSAGE_BLOB_GET));
    peer_free(&w.p);

    w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 1, 0, 0, 0); /* the blob of no bytes */
    assert_non_null(peer_out(&w.p, LINK_OUT_BLOB, 0));
    assert_null(peer_sent(&w.p, MESSAGE_BLOB_GET));
    peer_free(&w.p);
}

static void pieces_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 2, 100, 0, 100); /* of another blob */
    expect_failed(&w, ETNA_E_CORRUPT);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 1, 100, 10, 90);
    expect_failed(&w, ETNA_E_CORRUPT);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 1, 100, 0, 0); /* would go on for ever */
    expect_failed(&w, ETNA_E_CORRUPT);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 1, 100, 0, 50);
    chunk(&w, 1, 200, 50, 50); /* the size changed */
    expect_failed(&w, ETNA_E_CORRUPT);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    chunk(&w, 1, UINT64_C(1) << 40, 0, 50); /* too large for a worker */
    expect_failed(&w, ETNA_E_LIMIT);
    peer_free(&w.p);
}

static void a_blob_that_is_not_there_fails_with_the_reason(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    message m = {.body.refused = {ETNA_E_NOTFOUND, "no such blob"}};
    peer_answer(&w.p, peer_sent(&w.p, MESSAGE_BLOB_GET)->sequence,
                MESSAGE_REFUSED, &m);
    assert_string_equal(peer_out(&w.p, LINK_OUT_FAILED, 0)->text,
                        "no such blob");
    expect_failed(&w, ETNA_E_NOTFOUND);
    peer_free(&w.p);
}

static void a_blob_goes_in_pieces_until_all_is_acknowledged(void **state)
{
    (void)state;
    size_t size = 2 * MESSAGE_CHUNK + 5;
    uint8_t *data = calloc(1, size);
    data[MESSAGE_CHUNK] = 42;
    with_job w = start();
    want(&w, LINK_BLOB_KEEP, 1, data, size);
    const message_blob_chunk *put =
        &peer_sent(&w.p, MESSAGE_BLOB_PUT)->body.blob_put;
    assert_int_equal(put->total, size);
    assert_int_equal(put->size, MESSAGE_CHUNK);
    ack(&w, 1, MESSAGE_CHUNK);
    put = &peer_sent(&w.p, MESSAGE_BLOB_PUT)->body.blob_put;
    assert_int_equal(put->offset, MESSAGE_CHUNK);
    assert_int_equal(put->data[0], 42);
    ack(&w, 1, 10); /* a restarted coordinator has less */
    assert_int_equal(peer_sent(&w.p, MESSAGE_BLOB_PUT)->body.blob_put.offset,
                     10);
    ack(&w, 1, 2 * MESSAGE_CHUNK); /* or more: another worker puts the same */
    put = &peer_sent(&w.p, MESSAGE_BLOB_PUT)->body.blob_put;
    assert_int_equal(put->size, 5);
    assert_null(peer_out(&w.p, LINK_OUT_KEPT, 0));
    ack(&w, 1, size);
    assert_int_equal(peer_out(&w.p, LINK_OUT_KEPT, 0)->job, w.job);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_KEEP, 1, NULL, 0);
    ack(&w, 1, 0);
    assert_non_null(peer_out(&w.p, LINK_OUT_KEPT, 0));
    peer_free(&w.p);
    free(data);
}

static void a_coordinator_that_takes_nothing_is_given_up(void **state)
{
    (void)state;
    static const uint8_t data[100];
    with_job w = start();
    want(&w, LINK_BLOB_KEEP, 1, data, sizeof data);
    for (int i = 0; i < 1000 && peer_sent(&w.p, MESSAGE_BLOB_PUT); i++)
        ack(&w, 1, 0);
    expect_failed(&w, ETNA_E_NETWORK);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_BLOB_KEEP, 1, data, sizeof data);
    ack(&w, 1, 101); /* more than there is */
    expect_failed(&w, ETNA_E_MESSAGE);
    peer_free(&w.p);
}

static void call_answer(with_job *w, call_verdict verdict, uint32_t wait_ms)
{
    message m = {.body.call_answer = {.verdict = verdict,
                                      .reply = peer_hash(8),
                                      .wait_ms = wait_ms}};
    peer_answer(&w->p, peer_sent(&w->p, MESSAGE_CALL_BEGIN)->sequence,
                MESSAGE_CALL_ANSWER, &m);
}

/* Another attempt may have been told to go since: coordinator/core/core.h,
 * "Fence". */
static void a_go_that_comes_too_late_is_asked_for_anew(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    uint64_t asked = w.p.now,
             first = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence;
    while (w.p.now < asked + MESSAGE_GO_MS) {
        uint64_t next = link_next_deadline(w.p.link),
                 end = asked + MESSAGE_GO_MS;
        peer_wait(&w.p, (next < end ? next : end) - w.p.now);
    }
    message m = {.body.call_answer = {.verdict = CALL_GO}};
    peer_answer(&w.p, first, MESSAGE_CALL_ANSWER, &m);
    assert_null(peer_out(&w.p, LINK_OUT_CALL, 0));
    assert_int_not_equal(peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence, first);
    call_answer(&w, CALL_GO, 0);
    assert_int_equal(peer_out(&w.p, LINK_OUT_CALL, 0)->call->verdict, CALL_GO);
    peer_free(&w.p);
}

static void a_call_is_begun_and_ended(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    const message_call_begin *begin =
        &peer_sent(&w.p, MESSAGE_CALL_BEGIN)->body.call_begin;
    assert_int_equal(begin->ref.task, 10);
    assert_int_equal(begin->slot.role, ROLE_PLANNER);
    assert_int_equal(begin->estimate.tokens_in, 100);
    assert_string_equal(begin->model, "builtin");
    assert_int_equal(begin->request.bytes[0], 1);
    call_answer(&w, CALL_GO, 0);
    assert_int_equal(peer_out(&w.p, LINK_OUT_CALL, 0)->call->verdict, CALL_GO);
    want(&w, LINK_CALL_END, 1, NULL, 0);
    const message_call_end *end =
        &peer_sent(&w.p, MESSAGE_CALL_END)->body.call_end;
    assert_int_equal(end->request.bytes[0], 1);
    assert_int_equal(end->reply.bytes[0], 2);
    uint64_t sequence = peer_sent(&w.p, MESSAGE_CALL_END)->sequence;
    while (!peer_sent(&w.p, MESSAGE_CALL_END) || w.p.now < 9000) {
        peer_wait(&w.p, link_next_deadline(w.p.link) -
                            /* no acknowledgement: nothing is acted on */
                            w.p.now);
        assert_null(peer_out(&w.p, LINK_OUT_ENDED, 0));
    }
    assert_int_equal(peer_sent(&w.p, MESSAGE_CALL_END)->sequence, sequence);
    message m = {.body.call_ack = {.node = 1, .role = ROLE_PLANNER}};
    peer_answer(&w.p, sequence, MESSAGE_CALL_ACK, &m);
    assert_int_equal(peer_out(&w.p, LINK_OUT_ENDED, 0)->job, w.job);
    peer_free(&w.p);
}

static void stored_and_stopped_calls_are_passed_on(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    call_answer(&w, CALL_STORED, 0);
    assert_int_equal(peer_out(&w.p, LINK_OUT_CALL, 0)->call->verdict,
                     CALL_STORED);
    assert_int_equal(peer_out(&w.p, LINK_OUT_CALL, 0)->call->reply.bytes[0], 8);
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    call_answer(&w, CALL_STOP, 0);
    assert_int_equal(peer_out(&w.p, LINK_OUT_CALL, 0)->call->verdict,
                     CALL_STOP);
    peer_free(&w.p);
}

static void a_call_that_must_wait_is_asked_anew_after_its_time(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    uint64_t sequence = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence;
    call_answer(&w, CALL_WAIT, 700);
    assert_null(peer_out(&w.p, LINK_OUT_CALL, 0));
    assert_true(link_next_deadline(w.p.link) == w.p.now + 700);
    peer_wait(&w.p, 699);
    assert_null(peer_sent(&w.p, MESSAGE_CALL_BEGIN));
    peer_wait(&w.p, 1);
    assert_true(peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence > sequence);
    call_answer(&w, CALL_WAIT, UINT32_MAX); /* 49 days are not believed */
    assert_true(link_next_deadline(w.p.link) <= w.p.now + 60000);
    peer_free(&w.p);
}

static void a_call_whose_task_ended_elsewhere_fails_as_cancelled(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_CALL_END, 1, NULL, 0);
    message m = {.body.call_answer = {.verdict = CALL_STOP}};
    peer_answer(&w.p, peer_sent(&w.p, MESSAGE_CALL_END)->sequence,
                MESSAGE_CALL_ANSWER, &m);
    expect_failed(&w, ETNA_E_CANCELLED);
    peer_free(&w.p);
    w = start();
    want(&w, LINK_CALL_END, 1, NULL, 0);
    peer_answer(&w.p, peer_sent(&w.p, MESSAGE_CALL_END)->sequence,
                MESSAGE_CALL_ACK, NULL); /* of another slot */
    expect_failed(&w, ETNA_E_MESSAGE);
    peer_free(&w.p);
}

static void a_job_wants_one_thing_at_a_time(void **state)
{
    (void)state;
    with_job w = start();
    want(&w, LINK_BLOB_GET, 1, NULL, 0);
    uint64_t get = peer_sent(&w.p, MESSAGE_BLOB_GET)->sequence;
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    assert_int_equal(peer_out(&w.p, LINK_OUT_DROP, 0)->request, get);
    expect_failed(&w, ETNA_E_INTERNAL);
    peer_free(&w.p);
}

/* Leases a task to `w`, whose one lease request is `request`; it becomes
 * w->job. */
static void lease(with_job *w, uint64_t request, uint64_t task)
{
    peer_grant(&w->p, request, task, 1);
    assert_non_null(peer_out(&w->p, LINK_OUT_START, 0));
    w->job = peer_out(&w->p, LINK_OUT_START, 0)->job;
}

/* The job ends and its result is acknowledged. */
static void end_job(with_job *w, uint64_t job)
{
    peer_event(&w->p, LINK_JOB_DONE, job);
    peer_answer(&w->p, peer_sent(&w->p, MESSAGE_RESULT)->sequence,
                MESSAGE_RESULT_ACK, NULL);
}

static void call_elsewhere(with_job *w)
{
    peer_step(&w->p, &(link_event){.kind = LINK_CALL_BEGIN,
                                   .job = w->job,
                                   .hash = peer_hash(1),
                                   .slot = {.node = 1, .role = ROLE_PLANNER},
                                   .model = "far",
                                   .elsewhere = true});
}

static void a_job_that_waits_for_a_model_elsewhere_lends_its_slot(void **state)
{
    (void)state;
    with_job w = {.p = peer_new_most(1, 3)};
    lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 10);
    assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST));
    uint64_t first = w.job;
    call_elsewhere(&w);
    uint64_t begin = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence;
    assert_int_equal(
        peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->body.lease_request.slots_free,
        1);
    lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 11);
    /* the second computes */
    assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST));
    message go = {.body.call_answer = {.verdict = CALL_GO}};
    peer_answer(&w.p, begin, MESSAGE_CALL_ANSWER, &go);
    assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST));
    call_elsewhere(&w);
    lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 12);
    call_elsewhere(&w);
    assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST)); /* three at most */
    /* The first call ends and its job computes again: the fourth task waits for
     * its slot, although a job has gone. */
    peer_step(&w.p, &(link_event){.kind = LINK_CALL_END,
                                  .job = first,
                                  .hash = peer_hash(1),
                                  .reply = peer_hash(2),
                                  .slot = {.node = 1, .role = ROLE_PLANNER},
                                  .model = "far"});
    message ack = {.body.call_ack = {.node = 1, .role = ROLE_PLANNER}};
    peer_answer(&w.p, peer_sent(&w.p, MESSAGE_CALL_END)->sequence,
                MESSAGE_CALL_ACK, &ack);
    assert_int_equal(peer_out(&w.p, LINK_OUT_ENDED, 0)->job, first);
    end_job(&w, w.job);
    assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST));
    peer_event(&w.p, LINK_JOB_DONE, first);
    assert_int_equal(link_slots_free(w.p.link), 1);
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free,
                     1); /* with it the fourth is asked for */
    peer_free(&w.p);
}

/* The answer to the first may still come, with all that it asked for. */
static void
what_a_request_asked_for_before_it_was_sent_again_is_not_asked_for_twice(
    void **state)
{
    (void)state;
    with_job w = {.p = peer_new_most(2, 5)};
    lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 10);
    uint64_t second = peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence;
    call_elsewhere(&w);
    uint64_t begin = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence;
    peer_answer(&w.p, second, MESSAGE_LEASE, NULL);
    assert_int_equal(
        peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->body.lease_request.most, 2);
    message stop = {.body.call_answer = {.verdict = CALL_STOP}};
    /* it takes its slot back */
    peer_answer(&w.p, begin, MESSAGE_CALL_ANSWER, &stop);
    peer_wait(&w.p, 29000);
    assert_int_equal(
        peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->body.lease_request.most, 1);
    peer_event(&w.p, LINK_JOB_DONE, w.job);
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free,
                     0);
    peer_free(&w.p);
}

/* What answers the first may come, and then nobody hears what the second
 * brought. */
static void a_result_that_asked_for_no_task_asks_for_none_when_it_is_sent_again(
    void **state)
{
    (void)state;
    with_job w = {.p = peer_new_most(1, 3)};
    for (uint64_t task = 10; task <= 12; task++) {
        lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, task);
        call_elsewhere(&w);
    }
    uint64_t begin = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence;
    message stop = {.body.call_answer = {.verdict = CALL_STOP}};
    /* the third computes */
    peer_answer(&w.p, begin, MESSAGE_CALL_ANSWER, &stop);
    peer_event(&w.p, LINK_JOB_DONE, w.job - 2);
    uint64_t sequence = peer_sent(&w.p, MESSAGE_RESULT)->sequence;
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free,
                     0);
    peer_event(&w.p, LINK_JOB_DONE, w.job - 1);
    call_elsewhere(&w);
    while (!peer_sent(&w.p, MESSAGE_RESULT))
        peer_wait(&w.p, link_next_deadline(w.p.link) - w.p.now);
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->sequence, sequence);
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free,
                     0);
    peer_answer(&w.p, sequence, MESSAGE_RESULT_ACK, NULL);
    assert_int_equal(peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free,
                     1);
    peer_free(&w.p);
}

static void a_call_that_another_model_is_to_answer_is_told_at_once(void **state)
{
    (void)state;
    with_job w = start();
    call_elsewhere(&w);
    message wait = {.body.call_answer = {
                        .verdict = CALL_WAIT, .wait_ms = 7, .model = "near"}};
    peer_answer(&w.p, peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence,
                MESSAGE_CALL_ANSWER, &wait);
    const link_output *out = peer_out(&w.p, LINK_OUT_CALL, 0);
    assert_int_equal(out->call->verdict, CALL_WAIT);
    assert_string_equal(out->call->model, "near");
    peer_wait(&w.p, 10);
    assert_null(peer_sent(&w.p, MESSAGE_CALL_BEGIN)); /* its job begins anew */
    want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
    assert_non_null(peer_sent(&w.p, MESSAGE_CALL_BEGIN));
    peer_free(&w.p);
}

static void a_stopped_call_and_one_of_the_built_in_agent_take_the_slot_back(
    void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        with_job w = {.p = peer_new_most(1, 3)};
        lease(&w, peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence, 10);
        call_elsewhere(&w);
        uint64_t begin = peer_sent(&w.p, MESSAGE_CALL_BEGIN)->sequence,
                 request = peer_sent(&w.p, MESSAGE_LEASE_REQUEST)->sequence,
                 first = w.job;
        message said = {.body.call_answer = {.verdict = kind == 0 ? CALL_STOP
                                                        : kind == 1
                                                            ? CALL_STORED
                                                            : CALL_GO}};
        peer_answer(&w.p, begin, MESSAGE_CALL_ANSWER, &said);
        /* its try fails; the coordinator names the built-in agent as the
         * fallback */
        if (kind == 2) {
            peer_step(&w.p,
                      &(link_event){.kind = LINK_CALL_FAIL,
                                    .job = first,
                                    .slot = {.node = 1, .role = ROLE_PLANNER},
                                    .fail = {.model = "far", .text = "down"}});
            message wait = {.body.call_answer = {.verdict = CALL_WAIT,
                                                 .wait_ms = 1,
                                                 .model = "builtin"}};
            peer_answer(&w.p, peer_sent(&w.p, MESSAGE_CALL_FAIL)->sequence,
                        MESSAGE_CALL_ANSWER, &wait);
            want(&w, LINK_CALL_BEGIN, 1, NULL, 0);
        }
        /* asked for before: it comes, and is one more than computes */
        lease(&w, request, 11);
        end_job(&w, w.job);
        assert_null(peer_sent(&w.p, MESSAGE_LEASE_REQUEST));
        peer_event(&w.p, LINK_JOB_DONE, first);
        assert_int_equal(
            peer_sent(&w.p, MESSAGE_RESULT)->body.result.slots_free, 1);
        peer_free(&w.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blob_comes_in_pieces_and_in_order),
        cmocka_unit_test(pieces_that_do_not_fit_are_refused),
        cmocka_unit_test(a_blob_that_is_not_there_fails_with_the_reason),
        cmocka_unit_test(a_blob_goes_in_pieces_until_all_is_acknowledged),
        cmocka_unit_test(a_coordinator_that_takes_nothing_is_given_up),
        cmocka_unit_test(a_call_is_begun_and_ended),
        cmocka_unit_test(a_go_that_comes_too_late_is_asked_for_anew),
        cmocka_unit_test(stored_and_stopped_calls_are_passed_on),
        cmocka_unit_test(a_call_that_must_wait_is_asked_anew_after_its_time),
        cmocka_unit_test(a_call_whose_task_ended_elsewhere_fails_as_cancelled),
        cmocka_unit_test(a_job_wants_one_thing_at_a_time),
        cmocka_unit_test(a_job_that_waits_for_a_model_elsewhere_lends_its_slot),
        cmocka_unit_test(
            what_a_request_asked_for_before_it_was_sent_again_is_not_asked_for_twice),
        cmocka_unit_test(
            a_result_that_asked_for_no_task_asks_for_none_when_it_is_sent_again),
        cmocka_unit_test(
            a_call_that_another_model_is_to_answer_is_told_at_once),
        cmocka_unit_test(
            a_stopped_call_and_one_of_the_built_in_agent_take_the_slot_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
