/* Texts are embedded by one call a batch, and only an answer with one vector
 * for each text, all of one length, is believed. */
#include "worker/provider/embed.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const two[] = {"a red sofa", "a \"lamp\"\x01"};
static const embed_texts texts = {2, two};

static models models_of(etna_arena *arena, const char *wire)
{
    models m;
    etna_error err = {0};
    const char *yaml = etna_arena_printf(
        arena,
        "endpoints:\n  e: {wire: %s, url: \"http://h/v1\"}\nmodels:\n"
        "  m: {endpoint: e, id: vendor-1, knobs: {dimensions: 2}, price: {in: 1000000, out: 2}}\n",
        wire);
    if (models_from_yaml(yaml, strlen(yaml), arena, &m, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return m;
}

static provider_outcome read_body(etna_arena *arena,
                                  uint32_t status,
                                  const char *body,
                                  embed_vectors *ret)
{
    models m = models_of(arena, "chat");
    provider_outcome out;
    etna_error err = {0};
    const provider_answer answer = {.status = status,
                                    .body = (const uint8_t *)body,
                                    .size = strlen(body),
                                    .content_type = "application/json"};
    assert_int_equal(
        embed_read(&m, &m.models[0], &texts, &answer, arena, &out, ret, &err),
        ETNA_OK);
    return out;
}

static void a_batch_is_one_request_with_all_texts(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    models m = models_of(&arena, "chat");
    provider_call call;
    etna_error err = {0};
    assert_int_equal(
        embed_write(&m, &m.models[0], &texts, NULL, &arena, &call, &err),
        ETNA_OK);
    assert_string_equal(call.url, "http://h/v1/embeddings");
    assert_string_equal(call.key_prefix, "Bearer ");
    assert_int_equal(call.piece_count, 1);
    char *body =
        etna_arena_strndup(&arena, call.pieces[0].text, call.pieces[0].size);
    assert_string_equal(
        body,
        "{\"model\":\"vendor-1\",\"input\":[\"a red sofa\",\"a \\\"lamp\\\" \"],\"encoding_format\":\"float\",\"dimensions\":2}");
    const char *name = "encoding_format";
    const provider_dropped dropped = {1, &name};
    assert_int_equal(
        embed_write(&m, &m.models[0], &texts, &dropped, &arena, &call, &err),
        ETNA_OK);
    assert_null(strstr(call.pieces[0].text, "encoding_format"));
    m = models_of(&arena, "gemini");
    assert_int_equal(
        embed_write(&m, &m.models[0], &texts, NULL, &arena, &call, &err),
        ETNA_E_USAGE);
    etna_arena_free(&arena);
}

static void vectors_go_by_their_index_and_are_paid(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    embed_vectors v;
    provider_outcome out = read_body(
        &arena, 200,
        "{\"data\":[{\"index\":1,\"embedding\":[3,4]},{\"index\":0,\"embedding\":[1,-0.5]}],\"usage\":{\"prompt_tokens\":7}}",
        &v);
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_int_equal(v.dimensions, 2);
    assert_true(v.at[0] == 1 && v.at[1] == -0.5);
    assert_true(v.at[2] == 3 && v.at[3] == 4);
    assert_int_equal(out.reply.usage.tokens_in, 7);
    assert_int_equal(out.reply.usage.cost_micros, 7000000);
    assert_false(out.usage_guessed);
    out = read_body(&arena, 200,
                    "{\"data\":[{\"embedding\":[3]},{\"embedding\":[1]}]}", &v);
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_true(v.at[0] == 3 && v.at[1] == 1);
    assert_true(out.usage_guessed && out.reply.usage.tokens_in > 0);
    etna_arena_free(&arena);
}

static void a_claim_beyond_what_was_sent_is_not_paid(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    embed_vectors v;
    provider_outcome out = read_body(
        &arena, 200,
        "{\"data\":[{\"embedding\":[3]},{\"embedding\":[1]}],\"usage\":{\"prompt_tokens\":1000000000000000}}",
        &v);
    assert_int_equal(out.end, PROVIDER_REPLY);
    assert_true(out.usage_guessed);
    assert_in_range(out.reply.usage.tokens_in, 1, 100);
    etna_arena_free(&arena);
}

static void what_is_no_vector_for_each_text_is_no_answer(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "",
        "[]",
        "null",
        "{\"data\":[]}",
        "{\"data\":[{\"embedding\":[1,2]}]}",
        "{\"data\":[{\"embedding\":[1,2]},{\"embedding\":[1]}]}",
        "{\"data\":[{\"embedding\":[]},{\"embedding\":[]}]}",
        "{\"data\":[{\"embedding\":[0,0]},{\"embedding\":[1,1]}]}",
        "{\"data\":[{\"embedding\":[1e300,1]},{\"embedding\":[1,1]}]}",
        "{\"data\":[{\"embedding\":[1,\"2\"]},{\"embedding\":[1,1]}]}",
        "{\"data\":[{\"embedding\":[1,NaN]},{\"embedding\":[1,1]}]}",
        "{\"data\":[{\"embedding\":\"AACAPw==\"},{\"embedding\":[1,1]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":0,\"embedding\":[1,2]}]}",
        "{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":2,\"embedding\":[1,2]}]}",
        "{\"data\":[{\"index\":-1,\"embedding\":[1,2]},{\"index\":0,\"embedding\":[1,2]}]}",
        "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1]},{\"embedding\":[1]}]}",
        "{\"data\":{\"embedding\":[1,2]}}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        embed_vectors v = {0};
        provider_outcome out = read_body(&arena, 200, bodies[i], &v);
        if (out.end == PROVIDER_REPLY)
            fail_msg("taken: %s", bodies[i]);
        assert_true(out.lost); /* it may have been billed */
        assert_null(v.at);
        etna_arena_free(&arena);
    }
    etna_arena arena = ETNA_ARENA_INIT;
    embed_vectors v = {0};
    provider_outcome out =
        read_body(&arena, 401, "{\"error\":{\"message\":\"bad key\"}}", &v);
    assert_int_equal(out.end, PROVIDER_NEVER);
    assert_non_null(strstr(out.text, "bad key"));
    out = read_body(
        &arena, 400,
        "{\"error\":{\"message\":\"Unsupported parameter: 'encoding_format'\",\"param\":\"encoding_format\"}}",
        &v);
    assert_int_not_equal(out.end, PROVIDER_REPLY);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_one_request_with_all_texts),
        cmocka_unit_test(vectors_go_by_their_index_and_are_paid),
        cmocka_unit_test(a_claim_beyond_what_was_sent_is_not_paid),
        cmocka_unit_test(what_is_no_vector_for_each_text_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
