/* See reader.h. */
#include "worker/agents/reader.h"

#include "worker/agents/agents_internal.h"
#include "worker/agents/loose.h"
#include "worker/builtin/read/predicates.h"
#include "worker/provider/text.h"

#include <string.h>

enum {
    THINGS_TOLD = 2000,
    KIND_MAX = 120
};

/* From the first '{' to the last '}': prose around it is let pass. Where that
 * is no JSON, the last object with predicates counts, as models write it:
 * behind thoughts that hold brackets, with a comma too many, in other quotes.
 * NULL: there is none. */
static json_t *reader_find_answer(const char *text, json_error_t *ret_where)
{
    const char *start = strchr(text, '{');
    const char *end = strrchr(text, '}');
    if (!start || !end || end < start)
        return NULL;
    json_t *answer = json_loadb(start, (size_t)(end - start) + 1,
                                JSON_REJECT_DUPLICATES, ret_where);
    return answer ? answer : loose_find(text, strlen(text), "predicates");
}

/* predicates_check refuses what the scene or the sentence does not have. */
static etna_code reader_read_reply(agent *a, const char *text, etna_error *err)
{
    json_error_t where = {.text = ""};
    json_t *answer = reader_find_answer(text, &where);
    json_t *meaning = NULL;
    if (!answer && !*where.text)
        return etna_fail(err, ETNA_E_INPUT, "there is no JSON object");
    etna_code code =
        json_is_object(answer)
            ? predicates_check(answer, a->reader_scope, &meaning, err)
            : etna_fail(
                  err, ETNA_E_INPUT,
                  "the JSON cannot be read (line %d: %s); give one object",
                  where.line, where.text);
    json_decref(answer);
    if (code != ETNA_OK)
        return code;
    char *json = text_json(&a->arena, meaning, JSON_COMPACT);
    json_decref(meaning);
    if (!json)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a meaning");
    if (strlen(json) > ARRANGE_MEANING_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "it is longer than %d bytes; say less",
                         ARRANGE_MEANING_MAX);
    a->result.reader = (reader_result){.meaning = json, .reason = ""};
    return ETNA_OK;
}

/* Without a meaning the run goes on as if there were no reader. */
static void reader_give_up(agent *a, const char *reason)
{
    a->result.reader = (reader_result){.reason = reason};
}

/* Names and kinds, no places: the reader is to find out what is meant by the
 * words, not what is where. */
static json_t *list_things(agent *a, const reader_thing *things, uint32_t count)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        json_t *row = json_object();
        ok = agent_json_set(
            row, "name", agent_json_text(a, things[i].name, ARRANGE_NAME_MAX));
        if (ok && *things[i].kind)
            ok = agent_json_set(row, "kind",
                                agent_json_text(a, things[i].kind, KIND_MAX));
        if (ok && things[i].is_static)
            ok = agent_json_set(row, "fixed", json_true());
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* The sentence or the instructions, what was before, and the things. */
static json_t *reader_task_block(agent *a,
                                 const arrange_task *task,
                                 const reader_thing *things,
                                 uint32_t count)
{
    json_t *block_json = json_object();
    json_t *rows = NULL;
    bool ok = block_json != NULL;
    if (task->goal) {
        ok = ok &&
             agent_json_set(block_json, "sentence",
                            agent_json_text(a, task->goal, MESSAGE_TEXT_MAX));
    } else {
        rows = json_array();
        ok = agent_json_set(block_json, "instructions", rows) && ok;
        for (uint32_t i = 0; ok && i < task->step_count; i++)
            ok = json_array_append_new(
                     rows, agent_json_text(a, task->steps[i],
                                           ARRANGE_INSTRUCTION_MAX)) == 0;
    }
    if (!etna_hash_is_zero(&task->start))
        ok = ok &&
             agent_json_set(block_json, "before", agent_json_before(a, task));
    ok = ok &&
         agent_json_set(block_json, "things", list_things(a, things, count));
    if (ok)
        return block_json;
    json_decref(block_json);
    return NULL;
}

/* What the answer is checked against: as it was sent, so that a name with
 * control characters is found again. */
static etna_code scope_of(agent *a,
                          const arrange_task *task,
                          const reader_thing *things,
                          uint32_t count,
                          etna_error *err)
{
    predicates_scope *scope = etna_arena_alloc(&a->arena, 1, sizeof *scope);
    const char **names = etna_arena_alloc(&a->arena, count, sizeof *names);
    uint32_t sentences = task->goal ? 1 : task->step_count;
    const char **texts = etna_arena_alloc(&a->arena, sentences, sizeof *texts);
    bool ok = scope && names && texts;
    for (uint32_t i = 0; ok && i < count; i++)
        names[i] = things[i].name;
    for (uint32_t i = 0; ok && i < sentences; i++) {
        texts[i] = etna_arena_strdup(&a->arena,
                                     task->goal ? task->goal : task->steps[i]);
        ok = texts[i] != NULL;
    }
    if (!ok)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while beginning to read");
    *scope = (predicates_scope){.thing_count = count,
                                .things = names,
                                .sentence_count = sentences,
                                .sentences = texts,
                                .is_list = task->goal == NULL};
    a->reader_scope = scope;
    return ETNA_OK;
}

/* Without pictures. At most THINGS_TOLD things. */
etna_code reader_begin(const arrange_task *task,
                       const reader_thing *things,
                       uint32_t thing_count,
                       agent **ret_agent,
                       agent_step *ret_step,
                       etna_error *err)
{
    static const agent_role role = {ROLE_READER, 1, reader_read_reply,
                                    reader_give_up};
    const agent_view blind = {.camera = ""};
    uint32_t told = thing_count < THINGS_TOLD ? thing_count : THINGS_TOLD;
    agent *a = NULL;
    etna_code code = agent_new(&role, task, &blind, &a, err);
    if (code != ETNA_OK)
        return code;
    code = scope_of(a, task, things, told, err);
    if (code == ETNA_OK)
        code = agent_open(a, "reader", reader_task_block(a, task, things, told),
                          0, NULL, NULL, err);
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const reader_result *reader_done(const agent *a)
{
    return &a->result.reader;
}
