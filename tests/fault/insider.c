/* A peer over TCP that has a worker's token, and wants more than that gives.
 *
 *   insider URL FILE          takes two tasks, as two workers, and tries with the one what only the other may; hands both back
 *   insider URL FILE flood    says the same again and again for some seconds, without waiting for an answer
 *   insider URL FILE deaf     takes a task, asks for its scene again and again, and reads nothing any more
 *
 * Prints what came of each thing that was tried, a line each. Of the first
 * kind two runs that have begun nothing are to be there, of two scenes; of the last one run. */
#include "tests/fault/peer.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST = 101,
    SECOND = 102,
    DEAF = 103,
    FLOOD_S = 3,
    DEAF_S = 30,
    DEAF_TOLD = 50
};

static nng_socket line;
static seal_session session;
static uint64_t sequence = 10;

static nng_msg *insider_send(message *m, uint64_t worker)
{
    m->version = MESSAGE_VERSION;
    m->sender = worker;
    m->incarnation = 1;
    m->sequence = sequence++;
    peer_bytes b = peer_pack(m);
    peer_seal(&b, &session);
    nng_msg *answer = peer_exchange(line, b.data, b.size);
    free(b.data);
    return answer;
}

static void insider_try(const char *what, message m, uint64_t worker)
{
    printf("%s: ", what);
    peer_tell(insider_send(&m, worker));
}

static message_lease insider_lease(uint64_t worker, etna_arena *arena)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST}, answer;
    m.body.lease_request.slots_free = m.body.lease_request.cpus = 1;
    nng_msg *msg = insider_send(&m, worker);
    bool given = msg &&
                 !message_unpack(nng_msg_body(msg), nng_msg_len(msg), arena,
                                 &answer, NULL) &&
                 answer.kind == MESSAGE_LEASE && answer.body.lease.task_kind;
    if (!given)
        peer_fail("no task is to be had");
    nng_msg_free(msg);
    return answer.body.lease;
}

static message insider_get(const etna_hash *blob, const message_task_ref *ref)
{
    message m = {.kind = MESSAGE_BLOB_GET};
    m.body.blob_get.hash = *blob;
    if (ref)
        m.body.blob_get.ref = *ref;
    return m;
}

static message insider_put(const message_task_ref *ref)
{
    static const uint8_t some[] = "an insider's bytes";
    message m = {.kind = MESSAGE_BLOB_PUT};
    m.body.blob_put.hash = etna_hash_bytes(some, sizeof some);
    m.body.blob_put.total = m.body.blob_put.size = sizeof some;
    m.body.blob_put.data = some;
    if (ref)
        m.body.blob_put.ref = *ref;
    return m;
}

static message insider_result(message_task_ref ref, etna_code error)
{
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = ref;
    m.body.result.error = error;
    m.body.result.error_text = "planted";
    return m;
}

static void insider_call(const message_task_ref *ref, uint64_t worker)
{
    message m = {.kind = MESSAGE_CALL_BEGIN};
    m.body.call_begin.ref = *ref;
    m.body.call_begin.slot.role = ROLE_PLANNER;
    m.body.call_begin.request = etna_hash_bytes("request", 7);
    m.body.call_begin.model = "builtin";
    insider_try("a call for another's task", m, worker);
}

/* Both are said to be held by the first: it is to stop the second's. */
static void insider_hold(const message_task_ref *own,
                         const message_task_ref *other)
{
    const message_task_ref held[2] = {*own, *other};
    etna_arena arena = ETNA_ARENA_INIT;
    message m = {.kind = MESSAGE_ORDERS_REQUEST}, answer;
    m.body.orders_request.held_count = 2;
    m.body.orders_request.held = held;
    nng_msg *msg = insider_send(&m, FIRST);
    bool told = msg &&
                !message_unpack(nng_msg_body(msg), nng_msg_len(msg), &arena,
                                &answer, NULL) &&
                answer.kind == MESSAGE_ORDERS;
    const message_orders *orders = &answer.body.orders;
    bool right = told && orders->cancel_count == 1 &&
                 orders->cancel[0].task == other->task &&
                 etna_id_equal(&orders->cancel[0].run, &other->run);
    printf("another's task as held: %s\n", right ? "to be stopped" : "taken");
    if (msg)
        nng_msg_free(msg);
    etna_arena_free(&arena);
}

static void insider_try_all(void)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const message_lease own = insider_lease(FIRST, &arena),
                        other = insider_lease(SECOND, &arena);
    message_task_ref bare = own.ref, next = own.ref;
    bare.ticket = (etna_id){{0}};
    next.attempt++;
    if (etna_hash_equal(&own.scene, &other.scene))
        peer_fail("two scenes are wanted");
    insider_try("its scene", insider_get(&own.scene, &own.ref), FIRST);
    insider_try("its scene without a ticket", insider_get(&own.scene, NULL),
                FIRST);
    insider_try("another run's scene", insider_get(&other.scene, &own.ref),
                FIRST);
    insider_try("another's scene by another's ticket",
                insider_get(&other.scene, &other.ref), FIRST);
    insider_try("a blob of its task", insider_put(&own.ref), FIRST);
    insider_try("a blob of no task", insider_put(NULL), FIRST);
    insider_try("another's result", insider_result(other.ref, ETNA_E_INPUT),
                FIRST);
    insider_try("a result without a ticket", insider_result(bare, ETNA_E_INPUT),
                FIRST);
    insider_try("a result of the next attempt",
                insider_result(next, ETNA_E_INPUT), FIRST);
    insider_call(&other.ref, FIRST);
    insider_hold(&own.ref, &other.ref);
    insider_try("handed back", insider_result(own.ref, ETNA_E_CANCELLED),
                FIRST);
    insider_try("the other handed back",
                insider_result(other.ref, ETNA_E_CANCELLED), SECOND);
    etna_arena_free(&arena);
}

static void insider_flood(void)
{
    const etna_hash blob = etna_hash_bytes("none", 4);
    message m = insider_get(&blob, NULL);
    unsigned said = 0;
    m.version = MESSAGE_VERSION;
    m.sender = FIRST;
    puts("begun");
    fflush(stdout);
    for (time_t end = time(NULL) + FLOOD_S; time(NULL) < end; said++) {
        nng_msg *msg;
        m.sequence = sequence++;
        peer_bytes b = peer_pack(&m);
        peer_seal(&b, &session);
        if (nng_msg_alloc(&msg, 0) || nng_msg_append(msg, b.data, b.size))
            abort();
        if (nng_sendmsg(line, msg, 0))
            /* cut off: it is sent once it may greet again, which it does not */
            nng_msg_free(msg);
        free(b.data);
    }
    printf("said %u times\n", said);
}

/* On a thread of NNG. */
static void insider_cut_off(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    (void)pipe;
    (void)event;
    atomic_store((atomic_bool *)context, true);
}

/* The socket is raw: nothing is taken out of it but the answers to the first
 * two messages, and behind the next few the system's own buffers fill. */
static void insider_deafen(void)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const message_lease own = insider_lease(DEAF, &arena);
    message m = insider_get(&own.scene, &own.ref);
    unsigned said = 0;
    atomic_bool is_cut = false;
    m.version = MESSAGE_VERSION;
    m.sender = DEAF;
    m.incarnation = 1;
    nng_pipe_notify(line, NNG_PIPE_EV_REM_POST, insider_cut_off, &is_cut);
    for (time_t end = time(NULL) + DEAF_S;
         time(NULL) < end && !atomic_load(&is_cut); said++) {
        nng_msg *msg;
        m.sequence = sequence++;
        peer_bytes b = peer_pack(&m);
        peer_seal(&b, &session);
        if (nng_msg_alloc(&msg, 0) || nng_msg_append(msg, b.data, b.size))
            abort();
        if (!peer_send(line, msg))
            said--;
        free(b.data);
    }
    printf("%s, after %u questions or more\n",
           atomic_load(&is_cut) ? "cut off" : "suffered",
           said / DEAF_TOLD * DEAF_TOLD);
    etna_arena_free(&arena);
}

int main(int argc, char **argv)
{
    bool is_deaf = argc == 4 && !strcmp(argv[3], "deaf");
    bool floods = argc == 4 && !strcmp(argv[3], "flood");
    if (argc != 3 && !floods && !is_deaf)
        peer_fail("usage: see the insider's first comment");
    line = is_deaf ? peer_dial_raw(argv[1]) : peer_dial(argv[1]);
    session = peer_greet(line, argv[2], "worker");
    if (floods) {
        insider_flood();
    } else if (is_deaf) {
        insider_deafen();
    } else {
        insider_try_all();
    }
    fflush(stdout);
    _exit(0); /* NNG may take its time to close */
}
