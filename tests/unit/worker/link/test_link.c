/* The link's standing requests, retries, epochs, orders and drain. */
#include "peer.h"
#include "worker/link/link_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t sequence_of(const peer *p, message_kind kind)
{
    const message *m = peer_sent(p, kind);
    assert_non_null(m);
    return m->sequence;
}

static void it_starts_with_one_lease_request_and_one_orders_request(
    void **state)
{
    (void)state;
    peer p = peer_new(2);
    assert_int_equal(p.update.count, 2);
    const message *lease = peer_sent(&p, MESSAGE_LEASE_REQUEST),
                  *orders = peer_sent(&p, MESSAGE_ORDERS_REQUEST);
    assert_int_equal(lease->body.lease_request.slots_free, 2);
    assert_int_equal(lease->body.lease_request.cpus, 2);
    assert_string_equal(lease->body.lease_request.build, "test");
    assert_int_equal(lease->sender, 77);
    assert_int_equal(lease->incarnation, 3);
    assert_int_equal(orders->body.orders_request.held_count, 0);
    assert_true(lease->sequence != orders->sequence);
    peer_free(&p);
}

static void it_asks_for_leases_one_at_a_time_while_a_slot_is_free(void **state)
{
    (void)state;
    peer p = peer_new(2);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    assert_int_equal(peer_out(&p, LINK_OUT_START, 0)->lease->ref.task, 10);
    uint64_t first = peer_out(&p, LINK_OUT_START, 0)->job;
    assert_int_equal(
        peer_sent(&p, MESSAGE_LEASE_REQUEST)->body.lease_request.slots_free, 1);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 11, 1);
    assert_non_null(peer_out(&p, LINK_OUT_START, 0));
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST)); /* full */
    assert_int_equal(link_jobs_running(p.link), 2);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = first});
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.slots_free, 1);
    /* its result asks for the next */
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    peer_answer(&p, sequence_of(&p, MESSAGE_RESULT), MESSAGE_RESULT_ACK, NULL);
    assert_int_equal(
        peer_sent(&p, MESSAGE_LEASE_REQUEST)->body.lease_request.most,
        1); /* there was none */
    peer_free(&p);
}

/* A worker of `slots` with so many tasks, from 1 on, whose jobs have these
 * numbers too. */
static peer peer_holding(uint32_t slots, uint64_t tasks)
{
    peer p = peer_new(slots);
    for (uint64_t task = 1; task <= tasks; task++) {
        peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), task, 1);
        assert_int_equal(peer_out(&p, LINK_OUT_START, 0)->job, task);
    }
    return p;
}

static void peer_grant_two(peer *p, uint64_t request, uint64_t first)
{
    /* the update is looked at after this returns */
    static message_lease leases[2];
    for (uint64_t i = 0; i < 2; i++)
        leases[i] =
            (message_lease){.task_kind = 1, .ref = peer_ref(first + i, 1)};
    message m = {.body.leases = {.count = 2, .leases = leases}};
    peer_answer(p, request, MESSAGE_LEASES, &m);
}

static void
a_lease_request_may_be_answered_with_as_many_tasks_as_slots_are_free(
    void **state)
{
    (void)state;
    peer p = peer_new(3);
    assert_int_equal(
        peer_sent(&p, MESSAGE_LEASE_REQUEST)->body.lease_request.most, 3);
    peer_grant_two(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10);
    assert_int_equal(peer_count(&p, LINK_OUT_START), 2);
    assert_int_equal(
        peer_sent(&p, MESSAGE_LEASE_REQUEST)->body.lease_request.most, 1);
    peer_free(&p);
}

static void the_answer_to_results_acknowledges_all_and_brings_the_next_tasks(
    void **state)
{
    (void)state;
    peer p = peer_holding(2, 2);
    peer_step(&p,
              &(link_event){
                  .kind = LINK_JOB_DONE, .job = 1, .cpu_us = 50, .more = true});
    /* what ends together leaves together */
    assert_int_equal(p.update.count, 0);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = 2, .cpu_us = 70});
    const message *m = peer_sent(&p, MESSAGE_RESULT);
    assert_int_equal(m->body.result.ref.task, 1);
    assert_int_equal(m->body.result.more_count, 1);
    assert_int_equal(m->body.result.more[0].ref.task, 2);
    assert_int_equal(m->body.result.cpu_us, 50); /* each its own */
    assert_int_equal(m->body.result.more[0].cpu_us, 70);
    assert_int_equal(m->body.result.slots_free, 2);
    peer_grant_two(&p, m->sequence, 10);
    assert_int_equal(peer_out(&p, LINK_OUT_START, 1)->lease->ref.task, 11);
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    assert_int_equal(link_jobs_running(p.link), 2);
    peer_wait(&p, 7000);
    assert_null(peer_sent(&p, MESSAGE_RESULT)); /* nothing of them is left */
    peer_free(&p);
}

static void what_ends_while_results_are_under_way_goes_with_the_next_message(
    void **state)
{
    (void)state;
    peer p = peer_holding(4, 3);
    for (uint64_t job = 1; job <= 3; job++)
        peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    assert_null(peer_sent(&p, MESSAGE_RESULT));
    peer_wait(&p, 3000); /* the first one comes again, as it was */
    const message *m = peer_sent(&p, MESSAGE_RESULT);
    assert_int_equal(m->body.result.ref.task, 1);
    assert_int_equal(m->body.result.more_count, 0);
    peer_answer(&p, m->sequence, MESSAGE_RESULT_ACK, NULL);
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.more_count, 1);
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.slots_free,
                     3); /* one is asked for since it began */
    peer_free(&p);
}

static void results_that_are_refused_together_are_sent_one_by_one(void **state)
{
    (void)state;
    peer p = peer_holding(4, 4);
    for (uint64_t job = 1; job <= 3; job++)
        peer_step(&p, &(link_event){
                          .kind = LINK_JOB_DONE, .job = job, .more = job < 3});
    message refusal = {.body.refused = {ETNA_E_NOTFOUND, "a blob is missing"}};
    peer_answer(&p, sequence_of(&p, MESSAGE_RESULT), MESSAGE_REFUSED, &refusal);
    for (uint64_t task = 1; task <= 3; task++) {
        const message *m = peer_sent(&p, MESSAGE_RESULT);
        assert_int_equal(m->body.result.ref.task, task);
        assert_int_equal(m->body.result.more_count, 0);
        if (task == 2) { /* that one is what was wrong */
            peer_answer(&p, m->sequence, MESSAGE_REFUSED, &refusal);
        } else {
            peer_answer(&p, m->sequence, MESSAGE_RESULT_ACK, NULL);
        }
    }
    assert_null(peer_sent(&p, MESSAGE_RESULT));
    assert_int_equal(link_jobs_running(p.link), 1);
    peer_free(&p);
}

static void a_task_that_comes_with_an_answer_after_the_stop_is_handed_back(
    void **state)
{
    (void)state;
    peer p = peer_holding(2, 2);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = 1});
    uint64_t result = sequence_of(&p, MESSAGE_RESULT);
    peer_event(&p, LINK_STOP, 0);
    peer_grant_two(&p, result, 10);
    const message *m = peer_sent(&p, MESSAGE_RESULT);
    assert_int_equal(m->body.result.error, ETNA_E_CANCELLED);
    assert_int_equal(m->body.result.ref.task, 10);
    assert_int_equal(m->body.result.more_count, 1);
    assert_int_equal(m->body.result.slots_free, 0);
    /* what it held before is done to its end */
    assert_int_equal(link_jobs_running(p.link), 1);
    peer_free(&p);
}

static void nothing_to_do_is_asked_again(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t sequence = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    peer_answer(&p, sequence, MESSAGE_LEASE, NULL);
    assert_null(peer_out(&p, LINK_OUT_START, 0));
    assert_true(sequence_of(&p, MESSAGE_LEASE_REQUEST) > sequence);
    peer_free(&p);
}

static void warm_scenes_are_named(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t sequence = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    etna_hash warm[MESSAGE_WARM_MAX + 1];
    for (int i = 0; i <= MESSAGE_WARM_MAX; i++)
        warm[i] = peer_hash((uint8_t)(i + 1));
    peer_step(&p, &(link_event){.kind = LINK_WARM,
                                .warm = warm,
                                .warm_count = MESSAGE_WARM_MAX + 1});
    peer_answer(&p, sequence, MESSAGE_LEASE, NULL);
    const message *m = peer_sent(&p, MESSAGE_LEASE_REQUEST);
    assert_int_equal(m->body.lease_request.warm_count, MESSAGE_WARM_MAX);
    assert_memory_equal(m->body.lease_request.warm, warm,
                        MESSAGE_WARM_MAX * sizeof *warm);
    peer_free(&p);
}

static void exactly_one_orders_request_is_always_parked(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t sequence = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 2);
    assert_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
    peer_answer(&p, sequence, MESSAGE_ORDERS, NULL);
    const message *m = peer_sent(&p, MESSAGE_ORDERS_REQUEST);
    assert_int_equal(m->body.orders_request.held_count, 1);
    assert_int_equal(m->body.orders_request.held[0].task, 10);
    assert_int_equal(m->body.orders_request.held[0].attempt, 2);
    peer_free(&p);
}

/* A task is on its way as long as the request that may bring it is open. */
static void an_orders_request_tells_below_which_sequence_all_was_heard(
    void **state)
{
    (void)state;
    peer p = peer_new(1);
    const message *m = peer_sent(&p, MESSAGE_ORDERS_REQUEST);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    assert_int_equal(m->body.orders_request.heard_below, lease);
    uint64_t orders = m->sequence;
    peer_grant(&p, lease, 10, 2);
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    m = peer_sent(&p, MESSAGE_ORDERS_REQUEST);
    assert_true(m->body.orders_request.heard_below > lease);
    peer_free(&p);
}

static void a_lost_reply_is_asked_again_under_the_same_sequence(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST),
             orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_wait(&p, 10500); /* orders may be parked 10 s, leases 20 s */
    assert_int_equal(p.update.count, 0);
    uint64_t at = link_next_deadline(p.link);
    assert_in_range(at, 1000 + 10500 + 1, 1000 + 15000);
    peer_wait(&p, at - p.now);
    assert_int_equal(sequence_of(&p, MESSAGE_ORDERS_REQUEST), orders);
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    while (!peer_sent(&p, MESSAGE_LEASE_REQUEST))
        peer_wait(&p, link_next_deadline(p.link) - p.now);
    assert_in_range(p.now, 1000 + 20500, 1000 + 30000);
    assert_int_equal(sequence_of(&p, MESSAGE_LEASE_REQUEST), lease);
    peer_free(&p);
}

static void short_requests_are_retried_within_seconds(void **state)
{
    (void)state;
    peer p = peer_new(1);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    uint64_t result = sequence_of(&p, MESSAGE_RESULT), last = p.now;
    for (int i = 0; i < 10; i++) {
        do {
            peer_wait(&p, link_next_deadline(p.link) - p.now);
        } while (!peer_sent(&p, MESSAGE_RESULT));
        assert_int_equal(sequence_of(&p, MESSAGE_RESULT), result);
        assert_in_range(p.now - last, 1500, 6000);
        last = p.now;
    }
    peer_free(&p);
}

static void after_a_lost_pipe_it_pauses_says_so_once_and_returns(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST),
             orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_step(&p, &(link_event){.kind = LINK_LOST, .request = orders});
    assert_int_equal(peer_count(&p, LINK_OUT_AWAY), 1);
    peer_step(&p, &(link_event){.kind = LINK_LOST, .request = lease});
    assert_int_equal(p.update.count, 0);
    uint64_t pause = 0, longest = 0;
    for (int i = 0; i < 20; i++) {
        uint64_t before = p.now;
        peer_wait(&p, link_next_deadline(p.link) - p.now);
        assert_int_equal(peer_count(&p, LINK_OUT_AWAY), 0);
        peer_step(&p, &(link_event){.kind = LINK_LOST});
        pause = p.now - before;
        if (pause > longest)
            longest = pause;
    }
    /* it grew, and stays within a few seconds */
    assert_in_range(longest, 1000, 4000);
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    assert_int_equal(peer_count(&p, LINK_OUT_BACK), 1);
    assert_int_equal(sequence_of(&p, MESSAGE_LEASE_REQUEST),
                     lease); /* at once, not at the end of its pause */
    assert_int_equal(peer_count(&p, LINK_OUT_SEND), 2);
    peer_free(&p);
}

static void stray_answers_do_no_harm(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    peer_grant(&p, lease, 10, 1);
    assert_int_equal(peer_count(&p, LINK_OUT_START), 1);
    peer_grant(&p, lease, 11, 1); /* a repeat of an answered request */
    assert_int_equal(p.update.count, 0);
    peer_grant(&p, 999, 11, 1); /* never asked */
    assert_int_equal(p.update.count, 0);
    /* no answer to an orders request */
    peer_answer(&p, 2, MESSAGE_BLOB_ACK, NULL);
    assert_int_equal(p.update.count, 0);
    message m = {
        .version = 1, .epoch = 5, .sequence = 1, .kind = MESSAGE_ORDERS};
    peer_step(&p, &(link_event){/* another's sequence */
                                .kind = LINK_RECEIVED,
                                .request = 2,
                                .message = &m});
    assert_int_equal(p.update.count, 0);
    assert_int_equal(link_jobs_running(p.link), 1);
    peer_event(&p, LINK_JOB_GONE, 12345);
    peer_event(&p, LINK_CALL_BEGIN, 12345);
    assert_int_equal(p.update.count, 0);
    peer_free(&p);
}

static void answers_of_a_lower_epoch_are_dropped(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST),
             orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    assert_int_equal(link_epoch(p.link), 5);
    assert_int_equal(peer_sent(&p, MESSAGE_ORDERS_REQUEST)->epoch, 5);
    p.epoch = 4;
    peer_grant(&p, lease, 10, 1);
    assert_int_equal(p.update.count, 0);
    assert_int_equal(link_jobs_running(p.link), 0);
    p.epoch = 5;
    peer_grant(&p, lease, 10, 1);
    assert_int_equal(link_jobs_running(p.link), 1);
    peer_free(&p);
}

static void a_higher_epoch_makes_it_ask_everything_again(void **state)
{
    (void)state;
    peer p = peer_new(3);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t first = peer_out(&p, LINK_OUT_START, 0)->job;
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 11, 1);
    uint64_t second = peer_out(&p, LINK_OUT_START, 0)->job,
             lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = first});
    uint64_t result = sequence_of(&p, MESSAGE_RESULT);
    peer_step(&p, &(link_event){.kind = LINK_BLOB_GET,
                                .job = second,
                                .hash = peer_hash(1)});
    uint64_t get = sequence_of(&p, MESSAGE_BLOB_GET);
    p.epoch = 9;
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    assert_int_equal(peer_count(&p, LINK_OUT_SEND), 4); /* each once */
    assert_int_equal(sequence_of(&p, MESSAGE_RESULT), result);
    assert_int_equal(sequence_of(&p, MESSAGE_LEASE_REQUEST), lease);
    assert_int_equal(sequence_of(&p, MESSAGE_BLOB_GET), get);
    assert_true(sequence_of(&p, MESSAGE_ORDERS_REQUEST) > get);
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->epoch, 9);
    peer_free(&p);
}

static void a_task_held_already_is_not_started_twice(void **state)
{
    (void)state;
    peer p = peer_new(3);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 2);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    p.epoch = 6;
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    assert_null(peer_out(&p, LINK_OUT_START, 0));
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.ref.attempt, 1);
    peer_free(&p);
}

/* A coordinator that was restarted leases the attempt once more before it hears
 * how it failed: that ends the new lease, too, and a job of it might call a
 * model beside who gets the task next. */
static void
a_task_whose_failure_is_under_way_is_not_begun_again_as_the_same_attempt(
    void **state)
{
    (void)state;
    peer p = peer_new(2);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job,
             lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE,
                                .job = job,
                                .code = ETNA_E_CANCELLED});
    p.epoch = 6;
    peer_grant(&p, lease, 10, 1);
    assert_null(peer_out(&p, LINK_OUT_START, 0));
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.error,
                     ETNA_E_CANCELLED);
    peer_free(&p);
}

static void a_result_is_sent_until_it_is_acknowledged(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    char payload[] = "abc", text[] = "why";
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE,
                                .job = job,
                                .code = ETNA_E_INPUT,
                                .text = text,
                                .data = (const uint8_t *)payload,
                                .size = 3});
    memset(payload, 0, sizeof payload); /* both were copied */
    memset(text, 0, sizeof text);
    uint64_t sequence = sequence_of(&p, MESSAGE_RESULT);
    while (p.now < 30000 || !peer_sent(&p, MESSAGE_RESULT))
        peer_wait(&p, link_next_deadline(p.link) - p.now);
    const message *m = peer_sent(&p, MESSAGE_RESULT);
    assert_int_equal(m->sequence, sequence);
    assert_int_equal(m->body.result.error, ETNA_E_INPUT);
    assert_string_equal(m->body.result.error_text, "why");
    assert_memory_equal(m->body.result.payload, "abc", 3);
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    assert_int_equal(
        peer_sent(&p, MESSAGE_ORDERS_REQUEST)->body.orders_request.held_count,
        1); /* still held */
    orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_answer(&p, sequence, MESSAGE_RESULT_ACK, NULL);
    peer_answer(&p, orders, MESSAGE_ORDERS, NULL);
    assert_int_equal(
        peer_sent(&p, MESSAGE_ORDERS_REQUEST)->body.orders_request.held_count,
        0);
    peer_free(&p);
}

static void cancel_with(peer *p,
                        uint64_t orders,
                        uint64_t task,
                        uint32_t attempt)
{
    message_task_ref ref = peer_ref(task, attempt);
    message m = {.body.orders = {.cancel_count = 1, .cancel = &ref}};
    peer_answer(p, orders, MESSAGE_ORDERS, &m);
}

static void a_cancelled_job_keeps_its_slot_until_it_is_gone(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 2);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    peer_step(&p, &(link_event){
                      .kind = LINK_BLOB_GET, .job = job, .hash = peer_hash(1)});
    uint64_t get = sequence_of(&p, MESSAGE_BLOB_GET);
    cancel_with(&p, orders, 10, 1); /* an earlier attempt: not ours */
    assert_null(peer_out(&p, LINK_OUT_CANCEL, 0));
    cancel_with(&p, sequence_of(&p, MESSAGE_ORDERS_REQUEST), 10, 2);
    assert_int_equal(peer_out(&p, LINK_OUT_CANCEL, 0)->job, job);
    assert_int_equal(peer_out(&p, LINK_OUT_DROP, 0)->request, get);
    assert_int_equal(
        peer_sent(&p, MESSAGE_ORDERS_REQUEST)->body.orders_request.held_count,
        0);
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    /* too late */
    peer_step(&p, &(link_event){
                      .kind = LINK_BLOB_GET, .job = job, .hash = peer_hash(1)});
    assert_int_equal(p.update.count, 0);
    peer_event(&p, LINK_JOB_GONE, job);
    assert_non_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    peer_free(&p);
}

static void a_cancelled_call_that_was_never_sent_is_told_of_before_its_job_goes(
    void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    const etna_slot slot = {.role = 1, .turn = 3};
    peer_step(&p, &(link_event){.kind = LINK_CALL_BEGIN,
                                .job = job,
                                .slot = slot,
                                .model = "m"});
    cancel_with(&p, orders, 10, 1);
    peer_step(&p, &(link_event){.kind = LINK_JOB_GONE,
                                .job = job,
                                .slot = slot,
                                .unbilled = true});
    const message *told = peer_sent(&p, MESSAGE_CALL_FAIL);
    assert_non_null(told);
    assert_false(told->body.call_fail.lost);
    assert_int_equal(told->body.call_fail.slot.turn, 3);
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    message answer = {.kind = MESSAGE_CALL_ANSWER};
    answer.body.call_answer.verdict = CALL_STOP;
    peer_answer(&p, told->sequence, MESSAGE_CALL_ANSWER, &answer);
    assert_int_equal(peer_count(&p, LINK_OUT_CALL), 0);
    assert_non_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    peer_free(&p);
}

/* One that is under way may bring tasks, so its answer is waited for. */
static void a_cancelled_result_that_was_not_sent_is_forgotten(void **state)
{
    (void)state;
    peer p = peer_holding(2, 2);
    uint64_t orders = p.link->orders->again.id;
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = 1});
    uint64_t result = sequence_of(&p, MESSAGE_RESULT);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = 2});
    message_task_ref refs[2] = {peer_ref(1, 1), peer_ref(2, 1)};
    message m = {.body.orders = {.cancel_count = 2, .cancel = refs}};
    peer_answer(&p, orders, MESSAGE_ORDERS, &m);
    assert_null(peer_out(&p, LINK_OUT_CANCEL, 0));
    assert_null(peer_out(&p, LINK_OUT_DROP, 0));
    peer_answer(&p, result, MESSAGE_RESULT_ACK, NULL);
    assert_null(peer_sent(&p, MESSAGE_RESULT));
    assert_int_equal(p.link->job_count, 0);
    peer_free(&p);
}

static void a_done_that_crosses_a_cancel_sends_nothing(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    cancel_with(&p, orders, 10, 1);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    assert_null(peer_sent(&p, MESSAGE_RESULT));
    assert_non_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    peer_free(&p);
}

static void a_drained_worker_finishes_what_it_holds_and_exits(void **state)
{
    (void)state;
    peer p = peer_new(2);
    uint64_t orders = sequence_of(&p, MESSAGE_ORDERS_REQUEST);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job,
             lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    message m = {.body.orders = {.drain = true}};
    peer_answer(&p, orders, MESSAGE_ORDERS, &m);
    assert_int_equal(peer_out(&p, LINK_OUT_DROP, 0)->request, lease);
    /* not at once: it would be answered at once */
    assert_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
    peer_wait(&p, 1000);
    assert_non_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    /* the result is not acknowledged */
    assert_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_answer(&p, sequence_of(&p, MESSAGE_RESULT), MESSAGE_RESULT_ACK, NULL);
    assert_non_null(peer_out(&p, LINK_OUT_EXIT, 0));
    assert_int_equal(peer_count(&p, LINK_OUT_DROP), 1); /* the orders request */
    peer_wait(&p, 100000);
    assert_int_equal(p.update.count, 0);
    assert_true(link_next_deadline(p.link) == UINT64_MAX);
    peer_free(&p);
}

static void an_idle_worker_that_is_stopped_exits_at_once(void **state)
{
    (void)state;
    peer p = peer_new(2);
    peer_event(&p, LINK_STOP, 0);
    assert_int_equal(peer_count(&p, LINK_OUT_DROP), 2);
    assert_non_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_free(&p);
}

static void who_is_to_end_waits_for_no_coordinator_that_stays_away(void **state)
{
    (void)state;
    peer p = peer_new(1);
    peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10, 1);
    uint64_t job = peer_out(&p, LINK_OUT_START, 0)->job;
    peer_step(&p, &(link_event){.kind = LINK_LOST});
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = job});
    peer_wait(&p, 3 * LINK_ALONE_MS); /* nobody told it to end: it waits */
    assert_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_event(&p, LINK_STOP, 0);
    const uint64_t told = p.now;
    /* its result may still be wanted */
    assert_null(peer_out(&p, LINK_OUT_EXIT, 0));
    assert_true(link_next_deadline(p.link) <= told + LINK_ALONE_MS);
    peer_wait(&p, LINK_ALONE_MS - 1);
    assert_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_wait(&p, 1);
    assert_non_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_free(&p);
}

static void who_must_leave_hands_back_what_it_holds_and_exits(void **state)
{
    (void)state;
    peer p = peer_new(4);
    uint64_t jobs[3];
    for (uint64_t i = 0; i < 3; i++) {
        peer_grant(&p, sequence_of(&p, MESSAGE_LEASE_REQUEST), 10 + i, 1);
        jobs[i] = peer_out(&p, LINK_OUT_START, 0)->job;
    }
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE, .job = jobs[0]});
    assert_int_equal(peer_sent(&p, MESSAGE_RESULT)->body.result.error, ETNA_OK);
    peer_event(&p, LINK_LEAVE, 0);
    assert_true(
        peer_sent(&p, MESSAGE_ORDERS_REQUEST)->body.orders_request.leaving);
    /* the first one's result is under way */
    assert_int_equal(peer_count(&p, LINK_OUT_CANCEL), 2);
    /* so these wait for it */
    assert_null(peer_sent(&p, MESSAGE_RESULT));
    peer_event(&p, LINK_JOB_GONE, jobs[1]);
    peer_step(&p, &(link_event){.kind = LINK_JOB_DONE,
                                /* too late: it was handed back */
                                .job = jobs[2]});
    assert_int_equal(p.update.count, 0);
    peer_wait(&p, 6000);
    peer_answer(&p, sequence_of(&p, MESSAGE_RESULT), MESSAGE_RESULT_ACK, NULL);
    const message *back = peer_sent(&p, MESSAGE_RESULT);
    assert_int_equal(back->body.result.error, ETNA_E_CANCELLED);
    assert_int_equal(back->body.result.ref.task, 11);
    assert_int_equal(back->body.result.more_count, 1);
    assert_int_equal(back->body.result.more[0].error, ETNA_E_CANCELLED);
    assert_int_equal(back->body.result.more[0].ref.task, 12);
    assert_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_answer(&p, back->sequence, MESSAGE_RESULT_ACK, NULL);
    assert_non_null(peer_out(&p, LINK_OUT_EXIT, 0));
    peer_free(&p);
}

static void a_refused_lease_request_is_told_and_asked_again_later(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    message m = {.body.refused = {ETNA_E_NEWER, "update the worker"}};
    peer_answer(&p, lease, MESSAGE_REFUSED, &m);
    assert_int_equal(peer_out(&p, LINK_OUT_REFUSED, 0)->code, ETNA_E_NEWER);
    assert_string_equal(peer_out(&p, LINK_OUT_REFUSED, 0)->text,
                        "update the worker");
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    assert_in_range(link_next_deadline(p.link), p.now + 1000, p.now + 6000);
    peer_wait(&p, 6000);
    assert_true(sequence_of(&p, MESSAGE_LEASE_REQUEST) > lease);
    peer_free(&p);
}

static void an_owner_that_lost_its_store_is_asked_again_later(void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t lease = sequence_of(&p, MESSAGE_LEASE_REQUEST);
    message m = {.body.refused = {ETNA_E_STALE, "no longer the owner"}};
    peer_answer(&p, lease, MESSAGE_REFUSED, &m);
    assert_int_equal(p.update.count, 0);
    peer_wait(&p, 1000);
    assert_int_equal(sequence_of(&p, MESSAGE_LEASE_REQUEST), lease);
    peer_free(&p);
}

static void a_config_must_be_whole(void **state)
{
    (void)state;
    worker_link *l = NULL;
    link_config config = link_config_default();
    assert_int_equal(link_new(&config, &l, NULL), ETNA_E_USAGE); /* no sender */
    config.sender = 1;
    config.slots = 0;
    assert_int_equal(link_new(&config, &l, NULL), ETNA_E_USAGE);
    config.slots = MESSAGE_ORDERS_MAX;
    assert_int_equal(link_new(&config, &l, NULL), ETNA_E_USAGE);
    link_config zero = {.sender = 1, .slots = 1};
    assert_int_equal(link_new(&zero, &l, NULL), ETNA_E_USAGE);
    assert_null(l);
    link_free(NULL);
}

static void a_death_is_told_before_anything_is_asked_for(void **state)
{
    (void)state;
    peer p = peer_new_after((message_death){77, 2, 11, false});
    const message *death = peer_sent(&p, MESSAGE_DEATH);
    assert_non_null(death);
    assert_int_equal(death->body.death.incarnation, 2);
    assert_int_equal(death->body.death.signal, 11);
    assert_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    assert_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
    uint64_t sequence = death->sequence;
    assert_true(link_next_deadline(p.link) > p.now);
    peer_wait(&p, link_next_deadline(p.link) - p.now);
    /* until it is known */
    assert_int_equal(sequence_of(&p, MESSAGE_DEATH), sequence);
    peer_answer(&p, sequence, MESSAGE_DEATH_ACK, NULL);
    assert_non_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    assert_non_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
    peer_free(&p);
}

static void who_does_not_want_to_know_of_a_death_is_asked_for_work(void **state)
{
    (void)state;
    peer p = peer_new_after((message_death){77, 2, 11, false});
    message refusal = {.kind = MESSAGE_REFUSED};
    refusal.body.refused = (message_refused){ETNA_E_MESSAGE, "what is that?"};
    peer_answer(&p, sequence_of(&p, MESSAGE_DEATH), MESSAGE_REFUSED, &refusal);
    assert_non_null(peer_sent(&p, MESSAGE_LEASE_REQUEST));
    peer_free(&p);
}

static void silence_of_30_s_ends_a_connection_that_only_seems_to_be_one(
    void **state)
{
    (void)state;
    peer p = peer_new(1);
    uint64_t last = p.now;
    peer_answer(&p, sequence_of(&p, MESSAGE_ORDERS_REQUEST), MESSAGE_ORDERS,
                NULL);
    uint32_t redials = 0, aways = 0;
    while (!redials) {
        assert_true(p.now < last + LINK_SILENT_MS);
        peer_wait(&p, link_next_deadline(p.link) - p.now);
        redials += peer_count(&p, LINK_OUT_REDIAL);
        aways += peer_count(&p, LINK_OUT_AWAY);
    }
    assert_int_equal(p.now, last + LINK_SILENT_MS);
    assert_int_equal(aways, 1);
    /* then whoever dials knows by himself that nobody is there */
    for (int i = 0; i < 50; i++) {
        peer_wait(&p, link_next_deadline(p.link) - p.now);
        assert_int_equal(peer_count(&p, LINK_OUT_REDIAL), 0);
    }
    peer_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            it_starts_with_one_lease_request_and_one_orders_request),
        cmocka_unit_test(it_asks_for_leases_one_at_a_time_while_a_slot_is_free),
        cmocka_unit_test(nothing_to_do_is_asked_again),
        cmocka_unit_test(warm_scenes_are_named),
        cmocka_unit_test(exactly_one_orders_request_is_always_parked),
        cmocka_unit_test(
            an_orders_request_tells_below_which_sequence_all_was_heard),
        cmocka_unit_test(a_lost_reply_is_asked_again_under_the_same_sequence),
        cmocka_unit_test(short_requests_are_retried_within_seconds),
        cmocka_unit_test(after_a_lost_pipe_it_pauses_says_so_once_and_returns),
        cmocka_unit_test(stray_answers_do_no_harm),
        cmocka_unit_test(answers_of_a_lower_epoch_are_dropped),
        cmocka_unit_test(a_higher_epoch_makes_it_ask_everything_again),
        cmocka_unit_test(a_task_held_already_is_not_started_twice),
        cmocka_unit_test(
            a_task_whose_failure_is_under_way_is_not_begun_again_as_the_same_attempt),
        cmocka_unit_test(a_result_is_sent_until_it_is_acknowledged),
        cmocka_unit_test(
            a_lease_request_may_be_answered_with_as_many_tasks_as_slots_are_free),
        cmocka_unit_test(
            the_answer_to_results_acknowledges_all_and_brings_the_next_tasks),
        cmocka_unit_test(
            what_ends_while_results_are_under_way_goes_with_the_next_message),
        cmocka_unit_test(results_that_are_refused_together_are_sent_one_by_one),
        cmocka_unit_test(
            a_task_that_comes_with_an_answer_after_the_stop_is_handed_back),
        cmocka_unit_test(a_cancelled_job_keeps_its_slot_until_it_is_gone),
        cmocka_unit_test(
            a_cancelled_call_that_was_never_sent_is_told_of_before_its_job_goes),
        cmocka_unit_test(a_cancelled_result_that_was_not_sent_is_forgotten),
        cmocka_unit_test(a_done_that_crosses_a_cancel_sends_nothing),
        cmocka_unit_test(
            who_is_to_end_waits_for_no_coordinator_that_stays_away),
        cmocka_unit_test(who_must_leave_hands_back_what_it_holds_and_exits),
        cmocka_unit_test(a_drained_worker_finishes_what_it_holds_and_exits),
        cmocka_unit_test(an_idle_worker_that_is_stopped_exits_at_once),
        cmocka_unit_test(a_refused_lease_request_is_told_and_asked_again_later),
        cmocka_unit_test(a_death_is_told_before_anything_is_asked_for),
        cmocka_unit_test(
            who_does_not_want_to_know_of_a_death_is_asked_for_work),
        cmocka_unit_test(
            silence_of_30_s_ends_a_connection_that_only_seems_to_be_one),
        cmocka_unit_test(an_owner_that_lost_its_store_is_asked_again_later),
        cmocka_unit_test(a_config_must_be_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
