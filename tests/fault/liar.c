/* A worker over TCP with a right token and right tickets, which answers each
 * task at once and wrongly: with numbers at their ends, texts at their bounds,
 * snapshots and results that are none, results said twice, calls of slots that
 * nobody has.
 *
 *   liar URL FILE TASKS [SEED]    lies about so many tasks
 *   liar URL FILE calls N         takes one task, begins and ends N calls of it,
 *                                 dearer than all money there is, and hands it
 *                                 back
 *
 * Prints how often it was answered how. */
#include "proto/arrange.h"
#include "proto/canon.h"
#include "proto/seed.h"
#include "tests/fault/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LIAR = 301,
    TEXT_ROOM = 17 << 10,
    ANSWERS = 64,
    TWICE = 8
};

static nng_socket line;
static seal_session session;
static uint64_t sequence = 10, started = 1;
static etna_random chance;
static unsigned answers[ANSWERS], silences;

static uint64_t liar_below(uint64_t below)
{
    return etna_random_below(&chance, below);
}

/* NULL: nothing came. Else the caller's. */
static nng_msg *liar_send(message *m)
{
    m->version = MESSAGE_VERSION;
    m->sender = LIAR;
    m->incarnation = started;
    m->sequence = sequence++;
    peer_bytes b = peer_pack(m);
    peer_seal(&b, &session);
    nng_msg *answer = peer_exchange(line, b.data, b.size);
    free(b.data);
    return answer;
}

static message_kind liar_say(message *m)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message answer = {.kind = MESSAGE_NONE};
    nng_msg *msg = liar_send(m);
    if (!msg) {
        silences++;
        return MESSAGE_NONE;
    }
    if (message_unpack(nng_msg_body(msg), nng_msg_len(msg), &arena, &answer,
                       NULL))
        answer.kind = MESSAGE_NONE;
    answers[answer.kind]++;
    nng_msg_free(msg);
    etna_arena_free(&arena);
    return answer.kind;
}

/* False: there was none. */
static bool liar_lease(etna_arena *arena, message_lease *ret)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST}, answer;
    m.body.lease_request.slots_free = 1;
    m.body.lease_request.cpus = UINT32_MAX;
    m.body.lease_request.most = 1;
    nng_msg *msg = liar_send(&m);
    bool is_given = msg &&
                    !message_unpack(nng_msg_body(msg), nng_msg_len(msg), arena,
                                    &answer, NULL) &&
                    answer.kind == MESSAGE_LEASE && answer.body.lease.task_kind;
    if (is_given)
        *ret = answer.body.lease;
    if (msg)
        nng_msg_free(msg);
    return is_given;
}

static void liar_put(const message_task_ref *ref,
                     const uint8_t *data,
                     size_t size,
                     etna_hash *ret)
{
    message m = {.kind = MESSAGE_BLOB_PUT};
    *ret = etna_hash_bytes(data, size);
    m.body.blob_put.hash = *ret;
    m.body.blob_put.total = m.body.blob_put.size = size;
    m.body.blob_put.data = data;
    m.body.blob_put.ref = *ref;
    liar_say(&m);
}

/* ---- lies ---- */

/* Of the snapshot that the task begins with. */
static uint32_t liar_objects(const arrange_task *task,
                             const message_task_ref *ref)
{
    enum {
        COUNT_AT = 8 + 32 + 32
    };
    message m = {.kind = MESSAGE_BLOB_GET}, answer;
    etna_arena arena = ETNA_ARENA_INIT;
    uint32_t count = (uint32_t)liar_below(20);
    if (etna_hash_is_zero(&task->snapshot))
        return count;
    m.body.blob_get.hash = task->snapshot;
    m.body.blob_get.ref = *ref;
    nng_msg *msg = liar_send(&m);
    bool is_there = msg &&
                    !message_unpack(nng_msg_body(msg), nng_msg_len(msg), &arena,
                                    &answer, NULL) &&
                    answer.kind == MESSAGE_BLOB_CHUNK &&
                    answer.body.blob_chunk.size >= COUNT_AT + sizeof count;
    if (is_there)
        memcpy(&count, answer.body.blob_chunk.data + COUNT_AT, sizeof count);
    if (msg)
        nng_msg_free(msg);
    etna_arena_free(&arena);
    return count;
}

/* As scene/snapshot.c has it, of object 0, which stands nowhere. */
static void liar_snapshot(const arrange_task *task,
                          const message_task_ref *ref,
                          etna_hash *ret)
{
    static const double odd[] = {NAN, INFINITY, 1e308, -1e308, 5e-324, -0.0};
    canon_writer w = {0};
    const double value = odd[liar_below(sizeof odd / sizeof *odd)];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    canon_raw(&w, "ETNASNP1", 8);
    canon_hash(&w, &task->scene);
    canon_hash(&w, &task->snapshot);
    canon_u32(&w, liar_objects(task, ref));
    canon_u32(&w, liar_below(3) ? 1 : UINT32_MAX);
    canon_u32(&w, liar_below(3) ? 0 : UINT32_MAX);
    for (int i = 0; i < 4; i++)
        canon_u64(&w, bits);
    canon_u8(&w, (uint8_t)liar_below(256));
    if (w.failed)
        abort();
    liar_put(ref, w.data, w.size, ret);
    canon_writer_free(&w);
}

static void liar_garbage(const message_task_ref *ref, etna_hash *ret)
{
    uint8_t bytes[900];
    size_t size = 1 + liar_below(sizeof bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)liar_below(256);
    liar_put(ref, bytes, size, ret);
}

static const char *liar_text(char *room, size_t most)
{
    static const char *const parts[] = {
        "[",    "{\"a\":", "\"", "\\u0000", "<script>", "\xe2\x80\xae",
        "%s%n", "../",     "\n", "'; --",   "\x1b[2J",  "1e999,"};
    const char *part = parts[liar_below(sizeof parts / sizeof *parts)];
    size_t size = strlen(part), at = 0;
    const size_t wanted = liar_below(4) ? liar_below(most) : most;
    for (; at + size <= wanted; at += size)
        memcpy(room + at, part, size);
    room[at] = 0;
    return room;
}

static double liar_number(void)
{
    static const double odd[] = {0, -0.0, 1e308, -1e308, 5e-324, 0.5, -7};
    return odd[liar_below(sizeof odd / sizeof *odd)];
}

static uint32_t liar_count(void)
{
    return liar_below(2) ? UINT32_MAX : (uint32_t)liar_below(1000);
}

/* As much as one may say. */
static const message_usage most_money = {.tokens_in = MESSAGE_USAGE_MOST,
                                         .tokens_out = MESSAGE_USAGE_MOST,
                                         .tokens_cached = MESSAGE_USAGE_MOST,
                                         .tokens_reasoning = MESSAGE_USAGE_MOST,
                                         .cost_micros = MESSAGE_USAGE_MOST,
                                         .calls = MESSAGE_CALLS_MOST,
                                         .tokens_written = MESSAGE_USAGE_MOST,
                                         .bytes_sent = MESSAGE_USAGE_MOST,
                                         .images_sent = MESSAGE_CALLS_MOST};

/* Of the task's kind, so that it is not refused for that. */
static arrange_result liar_result(const arrange_task *task,
                                  const message_task_ref *ref)
{
    static char texts[8][TEXT_ROOM];
    static const char *warnings[ARRANGE_WARNINGS_MAX];
    arrange_result r = {.kind = task->kind, .used = most_money};
    const bool has_snapshot =
        task->kind == TASK_IMPORT || task->kind == TASK_BRANCH;
    if (has_snapshot && liar_below(2)) {
        liar_snapshot(task, ref, &r.snapshot);
    } else if (has_snapshot) {
        liar_garbage(ref, &r.snapshot);
    } else {
        liar_garbage(ref, &r.blob);
    }
    r.object_count = liar_count();
    r.movable_count = liar_count();
    r.warning_count = (uint32_t)liar_below(ARRANGE_WARNINGS_MAX + 1);
    for (uint32_t i = 0; i < r.warning_count; i++)
        warnings[i] = liar_text(texts[0], ARRANGE_REASON_MAX);
    r.warnings = warnings;
    r.camera = liar_text(texts[1], ARRANGE_NAME_MAX);
    r.plan_status = 1 + (uint32_t)liar_below(PLAN_MALFORMED);
    r.instruction = liar_text(texts[2], ARRANGE_INSTRUCTION_MAX);
    r.coordinate[0] = liar_number();
    r.coordinate[1] = liar_number();
    r.reason = liar_text(texts[3], ARRANGE_REASON_MAX);
    r.branch_status = 1 + (uint32_t)liar_below(BRANCH_REPEATED);
    r.object = liar_text(texts[4], ARRANGE_NAME_MAX);
    r.plane = liar_text(texts[5], ARRANGE_NAME_MAX);
    for (int i = 0; i < 3; i++)
        r.pose.position[i] = liar_number();
    r.pose.yaw = liar_number();
    r.loss = liar_number();
    r.candidates = liar_count();
    r.survivors = liar_count();
    r.collision_checks = liar_count();
    r.constraints = liar_text(texts[6], ARRANGE_CONSTRAINTS_MAX);
    r.verdict = (uint32_t)liar_below(VERDICT_EXCELLENT + 1);
    r.meaning = liar_text(texts[7], ARRANGE_MEANING_MAX);
    r.elsewhere = liar_number();
    return r;
}

/* Asks for as many as there may be, of which it knows nothing afterwards. */
static void liar_hand_in(const message_task_ref *ref,
                         const uint8_t *payload,
                         size_t size)
{
    message_further_result more[TWICE];
    message m = {.kind = MESSAGE_RESULT};
    m.body.result =
        (message_result){.ref = *ref,
                         .payload = payload,
                         .payload_size = size,
                         .slots_free = liar_below(9) ? 0 : UINT32_MAX,
                         .cpu_us = UINT64_MAX};
    m.body.result.more = more;
    m.body.result.more_count = (uint32_t)liar_below(TWICE + 1);
    for (uint32_t i = 0; i < m.body.result.more_count; i++)
        more[i] =
            (message_further_result){.ref = *ref,
                                     .error = i % 2 ? ETNA_E_INPUT : ETNA_OK,
                                     .error_text = i % 2 ? "twice" : NULL,
                                     .payload = i % 2 ? NULL : payload,
                                     .payload_size = i % 2 ? 0 : size,
                                     .cpu_us = UINT64_MAX};
    liar_say(&m);
}

static message liar_call(message_kind kind,
                         const message_task_ref *ref,
                         const etna_slot *slot)
{
    message m = {.kind = kind};
    etna_hash request = etna_hash_bytes(slot, sizeof *slot);
    if (kind == MESSAGE_CALL_BEGIN) {
        m.body.call_begin = (message_call_begin){.ref = *ref,
                                                 .slot = *slot,
                                                 .request = request,
                                                 .estimate = most_money,
                                                 .model = "builtin"};
    } else {
        m.body.call_end = (message_call_end){.ref = *ref,
                                             .slot = *slot,
                                             .request = request,
                                             .usage = most_money,
                                             .model = "builtin"};
    }
    return m;
}

static void liar_calls(const message_task_ref *ref, uint32_t count)
{
    etna_hash reply;
    liar_garbage(ref, &reply);
    for (uint32_t i = 0; i < count; i++) {
        const etna_slot slot = {i % 3 ? i : UINT32_MAX - i,
                                liar_count(),
                                (uint32_t)liar_below(ROLE_COUNT),
                                liar_count(),
                                i,
                                liar_count()};
        message begin = liar_call(MESSAGE_CALL_BEGIN, ref, &slot),
                end = liar_call(MESSAGE_CALL_END, ref, &slot);
        end.body.call_end.reply = reply;
        if (i % 5)
            liar_say(&begin);
        if (i % 7)
            liar_say(&end);
    }
}

static void liar_hold(const message_task_ref *ref)
{
    static message_task_ref held[MESSAGE_ORDERS_MAX];
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    for (uint32_t i = 0; i < MESSAGE_ORDERS_MAX; i++)
        held[i] = *ref;
    held[1].attempt = UINT32_MAX;
    held[2].task = UINT64_MAX;
    m.body.orders_request.held = held;
    m.body.orders_request.held_count = MESSAGE_ORDERS_MAX;
    m.body.orders_request.heard_below = UINT64_MAX;
    m.body.orders_request.leaving = false;
    liar_say(&m);
}

static void liar_lie(const message_lease *lease)
{
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_task task;
    uint8_t *payload = NULL;
    size_t size = 0;
    if (arrange_task_unpack(lease->payload, lease->payload_size, &arena, &task,
                            NULL))
        peer_fail("a task does not unpack");
    const arrange_result r = liar_result(&task, &lease->ref);
    if (!liar_below(4))
        liar_hold(&lease->ref);
    if (!liar_below(3))
        liar_calls(&lease->ref, 5);
    /* half of it is changed on its way */
    if (!arrange_result_pack(&r, &payload, &size, NULL)) {
        for (uint64_t n = liar_below(2) * liar_below(9); n; n--)
            payload[liar_below(size)] ^= (uint8_t)(1u << liar_below(8));
        liar_hand_in(&lease->ref, payload, size);
    }
    free(payload);
    etna_arena_free(&arena);
}

static void liar_hand_back(const message_task_ref *ref)
{
    message m = {.kind = MESSAGE_RESULT};
    m.body.result.ref = *ref;
    m.body.result.error = ETNA_E_CANCELLED;
    m.body.result.error_text = "enough";
    liar_say(&m);
}

static void liar_tell(void)
{
    for (int i = 0; i < ANSWERS; i++) {
        if (answers[i])
            printf("%s %u, ", i ? message_kind_name((message_kind)i) : "broken",
                   answers[i]);
    }
    printf("silence %u\n", silences);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        peer_fail("usage: see the liar's first comment");
    bool calls = !strcmp(argv[3], "calls");
    uint32_t count = (uint32_t)atoi(argv[calls && argc > 4 ? 4 : 3]);
    chance = etna_random_from(!calls && argc > 4 ? (uint64_t)atoi(argv[4]) : 1);
    started = !calls && argc > 4 ? 1 + (uint64_t)atoi(argv[4]) : 100;
    line = peer_dial(argv[1]);
    session = peer_greet(line, argv[2], "worker");
    uint32_t lied = 0;
    for (uint32_t i = 0; i < (calls ? 1 : count); i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        message_lease lease;
        bool is_given = liar_lease(&arena, &lease);
        lied += is_given;
        if (is_given && calls) {
            liar_calls(&lease.ref, count);
            liar_hand_back(&lease.ref);
        } else if (is_given && lease.task_kind == TASK_IMPORT && i % 8) {
            liar_hand_back(&lease.ref); /* else nothing would follow */
        } else if (is_given) {
            liar_lie(&lease);
        }
        etna_arena_free(&arena);
    }
    printf("tasks %u, ", lied);
    liar_tell();
    _exit(0); /* NNG may take its time to close */
}
