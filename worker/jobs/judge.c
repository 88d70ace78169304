/* The judge task: one benchmark judge scores every step of a finished run
 * (METHODS.md 3 and 7). */
#include "worker/agents/judge.h"
#include "worker/jobs/task.h"

#include <string.h>

static const etna_hash *judging_is_last(const job *j)
{
    return j->task.edit_count ? &j->task.edits[j->task.edit_count - 1].snapshot
                              : &j->task.first_snapshot;
}

static void judging_needs(job *j)
{
    task_need(j, judging_is_last(j));
}

static void judging_look(job *j)
{
    task_open_agent(j, judge_begin);
}

/* The scores as one line, "correctness/plausibility justification; ...": the
 * result's only text. */
static void judging_done(job *j, const job_event *event, job_want *want)
{
    (void)event;
    const judge_result *answer = judge_done(j->agent);
    const char *text = answer->ok ? "" : answer->reason;
    for (uint32_t i = 0; answer->ok && text && i < answer->count; i++) {
        const judge_step *step = &answer->steps[i];
        text =
            etna_arena_printf(&j->arena, "%s%s%d/%d %s", text, i ? "; " : "",
                              (int)step->correctness - 1,
                              (int)step->plausibility - 1, step->justification);
    }
    if (!text) {
        task_fail(j, want, ETNA_E_NOMEM, "out of memory for a judgement");
        return;
    }
    j->result.verdict = answer->ok && answer->count
                            ? answer->steps[answer->count - 1].correctness
                            : VERDICT_ABSTAIN;
    j->result.reason = etna_arena_strndup(
        &j->arena, text, strnlen(text, ARRANGE_REASON_MAX - 1));
    task_done(j, want);
}

static void judging_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_converse(j, want, judging_look, judging_done);
}

const job_kind task_judge = {
    .name = "judge", .needs = judging_needs, .begin = judging_begin};
