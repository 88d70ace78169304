/* See judge.h. */
#include "worker/agents/judge.h"

#include "proto/array.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/loose.h"
#include "worker/agents/plain.h"
#include "worker/agents/verdict.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <string.h>

static bool judge_verdict_of(const json_t *row,
                             const char *key,
                             arrange_verdict *ret)
{
    const char *word = json_string_value(loose_member(row, key));
    return word && verdict_find(word, strlen(word), ret);
}

/* The row of step i: under its number, counted from `first`, "step 0" and the
 * like, or in a list at its place. */
static const json_t *judge_row_of(const json_t *root,
                                  uint32_t i,
                                  uint32_t first)
{
    static const char *const forms[] = {"%u", "step %u", "step%u", "image %u"};
    const json_t *row = json_array_get(root, i);
    for (size_t k = 0; !row && k < COUNT_OF(forms); k++) {
        char key[24];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(key, sizeof key, forms[k], first + i);
#pragma GCC diagnostic pop
        row = loose_member(root, key);
    }
    return row;
}

/* The words are checked before the justification, as their error tells more. */
static etna_code read_row(const json_t *row,
                          uint32_t i,
                          etna_arena *arena,
                          judge_step *ret,
                          etna_error *err)
{
    if (!json_is_object(row))
        return etna_fail(err, ETNA_E_INPUT,
                         "there is no object under the key \"%u\"", i);
    if (!judge_verdict_of(row, "correctness", &ret->correctness) ||
        !judge_verdict_of(row, "plausibility", &ret->plausibility)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "step %u: correctness and plausibility must each be one of excellent, good, fair, bad, terrible",
            i);
    }
    const json_t *why = loose_member(row, "justification");
    if (!json_is_string(why))
        return etna_fail(err, ETNA_E_INPUT,
                         "step %u: there is no justification", i);
    ret->justification =
        text_clean(arena, json_string_value(why), json_string_length(why),
                   ARRANGE_REASON_MAX);
    if (!ret->justification)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading scores");
    return ETNA_OK;
}

/* As many as there are steps. Keys may count from 1 when "0" is not there and
 * the last number is. */
static etna_code read_rows(const json_t *root,
                           uint32_t count,
                           etna_arena *arena,
                           judge_result *ret,
                           etna_error *err)
{
    size_t given =
        json_is_array(root) ? json_array_size(root) : json_object_size(root);
    if (given != count) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "it scores %zu steps; there are %u, with the keys \"0\" to \"%u\"",
            given, count, count ? count - 1 : 0);
    }
    judge_step *steps = etna_arena_alloc(arena, count, sizeof *steps);
    if (!steps)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading scores");
    uint32_t first =
        !judge_row_of(root, 0, 0) && judge_row_of(root, count, 0) ? 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        etna_code code =
            read_row(judge_row_of(root, i, first), i, arena, &steps[i], err);
        if (code != ETNA_OK)
            return code;
    }
    *ret = (judge_result){
        .ok = true, .count = count, .steps = steps, .reason = ""};
    return ETNA_OK;
}

/* Is it the rows, or what holds them: {"scores": ..}, [..]? */
static const json_t *rows_in(const json_t *value)
{
    const char *key;
    json_t *inner;
    const json_t *first = json_array_get(value, 0);
    if (json_array_size(value) == 1 && json_is_object(first) &&
        !loose_member(first, "correctness"))
        return rows_in(first);
    if (json_object_size(value) != 1)
        return value;
    json_object_foreach((json_t *)(uintptr_t)value, key, inner)
    {
        bool holds = !loose_member(inner, "correctness") &&
                     (json_is_object(inner) || json_is_array(inner));
        if (holds)
            return inner;
    }
    return value;
}

/* The last value of the text that holds scores. NULL: there is none. New
 * reference. */
static json_t *find_scores(const plain *p)
{
    enum {
        TRIES = 64
    };
    json_t *found = NULL;
    unsigned tried = 0;
    for (size_t i = 0; i < p->size && tried < TRIES;) {
        json_t *value = NULL;
        size_t size = 1;
        bool opens = p->text[i] == '{' || p->text[i] == '[';
        if (opens)
            tried++;
        if (opens && loose_value(p->text + i, p->size - i, &value, &size)) {
            bool holds = json_object_size(value) > 0 ||
                         json_is_object(json_array_get(value, 0));
            if (holds) {
                json_decref(found);
                found = json_incref(value);
            }
            json_decref(value);
        }
        i += size;
    }
    return found;
}

/* Of several JSON values the last that holds scores: models draft. */
etna_code judge_read(const char *text,
                     uint32_t count,
                     etna_arena *arena,
                     judge_result *ret,
                     etna_error *err)
{
    plain p;
    etna_code code = plain_make(text, arena, &p, err);
    if (code != ETNA_OK)
        return code;
    json_t *root = find_scores(&p);
    code =
        root ? read_rows(rows_in(root), count, arena, ret, err)
             : etna_fail(
                   err, ETNA_E_INPUT,
                   "there is no JSON object that can be read; give one object");
    json_decref(root);
    return code;
}

static etna_code judge_read_reply(agent *a, const char *text, etna_error *err)
{
    return judge_read(text, a->judged_steps, &a->arena, &a->result.judge, err);
}

/* No scores. */
static void judge_give_up(agent *a, const char *reason)
{
    a->result.judge = (judge_result){.ok = false, .reason = reason};
}

/* What each step was told to do: the user's list, or the goal for all. */
static json_t *judge_task_block(agent *a, const arrange_task *task)
{
    json_t *block_json = json_object();
    bool ok = block_json != NULL;
    if (task->goal) {
        ok = agent_json_set(
            block_json, "goal",
            agent_json_text(a, task->goal, ARRANGE_INSTRUCTION_MAX));
    } else {
        json_t *rows = json_array();
        for (uint32_t i = 0; ok && i < task->step_count; i++) {
            ok = json_array_append_new(
                     rows, agent_json_text(a, task->steps[i],
                                           ARRANGE_INSTRUCTION_MAX)) == 0;
        }
        ok = agent_json_set(block_json, "instructions", rows) && ok;
    }
    ok = ok &&
         agent_json_set(block_json, "steps", json_integer(task->edit_count));
    if (ok)
        return block_json;
    json_decref(block_json);
    return NULL;
}

/* The pictures of the start and of each step, clean, so that nothing tells
 * which system made the edit. */
etna_code judge_begin(const arrange_task *task,
                      const agent_view *view,
                      agent **ret_agent,
                      agent_step *ret_step,
                      etna_error *err)
{
    static const agent_role role = {ROLE_JUDGE, 1, judge_read_reply,
                                    judge_give_up};
    agent *a = NULL;
    etna_code code = agent_new(&role, task, view, &a, err);
    if (code != ETNA_OK)
        return code;
    a->judged_steps = task->edit_count;
    agent_picture *pictures =
        etna_arena_alloc(&a->arena, task->edit_count + 1, sizeof *pictures);
    model_image image = {.camera = a->camera,
                         .width = a->width,
                         .height = a->height,
                         .snapshot = task->first_snapshot};
    bool ok = pictures != NULL;
    if (ok)
        pictures[0] =
            (agent_picture){"Image: the scene at the start.", image, false};
    for (uint32_t i = 0; ok && i < task->edit_count; i++) {
        image.snapshot =
            task->edits[i]
                /* clean: a ghost, an arrow or a crop would tell whose edit it
                 * was */
                .snapshot;
        pictures[i + 1] = (agent_picture){
            etna_arena_printf(&a->arena, "Image: the result of step %u.", i),
            image, false};
        ok = pictures[i + 1].label != NULL;
    }
    code = ok ? agent_open(a, "judge", judge_task_block(a, task),
                           task->edit_count + 1, pictures, view->facts, err)
              : etna_fail(err, ETNA_E_NOMEM,
                          "out of memory while beginning to judge");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const judge_result *judge_done(const agent *a)
{
    return &a->result.judge;
}
