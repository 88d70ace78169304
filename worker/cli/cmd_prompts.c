/* `etna-worker prompts`: how long the first requests of a run are before
 * anything was done, for `etna run --estimate`. */
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/planner.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/view/view.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum {
    BYTES_A_TOKEN = 4
}; /* of English, as vendors count it */

static const char help[] =
    "usage: etna-worker prompts\n"
    "Prints for each role the tokens of its first request's texts, and its pictures, as\n"
    "{\"planner\": {\"tokens\": N, \"pictures\": N}, ..}; etna run --estimate calls it.\n";

typedef etna_code (*prompts_begin)(const arrange_task *task,
                                   const agent_view *view,
                                   agent **ret_agent,
                                   agent_step *ret_step,
                                   etna_error *err);

static size_t prompts_tool_bytes(const model_request *request)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < request->tool_count; i++) {
        const model_tool *tool = &request->tools[i];
        bytes += strlen(tool->name) + strlen(tool->description) +
                 strlen(tool->schema);
    }
    return bytes;
}

/* NULL: out of memory. */
static json_t *prompts_measure(const model_request *request)
{
    size_t bytes = prompts_tool_bytes(request);
    unsigned pictures = 0;
    for (uint32_t m = 0; m < request->message_count; m++) {
        for (uint32_t i = 0; i < request->messages[m].part_count; i++) {
            const model_part *part = &request->messages[m].parts[i];
            if (part->kind == MODEL_IMAGE)
                pictures++;
            if (part->text)
                bytes += strlen(part->text);
        }
    }
    return json_pack("{s:I,s:I}", "tokens", (json_int_t)(bytes / BYTES_A_TOKEN),
                     "pictures", (json_int_t)pictures);
}

/* Measures a role's empty prompt, so that the cost of a run can be estimated
 * beforehand. */
static etna_code prompts_add(json_t *to,
                             const char *role,
                             uint32_t kind,
                             prompts_begin begin,
                             etna_error *err)
{
    const arrange_task task = {.kind = kind,
                               .node = 1,
                               .step = 1,
                               .max_steps = 1,
                               .model = "any",
                               .goal = "Put the cup on the table.",
                               .instruction = "Put the cup on the table.",
                               .object = "cup"};
    const agent_view view = {.camera = "Camera",
                             .width = VIEW_LONG_SIDE,
                             .height = VIEW_LONG_SIDE * 3 / 4};
    agent *a = NULL;
    agent_step step;
    etna_code code = begin(&task, &view, &a, &step, err);
    if (code == ETNA_OK &&
        json_object_set_new(to, role, prompts_measure(step.request)) != 0)
        code = etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while measuring the prompts");
    agent_free(a);
    return code;
}

int worker_cmd_prompts(int argc, char **argv)
{
    static const flags_row flags[] = {{0}};
    etna_error err = {0};
    int exit_code;
    int first =
        load_flags("etna-worker prompts", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return load_usage("prompts takes no arguments");
    json_t *document = json_object();
    etna_code code =
        prompts_add(document, "planner", TASK_PLAN, planner_begin, &err);
    if (code == ETNA_OK)
        code = prompts_add(document, "executor", TASK_BRANCH, executor_begin,
                           &err);
    if (code == ETNA_OK)
        code = prompts_add(document, "evaluator", TASK_POLL, evaluator_begin,
                           &err);
    if (code == ETNA_OK && json_dumpf(document, stdout, JSON_COMPACT) != 0)
        code = etna_fail(&err, ETNA_E_IO,
                         "the prompts' lengths could not be written");
    json_decref(document);
    if (code != ETNA_OK)
        return load_report(&err);
    putchar('\n');
    return 0;
}
