/* Messages survive the wire whole, and nothing malformed gets through. */
#include "compare.h"
#include "proto/array.h"
#include "proto/message.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static etna_code through(const message *in, etna_arena *arena, message *ret)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_error err;
    etna_code code = message_pack(in, &data, &size, &err);
    if (!code)
        code = message_unpack(data, size, arena, ret, &err);
    free(data);
    return code;
}

static void every_body_comes_back_with_every_field(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        etna_arena arena = ETNA_ARENA_INIT;
        message in = sample_message(kind), out;
        assert_int_equal(through(&in, &arena, &out), ETNA_OK);
        assert_int_equal(out.kind, kind);
        assert_null(compare_shape(&message_envelope_shape, &in, &out));
        assert_null(
            compare_shape(message_body_shape(kind), &in.body, &out.body));
        etna_arena_free(&arena);
    }
}

static void nothing_is_leased_without_a_task(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message in = sample_message(MESSAGE_LEASE), out;
    memset(&in.body, 0, sizeof in.body);
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    assert_int_equal(out.body.lease.task_kind, 0);
    in.body.lease.task_kind = 1;
    /* a task without a name */
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    etna_arena_free(&arena);
}

static void every_prefix_is_refused_or_well_formed(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < MESSAGE_KIND_COUNT; kind++) {
        message in = sample_message(kind), out;
        uint8_t *data;
        size_t size;
        assert_int_equal(message_pack(&in, &data, &size, NULL), ETNA_OK);
        for (size_t n = 0; n < size; n++) {
            etna_arena arena = ETNA_ARENA_INIT;
            /* of its exact size, so that the sanitizer sees a read past it */
            uint8_t *cut = malloc(n ? n : 1);
            memcpy(cut, data, n);
            memset(&out, 0xa5, sizeof out);
            message before = out;
            etna_error err = {0};
            if (message_unpack(cut, n, &arena, &out, &err)) {
                assert_memory_equal(&out, &before, sizeof out);
                assert_int_not_equal(err.code, ETNA_OK);
                assert_true(err.text[0]);
            }
            free(cut);
            etna_arena_free(&arena);
        }
        free(data);
    }
}

static void garbage_is_refused_or_well_formed(void **state)
{
    (void)state;
    etna_random random = etna_random_from(2);
    uint32_t passed = 0;
    for (int round = 0; round < 20000; round++) {
        message in = sample_message(
                    (message_kind)(1 + etna_random_below(
                                           &random, MESSAGE_KIND_COUNT - 1))),
                out;
        uint8_t *data;
        size_t size;
        assert_int_equal(message_pack(&in, &data, &size, NULL), ETNA_OK);
        uint64_t changes = 1 + etna_random_below(&random, 4);
        for (uint64_t i = 0; i < changes; i++) {
            data[etna_random_below(&random, size)] =
                (uint8_t)etna_random_next(&random);
        }
        etna_arena arena = ETNA_ARENA_INIT;
        if (!message_unpack(data, size, &arena, &out, NULL)) {
            uint8_t *again;
            size_t again_size;
            assert_int_equal(message_pack(&out, &again, &again_size, NULL),
                             ETNA_OK); /* what came through is packable */
            free(again);
            passed++;
        }
        free(data);
        etna_arena_free(&arena);
    }
    assert_in_range(passed, 100, 19900); /* both ways were taken */
}

static void bounds_hold_in_both_directions(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    static etna_hash warm[MESSAGE_WARM_MAX + 1];
    message in = sample_message(MESSAGE_LEASE_REQUEST), out;
    in.body.lease_request.warm = warm;
    in.body.lease_request.warm_count = MESSAGE_WARM_MAX;
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    in.body.lease_request.warm_count++;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);

    char *text = calloc(1, MESSAGE_TEXT_MAX + 2);
    memset(text, 'x', MESSAGE_TEXT_MAX);
    in = sample_message(MESSAGE_REFUSED);
    in.body.refused.text = text;
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    assert_string_equal(out.body.refused.text, text);
    text[MESSAGE_TEXT_MAX] = 'x';
    assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);
    free(text);

    uint8_t *chunk = calloc(1, MESSAGE_CHUNK + 1);
    in = sample_message(MESSAGE_BLOB_PUT);
    in.body.blob_put = (message_blob_chunk){
        .hash = sample_hash(1), 1u << 30, 0, chunk, MESSAGE_CHUNK};
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    assert_int_equal(out.body.blob_put.size, MESSAGE_CHUNK);
    in.body.blob_put.size++;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);
    free(chunk);
    etna_arena_free(&arena);
}

static void full_lists_fit_the_byte_budget(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message_task_ref *held = calloc(MESSAGE_ORDERS_MAX + 1, sizeof *held);
    message in = sample_message(MESSAGE_ORDERS_REQUEST), out;
    for (int i = 0; i <= MESSAGE_ORDERS_MAX; i++)
        held[i] = in.body.orders_request.held[0];
    in.body.orders_request = (message_orders_request){
        .held_count = MESSAGE_ORDERS_MAX, .held = held};
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    assert_int_equal(out.body.orders_request.held_count, MESSAGE_ORDERS_MAX);
    in.body.orders_request.held_count++;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);
    free(held);

    message_event *events = calloc(MESSAGE_EVENTS_MAX, sizeof *events);
    for (int i = 0; i < MESSAGE_EVENTS_MAX; i++)
        events[i] = (message_event){.sequence = (uint64_t)i, .line = "x"};
    in = sample_message(MESSAGE_EVENTS);
    in.body.events = (message_events){MESSAGE_EVENTS_MAX, events, RUN_RUNNING};
    assert_int_equal(through(&in, &arena, &out), ETNA_OK);
    assert_int_equal(out.body.events.count, MESSAGE_EVENTS_MAX);
    free(events);
    etna_arena_free(&arena);
}

static void values_outside_their_range_are_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message out, in = sample_message(MESSAGE_CALL_ANSWER);
    in.body.call_answer.verdict = 0;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    in.body.call_answer.verdict = CALL_STOP + 1;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    in = sample_message(MESSAGE_RESULT);
    in.body.result.error = ETNA_E_COUNT;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    in = sample_message(MESSAGE_REFUSED);
    in.body.refused.text = "\xc0\x80";
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    in = sample_message(MESSAGE_BLOB_CHUNK);
    in.body.blob_chunk.total =
        in.body.blob_chunk.offset + in.body.blob_chunk.size - 1;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    in.body.blob_chunk.offset = UINT64_MAX;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    etna_arena_free(&arena);
}

/* Whoever adds up what millions of calls say they used comes to no end of its
 * numbers. */
static void no_sum_of_usages_comes_round(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message out, in = sample_message(MESSAGE_CALL_END);
    message_usage *said = &in.body.call_end.usage;
    uint64_t *const wide[] = {&said->tokens_in,        &said->tokens_out,
                              &said->tokens_cached,    &said->tokens_written,
                              &said->tokens_reasoning, &said->cost_micros,
                              &said->bytes_sent};
    uint32_t *const narrow[] = {&said->calls, &said->images_sent};
    for (size_t i = 0; i < COUNT_OF(wide); i++) {
        const uint64_t kept = *wide[i];
        *wide[i] = MESSAGE_USAGE_MOST;
        assert_int_equal(through(&in, &arena, &out), ETNA_OK);
        *wide[i] = MESSAGE_USAGE_MOST + 1;
        assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);
        *wide[i] = kept;
    }
    for (size_t i = 0; i < COUNT_OF(narrow); i++) {
        const uint32_t kept = *narrow[i];
        *narrow[i] = MESSAGE_CALLS_MOST;
        assert_int_equal(through(&in, &arena, &out), ETNA_OK);
        *narrow[i] = MESSAGE_CALLS_MOST + 1;
        assert_int_equal(through(&in, &arena, &out), ETNA_E_LIMIT);
        *narrow[i] = kept;
    }
    etna_arena_free(&arena);
}

static void a_newer_version_is_named(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message out, in = sample_message(MESSAGE_CALL_ACK);
    in.version = MESSAGE_VERSION + 1;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_NEWER);
    in.version = 0;
    assert_int_equal(through(&in, &arena, &out), ETNA_E_MESSAGE);
    etna_arena_free(&arena);
}

/* Who sent what cannot be read is known, so that the refusal reaches its
 * request. */
static void a_refused_message_still_says_whose_it_is(void **state)
{
    (void)state;
    uint8_t *data;
    size_t size;
    message out = {.kind = MESSAGE_LEASE},
            in = sample_message(MESSAGE_CALL_ACK);
    in.version = MESSAGE_VERSION + 1;
    in.sender = 11;
    in.incarnation = 12;
    in.sequence = 13;
    assert_int_equal(message_pack(&in, &data, &size, NULL), ETNA_OK);
    assert_true(message_header(data, size, &out));
    assert_int_equal(out.kind, MESSAGE_NONE);
    assert_true(out.version == MESSAGE_VERSION + 1 && out.sender == 11 &&
                out.incarnation == 12 && out.sequence == 13);
    out.sequence = 14;
    assert_false(message_header((const uint8_t *)"\xff\xff", 2, &out));
    assert_int_equal(out.sequence, 14);
    free(data);
}

static void two_bodies_or_none_are_refused(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    message out, a = sample_message(MESSAGE_CALL_ACK),
                 b = sample_message(MESSAGE_BLOB_GET);
    uint8_t *x, *y;
    size_t n, m;
    assert_int_equal(message_pack(&a, &x, &n, NULL), ETNA_OK);
    assert_int_equal(message_pack(&b, &y, &m, NULL), ETNA_OK);
    uint8_t *both = malloc(n + m); /* protobuf merges what is concatenated */
    memcpy(both, x, n);
    memcpy(both + n, y, m);
    assert_int_equal(message_unpack(both, n + m, &arena, &out, NULL),
                     ETNA_E_MESSAGE);
    static const uint8_t no_body[] = {0x08, 0x01};
    assert_int_equal(
        message_unpack(no_body, sizeof no_body, &arena, &out, NULL),
        ETNA_E_MESSAGE);
    assert_int_equal(message_unpack(NULL, 0, &arena, &out, NULL),
                     ETNA_E_MESSAGE);
    free(x);
    free(y);
    free(both);
    etna_arena_free(&arena);
}

static void a_message_that_asks_for_too_much_memory_is_refused(void **state)
{
    (void)state;
    /* 2 MiB of two-byte empty elements of Events.events: 16 bytes and more of
     * memory for each two. */
    size_t size = MESSAGE_MAX;
    uint8_t *data = malloc(size);
    size_t at = 0, body = size - 2 - 2 - 4;
    data[at++] = 0x08, data[at++] = 0x01; /* version 1 */
    data[at++] = 0x9a, data[at++] = 0x02; /* field 35, bytes */
    for (int i = 0; i < 4; i++)
        data[at++] = (uint8_t)((body >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0));
    while (at + 1 < size)
        data[at++] = 0x0a, data[at++] = 0x00;
    assert_int_equal(at, size);
    etna_arena arena = ETNA_ARENA_INIT;
    message out;
    assert_int_equal(message_unpack(data, size, &arena, &out, NULL),
                     ETNA_E_MESSAGE);
    assert_int_equal(message_unpack(data, size + 1, &arena, &out, NULL),
                     ETNA_E_LIMIT);
    assert_int_equal(arena.used, 0);
    free(data);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_comes_back_with_every_field),
        cmocka_unit_test(nothing_is_leased_without_a_task),
        cmocka_unit_test(every_prefix_is_refused_or_well_formed),
        cmocka_unit_test(garbage_is_refused_or_well_formed),
        cmocka_unit_test(bounds_hold_in_both_directions),
        cmocka_unit_test(full_lists_fit_the_byte_budget),
        cmocka_unit_test(values_outside_their_range_are_refused),
        cmocka_unit_test(no_sum_of_usages_comes_round),
        cmocka_unit_test(a_newer_version_is_named),
        cmocka_unit_test(a_refused_message_still_says_whose_it_is),
        cmocka_unit_test(two_bodies_or_none_are_refused),
        cmocka_unit_test(a_message_that_asks_for_too_much_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
