/* The virtual clock, the network and the mishaps of sim.h, and what is checked when a world ends. */
#include "tests/sim/sim.h"
#include "proto/usage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 2000000, HOURS_MAX = 6 };

sim_options sim_options_default(void)
{
    sim_options options = {
        .seed = 1, .workers = 1, .slots = 4, .runs = 1, .delay_ms = 5, .tries = 1000, .resume_ms = 60000};
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

etna_id sim_run_id(uint32_t index) { return (etna_id){{0xe7, (uint8_t)index}}; }

arrange_config sim_config_of(const sim *s, uint32_t index)
{
    arrange_config config = s->options->config;
    config.seed += index;
    return config;
}

void *sim_room(void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room) return items;
    *room = *room ? *room * 2 : 64;
    items = realloc(items, *room * size);
    if (!items) abort();
    return items;
}

void sim_breach(sim *s, const char *format, ...)
{
    if (s->report->broken) return;
    va_list args;
    va_start(args, format);
    vsnprintf(s->report->text, sizeof s->report->text, format, args);
    va_end(args);
    s->report->broken = true;
    s->over = true;
}

void sim_say(sim *s, const char *line)
{
    size_t at = strlen(s->report->lines);
    snprintf(s->report->lines + at, sizeof s->report->lines - at, "%s\n", line);
}

bool sim_model_is_down(const sim *s, const char *model)
{
    const sim_options *o = s->options;
    return strcmp(model, "sim") == 0 && s->now >= o->down_ms && s->now - o->down_ms < o->down_for_ms;
}

uint64_t sim_chance(sim *s, uint64_t below) { return below ? etna_random_below(&s->random, below) : 0; }

bool sim_percent(sim *s, uint32_t percent) { return percent && etna_random_below(&s->random, 100) < percent; }

/* ---- the clock: a heap of what is to come, ties in the order they were said ---- */

static bool sooner(const sim_event *a, const sim_event *b)
{
    return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

sim_event *sim_at(sim *s, uint64_t in_ms, sim_event_kind kind, uint64_t a, uint64_t b, uint64_t c)
{
    s->heap = sim_room(s->heap, &s->heap_room, s->heap_count, sizeof *s->heap);
    sim_event event = {.at_ms = s->now + in_ms, .order = s->order++, .kind = kind, .a = a, .b = b, .c = c};
    size_t at = s->heap_count++;
    while (at && sooner(&event, &s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = event;
    return &s->heap[at];
}

static sim_event take_first(sim *s)
{
    sim_event first = s->heap[0], last = s->heap[--s->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->heap_count) break;
        if (child + 1 < s->heap_count && sooner(&s->heap[child + 1], &s->heap[child])) child++;
        if (!sooner(&s->heap[child], &last)) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return first;
}

/* ---- the network ---- */

static void deliver(sim *s, const sim_event *letter)
{
    uint64_t delay = 1 + sim_chance(s, s->options->delay_ms);
    if (sim_percent(s, s->options->late_pct)) delay += sim_chance(s, 30000);
    sim_event *copy = sim_at(s, delay, letter->kind, letter->a, letter->b, letter->c);
    copy->size = letter->size;
    copy->bytes = malloc(letter->size ? letter->size : 1);
    if (!copy->bytes) abort();
    memcpy(copy->bytes, letter->bytes, letter->size);
}

void sim_network(sim *s, const sim_event *letter)
{
    s->report->messages++;
    if (letter->a >= s->options->workers) return; /* the submitter's: it asks again if it must */
    if (sim_percent(s, s->options->loss_pct) || s->now < s->workers[letter->a].cut_until) {
        s->report->lost_messages++;
        return;
    }
    deliver(s, letter);
    if (sim_percent(s, s->options->repeat_pct)) deliver(s, letter);
}

/* ---- mishaps ---- */

void sim_end_worker(sim *s, uint32_t index, uint64_t for_ms, etna_code fault, const char *how)
{
    sim_worker *w = &s->workers[index];
    if (!w->alive) return;
    char line[64];
    snprintf(line, sizeof line, "-- worker %u %s", (unsigned)index + 1, how);
    sim_say(s, line);
    uint64_t life = w->life;
    s->report->calls_killed += worker_calls(w);
    worker_kill(s, index);
    if (s->options->supervised) sim_at(s, 1 + sim_chance(s, 20), SIM_EXIT_SEEN, w->sender, w->incarnation, fault);
    if (sim_percent(s, 80)) sim_at(s, 1 + sim_chance(s, 50), SIM_PIPE_GONE, (uint64_t)(index + 1) << 32 | life, 0, 0);
    sim_at(s, for_ms, SIM_WORKER_START, index, 0, 0);
}

static void kill_worker(sim *s, uint32_t index, uint64_t for_ms)
{
    s->report->kills += s->workers[index].alive;
    sim_end_worker(s, index, for_ms, ETNA_OK, "is killed");
}

static void drain_worker(sim *s, uint32_t index, uint64_t for_ms)
{
    sim_worker *w = &s->workers[index];
    if (!w->alive || w->drained_for_ms) return;
    w->drained_for_ms = for_ms;
    s->report->drains++;
    worker_step(s, index, (link_event){.kind = LINK_STOP});
}

static void cancel(sim *s, uint32_t index)
{
    message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = sim_run_id(index);
    coordinator_step(s, (core_event){.kind = CORE_MESSAGE, .message = &m});
}

static void kill_coordinator(sim *s, uint64_t for_ms)
{
    if (!s->c) return;
    sim_say(s, "-- the coordinator is killed");
    coordinator_kill(s);
    s->report->kills++;
    for (uint32_t i = 0; i < s->options->workers; i++) {
        if (sim_percent(s, 80)) sim_at(s, 1 + sim_chance(s, 50), SIM_LINK_LOST, i, s->workers[i].life, 0);
    }
    sim_at(s, for_ms, SIM_COORDINATOR_START, 0, 0, 0);
}

static void befall(sim *s, const sim_mishap *mishap)
{
    switch (mishap->kind) {
    case MISHAP_KILL_WORKER: kill_worker(s, mishap->worker, mishap->for_ms); break;
    case MISHAP_KILL_COORDINATOR: kill_coordinator(s, mishap->for_ms); break;
    case MISHAP_CUT_WORKER: s->workers[mishap->worker].cut_until = s->now + mishap->for_ms; break;
    case MISHAP_STALL: s->frozen_until = s->now + mishap->for_ms; break;
    case MISHAP_SUSPEND:
        coordinator_step(s, (core_event){.kind = CORE_SUSPEND});
        sim_at(s, mishap->for_ms, SIM_RESUME, 0, s->coordinator_life, 0);
        break;
    case MISHAP_DRAIN_WORKER: drain_worker(s, mishap->worker, mishap->for_ms); break;
    case MISHAP_CANCEL: cancel(s, mishap->worker); break;
    }
}

static sim_mishap draw_mishap(sim *s)
{
    sim_mishap mishap = {.at_ms = sim_chance(s, 90000), .worker = (uint32_t)sim_chance(s, s->options->workers)};
    uint64_t luck = sim_chance(s, 100);
    mishap.kind = luck < 45   ? MISHAP_KILL_WORKER
                  : luck < 72 ? MISHAP_KILL_COORDINATOR
                  : luck < 86 ? MISHAP_CUT_WORKER
                  : luck < 94 ? MISHAP_STALL
                              : MISHAP_SUSPEND;
    mishap.for_ms = mishap.kind == MISHAP_STALL        ? 500 + sim_chance(s, 30000)
                    : mishap.kind == MISHAP_CUT_WORKER ? 1000 + sim_chance(s, 60000)
                                                       : 20 + sim_chance(s, 8000);
    return mishap;
}

static void plan_mishaps(sim *s)
{
    for (uint32_t i = 0; i < s->options->mishaps + s->options->planned_count; i++) {
        bool planned = i < s->options->planned_count;
        sim_mishap mishap = planned ? s->options->planned[i] : draw_mishap(s);
        sim_at(s, mishap.at_ms, SIM_MISHAP, 0, 0, 0)->mishap = mishap;
    }
}

/* ---- events ---- */

/* A coordinator whose loop stands still hears nothing; what comes waits in its sockets and timers. */
static bool waits_for_thaw(sim *s, const sim_event *event)
{
    bool for_loop = event->kind == SIM_TO_COORDINATOR || event->kind == SIM_COORDINATOR_TICK ||
                    event->kind == SIM_COMMIT || event->kind == SIM_PIPE_GONE || event->kind == SIM_EXIT_SEEN;
    if (!for_loop || s->now >= s->frozen_until) return false;
    sim_event *again = sim_at(s, s->frozen_until - s->now, event->kind, event->a, event->b, event->c);
    again->bytes = event->bytes;
    again->size = event->size;
    return true;
}

static void on_event(sim *s, const sim_event *event)
{
    bool of_life = event->b == s->coordinator_life;
    sim_worker *w = &s->workers[event->a < SIM_WORKERS_MAX ? event->a : 0];
    switch (event->kind) {
    case SIM_TO_COORDINATOR:
        if (event->a < s->options->workers && event->b < w->closed) break;
        coordinator_received(s, event);
        break;
    case SIM_TO_WORKER: worker_received(s, event); break;
    case SIM_COMMIT:
        if (of_life) coordinator_committed(s);
        break;
    case SIM_COORDINATOR_TICK:
        if (of_life && event->c == s->tick_at) coordinator_step(s, (core_event){.kind = CORE_TICK});
        break;
    case SIM_WORKER_TICK:
        if (w->life == event->b && w->tick_at == event->c) {
            w->tick_at = 0;
            worker_step(s, (uint32_t)event->a, (link_event){.kind = LINK_TICK});
        }
        break;
    case SIM_JOB:
        if (w->alive && w->life == event->b) worker_job_due(s, (uint32_t)event->a, event->c);
        break;
    case SIM_PIPE_GONE:
        s->workers[(event->a >> 32) - 1].closed = (uint32_t)event->a + 1;
        coordinator_step(s, (core_event){.kind = CORE_PIPE_GONE, .pipe = event->a});
        break;
    case SIM_EXIT_SEEN:
        coordinator_step(s, (core_event){.kind = CORE_WORKER_EXITED,
                                         .worker = event->a,
                                         .incarnation = event->b,
                                         .fault = (etna_code)event->c,
                                         .why = "hit a wall"});
        break;
    case SIM_WORKER_START: worker_start(s, (uint32_t)event->a); break;
    case SIM_COORDINATOR_START:
        if (!s->c) {
            s->report->restarts++;
            sim_say(s, "-- the coordinator is started again");
        }
        coordinator_start(s);
        break;
    case SIM_LINK_LOST:
        if (w->life == event->b) worker_step(s, (uint32_t)event->a, (link_event){.kind = LINK_LOST});
        break;
    case SIM_MISHAP: befall(s, &event->mishap); break;
    case SIM_RESUME:
        if (of_life) coordinator_resume(s);
        break;
    }
}

/* ---- the end ---- */

static void report_tree(sim_report *report, const core_run_view *view)
{
    for (uint32_t i = 0; i < view->node_count; i++) {
        const core_node_view *n = &view->nodes[i];
        size_t at = strlen(report->tree);
        snprintf(report->tree + at, sizeof report->tree - at, "%u: step %u after %u %s", (unsigned)n->number,
                 (unsigned)n->step, (unsigned)n->parent, core_node_state_name(n->state));
        for (uint32_t j = 0; j < n->branch_count; j++) {
            at = strlen(report->tree);
            snprintf(report->tree + at, sizeof report->tree - at, " %s", core_branch_state_name(n->branches[j].state));
        }
        at = strlen(report->tree);
        snprintf(report->tree + at, sizeof report->tree - at, "\n");
    }
}

static bool is_sum(const message_usage *a, const message_usage *b)
{
    return a->tokens_in == b->tokens_in && a->tokens_out == b->tokens_out && a->tokens_cached == b->tokens_cached &&
           a->tokens_reasoning == b->tokens_reasoning && a->cost_micros == b->cost_micros && a->calls == b->calls;
}

/* What is told by step, role and model is the whole, and nothing is told twice. */
static void check_accounts(sim *s, const core_run_view *view)
{
    message_usage used = {0}, spent = {0}, lost = {0};
    for (uint32_t i = 0; i < view->account_count; i++) {
        const core_account *a = &view->accounts[i], *b = i ? a - 1 : NULL;
        message_usage_add(&used, &a->used);
        message_usage_add(&spent, &a->spent);
        message_usage_add(&lost, &a->lost);
        bool follows = !b || b->node < a->node || (b->node == a->node && b->role < a->role) ||
                       (b->node == a->node && b->role == a->role && strcmp(b->model, a->model) < 0);
        if (!follows) sim_breach(s, "two accounts of node %u, role %u", (unsigned)a->node, (unsigned)a->role);
        if (a->spent.tokens_in < a->used.tokens_in) sim_breach(s, "node %u: more used than spent", (unsigned)a->node);
    }
    if (!is_sum(&used, &view->used)) sim_breach(s, "the accounts do not sum to what was used");
    if (!is_sum(&spent, &view->spent)) sim_breach(s, "the accounts do not sum to what was spent");
    if (!is_sum(&lost, &view->lost)) sim_breach(s, "the accounts do not sum to what was lost");
}

static void report_run(sim *s, const core_run_view *view, uint32_t index)
{
    sim_report *report = s->report;
    etna_hash both[2] = {report->final, view->final_snapshot};
    report->final = etna_hash_bytes(both, sizeof both);
    message_usage_add(&report->used, &view->used);
    message_usage_add(&report->spent, &view->spent);
    message_usage_add(&report->lost, &view->lost);
    report->mismatches += view->mismatches;
    report->backtracks += view->backtracks;
    report_tree(report, view);
    if (view->spent.tokens_in < view->used.tokens_in) sim_breach(s, "more used than spent");
    check_accounts(s, view);
    if (index) return;
    report->state = view->state;
    report->edits = view->edit_count;
    report->nodes = view->node_count;
}

/* The report is read from a core that knows nothing but the durable journal. */
static void report_end(sim *s)
{
    core_options options = core_options_default();
    core *c = NULL;
    etna_error err = {0};
    if (core_new(&options, &c, &err) != ETNA_OK) abort();
    for (uint32_t i = 0; i < s->journal_count; i++) {
        const core_record *r = &s->journal[i];
        if (core_replay(c, &r->run, r->sequence, r->data, r->size, &err) != ETNA_OK)
            sim_breach(s, "the whole journal: %s", err.text);
    }
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t i = 0; i < s->options->runs && !s->report->broken; i++) {
        etna_id run = sim_run_id(i);
        core_run_view view;
        if (core_view(c, &run, &arena, &view, &err) == ETNA_OK) {
            report_run(s, &view, i);
        } else {
            sim_breach(s, "a run is not there at the end: %s", err.text);
        }
    }
    if (s->report->spent.calls < s->report->calls - s->report->calls_free) {
        sim_breach(s, "%u calls were made, %u of them free, and %u booked", (unsigned)s->report->calls,
                   (unsigned)s->report->calls_free, (unsigned)s->report->spent.calls);
    }
    s->report->ended_ms = s->now;
    s->report->records = s->journal_count;
    etna_arena_free(&arena);
    core_free(c);
}

static void end_world(sim *s)
{
    for (uint32_t i = 0; i < SIM_WORKERS_MAX; i++) worker_kill(s, i);
    for (size_t i = 0; i < s->heap_count; i++) free(s->heap[i].bytes);
    coordinator_free(s);
    free(s->heap);
    free(s->slots);
    free(s->done);
}

void sim_run(const sim_options *options, sim_report *ret_report)
{
    memset(ret_report, 0, sizeof *ret_report);
    sim s = {.options = options, .report = ret_report, .random = etna_random_from(options->seed), .now = 1000};
    s.groups_tail = &s.groups;
    coordinator_start(&s);
    for (uint32_t i = 0; i < options->workers; i++) sim_at(&s, sim_chance(&s, 200), SIM_WORKER_START, i, 0, 0);
    plan_mishaps(&s);
    while (!s.over && s.heap_count && ret_report->events < EVENTS_MAX && s.now < HOURS_MAX * UINT64_C(3600000)) {
        sim_event event = take_first(&s);
        s.now = event.at_ms;
        ret_report->events++;
        if (options->trace) {
            printf("%9llu ms: %d %llx %llu %llu\n", (unsigned long long)s.now, (int)event.kind,
                   (unsigned long long)event.a, (unsigned long long)event.b, (unsigned long long)event.c);
        }
        if (waits_for_thaw(&s, &event)) continue;
        on_event(&s, &event);
        free(event.bytes);
    }
    if (!s.over)
        sim_breach(&s, "the run did not end: %u events, %llu ms", (unsigned)ret_report->events,
                   (unsigned long long)s.now);
    if (!ret_report->broken) report_end(&s);
    end_world(&s);
}
