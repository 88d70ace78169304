/* What a planner is told: the request as JSON, and the pictures of what was
 * done. */
#include "worker/agents/agents_internal.h"
#include "worker/agents/plan_internal.h"

/* "current": for which of them the step is; "passed_over": with why. */
static json_t *list_instructions(agent *a, const arrange_task *task)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    const uint32_t marked = planner_current(task);
    for (uint32_t i = 0; ok && i < task->step_count; i++) {
        json_t *row = json_object();
        const arrange_passed *passed = planner_passed(task, i + 1);
        bool current = i + 1 == marked;
        ok = agent_json_set(row, "number", json_integer(i + 1)) &&
             agent_json_set(
                 row, "text",
                 agent_json_text(a, task->steps[i], ARRANGE_INSTRUCTION_MAX)) &&
             (!current || agent_json_set(row, "current", json_true())) &&
             (!passed || agent_json_set(row, "passed_over",
                                        agent_json_text(a, passed->reason,
                                                        ARRANGE_NAME_MAX)));
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* What of a goal was passed over, as bytes of it and why; "thing": of several
 * the one that was. */
static json_t *planner_left_out(agent *a, const arrange_task *task)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = 0; ok && i < task->passed_count; i++) {
        const arrange_passed *passed = &task->passed[i];
        json_t *span = json_pack("[I,I]", (json_int_t)passed->part.from,
                                 (json_int_t)passed->part.to);
        json_t *row = json_object();
        const uint32_t thing = passed->part.thing;
        ok = agent_json_set(row, "span", span) &&
             (!thing || agent_json_set(row, "thing", json_integer(thing))) &&
             agent_json_set(
                 row, "why",
                 agent_json_text(a, passed->reason, ARRANGE_NAME_MAX));
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* What the run's reader made of the goal: it was checked before it was
 * journaled. */
static bool put_meaning(json_t *block_json, const char *meaning)
{
    json_t *value = json_loads(meaning, JSON_REJECT_DUPLICATES, NULL);
    return !value || agent_json_set(block_json, "meaning", value);
}

/* The goal and what of it is left out, or the list of instructions. */
static bool planner_put_asked(agent *a, const arrange_task *task, json_t *to)
{
    if (!task->goal)
        return agent_json_set(to, "instructions", list_instructions(a, task));
    return agent_json_set(
               to, "goal",
               agent_json_text(a, task->goal, ARRANGE_INSTRUCTION_MAX)) &&
           (task->passed_count == 0 ||
            agent_json_set(to, "left_out", planner_left_out(a, task)));
}

/* How far the run has come, and what another did before it. */
static bool put_done(agent *a, const arrange_task *task, json_t *to)
{
    const bool goes_on = !etna_hash_is_zero(&task->start);
    return agent_json_set(to, "step", json_integer(task->step)) &&
           agent_json_set(to, "maximum_steps", json_integer(task->max_steps)) &&
           agent_json_set(to, "edits", agent_json_edits(a, task)) &&
           (!goes_on ||
            agent_json_set(to, "before", agent_json_before(a, task)));
}

/* What the run's reader said, where it was asked. */
static bool put_reading(const arrange_task *task, json_t *to)
{
    if (task->meaning && *task->meaning)
        return put_meaning(to, task->meaning);
    return !task->reader_asked ||
           agent_json_set(to, "reader_in_vain", json_true());
}

/* What was asked, done and tried; the pictures come beside it. The order of the
 * members is part of the prompt. */
json_t *planner_task(agent *a, const arrange_task *task)
{
    json_t *block_json = json_object();
    bool ok =
        planner_put_asked(a, task, block_json) && put_done(a, task, block_json);
    if (task->poll == ARRANGE_PLAN_MEASURES)
        ok = ok && agent_json_set(block_json, "measures", json_true());
    ok = ok && put_reading(task, block_json);
    ok = ok && agent_json_set(block_json, "failed_here",
                              agent_json_failures(a, task));
    ok = ok && agent_json_set(block_json, "given_up_here",
                              agent_json_given_up(a, task));
    if (ok)
        return block_json;
    json_decref(block_json);
    return NULL;
}

/* The start, each step's result, the present. Returns NULL: out of memory. All
 * but the last are the same in the next step, so they are marked stable. */
agent_picture *planner_history(agent *a,
                               const arrange_task *task,
                               uint32_t *ret_count)
{
    agent_picture *pictures =
        etna_arena_alloc(&a->arena, task->edit_count + 2, sizeof *pictures);
    if (!pictures)
        return NULL;
    uint32_t used = 0;
    /* Where something was is read from the first: it has the grid, too, and a
     * smaller one will do for that. The results tell what was done, for which
     * half the side will do. */
    model_image image = {.camera = a->camera,
                         .width = a->width * 6 / 7,
                         .height = a->height * 6 / 7,
                         .grid = true};
    image.snapshot = task->first_snapshot;
    if (task->edit_count > 0)
        pictures[used++] = (agent_picture){
            "Image 1: the scene at the start, under the grid.", image, true};
    image.width = a->width * 4 / 7;
    image.height = a->height * 4 / 7;
    for (uint32_t i = 0; i < task->edit_count; i++) {
        image.before = i ? task->edits[i - 1].snapshot : task->first_snapshot;
        image.snapshot = task->edits[i].snapshot;
        image.object = etna_arena_strdup(
            &a->arena, task->edits[i].object ? task->edits[i].object : "");
        const char *label = etna_arena_printf(
            &a->arena, "Image %u: the result of step %u, under the grid.",
            used + 1, task->edits[i].step);
        if (!image.object || !label)
            return NULL;
        pictures[used++] = (agent_picture){label, image, true};
    }
    model_image now = {.camera = a->camera,
                       .width = a->width,
                       .height = a->height,
                       .grid = true,
                       .snapshot = task->snapshot};
    const char *label = etna_arena_printf(
        &a->arena, "Image %u: the current scene, under the grid.", used + 1);
    if (!label)
        return NULL;
    pictures[used++] = (agent_picture){label, now, false};
    *ret_count = used;
    return pictures;
}
