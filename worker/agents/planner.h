/* The planner: global context, one call per step. General mode gets the goal,
 * list mode all instructions with the current one marked; both get the edits so
 * far, what failed at this step before (METHODS.md 2 Memory) and the image
 * history. METHODS.md 3; VULCAN §4 and supplement Figs 12 to 14. */
#ifndef ETNA_WORKER_AGENTS_PLANNER_H
#define ETNA_WORKER_AGENTS_PLANNER_H

#include "worker/agents/agent.h"
#include "worker/agents/scale.h"

/* also what a single agent planned (executor_plan) */
typedef struct planner_result {
    arrange_plan_status status;
    /* EDIT: one line, <= ARRANGE_INSTRUCTION_MAX; else "" */
    const char *instruction;
    double coordinate[2]; /* EDIT: normalised, in [0, 1] */
    bool coordinate_is_bottom;
    /* FINISHED, IMPOSSIBLE, UNREADABLE: the model's words; MALFORMED: what was
     * wrong; else "" */
    const char *reason;
    /* arrange_coordinates: what its coordinate turned out to be counted in; 0:
     * it did not tell */
    uint32_t coordinates;
    /* of a list: the instruction that it speaks of, from 1; 0: not said */
    uint32_t item;
    arrange_part part; /* of a goal: the part that it speaks of */
    bool makes_way;    /* EDIT: it only makes way for what is asked for */
    /* IMPOSSIBLE, UNREADABLE: the reason in parts; code NONE: not given so */
    arrange_refusal refusal;
} planner_result;

/* `task` (kind PLAN) and `view` are copied. The slot is (node, branch,
 * ROLE_PLANNER, 0, 0, 0). One repair turn. */
etna_code planner_begin(const arrange_task *task,
                        const agent_view *view,
                        agent **ret_agent,
                        agent_step *ret_step,
                        etna_error *err);
/* After AGENT_DONE; the texts are the agent's. */
const planner_result *planner_done(const agent *a);

/* Reads an answer: one of <finished>, <impossible>, <unreadable>, or an
 * [updated_instruction] block and a [coordinate] block, as block.h finds them;
 * or one JSON object with these members. ETNA_E_INPUT with what is wrong; *ret
 * untouched then. A coordinate over 1 is read by `known` (NULL: nothing is
 * known). Beside them it may hold a [list_item] block, the number of an
 * instruction, beside an edit that nobody asked for a [makes_way] block, "yes",
 * and beside <impossible> or <unreadable> a [refusal] block:
 *     {"code":"unread|unknown|ambiguous|impossible|no_place","what":"...","where":"...","do":"...","span":[from,to]}
 * (the span in bytes of the sentence; all but the code may be missing). One of
 * these that is malformed is not read. Texts live in `arena`. For tests and
 * fuzzing. */
etna_code planner_read(const char *text,
                       picture_scale *known,
                       etna_arena *arena,
                       planner_result *ret,
                       etna_error *err);
/* What it says of a list and of a sentence must be of this task's: drops an
 * item that the list does not have, and a span that does not lie within its
 * sentence. */
void planner_fit(const arrange_task *task, planner_result *result);
/* Of a list with one edit for each: the instruction that the task's step is
 * for, from 1; 0: none. */
uint32_t planner_current(const arrange_task *task);
/* The same where no coordinate is asked for: one that is there all the same is
 * not read (ablation no-planner-coordinate). */
etna_code planner_read_words(const char *text,
                             etna_arena *arena,
                             planner_result *ret,
                             etna_error *err);

#endif
