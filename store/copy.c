/* `etna store backup|restore|compact`: a store's journal environment in another
 * place. It is copied beside its final name and then renamed, so that a copy
 * that was cut off is never taken for a store. */
#include "store/filesystem.h"
#include "store/store_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_ROOM = 4096
};

/* The hidden name of a copy, its data file, and its final name. */
typedef struct copy_paths {
    char part[PATH_ROOM], data[PATH_ROOM], whole[PATH_ROOM];
} copy_paths;

static etna_code copy_name_paths(const char *to,
                                 copy_paths *ret,
                                 etna_error *err)
{
    if (!*to || strlen(to) > PATH_ROOM - 64)
        return etna_fail(err, ETNA_E_USAGE,
                         "a store needs a directory of at most %d bytes",
                         PATH_ROOM - 64);
    snprintf(ret->part, sizeof ret->part, "%s/journal.part", to);
    snprintf(ret->data, sizeof ret->data, "%s/journal.part/data.mdb", to);
    snprintf(ret->whole, sizeof ret->whole, "%s/journal", to);
    return ETNA_OK;
}

/* What LMDB puts into a copy is one file. */
static void copy_forget(const copy_paths *paths)
{
    unlink(paths->data);
    rmdir(paths->part);
}

static etna_code copy_into(store *s, const copy_paths *paths, etna_error *err)
{
    etna_code code = filesystem_make_directory(paths->part, err);
    if (!code)
        code = s->db->ops->copy(s->db, paths->part, err);
    if (!code && rename(paths->part, paths->whole))
        code =
            etna_fail(err, ETNA_E_IO, "%s: %s", paths->whole, strerror(errno));
    if (code)
        copy_forget(paths);
    return code;
}

etna_code store_copy(const char *from, const char *to, etna_error *err)
{
    store_options options = store_options_default();
    copy_paths paths;
    struct stat st;
    store *s;
    etna_code code = copy_name_paths(to, &paths, err);
    if (code)
        return code;
    if (!stat(paths.whole, &st))
        return etna_fail(
            err, ETNA_E_USAGE,
            "%s: there is a store already; choose another directory", to);
    options.path = from;
    options.read_only = true;
    code = store_open(&options, &s, err);
    if (code)
        return code;
    bool is_new = stat(to, &st) != 0;
    code = filesystem_make_directory(to, err);
    copy_forget(&paths); /* of a copy that was cut off */
    if (!code)
        code = copy_into(s, &paths, err);
    store_close(s);
    if (!code) {
        store_sync_directory(to);
    } else if (is_new) {
        rmdir(to);
    }
    return code;
}

etna_code store_compact(store *s,
                        uint64_t *ret_before,
                        uint64_t *ret_after,
                        etna_error *err)
{
    if (s->read_only || store_is_written(s))
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an owned store is compacted, without an open group");
    etna_error own = {ETNA_OK, ""};
    etna_code code = store_alive(s, &own);
    uint64_t before = code ? 0 : s->db->ops->file_bytes(s->db);
    if (!code)
        code = s->db->ops->compact(s->db, &own);
    if (code == ETNA_E_IO) {
        s->dead = code;
        snprintf(s->dead_text, sizeof s->dead_text, "%s", own.text);
    }
    if (code) {
        if (err)
            *err = own;
        return code;
    }
    *ret_before = before;
    *ret_after = s->db->ops->file_bytes(s->db);
    return ETNA_OK;
}

uint64_t store_file_bytes(const store *s)
{
    return s->db->ops->file_bytes(s->db);
}
