/* The plan task: the planner sees S_{k-1} and says the next edit, or that the
 * goal is reached or out of reach. */
#include "worker/agents/planner.h"
#include "worker/jobs/task.h"

static void plan_needs(job *j)
{
    task_need(j, &j->task.snapshot);
}

static void plan_look(job *j)
{
    j->error.code = task_choose_step_camera(j);
    if (j->error.code == ETNA_OK)
        task_open_agent(j, planner_begin);
}

static void plan_planned(job *j, const job_event *event, job_want *want)
{
    (void)event;
    planner_result fitted = *planner_done(j->agent);
    planner_result *plan = &fitted;
    planner_fit(&j->task, plan);
    j->result.plan_status = plan->status;
    j->result.instruction = plan->instruction;
    j->result.coordinate[0] = plan->coordinate[0];
    j->result.coordinate[1] = plan->coordinate[1];
    j->result.coordinate_is_bottom = plan->coordinate_is_bottom;
    j->result.reason = plan->reason;
    j->result.item = plan->item;
    j->result.part = plan->part;
    j->result.makes_way = plan->makes_way;
    j->result.coordinates = plan->coordinates;
    j->result.refusal = plan->refusal;
    task_done(j, want);
}

static void plan_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_converse(j, want, plan_look, plan_planned);
}

const job_kind task_plan = {
    .name = "plan", .needs = plan_needs, .begin = plan_begin};
