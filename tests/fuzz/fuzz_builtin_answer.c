/* The built-in agent on hostile requests. The input is "<role
 * digit><sentence>\n<facts JSON>"; whatever comes, it answers with text that
 * the store takes, or refuses. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/facts_world.h"
#include "worker/builtin/builtin.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sentence as a JSON string: only its quotes, backslashes and control
 * characters matter to the block. */
static const char *escaped(etna_arena *arena, const char *text, size_t size)
{
    char *out = etna_arena_alloc(arena, 2 * size + 1, 1);
    const char *clean = text_clean(arena, text, size, size);
    size_t used = 0;
    if (!out || !clean)
        abort();
    for (; *clean; clean++) {
        if (*clean == '"' || *clean == '\\')
            out[used++] = '\\';
        out[used++] = *clean;
    }
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 1 ? memchr(data + 1, '\n', size - 1) : NULL;
    if (!end || size > 1 << 18)
        return 0;
    etna_arena arena = ETNA_ARENA_INIT;
    const char *sentence =
        escaped(&arena, (const char *)data + 1, (size_t)(end - data) - 1);
    const char *facts = etna_arena_strndup(&arena, (const char *)end + 1,
                                           size - (size_t)(end - data) - 1);
    const char *task = etna_arena_printf(
        &arena,
        "[task]\n{\"%s\":\"%s\",\"step\":1,\"maximum_steps\":3,\"coordinate\":[0.5,0.5]}\n[end of task]\n",
        data[0] == '1' ? "goal" : "instruction", sentence);
    if (!facts || !task)
        abort();
    model_part parts[2] = {{.kind = MODEL_TEXT, .text = task},
                           {.kind = MODEL_FACTS, .text = facts}};
    model_message user = {
        .author = MODEL_USER, .part_count = 2, .parts = parts};
    model_request request = {.model = "builtin",
                             .role = (uint32_t)(data[0] - '0') % ROLE_COUNT,
                             .seed = data[0],
                             .message_count = 1,
                             .messages = &user};
    model_reply reply;
    if (builtin_answer(&request, &arena, &reply, NULL) == ETNA_OK) {
        uint8_t *bytes;
        size_t count;
        if (model_reply_encode(&reply, &bytes, &count, NULL) != ETNA_OK)
            abort();
        free(bytes);
    }
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const sentences[] = {
        "1Put all three bottles on the yellow block, largest first",
        "1Put the tray on the block and the cup on the floor",
        "2Put \"Cup\" on \"Block\".", "3Put \"Cup\" on \"Tray\"."};
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 0.8, 0.6, 0.1, "grey", -1);
    w.things[0].is_static = true;
    facts_world_add(&w, "Block", 0, 0, 0.3, 0.2, 0.1, "yellow", 0);
    facts_world_add(&w, "Tray", 0.25, 0.1, 0.2, 0.2, 0.02, "white", 0);
    facts_world_add(&w, "Cup", 0.25, 0.1, 0.06, 0.06, 0.08, "red", 2);
    w.moved = 3;
    char *facts = facts_world_json(&w);
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        size_t room = strlen(facts) + strlen(sentences[i]) + 2;
        char *text = malloc(room);
        if (!text)
            abort();
        snprintf(text, room, "%s\n%s", sentences[i], facts);
        add(text, strlen(text));
        free(text);
    }
    free(facts);
}
