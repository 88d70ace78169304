/* What the house keeps, behind one interface with two makers: LMDB (store_open)
 * and memory (store_open_memory, for tests and the simulator). Bytes on disk:
 * FORMAT.md. The store knows no network and no meaning of what it keeps.
 *
 * Journal environment (opened for writing by its owner alone): runs, journal,
 * replies, and the blobs that journals name. Every append happens in one
 * transaction that re-reads the owner's epoch; a stale owner gets ETNA_E_STALE.
 * Reads copy out. A failed commit or sync is ETNA_E_IO and the store is dead
 * from then on (every call fails), because what is on disk is no longer known;
 * the caller exits 4. A commit that meets a full disk is ETNA_E_FULL: it was
 * undone whole, and may be tried again. One thread at a time per store
 * handle. */
#ifndef ETNA_STORE_STORE_H
#define ETNA_STORE_STORE_H

#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "proto/seed.h"

typedef struct store store;

/* Bytes of a journal record, and of a blob; above: ETNA_E_LIMIT. */
enum {
    STORE_RECORD_MAX = 16 << 20
};
#define STORE_BLOB_MAX (UINT64_C(2) << 30)

/* Who holds the journal: a living process, named so that a person finds it. */
typedef struct store_owner {
    char host[64], boot_id[40], endpoint[256];
    uint64_t pid, epoch;
} store_owner;

/* Texts are borrowed for the call. */
typedef struct store_options {
    uint32_t cookie;  /* store_options_default() sets it */
    const char *path; /* directory; created 0700 when missing */
    /* where the owner answers, written into the owner record for others; NULL:
     * nowhere */
    const char *endpoint;
    bool read_only;     /* no ownership taken; appends fail */
    uint64_t map_bytes; /* 0: 256 GiB, 16 GiB under valgrind */
    /* The epoch is raised to this at least: milliseconds since 1970, so that an
     * owner of a store that went back in time (a backup, a disk that lied) is
     * no stale one to workers that have seen later epochs. 0: by one */
    uint64_t epoch_least;
    /* a directory on any file system where every commit is, too, before it
     * takes effect; NULL: none */
    const char *mirror;
} store_options;
store_options store_options_default(void);

/* Takes ownership (a lock that the kernel drops at death) and raises the epoch,
 * unless read_only. ETNA_E_OWNED names the living owner; ETNA_E_NEWER: a newer
 * format; ETNA_E_NOTFOUND: read_only, and there is none; ETNA_E_IO names the
 * path and, where it is on a network file system, a local one; ETNA_E_CORRUPT,
 * ETNA_E_FULL, ETNA_E_NOMEM. With a mirror also ETNA_E_STALE: another process
 * went on from it; ETNA_E_USAGE: it is another store's. */
etna_code store_open(const store_options *options,
                     store **ret_store,
                     etna_error *err);
/* An owned store in memory, with everything but files. ETNA_E_NOMEM. */
etna_code store_open_memory(store **ret_store, etna_error *err);
/* Moves the journal of an older format into a new folder within the store's,
 * format-N, whose name goes to ret[room]; it is a store to the program that
 * wrote it. "": it is not older, or there is none, and nothing was done.
 * ETNA_E_OWNED: somebody has it open; ETNA_E_NEWER, ETNA_E_CORRUPT, ETNA_E_IO,
 * ETNA_E_LIMIT, ETNA_E_NOMEM. Nothing is moved then. */
etna_code store_put_aside(const char *path,
                          char *ret,
                          size_t room,
                          etna_error *err);
void store_close(store *s); /* NULL is fine; gives ownership up */
/* The owner's epoch; 0 for a store that was opened read_only. */
uint64_t store_epoch(const store *s);
/* Once a minute: clears reader slots that killed processes left behind
 * (mdb_reader_check). */
void store_maintain(store *s);
/* For tests of what follows a failed commit; memory maker only. The commit
 * after `after` more fails with `code`. */
void store_memory_fail(store *s, uint64_t after, etna_code code);
/* Who owns the store at `path` now, without opening it. *ret_alive false:
 * nobody does; the record is the last owner's. A record that cannot be read has
 * the host "unknown" and epoch 0. ETNA_E_NOTFOUND: there is no store;
 * ETNA_E_IO. */
etna_code store_owner_read(const char *path,
                           store_owner *ret_owner,
                           bool *ret_alive,
                           etna_error *err);

/* A commit group: everything in it becomes durable together, or nothing. Begin,
 * add, commit. A group gathers in memory and touches the disk only in its
 * commit; what it holds is not read back before that. One group at a time per
 * store (a second begin is ETNA_E_INTERNAL). */
typedef struct store_group store_group;
/* ETNA_E_INTERNAL: one is open, or the store was opened to be read;
 * ETNA_E_NOMEM. The group is the caller's to commit or to abandon. */
etna_code store_group_begin(store *s, store_group **ret_group, etna_error *err);
/* Frees it; nothing of it happens. NULL is fine. */
void store_group_abandon(store_group *group);
/* Makes all of it durable. Frees the group in every case but ETNA_E_FULL: then
 * it is as it was, to be committed again or abandoned. ETNA_E_STALE: another
 * process owns the store now; ETNA_E_IO: the store is dead. */
etna_code store_group_commit(store_group *group, etna_error *err);

/* The same in three steps, so that another thread waits for the disk while the
 * next group gathers: store_group_leave(), store_group_carry() on any thread,
 * store_group_arrive() with what that returned. One group at a time is on its
 * way, and until it has arrived nothing else is written. Journals go on behind
 * what it holds; nothing else of it is read before it has arrived. Only where
 * store_may_carry() says so. */
bool store_may_carry(const store *s);
/* After it another group may be begun. ETNA_E_INTERNAL: another is on its way;
 * the codes of a store that is dead. */
etna_code store_group_leave(store_group *group, etna_error *err);
/* Touches nothing of the store but what no other function changes meanwhile.
 * After ETNA_E_FULL it may be called again. */
etna_code store_group_carry(store_group *group, etna_error *err);
/* As store_group_commit() ends, by the code and error of the last carry: frees
 * the group but after ETNA_E_FULL. */
void store_group_arrive(store_group *group, const etna_error *carried);

/* The row of `runs`. Texts and config are borrowed by writers, and the arena's
 * for readers. */
typedef struct store_run {
    etna_id id;
    uint32_t state;           /* run_state */
    uint64_t started_ms;      /* wall clock of the submit, Unix ms */
    const char *scene, *goal; /* for listings */
    const uint8_t *config;    /* packed arrange_config */
    size_t config_size;
    /* run_keeper: who may take it up again; RUN_KEEPER_NONE in rows of format
     * 1 */
    uint32_t keeper;
    /* of the owner that ran it last: running for real only while that one
     * lives */
    uint64_t epoch;
    /* running, but paused until its model answers, or there is room for its
     * result */
    bool waiting;
    uint64_t ended_ms; /* wall clock of its end; 0: it has not ended */
} store_run;

/* Inserts or replaces the run's row. Copies all of it. ETNA_E_NOMEM. */
etna_code store_put_run(store_group *group,
                        const store_run *run,
                        etna_error *err);
/* Appends record number `sequence` (from 1, without gaps: else ETNA_E_INTERNAL)
 * to the run's journal. Copies it, and adds a checksum that includes the
 * predecessor's. ETNA_E_STALE: another owner went on with it; ETNA_E_LIMIT,
 * ETNA_E_NOMEM. */
etna_code store_append(store_group *group,
                       const etna_id *run,
                       uint64_t sequence,
                       const void *record,
                       size_t size,
                       etna_error *err);
typedef struct store_reply {
    /* of the call's canonical request; of its answer's blob */
    etna_hash request, reply;
    message_usage usage;
} store_reply;
/* Keeps what the call in a slot of the run was answered; another row of the
 * slot is replaced. ETNA_E_NOMEM. */
etna_code store_put_reply(store_group *group,
                          const etna_id *run,
                          const etna_slot *slot,
                          const store_reply *reply,
                          etna_error *err);
/* Adds a blob, unless it is in the store or in the group already. The hash is
 * checked against the bytes (ETNA_E_CORRUPT). It is compressed by zstd where
 * that pays. Copies the bytes. ETNA_E_LIMIT, ETNA_E_NOMEM. */
etna_code store_put_blob(store_group *group,
                         const etna_hash *hash,
                         const void *data,
                         size_t size,
                         etna_error *err);
/* The same in two parts: the slow one (hash, compression) touches no store and
 * may run on any thread; the other takes its outcome in every case. */
typedef struct store_packed store_packed;
/* The same in two parts. The slow one (hash, compression) touches no store and
 * may run on any thread. ETNA_E_CORRUPT: the bytes do not have the hash;
 * ETNA_E_LIMIT, ETNA_E_NOMEM. */
etna_code store_pack_blob(const etna_hash *hash,
                          const void *data,
                          size_t size,
                          store_packed **ret_packed,
                          etna_error *err);
/* Does nothing where the blob is kept already, and whole. Frees `packed`, also
 * when it fails. */
etna_code store_put_packed(store_group *group,
                           store_packed *packed,
                           etna_error *err);
void store_packed_free(store_packed *packed); /* NULL is fine */

/* Reads. Memory handed out is malloc'd and the caller's, or the arena's where
 * one is given. ETNA_E_NOTFOUND: there is no such row. */
etna_code store_get_run(store *s,
                        const etna_id *run,
                        store_run *ret_run,
                        etna_arena *arena,
                        etna_error *err);
/* All rows, the newest first, with their texts in `arena`. */
etna_code store_list_runs(store *s,
                          etna_arena *arena,
                          store_run **ret_runs,
                          size_t *ret_count,
                          etna_error *err);
/* Calls `each` for every record in order after verifying its checksum, until
 * one gives an error, which is returned. `after` 0: from the first one on; else
 * from the one behind that, whose own checksum is believed. A run without
 * records is ETNA_OK. ETNA_E_CORRUPT names run and sequence; ETNA_E_NOMEM. The
 * record is the callee's only while it is called. */
typedef etna_code (*store_record_fn)(void *context,
                                     uint64_t sequence,
                                     const uint8_t *record,
                                     size_t size,
                                     etna_error *err);
etna_code store_read_journal(store *s,
                             const etna_id *run,
                             uint64_t after,
                             store_record_fn each,
                             void *context,
                             etna_error *err);
/* What the call in the slot was answered. ETNA_E_NOTFOUND: nothing yet. */
etna_code store_get_reply(store *s,
                          const etna_id *run,
                          const etna_slot *slot,
                          store_reply *ret_reply,
                          etna_error *err);
/* Is there a row of it? Its bytes are not looked at. */
bool store_has_blob(store *s, const etna_hash *hash);
/* Its bytes, malloc'd, compared with the hash the first time that this process
 * reads it. ETNA_E_NOTFOUND, ETNA_E_CORRUPT, ETNA_E_NOMEM. */
etna_code store_get_blob(store *s,
                         const etna_hash *hash,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err);

/* `etna store`: counts and sizes; full verification of every checksum and blob;
 * removal of blobs no journal, run or reply names (the caller says which hashes
 * a record names). */
typedef struct store_stats {
    uint64_t runs, records, replies, blobs;
    uint64_t blob_bytes; /* as kept: after zstd */
    uint64_t file_bytes; /* of the journal's data file; 0 in memory */
} store_stats;
/* Counts by going through all rows, in one transaction. */
etna_code store_get_stats(store *s, store_stats *ret_stats, etna_error *err);
typedef void (*store_report_fn)(void *context, const char *line);
/* Tells each damaged row as a line; *ret_faults: how many there are. ETNA_OK
 * also with faults: an error is what kept it from looking. */
etna_code store_verify(store *s,
                       store_report_fn report,
                       void *context,
                       uint64_t *ret_faults,
                       etna_error *err);
/* Whether a blob stays: it is named by what the store itself cannot read. */
typedef bool (*store_keep_fn)(void *context, const etna_hash *blob);
/* Removes every blob that neither `keep` nor a reply names, some hundred a
 * transaction. *ret_bytes: of their rows. After an error those removed before
 * stay removed. ETNA_E_INTERNAL: a group is open, or the store was opened to be
 * read; ETNA_E_CORRUPT: a damaged reply may name a blob, so nothing was
 * removed. */
etna_code store_gc(store *s,
                   store_keep_fn keep,
                   void *context,
                   uint64_t *ret_removed,
                   uint64_t *ret_bytes,
                   etna_error *err);

/* Removes a run's row, journal and replies in one transaction; the blobs they
 * named are left to store_gc(). ETNA_E_NOTFOUND. */
etna_code store_remove_run(store *s, const etna_id *run, etna_error *err);
/* A copy of the store at `from`, as of one moment and without free pages, as
 * the store at `to`, where there must be none; `from` may be owned and written
 * to meanwhile. It is there whole or not at all. ETNA_E_USAGE: there is one;
 * ETNA_E_NOTFOUND: `from` is none; ETNA_E_FULL, ETNA_E_IO. */
etna_code store_copy(const char *from, const char *to, etna_error *err);

/* Gives what is free in the data's file back to the system: by a copy, which
 * needs as much room as what is kept, for that long. No group is open.
 * ETNA_E_FULL says how much room there should be. */
etna_code store_compact(store *s,
                        uint64_t *ret_before,
                        uint64_t *ret_after,
                        etna_error *err);
/* of the journal's data file; 0 in memory */
uint64_t store_file_bytes(const store *s);
/* When the store had been written to last before it was opened, Unix ms; 0:
 * never, or it is in memory. */
uint64_t store_last_write_ms(const store *s);

/* What store_rebuild() did. */
typedef struct store_rebuilt {
    /* false: the store at the path is the mirror's newest, or the mirror is
     * empty */
    bool done;
    /* how many were read from the mirror */
    uint64_t groups;
} store_rebuilt;
/* Makes the store at `path` anew from a mirror, when there is none or when
 * another host went on from the mirror since (what stands there is then kept as
 * `journal.fenced`). Whoever wrote the mirror before is fenced: its next commit
 * fails with ETNA_E_STALE. Open the store afterwards, with that mirror.
 * ETNA_E_OWNED; ETNA_E_NOTFOUND: there is no such directory; ETNA_E_USAGE:
 * another store is there; ETNA_E_CORRUPT names segment and group; ETNA_E_STALE:
 * another process was first. */
etna_code store_rebuild(const char *mirror_path,
                        const char *path,
                        store_rebuilt *ret,
                        etna_error *err);

/* The blob cache of a host: disposable, shared by the workers of one user. A
 * miss is ETNA_E_NOTFOUND. A blob is hashed when a process first reads it; a
 * damaged one is dropped, and is a miss. One thread at a time per handle. */
typedef struct cache cache;
/* `path`: its directory, made when missing; NULL: in memory. `limit_bytes`: of
 * its blobs as they are stored; beyond it those longest unused are evicted. A
 * damaged cache is emptied. ETNA_E_IO: the path cannot be used, is on a network
 * file system, or others may write there; ETNA_E_OWNED, ETNA_E_FULL,
 * ETNA_E_NOMEM. */
etna_code cache_open(const char *path,
                     uint64_t limit_bytes,
                     cache **ret_cache,
                     etna_error *err);
void cache_close(cache *c);
/* The blob's bytes, malloc'd. ETNA_E_NOTFOUND: it is not there, or was damaged;
 * other errors are as good as a miss. */
etna_code cache_get(cache *c,
                    const etna_hash *hash,
                    uint8_t **ret_data,
                    size_t *ret_size,
                    etna_error *err);
/* Adds a blob; older ones make room. ETNA_E_OWNED: another process has been
 * writing for more than 200 ms (it may be stopped), so go on without; later
 * calls ask once and do not wait, until one succeeds. ETNA_E_LIMIT: it is
 * larger than the cache; ETNA_E_FULL: nothing new is kept any more. */
etna_code cache_put(cache *c,
                    const etna_hash *hash,
                    const void *data,
                    size_t size,
                    etna_error *err);
/* Once a minute: writes recency down and clears reader slots of dead
 * processes. */
void cache_maintain(cache *c);

#endif
