/* Rows of the assets' tables. A path's row has number 0 when it is a library:
 * it tells the library's stamp.
 *
 * Four tables: sources by path and number (what `find` shows), scans by the
 * stamp of a file's content, shapes by the hash of a model, and the one index.
 * Each public function is one transaction; the structs beside them carry its
 * arguments through the callback. All of it can be made again from the files,
 * so a row of another version counts as missing and never as an error. */
#include "worker/assets/shelf.h"
#include "proto/array.h"
#include "proto/canon.h"
#include "worker/assets/caption.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    KEY_SIZE = 20
    /* of a source: 16 bytes of its path's hash, its number with the great end
     * first */
};
/* There is one index; its key is the word with its NUL. */
static const char INDEX_KEY[] = "index";
/* A child that reads a model has a limit on its address space, and this map is
 * in it. */
static const uint64_t MAP_BYTES = UINT64_C(4) << 30;

/* A database of its own, apart from the store's. */
struct shelf {
    kv *db;
};

/* ---- opening ---- */

/* Takes `db`, even on failure. */
static etna_code shelf_wrap(kv *db, shelf **ret, etna_error *err)
{
    shelf *s = calloc(1, sizeof *s);
    if (!s) {
        kv_close(db);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the assets' tables");
    }
    s->db = db;
    *ret = s;
    return ETNA_OK;
}

/* In a folder of its own beside the store's database: what is indexed can be
 * deleted and made again. */
etna_code shelf_open(const char *store_path,
                     bool writable,
                     shelf **ret,
                     etna_error *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/assets", store_path);
    if (n < 0 || (size_t)n >= sizeof path)
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    if (writable && mkdir(store_path, 0700) && errno != EEXIST)
        return etna_fail(err, ETNA_E_IO, "%s: cannot be made: %s", store_path,
                         strerror(errno));
    if (writable && mkdir(path, 0700) && errno != EEXIST)
        return etna_fail(err, ETNA_E_IO, "%s: cannot be made: %s", path,
                         strerror(errno));
    const kv_options options = {
        .path = path,
        .tables = 1u << KV_META | 1u << KV_SOURCES | 1u << KV_SHAPES |
                  1u << KV_SCANS | 1u << KV_INDEX | 1u << KV_REPLIES |
                  1u << KV_BLOBS | 1u << KV_VIEWS | 1u << KV_CAPTIONS,
        .map_bytes = MAP_BYTES,
        .read_only = !writable};
    kv *db = NULL;
    etna_code code = kv_open_lmdb(&options, &db, err);
    return code == ETNA_OK ? shelf_wrap(db, ret, err) : code;
}

/* For tests: gone when it is closed. */
etna_code shelf_open_memory(shelf **ret, etna_error *err)
{
    kv *db = NULL;
    etna_code code = kv_open_memory(&db, err);
    return code == ETNA_OK ? shelf_wrap(db, ret, err) : code;
}

/* NULL is fine. */
void shelf_close(shelf *s)
{
    if (s)
        kv_close(s->db);
    free(s);
}

/* ---- scans ---- */

/* Borrowed from `hash`. */
static kv_view hash_view(const etna_hash *hash)
{
    return (kv_view){hash->bytes, sizeof hash->bytes};
}

/* What scan_put writes: a scan under its stamp, and a shape under its hash; no
 * shape where the scan failed. */
typedef struct scan_row {
    const lot_scan *scan;
    const uint8_t *shape;
    size_t shape_size;
    const uint8_t *row;
    size_t row_size;
} scan_row;

/* `fault` takes at most fault_size bytes with their NUL. */
typedef struct scan_asked {
    const etna_hash *stamp;
    etna_hash hash;
    char *fault;
    size_t fault_size;
} scan_asked;

/* A scan by another version of the scanner counts as none. */
static etna_code scan_get(kv_txn *txn, void *context, etna_error *err)
{
    scan_asked *asked = context;
    kv_view value, shape;
    size_t size = 0;
    etna_code code =
        kv_get(txn, KV_SCANS, hash_view(asked->stamp), &value, err);
    if (code != ETNA_OK)
        return code;
    canon_reader r = canon_read(value.data, value.size);
    if (canon_get_u32(&r) != ASSET_SCANNER)
        return ETNA_E_NOTFOUND; /* it would come out otherwise today */
    asked->hash = canon_get_hash(&r);
    const uint8_t *fault =
        canon_get_bytes(&r, sizeof((etna_error *)0)->text, &size);
    if (!canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the record of a scan is damaged");
    snprintf(asked->fault, asked->fault_size, "%.*s", (int)size,
             (const char *)fault);
    if (size)
        return ETNA_OK;
    return kv_get(txn, KV_SHAPES, hash_view(&asked->hash), &shape, err);
}

/* NOTFOUND where no file with that content was ever scanned. *ret_fault is ""
 * where the scan went well. */
etna_code shelf_get_scan(shelf *s,
                         const etna_hash *stamp,
                         etna_hash *ret_hash,
                         char *ret_fault,
                         size_t fault_size,
                         etna_error *err)
{
    scan_asked asked = {
        .stamp = stamp, .fault = ret_fault, .fault_size = fault_size};
    etna_code code = kv_read(s->db, scan_get, &asked, err);
    if (code == ETNA_OK)
        *ret_hash = asked.hash;
    return code;
}

/* All or nothing, in one transaction. */
static etna_code scan_put(kv_txn *txn, void *context, etna_error *err)
{
    const scan_row *row = context;
    const lot_scan *scan = row->scan;
    etna_code code = kv_put(txn, KV_SCANS, hash_view(&scan->stamp),
                            (kv_view){row->row, row->row_size}, err);
    if (code == ETNA_OK && row->shape)
        code = kv_put(txn, KV_SHAPES, hash_view(&scan->hash),
                      (kv_view){row->shape, row->shape_size}, err);
    if (code == ETNA_OK && row->shape && scan->views_size)
        code = kv_put(txn, KV_VIEWS, hash_view(&scan->hash),
                      (kv_view){scan->views, scan->views_size}, err);
    return code;
}

/* Also what cannot be read, so that it is not tried again. */
etna_code shelf_put_scan(shelf *s, const lot_scan *scan, etna_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    canon_writer w = {0};
    canon_u32(&w, ASSET_SCANNER);
    canon_hash(&w, &scan->hash);
    canon_text(&w, scan->fault);
    etna_code code = w.failed
                         ? etna_fail(err, ETNA_E_NOMEM, "no memory for a scan")
                         : ETNA_OK;
    if (code == ETNA_OK && !scan->fault[0])
        code = asset_shape_encode(&scan->shape, &bytes, &size, err);
    scan_row row = {.scan = scan,
                    .shape = bytes,
                    .shape_size = size,
                    .row = w.data,
                    .row_size = w.size};
    if (code == ETNA_OK)
        code = kv_write(s->db, scan_put, &row, err);
    free(bytes);
    canon_writer_free(&w);
    return code;
}

typedef struct fault_rows {
    const asset *list;
    const uint32_t *items;
    uint32_t count;
} fault_rows;

static etna_code faults_put(kv_txn *txn, void *context, etna_error *err)
{
    const fault_rows *f = context;
    const etna_hash none = {0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < f->count; i++) {
        const asset *a = &f->list[f->items[i]];
        canon_writer w = {0};
        canon_u32(&w, ASSET_SCANNER);
        canon_hash(&w, &none);
        canon_text(&w, a->fault);
        code = w.failed ? etna_fail(err, ETNA_E_NOMEM, "no memory for a scan")
                        : kv_put(txn, KV_SCANS, hash_view(&a->stamp),
                                 (kv_view){w.data, w.size}, err);
        canon_writer_free(&w);
    }
    return code;
}

etna_code shelf_put_faults(shelf *s,
                           const asset *list,
                           const uint32_t *items,
                           uint32_t count,
                           etna_error *err)
{
    fault_rows f = {.list = list, .items = items, .count = count};
    return count ? kv_write(s->db, faults_put, &f, err) : ETNA_OK;
}

typedef struct row_asked {
    kv_table table;
    const etna_hash *key;
    shelf_look look;
    void *context;
} row_asked;

/* Large rows are looked at where they lie, and not copied. They are valid until
 * the caller's function returns. */
static etna_code row_get(kv_txn *txn, void *context, etna_error *err)
{
    const row_asked *asked = context;
    kv_view value;
    etna_code code =
        kv_get(txn, asked->table, hash_view(asked->key), &value, err);
    return code == ETNA_OK
               ? asked->look(asked->context, value.data, value.size, err)
               : code;
}

etna_code shelf_with_views(shelf *s,
                           const etna_hash *hash,
                           shelf_look look,
                           void *context,
                           etna_error *err)
{
    row_asked asked = {KV_VIEWS, hash, look, context};
    return kv_read(s->db, row_get, &asked, err);
}

typedef struct caption_row {
    const etna_hash *hash;
    const uint8_t *data;
    size_t size;
} caption_row;

static etna_code caption_put(kv_txn *txn, void *context, etna_error *err)
{
    const caption_row *row = context;
    return kv_put(txn, KV_CAPTIONS, hash_view(row->hash),
                  (kv_view){row->data, row->size}, err);
}

etna_code shelf_put_caption(shelf *s,
                            const etna_hash *hash,
                            const asset_caption *caption,
                            etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = caption_encode(caption, &data, &size, err);
    caption_row row = {hash, data, size};
    if (code == ETNA_OK)
        code = kv_write(s->db, caption_put, &row, err);
    free(data);
    return code;
}

/* ---- sources ---- */

/* All sources of a path have one prefix, and stand in the order of their
 * numbers. */
static void source_key(const char *path, uint32_t number, uint8_t to[KEY_SIZE])
{
    etna_hash h = etna_hash_bytes(path, strlen(path));
    memcpy(to, h.bytes, 16);
    for (int i = 0; i < 4; i++)
        to[16 + i] = (uint8_t)(number >> (24 - 8 * i));
}

/* Encoded before the transaction, so that a failure of memory leaves the old
 * rows. */
typedef struct path_rows {
    const char *path;
    uint32_t count;
    const asset *sources;
    uint8_t **rows; /* encoded */
    size_t *sizes;
} path_rows;

/* All rows whose keys begin with the path's. */
static etna_code path_clear(kv_txn *txn, const char *path, etna_error *err)
{
    uint8_t from[KEY_SIZE], found[KEY_SIZE];
    source_key(path, 0, from);
    for (;;) {
        kv_view key, value;
        etna_code code = kv_seek(txn, KV_SOURCES, (kv_view){from, sizeof from},
                                 true, &key, &value, NULL);
        if (code == ETNA_E_NOTFOUND)
            return ETNA_OK;
        if (code != ETNA_OK)
            return etna_fail(err, code, "the sources of %.200s cannot be read",
                             path);
        if (key.size != KEY_SIZE || memcmp(key.data, from, 16) != 0)
            return ETNA_OK;
        memcpy(found, key.data, sizeof found);
        code = kv_del(txn, KV_SOURCES, (kv_view){found, sizeof found}, err);
        if (code != ETNA_OK)
            return code;
    }
}

/* Clears and writes within one transaction: a path never has rows of two
 * scans. */
static etna_code path_put(kv_txn *txn, void *context, etna_error *err)
{
    const path_rows *p = context;
    etna_code code = path_clear(txn, p->path, err);
    for (uint32_t i = 0; code == ETNA_OK && i < p->count; i++) {
        uint8_t key[KEY_SIZE];
        source_key(p->path, p->sources[i].number, key);
        code = kv_put(txn, KV_SOURCES, (kv_view){key, sizeof key},
                      (kv_view){p->rows[i], p->sizes[i]}, err);
    }
    return code;
}

/* Replaces whatever the path had; count 0 removes it. */
etna_code shelf_put_path(shelf *s,
                         const char *path,
                         const asset *sources,
                         uint32_t count,
                         etna_error *err)
{
    path_rows p = {.path = path,
                   .count = count,
                   .sources = sources,
                   .rows = calloc(count + 1u, sizeof *p.rows),
                   .sizes = calloc(count + 1u, sizeof *p.sizes)};
    etna_code code =
        p.rows && p.sizes
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "no memory for %u assets", count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++)
        code = asset_encode(&sources[i], &p.rows[i], &p.sizes[i], err);
    if (code == ETNA_OK)
        code = kv_write(s->db, path_put, &p, err);
    for (uint32_t i = 0; p.rows && i < count; i++)
        free(p.rows[i]);
    free(p.rows);
    free(p.sizes);
    return code;
}

typedef struct file_rows {
    const asset *files;
    uint32_t count;
} file_rows;

static etna_code files_put(kv_txn *txn, void *context, etna_error *err)
{
    const file_rows *f = context;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < f->count; i++) {
        const asset *a = &f->files[i];
        uint8_t key[KEY_SIZE], *row = NULL;
        size_t size = 0;
        source_key(a->path, a->number, key);
        code = asset_encode(a, &row, &size, err);
        if (code == ETNA_OK)
            code = path_clear(txn, a->path, err);
        if (code == ETNA_OK)
            code = kv_put(txn, KV_SOURCES, (kv_view){key, sizeof key},
                          (kv_view){row, size}, err);
        free(row);
    }
    return code;
}

etna_code shelf_put_files(shelf *s,
                          const asset *files,
                          uint32_t count,
                          etna_error *err)
{
    const uint32_t most = 512; /* of one transaction */
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i += most) {
        file_rows f = {.files = files + i,
                       .count = count - i < most ? count - i : most};
        code = kv_write(s->db, files_put, &f, err);
    }
    return code;
}

typedef struct stamp_asked {
    const char *path;
    etna_hash stamp;
} stamp_asked;

/* Row 0 has the stamp for every kind of file. One that cannot be decoded is of
 * another version, so it is made anew. */
static etna_code stamp_get(kv_txn *txn, void *context, etna_error *err)
{
    stamp_asked *asked = context;
    uint8_t key[KEY_SIZE];
    kv_view value;
    source_key(asked->path, 0, key);
    etna_code code =
        kv_get(txn, KV_SOURCES, (kv_view){key, sizeof key}, &value, err);
    if (code != ETNA_OK)
        return code;
    etna_arena arena = ETNA_ARENA_INIT;
    asset a;
    code = asset_decode(value.data, value.size, &arena, &a, err);
    if (code == ETNA_OK)
        asked->stamp = a.stamp;
    etna_arena_free(&arena);
    return code == ETNA_E_CORRUPT ? ETNA_E_NOTFOUND
                                  /* of another version: it is made anew */
                                  : code;
}

/* NOTFOUND: never scanned, or by another version. */
etna_code shelf_get_stamp(shelf *s,
                          const char *path,
                          etna_hash *ret,
                          etna_error *err)
{
    stamp_asked asked = {.path = path};
    etna_code code = kv_read(s->db, stamp_get, &asked, err);
    if (code == ETNA_OK)
        *ret = asked.stamp;
    return code;
}

/* NULL: none, or it is damaged, and is asked for anew. */
static const asset_caption *caption_get(kv_txn *txn,
                                        const etna_hash *hash,
                                        etna_arena *arena)
{
    kv_view value;
    asset_caption *c = NULL;
    if (kv_get(txn, KV_CAPTIONS, hash_view(hash), &value, NULL) == ETNA_OK)
        c = etna_arena_alloc(arena, 1, sizeof *c);
    bool is_whole =
        c && caption_decode(value.data, value.size, arena, c, NULL) == ETNA_OK;
    return is_whole ? c : NULL;
}

/* Texts of *to lie in the arena. */
typedef struct source_asked {
    const char *path;
    uint32_t number;
    etna_arena *arena;
    asset *to;
} source_asked;

static etna_code source_get(kv_txn *txn, void *context, etna_error *err)
{
    const source_asked *asked = context;
    uint8_t key[KEY_SIZE];
    kv_view value;
    source_key(asked->path, asked->number, key);
    etna_code code =
        kv_get(txn, KV_SOURCES, (kv_view){key, sizeof key}, &value, err);
    if (code == ETNA_OK)
        code =
            asset_decode(value.data, value.size, asked->arena, asked->to, err);
    if (code == ETNA_OK)
        asked->to->caption = caption_get(txn, &asked->to->hash, asked->arena);
    return code;
}

/* NOTFOUND where the path has no such source. */
etna_code shelf_get_source(shelf *s,
                           const char *path,
                           uint32_t number,
                           etna_arena *arena,
                           asset *ret,
                           etna_error *err)
{
    source_asked asked = {
        .path = path, .number = number, .arena = arena, .to = ret};
    return kv_read(s->db, source_get, &asked, err);
}

/* ---- reading all ---- */

/* Those that failed last, then by content, path and number: sources of one
 * model stand together, and an index is made of them in this order. */
static int shelf_order(const void *a, const void *b)
{
    const asset *x = a, *y = b;
    bool x_fails = x->fault[0] != 0;
    bool y_fails = y->fault[0] != 0;
    if (x_fails != y_fails)
        return x_fails ? 1 : -1;
    int order = memcmp(x->hash.bytes, y->hash.bytes, sizeof x->hash.bytes);
    if (!order)
        order = strcmp(x->path, y->path);
    if (!order)
        order = (x->number > y->number) - (x->number < y->number);
    return order;
}

/* The list grows by doubling; its texts and shapes lie in its own arena. */
typedef struct reading {
    shelf_list list;
    uint32_t room;
} reading;

/* Room for one more, or the error that says which bound was met. */
static etna_code reading_reserve(reading *r, etna_error *err)
{
    if (r->list.count == SHELF_ASSETS_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "more than %d assets; index fewer folders",
                         SHELF_ASSETS_MAX);
    if (r->list.count < r->room)
        return ETNA_OK;
    uint32_t room = r->room ? 2 * r->room : 1024;
    asset *grown = realloc(r->list.assets, room * sizeof *grown);
    if (!grown)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u assets", room);
    r->list.assets = grown;
    r->room = room;
    return ETNA_OK;
}

/* Rows of an older scanner, and models whose shape is missing, are passed over:
 * the next scan makes them again. */
static etna_code reading_add(reading *r,
                             kv_txn *txn,
                             kv_view value,
                             etna_error *err)
{
    asset a;
    kv_view shape;
    if (asset_decode(value.data, value.size, &r->list.arena, &a, NULL) !=
        ETNA_OK)
        return ETNA_OK; /* of an older scanner */
    bool is_library = etna_hash_is_zero(&a.hash) && !a.fault[0];
    if (is_library)
        return ETNA_OK;
    etna_code code = reading_reserve(r, err);
    if (code != ETNA_OK)
        return code;
    if (!a.fault[0]) {
        if (kv_get(txn, KV_SHAPES, hash_view(&a.hash), &shape, NULL) != ETNA_OK)
            return ETNA_OK;
        if (asset_shape_decode(shape.data, shape.size, &r->list.arena, &a.shape,
                               NULL) != ETNA_OK)
            return ETNA_OK;
        a.caption = caption_get(txn, &a.hash, &r->list.arena);
    }
    r->list.assets[r->list.count++] = a;
    return ETNA_OK;
}

/* Walks by keys: the next one sought is the last with a zero byte behind it,
 * the least key that is greater. */
static etna_code reading_all(kv_txn *txn, void *context, etna_error *err)
{
    reading *r = context;
    uint8_t next[KEY_SIZE + 1] = {0};
    size_t size = 0;
    for (;;) {
        kv_view key, value;
        etna_code code = kv_seek(txn, KV_SOURCES, (kv_view){next, size}, true,
                                 &key, &value, NULL);
        if (code == ETNA_E_NOTFOUND)
            return ETNA_OK;
        if (code == ETNA_OK && key.size != KEY_SIZE)
            code = ETNA_E_CORRUPT;
        if (code != ETNA_OK)
            return etna_fail(err, code, "the list of assets cannot be read");
        memcpy(next, key.data, KEY_SIZE);
        next[KEY_SIZE] = 0;
        size = sizeof next;
        code = reading_add(r, txn, value, err);
        if (code != ETNA_OK)
            return code;
    }
}

/* *ret is the caller's to free by shelf_list_free; set on success alone. */
etna_code shelf_read(shelf *s, shelf_list *ret, etna_error *err)
{
    reading r = {.room = 0};
    etna_code code = kv_read(s->db, reading_all, &r, err);
    if (code != ETNA_OK) {
        shelf_list_free(&r.list);
        return code;
    }
    if (r.list.count)
        qsort(r.list.assets, r.list.count, sizeof *r.list.assets, shelf_order);
    *ret = r.list;
    return ETNA_OK;
}

/* Leaves the list empty. */
void shelf_list_free(shelf_list *list)
{
    free(list->assets);
    etna_arena_free(&list->arena);
    *list = (shelf_list){.count = 0};
}

/* ---- sweeping ---- */

/* What is in use, and how many rows went. */
typedef struct sweeping {
    const shelf_list *list;
    uint64_t removed;
} sweeping;

/* A binary search, as the list is sorted by hash with failures last. */
static bool sweeping_keeps(const shelf_list *list, const etna_hash *hash)
{
    uint32_t low = 0;
    uint32_t high = list->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const asset *a = &list->assets[middle];
        bool is_before = !a->fault[0] && memcmp(a->hash.bytes, hash->bytes,
                                                sizeof hash->bytes) < 0;
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && !list->assets[low].fault[0] &&
           etna_hash_equal(&list->assets[low].hash, hash);
}

/* A shape goes by its key, a scan by the shape it names; one that failed is
 * kept for a source's sake no longer. */
static etna_code sweep_table(kv_txn *txn,
                             kv_table table,
                             sweeping *sweep,
                             etna_error *err)
{
    etna_hash next = {{0}};
    size_t size = 0;
    uint8_t from[sizeof next.bytes + 1] = {0};
    for (;;) {
        kv_view key, value;
        etna_code code = kv_seek(txn, table, (kv_view){from, size}, true, &key,
                                 &value, NULL);
        if (code == ETNA_E_NOTFOUND)
            return ETNA_OK;
        if (code == ETNA_OK && key.size != sizeof next.bytes)
            code = ETNA_E_CORRUPT;
        if (code != ETNA_OK)
            return etna_fail(err, code, "the assets' tables cannot be read");
        memcpy(from, key.data, sizeof next.bytes);
        memcpy(next.bytes, key.data, sizeof next.bytes);
        size = sizeof from;
        etna_hash named = next;
        canon_reader r = canon_read(value.data, value.size);
        if (table == KV_SCANS && canon_get_u32(&r) == ASSET_SCANNER)
            named = canon_get_hash(&r);
        if (sweeping_keeps(sweep->list, &named))
            continue;
        code = kv_del(txn, table, hash_view(&next), err);
        if (code != ETNA_OK)
            return code;
        sweep->removed++;
    }
}

/* All tables are held against the same list of sources. */
static etna_code sweep_all(kv_txn *txn, void *context, etna_error *err)
{
    static const kv_table tables[] = {KV_SHAPES, KV_VIEWS, KV_CAPTIONS,
                                      KV_SCANS};
    etna_code code = ETNA_OK;
    for (size_t i = 0; code == ETNA_OK && i < COUNT_OF(tables); i++)
        code = sweep_table(txn, tables[i], context, err);
    return code;
}

/* Removes what no source refers to any more. *ret_removed is set on success
 * alone. */
etna_code shelf_sweep(shelf *s, uint64_t *ret_removed, etna_error *err)
{
    shelf_list list = {.count = 0};
    etna_code code = shelf_read(s, &list, err);
    sweeping sweep = {.list = &list};
    if (code == ETNA_OK)
        code = kv_write(s->db, sweep_all, &sweep, err);
    shelf_list_free(&list);
    if (code == ETNA_OK)
        *ret_removed = sweep.removed;
    return code;
}

/* ---- the index ---- */

typedef struct index_row {
    kv_view key;
    const uint8_t *data;
    size_t size;
} index_row;

/* Borrowed: of the index itself. */
static kv_view index_key(void)
{
    return (kv_view){(const uint8_t *)INDEX_KEY, sizeof INDEX_KEY};
}

/* The old index is gone with the same write. */
static etna_code index_put(kv_txn *txn, void *context, etna_error *err)
{
    const index_row *row = context;
    return kv_put(txn, KV_INDEX, row->key, (kv_view){row->data, row->size},
                  err);
}

/* Copies the bytes. */
etna_code shelf_put_index(shelf *s,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    index_row row = {index_key(), data, size};
    return kv_write(s->db, index_put, &row, err);
}

/* The caller's function, carried through the transaction. */
typedef struct index_asked {
    kv_view key;
    shelf_look look;
    void *context;
} index_asked;

/* `look` runs within the transaction: the index is mapped, not copied. */
static etna_code index_get(kv_txn *txn, void *context, etna_error *err)
{
    const index_asked *asked = context;
    kv_view value;
    etna_code code = kv_get(txn, KV_INDEX, asked->key, &value, err);
    return code == ETNA_OK
               ? asked->look(asked->context, value.data, value.size, err)
               : code;
}

/* NOTFOUND: none was made yet. The bytes must not be kept: they go with the
 * transaction. */
etna_code shelf_with_index(shelf *s,
                           shelf_look look,
                           void *context,
                           etna_error *err)
{
    index_asked asked = {index_key(), look, context};
    return kv_read(s->db, index_get, &asked, err);
}

/* Vectors are in the index's table, under the hash that names their model: no
 * text is as long. */
etna_code shelf_put_vectors(shelf *s,
                            const etna_hash *model,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err)
{
    index_row row = {hash_view(model), data, size};
    return kv_write(s->db, index_put, &row, err);
}

etna_code shelf_with_vectors(shelf *s,
                             const etna_hash *model,
                             shelf_look look,
                             void *context,
                             etna_error *err)
{
    index_asked asked = {hash_view(model), look, context};
    return kv_read(s->db, index_get, &asked, err);
}

/* ---- replies ---- */

/* The caller's rows, carried through the transaction; what rooms rest on goes
 * the same way. */
typedef struct replies_row {
    const shelf_reply *replies;
    uint32_t count;
} replies_row;

/* All rows of one request go in together or not at all. A row without data is
 * taken away. */
static etna_code replies_put(kv_txn *txn, void *context, etna_error *err)
{
    const replies_row *row = context;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < row->count; i++) {
        const shelf_reply *r = &row->replies[i];
        if (r->data)
            code = kv_put(txn, KV_REPLIES, hash_view(&r->key),
                          (kv_view){r->data, r->size}, err);
        else
            code = kv_del(txn, KV_REPLIES, hash_view(&r->key), err);
        if (code == ETNA_E_NOTFOUND)
            code = ETNA_OK; /* it is gone already */
    }
    return code;
}

etna_code shelf_put_replies(shelf *s,
                            const shelf_reply *replies,
                            uint32_t count,
                            etna_error *err)
{
    replies_row row = {replies, count};
    return kv_write(s->db, replies_put, &row, err);
}

typedef struct reply_asked {
    const etna_hash *key;
    etna_arena *arena;
    const uint8_t *data;
    size_t size;
} reply_asked;

/* Copied into the arena, since what the store shows ends with the
 * transaction. */
static etna_code reply_get(kv_txn *txn, void *context, etna_error *err)
{
    reply_asked *asked = context;
    kv_view value;
    etna_code code =
        kv_get(txn, KV_REPLIES, hash_view(asked->key), &value, err);
    if (code != ETNA_OK)
        return code;
    asked->data = etna_arena_memdup(asked->arena, value.data, value.size);
    asked->size = value.size;
    return asked->data ? ETNA_OK
                       : etna_fail(err, ETNA_E_NOMEM, "no memory for a reply");
}

etna_code shelf_get_reply(shelf *s,
                          const etna_hash *key,
                          etna_arena *arena,
                          const uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err)
{
    reply_asked asked = {.key = key, .arena = arena};
    etna_code code = kv_read(s->db, reply_get, &asked, err);
    if (code == ETNA_OK) {
        *ret = asked.data;
        *ret_size = asked.size;
    }
    return code;
}

/* ---- what rooms rest on ---- */

/* Keys are hashes of what they name: what is there already is the same bytes,
 * and is not written again. */
static etna_code kept_put(kv_txn *txn, void *context, etna_error *err)
{
    const replies_row *row = context;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < row->count; i++) {
        const shelf_reply *r = &row->replies[i];
        kv_view there;
        code = kv_get(txn, KV_BLOBS, hash_view(&r->key), &there, err);
        if (code == ETNA_E_NOTFOUND)
            code = kv_put(txn, KV_BLOBS, hash_view(&r->key),
                          (kv_view){r->data, r->size}, err);
    }
    return code;
}

etna_code shelf_keep(shelf *s,
                     const shelf_reply *rows,
                     uint32_t count,
                     etna_error *err)
{
    replies_row row = {rows, count};
    return kv_write(s->db, kept_put, &row, err);
}

etna_code shelf_with_kept(shelf *s,
                          const etna_hash *key,
                          shelf_look look,
                          void *context,
                          etna_error *err)
{
    row_asked asked = {KV_BLOBS, key, look, context};
    return kv_read(s->db, row_get, &asked, err);
}

/* One transaction: the index cannot change on the way. */
static etna_code kept_put_index(kv_txn *txn, void *context, etna_error *err)
{
    const etna_hash *hash = context;
    kv_view index, there;
    etna_code code = kv_get(txn, KV_BLOBS, hash_view(hash), &there, err);
    if (code != ETNA_E_NOTFOUND)
        return code;
    code = kv_get(txn, KV_INDEX, index_key(), &index, err);
    if (code != ETNA_OK)
        return code;
    const etna_hash now = etna_hash_bytes(index.data, index.size);
    if (!etna_hash_equal(&now, hash))
        return ETNA_E_NOTFOUND;
    /* a view goes with the next put */
    uint8_t *copy = malloc(index.size + 1);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu bytes",
                         index.size);
    memcpy(copy, index.data, index.size);
    code = kv_put(txn, KV_BLOBS, hash_view(hash), (kv_view){copy, index.size},
                  err);
    free(copy);
    return code;
}

etna_code shelf_keep_index(shelf *s, const etna_hash *hash, etna_error *err)
{
    etna_hash of = *hash;
    return kv_write(s->db, kept_put_index, &of, err);
}

/* From the first row on, until none is left: no cursor stays open over a row
 * that is deleted. */
static etna_code kept_forget(kv_txn *txn, void *context, etna_error *err)
{
    uint64_t *removed = context;
    for (;;) {
        kv_view key, value;
        etna_hash hash;
        etna_code code = kv_seek(txn, KV_BLOBS, (kv_view){NULL, 0}, true, &key,
                                 &value, NULL);
        if (code == ETNA_E_NOTFOUND)
            return ETNA_OK;
        if (code == ETNA_OK && key.size != sizeof hash.bytes)
            code = ETNA_E_CORRUPT;
        if (code != ETNA_OK)
            return etna_fail(err, code, "the assets' tables cannot be read");
        memcpy(hash.bytes, key.data, sizeof hash.bytes);
        code = kv_del(txn, KV_BLOBS, hash_view(&hash), err);
        if (code != ETNA_OK)
            return code;
        ++*removed;
    }
}

etna_code shelf_forget_kept(shelf *s, uint64_t *ret_removed, etna_error *err)
{
    uint64_t removed = 0;
    etna_code code = kv_write(s->db, kept_forget, &removed, err);
    if (code == ETNA_OK)
        *ret_removed = removed;
    return code;
}
