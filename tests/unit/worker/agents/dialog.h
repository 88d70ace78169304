/* Whole conversations of the roles with the built-in agent, over a world of
 * boxes: what a job does with the machines of worker/agents, with canned tools
 * and a solver that puts things exactly where they were asked to go. */
#ifndef ETNA_TESTS_AGENTS_DIALOG_H
#define ETNA_TESTS_AGENTS_DIALOG_H

#include "tests/support/facts_world.h"
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/planner.h"

typedef struct dialog { /* results, copied out of the agents */
    arrange_plan_status status;
    char instruction[2100], reason[1100];
    arrange_part part; /* of a goal */
    bool makes_way;
    double coordinate[2];
    bool is_bottom;
    bool executed;
    char object[256], plane[300], constraints[2000];
    double pixel[2];
    bool has_place; /* the constraints say the place in the world: */
    double place[2];
    bool full_only;
    arrange_verdict verdict;
    char exam[1100];
    uint32_t calls; /* model calls so far */
    uint32_t tool_calls;
} dialog;

/* Plans, executes or judges in the world as it stands; fails the test on any
 * error of a machine. */
void dialog_plan(dialog *d, const facts_world *w, const arrange_task *task);
void dialog_execute(dialog *d,
                    const facts_world *w,
                    const arrange_task *task,
                    uint32_t solver_failures);
/* Moves the object to where the constraints want it: onto the plane's thing. */
void dialog_apply(const dialog *d, facts_world *w);
void dialog_judge(dialog *d, const facts_world *w, const arrange_task *task);

#endif
