/* The LMDB maker of kv.h.
 *
 * Traps that shape it: a process may open an environment only once (closing a
 * second one drops the first one's file locks), so a list of what this process
 * holds refuses it; a stopped writer stops every other writer, so bodies do no
 * work but puts, and writers of what is disposable take turns by a file lock
 * that they do not wait for long; a forgotten read transaction keeps all later
 * pages alive, so transactions are callbacks; dead processes leave reader slots
 * behind, so kv_ops.maintain clears them; and a full disk shows as a short
 * write (EIO). */
#include "proto/array.h"
#include "store/kv.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#if defined __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
/* built without valgrind's header: a map that is too large is halved until it
 * fits */
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

/* READERS_MAX: LMDB's slots, each a process or thread that reads. LOCK_BYTES:
 * of a file with so many, 64 each, behind a head of some more. TURN: tries, and
 * nanoseconds between two. */
enum {
    READERS_MAX = 1022,
    LOCK_BYTES = 17 * 4096,
    PATH_ROOM = 4096,
    TURN_TRIES = 41,
    TURN_PAUSE_NS = 5000000
}; /* 200 ms in all */
static const uint64_t MAP_DEFAULT = UINT64_C(256) << 30,
                      MAP_VALGRIND = UINT64_C(16) << 30,
                      MAP_LEAST = UINT64_C(1) << 30;
static const char *const names[KV_TABLES] = {
    "meta",    "runs",   "journal", "replies", "blobs", "used",    "order",
    "sources", "shapes", "scans",   "index",   "views", "captions"};

/* An open environment. */
typedef struct lmdb {
    kv base;
    MDB_env *env;
    MDB_dbi dbi[KV_TABLES];
    bool open[KV_TABLES];
    bool read_only;
    int turn_fd; /* of a disposable environment, else -1 */
    /* the last one did not come: whoever holds it may be stopped for good */
    bool turn_lost;
    char *path;
    uint32_t tables; /* as it was opened, to be opened so again */
    uint64_t map_bytes;
    dev_t device; /* what the list of open environments is keyed by */
    ino_t inode;
    pid_t pid;
    bool listed;
    struct lmdb *next;
} lmdb;

typedef struct lmdb_txn {
    kv_txn base;
    MDB_txn *txn;
} lmdb_txn;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static lmdb *list;

/* False: this process has the same directory open already. Compared by device
 * and inode, as a path may be written in many ways. */
static bool kv_lmdb_list_add(lmdb *l)
{
    pthread_mutex_lock(&list_lock);
    bool found = false;
    for (lmdb *o = list; o && !found; o = o->next) {
        found = o->device == l->device && o->inode == l->inode &&
                o->pid == l->pid; /* a fork's copy does not count */
    }
    if (!found) {
        l->next = list;
        list = l;
        l->listed = true;
    }
    pthread_mutex_unlock(&list_lock);
    return !found;
}

/* Once. */
static void list_remove(lmdb *l)
{
    if (!l->listed)
        return;
    pthread_mutex_lock(&list_lock);
    lmdb **at = &list;
    while (*at && *at != l)
        at = &(*at)->next;
    if (*at)
        *at = l->next;
    pthread_mutex_unlock(&list_lock);
}

/* LMDB reports a disk that filled up in the middle of a page as EIO; look
 * whether there was room. */
static bool no_room(const lmdb *l)
{
    struct statvfs fs;
    if (!statvfs(l->path, &fs) &&
        (uint64_t)fs.f_bavail * fs.f_frsize < (UINT64_C(1) << 20))
        return true;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return false;
    return l->base.ops->file_bytes((kv *)(uintptr_t)&l->base) +
               (UINT64_C(1) << 20) >
           limit.rlim_cur;
}

/* Our code and text for one of LMDB's. */
static etna_code lmdb_fail(const lmdb *l,
                           int rc,
                           const char *doing,
                           etna_error *err)
{
    switch (rc) {
    case MDB_NOTFOUND: return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    case ENOMEM:
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory %s", l->path,
                         doing);
    case MDB_VERSION_MISMATCH:
        return etna_fail(
            err, ETNA_E_NEWER,
            "%s: written by another version of LMDB; use that version of etna",
            l->path);
    case MDB_INVALID:
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_PANIC:
        return etna_fail(
            err, ETNA_E_CORRUPT,
            "%s: %s while %s; restore it from a copy, or use another --store",
            l->path, mdb_strerror(rc), doing);
    case MDB_MAP_FULL:
        return etna_fail(
            err, ETNA_E_FULL,
            "%s: the map is full; `etna store gc`, or use another --store",
            l->path);
    default: break;
    }
    bool is_full = rc == ENOSPC || rc == EDQUOT || rc == EFBIG;
    if (is_full || (rc == EIO && no_room(l))) {
        return etna_fail(
            err, ETNA_E_FULL,
            "%s: the disk is full (%s while %s); free some space and resume",
            l->path, mdb_strerror(rc), doing);
    }
    return etna_fail(err, ETNA_E_IO, "%s: %s while %s", l->path,
                     mdb_strerror(rc), doing);
}

/* LMDB takes no const. */
static MDB_val kv_lmdb_val(kv_view view)
{
    return (MDB_val){view.size, (void *)(uintptr_t)view.data};
}

/* Valid within the transaction. */
static kv_view view_of(MDB_val value)
{
    return (kv_view){value.mv_data, value.mv_size};
}

/* A table that is not there yet is empty. */
static etna_code lmdb_get(
    kv_txn *base, kv_table table, kv_view key, kv_view *ret, etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    MDB_val k = kv_lmdb_val(key);
    MDB_val v;
    if (!l->open[table])
        return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    int rc = mdb_get(((lmdb_txn *)base)->txn, l->dbi[table], &k, &v);
    if (rc)
        return lmdb_fail(l, rc, "reading", err);
    *ret = view_of(v);
    return ETNA_OK;
}

/* Replaces. */
static etna_code lmdb_put(
    kv_txn *base, kv_table table, kv_view key, kv_view value, etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    MDB_val k = kv_lmdb_val(key);
    MDB_val v = kv_lmdb_val(value);
    int rc = mdb_put(((lmdb_txn *)base)->txn, l->dbi[table], &k, &v, 0);
    return rc ? lmdb_fail(l, rc, "writing", err) : ETNA_OK;
}

/* NOTFOUND: there was none. */
static etna_code lmdb_del(kv_txn *base,
                          kv_table table,
                          kv_view key,
                          etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    MDB_val k = kv_lmdb_val(key);
    int rc = mdb_del(((lmdb_txn *)base)->txn, l->dbi[table], &k, NULL);
    return rc ? lmdb_fail(l, rc, "removing", err) : ETNA_OK;
}

/* The last row up to the key: the key's own, the one before, or the last of
 * all. */
static int cursor_seek_back(MDB_cursor *cursor,
                            kv_view key,
                            MDB_val *k,
                            MDB_val *v)
{
    int rc = mdb_cursor_get(cursor, k, v, MDB_SET_RANGE);
    if (rc == MDB_NOTFOUND)
        return mdb_cursor_get(cursor, k, v, MDB_LAST);
    if (rc)
        return rc;
    const bool is_same =
        k->mv_size == key.size && memcmp(k->mv_data, key.data, key.size) == 0;
    return is_same ? rc : mdb_cursor_get(cursor, k, v, MDB_PREV);
}

/* As kv_seek; a table that is not there yet is empty. */
static etna_code lmdb_seek(kv_txn *base,
                           kv_table table,
                           kv_view key,
                           bool forward,
                           kv_view *ret_key,
                           kv_view *ret_value,
                           etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    if (!l->open[table])
        return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    MDB_cursor *cursor;
    int rc = mdb_cursor_open(((lmdb_txn *)base)->txn, l->dbi[table], &cursor);
    if (rc)
        return lmdb_fail(l, rc, "reading", err);
    MDB_val k = kv_lmdb_val(key);
    MDB_val v;
    if (forward)
        rc = mdb_cursor_get(cursor, &k, &v,
                            key.size ? MDB_SET_RANGE : MDB_FIRST);
    else
        rc = cursor_seek_back(cursor, key, &k, &v);
    mdb_cursor_close(cursor);
    if (rc)
        return lmdb_fail(l, rc, "reading", err);
    *ret_key = view_of(k);
    *ret_value = view_of(v);
    return ETNA_OK;
}

/* 0 for a table that is not there. */
static etna_code lmdb_count(kv_txn *base,
                            kv_table table,
                            uint64_t *ret,
                            etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    MDB_stat stat = {0};
    int rc = l->open[table]
                 ? mdb_stat(((lmdb_txn *)base)->txn, l->dbi[table], &stat)
                 : 0;
    if (rc)
        return lmdb_fail(l, rc, "counting", err);
    *ret = stat.ms_entries;
    return ETNA_OK;
}

/* LMDB's own mutex cannot be waited for with an end; this lock, taken before
 * it, can. The kernel drops it at death. */
static etna_code take_turn(lmdb *l, etna_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct timespec pause = {.tv_nsec = TURN_PAUSE_NS};
    if (l->turn_fd < 0)
        return ETNA_OK;
    for (int tries = l->turn_lost ? 1 : TURN_TRIES; tries > 0; tries--) {
        if (!fcntl(l->turn_fd, F_OFD_SETLK, &lock)) {
            l->turn_lost = false;
            return ETNA_OK;
        }
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return lmdb_fail(l, errno, "waiting to write", err);
        if (tries > 1)
            nanosleep(&pause, NULL);
    }
    l->turn_lost = true;
    return etna_fail(
        err, ETNA_E_OWNED,
        "%s: another process has been writing for too long; is it stopped?",
        l->path);
}

/* The lock goes with the process, if this is never reached. */
static void end_turn(const lmdb *l)
{
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    if (l->turn_fd >= 0)
        (void)fcntl(l->turn_fd, F_OFD_SETLK, &lock);
}

/* One transaction around the body. When all reader slots are taken, those of
 * dead processes are cleared and it is tried once more. */
static etna_code run_inside(
    lmdb *l, bool write, kv_body body, void *context, etna_error *err)
{
    lmdb_txn txn = {.base = {&l->base}};
    if (!l->env)
        return etna_fail(err, ETNA_E_IO,
                         "%s: it could not be opened again; start anew",
                         l->path);
    int rc = mdb_txn_begin(l->env, NULL, write ? 0 : MDB_RDONLY, &txn.txn);
    if (rc == MDB_READERS_FULL) {
        int dead = 0;
        mdb_reader_check(l->env, &dead);
        rc = mdb_txn_begin(l->env, NULL, write ? 0 : MDB_RDONLY, &txn.txn);
    }
    if (rc)
        return lmdb_fail(l, rc, "beginning a transaction", err);
    etna_code code = body(&txn.base, context, err);
    if (code || !write) {
        mdb_txn_abort(txn.txn);
        return code;
    }
    rc = mdb_txn_commit(txn.txn);
    return rc ? lmdb_fail(l, rc, "committing", err) : ETNA_OK;
}

/* Writers of what is disposable wait for their turn outside of the
 * transaction. */
static etna_code lmdb_run(
    kv *db, bool write, kv_body body, void *context, etna_error *err)
{
    lmdb *l = (lmdb *)db;
    etna_code code = write ? take_turn(l, err) : ETNA_OK;
    if (code)
        return code;
    code = run_inside(l, write, body, context, err);
    if (write)
        end_turn(l);
    return code;
}

/* 0: it cannot be told. */
static uint64_t lmdb_file_bytes(kv *db)
{
    char file[4096];
    struct stat st;
    snprintf(file, sizeof file, "%s/data.mdb", ((lmdb *)db)->path);
    return stat(file, &st) ? 0 : (uint64_t)st.st_size;
}

/* Room is wanting where the copy comes to, which may be another disk. */
static etna_code lmdb_copy_fail(const lmdb *l,
                                const char *directory,
                                int rc,
                                etna_error *err)
{
    if (rc != ENOSPC && rc != EDQUOT && rc != EFBIG)
        return lmdb_fail(l, rc, "copying", err);
    return etna_fail(err, ETNA_E_FULL,
                     "%s: the disk has no room for the copy (%s); free some "
                     "space, or copy to another place",
                     directory, strerror(rc));
}

/* Compacted, and on the disk before it counts. */
static etna_code lmdb_copy(kv *db, const char *directory, etna_error *err)
{
    const lmdb *l = (const lmdb *)db;
    char file[4096];
    int rc = mdb_env_copy2(l->env, directory, MDB_CP_COMPACT);
    if (rc)
        return lmdb_copy_fail(l, directory, rc, err);
    snprintf(file, sizeof file, "%s/data.mdb", directory);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    bool synced = fd >= 0 && fsync(fd) == 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    return synced ? ETNA_OK : lmdb_copy_fail(l, directory, why, err);
}

/* Readers of processes that died. */
static void lmdb_maintain(kv *db)
{
    int dead = 0;
    mdb_reader_check(((lmdb *)db)->env, &dead);
}

/* Also of one that was opened in part. */
static void lmdb_close(kv *db)
{
    lmdb *l = (lmdb *)db;
    if (l->env)
        mdb_env_close(l->env);
    list_remove(l);
    if (l->turn_fd >= 0)
        close(l->turn_fd);
    free(l->path);
    free(l);
}

/* LMDB writes into its lock file by a map, and where the disk has no room for
 * that the process dies by SIGBUS. So the file has all its bytes before. One
 * that is new gets as many as LMDB would give it, or some more; the length of
 * another's is left, since whoever has it open mapped that. 0, or errno. */
static int lmdb_reserve_lock(const char *path)
{
    char file[PATH_ROOM];
    struct stat st;
    snprintf(file, sizeof file, "%s/lock.mdb", path);
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return errno;
    int rc = fstat(fd, &st) ? errno : 0;
    if (!rc)
        rc = posix_fallocate(fd, 0, st.st_size ? st.st_size : LOCK_BYTES);
    close(fd);
    return rc;
}

/* The map is only address space. Where so much is not to be had (a sanitizer, a
 * limit), the half of it, down to 1 GiB. */
static int open_env(lmdb *l, const kv_options *options)
{
    uint64_t map = options->map_bytes ? options->map_bytes : MAP_DEFAULT;
    if (!options->map_bytes && RUNNING_ON_VALGRIND)
        map = MAP_VALGRIND;
    unsigned flags = MDB_NOTLS;
    if (options->read_only)
        flags |= MDB_RDONLY;
    if (options->disposable)
        flags |= MDB_NOSYNC;
    int rc = options->read_only ? 0 : lmdb_reserve_lock(l->path);
    if (rc)
        return rc;
    for (;;) {
        rc = mdb_env_create(&l->env);
        if (rc)
            return rc;
        rc = mdb_env_set_mapsize(l->env, map);
        if (!rc)
            rc = mdb_env_set_maxdbs(l->env, KV_TABLES);
        if (!rc)
            rc = mdb_env_set_maxreaders(l->env, READERS_MAX);
        if (!rc)
            rc = mdb_env_open(l->env, l->path, flags, 0600);
        if (!rc)
            return 0;
        mdb_env_close(l->env);
        l->env = NULL;
        if (rc != ENOMEM || map / 2 < MAP_LEAST)
            return rc;
        map /= 2;
    }
}

/* What is not there is made, or left out where only reading is wanted. */
static int open_tables(lmdb *l, uint32_t tables, bool make, bool leave_out)
{
    MDB_txn *txn;
    int rc = mdb_txn_begin(l->env, NULL, make ? 0 : MDB_RDONLY, &txn);
    if (rc)
        return rc;
    for (int i = 0; i < KV_TABLES; i++) {
        if (!(tables >> i & 1))
            continue;
        rc = mdb_dbi_open(txn, names[i], make ? MDB_CREATE : 0, &l->dbi[i]);
        l->open[i] = !rc;
        if (rc == MDB_NOTFOUND && leave_out)
            rc = 0;
        if (rc) {
            mdb_txn_abort(txn);
            return rc;
        }
    }
    return mdb_txn_commit(txn);
}

/* Whether the file has every page that was ever given out. What is not there
 * ends who reads it by SIGBUS; but a page that was given up in the transaction
 * that took it is never written, so that only of what is disposable a short
 * file is taken for a damaged one. */
static bool lmdb_is_cut(lmdb *l)
{
    MDB_envinfo info;
    MDB_stat stat;
    if (mdb_env_info(l->env, &info) || mdb_env_stat(l->env, &stat))
        return true;
    return lmdb_file_bytes(&l->base) <
           (info.me_last_pgno + 1) * (uint64_t)stat.ms_psize;
}

/* What is damaged may be thrown away, which is the caller's to do. */
static etna_code open_disposable(lmdb *l,
                                 const kv_options *options,
                                 etna_error *err)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/turn", l->path);
    l->turn_fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (l->turn_fd < 0)
        return lmdb_fail(l, errno, "opening its lock", err);
    int rc = open_env(l, options);
    if (!rc && lmdb_is_cut(l))
        rc = MDB_CORRUPTED;
    /* the tables are usually there: nobody to wait for */
    if (!rc)
        rc = open_tables(l, options->tables, false, false);
    if (rc != MDB_NOTFOUND)
        return rc ? lmdb_fail(l, rc, "opening it", err) : ETNA_OK;
    etna_code code = take_turn(l, err);
    if (code)
        return code;
    rc = open_tables(l, options->tables, true, false);
    end_turn(l);
    return rc ? lmdb_fail(l, rc, "opening it", err) : ETNA_OK;
}

/* ---- compaction ---- */

/* Removes a copy that compaction made, or that was cut off. */
static void lmdb_forget_fresh(const char *fresh)
{
    char file[PATH_ROOM];
    static const char *const files[] = {"data.mdb", "lock.mdb"};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        snprintf(file, sizeof file, "%s/%s", fresh, files[i]);
        unlink(file);
    }
    rmdir(fresh);
}

/* Bytes of all pages in use: what a copy without free pages will take. */
static etna_code lmdb_sum_pages(kv_txn *base, void *context, etna_error *err)
{
    const lmdb *l = (const lmdb *)base->db;
    uint64_t *bytes = context;
    for (int i = 0; i < KV_TABLES; i++) {
        MDB_stat stat = {0};
        int rc = l->open[i]
                     ? mdb_stat(((lmdb_txn *)base)->txn, l->dbi[i], &stat)
                     : 0;
        if (rc)
            return lmdb_fail(l, rc, "measuring", err);
        *bytes += (stat.ms_branch_pages + stat.ms_leaf_pages +
                   stat.ms_overflow_pages) *
                  (uint64_t)stat.ms_psize;
    }
    return ETNA_OK;
}

/* A copy that meets the end of the disk would have filled it for everybody
 * meanwhile. */
static etna_code lmdb_check_room(lmdb *l, etna_error *err)
{
    uint64_t needed = UINT64_C(1) << 20;
    struct statvfs fs;
    etna_code code = run_inside(l, false, lmdb_sum_pages, &needed, err);
    if (code || statvfs(l->path, &fs))
        return code;
    uint64_t left = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (left >= needed)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_FULL,
        "%s: compacting needs room for a copy, %.1f MB; the disk has %.1f MB left",
        l->path, (double)needed / 1e6, (double)left / 1e6);
}

/* 0, or LMDB's error; then there is no environment, and every later call
 * fails. */
static int lmdb_open_again(lmdb *l)
{
    const kv_options options = {.tables = l->tables, .map_bytes = l->map_bytes};
    struct stat st;
    int rc = open_env(l, &options);
    if (!rc)
        rc = open_tables(l, l->tables, false, false);
    if (rc && l->env)
        mdb_env_close(l->env);
    if (rc)
        l->env = NULL;
    if (!stat(l->path, &st))
        l->inode = st.st_ino;
    return rc;
}

/* The copy takes the place of what is open: by one exchange, so that at any
 * moment one of both is whole there. Whoever else has the old one open reads on
 * in it. */
static etna_code lmdb_take_fresh(lmdb *l, const char *fresh, etna_error *err)
{
    mdb_env_close(l->env);
    l->env = NULL;
    int why = renameat2(AT_FDCWD, fresh, AT_FDCWD, l->path, RENAME_EXCHANGE)
                  ? errno
                  : 0;
    int rc = lmdb_open_again(l);
    if (rc) {
        return etna_fail(err, ETNA_E_IO,
                         "%s: %s, opening it again after it was compacted",
                         l->path, mdb_strerror(rc));
    }
    return why ? lmdb_fail(l, why, "putting the copy in its place", err)
               : ETNA_OK;
}

/* By a copy that takes the place of the file. */
static etna_code lmdb_compact(kv *db, etna_error *err)
{
    lmdb *l = (lmdb *)db;
    char fresh[PATH_ROOM];
    if (snprintf(fresh, sizeof fresh, "%s.fresh", l->path) >=
        (int)sizeof fresh - 16)
        return etna_fail(err, ETNA_E_USAGE, "%s: the path is too long",
                         l->path);
    lmdb_forget_fresh(fresh); /* of one that was cut off */
    etna_code code = lmdb_check_room(l, err);
    if (!code && mkdir(fresh, 0700))
        code = lmdb_fail(l, errno, "making a copy", err);
    if (!code)
        code = lmdb_copy(db, fresh, err);
    if (!code)
        code = lmdb_take_fresh(l, fresh, err);
    lmdb_forget_fresh(fresh);
    return code;
}

/* LMDB trusts what it reads, and would wait at a pipe for a writer: so only a
 * regular file of our own user (or root) is opened. */
static etna_code lmdb_check_data(const kv_options *options, etna_error *err)
{
    struct stat st;
    char file[4096];
    snprintf(file, sizeof file, "%s/data.mdb", options->path);
    if (stat(file, &st)) {
        if (!options->read_only || errno != ENOENT)
            return ETNA_OK;
        return etna_fail(err, ETNA_E_NOTFOUND, "%s: there is no store",
                         options->path);
    }
    if (!S_ISREG(st.st_mode))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "%s is no file; choose another with --store", file);
    if (st.st_uid != geteuid() && st.st_uid != 0) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "%s belongs to another user (%lu), who may have written anything into it: use it as that "
            "user, or choose another with --store",
            file, (unsigned long)st.st_uid);
    }
    if (options->read_only && !st.st_size)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "%s: there is nothing in the store yet",
                         options->path);
    return ETNA_OK;
}

/* *ret_kv is the caller's to close. */
etna_code kv_open_lmdb(const kv_options *options, kv **ret_kv, etna_error *err)
{
    static const kv_ops ops = {lmdb_run,        lmdb_get,  lmdb_put,
                               lmdb_del,        lmdb_seek, lmdb_count,
                               lmdb_file_bytes, lmdb_copy, lmdb_compact,
                               lmdb_maintain,   lmdb_close};
    struct stat st;
    etna_code code = lmdb_check_data(options, err);
    if (code)
        return code;
    if (stat(options->path, &st))
        return etna_fail(err, ETNA_E_IO, "%s: %s", options->path,
                         strerror(errno));
    lmdb *l = calloc(1, sizeof *l);
    size_t path_size = strlen(options->path) + 1;
    char *path = malloc(path_size);
    if (!l || !path) {
        free(l);
        free(path);
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory opening it",
                         options->path);
    }
    memcpy(path, options->path, path_size);
    l->base.ops = &ops;
    l->base.concurrent = true;
    l->path = path;
    l->tables = options->tables;
    l->map_bytes = options->map_bytes;
    l->read_only = options->read_only;
    l->turn_fd = -1;
    l->device = st.st_dev;
    l->inode = st.st_ino;
    l->pid = getpid();
    int rc = 0;
    if (!kv_lmdb_list_add(l)) {
        code = etna_fail(err, ETNA_E_INTERNAL,
                         "%s: already open in this process", options->path);
    } else if (options->disposable) {
        code = open_disposable(l, options, err);
    } else if ((rc = open_env(l, options)) ||
               (rc = open_tables(l, options->tables, !options->read_only,
                                 options->read_only))) {
        code = lmdb_fail(l, rc, "opening it", err);
    }
    if (code) {
        lmdb_close(&l->base);
        return code;
    }
    *ret_kv = &l->base;
    return ETNA_OK;
}
