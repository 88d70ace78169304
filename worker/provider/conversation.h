/* A conversation with a model, neutral of any vendor: what every role fills in
 * and every provider answers. The built-in agent answers the same structs by
 * the same grammar, seeing nothing but `facts` and tools. All pointers live in
 * an arena of the holder's. */
#ifndef ETNA_WORKER_PROVIDER_CONVERSATION_H
#define ETNA_WORKER_PROVIDER_CONVERSATION_H

#include "proto/arena.h"
#include "proto/arrange.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "proto/seed.h"

enum {
    /* bytes of a reply's text that are kept */
    MODEL_REPLY_TEXT_MAX = 1 << 20,
    MODEL_REPLY_CALLS_MAX = 64,            /* tool calls in one reply */
    MODEL_REPLY_ARGUMENTS_MAX = 256 << 10, /* bytes of one call's arguments */
    /* bytes of a provider's own turn; a larger one is not kept, the turn is
     * rebuilt */
    MODEL_TURN_MAX = 4 << 20
};

typedef enum model_part_kind {
    MODEL_TEXT = 1,
    MODEL_IMAGE,
    MODEL_FACTS,
    MODEL_TOOL_CALL,
    MODEL_TOOL_RESULT
} model_part_kind;

/* by what it shows; the pixels are made only when a provider needs them */
typedef struct model_image {
    /* before: annotated edit before -> snapshot; zero: none */
    etna_hash snapshot, before;
    const char *camera;
    uint32_t width, height;
    bool grid;
    bool fronts;        /* arrows tell which way furniture faces */
    const char *object; /* annotated object, or NULL */
    /* names between commas, or NULL; a comma or backslash of a name stands
     * behind a backslash */
    const char *highlight;
} model_image;

typedef struct model_part {
    model_part_kind kind;
    /* TEXT; FACTS: JSON; TOOL_RESULT: JSON; TOOL_CALL: arguments JSON */
    const char *text;
    const char *tool_name; /* TOOL_CALL, TOOL_RESULT */
    const char *tool_id;   /* TOOL_CALL, TOOL_RESULT: pairs them */
    /* later requests begin as this one does up to here: for caches of prompts;
     * reaches no hash */
    bool is_stable_end;
    model_image image;
} model_part;

typedef enum model_author {
    MODEL_SYSTEM = 1,
    MODEL_USER,
    MODEL_ASSISTANT,
    MODEL_TOOL
} model_author;

/* a provider's own JSON of an assistant's turn, to be sent back as it came but
 * for white space; all zero: none */
typedef struct model_turn {
    const char *json;
    /* wire and vendor's model that made it: worth nothing to any other, which
     * rebuilds the turn from its parts */
    const char *of;
} model_turn;

typedef struct model_message {
    model_author author;
    uint32_t part_count;
    model_part *parts;
    /* ASSISTANT; reaches no hash: a slot's request is known by what its parts
     * say */
    model_turn turn;
} model_message;

typedef struct model_tool {
    const char *name, *description, *schema; /* JSON schema of the arguments */
} model_tool;

typedef struct model_request {
    const char *model;
    uint32_t role; /* etna_role */
    uint64_t seed; /* etna_seed of the slot */
    uint32_t message_count;
    model_message *messages;
    uint32_t tool_count;
    const model_tool *tools;
} model_request;

typedef struct model_reply {
    const char *text; /* "" when there are only tool calls */
    uint32_t call_count;
    model_part *calls; /* MODEL_TOOL_CALL */
    message_usage usage;
    /* as kept with the reply; the agent puts it into the message it appends */
    model_turn turn;
    /* ended by a length limit: calls whose arguments do not parse were left
     * out */
    bool cut_off;
} model_reply;

/* Canonical bytes of a request (model, role, seed, messages, tools; images as
 * (snapshot, camera, kind, size, overlays), never their pixels) and its
 * hash. */
etna_code model_request_hash(const model_request *request,
                             etna_hash *ret_hash,
                             etna_error *err);
/* A reply as the blob the store keeps, and back (bounded, hostile). Caller
 * frees *ret_data. ETNA_E_LIMIT when a text is longer than a reply may have or
 * is no UTF-8. */
etna_code model_reply_encode(const model_reply *reply,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err);
/* Errors: ETNA_E_NEWER (a newer version wrote it), ETNA_E_MESSAGE (the bytes
 * are no reply), ETNA_E_NOMEM; *ret is untouched then. Texts are copies in
 * `arena`; `data` may go. */
etna_code model_reply_decode(const uint8_t *data,
                             size_t size,
                             etna_arena *arena,
                             model_reply *ret,
                             etna_error *err);

/* The built-in agent. Pure function of the request; CPU work, so it runs on the
 * pool. */
etna_code builtin_answer(const model_request *request,
                         etna_arena *arena,
                         model_reply *ret,
                         etna_error *err);

#endif
