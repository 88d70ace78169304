/* A tool call's arguments as models write them, made what the tools read.
 * Pure. */
#ifndef ETNA_WORKER_AGENTS_ARGUMENTS_H
#define ETNA_WORKER_AGENTS_ARGUMENTS_H

#include "worker/agents/scale.h"
#include "worker/provider/conversation.h"

/* The tool that a call's name means: as it stands, else in any case, without
 * what servers put around it ("functions.ray_probe", "ray_probe<|channel|>").
 * NULL: none. */
const model_tool *arguments_tool(const char *name,
                                 uint32_t tool_count,
                                 const model_tool *tools);

/* Arguments that are no strict JSON are read loosely, and unwrapped; lists
 * written as texts become lists; the one argument that the tool needs is taken
 * where another name was written for it; coordinates over 1 are brought to 0..1
 * where `scale` tells what they are counted in. `call->tool_name` and
 * `call->text` are the same, a tool's or a text in `arena`: what cannot be read
 * stays, for the tool to say what is wrong. ETNA_E_NOMEM. */
etna_code arguments_mend(model_part *call,
                         uint32_t tool_count,
                         const model_tool *tools,
                         picture_scale *scale,
                         etna_arena *arena,
                         etna_error *err);

#endif
