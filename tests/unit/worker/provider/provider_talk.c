/* See provider_talk.h. */
#include "tests/unit/worker/provider/provider_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void talk_begin(talk *t, const char *wire)
{
    memset(t, 0, sizeof *t);
    etna_error err = {0};
    const char *yaml = etna_arena_printf(
        &t->arena,
        "endpoints:\n  e: {wire: %s, url: \"http://h/v1\"}\nmodels:\n"
        "  m: {endpoint: e, id: vendor-1, output_tokens: 500, knobs: {temperature: 0.5}, price: {in: 1, out: 2, cached: 1}}\n",
        wire);
    assert_int_equal(
        models_from_yaml(yaml, strlen(yaml), &t->arena, &t->models, &err),
        ETNA_OK);
    t->system = (model_part){.kind = MODEL_TEXT, .text = "Arrange."};
    t->ask[0] =
        (model_part){.kind = MODEL_TEXT, .text = "Put the \"lamp\" there.\x01"};
    t->ask[1] =
        (model_part){.kind = MODEL_IMAGE,
                     .image = {.camera = "C", .width = 750, .height = 100}};
    t->call[0] = (model_part){.kind = MODEL_TEXT, .text = "I look."};
    t->call[1] = (model_part){.kind = MODEL_TOOL_CALL,
                              .tool_name = "look",
                              .tool_id = "c1",
                              .text = "{\"at\":[0.5,0.25]}"};
    t->result[0] = (model_part){.kind = MODEL_TOOL_RESULT,
                                .tool_name = "look",
                                .tool_id = "c1",
                                .text = "{\"object\":\"Lamp\"}"};
    t->seen[0] = (model_part){.kind = MODEL_TEXT, .text = "Image:"};
    t->seen[1] =
        (model_part){.kind = MODEL_IMAGE,
                     .image = {.camera = "C", .width = 750, .height = 100}};
    t->messages[0] = (model_message){
        .author = MODEL_SYSTEM, .part_count = 1, .parts = &t->system};
    t->messages[1] =
        (model_message){.author = MODEL_USER, .part_count = 2, .parts = t->ask};
    t->messages[2] = (model_message){
        .author = MODEL_ASSISTANT, .part_count = 2, .parts = t->call};
    t->messages[3] = (model_message){
        .author = MODEL_TOOL, .part_count = 1, .parts = t->result};
    t->messages[4] = (model_message){
        .author = MODEL_USER, .part_count = 2, .parts = t->seen};
    t->tool = (model_tool){
        "look", "looks",
        "{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"array\"}}}"};
    t->request = (model_request){.model = "m",
                                 .message_count = 5,
                                 .messages = t->messages,
                                 .tool_count = 1,
                                 .tools = &t->tool};
    t->images[0] = (provider_image){(const uint8_t *)"PNG1", 4, "image/png"};
    t->images[1] = (provider_image){(const uint8_t *)"JPEG2", 5, "image/jpeg"};
}

void talk_end(talk *t)
{
    etna_arena_free(&t->arena);
}

json_t *talk_sent(talk *t, provider_call *ret_call)
{
    etna_error err = {0};
    provider_call call = {0};
    if (provider_write(&t->models, &t->models.models[0], &t->request, t->images,
                       NULL, &t->arena, &call, &err))
        fail_msg("%s", err.text);
    char *text = etna_arena_alloc(&t->arena, 1 << 16, 1);
    size_t used = 0;
    uint64_t size = 0;
    for (uint32_t i = 0; i < call.piece_count; i++) {
        const provider_piece *piece = &call.pieces[i];
        size += piece->text ? piece->size
                            : (t->images[piece->image].size + 2) / 3 * 4;
        if (piece->text) {
            memcpy(text + used, piece->text, piece->size);
            used += piece->size;
        } else {
            used += (size_t)sprintf(text + used, "<%u>", piece->image);
        }
    }
    assert_true(size == call.body_size);
    json_t *tree = json_loadb(text, used, 0, NULL);
    assert_non_null(tree);
    if (ret_call)
        *ret_call = call;
    return tree;
}

void talk_assert_sent(talk *t, const char *expected)
{
    json_error_t where;
    json_t *got = talk_sent(t, NULL), *want = json_loads(expected, 0, &where);
    if (!want)
        fail_msg("the test's own JSON: %s at %d", where.text, where.position);
    if (!json_equal(got, want)) {
        char *text = json_dumps(got, JSON_COMPACT);
        fail_msg("sent: %s", text);
    }
    json_decref(got);
    json_decref(want);
}

provider_outcome talk_read(talk *t, provider_answer answer)
{
    provider_outcome out = {0};
    etna_error err = {0};
    if (answer.body && !answer.size)
        answer.size = strlen((const char *)answer.body);
    if (provider_read(&t->models, &t->models.models[0], &t->request, &answer,
                      &t->arena, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

provider_outcome talk_read_body(talk *t, uint32_t status, const char *body)
{
    return talk_read(t, (provider_answer){.status = status,
                                          .body = (const uint8_t *)body,
                                          .content_type = "application/json"});
}
