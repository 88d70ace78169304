/* The arrange method's payloads, which clients and workers write: the first
 * byte chooses which. Whatever comes through unpacking can be packed and comes
 * through again. */
#include "proto/arrange.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void config_once(const uint8_t *data, size_t size, etna_arena *arena)
{
    arrange_config config;
    uint8_t *again;
    size_t again_size;
    if (arrange_config_unpack(data, size, arena, &config, NULL))
        return;
    if (arrange_config_pack(&config, &again, &again_size, NULL))
        abort();
    if (arrange_config_unpack(again, again_size, arena, &config, NULL))
        abort();
    free(again);
}

static void task_once(const uint8_t *data, size_t size, etna_arena *arena)
{
    arrange_task task;
    uint8_t *again;
    size_t again_size;
    if (arrange_task_unpack(data, size, arena, &task, NULL))
        return;
    if (arrange_task_pack(&task, &again, &again_size, NULL))
        abort();
    if (arrange_task_unpack(again, again_size, arena, &task, NULL))
        abort();
    free(again);
}

static void result_once(const uint8_t *data, size_t size, etna_arena *arena)
{
    arrange_result result;
    uint8_t *again;
    size_t again_size;
    if (arrange_result_unpack(data, size, arena, &result, NULL))
        return;
    if (arrange_result_pack(&result, &again, &again_size, NULL))
        abort();
    if (arrange_result_unpack(again, again_size, arena, &result, NULL))
        abort();
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    etna_arena arena = ETNA_ARENA_INIT;
    void (*const once[])(const uint8_t *, size_t,
                         etna_arena *) = {config_once, task_once, result_once};
    once[data[0] % 3](data + 1, size - 1, &arena);
    etna_arena_free(&arena);
    return 0;
}

static void add_tagged(void (*add)(const void *, size_t),
                       uint8_t tag,
                       uint8_t *data,
                       size_t size)
{
    uint8_t *tagged = malloc(size + 1);
    if (!tagged)
        abort();
    tagged[0] = tag;
    memcpy(tagged + 1, data, size);
    add(tagged, size + 1);
    free(tagged);
    free(data);
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const steps[] = {
        "Put the red bottle on the yellow block", "Then the blue one"};
    static const arrange_edit edits[] = {
        {1, "put", "a", "b", {{1, 2, 3}, 4}, {{5}}, 1.5, 0.25, 4, 2}};
    static const arrange_failure failures[] = {
        {4, 2, "move it", "bottle", "collides", OBSTACLE_TAKEN}};
    static const arrange_given_up given_up[] = {
        {3, "move it", "bottle", "block", {{1, 2, 3}, 4}, "no room", 4}};
    uint8_t *data;
    size_t size;
    arrange_config config = arrange_config_default();
    config.scene.bytes[0] = 1;
    config.step_count = 2;
    config.steps = steps;
    if (arrange_config_pack(&config, &data, &size, NULL))
        abort();
    add_tagged(add, 0, data, size);
    arrange_task task = {.kind = TASK_PLAN,
                         .scene = {{1}},
                         .step_count = 2,
                         .steps = steps,
                         .edit_count = 1,
                         .edits = edits,
                         .failure_count = 1,
                         .failures = failures,
                         .given_up_count = 1,
                         .given_up = given_up};
    if (arrange_task_pack(&task, &data, &size, NULL))
        abort();
    add_tagged(add, 1, data, size);
    arrange_result result = {.kind = TASK_BRANCH,
                             .branch_status = BRANCH_VALID,
                             .object = "bottle",
                             .snapshot = {{1}},
                             .pose = {{1, 2, 3}, 4},
                             .loss = 0.5,
                             .warning_count = 2,
                             .warnings = steps};
    if (arrange_result_pack(&result, &data, &size, NULL))
        abort();
    add_tagged(add, 2, data, size);
}
