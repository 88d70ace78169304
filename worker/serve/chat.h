/* The server's side of OpenAI-compatible Chat Completions, as pure functions:
 * messages to a neutral request that the built-in agent answers, its reply to a
 * completion. What provider_chat.c wrote is read back: facts stand as a text
 * between [facts] and [end of facts] on lines of their own, results of tools
 * follow as messages of their own.
 *
 * Who is to answer is told by the headers x-etna-role and x-etna-seed, which
 * every chat call of ours bears; without them by the system message, when it is
 * one of ours, with seed 0. */
#ifndef ETNA_WORKER_SERVE_CHAT_H
#define ETNA_WORKER_SERVE_CHAT_H

#include "worker/provider/conversation.h"

enum {
    /* bytes of a request: images come in base64 and are not looked at */
    CHAT_BODY_MAX = 64 << 20,
    CHAT_MESSAGES_MAX = 4096,
    CHAT_TOOLS_MAX = 128
};

/* `role`, `seed`: the headers, or NULL. Hostile. ETNA_E_INPUT says what is
 * wrong, in words for whom asks; ETNA_E_NOMEM. */
etna_code chat_read(const char *body,
                    size_t size,
                    const char *role,
                    const char *seed,
                    etna_arena *arena,
                    model_request *ret,
                    etna_error *err);
/* The completion as JSON, malloc'd. `id` names it. ETNA_E_NOMEM. */
etna_code chat_write(const model_request *request,
                     const model_reply *reply,
                     const char *id,
                     char **ret_json,
                     etna_error *err);
/* The code of an error: there is no [task] block, or are no facts, as every
 * planner, executor and evaluator of a run has them. */
#define CHAT_NO_TASK "etna_no_task"
/* {"error": {...}}, malloc'd; NULL: out of memory. `error_code` NULL: null. */
char *chat_error(const char *type, const char *error_code, const char *text);

#endif
