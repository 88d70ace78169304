/* What workers send to a scripted world about leases. */
#ifndef ETNA_TESTS_UNIT_CORE_LEASES_H
#define ETNA_TESTS_UNIT_CORE_LEASES_H

#include "harness.h"

/* Two edits, then done. */
extern const char *const lease_script[];
enum {
    LEASE_LINES = 3
};

world *fresh(void);

uint64_t send_lease(world *w,
                    uint64_t worker,
                    uint64_t incarnation,
                    uint64_t sequence);

uint64_t send_orders(world *w,
                     uint64_t worker,
                     uint64_t sequence,
                     const message_task_ref *held,
                     uint32_t count);

bool dropped(const world *w, uint64_t request);

void add_run(world *w, uint8_t id, uint8_t scene);

void add_run_of(world *w, uint8_t id, uint8_t batch);

void dies(world *w, uint64_t worker, etna_code fault);

uint32_t held_by(const world *w, uint64_t worker);

/* What its supervisor saw, as the next incarnation of `worker` tells it. The
 * answer. */
const message *tells_death(world *w,
                           uint64_t worker,
                           uint64_t incarnation,
                           message_death death);

void send_cancel(world *w, uint8_t id);

/* All goes well to the export, in the hands of worker `by`. */
void reach_export(world *w, uint64_t by);

void export_fails(world *w, uint32_t times, etna_code error);

#endif
