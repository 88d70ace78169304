/* `etna mcp --install CLIENT`: writes the entry of this server into a client's
 * configuration. */
#ifndef ETNA_WORKER_CLI_MCP_INSTALL_H
#define ETNA_WORKER_CLI_MCP_INSTALL_H

#include "worker/mcp/world.h"

#include <stdbool.h>

typedef struct mcp_install {
    const char *client;  /* as the user typed it */
    bool prints;         /* the entry, and writes nothing */
    const char *program; /* `etna`, absolute */
    const char *scene;   /* NULL: none */
    const roots *roots;
    const char *folder; /* NULL: none was named */
    const char *model;  /* NULL: none was named */
    const scene_options *import;
} mcp_install;

/* The exit code, after what there is to say was said. */
int mcp_install_run(const mcp_install *asked);

#endif
