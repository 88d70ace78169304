/* Memory ends at every allocation in turn: the built-in agent and the stored
 * replies say so, and nothing is lost or read. */
#include "read_world.h"
#include "tests/support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct question {
    const char *task, *facts;
    uint32_t role;
} question;

static bool ask(void *context)
{
    const question *q = context;
    model_part parts[2] = {{.kind = MODEL_TEXT, .text = q->task},
                           {.kind = MODEL_FACTS, .text = q->facts}};
    model_message user = {
        .author = MODEL_USER, .part_count = 2, .parts = parts};
    model_request request = {.model = "builtin",
                             .role = q->role,
                             .message_count = 1,
                             .messages = &user};
    etna_arena arena = ETNA_ARENA_INIT;
    model_reply reply, back;
    etna_hash hash;
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = model_request_hash(&request, &hash, NULL);
    if (code == ETNA_OK)
        code = builtin_answer(&request, &arena, &reply, NULL);
    if (code == ETNA_OK)
        code = model_reply_encode(&reply, &data, &size, NULL);
    if (code == ETNA_OK)
        code = model_reply_decode(data, size, &arena, &back, NULL);
    free(data);
    etna_arena_free(&arena);
    if (code != ETNA_OK && code != ETNA_E_NOMEM)
        fail_msg("code %d", code);
    return code == ETNA_OK;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    static const struct {
        uint32_t role;
        const char *task;
    } cases[] = {
        {ROLE_PLANNER,
         "[task]\n{\"goal\":\"Put both blocks on the floor, largest first, and the red and the green bottle on the coffee table\",\"step\":1,"
         "\"maximum_steps\":6,\"given_up_here\":[{\"object\":\"Yellow Block\",\"position\":[0,0,0]}]}"},
        {ROLE_EXECUTOR,
         "[task]\n{\"instruction\":\"Put \\\"TeaCup\\\" on \\\"Table_01\\\".\",\"coordinate\":[0.5,0.5]}"},
        {ROLE_EVALUATOR,
         "[task]\n{\"instruction\":\"Put \\\"TeaCup\\\" on \\\"Table_01\\\".\"}"},
    };
    facts_world w = read_world();
    w.moved = facts_world_find(&w, "TeaCup");
    w.moved_m = 1;
    char *facts = facts_world_json(&w);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        question q = {cases[i].task, facts, cases[i].role};
        size_t allocations = torture(ask, &q);
        assert_in_range(allocations, 5, 100000);
    }
    free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
