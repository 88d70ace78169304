/* The roles' parts of a conversation: from a request to a text or calls. */
#ifndef ETNA_WORKER_BUILTIN_ROLES_H
#define ETNA_WORKER_BUILTIN_ROLES_H

#include "worker/builtin/builtin.h"

typedef struct builtin_talk { /* the parts of a request that the roles read */
    const model_request *request;
    builtin_facts facts;
    const struct json_t *task; /* the [task] block */
    uint32_t refusals;         /* how often an answer was sent back */
    const char *last_answer;   /* the assistant's last text, or "" */
    etna_arena *arena;
} builtin_talk;

etna_code builtin_planner(builtin_talk *talk,
                          model_reply *ret,
                          etna_error *err);
etna_code builtin_executor(builtin_talk *talk,
                           model_reply *ret,
                           etna_error *err);
/* The ablations' conversations (single.c): planner and executor in one; and the
 * pose itself, as a placement or a script, of an object whose bottom comes to
 * `bottom`, turned by `turn` degrees. */
etna_code builtin_single(builtin_talk *talk, model_reply *ret, etna_error *err);
etna_code builtin_pose(builtin_talk *talk,
                       uint32_t object,
                       const double bottom[3],
                       double turn,
                       bool script,
                       model_reply *ret,
                       etna_error *err);
etna_code builtin_evaluator(builtin_talk *talk,
                            model_reply *ret,
                            etna_error *err);
/* The executor's constraints for a thing that is to hang; the image coordinate
 * is the planner's. */
etna_code builtin_hang_constrain(builtin_talk *talk,
                                 const builtin_move *move,
                                 uint32_t object,
                                 const double coordinate[2],
                                 model_reply *ret,
                                 etna_error *err);
/* Places given up before, of the task's list `key`, for `object`; *ret_count 0
 * when there are none. ETNA_E_NOMEM. */
etna_code builtin_given_up(builtin_talk *talk,
                           const char *key,
                           uint32_t object,
                           const double (**ret)[3],
                           uint32_t *ret_count,
                           etna_error *err);
/* A reply of text alone, from a format. */
etna_code builtin_say(builtin_talk *talk,
                      model_reply *ret,
                      etna_error *err,
                      const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* The name in quotes that builtin_words reads back as one word. */
const char *builtin_quote(builtin_talk *talk, const char *name);

#endif
