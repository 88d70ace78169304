/* Allocation failures in what the shell does with memory of its own: the N-th
 * allocation fails, for all N. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/blobs.h"
#include "coordinator/shell/gate.h"
#include "proto/greeting.h"
#include "tests/support/torture.h"

#include <stdlib.h>
#include <string.h>

static bool pass_blobs(void *context)
{
    (void)context;
    static uint8_t data[3000];
    blobs_limits limits = blobs_limits_default();
    store *s;
    blobs *b = NULL;
    uint64_t received;
    uint8_t *whole = NULL;
    store_group *group;
    message_blob_chunk chunk = {
        .hash = etna_hash_bytes(data, sizeof data), sizeof data, 0, data, 1000};
    if (store_open_memory(&s, NULL))
        return false;
    etna_code code = blobs_new(s, &limits, &b, NULL);
    for (uint64_t at = 0; !code && at < sizeof data; at += 1000) {
        chunk.offset = at;
        chunk.data = data + at;
        code = blobs_put(b, &chunk, 1, &received, &whole, NULL);
    }
    if (!code)
        code = store_group_begin(s, &group, NULL);
    if (!code) {
        code = store_put_blob(group, &chunk.hash, whole, sizeof data, NULL);
        if (code)
            store_group_abandon(group);
        if (!code)
            code = store_group_commit(group, NULL);
    }
    free(whole);
    message_blob_get get = {.hash = chunk.hash, 0};
    if (!code)
        code = blobs_get(b, &get, &chunk, NULL);
    blobs_free(b);
    store_close(s);
    return !code;
}

static void blobs_under_way_report_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(torture(pass_blobs, NULL) > 8);
}

/* A greeting and its welcome. Where memory ends the hello gets no answer, and
 * is said again. */
static bool pass_gate(void *context)
{
    (void)context;
    const realm r = {.name = "r", .generation = 1};
    const struct sockaddr_storage here = {.ss_family = AF_UNSPEC};
    const message frame = {.sender = 4, .sequence = 11};
    join j;
    greeting g;
    gate_peer peer;
    gate_heard heard = {.answer = NULL};
    seal_session session;
    uint64_t epoch;
    uint8_t *hello = NULL;
    size_t size = 0;
    gate *it = gate_new(&r, 1);
    if (!it)
        return false;
    realm_join(&r, "tcp://127.0.0.1:1", &j);
    gate_enter(it, &peer, 1, &here, 0);
    bool welcome =
        !greeting_begin(&j, SEAL_WORKER, &frame, &g, &hello, &size, NULL) &&
        gate_hear(it, &peer, 0, hello, size, &heard) == GATE_ANSWER &&
        !greeting_end(&j, &g, 0, heard.answer, heard.answer_size, &session,
                      &epoch, NULL);
    free(heard.answer);
    free(hello);
    gate_leave(it, &peer);
    gate_free(it);
    return welcome;
}

static void the_gate_reports_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(torture(pass_gate, NULL) > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blobs_under_way_report_every_failed_allocation),
        cmocka_unit_test(the_gate_reports_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
