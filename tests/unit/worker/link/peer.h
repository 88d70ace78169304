/* A coordinator's side for the link's tests: steps a link, and looks for
 * outputs. */
#ifndef ETNA_TESTS_LINK_PEER_H
#define ETNA_TESTS_LINK_PEER_H

#include "worker/link/link.h"

typedef struct peer {
    worker_link *link;
    uint64_t now, epoch;
    link_update update;
    /* the last one: what `update` gives out of it is looked at after the
     * step */
    message answer;
} peer;

/* started: its first two requests are in `update` */
peer peer_new(uint32_t slots);
peer peer_new_most(uint32_t slots, uint32_t jobs_most);
/* of one slot, whose predecessor died so */
peer peer_new_after(message_death death);
void peer_free(peer *p);

void peer_step(peer *p, const link_event *event);
void peer_wait(peer *p, uint64_t ms); /* a tick that much later */
void peer_event(peer *p, link_event_kind kind, uint64_t job);
/* Answers `request` with `kind` and p->epoch; `body` is a message whose body is
 * taken (NULL: zeros). */
void peer_answer(peer *p,
                 uint64_t request,
                 message_kind kind,
                 const message *body);
/* ret: output START */
void peer_grant(peer *p, uint64_t request, uint64_t task, uint32_t attempt);

message_task_ref peer_ref(uint64_t task, uint32_t attempt);
etna_hash peer_hash(uint8_t first);

/* The n-th output of this kind in the last update, or NULL. */
const link_output *peer_out(const peer *p, link_output_kind kind, size_t n);
size_t peer_count(const peer *p, link_output_kind kind);
/* The sent message of this kind in the last update, or NULL. */
const message *peer_sent(const peer *p, message_kind kind);

#endif
