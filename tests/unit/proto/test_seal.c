/* A seal counts for one connection, one direction, one token, one owner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/greeting.h"
#include "sample.h"

static const seal_key secret = {{1, 2, 3}}, other_secret = {{1, 2, 4}};

static seal_opening opening_of(void)
{
    return (seal_opening){.realm = "r",
                          .role = SEAL_WORKER,
                          .generation = 1,
                          .epoch = 7,
                          .asked = sample_hash(1),
                          .welcomed = sample_hash(2)};
}

static bool opens(const seal_key *key, const uint8_t *data, size_t size)
{
    size_t unsealed = 0;
    return seal_check(key, data, size, &unsealed) &&
           unsealed == size - SEAL_SIZE;
}

static void a_seal_is_a_field_of_the_message_that_others_skip(void **state)
{
    (void)state;
    message m = sample_message(MESSAGE_RUN_CANCEL), got;
    etna_arena arena = ETNA_ARENA_INIT;
    uint8_t *data, sealed[512];
    size_t size, unsealed;
    assert_int_equal(message_pack(&m, &data, &size, NULL), ETNA_OK);
    assert_true(size + SEAL_SIZE <= sizeof sealed);
    memcpy(sealed, data, size);
    seal_make(&secret, data, size, sealed + size);
    assert_true(seal_is_there(sealed, size + SEAL_SIZE));
    assert_true(seal_check(&secret, sealed, size + SEAL_SIZE, &unsealed));
    assert_int_equal(unsealed, size);
    assert_int_equal(
        message_unpack(sealed, size + SEAL_SIZE, &arena, &got, NULL), ETNA_OK);
    assert_int_equal(got.kind, m.kind);
    assert_memory_equal(&got.body.run_cancel, &m.body.run_cancel,
                        sizeof m.body.run_cancel);
    etna_arena_free(&arena);
    free(data);
}

static void a_seal_breaks_with_every_bit_and_every_cut(void **state)
{
    (void)state;
    uint8_t sealed[40 + SEAL_SIZE] = "what is said";
    seal_make(&secret, sealed, 40, sealed + 40);
    assert_true(opens(&secret, sealed, sizeof sealed));
    assert_false(opens(&other_secret, sealed, sizeof sealed));
    for (size_t bit = 0; bit < 8 * sizeof sealed; bit++) {
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(opens(&secret, sealed, sizeof sealed));
        sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t size = 0; size < sizeof sealed; size++)
        assert_false(opens(&secret, sealed, size));
}

/* Every fact of a connection, changed alone, makes other keys; and no key is
 * that of the other direction. */
static void what_was_sealed_elsewhere_has_a_wrong_seal_here(void **state)
{
    (void)state;
    const seal_key token = seal_token(&secret, "r", SEAL_WORKER);
    seal_opening o = opening_of(), changed[6];
    const seal_session here = seal_agree(&token, &o);
    uint8_t sealed[10 + SEAL_SIZE] = {0};
    seal_make(&here.asks, sealed, 10, sealed + 10);
    assert_true(opens(&here.asks, sealed, sizeof sealed));
    assert_false(opens(&here.answers, sealed, sizeof sealed)); /* reflected */
    for (int i = 0; i < 6; i++)
        changed[i] = o;
    changed[0].realm = "s";
    changed[1].role = SEAL_VIEWER;
    changed[2].generation = 2;
    changed[3].epoch = 8;
    changed[4].asked = sample_hash(3);
    changed[5].welcomed = sample_hash(3);
    for (int i = 0; i < 6; i++) {
        const seal_session there = seal_agree(&token, &changed[i]);
        assert_false(opens(&there.asks, sealed, sizeof sealed));
    }
}

static void every_role_has_a_token_of_its_own(void **state)
{
    (void)state;
    const seal_key worker = seal_token(&secret, "r", SEAL_WORKER),
                   viewer = seal_token(&secret, "r", SEAL_VIEWER),
                   elsewhere = seal_token(&secret, "s", SEAL_WORKER);
    assert_memory_not_equal(&worker, &viewer, sizeof worker);
    assert_memory_not_equal(&worker, &elsewhere, sizeof worker);
    assert_memory_not_equal(&worker, &secret, sizeof worker);
}

/* ---- greetings ---- */

static join join_of(void)
{
    join j = {.endpoint = "tcp://127.0.0.1:1", .realm = "r", .generation = 1};
    j.given[SEAL_WORKER] = true;
    j.tokens[SEAL_WORKER] = seal_token(&secret, "r", SEAL_WORKER);
    return j;
}

/* A coordinator's welcome, by `token`. Caller frees. */
static uint8_t *welcome(const seal_key *token,
                        const greeting *g,
                        uint64_t epoch,
                        size_t *ret_size)
{
    seal_opening o = opening_of();
    o.epoch = epoch;
    o.asked = g->nonce;
    const seal_session session = seal_agree(token, &o);
    message m = {.version = MESSAGE_VERSION,
                 .epoch = epoch,
                 .sequence = 1,
                 .kind = MESSAGE_WELCOME};
    uint8_t *data, *sealed;
    size_t size;
    m.body.welcome.nonce = o.welcomed;
    assert_int_equal(message_pack(&m, &data, &size, NULL), ETNA_OK);
    sealed = realloc(data, size + SEAL_SIZE);
    assert_non_null(sealed);
    seal_make(&session.answers, sealed, size, sealed + size);
    *ret_size = size + SEAL_SIZE;
    return sealed;
}

static greeting begin(const join *j)
{
    const message frame = {.sender = 5, .incarnation = 6, .sequence = 1};
    greeting g;
    uint8_t *data;
    size_t size;
    assert_int_equal(
        greeting_begin(j, SEAL_WORKER, &frame, &g, &data, &size, NULL),
        ETNA_OK);
    for (size_t i = 0; i + SEAL_KEY <= size; i++)
        assert_memory_not_equal(data + i, j->tokens[SEAL_WORKER].bytes,
                                SEAL_KEY);
    free(data);
    return g;
}

static void whoever_welcomes_without_the_token_is_not_believed(void **state)
{
    (void)state;
    const join j = join_of();
    const greeting g = begin(&j), later = begin(&j);
    const seal_key wrong = seal_token(&other_secret, "r", SEAL_WORKER);
    seal_session session;
    uint64_t epoch = 0;
    size_t size;
    uint8_t *answer = welcome(&j.tokens[SEAL_WORKER], &g, 7, &size);
    assert_int_equal(
        greeting_end(&j, &g, 7, answer, size, &session, &epoch, NULL), ETNA_OK);
    assert_int_equal(epoch, 7);
    assert_int_equal(
        greeting_end(&j, &later, 7, answer, size, &session, &epoch, NULL),
        ETNA_E_NETWORK); /* replayed */
    assert_int_equal(
        greeting_end(&j, &g, 7, answer, size - 1, &session, &epoch, NULL),
        ETNA_E_NETWORK);
    assert_int_equal(greeting_end(&j, &g, 7, answer, size - SEAL_SIZE, &session,
                                  &epoch, NULL),
                     ETNA_E_NETWORK);
    assert_int_equal(
        greeting_end(&j, &g, 8, answer, size, &session, &epoch, NULL),
        ETNA_E_STALE);
    free(answer);
    answer = welcome(&wrong, &g, 7, &size);
    assert_int_equal(
        greeting_end(&j, &g, 7, answer, size, &session, &epoch, NULL),
        ETNA_E_NETWORK);
    free(answer);
}

static void a_greeting_wants_the_roles_token(void **state)
{
    (void)state;
    const join j = join_of();
    const message frame = {.sequence = 1};
    greeting g;
    uint8_t *data;
    size_t size;
    assert_int_equal(
        greeting_begin(&j, SEAL_VIEWER, &frame, &g, &data, &size, NULL),
        ETNA_E_USAGE);
    assert_int_equal(
        greeting_begin(&j, SEAL_ROLE_COUNT, &frame, &g, &data, &size, NULL),
        ETNA_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seal_is_a_field_of_the_message_that_others_skip),
        cmocka_unit_test(a_seal_breaks_with_every_bit_and_every_cut),
        cmocka_unit_test(what_was_sealed_elsewhere_has_a_wrong_seal_here),
        cmocka_unit_test(every_role_has_a_token_of_its_own),
        cmocka_unit_test(whoever_welcomes_without_the_token_is_not_believed),
        cmocka_unit_test(a_greeting_wants_the_roles_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
