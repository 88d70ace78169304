/* See worlds.h. */
#include "tests/sim/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[FAULT_COUNT] = {
    [FAULT_NETWORK] = "network", [FAULT_CUT] = "cut",
    [FAULT_SLOW] = "slow",       [FAULT_KILL] = "kill",
    [FAULT_SLIP] = "slip",       [FAULT_STOP] = "stop",
    [FAULT_CLOCK] = "clock",     [FAULT_DISK] = "disk",
    [FAULT_LIE] = "lie",         [FAULT_ROT] = "rot",
    [FAULT_TWIN] = "twin",       [FAULT_OWNER] = "owner",
    [FAULT_BUILD] = "build",     [FAULT_HOSTILE] = "hostile",
    [FAULT_CLIENT] = "client",   [FAULT_MODEL] = "model",
    [FAULT_DEADLY] = "deadly",   [FAULT_WAVE] = "wave",
    [FAULT_PAUSE] = "pause",
};

const char *world_fault_name(world_fault fault)
{
    return (unsigned)fault < FAULT_COUNT ? names[fault] : "";
}

static bool fault_of(const char *name, size_t size, uint64_t *ret)
{
    for (uint32_t i = 0; i < FAULT_COUNT; i++) {
        if (strlen(names[i]) != size || memcmp(names[i], name, size) != 0)
            continue;
        *ret |= UINT64_C(1) << i;
        return true;
    }
    return false;
}

bool world_faults_parse(const char *text, uint64_t *ret_faults)
{
    uint64_t faults = 0;
    bool is_all = strcmp(text, "all") == 0, is_none = strcmp(text, "none") == 0;
    while (!is_all && !is_none) {
        size_t size = strcspn(text, ",");
        if (!fault_of(text, size, &faults))
            return false;
        if (!text[size])
            break;
        text += size + 1;
    }
    *ret_faults = is_all ? FAULTS_ALL : faults;
    return true;
}

/* It reads lots of models, two of which are one blob, and arranges nothing. */
static void world_reads_models(arrange_config *config, uint64_t number)
{
    static const etna_hash lots[9] = {{{1}}, {{1}}, {{2}}, {{3}}, {{4}},
                                      {{5}}, {{6}}, {{7}}, {{8}}};
    config->steps = NULL;
    config->step_count = 0;
    config->open_list = false;
    config->goal = "read models";
    config->foreign = 0;
    config->lots = lots;
    config->lot_count = 1 + (uint32_t)(number / 19 % 9);
    if (number / 19 % 2 == 0)
        return;
    /* by every other one rooms are furnished */
    config->furnishes = true;
    config->stock = lots + 2;
    config->stock_count = (uint32_t)(number / 38 % 3);
}

arrange_config world_config(uint64_t number)
{
    etna_random random = etna_random_from(number ^ UINT64_C(0x51f15eed));
    arrange_config config = sim_options_default().config;
    static const char *const steps[] = {
        "put the bottle down", "put the lamp on the table", "turn the chair"};
    config.seed = number;
    config.images = etna_random_below(&random, 2);
    config.plan_per_branch = etna_random_below(&random, 4) == 0;
    config.anchor = etna_random_below(&random, 3) == 0 ? ANCHOR_HALF_DEPTH
                                                       : ANCHOR_HALF_ANCHOR;
    config.max_steps = 3 + (uint32_t)etna_random_below(&random, 4);
    if (etna_random_below(&random, 3) == 0) {
        config.goal = NULL;
        config.steps = steps;
        config.step_count = 3;
    }
    if (etna_random_below(&random, 6) == 0)
        config.max_tokens = 2000 + etna_random_below(&random, 8000);
    if (config.step_count)
        config.open_list = etna_random_below(&random, 2);
    if (number % 3 == 1)
        /* whose branches are judged one at first */
        config.foreign = 1 << ROLE_EVALUATOR;
    /* of its runs each other world has one list made */
    config.batch.bytes[0] = number % 2;
    config.priority = (uint32_t)(number / 2 % 4) * 3;
    if (etna_random_below(&random, 5) == 0)
        config.branches_at_once = 1 + (uint32_t)etna_random_below(&random, 3);
    config.step_scenes = etna_random_below(&random, 5) == 0;
    if (number % 19 == 11)
        world_reads_models(&config, number);
    return config;
}

/* Half of those that are doubted say much that nobody can read. */
static uint32_t world_unread(uint64_t number, const arrange_config *config)
{
    etna_random random = etna_random_from(number ^ UINT64_C(0x0dd5eed));
    bool is_usual = !config->foreign || etna_random_below(&random, 2);
    return is_usual ? sim_options_default().unread_pct
                    : 20 + (uint32_t)etna_random_below(&random, 60);
}

static sim_options world_plain(uint64_t number, uint64_t faults)
{
    sim_options options = sim_options_default();
    options.seed = number;
    options.config = world_config(number);
    options.runs = number % 5 == 0 ? 1 + (uint32_t)(number / 5 % 3) : 1;
    options.large = number % 29 == 0;
    options.scenes = (uint32_t)number % 3;
    options.unreadable = options.config.lot_count > 0;
    options.unread_pct = world_unread(number, &options.config);
    bool is_usual = options.unread_pct == sim_options_default().unread_pct;
    if (!is_usual && number % 2) /* whose plans come in any order */
        options.config.plan_per_branch = true;
    if ((faults >> FAULT_DEADLY & 1) && number % 17 == 0) {
        options.deadly_pct = 1 + (uint32_t)number % 8;
        options.supervised = true;
    }
    return options;
}

static uint32_t draw(etna_random *random, uint32_t below)
{
    return (uint32_t)etna_random_below(random, below);
}

/* A crew as it should be: what is limited is kept within its limits, and
 * nothing is done twice. */
static sim_options world_calm(uint64_t number, uint64_t faults)
{
    sim_options options = world_plain(number, faults);
    etna_random random = etna_random_from(number * 8 + 7);
    options.seed = etna_random_next(&random);
    options.workers = 1 + draw(&random, 8);
    options.slots = 1 + draw(&random, 6);
    options.delay_ms = 1 + draw(&random, 100);
    options.clients = draw(&random, 4) > 0;
    options.drain = draw(&random, 2);
    options.queue_ms = draw(&random, 2) ? draw(&random, 5000) : 0;
    options.slow_disk_ms = draw(&random, 4) ? 0 : 40;
    options.told = draw(&random, 2);
    if (draw(&random, 3) == 0)
        options.jobs_most = options.slots + draw(&random, 3 * options.slots);
    if (draw(&random, 4) == 0)
        options.in_flight = 1 + draw(&random, 4);
    if (draw(&random, 6) == 0)
        options.per_minute = 20 + draw(&random, 100);
    options.other_build = (faults >> FAULT_BUILD & 1) && options.workers > 1 &&
                          draw(&random, 3) == 0;
    return options;
}

static bool has(uint64_t faults, world_fault fault)
{
    return faults >> fault & 1;
}

/* Each kind of fault that may be is there in some worlds. */
static bool comes(etna_random *random,
                  uint64_t faults,
                  world_fault fault,
                  uint32_t percent)
{
    bool drawn = draw(random, 100) < percent;
    return drawn && has(faults, fault);
}

static uint64_t world_kinds(etna_random *random, uint64_t faults)
{
    const struct {
        world_fault fault;
        uint32_t percent;
        uint64_t kinds;
    } rows[] = {
        {FAULT_KILL, 70,
         1u << MISHAP_KILL_WORKER | 1u << MISHAP_KILL_COORDINATOR},
        {FAULT_CUT, 50,
         1u << MISHAP_CUT_WORKER | 1u << MISHAP_CUT_UP | 1u << MISHAP_CUT_DOWN |
             1u << MISHAP_FALL | 1u << MISHAP_HALF_OPEN},
        {FAULT_SLIP, 30, 1u << MISHAP_SLIP},
        {FAULT_STOP, 40, 1u << MISHAP_STALL | 1u << MISHAP_STOP_WORKER},
        {FAULT_DISK, 30, 1u << MISHAP_DISK_FULL | 1u << MISHAP_DISK_DEAD},
        {FAULT_TWIN, 20, 1u << MISHAP_TWIN},
        {FAULT_OWNER, 20, 1u << MISHAP_USURP},
        {FAULT_CLIENT, 40, 1u << MISHAP_CLIENT},
        {FAULT_WAVE, 40,
         1u << MISHAP_WAVE | 1u << MISHAP_DRAIN_WORKER |
             1u << MISHAP_LEAVE_WORKER},
        {FAULT_PAUSE, 20, 1u << MISHAP_SUSPEND},
    };
    uint64_t kinds = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        kinds |= comes(random, faults, rows[i].fault, rows[i].percent)
                     ? rows[i].kinds
                     : 0;
    return kinds;
}

static void world_network(sim_options *options,
                          etna_random *random,
                          uint64_t faults)
{
    options->delay_ms = 1 + draw(random, 100);
    if (comes(random, faults, FAULT_NETWORK, 80)) {
        options->loss_pct = draw(random, 8);
        options->repeat_pct = draw(random, 10);
        options->late_pct = draw(random, 3);
    }
    options->slow_pct = comes(random, faults, FAULT_SLOW, 20) ? 40 : 0;
    options->strangers = comes(random, faults, FAULT_HOSTILE, 30);
    options->clocks = comes(random, faults, FAULT_CLOCK, 40);
}

static void world_models(sim_options *options,
                         etna_random *random,
                         uint64_t faults)
{
    if (!comes(random, faults, FAULT_MODEL, 25))
        return;
    options->fail_pct = 5 + draw(random, 25);
    options->fallback = draw(random, 2);
    options->outage_ms = draw(random, 2) ? 5000 : 0;
    if (draw(random, 3))
        return;
    options->down_ms = 1000 + draw(random, 20000);
    options->down_for_ms = 1000 + draw(random, 120000);
    options->tries = draw(random, 2) ? 3 : 1000;
}

/* Drawn apart, so that worlds that failed before stay what they were. */
static void world_rooms(sim_options *options, uint64_t faults)
{
    etna_random random = etna_random_from(options->seed ^ UINT64_C(0x200f5));
    if (!comes(&random, faults, FAULT_DISK, 20))
        return;
    options->no_room_ms = draw(&random, 30000);
    options->no_room_for_ms = 20000 + draw(&random, 120000);
    bool is_heard = options->told || options->supervised;
    options->no_room_kills = is_heard && draw(&random, 2);
}

static sim_options world_rough(uint64_t number, uint32_t which, uint64_t faults)
{
    sim_options options = world_plain(number, faults);
    etna_random random = etna_random_from(number * 8 + which);
    options.seed = etna_random_next(&random);
    options.workers = 1 + draw(&random, which == 2 ? 3 : 12);
    options.slots = 1 + draw(&random, 6);
    world_network(&options, &random, faults);
    world_models(&options, &random, faults);
    options.error_pct = has(faults, FAULT_KILL) ? draw(&random, 10) : 0;
    options.kinds = world_kinds(&random, faults);
    options.mishaps = options.kinds ? draw(&random, 8) : 0;
    options.supervised = draw(&random, 2);
    options.told = draw(&random, 2);
    if (options.deadly_pct && !options.told)
        options.supervised = true; /* else nobody hears of a death */
    options.clients = draw(&random, 3) > 0;
    options.drain = draw(&random, 3) == 0;
    options.config.finish_calls = draw(&random, 4) == 0;
    options.slow_disk_ms = comes(&random, faults, FAULT_DISK, 15) ? 1500 : 0;
    if (draw(&random, 3) == 0)
        options.jobs_most = options.slots + draw(&random, 3 * options.slots);
    if (draw(&random, 6) == 0)
        options.in_flight = 1 + draw(&random, 4);
    if (comes(&random, faults, FAULT_LIE, 12)) {
        options.lies = true;
        /* a run whose end is forgotten would find nobody */
        options.drain = false;
        options.kinds |= 1u << MISHAP_MACHINE;
    }
    if (comes(&random, faults, FAULT_ROT, 6)) {
        options.rotten = true;
        options.kinds |= 1u << MISHAP_ROT;
    }
    options.other_build =
        options.workers > 1 && comes(&random, faults, FAULT_BUILD, 15);
    options.fickle = comes(&random, faults, FAULT_MODEL, 10);
    world_rooms(&options, faults);
    return options;
}

sim_options world_options(uint64_t number, uint32_t which, uint64_t faults)
{
    if (which == 0)
        return world_plain(number, faults);
    return which == 1 ? world_calm(number, faults)
                      : world_rough(number, which, faults);
}

/* ---- ends ---- */

static bool same_usage(const message_usage *a, const message_usage *b)
{
    return a->tokens_in == b->tokens_in && a->tokens_out == b->tokens_out &&
           a->cost_micros == b->cost_micros && a->calls == b->calls;
}

/* What of the ends differs; NULL: nothing. */
static const char *difference(const sim_report *want, const sim_report *got)
{
    if (want->state != got->state)
        return "it ends in another state than with one worker and no fault";
    if (strcmp(want->tree, got->tree) != 0)
        return "another tree than with one worker and no fault";
    if (!etna_hash_equal(&want->final, &got->final))
        return "other snapshots than with one worker and no fault";
    if (!same_usage(&want->used, &got->used))
        return "another `used` than with one worker and no fault";
    return got->mismatches ? "a call was repeated with another request" : NULL;
}

static void add(world_sums *sums, const sim_report *r)
{
    sums->worlds++;
    sums->events += r->events;
    sums->messages += r->messages;
    sums->lost += r->lost_messages;
    sums->kills += r->kills;
    sums->restarts += r->restarts;
    sums->calls += r->calls;
    sums->leases += r->leases;
    sums->leases_again += r->leases_again;
    sums->backtracks += r->backtracks;
    sums->refusals += r->refusals;
    sums->forged += r->forged;
    sums->fulls += r->fulls;
    sums->stales += r->stales;
    sums->deaths += r->deaths;
    sums->complete += r->state == RUN_COMPLETE;
    sums->partial += r->state == RUN_PARTIAL;
    sums->failed += r->state == RUN_FAILED;
    for (uint32_t i = 0; i < MISHAP_KINDS; i++)
        sums->mishaps[i] += r->mishaps[i];
}

void world_describe(const sim_options *o, char *text, size_t size)
{
    int at = snprintf(text, size, "%u worker%s of %u slots, %u run%s",
                      (unsigned)o->workers, o->workers == 1 ? "" : "s",
                      (unsigned)o->slots, (unsigned)o->runs,
                      o->runs == 1 ? "" : "s");
    const struct {
        bool is;
        const char *word;
    } rows[] = {{o->clients, "clients"},
                {o->supervised, "supervised"},
                {o->told, "deaths told"},
                {o->loss_pct, "loss"},
                {o->repeat_pct, "repetition"},
                {o->late_pct, "late messages"},
                {o->slow_pct, "slow links"},
                {o->strangers, "strangers"},
                {o->clocks, "clocks"},
                {o->fail_pct, "failing calls"},
                {o->down_for_ms, "outage"},
                {o->fallback, "a fallback"},
                {o->outage_ms, "pauses"},
                {o->deadly_pct, "deadly tasks"},
                {o->error_pct, "errors"},
                {o->lies, "a disk that lies"},
                {o->rotten, "rot"},
                {o->fickle, "a fickle model"},
                {o->slow_disk_ms, "a slow disk"},
                {o->no_room_for_ms, "no room for results"},
                {o->other_build, "two builds"},
                {o->jobs_most, "waiting jobs"},
                {o->in_flight, "few calls at once"},
                {o->per_minute, "few calls a minute"},
                {o->large, "large blobs"},
                {o->drain, "a drain at the end"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is && at > 0 && (size_t)at < size)
            at += snprintf(text + at, size - (size_t)at, ", %s", rows[i].word);
    }
}

bool world_tell(uint64_t number,
                uint32_t which,
                uint64_t faults,
                void (*tell)(void *context, const char *line),
                void *context,
                sim_report *ret_report)
{
    sim_options options = world_options(number, which, faults);
    options.trace = getenv("ETNA_SIM_TRACE") != NULL;
    sim_run_told(&options, ret_report, tell, context);
    return !ret_report->broken;
}

static bool world_fails(
    uint64_t number, uint32_t which, char *text, size_t size, const char *what)
{
    snprintf(text, size, "seed %llu, world %u: %s", (unsigned long long)number,
             (unsigned)which, what);
    return false;
}

static bool is_alike(uint64_t number, uint32_t which, uint64_t faults)
{
    const sim_options options = world_options(number, which, faults);
    return !options.rotten && !options.fickle;
}

bool world_play(
    uint64_t number, uint64_t faults, world_sums *sums, char *text, size_t size)
{
    sim_report *want = malloc(2 * sizeof *want), *got = want ? want + 1 : NULL;
    bool holds = true;
    if (!want)
        return world_fails(number, 0, text, size, "out of memory");
    for (uint32_t i = 0; i < WORLDS_EACH && holds; i++) {
        sim_report *r = i ? got : want;
        holds = world_tell(number, i, faults, NULL, NULL, r);
        add(sums, r);
        if (!holds)
            world_fails(number, i, text, size, r->text);
        bool is_compared = i && holds && is_alike(number, i, faults);
        const char *differs = is_compared ? difference(want, got) : NULL;
        if (differs)
            holds = world_fails(number, i, text, size, differs);
    }
    free(want);
    return holds;
}
