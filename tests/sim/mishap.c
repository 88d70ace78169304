/* What befalls a world, by plan or by chance: processes that end, networks that
 * are cut, disks that forget. */
#include "tests/sim/sim_internal.h"

#include <stdio.h>

/* after which those that a wave told to end are killed */
enum {
    WAVE_GRACE_MS = 2000
};

const char *sim_mishap_name(sim_mishap_kind kind)
{
    static const char *const names[MISHAP_KINDS] = {
        [MISHAP_KILL_WORKER] = "kill-worker",
        [MISHAP_KILL_COORDINATOR] = "kill-coordinator",
        [MISHAP_CUT_WORKER] = "cut",
        [MISHAP_STALL] = "stall",
        [MISHAP_SUSPEND] = "suspend",
        [MISHAP_DRAIN_WORKER] = "drain-worker",
        [MISHAP_CANCEL] = "cancel",
        [MISHAP_CUT_UP] = "cut-up",
        [MISHAP_CUT_DOWN] = "cut-down",
        [MISHAP_STOP_WORKER] = "stop-worker",
        [MISHAP_LEAVE_WORKER] = "leave",
        [MISHAP_WAVE] = "wave",
        [MISHAP_TWIN] = "twin",
        [MISHAP_USURP] = "usurp",
        [MISHAP_SLIP] = "slip",
        [MISHAP_DISK_FULL] = "disk-full",
        [MISHAP_DISK_DEAD] = "disk-dead",
        [MISHAP_MACHINE] = "machine",
        [MISHAP_ROT] = "rot",
        [MISHAP_CLIENT] = "client",
        [MISHAP_FALL] = "fall",
        [MISHAP_HALF_OPEN] = "half-open",
    };
    return (unsigned)kind < MISHAP_KINDS && names[kind] ? names[kind] : "";
}

void sim_end_worker(
    sim *s, uint32_t index, uint64_t for_ms, etna_code fault, const char *how)
{
    sim_worker *w = &s->workers[index];
    if (!w->alive)
        return;
    char line[64];
    uint32_t number = index % s->options->workers;
    snprintf(line, sizeof line, "-- worker %u %s", (unsigned)number + 1, how);
    sim_say(s, line);
    s->report->calls_killed += worker_calls(w);
    uint64_t pipe = w->pipe;
    bool is_felled = fault && fault != ETNA_E_NOMEM;
    if (s->options->told)
        w->died = (message_death){
            .worker = w->sender,
            .incarnation = w->incarnation,
            .signal = is_felled ? 6 + (uint32_t)(s->now % 3) : 9,
            .out_of_memory = fault == ETNA_E_NOMEM};
    worker_kill(s, index);
    if (s->options->supervised)
        sim_at(s, 1 + sim_chance(s, 20), SIM_EXIT_SEEN, w->sender,
               w->incarnation, fault);
    if (pipe != w->dead_pipe)
        sim_close(s, pipe);
    if (!s->draining && index < s->options->workers)
        sim_at(s, for_ms, SIM_WORKER_START, index, 0, 0);
}

static void kill_worker(sim *s, uint32_t index, uint64_t for_ms)
{
    s->report->kills += s->workers[index].alive;
    sim_end_worker(s, index, for_ms, ETNA_OK, "is killed");
}

static void drain_worker(sim *s,
                         uint32_t index,
                         uint64_t for_ms,
                         link_event_kind how)
{
    sim_worker *w = &s->workers[index];
    if (!w->alive || w->drained_for_ms)
        return;
    w->drained_for_ms = for_ms;
    w->drained_ms = s->now;
    s->report->drains++;
    worker_step(s, index, (link_event){.kind = how});
}

static void wave(sim *s, uint64_t for_ms)
{
    for (uint32_t i = 0; i < s->options->workers; i++) {
        if (sim_percent(s, 50))
            continue;
        drain_worker(s, i, for_ms, sim_percent(s, 50) ? LINK_STOP : LINK_LEAVE);
        if (s->workers[i].alive)
            sim_at(s, WAVE_GRACE_MS, SIM_WORKER_END, i, s->workers[i].life,
                   for_ms);
    }
}

/* A supervisor that thinks its worker dead starts another: the old one is only
 * cut off from it, and goes on. */
static void twin(sim *s, uint32_t index, uint64_t for_ms)
{
    sim_worker *old = &s->workers[index],
               *twin = &s->workers[s->options->workers + index];
    if (!old->alive || twin->alive)
        return;
    worker_start(s, s->options->workers + index);
    sim_at(s, for_ms, SIM_WORKER_END, index, old->life, 1000);
}

static void cancel(sim *s, uint32_t index)
{
    message m = {.version = MESSAGE_VERSION, .kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run = sim_run_id(index);
    coordinator_step(s, coordinator_of(s),
                     (core_event){.kind = CORE_MESSAGE, .message = &m});
}

static void owner_falls(sim *s, sim_owner *k, uint64_t for_ms)
{
    uint32_t place = k->place;
    coordinator_kill(s, k);
    s->report->kills++;
    for (uint32_t i = 0; i < s->worker_count; i++) {
        if (i >= s->options->workers && !s->workers[i].alive)
            continue;
        if (s->workers[i].owner == place && sim_percent(s, 80))
            sim_at(s, 1 + sim_chance(s, 50), SIM_LINK_LOST, i,
                   s->workers[i].life, 0);
    }
    if (place == s->owner)
        sim_at(s, for_ms, SIM_COORDINATOR_START, 0, 0, 0);
}

static void kill_coordinator(sim *s, uint64_t for_ms)
{
    sim_owner *k = coordinator_of(s);
    if (!k->c)
        return;
    sim_say(s, "-- the coordinator is killed");
    owner_falls(s, k, for_ms);
}

/* Its own doing: a commit that failed, or a store that another one took. */
void sim_owner_ends(sim *s, sim_owner *k, const char *why)
{
    if (!k->c)
        return;
    sim_say(s, why);
    owner_falls(s, k, 1000 + sim_chance(s, 3000));
}

static void usurp(sim *s, uint64_t for_ms)
{
    sim_owner *old = coordinator_of(s);
    uint32_t place = (s->owner + 1) % SIM_OWNERS;
    if (!old->c || s->owners[place].c)
        return;
    sim_say(s, "-- a second coordinator takes the store");
    s->owner = place;
    coordinator_start(s, place);
    if (s->draining)
        coordinator_step(s, coordinator_of(s),
                         (core_event){.kind = CORE_DRAIN});
    for (uint32_t i = 0; i < s->worker_count; i++) {
        sim_worker *w = &s->workers[i];
        if (i && sim_percent(s, 50))
            continue;
        w->owner = place;
        sim_at(s, 1 + sim_chance(s, 50), SIM_LINK_LOST, i, w->life, 0);
    }
    sim_mishap end = {.kind = MISHAP_USURP, .for_ms = 0, .worker = old->place};
    sim_at(s, for_ms, SIM_MISHAP, old->life, 0, 0)->mishap = end;
}

/* The stale one is seen and stopped by hand, where nothing made it notice. */
static void stale_ends(sim *s, const sim_mishap *mishap, uint64_t life)
{
    sim_owner *k = &s->owners[mishap->worker];
    if (k->c && k->life == life && k->place != s->owner)
        sim_owner_ends(s, k, "-- the stale coordinator is stopped");
}

/* The disk may have forgotten that a run has ended; the next coordinator counts
 * anew. */
static void forget_ends(sim *s)
{
    for (uint32_t i = 0; i < s->options->runs; i++) {
        if (!s->runs[i].ended)
            continue;
        s->runs[i].ended = false;
        s->ended--;
        s->live_runs++;
    }
}

static void machine_falls(sim *s, uint64_t for_ms)
{
    sim_owner *k = coordinator_of(s);
    if (!k->c)
        return;
    sim_say(s, "-- the coordinator's machine falls");
    owner_falls(s, k, for_ms);
    if (!s->options->lies)
        return;
    disk_forget(s->disk, 1 + (uint32_t)sim_chance(s, 4));
    forget_ends(s);
}

static void suspend(sim *s, uint64_t for_ms)
{
    sim_owner *k = coordinator_of(s);
    coordinator_step(s, k, (core_event){.kind = CORE_SUSPEND});
    sim_at(s, for_ms, SIM_RESUME, k->place, k->life, 0);
}

static void cut(sim *s, const sim_mishap *mishap)
{
    sim_worker *w = &s->workers[mishap->worker];
    if (mishap->kind != MISHAP_CUT_DOWN)
        w->up_cut_until = s->now + mishap->for_ms;
    if (mishap->kind != MISHAP_CUT_UP)
        w->down_cut_until = s->now + mishap->for_ms;
}

static void stop_worker(sim *s, uint32_t index, uint64_t until)
{
    sim_worker *w = &s->workers[index];
    if (w->stopped_until < until)
        w->stopped_until = until;
}

/* All connections end at once, as when a switch falls: both sides see it, and
 * dial for so long in vain. */
static void fall(sim *s, uint64_t for_ms)
{
    for (uint32_t i = 0; i < s->options->workers; i++) {
        sim_worker *w = &s->workers[i];
        if (!w->alive)
            continue;
        sim_close_seen(s, 1 + sim_chance(s, 50), w->pipe);
        w->up_cut_until = w->down_cut_until = s->now + for_ms;
        sim_at(s, 1, SIM_LINK_LOST, i, w->life, 0);
    }
}

void mishap_befall(sim *s, const sim_mishap *mishap, uint64_t life)
{
    s->report->mishaps[mishap->kind]++;
    switch (mishap->kind) {
    case MISHAP_KILL_WORKER:
        kill_worker(s, mishap->worker, mishap->for_ms);
        break;
    case MISHAP_KILL_COORDINATOR: kill_coordinator(s, mishap->for_ms); break;
    case MISHAP_CUT_WORKER:
    case MISHAP_CUT_UP:
    case MISHAP_CUT_DOWN: cut(s, mishap); break;
    case MISHAP_STALL:
        coordinator_of(s)->frozen_until = s->now + mishap->for_ms;
        break;
    case MISHAP_SUSPEND: suspend(s, mishap->for_ms); break;
    case MISHAP_DRAIN_WORKER:
        drain_worker(s, mishap->worker, mishap->for_ms, LINK_STOP);
        break;
    case MISHAP_LEAVE_WORKER:
        drain_worker(s, mishap->worker, mishap->for_ms, LINK_LEAVE);
        break;
    case MISHAP_CANCEL: cancel(s, mishap->worker); break;
    case MISHAP_STOP_WORKER:
        stop_worker(s, mishap->worker, s->now + mishap->for_ms);
        break;
    case MISHAP_FALL: fall(s, mishap->for_ms); break;
    case MISHAP_HALF_OPEN:
        s->workers[mishap->worker].dead_pipe = s->workers[mishap->worker].pipe;
        break;
    case MISHAP_WAVE: wave(s, mishap->for_ms); break;
    case MISHAP_TWIN: twin(s, mishap->worker, mishap->for_ms); break;
    case MISHAP_USURP:
        if (life) {
            stale_ends(s, mishap, life);
        } else {
            usurp(s, mishap->for_ms);
        }
        break;
    case MISHAP_SLIP: s->slips = true; break;
    case MISHAP_DISK_FULL: s->full_until = s->now + mishap->for_ms; break;
    case MISHAP_DISK_DEAD: s->dies_at_commit = true; break;
    case MISHAP_MACHINE: machine_falls(s, mishap->for_ms); break;
    case MISHAP_ROT: disk_rot(s->disk, etna_random_next(&s->random)); break;
    case MISHAP_CLIENT:
        if (s->options->clients)
            client_start(s, mishap->worker % s->options->runs);
        break;
    default: break;
    }
}

static sim_mishap_kind mishap_kind(sim *s)
{
    uint64_t kinds = s->options->kinds;
    if (!kinds) {
        uint64_t luck = sim_chance(s, 100);
        return luck < 45   ? MISHAP_KILL_WORKER
               : luck < 72 ? MISHAP_KILL_COORDINATOR
               : luck < 86 ? MISHAP_CUT_WORKER
               : luck < 94 ? MISHAP_STALL
                           : MISHAP_SUSPEND;
    }
    uint32_t count = 0;
    for (uint32_t i = 1; i < MISHAP_KINDS; i++)
        count += kinds >> i & 1;
    uint64_t luck = sim_chance(s, count);
    for (uint32_t i = 1; i < MISHAP_KINDS; i++) {
        if ((kinds >> i & 1) && luck-- == 0)
            return (sim_mishap_kind)i;
    }
    return MISHAP_KILL_WORKER;
}

static uint64_t mishap_length(sim *s, sim_mishap_kind kind)
{
    switch (kind) {
    case MISHAP_STALL: return 500 + sim_chance(s, 30000);
    case MISHAP_CUT_WORKER:
    case MISHAP_CUT_UP:
    case MISHAP_CUT_DOWN:
    case MISHAP_STOP_WORKER:
    case MISHAP_TWIN:
    case MISHAP_USURP:
    case MISHAP_DISK_FULL: return 1000 + sim_chance(s, 60000);
    default: return 20 + sim_chance(s, 8000);
    }
}

static sim_mishap mishap_draw(sim *s)
{
    sim_mishap mishap = {.at_ms = sim_chance(s, 90000),
                         .worker =
                             (uint32_t)sim_chance(s, s->options->workers)};
    mishap.kind = mishap_kind(s);
    mishap.for_ms = mishap_length(s, mishap.kind);
    return mishap;
}

void mishaps_plan(sim *s)
{
    s->settled_ms = s->now;
    for (uint32_t i = 0; i < s->options->mishaps + s->options->planned_count;
         i++) {
        bool planned = i < s->options->planned_count;
        sim_mishap mishap = planned ? s->options->planned[i] : mishap_draw(s);
        sim_at(s, mishap.at_ms, SIM_MISHAP, 0, 0, 0)->mishap = mishap;
        uint64_t ends = s->now + mishap.at_ms + mishap.for_ms;
        if (ends > s->settled_ms)
            s->settled_ms = ends;
    }
}
