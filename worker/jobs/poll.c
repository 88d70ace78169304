/* The poll task: one evaluator's verdict on one edit, told what the checks
 * found. */
#include "worker/agents/evaluator.h"
#include "worker/jobs/task.h"

#include <string.h>

enum {
    PAIRS_MAX = 64
};

static void poll_needs(job *j)
{
    task_need(j, &j->task.snapshot);
    task_need(j, &j->task.after);
}

/* The object of the edit and what went along with it. `body` has room for all
 * objects. What kept its place relative to the object went along with it: a cup
 * on a tray that was moved. */
static uint32_t find_body(const snapshot *before,
                          const snapshot *after,
                          uint32_t object,
                          uint32_t *body)
{
    uint32_t count = 0;
    body[count++] = object;
    for (uint32_t i = 0; i < after->object_count; i++) {
        bool stays = memcmp(&before->poses[i], &after->poses[i],
                            sizeof before->poses[i]) == 0;
        if (i == object || stays)
            continue;
        if (space_same_relation(&before->poses[object], &before->poses[i],
                                &after->poses[object], &after->poses[i]))
            body[count++] = i;
    }
    return count;
}

/* What the edit left without support, by the task's rules, into `broken`. */
static etna_code poll_find_broken(job *j,
                                  const snapshot *after,
                                  uint32_t *broken,
                                  uint32_t *ret_count)
{
    const space_rules rules = task_rules(j);
    const space_support_state *start = NULL;
    const space_support_state *now = j->sight.seen->support;
    space_support_state own = {0}, own_now = {0};
    etna_code code = task_start_support(j, &own, &start);
    if (code == ETNA_OK && rules.paper_floating) {
        code = space_support_compute(j->sight.space, &rules, start,
                                     after->attached, &own_now, &j->error);
        now = &own_now;
    }
    if (code == ETNA_OK)
        *ret_count = space_support_broken(start, now, after->moved, broken,
                                          j->warm->scene->object_count);
    space_support_free(&own_now);
    space_support_free(&own);
    return code;
}

/* The checks are made anew from the two snapshots and not taken from the
 * branch's result: an evaluator judges what is there. */
static void poll_look(job *j)
{
    const scene *s = j->warm->scene;
    uint32_t after_at = task_need(j, &j->task.after);
    const snapshot *before = &j->blobs[0].snap;
    const snapshot *after = &j->blobs[after_at].snap;
    const space_rules rules = task_rules(j);
    space_pair pairs[PAIRS_MAX];
    facts_checks checks = {
        .plane = j->task.planes,
        .target = {j->task.coordinate[0], j->task.coordinate[1]},
        .target_is_bottom = j->task.coordinate_is_bottom,
        .no_target = j->task.ablation == ABLATION_NO_PLANNER_COORDINATE,
        .before = before,
        .after = after,
        .collisions = pairs};
    checks.object = scene_find_object(s, j->task.object);
    if (checks.object == SCENE_NONE) {
        j->error.code = etna_fail(&j->error, ETNA_E_INPUT,
                                  "the scene has no object \"%s\" to judge",
                                  j->task.object);
        return;
    }
    uint32_t *broken =
        etna_arena_alloc(&j->arena, s->object_count, sizeof *broken);
    uint32_t *body = etna_arena_alloc(&j->arena, s->object_count, sizeof *body);
    uint32_t body_count = 0;
    etna_code code = broken && body ? ETNA_OK
                                    : etna_fail(&j->error, ETNA_E_NOMEM,
                                                "out of memory for a poll");
    if (code == ETNA_OK)
        code = task_look(j, after_at);
    if (code == ETNA_OK) {
        body_count = find_body(before, after, checks.object, body);
        code = space_body_collisions(j->sight.space, body, body_count, &rules,
                                     pairs, PAIRS_MAX, &checks.collision_count,
                                     &j->error);
    }
    if (code == ETNA_OK) {
        if (checks.collision_count > PAIRS_MAX)
            checks.collision_count = PAIRS_MAX;
        checks.floating = broken;
        code = poll_find_broken(j, after, broken, &checks.floating_count);
    }
    if (code == ETNA_OK) {
        code = task_begin_agent(j, &checks, evaluator_begin);
    }
    j->error.code = code;
}

static void poll_judged(job *j, const job_event *event, job_want *want)
{
    (void)event;
    const evaluator_result *verdict = evaluator_done(j->agent);
    j->result.verdict = verdict->verdict;
    j->result.reason = verdict->text;
    task_done(j, want);
}

static void poll_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    task_converse(j, want, poll_look, poll_judged);
}

const job_kind task_poll = {
    .name = "poll", .needs = poll_needs, .begin = poll_begin};
