/* What is known of assets, kept in the store's folder `assets`: an LMDB
 * environment of its own, so that who indexes or searches needs not own the
 * store's journal. Any process may write; transactions are short. */
#ifndef ETNA_WORKER_ASSETS_SHELF_H
#define ETNA_WORKER_ASSETS_SHELF_H

#include "store/kv.h"
#include "worker/assets/asset.h"
#include "worker/assets/lot.h"

typedef struct shelf shelf;

/* Of the store's directory. `writable` makes what is missing; else
 * ETNA_E_NOTFOUND where nothing was indexed yet. ETNA_E_IO, ETNA_E_CORRUPT ...
 * as kv_open_lmdb says. */
etna_code shelf_open(const char *store_path,
                     bool writable,
                     shelf **ret,
                     etna_error *err);
/* In memory, for tests. */
etna_code shelf_open_memory(shelf **ret, etna_error *err);
void shelf_close(shelf *s); /* NULL is fine */

/* What a scan of these bytes came to: ETNA_E_NOTFOUND when they were never
 * scanned. *ret_fault is "" or why it failed. */
etna_code shelf_get_scan(shelf *s,
                         const etna_hash *stamp,
                         etna_hash *ret_hash,
                         char *ret_fault,
                         size_t fault_size,
                         etna_error *err);
/* A scan with its shape and its views together (of one that failed, why). */
etna_code shelf_put_scan(shelf *s, const lot_scan *scan, etna_error *err);
/* Scans that failed, by the stamps and faults of these of the list, in one
 * transaction: a folder may have a million files that are no models. */
etna_code shelf_put_faults(shelf *s,
                           const asset *list,
                           const uint32_t *items,
                           uint32_t count,
                           etna_error *err);

/* The views that were drawn of that model: a PNG, which `look` gets in place
 * for as long as it runs. ETNA_E_NOTFOUND. */
typedef etna_code (*shelf_look)(void *context,
                                const uint8_t *data,
                                size_t size,
                                etna_error *err);
etna_code shelf_with_views(shelf *s,
                           const etna_hash *hash,
                           shelf_look look,
                           void *context,
                           etna_error *err);

/* What a model said of that asset, in place of what was said before. */
etna_code shelf_put_caption(shelf *s,
                            const etna_hash *hash,
                            const asset_caption *caption,
                            etna_error *err);

/* Replaces everything that is told of a path by these sources, in one
 * transaction. `count` 0 removes the path. */
etna_code shelf_put_path(shelf *s,
                         const char *path,
                         const asset *sources,
                         uint32_t count,
                         etna_error *err);
/* The same of so many files with one source each, in transactions of some
 * hundreds. */
etna_code shelf_put_files(shelf *s,
                          const asset *files,
                          uint32_t count,
                          etna_error *err);
/* The stamp of a path that is there whole; ETNA_E_NOTFOUND. */
etna_code shelf_get_stamp(shelf *s,
                          const char *path,
                          etna_hash *ret,
                          etna_error *err);

/* What is told of the asset of that path and number, without its shape. Its
 * texts live in the arena. ETNA_E_NOTFOUND. */
etna_code shelf_get_source(shelf *s,
                           const char *path,
                           uint32_t number,
                           etna_arena *arena,
                           asset *ret,
                           etna_error *err);

typedef struct shelf_list { /* all zero is empty */
    uint32_t count;
    /* by hash, path, number; faults last. Of good ones the shape is read, and
     * the caption where there is one */
    asset *assets;
    etna_arena arena;
} shelf_list;
/* Everything. ETNA_E_LIMIT above SHELF_ASSETS_MAX. */
enum {
    SHELF_ASSETS_MAX = 4000000
};
etna_code shelf_read(shelf *s, shelf_list *ret, etna_error *err);
void shelf_list_free(shelf_list *list);

/* Removes scans and shapes that no source names; returns how many. */
etna_code shelf_sweep(shelf *s, uint64_t *ret_removed, etna_error *err);

/* The index: one run of bytes. `look` gets it in place, for as long as it runs;
 * ETNA_E_NOTFOUND: there is none. */
etna_code shelf_put_index(shelf *s,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err);
etna_code shelf_with_index(shelf *s,
                           shelf_look look,
                           void *context,
                           etna_error *err);

/* ---- what models' servers answered ---- */

/* `data` NULL: the row goes. */
typedef struct shelf_reply {
    etna_hash key; /* of what was asked, and whom */
    const uint8_t *data;
    size_t size;
} shelf_reply;

/* What was answered to that; the bytes live in the arena. ETNA_E_NOTFOUND. */
etna_code shelf_get_reply(shelf *s,
                          const etna_hash *key,
                          etna_arena *arena,
                          const uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err);
/* All or none, durable on return. */
etna_code shelf_put_replies(shelf *s,
                            const shelf_reply *replies,
                            uint32_t count,
                            etna_error *err);

/* ---- what furnished rooms rest on, for doing them again ---- */

/* Rows that are there stay; all or none. */
etna_code shelf_keep(shelf *s,
                     const shelf_reply *rows,
                     uint32_t count,
                     etna_error *err);
/* ETNA_E_NOTFOUND; `look` as for the index. */
etna_code shelf_with_kept(shelf *s,
                          const etna_hash *key,
                          shelf_look look,
                          void *context,
                          etna_error *err);
/* Keeps the index as it is now under its hash. ETNA_E_NOTFOUND: it is another
 * one by now. */
etna_code shelf_keep_index(shelf *s, const etna_hash *hash, etna_error *err);
/* Forgets all of it; returns how many rows. */
etna_code shelf_forget_kept(shelf *s, uint64_t *ret_removed, etna_error *err);

/* The packed vectors of a model (vectors.h), as the index. */
etna_code shelf_put_vectors(shelf *s,
                            const etna_hash *model,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err);
etna_code shelf_with_vectors(shelf *s,
                             const etna_hash *model,
                             shelf_look look,
                             void *context,
                             etna_error *err);

#endif
