/* See talk.h. */
#include "tests/unit/worker/agents/talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

arrange_task talk_task(task_kind kind)
{
    static const char *const steps[] = {"Put A on B"};
    return (arrange_task){.kind = kind,
                          .node = 3,
                          .branch = 2,
                          .poll = kind == TASK_PLAN ? 2 : 1,
                          .run_seed = 9,
                          .step = 1,
                          .max_steps = 1,
                          .model = "m",
                          .steps = steps,
                          .step_count = 1,
                          .instruction = "Put A on B.",
                          .object = "A"};
}

agent *talk_begin(talk_role *role,
                  const arrange_task *task,
                  agent_step *ret_step)
{
    const agent_view view = {
        .camera = "Camera", .width = 1024, .height = 768, .objects = "[]"};
    agent *a = NULL;
    etna_error err = {0};
    if (role(task, &view, &a, ret_step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ret_step->next, AGENT_ASK);
    assert_int_equal(ret_step->request->seed,
                     etna_seed(task->run_seed, &ret_step->slot));
    return a;
}

void talk_say(agent *a, const char *text, bool cut_off, agent_step *ret_step)
{
    const model_reply reply = {
        .text = text,
        .cut_off = cut_off,
        .usage = {.tokens_in = 10, .tokens_out = 1, .calls = 1}};
    etna_error err = {0};
    if (agent_reply(a, &reply, ret_step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

const char *talk_task_text(const agent_step *step)
{
    const model_message *user = &step->request->messages[1];
    for (uint32_t i = 0; i < user->part_count; i++) {
        bool is_task = user->parts[i].kind == MODEL_TEXT &&
                       strstr(user->parts[i].text, "[task]\n");
        if (is_task)
            return user->parts[i].text;
    }
    fail_msg("a request without a [task] block");
    return "";
}

const char *talk_last(const agent_step *step)
{
    return step->request->messages[step->request->message_count - 1]
        .parts[0]
        .text;
}
