/* The coordinator's shell as the simulated world has it: it unpacks, looks at
 * versions, epochs, tickets and blobs, steps the core, groups what was written,
 * and lets nothing leave before its group and every earlier one is on the disk.
 * A kill forgets whatever was not. Of the real shell are here the tickets, the
 * parts of blobs, the recovery, who may say what, and all of the store; the
 * rest of it waits for sockets and threads that this world has not.
 *
 *   coordinator.c           requests that wait, a step of the core, a life
 *   coordinator_commit.c    groups on their way to the disk, and what leaves then
 *   coordinator_request.c   messages from workers and clients */
#include "coordinator/shell/recover.h"
#include "tests/sim/coordinator_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_EVERY = 997
};

static const char our_build[] = "1.0-ours";

static uint64_t clock_of(const sim *s, const sim_owner *k)
{
    return s->now - k->clock_base;
}

sim_owner *coordinator_of(sim *s)
{
    return &s->owners[s->owner];
}

/* ---- requests that wait ---- */

sim_context *sim_context_of(sim *s, sim_owner *k, uint64_t handle)
{
    bool is_taken =
        handle && handle <= k->context_count && k->contexts[handle - 1].taken;
    if (!is_taken)
        sim_breach(s, "a request is answered twice, or was never asked");
    return is_taken ? &k->contexts[handle - 1] : NULL;
}

uint64_t sim_context_new(sim_owner *k, const sim_context *from)
{
    uint32_t index = k->context_free ? k->context_free - 1 : k->context_count;
    if (k->context_free) {
        k->context_free = k->contexts[index].next_free;
    } else {
        k->contexts = sim_room(k->contexts, &k->context_room, k->context_count,
                               sizeof *k->contexts);
        k->context_count++;
    }
    k->contexts[index] = *from;
    k->contexts[index].taken = true;
    return index + 1;
}

void sim_context_end(sim_owner *k, uint64_t handle)
{
    k->contexts[handle - 1] = (sim_context){.next_free = k->context_free};
    k->context_free = (uint32_t)handle;
}

static void drop(sim *s, sim_owner *k, uint64_t handle)
{
    if (sim_context_of(s, k, handle))
        sim_context_end(k, handle);
}
/* ---- steps ---- */

static void schedule_tick(sim *s, sim_owner *k)
{
    uint64_t next = core_next_deadline(k->c);
    if (next == CORE_NEVER || next == k->tick_at)
        return;
    k->tick_at = next;
    uint64_t in = next > clock_of(s, k) ? next - clock_of(s, k) : 0;
    sim_at(s, in, SIM_COORDINATOR_TICK, 0, k->life, next)->owner = k->place;
}

static bool is_checked(const sim *s, sim_owner *k)
{
    k->steps++;
    return s->options->workers <= SIM_CHECKED_WHOLE ||
           k->steps % (CHECK_EVERY + 7 * s->options->workers) == 0;
}

static sim_death death_of(const core_event *event)
{
    const message *m = event->message;
    if (event->kind == CORE_WORKER_EXITED)
        return (sim_death){event->worker, event->incarnation};
    if (event->kind == CORE_MESSAGE && m && m->kind == MESSAGE_DEATH)
        return (sim_death){m->body.death.worker, m->body.death.incarnation};
    return (sim_death){0, 0};
}

/* Time passes in every step: in this one its worker was given up, with all that
 * it asked for. */
static bool is_given_up(const sim *s,
                        const sim_context *asked,
                        const core_update *update)
{
    char words[48];
    if (asked->from >= s->worker_count)
        return false;
    snprintf(words, sizeof words, "worker %016llx is gone: ",
             (unsigned long long)s->workers[asked->from].sender);
    for (uint32_t i = 0; i < update->line_count; i++) {
        if (strncmp(update->lines[i].text, words, strlen(words)) == 0)
            return true;
    }
    return false;
}

static void drop_all(sim *s,
                     sim_owner *k,
                     const core_event *event,
                     const core_update *update)
{
    for (uint32_t i = 0; i < update->drop_count; i++) {
        const sim_context *dropped = sim_context_of(s, k, update->drops[i]);
        bool is_of_pipe = event->kind != CORE_PIPE_GONE || !dropped ||
                          dropped->pipe == event->pipe;
        if (!is_of_pipe && !is_given_up(s, dropped, update))
            sim_breach(s,
                       "a request over one connection is dropped with another");
        drop(s, k, update->drops[i]);
    }
}

void coordinator_step(sim *s, sim_owner *k, core_event event)
{
    if (!k->c || s->over)
        return;
    core_update update;
    etna_error err = {0};
    event.now_ms = clock_of(s, k);
    if (core_step(k->c, &event, &update, &err) != ETNA_OK) {
        sim_breach(s, "core_step: %s", err.text);
        return;
    }
    if (is_checked(s, k) && core_check(k->c, &err) != ETNA_OK) {
        sim_breach(s, "core_check: %s", err.text);
        return;
    }
    drop_all(s, k, &event, &update);
    s->told = death_of(&event);
    bool anything = update.record_count || update.send_count ||
                    update.line_count || update.row_count;
    if (anything)
        sim_group_add(s, k, &update, (sim_blob){.data = NULL}, NULL);
    k->tick_at = 0;
    schedule_tick(s, k);
    if (event.kind == CORE_SUSPEND)
        return;
    /* by itself: no model answers, or there is no room for its result */
    for (uint32_t i = 0; i < update.row_count; i++) {
        if (update.rows[i].state != RUN_SUSPENDED)
            continue;
        s->report->outages++;
        sim_at(s, s->options->resume_ms, SIM_RESUME, k->place, k->life, 0);
    }
}
/* ---- the life of one ---- */

/* What every start of a command does: a run that the journal holds goes on,
 * another is submitted; but clients submit theirs themselves. */
void coordinator_resume(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    for (uint32_t i = 0; i < s->options->runs && k->c && !s->over; i++) {
        message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RUN_SUBMIT};
        arrange_config config = sim_config_of(s, i);
        m.body.run_submit.run = sim_run_id(i);
        core_run_view view;
        if (!core_view(k->c, &m.body.run_submit.run, &arena, &view, NULL)) {
            bool resumes = view.state == RUN_SUSPENDED || !s->runs[i].ended;
            if (resumes)
                watch_resumed(s, k, i);
            if (resumes)
                coordinator_step(s, k,
                                 (core_event){.kind = CORE_RESUME,
                                              .run = m.body.run_submit.run});
        } else if (!s->options->clients) {
            coordinator_step(s, k,
                             (core_event){.kind = CORE_MESSAGE,
                                          .message = &m,
                                          .config = &config});
        }
        etna_arena_free(&arena);
    }
}

/* What every start of `etna run` says of models before it resumes. */
static void tell_models(sim *s, sim_owner *k)
{
    const sim_options *o = s->options;
    models_endpoint endpoints[2] = {{.name = "there",
                                     .wire = MODELS_CHAT,
                                     .attempts = o->tries,
                                     .budget_ms = UINT32_MAX,
                                     .breaker = 8},
                                    {.name = "elsewhere",
                                     .wire = MODELS_CHAT,
                                     .attempts = o->tries,
                                     .budget_ms = UINT32_MAX}};
    models_model known[2] = {
        {.name = "sim", .id = "sim", .fallback = o->fallback ? "spare" : NULL},
        {.name = "spare", .id = "spare", .endpoint = 1}};
    models all = {.currency = "USD",
                  .endpoint_count = 2,
                  .model_count = 2,
                  .endpoints = endpoints,
                  .models = known};
    endpoints[0].in_flight = o->in_flight;
    endpoints[0].requests_per_minute = o->per_minute;
    bool is_known = o->fail_pct || o->down_for_ms || o->in_flight ||
                    o->per_minute || o->jobs_most;
    if (is_known)
        coordinator_step(s, k,
                         (core_event){.kind = CORE_MODELS, .models = &all});
}

static void recount_ended(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    s->ended = s->live_runs = 0;
    for (uint32_t i = 0; i < s->options->runs; i++) {
        const etna_id run = sim_run_id(i);
        core_run_view view;
        bool is_there = !core_view(k->c, &run, &arena, &view, NULL);
        s->runs[i].submitted = is_there;
        s->runs[i].ended = is_there && view.state >= RUN_COMPLETE;
        s->ended += s->runs[i].ended;
        s->live_runs += is_there && !s->runs[i].ended;
        etna_arena_free(&arena);
    }
}

static void recover_all(sim *s, sim_owner *k)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    store_run *runs;
    size_t count;
    if (store_list_runs(k->kept, &arena, &runs, &count, &err))
        sim_breach(s, "the runs cannot be listed: %s", err.text);
    for (size_t i = 0; i < count && !s->over; i++) {
        if (recover_run(k->kept, k->c, &runs[i].id, &err))
            sim_breach(s, "replay: %s", err.text);
        if (sim_run_of(s, &runs[i].id) == s->options->runs)
            sim_breach(s, "a run of nobody is in the store");
    }
    etna_arena_free(&arena);
    if (s->options->lies && !s->over)
        recount_ended(s, k);
}

void coordinator_start(sim *s, uint32_t place)
{
    sim_owner *k = &s->owners[place];
    if (k->c)
        return;
    core_options options = core_options_default();
    etna_error err = {0};
    k->life = ++s->owner_lives;
    k->epoch = k->life;
    const blobs_limits limits = blobs_limits_default();
    if (!s->options->lean) {
        k->kept = s->options->open ? s->options->open(s->options->context)
                                   : disk_open(s->disk, s->now);
        k->epoch = store_epoch(k->kept);
        if (blobs_new(k->kept, &limits, &k->parts, &err))
            abort();
    }
    options.strict = true;
    options.epoch = k->epoch;
    options.build = our_build;
    options.outage_ms = (uint32_t)s->options->outage_ms;
    /* monotonic clocks start anywhere */
    k->clock_base = s->now > 7 ? s->now - sim_chance(s, s->now) : 0;
    k->tick_at = 0;
    k->frozen_until = 0;
    k->groups_tail = &k->groups;
    if (core_new(&options, &k->c, &err) != ETNA_OK)
        abort();
    if (k->kept)
        recover_all(s, k);
    tell_models(s, k);
    coordinator_resume(s, k);
}

static void forget(sim_owner *k)
{
    core_free(k->c);
    blobs_free(k->parts);
    store_close(k->kept);
    sim_groups_free(&k->writing);
    sim_groups_free(&k->groups);
    free(k->contexts);
    k->c = NULL;
    k->parts = NULL;
    k->kept = NULL;
    k->contexts = NULL;
    k->context_count = k->context_free = 0;
    k->context_room = 0;
}

void coordinator_kill(sim *s, sim_owner *k)
{
    if (!k->c)
        return;
    /* the disk had it, and nobody was told */
    if (k->writing && sim_percent(s, 50)) {
        etna_error err = {0};
        bool is_kept = !sim_groups_keep(s, k, k->writing, &err);
        for (const sim_group *g = k->writing; g && is_kept; g = g->next)
            sim_group_note_durable(s, k, g);
    }
    forget(k);
    /* ticks and commits of the dead one mean nothing */
    k->life = ++s->owner_lives;
}

void coordinator_free(sim *s)
{
    for (uint32_t i = 0; i < SIM_OWNERS; i++)
        forget(&s->owners[i]);
}
