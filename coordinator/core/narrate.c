/* One line for every record but replies to whole requests, and for the losses
 * no record tells of: what a person reads while a run goes on, and what the
 * simulator's golden files hold. Texts of models and users stand in it: no
 * control character survives. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"
#include "proto/utf8.h"

#include <string.h>

/* bytes of a foreign text in a line */
enum {
    QUOTE_MAX = 200
};

static const char *const branch_words[] = {
    "refused",   "valid",    "malformed answer", "no solution",
    "collision", "floating", "repeated edit"};
static const char *const verdict_words[] = {
    "abstains", "terrible", "bad", "fair", "good", "excellent"};

/* A line has no line ends or escapes of others in it. */
static void plain_line(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = ' ';
    }
}

/* Takes the text into the run's memory; it is made plain, whatever stood in
 * it. */
static narration narrate_happening(run *r,
                                   core_text *text,
                                   message_happening happening)
{
    plain_line(text->data);
    return (narration){.text = run_text(r, text->data), .happening = happening};
}

/* For lines of which programs need nothing more. */
static narration narrate_line_of(run *r, core_text *text)
{
    return narrate_happening(r, text,
                             (message_happening){.kind = HAPPENED_OTHER});
}

/* `t`: the task that it tells of, or NULL. */
static void narrate_say_of(core *c,
                           const etna_id *id,
                           uint64_t time_ms,
                           core_text *text,
                           const task *t)
{
    if (c->replaying)
        return;
    plain_line(text->data);
    narration told = {.text = etna_arena_strdup(&c->scratch, text->data)};
    if (!told.text) {
        core_trouble(c, ETNA_E_NOMEM, "narration: out of memory");
        return;
    }
    told.task = t ? t->id : 0;
    told.attempt = t ? t->attempt : 0;
    core_say(c, id, 0, time_ms, &told);
}

/* A line that no record tells of. In a replay it was told before. */
static void narrate_say(core *c,
                        const etna_id *id,
                        uint64_t time_ms,
                        core_text *text)
{
    narrate_say_of(c, id, time_ms, text, NULL);
}

/* With the task's id, so that viewers can join it to what they showed of the
 * task. */
static narration narrate_of_task(narration told, const record_result *facts)
{
    told.task = task_id(facts->kind, facts->node, facts->branch, facts->poll);
    return told;
}

/* Cut at a character, as models may answer with pages. */
static void add_quoted(core_text *text, const char *said)
{
    if (said)
        text_add(text, "\"%.*s\"", (int)etna_utf8_cut(said, QUOTE_MAX), said);
}

/* Without the alternatives, which are for the executor. */
static void add_instruction(core_text *text, const char *said)
{
    const size_t shown = arrange_instruction_shown(said);
    bool is_cut = said && said[shown] && shown < etna_utf8_cut(said, QUOTE_MAX);
    if (is_cut) {
        text_add(text, "\"%.*s ...\"", (int)shown, said);
    } else {
        add_quoted(text, said);
    }
}

/* Nothing is added where there is none. */
static void add_reason(core_text *text, const char *reason)
{
    if (reason && *reason)
        text_add(text, ": %s", reason);
}

/* "; all 4 branches", "; branches 0 and 2", "; branch 1". */
static void add_branch_numbers(core_text *text,
                               const node *n,
                               const uint32_t *branches,
                               uint32_t count)
{
    if (count > 1 && count == n->branch_count) {
        text_add(text, "; all %u branches", (unsigned)count);
        return;
    }
    text_add(text, "; %s", count == 1 ? "branch" : "branches");
    for (uint32_t i = 0; i < count; i++) {
        const char *joint = i + 1 < count ? ", " : " and ";
        text_add(text, "%s%u", i > 0 ? joint : " ", (unsigned)branches[i]);
    }
}

/* The reasons of a step's branches, each said once: "all 4 branches: ...",
 * "branches 0 and 2: ...". */
static void add_branch_reasons(core_text *text, const run *r, const node *n)
{
    const char *reasons[ARRANGE_BRANCHES_MAX];
    for (uint32_t i = 0; i < n->branch_count; i++) {
        reasons[i] =
            memory_branch_reason(r, &n->branches[i], &r->core->scratch);
    }
    for (uint32_t i = 0; i < n->branch_count; i++) {
        uint32_t same[ARRANGE_BRANCHES_MAX] = {0}, count = 0;
        for (uint32_t j = 0; j < n->branch_count; j++) {
            if (strcmp(reasons[i], reasons[j]) == 0)
                same[count++] = j;
        }
        if (same[0] != i)
            continue; /* said with an earlier one */
        add_branch_numbers(text, n, same, count);
        text_add(text, ": %s", reasons[i]);
    }
}

/* A step that failed at its branches has a reason for each. */
static void add_failure(core_text *text, const run *r, const node *n)
{
    if (n->failure != FAILURE_BRANCHES) {
        add_reason(text, n->reason);
        return;
    }
    text_add(text, ": no branch was accepted");
    add_branch_reasons(text, r, n);
}

/* Why a run ended, without the list of branches: the line of the failed step,
 * just above, has it. */
static void add_end_reason(core_text *text, const run *r)
{
    const node *last = tree_node(r, r->node_count);
    bool by_step = r->end.kind == END_IDENTICAL || r->end.kind == END_ONE_WAY;
    if (by_step && last->failure == FAILURE_BRANCHES) {
        text_add(text, ": ");
        end_text_add(text, r, false);
    } else {
        add_reason(text, r->reason);
    }
}

/* All that decides what the run will do, and not how it is carried. */
narration narrate_submitted(run *r)
{
    static const char *const modes[] = {"?", "first", "ordered", "off"};
    core_text text = {0};
    if (r->config.goal) {
        text_add(&text, "goal ");
        add_quoted(&text, r->config.goal);
    } else {
        text_add(&text, "%u instructions, the first ",
                 (unsigned)r->config.step_count);
        add_quoted(&text, r->config.steps[0]);
    }
    text_add(&text, " in %s: seed %llu, %u branches, %u polls, early end %s",
             *r->config.scene_name ? r->config.scene_name : "a scene",
             (unsigned long long)r->config.seed, (unsigned)r->config.branches,
             (unsigned)r->config.polls, modes[r->config.early_end]);
    if (r->config.ablation)
        text_add(&text, ", ablation %s",
                 arrange_ablation_name(r->config.ablation));
    if (r->config.cameras)
        text_add(&text, ", all cameras");
    if (r->config.reader)
        text_add(&text, ", reader %s", r->config.reader);
    if (!etna_hash_is_zero(&r->config.start)) {
        char name[33];
        etna_id_hex(&r->config.after, name);
        text_add(&text, ", after run %s", name);
    }
    return narrate_happening(r, &text,
                             (message_happening){.kind = HAPPENED_SUBMITTED,
                                                 .count = r->config.branches});
}

/* A camera of "eye:..." was made by us and has no name that means anything to a
 * reader. */
static void add_step_camera(core_text *text, const char *camera)
{
    if (!camera || !*camera)
        return;
    if (strncmp(camera, "eye:", 4) == 0)
        text_add(text, ", seen by a camera made for this step");
    else
        text_add(text, ", seen by the camera %s", camera);
}

/* The coordinate is left out where the executor is not shown it. */
static void add_plan(core_text *text,
                     const run *r,
                     const arrange_result *result)
{
    switch (result->plan_status) {
    case PLAN_EDIT:
        text_add(text, ": ");
        add_instruction(text, result->instruction);
        if (!arrange_is_single(r->config.ablation) &&
            r->config.ablation != ABLATION_NO_PLANNER_COORDINATE)
            text_add(text, ", %s at (%.3f, %.3f)",
                     result->coordinate_is_bottom ? "bottom" : "center",
                     result->coordinate[0], result->coordinate[1]);
        if (result->item)
            text_add(text, ", for instruction %u", (unsigned)result->item);
        add_step_camera(text, result->camera);
        return;
    case PLAN_FINISHED: text_add(text, ": finished"); break;
    case PLAN_IMPOSSIBLE: text_add(text, ": impossible"); break;
    case PLAN_UNREADABLE:
        text_add(text, r->config.goal ? ": the goal cannot be read"
                                      : ": an instruction cannot be read");
        break;
    default: text_add(text, ": malformed answer"); break;
    }
    add_reason(text, result->reason);
}

/* What the built-in agent finds of a claim that all is done. */
static void add_measure(core_text *text, const arrange_result *result)
{
    static const char *const words[] = {[PLAN_EDIT] = "it does not hold",
                                        [PLAN_FINISHED] = "it holds",
                                        [PLAN_IMPOSSIBLE] = "it does not hold",
                                        [PLAN_UNREADABLE] = "it cannot be read",
                                        [PLAN_MALFORMED] = "it cannot be read"};
    text_add(text, ": %s", words[result->plan_status]);
    const bool has_cause = result->refusal.code != REFUSAL_NONE;
    add_reason(text, has_cause ? result->refusal.what : result->reason);
}

/* A single agent's branch begins with its plan. */
static void add_branch(core_text *text,
                       const run *r,
                       const arrange_result *result)
{
    if (result->plan_status) { /* a single agent's */
        add_plan(text, r, result);
        if (result->plan_status != PLAN_EDIT)
            return;
    }
    if (result->branch_status == BRANCH_VALID) {
        text_add(text, ": %s", result->object);
        if (result->plane && *result->plane)
            text_add(text, " on %s", result->plane);
        text_add(text, " at (%.3f, %.3f, %.3f), loss %.4f",
                 result->pose.position[0], result->pose.position[1],
                 result->pose.position[2], result->loss);
        add_reason(text, result->reason);
    } else {
        text_add(text, " fails: %s", branch_words[result->branch_status]);
        add_reason(text, result->reason);
    }
}

/* A camera that the file does not have is worth a word: what the run sees is
 * not what the file's author saw. */
static void narrate_add_camera(core_text *text, const char *camera)
{
    if (!camera)
        return;
    if (strcmp(camera, "cutaway") == 0)
        text_add(text, ", seen through the ceiling and the near walls");
    else if (strncmp(camera, "auto:", 5) == 0)
        text_add(
            text,
            ", seen by a camera made for this run so that it shows what the goal names");
    else if (strcmp(camera, "auto") == 0)
        text_add(text, ", seen by a camera made for this run");
}

/* What the reader of the file doubts, its unit above all: every distance of the
 * run rests on that. */
static void narrate_add_warnings(core_text *text, const arrange_result *result)
{
    const uint32_t most = 3;
    for (uint32_t i = 0; i < result->warning_count && i < most; i++)
        text_add(text, "%s %s", i ? "" : "; doubtful:", result->warnings[i]);
}

/* The same event for programs. */
static message_happening happening_at(const run *r,
                                      const record_result *facts,
                                      uint32_t kind)
{
    const node *n = tree_node(r, facts->node);
    return (message_happening){.kind = kind,
                               .step = n ? n->step : 0,
                               .node = facts->node,
                               .branch = facts->branch};
}

/* What the task's undoing is: only a branch's is the end of something that is
 * shown. */
static message_happening happening_undone(const run *r,
                                          const record_result *facts)
{
    return happening_at(r, facts,
                        facts->kind == TASK_BRANCH ? HAPPENED_BRANCH_FAILED
                                                   : HAPPENED_OTHER);
}

/* Only an edit is news: the rest is told by the decision that follows. */
static message_happening happening_of_plan(run *r, const record_result *facts)
{
    enum {
        SHOWN_MAX = 255
    };
    message_happening happening = happening_at(r, facts, HAPPENED_OTHER);
    if (facts->result.plan_status != PLAN_EDIT || facts->poll)
        return happening; /* the decision tells of it, next */
    happening.kind = HAPPENED_PLANNED;
    size_t shown = arrange_instruction_shown(facts->result.instruction);
    happening.text = run_text_cut(r, facts->result.instruction,
                                  shown < SHOWN_MAX ? shown : SHOWN_MAX);
    return happening;
}

/* What a progress display shows; it reads these and never the line. */
static message_happening happening_of_result(run *r, const record_result *facts)
{
    const arrange_result *result = &facts->result;
    message_happening happening = happening_at(r, facts, HAPPENED_OTHER);
    switch (facts->kind) {
    case TASK_IMPORT: happening.kind = HAPPENED_IMPORTED; break;
    case TASK_PLAN: return happening_of_plan(r, facts);
    case TASK_BRANCH:
        if (result->plan_status > PLAN_EDIT)
            break; /* a single agent's, that is no edit */
        happening.kind = result->branch_status == BRANCH_VALID
                             ? HAPPENED_BRANCH_VALID
                             : HAPPENED_BRANCH_FAILED;
        break;
    case TASK_POLL:
        happening.kind = HAPPENED_POLLED;
        happening.count = result->verdict;
        break;
    case TASK_RENDER: happening.kind = HAPPENED_DRAWN; break;
    case TASK_EXPORT: happening.kind = HAPPENED_EXPORTED; break;
    default: break;
    }
    return happening;
}

/* One line for each task that ended, with its error where it has one. */
narration narrate_result(run *r, const record_result *facts)
{
    const arrange_result *result = &facts->result;
    core_text text = {0};
    task_name(&text, r, facts->kind, facts->node, facts->branch, facts->poll);
    if (facts->error != ETNA_OK) {
        text_add(&text, " cannot be done (%s)", etna_code_name(facts->error));
        add_reason(&text, facts->text);
        return narrate_of_task(
            narrate_happening(r, &text, happening_undone(r, facts)), facts);
    }
    switch (facts->kind) {
    case TASK_IMPORT:
        text_add(&text, ": %u objects, %u movable",
                 (unsigned)result->object_count,
                 (unsigned)result->movable_count);
        narrate_add_camera(&text, result->camera);
        narrate_add_warnings(&text, result);
        break;
    case TASK_READ:
        text_add(&text, result->meaning
                            ? ": read"
                            : ": its answer is not used, the planner reads");
        if (!result->meaning)
            add_reason(&text, result->reason);
        break;
    case TASK_PLAN:
        if (facts->poll == ARRANGE_PLAN_MEASURES) {
            add_measure(&text, result);
        } else {
            add_plan(&text, r, result);
        }
        break;
    case TASK_BRANCH: add_branch(&text, r, result); break;
    case TASK_POLL:
        text_add(&text, ": %s", verdict_words[result->verdict]);
        break;
    default: text_add(&text, ": done"); break;
    }
    return narrate_of_task(
        narrate_happening(r, &text, happening_of_result(r, facts)), facts);
}

/* Given up for good, after the attempts that the options allow. */
narration narrate_refused(run *r, const record_result *facts)
{
    core_text text = {0};
    task_name(&text, r, facts->kind, facts->node, facts->branch, facts->poll);
    text_add(&text, " is refused after %u attempts (%s)",
             (unsigned)r->core->options.attempts, etna_code_name(facts->error));
    add_reason(&text, facts->text);
    return narrate_of_task(
        narrate_happening(r, &text, happening_undone(r, facts)), facts);
}

/* In the user's own words where it was a goal. */
static void narrate_add_passed(core_text *text, const run *r, uint32_t item)
{
    if (!r->config.goal)
        text_add(text, "; instruction %u", (unsigned)item);
    for (uint32_t i = 0; r->config.goal && i < r->passed_count; i++) {
        if (r->passed[i].item != item)
            continue;
        text_add(text, "; ");
        part_text_add(text, r, &r->passed[i].refusal);
    }
}

/* What became of a node, and where the search goes on: the story of Algorithm
 * 2, line by line. */
narration narrate_decision(run *r, const node *n, uint32_t next_step)
{
    core_text text = {0};
    message_happening happening = {
        .step = n->step, .node = n->number, .next_step = next_step};
    text_add(&text, "step %u (node %u) ", (unsigned)n->step,
             (unsigned)n->number);
    if (n->state == NODE_EDITED) {
        happening.kind = HAPPENED_EDITED;
        text_add(&text, "edited: branch %d wins with %.2f", (int)n->winner,
                 n->branches[n->winner].mean);
        if (r->anchor != n->anchor_before)
            text_add(&text, ", a breakthrough: anchor %u", (unsigned)r->anchor);
        text_add(&text, "; on to step %u", (unsigned)next_step);
    } else if (n->state == NODE_COMPLETE) {
        happening.kind = HAPPENED_COMPLETE;
        text_add(&text,
                 r->passed_count ? "has nothing left to do" : "complete");
        add_reason(&text, n->reason);
    } else {
        text_add(&text, "failed");
        add_failure(&text, r, n);
    }
    if (n->passed) {
        narrate_add_passed(&text, r, n->passed);
        text_add(&text, " is passed over, on at step %u", (unsigned)next_step);
    } else if (n->failure == FAILURE_UNPROVEN && next_step) {
        text_add(&text, "; planned once more");
    } else if (n->state == NODE_FAILED && next_step) {
        happening.kind = HAPPENED_BACKTRACKED;
        happening.count = r->backtracks;
        text_add(&text, "; backtrack %u: anchor %u -> %u, back to step %u",
                 (unsigned)r->backtracks, (unsigned)n->anchor_before,
                 (unsigned)r->anchor, (unsigned)next_step);
    }
    return narrate_happening(r, &text, happening);
}

/* For records that have no body. */
narration narrate_plain(run *r, record_kind kind)
{
    core_text text = {0};
    text_add(&text, "%s", kind == RECORD_CANCEL ? "cancelled" : "suspended");
    return narrate_line_of(r, &text);
}

/* Which bound the run met. */
narration narrate_cap(run *r, core_cap kind)
{
    core_text text = {0};
    text_add(&text, "%s", cap_text(r, kind));
    return narrate_line_of(r, &text);
}

/* A model's window is too small for the conversation; who reads the result
 * should know that it was not shown all. */
narration narrate_left_out(run *r, const core_reply *reply)
{
    static const char *const roles[] = {
        "a model",   "the planner", "the executor", "the evaluator",
        "the judge", "the solver",  "the reader"};
    core_text text = {0};
    const etna_slot *at = &reply->slot;
    text_add(
        &text,
        "node %u branch %u, %s's turn %u: too long for %s, so %u image%s and %u tool result%s that came earlier were left out",
        (unsigned)at->node, (unsigned)at->branch,
        at->role < COUNT_OF(roles) ? roles[at->role] : roles[0],
        (unsigned)at->turn + 1,
        reply->model && *reply->model ? reply->model : "its model",
        (unsigned)reply->images_left_out,
        reply->images_left_out == 1 ? "" : "s", (unsigned)reply->texts_left_out,
        reply->texts_left_out == 1 ? "" : "s");
    return narrate_line_of(r, &text);
}

/* The last line of every run. */
narration narrate_ended(run *r)
{
    core_text text = {0};
    text_add(&text, "ended %s with %u edit%s after %u backtrack%s",
             run_state_name(r->outcome), (unsigned)r->final_count,
             r->final_count == 1 ? "" : "s", (unsigned)r->backtracks,
             r->backtracks == 1 ? "" : "s");
    add_end_reason(&text, r);
    return narrate_line_of(r, &text);
}

/* Of no run: a worker serves all of them. */
void narrate_worker_gone(core *c,
                         const worker *w,
                         const char *why,
                         uint32_t leases)
{
    const char *plural = leases == 1 ? "" : "s";
    const char *verb_end = leases == 1 ? "es" : "";
    core_text text = {0};
    text_add(&text, "worker %016llx is gone: %s; %u task%s go%s to others",
             (unsigned long long)w->id, why, (unsigned)leases, plural,
             verb_end);
    narrate_say(c, NULL, 0, &text);
}

/* The task itself goes on with another worker. */
void narrate_lease_lost(run *r, const task *t, const char *why)
{
    core_text text = {0};
    task_name(&text, r, t->kind, t->node, t->branch, t->poll);
    text_add(&text, ": attempt %u is lost: %s", (unsigned)t->attempt, why);
    narrate_say_of(r->core, &r->id, run_time_ms(r), &text, t);
}

/* A worker that is only slow may still answer first. */
void narrate_doubled(run *r, const task *t)
{
    core_text text = {0};
    task_name(&text, r, t->kind, t->node, t->branch, t->poll);
    text_add(&text,
             ": attempt %u takes %llu s so far; another worker does it, too",
             (unsigned)t->attempt,
             (unsigned long long)((r->core->now - t->leased_ms) / 1000));
    narrate_say_of(r->core, &r->id, run_time_ms(r), &text, t);
}

/* It is tried again, unless the attempts are used up. */
void narrate_task_error(run *r, const task *t, etna_code code, const char *said)
{
    core_text text = {0};
    task_name(&text, r, t->kind, t->node, t->branch, t->poll);
    text_add(&text, ": attempt %u could not be done (%s)", (unsigned)t->attempt,
             etna_code_name(code));
    add_reason(&text, said);
    narrate_say_of(r->core, &r->id, run_time_ms(r), &text, t);
}

/* No fault of the run's: it waits for models or room. */
void narrate_outage(run *r)
{
    core_text text = {0};
    text_add(&text, "%s by itself: %s", r->retry_ms ? "paused" : "suspended",
             r->outage);
    if (r->retry_ms)
        text_add(&text, "; tried again in %llu s",
                 (unsigned long long)((r->retry_ms - r->core->now) / 1000));
    narrate_say(r->core, &r->id, run_time_ms(r), &text);
}

/* The list of models names another for such a case. */
void narrate_fallback(run *r, const char *from, const char *to, const char *why)
{
    core_text text = {0};
    text_add(&text, "model %s does not answer, %s is asked instead", from, to);
    add_reason(&text, why);
    narrate_say(r->core, &r->id, run_time_ms(r), &text);
}

/* Replies are kept by slot; a request that became another since the reply was
 * stored shows that something was not deterministic. */
void narrate_mismatch(run *r, const etna_slot *slot)
{
    core_text text = {0};
    text_add(
        &text,
        "node %u branch %u role %u poll %u turn %u repair %u: asks otherwise than when its reply was stored; "
        "the stored reply is used",
        (unsigned)slot->node, (unsigned)slot->branch, (unsigned)slot->role,
        (unsigned)slot->poll, (unsigned)slot->turn, (unsigned)slot->repair);
    narrate_say(r->core, &r->id, run_time_ms(r), &text);
}

/* Only the name: the list with its prices stays in the journal. */
narration narrate_models(run *r)
{
    core_text text = {0};
    text_add(&text, "goes on with model %s", r->config.model);
    return narrate_line_of(r, &text);
}

/* Two builds may compute differently, so that a replay may, too. */
narration narrate_build(run *r, const char *build)
{
    core_text text = {0};
    text_add(&text, "a worker of build %s takes part, not of the coordinator's",
             build);
    return narrate_line_of(r, &text);
}

/* Why a worker that asks gets no task. */
void narrate_worker_waits(core *c, const worker *w, const char *why)
{
    core_text text = {0};
    text_add(&text, "worker %016llx waits: %s", (unsigned long long)w->id, why);
    narrate_say(c, NULL, 0, &text);
}

/* After DEATHS_MOST of them the task is refused, so that it cannot fell every
 * worker in turn. */
narration narrate_death(run *r, const task *t, const char *why)
{
    core_text text = {0};
    task_name(&text, r, t->kind, t->node, t->branch, t->poll);
    text_add(&text, ": a worker's death is laid to it, %u of %d: %s",
             (unsigned)task_deaths(t), (int)DEATHS_MOST, why);
    if (task_deaths(t) >= DEATHS_ALONE)
        text_add(&text, "; it is done alone from now on");
    narration told = narrate_line_of(r, &text);
    told.task = t->id;
    told.attempt = t->attempt;
    return told;
}

/* No record tells of it: that a process began to carry the run is no part of
 * what it decided. */
void narrate_resumed(run *r)
{
    core_text text = {0};
    text_add(&text, "resumed after record %llu",
             (unsigned long long)r->sequence);
    narrate_say(r->core, &r->id, run_time_ms(r), &text);
}
