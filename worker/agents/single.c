/* The single agent (VULCAN table 3): one conversation plans the next edit and
 * carries it out with tools, constraints and solver. It sees what a planner
 * sees and answers what a planner and an executor answer, but no coordinate;
 * nobody judges its edit. */
#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/agents/tools.h"

#include <string.h>

static bool has_part(const plain *p, const char *name)
{
    block b;
    return block_find(p, name, &b, NULL) == ETNA_OK;
}

/* One of the three words stands alone on a line. */
static bool gives_verdict(const plain *p)
{
    size_t at = 0;
    return block_word(p, BLOCK_FINISHED, 0, true, &at) ||
           block_word(p, BLOCK_IMPOSSIBLE, 0, true, &at) ||
           block_word(p, BLOCK_UNREADABLE, 0, true, &at);
}

/* The instruction of an answer, of a verdict's too; an answer after a failed
 * solve may leave it as it was. */
static etna_code single_read_reply(agent *a, const char *text, etna_error *err)
{
    planner_result plan = {.instruction = "", .reason = ""};
    executor_result executor = {
        .constraints = "", .object = "", .plane = "", .reason = ""};
    plain p;
    etna_code code = plain_make(text, &a->arena, &p, err);
    if (code != ETNA_OK)
        return code;
    bool constrains = has_part(&p, BLOCK_CONSTRAINTS);
    if (constrains && gives_verdict(&p))
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives a verdict and constraints; give one or the other");
    bool again = a->result.single.status == PLAN_EDIT && constrains &&
                 !has_part(&p, BLOCK_INSTRUCTION);
    if (again)
        plan = a->result.single;
    else
        code = planner_read_words(text, &a->arena, &plan, err);
    if (code == ETNA_OK && plan.status == PLAN_EDIT)
        code = executor_read(text, &a->scale, &a->arena, &executor, err);
    if (code != ETNA_OK)
        return code;
    if (plan.status != PLAN_EDIT)
        executor.reason = plan.reason;
    plan.coordinates = a->scale.found;
    a->result.single = plan;
    a->result.executor = executor;
    return ETNA_OK;
}

/* What was planned before is kept, so that the failure is that of the
 * execution. */
static void single_give_up(agent *a, const char *reason)
{
    a->result.executor = (executor_result){.ok = false,
                                           .constraints = "",
                                           .object = "",
                                           .plane = "",
                                           .reason = reason};
    if (a->result.single.status == PLAN_EDIT)
        return; /* it planned, and could not write it down again */
    a->result.single = (planner_result){
        .status = PLAN_MALFORMED, .instruction = "", .reason = reason};
}

/* A planner's pictures and task with an executor's tools. */
etna_code single_open(agent **ret,
                      const arrange_task *task,
                      const agent_view *view,
                      etna_error *err)
{
    static const agent_role role = {ROLE_EXECUTOR, EXECUTOR_RETRIES,
                                    single_read_reply, single_give_up};
    bool cameras = task->cameras && view->camera_count > 1;
    uint32_t count = 0;
    etna_code code = agent_new(&role, task, view, ret, err);
    if (code != ETNA_OK)
        return code;
    agent *a = *ret;
    a->result.has_single = true;
    a->request.tools = tools_list(cameras ? TOOLS_CAMERAS : TOOLS_VISUAL,
                                  &a->request.tool_count);
    agent_picture *pictures = planner_history(a, task, &count);
    json_t *task_json = planner_task(a, task);
    const bool told = pictures && task_json;
    if (!told || (cameras && !executor_put_cameras(a, view, task_json))) {
        json_decref(task_json);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while beginning a step");
    }
    return agent_open(a, cameras ? "single-onecamera" : "single", task_json,
                      count, pictures, view->facts, err);
}

/* NULL: it is no single agent's conversation. */
const planner_result *executor_plan(const agent *a)
{
    return a->result.has_single ? &a->result.single : NULL;
}
