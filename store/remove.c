/* `etna store rm`: a run and all that is kept under its name. */
#include "proto/array.h"
#include "store/row.h"
#include "store/store_internal.h"

#include <string.h>

/* bytes of a run's name, which all its keys begin with */
enum {
    NAME = sizeof(((etna_id *)NULL)->bytes)
};

/* The first key of the table that begins with the run's name; copied, as a
 * removal invalidates what was read. */
static etna_code remove_find(kv_txn *txn,
                             kv_table table,
                             const etna_id *run,
                             uint8_t key[KV_KEY_MAX],
                             size_t *ret_size,
                             etna_error *err)
{
    kv_view found, row;
    etna_code code = kv_seek(txn, table, (kv_view){run->bytes, NAME}, true,
                             &found, &row, NULL);
    if (code)
        return code;
    if (found.size < NAME || memcmp(found.data, run->bytes, NAME) != 0)
        return ETNA_E_NOTFOUND;
    if (found.size > KV_KEY_MAX)
        return etna_fail(err, ETNA_E_CORRUPT, "a key of %zu bytes", found.size);
    memcpy(key, found.data, found.size);
    *ret_size = found.size;
    return ETNA_OK;
}

static etna_code remove_rows(kv_txn *txn,
                             kv_table table,
                             const etna_id *run,
                             etna_error *err)
{
    uint8_t key[KV_KEY_MAX];
    size_t size = 0;
    etna_code code;
    while (!(code = remove_find(txn, table, run, key, &size, err))) {
        code = kv_del(txn, table, (kv_view){key, size}, err);
        if (code)
            return code;
    }
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* The row goes last, within the same transaction, so that its absence means
 * that all is gone. */
static etna_code remove_all(kv_txn *txn, void *context, etna_error *err)
{
    static const kv_table tables[] = {KV_JOURNAL, KV_REPLIES, KV_RUNS};
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < COUNT_OF(tables); i++)
        code = remove_rows(txn, tables[i], context, err);
    return code;
}

etna_code store_remove_run(store *s, const etna_id *run, etna_error *err)
{
    etna_id copy = *run;
    char name[33];
    if (s->read_only || store_is_written(s))
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "a run is removed from an owned store without an open group");
    etna_code code = store_alive(s, err);
    if (code)
        return code;
    etna_id_hex(run, name);
    if (!store_has_row(s, KV_RUNS, (kv_view){run->bytes, NAME}))
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "run %s: there is none of this id; see `etna runs`",
                         name);
    return store_write(s, remove_all, &copy, err);
}
