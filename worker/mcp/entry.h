/* The entry of a server in an MCP client's configuration, put into the text
 * that is there: everything else keeps its bytes. Pure. The text is a user's
 * file and may hold anything. */
#ifndef ETNA_WORKER_MCP_ENTRY_H
#define ETNA_WORKER_MCP_ENTRY_H

#include "proto/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct entry_client { /* static storage */
    const char *name;         /* as --install takes it */
    const char *title;
    /* of its file; "~/": beneath the home folder, "$/": beneath that of
     * configurations */
    const char *place;
    const char *key; /* of the object that holds servers by name */
    bool has_type;   /* an entry says that it is spoken to over stdio */
} entry_client;

/* NULL: none is called so. */
const entry_client *entry_find_client(const char *name);
const char *entry_client_names(void); /* "claude-desktop, ..." */

/* {"command", "args"} and what else the client wants; NULL: out of memory.
 * `args` is borrowed. */
json_t *entry_make(const entry_client *client,
                   const char *command,
                   const json_t *args);
/* The whole of a configuration that has nothing else; to be freed. NULL: out of
 * memory. */
char *entry_document(const entry_client *client,
                     const char *server,
                     const json_t *entry);

typedef enum entry_change {
    ENTRY_SAME,
    ENTRY_ADDED,
    ENTRY_REPLACED
} entry_change;
/* `text` with the entry under `server`. ETNA_E_INPUT: it is no JSON object with
 * room for it, and what the client makes of such a file is not known. The
 * caller frees *ret_text (NUL-terminated). */
etna_code entry_put(const entry_client *client,
                    const char *server,
                    const json_t *entry,
                    const char *text,
                    size_t size,
                    char **ret_text,
                    entry_change *ret_change,
                    etna_error *err);

#endif
