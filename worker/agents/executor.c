/* See executor.h. */
#include "worker/agents/executor.h"

#include "proto/array.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/agents/inner.h"
#include "worker/agents/loose.h"
#include "worker/agents/rows.h"
#include "worker/agents/tools.h"
#include "worker/provider/text.h"
#include "worker/solve/constraint.h"

#include <string.h>

/* The rows as one compact JSON text: the same constraints have one text,
 * whatever they were written in. */
typedef etna_code rows_reader(const char *text,
                              size_t size,
                              picture_scale *scale,
                              json_t **ret,
                              etna_error *err);

/* `read` decides how lenient the reading is. The result is one of the forms
 * that constraint_parse takes. */
static etna_code executor_compact(const block *b,
                                  rows_reader *read,
                                  picture_scale *scale,
                                  etna_arena *arena,
                                  const char **ret,
                                  etna_error *err)
{
    json_t *rows = NULL;
    etna_code code = read(b->text, b->size, scale, &rows, err);
    if (code != ETNA_OK)
        return code;
    const char *copy = text_json(arena, rows, JSON_COMPACT);
    json_decref(rows);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading constraints");
    *ret = copy;
    return ETNA_OK;
}

/* What the object is put on: that of a Contact down, else of the first Contact;
 * "": of none. */
static const char *plane_of(const constraint_list *list)
{
    const char *plane = "";
    for (uint32_t i = 0; i < list->count; i++) {
        const constraint *item = &list->items[i];
        if (item->kind != CONSTRAINT_CONTACT)
            continue;
        if (item->face == FACE_DOWN)
            return item->name;
        if (!plane[0])
            plane = item->name;
    }
    return plane;
}

/* A bracket or a fence. */
static bool is_closing(char c)
{
    return text_is_in(c, "])}`");
}

/* Does the text end with a bracket or a fence, so that nothing of a list is
 * missing? */
static bool ends_whole(const char *text, size_t size)
{
    for (size_t before = size + 1; size < before;) {
        before = size;
        while (size > 0 && strchr(" \t\n*,;.$", text[size - 1]))
            size--;
        const char *tag =
            size > 0 && text[size - 1] == '>' ? memrchr(text, '<', size) : NULL;
        if (tag && tag[1] == '/')
            size = (size_t)(tag - text);
    }
    return size > 0 && is_closing(text[size - 1]);
}

/* Is one of those named that every answer has? */
static bool has_constraint(const char *text, size_t size)
{
    static const char *const names[] = {"ObjectName", "CloseToPix"};
    return memmem(text, size, names[0], strlen(names[0])) ||
           memmem(text, size, names[1], strlen(names[1]));
}

/* The one object of the text that has all the rows, with prose around it;
 * false: there is none, or more brackets follow. */
static bool find_object(const char *text, size_t size, block *ret)
{
    const char *open = memchr(text, '{', size);
    json_t *value = NULL;
    size_t length = 0;
    size_t left = open ? size - (size_t)(open - text) : 0;
    if (!open || !loose_value(open, left, &value, &length))
        return false;
    bool has_rows = has_constraint(open, length);
    json_decref(value);
    for (size_t i = length; i < left; i++) {
        if (open[i] && strchr("[{\"", open[i]))
            return false;
    }
    if (!has_rows)
        return false;
    *ret = (block){.text = open,
                   .size = length,
                   .from = (size_t)(open - text),
                   .to = (size_t)(open - text) + length};
    return true;
}

/* Each in a tag of its own: from the first to the last. */
static bool find_tags_like(const plain *p,
                           const char *open,
                           const char *shut,
                           block *ret)
{
    const char *first = strcasestr(p->text, open);
    const char *last = NULL;
    const char *second = first ? strcasestr(first + 1, open) : NULL;
    for (const char *at = second; at; at = strcasestr(at + 1, shut))
        last = at;
    if (!second || last == second)
        return false;
    size_t from = (size_t)(first - p->text);
    size_t to = (size_t)(last - p->text) + strlen(shut);
    *ret = (block){.text = first,
                   .size = to - from,
                   .from = from,
                   .to = to,
                   .begin = from,
                   .behind = to};
    return true;
}

/* The forms that models have made of the block. */
static bool find_tags(const plain *p, block *ret)
{
    return find_tags_like(p, "<constraint>", "</constraint>", ret) ||
           find_tags_like(p, "<constraint type=", "</constraint>", ret) ||
           find_tags_like(p, "[constraint]", "[/constraint]", ret);
}

/* Is the last line nothing but the word that completes an answer? */
static bool says_completion(const plain *p, size_t *ret_at)
{
    static const char word[] = "completion";
    size_t end = p->size;
    size_t size = sizeof word - 1;
    end = text_skip_back(p->text, 0, end, " \t\n.*_`");
    bool is_word =
        end > size && strncasecmp(p->text + end - size, word, size) == 0;
    size_t at = is_word ? end - size : 0;
    while (is_word && at > 0 && text_is_in(p->text[at - 1], " \t*_`"))
        at--;
    if (!is_word || at == 0 || p->text[at - 1] != '\n')
        return false;
    *ret_at = at;
    return true;
}

/* A block that nothing ends, but whose rows are one list that is closed:
 * "constraints = [[..], ..]" and code behind it. */
static bool find_closed_list(block *b)
{
    json_t *value = NULL;
    size_t skipped = 0, length = 0;
    skipped = text_skip(b->text, skipped, b->size, " \t\n=`");
    bool opens = skipped < b->size && b->text[skipped] == '[';
    if (!opens ||
        !loose_value(b->text + skipped, b->size - skipped, &value, &length))
        return false;
    const json_t *first = json_array_get(value, 0);
    bool is_list = json_array_size(value) > 1 &&
                   (json_is_array(first) || json_is_object(first));
    json_decref(value);
    if (!is_list)
        return false;
    b->text += skipped;
    b->from += skipped;
    b->size = length;
    b->to = b->from + length;
    return true;
}

/* Is the block whole, or at least its list? What is said from <completion> on is
 * not in it. */
static bool block_suffices(block *b, bool completes, size_t completion)
{
    const bool is_within = completion > b->from && completion < b->to;
    if (completes && b->end == BLOCK_OPEN && is_within) {
        b->to = completion;
        b->size = b->to - b->from;
    }
    const bool is_cut_by_end = completes && completion >= b->to;
    return b->end == BLOCK_CLOSED || is_cut_by_end || find_closed_list(b);
}

/* Where the constraints stand: in their block; without one, all that is said up
 * to <completion>, of which only lists are read. A list that could be cut off
 * is none. */
static etna_code find_constraints(const plain *p, block *ret, etna_error *err)
{
    size_t completion = p->size;
    bool completes = block_word(p, BLOCK_COMPLETION, 0, false, &completion) ||
                     says_completion(p, &completion);
    if (find_tags(p, ret))
        return ETNA_OK;
    if (block_find(p, BLOCK_CONSTRAINTS, ret, NULL) == ETNA_OK) {
        if (block_suffices(ret, completes, completion))
            return ETNA_OK;
        return etna_fail(err, ETNA_E_INPUT,
                         "the [%s] block is cut off: [end of %s] is missing",
                         BLOCK_CONSTRAINTS, BLOCK_CONSTRAINTS);
    }
    if (!has_constraint(p->text, completion))
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_CONSTRAINTS);
    if (find_object(p->text, completion, ret))
        return ETNA_OK;
    *ret = (block){.text = p->text, .size = completion, .to = completion};
    if (completes || ends_whole(p->text, completion))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INPUT,
                     "the [%s] block is cut off: its marks are missing",
                     BLOCK_CONSTRAINTS);
}

/* Strict in the end: whatever reader took the text apart, constraint_parse
 * decides. */
static etna_code read_block(const block *b,
                            rows_reader *read,
                            picture_scale *scale,
                            etna_arena *arena,
                            executor_result *ret,
                            etna_error *err)
{
    executor_result result = {.ok = true, .reason = ""};
    constraint_list list;
    etna_code code =
        executor_compact(b, read, scale, arena, &result.constraints, err);
    if (code == ETNA_OK)
        code = constraint_parse(result.constraints, strlen(result.constraints),
                                arena, &list, err);
    if (code != ETNA_OK)
        return code;
    result.object = list.object;
    result.plane = plane_of(&list);
    *ret = result;
    return ETNA_OK;
}

/* The usual reader first, then those for looser forms. Where the first only
 * asks what a coordinate counts in, the others are not tried: they would have
 * to guess. `known`: what is known of the model's coordinates, updated only by
 * the reading that succeeds. */
static etna_code executor_read_constraints(const char *text,
                                           picture_scale *known,
                                           etna_arena *arena,
                                           executor_result *ret,
                                           etna_error *err)
{
    plain p;
    block b;
    picture_scale none = {.known = COORDINATES_UNKNOWN};
    etna_code code = plain_make(text, arena, &p, err);
    if (code == ETNA_OK)
        code = find_constraints(&p, &b, err);
    if (code != ETNA_OK)
        return code;
    if (b.size > EXECUTOR_BLOCK_MAX) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the [constraints] block has %zu bytes, at most %d are read",
            b.size, EXECUTOR_BLOCK_MAX);
    }
    picture_scale *scale = known ? known : &none;
    const picture_scale before = *scale;
    code = read_block(&b, rows_read, scale, arena, ret, err);
    bool is_count = scale_questions(scale) > scale_questions(&before);
    /* what is unclear of a coordinate no other reader knows either */
    if (code != ETNA_E_INPUT || is_count)
        return code;
    rows_reader *const others[] = {rows_read_by_names, rows_read_ticked};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        picture_scale again = before;
        if (read_block(&b, others[i], &again, arena, ret, NULL) != ETNA_OK)
            continue;
        *scale = again;
        return ETNA_OK;
    }
    return code;
}

/* An answer wrapped in JSON or followed by an invented turn of somebody else is
 * read within; see inner.h. */
etna_code executor_read(const char *text,
                        picture_scale *known,
                        etna_arena *arena,
                        executor_result *ret,
                        etna_error *err)
{
    const char *own = inner_own_turn(text, arena);
    const char *carried = inner_carried(text, arena);
    const picture_scale before =
        known ? *known : (picture_scale){.known = COORDINATES_UNKNOWN};
    if (own &&
        executor_read_constraints(own, known, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    const uint32_t asked = scale_questions(&before);
    if (own && known && scale_questions(known) > asked)
        return ETNA_E_INPUT;
    if (carried &&
        executor_read_constraints(carried, known, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    /* read, but for what it counts in */
    bool is_count = known && scale_questions(known) > asked;
    if (is_count)
        return ETNA_E_INPUT;
    etna_code code = executor_read_constraints(text, known, arena, ret, err);
    const char *inner = code == ETNA_E_INPUT ? inner_text(text, arena) : NULL;
    bool is_read = inner && executor_read_constraints(inner, known, arena, ret,
                                                      NULL) == ETNA_OK;
    return is_read ? ETNA_OK : code;
}

/* Our constraints. */
static etna_code executor_read_reply(agent *a,
                                     const char *text,
                                     etna_error *err)
{
    return executor_read(text, &a->scale, &a->arena, &a->result.executor, err);
}

/* The branch then fails with the reason. */
static void executor_give_up(agent *a, const char *reason)
{
    a->result.executor = (executor_result){.ok = false,
                                           .constraints = "",
                                           .object = "",
                                           .plane = "",
                                           .reason = reason};
}

/* Only where there is a choice. */
bool executor_put_cameras(agent *a, const agent_view *view, json_t *task_json)
{
    if (view->camera_count < 2)
        return true;
    json_t *names = json_array();
    bool ok = names != NULL;
    for (uint32_t i = 0; ok && i < view->camera_count; i++)
        ok = json_array_append_new(names, agent_json_text(a, view->cameras[i],
                                                          ARRANGE_NAME_MAX)) ==
             0;
    ok = agent_json_set(task_json, "cameras", names) && ok;
    return ok &&
           agent_json_set(task_json, "camera",
                          agent_json_text(a, view->camera, ARRANGE_NAME_MAX));
}

/* In which form it is to answer, and what it looks through. False: out of
 * memory. */
static bool executor_put_form(agent *a,
                              const arrange_task *task,
                              const agent_view *view,
                              json_t *block_json)
{
    if (task->ablation == ABLATION_NO_MCP_TOOLS) {
        json_t *objects =
            view->objects ? json_loads(view->objects, 0, NULL) : json_array();
        bool ok = agent_json_set(block_json, "answer", json_string("script")) &&
                  agent_json_set(block_json, "objects", json_incref(objects));
        json_decref(objects);
        return ok;
    }
    if (task->ablation == ABLATION_NO_TOOL_LIBRARY &&
        !agent_json_set(block_json, "answer", json_string("placement")))
        return false;
    return !task->cameras || executor_put_cameras(a, view, block_json);
}

/* NULL: out of memory. The members depend on the ablation (VULCAN table 3):
 * what is taken from the executor is not mentioned. */
static json_t *executor_task_block(agent *a,
                                   const arrange_task *task,
                                   const agent_view *view)
{
    json_t *block_json = json_object();
    bool ok = agent_json_set(
        block_json, "instruction",
        agent_json_text(a, task->instruction, ARRANGE_INSTRUCTION_MAX));
    if (task->ablation != ABLATION_NO_PLANNER_COORDINATE) {
        ok = ok &&
             agent_json_set(block_json, "coordinate",
                            agent_json_point(task->coordinate, 2)) &&
             agent_json_set(
                 block_json, "coordinate_is",
                 json_string(task->coordinate_is_bottom ? "bottom" : "center"));
    }
    ok = ok &&
         (task->given_up_count == 0 ||
          agent_json_set(block_json, "avoid", agent_json_given_up(a, task)));
    ok = ok && (!task->paper_solver ||
                agent_json_set(block_json, "solver", json_string("published")));
    ok = ok && executor_put_form(a, task, view, block_json);
    if (ok)
        return block_json;
    json_decref(block_json);
    return NULL;
}

/* A pose, for ablations without the solver. */
static etna_code read_placement(agent *a, const char *text, etna_error *err)
{
    return executor_read_placement(text, &a->arena, &a->result.executor, err);
}

/* A [script] block of Blender's Python, for an ablation without constraints. */
static etna_code read_script(agent *a, const char *text, etna_error *err)
{
    return executor_read_script(text, &a->arena, &a->result.executor, err);
}

/* The scene under the grid, as it is before the edit. */
static etna_code open_with(agent *a,
                           const char *prompt,
                           const arrange_task *task,
                           const agent_view *view,
                           etna_error *err)
{
    agent_picture now = {.label = "Image: the current scene, under the grid.",
                         .image = {.camera = a->camera,
                                   .width = a->width,
                                   .height = a->height,
                                   .grid = true,
                                   .snapshot = task->snapshot}};
    return agent_open(a, prompt, executor_task_block(a, task, view), 1, &now,
                      view->facts, err);
}

/* Role, tools and prompt for the task's ablation. What was made is in *ret on
 * failure too; the caller frees it. */
static etna_code open_as(agent **ret,
                         const arrange_task *task,
                         const agent_view *view,
                         etna_error *err)
{
    static const agent_role solving = {ROLE_EXECUTOR, EXECUTOR_RETRIES,
                                       executor_read_reply, executor_give_up};
    static const agent_role placing = {ROLE_EXECUTOR, EXECUTOR_RETRIES,
                                       read_placement, executor_give_up};
    static const agent_role scripting = {ROLE_EXECUTOR, EXECUTOR_RETRIES,
                                         read_script, executor_give_up};
    const agent_role *role = &solving;
    bool cameras = task->cameras && view->camera_count > 1;
    uint32_t set = cameras ? TOOLS_CAMERAS : TOOLS_VISUAL;
    const char *prompt = cameras ? "executor-onecamera" : "executor";
    switch (task->ablation) {
    case ABLATION_NO_PLANNER_COORDINATE:
        prompt =
            cameras ? "executor-onecamera-coordinate" : "executor-coordinate";
        break;
    case ABLATION_NO_TOOL_LIBRARY:
        role = &placing;
        set = TOOLS_LISTS;
        prompt = "executor_pose";
        break;
    case ABLATION_NO_MCP_TOOLS:
        role = &scripting;
        prompt = "executor_script";
        break;
    case ABLATION_SINGLE_AGENT:
    case ABLATION_BASIC:
    case ABLATION_BASIC_3: return single_open(ret, task, view, err);
    default: break;
    }
    etna_code code = agent_new(role, task, view, ret, err);
    if (code != ETNA_OK)
        return code;
    if (task->ablation != ABLATION_NO_MCP_TOOLS)
        (*ret)->request.tools = tools_list(set, &(*ret)->request.tool_count);
    if (role != &solving)
        (*ret)->solver_prompt = "pose_refused";
    if (task->ablation != ABLATION_NO_PLANNER_COORDINATE) {
        (*ret)->scale.has_hint = true;
        memcpy((*ret)->scale.hint, task->coordinate, sizeof(*ret)->scale.hint);
    }
    return open_with(*ret, prompt, task, view, err);
}

/* Polls are for the evaluator; an executor of the same slot always asks with
 * poll 0. */
etna_code executor_begin(const arrange_task *task,
                         const agent_view *view,
                         agent **ret_agent,
                         agent_step *ret_step,
                         etna_error *err)
{
    agent *a = NULL;
    etna_code code = open_as(&a, task, view, err);
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    a->slot.poll = 0;
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

/* Borrowed from the agent. */
const executor_result *executor_done(const agent *a)
{
    return &a->result.executor;
}

/* After its constraints were read but had no solution: the same conversation
 * goes on with the reason, or ends without a result. */
etna_code executor_solver_failed(agent *a,
                                 const char *reason,
                                 agent_step *ret_step,
                                 etna_error *err)
{
    if (a->next != AGENT_DONE || a->slot.role != ROLE_EXECUTOR ||
        !a->result.executor.ok) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "a failed solve was told to an executor that has not answered");
    }
    if (a->repairs_left > 0)
        return agent_send_back(
            a, a->solver_prompt ? a->solver_prompt : "solver_failed", reason,
            ret_step, err);
    char *clean =
        text_clean(&a->arena, reason, strlen(reason), ARRANGE_REASON_MAX);
    if (!clean)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory in a conversation with a model");
    a->result.executor.ok = false;
    a->result.executor.reason = clean;
    *ret_step = (agent_step){.next = AGENT_DONE};
    return ETNA_OK;
}
