/* A run from its submit to its end: import, search, finishing tasks, `ended`.
 * The search itself is search.c.
 *
 *   run_begin -> IMPORTING -> (reader) -> SEARCHING -> FINISHING -> ENDED
 *
 * Every way to an end goes through run_search_over or run_stop: the open step
 * is stopped, tasks are dropped, the outcome is fixed, pictures and files are
 * asked for; run_end writes the last record when the last of these is there.
 * Beside this stands what a run is while it rests: a dormant run keeps all that
 * it has, gives out no task and has its own clock standing; it is taken up
 * again by a user, or by itself when its models or the disk were the cause
 * (run_pause). */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of all instructions of a list: with the edits they must fit one
 * message. */
enum {
    STEPS_BYTES_MAX = 256 * 1024
};

/* Which phase may follow which. */
static const bool allowed[PHASE_COUNT][PHASE_COUNT] = {
    [PHASE_IMPORTING] = {[PHASE_SEARCHING] = true,
                         [PHASE_FINISHING] = true,
                         [PHASE_ENDED] = true},
    [PHASE_SEARCHING] = {[PHASE_FINISHING] = true, [PHASE_ENDED] = true},
    [PHASE_FINISHING] = {[PHASE_ENDED] = true},
};

/* Every change of phase goes through here; one that is not in the table is a
 * defect of ours. */
static void run_phase_set(run *r, run_phase phase)
{
    if (!allowed[r->phase][phase])
        core_broken(r->core,
                    "a run changed its phase in a way that is not allowed");
    r->phase = phase;
    r->core->wall_stale = true;
    viewer_stir(r);
}

/* ---- usage ---- */

/* Never below 0: a booking that is taken back was estimated, and may be more
 * than what is there. */
static uint64_t usage_less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* All nine numbers, each for itself. */
void usage_subtract(message_usage *sum, const message_usage *by)
{
    sum->tokens_in = usage_less(sum->tokens_in, by->tokens_in);
    sum->tokens_out = usage_less(sum->tokens_out, by->tokens_out);
    sum->tokens_cached = usage_less(sum->tokens_cached, by->tokens_cached);
    sum->tokens_reasoning =
        usage_less(sum->tokens_reasoning, by->tokens_reasoning);
    sum->tokens_written = usage_less(sum->tokens_written, by->tokens_written);
    sum->bytes_sent = usage_less(sum->bytes_sent, by->bytes_sent);
    sum->images_sent = (uint32_t)usage_less(sum->images_sent, by->images_sent);
    sum->cost_micros = usage_less(sum->cost_micros, by->cost_micros);
    sum->calls = (uint32_t)usage_less(sum->calls, by->calls);
}

/* ---- configuration ---- */

/* Either a goal or a list; every text fits the message that it travels in. */
static etna_code run_check_texts(const arrange_config *config, etna_error *err)
{
    bool goal = config->goal && *config->goal;
    if (goal == (config->step_count > 0)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "run: give either a goal or a list of steps");
    }
    if (goal && !text_bounded(config->goal, MESSAGE_TEXT_MAX)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "run: the goal is longer than %d bytes",
                         (int)MESSAGE_TEXT_MAX);
    }
    if (config->step_count > ARRANGE_STEPS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "run: %u steps are more than %d; split the list",
                         (unsigned)config->step_count, (int)ARRANGE_STEPS_MAX);
    }
    size_t bytes = 0;
    for (uint32_t i = 0; i < config->step_count; i++) {
        if (!config->steps[i] || !*config->steps[i] ||
            !text_bounded(config->steps[i], ARRANGE_INSTRUCTION_MAX)) {
            return etna_fail(err, ETNA_E_USAGE,
                             "run: step %u is empty or longer than %d bytes",
                             (unsigned)i + 1, (int)ARRANGE_INSTRUCTION_MAX);
        }
        bytes += strlen(config->steps[i]);
    }
    if (bytes > STEPS_BYTES_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "run: the steps' texts are %zu bytes, more than %d; split the list",
            bytes, (int)STEPS_BYTES_MAX);
    }
    if (!text_bounded(config->scene_name, MESSAGE_TEXT_MAX) ||
        !text_bounded(config->model, ARRANGE_NAME_MAX) ||
        !text_bounded(config->models, MODELS_JSON_MAX) ||
        !text_bounded(config->reader, ARRANGE_NAME_MAX) ||
        !text_bounded(config->camera, ARRANGE_NAME_MAX)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: the name of the scene is longer than %d bytes, or of the model or camera than %d",
            (int)MESSAGE_TEXT_MAX, (int)ARRANGE_NAME_MAX);
    }
    return ETNA_OK;
}

/* Lots are told apart by their place alone, so the same blob may come twice. */
static etna_code run_check_lots(const arrange_config *config, etna_error *err)
{
    if (config->lot_count > ARRANGE_LOTS_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "run: %u lots are more than %d; read them in several",
                         (unsigned)config->lot_count, (int)ARRANGE_LOTS_MAX);
    for (uint32_t i = 0; i < config->lot_count; i++) {
        if (etna_hash_is_zero(&config->lots[i]))
            return etna_fail(err, ETNA_E_USAGE, "run: lot %u is not named",
                             (unsigned)i);
    }
    return ETNA_OK;
}

/* What rooms are furnished with goes with what they are furnished by. */
static etna_code run_check_stock(const arrange_config *config, etna_error *err)
{
    bool is_alone = config->stock_count && !config->furnishes;
    if (is_alone || (config->furnishes && !config->lot_count))
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: rooms are furnished by lots, and nothing else has a stock");
    if (config->stock_count > ARRANGE_STOCK_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "run: %u models are more than %d; furnish fewer rooms at a time",
            (unsigned)config->stock_count, (int)ARRANGE_STOCK_MAX);
    for (uint32_t i = 0; i < config->stock_count; i++) {
        if (etna_hash_is_zero(&config->stock[i]))
            return etna_fail(err, ETNA_E_USAGE, "run: model %u is not named",
                             (unsigned)i);
    }
    return ETNA_OK;
}

/* Of the run before, from outside: its texts are bounded and its numbers
 * finite. */
static bool edit_fits(const arrange_edit *edit)
{
    const double pose[4] = {edit->pose.position[0], edit->pose.position[1],
                            edit->pose.position[2], edit->pose.yaw};
    return text_bounded(edit->instruction, ARRANGE_BEFORE_BYTES) &&
           text_bounded(edit->object, ARRANGE_NAME_MAX) &&
           text_bounded(edit->plane, ARRANGE_NAME_MAX) &&
           numbers_finite(pose, 4);
}

/* What a run goes on from comes from outside as well: it may be the folder of a
 * stranger's run. */
static etna_code check_before(const arrange_config *config, etna_error *err)
{
    const arrange_before *before = &config->before;
    bool fits = before->step_count <= ARRANGE_BEFORE_MAX &&
                before->edit_count <= ARRANGE_BEFORE_MAX &&
                text_bounded(before->goal, MESSAGE_TEXT_MAX);
    for (uint32_t i = 0; fits && i < before->step_count; i++)
        fits = before->steps[i] &&
               text_bounded(before->steps[i], ARRANGE_BEFORE_BYTES);
    for (uint32_t i = 0; fits && i < before->edit_count; i++)
        fits = edit_fits(&before->edits[i]);
    if (fits)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "run: what is told of the run before is longer than %d instructions and edits",
        (int)ARRANGE_BEFORE_MAX);
}

/* Both ends count. */
static bool run_within(uint32_t value, uint32_t low, uint32_t high)
{
    return value >= low && value <= high;
}

/* Everything that the search and the journal rely on is checked here, once, for
 * runs of any origin. The texts name the numbers that are allowed. */
etna_code run_config_check(const arrange_config *config, etna_error *err)
{
    if (etna_hash_is_zero(&config->scene))
        return etna_fail(err, ETNA_E_USAGE, "run: no scene is named");
    etna_code code = run_check_texts(config, err);
    if (code == ETNA_OK)
        code = check_before(config, err);
    if (code == ETNA_OK)
        code = run_check_lots(config, err);
    if (code == ETNA_OK)
        code = run_check_stock(config, err);
    if (code != ETNA_OK)
        return code;
    if (!run_within(config->branches, 1, ARRANGE_BRANCHES_MAX) ||
        !run_within(config->polls, 1, ARRANGE_POLLS_MAX)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "run: branches must be 1 to %d and polls 1 to %d",
                         (int)ARRANGE_BRANCHES_MAX, (int)ARRANGE_POLLS_MAX);
    }
    if (config->branches_at_once > ARRANGE_BRANCHES_MAX) {
        return etna_fail(err, ETNA_E_USAGE,
                         "run: branches at once must be at most %d",
                         (int)ARRANGE_BRANCHES_MAX);
    }
    if (!run_within(config->early_end, EARLY_END_FIRST, EARLY_END_OFF) ||
        !run_within(config->anchor, ANCHOR_HALF_ANCHOR, ANCHOR_HALF_DEPTH)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: early end must be first, ordered or off, anchor half-anchor or half-depth");
    }
    if (config->ablation >= ABLATION_COUNT ||
        (arrange_is_single(config->ablation) && config->branches != 1)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: no such ablation, or a single agent with more than one branch a step");
    }
    if (config->priority > ARRANGE_PRIORITY_MAX)
        return etna_fail(err, ETNA_E_USAGE, "run: the priority must be 0 to %d",
                         (int)ARRANGE_PRIORITY_MAX);
    if (config->open_list && !config->step_count)
        return etna_fail(
            err, ETNA_E_USAGE,
            "run: only a list can be open: give steps, or take open_list away");
    bool counted = config->step_count && !config->open_list;
    if (!counted && !run_within(config->max_steps, 1, ARRANGE_STEPS_MAX)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "run: the most steps must be 1 to %d",
                         (int)ARRANGE_STEPS_MAX);
    }
    return ETNA_OK;
}

/* The run's copy; NULL where there is nothing. */
static const char *or_none(run *r, const char *text)
{
    return text && *text ? run_text(r, text) : NULL;
}

/* Counts are set last, so that a failure of memory leaves an empty one. */
static void copy_before(run *r, const arrange_before *from)
{
    arrange_before *to = &r->config.before;
    const char **steps = run_alloc(r, from->step_count, sizeof *steps);
    arrange_edit *edits = run_alloc(r, from->edit_count, sizeof *edits);
    *to = (arrange_before){.goal = or_none(r, from->goal),
                           .snapshot = from->snapshot,
                           .steps = steps,
                           .edits = edits};
    if (!steps || !edits)
        return;
    for (uint32_t i = 0; i < from->step_count; i++)
        steps[i] = run_text(r, from->steps[i]);
    for (uint32_t i = 0; i < from->edit_count; i++) {
        edits[i] = from->edits[i];
        edits[i].instruction = run_text(r, from->edits[i].instruction);
        edits[i].object = run_text(r, from->edits[i].object);
        edits[i].plane = run_text(r, from->edits[i].plane);
    }
    to->step_count = from->step_count;
    to->edit_count = from->edit_count;
}

/* Names of lots, and room for what comes of them. */
static void copy_lots(run *r, const arrange_config *from)
{
    uint32_t count = from->lot_count;
    etna_hash *names = run_alloc(r, count, sizeof *names);
    r->lots = run_alloc(r, count, sizeof *r->lots);
    r->config.lots = names;
    r->config.lot_count = names && r->lots ? count : 0;
    if (r->config.lot_count)
        memcpy(names, from->lots, count * sizeof *names);
    etna_hash *stock = run_alloc(r, from->stock_count, sizeof *stock);
    r->config.stock = stock;
    r->config.stock_count = stock ? from->stock_count : 0;
    if (r->config.stock_count)
        memcpy(stock, from->stock, from->stock_count * sizeof *stock);
}

/* The run owns all its texts; of the caller's nothing is kept. What was passed
 * over has room for every instruction, or for the parts that a goal may
 * have. */
static void copy_config(run *r, const arrange_config *from)
{
    r->config = *from;
    r->config.scene_name = run_text(r, from->scene_name);
    r->config.goal = or_none(r, from->goal);
    r->config.model = run_text(r, from->model);
    r->config.camera = or_none(r, from->camera);
    r->config.models = or_none(r, from->models);
    r->config.reader = or_none(r, from->reader);
    if (from->step_count && !from->open_list)
        r->config.max_steps = from->step_count; /* METHODS.md 2: its length */
    copy_before(r, &from->before);
    copy_lots(r, from);
    const char **steps = run_alloc(r, from->step_count, sizeof *steps);
    for (uint32_t i = 0; steps && i < from->step_count; i++)
        steps[i] = run_text(r, from->steps[i]);
    r->config.steps = steps;
    r->passed = run_alloc(r, from->goal ? PASSED_PARTS_MAX : from->step_count,
                          sizeof *r->passed);
}

/* NULL: core.failure says why. Nothing is listed yet and nothing begun. */
run *run_new(core *c, const etna_id *id, const arrange_config *config)
{
    run *r = calloc(1, sizeof *r);
    if (!r) {
        core_trouble(c, ETNA_E_NOMEM, "a run: out of memory");
        return NULL;
    }
    r->core = c;
    r->id = *id;
    r->phase = PHASE_IMPORTING;
    r->outcome = RUN_RUNNING;
    r->reason = r->unread_why = r->refusal.what = r->refusal.where =
        r->refusal.advice = "";
    chain *heads[] = {&r->tasks_open, &r->tasks_leaving, &r->queue,
                      &r->ready,      &r->timed,         &r->in_flight,
                      &r->losing,     &r->with_losses,   &r->paused,
                      &r->of_batch,   &r->viewers,       &r->stirred};
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        chain_init(heads[i]);
    copy_config(r, config);
    r->config_bytes = r->arena.used;
    r->order = ++c->run_order;
    batch_join(r);
    return r;
}

/* Takes them out of their workers' hands without a word: the core is being
 * freed, or the run is dormant. */
static void run_free_tasks(chain *tasks)
{
    while (!chain_empty(tasks)) {
        task *t = CHAIN_OF(task, of_run, tasks->next);
        chain_remove(&t->of_run);
        chain_remove(&t->link);
        if (t->worker)
            t->worker->lease_count--;
        if (t->twin) {
            chain_remove(&t->twin->link);
            t->twin->worker->lease_count--;
            free(t->twin);
        }
        free(t);
    }
}

/* Takes the run out of every list that it may be in. */
void run_free(run *r)
{
    if (!r)
        return;
    batch_leave(r);
    chain_remove(&r->ready);
    chain_remove(&r->timed);
    chain_remove(&r->paused);
    chain_remove(&r->stirred);
    run_free_tasks(&r->tasks_open);
    run_free_tasks(&r->tasks_leaving);
    for (uint32_t i = r->expected_at; i < r->expected_count; i++)
        free(r->expected[i].body);
    chain_remove(&r->with_losses);
    while (!chain_empty(&r->in_flight))
        chain_remove(r->in_flight.next), r->core->calls_in_flight--;
    table_free(&r->call_table);
    free(r->expected);
    free(r->lines);
    free(r->nodes);
    table_free(&r->tasks);
    etna_arena_free(&r->arena);
    free(r);
}

/* ---- life ---- */

/* Dormant runs keep their tasks and give none out. */
bool run_may_lease(const run *r)
{
    return !r->dormant && r->phase != PHASE_ENDED;
}

/* Behind those of the same priority, so that these take turns. */
void run_ready_append(run *r)
{
    chain *queue = &r->core->ready, *before = queue->previous;
    while (before != queue &&
           CHAIN_OF(run, ready, before)->config.priority < r->config.priority)
        before = before->previous;
    chain_append(before->next, &r->ready);
}

/* Called after anything that changes how many tasks wait. Tasks that must be
 * done alone do not count: they are handed out by lease_match's own rule. Runs
 * of a batch are listed through the batch. */
void run_ready_update(run *r)
{
    bool ready = run_may_lease(r) && r->queued_count > r->alone_count;
    if (r->batch) {
        batch_ready_update(r, ready);
        return;
    }
    bool listed = !chain_empty(&r->ready);
    if (ready && !listed)
        run_ready_append(r);
    if (!ready && listed)
        chain_remove(&r->ready);
}

/* The run's own clock, which stands while it rests. */
uint64_t run_time_ms(const run *r)
{
    return r->dormant ? r->clock_ms
                      : r->clock_ms + (r->core->now - r->clock_at);
}

/* An end that is not written yet is none: what is shown must be true after a
 * crash. */
run_state run_state_now(const run *r)
{
    bool unwritten = r->expected_at < r->expected_count;
    if (r->phase == PHASE_ENDED && !unwritten && !r->leaving_count)
        return r->outcome;
    return r->dormant && !r->retry_ms ? RUN_SUSPENDED : RUN_RUNNING;
}

/* What viewers and submitters are answered. */
void run_status_message(const run *r, message *ret)
{
    /* before, it is not over yet */
    const char *why = r->phase == PHASE_ENDED ? r->reason : "";
    ret->body.run_status =
        (message_run_status){.run = r->id,
                             .state = run_state_now(r),
                             .last_event = r->sequence,
                             .text = r->outage ? r->outage : why,
                             .rests_by = r->rests_by};
    ret->body.run_status.stuck = r->stuck;
}

/* Every run that arranges something begins with the import of its scene. */
void run_begin(run *r)
{
    for (uint32_t i = 0; i < r->config.lot_count; i++)
        task_new(r, r->config.furnishes ? TASK_FURNISH : TASK_ASSET, 0, i, 0);
    if (!r->config.lot_count)
        task_new(r, TASK_IMPORT, 0, 0, 0);
}

/* A lot that nobody could read is no reason to lose the others: whoever asked
 * for it sees that there is nothing of it. */
void run_lot_over(run *r, uint32_t lot, const etna_hash *blob)
{
    r->lots[lot] = *blob;
    if (r->task_count == 0)
        run_search_over(r, (core_end){.kind = END_COMPLETE}, ETNA_OK,
                        r->config.furnishes ? "all rooms were furnished"
                                            : "all lots were read");
}

/* The scene is there. With a reader of its own the goal is read first, by one
 * call for the whole run. */
void run_import_arrived(run *r, const arrange_result *result)
{
    r->first_snapshot = result->snapshot;
    r->object_count = result->object_count;
    r->movable_count = result->movable_count;
    r->camera = or_none(r, result->camera);
    r->warnings = run_alloc(r, result->warning_count, sizeof *r->warnings);
    if (!r->warnings)
        return;
    for (uint32_t i = 0; i < result->warning_count; i++)
        r->warnings[i] = run_text(r, result->warnings[i]);
    r->warning_count = result->warning_count;
    message_usage_add(&r->used, &result->used);
    r->import_used = result->used;
    if (r->config.reader) {
        task_new(r, TASK_READ, 0, 0, 0);
        return;
    }
    run_phase_set(r, PHASE_SEARCHING);
    search_begin(r);
}

/* No meaning is no failure: the planner reads for itself then. */
void run_read_arrived(run *r, const arrange_result *result)
{
    r->meaning = or_none(r, result->meaning);
    r->read_used = result->used;
    message_usage_add(&r->used, &result->used);
    run_phase_set(r, PHASE_SEARCHING);
    search_begin(r);
}

/* It goes on when somebody says so, or not at all. */
static void run_retry_forget(run *r)
{
    chain_remove(&r->paused);
    r->retry_ms = 0;
    viewer_stir(r);
}

/* The last step of every run, however it came here. */
static void run_end(run *r)
{
    run_retry_forget(r);
    call_lost_all(r);
    run_phase_set(r, PHASE_ENDED);
    run_ready_update(r);
    record_ended(r);
    if (!r->core->replaying)
        core_row_changed(r, false);
}

/* Fixes which edits the result has, and makes room for their pictures. */
static void run_keep_edits(run *r, const uint32_t *nodes, uint32_t count)
{
    memcpy(r->final, nodes, count * sizeof *nodes);
    r->final_count = count;
    r->images = run_alloc(r, (size_t)count + 1, sizeof *r->images);
    if (r->config.step_scenes)
        r->scenes = run_alloc(r, (size_t)count + 1, sizeof *r->scenes);
}

/* Who reads of a search that found no way wants to see where; what could not be
 * read or imported ends at once. */
static bool shows_failure(const run *r)
{
    bool is_healthy = r->error == ETNA_OK && r->core->failure == ETNA_OK;
    return r->config.images && is_healthy &&
           !etna_hash_is_zero(&r->first_snapshot);
}

/* With edits that are kept a run that did not come through is partial. */
static run_state run_outcome(const run *r)
{
    if (r->end.kind == END_COMPLETE)
        return RUN_COMPLETE;
    return r->best_count ? RUN_PARTIAL : RUN_FAILED;
}

/* What it ends by, and that in words. */
static void run_end_set(run *r,
                        core_end end,
                        etna_code error,
                        const char *reason)
{
    core_text words = {0};
    r->end = end;
    r->error = error;
    if (!reason)
        end_text_add(&words, r, true);
    r->reason =
        run_text_cut(r, reason ? reason : words.data, ARRANGE_REASON_MAX);
}

/* The files and pictures that the run is to leave. */
static void run_ask_for_results(run *r)
{
    task_new(r, TASK_EXPORT, 0, 0, 0);
    for (uint32_t i = 1; r->config.step_scenes && i < r->final_count; i++)
        task_new(r, TASK_EXPORT, 0, i, 0);
    for (uint32_t i = 0; r->config.images && i <= r->final_count; i++)
        task_new(r, TASK_RENDER, 0, i, 0);
}

/* Nothing more is decided; what is left is to hand over what was kept. The open
 * node is stopped first, so that its tasks are dropped with it. */
void run_search_over(run *r, core_end end, etna_code error, const char *reason)
{
    bool done = end.kind == END_COMPLETE || end.kind == END_PASSED_OVER;
    search_stop_node(r);
    task_drop_all(r);
    run_end_set(r, end, error, reason);
    r->outcome = run_outcome(r);
    if (done) {
        run_keep_edits(r, r->path, r->path_count);
    } else {
        run_keep_edits(r, r->best, r->best_count);
    }
    run_phase_set(r, PHASE_FINISHING);
    if (r->outcome == RUN_FAILED && shows_failure(r))
        task_new(r, TASK_RENDER, 0, 0, 0);
    bool has_result = r->outcome != RUN_FAILED && !r->config.lot_count;
    if (has_result && r->core->failure == ETNA_OK)
        run_ask_for_results(r);
    run_finish_step(r);
}

/* Whatever the search came to: there is nothing to hand over. */
void run_export_refused(run *r,
                        core_end end,
                        etna_code error,
                        const char *reason)
{
    r->outcome = RUN_FAILED;
    run_end_set(r, end, error, reason);
}

/* After every task that ends; the last one ends the run. */
void run_finish_step(run *r)
{
    if (r->phase == PHASE_FINISHING && r->task_count == 0)
        run_end(r);
}

/* Ends it here and now, without files: whoever cancels wants nothing of it. */
void run_stop(run *r)
{
    search_stop_node(r);
    task_drop_all(r);
    if (r->phase != PHASE_FINISHING)
        run_keep_edits(r, r->best, r->best_count);
    r->outcome = RUN_CANCELLED;
    run_end_set(r, (core_end){.kind = END_CANCELLED}, ETNA_OK, NULL);
    run_end(r);
}

/* A run that has ended stays as it is. */
void run_cancel(run *r)
{
    if (r->phase == PHASE_ENDED)
        return;
    record_plain(r, RECORD_CANCEL);
    run_stop(r);
}

/* Its workers are told to stop; what they were doing is queued again, for when
 * the run goes on. */
static void take_leases_back(run *r)
{
    for (chain *link = r->tasks_open.next, *next; link != &r->tasks_open;
         link = next) {
        next = link->next;
        task *t = CHAIN_OF(task, of_run, link);
        if (t->state != TASK_LEASED)
            continue;
        task_untwin(t);
        call_lost_with(t, true);
        worker *w = t->worker;
        message_task_ref *ref =
            etna_arena_alloc(&r->core->scratch, 1, sizeof *ref);
        if (!ref) {
            core_trouble(r->core, ETNA_E_NOMEM, "orders: out of memory");
            return;
        }
        *ref = (message_task_ref){
            .run = r->id, .task = t->id, .attempt = t->attempt};
        worker_stops(w, t);
        task_to_queue(t);
        worker_tell(w, ref, 1);
    }
}

/* Also makes a rest of a pause; suspending twice is suspending once. Leases are
 * taken back before the record is written, so that no result of theirs comes
 * behind it. */
void run_suspend(run *r)
{
    bool pauses = r->retry_ms != 0;
    if (r->phase == PHASE_ENDED || (r->dormant && !pauses))
        return;
    /* a pause that becomes a rest; the journal has it suspended already */
    if (r->dormant) {
        run_retry_forget(r);
        core_row_changed(r, false);
        return;
    }
    take_leases_back(r);
    record_plain(r, RECORD_SUSPENDED);
    r->dormant = true;
    r->core->wall_stale = true;
    viewer_stir(r);
    run_ready_update(r);
    core_row_changed(r, false);
}

/* The wait doubles with every outage up to CORE_OUTAGE_MOST_MS; outage_ms 0
 * never tries by itself. */
void run_pause(run *r)
{
    core *c = r->core;
    uint64_t wait = c->options.outage_ms;
    for (uint32_t i = 0; i < r->outages && wait < CORE_OUTAGE_MOST_MS; i++)
        wait *= 2;
    if (wait > CORE_OUTAGE_MOST_MS)
        wait = CORE_OUTAGE_MOST_MS;
    if (wait) {
        r->retry_ms = c->now + wait;
        chain_append(&c->paused, &r->paused);
    }
    r->outages++;
}

/* The search's work is kept: with room on the disk the run goes on at its
 * export. */
void run_rest_unwritten(run *r, etna_code code, const char *why)
{
    core_text text = {0};
    text_add(&text, "there is no room for its result: %s",
             why && *why ? why : "nothing is said");
    r->outage = run_text_cut(r, text.data, ARRANGE_REASON_MAX);
    r->rests_by = code;
    r->stuck = true;
    run_pause(r);
    run_suspend(r);
    narrate_outage(r);
}

/* Few runs pause at once, so the list is not sorted. */
void run_retry_due(core *c)
{
    for (chain *link = c->paused.next, *next; link != &c->paused; link = next) {
        next = link->next;
        run *r = CHAIN_OF(run, paused, link);
        if (r->retry_ms <= c->now)
            run_resume(r, NULL);
    }
}

/* What was found out about the models before means nothing of those after. */
void run_models_set(run *r, const message_run_resume *to)
{
    r->config.model = run_text(r, to->model);
    r->config.models = or_none(r, to->models);
    r->config.foreign = to->foreign;
    r->coordinates = COORDINATES_UNKNOWN;
    memset(r->means, 0, sizeof r->means);
    habit_forget(r);
}

/* A resume that names no model keeps those that the run has. */
static void run_change_models(run *r, const message_run_resume *to)
{
    bool named = to && to->model && *to->model;
    if (!named)
        return;
    run_models_set(r, to);
    record_models(r);
}

/* What a replay had decided and the journal lacks is written first, in order;
 * calls that the coordinator before had allowed are booked as lost, since
 * nobody can tell any more whether they were made. */
void run_resume(run *r, const message_run_resume *how)
{
    if (!r->dormant)
        return;
    run_retry_forget(r);
    r->dormant = r->stuck = false;
    r->outage = NULL;
    r->rests_by = ETNA_OK;
    r->clock_at = r->resumed_ms = r->core->now;
    r->core->wall_stale = true;
    bool over = r->phase == PHASE_ENDED;
    bool unwritten = r->expected_at < r->expected_count;
    record_flush_expected(r);
    call_lost_all(r); /* told to go by a coordinator that died */
    if (over && !unwritten) {
        /* a coordinator may have died while it waited for the last calls */
        core_row_changed(r, false);
        return;
    }
    if (!over)
        run_change_models(r, how);
    if (!over)
        narrate_resumed(r);
    core_row_changed(r, false);
    run_ready_update(r);
}

/* False: it is known already, or there is no room for more. Used in a replay,
 * where nothing is written. */
bool run_build_add(run *r, const char *build)
{
    for (uint32_t i = 0; i < r->build_count; i++) {
        if (strcmp(r->builds[i], build) == 0)
            return false;
    }
    if (r->build_count == RUN_BUILDS_MAX)
        return false;
    r->builds[r->build_count++] = run_text(r, build);
    return true;
}

/* Once for each build. */
void run_build_takes_part(run *r, const char *build)
{
    if (run_build_add(r, build))
        record_build(r, build);
}
