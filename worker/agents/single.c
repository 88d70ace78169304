/* The single agent (VULCAN table 3): one conversation plans the next edit and
 * carries it out with tools, constraints and solver. It sees what a planner
 * sees and answers what a planner and an executor answer, but no coordinate;
 * nobody judges its edit. With basic functions alone it writes a pose instead
 * of constraints, and may be shown what came of it. */
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

/* What is to be done, of an answer that plans an edit. */
static etna_code single_read_edit(agent *a,
                                  const char *text,
                                  executor_result *ret,
                                  etna_error *err)
{
    return a->result.places
               ? executor_read_placement(text, &a->arena, ret, err)
               : executor_read(text, &a->scale, &a->arena, ret, err);
}

/* The instruction of an answer, of a verdict's too; an answer after a failed
 * solve, or after a look at what came of it, may leave it as it was. */
static etna_code single_read_reply(agent *a, const char *text, etna_error *err)
{
    planner_result plan = {.instruction = "", .reason = ""};
    executor_result executor = {
        .constraints = "", .object = "", .plane = "", .reason = ""};
    plain p;
    etna_code code = plain_make(text, &a->arena, &p, err);
    if (code != ETNA_OK)
        return code;
    const bool places = a->result.places;
    const char *part = places ? BLOCK_PLACEMENT : BLOCK_CONSTRAINTS;
    bool has_edit = has_part(&p, part);
    bool has_verdict = gives_verdict(&p);
    if (has_edit && has_verdict)
        return etna_fail(err, ETNA_E_INPUT,
                         "it gives a verdict and %s; give one or the other",
                         places ? "a placement" : "constraints");
    a->result.is_kept = a->result.is_shown && has_verdict;
    if (a->result.is_kept)
        return ETNA_OK; /* plan and placement stay */
    bool again = a->result.single.status == PLAN_EDIT && has_edit &&
                 !has_part(&p, BLOCK_INSTRUCTION);
    if (again)
        plan = a->result.single;
    else
        code = planner_read_words(text, &a->arena, &plan, err);
    if (code == ETNA_OK && plan.status == PLAN_EDIT)
        code = single_read_edit(a, text, &executor, err);
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

/* By what it has: basic functions, or the library. */
static const char *single_prompt(const arrange_task *task, bool cameras)
{
    if (arrange_is_basic(task->ablation))
        return "basic";
    return cameras ? "single-onecamera" : "single";
}

/* A planner's pictures and task with an executor's tools. */
etna_code single_open(agent **ret,
                      const arrange_task *task,
                      const agent_view *view,
                      etna_error *err)
{
    static const agent_role role = {ROLE_EXECUTOR, EXECUTOR_RETRIES,
                                    single_read_reply, single_give_up};
    const bool places = arrange_is_basic(task->ablation);
    bool cameras = task->cameras && view->camera_count > 1 && !places;
    const uint32_t visual = cameras ? TOOLS_CAMERAS : TOOLS_VISUAL;
    uint32_t count = 0;
    etna_code code = agent_new(&role, task, view, ret, err);
    if (code != ETNA_OK)
        return code;
    agent *a = *ret;
    a->result.has_single = true;
    a->result.places = places;
    a->solver_prompt = places ? "pose_refused" : NULL;
    a->request.tools =
        tools_list(places ? TOOLS_LISTS : visual, &a->request.tool_count);
    agent_picture *pictures = planner_history(a, task, &count);
    json_t *task_json = planner_task(a, task);
    bool told = pictures && task_json;
    /* the built-in agent reads no prompt */
    told = told && (!places || agent_json_set(task_json, "answer",
                                              json_string("placement")));
    if (!told || (cameras && !executor_put_cameras(a, view, task_json))) {
        json_decref(task_json);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while beginning a step");
    }
    return agent_open(a, single_prompt(task, cameras), task_json, count,
                      pictures, view->facts, err);
}

/* NULL: it is no single agent's conversation. */
const planner_result *executor_plan(const agent *a)
{
    return a->result.has_single ? &a->result.single : NULL;
}

etna_code executor_show(agent *a,
                        const etna_hash *made,
                        agent_step *ret_step,
                        etna_error *err)
{
    if (!a->result.places || !a->result.executor.ok)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an edit is shown to who did not place one");
    const agent_picture picture = {
        .label = "Image: the scene after your placement, under the grid.",
        .image = {.camera = a->camera,
                  .width = a->width,
                  .height = a->height,
                  .grid = true,
                  .snapshot = *made}};
    a->result.is_shown = true;
    return agent_show(a, "refine", a->result.executor.object, &picture,
                      ret_step, err);
}

bool executor_keeps(const agent *a)
{
    return a->result.is_kept;
}
