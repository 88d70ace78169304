/* The executor: local context. It sees the planner's instruction and coordinate
 * and the current image, calls the visual tools, and answers with constraints
 * for the solver. A failed solve is told to it and it may try again; malformed
 * answers and failed solves share one count of two. METHODS.md 3; VULCAN §4 and
 * supplement Figs 11, 15, 16. */
#ifndef ETNA_WORKER_AGENTS_EXECUTOR_H
#define ETNA_WORKER_AGENTS_EXECUTOR_H

#include "worker/agents/agent.h"
#include "worker/agents/scale.h"

enum {
    EXECUTOR_RETRIES = 2,         /* METHODS.md 3 */
    EXECUTOR_BLOCK_MAX = 16 << 10 /* bytes of a block */
};

typedef struct executor_result {
    bool ok;
    /* ok: one compact JSON array of constraint arrays, names and planes not yet
     * looked up */
    const char *constraints;
    const char *object; /* ok: of ["ObjectName", name] */
    /* ok: of the first ["Contact", "down", plane], else of the first Contact,
     * else "" */
    const char *plane;
    const char *reason; /* not ok: what was wrong with the last answer */
    /* ok: no constraints are to be solved, a pose was written (ablations
     * without the solver) */
    bool direct;
    double position[3]; /* direct: of the centre of its box */
    bool turns;         /* direct: yaw_deg holds, else it stays as it stands */
    double yaw_deg;
} executor_result;

/* By task->ablation: NO_TOOL_LIBRARY has tools that list and describe objects
 * and writes a pose (direct.c), NO_MCP_TOOLS has no tools and writes
 * assignments; NO_PLANNER_COORDINATE is told no coordinate; SINGLE_AGENT plans
 * in the same conversation (single.c), and so do BASIC and BASIC_3, which write
 * a pose. With task->cameras the tools take the
 * name of another camera, and so does CloseToPix. `task` (kind BRANCH) and
 * `view` are copied. Slot (node, branch, ROLE_EXECUTOR, 0, turn, repair). */
etna_code executor_begin(const arrange_task *task,
                         const agent_view *view,
                         agent **ret_agent,
                         agent_step *ret_step,
                         etna_error *err);
/* After AGENT_DONE; the texts are the agent's and stay through later
 * retries. */
const executor_result *executor_done(const agent *a);
/* After AGENT_DONE with ok: the block names an unknown object or plane, or the
 * solver found nothing; `reason` says so. AGENT_ASK when a retry is left, else
 * AGENT_DONE with ok false and that reason (give up). */
etna_code executor_solver_failed(agent *a,
                                 const char *reason,
                                 agent_step *ret_step,
                                 etna_error *err);

/* After AGENT_DONE with ok, of an agent with basic functions alone: shows it
 * the scene that its placement made, so that it may mend it. AGENT_ASK. */
etna_code executor_show(agent *a,
                        const etna_hash *made,
                        agent_step *ret_step,
                        etna_error *err);
/* Then, after AGENT_DONE: it leaves its placement as it is. */
bool executor_keeps(const agent *a);

/* What a single agent planned: after AGENT_DONE, NULL for any other. Its status
 * is EDIT where executor_done tells of an edit. */
const struct planner_result *executor_plan(const agent *a);

/* Read an answer that writes a pose: one [placement] ... [end of placement]
 * block holding {"object", "location": [x, y, z], "yaw_deg"}, or one [script]
 * ... [end of script] block of `bpy.data.objects["name"].location = (x, y, z)`
 * and `.rotation_euler[2] = radians` for one object; then <completion>. Nothing
 * is ever run. As executor_read otherwise. */
etna_code executor_read_placement(const char *text,
                                  etna_arena *arena,
                                  executor_result *ret,
                                  etna_error *err);
etna_code executor_read_script(const char *text,
                               etna_arena *arena,
                               executor_result *ret,
                               etna_error *err);

/* Reads an answer: a [constraints] ... [end of constraints] block as block.h
 * finds it and rows.h reads it, which is complete: closed, or followed by
 * <completion>. Checks each constraint's name, arity, types and ranges,
 * ObjectName exactly once, CloseToPix at least once; coordinates over 1 by
 * `known` (NULL: nothing is known). ETNA_E_INPUT with what is wrong; *ret
 * untouched then. */
etna_code executor_read(const char *text,
                        picture_scale *known,
                        etna_arena *arena,
                        executor_result *ret,
                        etna_error *err);

#endif
