/* What the parts of reading a planner's answer share. Nobody else includes it.
 *
 *   planner.c           the agent, and the order in which an answer is read
 *   planner_task.c      what the planner is told
 *   plan_verdict.c      <finished>, <impossible>, <unreadable>
 *   plan_instruction.c  the sentence
 *   plan_coordinate.c   the place in the picture
 *   plan_beside.c       the item, part and refusal beside them
 *   plan_object.c       all of it as one JSON object
 *
 * Functions that return an etna_code fill `result` and refuse what cannot be
 * meant (ETNA_E_INPUT, *err tells the model what to write). Texts live in the
 * arena; ETNA_E_NOMEM. Blocks are spans of the answer and borrow it. */
#ifndef ETNA_WORKER_AGENTS_PLAN_INTERNAL_H
#define ETNA_WORKER_AGENTS_PLAN_INTERNAL_H

#include "worker/agents/block.h"
#include "worker/agents/planner.h"

#include <jansson.h>

typedef struct plan_draft { /* what stands for a plan */
    bool there;
    block instruction;
} plan_draft;

/* ---- verdicts: plan_verdict.c ---- */
typedef struct verdict_search {
    unsigned count; /* different ones */
    size_t at;      /* where the last of them stands */
    arrange_plan_status status;
} verdict_search;

/* Nothing but white space. */
bool plan_is_blank(const char *text, size_t size);
/* Beside a plan a verdict must stand alone on its line: an instruction may well
 * speak of <finished>. */
verdict_search plan_find_verdict(const plain *p, const plan_draft *d);
/* A verdict that fills the instruction's part, where no coordinate stands
 * beside it: *verdict is it. False: there is a plan, *verdict is untouched. */
bool plan_verdict_fills(const plain *p,
                        const plan_draft *d,
                        verdict_search *verdict);
/* "After this edit the goal will be <finished>.": said of what the plan brings
 * about. */
bool plan_verdict_is_foretold(const plain *p, size_t mark);
/* {"status": "finished"}, {"impossible": true}: an object that says the
 * verdict. NULL: there is none. New reference. */
json_t *plan_find_verdict_object(const plain *p, arrange_plan_status *ret);

/* ---- instructions: plan_instruction.c ---- */
/* Does the part say only that there is nothing to say? */
bool plan_says_nothing(const plain *p, const block *part);
/* An instruction as the last line but one, with the numbers of our prompts and
 * without their marks. */
bool plan_find_numbered(const plain *p, block *ret_instruction);
/* Cleans what was said, which it changes in place, and makes it the result's
 * instruction. `said` NULL: out of memory. */
etna_code plan_take_instruction(char *said,
                                etna_arena *arena,
                                planner_result *result,
                                etna_error *err);

/* ---- the coordinate: plan_coordinate.c ---- */
/* The coordinate that belongs to the instruction: behind it, marked or not;
 * before it where there is one draft only. */
etna_code plan_find_coordinate(const plain *p,
                               const block *instruction,
                               block *ret,
                               etna_error *err);
/* The coordinate that stands within an instruction's part, which may have no
 * other end. */
bool plan_find_coordinate_within(const plain *p, block_end end, block *ret);
/* One point of the block, as shares of the picture, and of which part of the
 * object it is. A question to the model is noted in the scale. */
etna_code plan_read_coordinate(const block *b,
                               picture_scale *scale,
                               planner_result *result,
                               etna_error *err);
/* Bottom or center; where neither is said the bottom is meant, once it was said
 * that this will be so. `where`: what is said of the place alone, which may be
 * in `b`. */
etna_code plan_read_anchor(const block *b,
                           const block *where,
                           picture_scale *scale,
                           planner_result *result,
                           etna_error *err);

/* ---- what may stand beside a plan: plan_beside.c ---- */
/* False: out of memory. */
bool plan_read_beside(const plain *p,
                      etna_arena *arena,
                      planner_result *result);
/* NULL: the instruction was not passed over. Borrowed. */
const arrange_passed *planner_passed(const arrange_task *task, uint32_t item);

/* ---- one object: plan_object.c ---- */
/* `scale` NULL: no coordinate is asked for. */
etna_code plan_read_object(const plain *p,
                           picture_scale *scale,
                           etna_arena *arena,
                           planner_result *result,
                           etna_error *err);

#endif
