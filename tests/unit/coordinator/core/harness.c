/* The scripted world of harness.h. */
#include "harness.h"

#include "proto/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

arrange_config world_config(const char *goal)
{
    arrange_config config = {.scene_name = "room.glb",
                             .goal = goal,
                             .seed = 1,
                             .branches = 4,
                             .polls = 3,
                             .early_end = EARLY_END_ORDERED,
                             .anchor = ANCHOR_HALF_ANCHOR,
                             .max_steps = 6,
                             .max_backtracks = 8,
                             .model = "builtin"};
    config.scene.bytes[0] = 7;
    return config;
}

static world *world_around(const arrange_config *config,
                           const char *const *script,
                           uint32_t script_count,
                           const core_options *special)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->records = calloc(WORLD_RECORDS_MAX, sizeof *w->records);
    assert_non_null(w->records);
    core_options options = core_options_default();
    options.strict = true;
    options.outage_ms = special->outage_ms;
    options.build = special->build;
    options.mixed_builds = special->mixed_builds;
    if (special->runs_most)
        options.runs_most = special->runs_most;
    if (special->config_bytes_most)
        options.config_bytes_most = special->config_bytes_most;
    assert_int_equal(core_new(&options, &w->c, NULL), ETNA_OK);
    w->now = 1000;
    w->next_request = w->next_sequence = 1;
    w->run.bytes[0] = 0xab;
    w->config = *config;
    w->script = script;
    w->script_count = script_count;
    w->random = etna_random_from(config->seed);
    return w;
}

world *world_new(const arrange_config *config,
                 const char *const *script,
                 uint32_t script_count)
{
    world *w = world_around(config, script, script_count, &(core_options){0});
    world_submit(w);
    return w;
}

world *world_new_of_few(const arrange_config *config,
                        const char *const *script,
                        uint32_t script_count,
                        uint32_t runs_most)
{
    world *w = world_around(config, script, script_count,
                            &(core_options){.runs_most = runs_most});
    world_submit(w);
    return w;
}

world *world_new_of_small(const arrange_config *config,
                          const char *const *script,
                          uint32_t script_count,
                          uint64_t config_bytes_most)
{
    world *w =
        world_around(config, script, script_count,
                     &(core_options){.config_bytes_most = config_bytes_most});
    world_submit(w);
    return w;
}

world *world_new_of_build(const arrange_config *config,
                          const char *const *script,
                          uint32_t script_count,
                          const char *build,
                          bool mixed_builds)
{
    world *w = world_around(
        config, script, script_count,
        &(core_options){.build = build, .mixed_builds = mixed_builds});
    world_submit(w);
    return w;
}

world *world_new_pausing(const arrange_config *config,
                         const char *const *script,
                         uint32_t script_count,
                         uint32_t outage_ms)
{
    world *w = world_around(config, script, script_count,
                            &(core_options){.outage_ms = outage_ms});
    world_submit(w);
    return w;
}

void world_free(world *w)
{
    if (!w)
        return;
    core_free(w->c);
    for (uint32_t i = 0; i < w->record_count; i++)
        free(w->records[i].data);
    free(w->records);
    free(w);
}

static void keep_record(world *w, const core_record *record)
{
    assert_true(w->record_count < WORLD_RECORDS_MAX);
    world_record *kept = &w->records[w->record_count++];
    *kept = (world_record){
        .run = record->run, .sequence = record->sequence, .size = record->size};
    kept->data = malloc(record->size);
    assert_non_null(kept->data);
    memcpy(kept->data, record->data, record->size);
}

static void keep_memory(world *w, const arrange_task *task)
{
    if (task->kind == TASK_PLAN && task->poll) {
        w->measures++;
    } else if (task->kind == TASK_PLAN) {
        w->plan_requests++;
        w->edits_told = task->edit_count;
        w->passed[0] = 0;
        for (uint32_t i = 0; i < task->passed_count; i++) {
            size_t at = strlen(w->passed);
            snprintf(w->passed + at, sizeof w->passed - at, "%u:%s;",
                     (unsigned)task->passed[i].item, task->passed[i].reason);
        }
        if (task->meaning)
            w->meanings_told++;
        w->failures[0] = 0;
        for (uint32_t i = 0; i < task->failure_count; i++) {
            size_t at = strlen(w->failures);
            snprintf(w->failures + at, sizeof w->failures - at, "%u.%u:%s;",
                     (unsigned)task->failures[i].node,
                     (unsigned)task->failures[i].branch,
                     task->failures[i].reason);
        }
    }
    if (task->kind != TASK_PLAN && task->kind != TASK_BRANCH)
        return;
    w->given_up[0] = 0;
    for (uint32_t i = 0; i < task->given_up_count; i++) {
        size_t at = strlen(w->given_up);
        snprintf(w->given_up + at, sizeof w->given_up - at, "%u:%u:%s;",
                 (unsigned)task->given_up[i].node,
                 (unsigned)task->given_up[i].later_step,
                 task->given_up[i].later);
    }
}

static void keep_grant(world *w,
                       const core_send *send,
                       const message_lease *lease,
                       const arrange_task *task)
{
    assert_true(w->held_count < WORLD_HELD_MAX);
    w->held[w->held_count++] =
        (world_held){.ref = lease->ref,
                     .worker = send->request >> 32,
                     .incarnation = send->message.incarnation,
                     .task = *task};
    keep_memory(w, task);
}

static void keep_grants(world *w)
{
    for (uint32_t i = 0; i < w->update.send_count; i++) {
        const core_send *send = &w->update.sends[i];
        const message_leases *several = &send->message.body.leases;
        if (send->message.kind == MESSAGE_LEASE && send->task)
            keep_grant(w, send, &send->message.body.lease, send->task);
        for (uint32_t j = 0;
             send->message.kind == MESSAGE_LEASES && j < several->count; j++)
            keep_grant(w, send, &several->leases[j], send->tasks[j]);
    }
}

static void keep_trace(world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    if (core_view(w->c, &w->run, &arena, &view, NULL) == ETNA_OK && view.step) {
        uint32_t state[3] = {view.step, view.anchor, view.depth_max};
        if (memcmp(state, w->last_state, sizeof state) != 0) {
            memcpy(w->last_state, state, sizeof state);
            size_t at = strlen(w->trace);
            snprintf(w->trace + at, sizeof w->trace - at, "%s%u/%u/%u",
                     at ? " " : "", (unsigned)state[0], (unsigned)state[1],
                     (unsigned)state[2]);
        }
    }
    etna_arena_free(&arena);
}

void world_step(world *w, core_event event)
{
    etna_error err = {0};
    event.now_ms = w->now;
    if (core_step(w->c, &event, &w->update, &err) != ETNA_OK)
        fail_msg("step: %s", err.text);
    if (core_check(w->c, &err) != ETNA_OK)
        fail_msg("invariant: %s", err.text);
    for (uint32_t i = 0; i < w->update.record_count; i++)
        keep_record(w, &w->update.records[i]);
    for (uint32_t i = 0; i < w->update.line_count; i++) {
        size_t at = strlen(w->lines);
        snprintf(w->lines + at, sizeof w->lines - at, "%s\n",
                 w->update.lines[i].text);
    }
    keep_grants(w);
    keep_trace(w);
}

/* Request handles carry the worker in their upper half, so that a grant can be
 * told whose it is. */
void world_message(world *w,
                   uint64_t worker,
                   uint64_t incarnation,
                   uint64_t sequence,
                   message *m,
                   const arrange_config *config,
                   const arrange_result *result)
{
    m->sender = worker;
    m->incarnation = incarnation;
    m->sequence = sequence;
    world_step(w, (core_event){.kind = CORE_MESSAGE,
                               .request = worker << 32 | w->next_request++,
                               .pipe = worker,
                               .message = m,
                               .config = config,
                               .result = result});
}

void world_submit(world *w)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run = w->run;
    world_message(w, 99, 1, w->next_sequence++, &m, &w->config, NULL);
}

void world_tick(world *w, uint64_t by_ms)
{
    uint64_t until = w->now + by_ms;
    while (w->now < until) {
        uint64_t next = core_next_deadline(w->c);
        w->now = next < until ? (next > w->now ? next : w->now + 1) : until;
        world_step(w, (core_event){.kind = CORE_TICK});
    }
}

void world_lease(world *w, uint64_t worker)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    m.body.lease_request.slots_free = 1;
    uint32_t before = w->held_count;
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
    w->leases_in_vain = w->held_count > before ? 0 : w->leases_in_vain + 1;
    if (w->leases_in_vain > LEASES_IN_VAIN_MOST)
        fail_msg("tasks wait that nobody is given");
}

void world_orders(world *w, uint64_t worker)
{
    message_task_ref refs[WORLD_HELD_MAX];
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->held_count; i++) {
        if (w->held[i].worker == worker)
            refs[count++] = w->held[i].ref;
    }
    m.body.orders_request =
        (message_orders_request){.held_count = count, .held = refs};
    world_message(w, worker, 1, w->next_sequence++, &m, NULL, NULL);
}

const message *world_answer(const world *w, uint64_t request)
{
    for (uint32_t i = 0; i < w->update.send_count; i++) {
        if (w->update.sends[i].request == request)
            return &w->update.sends[i].message;
    }
    return NULL;
}

/* ---- the script ---- */

static const char *word(const char *line,
                        uint32_t index,
                        char *ret,
                        size_t room)
{
    ret[0] = 0;
    for (uint32_t i = 0;; i++) {
        while (*line == ' ')
            line++;
        size_t size = strcspn(line, " ");
        if (!size)
            return ret;
        if (i == index) {
            snprintf(ret, room, "%.*s", (int)size, line);
            return ret;
        }
        line += size;
    }
}

static const char *script_word(
    const world *w, uint32_t node, uint32_t index, char *ret, size_t room)
{
    uint32_t line = node - 1 < w->script_count ? node - 1 : w->script_count - 1;
    return word(w->script[line], index, ret, room);
}

/* "edit:2" is an edit for instruction 2 of a list, "edit:way:2" one that makes
 * way for it, "impossible:no_place:2" says
 * that there is no place for it. */
static uint32_t plan_item(const char *said)
{
    const char *colon = strrchr(said, ':');
    return colon && ascii_is_digit(colon[1])
               ? (uint32_t)strtoul(colon + 1, NULL, 10)
               : 0;
}

/* "impossible:no_place:2/4": of part 2 the fourth thing alone. */
static uint32_t plan_thing(const char *said)
{
    const char *slash = strchr(said, '/');
    return slash ? (uint32_t)strtoul(slash + 1, NULL, 10) : 0;
}

/* "impossible:no_place" and "unreadable:unread" come with their reason in
 * parts, about bytes 1 to 3. */
static arrange_refusal plan_refusal(const char *said)
{
    const char *colon = strchr(said, ':');
    for (uint32_t code = 1; colon && code < REFUSAL_CODE_COUNT; code++) {
        const char *name = arrange_refusal_name(code);
        if (strncmp(colon + 1, name, strlen(name)) == 0 &&
            strchr(":", colon[1 + strlen(name)]))
            return (arrange_refusal){.code = code,
                                     .what = "it is full",
                                     .where = "the block",
                                     .advice = "clear it",
                                     .from = 1,
                                     .to = 3,
                                     .item = plan_item(said)};
    }
    return (arrange_refusal){.code = REFUSAL_NONE};
}

static uint32_t plan_status(const char *said)
{
    static const char *const words[] = {
        "", "edit", "done", "impossible", "unreadable", "malformed"};
    for (uint32_t i = 1; i < 6; i++) {
        if (strlen(words[i]) == strcspn(said, ":") &&
            strncmp(said, words[i], strcspn(said, ":")) == 0)
            return i;
    }
    fail_msg("the script says no plan: \"%s\"", said);
    return 0;
}

static etna_hash snapshot_after(const arrange_task *task)
{
    uint8_t bytes[40];
    memcpy(bytes, task->snapshot.bytes, 32);
    memcpy(bytes + 32, &task->node, 4);
    memcpy(bytes + 36, &task->branch, 4);
    return etna_hash_bytes(bytes, sizeof bytes);
}

static arrange_obstacle one_in_the_way(bool is_clock)
{
    static const char *const others[] = {"lamp", "clock"};
    return (arrange_obstacle){.kind = OBSTACLE_TAKEN,
                              .plane = "",
                              .other_count = 1,
                              .others = others + is_clock};
}

static void branch_result(const world *w,
                          const arrange_task *task,
                          arrange_result *ret)
{
    static const struct {
        char letter;
        uint32_t status;
        const char *reason;
    } failures[] = {{'C', BRANCH_COLLISION, "hits the lamp"},
                    {'L', BRANCH_COLLISION, "hits the lamp in 62 places"},
                    {'K', BRANCH_COLLISION, "hits the clock"},
                    {'F', BRANCH_FLOATING, "hangs in the air"},
                    {'M', BRANCH_MALFORMED, "no constraints block"},
                    {'U', BRANCH_UNSOLVED, "Contact cannot hold"},
                    {'R', BRANCH_REPEATED, "was given up before"}};
    char said[64];
    script_word(w, task->node, task->branch + 1, said, sizeof said);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        if (said[0] != failures[i].letter)
            continue;
        ret->branch_status = failures[i].status;
        ret->reason = failures[i].reason;
        if (ret->branch_status == BRANCH_COLLISION)
            ret->obstacle = one_in_the_way(said[0] == 'K');
        return;
    }
    const char *loss = strchr(said, '@');
    ret->branch_status = BRANCH_VALID;
    ret->object = "bottle";
    ret->plane = "block_up";
    ret->loss = loss ? strtod(loss + 1, NULL) : 0.01;
    ret->pose =
        (arrange_pose){{0.1 * task->node, 0.2 * task->branch, 0.3}, 0.5};
    ret->snapshot = snapshot_after(task);
    ret->constraints = "[]";
}

static uint32_t poll_verdict(const world *w, const arrange_task *task)
{
    char said[64];
    script_word(w, task->node, task->branch + 1, said, sizeof said);
    const char *letters = "atbfge";
    const char *at = strchr(letters, said[task->poll]);
    assert_non_null(at);
    return (uint32_t)(at - letters);
}

/* Of a goal the number is that of one of its words. */
static void speak_of_goal(const char *goal,
                          uint32_t thing,
                          arrange_result *result)
{
    uint32_t from = 0, size = (uint32_t)strcspn(goal, " ");
    for (uint32_t i = 1; i < result->item && goal[from + size]; i++) {
        from += size + 1;
        size = (uint32_t)strcspn(goal + from, " ");
    }
    if (result->item)
        result->part =
            (arrange_part){.from = from, .to = from + size, .thing = thing};
    result->item = result->refusal.item = 0;
}

arrange_result world_result_of(const world *w, const world_held *held)
{
    const arrange_task *task = &held->task;
    char said[64];
    arrange_result result = {.kind = task->kind};
    if (task->kind == TASK_PLAN || task->kind == TASK_BRANCH ||
        task->kind == TASK_POLL) {
        result.used = (message_usage){
            .tokens_in = TOKENS_A_CALL - 1, .tokens_out = 1, .calls = 1};
    }
    switch (task->kind) {
    case TASK_IMPORT:
        result.snapshot.bytes[0] = 1;
        result.object_count = 5;
        result.movable_count = 3;
        result.camera = "Camera";
        break;
    case TASK_READ:
        result.meaning = "{\"predicates\":[]}";
        result.used = (message_usage){.tokens_in = TOKENS_A_CALL, .calls = 1};
        break;
    case TASK_PLAN:
        script_word(w, task->node, 0, said, sizeof said);
        if (task->poll == ARRANGE_PLAN_MEASURES)
            snprintf(said, sizeof said, "%s",
                     w->measured ? w->measured : "done");
        result.plan_status = plan_status(said);
        result.instruction = result.plan_status == PLAN_EDIT
                                 ? "put the bottle on the block"
                                 : "";
        result.reason = result.plan_status == PLAN_EDIT ? "" : said;
        result.coordinate[0] = result.coordinate[1] = 0.5;
        if (result.plan_status != PLAN_EDIT)
            result.reason = "because";
        result.item = plan_item(said);
        result.makes_way = strncmp(said, "edit:way", 8) == 0;
        result.refusal = plan_refusal(said);
        if (task->goal)
            speak_of_goal(task->goal, plan_thing(said), &result);
        break;
    case TASK_BRANCH:
        /* what it planned comes with it */
        if (arrange_is_single(task->ablation)) {
            result.plan_status =
                plan_status(script_word(w, task->node, 0, said, sizeof said));
            result.instruction = result.plan_status == PLAN_EDIT
                                     ? "put the bottle on the block"
                                     : "";
        }
        if (result.plan_status > PLAN_EDIT) {
            result.branch_status = BRANCH_MALFORMED;
            result.reason = "because";
            break;
        }
        branch_result(w, task, &result);
        break;
    case TASK_POLL:
        result.verdict = poll_verdict(w, task);
        result.reason = "looked";
        break;
    default: result.blob.bytes[0] = (uint8_t)(0x40 + task->branch); break;
    }
    return result;
}

int world_find(const world *w,
               uint32_t kind,
               uint32_t node,
               uint32_t branch,
               uint32_t poll)
{
    for (uint32_t i = 0; i < w->held_count; i++) {
        const arrange_task *task = &w->held[i].task;
        if (task->kind == kind && task->node == node &&
            task->branch == branch && task->poll == poll)
            return (int)i;
    }
    return -1;
}

void world_give(world *w, uint32_t at)
{
    assert_true(at < w->held_count);
    world_held held = w->held[at];
    memmove(&w->held[at], &w->held[at + 1],
            (w->held_count - at - 1) * sizeof *w->held);
    w->held_count--;
    arrange_result result = world_result_of(w, &held);
    for (int i = 0; i <= w->repeat_results; i++) {
        message m = {.kind = MESSAGE_RESULT};
        m.body.result.ref = held.ref;
        m.body.result.cpu_us = w->cpu_us;
        world_message(w, held.worker, held.incarnation, w->next_sequence++, &m,
                      NULL, &result);
    }
}

static uint32_t pick(world *w)
{
    if (w->order == ORDER_FIFO)
        return 0;
    if (w->order == ORDER_LIFO)
        return w->held_count - 1;
    return (uint32_t)etna_random_below(&w->random, w->held_count);
}

static bool runs(const world *w)
{
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view = world_view(w, &arena);
    etna_arena_free(&arena);
    return view.state == RUN_RUNNING;
}

void world_drive(world *w)
{
    for (int round = 0; round < 20000 && runs(w); round++) {
        while (core_count(w->c).tasks_queued > 0)
            world_lease(w, 1 + w->next_sequence % 3);
        if (!w->held_count)
            return;
        w->now += 10;
        world_give(w, pick(w));
    }
}

bool same_usage(const message_usage *a, const message_usage *b)
{
    return a->tokens_in == b->tokens_in && a->tokens_out == b->tokens_out &&
           a->tokens_cached == b->tokens_cached &&
           a->tokens_reasoning == b->tokens_reasoning &&
           a->cost_micros == b->cost_micros && a->calls == b->calls;
}

bool same_ref(const message_task_ref *a, const message_task_ref *b)
{
    return etna_id_equal(&a->run, &b->run) && a->task == b->task &&
           a->attempt == b->attempt;
}

core_run_view world_view(const world *w, etna_arena *arena)
{
    core_run_view view;
    etna_error err = {0};
    if (core_view(w->c, &w->run, arena, &view, &err) != ETNA_OK)
        fail_msg("view: %s", err.text);
    return view;
}

world *world_restart(const world *from, uint32_t records)
{
    world *w = world_around(&from->config, from->script, from->script_count,
                            &(core_options){0});
    w->order = from->order;
    w->now = 5; /* another clock */
    for (uint32_t i = 0; i < records; i++) {
        const world_record *record = &from->records[i];
        etna_error err = {0};
        if (core_replay(w->c, &record->run, record->sequence, record->data,
                        record->size, &err) != ETNA_OK) {
            fail_msg("replay of record %u: %s", (unsigned)i + 1, err.text);
        }
        core_record kept = {.run = record->run,
                            .sequence = record->sequence,
                            .data = record->data,
                            .size = record->size};
        keep_record(w, &kept);
        if (core_check(w->c, &err) != ETNA_OK)
            fail_msg("invariant after record %u: %s", (unsigned)i + 1,
                     err.text);
    }
    return w;
}

void world_resume(world *w)
{
    world_step(w, (core_event){.kind = CORE_RESUME, .run = w->run});
}
