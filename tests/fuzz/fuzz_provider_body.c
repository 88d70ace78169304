/* Hostile answers of models' servers: any bytes behind any status are read on
 * every wire into something bounded, and what is read of them goes back as the
 * next request without taking anything of ours with it. */
#include "tests/fuzz/fuzz.h"
#include "worker/provider/provider.h"

#include <stdlib.h>
#include <string.h>

static const char *const yaml =
    "endpoints:\n  a: {wire: chat, url: \"http://h\"}\n  b: {wire: responses, url: \"http://h\"}\n"
    "  c: {wire: gemini, url: \"http://h\"}\n  d: {wire: anthropic, url: \"http://h\"}\n"
    "models:\n  a: {endpoint: a, knobs: {temperature: 1}}\n  b: {endpoint: b}\n  c: {endpoint: c}\n  d: {endpoint: d}\n";

static void send_back(const models *m,
                      const models_model *model,
                      const model_reply *reply,
                      etna_arena *arena)
{
    model_part ask = {.kind = MODEL_TEXT, .text = "go"};
    model_part *said =
                   etna_arena_alloc(arena, 1 + reply->call_count, sizeof *said),
               *results =
                   etna_arena_alloc(arena, reply->call_count, sizeof *results);
    if (!said || !results)
        return;
    said[0] = (model_part){.kind = MODEL_TEXT, .text = reply->text};
    for (uint32_t i = 0; i < reply->call_count; i++) {
        said[1 + i] = reply->calls[i];
        results[i] = (model_part){.kind = MODEL_TOOL_RESULT,
                                  .tool_name = reply->calls[i].tool_name,
                                  .tool_id = reply->calls[i].tool_id,
                                  .text = "{}"};
    }
    model_message messages[3] = {
        {.author = MODEL_USER, .part_count = 1, .parts = &ask},
        {.author = MODEL_ASSISTANT,
         .part_count = 1 + reply->call_count,
         .parts = said,
         .turn = reply->turn},
        {.author = MODEL_TOOL,
         .part_count = reply->call_count,
         .parts = results}};
    model_request request = {
        .model = "m", .message_count = 3, .messages = messages};
    provider_call call;
    etna_error err;
    etna_code code =
        provider_write(m, model, &request, NULL, NULL, arena, &call, &err);
    if (code == ETNA_OK && call.piece_count != 1)
        abort(); /* an image that nobody sent */
    if (code != ETNA_OK && code != ETNA_E_NOMEM)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t statuses[] = {200, 200, 200, 400, 429, 500, 503, 0};
    if (size == 0)
        return 0;
    etna_arena arena = ETNA_ARENA_INIT;
    models m;
    if (models_from_yaml(yaml, strlen(yaml), &arena, &m, NULL))
        abort();
    model_request request = {.model = "m"};
    for (uint32_t i = 0; i < m.model_count; i++) {
        provider_answer answer = {.status = statuses[data[0] % 8],
                                  .body = data + 1,
                                  .size = size - 1,
                                  .transport = "x"};
        provider_outcome out = {0};
        if (provider_read(&m, &m.models[i], &request, &answer, &arena, &out,
                          NULL))
            abort();
        if (out.end == PROVIDER_REPLY) {
            uint8_t *kept;
            size_t kept_size;
            if (model_reply_encode(&out.reply, &kept, &kept_size, NULL))
                abort(); /* what is read can be kept */
            free(kept);
            send_back(&m, &m.models[i], &out.reply, &arena);
        } else if (strlen(out.text) > PROVIDER_TEXT_MAX) {
            abort();
        }
    }
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        "\x01{\"choices\":[{\"message\":{\"content\":\"a\",\"tool_calls\":[{\"id\":\"x\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
        "\"finish_reason\":\"length\"}],\"usage\":{\"prompt_tokens\":1}}",
        "\x01{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\"}]},{\"type\":\"function_call\",\"call_id\":\"x\","
        "\"name\":\"f\",\"arguments\":\"{}\"}],\"usage\":{\"input_tokens\":1}}",
        "\x01{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\\u0001\"},{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]}}]}",
        "\x01{\"content\":[{\"type\":\"text\",\"text\":\"\\u00010\\u0001\"},{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"f\",\"input\":{}}]}",
        "\x04[{\"error\":{\"message\":\"m\",\"param\":\"temperature\",\"code\":\"unsupported_value\",\"details\":[{\"retryDelay\":\"4.5s\"}]}}]"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        add(seeds[i], strlen(seeds[i]));
}
