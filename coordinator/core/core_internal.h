/* The core's state, private to this room: who points at whom, and which file
 * changes what.
 *
 *   core ── runs ── tree (nodes ─ branches ─ polls)      search.c, arrange.c, tree.c
 *        │      ├── tasks (queued | leased)              task.c
 *        │      ├── calls (slots of model calls)         call.c
 *        │      └── lines (narration), expected (replay) record.c, narrate.c, replay.c
 *        ├── workers ── leases (tasks)                   worker.c, lease.c
 *        └── parked requests, in the order of their deadlines (request.c)
 *
 * A failure that cannot be undone (no memory, a broken invariant) is kept in
 * core.failure; every function goes on harmlessly after it, and core_step
 * reports it at its end. */
#ifndef ETNA_COORDINATOR_CORE_CORE_INTERNAL_H
#define ETNA_COORDINATOR_CORE_CORE_INTERNAL_H

#include "coordinator/core/batch.h"
#include "coordinator/core/call.h"
#include "coordinator/core/record.h"
#include "coordinator/core/run.h"
#include "coordinator/core/task.h"
#include "coordinator/core/tree.h"
#include "coordinator/core/worker.h"

struct core {
    core_options options;
    etna_code failure;
    char failure_text[256];
    uint64_t now;
    uint64_t promised; /* the deadline last promised by core_next_deadline */
    bool draining;
    bool closing;   /* no new run is taken */
    bool replaying; /* inside core_replay: records are compared, not written */

    run **runs; /* in the order they came */
    uint32_t run_count, run_capacity;
    uint64_t config_bytes; /* of all of them */
    table run_table;
    table worker_table;
    chain workers, lost_queue, ready, timed, losing;
    chain batches;
    uint64_t run_order; /* of the run that came last */
    /* runs that go on by themselves when their time has come */
    chain paused;
    chain quarantine; /* queued tasks of all runs that are given out alone */
    /* when the first of some connections was closed that were closed
     * together */
    uint64_t fall_begun_ms;
    /* of them; from how many on it is a fall of most */
    uint32_t fall_count, fall_most;
    /* gets nothing until its hands are empty, for one of those; NULL: nobody
     * need wait */
    worker *reserved;
    chain leases_parked, orders_parked, viewers_parked;
    /* runs whose viewers are looked at when the step ends */
    chain stirred;
    uint64_t wall_next; /* when the first run's wall time is over */
    bool wall_stale;    /* that may have changed */
    /* when tasks that take too long were last looked for */
    uint64_t straggled_ms;
    /* of leases_parked: those that are answered when the step ends */
    chain served;
    uint32_t calls_in_flight;
    core_endpoint **endpoints;
    core_model **models;
    uint32_t endpoint_count, endpoint_capacity, model_count, model_capacity;

    core_totals totals; /* but what stands now */

    /* the update being made */
    etna_arena scratch;
    core_record *records;
    core_reply *replies;
    core_row *rows;
    core_send *sends;
    uint64_t *drops;
    core_line *lines;
    uint32_t record_count, reply_count, row_count, send_count, drop_count,
        line_count;
    uint32_t record_capacity, reply_capacity, row_capacity, send_capacity,
        drop_capacity, line_capacity;
    const core_event *event;
};

/* totals.c: something took `ms`. */
void totals_latency_add(core_latency *latency, uint64_t ms);

/* Sets core.failure; the first one counts. ETNA_E_NOMEM or ETNA_E_INTERNAL. */
void core_trouble(core *c, etna_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An illegal transition or a broken invariant: traps under options.strict, else
 * ETNA_E_INTERNAL. */
void core_broken(core *c, const char *what);
/* An array with room for one more than `count` items of `size` bytes: `items`
 * itself, or a larger one in its place. NULL: core.failure is set, and `items`
 * is as it was. */
void *core_grow(
    core *c, void *items, uint32_t *capacity, uint32_t count, size_t size);
/* The run in memory by its name; NULL: it is not there. */
run *core_find(const core *c, const etna_id *id);
/* A new run in memory, without any task or record. Copies the configuration.
 * NULL: core.failure. */
run *core_add_run(core *c, const etna_id *id, const arrange_config *config);
/* Adds an answer to the update, to be completed by the caller. NULL: nobody
 * waits for it (request 0), or core.failure. `answer` is copied; what it refers
 * to must live until the step ends. */
core_send *core_send_add(core *c,
                         uint64_t request,
                         uint64_t incarnation,
                         uint64_t sequence,
                         const message *answer);
/* core_send_add() with the task of a lease; `said` NULL: it is none. */
void core_send_answer(core *c,
                      uint64_t request,
                      uint64_t incarnation,
                      uint64_t sequence,
                      const message *answer,
                      const arrange_task *said);
/* The request gets no answer, and is repeated by its sender. */
void core_drop(core *c, uint64_t request);
/* Empties the update and frees the scratch memory: everything handed out by the
 * step before is gone. */
void core_update_reset(core *c);
/* Adds a line of narration to the update. `of_run` NULL: of no run. */
void core_say(core *c,
              const etna_id *of_run,
              uint64_t sequence,
              uint64_t time_ms,
              const narration *told);
/* The run's row is to be written. `submitted`: for the first time. */
void core_row_changed(run *r, bool submitted);

#endif
