/* A scripted world around the core: workers that answer at once what a script
 * says, a journal in memory, and a trace of (k, d_a, d_max). After every step
 * the invariants are checked.
 *
 * A script has a line per node, the last one repeated for ever: the plan's
 * word, then a word per branch.
 *   plan: edit | done | impossible | unreadable | malformed branch: C collision
 *   (L: the same in other words; K: with another thing), F floating, M
 *   malformed, U unsolved, R repeated,
 *           or a letter per poll: t b f g e for the verdicts, a abstains;
 *           "@0.02" after it sets the loss. */
#ifndef ETNA_TESTS_UNIT_CORE_HARNESS_H
#define ETNA_TESTS_UNIT_CORE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/core/core.h"

enum {
    WORLD_HELD_MAX = 512,
    /* so many in a row are no patience but a loop that never ends */
    LEASES_IN_VAIN_MOST = 1000,
    WORLD_RECORDS_MAX = 4096,
    TOKENS_A_CALL = 11
};

typedef enum world_order {
    ORDER_FIFO,
    ORDER_LIFO,
    ORDER_RANDOM
} world_order;

typedef struct world_held { /* a lease in some worker's hands */
    message_task_ref ref;
    uint64_t worker, incarnation;
    arrange_task task; /* scalars only; pointers are not kept */
} world_held;

typedef struct world_record {
    etna_id run;
    uint64_t sequence;
    uint8_t *data;
    size_t size;
} world_record;

typedef struct world {
    core *c;
    uint64_t now, next_request, next_sequence;
    etna_id run;
    arrange_config config;
    const char *const *script;
    uint32_t script_count;
    world_order order;
    etna_random random;
    bool repeat_results;
    uint64_t cpu_us; /* told with each result */
    world_held held[WORLD_HELD_MAX];
    uint32_t held_count;
    uint32_t leases_in_vain; /* requests in a row that brought no task */
    world_record *records;
    uint32_t record_count;
    core_update update; /* of the last step */
    char trace[8192];   /* "k/d_a/d_max ..." */
    char lines[65536];  /* narration, a line each */
    uint32_t last_state[3];
    uint32_t edits_told; /* of the last plan request */
    char failures[8192]; /* of the last plan request: "node.branch:reason;" */
    char given_up[4096]; /* of the last plan or branch request: "node:later;" */
    char passed[1024];   /* of the last plan request: "item:reason;" */
    uint32_t plan_requests, meanings_told;
    /* the plan's word by which what is claimed is measured; NULL: "done" */
    const char *measured;
    uint32_t measures; /* how often that was asked */
} world;

/* ordered, 4 branches, 3 polls, seed 1 */
arrange_config world_config(const char *goal);
world *world_new(const arrange_config *config,
                 const char *const *script,
                 uint32_t script_count);
/* Where a run whose models don't answer pauses for `outage_ms`, not for
 * good. */
world *world_new_pausing(const arrange_config *config,
                         const char *const *script,
                         uint32_t script_count,
                         uint32_t outage_ms);
/* Of a coordinator that takes so many runs. */
world *world_new_of_few(const arrange_config *config,
                        const char *const *script,
                        uint32_t script_count,
                        uint32_t runs_most);
/* Of one that takes no run while those it has hold so many bytes. */
world *world_new_of_small(const arrange_config *config,
                          const char *const *script,
                          uint32_t script_count,
                          uint64_t config_bytes_most);
/* Of a coordinator of that build. */
world *world_new_of_build(const arrange_config *config,
                          const char *const *script,
                          uint32_t script_count,
                          const char *build,
                          bool mixed_builds);
void world_free(world *w);

/* One step; fails the test unless it succeeds and core_check() holds
 * afterwards. */
void world_step(world *w, core_event event);
void world_message(world *w,
                   uint64_t worker,
                   uint64_t incarnation,
                   uint64_t sequence,
                   message *m,
                   const arrange_config *config,
                   const arrange_result *result);
void world_submit(world *w);
/* in steps that never pass a deadline, as a shell does */
void world_tick(world *w, uint64_t by_ms);
/* a fresh lease request; a grant lands in w->held */
void world_lease(world *w, uint64_t worker);
/* a fresh orders request, naming what that worker holds */
void world_orders(world *w, uint64_t worker);
/* of the last step, or NULL */
const message *world_answer(const world *w, uint64_t request);
arrange_result world_result_of(const world *w, const world_held *held);
void world_give(world *w, uint32_t at); /* hands in the result of held[at] */
int world_find(const world *w,
               uint32_t kind,
               uint32_t node,
               uint32_t branch,
               uint32_t poll); /* in held, or -1 */
/* Leases, and hands in results in the world's order, until the run has ended or
 * rests, or nothing is to be had. */
void world_drive(world *w);
/* a struct's padding is nobody's business */
bool same_usage(const message_usage *a, const message_usage *b);
bool same_ref(const message_task_ref *a, const message_task_ref *b);
core_run_view world_view(const world *w, etna_arena *arena);
/* A new world whose core was fed the first `records` of `from`'s journal; not
 * yet resumed. */
world *world_restart(const world *from, uint32_t records);
void world_resume(world *w);

#endif
