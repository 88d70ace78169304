/* What a request was shortened by is told part by part: how much by the
 * journal, which by the rule, why by the list of models. */
#include "coordinator/report/truncation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An executor's two turns, then a planner's one. Snapshots are named by a
 * letter. */
static const char conversation[] =
    "[{\"node\":1,\"branch\":2,\"role\":\"executor\",\"poll\":0,\"turn\":0,\"repair\":0,\"messages\":["
    "  {\"author\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":\"go\"},{\"kind\":\"image\",\"image\":{\"snapshot\":\"a\"}}]}]},"
    " {\"node\":1,\"branch\":2,\"role\":\"executor\",\"poll\":0,\"turn\":1,\"repair\":0,\"messages\":["
    "  {\"author\":\"assistant\",\"parts\":[{\"kind\":\"tool_call\",\"tool\":\"x\",\"text\":\"{}\"}]},"
    "  {\"author\":\"tool\",\"parts\":[{\"kind\":\"tool_result\",\"tool\":\"x\",\"id\":\"1\",\"text\":\"{}\"},{\"kind\":\"tool_result\",\"tool\":\"y\",\"id\":\"2\",\"text\":\"{}\"}]},"
    "  {\"author\":\"user\",\"parts\":[{\"kind\":\"image\",\"image\":{\"snapshot\":\"b\"}}]}]},"
    " {\"node\":1,\"branch\":2,\"role\":\"executor\",\"poll\":0,\"turn\":2,\"repair\":0,\"messages\":["
    "  {\"author\":\"tool\",\"parts\":[{\"kind\":\"tool_result\",\"tool\":\"z\",\"id\":\"3\",\"text\":\"{}\"}]},"
    "  {\"author\":\"user\",\"parts\":[{\"kind\":\"image\",\"image\":{\"snapshot\":\"c\"}}]}]}]";
static const char list[] =
    "{\"endpoints\":{\"e\":{\"wire\":\"chat\",\"url\":\"http://h/v1\"}},\"models\":{\"few\":{\"endpoint\":\"e\",\"images_max\":2},"
    "\"short\":{\"endpoint\":\"e\",\"context_tokens\":4096},\"both\":{\"endpoint\":\"e\",\"images_max\":2,\"context_tokens\":4096}}}";

static replay open_replay(replay_task *task,
                          const replay_truncation *shortened,
                          uint32_t count)
{
    *task = (replay_task){.kind = TASK_BRANCH,
                          .node = 1,
                          .branch = 2,
                          .calls = json_loads(conversation, 0, NULL)};
    assert_non_null(task->calls);
    return (replay){.tasks = task,
                    .count = 1,
                    .truncations = (replay_truncation *)(uintptr_t)shortened,
                    .truncation_count = count};
}

/* "turn:what" of each part, one after another. */
static void list_parts(const json_t *told, char *ret, size_t room)
{
    const json_t *one;
    size_t i, used = 0;
    ret[0] = 0;
    json_array_foreach(json_object_get(told, "left_out"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "id"));
        if (!name)
            name = json_string_value(
                json_object_get(json_object_get(one, "image"), "snapshot"));
        assert_null(json_object_get(one, "text"));
        used += (size_t)snprintf(
            ret + used, room - used, "%d:%s ",
            (int)json_integer_value(json_object_get(one, "turn")), name);
    }
}

static void each_part_is_told_with_its_turn_and_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *model, *models;
        uint32_t images, texts;
        const char *parts, *why;
    } cases[] = {
        {"few", list, 1, 0, "0:a ", "few takes 2 of the 3 images"},
        {"short", list, 2, 1, "0:a 1:b 1:1 ",
         "it was too long for the 4096 tokens of short"},
        {"both", list, 1, 2, "0:a 1:1 1:2 ",
         "both takes 2 of the 3 images, and it was too long for the 4096 tokens of both"},
        {"both", list, 2, 0, "0:a 1:b ",
         "both takes 2 of the 3 images, and it was too long for the 4096 tokens of both"},
        {"gone", list, 1, 0, "0:a ", "it was too long for gone"},
        {"", NULL, 1, 0, "0:a ", "it was too long for its model"},
        {"few", "{\"endpoints\":", 9, 9, "0:a 1:b 2:c 1:1 1:2 2:3 ",
         /* a journal that lies, a list that is none */
         "it was too long for few"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const replay_truncation shortened[] = {
            {{.node = 9, .branch = 2, .role = ROLE_EXECUTOR, .turn = 2},
             "few",
             5,
             5},
            {{.node = 1, .branch = 2, .role = ROLE_EXECUTOR, .turn = 2},
             cases[i].model,
             cases[i].images,
             cases[i].texts},
            {{.node = 1, .branch = 2, .role = ROLE_PLANNER, .turn = 1},
             "few",
             5,
             5}};
        replay_task task;
        replay a = open_replay(&task, shortened, 3);
        assert_int_equal(truncation_add(&a, cases[i].models, NULL), ETNA_OK);
        for (size_t k = 0; k < 2; k++)
            assert_null(
                json_object_get(json_array_get(task.calls, k), "shortened"));
        const json_t *told =
            json_object_get(json_array_get(task.calls, 2), "shortened");
        char parts[200];
        list_parts(told, parts, sizeof parts);
        assert_string_equal(parts, cases[i].parts);
        assert_string_equal(json_string_value(json_object_get(told, "why")),
                            cases[i].why);
        assert_string_equal(json_string_value(json_object_get(told, "model")),
                            cases[i].model);
        assert_int_equal(json_integer_value(json_object_get(told, "images")),
                         cases[i].images);
        assert_int_equal(
            json_integer_value(json_object_get(told, "tool_results")),
            cases[i].texts);
        json_decref(task.calls);
        etna_arena_free(&a.arena);
    }
}

static void whole_requests_say_nothing(void **state)
{
    (void)state;
    replay_task task;
    replay a = open_replay(&task, NULL, 0);
    assert_int_equal(truncation_add(&a, list, NULL), ETNA_OK);
    for (size_t k = 0; k < 3; k++)
        assert_null(
            json_object_get(json_array_get(task.calls, k), "shortened"));
    json_decref(task.calls);
    etna_arena_free(&a.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_is_told_with_its_turn_and_the_reason),
        cmocka_unit_test(whole_requests_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
