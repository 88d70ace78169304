/* Tasks: their names, their life, what they tell a worker, and where their
 * results go. A task's id is its place in the search, so a worker that outlives
 * a coordinator can still hand in what it was working on.
 *
 *   task_new -> queued -> leased (lease.c) -> task_settle -> the search goes on
 *                 ^          |
 *                 +----------+ the worker died, or told an error
 *
 * What a worker is told (task_fill) and what its result may say
 * (task_result_valid) stand in this file, one below the other: what is not
 * asked for is refused when it comes. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"
#include "proto/utf8.h"

#include <stdlib.h>
#include <string.h>

/* bytes of the edits' texts in a plan request, which must fit one message */
enum {
    EDITS_BYTES = 192 * 1024
};

/* The drawing in task.h. */
static const bool allowed[TASK_STATE_COUNT][TASK_STATE_COUNT] = {
    [TASK_QUEUED] =
        {[TASK_LEASED] = true, [TASK_DONE] = true, [TASK_DROPPED] = true},
    [TASK_LEASED] =
        {[TASK_QUEUED] = true, [TASK_DONE] = true, [TASK_DROPPED] = true},
};

/* Through the table above; anything else is a defect of ours. */
void task_state_set(task *t, task_state state)
{
    if (!allowed[t->state][state])
        core_broken(t->run->core,
                    "a task changed its state in a way that is not allowed");
    t->state = state;
}

/* Each part has its own bits, so that two places never share an id. */
uint64_t task_id(uint32_t kind,
                 uint32_t node_number,
                 uint32_t branch_number,
                 uint32_t poll_number)
{
    return (uint64_t)node_number << 24 |
           (uint64_t)(branch_number & 0xfff) << 12 |
           (uint64_t)(poll_number & 0xff) << 4 | (kind & 0xf);
}

/* It felled workers; from now on it is done by one that holds nothing else. */
bool task_is_deadly(const task *t)
{
    return t->deaths >= DEATHS_ALONE;
}

/* `first`: in front, as it has waited already. A deadly one goes to quarantine,
 * where all runs' are. */
static void task_enqueue(task *t, bool first)
{
    run *r = t->run;
    t->queued_ms = r->core->now;
    t->follows = r->sequence;
    if (task_is_deadly(t)) {
        chain_append(&r->core->quarantine, &t->link);
        r->alone_count++;
    } else if (first) {
        chain_prepend(&r->queue, &t->link);
    } else {
        chain_append(&r->queue, &t->link);
    }
    r->queued_count++;
    run_ready_update(r);
}

/* NULL: core.failure. There is one task of a place at a time. */
task *task_new(run *r,
               uint32_t kind,
               uint32_t node_number,
               uint32_t branch_number,
               uint32_t poll_number)
{
    task *t = calloc(1, sizeof *t);
    uint64_t id = task_id(kind, node_number, branch_number, poll_number);
    if (!t || !table_put(&r->tasks, id, t)) {
        core_trouble(r->core, ETNA_E_NOMEM, "a task: out of memory");
        free(t);
        return NULL;
    }
    *t = (task){.run = r,
                .id = id,
                .kind = kind,
                .node = node_number,
                .branch = branch_number,
                .poll = poll_number,
                .state = TASK_QUEUED,
                .attempt = 1,
                .attempt_last = 1,
                .of_node = node_number ? tree_handle(tree_node(r, node_number))
                                       : (node_handle){0}};
    chain_init(&t->link);
    chain_init(&t->of_run);
    chain_append(&r->tasks_open, &t->of_run);
    r->task_count++;
    task_enqueue(t, false);
    return t;
}

/* Whoever takes it out puts it into a worker's hands or closes it. */
void task_unqueue(task *t)
{
    chain_remove(&t->link);
    t->run->queued_count--;
    if (task_is_deadly(t))
        t->run->alone_count--;
}

/* Its place in a queue depends on its deaths, so it is queued anew. */
static void task_count_death(task *t)
{
    task_unqueue(t);
    t->deaths++;
    task_enqueue(t, false);
}

/* A journal never has the last death: that is the task's refusal. */
void task_death_replayed(task *t)
{
    if (t->deaths + 1 >= DEATHS_MOST)
        return; /* no journal of ours says so */
    task_count_death(t);
}

/* Those that are known and those whose worker has not been given up yet. */
uint32_t task_deaths(const task *t)
{
    return t->deaths + t->deaths_to_come;
}

/* A death counts at once for a task that is queued; for one that is leased when
 * its lease has ended. Once a task is done alone, only a death while it was
 * alone is laid to it. */
void task_death_laid(task *t, bool was_alone, etna_code fault, const char *why)
{
    if (!was_alone && task_deaths(t) >= DEATHS_ALONE)
        return;
    if (t->state == TASK_LEASED) {
        t->deaths_to_come++;
    } else {
        task_count_death(t);
    }
    t->death_fault = fault;
    t->death_why = run_text_cut(t->run, why, ARRANGE_NAME_MAX);
    if (task_deaths(t) < DEATHS_MOST)
        record_death(t, why); /* the last one's record is the task's refusal */
}

task *task_find(const run *r, uint64_t id)
{
    return table_get(&r->tasks, id);
}

/* ---- second leases ---- */

/* The twin is a copy with an attempt of its own; whichever ends first settles
 * the task. NULL: core.failure. */
task *task_double(task *t, worker *w)
{
    task *twin = calloc(1, sizeof *twin);
    if (!twin) {
        core_trouble(t->run->core, ETNA_E_NOMEM, "a task: out of memory");
        return NULL;
    }
    *twin = *t;
    twin->of = t;
    twin->worker = w;
    twin->attempt = ++t->attempt_last;
    chain_init(&twin->link);
    chain_init(&twin->of_run);
    chain_append(&w->leases, &twin->link);
    w->lease_count++;
    t->twin = twin;
    t->run->twin_count++;
    return twin;
}

/* Frees the second lease's record; its worker was dealt with before. */
static void task_forget_twin(task *t)
{
    free(t->twin);
    t->twin = NULL;
    t->run->twin_count--;
}

/* The calls of the one that is not needed are booked as lost: nobody will hand
 * in their replies. */
void task_untwin(task *t)
{
    if (!t->twin)
        return;
    call_lost_with(t->twin, true);
    if (t->twin->worker)
        lease_close(t->twin);
    task_forget_twin(t);
}

/* Out of the hands of its worker, who knows. */
static void task_take(task *t)
{
    chain_remove(&t->link);
    t->worker->lease_count--;
    t->worker = NULL;
}

/* The first lease has ended without a result. */
static void task_twin_takes_over(task *t)
{
    task *twin = t->twin;
    task_take(t);
    t->worker = twin->worker;
    t->attempt = twin->attempt;
    t->lease_sequence = twin->lease_sequence;
    t->leased_ms = twin->leased_ms;
    t->confirmed_ms = twin->confirmed_ms;
    chain_append(&twin->link, &t->link); /* before it, as chain_append has it */
    chain_remove(&twin->link);
    task_forget_twin(t);
}

/* The lease is over and the task is not. A task that has a twin is not queued:
 * the other goes on with it. */
void task_to_queue(task *t)
{
    if (t->leaving) {
        task_left(t);
        return;
    }
    if (t->of) {
        t->of->single = true;
        task_take(t);
        task_forget_twin(t->of);
        return;
    }
    if (t->twin) {
        task_twin_takes_over(t);
        return;
    }
    task_take(t);
    t->attempt = ++t->attempt_last;
    t->deaths += t->deaths_to_come;
    t->deaths_to_come = 0;
    task_state_set(t, TASK_QUEUED);
    task_enqueue(t, true);
}

/* Its worker may be given the task again before it hears that, and begin a call
 * for the old lease meanwhile. Were the numbers the same, that call would pass
 * for one of the new lease, and be forgotten when the next begin comes. */
void task_attempt_stopped(task *t, uint32_t attempt)
{
    enum {
        ATTEMPTS_MOST = 1 << 20 /* no coordinator gives out so many */
    };
    if (attempt > ATTEMPTS_MOST)
        return;
    if (t->attempt_last < attempt)
        t->attempt_last = attempt;
    if (t->state == TASK_QUEUED && t->attempt == attempt)
        t->attempt = ++t->attempt_last;
}

/* Out of the run's list and table of open tasks. */
static void task_forget(task *t)
{
    chain_remove(&t->of_run);
    table_remove(&t->run->tasks, t->id);
    t->run->task_count--;
}

/* Ends the task in the state given: leases, calls in flight and queue are
 * cleared, and it is freed. */
static void close_task(task *t, task_state state)
{
    run *r = t->run;
    task_untwin(t);
    call_lost_with(t, true);
    if (t->state == TASK_QUEUED) {
        task_unqueue(t);
    } else if (t->worker) {
        lease_close(t);
    }
    task_state_set(t, state);
    task_forget(t);
    free(t);
    run_ready_update(r);
}

/* Nobody waits for its result any more, but it waits for an answer that is
 * paid: that comes, so that its cost is known. */
static bool task_may_leave(const task *t)
{
    return t->run->config.finish_calls && t->state == TASK_LEASED &&
           call_waits_elsewhere(t);
}

/* Frees it, or lets it leave. */
static void task_drop(task *t)
{
    if (!task_may_leave(t)) {
        close_task(t, TASK_DROPPED);
        return;
    }
    run *r = t->run;
    task_untwin(t);
    task_forget(t);
    t->leaving = true;
    chain_append(&r->tasks_leaving, &t->of_run);
    r->leaving_count++;
}

/* The task as the reference means it: itself, its twin, or one that leaves.
 * NULL: that lease is over. */
task *task_held(const run *r, const message_task_ref *ref)
{
    task *t = task_find(r, ref->task);
    if (t && t->twin && t->twin->attempt == ref->attempt)
        return t->twin;
    if (t)
        return t->state == TASK_LEASED && t->attempt == ref->attempt ? t : NULL;
    for (const chain *link = r->tasks_leaving.next; link != &r->tasks_leaving;
         link = link->next) {
        t = CHAIN_OF(task, of_run, link);
        if (t->id == ref->task && t->attempt == ref->attempt)
            return t;
    }
    return NULL;
}

/* The last of a task that was dropped while a paid call of it was under way. A
 * run that has ended waits for these before it is told as ended. */
void task_left(task *t)
{
    run *r = t->run;
    call_lost_with(t, true);
    lease_close(t);
    task_state_set(t, TASK_DROPPED);
    chain_remove(&t->of_run);
    r->leaving_count--;
    viewer_stir(r);
    free(t);
    bool was_awaited = r->phase == PHASE_ENDED && r->leaving_count == 0;
    if (was_awaited)
        core_row_changed(r, false);
}

/* What belongs to one step, when it is decided. */
void task_drop_node(run *r, uint32_t node_number)
{
    for (chain *link = r->tasks_open.next, *next; link != &r->tasks_open;
         link = next) {
        next = link->next;
        task *t = CHAIN_OF(task, of_run, link);
        if (t->node == node_number)
            task_drop(t);
    }
}

/* When the search is over. */
void task_drop_all(run *r)
{
    while (!chain_empty(&r->tasks_open))
        task_drop(CHAIN_OF(task, of_run, r->tasks_open.next));
}

/* ---- what a task says ---- */

/* What planner and importer are told of the goal or list. */
static void fill_instructions(const run *r, arrange_task *ret)
{
    ret->goal = r->config.goal;
    ret->step_count = r->config.step_count;
    ret->steps = r->config.steps;
    ret->max_steps = r->config.max_steps;
    ret->open_list = r->config.open_list;
}

/* A long list's edits must fit one message beside its instructions: then each
 * says less of what it was told to do. */
static void task_shorten(core *c, arrange_edit *edits, uint32_t count)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += strlen(edits[i].instruction);
    for (uint32_t i = 0; bytes > EDITS_BYTES && i < count; i++) {
        size_t size = etna_utf8_cut(edits[i].instruction, EDITS_BYTES / count);
        edits[i].instruction =
            etna_arena_strndup(&c->scratch, edits[i].instruction, size);
        if (!edits[i].instruction)
            core_trouble(c, ETNA_E_NOMEM, "a plan request: out of memory");
    }
}

/* Why an instruction was passed over is a hint for those that speak of it, and
 * need not be whole. */
static void fill_passed(const run *r, arrange_task *ret)
{
    arrange_passed *passed =
        etna_arena_alloc(&r->core->scratch, r->passed_count, sizeof *passed);
    if (!passed) {
        core_trouble(r->core, ETNA_E_NOMEM, "a plan request: out of memory");
        return;
    }
    for (uint32_t i = 0; i < r->passed_count; i++) {
        const char *what = r->passed[i].refusal.what;
        const char *cut = etna_arena_strndup(
            &r->core->scratch, what, etna_utf8_cut(what, ARRANGE_NAME_MAX));
        if (!cut)
            core_trouble(r->core, ETNA_E_NOMEM,
                         "a plan request: out of memory");
        passed[i] = (arrange_passed){.item = r->passed[i].item,
                                     .reason = cut,
                                     .part = r->passed[i].refusal.part};
    }
    ret->passed = passed;
    ret->passed_count = r->passed_count;
}

/* What a planner is told: the goal or the list, what was kept so far, what
 * failed here. Texts of edits are shortened so that the message fits. */
static void fill_plan(const run *r, const node *n, arrange_task *ret)
{
    fill_instructions(r, ret);
    fill_passed(r, ret);
    arrange_edit *edits =
        etna_arena_alloc(&r->core->scratch, r->path_count, sizeof *edits);
    if (!edits) {
        core_trouble(r->core, ETNA_E_NOMEM, "a plan request: out of memory");
        return;
    }
    for (uint32_t i = 0; i < r->path_count; i++)
        tree_edit(tree_node(r, r->path[i]), &edits[i]);
    task_shorten(r->core, edits, r->path_count);
    ret->edit_count = r->path_count;
    ret->edits = edits;
    ret->first_snapshot = r->first_snapshot;
    ret->before = r->config.before;
    ret->meaning = r->meaning;
    ret->reader_asked = r->config.reader != NULL;
    ret->any_place = r->config.any_place;
    ret->coordinates = r->coordinates;
    memory_fill(r, n, ret);
}

/* The built-in agent reads what was asked and measures whether all of it holds:
 * of a list with one edit for each, too. */
static void fill_measure(arrange_task *ret)
{
    ret->model = "builtin";
    ret->ablation = ABLATION_NONE;
    ret->models = NULL;
    ret->meaning = NULL;
    ret->open_list = ret->goal == NULL;
    ret->failure_count = ret->given_up_count = 0;
}

/* For an executor and, of the same branch, for its evaluators. */
static void fill_branch(const node *n, const task *t, arrange_task *ret)
{
    const branch *b = &n->branches[t->branch];
    ret->instruction = b->plan->instruction;
    ret->coordinate[0] = b->plan->coordinate[0];
    ret->coordinate[1] = b->plan->coordinate[1];
    ret->coordinate_is_bottom = b->plan->is_bottom;
    if (b->plan->camera)
        ret->camera = b->plan->camera;
    ret->any_place = t->run->config.any_place;
    ret->paper_collision = t->run->config.paper_collision;
    ret->paper_floating = t->run->config.paper_floating;
    if (t->kind == TASK_BRANCH) {
        ret->coordinates = t->run->coordinates;
        memory_given_up(t->run, n, ret);
        ret->paper_solver = t->run->config.paper_solver;
        return;
    }
    ret->object = b->object;
    ret->planes = b->plane;
    ret->elsewhere = b->elsewhere;
    ret->after = b->snapshot;
}

/* Image 0 is S_0; image i shows what the i-th kept edit moved. */
static void fill_render(const run *r, uint32_t image, arrange_task *ret)
{
    ret->snapshot = r->first_snapshot;
    if (r->final_count == 0)
        return;
    /* The scene as it was is seen as its last edit is, to be compared. */
    uint32_t edit = image ? image : r->final_count;
    const node *n = tree_node(r, r->final[edit - 1]);
    const branch *b = &n->branches[n->winner];
    ret->after = b->snapshot;
    ret->object = b->object;
    if (image == 0)
        return;
    ret->snapshot = n->before;
    ret->step = n->step;
}

/* The scene after so many kept edits; 0: after the last. */
static etna_hash kept_after(const run *r, uint32_t edits)
{
    if (!r->final_count)
        return r->first_snapshot;
    const node *n =
        tree_node(r, r->final[(edits ? edits : r->final_count) - 1]);
    return n->branches[n->winner].snapshot;
}

/* Nobody asked for a camera by name: each step may have its own. */
static bool any_camera(const run *r)
{
    const char *asked = r->config.camera;
    return !asked || !*asked || strcmp(asked, "auto") == 0;
}

/* Nothing of a task lives outside this struct and the blobs that it names. The
 * struct borrows from the run: it is packed before the next step. */
void task_fill(const task *t, arrange_task *ret)
{
    const run *r = t->run;
    const node *n = tree_node(r, t->node);
    *ret = (arrange_task){.kind = t->kind,
                          .scene = r->config.scene,
                          .run_seed = r->config.seed,
                          .node = t->node,
                          .branch = t->branch,
                          .poll = t->poll,
                          .model = r->config.model,
                          .models = r->config.models,
                          .camera = r->camera ? r->camera : r->config.camera,
                          .facts = r->config.facts,
                          .brief = r->config.brief,
                          .fronts = r->config.fronts,
                          .ablation = r->config.ablation,
                          .cameras = r->config.cameras,
                          .any_camera = any_camera(r),
                          .start = r->config.start};
    if (n) {
        ret->step = n->step;
        ret->snapshot = n->before;
    }
    switch (t->kind) {
    case TASK_IMPORT: fill_instructions(r, ret); break;
    case TASK_READ:
        fill_instructions(r, ret);
        ret->before = r->config.before;
        ret->model = r->config.reader;
        break;
    case TASK_PLAN:
        fill_plan(r, n, ret);
        if (t->poll == ARRANGE_PLAN_MEASURES)
            fill_measure(ret);
        break;
    case TASK_BRANCH:
        if (arrange_is_single(r->config.ablation)) {
            fill_plan(r, n, ret);
            break;
        }
        fill_branch(n, t, ret);
        break;
    case TASK_POLL: fill_branch(n, t, ret); break;
    case TASK_RENDER: fill_render(r, t->branch, ret); break;
    case TASK_EXPORT: ret->snapshot = kept_after(r, t->branch); break;
    case TASK_ASSET: ret->scene = r->config.lots[t->branch]; break;
    case TASK_FURNISH: ret->snapshot = r->config.lots[t->branch]; break;
    default: core_broken(r->core, "a task of a kind that is never given out");
    }
}

/* ---- results ---- */

/* Of the run's goal, or of nothing? */
static bool part_fits(const run *r, const arrange_part *part)
{
    if (part->from == part->to)
        return true;
    return part->from < part->to && part_size(r, part) > 0;
}

/* Its parts must lie within what the run was asked for. */
static bool refusal_fits(const run *r, const arrange_refusal *refusal)
{
    if (refusal->code >= REFUSAL_CODE_COUNT || refusal->from > refusal->to)
        return false;
    if (refusal->item > r->config.step_count || !part_fits(r, &refusal->part))
        return false;
    return text_bounded(refusal->what, MESSAGE_TEXT_MAX) &&
           text_bounded(refusal->where, MESSAGE_TEXT_MAX) &&
           text_bounded(refusal->advice, MESSAGE_TEXT_MAX);
}

/* Names of things are bounded in length and number. */
static bool obstacle_fits(const arrange_obstacle *obstacle)
{
    if (obstacle->kind >= OBSTACLE_KIND_COUNT ||
        obstacle->other_count > ARRANGE_OBSTACLE_OTHERS)
        return false;
    for (uint32_t i = 0; i < obstacle->other_count; i++) {
        if (!obstacle->others[i] ||
            !text_bounded(obstacle->others[i], MESSAGE_TEXT_MAX))
            return false;
    }
    return text_bounded(obstacle->plane, MESSAGE_TEXT_MAX);
}

/* Bounded, whatever the kind has of them. */
static bool texts_fit(const arrange_result *result)
{
    const char *texts[] = {result->instruction, result->reason, result->object,
                           result->plane, result->camera};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (!text_bounded(texts[i], MESSAGE_TEXT_MAX))
            return false;
    }
    if (!text_bounded(result->camera, ARRANGE_NAME_MAX))
        return false;
    if (!text_bounded(result->constraints, MESSAGE_PAYLOAD_MAX))
        return false;
    if (!text_bounded(result->meaning, ARRANGE_MEANING_MAX))
        return false;
    if (result->warning_count > ARRANGE_MEMORY_MAX)
        return false;
    for (uint32_t i = 0; i < result->warning_count; i++) {
        if (!text_bounded(result->warnings[i], MESSAGE_TEXT_MAX))
            return false;
    }
    return true;
}

/* A run that goes on after another must begin at that one's scene. */
static bool import_fits(const run *r, const arrange_result *result)
{
    const etna_hash *start = &r->config.start; /* S_0 where one is given */
    if (!etna_hash_is_zero(start) && !etna_hash_equal(start, &result->snapshot))
        return false;
    return !etna_hash_is_zero(&result->snapshot);
}

/* An edit needs an instruction; every other end may be without words. */
static bool plan_fits(const run *r, const arrange_result *result)
{
    (void)r;
    if (result->plan_status < PLAN_EDIT || result->plan_status > PLAN_MALFORMED)
        return false;
    if (result->coordinates >= COORDINATES_COUNT)
        return false;
    return result->plan_status != PLAN_EDIT ||
           (result->instruction && *result->instruction);
}

/* A single agent's branch has a plan in it and no other has; a valid one names
 * what it moved and has a scene after it. */
static bool branch_fits(const run *r, const arrange_result *result)
{
    bool is_single = arrange_is_single(r->config.ablation);
    bool is_valid = result->branch_status == BRANCH_VALID;
    if (is_single != (result->plan_status != 0))
        return false;
    if (is_single && !plan_fits(r, result))
        return false;
    if (result->plan_status > PLAN_EDIT && is_valid)
        return false;
    if (result->branch_status < BRANCH_VALID ||
        result->branch_status > BRANCH_REPEATED)
        return false;
    if (!is_valid)
        return true;
    return result->object && *result->object &&
           !etna_hash_is_zero(&result->snapshot);
}

/* A reading may be nothing: the planner reads then. */
static bool read_fits(const run *r, const arrange_result *result)
{
    (void)r;
    (void)result;
    return true;
}

/* Abstaining is a verdict. */
static bool poll_fits(const run *r, const arrange_result *result)
{
    (void)r;
    return result->verdict <= VERDICT_EXCELLENT;
}

/* The worker has put it before. */
static bool blob_fits(const run *r, const arrange_result *result)
{
    (void)r;
    return !etna_hash_is_zero(&result->blob);
}

/* Results come from any worker, maybe of another build: bounds, finite numbers,
 * then what the kind needs. */
bool task_result_valid(const task *t, const arrange_result *result)
{
    static bool (*const fits[TASK_KIND_COUNT])(const run *,
                                               const arrange_result *) = {
        [TASK_IMPORT] = import_fits, [TASK_PLAN] = plan_fits,
        [TASK_BRANCH] = branch_fits, [TASK_READ] = read_fits,
        [TASK_POLL] = poll_fits,     [TASK_RENDER] = blob_fits,
        [TASK_EXPORT] = blob_fits,   [TASK_ASSET] = blob_fits,
        [TASK_FURNISH] = blob_fits,
    };
    const double numbers[8] = {result->coordinate[0],
                               result->coordinate[1],
                               result->pose.position[0],
                               result->pose.position[1],
                               result->pose.position[2],
                               result->pose.yaw,
                               result->loss,
                               result->elsewhere};
    if (result->kind != t->kind || !texts_fit(result) ||
        !numbers_finite(numbers, 8))
        return false;
    if (result->item > t->run->config.step_count ||
        !part_fits(t->run, &result->part))
        return false;
    if (!refusal_fits(t->run, &result->refusal))
        return false;
    if (!obstacle_fits(&result->obstacle))
        return false;
    return result->kind < TASK_KIND_COUNT && fits[result->kind] &&
           fits[result->kind](t->run, result);
}

/* What a branch or a verdict has for its reason reaches later prompts and tells
 * failures apart, so it may not say how workers failed: that is chance. The
 * record says it, and so does what ends a run. */
static const char *task_refusal_text(run *r,
                                     const record_result *facts,
                                     bool refused)
{
    core_text text = {0};
    bool goes_on = facts->kind == TASK_BRANCH || facts->kind == TASK_POLL;
    const char *why = goes_on ? "no worker could do it" : facts->text;
    if (!refused)
        return run_text_cut(r, facts->text, ARRANGE_REASON_MAX);
    text_add(&text, "refused after %u attempts: %s",
             (unsigned)r->core->options.attempts, why ? why : "");
    return run_text_cut(r, text.data, ARRANGE_REASON_MAX);
}

/* Nobody can do the task: what that means depends on what hangs on it. */
static void settle_undone(run *r,
                          node *n,
                          const record_result *facts,
                          bool refused)
{
    const char *text = task_refusal_text(r, facts, refused);
    const core_end undone = {.kind = END_ERROR};
    switch (facts->kind) {
    case TASK_BRANCH:
        /* the plan would have come with it */
        if (arrange_is_single(r->config.ablation)) {
            run_search_over(r, undone, facts->error, text);
            break;
        }
        step_branch_refused(r, n, facts->branch, text);
        break;
    case TASK_POLL:
        step_poll_refused(r, n, facts->branch, facts->poll, text);
        break;
    case TASK_EXPORT:
        run_export_refused(r, undone, facts->error, text);
        run_finish_step(r);
        break;
    /* an image less is no reason to lose a result */
    case TASK_RENDER: run_finish_step(r); break;
    case TASK_ASSET:
    case TASK_FURNISH:
        run_lot_over(r, facts->branch, &(etna_hash){.bytes = {0}});
        break;
    default:
        /* without an import or a plan nothing can follow */
        run_search_over(r, undone, facts->error, text);
    }
}

/* What it says is worth having, and nothing hangs on it. */
static bool task_measures(const record_result *facts)
{
    return facts->kind == TASK_PLAN && facts->poll == ARRANGE_PLAN_MEASURES;
}

/* Whether the run goes on when the task cannot be done by anybody. */
static bool task_is_spared(const run *r, const record_result *facts)
{
    return r->phase == PHASE_FINISHING || facts->kind == TASK_ASSET ||
           facts->kind == TASK_FURNISH;
}

/* A valid result goes to whatever waits for it. */
static void settle_done(run *r, node *n, const record_result *facts)
{
    const arrange_result *result = &facts->result;
    switch (facts->kind) {
    case TASK_IMPORT: run_import_arrived(r, result); break;
    case TASK_READ: run_read_arrived(r, result); break;
    case TASK_PLAN:
        if (task_measures(facts)) {
            claim_measured(r, n, result);
        } else {
            step_plan_arrived(r, n, facts->branch, result);
        }
        break;
    case TASK_BRANCH: step_branch_arrived(r, n, facts->branch, result); break;
    case TASK_POLL:
        step_poll_arrived(r, n, facts->branch, facts->poll, result);
        break;
    case TASK_ASSET:
    case TASK_FURNISH: run_lot_over(r, facts->branch, &result->blob); break;
    case TASK_RENDER:
        r->images[facts->branch] = result->blob;
        run_finish_step(r);
        break;
    case TASK_EXPORT:
        *(facts->branch ? &r->scenes[facts->branch] : &r->export_blob) =
            result->blob;
        run_finish_step(r);
        break;
    default:
        core_broken(r->core, "a result of a kind that was never asked for");
    }
}

/* From a result to the search. The step may be decided already by another
 * result: then nothing of this one counts, but for a task of the run itself. */
void task_settle(task *t, const record_result *facts, bool refused)
{
    run *r = t->run;
    node *n = tree_open(r, t->of_node);
    bool of_step =
        t->kind == TASK_PLAN || t->kind == TASK_BRANCH || t->kind == TASK_POLL;
    close_task(t, TASK_DONE);
    if (of_step && !n) {
        core_broken(r->core, "a task outlived the step it belonged to");
    } else if (task_measures(facts) && (refused || facts->error != ETNA_OK)) {
        claim_unmeasured(r, n);
    } else if (refused ||
               (facts->error != ETNA_OK && task_is_spared(r, facts))) {
        settle_undone(r, n, facts, refused);
    } else if (facts->error != ETNA_OK) {
        run_search_over(r, (core_end){.kind = END_ERROR}, facts->error,
                        facts->text ? facts->text : "");
    } else {
        settle_done(r, n, facts);
    }
}

/* As it stands in the narration. */
void task_name(core_text *text,
               const run *r,
               uint32_t kind,
               uint32_t node_number,
               uint32_t branch_number,
               uint32_t poll_number)
{
    const node *n = tree_node(r, node_number);
    if (n)
        text_add(text, "step %u (node %u) ", (unsigned)n->step,
                 (unsigned)node_number);
    if (kind == TASK_PLAN && poll_number == ARRANGE_PLAN_MEASURES) {
        text_add(text, "measured");
    } else if (kind == TASK_PLAN && n && n->plan_count > 1) {
        text_add(text, "plan %u", (unsigned)branch_number);
    } else if (kind == TASK_PLAN) {
        text_add(text, "plan");
    } else if (kind == TASK_BRANCH) {
        text_add(text, "branch %u", (unsigned)branch_number);
    } else if (kind == TASK_POLL) {
        text_add(text, "branch %u poll %u", (unsigned)branch_number,
                 (unsigned)poll_number);
    } else if (kind == TASK_RENDER) {
        text_add(text, "image %u", (unsigned)branch_number);
    } else if (kind == TASK_ASSET) {
        text_add(text, "lot %u", (unsigned)branch_number);
    } else if (kind == TASK_FURNISH) {
        text_add(text, "room %u", (unsigned)branch_number);
    } else if (kind == TASK_EXPORT && branch_number) {
        text_add(text, "export %u", (unsigned)branch_number);
    } else {
        static const char *const names[TASK_KIND_COUNT] = {
            [TASK_READ] = "reader",
            [TASK_IMPORT] = "import",
            [TASK_EXPORT] = "export"};
        const char *name = kind < TASK_KIND_COUNT ? names[kind] : NULL;
        text_add(text, "%s", name ? name : "task");
    }
}
