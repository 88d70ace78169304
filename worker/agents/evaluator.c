/* See evaluator.h. */
#include "worker/agents/evaluator.h"

#include "worker/agents/agent_own.h"
#include "worker/agents/block.h"
#include "worker/agents/tools.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

/* The text after `label` up to the line's end (or the block's, for the last label). False: it is not there exactly
 * once. */
static bool field(const block *b, const char *label, const char *until, block *ret)
{
    const char *end = b->text + b->size;
    size_t length = strlen(label);
    unsigned count = 0;
    for (const char *p = b->text; p + length <= end; p++) {
        bool line_start = p == b->text || p[-1] == '\n' || p[-1] == ' ' || p[-1] == '\t';
        if (!line_start || strncasecmp(p, label, length) != 0) continue;
        count++;
        const char *stop = end;
        for (const char *q = p + length; until && q + strlen(until) <= end; q++) {
            if (strncasecmp(q, until, strlen(until)) == 0) {
                stop = q;
                break;
            }
        }
        *ret = (block){.text = p + length, .size = (size_t)(stop - (p + length))};
    }
    return count == 1;
}

/* The word must stand alone, but for emphasis or a full stop around it: "not good" is no verdict. */
static etna_code read_verdict(const block *line, etna_arena *arena, arrange_verdict *ret, etna_error *err)
{
    static const char around[] = "*_`\"'<>.";
    char *word = text_clean(arena, line->text, line->size, 64);
    if (!word) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading an evaluation");
    while (*word && strchr(around, *word)) word++;
    for (size_t end = strlen(word); end > 0 && strchr(around, word[end - 1]); end--) word[end - 1] = 0;
    for (uint32_t i = VERDICT_TERRIBLE; i <= VERDICT_EXCELLENT; i++) {
        if (strcasecmp(word, arrange_verdict_name(i)) != 0) continue;
        *ret = (arrange_verdict)i;
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_INPUT,
                     "the verdict is '%s'; it must be exactly one of excellent, good, fair, bad, terrible", word);
}

etna_code evaluator_read(const char *text, etna_arena *arena, evaluator_result *ret, etna_error *err)
{
    block b, exam, verdict;
    etna_code code = block_find(text, "[evaluation]", "[end of evaluation]", &b, err);
    if (code != ETNA_OK) return code;
    if (!field(&b, "visual_exam:", "\nverdict:", &exam)) {
        return etna_fail(err, ETNA_E_INPUT, "the [evaluation] block needs exactly one line 'visual_exam: ...'");
    }
    if (!field(&b, "verdict:", "\n", &verdict)) {
        return etna_fail(err, ETNA_E_INPUT, "the [evaluation] block needs exactly one line 'verdict: ...'");
    }
    arrange_verdict found = VERDICT_ABSTAIN;
    char *said = text_clean(arena, exam.text, exam.size, ARRANGE_REASON_MAX);
    code = read_verdict(&verdict, arena, &found, err);
    if (code != ETNA_OK) return code;
    if (!said) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading an evaluation");
    if (!said[0]) return etna_fail(err, ETNA_E_INPUT, "visual_exam is empty; say what you saw");
    *ret = (evaluator_result){.verdict = found, .text = said};
    return ETNA_OK;
}

static etna_code read_reply(agent *a, const char *text, etna_error *err)
{
    return evaluator_read(text, &a->arena, &a->result.evaluator, err);
}

static void give_up(agent *a, const char *reason)
{
    a->result.evaluator = (evaluator_result){.verdict = VERDICT_ABSTAIN, .text = reason};
}

etna_code evaluator_begin(const arrange_task *task, const agent_view *view, agent **ret_agent, agent_step *ret_step,
                          etna_error *err)
{
    static const agent_role role = {ROLE_EVALUATOR, 1, read_reply, give_up};
    agent *a = NULL;
    etna_code code = agent_new(&role, task, view, &a, err);
    if (code != ETNA_OK) return code;
    bool cameras = task->cameras && view->camera_count > 1;
    json_t *task_json = json_object();
    if (!agent_json_set(task_json, "instruction", agent_json_text(a, task->instruction, ARRANGE_INSTRUCTION_MAX)) ||
        (cameras && !executor_put_cameras(a, view, task_json))) {
        json_decref(task_json);
        task_json = NULL;
    }
    const char *object = etna_arena_strdup(&a->arena, task->object ? task->object : "");
    agent_picture edit = {"Image: the edit.",
                          {.camera = a->camera,
                           .width = a->width,
                           .height = a->height,
                           .object = object,
                           .before = task->snapshot,
                           .snapshot = task->after}};
    if (cameras) a->request.tools = tools_list(TOOLS_EDIT, &a->request.tool_count);
    code = object ? agent_open(a, cameras ? "evaluator-onecamera" : "evaluator", task_json, 1, &edit, view->facts, err)
                  : etna_fail(err, ETNA_E_NOMEM, "out of memory while beginning an evaluation");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const evaluator_result *evaluator_done(const agent *a) { return &a->result.evaluator; }
