/* The side file of a scene, for the commands that write it. */
#ifndef ETNA_WORKER_CLI_SIDE_FILE_H
#define ETNA_WORKER_CLI_SIDE_FILE_H

#include "worker/cli/load.h"

typedef struct side_file { /* all zero is empty */
    uint8_t *bundle;       /* of the scene */
    size_t bundle_size;
    /* what the side file holds now, in the bundle; NULL: there is none */
    const char *text;
    size_t size;
    char path[4352]; /* where it is, or will be */
} side_file;

/* Reads the scene and its side file. ETNA_E_INPUT and friends; *ret is empty
 * then. */
etna_code side_file_open(const char *scene_path,
                         const scene_options *options,
                         side_file *ret,
                         etna_error *err);
void side_file_close(side_file *side);

/* The scene as it is with `text` (NULL: none) for its side file and a space,
 * for looking at; with `cuts` also with what is static because it cuts into
 * what is. */
etna_code side_file_try(const side_file *side,
                        const char *text,
                        bool cuts,
                        loaded_scene *ret,
                        etna_error *err);

/* Writes `text`, whole or not at all; *ret_written false when the file says the
 * same already. */
etna_code side_file_write(const side_file *side,
                          const char *text,
                          bool *ret_written,
                          etna_error *err);

#endif
