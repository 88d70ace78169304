/* A conversation of a job: the agent says what it wants next, and this brings it -- the model's answer or the tools'. */
#include "worker/agents/tools.h"
#include "worker/jobs/task.h"

static void go_on(job *j, job_want *want);

static void replied(job *j, const job_event *event, job_want *want)
{
    etna_code code = agent_reply(j->agent, event->reply, &j->step, &j->error);
    if (code != ETNA_OK) {
        task_fail(j, want, code, j->error.text);
        return;
    }
    go_on(j, want);
}

static void run_tools(job *j)
{
    const tools_scene scene_now = {.space = j->sight.space,
                               .probes = j->warm->probes,
                               .camera = &j->sight.camera,
                               .camera_name = j->sight.camera.name,
                               .ids = j->sight.seen->ids,
                               .width = j->sight.seen->width,
                               .height = j->sight.seen->height,
                               .snapshot = j->task.snapshot,
                               .set = j->task.ablation == ABLATION_NO_TOOL_LIBRARY ? TOOLS_LISTS : j->task.cameras ? TOOLS_CAMERAS : TOOLS_VISUAL};
    uint32_t count = j->step.call_count;
    agent_tool_result *results = etna_arena_alloc(&j->arena, count, sizeof *results);
    etna_code code = results ? ETNA_OK : etna_fail(&j->error, ETNA_E_NOMEM, "out of memory for tool results");
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        code = tools_run(&scene_now, &j->step.calls[i], &j->arena, &results[i], &j->error);
    }
    if (code == ETNA_OK) code = agent_tool_results(j->agent, count, results, &j->step, &j->error);
    j->error.code = code;
}

static void tools_ran(job *j, const job_event *event, job_want *want)
{
    (void)event;
    go_on(j, want);
}

static void go_on(job *j, job_want *want)
{
    switch (j->step.next) {
    case AGENT_ASK: task_want_call(j, want, &j->step.slot, j->step.request, replied); return;
    case AGENT_TOOLS: task_want_pool(j, want, run_tools, tools_ran); return;
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

static void looked(job *j, const job_event *event, job_want *want)
{
    (void)event;
    go_on(j, want);
}

void task_converse(job *j, job_want *want, void (*look)(job *), task_phase done)
{
    j->talked = done;
    task_want_pool(j, want, look, looked);
}
