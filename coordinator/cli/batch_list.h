/* The list of a batch: JSON Lines, a run a line. All of it is checked before
 * anything is begun, so that a night is not lost to a typing error in its last
 * line. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_LIST_H
#define ETNA_COORDINATOR_CLI_BATCH_LIST_H

#include "coordinator/cli/run_request.h"
#include "proto/hash.h"

/* Bounds of a list. A longer one is told to be split. */
enum {
    /* runs */
    BATCH_LINES_MAX = 100000,
    /* of the whole file */
    BATCH_LIST_BYTES_MAX = 256 << 20,
    /* characters of a name, all ASCII */
    BATCH_NAME_MAX = 128,
    BATCH_FLAGS_MAX = 64 /* words */
};

/* One run of the list. All texts live in the arena of batch_list_read(). */
typedef struct batch_line {
    unsigned number; /* in the file, from 1 */
    /* Letters, digits, . _ and -, the first neither . nor -: a folder's name
     * that is safe in every shell, URL and page. */
    const char *name;
    /* as the list has it, for summaries; request.scene is the path to open: a
     * relative one is relative to the list's folder */
    const char *scene;
    /* checked by run_request_consider(); its models are read when the run is
     * begun (run_request_read_models), as --models may change between starts */
    run_request request;
    /* of the line's JSON in sorted compact form: changes of white space or of
     * the order of keys keep it */
    etna_hash hash;
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
