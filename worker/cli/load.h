/* A scene from disk for the commands that work on one file: bundle, import, mark static parts, a space at the base poses. */
#ifndef ETNA_WORKER_CLI_LOAD_H
#define ETNA_WORKER_CLI_LOAD_H

#include "worker/space/space.h"

typedef struct loaded_scene { /* all zero is empty */
    uint8_t *bundle;
    size_t bundle_size;
    scene *scene;
    space_shared *shared;
    space *space;
} loaded_scene;

/* ETNA_E_INPUT and friends with the path in the text; *ret is empty then. `like`: NULL, or the scene whose division into
 * objects and whose static flags hold for this file too (scene_import_like). */
etna_code load_scene(const char *path, const scene_options *options, const scene *like, loaded_scene *ret, etna_error *err);
void load_scene_free(loaded_scene *loaded);

/* Reads `--unit X` and `--up Y|Z` values; false and a line on stderr when they are wrong. */
bool load_option(scene_options *options, const char *name, const char *value);

/* Prints "etna: text" on stderr without control characters and returns the exit code. */
int load_report(const etna_error *err);

#endif
