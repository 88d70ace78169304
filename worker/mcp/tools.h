/* The tools of `etna mcp`: one table of what each is called, takes, gives and
 * does. None runs code; the only files they write lie under the folder that the
 * user named. */
#ifndef ETNA_WORKER_MCP_TOOLS_H
#define ETNA_WORKER_MCP_TOOLS_H

#include "worker/mcp/rpc.h"
#include "worker/mcp/world.h"

enum {
    MCP_IMAGE_MAX =
        480
        /* bytes of an image before base64: with all else a result stays far
         * below 1 MB */
        << 10,
    MCP_IMAGE_SIDE = 1024
};

typedef struct mcp_call {    /* one call under way */
    const json_t *arguments; /* checked against the input schema */
    /* may be asked from the call's thread at any time */
    bool (*cancelled)(void *context);
    void (*progress)(void *context,
                     double progress,
                     double total,
                     const char *message);
    void *context;
    /* what comes out */
    json_t *structured;
    uint8_t *image;
    size_t image_size;
    const char *image_type;
} mcp_call;

typedef struct mcp_tool {
    const char *name, *title, *description;
    const char *input; /* JSON: the properties of the input schema */
    const char *needs,
        /* space-separated names: of required arguments, and of what every
         * answer has */
        *gives;
    bool reads_only, destroys, idempotent, open;
    etna_code (*run)(world *w, mcp_call *call, etna_error *err);
} mcp_tool;

/* tools/list's array; NULL when memory ends. */
json_t *mcp_tools_list(void);

/* Runs a tool of the table: CPU work. What a model can mend is a result with
 * is_error; nothing else goes wrong but memory, which is a result without
 * content. */
void mcp_tools_call(world *w,
                    const char *name,
                    const json_t *arguments,
                    bool (*cancelled)(void *),
                    void (*progress)(void *, double, double, const char *),
                    void *context,
                    rpc_result *ret);

#endif
