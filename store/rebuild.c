/* A store made of its mirror: see store.h and mirror.h. It is built beside its
 * final name and then renamed. */
#include "store/filesystem.h"
#include "store/mirror.h"
#include "store/mirror_folder.h"
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
    PATH_ROOM = 4096
};

typedef struct rebuild {
    const char *path;
    char part[PATH_ROOM], whole[PATH_ROOM], fenced[PATH_ROOM];
    store_owner self;
    mirror_folder folder;
    mirror_place place; /* of what was read */
    uint64_t groups;
    kv *db; /* that is being built */
} rebuild;

/* Removes an environment's directory; one that is not there is fine. */
static void rebuild_forget(const char *environment)
{
    char file[PATH_ROOM + 16];
    snprintf(file, sizeof file, "%s/data.mdb", environment);
    unlink(file);
    snprintf(file, sizeof file, "%s/lock.mdb", environment);
    unlink(file);
    rmdir(environment);
}

/* What a store on the disk says of itself. */
typedef struct standing {
    uint64_t epoch;
    bool is_mirrored;
    mirror_place place;
} standing;

static etna_code rebuild_read_standing(kv_txn *txn,
                                       void *context,
                                       etna_error *err)
{
    standing *s = context;
    kv_view row;
    store_owner owner;
    etna_code code = kv_get(txn, KV_META, row_meta_key("owner"), &row, err);
    if (code)
        return code;
    if (!owner_decode(row.data, row.size, &owner))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the owner's row is damaged; run `etna store verify`");
    s->epoch = owner.epoch;
    code = mirror_place_get(txn, &s->place, err);
    s->is_mirrored = !code;
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* Epoch 0 where there is no store yet. */
static etna_code rebuild_look(const rebuild *r, standing *ret, etna_error *err)
{
    struct stat st;
    standing found = {0};
    kv *db;
    kv_options options = {
        .path = r->whole, .tables = STORE_TABLES, .read_only = true};
    etna_code code = stat(r->whole, &st) ? ETNA_E_NOTFOUND
                                         : kv_open_lmdb(&options, &db, err);
    if (!code) {
        code = kv_read(db, rebuild_read_standing, &found, err);
        kv_close(db);
    }
    if (code && code != ETNA_E_NOTFOUND)
        return code;
    *ret = found;
    return ETNA_OK;
}

/* The store that is there must be the mirror's: another one is never
 * overwritten. */
static etna_code rebuild_check_store(const rebuild *r,
                                     const standing *here,
                                     etna_error *err)
{
    bool is_same = here->is_mirrored;
    for (size_t i = 0; i < r->folder.count; i++) {
        const mirror_segment *s = &r->folder.segments[i];
        if (s->readable && !etna_id_equal(&here->place.store, &s->head.store))
            is_same = false;
    }
    if (here->epoch == 0 || is_same)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "%s: there is another store than that of the mirror %s; name another --store",
        r->path, r->folder.path);
}

static etna_code rebuild_apply(kv_txn *txn, void *context, etna_error *err)
{
    const kv_view *group = context;
    return segment_group_apply(group->data, group->size, txn, err);
}

static etna_code rebuild_group(void *context,
                               const uint8_t *group,
                               size_t size,
                               etna_error *err)
{
    rebuild *r = context;
    kv_view view = {group, size};
    r->groups++;
    return kv_write(r->db, rebuild_apply, &view, err);
}

static etna_code rebuild_write_meta(kv_txn *txn, void *context, etna_error *err)
{
    const rebuild *r = context;
    etna_code code = store_put_format(txn, err);
    if (!code)
        code = store_put_owner(txn, &r->self, err);
    return code ? code : mirror_place_put(txn, &r->place, err);
}

/* All groups from the base on, each checked against its chain. */
static etna_code rebuild_read(rebuild *r, etna_error *err)
{
    mirror_plan plan;
    etna_code code = mirror_folder_plan(&r->folder, NULL, &plan, err);
    if (code)
        return code;
    for (size_t i = 0; !code && i < plan.count; i++)
        code = mirror_folder_walk(&r->folder, &plan.parts[i], true,
                                  &r->place.point, rebuild_group, r, err);
    if (!code)
        r->place.store = r->folder.segments[plan.parts[0].segment].head.store;
    mirror_plan_free(&plan);
    return code;
}

static etna_code rebuild_sync(const rebuild *r, etna_error *err)
{
    char data[PATH_ROOM + 16];
    snprintf(data, sizeof data, "%s/data.mdb", r->part);
    int fd = open(data, O_RDWR | O_CLOEXEC);
    bool good = fd >= 0 && !fsync(fd);
    etna_code code =
        good ? ETNA_OK
             : etna_fail(err, ETNA_E_IO, "%s: %s", data, strerror(errno));
    if (fd >= 0)
        close(fd);
    store_sync_directory(r->part);
    return code;
}

/* Without a sync for each group: what a crash leaves is hidden, and thrown away
 * by the next one. */
static etna_code rebuild_build(rebuild *r, etna_error *err)
{
    kv_options options = {
        .path = r->part, .tables = STORE_TABLES, .disposable = true};
    rebuild_forget(r->part);
    etna_code code = filesystem_make_directory(r->part, err);
    if (!code)
        code = kv_open_lmdb(&options, &r->db, err);
    if (code)
        return code;
    code = rebuild_read(r, err);
    if (!code)
        code = kv_write(r->db, rebuild_write_meta, r, err);
    kv_close(r->db);
    return code ? code : rebuild_sync(r, err);
}

/* A store that the mirror has outrun stays beside it, the last such one. */
static etna_code rebuild_rename(const rebuild *r,
                                bool is_outrun,
                                etna_error *err)
{
    if (is_outrun) {
        rebuild_forget(r->fenced);
        if (rename(r->whole, r->fenced))
            return etna_fail(err, ETNA_E_IO, "%s: %s", r->fenced,
                             strerror(errno));
    }
    if (rename(r->part, r->whole))
        return etna_fail(err, ETNA_E_IO, "%s: %s", r->whole, strerror(errno));
    store_sync_directory(r->path);
    return ETNA_OK;
}

/* Beneath the store's lock. The claim comes before the reading: from then on
 * the writer before us fails at its next append, so that the mirror's end is
 * final. */
static etna_code rebuild_owned(rebuild *r, store_rebuilt *ret, etna_error *err)
{
    standing here;
    if (r->folder.count == 0)
        return ETNA_OK; /* of a store that is only about to begin */
    etna_code code = rebuild_look(r, &here, err);
    if (!code)
        code = rebuild_check_store(r, &here, err);
    bool is_current =
        here.epoch > 0 && mirror_claim_is_own(&here.place, r->folder.claim);
    if (code || is_current)
        return code;
    r->self.epoch = r->folder.claim + 1;
    r->place.claimed = r->place.claiming = r->self.epoch;
    code = mirror_folder_claim(&r->folder, r->self.epoch, &r->self, err);
    if (code)
        return code;
    /* what was appended before the claim counts, too: look again */
    const char *path = r->folder.path;
    mirror_folder_close(&r->folder);
    code = mirror_folder_open(path, &r->folder, err);
    if (!code)
        code = rebuild_build(r, err);
    if (!code)
        code = rebuild_rename(r, here.epoch > 0, err);
    if (code)
        return code;
    *ret = (store_rebuilt){true, r->groups};
    return ETNA_OK;
}

etna_code store_rebuild(const char *mirror_path,
                        const char *path,
                        store_rebuilt *ret,
                        etna_error *err)
{
    int lock = -1;
    if (!*path || strlen(path) > PATH_ROOM - 64)
        return etna_fail(err, ETNA_E_USAGE,
                         "a store needs a directory of at most %d bytes",
                         PATH_ROOM - 64);
    rebuild *r = calloc(1, sizeof *r);
    if (!r)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory rebuilding a store");
    r->path = path;
    r->folder.fd = -1;
    snprintf(r->part, sizeof r->part, "%s/journal.part", path);
    snprintf(r->whole, sizeof r->whole, "%s/journal", path);
    snprintf(r->fenced, sizeof r->fenced, "%s/journal.fenced", path);
    owner_self("", &r->self);
    *ret = (store_rebuilt){0};
    etna_code code = mirror_folder_open(mirror_path, &r->folder, err);
    if (!code)
        code = filesystem_make_directory(path, err);
    if (!code)
        code = filesystem_check_local(path, err);
    if (!code)
        code = owner_lock(path, &lock, err);
    if (!code)
        code = rebuild_owned(r, ret, err);
    if (lock >= 0)
        close(lock);
    mirror_folder_close(&r->folder);
    free(r);
    return code;
}
