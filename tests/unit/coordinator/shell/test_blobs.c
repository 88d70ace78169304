/* Blobs over the wire: chunks in order, bounded, hashed; what lies or comes
 * twice does no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/blobs.h"

#include <stdlib.h>
#include <string.h>

#define ok(expression) assert_int_equal((expression), ETNA_OK)

typedef struct fixture {
    store *s;
    blobs *b;
    uint8_t *data;
    etna_hash hash;
} fixture;

enum {
    SIZE = 5 * MESSAGE_CHUNK / 2
};

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    blobs_limits limits = blobs_limits_default();
    limits.assemblies = 3;
    limits.assembly_bytes = 8 * MESSAGE_CHUNK;
    limits.offer_bytes = 4 * MESSAGE_CHUNK;
    ok(store_open_memory(&f->s, NULL));
    ok(blobs_new(f->s, &limits, &f->b, NULL));
    f->data = malloc(SIZE);
    assert_non_null(f->data);
    etna_random random = etna_random_from(4);
    for (size_t i = 0; i < SIZE; i++)
        f->data[i] = (uint8_t)etna_random_next(&random);
    f->hash = etna_hash_bytes(f->data, SIZE);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    blobs_free(f->b);
    store_close(f->s);
    free(f->data);
    free(f);
    return 0;
}

static etna_code put(fixture *f,
                     uint64_t offset,
                     size_t size,
                     uint64_t *received,
                     uint8_t **whole)
{
    message_blob_chunk chunk = {
        .hash = f->hash, SIZE, offset, f->data + offset, size};
    return blobs_put(f->b, &chunk, 1, received, whole, NULL);
}

static void keep(fixture *f, uint8_t *whole, size_t size)
{
    store_group *group;
    etna_hash hash = etna_hash_bytes(whole, size);
    ok(store_group_begin(f->s, &group, NULL));
    ok(store_put_blob(group, &hash, whole, size, NULL));
    ok(store_group_commit(group, NULL));
}

static void chunks_in_order_become_the_blob(void **state)
{
    fixture *f = *state;
    uint64_t received;
    uint8_t *whole;
    ok(put(f, 0, MESSAGE_CHUNK, &received, &whole));
    assert_int_equal(received, MESSAGE_CHUNK);
    assert_null(whole);
    ok(put(f, 0, MESSAGE_CHUNK, &received, &whole)); /* twice */
    assert_int_equal(received, MESSAGE_CHUNK);
    /* one is missing */
    ok(put(f, 2 * MESSAGE_CHUNK, SIZE - 2 * MESSAGE_CHUNK, &received, &whole));
    assert_int_equal(received, MESSAGE_CHUNK);
    ok(put(f, MESSAGE_CHUNK, MESSAGE_CHUNK, &received, &whole));
    ok(put(f, 2 * MESSAGE_CHUNK, SIZE - 2 * MESSAGE_CHUNK, &received, &whole));
    assert_int_equal(received, SIZE);
    assert_non_null(whole);
    assert_memory_equal(whole, f->data, SIZE);
    keep(f, whole, SIZE);
    free(whole);
    ok(put(f, 0, 1, &received, &whole)); /* what is stored is whole at once */
    assert_int_equal(received, SIZE);
    assert_null(whole);
}

static void a_get_cuts_chunks_and_refuses_what_is_not_there(void **state)
{
    fixture *f = *state;
    keep(f, f->data, SIZE);
    message_blob_get get = {.hash = f->hash, 0};
    message_blob_chunk chunk;
    uint64_t have = 0;
    while (have < SIZE) {
        get.offset = have;
        ok(blobs_get(f->b, &get, &chunk, NULL));
        assert_int_equal(chunk.total, SIZE);
        assert_int_equal(chunk.offset, have);
        assert_true(chunk.size > 0 && chunk.size <= MESSAGE_CHUNK);
        assert_memory_equal(chunk.data, f->data + have, chunk.size);
        have += chunk.size;
    }
    get.offset = SIZE;
    assert_int_equal(blobs_get(f->b, &get, &chunk, NULL), ETNA_E_MESSAGE);
    get.offset = UINT64_MAX;
    assert_int_equal(blobs_get(f->b, &get, &chunk, NULL), ETNA_E_MESSAGE);
    get = (message_blob_get){.hash = etna_hash_bytes("none", 4), 0};
    assert_int_equal(blobs_get(f->b, &get, &chunk, NULL), ETNA_E_NOTFOUND);
}

static void the_empty_blob_goes_both_ways(void **state)
{
    fixture *f = *state;
    message_blob_chunk chunk = {.hash = etna_hash_bytes("", 0), 0, 0, NULL, 0},
                       got;
    uint64_t received = 7;
    uint8_t *whole;
    ok(blobs_put(f->b, &chunk, 1, &received, &whole, NULL));
    assert_int_equal(received, 0);
    assert_non_null(whole);
    keep(f, whole, 0);
    free(whole);
    message_blob_get get = {.hash = chunk.hash, 0};
    ok(blobs_get(f->b, &get, &got, NULL));
    assert_int_equal(got.size, 0);
    assert_int_equal(got.total, 0);
}

static void a_wrong_hash_is_refused_and_forgotten(void **state)
{
    fixture *f = *state;
    message_blob_chunk chunk = {
        .hash = f->hash, 5, 0, (const uint8_t *)"wrong", 5};
    uint64_t received;
    uint8_t *whole;
    assert_int_equal(blobs_put(f->b, &chunk, 1, &received, &whole, NULL),
                     ETNA_E_CORRUPT);
    /* the right one may still come */
    ok(put(f, 0, MESSAGE_CHUNK, &received, &whole));
    assert_int_equal(received, MESSAGE_CHUNK);
}

static void hostile_sizes_are_bounded(void **state)
{
    fixture *f = *state;
    uint64_t received;
    uint8_t *whole;
    message_blob_chunk chunk = {.hash = f->hash, UINT64_MAX, 0, f->data, 10};
    assert_int_equal(blobs_put(f->b, &chunk, 1, &received, &whole, NULL),
                     ETNA_E_LIMIT);
    chunk = (message_blob_chunk){.hash = f->hash, 10, 5, f->data, 6};
    assert_int_equal(blobs_put(f->b, &chunk, 1, &received, &whole, NULL),
                     ETNA_E_LIMIT);
    chunk = (message_blob_chunk){.hash = f->hash, 10, UINT64_MAX, f->data, 1};
    assert_int_equal(blobs_put(f->b, &chunk, 1, &received, &whole, NULL),
                     ETNA_E_LIMIT);
    chunk = (message_blob_chunk){.hash = f->hash,
                                 STORE_BLOB_MAX,
                                 0,
                                 f->data,
                                 /* announces 2 GiB: no memory for it yet */
                                 MESSAGE_CHUNK};
    ok(blobs_put(f->b, &chunk, 1, &received, &whole, NULL));
    for (uint64_t at = MESSAGE_CHUNK;; at += MESSAGE_CHUNK) {
        assert_true(at <= 8 * MESSAGE_CHUNK);
        chunk.offset = at;
        if (blobs_put(f->b, &chunk, 1, &received, &whole, NULL) == ETNA_E_LIMIT)
            break;
    }
}

static void the_oldest_put_under_way_makes_room(void **state)
{
    fixture *f = *state;
    uint64_t received;
    uint8_t *whole;
    ok(put(f, 0, 100, &received, &whole));
    for (uint8_t i = 0; i < 3; i++) {
        message_blob_chunk chunk = {
            .hash = etna_hash_bytes(&i, 1), 50, 0, f->data, 10};
        ok(blobs_put(f->b, &chunk, 1, &received, &whole, NULL));
        assert_int_equal(received, 10);
    }
    ok(put(f, 100, 100, &received, &whole));
    assert_int_equal(received, 0); /* it begins anew: the answer says where */
}

/* Neither by their number nor by their bytes. */
static void who_begins_many_pushes_out_his_own(void **state)
{
    fixture *f = *state;
    uint64_t received;
    uint8_t *whole;
    ok(put(f, 0, 100, &received, &whole));
    for (uint8_t i = 0; i < 10; i++) {
        message_blob_chunk chunk = {
            .hash = etna_hash_bytes(&i, 1), 50, 0, f->data, 10};
        ok(blobs_put(f->b, &chunk, 2, &received, &whole, NULL));
    }
    ok(put(f, 100, 100, &received, &whole));
    assert_int_equal(received, 200);
    for (uint8_t i = 1; i <= 3; i++) {
        message_blob_chunk chunk = {.total = 100 * (uint64_t)MESSAGE_CHUNK,
                                    .data = f->data,
                                    .size = MESSAGE_CHUNK};
        chunk.hash.bytes[0] = i;
        for (int j = 0; j < 4; j++, chunk.offset += MESSAGE_CHUNK)
            ok(blobs_put(f->b, &chunk, 2, &received, &whole, NULL));
    }
    ok(put(f, 200, 100, &received, &whole));
    assert_int_equal(received, 300);
}

/* Submitters that were killed in the midst of a large scene never come back for
 * it: what they left keeps nobody out. */
static void what_dead_putters_left_makes_room_for_the_living(void **state)
{
    fixture *f = *state;
    uint64_t received;
    uint8_t *whole;
    /* two of four MiB each: all there is room for */
    for (uint8_t i = 1; i <= 2; i++) {
        message_blob_chunk chunk = {.total = 100 * (uint64_t)MESSAGE_CHUNK,
                                    .data = f->data,
                                    .size = MESSAGE_CHUNK};
        chunk.hash.bytes[0] = i;
        for (int j = 0; j < 4; j++, chunk.offset += MESSAGE_CHUNK) {
            ok(blobs_put(f->b, &chunk, 1, &received, &whole, NULL));
            assert_int_equal(received, chunk.offset + MESSAGE_CHUNK);
        }
    }
    for (uint64_t at = 0; at < SIZE; at = received) {
        size_t size =
            SIZE - at < MESSAGE_CHUNK ? (size_t)(SIZE - at) : MESSAGE_CHUNK;
        ok(put(f, at, size, &received, &whole));
        assert_int_equal(received, at + size);
    }
    assert_non_null(whole);
    keep(f, whole, SIZE);
    free(whole);
    message_blob_chunk late = {.total = 100 * (uint64_t)MESSAGE_CHUNK,
                               .data = f->data,
                               .size = MESSAGE_CHUNK};
    late.offset = 4 * MESSAGE_CHUNK;
    late.hash.bytes[0] = 2; /* the younger one stayed */
    ok(blobs_put(f->b, &late, 1, &received, &whole, NULL));
    assert_int_equal(received, 5 * MESSAGE_CHUNK);
    late.hash.bytes[0] = 1; /* the older one begins again */
    ok(blobs_put(f->b, &late, 1, &received, &whole, NULL));
    assert_int_equal(received, 0);
}

static void an_offered_blob_is_served_without_a_store(void **state)
{
    fixture *f = *state;
    uint8_t *copy = malloc(3);
    assert_non_null(copy);
    memcpy(copy, "abc", 3);
    etna_hash hash = etna_hash_bytes("abc", 3);
    blobs_offer(f->b, &hash, copy, 3);
    message_blob_get get = {.hash = hash, 1};
    message_blob_chunk chunk;
    ok(blobs_get(f->b, &get, &chunk, NULL));
    assert_int_equal(chunk.size, 2);
    assert_memory_equal(chunk.data, "bc", 2);
    assert_false(store_has_blob(f->s, &hash));
}

static etna_hash offer(fixture *f, uint32_t number, size_t size)
{
    uint8_t *data = calloc(1, size);
    assert_non_null(data);
    memcpy(data, &number, sizeof number);
    etna_hash hash = etna_hash_bytes(data, size);
    blobs_offer(f->b, &hash, data, size);
    return hash;
}

static bool is_served(fixture *f, const etna_hash *hash)
{
    message_blob_chunk chunk;
    return blobs_get(f->b, &(message_blob_get){.hash = *hash}, &chunk, NULL) ==
           ETNA_OK;
}

/* Hundreds of runs that end within a moment are asked for their reports one
 * after another. */
static void many_offers_wait_to_be_fetched(void **state)
{
    fixture *f = *state;
    static etna_hash hashes[600];
    for (uint32_t i = 0; i < 600; i++)
        hashes[i] = offer(f, i, 2000);
    for (uint32_t i = 0; i < 600; i++)
        assert_true(is_served(f, &hashes[i]));
    for (uint32_t i = 0; i < 6; i++)
        /* more than there is room for */
        hashes[i] = offer(f, 1000 + i, MESSAGE_CHUNK);
    assert_false(is_served(f, &hashes[0]));
    assert_true(is_served(f, &hashes[5]));
    /* alone too much, and served all the same */
    hashes[0] = offer(f, 2000, 5 * MESSAGE_CHUNK);
    assert_true(is_served(f, &hashes[0]));
    assert_false(is_served(f, &hashes[5]));
}

#define with(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with(chunks_in_order_become_the_blob),
        with(a_get_cuts_chunks_and_refuses_what_is_not_there),
        with(the_empty_blob_goes_both_ways),
        with(a_wrong_hash_is_refused_and_forgotten),
        with(hostile_sizes_are_bounded),
        with(the_oldest_put_under_way_makes_room),
        with(who_begins_many_pushes_out_his_own),
        with(what_dead_putters_left_makes_room_for_the_living),
        with(an_offered_blob_is_served_without_a_store),
        with(many_offers_wait_to_be_fetched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
