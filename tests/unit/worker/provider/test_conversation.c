/* Requests are the same only when every field is; replies come back from the
 * store as they went in, or not at all. */
#include "worker/provider/conversation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct sample {
    model_request request;
    model_message messages[2];
    model_part first[2], second[1];
    model_tool tools[1];
} sample;

static void make(sample *s)
{
    memset(s, 0, sizeof *s);
    s->first[0] = (model_part){.kind = MODEL_TEXT, .text = "hello"};
    s->first[1] = (model_part){
        .kind = MODEL_IMAGE,
        .image = {
            .camera = "Camera", .width = 1024, .height = 768, .object = "Cup"}};
    s->second[0] = (model_part){.kind = MODEL_TOOL_CALL,
                                .text = "{}",
                                .tool_name = "ray_probe",
                                .tool_id = "1"};
    s->messages[0] = (model_message){
        .author = MODEL_USER, .part_count = 2, .parts = s->first};
    s->messages[1] = (model_message){
        .author = MODEL_ASSISTANT, .part_count = 1, .parts = s->second};
    s->tools[0] = (model_tool){"ray_probe", "probes", "{}"};
    s->request = (model_request){.model = "m",
                                 .role = ROLE_PLANNER,
                                 .seed = 7,
                                 .message_count = 2,
                                 .messages = s->messages,
                                 .tool_count = 1,
                                 .tools = s->tools};
}

static etna_hash hash_of(const sample *s)
{
    etna_hash hash;
    assert_int_equal(model_request_hash(&s->request, &hash, NULL), ETNA_OK);
    return hash;
}

static void change(sample *s, int field)
{
    switch (field) {
    case 0: s->tools[0].name = "rays"; break;
    case 1: s->request.role = ROLE_EXECUTOR; break;
    case 2: s->request.seed = 8; break;
    case 3: s->request.message_count = 1; break;
    case 4: s->request.tool_count = 0; break;
    case 5: s->messages[0].author = MODEL_SYSTEM; break;
    case 6: s->messages[0].part_count = 1; break;
    case 7: s->first[0].text = "hellp"; break;
    case 8: s->first[0].kind = MODEL_FACTS; break;
    case 9: s->first[1].image.snapshot.bytes[31] = 1; break;
    case 10: s->first[1].image.before.bytes[0] = 1; break;
    case 11: s->first[1].image.camera = "Other"; break;
    case 12: s->first[1].image.width = 1; break;
    case 13: s->first[1].image.height = 1; break;
    case 14: s->first[1].image.grid = true; break;
    case 24: s->first[1].image.fronts = true; break;
    case 15: s->first[1].image.object = NULL; break;
    case 16: s->first[1].image.object = ""; break;
    case 17: s->first[1].image.highlight = "A,B"; break;
    case 18: s->second[0].text = "{ }"; break;
    case 19: s->second[0].tool_name = "x"; break;
    case 20: s->second[0].tool_id = "2"; break;
    case 21: s->tools[0].name = "x"; break;
    case 22: s->tools[0].description = "x"; break;
    case 23: s->tools[0].schema = "x"; break;
    default: break;
    }
}

static void every_field_of_a_request_changes_its_hash(void **state)
{
    (void)state;
    enum {
        FIELDS = 25
    };
    etna_hash hashes[FIELDS + 1];
    sample s;
    for (int i = 0; i <= FIELDS; i++) {
        make(&s);
        change(&s, i);
        hashes[i] = hash_of(&s);
        for (int k = 0; k < i; k++)
            assert_false(etna_hash_equal(&hashes[k], &hashes[i]));
    }
    make(&s);
    etna_hash again = hash_of(&s);
    assert_true(etna_hash_equal(&again, &hashes[FIELDS]));
}

static model_part calls[2] = {{.kind = MODEL_TOOL_CALL,
                               .text = "{\"a\":1}",
                               .tool_name = "ray_probe",
                               .tool_id = "x"},
                              {.kind = MODEL_TOOL_CALL,
                               .text = "{}",
                               .tool_name = "list",
                               .tool_id = ""}};
static const model_reply reply = {.text = "na\xC3\xAFve",
                                  .call_count = 2,
                                  .calls = calls,
                                  .usage = {1, 2, 3, 4, 5, 6, 7, 8, 9}};

static void a_reply_comes_back_as_it_went_in(void **state)
{
    (void)state;
    uint8_t *data;
    size_t size;
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply back;
    assert_int_equal(model_reply_encode(&reply, &data, &size, NULL), ETNA_OK);
    assert_int_equal(model_reply_decode(data, size, &arena, &back, NULL),
                     ETNA_OK);
    assert_string_equal(back.text, reply.text);
    assert_int_equal(back.call_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(back.calls[i].kind, MODEL_TOOL_CALL);
        assert_string_equal(back.calls[i].text, calls[i].text);
        assert_string_equal(back.calls[i].tool_name, calls[i].tool_name);
        assert_string_equal(back.calls[i].tool_id, calls[i].tool_id);
    }
    assert_int_equal(back.usage.tokens_in,
                     /* by field: a struct's padding is nobody's */
                     reply.usage.tokens_in);
    assert_int_equal(back.usage.tokens_out, reply.usage.tokens_out);
    assert_int_equal(back.usage.tokens_cached, reply.usage.tokens_cached);
    assert_int_equal(back.usage.tokens_reasoning, reply.usage.tokens_reasoning);
    assert_int_equal(back.usage.cost_micros, reply.usage.cost_micros);
    assert_int_equal(back.usage.calls, reply.usage.calls);
    free(data);
    etna_arena_free(&arena);
}

static void a_cut_or_foreign_reply_is_refused_and_leaves_the_output_alone(
    void **state)
{
    (void)state;
    uint8_t *data;
    size_t size;
    assert_int_equal(model_reply_encode(&reply, &data, &size, NULL), ETNA_OK);
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply back = {.call_count = 99};
    for (size_t cut = 0; cut < size; cut++) {
        assert_int_equal(model_reply_decode(data, cut, &arena, &back, NULL),
                         ETNA_E_MESSAGE);
        assert_int_equal(back.call_count, 99);
    }
    uint8_t *longer = calloc(1, size + 1);
    memcpy(longer, data, size);
    assert_int_equal(model_reply_decode(longer, size + 1, &arena, &back, NULL),
                     ETNA_E_MESSAGE);
    longer[0] = 9;
    assert_int_equal(model_reply_decode(longer, size, &arena, &back, NULL),
                     ETNA_E_NEWER);
    longer[0] = 1;
    longer[7] = 0xFF; /* not UTF-8 any more */
    assert_int_equal(model_reply_decode(longer, size, &arena, &back, NULL),
                     ETNA_E_MESSAGE);
    free(longer);
    free(data);
    etna_arena_free(&arena);
}

static void what_a_reply_may_not_hold_is_not_encoded(void **state)
{
    (void)state;
    uint8_t *data = NULL;
    size_t size;
    model_reply bad = {.text = "\xFF"};
    assert_int_equal(model_reply_encode(&bad, &data, &size, NULL),
                     ETNA_E_LIMIT);
    bad = (model_reply){.text = "", .call_count = MODEL_REPLY_CALLS_MAX + 1};
    assert_int_equal(model_reply_encode(&bad, &data, &size, NULL),
                     ETNA_E_LIMIT);
    char *big = malloc(MODEL_REPLY_TEXT_MAX + 2);
    memset(big, 'a', MODEL_REPLY_TEXT_MAX + 1);
    big[MODEL_REPLY_TEXT_MAX + 1] = 0;
    bad = (model_reply){.text = big};
    assert_int_equal(model_reply_encode(&bad, &data, &size, NULL),
                     ETNA_E_LIMIT);
    assert_null(data);
    free(big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_request_changes_its_hash),
        cmocka_unit_test(a_reply_comes_back_as_it_went_in),
        cmocka_unit_test(
            a_cut_or_foreign_reply_is_refused_and_leaves_the_output_alone),
        cmocka_unit_test(what_a_reply_may_not_hold_is_not_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
