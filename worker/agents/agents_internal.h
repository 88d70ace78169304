/* Inside the agents' room: the state behind agent.h, and what the roles build
 * their requests with. */
#ifndef ETNA_WORKER_AGENTS_AGENTS_INTERNAL_H
#define ETNA_WORKER_AGENTS_AGENTS_INTERNAL_H

#include "worker/agents/agent.h"
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/judge.h"
#include "worker/agents/planner.h"
#include "worker/agents/reader.h"
#include "worker/agents/scale.h"

#include <jansson.h>

/* failed or given-up entries a prompt tells; the latest ones */
enum {
    AGENT_MEMORY_SHOWN = 64
};

struct agent {
    etna_arena arena;
    model_request request; /* messages grow; earlier ones never change */
    uint32_t message_room;
    etna_slot slot;
    uint64_t run_seed;
    agent_next next;
    uint32_t repairs_left, tool_turns;
    const char *camera;
    uint32_t width, height;
    message_usage usage;
    /* TOOLS: of the last reply, those beyond AGENT_CALLS_MAX too */
    uint32_t call_count;
    const model_part *calls;   /* as the tools get them .. */
    const model_part *written; /* .. and as the model wrote them */
    uint32_t judged_steps;
    /* its pictures tell which way furniture faces */
    bool fronts;
    /* a planner that is asked for no coordinate */
    bool is_wordy;
    /* what the model counts coordinates in */
    picture_scale scale;
    /* a reader's: what its answer may speak of */
    const struct predicates_scope *reader_scope;
    /* what tells a failed solve; NULL: solver_failed */
    const char *solver_prompt;
    /* The role: reads a text into `result` (ETNA_E_INPUT: the text of the error
     * is sent back), or gives up. */
    etna_code (*read)(agent *a, const char *text, etna_error *err);
    void (*give_up)(agent *a, const char *reason);
    union {
        planner_result planner;
        struct {
            executor_result executor;
            planner_result single; /* what a single agent planned */
            bool has_single;
            bool places;  /* it writes poses: there is no solver */
            bool is_kept; /* shown what came of it, it left it so */
            bool is_shown;
        };
        evaluator_result evaluator;
        judge_result judge;
        reader_result reader;
    } result;
};

typedef struct agent_role {
    uint32_t role; /* etna_role */
    uint32_t repairs;
    etna_code (*read)(agent *a, const char *text, etna_error *err);
    void (*give_up)(agent *a, const char *reason);
} agent_role;

/* A conversation without messages; what is needed of task and view is copied.
 * agent_free ends it. */
etna_code agent_new(const agent_role *role,
                    const arrange_task *task,
                    const agent_view *view,
                    agent **ret,
                    etna_error *err);

/* The system message and the first user message from a template with {{task}}.
 * Takes the reference of `task_json`, also on failure; NULL is out of memory.
 * Pictures with their labels: first those that the role's later requests begin
 * with as well, so that a vendor's cache of prompts holds; then the text, the
 * other pictures, the facts. */
typedef struct agent_picture {
    const char *label;
    model_image image;
    bool is_stable; /* comes again, in this place */
} agent_picture;
etna_code agent_open(agent *a,
                     const char *prompt,
                     json_t *task_json,
                     uint32_t picture_count,
                     const agent_picture *pictures,
                     const char *facts,
                     etna_error *err);

/* Asks with the messages as they are. */
void agent_ask(agent *a, agent_step *ret_step);
/* Adds a user message from the template with {{reason}}, raises slot.repair,
 * and asks. */
etna_code agent_send_back(agent *a,
                          const char *prompt,
                          const char *reason,
                          agent_step *ret_step,
                          etna_error *err);

/* Adds a user message from the template with {{reason}} and the picture, raises
 * slot.turn, and asks: the answer was none to be mended. */
etna_code agent_show(agent *a,
                     const char *prompt,
                     const char *reason,
                     const agent_picture *picture,
                     agent_step *ret_step,
                     etna_error *err);

/* What a planner is told: the [task] block, and the images: first and current
 * clean, results annotated; all under the grid (METHODS.md 3, Images). NULL:
 * out of memory. */
json_t *planner_task(agent *a, const arrange_task *task);
agent_picture *planner_history(agent *a,
                               const arrange_task *task,
                               uint32_t *ret_count);
/* Opens a single agent's conversation; *ret is to be freed also on failure. */
etna_code single_open(agent **ret,
                      const arrange_task *task,
                      const agent_view *view,
                      etna_error *err);
/* What an executor's and an evaluator's [task] says of the cameras there are;
 * true also where only one is to be used. False: out of memory. */
bool executor_put_cameras(agent *a, const agent_view *view, json_t *task_json);

/* A JSON string of cleaned, bounded text; NULL in: "". */
json_t *agent_json_text(agent *a, const char *text, size_t max);
/* NULL: out of memory. */
json_t *agent_json_point(const double *values, uint32_t count);
/* Edits, failures and given-up edits as the [task] block tells them. NULL: out
 * of memory. */
json_t *agent_json_edits(agent *a, const arrange_task *task);
/* What an earlier run was told and did. */
json_t *agent_json_before(agent *a, const arrange_task *task);
json_t *agent_json_failures(agent *a, const arrange_task *task);
json_t *agent_json_given_up(agent *a, const arrange_task *task);
/* Puts `value` (stolen; NULL fails) under `key`. */
bool agent_json_set(json_t *object, const char *key, json_t *value);

#endif
