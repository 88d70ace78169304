/* Models on their way to others that read them, and what comes back. Between
 * the two each lies as a file, a lot of one, named by its stamp. */
#include "proto/fd.h"
#include "worker/assets/scan_internal.h"
#include "worker/gltf/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder ---- */

static bool lots_folder(const char *store_path, char ret[PATH_BYTES])
{
    int n = snprintf(ret, PATH_BYTES, "%s/assets/lots", store_path);
    return n > 0 && n < PATH_BYTES - 80;
}

static void kept_path(const char *folder,
                      const etna_hash *stamp,
                      char ret[PATH_BYTES])
{
    char name[65];
    etna_hash_hex(stamp, name);
    snprintf(ret, PATH_BYTES, "%.4000s/%s", folder, name);
}

bool gather_has(const char *folder, const etna_hash *stamp)
{
    char path[PATH_BYTES];
    kept_path(folder, stamp, path);
    return access(path, F_OK) == 0;
}

static etna_code kept_fault(const char *path, etna_error *err)
{
    return etna_fail(err, errno == ENOSPC ? ETNA_E_FULL : ETNA_E_IO,
                     "%.300s: cannot be written: %s", path, strerror(errno));
}

/* Two helpers never have the same model; what a killed one left is written
 * anew. No sync: after a power cut it is converted again. */
etna_code gather_keep(const char *folder,
                      const lot_item *model,
                      etna_error *err)
{
    char path[PATH_BYTES], draft[PATH_BYTES + 8];
    uint8_t *data = NULL;
    size_t size = 0;
    kept_path(folder, &model->stamp, path);
    snprintf(draft, sizeof draft, "%s.new", path);
    etna_code code = lot_pack(model, 1, &data, &size, err);
    if (code != ETNA_OK)
        return code;
    int fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool is_whole = fd >= 0 && fd_write(fd, data, size);
    bool is_kept = is_whole && rename(draft, path) == 0;
    if (!is_kept)
        code = kept_fault(path, err);
    if (fd >= 0)
        close(fd);
    if (!is_kept)
        unlink(draft);
    free(data);
    return code;
}

etna_code gather_add(gathering *lots, const etna_hash *stamp, etna_error *err)
{
    if (lots->count == lots->most)
        return ETNA_OK;
    if (lots->count == lots->room) {
        uint32_t room = lots->room ? 2 * lots->room : 256;
        etna_hash *grown = realloc(lots->stamps, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u models",
                             room);
        lots->stamps = grown;
        lots->room = room;
    }
    lots->stamps[lots->count++] = *stamp;
    return ETNA_OK;
}

/* ---- to others ---- */

typedef struct packing {
    const char *folder;
    scan_lot_fn lot;
    void *context;
    uint8_t *files[LOT_MODELS];
    lot_item items[LOT_MODELS];
    uint32_t count;
    size_t bytes, given; /* of this lot; of those before */
} packing;

static etna_code packing_give(packing *p, etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    if (!p->count)
        return ETNA_OK;
    etna_code code = lot_pack(p->items, p->count, &data, &size, err);
    if (code == ETNA_OK)
        code = p->lot(p->context, p->count, data, size, err);
    for (uint32_t i = 0; i < p->count; i++)
        free(p->files[i]);
    free(data);
    p->given += p->bytes;
    p->count = 0;
    p->bytes = 0;
    return code;
}

/* A file that is not whole (a disk that lost it) is removed, and its model is
 * read where it lies. */
static etna_code packing_add(packing *p,
                             const etna_hash *stamp,
                             etna_error *err)
{
    char path[PATH_BYTES];
    uint8_t *data = NULL;
    size_t size = 0;
    lot_item items[LOT_MODELS];
    uint32_t count = 0;
    kept_path(p->folder, stamp, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    etna_code code =
        fd < 0 ? etna_fail(err, ETNA_E_IO, "%.300s: cannot be read: %s", path,
                           strerror(errno))
               : bundle_read_file(fd, path, &data, &size, err);
    if (code == ETNA_OK)
        code = lot_unpack(data, size, items, &count, err);
    if (code != ETNA_OK || count != 1) {
        free(data);
        unlink(path);
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    }
    if (p->count == LOT_MODELS || p->bytes + size > LOT_BYTES)
        code = packing_give(p, err);
    p->files[p->count] = data;
    p->items[p->count++] = items[0];
    p->bytes += size;
    return code;
}

etna_code scan_lots(shelf *s,
                    const char *store_path,
                    const char *const *paths,
                    uint32_t count,
                    const scan_options *options,
                    scan_lot_fn lot,
                    void *context,
                    etna_error *err)
{
    char folder[PATH_BYTES];
    if (!lots_folder(store_path, folder))
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    if (mkdir(folder, 0700) && errno != EEXIST)
        return kept_fault(folder, err);
    gathering lots = {.folder = folder, .most = SCAN_LOTS_MAX * LOT_MODELS};
    packing p = {.folder = folder, .lot = lot, .context = context};
    etna_code code = scan_gather(s, paths, count, options, &lots, err);
    if (lots.count < SCAN_LOTS_LEAST)
        lots.count = 0;
    for (uint32_t i = 0; code == ETNA_OK && i < lots.count; i++) {
        if (p.given > SCAN_LOTS_BYTES)
            break; /* the next time */
        code = packing_add(&p, &lots.stamps[i], err);
    }
    if (code == ETNA_OK)
        code = packing_give(&p, err);
    while (p.count)
        free(p.files[--p.count]);
    free(lots.stamps);
    return code;
}

/* ---- and back ---- */

etna_code scan_lots_take(shelf *s,
                         const char *store_path,
                         const uint8_t *data,
                         size_t size,
                         etna_error *err)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    etna_arena arena = ETNA_ARENA_INIT;
    lot_scan scans[LOT_MODELS];
    uint32_t count = 0;
    if (!lots_folder(store_path, folder))
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    etna_code code = lot_scans(data, size, &arena, scans, &count, err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        const lot_scan *scan = &scans[i];
        code = shelf_put_scan(s, scan, err);
        kept_path(folder, &scan->stamp, path);
        if (code == ETNA_OK)
            unlink(path);
    }
    etna_arena_free(&arena);
    return code;
}

/* Best effort: what stays costs room alone. */
void scan_lots_clear(const char *store_path)
{
    char folder[PATH_BYTES];
    DIR *dir = lots_folder(store_path, folder) ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] != '.')
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}
