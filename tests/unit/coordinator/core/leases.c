#include "leases.h"

const char *const lease_script[] = {"edit ggg C eee fff", "edit C ggg C C",
                                    "done"};

world *fresh(void)
{
    arrange_config config = world_config("tidy up");
    return world_new(&config, lease_script, LEASE_LINES);
}

uint64_t send_lease(world *w,
                    uint64_t worker,
                    uint64_t incarnation,
                    uint64_t sequence)
{
    message m = {.kind = MESSAGE_LEASE_REQUEST};
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, incarnation, sequence, &m, NULL, NULL);
    return request;
}

uint64_t send_orders(world *w,
                     uint64_t worker,
                     uint64_t sequence,
                     const message_task_ref *held,
                     uint32_t count)
{
    message m = {.kind = MESSAGE_ORDERS_REQUEST};
    m.body.orders_request =
        (message_orders_request){.held_count = count, .held = held};
    uint64_t request = worker << 32 | w->next_request;
    world_message(w, worker, 1, sequence, &m, NULL, NULL);
    return request;
}

bool dropped(const world *w, uint64_t request)
{
    for (uint32_t i = 0; i < w->update.drop_count; i++) {
        if (w->update.drops[i] == request)
            return true;
    }
    return false;
}

void add_run(world *w, uint8_t id, uint8_t scene)
{
    arrange_config config = w->config;
    config.scene.bytes[0] = scene;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

void add_run_of(world *w, uint8_t id, uint8_t batch)
{
    arrange_config config = w->config;
    config.batch.bytes[0] = batch;
    message m = {.kind = MESSAGE_RUN_SUBMIT};
    m.body.run_submit.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, &config, NULL);
}

void dies(world *w, uint64_t worker, etna_code fault)
{
    world_step(w, (core_event){.kind = CORE_WORKER_EXITED,
                               .worker = worker,
                               .fault = fault,
                               .why = "hit a wall"});
    for (uint32_t i = w->held_count; i-- > 0;) {
        if (w->held[i].worker == worker)
            w->held[i] = w->held[--w->held_count];
    }
}

uint32_t held_by(const world *w, uint64_t worker)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->held_count; i++)
        count += w->held[i].worker == worker;
    return count;
}

const message *tells_death(world *w,
                           uint64_t worker,
                           uint64_t incarnation,
                           message_death death)
{
    message m = {.kind = MESSAGE_DEATH};
    m.body.death = death;
    world_message(w, worker, incarnation, 1, &m, NULL, NULL);
    for (uint32_t i = w->held_count; i-- > 0;) {
        if (w->held[i].worker == worker)
            w->held[i] = w->held[--w->held_count];
    }
    assert_true(w->update.send_count > 0);
    return &w->update.sends[0].message;
}

void send_cancel(world *w, uint8_t id)
{
    message m = {.kind = MESSAGE_RUN_CANCEL};
    m.body.run_cancel.run.bytes[0] = id;
    world_message(w, 99, 1, w->next_sequence++, &m, NULL, NULL);
}

void reach_export(world *w, uint64_t by)
{
    for (;;) {
        world_lease(w, by);
        if (world_find(w, TASK_EXPORT, 0, 0, 0) >= 0)
            return;
        assert_int_not_equal(w->held_count, 0);
        world_give(w, 0);
    }
}

void export_fails(world *w, uint32_t times, etna_code error)
{
    while (times--) {
        reach_export(w, 1);
        int at = world_find(w, TASK_EXPORT, 0, 0, 0);
        message m = {.kind = MESSAGE_RESULT};
        m.body.result = (message_result){.ref = w->held[at].ref,
                                         .error = error,
                                         .error_text = "disk on fire"};
        w->held[at] = w->held[--w->held_count];
        world_message(w, 1, 1, w->next_sequence++, &m, NULL, NULL);
    }
}
