/* The virtual clock and the network of sim.h, and what is checked when a world
 * ends. */
#include "coordinator/shell/recover.h"
#include "proto/usage.h"
#include "tests/sim/sim_internal.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS_A_RUN = 2000000,
    HOURS_MAX = 6,
    HOME_MS = 120000
};

sim_options sim_options_default(void)
{
    sim_options options = {.seed = 1,
                           .workers = 1,
                           .slots = 4,
                           .runs = 1,
                           .delay_ms = 5,
                           .tries = 1000,
                           .unread_pct = 6,
                           .resume_ms = 60000};
    options.config = (arrange_config){.scene_name = "room.glb",
                                      .goal = "tidy up",
                                      .seed = 1,
                                      .branches = 4,
                                      .polls = 3,
                                      .early_end = EARLY_END_ORDERED,
                                      .anchor = ANCHOR_HALF_ANCHOR,
                                      .max_steps = 6,
                                      .max_backtracks = 8,
                                      .model = "sim"};
    options.config.scene.bytes[0] = 7;
    return options;
}

etna_id sim_run_id(uint32_t index)
{
    return (etna_id){
        {0xe7, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)(index >> 16)}};
}

uint32_t sim_run_of(const sim *s, const etna_id *id)
{
    uint32_t index = id->bytes[1] | (uint32_t)id->bytes[2] << 8 |
                     (uint32_t)id->bytes[3] << 16;
    const etna_id same = sim_run_id(index);
    return etna_id_equal(id, &same) && index < s->options->runs
               ? index
               : s->options->runs;
}

arrange_config sim_config_of(const sim *s, uint32_t index)
{
    arrange_config config = s->options->config;
    config.seed += index;
    if (s->options->scenes)
        config.scene.bytes[1] = (uint8_t)(index % s->options->scenes);
    return config;
}

void *sim_room(void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? *room * 2 : 64;
    items = realloc(items, *room * size);
    if (!items)
        abort();
    return items;
}

void *sim_new(size_t count, size_t size)
{
    void *made = calloc(count ? count : 1, size ? size : 1);
    if (!made)
        abort();
    return made;
}

void sim_breach(sim *s, const char *format, ...)
{
    if (s->report->broken)
        return;
    va_list args;
    va_start(args, format);
    int at = snprintf(s->report->text, sizeof s->report->text,
                      "at %llu ms: ", (unsigned long long)s->now);
    vsnprintf(s->report->text + at, sizeof s->report->text - (size_t)at, format,
              args);
    va_end(args);
    s->report->broken = true;
    s->over = true;
}

void sim_tell(sim *s, const char *line)
{
    sim_report *r = s->report;
    size_t size = strlen(line);
    if (s->tell)
        s->tell(s->tell_context, line);
    if (size + 2 > sizeof r->lines - r->lines_size)
        return;
    memcpy(r->lines + r->lines_size, line, size);
    memcpy(r->lines + r->lines_size + size, "\n", 2);
    r->lines_size += size + 1;
}

void sim_say(sim *s, const char *line)
{
    sim_tell(s, line);
}

bool sim_model_is_down(const sim *s, const char *model)
{
    const sim_options *o = s->options;
    return strcmp(model, "sim") == 0 && s->now >= o->down_ms &&
           s->now - o->down_ms < o->down_for_ms;
}

bool sim_has_no_room(const sim *s)
{
    const sim_options *o = s->options;
    return s->now >= o->no_room_ms &&
           s->now - o->no_room_ms < o->no_room_for_ms;
}

uint64_t sim_chance(sim *s, uint64_t below)
{
    return below ? etna_random_below(&s->random, below) : 0;
}

bool sim_percent(sim *s, uint32_t percent)
{
    return percent && etna_random_below(&s->random, 100) < percent;
}

/* Where the median is given, how long something takes is a function of what it
 * is, so that a run takes as long alone as among thousands. */
uint64_t sim_call_ms(sim *s, const etna_hash *request)
{
    if (!s->options->model_ms)
        return 20 + sim_chance(s, 3000);
    uint64_t seed;
    memcpy(&seed, request->bytes, sizeof seed);
    etna_random random = etna_random_from(seed);
    double u = 1 - etna_random_unit(&random),
           turn = 6.283185307179586 * etna_random_unit(&random);
    double ms = s->options->model_ms * exp(0.6 * sqrt(-2 * log(u)) * cos(turn));
    return ms < 600000 ? (uint64_t)ms + 1 : 600000;
}

uint64_t sim_work_ms(sim *s, const etna_hash *what)
{
    return 5 + (s->options->model_ms ? what->bytes[9] : sim_chance(s, 400));
}

bool sim_is_calm(const sim *s)
{
    const sim_options *o = s->options;
    bool is_network_well = !o->loss_pct && !o->repeat_pct && !o->late_pct &&
                           !o->slow_pct && o->delay_ms <= 100;
    bool is_work_well =
        !o->error_pct && !o->deadly_pct && !o->fail_pct && !o->down_for_ms;
    bool is_quiet =
        !o->mishaps && !o->planned_count && !o->strangers && !o->clocks;
    bool found_room = !s->report->no_rooms;
    return is_network_well && is_work_well && is_quiet && found_room;
}

/* ---- the clock: a heap of what is to come, ties in the order they were said
 * ---- */

static bool sooner(const sim_due *a, const sim_due *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

/* One that has happened, or a new one. */
static sim_event *event_room(sim *s)
{
    sim_event *event = s->spare;
    if (event) {
        s->spare = event->next_spare;
        return event;
    }
    event = etna_arena_alloc(&s->memory, 1, sizeof *event);
    if (!event)
        abort();
    return event;
}

static void event_end(sim *s, sim_event *event)
{
    event->next_spare = s->spare;
    s->spare = event;
}

sim_event *sim_at(sim *s,
                  uint64_t in_ms,
                  sim_event_kind kind,
                  uint64_t a,
                  uint64_t b,
                  uint64_t c)
{
    s->heap = sim_room(s->heap, &s->heap_room, s->heap_count, sizeof *s->heap);
    sim_event *event = event_room(s);
    *event = (sim_event){.kind = kind, .a = a, .b = b, .c = c};
    const sim_due due = {s->now + in_ms, s->order++, event};
    size_t at = s->heap_count++;
    while (at && sooner(&due, &s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = due;
    return event;
}

static sim_due take_first(sim *s)
{
    const sim_due first = s->heap[0], last = s->heap[--s->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count &&
            sooner(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!sooner(&s->heap[child], &last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return first;
}

/* ---- the network ---- */

uint64_t sim_pipe(sim *s)
{
    uint64_t pipe = ++s->next_pipe;
    s->closed = sim_room(s->closed, &s->closed_room, pipe, sizeof *s->closed);
    s->closed[pipe] = 0;
    return pipe;
}

void sim_close_seen(sim *s, uint64_t in_ms, uint64_t pipe)
{
    for (uint32_t i = 0; i < SIM_OWNERS; i++)
        sim_at(s, in_ms, SIM_PIPE_GONE, pipe, 0, 0)->owner = i;
}

void sim_close(sim *s, uint64_t pipe)
{
    if (sim_percent(s, 80))
        sim_close_seen(s, 1 + sim_chance(s, 50), pipe);
}

/* Takes the letter's bytes. */
static void deliver(sim *s, const sim_event *letter, bool is_slow)
{
    uint64_t delay = 1 + sim_chance(s, s->options->delay_ms);
    if (sim_percent(s, s->options->late_pct))
        delay += sim_chance(s, 30000);
    if (is_slow)
        delay += sim_chance(s, 2000);
    sim_event *copy =
        sim_at(s, delay, letter->kind, letter->a, letter->b, letter->c);
    const sim_owner *k = &s->owners[letter->owner];
    bool is_heard = letter->kind == SIM_TO_COORDINATOR && k->c;
    copy->pipe = letter->pipe;
    copy->owner = letter->owner;
    copy->owner_life = is_heard ? k->life : 0;
    copy->size = letter->size;
    copy->bytes = letter->bytes;
}

static void deliver_again(sim *s, const sim_event *letter, bool is_slow)
{
    sim_event again = *letter;
    again.bytes = malloc(letter->size ? letter->size : 1);
    if (!again.bytes)
        abort();
    memcpy(again.bytes, letter->bytes, letter->size);
    deliver(s, &again, is_slow);
}

static bool is_cut(const sim *s, const sim_event *letter)
{
    if (letter->a >= s->worker_count)
        return false;
    const sim_worker *w = &s->workers[letter->a];
    if (letter->pipe && letter->pipe == w->dead_pipe)
        return true;
    return s->now < (letter->kind == SIM_TO_COORDINATOR ? w->up_cut_until
                                                        : w->down_cut_until);
}

void sim_network(sim *s, const sim_event *letter)
{
    s->report->messages++;
    if (sim_percent(s, s->options->loss_pct) || is_cut(s, letter)) {
        s->report->lost_messages++;
        free(letter->bytes);
        return;
    }
    if (s->options->strangers && letter->kind == SIM_TO_COORDINATOR)
        stranger_hears(s, letter);
    bool is_slow = letter->a < s->worker_count && s->workers[letter->a].slow;
    deliver(s, letter, is_slow);
    if (sim_percent(s, s->options->repeat_pct))
        deliver_again(s, letter, is_slow);
}

/* ---- events ---- */

static bool again_at(sim *s, const sim_event *event, uint64_t until)
{
    if (s->now >= until)
        return false;
    sim_event *again =
        sim_at(s, until - s->now, event->kind, event->a, event->b, event->c);
    again->bytes = event->bytes;
    again->size = event->size;
    again->pipe = event->pipe;
    again->owner = event->owner;
    again->owner_life = event->owner_life;
    return true;
}

/* A coordinator whose loop stands still hears nothing; what comes waits in its
 * sockets and timers. So for a worker. */
static bool waits_for_thaw(sim *s, const sim_event *event)
{
    bool for_loop = event->kind == SIM_TO_COORDINATOR ||
                    event->kind == SIM_COORDINATOR_TICK ||
                    event->kind == SIM_COMMIT || event->kind == SIM_PIPE_GONE;
    if (for_loop)
        return again_at(s, event, s->owners[event->owner].frozen_until);
    if (event->kind == SIM_EXIT_SEEN)
        return again_at(s, event, coordinator_of(s)->frozen_until);
    bool for_worker = event->kind == SIM_TO_WORKER ||
                      event->kind == SIM_WORKER_TICK ||
                      event->kind == SIM_JOB || event->kind == SIM_LINK_LOST;
    return for_worker && event->a < s->worker_count &&
           again_at(s, event, s->workers[event->a].stopped_until);
}

static void start_worker(sim *s, uint32_t index)
{
    const sim_worker *w = &s->workers[index];
    if (w->alive || s->draining)
        return;
    sim_worker *twin = &s->workers[s->options->workers + index];
    if (twin->alive)
        sim_end_worker(s, s->options->workers + index, 0, ETNA_OK,
                       "has a twin that is killed");
    worker_start(s, index);
}

static uint8_t owner_bit(uint32_t place)
{
    return (uint8_t)(1u << place);
}

static void pipe_gone(sim *s, const sim_event *event)
{
    s->closed[event->a] |= owner_bit(event->owner);
    coordinator_step(s, &s->owners[event->owner],
                     (core_event){.kind = CORE_PIPE_GONE, .pipe = event->a});
}

/* How a process ends of the same work is chance. */
static const char *way_to_die(const sim *s)
{
    static const char *const ways[] = {"hit a wall", "ran dry",
                                       "was ended by signal 6"};
    return ways[s->now % 3];
}

static void exit_seen(sim *s, const sim_event *event)
{
    coordinator_step(s, coordinator_of(s),
                     (core_event){.kind = CORE_WORKER_EXITED,
                                  .worker = event->a,
                                  .incarnation = event->b,
                                  .fault = (etna_code)event->c,
                                  .why = way_to_die(s)});
}

static void coordinator_again(sim *s)
{
    sim_owner *k = coordinator_of(s);
    if (k->c)
        return;
    s->report->restarts++;
    sim_say(s, "-- the coordinator is started again");
    coordinator_start(s, k->place);
    if (s->draining)
        coordinator_step(s, k,
                         /* by whoever drained the one before */
                         (core_event){.kind = CORE_DRAIN});
}

static void on_message(sim *s, const sim_event *event)
{
    if (event->kind == SIM_TO_COORDINATOR) {
        sim_owner *k = &s->owners[event->owner];
        bool is_closed = s->closed[event->pipe] & owner_bit(event->owner);
        if (k->c && !is_closed)
            coordinator_received(s, k, event);
        return;
    }
    if (event->a < s->worker_count) {
        worker_received(s, event);
    } else if (event->a < SIM_STRANGERS) {
        client_received(s, event);
    } else {
        stranger_answered(s, event);
    }
}

static void on_worker_event(sim *s, const sim_event *event)
{
    uint32_t index = (uint32_t)event->a;
    sim_worker *w = &s->workers[index];
    if (w->life != event->b)
        return;
    switch (event->kind) {
    case SIM_WORKER_TICK:
        if (w->tick_at != event->c)
            break;
        w->tick_at = 0;
        worker_step(s, index, (link_event){.kind = LINK_TICK});
        break;
    case SIM_JOB: worker_job_due(s, index, event->c); break;
    case SIM_REOPEN:
        if (!w->is_away)
            break;
        sim_at(s, REOPEN_MS, SIM_REOPEN, index, w->life, 0);
        w->pipe = sim_pipe(s);
        worker_step(s, index, (link_event){.kind = LINK_LOST});
        break;
    case SIM_LINK_LOST:
        w->pipe = sim_pipe(s);
        worker_step(s, index, (link_event){.kind = LINK_LOST});
        break;
    default:
        s->report->kills += w->alive;
        sim_end_worker(s, index, event->c, ETNA_OK, "is killed");
    }
}

static void on_event(sim *s, const sim_event *event)
{
    sim_owner *k = &s->owners[event->owner];
    bool of_life = event->b == k->life;
    switch (event->kind) {
    case SIM_TO_COORDINATOR:
    case SIM_TO_WORKER: on_message(s, event); break;
    case SIM_COMMIT:
        if (of_life)
            coordinator_committed(s, k);
        break;
    case SIM_COORDINATOR_TICK:
        if (of_life && event->c == k->tick_at)
            coordinator_step(s, k, (core_event){.kind = CORE_TICK});
        break;
    case SIM_WORKER_TICK:
    case SIM_JOB:
    case SIM_LINK_LOST:
    case SIM_REOPEN:
    case SIM_WORKER_END: on_worker_event(s, event); break;
    case SIM_PIPE_GONE: pipe_gone(s, event); break;
    case SIM_EXIT_SEEN: exit_seen(s, event); break;
    case SIM_WORKER_START: start_worker(s, (uint32_t)event->a); break;
    case SIM_COORDINATOR_START: coordinator_again(s); break;
    case SIM_MISHAP: mishap_befall(s, &event->mishap, event->a); break;
    case SIM_RESUME:
        k = &s->owners[event->a];
        for (uint32_t i = 0; i < s->worker_count; i++)
            s->report->jobs_at_resume += s->workers[i].job_count;
        if (event->b == k->life)
            coordinator_resume(s, k);
        break;
    case SIM_CLIENT:
        if (s->clients[event->a].life == event->b)
            client_due(s, (uint32_t)event->a);
        break;
    case SIM_STRANGER: stranger_speaks(s); break;
    }
}

/* ---- the end ---- */

static void report_tree(sim_report *report, const core_run_view *view)
{
    for (uint32_t i = 0; i < view->node_count; i++) {
        const core_node_view *n = &view->nodes[i];
        size_t at = strlen(report->tree);
        snprintf(report->tree + at, sizeof report->tree - at,
                 "%u: step %u after %u %s", (unsigned)n->number,
                 (unsigned)n->step, (unsigned)n->parent,
                 core_node_state_name(n->state));
        for (uint32_t j = 0; j < n->branch_count; j++) {
            at = strlen(report->tree);
            snprintf(report->tree + at, sizeof report->tree - at, " %s",
                     core_branch_state_name(n->branches[j].state));
        }
        at = strlen(report->tree);
        snprintf(report->tree + at, sizeof report->tree - at, "\n");
    }
}

static bool is_sum(const message_usage *a, const message_usage *b)
{
    return a->tokens_in == b->tokens_in && a->tokens_out == b->tokens_out &&
           a->tokens_cached == b->tokens_cached &&
           a->tokens_reasoning == b->tokens_reasoning &&
           a->cost_micros == b->cost_micros && a->calls == b->calls;
}

/* What is told by step, role and model is the whole, and nothing is told
 * twice. */
static void check_accounts(sim *s, const core_run_view *view)
{
    message_usage used = {0}, spent = {0}, lost = {0};
    for (uint32_t i = 0; i < view->account_count; i++) {
        const core_account *a = &view->accounts[i], *b = i ? a - 1 : NULL;
        message_usage_add(&used, &a->used);
        message_usage_add(&spent, &a->spent);
        message_usage_add(&lost, &a->lost);
        bool follows = !b || b->node < a->node ||
                       (b->node == a->node && b->role < a->role) ||
                       (b->node == a->node && b->role == a->role &&
                        strcmp(b->model, a->model) < 0);
        if (!follows)
            sim_breach(s, "two accounts of node %u, role %u", (unsigned)a->node,
                       (unsigned)a->role);
        if (a->spent.tokens_in < a->used.tokens_in && !s->options->lies)
            sim_breach(s, "node %u: more used than spent", (unsigned)a->node);
    }
    if (!is_sum(&used, &view->used))
        sim_breach(s, "the accounts do not sum to what was used");
    if (!is_sum(&spent, &view->spent))
        sim_breach(s, "the accounts do not sum to what was spent");
    if (!is_sum(&lost, &view->lost))
        sim_breach(s, "the accounts do not sum to what was lost");
}

/* What was submitted is what the journal holds. */
static void check_config(sim *s, const core_run_view *view, uint32_t index)
{
    arrange_config config = sim_config_of(s, index);
    if (config.step_count && !config.open_list)
        config.max_steps = config.step_count; /* as said in METHODS.md */
    arrange_config kept = *view->config;
    if (kept.goal && !*kept.goal)
        kept.goal = NULL; /* of a list */
    uint8_t *wanted = NULL, *found = NULL;
    size_t wanted_size = 0, found_size = 0;
    if (arrange_config_pack(&config, &wanted, &wanted_size, NULL) ||
        arrange_config_pack(&kept, &found, &found_size, NULL))
        abort();
    if (wanted_size != found_size || memcmp(wanted, found, wanted_size) != 0)
        sim_breach(s, "run %u has another configuration than was submitted",
                   (unsigned)index);
    free(wanted);
    free(found);
}

static void report_run(sim *s, const core_run_view *view, uint32_t index)
{
    check_config(s, view, index);
    sim_report *report = s->report;
    etna_hash both[2] = {report->final, view->final_snapshot};
    report->final = etna_hash_bytes(both, sizeof both);
    message_usage_add(&report->used, &view->used);
    message_usage_add(&report->spent, &view->spent);
    message_usage_add(&report->lost, &view->lost);
    report->mismatches += view->mismatches;
    report->backtracks += view->backtracks;
    if (index < SIM_RUNS_TOLD) {
        report->run_ended_ms[index] = s->runs[index].ended_ms;
        report_tree(report, view);
    }
    if (view->spent.tokens_in < view->used.tokens_in && !s->options->lies)
        sim_breach(s, "more used than spent");
    uint64_t cap = s->options->config.max_cost_micros;
    if (cap && view->used.cost_micros > cap + cap / 5)
        sim_breach(s, "run %u used %llu millionths of a cap of %llu",
                   (unsigned)index, (unsigned long long)view->used.cost_micros,
                   (unsigned long long)cap);
    check_accounts(s, view);
    judge_run(s, view);
    if (index)
        return;
    report->state = view->state;
    report->edits = view->edit_count;
    report->nodes = view->node_count;
}

static void count_fault(void *context, const char *line)
{
    sim *s = context;
    if (!s->options->rotten)
        sim_breach(s, "the store: %s", line);
}

/* The report is read from a core that knows nothing but what is on the disk. */
static void report_end(sim *s)
{
    core_options options = core_options_default();
    core *c = NULL;
    etna_error err = {0};
    uint64_t faults;
    bool is_own = !s->options->lean && !s->options->open;
    store *kept = is_own ? disk_open(s->disk, s->now) : NULL;
    if (!kept) {
        c = coordinator_of(s)->c;
    } else if (core_new(&options, &c, &err) != ETNA_OK) {
        abort();
    }
    for (uint32_t i = 0; kept && i < s->options->runs; i++) {
        etna_id run = sim_run_id(i);
        if (recover_run(kept, c, &run, &err))
            sim_breach(s, "the whole journal: %s", err.text);
    }
    if (kept && store_verify(kept, count_fault, s, &faults, &err))
        sim_breach(s, "the store cannot be verified: %s", err.text);
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t i = 0; i < s->options->runs && !s->report->broken; i++) {
        etna_id run = sim_run_id(i);
        core_run_view view;
        if (core_view(c, &run, &arena, &view, &err) == ETNA_OK) {
            report_run(s, &view, i);
        } else {
            sim_breach(s, "a run is not there at the end: %s", err.text);
        }
        etna_arena_free(&arena);
    }
    if (!s->options->lies && s->report->spent.calls + s->late_begins <
                                 s->report->calls - s->report->calls_free) {
        sim_breach(s, "%u calls were made, %u of them free, and %u booked",
                   (unsigned)s->report->calls, (unsigned)s->report->calls_free,
                   (unsigned)s->report->spent.calls);
    }
    if (!s->report->broken)
        watch_end(s);
    s->report->ended_ms = s->now;
    if (kept)
        core_free(c);
    store_close(kept);
}

static size_t memory_now(const sim *s)
{
#ifdef __GLIBC__
    if (s->options->lean) {
        struct mallinfo2 all = mallinfo2();
        return all.uordblks + all.hblkhd;
    }
#endif
    (void)s;
    return 0;
}

static void end_world(sim *s)
{
    size_t whole = memory_now(s);
    core_free(coordinator_of(s)->c);
    coordinator_of(s)->c = NULL;
    size_t without_core = memory_now(s);
    s->report->core_bytes = whole - without_core;
    for (uint32_t i = 0; i < s->options->workers && s->options->lean; i++) {
        link_free(s->workers[i].link);
        s->workers[i].link = NULL;
    }
    s->report->link_bytes = without_core - memory_now(s);
    for (uint32_t i = 0; i < s->worker_count; i++)
        worker_kill(s, i);
    for (size_t i = 0; i < s->heap_count; i++)
        free(s->heap[i].event->bytes);
    coordinator_free(s);
    disk_free(s->disk);
    for (uint32_t i = 0; i < s->options->runs; i++)
        free(s->runs[i].lines);
    for (uint32_t i = 0; i < 16; i++)
        free(s->overheard[i]);
    table_free(&s->slots);
    table_free(&s->tasks);
    etna_arena_free(&s->memory);
    free(s->heap);
    free(s->workers);
    free(s->clients);
    free(s->closed);
    free(s->runs);
    free(s->served);
}

static bool is_home(const sim *s)
{
    for (uint32_t i = 0; i < s->worker_count; i++) {
        if (s->workers[i].alive)
            return false;
    }
    return true;
}

/* All runs have ended, and whoever waited for one knows. */
static void all_ended(sim *s)
{
    sim_owner *k = coordinator_of(s);
    if (s->options->clients && !clients_done(s))
        return;
    if (!s->options->drain || !k->c) {
        s->over = true;
        return;
    }
    s->draining = true;
    if (s->settled_ms < s->now)
        s->settled_ms = s->now;
    coordinator_step(s, k, (core_event){.kind = CORE_DRAIN});
}

static void look_for_end(sim *s)
{
    if (s->over || s->ended < s->options->runs)
        return;
    if (!s->draining)
        all_ended(s);
    if (!s->draining || s->over)
        return;
    if (is_home(s))
        s->over = true;
    if (!s->over && s->now > s->settled_ms + HOME_MS)
        sim_breach(s, "a drained worker does not go home");
}

static void sim_begin(sim *s)
{
    const sim_options *o = s->options;
    s->worker_count = 2 * o->workers;
    s->workers = sim_new(s->worker_count, sizeof *s->workers);
    s->runs = sim_new(o->runs, sizeof *s->runs);
    s->clients = sim_new(o->runs, sizeof *s->clients);
    if (o->per_minute)
        s->served = sim_new(o->per_minute, sizeof *s->served);
    s->disk = disk_new();
    disk_lie(s->disk, o->lies);
    memset(s->ticket_key.bytes, 0x5a, sizeof s->ticket_key.bytes);
    for (uint32_t i = 0; i < SIM_OWNERS; i++) {
        s->owners[i].place = i;
        s->owners[i].groups_tail = &s->owners[i].groups;
    }
    for (uint32_t i = 0; i < s->worker_count; i++)
        s->workers[i].sender = i % o->workers + 1;
    coordinator_start(s, 0);
    for (uint32_t i = 0; i < o->workers; i++)
        sim_at(s, sim_chance(s, 200), SIM_WORKER_START, i, 0, 0);
    mishaps_plan(s);
    for (uint32_t i = 0; o->slow_pct && i < o->workers; i++)
        s->workers[i].slow = sim_percent(s, o->slow_pct);
    for (uint32_t i = 0; o->clients && i < o->runs; i++)
        sim_at(s, i * o->queue_ms + sim_chance(s, 100), SIM_CLIENT, i, 0, 0);
    if (o->strangers)
        sim_at(s, 100, SIM_STRANGER, 0, 0, 0);
}

void sim_run_told(const sim_options *options,
                  sim_report *ret_report,
                  void (*tell)(void *context, const char *line),
                  void *context)
{
    memset(ret_report, 0, sizeof *ret_report);
    sim s = {.options = options,
             .report = ret_report,
             .tell = tell,
             .tell_context = context,
             .random = etna_random_from(options->seed),
             .now = 1000,
             .memory = ETNA_ARENA_INIT};
    sim_begin(&s);
    uint64_t most = (uint64_t)EVENTS_A_RUN * options->runs;
    while (!s.over && s.heap_count && ret_report->events < most &&
           s.now < HOURS_MAX * UINT64_C(3600000)) {
        const sim_due due = take_first(&s);
        sim_event *event = due.event;
        s.now = due.at_ms;
        ret_report->events++;
        if (options->trace) {
            printf("%9llu ms: %d %llx %llu %llu\n", (unsigned long long)s.now,
                   (int)event->kind, (unsigned long long)event->a,
                   (unsigned long long)event->b, (unsigned long long)event->c);
        }
        if (!waits_for_thaw(&s, event)) {
            on_event(&s, event);
            free(event->bytes);
            look_for_end(&s);
        }
        event_end(&s, event);
    }
    if (!s.over)
        sim_breach(&s, "the run did not end: %u events, %llu ms",
                   (unsigned)ret_report->events, (unsigned long long)s.now);
    if (!ret_report->broken)
        report_end(&s);
    end_world(&s);
}

void sim_run(const sim_options *options, sim_report *ret_report)
{
    sim_run_told(options, ret_report, NULL, NULL);
}
