/* The gate before a TCP listener: which connection has which token, and so what
 * it may say. Pure but for the nonces it draws; knows no socket and no clock.
 * On the wire as proto/seal.h has it:
 *
 *            Hello, of a token that counts           a request with a right seal
 *   STRANGER -----------------------------> GREETED ----------------------------> LET IN
 *      |  anything else: one refusal, then silence, then cut off     |  its generation of tokens counts no more: cut off
 *
 * Only so many who are not let in yet are kept, and for so long: then those of
 * the host that most of them come from are cut off, the longest there first, so
 * that a flood of strangers costs a bounded amount and keeps nobody out who
 * greets as it connects, and nobody of another host, however far. Who is let in
 * and says far more than any worker or command of ours ever does is cut off,
 * too. */
#ifndef ETNA_COORDINATOR_SHELL_GATE_H
#define ETNA_COORDINATOR_SHELL_GATE_H

#include "coordinator/shell/realm.h"
#include "proto/message.h"
#include "proto/origin.h"
#include "proto/table.h"

/* Bounds; see the paragraph above. */
enum {
    GATE_STRANGERS_MAX = 256, /* connections that are not let in yet */
    GATE_PATIENCE_MS = 10000, /* for one of them */
    /* messages that a connection may send in a second: twice what a worker with
     * all its hands full repeats when it is back */
    GATE_RATE = 40000
};

typedef struct gate gate;

/* A connection, from gate_enter() to gate_leave(); in the caller's memory,
 * which must not move. */
typedef struct gate_peer {
    chain link;
    uint64_t pipe, since_ms;
    uint8_t origin; /* of its address */
    /* whose token it greeted with; SEAL_NOBODY: it has not */
    seal_role role;
    bool let_in;
    /* of its token; greetings so far; messages without a right seal so far */
    uint32_t generation, hellos, faults;
    uint64_t second; /* of the clock, in which it sent `said` messages */
    uint32_t said;
    seal_session session;
} gate_peer;

/* What becomes of a message. */
typedef enum gate_word {
    GATE_PASS = 1, /* a request of a peer that is let in */
    GATE_ANSWER,   /* the gate's own answer is to be sent as it is */
    GATE_DROP,     /* no answer is to be sent */
    GATE_CUT       /* nor is any other: end the connection */
} gate_word;

typedef struct gate_heard {
    size_t size;     /* PASS: bytes of the message without its seal */
    uint8_t *answer; /* ANSWER: malloc'd, the caller's */
    size_t answer_size;
} gate_heard;

/* `epoch`: the owner's, for the gate's whole life; it is part of every seal, so
 * that no seal is worth anything at the next owner. Copies the realm. NULL: out
 * of memory. */
gate *gate_new(const realm *r, uint64_t epoch);
/* All peers must have left. NULL is fine. */
void gate_free(gate *g);
/* The realm's tokens have been replaced: peers of generations that no longer
 * count are cut off by the next gate_overdue(). */
void gate_renew(gate *g, const realm *r);

/* A connection is there, from an address: a stranger from `now_ms` on. `now_ms`
 * is any monotonic clock, the same in all calls. */
void gate_enter(gate *g,
                gate_peer *p,
                uint64_t pipe,
                const struct sockaddr_storage *address,
                uint64_t now_ms);
/* The connection has ended. Wipes its keys. */
void gate_leave(gate *g, gate_peer *p);
/* What becomes of bytes that came over the connection. *ret is set in every
 * case; ret->answer is the caller's to free, and NULL unless GATE_ANSWER. */
gate_word gate_hear(gate *g,
                    gate_peer *p,
                    uint64_t now_ms,
                    const uint8_t *data,
                    size_t size,
                    gate_heard *ret);
/* The seal of an answer to the peer, to be put behind it. False: the peer is
 * not let in, and gets no answers but the gate's own, which are sealed
 * already. */
bool gate_seal(const gate_peer *p,
               const uint8_t *data,
               size_t size,
               uint8_t seal[SEAL_SIZE]);
/* Connections to be cut off now, each told once: up to `room` of them; ask
 * until there are none. */
size_t gate_overdue(gate *g, uint64_t now_ms, uint64_t *pipes, size_t room);

/* Whether a token of this role lets its owner send messages of this kind. */
bool gate_may(seal_role role, message_kind kind);

#endif
