/* The built-in agent in the ablations' conversations: as a single agent it
 * plans by the planner's rules and executes what it planned by the executor's;
 * without a solver it writes the pose of the place itself. */
#include "worker/builtin/builtin.h"

#include "worker/builtin/roles.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <string.h>

static const char opened[] = "[updated_instruction]\n",
                  closed[] = "\n[end of updated_instruction]";

typedef struct single_plan {
    /* the block that tells which instruction of a list it serves, or "" */
    const char *item;
    /* the blocks of instruction and coordinate; NULL: there is none */
    const char *text;
} single_plan;

/* Of an answer. False: out of memory. */
static bool single_plan_find(const char *text,
                             etna_arena *arena,
                             single_plan *ret)
{
    const char *at = text ? strstr(text, opened) : NULL;
    const char *item = text ? strstr(text, "[list_item]") : NULL;
    *ret = (single_plan){"", NULL};
    if (!at || !strstr(at, closed) || !strstr(at, "[end of coordinate]"))
        return true;
    if (item && item < at)
        ret->item = etna_arena_strndup(arena, item, (size_t)(at - item));
    ret->text = at;
    return ret->item != NULL;
}

/* What it planned earlier in this conversation: the plan stands in its first
 * turn, before it looked. */
static bool single_plan_recall(const builtin_talk *talk, single_plan *ret)
{
    *ret = (single_plan){"", NULL};
    for (uint32_t i = 0; i < talk->request->message_count; i++) {
        const model_message *turn = &talk->request->messages[i];
        for (uint32_t k = 0;
             turn->author == MODEL_ASSISTANT && k < turn->part_count; k++) {
            const bool is_text = turn->parts[k].kind == MODEL_TEXT;
            if (is_text &&
                !single_plan_find(turn->parts[k].text, talk->arena, ret))
                return false;
            if (ret->text)
                return true;
        }
    }
    return true;
}

/* The executor's [task], of a plan. NULL: out of memory. */
static json_t *task_of(const builtin_talk *talk,
                       const char *plan,
                       const char **ret_instruction)
{
    const char *end = strstr(plan, closed);
    const char *point = end ? strstr(end, "[coordinate]") : NULL;
    const char *at = point ? strchr(point + 12, '[') : NULL;
    char *instruction =
        end ? etna_arena_strndup(talk->arena, plan + strlen(opened),
                                 (size_t)(end - plan) - strlen(opened))
            : NULL;
    json_t *coordinate =
        at ? json_loadb(at, strcspn(at, "]") + 1, 0, NULL) : NULL;
    json_t *task = json_object();
    bool ok =
        instruction && json_array_size(coordinate) == 2 &&
        json_object_set_new(task, "instruction", json_string(instruction)) == 0;
    ok = ok && json_object_set(task, "coordinate", coordinate) == 0;
    json_t *answer = json_object_get(talk->task, "answer");
    ok = ok && (!answer || json_object_set(task, "answer", answer) == 0);
    json_t *avoid = json_object_get(talk->task, "given_up_here");
    ok = ok && (!json_array_size(avoid) ||
                json_object_set(task, "avoid", avoid) == 0);
    json_decref(coordinate);
    *ret_instruction = instruction;
    if (ok)
        return task;
    json_decref(task);
    return NULL;
}

/* It placed something in this conversation, and is shown what came of it. */
static bool single_has_placed(const builtin_talk *talk)
{
    for (uint32_t i = 0; i < talk->request->message_count; i++) {
        const model_message *turn = &talk->request->messages[i];
        for (uint32_t k = 0;
             turn->author == MODEL_ASSISTANT && k < turn->part_count; k++) {
            const char *text = turn->parts[k].text;
            if (turn->parts[k].kind == MODEL_TEXT && text &&
                strstr(text, "[placement]"))
                return true;
        }
    }
    return false;
}

etna_code builtin_single(builtin_talk *talk, model_reply *ret, etna_error *err)
{
    if (single_has_placed(talk))
        return builtin_say(talk, ret, err, "It stays so.\n<finished>\n");
    model_reply planned = {.text = ""};
    model_reply done = {.text = ""};
    const char *instruction = NULL;
    single_plan plan;
    bool kept = single_plan_recall(talk, &plan);
    if (kept && !plan.text) {
        etna_code code = builtin_planner(talk, &planned, err);
        kept = code != ETNA_OK ||
               single_plan_find(planned.text, talk->arena, &plan);
        if (code != ETNA_OK || (kept && !plan.text)) {
            *ret = planned; /* a verdict */
            return code;
        }
    }
    const json_t *own = talk->task;
    json_t *task = kept ? task_of(talk, plan.text, &instruction) : NULL;
    if (!task)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while planning and executing");
    talk->task = task;
    etna_code code = builtin_executor(talk, &done, err);
    talk->task = own;
    json_decref(task);
    if (code != ETNA_OK)
        return code;
    /* the plan goes with the first look, for the turns after it */
    if (done.call_count) {
        done.text = etna_arena_printf(talk->arena, "%s%s\n%s", plan.item,
                                      plan.text, done.text);
    } else {
        done.text = etna_arena_printf(talk->arena, "%s%s%s%s\n%s", plan.item,
                                      opened, instruction, closed, done.text);
    }
    if (!done.text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while planning and executing");
    *ret = done;
    return ETNA_OK;
}

etna_code builtin_pose(builtin_talk *talk,
                       uint32_t object,
                       const double bottom[3],
                       double turn,
                       bool script,
                       model_reply *ret,
                       etna_error *err)
{
    const builtin_object *o = &talk->facts.objects[object];
    const double z = bottom[2] + o->half[2];
    json_t *name = json_string(o->name);
    const char *quoted = text_json(talk->arena, name, JSON_COMPACT);
    json_decref(name);
    if (!quoted)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while executing");
    double yaw = o->yaw_deg + turn;
    if (script) {
        const char *turns =
            turn != 0 ? etna_arena_printf(
                            talk->arena,
                            "bpy.data.objects[%s].rotation_euler[2] = %.6f\n",
                            quoted, yaw * (3.14159265358979323846 / 180))
                      : "";
        if (!turns)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while executing");
        return builtin_say(
            talk, ret, err,
            "It goes there.\n\n[script]\nbpy.data.objects[%s].location = (%.6f, %.6f, %.6f)\n%s[end of script]\n<completion>\n",
            quoted, bottom[0], bottom[1], z, turns);
    }
    const char *turns =
        turn != 0 ? etna_arena_printf(talk->arena, ", \"yaw_deg\": %.6f", yaw)
                  : "";
    if (!turns)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while executing");
    return builtin_say(
        talk, ret, err,
        "It goes there.\n\n[placement]\n{\"object\": %s, \"location\": [%.6f, %.6f, %.6f]%s}\n[end of placement]\n<completion>\n",
        quoted, bottom[0], bottom[1], z, turns);
}
