/* Reads models from files, folders and catalogues onto the shelf. Models are
 * read in processes of their own, so that one that crashes or hangs is one
 * line; what was read once is not read again while the file's bytes stay the
 * same, also after a scan that was killed. Call it while the process has one
 * thread (it forks). */
#ifndef ETNA_WORKER_ASSETS_SCAN_H
#define ETNA_WORKER_ASSETS_SCAN_H

#include "worker/assets/shelf.h"

#define SCAN_DEBIAN_FURNITURE "/usr/share/sweethome3d/furniture"

enum {
    SCAN_FILES_MAX = 2000000, /* that one scan looks at */
    SCAN_DEPTH_MAX = 64,      /* folders within folders */
    SCAN_JOBS_MAX = 64
};

typedef struct scan_options {
    uint32_t jobs; /* processes that read models at once; from 1 */
    void (*say)(void *context,
                /* one line for each model that is left out, and why */
                const char *line);
    /* of one library's models, or of all files */
    void (*progress)(void *context, uint32_t done, uint32_t all);
    void *context;
} scan_options;

typedef struct scan_report {
    uint32_t models;  /* seen */
    uint32_t read;    /* of them, read now */
    uint32_t faults;  /* of them, left out */
    uint32_t removed; /* that are gone since the last scan */
} scan_report;

/* Each of `paths` is a model, a .sh3f library, a folder, or a text file (.txt,
 * .list) with such paths, one a line. ETNA_E_INPUT when one of them is nothing
 * of this kind; a broken model or library is a line, and the others stay. */
etna_code scan_paths(shelf *s,
                     const char *const *paths,
                     uint32_t count,
                     const scan_options *options,
                     scan_report *ret_report,
                     etna_error *err);

/* What is not scanned yet, for others to read (lot.h): at most SCAN_LOTS_MAX
 * lots, the same for the same models, each given to `lot`. Models are converted
 * where they lie, and kept in a folder beside the shelf (`store_path`) until
 * scan_lots_take, so that a scan that was killed converts nothing twice. None
 * where fewer than SCAN_LOTS_LEAST models wait: these are read quicker than
 * others are asked. Call it while the process has one thread. */
enum {
    SCAN_LOTS_MAX = 64,
    SCAN_LOTS_BYTES = 512 << 20, /* beyond which no lot is begun */
    SCAN_LOTS_LEAST = 8
};
typedef etna_code (*scan_lot_fn)(void *context,
                                 uint32_t models,
                                 const uint8_t *data,
                                 size_t size,
                                 etna_error *err);
etna_code scan_lots(shelf *s,
                    const char *store_path,
                    const char *const *paths,
                    uint32_t count,
                    const scan_options *options,
                    scan_lot_fn lot,
                    void *context,
                    etna_error *err);
/* What came of one lot goes onto the shelf, and the models out of the folder.
 * ETNA_E_INPUT: it is not what comes of a lot. */
etna_code scan_lots_take(shelf *s,
                         const char *store_path,
                         const uint8_t *data,
                         size_t size,
                         etna_error *err);

/* Whatever still waits for a lot is not needed any more. */
void scan_lots_clear(const char *store_path);

/* Forgets what lies in files that are gone: beneath `root`, or anywhere
 * (NULL). */
etna_code scan_forget(shelf *s,
                      const char *root,
                      uint32_t *ret_removed,
                      etna_error *err);

#endif
