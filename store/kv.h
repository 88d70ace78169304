/* Private to the store: ordered tables of bytes with transactions, the small
 * thing under both makers. Everything that store.h promises is written once
 * above it (rows, chain, owner, verify), so LMDB and memory can't drift apart.
 *
 * A transaction is a callback: kv_read and kv_write run `body` inside one and
 * end it when the body returns, so none outlives a function. Views handed out
 * are valid until the next put or del of the transaction or its end. */
#ifndef ETNA_STORE_KV_H
#define ETNA_STORE_KV_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are on the disk: rows' seals and mirrors' segments hold them. Add
 * behind the last, never renumber. */
typedef enum kv_table {
    KV_META = 0,
    KV_RUNS,
    KV_JOURNAL,
    KV_REPLIES,
    KV_BLOBS,
    KV_USED,    /* cache: hash -> recency stamp, bytes */
    KV_ORDER,   /* cache: recency stamp -> hash */
    KV_SOURCES, /* assets: path and number -> what is said of a model there */
    KV_SHAPES,  /* assets: hash of the model -> what was measured of it */
    /* assets: hash of a file's bytes and number -> hash of the model, or why
     * there is none */
    KV_SCANS,
    KV_INDEX,    /* assets: what is searched */
    KV_VIEWS,    /* assets: hash of the model -> its pictures */
    KV_CAPTIONS, /* assets: hash of the model -> what a model says of them */
    KV_TABLES
} kv_table;

enum {
    KV_KEY_MAX = 64
};

/* Bytes of somebody else. */
typedef struct kv_view {
    const uint8_t *data;
    size_t size;
} kv_view;

typedef struct kv kv;
typedef struct kv_txn kv_txn;
/* What a transaction does. Its error undoes a write; it must not keep views or
 * the transaction, and must not begin another one. */
typedef etna_code (*kv_body)(kv_txn *txn, void *context, etna_error *err);

/* A maker's functions; the contracts are those of kv_*() below. */
typedef struct kv_ops {
    etna_code (*run)(
        kv *db, bool write, kv_body body, void *context, etna_error *err);
    etna_code (*get)(kv_txn *txn,
                     kv_table table,
                     kv_view key,
                     kv_view *ret,
                     etna_error *err);
    etna_code (*put)(kv_txn *txn,
                     kv_table table,
                     kv_view key,
                     kv_view value,
                     etna_error *err);
    etna_code (*del)(kv_txn *txn, kv_table table, kv_view key, etna_error *err);
    etna_code (*seek)(kv_txn *txn,
                      kv_table table,
                      kv_view key,
                      bool forward,
                      kv_view *ret_key,
                      kv_view *ret_value,
                      etna_error *err);
    etna_code (*count)(kv_txn *txn,
                       kv_table table,
                       uint64_t *ret,
                       etna_error *err);
    uint64_t (*file_bytes)(kv *db);
    /* A synced copy into the empty directory, without free pages. */
    etna_code (*copy)(kv *db, const char *directory, etna_error *err);
    /* The same data in a fresh file, which takes the old one's place at once;
     * until then all is as it was. No transaction is open. ETNA_E_FULL says how
     * much room it needs. ETNA_E_IO: it cannot be gone on with; every later
     * call fails. */
    etna_code (*compact)(kv *db, etna_error *err);
    void (*maintain)(kv *db);
    void (*close)(kv *db);
} kv_ops;

struct kv { /* first member of each maker's struct */
    const kv_ops *ops;
    /* one thread may read while another writes; else all are one thread's */
    bool concurrent;
};
struct kv_txn { /* first member of each maker's struct */
    kv *db;
};

typedef struct kv_options {
    const char *path;   /* the environment's directory, which exists */
    uint32_t tables;    /* bit set of 1 << kv_table */
    uint64_t map_bytes; /* 0: the default */
    bool read_only;     /* a missing environment is ETNA_E_NOTFOUND */
    /* no sync: lost or broken by a crash of the machine, never by one of a
     * process. Its writers wait for each other 200 ms at the most, then
     * ETNA_E_OWNED; after that not at all, until one got through */
    bool disposable;
} kv_options;

/* LMDB. One open per process and path (LMDB's own rule, checked:
 * ETNA_E_INTERNAL). ETNA_E_NEWER for a file of a newer LMDB, ETNA_E_CORRUPT for
 * one that is none, ETNA_E_IO, ETNA_E_FULL, ETNA_E_NOMEM; ETNA_E_OWNED as
 * `disposable` says, where its tables are to be made. */
etna_code kv_open_lmdb(const kv_options *options, kv **ret_kv, etna_error *err);
/* In memory, for tests and the simulator. ETNA_E_NOMEM. */
etna_code kv_open_memory(kv **ret_kv, etna_error *err);
/* Memory only: the commit after `after` more fails with `code` and changes
 * nothing; ETNA_OK: none fails. */
void kv_memory_fail(kv *db, uint64_t after, etna_code code);
void kv_close(kv *db); /* NULL is fine */

/* Runs `body` in a read transaction, which sees one state of all tables. */
etna_code kv_read(kv *db, kv_body body, void *context, etna_error *err);
/* Runs `body` in a write transaction and commits; durable on return, unless the
 * tables are disposable. The body's error is returned and undoes all of it, and
 * so does a failed commit. */
etna_code kv_write(kv *db, kv_body body, void *context, etna_error *err);

/* The row's value, borrowed until the transaction's next put or del.
 * ETNA_E_NOTFOUND: there is none (the text does not name it: the caller knows
 * what it looked for). */
etna_code kv_get(
    kv_txn *txn, kv_table table, kv_view key, kv_view *ret, etna_error *err);
/* Inserts or replaces. Copies both; the key has 1 to KV_KEY_MAX bytes. */
etna_code kv_put(
    kv_txn *txn, kv_table table, kv_view key, kv_view value, etna_error *err);
/* ETNA_E_NOTFOUND: there was no such row. */
etna_code kv_del(kv_txn *txn, kv_table table, kv_view key, etna_error *err);
/* The least key >= `key` (forward) or the greatest <= `key`, bytewise, with its
 * value. An empty key is before all others. A key followed by a zero byte is
 * the next possible one. ETNA_E_NOTFOUND: there is none. */
etna_code kv_seek(kv_txn *txn,
                  kv_table table,
                  kv_view key,
                  bool forward,
                  kv_view *ret_key,
                  kv_view *ret_value,
                  etna_error *err);
/* Number of rows of the table. */
etna_code kv_count(kv_txn *txn, kv_table table, uint64_t *ret, etna_error *err);

/* Calls `each` for all rows in key order, each copied out in a read transaction
 * of its own: `each` may be slow and may itself read or write. A code but
 * ETNA_OK ends it and is returned (ETNA_E_NOTFOUND as ETNA_OK: it only
 * stops). */
typedef etna_code (*kv_row_fn)(void *context,
                               kv_view key,
                               kv_view value,
                               etna_error *err);
etna_code kv_each(
    kv *db, kv_table table, kv_row_fn each, void *context, etna_error *err);

#endif
