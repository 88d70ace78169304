/* Replies from the store: what can be decoded is encoded to the same bytes, if
 * it is of today's format. */
#include "tests/fuzz/fuzz.h"
#include "worker/provider/conversation.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply reply;
    if (model_reply_decode(data, size, &arena, &reply, NULL) == ETNA_OK) {
        uint8_t *again;
        size_t again_size;
        if (model_reply_encode(&reply, &again, &again_size, NULL) != ETNA_OK)
            abort();
        if (data[0] == again[0] &&
            (again_size != size || memcmp(again, data, size) != 0))
            abort();
        free(again);
    }
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    model_part calls[2] = {{.kind = MODEL_TOOL_CALL,
                            .text = "{\"a\":1}",
                            .tool_name = "ray_probe",
                            .tool_id = "x"},
                           {.kind = MODEL_TOOL_CALL,
                            .text = "{}",
                            .tool_name = "list",
                            .tool_id = ""}};
    model_reply replies[3] = {
        {.text = "hello", .usage = {1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {.text = "", .call_count = 2, .calls = calls},
        {.text = "x", .turn = {"[1]", "2/m"}, .cut_off = true}};
    for (int i = 0; i < 3; i++) {
        uint8_t *data;
        size_t size;
        if (model_reply_encode(&replies[i], &data, &size, NULL) != ETNA_OK)
            abort();
        add(data, size);
        free(data);
    }
}
