/* The reader: one call of a text model before the first plan. It is sent the
 * sentence or the list, the things' names and kinds, and what may be answered;
 * no picture, no facts. Its answer, hostile like every model's, becomes a
 * meaning that the planner's task carries
 * (worker/builtin/read/predicates.h). */
#ifndef ETNA_WORKER_AGENTS_READER_H
#define ETNA_WORKER_AGENTS_READER_H

#include "worker/agents/agent.h"

typedef struct reader_thing {
    /* kind: category or description of the side file; "" */
    const char *name, *kind;
    bool is_static;
} reader_thing;

typedef struct reader_result {
    /* JSON of at most ARRANGE_MEANING_MAX bytes; NULL: the answers could not be
     * used */
    const char *meaning;
    const char *reason; /* then why; else "" */
} reader_result;

/* `task` (kind READ) is copied, `things` and what they point to are borrowed
 * while the agent lives. The slot is (0, 0, ROLE_READER, 0, 0, 0). One repair
 * turn. */
etna_code reader_begin(const arrange_task *task,
                       const reader_thing *things,
                       uint32_t thing_count,
                       agent **ret_agent,
                       agent_step *ret_step,
                       etna_error *err);
/* After AGENT_DONE; the texts are the agent's. */
const reader_result *reader_done(const agent *a);

#endif
