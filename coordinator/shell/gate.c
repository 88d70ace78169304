/* See gate.h. */
#include "coordinator/shell/gate.h"

#include <stdlib.h>
#include <string.h>

/* Bounds for one connection. */
enum {
    /* on one connection: a client that lost track greets again */
    HELLOS_MAX = 16,
    /* messages without a right seal, until a connection is cut off */
    FAULTS_MAX = 4,
    /* bytes of a message without a seal that are looked at */
    STRANGE_MAX = 64 << 10
};

/* Each peer is in at most one of the three lists; one that was told of by
 * gate_overdue() is in none. */
struct gate {
    realm realm;
    uint64_t epoch;
    chain strangers; /* not let in, the longest there first */
    chain inside;
    chain outdated; /* let in by tokens that count no more */
    origin_salt salt;
    size_t stranger_count;
    uint32_t strangers_of[ORIGINS];
};

gate *gate_new(const realm *r, uint64_t epoch)
{
    gate *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->realm = *r;
    g->epoch = epoch;
    g->salt = origin_draw();
    chain_init(&g->strangers);
    chain_init(&g->inside);
    chain_init(&g->outdated);
    return g;
}

void gate_free(gate *g)
{
    if (!g)
        return;
    realm_forget(&g->realm);
    free(g);
}

/* Whether tokens of the generation still let anybody in. */
static bool gate_generation_counts(const gate *g, uint32_t generation)
{
    seal_key token;
    bool counts = realm_token(&g->realm, SEAL_VIEWER, generation, &token);
    seal_forget(&token, sizeof token);
    return counts;
}

void gate_renew(gate *g, const realm *r)
{
    g->realm = *r;
    for (chain *at = g->inside.next, *next; at != &g->inside; at = next) {
        gate_peer *p = CHAIN_OF(gate_peer, link, at);
        next = at->next;
        if (gate_generation_counts(g, p->generation))
            continue;
        chain_remove(&p->link);
        chain_append(&g->outdated, &p->link);
    }
}

void gate_enter(gate *g,
                gate_peer *p,
                uint64_t pipe,
                const struct sockaddr_storage *address,
                uint64_t now_ms)
{
    *p = (gate_peer){.pipe = pipe,
                     .since_ms = now_ms,
                     .origin = origin_of(&g->salt, address)};
    chain_init(&p->link);
    chain_append(&g->strangers, &p->link);
    g->stranger_count++;
    g->strangers_of[p->origin]++;
}

/* Out of whichever list it is in; the counts are of strangers alone. */
static void gate_unlink_stranger(gate *g, gate_peer *p)
{
    if (!p->let_in && !chain_empty(&p->link)) {
        g->stranger_count--;
        g->strangers_of[p->origin]--;
    }
    chain_remove(&p->link);
}

void gate_leave(gate *g, gate_peer *p)
{
    gate_unlink_stranger(g, p);
    seal_forget(p, sizeof *p);
    chain_init(&p->link);
}

/* Its first request with a right seal proves that it knows the token: a hello
 * alone proves nothing, as anybody could repeat one. */
static void gate_let_in(gate *g, gate_peer *p)
{
    if (p->let_in)
        return;
    gate_unlink_stranger(g, p);
    p->let_in = true;
    chain_append(&g->inside, &p->link);
}

/* ---- strangers ---- */

/* Told once and plainly, since most who meet this only forgot something; then
 * silence, as a flood of refusals would cost us. */
static gate_word gate_refuse(gate_peer *p,
                             const message *of,
                             const char *text,
                             gate_heard *ret)
{
    message answer = {.version = MESSAGE_VERSION,
                      .incarnation = of->incarnation,
                      .sequence = of->sequence,
                      .kind = MESSAGE_REFUSED};
    answer.body.refused = (message_refused){ETNA_E_USAGE, text};
    if (p->faults++)
        return p->faults > FAULTS_MAX ? GATE_CUT : GATE_DROP;
    return message_pack(&answer, &ret->answer, &ret->answer_size, NULL)
               ? GATE_DROP
               : GATE_ANSWER;
}

/* A message of a stranger that is no greeting. What cannot even be read as a
 * message is no peer of ours. */
static gate_word gate_take_strange(gate_peer *p,
                                   const uint8_t *data,
                                   size_t size,
                                   gate_heard *ret)
{
    message of = {.kind = MESSAGE_NONE};
    bool readable = size <= STRANGE_MAX && message_header(data, size, &of);
    if (!readable)
        return GATE_CUT;
    return gate_refuse(
        p, &of, "this coordinator wants a join file: --connect @FILE", ret);
}

/* ---- greetings ---- */

/* The answer to a right greeting, sealed by the new session's key: a peer knows
 * by it that we have the token's secret too. */
static gate_word gate_welcome(gate *g,
                              gate_peer *p,
                              const message *hello,
                              const seal_opening *opening,
                              gate_heard *ret)
{
    message answer = {.version = MESSAGE_VERSION,
                      .epoch = g->epoch,
                      .incarnation = hello->incarnation,
                      .sequence = hello->sequence,
                      .kind = MESSAGE_WELCOME};
    answer.body.welcome.nonce = opening->welcomed;
    uint8_t *data, *grown;
    size_t size;
    if (message_pack(&answer, &data, &size, NULL))
        return GATE_DROP;
    grown = realloc(data, size + SEAL_SIZE);
    if (!grown) {
        free(data);
        return GATE_DROP;
    }
    seal_make(&p->session.answers, grown, size, grown + size);
    *ret = (gate_heard){.answer = grown, .answer_size = size + SEAL_SIZE};
    return GATE_ANSWER;
}

/* Agrees on keys. A peer that greets again gets new ones and stays let in, but
 * nothing counts that is not sealed by the new ones. */
static gate_word gate_greet(gate *g,
                            gate_peer *p,
                            const message *m,
                            gate_heard *ret)
{
    const message_hello *hello = &m->body.hello;
    seal_opening opening = {.realm = g->realm.name,
                            .role = (seal_role)hello->token_kind,
                            .generation = hello->generation,
                            .epoch = g->epoch,
                            .asked = hello->nonce};
    seal_key token;
    if (++p->hellos > HELLOS_MAX)
        return GATE_CUT;
    bool known =
        !strcmp(hello->realm, g->realm.name) &&
        realm_token(&g->realm, opening.role, hello->generation, &token);
    if (!known)
        return gate_refuse(
            p, m,
            "this coordinator does not know that token: use its own join file: --connect @FILE",
            ret);
    bool drawn = seal_random(opening.welcomed.bytes);
    if (drawn) {
        p->session = seal_agree(&token, &opening);
        p->role = opening.role;
        p->generation = hello->generation;
    }
    seal_forget(&token, sizeof token);
    return drawn ? gate_welcome(g, p, m, &opening, ret) : GATE_DROP;
}

/* Counted by whole seconds of the clock: cheap, and a burst across two of them
 * may be twice the bound. */
static bool gate_says_too_much(gate_peer *p, uint64_t now_ms)
{
    uint64_t second = now_ms / 1000;
    if (second != p->second)
        p->said = 0;
    p->second = second;
    return ++p->said > GATE_RATE;
}

gate_word gate_hear(gate *g,
                    gate_peer *p,
                    uint64_t now_ms,
                    const uint8_t *data,
                    size_t size,
                    gate_heard *ret)
{
    *ret = (gate_heard){.size = 0};
    if (gate_says_too_much(p, now_ms))
        return GATE_CUT;
    if (p->role != SEAL_NOBODY &&
        seal_check(&p->session.asks, data, size, &ret->size)) {
        gate_let_in(g, p);
        return GATE_PASS;
    }
    if (size > STRANGE_MAX)
        return GATE_CUT;
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    bool greets = !message_unpack(data, size, &arena, &m, NULL) &&
                  m.kind == MESSAGE_HELLO;
    gate_word word = greets ? gate_greet(g, p, &m, ret)
                            : gate_take_strange(p, data, size, ret);
    etna_arena_free(&arena);
    return word;
}

bool gate_seal(const gate_peer *p,
               const uint8_t *data,
               size_t size,
               uint8_t seal[SEAL_SIZE])
{
    if (!p->let_in)
        return false;
    seal_make(&p->session.answers, data, size, seal);
    return true;
}

/* ---- who is cut off ---- */

/* Of the host that most strangers come from the one that was there longest.
 * There is one. */
static gate_peer *gate_most_crowding(const gate *g)
{
    uint32_t most = 0;
    for (size_t i = 0; i < ORIGINS; i++)
        most = g->strangers_of[i] > most ? g->strangers_of[i] : most;
    chain *at = g->strangers.next;
    while (g->strangers_of[CHAIN_OF(gate_peer, link, at)->origin] < most)
        at = at->next;
    return CHAIN_OF(gate_peer, link, at);
}

/* Peers of replaced tokens first, then the stranger that had its time, then one
 * of the most crowding, if there are too many. */
static gate_peer *gate_next_overdue(const gate *g, uint64_t now_ms)
{
    if (!chain_empty(&g->outdated))
        return CHAIN_OF(gate_peer, link, g->outdated.next);
    if (chain_empty(&g->strangers))
        return NULL;
    gate_peer *oldest = CHAIN_OF(gate_peer, link, g->strangers.next);
    if (now_ms - oldest->since_ms > GATE_PATIENCE_MS)
        return oldest;
    return g->stranger_count > GATE_STRANGERS_MAX ? gate_most_crowding(g)
                                                  : NULL;
}

size_t gate_overdue(gate *g, uint64_t now_ms, uint64_t *pipes, size_t room)
{
    size_t count = 0;
    for (gate_peer *p; count < room && (p = gate_next_overdue(g, now_ms));
         count++) {
        gate_unlink_stranger(g, p);
        pipes[count] = p->pipe;
    }
    return count;
}

/* ---- roles ---- */

enum {
    WORKER = 1 << SEAL_WORKER,
    SUBMITTER = 1 << SEAL_SUBMITTER,
    VIEWER = 1 << SEAL_VIEWER
};

/* A kind that is not here is nobody's. */
static const uint8_t gate_roles[MESSAGE_KIND_COUNT] = {
    [MESSAGE_LEASE_REQUEST] = WORKER,
    [MESSAGE_RESULT] = WORKER,
    [MESSAGE_ORDERS_REQUEST] = WORKER,
    [MESSAGE_CALL_BEGIN] = WORKER,
    [MESSAGE_CALL_END] = WORKER,
    [MESSAGE_CALL_FAIL] = WORKER,
    [MESSAGE_DEATH] = WORKER,
    [MESSAGE_BLOB_GET] = WORKER | SUBMITTER | VIEWER,
    [MESSAGE_BLOB_PUT] = WORKER | SUBMITTER,
    [MESSAGE_RUN_SUBMIT] = SUBMITTER,
    [MESSAGE_RUN_CANCEL] = SUBMITTER,
    [MESSAGE_RUN_SUSPEND] = SUBMITTER,
    [MESSAGE_RUN_RESUME] = SUBMITTER,
    [MESSAGE_DRAIN] = SUBMITTER,
    [MESSAGE_UPKEEP] = SUBMITTER,
    [MESSAGE_METRICS_REQUEST] = SUBMITTER | VIEWER,
    [MESSAGE_RUN_STATUS_REQUEST] = SUBMITTER | VIEWER,
    [MESSAGE_RUN_VIEW_REQUEST] = SUBMITTER | VIEWER,
    [MESSAGE_EVENTS_REQUEST] = SUBMITTER | VIEWER,
    [MESSAGE_RUNS_REQUEST] = SUBMITTER | VIEWER,
};

bool gate_may(seal_role role, message_kind kind)
{
    return kind > MESSAGE_NONE && kind < MESSAGE_KIND_COUNT &&
           (gate_roles[kind] & 1 << role) != 0;
}
