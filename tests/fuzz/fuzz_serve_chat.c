/* Hostile requests to the built-in agent's server: whatever is read is bounded
 * and whole, and can be answered or is refused. */
#include "tests/fuzz/fuzz.h"
#include "worker/serve/chat.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const roles[] = {NULL,        "planner", "executor",
                                        "evaluator", "judge",   "x"};
    if (size == 0)
        return 0;
    etna_arena arena = ETNA_ARENA_INIT;
    model_request request;
    etna_error err = {0};
    etna_code code =
        chat_read((const char *)data + 1, size - 1, roles[data[0] % 6],
                  data[0] & 128 ? "7" : NULL, &arena, &request, &err);
    if (code == ETNA_OK) {
        model_reply reply = {.text = ""};
        char *json = NULL;
        for (uint32_t m = 0; m < request.message_count; m++) {
            for (uint32_t p = 0; p < request.messages[m].part_count; p++) {
                const model_part *part = &request.messages[m].parts[p];
                bool named = part->kind == MODEL_TOOL_CALL ||
                             part->kind == MODEL_TOOL_RESULT;
                if (part->kind < MODEL_TEXT || part->kind > MODEL_TOOL_RESULT)
                    abort();
                if (part->kind != MODEL_IMAGE && !part->text)
                    abort();
                if (named && (!part->tool_id || !part->tool_name))
                    abort();
            }
        }
        code = builtin_answer(&request, &arena, &reply, &err);
        if (code == ETNA_OK && chat_write(&request, &reply, "x", &json, &err))
            abort();
        free(json);
    }
    if (code != ETNA_OK && !err.text[0])
        abort();
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        "\x01{\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"[task]\\n{\\\"goal\\\":\\\"swap the cup and the pen\\\"}\\n[end of "
        "task]\\n\\n[facts]\\n{\\\"objects\\\":[]}\\n[end of facts]\"}]}",
        "\x02{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"[facts]\\n{}\\n[end of facts]\"},{\"type\":\"image_url\",\"image_url\":{\"url\":"
        "\"data:\"}}]},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
        "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"{}\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]}",
        "\x83{\"messages\":[{\"role\":\"developer\",\"content\":[]}],\"stream\":false}"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        add(seeds[i], strlen(seeds[i]));
}
