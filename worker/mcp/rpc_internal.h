/* Inside rpc: what a connection holds, and how answers are made. */
#ifndef ETNA_WORKER_MCP_RPC_INTERNAL_H
#define ETNA_WORKER_MCP_RPC_INTERNAL_H

#include "worker/mcp/rpc.h"

/* of 2025-03-26: answered by one array when all its calls have ended */
typedef struct rpc_batch {
    uint64_t origin;
    uint32_t open;
    json_t *replies;
} rpc_batch;

typedef struct rpc_pending { /* a call under way */
    uint64_t call, origin;
    json_t *id, *token; /* token NULL: no progress is wanted */
    json_t *uri;        /* of a resource that is read; NULL: a tool is called */
    bool modern;
    double told; /* progress */
    rpc_batch *batch;
} rpc_pending;

struct rpc {
    const rpc_host *host;
    const char *session; /* one of the revisions, static storage */
    uint64_t next_call;
    bool has_roots; /* as the client said when it began */
    /* questions so far: only the last one's answer counts */
    uint32_t roots_asked;
    uint32_t pending_count;
    rpc_pending pending[RPC_PENDING_MAX];
};

typedef struct rpc_message { /* one that is being answered */
    rpc *r;
    uint64_t origin;
    const rpc_headers *headers;
    json_t *id; /* NULL: none can be told */
    const char *method;
    const json_t *params; /* an object or NULL */
    bool modern;
    rpc_batch *batch;
    rpc_actions *out;
} rpc_message;

enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_NOT_FOUND = -32002, /* a resource, to legacy revisions */
    RPC_HEADER_MISMATCH = -32020,
    RPC_UNSUPPORTED_VERSION = -32022
};

/* NULL: out of memory */
rpc_action *rpc_action_add(rpc_actions *out, rpc_action_kind kind);
/* Both take the reference of what they send. */
void rpc_reply(const rpc_message *m, json_t *result);
/* An error as the message's answer; takes `data` over (NULL: none). */
void rpc_refuse(const rpc_message *m,
                int code,
                uint32_t status,
                const char *text,
                json_t *data);
/* To whom it may concern: into the batch, or out as a message. Takes
 * `message`. */
void rpc_emit(rpc_actions *out,
              uint64_t origin,
              rpc_batch *batch,
              json_t *message,
              uint32_t status,
              bool last);
/* One call less to wait for; the last one sends the replies and frees the
 * batch. NULL: the message was not of a batch. */
void rpc_batch_close(rpc_batch *batch, rpc_actions *out);

json_t *rpc_versions(void);                  /* all we know, newest first */
const char *rpc_legacy(const char *version); /* in static storage, or NULL */
/* Does the connection, or this modern request, speak that revision or a later
 * one? */
bool rpc_since(const rpc *r, bool modern, const char *version);
/* A copy of one of the host's lists, without what the connection's revision
 * does not know. */
json_t *rpc_list_for(const rpc *r, bool modern, const json_t *list);

/* ---- rpc_scan.c: a message's bytes, before or without parsing them ---- */
/* Jansson takes a few bytes of stack and more of heap for each bracket; nobody
 * honest needs many. */
bool rpc_scan_too_deep(const char *text, size_t size);
/* The id of a request that cannot be parsed: a new reference of any kind of
 * value. NULL: the bytes tell none. */
json_t *rpc_scan_id(const char *text, size_t size);

/* ---- rpc_serve.c: prompts, resources, roots ---- Each answers a request of
 * the method of its name. */
void rpc_list_prompts(const rpc_message *m);
void rpc_get_prompt(const rpc_message *m);
void rpc_list_resources(const rpc_message *m);
void rpc_list_templates(const rpc_message *m);
void rpc_read_resource(const rpc_message *m);
/* One of the host's lists under `key`, as the connection's revision knows it;
 * NULL: the method is refused. */
void rpc_answer_list(const rpc_message *m, const char *key, const json_t *list);
/* A call or reading that begins: its action, or NULL after a refusal. Takes
 * `given` and `name`. */
rpc_action *rpc_begin_call(const rpc_message *m,
                           rpc_action_kind kind,
                           char *name,
                           json_t *given);
/* Asks the client for its roots, if it has any and we want them. */
void rpc_ask_roots(rpc *r, uint64_t origin, rpc_actions *out);
/* A message that answers a question of ours, as it seems. */
void rpc_take_answer(rpc *r, const json_t *message, rpc_actions *out);

#endif
