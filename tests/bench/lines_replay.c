/* What a coordinator's start costs: the journals of runs that were played by
 * the core, a million records in all, are read from a store on the disk, their
 * chains checked, and decided again by a new core. */
#include "coordinator/core/core.h"
#include "coordinator/shell/recover.h"
#include "proto/build.h"
#include "store/store.h"
#include "tests/bench/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run is some dozens of records: as many instructions as STEPS, each of which
 * needs an edit. */
enum {
    RECORDS = 1000000,
    RECORDS_QUICK = 50000,
    STEPS = 16,
    BRANCHES = 4,
    POLLS = 3,
    RUNS_A_GROUP = 32
};

typedef struct replay {
    store *store;
    char path[256];
    core *core;
    store_group *group;
    uint64_t records, sequence;
    uint32_t runs;
    bool over; /* the run that is played */
    /* the task that was given out last */
    message_task_ref ref;
    uint8_t kind;
    etna_hash blob;
    const char *steps[STEPS];
} replay;

static etna_id replay_name(uint32_t number)
{
    etna_id run = {{0}};
    memcpy(run.bytes, &number, sizeof number);
    return run;
}

static core *replay_core(void)
{
    etna_error err = {0};
    core *c;
    core_options options = core_options_default();
    options.epoch = 1;
    options.build = etna_build();
    rig_must(core_new(&options, &c, &err), &err);
    return c;
}

static void replay_keep(replay *r, const core_update *update)
{
    etna_error err = {0};
    for (uint32_t i = 0; i < update->record_count; i++) {
        const core_record *record = &update->records[i];
        rig_must(store_append(r->group, &record->run, record->sequence,
                              record->data, record->size, &err),
                 &err);
        r->records++;
    }
    for (uint32_t i = 0; i < update->row_count; i++)
        r->over = update->rows[i].state >= RUN_COMPLETE;
    for (uint32_t i = 0; i < update->send_count; i++) {
        const core_send *out = &update->sends[i];
        if (!out->task)
            continue;
        r->ref = out->message.body.lease.ref;
        r->kind = (uint8_t)out->task->kind;
    }
}

static void replay_step(replay *r, core_event event)
{
    core_update update;
    etna_error err = {0};
    event.now_ms = 1; /* so that nothing is ever late */
    rig_must(core_step(r->core, &event, &update, &err), &err);
    replay_keep(r, &update);
}

static void replay_say(replay *r, message *m, core_event event)
{
    m->version = MESSAGE_VERSION;
    m->epoch = 1;
    m->sender = m->incarnation = 1;
    m->sequence = ++r->sequence;
    event.kind = CORE_MESSAGE;
    event.request = r->sequence;
    event.pipe = 1;
    event.message = m;
    replay_step(r, event);
}

static void replay_submit(replay *r, const etna_id *run)
{
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    arrange_config config = arrange_config_default();
    config.scene = r->blob;
    config.scene_name = "replay.glb";
    config.steps = r->steps;
    config.step_count = STEPS;
    config.branches = BRANCHES;
    config.polls = POLLS;
    m.body.run_submit.run = *run;
    replay_say(r, &m, (core_event){.config = &config});
}

static void replay_result(replay *r)
{
    arrange_result result = {.kind = r->kind};
    message m = {.kind = MESSAGE_RESULT};
    switch (r->kind) {
    case TASK_IMPORT:
        result.snapshot = r->blob;
        result.object_count = result.movable_count = 2;
        result.camera = "Camera";
        break;
    case TASK_PLAN:
        result.plan_status = PLAN_EDIT;
        result.instruction = "put the bottle on the block";
        break;
    case TASK_BRANCH:
        result.branch_status = BRANCH_VALID;
        result.object = "bottle";
        result.plane = "block_up";
        result.snapshot = r->blob;
        break;
    case TASK_POLL:
        result.verdict = VERDICT_GOOD;
        result.reason = "looked";
        break;
    default: result.blob = r->blob; break;
    }
    m.body.result.ref = r->ref;
    replay_say(r, &m, (core_event){.result = &result});
}

/* A run to its end, by one worker. */
static void replay_play(replay *r)
{
    etna_error err = {0};
    const etna_id run = replay_name(++r->runs);
    const store_run row = {
        .id = run, .state = RUN_COMPLETE, .scene = "s", .goal = "g"};
    rig_must(store_put_run(r->group, &row, &err), &err);
    r->over = false;
    replay_submit(r, &run);
    while (!r->over) {
        message m = {.kind = MESSAGE_LEASE_REQUEST};
        m.body.lease_request = (message_lease_request){
            .slots_free = 1, .cpus = 1, .build = etna_build()};
        r->kind = 0;
        replay_say(r, &m, (core_event){0});
        if (!r->kind)
            bench_die("replay", "a run has no task and does not end");
        replay_result(r);
    }
    replay_step(r, (core_event){.kind = CORE_FORGET, .run = run});
}

static void replay_make(replay *r, uint64_t records)
{
    etna_error err = {0};
    r->core = replay_core();
    while (r->records < records) {
        rig_must(store_group_begin(r->store, &r->group, &err), &err);
        for (int i = 0; i < RUNS_A_GROUP && r->records < records; i++)
            replay_play(r);
        rig_must(store_group_commit(r->group, &err), &err);
    }
    core_free(r->core);
}

static void replay_open(replay *r)
{
    etna_error err = {0};
    store_options options = store_options_default();
    options.path = r->path;
    options.endpoint = "bench";
    rig_must(store_open(&options, &r->store, &err), &err);
}

/* As a coordinator does when it starts, but that ended runs leave again. */
static void replay_all(void *context)
{
    replay *r = context;
    core_update update;
    etna_error err = {0};
    core *c = replay_core();
    for (uint32_t i = 1; i <= r->runs; i++) {
        core_event forget = {.kind = CORE_FORGET, .run = replay_name(i)};
        rig_must(recover_run(r->store, c, &forget.run, &err), &err);
        rig_must(core_step(c, &forget, &update, &err), &err);
    }
    core_free(c);
}

void lines_replay(bench *b)
{
    const uint64_t records = bench_is_quick(b) ? RECORDS_QUICK : RECORDS;
    bench_row row = {.id = "replay.million",
                     .work = "a million records of journals decided again",
                     .unit = "ms",
                     .goal = 10000};
    char note[96];
    if (!bench_wants(b, row.id))
        return;
    replay *r = calloc(1, sizeof *r);
    if (!r)
        bench_die("replay", "out of memory");
    r->blob = etna_hash_bytes("replay", 6);
    for (int i = 0; i < STEPS; i++)
        r->steps[i] = "put the bottle on the block";
    snprintf(r->path, sizeof r->path, "%s", bench_path(b, "replay.store"));
    replay_open(r);
    replay_make(r, records);
    store_close(r->store);
    replay_open(r);
    row.ours = bench_scaled(bench_measure(b, BENCH_CORE, NULL, replay_all, r),
                            (double)RECORDS / (double)r->records);
    snprintf(note, sizeof note, "%llu records of %u runs were read",
             (unsigned long long)r->records, (unsigned)r->runs);
    row.note = note;
    bench_add(b, &row);
    store_close(r->store);
    free(r);
}
