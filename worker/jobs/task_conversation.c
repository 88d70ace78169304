/* A conversation of a job: the agent says what it wants next, and this brings
 * it -- the model's answer or the tools'. */
#include "worker/agents/tools.h"
#include "worker/jobs/task.h"

#include <stdlib.h>

#include <string.h>

static void go_on(job *j, job_want *want);

static void conversation_replied(job *j, const job_event *event, job_want *want)
{
    etna_code code = agent_reply(j->agent, event->reply, &j->step, &j->error);
    if (code != ETNA_OK) {
        task_fail(j, want, code, j->error.text);
        return;
    }
    go_on(j, want);
}

/* ---- tools ---- All of them only look (tools.h), so the calls of a turn are
 * pieces: each has its memory and its result, and what came of them is told in
 * the order of the calls, the first failure too. */

typedef struct task_tool {
    etna_arena arena;
    agent_tool_result result;
    etna_error error;
} task_tool;

void task_forget_tools(job *j)
{
    for (uint32_t i = 0; i < j->tool_count; i++)
        etna_arena_free(&j->tools[i].arena);
    free(j->tools);
    j->tools = NULL;
    j->tool_count = 0;
}

static tools_set conversation_set_of(const job *j)
{
    if (j->task.kind == TASK_POLL)
        return TOOLS_EDIT;
    if (j->task.ablation == ABLATION_NO_TOOL_LIBRARY ||
        arrange_is_basic(j->task.ablation))
        return TOOLS_LISTS;
    return j->task.cameras ? TOOLS_CAMERAS : TOOLS_VISUAL;
}

static void run_tool(job *j, uint32_t i)
{
    bool judges = j->task.kind == TASK_POLL;
    const tools_scene scene_now = {
        .space = j->sight.space,
        .probes = j->warm->probes,
        .camera = &j->sight.camera,
        .camera_name = j->sight.camera.name,
        .ids = j->sight.seen->ids,
        .width = j->sight.seen->width,
        .height = j->sight.seen->height,
        .colours = j->sight.seen->colours,
        .rounds = strcmp(j->task.model, "builtin") != 0,
        .snapshot = judges ? j->task.after : j->task.snapshot,
        .object = j->task.object,
        .before = j->task.snapshot,
        .set = conversation_set_of(j)};
    task_tool *tool = &j->tools[i];
    tool->error.code = tools_run(&scene_now, &j->step.calls[i], &tool->arena,
                                 &tool->result, &tool->error);
}

static void tools_ran(job *j, const job_event *event, job_want *want)
{
    (void)event;
    agent_tool_result results[AGENT_CALLS_MAX];
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < j->tool_count; i++) {
        code = j->tools[i].error.code;
        if (code != ETNA_OK)
            j->error = j->tools[i].error;
        results[i] = j->tools[i].result;
    }
    if (code == ETNA_OK)
        code = agent_tool_results(j->agent, j->tool_count, results, &j->step,
                                  &j->error);
    task_forget_tools(j); /* the agent has copied what it tells */
    if (code == ETNA_OK) {
        go_on(j, want);
    } else {
        task_fail(j, want, code, j->error.text);
    }
}

static void run_tools(job *j, job_want *want)
{
    uint32_t count = j->step.call_count;
    task_forget_tools(j);
    j->tools = count && count <= AGENT_CALLS_MAX
                   ? calloc(count, sizeof *j->tools)
                   : NULL;
    if (!j->tools) {
        task_fail(j, want, ETNA_E_NOMEM, "out of memory for tool results");
        return;
    }
    j->tool_count = count;
    task_want_pieces(j, want, count, run_tool, tools_ran);
}

/* The one loop of a conversation, spread over events: ask, run tools, ask
 * again, until the agent is done. */
static void go_on(job *j, job_want *want)
{
    switch (j->step.next) {
    case AGENT_ASK:
        task_want_call(j, want, &j->step.slot, j->step.request,
                       conversation_replied);
        return;
    case AGENT_TOOLS: run_tools(j, want); return;
    case AGENT_DONE: break;
    }
    j->result.used = agent_usage(j->agent);
    j->talked(j, NULL, want);
}

void task_talk(job *j, job_want *want, task_phase done)
{
    j->talked = done;
    go_on(j, want);
}

static void conversation_looked(job *j, const job_event *event, job_want *want)
{
    (void)event;
    go_on(j, want);
}

void task_converse(job *j, job_want *want, void (*look)(job *), task_phase done)
{
    j->talked = done;
    task_want_pool(j, want, look, conversation_looked);
}
