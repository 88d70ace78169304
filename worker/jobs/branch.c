/* The branch task: the executor turns the planner's instruction into
 * constraints, the solver into a pose, the checks into a snapshot. What the
 * solver cannot do goes back to the executor as a reason (METHODS.md 3: two
 * retries), then it has failed.
 *
 *   look -> talk -> solve -> VALID: keep the snapshot, done
 *             ^       |  unsolved, collision, floating, unknown name
 *             +-------+  no retry left: done, with the last reason
 *
 * Without a solver (ablations) the agent's own pose is taken as it is. A single
 * agent plans in the same conversation: its plan is part of the result, and
 * where it is none the branch ends there. */
#include "worker/agents/executor.h"
#include "worker/agents/names.h"
#include "worker/agents/planner.h"
#include "worker/jobs/task.h"
#include "worker/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct branch_state {
    solve_result solved;
    /* of the answer, with names as the scene spells them */
    const char *constraints;
    const char *object; /* of them */
    /* basic-3: how often it was shown what came of its placement, and the last
     * that was made */
    uint32_t shown;
    bool is_made;
    /* the block named things that exist, so that `solved` means something */
    bool readable;
    uint32_t tries[BRANCH_REPEATED]; /* as arrange_result's */
    char reason[ARRANGE_REASON_MAX];
} branch_state;

static void ask_again(job *j, job_want *want);
static void branch_talked(job *j, const job_event *event, job_want *want);

enum {
    BASIC_ROUNDS = 3 /* in which basic-3 may mend what it placed */
};

static void branch_needs(job *j)
{
    task_need(j, &j->task.snapshot);
}

static void branch_look(job *j)
{
    const bool plans = arrange_is_single(j->task.ablation);
    j->error.code = plans ? task_choose_step_camera(j) : ETNA_OK;
    if (j->error.code == ETNA_OK)
        task_open_agent(j, executor_begin);
}

/* An error of INPUT kind is the agent's (a name that does not exist): it goes
 * back to it. */
static etna_code to_agent(branch_state *state, etna_code code, etna_error *err)
{
    if (code != ETNA_E_INPUT)
        return code;
    snprintf(state->reason, sizeof state->reason, "%s", err->text);
    return ETNA_OK;
}

/* The parent is the snapshot that the task names: the tree of a run is made of
 * these links. */
static etna_code make_snapshot(job *j, const solve_result *solved)
{
    snapshot edited = {0};
    etna_code code =
        solve_snapshot(solved, &j->blobs[0].snap, &edited, &j->error);
    if (code == ETNA_OK) {
        edited.parent = j->task.snapshot;
        free(j->made.data); /* kept already, and mended */
        j->made.data = NULL;
        code = snapshot_encode(&edited, &j->made.data, &j->made.size,
                               &j->made.hash, &j->error);
    }
    snapshot_free(&edited);
    return code;
}

/* The pose as the agent wrote it: nothing is solved and nothing checked (VULCAN
 * table 3). The yaw is brought into [0, 2 pi). */
static void branch_place(job *j)
{
    branch_state *state = j->state;
    const executor_result *answer = executor_done(j->agent);
    const scene *s = j->warm->scene;
    uint32_t object = names_object(s, answer->object);
    state->readable = false;
    if (object == SCENE_NONE) {
        snprintf(state->reason, sizeof state->reason,
                 "there is no object \"%s\"", answer->object);
    } else if (s->objects[object].is_static || s->objects[object].immovable) {
        snprintf(state->reason, sizeof state->reason, "\"%s\" cannot be moved",
                 answer->object);
    }
    if (state->reason[0])
        return;
    state->object = s->objects[object].name;
    solve_result solved = {.status = BRANCH_VALID,
                           .object = object,
                           .pose = j->blobs[0].snap.poses[object]};
    memcpy(solved.pose.position, answer->position, sizeof solved.pose.position);
    if (answer->turns)
        solved.pose.yaw =
            (answer->yaw_deg - 360 * floor(answer->yaw_deg / 360)) *
            (MATH_PI / 180);
    state->solved = solved;
    state->readable = true;
    j->error.code = make_snapshot(j, &state->solved);
}

/* A coordinate may carry a camera's name only where there is more than one to
 * choose from. */
static bool names_camera(const constraint_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].camera)
            return true;
    }
    return false;
}

/* Does the plan leave the place open? The prompts say by which word. */
static bool may_be_anywhere(const char *instruction)
{
    static const char word[] = "anywhere";
    for (const char *at = instruction ? instruction : ""; *at; at++) {
        if (strncasecmp(at, word, sizeof word - 1) == 0)
            return true;
    }
    return false;
}

/* Where the place is beside the pixel, as the whole plane was searched or the
 * pixel is not on it: how far, of the image. 0: it is where it was asked
 * for. */
static double branch_strays(const solve_result *solved)
{
    static const double least = 0.05; /* half a cell of the grid */
    bool strays = solved->widened || solved->pixel_off > least;
    return strays ? solved->pixel_off : 0;
}

/* A place beside the pixel is told, and one far from it is none: the model
 * meant another. */
static void solve_judge_distance(job *j, branch_state *state)
{
    static const double most = 1.0 / 3;
    solve_result *solved = &state->solved;
    bool strays =
        solved->status == BRANCH_VALID && branch_strays(solved) > most;
    const planner_result *plan = executor_plan(j->agent);
    const char *instruction = plan ? plan->instruction : j->task.instruction;
    if (!strays || may_be_anywhere(instruction))
        return;
    solved->status = BRANCH_UNSOLVED;
    snprintf(
        solved->reason, sizeof solved->reason,
        "the nearest free place on %s is %.0f %% of the image away from the coordinate; choose a coordinate where there "
        "is room",
        solved->plane, 100 * solved->pixel_off);
}

/* An edit that leaves the thing as it stood is none, however well it is judged:
 * a model that repeats itself would be praised for ever. The built-in agent
 * plans by what is missing, to the millimetre. */
static void solve_judge_rest(const job *j, branch_state *state)
{
    static const double still = 0.001, turned = 0.5 * MATH_PI / 180;
    const arrange_pose *to = &state->solved.pose;
    bool is_foreign = strcmp(j->task.model, "builtin") != 0;
    if (state->solved.status != BRANCH_VALID || !is_foreign)
        return;
    const uint32_t object = scene_find_object(j->warm->scene, state->object);
    if (object == SCENE_NONE)
        return;
    const arrange_pose *from = &j->blobs[0].snap.poses[object];
    double turn = to->yaw - from->yaw, away = 0;
    turn -= 2 * MATH_PI * floor(turn / (2 * MATH_PI) + 0.5);
    for (int i = 0; i < 3; i++)
        away += fabs(to->position[i] - from->position[i]);
    if (away > still || fabs(turn) > turned)
        return;
    state->solved.status = BRANCH_REPEATED;
    snprintf(state->solved.reason, sizeof state->solved.reason,
             "it stands there already");
}

static etna_code branch_run_solver(job *j, const solve_request *common)
{
    branch_state *state = j->state;
    const space_rules rules = task_rules(j);
    solve_request request = *common;
    space_support_state own = {0};
    request.rules = &rules;
    etna_code code = task_start_support(j, &own, &request.start);
    if (code == ETNA_OK)
        code =
            solve_cache_run(j->warm->solved, &j->task.snapshot,
                            state->constraints, j->sight.space, j->warm->probes,
                            &request, &state->solved, &j->error);
    space_support_free(&own);
    return code;
}

/* What the agent wrote wrongly goes to `reason` and back to it; what went wrong
 * here is the error of the task. `readable` is set only once the solver has
 * run, so that `solved` is never read before. */
static void branch_solve(job *j)
{
    branch_state *state = j->state;
    const executor_result *answer = executor_done(j->agent);
    const snapshot *at = &j->blobs[0].snap;
    constraint_list constraints;
    etna_slot slot = task_slot(j, ROLE_SOLVER);
    slot.turn = j->step.slot.turn;
    slot.repair = j->step.slot.repair;
    state->readable = false;
    etna_code code = names_spell(j->warm->scene, answer->constraints, &j->arena,
                                 &state->constraints, &j->error);
    if (code != ETNA_OK) {
        j->error.code = code;
        return;
    }
    code = to_agent(state,
                    constraint_parse(state->constraints,
                                     strlen(state->constraints), &j->arena,
                                     &constraints, &j->error),
                    &j->error);
    bool is_read = code == ETNA_OK && !state->reason[0];
    if (is_read)
        state->object = constraints.object;
    if (is_read && !j->task.cameras && names_camera(&constraints)) {
        snprintf(
            state->reason, sizeof state->reason,
            "CloseToPix: there is one camera only; write it as [\"CloseToPix\", \"center\" or \"down\", [x, y]]");
    }
    if (code != ETNA_OK || state->reason[0]) {
        j->error.code = code;
        return;
    }
    solve_request request = solve_request_default();
    request.constraints = &constraints;
    request.camera = &j->sight.camera;
    request.seed = etna_seed(j->task.run_seed, &slot);
    request.moved = at->moved;
    request.attached_by_contact = at->attached;
    request.allow_faults = j->task.ablation == ABLATION_NO_BACKTRACKING;
    request.given_up_count = j->task.given_up_count;
    request.given_up = j->task.given_up;
    request.paper_solver = j->task.paper_solver;
    request.any_place = j->task.any_place;
    code = to_agent(state, branch_run_solver(j, &request), &j->error);
    if (code == ETNA_OK && !state->reason[0]) {
        state->readable = true;
        solve_judge_distance(j, state);
        solve_judge_rest(j, state);
        if (state->solved.status == BRANCH_VALID) {
            code = make_snapshot(j, &state->solved);
            if (state->solved.faulty)
                snprintf(state->reason, sizeof state->reason,
                         "taken with its faults: %.900s", state->solved.reason);
        } else {
            snprintf(state->reason, sizeof state->reason, "%s",
                     state->solved.reason);
        }
    }
    j->error.code = code;
}

/* With names of the scene, which live as long as the job. Left out where memory
 * ends: the reason says it, too. */
static arrange_obstacle branch_obstacle(job *j, const solve_obstacle *from)
{
    const char **others =
        etna_arena_alloc(&j->arena, ARRANGE_OBSTACLE_OTHERS, sizeof *others);
    if (!others)
        return (arrange_obstacle){.kind = OBSTACLE_NONE};
    for (uint32_t i = 0; i < from->other_count; i++)
        others[i] = j->warm->scene->objects[from->others[i]].name;
    return (arrange_obstacle){.kind = from->kind,
                              .plane = from->plane,
                              .other_count = from->other_count,
                              .others = others};
}

static const char *branch_text_or(const char *text, const char *other)
{
    return text ? text : other;
}

/* What the planner, which may be the executor itself, wanted. */
static void branch_tell_plan(job *j, arrange_result *result)
{
    const planner_result *plan = executor_plan(j->agent);
    if (!plan)
        return;
    planner_result fitted = *plan;
    planner_fit(&j->task, &fitted);
    result->plan_status = fitted.status;
    result->instruction = fitted.instruction;
    result->item = fitted.item;
    result->part = fitted.part;
    result->makes_way = fitted.makes_way;
    result->coordinates = fitted.coordinates;
    result->refusal = fitted.refusal;
}

/* What the solver came to. */
static void branch_tell_solved(job *j,
                               arrange_branch_status status,
                               arrange_result *result)
{
    const branch_state *state = j->state;
    result->plane = state->solved.plane;
    result->pose = state->solved.pose;
    result->loss = state->solved.loss;
    if (status == BRANCH_VALID)
        result->elsewhere = branch_strays(&state->solved);
    result->candidates = state->solved.candidates;
    result->survivors = state->solved.survivors;
    result->collision_checks = state->solved.collision_checks;
    bool is_blocked = status != BRANCH_VALID && status != BRANCH_REPEATED;
    if (is_blocked)
        result->obstacle = branch_obstacle(j, &state->solved.obstacle);
}

static void branch_tell(job *j, arrange_branch_status status)
{
    const branch_state *state = j->state;
    const executor_result *answer = executor_done(j->agent);
    arrange_result *result = &j->result;
    branch_tell_plan(j, result);
    result->branch_status = status;
    memcpy(result->tries, state->tries, sizeof result->tries);
    bool is_read = answer->ok || status == BRANCH_VALID;
    /* as they were spelled for the solver, where it got so far */
    const char *object = is_read ? branch_text_or(state->object, answer->object)
                                 : answer->object;
    const char *constraints =
        is_read ? branch_text_or(state->constraints, answer->constraints)
                : answer->constraints;
    result->object = branch_text_or(object, "");
    result->constraints = branch_text_or(constraints, "");
    result->reason = state->reason;
    result->plane = "";
    if (state->readable)
        branch_tell_solved(j, status, result);
}

static void branch_refine(job *j, const job_event *event, job_want *want);

static void branch_kept(job *j, const job_event *event, job_want *want)
{
    (void)event;
    j->result.snapshot = j->made.hash;
    branch_tell(j, BRANCH_VALID);
    task_done(j, want);
}

/* A repeated place (one that an earlier branch gave up) is not asked for again
 * here: the coordinator ends the branch. */
static void branch_solved(job *j, const job_event *event, job_want *want)
{
    (void)event;
    branch_state *state = j->state;
    if (!state->readable || (state->solved.status != BRANCH_VALID &&
                             state->solved.status != BRANCH_REPEATED)) {
        ask_again(j, want);
    } else if (state->solved.status == BRANCH_VALID) {
        bool is_last = j->task.ablation != ABLATION_BASIC_3 ||
                       state->shown == BASIC_ROUNDS;
        task_want_keep(j, want, is_last ? branch_kept : branch_refine);
    } else {
        branch_tell(j, state->solved.status);
        task_done(j, want);
    }
}

/* The scene that it made is kept, so that it can be shown. */
static void branch_refine(job *j, const job_event *event, job_want *want)
{
    (void)event;
    branch_state *state = j->state;
    state->is_made = true;
    state->shown++;
    etna_code code =
        executor_show(j->agent, &j->made.hash, &j->step, &j->error);
    if (code != ETNA_OK)
        task_fail(j, want, code, j->error.text);
    else
        task_talk(j, want, branch_talked);
}

/* What it answered last was to mend a placement, and does not: that one
 * stands. */
static bool branch_stays(const job *j)
{
    const branch_state *state = j->state;
    return state->is_made &&
           (executor_keeps(j->agent) || !executor_done(j->agent)->ok);
}

static void branch_talked(job *j, const job_event *event, job_want *want)
{
    branch_state *state = j->state;
    const executor_result *answer = executor_done(j->agent);
    if (branch_stays(j)) {
        state->readable = true;
        branch_kept(j, event, want);
        return;
    }
    if (answer->ok) {
        state->reason[0] = 0;
        task_want_pool(j, want, answer->direct ? branch_place : branch_solve,
                       branch_solved);
        return;
    }
    if (answer->reason)
        snprintf(state->reason, sizeof state->reason, "%s", answer->reason);
    branch_tell(j, state->readable ? state->solved.status : BRANCH_MALFORMED);
    task_done(j, want);
}

static void ask_again(job *j, job_want *want)
{
    branch_state *state = j->state;
    state->tries[state->readable ? state->solved.status : BRANCH_MALFORMED]++;
    etna_code code =
        executor_solver_failed(j->agent, state->reason, &j->step, &j->error);
    if (code != ETNA_OK) {
        task_fail(j, want, code, j->error.text);
        return;
    }
    task_talk(j, want, branch_talked);
}

static void branch_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    j->state = etna_arena_alloc(&j->arena, 1, sizeof(branch_state));
    if (!j->state) {
        task_fail(j, want, ETNA_E_NOMEM, "out of memory for a branch");
        return;
    }
    task_converse(j, want, branch_look, branch_talked);
}

const job_kind task_branch = {
    .name = "branch", .needs = branch_needs, .begin = branch_begin};
