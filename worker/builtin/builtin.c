/* The built-in agent's door: finds task and facts in the request, lets the role
 * answer, and counts what a model would have been paid for (about four bytes a
 * token), so that caps and accounts work without a network. */
#include "worker/builtin/builtin.h"
#include "worker/builtin/roles.h"

#include <jansson.h>
#include <string.h>

static const char task_mark[] = "[task]\n";

/* What one part of a turn tells. */
static void look_at_part(builtin_talk *talk,
                         model_author author,
                         const model_part *part,
                         const char **ret_task,
                         const char **ret_facts)
{
    if (!part->text)
        return;
    if (part->kind == MODEL_FACTS && !*ret_facts)
        *ret_facts = part->text;
    if (part->kind != MODEL_TEXT)
        return;
    if (author == MODEL_USER && !*ret_task)
        *ret_task = strstr(part->text, task_mark);
    if (author == MODEL_ASSISTANT)
        talk->last_answer = part->text;
}

/* What the conversation holds: the first task and facts, and how it has gone
 * since. */
static void look_through(builtin_talk *talk,
                         const char **ret_task,
                         const char **ret_facts)
{
    bool answered = false;
    talk->last_answer = "";
    for (uint32_t i = 0; i < talk->request->message_count; i++) {
        const model_message *turn = &talk->request->messages[i];
        if (turn->author == MODEL_USER && answered)
            talk->refusals++;
        if (turn->author == MODEL_USER || turn->author == MODEL_TOOL)
            answered = false;
        for (uint32_t k = 0; k < turn->part_count; k++)
            look_at_part(talk, turn->author, &turn->parts[k], ret_task,
                         ret_facts);
        if (turn->author == MODEL_ASSISTANT)
            answered = true;
    }
}

/* Measuring what another model claims is no part of what that model read: it
 * takes no tokens. */
static void count_tokens(const model_request *request,
                         bool measures,
                         model_reply *reply)
{
    reply->usage = (message_usage){.calls = 1};
    if (measures)
        return;
    uint64_t in = 0;
    uint64_t out = strlen(reply->text);
    for (uint32_t i = 0; i < request->message_count; i++) {
        for (uint32_t k = 0; k < request->messages[i].part_count; k++) {
            const char *text = request->messages[i].parts[k].text;
            in += text ? strlen(text) : 0;
        }
    }
    for (uint32_t i = 0; i < reply->call_count; i++)
        out += strlen(reply->calls[i].text);
    reply->usage.tokens_in = (in + 3) / 4;
    reply->usage.tokens_out = (out + 3) / 4;
}

static etna_code answer(builtin_talk *talk, model_reply *ret, etna_error *err)
{
    switch (talk->request->role) {
    case ROLE_PLANNER: return builtin_planner(talk, ret, err);
    case ROLE_EXECUTOR:
        if (!json_object_get(talk->task, "instruction"))
            return builtin_single(talk, ret, err);
        return builtin_executor(talk, ret, err);
    case ROLE_EVALUATOR: return builtin_evaluator(talk, ret, err);
    default:
        return etna_fail(
            err, ETNA_E_USAGE,
            "the built-in agent plans, executes and evaluates; it cannot look at images as a judge does: "
            "use --model NAME to connect a model that can");
    }
}

etna_code builtin_answer(const model_request *request,
                         etna_arena *arena,
                         model_reply *ret,
                         etna_error *err)
{
    builtin_talk talk = {.request = request, .arena = arena};
    const char *task = NULL, *facts = NULL;
    look_through(&talk, &task, &facts);
    if (!task)
        return etna_fail(err, ETNA_E_INPUT,
                         "the built-in agent was asked without a [task] block");
    if (!facts && request->role != ROLE_JUDGE)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the built-in agent was asked without facts; it sees nothing else");
    task += strlen(task_mark);
    json_error_t where;
    json_t *task_json =
        json_loadb(task, strlen(task), JSON_DISABLE_EOF_CHECK, &where);
    if (!json_is_object(task_json)) {
        json_decref(task_json);
        return etna_fail(err, ETNA_E_INPUT,
                         "the [task] block is not JSON (line %d: %s)",
                         where.line, where.text);
    }
    talk.task = task_json;
    model_reply reply = {.text = ""};
    etna_code code = facts ? builtin_facts_read(facts, strlen(facts), arena,
                                                &talk.facts, err)
                           : ETNA_OK;
    if (code == ETNA_OK)
        code = answer(&talk, &reply, err);
    const bool measures = json_is_true(json_object_get(task_json, "measures"));
    json_decref(task_json);
    if (code != ETNA_OK)
        return code;
    count_tokens(request, measures, &reply);
    *ret = reply;
    return ETNA_OK;
}
