/* What an answer was read as is told where it was written otherwise, and only
 * there. */
#include "tests/unit/worker/agents/talk.h"
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/judge.h"
#include "worker/agents/planner.h"
#include "worker/agents/read_as.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PLAN(text, point) \
    "[updated_instruction]\n" text \
    "\n[end of updated_instruction]\n[coordinate]\n" point \
    "\n[end of coordinate]"
#define ROWS \
    "[\"ObjectName\", \"A\"],\n[\"CloseToPix\", \"down\", [0.5, 0.5]],\n[\"Contact\", \"down\", \"B_1\"]"
#define READ_ROWS \
    "[constraints]\n[\"ObjectName\",\"A\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"B_1\"]\n" \
    "[end of constraints]"

/* `read` NULL: just so. */
static void reads(talk_role *role,
                  task_kind kind,
                  const char *written,
                  const char *read)
{
    const arrange_task task = talk_task(kind);
    etna_arena arena = ETNA_ARENA_INIT;
    agent_step step;
    agent *a = talk_begin(role, &task, &step);
    talk_say(a, written, false, &step);
    const model_reply reply = {.text = written};
    const char *told = agent_read_as(a, &reply, &arena);
    if (read) {
        assert_non_null(told);
        assert_string_equal(told, read);
    } else {
        assert_null(told);
    }
    agent_free(a);
    etna_arena_free(&arena);
}

static void plan_reads(const char *written, const char *read)
{
    reads(planner_begin, TASK_PLAN, written, read);
}

static void a_plan_is_told_where_its_form_or_its_count_is_another(void **state)
{
    (void)state;
    plan_reads("So.\n" PLAN(
                   "Put A on B.",
                   "The bottom of the object should be around [0.52, 0.5600]."),
               NULL);
    plan_reads("All is well. <finished>", NULL);
    plan_reads("All is well.\n\n**Finished.**", "<finished>");
    plan_reads(
        "**[UPDATED INSTRUCTION]**\nPut A on B.\n**[/UPDATED INSTRUCTION]**\nbottom: (0.52, 0.56)",
        PLAN("Put A on B.",
             "The bottom of the object should be around [0.52, 0.56]."));
    plan_reads(
        PLAN("Put A on B.",
             "The bottom of the object should be around [900, 990]."),
        PLAN(
            "Put A on B.",
            "The bottom of the object should be around [0.9, 0.99].") "\n(counted in thousandths)");
    plan_reads("I would rather not.", NULL);
}

static void constraints_are_told_where_a_strict_reader_finds_others(
    void **state)
{
    (void)state;
    reads(executor_begin, TASK_BRANCH,
          "[constraints]\n" ROWS "\n[end of constraints]\n<completion>", NULL);
    reads(executor_begin, TASK_BRANCH,
          "[constraints]\n```json\n[" ROWS
          "]\n```\n[end of constraints]\n<completion>",
          READ_ROWS);
    reads(
        executor_begin, TASK_BRANCH,
        "[constraints]\nObjectName('A')\nCloseToPix(bottom, [0.5, 0.5])\nContact(\"down\", B_1)\n[/constraints]",
        READ_ROWS);
}

static void a_verdict_is_told_where_it_came_with_more(void **state)
{
    (void)state;
    reads(evaluator_begin, TASK_POLL,
          "[evaluation]\nvisual_exam: fine\nverdict: good\n[end of evaluation]",
          NULL);
    reads(
        evaluator_begin, TASK_POLL,
        "[evaluation]\nvisual_exam: fine\nverdict: Good - it fits\n[end of evaluation]",
        "verdict: good");
    reads(evaluator_begin, TASK_POLL,
          "{\"visual_exam\": \"fine\", \"verdict\": \"good\"}",
          "verdict: good");
}

static void calls_in_text_are_told(void **state)
{
    (void)state;
    reads(
        executor_begin, TASK_BRANCH,
        "<tool_call>{\"name\": \"ray_probe\", \"arguments\": {\"coord_list\": [[0.5, 0.5]]}}</tool_call>",
        "ray_probe {\"coord_list\":[[0.5,0.5]]}");
}

static void scores_are_told_where_they_are_no_plain_json(void **state)
{
    (void)state;
    const arrange_edit edits[] = {{.step = 1,
                                   .instruction = "Put A on B.",
                                   .object = "A",
                                   .plane = "B_1"}};
    arrange_task task = talk_task(TASK_JUDGE);
    task.goal = "Put A on B.";
    task.edit_count = 1;
    task.edits = edits;
    const struct {
        const char *written, *read;
    } rows[] = {
        {"{\"0\": {\"correctness\": \"good\", \"plausibility\": \"fair\", \"justification\": \"x\"}}",
         NULL},
        {"Sure:\n{'0': {'correctness': 'Good', 'plausibility': 'fair', 'justification': 'x'},}",
         "0: correctness good, plausibility fair"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        agent_step step;
        agent *a = talk_begin(judge_begin, &task, &step);
        talk_say(a, rows[i].written, false, &step);
        const model_reply reply = {.text = rows[i].written};
        const char *told = agent_read_as(a, &reply, &arena);
        assert_int_equal(told != NULL, rows[i].read != NULL);
        if (told)
            assert_string_equal(told, rows[i].read);
        agent_free(a);
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_told_where_its_form_or_its_count_is_another),
        cmocka_unit_test(
            constraints_are_told_where_a_strict_reader_finds_others),
        cmocka_unit_test(a_verdict_is_told_where_it_came_with_more),
        cmocka_unit_test(calls_in_text_are_told),
        cmocka_unit_test(scores_are_told_where_they_are_no_plain_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
