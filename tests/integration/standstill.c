/* `standstill CACHE`: a worker that is stopped in the middle of a write of a
 * host's cache, as a debugger, a frozen control group or a laptop's lid stops
 * one. Ends when it is continued. For run_standstill.sh. */
#include "store/store_internal.h"

#include <signal.h>
#include <stdio.h>

static etna_code stop(kv_txn *txn, void *context, etna_error *err)
{
    (void)txn, (void)context, (void)err;
    return raise(SIGSTOP) ? ETNA_E_INTERNAL : ETNA_OK;
}

int main(int argc, char **argv)
{
    etna_error err = {ETNA_OK, ""};
    cache *c;
    kv *db = NULL;
    if (argc != 2)
        return 2;
    /* makes it, under this boot */
    etna_code code = cache_open(argv[1], UINT64_C(1) << 30, &c, &err);
    if (!code) {
        cache_close(c);
        const kv_options options = {.path = argv[1],
                                    .disposable = true,
                                    .tables = 1 << KV_META | 1 << KV_BLOBS |
                                              1 << KV_USED | 1 << KV_ORDER};
        code = kv_open_lmdb(&options, &db, &err);
    }
    if (!code)
        code = kv_write(db, stop, NULL, &err);
    if (code)
        fprintf(stderr, "standstill: %s\n", err.text);
    kv_close(db);
    return code ? 1 : 0;
}
