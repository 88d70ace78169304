/* A scene file is read in a program of its own (`etna-worker bundle`), with
 * limits: the server has threads, and a hostile file or a foreign parser must
 * not take it with it. */
#ifndef ETNA_WORKER_MCP_READING_H
#define ETNA_WORKER_MCP_READING_H

#include "worker/mcp/world.h"

/* `context`: the path of etna-worker. */
world_read reading_scene;

#endif
