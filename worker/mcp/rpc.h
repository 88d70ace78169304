/* What MCP says on the wire, as a function of (state of a connection, message)
 * -> actions: JSON-RPC of both eras. The legacy revisions (2024-11-05 to
 * 2025-11-25) begin with `initialize` and have sessions; the modern one
 * (2026-07-28) has neither, and tells its version in `_meta` of every request.
 * One connection may see both. No clock, no I/O, no threads: a transport feeds
 * it and does what it says, under a lock of its own. Messages come from outside
 * and are hostile. */
#ifndef ETNA_WORKER_MCP_RPC_H
#define ETNA_WORKER_MCP_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RPC_MESSAGE_MAX = 4 << 20, /* bytes of one message, or of one batch */
    RPC_DEPTH_MAX = 64,        /* brackets within brackets */
    RPC_BATCH_MAX = 64,        /* messages of a batch */
    RPC_PENDING_MAX = 64,      /* calls of a connection at once */
    /* bytes of an id or progress token that is a text */
    RPC_ID_MAX = 1024
};

#define RPC_MODERN "2026-07-28"

typedef struct rpc_host { /* who answers; borrowed, and constant */
    const char *name, *title, *version, *instructions;
    /* array of what tools/list tells of the newest revision; older ones get
     * less */
    const json_t *tools;
    /* likewise; NULL: none are served */
    const json_t *prompts, *resources, *templates;
    /* The messages of one of `prompts`, a new array. NULL: memory ended, or
     * *ret_wrong says what is wrong with the arguments (an object, or NULL). */
    json_t *(*prompt)(const char *name,
                      const json_t *arguments,
                      const char **ret_wrong);
    /* of a client that has roots; only where it runs on this machine, as the
     * user */
    bool asks_roots;
} rpc_host;

typedef struct rpc_headers { /* of an HTTP request; NULL where there was none */
    const char *version, *method, *name;
} rpc_headers;

/* of a tool, or of a resource that was read; both references are taken */
typedef struct rpc_result {
    json_t *content;    /* array */
    json_t *structured; /* an object, or NULL */
    bool is_error;      /* of a resource: there is none of that URI */
} rpc_result;

typedef enum rpc_action_kind {
    RPC_SEND = 1,
    RPC_CALL,
    RPC_CANCEL,
    RPC_READ,
    RPC_ROOTS
} rpc_action_kind;

typedef struct rpc_action {
    rpc_action_kind kind;
    uint64_t origin; /* SEND: of the message that is answered */
    char *text;      /* SEND: one line of JSON without a newline */
    uint32_t status; /* SEND: what HTTP says with it; 200, 400 or 404 */
    bool last;       /* SEND: no notification nor question; an answer */
    /* CALL, READ, CANCEL: a number of our own, never given twice on a
     * connection */
    uint64_t call;
    char *tool; /* CALL: one of the host's; READ: a URI, as it came */
    /* CALL: an object; ROOTS: the array that the client told */
    json_t *arguments;
    bool wants_progress; /* CALL */
} rpc_action;

typedef struct rpc_actions { /* all zero is empty */
    uint32_t count, room;
    rpc_action *items;
} rpc_actions;
void rpc_actions_free(rpc_actions *actions);

typedef struct rpc rpc;
rpc *rpc_new(const rpc_host *host); /* NULL: out of memory */
void rpc_free(rpc *r);              /* NULL is fine */

/* Is this one of the revisions, legacy or modern, that are served? */
bool rpc_speaks(const char *version);

/* The negotiated legacy revision, or NULL before `initialize`. */
const char *rpc_session(const rpc *r);

/* One message (without the newline) of `origin`, a number of the transport's
 * for whoever is answered. `headers`: NULL but over HTTP. What is to be done is
 * added to *out. When memory ends, answers may be missing, nothing else. */
void rpc_receive(rpc *r,
                 uint64_t origin,
                 const rpc_headers *headers,
                 const char *text,
                 size_t size,
                 rpc_actions *out);
/* How many answers `origin` still waits for. */
uint32_t rpc_waiting(const rpc *r, uint64_t origin);

/* A call or a reading has ended: its answer, or nothing when it was cancelled
 * meanwhile. */
void rpc_finish(rpc *r, uint64_t call, rpc_result result, rpc_actions *out);
/* Where a call stands, if its caller wants to know: `progress` beyond the last
 * one told, `total` 0: not known. */
void rpc_progress(rpc *r,
                  uint64_t call,
                  double progress,
                  double total,
                  const char *message,
                  rpc_actions *out);
/* The call will not be answered. */
void rpc_forget_call(rpc *r, uint64_t call);
/* Whoever waited for `origin` is gone: its calls are cancelled and never
 * answered. */
void rpc_forget(rpc *r, uint64_t origin, rpc_actions *out);

#endif
