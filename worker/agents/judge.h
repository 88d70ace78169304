/* The benchmark's judge: scores every step of a finished run by the instruction
 * list and all step images in order. Five judges are asked and averaged by the
 * caller. METHODS.md 3, 7; supplement Fig. 18. */
#ifndef ETNA_WORKER_AGENTS_JUDGE_H
#define ETNA_WORKER_AGENTS_JUDGE_H

#include "worker/agents/agent.h"

typedef struct judge_step {
    /* value - 1 is the score 0..4 of METHODS.md 7 */
    arrange_verdict correctness, plausibility;
    const char *justification; /* <= ARRANGE_REASON_MAX */
} judge_step;

typedef struct judge_result {
    bool ok;
    uint32_t count; /* == the number of steps asked about */
    const judge_step *steps;
    const char *reason; /* not ok: what was wrong */
} judge_result;

/* `task` (kind JUDGE): goal or steps, edits (of which only snapshots are looked
 * at), first_snapshot, poll = number of the judge, which gives it a seed of its
 * own. Its pictures are clean: no grid, ghost, arrow or crop. One repair
 * turn. */
etna_code judge_begin(const arrange_task *task,
                      const agent_view *view,
                      agent **ret_agent,
                      agent_step *ret_step,
                      etna_error *err);
const judge_result *judge_done(const agent *a);

/* Reads one JSON object with exactly the keys "0" .. "count-1"; prose or a code
 * fence around it is allowed. */
etna_code judge_read(const char *text,
                     uint32_t count,
                     etna_arena *arena,
                     judge_result *ret,
                     etna_error *err);

#endif
