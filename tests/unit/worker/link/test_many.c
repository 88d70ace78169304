/* Thousands of jobs at once: whatever comes in whatever order, the tables, the
 * heaps and the counts say what walking over all jobs and requests would, and
 * what one event brings about does not grow with what it does not concern. */
#include "peer.h"
#include "worker/link/link_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_whole_heap(const due_heap *h)
{
    for (size_t i = 0; i < h->count; i++) {
        const due *d = h->members[i],
                  *above = h->members[i ? (i + 1) / 2 - 1 : 0];
        assert_int_equal(d->place, i + 1);
        assert_true(above->at < d->at ||
                    (above->at == d->at && above->id <= d->id));
    }
}

static bool in_task_table(const worker_link *l, const link_job *j)
{
    for (size_t i = 0; i < l->task_table.capacity; i++) {
        const table_slot *slot = &l->task_table.slots[i];
        if (slot->value &&
            /* not one that was removed */
            table_get(&l->task_table, slot->key) == slot->value) {
            for (const link_job *at = slot->value; at; at = at->same) {
                if (at == j)
                    return true;
            }
        }
    }
    return false;
}

static const link_request *standing(const worker_link *l, const link_request *r)
{
    if (r->job)
        return r->job->request;
    switch (r->kind) {
    case MESSAGE_LEASE_REQUEST: return l->lease;
    case MESSAGE_RESULT: return l->result;
    default: return l->orders;
    }
}

/* Everything that is kept at hand, against a walk over all. */
static void expect_whole(const worker_link *l, bool look_for_tasks)
{
    uint32_t in_state[JOB_STATES] = {0}, elsewhere = 0, jobs = 0, waiting = 0,
             requests = 0, lost = 0, wanted = 0, handing = 0;
    uint64_t next = UINT64_MAX, last = 0;
    for (const chain *at = l->jobs.next; at != &l->jobs; at = at->next) {
        const link_job *j = CHAIN_OF(link_job, all, at);
        assert_true(j->wait.id > last);
        last = j->wait.id;
        assert_ptr_equal(link_job_by_id(l, j->wait.id), j);
        if (look_for_tasks)
            assert_true(in_task_table(l, j));
        if (j->request)
            assert_ptr_equal(j->request->job, j);
        in_state[j->state]++;
        elsewhere += j->state == JOB_RUNNING && j->elsewhere;
        waiting += j->wait.place != 0;
        handing += j->handing.next != &j->handing;
        if (j->wait.place && j->wait.at < next)
            next = j->wait.at;
        jobs++;
    }
    last = 0;
    for (const chain *at = l->requests.next; at != &l->requests;
         at = at->next) {
        const link_request *r = CHAIN_OF(link_request, all, at);
        assert_true(r->again.id > last);
        last = r->again.id;
        assert_ptr_equal(link_request_by_id(l, r->again.id), r);
        assert_ptr_equal(standing(l, r), r);
        wanted += r->wants;
        if (r->again.at < next)
            next = r->again.at;
        lost += r->lost.next != &r->lost;
        requests++;
    }
    for (int s = JOB_RUNNING; s < JOB_STATES; s++)
        assert_int_equal(l->in_state[s], in_state[s]);
    assert_int_equal(l->job_count, jobs);
    assert_int_equal(l->elsewhere, elsewhere);
    assert_int_equal(l->wanted, wanted);
    assert_int_equal(in_state[JOB_RESULT_PENDING], handing);
    assert_int_equal(l->result != NULL, !chain_empty(&l->results_sent));
    assert_int_equal(l->jobs_due.count, waiting);
    assert_int_equal(l->requests_due.count, requests);
    assert_int_equal(l->job_table.live, jobs);
    assert_int_equal(l->request_table.live, requests);
    for (const chain *at = l->lost.next; at != &l->lost; at = at->next)
        lost--;
    assert_int_equal(lost, 0);
    expect_whole_heap(&l->jobs_due);
    expect_whole_heap(&l->requests_due);
    assert_true(link_next_deadline(l) <= next);
}

static uint64_t lease_sequence(const peer *p)
{
    return p->link->lease ? p->link->lease->again.id : 0;
}

static void call(peer *p, uint64_t job)
{
    peer_step(p, &(link_event){.kind = LINK_CALL_BEGIN,
                               .job = job,
                               .hash = peer_hash(1),
                               .slot = {.node = 1, .role = ROLE_EVALUATOR},
                               .model = "far",
                               .elsewhere = true});
}

static peer hold(uint32_t count, uint32_t most)
{
    peer p = peer_new_most(4, most);
    for (uint32_t i = 0; i < count; i++) {
        peer_grant(&p, lease_sequence(&p), i + 1, 1);
        call(&p, peer_out(&p, LINK_OUT_START, 0)->job);
    }
    return p;
}

static const link_request *any_request(const worker_link *l,
                                       etna_random *random)
{
    for (int i = 0; i < 50;
         /* most ids are gone: from a random one on, the next that is there */
         i++) {
        uint64_t at = 1 + etna_random_below(random, l->next_sequence);
        for (uint64_t end = at + 400; at < end; at++) {
            const link_request *r = link_request_by_id(l, at);
            if (r)
                return r;
        }
    }
    return NULL;
}

static void answer(peer *p, const link_request *r, etna_random *random)
{
    const message_call_answer answers[] = {
        {.verdict = CALL_GO},
        {.verdict = CALL_WAIT, .wait_ms = 500},
        {.verdict = CALL_STORED},
        {.verdict = CALL_STOP},
        {.verdict = CALL_WAIT, .wait_ms = 5, .model = "near"}};
    message m = {0};
    switch (r->kind) {
    case MESSAGE_LEASE_REQUEST:
        peer_grant(p, r->again.id, 1 + etna_random_below(random, 900),
                   1 + (uint32_t)etna_random_below(random, 3));
        return;
    case MESSAGE_CALL_BEGIN:
        m.body.call_answer = answers[etna_random_below(random, 5)];
        peer_answer(p, r->again.id, MESSAGE_CALL_ANSWER, &m);
        return;
    case MESSAGE_CALL_END:
        peer_answer(p, r->again.id, MESSAGE_CALL_ACK,
                    &(message){.body.call_ack = r->job->slot});
        return;
    case MESSAGE_RESULT:
        peer_answer(p, r->again.id, MESSAGE_RESULT_ACK, NULL);
        return;
    case MESSAGE_ORDERS_REQUEST: {
        message_task_ref cancel[8];
        uint32_t count = (uint32_t)etna_random_below(random, 8);
        for (uint32_t i = 0; i < count; i++)
            cancel[i] = peer_ref(1 + etna_random_below(random, 900),
                                 1 + (uint32_t)etna_random_below(random, 3));
        m.body.orders =
            (message_orders){.cancel_count = count, .cancel = cancel};
        peer_answer(p, r->again.id, MESSAGE_ORDERS, &m);
        return;
    }
    default: return;
    }
}

static void any_event(peer *p, etna_random *random)
{
    uint64_t job = 1 + etna_random_below(random, p->link->next_job);
    const link_job *j = link_job_by_id(p->link, job);
    const link_request *r = any_request(p->link, random);
    p->now += etna_random_below(random, 40);
    switch (etna_random_below(random, 16)) {
    case 0:
        peer_step(p, &(link_event){.kind = LINK_JOB_DONE,
                                   .job = job,
                                   .code = etna_random_below(random, 2)
                                               ? ETNA_OK
                                               : ETNA_E_IO,
                                   .text = "t",
                                   .data = (const uint8_t *)"x",
                                   .size = 1});
        return;
    case 1: peer_event(p, LINK_JOB_GONE, job); return;
    case 2:
        peer_step(p, &(link_event){.kind = LINK_CALL_END,
                                   .job = job,
                                   .slot = {.node = 1, .role = ROLE_EVALUATOR},
                                   .model = "far"});
        return;
    case 3:
        peer_step(p, &(link_event){.kind = LINK_LOST,
                                   .request = etna_random_below(random, 20) && r
                                                  ? r->again.id
                                                  : 0});
        return;
    case 4: peer_event(p, LINK_TICK, 0); return;
    case 5: p->epoch += etna_random_below(random, 50) == 0; break;
    case 6:
    case 7:
    case 8:
        if (j && !j->want)
            call(p, job);
        break;
    case 9:
        peer_step(p, &(link_event){.kind = LINK_BLOB_GET,
                                   .job = job,
                                   .hash = peer_hash(2)});
        return;
    case 10:
    case 11: r = p->link->lease ? p->link->lease : r; break;
    default: break;
    }
    if (r)
        answer(p, r, random);
}

static void whatever_comes_what_is_at_hand_is_what_a_walk_would_find(
    void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        etna_random random = etna_random_from(seed);
        peer p = peer_new_most(300, 500);
        uint32_t most = 0;
        for (uint32_t i = 0; i < 4000; i++) {
            any_event(&p, &random);
            if (i % 8 == 0)
                expect_whole(p.link, i % 200 == 0);
            if (p.link->job_count > most)
                most = p.link->job_count;
        }
        assert_true(most > 50);
        peer_event(&p, LINK_STOP, 0);
        for (uint64_t job = 1; job < p.link->next_job; job++) {
            peer_event(&p, LINK_JOB_GONE, job);
            peer_event(&p, LINK_JOB_DONE, job);
        }
        /* the results are acknowledged, and with the last of them it is over */
        while (!chain_empty(&p.link->requests)) {
            const link_request *r =
                CHAIN_OF(link_request, all, p.link->requests.next);
            if (r->kind == MESSAGE_RESULT)
                peer_answer(&p, r->again.id, MESSAGE_RESULT_ACK, NULL);
            else
                peer_answer(&p, r->again.id, MESSAGE_ORDERS, NULL);
            if (!p.link->exited && p.link->job_count)
                continue;
            assert_non_null(peer_out(&p, LINK_OUT_EXIT, 0));
        }
        assert_int_equal(p.link->job_count, 0);
        assert_int_equal(p.link->jobs_due.count + p.link->requests_due.count,
                         0);
        peer_free(&p);
    }
}

static void ten_thousand_jobs_wait_and_are_named(void **state)
{
    (void)state;
    const uint32_t count = 10000;
    peer p = hold(count, 10000);
    assert_int_equal(link_jobs_running(p.link), count);
    assert_int_equal(lease_sequence(&p), 0); /* full */
    expect_whole(p.link, false);
    peer_answer(&p, p.link->orders->again.id, MESSAGE_ORDERS, NULL);
    const message *m = peer_sent(&p, MESSAGE_ORDERS_REQUEST);
    assert_int_equal(m->body.orders_request.held_count, count);
    uint8_t *data;
    size_t size;
    assert_int_equal(message_pack(m, &data, &size, NULL), ETNA_OK);
    etna_arena arena = ETNA_ARENA_INIT;
    message back;
    assert_int_equal(message_unpack(data, size, &arena, &back, NULL), ETNA_OK);
    assert_int_equal(back.body.orders_request.held[count - 1].task, count);
    etna_arena_free(&arena);
    free(data);
    /* The first and the last are answered, others are not: no more is sent than
     * for one. */
    const link_request *first =
        CHAIN_OF(link_request, all, p.link->requests.next);
    peer_answer(&p, first->again.id, MESSAGE_CALL_ANSWER,
                &(message){.body.call_answer = {.verdict = CALL_STORED}});
    assert_int_equal(p.update.count, 1);
    assert_int_equal(p.update.outputs[0].kind, LINK_OUT_CALL);
    /* A lost pipe and a new coordinator: all are asked again, once. */
    peer_event(&p, LINK_LOST, 0);
    p.epoch++;
    peer_answer(&p, p.link->orders->again.id, MESSAGE_ORDERS, NULL);
    assert_int_equal(peer_count(&p, LINK_OUT_SEND), count - 1 + 1);
    expect_whole(p.link, false);
    peer_free(&p);
}

/* Each orders request names all that is held, and each cancel of one job is
 * answered by one: they are not to follow each other without a pause when ten
 * thousand are cancelled one by one. */
static void orders_pause_after_a_cancel_where_much_is_held(void **state)
{
    (void)state;
    for (uint32_t count = 3; count <= 640 + 3; count += 640) {
        peer p = hold(count, 1000);
        uint64_t orders = p.link->orders->again.id;
        message_task_ref cancel = peer_ref(2, 1);
        peer_answer(
            &p, orders, MESSAGE_ORDERS,
            &(message){.body.orders = {.cancel_count = 1, .cancel = &cancel}});
        assert_non_null(peer_out(&p, LINK_OUT_CANCEL, 0));
        bool at_once = peer_sent(&p, MESSAGE_ORDERS_REQUEST) != NULL;
        assert_int_equal(at_once, count == 3);
        if (!at_once) {
            assert_true(link_next_deadline(p.link) == p.now + 10);
            peer_wait(&p, 10);
            assert_non_null(peer_sent(&p, MESSAGE_ORDERS_REQUEST));
        }
        peer_free(&p);
    }
}

/* A want that is refused because another was there is over together with it,
 * also where that one was waiting. */
static void a_job_that_wants_two_things_waits_for_neither(void **state)
{
    (void)state;
    peer p = hold(1, 4);
    const link_job *j = CHAIN_OF(link_job, all, p.link->jobs.next);
    peer_answer(&p, j->request->again.id, MESSAGE_CALL_ANSWER,
                &(message){.body.call_answer = {.verdict = CALL_WAIT,
                                                .wait_ms = 1000}});
    peer_step(&p, &(link_event){.kind = LINK_BLOB_GET,
                                .job = j->wait.id,
                                .hash = peer_hash(1)});
    assert_non_null(peer_out(&p, LINK_OUT_FAILED, 0));
    peer_wait(&p, 2000);
    assert_null(peer_sent(&p, MESSAGE_CALL_BEGIN));
    peer_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            whatever_comes_what_is_at_hand_is_what_a_walk_would_find),
        cmocka_unit_test(ten_thousand_jobs_wait_and_are_named),
        cmocka_unit_test(orders_pause_after_a_cancel_where_much_is_held),
        cmocka_unit_test(a_job_that_wants_two_things_waits_for_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
