/* What the two halves of a scan share: scan.c finds what is to be read,
 * scan_models.c reads it. */
#ifndef ETNA_WORKER_ASSETS_SCAN_INTERNAL_H
#define ETNA_WORKER_ASSETS_SCAN_INTERNAL_H

#include "worker/assets/lot.h"
#include "worker/assets/scan.h"

enum {
    PATH_BYTES = 4096
};

typedef struct scan_paths_list {
    char **paths;
    uint32_t count, room;
} scan_paths_list;

/* Models that are to be read by others, in the order in which they were
 * found. */
typedef struct gathering {
    const char *folder; /* where each lies, converted, under its stamp */
    uint32_t most, count, room;
    etna_hash *stamps;
} gathering;

typedef struct scanning {
    shelf *shelf;
    const scan_options *options;
    scan_paths_list files, roots;
    scan_report report;
    gathering *gather; /* NULL: models are read here, and told of */
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

/* One model into the folder, whole or not at all. ETNA_E_IO, ETNA_E_FULL,
 * ETNA_E_NOMEM. */
etna_code gather_keep(const char *folder,
                      const lot_item *model,
                      etna_error *err);
bool gather_has(const char *folder, const etna_hash *stamp);
/* Beyond `most` it is left for the next time. */
etna_code gather_add(gathering *lots, const etna_hash *stamp, etna_error *err);

/* Finds what is not scanned yet and converts it into the folder. */
etna_code scan_gather(shelf *s,
                      const char *const *paths,
                      uint32_t count,
                      const scan_options *options,
                      gathering *lots,
                      etna_error *err);

#endif
