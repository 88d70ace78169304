/* See judge.h. */
#include "worker/agents/judge.h"

#include "worker/agents/agent_own.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <string.h>

static bool verdict_of(const json_t *row, const char *key, arrange_verdict *ret)
{
    const char *word = json_string_value(json_object_get(row, key));
    for (uint32_t i = VERDICT_TERRIBLE; word && i <= VERDICT_EXCELLENT; i++) {
        if (strcmp(word, arrange_verdict_name(i)) != 0) continue;
        *ret = (arrange_verdict)i;
        return true;
    }
    return false;
}

static etna_code read_rows(const json_t *root, uint32_t count, etna_arena *arena, judge_result *ret, etna_error *err)
{
    if (json_object_size(root) != count) {
        return etna_fail(err, ETNA_E_INPUT, "it scores %zu steps; there are %u, with the keys \"0\" to \"%u\"",
                         json_object_size(root), count, count ? count - 1 : 0);
    }
    judge_step *steps = etna_arena_alloc(arena, count, sizeof *steps);
    if (!steps) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading scores");
    for (uint32_t i = 0; i < count; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        const json_t *row = json_object_get(root, key);
        if (!json_is_object(row)) return etna_fail(err, ETNA_E_INPUT, "there is no object under the key \"%s\"", key);
        if (!verdict_of(row, "correctness", &steps[i].correctness) ||
            !verdict_of(row, "plausibility", &steps[i].plausibility)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "step %u: correctness and plausibility must each be one of excellent, good, fair, bad, terrible", i);
        }
        const json_t *why = json_object_get(row, "justification");
        if (!json_is_string(why)) return etna_fail(err, ETNA_E_INPUT, "step %u: there is no justification", i);
        steps[i].justification = text_clean(arena, json_string_value(why), json_string_length(why), ARRANGE_REASON_MAX);
        if (!steps[i].justification) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading scores");
    }
    *ret = (judge_result){.ok = true, .count = count, .steps = steps, .reason = ""};
    return ETNA_OK;
}

etna_code judge_read(const char *text, uint32_t count, etna_arena *arena, judge_result *ret, etna_error *err)
{
    const char *start = strchr(text, '{'), *end = strrchr(text, '}');
    if (!start || !end || end < start) return etna_fail(err, ETNA_E_INPUT, "there is no JSON object");
    json_error_t where;
    json_t *root = json_loadb(start, (size_t)(end - start) + 1, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(root)) {
        json_decref(root);
        return etna_fail(err, ETNA_E_INPUT, "the JSON cannot be read (line %d: %s); give one object", where.line,
                         where.text);
    }
    etna_code code = read_rows(root, count, arena, ret, err);
    json_decref(root);
    return code;
}

static etna_code read_reply(agent *a, const char *text, etna_error *err)
{
    return judge_read(text, a->judged_steps, &a->arena, &a->result.judge, err);
}

static void give_up(agent *a, const char *reason) { a->result.judge = (judge_result){.ok = false, .reason = reason}; }

/* What each step was told to do: the user's list, or the goal for all. */
static json_t *task_block(agent *a, const arrange_task *task)
{
    json_t *block_json = json_object();
    bool ok = block_json != NULL;
    if (task->goal) {
        ok = agent_json_set(block_json, "goal", agent_json_text(a, task->goal, ARRANGE_INSTRUCTION_MAX));
    } else {
        json_t *rows = json_array();
        for (uint32_t i = 0; ok && i < task->step_count; i++) {
            ok = json_array_append_new(rows, agent_json_text(a, task->steps[i], ARRANGE_INSTRUCTION_MAX)) == 0;
        }
        ok = agent_json_set(block_json, "instructions", rows) && ok;
    }
    ok = ok && agent_json_set(block_json, "steps", json_integer(task->edit_count));
    if (ok) return block_json;
    json_decref(block_json);
    return NULL;
}

etna_code judge_begin(const arrange_task *task, const agent_view *view, agent **ret_agent, agent_step *ret_step,
                      etna_error *err)
{
    static const agent_role role = {ROLE_JUDGE, 1, read_reply, give_up};
    agent *a = NULL;
    etna_code code = agent_new(&role, task, view, &a, err);
    if (code != ETNA_OK) return code;
    a->judged_steps = task->edit_count;
    agent_picture *pictures = etna_arena_alloc(&a->arena, task->edit_count + 1, sizeof *pictures);
    model_image image = {.camera = a->camera, .width = a->width, .height = a->height, .snapshot = task->first_snapshot};
    bool ok = pictures != NULL;
    if (ok) pictures[0] = (agent_picture){"Image: the scene at the start.", image};
    for (uint32_t i = 0; ok && i < task->edit_count; i++) {
        image.before = i ? task->edits[i - 1].snapshot : task->first_snapshot;
        image.snapshot = task->edits[i].snapshot;
        image.object = etna_arena_strdup(&a->arena, task->edits[i].object ? task->edits[i].object : "");
        pictures[i + 1] = (agent_picture){etna_arena_printf(&a->arena, "Image: the result of step %u.", i), image};
        ok = image.object && pictures[i + 1].label;
    }
    code = ok ? agent_open(a, "judge", task_block(a, task), task->edit_count + 1, pictures, view->facts, err)
              : etna_fail(err, ETNA_E_NOMEM, "out of memory while beginning to judge");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const judge_result *judge_done(const agent *a) { return &a->result.judge; }
