/* The list of a batch: JSON Lines, a run a line. All of it is checked before
 * anything is begun, so that a night is not lost to a typing error in its last
 * line. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_LIST_H
#define ETNA_COORDINATOR_CLI_BATCH_LIST_H

#include "coordinator/cli/run_request.h"
#include "proto/hash.h"

enum {
    BATCH_LINES_MAX = 100000,
    BATCH_LIST_BYTES_MAX = 256 << 20,
    BATCH_NAME_MAX = 128,
    BATCH_FLAGS_MAX = 64 /* words */
};

typedef struct batch_line {
    unsigned number; /* in the file, from 1 */
    /* letters, digits, . _ -, not . or - first: a folder's name that no shell
     * and no page mistakes */
    const char *name;
    /* as it stands there; request.scene is the path: one that is not absolute
     * is looked for beside the list */
    const char *scene;
    run_request request; /* considered; its models are not read yet */
    etna_hash hash;      /* of what the line says, however it is written */
} batch_line;

/* A line is {"name", "scene", "goal" or "steps": [...], "seed": N, "flags":
 * ["--branches", "2", ...]}, the last two or not; blank lines are left out.
 * Everything lives in `arena`. ETNA_E_INPUT names file and line: it is no such
 * object, a name is unsafe or there twice, a flag is none of a run's or names
 * what is the batch's (store, output, connection), a text is too long; or there
 * is no line, or too many. Not for several threads at once (flags.h). */
etna_code batch_list_read(const char *path,
                          etna_arena *arena,
                          batch_line **ret_lines,
                          uint32_t *ret_count,
                          etna_error *err);

#endif
