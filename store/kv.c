/* What both makers of kv.h share: dispatch, and the walk over a table that
 * holds no transaction while it calls out. */
#include "store/kv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void kv_close(kv *db)
{
    if (db)
        db->ops->close(db);
}

etna_code kv_read(kv *db, kv_body body, void *context, etna_error *err)
{
    return db->ops->run(db, false, body, context, err);
}

etna_code kv_write(kv *db, kv_body body, void *context, etna_error *err)
{
    return db->ops->run(db, true, body, context, err);
}

etna_code kv_get(
    kv_txn *txn, kv_table table, kv_view key, kv_view *ret, etna_error *err)
{
    return txn->db->ops->get(txn, table, key, ret, err);
}

etna_code kv_put(
    kv_txn *txn, kv_table table, kv_view key, kv_view value, etna_error *err)
{
    assert(table < KV_TABLES && key.size > 0 && key.size <= KV_KEY_MAX);
    return txn->db->ops->put(txn, table, key, value, err);
}

etna_code kv_del(kv_txn *txn, kv_table table, kv_view key, etna_error *err)
{
    return txn->db->ops->del(txn, table, key, err);
}

etna_code kv_seek(kv_txn *txn,
                  kv_table table,
                  kv_view key,
                  bool forward,
                  kv_view *ret_key,
                  kv_view *ret_value,
                  etna_error *err)
{
    return txn->db->ops->seek(txn, table, key, forward, ret_key, ret_value,
                              err);
}

etna_code kv_count(kv_txn *txn, kv_table table, uint64_t *ret, etna_error *err)
{
    return txn->db->ops->count(txn, table, ret, err);
}

/* The walk's place. After a row its key gets a zero byte behind it, which is
 * the next possible key. */
typedef struct next_row {
    kv_table table;
    uint8_t key[KV_KEY_MAX + 1];
    size_t key_size;
    uint8_t *value; /* owned, reused from row to row */
    size_t value_size, value_room;
} next_row;

static etna_code copy_next(kv_txn *txn, void *context, etna_error *err)
{
    next_row *next = context;
    kv_view key, value;
    etna_code code =
        kv_seek(txn, next->table, (kv_view){next->key, next->key_size}, true,
                &key, &value, err);
    if (code)
        return code;
    if (key.size > KV_KEY_MAX)
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a key of %zu bytes: run `etna store verify`",
                         key.size);
    if (value.size > next->value_room) {
        uint8_t *grown = realloc(next->value, value.size);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory reading a row of %zu bytes",
                             value.size);
        next->value = grown;
        next->value_room = value.size;
    }
    memcpy(next->key, key.data, key.size);
    next->key_size = key.size;
    if (value.size)
        memcpy(next->value, value.data, value.size);
    next->value_size = value.size;
    return ETNA_OK;
}

etna_code kv_each(
    kv *db, kv_table table, kv_row_fn each, void *context, etna_error *err)
{
    next_row next = {.table = table};
    etna_code code;
    while (!(code = kv_read(db, copy_next, &next, err))) {
        code = each(context, (kv_view){next.key, next.key_size},
                    (kv_view){next.value, next.value_size}, err);
        if (code)
            break;
        next.key[next.key_size++] = 0;
    }
    free(next.value);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}
