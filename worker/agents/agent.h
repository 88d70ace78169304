/* What the four roles share: a conversation that grows turn by turn as a pure
 * state machine. It never blocks and calls nobody: each function says what is
 * wanted next, and the job that owns it brings that. Messages are only ever
 * appended, so a provider's prompt cache holds, and the request of a slot is
 * the same on every replay.
 *
 *            begin            agent_reply
 *   (new) ---------> ASK -------------------> DONE (the block was read, or nothing was left to try)
 *                     ^ |  answer is no block: sent back with the reason, slot.repair + 1
 *                     | |  tool calls
 *                     | v
 *                    TOOLS --agent_tool_results--> ASK, slot.turn + 1
 *
 * What scenes, users and models wrote is data: it stands JSON-quoted in one
 * [task] block (prompts/), bounded, cleaned of control characters. All pointers
 * that are handed out live until agent_free. */
#ifndef ETNA_WORKER_AGENTS_AGENT_H
#define ETNA_WORKER_AGENTS_AGENT_H

#include "proto/arrange.h"
#include "worker/provider/conversation.h"

enum {
    /* bytes of a reply's text that are read; a longer one is malformed */
    AGENT_REPLY_MAX = 256 << 10,
    AGENT_TURNS_MAX = 12, /* turns with tools; then the answer is asked for */
    /* tool calls in one reply; more are answered with an error */
    AGENT_CALLS_MAX = 16
};

typedef struct agent agent;

typedef enum agent_next {
    AGENT_ASK = 1,
    AGENT_TOOLS,
    AGENT_DONE
} agent_next;

typedef struct agent_step { /* what the agent wants next */
    agent_next next;
    /* ASK: the agent's, unchanged until the next call on it */
    const model_request *request;
    /* ASK: request->seed is etna_seed(run seed, slot) */
    etna_slot slot;
    uint32_t call_count; /* TOOLS */
    /* TOOLS: run each (tools.h), then agent_tool_results with one result per
     * call */
    const model_part *calls;
} agent_step;

typedef struct agent_view { /* what every role is shown beside its task */
    /* JSON of facts.h, or NULL: none is sent (network models, by default).
     * Borrowed as long as the agent lives: it is large, and the same for
     * many */
    const char *facts;
    const char *camera;     /* the camera's name; images are named by it */
    uint32_t width, height; /* pixels of the images */
    /* of them as the model gets them; 0: the same */
    uint32_t sent_width, sent_height;
    /* that the executor and an evaluator may ask for, its own among them; 0:
     * only its own */
    uint32_t camera_count;
    const char *const *cameras;
    /* an evaluator's: what the checks of the edit found; the rest is asked of
     * it */
    bool is_checked;
    uint32_t collisions, floating;
    /* JSON array of the scene's objects (tools_objects), where no tool can list
     * them; or NULL */
    const char *objects;
} agent_view;

typedef struct agent_tool_result {
    const char *json; /* copied */
    bool has_image;
    /* shown in a user message after all tool results: no vendor refuses that */
    model_image image;
} agent_tool_result;

/* Of a side in pixels, what a picture that a place is read from is drawn in: as
 * well to be read as the whole, in which geometry is measured, for a fifth
 * fewer tokens. */
static inline uint32_t agent_picture_side(uint32_t side)
{
    return side * 7 / 8;
}

/* The model's answer to the last request. ETNA_E_NOMEM; ETNA_E_INTERNAL when no
 * answer was wanted. Hostile content is no error: it is sent back or ends in
 * the role's "malformed" result. */
etna_code agent_reply(agent *a,
                      const model_reply *reply,
                      agent_step *ret_step,
                      etna_error *err);
/* One result per call, in the order of the calls. */
etna_code agent_tool_results(agent *a,
                             uint32_t count,
                             const agent_tool_result *results,
                             agent_step *ret_step,
                             etna_error *err);
message_usage agent_usage(const agent *a); /* the sum over all replies so far */
void agent_free(agent *a);                 /* NULL is fine */

#endif
