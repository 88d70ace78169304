/* What a client is told beside the tools: instructions, prompts that a user can
 * pick, resources to read. */
#ifndef ETNA_WORKER_MCP_PROMPTS_H
#define ETNA_WORKER_MCP_PROMPTS_H

#include "worker/mcp/rpc.h"
#include "worker/mcp/world.h"

extern const char mcp_instructions[];

/* The arrays of prompts/list, resources/list and resources/templates/list; NULL
 * when memory ends. */
json_t *mcp_prompts_list(void);
json_t *mcp_resources_list(void);
json_t *mcp_templates_list(void);

/* rpc_host's `prompt`. */
json_t *mcp_prompt_fill(const char *name,
                        const json_t *arguments,
                        const char **ret_wrong);

/* The contents of a resource; is_error when there is none of that URI, no
 * content when memory ends. */
void mcp_resource_read(world *w, const char *uri, rpc_result *ret);

#endif
