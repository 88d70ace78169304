/* The writer of a mirror: a maker of kv.h in front of another. See mirror.h. */
#include "store/mirror.h"
#include "proto/array.h"
#include "proto/canon.h"
#include "proto/fd.h"
#include "store/filesystem.h"
#include "store/mirror_folder.h"
#include "store/row.h"
#include "store/wholefile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* PATH_ROOM: a path with its NUL. BASE_GROUP: bytes of one group of a base,
 * which is written in several. */
enum {
    PATH_ROOM = 4096,
    BASE_GROUP = 4 << 20
};
/* Bytes after which the next segment is begun. */
#define SEGMENT_MOST (UINT64_C(256) << 20)
/* Bytes over twice the store's after which a new base is written. */
#define MIRROR_SPARE (UINT64_C(1) << 30)

/* What a rebuilt store needs; meta is made anew there. */
static const kv_table mirrored[] = {KV_RUNS, KV_JOURNAL, KV_REPLIES, KV_BLOBS};
enum {
    MIRRORED = COUNT_OF(mirrored)
};

/* `place`, `size` and `segment` say where the next group goes; they move with
 * each append and move back when its write fails. */
typedef struct mirror {
    kv base;
    kv *inner; /* owned */
    char path[PATH_ROOM];
    store_owner self;
    mirror_folder folder; /* as it was found */
    mirror_place place;
    int fd; /* of the segment that is written; -1: none */
    uint32_t number;
    uint64_t size;
    etna_hash segment; /* its seal */
    segment_group group;
    bool broken; /* what a failed append left could not be taken back */
} mirror;

typedef struct mirror_txn {
    kv_txn base;
    kv_txn *inner;
} mirror_txn;

/* Where the mirror stands, in the same transaction as the change itself. */
etna_code mirror_place_put(kv_txn *txn,
                           const mirror_place *place,
                           etna_error *err)
{
    canon_writer w = {0};
    canon_raw(&w, place->store.bytes, sizeof place->store.bytes);
    canon_u64(&w, place->point.epoch);
    canon_u64(&w, place->point.number);
    canon_hash(&w, &place->point.chain);
    canon_u64(&w, place->claimed);
    canon_u64(&w, place->claiming);
    if (!w.failed) {
        etna_hash seal = etna_hash_bytes(w.data, w.size);
        canon_hash(&w, &seal);
    }
    etna_code code = w.failed
                         ? etna_fail(err, ETNA_E_NOMEM,
                                     "out of memory writing the mirror's row")
                         : kv_put(txn, KV_META, row_meta_key("mirror"),
                                  (kv_view){w.data, w.size}, err);
    canon_writer_free(&w);
    return code;
}

/* False: it is damaged. */
bool mirror_place_decode(kv_view row, mirror_place *ret)
{
    mirror_place place;
    canon_reader r = canon_read(row.data, row.size);
    canon_get_raw(&r, place.store.bytes, sizeof place.store.bytes);
    place.point.epoch = canon_get_u64(&r);
    place.point.number = canon_get_u64(&r);
    place.point.chain = canon_get_hash(&r);
    place.claimed = canon_get_u64(&r);
    place.claiming = canon_get_u64(&r);
    etna_hash right = etna_hash_bytes(row.data, r.at);
    etna_hash seal = canon_get_hash(&r);
    if (!canon_done(&r) || !etna_hash_equal(&right, &seal))
        return false;
    *ret = place;
    return true;
}

/* NOTFOUND: the store was never mirrored. */
etna_code mirror_place_get(kv_txn *txn, mirror_place *ret, etna_error *err)
{
    kv_view row;
    etna_code code = kv_get(txn, KV_META, row_meta_key("mirror"), &row, err);
    if (code || mirror_place_decode(row, ret))
        return code;
    return etna_fail(err, ETNA_E_CORRUPT,
                     "the mirror's row is damaged; run `etna store verify`");
}

/* Another's claim means that somebody else has taken the mirror over. */
bool mirror_claim_is_own(const mirror_place *place, uint64_t claim)
{
    return claim == 0 || claim == place->claimed || claim == place->claiming;
}

/* Takes errno. */
static etna_code mirror_fail(const mirror *m, etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "the mirror %s: %s", m->path,
                     strerror(why));
}

/* Whether what is written is where the next host will look for it. A directory
 * that was moved away or mounted over, and files that were removed, take every
 * write without an error. */
static bool mirror_is_in_place(const mirror *m)
{
    struct stat named, held, segment;
    if (stat(m->path, &named) || fstat(m->folder.fd, &held) ||
        fstat(m->fd, &segment))
        return false;
    return named.st_dev == held.st_dev && named.st_ino == held.st_ino &&
           segment.st_nlink > 0;
}

/* After each append: nobody with a higher epoch has claimed the mirror. The
 * order is what makes it safe (mirror.h, Fencing). */
static etna_code mirror_check_claim(const mirror *m, etna_error *err)
{
    uint64_t claim;
    etna_code code =
        mirror_folder_claim_now(m->folder.fd, m->path, &claim, err);
    if (code)
        return code;
    if (claim > m->self.epoch) {
        return etna_fail(
            err, ETNA_E_STALE,
            "the mirror %s was taken over by another process (epoch %llu, ours is %llu)",
            m->path, (unsigned long long)claim,
            (unsigned long long)m->self.epoch);
    }
    if (claim == m->self.epoch && mirror_is_in_place(m))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_IO,
        "the mirror %s was moved or removed while it was written: the store here has all; "
        "put the mirror back, or start anew without --mirror or with another",
        m->path);
}

/* Begins a segment under `name` and leaves the one before. */
static etna_code mirror_begin(mirror *m,
                              const char *name,
                              bool base,
                              etna_error *err)
{
    uint8_t bytes[SEGMENT_HEAD];
    segment_head head = {.store = m->place.store,
                         .epoch = m->self.epoch,
                         .number = m->number,
                         .base = base,
                         .before = m->place.point};
    etna_code code = segment_head_encode(&head, bytes, err);
    if (code)
        return code;
    int fd =
        openat(m->folder.fd, name,
               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return mirror_fail(m, err);
    if (!fd_write_at(fd, bytes, sizeof bytes, 0) || fsync(fd) ||
        fsync(m->folder.fd)) {
        code = mirror_fail(m, err);
        close(fd);
        return code;
    }
    if (m->fd >= 0)
        close(m->fd);
    m->fd = fd;
    m->number++;
    m->size = sizeof bytes;
    m->segment = segment_head_seal(bytes);
    return ETNA_OK;
}

/* Segments have a bounded size, so that old ones can be removed. */
static etna_code mirror_begin_next(mirror *m, etna_error *err)
{
    char name[SEGMENT_NAME_MAX];
    segment_name(m->self.epoch, m->number, name);
    return mirror_begin(m, name, false, err);
}

/* Seals what has gathered and appends it; not synced. */
static etna_code mirror_append(mirror *m, etna_error *err)
{
    assert(m->fd >= 0); /* mirror_start() began a segment */
    segment_point point = m->place.point;
    etna_code code = segment_group_seal(&m->group, &m->segment, &point, err);
    if (code)
        return code;
    if (!fd_write_at(m->fd, m->group.data, m->group.size, m->size))
        return mirror_fail(m, err);
    m->size += m->group.size;
    point.epoch = m->self.epoch;
    m->place.point = point;
    segment_group_reset(&m->group);
    return ETNA_OK;
}

typedef struct mirror_change { /* a write transaction */
    mirror *m;
    kv_body body;
    void *context;
} mirror_change;

/* Body of the inner write: the caller's body, then the append with its sync,
 * then the look at the claim, then the new place. Only then the inner
 * commit. */
static etna_code mirror_change_write(kv_txn *txn,
                                     void *context,
                                     etna_error *err)
{
    const mirror_change *change = context;
    mirror *m = change->m;
    mirror_txn own = {{&m->base}, txn};
    etna_code code = change->body(&own.base, change->context, err);
    if (code || segment_group_is_empty(&m->group))
        return code;
    code = mirror_append(m, err);
    if (!code && fdatasync(m->fd))
        code = mirror_fail(m, err);
    if (!code)
        code = mirror_check_claim(m, err);
    return code ? code : mirror_place_put(txn, &m->place, err);
}

/* A write that failed leaves nothing in the mirror either. Where the file
 * cannot be cut, no later write is taken: it would follow a group that never
 * was. */
static void mirror_take_back(mirror *m,
                             uint64_t size,
                             const segment_point *point)
{
    segment_group_reset(&m->group);
    m->place.point = *point;
    m->size = size;
    if (ftruncate(m->fd, (off_t)size))
        m->broken = true;
}

/* The group is written to the mirror before the transaction commits; a commit
 * that fails takes it back. */
static etna_code mirror_run(
    kv *db, bool write, kv_body body, void *context, etna_error *err)
{
    mirror *m = (mirror *)db;
    if (!write)
        return kv_read(m->inner, body, context, err);
    if (m->broken)
        return etna_fail(
            err, ETNA_E_IO,
            "the mirror %s: what a failed write left there could not be taken back",
            m->path);
    etna_code code =
        m->size > SEGMENT_MOST ? mirror_begin_next(m, err) : ETNA_OK;
    if (code)
        return code;
    mirror_change change = {m, body, context};
    const segment_point point = m->place.point;
    uint64_t size = m->size;
    code = kv_write(m->inner, mirror_change_write, &change, err);
    if (code)
        mirror_take_back(m, size, &point);
    return code;
}

/* The cache's tables are not mirrored. */
static bool mirror_has(kv_table table)
{
    for (size_t i = 0; i < MIRRORED; i++) {
        if (mirrored[i] == table)
            return true;
    }
    return false;
}

/* The transaction of the maker behind. */
static kv_txn *mirror_inner(kv_txn *txn)
{
    return ((mirror_txn *)txn)->inner;
}

/* Reading goes straight through, here and below. */
static etna_code mirror_get(
    kv_txn *txn, kv_table table, kv_view key, kv_view *ret, etna_error *err)
{
    return kv_get(mirror_inner(txn), table, key, ret, err);
}

/* Noted for the group, then done. */
static etna_code mirror_put(
    kv_txn *txn, kv_table table, kv_view key, kv_view value, etna_error *err)
{
    mirror *m = (mirror *)txn->db;
    if (mirror_has(table))
        segment_group_put(&m->group, table, key, value);
    return kv_put(mirror_inner(txn), table, key, value, err);
}

/* The same. */
static etna_code mirror_del(kv_txn *txn,
                            kv_table table,
                            kv_view key,
                            etna_error *err)
{
    mirror *m = (mirror *)txn->db;
    if (mirror_has(table))
        segment_group_del(&m->group, table, key);
    return kv_del(mirror_inner(txn), table, key, err);
}

static etna_code mirror_seek(kv_txn *txn,
                             kv_table table,
                             kv_view key,
                             bool forward,
                             kv_view *ret_key,
                             kv_view *ret_value,
                             etna_error *err)
{
    return kv_seek(mirror_inner(txn), table, key, forward, ret_key, ret_value,
                   err);
}

static etna_code mirror_count(kv_txn *txn,
                              kv_table table,
                              uint64_t *ret,
                              etna_error *err)
{
    return kv_count(mirror_inner(txn), table, ret, err);
}

static uint64_t mirror_file_bytes(kv *db)
{
    kv *inner = ((mirror *)db)->inner;
    return inner->ops->file_bytes(inner);
}

static etna_code mirror_copy(kv *db, const char *directory, etna_error *err)
{
    kv *inner = ((mirror *)db)->inner;
    return inner->ops->copy(inner, directory, err);
}

static etna_code mirror_compact(kv *db, etna_error *err)
{
    kv *inner = ((mirror *)db)->inner;
    return inner->ops->compact(inner, err);
}

static void mirror_maintain(kv *db)
{
    kv *inner = ((mirror *)db)->inner;
    inner->ops->maintain(inner);
}

/* All but the inner maker, which is the caller's until mirror_open()
 * succeeded. */
static void mirror_free(mirror *m)
{
    if (m->fd >= 0)
        close(m->fd);
    mirror_folder_close(&m->folder);
    segment_group_free(&m->group);
    free(m);
}

/* Both. */
static void mirror_close(kv *db)
{
    mirror *m = (mirror *)db;
    kv_close(m->inner);
    mirror_free(m);
}

static const kv_ops mirror_ops = {
    .run = mirror_run,
    .get = mirror_get,
    .put = mirror_put,
    .del = mirror_del,
    .seek = mirror_seek,
    .count = mirror_count,
    .file_bytes = mirror_file_bytes,
    .copy = mirror_copy,
    .compact = mirror_compact,
    .maintain = mirror_maintain,
    .close = mirror_close,
};

typedef struct mirror_base { /* a base as it is written */
    mirror *m;
    kv_table table;
} mirror_base;

/* A row of the base; a group that has grown enough is appended. */
static etna_code mirror_base_row(void *context,
                                 kv_view key,
                                 kv_view value,
                                 etna_error *err)
{
    const mirror_base *base = context;
    segment_group_put(&base->m->group, base->table, key, value);
    return base->m->group.size < BASE_GROUP && !base->m->group.failed
               ? ETNA_OK
               : mirror_append(base->m, err);
}

/* All rows as puts. */
static etna_code mirror_base_rows(mirror *m, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < MIRRORED; i++) {
        mirror_base base = {m, mirrored[i]};
        code = kv_each(m->inner, mirrored[i], mirror_base_row, &base, err);
    }
    /* perhaps without a change: a base has a group, so that it has a place */
    return code ? code : mirror_append(m, err);
}

/* A kv_body. */
static etna_code mirror_save_place(kv_txn *txn, void *context, etna_error *err)
{
    return mirror_place_put(txn, context, err);
}

/* Hidden until it is whole, then appended to under its name. */
static etna_code mirror_begin_base(mirror *m, etna_error *err)
{
    char name[SEGMENT_NAME_MAX], hidden[SEGMENT_NAME_MAX + 8];
    segment_name(m->self.epoch, m->number, name);
    snprintf(hidden, sizeof hidden, "%s.part", name);
    m->place.point = (segment_point){.number = m->place.point.number};
    etna_code code = mirror_begin(m, hidden, true, err);
    if (!code)
        code = mirror_base_rows(m, err);
    if (!code && fsync(m->fd))
        code = mirror_fail(m, err);
    if (!code)
        code = mirror_check_claim(m, err);
    if (!code && renameat(m->folder.fd, hidden, m->folder.fd, name))
        code = mirror_fail(m, err);
    if (!code && fsync(m->folder.fd))
        code = mirror_fail(m, err);
    if (!code)
        code = kv_write(m->inner, mirror_save_place, &m->place, err);
    if (!code)
        mirror_folder_forget(&m->folder, m->self.epoch, true);
    return code;
}

/* Whether the mirror has the store's place, so that one can go on from it. A
 * damaged mirror has not, and then a base is written. */
static bool mirror_has_place(const mirror *m)
{
    mirror_plan plan;
    segment_point point = {0};
    const segment_point *place = &m->place.point;
    if (place->epoch == 0 || mirror_folder_plan(&m->folder, place, &plan, NULL))
        return false;
    etna_code code = mirror_folder_walk(&m->folder, &plan.parts[plan.count - 1],
                                        false, &point, NULL, NULL, NULL);
    mirror_plan_free(&plan);
    return !code && point.number == place->number &&
           etna_hash_equal(&point.chain, &place->chain);
}

/* A kv_body. */
static etna_code mirror_read_place(kv_txn *txn, void *context, etna_error *err)
{
    return mirror_place_get(txn, context, err);
}

/* The store's name in its mirror is written into the store before anything is
 * in the mirror under it. */
static etna_code mirror_know_place(mirror *m, etna_error *err)
{
    etna_code code = kv_read(m->inner, mirror_read_place, &m->place, err);
    bool is_new = code == ETNA_E_NOTFOUND;
    if (code && !is_new)
        return code;
    for (size_t i = 0; i < m->folder.count; i++) {
        const mirror_segment *s = &m->folder.segments[i];
        bool is_ours =
            !is_new && etna_id_equal(&s->head.store, &m->place.store);
        if (s->readable && !is_ours)
            return etna_fail(
                err, ETNA_E_USAGE,
                "the mirror %s is another store's; name an empty directory, or rebuild that store from it",
                m->path);
    }
    if (!is_new)
        return ETNA_OK;
    m->place = (mirror_place){0};
    randombytes_buf(m->place.store.bytes, sizeof m->place.store.bytes);
    return kv_write(m->inner, mirror_save_place, &m->place, err);
}

/* Said before the claim is made: it is this store's, too, where a crash comes
 * between. */
static etna_code mirror_claim(mirror *m, etna_error *err)
{
    m->place.claimed = m->folder.claim;
    m->place.claiming = m->self.epoch;
    etna_code code = kv_write(m->inner, mirror_save_place, &m->place, err);
    if (!code)
        code = mirror_folder_claim(&m->folder, m->self.epoch, &m->self, err);
    if (!code)
        m->place.claimed = m->self.epoch;
    return code;
}

/* Claims the mirror and decides where to go on: behind what is there, or by a
 * new base. */
static etna_code mirror_start(mirror *m, etna_error *err)
{
    etna_code code = mirror_know_place(m, err);
    if (code)
        return code;
    bool is_own =
        m->folder.count == 0 || mirror_claim_is_own(&m->place, m->folder.claim);
    if (!is_own || m->folder.claim >= m->self.epoch)
        return etna_fail(
            err, ETNA_E_STALE,
            "the mirror %s was taken over and is newer than this store: go on from it by --from %s",
            m->path, m->path);
    code = mirror_claim(m, err);
    if (code)
        return code;
    kv *inner = m->inner;
    bool is_grown =
        m->folder.bytes > 2 * inner->ops->file_bytes(inner) + MIRROR_SPARE;
    if (is_grown || !mirror_has_place(m))
        return mirror_begin_base(m, err);
    code = mirror_begin_next(m, err);
    if (!code)
        mirror_folder_forget(&m->folder, m->self.epoch, false);
    return code;
}

/* Takes `inner` on success alone. */
etna_code mirror_open(const char *path,
                      const store_owner *self,
                      kv *inner,
                      kv **ret,
                      etna_error *err)
{
    if (sodium_init() < 0)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "libsodium cannot be initialized");
    if (strlen(path) >= PATH_ROOM)
        return etna_fail(err, ETNA_E_USAGE, "the mirror's path is too long");
    mirror *m = calloc(1, sizeof *m);
    if (!m)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory opening a mirror");
    *m = (mirror){.base = {&mirror_ops, inner->concurrent},
                  .inner = inner,
                  .self = *self,
                  .fd = -1,
                  .folder.fd = -1};
    snprintf(m->path, sizeof m->path, "%s", path);
    etna_code code = filesystem_make_directory(m->path, err);
    if (!code)
        code = mirror_folder_open(m->path, &m->folder, err);
    if (!code)
        code = mirror_start(m, err);
    if (code) {
        mirror_free(m);
        return code;
    }
    *ret = &m->base;
    return ETNA_OK;
}
