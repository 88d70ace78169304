/* A ZIP archive in memory, read with bounds: names that lead out of it,
 * encrypted entries, entries and totals that are too large, and sizes that lie
 * are refused. Nothing is ever unpacked to disk. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_ARCHIVE_H
#define ETNA_WORKER_CONVERT_ARCHIVE_H

#include "proto/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    ARCHIVE_ENTRIES_MAX = 100000
};
#define ARCHIVE_ENTRY_MAX ((size_t)512 << 20) /* bytes unpacked, of one entry */
#define ARCHIVE_TOTAL_MAX ((size_t)2 << 30)   /* and of all that is read */

typedef struct archive archive;

/* Borrows `data` until archive_close. ETNA_E_INPUT, ETNA_E_LIMIT, ETNA_E_NOMEM;
 * texts name the entry. */
etna_code archive_open(const uint8_t *data,
                       size_t size,
                       archive **ret,
                       etna_error *err);
void archive_close(archive *a); /* NULL is fine */
/* Its entries, from 0; archive_open has seen to it that each has a name. */
uint32_t archive_count(const archive *a);
/* As libzip gives it: unchecked. It lives as long as the archive. */
const char *archive_name(const archive *a, uint32_t index);
/* Unpacks the entry of that name (no leading slash). ETNA_E_NOTFOUND when there
 * is none. Caller frees *ret_data, which has a NUL behind its end. */
etna_code archive_read(archive *a,
                       const char *name,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err);

#endif
