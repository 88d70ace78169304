/* Packing and unpacking give up cleanly wherever memory ends. */
#include "proto/canon.h"
#include "sample.h"
#include "tests/support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool pack_once(void *context)
{
    uint8_t *data = NULL;
    size_t size;
    etna_error err = {0};
    etna_code code = message_pack(context, &data, &size, &err);
    assert_true(code == ETNA_OK ||
                (code == ETNA_E_NOMEM && err.code == code && data == NULL));
    free(data);
    return code == ETNA_OK;
}

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static bool unpack_once(void *context)
{
    const bytes *b = context;
    etna_arena arena = ETNA_ARENA_INIT;
    message out;
    etna_error err = {0};
    etna_code code = message_unpack(b->data, b->size, &arena, &out, &err);
    etna_arena_free(&arena);
    assert_true(code == ETNA_OK || (code == ETNA_E_NOMEM && err.code == code));
    return code == ETNA_OK;
}

static bool task_once(void *context)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_arena arena = ETNA_ARENA_INIT;
    arrange_task out;
    etna_code code = arrange_task_pack(context, &data, &size, NULL);
    if (!code)
        code = arrange_task_unpack(data, size, &arena, &out, NULL);
    free(data);
    etna_arena_free(&arena);
    assert_true(code == ETNA_OK || code == ETNA_E_NOMEM);
    return code == ETNA_OK;
}

static bool canon_once(void *context)
{
    canon_writer writer = {0};
    canon_raw(&writer, context, 1000);
    canon_text(&writer, "text");
    bool ok = !writer.failed;
    canon_writer_free(&writer);
    return ok;
}

static void messages_survive_failing_allocations(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        message in = sample_message(kind);
        assert_true(torture(pack_once, &in) >= 1);
        bytes b;
        assert_int_equal(message_pack(&in, &b.data, &b.size, NULL), ETNA_OK);
        assert_true(torture(unpack_once, &b) >= 1);
        free(b.data);
    }
}

static void large_messages_survive_failing_allocations(void **state)
{
    (void)state;
    message in = sample_message(MESSAGE_BLOB_PUT);
    in.body.blob_put.size = MESSAGE_CHUNK;
    in.body.blob_put.total = MESSAGE_CHUNK + in.body.blob_put.offset;
    in.body.blob_put.data = calloc(1, MESSAGE_CHUNK);
    bytes b;
    assert_int_equal(message_pack(&in, &b.data, &b.size, NULL), ETNA_OK);
    assert_true(torture(unpack_once, &b) >= 3);
    free(b.data);
    union {
        const uint8_t *in;
        uint8_t *out;
    } data = {.in = in.body.blob_put.data};
    free(data.out);
}

static void payloads_and_canonical_bytes_survive_failing_allocations(
    void **state)
{
    (void)state;
    arrange_task task = sample_task();
    assert_true(torture(task_once, &task) >= 3);
    static uint8_t block[1000];
    assert_true(torture(canon_once, block) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_survive_failing_allocations),
        cmocka_unit_test(large_messages_survive_failing_allocations),
        cmocka_unit_test(
            payloads_and_canonical_bytes_survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
