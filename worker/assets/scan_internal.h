/* What the two halves of a scan share: scan.c finds what is to be read,
 * scan_models.c reads it. */
#ifndef ETNA_WORKER_ASSETS_SCAN_INTERNAL_H
#define ETNA_WORKER_ASSETS_SCAN_INTERNAL_H

#include "worker/assets/scan.h"

enum {
    PATH_BYTES = 4096
};

typedef struct scan_paths_list {
    char **paths;
    uint32_t count, room;
} scan_paths_list;

typedef struct scanning {
    shelf *shelf;
    const scan_options *options;
    scan_paths_list files, roots;
    scan_report report;
} scanning;

void scanning_say(scanning *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the models that the shelf has no scan of, and sets each one's hash,
 * shape or fault. Texts live in the arena. */
etna_code scan_models(scanning *x,
                      asset *list,
                      uint32_t count,
                      etna_arena *arena,
                      etna_error *err);

#endif
