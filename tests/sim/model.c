/* The model and the geometry: what they say is a function of what they were
 * asked, so a request that is not the same bit by bit after a fault shows in
 * the run's end. With a script the outcomes are the script's. */
#include "tests/sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t draw(const etna_hash *last, uint64_t salt, uint64_t below)
{
    uint64_t seed;
    memcpy(&seed, last->bytes, sizeof seed);
    etna_random random =
        etna_random_from(seed ^ salt * UINT64_C(0x9e3779b97f4a7c15));
    return etna_random_below(&random, below);
}

uint32_t model_turns(const sim *s,
                     const arrange_task *task,
                     const etna_hash *last,
                     uint32_t turn)
{
    (void)s;
    if (task->kind != TASK_PLAN && task->kind != TASK_BRANCH &&
        task->kind != TASK_POLL)
        return 0;
    if (turn == 0)
        return 1;
    return task->kind == TASK_BRANCH && turn < 3 && draw(last, 1, 3) == 0;
}

message_usage model_usage(const etna_hash *reply)
{
    return (message_usage){.tokens_in = 100 + draw(reply, 2, 50),
                           .tokens_out = 10 + draw(reply, 3, 20),
                           .cost_micros = 5 + draw(reply, 4, 10),
                           .calls = 1};
}

static const char *script_word(const sim *s,
                               uint32_t node,
                               uint32_t index,
                               char ret[64])
{
    uint32_t at = node - 1 < s->options->script_count
                      ? node - 1
                      : s->options->script_count - 1;
    const char *line = s->options->script[at];
    ret[0] = 0;
    for (uint32_t i = 0; *line; i++) {
        line += strspn(line, " ");
        size_t size = strcspn(line, " ");
        if (i == index) {
            snprintf(ret, 64, "%.*s", (int)size, line);
            break;
        }
        line += size;
    }
    return ret;
}

/* "done:no": what is claimed does not hold. */
static uint32_t measured_status(const char *said)
{
    const char *colon = strchr(said, ':');
    return colon && strcmp(colon, ":no") == 0 ? PLAN_IMPOSSIBLE : PLAN_FINISHED;
}

static uint32_t plan_status(const sim *s,
                            const arrange_task *task,
                            const etna_hash *last)
{
    static const char *const words[] = {
        "", "edit", "done", "impossible", "unreadable", "malformed"};
    char said[64];
    if (s->options->script) {
        script_word(s, task->node, 0, said);
        if (task->poll == ARRANGE_PLAN_MEASURES)
            return measured_status(said);
        said[strcspn(said, ":")] = 0;
        for (uint32_t i = 1; i < 6; i++) {
            if (strcmp(said, words[i]) == 0)
                return i;
        }
        return PLAN_MALFORMED;
    }
    bool searched = task->goal || task->open_list;
    if (searched && task->edit_count >= 2 &&
        draw(last, 5, 100) < 25 + 20 * task->edit_count)
        return PLAN_FINISHED;
    uint64_t luck = draw(last, 6, 100);
    if (luck < 92)
        return PLAN_EDIT;
    if (luck < 94)
        return PLAN_IMPOSSIBLE;
    return luck < 96 && !task->goal ? PLAN_UNREADABLE : PLAN_MALFORMED;
}

static bool is_passed(const arrange_task *task, uint32_t item)
{
    for (uint32_t i = 0; i < task->passed_count; i++) {
        if (task->passed[i].item == item)
            return true;
    }
    return false;
}

/* Of an open list: one after the other, but for those that were passed over. */
static uint32_t next_item(const arrange_task *task)
{
    uint32_t item = 1 + task->edit_count % task->step_count;
    for (uint32_t i = 0; i < task->step_count && is_passed(task, item); i++)
        item = 1 + item % task->step_count;
    return item;
}

/* "edit:2" serves instruction 2 of a list. */
static uint32_t plan_item(const sim *s, const arrange_task *task)
{
    char said[64];
    if (!s->options->script)
        return task->open_list ? next_item(task) : 0;
    const char *colon = strchr(script_word(s, task->node, 0, said), ':');
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

static uint32_t branch_status(const sim *s,
                              const arrange_task *task,
                              const etna_hash *last)
{
    char said[64];
    if (s->options->script) {
        const char *letters = "CFMUR";
        static const uint32_t statuses[] = {BRANCH_COLLISION, BRANCH_FLOATING,
                                            BRANCH_MALFORMED, BRANCH_UNSOLVED,
                                            BRANCH_REPEATED};
        script_word(s, task->node, task->branch + 1, said);
        const char *at = said[0] ? strchr(letters, said[0]) : NULL;
        return at ? statuses[at - letters] : BRANCH_VALID;
    }
    uint64_t luck = draw(last, 7, 100);
    return luck < 55 ? BRANCH_VALID : BRANCH_MALFORMED + (uint32_t)(luck % 5);
}

static uint32_t verdict(const sim *s,
                        const arrange_task *task,
                        const etna_hash *last)
{
    char said[64];
    if (s->options->script) {
        const char *letters = "atbfge";
        script_word(s, task->node, task->branch + 1, said);
        const char *at = strlen(said) > task->poll
                             ? strchr(letters, said[task->poll])
                             : NULL;
        return at ? (uint32_t)(at - letters) : VERDICT_ABSTAIN;
    }
    /* the same scene is seen alike by most: a mood of the scene and one of the
     * evaluator */
    uint64_t mood = draw(&task->after, 8, 3), luck = draw(last, 9, 100);
    if (luck < s->options->unread_pct)
        return VERDICT_ABSTAIN;
    return (uint32_t)(mood == 0   ? VERDICT_TERRIBLE + luck % 3
                      : mood == 1 ? VERDICT_BAD + luck % 4
                                  : VERDICT_GOOD + luck % 2);
}

static void place(const arrange_task *task,
                  const etna_hash *last,
                  arrange_result *ret,
                  uint8_t *bytes,
                  size_t *size)
{
    memcpy(bytes, task->snapshot.bytes, 32);
    memcpy(bytes + 32, last->bytes, 32);
    *size = 64;
    ret->snapshot = etna_hash_bytes(bytes, *size);
    for (int i = 0; i < 3; i++)
        ret->pose.position[i] =
            (double)draw(last, 10 + (uint64_t)i, 2000) / 1000.0 - 1.0;
    ret->loss = (double)draw(last, 14, 100) / 1000.0;
    ret->candidates = 64;
    ret->survivors = (uint32_t)draw(last, 15, 64);
    ret->constraints = "[[\"ObjectName\",\"bottle\"]]";
}

/* Which object: by the step where a script tells the story. */
static uint64_t which(const sim *s,
                      const arrange_task *task,
                      const etna_hash *last,
                      uint64_t salt)
{
    return s->options->script ? (task->step - 1) % 4 : draw(last, salt, 4);
}

bool model_cannot_read(const sim *s, const arrange_task *task)
{
    bool is_lot = task->kind == TASK_ASSET || task->kind == TASK_FURNISH;
    const etna_hash *lot =
        task->kind == TASK_ASSET ? &task->scene : &task->snapshot;
    return s->options->unreadable && is_lot && lot->bytes[0] % 4 == 3;
}

void model_result(const sim *s,
                  const arrange_task *task,
                  const etna_hash *last,
                  etna_arena *arena,
                  arrange_result *ret,
                  uint8_t bytes[MODEL_BLOB],
                  size_t *size)
{
    static const char *const objects[] = {"bottle", "lamp", "book", "chair"};
    static const char *const reasons[] = {"",
                                          "",
                                          "no constraints block",
                                          "Contact cannot hold",
                                          "hits the shelf",
                                          "hangs in the air",
                                          "was given up before"};
    *ret = (arrange_result){.kind = task->kind};
    switch (task->kind) {
    case TASK_IMPORT:
        memcpy(bytes, task->scene.bytes, 32);
        *size = 32;
        ret->snapshot = etna_hash_bytes(bytes, *size);
        ret->object_count = 12;
        ret->movable_count = 9;
        ret->camera = "Camera";
        break;
    case TASK_PLAN:
        ret->plan_status = plan_status(s, task, last);
        ret->coordinate[0] = (double)draw(last, 16, 100) / 100.0;
        ret->coordinate[1] = (double)draw(last, 17, 100) / 100.0;
        ret->instruction = "";
        ret->item = plan_item(s, task);
        ret->reason = ret->plan_status == PLAN_EDIT ? "" : "so it seems";
        if (ret->plan_status != PLAN_EDIT)
            break;
        ret->instruction = etna_arena_printf(arena, "put the %s on the table",
                                             objects[which(s, task, last, 18)]);
        ret->makes_way = !s->options->script && draw(last, 20, 100) < 20;
        break;
    case TASK_BRANCH:
        ret->branch_status = branch_status(s, task, last);
        ret->object = objects[which(s, task, last, 19)];
        ret->plane = "table_up";
        ret->reason = reasons[ret->branch_status];
        if (ret->branch_status == BRANCH_VALID)
            place(task, last, ret, bytes, size);
        break;
    case TASK_POLL:
        ret->verdict = verdict(s, task, last);
        ret->reason = "it was looked at";
        break;
    case TASK_ASSET:
    case TASK_FURNISH:
        memcpy(bytes,
               task->kind == TASK_ASSET ? task->scene.bytes
                                        : task->snapshot.bytes,
               32);
        memcpy(bytes + 32, &task->kind, 4);
        *size = 36;
        ret->blob = etna_hash_bytes(bytes, *size);
        break;
    default:
        memcpy(bytes, task->snapshot.bytes, 32);
        memcpy(bytes + 32, task->after.bytes, 32);
        memcpy(bytes + 64, &task->kind, 4);
        *size = MODEL_BLOB;
        ret->blob = etna_hash_bytes(bytes, *size);
    }
}
