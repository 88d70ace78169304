/* Private to the store: the handle and what its files share. */
#ifndef ETNA_STORE_STORE_INTERNAL_H
#define ETNA_STORE_STORE_INTERNAL_H

#include "store/hashset.h"
#include "store/kv.h"
#include "store/row.h"
#include "store/store.h"

/* The handle. */
struct store {
    kv *db;
    bool memory, read_only, mirrored;
    int owner_fd; /* -1: not the owner */
    store_owner owner;
    /* when it was written to last before it was opened; Unix time */
    uint64_t last_write_ms;
    uint64_t epoch_least;
    bool group_open;
    /* a group that was sent on its way; its rows cannot be read yet */
    store_group *leaving;
    /* not ETNA_OK: a commit failed, so what is on the disk is unknown */
    etna_code dead;
    char dead_text[256];
    hashset verified; /* blobs whose bytes this process has hashed */
};

/* Of a journal's environment. */
enum {
    STORE_TABLES = 1 << KV_META | 1 << KV_RUNS | 1 << KV_JOURNAL |
                   1 << KV_REPLIES | 1 << KV_BLOBS
};

/* A store on tables of the caller's, which it takes in every case: for tests
 * and the simulator. ETNA_E_NEWER, ETNA_E_CORRUPT, ETNA_E_NOMEM. */
etna_code store_open_on(kv *db,
                        uint64_t epoch_least,
                        store **ret_store,
                        etna_error *err);

/* The rows of meta that a new store begins with; within a write transaction. */
etna_code store_put_format(kv_txn *txn, etna_error *err);
etna_code store_put_owner(kv_txn *txn,
                          const store_owner *owner,
                          etna_error *err);

/* ETNA_OK, or why nothing may be done with this store any more. Every public
 * function asks first. */
etna_code store_alive(const store *s, etna_error *err);
/* Inside a write: ETNA_E_STALE unless the epoch on disk is still ours. */
etna_code store_check_epoch(store *s, kv_txn *txn, etna_error *err);
/* A write transaction that first checks the epoch. Any failure but ETNA_E_FULL
 * kills the store, also the body's own: what it was about to say is not
 * durable, and nobody may believe so. */
etna_code store_write(store *s, kv_body body, void *context, etna_error *err);
/* The same, but that a failure is only returned: any thread. */
etna_code store_carry(store *s, kv_body body, void *context, etna_error *err);
/* Nothing may be done with the store any more. */
void store_die(store *s, const etna_error *why);
/* Whether a group is open or on its way. */
bool store_is_written(const store *s);
/* A new file is durable only once its directory is. Best effort. */
void store_sync_directory(const char *path);
/* False also where it cannot be read. */
bool store_has_row(store *s, kv_table table, kv_view key);
/* A copy of one row, malloc'd. ETNA_E_NOTFOUND without a name of the row. */
etna_code store_copy_row(store *s,
                         kv_table table,
                         kv_view key,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err);

#endif
