/* Memory ends at every allocation of a whole conversation in turn: the machine
 * says so and frees everything. */
#include "tests/support/torture.h"
#include "worker/agents/executor.h"
#include "worker/agents/planner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const arrange_edit edits[1] = {
    {.step = 1, .instruction = "Put A on B.", .object = "A", .plane = "B_1"}};
static const agent_view view = {
    .camera = "Camera", .width = 4, .height = 3, .facts = "{}"};

static bool plan(void *context)
{
    (void)context;
    arrange_task task = {.kind = TASK_PLAN,
                         .goal = "all on B",
                         .step = 2,
                         .max_steps = 3,
                         .edits = edits,
                         .edit_count = 1,
                         .node = 1};
    agent *a = NULL;
    agent_step step;
    model_reply bad = {.text = "?"},
                good = {.text = "Done.\n\nAll is well. <finished>"};
    etna_code code = planner_begin(&task, &view, &a, &step, NULL);
    if (code == ETNA_OK)
        code = agent_reply(a, &bad, &step, NULL);
    if (code == ETNA_OK)
        code = agent_reply(a, &good, &step, NULL);
    if (code == ETNA_OK)
        assert_int_equal(planner_done(a)->status, PLAN_FINISHED);
    agent_free(a);
    return code == ETNA_OK;
}

static bool execute(void *context)
{
    (void)context;
    static const char block[] =
        "[constraints]\n[\"ObjectName\", \"A\"], [\"CloseToPix\", \"down\", [0.5, 0.5]]\n[end of constraints]\n<completion>";
    arrange_task task = {
        .kind = TASK_BRANCH, .instruction = "Put A on B.", .node = 1};
    model_part call = {.kind = MODEL_TOOL_CALL,
                       .tool_name = "ray_probe",
                       .tool_id = "",
                       .text = "{}"};
    model_reply look = {.text = "", .call_count = 1, .calls = &call},
                answer = {.text = block};
    agent_tool_result result = {
        .json = "{}", .has_image = true, .image = {.highlight = "A"}};
    agent *a = NULL;
    agent_step step;
    etna_code code = executor_begin(&task, &view, &a, &step, NULL);
    if (code == ETNA_OK)
        code = agent_reply(a, &look, &step, NULL);
    if (code == ETNA_OK)
        code = agent_tool_results(a, 1, &result, &step, NULL);
    for (int i = 0; code == ETNA_OK && i <= EXECUTOR_RETRIES; i++) {
        code = agent_reply(a, &answer, &step, NULL);
        if (code == ETNA_OK)
            code = executor_solver_failed(a, "no room", &step, NULL);
    }
    if (code == ETNA_OK)
        assert_false(executor_done(a)->ok);
    agent_free(a);
    return code == ETNA_OK;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    assert_in_range(torture(plan, NULL), 3, 10000);
    assert_in_range(torture(execute, NULL), 3, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
