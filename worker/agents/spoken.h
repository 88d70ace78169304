/* Tool calls that a model wrote as text, where its server has no parser for
 * them: JSON in tags or fences, XML, a call of Python's, a line of a plan. A
 * call is one only with the name of a tool there is and arguments that it
 * takes. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_SPOKEN_H
#define ETNA_WORKER_AGENTS_SPOKEN_H

#include "worker/provider/conversation.h"

enum {
    SPOKEN_CALLS_MAX = 16
};

/* The calls in the text, in order, with arguments as strict JSON and no ids;
 * *ret_count 0: there are none. ETNA_E_NOMEM. */
etna_code spoken_calls(const char *text,
                       uint32_t tool_count,
                       const model_tool *tools,
                       etna_arena *arena,
                       model_part **ret,
                       uint32_t *ret_count,
                       etna_error *err);

#endif
