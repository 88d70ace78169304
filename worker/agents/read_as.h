/* What was made of an answer, for whoever wants to see that nothing was read
 * into it: `etna show --conversation` tells it beside what was written, where
 * the two differ. */
#ifndef ETNA_WORKER_AGENTS_READ_AS_H
#define ETNA_WORKER_AGENTS_READ_AS_H

#include "worker/agents/agent.h"

/* Of the answer that `a` was given last: what it was read as, in the form that
 * the prompts ask for. NULL: it was written just so, nothing of it could be
 * read, or memory has ended. Lives in `arena`. */
const char *agent_read_as(const agent *a,
                          const model_reply *reply,
                          etna_arena *arena);

#endif
