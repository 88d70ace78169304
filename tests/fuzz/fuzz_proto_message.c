/* Messages from the network: whatever comes through unpacking can be packed and
 * comes through again. */
#include "proto/arrange.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (!message_unpack(data, size, &arena, &m, NULL)) {
        uint8_t *again;
        size_t again_size;
        message twice;
        if (message_pack(&m, &again, &again_size, NULL))
            abort();
        if (message_unpack(again, again_size, &arena, &twice, NULL) ||
            twice.kind != m.kind)
            abort();
        free(again);
    }
    etna_arena_free(&arena);
    return 0;
}

static void add_message(void (*add)(const void *, size_t), message *m)
{
    uint8_t *data;
    size_t size;
    m->version = MESSAGE_VERSION;
    m->sequence = 5;
    if (message_pack(m, &data, &size, NULL))
        abort();
    add(data, size);
    free(data);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const etna_hash hashes[2] = {{{1}}, {{2}}};
    static const message_task_ref refs[2] = {{.run = {{1}}, 2, 3, {{9}}},
                                             {.run = {{1}}, 4, 1}};
    static const message_event events[2] = {
        {.sequence = 1, .time_ms = 2, .line = "planned"},
        {.sequence = 2, .time_ms = 3, .line = "done"}};
    static const uint8_t bytes[40] = {1, 2, 3};
    const message_further_result further = {
        .ref = refs[1], .payload = bytes, .payload_size = 3};
    const message_lease leases[2] = {
        {.task_kind = TASK_POLL, refs[0], hashes[0], bytes, sizeof bytes},
        {.task_kind = TASK_PLAN, refs[1], hashes[0], bytes, 1}};
    message m;
    memset(&m, 0, sizeof m);
    m.kind = MESSAGE_LEASE_REQUEST;
    m.body.lease_request = (message_lease_request){3, 8, 2, hashes, "0.1.0", 3};
    add_message(add, &m);
    m.kind = MESSAGE_LEASE;
    m.body.lease = (message_lease){
        .task_kind = TASK_POLL, refs[0], hashes[0], bytes, sizeof bytes};
    add_message(add, &m);
    m.kind = MESSAGE_RESULT;
    m.body.result = (message_result){
        refs[0], ETNA_E_INPUT, "text", bytes, sizeof bytes, 3, 2, hashes,
        1,       &further,     50};
    add_message(add, &m);
    m.kind = MESSAGE_LEASES;
    m.body.leases = (message_leases){2, leases};
    add_message(add, &m);
    m.kind = MESSAGE_ORDERS;
    m.body.orders = (message_orders){2, refs, true};
    add_message(add, &m);
    m.kind = MESSAGE_CALL_END;
    m.body.call_end = (message_call_end){refs[0],
                                         {1, 2, 3, 4, 5, 6},
                                         hashes[0],
                                         hashes[1],
                                         {1, 2, 3, 4, 5, 6, 7, 8, 9},
                                         "builtin",
                                         1,
                                         2};
    add_message(add, &m);
    m.kind = MESSAGE_BLOB_PUT;
    m.body.blob_put =
        (message_blob_chunk){.hash = hashes[0], 100, 10, bytes, sizeof bytes};
    add_message(add, &m);
    m.kind = MESSAGE_EVENTS;
    m.body.events = (message_events){2, events, RUN_RUNNING};
    add_message(add, &m);
}
