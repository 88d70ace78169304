/* The evaluator: local context; judges one edit by the planner's instruction
 * and the annotated image (the built-in agent by the facts after the edit and
 * its checks). METHODS.md 3; supplement Fig. 17. */
#ifndef ETNA_WORKER_AGENTS_EVALUATOR_H
#define ETNA_WORKER_AGENTS_EVALUATOR_H

#include "worker/agents/agent.h"

typedef struct evaluator_result {
    /* VERDICT_ABSTAIN: could not be read after one repair turn */
    arrange_verdict verdict;
    /* visual_exam, or why it abstains; <= ARRANGE_REASON_MAX */
    const char *text;
} evaluator_result;

/* `task` (kind POLL) and `view` are copied; view->facts are those of
 * task->after. Slot (node, branch, ROLE_EVALUATOR, poll, turn, repair). One
 * repair turn. With task->cameras it may ask for the edit as another camera
 * shows it. */
etna_code evaluator_begin(const arrange_task *task,
                          const agent_view *view,
                          agent **ret_agent,
                          agent_step *ret_step,
                          etna_error *err);
const evaluator_result *evaluator_done(const agent *a);

/* Reads an [evaluation] block with `visual_exam:` and `verdict:`, or the same
 * without its marks, or a JSON object of these members. The first of the five
 * words behind `verdict:` is the verdict, unless it is denied or one of
 * several. */
etna_code evaluator_read(const char *text,
                         etna_arena *arena,
                         evaluator_result *ret,
                         etna_error *err);

#endif
