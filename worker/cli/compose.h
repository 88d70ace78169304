/* What `etna scene compose` does between its spec and its scene: the assets are
 * found and read, and everything is set where it can stand. */
#ifndef ETNA_WORKER_CLI_COMPOSE_H
#define ETNA_WORKER_CLI_COMPOSE_H

#include "worker/convert/compose.h"

#include <jansson.h>

enum {
    COMPOSE_FOLDERS_MAX = 16
};

typedef struct composing { /* all zero is empty */
    const char *spec_path;
    /* where assets are looked for that are not beside the spec */
    const char *folders[COMPOSE_FOLDERS_MAX];
    uint32_t folder_count;
    compose_spec spec;
    uint32_t asset_count;
    compose_asset *assets; /* each once; path is the spec's */
    compose_place *places; /* of the spec's objects */
    uint8_t *picture_data[3];
    compose_picture pictures[3];
    /* texts: what cannot stand where it should, what cuts what */
    json_t *faults;
} composing;

/* Reads the spec, every asset and every picture. Must be called while the
 * process has one thread (it forks). */
etna_code composing_read(composing *c, etna_error *err);
/* Decides where everything stands; what cannot be is added to the faults. */
etna_code composing_place(composing *c, etna_error *err);
/* Finds what is wrong in the finished scene, and adds it to the faults. */
etna_code composing_check(composing *c,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err);
void composing_free(composing *c);

#endif
