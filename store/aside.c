/* A store of an older format makes way for a new one: its journal goes into a
 * folder of its own within the store's, as a store that the program which wrote
 * it still reads. */
#include "store/filesystem.h"
#include "store/owner.h"
#include "store/store_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_ROOM = 4096,
    ASIDE_MOST = 1000 /* folders of one format */
};

/* A kv_body; `context`: the format, 0 for a store that has none yet. */
static etna_code aside_read_format(kv_txn *txn, void *context, etna_error *err)
{
    kv_view row;
    etna_code code = kv_get(txn, KV_META, row_meta_key("format"), &row, err);
    if (code == ETNA_E_NOTFOUND)
        return ETNA_OK;
    return code ? code : row_read_format(row, context, err);
}

/* *ret 0: there is no journal, or it has no format. */
static etna_code aside_format(const char *journal,
                              uint32_t *ret,
                              etna_error *err)
{
    const kv_options options = {
        .path = journal, .tables = STORE_TABLES, .read_only = true};
    struct stat st;
    kv *db;
    *ret = 0;
    if (stat(journal, &st))
        return ETNA_OK;
    etna_code code = kv_open_lmdb(&options, &db, err);
    if (code)
        return code;
    code = kv_read(db, aside_read_format, ret, err);
    kv_close(db);
    return code;
}

/* The first name that is free; a store may have been put aside before, and
 * nothing of it is written over. */
static etna_code aside_make_folder(
    const char *path, uint32_t format, char *ret, size_t room, etna_error *err)
{
    struct stat st;
    for (unsigned n = 1; n <= ASIDE_MOST; n++) {
        int size =
            n == 1 ? snprintf(ret, room, "%s/format-%u", path, (unsigned)format)
                   : snprintf(ret, room, "%s/format-%u.%u", path,
                              (unsigned)format, n);
        if (size < 0 || (size_t)size >= room)
            return etna_fail(err, ETNA_E_USAGE, "%s: the path is too long",
                             path);
        if (stat(ret, &st) && errno == ENOENT)
            return filesystem_make_directory(ret, err);
    }
    return etna_fail(err, ETNA_E_LIMIT,
                     "%s: %d stores of older formats lie there; move them away",
                     path, ASIDE_MOST);
}

/* Under the owner's lock. */
static etna_code aside_move(
    const char *path, uint32_t format, char *ret, size_t room, etna_error *err)
{
    char from[PATH_ROOM + 16], folder[PATH_ROOM], to[PATH_ROOM + 16];
    etna_code code =
        aside_make_folder(path, format, folder, sizeof folder, err);
    if (code)
        return code;
    snprintf(from, sizeof from, "%s/journal", path);
    snprintf(to, sizeof to, "%s/journal", folder);
    if (rename(from, to)) {
        code = etna_fail(err, ETNA_E_IO, "%s: %s", from, strerror(errno));
        rmdir(folder);
        return code;
    }
    store_sync_directory(folder);
    store_sync_directory(path);
    snprintf(ret, room, "%s", folder);
    return ETNA_OK;
}

etna_code store_put_aside(const char *path,
                          char *ret,
                          size_t room,
                          etna_error *err)
{
    char journal[PATH_ROOM];
    uint32_t format = 0;
    int fd = -1;
    ret[0] = 0;
    if (strlen(path) > PATH_ROOM - 64)
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    snprintf(journal, sizeof journal, "%s/journal", path);
    etna_code code = owner_lock(path, &fd, err);
    if (!code)
        code = aside_format(journal, &format, err);
    if (!code && format && format < STORE_FORMAT)
        code = aside_move(path, format, ret, room, err);
    if (fd >= 0)
        close(fd);
    return code;
}
