/* A tool call's arguments as models write them, made what the tools read. Pure. */
#ifndef ETNA_WORKER_AGENTS_ARGUMENTS_H
#define ETNA_WORKER_AGENTS_ARGUMENTS_H

#include "worker/agents/scale.h"
#include "worker/provider/conversation.h"

/* Arguments that are no strict JSON are read loosely; lists written as texts become lists; coordinates over 1 are
 * brought to 0..1 where `scale` tells what they are counted in. `call->text` is the same or a text in `arena`: what
 * cannot be read stays, for the tool to say what is wrong. ETNA_E_NOMEM. */
etna_code arguments_mend(model_part *call, picture_scale *scale, etna_arena *arena, etna_error *err);

#endif
