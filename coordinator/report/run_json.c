/* Jansson's setters take NULL and fail, so a document is built without looking
 * at each call. Whether memory ended is asked once, at its end: a script takes
 * a field that is missing for one that does not apply. */
#include "coordinator/report/run_json.h"
#include "coordinator/report/failure_report.h"
#include "coordinator/report/json_memory.h"
#include "coordinator/report/usage.h"
#include "proto/array.h"
#include "proto/error_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts of models may hold bytes that are no UTF-8. Such a text is left empty
 * rather than the whole document lost. */
static json_t *run_json_text(const char *value)
{
    json_t *string = json_string(value ? value : "");
    return string ? string : json_string("");
}

/* An edit's sentence without the alternatives that only the executor needs. */
static json_t *instruction_text(const char *instruction)
{
    const size_t shown = arrange_instruction_shown(instruction);
    return instruction && instruction[shown]
               ? json_sprintf("%.*s.", (int)shown, instruction)
               : run_json_text(instruction);
}

/* An edit's sentence as it was carried out: where what the first line names
 * would not have the thing, another had it. */
static json_t *instruction_done(const arrange_edit *e)
{
    arrange_instruction_place place;
    if (!arrange_instruction_place_of(e, &place))
        return instruction_text(e->instruction);
    return json_sprintf("%.*s %.*s%s", (int)place.head_length, e->instruction,
                        (int)place.length, place.text, place.stop);
}

/* All zeros is no hash, and is told as null. */
static json_t *run_json_hash(const etna_hash *value)
{
    char hex[65];
    if (etna_hash_is_zero(value))
        return json_null();
    etna_hash_hex(value, hex);
    return json_string(hex);
}

/* Positions in metres and the scene's own frame, Z up; the yaw in degrees. */
static json_t *steps_of(const core_run_view *view)
{
    json_t *steps = json_array();
    for (uint32_t i = 0; i < view->edit_count; i++) {
        const arrange_edit *e = &view->edits[i];
        json_t *step = json_object();
        json_object_set_new(step, "instruction", instruction_done(e));
        if (e->item)
            json_object_set_new(step, "item", json_integer(e->item));
        json_object_set_new(step, "object", run_json_text(e->object));
        json_object_set_new(step, "snapshot", run_json_hash(&e->snapshot));
        json_object_set_new(step, "score", json_real(e->score));
        json_object_set_new(step, "branches", json_integer(e->branches));
        json_object_set_new(step, "plane", run_json_text(e->plane));
        json_object_set_new(step, "position",
                            json_pack("[f,f,f]", e->pose.position[0],
                                      e->pose.position[1],
                                      e->pose.position[2]));
        json_object_set_new(
            step, "yaw_deg",
            json_real(e->pose.yaw * (180 / 3.14159265358979323846)));
        json_object_set_new(step, "loss", json_real(e->loss));
        json_array_append_new(steps, step);
    }
    return steps;
}

/* The short form; `usage` has it all. */
static json_t *run_json_usage_of(const message_usage *usage)
{
    return json_pack("{s:I,s:I}", "in", (json_int_t)usage->tokens_in, "out",
                     (json_int_t)usage->tokens_out);
}

/* Evaluators that have not spoken yet are left out; one that abstained with
 * words is kept. */
static json_t *evaluations_of(const core_branch_view *v)
{
    json_t *list = json_array();
    for (uint32_t i = 0; v->verdicts && i < v->poll_count; i++) {
        const char *said = v->poll_reasons ? v->poll_reasons[i] : "";
        if (v->verdicts[i] == VERDICT_ABSTAIN && !(said && *said))
            continue; /* it has not spoken */
        json_t *one = json_object();
        json_object_set_new(one, "verdict",
                            json_string(arrange_verdict_name(v->verdicts[i])));
        json_object_set_new(one, "text", run_json_text(said));
        json_array_append_new(list, one);
    }
    return list;
}

/* What was in the way, for programs: kind and names, no sentence. */
static json_t *obstacle_of(const arrange_obstacle *obstacle)
{
    json_t *others = json_array();
    for (uint32_t i = 0; i < obstacle->other_count; i++)
        json_array_append_new(others, run_json_text(obstacle->others[i]));
    return json_pack("{s:s,s:o,s:o}", "kind",
                     arrange_obstacle_name(obstacle->kind), "plane",
                     run_json_text(obstacle->plane), "others", others);
}

/* The executor's tries that came to nothing, by what they came to; NULL:
 * none. */
static json_t *tries_of(const core_branch_view *v)
{
    json_t *tries = NULL;
    for (uint32_t i = BRANCH_MALFORMED; i < BRANCH_REPEATED; i++) {
        if (!v->tries[i])
            continue;
        if (!tries)
            tries = json_object();
        json_object_set_new(tries, arrange_branch_status_name(i),
                            json_integer(v->tries[i]));
    }
    return tries;
}

/* pixel_off: how far the place lies from the pixel that was pointed at, where
 * the search had to be widened. */
static json_t *branch_of(const core_branch_view *v)
{
    json_t *branch = json_object();
    json_object_set_new(branch, "branch", json_integer(v->number));
    json_object_set_new(branch, "state",
                        json_string(core_branch_state_name(v->state)));
    json_object_set_new(
        branch, "status",
        json_string(v->status ? arrange_branch_status_name(v->status) : ""));
    json_object_set_new(branch, "object", run_json_text(v->object));
    json_object_set_new(branch, "plane", run_json_text(v->plane));
    json_object_set_new(branch, "reason", run_json_text(v->reason));
    if (v->obstacle.kind)
        json_object_set_new(branch, "obstacle", obstacle_of(&v->obstacle));
    json_t *tries = tries_of(v);
    if (tries)
        json_object_set_new(branch, "failed_tries", tries);
    json_object_set_new(branch, "loss", json_real(v->loss));
    json_object_set_new(branch, "widened", json_boolean(v->elsewhere > 0));
    if (v->elsewhere > 0)
        json_object_set_new(branch, "pixel_off", json_real(v->elsewhere));
    json_object_set_new(branch, "mean", json_real(v->mean));
    json_object_set_new(branch, "snapshot", run_json_hash(&v->snapshot));
    json_object_set_new(branch, "candidates", json_integer(v->candidates));
    json_object_set_new(branch, "survivors", json_integer(v->survivors));
    json_object_set_new(branch, "collision_checks",
                        json_integer(v->collision_checks));
    json_object_set_new(branch, "constraints", run_json_text(v->constraints));
    json_object_set_new(branch, "evaluations", evaluations_of(v));
    return branch;
}

/* The node's plan, by its status; "": it has none. */
static const char *plan_of(const core_node_view *n)
{
    static const char *const plans[] = {
        "", "edit", "finished", "impossible", "unreadable", "malformed"};
    return n->plan_status < COUNT_OF(plans) ? plans[n->plan_status] : "";
}

/* "failure" is a kind, "reason" the words; times in seconds since the run
 * began. */
static json_t *run_node_of(const core_node_view *n)
{
    json_t *node = json_object();
    json_t *branches = json_array();
    json_object_set_new(node, "node", json_integer(n->number));
    json_object_set_new(node, "parent", json_integer(n->parent));
    json_object_set_new(node, "step", json_integer(n->step));
    json_object_set_new(node, "anchor", json_integer(n->anchor));
    json_object_set_new(node, "state",
                        json_string(core_node_state_name(n->state)));
    json_object_set_new(node, "plan", json_string(plan_of(n)));
    json_object_set_new(node, "instruction", instruction_text(n->instruction));
    if (n->item)
        json_object_set_new(node, "item", json_integer(n->item));
    json_object_set_new(node, "reason", run_json_text(n->reason));
    if (n->failure)
        json_object_set_new(node, "failure",
                            json_string(core_failure_name(n->failure)));
    if (n->passed)
        json_object_set_new(node, "passed_over", json_integer(n->passed));
    if (n->given_up_for)
        json_object_set_new(node, "given_up_for",
                            json_integer(n->given_up_for));
    json_object_set_new(node, "plan_reason", run_json_text(n->plan_reason));
    if (n->refusal.code)
        json_object_set_new(node, "refusal", error_json_refusal(&n->refusal));
    json_object_set_new(node, "winner",
                        n->winner < 0 ? json_null() : json_integer(n->winner));
    json_object_set_new(node, "snapshot", run_json_hash(&n->after));
    json_object_set_new(node, "begun_s", json_real((double)n->begun_ms / 1000));
    json_object_set_new(node, "decided_s",
                        n->decided_ms ? json_real((double)n->decided_ms / 1000)
                                      : json_null());
    for (uint32_t b = 0; b < n->branch_count; b++)
        json_array_append_new(branches, branch_of(&n->branches[b]));
    json_object_set_new(node, "branches", branches);
    return node;
}

/* Nodes in the order of their numbers, from 1. */
static json_t *tree_of(const core_run_view *view)
{
    json_t *nodes = json_array();
    for (uint32_t i = 0; i < view->node_count; i++)
        json_array_append_new(nodes, run_node_of(&view->nodes[i]));
    return nodes;
}

/* 0: not limited. */
static json_t *limits_of(const arrange_config *config)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:f}", "branches",
                     (json_int_t)config->branches, "polls",
                     (json_int_t)config->polls, "max_steps",
                     (json_int_t)config->max_steps, "backtracks",
                     (json_int_t)config->max_backtracks, "max_tokens",
                     (json_int_t)config->max_tokens, "max_wall_s",
                     (double)config->max_wall_ms / 1000);
}

/* Why the search stopped. `cap` and `node` only where the kind has one. */
static json_t *end_of(const core_end *end)
{
    json_t *object = json_pack("{s:s}", "kind", core_end_name(end->kind));
    if (end->kind == END_CAP)
        json_object_set_new(object, "cap",
                            json_string(core_cap_name(end->cap)));
    if (end->kind == END_IDENTICAL)
        json_object_set_new(object, "node", json_integer(end->node));
    return object;
}

/* 1: it ran and did not reach its goal. */
static int run_json_exit_code_of(const core_run_view *view)
{
    if (view->state == RUN_COMPLETE)
        return 0;
    return view->error ? etna_exit_code(view->error) : 1;
}

/* What stood in the way of a run that did not reach its goal; NULL: nothing is
 * to be told. */
static json_t *cause_of(const core_run_view *view)
{
    bool unread = view->end.kind == END_UNREADABLE;
    if (view->state != RUN_PARTIAL && view->state != RUN_FAILED)
        return NULL;
    if (view->error && !unread) {
        etna_error err = {.code = view->error};
        snprintf(err.text, sizeof err.text, "%s", view->reason);
        json_t *document = error_json(&err);
        json_t *error = json_incref(json_object_get(document, "error"));
        json_decref(document);
        return error;
    }
    return view->refusal.code ? error_json_refusal(&view->refusal) : NULL;
}

/* What was passed over in the user's own words; "" where that is not known. */
static json_t *passed_said(const core_run_view *view, const core_passed *passed)
{
    const arrange_part *part = &passed->refusal.part;
    const arrange_config *config = view->config;
    char said[ARRANGE_INSTRUCTION_MAX + 1] = "";
    if (!config->goal)
        return run_json_text(passed->item <= config->step_count
                                 ? config->steps[passed->item - 1]
                                 : "");
    const bool is_known =
        part->from < part->to && part->to <= strlen(config->goal);
    const size_t size = is_known ? part->to - part->from : 0;
    if (size < sizeof said)
        memcpy(said, config->goal + part->from, size);
    return run_json_text(said);
}

/* Instructions of a list, or parts of a goal, that were passed over, each with
 * why, as a refusal tells it. */
static json_t *passed_of(const core_run_view *view)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < view->passed_count; i++) {
        const core_passed *passed = &view->passed[i];
        json_t *row = error_json_refusal(&passed->refusal);
        json_object_set_new(row, "item", json_integer(passed->item));
        json_object_set_new(row, "instruction", passed_said(view, passed));
        if (passed->refusal.part.thing)
            json_object_set_new(row, "thing",
                                run_json_text(passed->refusal.where));
        json_array_append_new(list, row);
    }
    return list;
}

/* A failure without advice of its own gets the first advice of the report. */
static void complete_cause(const json_t *document, json_t *cause)
{
    json_t *advice = json_array_get(json_object_get(document, "advice"), 0);
    if (advice && !json_string_length(json_object_get(cause, "do")))
        json_object_set(cause, "do", advice);
}

/* The scene after each kept edit. The last one's is the result itself. */
static json_t *scenes_of(const core_run_view *view)
{
    json_t *list = json_array();
    for (uint32_t i = 1; view->state >= RUN_COMPLETE && i <= view->edit_count;
         i++)
        json_array_append_new(list, run_json_hash(i < view->edit_count
                                                      ? &view->scenes[i]
                                                      : &view->result));
    return list;
}

/* Evaluators decided about it, so that its scene is worth a look. */
static bool branch_is_decided(const core_branch_view *v)
{
    bool is_decided = v->state == BRANCH_ACCEPTED ||
                      v->state == BRANCH_REJECTED ||
                      v->state == BRANCH_UNJUDGED;
    return is_decided && !etna_hash_is_zero(&v->snapshot);
}

/* False: a kept edit left the same scene, which is written as a GLB anyway. */
static bool branch_is_apart(const core_run_view *view,
                            const core_branch_view *v)
{
    for (uint32_t i = 0; i < view->edit_count; i++) {
        if (memcmp(&view->edits[i].snapshot, &v->snapshot,
                   sizeof v->snapshot) == 0)
            return false;
    }
    return true;
}

/* Lists are as short as a step has branches, so they are searched from the
 * start. */
static bool list_has_hash(const json_t *list, const json_t *hash)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        if (json_equal(one, hash))
            return true;
    }
    return false;
}

/* The snapshots that branches left which evaluators decided about, each once,
 * but for those of kept edits. */
static json_t *tried_of(const core_run_view *view)
{
    json_t *list = json_array();
    for (uint32_t i = 0; view->state >= RUN_COMPLETE && i < view->node_count;
         i++) {
        const core_node_view *n = &view->nodes[i];
        for (uint32_t b = 0; b < n->branch_count; b++) {
            const core_branch_view *v = &n->branches[b];
            if (!branch_is_decided(v) || !branch_is_apart(view, v))
                continue;
            json_t *hash = run_json_hash(&v->snapshot);
            bool is_new = !list_has_hash(list, hash) &&
                          json_array_size(list) < RUN_JSON_TRIED_MAX;
            if (is_new)
                json_array_append(list, hash);
            json_decref(hash);
        }
    }
    return list;
}

/* What trying several branches brought: how many were tried, and how many an
 * evaluator would have accepted. */
static json_t *branches_of(const core_run_view *view)
{
    json_int_t tried = 0, accepted = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        const core_node_view *n = &view->nodes[i];
        for (uint32_t k = 0; k < n->branch_count; k++) {
            tried += n->branches[k].status != 0;
            accepted += n->branches[k].state == BRANCH_ACCEPTED;
        }
    }
    uint32_t at_once = view->config->branches_at_once;
    if (!at_once || at_once > view->config->branches)
        at_once = view->config->branches;
    return json_pack("{s:I,s:I,s:I,s:I}", "a_step",
                     (json_int_t)view->config->branches, "at_once",
                     (json_int_t)at_once, "tried", tried, "accepted", accepted);
}

/* Texts as a list of strings. */
static json_t *run_json_list(const char *const *texts, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, run_json_text(texts[i]));
    return list;
}

/* What was asked: a goal or a list, from which scene or run on. */
static void run_json_add_asked(json_t *d, const core_run_view *view)
{
    const arrange_config *config = view->config;
    json_object_set_new(d, "scene", run_json_text(config->scene_name));
    if (config->goal) {
        json_object_set_new(d, "goal", run_json_text(config->goal));
    } else {
        json_object_set_new(d, "instructions",
                            run_json_list(config->steps, config->step_count));
        json_object_set_new(d, "open_list", json_boolean(config->open_list));
    }
    if (!config->goal || view->passed_count)
        json_object_set_new(d, "passed_over", passed_of(view));
    if (etna_hash_is_zero(&config->start))
        return;
    char after[33];
    etna_id_hex(&config->after, after);
    json_object_set_new(d, "after", json_string(after));
}

/* Who plays, and by which rules. */
static void run_json_add_settings(json_t *d, const arrange_config *config)
{
    json_object_set_new(d, "model", run_json_text(config->model));
    if (config->reader)
        json_object_set_new(d, "reader", run_json_text(config->reader));
    json_object_set_new(d, "ablation",
                        json_string(arrange_ablation_name(config->ablation)));
    json_object_set_new(d, "all_cameras", json_boolean(config->cameras));
    json_object_set_new(d, "seed", json_integer((json_int_t)config->seed));
    json_object_set_new(d, "paper_solver", json_boolean(config->paper_solver));
    json_object_set_new(d, "reach", json_boolean(!config->any_place));
    json_object_set_new(d, "collision",
                        json_string(config->paper_collision ? "paper" : "own"));
    json_object_set_new(d, "floating",
                        json_string(config->paper_floating ? "paper" : "own"));
    json_object_set_new(d, "memory", json_boolean(!config->forgets));
}

/* The images of a run that is over, S_0's first. */
static json_t *run_json_images(const core_run_view *view)
{
    json_t *images = json_array();
    bool ended = view->state >= RUN_COMPLETE && view->images;
    for (uint32_t i = 0; ended && i <= view->edit_count; i++)
        json_array_append_new(images, run_json_hash(&view->images[i]));
    return images;
}

/* May lack members where memory was short. */
static json_t *run_json_made(const core_run_view *view)
{
    char name[33];
    json_t *d = json_object();
    const int exit_code = run_json_exit_code_of(view);
    etna_id_hex(&view->run, name);
    json_object_set_new(d, "schema", json_string("etna.run/1"));
    json_object_set_new(d, "run", json_string(name));
    json_object_set_new(d, "status", json_string(run_state_name(view->state)));
    json_object_set_new(d, "final_snapshot",
                        run_json_hash(&view->final_snapshot));
    json_object_set_new(d, "steps", steps_of(view));
    json_object_set_new(d, "backtracks", json_integer(view->backtracks));
    json_object_set_new(d, "tokens", run_json_usage_of(&view->used));
    json_object_set_new(d, "wall_s", json_real((double)view->wall_ms / 1000));
    json_object_set_new(d, "compute_s", json_real((double)view->cpu_us / 1e6));
    json_object_set_new(d, "spent_tokens", run_json_usage_of(&view->spent));
    json_object_set_new(d, "usage", usage_of_view(view));
    json_object_set_new(d, "branches", branches_of(view));
    json_object_set_new(d, "reason", run_json_text(view->reason));
    json_object_set_new(d, "end", end_of(&view->end));
    json_object_set_new(d, "exit_code", json_integer(exit_code));
    json_t *cause = cause_of(view);
    if (cause)
        json_object_set(d, exit_code > 1 ? "error" : "failure", cause);
    run_json_add_asked(d, view);
    run_json_add_settings(d, view->config);
    json_object_set_new(d, "objects", json_integer(view->object_count));
    json_object_set_new(d, "movable", json_integer(view->movable_count));
    json_object_set_new(d, "warnings",
                        run_json_list(view->warnings, view->warning_count));
    json_object_set_new(d, "other_builds",
                        run_json_list(view->builds, view->build_count));
    json_object_set_new(d, "result_blob", run_json_hash(&view->result));
    json_object_set_new(d, "image_blobs", run_json_images(view));
    if (view->config->step_scenes) {
        json_object_set_new(d, "scene_blobs", scenes_of(view));
        json_object_set_new(d, "tried_blobs", tried_of(view));
    }
    json_object_set_new(d, "limits", limits_of(view->config));
    json_object_set_new(d, "tree", tree_of(view));
    failure_report_add(d);
    if (cause && exit_code <= 1)
        complete_cause(d, cause);
    json_decref(cause);
    return d;
}

/* NULL: out of memory. */
json_t *run_json_of(const core_run_view *view)
{
    json_memory_begin();
    json_t *d = run_json_made(view);
    if (!json_memory_failed())
        return d;
    json_decref(d);
    return NULL;
}

/* shell_options.report; *ret_data is the caller's to free. */
etna_code run_json_report(void *context,
                          const core_run_view *view,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err)
{
    (void)context;
    json_t *d = run_json_of(view);
    char *dump = d ? json_memory_dump(d, JSON_INDENT(2)) : NULL;
    json_decref(d);
    if (!dump)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing a run's report");
    *ret_data = (uint8_t *)dump;
    *ret_size = strlen(dump);
    return ETNA_OK;
}

/* What stands where a blob may be missing. */
static bool is_hash_or_null(const json_t *value)
{
    etna_hash parsed;
    return json_is_null(value) ||
           (json_is_string(value) &&
            etna_hash_parse(json_string_value(value), &parsed));
}

/* What every version of the document has, each of its type. */
static bool has_members(const json_t *d)
{
    static const struct {
        const char *key;
        json_type type;
    } members[] = {{"exit_code", JSON_INTEGER},  {"steps", JSON_ARRAY},
                   {"backtracks", JSON_INTEGER}, {"run", JSON_STRING},
                   {"status", JSON_STRING},      {"reason", JSON_STRING},
                   {"scene", JSON_STRING}};
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        const json_t *value = json_object_get(d, members[i].key);
        if (!value || json_typeof(value) != members[i].type)
            return false;
    }
    return json_is_number(json_object_get(d, "wall_s"));
}

/* At most `most` hashes, or null where there is nothing. */
static bool hashes_are_well_formed(const json_t *list, size_t most)
{
    if (json_array_size(list) > most)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!is_hash_or_null(json_array_get(list, i)))
            return false;
    }
    return true;
}

/* The bounds keep a hostile coordinator from making us fetch or write more
 * files than a run can have. */
static bool well_formed(const json_t *d)
{
    if (!has_members(d))
        return false;
    json_int_t code = json_integer_value(json_object_get(d, "exit_code"));
    const json_t *images = json_object_get(d, "image_blobs");
    const json_t *steps = json_object_get(d, "steps");
    if (code < 0 || code > 4)
        return false;
    if (!json_is_array(images) ||
        !hashes_are_well_formed(images, ARRANGE_STEPS_MAX + 1))
        return false;
    if (!hashes_are_well_formed(json_object_get(d, "scene_blobs"),
                                ARRANGE_STEPS_MAX) ||
        !hashes_are_well_formed(json_object_get(d, "tried_blobs"),
                                RUN_JSON_TRIED_MAX))
        return false;
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *one = json_array_get(steps, i);
        if (!json_is_string(json_object_get(one, "instruction")) ||
            !json_is_string(json_object_get(one, "object")))
            return false;
    }
    return is_hash_or_null(json_object_get(d, "result_blob"));
}

/* Not trusted: from a coordinator that may be another's. */
etna_code run_json_parse(const uint8_t *data,
                         size_t size,
                         json_t **ret,
                         etna_error *err)
{
    json_error_t why;
    json_t *d =
        json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, &why);
    if (d && well_formed(d)) {
        *ret = d;
        return ETNA_OK;
    }
    json_decref(d);
    return etna_fail(err, ETNA_E_MESSAGE,
                     "the coordinator's report of the run is not well formed");
}
