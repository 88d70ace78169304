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

/* Forgets what lies in files that are gone: beneath `root`, or anywhere
 * (NULL). */
etna_code scan_forget(shelf *s,
                      const char *root,
                      uint32_t *ret_removed,
                      etna_error *err);

#endif
