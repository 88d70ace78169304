/* See peer.h. */
#include "peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static peer peer_made(uint32_t slots, uint32_t jobs_most, message_death death)
{
    peer p = {.now = 1000, .epoch = 5};
    link_config config = link_config_default();
    config.sender = 77;
    config.incarnation = 3;
    config.slots = slots;
    config.jobs_most = jobs_most;
    config.cpus = 2;
    config.build = "test";
    config.death = death;
    assert_int_equal(link_new(&config, &p.link, NULL), ETNA_OK);
    peer_event(&p, LINK_START, 0);
    return p;
}

peer peer_new(uint32_t slots)
{
    return peer_made(slots, 0, (message_death){0});
}

peer peer_new_most(uint32_t slots, uint32_t jobs_most)
{
    return peer_made(slots, jobs_most, (message_death){0});
}

peer peer_new_after(message_death death)
{
    return peer_made(1, 0, death);
}

void peer_free(peer *p)
{
    link_free(p->link);
}

void peer_step(peer *p, const link_event *event)
{
    link_event timed = *event;
    timed.time_ms = p->now;
    assert_int_equal(link_step(p->link, &timed, &p->update, NULL), ETNA_OK);
}

void peer_wait(peer *p, uint64_t ms)
{
    p->now += ms;
    peer_event(p, LINK_TICK, 0);
}

void peer_event(peer *p, link_event_kind kind, uint64_t job)
{
    peer_step(p, &(link_event){.kind = kind, .job = job});
}

void peer_answer(peer *p,
                 uint64_t request,
                 message_kind kind,
                 const message *body)
{
    message *m = &p->answer;
    memset(m, 0, sizeof *m);
    if (body)
        m->body = body->body;
    m->version = MESSAGE_VERSION;
    m->epoch = p->epoch;
    m->sequence = request;
    m->kind = kind;
    peer_step(p, &(link_event){
                     .kind = LINK_RECEIVED, .request = request, .message = m});
}

message_task_ref peer_ref(uint64_t task, uint32_t attempt)
{
    return (message_task_ref){
        .run = {{1, 2, 3}}, .task = task, .attempt = attempt};
}

etna_hash peer_hash(uint8_t first)
{
    return (etna_hash){{first, 1}};
}

void peer_grant(peer *p, uint64_t request, uint64_t task, uint32_t attempt)
{
    static const uint8_t payload[] = {1, 2};
    message m = {.body.lease = {.task_kind = 1,
                                .ref = peer_ref(task, attempt),
                                .scene = peer_hash(9),
                                .payload = payload,
                                .payload_size = sizeof payload}};
    peer_answer(p, request, MESSAGE_LEASE, &m);
}

const link_output *peer_out(const peer *p, link_output_kind kind, size_t n)
{
    for (size_t i = 0; i < p->update.count; i++) {
        if (p->update.outputs[i].kind == kind && n-- == 0)
            return &p->update.outputs[i];
    }
    return NULL;
}

size_t peer_count(const peer *p, link_output_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < p->update.count; i++)
        count += p->update.outputs[i].kind == kind;
    return count;
}

const message *peer_sent(const peer *p, message_kind kind)
{
    for (size_t i = 0; i < p->update.count; i++) {
        const link_output *out = &p->update.outputs[i];
        if (out->kind == LINK_OUT_SEND && out->message->kind == kind)
            return out->message;
    }
    return NULL;
}
