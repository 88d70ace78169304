/* The part of `etna mcp` between transports and tools: one thread that works,
 * one call after another, while messages go on being read and answered, so that
 * a ping or a cancellation never waits for a search. */
#ifndef ETNA_WORKER_MCP_SERVER_H
#define ETNA_WORKER_MCP_SERVER_H

#include "proto/error.h"
#include "worker/mcp/rpc.h"
#include "worker/mcp/world.h"

enum {
    SERVER_QUEUE_MAX = 256
};

typedef struct server server;
typedef struct server_line server_line; /* a connection's state, counted */

/* Takes the options' bundle, also on failure. `asks_roots`: over stdio, where
 * the client is the user's own program. */
etna_code server_new(const world_options *options,
                     const char *const *root_paths,
                     uint32_t root_count,
                     bool asks_roots,
                     server **ret,
                     etna_error *err);
/* Cancels everything and waits until what a tool began outside of the process
 * has ended; true when the worker has ended, too, so that server_free may be
 * called; else the process must end by _exit. */
bool server_stop(server *s);
/* Joins the thread: only where server_stop was true. */
void server_free(server *s);

/* `send` is called for each answer or notification, under the server's lock,
 * from any thread: it must not block nor call back. It takes `text`. `wake`
 * likewise whenever an origin may wait for nothing more. */
typedef struct server_ends {
    void *context;
    void (*send)(void *context, const rpc_action *action, char *text);
    void (*wake)(void *context, uint64_t origin);
} server_ends;
/* NULL: out of memory */
server_line *server_line_new(server *s, const server_ends *ends);
/* its calls go on until they end, unheard */
void server_line_free(server_line *line);

/* One message of `origin`, as rpc_receive takes it; answers come through
 * `send`, perhaps before it returns. */
void server_receive(server_line *line,
                    uint64_t origin,
                    const rpc_headers *headers,
                    const char *text,
                    size_t size);
/* answers to come */
uint32_t server_waiting(server_line *line, uint64_t origin);
/* A legacy client has initialized. */
bool server_has_session(server_line *line);
/* Whoever waited for `origin` is gone: its calls are cancelled. */
void server_forget(server_line *line, uint64_t origin);

/* ---- transports; both return the exit code ---- */

/* Lines on fd `in` and `out` until `in` ends or SIGINT or SIGTERM comes (both
 * blocked by the caller). */
int server_stdio(server *s, int in, int out);

typedef struct server_http_options {
    /* HOST:PORT, [V6]:PORT, :PORT or PORT; port 0: any */
    const char *address;
    /* another name that Host and Origin may have, or NULL */
    const char *allow_host;
    /* of Authorization: Bearer, or NULL: none is asked for */
    const char *token;
} server_http_options;
/* Serves until SIGINT or SIGTERM (blocked by the caller). ETNA_E_USAGE for an
 * address that can't be read or is not loopback and has no token;
 * ETNA_E_NETWORK. */
etna_code server_http(server *s,
                      const server_http_options *options,
                      etna_error *err);

#endif
