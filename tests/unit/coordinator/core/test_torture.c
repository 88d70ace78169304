/* Every allocation of a whole run, its view and its replay fails once: the core
 * says so, goes no further and leaks nothing. */
#include "harness.h"
#include "tests/support/torture.h"

#include <stdlib.h>
#include <string.h>

enum {
    RECORDS = 128
};

typedef struct small_world {
    core *c;
    core_update update;
    uint64_t now, sequence;
    etna_id run;
    core_record records[RECORDS];
    uint32_t record_count;
    bool ended;
} small_world;

static bool keep(small_world *w)
{
    for (uint32_t i = 0; i < w->update.record_count; i++) {
        core_record *kept = &w->records[w->record_count];
        uint8_t *data = malloc(w->update.records[i].size);
        if (!data)
            return false;
        memcpy(data, w->update.records[i].data, w->update.records[i].size);
        *kept = w->update.records[i];
        kept->data = data;
        if (data[1] == 9)
            w->ended = true; /* ENDED */
        if (++w->record_count == RECORDS)
            return false;
    }
    return true;
}

static bool step_as(small_world *w,
                    uint64_t sender,
                    uint64_t incarnation,
                    message *m,
                    const arrange_config *config,
                    const arrange_result *result)
{
    m->sender = sender;
    m->incarnation = incarnation;
    m->sequence = ++w->sequence;
    core_event event = {.kind = CORE_MESSAGE,
                        .now_ms = ++w->now,
                        .request = w->sequence,
                        .pipe = sender,
                        .message = m,
                        .config = config,
                        .result = result};
    return core_step(w->c, &event, &w->update, NULL) == ETNA_OK && keep(w);
}

static bool step(small_world *w,
                 message *m,
                 const arrange_config *config,
                 const arrange_result *result)
{
    return step_as(w, 1, 1, m, config, result);
}

static bool step_event(small_world *w, core_event event)
{
    event.now_ms = ++w->now;
    return core_step(w->c, &event, &w->update, NULL) == ETNA_OK && keep(w);
}

/* A second worker takes a task and dies of it, which is heard of only after its
 * connection was given up. */
static bool die_and_tell_late(small_world *w)
{
    enum {
        WHO = 2,
        LATE_MS = 3000
    };
    message lease = {.kind = MESSAGE_LEASE_REQUEST},
            told = {.kind = MESSAGE_DEATH};
    told.body.death =
        (message_death){.worker = WHO, .incarnation = 1, .signal = 11};
    if (!step_as(w, WHO, 1, &lease, NULL, NULL))
        return false;
    if (!step_event(w, (core_event){.kind = CORE_PIPE_GONE, .pipe = WHO}))
        return false;
    w->now += LATE_MS;
    return step_event(w, (core_event){.kind = CORE_TICK}) &&
           step_as(w, WHO, 2, &told, NULL, NULL);
}

/* Node 1 edits with branch 1, node 2 fails, node 3 finishes. */
static arrange_result answer(const arrange_task *task)
{
    arrange_result result = {.kind = task->kind,
                             .instruction = "put the bottle on the block",
                             .object = "bottle",
                             .reason = "so"};
    static const char *const warnings[] = {"a warning"};
    result.snapshot.bytes[0] = (uint8_t)(1 + task->node);
    result.blob.bytes[0] = 1;
    result.warning_count = task->kind == TASK_IMPORT;
    result.warnings = warnings;
    if (task->kind == TASK_PLAN)
        result.plan_status = task->node == 3 ? PLAN_FINISHED : PLAN_EDIT;
    result.branch_status =
        task->node == 1 && task->branch == 1 ? BRANCH_VALID : BRANCH_COLLISION;
    result.verdict = VERDICT_GOOD;
    return result;
}

static bool work(small_world *w)
{
    message lease = {.kind = MESSAGE_LEASE_REQUEST};
    if (!step(w, &lease, NULL, NULL))
        return false;
    if (w->update.send_count != 1 || !w->update.sends[0].task)
        return false;
    message done = {.kind = MESSAGE_RESULT};
    done.body.result.ref = w->update.sends[0].message.body.lease.ref;
    arrange_task task = *w->update.sends[0].task;
    message begin = {.kind = MESSAGE_CALL_BEGIN},
            end = {.kind = MESSAGE_CALL_END};
    begin.body.call_begin.ref = end.body.call_end.ref = done.body.result.ref;
    begin.body.call_begin.slot.node = end.body.call_end.slot.node = task.node;
    if (!step(w, &begin, NULL, NULL) || !step(w, &end, NULL, NULL))
        return false;
    message orders = {.kind = MESSAGE_ORDERS_REQUEST};
    orders.body.orders_request = (message_orders_request){
        .held_count = 1, .held = &done.body.result.ref};
    if (!step(w, &orders, NULL, NULL))
        return false;
    arrange_result result = answer(&task);
    return step(w, &done, NULL, &result);
}

static bool play(small_world *w)
{
    arrange_config config = world_config("tidy up");
    config.branches = 2;
    config.images = true;
    message submit = {.kind = MESSAGE_RUN_SUBMIT};
    submit.body.run_submit.run = w->run;
    if (!step(w, &submit, &config, NULL) || !die_and_tell_late(w))
        return false;
    while (!w->ended) {
        if (!work(w))
            return false;
    }
    message events = {.kind = MESSAGE_EVENTS_REQUEST};
    events.body.events_request.run = w->run;
    return step(w, &events, NULL, NULL);
}

static bool read_again(small_world *w)
{
    for (uint32_t i = 0; i < w->record_count; i++) {
        const core_record *r = &w->records[i];
        etna_code code =
            core_replay(w->c, &r->run, r->sequence, r->data, r->size, NULL);
        /* never that the journal were damaged */
        assert_true(code == ETNA_OK || code == ETNA_E_NOMEM);
        if (code != ETNA_OK)
            return false;
    }
    core_event resume = {.kind = CORE_RESUME, .now_ms = 1, .run = w->run};
    if (core_step(w->c, &resume, &w->update, NULL) != ETNA_OK)
        return false;
    etna_arena arena = ETNA_ARENA_INIT;
    core_run_view view;
    core_line *lines;
    uint32_t count;
    bool good =
        core_view(w->c, &w->run, &arena, &view, NULL) == ETNA_OK &&
        view.state == RUN_COMPLETE &&
        core_lines(w->c, &w->run, 0, &arena, &lines, &count, NULL) == ETNA_OK;
    etna_arena_free(&arena);
    return good;
}

static bool once(void *context)
{
    (void)context;
    core_options options = core_options_default();
    small_world w = {.now = 1};
    w.run.bytes[0] = 5;
    bool good = core_new(&options, &w.c, NULL) == ETNA_OK && play(&w);
    if (w.c && !good) { /* whatever failed, the core stays failed */
        core_event tick = {.kind = CORE_TICK, .now_ms = 99999};
        core_update update;
        (void)core_step(w.c, &tick, &update, NULL);
    }
    core_free(w.c);
    w.c = NULL;
    good = good && core_new(&options, &w.c, NULL) == ETNA_OK && read_again(&w);
    core_free(w.c);
    for (uint32_t i = 0; i < w.record_count; i++) {
        void *data;
        memcpy(&data, &w.records[i].data, sizeof data);
        free(data);
    }
    return good;
}

static void no_failed_allocation_breaks_the_core(void **state)
{
    (void)state;
    assert_true(torture(once, NULL) > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_failed_allocation_breaks_the_core)};
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
