/* The cache of a host: blobs by hash, shared by the processes of one uid, lost
 * without harm.
 *
 * Rows: blobs (as in the journal), used (hash -> stamp, size), order (stamp ->
 * hash), meta "state" (clock, bytes). A read writes nothing: it notes the hash
 * in memory; notes are written in batches, before an eviction at the latest.
 * The environment is not synced, so a crash of the machine may break it: when
 * the boot id has changed it is thrown away. */
#include "proto/canon.h"
#include "store/filesystem.h"
#include "store/owner.h"
#include "store/store_internal.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Uses that are noted before they are written; bytes of the rows; evictions of
 * one write, so that it ends. */
enum {
    NOTES_MAX = 256,
    STATE_SIZE = 16,
    USED_SIZE = 16,
    STAMP_SIZE = 8,
    EVICTIONS_MAX = 4096
};

/* An open cache. */
struct cache {
    kv *db;
    uint64_t limit;
    hashset verified;
    /* hash -> when it was last used, in this process's own count */
    hashset notes;
    uint64_t now;
    bool full; /* a write failed: serve reads, keep nothing new */
};

/* The row `state`: the clock of the stamps, and the bytes of all blobs. */
typedef struct state {
    uint64_t clock, bytes;
} state;

/* So that stamps sort. */
static void cache_put_be(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * (7 - i)));
}

/* The mirror of cache_put_be. */
static uint64_t get_be(const uint8_t *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | at[i];
    return value;
}

/* Borrowed. */
static kv_view hash_key(const etna_hash *hash)
{
    return (kv_view){hash->bytes, sizeof hash->bytes};
}

/* A new cache has none: both are 0. */
static etna_code read_state(kv_txn *txn, state *ret, etna_error *err)
{
    kv_view row;
    etna_code code = kv_get(txn, KV_META, row_meta_key("state"), &row, err);
    *ret = (state){0, 0};
    if (code || row.size != STATE_SIZE)
        return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
    *ret = (state){get_be(row.data), get_be(row.data + 8)};
    return ETNA_OK;
}

/* With every change. */
static etna_code write_state(kv_txn *txn, const state *st, etna_error *err)
{
    uint8_t row[STATE_SIZE];
    cache_put_be(row, st->clock);
    cache_put_be(row + 8, st->bytes);
    return kv_put(txn, KV_META, row_meta_key("state"),
                  (kv_view){row, sizeof row}, err);
}

/* Removes a blob with its rows of recency; fine when there is none. */
static etna_code cache_drop(kv_txn *txn,
                            const etna_hash *hash,
                            state *st,
                            etna_error *err)
{
    kv_view row;
    etna_code code = kv_get(txn, KV_USED, hash_key(hash), &row, err);
    if (!code && row.size == USED_SIZE) {
        uint8_t stamp[STAMP_SIZE];
        memcpy(stamp, row.data, sizeof stamp);
        uint64_t size = get_be(row.data + 8);
        st->bytes = st->bytes > size ? st->bytes - size : 0;
        code = kv_del(txn, KV_ORDER, (kv_view){stamp, sizeof stamp}, err);
        if (!code || code == ETNA_E_NOTFOUND)
            code = kv_del(txn, KV_USED, hash_key(hash), err);
    }
    if (code && code != ETNA_E_NOTFOUND)
        return code;
    code = kv_del(txn, KV_BLOBS, hash_key(hash), err);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* Makes the blob the most recently used one. */
static etna_code cache_stamp(kv_txn *txn,
                             const etna_hash *hash,
                             uint64_t size,
                             state *st,
                             etna_error *err)
{
    uint8_t row[USED_SIZE];
    cache_put_be(row, ++st->clock);
    cache_put_be(row + 8, size);
    etna_code code =
        kv_put(txn, KV_USED, hash_key(hash), (kv_view){row, sizeof row}, err);
    return code ? code
                : kv_put(txn, KV_ORDER, (kv_view){row, STAMP_SIZE},
                         hash_key(hash), err);
}

typedef struct note {
    etna_hash hash;
    uint64_t when;
} note;

/* What one write does: notes, then room, then the new blob or the bad one's
 * removal. */
typedef struct keeping {
    cache *c;
    note notes[NOTES_MAX];
    size_t note_count;
    const etna_hash *add, *remove;
    kv_view row;
} keeping;

/* Notes are applied in the order of use, so that stamps are as well. */
static int earlier_first(const void *a, const void *b)
{
    const note *x = a, *y = b;
    return (x->when > y->when) - (x->when < y->when);
}

/* Writes the recency of blobs read since; those evicted meanwhile are
 * skipped. */
static etna_code apply_notes(kv_txn *txn,
                             keeping *k,
                             state *st,
                             etna_error *err)
{
    for (size_t i = 0; i < k->note_count; i++) {
        kv_view row;
        etna_code code =
            kv_get(txn, KV_USED, hash_key(&k->notes[i].hash), &row, err);
        if (code == ETNA_E_NOTFOUND)
            continue; /* evicted by another process meanwhile */
        if (code)
            return code;
        if (row.size != USED_SIZE)
            continue;
        uint8_t old[USED_SIZE];
        memcpy(old, row.data, sizeof old);
        code = kv_del(txn, KV_ORDER, (kv_view){old, STAMP_SIZE}, err);
        if (!code || code == ETNA_E_NOTFOUND)
            code =
                cache_stamp(txn, &k->notes[i].hash, get_be(old + 8), st, err);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* Drops the blobs longest unused until `needed` bytes fit. */
static etna_code cache_evict(
    kv_txn *txn, uint64_t limit, uint64_t needed, state *st, etna_error *err)
{
    for (int i = 0; i < EVICTIONS_MAX && st->bytes + needed > limit; i++) {
        kv_view key, value;
        etna_hash hash;
        etna_code code =
            kv_seek(txn, KV_ORDER, (kv_view){(const uint8_t *)"", 0}, true,
                    &key, &value, err);
        if (code)
            return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
        uint8_t oldest[STAMP_SIZE];
        if (key.size != STAMP_SIZE || value.size != sizeof hash.bytes)
            return etna_fail(err, ETNA_E_CORRUPT,
                             "the cache's order is damaged");
        memcpy(oldest, key.data, sizeof oldest);
        memcpy(hash.bytes, value.data, sizeof hash.bytes);
        code = cache_drop(txn, &hash, st, err);
        if (!code)
            /* usually gone with the blob */
            code = kv_del(txn, KV_ORDER, (kv_view){oldest, sizeof oldest}, err);
        if (code && code != ETNA_E_NOTFOUND)
            return code;
    }
    return ETNA_OK;
}

/* Body of every write to the cache. */
static etna_code cache_keep(kv_txn *txn, void *context, etna_error *err)
{
    keeping *k = context;
    state st;
    etna_code code = read_state(txn, &st, err);
    if (!code)
        code = apply_notes(txn, k, &st, err);
    if (!code && k->remove)
        code = cache_drop(txn, k->remove, &st, err);
    if (!code && k->add) {
        code = cache_drop(txn, k->add, &st, err);
        if (!code)
            code = cache_evict(txn, k->c->limit, k->row.size, &st, err);
        if (!code)
            code = kv_put(txn, KV_BLOBS, hash_key(k->add), k->row, err);
        if (!code)
            code = cache_stamp(txn, k->add, k->row.size, &st, err);
        st.bytes += k->row.size;
    }
    return code ? code : write_state(txn, &st, err);
}

/* One transaction for what is added, what is removed and all uses that were
 * noted. */
static etna_code write_down(cache *c,
                            const etna_hash *add,
                            kv_view row,
                            const etna_hash *remove,
                            etna_error *err)
{
    keeping *k = calloc(1, sizeof *k);
    if (!k)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing to the cache");
    k->c = c;
    k->add = add;
    k->row = row;
    k->remove = remove;
    for (size_t at = 0;
         k->note_count < NOTES_MAX &&
         hashset_next(&c->notes, &at, &k->notes[k->note_count].hash,
                      &k->notes[k->note_count].when);) {
        k->note_count++;
    }
    qsort(k->notes, k->note_count, sizeof *k->notes, earlier_first);
    etna_code code = kv_write(c->db, cache_keep, k, err);
    hashset_clear(&c->notes);
    free(k);
    return code;
}

/* Notes that the blob was used. Where notes cannot be written they are dropped:
 * recency is a hint. */
static void note_use(cache *c, const etna_hash *hash)
{
    hashset_put(&c->notes, hash, ++c->now);
    if (c->notes.count >= NOTES_MAX && !c->full)
        write_down(c, NULL, (kv_view){NULL, 0}, NULL, NULL);
    if (c->notes.count >= NOTES_MAX)
        hashset_clear(&c->notes);
}

/* Both of LMDB's files. */
static void remove_data(const char *path)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/data.mdb", path);
    unlink(file);
    snprintf(file, sizeof file, "%s/lock.mdb", path);
    unlink(file);
}

/* Throws the environment away when the machine has started anew since it was
 * last written: beneath a lock, so that two processes that start together
 * agree. */
static etna_code renew_after_boot(const char *path, etna_error *err)
{
    char file[4096], now[40], then[40] = "";
    snprintf(file, sizeof file, "%s/boot", path);
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return etna_fail(err, wholefile_code(errno), "%s: %s", file,
                         strerror(errno));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(fd, F_OFD_SETLKW, &lock) && errno == EINTR) {
    }
    owner_boot_id(now);
    ssize_t n = pread(fd, then, sizeof then - 1, 0);
    then[n > 0 ? n : 0] = 0;
    if (!now[0] || strcmp(now, then) != 0) {
        remove_data(path);
        if (pwrite(fd, now, strlen(now), 0) < 0 ||
            ftruncate(fd, (off_t)strlen(now)))
            (void)!ftruncate(fd, 0);
    }
    close(fd);
    return ETNA_OK;
}

/* Refuses a folder that others could write to: blobs would be theirs. */
static etna_code cache_open_disk(const char *path,
                                 uint64_t limit,
                                 kv **ret,
                                 etna_error *err)
{
    struct stat st;
    kv_options options = {.path = path, .disposable = true};
    options.tables =
        1 << KV_META | 1 << KV_BLOBS | 1 << KV_USED | 1 << KV_ORDER;
    if (limit > UINT64_C(128) << 30)
        options.map_bytes = 2 * limit;
    etna_code code = filesystem_make_directory(path, err);
    if (code)
        return code;
    if (stat(path, &st) || st.st_uid != geteuid() || (st.st_mode & 022)) {
        return etna_fail(
            err, ETNA_E_IO,
            "%s: a cache must belong to its user and be writable by nobody else",
            path);
    }
    code = filesystem_check_local(path, err);
    if (!code)
        code = renew_after_boot(path, err);
    if (!code)
        code = kv_open_lmdb(&options, ret, err);
    if (code == ETNA_E_CORRUPT) { /* disposable: begin again */
        remove_data(path);
        code = kv_open_lmdb(&options, ret, err);
    }
    return code;
}

/* `path` NULL: in memory. */
etna_code cache_open(const char *path,
                     uint64_t limit_bytes,
                     cache **ret_cache,
                     etna_error *err)
{
    cache *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory opening the cache");
    c->limit = limit_bytes;
    if (!hashset_reserve(&c->verified) || !hashset_reserve(&c->notes)) {
        hashset_free(&c->verified);
        free(c);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory opening the cache");
    }
    etna_code code = path ? cache_open_disk(path, limit_bytes, &c->db, err)
                          : kv_open_memory(&c->db, err);
    if (code) {
        hashset_free(&c->verified);
        hashset_free(&c->notes);
        free(c);
        return code;
    }
    cache_maintain(c);
    *ret_cache = c;
    return ETNA_OK;
}

/* Uses are noted in memory; here they are kept. */
void cache_maintain(cache *c)
{
    if (c->notes.count && !c->full)
        write_down(c, NULL, (kv_view){NULL, 0}, NULL, NULL);
    c->db->ops->maintain(c->db);
}

/* NULL is fine. */
void cache_close(cache *c)
{
    if (!c)
        return;
    if (c->notes.count && !c->full)
        write_down(c, NULL, (kv_view){NULL, 0}, NULL, NULL);
    kv_close(c->db);
    hashset_free(&c->verified);
    hashset_free(&c->notes);
    free(c);
}

typedef struct fetching {
    const etna_hash *hash;
    bool check;
    uint8_t *data;
    size_t size;
} fetching;

/* A kv_body. */
static etna_code cache_fetch(kv_txn *txn, void *context, etna_error *err)
{
    fetching *f = context;
    kv_view row;
    etna_code code = kv_get(txn, KV_BLOBS, hash_key(f->hash), &row, err);
    return code ? code
                : row_decode_blob(f->hash, row, f->check, &f->data, &f->size,
                                  err);
}

/* A blob is verified once in a process's life. */
etna_code cache_get(cache *c,
                    const etna_hash *hash,
                    uint8_t **ret_data,
                    size_t *ret_size,
                    etna_error *err)
{
    fetching f = {.hash = hash,
                  .check = !hashset_get(&c->verified, hash, NULL)};
    etna_code code = kv_read(c->db, cache_fetch, &f, err);
    if (code == ETNA_E_CORRUPT) { /* a bad one is a missing one */
        if (!c->full)
            write_down(c, NULL, (kv_view){NULL, 0}, hash, NULL);
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "a damaged blob was dropped from the cache");
    }
    if (code == ETNA_E_NOTFOUND)
        return etna_fail(err, code, "not in the cache");
    if (code)
        return code;
    if (f.check)
        hashset_put(&c->verified, hash, 0);
    note_use(c, hash);
    *ret_data = f.data;
    *ret_size = f.size;
    return ETNA_OK;
}

/* A full disk ends keeping, and nothing else. */
etna_code cache_put(cache *c,
                    const etna_hash *hash,
                    const void *data,
                    size_t size,
                    etna_error *err)
{
    uint8_t *row;
    size_t row_size;
    if (c->full)
        return etna_fail(err, ETNA_E_FULL,
                         "the cache's disk is full; nothing new is kept");
    etna_hash found = etna_hash_bytes(data, size);
    if (!etna_hash_equal(&found, hash))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a blob's bytes do not match its hash");
    etna_code code = row_encode_blob(data, size, &row, &row_size, err);
    if (code)
        return code;
    if (row_size > c->limit) {
        free(row);
        return etna_fail(
            err, ETNA_E_LIMIT,
            "a blob of %zu bytes is over the cache's limit of %llu", row_size,
            (unsigned long long)c->limit);
    }
    code = write_down(c, hash, (kv_view){row, row_size}, NULL, err);
    free(row);
    if (code == ETNA_E_FULL || code == ETNA_E_IO)
        c->full = true;
    return code;
}
