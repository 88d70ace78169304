/* Journal records: canonical bytes, one kind per thing that may not be
 * forgotten (store/FORMAT.md). Every record begins alike:
 *
 *     u8 format (6) · u8 kind · u64 interval, ms since the run's record before
 *
 * and goes on by kind. Other formats are not read. What stands last in a body
 * and is rarely used may be missing: a single agent's plan behind its branch,
 * what a request was shortened by. A cause (SUBMITTED, CALL, LOST, REPLY,
 * RESULT, REFUSED, CANCEL, SUSPENDED, MODELS, DEATH, BUILD, a CAP of time or
 * money) is written because something came from outside; a consequence
 * (DECISION, ENDED, the other CAPs) because the core decided. Replay feeds
 * causes and compares consequences, which are everything after the header. */
#include "coordinator/core/record_internal.h"
#include "proto/array.h"
#include "proto/usage.h"

#include <stdlib.h>
#include <string.h>

/* In the order of etna_slot's own members. */
static void put_slot(canon_writer *w, const etna_slot *slot)
{
    const uint32_t fields[6] = {slot->node, slot->branch, slot->role,
                                slot->poll, slot->turn,   slot->repair};
    for (int i = 0; i < 6; i++)
        canon_u32(w, fields[i]);
}

/* Position in metres, yaw in radians, as in a branch's pose. */
static void record_put_edit(canon_writer *w, const arrange_edit *edit)
{
    canon_u32(w, edit->step);
    canon_u32(w, edit->item);
    canon_text(w, edit->instruction);
    canon_text(w, edit->object);
    canon_text(w, edit->plane);
    for (int i = 0; i < 3; i++)
        canon_f64(w, edit->pose.position[i]);
    canon_f64(w, edit->pose.yaw);
}

/* What a run that goes on after another inherits: read back only where `start`
 * names a scene. */
static void put_before(canon_writer *w, const arrange_config *config)
{
    const arrange_before *before = &config->before;
    canon_raw(w, config->after.bytes, sizeof config->after.bytes);
    canon_text(w, before->goal);
    canon_u32(w, before->step_count);
    for (uint32_t i = 0; i < before->step_count; i++)
        canon_text(w, before->steps[i]);
    canon_hash(w, &before->snapshot);
    canon_u32(w, before->edit_count);
    for (uint32_t i = 0; i < before->edit_count; i++)
        record_put_edit(w, &before->edits[i]);
}

static uint8_t config_switches(const arrange_config *config)
{
    unsigned switches = config->step_scenes ? SWITCH_STEP_SCENES : 0;
    if (config->paper_collision)
        switches |= SWITCH_PAPER_COLLISION;
    if (config->paper_floating)
        switches |= SWITCH_PAPER_FLOATING;
    if (config->forgets)
        switches |= SWITCH_FORGETS;
    if (config->furnishes)
        switches |= SWITCH_FURNISHES;
    return (uint8_t)switches;
}

/* The order is the format. A member that is added goes to the end, or
 * CORE_VERSION is raised: get_submitted reads the configuration of this very
 * version and of no other. */
void record_config(canon_writer *w, const arrange_config *config)
{
    canon_hash(w, &config->scene);
    canon_text(w, config->scene_name);
    canon_text(w, config->goal);
    canon_u32(w, config->step_count);
    for (uint32_t i = 0; i < config->step_count; i++)
        canon_text(w, config->steps[i]);
    canon_u64(w, config->seed);
    const uint32_t small[] = {config->branches,
                              config->polls,
                              config->early_end,
                              config->anchor,
                              config->step_count && !config->open_list
                                  ? config->step_count
                                  : config->max_steps,
                              config->max_backtracks};
    for (size_t i = 0; i < COUNT_OF(small); i++)
        canon_u32(w, small[i]);
    canon_u64(w, config->max_tokens);
    canon_u64(w, config->max_wall_ms);
    canon_u64(w, config->max_cost_micros);
    canon_u8(w, config->plan_per_branch);
    canon_u8(
        w, (uint8_t)(config->facts | config->brief << 1 | config->fronts << 2));
    canon_u8(w, config->images);
    canon_text(w, config->model);
    canon_text(w, config->camera);
    canon_text(w, config->models);
    canon_u8(w, config->paper_solver);
    canon_u32(w, config->ablation);
    canon_u8(w, config->cameras);
    canon_u8(w, config->open_list);
    canon_hash(w, &config->start);
    if (!etna_hash_is_zero(&config->start))
        put_before(w, config);
    canon_text(w, config->reader);
    canon_u8(w, config->any_place);
    canon_u32(w, config->foreign);
    canon_u32(w, config->branches_at_once);
    canon_u8(w, config->finish_calls);
    canon_u8(w, config_switches(config));
    static const etna_id none;
    bool is_of_batch = !etna_id_equal(&config->batch, &none);
    bool has_lots = config->lot_count > 0;
    bool has_priority = config->priority != 0 || has_lots;
    if (is_of_batch || has_priority)
        canon_raw(w, config->batch.bytes,
                  /* else as before there were any */
                  sizeof config->batch.bytes);
    if (has_priority)
        canon_u32(w, config->priority); /* likewise */
    if (has_lots)
        canon_u32(w, config->lot_count); /* likewise */
    for (uint32_t i = 0; i < config->lot_count; i++)
        canon_hash(w, &config->lots[i]);
    if (!config->furnishes)
        return;
    canon_u32(w, config->stock_count);
    for (uint32_t i = 0; i < config->stock_count; i++)
        canon_hash(w, &config->stock[i]);
}

/* Bytes [from, to) of the goal's text that a step or a refusal is about. */
static void record_put_part(canon_writer *w, const arrange_part *part)
{
    canon_u32(w, part->from);
    canon_u32(w, part->to);
    canon_u32(w, part->thing);
}

/* No refusal is one number, so that a run that fulfilled all pays four bytes
 * for it. */
static void put_refusal(canon_writer *w, const arrange_refusal *refusal)
{
    canon_u32(w, refusal->code);
    if (refusal->code == REFUSAL_NONE)
        return;
    canon_text(w, refusal->what);
    canon_text(w, refusal->where);
    canon_text(w, refusal->advice);
    canon_u32(w, refusal->from);
    canon_u32(w, refusal->to);
    canon_u32(w, refusal->item);
    record_put_part(w, &refusal->part);
}

/* What an import told of the scene. The order of get_result's first case. */
static void put_import(canon_writer *w, const arrange_result *result)
{
    canon_hash(w, &result->snapshot);
    canon_u32(w, result->object_count);
    canon_u32(w, result->movable_count);
    canon_text(w, result->camera);
    canon_u32(w, result->warning_count);
    for (uint32_t i = 0; i < result->warning_count; i++)
        canon_text(w, result->warnings[i]);
}

/* The whole of a planner's answer; also the tail of a single agent's branch. */
static void put_plan(canon_writer *w, const arrange_result *result)
{
    canon_u32(w, result->plan_status);
    canon_text(w, result->instruction);
    canon_f64(w, result->coordinate[0]);
    canon_f64(w, result->coordinate[1]);
    canon_u8(w, result->coordinate_is_bottom);
    canon_text(w, result->reason);
    canon_u32(w, result->item);
    record_put_part(w, &result->part);
    canon_u8(w, result->makes_way);
    canon_u32(w, result->coordinates);
    put_refusal(w, &result->refusal);
    canon_text(w, result->camera);
}

/* Why no place was found, as kind and names; the sentence is made by whoever
 * shows it. */
static void put_obstacle(canon_writer *w, const arrange_obstacle *obstacle)
{
    canon_u32(w, obstacle->kind);
    if (obstacle->kind == OBSTACLE_NONE)
        return;
    canon_text(w, obstacle->plane);
    canon_u32(w, obstacle->other_count);
    for (uint32_t i = 0; i < obstacle->other_count; i++)
        canon_text(w, obstacle->others[i]);
}

/* What an executor came to. A single agent's plan follows, and its absence is
 * told by the record's end alone. */
static void put_branch(canon_writer *w, const arrange_result *result)
{
    canon_u32(w, result->branch_status);
    canon_text(w, result->object);
    canon_text(w, result->plane);
    for (int i = 0; i < 3; i++)
        canon_f64(w, result->pose.position[i]);
    canon_f64(w, result->pose.yaw);
    canon_f64(w, result->loss);
    canon_u32(w, result->candidates);
    canon_u32(w, result->survivors);
    canon_u32(w, result->collision_checks);
    canon_f64(w, result->elsewhere);
    canon_text(w, result->constraints);
    canon_hash(w, &result->snapshot);
    canon_text(w, result->reason);
    for (uint32_t i = BRANCH_MALFORMED; i < BRANCH_REPEATED; i++)
        canon_u32(w, result->tries[i]);
    put_obstacle(w, &result->obstacle);
    if (result->plan_status)
        put_plan(w, result); /* a single agent's */
}

/* The kind itself stands before, in put_place. What renders and exports leave
 * behind is a blob alone. */
static void put_result(canon_writer *w, const arrange_result *result)
{
    canon_usage(w, &result->used);
    switch (result->kind) {
    case TASK_IMPORT: put_import(w, result); break;
    case TASK_READ:
        canon_text(w, result->meaning);
        canon_text(w, result->reason);
        break;
    case TASK_PLAN: put_plan(w, result); break;
    case TASK_BRANCH: put_branch(w, result); break;
    case TASK_POLL:
        canon_u32(w, result->verdict);
        canon_text(w, result->reason);
        break;
    default: canon_hash(w, &result->blob);
    }
}

/* ---- emitting ---- */

/* of records that no line tells of */
static const narration silent = {.text = NULL};

/* Adds the line to the run's narration and tells it to viewers. In a replay
 * nobody is told: they heard it when it happened. Out of memory stops the core,
 * see core_grow. */
void record_line(run *r, uint64_t sequence, narration told)
{
    if (!told.text)
        return;
    run_line *grown = core_grow(r->core, r->lines, &r->line_capacity,
                                r->line_count, sizeof *r->lines);
    if (!grown)
        return;
    r->lines = grown;
    r->lines[r->line_count++] =
        (run_line){.sequence = sequence, .time_ms = r->clock_ms, .told = told};
    viewer_stir(r);
    if (!r->core->replaying)
        core_say(r->core, &r->id, sequence, r->clock_ms, &told);
}

/* Puts the header before the body. The interval is measured here, so that the
 * sum of all intervals is the run's recorded time. */
static void write_record(
    run *r, record_kind kind, const void *body, size_t size, narration told)
{
    core *c = r->core;
    uint64_t interval = r->dormant ? 0 : c->now - r->clock_at;
    r->clock_ms += interval;
    r->clock_at = c->now;
    canon_writer w = {0};
    canon_u8(&w, RECORD_FORMAT);
    canon_u8(&w, (uint8_t)kind);
    canon_u64(&w, interval);
    canon_raw(&w, body, size);
    uint8_t *bytes =
        w.failed ? NULL : etna_arena_memdup(&c->scratch, w.data, w.size);
    size_t total = w.size;
    canon_writer_free(&w);
    core_record *grown = core_grow(c, c->records, &c->record_capacity,
                                   c->record_count, sizeof *c->records);
    if (grown)
        c->records = grown;
    if (!bytes || !grown) {
        core_trouble(c, ETNA_E_NOMEM, "a journal record: out of memory");
        return;
    }
    c->records[c->record_count++] = (core_record){
        .run = r->id, .sequence = ++r->sequence, .data = bytes, .size = total};
    record_line(r, r->sequence, told);
}

/* In a replay: remembers a consequence, to be compared with the journal's next
 * record. Takes the body. */
static void record_expect(run *r,
                          record_kind kind,
                          canon_writer *body,
                          narration told)
{
    run_expected *grown = core_grow(r->core, r->expected, &r->expected_capacity,
                                    r->expected_count, sizeof *r->expected);
    if (!grown)
        return;
    r->expected = grown;
    r->expected[r->expected_count++] = (run_expected){.kind = (uint8_t)kind,
                                                      .body = body->data,
                                                      .size = body->size,
                                                      .told = told};
    *body = (canon_writer){0}; /* taken */
}

/* What a replay decided and the journal does not have, as it ended before: it
 * is written now, in the order it was decided. */
void record_flush_expected(run *r)
{
    while (r->expected_at < r->expected_count) {
        run_expected *e = &r->expected[r->expected_at++];
        write_record(r, (record_kind)e->kind, e->body, e->size, e->told);
        free(e->body);
        e->body = NULL;
    }
    r->expected_at = r->expected_count = 0;
}

/* Where a record goes: into the update, or in a replay into what is expected.
 * Frees the body. */
static void record_emit(run *r,
                        record_kind kind,
                        canon_writer *body,
                        narration told)
{
    if (body->failed) {
        core_trouble(r->core, ETNA_E_NOMEM, "a journal record: out of memory");
    } else if (r->core->replaying) {
        record_expect(r, kind, body, told);
    } else {
        record_flush_expected(r);
        write_record(r, kind, body->data, body->size, told);
    }
    canon_writer_free(body);
}

/* Always a run's first record. */
void record_submitted(run *r)
{
    canon_writer body = {0};
    canon_u32(&body, CORE_VERSION);
    record_config(&body, &r->config);
    record_emit(r, RECORD_SUBMITTED, &body, narrate_submitted(r));
}

/* The usage counts in the core's totals only the first time, as a replay begins
 * with totals of its own. The reply is remembered, so that the same request is
 * answered from the journal. */
void record_reply(run *r,
                  const core_reply *reply,
                  const message_usage *recovered)
{
    core *c = r->core;
    canon_writer body = {0};
    put_slot(&body, &reply->slot);
    canon_hash(&body, &reply->request);
    canon_hash(&body, &reply->reply);
    canon_usage(&body, &reply->usage);
    canon_usage(&body, recovered);
    canon_text(&body, reply->model);
    bool whole = !reply->images_left_out && !reply->texts_left_out;
    if (!whole)
        canon_u32(&body, reply->images_left_out);
    if (!whole)
        canon_u32(&body, reply->texts_left_out);
    if (!c->replaying)
        message_usage_add(&c->totals.spent, &reply->usage);
    record_emit(r, RECORD_REPLY, &body,
                whole ? silent : narrate_left_out(r, reply));
    core_reply *grown = core_grow(c, c->replies, &c->reply_capacity,
                                  c->reply_count, sizeof *c->replies);
    if (!grown)
        return;
    c->replies = grown;
    c->replies[c->reply_count++] = *reply;
}

/* Written before the call is allowed to be made: a crash in between may book a
 * call that was never made, but never forgets one that was paid. */
void record_call(run *r, const record *rec)
{
    canon_writer body = {0};
    put_slot(&body, &rec->reply.slot);
    canon_hash(&body, &rec->reply.request);
    canon_u64(&body, rec->worker);
    canon_u64(&body, rec->incarnation);
    canon_u64(&body, rec->task);
    canon_u32(&body, rec->attempt);
    canon_u64(&body, rec->begin);
    canon_usage(&body, &rec->estimate);
    canon_usage(&body, &rec->recovered);
    canon_text(&body, rec->reply.model);
    record_emit(r, RECORD_CALL, &body, silent);
}

/* The booking stays in the totals until the same call's reply or the worker's
 * word takes it back. */
void record_lost(run *r,
                 const etna_slot *slot,
                 const message_usage *booked,
                 bool reported)
{
    canon_writer body = {0};
    put_slot(&body, slot);
    canon_usage(&body, booked);
    canon_u8(&body, reported);
    if (!r->core->replaying)
        message_usage_add(&r->core->totals.spent, booked);
    record_emit(r, RECORD_LOST, &body, silent);
}

/* The mirror of get_place. */
static void put_place(canon_writer *w,
                      uint32_t kind,
                      uint32_t node_number,
                      uint32_t branch_number,
                      uint32_t poll_number)
{
    canon_u32(w, kind);
    canon_u32(w, node_number);
    canon_u32(w, branch_number);
    canon_u32(w, poll_number);
}

/* The mirror of get_task_record. */
static void put_task(canon_writer *w, const record_result *facts)
{
    put_place(w, facts->kind, facts->node, facts->branch, facts->poll);
    canon_u32(w, facts->error);
    if (facts->error == ETNA_OK) {
        put_result(w, &facts->result);
    } else {
        canon_text(w, facts->text);
    }
}

void record_result_of(run *r, const record_result *facts)
{
    canon_writer body = {0};
    put_task(&body, facts);
    record_emit(r, RECORD_RESULT, &body, narrate_result(r, facts));
}

void record_refused(run *r, const record_result *facts)
{
    canon_writer body = {0};
    put_task(&body, facts);
    record_emit(r, RECORD_REFUSED, &body, narrate_refused(r, facts));
}

/* The state after the node was decided, in numbers that replay must reach
 * again: the tree's, the anchor's and the run's usage. */
void record_decision(run *r, const node *n, uint32_t next_step)
{
    canon_writer body = {0};
    static const etna_hash none;
    canon_u32(&body, n->number);
    canon_u32(&body, n->step);
    canon_u32(&body, n->state);
    canon_u32(&body, (uint32_t)n->winner);
    canon_hash(&body,
               n->winner >= 0 ? &n->branches[n->winner].snapshot : &none);
    canon_u32(&body, next_step);
    canon_u32(&body, r->anchor);
    canon_u32(&body, r->depth_max);
    canon_u32(&body, r->backtracks);
    canon_u32(&body, n->passed);
    canon_usage(&body, &r->used);
    record_emit(r, RECORD_DECISION, &body, narrate_decision(r, n, next_step));
}

void record_cap(run *r, core_cap kind)
{
    canon_writer body = {0};
    canon_u8(&body, (uint8_t)kind);
    record_emit(r, RECORD_CAP, &body, narrate_cap(r, kind));
}

/* For kinds without a body: CANCEL and SUSPENDED. */
void record_plain(run *r, record_kind kind)
{
    canon_writer body = {0};
    record_emit(r, kind, &body, narrate_plain(r, kind));
}

/* Kept across restarts: a task that felled two workers is not to fell the third
 * because the coordinator forgot. */
void record_death(const task *t, const char *why)
{
    canon_writer body = {0};
    put_place(&body, t->kind, t->node, t->branch, t->poll);
    canon_text(&body, why);
    record_emit(t->run, RECORD_DEATH, &body, narrate_death(t->run, t, why));
}

void record_build(run *r, const char *build)
{
    canon_writer body = {0};
    canon_text(&body, build);
    record_emit(r, RECORD_BUILD, &body, narrate_build(r, build));
}

/* The names after the change; a replay sets them at the same place. */
void record_models(run *r)
{
    canon_writer body = {0};
    canon_text(&body, r->config.model);
    canon_text(&body, r->config.models);
    canon_u32(&body, r->config.foreign);
    record_emit(r, RECORD_MODELS, &body, narrate_models(r));
}

/* Everything that run.json tells of the end, so that a replay that comes to
 * another end is noticed. There are final_count pictures and the first scene's,
 * and a scene for each step but the last, whose scene is the export. */
void record_ended(run *r)
{
    canon_writer body = {0};
    static const etna_hash none;
    canon_u32(&body, r->outcome);
    canon_u32(&body, r->error);
    canon_text(&body, r->reason);
    put_refusal(&body, &r->refusal);
    canon_usage(&body, &r->used);
    canon_hash(&body, &r->first_snapshot);
    canon_u32(&body, r->final_count);
    for (uint32_t i = 0; i < r->final_count; i++) {
        const node *n = tree_node(r, r->final[i]);
        canon_u32(&body, n->number);
        canon_hash(&body, &n->branches[n->winner].snapshot);
    }
    canon_hash(&body, &r->export_blob);
    for (uint32_t i = 0; i <= r->final_count; i++)
        canon_hash(&body, r->images ? &r->images[i] : &none);
    for (uint32_t i = 1; r->scenes && i < r->final_count; i++)
        canon_hash(&body, &r->scenes[i]);
    record_emit(r, RECORD_ENDED, &body, narrate_ended(r));
}
