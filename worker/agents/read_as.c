/* See read_as.h. An answer was written as it was asked for where a reader that
 * knows no other form finds the same in it. */
#include "worker/agents/read_as.h"

#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <string.h>

enum {
    MARK_MAX = 64
};

/* The only part of that name between marks as the prompts have them, without
 * the blanks around it. NULL: there is none. */
static const char *read_as_block(const char *text,
                                 const char *name,
                                 etna_arena *arena)
{
    char open[MARK_MAX], close[MARK_MAX];
    snprintf(open, sizeof open, "[%s]", name);
    snprintf(close, sizeof close, "[end of %s]", name);
    const char *from = strstr(text, open);
    const char *to = from ? strstr(from, close) : NULL;
    if (!to || strstr(from + 1, open))
        return NULL;
    from += strlen(open);
    from += strspn(from, " \r\n");
    while (to > from && strchr(" \r\n", to[-1]))
        to--;
    return to > from ? etna_arena_strndup(arena, from, (size_t)(to - from))
                     : NULL;
}

/* ---- plans ---- */

/* NULL: it stands there already. */
static const char *read_as_verdict(const char *text,
                                   uint32_t status,
                                   etna_arena *arena)
{
    static const char *const marks[] = {[PLAN_FINISHED] = BLOCK_FINISHED,
                                        [PLAN_IMPOSSIBLE] = BLOCK_IMPOSSIBLE,
                                        [PLAN_UNREADABLE] = BLOCK_UNREADABLE};
    if (status < PLAN_FINISHED || status > PLAN_UNREADABLE)
        return NULL;
    char *mark = etna_arena_printf(arena, "<%s>", marks[status]);
    return mark && !strstr(text, mark) ? mark : NULL;
}

/* Whether the answer itself says this point and this part of the object. */
static bool is_written_point(const char *said, const planner_result *plan)
{
    const char *at = said ? strchr(said, '[') : NULL;
    double point[2];
    if (!at || sscanf(at, "[%lf, %lf]", &point[0], &point[1]) != 2)
        return false;
    bool same =
        point[0] == plan->coordinate[0] && point[1] == plan->coordinate[1];
    return same &&
           strstr(said, plan->coordinate_is_bottom ? "bottom" : "center");
}

/* NULL: the answer was written as it was read. Else the same in the form of our
 * prompts, for a person who reads the log. */
static const char *read_as_edit(const char *text,
                                const planner_result *plan,
                                bool points,
                                etna_arena *arena)
{
    const char *instruction = read_as_block(text, BLOCK_INSTRUCTION, arena);
    bool same = instruction && strcmp(instruction, plan->instruction) == 0;
    if (same &&
        (!points ||
         is_written_point(read_as_block(text, BLOCK_COORDINATE, arena), plan)))
        return NULL;
    char *told = etna_arena_printf(
        arena, "[updated_instruction]\n%s\n[end of updated_instruction]",
        plan->instruction);
    if (!points || !told)
        return told;
    const char *counted =
        plan->coordinates ? arrange_coordinates_name(plan->coordinates) : NULL;
    return etna_arena_printf(
        arena,
        "%s\n[coordinate]\nThe %s of the object should be around [%.6g, %.6g].\n[end of coordinate]%s%s%s",
        told, plan->coordinate_is_bottom ? "bottom" : "center",
        plan->coordinate[0], plan->coordinate[1],
        counted ? "\n(counted in " : "", counted ? counted : "",
        counted ? ")" : "");
}

static const char *read_as_plan(const char *text,
                                const planner_result *plan,
                                bool points,
                                etna_arena *arena)
{
    if (plan->status == PLAN_EDIT)
        return read_as_edit(text, plan, points, arena);
    return read_as_verdict(text, plan->status, arena);
}

/* ---- constraints ---- */

/* Compared as JSON, so that blanks do not count. */
static bool is_written_list(const char *said,
                            const char *json,
                            etna_arena *arena)
{
    const char *list = said ? etna_arena_printf(arena, "[%s]", said) : NULL;
    json_t *written = list ? json_loads(list, 0, NULL) : NULL;
    json_t *read = json_loads(json, 0, NULL);
    bool same = written && read && json_equal(written, read);
    json_decref(written);
    json_decref(read);
    return same;
}

/* The rows without the outer brackets, as the prompt asks for them. */
static const char *read_as_constraints(const char *text,
                                       const executor_result *result,
                                       etna_arena *arena)
{
    if (!result->ok || result->direct)
        return NULL;
    if (is_written_list(read_as_block(text, BLOCK_CONSTRAINTS, arena),
                        result->constraints, arena))
        return NULL;
    size_t size = strlen(result->constraints);
    if (size < 2)
        return NULL;
    return etna_arena_printf(arena, "[constraints]\n%.*s\n[end of constraints]",
                             (int)size - 2, result->constraints + 1);
}

/* A single agent's answer has both halves. */
static const char *read_as_execution(const agent *a,
                                     const char *text,
                                     etna_arena *arena)
{
    const char *constraints =
        read_as_constraints(text, &a->result.executor, arena);
    if (!a->result.has_single)
        return constraints;
    const char *plan = read_as_plan(text, &a->result.single, false, arena);
    if (!plan || !constraints)
        return plan ? plan : constraints;
    return etna_arena_printf(arena, "%s\n%s", plan, constraints);
}

/* ---- verdicts, scores and predicates ---- */

/* NULL: a line of the block is exactly the verdict. */
static const char *read_as_evaluation(const char *text,
                                      const evaluator_result *result,
                                      etna_arena *arena)
{
    if (result->verdict == VERDICT_ABSTAIN)
        return NULL;
    const char *said = read_as_block(text, BLOCK_EVALUATION, arena);
    char *line = etna_arena_printf(arena, "verdict: %s",
                                   arrange_verdict_name(result->verdict));
    const char *at = said && line ? strstr(said, line) : NULL;
    const char *behind = at ? at + strlen(line) : NULL;
    const bool begins = at && (at == said || at[-1] == '\n');
    const bool same = begins && (*behind == 0 || *behind == '\n');
    return same ? NULL : line;
}

static bool is_json(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    bool is = json_is_object(value);
    json_decref(value);
    return is;
}

static const char *read_as_scores(const char *text,
                                  const judge_result *result,
                                  etna_arena *arena)
{
    const char *told = "";
    if (!result->ok || is_json(text))
        return NULL;
    for (uint32_t i = 0; told && i < result->count; i++) {
        told = etna_arena_printf(
            arena, "%s%s%u: correctness %s, plausibility %s", told,
            i ? "\n" : "", (unsigned)i,
            arrange_verdict_name(result->steps[i].correctness),
            arrange_verdict_name(result->steps[i].plausibility));
    }
    return told;
}

/* ---- tool calls ---- */

/* As JSON, or as text where one of them is none. */
static bool is_same_arguments(const char *written, const char *run)
{
    json_t *a = json_loads(written, 0, NULL);
    json_t *b = json_loads(run, 0, NULL);
    bool same = a && b ? json_equal(a, b) : strcmp(written, run) == 0;
    json_decref(a);
    json_decref(b);
    return same;
}

/* The calls that were run, if one differs from what was written. */
static const char *read_as_calls(const agent *a,
                                 const model_reply *reply,
                                 etna_arena *arena)
{
    const char *told = "";
    bool differs = false;
    for (uint32_t i = 0; told && i < a->call_count; i++) {
        const model_part *call = &a->calls[i];
        const char *written =
            i < reply->call_count ? reply->calls[i].text : NULL;
        const char *name =
            i < reply->call_count ? reply->calls[i].tool_name : NULL;
        bool is_renamed = name && strcmp(name, call->tool_name) != 0;
        const bool is_same =
            written && is_same_arguments(*written ? written : "{}", call->text);
        differs = differs || is_renamed || !is_same;
        told = etna_arena_printf(arena, "%s%s%s %s", told, i ? "\n" : "",
                                 call->tool_name, call->text);
    }
    return differs ? told : NULL;
}

/* What was understood of an answer, where it was not written as asked for;
 * NULL: it was. For journal and report: it shows where leniency was needed. */
const char *agent_read_as(const agent *a,
                          const model_reply *reply,
                          etna_arena *arena)
{
    const char *text = reply->text ? reply->text : "";
    if (a->next == AGENT_TOOLS)
        return read_as_calls(a, reply, arena);
    if (a->next != AGENT_DONE)
        return NULL;
    switch (a->slot.role) {
    case ROLE_PLANNER:
        return read_as_plan(text, &a->result.planner, !a->is_wordy, arena);
    case ROLE_EXECUTOR: return read_as_execution(a, text, arena);
    case ROLE_EVALUATOR:
        return read_as_evaluation(text, &a->result.evaluator, arena);
    case ROLE_JUDGE: return read_as_scores(text, &a->result.judge, arena);
    case ROLE_READER:
        return a->result.reader.meaning && !is_json(text)
                   ? a->result.reader.meaning
                   : NULL;
    default: return NULL;
    }
}
