/* Opening and closing a store: format, ownership and the epoch that fences a
 * stale owner. */
#include "store/filesystem.h"
#include "store/mirror.h"
#include "store/owner.h"
#include "store/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COOKIE = 0x57073001,
    PATH_ROOM = 4096
};

/* Options must come from here. */
store_options store_options_default(void)
{
    return (store_options){.cookie = COOKIE};
}

/* After a failed commit nothing of memory can be trusted to be on the disk. */
etna_code store_alive(const store *s, etna_error *err)
{
    if (s->dead == ETNA_OK)
        return ETNA_OK;
    return etna_fail(
        err, s->dead,
        "the store is closed after a failed commit (%s); start again to recover",
        s->dead_text);
}

/* Whoever took the store over has a higher epoch: everybody before is stale
 * from then on, whatever it believes. */
etna_code store_check_epoch(store *s, kv_txn *txn, etna_error *err)
{
    kv_view row;
    store_owner now;
    etna_code code = kv_get(txn, KV_META, row_meta_key("owner"), &row, err);
    if (code == ETNA_E_NOTFOUND ||
        (!code && !owner_decode(row.data, row.size, &now))) {
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the owner's row is damaged; run `etna store verify`");
    }
    if (code)
        return code;
    if (now.epoch == s->owner.epoch)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_STALE,
        "process %llu on %s took the store over (epoch %llu, ours is %llu)",
        (unsigned long long)now.pid, now.host, (unsigned long long)now.epoch,
        (unsigned long long)s->owner.epoch);
}

/* A body behind the epoch check. */
typedef struct guarded {
    store *s;
    kv_body body;
    void *context;
} guarded;

/* In the same transaction, so that nothing can come between. */
static etna_code check_then_write(kv_txn *txn, void *context, etna_error *err)
{
    guarded *g = context;
    etna_code code = store_check_epoch(g->s, txn, err);
    return code ? code : g->body(txn, g->context, err);
}

etna_code store_carry(store *s, kv_body body, void *context, etna_error *err)
{
    guarded g = {s, body, context};
    return kv_write(s->db, check_then_write, &g, err);
}

void store_die(store *s, const etna_error *why)
{
    s->dead = why->code;
    snprintf(s->dead_text, sizeof s->dead_text, "%s", why->text);
}

/* A full disk undid the transaction whole and may be tried again; any other
 * failure closes the store. */
etna_code store_write(store *s, kv_body body, void *context, etna_error *err)
{
    etna_error own = {ETNA_OK, ""};
    etna_code code = store_carry(s, body, context, &own);
    if (!code)
        return ETNA_OK;
    own.code = code;
    if (code != ETNA_E_FULL)
        store_die(s, &own);
    if (err)
        *err = own;
    return code;
}

typedef struct copied {
    kv_table table;
    kv_view key;
    uint8_t *data;
    size_t size;
} copied;

/* A kv_body: rows are valid within a transaction only. */
static etna_code copy_row(kv_txn *txn, void *context, etna_error *err)
{
    copied *c = context;
    kv_view row;
    etna_code code = kv_get(txn, c->table, c->key, &row, err);
    if (code)
        return code;
    c->data = malloc(row.size ? row.size : 1);
    if (!c->data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory reading a row of %zu bytes", row.size);
    if (row.size)
        memcpy(c->data, row.data, row.size);
    c->size = row.size;
    return ETNA_OK;
}

/* The caller frees. */
etna_code store_copy_row(store *s,
                         kv_table table,
                         kv_view key,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err)
{
    copied c = {.table = table, .key = key};
    etna_code code = store_alive(s, err);
    if (!code)
        code = kv_read(s->db, copy_row, &c, err);
    if (code)
        return code;
    *ret = c.data;
    *ret_size = c.size;
    return ETNA_OK;
}

/* *ret_format 0: there is none yet. */
static etna_code check_format(kv_txn *txn,
                              uint32_t *ret_format,
                              etna_error *err)
{
    kv_view row;
    uint32_t format = 0;
    etna_code code = kv_get(txn, KV_META, row_meta_key("format"), &row, err);
    if (code && code != ETNA_E_NOTFOUND)
        return code;
    if (!code && (code = row_decode_format(row, &format, err))) {
        etna_error_prefix(err, "the store's format row");
        return code;
    }
    *ret_format = format;
    return ETNA_OK;
}

/* For a new store. */
etna_code store_put_format(kv_txn *txn, etna_error *err)
{
    uint8_t *bytes;
    size_t size;
    etna_code code = row_encode_format(STORE_FORMAT, &bytes, &size, err);
    if (code)
        return code;
    code = kv_put(txn, KV_META, row_meta_key("format"), (kv_view){bytes, size},
                  err);
    free(bytes);
    return code;
}

/* Who we are, and since which epoch. */
etna_code store_put_owner(kv_txn *txn,
                          const store_owner *owner,
                          etna_error *err)
{
    uint8_t *bytes;
    size_t size;
    etna_code code = owner_encode(owner, &bytes, &size, err);
    if (code)
        return code;
    code = kv_put(txn, KV_META, row_meta_key("owner"), (kv_view){bytes, size},
                  err);
    free(bytes);
    return code;
}

/* Commits that are not mirrored: the mirror has no place of this store from
 * here on. */
static etna_code store_leave_mirror(kv_txn *txn, etna_error *err)
{
    mirror_place place;
    etna_code code = mirror_place_get(txn, &place, err);
    if (code == ETNA_E_NOTFOUND)
        return ETNA_OK;
    if (code || place.point.epoch == 0)
        return code;
    place.point.epoch = 0;
    return mirror_place_put(txn, &place, err);
}

/* Raises the epoch in the transaction that writes our name, so that whoever
 * held it before is stale from here on. */
static etna_code store_take_over(kv_txn *txn, void *context, etna_error *err)
{
    store *s = context;
    uint32_t format;
    kv_view row;
    store_owner before = {.epoch = 0};
    etna_code code = check_format(txn, &format, err);
    if (!code && !format) /* a new store */
        code = store_put_format(txn, err);
    if (code)
        return code;
    code = kv_get(txn, KV_META, row_meta_key("owner"), &row, err);
    if (code && code != ETNA_E_NOTFOUND)
        return code;
    if (!code && !owner_decode(row.data, row.size, &before)) {
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the owner's row is damaged; run `etna store verify`");
    }
    s->owner.epoch =
        before.epoch < s->epoch_least ? s->epoch_least : before.epoch + 1;
    code = store_put_owner(txn, &s->owner, err);
    return code || s->mirrored ? code : store_leave_mirror(txn, err);
}

/* For readers: there must be a format, and one that this program knows. */
static etna_code look_at_format(kv_txn *txn, void *context, etna_error *err)
{
    (void)context;
    uint32_t format;
    etna_code code = check_format(txn, &format, err);
    if (!code && !format)
        return etna_fail(err, ETNA_E_NOTFOUND, "there is no store yet");
    return code;
}

/* NULL: out of memory. */
static store *store_new(bool memory, etna_error *err)
{
    store *s = calloc(1, sizeof *s);
    if (!s || !hashset_reserve(&s->verified)) {
        free(s);
        etna_fail(err, ETNA_E_NOMEM, "out of memory opening a store");
        return NULL;
    }
    s->memory = memory;
    s->owner_fd = -1;
    return s;
}

/* As well as can be: not every file system does it. */
void store_sync_directory(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

/* The data file's time, before opening it changes that; 0: there is none. */
static uint64_t store_written_at(const char *journal)
{
    char file[PATH_ROOM + 16];
    struct stat st;
    snprintf(file, sizeof file, "%s/data.mdb", journal);
    return stat(file, &st) ? 0
                           : (uint64_t)st.st_mtim.tv_sec * 1000 +
                                 (uint64_t)st.st_mtim.tv_nsec / 1000000;
}

/* In this order: the lock, then the database, then the new epoch within it,
 * then the record that others read. Whoever reads the record can rely on what
 * stands behind it. */
static etna_code store_open_disk(store *s,
                                 const store_options *o,
                                 etna_error *err)
{
    char journal[PATH_ROOM];
    snprintf(journal, sizeof journal, "%s/journal", o->path);
    kv_options options = {.path = journal,
                          .tables = STORE_TABLES,
                          .map_bytes = o->map_bytes,
                          .read_only = o->read_only};
    struct stat st;
    if (o->read_only) {
        if (stat(journal, &st) && errno == ENOENT)
            return etna_fail(err, ETNA_E_NOTFOUND, "%s: there is no store",
                             o->path);
        /* there may be runs that this user must not see, or no folder */
        if (stat(journal, &st))
            return etna_fail(err, ETNA_E_IO,
                             "%s: %s; choose another with --store", journal,
                             strerror(errno));
        etna_code code = filesystem_check_local(o->path, err);
        if (!code)
            code = kv_open_lmdb(&options, &s->db, err);
        if (!code)
            code = kv_read(s->db, look_at_format, NULL, err);
        return code;
    }
    etna_code code = filesystem_make_directory(o->path, err);
    if (!code)
        code = filesystem_check_local(o->path, err);
    if (!code)
        code = owner_lock(o->path, &s->owner_fd, err);
    if (!code)
        code = filesystem_make_directory(journal, err);
    if (!code)
        s->last_write_ms = store_written_at(journal);
    if (!code)
        code = kv_open_lmdb(&options, &s->db, err);
    if (!code)
        code = kv_write(s->db, store_take_over, s, err);
    if (!code)
        code = owner_write(s->owner_fd, &s->owner, err);
    if (code)
        return code;
    store_sync_directory(journal);
    store_sync_directory(o->path);
    s->db->ops->maintain(s->db);
    return o->mirror ? mirror_open(o->mirror, &s->owner, s->db, &s->db, err)
                     : ETNA_OK;
}

/* Errors begin with the path. */
etna_code store_open(const store_options *options,
                     store **ret_store,
                     etna_error *err)
{
    if (options->cookie != COOKIE)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "store options without store_options_default()");
    if (!options->path || !options->path[0] ||
        strlen(options->path) > PATH_ROOM - 64) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "a store needs a directory of at most %d bytes: --store DIR",
            PATH_ROOM - 64);
    }
    store *s = store_new(false, err);
    if (!s)
        return ETNA_E_NOMEM;
    s->read_only = options->read_only;
    s->mirrored = options->mirror != NULL;
    s->epoch_least = options->epoch_least;
    owner_self(options->endpoint, &s->owner);
    etna_code code = store_open_disk(s, options, err);
    if (code) {
        store_close(s);
        if (code != ETNA_E_OWNED && err &&
            strncmp(err->text, options->path, strlen(options->path)) != 0) {
            etna_error_prefix(err, "%s", options->path);
        }
        return code;
    }
    *ret_store = s;
    return ETNA_OK;
}

/* Takes the db, on failure too. */
etna_code store_open_on(kv *db,
                        uint64_t epoch_least,
                        store **ret_store,
                        etna_error *err)
{
    store *s = store_new(true, err);
    if (!s) {
        kv_close(db);
        return ETNA_E_NOMEM;
    }
    s->db = db;
    s->epoch_least = epoch_least;
    owner_self("", &s->owner);
    etna_code code = kv_write(s->db, store_take_over, s, err);
    if (code) {
        store_close(s);
        return code;
    }
    *ret_store = s;
    return ETNA_OK;
}

/* For tests and the simulator. */
etna_code store_open_memory(store **ret_store, etna_error *err)
{
    kv *db;
    etna_code code = kv_open_memory(&db, err);
    return code ? code : store_open_on(db, 0, ret_store, err);
}

/* NULL is fine. */
void store_close(store *s)
{
    if (!s)
        return;
    kv_close(s->db);
    /* the lock goes last: nobody opens what is still open here */
    if (s->owner_fd >= 0)
        close(s->owner_fd);
    hashset_free(&s->verified);
    free(s);
}

uint64_t store_last_write_ms(const store *s)
{
    return s->last_write_ms;
}

uint64_t store_epoch(const store *s)
{
    return s->owner.epoch;
}

/* From time to time; it may be left out. */
void store_maintain(store *s)
{
    s->db->ops->maintain(s->db);
}

/* For tests: the N-th commit from now fails. */
void store_memory_fail(store *s, uint64_t after, etna_code code)
{
    if (s->memory)
        kv_memory_fail(s->db, after, code);
}
